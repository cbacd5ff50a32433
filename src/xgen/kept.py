"""Records that were made of texts, kept for the next run with all that they are of: programs, and memory models.

They are pickles. Only records of the modules that are named are made of one, whoever may have written it.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any
from zlib import crc32

from xgen.errors import Source
from xgen.records import dataclass
from xgen.resources import package_folder
from xgen.sources import is_file, missed, recorded, source_of
from xgen.store import keep, kept

_GIVEN = ""
"""What stands for the source that something is made of; others are called by their names."""


@dataclass(frozen=True, slots=True)
class Made:
    """What was made of a text, and what was read for it: for each file, where it is and its text; and the files that
    were missing. `lasts`: it may be kept."""

    thing: Any
    read: tuple[tuple[str, str, str], ...] = ()
    missing: tuple[str, ...] = ()
    lasts: bool = True

    def is_valid(self) -> bool:
        """Whether all files are as they were."""
        return not any(map(is_file, self.missing)) and all(_state(name) == (name, *was) for name, *was in self.read)


def made_of_files(make: Callable[[], Any], lasts: Callable[[Any], bool] = lambda _: True) -> Made:
    """What a function makes, and what it reads for it."""
    with recorded() as texts, missed() as missing:
        thing = make()
    return Made(thing, tuple(map(_state, texts)), tuple(sorted(missing)), lasts(thing))


def here() -> str:
    """The folder that names of files are to be seen from."""
    try:
        return os.getcwd()
    except OSError:  # it is gone
        return ""


def _state(name: str) -> tuple[str, str, str]:
    ours = name.startswith(f"{package_folder('frontends')}{os.sep}")  # headers: they are where the code is
    return name, name if ours else os.path.realpath(name), source_of(name).text


class Keeper:
    """Keeps records of one kind.

    suffix   of the files
    made_by  what they depend on besides their texts: code, by its folders and files in the package
    records  which records and enumerations they consist of: how their full names begin
    """

    def __init__(self, suffix: str, made_by: Sequence[str], records: tuple[str, ...]) -> None:
        self.suffix = suffix
        self.made_by = made_by
        self.records = records

    def once(
        self,
        source: Source,
        said: Sequence[object],
        make: Callable[[], Made],
        *,
        name: str | None = None,
        where: Path | None = None,
    ) -> Made:
        """What is made of a text and of what else is `said`, which has to be all that it depends on: it is made once.

        Of those with a `name` one is kept. `where`: the folder, if it is not that of the user.
        """
        key = "\0".join([sys.version, self.code, source.name, *map(str, said)])
        # A name that two questions have costs time only: what is kept has the whole question with it. Modules of hashes
        # are long to import.
        file = f"{name or f'{crc32(key.encode()):08x}'}.{self.suffix}"
        found = self._loaded(kept(file, where), key, source)
        if found is None or not found.is_valid():
            found = make()
            if found.lasts:
                with suppress(RecursionError):  # it may be nested too deeply
                    keep(file, _dumped(found, key, source), where)
        return found

    @cached_property
    def code(self) -> str:
        """The state of the code that makes them."""
        return " ".join(sorted(state for name in self.made_by for state in _states(str(package_folder(name)))))

    def _loaded(self, data: bytes | None, key: str, source: Source) -> Made | None:
        """What is kept for a question, if that is what was written."""
        if data is None or _sum(data[4:]) != data[:4]:
            return None
        try:
            question, *made = _Reader(data[4:], source, self.records).load()
        except Exception:  # whatever else it may say
            return None
        return Made(*made) if question == key else None


def _states(path: str) -> Iterator[str]:
    try:
        entries = os.scandir(path)
    except NotADirectoryError:
        yield _state_of(os.stat(path), path)
        return
    with entries:
        for entry in entries:
            if not entry.is_dir():
                yield _state_of(entry.stat(), entry.path)
            elif entry.name != "__pycache__":
                yield from _states(entry.path)


def _state_of(state: os.stat_result, path: str) -> str:
    return f"{path} {state.st_mtime_ns} {state.st_size}"


class _Writer(pickle.Pickler):
    """Texts of files are as they are when they are read, so only their names are kept."""

    def __init__(self, file: io.BytesIO, source: Source) -> None:
        super().__init__(file, protocol=5)
        self.source = source
        self.dispatch_table = {Source: self.reduced}  # unlike `persistent_id`, asked about sources only

    def reduced(self, source: Source) -> tuple[Any, ...]:
        if source is self.source:
            return _named, (_GIVEN,)
        if is_file(source.name):
            return _named, (source.name,)
        found = source.__reduce_ex__(5)
        assert isinstance(found, tuple)
        return found


def _named(name: str) -> Source:
    """Stands for the source of that name in a pickle."""
    raise NotImplementedError


class _Reader(pickle.Unpickler):
    def __init__(self, data: bytes, source: Source, records: tuple[str, ...]) -> None:
        super().__init__(io.BytesIO(data))
        self.sources = {_GIVEN: source}
        self.records = records

    def named(self, name: str) -> Source:
        if name not in self.sources:
            self.sources[name] = source_of(name)
        return self.sources[name]

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == (__name__, _named.__name__):
            return self.named
        may_be = "." not in name and f"{module}.{name}".startswith(self.records)
        found = super().find_class(module, name) if may_be else None
        if not isinstance(found, type) or found.__module__ != module:
            raise pickle.UnpicklingError(f"{module}.{name} is not among what is kept")
        return found


def _dumped(made: Made, key: str, source: Source) -> bytes:
    file = io.BytesIO()
    _Writer(file, source).dump((key, made.thing, made.read, made.missing))
    data = file.getvalue()
    return _sum(data) + data


def _sum(data: bytes) -> bytes:
    return crc32(data).to_bytes(4, "big")
