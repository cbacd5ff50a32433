"""What `xgen check` says with --classes and --cones: verdict line, counts, JSON, and what cannot be asked together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from xgen.analyses.check import portfolio
from xgen.cli import main

READERS = "var x : int process w { init loc A final loc E A -> E { 1 -> x; 2 -> x } } " + "".join(
    f"process r{n} {{ var a : int init loc A final loc E A -> E {{ a <- x; assert a < 3 }} }} " for n in range(3)
)
MANY = "var x : int " + "".join(
    f"process p{n} {{ init loc A final loc E A -> E {{ {'; '.join(f'{k} -> x' for k in range(1, 8))} }} }} "
    for n in range(8)
)
WRONG = "process q { var a : int init loc A final loc E A -> E { a <- x; assert a /= 7 } } "
WAITING = "var x : int process p { var r : int init loc L loc M final loc E L -> M { r <- x } M -> L { assume r = 0 } \
M -> E { assume r /= 0 } } "


def run(tmp_path: Path, text: str, *options: str) -> Result:
    (tmp_path / "prog.xcfa").write_text(text, encoding="utf-8")
    return CliRunner().invoke(main, ["check", str(tmp_path / "prog.xcfa"), "--mcm", "sc", *options])


def document(tmp_path: Path, text: str, *options: str) -> dict[str, Any]:
    found = json.loads(run(tmp_path, text, "--format", "json", *options).stdout)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("text", "options", "status", "head"),
    [
        (READERS, ["rf"], 0, "safe (model sc, no bound, 27 classes, 27 executions, exhaustive)"),
        (READERS, ["seen"], 0, "safe (model sc, no bound, 27 classes of executions that no thread can tell apart"),
        (READERS, ["values"], 0, "safe (model sc, no bound, 27 classes of executions in which reads read the same"),
        (WAITING, ["seen"], 3, "no execution completes (model sc, no bound, 0 classes of executions that no thread"),
        (MANY, ["rf"], 0, "safe (model sc, no bound, 1 class, at least 8 executions, exhaustive)"),
        (WAITING, ["rf"], 3, "no execution completes: 1 of 1 blocked execution waits for ever (p at line 1)"),
        (READERS.replace("< 3", "< 2"), ["rf"], 1, "violation: assertion violated at "),
        (READERS, ["rf", "--cones"], 0, "safe (model sc, no bound, 1 cone, exhaustive)"),
        (READERS, ["rf", "--timeout", "0.000001"], 3, "interrupted by the time limit"),
    ],
)
def test_heads(tmp_path: Path, text: str, options: list[str], status: int, head: str) -> None:
    done = run(tmp_path, text, "--classes", *options)
    assert (done.stdout.startswith(head), done.exit_code) == (True, status), done.stdout


@pytest.mark.parametrize(
    ("text", "trying", "head"),
    [
        (READERS, 10**12, "safe (model sc, no bound, 27 executions, exhaustive)"),
        (MANY, 10**5, "safe (model sc, no bound, 1 class of executions that no thread can tell apart, exhaustive)"),
        (MANY + WRONG, 10**5, "violation: assertion violated at "),
    ],
)
def test_executions_and_classes_in_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, trying: int, head: str
) -> None:
    """Executions where they are done at once; classes where there are more executions than anybody can visit."""
    monkeypatch.setattr(portfolio, "TRYING", trying)
    done = run(tmp_path, text)
    assert done.stdout.splitlines()[0] == run(tmp_path, text, "--classes", "auto").stdout.splitlines()[0]
    assert (done.stdout.startswith(head), done.exit_code) == (True, int(head.startswith("violation"))), done.stdout


def test_json(tmp_path: Path) -> None:
    found = document(tmp_path, READERS, "--classes", "rf")
    assert found["classes"] == {"partition": "rf", "count": 27, "orbits": 10, "refused": 0, "lost": 0, "components": 1}
    assert (found["executions"], sum(outcome["count"] for outcome in found["outcomes"])) == (27, 27)
    apart = document(tmp_path, READERS, "--classes", "rf", "--no-symmetry")
    assert apart["classes"] == {"partition": "rf", "count": 27, "orbits": 27, "refused": 0, "lost": 0, "components": 1}
    assert apart["outcomes"] == found["outcomes"]
    each = document(tmp_path, READERS)
    assert (each["classes"], each["cones"], each["outcomes"]) == (None, None, found["outcomes"])


def test_numbers_that_are_not_exact_are_null(tmp_path: Path) -> None:
    found = document(tmp_path, MANY, "--classes", "rf")
    assert {found[name] for name in ("executions", "blocked", "stuck", "bounded", "violations")} == {None}
    assert [outcome["count"] for outcome in found["outcomes"]] == [None]
    assert (found["verdict"], found["exhaustive"], found["vacuous"]) == ("safe", True, False)


@pytest.mark.parametrize("partition", ["values", "seen"])
def test_executions_are_not_counted_by_what_is_seen(tmp_path: Path, partition: str) -> None:
    found = document(tmp_path, READERS, "--classes", partition, "--all-states")
    assert {found[name] for name in ("executions", "blocked", "stuck", "bounded", "violations")} == {None}
    assert {outcome["count"] for outcome in found["outcomes"]} == {None}
    assert found["classes"] == {
        "partition": partition,
        "count": 27,
        "orbits": 10,
        "refused": 0,
        "lost": 0,
        "components": 1,
    }
    each = document(tmp_path, READERS, "--all-states")
    assert [o["state"] for o in found["outcomes"]] == [o["state"] for o in each["outcomes"]]


def test_cones_in_json(tmp_path: Path) -> None:
    found = document(tmp_path, READERS, "--cones")
    assert (found["cones"], found["executions"], found["outcomes"]) == (["r0 with w"], None, [])
    assert (found["outcomes_complete"], found["verdict"], found["vacuous"]) == (False, "safe", False)


def test_what_is_no_kind_of_classes(tmp_path: Path) -> None:
    done = run(tmp_path, READERS, "--classes", "so")
    assert (done.exit_code, "'so' is not one of 'off', 'rf', 'values', 'seen', 'auto'" in done.stderr) == (2, True)


def test_pictures_and_explanations(tmp_path: Path) -> None:
    """One picture for each orbit, and why a violation is allowed."""
    run(tmp_path, READERS, "--classes", "rf", "--all-states", "--dot", str(tmp_path / "dot"))
    assert len(list((tmp_path / "dot").glob("*.dot"))) == 10
    bad = READERS.replace("< 3", "< 2")
    explained = run(tmp_path, bad, "--classes", "rf", "--explain", "--svg", str(tmp_path / "svg"))
    assert (explained.exit_code, "assert" in explained.stdout, len(list((tmp_path / "svg").glob("*.svg")))) == (
        1,
        True,
        1,
    )
