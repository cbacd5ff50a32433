// The register code that the machine runs: what programs are lowered to (src/xgen/lowering/).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "reals.hpp"

namespace xgen {

// An operand x >= 0 is a register, x < 0 is the constant ~x of Code::constants.
// A thread's registers are its local variables first (kept from event to event), then temporaries.
//
// What an operation is: it computes, jumps, ends the thread's run in one way or another, or is an event or a choice.
enum class OpKind : std::uint8_t {
    COMPUTE,  // gives dst a value; the thread goes on
    TEST,     // goes on, or the thread stops there
    JUMP,     // goes to instruction c
    BRANCH,   // goes to instruction c, or on
    CHOICE,   // what comes is chosen
    EVENT,    // of class c; of RMW two, whose classes and operands are in Code::rmws[c]
    END,      // nothing comes
};

// The operations. Each line: the name; which operands it reads (A, B and C of those in a, b and c, DST where it reads
// dst as well, 0 for none) and whether it writes dst; the operand that decides whether, or where, the thread goes on;
// the operand that says which cell is meant (or what a choice is from); its kind; then what it does. With a c, what the
// notes with "unless c" say is not so, and the operand decides nothing. RMW's operands are in Code::rmws.
#define XGEN_OPS(X)                                                                                                      \
    X(MOV,    A,         DST, 0, 0,     COMPUTE) /* dst = a                                                           */ \
    X(NEG,    A,         DST, 0, 0,     COMPUTE) /* dst = -a      (overflow is an error, unless c: modulo 2^64)       */ \
    X(NOT,    A,         DST, 0, 0,     COMPUTE) /* dst = not a                                                       */ \
    X(ADD,    A | B,     DST, 0, 0,     COMPUTE) /* dst = a + b   (overflow is an error, unless c: modulo 2^64)       */ \
    X(SUB,    A | B,     DST, 0, 0,     COMPUTE) /* dst = a - b   (overflow is an error, unless c: modulo 2^64)       */ \
    X(MUL,    A | B,     DST, 0, 0,     COMPUTE) /* dst = a * b   (overflow is an error, unless c: modulo 2^64)       */ \
    X(DIV,    A | B,     DST, B, 0,     COMPUTE) /* dst = a / b   Euclidean: a = b * q + r with 0 <= r < |b|; b = 0   */ \
                                                 /*               is an error                                         */ \
    X(MOD,    A | B,     DST, B, 0,     COMPUTE) /* dst = the r above                                                 */ \
    X(REM,    A | B,     DST, B, 0,     COMPUTE) /* dst = r where b > 0, -r where b < 0 (SMT-LIB as Z3 reads it)      */ \
    X(QUO,    A | B,     DST, B, 0,     COMPUTE) /* dst = a / b truncated; b = 0 is an error, a quotient of 2^63 an   */ \
                                                 /*     overflow                                                      */ \
    X(REMT,   A | B,     DST, B, 0,     COMPUTE) /* dst = the remainder of that, which has the sign of a              */ \
    X(UQUO,   A | B,     DST, B, 0,     COMPUTE) /* dst = a / b without sign; b = 0 is an error                       */ \
    X(UREM,   A | B,     DST, B, 0,     COMPUTE) /* dst = the remainder of that                                       */ \
    X(EQ,     A | B,     DST, 0, 0,     COMPUTE) /* dst = a = b                                                       */ \
    X(NE,     A | B,     DST, 0, 0,     COMPUTE) /* dst = a /= b                                                      */ \
    X(LT,     A | B,     DST, 0, 0,     COMPUTE) /* dst = a < b                                                       */ \
    X(LE,     A | B,     DST, 0, 0,     COMPUTE) /* dst = a <= b                                                      */ \
    X(ULT,    A | B,     DST, 0, 0,     COMPUTE) /* dst = a < b without sign                                          */ \
    X(ULE,    A | B,     DST, 0, 0,     COMPUTE) /* dst = a <= b without sign                                         */ \
    X(BITNOT, A,         DST, 0, 0,     COMPUTE) /* dst = a with each of its 64 bits inverted                         */ \
    X(BITAND, A | B,     DST, 0, 0,     COMPUTE) /* dst = the bits of both a and b                                    */ \
    X(BITOR,  A | B,     DST, 0, 0,     COMPUTE) /* dst = the bits of a or b                                          */ \
    X(BITXOR, A | B,     DST, 0, 0,     COMPUTE) /* dst = the bits of either a or b                                   */ \
    X(SHL,    A | B,     DST, B, 0,     COMPUTE) /* dst = a, b bits to the left, bits are lost; b < 0 or b > 63 is an */ \
                                                 /*               overflow; with c there is no such b                 */ \
    X(SHR,    A | B,     DST, B, 0,     COMPUTE) /* dst = a, b bits to the right, zeros follow; likewise              */ \
    X(SAR,    A | B,     DST, B, 0,     COMPUTE) /* dst = a, b bits to the right, copies of the sign follow; likewise */ \
    X(REAL,   A | B,     DST, 0, 0,     COMPUTE) /* dst = the floating point operation c (Real) of a and b            */ \
    X(WRAP,   A,         DST, 0, 0,     COMPUTE) /* dst = the number that the low c bits of a are; c < 0: the low -c  */ \
                                                 /*               bits, signed                                        */ \
    X(SELECT, A | B | C, DST, 0, 0,     COMPUTE) /* dst = a ? b : c   (c is an operand)                               */ \
    X(JMP,    0,         0,   0, 0,     JUMP)    /* within an edge                                                    */ \
    X(JZ,     A,         0,   A, 0,     BRANCH)  /* to c where a = 0; with b no control dependency                    */ \
    X(GOTO,   0,         0,   0, 0,     JUMP)    /* the end of an edge; a location starts at c                        */ \
    X(ASSUME, A,         0,   A, 0,     TEST)    /* a = 0: the thread is blocked, or the edge is disabled where       */ \
                                                 /*        CHOOSE looks ahead; with c no control dependency           */ \
    X(ASSERT, A,         0,   A, 0,     TEST)    /* a = 0: violation (c numbers its kind, for who lowered it)         */ \
    X(FAIL,   0,         0,   0, 0,     END)     /* violation: an error location was reached                          */ \
    X(END,    0,         0,   0, 0,     END)     /* the thread has ended                                              */ \
    X(STUCK,  0,         0,   0, 0,     END)     /* a location that is not final and has no edge: blocked             */ \
    X(CHOOSE, 0,         0,   0, 0,     CHOICE)  /* go to one of the instructions Code::targets[c] (look ahead for    */ \
                                                 /*        failing assumes)                                           */ \
    X(LOAD,   A,         DST, 0, A,     EVENT)   /* dst = cell a (b = 1: of an update of several parts; b = 2: the    */ \
                                                 /*       second word that an exclusive load reads)                   */ \
    X(STORE,  A | B,     0,   0, A,     EVENT)   /* cell a = b (with dst: the first part that an update writes, of    */ \
                                                 /*       what the loads right before it have read)                   */ \
    X(FENCE,  0,         0,   0, 0,     EVENT)   /* (with b it does not count for the bound on events)                */ \
    X(LOADX,  A,         DST, 0, A,     EVENT)   /* LOAD; and the thread's reservation is for cell a                  */ \
                                                 /*       (ThreadCode::reservation)                                   */ \
    X(STOREX, A | B,     DST, 0, A,     EVENT)   /* STORE, by a store exclusive that succeeds; dst = 0, and the       */ \
                                                 /*       reservation is gone                                         */ \
    X(HAVOC,  A | B,     DST, 0, A | B, CHOICE)  /* dst = any value from a to b; none where a > b: blocked            */ \
    X(INDEX,  A,         DST, 0, A,     COMPUTE) /* dst = b + a: cell number a of the array that starts at cell b (a  */ \
                                                 /*       number, not an operand) and has c cells; an a out of range  */ \
                                                 /*       is an error                                                 */ \
    X(PREDICT, A,        DST, 0, 0,     CHOICE)  /* dst = a, a number from 0 to b - 1; chosen before a is known, and  */ \
                                                 /*    refuted if it turns out wrong. What depends on dst depends on  */ \
                                                 /*    what a does; with c = 1, it only picks by it; with c = 2, a    */ \
                                                 /*    is a cell, and b - 1 is right where computing it is an error   */ \
    X(KEEP,   0,         DST, 0, 0,     COMPUTE) /* dst = 0, and depends on what decides which way the thread goes    */ \
    X(LEAVE,  A,         0,   0, 0,     TEST)    /* from now on only what a depends on does                           */ \
    X(DEREF,  A,         DST, 0, A,     COMPUTE) /* dst = the cell with address a; an a that is not that of a cell    */ \
                                                 /*       for ints is an error; c is the width that it has to have    */ \
                                                 /*       (CellPlace), 0: any                                         */ \
    X(TAINT,  A | DST,   DST, 0, 0,     COMPUTE) /* dst depends on a as well (a value that decided which way dst was  */ \
                                                 /*       computed)                                                   */ \
    X(RMW,    0,         DST, 0, 0,     EVENT)   /* dst = what the cell held; a read and a write (dst = -1: dropped)  */ \
    X(START,  0,         0,   0, 0,     EVENT)   /* thread a starts                                                   */ \
    X(JOIN,   0,         0,   0, 0,     EVENT)   /* waits for thread a to end                                         */ \
    X(MEET,   0,         0,   0, 0,     EVENT)   /* waits until each thread of group a stands at its MEET of round b  */ \
                                                 /*       (b a number), or is past it                                 */ \
    X(GATHER, 0,         0,   0, 0,     CHOICE)  /* MEET, but no event that models see, and no order between threads  */ \
    X(BLOCK,  0,         DST, 0, 0,     COMPUTE) /* dst = 1 + how many events and choices the thread has had: an      */ \
                                                 /*       atomic block starts                                         */ \
    X(CUT,    0,         0,   0, 0,     END)     /* a call that is nested too deep, or another bound: the thread is cut*/ \
    X(BOUND,  0,         DST, 0, 0,     TEST)    /* dst = dst + 1; the thread is cut where that is more than c. How   */ \
                                                 /*    often does not matter to what may come, so dst is not read     */ \
    X(UNLOCK, A | B,     0,   0, A,     EVENT)   /* STORE; an error where the thread's last write to cell a is not its*/ \
                                                 /*    lock's                                                         */ \
    X(OBJECT, A,         0,   0, A,     EVENT)   /* the object that starts with cell a is allocated or freed (the     */ \
                                                 /*    class says which); another a is an error                       */

enum class Op : std::uint8_t {
#define XGEN_OP(name, reads, writes, decides, place, kind) name,
    XGEN_OPS(XGEN_OP)
#undef XGEN_OP
};

// What the table says of an operation: sets of operands, and its kind.
struct Operation {
    enum Operand : std::uint8_t { A = 1, B = 2, C = 4, DST = 8 };
    std::uint8_t reads, writes, decides, place;
    OpKind kind;
};

// By operation. Not in the function below: it would be made anew by each call.
inline constexpr auto OPERATION_TABLE = [] {
    enum : std::uint8_t { A = Operation::A, B = Operation::B, C = Operation::C, DST = Operation::DST };
    return std::to_array<Operation>({
#define XGEN_OP(name, reads, writes, decides, place, kind) {reads, writes, decides, place, OpKind::kind},
        XGEN_OPS(XGEN_OP)
#undef XGEN_OP
    });
}();

constexpr const Operation& operation(Op op) { return OPERATION_TABLE[static_cast<std::size_t>(op)]; }

struct Instruction {
    Op op;
    std::uint8_t part = 0;  // of a LOAD, STORE or LOADX: which part it is of the access of several cells that it belongs to
    std::int32_t dst = 0, a = 0, b = 0, c = 0;

