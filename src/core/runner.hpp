// What both explorations need: running threads from one event to the next, and what is counted of whole executions.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "evaluate_whole.hpp"
#include "graph.hpp"
#include "machine.hpp"
#include "search.hpp"

namespace xgen {

class AnyExplorer {
public:
    virtual ~AnyExplorer() = default;
    // Explores for about `seconds`, or until there is a reason to halt.
    virtual Halt run(double seconds) = 0;
    // Whether the next event needs wider graphs; then run() has returned BUDGET.
    virtual bool full() const = 0;
    // Hands over a subtree that this search has not begun, as near to the root as can be; null where there is none.
    virtual std::unique_ptr<AnyExplorer> split() = 0;
    // From now on the search counts there.
    virtual void attach(Search& search) = 0;
    // Before run(): goes to a graph and leaves the rest of the search out. `path` says which branch to take at the start,
    // which at the graph that it leads to, and so on. False where there is no such branch.
    virtual bool enter(const std::vector<std::int32_t>& path) = 0;
    // How many branches there are from here; after that the search is of no more use. 0: the graph is whole, or leads
    // nowhere.
    virtual int branches() = 0;
    virtual Halt reason() const = 0;  // to halt, BUDGET: there is none
    // The same search with wider graphs, or null where there are none.
    virtual std::unique_ptr<AnyExplorer> widened() const = 0;
};

// An explorer at the narrowest width that holds `events` events, or null where there is none.
std::unique_ptr<AnyExplorer> make_explorer(Search& search, int events);

// The next width of graphs, in words; 0 where there is none.
constexpr int wider(int width) { return width < 4 ? 2 * width : width < 256 ? 4 * width : 0; }

template <int W>
class Runner : public AnyExplorer {
public:
    bool full() const override { return full_; }
    void attach(Search& search) override { search_ = &search; }
    bool enter(const std::vector<std::int32_t>& path) override;
    int branches() override { return take_branches(std::numeric_limits<int>::max(), false); }
    Halt reason() const override { return halt_; }

protected:
    using Bits = Row<W>;
    template <int V>
    friend class Runner;

    // Takes branches of the graph where the search is, one after the other, up to `count`; returns how many there were.
    // The last one taken stays. `alone`: the search leaves out those that have not been taken.
    virtual int take_branches(int count, bool alone) = 0;

    explicit Runner(Search& search);
    template <int V>
    explicit Runner(const Runner<V>& other);

    // --- threads ---
    // Runs all threads to their first events. False where one runs on and on.
    bool start_threads();
    bool any_error() const;
    bool is_started(const Graph<W>& graph, int thread) const;
    bool may_step(const Graph<W>& graph, int thread, const ThreadState& state) const;
    const ThreadState& state_of(const Graph<W>& graph, int thread, const std::int64_t*& locals) const {
        return state_after(graph, thread, graph.last(thread), locals);
    }
    // The state of a thread before its event `index`.
    const ThreadState& state_before(const Graph<W>& graph, int thread, int index, const std::int64_t*& locals) const {
        return state_after(graph, thread, graph.at(thread, index - 1), locals);
    }
    // The state of a thread after its event in this slot; -1: at its start.
    const ThreadState& state_after(const Graph<W>& graph, int thread, int slot, const std::int64_t*& locals) const {
        if (slot >= 0) {
            locals = graph.locals_of(slot);
            return graph.states[slot];
        }
        locals = initial_locals_.data() + static_cast<std::size_t>(thread) * stride_;
        return initial_states_[thread];
    }
    // --- waiting loops (runner_waiting.hpp) ---
    Status waiting(const Graph<W>& graph, int slot, const ThreadState& state, const std::uint64_t* unknown,
                   Bits& open) const;
    bool may_change(const Graph<W>& graph, int thread, const ThreadState& state) const;
    bool holds(const Graph<W>& graph, int thread, const ThreadState& state) const;
    bool changes(const Graph<W>& graph, int slot) const;
    bool depends_as_before(const Graph<W>& graph, int slot, int head, const std::vector<int>& locals) const;
    bool depends_as_without(const Graph<W>& graph, int slot, int first, int second, const std::vector<int>& locals,
                            const std::uint64_t* unknown) const;
    const std::vector<bool>& assigned_since(const Graph<W>& graph, int slot, int head, const std::uint64_t* unknown) const;
    template <class F>
    bool again(const Graph<W>& graph, int slot, int first, int second, const std::uint64_t* unknown, F&& good) const;
    bool adds(int set) const;
    void settle(Graph<W>& graph, int slot, const std::uint64_t* unknown);
    const std::uint64_t* taint_before(const Graph<W>& graph, int thread, int index) const {
        const int previous = graph.at(thread, index - 1);
        return previous < 0 ? nothing_.data() : graph.taint_of(previous);
    }

