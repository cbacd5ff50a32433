"""What the core looks for leaks by, and what it has found as violations."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from xgen import _core
from xgen.engine.problem import Problem
from xgen.errors import Position
from xgen.executions.execution import Event, Violation
from xgen.lowering.code import objects
from xgen.program.automaton import Block, Leaks, Program

TAG = 1 << 48
"""Addresses are less; what is kept in the bits above is a tag."""
WORD = 8
"""How many bytes an address has."""
_Cell = tuple[int, int, int]
_Span = tuple[bytes, list[_Cell]]
_Block = tuple[int, int, bool, bool, int, int, list[int], list[_Span]]


def look_for_leaks(settings: _core.Settings, problem: Problem, leaks: Leaks) -> None:
    """Says to the core what memory there is, and how its events are known."""
    code = problem.code
    lifetimes = [("alloc" in kind.tags) - ("free" in kind.tags) if kind.kind == "F" else 0 for kind in code.classes]
    unless = next((n for n, cell in enumerate(code.cells) if leaks.unless and cell.address == leaks.unless), -1)
    settings.look_for_leaks(_blocks(problem, leaks), lifetimes, unless)


def sorted_blocks(leaks: Leaks) -> list[Block]:
    """As the core numbers them."""
    return sorted(leaks.blocks, key=lambda block: block.address)


def _blocks(problem: Problem, leaks: Leaks) -> list[_Block]:
    code, program = problem.code, problem.program
    blocks, first = sorted_blocks(leaks), objects(code)
    starts = [block.address for block in blocks]
    cells: list[list[_Cell]] = [[] for _ in blocks]
    object_of = [-1] * len(blocks)
    for number, cell in enumerate(code.cells):
        at = _at(starts, blocks, cell.address) if cell.type == "int" and cell.width else -1
        if at >= 0:
            cells[at].append((number, cell.address - blocks[at].address, abs(cell.width)))
            object_of[at] = max(object_of[at], first[number])
    images = [bytearray(block.data.ljust(block.size, b"\0")) for block in blocks]
    for variable in program.absent:
        at = _at(starts, blocks, variable.address or 0)
        if at >= 0 and variable.initial:
            width, value = abs(variable.bytes), int(variable.initial[0].value)
            place = (variable.address or 0) - blocks[at].address
            images[at][place : place + width] = (value % (1 << 8 * width)).to_bytes(width, "little")
    return [
        (
            block.address,
            block.size,
            block.root or _is_accepted(program, block),
            block.silent,
            -1 if block.root else object_of[n],
            1 if block.root else block.first,
            sorted(set(_leads(images[n], cells[n], starts, blocks))),
            list(_spans(images[n], cells[n])),
        )
        for n, block in enumerate(blocks)
    ]


def _at(starts: Sequence[int], blocks: Sequence[Block], address: int) -> int:
    """The block that an address is in, or right behind; -1: in none."""
    address %= TAG
    at = bisect_right(starts, address) - 1
    return at if at >= 0 and address - starts[at] <= blocks[at].size else -1


def _spans(image: bytearray, cells: Sequence[_Cell]) -> Iterator[_Span]:
    """The bytes that are in the same word with one that is written, wherever words start."""
    start, end, inside = 0, -1, list[_Cell]()
    for cell, place, width in sorted(cells, key=lambda each: each[1]):
        if place - (WORD - 1) >= end:
            if inside:
                yield bytes(image[start:end]), [(n, at - start, size) for n, at, size in inside]
            start, inside = max(0, place - (WORD - 1)), []
        end = min(len(image), max(end, place + width + WORD - 1))
        inside.append((cell, place, width))
    if inside:
        yield bytes(image[start:end]), [(n, at - start, size) for n, at, size in inside]


def _leads(image: bytearray, cells: Sequence[_Cell], starts: Sequence[int], blocks: Sequence[Block]) -> Iterator[int]:
    """Where the words lead in which nothing is written."""
    written = bytearray(len(image))
    for _, place, width in cells:
        written[place : place + width] = b"\1" * width
    looked = -1
    for place in (n for n, byte in enumerate(image) if byte):
        for at in range(max(looked + 1, place - WORD + 1), min(place, len(image) - WORD) + 1):
            looked = at
            if not any(written[at : at + WORD]):
                to = _at(starts, blocks, int.from_bytes(image[at : at + WORD], "little"))
                if to >= 0:
                    yield to


def _is_accepted(program: Program, block: Block) -> bool:
    """Whether a leak of it is a known finding."""
    position = block.position
    if position is None:
        return False
    place = ((position.source or program.source).name, position.line)
    return any(each.kind == "leak" and (each.file, each.line) == place for each in program.accepted)


def leaked(problem: Problem, leaks: Leaks, numbers: Sequence[int], events: Sequence[Event]) -> Iterator[Violation]:
    """The violations that the core has found, of these blocks."""
    blocks = sorted_blocks(leaks)
    names = {cell.address: cell.object for cell in problem.code.cells if cell.object is not None}
    for block in (blocks[number] for number in numbers):
        position = block.position or Position(1, 1)
        name = names.get(block.address, block.name)
        own = [event for event in events if event.object == name and event.kind == "F" and "alloc" in event.tags]
        held = {event.variable for event in events if event.kind == "W" and _leads_to(event.value, block)}
        written = (event for event in events if event.kind == "W" and event.variable in held)
        yield Violation(
            "leak",
            own[-1].thread if own else 0,
            position,
            (position.source or problem.program.source).line(position.line).strip(),
            f"{name} ({block.size} byte{'s' * (block.size != 1)})",
            rests_on=tuple(event.id for event in (*own, *written)),
        )


def _leads_to(value: object, block: Block) -> bool:
    return isinstance(value, int) and block.address <= value % TAG <= block.address + block.size
