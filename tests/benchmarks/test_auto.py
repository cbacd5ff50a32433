"""Classes in turns against executions alone: what the table says."""

from __future__ import annotations

from pathlib import Path

from auto import FAMILIES, FIELDS, MODELS, load, row, shipped
from harness import read

TABLE = read(Path(__file__).parents[2] / "results" / "auto.csv")[1]


def test_rows() -> None:
    found = row("mp", "sc", again=0)
    assert set(found) == set(FIELDS)
    assert (found["verdict"], found["by"]) == ("safe", "executions")
    assert "off" not in row("writers(6,6)", "sc", limit=0.01, again=0)


def test_all_programs_are_there() -> None:
    assert all(load(name)[0].processes for name in FAMILIES)
    assert {(row["program"], row["model"]) for row in TABLE} >= {(p, m) for p in shipped() for m in MODELS}


def test_it_never_takes_much_longer() -> None:
    """Than 1.2 times as long; what takes a few milliseconds is not measured to the fifth of that."""
    longer = [row for row in TABLE if row["ratio"] and float(row["ratio"]) > 1.2]
    assert all(float(row["auto"]) - float(row["off"]) < 0.05 for row in longer)
    assert any(row["auto"] and not row["off"] for row in TABLE)
