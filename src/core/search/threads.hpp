// The threads of a graph: where each stands, which event comes next, and what an event does to the thread that has it.
// The machine runs the code; what it needs of the past is in the graph, beside each event.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "graph/graph.hpp"
#include "search.hpp"

namespace xgen {

template <int W>
class Threads {
public:
    using Bits = Row<W>;

    explicit Threads(const Task& task);
    // The same threads, for graphs of another width.
    template <int V>
    explicit Threads(const Threads<V>& other);

    int stride() const { return stride_; }

    // --- where threads stand ---
    // Runs all threads to their first events, or choices. One that never gets there (RUNAWAY or MIXED), or null.
    const ThreadState* start();
    // Whether a thread that runs from the start comes to an error before its first event.
    bool any_error() const;
    const ThreadState& state_of(const Graph<W>& graph, int thread) const { return state_at(graph, thread, graph.last(thread)); }
    const std::int64_t* locals_of(const Graph<W>& graph, int thread) const { return locals_at(graph, thread, graph.last(thread)); }
    // Before its event `index`.
    const ThreadState& state_before(const Graph<W>& graph, int thread, int index) const {
        return state_at(graph, thread, graph.at(thread, index - 1));
    }
    const std::int64_t* locals_before(const Graph<W>& graph, int thread, int index) const {
        return locals_at(graph, thread, graph.at(thread, index - 1));
    }
    bool is_started(const Graph<W>& graph, int thread) const {
        return !task_.code.threads[thread].waits || graph.starts[thread] >= 0;
    }
    // Whether a thread that is at an event has been started, and does not wait for others: for the end of one, or for those
    // that it meets.
    bool may_step(const Graph<W>& graph, int thread, const ThreadState& state) const;
    // Whether the bound allows what a thread stands at, an event or a choice.
    bool within_bound(const ThreadState& state) const;

    // --- the next event ---
    // What a thread does where it stands, at an event or a choice. What an RMW reads decides more (see set_read_class).
    Event next_event(const Graph<W>& graph, int thread, const ThreadState& state) const;
    // An RMW that reads `value` is one event or two, and its read is of one class or another.
    void set_read_class(Event& event, std::int64_t value) const;
    void pair_parts(const Graph<W>& graph, Event& event) const;
    // The instructions to go on from at a CHOOSE, one for each enabled edge; until the next call.
    const std::vector<std::int32_t>& enabled(const Graph<W>& graph, int thread) const {
        return machine_.enabled(thread, state_of(graph, thread), locals_of(graph, thread));
    }
    // From now on, adds to a trail what threads do that run on; null: does not.
    void follow(Trail* trail) { machine_.follow(trail); }
    struct Dependencies {
        Bits addr, data, ctrl;
    };
    // What the next event of a thread depends on.
    Dependencies dependencies(const Graph<W>& graph, const Event& event) const;
    // The events right before this one in program order, -1 for none: the one before it in its thread, or the start of
    // the thread; and for a join, the last one of the thread that has ended.
    std::array<int, 2> po_previous(const Graph<W>& graph, const Event& event) const;
    // Where a thread comes to a MEET: the index of its first one of this group and round, the number of its events where it
    // stands there, -1 where it has not come.
    int comes(const Graph<W>& graph, int thread, const Instruction& meet) const;
    // Calls f(slot) for the last events, or the starts, of the other threads of a group before they come to a MEET at which
    // an event's thread is: these are right before the event in program order, too. For other events, nothing.
    template <class F>
    void each_met(const Graph<W>& graph, const Event& event, F&& f) const;
    // Program order across threads: what a thread does comes after its start, and before what follows a join; what it does
    // before it meets others comes before what these do after that.
    void link(Graph<W>& graph, int e) const;

    // --- past an event ---
    bool run_on(Graph<W>& graph, int slot, std::int32_t pc, const std::uint64_t* unknown = nullptr,
                std::int64_t choice = 0);
    // Whether a thread was found to wait by what it might not have read in an execution with load buffering.
    bool waits_by_chance() const { return by_chance_; }
    // Where a thread goes on after an event.
    std::int32_t pc_after(const Graph<W>& graph, int slot) const;

private:
    template <int V>
    friend class Threads;

