// Classes of executions with the same events and the same reads-from, each visited once: a write joins the graph without a
// place in modification order, of which only what follows is known. Part of resolve.hpp.
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
    explicit Classes(const Classes<V>& other) : Classes(other.task_) { order_ = Order<W>(other.order_); }
    Classes(const Classes& other) : Classes(other.task_) { order_ = other.order_; }

    // An event has joined the graph: what follows for modification order. False where the model forbids the graph. `whole`:
    // no other event follows before the graph is one to be checked.
    bool join(Graph<W>& graph, int slot, bool whole);
    // The write of a read-modify-write is about to join with its read, or its read is, where the write has joined before.
    bool join_behind(Graph<W>& graph, int source, int write) { return order_.join_behind(graph, source, write); }
    int mark() const { return order_.mark(); }
    void take_back(Graph<W>& graph, int mark) { order_.take_back(graph, mark); }

    // Whether each class that the graph leads to is one of another graph but for the names of threads.
    bool is_another(const Graph<W>& graph, const Threads<W>& threads) const {
        return symmetry_.any() && symmetry_.drops(graph, threads);
    }
    // No thread adds to the graph any more: its orders are to be looked for, if it is the one of its orbit.
    void open(const Graph<W>& graph, const Threads<W>& threads) {
        const std::int64_t orbit = symmetry_.any() ? symmetry_.orbit(graph, threads) : 1;
        if (orbit > 0) orders_.open(graph, threads, orbit);
    }
    Orders<W>& orders() { return orders_; }
    bool busy() const { return orders_.busy(); }

private:
    template <int V>
    friend class Classes;

    const Task& task_;
    Order<W> order_;
    Bounds<W> bounds_;
    Orders<W> orders_;
    Symmetry<W> symmetry_;
};

template <int W>
bool Classes<W>::join(Graph<W>& graph, int slot, bool whole) {
    const Event& event = graph.events[slot];
    if (event.kind == EventKind::WRITE && graph.mo_previous[slot] < 0 && !order_.join(graph, slot)) return false;
    return !whole || (bounds_.begin(graph) && saturate(graph, order_, bounds_, false));
}

}  // namespace xgen
