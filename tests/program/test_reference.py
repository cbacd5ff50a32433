"""What docs/xcfa.md shows is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from program.interleavings import explore
from program.strategies import RESERVED

from xgen import program
from xgen.errors import ProgramError, Source
from xgen.lowering.threads import lower

TEXT = (Path(__file__).parents[2] / "docs" / "xcfa.md").read_text(encoding="utf-8")
BLOCKS = [
    re.sub("^    ", "", block, flags=re.M) for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", TEXT, flags=re.M)
]
PROGRAMS = re.findall(r"^```xcfa\n(.*?)^```$", TEXT, flags=re.M | re.S)


def test_example() -> None:
    """The example in both forms."""
    steps, automata = PROGRAMS
    assert "loc Start" in automata
    assert "loc Start" not in steps
    for example in (steps, automata):
        result = explore(lower(program.parse(Source("docs/xcfa.md", example))))
        assert result.verdict == "safe"
        assert {dict(final)["reader:value"] for final in result.finals} == {1}


def test_example_of_an_error() -> None:
    (report,) = [block for block in BLOCKS if "error: " in block]
    lines = ["var turn : int", "process p {", "init loc L", *[""] * 7, "L -> L {", "    assume turn = 1", "} }"]
    with pytest.raises(ProgramError) as info:
        program.parse(Source("peterson.xcfa", "\n".join(lines)))
    assert str(info.value) == report.strip()


def test_reserved_words() -> None:
    """Every reserved word is refused as a name, and every word that the reference quotes is known."""
    for word in RESERVED:
        with pytest.raises(ProgramError, match=f"`{word}` cannot be a name"):
            program.parse(Source("test", f"var {word} : int"))
