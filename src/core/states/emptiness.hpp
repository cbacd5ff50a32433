// Is there a run that an automaton accepts? One depth-first search for a strongly connected part that has all marks.
//
// Source: J.-M. Couvreur, "On-the-fly verification of linear temporal logic", FM 1999. Marks stand on transitions
// (transition-based generalised Buechi automata), so that fairness costs a bit for each process and buffer, and no copy of
// the states.
#pragma once

#include "packing.hpp"
#include "system.hpp"

namespace xgen::states {

struct Automaton {
    struct Edge {
        std::uint64_t holds = 0, fails = 0;  // propositions
        std::int32_t to = 0;
        std::uint64_t marks = 0;
    };
    std::vector<std::vector<Edge>> edges;  // per state; state 0 is the first
    int marks = 0;

    // Whether all runs are accepted from there on: what has happened so far decides.
    bool accepts_all(std::int32_t state) const {
        for (const Edge& e : edges[state])
            if (e.to == state && !e.holds && !e.fails && e.marks == (1ULL << marks) - 1) return true;
        return false;
    }
};

class Emptiness {
public:
    enum class End : std::uint8_t { BUDGET, EMPTY, ACCEPTED, FAULT, STATES };

    Emptiness(System system, Automaton automaton);

    // Search on, for so many seconds and up to so many states.
    End run(double seconds, std::size_t limit);

    struct Moment {
        Step step;  // that leads here
        std::vector<Word> state;
    };
    // After ACCEPTED: the shortest way to the part, and from there a cycle with all marks; no cycle where the way decides
    // already, for it goes on fairly in some way. After FAULT: the way to it.
    std::vector<Moment> prefix() const { return prefix_; }
    std::vector<Moment> cycle() const { return cycle_; }

    std::size_t states() const { return shown_states_ ? shown_states_ : count_; }
    std::size_t product() const { return nodes_; }
    std::size_t transitions() const { return transitions_; }
    const Successors& successors() const { return successors_; }

private:
    static constexpr std::size_t SHORT = 200'000;  // pairs that are looked at to find a shorter way

    struct Edge {
        std::int64_t to;
        std::uint64_t marks;
        Step step;
    };
    struct Frame {
        std::int64_t node;
        std::vector<Edge> edges;
        std::size_t next = 0;
    };
    struct Slot {
        std::uint32_t tag = 0;  // the lower bits of it are the place where a state is looked for first
        std::int32_t number = -1;
    };
    struct Root {
        std::int32_t number;
        std::uint64_t inside, before;
    };

    void intern(const std::vector<Word>& states, std::vector<std::int32_t>& numbers);
    std::int32_t intern(const Word* state, const std::uint8_t* packed, std::uint32_t tag);
    void grow();
    std::vector<Word> state(std::int64_t node) const;
    bool expand(std::int64_t node, std::vector<Edge>& edges);
    End enter(std::int64_t node, std::uint64_t marks);
    enum class Where : std::uint8_t { ANYWHERE, SEEN, INSIDE };
    template <class Goal>
    std::vector<Edge> way(std::int64_t from, Where where, std::size_t most, Goal&& goal);
    template <class Goal>
    std::vector<Edge> prefix(Goal&& goal);
    void show(std::vector<Moment>& moments, const std::vector<Edge>& edges) const;
    bool accepts_all(std::int64_t node) const;
    bool is_inside(std::int64_t node) const { return !roots_.empty() && order_[node] >= roots_.back().number; }
    End found(End end);
    void find_lasso(End end);

    System system_;
    Automaton automaton_;
    Successors successors_;
    std::uint64_t all_;
    int words_;
    std::size_t count_ = 0, nodes_ = 0, transitions_ = 0;
    Packing packing_;
    std::vector<std::uint8_t> arena_;  // packed states, one after the other
    std::vector<Slot> table_;
    std::vector<std::uint64_t> holds_;   // propositions, per state
    std::vector<std::int32_t> order_;    // per node: 0 not seen, -1 left for good, else its number
    std::vector<Frame> stack_;
    std::vector<std::int64_t> live_;
    std::vector<Root> roots_;
    std::int32_t last_ = 0;
    std::int64_t faulty_ = -1;
    std::size_t shown_states_ = 0;
    std::vector<Step> steps_;
    std::vector<Word> here_, after_;
    std::vector<std::uint8_t> packed_;
    std::vector<std::uint32_t> tags_;
    std::vector<std::int32_t> numbers_;
    std::vector<Moment> prefix_, cycle_;
};

}  // namespace xgen::states
