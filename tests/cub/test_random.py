"""Random systems against machines with buffers of one to three processes."""

from __future__ import annotations

from collections import Counter

import pytest
from oracle.cub.machine import Machine, TooMany
from oracle.cub.random import random_system

from xgen.analyses.parameterised.certificate import certificate_of, certify, read_certificate
from xgen.analyses.parameterised.prove_system import prove_system
from xgen.analyses.parameterised.solvers import load_solver
from xgen.errors import Source
from xgen.frontends.cub import read_cub

SEEDS = 30
STATES = 400


def reaches_bad(text: str, processes: int, lagging: bool) -> bool | None:
    """None where there are too many states to know."""
    try:
        return Machine(read_cub(Source("x.cub", text)), processes, lagging).reaches_bad(STATES)
    except TooMany:
        return None


@pytest.mark.sweep
@pytest.mark.parametrize(("weak", "model"), [(True, "tso"), (True, "sc"), (False, "sc")])
@pytest.mark.parametrize("part", [2, *(pytest.param(part, marks=pytest.mark.slow) for part in (0, 1, 3, 4, 5, 6, 7))])
def test_verdicts(weak: bool, model: str, part: int) -> None:
    """What is safe is so for one to three; a violation is one for as many as its run has."""
    counts: Counter[str] = Counter()
    for seed in range(part * SEEDS, (part + 1) * SEEDS):
        text = random_system(seed, weak)
        proof = prove_system(read_cub(Source("x.cub", text)), model, max_cubes=200)
        counts[proof.verdict] += 1
        if proof.verdict == "safe":
            for processes in (1, 2, 3):
                bad = reaches_bad(text, processes, model == "tso")
                assert not bad, (seed, processes)
                counts["compared"] += bad is not None
        elif proof.verdict == "violation":
            assert proof.trace is not None
            bad = reaches_bad(text, proof.trace.processes, model == "tso") if proof.trace.processes < 4 else None
            assert bad is not False, seed
            counts["compared"] += bad is not None
    assert counts["unknown"] <= SEEDS / 10
    assert counts["compared"] >= SEEDS


@pytest.mark.parametrize(("weak", "model"), [(True, "tso"), (False, "sc")])
def test_certificates(weak: bool, model: str) -> None:
    """The first ones that are safe, with and without guesses."""
    proved = 0
    for seed in range(20):
        for brab in (None, 2):
            proof = prove_system(read_cub(Source("x.cub", random_system(seed, weak))), model, brab=brab, max_cubes=30)
            if proof.verdict == "safe":
                checked = certify(read_certificate(Source("c.json", certificate_of(proof))), load_solver("z3"))
                assert checked.verdict == "proved", (seed, checked.failed)
                proved += 1
    assert proved >= 10
