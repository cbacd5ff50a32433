"""Which cubes keep a search from coming to an end: those in which numbers, or processes, become more and more."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xgen.engine.cubes import Cube, Node, Search

LOOKED_AT = 40
"""So many of the last cubes are looked at, each with so many that it leads to."""
AGAIN = 3
"""How often a cube has come again with other numbers when it is said to grow."""
MANY = 5
"""Processes from which on they are said to become more."""


def growth(search: Search) -> str:
    """What grows, in a sentence without an end; the last cube where nothing is seen to."""
    count = len(search)
    node = cache(search.node)

    def chain(number: int) -> list[Node]:
        nodes = [node(number)]
        while (parent := nodes[-1].parent) is not None and len(nodes) < LOOKED_AT:
            nodes.append(node(parent))
        return nodes

    chains = [chain(number) for number in range(max(0, count - LOOKED_AT), count)]
    nodes = max(chains, key=lambda nodes: len(_alike(nodes)), default=[])
    alike = _alike(nodes)
    if len(alike) >= AGAIN:
        like = f"{len(alike)} with other numbers lead to one another by {_steps(search, nodes[: alike[1]])}"
        return f"the cube that keeps growing is {nodes[0].cube}; {like}"
    most = max(chains, key=lambda nodes: nodes[0].cube.processes, default=[])
    if most and most[0].cube.processes >= MANY:
        cube = most[0].cube
        return f"cubes speak of more and more processes; one of {cube.processes} is {cube}"
    return f"the last of {count} cubes is {chains[-1][0].cube}" if chains else "there are no cubes"


def _alike(nodes: Sequence[Node]) -> list[int]:
    """Where in a chain there are cubes that differ from the first one in their numbers only, and that one."""
    if not nodes or all(fact.kind not in ("<=", "<", "-") for fact in nodes[0].cube.facts):
        return []
    wanted = _shape(nodes[0].cube)
    return [place for place, node in enumerate(nodes) if _shape(node.cube) == wanted]


def _shape(cube: Cube) -> tuple[int, frozenset[object]]:
    """All of a cube but its numbers."""
    facts = ((f.kind, f.left, f.right, f.bound if f.kind not in ("<=", "<", "-") else None) for f in cube.facts)
    return cube.processes, frozenset(facts)


def _steps(search: Search, nodes: Sequence[Node]) -> str:
    """The transitions between two cubes of a chain."""
    names = [search.system.transitions[node.origin.transition].name for node in nodes if node.origin is not None]
    return ", ".join(dict.fromkeys(names))
