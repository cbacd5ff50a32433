"""Compilers of CUDA: the one that is asked for, nvcc from PATH, or NVRTC as the extra has it."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from xgen.errors import UsageError
from xgen.extras import installing
from xgen.frontends.c.text.flags import split_words
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler: the command of an nvcc, or (`library`) NVRTC with the folders of its headers; and what changes when
    another version is installed."""

    name: str
    command: tuple[str, ...]
    library: str | None
    folders: tuple[str, ...]
    version: tuple[object, ...]


def find_compiler(wanted: str = "") -> Compiler:
    """The compiler that is wanted, an nvcc; else nvcc from PATH, or the extra's. Raises UsageError where none is."""
    if wanted:
        words = tuple(split_words(wanted))
        path = shutil.which(words[0]) if words else None
        if path is None:
            raise UsageError(f"there is no compiler `{wanted}`", hint="--compiler takes the command of an nvcc")
        return _nvcc(words, path)
    path = shutil.which("nvcc")
    if path is not None:
        return _nvcc(("nvcc",), path)
    found = _libraries()
    if found:
        return found[-1]
    raise UsageError("CUDA is read with NVRTC or nvcc, which is not installed", hint=_hint())


def _hint() -> str:
    if sys.platform == "darwin":
        return "they are there for Linux and Windows; PTX that was made there is read here"
    return f"`{installing('cuda')}` has NVRTC"


def _nvcc(words: tuple[str, ...], path: str) -> Compiler:
    return Compiler(" ".join(words), words, None, (), (*words[1:], *_identity(os.path.realpath(path))))


def _libraries() -> list[Compiler]:
    """NVRTC as PyPI's packages have it, the newest one last."""
    spec = find_spec("nvidia")
    folders = () if spec is None else tuple(spec.submodule_search_locations or ())
    found = sorted((_version(path.name), str(path)) for folder in folders for path in _files(Path(folder)))
    headers = tuple(_headers([Path(folder) for folder in folders]))
    return [Compiler("NVRTC", (), path, headers, (*version, *_identity(path))) for version, path in found]


def _files(folder: Path) -> Iterator[Path]:
    for path in (*folder.glob("*/lib/libnvrtc.so.*"), *folder.glob("*/bin/**/nvrtc64_*.dll")):
        if "alt" not in path.name:
            yield path


def _version(name: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", name.partition("nvrtc")[2])))


def _headers(folders: list[Path]) -> Iterator[str]:
    """The folders of CUDA's headers, and of CCCL's."""
    for folder in folders:
        for include in sorted(folder.glob("*/include")):
            yield str(include)
            if (include / "cccl").is_dir():
                yield str(include / "cccl")


def _identity(path: str) -> tuple[object, ...]:
    """What is another where a file is: which one it is, how long, and from when."""
    status = os.stat(path)
    return path, status.st_size, status.st_mtime_ns
