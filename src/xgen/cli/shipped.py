"""Which file a user means: a path, or else something shipped, by its name."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from xgen import resources
from xgen.errors import UsageError, nearest
from xgen.sources import STANDARD_INPUT


def find_program(name: str) -> Path:
    """A program, for what explores it: the shipped ones in `programs` and `programs/c` go by their names alone."""

    def known() -> dict[str, Path]:
        folder = resources.shipped("programs")
        of_c = [*(folder / "c").glob("*.c")]
        programs = {path.stem: path for path in (*of_c, *folder.glob("*.xcfa"))}
        return programs | {path.name: path for path in of_c}

    missing = "there is no such file and no such shipped program"
    return _find(name, name.removesuffix(".xcfa"), known, (), 0, missing)


def find_claim(name: str) -> Path:
    """What can be proved: programs by their paths in `programs`, and systems of any number of processes."""
    missing = "there is no such file, and nothing shipped has that name"
    return _find_below(name, (".xcfa", ".c", ".cub"), missing)


def find_system(name: str) -> Path:
    """What formulas are about: programs and systems in DVE by their paths in `programs`."""
    missing = "there is no such file and no such shipped program"
    return _find_below(name, (".xcfa", ".dve"), missing)


def find_protocol(name: str) -> Path:
    """A protocol of guarded commands."""

    def known() -> dict[str, Path]:
        return {path.stem: path for path in resources.shipped("protocols").glob("*.gcl")}

    missing = "there is no such file and no such shipped protocol"
    return _find(name, name.removesuffix(".gcl"), known, (), 0, missing)


def _find_below(name: str, endings: tuple[str, ...], missing: str) -> Path:
    """Files of some kinds by their paths in `programs`; systems of any number of processes need no folder."""

    def known() -> dict[str, Path]:
        folder = resources.shipped("programs")
        files = [path for ending in endings for path in folder.rglob(f"*{ending}")]
        return {path.relative_to(folder).as_posix().removeprefix("cub/"): path for path in files}

    return _find(name, name, known, endings, 1, missing)


def _find(
    name: str, wanted: str, known: Callable[[], dict[str, Path]], endings: tuple[str, ...], depth: int, missing: str
) -> Path:
    """A path, or else the known file that is wanted, whose name may lack one of some endings.

    Names of more than so many folders are paths. Raises UsageError where nothing is there and something known has a
    similar name; else what is not there is left to the reader.
    """
    if name in STANDARD_INPUT:
        return Path(STANDARD_INPUT[name])
    # os.path answers False where a name is too long or holds a NUL; pathlib raises.
    if os.path.isabs(name) or name.count("/") > depth or os.path.exists(name):
        return Path(name)
    files = known()
    for ending in ("", *endings):
        if wanted + ending in files:
            return files[wanted + ending]
    hint = nearest(wanted, {*files, *(file.rpartition(".")[0] or file for file in files)}) if len(name) <= 60 else None
    if hint:
        raise UsageError(missing, file=name, hint=hint)
    return Path(name)
