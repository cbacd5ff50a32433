"""Programs as they were translated, kept for the next run with all that they are of.

They are pickles. Only the records that programs consist of are made of one, whoever may have written it.
"""

from __future__ import annotations

import io
import os
import pickle
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Any
from zlib import crc32

from xgen.errors import Source
from xgen.frontends.cache import hashed, keep, kept
from xgen.program.automaton import Program
from xgen.records import dataclass
from xgen.resources import package_folder
from xgen.sources import is_file, missed, reads_files, recorded, source_of

MADE_BY = ("frontends", "program", "errors.py", "records.py", "sources.py")
"""What a program depends on besides its texts: code, and headers, by their folders."""
_RECORDS = re.compile(r"xgen\.(errors|program\.\w+)")
"""The modules of what programs consist of."""
_GIVEN = ""
"""What stands for the source that a program is given; others are called by their names."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A program, and what was read for it: for each file, where it is and its text; and the files that were missing."""

    program: Program
    read: tuple[tuple[str, str, str], ...] = ()
    missing: tuple[str, ...] = ()

    def is_valid(self) -> bool:
        """Whether all files are as they were."""
        return not any(map(is_file, self.missing)) and all(_state(name) == (name, *was) for name, *was in self.read)


def _state(name: str) -> tuple[str, str, str]:
    ours = name.startswith(f"{package_folder('frontends')}{os.sep}")  # headers: they are where the code is
    return name, name if ours else os.path.realpath(name), source_of(name).text


def translated_ir(source: Source, text: str, said: Sequence[object], translate: Callable[[], Program]) -> Program:
    """The program that `translate` makes of IR and of what else is `said`, which is translated once only. The texts of
    the files that the IR names are only shown."""
    return _once(source, [hashed(text.encode()), *said], lambda: _Kept(translate()))


def translated_c(source: Source, said: Sequence[object], translate: Callable[[], Program]) -> Program:
    """The program that `translate` makes of C and of what else is `said`, which is translated once only.

    It is translated anew where a file that was read for it has another text, or may be found elsewhere; and each time
    where texts are read that are no files, and where a compiler is asked about headers, which finds them by itself.
    """
    if not reads_files():
        return translate()

    def made() -> _Kept:
        with recorded() as texts, missed() as missing:
            program = translate()
        return _Kept(program, tuple(map(_state, texts)), tuple(sorted(missing)))

    return _once(source, [source.text, *said], made)


def _once(source: Source, said: Sequence[object], make: Callable[[], _Kept]) -> Program:
    key = "\0".join([sys.version, _code(), _here(), source.name, *map(str, said)])
    # A name that two questions have costs time only: what is kept has the whole question with it. Modules of hashes are
    # long to import.
    name = f"{crc32(key.encode()):08x}.program"
    found = _loaded(kept(name), key, source)
    if found is None or not found.is_valid():
        found = make()
        if found.program.headers != "cc":
            # a program may be nested too deeply for this
            with suppress(RecursionError):
                keep(name, _dumped(found, key, source))
    return found.program


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:  # the folder is gone
        return ""


@cache
def _code() -> str:
    """The state of the code that translates."""
    return " ".join(sorted(state for name in MADE_BY for state in _states(str(package_folder(name)))))


def _states(path: str) -> Iterator[str]:
    if os.path.isdir(path):
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.name != "__pycache__":
                    yield from _states(entry.path)
    else:
        state = os.stat(path)
        yield f"{path} {state.st_mtime_ns} {state.st_size}"


class _Writer(pickle.Pickler):
    """Texts of files may change where the IR does not, so only their names are kept."""

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
    def __init__(self, data: bytes, source: Source) -> None:
        super().__init__(io.BytesIO(data))
        self.sources = {_GIVEN: source}

    def named(self, name: str) -> Source:
        if name not in self.sources:
            self.sources[name] = source_of(name)
        return self.sources[name]

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == (__name__, _named.__name__):
            return self.named
        found = super().find_class(module, name) if _RECORDS.fullmatch(module) and "." not in name else None
        if not isinstance(found, type) or found.__module__ != module:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a program")
        return found


def _dumped(made: _Kept, key: str, source: Source) -> bytes:
    file = io.BytesIO()
    _Writer(file, source).dump((key, made.program, made.read, made.missing))
    data = file.getvalue()
    return _sum(data) + data


def _loaded(data: bytes | None, key: str, source: Source) -> _Kept | None:
    """What is kept for a question, if that is what was written."""
    if data is None or _sum(data[4:]) != data[:4]:
        return None
    try:
        question, program, read, missing = _Reader(data[4:], source).load()
    except Exception:  # whatever else it may say
        return None
    return _Kept(program, read, missing) if question == key and isinstance(program, Program) else None


def _sum(data: bytes) -> bytes:
    return crc32(data).to_bytes(4, "big")
