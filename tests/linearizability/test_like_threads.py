"""Threads that make the same calls: what is explored of executions up to names is, by all names, what all are.

The oracle is the exploration of everything; the renaming of what it finds is written down here once more.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path

import pytest

import xgen
from xgen._core import Halt
from xgen.analyses.linearizability import ask
from xgen.analyses.linearizability.ask import Request
from xgen.analyses.linearizability.clients import Client, Slot
from xgen.analyses.linearizability.graphs import ByGraphs
from xgen.analyses.linearizability.handshakes import never
from xgen.analyses.linearizability.programs import text_of
from xgen.analyses.linearizability.search import Linearizability, Search
from xgen.clock import Clock
from xgen.engine.problem import problem
from xgen.lowering.analysis.carried import Like

FOLDER = Path(__file__).parents[2] / "programs" / "linearizable"
Found = set[tuple[frozenset[tuple[Slot, int]], tuple[int, ...]]]
"""Histories, each with what an execution tells of the order of calls."""


def searched(path: Path, model: str, client: str, text: str, ops: str | None = None) -> tuple[Search, Client]:
    file = path / "object.c"
    file.write_text(text)
    request = Request(client=client, before=0, ops=ops)
    answer = Linearizability("object.c", model, "", 4, 0, "exact")
    options = {"arm8": {"map": "armv8"}, "tso": {"map": "none"}}.get(model, {})
    search = ask._prepared(str(file), (), xgen.model(model), request, options, Clock(), answer)
    (made,) = search._clients()
    return search, made


def found(search: Search, client: Client, *, by_names: bool) -> tuple[Found, Like, int]:
    """What executions of a client tell, the threads that are taken for like ones, and the number of executions."""
    way = search.possible
    assert isinstance(way, ByGraphs)
    asked = problem(search.structure.program(text_of(search.structure, client)), search.model)
    like = Like()
    if by_names:
        like = way._like(client, asked)
    run = way._run(client, asked, like, never)
    assert run is not None
    if run.halt == Halt.UNLIKE:
        return found(search, client, by_names=False)
    assert run.halt == Halt.DONE
    told = {(frozenset(search.structure.returned(client, state).items()), words) for state, words in run.calls()}
    return told, like, run.core.counters["executions"]


def by_all_names(told: Found, like: Like, client: Client, puts: frozenset[str]) -> Found:
    """The same by all names of threads in groups, and of the values that they put."""
    everything: Found = set()
    number = {slot: k for k, slot in enumerate(client.parallel)}
    for chosen in product(*(permutations(group) for group in like.groups)):
        pairs = [pair for group, row in zip(like.groups, chosen, strict=True) for pair in zip(group, row, strict=True)]
        to = {a - 1: b - 1 for a, b in pairs}
        slots = {(thread, k): (to.get(thread, thread), k) for thread, k in client.calls}
        put = [slot for slot, call in client.calls.items() if call.name in puts]
        values = {client.calls[slot].argument: client.calls[slots[slot]].argument for slot in put}
        for history, words in told:
            moved = [0] * len(words)
            for b, word in enumerate(words):
                for bit in range(3 * len(words)):
                    if word >> bit & 1:
                        part, a = divmod(bit, len(words))
                        one, other = (number[slots[client.parallel[k]]] for k in (a, b))
                        moved[other] |= 1 << part * len(words) + one
            renamed = frozenset((slots[p], r if p in put else values.get(r, r)) for p, r in history)
            everything.add((renamed, tuple(moved)))
    return everything


@pytest.mark.parametrize(
    ("model", "name", "client", "groups", "factor"),
    [
        ("rc11", "msqueue", "enqueue | enqueue | dequeue | dequeue", 2, 3),
        ("tso", "msqueue", "enqueue | enqueue | enqueue | dequeue", 1, 4),
        ("rc11", "treiber", "push | push | push | pop", 1, 5),
        ("sc", "treiber", "push | push | pop | pop", 2, 3),
        ("tso", "treiber", "push | push | pop | pop", 2, 3),
        ("rc11", "herlihy_wing", "enqueue | enqueue | enqueue | dequeue | dequeue | dequeue", 2, 30),
        ("sc", "herlihy_wing", "enqueue | enqueue | enqueue | dequeue | dequeue", 2, 10),
        ("rc11", "ticket", "inc | inc | get | get", 2, 3),
    ],
)
def test_structures(model: str, name: str, client: str, groups: int, factor: int, tmp_path: Path) -> None:
    search, made = searched(tmp_path, model, client, (FOLDER / f"{name}.c").read_text())
    everything, _, many = found(search, made, by_names=False)
    some, like, few = found(search, made, by_names=True)
    puts = frozenset(operation.name for operation in search.structure.interface.of("put"))
    assert len(like.groups) == groups
    assert by_all_names(some, like, made, puts) == everything
    assert few * factor <= many


def random_object(rnd: random.Random) -> str:
    """Two operations of a few relaxed or synchronising accesses to three cells, in which values are carried around."""
    orders = ["relaxed", "relaxed", "acquire", "release", "seq_cst"]
    text = "#include <stdatomic.h>\natomic_int x, y, z, count;\n"
    for name, given in (("put", "int v"), ("get", "void")):
        text += f"{'int' if given == 'void' else 'void'} {name}({given}) {{ int r = 0, e = 0;\n"
        value = "v" if given != "void" else "r"
        for _ in range(rnd.randint(2, 4)):
            cell, order = rnd.choice("xyz"), rnd.choice(orders)
            load = order if order != "release" else "acquire"
            store = order if order != "acquire" else "release"
            text += rnd.choice(
                [
                    f"  r = atomic_load_explicit(&{cell}, memory_order_{load});\n",
                    f"  r = atomic_load_explicit(&{cell}, memory_order_{load});\n",
                    f"  atomic_store_explicit(&{cell}, {value}, memory_order_{store});\n",
                    f"  r = atomic_exchange_explicit(&{cell}, {value}, memory_order_{order});\n",
                    f"  e = r; atomic_compare_exchange_strong(&{cell}, &e, {value});\n",
                    f"  r = atomic_fetch_add_explicit(&count, 1, memory_order_{order});\n",
                    f"  if (r) atomic_store_explicit(&{cell}, {value}, memory_order_{store});\n",
                    f"  if (r == {value}) atomic_store_explicit(&{cell}, r, memory_order_{store});\n",
                ]
            )
        text += "  return r; }\n" if given == "void" else "}\n"
    return text


@pytest.mark.parametrize("model", ["rc11", "sc", "tso"])
@pytest.mark.parametrize("seed", range(6))
def test_random_bodies(model: str, seed: int, tmp_path: Path) -> None:
    rnd = random.Random(f"{seed} of like threads")
    client = rnd.choice(["put | put | get", "put | put | get | get", "put | get | get"])
    search, made = searched(tmp_path, model, client, text=random_object(rnd), ops="put=put,get=get")
    search = replace(search, structure=replace(search.structure, publishes=False))
    some, like, _ = found(search, made, by_names=True)
    assert by_all_names(some, like, made, frozenset({"put"})) == found(search, made, by_names=False)[0]


def test_numbers_that_are_told_like_values(tmp_path: Path) -> None:
    """What get returns is a number of its own: by other names of the values, an execution tells the same."""
    text = "#include <stdatomic.h>\natomic_int x, count;\nvoid put(int v) { x = v; }\n"
    text += "int get(void) { return x ? atomic_fetch_add(&count, 1) + 1 : 0; }\n"
    search, made = searched(tmp_path, "sc", "put | put | get | get", text, ops="put=put,get=get")
    search = replace(search, structure=replace(search.structure, publishes=False))
    assert found(search, made, by_names=True)[1] == Like()


def test_it_is_said_where_executions_might_be_missed(tmp_path: Path) -> None:
    """Of relaxed accesses a thread may read what comes after another one's read, from before what that one has read."""
    text = """#include <stdatomic.h>
atomic_int x, y;
void put(int v) { int r = atomic_load_explicit(&x, memory_order_relaxed);
  if (r) atomic_store_explicit(&y, v, memory_order_relaxed); }
int get(void) { int r = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed); return r; }
"""
    search, made = searched(tmp_path, "rc11", "put | put | get | get", text, ops="put=put,get=get")
    search = replace(search, structure=replace(search.structure, publishes=False))
    asked = problem(search.structure.program(text_of(search.structure, made)), search.model)
    assert isinstance(search.possible, ByGraphs)
    like = search.possible._like(made, asked)
    run = search.possible._run(made, asked, like, never)
    assert run is not None
    assert run.halt == Halt.UNLIKE
    everything, _, _ = found(search, made, by_names=False)
    assert found(search, made, by_names=True)[0] == everything
