// Threads that do the same: of the classes of executions that differ by their names only, one is visited. For
// resolve.hpp.
//
// A class is written as a word: thread by thread and event by event, what each read reads from (the thread and the index of
// the write), and what was chosen. What else there is follows from that. A renaming of threads, and of the cells that they
// access, that leaves the program as it is (src/xgen/lowering/analysis/symmetry.py) makes another class of it, which is consistent,
// too: no model can name a thread or a cell. A class is kept if no renaming makes a smaller word. As many classes as there
// are different words stand for it then, its *orbit*: all renamings, divided by those that leave the word as it is
// (Ostrowski, Linderoth, Rossi, Smriglio: Orbital branching, Mathematical Programming 126, 2011; of executions:
// Kokologiannakis, Marmanis, Vafeiadis: SPORE, PLDI 2024).
//
// On the way a graph is dropped if the first place in which its word and a renamed one are known to differ, with none before
// that is not known yet, is smaller in the renamed one.
//
// Starts and joins are left out of words: in which order threads that do the same are joined makes no difference, but for how
// many of them have been when one is waited for.
#pragma once

#include <algorithm>
#include <compare>
#include <tuple>
#include <vector>

#include "local_view.hpp"
#include "threads.hpp"

namespace xgen {

template <int W>
class Symmetry {
public:
    explicit Symmetry(const Task& task);

    // Whether there are such threads.
    bool any() const { return renamings_.size() > 1; }
    // Whether a renaming is known to make a smaller word of each class that the graph leads to.
    bool drops(const Graph<W>& graph, const Threads<W>& threads, const Row<W>& observed) const;
    // The size of the orbit of a graph to which no thread adds any more; 0 where its word is not the smallest.
    std::int64_t orbit(const Graph<W>& graph, const Threads<W>& threads, const Row<W>& observed) const;
    // The work since it was asked for last.
    std::int64_t take_work() { return std::exchange(work_, 0); }

private:
    // By thread: where it gets to, and which one gets there; and where cells get to.
    struct Renaming {
        std::vector<std::int32_t> to, from, cells;
    };
    // What stands in a word: of a read, the thread and index of what it reads from, or what it sees; of a choice, that.
    using Letter = std::tuple<int, std::int64_t, std::int32_t>;
    using Words = std::vector<std::int64_t>;

    // Of so few renamings, all are looked at on the way, else those that make the others.
    static constexpr std::size_t FEW = 24;

    enum class Compared { SMALLER, EQUAL, LARGER, UNKNOWN };
    Compared compare(const Graph<W>& graph, const Threads<W>& threads, const Row<W>& known, const Renaming& renaming,
                     bool whole) const;
    // Whether an event is part of the graph; what comes behind an error may be known and not be.
    static bool is_there(const Graph<W>& graph, const Row<W>& known, int slot) {
        return slot >= 0 && (graph.events[slot].kind == EventKind::CHOICE || known.test(slot));
    }
    int past_forks(const Graph<W>& graph, int thread, int index) const;
    Letter letter(const Graph<W>& graph, int slot, const Renaming* renaming) const;
    std::strong_ordering order(const Graph<W>& graph, int own, int other, const Renaming& renaming) const;
    static bool accesses(Op op) { return op == Op::RMW || operation(op).place == Operation::A; }
    void begin(const Graph<W>& graph) const;
    const Words& view_of(const Graph<W>& graph, int read) const;

