"""`xgen repair`: what it prints, and its exit codes."""

from __future__ import annotations

import builtins
import json
from pathlib import Path
from typing import Any

import pytest

from cli.fake import run
from xgen.extras import installing

VOTER = """repaired: tmr tolerates its faults with the actions below (masking)
  16 states, 32 groups of steps, 52 clauses, 0 cycles forbidden, 16 states reached, 10 of them legitimate, \
8 of 14 groups kept, 0 new

process voter
  strengthened  out = none and (b = a or c = a) -> out := a
"""


def test_repaired() -> None:
    outcome = run("repair", "tmr")
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith(VOTER)
    assert "\nremoved\n  out = none -> out := a\n    where c /= a and b /= a\n" in outcome.stdout


def test_tolerant_already() -> None:
    outcome = run("repair", "dijkstra", "--level", "nonmasking")
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith("tolerant already: dijkstra tolerates its faults as it is (nonmasking)\n")


def test_impossible() -> None:
    outcome = run("repair", "dijkstra", "--level", "nonmasking", "--set", "k=2")
    assert outcome.exit_code == 1
    assert outcome.stdout.startswith("impossible: no program with these reads and writes makes dijkstra tolerant")


def test_check() -> None:
    outcome = run("repair", "token_ring", "--check")
    assert outcome.exit_code == 1
    lines = outcome.stdout.splitlines()
    assert lines[0] == "not tolerant: token_ring stops where it must go on (masking)"
    assert lines[1] == "  start: x.0 = 0, x.1 = 0, x.2 = 0, x.3 = 0"
    assert lines[-1] == "  process 3: x /= x.(j - 1) -> x := x.(j - 1)   [x.3 = none]"
    outcome = run("repair", "dijkstra", "--check", "--level", "nonmasking")
    assert outcome.exit_code == 0
    assert outcome.stdout.splitlines() == [
        "tolerant: dijkstra tolerates its faults (nonmasking)",
        "  81 states reached, 21 of them legitimate",
    ]


def test_a_cycle_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "livelock.gcl"
    path.write_text(
        "var x : 0 .. 2 = 0\nprocess p { reads x writes x  x = 1 -> x := 2  x = 2 -> x := 1 }\n"
        "fault: x = 0 -> x := 1\nlegit: x = 0"
    )
    outcome = run("repair", str(path), "--check")
    assert outcome.stdout.splitlines()[2:] == [
        "  fault: x = 0 -> x := 1",
        "  from here on round and round:",
        "  process p: x = 1 -> x := 2",
        "  process p: x = 2 -> x := 1",
    ]


ROUND_TRIPS = [
    ("byzantine",),
    ("byzantine", "--level", "failsafe"),
    ("byzantine", "--level", "nonmasking"),
    pytest.param(("byzantine", "--set", "n=4"), marks=pytest.mark.slow),
    ("tmr",),
    ("token_ring", "--set", "n=5"),
    ("dijkstra", "--level", "nonmasking"),
]


