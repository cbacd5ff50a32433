// Threads that do the same: of the classes of executions that differ by their names only, one is visited. Part of
// resolve.hpp.
//
// A class is written as a word: thread by thread and event by event, what each read reads from (the thread and the index of
// the write), and what was chosen. What else there is follows from that. A permutation of threads with the same code makes
// another class of it, which is consistent, too: no model can name a thread. A class is kept if no permutation makes a
// smaller word. As many classes as there are different words stand for it then, its *orbit*: all permutations, divided by
// those that leave the word as it is (Ostrowski, Linderoth, Rossi, Smriglio: Orbital branching, Mathematical Programming
// 126, 2011; of executions: Kokologiannakis, Marmanis, Vafeiadis: SPORE, PLDI 2024).
//
// On the way a graph is dropped if the first place in which its word and a permuted one are known to differ, with none before
// that is not known yet, is smaller in the permuted one.
#pragma once

#include <algorithm>
#include <compare>
#include <numeric>
#include <tuple>
#include <vector>

#include "sight.hpp"
#include "threads.hpp"

namespace xgen {

template <int W>
class Symmetry {
public:
    explicit Symmetry(const Task& task);

    // Whether there are such threads.
    bool any() const { return permutations_.size() > 1; }
    // Whether a permutation is known to make a smaller word of each class that the graph leads to.
    bool drops(const Graph<W>& graph, const Threads<W>& threads, const Row<W>& observed) const;
    // The size of the orbit of a graph to which no thread adds any more; 0 where its word is not the smallest.
    std::int64_t orbit(const Graph<W>& graph, const Threads<W>& threads, const Row<W>& observed) const;

private:
    using Permutation = std::vector<std::int32_t>;  // by thread
    // What stands in a word: of a read, the thread and index of what it reads from, or what it sees; of a choice, that.
    using Letter = std::tuple<int, std::int64_t, std::int32_t>;

    enum class Compared { SMALLER, EQUAL, LARGER, UNKNOWN };
    Compared compare(const Graph<W>& graph, const Threads<W>& threads, const Row<W>& known, const Permutation& permutation,
                     bool whole) const;
    // Whether an event is part of the graph; what comes behind an error may be known and not be.
    static bool is_there(const Graph<W>& graph, const Row<W>& known, int slot) {
        return slot >= 0 && (graph.events[slot].kind == EventKind::CHOICE || known.test(slot));
    }
    Letter letter(const Graph<W>& graph, int slot, const Permutation* permutation) const;
    std::strong_ordering order(const Graph<W>& graph, int own, int other, const Permutation& permutation) const;
    void begin(const Graph<W>& graph) const;
    const std::vector<std::int64_t>& sight_of(const Graph<W>& graph, int read) const;

