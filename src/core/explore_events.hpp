// Adding events to graphs, and running threads from one to the next. Part of explore.cpp.
#pragma once

#include "explore.hpp"

namespace xgen {

// How far a violating graph is extended to show that it is part of a whole execution that the model allows.
constexpr std::int64_t CONFIRMING_STEPS = 10'000;

template <int W>
int Explorer<W>::add(Context<W>& context, const Frame<W>& frame) {
    Graph<W>& graph = context.graph;
    int e = graph.add(frame.event, po_prefix(graph, frame.event));
    if (frame.event.kind != EventKind::CHOICE) graph.show(e, class_sets(frame.event.event_class));
    if (graph.tracking) {
        graph.addr[e] = frame.addr;
        graph.data[e] = frame.data;
        graph.ctrl[e] = frame.ctrl;
    }
    if (graph.forks) this->fork(graph, e);
    return e;
}

template <int W>
void Explorer<W>::find_dependencies(const Graph<W>& graph, Frame<W>& frame) const {
    auto [addr, data, ctrl] = this->dependencies(graph, frame.event);
    frame.addr = addr;
    frame.data = data;
    frame.ctrl = ctrl;
}

// The (po u rf)-prefix of an event before it reads.
template <int W>
Row<W> Explorer<W>::po_prefix(const Graph<W>& graph, const Event& event) const {
    Bits all;
    for (int previous : po_previous(graph, event)) {
        if (previous < 0) continue;
        all |= graph.prefix[previous];
        all.set(previous);
    }
    return all;
}

// Runs the thread on from the event in `slot`.
template <int W>
void Explorer<W>::go_on(Context<W>& context, int slot, std::int32_t pc) {
    this->run_after(context.graph, slot, pc);
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
    ++search_->counters.explored;
    pending_ = -1;
    if (frame.step == Step::REVISIT) go_on(context, frame.read, context.graph.events[frame.read].pc + 1);
    go_on(context, e, pc);
    arrived_ = true;
    const Graph<W>& graph = context.graph;
    const std::int64_t* locals;
    if (is_error(state_of(graph, graph.events[e].thread, locals).status) ||
        (frame.step == Step::REVISIT && is_error(state_of(graph, graph.events[frame.read].thread, locals).status)))
        found_violation();
    return true;
}

// Where every constraint is checked in situ, and forbids no maximal step, a consistent graph is part of a consistent
// whole execution; a few steps on confirm it. Otherwise the violation counts when the execution is whole.
template <int W>
void Explorer<W>::found_violation() {
    if (search_->settings.all_states || confirming_ >= 0 || !search_->plan.final.whole_checks.empty()) return;
    this->raised_.clear();
    this->rounds_.clear();
    search_->witness = this->trace(top().graph, false);
    confirming_ = CONFIRMING_STEPS;
}

}  // namespace xgen
