// Runs one thread's code from one event to the next.
#pragma once

#include <cstdint>
#include <vector>

#include "code.hpp"
#include "taint.hpp"

namespace xgen {

// Where a thread stands.
enum class Status : std::uint8_t {
    EVENT,       // at a LOAD, STORE, LOADX, STOREX, FENCE, RMW, START, JOIN, MEET, UNLOCK or OBJECT
    CHOICE,      // at a CHOOSE with several enabled edges, at a HAVOC or a PREDICT
    ENDED,
    BLOCKED,     // at an assume that does not hold, a location with no enabled edge, or in a local loop without effect
    OPEN,        // at something that depends on a value that is not known yet (see Machine::run)
    CUT,         // at a call that is nested too deep
    ASSERTION,   // at a violated assertion
    FAILED,      // at an error location
    OVERFLOWED,  // at an arithmetic overflow
    DIVISION,    // at a division by zero
    UNDEFINED,   // at a read of a cell that has no value yet
    RANGE,       // at an index out of range, or at an address that is not that of a cell
    MIXED,       // at an address inside a cell, of a cell of another width, or of an object's byte that no cell is of; with
                 // a < 0, of a cell that is not there
    RUNAWAY,     // in a local loop that is still going on after LOCAL_STEPS instructions
    UNSTARTED,   // of a trace: not started by any other thread, whatever it would do first
};

inline bool is_error(Status s) { return s >= Status::ASSERTION && s <= Status::RANGE; }
// Whether a thread has come to what nothing follows: an error, or an access that cannot be followed.
inline bool has_failed(Status s) { return is_error(s) || s == Status::MIXED; }
// Whether a thread has stopped before something that it does next.
inline bool stands(Status s) { return s == Status::EVENT || s == Status::CHOICE; }

// A thread's state, besides its locals (which are stored beside it).
struct ThreadState {
    std::int32_t pc = 0;
    Status status = Status::ENDED;
    bool writing = false;      // at an RMW: its read is done, its write comes next
    std::int32_t events = 0;   // so far
    std::int32_t choices = 0;  // since the last event
    std::int32_t index = 0;    // of its next event, choices counted
    // BLOCKED, because it waits: the index of the first event of the last round of its loop, of its read at a lock, or of
    // the event that it would have next in a loop without events. -1: it does not wait.
    std::int32_t round = -1;
    // Of EVENT: the address, the value to write (or the operand of an RMW), what a CAS expects or, of a STOREX, the index
    // of the load that it pairs with. Of HAVOC and PREDICT: the bounds. Of CHOOSE: expected is the number of an early
    // choice, or 0.
    std::int64_t a = 0, b = 0, expected = 0;
    std::uint64_t reached = 0;  // the ASSERTs that it has come to, by their b
};

// What a thread did on its way from one event to the next: the conditions that it met, by their instructions, inverted
// where they did not hold; and whether it has passed what can end a thread, computed from what is not known.
struct Trail {
    std::vector<std::int32_t> turns;
    bool risky = false;
};

class Machine {
public:
    static constexpr std::int64_t LOCAL_STEPS = 10'000'000;

    // `words`: the size of the sets of a Taint.
    Machine(const Code& code, int words);

    const Code& code() const { return code_; }

    // Runs `thread` from state.pc to its next event, choice or end; updates state, locals and taint. `unknown`: events of
    // the thread (a set as in Taint, null for none) that have read a value which is not known yet. What is computed from
    // one is 0; where the way or an address depends on one, the thread is OPEN, and its taint's address says on which.
    // Where several edges are enabled it is not: none waits for the address of what another one starts with. And a store
    // exclusive of which nothing but the address is open is an early CHOICE: what comes after its failure does not depend
    // on that. `choice`: it has had one at this CHOOSE, counted from 1, and stops there; 0: at none.
    void run(int thread, ThreadState& state, std::int64_t* locals, Taint taint, const std::uint64_t* unknown = nullptr,
             std::int64_t choice = 0);

