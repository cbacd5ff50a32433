"""Reading the files that users name: programs and memory models."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path, PurePath

from xgen.errors import Position, Source, UsageError

C = (".c", ".i")
CPP = (".cpp", ".cc", ".cxx")
CPP_HEADERS = (".hh", ".hpp", ".hxx")
RUST = (".rs",)
IR = (".ll", ".bc")
CUDA, HIP, PTX = (".cu",), (".hip",), (".ptx",)
KERNELS = (*CUDA, *HIP, *PTX)
"""The suffixes of programs that run on GPUs."""
COMPILED = (*C, *CPP, *RUST, *IR)
"""The suffixes of programs in C, C++, Rust and LLVM's IR, whose languages have models."""
_LIKE_C = (*C, *CPP, *CPP_HEADERS, *CUDA, *HIP, ".cuh", ".h")
MEBIBYTE = 1 << 20
MAX_SIZE = 64 * MEBIBYTE
"""The largest file that is read; what people write has some kilobytes."""
_OF_LIBRARIES = (
    "/include/c++/",
    "/libcxx",
    "ziglang/lib",
    "/rustc/",
    "/rustlib/src/",
    "/library/xgen/",
    "/llvm/frameworks/include/",
    "/llvm/containers/",
    "/frontends/hip/include/",
    "/frontends/c/include/library.c",
    "/usr/include/",
    "/usr/lib/",
    "/nvidia/",
)
"""What the paths of files have in them that are not the user's own."""

_KINDS = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
"""What is no file, by its type."""


_PIPED = ("xcfa", "litmus", "c", "i", "cpp", "rs", "ll", "cu", "hip", "ptx")
STANDARD_INPUT = {f"{language}:-": f"-.{language}" for language in _PIPED} | {"-": "-.xcfa"}
"""How people call standard input, and how it is called from then on: like a file with the ending of its language."""


def is_standard_input(name: str) -> bool:
    """Whether a name stands for what comes from standard input: `-.xcfa` and the like, which say its language."""
    return name in STANDARD_INPUT.values()


def shown(name: str) -> str:
    """How a text is called: as the user named its file, or as compilers call standard input."""
    return "<stdin>" if is_standard_input(name) else name


@cache
def _standard_input(most: int) -> bytes:
    """What comes from standard input, which can be read once only. Raises UsageError where it is closed."""
    if sys.stdin is None:
        raise UsageError("standard input is closed")
    return sys.stdin.buffer.read(most)


def read_source(path: str | Path, largest: int = MAX_SIZE) -> Source:
    """The text of a file, named as the user named it; line ends are `\n`, a byte order mark is dropped.

    Raises UsageError for a file that is missing, cannot be read, has more than `largest` bytes, or is not UTF-8 text
    (but for comments in C); and for what is no file: a pipe or a device may have no end. `-.c` and the like are
    standard input. An empty file is an empty text: whether that means anything is up to the language.
    """
    name = str(path)
    if _given is not None and name in _given:
        return Source(shown(name), _given[name])
    source = _read(name, largest)
    around = [str(folder) for folder in _open or () if name.startswith(f"{folder}{os.sep}")]
    if around:
        return Source(os.path.relpath(name, max(around, key=len)), source.text)
    if _seen is not None:
        _seen[name] = source.text
    return source


def source_of(name: str) -> Source:
    """The text of a file that is only shown; where it cannot be read, it is shown without its lines."""
    try:
        return read_source(name)
    except UsageError:
        return Source(name, "")


def of_library(source: Source | None) -> bool:
    """Whether a file is not the user's own."""
    return source is not None and any(part in source.name for part in _OF_LIBRARIES)


def is_file(path: str | Path) -> bool:
    """Whether there is something to read."""
    return (_given is not None and str(path) in _given) or os.path.isfile(path)


def made(name: str, make: Callable[[], str]) -> str:
    """A text that a program makes, under a name; where the texts of the names are given, that one."""
    if _given is not None and name in _given:
        return _given[name]
    text = make()
    if _seen is not None:
        _seen[name] = text
    return text


def others_given(name: str) -> dict[str, str]:
    """The given texts of files that have another text, by their paths; not that of the file `name`."""
    found = {}
    for each, text in (_given or {}).items():
        if each != name and os.path.isfile(each) and Path(each).read_text(encoding="utf-8", errors="replace") != text:
            found[os.path.abspath(each)] = text
    return found


def has_text(name: str) -> bool:
    """Whether a text of that name is given."""
    return _given is not None and name in _given


def find(name: str, folders: Iterable[str | Path]) -> Path | None:
    """The file that a text names, in the first of these folders that has it; None where none has."""
    inside = not os.path.isabs(name) and ".." not in PurePath(name).parts
    for folder in folders:
        if _open is not None:
            folder = Path(os.path.realpath(folder))
            if not inside or folder not in _open:
                continue
        # Paths are long to make, and most of these are none of a file.
        path = os.path.join(folder, name) if _given is None else Path(folder) / name
        if is_file(path):
            return Path(folder) / name
        if _missed is not None:
            _missed.add(str(path))
    return None


