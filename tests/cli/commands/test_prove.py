"""`xgen prove` and `xgen certify`: what they print, and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.fake import run
from xgen.resources import shipped

TICKET = ("prove", "ticket", "--mcm", "tso", "--max-cubes", "100")


def test_safe() -> None:
    outcome = run("prove", "flags_fenced", "--mcm", "tso")
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith("safe for any number of processes (model tso)\n\nexplored    8 cubes")


def test_violation_shows_the_run_and_the_execution() -> None:
    outcome = run("prove", "flags", "--mcm", "tso")
    assert outcome.exit_code == 1
    assert outcome.stdout.startswith("violation with 2 processes (model tso)\n")
    assert "\nthe run\n  ask(#2)\n  enter(#2)\n  ask(#1)\n  enter(#1)\n" in outcome.stdout
    assert "R Flag_1 = 0  from init" in outcome.stdout


def test_unknown() -> None:
    outcome = run(*TICKET)
    assert outcome.exit_code == 3
    assert outcome.stdout.startswith(
        "unknown (model tso)\n\nmore than 100 cubes; the cube that keeps growing is At[#1] = In && At[#2] = Queued"
    )


def test_quiet() -> None:
    assert run("prove", "sb", "--mcm", "sc", "-q").stdout == "safe for any number of processes (model sc)\n"
    assert run("prove", "sb", "--mcm", "sc", "-q", "--procs", "3").stdout == "safe for 3 processes (model sc)\n"


def test_verbose_lists_the_cubes() -> None:
    text = run("prove", "msi", "--mcm", "tso", "-v").stdout
    assert "\ncubes\n  0 unsafe: #1 @ Line[#1] (read 1) = Modified && #2 @ Line[#2] (read 1) <> Invalid" in text


def test_json() -> None:
    safe = json.loads(run("prove", "peterson_fenced.cub", "--mcm", "tso", "--format", "json").stdout)
    assert (safe["verdict"], safe["processes"], safe["cubes"], safe["replayed"]) == ("safe", 2, 22, False)
    assert safe["trace"] is None
    bad = json.loads(run("prove", "sb", "--mcm", "tso", "--format", "json").stdout)
    assert (bad["verdict"], bad["processes"], bad["trace_processes"], bad["replayed"]) == ("violation", "any", 2, True)
    assert [step["transition"] for step in bad["trace"]] == ["write", "read", "write", "read"]


WRONG = [
    (("prove", "flags", "--mcm", "pso"), "the model `pso` is not one for any number of processes"),
    (("prove", "flag", "--mcm", "sc"), "did you mean `flags`?"),
    (
        ("prove", "flags", "--mcm", "sc", "--deadlock"),
        "--deadlock is for programs with as many processes as they name.",
    ),
    (
        ("prove", "peterson", "--mcm", "sc", "--brab", "2"),
        "--brab is for any number of processes: .cub files and `process p[*]`.",
    ),
    (("prove", "no.cub", "--mcm", "sc"), "there is no such file"),
    (("prove", "flags"), "Missing option '--mcm': the memory model, one of sc, tso and pso."),
    (("prove", "flags", "--mcm", "sc", "--procs", "0"), "not in the range"),
    (("prove", "iriw", "--mcm", "sc", "--procs", "3"), "calls some by their numbers"),
    (("certify", "no.json"), "there is no such file"),
    (("certify", __file__), "this is not a certificate"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=[" ".join(a)[:40] for a, _ in WRONG])
def test_wrong_input(arguments: tuple[str, ...], message: str) -> None:
    outcome = run(*arguments)
    assert outcome.exit_code == 2
    assert message in outcome.stderr
    assert outcome.stdout == ""


def test_out_of_time() -> None:
    outcome = run("prove", "ticket", "--mcm", "tso", "--timeout", "0.3")
    assert outcome.exit_code == 3
    assert outcome.stdout.startswith("interrupted (model tso)\n\nout of time; the cube that keeps growing is ")


def test_certificate(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    text = run("prove", "xchg", "--mcm", "tso", "--certificate", str(file)).stdout
    assert text.endswith(f"\ncertificate in {file}\n")
    outcome = run("certify", str(file), "--smt2", str(tmp_path / "smt2"))
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith("proved: xchg.cub is safe for any number of processes (model tso)\n32 obligations")
    written = sorted((tmp_path / "smt2").glob("*.smt2"))
    assert len(written) == 32
    assert written[0].read_text().startswith("; unsafe at line 14: its states are in a cube\n(set-logic ALL)\n")
    assert json.loads(run("certify", str(file), "--format", "json").stdout)["verdict"] == "proved"


def test_changed_certificate(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    run("prove", "xchg", "--mcm", "tso", "--certificate", str(file))
    document = json.loads(file.read_text())
    document["cubes"] = document["cubes"][:-1]
    file.write_text(json.dumps(document))
    outcome = run("certify", str(file))
    assert outcome.exit_code == 1
    assert outcome.stdout.startswith("refuted: it is not shown that xchg.cub is safe")


def test_no_certificate_without_a_proof(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    assert run("prove", "flags", "--mcm", "tso", "--certificate", str(file)).exit_code == 1
    assert not file.exists()


def test_pictures_of_a_violation(tmp_path: Path) -> None:
    outcome = run(
        *("prove", "flags", "--mcm", "tso", "--svg", str(tmp_path / "s"), "--dot", str(tmp_path / "d")),
        *("--html", str(tmp_path / "p.html")),
    )
    assert outcome.exit_code == 1
    assert f"the violating execution was written to {tmp_path / 's' / 'witness.svg'}" in outcome.stdout
    assert "Flag_1" in (tmp_path / "s" / "witness.svg").read_text()
    assert "Flag_1" in (tmp_path / "d" / "witness.dot").read_text()
    assert "Flag_1" in (tmp_path / "p.html").read_text()


def test_no_pictures_of_a_proof(tmp_path: Path) -> None:
    outcome = run("prove", "flags_fenced", "--mcm", "tso", "--svg", str(tmp_path), "--format", "json")
    assert outcome.exit_code == 0
    assert json.loads(outcome.stdout)["verdict"] == "safe"
    assert outcome.stderr == "no violation to draw: no picture was written\n"
    assert list(tmp_path.iterdir()) == []


def test_any_number_of_processes_in_a_program(tmp_path: Path) -> None:
    safe = run("prove", "any/ttas", "--mcm", "tso", "--certificate", str(tmp_path / "c.json"))
    assert safe.exit_code == 0
    assert safe.stdout.startswith("safe for any number of processes (model tso)\n")
    assert run("certify", str(tmp_path / "c.json")).stdout.startswith("proved")
    bad = run("prove", "any/first_come", "--mcm", "sc", "-q")
    assert (bad.exit_code, bad.stdout) == (1, "violation with 2 processes (model sc)\n")
    refused = run("check", str(shipped("programs") / "any" / "ttas.xcfa"), "--mcm", "tso")
    assert refused.exit_code == 2
    assert "`p` stands for any number of processes" in refused.stderr
    assert "`xgen prove` answers for all numbers, with --procs N for one" in refused.stderr