    // Whether an operand decides whether, or where, the thread goes on: not of an ASSUME or a shift with c, a JZ with b.
    bool decides() const {
        const bool with_c = op == Op::ASSUME || op == Op::SHL || op == Op::SHR || op == Op::SAR;
        const bool waived = with_c ? c != 0 : op == Op::JZ && b != 0;
        return operation(op).decides != 0 && !waived;
    }
    std::int32_t decider() const { return operation(op).decides == Operation::A ? a : b; }
};

// How many events it is, against the bound on these: not those that were inserted to see what they change.
inline int events_of(const Instruction& i) { return i.op == Op::RMW ? 2 : i.op == Op::FENCE && i.b != 0 ? 0 : 1; }

// Whether a thread meets others there.
inline bool meets(const Instruction& i) { return i.op == Op::MEET || i.op == Op::GATHER; }

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
    REAL_ADD32,  // floating point numbers
    REAL_ADD64,
    CAS,         // writes if the cell holds `expected`; else it is a plain read
    ADD_UNLESS,  // writes unless the cell holds `expected`; likewise
    LOCK,        // a CAS; where it does not write the thread is blocked
};

// Whether an RMW may be a plain read, or a blocked one, because of what it reads.
inline bool may_fail(RmwKind kind) {
    return kind == RmwKind::CAS || kind == RmwKind::ADD_UNLESS || kind == RmwKind::LOCK;
}

