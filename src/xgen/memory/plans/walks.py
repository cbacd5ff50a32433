"""Checks of relations that are not local, made of local ones by union, sequence, closure and the like.

`acyclic ([fsc] ; hb) ; (po | mo | fr) ; (hb ; [fsc])` is about paths whose steps are pairs of local relations: a
finite automaton says which paths are pairs of the relation. Every new pair of a local relation has the new event at
one end, so that a cycle which is new goes through the event, and the engine looks for one from there
(`Evaluator::closes_walk`). No matrix of the relation itself is computed. Paths are followed backwards: most relations
end at new events, so that their columns, which are what is kept then, do not change any more.

A *walk* is a closed path of events and states of the automaton. Where the automaton's end leads on to its start, each
closed walk is a cycle of the relation, if it comes by the start. It does, where the automaton has no other cycles.
Else, and where a cycle has to be a single pair (irreflexive), there are two layers of states, with one way from the
first to the second one, by the start: a walk leads from the event in a state of the first to the event in the same
state of the second.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import field

from xgen import _core
from xgen.memory.plans.nodes import ClassPairs, Node
from xgen.records import dataclass

_N = _core.NodeOp
MOST_STATES = 63
"""Of an automaton that is made use of: with more, as in fenced programs under power, matrices take less time."""

_Step = tuple[int, int, bool]
"""The event classes that it is made from, the node of a local relation (-1: it stays), and if it goes backwards."""
_Row = tuple[int, int, bool, bool, list[int]]
_Steps = dict[tuple[int, int], dict[tuple[int, bool], int]]
"""By source and target: by node and direction the event classes."""


@dataclass
class Walks:
    """An automaton: for each state its steps to others, `(node, classes, backwards, targets)`.

    `ends` has for each event class the pairs of states between which a new event of the class can close a walk.
    """

    steps: list[list[tuple[int, int, bool, list[int]]]]
    ends: list[list[tuple[int, int]]]

    @property
    def leaves(self) -> set[int]:
        """The nodes of the relations that it is made of."""
        return {node for steps in self.steps for node, *_ in steps}

    def rows(self, nodes: Sequence[Node], number: Callable[[int], int]) -> list[list[_Row]]:
        """The steps as the engine takes them. `number` gives the numbers of sets of classes.

        The last state has all steps, to itself.
        """
        every: dict[tuple[int, bool], int] = defaultdict(int)
        for n, classes, back, _ in (step for steps in self.steps for step in steps):
            every[n, back] |= classes
        last = [(n, classes, back, [len(self.steps)]) for (n, back), classes in every.items()]
        return [
            [(n, number(classes), back, nodes[n].is_transitive(nodes), to) for n, classes, back, to in steps]
            for steps in (*self.steps, last)
        ]


def walks(root: int, cyclic: bool, nodes: Sequence[Node], pairs: ClassPairs) -> Walks | None:
    """The closed walks of a node's relation: cycles, or pairs of an event and itself if it is not `cyclic`.

    None where it is not made of local relations in this way, or has too many states.
    """
    automaton = _Automaton(nodes, pairs.everything)
    start, end = automaton.state(), automaton.state()
    if not automaton.build(root, start, end, True) or automaton.stays(start, end):
        return None
    size = automaton.size
    joined = _without_empty([*automaton.steps, (end, (pairs.everything, -1, False), start)], size)
    alive = _alive(joined, nodes, pairs)
    layered = not cyclic or _has_cycle(automaton.steps, size)
    if layered:
        steps = [*automaton.steps, *((a + size, step, b + size) for a, step, b in automaton.steps)]
        steps.append((end, (pairs.everything, -1, False), start + size))
        if cyclic:
            steps.append((end + size, (pairs.everything, -1, False), start + size))
        joined = _without_empty(steps, 2 * size)
    joined = _trimmed(joined, {s + layer: a for s, a in alive.items() for layer in (0, size)}, nodes, pairs)
    merged = _merged(joined, alive, size)
    if layered:
        merged |= {s + size: m + size for s, m in merged.items()}
    order = _order(joined, merged)
    if len(order) > MOST_STATES:
        return None
    result: dict[int, dict[tuple[int, bool, int], int]] = {number: {} for number in order.values()}
    for (a, b), made in joined.items():
        for (node, backwards), classes in made.items():
            out, key = result[order[merged[a]]], (node, backwards, order[merged[b]])
            out[key] = out.get(key, 0) | classes
    goal = size if layered else 0
    ends = [
        sorted({(order[merged[s]], order[merged[s + goal]]) for s in alive if alive[s] >> c & 1})
        for c in range(pairs.size)
    ]
    return Walks([_grouped(result[s]) for s in sorted(result)], ends)


def _grouped(steps: dict[tuple[int, bool, int], int]) -> list[tuple[int, int, bool, list[int]]]:
    """Steps by the same pairs to several states as one."""
    targets: dict[tuple[int, int, bool], list[int]] = defaultdict(list)
    for (node, backwards, target), classes in steps.items():
        targets[node, classes, backwards].append(target)
    return [(*step, sorted(to)) for step, to in targets.items()]


@dataclass
class _Automaton:
    """States are numbers; a step stays with an event that is of some classes, or goes by a pair of a local relation."""

    nodes: Sequence[Node]
    everything: int
    size: int = 0
    steps: list[tuple[int, _Step, int]] = field(default_factory=list)

    def state(self) -> int:
        self.size += 1
        return self.size - 1

    def stay(self, source: int, classes: int, target: int) -> None:
        self.steps.append((source, (classes, -1, False), target))

    def build(self, n: int, source: int, target: int, backwards: bool) -> bool:
        """Adds paths from source to target for the pairs of a node's relation; whether that is possible."""
        node = self.nodes[n]
        if not node.bound:
            return True
        match node.op:
            case _N.ID:
                self.stay(source, self.everything, target)
                return True
            case _N.IDENTITY if self.is_decided(node.args):
                self.stay(source, self.nodes[node.args[0]].bound, target)
                return True
            case _N.OPTIONAL:
                self.stay(source, self.everything, target)
                return self.build(node.args[0], source, target, backwards)
            case _N.INVERSE:
                return self.build(node.args[0], source, target, not backwards)
            case _N.RESTRICT if self.is_decided(node.args[1:]):
                first, last = (self.nodes[a].bound for a in (node.args[:0:-1] if backwards else node.args[1:]))
                before, after = self.state(), self.state()
                self.stay(source, first, before)
                self.stay(after, last, target)
                return self.build(node.args[0], before, after, backwards)
            case _N.UNION:
                return all(self.build(a, source, target, backwards) for a in node.args)
            case _N.SEQUENCE:
                first, second = reversed(node.args) if backwards else node.args
                middle = self.state()
                return self.build(first, source, middle, backwards) and self.build(second, middle, target, backwards)
            case _N.PLUS if not node.local:
                before, after = self.state(), self.state()
                self.stay(source, self.everything, before)
                self.stay(after, self.everything, before)
                self.stay(after, self.everything, target)
                return self.build(node.args[0], before, after, backwards)
        if node.local:
            self.steps.append((source, (self.everything, n, backwards), target))
        return node.local

    def stays(self, source: int, target: int) -> bool:
        """Whether a path of no step leads from source to target: the relation has pairs of events with themselves."""
        stack, seen = [source], {source}
        while stack:
            state = stack.pop()
            more = {b for a, (_, node, _), b in self.steps if a == state and node < 0} - seen
            seen |= more
            stack += more
        return target in seen

    def is_decided(self, sets: Sequence[int]) -> bool:
        """Whether the program's text decides these sets."""
        return all(self.nodes[s].op == _N.CLASS for s in sets)


