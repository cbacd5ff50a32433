"""The shipped protocols: verdicts, and the numbers of states, groups and clauses, at several sizes."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from xgen.errors import Source
from xgen.repair.elaborate import read_protocol
from xgen.repair.protocol import Protocol
from xgen.repair.repair import Repair, check_as_it_is, repair
from xgen.resources import shipped


def shipped_protocol(name: str, **constants: int) -> Protocol:
    path = shipped("protocols") / f"{name}.gcl"
    return read_protocol(Source(str(path), path.read_text(encoding="utf-8")), constants)


def sizes(result: Repair) -> tuple[int | None, ...]:
    return result.states, result.groups, result.clauses


def outcome(result: Repair) -> tuple[int | None, ...]:
    """States reached, legitimate ones among them; groups kept, removed, new."""
    return result.reached, result.legitimate, result.kept, result.removed, result.new


long = pytest.mark.long


@pytest.mark.parametrize(
    ("n", "level", "of_formula", "found"),
    [
        (3, "masking", (696, 510, 12_570), (460, 338, 42, 12, 4)),
        (3, "failsafe", (696, 510, 12_230), (460, 338, 42, 12, 0)),
        (3, "nonmasking", (756, 510, 13_590), (574, 356, 54, 0, 4)),
        (4, "masking", (3_230, 800, 74_062), (1_860, 1_274, 66, 18, 6)),
        pytest.param(5, "masking", (14_988, 1_150, 415_990), (6_916, 4_614, 96, 24, 8), marks=long),
        pytest.param(6, "masking", (70_346, 1_560, 2_291_866), (24_484, 16_222, 132, 30, 10), marks=long),
    ],
)
def test_byzantine_agreement(n: int, level: str, of_formula: tuple[int, ...], found: tuple[int, ...]) -> None:
    result = repair(shipped_protocol("byzantine", n=n), level)
    assert result.verdict == "repaired"
    assert sizes(result) == of_formula
    assert outcome(result) == found


@pytest.mark.parametrize("level", ["masking", "failsafe"])
@pytest.mark.parametrize("symmetric", [True, False])
def test_three_generals_cannot_agree_with_a_traitor(level: str, symmetric: bool) -> None:
    """Lamport, Shostak, Pease 1982: more than 3f are needed."""
    path = shipped("protocols") / "byzantine.gcl"
    text = path.read_text(encoding="utf-8")
    source = Source("byzantine.gcl", text if symmetric else text.replace(" symmetric {", " {"))
    result = repair(read_protocol(source, {"n": 2}), level)
    assert result.verdict == "impossible"
    assert result.states == 146
    if symmetric:
        assert result.groups == 280
    if level == "masking":
        assert result.clauses == 1_906


def test_without_symmetry() -> None:
    """More groups to choose from, the same states; at least as much is kept as with symmetry, three times over."""
    text = (shipped("protocols") / "byzantine.gcl").read_text(encoding="utf-8")
    result = repair(read_protocol(Source("byzantine.gcl", text.replace(" symmetric {", " {"))))
    assert result.verdict == "repaired"
    assert sizes(result) == (696, 2_220, 12_570)
    assert result.kept is not None
    assert result.removed is not None
    assert result.kept + result.removed == 234
    assert result.kept >= 206


@pytest.mark.parametrize("level", ["masking", "failsafe"])
def test_triple_modular_redundancy(level: str) -> None:
    result = repair(shipped_protocol("tmr"), level)
    assert result.verdict == "repaired"
    assert sizes(result)[:2] == (16, 32)
    assert level == "failsafe" or result.clauses == 52
    assert outcome(result) == (16, 10, 8, 6, 0)


@pytest.mark.parametrize(
    ("n", "of_formula", "found"),
    [
        (3, (27, 54, 213), (21, 6, 12, 2, 2)),
        (4, (81, 72, 793), (42, 8, 18, 2, 2)),
        (5, (243, 90, 2_833), (78, 10, 24, 2, 2)),
        (8, (6_561, 144, 113_585), (310, 16, 42, 2, 2)),
    ],
)
def test_token_ring(n: int, of_formula: tuple[int, ...], found: tuple[int, ...]) -> None:
    result = repair(shipped_protocol("token_ring", n=n))
    assert result.verdict == "repaired"
    assert sizes(result) == of_formula
    assert outcome(result) == found
    new = {(a.process and a.process.name, a.effect) for a in result.actions if a.origin == "new"}
    assert new <= {(None, "x := 0"), (None, "x := 1")}, "process 0 goes on from a forgotten value"
    assert new


@pytest.mark.parametrize(("k", "of_formula"), [(3, (81, 72, 1_377)), (2, (16, 16, 144))])
def test_dijkstras_ring(k: int, of_formula: tuple[int, ...]) -> None:
    """Four processes need three states each."""
    protocol = shipped_protocol("dijkstra", k=k)
    result = repair(protocol, "nonmasking")
    assert sizes(result) == of_formula
    checked, _ = check_as_it_is(protocol, "nonmasking")
    assert checked is not None
    if k == 3:
        assert result.verdict == "tolerant"
        assert outcome(result) == (81, 21, 21, 0, 0)
        assert checked.trouble is None
        assert (checked.reached, checked.legitimate) == (81, 21)
    else:
        assert result.verdict == "impossible"
        assert checked.trouble is not None
        assert checked.trouble.kind == "no recovery"


def test_a_limit_of_states() -> None:
    result = repair(shipped_protocol("byzantine"), limit=100)
    assert result.verdict == "interrupted"
    assert result.why == "there are more than 100 states; --limit allows more"
    checked, why = check_as_it_is(shipped_protocol("byzantine", n=5), limit=50)
    assert checked is None
    assert why == "there are more than 50 states; --limit allows more"


def test_no_time() -> None:
    result = repair(shipped_protocol("byzantine", n=4), timeout=0.0)
    assert (result.verdict, result.why) == ("interrupted", "the time is over")
    assert result.clauses is None


MEASURED = Path(__file__).parents[2] / "results" / "protocols.csv"


def test_the_stored_results() -> None:
    """What results/ says of small protocols comes out the same, but for times and the solver's cycles."""
    lines = [line for line in MEASURED.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    compared = 0
    for row in csv.DictReader(lines):
        if int(row["states"]) > 1000:
            continue
        constants = {name: int(value) for name, _, value in (c.partition("=") for c in row["constants"].split())}
        result = repair(shipped_protocol(row["protocol"], **constants), row["level"])
        assert result.verdict == row["verdict"]
        for name in ("states", "groups", "clauses", "reached", "legitimate", "kept", "removed", "new"):
            value = getattr(result, name)
            assert ("" if value is None else str(value)) == row[name], (row, name)
        compared += 1
    assert compared >= 10