    template <int V>
    void taint_by(const Event& event, int target, std::uint64_t* words) const;
    template <int V>
    void reserve(const Event& event, std::int64_t* locals, std::uint64_t* words) const;
    template <int V>
    void pass(Machine& machine, const Event& event, std::int32_t pc, ThreadState& state, std::int64_t* locals,
              std::uint64_t* words, const std::uint64_t* unknown, std::int64_t choice) const;
    std::int32_t pc_after(const Graph<W>& graph, int slot) const;
    void run_after(Graph<W>& graph, int slot, std::int32_t pc, const std::uint64_t* unknown = nullptr,
                   std::int64_t choice = 0);
    void set_read_class(Event& event, std::int64_t value) const;
    const std::vector<std::int32_t>& class_sets(int event_class) const {
        return search_->plan.class_sets[event_class];
    }

    // --- events ---
    Event next_event(const Graph<W>& graph, int thread, const ThreadState& state) const;
    struct Dependencies {
        Bits addr, data, ctrl;
    };
    Dependencies dependencies(const Graph<W>& graph, const Event& event) const;
    std::array<int, 2> po_previous(const Graph<W>& graph, const Event& event) const;
    void fork(Graph<W>& graph, int e) const;
    void remove(Graph<W>& graph) const;
    int add_initial_writes(Graph<W>& graph, Kept<W>& kept);
    bool is_last(const Graph<W>& graph, int e, const Bits& present) const;
    int check_step(const Graph<W>& graph, Kept<W>& kept, int e, const Bits& present, bool whole = true);

    // --- whole executions ---
    void finish(const Graph<W>& graph);
    Judgement find_outcome(const Graph<W>& graph, Outcomes::Entry*& entry);
    std::uint64_t hash(const Graph<W>& graph) const;
    bool is_at_lock(const ThreadState& state) const;
    int last_round(const Graph<W>& graph, int thread, const ThreadState& state) const;
    int start_of_round(const Graph<W>& graph, int thread, const ThreadState& state) const;
    bool may_store(const Event& event) const;
    bool is_stuck(const Graph<W>& graph, int thread, int round) const;
    void note_waits(const Graph<W>& graph);
    std::int32_t depth_of(const Graph<W>& graph, int thread) const;
    Trace trace(const Graph<W>& graph, bool deadlock) const;
    void relate(const Graph<W>& graph, Trace& trace) const;

    // Calls step() until there is a reason to stop; `paused` and the clock are looked at now and then.
    template <class Step>
    Halt run_steps(double seconds, Step&& step);
    void halt(Halt why) { halt_ = why; }

