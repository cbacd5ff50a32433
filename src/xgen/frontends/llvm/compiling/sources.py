"""C++, and C where that is asked for: files, the compiler's IR of them and of libc++'s own sources, a program."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import partial
from pathlib import PurePath
from typing import Any

from xgen.errors import ProgramError, Source, UnsupportedError, UsageError
from xgen.frontends.assertions import of_openmp, without_assertions
from xgen.frontends.c.text.files import File, FileOptions, files_of, ignored_in, refuse_others, taken_from
from xgen.frontends.cache import Made, cached
from xgen.frontends.llvm.compiling import functions
from xgen.frontends.llvm.compiling.compile import CONTAINERS, FLAGS, OVERFLOW, STANDARDS, Language, compiled
from xgen.frontends.llvm.compiling.compilers import TARGET, Compiler, find_compiler, own_compiler, reader_version
from xgen.frontends.llvm.compiling.projects import Others
from xgen.frontends.llvm.compiling.runtime import RUNTIME, library
from xgen.frontends.llvm.frameworks import tests
from xgen.frontends.llvm.frameworks.headers import HEADERS
from xgen.frontends.testing import NamedTest
from xgen.program.automaton import Program
from xgen.records import replace
from xgen.resources import package_text
from xgen.sources import CPP, C, is_confined, made, others_given
from xgen.version import __version__

_OF_LIBRARY = re.compile(r"^(declare [^@\n]*@(_ZN[VK]*St|_ZSt|__dynamic_cast\b)|@_ZT[VI]N?\w+ = external)", re.M)
"""A function of libc++ that no header has the body of, or what a class of it is."""

_HIDDEN = "(?:internal|private|linkonce|weak|available_externally|external|appending|common)"
_OPEN = re.compile(rf"^(?:define (?!{_HIDDEN})[^@\n]*@|@(?=[^=\n]*= (?!{_HIDDEN})))([\w.$]+)", re.M)
"""A function that other files may call, or a variable that they may use."""

TARGETS = {
    **dict.fromkeys(("armv8", "armv8-lse"), "aarch64-linux-gnu"),
    "power": "powerpc64le-linux-gnu",
    "riscv": "riscv64-linux-gnu",
}
"""What programs of C are compiled for where their assembly needs it, by the names of `--map`: machines of 64 bits."""
_OPERANDS = re.compile(r'\basm (?:\w+ )*"[^"]+", "[^~"]')
_OF_ASSEMBLY = re.compile(r"(constraint|unknown register name) .* in asm")
"""What a compiler says of the operands of another machine."""
_OF_X86 = re.compile(r"@(llvm\.va_start|syscall)\b")
_COUNTED = re.compile(r"= atomicrmw (volatile )?(add|sub) ")
_ATOMICS_WRAP = (
    "note: through a compiler, --check overflow looks at no update of an atomic number (`x++`, `x += n`), which wraps"
)
"""What is said where the compiler has no check."""


def read_sources(
    source: Source,
    language: Language = "c++",
    *,
    headers: str | None = None,
    compiler: str | None = None,
    entry: str = "main",
    test: str | None = None,
    **options: Any,
) -> Program:
    """The program that files of C++ and C say together. Raises CompilerError, ProgramError, UnsupportedError and
    UsageError.

    `language`: that of the first file; `compiler`: the command of one; else see `find_compiler`; `test`: the name of a
    test that is the program. The other options are those of `xgen.load`, `FileOptions` among them.
    """
    if test is not None:
        _refuse_entry(source, entry)
    files, text, translate = _translating(source, language, headers, compiler, entry, test is not None, options)
    if test is not None:
        case = tests.find_case(tests.cases_of(text, source.name, translate, test), test, source.name)
        program = translate((case.number, case.instance), case.path)
    elif tests.runs_tests(text) and entry == "main":
        hint = "--test NAME names one, --list-tests lists them"
        raise UsageError("this is a program of tests, which are checked one by one", file=source.name, hint=hint)
    else:
        program = translate(None, ())
    texts = ((file.source.text, file.settings.defines, file.settings.undefines) for file in files)
    notes = dict.fromkeys(note for each in texts if (note := without_assertions(*each)))
    notes |= dict.fromkeys(note for file in files if (note := of_openmp(file.source.text)))
    if options.get("overflow") and language == "c" and _COUNTED.search(text):
        notes[_ATOMICS_WRAP] = None
    remarks = (*notes, *program.remarks)
    return replace(program, ignored=ignored_in(files, compiled=True), remarks=remarks)


def list_tests(
    source: Source,
    language: Language = "c++",
    *,
    headers: str | None = None,
    compiler: str | None = None,
    entry: str = "main",
    test: str | None = None,
    **options: Any,
) -> list[NamedTest]:
    """The tests of C++ frameworks that files have; parts of tests only of those that `test`, a name,
    may mean. Raises as `read_sources` does."""
    _refuse_entry(source, entry)
    _, text, translate = _translating(source, language, headers, compiler, entry, True, options)
    return [case.test for case in tests.cases_of(text, source.name, translate, test)]


def _refuse_entry(source: Source, entry: str) -> None:
    if entry != "main":
        hint = "a test is run by what its framework has for that"
        raise UsageError(
            "a test does not begin with a function of the program's (`entry`)", file=source.name, hint=hint
        )


def _translating(
    source: Source,
    language: Language,
    headers: str | None,
    compiler: str | None,
    entry: str,
    of_tests: bool,
    options: dict[str, Any],
) -> tuple[list[File], str, tests.Translate]:
    """The files of a program, their IR, and what makes a program of it."""
    from xgen.frontends.llvm import read_prepared, refuse_of_c
    from xgen.frontends.mapping import mapping
    from xgen.frontends.translated import translated_ir

    machine = None if mapping(options.get("map")) is None else options["map"]
    of_files = taken_from(options)
    files, languages = read_files(source, language, of_files, headers, machine)
    source = files[0].source
    refuse_of_c(options, source, compiled=True)
    name = f"clang {' '.join(file.source.name for file in files)}"
    more = OVERFLOW if options.get("overflow") else ()
    text = made(name, lambda: linked(files, languages, compiler, entry, of_tests, of_files, more))
    start = tests.entry_in(text) if tests.runs_tests(text) and entry == "main" else entry

    def translate(test: tuple[int, int] | None, path: tuple[tests.Part, ...]) -> Program:
        how = {**options, "test": test, "path": path} if tests.runs_tests(text) else options
        return translated_ir(
            source, text, (start, sorted(how.items())), lambda: read_prepared(text, source, entry=start, **how)
        )

    return files, text, translate


def read_files(
    source: Source, language: Language, options: FileOptions, headers: str | None, machine: str | None = None
) -> tuple[list[File], list[Language]]:
    """Files of which the first one is in a language, and the languages of all. `machine`: what they are compiled for.

    Raises UsageError and UnsupportedError for what is not read through a compiler.
    """
    for name in options.others:
        if PurePath(name).suffix not in (*C, *CPP):
            raise UsageError("this is neither C++ nor C", file=name, hint=f"files end in {', '.join((*CPP, *C))}")
    if is_confined():  # a compiler finds all that is there
        raise UnsupportedError("C++ is not read here: no compiler is asked", file=source.name)
    if headers is not None:
        hint = "a compiler reads the whole program, with the headers that it has"
        raise UsageError("`headers` is for C that xgen reads itself", file=source.name, hint=hint)
    files = files_of(source, options, machine)
    for file in files:
        refuse_others(file, compiled=True)
    return files, [language, *map(language_of, options.others)]


def language_of(name: str) -> Language:
    """The language of a file."""
    return "c" if name.endswith(C) else "c++"


def linked(
    files: Sequence[File],
    languages: Sequence[Language],
    wanted: str | None,
    entry: str | None,
    of_tests: bool = False,
    of_files: FileOptions | None = None,
    more: Sequence[str] = (),
) -> str:
    """The IR of all files together, of which nothing is left that the entry does not come to; without one, nothing that
    other files cannot come to. `of_tests`: tests are asked for, also where there is a main without any. `of_files`: the
    build that says of what files it has more; `more`: flags for all of them."""
    compiler = find_compiler(wanted or "", "C++" if "c++" in languages else "C")
    key: list[object] = [
        "program",
        __version__,
        compiler,
        (*FLAGS, *more),
        TARGETS,
        STANDARDS,
        languages,
        entry,
        of_tests,
        os.getcwd(),
    ]
    key += [(file.source.name, file.source.text, file.settings, file.done) for file in files]
    key += sorted(others_given(files[0].source.name).items())
    key += [
        reader_version(),
        *(package_text(f"frontends/llvm/{name}.py") for name in ("passes", "outliving", "exceeding")),
        RUNTIME,
        own_compiler(),
        functions.text(),
    ]
    folders = [str(HEADERS), str(CONTAINERS), *(folder for file in files for folder in file.looked_in)]
    key += [of_files.build if of_files is not None else None]
    of_files = of_files or FileOptions()
    return cached(key, folders, lambda: _made(files, languages, compiler, entry, of_tests, of_files, more))


def _compiled(
    files: Sequence[File],
    languages: Sequence[Language],
    compiler: Compiler,
    flags: Sequence[str],
    target: str = TARGET,
) -> list[Made]:
    return [compiled(file, language, compiler, flags, target) for file, language in zip(files, languages, strict=True)]


def _for_machine(
    files: Sequence[File], languages: Sequence[Language], compiler: Compiler, flags: Sequence[str]
) -> list[Made]:
    """The IR of files: as of any machine; where C has assembly with operands, as of the one that it is for, since their
    constraints are those of a machine. (The library of C++, calls by numbers, and lists of arguments are of x86-64.)"""

    target = TARGETS.get(files[0].settings.machine or "")
    if target is None or {*languages} != {"c"}:
        return _compiled(files, languages, compiler, flags)
    try:
        found = _compiled(files, languages, compiler, flags)
    except ProgramError as error:
        if not _OF_ASSEMBLY.search(error.message):
            raise
    else:
        if not any(_OPERANDS.search(each.text) for each in found) or any(_OF_X86.search(each.text) for each in found):
            return found
    found = _compiled(files, languages, compiler, flags, target)
    if any(_OF_X86.search(each.text) for each in found):
        hint = "C's own reader has it, without `--clang`"
        message = "assembly with operands, beside a list of arguments or a call of the system by its number, is"
        raise UnsupportedError(f"{message} not supported", file=files[0].source.name, hint=hint)
    return found


def _made(
    files: Sequence[File],
    languages: Sequence[Language],
    compiler: Compiler,
    entry: str | None,
    of_tests: bool,
    of_files: FileOptions,
    flags: Sequence[str],
) -> Made:
    from xgen.frontends.llvm.passes import Linking, prepared

    has_all = of_files.build is None or of_files.constants
    made = _for_machine if has_all and compiler == own_compiler() else _compiled
    found = made(files, languages, compiler, flags)
    texts = [(file.source.name, each.text) for file, each in zip(files, found, strict=True)]
    start = tests.entry_of((text for _, text in texts), entry or "", of_tests)
    entries = [name for _, text in texts for name in _OPEN.findall(text)] if entry is None else [start]
    others = None
    if of_files.build is not None and not of_files.constants:
        others = Others(
            files,
            of_files.build,
            of_files,
            lambda file: compiled(file, language_of(file.source.name), compiler, flags),
        )
        texts += others.of(texts)
    more = library([text for _, text in texts]) if any(_OF_LIBRARY.search(text) for _, text in texts) else []
    read = tuple(sorted({name for each in found for name in each.read} | {*(others.read if others else ())}))
    linking = Linking(missing=partial(functions.shipped, compiler, "c++" not in languages))
    whole = prepared([*texts, *(("libc++", bitcode) for bitcode in more)], set(entries), linking)
    return Made(whole, read, found[0].asked)
