"""Compilers that make LLVM's IR of C++ and C: the one that is asked for, that of the extra, or clang from PATH."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec

from xgen.errors import UsageError
from xgen.extras import installing
from xgen.frontends.c.text.flags import split_words
from xgen.records import dataclass

OLDEST = 16
"""Older ones have pointers with types."""
TARGET = "x86_64-linux-gnu"
"""So that answers do not depend on the machine."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler: the command for C++, that for C, and what changes when another version is installed."""

    name: str
    cpp: tuple[str, ...]
    c: tuple[str, ...]
    version: tuple[object, ...]


def reader_version() -> str:
    """The version of what reads IR, without importing it."""
    from importlib.metadata import version  # takes long

    return version("llvmlite")


def newest() -> int:
    """The version of LLVM whose IR can be read. Raises UsageError where none is installed."""
    try:
        import llvmlite.binding as llvm
    except ImportError:
        raise missing("LLVM's IR", "llvmlite") from None
    found: int = llvm.llvm_version_info[0]
    return found


def missing(language: str, what: str) -> UsageError:
    """The error where something that a language is read with is not here."""
    hint = f"`{installing('cpp')}` has it"
    return UsageError(f"{language} is read with {what}, which is not installed", hint=hint)


def find_compiler(wanted: str = "", language: str = "C++") -> Compiler:
    """The compiler that is wanted; else that of the extra, whose libc++ has its sources; else clang++ from PATH.

    Raises UsageError where there is none, or one that makes no IR that can be read.
    """
    if find_spec("llvmlite") is None:
        raise missing(language, "llvmlite")
    if wanted:
        return _named(wanted)
    own = own_compiler()
    if own is not None:
        return own
    for version in (None, *range(newest(), OLDEST - 1, -1)):
        command = "clang++" if version is None else f"clang++-{version}"
        if shutil.which(command) is not None and _why_not(command, (command,)) is None:
            return _clang((command,))
    raise missing(language, f"clang {OLDEST} to {newest()}")


def own_compiler() -> Compiler | None:
    """That of the extra, if it is installed."""
    spec = find_spec("ziglang")
    if spec is None or spec.origin is None:
        return None
    words = (sys.executable, "-m", "ziglang")
    version = _identity(os.path.join(os.path.dirname(spec.origin), "zig"))
    return Compiler("clang of ziglang", (*words, "c++"), (*words, "cc"), version)


def sources_of_library() -> str | None:
    """The folder of libc++ that has its sources, beside the compiler of the extra."""
    spec = find_spec("ziglang")
    return None if spec is None or spec.origin is None else os.path.join(os.path.dirname(spec.origin), "lib")


def _named(wanted: str) -> Compiler:
    words = tuple(split_words(wanted))
    if not words or shutil.which(words[0]) is None:
        raise UsageError(f"there is no compiler `{wanted}`", hint="--compiler takes a command, as clang++-19")
    why = _why_not(wanted, words)
    if why is not None:
        raise UsageError(why, hint=f"it is read from clang {OLDEST} to {newest()}")
    return _clang(words)


def _clang(words: tuple[str, ...]) -> Compiler:
    path = shutil.which(words[0])
    assert path is not None
    return Compiler(" ".join(words), words, words, (*words[1:], *_identity(os.path.realpath(path))))


def _why_not(command: str, words: tuple[str, ...]) -> str | None:
    """Why a compiler is not to be had."""
    try:
        ended = subprocess.run([*words, "--version"], capture_output=True, encoding="utf-8", errors="replace")
    except OSError as error:
        return f"the compiler `{command}` cannot be run: {error.strerror}"
    found = re.search(r"clang version (\d+)", ended.stdout)
    if found is None:
        return f"`{command}` is no clang: it makes no IR of LLVM"
    version = int(found[1])
    if version < OLDEST:
        return f"`{command}` is clang {version}, whose IR is too old"
    if version > newest():
        return f"`{command}` is clang {version}: this IR is of a newer LLVM than llvmlite's ({newest()})"
    return None


def _identity(path: str) -> tuple[object, ...]:
    """What is another where a file is: which one it is, how long, and from when."""
    for name in (path, f"{path}.exe"):
        if os.path.exists(name):
            status = os.stat(name)
            return name, status.st_size, status.st_mtime_ns
    return (path,)
