#include "explore.hpp"

#include <chrono>
#include <limits>

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
std::vector<std::uint64_t> resized_sets(const std::vector<std::uint64_t>& words) {
    std::vector<std::uint64_t> result(words.size() / V * W);
    for (std::size_t i = 0; i < words.size(); ++i) result[i / V * W + i % V] = words[i];
    return result;
}

template <int V, int W>
Graph<W> resized_graph(const Graph<V>& g) {
    return {g.events,
            g.states,
            g.locals,
            resized_rows<V, W>(g.prefix),
            resized_rows<V, W>(g.po_before),
            resized_rows<V, W>(g.readers),
            resized_rows<V, W>(g.mo_before),
            resized_rows<V, W>(g.mo_after),
            g.mo_previous,
            g.mo_next,
            resized_rows<V, W>(g.addr),
            resized_rows<V, W>(g.data),
            resized_rows<V, W>(g.ctrl),
            resized_sets<V, W>(g.taints),
            g.threads,
            g.frontier,
            g.starts,
            resized_rows<V, W>(g.thread_bits),
            resized_rows<V, W>(g.cell_bits),
            g.mo_last,
            resized_rows<V, W>(g.class_bits),
            resized<W>(g.visible),
            g.cells,
            g.stride,
            g.tracking,
            g.forks};
}

template <int V, int W>
Frame<W> resized_frame(const Frame<V>& f) {
    return {static_cast<typename Frame<W>::Step>(f.step), f.event, resized<W>(f.addr), resized<W>(f.data),
            resized<W>(f.ctrl), f.broken, f.added, f.first, f.revisiting, f.candidate,
            resized<W>(f.reads), f.read, resized<W>(f.read_prefix), f.targets, f.next, f.end};
}

}  // namespace

template <int W>
Explorer<W>::Explorer(Search& search)
    : search_(&search), machine_(search.code, W), in_situ_(search.plan.in_situ), final_(search.plan.final),
      load_buffering_(search.plan.load_buffering) {
    for (const auto& t : search.code.threads) stride_ = std::max(stride_, t.locals);
    start();
}

template <int W>
template <int V>
Explorer<W>::Explorer(const Explorer<V>& o)
    : search_(o.search_), machine_(o.search_->code, W), in_situ_(o.search_->plan.in_situ), final_(o.search_->plan.final),
      load_buffering_(o.load_buffering_), depth_(o.depth_), arrived_(o.arrived_), halt_(o.halt_), confirming_(o.confirming_), pending_(o.pending_),
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

// ---- sharing ----

template <int W>
bool Explorer<W>::has_options(const Frame<W>& frame) {
    switch (frame.step) {
    case Step::WRITE: return !frame.revisiting || frame.reads.any();
    case Step::CHOICE: return frame.next <= frame.end;
    case Step::FENCE: return false;
    default: return frame.candidate >= 0;
    }
}

template <int W>
void Explorer<W>::drop_options(Frame<W>& frame) {
    frame.candidate = -1;
    frame.revisiting = true;
    frame.reads = {};
    frame.next = 1;
    frame.end = 0;
    frame.broken = -1;
}

template <int W>
std::unique_ptr<AnyExplorer> Explorer<W>::split() {
    if (confirming_ >= 0) return nullptr;
    for (int c = 0; c < depth_; ++c)
        for (int f = 0; f < contexts_[c]->depth; ++f)
            if (has_options(contexts_[c]->frames[f])) {
                std::unique_ptr<AnyExplorer> part(new Explorer(*this, *contexts_[c], f));
                drop_options(contexts_[c]->frames[f]);
                return part;
            }
    return nullptr;
}

