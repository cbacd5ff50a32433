"""The program that a command is about, and an option that reads it where nothing has read it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import xgen
from xgen.clock import OutOfTime, time_limit
from xgen.errors import UnsupportedError, XgenError
from xgen.program.automaton import Program
from xgen.sources import C

TRIAL = 10.0
"""Seconds that a compiler gets to read what is refused."""


def load(path: Path, c_options: dict[str, Any], left: float | None = None) -> Program:
    """The program of a file. Raises as `xgen.load` does; what is refused in C with no word on what to do is tried with
    --clang, and the error says so where that reads it. `left`: seconds until the command has to end."""
    try:
        return xgen.load(path, **c_options)
    except UnsupportedError as error:
        seconds = TRIAL if left is None else min(TRIAL, left / 2)
        if error.hint is None and path.suffix in C and "clang" not in c_options:
            with suppress(XgenError, OutOfTime), time_limit(seconds):
                xgen.load(path, **c_options, clang=True)
                error.hint = "--clang reads it: a compiler and the reader of C++ stand in for xgen's own reader of C"
        raise