def _has_cycle(steps: list[tuple[int, _Step, int]], size: int) -> bool:
    """Whether the states are on a cycle."""
    after = {(a, b) for a, _, b in steps}
    alive = set(range(size))
    while dead := {a for a in alive if not any(x == a and b in alive for x, b in after)}:
        alive -= dead
    return bool(alive)


def _without_empty(steps: list[tuple[int, _Step, int]], size: int) -> _Steps:
    """The same without steps that stay where they are: states are those that others lead to."""
    stays: dict[int, list[tuple[int, int]]] = defaultdict(list)
    goes: dict[int, list[tuple[int, int, bool]]] = defaultdict(list)
    for a, (classes, node, backwards), b in steps:
        if node < 0:
            stays[a].append((classes, b))
        else:
            goes[a].append((node, b, backwards))
    result: _Steps = {}
    full = -1
    for state in range(size):
        if not any(b == state for reached in goes.values() for _, b, _ in reached):
            continue
        here = {state: full}
        stack = [state]
        while stack:
            a = stack.pop()
            for classes, b in stays[a]:
                more = here.get(b, 0) | (here[a] & classes)
                if more and more != here.get(b, 0):
                    here[b] = more
                    stack.append(b)
        for a, classes in here.items():
            for node, b, backwards in goes[a]:
                made = result.setdefault((state, b), {})
                made[node, backwards] = made.get((node, backwards), 0) | classes
    return result


