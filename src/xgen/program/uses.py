"""What statements are made of: the locals that they read and write, the expressions and the place that they have.

A table by the classes of statements, from which front ends and analyses take what they ask of any statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias, TypeVar

from xgen.program import automaton as xcfa
from xgen.program.expressions import Expression, Name
from xgen.records import replace

S = TypeVar("S")


class Use(NamedTuple):
    """The fields of a class of statements. `writes`: the local that gets a value; `reads`: a local that is read, which
    no expression can stand for; `values`: expressions, of which one may be missing or there may be a tuple; `place`:
    where it accesses memory; `tags`: the tags of its events, which are not its orders."""

    writes: str = ""
    values: tuple[str, ...] = ()
    place: str = ""
    reads: str = ""
    tags: tuple[str, ...] = ()


USES: dict[type, Use] = {
    xcfa.Assign: Use("target", ("value",)),
    xcfa.Load: Use("target", place="place", tags=("tags",)),
    xcfa.Store: Use("", ("value",), "place", tags=("tags",)),
    xcfa.StoreExclusive: Use("status", ("value",), "place", tags=("tags",)),
    xcfa.Rmw: Use("target", ("arguments",), "place", tags=("read_tags", "write_tags")),
    xcfa.Fence: Use(tags=("tags",)),
    xcfa.Assume: Use(values=("condition",)),
    xcfa.Assert: Use(values=("condition",)),
    xcfa.Cut: Use(),
    xcfa.Bound: Use(reads="counter"),  # what it counts is nobody else's
    xcfa.Havoc: Use("target", ("bounds",)),
    xcfa.Predict: Use("target", ("value",)),
    xcfa.Select: Use("target", ("positive", "negative"), reads="choice"),
    xcfa.Skip: Use(),
    xcfa.Return: Use(values=("value",)),
    xcfa.Call: Use("target", ("arguments",)),
    xcfa.AtomicBegin: Use(),
    xcfa.AtomicEnd: Use(),
    xcfa.Mutex: Use("target", place="mutex", tags=("read_tags", "write_tags")),
    xcfa.Lifetime: Use(place="place"),
    xcfa.Control: Use(tags=("tags",)),
    xcfa.Meet: Use(tags=("tags",)),
}
"""But Scope, which reads or writes its local as it says."""
_SCOPES = {"keep": Use("local"), "leave": Use(reads="local")}
_NOTHING = Use()

Access: TypeAlias = xcfa.Load | xcfa.Store | xcfa.StoreExclusive | xcfa.Rmw
"""What accesses a variable."""
UNSEEN = (xcfa.Skip, xcfa.Assign, xcfa.Predict, xcfa.Select, xcfa.Havoc, xcfa.Assert)
"""What no other thread sees, and what the thread goes on behind."""


def use_of(statement: object) -> Use:
    """What a statement is made of; of anything else, nothing."""
    if isinstance(statement, xcfa.Scope):
        return _SCOPES[statement.op]
    return USES.get(type(statement), _NOTHING)


def written(statement: object) -> Name | None:
    """The local that a statement writes."""
    field = use_of(statement).writes
    return getattr(statement, field) if field else None


def place_of(statement: object) -> xcfa.AnyPlace | None:
    """The place in memory that a statement accesses; not that of a mutex that is a variable by its name."""
    field = use_of(statement).place
    place = getattr(statement, field) if field else None
    return place if isinstance(place, xcfa.AnyPlace) else None


def expressions(statement: object) -> Iterator[Expression]:
    """The expressions that a statement evaluates, those of its place with them."""
    use = use_of(statement)
    for field in use.values:
        value = getattr(statement, field)
        if isinstance(value, tuple):
            yield from value
        elif value is not None:
            yield value
    place = place_of(statement) if use.place else None
    if place is not None:
        yield from (place.address,) if isinstance(place, xcfa.Deref) else place.indices


def names_in(values: Iterable[Expression]) -> Iterator[str]:
    """The locals that expressions read."""
    for value in values:
        for part in xcfa.postorder(value):
            if isinstance(part, Name):
                yield part.name


def reads(statement: object) -> Iterator[str]:
    """The locals that a statement reads."""
    yield from names_in(expressions(statement))
    field = use_of(statement).reads
    if field:
        yield getattr(statement, field).name


def changed(
    statement: S,
    value: Callable[[Expression], Expression],
    place: Callable[[xcfa.AnyPlace], xcfa.AnyPlace] = lambda place: place,
) -> S:
    """The statement with its expressions and its place replaced; not the locals that it names."""
    use = use_of(statement)
    new: dict[str, object] = {}
    for field in use.values:
        old = getattr(statement, field)
        if isinstance(old, tuple):
            new[field] = tuple(map(value, old))
        elif old is not None:
            new[field] = value(old)
    where = place_of(statement) if use.place else None
    if where is not None:
        new[use.place] = place(where)
    new = {field: now for field, now in new.items() if now is not getattr(statement, field)}
    return replace(statement, **new) if new else statement  # type: ignore[type-var]


def tags_of(statement: object) -> tuple[str, ...]:
    """The tags of a statement's events that are not their orders, each once."""
    return tuple(dict.fromkeys(tag for field in use_of(statement).tags for tag in getattr(statement, field)))


def with_tags(statement: S, more: Iterable[str]) -> S:
    """The statement with further tags of all its events."""
    fields = use_of(statement).tags
    added = {field: (*getattr(statement, field), *more) for field in fields}
    return replace(statement, **added) if added else statement  # type: ignore[type-var]
