"""Where the members of structs and unions are, as GNU's compilers lay them out (System V's ABI), bit fields too."""

from __future__ import annotations

from collections.abc import Sequence

from xgen.frontends.c.values.types import Bits, Member, Record, alignment, leaves, size_of
from xgen.records import replace


def lay_out(record: Record, declared: Sequence[Member], aligned: int = 1) -> None:
    """Completes a record with its members. `aligned`: what all is a multiple of at least."""
    record.alignment = max(record.alignment, aligned)
    placed: list[Member] = []
    starts: list[int] = []  # of each of these, in bits
    end = 0  # in bits
    for member in declared:
        position = 0 if record.union else end
        if isinstance(member.type, Bits):
            start = _start(member.type, position, member.packed)
            end = max(end, start + member.type.width)
            if member.name:
                record.alignment = max(record.alignment, 1 if member.packed else alignment(member.type.type))
        else:
            align = max(1 if member.packed else alignment(member.type), member.aligned)
            start = 8 * -(-position // (8 * align)) * align
            end = max(end, start + 8 * size_of(member.type))
            record.alignment = max(record.alignment, align)
        placed.append(replace(member, offset=start // 8))
        starts.append(start)
    record.size = -(-end // (8 * record.alignment)) * record.alignment
    for first, last in _locations(placed, record.union):
        behind = placed[last].offset if last < len(placed) and not record.union else record.size
        placed[first:last] = _in_units(placed[first:last], starts[first:last], behind, record.alignment)
    record.members = [member for member in placed if member.name or not isinstance(member.type, Bits)]
    record.overlaps = record.union and _overlap(record.members)


def _start(bits: Bits, position: int, packed: bool) -> int:
    """The bit that a field begins with, behind so many: it lies in no more units of its type than that has."""
    unit = 8 * alignment(bits.type)
    over = position % unit + bits.width > (bits.type.bits + unit - 1) // unit * unit
    return -(-position // unit) * unit if not bits.width or (over and not packed) else position


def _locations(members: Sequence[Member], union: bool) -> list[tuple[int, int]]:
    """The bit fields that are one memory location (C11, 3.14): the first, and what is behind the last."""
    found: list[tuple[int, int]] = []
    for number, member in enumerate(members):
        if not isinstance(member.type, Bits) or not member.type.width:
            continue
        if found and found[-1][1] == number and not union:
            found[-1] = found[-1][0], number + 1
        else:
            found.append((number, number + 1))
    return found


def _in_units(fields: Sequence[Member], starts: Sequence[int], behind: int, aligned: int) -> list[Member]:
    """Bit fields that are one location, with the units that it is accessed in; `behind`: where something else is."""
    first = starts[0] // 8
    last = fields[-1]
    assert isinstance(last.type, Bits)
    end = -(-(starts[-1] + last.type.width) // 8)
    units: list[tuple[int, int]] = []
    at = first
    while at < end:
        fitting = [size for size in (1, 2, 4, 8) if size <= aligned and at % size == 0]
        size = next((size for size in fitting if end <= at + size <= behind), None)
        size = size or max(size for size in fitting if at + size <= max(end, at + 1))
        units.append((at - first, size))
        at += size
    names = [field.name for field in fields if field.name]
    name = names[0] if len(names) == 1 else f"{names[0]}:{names[-1]}" if names else ""
    return [
        replace(field, offset=first, type=replace(field.type, start=start - 8 * first, units=tuple(units), name=name))
        for field, start in zip(fields, starts, strict=True)
        if isinstance(field.type, Bits)
    ]


def _overlap(members: list[Member]) -> bool:
    ends = 0
    for offset, size in sorted({(leaf.offset, size_of(leaf.type)) for m in members for leaf in leaves(m.type)}):
        if offset < ends:
            return True
        ends = offset + size
    return False
