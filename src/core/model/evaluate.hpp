// Evaluates a memory model's terms on an execution graph: step by step where a new event adds only pairs that it is
// part of, as a whole otherwise (evaluate_whole_impl.hpp).
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "plan.hpp"

namespace xgen {

// The words of a row of events.
template <int W>
std::int64_t words_of(const Graph<W>& graph) {
    return graph.size() / WORD + 1;
}

// The pairs of one event in a relation: the events that it is related to, and those that are related to it.
template <int W>
struct Pairs {
    Row<W> after, before;
};

// The kept local relations of one graph. The pairs of an event in all of them are next to each other.
template <int W>
class Kept {
public:
    // Makes all relations empty.
    void reset(int relations) {
        relations_ = relations;
        pairs_.clear();
    }
    // Makes room for the pairs of this many events.
    void grow(int events) {
        const std::size_t size = static_cast<std::size_t>(events) * relations_;
        if (pairs_.size() < size) pairs_.resize(size);
    }
    int relations() const { return relations_; }
    int events() const { return relations_ ? static_cast<int>(pairs_.size()) / relations_ : 0; }
    // Of event e, by relation.
    Pairs<W>* of(int e) { return pairs_.data() + static_cast<std::size_t>(e) * relations_; }
    const Pairs<W>* of(int e) const { return pairs_.data() + static_cast<std::size_t>(e) * relations_; }

private:
    int relations_ = 0;
    std::vector<Pairs<W>> pairs_;
};

// The rows of a relation's matrix, wherever they are: for each event the events that it is related to.
template <int W>
class Rows {
public:
    Rows(const Row<W>* first, std::size_t distance) : first_(first), distance_(distance) {}
    const Row<W>& operator[](int e) const { return first_[e * distance_]; }

private:
    const Row<W>* first_;
    std::size_t distance_;
};

template <int W>
bool is_acyclic(Rows<W> after, int size);
template <int W>
bool close_acyclic(Rows<W> relation, int size, std::vector<Row<W>>& closure);
template <int W>
void close(Rows<W> relation, int size, std::vector<Row<W>>& closure);

template <int W>
class Evaluator {
public:
    using Bits = Row<W>;

    // `class_steps` says for each event class which of the checks' steps is that of its events. `in_order`: events are
    // added after all that comes before them in program order.
    Evaluator(const Checks& checks, const std::vector<std::int32_t>& class_steps, bool in_order = false)
        : checks_(checks), class_steps_(class_steps), in_order_(in_order), steps_(checks.steps.size() * checks.nodes.size()),
          matrices_(checks.nodes.size()), sets_(checks.nodes.size()), bound_(checks.binders), computed_(checks.nodes.size()) {}

    // Computes the pairs between event e and the events `present`. Requires: the graph has e, and the kept relations are
    // those of `present`. `checked`: check() comes next; else only what commit() needs is computed.
    void step(const Graph<W>& graph, const Kept<W>& kept, int e, const Bits& present, bool checked);

    // Checks the constraints that are decided by the pairs that step() has computed, before they are committed: the
    // number of the first that e breaks, or -1.
    int check(const Kept<W>& kept, int e) const;

    // Checks the other constraints that e's pairs decide, once they are committed: the number of the first that e breaks,
    // or -1.
    int check_walks(const Graph<W>& graph, const Kept<W>& kept, int e);

    // Adds what step() has computed to the kept relations; withdraw() takes it back (the last one first).
    void commit(Kept<W>& kept, int e) const;
    void withdraw(const Graph<W>& graph, Kept<W>& kept, int e) const;

    // What the last step() says comes before its event by some kept relations, and what is kept of any other event.
    Bits before(const std::vector<std::int32_t>& nodes) const;
    Bits before(const std::vector<std::int32_t>& nodes, const Kept<W>& kept, int e) const;

    // Computes the global nodes and checks the other constraints: the number of the first that fails, or -1.
    int whole(const Graph<W>& graph, const Kept<W>& kept);

    // Calls f(number) once for each of the other constraints that fails, and computes what that takes. `given`: what is kept in situ
    // of all events of the graph, or null.
    template <class F>
    void failing(const Graph<W>& graph, const Kept<W>* given, F&& f);

