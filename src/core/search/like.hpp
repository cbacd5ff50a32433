// Threads that do the same, up to names, where executions are explored one by one: of those that differ by the names of
// such threads only, at least one is visited. For explore.hpp.
//
// Two threads of a group are compared event by event: what each read reads from, where each write goes in modification
// order, what was chosen. Of two that agree on all before an event, the one that reads from, or is, what comes first in
// modification order is to be the one with the smaller number (`allows`). What they agree on says nothing of numbers:
// both read from the same write, or from their own writes of the same index, or write to a cell that goes with the
// thread. So who numbers the threads of an execution by this order, which no numbers go into, has one that is allowed.
//
// So that this is known before the thread with the larger number goes on, its event comes after that of the other one in
// the base order, too (`before`), behind both events of an update: no write revisits a read that such an event of its own
// prefix is compared with. Then what is allowed is so of each prefix of a graph, and of each graph with one more event,
// which is added maximally; and the exploration is TruSt's, of a model that allows fewer graphs (Kokologiannakis, Marmanis,
// Vafeiadis: SPORE, PLDI 2024).
//
// It misses executions only where the larger base order has a cycle in an execution that is allowed. Take the longest part
// of one without a cycle, closed under the smaller base order. What closes it is a read of a thread which reads from a
// write that comes, in the larger base order, after the read of a later thread with which it is compared; and the write is
// before what that one reads from, in modification order. With the threads that have not come to this point numbered last,
// this part is allowed, and so it is part of an execution that is visited. So if no write is ever put before what a read
// of the same cell in its own prefix reads from (`goes_back`), nothing is missed; else the search halts, and has to be
// made without this.
//
// Where all of what is visited is counted (`Settings::names_counted`), an execution counts for all that differ from it by
// names if it is the first of those of them that are allowed, else for none (`orbit`). For this, all renamings of the
// threads of a group by each other have to leave the program as it is, and what is told of executions.
#pragma once

#include <algorithm>
#include <compare>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "search.hpp"

namespace xgen {

template <int W>
class Like {
public:
    using Bits = Row<W>;

    explicit Like(const Task& task);

    bool any() const { return !moved_.empty(); }
    // What comes before the event of a thread with this index as it is compared with it, with all that comes before that.
    Bits before(const Graph<W>& graph, int thread, int index) const;
    // Whether an event, the last one of its thread, may be what it is.
    bool allows(const Graph<W>& graph, int slot) const;
    // Whether a write is put before what a read of the same cell in its prefix reads from.
    bool goes_back(const Graph<W>& graph, int write) const;
    // The executions that a graph stands for to which no thread adds any more.
    std::int64_t orbit(const Graph<W>& graph) const;
    // The work since it was asked for last.
    std::int64_t take_work() { return std::exchange(work_, 0); }

private:
    // What the events of two threads say of their numbers: the second one has the larger one; they are as good as each
    // other, as nobody can tell them apart; or nothing.
    enum class Numbers { ORDERED, TWINS, FREE };
    using Letter = std::tuple<int, std::int64_t, std::int32_t>;

    Numbers numbers(const Graph<W>& graph, int first, int second) const;
    std::int64_t orbit_of_words(const Graph<W>& graph) const;
    std::strong_ordering compare(const Graph<W>& graph, const std::vector<std::int32_t>& to) const;
    static Letter letter(const Graph<W>& graph, int slot, const std::vector<std::int32_t>* to);
    bool agree(const Graph<W>& graph, int first, int second) const;
    bool share(const Graph<W>& graph, int first, int second, int index) const;
    bool exceeds(const Graph<W>& graph, int first, int second) const;
    // Whether a read reads from a write of its own thread.
    static bool reads_own(const Graph<W>& graph, int read) {
        return graph.events[graph.events[read].rf].thread == graph.events[read].thread;
    }

