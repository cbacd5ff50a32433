"""How files are compiled: compile_commands.json, as CMake, Meson, Bear and others write it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from xgen.errors import UsageError, listed, nearest
from xgen.frontends.c.text.flags import Flags, read_flags, split_words
from xgen.frontends.c.text.preprocess import Settings
from xgen.records import dataclass
from xgen.sources import read_source

NAME = "compile_commands.json"
FOLDERS = ("build", "builddir", "_build", "out", "cmake-build-debug", "cmake-build-release")
"""What folders are called that projects are built in."""
_WRAPPERS = frozenset(["ccache", "sccache", "distcc", "icecc"])


@dataclass(frozen=True, slots=True)
class Entry:
    """How a file is compiled: by which compiler, with which flags."""

    file: str
    compiler: str
    flags: Flags


def build_file(build: str) -> str:
    """The file that `-p` means: itself, or the one in that folder, or in a folder of builds that it has."""
    if not os.path.isdir(build):
        return build
    there = (os.path.join(build, folder, NAME) for folder in ("", *FOLDERS))
    return next(filter(os.path.isfile, there), os.path.join(build, NAME))


def is_build(build: str) -> bool:
    """Whether `-p` means a build of C and C++, and no project of cargo."""
    return not os.path.isfile(os.path.join(build, "Cargo.toml")) and os.path.isfile(build_file(build))


def files_in(build: str) -> list[str]:
    """The files that a build compiles, as they are called from here, each once. Raises UsageError."""
    paths = (os.path.realpath(path) for path, _, _ in _read(build_file(build)))
    return [os.path.join(_from_here(os.path.dirname(path)), os.path.basename(path)) for path in dict.fromkeys(paths)]


def entries(build: str, files: Sequence[str]) -> list[Entry | None]:
    """For each of some files, how it is compiled; None where nothing says so. Raises UsageError.

    One of them at least has to be there: a harness of one's own, which is no part of a build, is compiled as the file
    that it is given with.
    """
    name = build_file(build)
    database = _read(name)
    found = [_entry(database, file, name) for file in files]
    if not any(found):
        known = sorted({os.path.relpath(path) for path, _, _ in database})
        hint = nearest(os.path.relpath(files[0]), known)
        missing = listed([f"`{file}`" for file in files], "or")
        raise UsageError(f"it does not say how {missing} is compiled", file=name, hint=hint)
    return found


def _read(name: str) -> list[tuple[str, str, list[str]]]:
    """The file, the folder and the words of each entry."""
    import json  # long to import, and rarely needed

    text = read_source(name).text
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"this is no JSON: {error}", file=name) from None
    if not isinstance(found, list):
        raise UsageError("this is no list of compilations", file=name)
    return [_read_entry(entry, name) for entry in found]


def _read_entry(entry: Any, name: str) -> tuple[str, str, list[str]]:
    """One entry. Its folder, if that is not absolute, is seen from the file that it is in."""
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        raise UsageError("an entry says no file", file=name)
    folder = os.path.join(os.path.dirname(name), str(entry.get("directory", "")))
    words = entry.get("arguments")
    if words is None and isinstance(entry.get("command"), str):
        words = split_words(entry["command"], name)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise UsageError(f"the entry of `{entry['file']}` has neither `arguments` nor a `command`", file=name)
    return os.path.join(folder, entry["file"]), folder, words


def _entry(database: list[tuple[str, str, list[str]]], file: str, name: str) -> Entry | None:
    """How a file is compiled. It may be compiled several times, but not in several ways."""
    wanted = os.path.realpath(file)
    found: list[Entry] = []
    for path, folder, words in database:
        if os.path.realpath(path) != wanted:
            continue
        words = words[next((k for k, word in enumerate(words) if os.path.basename(word) not in _WRAPPERS), 0) :]
        flags = read_flags(words[1:], _from_here(folder), lambda path: read_source(path).text)
        entry = Entry(file, words[0] if words else "", flags)
        if all(entry.flags.settings != other.flags.settings for other in found):
            found.append(entry)
    if len(found) > 1:
        ways = "\n".join(f"  {_shown(entry.flags.settings)}" for entry in found)
        message = f"`{file}` is compiled in {len(found)} ways:\n{ways}"
        raise UsageError(message, file=name, hint="give the flags of one of them behind `--`, without -p")
    return found[0] if found else None


def _from_here(folder: str) -> str:
    """A folder as it is called from here, unless it is somewhere else."""
    near = os.path.relpath(folder)
    return "" if near == "." else os.path.normpath(folder) if near.startswith("..") else near


def _shown(settings: Settings) -> str:
    """Settings as flags."""
    words = [f"-D{text}" for text in settings.defines] + [f"-U{text}" for text in settings.undefines]
    for flag, folders in (("-iquote ", settings.quoted), ("-I", settings.folders), ("-isystem ", settings.system)):
        words += [f"{flag}{folder}" for folder in folders]
    words += [f"-include {file}" for file in settings.includes]
    words += [f"-std={settings.standard}"] if settings.standard else []
    return " ".join(words) or "without flags"
