"""Memory models as they were read, and what was found out about them, kept for the next run: both take longer than all
the rest of a small check.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar, cast
from weakref import WeakKeyDictionary

from xgen.errors import Source
from xgen.kept import Keeper, Made, here, made_of_files
from xgen.memory.algebra import Model
from xgen.sources import reads_files

P = ParamSpec("P")
T = TypeVar("T")

MADE_BY = ("memory", "errors.py", "grammars.py", "lowering/code.py", "records.py", "sources.py", "tags.py")
_RECORDS = ("xgen.errors.", "xgen.lowering.code.", "xgen.memory.")
_NUMBERS = ("xgen._core.NodeOp", "xgen._core.Property", "xgen._core.Over")
_MODELS = Keeper("model", MADE_BY, (*_RECORDS, *_NUMBERS))
_OF: WeakKeyDictionary[Model, tuple[Source, str, Path | None]] = WeakKeyDictionary()
"""All that models are of, by their sources and what else is said, where that is known; and the folder for what is found
out about them."""


def read_stored(name: str, source: Source) -> Model:
    """The model that a text says that comes with xgen; `name` is that of the file that it is kept in.

    That is beside the compiled form of this module, if it may be: whoever may write there may also replace the code.
    Raises ModelError as `read_model` does.
    """

    def read() -> Made:
        from xgen.memory.mcm import read_model  # imports lark, which takes long

        return Made(read_model(source))

    model: Model = _MODELS.once(source, [source.text], read, name=name.replace("/", "-"), where=_folder()).thing
    _OF[model] = source, source.text, _folder()
    return model


def read_kept(source: Source, said: Sequence[object], read: Callable[[], Model]) -> Model:
    """The model that `read` makes of a file, of what else is `said`, and of the files that it includes."""
    if not reads_files():
        return read()
    said = [here(), *said, source.text]
    made = _MODELS.once(source, said, lambda: made_of_files(read))
    model: Model = made.thing
    _OF[model] = source, "\0".join([*map(str, said), *(part for file in made.read for part in file)]), None
    return model


@cache
def _folder() -> Path | None:
    """Where compiled code is, or None where nothing can be written there."""
    cached = __spec__.cached if __spec__ else None
    folder = Path(cached).parent if cached else None
    return folder if folder and os.access(folder, os.W_OK) else None


def remembered(
    function: Callable[Concatenate[Model, P], T],
) -> Callable[Concatenate[Model, P], T]:
    """A function that says something of a model, and always the same: it is asked once, of models of files in all runs.

    Its arguments are texts, numbers, classes of events, and tuples and sets of these. What it says are records of the
    package `memory`; if it has a `model`, more may be remembered of that.
    """

    @wraps(function)
    def known(model: Model, *args: P.args, **kwargs: P.kwargs) -> T:
        if model not in _OF:
            return function(model, *args, **kwargs)
        source, of, where = _OF[model]
        said = "\0".join([of, function.__qualname__, *map(_said, args), *(f"{k}={_said(kwargs[k])}" for k in kwargs)])
        found: T = _MODELS.once(source, [said], lambda: Made(function(model, *args, **kwargs)), where=where).thing
        made = getattr(found, "model", None)
        if isinstance(made, Model):
            _OF[made] = source, said, where
        return found

    # A function of hashable arguments is one of the same arguments.
    return cast(Callable[Concatenate[Model, P], T], lru_cache(512)(known))


def _said(value: object) -> str:
    """The same text for equal values in all runs, and different ones for others."""
    if hasattr(value, "__match_args__"):
        value = tuple(getattr(value, name) for name in value.__match_args__)
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_said, value)))}}}"
    return f"({', '.join(map(_said, value))})" if isinstance(value, tuple) else repr(value)
