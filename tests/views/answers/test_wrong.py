"""The reads that decide that a thread comes to a violation are marked."""

from __future__ import annotations

import pytest

import xgen
from xgen.executions.execution import Execution
from xgen.views.drawing.picturing import picture_of
from xgen.views.drawing.svg import execution_to_svg

DECLARED = "var x : int var y : int var z : int\n"

CASES = [
    # the steps of a thread, and what it reads that is wrong
    ("a <- x; b <- y; assert b /= 0;", ["y"]),
    ("a <- x; b <- y; assert a + b /= 0;", ["x", "y"]),
    ("a <- x; a <- y; assert a /= 0;", ["y"]),
    ("a <- x; if a = 0 { b <- y; c <- z; assert b /= 0; }", ["x", "y"]),
    ("a <- x; b := a + 1; b -> y; c <- z; assert b /= 1;", ["x"]),
    ("a <- fetch_add(x, 1); b <- y; assert a /= 0;", ["x"]),
    ("a <- x; assert false;", []),
    ("a <- x; b := 1 / a;", ["x"]),
]


def first_violation(steps: str, model: str, **options: bool) -> Execution:
    program = xgen.parse(f"{DECLARED}process p {{ var a : int var b : int var c : int {steps} }}")
    result = xgen.check(program, xgen.model(model), **options)  # type: ignore[arg-type]
    assert result.witness is not None
    return result.witness


@pytest.mark.parametrize("model", ["sc", "arm8"])
@pytest.mark.parametrize(("steps", "variables"), CASES)
def test_what_decides(steps: str, variables: list[str], model: str) -> None:
    execution = first_violation(steps, model, dependencies=True)
    assert [execution.events[n].variable for n in execution.decided] == variables
    assert {execution.events[n].kind for n in execution.decided} <= {"R"}
    items = [item for column in picture_of(execution).columns for item in column.items]
    assert [item.wrong for item in items].count(True) == len(variables)
    assert all(("wrong" in item.chips) == item.wrong for item in items)
    assert execution_to_svg(execution).count('class="chip wrong"') == len(variables)


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
