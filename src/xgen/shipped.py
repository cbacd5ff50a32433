"""Which file a user means: a path, or else something shipped, by its name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from xgen import resources
from xgen.errors import UsageError, listed, nearest
from xgen.sources import STANDARD_INPUT, is_file

READERS = {".dve": "ltl", ".cub": "prove", **dict.fromkeys((".c", ".cpp", ".rs", ".cu", ".hip"), "check")}
"""The command for what is shipped, by its suffix."""
_PROGRAMS = {".xcfa": "", ".c": "c", ".cpp": "cpp", ".rs": "rust", ".cu": "cuda", ".hip": "hip"}
"""The folders of `programs` in which programs of a language need no folder, the first one first."""
_CLAIMS = {".xcfa": "", ".c": "c", ".cub": "cub", **_PROGRAMS}


def is_task(name: str) -> bool:
    """Whether a file is a task of SV-COMP, by its name."""
    return name.endswith((".yml", ".yaml"))


def find_program(name: str) -> Path:
    """A program, for what explores it: a file, or one of `programs`, such as peterson, clh or endless/peterson."""
    if name.endswith(".litmus"):
        return Path(*find_suites([name]))
    missing = "there is no such file and no such shipped program"
    try:
        found = _find_below(name, _PROGRAMS, missing)
    except UsageError:
        _hint_at_tests(name, missing)
        raise
    if found == Path(name):
        _hint_at_tests(name, missing)
    return found


def list_programs() -> list[str]:
    """The names of the shipped programs, as `find_program` takes them: without what their folder makes plain."""
    folder = resources.shipped("programs")
    paths = [path for ending in (".xcfa", ".c") for path in folder.rglob(f"*{ending}")]
    names = {path.relative_to(folder).with_suffix("").as_posix().removeprefix("c/") for path in paths}
    return sorted(name for name in names if name.count("/") <= 1)


def find_claim(name: str) -> Path:
    """What can be proved: programs, and systems of any number of processes."""
    if name.endswith(".litmus"):
        return find_program(name)
    missing = "there is no such file, and nothing shipped has that name"
    return _find_below(name, _CLAIMS, missing)


def find_system(name: str) -> Path:
    """What formulas are about: programs and systems in DVE."""
    if name.endswith(".litmus"):
        return find_program(name)
    return _find_below(name, {".xcfa": "", ".dve": None}, "there is no such file and no such shipped program")


def find_protocol(name: str) -> Path:
    """A protocol of guarded commands."""

    def known() -> dict[str, Path]:
        return {path.stem: path for path in resources.shipped("protocols").glob("*.gcl")}

    missing = "there is no such file and no such shipped protocol"
    return _find(name, name.removesuffix(".gcl"), known, (), 0, missing)


def find_suites(paths: Iterable[str]) -> list[str]:
    """Litmus tests, folders and lists of them: what is not there is that of `litmus` which comes with xgen."""
    found = [_path("litmus", path) for path in paths]
    for path in found:
        _hint_at_tests(path, "there is no such file or folder")
    return found


def find_programs(paths: Iterable[str]) -> list[str]:
    """Programs and folders of them: what is not there is that of `programs` which comes with xgen."""
    return [_path("programs", path) for path in paths]


def _path(kind: resources.Kind, path: str) -> str:
    """A path, or if nothing is there what comes with xgen and has it."""
    below = resources.shipped(kind) / path.removeprefix(f"{kind}/").removeprefix(kind)
    plain = path and "\0" not in path and not os.path.isabs(path) and ".." not in path.split("/")
    return str(below) if plain and not os.path.exists(path) and os.path.exists(below) else path


def _hint_at_tests(name: str, missing: str) -> None:
    """Raises UsageError where nothing is there and shipped litmus tests have the name, without their folders."""
    if os.path.exists(name) or "/" in name or name.startswith("@"):
        return
    folder = resources.shipped("litmus")
    tests = sorted(path for path in folder.rglob("*.litmus") if name in (path.stem, path.name))
    if tests:
        names = [path.relative_to(folder).as_posix() for path in tests]
        raise UsageError(missing, file=name, hint=f"shipped litmus tests are {listed(names, 'and')}")


def _find_below(name: str, kinds: Mapping[str, str | None], missing: str) -> Path:
    """Files of some kinds, by their endings, by their paths in `programs`; those in the folders of their kinds, the
    first one first, need none."""
    endings = tuple(kinds)

    def known() -> dict[str, Path]:
        folder = resources.shipped("programs")
        paths = [path for ending in endings for path in sorted(folder.rglob(f"*{ending}"))]
        found = {path.relative_to(folder).as_posix(): path for path in paths}
        for place in (folder for folder in kinds.values() if folder is not None):
            found |= {path.name: path for path in paths if path.parent == folder / place and path.name not in found}
        return found

    try:
        found = _find(name, name.removeprefix("programs/"), known, endings, 1, missing)
    except UsageError:
        _hint_at_neighbours(name, missing)
        _hint_at_others(name, endings, missing, nearly=False)
        raise
    if found == Path(name):
        _hint_at_others(name, endings, missing, nearly=True)
    return found


def _hint_at_neighbours(name: str, missing: str) -> None:
    """Raises UsageError where nothing is there, and a file beside it has a similar name and the same ending."""
    folder, stem = os.path.split(name)
    ending = os.path.splitext(stem)[1]
    if ending and len(name) <= 60 and os.path.isdir(folder or "."):
        beside = [each for each in os.listdir(folder or ".") if each.endswith(ending)]
        if hint := nearest(stem, beside, 0.8):
            raise UsageError(missing, file=name, hint=hint)


def _hint_at_others(name: str, endings: tuple[str, ...], missing: str, nearly: bool) -> None:
    """Raises UsageError where nothing is there and something shipped for other commands has the name, or nearly.

    What is only nearly the name is in the folder that was named.
    """
    if os.path.exists(name) or os.path.isabs(name):
        return
    folder = resources.shipped("programs")
    for ending, command in READERS.items():
        if ending in endings:
            continue
        wanted = name.removeprefix("programs/").removesuffix(ending)
        names = [path.relative_to(folder).with_suffix("").as_posix() for path in sorted(folder.rglob(f"*{ending}"))]
        same = [each for each in names if wanted in (each, each.rpartition("/")[2])]
        if same:
            raise UsageError(missing, file=name, hint=f"`xgen {command}` reads the shipped `{same[0]}`")
        place, _, stem = wanted.rpartition("/")
        alike = [each for each in names if place and each.rpartition("/")[0] == place]
        if nearly and len(name) <= 60 and nearest(stem, [each.rpartition("/")[2] for each in alike]):
            raise UsageError(missing, file=name, hint=f"{nearest(wanted, alike)} `xgen {command}` reads it")


def _find(
    name: str, wanted: str, known: Callable[[], dict[str, Path]], endings: tuple[str, ...], depth: int, missing: str
) -> Path:
    """A path, or else the known file that is wanted, whose name may lack one of some endings.

    Names of more than so many folders are paths, and so are those in a folder that nothing known is in. Raises
    UsageError where nothing is there and something known has a similar name; else what is not there is left to the
    reader.
    """
    if name in STANDARD_INPUT:
        return Path(STANDARD_INPUT[name])
    # os.path answers False where a name is too long or holds a NUL; pathlib raises.
    if os.path.isabs(name) or wanted.count("/") > depth or os.path.exists(name) or is_file(name):
        return Path(name)
    files = known()
    for ending in ("", *endings):
        if wanted + ending in files:
            return files[wanted + ending]
    folder = wanted.rpartition("/")[0]
    if folder and not any(file.startswith(f"{folder}/") for file in files):
        return Path(name)
    stem = next((wanted.removesuffix(ending) for ending in endings if wanted.endswith(ending)), wanted)
    alike = {file.rpartition(".")[0] or file for file in files if file.count("/") == wanted.count("/")}
    hint = nearest(stem, alike) if len(name) <= 60 else None
    if hint:
        raise UsageError(missing, file=name, hint=hint)
    return Path(name)
