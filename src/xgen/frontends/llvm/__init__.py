"""Programs in LLVM's IR: from text or bitcode, as any compiler's front end makes it, to the automaton.

passes               what LLVM does to it first (llvmlite, which nothing else needs); what not: outliving, exceeding
text                 the text as data; places and names in the source; loops, and where ways meet again
values, objects      numbers that are known and those that are not; bytes in memory
points_to            which bytes who uses, found in rounds
language             a thread: what instructions do, and where it goes on
library              what functions of the library do: threads, libc++, and those of frontends/library
compiling, rust      compilers of C++ and of Rust, which make IR of sources
containers           headers that are found before those of libc++: containers that grow with fewer choices
translate            the rounds; threads -> processes; tidy: without steps that nobody needs
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xgen.errors import Source, UsageError
from xgen.frontends.limits import REUSED
from xgen.program.automaton import Program
from xgen.records import replace
from xgen.sources import made, read_bytes, read_source

__all__ = ["read", "read_ir", "read_prepared", "refuse_of_c"]


def read(texts: Sequence[tuple[str, str | bytes]], source: Source | None = None, **options: Any) -> Program:
    """The program that files of IR (their names, and text or bitcode) are together. Raises as `xgen.load` does.

    `source` is what errors without a place of their own are about: the first file. The options are those of C programs
    that say something here: `entry`, `races`, `weak_cas`, `spurious`, `exits`, `retries`, `nondet`, `stubs`,
    `arguments`, `map`, `malloc`, `reuse`, `lock`, `volatile`, `unroll`.
    """
    from xgen.frontends.llvm.passes import prepared

    name, first = texts[0]
    source = source or Source(name, first if isinstance(first, str) else "")
    _refuse(_OF_SOURCES, options, source)
    refuse_of_c(options, source)
    return read_prepared(prepared(texts, {options.get("entry") or "main"}), source, **options)


def read_prepared(text: str, source: Source, **options: Any) -> Program:
    """The program that IR says, which `passes.prepared` has made ready. The options are those of `read`."""
    from xgen.frontends.llvm.language.translation import Options
    from xgen.frontends.llvm.text.ir import Module
    from xgen.frontends.llvm.translate import translate
    from xgen.frontends.mapping import compiled, mapping

    _refuse(_OF_C, options, source)
    if options.get("leaks") and options.get("reuse"):
        raise UsageError(f"`leaks` cannot be used with `reuse`: {REUSED}", file=source.name)
    target = options.pop("map", None)
    table = mapping(target)
    options["machine"] = None if table is None else target
    exits = options.pop("exits", None)
    order = options.pop("volatile", None)
    options["volatile"] = None if order == "plain" else order
    program = translate(Module(text), source, Options(**options, exits=exits is None or exits))
    return replace(program if table is None else compiled(program, table), target=target or program.target)


def refuse_of_c(options: dict[str, Any], source: Source, compiled: bool = False) -> None:
    """Raises UsageError for options of C programs that say nothing of IR. `compiled`: it is made of C or C++ here."""
    _refuse(_OF_C if compiled else {**_OF_C, **_OF_COMPILERS}, options, source)


def _refuse(those: Mapping[str, str], options: dict[str, Any], source: Source) -> None:
    """Raises UsageError for options of some that are given, and drops the others of them."""
    for option, why in those.items():
        if options.pop(option, None):
            whose = "C's own reader" if option in _OF_C else "C programs"
            hint = "leave `clang` out" if option in _OF_C and source.name.endswith(".c") else None
            raise UsageError(f"the option `{option}` is for {whose}: {why}", file=source.name, hint=hint)


_OF_C = {
    "data_model": "IR is compiled for 64 bits",
}
"""Options of C programs that say nothing of IR, and why."""
_OF_COMPILERS = {
    "overflow": "IR does not say which numbers have a sign",
}
"""The same of IR that is there: a compiler of C and C++ is asked to say it."""
_OF_SOURCES = dict.fromkeys(
    (
        "constants",
        "headers",
        "defines",
        "undefines",
        "folders",
        "includes",
        "flags",
        "build",
        "preprocessed",
        "clang",
        "compiler",
    ),
    "IR is compiled already",
)
"""The same of what makes IR."""


def read_ir(source: Source, others: tuple[str, ...] = (), bitcode: bool = False, **options: Any) -> Program:
    """The program that files of IR are together. Of bitcode `source` has the name only."""
    texts = [(source.name, _text(source.name) if bitcode else source.text)]
    texts += [(name, _text(name) if name.endswith(".bc") else read_source(name).text) for name in others]
    return read(texts, Source(source.name, texts[0][1]), **options)


def _text(name: str) -> str:
    """Bitcode as text."""
    from xgen.frontends.llvm.passes import text_of

    return made(name, lambda: text_of(name, read_bytes(name)))
