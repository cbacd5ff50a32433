"""pycparser's tokens, each line looked at once, against those of its own lexer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pycparser import c_lexer

from xgen.frontends.c.text import lexer
from xgen.frontends.c.text.preprocess import preprocess
from xgen.sources import read_source

PROGRAMS = sorted((Path(__file__).parents[3] / "programs" / "c").glob("*.c"))
pytestmark = pytest.mark.skipif(not hasattr(c_lexer, "Token"), reason="pycparser 2 has another lexer")


def tokens(kind: Any, text: str) -> list[tuple[Any, ...]]:
    """The tokens with their places; the last one says what is wrong, if something is."""
    found: list[tuple[Any, ...]] = []

    def wrong(*what: object) -> None:
        found.append(what)
        raise StopIteration

    made = kind(wrong)
    made.input(text)
    try:
        while (token := made.token()) is not None:
            found.append((token.type, token.value, token.lineno, token.column, token.filename))
    except StopIteration:
        pass
    return [*found, (made._lineno,)]


def same(text: str) -> None:
    assert tokens(lexer.LineLexer, text) == tokens(c_lexer.CLexer, text)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs(path: Path) -> None:
    same("\n".join(["#line 8", "typedef int a; int b;", *(token.text for token in preprocess(read_source(path)))]))


@pytest.mark.parametrize(
    "lines",
    [
        ["a", "[", "1", "]"],
        ["[", "[", "noreturn", "]", "]", "int", "x"],  # an attribute over several lines
        ["a", "[", "b", "[", "0", "]", "]"],
        ["#", "pragma", "once"],
        ["#pragma once", "int"],
        ["x", "'", "y"],
        ["0x1.8p3f", "1.5e-3", "0b101", "08", "1ull", "'a'", 'L"b"', "'\\q'"],
        ["x", "@", "y"],
        ['"a', "b"],
        [""],
    ],
)
def test_lines(lines: list[str]) -> None:
    same("\n".join(["#line 3", *lines]))


def test_without_a_first_line() -> None:
    same("int x;\nint y;")
