"""A file of Rust, or a project of cargo: from rustc's IR of it to a program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xgen.errors import Source, UnsupportedError, UsageError
from xgen.frontends.llvm.rust.cargo import Target, folder_of, no_tests, targets_with_tests
from xgen.frontends.llvm.rust.crates import asked, text_of_crate, workplace_of
from xgen.frontends.llvm.rust.rustc import UNWINDS
from xgen.frontends.llvm.rust.tests import compiled_tests, text_of_test
from xgen.frontends.process import CompilerError
from xgen.frontends.testing import NamedTest
from xgen.program.automaton import Program
from xgen.records import replace
from xgen.sources import is_confined, read_source

_OF_C = ("defines", "undefines", "folders", "includes", "headers", "preprocessed", "clang")


def read_rust(
    source: Source,
    *,
    others: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
    build: str | None = None,
    compiler: str | None = None,
    entry: str = "main",
    test: str | None = None,
    cfgs: tuple[str, ...] = (),
    features: tuple[str, ...] = (),
    constants: tuple[str, ...] = (),
    **options: Any,
) -> Program:
    """The program that a file of Rust says, with all modules and crates that it names. Raises CompilerError,
    ProgramError, UnsupportedError and UsageError.

    `build`: the folder of a cargo project that the file is of; `flags`: of rustc; `compiler`: its command; `test`: the
    name of a test that is the program; `cfgs` and `features` of the project, as cargo takes them; `constants`: values
    of some of the file's or the project's, as `NAME=3`. The other options are those of `xgen.load`.
    """
    from xgen.frontends.library.call import STARTED_ALONE
    from xgen.frontends.llvm import read_prepared, refuse_of_c
    from xgen.frontends.translated import translated_ir

    refuse(source, others, options)
    refuse_of_c(options, source)
    if entry != "main":
        raise UsageError("a Rust program begins with `main`", file=source.name, hint="`entry` is for C, C++ and IR")
    how = asked(source, flags, build, compiler, cfgs, features, constants)
    source = how.source
    if test is not None:
        text = text_of_test(compiled_tests(how), test)
    else:
        text = text_of_crate(how, "bin", options.get("exits") is False)
    program = translated_ir(source, text, sorted(options.items()), lambda: read_prepared(text, source, **options))
    remarks = tuple(remark for remark in program.remarks if remark != STARTED_ALONE)
    return replace(program, remarks=remarks, project=None if build is None else folder_of(build))


def list_tests(
    name: str | None,
    *,
    others: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
    build: str | None = None,
    compiler: str | None = None,
    cfgs: tuple[str, ...] = (),
    features: tuple[str, ...] = (),
    constants: tuple[str, ...] = (),
    **options: Any,
) -> list[NamedTest]:
    """The tests of a file, or (None) of all targets of a project. Raises as `read_rust` does."""
    refuse(Source(name or build or "", ""), others, options)
    source = Source("", "") if name is None else read_source(name)
    how = asked(source, flags, build, compiler, cfgs, features, constants)
    targets = [Target(name)] if name is not None else targets_with_tests(build or ".", how.chosen)
    found = list[NamedTest]()
    with workplace_of(how, UNWINDS) as work:
        for target in targets:
            try:
                of_target = how if name is not None else replace(how, source=read_source(target.root))
                tests = compiled_tests(of_target, work)
            except CompilerError as error:
                if len(targets) > 1:
                    roots = ", ".join(other.root for other in targets if other != target)
                    error.said += f"\n\nof this project's targets, one can be given as PROGRAM: {roots}"
                raise
            if name is not None or tests.has_any:
                found += [replace(told.test, of_library=target.is_library) for told in tests.told]
    if not found and build is not None:
        raise no_tests(build)
    return found


def library_text(source: Source, flags: tuple[str, ...], build: str | None, compiler: str | None) -> str:
    """The IR of a file without a main: of its functions that have the names that they are given. Raises as `read_rust`
    does."""
    return text_of_crate(asked(source, flags, build, compiler), "lib")


def refuse(source: Source, others: Sequence[str], options: dict[str, Any]) -> None:
    """Raises UsageError and UnsupportedError for what is not for Rust."""
    if is_confined():  # a compiler finds all that is there
        raise UnsupportedError("Rust is not read here: no compiler is asked", file=source.name)
    if others:
        hint = "rustc finds the files of modules (`mod queue;`) and crates by itself; `-p FOLDER` reads a cargo project"
        raise UsageError("a Rust program is given as one file", file=others[0], hint=hint)
    if options.pop("arguments", None):
        raise UsageError("the option `arguments` is for C and C++: a Rust program is started without", file=source.name)
    if options.pop("malloc", None):
        raise UsageError("the option `malloc` is for C and C++: Rust ends where there is no memory", file=source.name)
    if options.pop("reuse", None):
        raise UsageError("the option `reuse` is for C and C++", file=source.name)
    if options.pop("volatile", None):
        raise UsageError("the option `volatile` is for C and C++", file=source.name)
    if options.pop("lock", None):
        raise UsageError("the option `lock` is for C and C++", file=source.name)
    for option in _OF_C:
        if options.pop(option, None):
            hint = "flags of rustc stand behind `--`: -- --cfg NAME, -- --extern NAME=FILE"
            raise UsageError(f"the option `{option}` is for C programs", file=source.name, hint=hint)
