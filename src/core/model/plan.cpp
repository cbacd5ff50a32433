#include "plan.hpp"

namespace xgen {

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
