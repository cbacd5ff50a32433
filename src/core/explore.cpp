#include "explore.hpp"

#include <chrono>

namespace xgen {

namespace {

// How far a violating graph is extended to show that it is part of a whole execution that the model allows.
constexpr std::int64_t CONFIRMING_STEPS = 10'000;

template <int V, int W>
std::vector<Row<W>> resized_rows(const std::vector<Row<V>>& rows) {
    std::vector<Row<W>> result;
    result.reserve(rows.size());
    for (const auto& row : rows) result.push_back(resized<W>(row));
    return result;
}

template <int V, int W>
Graph<W> resized_graph(const Graph<V>& g) {
    return {g.events,
            g.states,
            g.locals,
            resized_rows<V, W>(g.prefix),
            resized_rows<V, W>(g.readers),
            resized_rows<V, W>(g.mo_before),
            resized_rows<V, W>(g.mo_after),
            g.mo_previous,
            g.mo_next,
            g.threads,
            resized_rows<V, W>(g.thread_bits),
            resized_rows<V, W>(g.cell_bits),
            g.mo_last,
            resized_rows<V, W>(g.class_bits),
            resized<W>(g.visible),
            g.cells,
            g.stride};
}

template <int V, int W>
Frame<W> resized_frame(const Frame<V>& f) {
    return {static_cast<typename Frame<W>::Step>(f.step), f.event, f.added, f.first, f.revisiting, f.candidate,
            resized<W>(f.reads), f.read, resized<W>(f.read_prefix), f.targets, f.next, f.end};
}

}  // namespace

template <int W>
Explorer<W>::Explorer(Search& search)
    : search_(search), machine_(search.code), in_situ_(search.plan.in_situ), final_(search.plan.final) {
    for (const auto& t : search.code.threads) stride_ = std::max(stride_, t.locals);
    start();
}

template <int W>
template <int V>
Explorer<W>::Explorer(const Explorer<V>& o)
    : search_(o.search_), machine_(o.search_.code), in_situ_(o.search_.plan.in_situ), final_(o.search_.plan.final),
      depth_(o.depth_), arrived_(o.arrived_), halt_(o.halt_), confirming_(o.confirming_), pending_(o.pending_),
      initial_states_(o.initial_states_), initial_locals_(o.initial_locals_), stride_(o.stride_) {
    for (int i = 0; i < depth_; ++i) {
        const Context<V>& from = *o.contexts_[i];
        auto to = std::make_unique<Context<W>>();
        to->graph = resized_graph<V, W>(from.graph);
        for (const Matrix<V>& m : from.kept)
            to->kept.push_back({resized_rows<V, W>(m.after), resized_rows<V, W>(m.before)});
        to->depth = from.depth;
        for (int k = 0; k < from.depth; ++k) to->frames.push_back(resized_frame<V, W>(from.frames[k]));
        contexts_.push_back(std::move(to));
    }
}

template <int W>
std::unique_ptr<AnyExplorer> Explorer<W>::widened() const {
    if constexpr (W < 256)
        return std::make_unique<Explorer<W * (W < 4 ? 2 : 4)>>(*this);
    else
        return nullptr;
}

// ---- the search ----

template <int W>
Halt Explorer<W>::run(double seconds) {
    using Clock = std::chrono::steady_clock;
    constexpr std::uint32_t TICKS = W <= 4 ? 64 : 1;  // steps between two looks at the clock
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    search_.paused = false;
    for (std::uint32_t ticks = 1; halt_ == Halt::BUDGET; ++ticks) {
        if (search_.paused || (ticks % TICKS == 0 && Clock::now() > deadline)) return Halt::BUDGET;
        if (confirming_ >= 0 && confirming_-- == 0) return Halt::VIOLATION;
        if (arrived_) {
            full_ = top().graph.size() >= 64 * W;
            if (full_) return Halt::BUDGET;
            arrived_ = false;
            if (!descend()) finish();
        } else if (top().depth > 0) {
            if (!advance()) --top().depth;
        } else if (--depth_ == 0) {
            halt(Halt::DONE);
        }
    }
    return halt_;
}

template <int W>
void Explorer<W>::start() {
    const Code& code = search_.code;
    contexts_.push_back(std::make_unique<Context<W>>());
    depth_ = 1;
    Context<W>& context = top();
    const int threads = static_cast<int>(code.threads.size());
    context.kept.resize(search_.plan.in_situ.nodes.size());
    context.graph.reset(threads, static_cast<int>(code.cells.size()), search_.plan.class_set_count, stride_);
    int broken = in_situ_.whole(context.graph, context.kept);
    for (std::size_t cell = 0; cell < code.cells.size() && broken < 0; ++cell) {
        Event event;
        event.index = event.cell = static_cast<std::int32_t>(cell);
        event.value = code.cells[cell];
        int e = add(context, event);
        context.graph.insert_mo(e, -1);
        broken = check_step(context, e, Bits::below(e));
    }
    if (broken >= 0) {
        search_.culprit = broken;
        return halt(Halt::UNCERTIFIED);
    }
    initial_states_.resize(threads);
    initial_locals_.resize(static_cast<std::size_t>(threads) * stride_);
    ++search_.counters.explored;
    arrived_ = true;
    bool error = false;
    for (int t = 0; t < threads; ++t) {
        std::int64_t* locals = initial_locals_.data() + static_cast<std::size_t>(t) * stride_;
        std::copy(code.threads[t].initial.begin(), code.threads[t].initial.end(), locals);
        initial_states_[t].pc = code.threads[t].entry;
        machine_.run(t, initial_states_[t], locals);
        error |= is_error(initial_states_[t].status);
        if (initial_states_[t].status == Status::RUNAWAY) {
            search_.culprit = initial_states_[t].pc;
            return halt(Halt::RUNAWAY);
        }
    }
    if (error) found_violation();
}

template <int W>
bool Explorer<W>::descend() {
    const Graph<W>& graph = top().graph;
    const std::int32_t bound = search_.settings.max_depth;
    const int threads = static_cast<int>(graph.threads.size());
    const std::int64_t* locals;
    // The write of an RMW comes right after its read.
    if (pending_ >= 0) {
        open_event(pending_, state_of(graph, pending_, locals));
        return true;
    }
    for (int t = 0; t < threads; ++t) {
        const ThreadState& state = state_of(graph, t, locals);
        if (state.status == Status::CHOICE && (bound < 0 || state.choices < CHOICES)) {
            open_choice(t, state, locals);
            return true;
        }
        if (state.status != Status::EVENT) continue;
        int events = search_.code.instructions[state.pc].op == Op::RMW ? 2 : 1;
        if (bound >= 0 && state.events + events > bound) continue;
        open_event(t, state);
        return true;
    }
    return false;
}

template <int W>
void Explorer<W>::open_event(int thread, const ThreadState& state) {
    Context<W>& context = top();
    const Graph<W>& graph = context.graph;
    const Instruction& i = search_.code.instructions[state.pc];
    const bool write = i.op == Op::STORE || state.writing;
    Frame<W>& frame = open_frame(context, write ? Step::WRITE : i.op == Op::FENCE ? Step::FENCE : Step::READ);
    Event& event = frame.event;
    event.thread = thread;
    event.index = static_cast<std::int32_t>(graph.threads[thread].size());
    event.pc = state.pc;
    event.kind = write ? EventKind::WRITE : i.op == Op::FENCE ? EventKind::FENCE : EventKind::READ;
    event.event_class = i.c;
    if (event.kind == EventKind::FENCE) return;
    event.cell = static_cast<std::int32_t>(state.a);
    frame.candidate = graph.mo_last[event.cell];
    if (write) event.value = state.b;
    if (!state.writing) return;
    event.rmw = true;
    event.event_class = search_.code.rmws[i.c].write_class;
    frame.candidate = graph.events[graph.last(thread)].rf;
    // Only after an RMW that reads the mo-last write is this the maximal step.
    frame.first = frame.candidate == graph.mo_last[event.cell];
}

// An RMW that reads `value` is one event or two, and its read is of one class or another.
template <int W>
void Explorer<W>::set_read_class(const Graph<W>& graph, Event& event, std::int64_t value) {
    const Instruction& i = search_.code.instructions[event.pc];
    if (i.op != Op::RMW) return;
    const std::int64_t* locals;
    event.rmw = machine_.rmw_writes(state_before(graph, event.thread, event.index, locals), value);
    const RmwCode& rmw = search_.code.rmws[i.c];
    event.event_class = event.rmw ? rmw.read_class : rmw.failed_class;
}

template <int W>
Frame<W>& Explorer<W>::open_frame(Context<W>& context, Step step) {
    if (context.depth == static_cast<int>(context.frames.size())) context.frames.emplace_back();
    Frame<W>& frame = context.frames[context.depth++];
    frame.targets.clear();
    frame.event = Event();
    frame.step = step;
    frame.added = frame.revisiting = false;
    frame.first = true;
    frame.candidate = frame.read = -1;
    return frame;
}

template <int W>
void Explorer<W>::open_choice(int thread, const ThreadState& state, const std::int64_t* locals) {
    Frame<W>& frame = open_frame(top(), Step::CHOICE);
    frame.event.kind = EventKind::CHOICE;
    frame.event.thread = thread;
    frame.event.index = static_cast<std::int32_t>(top().graph.threads[thread].size());
    frame.event.pc = state.pc;
    if (search_.code.instructions[state.pc].op == Op::HAVOC) {
        frame.next = state.a;
        frame.end = state.b;
    } else {
        frame.targets = machine_.enabled(thread, state, locals);
        frame.next = 0;
        frame.end = static_cast<std::int64_t>(frame.targets.size()) - 1;
    }
}

template <int W>
bool Explorer<W>::advance() {
    Frame<W>& frame = top().frames[top().depth - 1];
    if (frame.added) take_back(frame);
    switch (frame.step) {
    case Step::READ: return next_read(frame);
    case Step::WRITE: return (!frame.revisiting && next_place(frame)) || (halt_ == Halt::BUDGET && next_revisit(frame));
    case Step::CHOICE: return next_choice(frame);
    case Step::REVISIT: return next_revisited_place(frame);
    case Step::FENCE: break;
    }
    if (!frame.first) return false;
    Context<W>& context = top();
    int e = add(context, frame.event);
    int broken = check_step(context, e, Bits::below(e));
    if (broken >= 0) {
        remove(context);
        return refuse(frame, broken);
    }
    return arrive(frame, e, frame.event.pc + 1);
}

// An option of a forward step is inconsistent. Where it is the maximal one, the run is not certified.
template <int W>
bool Explorer<W>::refuse(Frame<W>& frame, int broken) {
    if (frame.first) {
        search_.culprit = broken;
        halt(Halt::UNCERTIFIED);
    }
    frame.first = false;
    return false;
}

template <int W>
bool Explorer<W>::next_read(Frame<W>& frame) {
    Context<W>& context = top();
    while (frame.candidate >= 0 && halt_ == Halt::BUDGET) {
        int write = frame.candidate;
        frame.candidate = context.graph.mo_previous[write];
        set_read_class(context.graph, frame.event, context.graph.events[write].value);
        int e = add(context, frame.event);
        context.graph.set_rf(e, write);
        int broken = check_step(context, e, Bits::below(e));
        if (broken < 0) return arrive(frame, e, frame.event.pc + 1);
        context.graph.clear_rf(e);
        remove(context);
        refuse(frame, broken);
    }
    return false;
}

template <int W>
bool Explorer<W>::next_place(Frame<W>& frame) {
    Context<W>& context = top();
    while (halt_ == Halt::BUDGET) {
        int place = take_place(context.graph, frame);
        if (place < 0) break;
        int e = add(context, frame.event);
        context.graph.insert_mo(e, place);
        int broken = check_step(context, e, Bits::below(e));
        if (broken < 0) return arrive(frame, e, frame.event.pc + 1);
        context.graph.remove_mo(e);
        remove(context);
        refuse(frame, broken);
    }
    return false;
}

// The next place in modification order for the frame's write, which is put right after it; -1: there is none left.
// The write of an RMW has one place, right after what its read reads from.
template <int W>
int Explorer<W>::take_place(const Graph<W>& graph, Frame<W>& frame) const {
    while (frame.candidate >= 0) {
        int place = frame.candidate;
        frame.candidate = frame.event.rmw ? -1 : graph.mo_previous[place];
        if (graph.is_place(place)) return place;
    }
    return -1;
}

template <int W>
bool Explorer<W>::next_choice(Frame<W>& frame) {
    if (frame.next > frame.end) return false;
    Context<W>& context = top();
    std::int64_t option = frame.next++;
    frame.event.value = option;
    frame.event.canonical = frame.first;
    int e = add(context, frame.event);
    if (frame.targets.empty()) return arrive(frame, e, frame.event.pc + 1);
    return arrive(frame, e, frame.targets[option]);
}

template <int W>
bool Explorer<W>::next_revisit(Frame<W>& frame) {
    const Context<W>& context = top();
    const Graph<W>& graph = context.graph;
    Bits prefix;
    int previous = graph.last(frame.event.thread);
    if (previous >= 0) {
        prefix = graph.prefix[previous];
        prefix.set(previous);
    }
    if (!frame.revisiting) {
        frame.revisiting = true;
        frame.reads = {};
        (graph.cell_bits[frame.event.cell] - prefix).each([&](int r) {
            if (graph.events[r].kind == EventKind::READ) frame.reads.set(r);
        });
    }
    for (int read; (read = frame.reads.first()) >= 0;) {
        frame.reads.reset(read);
        ++search_.counters.revisits_tried;
        if (!may_revisit(graph, read, prefix)) continue;
        revisit(context, frame.event, prefix, read);
        return true;
    }
    return false;
}

template <int W>
bool Explorer<W>::next_revisited_place(Frame<W>& frame) {
    Context<W>& context = top();
    Graph<W>& graph = context.graph;
    const int read = frame.read;
    for (int place; (place = take_place(graph, frame)) >= 0;) {
        int e = add(context, frame.event);
        graph.insert_mo(e, place);
        Bits present = Bits::below(e);
        present.reset(read);
        bool allowed = in_situ_.step(graph, context.kept, e, present) < 0;
        if (allowed) {
            in_situ_.commit(context.kept, e);
            graph.set_rf(read, e);
            present.set(e);
            allowed = check_step(context, read, present) < 0;
            if (allowed) {
                ++search_.counters.revisits;
                return arrive(frame, e, frame.event.pc + 1);
            }
            graph.clear_rf(read);
            graph.prefix[read] = frame.read_prefix;
            in_situ_.withdraw(context.kept, e);
        }
        graph.remove_mo(e);
        remove(context);
    }
    return false;
}

template <int W>
void Explorer<W>::take_back(Frame<W>& frame) {
    Context<W>& context = top();
    Graph<W>& graph = context.graph;
    const int e = graph.size() - 1;
    frame.added = false;
    if (frame.step == Step::REVISIT) {
        in_situ_.withdraw(context.kept, frame.read);
        graph.clear_rf(frame.read);
        graph.prefix[frame.read] = frame.read_prefix;
    }
    if (frame.step != Step::CHOICE) in_situ_.withdraw(context.kept, e);
    if (frame.step == Step::READ) graph.clear_rf(e);
    if (frame.step == Step::WRITE || frame.step == Step::REVISIT) graph.remove_mo(e);
    remove(context);
}

// ---- revisits ----

// Whether d was added maximally with respect to a write with this prefix. With Prev = the events added no later than
// d, and the prefix: no read of Prev reads from d, and d, if it is a write, or the write that it reads from, is in Prev
// and mo-last there. A choice took its first option.
template <int W>
bool Explorer<W>::is_maximal(const Graph<W>& graph, int d, const Bits& prefix) const {
    const Event& event = graph.events[d];
    if (event.kind == EventKind::FENCE) return true;
    if (event.kind == EventKind::CHOICE) return event.canonical;
    const Bits before = Bits::below(d + 1) | prefix;
    if (event.kind == EventKind::WRITE) return !graph.readers[d].meets(before) && !graph.mo_after[d].meets(before);
    return before.test(event.rf) && !graph.mo_after[event.rf].meets(before);
}

template <int W>
bool Explorer<W>::may_revisit(const Graph<W>& graph, int read, const Bits& prefix) const {
    for (int d = read; d < graph.size(); ++d)
        if (!prefix.test(d) && !is_maximal(graph, d, prefix)) return false;
    return true;
}

// Opens a context in which `write` revisits `read`: the graph without what was added after the read and is not in the
// write's prefix. The write's places in modification order are the options of the context's first frame.
template <int W>
void Explorer<W>::revisit(const Context<W>& from, const Event& write, const Bits& prefix, int read) {
    if (depth_ == static_cast<int>(contexts_.size())) contexts_.push_back(std::make_unique<Context<W>>());
    Context<W>& context = *contexts_[depth_++];
    const Graph<W>& old = from.graph;
    Graph<W>& graph = context.graph;
    const Bits low = Bits::below(read + 1);
    const Bits keep = low | (prefix - Bits::below(read));

    // Slots up to the read's stay; those of the prefix close up behind it.
    std::vector<std::int32_t> slots;
    keep.each([&](int s) { slots.push_back(s); });
    std::vector<std::int32_t> place(old.size(), -1);
    for (std::size_t i = 0; i < slots.size(); ++i) place[slots[i]] = static_cast<std::int32_t>(i);
    auto moved = [&](const Bits& row) {
        Bits r = row & low;
        ((row & keep) - low).each([&](int s) { r.set(place[s]); });
        return r;
    };

    graph.reset(static_cast<int>(old.threads.size()), old.cells, static_cast<int>(old.class_bits.size()), old.stride);
    for (int s : slots) {
        Event event = old.events[s];
        if (event.rf >= 0) event.rf = s == read ? -1 : place[event.rf];
        graph.events.push_back(event);
        graph.states.push_back(old.states[s]);
        graph.locals.insert(graph.locals.end(), old.locals_of(s), old.locals_of(s) + old.stride);
        graph.prefix.push_back(moved(old.prefix[s]));
        graph.readers.push_back(moved(old.readers[s]));
        graph.mo_before.push_back(moved(old.mo_before[s]));
        graph.mo_after.push_back(moved(old.mo_after[s]));
        if (event.thread >= 0) graph.threads[event.thread].push_back(place[s]);
    }
    graph.readers[place[old.events[read].rf]].reset(read);
    graph.prefix[read] = {};
    const auto& thread = graph.threads[graph.events[read].thread];
    if (thread.size() > 1) {
        int previous = thread[thread.size() - 2];
        graph.prefix[read] = graph.prefix[previous];
        graph.prefix[read].set(previous);
    }
    graph.mo_previous.assign(slots.size(), -1);
    graph.mo_next.assign(slots.size(), -1);
    for (int cell = 0; cell < old.cells; ++cell) {
        int last = -1;
        for (int w = cell; w >= 0; w = old.mo_next[w]) {
            if (place[w] < 0) continue;
            if (last >= 0) {
                graph.mo_next[last] = place[w];
                graph.mo_previous[place[w]] = last;
            }
            last = place[w];
        }
        graph.mo_last[cell] = last;
        graph.cell_bits[cell] = moved(old.cell_bits[cell]);
    }
    for (std::size_t t = 0; t < old.threads.size(); ++t) graph.thread_bits[t] = moved(old.thread_bits[t]);
    for (std::size_t k = 0; k < old.class_bits.size(); ++k) graph.class_bits[k] = moved(old.class_bits[k]);
    for (int k : class_sets(graph.events[read].event_class)) graph.class_bits[k].reset(read);
    set_read_class(graph, graph.events[read], write.value);
    for (int k : class_sets(graph.events[read].event_class)) graph.class_bits[k].set(read);
    graph.visible = moved(old.visible);

    // The relations of what was added before the read are the same; the rest is computed anew, the read left out.
    Bits present = Bits::below(read);
    context.kept.resize(from.kept.size());
    for (std::size_t n = 0; n < from.kept.size(); ++n) {
        if (!search_.plan.in_situ.nodes[n].kept) continue;
        Matrix<W>& m = context.kept[n];
        m.after.assign(from.kept[n].after.begin(), from.kept[n].after.begin() + read);
        m.before.assign(from.kept[n].before.begin(), from.kept[n].before.begin() + read);
        for (Bits& row : m.after) row &= present;
        for (Bits& row : m.before) row &= present;
        m.grow(graph.size());
    }
    for (int s = read + 1; s < graph.size(); ++s) {
        if (graph.events[s].kind == EventKind::CHOICE) continue;
        in_situ_.step(graph, context.kept, s, present);
        in_situ_.commit(context.kept, s);
        present.set(s);
    }

    context.depth = 0;
    Frame<W>& frame = open_frame(context, Step::REVISIT);
    frame.event = write;
    frame.read = read;
    frame.read_prefix = graph.prefix[read];
    frame.candidate = write.rmw ? graph.events[graph.last(write.thread)].rf : graph.mo_last[write.cell];
}

// ---- events ----

template <int W>
int Explorer<W>::add(Context<W>& context, const Event& event) {
    return context.graph.add(event, class_sets(event.event_class));
}

template <int W>
void Explorer<W>::remove(Context<W>& context) {
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
    if (!in_situ_.verify(context.graph, context.kept, all)) std::abort();
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
    int previous = index > 0 ? graph.threads[thread][index - 1] : -1;
    locals = previous >= 0 ? graph.locals_of(previous)
                           : initial_locals_.data() + static_cast<std::size_t>(thread) * stride_;
    return previous >= 0 ? graph.states[previous] : initial_states_[thread];
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
    const Instruction& i = search_.code.instructions[event.pc];
    const bool reads = event.kind == EventKind::READ || i.op == Op::HAVOC;
    if (reads && i.dst >= 0) locals[i.dst] = event.value;
    if (event.kind == EventKind::CHOICE) {
        ++state.choices;
    } else {
        ++state.events;
        state.choices = 0;
    }
    if (i.op == Op::RMW && event.kind == EventKind::READ) {
        machine_.run_rmw(thread, state, event.value, locals);
    } else {
        state.writing = false;
        state.pc = pc;
        machine_.run(thread, state, locals);
    }
    if (state.writing) pending_ = thread;
    // The thread has come back to an earlier choice with the same state and without an event between: nothing new
    // can follow.
    const int locals_count = search_.code.threads[thread].locals;
    if (state.status == Status::CHOICE)
        for (int k = event.index; k >= 0 && graph.events[graph.threads[thread][k]].kind == EventKind::CHOICE; --k) {
            const std::int64_t* earlier;
            if (state_before(graph, thread, k, earlier).pc == state.pc &&
                std::equal(locals, locals + locals_count, earlier))
                state.status = Status::BLOCKED;
        }
    graph.states[slot] = state;
    if (state.status == Status::RUNAWAY) {
        search_.culprit = state.pc;
        halt(Halt::RUNAWAY);
    }
}

// The current option of `frame` is in the graph, as event e, and the graph is consistent.
template <int W>
bool Explorer<W>::arrive(Frame<W>& frame, int e, std::int32_t pc) {
    Context<W>& context = top();
    frame.added = true;
    frame.first = false;
    ++search_.counters.explored;
    pending_ = -1;
    if (frame.step == Step::REVISIT) run_after(context, frame.read, context.graph.events[frame.read].pc + 1);
    run_after(context, e, pc);
    arrived_ = true;
    const Graph<W>& graph = context.graph;
    if (is_error(graph.states[e].status) || (frame.step == Step::REVISIT && is_error(graph.states[frame.read].status)))
        found_violation();
    return true;
}

// Where every constraint is checked in situ, and forbids no maximal step, a consistent graph is part of a consistent
// whole execution; a few steps on confirm it. Otherwise the violation counts when the execution is whole.
template <int W>
void Explorer<W>::found_violation() {
    if (search_.settings.all_states || confirming_ >= 0 || !search_.plan.final.whole_checks.empty()) return;
    search_.witness = trace(top().graph);
    confirming_ = CONFIRMING_STEPS;
}

// ---- whole executions ----

template <int W>
void Explorer<W>::finish() {
    const Graph<W>& graph = top().graph;
    Counters& counters = search_.counters;
    if (final_.whole(graph, {}) >= 0) {
        ++counters.rejected;
        return;
    }
    bool bounded = false, blocked = false, violation = false;
    for (int t = 0; t < static_cast<int>(graph.threads.size()); ++t) {
        const std::int64_t* locals;
        Status status = state_of(graph, t, locals).status;
        bounded |= status == Status::EVENT || status == Status::CHOICE;
        blocked |= status == Status::BLOCKED;
        violation |= is_error(status);
    }
    ++(bounded ? counters.bounded : blocked ? counters.blocked : counters.executions);
    counters.violations += violation;
    if (!bounded && !blocked) count_outcome(graph, violation);
    if (counters.duplicates_checked < search_.settings.duplicate_limit) {
        ++counters.duplicates_checked;
        counters.duplicates += !search_.seen.insert(hash(graph));
    }
    if (static_cast<std::int64_t>(search_.traces.size()) < search_.settings.trace_limit) {
        search_.traces.push_back(trace(graph));
        search_.paused =
            search_.settings.stream && static_cast<std::int64_t>(search_.traces.size()) == search_.settings.trace_limit;
    }
    if (violation && !search_.settings.all_states) {
        if (confirming_ < 0) search_.witness = trace(graph);
        halt(Halt::VIOLATION);
    } else if (violation && search_.witness.ends.empty()) {
        search_.witness = trace(graph);
    }
}

template <int W>
void Explorer<W>::count_outcome(const Graph<W>& graph, bool violation) {
    outcome_.clear();
    for (int t = 0; t < static_cast<int>(graph.threads.size()); ++t) {
        const std::int64_t* locals;
        state_of(graph, t, locals);
        for (int local : search_.settings.shown[t]) outcome_.push_back(locals[local]);
    }
    for (int cell = 0; cell < graph.cells; ++cell) outcome_.push_back(graph.events[graph.mo_last[cell]].value);
    search_.outcomes_complete &= search_.outcomes.add(outcome_, violation, search_.settings.outcome_limit);
}

template <int W>
std::uint64_t Explorer<W>::hash(const Graph<W>& graph) const {
    auto name = [&](int slot) {
        const Event& e = graph.events[slot];
        return static_cast<std::uint64_t>(e.thread + 1) << 32 | static_cast<std::uint32_t>(e.index);
    };
    std::uint64_t sum = 0;
    for (int s = graph.cells; s < graph.size(); ++s) {
        const Event& e = graph.events[s];
        std::uint64_t detail = e.kind == EventKind::READ    ? name(e.rf)
                               : e.kind == EventKind::WRITE ? name(graph.mo_previous[s])
                                                            : static_cast<std::uint64_t>(e.value);
        sum += mix(mix(name(s) + 0x9e3779b97f4a7c15ULL) ^ detail);
    }
    return mix(sum);
}

template <int W>
Trace Explorer<W>::trace(const Graph<W>& graph) const {
    Trace trace;
    trace.hash = hash(graph);
    for (int s = 0; s < graph.size(); ++s)
        if (graph.events[s].kind != EventKind::CHOICE) trace.events.push_back({graph.events[s], s});
    for (int cell = 0; cell < graph.cells; ++cell) {
        auto& order = trace.mo.emplace_back();
        for (int w = cell; w >= 0; w = graph.mo_next[w]) order.push_back(w);
    }
    for (int t = 0; t < static_cast<int>(graph.threads.size()); ++t) {
        const std::int64_t* locals;
        trace.ends.push_back(state_of(graph, t, locals));
        trace.locals.emplace_back(locals, locals + search_.code.threads[t].locals);
    }
    return trace;
}

std::unique_ptr<AnyExplorer> make_explorer(Search& search, int events) {
    if (events < 64) return std::make_unique<Explorer<1>>(search);
    if (events < 128) return std::make_unique<Explorer<2>>(search);
    if (events < 256) return std::make_unique<Explorer<4>>(search);
    if (events < 1024) return std::make_unique<Explorer<16>>(search);
    if (events < 4096) return std::make_unique<Explorer<64>>(search);
    if (events < 16384) return std::make_unique<Explorer<256>>(search);
    return nullptr;
}

}  // namespace xgen
