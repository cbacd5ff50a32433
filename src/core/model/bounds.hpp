// Evaluates a memory model on a graph of which modification order is known in part only.
//
// graph.mo_before and known_after have the pairs that are known; a *completion* orders the writes of each cell totally, and
// has these pairs. Each term gets bounds: what it has in every completion (LOWER), and what it has in any of them (UPPER).
// All operators pass lower bounds to lower bounds, but for differences: a \ b is bounded from below by LOWER(a) \ UPPER(b).
// So a constraint whose LOWER bound breaks it is broken in every completion, and where everything is ordered both bounds
// are the term itself.
//
// Then the same nodes are read backwards, from the constraints down: which pairs must not be in a node (`never`), which
// must (`always`), or else a constraint is broken. What arrives at modification order itself are pairs that all consistent
// completions have. For an acyclic union of program order, rf, mo and fr this is what is known as saturation.
#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

#include "evaluate.hpp"

namespace xgen {

template <int W>
class Bounds {
public:
    using Bits = Row<W>;
    using Pair = std::pair<std::int32_t, std::int32_t>;  // of slots of writes: the first comes before the second

    // `checks`: all nodes are global.
    explicit Bounds(const Checks& checks);

    // Evaluates what does not depend on modification order. False where some constraint is broken.
    bool begin(const Graph<W>& graph);
    // Whether two writes of one cell are not ordered.
    static bool has_open_pair(const Graph<W>& graph);
    // Evaluates the rest, after begin(). False where some constraint is broken in all completions; else `forced` has
    // pairs that all consistent completions have and that are not known yet. `upper`: upper bounds are to be had, too.
    bool refine(const Graph<W>& graph, bool upper);
    const std::vector<Pair>& forced() const { return forced_; }
    // After refine(graph, true): whether each completion is certain to satisfy all constraints. If not, `entangled` are
    // events that are in the way (perhaps none, where that is not known).
    bool all_hold(const Graph<W>& graph, Bits& entangled);
    // The work since it was asked for last.
    std::int64_t take_work() { return std::exchange(work_, 0); }
    // Whether some constraint depends on modification order.
    bool depends() const { return depends_; }

private:
    enum Side { LOWER, UPPER };
    using Matrix = std::vector<Bits>;

    static bool is_set(NodeOp op) { return op < NodeOp::PO; }
    template <class F>
    static void each_argument(const Node& node, F&& f);
    void find_ordered();
    bool is_ordered(const Condition& condition) const;
    bool is_mixed(const Condition& condition) const;

    const Matrix& rows(Side side, int n) const { return rows_[ordered_[n] ? side : LOWER][n]; }
    const Bits& set(Side side, int n) const { return sets_[ordered_[n] ? side : LOWER][n]; }
    void compute(const Graph<W>& graph, int n);
    void compute_side(const Graph<W>& graph, Side side, int n);
    bool compute_set(const Graph<W>& graph, Side side, int n);
    void compute_order(const Graph<W>& graph, Side side, NodeOp op, Matrix& out) const;
    void compute_recursion(const Graph<W>& graph, const Recursion& recursion);
    bool assign(Side side, int variable, int body);

    bool holds(const Graph<W>& graph, Side side, const Condition& condition);
    bool property_holds(Side side, const Condition& condition);
    bool is_broken(const Graph<W>& graph, const Condition& condition);
    bool is_certain(const Graph<W>& graph, const Condition& condition, Bits& entangled);
    bool cannot_close(const Graph<W>& graph, int n, Bits& entangled);
    bool only_order(const Graph<W>& graph, int n, const Bits& part) const;

    // --- backwards ---
    bool look_back(const Graph<W>& graph);
    void start(const Condition& condition);
    Matrix& never(int n) { return wanted(never_, has_never_, n); }
    Matrix& always(int n) { return wanted(always_, has_always_, n); }
    Matrix& wanted(std::vector<Matrix>& matrices, std::vector<char>& has, int n);
    void pass_never(const Graph<W>& graph, int n);
    void pass_always(int n);
    bool force(const Graph<W>& graph, const Matrix& pairs, bool from_reads, bool never);