    const Task& task_;
    mutable std::vector<std::vector<std::int64_t>> sights_;  // by slot: what is known of a graph's
    std::vector<Permutation> permutations_;    // all, the identity first
    std::vector<Permutation> transpositions_;  // of two
};

template <int W>
Symmetry<W>::Symmetry(const Task& task) : task_(task) {
    Permutation identity(task.code.threads.size());
    std::iota(identity.begin(), identity.end(), 0);
    permutations_ = {identity};
    for (const auto& group : task.settings.identical) {
        std::vector<Permutation> more;
        auto image = group;
        do {
            for (Permutation permutation : permutations_) {
                for (std::size_t k = 0; k < group.size(); ++k) permutation[group[k]] = image[k];
                more.push_back(std::move(permutation));
            }
        } while (std::next_permutation(image.begin(), image.end()));
        permutations_ = std::move(more);
        for (std::size_t k = 0; k < group.size(); ++k)
            for (std::size_t other = 0; other < k; ++other) {
                transpositions_.push_back(identity);
                std::swap(transpositions_.back()[group[k]], transpositions_.back()[group[other]]);
            }
    }
}

template <int W>
typename Symmetry<W>::Letter Symmetry<W>::letter(const Graph<W>& graph, int slot, const Permutation* permutation) const {
    const Event& event = graph.events[slot];
    const int kind = static_cast<int>(event.kind);
    if (event.kind == EventKind::CHOICE) return {kind, event.value, 0};
    if (event.kind != EventKind::READ) return {kind, 0, 0};
    if (task_.settings.partition != Partition::RF) return {kind, event.value, 0};
    const Event& source = graph.events[event.rf];
    return {kind, permutation && source.thread >= 0 ? (*permutation)[source.thread] : source.thread, source.index};
}

// Of an event's letter in the permuted word, and its own.
template <int W>
std::strong_ordering Symmetry<W>::order(const Graph<W>& graph, int own, int other, const Permutation& permutation) const {
    auto reads = [&](int slot) { return graph.events[slot].kind == EventKind::READ && !graph.events[slot].rmw; };
    if (task_.settings.partition != Partition::SEEN || !reads(own) || !reads(other))
        return letter(graph, other, &permutation) <=> letter(graph, own, nullptr);
    return sight_of(graph, other) <=> sight_of(graph, own);
}

// What a read leaves in its thread, which is looked up for one graph after the other.
template <int W>
const std::vector<std::int64_t>& Symmetry<W>::sight_of(const Graph<W>& graph, int read) const {
    std::vector<std::int64_t>& sight = sights_[read];
    if (sight.empty()) append_sight(task_, graph, read, sight);
    return sight;
}

// Compares the permuted word with the graph's own. `whole`: no thread adds to the graph any more.
template <int W>
typename Symmetry<W>::Compared Symmetry<W>::compare(const Graph<W>& graph, const Threads<W>& threads, const Row<W>& known,
                                                    const Permutation& permutation, bool whole) const {
    Permutation from(permutation.size());
    for (std::size_t t = 0; t < permutation.size(); ++t) from[permutation[t]] = static_cast<std::int32_t>(t);
    auto has_ended = [&](int thread) { return threads.state_of(graph, thread).status == Status::ENDED; };
    for (int t = 0; t < graph.thread_count(); ++t) {
        for (int k = 0;; ++k) {
            const int own = graph.at(t, k), other = graph.at(from[t], k);
            const bool mine_is_there = is_there(graph, known, own), other_is_there = is_there(graph, known, other);
            if (!mine_is_there || !other_is_there) {
                auto is_open = [&](bool there, int slot, int thread) {
                    return !there && !whole && (slot >= 0 || !has_ended(thread));
                };
                if (is_open(mine_is_there, own, t) || is_open(other_is_there, other, from[t])) return Compared::UNKNOWN;
                if (mine_is_there == other_is_there) break;
                return mine_is_there ? Compared::SMALLER : Compared::LARGER;
            }
            const std::strong_ordering ordering = order(graph, own, other, permutation);
            if (ordering != 0) return ordering < 0 ? Compared::SMALLER : Compared::LARGER;
        }
    }
    return Compared::EQUAL;
}

// Forgets what was looked up of another graph.
template <int W>
void Symmetry<W>::begin(const Graph<W>& graph) const {
    if (task_.settings.partition != Partition::SEEN) return;
    for (std::vector<std::int64_t>& sight : sights_) sight.clear();
    sights_.resize(std::max<std::size_t>(sights_.size(), graph.size()));
}

template <int W>
bool Symmetry<W>::drops(const Graph<W>& graph, const Threads<W>& threads, const Row<W>& observed) const {
    begin(graph);
    return std::ranges::any_of(transpositions_, [&](const Permutation& permutation) {
        return compare(graph, threads, graph.visible | observed, permutation, false) == Compared::SMALLER;
    });
}

template <int W>
std::int64_t Symmetry<W>::orbit(const Graph<W>& graph, const Threads<W>& threads, const Row<W>& observed) const {
    begin(graph);
    std::int64_t same = 0;
    for (const Permutation& permutation : permutations_) {
        const Compared compared = compare(graph, threads, graph.visible | observed, permutation, true);
        if (compared == Compared::SMALLER) return 0;
        same += compared == Compared::EQUAL;
    }
    return static_cast<std::int64_t>(permutations_.size()) / same;
}

}  // namespace xgen
