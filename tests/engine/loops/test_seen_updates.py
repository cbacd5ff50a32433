"""Rounds with updates that give back what they have taken, under models that see whether they are there."""

from __future__ import annotations

from random import Random

import pytest
from oracle.generators.retrying import disagreement, outcomes_of, retrying_program
from oracle.models import random_language_model

import xgen
from xgen.errors import Source
from xgen.memory.mcm import read_model
from xgen.memory.statics.silent import SHOWN, leaves_out_updates
from xgen.resources import shipped

PAIRS = read_model(
    Source(
        "pairs.mcm",
        """model "pairs" "who acquires a release has seen what came before, and there are no release sequences"
  expects relaxed, acquire, release
sw = rf(W[release] -> R[acquire])
hb = (po | sw)^+
coherent = hb | hb ; (rf | mo | fr)^+
no_thin_air = po | rf
coherent irreflexive as coherence
no_thin_air acyclic as no_thin_air
""",
    )
)
TRIES = """var d : int
var l : int
process w { init loc A final loc E A -> E { 1 -> d  1 -> l @ release } }
process q { var r : int init loc A loc B final loc E
  A -> B { r <- exchange(l, 1) @ relaxed } B -> A { assume r = 1 } B -> E { assume r = 2 } }
process s { var a : int var b : int init loc A final loc E A -> E { a <- l @ acquire; b <- d; assume a = 1; 2 -> l } }
"""
"""s may read the 1 of q's exchange, and has not seen d then, if nobody says that releases go on through updates."""
LOCK = """var l : int
var n : int
process T{0} {{ var r : int init loc A loc B final loc E
  A -> B {{ r <- exchange(l, 1) @ acquire }} B -> A {{ assume r = 1 }}
  B -> E {{ assume r = 0  r <- n; r + 1 -> n  0 -> l @ release }} }}
"""


def outcomes(text: str, model: xgen.Model, **options: int | bool) -> set[tuple[tuple[str, object], ...]]:
    return outcomes_of(xgen.check(xgen.parse(text, "xcfa"), model, all_states=True, **options))


def test_what_is_read_from_such_an_update_is_not_lost() -> None:
    found = outcomes(TRIES, PAIRS, max_depth=6)
    assert found == outcomes(TRIES, PAIRS, max_depth=6, unroll=True)
    assert len(found) == 2
    assert found > outcomes(TRIES, xgen.model("rc11"), max_depth=6, unroll=True)


def test_a_violation_is_found_without_a_bound() -> None:
    """It takes that q goes on behind the round."""
    text = TRIES.replace("{ assume r = 2 }", "{ assume r = 2  1 -> gone @ relaxed }").replace(
        "var d", "var gone : int\nvar d"
    )
    text = text.replace("2 -> l }", "2 -> l @ relaxed  a <- gone @ relaxed; assume a = 1; assert b = 1 }")
    asked = xgen.parse(text, "xcfa")
    assert xgen.check(asked, PAIRS).verdict == "violation"
    assert xgen.check(asked, xgen.model("ra")).verdict == "safe"


def test_rounds_of_a_lock_are_left_out_under_each_model() -> None:
    threads = "\n".join(LOCK.format(n) if n == 0 else LOCK.format(n).split("\n", 2)[2] for n in range(2))
    result = xgen.check(xgen.parse(threads, "xcfa"), PAIRS, all_states=True)
    assert (result.exhaustive, result.executions) == (True, 2)


def test_the_model_is_known_by_what_it_says() -> None:
    """Not by its name."""
    text = (shipped("mcm") / "rc11.mcm").read_text()
    assert leaves_out_updates(read_model(Source("mine.mcm", text.replace('"rc11"', '"mine"'))))
    assert not leaves_out_updates(read_model(Source("rc11.mcm", text.replace("(rf ; rmw)^*", "(rf ; rmw)?"))))


@pytest.mark.parametrize("start", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(100, 2000, 100))])
def test_random_programs_under_random_models(start: int) -> None:
    for seed in range(start, start + (40 if start == 0 else 100)):
        rng = Random(seed)
        model = random_language_model(rng)
        drawn = retrying_program(rng, ("acq", "rel", "acq", "rel", "mfence"))
        different = disagreement(drawn, model, rng.randint(2, 6), limit=300)
        assert different is None, f"seed {seed}:\n{different}"


@pytest.mark.parametrize("name", SHOWN)
def test_random_programs_under_models_that_do_not_see_them(name: str) -> None:
    for seed in range(12):
        rng = Random(f"{name} {seed}")
        drawn = retrying_program(rng, ("acquire", "release", "relaxed") if name in ("ra", "rc11", "rc11-c20") else ())
        different = disagreement(drawn, xgen.model(name), rng.randint(2, 6), limit=300)
        assert different is None, f"seed {seed}:\n{different}"
