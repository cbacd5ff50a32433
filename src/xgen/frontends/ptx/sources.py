"""A file of CUDA or PTX: the text in PTX, what is asked of it, and the program that comes of both."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal

from xgen.errors import Source, UnsupportedError, UsageError
from xgen.frontends.assertions import without_assertions
from xgen.frontends.c.text.files import File, files_of, taken_from
from xgen.frontends.cache import Made, cached
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
    unroll: int | None = None,
    **options: Any,
) -> Program:
    """The program that a launch of a kernel is, in a file of CUDA or PTX. Raises CompilerError, ProgramError,
    UnsupportedError and UsageError.

    `launch` and `final` count instead of what the text says; `as_compiled`: optimised; `warp`: lanes of a warp;
    `vectors`: whether an access of several numbers is one access; `compiler`: the command of an nvcc; `races`: False if
    data races are no violations; `unroll`: so many rounds of a loop, at most. The other options are those of
    `xgen.load`, `FileOptions` among them.
    """
    if is_confined() and language == "cu":  # a compiler finds all that is there
        raise UnsupportedError("CUDA is not read here: no compiler is asked", file=source.name)
    file = file_of(source, "CUDA and PTX", races, options)
    if not 1 <= warp <= 32 or warp & (warp - 1):
        raise UsageError("a warp has 1, 2, 4, 8, 16 or 32 lanes", file=source.name)
    request = read_request(source, launch=launch, final=final, macros=macros_of(file), warp=warp, vectors=vectors)
    if language == "cu":
        text, request = _compiled(file, request, as_compiled, compiler)
    else:
        _refuse_flags(file, compiler)
        text = source.text
    from xgen.frontends.ptx import read

    program = bounded(read(text, source, request), unroll)
    return with_notes(program, file, races, compiled=language == "cu")


def bounded(program: Program, rounds: int | None) -> Program:
    """The program of a kernel with so many rounds of each loop, at most, that the reader has not written out: of those
    whose tests it does not know, or knows no more."""
    from xgen.program.unroll import unrolled

    return program if rounds is None else unrolled(program, rounds)


def file_of(source: Source, languages: str, races: bool | None, options: dict[str, Any]) -> File:
    """The file of a kernel with its flags. Raises UsageError for options of other languages."""
    of_files = taken_from(options)
    if of_files.others:
        raise UsageError("a kernel is in one file", file=of_files.others[0], hint="what it needs it includes")
    left = [name for name, value in options.items() if value not in (None, False, ())]
    if left:
        raise UsageError(f"the option `{left[0]}` is not for {languages}", file=source.name)
    (file,) = files_of(source, of_files)
    if races:
        raise UsageError("the option `races` is for C programs; the model says what a race is", file=source.name)
    return file


def macros_of(file: File) -> set[str]:
    """The macros that the command defines."""
    return {text.partition("=")[0] for text in file.settings.defines} - set(file.settings.undefines)


def with_notes(program: Program, file: File, races: bool | None, *, compiled: bool) -> Program:
    """The program of a kernel, with what is to be said of its file; `races`: False if none is a violation."""
    settings = file.settings
    note = without_assertions(file.source.text, settings.defines, settings.undefines) if compiled else None
    remarks = (*([note] if note else ()), *program.remarks)
    return replace(program, ignored=tuple(dict.fromkeys(file.ignored)), remarks=remarks, races=races, tested=True)


def made_once(file: File, key: Sequence[object], make: Callable[[], Made]) -> str:
    """The text in PTX of a file: as it is kept by this key, unless nobody knows which files matter for it."""

    def text() -> str:
        return make().text if compiling.computes_includes(file) else cached(key, file.looked_in, make)

    return made(f"PTX of {file.source.name}", text)


def with_texts(request: Request, file: File) -> Request:
    """What is asked of a kernel, with the texts of the user's files."""
    texts = [file.source, *(read_source(name) for name in compiling.files_included(file) if is_file(name))]
    return replace(request, sources=compiling.lines_of(texts))


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
    found = made_once(file, key, lambda: compiling.compiled(file, how, compiler))
    named = compiling.kernel_of(found)
    launch = request.launch if named is None else replace(request.launch, kernel=named)
    return found, with_texts(replace(request, launch=launch), file)
