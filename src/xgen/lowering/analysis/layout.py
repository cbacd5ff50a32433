"""The order in which the instructions of a thread are run, so that ways that meet wait for each other.

Jumps go on, but for those that end a round of a loop; what a loop is made of stands together, behind its head. Code has
any order: that of LLVM's IR has jumps back that are none of a loop. (F. Bourdoncle, Efficient Chaotic Iteration
Strategies with Widenings, FMPA 1993: a weak topological order.)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import networkx

from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Layout:
    """`order`: the instructions; `place`: where each stands there; `tails`: of each loop, by the place of its head, the
    place of its last instruction."""

    order: Sequence[int]
    place: Mapping[int, int]
    tails: Mapping[int, int]


def layout(entry: int, successors: Mapping[int, Sequence[int]]) -> Layout:
    """That of instructions that lead to each other, from the entry on."""
    graph = networkx.DiGraph()
    graph.add_nodes_from(successors)
    graph.add_edges_from((pc, other) for pc, others in successors.items() for other in others if other in successors)
    order: list[int] = []
    tails: dict[int, int] = {}
    _put(graph, {entry}, order, tails)
    return Layout(order, {pc: place for place, pc in enumerate(order)}, tails)


def _put(graph: networkx.DiGraph, entries: Collection[int], order: list[int], tails: dict[int, int]) -> None:
    """Puts nodes in order: of what leads to nothing else among them the least first."""
    parts = networkx.condensation(graph)
    members: Mapping[int, set[int]] = parts.nodes(data="members")
    for number in networkx.lexicographical_topological_sort(parts, key=lambda number: min(members[number])):
        part = members[number]
        entered = {node for node in part if node in entries or not part.issuperset(graph.pred[node])}
        head = min(entered or part)
        if len(part) == 1 and not graph.has_edge(head, head):
            order.append(head)
            continue
        place = len(order)
        order.append(head)
        _put(graph.subgraph(part - {head}), entered.union(graph.succ[head]), order, tails)
        tails[place] = len(order) - 1
