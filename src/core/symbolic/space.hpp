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
// A load exclusive reserves its cell; a store of another thread that reaches the memory later breaks that. What such a load
// reads of the past shows whether there was one. Of what it reads in a buffer, the reservation begins when that reaches the
// memory: it is pledged. A store exclusive in a buffer holds its cell, from when its reservation has begun until it is in
// memory itself: stores of other threads wait, since those that do not would have broken it, and of two with reservations
// that have begun one fails. What is in the buffer from the pledged value on, or since a value in memory was reserved, up to
// the store exclusive holds the cell for what comes behind it. A value that is lost reaches the memory together with the
// next one. Blocks that store exclusively to several cells can wait for each other for ever: no execution comes from there,
// so that an error is one only if all that is in buffers can reach the memory.
//
// An atomic block is at one moment. It is now, or (if it only loads) the one of a snapshot in the thread's past, which is
// then kept as the block's *pin*: no other will do. Stores of a block reach the memory at once, so that the others' pasts
// get what was there before its first one; a block that only stores may be later than what comes behind it, as a store may:
// it waits in the buffers of its cells (see stores.hpp).
// A block that loads what its own thread has stored, while that is not in memory yet, is more than a moment: models that
// want it ordered by communication with other blocks may forbid what it reads. These loads are `doubtful`: with `strict`
// they are left out, without they are all there.
//
// An object may not be accessed or freed by what nothing orders before its `free` or after its allocation, program order and
// reads-from being what orders. Steps respect both. So if there is such a pair, there is also a run that comes to where both
// are next, and it can go on with either one first: it is enough to see what was freed before it is accessed or freed, and
// what was accessed or freed before it is allocated. Of a load that does not come, since the thread would wait behind it, it
// counts that it is next.
//
// A state is an array of numbers: where each thread stands, the memory, which reservations are broken, of the block where a
// thread is how it has been so far, its pin and the memory before it (where there are blocks, and not under SC), the buffers
// whose cells are held (where there are exclusive accesses, under PSO), the objects that are freed and, behind the cells,
// those that were accessed (where there are any, as far as it matters), then the past of each thread, the buffers, and what
// the blocks in them store, where there are any.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "automata.hpp"
#include "stores.hpp"
#include "ideals.hpp"

namespace xgen::symbolic {

// A step of a thread, or a store that reaches the memory. The stores of a block that has waited in several buffers are moves
// one behind the other.
struct Move {
    enum Kind : std::uint8_t { BEGIN, STEP, COMMIT, COMMIT_LAST, COMMIT_BLOCK, COMMIT_LAST_BLOCK };
    Kind kind = STEP;
    std::uint8_t block = 0;  // of a step in an atomic block: how that is then, as in Space
    std::int16_t thread = 0;
    std::int32_t node = 0;   // of BEGIN and STEP: where the thread stands then; of a block's stores: how many there are
    std::int32_t cell = -1;  // to which a store reaches the memory, -1: none does
    std::int64_t value = 0;  // that is read, or committed
    bool fresh = false;      // of a load exclusive: no other thread has stored to the cell since
    Ideals::Pledge pledge = Ideals::FREE;  // of a value that is committed
};

class Space {
public:
    using State = std::vector<std::int32_t>;

    // `most`: pasts and buffers keep so many atoms at most, and what else there is is left out; -1: all. `apart`: stores of
    // a block may reach the memory one by one.
    Space(Automata& automata, Ideals& ideals, int most, bool strict, bool apart);

    // How an atomic block is.
    enum : std::int32_t {
        PAST = 1,     // at a moment in the past
        READ = 2,     // now, and it has read
        WROTE = 4,    // now, and it has stored to memory
        PENDING = 8,  // it will only store, into buffers
        FENCED = 16,  // there was a fence for stores
    };

    // A state that follows, and how it came about: `cut_pasts` and `cut_buffers` have a bit for each past and buffer of which
    // a part was left behind (modulo 64).
    struct Successor {
        State state;
        std::vector<Move> moves;
        std::uint64_t cut_pasts = 0, cut_buffers = 0;
        bool parted = false;       // stores of a block were taken for single ones
        std::int32_t failed = -1;  // a thread with an error
        Lost lost = Lost::NONE;    // why a thread is lost, and where
        std::int32_t lost_at = -1;
        bool misused = false;      // an object was, in the last step
        std::pair<int, int> misusing{-1, -1};  // the threads whose next events do; (-1, -1): none
    };
    const std::vector<Successor>& initial();
    const std::vector<Successor>& successors(const std::int32_t* state);

