"""From a text in PTX and a launch to a program: rounds, until nothing new is found.

Each round evaluates all threads. Global memory that no thread of the round before has written is known, so that inputs
and what compilers put into memory vanish; who writes where, and which lanes give no value, is found on the way, and
grows.
"""

from __future__ import annotations

from collections.abc import Iterator

from xgen.errors import Source, UnsupportedError, several
from xgen.frontends.ptx.conditions import Cell, Required, cells_in
from xgen.frontends.ptx.launch import Request, Three
from xgen.frontends.ptx.layout import SHARED
from xgen.frontends.ptx.module import Module
from xgen.frontends.ptx.thread import Thread
from xgen.frontends.ptx.world import World, index_of
from xgen.program import automaton as xcfa

ROUNDS = 40
"""Rounds until nothing new is found, at most."""


def read(text: str, source: Source, request: Request, kind: type[Thread] = Thread) -> xcfa.Program:
    """The program that a launch of a kernel is. `source`: what the program is called by, the user's file. `kind`: what
    its threads make of instructions.

    Raises ProgramError and UnsupportedError; what is not supported in one error.
    """
    ptx = source if source.text == text else Source(source.name, text)
    world = World(Module(ptx, request.sources), request)
    threads = [kind(world, *place) for place in _places(request)]
    for _ in range(ROUNDS):
        world.begin()
        before = world.size(), sum(thread.origins.changes for thread in threads)
        for thread in threads:
            thread.run()
        _split(world)
        if (world.size(), sum(thread.origins.changes for thread in threads)) == before:
            break
    else:
        raise UnsupportedError(f"this launch is not read after {ROUNDS} tries: each finds out something new", source)
    _refuse_other_accesses(world)
    if world.refused:
        raise several(world.refused)
    return _program(world, threads, source)


def _places(request: Request) -> Iterator[tuple[int, tuple[int, int], tuple[Three, Three]]]:
    """The threads, in the order of blocks and threads in them: number; block and thread; their indices."""
    grid, block = request.launch.grid, request.launch.block
    count = block[0] * block[1] * block[2]
    for which in range(grid[0] * grid[1] * grid[2]):
        for thread in range(count):
            yield which * count + thread, (which, thread), (index_of(thread, block), index_of(which, grid))


def _split(world: World) -> None:
    """Vectors are accesses of their parts where others access a part of one."""
    for address, size in world.whole:
        others = (each for each in world.layout.known if each != (address, size))
        if any(at < address + size and address < at + width for at, width in others):
            world.vectors = "parts"


def _refuse_other_accesses(world: World) -> None:
    """An `mbarrier` is accessed as one only."""
    for address in sorted(world.mbarriers):
        is_reached = 8 in world.layout.sizes(SHARED)
        position = world.plain.get(address) or (world.layout.unknown[8] if is_reached else None)
        if position is not None:
            message = "an access to memory where an `mbarrier` is, or at an address that is not known, is not supported"
            world.refused.append(UnsupportedError(message, world.module.source, position))


def _program(world: World, threads: list[Thread], source: Source) -> xcfa.Program:
    required = _required(world)
    variables = world.layout.variables(source, world.values)
    gaps = tuple(world.layout.gaps(variables))
    names = {(each.address, each.bytes): each.name for each in variables}
    processes = tuple(thread.process(names) for thread in threads)
    return xcfa.Program(
        source,
        (*variables, *_hidden(world)),
        processes,
        required,
        gaps=gaps,
        question=required,
        objects=tuple(xcfa.Object(each.name, each.address) for each in world.layout.placed),
        remarks=tuple(world.remarks),
    )


def _hidden(world: World) -> Iterator[xcfa.Variable]:
    """The cells of xgen's own: of fences, and of those who meet, one for each round."""
    for name, size in world.cells.items():
        yield xcfa.Variable(name, xcfa.Type("int", (size,)), shown=False)
    for name, what in world.meetings.items():
        yield xcfa.Variable(name, xcfa.Type("int", (max(world.rounds[what], 2),)), shown=False)


def _required(world: World) -> Required | None:
    """What has to hold in the end, with the cells that it speaks of, which are there even if no thread uses them."""
    final = world.request.final
    if final is None:
        return None
    found: dict[Cell, tuple[str, int]] = {}
    for cell in cells_in(final.condition):
        placed = world.named(cell.name, cell.position)
        size = placed.object.element or min(placed.object.size, 4)
        offset = (cell.index or 0) * size
        count = placed.object.size // size
        if offset + size > placed.object.size or (cell.index is None and count > 1):
            which = f"`{cell.name}` has {count} cells" + ("" if cell.index is not None else ": say which")
            raise UnsupportedError(which, None, cell.position)
        at = placed.address + offset
        world.layout.known.setdefault((at, size), cell.position)
        found[cell] = world.layout.cell_name(at, size), size
    return Required(final, found)
