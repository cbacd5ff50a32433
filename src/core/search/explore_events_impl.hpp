// Adding events to graphs, and running threads from one to the next. Part of explore_impl.hpp.
#pragma once

#include "explore.hpp"

namespace xgen {

// How far a violating graph is extended to show that it is part of a whole execution that the model allows.
constexpr std::int64_t CONFIRMING_STEPS = 10'000;

template <int W>
int Explorer<W>::add(Context<W>& context, const Frame<W>& frame) {
    Graph<W>& graph = context.graph;
    int e = graph.add(frame.event, po_prefix(graph, frame.event));
    if (frame.event.kind != EventKind::CHOICE) checker_.show(graph, e);
    if (graph.tracking) {
        graph.addr[e] = frame.addr;
        graph.data[e] = frame.data;
        graph.ctrl[e] = frame.ctrl;
    }
    if (graph.forks) threads_.link(graph, e);
    return e;
}

template <int W>
void Explorer<W>::find_dependencies(const Graph<W>& graph, Frame<W>& frame) const {
    auto [addr, data, ctrl] = threads_.dependencies(graph, frame.event);
    frame.addr = addr;
    frame.data = data;
    frame.ctrl = ctrl;
}

// The prefix of an event before it reads: in the base order u rf.
template <int W>
Row<W> Explorer<W>::po_prefix(const Graph<W>& graph, const Event& event) const {
    Bits all = like_.before(graph, event.thread, event.index);
    auto follow = [&](int previous) {
        if (previous < 0) return;
        all |= graph.prefix[previous];
        all.set(previous);
    };
    for (int previous : threads_.po_previous(graph, event)) follow(previous);
    if (graph.forks || task_.code.gathers) threads_.each_met(graph, event, follow);
    return all;
}

// Runs the thread on from the event in `slot`.
template <int W>
void Explorer<W>::go_on(Context<W>& context, int slot, std::int32_t pc) {
    threads_.run_on(context.graph, slot, pc);
    halt_at(context.graph.states[slot]);
    if (threads_.waits_by_chance()) buffers();
    const int thread = context.graph.events[slot].thread;
    if (context.graph.states[slot].writing)
        pending_ = thread;
    else if (pending_ == thread)
        pending_ = -1;
}

// The current option of `frame` is in the graph, as event e, and the graph is consistent.
template <int W>
bool Explorer<W>::arrive(Frame<W>& frame, int e, std::int32_t pc) {
    Context<W>& context = top();
    frame.added = true;
    frame.first = false;
    pending_ = -1;
    if (frame.step == Step::REVISIT) go_on(context, frame.read, context.graph.events[frame.read].pc + 1);
    go_on(context, e, pc);
    arrived_ = true;
    const Graph<W>& graph = context.graph;
    auto fails = [&](int slot) { return is_error(threads_.state_of(graph, graph.events[slot].thread).status); };
    if (fails(e) || (frame.step == Step::REVISIT && fails(frame.read)))
        found_violation();
    return true;
}

// Where every constraint is checked in situ, and forbids no maximal step, a consistent graph is part of a consistent
// whole execution; a few steps on confirm it. Otherwise the violation counts when the execution is whole.
template <int W>
void Explorer<W>::found_violation() {
    if (task_.settings.all_states || confirming_ >= 0 || !task_.plan.final.whole_checks.empty()) return;
    findings_->witness = recorder_.witness(top().graph, threads_);
    confirming_ = CONFIRMING_STEPS;
}

}  // namespace xgen
