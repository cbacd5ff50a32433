"""Bodies for functions of C's library that a program calls: those of include/library.c, compiled once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from xgen.errors import Source
from xgen.frontends.c.text.files import File
from xgen.frontends.c.text.preprocess import Settings
from xgen.frontends.c.text.shipped_bodies import SHIPPED, places
from xgen.frontends.cache import Made, cached
from xgen.frontends.library.table import FUNCTIONS
from xgen.frontends.llvm.compiling.compile import FLAGS, compiled
from xgen.frontends.llvm.compiling.compilers import Compiler, reader_version
from xgen.frontends.llvm.compiling.runtime import LINES
from xgen.frontends.llvm.language.calls import found

_BEFORE = """typedef __SIZE_TYPE__ size_t;
void *malloc(size_t);
void *memcpy(void *restrict, const void *restrict, size_t);
void __xgen_errno(int);
void __xgen_swap(void *, void *, size_t);
"""
"""What is called there and said nowhere: of letters, what comes later in that file."""
_LETTERS = ("isdigit", "isupper", "islower", "isalpha", "isalnum", "isxdigit", "isgraph", "tolower")
_BEHIND = """
long __isoc23_strtol(const char *restrict t, char **restrict e, int b) { return strtol(t, e, b); }
long long __isoc23_strtoll(const char *restrict t, char **restrict e, int b) { return strtoll(t, e, b); }
unsigned long __isoc23_strtoul(const char *restrict t, char **restrict e, int b) { return strtoul(t, e, b); }
unsigned long long __isoc23_strtoull(const char *restrict t, char **restrict e, int b) { return strtoull(t, e, b); }
"""
"""What newer versions of glibc's headers call some of them."""


def text() -> str:
    """All that is compiled; lines are those of the file."""
    letters = "".join(f"int {name}(int);\n" for name in _LETTERS)
    return f"{_BEFORE}{letters}#line 1\n{SHIPPED.read_text('utf-8')}{_BEHIND}"


def shipped(compiler: Compiler, of_c: bool, names: Sequence[str]) -> list[tuple[str, bytes]]:
    """The bitcode of all such functions, if one of some that have no body is among them, and nothing else knows it:
    `strlen` and its like, of texts that are known, are computed at once where a program is not `of_c` only."""
    known = {*places(), *(f"__isoc23_strto{kind}" for kind in ("l", "ll", "ul", "ull"))}
    if not any(name in known and name not in FUNCTIONS and (of_c or found(name) is None) for name in names):
        return []
    file = File(Source(str(SHIPPED), text()), Settings(standard="c17"))
    key = ("functions of C", compiler, FLAGS, LINES, file.source.text, reader_version())
    return [(str(SHIPPED), cached(key, (), partial(_made, file, compiler)).encode("latin-1"))]


def _made(file: File, compiler: Compiler) -> Made:
    """The bitcode, with a letter for each byte."""
    from xgen.frontends.llvm.passes import bitcode_of

    made = compiled(file, "c", compiler, LINES)
    return Made(bitcode_of(str(SHIPPED), made.text).decode("latin-1"), made.read, made.asked)
