"""Random small protocols, repaired by trying all sets of groups.

The search here works on the protocol as it was drawn, not on its text, and shares nothing with xgen: it lists states as
tuples, groups as sets of steps, and looks at each set of groups by the four rules of docs/repair.md.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass

import networkx as nx
import pytest

from xgen.errors import Source
from xgen.repair.elaborate import read_protocol
from xgen.repair.repair import check_as_it_is, repair
from xgen.repair.show import as_protocol

State = tuple[int, ...]
Steps = frozenset[tuple[State, State]]
LEVELS = ("masking", "failsafe", "nonmasking")


@dataclass
class Drawn:
    """A protocol of three variables with two or three values; a process writes one of them and reads some."""

    sizes: tuple[int, ...]
    reads: tuple[tuple[int, ...], ...]  # of process i, who writes variable i
    old: tuple[frozenset[tuple[State, int]], ...]  # of each process: what it sees, and what it sets
    faults: Steps
    legit: frozenset[State]
    never: frozenset[State]
    init: frozenset[State]

    @property
    def states(self) -> list[State]:
        return list(itertools.product(*(range(size) for size in self.sizes)))

    def view(self, process: int, state: State) -> State:
        return tuple(state[v] for v in self.reads[process])

    def groups(self, process: int) -> dict[tuple[State, int], Steps]:
        found: dict[tuple[State, int], set[tuple[State, State]]] = {}
        for state in self.states:
            for value in range(self.sizes[process]):
                if value != state[process]:
                    after = (*state[:process], value, *state[process + 1 :])
                    found.setdefault((self.view(process, state), value), set()).add((state, after))
        return {key: frozenset(steps) for key, steps in found.items()}

    def text(self) -> str:
        lines = [f"var x{v} : 0 .. {size - 1}" for v, size in enumerate(self.sizes)]
        for process, keys in enumerate(self.old):
            lines.append(f"process p{process} {{ reads {', '.join(f'x{v}' for v in self.reads[process])}")
            lines.append(f"  writes x{process}")
            for seen, value in sorted(keys):
                guard = " and ".join(f"x{v} = {s}" for v, s in zip(self.reads[process], seen, strict=True))
                lines.append(f"  {guard} -> x{process} := {value}")
            lines.append("}")
        for before, after in sorted(self.faults):
            sets = ", ".join(f"x{v} := {value}" for v, value in enumerate(after))
            lines.append(f"fault: {is_state(before)} -> {sets}")
        for word, which in (("legit", self.legit), ("never", self.never), ("init", self.init)):
            lines.append(f"{word}: {' or '.join(map(is_state, sorted(which))) or 'false'}")
        return "\n".join(lines)


def is_state(state: State) -> str:
    return "(" + " and ".join(f"x{v} = {value}" for v, value in enumerate(state)) + ")"


def draw(random_: random.Random) -> Drawn:
    sizes = random_.choice([(2, 2), (2, 2, 1), (3, 2), (2, 2, 2)])
    count = 2
    reads = tuple(tuple(sorted({p, *(v for v in range(len(sizes)) if random_.random() < 0.5)})) for p in range(count))
    blank = Drawn(sizes, reads, (frozenset(),) * count, frozenset(), frozenset(), frozenset(), frozenset())
    old = tuple(frozenset(key for key in blank.groups(process) if random_.random() < 0.4) for process in range(count))
    states = blank.states
    steps = {step for process in range(count) for key in old[process] for step in blank.groups(process)[key]}
    legit = set(random_.sample(states, random_.randint(1, max(1, len(states) // 2))))
    while True:  # the old program does not leave the legitimate states
        more = {after for before, after in steps if before in legit} - legit
        if not more:
            break
        legit |= more
    init = frozenset(random_.sample(sorted(legit), random_.randint(1, min(2, len(legit)))))
    never = frozenset(state for state in states if state not in init and random_.random() < 0.3)
    pairs = [(a, b) for a in states for b in states if a != b]
    faults = frozenset(random_.sample(pairs, random_.randint(0, min(9, len(pairs)))))
    return Drawn(sizes, reads, old, faults, frozenset(legit), never, init)


def tolerant(drawn: Drawn, chosen: Steps, old: Steps, level: str) -> bool:
    """The four rules."""
    graph = nx.DiGraph([*chosen, *drawn.faults])
    graph.add_nodes_from(drawn.states)
    reached = set(drawn.init).union(*(nx.descendants(graph, state) for state in drawn.init))
    steps = [(a, b) for a, b in chosen if a in reached]
    if level != "nonmasking" and any(b in drawn.never for a, b in [*steps, *drawn.faults] if a in reached):
        return False
    goes_on, went_on = {a for a, _ in steps}, {a for a, _ in old}
    for state in reached - goes_on:
        is_legit = state in drawn.legit
        if not (is_legit and state not in went_on) and (is_legit or level != "failsafe"):
            return False
    if any(a in drawn.legit and (a, b) not in old for a, b in steps):
        return False
    outside = nx.DiGraph((a, b) for a, b in steps if a not in drawn.legit and b not in drawn.legit)
    return level == "failsafe" or nx.is_directed_acyclic_graph(outside)


def best(drawn: Drawn, level: str) -> tuple[int, int] | None:
    """The least number of old groups removed, and with it the least number of new ones; None: no set will do."""
    groups = [(key in drawn.old[p], steps) for p in range(len(drawn.old)) for key, steps in drawn.groups(p).items()]
    old: Steps = frozenset().union(*(steps for is_old, steps in groups if is_old), frozenset())
    found: tuple[int, int] | None = None
    for choice in itertools.product([False, True], repeat=len(groups)):
        removed = sum(is_old and not taken for (is_old, _), taken in zip(groups, choice, strict=True))
        new = sum(taken and not is_old for (is_old, _), taken in zip(groups, choice, strict=True))
        if found is None or (removed, new) < found:
            steps = [s for (_, s), taken in zip(groups, choice, strict=True) if taken]
            if tolerant(drawn, frozenset().union(*steps, frozenset()), old, level):
                found = removed, new
    return found


def compare(seed: int, level: str, seen: dict[str, int]) -> None:
    drawn = draw(random.Random(seed))
    if sum(len(drawn.groups(p)) for p in range(len(drawn.old))) > 8:
        return
    source = Source(f"{seed}.gcl", drawn.text())
    protocol = read_protocol(source)
    result = repair(protocol, level)
    wanted = best(drawn, level)
    found = None if result.verdict == "impossible" else (result.removed, result.new)
    assert found == wanted, (seed, level)
    seen[result.verdict] = seen.get(result.verdict, 0) + 1
    checked, _ = check_as_it_is(protocol, level)
    assert checked is not None
    assert (checked.trouble is None) == (wanted == (0, 0)), (seed, level)
    if wanted is not None:
        again, _ = check_as_it_is(read_protocol(Source(f"{seed} again", as_protocol(result))), level)
        assert again is not None
        assert again.trouble is None, (seed, level)
        assert again.reached == result.reached


@pytest.mark.sweep
@pytest.mark.parametrize("level", LEVELS)
def test_random_protocols(level: str) -> None:
    seen: dict[str, int] = {}
    for seed in range(75):
        compare(seed, level, seen)
    assert min(seen[verdict] for verdict in ("repaired", "tolerant", "impossible")) >= 1, seen


@pytest.mark.long
@pytest.mark.parametrize("level", LEVELS)
def test_many_random_protocols(level: str) -> None:
    seen: dict[str, int] = {}
    for seed in range(1000, 4000):
        compare(seed, level, seen)
    assert sum(seen.values()) > 1000
