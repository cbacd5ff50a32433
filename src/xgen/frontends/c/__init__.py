"""C programs: from source text to the automaton.

text                 tokens and their places, the preprocessor, GNU C as C11, pycparser's tree
language             types, scopes, objects, values; expressions and statements of a thread, with all calls inlined
library              what the functions of the library do
translate            threads -> processes; simplify, retries: steps without what nobody needs
mapping              what accesses become when they are compiled
"""

from __future__ import annotations

from dataclasses import replace

from xgen.errors import Source
from xgen.frontends.c.language.accesses import Options
from xgen.frontends.c.text.preprocess import Settings
from xgen.program.automaton import Program

__all__ = ["read_c"]


def read_c(
    source: Source,
    *,
    defines: tuple[str, ...] = (),
    undefines: tuple[str, ...] = (),
    folders: tuple[str, ...] = (),
    includes: tuple[str, ...] = (),
    unroll: int | None = None,
    nondet: tuple[int, int] | None = None,
    overflow: bool = False,
    entry: str = "main",
    races: bool = True,
    weak_cas: bool = False,
    map: str | None = None,
    retries: bool = True,
) -> Program:
    """The program that a C file says. Raises ProgramError, UnsupportedError and UsageError.

    The options are those of `xgen.load`.
    """
    from xgen.frontends.c.mapping import compiled, mapping
    from xgen.frontends.c.text.reader import read  # imports pycparser, which takes long
    from xgen.frontends.c.translate import translate

    table = None if map is None else mapping(map)
    unit = read(source, Settings(defines, undefines, folders, includes))
    program = translate(unit, Options(unroll, overflow, nondet, entry, races, weak_cas, retries))
    return replace(program if table is None else compiled(program, table), target=map or "C")