def _alive(steps: _Steps, nodes: Sequence[Node], pairs: ClassPairs) -> dict[int, int]:
    """For each state the event classes with which it can be on a walk."""
    alive = dict.fromkeys({s for ends in steps for s in ends}, pairs.everything)
    while True:
        out, into = dict.fromkeys(alive, 0), dict.fromkeys(alive, 0)
        for (a, b), made in steps.items():
            for (node, backwards), classes in made.items():
                bound = pairs.inverse(nodes[node].bound) if backwards else nodes[node].bound
                for c in pairs.members(alive[a] & classes & pairs.everything):
                    reached = pairs.row(bound, c) & alive[b]
                    if reached:
                        out[a] |= 1 << c
                        into[b] |= reached
        fewer = {s: alive[s] & out[s] & into[s] for s in alive}
        if fewer == alive:
            return {s: classes for s, classes in alive.items() if classes}
        alive = fewer


def _trimmed(steps: _Steps, alive: dict[int, int], nodes: Sequence[Node], pairs: ClassPairs) -> _Steps:
    """The steps from and to events of the classes that can be on walks."""
    result: _Steps = {}
    for (a, b), made in steps.items():
        for (node, backwards), classes in made.items():
            bound = pairs.inverse(nodes[node].bound) if backwards else nodes[node].bound
            sources = alive.get(a, 0) & classes
            left = pairs.classes_with(c for c in pairs.members(sources) if pairs.row(bound, c) & alive.get(b, 0))
            if left:
                result.setdefault((a, b), {})[node, backwards] = left
    return result


def _merged(steps: _Steps, alive: dict[int, int], size: int) -> dict[int, int]:
    """For each state of the first layer one that stands for it: the states from which the same paths lead on.

    What leads to the second layer comes by the start, which makes a difference: paths that end a pair do so from each.
    """
    of = dict.fromkeys(alive, 0)
    count = 1
    while True:
        out: dict[int, set[tuple[int, bool, int, bool, int]]] = {s: set() for s in alive}
        for (a, b), made in steps.items():
            if a < size:
                out[a] |= {(node, back, classes, b < size, of[b % size]) for (node, back), classes in made.items()}
        kinds: dict[object, int] = {}
        of = {s: kinds.setdefault((of[s], alive[s], frozenset(out[s])), len(kinds)) for s in alive}
        if len(kinds) == count:
            return of
        count = len(kinds)


def _order(steps: _Steps, merged: dict[int, int]) -> dict[int, int]:
    """Numbers for the merged states: one comes before those that it leads to, where there are no cycles."""
    after: dict[int, set[int]] = {m: set() for m in merged.values()}
    for a, b in steps:
        after[merged[a]].add(merged[b])
    done: list[int] = []
    seen: set[int] = set()
    for first in sorted(after):
        stack = [(first, iter(sorted(after[first])))] if first not in seen else []
        seen.add(first)
        while stack:
            state, rest = stack[-1]
            following = next((b for b in rest if b not in seen), None)
            if following is None:
                done.append(state)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(sorted(after[following]))))
    return {state: number for number, state in enumerate(reversed(done))}