// Whether an RMW, if it writes, writes the same whatever it reads.
inline bool replaces(RmwKind kind) {
    return kind == RmwKind::EXCHANGE || kind == RmwKind::CAS || kind == RmwKind::LOCK;
}

struct RmwCode {
    RmwKind kind = RmwKind::EXCHANGE;
    std::int32_t address = 0, operand = 0, expected = 0;                  // operands
    std::int32_t read_class = 0, failed_class = 0, write_class = 0;       // event classes
    bool picks = false;     // what it writes is only picked by what it compares
    std::int32_t bits = 0;  // 0: an overflow is an error; else what it writes wraps as by WRAP, and MIN, MAX compare so
    bool pair = false;      // its events depend on each other as those of a pair of exclusive accesses do
};

// The c of a PREDICT.
constexpr std::int32_t PICKS = 1, OF_CELL = 2;
// The b of ASSERTs, a bit of what a thread has come to. Those with c = 0 are numbered, from 0 to below the first of these;
// more of them share numbers. Those of which it is noted that a thread comes there have the first one, others the second.
constexpr std::int32_t NOTED_ASSERTION = 62, OTHER_ASSERTION = 63;

// Where an update may be left out, with its round, that writes what it has read: src/xgen/lowering/analysis/spinning.py.
constexpr std::int32_t SPINS = -2;

