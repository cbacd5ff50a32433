"""The shipped programs: what their headers say is so, by the engine and, under sc, by interleavings as well."""

from __future__ import annotations

from pathlib import Path

import pytest
from program.interleavings import explore

import xgen
from xgen import program as programs
from xgen.analyses.claims.read import Claim, read_claims
from xgen.analyses.claims.run import check_file
from xgen.errors import Source
from xgen.lowering.threads import lower
from xgen.program.printer import print_program
from xgen.sources import read_source

FOLDER = Path(__file__).parents[2] / "programs"
PATHS = sorted(FOLDER.glob("*.xcfa"))
MODELS = {"sc", "tso", "pso", "weak", "weak-a9", "nofence"}


def claims(path: Path) -> list[Claim]:
    """What a program's header says."""
    found, errors = read_claims(read_source(path))
    assert errors == []
    return found


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_claims(path: Path) -> None:
    """All are kept, as `xgen test` says; a bound within which nothing ends keeps none."""
    found = check_file(str(path), xgen.load)
    assert (found.errors, found.mistakes) == ((), ())
    assert [(one.claim.said, one.found) for one in found.checked if not one.kept] == []
    assert [one.claim for one in found.checked] == claims(path)


def test_how_many_claims_there_are() -> None:
    """Who reads fewer of them keeps fewer."""
    every = [claim for path in PATHS for claim in claims(path)]
    assert (len(PATHS), len(every)) == (42, 314)
    assert sum(claim.kind == "verdict" for claim in every) == 254


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
            assert len(result.finals) == int(claim.value)
        else:
            assert any(claim.state.items() <= dict(final).items() for final in result.finals) is (
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
    found = {(path.name, claim.model, claim.kind): claim for path in PATHS for claim in claims(path)}
    peterson = found["peterson.xcfa", "weak", "verdict"]
    assert peterson.value == "violation"
    assert peterson.asked.question["max_depth"] <= 8
    assert found["peterson.xcfa", "sc", "verdict"].value == "safe"
    assert found["peterson_fenced.xcfa", "weak", "verdict"].value == "safe"
    for name in ("cow2r.xcfa", "coww2r2r.xcfa"):
        kinds = {model: kind for program, model, kind in found if program == name and kind in ("allows", "forbids")}
        assert kinds == dict.fromkeys(MODELS, "forbids") | {"weak-a9": "allows"}
    for model in ("sc", "tso", "weak", "weak-a9"):
        assert found["mp.xcfa", model, "verdict"].value == "safe"
    assert found["mp.xcfa", "nofence", "verdict"].value == "violation"
    assert int(found["2w2r.xcfa", "weak", "outcomes"].value) == int(found["2w2r.xcfa", "sc", "outcomes"].value) + 1
