"""Allocated objects by satisfiability: what goes wrong with them, against the explorer."""

from __future__ import annotations

import random

import pytest

import xgen
from xgen.engine.sat import accesses, replay
from xgen.errors import InternalError, UnsupportedError

HEAD = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
_Atomic(int *) p, q;
atomic_int a, b;
"""
START = "int main() { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0);"
JOIN = "pthread_join(s, 0); pthread_join(t, 0);"
ALONE: list[tuple[str, str | None]] = [
    ("int *l = malloc(4); *l = 1; free(l);", None),
    ("int *l = malloc(4); *l = 1; free(l); *l = 2;", "use-after-free"),
    ("int *l = malloc(4); free(l); free(l);", "double-free"),
    ("int *l = malloc(8); free(l + 1);", "bad-free"),
    ("int *l = (int *)&a; free(l);", "bad-free"),
    ("int *l = malloc(4); a = *l;", "uninitialised"),
    ("int *l = calloc(2, 4); a = l[1]; free(l);", None),
    ("int *l = malloc(8); l[2] = 1;", "bad-address"),
    ("free(0);", None),
    ("int *l = malloc(4), *r = malloc(4); *r = 3; free(l); a = *r;", None),
    ("int *l = malloc(4), *r = malloc(4), *w = a ? l : r; free(w); *l = 1;", None),
    ("int *l = malloc(4), *r = malloc(4), *w = a ? l : r; free(w); *r = 1;", "use-after-free"),
    ("for (int i = 0; i < 3; i++) { int *l = malloc(4); *l = i; free(l); }", None),
]
TOGETHER: list[tuple[str, str, str, str | None]] = [
    # handed over, and freed by who has got it
    (
        "int *l = malloc(4); *l = 7; atomic_store_explicit(&p, l, memory_order_release);",
        "int *l = atomic_load_explicit(&p, memory_order_acquire); if (l) { assert(*l == 7); free(l); }",
        "",
        None,
    ),
    (
        "int *l = malloc(4); *l = 7; atomic_store_explicit(&p, l, memory_order_relaxed);",
        "int *l = atomic_load_explicit(&p, memory_order_relaxed); if (l) free(l);",
        "",
        "race-with-free",
    ),
    # one of two takes it
    (
        "int *l = atomic_exchange(&p, 0); if (l) free(l);",
        "int *l = atomic_exchange(&p, 0); if (l) free(l);",
        "p = malloc(4);",
        None,
    ),
    ("free(atomic_load(&p));", "free(atomic_load(&p));", "p = malloc(4);", "double-free"),
    ("free(atomic_load(&p));", "int *l = p; *l = 1;", "p = malloc(4);", "race-with-free"),
    ("int *l = p; *l = 1; a = 1;", "while (!a); free(p);", "p = malloc(4);", None),
    ("free(p); a = 1;", "while (!a); *p = 1;", "p = malloc(4);", "use-after-free"),
]


def program(text: str, **options: str) -> xgen.Program:
    return xgen.parse(HEAD + text, "c", **options)


def both(text: str, model: str) -> tuple[str, set[str], set[str]]:
    """The verdict of the explorer, and the kinds of what goes wrong in each of the two answers."""
    loaded, under = program(text), xgen.model(model)
    found = xgen.check(loaded, under, engine="sat")
    every = xgen.check(loaded, under, all_states=True)
    assert found.verdict == every.verdict, text
    kinds = {violation.kind for violation in found.witness.violations} if found.witness else set[str]()
    return every.verdict, kinds, {v.kind for v in every.witness.violations} if every.witness else set[str]()


@pytest.mark.parametrize(("body", "kind"), ALONE)
def test_one_thread(body: str, kind: str | None) -> None:
    verdict, kinds, wanted = both(f"int main() {{ {body} }}", "rc11")
    assert verdict == ("safe" if kind is None else "violation")
    assert kinds == wanted == ({kind} if kind else set())


@pytest.mark.parametrize("model", ["sc", "rc11"])
@pytest.mark.parametrize(("one", "other", "before", "kind"), TOGETHER)
def test_two_threads(one: str, other: str, before: str, kind: str | None, model: str) -> None:
    threads = f"void *f(void *x) {{ {one} return x; }} void *g(void *x) {{ {other} return x; }}"
    verdict, kinds, _ = both(f"{threads} {START.replace('{', '{ ' + before, 1)} {JOIN} }}", model)
    if model == "rc11":
        assert verdict == ("safe" if kind is None else "violation")
        assert kinds >= ({kind} if kind else set())


def test_before_the_threads_and_after_them() -> None:
    text = f"void *f(void *x) {{ *p = 1; return x; }} void *g(void *x) {{ return x; }} {START} {JOIN} free(p); }}"
    text = text.replace("pthread_t s", "p = malloc(4); pthread_t s")
    assert both(text, "rc11")[0] == "safe"
    assert both(text.replace(JOIN, "pthread_join(t, 0);"), "rc11")[1] == {"race-with-free"}


def body(draw: random.Random) -> str:
    """Some steps of a thread with objects that others may have."""
    take = ["atomic_load(&{v})", "atomic_load_explicit(&{v}, memory_order_{get})", "atomic_exchange(&{v}, 0)"]
    lines = ["int *l = 0;"]
    for _ in range(draw.choice([2, 3])):
        value = {
            "v": draw.choice("pq"),
            "get": draw.choice(["relaxed", "acquire"]),
            "put": draw.choice(["relaxed", "release"]),
            "n": draw.choice("12"),
        }
        kind = draw.choice(
            [
                f"l = {draw.choice(take)};",
                f"l = {draw.choice(take)}; if (l) *l = {{n}};",
                f"l = {draw.choice(take)}; if (l) free(l);",
                "l = malloc(4); *l = {n}; atomic_store_explicit(&{v}, l, memory_order_{put});",
                "if (l) a += *l;",
                "if (l && a) {{ free(l); l = 0; }}",
                "a = {n};",
                "atomic_store(&{v}, l);",
            ]
        )
        lines.append(kind.format(**value))
    return " ".join(lines)


def text(seed: int) -> str:
    draw = random.Random(seed)
    first = draw.choice(["", "p = malloc(4); *p = 5;", "p = malloc(4); *p = 5; q = p;"])
    last = draw.choice(["", "if (p) free(p);", "if (a == 2) *q = 1;"])
    threads = f"void *f(void *x) {{ {body(draw)} return x; }} void *g(void *x) {{ {body(draw)} return x; }}"
    return f"{threads} {START.replace('{', '{ ' + first, 1)} {JOIN} {last} }}"


@pytest.mark.parametrize("seed", range(8))
def test_random_programs(seed: int) -> None:
    for model in ("sc", "rc11"):
        both(text(seed), model)


def test_what_the_core_does_not_confirm_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoding that takes another object to be freed, or a start to be none, is found out."""
    late = "int main() { int *l = malloc(4), *r = malloc(4); free(a ? l : r); *l = 1; free(r); }"
    real = replay.Replay._failing
    monkeypatch.setattr(replay.Replay, "_failing", lambda self: real(self)[:0])
    with pytest.raises(InternalError, match="nothing goes wrong in it"):
        xgen.check(program(late), xgen.model("rc11"), engine="sat")
    monkeypatch.undo()
    monkeypatch.setattr(accesses, "objects", lambda code: [0 if cell.object else -1 for cell in code.cells])
    with pytest.raises(InternalError, match="does not confirm"):
        xgen.check(program("int main() { int *l = malloc(4); free(l); }"), xgen.model("rc11"), engine="sat")


def test_a_model_whose_order_is_not_seen_to_be_one() -> None:
    model = xgen.parse_model(
        'model "odd"\nhb = (po | mo)^+\nall = po | rf | mo | fr\nall acyclic as sc\n',
    )
    before = xgen.parse_model(
        'model "odd"\nhb = po | rf\nbefore_write = (po | fr)^+\nall = po | rf | mo | fr\nall acyclic as sc\n',
    )
    for each in (model, before):
        with pytest.raises(UnsupportedError, match="allocated objects under models such as odd yet"):
            xgen.check(program("int main() { free(malloc(4)); }"), each, engine="sat")
    known = xgen.parse_model(
        'model "even"\nhb = po | rf\nbefore_write = (po | rf)^+\nall = po | rf | mo | fr\nall acyclic as sc\n',
    )
    assert xgen.check(program("int main() { free(malloc(4)); }"), known, engine="sat").verdict == "safe"
