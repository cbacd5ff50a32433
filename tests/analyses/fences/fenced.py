"""Texts of programs with placements of fences."""

from __future__ import annotations

from xgen.analyses.fences.fences import Placements, texts_with


def text_with(answer: Placements, number: int = 0) -> str | None:
    """The text of a program of one file, with a placement."""
    texts = texts_with(answer, number)
    if texts is None:
        return None
    (text,) = texts.values()
    return text
