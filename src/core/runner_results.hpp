// Whole executions: what is counted and kept of them.
#pragma once

#include "runner.hpp"

namespace xgen {

template <int W>
bool Runner<W>::is_at_lock(const ThreadState& state) const {
    const Instruction& i = search_->code.instructions[state.pc];
    return i.op == Op::RMW && search_->code.rmws[i.c].kind == RmwKind::LOCK;
}

// Of a blocked thread that waits, where its last round starts (see rounds_), else -1: it is cut by an assume that does not
// hold, or by a location without a way out. A lock is tried once in a round.
template <int W>
int Runner<W>::last_round(const Graph<W>& graph, int thread, const ThreadState& state) const {
    if (state.spinning) return graph.length(thread);
    return is_at_lock(state) ? graph.length(thread) - 1 : start_of_round(graph, thread, state);
}

// The last place where a thread was as it is now, in all that matters; it has written nothing since. Where the thread
// could have written, a store exclusive which fails for no reason, it does not wait: that does not go on for ever.
template <int W>
int Runner<W>::start_of_round(const Graph<W>& graph, int thread, const ThreadState& state) const {
    const ThreadCode& code = search_->code.threads[thread];
    const auto& live = search_->code.live[state.pc];
    const std::int64_t *now, *then;
    state_of(graph, thread, now);
    // The number of an atomic block is no matter where it has just started.
    auto same = [&](int local, int index) {
        if (local == code.block && now[local] == state.index + 1) return then[local] == index + 1;
        return now[local] == then[local];
    };
    for (int k = graph.length(thread) - 1; k >= 0; --k) {
        const Event& event = graph.events[graph.at(thread, k)];
        if (changes(graph, graph.at(thread, k)) || may_store(event)) break;
        if (event.kind == EventKind::WRITE) continue;
        if (state_before(graph, thread, k, then).pc != state.pc) continue;
        bool all = code.block < 0 || same(code.block, k);
        if (live.empty())
            for (int local = 0; local < code.locals && all; ++local) all = same(local, k);
        for (std::size_t n = 1; n < live.size() && all; ++n) all = same(live[n], k);
        if (all) return k;
    }
    return -1;
}

// Whether the event is a choice between success and failure of a store exclusive.
template <int W>
bool Runner<W>::may_store(const Event& event) const {
    const Code& code = search_->code;
    const Instruction& i = code.instructions[event.pc];
    if (event.kind != EventKind::CHOICE || i.op != Op::CHOOSE) return false;
    return std::ranges::any_of(code.targets[i.c], [&](std::int32_t pc) {
        for (;; ++pc) {
            const Op op = code.instructions[pc].op;
            if (op != Op::JMP && op != Op::JZ && operation(op).kind > OpKind::TEST) return op == Op::STOREX;
        }
    });
}

// Whether a thread that waits does so for ever unless somebody writes: its last round reads nothing but last writes, and
// so can all rounds that follow. In fair runs each does: no write is hidden from a thread for ever (Lahav, Namakonov,
// Oberhauser, Podkopaev, Vafeiadis: Making Weak Memory Models Fair, OOPSLA 2021).
// What failed test-and-sets have written is no news.
template <int W>
bool Runner<W>::is_stuck(const Graph<W>& graph, int thread, int round) const {
    for (int k = round; k < graph.length(thread); ++k) {
        const Event& event = graph.events[graph.at(thread, k)];
        if (event.kind == EventKind::READ && graph.origin(event.rf) != graph.origin(graph.mo_last[event.cell])) return false;
    }
    return true;
}

template <int W>
void Runner<W>::finish(const Graph<W>& graph) {
    Counters& counters = search_->counters;
    bool bounded = false, blocked = false, violation = false, deadlock = false, waiting = false, stuck = true;
    rounds_.assign(graph.thread_count(), -1);
    for (int t = 0; t < graph.thread_count(); ++t) {
        const std::int64_t* locals;
        const ThreadState& state = state_of(graph, t, locals);
        const Status status = state.status;
        if (status == Status::ENDED || !is_started(graph, t)) continue;
        if (status == Status::EVENT && !may_step(graph, t, state)) {
            blocked = true;  // it joins one that has not ended: what matters is why that one has not
            rounds_[t] = graph.length(t);
        } else if (status == Status::EVENT || status == Status::CHOICE || status == Status::CUT) {
            bounded = true;
            search_->cuts.insert(state.pc);
        }
        violation |= is_error(status);
        if (status != Status::BLOCKED) continue;
        blocked = true;
        rounds_[t] = last_round(graph, t, state);
        stuck &= rounds_[t] >= 0 && is_stuck(graph, t, rounds_[t]);
        (stuck && is_at_lock(state) ? deadlock : waiting) = true;
    }
    // Of one that is forbidden, what was cut still counts: its continuation may be allowed.
    if (final_.whole(graph, {}) >= 0) return;
    deadlock = deadlock && !waiting && !bounded;
    stuck &= blocked && !bounded && !violation;
    if (!stuck) rounds_.clear();
    Outcomes::Entry* outcome = nullptr;
    const Judgement judged = bounded || blocked ? Judgement::COUNTS : find_outcome(graph, outcome);
    raised_.clear();
    if (judged != Judgement::LEFT_OUT) flags_.failing(graph, [&](int number) { raised_.push_back(number); });
    counters.flags.resize(search_->plan.constraints);
    for (int number : raised_) ++counters.flags[number];
    auto raised = [&](int flag) { return std::ranges::find(raised_, flag) != raised_.end(); };
    violation |= deadlock || judged == Judgement::FORBIDDEN || std::ranges::any_of(search_->settings.undefined, raised) ||
                 (stuck && search_->settings.liveness);
    ++(bounded ? counters.bounded : blocked ? counters.blocked : counters.executions);
    counters.violations += violation;
    counters.stuck += stuck;
    if (stuck) note_waits(graph);
    if (outcome) {
        ++outcome->count;
        outcome->violations += violation;
    }
    if (counters.duplicates_checked < search_->settings.duplicate_limit) {
        ++counters.duplicates_checked;
        counters.duplicates += !search_->seen.insert(hash(graph));
    }
    if (static_cast<std::int64_t>(search_->traces.size()) < search_->settings.trace_limit) {
        search_->traces.push_back(trace(graph, deadlock));
        search_->paused =
            search_->settings.stream && static_cast<std::int64_t>(search_->traces.size()) == search_->settings.trace_limit;
    }
    if (violation && !search_->settings.all_states) {
        if (confirming_ < 0) search_->witness = trace(graph, deadlock);
        halt(Halt::VIOLATION);
    } else if (violation && search_->witness.ends.empty()) {
        search_->witness = trace(graph, deadlock);
    }
}

// Of a stuck execution: where its threads wait.
template <int W>
void Runner<W>::note_waits(const Graph<W>& graph) {
    const std::int64_t* locals;
    for (int t = 0; t < graph.thread_count(); ++t)
        if (rounds_[t] >= 0) search_->waits.insert(state_of(graph, t, locals).pc);
}

// What the program's requirement says of the final state; `entry` becomes its own, or stays null where there are too many.
template <int W>
Judgement Runner<W>::find_outcome(const Graph<W>& graph, Outcomes::Entry*& entry) {
    const Settings& settings = search_->settings;
    Outcomes& outcomes = search_->outcomes;
    outcomes.begin();
    for (int t = 0; t < graph.thread_count(); ++t) {
        if (settings.shown[t].empty()) continue;
        const std::int64_t* locals;
        state_of(graph, t, locals);
        for (int local : settings.shown[t]) outcomes.put(locals[local]);
    }
    for (int cell : settings.shown_cells) outcomes.put(graph.events[graph.mo_last[cell]].value);
    entry = outcomes.entry(settings.outcome_limit);
    search_->outcomes_complete &= entry != nullptr;
    if (entry && entry->count > 0) return entry->judgement;
    const Judgement judgement = settings.judge ? settings.judge(outcomes.given()) : Judgement::COUNTS;
    if (entry) entry->judgement = judgement;
    return judgement;
}

template <int W>
std::uint64_t Runner<W>::hash(const Graph<W>& graph) const {
    auto name = [&](int slot) {
        const Event& e = graph.events[slot];
        return static_cast<std::uint64_t>(e.thread + 1) << 32 | static_cast<std::uint32_t>(e.index);
    };
    std::uint64_t sum = 0;
    for (int s = graph.cells; s < graph.size(); ++s) {
        const Event& e = graph.events[s];
        if (e.kind != EventKind::CHOICE && !graph.visible.test(s)) continue;
        std::uint64_t detail = e.kind == EventKind::READ    ? name(e.rf)
                               : e.kind == EventKind::WRITE ? name(graph.mo_previous[s])
                                                            : static_cast<std::uint64_t>(e.value);
        sum += mix(mix(name(s) + 0x9e3779b97f4a7c15ULL) ^ detail);
    }
    return mix(sum);
}

// The least bound on its events that does not cut the thread, or keep it from what stopped it: an RMW has room for both of
// its events, even if it fails. Of one that makes choices without end, there is none.
template <int W>
std::int32_t Runner<W>::depth_of(const Graph<W>& graph, int thread) const {
    const std::int64_t* locals;
    const ThreadState& state = state_of(graph, thread, locals);
    if (state.status == Status::CHOICE && is_started(graph, thread)) return std::numeric_limits<std::int32_t>::max();
    if (state.status == Status::EVENT && may_step(graph, thread, state))
        return state.events + events_of(search_->code.instructions[state.pc]);
    std::int32_t events = 0;
    bool half = false;
    for (int k = 0; k < graph.length(thread); ++k) {
        const Event& event = graph.events[graph.at(thread, k)];
        const Instruction& i = search_->code.instructions[event.pc];
        if (event.kind == EventKind::CHOICE || events_of(i) == 0) continue;
        half = event.kind == EventKind::READ && i.op == Op::RMW;
        ++events;
    }
    return events + half;
}

template <int W>
Trace Runner<W>::trace(const Graph<W>& graph, bool deadlock) const {
    Trace trace;
    trace.rounds = rounds_;
    trace.deadlock = deadlock;
    trace.flags = raised_;
    trace.hash = hash(graph);
    for (int s = 0; s < graph.size(); ++s)
        if (graph.visible.test(s)) trace.events.push_back({graph.events[s], s});
    for (int cell = 0; cell < graph.cells; ++cell) {
        auto& order = trace.mo.emplace_back();
        for (int w = cell; w >= 0; w = graph.mo_next[w]) order.push_back(w);
    }
    for (int t = 0; t < graph.thread_count(); ++t) {
        const std::int64_t* locals;
        trace.ends.push_back(state_of(graph, t, locals));
        trace.locals.emplace_back(locals, locals + search_->code.threads[t].locals);
        trace.depth = std::max(trace.depth, depth_of(graph, t));
    }
    relate(graph, trace);
    return trace;
}

// The relations of a trace that do not follow from its events.
template <int W>
void Runner<W>::relate(const Graph<W>& graph, Trace& trace) const {
    for (const auto& [event, slot] : trace.events) {
        if (event.rmw && event.kind == EventKind::WRITE)
            trace.rmw.emplace_back(graph.at(event.thread, event.index - 1), slot);
        if (event.partner >= 0) trace.rmw.emplace_back(graph.at(event.thread, event.partner), slot);
        if (graph.tracking) {
            (graph.addr[slot] & graph.visible).each([&](int d) { trace.addr.emplace_back(d, slot); });
            (graph.data[slot] & graph.visible).each([&](int d) { trace.data.emplace_back(d, slot); });
            (graph.ctrl[slot] & graph.visible).each([&](int d) { trace.ctrl.emplace_back(d, slot); });
        }
        if (!graph.forks || event.thread < 0) continue;
        for (int before : po_previous(graph, event)) {
            while (before >= 0 && graph.events[before].kind == EventKind::CHOICE)
                before = po_previous(graph, graph.events[before])[0];
            if (before >= 0 && graph.events[before].thread != event.thread) trace.forks.emplace_back(before, slot);
        }
    }
}

}  // namespace xgen
