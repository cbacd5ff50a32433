"""`xgen models` and `xgen show`."""

from __future__ import annotations

from pathlib import Path

import pytest

import xgen
from cli.fake import run
from xgen.errors import Source
from xgen.memory.library import list_models
from xgen.program.parser import parse_program


def test_list_names_every_shipped_model_with_its_title() -> None:
    lines = run("models", "list").stdout.splitlines()
    names = [line.split()[0] for line in lines]
    assert {"sc", "tso", "weak", "any"} <= set(names)
    assert all(len(line.split(maxsplit=1)) == 2 for line in lines)


def test_show_describes_and_prints_the_text(tmp_path: Path) -> None:
    text = 'model "toy" "a toy"\nhb = po union rf\nhb acyclic\n'
    (tmp_path / "toy.mcm").write_text(text)
    path = str(tmp_path / "toy.mcm")
    assert run("models", "show", path, "--text").stdout == text
    assert run("models", "show", path).stdout.startswith(f"toy: a toy\n{path}\n\ndefinitions\n")


@pytest.mark.parametrize("name", list_models())
def test_every_shipped_model_is_described(name: str) -> None:
    outcome = run("models", "show", name)
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith(f"{name}: ")


def test_show_of_an_unknown_model() -> None:
    outcome = run("models", "show", "tsoo")
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert "did you mean `tso`?" in outcome.stderr


def test_check(tmp_path: Path) -> None:
    path = tmp_path / "toy.mcm"
    path.write_text('model "toy"\nhb = po union rf\nold = mo ; rf\nhb acyclic\n')
    outcome = run("models", "check", str(path))
    assert outcome.exit_code == 1
    assert outcome.stdout == (f"{path}:3:1: problem: `old` is defined and not used by any constraint\ntoy: 1 problem\n")
    assert run("models", "check", "tso").stdout == "tso: no problems\n"
    outcome = run("models", "check", "any")
    assert outcome.exit_code == 0
    assert "note: the model has no constraint: every execution is allowed\nany: no problems\n" in outcome.stdout


def test_a_model_that_orders_nothing_by_plain_fences_says_so(tmp_path: Path) -> None:
    path = tmp_path / "mine.mcm"
    path.write_text('model "mine"\ng = po(A -> F[mfence]) | po(F[mfence] -> A) | rf | mo | fr\ng acyclic\n')
    outcome = run("models", "check", str(path))
    note = f"{path}: note: it orders nothing by a fence without a tag, but by `fence mfence`\n"
    assert (outcome.exit_code, outcome.stdout) == (0, f"{note}mine: no problems\n")


def test_show_of_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    program = parse_program(Source("p.xcfa", "process p { init loc L final loc M L -> M }"))
    monkeypatch.setattr(xgen, "load", lambda _: program, raising=False)
    outcome = run("show", "d/p.xcfa")
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith("digraph automaton {\n")
    assert '\t\t"p:L" -> "p:M"\n' in outcome.stdout
    assert outcome.stdout.endswith("}\n")
