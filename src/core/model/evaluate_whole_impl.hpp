// What is evaluated on the whole graph at once. Part of evaluate.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "evaluate.hpp"

namespace xgen {

template <int W>
inline bool Evaluator<W>::base_row(const Graph<W>& g, NodeOp op, int e, Bits& row) {
    const Event& event = g.events[e];
    switch (op) {
    case NodeOp::RF:
        if (event.kind == EventKind::WRITE) row = g.readers[e];
        return true;
    case NodeOp::MO:
        if (event.kind == EventKind::WRITE) row = g.mo_after(e);
        return true;
    case NodeOp::FR:
        if (event.kind == EventKind::READ && event.rf >= 0) row = g.mo_after(event.rf);
        return true;
    case NodeOp::ECO: {
        const int write = event.kind == EventKind::WRITE ? e : event.kind == EventKind::READ ? event.rf : -1;
        if (write < 0) return true;
        row = with_readers(g, g.mo_after(write));
        if (write == e) row |= g.readers[e];
        return true;
    }
    case NodeOp::LOC:
        if (event.cell >= 0) row = g.cell_bits[event.cell];
        return true;
    case NodeOp::INT:
        if (event.thread >= 0) row = g.thread_bits[event.thread];
        return true;
    case NodeOp::EXT: row = g.visible - (event.thread >= 0 ? g.thread_bits[event.thread] : g.initial()); return true;
    case NodeOp::ID: row = Bits::single(e); return true;
    case NodeOp::SI:
        row = g.siblings(e) & g.visible;
        row.reset(e);
        return true;
    default: return false;
    }
}

template <int W>
void Evaluator<W>::compute_base(const Graph<W>& g, const Node& node, std::vector<Bits>& rows) {
    const int size = g.size();
    for (int e = 0; e < size; ++e) {
        const Event& event = g.events[e];
        if (!g.visible.test(e) || base_row(g, node.op, e, rows[e])) continue;
        switch (node.op) {
        case NodeOp::PO:
            if (event.thread < 0) rows[e] = g.visible - g.initial();
            break;
        case NodeOp::RMW:
            if (event.rmw && event.kind == EventKind::WRITE) rows[g.at(event.thread, event.index - 1)].set(e);
            if (event.partner >= 0 && g.visible.test(g.at(event.thread, event.partner)))
                rows[g.at(event.thread, event.partner)].set(e);
            break;
        case NodeOp::BLOCK:
            if (event.block > 0)
                g.thread_bits[event.thread].each([&](int other) {
                    if (g.events[other].block == event.block) rows[e].set(other);
                });
            break;
        case NodeOp::OBJ:
            if (event.object >= 0)
                g.visible.each([&](int other) {
                    if (g.events[other].object == event.object) rows[e].set(other);
                });
            break;
        case NodeOp::ADDR:
        case NodeOp::DATA:
        case NodeOp::CTRL:
        case NodeOp::PICK_ADDR:
        case NodeOp::PICK_DATA:
        case NodeOp::PICK_CTRL:
            (sources(g, node.op, e) & g.visible).each([&](int d) { rows[d].set(e); });
            break;
        default: break;
        }
    }
    if (node.op == NodeOp::PO && g.forks) {
        for (int e = g.cells; e < size; ++e)
            if (g.visible.test(e)) (g.po_before[e] & g.visible).each([&](int b) { rows[b].set(e); });
    } else if (node.op == NodeOp::PO) {
        for (int t = 0; t < g.thread_count(); ++t) {
            Bits after;
            for (int k = g.length(t) - 1; k >= 0; --k) {
                const int slot = g.line(t)[k];
                if (!g.visible.test(slot)) continue;
                rows[slot] = after;
                after.set(slot);
            }
        }
    }
}

template <int W>
bool Evaluator<W>::compute_set(const Graph<W>& g, const Kept<W>& kept, int n) {
    const Node& node = checks_.nodes[n];
    Bits value;
    switch (node.op) {
    case NodeOp::CLASS: value = g.class_bits[node.a]; break;
    case NodeOp::BOUND: value = bound_[node.a]; break;
    case NodeOp::DOMAIN: {
        const auto r = rows(kept, node.a);
        for (int e = 0; e < g.size(); ++e)
            if (r[e].any()) value.set(e);
        break;
    }
    case NodeOp::RANGE: {
        const auto r = rows(kept, node.a);
        for (int e = 0; e < g.size(); ++e) value |= r[e];
        break;
    }
    case NodeOp::SET_UNION: value = sets_[node.a] | sets_[node.b]; break;
    case NodeOp::SET_INTERSECT: value = sets_[node.a] & sets_[node.b]; break;
    case NodeOp::SET_DIFFERENCE: value = sets_[node.a] - sets_[node.b]; break;
    case NodeOp::FIX_SET:
        if (node.a >= 0) compute_recursion(g, kept, checks_.recursions[node.a]);
        value = sets_[node.b];
        break;
    default: return false;
    }
    sets_[n] = value;
    return true;
}

template <int W>
void Evaluator<W>::compute_relation(const Graph<W>& g, const Kept<W>& kept, int n) {
    const Node& node = checks_.nodes[n];
    const int size = g.size();
    std::vector<Bits>& out = matrices_[n];
    out.assign(size, {});
    auto a = [&] { return rows(kept, node.a); };
    auto b = [&] { return rows(kept, node.b); };
    auto every = [&](auto&& f) {
        for (int e = 0; e < size; ++e) f(e);
    };
    auto pointwise = [&](auto&& f) {
        every([&, r = a(), s = b()](int e) { out[e] = f(r[e], s[e]); });
    };
    switch (node.op) {
    case NodeOp::UNION: pointwise([](const Bits& r, const Bits& s) { return r | s; }); break;
    case NodeOp::INTERSECT: pointwise([](const Bits& r, const Bits& s) { return r & s; }); break;
    case NodeOp::DIFFERENCE: pointwise([](const Bits& r, const Bits& s) { return r - s; }); break;
    case NodeOp::SEQUENCE: {
        const auto r = a(), s = b();
        Bits leads;
        every([&](int m) {
            if (s[m].any()) leads.set(m);
        });
        every([&](int e) { (r[e] & leads).each([&](int m) { out[e] |= s[m]; }); });
        break;
    }
    case NodeOp::INVERSE: every([&, r = a()](int e) { r[e].each([&](int m) { out[m].set(e); }); }); break;
    case NodeOp::OPTIONAL:
        every([&, r = a()](int e) {
            out[e] = r[e];
            if (g.visible.test(e)) out[e].set(e);
        });
        break;
    case NodeOp::PLUS: close<W>(a(), size, out); break;
    case NodeOp::CROSS: sets_[node.a].each([&](int e) { out[e] = sets_[node.b]; }); break;
    case NodeOp::IDENTITY: sets_[node.a].each([&](int e) { out[e] = Bits::single(e); }); break;
    case NodeOp::RESTRICT:
        sets_[node.b].each([&, r = a()](int e) { out[e] = r[e] & sets_[node.c]; });
        break;
    case NodeOp::FIX:
        if (node.a >= 0) compute_recursion(g, kept, checks_.recursions[node.a]);
        every([&, s = b()](int e) { out[e] = s[e]; });
        break;
    default: compute_base(g, node, out);
    }
}

// Gives a variable of a recursion the value of its body; whether that has what the old value has not.
template <int W>
bool Evaluator<W>::assign(const Graph<W>& g, const Kept<W>& kept, int variable, int body) {
    if (is_set(checks_.nodes[variable].op)) {
        const bool more = (sets_[body] - sets_[variable]).any();
        sets_[variable] = sets_[body];
        return more;
    }
    const auto value = rows(kept, body);
    bool more = false;
    for (int e = 0; e < g.size(); ++e) {
        more |= (value[e] - matrices_[variable][e]).any();
        matrices_[variable][e] = value[e];
    }
    return more;
}

// A recursion that is monotone adds something in each round but the last; one that is not may go on and on.
template <int W>
void Evaluator<W>::compute_recursion(const Graph<W>& g, const Kept<W>& kept, const Recursion& recursion) {
    for (const auto& equation : recursion.equations) {
        sets_[equation.variable] = {};
        matrices_[equation.variable].assign(g.size(), {});
    }
    const std::size_t most = recursion.equations.size() * g.size() * g.size() + 2;
    bool more = true;
    for (std::size_t round = 0; more; ++round) {
        if (round == most) throw std::overflow_error("a recursion of the model has no fixed point");
        more = false;
        for (const auto& equation : recursion.equations) {
            for (int n : equation.nodes) compute(g, kept, n);
            more |= assign(g, kept, equation.variable, equation.body);
        }
    }
}

template <int W>
void Evaluator<W>::compute(const Graph<W>& g, const Kept<W>& kept, int n) {
    work_ += work::ROW * g.size() * words_of(g);
    if (!compute_set(g, kept, n)) compute_relation(g, kept, n);
}

template <int W>
bool Evaluator<W>::property_holds(const Graph<W>& g, const Kept<W>& kept, const Condition& c) const {
    if (is_set(checks_.nodes[c.node].op)) return !sets_[c.node].any();
    const auto r = rows(kept, c.node);
    if (c.property == Property::ACYCLIC) return is_acyclic<W>(r, g.size());
    for (int e = 0; e < g.size(); ++e)
        if (c.property == Property::EMPTY ? r[e].any() : r[e].test(e)) return false;
    return true;
}

// Whether a check holds for all values of the binders of its loops, the outermost first. `domain(node)`: the set that a loop
// runs over; `bind(loop, value)`: gives its binder a value, of which `holds()` then tells.
template <int W, class Domain, class Bind, class Holds>
bool for_all(const Graph<W>& g, const std::vector<Loop>& loops, Domain&& domain, Bind&& bind, Holds&& holds,
             std::size_t depth = 0) {
    if (depth == loops.size()) return holds();
    const Loop& loop = loops[depth];
    auto inside = [&](const Row<W>& value) {
        bind(loop, value);
        return for_all(g, loops, domain, bind, holds, depth + 1);
    };
    if (loop.over != Over::NODES)
        return std::ranges::all_of(loop.over == Over::THREADS ? g.thread_bits : g.cell_bits, inside);
    bool all = true;
    const Row<W> values = domain(loop.domain);
    values.each([&](int e) { all = all && inside(Row<W>::single(e)); });
    return all;
}

template <int W>
bool Evaluator<W>::check_holds(const Graph<W>& g, const Kept<W>& kept, const Condition& c) {
    auto bind = [&](const Loop& loop, const Bits& value) {
        bound_[loop.binder] = value;
        for (int n : loop.nodes) compute(g, kept, n);
    };
    return for_all(g, c.loops, [&](int n) { return sets_[n]; }, bind, [&] { return property_holds(g, kept, c); });
}

template <int W>
bool Evaluator<W>::holds(const Graph<W>& g, const Kept<W>& kept, const Condition& c) {
    if (c.kind == Condition::Kind::CHECK) return check_holds(g, kept, c) != c.negated;
    for (int part : c.parts)
        if (holds(g, kept, checks_.conditions[part]) != (c.kind == Condition::Kind::ALL))
            return c.kind == Condition::Kind::ONE;
    return c.kind == Condition::Kind::ALL;
}

template <int W>
int Evaluator<W>::whole(const Graph<W>& g, const Kept<W>& kept) {
    for (int n : checks_.global) compute(g, kept, n);
    for (const Constraint& c : checks_.whole_checks)
        if (!holds(g, kept, checks_.conditions[c.condition])) return c.number;
    return -1;
}

template <int W>
bool Evaluator<W>::verify(const Graph<W>& g, const Kept<W>& kept, const Bits& present) const {
    Checks copy = checks_;
    copy.kept = 0;
    for (Node& node : copy.nodes) node.kept = -1;
    std::vector<bool> local(copy.nodes.size());
    for (const EventPlan& step : checks_.steps)
        for (int n : step.local) local[n] = true;
    Evaluator fresh(copy, class_steps_);
    for (int n = 0; n < static_cast<int>(copy.nodes.size()); ++n) {
        const NodeOp op = copy.nodes[n].op;
        if (op == NodeOp::CLASS || op == NodeOp::EMPTY || local[n]) fresh.compute(g, {}, n);
        const int k = checks_.nodes[n].kept;
        if (k < 0) continue;
        std::vector<Bits> columns(g.size());
        for (int e = 0; e < g.size(); ++e) {
            const Pairs<W> pairs = e < kept.events() ? kept.of(e)[k] : Pairs<W>{};
            const Bits row = present.test(e) ? fresh.matrices_[n][e] & present : Bits{};
            if (checks_.forwards[k] && pairs.after != row) return false;
            row.each([&](int later) { columns[later].set(e); });
        }
        for (int e = 0; e < g.size(); ++e)
            if (columns[e] != (e < kept.events() ? kept.of(e)[k].before : Bits{})) return false;
    }
    return true;
}

template <int W>
int Evaluator<W>::find_broken_walks(const Graph<W>& g) const {
    if (checks_.walks.empty()) return -1;
    Checks copy = checks_;
    copy.kept = 0;
    for (Node& node : copy.nodes) node.kept = -1;
    Evaluator fresh(copy, class_steps_);
    std::vector<bool> below(copy.nodes.size());
    for (const Walks& walks : copy.walks) below[walks.node] = true;
    for (int n = static_cast<int>(copy.nodes.size()) - 1; n >= 0; --n) {
        const Node& node = copy.nodes[n];
        if (!below[n] || node.op == NodeOp::CLASS) continue;
        for (int argument : {node.a, node.b, node.c})
            if (argument >= 0) below[argument] = true;
    }
    for (int n = 0; n < static_cast<int>(copy.nodes.size()); ++n)
        if (below[n]) fresh.compute(g, {}, n);
    for (const Walks& walks : copy.walks) {
        Condition condition;
        condition.property = walks.property;
        condition.node = walks.node;
        if (!fresh.property_holds(g, {}, condition)) return walks.number;
    }
    return -1;
}

// ---- flags ----

template <int W>
template <class F>
void Evaluator<W>::failing(const Graph<W>& g, const Kept<W>* given, F&& f) {
    if (checks_.pair_flags.empty() && checks_.whole_checks.empty()) return;
    given_ = given;
    ++round_;
    failed_.clear();  // a constraint may be in several parts
    auto fails = [&](int number) { return std::ranges::find(failed_, number) != failed_.end(); };
    for (const PairFlag& flag : checks_.pair_flags) {
        if (fails(flag.number)) continue;
        const bool any = any_pair(g, flag);
#ifdef XGEN_ASSERT
        if (!is_as_computed(g, flag, any)) std::abort();
#endif
        if (any) failed_.push_back(flag.number);
    }
    if (!checks_.whole_checks.empty())
        for (int n : checks_.global)
            if (computed_[n] != round_) compute(g, {}, n);
    for (const Constraint& c : checks_.whole_checks)
        if (!fails(c.number) && !holds(g, {}, checks_.conditions[c.condition])) failed_.push_back(c.number);
    for (int number : failed_) f(number);
}

// Whether the relation of a flag has a pair. Most events are related to none: their class says so, or their variable's.
template <int W>
bool Evaluator<W>::any_pair(const Graph<W>& g, const PairFlag& flag) {
    const std::vector<std::int32_t>& columns = checks_.conditions[flag.condition].columns;
    work_ += work::STEP * g.size();
    for (int e = 0; e < g.size(); ++e) {
        const int set = columns[class_steps_[g.events[e].event_class]];
        if (set < 0 || !g.visible.test(e)) continue;
        Bits pairs = g.class_bits[set];
        for (std::size_t k = 0; k < flag.all_of.size() && pairs.any(); ++k) keep_row(g, flag.all_of[k], e, pairs);
        for (std::size_t k = 0; k < flag.none_of.size() && pairs.any(); ++k) drop_row(g, flag.none_of[k], e, pairs);
        if (pairs.any()) return true;
    }
    return false;
}

// Leaves of the events in `pairs` those that a node relates e to.
template <int W>
void Evaluator<W>::keep_row(const Graph<W>& g, int n, int e, Bits& pairs) {
    const Node& node = checks_.nodes[n];
    Bits row;
    if (node.op == NodeOp::UNION) {
        row = pairs;
        keep_row(g, node.a, e, row);
        Bits other = pairs - row;
        if (other.any()) keep_row(g, node.b, e, other);
        pairs = row | other;
    } else if (node.op == NodeOp::CROSS && checks_.nodes[node.a].op == NodeOp::CLASS && checks_.nodes[node.b].op == NodeOp::CLASS) {
        if (g.class_bits[checks_.nodes[node.a].a].test(e)) row = g.class_bits[checks_.nodes[node.b].a];
        pairs &= row;
    } else if (base_row(g, node.op, e, row)) {
        pairs &= row;
    } else {
        pairs &= computed(g, n)[e];
    }
}

// Takes from the events in `pairs` those that a node relates e to. Of what is kept in situ, and of po, pairs are asked for one by
// one, in both directions: the few that are left in a race.
template <int W>
void Evaluator<W>::drop_row(const Graph<W>& g, int n, int e, Bits& pairs) {
    const bool inverse = checks_.nodes[n].op == NodeOp::INVERSE;
    const Node& node = inverse ? checks_.nodes[checks_.nodes[n].a] : checks_.nodes[n];
    Bits row = pairs;
    if (!tells_pairs(node)) {
        keep_row(g, n, e, row);
        pairs -= row;
        return;
    }
    row.each([&](int other) {
        if (inverse ? has_pair(g, node, other, e) : has_pair(g, node, e, other)) pairs.reset(other);
    });
}

template <int W>
bool Evaluator<W>::has_pair(const Graph<W>& g, const Node& node, int first, int second) const {
    if (node.op != NodeOp::PO) return given_->of(second)[node.given].before.test(first);
    const Event &one = g.events[first], &two = g.events[second];
    if (one.thread < 0) return two.thread >= 0;
    return g.forks ? g.po_before[second].test(first) : one.thread == two.thread && one.index < two.index;
}

// The rows of a node, computed if they have not been, with what they are made of.
template <int W>
const std::vector<Row<W>>& Evaluator<W>::computed(const Graph<W>& g, int n) {
    if (computed_[n] != round_) {
        computed_[n] = round_;
        const Node& node = checks_.nodes[n];
        for (int argument : {node.a, node.b, node.c})
            if (argument >= 0 && node.op != NodeOp::CLASS) computed(g, argument);
        compute(g, {}, n);
    }
    return matrices_[n];
}

// The debug build's check on any_pair().
template <int W>
bool Evaluator<W>::is_as_computed(const Graph<W>& g, const PairFlag& flag, bool any) const {
    if (g.size() > 100) return true;
    Evaluator fresh(checks_, class_steps_);
    for (int n : checks_.global) fresh.compute(g, {}, n);
    return fresh.holds(g, {}, checks_.conditions[flag.condition]) != any;
}

// Finds the transitive closure of a relation without a cycle; false where it has one. From each event on, what is reached
// already is not looked at again.
template <int W>
bool close_acyclic(Rows<W> relation, int size, std::vector<Row<W>>& closure) {
    closure.assign(size, {});
    Row<W> done, on_path;
    std::array<std::int32_t, static_cast<std::size_t>(WORD) * W> path;
    for (int root = 0; root < size; ++root) {
        if (done.test(root)) continue;
        int length = 0;
        path[length++] = root;
        on_path.set(root);
        while (length > 0) {
            const int e = path[length - 1], next = (relation[e] - closure[e]).first();
            if (next < 0) {
                done.set(e);
                on_path.reset(e);
                --length;
            } else if (done.test(next)) {
                closure[e] |= closure[next];
                closure[e].set(next);
            } else if (on_path.test(next)) {
                return false;
            } else {
                path[length++] = next;
                on_path.set(next);
            }
        }
    }
    return true;
}

// Finds the transitive closure of a relation. In rows of one word, to go through all pairs is faster than to follow paths.
template <int W>
void close(Rows<W> relation, int size, std::vector<Row<W>>& closure) {
    if (W > 1 && close_acyclic(relation, size, closure)) return;
    closure.resize(size);
    for (int e = 0; e < size; ++e) closure[e] = relation[e];
    for (int m = 0; m < size; ++m) {
        if (!closure[m].any()) continue;
        for (int e = 0; e < size; ++e)
            if (closure[e].test(m)) closure[e] |= closure[m];
    }
}

// Takes away events without successors until none is left; events tend to point to later ones, so from the last down.
template <int W>
bool is_acyclic(Rows<W> after, int size) {
    Row<W> alive = Row<W>::below(size);
    for (bool changed = true; changed;) {
        changed = false;
        for (int e = size - 1; e >= 0; --e)
            if (alive.test(e) && !after[e].meets(alive)) {
                alive.reset(e);
                changed = true;
            }
    }
    return !alive.any();
}

}  // namespace xgen
