// Adding events to graphs, and running threads from one to the next. Part of explore.cpp.
#pragma once

#include "explore.hpp"

namespace xgen {

// How far a violating graph is extended to show that it is part of a whole execution that the model allows.
constexpr std::int64_t CONFIRMING_STEPS = 10'000;

template <int W>
int Explorer<W>::add(Context<W>& context, const Frame<W>& frame) {
    Graph<W>& graph = context.graph;
    int e = graph.add(frame.event, class_sets(frame.event.event_class), base_prefix(graph, frame));
    if (graph.tracking) {
        graph.addr[e] = frame.addr;
        graph.data[e] = frame.data;
        graph.ctrl[e] = frame.ctrl;
    }
    if (graph.forks) fork(graph, e);
    return e;
}

// Program order across threads: what a thread does comes after its start, and before what follows a join.
template <int W>
void Explorer<W>::fork(Graph<W>& graph, int e) const {
    const Event& event = graph.events[e];
    if (event.thread < 0) return;
    for (int before : po_previous(graph, event)) {
        if (before < 0) continue;
        graph.po_before[e] |= graph.po_before[before];
        graph.po_before[e].set(before);
    }
    const Instruction& i = search_->code.instructions[event.pc];
    if (i.op == Op::START && graph.starts[i.a] < 0) graph.starts[i.a] = e;
}

// The events right before this one in program order, -1 for none: the one before it in its thread, or the start of the
// thread; and for a join, the last one of the thread that has ended.
template <int W>
std::array<int, 2> Explorer<W>::po_previous(const Graph<W>& graph, const Event& event) const {
    const Instruction& i = search_->code.instructions[event.pc];
    return {event.index > 0 ? graph.at(event.thread, event.index - 1) : graph.starts[event.thread],
            i.op == Op::JOIN ? graph.last(i.a) : -1};
}

// What the next event of the frame's thread depends on.
template <int W>
void Explorer<W>::find_dependencies(const Graph<W>& graph, Frame<W>& frame) const {
    frame.addr = frame.data = frame.ctrl = {};
    const int thread = frame.event.thread, last = graph.last(thread);
    if (last < 0) return;
    auto set = [&](int number) {
        Bits r;
        const std::uint64_t* words = graph.taint_of(last) + static_cast<std::size_t>(number) * W;
        for (int k = 0; k < W; ++k)
            for (std::uint64_t rest = words[k]; rest; rest &= rest - 1)
                r.set(graph.threads[thread][64 * k + std::countr_zero(rest)]);
        return r;
    };
    const int locals = search_->code.threads[thread].locals;
    frame.ctrl = set(Taint::control(locals));
    if (frame.event.kind != EventKind::FENCE) frame.addr = set(Taint::address(locals));
    if (frame.event.kind == EventKind::WRITE || frame.event.kind == EventKind::CHOICE)
        frame.data = set(Taint::data(locals));
}

// The prefix that the base order gives to the frame's event.
template <int W>
Row<W> Explorer<W>::base_prefix(const Graph<W>& graph, const Frame<W>& frame) const {
    const Event& event = frame.event;
    Bits direct;
    if (load_buffering_) {
        direct = frame.addr | frame.data | frame.ctrl;
        if (event.rmw && event.kind == EventKind::WRITE) direct.set(graph.at(event.thread, event.index - 1));
    } else {
        for (int previous : po_previous(graph, event))
            if (previous >= 0) direct.set(previous);
    }
    Bits all = direct;
    direct.each([&](int d) { all |= graph.prefix[d]; });
    return all;
}

template <int W>
Row<W> Explorer<W>::base_prefix(const Graph<W>& graph, int slot) const {
    Frame<W> frame;
    frame.event = graph.events[slot];
    if (graph.tracking) {
        frame.addr = graph.addr[slot];
        frame.data = graph.data[slot];
        frame.ctrl = graph.ctrl[slot];
    }
    return base_prefix(graph, frame);
}

template <int W>
void Explorer<W>::remove(Context<W>& context) {
    if (context.graph.forks)
        for (std::int32_t& start : context.graph.starts)
            if (start == context.graph.size() - 1) start = -1;
    context.graph.remove_last(class_sets(context.graph.events.back().event_class));
}

// Checks the graph with event e, of which `present` is the rest; keeps e's pairs where the graph is consistent.
// Returns the number of a constraint that fails, or -1.
template <int W>
int Explorer<W>::check_step(Context<W>& context, int e, const Bits& present) {
    int broken = in_situ_.step(context.graph, context.kept, e, present);
    if (broken >= 0) return broken;
    in_situ_.commit(context.kept, e);
#ifdef XGEN_ASSERT
    Bits all = present;
    all.set(e);
    // Recomputing costs the square of the size: large graphs run the same code.
    if (context.graph.size() <= 100 && !in_situ_.verify(context.graph, context.kept, all)) std::abort();
#endif
    broken = in_situ_.whole(context.graph, context.kept);
    if (broken >= 0) in_situ_.withdraw(context.kept, e);
    return broken;
}

template <int W>
ThreadState Explorer<W>::state_of(const Graph<W>& graph, int thread, const std::int64_t*& locals) const {
    int last = graph.last(thread);
    locals = last >= 0 ? graph.locals_of(last) : initial_locals_.data() + static_cast<std::size_t>(thread) * stride_;
    return last >= 0 ? graph.states[last] : initial_states_[thread];
}

// The state of a thread before its event `index`.
template <int W>
ThreadState Explorer<W>::state_before(const Graph<W>& graph, int thread, int index, const std::int64_t*& locals) const {
    int previous = graph.at(thread, index - 1);
    locals = previous >= 0 ? graph.locals_of(previous)
                           : initial_locals_.data() + static_cast<std::size_t>(thread) * stride_;
    return previous >= 0 ? graph.states[previous] : initial_states_[thread];
}

// The dependencies of a thread right after an event of which the local `target` gets the value.
template <int W>
Taint Explorer<W>::taint_after(Graph<W>& graph, int slot, int target) const {
    const Event& event = graph.events[slot];
    const int locals = search_->code.threads[event.thread].locals;
    std::uint64_t* words = graph.taint_of(slot);
    int previous = graph.at(event.thread, event.index - 1);
    if (previous >= 0)
        std::copy_n(graph.taint_of(previous), graph.taint_words(), words);
    else
        std::fill_n(words, graph.taint_words(), 0);
    auto set = [&](int number) { return words + static_cast<std::size_t>(number) * W; };
    const std::uint64_t bit = 1ULL << (event.index & 63);
    if (target >= 0) {
        std::fill_n(set(target), W, 0);
        set(target)[event.index >> 6] |= bit;
    }
    // Which edge was chosen decides what comes; so do the bounds of a havoc.
    std::uint64_t* control = set(Taint::control(locals));
    if (event.kind == EventKind::CHOICE) {
        const std::uint64_t* bounds = set(Taint::data(locals));
        if (target < 0) control[event.index >> 6] |= bit;
        for (int k = 0; target >= 0 && k < W; ++k) control[k] |= bounds[k];
    }
    return {words};
}

// An exclusive load reserves its cell, a store exclusive gives it back. Which cell that is depends on the load's address.
template <int W>
void Explorer<W>::reserve(const Event& event, std::int64_t* locals, Taint taint) const {
    const int cell = search_->code.threads[event.thread].reservation, index = cell + 1;
    locals[cell] = event.exclusive ? event.cell + 1 : 0;
    locals[index] = event.exclusive ? event.index : 0;
    if (!taint.words) return;
    const int address = Taint::address(search_->code.threads[event.thread].locals);
    for (int k = 0; k < W; ++k)
        taint.words[static_cast<std::size_t>(cell) * W + k] =
            event.exclusive ? taint.words[static_cast<std::size_t>(address) * W + k] : 0;
}

// Runs the thread on from an event that was added, or reads another value now: over the events that follow it already,
// up to the first that is missing. An event behind a hole has to wait.
template <int W>
void Explorer<W>::run_from(Context<W>& context, int slot, std::int32_t pc) {
    const Graph<W>& graph = context.graph;
    const int thread = graph.events[slot].thread;
    if (graph.events[slot].index >= graph.frontier[thread]) return;
    run_after(context, slot, pc);
    for (int k = graph.events[slot].index + 1; k < graph.frontier[thread]; ++k) {
        const int s = graph.threads[thread][k];
        const ThreadState& before = graph.states[graph.threads[thread][k - 1]];
        if (is_error(before.status)) {  // nothing follows it any more
            context.graph.states[s] = before;
            continue;
        }
        if (graph.events[s].kind == EventKind::CHOICE) {
            const Instruction& i = search_->code.instructions[graph.events[s].pc];
            std::int32_t next = graph.events[s].pc + 1;
            if (i.op == Op::CHOOSE) {
                const std::int64_t* locals;
                const ThreadState state = state_before(graph, thread, k, locals);
                next = machine_.enabled(thread, state, locals)[graph.events[s].value];
            }
            run_after(context, s, next);
        } else {
            run_after(context, s, graph.events[s].pc + 1);
        }
    }
}

// Whether the thread has come back to where it was, with the same locals as far as they matter, and has written nothing
// since: nothing new can follow. At a choice, it must not have had any event since.
template <int W>
bool Explorer<W>::is_waiting(const Graph<W>& graph, int slot, const ThreadState& state) const {
    const bool choice = state.status == Status::CHOICE;
    if (!choice && (state.status != Status::EVENT || state.writing)) return false;
    const int thread = graph.events[slot].thread;
    const auto& live = search_->code.live[state.pc];
    if (!choice && (live.empty() || !search_->settings.waiting)) return false;
    const std::int64_t *now = graph.locals_of(slot), *then;
    auto same = [&] {
        if (choice) return std::equal(now, now + search_->code.threads[thread].locals, then);
        return std::all_of(live.begin() + 1, live.end(), [&](int local) { return now[local] == then[local]; });
    };
    for (int k = graph.events[slot].index; k >= 0; --k) {
        const Event& event = graph.events[graph.threads[thread][k]];
        if (choice ? event.kind != EventKind::CHOICE : event.kind == EventKind::WRITE) return false;
        if (state_before(graph, thread, k, then).pc == state.pc && same()) return true;
    }
    return false;
}

// Runs the thread of the event in `slot` from instruction pc on, from the state before the event.
template <int W>
void Explorer<W>::run_after(Context<W>& context, int slot, std::int32_t pc) {
    Graph<W>& graph = context.graph;
    const Event& event = graph.events[slot];
    const int thread = event.thread;
    const std::int64_t* before;
    ThreadState state = state_before(graph, thread, event.index, before);
    std::int64_t* locals = graph.locals_of(slot);
    std::copy(before, before + stride_, locals);
    const Instruction& i = search_->code.instructions[event.pc];
    const bool reads = event.kind == EventKind::READ || i.op == Op::HAVOC;
    if (reads && i.dst >= 0) locals[i.dst] = event.value;
    if (i.op == Op::STOREX) locals[i.dst] = 0;
    Taint taint;
    if (graph.tracking) taint = taint_after(graph, slot, reads || i.op == Op::STOREX ? i.dst : -1);
    if (i.op == Op::LOADX || i.op == Op::STOREX) reserve(event, locals, taint);
    if (event.kind == EventKind::CHOICE) {
        ++state.choices;
    } else {
        ++state.events;
        state.choices = 0;
    }
    if (i.op == Op::RMW && event.kind == EventKind::READ) {
        machine_.run_rmw(thread, state, event.value, locals, taint);
    } else {
        state.writing = false;
        state.pc = pc;
        machine_.run(thread, state, locals, taint);
    }
    if (state.writing)
        pending_ = thread;
    else if (pending_ == thread)
        pending_ = -1;
    if (is_waiting(graph, slot, state)) state.status = Status::BLOCKED;
    graph.states[slot] = state;
    if (state.status == Status::RUNAWAY) {
        search_->culprit = state.pc;
        halt(Halt::RUNAWAY);
    }
}

// The current option of `frame` is in the graph, as event e, and the graph is consistent.
template <int W>
bool Explorer<W>::arrive(Frame<W>& frame, int e, std::int32_t pc) {
    Context<W>& context = top();
    frame.added = true;
    frame.first = false;
    ++search_->counters.explored;
    pending_ = -1;
    if (frame.step == Step::REVISIT) run_from(context, frame.read, context.graph.events[frame.read].pc + 1);
    run_from(context, e, pc);
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
    if (search_->settings.all_states || confirming_ >= 0 || load_buffering_) return;
    if (!search_->plan.final.whole_checks.empty()) return;
    search_->witness = trace(top().graph, false);
    confirming_ = CONFIRMING_STEPS;
}

}  // namespace xgen