@pytest.mark.sweep
@pytest.mark.parametrize("arguments", ROUND_TRIPS, ids=" ".join)
def test_a_protocol_again(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """What is printed is tolerant, and repairing it changes nothing."""
    first = run("repair", *arguments, "--format", "gcl")
    assert first.exit_code == 0
    path = tmp_path / "repaired.gcl"
    path.write_text(first.stdout, encoding="utf-8")
    level = arguments[arguments.index("--level") :][:2] if "--level" in arguments else ()
    assert run("repair", str(path), "--check", *level).exit_code == 0
    again = json.loads(run("repair", str(path), *level, "--format", "json").stdout)
    before = json.loads(run("repair", *arguments, "--format", "json").stdout)
    assert (again["verdict"], again["removed"], again["new"]) == ("tolerant", 0, 0)
    assert (again["reached"], again["legitimate"]) == (before["reached"], before["legitimate"])
    assert again["constants"] == before["constants"]


def test_json() -> None:
    document = json.loads(run("repair", "byzantine", "--format", "json").stdout)
    keys = "xgen program protocol constants level verdict states groups clauses cycles reached legitimate kept removed"
    assert list(document) == [*keys.split(), "new", "actions", "removals", "seconds"]
    numbers = [document[key] for key in ("states", "groups", "clauses", "reached", "legitimate", "kept", "new")]
    assert numbers == [696, 510, 12_570, 460, 338, 42, 4]
    assert document["actions"][0] == {
        "process": "j",
        "guard": "d = none and not f",
        "effect": "d := d.g",
        "origin": "old",
    }
    assert {action["origin"] for action in document["actions"]} == {"old", "strengthened", "new"}
    (removal,) = document["removals"]
    assert (removal["groups"], removal["trouble"]["kind"]) == (12, "bad step")
    start = removal["trouble"]["run"][0]
    assert (start["step"], start["state"]["d.0"]) == (None, "none")
    document = json.loads(run("repair", "tmr", "--check", "--format", "json").stdout)
    assert (document["verdict"], document["trouble"]["kind"], document["reached"]) == ("intolerant", "bad step", None)


def test_no_answer() -> None:
    outcome = run("repair", "byzantine", "--limit", "100")
    assert outcome.exit_code == 3
    assert outcome.stdout.startswith("no answer: there are more than 100 states; --limit allows more (masking)")
    outcome = run("repair", "byzantine", "--timeout", "1e-9", "--format", "json")
    assert outcome.exit_code == 3
    document = json.loads(outcome.stdout)
    assert (document["verdict"], document["reason"]) == ("interrupted", "the time is over")
    outcome = run("repair", "byzantine", "--check", "--limit", "10")
    assert outcome.exit_code == 3
    assert outcome.stdout == "no answer: there are more than 10 states; --limit allows more (masking)\n"
    outcome = run("repair", "byzantine", "--limit", "100", "--format", "gcl")
    assert (outcome.exit_code, outcome.stdout) == (3, "")


WRONG = [
    (("tmp",), "did you mean `tmr`?"),
    (("byzantine", "--set", "m=4"), "has no constant `m`"),
    (("byzantine", "--set", "n"), "a constant is set by NAME=NUMBER."),
    (("byzantine", "--set", "n=many"), "a constant is set by NAME=NUMBER."),
    (("byzantine", "--limit", "0"), "0 is not in the range"),
    (("byzantine", "--level", "some"), "'some' is not one of"),
    (("byzantine", "--check", "--format", "gcl"), "--check has no protocol to print"),
    (("no/such.gcl",), "there is no such file"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=[" ".join(arguments) for arguments, _ in WRONG])
def test_wrong_input(arguments: tuple[str, ...], message: str) -> None:
    outcome = run("repair", *arguments)
    assert outcome.exit_code == 2
    assert message in outcome.stderr
    assert "Traceback" not in outcome.stderr


def test_without_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("pysat"):
            raise ImportError(name=name.partition(".")[0])
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", missing)
    outcome = run("repair", "tmr")
    assert outcome.exit_code == 2
    assert outcome.stderr == f"error: `xgen repair` needs pysat\n  `{installing('repair')}` has it\n"


def test_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known by then is printed."""

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("xgen.repair.repair.choose", interrupted)
    outcome = run("repair", "byzantine", "--format", "json")
    assert outcome.exit_code == 3
    document = json.loads(outcome.stdout)
    assert (document["verdict"], document["reason"], document["clauses"]) == (
        "interrupted",
        "it was interrupted",
        12_570,
    )
    monkeypatch.setattr("xgen.repair.repair.check", interrupted)
    outcome = run("repair", "byzantine", "--check")
    assert (outcome.exit_code, outcome.stdout) == (3, "no answer: it was interrupted (masking)\n")
