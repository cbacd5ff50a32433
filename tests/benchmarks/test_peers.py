"""GenMC's tests as commands (results/peers.csv): what each tool's output comes to, and how it is run."""

from __future__ import annotations

from pathlib import Path

import peers
import pytest
from genmc import Test as Program
from harness import read

FACTS, ROWS = read(Path(__file__).parents[2] / "results" / "peers.csv")


def test_rows_are_of_one_draw() -> None:
    assert (FACTS["repository"], FACTS["commit"], FACTS["seed"]) == (peers.REPOSITORY, peers.COMMIT, str(peers.SEED))
    assert [row["test"] for row in ROWS].index("start-up") == 0
    assert len({row["test"] for row in ROWS}) == peers.COUNT + 1
    for row in ROWS:
        assert float(row["genmc"]) > 0
        if row["xgen"]:
            assert float(row["ratio"]) == pytest.approx(float(row["xgen"]) / float(row["genmc"]), abs=0.006)
        else:
            assert row["xgen_says"].startswith("no answer: ")


@pytest.mark.parametrize(
    ("name", "output", "says"),
    [
        ("xgen", "safe (model rc11)\n\nexecutions  4 complete, 2 blocked, 0 cut by the bound\n", "safe, 4+2"),
        ("xgen", "violation: data race on x at a.c:3:1\nexecutions  1 complete, 0 blocked", "violation, 1+0"),
        ("genmc", "No errors were detected.\nNumber of complete executions explored: 42\n", "safe, 42+0"),
        ("nidhugg", "No errors were detected.\nTrace count: 7\n", "safe, 7+0"),
    ],
)
def test_what_an_output_says(name: str, output: str, says: str) -> None:
    assert peers.said(name, output) == says


def test_a_refusal_says_why() -> None:
    with pytest.raises(ValueError, match=r"^`f` has no body \[input\]$"):
        peers.said("xgen", "a.c:9:14: error: `f` has no body [input]\n    9 | f();\n")


def test_options_that_mean_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers.shutil, "which", lambda command, path=None: command or path)
    options = ("-disable-race-detection", "-unroll=3", "-disable-ipr")
    found = peers.commands(Program(Path("a.c"), options, ("-DN=2", "-std=c11"), "1"))
    assert found["genmc"][-7:] == [*options, "--", "-DN=2", "-std=c11", "a.c"]
    assert found["xgen"][1:] == [
        "check", "a.c", "--mcm", "rc11-c20", "--no-check", "races", "--unroll", "3", "-DN=2",
    ]  # fmt: skip
    assert found["nidhugg"] == ["nidhuggc", f"-I{peers.HEADERS}", "-DN=2", "-std=c11", "--", "-sc", "-unroll=3", "a.c"]
