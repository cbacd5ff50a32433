// Modification order that is known in part: graph.mo_before and known_after have the pairs that are known.
#pragma once

#include <utility>
#include <vector>

#include "graph.hpp"

namespace xgen {

// What is known is transitive, the initial write comes first, and the write of a read-modify-write comes right after what
// its read reads from: graph.mo_next of the one is the other, and else -1. What has been added can be taken back.
template <int W>
class Order {
public:
    using Bits = Row<W>;

    Order() = default;
    template <int V>
    explicit Order(const Order<V>& other);

    // How much there is to take back; take_back() goes back to there.
    int mark() const { return static_cast<int>(changes_.size()); }
    void take_back(Graph<W>& graph, int mark);
    void forget() { changes_.clear(); }

    // A write that is after the initial one, and not yet otherwise ordered. False where that cannot be.
    bool join(Graph<W>& graph, int write) { return know(graph, graph.events[write].cell, write); }
    // The write of an update comes right after the one that its read reads from. False where that cannot be.
    bool join_behind(Graph<W>& graph, int source, int write);
    // The first comes before the second. False where that cannot be; then take_back() makes the graph good again.
    bool know(Graph<W>& graph, int first, int second);

private:
    template <int V>
    friend class Order;

    // What a slot was before.
    struct Change {
        std::int32_t slot, previous, next;
        Bits before, after;
    };
    void save(const Graph<W>& graph, int slot) {
        changes_.push_back({slot, graph.mo_previous[slot], graph.mo_next[slot], graph.mo_before[slot], graph.known_after[slot]});
    }

    std::vector<Change> changes_;
    std::vector<std::pair<std::int32_t, std::int32_t>> left_;  // pairs to add
};

template <int W>
template <int V>
Order<W>::Order(const Order<V>& o) {
    for (const auto& c : o.changes_)
        changes_.push_back({c.slot, c.previous, c.next, resized<W>(c.before), resized<W>(c.after)});
}

template <int W>
void Order<W>::take_back(Graph<W>& graph, int mark) {
    while (static_cast<int>(changes_.size()) > mark) {
        const Change& change = changes_.back();
        graph.mo_previous[change.slot] = change.previous;
        graph.mo_next[change.slot] = change.next;
        graph.mo_before[change.slot] = change.before;
        graph.known_after[change.slot] = change.after;
        changes_.pop_back();
    }
}

template <int W>
bool Order<W>::join_behind(Graph<W>& graph, int source, int write) {
    if (graph.mo_next[source] >= 0) return false;
    const Bits before = graph.mo_before[source], after = graph.known_after[source], already = graph.mo_before[write];
    save(graph, source);
    save(graph, write);
    graph.mo_next[source] = write;
    graph.mo_previous[write] = source;
    bool good = know(graph, source, write);
    before.each([&](int w) { good = good && know(graph, w, write); });
    after.each([&](int w) { good = good && (w == write || know(graph, write, w)); });
    already.each([&](int w) { good = good && (w == source || know(graph, w, source)); });
    return good;
}

template <int W>
bool Order<W>::know(Graph<W>& graph, int first, int second) {
    left_.assign(1, {first, second});
    while (!left_.empty()) {
        const auto [a, b] = left_.back();
        left_.pop_back();
        if (a == b || graph.known_after[b].test(a)) return false;
        if (graph.known_after[a].test(b)) continue;
        Bits before = graph.mo_before[a], after = graph.known_after[b];
        before.set(a);
        after.set(b);
        before.each([&, b = b](int w) {  // clang takes no structured binding into a lambda before version 16
            if (!(after - graph.known_after[w]).any()) return;
            save(graph, w);
            graph.known_after[w] |= after;
            const int behind = graph.mo_next[w];
            if (behind >= 0 && behind != b) left_.emplace_back(behind, b);
        });
        after.each([&, a = a](int w) {
            if (!(before - graph.mo_before[w]).any()) return;
            save(graph, w);
            graph.mo_before[w] |= before;
            const int source = graph.mo_previous[w];
            if (source >= 0 && source != a) left_.emplace_back(a, source);
        });
    }
    return true;
}

}  // namespace xgen
