"""What is said of memory where it is asked what leaks: all that is there when the program ends."""

from __future__ import annotations

from collections.abc import Iterator

from xgen.frontends.c.language.accesses import World
from xgen.frontends.c.values.types import size_of
from xgen.program.automaton import Block, Leaks


def leaks_of(world: World) -> Leaks:
    """Variables, and what is allocated, which events tell; but for what ends with functions and threads."""
    return Leaks(tuple(_blocks(world)), None if world.unless is None else world.unless.address)


def _blocks(world: World) -> Iterator[Block]:
    given = {id(spec.argument) for spec in world.threads} | {id(found) for found in world.results.values()}
    for found in world.memory.objects:
        if found.life == "heap":
            yield Block(found.name, found.address, size_of(found.type), position=found.position)
        elif found.life == "static" and id(found) not in given:
            yield Block(found.name, found.address, size_of(found.type), root=True)