def cargo_project(folder: Path) -> Path | None:
    """The project of cargo that a folder is in, as cargo finds it: the nearest folder with a Cargo.toml, or None."""
    return next((each for each in (folder, *folder.parents) if (each / "Cargo.toml").is_file()), None)


def is_confined() -> bool:
    """Whether texts find files of some folders only."""
    return _open is not None


def reads_files() -> bool:
    """Whether what is read are files, wherever they are: no texts are given instead, and nothing is confined."""
    return _given is None and _open is None


@contextmanager
def confined(folders: Iterable[str | Path]) -> Iterator[None]:
    """While the block lasts, what texts name is looked for in these folders only: elsewhere, nothing is there.

    Where the folders are is not told either: files in them are called by their names there.
    """
    global _open
    before, _open = _open, frozenset(Path(os.path.realpath(folder)) for folder in folders)
    try:
        yield
    finally:
        _open = before


@contextmanager
def recorded() -> Iterator[dict[str, str]]:
    """The texts that are read while the block lasts, by their names."""
    global _seen
    before, _seen = _seen, {}
    try:
        yield _seen
    finally:
        if before is not None:
            before.update(_seen)
        _seen = before


@contextmanager
def missed() -> Iterator[set[str]]:
    """The files that texts name while the block lasts, and that are not where they are looked for."""
    global _missed
    before, _missed = _missed, set()
    try:
        yield _missed
    finally:
        if before is not None:
            before.update(_missed)
        _missed = before


@contextmanager
def given(texts: Mapping[str, str]) -> Iterator[None]:
    """While the block lasts, these texts are read instead of the files of their names."""
    global _given
    before, _given = _given, texts
    try:
        yield
    finally:
        _given = before


_seen: dict[str, str] | None = None
_missed: set[str] | None = None
_given: Mapping[str, str] | None = None
_open: frozenset[Path] | None = None


def _read(name: str, largest: int) -> Source:
    data = read_bytes(name, largest)
    if name.endswith(_LIKE_C) and not data.isascii():
        data = _with_readable_comments(data)
    return Source(shown(name), decode(data, shown(name)))


def _with_readable_comments(data: bytes) -> bytes:
    """A text in C whose comments are UTF-8: names of people in older encodings keep nobody from reading the program."""
    # Literals are there so that nothing in them is taken for a comment.
    parts = re.compile(rb"//(?:\\\r?\n|[^\n])*|/\*.*?\*/|([\"'])(?:\\.|(?!\1)[^\\\n])*\1", re.DOTALL)

    def readable(match: re.Match[bytes]) -> bytes:
        text = match[0]
        return text.decode("utf-8", "replace").encode() if text.startswith(b"/") else text

    return parts.sub(readable, data)


def read_bytes(path: str | Path, largest: int = MAX_SIZE) -> bytes:
    """What is in a file. Raises UsageError as `read_source` does."""
    name = str(path)
    if is_standard_input(name):
        data = _standard_input(largest + 1)
        if len(data) > largest:
            raise UsageError(f"the text is too large: it has more than {largest // MEBIBYTE} MiB", file=shown(name))
        return data
    try:
        # Opening a pipe without O_NONBLOCK waits for somebody to write into it. Windows has no such pipes.
        flag: int = getattr(os, "O_NONBLOCK", 0)
        with open(name, "rb", opener=lambda file, flags: os.open(file, flags | flag)) as file:
            status = os.fstat(file.fileno())
            kind = _KINDS.get(stat.S_IFMT(status.st_mode))
            # What the system makes up (/proc) says that it has 0 bytes, so that the size is looked at twice.
            data = b"" if kind or status.st_size > largest else file.read(largest + 1)
    except FileNotFoundError:
        raise UsageError("there is no such file", file=name) from None
    except IsADirectoryError:
        raise UsageError("this is a directory, not a file", file=name) from None
    except PermissionError:
        raise UsageError("the file cannot be read: permission denied", file=name) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the path
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(f"the file cannot be read: {reason}", file=name) from None
    if kind:
        raise UsageError(f"this is {kind}, not a file", file=name)
    if max(status.st_size, len(data)) > largest:
        raise UsageError(f"the file is too large: it has more than {largest // MEBIBYTE} MiB", file=name)
    return data


def decode(data: bytes, name: str) -> str:
    """The text of a file's bytes; UsageError where they are not text."""
    if b"\0" in data:
        raise UsageError("this is a binary file, not a text", file=name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig").split("\n")
        place = Position(len(before), len(before[-1]) + 1)
        raise UsageError("this is not UTF-8 text", position=place, file=name, hint="save the file as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")
