// Symbolic states of a program with unbounded store buffers, and their steps.
//
// TSO is run by what threads may still read, not by what they have still to write: a store goes to memory at once, and every
// thread keeps the past that it may be standing in (P. A. Abdulla, M. F. Atig, A. Bouajjani, T. P. Ngo, A Load-Buffer
// Semantics for Total Store Ordering, LMCS 14(1:9), 2018; here whole snapshots take the place of messages). Order the
// stores of a run by when they reach the memory: a load that overtook a store of its own thread happens at an earlier
// moment than the store, so it reads what memory was then, or what the thread has stored itself. Moments only go forward;
// a fence goes to now. To forget a snapshot is to move on, so sets of pasts are closed downwards (see ideals.hpp).
//
// PSO: stores go into a buffer per thread and cell first, and to memory from there. A value that is not the last one of its
// buffer may be lost: it reaches the memory together with the next one and nobody sees it. A fence for stores waits until
// the thread's buffers are empty, and loads behind it may still look at the past. Without such fences, loads that look at
// now are enough.
//
// A state is an array of numbers: where each thread stands, the memory, which reservations are broken (SC only), then the
// past of each thread and its buffers, where there are any.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "automata.hpp"
#include "ideals.hpp"

namespace xgen {

// A step of a thread, or a store that reaches the memory.
struct Move {
    enum Kind : std::uint8_t { BEGIN, STEP, COMMIT, COMMIT_LAST };
    Kind kind = STEP;
    std::int16_t thread = 0;
    std::int32_t node = 0;   // of BEGIN and STEP: where the thread stands then
    std::int32_t cell = -1;  // to which a store reaches the memory, -1: none does
    std::int64_t value = 0;  // that is read, or committed
};

class Space {
public:
    using State = std::vector<std::int32_t>;

    // `most`: pasts and buffers keep so many atoms at most, and what else there is is left out; -1: all.
    Space(Automata& automata, Ideals& ideals, int most = -1);

    // A state that follows, and how it came about: `cut_pasts` and `cut_buffers` have a bit for each past and buffer of which
    // a part was left behind (modulo 64).
    struct Successor {
        State state;
        std::vector<Move> moves;
        std::uint64_t cut_pasts = 0, cut_buffers = 0;
        std::int32_t failed = -1;  // a thread with an error
    };
    const std::vector<Successor>& initial();
    const std::vector<Successor>& successors(const std::int32_t* state);

    // Whether no thread can go on from here, and one should; `of_mutexes`: and all that have not ended wait for mutexes,
    // or for such threads.
    bool is_deadlock(const std::int32_t* state, bool of_mutexes) const;
    // Whether all threads that were started have ended, and all stores are in memory.
    bool is_final(const std::int32_t* state) const;
    // The node of a thread that does that; null: of none.
    const Control* find(const std::int32_t* state, Act act) const;

    const Control& node(const std::int32_t* state, int thread) const { return automata_.nodes[thread][state[thread]]; }
    int threads() const { return threads_; }
    int size() const { return size_; }
    int memory() const { return threads_; }
    int flags() const { return threads_ + 1; }
    int past(int thread) const { return threads_ + 2 + thread; }
    bool has_pasts() const { return pasts_; }
    struct Buffer {
        int thread, cell, slot;
    };
    const std::vector<Buffer>& buffers() const { return buffers_; }
    // A store has had a value that was not expected: the automata are to be built anew.
    bool grew() const { return grew_; }
    bool failed() const { return failed_; }
    bool left_out() const { return left_out_; }

private:
    void finish(Successor&& start);
    bool can_go_first(const Successor& s, int thread) const;
    bool drained(const std::int32_t* state, int thread) const;
    int slot_of(int thread, std::int32_t cell) const { return slots_[thread][cell]; }
    std::int64_t value(const std::int32_t* state, std::int32_t cell) const { return ideals_.memories[state[memory()]][cell]; }

    template <class Use>
    void step(const Successor& before, int thread, Use&& use);
    template <class Use>
    void commit(const Successor& before, const Buffer& buffer, Use&& use);
    template <class Use>
    void advance(const Successor& before, int thread, const Control::Edge& edge, Use&& use);
    template <class Use>
    void read(const Successor& before, int thread, Use&& use);
    template <class Use>
    void update(const Successor& before, int thread, Use&& use);
    void to_memory(Successor& s, int thread, std::int32_t cell, std::int64_t value, bool marks);
    void forget(Successor& s, int thread);
    void tidy(Successor& s);

    Automata& automata_;
    Ideals& ideals_;
    int threads_, size_;
    int most_;
    bool pasts_ = false, grew_ = false, failed_ = false, left_out_ = false;
    std::vector<Buffer> buffers_;
    std::vector<std::vector<int>> slots_;  // per thread and cell: where its buffer is in the state, -1: it has none
    std::vector<std::vector<std::int32_t>> seen_;  // per thread and node: the set of cells that matter, as ideals number it
    std::vector<Successor> found_, open_;
};

}  // namespace xgen
