"""Programs of assertions that all hold: the system's compiler says so too, and each of them can fail here."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from c.running import model

import xgen

FOLDER = Path(__file__).parent / "programs"
PROGRAMS = sorted(FOLDER.glob("*.c"))
ASSERTION = re.compile(r"\bassert\(")


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
@pytest.mark.parametrize("mcm", ["sc", "rc11"])
def test_all_hold(path: Path, mcm: str) -> None:
    result = xgen.check(xgen.load(path), model(mcm), all_states=True)
    assert (result.verdict, result.executions) == ("safe", 1)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="GNU C needs gcc")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_the_compiler_agrees(path: Path, tmp_path: Path) -> None:
    command = ["gcc", "-w", "-fwrapv", "-o", str(tmp_path / "program"), str(path), "-pthread"]
    subprocess.run(command, check=True)
    subprocess.run([str(tmp_path / "program")], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_each_can_fail(path: Path) -> None:
    """Every fifth assertion is made to say the opposite, one at a time."""
    text = path.read_text(encoding="utf-8")
    for place in list(ASSERTION.finditer(text))[::5]:
        wrong = f"{text[: place.end()]}!{_operand(text[place.end() :])}"
        found = xgen.check(xgen.parse(wrong, "c", path.name), model("sc"))
        assert found.witness is not None, text[place.start() :].splitlines()[0]
        assert found.witness.violations[0].kind == "assertion"


def _operand(rest: str) -> str:
    """The rest of a text, with its first operand (up to the parenthesis that closes it) in parentheses."""
    depth = 1
    for at, sign in enumerate(rest):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return f"({rest[:at]}){rest[at:]}"
    raise AssertionError("unbalanced")
