// Whole executions: what is counted and kept of them.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "calls.hpp"
#include "graph/graph.hpp"
#include "leaks.hpp"
#include "model/evaluate.hpp"
#include "search.hpp"
#include "threads.hpp"

namespace xgen {

template <int W>
class Recorder {
public:
    explicit Recorder(const Task& task)
        : task_(task), final_(task.plan.final, task.plan.class_steps), flags_(task.plan.flags, task.plan.class_steps), calls_(task),
          leaks_(task.settings.leaks),
          asserts_(std::ranges::any_of(task.code.instructions, [](const auto& i) { return i.op == Op::ASSERT; })),
          indivisible_(std::ranges::any_of(task.code.instructions, [](const auto& i) { return i.part > 0; }) ||
                       std::ranges::any_of(task.code.threads, [](const auto& thread) { return thread.block >= 0; })) {}
    // The same recorder, for graphs of another width.
    template <int V>
    explicit Recorder(const Recorder<V>& other) : Recorder(other.task_) {}

    bool finish(const Graph<W>& graph, const Kept<W>* kept, const Threads<W>& threads, WorkerFindings& findings,
                std::int64_t count = 1);
    // A graph with a violation, which need not be whole.
    Trace witness(const Graph<W>& graph, const Threads<W>& threads);
    // The work since it was asked for last.
    std::int64_t take_work() { return final_.take_work() + flags_.take_work(); }

private:
    template <int V>
    friend class Recorder;

    // How the threads of a whole graph have ended: at least one like this.
    struct Ends {
        bool bounded = false, blocked = false, error = false;
        bool mixed = false;     // an access cannot be followed
        bool deadlock = false;  // all that are blocked wait for mutexes that stay held
        bool stuck = false;     // threads wait for ever, and no other goes on
    };
    Ends look_at_threads(const Graph<W>& graph, const Threads<W>& threads, WorkerFindings& findings);
    bool shows_unfinished(const Graph<W>& graph, const Threads<W>& threads) const;
    int unfinished_from(const Graph<W>& graph, const Threads<W>& threads, int thread) const;
    void find_rounds(const Graph<W>& graph, const Threads<W>& threads);
    int last_round(const Graph<W>& graph, int thread, const ThreadState& state) const;
    bool may_store(const Event& event) const;
    bool is_at_lock(const Graph<W>& graph, int thread) const;
    bool is_lock(const Event& event) const;
    bool is_stuck(const Graph<W>& graph, int thread, int round) const;

    void put_outcome(const Graph<W>& graph, const Threads<W>& threads, WorkerFindings& findings);
    Judgement judge_outcome(WorkerFindings& findings, Outcomes::Entry*& entry) const;
    void keep(const Graph<W>& graph, const Threads<W>& threads, bool deadlock, WorkerFindings& findings);
    static std::uint64_t hash(const Graph<W>& graph);
    std::int32_t depth_of(const Graph<W>& graph, const Threads<W>& threads, int thread) const;
    Trace trace(const Graph<W>& graph, const Threads<W>& threads, bool deadlock) const;
    static void relate(const Graph<W>& graph, const Threads<W>& threads, Trace& trace);

