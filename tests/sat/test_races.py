"""Races: pairs that nothing orders, as clauses, and as the evaluator of the model's flag has them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

import xgen
from xgen.engine.sat import decide
from xgen.engine.sat.graph import Graph
from xgen.engine.sat.races import Races

HEAD = "#include <pthread.h>\n#include <stdatomic.h>\nint x; atomic_int a, b; pthread_mutex_t m;\n"
MAIN = "int main() { pthread_t p, q; pthread_create(&p, 0, f, 0); pthread_create(&q, 0, g, 0); "
PUT, GET = "memory_order_release", "memory_order_acquire"


def store(order: str) -> str:
    return f"atomic_store_explicit(&a, 1, {order});"


def seen(order: str) -> str:
    return f"if (atomic_load_explicit(&a, {order}))"


RELAXED = "memory_order_relaxed"
LOCKED = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"
TRIED = "if (pthread_mutex_trylock(&m) == 0) { x = 1; pthread_mutex_unlock(&m); }"


def exchange(put: str, then: str) -> str:
    return f"int e = 0; if (atomic_compare_exchange_strong_explicit(&a, &e, 1, {put}, {RELAXED})) {then}"


CASES: list[tuple[str, str, str, str]] = [
    # the first thread, the second one, what main does, and whether that is a race
    (f"x = 1; {store(PUT)}", f"{seen(GET)} x = 2;", "", "safe"),
    (f"x = 1; {store(RELAXED)}", f"{seen(GET)} x = 2;", "", "violation"),
    (f"x = 1; {store(PUT)}", f"{seen(RELAXED)} x = 2;", "", "violation"),
    (
        f"x = 1; atomic_thread_fence({PUT}); {store(RELAXED)}",
        f"{seen(RELAXED)} {{ atomic_thread_fence({GET}); x = 2; }}",
        "",
        "safe",
    ),
    (f"x = 1; atomic_thread_fence({PUT}); {store(RELAXED)}", f"{seen(RELAXED)} x = 2;", "", "violation"),
    (f"x = 1; {store(PUT)} atomic_fetch_add(&a, 1);", f"{seen(GET)} x = 2;", "", "safe"),
    (LOCKED, LOCKED, "", "safe"),
    (LOCKED, "x++;", "", "violation"),
    ("x = 1;", "", "pthread_join(p, 0); x = 2;", "safe"),
    ("x = 1;", "", "pthread_join(q, 0); x = 2;", "violation"),
    ("int y = x;", "int z = x;", "", "safe"),
    (TRIED, TRIED, "", "safe"),
    (exchange(RELAXED, "x = 1;"), exchange(RELAXED, "x = 1;"), "", "safe"),
    (exchange(PUT, "x = 1; else x = 2;"), exchange(PUT, "x = 1; else x = 2;"), "", "violation"),
    (f"x = 1; {exchange(PUT, '{}')}", f"{seen(GET)} x = 2;", "", "safe"),
]


def programs(case: tuple[str, str, str, str]) -> Iterable[tuple[xgen.Program, xgen.Model]]:
    threads = f"void *f(void *v) {{ {case[0]} return v; }} void *g(void *v) {{ {case[1]} return v; }}"
    text = f"{HEAD}{threads} {MAIN}{case[2]} }}"
    yield xgen.parse(text, "c"), xgen.model("rc11")
    yield xgen.parse(text, "c"), xgen.model("sc")


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_races(case: tuple[str, str, str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Clauses say what orders events as the model's flag does: no answer of the solver is refuted that has them."""
    refuted: list[int] = []
    judged = Races.refuted

    def counting(self: Races, graph: Graph) -> tuple[bool, list[set[int]]]:
        real, reasons = judged(self, graph)
        refuted.append(len(reasons))
        return real, reasons

    for (program, model), wanted in zip(programs(case), (case[3], None), strict=True):
        explored = xgen.check(program, model).verdict
        assert wanted in (explored, None)
        assert xgen.check(program, model, engine="sat").verdict == explored
        with monkeypatch.context() as patch:
            patch.setattr(Races, "refuted", counting)
            assert xgen.check(program, model, engine="sat").verdict == explored
        assert sum(refuted) == 0
        with monkeypatch.context() as patch:  # and without these clauses the evaluator says the same
            patch.setattr(decide, "unordered", lambda *_: False)
            assert xgen.check(program, model, engine="sat").verdict == explored


FLAGS = [
    ("loc & (A * W) \\ (A * I)", ordered) for ordered in ("id", "rf", "mo", "po | po^-1", "rf | rf^-1", "(po | rf)^+")
]
FLAGS += [("(W * R) & ext \\ loc", "po | po^-1"), ("W * W \\ (A * I | I * A)", "rf | rf^-1"), ("I * R", "id")]
SMALL = [
    "var x : int process p { 1 -> x; 2 -> x; }",
    "var x : int process p { 1 -> x; } process q { 2 -> x; }",
    "var x : int var y : int process p { 1 -> x; } process q { var r : int  r <- y; }",
    "var x : int process p { var r : int  1 -> x; r <- x; }",
]


@pytest.mark.parametrize(("conflict", "ordered"), FLAGS)
def test_flags_of_own_models(conflict: str, ordered: str) -> None:
    """Whatever their pairs are: of a thread, of one event, of two variables, in one order but not in the other."""
    text = f'model "own"\nall = po | rf | mo | fr\nall acyclic as sc\nodd = ({conflict}) \\ ({ordered})\n'
    model = xgen.parse_model(f"{text}undefined_unless odd empty as odd")
    for program in map(xgen.parse, SMALL):
        assert xgen.check(program, model, engine="sat").verdict == xgen.check(program, model).verdict
