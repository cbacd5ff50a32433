"""What long executions cost, in work that the core counts: it is the same on each machine, and for whoever does it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import xgen
from engine.shapes import program
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem
from xgen.program.automaton import Program


def repeated(statements: str, n: int) -> str:
    return "; ".join(statements for _ in range(n))


def apart(n: int) -> Program:
    """Two threads, each with a variable of its own, which then write one that both have."""
    bodies = (repeated(f"1 -> {own}; a <- {own}", n) + f"; {number} -> z" for number, own in enumerate("xy"))
    return program(*bodies)


LONG: dict[str, Callable[[int], Program]] = {
    "stores": lambda n: program(repeated("1 -> x", n)),
    "stores and loads": lambda n: program(repeated("1 -> x; a <- x", n)),
    "loads": lambda n: program("1 -> x; " + repeated("a <- x", n)),
    "releases and acquires": lambda n: program(repeated("1 -> x @ release; a <- x @ acquire", n)),
    "seq_cst": lambda n: program(repeated("1 -> x @ seq_cst; a <- x @ seq_cst", n)),
    "updates": lambda n: program(repeated("fetch_add(x, 1)", n)),
    "compare-exchanges": lambda n: program(repeated("a <- cas(x, 0, 0)", n)),
    "two variables": lambda n: program(repeated("1 -> x; 1 -> y", n), variables="x y"),
    "two threads": apart,
}
MODELS = ["sc", "tso", "pso", "weak", "ra", "rc11", "rc11-c20", "arm8", "power", "coherence"]
"""Those of which each new event is checked by its own pairs; what is computed as a whole costs more by its nature."""


def work_of(asked: Program, model: str) -> tuple[int, int]:
    """The work of all executions, and their number."""
    run = Run(problem(asked, xgen.model(model)), Options(all_states=True))
    run.finish()
    return run.work, run.core.counters["executions"]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("shape", LONG)
@pytest.mark.sweep
def test_an_execution_twice_as_long_costs_about_twice_as_much(shape: str, model: str) -> None:
    """It was four to twelve times as much: each write was tried before all those of its own thread."""
    (short, executions), (long, again) = (work_of(LONG[shape](n), model) for n in (60, 120))
    assert executions == again == (1 if shape != "two threads" else 2)
    assert long < 3 * short
