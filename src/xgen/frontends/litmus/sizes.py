"""Whether all accesses to a location have its size.

A location is one cell of the program, which holds all of its value. Reading the low bytes of it is fine; what writes
only some of its bytes would need to leave the others as they are, in the memory model too, and is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from xgen.errors import Position, Source, UnsupportedError
from xgen.frontends.litmus.initial import Location
from xgen.frontends.litmus.values import int_type
from xgen.program import automaton as xcfa


@dataclass(frozen=True, slots=True)
class Access:
    """An access of so many bits to a location, which is None where it is not known: the address is loaded, say."""

    location: str | None
    bits: int
    writes: bool
    position: Position


def access_of(statement: xcfa.Statement, bits: int) -> Access:
    """What a load, store or update accesses. An address that is computed from that of one location is taken to be in
    that location."""
    assert isinstance(statement, (xcfa.Load, xcfa.Store, xcfa.StoreExclusive, xcfa.Rmw))
    parts = xcfa.postorder(xcfa.AddressOf(statement.place))
    places = [part.place for part in parts if isinstance(part, xcfa.AddressOf)]
    names = {place.name.name for place in places if isinstance(place, xcfa.Place)}
    location = names.pop() if len(names) == 1 else None
    return Access(location, bits, not isinstance(statement, xcfa.Load), statement.position)


def check_sizes(accesses: Iterable[Access], locations: Mapping[str, Location], source: Source) -> None:
    """Raises UnsupportedError at the first write to a part of a location only."""
    widest: dict[str, int] = {}
    for name, location in locations.items():
        declared = int_type(location.type) if location.type is not None else None
        widest[name] = 8 * declared.bytes if declared else 0
    known = [(access.location, access) for access in accesses if access.location is not None]
    for name, access in known:
        widest[name] = max(widest.get(name, 0), access.bits)
    for name, access in known:
        if access.writes and access.bits < widest[name]:
            message = f"accesses of different sizes are not supported: {access.bits} of `{name}`'s {widest[name]} bits"
            raise UnsupportedError(message, source, access.position)
