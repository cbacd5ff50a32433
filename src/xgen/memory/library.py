"""Finding memory models: the shipped ones by name, others by their file."""

from __future__ import annotations

import os

from xgen.errors import UnsupportedError, UsageError, nearest
from xgen.memory.algebra import Model
from xgen.memory.mcm import read_model
from xgen.resources import shipped
from xgen.sources import read_source


def list_models() -> list[str]:
    """The names of the shipped models, such as `tso` and `thesis/tso`; those in folders come last."""
    folder = shipped("mcm")
    names = [path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.mcm")]
    return sorted(names, key=lambda name: (name.count("/"), name))


def load_model(name_or_path: str) -> Model:
    """A memory model: of a .mcm file, or the shipped one of that name.

    What ends in .mcm or .cat is a file; of what does not, a shipped model comes first and a file second. Raises
    UsageError where there is neither, ModelError and UnsupportedError as `read_model` does.
    """
    suffix = os.path.splitext(name_or_path)[1]
    if suffix == ".cat":
        read_source(name_or_path)  # what is wrong with the file comes first
        raise UnsupportedError("reading .cat models is not supported yet", file=name_or_path)
    if suffix == ".mcm":
        return read_model(read_source(name_or_path))
    known = list_models()
    if name_or_path in known:
        return read_model(read_source(shipped("mcm") / f"{name_or_path}.mcm"))
    # os.path answers False where a name is too long or holds a NUL character; pathlib raises.
    if os.path.exists(name_or_path):
        return read_model(read_source(name_or_path))
    shown = name_or_path if len(name_or_path) <= 60 else f"{name_or_path[:57]}..."
    listed = f"the shipped models are {', '.join(known)}"
    hint = nearest(name_or_path, known) if len(name_or_path) <= 60 else None
    raise UsageError(f"there is no memory model `{shown}`", hint=f"{hint} {listed}" if hint else listed)
