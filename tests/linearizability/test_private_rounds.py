"""Rounds of retry loops that write to what only their thread can get at are left out, and nothing else.

The oracle is the exploration of all rounds: the same histories, and for each the same that its executions tell at least
of the order of calls; or a violation in both.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

import xgen
from xgen.analyses.linearizability import ask
from xgen.analyses.linearizability.ask import Request
from xgen.analyses.linearizability.graphs import ByGraphs, _least
from xgen.analyses.linearizability.handshakes import never
from xgen.analyses.linearizability.programs import text_of
from xgen.analyses.linearizability.search import Linearizability
from xgen.analyses.linearizability.texts import InC
from xgen.clock import Clock
from xgen.engine.problem import problem
from xgen.lowering.analysis.carried import Like

HEAD = """#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
struct node { int value; struct node *below; int count; };
static _Atomic(struct node *) top, spare;
static atomic_int hint;
static struct node *shared;
"""
POP = """int pop(void) { struct node *s = atomic_load(&spare); int seen = s && s->below ? 1000 * s->below->value : 0;
  struct node *first = atomic_load_explicit(&top, %(seen)s);
  while (first && !atomic_compare_exchange_strong_explicit(&top, &first, first->below, %(seen)s, %(seen)s)) ;
  if (!first) return seen;
  return seen + first->value + 10 * first->count + (first->below ? 100 * first->below->value : 0); }
