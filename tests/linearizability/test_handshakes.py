"""Flags on graphs against flags in programs, and the search for orders against all sets of flags."""

from __future__ import annotations

import random
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

import pytest

import xgen
from xgen.analyses.linearizability import ask
from xgen.analyses.linearizability.ask import Request
from xgen.analyses.linearizability.clients import Client, Slot
from xgen.analyses.linearizability.graphs import ACQUIRES, RELEASES, ByGraphs, _allows, _Graph
from xgen.analyses.linearizability.handshakes import ByPrograms
from xgen.analyses.linearizability.programs import NONE, text_of
from xgen.analyses.linearizability.search import Linearizability, Search
from xgen.clock import Clock
from xgen.engine.problem import problem

ORDERS = ["relaxed", "acquire", "release", "seq_cst"]
OPERATIONS = "abc"


def random_object(rnd: random.Random) -> str:
    """Three operations of one or two accesses."""
    text = "#include <stdatomic.h>\natomic_int x, y;\n"
    for name in OPERATIONS:
        steps = []
        for _ in range(rnd.randint(1, 2)):
            v, n = rnd.choice("xy"), rnd.randint(1, 2)
            load = rnd.choice(["relaxed", "acquire", "seq_cst"])
            store = rnd.choice(["relaxed", "release", "seq_cst"])
            steps.append(
                rnd.choice(
                    [
                        f"r = atomic_load_explicit(&{v}, memory_order_{load});",
                        f"atomic_store_explicit(&{v}, {n}, memory_order_{store});",
                        f"r = atomic_exchange_explicit(&{v}, {n}, memory_order_acq_rel);",
                    ]
                )
            )
        text += f"int {name}(void) {{ int r = 0; {' '.join(steps)} return r; }}\n"
    return text


def searched(path: Path, model: str, client: str, **options: Any) -> tuple[Search, Client]:
    (path / "object.c").write_text(options.pop("text"))
    request = Request(ops=",".join(f"do={name}" for name in OPERATIONS), client=client)
    answer = Linearizability("object.c", model, "", 4, 0, "exact")
    name = str(path / "object.c")
    search = ask._prepared(name, (), xgen.model(model), request, options, Clock(), answer)
    (found,) = search._clients()
    return search, found


def histories(search: Search, client: Client) -> list[frozenset[Any]]:
    result = xgen.check(search.structure.program(text_of(search.structure, client)), search.model, classes="off")
    names = {slot: search.structure.name(slot) for slot in client.calls}
    told = (((p, int(o.state[name])) for p, name in names.items()) for o in result.outcomes)
    return sorted({frozenset((p, v) for p, v in each if v != NONE) for each in told}, key=sorted)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("model", "options"),
    [("rc11", {}), ("sc", {}), ("tso", {"map": "none"}), ("pso", {"map": "none"}), ("arm8", {"map": "armv8"})],
)
def test_on_graphs_as_in_programs(model: str, options: dict[str, Any], seed: int, tmp_path: Path) -> None:
    rnd = random.Random(f"{model} {seed}")
    client = rnd.choice(["a | b | c", "a b | c a", "a c | b", "b | b c"])
    search, made = searched(tmp_path, model, client, text=random_object(rnd), **options)
    assert isinstance(search.possible, ByGraphs)
    explored = search.possible.explored(made)
    graphs, programs = explored.under, ByPrograms(search.structure, search.model, Clock()).under(made)
    told = histories(search, made)
    assert sorted(explored.told, key=sorted) == told
    pairs = [(a, b) for a, b in permutations(made.parallel, 2) if a[0] != b[0]]
    sets = [s for n in (1, 2, 3) for s in combinations(pairs, n)]
    possible = 0
    for order in rnd.sample(sets, 7):
        for each in told:
            assert graphs(order, each) == programs(order, each), (order, each)
            possible += graphs(order, each)
    assert len(told) == 1 or possible < 7 * len(told)


@pytest.mark.parametrize("seed", range(12))
def test_orders_that_refute_explanations_are_enough(seed: int, tmp_path: Path) -> None:
    """The search asks about few sets of flags: those of pairs that an explanation has the other way round."""
    rnd = random.Random(seed)
    search, made = searched(tmp_path, "rc11", "a | b | c", text=random_object(rnd))
    answer = Linearizability("object.c", "rc11", "", 4, 0, "exact")
    found = search._explored(made, answer)
    graphs = search.possible.explored(made).under
    steps = search.specification.steps(made, False)
    pairs = list(permutations(made.parallel, 2))

    def is_explained(told: frozenset[Any], order: tuple[Any, ...]) -> bool:
        for line in permutations(made.calls):
            if any(line.index(b) < line.index(a) for a, b in order):
                continue
            state, right = steps.start, True
            for slot in line:
                ((result, state),) = steps.step(slot, state)
                right = right and (slot, result) in told
            if right:
                return True
        return False

    wrong = [
        order
        for number in range(len(pairs) + 1)
        for order in combinations(pairs, number)
        if any(graphs(order, told) and not is_explained(told, order) for told in histories(search, made))
    ]
    assert (found is not None) == bool(wrong)
    if found is not None:
        assert set(found.orders) in [set(order) for order in wrong]


