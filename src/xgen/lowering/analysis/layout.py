"""The order in which the instructions of a thread are run, so that ways that meet wait for each other.

Jumps go on, but for those that end a round of a loop; what a loop is made of stands together, behind its head. Code has
any order: that of LLVM's IR has jumps back that are none of a loop. (F. Bourdoncle, Efficient Chaotic Iteration
Strategies with Widenings, FMPA 1993: a weak topological order.)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from heapq import heapify, heappop, heappush

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
    order: list[int] = []
    tails: dict[int, int] = {}
    _put(successors.keys(), successors, {entry}, order, tails)
    return Layout(order, {pc: place for place, pc in enumerate(order)}, tails)


def _put(
    nodes: Collection[int],
    successors: Mapping[int, Sequence[int]],
    entries: Collection[int],
    order: list[int],
    tails: dict[int, int],
) -> None:
    """Puts nodes in order: of what leads to nothing else among them the least first."""
    parts = _parts(nodes, successors)
    part_of = {node: number for number, part in enumerate(parts) for node in part}
    edges = {(part_of[a], part_of[b]) for a in nodes for b in successors[a] if b in part_of}
    waiting = [0] * len(parts)
    for a, b in edges:
        waiting[b] += a != b
    following: dict[int, list[int]] = {}
    for a, b in edges:
        if a != b:
            following.setdefault(a, []).append(b)
    ready = [(min(part), number) for number, part in enumerate(parts) if not waiting[number]]
    heapify(ready)
    while ready:
        _, number = heappop(ready)
        part = parts[number]
        if (number, number) not in edges:
            order.extend(part)
        else:
            inside = {b for a in nodes if part_of[a] != number for b in successors[a] if part_of.get(b) == number}
            inside |= {node for node in part if node in entries}
            head = min(inside or part)
            place = len(order)
            order.append(head)
            entered = inside | {b for b in successors[head] if b in part}
            _put([node for node in part if node != head], successors, entered, order, tails)
            tails[place] = len(order) - 1
        for other in following.get(number, ()):
            waiting[other] -= 1
            if not waiting[other]:
                heappush(ready, (min(parts[other]), other))


def _parts(nodes: Collection[int], successors: Mapping[int, Sequence[int]]) -> list[set[int]]:
    """The strongly connected components (R. Tarjan)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    found: list[set[int]] = []
    done: set[int] = set()
    for start in nodes:
        if start in index:
            continue
        line = [(start, iter(successors[start]))]
        index[start] = low[start] = len(index)
        stack.append(start)
        while line:
            node, rest = line[-1]
            for other in rest:
                if other not in nodes or other in done:
                    continue
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    line.append((other, iter(successors[other])))
                    break
                low[node] = min(low[node], index[other])
            else:
                line.pop()
                if line:
                    low[line[-1][0]] = min(low[line[-1][0]], low[node])
                if low[node] == index[node]:
                    part = set[int]()
                    while node not in part:
                        part.add(stack.pop())
                    found.append(part)
                    done |= part
    return found
