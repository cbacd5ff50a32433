"""Random systems against a search of our own: states as dictionaries, buffers as tuples, components by networkx."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import networkx as nx
import pytest

from xgen.analyses.ltl import check_formula
from xgen.engine.explicit.states import Order
from xgen.errors import Source
from xgen.frontends.dve import read_dve

State = tuple[Any, ...]


@dataclass
class Drawn:
    """Processes of few places over x and y: (from, to, guard or None, effects)."""

    processes: list[list[tuple[int, int, tuple[str, int] | None, list[tuple[str, int | str]]]]]
    places: int = 3

    def text(self) -> str:
        lines = ["byte x, y;"]
        for number, transitions in enumerate(self.processes):
            moves = []
            for origin, target, guard, effects in transitions:
                said = f" guard {guard[0]} == {guard[1]};" if guard else ""
                said += " effect " + ", ".join(f"{v} = {value}" for v, value in effects) + ";" if effects else ""
                moves.append(f"s{origin} -> s{target} {{{said} }}")
            places = ", ".join(f"s{n}" for n in range(self.places))
            trans = "trans " + ", ".join(moves) + ";" if moves else ""
            lines.append(f"process P_{number} {{ byte r; state {places}; init s0; {trans} }}")
        return "\n".join([*lines, "system async;"])

    def initial(self) -> State:
        count = len(self.processes)
        return ((0, 0), (0,) * count, (0,) * count, ((),) * count)

    def steps(self, state: State, order: Order, room: int) -> Iterator[tuple[str, State]]:
        memory, places, locals_, buffers = state
        for p, transitions in enumerate(self.processes):
            for origin, target, guard, effects in transitions:
                if places[p] != origin:
                    continue
                own = {"x": memory[0], "y": memory[1], "r": locals_[p], **dict(buffers[p])}
                if guard and own[guard[0]] != guard[1]:
                    continue
                buffer, stored, r = list(buffers[p]), list(memory), locals_[p]
                for variable, value in effects:
                    known = {"x": stored[0], "y": stored[1], **dict(buffer), "r": r}
                    result = known[value] if isinstance(value, str) else value
                    if variable == "r":
                        r = result
                    elif order == "sc":
                        stored["xy".index(variable)] = result
                    else:
                        buffer.append((variable, result))
                full = len(buffer) > room if order == "tso" else max(map([v for v, _ in buffer].count, "xy")) > room
                if order != "sc" and full:
                    continue
                yield (
                    f"p{p}",
                    (
                        tuple(stored),
                        (*places[:p], target, *places[p + 1 :]),
                        (*locals_[:p], r, *locals_[p + 1 :]),
                        (*buffers[:p], tuple(self.sorted(buffer, order)), *buffers[p + 1 :]),
                    ),
                )
        for p, buffer in enumerate(buffers):
            first = {v: n for n, (v, _) in reversed(list(enumerate(buffer)))}
            for variable, n in first.items() if order == "pso" else [(None, 0)] * bool(buffer):
                name, value = buffer[n]
                after = tuple(value if "xy"[k] == name else held for k, held in enumerate(memory))
                rest = (*buffer[:n], *buffer[n + 1 :])
                yield f"b{p}{variable or ''}", (after, places, locals_, (*buffers[:p], rest, *buffers[p + 1 :]))

    @staticmethod
    def sorted(buffer: list[tuple[str, int]], order: Order) -> list[tuple[str, int]]:
        return sorted(buffer, key=lambda store: store[0]) if order == "pso" else buffer


def draw(rng: random.Random) -> Drawn:
    processes = []
    for _ in range(2):
        transitions = []
        for _ in range(rng.randint(1, 5)):
            guard = (rng.choice("xyr"), rng.randint(0, 1)) if rng.random() < 0.5 else None
            effects: list[tuple[str, int | str]] = [
                (rng.choice("xyr"), rng.choice([0, 1, "x", "y"])) for _ in range(rng.randint(0, 2))
            ]
            transitions.append((rng.randint(0, 2), rng.randint(0, 2), guard, effects))
        processes.append(transitions)
    return Drawn(processes)


class Graph:
    """All states, and the components in which a fair run can stay."""

    def __init__(self, drawn: Drawn, order: Order, room: int, fair: bool) -> None:
        self.graph = nx.MultiDiGraph()
        todo = [drawn.initial()]
        self.graph.add_node(todo[0])
        for state in todo:
            steps = list(drawn.steps(state, order, room)) or [("stand", state)]
            for actor, after in steps:
                if after not in self.graph:
                    todo.append(after)
                self.graph.add_edge(state, after, actor=actor)
        self.fair = fair

    def fair_parts(self, allowed: Callable[[State], bool]) -> Iterator[set[State]]:
        """Components of allowed states in which every actor has moved, or could not at times."""
        graph = self.graph.subgraph([state for state in self.graph if allowed(state)])
        for part in nx.strongly_connected_components(graph):
            inside = [(a, actor) for a, b, actor in graph.edges(data="actor") if a in part and b in part]
            if not inside:
                continue
            enabled = [{actor for _, _, actor in self.graph.out_edges(a, data="actor")} for a, _ in inside]
            moved = {actor for _, actor in inside}
            always = set.intersection(*enabled) - {"stand"}
            if all(actor in moved for actor in always if self.fair or actor.startswith("b")):
                yield part


def bad(name: str, holds: Callable[[State], bool], graph: Graph, start: State) -> bool:
    """Whether a fair run breaks the formula of a name."""
    reached = set(graph.graph)
    if name == "G":
        return any(not holds(state) for state in reached)
    if name == "F":  # a fair run that stays where it does not hold, all the way
        if holds(start):
            return False
        without = graph.graph.subgraph([s for s in reached if not holds(s)])
        near = {start} | nx.descendants(without, start)
        return any(part & near for part in graph.fair_parts(lambda s: not holds(s)))
    if name == "G F":
        return any(True for _ in graph.fair_parts(lambda s: not holds(s)))
    # F G: a fair run in a component in which it fails somewhere
    return any(any(not holds(s) for s in part) for part in graph.fair_parts(lambda s: True))  # noqa: ARG005


def compare(seed: int, order: Order, room: int, fair: bool) -> bool:
    rng = random.Random(seed)
    drawn = draw(rng)
    variable, value = rng.choice("xy"), rng.randint(0, 1)
    system = read_dve(Source("drawn.dve", drawn.text()))
    graph = Graph(drawn, order, room, fair)

    def holds(state: State) -> bool:
        return bool(state[0]["xy".index(variable)] == value)

    fails = []
    for name in ("G", "F", "G F", "F G"):
        result = check_formula(system, f"{name} {variable} = {value}", order, room, fair)
        expected = bad(name, holds, graph, drawn.initial())
        assert (result.verdict == "fails") == expected, (seed, order, room, fair, name)
        fails.append(expected)
    result = check_formula(system, "G true", order, room, fair)
    assert result.states == graph.graph.number_of_nodes(), (seed, order)
    return any(fails) and not all(fails)


@pytest.mark.sweep
@pytest.mark.parametrize(("order", "room"), [("sc", 0), ("tso", 1), ("tso", 2), ("pso", 1), ("pso", 2)])
@pytest.mark.parametrize("fair", [True, False])
def test_random_systems(order: Order, room: int, fair: bool) -> None:
    interesting = sum(compare(seed, order, room, fair) for seed in range(60))
    assert interesting >= 3