def test_the_seeds_have_some_that_flags_show(tmp_path: Path) -> None:
    numbers = []
    for seed in range(12):
        search, made = searched(tmp_path, "rc11", "a | b | c", text=random_object(random.Random(seed)))
        found = search._explored(made, Linearizability("object.c", "rc11", "", 4, 0, "exact"))
        numbers.append(-1 if found is None else len(found.orders))
    assert {-1, 0} <= set(numbers)
    assert max(numbers) >= 1


@pytest.mark.parametrize(
    ("name", "model", "client"),
    [
        ("msqueue", "rc11", "dequeue | enqueue | dequeue"),
        ("herlihy_wing", "rc11", "enqueue | enqueue | dequeue"),
        ("seqlock", "rc11-c20", "write read | read"),
        ("treiber", "sc", "push | pop | pop"),
        ("msqueue", "tso", "dequeue enqueue | dequeue"),
    ],
)
def test_tables_reject_only_what_the_model_forbids(name: str, model: str, client: str) -> None:
    """Of flags on executions of structures that people use: what closes a cycle, the model's constraints forbid, too;
    and most of what they forbid is seen so."""
    rnd = random.Random(f"{name} {model}")
    path = Path(__file__).parents[2] / "programs" / "linearizable" / f"{name}.c"
    request = Request(client=client, before=0)
    answer = Linearizability(path.name, model, "", 4, 0, "exact")
    search = ask._prepared(str(path), (), xgen.model(model), request, {}, Clock(), answer)
    (made,) = search._clients()
    possible = search.possible
    assert isinstance(possible, ByGraphs)
    program = search.structure.program(text_of(search.structure, made))
    graphs = possible.graphs(made, problem(program, search.model))
    assert graphs is not None
    pairs = [(a, b) for a, b in permutations(made.parallel, 2) if a[0] != b[0]]
    number = {slot: n for n, slot in enumerate(made.parallel)}
    every = [(w, graph) for alike in graphs.values() for w, like in alike.items() for graph in like]
    rejected = forbidden = 0
    for words, graph in rnd.sample(every, min(len(every), 6)):
        assert words == known_of(graph, made, possible)
        for _ in range(6):
            order = tuple(rnd.sample(pairs, rnd.randint(1, 3)))
            numbers = [(number[a], number[b]) for a, b in order]
            allowed = all(_allows(words, numbers[:n]) for n in range(1, len(order) + 1))
            assert allowed or not graph.allows(order)
            rejected += not allowed
            forbidden += not graph.allows(order)
    assert rejected >= 3
    assert rejected >= (forbidden if model == "sc" else 0.7 * forbidden)


def known_of(graph: _Graph, client: Client, way: ByGraphs) -> tuple[int, ...]:
    """What the core says in words, of an execution, by sets of pairs."""
    execution, ends = graph.execution, graph.ends
    events = execution.events

    def reached(pairs: Any) -> set[tuple[int, int]]:
        found = {(n, n) for n, _ in enumerate(events)} | set(pairs)
        for m, n, k in product(range(len(events)), repeat=3):
            if (n, m) in found and (m, k) in found:
                found.add((n, k))
        return found

    agreed = [(w, r) for w, r in execution.rf if events[w].tags & RELEASES and events[r].tags & ACQUIRES]
    knows = reached([*execution.po, *agreed])
    place = {number: (k, 2 * n) for k, order in enumerate(execution.mo) for n, number in enumerate(order)}
    place |= {r: (place[w][0], place[w][1] + 1) for w, r in execution.rf}
    same = [(a, b) for a, b in permutations(place, 2) if place[a][0] == place[b][0] and place[a][1] < place[b][1]]
    leads = reached([*execution.po, *execution.rf, *(same if way.total else ())])
    starts = {}
    for thread, k in client.parallel:
        own = [n for n, event in enumerate(events) if event.thread == events[ends[thread, k]].thread]
        starts[thread, k] = min(n for n in own if k == 0 or n > ends[thread, k - 1])

    def overtakes(b: Slot, a: Slot) -> bool:
        return any(
            place[x][0] == place[y][0] and place[x][1] < place[y][1]
            for x, y in permutations([n for n in place if events[n].thread >= 0], 2)
            if (starts[b], x) in knows and (y, ends[a]) in knows
        )

    words = []
    for b in client.parallel:
        word = 0
        for n, a in enumerate(client.parallel):
            word |= (not way.cyclic and (starts[b], ends[a]) in leads) << n
            word |= (way.ordered and not way.total and (starts[b], ends[a]) in knows) << len(client.parallel) + n
            word |= (way.ordered and not way.total and overtakes(b, a)) << 2 * len(client.parallel) + n
        words.append(word)
    return tuple(words)
