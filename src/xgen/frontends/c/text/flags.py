"""What compilers are told on their command line, as far as it matters for what a file says."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace

from xgen.errors import UsageError
from xgen.frontends.c.text.preprocess import Settings
from xgen.records import dataclass

MAX_RESPONSE_FILES = 20
"""So deep may files of flags (@FILE) name each other."""

_FIELDS = {
    "-I": "folders",
    "-isystem": "system",
    "-iquote": "quoted",
    "-D": "defines",
    "-U": "undefines",
    "-include": "includes",
}
_WITH_WORD = frozenset(
    [
        "-o",
        "-x",
        "-idirafter",
        "-iprefix",
        "-isysroot",
        "-imacros",
        "-iwithprefix",
        "-iwithprefixbefore",
        "-MF",
        "-MT",
        "-MQ",
        "-MJ",
        "-L",
        "-l",
        "-u",
        "-z",
        "-T",
        "-arch",
        "-target",
        "-Xlinker",
        "-Xassembler",
        "-Xpreprocessor",
        "-Xclang",
        "-mllvm",
        "--param",
        "--sysroot",
        "-include-pch",
        "-aux-info",
        "-dumpdir",
        "-A",
        "-G",
        "-F",
    ]
)
"""Flags that are ignored with the word behind them."""
_JOINED = ("-Wp,",)


@dataclass(frozen=True, slots=True)
class Flags:
    """What a line of flags says, and which of them say nothing here."""

    settings: Settings
    ignored: tuple[str, ...]


def read_flags(words: Sequence[str], folder: str = "", read: Callable[[str], str] | None = None) -> Flags:
    """The flags -I -isystem -iquote -D -U -include -std, as one word or two; the others are ignored.

    Paths are from `folder`. `read` gives the text of a file of flags (@FILE). Raises UsageError.
    """
    found: dict[str, list[str]] = {field: [] for field in _FIELDS.values()}
    ignored: list[str] = []
    standard: str | None = None
    rest = list(reversed(_with_responses(words, folder, read)))
    while rest:
        word = rest.pop()
        if word.startswith("-std="):
            standard = word.removeprefix("-std=")
            continue
        flag = next((flag for flag in sorted(_FIELDS, key=len, reverse=True) if word.startswith(flag)), None)
        if flag is None or (flag == "-include" and word != flag) or word == "-I-":
            ignored.append(word)
            if word in _WITH_WORD and rest:
                ignored.append(rest.pop())
            continue
        if word == flag and not rest:
            raise UsageError(f"something is missing behind the flag {flag}")
        value = word[len(flag) :] or rest.pop()
        # A file to include is looked for where headers are as well.
        is_file = flag == "-include" and folder and os.path.exists(os.path.join(folder, value))
        if is_file or flag in ("-I", "-isystem", "-iquote"):
            value = _joined(folder, value)
        # What is defined last counts.
        if flag == "-D":
            found["undefines"] = [name for name in found["undefines"] if name != value.partition("=")[0]]
        elif flag == "-U":
            found["defines"] = [text for text in found["defines"] if text.partition("=")[0] != value]
        found[_FIELDS[flag]].append(value)
    said = {name: tuple(values) for name, values in found.items()}
    return Flags(replace(Settings(standard=standard), **said), tuple(ignored))  # type: ignore[arg-type]


def _joined(folder: str, path: str) -> str:
    """A path from a folder; without `..`, where that is the same."""
    path = os.path.join(folder, path)
    short = os.path.normpath(path)
    return short if folder and os.path.realpath(path) == os.path.realpath(short) else path


def _with_responses(words: Sequence[str], folder: str, read: Callable[[str], str] | None, depth: int = 0) -> list[str]:
    """The words with what is in the files that they name: `@flags.txt`."""
    found: list[str] = []
    for word in words:
        if read is None or not word.startswith("@") or word == "@":
            found.append(word)
            continue
        if depth == MAX_RESPONSE_FILES:
            raise UsageError("files of flags name each other without an end", file=word[1:])
        name = os.path.join(folder, word[1:])
        found += _with_responses(split_words(read(name), name), folder, read, depth + 1)
    return found


def split_words(line: str, file: str | None = None) -> list[str]:
    """The words of a command line, as a shell takes them apart."""
    import shlex

    try:
        return shlex.split(line)
    except ValueError as error:
        raise UsageError(f"this is no line of flags: {error}".lower(), file=file) from None
