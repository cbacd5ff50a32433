#include "explore.hpp"

#include "explore_events.hpp"
#include "explore_revisits.hpp"
#include "explore_sharing.hpp"
#include "resize.hpp"
#include "resolve.hpp"
#include "runner_results.hpp"
#include "runner_waiting.hpp"

namespace xgen {

namespace {

template <int V, int W>
Frame<W> resized_frame(const Frame<V>& f) {
    return {static_cast<typename Frame<W>::Step>(f.step), f.event, resized<W>(f.addr), resized<W>(f.data),
            resized<W>(f.ctrl), f.added, f.first, f.revisiting, f.candidate,
            resized<W>(f.reads), f.read, resized<W>(f.read_prefix), f.targets, f.next, f.end};
}

}  // namespace

template <int W>
Explorer<W>::Explorer(Search& search) : Runner<W>(search) {
    start();
}

template <int W>
template <int V>
Explorer<W>::Explorer(const Explorer<V>& o) : Runner<W>(o), depth_(o.depth_), pending_(o.pending_) {
    for (int i = 0; i < depth_; ++i) {
        const Context<V>& from = *o.contexts_[i];
        auto to = std::make_unique<Context<W>>();
        to->graph = resized_graph<V, W>(from.graph);
        to->kept = resized_kept<V, W>(from.kept);
        to->depth = from.depth;
        for (int k = 0; k < from.depth; ++k) to->frames.push_back(resized_frame<V, W>(from.frames[k]));
        contexts_.push_back(std::move(to));
    }
}

template <int W>
std::unique_ptr<AnyExplorer> Explorer<W>::widened() const {
    if constexpr (wider(W) > 0)
        return std::make_unique<Explorer<wider(W)>>(*this);
    else
        return nullptr;
}

template <int W>
Halt Explorer<W>::run(double seconds) {
    return this->run_steps(seconds, [&] {
        if (confirming_ >= 0 && confirming_-- == 0) {
            halt(Halt::VIOLATION);
            return true;
        }
        if (arrived_) {
            full_ = top().graph.size() >= WORD * W;
            if (full_) return false;
        }
        advance_search();
        if (depth_ == 0 && halt_ == Halt::BUDGET) halt(Halt::DONE);
        return true;
    });
}

// Goes on from a new graph, or to the next one.
template <int W>
void Explorer<W>::advance_search() {
    if (arrived_) {
        arrived_ = false;
        if (!descend()) this->finish(top().graph);
        return;
    }
    Context<W>& context = top();
    if (context.depth > 0 && advance()) return;
    if (halt_ != Halt::BUDGET) return;
    if (context.depth > 0) --context.depth;
    if (context.depth > 0) return;
    --depth_;
}

template <int W>
void Explorer<W>::start() {
    contexts_.push_back(std::make_unique<Context<W>>());
    depth_ = 1;
    const int broken = this->add_initial_writes(top().graph, top().kept);
    if (broken >= 0) {
        search_->culprit = broken;
        return halt(Halt::UNCERTIFIED);
    }
    ++search_->counters.explored;
    search_->counters.held = 1;
    arrived_ = true;
    if (this->start_threads() && this->any_error()) found_violation();
}

template <int W>
bool Explorer<W>::descend() {
    const Graph<W>& graph = top().graph;
    const std::int32_t bound = search_->settings.max_depth;
    const int threads = graph.thread_count();
    const std::int64_t* locals;
    // The write of an RMW comes right after its read.
    if (pending_ >= 0) {
        open_event(pending_, state_of(graph, pending_, locals));
        return true;
    }
    // The threads before the one that stepped last could not step, nor can they now, unless they wait for each other.
    const Frame<W>* last = top().depth > 0 ? &top().frames[top().depth - 1] : nullptr;
    const int first = graph.forks || !last || last->step == Step::REVISIT ? 0 : last->event.thread;
    for (int t = first; t < threads; ++t) {
        const ThreadState& state = state_of(graph, t, locals);
        if (state.status == Status::CHOICE && is_started(graph, t) && (bound < 0 || state.choices < CHOICES)) {
            open_choice(t, state, locals);
            return true;
        }
        if (state.status != Status::EVENT || !may_step(graph, t, state)) continue;
        if (bound >= 0 && state.events + events_of(search_->code.instructions[state.pc]) > bound) continue;
        open_event(t, state);
        return true;
    }
    return false;
}

template <int W>
void Explorer<W>::open_event(int thread, const ThreadState& state) {
    Context<W>& context = top();
    const Graph<W>& graph = context.graph;
    const Event event = next_event(graph, thread, state);
    const bool write = event.kind == EventKind::WRITE;
    Frame<W>& frame = open_frame(context, write ? Step::WRITE : event.cell >= 0 ? Step::READ : Step::FENCE);
    frame.event = event;
    if (graph.tracking) find_dependencies(graph, frame);
    if (event.cell < 0) return;
    frame.candidate = graph.mo_last[event.cell];
    if (!event.rmw) return;
    frame.candidate = graph.events[graph.last(thread)].rf;
    // Only after an RMW that reads the mo-last write is this the maximal step.
    frame.first = frame.candidate == graph.mo_last[event.cell];
}

template <int W>
Frame<W>& Explorer<W>::open_frame(Context<W>& context, Step step) {
    if (context.depth == static_cast<int>(context.frames.size())) context.frames.emplace_back();
    Frame<W>& frame = context.frames[context.depth++];
    frame.targets.clear();
    frame.step = step;
    frame.added = frame.revisiting = false;
    frame.first = true;
    frame.candidate = frame.read = -1;
    return frame;
}

template <int W>
void Explorer<W>::open_choice(int thread, const ThreadState& state, const std::int64_t* locals) {
    Frame<W>& frame = open_frame(top(), Step::CHOICE);
    frame.event = next_event(top().graph, thread, state);
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
    case Step::WRITE:
        return (!frame.revisiting && next_place(frame)) || (halt_ == Halt::BUDGET && next_revisit(frame));
    case Step::CHOICE: return next_choice(frame);
    case Step::REVISIT: return next_revisited_place(frame);
    case Step::FENCE: break;
    }
    if (!frame.first) return false;
    Context<W>& context = top();
    int e = add(context, frame);
    int broken = check_step(context.graph, context.kept, e, Bits::below(e));
    if (broken >= 0) {
        this->remove(context.graph);
        return refuse(frame, broken);
    }
    return arrive(frame, e, frame.event.pc + 1);
}

