"""Invariants that are guessed from a small instance: the verdict is the same, and wrong guesses are taken back."""

from __future__ import annotations

import json

import pytest

from cub.shipped import FOLDER, claims, system
from xgen import load_system
from xgen.analyses.parameterised.certificate import certificate_of, certify, read_certificate
from xgen.analyses.parameterised.prove_system import prove_system
from xgen.analyses.parameterised.solvers import load_solver
from xgen.errors import Source
from xgen.frontends.cub import read_cub

CLAIMS = [claim for claim in claims() if claim[0] not in ("ticket", "bakery", "iriw")]


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "model", "verdict"), CLAIMS)
def test_same_verdict(name: str, model: str, verdict: str) -> None:
    assert prove_system(system(name), model, brab=2).verdict == verdict


def test_german() -> None:
    proof = prove_system(system("german"), "sc", brab=2)
    assert proof.verdict == "safe"
    assert proof.cubes < 100
    assert proof.restarts == 0


def test_a_certificate_with_guesses_is_proved() -> None:
    proof = prove_system(system("fast_fenced"), "tso", brab=2)
    document = certificate_of(proof)
    assert any(cube["kind"] == "approximation" for cube in json.loads(document)["cubes"])
    checked = certify(read_certificate(Source("c.json", document)), load_solver("z3"))
    assert checked.verdict == "proved", checked.failed


@pytest.mark.sweep
@pytest.mark.parametrize("file", ["cub/ticket.cub", "cub/bakery.cub", "any/ticket.xcfa"])
@pytest.mark.parametrize("model", ["sc", "tso"])
def test_numbers_that_grow(file: str, model: str) -> None:
    """Guesses about less, equal and more prove what has infinitely many cubes."""
    found = load_system(FOLDER.parent / file)
    assert prove_system(found, model, max_cubes=300).verdict == "unknown"
    proof = prove_system(found, model, brab=2, max_cubes=300)
    assert proof.verdict == "safe"
    checked = certify(read_certificate(Source("c.json", certificate_of(proof))), load_solver("z3"))
    assert checked.verdict == "proved", checked.failed


THREE = """type t = A | B | C
array S[proc] : t
init (p) { S[p] = A }
unsafe (p q r) { S[p] = C && S[q] = B && S[r] = B }
transition b (p) requires { S[p] = A } { S[p] := B }
transition c (p q r) requires { S[p] = A && S[q] = B && S[r] = B } { S[p] := C }
"""


def test_a_guess_from_too_few_processes_is_taken_back() -> None:
    """With two processes nobody comes to C; with three it does."""
    proof = prove_system(read_cub(Source("x.cub", THREE)), "sc", brab=2)
    assert proof.verdict == "violation"
    assert proof.restarts == 2
    assert proof.trace is not None
    assert proof.trace.processes == 3
