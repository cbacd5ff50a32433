"""Tasks of SV-COMP: how answers are read, and what the stored table and its page say; nothing is fetched."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import svcomp
from harness import read

ROOT = Path(__file__).parents[2]
RESULTS = read(ROOT / "results" / "svcomp.csv")[1]


def test_the_table() -> None:
    """At least 100 tasks, none of them wrong, and as many as the page says."""
    counts = Counter(row["outcome"] for row in RESULTS)
    assert (len(RESULTS) >= 100, counts["wrong"], len({row["task"] for row in RESULTS})) == (True, 0, len(RESULTS))
    for row in RESULTS:
        assert (row["outcome"] == "right") == (row["answer"] == row["expected"] != "")
    page = (ROOT / "docs" / "svcomp.md").read_text(encoding="utf-8")
    for said in (f"{len(RESULTS)} tasks", f"{counts['right']} answers", f"{counts['unknown']} are unknown"):
        assert said in page
    commits = {(row["repository"], row["commit"]) for row in RESULTS}
    assert commits == {(name, commit[:12]) for name, commit in (svcomp.GOBLINT, svcomp.ESBMC, svcomp.ULTIMATE)}


def test_answers() -> None:
    told = '{\n "property": "no-data-race", "expected": true, "stopped": null, "witness": null, "answer": '
    assert svcomp.answer(told + '"true"}')["outcome"] == "right"
    assert svcomp.answer(told + '"false"}')["outcome"] == "wrong"
    assert svcomp.answer(told + '"unknown"}')["outcome"] == "unknown"
    assert svcomp.answer('{\n "error": {"message": "no such thing\\nat all"}}')["why"] == "no such thing"
