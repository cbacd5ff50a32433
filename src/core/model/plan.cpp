#include "plan.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace xgen {

namespace {

// Says of each node which matrix kept in situ is its relation, if any: nodes are the same that do the same with the same.
void find_given(Checks& flags, const Checks& in_situ) {
    using Key = std::tuple<NodeOp, std::int32_t, std::int32_t, std::int32_t>;
    constexpr std::int32_t OTHER = -2;
    const auto has_own_arguments = [](NodeOp op) {
        return op == NodeOp::BOUND || op == NodeOp::REC || op == NodeOp::REC_SET || op == NodeOp::FIX || op == NodeOp::FIX_SET;
    };
    std::map<Key, std::int32_t> known;
    for (std::size_t n = 0; n < in_situ.nodes.size(); ++n) {
        const Node& node = in_situ.nodes[n];
        if (!has_own_arguments(node.op)) known.emplace(Key(node.op, node.a, node.b, node.c), n);
    }
    std::vector<std::int32_t> same;
    for (Node& node : flags.nodes) {
        auto of = [&](std::int32_t n) { return n < 0 ? n : same[n]; };
        const bool leaf = node.op == NodeOp::CLASS;
        const Key key = leaf ? Key(node.op, node.a, node.b, node.c) : Key(node.op, of(node.a), of(node.b), of(node.c));
        const auto found = has_own_arguments(node.op) ? known.end() : known.find(key);
        same.push_back(found == known.end() ? OTHER : found->second);
        if (found != known.end()) node.given = in_situ.nodes[found->second].kept;
    }
}

// Adds the relations of which this one is the union.
void add_none_of(const std::vector<Node>& nodes, std::int32_t n, PairFlag& flag) {
    if (nodes[n].op == NodeOp::UNION) {
        add_none_of(nodes, nodes[n].a, flag);
        add_none_of(nodes, nodes[n].b, flag);
    } else {
        flag.none_of.push_back(n);
    }
}

// Adds the relations of which this one is the intersection, less others.
void add_all_of(const std::vector<Node>& nodes, std::int32_t n, PairFlag& flag) {
    const Node& node = nodes[n];
    if (node.op == NodeOp::INTERSECT) {
        add_all_of(nodes, node.a, flag);
        add_all_of(nodes, node.b, flag);
    } else if (node.op == NodeOp::DIFFERENCE) {
        add_all_of(nodes, node.a, flag);
        add_none_of(nodes, node.b, flag);
    } else {
        flag.all_of.push_back(n);
    }
}

}  // namespace

void find_pair_flags(Checks& flags, const Checks& in_situ) {
    if (!flags.recursions.empty()) return;
    find_given(flags, in_situ);
    std::erase_if(flags.whole_checks, [&](const Constraint& constraint) {
        const Condition& condition = flags.conditions[constraint.condition];
        if (condition.columns.empty()) return false;
        if (std::ranges::all_of(condition.columns, [](std::int32_t set) { return set < 0; })) return true;  // it is never raised
        PairFlag& flag = flags.pair_flags.emplace_back(PairFlag{constraint.condition, constraint.number, {}, {}});
        add_all_of(flags.nodes, condition.node, flag);
        // What is had of an event at once comes first.
        auto at_once = [&](std::int32_t n) { return flags.nodes[n].op < NodeOp::EMPTY; };
        std::ranges::stable_partition(flag.all_of, at_once);
        return true;
    });
}

void find_kept(Checks& checks) {
    checks.forwards.assign(checks.kept, false);
    auto needs_rows = [&](int n) {
        if (n >= 0 && n < static_cast<int>(checks.nodes.size()) && checks.nodes[n].kept >= 0)
            checks.forwards[checks.nodes[n].kept] = true;
    };
    auto computed = [&](int n) {
        for (int read : {n, checks.nodes[n].a, checks.nodes[n].b, checks.nodes[n].c}) needs_rows(read);
    };
    for (const Node& node : checks.nodes)
        if (node.op == NodeOp::SEQUENCE) needs_rows(node.b);
    for (const Walks& walks : checks.walks)
        for (const auto& steps : walks.states)
            for (const Walks::Step& step : steps)
                if (!step.backwards) needs_rows(step.node);
    for (int n : checks.global) computed(n);
    for (const Recursion& recursion : checks.recursions)
        for (const auto& equation : recursion.equations) {
            for (int n : equation.nodes) computed(n);
            needs_rows(equation.body);
        }
    for (const Condition& condition : checks.conditions) {
        needs_rows(condition.node);
        for (const Loop& loop : condition.loops)
            for (int n : loop.nodes) computed(n);
    }
    for (EventPlan& step : checks.steps) {
        for (const StepCheck& check : step.checks)
            if (check.property == Property::ACYCLIC) needs_rows(check.node);
        std::vector<bool> needed(checks.nodes.size());
        for (auto n = step.local.rbegin(); n != step.local.rend(); ++n) {
            const Node& node = checks.nodes[*n];
            if (node.kept < 0 && !needed[*n]) continue;
            needed[*n] = true;
            for (int read : {node.a, node.b, node.c})
                if (read >= 0) needed[read] = true;
        }
        for (int n : step.local) {
            if (needed[n]) step.growing.push_back(n);
            if (checks.nodes[n].kept >= 0) step.kept.push_back(n);
        }
    }
}

}  // namespace xgen
