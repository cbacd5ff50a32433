"""Which bytes who uses, writes and can reach: found in rounds, from nothing, until nothing new is found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field, fields
from math import gcd
from typing import TypeAlias

from xgen.frontends.library.facts import Waits
from xgen.frontends.limits import NESTED_CALLS
from xgen.frontends.llvm.objects import OBJECTS, TAGGED, Life, Memory, Object
from xgen.frontends.llvm.values import Cell, Either, FromCells, Masked, Moved, Register, Value
from xgen.frontends.mixed_size.cuts import Parts, overlap, parts_of_atomics, within
from xgen.records import dataclass, replace

Use = tuple[int, int]
"""A thread's number, and the threads that it has joined before, as bits (main only)."""


Steps: TypeAlias = tuple[tuple[int, int], ...]
"""Indices of arrays: how far the elements are apart, and how many there are."""
SPREAD = 4096


@dataclass(eq=False)
class Facts:
    """What is known after a round. All of it only grows. Values of loops are known by the place where they are."""

    accessed: dict[str, dict[int, set[Use]]] = field(default_factory=dict)  # of each byte of an object: by whom
    changed: set[Cell] = field(default_factory=set)  # cells that are written when there are threads
    widths: dict[str, set[tuple[int, int]]] = field(default_factory=dict)  # all accesses that there are to one
    atomic: set[Cell] = field(default_factory=set)  # those that are atomic
    certain: dict[str, set[tuple[int, int]]] = field(default_factory=dict)  # those that are known to be to it: they cut
    parts: dict[str, Parts] = field(default_factory=dict)  # how atomic accesses are cut, and what shares bytes with it
    parted: dict[str, set[Cell]] = field(default_factory=dict)  # places: what is cut that an access may be to
    halves: set[tuple[str, int]] = field(default_factory=set)  # bytes of atomic accesses of two parts
    singles: set[tuple[str, int]] = field(default_factory=set)  # those of others
    shared: set[tuple[str, int]] = field(default_factory=set)  # bytes that must not be locals
    whole: set[str] = field(default_factory=set)  # objects of which no byte may be a local
    written: set[tuple[str, int]] = field(default_factory=set)  # bytes that the thread that they are of has written
    exposed: set[str] = field(default_factory=set)  # objects that pointers in memory lead to
    entries: dict[str, set[int]] = field(default_factory=dict)  # where in them
    pointers: dict[tuple[str, int], set[tuple[str, int]]] = field(default_factory=dict)  # what a cell leads to
    routines: dict[tuple[str, int], set[str]] = field(default_factory=dict)  # the functions that it leads to
    circling: dict[str, set[tuple[str, int, Steps]]] = field(default_factory=dict)  # what values of loops lead to
    strides: dict[str, set[int]] = field(default_factory=dict)  # how far from there, any number of times
    changing: dict[str, set[Cell]] = field(default_factory=dict)  # of a loop's head: what a round leaves otherwise
    wild: set[int] = field(default_factory=set)  # threads that access what is not known
    sought: dict[str, set[int]] = field(default_factory=dict)  # objects that pointers which are not known lead whom to
    outlived: set[str] = field(default_factory=set)  # those of a loop's round to which a pointer behind it may lead
    mortal: set[str] = field(default_factory=set)  # objects that are freed while there are threads
    asked: dict[str, set[str]] = field(default_factory=dict)  # with what memory is asked for: malloc, _Znw, _Zna
    blocks: dict[tuple[int, str], set[str]] = field(default_factory=dict)  # with --reuse: by size and what gives them
    wanted: set[tuple[int, str]] = field(default_factory=set)  # which of these threads ask for
    returned: set[str] = field(default_factory=set)  # which objects they free
    freed: set[str] = field(default_factory=set)  # those that nobody but the thread that frees them uses: no event
    copied: set[Cell] = field(default_factory=set)  # cells that are copied whether or not they have a value
    empty: set[Cell] = field(default_factory=set)  # cells to which something without a value is copied
    unset: set[Cell] = field(default_factory=set)  # locals for bytes of which it is kept which have a value
    apart: dict[str, int] = field(default_factory=dict)  # objects of locals of several sizes: how many were known
    few: dict[str, set[tuple[str, int]]] = field(default_factory=dict)  # places: local objects that are asked for there
    slots: set[str] = field(default_factory=set)  # where ways meet, and values that may not be there
    returning: set[int] = field(default_factory=set)  # threads whose value is asked for
    detached: set[int] = field(default_factory=set)  # threads that may be, or may be joined twice
    silent: set[str] = field(default_factory=set)  # functions that say nothing of errors where they should
    pointed: set[str] = field(default_factory=set)  # what may have a `std::exception_ptr`
    waits: Waits = field(default_factory=Waits)  # what is known of barriers and locks
    late: set[int] = field(default_factory=set)  # threads that do something when their function has returned
    readers: set[str] = field(default_factory=set)  # that those of locks wait for writers: see library/rust.py
    # Of a round, which is not over if only these are others
    cells: dict[str, set[tuple[int, int]]] = field(default_factory=dict)  # an object's events, how wide
    objects: dict[str, tuple[int, Life, int]] = field(default_factory=dict)  # all that there were
    # Of the last round
    threads: list[str] = field(default_factory=list)  # their names
    parents: dict[int, int] = field(default_factory=dict)  # which thread has started one
    together_until: int | None = None  # main shares from this step on at the latest
    nested: int = NESTED_CALLS  # so many calls of a function may be inside each other

    def size(self) -> tuple[object, ...]:
        """Something that changes whenever anything is found, of whichever field."""
        found = ((name, getattr(self, name)) for name in _FOUND)
        return tuple(str(each) if name in _OF_THE_LAST else _count(each) for name, each in found)

    # ---- what is asked

    def parts_of(self, cell: Cell) -> Parts:
        """The parts that an access is made of, from 0 on; none where it is one cell, or is not made of whole ones."""
        name, offset, width = cell
        found = within(self.parts.get(name, ()), (offset, width))
        return tuple((start - offset, size) for start, size in found) if len(found) > 1 else ()

    def is_cut(self, name: str, offset: int, width: int) -> bool:
        """Whether there are parts among some bytes."""
        return any(overlap(part, (offset, width)) for part in self.parts.get(name, ()))

    def users(self, found: Object, offset: int, width: int) -> Iterable[Use]:
        bytes_ = self.accessed.get(found.name, {})
        for byte in range(offset, offset + width):
            yield from bytes_.get(byte, ())

    def is_changed(self, found: Object, offset: int, width: int) -> bool:
        """Whether a thread may write there, or free it."""
        return found.name in self.mortal or self.is_overwritten(found, offset, width)

    def is_overwritten(self, found: Object, offset: int, width: int) -> bool:
        """Whether a thread may write there."""
        return any(
            (found.name, start, size) in self.changed
            for size in (1, 2, 4, 8)
            for start in range(offset - size + 1, offset + width)
        )

    def is_written(self, found: Object, offset: int, width: int) -> bool:
        return any((found.name, byte) in self.written for byte in range(offset, offset + width))

    def is_private(self, thread: int, found: Object, offset: int, width: int) -> bool:
        """Whether nobody else uses these bytes while a thread runs: main may when it has joined the thread."""
        if found.name in self.whole or (found.name in self.exposed and self.wild - {thread}):
            return False
        if any((found.name, byte) in self.shared for byte in range(offset, offset + width)):
            return False
        users = self.users(found, offset, width)
        return all(user == thread or (user == 0 and joined >> thread & 1) for user, joined in users)

    def is_only(self, thread: int, found: Object) -> bool:
        """Whether nobody else ever uses an object, not even main when it has joined the thread."""
        return all(user == thread for user, _ in self.users(found, 0, found.size))

    def is_last(self, who: Use, found: Object) -> bool:
        """Whether an object that ends here is used later by this thread alone, which knows where."""
        thread, joined = who
        if found.name in self.mortal or thread in self.sought.get(found.name, ()):
            return False
        users = self.users(found, 0, found.size)
        return all(user == thread or joined >> user & 1 for user, _ in users)

    def is_left(self, who: Use, found: Object) -> bool:
        """The same of one that is the same in each round of a loop, and ends behind it."""
        thread, joined = who
        if found.name in self.mortal or found.name in self.outlived:
            return False
        users = self.users(found, 0, found.size)
        return all(user == thread or joined >> user & 1 for user, _ in users)

    def runs(self, user: int, started: int) -> bool:
        """Whether a thread may run when main has started so many, itself among them: these start others."""
        while user >= started:
            user = self.parents.get(user, 0)
        return user > 0

    # ---- what is learnt

    def cut(self, numbers: Mapping[str, int]) -> None:
        """Where atomic accesses are cut, by those that there are; no byte of these may be a local. `numbers`: objects
        that are declared as one number of so many bytes, which is accessed as that if it may be."""
        atomic: dict[str, set[tuple[int, int]]] = {}
        for name, offset, width in self.atomic:
            if name in self.certain:
                atomic.setdefault(name, set()).add((offset, width))
        for name, accesses in atomic.items():
            certain = self.certain[name]
            found = parts_of_atomics(accesses & (certain | {(0, numbers.get(name, 0))}), certain)
            if found:
                self.parts[name] = found
                self.shared.update((name, byte) for start, size in found for byte in range(start, start + size))

    def use(self, who: Use, found: Object, offset: int, width: int) -> None:
        bytes_ = self.accessed.setdefault(found.name, {})
        for byte in range(offset, offset + width):
            bytes_.setdefault(byte, set()).add(who)

    def access(self, who: Use, found: Object, offset: int, width: int, write: bool) -> None:
        """There is an event at a cell."""
        if 0 <= offset <= found.size - width:
            self.use(who, found, offset, width)
            self.cells.setdefault(found.name, set()).add((offset, width))
            if write:
                self.changed.add((found.name, offset, width))

    def note_shared(self, found: Object, offset: int, width: int) -> None:
        self.shared.update((found.name, byte) for byte in range(offset, offset + width))