    // After the event in this slot; -1: at the thread's start.
    const ThreadState& state_at(const Graph<W>& graph, int thread, int slot) const {
        return slot >= 0 ? graph.states[slot] : initial_states_[thread];
    }
    const std::int64_t* locals_at(const Graph<W>& graph, int thread, int slot) const {
        return slot >= 0 ? graph.locals_of(slot) : initial_locals_.data() + static_cast<std::size_t>(thread) * stride_;
    }
    const std::uint64_t* taint_before(const Graph<W>& graph, int thread, int index) const {
        const int previous = graph.at(thread, index - 1);
        return previous < 0 ? nothing_.data() : graph.taint_of(previous);
    }

    // The update at an instruction, if it is made as a pair of exclusive accesses; null if not.
    const RmwCode* pair_at(std::int32_t pc) const {
        const Instruction& i = task_.code.instructions[pc];
        return i.op == Op::RMW && task_.code.rmws[i.c].pair ? &task_.code.rmws[i.c] : nullptr;
    }
    // What an event does to the thread, its locals and its taint, in sets of V words.
    template <int V>
    void pass(Machine& machine, const Event& event, std::int32_t pc, ThreadState& state, std::int64_t* locals,
              std::uint64_t* words, const std::uint64_t* unknown, std::int64_t choice) const;
    template <int V>
    void taint_by(const Event& event, int target, std::uint64_t* words) const;
    template <int V>
    void reserve(const Event& event, std::int64_t* locals, std::uint64_t* words) const;
    bool may_change(const Graph<W>& graph, int thread, const ThreadState& state) const;
    bool holds(const Graph<W>& graph, int thread, const ThreadState& state) const;

    // --- waiting loops (threads_waiting.hpp) ---
    struct Stand;
    struct Waiting {
        Status status;
        std::int32_t round = -1;  // BLOCKED, OPEN: see ThreadState::round
        Bits open;                // OPEN: the reads, by index, of which the values are not known
    };
    bool settle(Graph<W>& graph, int slot, const std::uint64_t* unknown);
    Waiting waiting(const Stand& stand) const;
    bool passes_lock(const Event& event, std::vector<std::int32_t>& held) const;
    bool changes(const Stand& stand, int slot, Bits& open) const;
    bool is_as_before(const Stand& stand, int index, Bits& open) const;
    bool depends_as_before(const Stand& stand, int head) const;
    bool is_decided(const Stand& stand, int head) const;
    bool depends_as_without(const Stand& stand, int first, int second) const;
    const std::vector<bool>& assigned_since(const Stand& stand, int head) const;
    template <class F>
    bool again(const Stand& stand, int first, int second, F&& good) const;
    bool adds(int set) const;

