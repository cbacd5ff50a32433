"""What libc++ has in its library, of threads and exceptions: its sources, compiled once, down to calls of pthread."""

from __future__ import annotations

import os
from collections.abc import Collection
from functools import partial

from xgen.errors import Source
from xgen.frontends.c.text.files import File
from xgen.frontends.c.text.preprocess import Settings
from xgen.frontends.cache import Made, cached
from xgen.frontends.llvm.compiling.compile import FLAGS, compiled
from xgen.frontends.llvm.compiling.compilers import Compiler, own_compiler, reader_version, sources_of_library

PARTS = {
    "threads.cpp": (
        "memory",
        "thread",
        "condition_variable",
        "call_once",
        "shared_mutex",
        "future",
        "barrier",
        "mutex",
    ),
    "destructors.cpp": ("condition_variable_destructor", "mutex_destructor"),
    "exceptions.cpp": (
        "exception",
        "stdexcept",
        "system_error",
        "new_helpers",
        "string",
        "hash",
        "optional",
        "variant",
        "any",
        "functional",
    ),
    "sorting.cpp": ("algorithm",),
    "resources.cpp": ("memory_resource",),
    "types.cpp": tuple(
        f"../../libcxxabi/src/{part}"
        for part in ("private_typeinfo", "stdlib_typeinfo", "stdlib_exception", "stdlib_stdexcept")
    ),
}
"""The sources that are compiled together; those of destructors say classes again. `memory` has to be the first."""
SELDOM = {"sorting.cpp": "@_ZNSt3__16__sortI", "resources.cpp": "NSt3__13pmr"}
"""What is only read where a text has this: it is long. `std::sort` of numbers is there, and memory of std::pmr."""
_FOLDERS = (("libcxx", "src"), ("libcxxabi", "include"), ("libcxxabi", "src"))
LINES = ("-gline-tables-only",)
"""Nobody asks what variables are called in there."""
_DEFINES = ("LIBCXX_BUILDING_LIBCXXABI", "_LIBCPP_BUILDING_LIBRARY")
RUNTIME = (PARTS, SELDOM, LINES, _DEFINES, _FOLDERS)
"""All that says what is compiled, and how."""


def library(texts: Collection[str]) -> list[bytes]:
    """The bitcode of libc++'s own sources that texts in IR may call; none where the extra's compiler is not there."""
    compiler, folder = own_compiler(), sources_of_library()
    if compiler is None or folder is None:
        return []
    folders = tuple(os.path.join(folder, *part) for part in _FOLDERS)
    found = []
    for name, parts in PARTS.items():
        if name in SELDOM and not any(SELDOM[name] in each for each in texts):
            continue
        text = "".join(f'#include "{part}.cpp"\n' for part in parts)
        file = File(Source(os.path.join(folders[0], name), text), Settings(_DEFINES, folders=folders, standard="c++23"))
        key = ("library", compiler, FLAGS, RUNTIME, file.settings, text, reader_version())
        found.append(cached(key, folders, partial(_made, file, compiler)).encode("latin-1"))
    return found


def _made(file: File, compiler: Compiler) -> Made:
    """The bitcode, with a letter for each byte."""
    from xgen.frontends.llvm.passes import bitcode_of

    found = compiled(file, "c++", compiler, LINES)
    return Made(bitcode_of("libc++", found.text).decode("latin-1"), found.read)
