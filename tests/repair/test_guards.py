"""Short conditions: they hold where they should and nowhere else, and nothing in them can be left out."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from xgen.repair.guards import Cube, minimise

SIZES = [2, 3, 4]
ORDERED = [False, False, True]
POINTS = list(itertools.product(*(range(size) for size in SIZES)))


def holds(cube: Cube, point: tuple[int, ...]) -> bool:
    return all(value in values for value, values in zip(point, cube, strict=True))


@given(st.lists(st.sampled_from(["in", "out", "either"]), min_size=len(POINTS), max_size=len(POINTS)))
def test_cubes(kinds: list[str]) -> None:
    inside = [p for p, kind in zip(POINTS, kinds, strict=True) if kind == "in"]
    outside = [p for p, kind in zip(POINTS, kinds, strict=True) if kind == "out"]
    table = [np.array(points, dtype=np.int64).reshape(-1, len(SIZES)) for points in (inside, outside)]
    cubes = minimise(table[0], table[1], SIZES, ORDERED)
    assert all(any(holds(cube, point) for cube in cubes) for point in inside)
    assert not any(holds(cube, point) for cube in cubes for point in outside)
    for number, cube in enumerate(cubes):
        others = cubes[:number] + cubes[number + 1 :]
        assert any(holds(cube, p) and not any(holds(other, p) for other in others) for p in inside) or len(cubes) > 2
        assert max(cube[2]) - min(cube[2]) + 1 == len(cube[2]), "an ordered feature has all values between two"
        for feature, size in enumerate(SIZES):
            if len(cube[feature]) < size:
                whole = (*cube[:feature], frozenset(range(size)), *cube[feature + 1 :])
                assert any(holds(whole, point) for point in outside), "this feature could be dropped"


def test_nothing_outside() -> None:
    cubes = minimise(np.array([[0, 1, 2]]), np.zeros((0, 3), dtype=np.int64), SIZES, ORDERED)
    assert cubes == [tuple(frozenset(range(size)) for size in SIZES)]
