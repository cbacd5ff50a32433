"""Which registers and locations may hold addresses: in the engine these are numbers, results show them by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xgen.frontends.litmus.initial import Location
from xgen.frontends.litmus.values import Address
from xgen.program import automaton as xcfa
from xgen.program.uses import written

Item = tuple[str, str]
"""A thread's name and a local variable, or ("", location)."""

_ANYWHERE: Item = ("", "*")
"""What may be stored to at an address that is computed at run time."""


def pointer_items(
    processes: Iterable[xcfa.Process], locations: Mapping[str, Location], registers: Mapping[Item, object]
) -> frozenset[Item]:
    """What may hold an address; `registers` has the initial values."""
    found = {item for item, value in registers.items() if isinstance(value, Address)}
    found |= {("", name) for name, place in locations.items() if any(isinstance(v, Address) for v in place.values)}
    flows = [flow for process in processes for flow in _flows(process)]
    if not found and not any(constant for _, constant, _ in flows):
        return frozenset()
    grown = True
    while grown:
        before = len(found)
        for target, constant, sources in flows:
            if constant or not found.isdisjoint(sources):
                found.add(target)
        if _ANYWHERE in found:
            found |= {("", name) for name in locations}
        if any(not thread for thread, _ in found):
            found.add(("", "?"))  # what a load at a computed address may find
        grown = len(found) > before
    return frozenset(found)


Flow = tuple[Item, bool, frozenset[Item]]
"""What is written, whether an address is written in the text, and what else the value is made of."""


def _flows(process: xcfa.Process) -> list[Flow]:
    flows: list[Flow] = []
    for edge in process.main_procedure.edges:
        for statement in edge.statements:
            flows += _statement(process.name, statement)
    return flows


def _statement(thread: str, statement: xcfa.Statement) -> list[Flow]:
    flows: list[Flow] = []
    target = written(statement)
    match statement:
        case xcfa.Assign(_, value):
            flows.append(((thread, statement.target.name), *_sources(thread, value)))
        case xcfa.Load(_, place):
            flows.append(((thread, statement.target.name), False, frozenset({_read(place)})))
        case xcfa.Store(value, place) | xcfa.StoreExclusive(_, value, place):
            flows.append((_written(place), *_sources(thread, value)))
        case xcfa.Rmw(_, _, place, arguments):
            flows += [(_written(place), *_sources(thread, value)) for value in arguments]
            if target is not None:
                flows.append(((thread, target.name), False, frozenset({_read(place)})))
    return flows


def _read(place: xcfa.AnyPlace) -> Item:
    return ("", place.name.name) if isinstance(place, xcfa.Place) else ("", "?")


def _written(place: xcfa.AnyPlace) -> Item:
    return ("", place.name.name) if isinstance(place, xcfa.Place) else _ANYWHERE


def _sources(thread: str, value: xcfa.Expression) -> tuple[bool, frozenset[Item]]:
    parts = list(xcfa.postorder(value))
    constant = any(isinstance(part, xcfa.AddressOf) for part in parts)
    return constant, frozenset((thread, part.name) for part in parts if isinstance(part, xcfa.Name))