    // Whether no thread can go on from here, and one should; `of_mutexes`: and all that have not ended wait for mutexes,
    // or for such threads.
    bool is_deadlock(const std::int32_t* state, bool of_mutexes) const;
    // Whether all threads that were started have ended, and all stores are in memory.
    bool is_final(const std::int32_t* state) const;
    // Two threads whose next events are in one cell, one of which writes and one of which is not atomic; (-1, -1): none. That
    // is where data races show: of an execution with a race, what comes before both events is one as well, and if there is no
    // race in it, all that its loads return is in it.
    std::pair<int, int> race(const std::int32_t* state) const;
    // How all that is in buffers reaches the memory; nothing: it cannot.
    std::optional<std::vector<Move>> drain(const State& state);
    // The node of a thread that does that; null: of none.
    const Control* find(const std::int32_t* state, Act act) const;

    const Control& node(const std::int32_t* state, int thread) const { return automata_.nodes[thread][state[thread]]; }
    int threads() const { return threads_; }
    int size() const { return size_; }
    int memory() const { return threads_; }
    int flags() const { return threads_ + 1; }
    int block() const { return threads_ + 2; }
    int pin() const { return threads_ + 3; }
    int before() const { return threads_ + 4; }
    int held() const { return threads_ + (blocks_ ? 5 : 2); }
    bool holds() const { return holds_; }
    int gone() const { return held() + holds_; }
    int fixed() const { return gone() + lifetimes_; }  // how many numbers have to be equal
    bool has_lifetimes() const { return lifetimes_; }
    int past(int thread) const { return fixed() + thread; }
    bool has_pasts() const { return pasts_; }
    const Stores& stores() const { return stores_; }
    // A store has had a value that was not expected: the automata are to be built anew.
    bool grew() const { return grew_; }
    bool failed() const { return failed_; }
    bool left_out() const { return left_out_; }
    bool doubtful() const { return doubtful_; }

private:
    void finish(Successor&& start);
    bool can_go_first(const Successor& s, int thread) const;
    using Blocked = std::map<std::pair<std::int32_t, bool>, bool>;  // of nodes in a block: whether it comes to nothing from there
    bool can_go_on(const std::int32_t* state, int thread, std::int32_t at, bool broken, Blocked& blocked) const;
    bool stands_for_ever(const std::int32_t* state, int thread) const;
    std::int64_t value(const std::int32_t* state, std::int32_t cell) const { return ideals_.memories[state[memory()]][cell]; }

    template <class Use>
    void step(const Successor& before, int thread, Use&& use);
    void commit(Successor& s, const Stores::First& first);
    bool can_commit(const std::int32_t* state, const Stores::First& first) const;
    template <class Use>
    void advance(const Successor& before, int thread, const Control::Edge& edge, Use&& use);
    template <class Use>
    void read(const Successor& before, int thread, Use&& use);
    template <class Use>
    void update(const Successor& before, int thread, Use&& use);
    template <class Use>
    void write(const Successor& before, int thread, Use&& use);
    template <class Use>
    void fence(const Successor& before, int thread, Use&& use);
    template <class Use>
    void at_a_moment(const Successor& before, int thread, Use&& use);
    template <class Use>
    void read_in_block(const Successor& before, int thread, Use&& use);
    bool be_now(Successor& s, int thread);
    bool doubt();
    bool end_block(Successor& s, int thread);
    bool put(Successor& s, int thread, const std::vector<std::int64_t>& stores);
    template <class Use>
    void pair(const Successor& before, int thread, Use&& use);
    void reserve(Successor& s, int thread, bool broken) const;
    bool waits(const std::int32_t* state, int thread, std::int32_t cell) const;
    void hold(Successor& s, int slot, bool held);
    enum class Own : std::uint8_t { NONE, MARK, PAST_AND_MARK };
    void to_memory(Successor& s, int thread, std::int32_t cell, std::int64_t value, Own own);
    void append(Successor& s, int thread, std::int32_t memory);
    void forget(Successor& s, int thread);
    void tidy(Successor& s);
    void touch(Successor& s, const Control& n) const;
    std::pair<int, int> misusing(const Successor& s) const;

    Automata& automata_;
    Ideals& ideals_;
    int threads_, size_;
    int most_;
    bool strict_, apart_, blocks_ = false, holds_ = false, lifetimes_ = false, doubtful_ = false;
    bool pasts_ = false, grew_ = false, failed_ = false, left_out_ = false;
    Stores stores_;
    std::vector<std::vector<std::int32_t>> seen_;  // per thread and node: the set of cells that matter, as ideals number it
    std::vector<std::vector<std::int32_t>> ahead_;  // likewise: what may be done with objects
    std::vector<Successor> found_, open_;
};

}  // namespace xgen::symbolic
