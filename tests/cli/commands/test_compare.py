"""`xgen compare`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.fake import run

SB = """X86 SB
{ }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
"""


def test_a_generated_program() -> None:
    """Store buffering tells sc from tso."""
    outcome = run("compare", "sc", "tso")
    lines = outcome.stdout.splitlines()
    assert (outcome.exit_code, lines[0]) == (1, "tso allows what sc forbids: P0:r0=0 /\\ P1:r0=0 (SB)")
    assert lines[2] == "X86 sc-tso"
    assert "exists (0:EAX=0 /\\ 1:EAX=0)" in lines
    verdicts = [line.split() for line in lines[-3:-1]]
    assert verdicts == [["sc", "No", "Never", "0", "3"], ["tso", "Ok", "Sometimes", "1", "3"]]
    assert lines[-1] == "found after 15 generated programs of up to 4 accesses, fences, dependencies and tags"


def test_a_generated_program_as_json() -> None:
    outcome = run("compare", "tso", "pso", "--format", "json")
    document = json.loads(outcome.stdout)
    assert outcome.exit_code == 1
    assert (document["models"], document["same"]) == (["tso", "pso"], False)
    assert (document["allows"], document["forbids"]) == ("pso", "tso")
    assert document["condition"] == {"P1:r0": 1, "P1:r1": 0}
    assert [result["verdict"] for result in document["results"]] == ["No", "Ok"]
    assert document["test"].startswith("X86 tso-pso\n")
    assert (document["tests"], document["shape"], document["words"]) == ([document["test"]] * 2, "MP", [])


@pytest.mark.slow
def test_machines_without_a_common_instruction() -> None:
    """Each gets the program in its own, and a table says what the words in it mean."""
    outcome = run("compare", "arm8", "power")
    lines = outcome.stdout.splitlines()
    assert (outcome.exit_code, lines[0]) == (
        1,
        "power allows what arm8 forbids: P0:r0=1 /\\ P1:r0=1 /\\ P1:r1=0 (WRC)",
    )
    assert lines[2] == "The same program for arm8, in AArch64, and for power, in PPC:"
    assert {"AArch64 arm8-power", "PPC arm8-power"} < set(lines)
    assert "memory_order" not in outcome.stdout
    start = next(number for number, line in enumerate(lines) if line.startswith("what it means"))
    assert [line.split("  ")[0] for line in lines[start : start + 3]] == [
        "what it means",
        "dependency addr",
        "fence dmb.sy / sync",
    ]
    assert lines[start + 2].split()[-4:] == ["full", "fence", "full", "fence"]
    document = json.loads(run("compare", "arm8", "power", "--format", "json").stdout)
    assert [text.split()[0] for text in document["tests"]] == ["AArch64", "PPC"]
    assert [result["verdict"] for result in document["results"]] == ["No", "Ok"]
    assert document["words"][1] == {
        "kind": "fence",
        "written": ["dmb.sy", "sync"],
        "means": ["full fence", "full fence"],
    }


def test_no_difference() -> None:
    outcome = run("compare", "sc", "sc", "--max-size", "3")
    assert outcome.exit_code == 0
    assert outcome.stdout == (
        "no difference found between sc and sc: the same outcomes on 14 generated programs of up to 3 accesses, "
        "fences, dependencies and tags\n"
    )
    outcome = run("compare", "tso", "tso", "--timeout", "0.001", "--format", "json")
    document = json.loads(outcome.stdout)
    assert (outcome.exit_code, document["same"], document["stopped"]) == (3, True, True)
    assert (document["test"], document["results"]) == (None, None)


def test_a_suite(tmp_path: Path) -> None:
    """The tests that tell the models apart are listed, with the states of one model only."""
    (tmp_path / "SB.litmus").write_text(SB)
    (tmp_path / "fenced.litmus").write_text(
        SB.replace(" MOV EAX,[y] |", " MFENCE      | MFENCE      ;\n MOV EAX,[y] |")
    )
    outcome = run("compare", "sc", "tso", str(tmp_path))
    lines = outcome.stdout.splitlines()
    assert (outcome.exit_code, lines[0]) == (1, "2 tests: 1 tell sc and tso apart")
    assert lines[3].split() == [
        str(tmp_path / "SB.litmus"), "No", "Never", "0", "3", "Ok", "Sometimes", "1", "3", "0:EAX=0;", "1:EAX=0;",
    ]  # fmt: skip
    document = json.loads(run("compare", "sc", "tso", str(tmp_path), "--format", "json").stdout)
    assert [(test["name"], test["differs"]) for test in document["tests"]] == [("SB", True), ("SB", False)]
    assert document["tests"][0]["only"] == [[], ["0:EAX=0; 1:EAX=0;"]]
    assert run("compare", "sc", "tso", str(tmp_path / "fenced.litmus")).exit_code == 0


def test_tests_without_answers(tmp_path: Path) -> None:
    """They are listed, and the models are not said to be the same."""
    (tmp_path / "bad.litmus").write_text(SB.replace("MOV [x],$1 ", "NOSUCH     "))
    outcome = run("compare", "sc", "tso", str(tmp_path))
    assert outcome.exit_code == 2
    assert "without two answers:" in outcome.stdout


def test_bad_usage() -> None:
    assert run("compare", "sc").exit_code == 2
    assert run("compare", "sc", "nosuch").exit_code == 2
    assert run("compare", "sc", "tso", "nosuch.litmus").exit_code == 2
    assert run("compare", "sc", "tso", "--max-size", "1").exit_code == 2
