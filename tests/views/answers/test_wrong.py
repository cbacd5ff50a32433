"""The reads that decide that a thread comes to a violation are marked."""

from __future__ import annotations

import pytest

import xgen
from xgen.executions.execution import Execution
from xgen.records import replace
from xgen.views.drawing.boxes import deciding
from xgen.views.drawing.picturing import picture_of
from xgen.views.drawing.svg import execution_to_svg

DECLARED = "var x : int var y : int var z : int\n"

CASES = [
    # the steps of a thread, what it reads on which the violation depends, and which of these is wrong
    ("a <- x; b <- y; assert b /= 0;", ["y"], "y"),
    ("a <- x; b <- y; assert a + b /= 0;", ["x", "y"], ""),
    ("a <- x; a <- y; assert a /= 0;", ["y"], "y"),
    ("a <- x; if a = 0 { b <- y; c <- z; assert b /= 0; }", ["x", "y"], "y"),
    ("a <- x; if a = 0 { b <- y; if b = 0 { c <- z; assert c /= 0; } }", ["x", "y", "z"], "z"),
    ("a <- x; b := a + 1; b -> y; c <- z; assert b /= 1;", ["x"], "x"),
    ("a <- fetch_add(x, 1); b <- y; assert a /= 0;", ["x"], "x"),
    ("a <- x; assert false;", [], ""),
    ("a <- x; b := 1 / a;", ["x"], "x"),
]


def first_violation(steps: str, model: str, **options: bool) -> Execution:
    program = xgen.parse(f"{DECLARED}process p {{ var a : int var b : int var c : int {steps} }}")
    result = xgen.check(program, xgen.model(model), **options)  # type: ignore[arg-type]
    assert result.witness is not None
    return result.witness


@pytest.mark.parametrize("model", ["sc", "arm8"])
@pytest.mark.parametrize(("steps", "variables", "wrong"), CASES)
def test_what_decides(steps: str, variables: list[str], wrong: str, model: str) -> None:
    execution = first_violation(steps, model, dependencies=True)
    assert [execution.events[n].variable for n in execution.decided] == variables
    assert {execution.events[n].kind for n in execution.decided} <= {"R"}
    items = [item for column in picture_of(execution).columns for item in column.items]
    assert [item.wrong for item in items].count(True) == len(variables)
    assert all((not {"wrong", "leads here"}.isdisjoint(item.chips)) == item.wrong for item in items)
    assert [item.text.split()[1].rstrip(":") for item in items if "wrong" in item.chips] == wrong.split()
    drawn = execution_to_svg(execution)
    counts = drawn.count('class="chip wrong"'), drawn.count('class="chip leads"')
    assert counts == (len(wrong), len(variables) - len(wrong))


def test_of_each_thread() -> None:
    """A read of another thread, on which its own violation depends, makes no difference."""
    execution = first_violation(CASES[3][0], "sc", dependencies=True)
    read = next(n for n, event in enumerate(execution.events) if event.variable == "y" and event.kind == "R")
    moved = replace(execution.events[read], thread=1)
    apart = replace(execution, events=(*execution.events[:read], moved, *execution.events[read + 1 :]), ctrl=())
    assert set(deciding(apart).values()) == {"wrong"}


def test_what_is_not_tracked_is_not_marked() -> None:
    execution = first_violation(CASES[0][0], "sc")
    assert execution.decided == ()
    assert "wrong" not in execution_to_svg(execution).partition("</style>")[2]


def test_what_is_left_out() -> None:
    """The cause keeps what is wrong."""
    execution = first_violation(CASES[1][0], "sc", dependencies=True)
    kept = execution.only(execution.cause)
    assert [kept.events[n].variable for n in kept.decided] == ["x", "y"]
    assert execution.only([n for n, e in enumerate(execution.events) if e.variable != "x"]).decided == (1 + 1,)
