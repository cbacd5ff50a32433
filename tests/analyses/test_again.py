"""A witness is made small: the same violation, in an execution of few events."""

from __future__ import annotations

import pytest

import xgen
from xgen import parse
from xgen.analyses.check import again
from xgen.executions.execution import INITIAL, Execution
from xgen.memory.library import load_model as model


def length(execution: Execution | None) -> int:
    assert execution is not None
    return sum(event.thread != INITIAL for event in execution.events)


def late(rounds: int) -> str:
    """What goes wrong where a flag is seen that is set again and again: the first execution that is built is long."""
    return f"""
var x : int
process p {{ for i in 1 .. {rounds} {{ i -> x; }} }}
process q {{ var a : int  a <- x; assert a = 0; }}
"""


@pytest.mark.parametrize("mcm", ["sc", "tso", "rc11"])
def test_a_long_witness_is_made_small(mcm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = parse(late(60))
    found = xgen.check(program, model(mcm))
    assert (found.verdict, length(found.witness)) == ("violation", 2)
    monkeypatch.setattr(again, "LONG", 1000)
    first = xgen.check(program, model(mcm))
    assert length(first.witness) == 61
    same = ("verdict", "executions", "bounded", "violations", "explored", "max_depth", "warnings")
    assert all(getattr(found, name) == getattr(first, name) for name in same)
    one, other = (result.witness.violations[0] for result in (found, first) if result.witness)
    assert (one.kind, one.position, one.thread) == (other.kind, other.position, other.thread)


def test_it_stays_where_it_is_short_or_no_smaller_one_is_there() -> None:
    assert length(xgen.check(parse(late(40)), model("sc")).witness) == 41
    assert length(xgen.check(parse(late(60)), model("sc"), max_depth=70).witness) == 61  # a bound was given
    needed = late(60).replace("assert a = 0", "assert a < 60")
    assert length(xgen.check(parse(needed), model("sc")).witness) == 61


def test_another_violation_is_none_in_its_place() -> None:
    """The shorter execution has an error as well, but not the one that is reported."""
    program = parse(late(60).replace("assert a = 0", "assert a /= 1;  assert a < 60"))
    assert length(xgen.check(program, model("sc")).witness) == 61
    wrong = xgen.check(program, model("sc"), max_depth=8).witness
    assert wrong is not None
    assert (length(wrong) < 12, wrong.violations[0].text) == (True, "assert a /= 1")
