"""Undefined behaviour: what a model's `undefined_unless` rules out is a violation, with the events that make it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from oracle import races
from oracle.enumerate import TooManyError, executions
from oracle.models import repaired_c11
from oracle.strategies import DEFAULT, random_shape

import xgen
from xgen import Result

RC11 = xgen.model("rc11")
RACE = """
var d : int
process p { init loc A final loc E A -> E { 1 -> d } }
process q { var a : int init loc A final loc E A -> E { a <- d } }
"""
PASSED = """
var d : int var f : int
process p { init loc A final loc E A -> E { 1 -> d; 1 -> f @ %s } }
process q { var a : int var b : int
  init loc A loc B final loc E A -> B { a <- f @ acquire } B -> E { assume a = 1; b <- d } B -> E { assume a = 0 } }
"""


def run(text: str, model: xgen.Model = RC11, **options: object) -> Result:
    return xgen.check(xgen.parse(text), model, **options)  # type: ignore[arg-type]


def test_a_race_is_a_violation() -> None:
    result = run(RACE)
    assert (result.verdict, result.violations, result.flags) == ("violation", 1, {"data_race": 1})
    assert result.witness is not None
    (race,) = result.witness.violations
    assert (race.kind, race.location, race.events, race.message) == ("race", "d", ("0:0", "1:0"), "data race on d")
    assert [event.text for event in result.witness.parties(race)] == ["1 -> d", "a <- d"]
    assert (race.thread, race.text, race.position.line) == (1, "a <- d", 4)
    assert "`1 -> d` and `a <- d` have no memory order" in str(race.hint)


def test_all_states_counts_the_executions_with_a_race() -> None:
    result = run(RACE, all_states=True)
    assert (result.verdict, result.executions, result.violations, result.exhaustive) == ("violation", 2, 2, True)
    assert [(outcome.count, outcome.violations) for outcome in result.outcomes] == [(1, 1), (1, 1)]
    assert [[v.kind for v in trace.violations] for trace in result.traces] == [["race"], ["race"]]


def test_what_synchronises_does_not_race() -> None:
    assert run(PASSED % "release").verdict == "safe"
    relaxed = run(PASSED % "relaxed", all_states=True)
    assert (relaxed.verdict, relaxed.executions, relaxed.violations) == ("violation", 3, 2)
    assert relaxed.witness is not None
    assert relaxed.witness.violations[0].location == "d"


def test_other_models_have_no_races() -> None:
    for name in ("sc", "tso", "ra", "weak", "arm8"):
        assert run(RACE, xgen.model(name)).verdict == "safe"


def test_a_flag_is_no_violation() -> None:
    """The kernel's model reports races and goes on."""
    result = run(RACE, xgen.model("lkmm"))
    assert (result.verdict, result.violations, list(result.flags)) == ("safe", 0, ["data_race"])


MARKED = "var x : int var f : int process p {{ init loc A final loc B A -> B {{ {} }} }} process q {{ {} }}"
HANDS_OVER = "1 -> x; fence[wmb]; 1 -> f @ once"
TAKES = "var r : int init loc A final loc B A -> B {{ r <- f @ once; assume r = 1; fence[{}]; r <- x }}"
BOTH = "var r : int init loc A final loc B A -> B { r <- f @ once; 2 -> f @ once }"


@pytest.mark.parametrize(
    ("first", "second", "race"),
    [
        ("1 -> f @ once", BOTH, None),  # marked accesses do not race
        (HANDS_OVER, TAKES.format("rmb"), None),  # nor does what barriers order
        (HANDS_OVER, TAKES.format("wmb"), ("x", "1 -> x", "r <- x")),
        ("1 -> f", BOTH, ("f", "1 -> f", "r <- f @ once")),
    ],
)
def test_where_races_are_none_the_models_own_count(first: str, second: str, race: tuple[str, str, str] | None) -> None:
    """Of programs of C, which have no meaning with a race: what one is, the kernel's model says itself."""
    program = replace(xgen.parse(MARKED.format(first, second)), races=True)
    result = xgen.check(program, xgen.model("lkmm"))
    if race is None:
        assert (result.verdict, result.flags) == ("safe", {})
        return
    assert result.witness is not None
    (found, *_) = result.witness.violations
    assert (found.kind, found.location, found.flag) == ("race", race[0], "data_race")
    assert [event.text for event in result.witness.parties(found)] == [*race[1:]]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_with_a_bound(depth: int) -> None:
    """A race in what the bound left is one all the same."""
    text = RACE.replace("1 -> d }", "1 -> d; 2 -> d; 3 -> d }")
    result = run(text, max_depth=depth, all_states=True)
    assert result.verdict == "violation"
    assert result.violations == result.executions + result.bounded > 0


