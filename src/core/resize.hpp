// Graphs of another width.
#pragma once

#include "evaluate.hpp"
#include "graph.hpp"

namespace xgen {

template <int V, int W>
std::vector<Row<W>> resized_rows(const std::vector<Row<V>>& rows) {
    std::vector<Row<W>> result;
    result.reserve(rows.size());
    for (const auto& row : rows) result.push_back(resized<W>(row));
    return result;
}

template <int V, int W>
std::vector<std::uint64_t> resized_sets(const std::vector<std::uint64_t>& words) {
    std::vector<std::uint64_t> result(words.size() / V * W);
    for (std::size_t i = 0; i < words.size(); ++i) result[i / V * W + i % V] = words[i];
    return result;
}

template <int V, int W>
Graph<W> resized_graph(const Graph<V>& g) {
    return {g.events,
            g.states,
            g.locals,
            resized_rows<V, W>(g.prefix),
            resized_rows<V, W>(g.po_before),
            resized_rows<V, W>(g.readers),
            resized_rows<V, W>(g.mo_before),
            resized_rows<V, W>(g.mo_after),
            g.mo_previous,
            g.mo_next,
            resized_rows<V, W>(g.addr),
            resized_rows<V, W>(g.data),
            resized_rows<V, W>(g.ctrl),
            resized_sets<V, W>(g.taints),
            g.threads,
            g.starts,
            resized_rows<V, W>(g.thread_bits),
            resized_rows<V, W>(g.cell_bits),
            g.mo_last,
            resized_rows<V, W>(g.class_bits),
            resized<W>(g.visible),
            g.cells,
            g.stride,
            g.tracking,
            g.forks};
}

template <int V, int W>
Kept<W> resized_kept(const Kept<V>& kept) {
    Kept<W> result;
    for (const Matrix<V>& m : kept) result.push_back({resized_rows<V, W>(m.after), resized_rows<V, W>(m.before)});
    return result;
}

}  // namespace xgen
