"""The endless programs: what their headers say is proved, with the numbers of states."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

import xgen
from xgen.memory.evaluate import Evaluator

FOLDER = Path(__file__).parents[2] / "programs" / "endless"
CLAIM = re.compile(r"// prove (--deadlock )?([a-z, ]+): (safe|violation|deadlock)$", re.MULTILINE)
LARGE = {("bakery3_fenced", "pso"), ("filter3_fenced", "pso"), ("filter3", "pso")}
"""These take seconds each; `benchmarks/proofs.py` runs them."""


def claims() -> list[tuple[str, bool, str, str]]:
    """Program, whether deadlocks count, model, verdict."""
    return [
        (path.stem, bool(match[1]), model, match[3])
        for path in sorted(FOLDER.glob("*.xcfa"))
        for match in CLAIM.finditer(path.read_text())
        for model in match[2].split(", ")
    ]


def test_every_program_claims_something_of_every_machine() -> None:
    said = {(name, model) for name, _, model, _ in claims()}
    assert said == {(path.stem, model) for path in FOLDER.glob("*.xcfa") for model in ("sc", "tso", "pso")}


def test_the_measured_proofs_have_these_verdicts() -> None:
    """So that results/proofs.csv is about these programs; no program is left out."""
    lines = (FOLDER.parents[1] / "results" / "proofs.csv").read_text().splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert {(row["program"], row["model"], row["verdict"]) for row in rows} == {(c[0], c[2], c[3]) for c in claims()}


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "deadlock", "model", "verdict"), [c for c in claims() if (c[0], c[2]) not in LARGE])
def test_claims(name: str, deadlock: bool, model: str, verdict: str) -> None:
    proof = xgen.prove(xgen.load(FOLDER / f"{name}.xcfa"), xgen.model(model), deadlock=deadlock)
    assert proof.verdict == verdict
    if proof.verdict == "safe":
        assert proof.witness is None
        return
    assert proof.witness is not None
    assert {violation.kind for violation in proof.witness.violations} == {
        "deadlock" if verdict == "deadlock" else "assertion"
    }
    evaluator = Evaluator(proof.witness)
    assert all(evaluator.holds(constraint.condition) for constraint in xgen.model(model).constraints)


@pytest.mark.parametrize(
    ("name", "model", "stored", "widening"),
    [
        ("peterson_fenced", "tso", 48, None),
        ("peterson_fenced", "pso", 116, None),
        ("dekker_fenced", "tso", 122, None),
        ("dekker_fenced", "pso", 518, None),
        ("burns_fenced", "tso", 37, None),
        ("szymanski_fenced", "tso", 95, None),
        ("clh", "pso", 1158, None),
        ("unlocking", "tso", 22, None),
        ("unlocking", "pso", 159, None),
        ("growing", "tso", 34, 1),
        ("growing", "pso", 240, 1),
    ],
)
def test_states(name: str, model: str, stored: int, widening: int | None) -> None:
    """The figures of some rows; `growing` has no exact proof, so that widening has to come in."""
    proof = xgen.prove(xgen.load(FOLDER / f"{name}.xcfa"), xgen.model(model))
    assert (proof.stored, proof.widening) == (stored, widening)
    assert proof.proof == ("exact" if widening is None else "widened")


def test_without_widening_there_is_no_answer_and_it_says_what_grows() -> None:
    program = xgen.load(FOLDER / "growing.xcfa")
    proof = xgen.prove(program, xgen.model("tso"), widen="none", limit=2000)
    assert (proof.verdict, proof.proof) == ("unknown", None)
    assert proof.reason is not None
    assert proof.reason.startswith("each exploration has visited 2,000 states; what p")
