"""Ranges of what programs compute, against what explorations find, and where sums cannot overflow."""

from __future__ import annotations

from random import Random

import pytest
from oracle.run_long import FEATURES
from oracle.strategies import random_program

import xgen
from xgen.lowering.analysis.cones import failing
from xgen.lowering.analysis.ranges import ANY, Ranges
from xgen.lowering.threads import lower

LARGE = 2**63 - 1


def process(name: str, body: str, variables: str = "a") -> str:
    """A thread without branches."""
    locals_ = " ".join(f"var {v} : int" for v in variables)
    return f"process {name} {{ {locals_} init loc A final loc E A -> E {{ {body} }} }} "


def ranges(text: str) -> Ranges:
    return Ranges(lower(xgen.parse(text, "xcfa")))


def may_go_wrong(text: str) -> list[bool]:
    return [bool(own) for own in failing(lower(xgen.parse(text, "xcfa")))]


@pytest.mark.parametrize("body", ["a <- x; a + 1 -> x", "a <- fetch_add(x, 1)", "a <- x; 0 - a -> x; x <- a + a"])
def test_a_counter_of_threads_that_end_does_not_overflow(body: str) -> None:
    body = body.replace("; x <- a + a", "; a + a -> x")
    text = "var x : int " + "".join(process(f"p{n}", body) for n in range(4))
    assert may_go_wrong(text) == [False] * 4


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (process("p", f"{LARGE} -> x; a <- x; a + 1 -> y"), [True]),
        (process("p", f"{LARGE} -> x; a <- x; a - 1 -> y"), [False]),
        (process("p", "a <- x; a * a -> y") + process("q", f"{2**32} -> x"), [True, False]),
        (process("p", "a <- x; a * a -> y") + process("q", f"{2**31} -> x"), [False, False]),
        (process("p", f"a <- fetch_add(x, {LARGE}); a <- fetch_add(x, 1)"), [True]),
        (process("p", "a <- x; a := 5 / a; a -> y"), [True]),
        (process("p", "a <- x; assert a = 0"), [True]),
        # In a loop a counter goes on and on.
        ("process p { var a : int init loc A final loc E A -> A { a := a + 1 } A -> E { assume a > 3 } } ", [True]),
        (
            "process p { var a : int init loc A final loc E A -> A { a <- x; a + 1 -> x } A -> E { assume a > 3 } } "
            + process("q", "a <- x; a + 1 -> y"),
            [True, True],
        ),
        # In a loop that puts the same there again and again it does not.
        (
            "process p { var a : int init loc A loc B final loc E A -> B { a <- cas(x, 0, 1) } "
            "B -> A { assume a /= 0 } B -> E { assume a = 0; a <- y; a + 1 -> y; 0 -> x } } ",
            [False],
        ),
    ],
)
def test_what_may_overflow(text: str, wrong: list[bool]) -> None:
    assert may_go_wrong(f"var x : int var y : int {text}") == wrong


def test_ranges_of_cells() -> None:
    found = ranges(
        "var x : int var y : int " + process("p", "3 -> x; a <- y; a - 2 -> x") + process("q", "a <- x; a -> y")
    )
    assert all(low <= value <= high for (low, high), value in zip(found.cells, (3, 3), strict=True))
    assert all(low <= -2 for low, _ in found.cells)
    assert ANY not in found.cells


@pytest.mark.parametrize("features", ["default", "rmw", "arrays", "loops", "exclusives", "dependent-choices"])
def test_what_executions_compute_is_in_the_ranges(features: str) -> None:
    """Final values of all variables and locals, and errors where a sum is said not to overflow."""
    compared = 0
    for seed in range(12):
        program = xgen.parse(str(random_program(Random(f"{features} {seed}"), FEATURES[features])), "xcfa")
        code = lower(program)
        found = Ranges(code)
        result = xgen.check(program, xgen.model("weak"), all_states=True, max_depth=6, trace_limit=0, timeout=5)
        for outcome in result.outcomes:
            for name, value in outcome.state.items():
                thread, _, local = name.rpartition(":")
                if thread:
                    number = next(n for n, t in enumerate(code.threads) if t.name == thread)
                    register = next(n for n, v in enumerate(code.threads[number].locals) if v.name == local)
                    low, high = found.registers[number][register]
                else:
                    cell = next((n for n, c in enumerate(code.cells) if c.name == name), None)
                    if cell is None:
                        continue
                    low, high = found.cells[cell]
                assert low <= int(value) <= high, (name, value, low, high)
                compared += 1
    assert compared > 12
