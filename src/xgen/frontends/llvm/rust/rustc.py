"""Which rustc is asked, what it is told, and what it says is wrong."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from itertools import pairwise

from xgen.errors import ProgramError, Source, UsageError
from xgen.extras import pip_install
from xgen.frontends import process
from xgen.frontends.c.text.flags import split_words
from xgen.frontends.llvm.compiling.compilers import OLDEST, missing, newest
from xgen.records import dataclass

FLAGS = (
    "-Cdebuginfo=2",
    "-Ccodegen-units=1",
    "-Coverflow-checks=on",
    "-Cdebug-assertions=off",  # they are those of std's unsafe functions, too
    "--cfg=xgen",
    "--cap-lints=allow",
)
"""Each access of the source can be told where it is from."""
PLAIN = ("-Copt-level=0",)
"""Each access of the source is one of the IR."""
MARKING = ("-Copt-level=1", "-Cno-prepopulate-passes", "-Zmir-opt-level=1")
"""So it is with these, which also mark in the IR where a local's block ends: rustc does from this level on. What it
does itself is what it does at level 0, and LLVM does nothing."""
UNSTABLE = {"RUSTC_BOOTSTRAP": "1"}
"""For `-Z` of a stable rustc. Build scripts of cargo projects would see it, and take rustc for a nightly one: these are
compiled as `PLAIN` says, and locals there end with their function."""
ENDS, UNWINDS = "-Cpanic=abort", "-Cpanic=unwind"
"""What a panic does: where nothing catches one, it ends the program, and there is less to read."""
EDITION = "--edition=2021"
_LLVM = re.compile(r"^LLVM version: (\d+)", re.M)
_RELEASE = re.compile(r"^release: (\S+)", re.M)
_VARIABLE = re.compile(r"^# env-dep:([^=\n]+)", re.M)
_HOST = re.compile(r"^host: (\S+)", re.M)
_ERROR = re.compile(
    r"^error(?:\[\w+\])?: (?P<text>[^\n]*)\n(?:(?!error)[^\n]*\n)*?"
    r"\s*--> (?P<file>[^\n]+?):(?P<line>\d+):(?P<column>\d+)$",
    re.M,
)


@dataclass(frozen=True, slots=True)
class Rustc:
    """A compiler of Rust: its command, and all that it says of its version."""

    words: tuple[str, ...]
    version: str

    @property
    def host(self) -> str:
        """What it compiles for, if nothing else is said."""
        found = _HOST.search(self.version)
        return found[1] if found else ""


def find_rustc(wanted: str | None = None) -> Rustc:
    """The rustc that is wanted, or that on the PATH. Raises UsageError where there is none, or one whose IR cannot be
    read."""
    if find_spec("llvmlite") is None:
        raise missing("Rust", "llvmlite")
    words = tuple(split_words(wanted)) if wanted else ("rustc",)
    if not words or shutil.which(words[0]) is None:
        hint = "--compiler takes a command, as 'rustc +1.90'" if wanted else "https://rustup.rs installs it"
        raise UsageError(f"Rust is read through `{wanted or 'rustc'}`, which is not there", hint=hint)
    ended = run([*words, "-vV"])
    llvm, release = _LLVM.search(ended.stdout), _RELEASE.search(ended.stdout)
    if ended.returncode or llvm is None or release is None:
        line = next(filter(None, ended.stderr.splitlines()), "it says no version")
        raise UsageError(f"`{' '.join(words)}` is no rustc that can be asked: {line}")
    version, most = int(llvm[1]), newest()
    if not OLDEST <= version <= most:
        raise UsageError(
            f"rustc {release[1]} makes IR of LLVM {version}; what is installed here reads that of {OLDEST} to {most}",
            hint=f"--compiler 'rustc +VERSION' takes another one, `{pip_install('-U', 'llvmlite')}` reads newer ones",
        )
    return Rustc(words, ended.stdout)


def run(words: Sequence[str], more: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """What rustc or cargo says. Raises UsageError where it cannot be run."""
    return process.run(words, {"CARGO_TERM_COLOR": "never", **(more or {})})


def library_of(work: str, name: str = "xgen_std") -> str:
    """Where a crate stands that is written anew, as std is."""
    return os.path.join(work, f"lib{name}.rlib")


def with_std(work: str) -> list[str]:
    """It is the program's std; and the crate `xgen`, for programs that name it. A crate without std finds it where what
    that crate uses has it."""
    return [f"--extern=std={library_of(work)}", f"--extern=xgen={library_of(work)}", f"-Ldependency={work}"]


@dataclass(frozen=True, slots=True)
class Read:
    """What something was made of: files, and variables of the environment."""

    files: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()


def read_for(rules: str, folder: str = "") -> Read:
    """What something was made of, as rules of make say in a file (`--emit=dep-info`). `folder`: where rustc ran, if
    that was not here."""
    text = process.text_of(rules)
    lines = [line.partition(": ")[2] for line in text.splitlines() if not line.startswith("#")]
    words = [word.replace("\\ ", " ") for line in lines for word in re.split(r"(?<!\\) +", line) if word]
    files = (os.path.abspath(os.path.join(folder, word)) for word in words)
    return Read(frozenset(files), frozenset(_VARIABLE.findall(text)))


def complaint(said: str, source: Source, command: str) -> ProgramError | UsageError:
    """What rustc says is wrong, as an error that knows its places if it tells any."""
    lines = said.splitlines()
    line = next((line for line in lines if line.startswith("error")), said.strip() or "it says nothing")
    causes = [
        behind.strip() for before, behind in pairwise(lines) if before == "Caused by:"
    ]  # cargo: the last one is it
    hint = f"the cause: {causes[-1]}" if causes else None
    unknown = UsageError(
        f"`{command}` cannot compile this: {line.removeprefix('error: ')}", file=source.name, hint=hint
    )
    return process.complaint(said, source, _ERROR) or unknown
