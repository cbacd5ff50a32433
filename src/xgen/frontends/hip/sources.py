"""A file of HIP: its text in PTX, what is asked of it, and the program that comes of both."""

from __future__ import annotations

import os
from typing import Any

from xgen.errors import ProgramError, Source, UnsupportedError, UsageError
from xgen.frontends.assertions import without_assertions
from xgen.frontends.c.text.files import File, files_of, taken_from
from xgen.frontends.cache import cached
from xgen.frontends.hip import compiling
from xgen.frontends.ptx.compiling.compile import computes_includes, files_included, lines_of
from xgen.frontends.ptx.launch import read_request
from xgen.program.automaton import Program
from xgen.records import replace
from xgen.sources import is_confined, is_file, made, read_source
from xgen.version import __version__


def read_hip(
    source: Source,
    *,
    launch: str | None = None,
    final: str | None = None,
    races: bool | None = None,
    **options: Any,
) -> Program:
    """The program that a launch of a kernel in HIP is. Raises CompilerError, ProgramError, UnsupportedError and
    UsageError. `launch` and `final` count instead of what the text says; the other options are those of files."""
    file = _file(source, options)
    if races:
        raise UsageError("the option `races` is for C programs; the model says what a race is", file=source.name)
    macros = {text.partition("=")[0] for text in file.settings.defines} - set(file.settings.undefines)
    request = read_request(source, launch=launch, final=final, macros=macros)
    if "<" in request.launch.kernel:
        hint = "a kernel that is no template can call what is one"
        raise ProgramError("an instance of a template is no kernel here", None, request.launch.position, hint)
    compiler = compiling.find_compiler()
    key = ["hip", __version__, compiler, compiling.options(file), os.getcwd(), source.name, source.text]
    key += [each.read_text(encoding="utf-8") for each in sorted(compiling.HEADERS.rglob("*")) if each.is_file()]

    def text() -> str:
        if computes_includes(file):
            return compiling.compiled(file, compiler).text
        return cached(key, file.looked_in, lambda: compiling.compiled(file, compiler))

    found = made(f"PTX of {source.name}", text)
    texts = [source, *(read_source(name) for name in files_included(file) if is_file(name))]
    from xgen.frontends.hip.thread import HipThread
    from xgen.frontends.ptx.translate import read

    program = read(found, source, replace(request, sources=lines_of(texts)), HipThread)
    note = without_assertions(source.text, file.settings.defines, file.settings.undefines)
    remarks = (*([note] if note else ()), *program.remarks)
    return replace(program, ignored=tuple(dict.fromkeys(file.ignored)), remarks=remarks, races=races, tested=True)


def _file(source: Source, options: dict[str, Any]) -> File:
    """The file with its flags. Raises UsageError for options of other languages."""
    of_files = taken_from(options)
    if of_files.others:
        raise UsageError("a kernel is in one file", file=of_files.others[0], hint="what it needs it includes")
    left = [name for name, value in options.items() if value not in (None, False, ())]
    if left:
        raise UsageError(f"the option `{left[0]}` is not for HIP", file=source.name)
    if is_confined():  # a compiler finds all that is there
        raise UnsupportedError("HIP is not read here: it needs a compiler", file=source.name)
    (file,) = files_of(source, of_files)
    return file
