"""A file of CUDA or PTX: the text in PTX, what is asked of it, and the program that comes of both."""

from __future__ import annotations

import os
from typing import Any, Literal

from xgen.errors import Source, UnsupportedError, UsageError
from xgen.frontends.assertions import without_assertions
from xgen.frontends.c.text.files import File, files_of, taken_from
from xgen.frontends.cache import cached
from xgen.frontends.ptx.compiling import compile as compiling
from xgen.frontends.ptx.compiling.compilers import find_compiler
from xgen.frontends.ptx.launch import Request, Vectors, read_request
from xgen.program.automaton import Program
from xgen.records import replace
from xgen.resources import package_text
from xgen.sources import is_confined, is_file, made, read_source
from xgen.version import __version__


def read_kernel(
    source: Source,
    language: Literal["cu", "ptx"],
    *,
    launch: str | None = None,
    final: str | None = None,
    as_compiled: bool = False,
    vectors: Vectors = "whole",
    warp: int = 32,
    compiler: str | None = None,
    races: bool | None = None,
    **options: Any,
) -> Program:
    """The program that a launch of a kernel is, in a file of CUDA or PTX. Raises CompilerError, ProgramError,
    UnsupportedError and UsageError.

    `launch` and `final` count instead of what the text says; `as_compiled`: optimised; `warp`: lanes of a warp;
    `vectors`: whether an access of several numbers is one access; `compiler`: the command of an nvcc; `races`: False if
    data races are no violations. The other options are those of `xgen.load`, `FileOptions` among them.
    """
    file = _file(source, language, options)
    if not 1 <= warp <= 32 or warp & (warp - 1):
        raise UsageError("a warp has 1, 2, 4, 8, 16 or 32 lanes", file=source.name)
    if races:
        raise UsageError("the option `races` is for C programs; the model says what a race is", file=source.name)
    undefined = set(file.settings.undefines)
    macros = {text.partition("=")[0] for text in file.settings.defines} - undefined
    request = read_request(source, launch=launch, final=final, macros=macros, warp=warp, vectors=vectors)
    if language == "cu":
        text, request = _compiled(file, request, as_compiled, compiler)
    else:
        _refuse_flags(file, compiler)
        text = source.text
    from xgen.frontends.ptx import read

    program = read(text, source, request)
    note = without_assertions(source.text, file.settings.defines, file.settings.undefines)
    remarks = (*([note] if note and language == "cu" else ()), *program.remarks)
    ignored = tuple(dict.fromkeys(file.ignored))
    return replace(program, ignored=ignored, remarks=remarks, races=races, tested=True)


def _file(source: Source, language: str, options: dict[str, Any]) -> File:
    """The file with its flags. Raises UsageError for options of other languages."""
    of_files = taken_from(options)
    if of_files.others:
        raise UsageError("a kernel is in one file", file=of_files.others[0], hint="what it needs it includes")
    left = [name for name, value in options.items() if value not in (None, False, ())]
    if left:
        raise UsageError(f"the option `{left[0]}` is not for CUDA and PTX", file=source.name)
    if is_confined() and language == "cu":  # a compiler finds all that is there
        raise UnsupportedError("CUDA is not read here: no compiler is asked", file=source.name)
    (file,) = files_of(source, of_files)
    return file


def _refuse_flags(file: File, compiler: str | None) -> None:
    """Raises UsageError for what only a compiler can do."""
    settings = file.settings
    given = {
        "compiler": compiler,
        "folders": settings.folders,
        "includes": settings.includes,
        "flags": settings.others,
    }
    for name, value in given.items():
        if value:
            raise UsageError(f"the option `{name}` is for CUDA: this is compiled", file=file.source.name)


def _compiled(file: File, request: Request, as_compiled: bool, wanted: str | None) -> tuple[str, Request]:
    """The text in PTX, and what is asked of it, with what PTX calls the kernel, and the texts of the user's files."""
    compiler = find_compiler(wanted or "")
    kernel = request.launch.kernel
    how = compiling.Wanted(as_compiled, kernel if "<" in kernel and compiler.library is not None else None)
    key = ["cuda", __version__, compiler, how, compiling.options(file, how, compiler), os.getcwd()]
    key += [file.source.name, file.source.text, compiling.HEADERS, package_text("frontends/ptx/compiling/nvrtc.py")]

    def text() -> str:
        if compiling.computes_includes(file):
            return compiling.compiled(file, how, compiler).text
        return cached(key, file.looked_in, lambda: compiling.compiled(file, how, compiler))

    found = made(f"PTX of {file.source.name}", text)
    named = compiling.kernel_of(found)
    launch = request.launch if named is None else replace(request.launch, kernel=named)
    texts = [file.source, *(read_source(name) for name in compiling.files_included(file) if is_file(name))]
    return found, replace(request, launch=launch, sources=compiling.lines_of(texts))
