"""`xgen prove` of programs: exit codes, JSON, and what is said of bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import xgen
from xgen import _core
from xgen.cli import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["prove", *arguments])


@pytest.mark.parametrize(
    ("arguments", "code", "verdict"),
    [
        ("endless/peterson_fenced --mcm tso", 0, "safe"),
        ("endless/peterson --mcm tso", 1, "violation"),
        ("endless/deadlock --mcm tso --deadlock", 1, "deadlock"),
        ("endless/deadlock --mcm tso", 0, "safe"),
        ("endless/growing --mcm tso --widen none --limit 300", 3, "unknown"),
        ("peterson --mcm sc", 0, "safe"),
    ],
)
def test_exit_codes_and_json(arguments: str, code: int, verdict: str) -> None:
    outcome = run(*arguments.split(), "--format", "json")
    assert outcome.exit_code == code
    document = json.loads(outcome.stdout)
    assert document["verdict"] == verdict
    assert document["proof"] == (None if verdict == "unknown" else "exact")
    assert set(document["states"]) == {"stored", "visited", "accelerated", "atoms"}
    assert (document["witness"] is not None) == (verdict in ("violation", "deadlock"))
    assert run(*arguments.split()).stdout.startswith(f"{verdict} (model ")


def test_json_has_the_documented_keys() -> None:
    document = json.loads(run("endless/peterson_fenced", "--mcm", "tso", "--format", "json", "--invariant").stdout)
    keys = "xgen program model verdict proof widening states domains local_states reason warnings witness invariant"
    keys += " seconds peak_kib"
    assert list(document) == keys.split()
    assert document["domains"] == {"want0": [False, True], "want1": [False, True], "turn": [0, 1], "inside": [0, 1]}
    assert len(document["invariant"]) == document["states"]["stored"]
    assert set(document["invariant"][0]) == {"at", "memory", "pasts", "buffers"}


def test_when_the_time_is_over() -> None:
    """Before anything was explored, here: no answer."""
    outcome = run("endless/peterson", "--mcm", "tso", "--timeout", "0.000000001", "--format", "json")
    assert outcome.exit_code == 3
    document = json.loads(outcome.stdout)
    assert (document["verdict"], document["reason"], document["proof"]) == ("unknown", "the time is over", None)
    assert run("endless/peterson", "--mcm", "tso", "--timeout", "0").exit_code == 2


def test_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was visited by then is said, and what grows."""
    real = _core.Prover

    class Interrupted:
        def __init__(self, *arguments: Any, **named: Any) -> None:
            self.real = real(*arguments, **named)

        def run(self, seconds: float, limit: int, left: float | None) -> None:
            self.real.run(seconds, min(limit, 50), left)
            raise KeyboardInterrupt

        def __getattr__(self, name: str) -> Any:
            return getattr(self.real, name)

    monkeypatch.setattr(_core, "Prover", Interrupted)
    outcome = run("endless/growing", "--mcm", "tso", "--format", "json")
    assert outcome.exit_code == 3
    document = json.loads(outcome.stdout)
    assert document["verdict"] == "unknown"
    assert document["reason"].startswith("interrupted; what ")
    assert document["states"]["visited"] == 50
    assert run("endless/growing", "--mcm", "tso").stdout.startswith("unknown (model tso")


def test_the_witness_is_one_of_check() -> None:
    document = json.loads(run("endless/dekker", "--mcm", "pso", "--format", "json").stdout)
    assert document["witness"]["error"]["kind"] == "assertion"
    assert {"threads", "events", "po", "rf", "mo", "fr", "ends", "state", "error", "errors", "cause"} == set(
        document["witness"]
    )


COUNTS = """var x : int
process p0 {
  var a : int
  init loc L
  L -> L { a <- x  a + 1 -> x }
}
"""
LOCAL = """var x : int
process p0 {
  var a : int
  init loc L
  L -> L { a := a + 1  0 -> x }
}
"""


@pytest.mark.sweep
@pytest.mark.parametrize("machine", ["sc", "tso", "pso"])
@pytest.mark.parametrize(("text", "what"), [(COUNTS, "x takes more than 4,096 values"), (LOCAL, "p0:a takes too many")])
def test_data_that_are_not_finite_are_named(tmp_path: Path, machine: str, text: str, what: str) -> None:
    (tmp_path / "grows.xcfa").write_text(text)
    outcome = run(str(tmp_path / "grows.xcfa"), "--mcm", machine)
    assert outcome.exit_code == 3
    assert f"the data are not finite: {what}" in outcome.stdout


