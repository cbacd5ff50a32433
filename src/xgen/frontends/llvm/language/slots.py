"""Where values are put on ways that meet: a local for each number, and one for what may be missing of it."""

from __future__ import annotations

from typing import TypeAlias

from xgen.frontends.llvm.objects import may_be_address
from xgen.frontends.llvm.values import (
    Either,
    Lack,
    Moved,
    Origin,
    Register,
    Uninitialised,
    Value,
    masked,
    parted,
    uninitialised,
)
from xgen.program.automaton import Name
from xgen.records import dataclass

Slot: TypeAlias = "One | tuple[Slot, ...]"
"""Where a value is put on each way, or each part of it."""


@dataclass(frozen=True, slots=True)
class One:
    """The local that a number is put in; what says which of its bits have no value, where some may have none. `place`:
    where it is, for the next round."""

    name: str
    missing: str | None
    place: str

    @property
    def lack(self) -> Lack:
        """That it may have no value."""
        return "slots", self.place

    def value(self, origin: Origin, bits: int, missing: Origin | None = None) -> Register | Uninitialised:
        """What is in it; where that, and what says which of its bits have no value, come from."""
        found = Register(Name(self.name), origin, bits, lack=self.lack)
        if self.missing is None:
            return found
        return Uninitialised(found, Register(Name(self.missing), missing or Either(), bits))


def settled(value: Value | None) -> Value | None:
    if isinstance(value, tuple):
        return tuple(_part(settled(part)) for part in value)
    if isinstance(value, Uninitialised):
        return uninitialised(*(_part(settled(part)) for part in masked(value)))
    sources = value.origin.values if isinstance(value, Register) and isinstance(value.origin, Either) else []
    first = sources[0] if sources else None
    return first if isinstance(first, int) and all(source == first for source in sources) else value


def _part(value: Value | None) -> Value:
    assert value is not None
    return value


def of_names(slot: Slot, sources: list[Value]) -> Value:
    if isinstance(slot, One):
        numbers = [masked(source)[0] for source in sources]
        bits = max(number.bits if isinstance(number, Register) else 1 for number in numbers)
        known = [number for number in numbers if isinstance(number, int)]
        origin = Moved(numbers[0], 0) if len(numbers) == 1 and may_be_address(numbers[0]) else Either(numbers)
        return slot.value(origin, 64 if known and bits != 1 else bits)
    parts_of: list[list[Value]] = [[] for _ in slot]
    for source in sources:
        for number, part in enumerate(parted(source, len(slot))):
            parts_of[number].append(part)
    return tuple(of_names(each, of) for each, of in zip(slot, parts_of, strict=True))
