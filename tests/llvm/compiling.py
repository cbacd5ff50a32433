"""What tests of C++ and Rust share: whether there is a compiler here."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Set
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

import pytest

import xgen
from xgen.executions.execution import Address, Value, show_value

MISSING = [name for name in ("llvmlite", "ziglang") if find_spec(name) is None]
compiles = pytest.mark.skipif(bool(MISSING), reason=f"needs the extra cpp: no {' and no '.join(MISSING)}")


def no_rustc() -> str | None:
    """Why Rust cannot be read here."""
    if "llvmlite" in MISSING:
        return "no llvmlite"
    if shutil.which("rustc") is None or shutil.which("cargo") is None:
        return "no rustc"
    from xgen.frontends.llvm.rust.rustc import find_rustc

    try:
        find_rustc()
    except xgen.XgenError as error:
        return str(error)
    return None


NO_RUST = no_rustc()
rusts = pytest.mark.skipif(NO_RUST is not None, reason=f"needs rustc and the extra cpp: {NO_RUST}")


def script(folder: Path, name: str, said: str) -> None:
    """A compiler that says only this."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{said}'\n", encoding="utf-8")
    path.chmod(0o755)
    assert os.access(path, os.X_OK)


Finals: TypeAlias = tuple[Set[str], tuple[str, int, int], list[tuple[str, int]]]
"""The names that final states list; the verdict, complete and blocked executions; the states, and how often each is
reached."""


def finals(program: xgen.Program, model: str, without: Set[str] = frozenset()) -> Finals:
    """What is found of a program, but for variables that a reader does not have."""
    result = xgen.check(program, xgen.model(model), all_states=True)
    names = {name for outcome in result.outcomes for name in outcome.state} - without
    rows = [(str([(name, _told(o.state[name])) for name in sorted(names)]), o.count) for o in result.outcomes]
    return names, (result.verdict, result.executions, result.blocked), sorted(rows)


def _told(value: Value) -> Value | str:
    """A value without what readers call memory that is asked for."""
    return (
        re.sub(r"&\S*malloc\S*|&node\S*|&(data|dummy|second)\S*", "&", show_value(value))
        if isinstance(value, Address)
        else value
    )
