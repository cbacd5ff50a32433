// Threads that wait. Part of explore_impl.hpp.
//
// A thread that waits is blocked where it has seen all that it can (threads_waiting_impl.hpp). If a read of its last round
// does not read the last write of its cell, that is a detour: no fair run stays there, and no execution that counts for
// anything has the graph in it. Two rules keep the search from detours, and leave all other executions as they are.
//
// 1. A thread that would be blocked by reading the last write steps after all others (`would_wait`). TruSt takes any thread
//    that can step, as long as the graph alone decides which.
//
// 2. A graph in which a thread has come to wait is dropped where its last read reads what another write had overtaken before
//    (`waits_in_vain`). Let r be the read, w what it reads from, m the other write: after w in modification order, and no
//    silent update, one that writes what it reads. All graphs that are reached from there have r, w and m as they are:
//    - r is in the prefix of no other thread's event, since its thread has written nothing after it and does not end. So a
//      revisit of r, or of what was added before it, drops r or reads anew in its place, and counts only where r was added
//      maximally. But m was added before r; or r was revisited by w when m was there, and then m was added before r or is in
//      w's prefix, and in that of each write in whose prefix w is. So r is not maximal, whichever write asks.
//    - A revisit of what was added after r keeps m where m was added before r; else it keeps w, which r reads from, with
//      its prefix.
//    Nor do reads of the thread change that come before r: to revisit one drops r. So each execution from there has a thread
//    that is blocked, after a read that m has overtaken: it is not complete, and not stuck. (Only of the last read: one
//    behind it, which reads the last write, can be revisited, and then the thread goes on.)
//    What other threads do wrong, another execution shows, with the thread's last round taken away, and then added again
//    behind all else, reading last writes: the model is extensible where this exploration is taken. That has to be so of
//    flags, too, and no flag may tell of the reads of the round themselves: `Settings::detours` says for which cells.
//
// Where threads are like each other (like.hpp), neither is done: one thread waits for the other to step, and reads are in
// prefixes where nothing reads from them.
#pragma once

#include "explore.hpp"

namespace xgen {

// Whether threads of a program may wait, where that is looked at.
template <int W>
bool Explorer<W>::may_wait() const {
    const auto& code = task_.code;
    const bool loops = std::ranges::any_of(code.live, [](const auto& locals) { return !locals.empty(); });
    const bool locks = std::ranges::any_of(code.rmws, [](const auto& rmw) { return rmw.kind == RmwKind::LOCK; });
    return !like_.any() && ((task_.settings.waiting && loops) || locks);
}

// Whether a thread that is at an event would be blocked, waiting, if it read the last write of the cell.
template <int W>
bool Explorer<W>::would_wait(int thread, const ThreadState& state) {
    const Instruction& i = task_.code.instructions[state.pc];
    const bool lock = i.op == Op::RMW && task_.code.rmws[i.c].kind == RmwKind::LOCK;
    if (state.writing || (!lock && (!task_.settings.waiting || task_.code.live[state.pc].empty()))) return false;
    Graph<W>& graph = top().graph;
    Event event = threads_.next_event(graph, thread, state);
    if (event.kind != EventKind::READ) return false;
    const int write = graph.mo_last[event.cell];
    threads_.set_read_class(event, graph.events[write].value);
    if (event.rmw) return false;
    const int read = graph.add(event, {});
    graph.set_rf(read, write);
    threads_.run_on(graph, read, event.pc + 1);
    const bool waits = graph.states[read].status == Status::BLOCKED && graph.states[read].round >= 0;
    graph.clear_rf(read);
    graph.remove_last();
    return waits;
}

// Whether the option that a frame has just taken is a detour, so that it need not be explored.
template <int W>
bool Explorer<W>::is_detour(const Frame<W>& frame) const {
    if (task_.settings.detours.empty() || confirming_ >= 0 || halted()) return false;
    const Graph<W>& graph = contexts_[depth_ - 1]->graph;
    if (frame.step == Step::REVISIT) return waits_in_vain(graph, graph.events[frame.read].thread, frame.read);
    return waits_in_vain(graph, frame.event.thread, -1);
}

// Whether a thread is blocked, and the last read of its last round reads what another write has overtaken, which was there
// before the read. `revisited`: the read that got its write last, of which that is so of all writes; -1: there is none.
template <int W>
bool Explorer<W>::waits_in_vain(const Graph<W>& graph, int thread, int revisited) const {
    const ThreadState& state = threads_.state_of(graph, thread);
    if (state.status != Status::BLOCKED || state.round < 0) return false;
    bool overtaken = false;
    for (int k = state.round; k < graph.length(thread); ++k) {
        const int e = graph.at(thread, k);
        const Event& event = graph.events[e];
        if (event.kind == EventKind::WRITE || task_.code.instructions[event.pc].op == Op::MEET) return false;
        if (event.kind != EventKind::READ) continue;
        if (!task_.settings.detours[event.cell]) return false;
        overtaken = false;
        for (int w = graph.mo_next[event.rf]; w >= 0 && !overtaken; w = graph.mo_next[w])
            overtaken = (w < e || e == revisited) && !graph.is_silent(w);
    }
    return overtaken;
}

}  // namespace xgen
