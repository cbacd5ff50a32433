// Threads that run ahead of their reads, and run again when a value is known. Part of resolve_impl.hpp.
#pragma once

#include <algorithm>

#include "resolve.hpp"

namespace xgen {

template <int W>
RmwKind Resolver<W>::kind_of(int update) const {
    return task_.code.rmws[task_.code.instructions[graph_.events[update].pc].c].kind;
}

// Whether a write may come right after this one: not where an update comes that is known to have read it.
template <int W>
bool Resolver<W>::is_place(int write) const {
    return graph_.is_place(write) || !graph_.visible.test(read_of(graph_.mo_next[write]));
}

// Runs each thread to where it depends on what is not known, or decided. False where the graph is full.
template <int W>
bool Resolver<W>::run_ahead() {
    if (stepped_.empty()) return true;
    if (graph_.forks || task_.code.gathers) {
        for (bool changed = true; changed;) {
            const int size = graph_.size();
            for (int t = 0; t < graph_.thread_count(); ++t)
                if (!run_ahead(t)) return false;
            changed = graph_.size() > size;
        }
    } else {
        std::sort(stepped_.begin(), stepped_.end());
        for (int t : stepped_)
            if (!run_ahead(t)) return false;
    }
    stepped_.clear();
    kept_.grow(graph_.size());
    return true;
}

template <int W>
bool Resolver<W>::run_ahead(int thread) {
    while (!halted() && may_run(thread)) {
        if (!has_room()) return false;
        extend(thread, false);
    }
    return true;
}

// Whether a thread stands at an event that it does whatever it reads.
template <int W>
bool Resolver<W>::may_run(int thread) const {
    const ThreadState& state = threads_.state_of(graph_, thread);
    const Instruction& i = task_.code.instructions[state.pc];
    if (state.status != Status::EVENT && (state.status != Status::CHOICE || i.op != Op::GATHER)) return false;
    if (!threads_.may_step(graph_, thread, state) || !threads_.within_bound(state)) return false;
    return i.op != Op::RMW || !may_fail(task_.code.rmws[i.c].kind);
}

// Adds a thread's next event to the known ones; of an RMW, both of them, or its read alone where it fails.
template <int W>
void Resolver<W>::extend(int thread, bool fails) {
    Event event = threads_.next_event(graph_, thread, threads_.state_of(graph_, thread));
    const Instruction& i = task_.code.instructions[event.pc];
    if (i.op == Op::RMW) {
        const RmwCode& rmw = task_.code.rmws[i.c];
        event.rmw = !fails;
        event.event_class = fails ? rmw.failed_class : rmw.read_class;
    }
    const int e = add_known(event);
    run_from(e);
    if (!event.rmw || has_failed(graph_.states[e].status)) return;
    const int write = add_known(threads_.next_event(graph_, thread, threads_.state_of(graph_, thread)));
    run_from(write);
    if (graph_.states[write].status == Status::OPEN && is_success(e)) foreseen_[write] = foresee(e);
}

// Where the thread of an update will stand once it is known what that reads: what it compares with.
template <int W>
std::int32_t Resolver<W>::foresee(int read) {
    const int write = update_of(read);
    trial_.add_copies(graph_, read, 1);
    trial_.add_copies(graph_, write, 1);
    graph_.events[read].value = graph_.events[read].expected;
    set_known(read);
    std::int32_t pc = graph_.states[write].pc;
    if (run_past(read) && graph_.states[read].writing) {
        graph_.events[write].value = graph_.states[read].b;
        if (run_past(write)) pc = graph_.states[write].pc;
    }
    set_unknown(read);
    for (; trial_.size() > 0; trial_.remove_last()) graph_.restore_last(trial_);
    return pc;
}

// Takes an option of the choice at which a thread stands.
template <int W>
void Resolver<W>::choose(int thread, std::int64_t option) {
    Event event = threads_.next_event(graph_, thread, threads_.state_of(graph_, thread));
    event.value = option;
    run_from(add_known(event));
}

// Adds a thread's next event to the known ones.
template <int W>
int Resolver<W>::add_known(const Event& event) {
    const auto [addr, data, ctrl] = threads_.dependencies(graph_, event);
    const int e = graph_.add(event, {});
    graph_.addr[e] = addr;
    graph_.data[e] = data;
    graph_.ctrl[e] = ctrl;
    if (aims_) needs_.push_back(needed_for(e));
    if (graph_.forks) threads_.link(graph_, e);
    excluded_.emplace_back();
    foreseen_.push_back(-1);
    saved_at_.push_back(0);
    if (observes_) add_domain(e);
    switch (event.kind) {
    case EventKind::CHOICE: break;
    case EventKind::FENCE: ahead_.joining.set(e); break;
    case EventKind::WRITE: (event.rmw ? ahead_.updates : ahead_.joining).set(e); break;
    case EventKind::READ:
        ahead_.open.set(e);
        set_unknown(e);
    }
    return e;
}

// Removes the event that was added last.
template <int W>
void Resolver<W>::remove_known() {
    const int last = graph_.size() - 1;
    if (ahead_.unknown.test(last)) set_known(last);
    excluded_.pop_back();
    if (aims_) needs_.pop_back();
    foreseen_.pop_back();
    saved_at_.pop_back();
    checker_.remove(graph_);
}

template <int W>
void Resolver<W>::set_unknown(int slot) {
    const Event& event = graph_.events[slot];
    ahead_.unknown.set(slot);
    unknown_of(event.thread)[word_of(event.index)] |= bit_of(event.index);
}

template <int W>
void Resolver<W>::set_known(int slot) {
    const Event& event = graph_.events[slot];
    ahead_.unknown.reset(slot);
    unknown_of(event.thread)[word_of(event.index)] &= ~bit_of(event.index);
}

// Runs a thread on from one of its events. False where that refutes what was assumed of it. An access that cannot be
// followed ends the search only in an execution (end): what a thread knows here may be what another one only assumes.
template <int W>
bool Resolver<W>::run_from(int slot) {
    const bool good = run_past(slot);
    const ThreadState& state = graph_.states[slot];
    if (state.status != Status::MIXED || state.a < 0) halt_at(state);
    return good;
}

// The same, wherever it ends.
template <int W>
bool Resolver<W>::run_past(int slot) {
    const int thread = graph_.events[slot].thread;
    const std::uint64_t* unknown = unknown_of(thread);
    const bool any = std::any_of(unknown, unknown + W, [](std::uint64_t word) { return word != 0; });
    const int next = graph_.at(thread, graph_.events[slot].index + 1);
    const bool chosen = next >= 0 && graph_.events[next].kind == EventKind::CHOICE;
    const std::int64_t choice = chosen ? graph_.events[next].expected : 0;
    return threads_.run_on(graph_, slot, threads_.pc_after(graph_, slot), any ? unknown : nullptr, choice);
}

//----------------------------------------------------------------------------------------------------------------------
// learn: spreads what is known once a read has a write to read from.
//
// Input   read: it has joined the graph. If the write's value depends on unknown reads, nothing is known yet.
// Output  false where values refute what was assumed of an RMW, a store exclusive or a waiting thread.
// After   true: every read that reads from a write of which the value is known has that value, and its thread has run again
//         from there over its known events (rerun). Each thread that did may run further (`stepped_`).
//----------------------------------------------------------------------------------------------------------------------
template <int W>
bool Resolver<W>::learn(int read) {
    learnt_.clear();
    if (!unknown_sources(graph_.events[read].rf).any()) learnt_.push_back(read);
    while (!learnt_.empty()) {
        const int r = learnt_.back();
        learnt_.pop_back();
        if (!ahead_.unknown.test(r)) continue;
        if (r != read) save(r);
        Event& event = graph_.events[r];
        event.value = graph_.events[event.rf].value;
        set_known(r);
        if (!rerun(r)) return false;
        const std::int32_t* line = graph_.line(event.thread);
        for (int k = event.index + 1; k < graph_.length(event.thread); ++k) {
            if (graph_.events[line[k]].kind != EventKind::WRITE) continue;
            const Bits readers = graph_.readers[line[k]] & ahead_.unknown;
            if (readers.any() && !unknown_sources(line[k]).any())
                readers.each([&](int reader) { learnt_.push_back(reader); });
        }
    }
    return true;
}

//----------------------------------------------------------------------------------------------------------------------
// rerun: runs a thread again from a read, of which the value is known now, over its known events.
//
// Output  false where that refutes what was assumed of one of them.
// Before  The read is saved, as far as it has to be (save), and has its value.
// After   true: each later event has the value, operands and state that it has now; an error is carried to the last of
//         them, and what comes behind it waits for nothing any more. No event is added: see run_ahead.
//----------------------------------------------------------------------------------------------------------------------
template <int W>
bool Resolver<W>::rerun(int read) {
    const int thread = graph_.events[read].thread;
    stepped_.push_back(thread);
    for (int k = graph_.events[read].index; k < graph_.length(thread); ++k) {
        const int e = graph_.line(thread)[k];
        if (e != read) save(e);
        const ThreadState& before = threads_.state_before(graph_, thread, k);
        if (has_failed(before.status)) {  // nothing follows it any more
            if (is_error(before.status) && predicted_cell(graph_.events[e])) return false;
            graph_.states[e] = before;
            const std::int64_t* locals = threads_.locals_before(graph_, thread, k);
            std::copy(locals, locals + graph_.stride, graph_.locals_of(e));
            ahead_.drop(e);
            continue;
        }
        Event& event = graph_.events[e];
        if (mispredicted(event, before)) return false;
        if (event.kind == EventKind::WRITE) event.value = before.b;
        if (event.kind != EventKind::CHOICE) event.expected = before.expected;
        if (is_refuted(e)) return false;
        if (!run_from(e)) return false;
        if (event.kind == EventKind::CHOICE && !meets(task_.code.instructions[event.pc]) && cannot_succeed(graph_.states[e])) return false;
    }
    return true;
}

// Whether an RMW is known to read what it was assumed not to read.
template <int W>
bool Resolver<W>::is_refuted(int read) const {
    const Event& event = graph_.events[read];
    const Instruction& i = task_.code.instructions[event.pc];
    if (event.kind != EventKind::READ || i.op != Op::RMW) return false;
    const RmwKind kind = task_.code.rmws[i.c].kind;
    if (!may_fail(kind) || ahead_.unknown.test(read)) return false;
    return knows_operands(read) && Machine::writes(kind, event.value, event.expected) != event.rmw;
}

// Whether a choice of what was not known is known to be wrong.
template <int W>
bool Resolver<W>::mispredicted(const Event& event, const ThreadState& before) const {
    if (task_.code.instructions[event.pc].op != Op::PREDICT) return false;
    return event.value < before.a || event.value > before.b;
}

// Whether a choice is that of a cell, though there is none.
template <int W>
bool Resolver<W>::predicted_cell(const Event& event) const {
    const Instruction& i = task_.code.instructions[event.pc];
    return i.op == Op::PREDICT && i.c == OF_CELL && event.value != i.b - 1;
}

// Whether an event is the choice of a cell.
template <int W>
bool Resolver<W>::predicts_cell(int slot) const {
    const Instruction& i = task_.code.instructions[graph_.events[slot].pc];
    return i.op == Op::PREDICT && i.c == OF_CELL;
}

// The reads without which an event would not be what it is: a cell that is predicted needs those that turn out to decide it;
// what the program predicts itself it has from then on, whatever that turns out to be.
template <int W>
Row<W> Resolver<W>::needed_for(int slot) const {
    const Event& event = graph_.events[slot];
    const int last = graph_.at(event.thread, event.index - 1), locals = task_.code.threads[event.thread].locals;
    if (last < 0) return {};
    Bits all = graph_.depended_on(last, Taint::control(locals));
    if (event.kind != EventKind::FENCE || event.object >= 0) all |= graph_.depended_on(last, Taint::address(locals));
    if (event.kind == EventKind::WRITE || event.kind == EventKind::CHOICE) all |= graph_.depended_on(last, Taint::data(locals));
    Bits reads;
    all.each([&](int e) {
        if (graph_.events[e].kind == EventKind::READ) reads.set(e);
        if (predicts_cell(e)) reads |= needs_[e];
    });
    return reads;
}

// Whether a read that has got a write to read from is needed for that: no cell that was predicted is its own reason.
template <int W>
bool Resolver<W>::decides_itself(int read) const {
    auto needed = [&](int write) {
        const Event& event = graph_.events[write];
        Bits reads = needs_[write];
        if (event.kind == EventKind::WRITE && event.rmw && !replaces(kind_of(write))) reads.set(read_of(write));
        return reads;
    };
    Bits left = needed(graph_.events[read].rf);
    for (Bits seen = left; left.any();) {
        const int r = left.first();
        if (r == read) return true;
        left.reset(r);
        Bits more = needs_[r];
        if (graph_.events[r].rf >= 0) more |= needed(graph_.events[r].rf);
        left |= more - seen;
        seen |= more;
    }
    return false;
}

// Whether the address of a store exclusive that was assumed to succeed is known not to be the one that is reserved.
template <int W>
bool Resolver<W>::cannot_succeed(const ThreadState& state) const {
    const Instruction& i = task_.code.instructions[state.pc];
    return state.status == Status::BLOCKED && i.op == Op::ASSUME && i.c != 0;
}

// Whether it is known what a thread's event of this index computes with: of an RMW, what its read is compared with.
template <int W>
bool Resolver<W>::knows_next(int thread, int index) const {
    if (index == 0) return true;
    const int locals = task_.code.threads[thread].locals;
    const TaintSets sets{graph_.taint_of(graph_.at(thread, index - 1)), W};
    const std::uint64_t* unknown = unknown_of(thread);
    return !sets.meets(Taint::data(locals), unknown) && !sets.meets(Taint::compared(locals), unknown);
}

}  // namespace xgen
