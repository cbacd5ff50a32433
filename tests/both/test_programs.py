"""The programs in C that come with xgen: the same verdict, kinds and numbers of executions, whoever reads them."""

from __future__ import annotations

from pathlib import Path

import pytest
from both.readers import Text, differs
from llvm.compiling import compiles

PROGRAMS = Path(__file__).parents[2] / "programs"
NAMES = sorted(
    path.relative_to(PROGRAMS).as_posix() for room in ("c", "mixed") for path in PROGRAMS.glob(f"{room}/*.c")
)


def test_all_are_here() -> None:
    assert len(NAMES) == 45


@compiles
@pytest.mark.sweep
@pytest.mark.parametrize("name", NAMES)
def test_read_alike(name: str) -> None:
    path = PROGRAMS / name
    assert differs(Text(path.read_text(encoding="utf-8"), str(path), {})) is None