template <int W>
Explorer<W>::Explorer(const Explorer& whole, const Context<W>& context, int frame)
    : search_(whole.search_), machine_(search_->code, W), in_situ_(search_->plan.in_situ), final_(search_->plan.final),
      load_buffering_(whole.load_buffering_), depth_(1), initial_states_(whole.initial_states_),
      initial_locals_(whole.initial_locals_), stride_(whole.stride_) {
    contexts_.push_back(std::make_unique<Context<W>>(context));
    Context<W>& own = top();
    for (int f = own.depth - 1; f >= frame; --f)
        if (own.frames[f].added) take_back(own.frames[f]);
    own.depth = frame + 1;
    for (int f = 0; f < frame; ++f) drop_options(own.frames[f]);
}

// ---- going to a subtree ----

// Takes branches of the graph at the top, one after the other, up to `count`; returns how many there were. The last one
// taken stays.
template <int W>
int Explorer<W>::take_branches(int count) {
    if (arrived_) {
        arrived_ = false;
        if (!descend()) {
            arrived_ = true;
            return 0;
        }
    }
    const int context = depth_;
    int taken = 0;
    for (; taken < count && halt_ == Halt::BUDGET; ++taken) {
        depth_ = context;
        arrived_ = false;
        if (!advance()) break;
    }
    return taken;
}

template <int W>
bool Explorer<W>::enter(const std::vector<std::int32_t>& path) {
    if (path.empty()) return true;
    for (std::int32_t branch : path) {
        const int context = depth_ - 1, frame = arrived_ ? top().depth : top().depth - 1;
        if (frame < 0 || take_branches(branch + 1) != branch + 1) return false;
        drop_options(contexts_[context]->frames[frame]);
        contexts_[context]->frames[frame].first = false;
    }
    // What was passed on the way is counted by who explores it.
    search_->counters = {};
    search_->witness = {};
    confirming_ = -1;
    return true;
}

template <int W>
int Explorer<W>::branches() {
    return take_branches(std::numeric_limits<int>::max());
}

// ---- the search ----

