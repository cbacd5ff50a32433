// Classes of executions with the same events and the same reads-from, each visited once: a write joins the graph without a
// place in modification order, of which only what follows is known. Part of resolve.hpp.
#pragma once

#include "graph/order.hpp"
#include "model/bounds.hpp"
#include "orders.hpp"

namespace xgen {

template <int W>
class Classes {
public:
    using Bits = Row<W>;

    explicit Classes(const Task& task) : task_(task), bounds_(task.plan.in_situ), orders_(task) {}
    // The same, for graphs of another width.
    template <int V>
    explicit Classes(const Classes<V>& other) : task_(other.task_), order_(other.order_), bounds_(task_.plan.in_situ), orders_(task_) {}
    Classes(const Classes& other) : task_(other.task_), order_(other.order_), bounds_(task_.plan.in_situ), orders_(task_) {}

    // An event has joined the graph: what follows for modification order. False where the model forbids the graph. `whole`:
    // no other event follows before the graph is one to be checked.
    bool join(Graph<W>& graph, int slot, bool whole);
    // The write of a read-modify-write is about to join, with its read.
    bool join_behind(Graph<W>& graph, int source, int write) { return order_.join_behind(graph, source, write); }
    int mark() const { return order_.mark(); }
    void take_back(Graph<W>& graph, int mark) { order_.take_back(graph, mark); }

    // The orders of a whole graph.
    Orders<W>& orders() { return orders_; }

private:
    template <int V>
    friend class Classes;

    const Task& task_;
    Order<W> order_;
    Bounds<W> bounds_;
    Orders<W> orders_;
};

template <int W>
bool Classes<W>::join(Graph<W>& graph, int slot, bool whole) {
    const Event& event = graph.events[slot];
    if (event.kind == EventKind::WRITE && !event.rmw && !order_.join(graph, slot)) return false;
    return !whole || (bounds_.begin(graph) && saturate(graph, order_, bounds_, false));
}

}  // namespace xgen
