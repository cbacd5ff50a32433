"""Tests of compilers: how answers are read, and what the stored table and its page say; nothing is fetched."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import compilers
from harness import read

ROOT = Path(__file__).parents[2]
RESULTS = read(ROOT / "results" / "compilers.csv")[1]


def test_the_table() -> None:
    """As many programs as the page says, each violation judged."""
    counts = Counter(row["outcome"] for row in RESULTS)
    assert [row["test"] for row in RESULTS if row["outcome"] == "wrong"] == []
    assert {row["test"] for row in RESULTS if row["outcome"] == "judged"} <= compilers.JUDGED.keys()
    page = " ".join((ROOT / "docs" / "c.md").read_text(encoding="utf-8").split())
    for said in (
        f"{len(RESULTS):,} programs",
        f"{counts['right']:,} are read right",
        f"{counts['refused']} are refused",
    ):
        assert said in page
    commits = {(row["repository"], row["commit"]) for row in RESULTS}
    assert commits == {(repository, commit[:12]) for repository, commit, _ in compilers.SUITES}


def test_answers() -> None:
    assert compilers.answer("a", "safe")["outcome"] == "right"
    assert compilers.answer("a", "violation")["outcome"] == "wrong"
    assert compilers.answer("bcp-1", "violation")["outcome"] == "judged"
    assert compilers.answer("a", "vacuous") == {"outcome": "unknown", "why": "vacuous"}
    said = compilers.refused("the number `1.0L` is\nnot supported")
    assert (said["outcome"], said["why"]) == ("refused", "the number .. is not supported")
