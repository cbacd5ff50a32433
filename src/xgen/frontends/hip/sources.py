"""A file of HIP: its text in PTX, what is asked of it, and the program that comes of both."""

from __future__ import annotations

import os
from typing import Any

from xgen.errors import ProgramError, Source, UnsupportedError
from xgen.frontends.hip import compiling
from xgen.frontends.ptx.launch import read_request
from xgen.frontends.ptx.sources import bounded, file_of, macros_of, made_once, with_notes, with_texts
from xgen.program.automaton import Program
from xgen.sources import is_confined
from xgen.version import __version__


def read_hip(
    source: Source,
    *,
    launch: str | None = None,
    final: str | None = None,
    races: bool | None = None,
    unroll: int | None = None,
    **options: Any,
) -> Program:
    """The program that a launch of a kernel in HIP is. Raises CompilerError, ProgramError, UnsupportedError and
    UsageError. `launch` and `final` count instead of what the text says; `unroll`: so many rounds of a loop,
    at most; the other options are those of files."""
    if is_confined():  # a compiler finds all that is there
        raise UnsupportedError("HIP is not read here: it needs a compiler", file=source.name)
    file = file_of(source, "HIP", races, options)
    request = read_request(source, launch=launch, final=final, macros=macros_of(file))
    if request.launch.cluster is not None:
        raise ProgramError("HIP has no clusters of blocks", None, request.launch.position, "leave `cluster(..)` out")
    if "<" in request.launch.kernel:
        hint = "a kernel that is no template can call what is one"
        raise ProgramError("an instance of a template is no kernel here", None, request.launch.position, hint)
    compiler = compiling.find_compiler()
    key = ["hip", __version__, compiler, compiling.options(file), os.getcwd(), source.name, source.text]
    key += [each.read_text(encoding="utf-8") for each in sorted(compiling.HEADERS.rglob("*")) if each.is_file()]
    text = made_once(file, key, lambda: compiling.compiled(file, compiler))
    from xgen.frontends.hip.thread import HipThread
    from xgen.frontends.ptx.translate import read

    program = bounded(read(text, source, with_texts(request, file), HipThread), unroll)
    return with_notes(program, file, races, compiled=True)
