"""The search against machines with store buffers: shipped systems and what becomes of them by small changes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from oracle.cub.machine import Machine, TooMany
from oracle.cub.mutants import mutants

from cub.shipped import system
from xgen.analyses.parameterised.certificate import certificate_of, certify, read_certificate
from xgen.analyses.parameterised.prove_system import prove_system
from xgen.analyses.parameterised.solvers import load_solver
from xgen.engine.cubes import Search
from xgen.errors import Source, UnsupportedError
from xgen.systems.parameterised import System

STATES = 1200
"""Larger machines are left out: what is small is compared, and there is much of it."""


def compare(found: System, lagging: bool, counts: Counter[str]) -> None:
    """Counts how the search and the machine of two processes agree."""
    search = Search(found, lagging)
    verdict = search.run(max_cubes=400)
    try:
        bad = Machine(found, found.processes or 2, lagging).reaches_bad(STATES)
    except TooMany:
        counts["too many"] += 1
        return
    counts["compared"] += 1
    if verdict == "safe":
        counts["safe but bad"] += bad
    if bad:
        counts["bad"] += 1
        counts["bad but not found"] += verdict not in ("reached", "cubes")


NAMES = (
    *("flags", "flags_fenced", "fast", "fast_fenced", "xchg", "linux_spinlock_split", "barrier", "commit", "peterson"),
    *("peterson_fenced", "msi", "sb", "illinois", "burns_fenced"),
)


SLOW = ("burns_fenced", "fast", "peterson", "fast_fenced")
"""Those of which the mutants behind store buffers take long."""
CASES = [
    *(pytest.param(name, False, id=f"{name}-sc") for name in NAMES),
    *(
        pytest.param(name, True, id=f"{name}-tso", marks=[pytest.mark.slow] * (name in SLOW))
        for name in NAMES
        if name != "illinois"  # of which no variable is written through a buffer
    ),
]


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "lagging"), CASES)
def test_mutants(name: str, lagging: bool) -> None:
    original = system(name)
    assert not lagging or any(array.weak for array in original.arrays)
    counts: Counter[str] = Counter()
    compare(original, lagging, counts)
    for _, mutant in mutants(original):
        compare(mutant, lagging, counts)
    assert counts["safe but bad"] == 0
    assert counts["bad but not found"] == 0
    assert counts["compared"] >= 5


@pytest.mark.parametrize(("name", "model"), [("flags_fenced", "tso"), ("commit", "sc"), ("xchg", "tso"), ("msi", "sc")])
def test_mutants_are_certified_or_replayed(name: str, model: str) -> None:
    """Whatever the answer about a mutant, it rests on something; hints are enough, so that z3 is asked a few times."""
    solve = load_solver("z3")
    asked: Counter[str] = Counter()

    def count(text: str, seconds: float | None) -> str:
        asked["questions"] += 1
        return solve(text, seconds)

    found: Counter[str] = Counter()
    for what, mutant in mutants(system(name)):
        try:
            proof = prove_system(mutant, model, max_cubes=100)
        except UnsupportedError:
            found["refused"] += 1
            continue
        found[proof.verdict] += 1
        assert proof.replayed == (proof.verdict == "violation")
        if proof.verdict == "safe":
            certificate = read_certificate(Source("c.json", certificate_of(proof)))  # it has the text of the original
            claims = tuple(replace(c, cube=replace(c.cube, system=mutant)) for c in certificate.claims)
            asked.clear()
            checked = certify(replace(certificate, system=mutant, claims=claims), count)
            assert checked.verdict == "proved", (what, checked.failed)
            assert asked["questions"] <= 1 + checked.obligations / 20
    assert found["safe"] > 5
    assert found["violation"] > 5 or name == "msi"