    // The rows of a base relation of all visible events; `rows` has one for each slot, all empty.
    static void compute_base(const Graph<W>& graph, const Node& node, std::vector<Bits>& rows);
    // The row of one visible event, which is empty; false where the relation is not had row by row.
    static bool base_row(const Graph<W>& graph, NodeOp op, int e, Bits& row);

    // What the event e depends on, as a base relation `op` has it, and choices, which depend on events as well.
    static Bits sources(const Graph<W>& graph, NodeOp op, int e);

    // The work since it was asked for last.
    std::int64_t take_work() { return std::exchange(work_, 0); }
    // Calls f, a check of the debug build: what it does is no work, so that work is the same in each build.
    template <class F>
    void unpaid(F&& f) {
        const std::int64_t work = work_;
        f();
        work_ = work;
    }

    // Recomputes each kept relation as a whole and compares: the debug build's check on step() and commit().
    bool verify(const Graph<W>& graph, const Kept<W>& kept, const Bits& present) const;
    // Likewise on check_walks(): the number of the first of its constraints that fails on the whole graph, or -1.
    int find_broken_walks(const Graph<W>& graph) const;

private:
    void step_base(const Graph<W>& graph, const Node& node, int e, const Bits& present, Bits& after, Bits& before) const;
    static Bits with_readers(const Graph<W>& graph, const Bits& writes);
    static Bits picking(const Graph<W>& graph, const Bits& events);
    // What step() does for each node is part of its loop; what few models use is not.
    [[gnu::noinline]] void step_dependency(const Graph<W>& graph, NodeOp op, int e, const Bits& present, Bits& after,
                                           Bits& before) const;
    [[gnu::always_inline]] void step_node(const Graph<W>& graph, const Kept<W>& kept, int n, int e, const Bits& present);
    bool closes_cycle(const Kept<W>& kept, int n, int e) const;
    bool is_come_to(const Walks& walks) const;
    bool closes_walk(const Graph<W>& graph, const Kept<W>& kept, const WalkCheck& check, int e);
    using Ends = std::span<const std::pair<std::int32_t, std::int32_t>>;
    bool comes_back(const Graph<W>& graph, const Kept<W>& kept, const Walks& walks, int e, Ends ends);

    bool any_pair(const Graph<W>& graph, const PairFlag& flag);
    void keep_row(const Graph<W>& graph, int n, int e, Bits& pairs);
    void drop_row(const Graph<W>& graph, int n, int e, Bits& pairs);
    const std::vector<Bits>& computed(const Graph<W>& graph, int n);
    bool tells_pairs(const Node& node) const { return node.op == NodeOp::PO || (given_ && node.given >= 0); }
    bool has_pair(const Graph<W>& graph, const Node& node, int first, int second) const;
    bool is_as_computed(const Graph<W>& graph, const PairFlag& flag, bool any) const;
    void compute(const Graph<W>& graph, const Kept<W>& kept, int n);
    bool compute_set(const Graph<W>& graph, const Kept<W>& kept, int n);
    void compute_relation(const Graph<W>& graph, const Kept<W>& kept, int n);
    void compute_recursion(const Graph<W>& graph, const Kept<W>& kept, const Recursion& recursion);
    bool assign(const Graph<W>& graph, const Kept<W>& kept, int variable, int body);
    Rows<W> rows(const Kept<W>& kept, int n) const {
        const int k = checks_.nodes[n].kept;
        if (k < 0 || kept.events() == 0) return {matrices_[n].data(), 1};
        return {&(kept.of(0) + k)->after, static_cast<std::size_t>(2 * kept.relations())};
    }
    bool holds(const Graph<W>& graph, const Kept<W>& kept, const Condition& condition);
    bool check_holds(const Graph<W>& graph, const Kept<W>& kept, const Condition& condition);
    bool property_holds(const Graph<W>& graph, const Kept<W>& kept, const Condition& condition) const;
    static bool is_set(NodeOp op) { return op < NodeOp::PO; }

