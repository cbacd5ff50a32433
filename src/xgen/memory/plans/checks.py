"""What the engine checks, as it takes it: numbers, of nodes, of binders and of the model's constraints."""

from __future__ import annotations

from typing import NamedTuple

from xgen import _core

Loop = tuple[_core.Over, int, int, list[int]]
"""Of a quantifier: what it is over, its binder, its domain, and the nodes that are computed for each value."""
Made = tuple[_core.Property, int, list[Loop], bool, list[int]] | tuple[bool, list[int]]
"""A condition as the engine takes it: a check, of a node; or whether all of some conditions hold, else one of them."""
EventPlan = tuple[list[int], list[tuple[_core.Property, int, int]], list[tuple[int, list[tuple[int, int]]]]]
"""Of a new event: the local nodes that it adds pairs to, the checks that these can break, and the walks."""


class Checks(NamedTuple):
    """The arguments of the engine's own."""

    nodes: list[tuple[_core.NodeOp, int, int, int, bool]]
    steps: list[EventPlan]
    whole: list[int]
    conditions: list[Made]
    whole_checks: list[tuple[int, int]]
    binders: int
    recursions: list[list[tuple[int, int, list[int]]]]
    walks: list[tuple[_core.Property, int, int, list[list[tuple[int, int, bool, bool, list[int]]]]]]
    extensible: bool