    Search* search_;
    mutable Machine machine_;
    Evaluator<W> in_situ_, final_, flags_;
    std::vector<std::int32_t> raised_;  // flags, by constraint, by the whole execution that the search is at
    // Of a stuck execution, per thread: the index of the first event of the last round of the loop where it waits, of
    // its read at a lock, or of the event that it would have next at a join and in a loop without events. -1: it does
    // not wait. Empty where the execution is not stuck.
    std::vector<std::int32_t> rounds_;
    Halt halt_ = Halt::BUDGET;
    bool arrived_ = false;          // the search is at a new consistent graph
    bool full_ = false;
    bool refuted_ = false;          // what was assumed of a waiting thread has turned out wrong
    std::int64_t confirming_ = -1;  // >= 0: a violation was found, steps left for reaching a whole execution
    std::vector<ThreadState> initial_states_;
    std::vector<std::int64_t> initial_locals_;           // `stride_` per thread
    std::int32_t stride_ = 0;
    std::vector<std::uint64_t> nothing_;                 // the taint of a thread at its start
    // Room to work in, for waiting loops: a machine and a taint whose sets are of twice as many words.
    mutable std::optional<Machine> doubled_;
    mutable std::vector<std::uint64_t> doubled_taint_, doubled_unknown_;
    mutable std::vector<std::int64_t> doubled_locals_;
    mutable std::vector<bool> assigned_;
};

template <int W>
Runner<W>::Runner(Search& search)
    : search_(&search), machine_(search.code, W), in_situ_(search.plan.in_situ, search.plan.class_steps),
      final_(search.plan.final, search.plan.class_steps),
      flags_(search.plan.flags, search.plan.class_steps) {
    for (const auto& t : search.code.threads) stride_ = std::max(stride_, t.locals);
    nothing_.resize(static_cast<std::size_t>(Taint::sets(stride_)) * W);
}

template <int W>
template <int V>
Runner<W>::Runner(const Runner<V>& other)
    : search_(other.search_), machine_(search_->code, W), in_situ_(search_->plan.in_situ, search_->plan.class_steps),
      final_(search_->plan.final, search_->plan.class_steps), flags_(search_->plan.flags, search_->plan.class_steps),
      halt_(other.halt_), arrived_(other.arrived_), confirming_(other.confirming_),
      initial_states_(other.initial_states_), initial_locals_(other.initial_locals_), stride_(other.stride_),
      nothing_(static_cast<std::size_t>(Taint::sets(stride_)) * W) {}

template <int W>
bool Runner<W>::enter(const std::vector<std::int32_t>& path) {
    if (path.empty()) return true;
    for (std::int32_t branch : path)
        if (take_branches(branch + 1, true) != branch + 1) return false;
    // What was passed on the way is counted by who explores it.
    search_->counters = {};
    search_->witness = {};
    confirming_ = -1;
    return true;
}

template <int W>
template <class Step>
Halt Runner<W>::run_steps(double seconds, Step&& step) {
    using Clock = std::chrono::steady_clock;
    constexpr std::uint32_t TICKS = W <= 4 ? 64 : 1;  // steps between two looks at the clock
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    search_->paused = false;
    for (std::uint32_t ticks = 1; halt_ == Halt::BUDGET; ++ticks) {
        if (ticks % TICKS == 0) {
            if (search_->sharing.stop.load(std::memory_order_relaxed) || Clock::now() > deadline) return Halt::BUDGET;
            if (search_->sharing.wanted.load(std::memory_order_relaxed) > 0) return Halt::SHARE;
        }
        if (search_->paused || !step()) return Halt::BUDGET;
    }
    return halt_;
}

// ---- threads ----

template <int W>
bool Runner<W>::start_threads() {
    const Code& code = search_->code;
    const int threads = static_cast<int>(code.threads.size());
    initial_states_.resize(threads);
    initial_locals_.resize(static_cast<std::size_t>(threads) * stride_);
    for (int t = 0; t < threads; ++t) {
        std::int64_t* locals = initial_locals_.data() + static_cast<std::size_t>(t) * stride_;
        std::copy(code.threads[t].initial.begin(), code.threads[t].initial.end(), locals);
        initial_states_[t].pc = code.threads[t].entry;
        ThreadState& state = initial_states_[t];
        machine_.run(t, state, locals, {});
        if (state.status == Status::EVENT && !may_change(Graph<W>(), t, state)) state.status = Status::ASSERTION;
        if (state.status != Status::RUNAWAY && state.status != Status::MIXED) continue;
        search_->culprit = state.pc;
        halt(state.status == Status::MIXED ? Halt::MIXED : Halt::RUNAWAY);
        return false;
    }
    return true;
}

// Whether a thread that runs from the start comes to an error before its first event.
template <int W>
bool Runner<W>::any_error() const {
    for (std::size_t t = 0; t < initial_states_.size(); ++t)
        if (!search_->code.threads[t].waits && is_error(initial_states_[t].status)) return true;
    return false;
}

template <int W>
bool Runner<W>::is_started(const Graph<W>& graph, int thread) const {
    return !search_->code.threads[thread].waits || graph.starts[thread] >= 0;
}

// Whether the thread has been started, and does not wait for the end of another.
template <int W>
bool Runner<W>::may_step(const Graph<W>& graph, int thread, const ThreadState& state) const {
    const Instruction& i = search_->code.instructions[state.pc];
    const std::int64_t* locals;
    return is_started(graph, thread) && (i.op != Op::JOIN || state_of(graph, i.a, locals).status == Status::ENDED);
}

// An RMW that reads `value` is one event or two, and its read is of one class or another.
template <int W>
void Runner<W>::set_read_class(Event& event, std::int64_t value) const {
    const Instruction& i = search_->code.instructions[event.pc];
    if (i.op != Op::RMW) return;
    const RmwCode& rmw = search_->code.rmws[i.c];
    event.rmw = Machine::writes(rmw.kind, value, event.expected);
    event.event_class = event.rmw ? rmw.read_class : rmw.failed_class;
}

// What a thread depends on right after an event of which the local `target` gets the value; `words` says what it depended
// on before. Sets are of V words; those of more than W have the same events in each W of them.
template <int W>
template <int V>
void Runner<W>::taint_by(const Event& event, int target, std::uint64_t* words) const {
    const int locals = search_->code.threads[event.thread].locals;
    auto set = [&](int number) { return words + static_cast<std::size_t>(number) * V; };
    auto add = [&](int number) {
        for (int part = 0; part < V; part += W) set(number)[part + word_of(event.index)] |= bit_of(event.index);
    };
    if (target >= 0) {
        std::fill_n(set(target), V, 0);
        add(target);
    }
    if (event.kind != EventKind::CHOICE) return;
    // Which edge was chosen decides what comes; so do the bounds of a havoc.
    if (target < 0) add(Taint::control(locals));
    for (int k = 0; target >= 0 && k < V; ++k) set(Taint::control(locals))[k] |= set(Taint::data(locals))[k];
}

// An exclusive load reserves its cell, a store exclusive gives it back. Which cell that is depends on the load's address.
template <int W>
template <int V>
void Runner<W>::reserve(const Event& event, std::int64_t* locals, std::uint64_t* words) const {
    const int cell = search_->code.threads[event.thread].reservation, index = cell + 1;
    locals[cell] = event.exclusive ? event.cell + 1 : 0;
    locals[index] = event.exclusive ? event.index : 0;
    if (!words) return;
    const int address = Taint::address(search_->code.threads[event.thread].locals);
    for (int k = 0; k < V; ++k)
        words[static_cast<std::size_t>(cell) * V + k] =
            event.exclusive ? words[static_cast<std::size_t>(address) * V + k] : 0;
}

// Takes a thread past an event, from the state before it, and on from instruction pc to where it stops next. `words` is its
// taint, in sets of V words, or null. `unknown`, `choice`: see Machine::run.
template <int W>
template <int V>
void Runner<W>::pass(Machine& machine, const Event& event, std::int32_t pc, ThreadState& state, std::int64_t* locals,
                     std::uint64_t* words, const std::uint64_t* unknown, std::int64_t choice) const {
    state.index = event.index + 1;
    const Instruction& i = search_->code.instructions[event.pc];
    const bool reads = event.kind == EventKind::READ || i.op == Op::HAVOC;
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
            const int data = Taint::data(search_->code.threads[event.thread].locals);
            known = !(unknown[word_of(event.index)] & bit_of(event.index));
            for (int k = 0; k < V; ++k) known &= !(words[static_cast<std::size_t>(data) * V + k] & unknown[k]);
        }
        machine.run_rmw(event.thread, state, event.value, event.rmw, known, locals, {words}, unknown, choice);
    } else {
        state.writing = false;
        state.pc = pc;
        machine.run(event.thread, state, locals, {words}, unknown, choice);
    }
}

