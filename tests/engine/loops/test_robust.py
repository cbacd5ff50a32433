"""`check(robust=MODEL)`: executions that end, wait for ever or are cut as another model does not allow."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from oracle.buffers import waiting
from oracle.buffers.fair import to_xcfa
from oracle.compare import key_of_execution

import xgen
from xgen.resources import shipped


@cache
def model(name: str) -> xgen.Model:
    return xgen.model(name)


def ends(program: xgen.Program, memory: str) -> set[object]:
    """The executions that are complete or stuck."""
    found = xgen.executions(program, model(memory))
    return {key_of_execution(execution) for execution in found if execution.complete or execution.waits}


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("memory", "reference", "tag"),
    [
        ("tso", "sc", ""),
        ("pso", "sc", ""),
        ("weak", "sc", ""),
        ("weak", "tso", ""),
        ("power", "sc", ""),
        ("arm8", "sc", ""),
        ("rc11", "sc", "relaxed"),
        ("rc11", "ra", "relaxed"),
        ("ra", "sc", "relaxed"),
    ],
)
def test_random_programs(memory: str, reference: str, tag: str) -> None:
    """A program is robust if and only if all that the weak model allows the other one allows as well."""
    seen = set()
    for seed in range(30):
        acts = (waiting.random_race if seed % 2 else waiting.random_acts)(Random(seed))
        program = xgen.parse(to_xcfa(waiting.to_threads(acts), tag), "xcfa")
        left = ends(program, memory) - ends(program, reference)
        result = xgen.check(program, model(memory), robust=model(reference))
        counted = xgen.check(program, model(memory), robust=model(reference), all_states=True)
        assert result.verdict in ({"violation"} if left else {"safe", "vacuous"}), acts
        assert (counted.violations, counted.flags) == (len(left), {}), acts
        seen.add(result.verdict)
        if result.witness is not None:
            (violation,) = result.witness.violations
            assert (violation.kind, violation.message) == ("not-allowed", f"not allowed by {reference}")
    assert seen >= {"safe", "violation"}


@pytest.mark.parametrize(
    ("name", "memory", "violations", "executions"),
    [
        ("peterson", "tso", 19, 25),
        ("dekker", "tso", 6, 11),
        ("treiber", "tso", 0, 22),
        ("treiber", "pso", 10, 32),
        ("ticket_lock", "tso", 0, 2),
        ("peterson_fenced", "tso", 0, 6),
        ("peterson_fenced", "weak", 0, 6),
    ],
)
def test_shipped_programs(name: str, memory: str, violations: int, executions: int) -> None:
    program = xgen.load(shipped("programs") / f"{name}.xcfa")
    result = xgen.check(program, model(memory), robust=model("sc"), all_states=True)
    assert (result.violations, result.executions) == (violations, executions)


def test_parts_workers_and_the_other_filter() -> None:
    program = xgen.load(shipped("programs") / "peterson.xcfa")
    for options in ({"workers": 2}, {"filter": "final"}):
        result = xgen.check(program, model("tso"), robust=model("sc"), all_states=True, **options)  # type: ignore[arg-type]
        assert result.violations == 19


ENDLESS = """
var x : int
var y : int
process p { var r : int init loc A A -> A { 1 -> x
 r <- y } }
process q { var r : int init loc A A -> A { 1 -> y
 r <- x } }
"""


def test_what_the_bound_cuts_counts() -> None:
    result = xgen.check(xgen.parse(ENDLESS, "xcfa"), model("tso"), robust=model("sc"), max_depth=2)
    assert result.verdict == "violation"
    assert xgen.check(xgen.parse(ENDLESS, "xcfa"), model("sc"), robust=model("sc"), max_depth=2).violations == 0


def test_atomic_blocks() -> None:
    """A block is one step of sc's order too."""
    blocks = "process p { var r : int init loc A final loc E A -> E { atomic-begin\n1 -> x\n r <- y\natomic-end } }\n"
    text = "var x : int\nvar y : int\n" + blocks + blocks.replace("process p", "process q")
    program = xgen.parse(text, "xcfa")
    assert xgen.check(program, model("tso"), robust=model("sc")).verdict == "safe"