def test_c_programs_are_read_with_their_options(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("#include <assert.h>\nint main(void) { assert(WORD == 1); return 0; }\n")
    for word, code in ((1, 0), (2, 1)):
        assert run(str(tmp_path / "p.c"), "--mcm", "tso", "-D", f"WORD={word}").exit_code == code
    assert run("c/philosophers", "--mcm", "sc").exit_code == 0
    assert run("c/msqueue_hp", "--mcm", "tso").exit_code == 0
    assert run("c/msqueue_hp_us", "--mcm", "tso").exit_code == 1
    outcome = run("c/philosophers_us", "--mcm", "tso")
    assert (outcome.exit_code, outcome.stdout.split()[0]) == (1, "deadlock")


WAITING = """var x : int
main process p0 {
  init loc L
  final loc E
  L -> E { start p1 atomic-begin 1 -> x join p1 atomic-end }
}
process p1 {
  init loc L
  final loc E
  L -> E { 2 -> x }
}
"""


@pytest.mark.parametrize("machine", ["tso", "pso"])
def test_what_is_not_proved(tmp_path: Path, machine: str) -> None:
    file = tmp_path / "p.xcfa"
    file.write_text(WAITING)
    message = "an atomic block that waits for the end of a thread cannot be proved"
    with pytest.raises(xgen.UnsupportedError, match=message) as caught:
        xgen.prove(xgen.load(file), xgen.model(machine))
    assert (caught.value.line, caught.value.column) == (5, 41)
    assert run(str(file), "--mcm", machine).exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("peterson --mcm weak", "a proof without bounds needs a machine, and the model weak has none"),
        ("endless/dekkr --mcm tso", "did you mean `endless/dekker`?"),
        ("peterson --mcm tso --widen 0", "'0' is neither `none` nor a number from 1 to 1000."),
        ("peterson --mcm tso --widen some", "'some' is neither `none` nor a number from 1 to 1000."),
        ("peterson --mcm tso --limit 0", "0 is not in the range from 1 to 1000000000."),
        ("peterson --mcm tso --procs 2", "--procs is for any number of processes: .cub files and `process p[*]`."),
        ("flags.cub --mcm tso --deadlock", "--deadlock is for programs with as many processes as they name."),
        ("flags.cub --mcm tso -D WORD=1", "the options of C programs are not for .cub files."),
    ],
)
def test_bad_input(arguments: str, message: str) -> None:
    outcome = run(*arguments.split())
    assert outcome.exit_code == 2
    assert message in outcome.stderr


def test_the_violation_is_drawn(tmp_path: Path) -> None:
    drawn = ["--svg", str(tmp_path / "s"), "--dot", str(tmp_path / "d"), "--html", str(tmp_path / "page.html")]
    outcome = run("endless/deadlock", "--mcm", "tso", "--deadlock", "--format", "json", *drawn)
    assert json.loads(outcome.stdout)["verdict"] == "deadlock"
    assert "the violating execution was written to" in outcome.stderr
    assert (tmp_path / "s" / "witness.svg").read_text().startswith("<svg")
    assert (tmp_path / "d" / "witness.dot").read_text().count("rf") > 0
    assert "deadlock (model tso, no bound" in (tmp_path / "page.html").read_text()
    outcome = run("endless/peterson_fenced", "--mcm", "tso", *drawn)
    assert outcome.stdout.count("no violation to draw") == 3
    assert not (tmp_path / "s" / "witness.svg").exists()


def test_a_litmus_test_is_judged_by_its_condition(tmp_path: Path) -> None:
    text = "X86 SB\n{ x=0; y=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n"
    file = tmp_path / "SB.litmus"
    file.write_text(text + "~exists (0:EAX=0 /\\ 1:EAX=0)\n")
    assert run(str(file), "--mcm", "sc").exit_code == 0
    outcome = run(str(file), "--mcm", "tso")
    assert outcome.exit_code == 1
    assert "final states are not as required" in outcome.stdout
