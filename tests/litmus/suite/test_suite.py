"""The suite in litmus/: it is what its script writes, and all its verdicts are as expected."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from xgen.analyses.suite.suite import outcome_of, read_expectations, run_file
from xgen.resources import shipped

SUITE = shipped("litmus")
VERDICTS = sorted(SUITE.glob("*.csv"))


def test_the_script_writes_the_suite(tmp_path: Path) -> None:
    subprocess.run([sys.executable, SUITE / "generate.py", tmp_path], check=True, capture_output=True)
    written = {path.relative_to(tmp_path): path.read_text() for path in tmp_path.rglob("*.litmus")}
    assert written == {path.relative_to(SUITE): path.read_text() for path in SUITE.rglob("*.litmus")}


def test_every_test_has_a_verdict_under_sc() -> None:
    expectations = read_expectations(str(SUITE / "sc.csv"))
    assert len(expectations.by_path) == len(list(SUITE.rglob("*.litmus"))) > 700
    assert set(expectations.by_path.values()) == {"No"}


@pytest.mark.parametrize("file", VERDICTS, ids=lambda path: path.stem)
def test_verdicts(file: Path) -> None:
    expectations = read_expectations(str(file)).by_path
    found = {path: outcome_of(run_file(path, file.stem)) for path in expectations}
    assert {path: outcome for path, outcome in found.items() if outcome != expectations[path]} == {}
