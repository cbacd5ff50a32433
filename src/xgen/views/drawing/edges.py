"""Which pairs of an execution's relations are drawn as edges."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from xgen.executions.execution import INITIAL, Execution
from xgen.views.drawing.picture import DEPENDENCIES, Pairs


def all_edges(
    execution: Execution, show: Collection[str], relations: Mapping[str, Pairs]
) -> Iterator[tuple[str, int, int]]:
    """The edges of the relations that are to be shown, but those of program order, which stands from top to bottom."""
    base: dict[str, Iterable[tuple[int, int]]] = {
        "rf": sorted(execution.rf, key=lambda pair: pair[1]),
        "mo": execution.mo_edges,
        "fr": sorted(execution.fr),
    }
    for name, edges in base.items():
        if name in show:
            yield from ((name, a, b) for a, b in edges if not _is_hidden(execution, a, b))
    others: dict[str, Pairs] = {
        **dependency_edges(execution),
        "rmw": execution.rmw,
        "start": execution.starts,
        "join": execution.joins,
        "data-race": execution.races,
    }
    for name, pairs in {**others, **relations}.items():
        if name in show:
            yield from ((name, a, b) for a, b in sorted(pairs))


def drawn_edges(execution: Execution) -> Iterator[tuple[str, int, int]]:
    """The edges of rf, mo and fr that say something, those between events that race, starts and joins.

    That the only write of a variable comes after the initial one does not.
    """
    trivial = {order[0] for order in execution.mo if len(order) == 2}
    for relation, a, b in execution.edges():
        if relation != "po" and not (relation == "mo" and a in trivial) and not _is_hidden(execution, a, b):
            yield relation, a, b
    for name, pairs in (("start", execution.starts), ("join", execution.joins), ("data-race", execution.races)):
        for a, b in pairs:
            yield name, a, b


def _is_hidden(execution: Execution, a: int, b: int) -> bool:
    """Whether an edge only says what is in a cell of xgen's own at first, for a barrier, say."""
    return execution.events[a].thread == INITIAL and "hidden" in execution.events[b].tags


def dependency_edges(execution: Execution) -> dict[str, Pairs]:
    """addr, data and ctrl as drawings have them: of ctrl, from each read to the first event; all later ones follow."""
    found: dict[str, Pairs] = {name: list(getattr(execution, name)) for name in DEPENDENCIES}
    first: dict[int, int] = {}
    for read, event in execution.ctrl:
        first[read] = min(event, first.get(read, event))  # events of a thread are in program order
    found["ctrl"] = sorted(first.items())
    return found


def merged(execution: Execution) -> dict[int, int]:
    """The reads that are one box with the writes of their read-modify-writes."""
    events = execution.events
    return {a: b for a, b in execution.rmw if b == a + 1 and events[a].variable == events[b].variable}


def immediate(execution: Execution, edge: tuple[str, int, int]) -> list[tuple[str, int, int]]:
    """An edge as drawings have it: program order within a thread in its immediate steps."""
    name, a, b = edge
    events = execution.events
    if name == "po" and events[a].thread == events[b].thread != INITIAL and a < b:
        return [("po", k, k + 1) for k in range(a, b)]
    return [edge]


def shown_initial(execution: Execution, edges: Iterable[tuple[str, int, int]]) -> list[int]:
    """The initial writes that some edge touches; the others say nothing about this execution."""
    touched = {number for _, a, b in edges for number in (a, b)}
    return [n for n, event in enumerate(execution.events) if event.thread == INITIAL and n in touched]
