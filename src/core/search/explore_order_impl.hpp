// Whether a program has load buffering, where the model allows it. Part of explore_impl.hpp.
//
// Revisits build what has no cycle in po u rf. Other executions of the model there are only if in one of these graphs a
// write is added of which a read in its (po u rf)-prefix may come later, so that the read could read from it: the search
// halts there (`Settings::in_order`), and threads run ahead instead. docs/explorer.md has the argument, and of which models
// and programs it holds; src/xgen/memory/statics/in_order.py and src/xgen/engine/graphs/in_order.py see to that.
#pragma once

#include "explore.hpp"

namespace xgen {

//----------------------------------------------------------------------------------------------------------------------
// may_be_read_before: whether a read of another thread that is before a write in po u rf might read from it.
//
// Input   write: the graph's last event, of which the checker has just made a step.
// Output  whether no path leads from such a read of its cell to the write by what threads do in order (Plan::order) and by
//         reads-from between threads. What the read of an update reads from leads to no event here: it may read anew.
//----------------------------------------------------------------------------------------------------------------------
template <int W>
bool Explorer<W>::may_be_read_before(const Context<W>& context, int write) const {
    const Graph<W>& graph = context.graph;
    const Event& event = graph.events[write];
    const int update = event.rmw ? graph.at(event.thread, event.index - 1) : -1;
    const Bits prefix = po_prefix(graph, update >= 0 ? graph.events[update] : event);
    Bits left;
    ((graph.cell_bits[event.cell] & prefix) - graph.thread_bits[event.thread]).each([&](int e) {
        if (graph.events[e].kind == EventKind::READ) left.set(e);
    });
    if (!left.any()) return false;
    Bits before = checker_.ordered_before_last();
    if (update >= 0) {
        before |= checker_.ordered_before(context.kept, update);
        before.reset(update);
    }
    for (Bits seen = before; before.any() && left.any();) {
        const int e = before.last();
        before.reset(e);
        left.reset(e);
        Bits more = checker_.ordered_before(context.kept, e);
        const Event& earlier = graph.events[e];
        if (earlier.kind == EventKind::READ && graph.events[earlier.rf].thread != earlier.thread) more.set(earlier.rf);
        before |= more - seen;
        seen |= more;
    }
    return left.any();
}

// There may be load buffering. A violation that has been found counts all the same.
template <int W>
void Explorer<W>::buffers() {
    if (confirming_ < 0) halt(Halt::BUFFERING);
}

}  // namespace xgen
