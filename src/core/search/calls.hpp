// What is known of the order of calls in an execution: for xgen.analyses.linearizability, whose clients add flags to it
// that order calls, and ask which ones cannot be.
//
// A call ends with the write that keeps its result, to a cell of its own, and starts behind the end of the one before it in
// its thread, or with the thread. For each call b there is a word: for each call a one bit in each of three sets.
//
//   leads      the start of b comes to the end of a by program order and reads-from, or is it; so where models forbid
//              cycles of these, no flag from a to b can be added
//   knows      the same, where of what reads-from relates the one releases and the other acquires
//   overtaken  from the start of b one comes so to an access that is before another one to the same cell, from which one
//              comes so to the end of a: where coherence goes with what threads know, this is forbidden, too
//
// Where the model is that all accesses have one order (`call_total`), `leads` is by that order, as far as it is not free: by
// program order, reads-from, modification order, and from a read to what overwrites what it has read. Then the rest is empty,
// and a set of flags can be added exactly if it closes no cycle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "graph/graph.hpp"
#include "search.hpp"

namespace xgen {

template <int W>
class Calls {
public:
    explicit Calls(const Task& task) : settings_(task.settings) {}

    // One word for each call: `leads`, then `knows`, then `overtaken`, a bit for each call; -1: it has not ended.
    const std::vector<std::int64_t>& words(const Graph<W>& graph);

private:
    using Mask = std::uint32_t;  // of calls

    void find(const Graph<W>& graph);
    template <class F>
    void look_forwards(const Graph<W>& graph, F&& follows, bool total = false);
    void look_back(const Graph<W>& graph);
    void rank(const Graph<W>& graph);
    bool agree(const Graph<W>& graph, int read) const;
    Mask overtaken(const Graph<W>& graph, int call) const;

