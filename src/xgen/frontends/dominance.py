"""Where ways that part meet again."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def postdominators(
    ends: Sequence[Node], following: Mapping[Node, Sequence[Node]], preceding: Mapping[Node, Sequence[Node]]
) -> dict[Node, Node | None]:
    """For each node from which a way leads to an end, the next one that all such ways lead through, its immediate
    postdominator; None if there is none before they end.

    K. Cooper, T. Harvey, K. Kennedy, "A simple, fast dominance algorithm", 2001.
    """
    order = _backwards(ends, preceding)
    place = {node: number for number, node in enumerate(order)}
    joins: dict[Node, Node | None] = dict.fromkeys(ends)

    def common(one: Node | None, other: Node | None) -> Node | None:
        while one != other:
            if one is None or other is None:
                return None
            if place[one] > place[other]:
                one = joins[one]
            else:
                other = joins[other]
        return one

    changed = True
    while changed:
        changed = False
        for node in order:
            if node in ends:
                continue
            known = [target for target in following[node] if target in joins]
            if not known:
                continue
            join: Node | None = known[0]
            for target in known[1:]:
                join = common(join, target)
            if node not in joins or joins[node] != join:
                joins[node] = join
                changed = True
    return joins


def _backwards(ends: Sequence[Node], preceding: Mapping[Node, Sequence[Node]]) -> list[Node]:
    """The nodes that lead to an end, in reverse postorder from there."""
    order: list[Node] = []
    seen: set[Node] = set()
    for start in ends:
        todo: list[tuple[Node, bool]] = [(start, False)]
        while todo:
            node, left = todo.pop()
            if left:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                todo.append((node, True))
                todo += [(each, False) for each in preceding.get(node, ()) if each not in seen]
    order.reverse()
    return order
