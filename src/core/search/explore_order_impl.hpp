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

//----------------------------------------------------------------------------------------------------------------------
// would_be_read_before: the same of the write of an update that may fail, whatever it reads.
//
// Input   frame: of the update's read, for which no option was tried yet.
// Why     Where the update is to succeed, another one may have read, in its prefix, what it would have to read: in that graph
//         it fails, and its write is in none. So it is asked what there would be if it had succeeded, with the last write;
//         of that write's order in its thread nothing depends on what the update reads.
//----------------------------------------------------------------------------------------------------------------------
template <int W>
bool Explorer<W>::would_be_read_before(Context<W>& context, Frame<W>& frame) {
    Graph<W>& graph = context.graph;
    Event& event = frame.event;
    const Instruction& i = task_.code.instructions[event.pc];
    if (i.op != Op::RMW) return false;
    const RmwCode& rmw = task_.code.rmws[i.c];
    if (!Machine::may_fail(rmw.kind)) return false;
    const Bits others = (graph.cell_bits[event.cell] & po_prefix(graph, event)) - graph.thread_bits[event.thread];
    if (!(others - graph.mo_bits[event.cell]).any()) return false;
    event.rmw = true;
    event.event_class = rmw.read_class;
    const int read = add(context, frame);
    graph.set_rf(read, graph.mo_last[event.cell]);
    bool found = checker_.step(graph, context.kept, read, Bits::below(read)) >= 0;
    if (!found) {
        threads_.run_on(graph, read, event.pc + 1);
        found = !graph.states[read].writing || write_of_may_be_read_before(context, read);
        checker_.withdraw(graph, context.kept, read);
    }
    graph.clear_rf(read);
    checker_.remove(graph);
    return found;
}

// The same of the write of an update whose read is the graph's last event.
template <int W>
bool Explorer<W>::write_of_may_be_read_before(Context<W>& context, int read) {
    Graph<W>& graph = context.graph;
    const int thread = graph.events[read].thread;
    Frame<W> frame;
    frame.event = threads_.next_event(graph, thread, graph.states[read]);
    if (graph.tracking) find_dependencies(graph, frame);
    const int write = add(context, frame);
    graph.insert_mo(write, graph.events[read].rf);
    const int broken = checker_.step(graph, context.kept, write, Bits::below(write));
    const bool found = may_be_read_before(context, write);
    if (broken < 0) checker_.withdraw(graph, context.kept, write);
    graph.remove_mo(write);
    checker_.remove(graph);
    return found;
}

// There may be load buffering. A violation that has been found counts all the same.
template <int W>
void Explorer<W>::buffers() {
    if (confirming_ < 0) halt(Halt::BUFFERING);
}

}  // namespace xgen
