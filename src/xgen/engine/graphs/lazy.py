"""Sequences whose items are made when they are asked for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class Lazy(Sequence[T]):
    """A sequence that knows its length, and how to make what is at a place."""

    @abstractmethod
    def item(self, place: int) -> T:
        """What is at a place, which is in the sequence."""

    def items(self, places: range) -> Iterator[T]:
        """What is at places, which are in the sequence."""
        return map(self.item, places)

    def __reduce__(self) -> tuple[type[tuple[T, ...]], tuple[list[T]]]:
        """To another process it goes as what is in it: the core's own data cannot go there."""
        return tuple, (list(self),)

    def __iter__(self) -> Iterator[T]:
        return self.items(range(len(self)))

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        places = range(len(self))[index]
        return list(self.items(places)) if isinstance(places, range) else self.item(places)
