"""Where the files are that come with xgen: memory models, example programs, litmus tests and protocols."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

_PACKAGE = Path(__file__).parent


def shipped(kind: Literal["mcm", "programs", "litmus", "protocols"]) -> Path:
    """The folder of shipped files of a kind: inside an installed package, or in the source tree that it runs from."""
    installed = _PACKAGE / "data" / kind
    return installed if installed.is_dir() else _PACKAGE.parents[1] / kind


def package_text(path: str) -> str:
    """The text of a file inside the package, such as a style sheet; `path` is relative to the package."""
    return (_PACKAGE / path).read_text(encoding="utf-8")
