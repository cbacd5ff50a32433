"""Addresses that are known when a thread comes to an access: no prediction is made of them (lowering/known.py)."""

from __future__ import annotations

import random

import pytest

import xgen
from xgen._core import Op
from xgen.engine.problem import problem

WAITS = """
#include <stdatomic.h>
#include <pthread.h>
struct task { atomic_int state; } t0;
static _Thread_local struct task *cur;
atomic_int cond;
static void *sleeper(void *p) {
  cur = &t0;
  for (;;) {
    atomic_store_explicit(&cur->state, 2, memory_order_relaxed);
    if (atomic_load_explicit(&cond, memory_order_acquire)) break;
    while (atomic_load_explicit(&cur->state, memory_order_acquire)) ;
  }
  return 0;
}
static void *waker(void *p) {
  atomic_store_explicit(&cond, 1, memory_order_release);
  if (atomic_load_explicit(&t0.state, memory_order_acquire)) atomic_store_explicit(&t0.state, 0, memory_order_release);
  return 0;
}
int main(void) { pthread_t a, b; pthread_create(&a, 0, sleeper, 0); pthread_create(&b, 0, waker, 0); return 0; }
"""
STEPS = (
    "{n} := {k}; {m} -> a[{n}] @ once;",
    "{n} := {k} + 1 - {n}; {r} <- a[{k}] @ once;",
    "{n} := &a[{k}]; {r} <- *{n} @ once;",
    "{r} <- x @ once; {m} -> a[{r}] @ once;",
    "{r} <- x @ once; if {r} = 0 {{ {n} := 0; }} else {{ {n} := 1; }} {r} <- a[{n}] @ once;",
    "{r} <- a[{k}] @ once; {n} := {r}; {n} := {k}; {m} -> a[{n}] @ once;",
    "{k} -> x @ once;",
)


def random_program(rng: random.Random) -> str:
    text = "var x : int\nvar a : int[2]\n"
    for name in ("p", "q"):
        body = " ".join(
            rng.choice(STEPS).format(n="n", r=f"r{number}", k=rng.randint(0, 1), m=rng.randint(1, 2))
            for number in range(rng.randint(1, 3))
        )
        text += f"process {name} {{ var n : int (0) var r0 : int var r1 : int var r2 : int {body} }}\n"
    return text


def test_who_waits_at_an_address_that_it_has_been_given() -> None:
    """A round of a loop is seen to be one: the search came to no end."""
    model = xgen.model("lkmm")
    result = xgen.check(xgen.parse(WAITS, "c", races=False, map="none"), model, all_states=True, timeout=20)
    assert (result.verdict, result.exhaustive) == ("safe", True)


@pytest.mark.parametrize("seeds", [range(60), pytest.param(range(60, 1000), marks=pytest.mark.slow)])
def test_random_programs(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    known = 0
    for seed in seeds:
        program, model = xgen.parse(random_program(random.Random(seed))), xgen.model("lkmm")

        def seen() -> list[object]:
            result = xgen.check(program, model, all_states=True)  # noqa: B023
            outcomes = sorted((str(outcome.state), outcome.count, outcome.violations) for outcome in result.outcomes)
            return [outcomes, result.executions, result.blocked, result.violations]

        def predictions() -> int:
            return sum(i.op is Op.PREDICT for i in problem(program, model).code.instructions)  # noqa: B023

        found, fewer = seen(), predictions()
        with monkeypatch.context() as patch:
            patch.setattr("xgen.lowering.known.with_known_addresses", lambda code: code)
            assert seen() == found, seed
            known += predictions() > fewer
    assert known > len(seeds) / 3