// The width of an address that has to be that of an object: what is inside a cell is as wrong as what is in none.
constexpr std::int32_t WHOLE_OBJECT = std::numeric_limits<std::int32_t>::min();

// A cell that pointers may lead to. Its width: how many bytes it has, negative where they are a number with a sign; 0: it
// fits all accesses. A cell below 0 is not there: the number ~cell of those that a run is to be made again with, or NO_CELL:
// these are bytes of an object at which, as its translation saw it, there is no access.
constexpr std::int32_t NO_CELL = std::numeric_limits<std::int32_t>::min();
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

// What may be written to a cell.
struct Written {
    bool any = false;                  // any value
    std::vector<std::int64_t> values;  // else these

    bool nothing() const { return !any && values.empty(); }
    void add(const Written& other) {
        any |= other.any;
        for (std::int64_t value : other.values)
            if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    }
};

// What an instruction may write.
struct WrittenAt {
    bool everywhere = false;          // to any cell
    std::vector<std::int32_t> cells;  // else to these
    Written what;
};

struct Code {
    std::vector<Instruction> instructions;
    std::vector<std::int64_t> constants;
    std::vector<std::vector<std::int32_t>> targets;  // of CHOOSE
    std::vector<RmwCode> rmws;
    // Per instruction: of an event that may be in a loop, -1, or SPINS, and then the locals that matter from there on; else
    // none.
    std::vector<std::vector<std::int32_t>> live;
    std::vector<WrittenAt> written;  // per instruction
    std::vector<ThreadCode> threads;
    std::vector<std::int64_t> cells;                 // the shared cells' initial values
    std::vector<CellPlace> places;                   // by address
    std::vector<bool> undefined;                     // per cell: its initial value may not be read
    std::vector<std::int32_t> objects;               // per cell: the first cell of the allocated object it is in, or -1
    std::vector<std::vector<std::int32_t>> groups;   // the threads that meet, ascending
    bool forks = false;                              // there is a START, a JOIN or a MEET
    bool predicts = false;                           // there is a PREDICT
    bool gathers = false;                            // there is a GATHER

    // At most so many registers does a thread have; at least 1.
    std::size_t registers() const {
        std::size_t most = 1;
        for (const ThreadCode& t : threads) most = std::max<std::size_t>(most, t.locals + t.temporaries);
        return most;
    }

    // Whether an instruction reads only since it stores by an update: nobody looks at what that is, so it may be no value.
    bool reads_blindly(const Instruction& i) const {
        return i.dst < 0 && (i.op == Op::LOAD || (i.op == Op::RMW && rmws[i.c].kind == RmwKind::EXCHANGE));
    }
};

}  // namespace xgen
