"""Retry loops: rounds that another execution does without are left out, and nothing else."""

from __future__ import annotations

import random

import pytest
from c.running import HEAD, load, mapped, model, threads

import xgen

BEFORE = "atomic_int x, y, z; int shared;"
WRITES = "for (int i = 1; i <= 3; i++) atomic_store_explicit(&x, i, memory_order_relaxed);"


def found(text: str, mcm: str = "rc11", **options: object) -> xgen.Result:
    return xgen.check(load(HEAD + text, **mapped(mcm, options)), model(mcm), all_states=True, trace_limit=0)


@pytest.mark.parametrize(
    ("retry", "executions", "all_rounds"),
    [
        # The load reads one of 4 values. With all rounds, those that are read are any of them, in their order.
        ("int r = x; while (!atomic_compare_exchange_strong(&x, &r, 9)) ;", 4, 15),
        ("int r = x; while (!atomic_compare_exchange_weak(&x, &r, r + 1)) ;", 4, 15),
        ("int r = x; while (!atomic_compare_exchange_strong(&x, &r, 9)) { if (y) r = x; }", 4, 15),
        ("int r = x; for (;;) { if (r == 2) { if (atomic_compare_exchange_strong(&x, &r, 9)) break; } "
         "else if (atomic_compare_exchange_strong(&x, &r, 8)) break; }", 4, 15),
        # What was read is kept, or another location is read first: all rounds are told apart.
        ("int r = x, n = 0; while (!atomic_compare_exchange_strong(&x, &r, 9)) n++; z = n;", 15, 15),
        ("int r = x; while (!atomic_compare_exchange_strong(&x, &r, 9)) z = r;", 15, 15),
        ("int r = 0; while (!atomic_compare_exchange_strong(&x, &r, 9)) ;", 8, 8),
        # A load that is weaker than the exchange's may stand for it, not one that is stronger.
        ("int r = atomic_load_explicit(&x, memory_order_relaxed); while (!atomic_compare_exchange_strong(&x, &r, 9)) ;",
         4, 15),
        ("int r = atomic_load_explicit(&x, memory_order_acquire); while (!atomic_compare_exchange_strong_explicit("
         "&x, &r, 9, memory_order_relaxed, memory_order_relaxed)) ;", 15, 15),
    ],
)  # fmt: skip
def test_rounds(retry: str, executions: int, all_rounds: int) -> None:
    text = threads(WRITES, retry, before=BEFORE)
    assert (found(text).verdict, found(text).executions) == ("safe", executions)
    assert found(text, retries=False).executions == all_rounds


def retry(seed: random.Random) -> str:
    """A loop with a compare-exchange or a load, and what may be around it."""
    orders = ["memory_order_relaxed", "memory_order_acquire", "memory_order_seq_cst"]
    first, success, failure, other = (seed.choice(orders) for _ in range(4))
    exchange = f"atomic_compare_exchange_strong_explicit(&x, &r, {seed.choice(['9', 'r + 4'])}, {success}, {failure})"
    inside = seed.choice(
        [
            "",
            f"if (atomic_load_explicit(&y, {other})) r = atomic_load_explicit(&x, {first});",
            f"if (r == 1) r = atomic_load_explicit(&x, {other});",
            "n = r;",
            "if (r == 2) n = 1;",
            "if (r == 2) break;",
            f"r = atomic_load_explicit(&x, {other});",
            "assert(r != 2);",
        ]
    )
    between = seed.choice(["", "", f"n = atomic_load_explicit(&y, {other});", "atomic_store(&y, 2);", "n = r + 1;"])
    head = seed.choice([f"!{exchange}", f"!{exchange}", "r != 3", "r < n + 2"])
    return (
        f"int n = 0, r = atomic_load_explicit(&x, {first}); {between} while ({head}) {{ {inside} "
        f"{'' if head.startswith('!') else f'r = atomic_load_explicit(&x, {other});'} }} z = 10 * r + n;"
    )


@pytest.mark.sweep
@pytest.mark.parametrize("mcm", ["sc", "tso", "pso", "rc11", "arm8"])
@pytest.mark.parametrize("seed", range(8))
def test_the_same_states(seed: int, mcm: str) -> None:
    """What can come out at the end, and what goes wrong, is the same as with all rounds."""
    source = random.Random(seed)
    writes = "".join(
        source.choice(
            [
                "atomic_store_explicit(&x, 1, memory_order_relaxed);",
                "atomic_store_explicit(&x, 2, memory_order_release);",
                "x = 3;",
                "y = 1;",
                "atomic_fetch_add(&x, 1);",
            ]
        )
        for _ in range(4)
    )
    text = threads(writes, retry(source), before=BEFORE)
    short, whole = (found(text, mcm, retries=retries, unroll=6) for retries in (True, False))
    assert short.verdict.startswith("safe") == whole.verdict.startswith("safe"), text
    assert short.executions <= whole.executions
    assert {str(o.state) for o in short.outcomes} == {str(o.state) for o in whole.outcomes}, text


def test_threads_that_wait_for_ever_are_still_found() -> None:
    text = threads("x = 1; x = 2;", "int r = x; while (r != 3) r = x;", before=BEFORE)
    result = xgen.check(load(HEAD + text), model("rc11"), liveness=True)
    assert result.verdict == "violation"
