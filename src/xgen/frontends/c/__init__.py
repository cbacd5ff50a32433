"""C programs: from source text to the automaton.

text                 tokens and their places, the preprocessor, GNU C as C11, pycparser's tree
language             types, scopes, objects, values; expressions and statements of a thread, with all calls inlined
library              what the functions of the library do
data_model           how wide `long` and pointers are
tree                 a program that is read, to which more text may come; tasks: one of SV-COMP
constraints          what C itself forbids, with messages
translate            threads -> processes; untyped: memory whose type is seen later
simplify, retries    steps without what nobody needs
mapping              what accesses become when they are compiled
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from xgen.errors import Source
from xgen.frontends.c.data_model import DataModel, sized
from xgen.frontends.c.language.accesses import Options
from xgen.frontends.c.text.preprocess import Settings
from xgen.program.automaton import Program

if TYPE_CHECKING:
    from xgen.frontends.c.tree import Tree

__all__ = ["read_c", "read_tree"]


def read_c(source: Source, **options: Any) -> Program:
    """The program that a C file says, or that files say together. Raises ProgramError, UnsupportedError and UsageError.

    The options are those of `read_tree`.
    """
    return read_tree(source, **options).program()


def read_tree(
    source: Source,
    *,
    defines: tuple[str, ...] = (),
    undefines: tuple[str, ...] = (),
    folders: tuple[str, ...] = (),
    includes: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
    build: str | None = None,
    headers: Literal["own", "cc"] | None = None,
    others: tuple[str, ...] = (),
    preprocessed: bool = False,
    unroll: int | None = None,
    nondet: tuple[int, int] | None = None,
    overflow: bool = False,
    entry: str | None = "main",
    races: bool = True,
    weak_cas: bool = False,
    mixed_atomics: bool = False,
    map: str | None = None,
    retries: bool = True,
    exits: bool | None = None,
    spurious: bool = False,
    stubs: tuple[str, ...] = (),
    volatile: Literal["plain", "relaxed"] = "plain",
    data_model: DataModel = "lp64",
    property: str | None = None,
) -> Tree:
    """The tree of a C program, of one file or of several. Raises as `read_c` does.

    The options are those of `xgen.load`; `others` are further files, `preprocessed`: the first one has gone through a
    preprocessor. Without an `entry`, all functions that other files may call are what the program starts with.
    """
    from xgen.frontends.c.mapping import mapping
    from xgen.frontends.c.text.files import files_of
    from xgen.frontends.c.text.program import read_program  # imports pycparser, which takes long
    from xgen.frontends.c.tree import Tree

    table = None if map is None else mapping(map)
    settings = Settings(defines, undefines, folders, includes, machine=map)
    files = files_of(source, others, preprocessed, settings, flags, build)
    with sized(data_model):
        unit = read_program(files, headers, entry)
    if exits is None:
        exits = not unit.verification
    ignored = tuple(dict.fromkeys(word for file in files for word in file.ignored))
    how = Options(
        unroll,
        overflow,
        nondet,
        entry or "main",
        races,
        weak_cas,
        retries,
        exits,
        spurious,
        stubs,
        None if volatile == "plain" else volatile,
        data_model,
        property,
        map,
        mixed_atomics,
    )
    return Tree(unit, how, table, map or "C", ignored)
