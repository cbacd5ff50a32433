"""Models that come with xgen, kept as they were read: reading one takes longer than all the rest of a small check.

They are kept beside this module's own compiled form: whoever may write there may also replace the code itself.
"""

from __future__ import annotations

import importlib.util
import os
import pickle
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

from xgen.errors import Source
from xgen.memory.algebra import Model

_MADE_BY = ("../errors.py", "algebra.py", "mcm/elaborate.py", "mcm/operators.py", "mcm/parser.py", "mcm/mcm.lark")
"""What a model depends on besides its text."""


def read_stored(name: str, source: Source) -> Model:
    """The model that a text says, which is the same in every run; `name` is that of the file that it is kept in.

    Raises ModelError as `read_model` does.
    """
    folder, key = _folder(), _key(source)
    file = folder / f"{name.replace('/', '-')}.model" if folder else None
    model = _load(file, key) if file else None
    if model is None:
        from xgen.memory.mcm import read_model  # imports lark, which takes long

        model = read_model(source)
        if file:
            _save(file, key, model)
    return model


def _key(source: Source) -> bytes:
    """What a kept model has to be of: the text, and the code that reads it."""
    return "\0".join([_code(), source.name, source.text, ""]).encode()


@cache
def _code() -> str:
    here = Path(__file__).parent
    files = [os.stat(here / path) for path in _MADE_BY]
    return " ".join([sys.version, *(f"{file.st_mtime_ns} {file.st_size}" for file in files)])


@cache
def _folder() -> Path | None:
    """Where models are kept, or None where they cannot be."""
    if sys.implementation.cache_tag is None:
        return None
    folder = Path(importlib.util.cache_from_source(__file__)).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def _load(file: Path, key: bytes) -> Model | None:
    """The model that is kept in a file, if it is of that key."""
    try:
        text = file.read_bytes()
        model = pickle.loads(text[len(key) :]) if text.startswith(key) else None
    except (OSError, EOFError, ValueError, pickle.UnpicklingError):
        return None
    return model if isinstance(model, Model) else None


def _save(file: Path, key: bytes, model: Model) -> None:
    """Keeps a model; other processes find the old file or the new one."""
    new = file.with_suffix(f".{os.getpid()}")
    try:
        new.write_bytes(key + pickle.dumps(model))
        new.replace(file)
    except OSError:
        with suppress(OSError):  # nor may it be taken away where nothing may be written
            new.unlink()