    const Task& task_;
    mutable Machine machine_;
    mutable bool by_chance_ = false;  // see waits_by_chance
    std::vector<ThreadState> initial_states_;
    std::vector<std::int64_t> initial_locals_;  // `stride_` per thread
    std::int32_t stride_ = 0;                   // the most locals of a thread
    std::vector<std::uint64_t> nothing_;        // the taint of a thread at its start
    // Room to work in, for waiting loops: a machine and a taint whose sets are of twice as many words.
    mutable std::optional<Machine> doubled_;
    mutable std::vector<std::uint64_t> doubled_taint_, doubled_unknown_;
    mutable std::vector<std::int64_t> doubled_locals_;
    mutable std::vector<bool> assigned_;
};

template <int W>
Threads<W>::Threads(const Task& task) : task_(task), machine_(task.code, W) {
    for (const auto& t : task.code.threads) stride_ = std::max(stride_, t.locals);
    nothing_.resize(static_cast<std::size_t>(Taint::sets(stride_)) * W);
}

template <int W>
template <int V>
Threads<W>::Threads(const Threads<V>& other)
    : task_(other.task_), machine_(task_.code, W), initial_states_(other.initial_states_),
      initial_locals_(other.initial_locals_), stride_(other.stride_),
      nothing_(static_cast<std::size_t>(Taint::sets(stride_)) * W) {}

// ---- where threads stand ----

template <int W>
const ThreadState* Threads<W>::start() {
    const Code& code = task_.code;
    const int threads = static_cast<int>(code.threads.size());
    initial_states_.resize(threads);
    initial_locals_.resize(static_cast<std::size_t>(threads) * stride_);
    for (int t = 0; t < threads; ++t) {
        std::int64_t* locals = initial_locals_.data() + static_cast<std::size_t>(t) * stride_;
        std::copy(code.threads[t].initial.begin(), code.threads[t].initial.end(), locals);
        ThreadState& state = initial_states_[t];
        state.pc = code.threads[t].entry;
        machine_.run(t, state, locals, {});
        if (state.status == Status::EVENT && !may_change(Graph<W>(), t, state)) state.status = Status::ASSERTION;
        if (state.status == Status::RUNAWAY || state.status == Status::MIXED) return &state;
    }
    return nullptr;
}

template <int W>
bool Threads<W>::any_error() const {
    for (std::size_t t = 0; t < initial_states_.size(); ++t)
        if (!task_.code.threads[t].waits && is_error(initial_states_[t].status)) return true;
    return false;
}

template <int W>
bool Threads<W>::may_step(const Graph<W>& graph, int thread, const ThreadState& state) const {
    const Instruction& i = task_.code.instructions[state.pc];
    if (!is_started(graph, thread)) return false;
    if (meets(i))
        return std::ranges::all_of(task_.code.groups[i.a], [&](int other) { return comes(graph, other, i) >= 0; });
    return i.op != Op::JOIN || state_of(graph, i.a).status == Status::ENDED;
}

template <int W>
int Threads<W>::comes(const Graph<W>& graph, int thread, const Instruction& meet) const {
    auto is_it = [&](const Instruction& i) { return i.op == meet.op && i.a == meet.a && i.b == meet.b; };
    const std::int32_t* line = graph.line(thread);
    for (int k = 0; k < graph.length(thread); ++k)
        if (is_it(task_.code.instructions[graph.events[line[k]].pc])) return k;
    const ThreadState& state = state_of(graph, thread);
    const bool there = stands(state.status) && is_it(task_.code.instructions[state.pc]);
    return there && is_started(graph, thread) ? graph.length(thread) : -1;
}

template <int W>
bool Threads<W>::within_bound(const ThreadState& state) const {
    const std::int32_t bound = task_.settings.max_depth;
    if (bound < 0) return true;
    if (state.status == Status::CHOICE) return state.choices < CHOICES;
    return state.events + events_of(task_.code.instructions[state.pc]) <= bound;
}

// ---- the next event ----

template <int W>
Event Threads<W>::next_event(const Graph<W>& graph, int thread, const ThreadState& state) const {
    const Instruction& i = task_.code.instructions[state.pc];
    Event event;
    event.kind = EventKind::CHOICE;
    event.thread = thread;
    event.index = graph.length(thread);
    event.pc = state.pc;
    if (state.status == Status::CHOICE) {
        if (i.op == Op::CHOOSE) event.expected = state.expected;
        event.picks = i.op == Op::PREDICT && i.c == PICKS;
        return event;
    }
    const bool write = i.op == Op::STORE || i.op == Op::STOREX || i.op == Op::UNLOCK || state.writing;
    const bool reads = i.op == Op::LOAD || i.op == Op::LOADX || i.op == Op::RMW;
    event.kind = write ? EventKind::WRITE : reads ? EventKind::READ : EventKind::FENCE;
    event.event_class = state.writing ? task_.code.rmws[i.c].write_class : i.c;
    event.rmw = state.writing;
    event.exclusive = i.op == Op::LOADX || (i.op == Op::LOAD && i.b != 0);
    event.part = i.part;
    if (i.op == Op::STORE && (i.part > 0 || i.dst != 0)) pair_parts(graph, event);
    event.picks = !write && i.op == Op::RMW && task_.code.rmws[i.c].picks;
    if (i.op == Op::STOREX) event.partner = static_cast<std::int32_t>(state.expected);
    if (event.kind == EventKind::FENCE && i.op != Op::OBJECT) return event;
    event.object = task_.code.objects[state.a];
    if (i.op == Op::OBJECT) return event;
    event.cell = static_cast<std::int32_t>(state.a);
    event.expected = state.expected;
    if (write) event.value = state.b;
    return event;
}

// Finds what a write pairs with: the first part of an update's with the first part of the read right before it, others
// with the part behind the one that the part before them pairs with.
template <int W>
void Threads<W>::pair_parts(const Graph<W>& graph, Event& event) const {
    int before = graph.next_to(event.thread, event.index, -1);
    if (event.part > 0) {
        const Event& other = graph.events[before];
        event.update = other.update;
        const int load = other.partner < 0 ? -1 : graph.next_to(event.thread, other.partner, 1);
        event.partner = load < 0 ? -1 : graph.events[load].index;
        return;
    }
    event.update = true;
    for (int part = graph.events[before].part; part > 0; --part)
        before = graph.next_to(event.thread, graph.events[before].index, -1);
    event.partner = graph.events[before].index;
}

template <int W>
void Threads<W>::set_read_class(Event& event, std::int64_t value) const {
    const Instruction& i = task_.code.instructions[event.pc];
    if (i.op != Op::RMW) return;
    const RmwCode& rmw = task_.code.rmws[i.c];
    event.rmw = Machine::writes(rmw.kind, value, event.expected);
    event.event_class = event.rmw ? rmw.read_class : rmw.failed_class;
}

template <int W>
typename Threads<W>::Dependencies Threads<W>::dependencies(const Graph<W>& graph, const Event& event) const {
    Dependencies result;
    const int thread = event.thread, last = graph.at(thread, event.index - 1);
    if (last < 0) return result;
    const int locals = task_.code.threads[thread].locals;
    result.ctrl = graph.depended_on(last, Taint::control(locals));
    if (event.kind != EventKind::FENCE || event.object >= 0) result.addr = graph.depended_on(last, Taint::address(locals));
    if (event.kind == EventKind::WRITE || event.kind == EventKind::CHOICE)
        result.data = graph.depended_on(last, Taint::data(locals));
    if (event.kind == EventKind::READ && event.picks) result.data = graph.depended_on(last, Taint::compared(locals));
    if (const RmwCode* pair = event.rmw && event.kind == EventKind::WRITE ? pair_at(event.pc) : nullptr) {
        if (may_fail(pair->kind)) {
            result.ctrl |= graph.depended_on(last, Taint::compared(locals));
            result.ctrl.set(last);
        } else if (!replaces(pair->kind)) {
            result.data.set(last);
        }
    }
    if (!task_.code.predicts) return result;
    // What depends on a prediction depends on what that does, or picks by it (see Evaluator::picking).
    for (Bits* row : {&result.addr, &result.data, &result.ctrl}) {
        const Bits before = *row - graph.visible;
        before.each([&](int e) {
            const Event& other = graph.events[e];
            const bool predicted = task_.code.instructions[other.pc].op == Op::PREDICT;
            if (predicted && (event.picks || !other.picks)) *row |= graph.data[e];
        });
    }
    return result;
}

template <int W>
std::array<int, 2> Threads<W>::po_previous(const Graph<W>& graph, const Event& event) const {
    const Instruction& i = task_.code.instructions[event.pc];
    return {event.index > 0 ? graph.at(event.thread, event.index - 1) : graph.starts[event.thread],
            i.op == Op::JOIN ? graph.last(i.a) : -1};
}

template <int W>
template <class F>
void Threads<W>::each_met(const Graph<W>& graph, const Event& event, F&& f) const {
    const Instruction& i = task_.code.instructions[event.pc];
    if (!meets(i)) return;
    for (const std::int32_t other : task_.code.groups[i.a]) {
        const int index = other == event.thread ? -1 : comes(graph, other, i);
        if (index < 0) continue;
        const int before = index > 0 ? graph.at(other, index - 1) : graph.starts[other];
        if (before >= 0) f(before);
    }
}

template <int W>
void Threads<W>::link(Graph<W>& graph, int e) const {
    const Event& event = graph.events[e];
    if (event.thread < 0) return;
    auto follow = [&](int before) {
        if (before < 0) return;
        graph.po_before[e] |= graph.po_before[before];
        graph.po_before[e].set(before);
    };
    for (int before : po_previous(graph, event)) follow(before);
    const Instruction& i = task_.code.instructions[event.pc];
    if (i.op == Op::MEET) each_met(graph, event, follow);
    if (i.op == Op::START && graph.starts[i.a] < 0) graph.starts[i.a] = e;
}

// ---- past an event ----

// What a thread depends on right after an event of which the local `target` gets the value; `words` says what it depended
// on before. Sets are of V words; those of more than W have the same events in each W of them.
template <int W>
template <int V>
void Threads<W>::taint_by(const Event& event, int target, std::uint64_t* words) const {
    const int locals = task_.code.threads[event.thread].locals;
    const TaintSets sets{words, V};
    auto add = [&](int number) {
        for (int part = 0; part < V; part += W) sets[number][part + word_of(event.index)] |= bit_of(event.index);
    };
    // Its thread goes on if the store exclusive has succeeded.
    if (event.kind == EventKind::WRITE && event.rmw && pair_at(event.pc)) add(Taint::control(locals));
    if (target >= 0) {
        sets.clear(target);
        add(target);
    }
    if (event.kind != EventKind::CHOICE) return;
    // Which edge was chosen decides what comes; so do the bounds of a havoc. On what is predicted, only what uses it depends.
    if (target < 0)
        add(Taint::control(locals));
    else if (task_.code.instructions[event.pc].op == Op::HAVOC)
        sets.add(Taint::control(locals), Taint::data(locals));
}

// An exclusive load reserves its cell, a store exclusive gives it back. Which cell that is depends on the load's address.
template <int W>
template <int V>
void Threads<W>::reserve(const Event& event, std::int64_t* locals, std::uint64_t* words) const {
    if (event.exclusive && event.part > 0) return;  // that is the first part's cell
    const int cell = task_.code.threads[event.thread].reservation, index = cell + 1;
    locals[cell] = event.exclusive ? event.cell + 1 : 0;
    locals[index] = event.exclusive ? event.index : 0;
    if (!words) return;
    const TaintSets sets{words, V};
    sets.clear(cell);
    if (event.exclusive) sets.add(cell, Taint::address(task_.code.threads[event.thread].locals));
}

// Takes a thread past an event, from the state before it, and on from instruction pc to where it stops next. `words` is its
// taint, or null. `unknown`, `choice`: see Machine::run.
template <int W>
template <int V>
void Threads<W>::pass(Machine& machine, const Event& event, std::int32_t pc, ThreadState& state, std::int64_t* locals,
                      std::uint64_t* words, const std::uint64_t* unknown, std::int64_t choice) const {
    state.index = event.index + 1;
    const Instruction& i = task_.code.instructions[event.pc];
    const bool reads = event.kind == EventKind::READ || (event.kind == EventKind::CHOICE && i.op != Op::CHOOSE);
    if (reads && i.dst >= 0) locals[i.dst] = event.value;
    if (i.op == Op::STOREX) locals[i.dst] = 0;
    if (words) taint_by<V>(event, reads || i.op == Op::STOREX ? i.dst : -1, words);
    if (i.op == Op::LOADX || i.op == Op::STOREX) reserve<V>(event, locals, words);
    if (event.kind == EventKind::CHOICE) {
        ++state.choices;
    } else if (events_of(i) > 0) {
        ++state.events;
        state.choices = 0;
    }
    if (i.op == Op::RMW && event.kind == EventKind::READ) {
        bool known = true;
        if (unknown) {
            const int data = Taint::data(task_.code.threads[event.thread].locals);
            known = !(unknown[word_of(event.index)] & bit_of(event.index)) && !TaintSets{words, V}.meets(data, unknown);
        }
        machine.run_rmw(event.thread, state, event.value, event.rmw, known, locals, {words}, unknown, choice);
    } else {
        state.writing = false;
        state.pc = pc;
        machine.run(event.thread, state, locals, {words}, unknown, choice);
    }
}

template <int W>
std::int32_t Threads<W>::pc_after(const Graph<W>& graph, int slot) const {
    const Event& event = graph.events[slot];
    const Instruction& i = task_.code.instructions[event.pc];
    if (event.kind != EventKind::CHOICE || i.op != Op::CHOOSE) return event.pc + 1;
    if (event.expected > 0) return task_.code.targets[i.c][event.value];
    return machine_.enabled(event.thread, state_before(graph, event.thread, event.index),
                            locals_before(graph, event.thread, event.index))[event.value];
}

/* run_on: takes the thread of an event past it, to where it stops next.
 *
 * Input    slot: the event. pc: where its thread goes on. unknown: the events of the thread, by index, that have read a
 *          value which is not known yet, null where there are none. choice: see Machine::run.
 * Output   false where what was assumed of the thread, that it waits or does not, is refuted by what is known now.
 * Before   The state, the locals and the taint of the event before it in its thread are right.
 * After    So are those of this event; of a thread that waits, the status says so, and the round where. What is assumed of
 *          it (Event::wait) holds while values are missing. RUNAWAY and MIXED are the caller's matter.
 */
template <int W>
bool Threads<W>::run_on(Graph<W>& graph, int slot, std::int32_t pc, const std::uint64_t* unknown, std::int64_t choice) {
    Event& event = graph.events[slot];
    const int thread = event.thread;
    ThreadState& state = graph.states[slot];
    state = state_before(graph, thread, event.index);
    std::int64_t* locals = graph.locals_of(slot);
    const std::int64_t* before = locals_before(graph, thread, event.index);
    std::copy(before, before + stride_, locals);
    const int block = task_.code.threads[thread].block;
    if (block >= 0) event.block = static_cast<std::int32_t>(before[block]);
    std::uint64_t* words = graph.tracking ? graph.taint_of(slot) : nullptr;
    if (words) std::copy_n(taint_before(graph, thread, event.index), graph.taint_words(), words);
    pass<W>(machine_, event, pc, state, locals, words, unknown, choice);
    const bool read = event.kind == EventKind::READ && !(unknown && unknown[word_of(event.index)] & bit_of(event.index));
    const bool nothing = read && event.rf >= 0 && event.rf < graph.cells && task_.code.undefined[event.rf];
    if (nothing && !task_.code.reads_blindly(task_.code.instructions[event.pc])) {
        state.status = Status::UNDEFINED;
        state.pc = event.pc;
        state.writing = false;
        return true;
    }
    if (state.status == Status::ENDED) return true;
    if (state.status == Status::EVENT && !may_change(graph, thread, state)) state.status = Status::ASSERTION;
    return settle(graph, slot, unknown);
}

// Whether a thread that stands at an UNLOCK holds the mutex, and one at an OBJECT has the start of such an object.
template <int W>
bool Threads<W>::may_change(const Graph<W>& graph, int thread, const ThreadState& state) const {
    const Op op = task_.code.instructions[state.pc].op;
    if (op == Op::OBJECT) return task_.code.objects[state.a] == state.a;
    return op != Op::UNLOCK || holds(graph, thread, state);
}

// Whether a thread that stands at an UNLOCK holds the mutex: its last write there is that of an update. What it has only
// tried to take since then it still holds.
template <int W>
bool Threads<W>::holds(const Graph<W>& graph, int thread, const ThreadState& state) const {
    for (int k = state.index - 1; k >= 0; --k) {
        const Event& event = graph.events[graph.at(thread, k)];
        if (event.cell == state.a && event.kind == EventKind::WRITE) return event.rmw;
    }
    return false;
}

}  // namespace xgen

#include "threads_waiting_impl.hpp"
