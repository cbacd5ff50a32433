"""One text of C, asked about as each of the two readers reads it."""

from __future__ import annotations

from typing import Any, TypeAlias

import pytest
from c.running import HEAD, model
from llvm.compiling import compiles

import xgen
from xgen.errors import UnsupportedError

READERS = ("own", pytest.param("clang", marks=compiles))
"""C's own reader, and that of the IR which clang makes."""
Said: TypeAlias = tuple[str, int, list[str]]
"""The verdict, how many executions are complete, and the kinds of what goes wrong first."""


def read(reader: str, text: str, *, head: str = HEAD, **options: Any) -> xgen.Program:
    return xgen.parse(head + text, "c", "test.c", clang=reader == "clang", **options)


def ask(reader: str, text: str, *, whole: bool = True, liveness: bool = False, **options: Any) -> xgen.Result:
    """All executions, or those up to the first that goes wrong."""
    program = read(reader, text, **options)
    return xgen.check(program, model("rc11"), all_states=whole, liveness=liveness)


def refusal(reader: str, text: str, **options: Any) -> tuple[str, int | None]:
    """What is said of a text that is refused, and its line."""
    with pytest.raises(UnsupportedError) as caught:
        read(reader, text, head="", **options)
    return caught.value.message, caught.value.line


def said(reader: str, text: str, **options: Any) -> Said:
    result = ask(reader, text, **options)
    kinds = [] if result.witness is None else [violation.kind for violation in result.witness.violations]
    return result.verdict, result.executions, kinds[:1]
