"""From steps in a row, with labels and branches between them, to the locations and edges of an automaton."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NoReturn, TypeAlias

from xgen.errors import Position
from xgen.program import automaton as xcfa
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Branch:
    """To a label where a condition holds (None: always), else on. The label "" is the end of the thread."""

    condition: xcfa.Expression | None
    label: str
    position: Position
    fork: bool = False  # without a condition: to the label or on
    meeting: str = ""  # of a fork whose ways differ only in what locals depend on: the label where they meet


Step: TypeAlias = "xcfa.Statement | Branch | str"
"""A str is a label."""


def checked_frees(steps: Iterable[Step], others: Sequence[int]) -> Iterator[Step]:
    """The steps, with a check that what is freed by a pointer that is not known starts at none of some addresses: those
    of objects that end in another way."""
    for step in steps:
        if isinstance(step, xcfa.Lifetime) and step.op == "free" and isinstance(step.place, xcfa.Deref):
            address = step.place.address
            for other in others if not isinstance(address, xcfa.IntLiteral) else ():
                test = xcfa.Binary("/=", address, xcfa.IntLiteral(other))
                yield xcfa.Assert(test, step.position, "bad-free")
        yield step


def assemble(
    steps: Sequence[Step], labels: Sequence[str], missing: Callable[[Branch], NoReturn]
) -> tuple[tuple[xcfa.Location, ...], tuple[xcfa.Edge, ...]]:
    """Locations and edges: a location for the start, each label and each branch; one that is final.

    `missing` is called with a branch to a label that is not among `labels`.
    """
    locations = [xcfa.Location("L0", "init")]
    edges: list[xcfa.Edge] = []
    here: str | None = "L0"  # None: what follows cannot be reached
    pending: list[xcfa.Statement] = []
    names = {name: f"L{number}" for number, name in enumerate(labels, 1)} | {"": "end"}

    def go(
        source: str, target: str, statements: Sequence[xcfa.Statement], position: Position, same: bool = False
    ) -> None:
        edges.append(xcfa.Edge(xcfa.Name(source), xcfa.Name(target), tuple(statements), position, same))

    for step in steps:
        if isinstance(step, str):
            if here is not None:
                go(here, names[step], pending, xcfa.NOWHERE)
            here, pending = names[step], []
            locations.append(xcfa.Location(here))
        elif here is None:
            continue
        elif isinstance(step, Branch):
            target, position = names.get(step.label), step.position
            if target is None:
                missing(step)
            if step.condition is None and not step.fork:
                go(here, target, pending, position)
                here, pending = None, []
                continue
            if pending:
                fork = f"N{len(locations)}"
                go(here, fork, pending, position)
                locations.append(xcfa.Location(fork))
                here, pending = fork, []
            following = f"N{len(locations)}"
            taken = [] if step.condition is None else [xcfa.Assume(step.condition, position)]
            passed = [xcfa.Assume(negation(part.condition), position) for part in taken]
            go(here, target, taken, position, bool(step.meeting))
            go(here, following, passed, position)
            locations.append(xcfa.Location(following))
            here = following
        else:
            pending.append(step)
    if here is not None:
        go(here, "end", pending, xcfa.NOWHERE)
    locations.append(xcfa.Location("end", "final"))
    return tuple(locations), tuple(edges)


def negation(condition: xcfa.Expression) -> xcfa.Expression:
    """What holds where the condition does not."""
    if isinstance(condition, xcfa.Unary) and condition.op == "not":
        return condition.operand
    return xcfa.Unary("not", condition, condition.position)
