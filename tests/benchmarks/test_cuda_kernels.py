"""The stored table of NVIDIA's kernels, and what its page says of it; nothing is fetched."""

from __future__ import annotations

from pathlib import Path

import cuda
from harness import read

ROOT = Path(__file__).parents[2]
HEAD, RESULTS = read(ROOT / "results" / "cuda.csv")


def is_read(found: str) -> bool:
    return not found.startswith(("refused: ", "not read"))


def test_the_table() -> None:
    page = " ".join((ROOT / "docs" / "cuda.md").read_text(encoding="utf-8").split())
    counts = [sum(is_read(row[mode]) for row in RESULTS) for mode in ("unoptimised", "as_compiled")]
    files = {row["file"] for row in RESULTS}
    assert f"xgen reads {counts[0]} of {len(RESULTS)} kernels unoptimised and {counts[1]} as compiled" in page
    assert f"kernels in {len(files)} files" in page
    assert files == {f"Samples/{name}" for name in cuda.OF_SAMPLES} | {*cuda.OF_CCCL}
    assert (HEAD["samples"], HEAD["cccl"]) == (cuda.SAMPLES, cuda.CCCL)


def test_each_is_refused_by_a_reason() -> None:
    reasons = {row[mode] for row in RESULTS for mode in ("unoptimised", "as_compiled") if not is_read(row[mode])}
    assert all(reason.endswith("not supported") or reason in OTHERS for reason in reasons), reasons


OTHERS = ("not read in time", "refused: the shared variables have more than 16,000 cells in all")
