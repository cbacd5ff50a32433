"""From a chain of cubes to a run: which processes there are, and what they do one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import TopologicalSorter

from xgen.engine.cubes import Node, Search
from xgen.records import dataclass
from xgen.systems.parameterised import System


@dataclass(frozen=True)
class Step:
    """A transition by its number and that of its rule; `processes` are its parameters, counted from 0."""

    transition: int
    rule: int
    processes: tuple[int, ...]


@dataclass(frozen=True)
class Trace:
    """Steps of so many processes, from an initial state to an unsafe one."""

    processes: int
    steps: tuple[Step, ...]


def trace_of(search: Search, reached: int, reuse: bool, idle: int = 0) -> Trace:
    """The run from a node with an initial state to an unsafe state.

    A process that a cube does not speak of can be any: with `reuse` one that has been there before if there is one,
    else a new one, so that the run has fewer processes, or ones that do nothing before. `idle` more do nothing at all:
    cells that hold a process may hold one of them.
    """
    names = _Names(search.system)
    node = search.node(reached)
    current = names.first(node.cube.processes)
    steps = []
    while node.origin is not None and node.parent is not None:
        origin = node.origin
        before = [current[kept] if kept >= 0 else None for kept in origin.kept]
        named = names.complete(before, reuse and not search.system.ordered)
        steps.append(Step(origin.transition, origin.rule, tuple(named[p] for p in origin.arguments)))
        current = [named[p] for p in origin.embedding]
        node = search.node(node.parent)
    if node.unsafe is not None:
        names.at_least(search.system.unsafe[node.unsafe].parameters)
    names.at_least(names.count + idle)
    order = names.order()
    moved = tuple(Step(s.transition, s.rule, tuple(order[p] for p in s.processes)) for s in steps)
    return Trace(max(len(order), search.processes or 0, 1), moved)


def chain(search: Search, reached: int) -> Sequence[Node]:
    """The nodes from one with an initial state to an unsafe one."""
    nodes = [search.node(reached)]
    while (parent := nodes[-1].parent) is not None:
        nodes.append(search.node(parent))
    return nodes


class _Names:
    """Hands out names of processes, and sees to it that they can be in an order."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.count = 0
        self.before: dict[int, set[int]] = {}

    def first(self, processes: int) -> list[int]:
        return self.complete([None] * processes, reuse=False)

    def complete(self, names: Sequence[int | None], reuse: bool) -> list[int]:
        """The names, with one for each that has none."""
        used = {name for name in names if name is not None}
        found = []
        for name in names:
            if name is None:
                free = (n for n in range(self.system.fixed, self.count) if n not in used) if reuse else iter(())
                name = next(free, self.count)
                used.add(name)
                self.count = max(self.count, name + 1)
            found.append(name)
        for number, name in enumerate(found):
            self.before.setdefault(name, set()).update(found[:number] if self.system.ordered else ())
        return found

    def at_least(self, processes: int) -> None:
        """Adds processes that do nothing until there are so many."""
        while self.count < processes:
            self.complete([None], reuse=False)

    def order(self) -> list[int]:
        """The number of each name: as they came, or so that what was less is less."""
        if not self.system.ordered:
            return list(range(self.count))
        ordered = list(TopologicalSorter(self.before).static_order())
        return [ordered.index(name) for name in range(self.count)]
