"""What is said of kinds is so: each example has its kind, every kind is there, and docs/errors.md is made of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest
from cli.fake import run

from xgen.executions.execution import ViolationKind
from xgen.views import kinds, sarif

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("kind", [kind for kind in kinds.KINDS if kind.asked is not None], ids=lambda kind: kind.name)
def test_the_example_has_its_kind(kind: kinds.KindOf, tmp_path: Path) -> None:
    path = tmp_path / f"example.{kind.suffix}"
    path.write_text(kind.example + "\n", encoding="utf-8")
    outcome = run("check", str(path), *(kind.asked or "").split(), "--format", "json")
    assert outcome.exit_code == (1 if kind in kinds.VIOLATIONS else 3 if kind.name == "limit" else 2)
    said = json.loads(outcome.stdout).get("error")
    assert f"[{kind.name}]" in outcome.stderr or (said is not None and said["kind"] == kind.name)


def test_every_kind_is_there_once() -> None:
    names = [kind.name for kind in kinds.KINDS]
    assert len(names) == len(set(names))
    assert {*get_args(ViolationKind), *sarif.OTHER_RULES, "usage", "limit", "internal"} == set(names)


def test_the_page_is_made_of_them() -> None:
    """`python -c "from xgen.views import kinds; print(kinds.page(), end='')" > docs/errors.md` writes it."""
    assert (ROOT / kinds.PAGE).read_text(encoding="utf-8") == kinds.page()


def test_the_command() -> None:
    lines = run("kinds").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(kinds.BY_NAME)
    said = run("kinds", "shift").stdout
    assert said.startswith("shift: A shift by less than 0")
    assert "`xgen check example.c` finds it. Check the distance" in said
    assert json.loads(run("kinds", "shift", "--format", "json").stdout)["kinds"][0]["name"] == "shift"
    assert (run("kinds", "rce").exit_code, "'race'" in run("kinds", "rce").stderr) == (2, True)


def test_rules_of_sarif_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "e.c").write_text(kinds.BY_NAME["shift"].example, encoding="utf-8")
    run("check", str(tmp_path / "e.c"), "--sarif", str(tmp_path / "s.json"))
    rules = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))["runs"][0]["tool"]["driver"]["rules"]
    assert rules[0]["fullDescription"]["text"] == kinds.BY_NAME["shift"].what
    assert "docs/errors.md#shift" in rules[0]["help"]["text"]