// Where a thread goes on after an event.
template <int W>
std::int32_t Runner<W>::pc_after(const Graph<W>& graph, int slot) const {
    const Event& event = graph.events[slot];
    const Instruction& i = search_->code.instructions[event.pc];
    if (event.kind != EventKind::CHOICE || i.op != Op::CHOOSE) return event.pc + 1;
    if (event.expected > 0) return search_->code.targets[i.c][event.value];
    const std::int64_t* locals;
    const ThreadState& before = state_before(graph, event.thread, event.index, locals);
    return machine_.enabled(event.thread, before, locals)[event.value];
}

// Runs the thread of the event in `slot` from instruction pc on, from the state before the event. `unknown`: the events
// of the thread, by index, that have read a value which is not known yet; null: there are none. `choice`: see Machine::run.
template <int W>
void Runner<W>::run_after(Graph<W>& graph, int slot, std::int32_t pc, const std::uint64_t* unknown, std::int64_t choice) {
    Event& event = graph.events[slot];
    const int thread = event.thread;
    const std::int64_t* before;
    ThreadState& state = graph.states[slot];
    state = state_before(graph, thread, event.index, before);
    std::int64_t* locals = graph.locals_of(slot);
    std::copy(before, before + stride_, locals);
    const int block = search_->code.threads[thread].block;
    if (block >= 0) event.block = static_cast<std::int32_t>(before[block]);
    std::uint64_t* words = graph.tracking ? graph.taint_of(slot) : nullptr;
    if (words) std::copy_n(taint_before(graph, thread, event.index), graph.taint_words(), words);
    pass<W>(machine_, event, pc, state, locals, words, unknown, choice);
    const bool read = event.kind == EventKind::READ && !(unknown && unknown[word_of(event.index)] & bit_of(event.index));
    if (read && event.rf >= 0 && event.rf < graph.cells && search_->code.undefined[event.rf]) {
        state.status = Status::UNDEFINED;
        state.pc = event.pc;
        state.writing = false;
        return;
    }
    if (state.status == Status::ENDED) return;
    if (state.status == Status::EVENT && !may_change(graph, thread, state)) state.status = Status::ASSERTION;
    settle(graph, slot, unknown);
    if (state.status == Status::RUNAWAY || state.status == Status::MIXED) {
        search_->culprit = state.pc;
        halt(state.status == Status::MIXED ? Halt::MIXED : Halt::RUNAWAY);
    }
}

