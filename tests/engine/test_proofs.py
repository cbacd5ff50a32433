"""Proofs without bounds against checks with the models' files, which share no code with the machines."""

from __future__ import annotations

import os
import pickle
from dataclasses import replace
from random import Random

import pytest
from oracle.strategies import DEFAULT, LOOPS, PLAIN, random_program

import xgen
from xgen.engine import proofs
from xgen.engine.problem import problem
from xgen.engine.proofs import Found, Options

MACHINES = ("sc", "tso", "pso")
TAGS = (None, "mfence", "sfence", "stbar", "lfence", "acquire", "release", "acq_rel", "relaxed", "seq_cst", "other")
QUIET = replace(DEFAULT, asserts=0, faults=0, leaves=0, fence_tags=TAGS)
FEATURES = {
    "errors": DEFAULT,
    "fences": replace(PLAIN, fences=20, events=(3, 5), fence_tags=TAGS, variables=3),
    "long": replace(PLAIN, fences=15, events=(4, 7), threads=(2,), fence_tags=(None, "sfence")),
    "updates": replace(QUIET, rmws=35),
    "arrays": replace(QUIET, rmws=10, arrays=50),
    "mutexes": replace(QUIET, mutexes=40, fences=4, events=(1, 3)),
}
ENDLESS = replace(
    LOOPS, threads=(2, 2, 2, 3), loops=30, faults=0, bools=0, fence_tags=(None, "sfence"), asserts=12, havocs=3
)
PROGRAMS = int(os.environ.get("XGEN_PROGRAMS", "12"))
"""Of each kind; `docs/developing.md` says how to run more."""


def found(text: str, machine: str, **options: object) -> Found:
    asked = problem(xgen.parse(text), xgen.model(machine))
    return proofs.explore(asked, replace(Options(limit=200_000), **options))  # type: ignore[arg-type]


def difference(text: str, machine: str) -> str | None:
    """What a proof and a check of everything say differently of a program without loops."""
    result = xgen.check(xgen.parse(text), xgen.model(machine), all_states=True, timeout=5)
    if result.verdict == "interrupted":
        return None
    proof = found(text, machine, outcomes=True)
    wrong = any(v.kind != "deadlock" for v in (result.witness.violations if result.witness else ()))
    if wrong or proof.verdict != "safe":
        return None if wrong and proof.verdict == "violation" else f"check: {result.verdict}, proof: {proof.verdict}"
    expected = {tuple(sorted(outcome.state.items())) for outcome in result.outcomes}
    seen = {tuple(sorted(state.items())) for state in proof.outcomes or ()}
    return (
        None if seen == expected else f"missing {sorted(expected - seen)[:2]}, too many {sorted(seen - expected)[:2]}"
    )


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("features", FEATURES)
def test_outcomes_are_those_of_the_model(features: str, machine: str) -> None:
    for seed in range(PROGRAMS):
        text = str(random_program(Random(seed), FEATURES[features]))
        different = difference(text, machine)
        assert different is None, f"seed {seed}: {different}\n{text}"


def test_this_many_programs_are_enough_to_have_all_ends() -> None:
    """So that the comparison above compares something."""
    verdicts = {found(str(random_program(Random(seed), DEFAULT)), "tso").verdict for seed in range(PROGRAMS)}
    assert verdicts == {"safe", "violation"}


@pytest.mark.parametrize("machine", ["tso", "pso"])
def test_loops_are_never_safe_where_a_check_finds_a_violation(machine: str) -> None:
    """And what is found is an execution of the model: `explore` raises InternalError where it is not."""
    for seed in range(PROGRAMS):
        text = str(random_program(Random(seed), ENDLESS))
        proof = found(text, machine, timeout=5)
        if proof.verdict == "violation":
            assert proof.witness is not None, f"seed {seed}\n{text}"
        elif proof.verdict == "safe":
            result = xgen.check(xgen.parse(text), xgen.model(machine), max_depth=7, timeout=5)
            assert result.verdict != "violation", f"seed {seed}\n{text}"


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("shape", ["1 -> x {} a <- y", "1 -> x {} 1 -> y", "2 -> x {} 1 -> y", "a <- x {} b <- y"])
def test_each_fence_does_what_it_does_in_the_model(tag: str | None, machine: str, shape: str) -> None:
    fence = "fence\n" if tag is None else f"fence {tag}\n"
    first = shape.format(fence)
    other = shape.translate(str.maketrans("xy", "yx")).format(fence)
    text = "var x : int var y : int\n"
    for name, body in (("p0", first), ("p1", other)):
        text += f"process {name} {{ var a : int var b : int init loc S final loc E S -> E {{ {body} }} }}\n"
    assert difference(text, machine) is None


def test_what_is_found_can_be_sent_to_another_process() -> None:
    text = str(random_program(Random(3), DEFAULT))
    proof = found(text, "tso", invariant=True)
    assert pickle.loads(pickle.dumps(proof)).verdict == proof.verdict


def test_machines_are_known_by_what_models_say() -> None:
    text = 'model "mine" "as sc"\nfr2 = fr\norder = po | rf | mo | fr2\norder acyclic as mine "one order"\n'
    assert proofs.machine_of(xgen.parse_model(text)) == "sc"
    for name in ("ra", "weak", "arm8", "coherence"):
        with pytest.raises(xgen.UsageError, match="needs a machine"):
            proofs.machine_of(xgen.model(name))
