"""`xgen check` and `xgen.check` on litmus tests: conditions as requirements on final states."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import xgen
from xgen.cli import main

SB = """X86 SB
{ int t[2]; }
 P0            | P1          ;
 MOV [x],$1    | MOV [y],$1  ;
 MOV EAX,[y]   | MOV EAX,[x] ;
 MOV [EBX],EAX |             ;
"""
INIT = SB.replace("t[2];", "t[2]; 0:EBX=t[1];")


@pytest.mark.parametrize(
    ("question", "model", "verdict", "violations"),
    [
        ("~exists (0:EAX=0 /\\ 1:EAX=0)", "tso", "violation", 1),
        ("~exists (0:EAX=0 /\\ 1:EAX=0)", "sc", "safe", 0),
        ("~exists (t[1]=0 /\\ 1:EAX=0)", "tso", "violation", 1),
        ("forall (x=1 /\\ t[0]=0 /\\ (t={0,0} \\/ t={0,1}))", "tso", "safe", 0),
        ("forall (0:EAX=1)", "tso", "violation", 2),
        ("filter (1:EAX=1) forall (0:EAX=1)", "sc", "violation", 1),
        ("exists (0:EAX=0 /\\ 1:EAX=0)", "tso", "safe", 0),
    ],
)
def test_conditions_are_requirements(question: str, model: str, verdict: str, violations: int) -> None:
    program = xgen.parse(INIT + question, "litmus")
    result = xgen.check(program, xgen.model(model), all_states=True)
    assert (result.verdict, result.violations) == (verdict, violations)
    assert sum(outcome.violations for outcome in result.outcomes) == violations
    first = xgen.check(program, xgen.model(model))
    assert (first.verdict, first.violations) == (verdict, min(violations, 1))


def test_the_witness_shows_what_is_not_as_required(tmp_path: Path) -> None:
    path = tmp_path / "SB.litmus"
    path.write_text(INIT + "~exists (0:EAX=0 /\\ 1:EAX=0)")
    result = xgen.check(xgen.load(path), xgen.model("tso"))
    assert result.witness
    assert (result.witness.state["P0:EAX"], result.witness.state["P1:EAX"]) == (0, 0)
    run = CliRunner().invoke(main, ["check", str(path), "--mcm", "tso"])
    assert run.exit_code == 1
    sentence = "final states are not as required: ~exists (0:EAX=0 /\\ 1:EAX=0)"
    assert run.stdout.startswith(f"violation: {sentence} (model tso")
    assert run.stdout.count("not as required") == 1
    assert CliRunner().invoke(main, ["check", str(path), "--mcm", "sc"]).exit_code == 0


@pytest.mark.parametrize("command", ["check", "fences", "explain"])
def test_the_model_is_that_of_the_architecture(command: str, tmp_path: Path) -> None:
    """Unless one is named; of a test that is wrong, what is wrong is said."""
    test = tmp_path / "SB.litmus"
    test.write_text(INIT + "~exists (0:EAX=0 /\\ 1:EAX=0)", encoding="utf-8")
    own = CliRunner().invoke(main, [command, str(test)]).stdout
    assert "tso" in own.split("\n")[0] + own.split("\n")[-2]
    assert "sc" in CliRunner().invoke(main, [command, str(test), "--mcm", "sc"]).stdout.split("\n")[0]
    test.write_text(SB + "~exists (0:EAX=)", encoding="utf-8")
    done = CliRunner().invoke(main, [command, str(test)])
    assert done.exit_code == 2
    assert "SB.litmus:7:16: error" in done.output