    const Settings& settings_;
    std::vector<std::int64_t> words_;
    std::vector<std::int32_t> starts_, ends_;   // by call: slots; -1: it has not ended
    std::vector<Mask> led_;                     // the same as from_, by program order and reads-from
    std::vector<Mask> from_, to_;               // by slot: calls from the starts of which, and to the ends of which, one comes
    std::vector<std::int32_t> ranks_;           // by slot of an access: its place in the order of its cell, a read behind its write
};

template <int W>
const std::vector<std::int64_t>& Calls<W>::words(const Graph<W>& graph) {
    const int calls = static_cast<int>(settings_.call_ends.size());
    find(graph);
    words_.assign(calls, -1);
    const bool threads_alike = !settings_.like.empty();  // prefixes are larger then
    const bool looked = threads_alike || settings_.call_total;
    if (looked) {
        look_forwards(graph, [](int) { return true; }, settings_.call_total);
        led_ = from_;
    }
    if (!settings_.releases.empty()) {
        look_forwards(graph, [&](int read) { return agree(graph, read); });
        look_back(graph);
        rank(graph);
    }
    for (int b = 0; b < calls; ++b) {
        if (ends_[b] < 0) continue;
        std::int64_t leads = 0;
        for (int a = 0; a < calls && settings_.call_leads; ++a)
            if (ends_[a] >= 0 && (looked ? led_[ends_[a]] >> b & 1 : starts_[b] == ends_[a] || graph.prefix[ends_[a]].test(starts_[b])))
                leads |= std::int64_t{1} << a;
        words_[b] = leads;
        if (settings_.releases.empty()) continue;
        words_[b] |= static_cast<std::int64_t>(to_[starts_[b]]) << calls;
        words_[b] |= static_cast<std::int64_t>(overtaken(graph, b)) << 2 * calls;
    }
    return words_;
}

// Where calls start and end.
template <int W>
void Calls<W>::find(const Graph<W>& graph) {
    const std::size_t calls = settings_.call_ends.size();
    starts_.assign(calls, -1);
    ends_.assign(calls, -1);
    for (std::size_t k = 0; k < calls; ++k)
        if (const int last = graph.mo_last[settings_.call_ends[k]]; graph.events[last].thread >= 0) ends_[k] = last;
    for (std::size_t k = 0; k < calls; ++k) {
        if (ends_[k] < 0) continue;
        const Event& end = graph.events[ends_[k]];
        int before = -1;  // the index of the end of the call before it in its thread
        for (const int other : ends_)
            if (other >= 0 && graph.events[other].thread == end.thread && graph.events[other].index < end.index)
                before = std::max(before, graph.events[other].index);
        starts_[k] = graph.next_to(end.thread, before, 1);
    }
}

// Whether a read acquires what it reads, and that was released.
template <int W>
bool Calls<W>::agree(const Graph<W>& graph, int read) const {
    const Event& event = graph.events[read];
    return event.kind == EventKind::READ && settings_.acquires[event.event_class] &&
           settings_.releases[graph.events[event.rf].event_class];
}

// `follows`: whether one comes from what a read reads from to the read. `total`: one comes from an access to the next write
// of its cell, too.
template <int W>
template <class F>
void Calls<W>::look_forwards(const Graph<W>& graph, F&& follows, bool total) {
    from_.assign(graph.size(), 0);
    for (std::size_t k = 0; k < starts_.size(); ++k)
        if (starts_[k] >= 0) from_[starts_[k]] |= Mask{1} << k;
    for (bool changed = true; changed;) {
        changed = false;
        for (int t = 0; t < graph.thread_count(); ++t) {
            Mask come = 0;
            for (int k = 0; k < graph.length(t); ++k) {
                const int slot = graph.line(t)[k];
                if (graph.events[slot].kind == EventKind::READ && follows(slot)) come |= from_[graph.events[slot].rf];
                come |= from_[slot];
                changed |= come != from_[slot];
                from_[slot] = come;
                if (!total || graph.events[slot].cell < 0 || graph.events[slot].kind == EventKind::FENCE) continue;
                const int write = graph.events[slot].kind == EventKind::READ ? graph.events[slot].rf : slot;
                if (const int next = graph.mo_next[write]; next >= 0 && come & ~from_[next]) {
                    from_[next] |= come;
                    changed = true;
                }
            }
        }
    }
}

template <int W>
void Calls<W>::look_back(const Graph<W>& graph) {
    to_.assign(graph.size(), 0);
    for (std::size_t k = 0; k < ends_.size(); ++k)
        if (ends_[k] >= 0) to_[ends_[k]] |= Mask{1} << k;
    for (bool changed = true; changed;) {
        changed = false;
        for (int t = 0; t < graph.thread_count(); ++t) {
            Mask come = 0;
            for (int k = graph.length(t); k-- > 0;) {
                const int slot = graph.line(t)[k];
                come |= to_[slot];
                changed |= come != to_[slot];
                to_[slot] = come;
                if (!agree(graph, slot)) continue;
                Mask& source = to_[graph.events[slot].rf];
                changed |= (source | come) != source;
                source |= come;
            }
        }
    }
}

template <int W>
void Calls<W>::rank(const Graph<W>& graph) {
    ranks_.assign(graph.size(), 0);
    for (int cell = 0; cell < graph.cells; ++cell)
        for (int w = cell, n = 0; w >= 0; w = graph.mo_next[w], n += 2) ranks_[w] = n;
    for (int s = graph.cells; s < graph.size(); ++s)
        if (graph.events[s].kind == EventKind::READ) ranks_[s] = ranks_[graph.events[s].rf] + 1;
}

// The calls that the end of which one comes to from an access which is behind one that one comes to from the start of the call.
template <int W>
typename Calls<W>::Mask Calls<W>::overtaken(const Graph<W>& graph, int call) const {
    std::vector<std::int32_t> first(graph.cells, std::numeric_limits<std::int32_t>::max());
    auto each_access = [&](auto&& look) {
        for (int s = graph.cells; s < graph.size(); ++s)
            if (graph.events[s].cell >= 0 && graph.events[s].kind != EventKind::FENCE) look(s, graph.events[s].cell);
    };
    each_access([&](int s, int cell) {
        if (from_[s] >> call & 1) first[cell] = std::min(first[cell], ranks_[s]);
    });
    Mask found = 0;
    each_access([&](int s, int cell) {
        if (ranks_[s] > first[cell]) found |= to_[s];
    });
    return found;
}

}  // namespace xgen
