"""Data models: how many bytes `long` and pointers have (`--data-model`), while a program is read and translated."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, TypeAlias

from xgen.errors import UsageError

DataModel: TypeAlias = Literal["lp64", "ilp32"]
DATA_MODELS: dict[DataModel, int] = {"lp64": 8, "ilp32": 4}
"""The bytes of a word in each: LP64 is 64-bit Linux, ILP32 32-bit Linux on x86."""
_WORD: ContextVar[int] = ContextVar("word", default=DATA_MODELS["lp64"])


def word_bytes() -> int:
    """The bytes of `long` and of a pointer."""
    return _WORD.get()


@contextmanager
def sized(name: DataModel) -> Iterator[None]:
    """Where a model holds. Raises UsageError where there is none of that name."""
    if name not in DATA_MODELS:
        raise UsageError(f"there is no data model `{name}`", hint=f"there are {' and '.join(DATA_MODELS)}")
    token = _WORD.set(DATA_MODELS[name])
    try:
        yield
    finally:
        _WORD.reset(token)