// An option of a forward step is inconsistent. Where it is the first, which is the maximal one, the run is not certified.
template <int W>
bool Explorer<W>::refuse(Frame<W>& frame, int broken) {
    if (frame.first) {
        search_->culprit = broken;
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
        set_read_class(frame.event, context.graph.events[write].value);
        int e = add(context, frame);
        context.graph.set_rf(e, write);
        int broken = check_step(context.graph, context.kept, e, Bits::below(e));
        if (broken < 0) return arrive(frame, e, frame.event.pc + 1);
        context.graph.clear_rf(e);
        this->remove(context.graph);
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
        int e = add(context, frame);
        context.graph.insert_mo(e, place);
        int broken = check_step(context.graph, context.kept, e, Bits::below(e));
        if (broken < 0) return arrive(frame, e, frame.event.pc + 1);
        context.graph.remove_mo(e);
        this->remove(context.graph);
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
    const std::int64_t option = frame.next;
    if (option == frame.end)
        frame.next = 1, frame.end = 0;  // none is left; the next number might not exist
    else
        ++frame.next;
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
    const Bits prefix = po_prefix(graph, frame.event);
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
        if (!may_revisit(graph, read, prefix)) continue;
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
        if (check_step(graph, context.kept, e, present, false) < 0) {
            graph.set_rf(read, e);
            present.set(e);
            if (check_step(graph, context.kept, read, present) < 0) {
                ++search_->counters.revisits;
                return arrive(frame, e, frame.event.pc + 1);
            }
            graph.clear_rf(read);
            graph.prefix[read] = frame.read_prefix;
            in_situ_.withdraw(context.kept, e);
        }
        graph.remove_mo(e);
        this->remove(context.graph);
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
    this->remove(context.graph);
}

namespace {

template <int W>
std::unique_ptr<AnyExplorer> explorer_of_width(Search& search) {
    if (search.plan.ahead) return make_resolver<W>(search);
    return std::make_unique<Explorer<W>>(search);
}

}  // namespace

std::unique_ptr<AnyExplorer> make_explorer(Search& search, int events) {
    if (events < WORD) return explorer_of_width<1>(search);
    if (events < 2 * WORD) return explorer_of_width<2>(search);
    if (events < 4 * WORD) return explorer_of_width<4>(search);
    if (events < 16 * WORD) return explorer_of_width<16>(search);
    if (events < 64 * WORD) return explorer_of_width<64>(search);
    if (events < 256 * WORD) return explorer_of_width<256>(search);
    return nullptr;
}

}  // namespace xgen
