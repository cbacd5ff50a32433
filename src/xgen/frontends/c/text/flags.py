"""What compilers are told on their command line, as far as it matters for what a file says."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from xgen.errors import UsageError
from xgen.frontends.c.text.preprocess import Settings
from xgen.records import dataclass, replace

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
_FAMILIES = (
    "(un)?signed-char|short-enums|short-wchar|pack-struct(=.*)?|wrapv|trapv|exceptions|rtti|common|builtin(-.*)?|openmp.*"
    "|ms-extensions|gnu89-inline|freestanding|hosted|char8_t|coroutines|threadsafe-statics|delete-null-pointer-checks"
    "|aligned-allocation|aligned-new|sized-deallocation|operator-names|experimental-library|blocks"
)
_OF_MEANING = re.compile(
    rf"-f(no-)?({_FAMILIES})|-f(template-depth|constexpr-(steps|depth)|input-charset|exec-charset)=.*|-m(x?32|16|cx16)"
    r"|-nostdinc(\+\+)?|-stdlib=.*|-pthread|-ansi|-idirafter|-imacros|-isysroot|--sysroot(=.*)?|-Wno-.*"
)
"""Flags that say something of what a program means, or of what is no error in it."""
_WITH_PATH = ("-idirafter", "-imacros", "-isysroot", "--sysroot")
_OF_CODE = re.compile(
    r"-[OgMclLs].*|-[SETpuz]|-o.*|-x.*|-W(?!no-).*|-m(arch|tune|cpu)=.*|--?target\b.*|-pipe|-pg|-shared|-static.*"
    r"|-rdynamic|-save-temps.*|-emit-.*|-arch|-X(linker|assembler|clang)|-mllvm|-include-pch"
    r"|-f(PI|pi|lto|sanitize|stack-|cf-|profile|coverage|use-ld|plugin|pass-plugin).*"
)
"""Flags that say how code is made, or what is said meanwhile: nothing here."""


@dataclass(frozen=True, slots=True)
class Flags:
    """What a line of flags says, and which of them say nothing here."""

    settings: Settings
    ignored: tuple[str, ...]


def read_flags(words: Sequence[str], folder: str = "", read: Callable[[str], str] | None = None) -> Flags:
    """The flags -I -isystem -iquote -D -U -include -std, as one word or two, and those that only compilers know; what
    says how code is made is ignored. `read`: a build has written them down, for another compiler perhaps, so that only
    those are kept that bear on what a program means; it gives the text of a file of flags (@FILE).

    Paths are from `folder`. Raises UsageError.
    """
    found: dict[str, list[str]] = {field: [] for field in (*_FIELDS.values(), "others")}
    ignored: list[str] = []
    standard: str | None = None
    rest = list(reversed(_with_responses(words, folder, read)))
    while rest:
        word = rest.pop()
        if word.startswith(("-std=", "--std=")):
            standard = word.partition("=")[2]
            continue
        flag = next((flag for flag in sorted(_FIELDS, key=len, reverse=True) if word.startswith(flag)), None)
        if flag is None or (flag == "-include" and word != flag) or word == "-I-":
            if read is None and not word.startswith("-"):
                raise UsageError(f"`{word}` is no flag", hint="files stand before `--`")
            kept = _OF_MEANING.fullmatch(word) if read is not None else not _OF_CODE.fullmatch(word)
            said = [word, rest.pop()] if word in _WITH_WORD and rest else [word]
            if kept and word in _WITH_PATH:
                said[1:] = [_joined(folder, path) for path in said[1:]]
            (found["others"] if kept else ignored).extend(said)
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
    given = {name: tuple(values) for name, values in found.items()}
    return Flags(replace(Settings(standard=standard), **given), tuple(ignored))  # type: ignore[arg-type]


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
