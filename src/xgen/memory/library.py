"""Finding memory models: the shipped ones by name, others by their file."""

from __future__ import annotations

import os
from functools import cache

from xgen.errors import UsageError, nearest
from xgen.memory.algebra import Model
from xgen.memory.cache import read_kept, read_stored
from xgen.resources import shipped
from xgen.sources import COMPILED, KERNELS, is_file, read_source
from xgen.tags import TABLE

OTHER_NAMES = {name: each.model for each in TABLE for name in each.called} | {"sparc": "pso"}
"""What people call the shipped models' machines and languages: for hints."""
PROGRAMS = {*COMPILED, *KERNELS, ".cub", ".dve", ".gcl", ".litmus", ".xcfa", ".yml"}
"""Suffixes of files that are no models."""


def list_models() -> list[str]:
    """The names of the shipped models, such as `tso` and `thesis/tso`; those in folders come last."""
    folder = shipped("mcm")
    names = [path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.mcm")]
    return sorted(names, key=lambda name: (name.count("/"), name))


def _is_shipped(name: str) -> bool:
    """Whether a shipped model has that name. (It takes longer to list them all.)"""
    letters = name.replace("/", "").replace("-", "")
    is_name = letters.isascii() and letters.isalnum() and letters == letters.lower() and name[0] != "/"
    return is_name and os.path.isfile(shipped("mcm") / f"{name}.mcm")


@cache
def _shipped(name: str) -> Model:
    """A shipped model: it is read once, since what its text proves is kept with the model."""
    return read_stored(f"shipped-{name}", read_source(shipped("mcm") / f"{name}.mcm"))


def _read(path: str) -> Model:
    def read() -> Model:
        from xgen.memory.mcm import read_model  # imports lark, which takes long

        return read_model(source)

    source = read_source(path)
    return read_kept(source, [], read)


def _read_cat(path: str, architecture: str | None) -> Model:
    def read() -> Model:
        from xgen.memory.cat import read_cat  # long to import

        return read_cat(source, architecture)

    source = read_source(path)
    return read_kept(source, [architecture], read)


def load_model(name_or_path: str, architecture: str | None = None) -> Model:
    """A memory model: of a .mcm or .cat file, or the shipped one of that name.

    `architecture` is that of the programs that the model is for, as in the first line of a litmus test; a .cat model's
    names may depend on it (`read_cat`). What ends in .mcm or .cat is a file; of what does not, a shipped model comes
    first and a file second. Raises UsageError where there is neither, ModelError and UnsupportedError as `read_model`
    and `read_cat` do.
    """
    suffix = os.path.splitext(name_or_path)[1]
    if suffix == ".cat":
        return _read_cat(name_or_path, architecture)
    if suffix == ".mcm":
        return _read(name_or_path)
    if suffix in PROGRAMS:
        raise UsageError("this is no memory model", file=name_or_path, hint="models are .mcm and .cat files")
    if _is_shipped(name_or_path):
        return _shipped(name_or_path)
    # os.path answers False where a name is too long or holds a NUL character; pathlib raises.
    if is_file(name_or_path) or os.path.exists(name_or_path):
        return _read(name_or_path)
    shown = name_or_path if len(name_or_path) <= 60 else f"{name_or_path[:57]}..."
    known = list_models()
    listed = f"the shipped models are {', '.join(known)}"
    meant = OTHER_NAMES.get(name_or_path.lower())
    hint = f"did you mean `{meant}`?" if meant else nearest(name_or_path, known) if shown == name_or_path else None
    raise UsageError(f"there is no memory model `{shown}`", hint=f"{hint} {listed}" if hint else listed)
