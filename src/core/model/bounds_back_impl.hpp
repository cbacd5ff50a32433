// Which pairs of modification order follow from a model's constraints. Part of bounds.hpp.
#pragma once

#include "bounds.hpp"

namespace xgen {

template <int W>
typename Bounds<W>::Matrix& Bounds<W>::wanted(std::vector<Matrix>& matrices, std::vector<char>& has, int n) {
    if (!has[n]) matrices[n].assign(size_, {});
    has[n] = 1;
    return matrices[n];
}

// What a condition says of its own node.
template <int W>
void Bounds<W>::start(const Condition& c) {
    if (c.kind == Condition::Kind::ALL)
        for (int part : c.parts) start(checks_.conditions[part]);
    if (c.kind != Condition::Kind::CHECK || c.negated || !c.loops.empty()) return;
    if (!ordered_[c.node] || is_set(checks_.nodes[c.node].op)) return;
    Matrix& to = never(c.node);
    switch (c.property) {
    case Property::EMPTY:
        for (int e : events_) to[e] = Bits::below(size_);
        break;
    case Property::IRREFLEXIVE:
        for (int e : events_) to[e].set(e);
        break;
    case Property::ACYCLIC: {
        const Matrix& after = reached_[c.node];  // found when it was checked
        for (int e : events_) {
            to[e].set(e);
            after[e].each([&](int other) { to[other].set(e); });
        }
    }
    }
}

template <int W>
bool Bounds<W>::look_back(const Graph<W>& g) {
    for (std::size_t k = 0; k < checks_.whole_checks.size(); ++k)
        if (ordered_constraints_[k]) start(checks_.conditions[checks_.whole_checks[k].condition]);
    for (auto n = order_nodes_.rbegin(); n != order_nodes_.rend(); ++n) {
        const NodeOp op = checks_.nodes[*n].op;
        work_ += node_work_ * (has_never_[*n] + has_always_[*n]);
        if (op == NodeOp::MO || op == NodeOp::FR) {
            if (has_never_[*n] && !force(g, never_[*n], op == NodeOp::FR, true)) return false;
            if (has_always_[*n] && !force(g, always_[*n], op == NodeOp::FR, false)) return false;
            continue;
        }
        if (has_never_[*n]) pass_never(g, *n);
        if (has_always_[*n]) pass_always(*n);
    }
    return true;
}

// Takes pairs of modification order, or of fr, that must not be (or must be): the writes have to be ordered the other way.
template <int W>
bool Bounds<W>::force(const Graph<W>& g, const Matrix& pairs, bool from_reads, bool is_never) {
    for (int e : events_) {
        const Event& event = g.events[e];
        const EventKind kind = from_reads ? EventKind::READ : EventKind::WRITE;
        const bool there = event.kind == kind && (!from_reads || event.rf >= 0);
        if (!there) {
            if (!is_never && pairs[e].any()) return false;
            continue;
        }
        const int write = from_reads ? event.rf : e;
        bool good = true;
        pairs[e].each([&](int other) {
            const Event& to = g.events[other];
            const bool writes = g.visible.test(other) && to.kind == EventKind::WRITE && to.cell == event.cell && other != write;
            if (!writes) {
                good &= is_never;
                return;
            }
            const auto [first, second] = is_never ? Pair(other, write) : Pair(write, other);
            if (g.known_after[second].test(first)) good = false;
            if (!g.known_after[first].test(second)) forced_.emplace_back(first, second);
        });
        if (!good) return false;
    }
    return true;
}

// What a node that must not have some pairs says of those that it is made of.
template <int W>
void Bounds<W>::pass_never(const Graph<W>& g, int n) {
    const Node& node = checks_.nodes[n];
    const Matrix& from = never_[n];
    const bool first = node.a >= 0 && !is_set(node.op) && node.op != NodeOp::FIX && ordered_[node.a];
    const bool second = node.b >= 0 && !is_set(node.op) && node.op != NodeOp::FIX && ordered_[node.b];
    auto both = [&](int to, auto&& f) {
        Matrix& rows_to = never(to);
        for (int e : events_) rows_to[e] |= f(e);
    };
    switch (node.op) {
    case NodeOp::UNION:
        if (first) both(node.a, [&](int e) { return from[e]; });
        if (second) both(node.b, [&](int e) { return from[e]; });
        break;
    case NodeOp::INTERSECT:
        if (first) both(node.a, [&](int e) { return from[e] & rows(LOWER, node.b)[e]; });
        if (second) both(node.b, [&](int e) { return from[e] & rows(LOWER, node.a)[e]; });
        break;
    case NodeOp::DIFFERENCE:
        if (first) both(node.a, [&](int e) { return from[e] - rows(UPPER, node.b)[e]; });
        if (second) {
            Matrix& to = always(node.b);
            for (int e : events_) to[e] |= from[e] & rows(LOWER, node.a)[e];
        }
        break;
    case NodeOp::OPTIONAL:
        both(node.a, [&](int e) { return from[e]; });
        break;
    case NodeOp::INVERSE: {
        Matrix& to = never(node.a);
        for (int e : events_) (from[e] & g.visible).each([&](int m) { to[m].set(e); });
        break;
    }
    case NodeOp::SEQUENCE:
        if (first) {
            Matrix& to = never(node.a);
            for (int m : events_) {
                const Bits& row = rows(LOWER, node.b)[m];
                if (!row.any()) continue;
                for (int e : events_)
                    if (row.meets(from[e])) to[e].set(m);
            }
        }
        if (second) {
            Matrix& to = never(node.b);
            for (int e : events_)
                if (from[e].any()) rows(LOWER, node.a)[e].each([&](int m) { to[m] |= from[e]; });
        }
        break;
    case NodeOp::PLUS: {
        Matrix& to = never(node.a);
        const Matrix& paths = rows(LOWER, n);
        Matrix reached(size_);
        for (int u : events_) {
            reached[u] |= from[u];
            paths[u].each([&](int e) { reached[e] |= from[u]; });
        }
        for (int m : events_) {
            Bits ends = paths[m];
            ends.set(m);
            for (int e : events_)
                if (ends.meets(reached[e])) to[e].set(m);
        }
        break;
    }
    case NodeOp::RESTRICT:
        if (first) {
            Matrix& to = never(node.a);
            set(LOWER, node.b).each([&](int e) { to[e] |= from[e] & set(LOWER, node.c); });
        }
        break;
    default: break;
    }
}

// The same of pairs that a node must have.
template <int W>
void Bounds<W>::pass_always(int n) {
    const Node& node = checks_.nodes[n];
    const Matrix& from = always_[n];
    auto give = [&](int to, auto&& f) {
        if (!ordered_[to]) return;
        Matrix& rows_to = always(to);
        for (int e : events_) rows_to[e] |= f(e);
    };
    switch (node.op) {
    case NodeOp::UNION:
        give(node.a, [&](int e) { return from[e] - rows(UPPER, node.b)[e]; });
        give(node.b, [&](int e) { return from[e] - rows(UPPER, node.a)[e]; });
        break;
    case NodeOp::INTERSECT:
        give(node.a, [&](int e) { return from[e]; });
        give(node.b, [&](int e) { return from[e]; });
        break;
    case NodeOp::DIFFERENCE:
        give(node.a, [&](int e) { return from[e]; });
        if (ordered_[node.b]) {
            Matrix& to = never(node.b);
            for (int e : events_) to[e] |= from[e];
        }
        break;
    case NodeOp::OPTIONAL: give(node.a, [&](int e) { return from[e] - Bits::single(e); }); break;
    case NodeOp::RESTRICT: give(node.a, [&](int e) { return from[e]; }); break;
    default: break;
    }
}

}  // namespace xgen
