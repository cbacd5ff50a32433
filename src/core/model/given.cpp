#include "given.hpp"

#include "evaluate.hpp"

namespace xgen {

extern template class Evaluator<16>;  // search/widths_middle.cpp has it

namespace {

// Program order across threads, whatever the order of the slots.
template <int W>
void link(Graph<W>& graph, const Given& given) {
    for (bool more = true; more;) {
        more = false;
        auto after = [&](int before, int e) {
            Row<W> all = graph.po_before[before];
            all.set(before);
            if (!(all - graph.po_before[e]).any()) return;
            graph.po_before[e] |= all;
            more = true;
        };
        for (int t = 0; t < given.threads; ++t)
            for (int k = 1; k < graph.length(t); ++k) after(graph.at(t, k - 1), graph.at(t, k));
        for (const auto& [before, e] : given.forks) after(before, e);
    }
}

template <int W>
Graph<W> build(const Plan& plan, const Given& given) {
    Graph<W> graph;
    graph.reset(given.threads, given.cells, plan.class_set_count, 0, plan.tracking, !given.forks.empty(), false);
    for (Event event : given.events) {
        event.index = event.thread >= 0 ? graph.length(event.thread) : event.cell;
        graph.show(graph.add(event, {}), plan.class_sets[event.event_class]);
    }
    for (const auto& order : given.mo)
        for (std::size_t k = 0; k < order.size(); ++k) graph.insert_mo(order[k], k > 0 ? order[k - 1] : -1);
    for (const auto& [write, read] : given.rf) graph.set_rf(read, write);
    if (plan.tracking) {
        for (const auto& [read, e] : given.addr) graph.addr[e].set(read);
        for (const auto& [read, e] : given.data) graph.data[e].set(read);
        for (const auto& [read, e] : given.ctrl) graph.ctrl[e].set(read);
    }
    if (graph.forks) link(graph, given);
    return graph;
}

template <int W>
std::vector<std::int32_t> failing_of(const Plan& plan, const Given& given) {
    const Graph<W> graph = build<W>(plan, given);
    std::vector<std::int32_t> found;
    for (const Checks* checks : {&plan.final, &plan.flags})
        Evaluator<W>(*checks, plan.class_steps).failing(graph, nullptr, [&](int number) { found.push_back(number); });
    return found;
}

}  // namespace

std::vector<std::int32_t> failing(const Plan& plan, const Given& given) {
    const int size = static_cast<int>(given.events.size());
    if (size <= WORD) return failing_of<1>(plan, given);
    if (size <= WORD * 2) return failing_of<2>(plan, given);
    if (size <= WORD * 4) return failing_of<4>(plan, given);
    return failing_of<16>(plan, given);
}

}  // namespace xgen