def test_in_executions_that_do_not_end() -> None:
    """Blocked threads have raced before."""
    text = RACE.replace("a <- d }", "a <- d; assume a = 7 }")
    result = run(text, all_states=True)
    assert (result.verdict, result.executions, result.blocked, result.violations) == ("violation", 0, 2, 2)


def test_a_race_comes_before_the_assertion_that_it_breaks() -> None:
    """In an execution without a meaning an assertion says nothing."""
    text = RACE.replace("a <- d }", "a <- d; assert a = 0 }")
    result = run(text)
    assert result.witness is not None
    assert [violation.kind for violation in result.witness.violations] == ["race", "assertion"]


def test_an_assertion_without_a_race_stays_one() -> None:
    text = (PASSED % "release").replace("b <- d", "b <- d; assert b = 0")
    result = run(text)
    assert result.witness is not None
    assert [violation.kind for violation in result.witness.violations] == ["assertion"]


def test_with_workers_and_in_parts() -> None:
    program = xgen.parse(PASSED % "relaxed")
    result = xgen.check(program, RC11, all_states=True, workers=2)
    assert (result.verdict, result.executions, result.violations) == ("violation", 3, 2)
    parts = xgen.check(program, RC11, all_states=True, memory_limit=2**30)
    assert (parts.verdict, parts.executions, parts.violations) == ("violation", 3, 2)


def test_executions_one_by_one_say_where_they_race() -> None:
    kinds = [[v.kind for v in execution.violations] for execution in xgen.executions(xgen.parse(RACE), RC11)]
    assert kinds == [["race"], ["race"]]


def test_the_cause_of_a_race_is_what_leads_to_its_events() -> None:
    text = RACE + "process t { var c : int init loc A final loc E A -> E { 1 -> d @ relaxed; c <- d @ relaxed } }"
    result = run(text.replace("{ 1 -> d }", "{ skip }").replace("a <- d }", "a <- d; a <- d @ relaxed }"))
    assert result.witness is not None
    (race,) = result.witness.violations
    kept = result.witness.only(result.witness.cause)
    assert [event.id for event in kept.parties(race)] == list(race.events)
    assert kept.races == ((kept.events.index(kept.parties(race)[0]), kept.events.index(kept.parties(race)[1])),)


def test_other_undefined_behaviour() -> None:
    """A flag that is about one event, about a set, and one that asks for something."""
    model = "order = po | rf | mo | fr\norder acyclic\nbad = W[bad]\nundefined_unless bad empty as no_bad\n"
    result = run(RACE.replace("1 -> d", "1 -> d @ bad"), xgen.parse_model(model))
    assert result.witness is not None
    (violation,) = result.witness.violations
    assert (violation.kind, violation.location, violation.events) == ("undefined", "no_bad", ("0:0",))
    assert violation.message == "undefined behaviour (no_bad)"
    wanted = "order = po | rf | mo | fr\norder acyclic\nf = F\nundefined_unless f not empty as fenced\n"
    result = run(RACE, xgen.parse_model(wanted))
    assert result.witness is not None
    (violation,) = result.witness.violations
    assert (violation.kind, violation.events) == ("undefined", ())


def test_the_hint_is_for_accesses_without_an_order() -> None:
    tagged = run(RACE.replace("1 -> d", "1 -> d @ relaxed"))
    assert tagged.witness is not None
    assert str(tagged.witness.violations[0].hint).startswith("`a <- d` has no memory order; under rc11")


# ---- against the oracle

C11 = (None, None, "relaxed", "acquire", "release", "seq_cst")
FEATURES = replace(DEFAULT, orders=C11, fence_tags=("acquire", "release", "acq_rel", None))


@pytest.mark.parametrize("seeds", [range(25), pytest.param(range(25, 3000), marks=pytest.mark.long)], ids=str)
def test_races_are_those_of_the_definition(seeds: range) -> None:
    """Executions violate that have two accesses that conflict, one of them not atomic, and neither first.

    One in which a thread waits may be left out, where another one with the same race stands for it.
    """
    model, compared, racy = repaired_c11(), 0, 0
    for seed in seeds:
        program = random_shape(Random(seed), ("fence", "exchange", "mutex", "mutex"), FEATURES)
        try:
            found = list(executions(program, model, limit=1000))
        except TooManyError:
            continue
        complete = [execution for execution in found if execution.kind == "complete"]
        least, most = (sum(map(races.has_race, some)) for some in (complete, found))
        result = run(str(program), all_states=True)
        reported = result.flags.get("data_race", 0)
        assert result.executions == len(complete), program
        assert least <= reported <= most, program
        assert (reported > 0) == (most > 0), program
        compared, racy = compared + 1, racy + (most > 0)
    assert compared > len(seeds) // 2
    assert compared // 4 < racy < compared
