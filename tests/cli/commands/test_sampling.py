"""`xgen check --sample`: what is said, and that it never reads as if all had been explored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from xgen.cli import main

PROVES_NOTHING = "no violation in 40 samples, which proves nothing (model sc, no bound, seed 1, not exhaustive)\n"


def check(*options: str) -> Result:
    return CliRunner().invoke(main, ["check", *options])


def test_that_there_is_no_violation_proves_nothing() -> None:
    done = check("treiber", "--mcm", "sc", "--sample", "40")
    assert (done.exit_code, done.stdout.partition("\n\n")[0] + "\n") == (3, PROVES_NOTHING)
    assert check("treiber", "--mcm", "sc", "--sample", "40", "-q").stdout == PROVES_NOTHING
    assert "about" in done.stdout
    small = check("mp", "--mcm", "sc", "--sample", "200")
    assert small.exit_code == 3
    assert "\nexecutions  3 complete\ncovered     every execution was met: " in small.stdout
    one = check("mp", "--mcm", "sc", "--sample", "1", "-q").stdout
    assert one.startswith("no violation in 1 sample, which proves nothing (")


def test_a_violation_is_real(tmp_path: Path) -> None:
    options = ("peterson", "--mcm", "tso", "--sample", "1000", "--svg", str(tmp_path))
    done = check(*options)
    assert done.exit_code == 1
    assert done.stdout.startswith("violation: error location Error reached at programs/peterson.xcfa:")
    assert "(model tso, no bound, in sample " in done.stdout
    assert len(list(tmp_path.glob("*.svg"))) == 1
    explained = check(*options[:-2], "--explain")
    assert explained.exit_code == 1
    everything = check(*options[:-2], "--all-states")
    assert "(model tso, no bound, 1,000 samples, seed 1, not exhaustive)" in everything.stdout


def test_samples_in_json() -> None:
    options = ("treiber", "--mcm", "sc", "--sample", "40", "--format", "json")
    first, again = (json.loads(check(*options, "--seed", "5").stdout) for _ in range(2))
    assert first["sample"] == again["sample"]
    assert (first["verdict"], first["stopped"], first["exhaustive"]) == ("interrupted", "samples", False)
    assert first["sample"]["seed"] == 5
    assert sum(outcome["samples"] for outcome in first["sample"]["outcomes"]) == first["sample"]["complete"]
    assert sum(outcome["share"] for outcome in first["sample"]["outcomes"]) == pytest.approx(1)
    assert json.loads(check(*options).stdout)["sample"] != first["sample"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sample", "0"], "0 is not in the range from 1"),
        (["--seed", "2"], "--seed needs --sample"),
    ],
)
def test_what_is_refused(options: list[str], message: str) -> None:
    done = check("mp", "--mcm", "sc", *options)
    assert (done.exit_code, message in done.stderr) == (2, True), done.stderr


RECURSIVE = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
int down(int n) { return n + x == 0 ? 0 : down(n - 1); }
void *body(void *given) { x = 1; return given; }
int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); down(12); }
"""


@pytest.mark.parametrize("asked", [["--sample", "5"], ["--estimate"]])
def test_what_the_reader_has_cut_is_cut_by_no_bound_on_events(tmp_path: Path, asked: list[str]) -> None:
    file = tmp_path / "down.c"
    file.write_text(RECURSIVE)
    said = check(str(file), *asked).stdout
    assert (" cut by other limits" in said, "cut by the bound" in said) == (True, False)
    said = check("peterson", "--mcm", "sc", "--max-depth", "3", *asked).stdout
    assert (" cut by other limits" in said, " cut by the bound" in said) == (False, True)
