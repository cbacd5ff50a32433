// Is there a run that an automaton accepts? One depth-first search for a strongly connected part that has all marks.
//
// Source: J.-M. Couvreur, "On-the-fly verification of linear temporal logic", FM 1999. Marks stand on transitions
// (transition-based generalised Buechi automata), so that fairness costs a bit for each process and buffer, and no copy of
// the states.
#pragma once

#include "store.hpp"

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

    // What is found, and how, does not depend on the number of workers.
    Emptiness(System system, Automaton automaton, int workers);

    // Search on, for so many seconds and up to so many states. EMPTY says as well that nothing goes wrong, even after it is
    // decided that no run is accepted.
    End run(double seconds, std::size_t limit);
    // What the last run came to.
    End end() const { return end_; }

    struct Moment {
        Step step;  // that leads here
        std::vector<Word> state;
    };
    // After ACCEPTED: the shortest way to the part, and from there a cycle with all marks; no cycle where the way decides
    // already, for it goes on fairly in some way. After FAULT: the way to it.
    std::vector<Moment> prefix() const { return prefix_; }
    std::vector<Moment> cycle() const { return cycle_; }

    std::size_t states() const { return states_; }
    std::size_t product() const { return nodes_; }
    std::size_t transitions() const { return transitions_; }
    const Buffers& buffers() const { return store_.buffers(); }
    bool waited() const { return waited_; }  // some process had to wait for room in its buffer
    bool doubtful() const { return doubtful_; }  // some step may be none of the model
    Fault fault() const { return fault_; }
    int culprit() const { return culprit_; }

private:
    static constexpr std::size_t AHEAD = 4;          // states that there may be for each that the search has met
    static constexpr std::size_t SHORT = 200'000;  // pairs that are looked at to find a shorter way

    struct Edge {
        std::int64_t to;
        std::uint64_t marks;
    };
    struct Taken : Edge {
        Step step;
    };
    struct Frame {
        std::int64_t node;
        std::size_t first, next;  // of its edges in edges_, those after the last one's
    };
    struct Root {
        std::int32_t number;
        std::uint64_t inside, before;
    };

    std::int64_t automata() const { return static_cast<std::int64_t>(automaton_.edges.size()); }
    std::vector<Word> state(std::int64_t node) { return store_.state(static_cast<std::int32_t>(node / automata())); }
    template <class Use>
    bool expand(std::int64_t node, Use&& use);
    End enter(std::int64_t node, std::uint64_t marks);
    enum class Where : std::uint8_t { ANYWHERE, SEEN, INSIDE };
    template <class Goal>
    std::vector<Taken> way(std::int64_t from, Where where, std::size_t most, Goal&& goal);
    template <class Goal>
    std::vector<Taken> prefix(Goal&& goal);
    void meet(std::int32_t number);
    void allow(std::size_t limit);
    void show(std::vector<Moment>& moments, const std::vector<Taken>& edges);
    bool accepts_all(std::int64_t node) const;
    bool is_inside(std::int64_t node) const { return !roots_.empty() && order_[node] >= roots_.back().number; }
    End search(double seconds, std::size_t limit);
    End look_on(double seconds, std::size_t limit);
    End found(End end);
    void find_lasso(End end);

    System system_;
    Automaton automaton_;
    Store store_;
    std::uint64_t all_;
    std::size_t states_ = 0, nodes_ = 0, transitions_ = 0;
    enum class Met : std::uint8_t { NO, MET, EXPANDED };
    std::vector<Met> met_;             // states
    std::vector<std::int32_t> order_;  // per node: 0 not seen, -1 left for good, else its number
    std::vector<Frame> stack_;
    std::vector<Edge> edges_;
    std::vector<std::int64_t> live_;
    std::vector<Root> roots_;
    std::int32_t last_ = 0;
    std::int64_t faulty_ = -1;
    bool plain_ = false;  // the automaton has said all that it has to say: what is left are states, as nodes of its first state
    bool looks_on_;       // something may go wrong there
    std::vector<std::int32_t> left_;  // states in the order in which they were met; some are expanded
    End end_ = End::BUDGET;
    bool waited_ = false, doubtful_ = false;
    Fault fault_ = Fault::NONE;
    int culprit_ = -1;
    std::vector<Moment> prefix_, cycle_;
};

}  // namespace xgen::states
