// The register code that the machine runs: what programs are lowered to (src/xgen/lowering/).
#pragma once

#include <cstdint>
#include <vector>

namespace xgen {

// An operand x >= 0 is a register, x < 0 is the constant ~x of Code::constants.
// A thread's registers are its local variables first (kept from event to event), then temporaries.
//
// Each line: name, then what it does with dst, a, b, c.
#define XGEN_OPS(X)                                                                                     \
    X(MOV)    /* dst = a                                                                             */ \
    X(NEG)    /* dst = -a         (overflow is an error, unless c: then modulo 2^64)                 */ \
    X(NOT)    /* dst = not a                                                                         */ \
    X(ADD)    /* dst = a + b      (overflow is an error, unless c: then modulo 2^64)                 */ \
    X(SUB)    /* dst = a - b      (overflow is an error, unless c: then modulo 2^64)                 */ \
    X(MUL)    /* dst = a * b      (overflow is an error, unless c: then modulo 2^64)                 */ \
    X(DIV)    /* dst = a / b       Euclidean: a = b * q + r with 0 <= r < |b|; b = 0 is an error     */ \
    X(MOD)    /* dst = the r above                                                                   */ \
    X(REM)    /* dst = r where b > 0, -r where b < 0 (SMT-LIB as Z3 reads it)                        */ \
    X(QUO)    /* dst = a / b truncated; b = 0 is an error, a quotient of 2^63 an overflow            */ \
    X(REMT)   /* dst = the remainder of that, which has the sign of a                                */ \
    X(UQUO)   /* dst = a / b without sign; b = 0 is an error                                         */ \
    X(UREM)   /* dst = the remainder of that                                                         */ \
    X(EQ)     /* dst = a = b                                                                         */ \
    X(NE)     /* dst = a /= b                                                                        */ \
    X(LT)     /* dst = a < b                                                                         */ \
    X(LE)     /* dst = a <= b                                                                        */ \
    X(ULT)    /* dst = a < b without sign                                                            */ \
    X(ULE)    /* dst = a <= b without sign                                                           */ \
    X(BITNOT) /* dst = a with each of its 64 bits inverted                                           */ \
    X(BITAND) /* dst = the bits of both a and b                                                      */ \
    X(BITOR)  /* dst = the bits of a or b                                                            */ \
    X(BITXOR) /* dst = the bits of either a or b                                                     */ \
    X(SHL)    /* dst = a, b bits to the left, bits are lost; b < 0 or b > 63 is an overflow, but if c    */ \
    X(SHR)    /* dst = a, b bits to the right, zeros follow; likewise                                */ \
    X(SAR)    /* dst = a, b bits to the right, copies of the sign follow; likewise                   */ \
    X(WRAP)   /* dst = the number that the low c bits of a are; c < 0: the low -c bits, signed       */ \
    X(SELECT) /* dst = a ? b : c   (c is an operand)                                                 */ \
    X(JMP)    /* go to instruction c, within an edge                                                 */ \
    X(JZ)     /* go to instruction c where a = 0                                                     */ \
    X(GOTO)   /* the end of an edge: go to instruction c, where a location starts                    */ \
    X(ASSUME) /* a = 0: the thread is blocked, or the edge is disabled where CHOOSE looks ahead;     */ \
              /*        no control dependency for the models where c = 1                             */ \
    X(ASSERT) /* a = 0: violation (c numbers its kind, for who lowered it)                           */ \
    X(FAIL)   /* violation: an error location was reached                                            */ \
    X(END)    /* the thread has ended                                                                */ \
    X(STUCK)  /* a location that is not final and has no edge: blocked                               */ \
    X(CHOOSE) /* go to one of the instructions Code::targets[c] (look ahead for failing assumes)     */ \
    X(LOAD)   /* dst = cell a      event of class c                                                  */ \
    X(STORE)  /* cell a = b        event of class c                                                  */ \
    X(FENCE)  /*                   event of class c                                                  */ \
    X(LOADX)  /* LOAD; and the thread's reservation is for cell a (ThreadCode::reservation)          */ \
    X(STOREX) /* STORE, by a store exclusive that succeeds; dst = 0, and the reservation is gone     */ \
    X(HAVOC)  /* dst = any value from a to b; none where a > b: blocked                              */ \
    X(INDEX)  /* dst = b + a: cell number a of the array that starts at cell b (a number, not an     */ \
              /*                   operand) and has c cells; an a out of range is an error           */ \
    X(DEREF)  /* dst = the cell with address a; an a that is not that of a cell for ints is an error */ \
              /*       c is the width that it has to have (CellPlace), 0: any                        */ \
    X(TAINT)  /* dst depends on a as well (a value that decided which way dst was computed)          */ \
    X(RMW)    /* dst = what cell Code::rmws[c].address held; a read and a write (dst = -1: dropped)  */ \
    X(START)  /* thread a starts     event of class c                                                */ \
    X(JOIN)   /* waits for thread a to end; then an event of class c                                 */ \
    X(BLOCK)  /* dst = 1 + how many events and choices the thread has had: an atomic block starts    */ \
    X(CUT)    /* a call that is nested too deep, or another bound: the thread is cut                 */ \
    X(BOUND)  /* dst = dst + 1; the thread is cut where that is more than c                          */ \
    X(UNLOCK) /* STORE; an error where the thread's last event in cell a is not its lock's           */

enum class Op : std::uint8_t {
#define XGEN_OP(name) name,
    XGEN_OPS(XGEN_OP)
#undef XGEN_OP
};

struct Instruction {
    Op op;
    std::int32_t dst = 0, a = 0, b = 0, c = 0;
};

enum class RmwKind : std::uint8_t {
    EXCHANGE,
    ADD,   // overflow is an error
    SUB,   // overflow is an error
    AND,
    ANDNOT,
    OR,
    XOR,
    MIN,
    MAX,
    UMIN,  // of the values without sign
    UMAX,
    CAS,         // writes if the cell holds `expected`; else it is a plain read
    ADD_UNLESS,  // writes unless the cell holds `expected`; likewise
    LOCK,        // a CAS; where it does not write the thread is blocked
};

struct RmwCode {
    RmwKind kind = RmwKind::EXCHANGE;
    std::int32_t address = 0, operand = 0, expected = 0;                  // operands
    std::int32_t read_class = 0, failed_class = 0, write_class = 0;       // event classes
    std::int32_t bits = 0;  // 0: an overflow is an error; else what it writes wraps as by WRAP, and MIN, MAX compare so
};

// A cell that pointers may lead to. Its width: how many bytes it has, negative where they are a number with a sign; 0: it
// fits all accesses.
struct CellPlace {
    std::int64_t address = 0;
    std::int32_t width = 0, cell = 0;
};

struct ThreadCode {
    std::int32_t entry = 0;              // its first instruction
    std::int32_t locals = 0;             // registers that are kept
    std::int32_t temporaries = 0;        // registers that are not
    std::vector<std::int64_t> initial;   // the first values of the locals
    // Two locals, -1: it has no exclusive accesses. The cell that its last LOADX has reserved, plus 1 (0: none is), and
    // the index of that event.
    std::int32_t reservation = -1;
    std::int32_t block = -1;  // the local that BLOCK sets, 0 outside of atomic blocks; -1: it has none
    bool waits = false;                  // for a START
};

struct Code {
    std::vector<Instruction> instructions;
    std::vector<std::int64_t> constants;
    std::vector<std::vector<std::int32_t>> targets;  // of CHOOSE
    std::vector<RmwCode> rmws;
    // Per instruction: of an event that may be in a loop, -1 and then the locals that matter from there on; else none.
    std::vector<std::vector<std::int32_t>> live;
    std::vector<ThreadCode> threads;
    std::vector<std::int64_t> cells;                 // the shared cells' initial values
    std::vector<CellPlace> places;                   // by address
    std::vector<bool> undefined;                     // per cell: its initial value may not be read
    bool forks = false;                              // there is a START or a JOIN
};

}  // namespace xgen
