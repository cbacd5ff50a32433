// The exploration itself. Part of explore.hpp.
#pragma once

#include "explore.hpp"

#include "explore_events_impl.hpp"
#include "explore_order_impl.hpp"
#include "explore_revisits_impl.hpp"
#include "explore_sharing_impl.hpp"
#include "explore_waiting_impl.hpp"
#include "resize.hpp"

namespace xgen {

template <int V, int W>
Frame<W> resized_frame(const Frame<V>& f) {
    return {static_cast<typename Frame<W>::Step>(f.step), f.event, resized<W>(f.addr), resized<W>(f.data),
            resized<W>(f.ctrl), f.added, f.first, f.revisiting, f.candidate, f.floor,
            resized<W>(f.reads), f.read, resized<W>(f.read_prefix), f.targets, f.next, f.end, f.branches};
}

template <int W>
Explorer<W>::Explorer(const Task& task, const Sharing& sharing, WorkerFindings& findings)
    : Runner(task, sharing, findings), threads_(task), checker_(task), recorder_(task), like_(task) {
    start();
}

template <int W>
template <int V>
Explorer<W>::Explorer(const Explorer<V>& o)
    : Runner(o), threads_(o.threads_), checker_(o.checker_), recorder_(o.recorder_), like_(o.task_), depth_(o.depth_), pending_(o.pending_) {
    full_ = false;
    for (int i = 0; i < depth_; ++i) {
        const Context<V>& from = *o.contexts_[i];
        auto to = std::make_unique<Context<W>>();
        to->taken = from.taken;
        if (!from.spent()) {
            to->graph = resized_graph<V, W>(from.graph);
            to->kept = resized_kept<V, W>(from.kept);
        }
        to->depth = from.depth;
        for (int k = 0; k < from.depth; ++k) to->frames.push_back(resized_frame<V, W>(from.frames[k]));
        contexts_.push_back(std::move(to));
    }
}

template <int W>
std::unique_ptr<Runner> Explorer<W>::widened() const {
    if constexpr (wider(W) > 0)
        return std::make_unique<Explorer<wider(W)>>(*this);
    else
        return nullptr;
}

template <int W>
Halt Explorer<W>::run(double seconds) {
    return run_steps(seconds, interval_of(W), [&] {
        if (arrived_) {
            full_ = top().graph.size() + task_.settings.in_order >= WORD * W;  // there, an update's two events are tried
            if (full_) return false;
        }
        advance_search();
        if (depth_ == 0 && !halted()) halt(Halt::DONE);
        return true;
    });
}

// Goes on from a new graph, or to the next one.
template <int W>
void Explorer<W>::advance_search() {
    if (arrived_) {
        arrived_ = false;
        if (!descend()) finish();
        return;
    }
    Context<W>& context = top();
    if (context.depth > 0 && advance()) return;
    if (halted()) return;
    if (context.depth > 0) --context.depth;
    if (context.depth > 0) return;
    --depth_;
}

// No thread adds to the graph any more.
template <int W>
void Explorer<W>::finish() {
    const std::int64_t count = like_.orbit(top().graph), before = findings_->counters.executions;
    if (count > 0 && recorder_.finish(top().graph, &top().kept, threads_, *findings_, count)) halt(Halt::VIOLATION);
    findings_->counters.orbits += task_.settings.names_counted && findings_->counters.executions > before;
}

template <int W>
void Explorer<W>::start() {
    contexts_.push_back(std::make_unique<Context<W>>());
    depth_ = 1;
    const int broken = checker_.begin(top().graph, top().kept, threads_.stride());
    if (broken >= 0) {
        findings_->culprit = broken;
        return halt(Halt::UNCERTIFIED);
    }
    ++findings_->counters.explored;
    findings_->counters.held = 1;
    arrived_ = true;
    if (const ThreadState* endless = threads_.start())
        halt_at(*endless);
    else if (threads_.any_error())
        found_violation();
}

template <int W>
bool Explorer<W>::descend() {
    const Graph<W>& graph = top().graph;
    const int threads = graph.thread_count();
    // The write of an RMW comes right after its read.
    if (pending_ >= 0) {
        open_event(pending_, threads_.state_of(graph, pending_));
        return true;
    }
    // The threads before the one that stepped last could not step, nor can they now, unless they wait for each other.
    const Frame<W>* last = top().depth > 0 ? &top().frames[top().depth - 1] : nullptr;
    const bool again = waits_ || graph.forks || task_.code.gathers || !last || last->step == Step::REVISIT;
    int late = -1;  // the first thread that would only wait
    for (int t = again ? 0 : last->event.thread; t < threads; ++t) {
        const ThreadState& state = threads_.state_of(graph, t);
        if (state.status == Status::CHOICE && threads_.may_step(graph, t, state) && threads_.within_bound(state)) {
            open_choice(t, state);
            return true;
        }
        if (state.status != Status::EVENT || !threads_.may_step(graph, t, state) || !threads_.within_bound(state)) continue;
        if (waits_ && would_wait(t, state)) {
            if (late < 0) late = t;
            continue;
        }
        open_event(t, threads_.state_of(graph, t));  // the graph may have moved
        return true;
    }
    if (late >= 0) open_event(late, threads_.state_of(graph, late));
    return late >= 0;
}

template <int W>
void Explorer<W>::open_event(int thread, const ThreadState& state) {
    Context<W>& context = top();
    const Graph<W>& graph = context.graph;
    const Event event = threads_.next_event(graph, thread, state);
    const bool write = event.kind == EventKind::WRITE;
    Frame<W>& frame = open_frame(context, write ? Step::WRITE : event.cell >= 0 ? Step::READ : Step::FENCE);
    frame.event = event;
    if (graph.tracking) find_dependencies(graph, frame);
    if (event.cell < 0) return;
    frame.candidate = graph.mo_last[event.cell];
    frame.floor = floor_of(graph, event);
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
    frame.candidate = frame.floor = frame.read = -1;
    frame.branches = 0;
    return frame;
}

template <int W>
void Explorer<W>::open_choice(int thread, const ThreadState& state) {
    Frame<W>& frame = open_frame(top(), Step::CHOICE);
    frame.event = threads_.next_event(top().graph, thread, state);
    if (top().graph.tracking) find_dependencies(top().graph, frame);
    if (task_.code.instructions[state.pc].op != Op::CHOOSE) {
        frame.next = state.a;
        frame.end = state.b;
    } else {
        frame.targets = threads_.enabled(top().graph, thread);
        frame.next = 0;
        frame.end = static_cast<std::int64_t>(frame.targets.size()) - 1;
    }
}

//----------------------------------------------------------------------------------------------------------------------
// advance: takes the next option of the frame at the top.
//
// Output  false where it has none left, or the search has halted.
// Before  The graph is the one that the frame was opened in, or has the frame's last option in it.
// After   true: the graph has the new option, is consistent, and its thread has run on (see arrive). false: the graph is
//         the one that the frame was opened in. A WRITE tries all places, then opens contexts in which it revisits reads.
//----------------------------------------------------------------------------------------------------------------------
template <int W>
bool Explorer<W>::advance() {
    if (top().spent()) return false;
    Frame<W>& frame = top().frames[top().depth - 1];
    if (frame.added) take_back(frame);
    while (next_option(frame)) {
        if (!arrived_ || !is_detour(frame)) {
            findings_->counters.explored += arrived_;
            ++frame.branches;
            if (!arrived_ && !again_ && is_over(*contexts_[depth_ - 2])) hand_on();  // a revisit has opened a context
            return true;
        }
        const Graph<W>& graph = top().graph;
        findings_->reached |= threads_.state_of(graph, graph.events[graph.size() - 1].thread).reached;
        if (frame.step == Step::REVISIT) findings_->reached |= threads_.state_of(graph, graph.events[frame.read].thread).reached;
        arrived_ = false;
        take_back(frame);
    }
    return false;
}

template <int W>
bool Explorer<W>::next_option(Frame<W>& frame) {
    switch (frame.step) {
    case Step::READ: return next_read(frame);
    case Step::WRITE:
        return (!frame.revisiting && next_place(frame)) || (!halted() && next_revisit(frame));
    case Step::CHOICE: return next_choice(frame);
    case Step::REVISIT: return next_revisited_place(frame);
    case Step::FENCE: break;
    }
    if (!frame.first) return false;
    Context<W>& context = top();
    int e = add(context, frame);
    int broken = checker_.step(context.graph, context.kept, e, Bits::below(e));
    if (broken >= 0) {
        checker_.remove(context.graph);
        return refuse(frame, broken);
    }
    return arrive(frame, e, frame.event.pc + 1);
}

// An option of a forward step is inconsistent. Where it is the first, which is the maximal one, the run is not certified.
template <int W>
bool Explorer<W>::refuse(Frame<W>& frame, int broken) {
    if (frame.first) {
        findings_->culprit = broken;
        halt(Halt::UNCERTIFIED);
    }
    frame.first = false;
    return false;
}

template <int W>
bool Explorer<W>::next_read(Frame<W>& frame) {
    Context<W>& context = top();
    if (task_.settings.in_order && frame.first && would_be_read_before(context, frame)) buffers();
    while (frame.candidate >= 0 && !halted()) {
        int write = frame.candidate;
        frame.candidate = write == frame.floor ? -1 : context.graph.mo_previous[write];
        threads_.set_read_class(frame.event, context.graph.events[write].value);
        int e = add(context, frame);
        context.graph.set_rf(e, write);
        if (is_another(context, e)) continue;
        int broken = checker_.step(context.graph, context.kept, e, Bits::below(e));
        if (broken < 0) return arrive(frame, e, frame.event.pc + 1);
        context.graph.clear_rf(e);
        checker_.remove(context.graph);
        refuse(frame, broken);
    }
    return false;
}

template <int W>
bool Explorer<W>::next_place(Frame<W>& frame) {
    Context<W>& context = top();
    while (!halted()) {
        int place = take_place(context.graph, frame);
        if (place < 0) break;
        int e = add(context, frame);
        context.graph.insert_mo(e, place);
        if (is_another(context, e)) continue;
        int broken = checker_.step(context.graph, context.kept, e, Bits::below(e));
        if (task_.settings.in_order && frame.branches == 0 && may_be_read_before(context, e)) buffers();
        if (broken < 0) return put(frame, e);
        context.graph.remove_mo(e);
        checker_.remove(context.graph);
        refuse(frame, broken);
    }
    return false;
}

// Whether the graph, with its new event, is one of those of which others are visited, by other names of threads; the event
// is taken back then. It is never so of the first option.
template <int W>
bool Explorer<W>::is_another(Context<W>& context, int e) {
    Graph<W>& graph = context.graph;
    if (like_.allows(graph, e)) return false;
    if (graph.events[e].kind == EventKind::READ)
        graph.clear_rf(e);
    else
        graph.remove_mo(e);
    checker_.remove(graph);
    return true;
}

// The write has its place.
template <int W>
bool Explorer<W>::put(Frame<W>& frame, int e) {
    if (like_.goes_back(top().graph, e)) halt(Halt::UNLIKE);
    return arrive(frame, e, frame.event.pc + 1);
}

// The next place in modification order for the frame's write, which is put right after it; -1: there is none left.
// The write of an RMW has one place, right after what its read reads from.
template <int W>
int Explorer<W>::take_place(const Graph<W>& graph, Frame<W>& frame) const {
    while (frame.candidate >= 0) {
        int place = frame.candidate;
        frame.candidate = frame.event.rmw || place == frame.floor ? -1 : graph.mo_previous[place];
        if (graph.is_place(place)) return place;
    }
    return -1;
}

// The write before which, in modification order, coherence lets the next event of a thread neither read nor be put: what the
// thread has accessed last in that cell. -1: there is none. Of what comes before it, each would be refused.
template <int W>
int Explorer<W>::floor_of(const Graph<W>& graph, const Event& event) const {
    if (!task_.plan.keeps_coherence()) return -1;
    const int last = (graph.cell_bits[event.cell] & graph.thread_bits[event.thread]).last();
    return last >= 0 && graph.events[last].kind == EventKind::READ ? graph.events[last].rf : last;
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
    if (!like_.allows(context.graph, e)) {
        context.graph.remove_last();
        return next_choice(frame);
    }
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
        ++findings_->counters.revisits_tried;
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
        if (like_.allows(graph, e) && checker_.step(graph, context.kept, e, present, false) < 0) {
            graph.set_rf(read, e);
            present.set(e);
            if (like_.allows(graph, read) && checker_.step(graph, context.kept, read, present) < 0) {
                ++findings_->counters.revisits;
                return put(frame, e);
            }
            graph.clear_rf(read);
            graph.prefix[read] = frame.read_prefix;
            checker_.withdraw(graph, context.kept, e);
        }
        graph.remove_mo(e);
        checker_.remove(context.graph);
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
        checker_.withdraw(graph, context.kept, frame.read);
        graph.clear_rf(frame.read);
        graph.prefix[frame.read] = frame.read_prefix;
    }
    if (frame.step != Step::CHOICE) checker_.withdraw(graph, context.kept, e);
    if (frame.step == Step::READ) graph.clear_rf(e);
    if (frame.step == Step::WRITE || frame.step == Step::REVISIT) graph.remove_mo(e);
    checker_.remove(context.graph);
}

}  // namespace xgen