_OF_A_ROUND = frozenset(["cells", "objects"])
_OF_THE_LAST = frozenset(["threads", "parents"])
"""Fields of Findings that are there anew each round: of the first ones nothing else depends, all of the others does."""
_FOUND = tuple(each.name for each in fields(Facts) if each.name not in _OF_A_ROUND)


def _count(found: object) -> object:
    """How much there is of what only grows."""
    if isinstance(found, Waits):
        return found.size()
    if isinstance(found, dict):
        return len(found), tuple(map(_count, found.values()))
    return len(found) if isinstance(found, set) else found


@dataclass(eq=False, slots=True)
class _Bases:
    """What is found of a value: `bases` of PointsTo says what. `seen`: the registers that were, by their ids, with the
    bytes before them; `masked`: those with a mask that are followed; `units`: the lowest bits that masks have; `kept`:
    ids are of objects that are there."""

    known: set[tuple[int, Steps]] = field(default_factory=set)
    unknown: set[int] = field(default_factory=set)
    strides: set[int] = field(default_factory=set)
    seen: dict[int, int] = field(default_factory=dict)
    masked: dict[int, int] = field(default_factory=dict)
    units: set[int] = field(default_factory=set)
    kept: list[Value] = field(default_factory=list)


_NOTHING: set[int] = set()