"""
LOOPS = {
    "kept in the node": "n->below = atomic_load_explicit(&top, %(first)s); %(between)s"
    "while (!%(exchange)s(&top, &n->below, n, %(done)s, %(failed)s)) { %(inside)s }",
    "kept in a local": "struct node *old = atomic_load_explicit(&top, %(first)s); %(between)s do { n->below = old; "
    "%(inside)s } while (!%(exchange)s(&top, &old, n, %(done)s, %(failed)s));",
    "read in each round": "for (;;) { struct node *old = atomic_load_explicit(&top, %(first)s); "
    "n->below = old; %(inside)s if (%(exchange)s(&top, &old, n, %(done)s, %(failed)s)) break; }",
    "read before": "struct node *old = atomic_load_explicit(&top, %(first)s); n->below = old; %(between)s "
    "while (!%(exchange)s(&top, &old, n, %(done)s, %(failed)s)) { n->below = old; %(inside)s }",
}
"""Ways to push a node."""


def pushing(
    rnd: random.Random,
    loop: str | None = None,
    inside: str | None = None,
    between: str | None = None,
    given: str | None = None,
) -> str:
    """A stack, with what may make a difference in its loop or between a load and the loop."""
    orders = ["relaxed", "relaxed", "acquire", "seq_cst"]
    chosen = {
        "first": f"memory_order_{rnd.choice(orders)}",
        "done": f"memory_order_{rnd.choice(['release', 'release', 'acq_rel', 'seq_cst', 'relaxed'])}",
        "failed": f"memory_order_{rnd.choice(orders)}",
        "seen": f"memory_order_{rnd.choice(['acquire', 'acquire', 'relaxed', 'seq_cst'])}",
        "exchange": "atomic_compare_exchange_strong_explicit",
    }
    more = [
        "", "", "", "", "", "n->count = 1;", "n->count = n->below != 0;", "n->count++;", "atomic_store(&hint, 1);",
        "atomic_load(&hint);", "if (atomic_load(&hint)) n->count = 2;", "n->value = v;", "atomic_store(&spare, n);",
        "n->count = atomic_load(&hint);", "if (n->below) n->count = n->below->value;", "if (n->count > 1) break;",
    ]  # fmt: skip
    if inside is not None:
        chosen |= dict.fromkeys(("first", "failed"), "memory_order_relaxed") | {"done": "memory_order_acq_rel"}
        chosen["seen"] = "memory_order_acquire"
    chosen["inside"] = rnd.choice(more) if inside is None else inside
    chosen["between"] = rnd.choice([m for m in more if "break" not in m]) if between is None else between
    others = ["", "", "", "shared = n;", "atomic_store(&spare, n);", "atomic_load(&spare);"]
    given = rnd.choice(others) if given is None else given
    body = LOOPS[loop or rnd.choice(list(LOOPS))] % chosen
    helped = rnd.choice(["", "struct node *s = atomic_load(&spare); if (s) s->count = 7;"]) if "spare" in body else ""
    made = "struct node *n = malloc(sizeof *n); n->value = v; n->count = 0; n->below = 0;"
    return f"{HEAD}void push(int v) {{ {made} {given} {body} {helped}}}\n{POP % chosen}"


Found = dict[frozenset[tuple[tuple[int, int], int]], frozenset[tuple[int, ...]]]


def found(path: Path, model: str, client: str, text: str, *, private: bool, alike: bool) -> tuple[Found | str, int]:
    """Histories, and what is told of each; or "violation"."""
    file = path / "object.c"
    file.write_text(text)
    request = Request(client=client, before=0)
    answer = Linearizability("object.c", model, "", 4, 0, "exact")
    options = {"map": "none"} if model == "tso" else {}  # which does not know C's orders
    search = ask._prepared(str(file), (), xgen.model(model), request, options, Clock(), answer)
    (made,) = search._clients()
    files = search.structure.files
    assert isinstance(files, InC)
    assert files.tree.options.private
    files = replace(files, tree=replace(files.tree, options=replace(files.tree.options, private=private)))
    structure = replace(search.structure, files=files, publishes=False)
    way = search.possible
    assert isinstance(way, ByGraphs)
    asked = problem(structure.program(text_of(structure, made)), search.model)
    run = way._run(made, asked, way._like(made, asked) if alike else Like(), never)
    assert run is not None
    executions = run.core.counters["executions"]
    if run.core.counters["violations"]:
        return "violation", executions
    told: dict[frozenset[tuple[tuple[int, int], int]], set[tuple[int, ...]]] = {}
    for state, words in run.calls():
        told.setdefault(frozenset(structure.returned(made, state).items()), set()).add(words)
    return {history: _least(every) for history, every in told.items()}, executions


@pytest.mark.parametrize("model", ["rc11", "sc", "tso"])
@pytest.mark.parametrize("loop", LOOPS)
def test_one_round_is_enough(model: str, loop: str, tmp_path: Path) -> None:
    text = pushing(random.Random(0), loop, inside="", between="", given="")
    some, few = found(tmp_path, model, "push | push | pop", text, private=True, alike=False)
    every, many = found(tmp_path, model, "push | push | pop", text, private=False, alike=False)
    assert some == every
    assert few < many


@pytest.mark.parametrize(
    ("loop", "inside", "between", "given"),
    [
        # Somebody may have the address before the loop.
        ("read in each round", "", "", "atomic_store(&spare, n);"),
        ("read in each round", "", "", "shared = n;"),
        ("kept in a local", "", "", "atomic_store(&spare, n);"),
        ("kept in the node", "", "atomic_store(&spare, n);", ""),
        # Somebody gets it in a round.
        ("read in each round", "atomic_store(&spare, n);", "", ""),
        ("kept in the node", "atomic_store(&spare, n);", "", ""),
        # A round leaves behind what it has counted.
        ("read in each round", "n->count++;", "", ""),
        ("kept in a local", "n->count++;", "", ""),
        ("kept in the node", "n->count = 1;", "", ""),
        ("read before", "n->count = old ? old->value : 7;", "", ""),
        # What is written before the loop is not written in it.
        ("kept in the node", "", "n->count = 1;", ""),
    ],
)
def test_rounds_that_leave_something_behind(loop: str, inside: str, between: str, given: str, tmp_path: Path) -> None:
    text = pushing(random.Random(0), loop, inside, between, given)
    some, few = found(tmp_path, "sc", "push | push | pop", text, private=True, alike=False)
    every, many = found(tmp_path, "sc", "push | push | pop", text, private=False, alike=False)
    assert (some, few) == (every, many)
    assert (every == "violation") == (", n)" in inside + between + given or "shared" in given)  # a data race, then


@pytest.mark.sweep
@pytest.mark.parametrize("model", ["rc11", "sc", "tso"])
@pytest.mark.parametrize("seed", range(8))
def test_random_loops(seed: int, model: str, tmp_path: Path) -> None:
    rnd = random.Random(f"{seed} {model}")
    text = pushing(rnd)
    client = rnd.choice(["push | push | pop", "push | pop | pop", "push | push"])
    some, few = found(tmp_path, model, client, text, private=True, alike=False)
    every, many = found(tmp_path, model, client, text, private=False, alike=False)
    assert some == every, text
    assert few <= many or every == "violation", text
