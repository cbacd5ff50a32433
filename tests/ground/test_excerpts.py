"""The line of a text that a message shows."""

from __future__ import annotations

from xgen.errors import Position, Source, excerpt


def test_a_long_line_is_cut_around_the_place() -> None:
    """The place stays what is underlined, and dots say that the line goes on."""
    shown, marks = excerpt(Source("a.c", "x" * 80 + "HERE" + "y" * 80), Position(1, 81, 4))
    assert shown.partition("| ")[2] == "..." + "x" * 47 + "HERE" + "y" * 43 + "..."
    assert marks.partition("| ")[2] == " " * 50 + "^^^^"


def test_a_line_is_shown_whole_where_there_is_room() -> None:
    source = Source("a.c", "x" * 100)
    assert excerpt(source, Position(1, 3, 1))[0].endswith("| " + "x" * 100)
    assert excerpt(source, Position(1, 99, 1))[0].endswith("| ..." + "x" * 49)