    std::vector<std::vector<std::int32_t>> sooner_;  // by thread: those of its group with smaller numbers
    std::vector<bool> moved_;                        // by cell: it goes with a thread
    std::vector<std::vector<std::int32_t>> counted_; // the groups, where all of what is visited is counted
    mutable std::int64_t work_ = 0;
};

template <int W>
Like<W>::Like(const Task& task) : moved_(task.settings.moved) {
    sooner_.resize(task.code.threads.size());
    if (task.settings.names_counted) counted_ = task.settings.like;
    for (const auto& group : task.settings.like)
        for (std::size_t k = 0; k < group.size(); ++k)
            sooner_[group[k]].assign(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(k));
}

template <int W>
Row<W> Like<W>::before(const Graph<W>& graph, int thread, int index) const {
    Bits all;
    if (!any()) return all;
    for (const std::int32_t other : sooner_[thread]) {
        int slot = graph.at(other, index);
        if (slot < 0 || !share(graph, other, thread, index)) continue;
        if (graph.events[slot].rmw && graph.events[slot].kind == EventKind::READ) slot = graph.at(other, index + 1);
        if (slot < 0) continue;
        all |= graph.prefix[slot];
        all.set(slot);
    }
    return all;
}

template <int W>
bool Like<W>::allows(const Graph<W>& graph, int slot) const {
    if (!any() || graph.events[slot].thread < 0) return true;
    const auto& [thread, index] = std::pair(graph.events[slot].thread, graph.events[slot].index);
    for (const std::int32_t other : sooner_[thread]) {
        const int first = graph.at(other, index);
        if (first >= 0 && share(graph, other, thread, index) && exceeds(graph, first, slot)) return false;
    }
    return true;
}

template <int W>
bool Like<W>::goes_back(const Graph<W>& graph, int write) const {
    if (!any() || graph.mo_next[write] < 0) return false;
    bool found = false;
    (graph.cell_bits[graph.events[write].cell] & graph.prefix[write]).each([&](int read) {
        const Event& event = graph.events[read];
        found |= event.kind == EventKind::READ && event.rf >= 0 && graph.mo_before[event.rf].test(write);
    });
    return found;
}

// Whether two threads agree on all events before an index.
template <int W>
bool Like<W>::share(const Graph<W>& graph, int first, int second, int index) const {
    for (int k = 0; k < index; ++k)
        if (!agree(graph, graph.at(first, k), graph.at(second, k))) return false;
    return true;
}

template <int W>
bool Like<W>::agree(const Graph<W>& graph, int first, int second) const {
    if (first < 0 || second < 0) return false;
    const Event &a = graph.events[first], &b = graph.events[second];
    if (a.kind != b.kind) return false;
    if (a.kind == EventKind::CHOICE) return a.value == b.value;
    if (a.kind == EventKind::WRITE) return moved_[a.cell] && moved_[b.cell];
    if (a.kind != EventKind::READ) return true;
    if (a.rf < 0 || b.rf < 0) return false;
    const bool own = reads_own(graph, first);
    if (own != reads_own(graph, second)) return false;
    if (own) return graph.events[a.rf].index == graph.events[b.rf].index;
    return a.rf == b.rf || (a.rf < graph.cells && b.rf < graph.cells && moved_[a.cell] && moved_[b.cell]);
}

// Whether of two events up to which their threads agree the first is to have the larger number. What is chosen first may
// always be chosen.
template <int W>
bool Like<W>::exceeds(const Graph<W>& graph, int first, int second) const {
    const Event &a = graph.events[first], &b = graph.events[second];
    if (a.kind != b.kind) return false;
    if (a.kind == EventKind::CHOICE) return a.value < b.value;
    if (a.kind == EventKind::FENCE || a.cell != b.cell) return false;
    if (a.kind == EventKind::WRITE) return !moved_[a.cell] && graph.mo_before[first].test(second);
    return !reads_own(graph, first) && !reads_own(graph, second) && graph.mo_before[a.rf].test(b.rf);
}

// ---- what differs by names ----

template <int W>
std::int64_t Like<W>::orbit(const Graph<W>& graph) const {
    std::int64_t count = 1;
    for (const auto& group : counted_) {
        for (std::size_t k = 0; k < group.size(); ++k) {
            std::int64_t twins = 1;  // of the threads so far, those that are as good as this one, and this one
            for (std::size_t j = 0; j < k; ++j) {
                const Numbers found = numbers(graph, group[j], group[k]);
                if (found == Numbers::FREE) return orbit_of_words(graph);
                twins += found == Numbers::TWINS;
            }
            count = count * static_cast<std::int64_t>(k + 1) / twins;
        }
    }
    return count;
}

// (Threads that agree on all have written to cells that go with them at most, and nobody else reads these: a thread that stays
// what it is where the two are exchanged has no such cells.)
template <int W>
typename Like<W>::Numbers Like<W>::numbers(const Graph<W>& graph, int first, int second) const {
    for (int k = 0;; ++k) {
        work_ += work::LETTER;
        const int a = graph.at(first, k), b = graph.at(second, k);
        if (a < 0 && b < 0) return Numbers::TWINS;
        if (a < 0 || b < 0) return Numbers::FREE;
        if (!agree(graph, a, b)) return exceeds(graph, b, a) ? Numbers::ORDERED : Numbers::FREE;
    }
}

// The same where threads have no order. An execution is written as a word: thread by thread and event by event, what each read
// reads from, where each write is in modification order, and what was chosen; what else there is follows from that. Of the
// renamings that are allowed, those that leave the word as it is make the same execution. (All that is allowed is visited,
// and once; so each execution counts for exactly one.)
template <int W>
std::int64_t Like<W>::orbit_of_words(const Graph<W>& graph) const {
    std::vector<std::int32_t> to(static_cast<std::size_t>(graph.thread_count()));
    std::iota(to.begin(), to.end(), 0);
    std::vector<std::pair<std::int32_t, std::int32_t>> ordered;
    std::int64_t names = 1, same = 0;
    for (const auto& group : counted_)
        for (std::size_t k = 0; k < group.size(); ++k) {
            names *= static_cast<std::int64_t>(k + 1);
            for (std::size_t j = 0; j < k; ++j)
                if (numbers(graph, group[j], group[k]) == Numbers::ORDERED) ordered.emplace_back(group[j], group[k]);
        }
    auto images = counted_;
    auto next = [&] {
        return std::ranges::any_of(images, [](auto& group) { return std::ranges::next_permutation(group).found; });
    };
    do {
        for (std::size_t g = 0; g < images.size(); ++g)
            for (std::size_t k = 0; k < images[g].size(); ++k) to[counted_[g][k]] = images[g][k];
        if (!std::ranges::all_of(ordered, [&](const auto& pair) { return to[pair.first] < to[pair.second]; })) continue;
        const std::strong_ordering compared = compare(graph, to);
        if (compared < 0) return 0;
        same += compared == 0;
    } while (next());
    return names / same;
}

// Compares the word of the graph in which threads are renamed with its own.
template <int W>
std::strong_ordering Like<W>::compare(const Graph<W>& graph, const std::vector<std::int32_t>& to) const {
    std::vector<std::int32_t> from(to.size());
    for (std::size_t t = 0; t < to.size(); ++t) from[to[t]] = static_cast<std::int32_t>(t);
    for (int t = 0; t < graph.thread_count(); ++t) {
        for (int k = 0;; ++k) {
            work_ += work::LETTER;
            const int own = graph.at(t, k), other = graph.at(from[t], k);
            if (own < 0 && other < 0) break;
            if (own < 0 || other < 0) return other < 0 ? std::strong_ordering::less : std::strong_ordering::greater;
            const std::strong_ordering compared = letter(graph, other, &to) <=> letter(graph, own, nullptr);
            if (compared != 0) return compared;
        }
    }
    return std::strong_ordering::equal;
}

template <int W>
typename Like<W>::Letter Like<W>::letter(const Graph<W>& graph, int slot, const std::vector<std::int32_t>* to) {
    const Event& event = graph.events[slot];
    const int kind = static_cast<int>(event.kind);
    if (event.kind == EventKind::CHOICE) return {kind, event.value, 0};
    if (event.kind == EventKind::WRITE) return {kind, graph.mo_after(slot).count(), 0};
    if (event.kind != EventKind::READ) return {kind, 0, 0};
    const Event& source = graph.events[event.rf];
    if (source.thread < 0) return {kind, -1, 0};  // of which cell is known from what comes before
    return {kind, to ? (*to)[source.thread] : source.thread, source.index};
}

}  // namespace xgen
