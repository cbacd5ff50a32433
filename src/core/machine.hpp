// Runs one thread's code from one event to the next.
#pragma once

#include <cstdint>
#include <vector>

#include "code.hpp"

namespace xgen {

// Where a thread stands.
enum class Status : std::uint8_t {
    EVENT,       // at a LOAD, STORE, FENCE or RMW
    CHOICE,      // at a CHOOSE with several enabled edges, or at a HAVOC
    ENDED,
    BLOCKED,     // at an assume that does not hold, a location with no enabled edge, or in a local loop without effect
    ASSERTION,   // at a violated assertion
    FAILED,      // at an error location
    OVERFLOWED,  // at an arithmetic overflow
    DIVISION,    // at a division by zero
    RANGE,       // at an array access out of range
    RUNAWAY,     // in a local loop that is still going on after LOCAL_STEPS instructions
};

inline bool is_error(Status s) { return s >= Status::ASSERTION && s <= Status::RANGE; }

// A thread's state, besides its locals (which are stored beside it).
struct ThreadState {
    std::int32_t pc = 0;
    Status status = Status::ENDED;
    std::int32_t events = 0;   // so far
    std::int32_t choices = 0;  // since the last event
    bool writing = false;      // at an RMW: its read is done, its write comes next
    // Of EVENT: the address, the value to write (or the operand of an RMW), what a CAS expects. Of HAVOC: the bounds.
    std::int64_t a = 0, b = 0, expected = 0;
};

class Machine {
public:
    static constexpr std::int64_t LOCAL_STEPS = 10'000'000;

    explicit Machine(const Code& code);

    const Code& code() const { return code_; }

    // Runs `thread` from state.pc to its next event, choice or end; updates state and locals.
    void run(int thread, ThreadState& state, std::int64_t* locals);

    // Whether the RMW where a thread stands, before its read, writes if it reads `value`.
    bool rmw_writes(const ThreadState& state, std::int64_t value) const;
    // The RMW has read `value`, which its local has got already: to its write, or on to the next event.
    void run_rmw(int thread, ThreadState& state, std::int64_t value, std::int64_t* locals);

    // The instructions to go on from, one for each enabled edge of the CHOOSE where the thread stands.
    std::vector<std::int32_t> enabled(int thread, const ThreadState& state, const std::int64_t* locals);

private:
    enum class Stop : std::uint8_t { EDGE_END, CHOOSE, OTHER };

    // Interprets from state.pc until the end of an edge, a CHOOSE, or something that is not local.
    Stop interpret(std::int64_t* registers, ThreadState& state);
    // Looks ahead on each edge of a CHOOSE; calls enabled(target) for each that no failing assume disables. The last
    // enabled one's registers and state are left in scratch_ and ahead_.
    template <class F>
    void look_ahead(int width, const std::int64_t* registers, std::int32_t pc, F&& enabled);
    void read_operands(ThreadState& state) const;
    bool spins(const std::int64_t* registers, std::int32_t pc, int locals);

    const Code& code_;
    std::vector<std::int64_t> registers_, trial_, scratch_;
    ThreadState ahead_;
    Stop ahead_stop_ = Stop::OTHER;
    std::int64_t budget_ = 0;
    // Brent's cycle detection over the states at the ends of edges
    std::vector<std::int64_t> seen_;
    std::int32_t seen_pc_ = -1;
    std::int64_t visits_ = 0, next_save_ = 1;
};

}  // namespace xgen