template <int W>
Halt Explorer<W>::run(double seconds) {
    using Clock = std::chrono::steady_clock;
    constexpr std::uint32_t TICKS = W <= 4 ? 64 : 1;  // steps between two looks at the clock
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    search_->paused = false;
    for (std::uint32_t ticks = 1; halt_ == Halt::BUDGET; ++ticks) {
        if (ticks % TICKS == 0) {
            if (search_->sharing.stop.load(std::memory_order_relaxed) || Clock::now() > deadline) return Halt::BUDGET;
            if (search_->sharing.wanted.load(std::memory_order_relaxed) > 0) return Halt::SHARE;
        }
        if (search_->paused) return Halt::BUDGET;
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
    const Code& code = search_->code;
    contexts_.push_back(std::make_unique<Context<W>>());
    depth_ = 1;
    Context<W>& context = top();
    const int threads = static_cast<int>(code.threads.size());
    context.kept.resize(search_->plan.in_situ.nodes.size());
    context.graph.reset(threads, static_cast<int>(code.cells.size()), search_->plan.class_set_count, stride_,
                        search_->plan.tracking, code.forks);
    int broken = in_situ_.whole(context.graph, context.kept);
    for (std::size_t cell = 0; cell < code.cells.size() && broken < 0; ++cell) {
        Frame<W> frame;
        frame.event.index = frame.event.cell = static_cast<std::int32_t>(cell);
        frame.event.value = code.cells[cell];
        int e = context.graph.add(frame.event, class_sets(0), {});
        context.graph.insert_mo(e, -1);
        broken = check_step(context, e, Bits::below(e));
    }
    if (broken >= 0) {
        search_->culprit = broken;
        return halt(Halt::UNCERTIFIED);
    }
    initial_states_.resize(threads);
    initial_locals_.resize(static_cast<std::size_t>(threads) * stride_);
    ++search_->counters.explored;
    arrived_ = true;
    bool error = false;
    for (int t = 0; t < threads; ++t) {
        std::int64_t* locals = initial_locals_.data() + static_cast<std::size_t>(t) * stride_;
        std::copy(code.threads[t].initial.begin(), code.threads[t].initial.end(), locals);
        initial_states_[t].pc = code.threads[t].entry;
        machine_.run(t, initial_states_[t], locals, {});
        error |= !code.threads[t].waits && is_error(initial_states_[t].status);
        if (initial_states_[t].status == Status::RUNAWAY) {
            search_->culprit = initial_states_[t].pc;
            return halt(Halt::RUNAWAY);
        }
    }
    if (error) found_violation();
}

template <int W>
bool Explorer<W>::descend() {
    const Graph<W>& graph = top().graph;
    const std::int32_t bound = search_->settings.max_depth;
    const int threads = static_cast<int>(graph.threads.size());
    const std::int64_t* locals;
    // The write of an RMW comes right after its read.
    for (int t = 0; load_buffering_ && t < threads; ++t)
        if (state_of(graph, t, locals).writing) pending_ = t;
    if (pending_ >= 0) {
        open_event(pending_, state_of(graph, pending_, locals));
        return true;
    }
    for (int t = 0; t < threads; ++t) {
        const ThreadState& state = state_of(graph, t, locals);
        if (state.status == Status::CHOICE && is_started(graph, t) && (bound < 0 || state.choices < CHOICES)) {
            open_choice(t, state, locals);
            return true;
        }
        if (state.status != Status::EVENT || !may_step(graph, t, state)) continue;
        int events = search_->code.instructions[state.pc].op == Op::RMW ? 2 : 1;
        if (bound >= 0 && state.events + events > bound) continue;
        open_event(t, state);
        return true;
    }
    return false;
}

template <int W>
bool Explorer<W>::is_started(const Graph<W>& graph, int thread) const {
    return !search_->code.threads[thread].waits || graph.starts[thread] >= 0;
}

// Whether the thread has been started, and does not wait for the end of another.
template <int W>
bool Explorer<W>::may_step(const Graph<W>& graph, int thread, const ThreadState& state) const {
    const Instruction& i = search_->code.instructions[state.pc];
    const std::int64_t* locals;
    return is_started(graph, thread) && (i.op != Op::JOIN || state_of(graph, i.a, locals).status == Status::ENDED);
}

template <int W>
void Explorer<W>::open_event(int thread, const ThreadState& state) {
    Context<W>& context = top();
    const Graph<W>& graph = context.graph;
    const Instruction& i = search_->code.instructions[state.pc];
    const bool write = i.op == Op::STORE || state.writing;
    const bool reads = i.op == Op::LOAD || i.op == Op::RMW;
    Frame<W>& frame = open_frame(context, write ? Step::WRITE : reads ? Step::READ : Step::FENCE);
    Event& event = frame.event;
    event.thread = thread;
    event.index = graph.frontier[thread];
    event.pc = state.pc;
    event.kind = write ? EventKind::WRITE : reads ? EventKind::READ : EventKind::FENCE;
    event.event_class = i.c;
    event.rmw = state.writing;
    if (graph.tracking) find_dependencies(graph, frame);
    if (event.kind == EventKind::FENCE) return;
    event.cell = static_cast<std::int32_t>(state.a);
    frame.candidate = graph.mo_last[event.cell];
    event.value = state.b;
    event.expected = state.expected;
    if (!state.writing) return;
    event.event_class = search_->code.rmws[i.c].write_class;
    frame.candidate = graph.events[graph.last(thread)].rf;
    // Only after an RMW that reads the mo-last write is this the maximal step.
    frame.first = frame.candidate == graph.mo_last[event.cell];
}

// An RMW that reads `value` is one event or two, and its read is of one class or another.
template <int W>
void Explorer<W>::set_read_class(Event& event, std::int64_t value) const {
    const Instruction& i = search_->code.instructions[event.pc];
    if (i.op != Op::RMW) return;
    const RmwCode& rmw = search_->code.rmws[i.c];
    event.rmw = Machine::writes(rmw.kind, value, event.expected);
    event.event_class = event.rmw ? rmw.read_class : rmw.failed_class;
}

template <int W>
Frame<W>& Explorer<W>::open_frame(Context<W>& context, Step step) {
    if (context.depth == static_cast<int>(context.frames.size())) context.frames.emplace_back();
    Frame<W>& frame = context.frames[context.depth++];
    frame.targets.clear();
    frame.event = Event();
    frame.broken = -1;
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
    frame.event.index = top().graph.frontier[thread];
    frame.event.pc = state.pc;
    if (top().graph.tracking) find_dependencies(top().graph, frame);
    if (search_->code.instructions[state.pc].op == Op::HAVOC) {
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
    int e = add(context, frame);
    int broken = check_step(context, e, Bits::below(e));
    if (broken >= 0) {
        remove(context);
        return refuse(frame, broken);
    }
    return arrive(frame, e, frame.event.pc + 1);
}

// An option of a forward step is inconsistent. Where it is the maximal one, the run is not certified. The maximal one is
// the first; with load buffering it is the first that is consistent.
template <int W>
bool Explorer<W>::refuse(Frame<W>& frame, int broken) {
    frame.broken = broken;
    if (load_buffering_ && frame.step != Step::FENCE) return false;
    exhausted(frame);
    frame.first = false;
    return false;
}

// All options of a forward step have been tried.
template <int W>
bool Explorer<W>::exhausted(const Frame<W>& frame) {
    if (frame.first && frame.broken >= 0) {
        search_->culprit = frame.broken;
        halt(Halt::UNCERTIFIED);
    }
    return false;
}

template <int W>
bool Explorer<W>::next_read(Frame<W>& frame) {
    Context<W>& context = top();
    while (frame.candidate >= 0 && halt_ == Halt::BUDGET) {
        int write = frame.candidate;
        frame.candidate = context.graph.mo_previous[write];
        set_read_class(frame.event, context.graph.events[write].value);
        int e = add(context, frame);
        context.graph.set_rf(e, write);
        int broken = check_step(context, e, Bits::below(e));
        if (broken < 0) return arrive(frame, e, frame.event.pc + 1);
        context.graph.clear_rf(e);
        remove(context);
        refuse(frame, broken);
    }
    return exhausted(frame);
}

template <int W>
bool Explorer<W>::next_place(Frame<W>& frame) {
    Context<W>& context = top();
    while (halt_ == Halt::BUDGET) {
        int place = take_place(context.graph, frame);
        if (place < 0) break;
        int e = add(context, frame);
        context.graph.insert_mo(e, place);
        int broken = check_step(context, e, Bits::below(e));
        if (broken < 0) return arrive(frame, e, frame.event.pc + 1);
        context.graph.remove_mo(e);
        remove(context);
        refuse(frame, broken);
    }
    return exhausted(frame);
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
    int e = add(context, frame);
    if (frame.targets.empty()) return arrive(frame, e, frame.event.pc + 1);
    return arrive(frame, e, frame.targets[option]);
}

template <int W>
bool Explorer<W>::next_revisit(Frame<W>& frame) {
    const Context<W>& context = top();
    const Graph<W>& graph = context.graph;
    const Bits prefix = base_prefix(graph, frame);
    if (!frame.revisiting) {
        frame.revisiting = true;
        frame.reads = {};
        (graph.cell_bits[frame.event.cell] - prefix).each([&](int r) {
            if (graph.events[r].kind == EventKind::READ) frame.reads.set(r);
        });
    }
    for (int read; (read = frame.reads.first()) >= 0;) {
        frame.reads.reset(read);
        ++search_->counters.revisits_tried;
        if (!may_revisit(context, read, prefix)) continue;
        revisit(context, frame, prefix, read);
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
        int e = add(context, frame);
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
                ++search_->counters.revisits;
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

// Whether a write with this prefix may revisit a read: whether the read, and all that was added after it and is not in
// the prefix, was added maximally.
template <int W>
bool Explorer<W>::may_revisit(const Context<W>& context, int read, const Bits& prefix) {
    const Graph<W>& graph = context.graph;
    for (int d = read; d < graph.size(); ++d)
        if (!prefix.test(d) && !is_maximal(graph, d, prefix)) return false;
    if (!load_buffering_) return true;
    for (int d = read; d < graph.size(); ++d)
        if (!prefix.test(d) && !took_last_option(context, d, Bits::below(d) | prefix)) return false;
    return true;
}

// Whether d was added maximally with respect to a write with this prefix. With Prev = the events added no later than
// d, and the prefix: no read of Prev reads from d, and d, if it is a write, or the write that it reads from, is in Prev
// and mo-last there. A choice took its first option. With load buffering, what is mo-last is left to took_last_option.
template <int W>
bool Explorer<W>::is_maximal(const Graph<W>& graph, int d, const Bits& prefix) const {
    const Event& event = graph.events[d];
    if (event.kind == EventKind::FENCE) return true;
    if (event.kind == EventKind::CHOICE) return event.canonical;
    const Bits before = Bits::below(d + 1) | prefix;
    const bool write = event.kind == EventKind::WRITE;
    if (write ? graph.readers[d].meets(before) : !before.test(event.rf)) return false;
    return load_buffering_ || !graph.mo_after[write ? d : event.rf].meets(before);
}

// Whether d took the mo-last of its options that are consistent in the graph of d and the events `before`.
template <int W>
bool Explorer<W>::took_last_option(const Context<W>& context, int d, const Bits& before) {
    const Graph<W>& old = context.graph;
    const Event& event = old.events[d];
    if (event.kind != EventKind::READ && event.kind != EventKind::WRITE) return true;
    const bool write = event.kind == EventKind::WRITE;
    const std::vector<std::int32_t> place = copy_part(context, before, -1, scratch_);
    Graph<W>& graph = scratch_.graph;
    int taken = write ? old.mo_previous[d] : event.rf;
    while (place[taken] < 0) taken = old.mo_previous[taken];

    Frame<W> frame;
    frame.event = event;
    frame.event.rf = -1;
    auto moved = [&](const Bits& row) {
        Bits r;
        row.each([&](int s) { r.set(place[s]); });
        return r;
    };
    if (graph.tracking) {
        frame.addr = moved(old.addr[d]);
        frame.data = moved(old.data[d]);
        frame.ctrl = moved(old.ctrl[d]);
    }
    frame.candidate = graph.mo_last[event.cell];
    if (write && event.rmw) frame.candidate = graph.events[graph.at(event.thread, event.index - 1)].rf;
    for (;;) {
        int option = frame.candidate;
        if (write)
            option = take_place(graph, frame);
        else if (option >= 0)
            frame.candidate = graph.mo_previous[option];
        if (option < 0) return false;
        if (!write) set_read_class(frame.event, graph.events[option].value);
        int e = add(scratch_, frame);
        if (write)
            graph.insert_mo(e, option);
        else
            graph.set_rf(e, option);
        if (check_step(scratch_, e, Bits::below(e)) < 0) return option == place[taken];
        if (write)
            graph.remove_mo(e);
        else
            graph.clear_rf(e);
        remove(scratch_);
    }
}

// Opens a context in which a frame's write revisits `read`: the graph without what was added after the read and is not
// in the write's prefix. The write's places in modification order are the options of the context's first frame.
template <int W>
void Explorer<W>::revisit(const Context<W>& from, const Frame<W>& write, const Bits& prefix, int read) {
    if (depth_ == static_cast<int>(contexts_.size())) contexts_.push_back(std::make_unique<Context<W>>());
    Context<W>& context = *contexts_[depth_++];
    Graph<W>& graph = context.graph;
    const auto place = copy_part(from, Bits::below(read + 1) | prefix, read, context);
    auto moved = [&](const Bits& row) {
        Bits r;
        row.each([&](int s) { r.set(place[s]); });
        return r;
    };
    Event& event = graph.events[read];
    for (int k : class_sets(event.event_class)) graph.class_bits[k].reset(read);
    set_read_class(event, write.event.value);
    for (int k : class_sets(event.event_class)) graph.class_bits[k].set(read);

    context.depth = 0;
    Frame<W>& frame = open_frame(context, Step::REVISIT);
    frame.event = write.event;
    if (graph.tracking) {
        frame.addr = moved(write.addr);
        frame.data = moved(write.data);
        frame.ctrl = moved(write.ctrl);
    }
    frame.read = read;
    frame.read_prefix = graph.prefix[read];
    const auto& e = frame.event;
    frame.candidate = e.rmw ? graph.events[graph.at(e.thread, e.index - 1)].rf : graph.mo_last[e.cell];
}

// Copies the events of `keep` with their relations; their slots close up. Where `open_read` >= 0, that read is copied,
// but reads from nothing yet, and has no pairs in the kept relations. Returns the new slots, -1 for what is dropped.
template <int W>
std::vector<std::int32_t> Explorer<W>::copy_part(const Context<W>& from, const Bits& keep, int open_read,
                                                 Context<W>& to) {
    const Graph<W>& old = from.graph;
    Graph<W>& graph = to.graph;
    std::vector<std::int32_t> slots, place(old.size(), -1);
    keep.each([&](int s) {
        place[s] = static_cast<std::int32_t>(slots.size());
        slots.push_back(s);
    });
    // The first events stay as they are, with their slots.
    int same = 0;
    while (same < static_cast<int>(slots.size()) && slots[same] == same && same != open_read) ++same;
    const Bits low = Bits::below(same);
    const Bits high = keep - low;
    auto moved = [&](const Bits& row) {
        Bits r = row & low;
        (row & high).each([&](int s) { r.set(place[s]); });
        return r;
    };

    graph.reset(static_cast<int>(old.threads.size()), old.cells, static_cast<int>(old.class_bits.size()), old.stride,
                old.tracking, old.forks);
    for (int s : slots) {
        Event event = old.events[s];
        if (event.rf >= 0) event.rf = s == open_read ? -1 : place[event.rf];
        graph.events.push_back(event);
        graph.states.push_back(old.states[s]);
        graph.locals.insert(graph.locals.end(), old.locals_of(s), old.locals_of(s) + old.stride);
        graph.prefix.push_back(moved(old.prefix[s]));
        if (old.forks) graph.po_before.push_back(moved(old.po_before[s]));
        graph.readers.push_back(moved(old.readers[s]));
        graph.mo_before.push_back(moved(old.mo_before[s]));
        graph.mo_after.push_back(moved(old.mo_after[s]));
        if (old.tracking) {
            graph.addr.push_back(moved(old.addr[s]));
            graph.data.push_back(moved(old.data[s]));
            graph.ctrl.push_back(moved(old.ctrl[s]));
            graph.taints.insert(graph.taints.end(), old.taint_of(s), old.taint_of(s) + old.taint_words());
        }
        if (event.thread >= 0) graph.link(place[s]);
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
    graph.visible = moved(old.visible);
    for (std::size_t t = 0; t < old.threads.size(); ++t)
        if (old.starts[t] >= 0) graph.starts[t] = place[old.starts[t]];
    if (open_read >= 0) {
        int read = place[open_read];
        graph.readers[place[old.events[open_read].rf]].reset(read);
        graph.prefix[read] = base_prefix(graph, read);
    }

    // The relations of the first events are the same; the rest is computed anew.
    Bits present = low;
    to.kept.resize(from.kept.size());
    for (std::size_t n = 0; n < from.kept.size(); ++n) {
        if (!search_->plan.in_situ.nodes[n].kept) continue;
        Matrix<W>& m = to.kept[n];
        m.after.assign(from.kept[n].after.begin(), from.kept[n].after.begin() + same);
        m.before.assign(from.kept[n].before.begin(), from.kept[n].before.begin() + same);
        for (Bits& row : m.after) row &= low;
        for (Bits& row : m.before) row &= low;
        m.grow(graph.size() + 1);
    }
    for (int s = same; s < graph.size(); ++s) {
        if (graph.events[s].kind == EventKind::CHOICE || slots[s] == open_read) continue;
        in_situ_.step(graph, to.kept, s, present);
        in_situ_.commit(to.kept, s);
        present.set(s);
    }
    return place;
}

// ---- events ----

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
    Taint taint;
    if (graph.tracking) taint = taint_after(graph, slot, reads ? i.dst : -1);
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
    if (search_->settings.all_states || confirming_ >= 0 || !search_->plan.final.whole_checks.empty()) return;
    search_->witness = trace(top().graph, false);
    confirming_ = CONFIRMING_STEPS;
}

// ---- whole executions ----

// Whether a blocked thread waits for a mutex that nobody will give back any more: the last that it has seen of it, held,
// is also the last that there is.
template <int W>
bool Explorer<W>::is_stuck_at_lock(const Graph<W>& graph, int thread, const ThreadState& state) const {
    const Instruction& i = search_->code.instructions[state.pc];
    if (i.op != Op::RMW || search_->code.rmws[i.c].kind != RmwKind::LOCK) return false;
    const Event& read = graph.events[graph.last(thread)];
    return read.pc == state.pc && read.rf == graph.mo_last[read.cell];
}

template <int W>
void Explorer<W>::finish() {
    const Graph<W>& graph = top().graph;
    Counters& counters = search_->counters;
    if (final_.whole(graph, {}) >= 0) {
        ++counters.rejected;
        return;
    }
    bool bounded = false, blocked = false, violation = false, deadlock = false, waiting = false;
    for (int t = 0; t < static_cast<int>(graph.threads.size()); ++t) {
        const std::int64_t* locals;
        const ThreadState state = state_of(graph, t, locals);
        const Status status = state.status;
        if (!is_started(graph, t)) continue;
        if (status == Status::EVENT && !may_step(graph, t, state)) {
            blocked = waiting = true;
        } else if (status == Status::EVENT || status == Status::CHOICE || status == Status::CUT) {
            bounded = true;
            search_->cuts.insert(state.pc);
        }
        blocked |= status == Status::BLOCKED;
        violation |= is_error(status);
        if (status == Status::BLOCKED) (is_stuck_at_lock(graph, t, state) ? deadlock : waiting) = true;
    }
    deadlock = deadlock && !waiting && !bounded;
    violation |= deadlock;
    ++(bounded ? counters.bounded : blocked ? counters.blocked : counters.executions);
    counters.violations += violation;
    if (!bounded && !blocked) count_outcome(graph, violation);
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

template <int W>
void Explorer<W>::count_outcome(const Graph<W>& graph, bool violation) {
    outcome_.clear();
    for (int t = 0; t < static_cast<int>(graph.threads.size()); ++t) {
        const std::int64_t* locals;
        state_of(graph, t, locals);
        for (int local : search_->settings.shown[t]) outcome_.push_back(locals[local]);
    }
    for (int cell : search_->settings.shown_cells) outcome_.push_back(graph.events[graph.mo_last[cell]].value);
    search_->outcomes_complete &= search_->outcomes.add(outcome_, violation, search_->settings.outcome_limit);
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
Trace Explorer<W>::trace(const Graph<W>& graph, bool deadlock) const {
    Trace trace;
    trace.deadlock = deadlock;
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
        trace.locals.emplace_back(locals, locals + search_->code.threads[t].locals);
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
