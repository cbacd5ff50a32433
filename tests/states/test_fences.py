"""Fences for a formula: `xgen fences --ltl`, against all subsets of the sites."""

from __future__ import annotations

import json
from itertools import combinations
from random import Random

import pytest
from cli.fake import run
from oracle.buffers.fair import random_race, random_threads, to_xcfa

import xgen
from xgen.analyses.fences.fences import find_fences
from xgen.analyses.fences.sites import Piece, Site, find_gaps, insert
from xgen.engine.explicit.states import Order
from xgen.errors import UnsupportedError, UsageError

MOST = 6
"""Sites of a program all whose subsets are looked at."""


def smallest(program: xgen.Program, sites: list[Site], formula: str, memory: Order) -> set[frozenset[int]]:
    """The sets of sites at which fences make the formula hold, without those that contain another one."""
    found: set[frozenset[int]] = set()
    for size in range(len(sites) + 1):
        for chosen in map(frozenset, combinations(range(len(sites)), size)):
            if any(other <= chosen for other in found):
                continue
            fenced = insert(program, [Piece(sites[n], "") for n in chosen])
            if xgen.ltl(fenced, formula, memory).verdict in ("holds", "holds-within-bound"):
                found.add(chosen)
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("first", [40, pytest.param(0, marks=pytest.mark.slow)])
@pytest.mark.parametrize("memory", ["sc", "tso", "pso"])
def test_all_subsets(memory: Order, first: int) -> None:
    compared = mended = 0
    for seed in range(first, first + 40):
        program = xgen.parse(to_xcfa((random_race if seed % 2 else random_threads)(Random(seed))))
        sites = find_gaps(program)
        if len(sites) > MOST or any("fence" in line for line in program.source.text.splitlines()):
            continue
        variable = program.variables[seed % len(program.variables)].name
        for formula in ("F ended(all)", f"F G {variable} = 1"):
            answer = find_fences(program, xgen.model(memory), kinds="fence=1", formula=formula)
            assert answer.complete
            numbers = [{sites.index(piece.site) for piece in placement.pieces} for placement in answer.placements]
            expected = smallest(program, sites, formula, memory)
            assert set(map(frozenset, numbers)) == expected, (seed, formula)
            compared += 1
            mended += answer.verdict == "fenced"
    assert compared >= 10
    assert mended >= (2 if first and memory != "sc" else 0)


EXCLUSIVE = "G !(P0@wait & P1@wait & P0:a = 0 & P1:a = 0)"
BUFFERED = """
var x : int var y : int
process P0 { var a : int init loc L final loc CS loc wait L -> wait { 1 -> x ; a <- y } wait -> CS { assume(a = 0) } }
process P1 { var a : int init loc L final loc CS loc wait L -> wait { 1 -> y ; a <- x } wait -> CS { assume(a = 0) } }
"""


def test_places() -> None:
    """A formula that speaks of places: what is found is right, but that there is no more is not claimed."""
    answer = find_fences(xgen.parse(BUFFERED), xgen.model("tso"), formula=EXCLUSIVE)
    assert (answer.verdict, len(answer.placements), answer.complete) == ("fenced", 1, False)
    assert answer.why_not == "the formula speaks of places or locals, which fences can change"
    assert [piece.site.thread for piece in answer.placements[0].pieces] == ["P0", "P1"]
    assert xgen.ltl(answer.apply(), EXCLUSIVE, "tso").verdict == "holds"
    assert xgen.ltl(xgen.parse(BUFFERED), EXCLUSIVE, "tso").verdict == "fails"


def test_nothing_helps() -> None:
    answer = find_fences(xgen.parse(BUFFERED), xgen.model("tso"), formula="F ended(all)", why=True)
    assert (answer.verdict, answer.placements) == ("not-repairable", ())
    assert answer.witness is not None


def test_the_assertions_of_peterson() -> None:
    """A formula that asks for nothing leaves the assertions: the placements are those of a check."""
    program, model = xgen.load("programs/peterson.xcfa"), xgen.model("tso")
    by_formula, by_check = (find_fences(program, model, formula=formula) for formula in ("G true", None))
    assert by_formula.placements == by_check.placements
    assert (by_formula.complete, len(by_formula.placements)) == (True, 4)


def test_a_bound_that_is_reached() -> None:
    text = "var x : int process p { init loc L L -> L { 1 -> x ; 2 -> x } } process q { init loc L }"
    answer = find_fences(xgen.parse(text), xgen.model("tso"), formula="F x > 0", buffer=1)
    assert (answer.verdict, answer.bounded) == ("safe", True)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"unbounded": True}, UsageError),
        ({"liveness": True}, UsageError),
        ({"max_depth": 5}, UsageError),
        ({"formula": "G z = 1"}, xgen.ProgramError),
    ],
)
def test_what_makes_no_sense(options: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        find_fences(xgen.parse(BUFFERED), xgen.model("tso"), **({"formula": EXCLUSIVE} | options))  # type: ignore[arg-type]


def test_models_without_a_machine() -> None:
    with pytest.raises(UsageError, match="needs a machine, and the model power has none"):
        find_fences(xgen.parse(BUFFERED), xgen.model("power"), formula=EXCLUSIVE)
    text = "var x : int process p { init loc L final loc M L -> M { cut() } }"
    with pytest.raises(UnsupportedError):
        find_fences(xgen.parse(text), xgen.model("tso"), formula="F x = 1")


def test_on_the_command_line() -> None:
    asked = ("fences", "peterson", "--mcm", "tso", "--ltl", "F ended(all)", "--buffer", "2")
    outcome = run(*asked, "--why")
    assert outcome.exit_code == 0
    lines = outcome.stdout.splitlines()
    assert lines[0] == "4 minimal placements, all of them (model tso, no bound, F ended(all) with 2 delayed stores)"
    assert "without mfence after line 29 `1 -> turn` of p0:" in lines
    assert any("(delayed: " in line for line in lines)
    told = json.loads(run(*asked, "--format", "json").stdout)
    assert (told["formula"], told["buffer"], len(told["placements"])) == ("F ended(all)", 2, 4)
    assert run("fences", "peterson", "--mcm", "tso", "--buffer", "2").exit_code == 2
