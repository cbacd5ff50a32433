// Exploring symbolic states: proofs for programs without an end and buffers without a bound.
//
// Breadth first. A state that another one covers (the same nodes and memory, pasts and buffers within those of the other)
// is left out. Of each new state:
//
// 1. *Acceleration*, exact. Let an ancestor have the same nodes and memory, and let some pasts and buffers be its own with
//    more behind, none of them cut on the way. The same steps can be taken again from here, and add at least as much each
//    time; so what is more may come any number of times: `u` becomes `(letters of u)*`, and all of it can be reached.
//    Where the thread's own marks were renewed on the way, only the part before these marks keeps what it gets.
// 2. *Widening*, only if asked for: of more than K atoms between two marks, the oldest become one `letters*`. What follows
//    from that is inexact: a proof all the same, but no violation.
//
// Forward analysis of well-structured systems by ideals: A. Finkel, J. Goubault-Larrecq, Forward Analysis for WSTS,
// Parts I and II, STACS and ICALP 2009.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "graph/trace.hpp"
#include "space.hpp"

namespace xgen::symbolic {

class Prover {
public:
    enum class End : std::uint8_t {
        BUDGET,     // the time given is up; run() goes on from here
        SAFE,       // everything explored, nothing wrong
        VIOLATION,  // a thread comes to an error, or there is a data race
        DEADLOCK,   // no thread can go on
        STATES,     // so many states are visited
        FAULT,      // the data are not finite, or a thread is lost: see `automata().fault`
    };
    struct Options {
        bool deadlocks = false;  // all of them, not only those of mutexes
        int widening = -1;  // K; -1: none
        int most = -1;      // atoms of a past or buffer; -1: no limit
        bool strict = false;  // see Space
        bool largest = false;  // states with more letters that come any number of times go first
    };

    Prover(const Code& code, MachineSettings settings, Options options);

    // Explores for about `seconds`, until `limit` states are visited. What takes longer (building the automata) ends early
    // where `stop` says so, which is asked now and then; it begins anew in the next run.
    End run(double seconds, std::int64_t limit, std::function<bool()> stop);

    std::int64_t stored() const { return live_; }
    std::int64_t visited() const { return visited_; }
    std::int64_t accelerated() const { return accelerated_; }
    std::int64_t atoms() const;
    // Of a violation that is a data race or a misuse of an object by what comes next: the threads; else (-1, -1).
    std::pair<int, int> racing() const { return racing_; }
    bool exact() const { return end_exact_; }  // of a violation or deadlock: it was reached without widening
    std::int32_t cut() const { return cut_; }  // where a thread was cut, -1: nowhere
    const Automata& automata() const { return automata_; }
    Automata& automata() { return automata_; }
    bool doubtful() const { return space_ && space_->doubtful(); }
    bool left_out() const { return space_ && space_->left_out(); }  // something did not fit into `most` atoms
    // The final states: the values that outcomes list, thread by thread, then the memory; and the number of such a state.
    std::vector<std::pair<std::vector<std::int64_t>, std::int32_t>> outcomes() const;
    // Where the longest past or buffer of the states that wait is: the thread, the cell or -1, and the instruction where the
    // thread stands; (-1, -1, -1): none.
    std::tuple<int, int, int> growing() const;

    // The way to a state, -1: to the violation, and until all stores are in memory: what was done state by state, and where a
    // state stands for rounds of a loop, the earlier one from which these start.
    struct Step {
        std::vector<Move> moves;
        int loop = -1;
    };
    std::vector<Step> path(std::int32_t to = -1);
    // The execution at its end; none where that takes too many events, or `stop` says so.
    std::optional<Trace> witness(bool deadlock, std::int32_t state, std::function<bool()> stop);

    // The states that cover everything that can be reached, in words that need no numbers: see `invariant` in _core.pyi.
    struct Atom {
        Ideals::Kind kind;
        std::vector<std::vector<std::int64_t>> letters;
    };
    struct Covering {
        std::vector<std::int32_t> nodes;
        std::vector<std::int64_t> memory;
        std::int32_t broken = 0, block = 0;         // as in Space
        std::vector<std::int64_t> pin, before;
        std::vector<std::vector<Atom>> pasts;
        std::vector<std::tuple<int, int, std::vector<Atom>>> buffers;  // thread, cell
        std::vector<std::tuple<int, std::vector<std::int32_t>, std::vector<Atom>>> families;  // thread, cells
        std::vector<std::pair<int, int>> held;                         // thread, cell
        std::vector<std::int32_t> gone;                                // as in Space
    };
    std::vector<Covering> invariant() const;

private:
    struct Record {
        std::int32_t parent = -1, depth = 0;
        std::int32_t loop = -1;  // an ancestor: the state has been accelerated from there
        std::uint64_t cut_pasts = 0, cut_buffers = 0;
        std::uint32_t moves = 0, moves_end = 0;
        bool exact = true, covered = false;
    };

    End explore(double seconds, std::int64_t limit);
    bool begin();
    void clear();
    void add(std::int32_t parent, const Space::Successor& s);
    bool covers(const std::int32_t* large, const std::int32_t* small);
    bool accelerate(Record& record, Space::State& state);
    bool repeat(const Space::State& now, std::int32_t ancestor, std::uint64_t cut_pasts, std::uint64_t cut_buffers,
                Space::State& result);
    bool widen(Space::State& state);
    std::uint64_t key(const std::int32_t* state) const;
    std::uint64_t letters(const std::int32_t* state);
    bool same_place(const std::int32_t* a, const std::int32_t* b) const;
    int largeness(const Space::State& state) const;
    void note_outcome(const Space::State& state);
    const std::int32_t* state(std::int32_t n) const { return states_.data() + static_cast<std::size_t>(n) * space_->size(); }
    std::vector<Atom> atoms_of(std::int32_t word, bool stores) const;

    static constexpr int ANCESTORS = 60;  // that a state is compared with; now and then all, for loops with long rounds

    Automata automata_;
    Ideals ideals_;
    Options options_;
    std::optional<Space> space_;
    End end_ = End::BUDGET;
    bool started_ = false, end_exact_ = true;
    std::int32_t cut_ = -1;
    std::int64_t live_ = 0, visited_ = 0, accelerated_ = 0, restart_at_ = 0;
    std::int32_t goal_ = -1;
    std::pair<int, int> racing_{-1, -1};
    std::vector<std::int32_t> states_;  // size() numbers each
    std::vector<Record> records_;
    std::vector<Move> moves_;
    struct Kept {
        std::int32_t number;
        std::uint64_t letters;
    };
    std::unordered_map<std::uint64_t, std::vector<Kept>> places_;  // by their keys: the states to keep
    std::priority_queue<std::pair<int, std::int32_t>> open_;  // states to go on from: how large, and ~number
    std::vector<std::vector<char>> wrote_;  // per thread and cell: a mark was made, while looking back
    std::vector<Move> added_;               // of the state that is being added
    std::unordered_map<std::vector<std::int64_t>, std::int32_t, HashVector> outcomes_;
};

}  // namespace xgen::symbolic
