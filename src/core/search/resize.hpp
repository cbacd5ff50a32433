// Graphs of another width.
#pragma once

#include "graph/graph.hpp"
#include "model/evaluate.hpp"

namespace xgen {

template <int V, int W>
std::vector<Row<W>> resized_rows(const std::vector<Row<V>>& rows) {
    std::vector<Row<W>> result;
    result.reserve(rows.size());
    for (const auto& row : rows) result.push_back(resized<W>(row));
    return result;
}

template <int V, int W>
void resize_sets(const std::uint64_t* words, std::size_t count, std::uint64_t* result) {
    for (std::size_t i = 0; i < count; ++i) result[i / V * W + i % V] = words[i];
}

template <int V, int W>
std::vector<std::uint64_t> resized_sets(const std::vector<std::uint64_t>& words) {
    std::vector<std::uint64_t> result(words.size() / V * W);
    resize_sets<V, W>(words.data(), words.size(), result.data());
    return result;
}

template <int V, int W>
Graph<W> resized_graph(const Graph<V>& g) {
    Graph<W> result;
    result.reset_like(g, g.cells, static_cast<int>(g.class_bits.size()));
    for (int s = 0; s < g.size(); ++s) {
        result.append(g.events[s], resized<W>(g.prefix[s]));  // records that a search has saved may be many
        result.states[s] = g.states[s];
        result.readers[s] = resized<W>(g.readers[s]);
        result.mo_before[s] = resized<W>(g.mo_before[s]);
        if (g.partly) result.known_after[s] = resized<W>(g.known_after[s]);
        result.mo_previous[s] = g.mo_previous[s];
        result.mo_next[s] = g.mo_next[s];
        std::copy_n(g.locals_of(s), g.stride, result.locals_of(s));
        if (g.forks) result.po_before[s] = resized<W>(g.po_before[s]);
        if (!g.tracking) continue;
        result.addr[s] = resized<W>(g.addr[s]);
        result.data[s] = resized<W>(g.data[s]);
        result.ctrl[s] = resized<W>(g.ctrl[s]);
        resize_sets<V, W>(g.taint_of(s), g.taint_words(), result.taint_of(s));
    }
    result.starts = g.starts;
    result.thread_bits = resized_rows<V, W>(g.thread_bits);
    result.cell_bits = resized_rows<V, W>(g.cell_bits);
    result.mo_bits = resized_rows<V, W>(g.mo_bits);
    result.mo_last = g.mo_last;
    result.class_bits = resized_rows<V, W>(g.class_bits);
    result.visible = resized<W>(g.visible);
    return result;
}

template <int V, int W>
Kept<W> resized_kept(const Kept<V>& kept) {
    Kept<W> result;
    result.reset(kept.relations());
    result.grow(kept.events());
    for (int e = 0; e < kept.events(); ++e)
        for (int k = 0; k < kept.relations(); ++k)
            result.of(e)[k] = {resized<W>(kept.of(e)[k].after), resized<W>(kept.of(e)[k].before)};
    return result;
}

}  // namespace xgen
