"""The shipped programs: what their headers say is so, by the engine and, under sc, by interleavings as well."""

from __future__ import annotations

from pathlib import Path

import pytest
from program.headers import FOLDER, Claim, all_claims, claims
from program.interleavings import explore

import xgen
from xgen import program as programs
from xgen.errors import Source
from xgen.lowering.threads import lower
from xgen.program.printer import print_program

PATHS = sorted(FOLDER.glob("*.xcfa"))
MODELS = {"sc", "tso", "pso", "weak", "weak-a9", "nofence"}


@pytest.mark.parametrize("claim", all_claims(), ids=str)
def test_claim(claim: Claim) -> None:
    program, model = xgen.load(FOLDER / claim.program), xgen.model(claim.model)
    result = xgen.check(program, model, max_depth=claim.max_depth, all_states=claim.kind != "verdict")
    if claim.kind == "verdict":
        verdicts = {"safe", "safe-within-bound"} if claim.max_depth else {"safe"}
        assert result.verdict in (verdicts if claim.value == "safe" else {"violation"})
        assert result.executions > 0 or result.verdict == "violation", "the bound is too small to say anything"
        return
    states = [outcome.state for outcome in result.outcomes]
    if claim.kind == "outcomes":
        assert len(states) == claim.value
    else:
        assert isinstance(claim.value, dict)
        found = any(claim.value.items() <= state.items() for state in states)
        assert found is (claim.kind == "allows")


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_interleavings(path: Path) -> None:
    """What is said of sc is so without a bound, in an exploration that shares nothing with the engine."""
    result = explore(lower(programs.load(path)))
    for claim in claims(path):
        if claim.model != "sc":
            continue
        if claim.kind == "verdict":
            assert result.verdict == claim.value
        elif claim.kind == "outcomes":
            assert len(result.finals) == claim.value
        else:
            assert isinstance(claim.value, dict)
            assert any(claim.value.items() <= dict(final).items() for final in result.finals) is (
                claim.kind == "allows"
            )


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_header(path: Path) -> None:
    """A header says where the program is from, what it shows, and a verdict for each of the models."""
    text = path.read_text(encoding="utf-8")
    header = text[: text.index("\n\n")]
    assert all(line.startswith("//") for line in header.splitlines())
    assert "// Source: " in header
    assert "// Shows: " in header
    assert {claim.model for claim in claims(path) if claim.kind == "verdict"} == MODELS
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_printed_form(path: Path) -> None:
    program = programs.load(path)
    assert programs.parse(Source("printed", print_program(program))) == program


def test_six_claims_of_the_thesis() -> None:
    """What issue and thesis say of the programs is in their headers."""
    found = {(claim.program, claim.model, claim.kind): claim for claim in all_claims()}
    peterson = found["peterson.xcfa", "weak", "verdict"]
    assert peterson.value == "violation"
    assert peterson.max_depth is not None
    assert peterson.max_depth <= 8
    assert found["peterson.xcfa", "sc", "verdict"].value == "safe"
    assert found["peterson_fenced.xcfa", "weak", "verdict"].value == "safe"
    for name in ("cow2r.xcfa", "coww2r2r.xcfa"):
        kinds = {model: kind for program, model, kind in found if program == name and kind in ("allows", "forbids")}
        assert kinds == dict.fromkeys(MODELS, "forbids") | {"weak-a9": "allows"}
    for model in ("sc", "tso", "weak", "weak-a9"):
        assert found["mp.xcfa", model, "verdict"].value == "safe"
    assert found["mp.xcfa", "nofence", "verdict"].value == "violation"
    assert found["2w2r.xcfa", "weak", "outcomes"].value == found["2w2r.xcfa", "sc", "outcomes"].value + 1