class PointsTo:
    """Where addresses lead, by what is known so far."""

    def __init__(self, memory: Memory, facts: Facts) -> None:
        self.memory, self.facts = memory, facts
        self.in_cells: dict[tuple[str, int], tuple[tuple[int, int, int], set[int]]] = {}
        """What was put into cells, when there was so much of it, and so many objects."""

    def addresses(self, value: Value) -> set[int]:
        """The addresses of objects and functions that a value may come from."""
        return {address for address, _ in self.bases(value)[0]}

    def bases(self, value: Value) -> tuple[set[tuple[int, Steps]], set[int], set[int]]:
        """The addresses that a value may be, with steps from there; offsets behind ones that are not known; the strides
        between all of them."""
        found = _Bases()
        self._follow(value, 0, (), found)
        found.strides |= {unit for unit in found.units if any(stride % unit for stride in found.strides)}
        return found.known, found.unknown, found.strides

    def _follow(self, value: Value, offset: int, steps: Steps, found: _Bases) -> None:
        """Finds the addresses so many bytes before what a value may be, and steps from there."""
        todo: list[tuple[Value, int, Steps]] = [(value, offset, steps)]
        while todo:
            here, offset, steps = todo.pop()
            if isinstance(here, int):
                found.known.add((self.untagged(here + offset), steps))
                continue
            assert isinstance(here, Register)
            if id(here) in found.seen:
                if offset != found.seen[id(here)]:
                    found.strides.add(abs(offset - found.seen[id(here)]))
                continue
            found.seen[id(here)] = offset
            found.kept.append(here)
            match here.origin:
                case None:
                    if here.bits > 32:
                        found.unknown.add(offset)
                case FromCells(cells):
                    addresses = set[int]().union(*map(self._in_cell, cells))
                    found.known.update((self.untagged(address + offset), steps) for address in addresses)
                case Moved(base, step, more, further):
                    found.strides.update(more)
                    todo.append((base, offset + step, tuple({*steps, *further})))
                case Masked(base, mask):
                    if (before := found.masked.get(id(here))) is not None:
                        found.strides.update({abs(offset - before)} - {0})
                    else:
                        inner = replace(found, known=set(), seen={}, masked={**found.masked, id(here): offset})
                        self._follow(base, offset, (), inner)
                        _mask(inner, mask, offset, steps, found)
                        found.units.add(mask & -mask)
                case Either(values):
                    todo += [(each, offset, steps) for each in list(values)]

    def untagged(self, value: int) -> int:
        """The address of an object in the lowest bits of a number that is none itself."""
        address = value & (1 << TAGGED) - 1
        return address if value >> TAGGED and address >= OBJECTS and self.memory.at(address) is not None else value

    def _in_cell(self, cell: Cell) -> set[int]:
        """The addresses that a cell may hold."""
        name, offset, width = cell
        found = self.memory.by_name.get(name)
        written = self._written(name, offset)
        return written | {found.read(offset, width)} if found is not None and found.at_first else written

    def _written(self, name: str, offset: int) -> set[int]:
        """The addresses that have been put there, by what is known of it and by the objects that there are."""
        pointers, routines = self.facts.pointers.get((name, offset)), self.facts.routines.get((name, offset))
        if not pointers and not routines:
            return _NOTHING
        size = len(pointers or ()), len(routines or ()), len(self.memory.objects)
        known = self.in_cells.get((name, offset))
        if known is not None and known[0] == size:
            return known[1]
        targets = ((self.memory.named(other), place) for other, place in pointers or ())
        addresses = {target.address + place for target, place in targets if target is not None}
        addresses.update(self.memory.functions[function] for function in routines or ())
        self.in_cells[name, offset] = size, addresses
        return addresses

    def targets(self, pointer: Value, width: int) -> tuple[list[tuple[Object, list[int]]], bool]:
        """The objects and offsets that an access may be to, and whether it is to anything that is exposed."""
        known, unknown, strides = self.bases(pointer)
        step = gcd(*strides) if strides else 0
        found = []
        for address, steps in sorted(known):
            target = self.memory.at(address)
            if target is None:
                continue
            places = _spread(address - target.address, steps)
            if step or places is None:
                whole = gcd(step, *(stride for stride, _ in steps)) if places is None else step
                starts = {address - target.address} if places is None else places
                places = {each for start in starts for each in _multiples(start, whole, target.size - width)}
            found.append((target, sorted(places)))
        if unknown:
            for target in self.memory.objects:
                if target.name in self.facts.exposed and not target.constant:
                    entries = self.facts.entries.get(target.name, set()) | {0}
                    places = {entry + offset for entry in entries for offset in unknown}
                    inside = {place for place in places if 0 <= place <= target.size - width}
                    if step:
                        inside = {x for place in inside for x in _multiples(place, step, target.size - width)}
                    found.append((target, sorted(inside)))
        return found, bool(unknown)

    def within_one(self, pointer: Value, width: int) -> tuple[Object, list[int]] | None:
        """The object that an access is to, and where in it that may be, if there is one and its places are known."""
        known, unknown, strides = self.bases(pointer)
        targets = {found.name for address, _ in known if (found := self.memory.at(address)) is not None}
        if unknown or strides or len(targets) != 1:
            return None
        ((found, places), *others), _ = self.targets(pointer, width)
        places = sorted({*places, *(place for _, each in others for place in each)})
        return found, [place for place in places if 0 <= place <= found.size - width]

    def learning(self, value: Value, cells: Collection[Cell]) -> Callable[[], None]:
        """What learns that a value has been put into cells, of which there may be more each time."""
        led, put = set[int](), set[Cell]()

        def learn() -> None:
            addresses = self.addresses(value)
            self._learn(addresses - led, cells)
            self._learn(addresses & led, [cell for cell in cells if cell not in put])
            led.update(addresses)
            put.update(cells)

        return learn

    def _learn(self, addresses: Iterable[int], cells: Collection[Cell]) -> None:
        for address in addresses:
            function = self.memory.function_at.get(address)
            target = None if function else self.memory.at(address)
            if target is not None:
                self.note_escape(target, address)
            for name, offset, _ in cells:
                if function:
                    self.facts.routines.setdefault((name, offset), set()).add(function)
                elif target is not None:
                    where = self.facts.pointers.setdefault((name, offset), set())
                    where.add((target.name, address - target.address))

    def note_escape(self, target: Object, address: int) -> None:
        self.facts.exposed.add(target.name)
        self.facts.entries.setdefault(target.name, set()).add(address - target.address)

    def circles(self, place: str, value: Register) -> Callable[[], None]:
        """A value that each round of a loop changes may be what the translation before has found it to be at the loop's
        end: where it is used first, its other sources are not translated yet. Gives what learns it for the next one."""
        facts, origin = self.facts, value.origin
        assert isinstance(origin, Either)
        strides = tuple(sorted(facts.strides.get(place, ())))
        for name, offset, steps in sorted(facts.circling.get(place, ())):
            target = self.memory.named(name) if name else None
            if target is not None or not name:
                base = offset if target is None else target.address + offset
                origin.values.append(Register(value.expression, Moved(base, 0, strides, steps)))

        def learn() -> None:
            known, _, further = self.bases(value)
            facts.strides.setdefault(place, set()).update(further)
            found = facts.circling.setdefault(place, set())
            for address, steps in known:
                if address in self.memory.function_at:
                    found.add(("", address, ()))
                elif (target := self.memory.at(address)) is not None:
                    found.add((target.name, address - target.address, steps))

        return learn

    def learn_initial(self) -> None:
        """Pointers that objects have in them at first."""
        for found in self.memory.objects:
            if found.dead or not found.at_first:
                continue
            for offset in range(0, found.size - 7, 8):
                address = self.untagged(found.read(offset, 8))
                target = self.memory.at(address) if address >= OBJECTS else None
                if target is not None:
                    self.note_escape(target, address)


def _mask(inner: _Bases, mask: int, offset: int, steps: Steps, found: _Bases) -> None:
    """Adds those bits of addresses that a mask has. Where they have steps that are not of what its lowest bits leave
    out, they may be any place that these bits allow."""
    unit = mask & -mask
    for address, own in inner.known:
        place = ((address - offset) & mask) + offset
        if all(stride % unit == 0 for stride, _ in own):
            found.known.add((place, tuple({*steps, *own})))
        else:
            found.known.add((place, steps))
            found.strides.add(unit)


def _spread(offset: int, steps: Steps) -> set[int] | None:
    """All places that steps lead to from one; None: too many."""
    found = {offset}
    for stride, count in steps:
        if len(found) * count > SPREAD:
            return None
        found = {place + number * stride for place in found for number in range(count)}
    return found


def _multiples(offset: int, step: int, last: int) -> list[int]:
    return list(range(offset % step, last + 1, step))
