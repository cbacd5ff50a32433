"""Threads that go round for ever and write, as fair cycles of states: what livelocks are checked against.

A thread is a list of steps, with two registers. Its tests and assumptions are steps of their own. A run goes on for
ever, and changes something, iff there are some threads such that, in the states in which no other thread can take a
step, there is a strongly connected set in which each of them takes one, and one of them writes another value, or
stores. Who stands at an assumption that does not hold counts as one that can: such runs are none of the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from random import Random
from typing import NamedTuple

import networkx as nx


class Step(NamedTuple):
    """`load`, `store`, `exchange`, `cas` (from `expected`), `lock`, `unlock`; `test`: to `target` where the register is
    `value`, else on; `assume`: the register is `value`."""

    op: str
    variable: str = ""
    value: int = 0
    register: str = ""
    expected: int = 0
    target: int = 0


Threads = tuple[tuple[Step, ...], ...]
State = tuple[tuple[int, ...], tuple[tuple[int, ...], ...], tuple[tuple[str, int], ...]]
"""Places, registers, memory; a mutex has the number of its thread, from 1."""
VARIABLES, MUTEXES, REGISTERS = "xy", "mn", "ab"


class Wrong(Exception):
    """A thread unlocks what it does not hold."""


def start(threads: Threads) -> State:
    memory = tuple((name, 0) for name in VARIABLES + MUTEXES)
    return (0,) * len(threads), ((0,) * len(REGISTERS),) * len(threads), memory


def able(threads: Threads, state: State, thread: int) -> bool:
    place = state[0][thread]
    if place == len(threads[thread]):
        return False
    step = threads[thread][place]
    return step.op != "lock" or dict(state[2])[step.variable] == 0


def stepped(threads: Threads, state: State, thread: int) -> tuple[State, bool] | None:
    """The state after a step, and whether that has written something that counts; None: an assumption fails."""
    places, registers, memory = list(state[0]), [list(own) for own in state[1]], dict(state[2])
    step, own = threads[thread][places[thread]], registers[thread]
    places[thread] += 1
    seen, counts = memory.get(step.variable, 0), False
    register = REGISTERS.find(step.register) if step.register else -1
    if step.op == "test" and own[register] == step.value:
        places[thread] = step.target
    if step.op == "assume" and own[register] != step.value:
        return None
    if step.op in ("load", "exchange", "cas"):
        own[register] = seen
    if step.op in ("store", "exchange") or (step.op == "cas" and seen == step.expected):
        memory[step.variable] = step.value
        counts = step.op == "store" or step.value != seen
    if step.op == "lock":
        memory[step.variable] = thread + 1
    if step.op == "unlock":
        if seen != thread + 1:
            raise Wrong
        memory[step.variable] = 0
    return (tuple(places), tuple(map(tuple, registers)), tuple(memory.items())), counts


def goes_on(threads: Threads) -> bool:
    """Whether threads go round for ever and write. Raises Wrong."""
    graph = nx.MultiDiGraph()
    graph.add_node(start(threads))
    work = [start(threads)]
    while work:
        state = work.pop()
        for thread in range(len(threads)):
            after = stepped(threads, state, thread) if able(threads, state, thread) else None
            if after is None:
                continue
            if after[0] not in graph:
                work.append(after[0])
            graph.add_edge(state, after[0], thread=thread, counts=after[1])
    numbers = range(len(threads))
    some = chain.from_iterable(combinations(numbers, many) for many in range(1, len(threads) + 1))
    return any(_goes_on(threads, graph, set(those)) for those in some)


def _goes_on(threads: Threads, graph: nx.MultiDiGraph, those: set[int]) -> bool:
    others = [thread for thread in range(len(threads)) if thread not in those]
    states = [state for state in graph if not any(able(threads, state, other) for other in others)]
    for part in nx.strongly_connected_components(graph.subgraph(states)):
        edges = [data for _, _, data in graph.subgraph(part).edges(data=True)]
        if {data["thread"] for data in edges} == those and any(data["counts"] for data in edges):
            return True
    return False


def to_xcfa(threads: Threads) -> str:
    """The same program for xgen: a location per step."""
    lines = [f"var {name} : int" for name in VARIABLES] + [f"var {name} : synthetic" for name in MUTEXES]
    for number, steps in enumerate(threads):
        lines += [f"process p{number} {{", *(f"  var {register} : int" for register in REGISTERS)]
        kinds = ["init"] + [""] * (len(steps) - 1) + ["final"]
        lines += [f"  {f'{kind} '.lstrip()}loc L{place}" for place, kind in enumerate(kinds)]
        lines += [f"  {edge}" for place, step in enumerate(steps) for edge in _edges(place, step)]
        lines.append("}")
    return "\n".join(lines) + "\n"


def _edges(place: int, step: Step) -> list[str]:
    if step.op == "test":
        return [
            f"L{place} -> L{step.target} {{ assume {step.register} = {step.value} }}",
            f"L{place} -> L{place + 1} {{ assume {step.register} /= {step.value} }}",
        ]
    text = {
        "store": f"{step.value} -> {step.variable}",
        "load": f"{step.register} <- {step.variable}",
        "exchange": f"{step.register} <- exchange({step.variable}, {step.value})",
        "cas": f"{step.register} <- cas({step.variable}, {step.expected}, {step.value})",
        "lock": f"lock({step.variable})",
        "unlock": f"unlock({step.variable})",
        "assume": f"assume {step.register} = {step.value}",
    }[step.op]
    return [f"L{place} -> L{place + 1} {{ {text} }}"]


def random_threads(rng: Random) -> Threads:
    """Two or three threads that read, write, lock, and go back."""
    return tuple(_thread(rng, rng.choice((3, 4, 5, 6))) for _ in range(rng.choice((1, 2, 2, 3))))


def _thread(rng: Random, length: int) -> tuple[Step, ...]:
    steps: list[Step] = []
    while len(steps) < length:
        variable, register, value = rng.choice(VARIABLES), rng.choice(REGISTERS), rng.choice((0, 1, 1, 2))
        kind = rng.choice(("load", "load", "store", "store", "exchange", "cas", "locked", "assume"))
        if kind == "locked":
            mutex = rng.choice(MUTEXES)
            steps += [Step("lock", mutex), Step("store", variable, value), Step("unlock", mutex)]
        elif kind == "assume" and rng.random() < 0.8:
            continue
        else:
            steps.append(Step(kind, variable, value, register, rng.choice((0, 1))))
        if rng.random() < 0.5:
            steps.append(Step("test", value=rng.choice((0, 1, 2)), register=register, target=rng.randrange(len(steps))))
    return tuple(steps)


def events(threads: Threads, state: State, thread: int) -> tuple[State, list[tuple[str, str, int]]]:
    """A thread goes on to its next access, and past it: what that reads and writes, and the state then."""
    while threads[thread][state[0][thread]].op in ("test", "assume"):
        after = stepped(threads, state, thread)
        assert after is not None
        state = after[0]
    step, before = threads[thread][state[0][thread]], dict(state[2])
    assert able(threads, state, thread)
    after = stepped(threads, state, thread)
    assert after is not None
    seen, is_mutex = before[step.variable], step.variable in MUTEXES
    found = list(_accesses(step, int(bool(seen)) if is_mutex else seen))
    return after[0], found


def _accesses(step: Step, seen: int) -> Iterator[tuple[str, str, int]]:
    if step.op in ("load", "exchange", "cas", "lock"):
        yield "R", step.variable, seen
    if step.op == "lock":
        yield "W", step.variable, 1
    elif step.op in ("store", "exchange", "unlock") or (step.op == "cas" and seen == step.expected):
        yield "W", step.variable, step.value


def at_access(threads: Threads, state: State, thread: int) -> State:
    """Where a thread stands once it has made its tests: at its next access, at its end, or going round by itself."""
    for _ in range(len(threads[thread]) ** 2 * 10):
        place = state[0][thread]
        if place == len(threads[thread]) or threads[thread][place].op not in ("test", "assume"):
            return state
        after = stepped(threads, state, thread)
        assert after is not None
        state = after[0]
    return state
