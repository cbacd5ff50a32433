"""What is said of a program whose assertions are taken away: that it is safe would else be read as their answer."""

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
