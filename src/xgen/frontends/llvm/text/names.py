"""Names of functions as their source has them."""

from __future__ import annotations

import os
import re
from ctypes import CDLL, c_char_p, c_void_p, string_at

_INLINE = re.compile(r"\bstd::(__1::|__fs::)+")
"""Namespaces of libc++ that nobody writes."""
_HASH = re.compile(r"::h[0-9a-f]{16}$")
"""What Rust puts behind a name."""


def readable(name: str) -> str:
    """A function's name as C++ writes it, with its parameters, or Rust; else as it is.

    The C++ library that llvmlite stands on tells (`__cxa_demangle`); on Windows it has none.
    """
    if not name.startswith("_Z"):
        return name
    from llvmlite import binding, utils

    try:
        library = CDLL(os.path.join(os.path.dirname(binding.__file__), utils.get_library_name()))
        demangle, free = library.__cxa_demangle, library.free
    except (OSError, AttributeError):
        return name
    demangle.restype, demangle.argtypes, free.argtypes = c_void_p, (c_char_p, *[c_void_p] * 3), (c_void_p,)
    text = demangle(name.encode(), None, None, None)
    if text is None:
        return name
    try:
        return _HASH.sub("", _INLINE.sub("std::", string_at(text).decode(errors="replace")))
    finally:
        free(text)
