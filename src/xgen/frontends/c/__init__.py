"""C programs: from source text to the automaton.

text                 tokens and their places, the preprocessor, GNU C as C11, pycparser's tree
values               types, layouts, constants; values and what operators make of them
language             scopes, objects; expressions and statements of a thread, with all calls inlined
library              what the functions of the library do
tree                 a program that is read, to which more text may come; tasks: one of SV-COMP
constraints          what C itself forbids, with messages
translate            threads -> processes; reuse: memory that is given again
control              branches of the Linux kernel's C, which decide until their ways meet
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from xgen.errors import Source, UnsupportedError, UsageError
from xgen.frontends.c.options import Options
from xgen.frontends.c.values.data_model import sized
from xgen.frontends.limits import REUSED
from xgen.program.automaton import Program
from xgen.records import replace
from xgen.tags import KERNEL

if TYPE_CHECKING:
    from xgen.frontends.c.tree import Tree

__all__ = ["read_c", "read_tree"]


def read_c(source: Source, **options: Any) -> Program:
    """The program that a C file says, or that files say together. Raises ProgramError, UnsupportedError and UsageError.

    The options are those of `read_tree`.
    """
    try:
        return read_tree(source, **options).program()
    except RecursionError:
        raise UnsupportedError("the program is nested too deeply, such as by a long chain of `||`", source) from None


def read_tree(
    source: Source,
    *,
    headers: Literal["own", "cc"] | None = None,
    entry: str | None = "main",
    exits: bool | None = None,
    volatile: Literal["plain", "relaxed"] = "plain",
    map: str | None = None,
    **options: Any,
) -> Tree:
    """The tree of a C program, of one file or of several. Raises as `read_c` does.

    The options are those of `xgen.load`, of which some are those of `FileOptions` and of `Options`. Without an `entry`,
    all functions that other files may call are what the program starts with.
    """
    from xgen.frontends.c.text.files import files_of, ignored_in, of_kernel, refuse_others, taken_from
    from xgen.frontends.c.text.program import read_program  # imports pycparser, which takes long
    from xgen.frontends.c.tree import Tree
    from xgen.frontends.mapping import mapping

    table = mapping(map)
    machine = None if table is None else map
    files = files_of(source, taken_from(options), machine=machine)
    order: str | None = None if volatile == "plain" else volatile
    if options.get("leaks") and options.get("reuse"):
        raise UsageError(f"`leaks` cannot be used with `reuse`: {REUSED}", file=source.name)
    kernel = options.get("kernel")
    if kernel is not None:
        if options.get("reuse"):
            raise UsageError("the option `reuse` is not for the kernel's files: it has allocators of its own")
        if options.get("leaks"):
            raise UsageError("the option `leaks` is not for the kernel's files, which run on when a test has ended")
        files, headers, order = of_kernel(files, kernel), "own", "once"
    elif options.get("races") == "kcsan":
        raise UsageError('the option `races` is "kcsan" for files of the Linux kernel: `kernel` says where it is')
    elif options.get("interrupts") is not None:
        raise UsageError("the option `interrupts` is for files of the Linux kernel: `kernel` says where it is")
    how = Options(**options, entry=entry or "main", volatile=order, machine=machine)
    with sized(how.data_model):
        for file in files:
            refuse_others(file)
        unit = read_program(files, headers, entry)
    how = replace(how, exits=not unit.verification if exits is None else exits)
    return Tree(unit, how, table, map or ("C" if kernel is None else KERNEL), ignored_in(files))
