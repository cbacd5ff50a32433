"""Proofs without bounds against checks with the models' files, which share no code with the machines."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from random import Random

import xgen
from oracle.buffers.invariants import Checker
from oracle.strategies import DEFAULT, LOOPS, PLAIN, random_program
from xgen.engine import symbolic
from xgen.engine.problem import problem
from xgen.engine.symbolic import Found, Options

MACHINES = ("sc", "tso", "pso")
TAGS = (None, "mfence", "sfence", "stbar", "lfence", "acquire", "release", "acq_rel", "relaxed", "seq_cst", "other")
QUIET = replace(DEFAULT, asserts=0, faults=0, leaves=0, fence_tags=TAGS)
HEAP = ("alloc.x", "alloc.t", "free.x", "free.x", "free.t", "free.t", "mfence")
"""In the place of fences: what is done with an object that x is, and one that has t[0] and t[1]."""
LIFETIMES = replace(DEFAULT, asserts=2, leaves=0, faults=0, bools=0, arrays=30, fences=14, assumes=20, fence_tags=HEAP)
FEATURES = {
    "errors": DEFAULT,
    "fences": replace(PLAIN, fences=20, events=(3, 5), fence_tags=TAGS, variables=3),
    "long": replace(PLAIN, fences=15, events=(4, 7), threads=(2,), fence_tags=(None, "sfence")),
    "updates": replace(QUIET, rmws=35),
    "arrays": replace(QUIET, rmws=10, arrays=50),
    "mutexes": replace(QUIET, mutexes=40, fences=4, events=(1, 3)),
    "exclusives": replace(QUIET, rmws=5, exclusives=60, arrays=15, events=(3, 5), variables=1),
    "exclusive-errors": replace(DEFAULT, exclusives=60, rmws=5, variables=2, asserts=20),
    "atomic": replace(QUIET, rmws=10, atomics=35, threads=(2, 2, 3)),
    "atomic-exclusives": replace(QUIET, exclusives=50, atomics=30, variables=1),
    "atomic-errors": replace(DEFAULT, atomics=35, exclusives=10),
    "blocks": replace(QUIET, atomics=50, variables=3, events=(3, 6), branches=5, choices=3, fences=6),
    "blocks-exclusives": replace(QUIET, atomics=40, exclusives=45, events=(4, 7), branches=4, choices=2, fences=4),
    "blocks-errors": replace(DEFAULT, atomics=40, exclusives=40, asserts=15, events=(3, 6)),
    "between": replace(QUIET, exclusives=45, variables=1, events=(4, 6), rmws=5),
    "lifetimes": replace(LIFETIMES, variables=3, threads=(2, 2, 3)),
    "lifetimes-updates": replace(LIFETIMES, variables=2, rmws=15, mutexes=15, exclusives=10, threads=(2,)),
    "lifetimes-atomic": replace(LIFETIMES, variables=3, atomics=20, threads=(2,)),
}
"""Programs without loops, whose outcomes are compared."""
PLAIN_LOOPS = replace(
    LOOPS, threads=(2, 2, 2, 3), loops=30, faults=0, bools=0, fence_tags=(None, "sfence"), asserts=12, havocs=3
)
ENDLESS = {
    "endless": PLAIN_LOOPS,
    "endless-updates": replace(PLAIN_LOOPS, rmws=25, mutexes=5),
    "endless-atomic": replace(PLAIN_LOOPS, atomics=30, rmws=5),
    "endless-exclusives": replace(PLAIN_LOOPS, exclusives=40, arrays=10),
    "endless-lifetimes": replace(PLAIN_LOOPS, arrays=30, fences=12, fence_tags=HEAP, asserts=2),
    "endless-blocks": replace(PLAIN_LOOPS, atomics=50, variables=2, events=(3, 6), asserts=8, havocs=0),
    "endless-blocks-exclusives": replace(PLAIN_LOOPS, atomics=40, exclusives=40, variables=2, asserts=15, havocs=0),
    "endless-pairs": replace(PLAIN_LOOPS, exclusives=60, variables=2, asserts=25, threads=(2,)),
}
"""With loops: a proof must not be refuted by a check with a bound."""
PROGRAMS = int(os.environ.get("XGEN_PROGRAMS", "12"))
"""Of each kind; `docs/developing.md` says how to run more."""


def found(text: str, machine: str, **options: object) -> Found:
    asked = problem(xgen.parse(text), xgen.model(machine))
    return symbolic.explore(asked, replace(Options(limit=200_000), **options))  # type: ignore[arg-type]


def difference(text: str, machine: str, timeout: float = 5) -> str | None:
    """What a proof and a check of everything say differently of a program without loops.

    Raises TimeoutError where the check takes too long, UnsupportedError where the prover refuses the program.
    """
    result = xgen.check(xgen.parse(text), xgen.model(machine), all_states=True, timeout=timeout)
    if result.verdict == "interrupted":
        raise TimeoutError
    proof = found(text, machine, outcomes=True)
    wrong = result.verdict == "violation"
    if proof.why == "veiled":  # the outcomes are compared all the same
        proof = replace(proof, verdict="unknown" if wrong else "safe")
    if proof.why == "veiled" and wrong:
        return None
    if wrong or proof.verdict != "safe":
        found_too = wrong and proof.verdict in ("violation", "deadlock") and proof.witness is not None
        return None if found_too else f"check: {result.verdict}, proof: {proof.verdict}"
    expected = {tuple(sorted(outcome.state.items())) for outcome in result.outcomes}
    seen = {tuple(sorted(state.items())) for state in proof.outcomes or ()}
    missing, more = sorted(expected - seen)[:2], [] if proof.doubtful else sorted(seen - expected)[:2]
    return f"missing {missing}, too many {more}" if missing or more else None


def refuted(text: str, machine: str, depth: int = 7, timeout: float = 5) -> str | None:
    """Why the answer of a proof of a program with loops is wrong. Raises TimeoutError where there is none.

    That a violation is an execution of the model is looked at by the prover: InternalError where it is not.
    """
    asked = problem(xgen.parse(text), xgen.model(machine))
    proof = symbolic.explore(asked, Options(limit=100_000, timeout=timeout, invariant=True))
    if proof.verdict == "unknown":
        raise TimeoutError
    if proof.verdict != "safe":
        return None if proof.witness is not None else "a violation without an execution"
    why = Checker(proof, asked.code).check()
    if why is not None:
        return f"the invariant proves nothing: {why}"
    result = xgen.check(xgen.parse(text), xgen.model(machine), max_depth=depth, timeout=timeout)
    return f"check: {result.verdict}" if result.verdict == "violation" else None


def wrong(seed: int, features: str, machine: str, timeout: float = 5) -> str | None:
    """What is wrong with the proof of the program of a seed. Raises as `difference` and `refuted` do."""
    return (refuted if features in ENDLESS else difference)(drawn(seed, features), machine, timeout=timeout)


def drawn(seed: int, features: str) -> str:
    """The program of a seed."""
    text = str(random_program(Random(seed), (FEATURES | ENDLESS)[features]))
    if "lifetimes" not in features:
        return text
    text = re.sub(r"(?m)^var (x : int|t : int\[2\])(.*)$", r"var \1\2 @ heap", text)
    return re.sub(r"fence\[(alloc|free)\.(\w)\]", lambda m: f"{m[1]}({m[2]}{'[0]' if m[2] == 't' else ''})", text)
