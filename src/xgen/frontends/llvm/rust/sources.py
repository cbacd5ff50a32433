"""A file of Rust, or a project of cargo: rustc's IR of it, bodies of std's functions, a program."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from xgen.errors import Source, UnsupportedError, UsageError
from xgen.frontends.asking import is_in_file, text_of
from xgen.frontends.cache import Made, cached
from xgen.frontends.llvm.rust.cargo import built
from xgen.frontends.llvm.rust.names import ANEW, catches, in_c, renamed, written_anew
from xgen.frontends.llvm.rust.rustc import (
    EDITION,
    ENDS,
    FLAGS,
    MARKING,
    PLAIN,
    UNSTABLE,
    UNWINDS,
    Read,
    Rustc,
    complaint,
    find_rustc,
    library_of,
    read_for,
    run,
    with_std,
)
from xgen.program.automaton import Program
from xgen.records import replace
from xgen.resources import package_folder, package_text
from xgen.sources import is_confined, made
from xgen.version import __version__

_STD = "frontends/llvm/rust/std"
_OPEN = re.compile(r"^define (?!internal|private|linkonce|weak|available_externally)[^@\n]*@(?!_R|_ZN)([\w.$]+)", re.M)
"""A function that has the name that its source gives it, and may be called from other files."""
_OF_C = ("defines", "undefines", "folders", "includes", "headers", "preprocessed", "clang")


def read_rust(
    source: Source,
    *,
    others: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
    build: str | None = None,
    compiler: str | None = None,
    entry: str = "main",
    **options: Any,
) -> Program:
    """The program that a file of Rust says, with all modules and crates that it names. Raises CompilerError,
    ProgramError, UnsupportedError and UsageError.

    `build`: the folder of a cargo project that the file is of; `flags`: of rustc; `compiler`: its command. The other
    options are those of `xgen.load`.
    """
    from xgen.frontends.library.call import STARTED_ALONE
    from xgen.frontends.llvm import read_prepared, refuse_of_c
    from xgen.frontends.translated import translated_ir

    refuse(source, others, options)
    refuse_of_c(options, source)
    if entry != "main":
        raise UsageError("a Rust program begins with `main`", file=source.name, hint="`entry` is for C, C++ and IR")
    text = _text(source, flags, build, compiler, "bin", options.get("exits") is False)
    program = translated_ir(source, text, sorted(options.items()), lambda: read_prepared(text, source, **options))
    return replace(program, remarks=tuple(remark for remark in program.remarks if remark != STARTED_ALONE))


def library_text(source: Source, flags: tuple[str, ...], build: str | None, compiler: str | None) -> str:
    """The IR of a file without a main: of its functions that have the names that they are given. Raises as `read_rust`
    does."""
    return _text(source, flags, build, compiler, "lib")


def _text(
    source: Source, flags: tuple[str, ...], build: str | None, compiler: str | None, crate: str, unwinds: bool = False
) -> str:
    """The IR of a crate (its type: "bin" or "lib"), without what nobody can come to.

    `unwinds`: panics unwind, which they also do where something catches them.
    """
    rustc = find_rustc(compiler)
    key: list[object] = ["rust", __version__, rustc, FLAGS, MARKING, PLAIN, EDITION, flags, build, crate, os.getcwd()]
    key += [source.name, source.text]
    own = ("passes", "outliving", "exceeding", "rust/names", "rust/cargo")
    key += [package_text(f"frontends/llvm/{name}.py") for name in own]
    key += [_std()]
    if build is not None:
        key += sorted(pair for pair in os.environ.items() if pair[0].startswith("CARGO_"))
    folder = os.path.dirname(source.name) or "."

    def text(panic: str) -> str:
        name = f"rustc {source.name} {crate} {panic}"
        make = partial(_made, source, rustc, flags, build, crate, panic)
        return made(name, lambda: cached([*key, panic], [folder], make))

    found = text(UNWINDS if unwinds else ENDS)
    return text(UNWINDS) if not unwinds and catches(found) else found


def _std() -> list[tuple[str, str]]:
    """The text of all files of std as it is written anew."""
    return [(str(file), file.read_text(encoding="utf-8")) for file in sorted(package_folder(_STD).rglob("*.rs"))]


def refuse(source: Source, others: Sequence[str], options: dict[str, Any]) -> None:
    """Raises UsageError and UnsupportedError for what is not for Rust."""
    if is_confined():  # a compiler finds all that is there
        raise UnsupportedError("Rust is not read here: no compiler is asked", file=source.name)
    if others:
        hint = "rustc finds the files of modules (`mod queue;`) and crates by itself; `-p FOLDER` reads a cargo project"
        raise UsageError("a Rust program is given as one file", file=others[0], hint=hint)
    if options.pop("arguments", None):
        raise UsageError("the option `arguments` is for C and C++: a Rust program is started without", file=source.name)
    for option in _OF_C:
        if options.pop(option, None):
            hint = "flags of rustc stand behind `--`: -- --cfg NAME, -- --extern NAME=FILE"
            raise UsageError(f"the option `{option}` is for C programs", file=source.name, hint=hint)


def _made(source: Source, rustc: Rustc, flags: Sequence[str], build: str | None, crate: str, panic: str) -> Made:
    from xgen.frontends.llvm.passes import Linking, prepared
    from xgen.frontends.llvm.rust.rlibs import Libraries

    with tempfile.TemporaryDirectory(prefix="xgen-") as work:
        std = _compiled_std(work, rustc, panic)
        if build is None:
            texts, read = _compiled(source, work, rustc, (panic, *flags), crate)
        else:
            texts, read = built(source, build, work, rustc, (panic, *flags), crate)
        entries = {"main"} if crate == "bin" else {name for _, text in texts for name in _OPEN.findall(text)}
        texts.append(("std", std))
    libraries, ends, unwinds = Libraries(_folder(rustc)), set[str](), panic == UNWINDS
    if unwinds:
        entries |= ANEW

    def other_name(name: str, ends_: bool) -> str | None:
        if ends_ and name.startswith("_"):
            ends.add(name)
        return written_anew(name, unwinds)

    def missing(names: list[str]) -> Iterator[tuple[str, bytes]]:
        wanted = (name for name in names if name not in ends and in_c(name) is None)
        return libraries.defining(name for name in wanted if not name.startswith(("llvm.", "rust_eh_")))

    text, read_ = prepared(texts, entries, Linking(other_name, missing)), read.files | _libraries(flags)
    return Made(renamed(text, ends, unwinds), tuple(sorted(read_)), tuple(sorted(read.variables)))


def _libraries(flags: Sequence[str]) -> set[str]:
    """The files of crates that flags name: `--extern NAME=FILE`, `-L FOLDER`."""
    named = [path for flag in flags for path in (flag.removeprefix("-L"), flag.rpartition("=")[2]) if path]
    inside = (os.path.join(path, name) for path in named if os.path.isdir(path) for name in os.listdir(path))
    found = [path for path in (*named, *inside) if path.endswith((".rlib", ".rmeta", ".so")) and os.path.isfile(path)]
    return set(map(os.path.abspath, found))


def _compiled_std(work: str, rustc: Rustc, panic: str) -> str:
    """The IR of std as it is written anew; the library stands in the folder for programs to be compiled with."""
    root, text, library = package_folder(_STD), os.path.join(work, "xgen_std.ll"), library_of(work)
    words = [*rustc.words, EDITION, *FLAGS, *MARKING, panic, "--crate-type=rlib", "--crate-name=xgen_std"]
    words += [
        f"--emit=link={library},llvm-ir={text}",
        f"--out-dir={work}",
        f"--remap-path-prefix={root}=/library/xgen",
        f"{root}/lib.rs",
    ]
    ended = run(words, UNSTABLE)
    if ended.returncode:
        raise complaint(ended.stderr, Source(f"{root}/lib.rs", ""), rustc.words[0])
    return text_of(text)


def _compiled(
    source: Source, work: str, rustc: Rustc, flags: Sequence[str], crate: str
) -> tuple[list[tuple[str, str]], Read]:
    """The IR of a file, and what was read for it."""
    text, read = os.path.join(work, "made.ll"), os.path.join(work, "made.d")
    name, shown = _named(source, work)
    words = [*rustc.words, *FLAGS, *MARKING, *with_std(work), f"--crate-type={crate}", "-Cembed-bitcode=no"]
    words += ["--crate-name=program", *shown]
    if not any(flag.startswith("--edition") for flag in flags):
        words.append(EDITION)
    ended = run([*words, f"--emit=llvm-ir={text},dep-info={read}", f"--out-dir={work}", *flags, name], UNSTABLE)
    if ended.returncode or not os.path.exists(text):
        raise complaint(ended.stderr, source, rustc.words[0])
    return [(source.name, text_of(text))], read_for(read)


def _named(source: Source, work: str) -> tuple[str, list[str]]:
    """The file to compile: its own, or one with the text that is given, and how it is called then."""
    if is_in_file(source):
        return source.name, []
    name = os.path.join(work, "text.rs")
    Path(name).write_text(source.text, encoding="utf-8")
    return name, [f"--remap-path-prefix={name}={source.name}"]


def _folder(rustc: Rustc) -> str:
    """Where the libraries of a compiler are."""
    ended = run([*rustc.words, "--print", "target-libdir"])
    folder = ended.stdout.strip()
    if ended.returncode or not os.path.isdir(folder):
        raise UsageError(f"`{rustc.words[0]}` has no libraries for {rustc.host}")
    return folder