    // Whether an RMW that reads `value` writes.
    static bool writes(RmwKind kind, std::int64_t value, std::int64_t expected) {
        if (kind == RmwKind::ADD_UNLESS) return value != expected;
        return (kind != RmwKind::CAS && kind != RmwKind::LOCK) || value == expected;
    }
    // Whether there are values that it does not write for.
    static bool may_fail(RmwKind kind) {
        return kind == RmwKind::CAS || kind == RmwKind::LOCK || kind == RmwKind::ADD_UNLESS;
    }
    // The RMW has read `value`, which its local has got already: to its write, or on to the next event. `known`: so are
    // the values that it computes with.
    void run_rmw(int thread, ThreadState& state, std::int64_t value, bool writes, bool known, std::int64_t* locals,
                 Taint taint, const std::uint64_t* unknown, std::int64_t choice);

    // From now on, marks the registers that get a value, where dependencies are tracked; null: does not.
    void watch(std::vector<bool>* assigned) { assigned_ = assigned; }

    // From now on, adds to a trail, where dependencies are tracked; null: does not.
    void follow(Trail* trail) { trail_ = trail; }

    // The instructions to go on from, one for each enabled edge of the CHOOSE where the thread stands; until the next call.
    const std::vector<std::int32_t>& enabled(int thread, const ThreadState& state, const std::int64_t* locals);

private:
    enum class Stop : std::uint8_t { EDGE_END, CHOOSE, OTHER };

    // Finds the cell at an address; EVENT where there is one, else the error that it is.
    Status find_cell(std::int64_t address, std::int32_t width, std::int64_t& cell) const;
    // Interprets from state.pc until the end of an edge, a CHOOSE, or something that is not local.
    Stop interpret(std::int64_t* registers, ThreadState& state);
    // What comes behind a CHOOSE, as far as that is known. Of its last enabled edge: where the thread stops; the registers
    // are then in scratch_, and what they depend on in ahead_taints_.
    struct Lookahead {
        ThreadState state;
        Stop stop = Stop::OTHER;
        bool passed = false;     // on the way an address, or a bound of a HAVOC, was taken as if it were known: see passed_
        bool open = false;       // which edges are enabled depends on what is not known
        bool exclusive = false;  // whether a store exclusive can succeed depends on an address that is not known
        std::uint64_t reached = 0;  // assertions on the edges
    };
    Lookahead look_ahead(int width, const std::int64_t* registers, std::int32_t pc);
    void read_operands(int thread, const std::int64_t* registers, const std::uint64_t* sets_of, ThreadState& state,
                       Taint taint);
    bool is_there(int thread, ThreadState& state, const std::int64_t* locals, Taint taint, const std::uint64_t* unknown);
    void load_taint(int locals, Taint taint);
    void store_taint(int locals, Taint taint);
    void taint_result(const Instruction& i);
    bool is_unknown(std::int32_t operand) const;
    bool stays_open(const Instruction& i);
    bool skips(std::int64_t* registers, const Instruction& i);
    const std::uint64_t* taint_of(int set) const { return TaintSets{taints_.data(), words_}[set]; }
    std::uint64_t* taint_of(int set) { return TaintSets{taints_.data(), words_}[set]; }
    void add_taint(std::uint64_t* to, std::int32_t operand);
    bool spins(const std::int64_t* registers, std::int32_t pc, int locals);

    const Code& code_;
    std::vector<std::int64_t> registers_, trial_, scratch_;
    std::vector<std::int32_t> enabled_;  // the edges that look_ahead() has found: no failing assume disables them
    bool passing_ = false;               // while it looks: addresses, and the bounds of a HAVOC, count as known
    bool passed_ = false;                // one that is not
    std::vector<bool>* assigned_ = nullptr;
    Trail* trail_ = nullptr;
    std::int64_t budget_ = 0;
    std::int32_t index_ = 0;  // of the next event
    // Of the registers, then of the branches; only while taint is tracked
    std::vector<std::uint64_t> taints_, kept_taints_, ahead_taints_;
    int words_ = 0, registers_count_ = 0;
    bool tainting_ = false;
    const std::uint64_t* unknown_ = nullptr;
    std::vector<std::uint64_t> open_;  // what an OPEN thread waits for
    // Brent's cycle detection over the states at the ends of edges
    std::vector<std::int64_t> seen_;
    std::int32_t seen_pc_ = -1;
    std::int64_t visits_ = 0, next_save_ = 1;
};

}  // namespace xgen
