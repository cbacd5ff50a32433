"""What is said of memory where it is asked what leaks, and what of it stays when main has ended."""

from __future__ import annotations

from xgen.frontends.llvm.language.translation import World
from xgen.frontends.llvm.objects import Object
from xgen.program.automaton import Block, Leaks

EXCEPTION = "exception"
"""What memory is called that is asked for to throw something."""


def leaks_of(world: World) -> Leaks:
    """All that is there when the program ends: what is allocated, and variables, but for what threads have of their
    own, which ends with them; main's stays."""
    memory, staying = world.memory, dict[str, bool]()
    for pointer, root in world.staying:
        for found, _ in world.points.targets(pointer, 1)[0]:
            staying[found.name] = root or staying.get(found.name, False)
    roots = {found.name for found in memory.globals.values()}
    roots |= {
        found.name for (thread, key), found in world.own.items() if thread == 0 and key not in ("result", "joined")
    }
    blocks = []
    for found in memory.objects:
        if found.life == "heap":
            blocks.append(_allocated(world, found, staying.get(found.name)))
        elif not found.constant and (found.name in roots or found.title == "argv"):
            blocks.append(
                Block(found.shown, found.address, found.size, root=True, data=bytes(found.data).rstrip(b"\0"))
            )
    return Leaks(tuple(blocks), None if world.unless is None else world.unless.address)


def _allocated(world: World, found: Object, stays: bool | None) -> Block:
    """Memory that is asked for: main has done so alone, or events tell. `stays`: the library has it for itself, and
    what it leads to stays, or leaks all the same."""
    begun = found.alone and not found.expected
    gone = (found.ended is not None or found.name in world.facts.freed) and found.name not in world.facts.mortal
    return Block(
        found.shown,
        found.address,
        found.size,
        root=bool(stays) or EXCEPTION in found.title,
        silent=stays is False,
        first=int(begun and not gone),
        position=found.position,
        data=bytes(found.data).rstrip(b"\0"),
    )
