"""What tests of C++ share: whether there is a compiler here."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

MISSING = [name for name in ("llvmlite", "ziglang") if find_spec(name) is None]
compiles = pytest.mark.skipif(bool(MISSING), reason=f"needs the extra xgen[cpp]: no {' and no '.join(MISSING)}")


def script(folder: Path, name: str, said: str) -> None:
    """A compiler that says only this."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{said}'\n", encoding="utf-8")
    path.chmod(0o755)
    assert os.access(path, os.X_OK)
