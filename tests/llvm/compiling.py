"""What tests of C++ and Rust share: whether there is a compiler here."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

import xgen

MISSING = [name for name in ("llvmlite", "ziglang") if find_spec(name) is None]
compiles = pytest.mark.skipif(bool(MISSING), reason=f"needs the extra xgen[cpp]: no {' and no '.join(MISSING)}")


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
rusts = pytest.mark.skipif(NO_RUST is not None, reason=f"needs rustc and the extra xgen[cpp]: {NO_RUST}")


def script(folder: Path, name: str, said: str) -> None:
    """A compiler that says only this."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{said}'\n", encoding="utf-8")
    path.chmod(0o755)
    assert os.access(path, os.X_OK)