// Whether a thread that stands at an UNLOCK holds the mutex, and one at an OBJECT has the start of such an object.
template <int W>
bool Runner<W>::may_change(const Graph<W>& graph, int thread, const ThreadState& state) const {
    const Op op = search_->code.instructions[state.pc].op;
    if (op == Op::OBJECT) return search_->code.objects[state.a] == state.a;
    return op != Op::UNLOCK || holds(graph, thread, state);
}

// Whether a thread that stands at an UNLOCK holds the mutex: its last event there is the write of an update.
template <int W>
bool Runner<W>::holds(const Graph<W>& graph, int thread, const ThreadState& state) const {
    for (int k = state.index - 1; k >= 0; --k) {
        const Event& event = graph.events[graph.at(thread, k)];
        if (event.cell == state.a && event.kind != EventKind::CHOICE) return event.kind == EventKind::WRITE && event.rmw;
    }
    return false;
}

// ---- events ----

// What a thread does where it stands, at an event or a choice. What an RMW reads decides more (see set_read_class).
template <int W>
Event Runner<W>::next_event(const Graph<W>& graph, int thread, const ThreadState& state) const {
    const Instruction& i = search_->code.instructions[state.pc];
    Event event;
    event.kind = EventKind::CHOICE;
    event.thread = thread;
    event.index = graph.length(thread);
    event.pc = state.pc;
    if (state.status == Status::CHOICE) {
        if (i.op == Op::CHOOSE) event.expected = state.expected;
        return event;
    }
    const bool write = i.op == Op::STORE || i.op == Op::STOREX || i.op == Op::UNLOCK || state.writing;
    const bool reads = i.op == Op::LOAD || i.op == Op::LOADX || i.op == Op::RMW;
    event.kind = write ? EventKind::WRITE : reads ? EventKind::READ : EventKind::FENCE;
    event.event_class = state.writing ? search_->code.rmws[i.c].write_class : i.c;
    event.rmw = state.writing;
    event.exclusive = i.op == Op::LOADX;
    if (i.op == Op::STOREX) event.partner = static_cast<std::int32_t>(state.expected);
    if (event.kind == EventKind::FENCE && i.op != Op::OBJECT) return event;
    event.object = search_->code.objects[state.a];
    if (i.op == Op::OBJECT) return event;
    event.cell = static_cast<std::int32_t>(state.a);
    event.expected = state.expected;
    if (write) event.value = state.b;
    return event;
}

// What the next event of a thread depends on.
template <int W>
typename Runner<W>::Dependencies Runner<W>::dependencies(const Graph<W>& graph, const Event& event) const {
    Dependencies result;
    const int thread = event.thread, last = graph.at(thread, event.index - 1);
    if (last < 0) return result;
    auto set = [&](int number) {
        Bits r;
        const std::uint64_t* words = graph.taint_of(last) + static_cast<std::size_t>(number) * W;
        for (int k = 0; k < W; ++k)
            for (std::uint64_t rest = words[k]; rest; rest &= rest - 1)
                r.set(graph.line(thread)[WORD * k + std::countr_zero(rest)]);
        return r;
    };
    const int locals = search_->code.threads[thread].locals;
    result.ctrl = set(Taint::control(locals));
    if (event.kind != EventKind::FENCE) result.addr = set(Taint::address(locals));
    if (event.kind == EventKind::WRITE || event.kind == EventKind::CHOICE) result.data = set(Taint::data(locals));
    return result;
}

