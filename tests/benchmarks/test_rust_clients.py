"""Clients of public Rust structures: each says of what, and has rows of results with the verdict that is expected of
it; nothing is fetched."""

from __future__ import annotations

from pathlib import Path

import pytest
import real
import rust
from harness import read

RESULTS = read(Path(__file__).parents[2] / "results" / "rust.csv")[1]


def test_every_client_is_in_the_table() -> None:
    assert {row.client for row in rust.ROWS} == {path.stem for path in real.CLIENTS.glob("*.rs")}
    assert [row["client"] for row in RESULTS] == [row.client for row in rust.ROWS]


@pytest.mark.parametrize("number", range(len(rust.ROWS)), ids=lambda number: f"{number} {rust.ROWS[number].client}")
def test_what_came_out(number: int) -> None:
    """What is as it is is safe, what is broken is found."""
    row, stored, found = rust.ROWS[number], RESULTS[number], real.head(f"{rust.ROWS[number].client}.rs")
    assert (stored["repository"], stored["commit"]) == (found["repository"], found["commit"][:12])
    assert bool(stored["broken"]) == bool(row.file)
    assert stored["verdict"] == ("violation" if row.file else "safe")
    assert stored["why"] in (("race", "race-with-free", "await") if row.file else ("",))
