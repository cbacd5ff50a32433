"""Programs as they were translated, kept for the next run beside the IR that they are of.

They are pickles. Only the records that programs consist of are made of one, whoever may have written it.
"""

from __future__ import annotations

import io
import os
import pickle
import re
import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from xgen.errors import Source
from xgen.frontends.llvm import read_prepared
from xgen.frontends.llvm.compiling.cache import keep, kept
from xgen.frontends.llvm.text.metadata import source_of
from xgen.program.automaton import Program

_MADE_BY = ("frontends", "program", "errors.py", "records.py")
"""What a program depends on besides its IR: code, by its folders."""
_RECORDS = re.compile(r"xgen\.(errors|program\.\w+)")
"""The modules of what programs consist of."""
_GIVEN = ""
"""What stands for the source that a program is given; others are called by their names."""


def read_translated(text: str, source: Source, **options: Any) -> Program:
    """What `read_prepared` reads, which is translated once only."""
    key = [sys.version, _code(), os.getcwd(), source.name, text, repr(sorted(options.items()))]
    name = f"{sha256(chr(0).join(key).encode()).hexdigest()[:40]}.program"
    found = _loaded(kept(name), source)
    if found is None:
        found = read_prepared(text, source, **options)
        # a program may be nested too deeply for this
        with suppress(RecursionError):
            keep(name, _dumped(found, source))
    return found


@cache
def _code() -> str:
    """The state of the code that translates."""
    package = Path(__file__).parents[3]
    paths = [path for name in _MADE_BY for path in ((package / name).rglob("*.py"), [package / name])]
    files = sorted(path for each in paths for path in each if path.is_file())
    states = [(str(path), os.stat(path)) for path in files]
    return " ".join(f"{path} {state.st_mtime_ns} {state.st_size}" for path, state in states)


class _Writer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, source: Source) -> None:
        super().__init__(file, protocol=5)
        self.source = source

    def persistent_id(self, obj: Any) -> str | None:
        """Texts of files may change where the IR does not, so only their names are kept."""
        if not isinstance(obj, Source):
            return None
        return _GIVEN if obj is self.source else obj.name


class _Reader(pickle.Unpickler):
    def __init__(self, data: bytes, source: Source) -> None:
        super().__init__(io.BytesIO(data))
        self.sources = {_GIVEN: source}

    def persistent_load(self, pid: str) -> Source:
        if pid not in self.sources:
            self.sources[pid] = source_of(pid)
        return self.sources[pid]

    def find_class(self, module: str, name: str) -> type:
        found = super().find_class(module, name) if _RECORDS.fullmatch(module) and "." not in name else None
        if not isinstance(found, type) or found.__module__ != module:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a program")
        return found


def _dumped(program: Program, source: Source) -> bytes:
    file = io.BytesIO()
    _Writer(file, source).dump(program)
    data = file.getvalue()
    return sha256(data).digest() + data


def _loaded(kept: bytes | None, source: Source) -> Program | None:
    """The program that is kept, if that is what was written."""
    if kept is None or sha256(kept[32:]).digest() != kept[:32]:
        return None
    try:
        found = _Reader(kept[32:], source).load()
    except Exception:  # whatever else it may say
        return None
    return found if isinstance(found, Program) else None
