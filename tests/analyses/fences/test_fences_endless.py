"""Fences of programs of which a check comes to no end: loops that write while they wait."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import xgen
from xgen.analyses.fences import demands
from xgen.analyses.fences.demands import Demand
from xgen.analyses.fences.fences import Placements, find_fences
from xgen.analyses.fences.sites import insert
from xgen.cli import main

PROGRAMS = Path(__file__).parents[3] / "programs"


def search(program: str, model: str, **options: object) -> Placements:
    loaded = xgen.load(PROGRAMS / f"{program}.xcfa")
    return find_fences(loaded, xgen.model(model), kinds="fence=1", **options)  # type: ignore[arg-type]


def compared(answer: Placements, model: str, depth: int) -> None:
    """Each placement is safe within a bound, and without one of its fences it is not."""
    for placement in answer.placements:
        safe = insert(answer.base, placement.pieces)
        assert xgen.check(safe, xgen.model(model), max_depth=depth).verdict != "violation"
        for piece in placement.pieces:
            weaker = insert(answer.base, [other for other in placement.pieces if other is not piece])
            assert xgen.check(weaker, xgen.model(model), max_depth=depth).verdict == "violation"


def test_proofs_take_the_place_of_checks() -> None:
    answer = search("dijkstra", "pso")
    assert (answer.verdict, answer.complete, answer.bounded) == ("fenced", True, False)
    assert (answer.demand, answer.settled) == (Demand(), Demand(unbounded=True))
    assert (answer.placements[0].cost, len(answer.placements)) == (4, 16)
    assert answer.warnings[-1] == "a check comes to no end with this: the placements are proved, as with --unbounded"
    assert "p0 went round a loop" in answer.warnings[0]
    assert "and writes outside0 and turn each" in answer.warnings[0]
    compared(answer, "pso", 16)


@pytest.mark.parametrize(
    ("model", "fences", "number"), [("arm8", 4, 16), pytest.param("weak", 6, 64, marks=pytest.mark.slow)]
)
def test_a_bound_is_found_and_named(model: str, fences: int, number: int) -> None:
    """Models without a machine."""
    answer = search("dijkstra", model)
    assert (answer.verdict, answer.complete, answer.demand) == ("fenced-within-bound", True, Demand())
    assert (answer.placements[0].cost, len(answer.placements)) == (fences, number)
    depth = answer.settled.max_depth
    assert depth is not None
    assert depth >= 24
    assert f"safe within {depth} events per process" in answer.warnings[-1]
    compared(answer, model, 20)


def test_the_same_placements_with_that_bound() -> None:
    found, given = search("dijkstra", "arm8"), search("dijkstra", "arm8", max_depth=24)
    assert [p.pieces for p in found.placements] == [p.pieces for p in given.placements]


@pytest.mark.parametrize("model", ["tso", "pso", "weak"])
def test_a_violation_that_stays_is_found_before_what_has_no_end(model: str) -> None:
    answer = search("dekker_us", model)
    assert answer.verdict == "not-repairable"
    assert answer.witness is not None


LOCK = """var lock : int
var inside : int
"""
TAKER = """process p{0} {{
  var r : int var s : int
  init loc L
  loc T
  L -> T {{ r <- load_exclusive(lock)  assume r = 0  s <- store_exclusive(lock, 1) }}
  T -> L {{ assume s = 1 }}
  T -> L {{ assume s = 0  {0} -> inside  r <- inside  assert r = {0}  0 -> lock }}
}}
"""


def test_where_more_than_one_bound_takes_too_long() -> None:
    """Nothing is known of the whole up to any bound; that threads go on is seen all the same."""
    program = xgen.parse(LOCK + TAKER.format(0) + TAKER.format(1))
    answer = find_fences(program, xgen.model("pso"))
    assert (answer.verdict, len(answer.placements), answer.settled) == ("fenced", 4, Demand(unbounded=True))
    assert [piece.word for p in answer.placements for piece in p.pieces] == ["sfence"] * 8
    compared(answer, "pso", 10)


BUSY = """var x : int
var y : int
process p0 {
  var r : int
  init loc L
  final loc E
  L -> L { 1 -> x  r <- y  assume r = 0 }
  L -> E { 1 -> x  r <- y  assume r = 1 }
}
process p1 { var r : int init loc L final loc E L -> E { 1 -> y  r <- x } }
"""


def test_what_is_not_safety_is_answered_within_a_bound() -> None:
    """Proofs say nothing of robustness."""
    answer = find_fences(xgen.parse(BUSY), xgen.model("tso"), robust=xgen.model("sc"))
    assert (answer.verdict, answer.complete, answer.placements[0].cost) == ("fenced-within-bound", True, 2)
    assert answer.settled == replace(answer.demand, max_depth=answer.settled.max_depth)
    for placement in answer.placements:
        fenced = insert(answer.base, placement.pieces)
        assert xgen.check(fenced, xgen.model("tso"), max_depth=10, robust=xgen.model("sc")).verdict != "violation"


LONG = """var x : int
process p0 {
  var k : int
  init loc L
  final loc E
  L -> L { assume k < %d  k -> x  k := k + 1 }
  L -> E { assume k >= %d }
}
process p1 { var r : int init loc L final loc E L -> E { r <- x  assert r >= 0 } }
"""


def test_long_loops_that_end_are_no_loops_without_an_end() -> None:
    for rounds in (10, 100):
        program = xgen.parse(LONG % (rounds, rounds))
        answer = find_fences(program, xgen.model("pso"))
        assert (answer.verdict, answer.settled, answer.executions) == ("safe", Demand(), rounds + 1)


def test_a_bound_of_the_program_is_none_on_events() -> None:
    """A call that is nested too deep is cut, whatever is explored."""
    text = "var x : int process p0 { procedure f() { init loc A final loc B A -> B { 1 -> x call f() } }\n"
    text += "main procedure run() { init loc L final loc E L -> E { call f() } } }"
    answer = find_fences(xgen.parse(text), xgen.model("weak"))
    assert (answer.verdict, answer.bounded, answer.settled, answer.runs) == ("vacuous", True, Demand(), 1)


def test_where_much_is_to_be_explored_all_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """No thread goes on and on, but there are more graphs than a first look takes."""
    monkeypatch.setattr(demands, "FAR", ((24, 5), (64, 5)))
    answer = search("peterson", "tso")
    assert (answer.verdict, len(answer.placements), answer.settled) == ("fenced", 4, Demand())


def test_the_text_is_confirmed_by_what_was_asked(tmp_path: Path) -> None:
    written = tmp_path / "fenced.xcfa"
    outcome = CliRunner().invoke(main, ["fences", "dijkstra", "--mcm", "pso", "--cheapest", "--write", str(written)])
    assert outcome.exit_code == 0
    assert "(model pso, no bound)" in outcome.stdout
    assert "nothing was written" not in outcome.stderr
    assert xgen.prove(xgen.load(written), xgen.model("pso")).verdict == "safe"
