"""One text of C, read by C's own reader and through clang: each is an oracle for the other.

The two readers share the engine, and the library's functions; neither has a line of the other's of what a program says.
So where they find another verdict, another kind of violation, or another number of executions, one of them is wrong, or
the difference has a reason: `differences.txt` has these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from both.table import row_of
from c.running import model

import xgen

OF_C = frozenset(("headers", "data_model", "unroll", "preprocessed", "build", "property"))
"""Options that only C's own reader has; and `unroll`, which counts the rounds that a reader does not write out."""

# What C before C99 lets pass, as C's own reader does: a function that no header declares, and pointers as numbers.
LENIENT = tuple(
    f"-Wno-{warning}" for warning in ("implicit-function-declaration", "int-conversion", "incompatible-pointer-types")
)
MOST_SECONDS = 20.0
"""Longer explorations are not compared: which of two is cut first says nothing."""


@dataclass(frozen=True)
class Text:
    """A text of C that a test has read, with the options that it was given."""

    text: str
    name: str
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Found:
    """What is found of a program in all its executions."""

    verdict: str
    kinds: tuple[str, ...]
    executions: int
    blocked: int

    def __str__(self) -> str:
        kinds = f" ({', '.join(self.kinds)})" if self.kinds else ""
        return f"{self.verdict}{kinds}, {self.executions} executions, {self.blocked} blocked"


def differs(text: Text, mcm: str = "rc11") -> str | None:
    """How what is found of a text depends on who reads it.

    None where it does not, where both refuse it, or where one has no answer in time. `mcm` is the name of a model.
    """
    own = found(text, mcm, clang=False)
    compiled = found(text, mcm, clang=True)
    if own is None or compiled is None or own == compiled or (isinstance(own, str) and isinstance(compiled, str)):
        return None
    return f"C's own reader: {own}; through clang: {compiled}"


def found(text: Text, mcm: str, clang: bool) -> Found | str | None:
    """What is found of a text as one of the readers has it, or its words where it refuses it; None: out of time."""
    options = dict(text.options)
    if clang:
        options |= {"clang": True, "flags": (*options.get("flags", ()), *LENIENT)}
    try:
        program = xgen.parse(text.text, "c", text.name, **options)
        result = xgen.check(program, model(mcm), all_states=True, trace_limit=0, timeout=MOST_SECONDS, classes="off")
    except xgen.XgenError as error:
        return f"refused: {error.message}"
    if result.stopped is not None:
        return None
    kinds = () if result.witness is None else tuple(sorted({v.kind for v in result.witness.violations}))
    return Found(result.verdict, kinds, result.executions, result.blocked)


def comparable(text: Text) -> bool:
    """Whether both readers have the options that a text was read with."""
    return not any(text.options.get(name) for name in OF_C)


def compare(test: str, text: Text) -> str | None:
    """The row of the table that says why a text of a test differs; None if it does not. Fails where no row does."""
    difference = differs(text)
    if difference is None:
        return None
    row = row_of(test)
    if row is None:
        pytest.fail(f"{test}: the two readers differ\n{text.text}\n{difference}", pytrace=False)
    return row
