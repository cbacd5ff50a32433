"""What is compiled of a file of Rust or a project of cargo, and linked with bodies of std's functions."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from xgen.errors import ProgramError, Source, UsageError
from xgen.frontends.cache import Made, cached
from xgen.frontends.constants import with_constants
from xgen.frontends.llvm.rust.cargo import built, cfgs_of_cargo, manifest_of
from xgen.frontends.llvm.rust.loom import LOOM, is_loom
from xgen.frontends.llvm.rust.names import ANEW, catches, in_c, is_known, renamed, written_anew
from xgen.frontends.llvm.rust.rlibs import Libraries
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
from xgen.frontends.llvm.rust.workplace import workplace
from xgen.frontends.process import is_in_file, text_of
from xgen.records import dataclass
from xgen.resources import package_folder, package_text
from xgen.sources import cargo_project, made
from xgen.version import __version__

if TYPE_CHECKING:
    from xgen.frontends.llvm.passes import Linking

_STD, TEST = "frontends/llvm/rust/std", "frontends/llvm/rust/test"
FOLDERS = (_STD, TEST, LOOM)
_MADE_BY = (
    "passes",
    "outliving",
    "exceeding",
    "rust/names",
    "rust/cargo",
    "rust/crates",
    "rust/loom",
    "rust/mirror",
    "rust/tests",
    "rust/workplace",
    "rust/harness",
)
_NO_CRATE = re.compile(r"unresolved import|unlinked crate|can't find crate|undeclared crate|find module or crate")
_OPEN = re.compile(r"^define (?!internal|private|linkonce|weak|available_externally)[^@\n]*@(?!_R|_ZN)([\w.$]+)", re.M)
"""A function that has the name that its source gives it, and may be called from other files."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is compiled: a file, by a compiler and its flags; or a project's part that begins with it (`build`: the
    folder), for which cargo gets words (`chosen`), and in which constants have other values."""

    source: Source
    rustc: Rustc
    flags: tuple[str, ...] = ()
    build: str | None = None
    chosen: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()


def asked(
    source: Source,
    flags: tuple[str, ...],
    build: str | None,
    compiler: str | None,
    cfgs: tuple[str, ...] = (),
    features: tuple[str, ...] = (),
    constants: tuple[str, ...] = (),
) -> Asked:
    """What options of `xgen.load` ask for. Raises UsageError for features of what is no project, and as `find_rustc`
    does."""
    if features and build is None:
        raise UsageError("features are those of a cargo project", file=source.name, hint="`-p FOLDER` reads one")
    if build is None:  # the file's are changed in its text
        source, constants = with_constants([source], constants)[0], ()
    rustc = find_rustc(compiler)
    if build is not None:
        cfgs = (*cfgs, *(cfg for cfg in cfgs_of_cargo(source.name, rustc.host) if cfg not in cfgs))
    named = tuple(word for cfg in cfgs for word in ("--cfg", cfg))
    chosen = (f"--features={','.join(features)}",) if features else ()
    return Asked(source, rustc, (*named, *flags), build, chosen, constants)


def text_of_crate(how: Asked, crate: str, unwinds: bool = False) -> str:
    """The IR of a crate (its type: "bin" or "lib"), without what nobody can come to.

    `unwinds`: panics unwind, which they also do where something catches them.
    """

    def text(panic: str) -> str:
        return once(how, (crate, panic), partial(_made, how, crate, panic))

    found = text(UNWINDS if unwinds else ENDS)
    return text(UNWINDS) if not unwinds and catches(found) else found


def once(how: Asked, what: Sequence[str], make: Callable[[], Made]) -> str:
    """What is made of a file, or of a project (`what`: the type of the crate, and how), which is kept."""
    source = how.source
    key: list[object] = ["rust", __version__, how.rustc, FLAGS, MARKING, PLAIN, EDITION, how.flags, how.build]
    key += [os.getcwd(), source.name, source.text, how.chosen, how.constants]
    key += [made_with(), _of_folders()]
    if how.build is not None:
        key += sorted(pair for pair in os.environ.items() if pair[0].startswith("CARGO_"))
    folder = os.path.dirname(source.name) or "."
    name = " ".join(("rustc", source.name, *what))
    return made(name, lambda: cached([*key, *what], [folder], make))


@cache
def made_with() -> list[str]:
    """The text of what makes IR ready."""
    return [package_text(f"frontends/llvm/{name}.py") for name in _MADE_BY]


@cache
def _of_folders() -> list[tuple[str, str]]:
    """The text of all that is written anew: std, and the crates that tests name."""
    files = (file for folder in FOLDERS for file in sorted(package_folder(folder).rglob("*.rs")))
    return [(str(file), file.read_text(encoding="utf-8")) for file in files]


def _made(how: Asked, crate: str, panic: str) -> Made:
    from xgen.frontends.llvm.passes import prepared

    with workplace_of(how, panic) as work:
        std = compiled_std(work, how.rustc, panic)
        texts, read = made_by(how, work, (panic, *how.flags), crate)
        entries = {"main"} if crate == "bin" else {name for _, text in texts for name in _OPEN.findall(text)}
        texts.append(("std", std))
    library = Library(how.rustc, panic == UNWINDS)
    if library.unwinds:
        entries |= ANEW
    text = prepared(texts, entries, library.linking())
    return made_of(renamed(text, library.ends, library.unwinds), read, how.flags)


def workplace_of(how: Asked, panic: str) -> AbstractContextManager[str]:
    """A folder to build in what is asked for, with std as panics have it."""
    manifest = None if how.build is None else manifest_of(how.build)
    return workplace(manifest, [__version__, how.rustc, panic, FLAGS, MARKING, EDITION, _of_folders()])


def made_by(how: Asked, work: str, flags: Sequence[str], crate: str) -> tuple[list[tuple[str, str]], Read]:
    """The IR that rustc or cargo makes of what is asked for, and what was read for it. The first flag says what panics
    do."""
    if how.build is None and is_loom(flags):
        loom = compiled_anew(work, how.rustc, flags[0], LOOM, "loom", with_std(work))
        with_loom = (*flags, f"--extern=loom={library_of(work, 'loom')}")
        texts, read = _compiled(how.source, work, how.rustc, with_loom, crate)
        return [*texts, ("loom", loom)], read
    if how.build is None:
        return _compiled(how.source, work, how.rustc, flags, crate)
    return built(how.source, how.build, work, how.rustc, flags, crate, how.chosen, how.constants)


def made_of(text: str, read: Read, flags: Sequence[str]) -> Made:
    """A text that is kept, with what it was made of."""
    return Made(text, tuple(sorted(read.files | _libraries(flags))), tuple(sorted(read.variables)))


class Library:
    """Functions of std: which are written anew, where the bodies of others are, and which do not return (`ends`, as
    they are met). `told`: panics say their message in bodies of their own."""

    def __init__(self, rustc: Rustc, unwinds: bool, told: bool = False) -> None:
        self.unwinds = unwinds
        self.told = told
        self.ends = set[str]()
        self._archives = Libraries(_folder(rustc))

    def linking(self) -> Linking:
        """What is linked with a program."""
        from xgen.frontends.llvm.passes import Linking

        return Linking(self._other_name, self._missing, lambda name: is_known(name, self.unwinds, self.told))

    def _other_name(self, name: str, ends: bool) -> str | None:
        if ends and name.startswith("_"):
            self.ends.add(name)
        return written_anew(name, self.unwinds)

    def _missing(self, names: list[str]) -> Iterator[tuple[str, bytes]]:
        wanted = (name for name in names if name not in self.ends and in_c(name) is None)
        return self._archives.defining(name for name in wanted if not name.startswith(("llvm.", "rust_eh_")))


def _libraries(flags: Sequence[str]) -> set[str]:
    """The files of crates that flags name: `--extern NAME=FILE`, `-L FOLDER`."""
    named = [path for flag in flags for path in (flag.removeprefix("-L"), flag.rpartition("=")[2]) if path]
    inside = (os.path.join(path, name) for path in named if os.path.isdir(path) for name in os.listdir(path))
    found = [path for path in (*named, *inside) if path.endswith((".rlib", ".rmeta", ".so")) and os.path.isfile(path)]
    return set(map(os.path.abspath, found))


def compiled_std(work: str, rustc: Rustc, panic: str) -> str:
    """The IR of std as it is written anew; the library stands in the folder for programs to be compiled with."""
    return compiled_anew(work, rustc, panic, _STD, "xgen_std")


def compiled_anew(work: str, rustc: Rustc, panic: str, folder: str, name: str, flags: Sequence[str] = ()) -> str:
    """The IR of a crate that is written anew; the library stands in the folder for others to be compiled with."""
    root, text, library = package_folder(folder), os.path.join(work, f"{name}.ll"), library_of(work, name)
    ready = Path(work, f"{name}.ready")
    if ready.exists():
        return text_of(text)
    words = [*rustc.words, EDITION, *FLAGS, *MARKING, panic, "--crate-type=rlib", f"--crate-name={name}", *flags]
    words += [
        "-Cembed-bitcode=no",
        f"--emit=link={library},llvm-ir={text}",
        f"--out-dir={work}",
        f"--remap-path-prefix={root}=/library/xgen",
        f"{root}/lib.rs",
    ]
    ended = run(words, UNSTABLE)
    if ended.returncode:
        raise complaint(ended.stderr, Source(f"{root}/lib.rs", ""), rustc.words[0])
    ready.touch()
    return text_of(text)


def _compiled(
    source: Source, work: str, rustc: Rustc, flags: Sequence[str], crate: str
) -> tuple[list[tuple[str, str]], Read]:
    """The IR of a file, and what was read for it."""
    text, read = os.path.join(work, "made.ll"), os.path.join(work, "made.d")
    name, shown = _named(source, work)
    kind = "--test" if crate == "test" else f"--crate-type={crate}"
    words = [*rustc.words, *FLAGS, *MARKING, *with_std(work), kind, "-Cembed-bitcode=no"]
    words += ["--crate-name=program", *shown]
    if not any(flag.startswith("--edition") for flag in flags):
        words.append(EDITION)
    ended = run([*words, f"--emit=llvm-ir={text},dep-info={read}", f"--out-dir={work}", *flags, name], UNSTABLE)
    if ended.returncode or not os.path.exists(text):
        raise _of_project(complaint(ended.stderr, source, rustc.words[0]), source)
    return [(source.name, text_of(text))], read_for(read)


def _of_project(error: ProgramError | UsageError, source: Source) -> ProgramError | UsageError:
    """What rustc says of one file; where that is in a project of cargo, whose crates it misses, how to read them."""
    found = cargo_project(Path(os.path.abspath(source.name)).parent)
    if found is not None and _NO_CRATE.search(error.message) and error.hint is None:
        error.hint = f"-p {os.path.relpath(found)} reads it as a file of its cargo project, with the crates"
    return error


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
