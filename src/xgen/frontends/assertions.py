"""What is said of a program whose assertions are taken away, or threads of OpenMP: "safe" would be misread else."""

from __future__ import annotations

import re
from collections.abc import Iterable

_ASSERTS = re.compile(r"^[^/\n]*\bassert\s*\(", re.M)
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+NDEBUG\b", re.M)
WITHOUT = "note: NDEBUG is defined: the program's `assert` checks nothing; -U NDEBUG leaves them there"


def without_assertions(text: str, defines: Iterable[str], undefines: Iterable[str]) -> str | None:
    """A note, where a text of C or C++ has assertions, and NDEBUG is defined there or by an option."""
    said = "NDEBUG" in {define.partition("=")[0] for define in defines}.difference(undefines)
    if not _ASSERTS.search(text) or not (said or _DEFINED.search(text)):
        return None
    return WITHOUT if said else WITHOUT.partition(";")[0]


_OPENMP = re.compile(
    r"""(?:^[ \t]*\#[ \t]*pragma[ \t]+|^[^"/\n]*\b_Pragma[ \t]*\([ \t]*")
    (omp[ \t]+(?:parallel|task|teams|target)\b[^\n\\"]*)""",
    re.MULTILINE | re.VERBOSE,
)
"""Directives of OpenMP that start threads, or give them work."""


def of_openmp(text: str) -> str | None:
    """A warning where a text of C or C++ has threads of OpenMP: without -fopenmp, compilers leave them out, too."""
    found = _OPENMP.search(text)
    if found is None:
        return None
    line, directive = text.count("\n", 0, found.start()) + 1, " ".join(found[1].split())
    return f"xgen ignores `#pragma {directive}` in line {line}: without OpenMP, one thread does all of it"