    const Checks& checks_;
    const std::vector<std::int32_t>& class_steps_;
    bool in_order_ = false;
    // Of step(), by event class and node; what an event of the class has no pairs in is always empty.
    std::vector<Pairs<W>> steps_;
    Pairs<W>* step_ = nullptr;                  // those of the last step, by node
    const EventPlan* event_plan_ = nullptr;     // likewise
    std::vector<std::vector<Bits>> matrices_;   // of whole(), by node
    std::vector<Bits> sets_;                    // likewise
    std::vector<Bits> bound_;                   // by binder
    std::vector<Bits> seen_, next_;             // of comes_back(), by state
    // Of failing(): what is kept in situ, how often it was called, in which of these calls each node has been computed last, and
    // what has failed.
    const Kept<W>* given_ = nullptr;
    std::int64_t round_ = 0;
    std::vector<std::int64_t> computed_;
    std::vector<std::int32_t> failed_;
    std::int64_t work_ = 0;
};

// ---- one event at a time ----

template <int W>
void Evaluator<W>::step_base(const Graph<W>& g, const Node& node, int e, const Bits& present, Bits& after,
                             Bits& before) const {
    const Event& event = g.events[e];
    switch (node.op) {
    case NodeOp::PO:
        if (g.forks) {
            if (event.thread >= 0) {
                before = ((g.po_before[e] & g.visible) | g.initial()) & present;
                if (in_order_ && e + 1 == g.size()) break;
                (present - before).each([&](int later) {
                    if (g.po_before[later].test(e)) after.set(later);
                });
            }
        } else if (event.thread >= 0) {
            const std::int32_t* line = g.line(event.thread);
            for (int k = event.index + 1; k < g.length(event.thread); ++k) after.set(line[k]);
            before = ((g.thread_bits[event.thread] - after) | g.initial()) & present;
            after &= g.thread_bits[event.thread] & present;
        }
        break;
    case NodeOp::RF:
        if (event.kind == EventKind::READ && event.rf >= 0 && present.test(event.rf)) before = Bits::single(event.rf);
        if (event.kind == EventKind::WRITE) after = g.readers[e] & present;
        break;
    case NodeOp::MO:
        if (event.kind != EventKind::WRITE) break;
        before = g.mo_before[e] & present;
        after = g.mo_after(e) & present;
        break;
    case NodeOp::FR:
        if (event.kind == EventKind::READ && event.rf >= 0) after = g.mo_after(event.rf) & present;
        if (event.kind == EventKind::WRITE) {
            g.mo_before[e].each([&](int w) { before |= g.readers[w]; });
            before &= present;
        }
        break;
    case NodeOp::ECO: {
        const bool read = event.kind == EventKind::READ;
        const int write = read ? event.rf : event.kind == EventKind::WRITE ? e : -1;
        if (write < 0) break;
        after = with_readers(g, g.mo_after(write)) & present;
        if (!read) after |= g.readers[e] & present;
        if (read && !present.test(write)) break;
        before = with_readers(g, g.mo_before[write]) & present;
        if (read) before.set(write);
        break;
    }
    case NodeOp::LOC:
        if (event.cell >= 0) {
            after = g.cell_bits[event.cell] & present;
            after.set(e);
            before = after;
        }
        break;
    case NodeOp::INT:
        if (event.thread >= 0) {
            after = g.thread_bits[event.thread] & present;
            after.set(e);
            before = after;
        }
        break;
    case NodeOp::EXT:
        after = (g.visible & present) - (event.thread >= 0 ? g.thread_bits[event.thread] : g.initial());
        before = after;
        break;
    case NodeOp::ID:
        after = before = Bits::single(e);
        break;
    case NodeOp::SI:
        after = g.siblings(e) & present & g.visible;
        after.reset(e);
        before = after;
        break;
    case NodeOp::RMW:
        if (event.rmw) {
            const bool read = event.kind == EventKind::READ;
            int other = g.at(event.thread, event.index + (read ? 1 : -1));
            if (other >= 0 && present.test(other)) (read ? after : before).set(other);
        }
        if (event.partner >= 0) {
            int load = g.at(event.thread, event.partner);
            if (load >= 0 && present.test(load)) before.set(load);
        }
        if (event.exclusive) {
            (g.thread_bits[event.thread] & present).each([&](int w) {
                if (g.events[w].partner == event.index) after.set(w);
            });
        }
        break;
    case NodeOp::ADDR:
    case NodeOp::DATA:
    case NodeOp::CTRL:
    case NodeOp::PICK_ADDR:
    case NodeOp::PICK_DATA:
    case NodeOp::PICK_CTRL: step_dependency(g, node.op, e, present, after, before); break;
    default: break;
    }
}

// Some writes, and the events that read from them.
template <int W>
Row<W> Evaluator<W>::with_readers(const Graph<W>& g, const Row<W>& writes) {
    Bits result = writes;
    writes.each([&](int w) { result |= g.readers[w]; });
    return result;
}

template <int W>
Row<W> Evaluator<W>::sources(const Graph<W>& g, NodeOp op, int e) {
    switch (op) {
    case NodeOp::ADDR: return g.addr[e];
    case NodeOp::DATA: {
        const Event& event = g.events[e];
        if (event.kind == EventKind::READ) return Bits{};
        return event.update ? g.data[e] - g.siblings(g.at(event.thread, event.partner)) : g.data[e];
    }
    case NodeOp::CTRL: return g.ctrl[e];
    case NodeOp::PICK_ADDR: return picking(g, g.addr[e]);
    case NodeOp::PICK_DATA: {
        const Event& event = g.events[e];
        Bits result = picking(g, sources(g, NodeOp::DATA, e));
        const int read = event.kind == EventKind::WRITE && event.rmw ? g.at(event.thread, event.index - 1) : -1;
        if (read >= 0 && g.events[read].picks) result |= g.data[read] | picking(g, g.data[read]);
        return result;
    }
    default: return picking(g, g.ctrl[e]);
    }
}

// What the choices among some events pick by.
template <int W>
Row<W> Evaluator<W>::picking(const Graph<W>& g, const Row<W>& events) {
    Bits result;
    (events - g.visible).each([&](int e) {
        const Event& event = g.events[e];  // a choice, or the read of an update that is not decided yet
        if (event.kind == EventKind::CHOICE && event.picks) result |= g.data[e];
    });
    return result;
}

// What depends on e comes after it in its thread, and may be there before e.
template <int W>
void Evaluator<W>::step_dependency(const Graph<W>& g, NodeOp op, int e, const Bits& present, Bits& after,
                                   Bits& before) const {
    const Bits seen = present & g.visible;  // not choices
    before = sources(g, op, e) & seen;
    const Event& event = g.events[e];
    if (event.thread < 0) return;
    const std::int32_t* line = g.line(event.thread);
    for (int k = event.index + 1; k < g.length(event.thread); ++k)
        if (seen.test(line[k]) && sources(g, op, line[k]).test(e)) after.set(line[k]);
}

template <int W>
inline void Evaluator<W>::step_node(const Graph<W>& g, const Kept<W>& kept, int n, int e, const Bits& present) {
    const Node& node = checks_.nodes[n];
    Bits after, before;
    auto a = [&]() -> const Pairs<W>& { return step_[node.a]; };
    auto b = [&]() -> const Pairs<W>& { return step_[node.b]; };
    auto members = [&](std::int32_t set) -> const Bits& { return g.class_bits[checks_.nodes[set].a]; };
    auto visible = [&](std::int32_t set) {
        Bits r = members(set) & present;
        if (members(set).test(e)) r.set(e);
        return r;
    };
    switch (node.op) {
    case NodeOp::UNION:
        after = a().after | b().after;
        before = a().before | b().before;
        break;
    case NodeOp::INTERSECT:
        after = a().after & b().after;
        before = a().before & b().before;
        break;
    case NodeOp::DIFFERENCE:
        after = a().after - b().after;
        before = a().before - b().before;
        break;
    case NodeOp::INVERSE:
        after = a().before;
        before = a().after;
        break;
    case NodeOp::OPTIONAL:
        after = a().after;
        before = a().before;
        after.set(e);
        before.set(e);
        break;
    case NodeOp::CROSS:
        if (members(node.a).test(e)) after = visible(node.b);
        if (members(node.b).test(e)) before = visible(node.a);
        break;
    case NodeOp::IDENTITY:
        if (members(node.a).test(e)) after = before = Bits::single(e);
        break;
    case NodeOp::RESTRICT:
        if (members(node.b).test(e)) after = a().after & members(node.c);
        if (members(node.c).test(e)) before = a().before & members(node.b);
        break;
    // What has to be kept of the arguments for that, memory/plans/planner.py finds (Planner.keep).
    case NodeOp::SEQUENCE: {
        const int first = checks_.nodes[node.a].kept, second = checks_.nodes[node.b].kept;
        b().before.each([&](int m) { before |= m == e ? a().before : kept.of(m)[first].before; });
        a().after.each([&](int m) { after |= m == e ? b().after : kept.of(m)[second].after; });
        if (a().after.meets(b().before)) {
            before.set(e);
            after.set(e);
        }
        break;
    }
    // Is local only if all new pairs end in e.
    case NodeOp::PLUS: {
        Bits rest = before = a().before;  // those whose own have not been added; those of what is before them are theirs
        rest.reset(e);
        for (int m; (m = rest.last()) >= 0;) {
            const Bits& more = kept.of(m)[node.kept].before;
            before |= more;
            rest -= more;
            rest.reset(m);
        }
        after = before & Bits::single(e);
        break;
    }
    default: step_base(g, node, e, present, after, before);
    }
    step_[n].after = after;
    step_[n].before = before;
}

template <int W>
bool Evaluator<W>::closes_cycle(const Kept<W>& kept, int n, int e) const {
    const Bits &out = step_[n].after, &in = step_[n].before;
    if (out.test(e)) return true;
    if (!out.any() || !in.any()) return false;
    const int k = checks_.nodes[n].kept;
    Bits seen = out, frontier = out;
    while (frontier.any()) {
        if (frontier.meets(in)) return true;
        Bits next;
        frontier.each([&](int x) { next |= kept.of(x)[k].after; });
        frontier = next - seen;
        seen |= next;
    }
    return false;
}

template <int W>
void Evaluator<W>::step(const Graph<W>& g, const Kept<W>& kept, int e, const Bits& present, bool checked) {
    const std::int32_t number = class_steps_[g.events[e].event_class];
    event_plan_ = &checks_.steps[number];
    step_ = steps_.data() + number * checks_.nodes.size();
    const auto& nodes = checked ? event_plan_->local : event_plan_->growing;
    for (int n : nodes) step_node(g, kept, n, e, present);
    work_ += work::STEP + work::NODE * static_cast<std::int64_t>(nodes.size()) + work::MORE * (g.size() / 64);
}

template <int W>
int Evaluator<W>::check(const Kept<W>& kept, int e) const {
    for (const StepCheck& check : event_plan_->checks) {
        const Pairs<W>& pairs = step_[check.node];
        bool broken = check.property == Property::ACYCLIC       ? closes_cycle(kept, check.node, e)
                      : check.property == Property::IRREFLEXIVE ? pairs.after.test(e)
                                                                : (pairs.after | pairs.before).any();
        if (broken) return check.number;
    }
    return -1;
}

template <int W>
void Evaluator<W>::commit(Kept<W>& kept, int e) const {
    kept.grow(e + 1);
    std::fill_n(kept.of(e), kept.relations(), Pairs<W>{});
    for (int n : event_plan_->kept) {
        const int k = checks_.nodes[n].kept;
        kept.of(e)[k] = step_[n];
        if (checks_.forwards[k]) step_[n].before.each([&](int x) { kept.of(x)[k].after.set(e); });
        step_[n].after.each([&](int x) { kept.of(x)[k].before.set(e); });
    }
}

template <int W>
void Evaluator<W>::withdraw(const Graph<W>& g, Kept<W>& kept, int e) const {
    for (int n : checks_.steps[class_steps_[g.events[e].event_class]].kept) {
        const int k = checks_.nodes[n].kept;
        const Pairs<W>& pairs = kept.of(e)[k];
        if (checks_.forwards[k]) pairs.before.each([&](int x) { kept.of(x)[k].after.reset(e); });
        pairs.after.each([&](int x) { kept.of(x)[k].before.reset(e); });
        kept.of(e)[k] = {};
    }
}

template <int W>
Row<W> Evaluator<W>::before(const std::vector<std::int32_t>& nodes) const {
    Bits all;
    for (int n : nodes) all |= step_[n].before;
    return all;
}

template <int W>
Row<W> Evaluator<W>::before(const std::vector<std::int32_t>& nodes, const Kept<W>& kept, int e) const {
    Bits all;
    for (int n : nodes) all |= kept.of(e)[checks_.nodes[n].kept].before;
    return all;
}

}  // namespace xgen

#include "evaluate_walks_impl.hpp"
#include "evaluate_whole_impl.hpp"
