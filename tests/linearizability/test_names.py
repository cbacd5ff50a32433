"""Histories that differ by names only: the answer is that of all histories, however an object treats values."""

from __future__ import annotations

import random
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest

import xgen
from xgen.analyses.linearizability import ask, search
from xgen.analyses.linearizability.ask import Request
from xgen.analyses.linearizability.clients import Client, Slot
from xgen.analyses.linearizability.names import alike, exchanges, keeps
from xgen.analyses.linearizability.search import Linearizability, Search
from xgen.clock import Clock

PUTS = (
    "atomic_store(&x, v);",
    "atomic_exchange(&x, v);",
    "old = atomic_exchange(&y, v); if (old == 0) atomic_store(&x, v);",
    "old = 0; if (!atomic_compare_exchange_strong(&x, &old, v)) atomic_store(&y, v);",
    "if (atomic_load(&x) != 0) atomic_store(&y, v); else atomic_store(&x, v);",
    "if (atomic_load(&x) < v) atomic_store(&x, v);",
    "if (v == 2) atomic_store(&y, v); else atomic_store(&x, v);",
)
"""Ways to put a value; the last two see which one it is."""
GETS = (
    "r = atomic_load(&x);",
    "r = atomic_exchange(&x, 0);",
    "r = atomic_exchange(&x, 0); if (r == 0) r = atomic_exchange(&y, 0);",
    "r = atomic_exchange(&x, atomic_exchange(&y, 0));",
    "r = atomic_load(&x); if (r != 0) atomic_store(&x, 0);",
    "r = atomic_exchange(&y, 0); if (r != 1) r = atomic_exchange(&x, r);",
)


def random_bag(rnd: random.Random) -> str:
    """A put and a get that use two places."""
    put, get = rnd.choice(PUTS), rnd.choice(GETS)
    return (
        "#include <stdatomic.h>\natomic_int x, y;\n"
        f"void put(int v) {{ int old = 0; {put} (void)old; }}\nint get(void) {{ int r = 0; {get} return r; }}\n"
    )


def searched(path: Path, text: str, model: str, client: str, spec: str | None = None) -> tuple[Search, Client]:
    (path / "bag.c").write_text(text)
    request = Request(client=client, before=0, spec=spec)
    answer = Linearizability("bag.c", model, "", 4, 0, "exact")
    prepared = ask._prepared(str(path / "bag.c"), (), xgen.model(model), request, {}, Clock(), answer)
    (made,) = prepared._clients()
    return prepared, made


def told(found: search.Wrong | None) -> Any:
    """Whether something is wrong, and what: which of the histories that differ by names is shown is no matter."""
    return None if found is None else (found.violation is None, sorted(map(len, (found.history, found.waiting))))


@pytest.mark.parametrize("seed", range(24))
def test_the_answer_is_that_of_all_histories(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rnd = random.Random(seed)
    text, model = random_bag(rnd), rnd.choice(["sc", "rc11"])
    client = rnd.choice(["put | put | get", "put | get | get", "put | put | get | get"])
    answers, orders = [], []
    for ways in (exchanges, lambda *_: iter(())):
        monkeypatch.setattr(search, "exchanges", ways)
        prepared, made = searched(tmp_path, text, model, client)
        answer = Linearizability("bag.c", model, "", 4, 0, "exact")
        answers.append(told(prepared._explored(made, answer)))
        orders.append(answer.orders)
    assert answers[0] == answers[1], text
    assert orders[0] <= orders[1]


@pytest.mark.parametrize("seed", range(8))
def test_histories_that_are_alike_are_possible_under_the_same_flags(seed: int, tmp_path: Path) -> None:
    """Of histories that are taken for each other, each has the same sets of flags but for names, and the same of them
    rule it out: all sets of up to two are asked about, and all orders of calls tried."""
    rnd = random.Random(f"alike {seed}")
    prepared, made = searched(tmp_path, random_bag(rnd), "sc", "put | put | get")
    explored = prepared.possible.explored(made)
    steps = prepared.specification.steps(made, False)
    names = [each for each in exchanges(made, {"put"}) if keeps(each, made, steps, False)]
    pairs = list(permutations(made.parallel, 2))

    def is_explained(history: frozenset[tuple[Slot, int]], order: tuple[tuple[Slot, Slot], ...]) -> bool:
        for line in permutations([slot for slot, _ in history]):
            wanted = [(a, b) for a, b in (*made.order, *order) if a in line and b in line]
            if any(line.index(b) < line.index(a) for a, b in wanted):
                continue
            states = [steps.start]
            for slot in line:
                states = [s for state in states for r, s in steps.step(slot, state) if (slot, r) in history]
            if states:
                return True
        return False

    for history in explored.told:
        for other in alike(history, names, explored.under):
            (moved,) = {n.slots[1, 0] for n in names if n.history(history) == other} or {(1, 0)}
            slots = {p: p for p in made.calls} | ({(0, 0): (1, 0), (1, 0): (0, 0)} if other != history else {})
            assert other == history or moved == (0, 0)
            for order in (s for n in (1, 2) for s in combinations(pairs, n)):
                renamed = tuple((slots[a], slots[b]) for a, b in order)
                assert explored.under(order, history) == explored.under(renamed, other)
                assert is_explained(history, order) == is_explained(other, renamed)


def test_what_sees_values_is_not_renamed(tmp_path: Path) -> None:
    """A place that keeps the larger value, and one that says which values it takes for which; of a queue, all are."""
    numbers = []
    for put, get in ((5, 1), (6, 2), (0, 1)):
        text = random_bag(random.Random(0)).split("void put")[0]
        text += f"void put(int v) {{ int old = 0; {PUTS[put]} (void)old; }}\n"
        text += f"int get(void) {{ int r = 0; {GETS[get]} return r; }}\n"
        prepared, made = searched(tmp_path, text, "sc", "put | put | get")
        explored = prepared.possible.explored(made)
        steps = prepared.specification.steps(made, False)
        kept = [names for names in exchanges(made, {"put"}) if keeps(names, made, steps, False)]
        groups = {frozenset(alike(each, kept, explored.under)) for each in explored.told}
        numbers.append((len(kept), max(map(len, groups))))
    assert numbers == [(0, 1), (0, 1), (1, 2)]
