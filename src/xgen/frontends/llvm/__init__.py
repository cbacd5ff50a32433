"""Programs in LLVM's IR: from text or bitcode, as any compiler's front end makes it, to the automaton.

passes               what LLVM does to it first (llvmlite, which nothing else needs)
types, tokens, ir    the text as data; metadata: places and names in the source
values, objects      numbers that are known and those that are not; bytes in memory
points_to            which bytes who uses, found in rounds
world, accesses, arithmetic, instructions, alone, calls, threads, library
                     a thread: each is a class on top of the one before. Main runs until threads share something
regions              loops, and where ways meet again
translate            the rounds; threads -> processes
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xgen.errors import Source, UsageError
from xgen.program.automaton import Program
from xgen.sources import made, read_bytes, read_source

__all__ = ["read", "read_ir"]


def read(texts: Sequence[tuple[str, str | bytes]], source: Source | None = None, **options: Any) -> Program:
    """The program that files of IR (their names, and text or bitcode) are together. Raises as `xgen.load` does.

    `source` is what errors without a place of their own are about: the first file. The options are those of C programs
    that say something here: `entry`, `races`, `weak_cas`, `spurious`, `exits`, `retries`, `nondet`, `stubs`, `map`.
    """
    from xgen.frontends.c.mapping import compiled, mapping
    from xgen.frontends.llvm.ir import Module
    from xgen.frontends.llvm.passes import prepared
    from xgen.frontends.llvm.translate import translate
    from xgen.frontends.llvm.world import Options

    name, first = texts[0]
    source = source or Source(name, first if isinstance(first, str) else "")
    exits = options.pop("exits", None)
    for option, why in _REFUSED.items():
        if options.pop(option, None):
            raise UsageError(f"the option `{option}` is for C programs: {why}", file=source.name)
    target = options.pop("map", None)
    table = None if target is None else mapping(target)
    how = Options(**options, exits=exits is None or exits)
    program = translate(Module(prepared(texts, how.entry)), source, how)
    return program if table is None else compiled(program, table)


_REFUSED = {
    "volatile": "accesses of volatile objects in IR are as others are",
    "overflow": "IR does not say which numbers have a sign",
    "unroll": "loops of IR have no bound but that on events",
    "headers": "IR is compiled already",
    "defines": "IR is compiled already",
    "undefines": "IR is compiled already",
    "folders": "IR is compiled already",
    "includes": "IR is compiled already",
    "flags": "IR is compiled already",
    "build": "IR is compiled already",
    "preprocessed": "IR is compiled already",
}
"""Options of C programs that say nothing of IR, and why."""


def read_ir(source: Source, others: tuple[str, ...] = (), bitcode: bool = False, **options: Any) -> Program:
    """The program that files of IR are together. Of bitcode `source` has the name only."""
    texts = [(source.name, _text(source.name) if bitcode else source.text)]
    texts += [(name, _text(name) if name.endswith(".bc") else read_source(name).text) for name in others]
    return read(texts, Source(source.name, texts[0][1]), **options)


def _text(name: str) -> str:
    """Bitcode as text."""
    from xgen.frontends.llvm.passes import text_of

    return made(name, lambda: text_of(name, read_bytes(name)))
