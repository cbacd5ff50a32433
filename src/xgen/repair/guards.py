"""Short conditions for sets of views: two-level minimisation over features with several values each.

Source: R. K. Brayton et al., "Logic Minimization Algorithms for VLSI Synthesis" (1984), expand and irredundant, for
inputs of several values as in R. Rudell, A. Sangiovanni-Vincentelli, IEEE TCAD 6 (1987). What is neither in the set nor
outside it (views that are never seen) is left to choice.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Points: TypeAlias = NDArray[np.int64]
Cube: TypeAlias = tuple[frozenset[int], ...]
"""For each feature the values that it may have."""


def minimise(inside: Points, outside: Points, sizes: list[int], ordered: list[bool]) -> list[Cube]:
    """Cubes that together hold all points of `inside` and none of `outside`; both have the shape (points, features).

    None can be made larger, and none can be left out. Features further left are dropped first; of those that are
    ordered, a cube has all values between two.
    """
    cubes: list[tuple[Cube, NDArray[np.bool_]]] = []
    covered = np.zeros(len(inside), dtype=np.bool_)
    for number in range(len(inside)):
        if not covered[number]:
            cube = _expanded(inside[number], outside, sizes, ordered)
            holds = _inside(cube, inside)
            covered |= holds
            cubes.append((cube, holds))
    chosen: list[Cube] = []
    missing = np.ones(len(inside), dtype=np.bool_)
    while missing.any():
        cube, holds = max(cubes, key=lambda each: int((each[1] & missing).sum()))
        chosen.append(cube)
        missing &= ~holds
    return chosen


def _expanded(point: NDArray[np.int64], outside: Points, sizes: list[int], ordered: list[bool]) -> Cube:
    """The largest cube around a point that greed finds."""
    cube = [{int(value)} for value in point]
    # For each point outside: how many features keep it out.
    apart = outside != point[None, :]
    keeping = apart.sum(axis=1)
    for feature, size in enumerate(sizes):
        alone = apart[:, feature] & (keeping == 1)
        kept_out = set(outside[alone, feature].tolist())
        if ordered[feature]:
            value = int(point[feature])
            below = max((v for v in kept_out if v < value), default=-1)
            above = min((v for v in kept_out if v > value), default=size)
            kept_out |= set(range(below + 1)) | set(range(above, size))
        cube[feature] = set(range(size)) - kept_out
        freed = apart[:, feature] & ~np.isin(outside[:, feature], list(kept_out))
        keeping[freed] -= 1
        apart[freed, feature] = False
    return tuple(frozenset(values) for values in cube)


def _inside(cube: Cube, points: Points) -> NDArray[np.bool_]:
    holds = np.ones(len(points), dtype=np.bool_)
    for feature, values in enumerate(cube):
        holds &= np.isin(points[:, feature], list(values))
    return holds
