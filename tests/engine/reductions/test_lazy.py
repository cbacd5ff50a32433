"""Lazy sequences are like lists of what they make, and make no more than is asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xgen.engine.graphs.lazy import Lazy


class Letters(Lazy[str]):
    """The alphabet, so far; `made` says what was asked for."""

    def __init__(self, size: int) -> None:
        self.size, self.made = size, list[int]()

    def __len__(self) -> int:
        return self.size

    def item(self, place: int) -> str:
        self.made.append(place)
        return "abcdefghijklmnopqrstuvwxyz"[place]


LIMITS = st.none() | st.integers(-30, 30)


@given(st.integers(0, 26), LIMITS, LIMITS, LIMITS.filter(lambda step: step != 0))
def test_slices(size: int, start: int | None, stop: int | None, step: int | None) -> None:
    lazy = Letters(size)
    assert lazy[start:stop:step] == list("abcdefghijklmnopqrstuvwxyz"[:size])[start:stop:step]
    assert lazy.made == list(range(size))[start:stop:step]


def test_items() -> None:
    lazy = Letters(3)
    assert (lazy[0], lazy[-1], lazy.made) == ("a", "c", [0, 2])
    assert next(iter(lazy)) == "a"
    assert lazy.made == [0, 2, 0]
    for wrong in (3, -4):
        with pytest.raises(IndexError):
            lazy[wrong]