    const Task& task_;
    mutable std::vector<Words> views_;  // by slot: what is known of a graph's
    std::vector<Renaming> renamings_;     // all, the identity first
    std::size_t tried_ = 0;               // of these, from the second: those that are looked at on the way
    mutable std::int64_t work_ = 0;
};

template <int W>
Symmetry<W>::Symmetry(const Task& task) : task_(task) {
    const std::size_t threads = task.code.threads.size();
    for (const auto& images : task.settings.renamings) {
        const auto cells = images.begin() + static_cast<std::ptrdiff_t>(threads);
        Renaming renaming{{images.begin(), cells}, std::vector<std::int32_t>(threads), {cells, images.end()}};
        for (std::size_t t = 0; t < threads; ++t) renaming.from[renaming.to[t]] = static_cast<std::int32_t>(t);
        renamings_.push_back(std::move(renaming));
    }
    tried_ = renamings_.size() <= FEW ? renamings_.size() : static_cast<std::size_t>(task.settings.generators) + 1;
}

template <int W>
typename Symmetry<W>::Letter Symmetry<W>::letter(const Graph<W>& graph, int slot, const Renaming* renaming) const {
    const Event& event = graph.events[slot];
    const int kind = static_cast<int>(event.kind);
    if (event.kind == EventKind::CHOICE) return {kind, event.value, 0};
    if (event.kind != EventKind::READ) return {kind, 0, 0};
    if (task_.settings.partition != Partition::RF) return {kind, event.value, 0};
    const Event& source = graph.events[event.rf];
    if (source.thread < 0) return {kind, -1, 0};  // of which cell is known from what comes before
    return {kind, renaming ? renaming->to[source.thread] : source.thread, source.index};
}

// Of an event's letter in the renamed word, and its own.
template <int W>
std::strong_ordering Symmetry<W>::order(const Graph<W>& graph, int own, int other, const Renaming& renaming) const {
    auto reads = [&](int slot) { return graph.events[slot].kind == EventKind::READ && !graph.events[slot].rmw; };
    if (task_.settings.partition != Partition::SEEN || !reads(own) || !reads(other))
        return letter(graph, other, &renaming) <=> letter(graph, own, nullptr);
    const Words &mine = view_of(graph, own), &its = view_of(graph, other);
    const std::size_t both = std::min(mine.size(), its.size());
    for (std::size_t k = 0; k < both; ++k) {
        std::int64_t here = mine[k], there = its[k];
        const Op op = task_.code.instructions[graph.states[own].pc].op;  // at which both stand
        if (k == VIEW_CELL && stands(graph.states[own].status) && op != Op::HAVOC && op != Op::PREDICT) {
            here = accesses(op) ? here : 0;
            there = accesses(op) ? renaming.cells[there] : 0;
        }
        if (here != there) return there <=> here;
    }
    return its.size() <=> mine.size();
}

// What a read leaves in its thread, which is looked up for one graph after the other.
template <int W>
const typename Symmetry<W>::Words& Symmetry<W>::view_of(const Graph<W>& graph, int read) const {
    Words& view = views_[read];
    if (view.empty()) append_view(task_, graph, read, view);
    return view;
}

// The first event of a thread from an index on that is no start and no join.
template <int W>
int Symmetry<W>::past_forks(const Graph<W>& graph, int thread, int index) const {
    auto forks = [&](int slot) {
        const Op op = slot < 0 ? Op::END : task_.code.instructions[graph.events[slot].pc].op;
        return op == Op::START || op == Op::JOIN;
    };
    while (forks(graph.at(thread, index))) ++index;
    return index;
}

// Compares the renamed word with the graph's own. `whole`: no thread adds to the graph any more.
template <int W>
typename Symmetry<W>::Compared Symmetry<W>::compare(const Graph<W>& graph, const Threads<W>& threads, const Row<W>& known,
                                                    const Renaming& renaming, bool whole) const {
    auto has_ended = [&](int thread) { return threads.state_of(graph, thread).status == Status::ENDED; };
    for (int t = 0; t < graph.thread_count(); ++t) {
        const int from = renaming.from[t];
        for (int k = 0, j = 0;; ++k, ++j) {
            work_ += work::LETTER;
            k = past_forks(graph, t, k);
            j = past_forks(graph, from, j);
            const int own = graph.at(t, k), other = graph.at(from, j);
            const bool mine_is_there = is_there(graph, known, own), other_is_there = is_there(graph, known, other);
            if (!mine_is_there || !other_is_there) {
                auto is_open = [&](bool there, int slot, int thread) {
                    return !there && !whole && (slot >= 0 || !has_ended(thread));
                };
                if (is_open(mine_is_there, own, t) || is_open(other_is_there, other, from)) return Compared::UNKNOWN;
                if (mine_is_there == other_is_there) break;
                return mine_is_there ? Compared::SMALLER : Compared::LARGER;
            }
            const std::strong_ordering ordering = order(graph, own, other, renaming);
            if (ordering != 0) return ordering < 0 ? Compared::SMALLER : Compared::LARGER;
        }
    }
    return Compared::EQUAL;
}

// Forgets what was looked up of another graph.
template <int W>
void Symmetry<W>::begin(const Graph<W>& graph) const {
    if (task_.settings.partition != Partition::SEEN) return;
    for (Words& view : views_) view.clear();
    views_.resize(std::max<std::size_t>(views_.size(), graph.size()));
}

template <int W>
bool Symmetry<W>::drops(const Graph<W>& graph, const Threads<W>& threads, const Row<W>& observed) const {
    begin(graph);
    const auto first = renamings_.begin() + 1, last = renamings_.begin() + static_cast<std::ptrdiff_t>(tried_);
    return std::any_of(first, last, [&](const Renaming& renaming) {
        return compare(graph, threads, graph.visible | observed, renaming, false) == Compared::SMALLER;
    });
}

template <int W>
std::int64_t Symmetry<W>::orbit(const Graph<W>& graph, const Threads<W>& threads, const Row<W>& observed) const {
    begin(graph);
    std::int64_t same = 0;
    for (const Renaming& renaming : renamings_) {
        const Compared compared = compare(graph, threads, graph.visible | observed, renaming, true);
        if (compared == Compared::SMALLER) return 0;
        same += compared == Compared::EQUAL;
    }
    return static_cast<std::int64_t>(renamings_.size()) / same;
}

}  // namespace xgen
