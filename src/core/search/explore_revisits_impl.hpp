// Backward revisits: which ones count, and the graphs that they lead to. Part of explore_impl.hpp.
#pragma once

#include "explore.hpp"

namespace xgen {

//----------------------------------------------------------------------------------------------------------------------
// may_revisit: whether this graph is the one, of all from which the revisit leads to the same graph, that counts.
//
// Input   read: in the same cell as the write, and not in its prefix. prefix: of the write, without the write.
// Output  whether the read, and all that was added after it and is not in the prefix, was added maximally.
// Why     Dropping events that were added maximally, and adding them again maximally, gives this graph again: so one graph
//         of each kind passes, and each revisited graph is built once (TruSt, section 4; the proof is there).
//----------------------------------------------------------------------------------------------------------------------
template <int W>
bool Explorer<W>::may_revisit(const Graph<W>& graph, int read, const Bits& prefix) const {
    for (int d = read; d < graph.size(); ++d)
        if (!prefix.test(d) && !is_maximal(graph, d, prefix)) return false;
    return true;
}

//----------------------------------------------------------------------------------------------------------------------
// is_maximal: whether an event was added maximally with respect to a write.
//
// Input   d: not in the prefix. prefix: of the write.
// Output  Prev = the events added no later than d, and the prefix. No read of Prev reads from d, and d, if it is a write,
//         or the write that it reads from, is in Prev and mo-last there. Fences always; a choice took its first option.
//----------------------------------------------------------------------------------------------------------------------
template <int W>
bool Explorer<W>::is_maximal(const Graph<W>& graph, int d, const Bits& prefix) const {
    const Event& event = graph.events[d];
    if (event.kind == EventKind::FENCE) return true;
    if (event.kind == EventKind::CHOICE) return event.canonical;
    const Bits before = Bits::below(d + 1) | prefix;
    if (event.kind == EventKind::WRITE) return !graph.readers[d].meets(before) && !graph.mo_after(d).meets(before);
    return before.test(event.rf) && !graph.mo_after(event.rf).meets(before);
}

// Whether a context has no options but the revisit that its last frame has just opened.
template <int W>
bool Explorer<W>::is_over(Context<W>& context) {
    for (int f = 0; f < context.depth - 1; ++f)
        if (has_options(context.frames[f])) return false;
    Frame<W>& write = context.frames[context.depth - 1];
    const Bits prefix = po_prefix(context.graph, write.event);
    for (int read; (read = write.reads.first()) >= 0; write.reads.reset(read)) {
        if (may_revisit(context.graph, read, prefix)) return false;
        ++findings_->counters.revisits_tried;
    }
    return true;
}

// The context under the top, which nobody comes back to, leaves its room to those that come next.
template <int W>
void Explorer<W>::hand_on() {
    auto over = std::make_unique<Context<W>>();
    std::swap(over, contexts_[depth_ - 2]);
    for (int f = 0; f < over->depth; ++f) contexts_[depth_ - 2]->taken.push_back(over->frames[f].branches);
    contexts_.push_back(std::move(over));
}

// A context on top of those that are in use. Behind these are rooms for graphs, and contexts that have given theirs away.
template <int W>
Context<W>& Explorer<W>::open_context() {
    while (static_cast<int>(contexts_.size()) > depth_ && contexts_.back()->spent()) contexts_.pop_back();
    if (static_cast<int>(contexts_.size()) == depth_)
        contexts_.push_back(std::make_unique<Context<W>>());
    else if (contexts_[depth_]->spent())
        std::swap(contexts_[depth_], contexts_.back());
    ++depth_;
    const auto held = std::count_if(contexts_.begin(), contexts_.begin() + depth_, [](const auto& c) { return !c->spent(); });
    findings_->counters.held = std::max<std::int64_t>(findings_->counters.held, held);
    return top();
}

// Opens a context in which a frame's write revisits `read`: the graph without what was added after the read and is not
// in the write's prefix. The write's places in modification order are the options of the context's first frame.
template <int W>
void Explorer<W>::revisit(const Context<W>& from, const Frame<W>& write, const Bits& prefix, int read) {
    Context<W>& context = open_context();
    Graph<W>& graph = context.graph;
    copy_part(from, Bits::below(read + 1) | prefix, read, context);
    Event& event = graph.events[read];
    checker_.hide(graph, read);
    threads_.set_read_class(event, write.event.value);
    checker_.show(graph, read);

    context.depth = 0;
    Frame<W>& frame = open_frame(context, Step::REVISIT);
    frame.event = write.event;
    if (graph.tracking) {
        frame.addr = closing_(write.addr);
        frame.data = closing_(write.data);
        frame.ctrl = closing_(write.ctrl);
    }
    frame.read = read;
    frame.read_prefix = graph.prefix[read];
    const auto& e = frame.event;
    frame.candidate = e.rmw ? graph.events[graph.at(e.thread, e.index - 1)].rf : graph.mo_last[e.cell];
    frame.floor = floor_of(graph, e);
}

//----------------------------------------------------------------------------------------------------------------------
// copy_part: makes a graph of some events of another.
//
// Input   keep: closed under (po u rf)-predecessors, but for what `open_read` reads from. open_read: -1, or a read of them.
// Before  `to` may have anything in it.
// After   `to` has those events with their relations, states and kept pairs. Their slots close up: closing_ says from where
//         to where. The open read reads from nothing, has the prefix of its predecessors, and no pairs in what is kept.
//----------------------------------------------------------------------------------------------------------------------
template <int W>
void Explorer<W>::copy_part(const Context<W>& from, const Bits& keep, int open_read, Context<W>& to) {
    const Graph<W>& old = from.graph;
    Graph<W>& graph = to.graph;
    closing_.set(keep, old.size());
    const auto& moved = closing_;
    graph.reset_like(old, old.cells, static_cast<int>(old.class_bits.size()));
    moved.each_run([&](int first, int count) { graph.add_copies(old, first, count); });
    for (int copy = 0; copy < graph.size(); ++copy) {
        Event& event = graph.events[copy];
        if (event.rf >= 0) event.rf = moved[event.rf];
        for (auto* rows : {&graph.prefix, &graph.readers, &graph.mo_before})
            moved.close_up((*rows)[copy]);
        if (graph.forks) moved.close_up(graph.po_before[copy]);
        if (!graph.tracking) continue;
        for (auto* rows : {&graph.addr, &graph.data, &graph.ctrl}) moved.close_up((*rows)[copy]);
    }
    for (int cell = 0; cell < old.cells; ++cell) {
        int last = -1;
        for (int w = cell; w >= 0; w = old.mo_next[w]) {
            const int copy = moved[w];
            if (copy < 0) continue;
            graph.mo_previous[copy] = last;
            if (last >= 0) graph.mo_next[last] = copy;
            last = copy;
        }
        graph.mo_next[last] = -1;
        graph.mo_last[cell] = last;
        graph.cell_bits[cell] = moved(old.cell_bits[cell]);
        graph.mo_bits[cell] = moved(old.mo_bits[cell]);
    }
    for (int t = 0; t < old.thread_count(); ++t) graph.thread_bits[t] = moved(old.thread_bits[t]);
    for (std::size_t k = 0; k < old.class_bits.size(); ++k) graph.class_bits[k] = moved(old.class_bits[k]);
    graph.visible = moved(old.visible);
    for (int t = 0; t < old.thread_count(); ++t)
        if (old.starts[t] >= 0) graph.starts[t] = moved[old.starts[t]];
    const int read = open_read >= 0 ? moved[open_read] : -1;
    if (read >= 0) {
        graph.readers[graph.events[read].rf].reset(read);
        graph.events[read].rf = -1;
        graph.prefix[read] = po_prefix(graph, graph.events[read]);
    }
    copy_kept(from, keep, read, to);
}

// What is kept lies before what is dropped, in po and rf, so that its pairs stay as they are. None of these events is
// withdrawn from the new context, so that it needs no rows that nobody else uses.
template <int W>
void Explorer<W>::copy_kept(const Context<W>& from, const Bits& keep, int open_read, Context<W>& to) const {
    const int relations = from.kept.relations();
    to.kept.reset(relations);
    to.kept.grow(to.graph.size());
    keep.each([&](int s) {
        const Pairs<W>* old = from.kept.of(s);
        Pairs<W>* copy = to.kept.of(closing_[s]);
        for (int k = 0; k < relations; ++k) {
            if (checker_.uses_rows(k)) closing_.move(old[k].after, copy[k].after);
            closing_.move(old[k].before, copy[k].before);
            if (open_read < 0) continue;
            copy[k].after.reset(open_read);
            copy[k].before.reset(open_read);
        }
    });
    if (open_read >= 0) std::fill_n(to.kept.of(open_read), relations, Pairs<W>{});
#ifdef XGEN_ASSERT
    Bits present = to.graph.visible;
    if (open_read >= 0) present.reset(open_read);
    if (!checker_.verify(to.graph, to.kept, present)) std::abort();
#endif
}

}  // namespace xgen
