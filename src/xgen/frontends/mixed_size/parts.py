"""Accesses of several parts, which are so many cells: loads or stores right behind each other.

All but the first have the tag `part`. An update is its loads, right behind which come its stores; all bear the tag
`rmw`, by which they are known to be one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from xgen.errors import Position
from xgen.frontends.assembly import Branch, Step
from xgen.program import automaton as xcfa
from xgen.records import replace

PART, UPDATE, FAILED = "part", "rmw", "failed"
"""Tags of an access: not the first of its parts; of an update; of one that does not write."""
WORD = 8
"""The most bytes that a part has."""


def goes_on(statement: xcfa.Statement) -> bool:
    """Whether it goes on with an access that an earlier statement has begun."""
    if not isinstance(statement, xcfa.Load | xcfa.Store):
        return False
    return PART in statement.tags or (isinstance(statement, xcfa.Store) and statement.order == UPDATE)


def loads(load: xcfa.Load, targets: Sequence[xcfa.Name], places: Sequence[xcfa.AnyPlace]) -> list[xcfa.Statement]:
    """A load of several parts, each into a local of its own."""
    return [
        replace(load, target=target, place=place, tags=(*load.tags, *[PART] * (n > 0)))
        for n, (target, place) in enumerate(zip(targets, places, strict=True))
    ]


def stores(
    store: xcfa.Store, values: Sequence[xcfa.Expression], places: Sequence[xcfa.AnyPlace]
) -> list[xcfa.Statement]:
    """A store of several parts, each of a value of its own."""
    return [
        replace(store, value=value, place=place, tags=(*store.tags, *[PART] * (n > 0)))
        for n, (value, place) in enumerate(zip(values, places, strict=True))
    ]


def update_of(op: str, orders: tuple[str, ...], tags: tuple[str, str] | None, position: Position) -> xcfa.Rmw:
    """An update, whose place is not known yet; `tags`: of its read and its write, where it has no orders."""
    if tags is None or tags[0] == tags[1]:
        return xcfa.Rmw(None, op, xcfa.Place(xcfa.Name("")), (), orders if tags is None else tags[:1], position)
    return xcfa.Rmw(None, op, xcfa.Place(xcfa.Name("")), (), (), position, tags[:1], tags[1:])


def read_of(update: xcfa.Rmw, kind: str) -> xcfa.Load:
    """What an update of several parts reads with; `kind`: UPDATE, or FAILED where it writes nothing."""
    order = update.orders[-1 if kind == FAILED else 0] if update.orders else None
    tags = (*_tags(order), *update.read_tags)
    return xcfa.Load(xcfa.Name(""), update.place, False, kind, update.position, tags)


def write_of(update: xcfa.Rmw) -> xcfa.Store:
    """What an update of several parts writes with."""
    computed = () if update.op in ("exchange", "cas") else ("computed",)
    tags = (*computed, *_tags(update.orders[0] if update.orders else None), *update.write_tags)
    return xcfa.Store(xcfa.IntLiteral(0), update.place, False, UPDATE, update.position, tags)


class Way(NamedTuple):
    """A way in which a compare-exchange may go.

    statements  what it does then; where it was guessed wrongly, it is refuted
    old         what the parts were
    writes      whether it writes
    written     1 where it has written, else 0. It is known by the way already; but what comes behind an `if` of it
                depends on what was read, as it does where that is one number. So a thread does not go on before that
                is known either: it would fail again and again while it waits for another.
    """

    statements: list[xcfa.Statement]
    old: list[xcfa.Name]
    writes: bool
    written: xcfa.Expression


def ways_of_cas(
    update: xcfa.Rmw,
    places: Sequence[xcfa.AnyPlace],
    expected: Sequence[xcfa.Expression],
    new: Sequence[xcfa.Expression],
    fresh: Callable[[], xcfa.Name],
    spurious: bool = False,
) -> list[Way]:
    """The ways in which a compare-exchange of several parts may go: it writes where each part is what is expected of
    it, else it reads only. `fresh` gives new locals. `spurious`: it may fail for no reason, and loads then."""
    found = []
    for kind in (UPDATE, FAILED):
        old, writes = [fresh() for _ in places], kind == UPDATE
        differs = difference(old, expected)
        right = xcfa.Binary("=" if writes else "/=", differs, xcfa.IntLiteral(0))
        statements = [*loads(read_of(update, kind), old, places), refuted_unless(right, fresh(), update.position)]
        statements += stores(write_of(update), new, places) if writes else []
        same = xcfa.Binary("=", differs, xcfa.IntLiteral(0))
        found.append(Way(statements, old, writes, xcfa.Conditional(same, xcfa.IntLiteral(1), xcfa.IntLiteral(0))))
    if spurious:
        old = [fresh() for _ in places]
        load = xcfa.Load(xcfa.Name(""), update.place, order=update.orders[-1], position=update.position)
        found.append(Way(loads(load, old, places), old, False, xcfa.IntLiteral(0)))
    return found


def either(ways: Sequence[Sequence[Step]], label: Callable[[], str], position: Position) -> list[Step]:
    """One of several ways, whichever. `label` gives new labels."""
    *others, last = ways
    found: list[Step] = []
    end = label()
    for way in others:
        following = label()
        found += [Branch(None, following, position, fork=True), *way, Branch(None, end, position), following]
    return [*found, *last, end]


def difference(found: Sequence[xcfa.Expression], expected: Sequence[xcfa.Expression]) -> xcfa.Expression:
    """A number that is 0 where all values are the same."""
    first, *others = (xcfa.Binary("bitxor", a, b) for a, b in zip(found, expected, strict=True))
    result: xcfa.Expression = first
    for other in others:
        result = xcfa.Binary("bitor", result, other)
    return result


def refuted_unless(condition: xcfa.Expression, local: xcfa.Name, position: Position) -> xcfa.Predict:
    """What was chosen is refuted if a condition turns out not to hold; the local is one of its own."""
    wrong = xcfa.Conditional(condition, xcfa.IntLiteral(0), xcfa.IntLiteral(1), position)
    return xcfa.Predict(local, wrong, False, 1, position)


def _tags(order: str | None) -> tuple[str, ...]:
    return () if order is None else (order,)