// The events right before this one in program order, -1 for none: the one before it in its thread, or the start of the
// thread; and for a join, the last one of the thread that has ended.
template <int W>
std::array<int, 2> Runner<W>::po_previous(const Graph<W>& graph, const Event& event) const {
    const Instruction& i = search_->code.instructions[event.pc];
    return {event.index > 0 ? graph.at(event.thread, event.index - 1) : graph.starts[event.thread],
            i.op == Op::JOIN ? graph.last(i.a) : -1};
}

// Program order across threads: what a thread does comes after its start, and before what follows a join.
template <int W>
void Runner<W>::fork(Graph<W>& graph, int e) const {
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

// Takes back the last event, with its edges gone.
template <int W>
void Runner<W>::remove(Graph<W>& graph) const {
    const int last = graph.size() - 1;
    if (graph.forks) std::replace(graph.starts.begin(), graph.starts.end(), last, -1);
    if (graph.visible.test(last)) graph.hide(last, class_sets(graph.events[last].event_class));
    graph.remove_last();
}

// Puts the initial writes into an empty graph; the number of a constraint that they break, or -1.
template <int W>
int Runner<W>::add_initial_writes(Graph<W>& graph, Kept<W>& kept) {
    const Code& code = search_->code;
    kept.reset(search_->plan.in_situ.kept);
    graph.reset(static_cast<int>(code.threads.size()), static_cast<int>(code.cells.size()), search_->plan.class_set_count,
                stride_, search_->plan.tracking, code.forks);
    int broken = in_situ_.whole(graph, kept);
    for (std::size_t cell = 0; cell < code.cells.size() && broken < 0; ++cell) {
        Event event;
        event.index = event.cell = static_cast<std::int32_t>(cell);
        event.value = code.cells[cell];
        int e = graph.add(event, {});
        graph.show(e, class_sets(0));
        graph.insert_mo(e, -1);
        broken = check_step(graph, kept, e, Bits::below(e));
    }
    return broken;
}

// Whether nothing of `present` comes after event e: in its thread, in modification order, or by reading from it.
template <int W>
bool Runner<W>::is_last(const Graph<W>& graph, int e, const Bits& present) const {
    const Event& event = graph.events[e];
    if (event.kind == EventKind::READ && (event.rf < 0 || graph.mo_after[event.rf].meets(present))) return false;
    if (event.kind == EventKind::WRITE && (graph.mo_after[e] | graph.readers[e]).meets(present)) return false;
    if (!search_->plan.ahead || event.thread < 0) return true;
    if (graph.forks) return false;
    for (int k = event.index + 1; k < graph.length(event.thread); ++k)
        if (present.test(graph.line(event.thread)[k])) return false;
    return true;
}

// Checks the graph with event e, of which `present` is the rest; keeps e's pairs where the graph is consistent.
// Returns the number of a constraint that fails, or -1. `whole` is false where only e's own pairs are to be checked.
template <int W>
int Runner<W>::check_step(const Graph<W>& graph, Kept<W>& kept, int e, const Bits& present, bool whole) {
    const bool safe = search_->plan.in_situ.extensible && is_last(graph, e, present);
    in_situ_.step(graph, kept, e, present);
#ifdef XGEN_ASSERT
    if (safe && in_situ_.check(kept, e) >= 0) std::abort();
#endif
    int broken = safe ? -1 : in_situ_.check(kept, e);
    if (broken >= 0) return broken;
    in_situ_.commit(kept, e);
#ifdef XGEN_ASSERT
    Bits all = present;
    all.set(e);
    // Recomputing costs the square of the size: large graphs run the same code.
    if (graph.size() <= 100 && !in_situ_.verify(graph, kept, all)) std::abort();
    if (safe && whole && in_situ_.whole(graph, kept) >= 0) std::abort();
#endif
    if (safe || !whole) return -1;
    broken = in_situ_.whole(graph, kept);
    if (broken >= 0) in_situ_.withdraw(kept, e);
    return broken;
}

}  // namespace xgen