    const Checks& checks_;
    std::vector<char> ordered_;                  // by node: modification order is in it
    std::vector<char> ordered_constraints_;      // of whole_checks
    bool depends_ = false;
    bool mixed_ = false;                         // lower bounds need upper ones
    bool upper_ = false;                         // upper bounds are computed
    bool open_ = false;                          // some writes are not ordered: something may follow
    std::vector<int> events_;                    // the visible ones
    std::array<std::vector<Matrix>, 2> rows_;    // by side and node
    std::array<std::vector<Bits>, 2> sets_;
    std::vector<Bits> bound_;                    // by binder
    std::vector<Matrix> never_, always_;         // by node
    std::vector<char> has_never_, has_always_;
    std::vector<int> order_nodes_;               // the global nodes that are ordered, ascending
    std::vector<Pair> forced_;
    Matrix closure_;                             // room to work in
    std::vector<Matrix> reached_;                // by node that is to be acyclic: the transitive closure of LOWER
    int size_ = 0;
    std::int64_t node_work_ = 0;                 // of computing one
    std::int64_t work_ = 0;
};

// ---- which nodes depend on modification order ----

// Calls f for each node that a node is made of.
template <int W>
template <class F>
void Bounds<W>::each_argument(const Node& node, F&& f) {
    switch (node.op) {
    case NodeOp::CLASS:
    case NodeOp::BOUND:
    case NodeOp::REC:
    case NodeOp::REC_SET: return;
    case NodeOp::FIX:
    case NodeOp::FIX_SET: f(node.b); return;
    default:
        for (int argument : {node.a, node.b, node.c})
            if (argument >= 0) f(argument);
    }
}

template <int W>
Bounds<W>::Bounds(const Checks& checks)
    : checks_(checks), ordered_(checks.nodes.size()), sets_{std::vector<Bits>(checks.nodes.size()), std::vector<Bits>(checks.nodes.size())},
      bound_(checks.binders), never_(checks.nodes.size()), always_(checks.nodes.size()), has_never_(checks.nodes.size()),
      has_always_(checks.nodes.size()), reached_(checks.nodes.size()) {
    for (auto& matrices : rows_) matrices.resize(checks.nodes.size());
    find_ordered();
    for (int n : checks.global)
        if (ordered_[n]) order_nodes_.push_back(n);
    for (const Constraint& c : checks.whole_checks) {
        const Condition& condition = checks.conditions[c.condition];
        ordered_constraints_.push_back(is_ordered(condition));
        depends_ |= is_ordered(condition);
        mixed_ |= is_mixed(condition);
    }
    for (const Node& node : checks.nodes)
        if (node.op == NodeOp::DIFFERENCE || node.op == NodeOp::SET_DIFFERENCE) mixed_ |= ordered_[node.b] != 0;
}

template <int W>
void Bounds<W>::find_ordered() {
    for (bool more = true; more;) {
        more = false;
        auto mark = [&](int n, bool ordered) {
            more |= ordered && !ordered_[n];
            ordered_[n] |= ordered;
        };
        for (std::size_t n = 0; n < checks_.nodes.size(); ++n) {
            const Node& node = checks_.nodes[n];
            mark(n, node.op == NodeOp::MO || node.op == NodeOp::FR);
            each_argument(node, [&](int argument) { mark(n, ordered_[argument]); });
        }
        for (const Recursion& recursion : checks_.recursions) {  // its variables may all depend on each other
            bool any = false;
            for (const auto& equation : recursion.equations) any |= ordered_[equation.body] != 0;
            for (const auto& equation : recursion.equations) mark(equation.variable, any);
        }
    }
}

template <int W>
bool Bounds<W>::is_ordered(const Condition& c) const {
    if (c.kind != Condition::Kind::CHECK)
        return std::ranges::any_of(c.parts, [&](int part) { return is_ordered(checks_.conditions[part]); });
    return ordered_[c.node] ||
           std::ranges::any_of(c.loops, [&](const Loop& loop) { return loop.domain >= 0 && ordered_[loop.domain]; });
}

// Whether upper bounds tell that the condition is broken.
template <int W>
bool Bounds<W>::is_mixed(const Condition& c) const {
    if (c.kind == Condition::Kind::CHECK) return c.negated && is_ordered(c);
    return std::ranges::any_of(c.parts, [&](int part) { return is_mixed(checks_.conditions[part]); });
}

// ---- bounds ----

template <int W>
bool Bounds<W>::begin(const Graph<W>& g) {
    size_ = g.size();
    node_work_ = work::BOUND_ROW * size_ * words_of(g);
    work_ += work::BOUNDS;
    events_.clear();
    g.visible.each([&](int e) { events_.push_back(e); });
    for (int n : checks_.global)
        if (!ordered_[n]) compute(g, n);
    for (std::size_t k = 0; k < checks_.whole_checks.size(); ++k)
        if (!ordered_constraints_[k] && is_broken(g, checks_.conditions[checks_.whole_checks[k].condition])) return false;
    return true;
}

template <int W>
bool Bounds<W>::refine(const Graph<W>& g, bool upper) {
    forced_.clear();
    if (!depends_) return true;
    open_ = has_open_pair(g);
    upper_ = (upper && open_) || mixed_;
    for (int n : order_nodes_) compute(g, n);
    for (std::size_t k = 0; k < checks_.whole_checks.size(); ++k)
        if (ordered_constraints_[k] && is_broken(g, checks_.conditions[checks_.whole_checks[k].condition])) return false;
    if (!open_) return true;
    std::fill(has_never_.begin(), has_never_.end(), 0);
    std::fill(has_always_.begin(), has_always_.end(), 0);
    return look_back(g);
}

template <int W>
bool Bounds<W>::has_open_pair(const Graph<W>& g) {
    Bits writes;
    g.visible.each([&](int e) {
        if (g.events[e].kind == EventKind::WRITE) writes.set(e);
    });
    bool any = false;
    writes.each([&](int e) {
        const Bits others = (g.cell_bits[g.events[e].cell] & writes) - g.mo_before[e] - g.known_after[e];
        any = any || !(others == Bits::single(e));
    });
    return any;
}

template <int W>
void Bounds<W>::compute(const Graph<W>& g, int n) {
    const Node& node = checks_.nodes[n];
    if ((node.op == NodeOp::FIX || node.op == NodeOp::FIX_SET) && node.a >= 0) compute_recursion(g, checks_.recursions[node.a]);
    compute_side(g, LOWER, n);
    if (upper_ && ordered_[n]) compute_side(g, UPPER, n);
}

template <int W>
void Bounds<W>::compute_order(const Graph<W>& g, Side side, NodeOp op, Matrix& out) const {
    auto after = [&](int write) {
        if (side == LOWER) return g.known_after[write];
        Bits others = g.cell_bits[g.events[write].cell] - g.mo_before[write];
        others.reset(write);
        Bits writes;
        others.each([&](int e) {
            if (g.events[e].kind == EventKind::WRITE) writes.set(e);
        });
        return writes;
    };
    for (int e : events_) {
        const Event& event = g.events[e];
        if (op == NodeOp::MO && event.kind == EventKind::WRITE) out[e] = after(e);
        if (op == NodeOp::FR && event.kind == EventKind::READ && event.rf >= 0) out[e] = after(event.rf);
    }
}

template <int W>
bool Bounds<W>::compute_set(const Graph<W>& g, Side side, int n) {
    const Node& node = checks_.nodes[n];
    const Side other = side == LOWER ? UPPER : LOWER;
    Bits value;
    switch (node.op) {
    case NodeOp::CLASS: value = g.class_bits[node.a]; break;
    case NodeOp::BOUND: value = bound_[node.a]; break;
    case NodeOp::DOMAIN:
        for (int e : events_)
            if (rows(side, node.a)[e].any()) value.set(e);
        break;
    case NodeOp::RANGE:
        for (int e : events_) value |= rows(side, node.a)[e];
        break;
    case NodeOp::SET_UNION: value = set(side, node.a) | set(side, node.b); break;
    case NodeOp::SET_INTERSECT: value = set(side, node.a) & set(side, node.b); break;
    case NodeOp::SET_DIFFERENCE: value = set(side, node.a) - set(other, node.b); break;
    case NodeOp::FIX_SET: value = set(side, node.b); break;
    default: return false;
    }
    sets_[side][n] = value;
    return true;
}

template <int W>
void Bounds<W>::compute_side(const Graph<W>& g, Side side, int n) {
    const Node& node = checks_.nodes[n];
    work_ += node_work_;
    if (is_set(node.op)) {
        compute_set(g, side, n);
        return;
    }
    const Side other = side == LOWER ? UPPER : LOWER;
    Matrix& out = rows_[side][n];
    out.assign(size_, {});
    auto a = [&]() -> const Matrix& { return rows(side, node.a); };
    auto b = [&]() -> const Matrix& { return rows(side, node.b); };
    auto pointwise = [&](const Matrix& r, const Matrix& s, auto&& f) {
        for (int e : events_) out[e] = f(r[e], s[e]);
    };
    switch (node.op) {
    case NodeOp::MO:
    case NodeOp::FR: compute_order(g, side, node.op, out); break;
    case NodeOp::UNION: pointwise(a(), b(), [](const Bits& r, const Bits& s) { return r | s; }); break;
    case NodeOp::INTERSECT: pointwise(a(), b(), [](const Bits& r, const Bits& s) { return r & s; }); break;
    case NodeOp::DIFFERENCE: pointwise(a(), rows(other, node.b), [](const Bits& r, const Bits& s) { return r - s; }); break;
    case NodeOp::SEQUENCE: {
        const Matrix &r = a(), &s = b();
        for (int e : events_) r[e].each([&](int m) { out[e] |= s[m]; });
        break;
    }
    case NodeOp::INVERSE: {
        const Matrix& r = a();
        for (int e : events_) r[e].each([&](int m) { out[m].set(e); });
        break;
    }
    case NodeOp::OPTIONAL: {
        const Matrix& r = a();
        for (int e : events_) {
            out[e] = r[e];
            out[e].set(e);
        }
        break;
    }
    case NodeOp::PLUS: close<W>(Rows<W>(a().data(), 1), size_, out); break;
    case NodeOp::CROSS: set(side, node.a).each([&](int e) { out[e] = set(side, node.b); }); break;
    case NodeOp::IDENTITY: set(side, node.a).each([&](int e) { out[e] = Bits::single(e); }); break;
    case NodeOp::RESTRICT: {
        const Matrix& r = a();
        set(side, node.b).each([&](int e) { out[e] = r[e] & set(side, node.c); });
        break;
    }
    case NodeOp::FIX: {
        const Matrix& r = b();
        for (int e : events_) out[e] = r[e];
        break;
    }
    default: Evaluator<W>::compute_base(g, node, out);
    }
}

// Gives a variable of a recursion the value of its body; whether that is another one.
template <int W>
bool Bounds<W>::assign(Side side, int variable, int body) {
    if (is_set(checks_.nodes[variable].op)) {
        const Bits value = set(side, body);
        const bool other = !(value == sets_[side][variable]);
        sets_[side][variable] = value;
        return other;
    }
    const Matrix& value = rows(side, body);
    Matrix& to = rows_[side][variable];
    bool other = false;
    for (int e : events_) {
        other |= !(value[e] == to[e]);
        to[e] = value[e];
    }
    return other;
}

// Round by round as Evaluator does it. What holds of the bounds in each round holds in the last one, too.
template <int W>
void Bounds<W>::compute_recursion(const Graph<W>& g, const Recursion& recursion) {
    for (const auto& equation : recursion.equations) {
        for (Side side : {LOWER, UPPER}) {
            sets_[side][equation.variable] = {};
            rows_[side][equation.variable].assign(size_, {});
        }
    }
    const std::size_t most = 2 * recursion.equations.size() * size_ * size_ + 2;
    bool more = true;
    for (std::size_t round = 0; more; ++round) {
        if (round == most) throw std::overflow_error("a recursion of the model has no fixed point");
        more = false;
        for (const auto& equation : recursion.equations) {
            for (int n : equation.nodes) compute(g, n);
            more |= assign(LOWER, equation.variable, equation.body);
            if (upper_ && ordered_[equation.variable]) more |= assign(UPPER, equation.variable, equation.body);
        }
    }
}

// ---- constraints ----

template <int W>
bool Bounds<W>::property_holds(Side side, const Condition& c) {
    if (is_set(checks_.nodes[c.node].op)) return !set(side, c.node).any();
    const Matrix& r = rows(side, c.node);
    const Rows<W> relation(r.data(), 1);
    if (c.property == Property::ACYCLIC && side == LOWER && open_ && ordered_[c.node])
        return close_acyclic(relation, size_, reached_[c.node]);
    if (c.property == Property::ACYCLIC) return is_acyclic<W>(relation, size_);
    return std::ranges::none_of(events_, [&](int e) { return c.property == Property::EMPTY ? r[e].any() : r[e].test(e); });
}

// Whether the bound of a check's term has the property, for all values of the binders.
template <int W>
bool Bounds<W>::holds(const Graph<W>& g, Side side, const Condition& c) {
    auto bind = [&](const Loop& loop, const Bits& value) {
        bound_[loop.binder] = value;
        for (int n : loop.nodes) compute(g, n);
    };
    return for_all(g, c.loops, [&](int n) { return set(side, n); }, bind, [&] { return property_holds(side, c); });
}

// Whether no completion satisfies a condition.
template <int W>
bool Bounds<W>::is_broken(const Graph<W>& g, const Condition& c) {
    auto broken = [&](int part) { return is_broken(g, checks_.conditions[part]); };
    if (c.kind == Condition::Kind::ALL) return std::ranges::any_of(c.parts, broken);
    if (c.kind == Condition::Kind::ONE) return std::ranges::all_of(c.parts, broken);
    if (c.negated) return holds(g, UPPER, c);
    return !holds(g, LOWER, c);
}

// Whether each completion satisfies a condition.
template <int W>
bool Bounds<W>::is_certain(const Graph<W>& g, const Condition& c, Bits& entangled) {
    auto certain = [&](int part) { return is_certain(g, checks_.conditions[part], entangled); };
    if (c.kind == Condition::Kind::ALL) return std::ranges::all_of(c.parts, certain);
    if (c.kind == Condition::Kind::ONE) return std::ranges::any_of(c.parts, certain);
    if (c.negated) return !holds(g, LOWER, c);
    if (holds(g, UPPER, c)) return true;
    return c.property == Property::ACYCLIC && c.loops.empty() && !is_set(checks_.nodes[c.node].op) &&
           cannot_close(g, c.node, entangled);
}

template <int W>
bool Bounds<W>::all_hold(const Graph<W>& g, Bits& entangled) {
    if (!open_) return true;  // refine() has seen that
    for (std::size_t k = 0; k < checks_.whole_checks.size(); ++k)
        if (ordered_constraints_[k] && !is_certain(g, checks_.conditions[checks_.whole_checks[k].condition], entangled))
            return false;
    return true;
}

// Whether a relation is acyclic in all completions, though its upper bound has cycles: these are of writes of one cell, and
// what the relation has among them is modification order, which has none.
template <int W>
bool Bounds<W>::cannot_close(const Graph<W>& g, int n, Bits& entangled) {
    const Matrix& r = rows(UPPER, n);
    close<W>(Rows<W>(r.data(), 1), size_, closure_);
    for (int e : events_) {
        if (!closure_[e].test(e)) continue;
        Bits part;
        closure_[e].each([&](int other) {
            if (closure_[other].test(e)) part.set(other);
        });
        bool alone = true;
        part.each([&](int other) {
            alone = alone && g.events[other].kind == EventKind::WRITE && g.events[other].cell == g.events[e].cell;
        });
        if (alone && only_order(g, n, part)) continue;
        entangled = part;
        return false;
    }
    return true;
}

// Whether what a union has among some writes of a cell is modification order in all completions.
template <int W>
bool Bounds<W>::only_order(const Graph<W>& g, int n, const Bits& part) const {
    const Node& node = checks_.nodes[n];
    switch (node.op) {
    case NodeOp::MO: return true;
    case NodeOp::UNION: return only_order(g, node.a, part) && only_order(g, node.b, part);
    case NodeOp::INTERSECT:
        if (only_order(g, node.a, part) || only_order(g, node.b, part)) return true;
        break;
    case NodeOp::DIFFERENCE:
    case NodeOp::RESTRICT:
        if (only_order(g, node.a, part)) return true;
        break;
    default: break;
    }
    return std::ranges::all_of(events_, [&](int e) {
        return !part.test(e) || !((rows(UPPER, n)[e] & part) - g.known_after[e]).any();
    });
}

}  // namespace xgen

#include "bounds_back_impl.hpp"
