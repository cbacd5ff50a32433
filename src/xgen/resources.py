"""Where the files are that come with xgen: memory models, example programs, litmus tests and protocols."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from typing import Literal, get_args

Kind = Literal["mcm", "programs", "litmus", "protocols"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_PACKAGE = Path(__file__).parent


def shipped(kind: Kind) -> Path:
    """The folder of shipped files of a kind: inside an installed package, or in the source tree that it runs from."""
    installed = _PACKAGE / "data" / kind
    return installed if installed.is_dir() else _PACKAGE.parents[1] / kind


def short(name: str) -> str:
    """A file's name as people read it: what comes with xgen, from its folder on; what is below the working directory,
    from there on; all others as they are."""
    for kind in KINDS:
        folder = shipped(kind)
        if name.startswith(f"{folder}{os.sep}"):
            return f"{kind}/{PurePath(name).relative_to(folder).as_posix()}"
    if not os.path.isabs(name):
        return name.replace(os.sep, "/")
    try:
        here = os.getcwd()
    except OSError:  # the folder is gone
        return name
    return PurePath(name).relative_to(here).as_posix() if name.startswith(f"{here}{os.sep}") else name


def in_package(name: str) -> bool:
    """Whether a file is one of the package itself, such as a header of C; programs that come with it are not."""
    return name.startswith(f"{_PACKAGE}{os.sep}") and not name.startswith(f"{_PACKAGE / 'data'}{os.sep}")


def package_folder(path: str) -> Path:
    """A folder inside the package."""
    return _PACKAGE / path


def package_text(path: str) -> str:
    """The text of a file inside the package, such as a style sheet; `path` is relative to the package."""
    return (_PACKAGE / path).read_text(encoding="utf-8")
