// Classes of executions with the same events and the same reads-from, each visited once: a write joins the graph without a
// place in modification order, of which only what follows is known. For resolve.hpp.
#pragma once

#include "graph/order.hpp"
#include "model/bounds.hpp"
#include "orders.hpp"
#include "symmetry.hpp"

namespace xgen {

template <int W>
class Classes {
public:
    using Bits = Row<W>;

    explicit Classes(const Task& task) : task_(task), bounds_(task.plan.in_situ), orders_(task), symmetry_(task) {}
    // The same, for graphs of another width.
    template <int V>
    explicit Classes(const Classes<V>& other) : Classes(other.task_) {
        order_ = Order<W>(other.order_);
        last_ = other.last_;
    }
    Classes(const Classes& other) : Classes(other.task_) {
        order_ = other.order_;
        last_ = other.last_;
    }

    // An event has joined the graph: what follows for modification order. False where the model forbids the graph. `whole`:
    // no other event follows before the graph is one to be checked.
    bool join(Graph<W>& graph, int slot, bool whole);
    // The write of a read-modify-write is about to join with its read, or its read is, where the write has joined before.
    bool join_behind(Graph<W>& graph, int source, int write) { return order_.join_behind(graph, source, write); }
    int mark() const { return order_.mark(); }
    void take_back(Graph<W>& graph, int mark) { order_.take_back(graph, mark); }

    // Whether each of the reads of a graph can read from one of the writes that it may read from, as far as is seen, but for
    // those that are open. What was found is tried first the next time, all of it at once: mostly it still serves. Orders the
    // choices, and says what was found.
    bool possible(Graph<W>& graph, std::vector<Choice<W>>& choices);
    // Whether each class that the graph leads to is one of another graph but for the names of threads. `observed`: reads
    // that are not part of the graph, but of the class.
    bool is_another(const Graph<W>& graph, const Threads<W>& threads, const Bits& observed) const {
        return symmetry_.any() && symmetry_.drops(graph, threads, observed);
    }
    // No thread adds to the graph any more: what its reads read from, and its orders, are to be looked for, if it is the one
    // of its orbit.
    void open(const Graph<W>& graph, const Threads<W>& threads, const Bits& observed, const std::vector<Choice<W>>& choices) {
        const std::int64_t orbit = symmetry_.any() ? symmetry_.orbit(graph, threads, observed) : 1;
        if (orbit > 0) orders_.open(graph, threads, choices, orbit);
    }
    Orders<W>& orders() { return orders_; }
    bool busy() const { return orders_.busy(); }
    // The work since it was asked for last.
    std::int64_t take_work() { return bounds_.take_work() + orders_.take_work() + symmetry_.take_work(); }
    // What was possible last, from which what is possible next is guessed: who goes back to an earlier graph gives what it
    // was there, so that what a graph costs does not depend on which were visited before it.
    const std::vector<std::int32_t>& last() const { return last_; }
    void go_back(const std::vector<std::int32_t>& last) { last_ = last; }

private:
    template <int V>
    friend class Classes;

    bool follows(Graph<W>& graph) { return bounds_.begin(graph) && saturate(graph, order_, bounds_, false); }
    bool choose_again(Graph<W>& graph, const std::vector<Choice<W>>& choices);
    bool choose(Graph<W>& graph, const std::vector<Choice<W>>& choices, std::size_t k);
    bool try_source(Graph<W>& graph, const std::vector<Choice<W>>& choices, std::size_t k, int write);

    const Task& task_;
    Order<W> order_;
    Bounds<W> bounds_;
    Orders<W> orders_;
    Symmetry<W> symmetry_;
    std::vector<std::int32_t> last_;   // by slot of a read: what it has read from when that was possible last
    std::vector<std::int32_t> again_;  // room to work in
    std::vector<Choice<W>> rest_;
};

template <int W>
bool Classes<W>::join(Graph<W>& graph, int slot, bool whole) {
    const Event& event = graph.events[slot];
    if (event.kind == EventKind::WRITE && graph.mo_previous[slot] < 0 && !order_.join(graph, slot)) return false;
    return !whole || follows(graph);
}

template <int W>
bool Classes<W>::possible(Graph<W>& graph, std::vector<Choice<W>>& choices) {
    std::ranges::sort(choices, {}, [](const Choice<W>& c) { return std::tuple(c.open, c.writes.count(), c.read); });
    last_.resize(std::max<std::size_t>(last_.size(), graph.size()), -1);
    if (!choose_again(graph, choices) && !choose(graph, choices, 0)) return false;
    for (Choice<W>& choice : choices) {
        const int last = last_[choice.read];
        choice.found = last >= 0 && choice.writes.test(last) ? last : -1;
    }
    return true;
}

// The same with what was found last, where that is one of the writes; only the others are chosen.
template <int W>
bool Classes<W>::choose_again(Graph<W>& graph, const std::vector<Choice<W>>& choices) {
    const int mark = order_.mark();
    again_.clear();
    rest_.clear();
    bool good = true;
    for (const Choice<W>& choice : choices) {
        const int last = last_[choice.read];
        if (last < 0 || !choice.writes.test(last)) {
            rest_.push_back(choice);
        } else if (good) {
            again_.push_back(choice.read);
            good = read_from(task_, graph, order_, choice.read, last);
        }
    }
    good = good && again_.size() > 1 && (rest_.empty() ? follows(graph) : choose(graph, rest_, 0));
    for (std::int32_t read : again_) read_from_nothing(task_, graph, read);
    order_.take_back(graph, mark);
    return good;
}

template <int W>
bool Classes<W>::choose(Graph<W>& graph, const std::vector<Choice<W>>& choices, std::size_t k) {
    if (k == choices.size()) return true;
    const Choice<W>& choice = choices[k];
    const int last = last_[choice.read];
    if (last >= 0 && choice.writes.test(last) && try_source(graph, choices, k, last)) return true;
    for (Bits rest = choice.writes; rest.any();) {
        const int write = rest.first();
        rest.reset(write);
        if (write == last || !try_source(graph, choices, k, write)) continue;
        last_[choice.read] = write;
        return true;
    }
    return choice.open && choose(graph, choices, k + 1);
}

template <int W>
bool Classes<W>::try_source(Graph<W>& graph, const std::vector<Choice<W>>& choices, std::size_t k, int write) {
    const int mark = order_.mark(), read = choices[k].read;
    const bool good = read_from(task_, graph, order_, read, write) && follows(graph) && choose(graph, choices, k + 1);
    read_from_nothing(task_, graph, read);
    order_.take_back(graph, mark);
    return good;
}

}  // namespace xgen
