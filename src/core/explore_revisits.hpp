// Backward revisits: which ones count, and the graphs that they lead to. Part of explore.cpp.
#pragma once

#include "explore.hpp"

namespace xgen {

// Whether a write with this prefix may revisit a read: whether the read, and all that was added after it and is not in
// the prefix, was added maximally.
template <int W>
bool Explorer<W>::may_revisit(const Graph<W>& graph, int read, const Bits& prefix) const {
    for (int d = read; d < graph.size(); ++d)
        if (!prefix.test(d) && !is_maximal(graph, d, prefix)) return false;
    return true;
}

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

// Opens a context in which a frame's write revisits `read`: the graph without what was added after the read and is not
// in the write's prefix. The write's places in modification order are the options of the context's first frame.
template <int W>
void Explorer<W>::revisit(const Context<W>& from, const Frame<W>& write, const Bits& prefix, int read) {
    if (depth_ == static_cast<int>(contexts_.size())) contexts_.push_back(std::make_unique<Context<W>>());
    Context<W>& context = *contexts_[depth_++];
    search_->counters.held = std::max<std::int64_t>(search_->counters.held, depth_);
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
        if (event.thread >= 0) graph.threads[event.thread].push_back(place[s]);
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
        graph.prefix[read] = po_prefix(graph, graph.events[read]);
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

}  // namespace xgen