    const Task& task_;
    Evaluator<W> final_, flags_;
    Calls<W> calls_;
    LeakFinder leaks_;
    const bool asserts_;  // the program has assertions, of which executions tell which they come to
    const bool indivisible_;  // it has atomic blocks, or accesses of several parts
    // Of the graph that is looked at: the flags that it raises, by constraint; and where it is stuck, per thread, where the
    // last round starts in which it waits (ThreadState::round), -1: it does not wait.
    std::vector<std::int32_t> raised_, rounds_;
    std::vector<std::int32_t> leaked_;  // its blocks of memory that nothing leads to at the end
};

//----------------------------------------------------------------------------------------------------------------------
// finish: records a graph to which no thread adds any more.
//
// Input   kept: what is kept in situ of the graph, or null. count: the executions that this one stands for.
// Output  whether the search is to end: there is a violation, and one is enough, or an access that cannot be followed.
// Before  All constraints that are checked on the way hold; those of the plan's `final` are checked here.
// After   `findings` counts the execution, with its outcome, its flags and what is wrong with it; one that the model
//         forbids counts for nothing, but what the bound has cut is noted: its continuation may be allowed.
//----------------------------------------------------------------------------------------------------------------------
template <int W>
bool Recorder<W>::finish(const Graph<W>& graph, const Kept<W>* kept, const Threads<W>& threads, WorkerFindings& findings,
                         std::int64_t count) {
    const Settings& settings = task_.settings;
    Counters& counters = findings.counters;
    Ends ends = look_at_threads(graph, threads, findings);
    if (indivisible_ && (ends.bounded || ends.blocked) && shows_unfinished(graph, threads)) return false;
    if (final_.whole(graph, {}) >= 0) return false;
    if (ends.mixed) return true;
    for (int t = 0; asserts_ && t < graph.thread_count(); ++t)
        if (threads.is_started(graph, t)) findings.reached |= threads.state_of(graph, t).reached;
    if (ends.stuck && settings.lasting && !settings.lasting(trace(graph, threads, ends.deadlock))) {
        ends.stuck = false;
        rounds_.clear();
    }
    const bool ended = !ends.bounded && !ends.blocked;
    if (ended) put_outcome(graph, threads, findings);
    leaked_.clear();
    if (settings.leaks.asked() && ended && !ends.error) leaked_ = leaks_.look(graph);
    Outcomes::Entry* outcome = nullptr;
    const Judgement judged = ended && settings.judge          ? judge_outcome(findings, outcome)
                             : settings.filtered && !ended ? Judgement::LEFT_OUT
                                                           : Judgement::COUNTS;
    raised_.clear();
    if (judged != Judgement::LEFT_OUT) flags_.failing(graph, kept, [&](int number) { raised_.push_back(number); });
    findings.flags.resize(task_.plan.constraints);
    for (int number : raised_) findings.flags[number] += count;
    auto raised = [&](int flag) { return std::ranges::find(raised_, flag) != raised_.end(); };
    const bool violation = ends.error || ends.deadlock || judged == Judgement::FORBIDDEN ||
                           (!leaked_.empty() && judged != Judgement::LEFT_OUT) ||
                           (ends.stuck && settings.liveness) || std::ranges::any_of(settings.undefined, raised) ||
                           ((!ends.blocked || ends.stuck) && std::ranges::any_of(settings.demanded, raised));
    (ends.bounded ? counters.bounded : ends.blocked ? counters.blocked : counters.executions) += count;
    counters.violations += violation ? count : 0;
    counters.stuck += ends.stuck ? count : 0;
    for (int t = 0; t < static_cast<int>(rounds_.size()); ++t)
        if (rounds_[t] >= 0) findings.waits.insert(threads.state_of(graph, t).pc);
    if (outcome) {
        outcome->count += count;
        outcome->violations += violation ? count : 0;
    } else if (ended && !settings.judge) {
        findings.outcomes.count_later(count, violation ? count : 0);
    }
    keep(graph, threads, ends.deadlock, findings);
    if (violation && findings.witness.ends.empty()) findings.witness = trace(graph, threads, ends.deadlock);
    return violation && !settings.all_states;
}

template <int W>
typename Recorder<W>::Ends Recorder<W>::look_at_threads(const Graph<W>& graph, const Threads<W>& threads, WorkerFindings& findings) {
    Ends ends;
    bool waiting = false, stuck = true;
    for (int t = 0; t < graph.thread_count(); ++t) {
        const ThreadState& state = threads.state_of(graph, t);
        const Status status = state.status;
        if (status == Status::ENDED || !threads.is_started(graph, t)) continue;
        if (stands(status) && !threads.may_step(graph, t, state)) {
            ends.blocked = true;  // it joins one that has not ended, or meets one that has not come: what matters is why
            waiting |= meets(task_.code.instructions[state.pc]);
        } else if (stands(status) || status == Status::CUT) {
            ends.bounded = true;
            findings.cuts.insert(state.pc);
        }
        ends.error |= is_error(status);
        ends.mixed |= status == Status::MIXED;
        if (status != Status::BLOCKED) continue;
        ends.blocked = true;
        stuck = stuck && is_stuck(graph, t, last_round(graph, t, state));
        (stuck && is_at_lock(graph, t) ? ends.deadlock : waiting) = true;
    }
    ends.deadlock = ends.deadlock && !waiting && !ends.bounded;
    ends.stuck = stuck && ends.blocked && !ends.bounded && !ends.error;
    rounds_.clear();
    if (ends.stuck) find_rounds(graph, threads);
    return ends;
}

// Whether a read sees what another thread has not finished: an atomic block, or a write of several parts, in which the bound
// stopped it, or an assume. Others see all of that or nothing, so the graph is the beginning of no execution. Where nobody
// sees it, the graph without it is one, with the same violations, and counts. (Of a thread that has failed itself, what it
// has done counts.)
template <int W>
bool Recorder<W>::shows_unfinished(const Graph<W>& graph, const Threads<W>& threads) const {
    Row<W> unfinished;
    for (int t = 0; t < graph.thread_count(); ++t)
        for (int k = unfinished_from(graph, threads, t); k < graph.length(t); ++k) unfinished.set(graph.at(t, k));
    bool shown = false;
    unfinished.each([&](int e) {
        if (graph.events[e].kind == EventKind::WRITE) shown |= (graph.readers[e] - unfinished).any();
    });
    return shown;
}

// The index of the first event of what a thread stands in the middle of; where it does not, the number of its events.
template <int W>
int Recorder<W>::unfinished_from(const Graph<W>& graph, const Threads<W>& threads, int thread) const {
    const ThreadState& state = threads.state_of(graph, thread);
    const int length = graph.length(thread), block = task_.code.threads[thread].block;
    if (state.status == Status::ENDED || has_failed(state.status) || !threads.is_started(graph, thread)) return length;
    if (block >= 0 && threads.locals_of(graph, thread)[block] != 0)
        return static_cast<int>(threads.locals_of(graph, thread)[block]) - 1;
    if (task_.code.instructions[state.pc].part == 0) return length;
    int first = length - 1;
    while (first > 0 && graph.events[graph.at(thread, first)].part > 0) --first;
    return first;
}

template <int W>
void Recorder<W>::find_rounds(const Graph<W>& graph, const Threads<W>& threads) {
    for (int t = 0; t < graph.thread_count(); ++t) {
        const ThreadState& state = threads.state_of(graph, t);
        const bool waits = state.status != Status::ENDED && threads.is_started(graph, t);
        const bool joins = stands(state.status);
        rounds_.push_back(!waits ? -1 : joins ? graph.length(t) : last_round(graph, t, state));
    }
}

// ---- threads that wait ----

// Whether a thread that waits has found a mutex that is held.
template <int W>
bool Recorder<W>::is_at_lock(const Graph<W>& graph, int thread) const {
    const int last = graph.last(thread);
    return last >= 0 && graph.events[last].kind == EventKind::READ && is_lock(graph.events[last]);
}

// Of a blocked thread that waits, where its last round starts, else -1: it is cut by an assume that does not hold, or by a
// location without a way out. Where it could have written, a store exclusive which fails for no reason, it does not wait:
// that does not go on for ever. (One that succeeds writes what has been there.)
template <int W>
int Recorder<W>::last_round(const Graph<W>& graph, int thread, const ThreadState& state) const {
    for (int k = state.round; k >= 0 && k < graph.length(thread); ++k) {
        const int next = graph.at(thread, k + 1);
        const bool stores = next >= 0 && graph.writes_again(next);
        if (!stores && may_store(graph.events[graph.at(thread, k)])) return -1;
    }
    return state.round;
}

// Whether a read is that of an update that takes a mutex, or tries to.
template <int W>
bool Recorder<W>::is_lock(const Event& event) const {
    const Code& code = task_.code;
    const Instruction& i = code.instructions[event.pc];
    return i.op == Op::RMW && code.rmws[i.c].kind == RmwKind::LOCK;
}

// Whether the event is a choice between success and failure of a store exclusive.
template <int W>
bool Recorder<W>::may_store(const Event& event) const {
    const Code& code = task_.code;
    const Instruction& i = code.instructions[event.pc];
    if (event.kind != EventKind::CHOICE || i.op != Op::CHOOSE) return false;
    return std::ranges::any_of(code.targets[i.c], [&](std::int32_t pc) {
        for (;; ++pc) {
            const Op op = code.instructions[pc].op;
            if (op != Op::JMP && op != Op::JZ && operation(op).kind > OpKind::TEST) return op == Op::STOREX;
        }
    });
}

// Whether a thread whose last round starts at `round` (-1: it does not wait) waits for ever unless somebody writes: that
// round reads nothing but last writes, and so can all rounds that follow. (It may take mutexes, and gives them back.) In fair runs each does: no write is hidden from a
// thread for ever (Lahav, Namakonov, Oberhauser, Podkopaev, Vafeiadis: Making Weak Memory Models Fair, OOPSLA 2021). What
// failed test-and-sets have written is no news.
template <int W>
bool Recorder<W>::is_stuck(const Graph<W>& graph, int thread, int round) const {
    if (round < 0) return false;
    for (int k = round; k < graph.length(thread); ++k) {
        const Event& event = graph.events[graph.at(thread, k)];
        if (event.kind != EventKind::READ || (event.rmw && !graph.is_silent(graph.at(thread, k + 1)))) continue;
        if (graph.origin(event.rf) != graph.origin(graph.mo_last[event.cell])) return false;
    }
    return true;
}

// ---- what is kept ----

// Gives the outcomes the final state, which is counted by what it leads to there or later.
template <int W>
void Recorder<W>::put_outcome(const Graph<W>& graph, const Threads<W>& threads, WorkerFindings& findings) {
    const Settings& settings = task_.settings;
    Outcomes& outcomes = findings.outcomes;
    findings.settle(settings);
    findings.paused |= static_cast<std::int64_t>(outcomes.size()) >= settings.outcome_pause;
    outcomes.begin();
    for (int t = 0; t < graph.thread_count(); ++t) {
        if (settings.shown[t].empty()) continue;
        const std::int64_t* locals = threads.locals_of(graph, t);
        for (int local : settings.shown[t]) outcomes.put(locals[local]);
    }
    for (int cell : settings.shown_cells) outcomes.put(graph.events[graph.mo_last[cell]].value);
    if (settings.call_ends.empty()) return;
    for (std::int64_t word : calls_.words(graph)) outcomes.put(word);
}

// What the program's requirement says of the final state; `entry` becomes its own, or stays null where there are too many.
template <int W>
Judgement Recorder<W>::judge_outcome(WorkerFindings& findings, Outcomes::Entry*& entry) const {
    const Settings& settings = task_.settings;
    entry = findings.outcomes.entry(settings.outcome_limit);
    findings.outcomes_complete &= entry != nullptr;
    if (entry && entry->count > 0) return entry->judgement;
    const Judgement judgement = settings.judge(findings.outcomes.given());
    if (entry) entry->judgement = judgement;
    return judgement;
}

// Keeps the execution as far as so many are asked for: its hash, and its trace.
template <int W>
void Recorder<W>::keep(const Graph<W>& graph, const Threads<W>& threads, bool deadlock, WorkerFindings& findings) {
    const Settings& settings = task_.settings;
    Counters& counters = findings.counters;
    if (counters.duplicates_checked < settings.duplicate_limit) {
        ++counters.duplicates_checked;
        counters.duplicates += !findings.seen.insert(hash(graph));
    }
    if (static_cast<std::int64_t>(findings.traces.size()) >= settings.trace_limit) return;
    findings.traces.push_back(trace(graph, threads, deadlock));
    if (!settings.call_ends.empty()) findings.traces.back().calls = calls_.words(graph);
    findings.paused |= settings.stream && static_cast<std::int64_t>(findings.traces.size()) == settings.trace_limit;
}

template <int W>
std::uint64_t Recorder<W>::hash(const Graph<W>& graph) {
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
std::int32_t Recorder<W>::depth_of(const Graph<W>& graph, const Threads<W>& threads, int thread) const {
    const ThreadState& state = threads.state_of(graph, thread);
    if (state.status == Status::CHOICE && threads.may_step(graph, thread, state))
        return std::numeric_limits<std::int32_t>::max();
    if (state.status == Status::EVENT && threads.may_step(graph, thread, state))
        return state.events + events_of(task_.code.instructions[state.pc]);
    std::int32_t events = 0;
    bool half = false;
    for (int k = 0; k < graph.length(thread); ++k) {
        const Event& event = graph.events[graph.at(thread, k)];
        const Instruction& i = task_.code.instructions[event.pc];
        if (event.kind == EventKind::CHOICE || events_of(i) == 0) continue;
        half = event.kind == EventKind::READ && i.op == Op::RMW;
        ++events;
    }
    return events + half;
}

template <int W>
Trace Recorder<W>::witness(const Graph<W>& graph, const Threads<W>& threads) {
    raised_.clear();
    rounds_.clear();
    leaked_.clear();
    return trace(graph, threads, false);
}

template <int W>
Trace Recorder<W>::trace(const Graph<W>& graph, const Threads<W>& threads, bool deadlock) const {
    Trace trace;
    trace.rounds = rounds_;
    trace.deadlock = deadlock;
    trace.flags = raised_;
    trace.leaked = leaked_;
    trace.hash = hash(graph);
    for (int s = 0; s < graph.size(); ++s) {
        const Event& event = graph.events[s];
        if (graph.visible.test(s))
            trace.events.push_back({event, s});
        else if (event.thread >= 0 && task_.code.instructions[event.pc].op == Op::GATHER)
            trace.gathered.push_back(event.pc);
    }
    for (int cell = 0; cell < graph.cells; ++cell) {
        auto& order = trace.mo.emplace_back();
        for (int w = cell; w >= 0; w = graph.mo_next[w]) order.push_back(w);
    }
    for (int t = 0; t < graph.thread_count(); ++t) {
        const std::int64_t* locals = threads.locals_of(graph, t);
        trace.ends.push_back(threads.state_of(graph, t));
        if (!threads.is_started(graph, t)) trace.ends.back().status = Status::UNSTARTED;
        trace.locals.emplace_back(locals, locals + task_.code.threads[t].locals);
        trace.depth = std::max(trace.depth, depth_of(graph, threads, t));
    }
    relate(graph, threads, trace);
    for (int t = 0; t < graph.thread_count(); ++t) {
        const int last = graph.last(t);
        if (!graph.tracking || last < 0 || !is_error(trace.ends[t].status)) continue;
        const Row<W> decided = graph.depended_on(last, Taint::control(task_.code.threads[t].locals)) & graph.visible;
        decided.each([&](int e) { trace.decided.push_back(e); });
    }
    return trace;
}

// The relations of a trace that do not follow from its events.
template <int W>
void Recorder<W>::relate(const Graph<W>& graph, const Threads<W>& threads, Trace& trace) {
    for (const auto& [event, slot] : trace.events) {
        // (Behind an error, a write may be there without its read.)
        if (event.rmw && event.kind == EventKind::WRITE && graph.visible.test(graph.at(event.thread, event.index - 1)))
            trace.rmw.emplace_back(graph.at(event.thread, event.index - 1), slot);
        if (event.partner >= 0) trace.rmw.emplace_back(graph.at(event.thread, event.partner), slot);
        if (graph.tracking) {
            auto add = [&, slot = slot](auto& pairs, NodeOp op) {
                (Evaluator<W>::sources(graph, op, slot) & graph.visible).each([&](int d) { pairs.emplace_back(d, slot); });
            };
            add(trace.addr, NodeOp::ADDR);
            add(trace.data, NodeOp::DATA);
            add(trace.ctrl, NodeOp::CTRL);
            add(trace.pick_addr, NodeOp::PICK_ADDR);
            add(trace.pick_data, NodeOp::PICK_DATA);
            add(trace.pick_ctrl, NodeOp::PICK_CTRL);
        }
        if (!graph.forks || event.thread < 0) continue;
        auto follow = [&, slot = slot](int before) {
            while (before >= 0 && graph.events[before].kind == EventKind::CHOICE)
                before = threads.po_previous(graph, graph.events[before])[0];
            if (before >= 0 && graph.events[before].thread != event.thread) trace.forks.emplace_back(before, slot);
        };
        for (int before : threads.po_previous(graph, event)) follow(before);
        threads.each_met(graph, event, follow);
    }
}

}  // namespace xgen
