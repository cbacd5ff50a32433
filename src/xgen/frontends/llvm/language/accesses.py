"""Reading and writing memory: done at once, kept in a local, or an event."""

from __future__ import annotations

from collections.abc import Callable

from xgen._core import real
from xgen.errors import Position, UnsupportedError
from xgen.frontends.llvm.language.events import Events
from xgen.frontends.llvm.language.known_bytes import PERHAPS
from xgen.frontends.llvm.language.translation import TranslateAgain, World
from xgen.frontends.llvm.objects import Object, may_lead, unset
from xgen.frontends.llvm.text.types import Int
from xgen.frontends.llvm.values import (
    Cell,
    Either,
    FromCells,
    Register,
    Uninitialised,
    Value,
    expression,
    masked,
    signed,
    uninitialised,
    unsigned,
)
from xgen.program import automaton as xcfa
from xgen.program.automaton import Deref, IntLiteral, Name
from xgen.program.expressions import REALS

Use = tuple[int, int]
Targets = list[tuple[Object, list[int]]]
Rest = Callable[[Targets, bool], Targets]
"""What is left of the places that a pointer may lead to; whether it may lead anywhere."""


class Accesses(Events):
    """`own`: locals that stand for bytes that this thread alone uses; `missing`: locals that say which of their bits
    have no value, where some may have none; `written`: where bytes were written last, None where that may be at several
    places; `left`: objects that have ended in the rounds of a loop."""

    def __init__(self, world: World, number: int, name: str) -> None:
        super().__init__(world, number, name)
        self.own: dict[Cell, str] = {}
        self.missing: dict[Cell, str] = {}
        self.written: dict[Cell, Position | None] = {}
        self.left: dict[str, Object] = {}

    @property
    def who(self) -> Use:
        return self.number, self.joined

    # ---- addresses

    def found(self, pointer: int, width: int) -> tuple[Object, int] | None:
        """The object that an access is to."""
        found = self.world.memory.at(pointer)
        if found is None or pointer - found.address + width > found.size:
            return None
        return found, pointer - found.address

    def cells_at(
        self, pointer: Value, width: int, write: bool = False, quiet: bool = False, rest: Rest | None = None
    ) -> list[Cell]:
        """The cells that an access with an address that is not known may be to; they are found again when the round is
        over. `quiet`: the cells are accessed otherwise; `rest`: those that it leaves out are."""
        cells: list[Cell] = []
        seen: set[Cell] = set()
        over = {name for name, found in self.left.items() if self.is_gone(found)}

        def ask() -> int:
            targets, wild = self.world.points.targets(pointer, width)
            if rest is not None:
                targets = rest(targets, wild)
            cells[:] = [(found.name, offset, width) for found, offsets in targets for offset in offsets]
            if quiet:
                return len(cells)
            if wild:
                self.facts.wild.add(self.number)
            for found, offsets in targets:
                if offsets and found.name in over:
                    self.facts.outlived.add(found.name)
                if offsets:
                    self.facts.sought.setdefault(found.name, set()).add(self.number)
                for offset in offsets:
                    if (found.name, offset, width) in seen:
                        continue
                    seen.add((found.name, offset, width))
                    self.facts.access(who, found, offset, width, write)
                    if not found.constant:
                        self.facts.note_shared(found, offset, width)
                        self.facts.widths.setdefault(found.name, set()).add((offset, width))
            return len(cells)

        who = self.who
        ask()
        self.world.later.append(ask)
        return cells

    def note_escape(self, value: Value, cells: list[Cell]) -> None:
        """A value goes into memory."""
        value = masked(value)[0]
        if isinstance(value, Register) or (isinstance(value, int) and may_lead(value)):
            self.world.later.append(self.world.points.learning(value, cells))

    # ---- main alone

    def end_single_threaded(self) -> None:
        """Main shares from now on: what it has locked is locked now."""
        world = self.world
        if not world.single_threaded:
            return
        world.single_threaded = False
        for mutex in reversed(world.held):
            found = self.world.memory.at(mutex)
            assert found is not None
            found.write(mutex - found.address, 4, 0)
            world.bodies[0].steps.insert(0, xcfa.Mutex("lock", self.cell(mutex), self.position))
        world.held.clear()

    def note_access(self, pointer: Value, width: int, write: bool) -> None:
        """Main shares as soon as it gets at what a thread that it has started may use."""
        if not self.single_threaded or not isinstance(pointer, int) or len(self.world.bodies) == 1:
            return
        found = self.world.memory.at(pointer)
        if found is None or found.constant:
            return
        offset = pointer - found.address
        started = len(self.world.bodies)
        if not any(self.facts.runs(user, started) for user, _ in self.facts.users(found, offset, width)):
            return
        known, place = self.facts, (found, offset, width)
        if write or found.name in known.freed or known.is_changed(*place) or known.is_written(*place):
            self.end_single_threaded()

    # ---- accesses of several sizes

    def piece(self, pointer: Value, width: int, atomic: bool, whole: bool = False) -> int | None:
        """How many bytes at a time an access has to be made of, since others of them are narrower; None: all. Where
        atomic ones are cut, their parts say it (events.py).

        `whole`: it is of a half of 16 bytes that are accessed at once, which must not be accessed atomically itself.
        Raises UnsupportedError for atomic ones that are not aligned: machines make several of them.
        """
        if atomic and isinstance(pointer, int) and pointer % width and (at := self.world.memory.at(pointer)):
            where = f"{at.title}+{pointer - at.address}"
            raise self.unsupported(f"an atomic access that is not aligned ({width} bytes at `{where}`) is")
        if self.single_threaded:
            return None
        if isinstance(pointer, int):
            found = self.world.memory.at(pointer)
            targets = [(found, [pointer - found.address])] if found is not None else []
        else:
            targets, _ = self.world.points.targets(pointer, width)
            if atomic:
                self.world.at_last.append(lambda: self.learn_certain(pointer, width))
        smallest = width
        for found, offsets in targets:
            if found.constant:
                continue
            widths = self.facts.widths.setdefault(found.name, set())
            widths.update((offset, width) for offset in offsets)
            if isinstance(pointer, int):
                self.facts.certain.setdefault(found.name, set()).update((offset, width) for offset in offsets)
            if atomic:
                self.facts.atomic.update((found.name, offset, width) for offset in offsets)
                self.remember_atomic(found, offsets, width, whole)
            if atomic or any((found.name, offset, width) in self.facts.atomic for offset in offsets):
                continue
            if any(self.facts.is_cut(found.name, offset, width) for offset in offsets):
                continue
            for start, size in widths:
                if size < smallest and any(start < o + width and o < start + size for o in offsets):
                    smallest = size
        return smallest if smallest < width else None

    def learn_certain(self, pointer: Value, width: int) -> None:
        """An atomic access is to some place of one object, it is not known which: it cuts all of them that are aligned
        as such an access has to be."""
        found = self.world.points.within_one(pointer, width)
        if found is not None and not found[0].constant:
            places = {(offset, width) for offset in found[1] if (found[0].address + offset) % width == 0}
            self.facts.certain.setdefault(found[0].name, set()).update(places)

    def remember_atomic(self, found: Object, offsets: list[int], width: int, whole: bool) -> None:
        """C++ says nothing of atomic accesses of a half of what is accessed at once elsewhere."""
        for offset in offsets:
            self.world.atomics.setdefault((found.name, offset, width), self.position)
        mine, others = (self.facts.halves, self.facts.singles)[:: 1 if whole else -1]
        mine.update((found.name, byte) for offset in offsets for byte in range(offset, offset + width))
        if any((found.name, byte) in others for offset in offsets for byte in range(offset, offset + width)):
            raise self.unsupported("an atomic access of a half of what is accessed atomically as a whole is")

    # ---- reads

    def load(self, pointer: Value, width: int, order: str | None = None, hint: str = "") -> Value:
        """What is there, all of which has to have a value."""
        return self.used(self.load_uninitialised(pointer, width, order, hint))

    def load_uninitialised(
        self, pointer: Value, width: int, order: str | None = None, hint: str = "", copied: bool = False
    ) -> Value:
        """What is there, which may have no value. `copied`: it is read only to be put elsewhere."""
        self.note_access(pointer, width, False)
        piece = self.piece(pointer, width, order is not None)
        if piece:
            return self.load_pieces(pointer, width, piece, hint)
        if not isinstance(pointer, int):
            return self.load_at(pointer, width, order, hint, copied)
        place = self.found(pointer, width)
        if place is None:
            self.end_single_threaded()  # what is there is not known, and may decide where main goes
            return self.load_event(pointer, width, order, hint, [], copied)
        found, offset = place
        self.must_be_there(found)
        if found.is_real(offset, width):
            raise self.unsupported("a floating point number as an integer is")
        if self.single_threaded or found.constant:
            return uninitialised(found.read(offset, width), found.missing(offset, width))
        if order is None and self.facts.is_private(self.number, found, offset, width):
            return self.load_own(found, offset, width, hint)
        self.facts.use(self.who, found, offset, width)
        if self.never_changes(found, offset, width, order):
            return found.read(offset, width)
        if order is not None:
            self.facts.note_shared(found, offset, width)
        self.facts.access(self.who, found, offset, width, False)
        cells = [(found.name, offset, width)]
        self.learn_copied(cells, copied)
        return self.load_event(pointer, width, order, hint, cells, copied)

    def load_at(self, pointer: Value, width: int, order: str | None, hint: str, copied: bool) -> Value:
        """The same, of an address that is not known."""
        return self.load_of(pointer, width, order, hint, copied, self.cells_at(pointer, width))

    def load_of(
        self, pointer: Value, width: int, order: str | None, hint: str, copied: bool, cells: list[Cell]
    ) -> Value:
        """The same by an event, of one of these cells, of which more may be found."""
        self.world.later.append(lambda: self.learn_copied(cells, copied))
        self.learn_empty(cells)
        return self.load_event(pointer, width, order, hint, cells, copied)

    def never_changes(self, found: Object, offset: int, width: int, order: str | None) -> bool:
        """Whether a read is known to give what is there at first."""
        weak = order in (None, "relaxed") or found.guard
        return (
            weak
            and found.at_first
            and not found.dead
            and not self.is_gone(found)
            and found.has_value(offset, width)
            and not self.facts.is_changed(found, offset, width)
            and not self.facts.is_written(found, offset, width)
        )

    def load_pieces(self, pointer: Value, width: int, piece: int, hint: str) -> Value:
        values = [
            self.load_uninitialised(self.moved(pointer, at), piece, None, hint, True) for at in range(0, width, piece)
        ]
        parts = [(value, 8 * piece) for value in values]
        known = all(isinstance(value, int) for value in values) or width < 8
        origin = Either() if known else FromCells(self.cells_at(pointer, width, quiet=True))
        return self.put_together(parts, 8 * width, origin, hint)

    def load_own(self, found: Object, offset: int, width: int, hint: str) -> Value:
        """What a thread has in bytes of its own."""
        self.facts.use(self.who, found, offset, width)
        first = uninitialised(found.read(offset, width), found.missing(offset, width))
        if found.at_first and not self.facts.is_written(found, offset, width):
            return first
        cell = (found.name, offset, width)
        value = self.values.get(cell)
        if value is not None and value is not PERHAPS:
            return value
        if not self.gone and not any(self.overlapping(self.values, cell)):
            return first if found.at_first else unset(Int(8 * width))
        copied = self.copy(Register(Name(self.local_of(found, offset, width))), hint)
        copied.origin, copied.bits = FromCells([cell]), 8 * width
        if value is PERHAPS:
            self.facts.unset.add(cell)
            if cell in self.missing:
                return Uninitialised(copied, self.copy(Register(Name(self.missing[cell]), Either(), 8 * width)))
        elif cell not in self.facts.unset:
            copied.lack = "unset", cell
        return copied

    def local_of(self, found: Object, offset: int, width: int) -> str:
        """The local that stands for bytes of this thread."""
        cell = (found.name, offset, width)
        if cell not in self.own:
            if any(self.overlapping(self.own, cell)):
                self.take_apart(found)
            initial = found.read(offset, width) if found.at_first else 0
            self.remember(cell)
            self.own[cell] = self.fresh(self.cell_name(found, offset), initial)
            if cell in self.facts.unset:
                missing = found.missing(offset, width) if found.at_first else -1
                self.missing[cell] = self.fresh(f"{self.own[cell]} unset", missing)
        return self.own[cell]

    def take_apart(self, found: Object) -> None:
        """Bytes of this thread are accessed in several sizes: by parts, from the next round on, or else by events. This
        round goes on all the same, for what else there is to find."""
        sizes = len(self.facts.widths.get(found.name, ()))
        if self.facts.apart.get(found.name, 0) < sizes:
            self.facts.apart[found.name] = sizes
        else:
            self.facts.whole.add(found.name)

    def cell_name(self, found: Object, offset: int) -> str:
        for start, part in found.made.items():
            if start <= offset < start + part.size:
                return part.name + self._member(part.type, offset - start)
        if found.listed and not offset:  # whatever classes of the library it has around it
            return found.title
        return found.title + self._member(found.type, offset)

    def _member(self, type_: int | str | None, offset: int) -> str:
        member = self.world.metadata.member(type_, offset) if type_ is not None else ""
        return member or (f"+{offset}" if offset else "")

    # ---- writes

    def store(self, pointer: Value, value: Value, width: int, order: str | None = None) -> None:
        value = value if order is None else self.used(value)
        self.note_access(pointer, width, True)
        piece = self.piece(pointer, width, order is not None)
        if piece:
            self.store_pieces(pointer, value, width, piece)
            return
        if not isinstance(pointer, int):
            self.store_at(pointer, value, width, order)
            return
        place = self.found(pointer, width)
        cells: list[Cell] = []
        if place is not None:
            found, offset = place
            self.must_be_variable(found)
            self.must_be_there(found)
            if self.single_threaded:
                number, missing = masked(value)
                if isinstance(number, int) and isinstance(missing, int):
                    found.write(offset, width, number, missing)
                    return
                self.end_single_threaded()
            if order is None and self.facts.is_private(self.number, found, offset, width):
                self.store_own(found, offset, width, value)
                return
            if order is not None:
                self.facts.note_shared(found, offset, width)
            self.facts.access(self.who, found, offset, width, True)
            cells = [(found.name, offset, width)]
        self.note_escape(value, cells)
        if isinstance(value, Uninitialised):
            self.facts.empty.update(cells)
        self.passes_on_to(value, cells)
        self.store_event(pointer, value, width, order, cells)

    def store_at(self, pointer: Value, value: Value, width: int, order: str | None) -> None:
        """The same, of an address that is not known."""
        self.store_of(pointer, value, width, order, self.cells_at(pointer, width, write=True))

    def store_of(self, pointer: Value, value: Value, width: int, order: str | None, cells: list[Cell]) -> None:
        """The same by an event, of one of these cells, of which more may be found."""
        self.note_escape(value, cells)
        if isinstance(value, Uninitialised):
            self.world.later.append(lambda: self.facts.empty.update(cells))
        else:
            self.world.later.append(lambda: self.passes_on_to(value, cells))
        self.store_event(pointer, value, width, order, cells)

    def passes_on_to(self, value: Value, cells: list[Cell]) -> None:
        """The same of a value that is put in one of these cells."""
        for cell in cells:
            self.passes_on(value, ("empty", cell))

    def store_pieces(self, pointer: Value, value: Value, width: int, piece: int) -> None:
        bits = 8 * piece
        if width == 8:
            self.note_escape(value, self.cells_at(pointer, width, quiet=True))
        for k in range(width // piece):
            self.store(self.moved(pointer, k * piece), self.part(value, bits * k, bits), piece)

    def store_own(self, found: Object, offset: int, width: int, value: Value) -> None:
        self.facts.use(self.who, found, offset, width)
        self.facts.written.update((found.name, byte) for byte in range(offset, offset + width))
        cell = (found.name, offset, width)
        only = self.on_one_path or self.written.get(cell, self.position) == self.position
        self.written[cell] = self.position if only else None
        number, missing = masked(value)
        self.assign(self.local_of(found, offset, width), expression(number))
        if cell in self.missing:
            self.assign(self.missing[cell], expression(missing))
        self.note_escape(value, [cell])
        self.passes_on(value, ("unset", cell))
        self.know(cell, value)

    def publish(self) -> None:
        """At its end a thread writes what main reads of its own bytes when it has joined it: told by the place where it
        did so last, if that is one. Where it is asked what leaks, also what may lead to memory."""
        for name, offset, width in sorted(self.written) if self.number or self.world.options.leaks else ():
            found = self.world.memory.by_name.get(name)
            if found is None or not self.facts.is_private(self.number, found, offset, width):
                continue
            is_read = bool(self.number) and any(user == 0 for user, _ in self.facts.users(found, offset, width))
            if is_read or self.may_hold(found, offset, width):
                cell = (name, offset, width)
                if is_read and self.may_be_unset(cell, self.values):
                    self.facts.whole.add(name)
                    raise TranslateAgain
                local = Register(Name(self.own[cell]), FromCells([cell]), 8 * width)
                self.facts.access(self.who, found, offset, width, True)
                self.note_escape(local, [cell])
                place = Deref(IntLiteral(found.address + offset), self.written[cell] or self.position, -width)
                self.emit(xcfa.Store(expression(local), place, position=place.position))

    def may_hold(self, found: Object, offset: int, width: int) -> bool:
        """Whether what these bytes lead to does not leak: they stay when the thread has ended."""
        if not self.world.options.leaks or found.life == "stack" or found.dead or self.is_gone(found):
            return False
        return width == 8 or any((found.name, at) in self.facts.pointers for at in range(offset - 7, offset + 1))

    # ---- updates

    def update(self, op: str, pointer: Value, arguments: list[Value], width: int, orders: tuple[str, ...]) -> Value:
        """An atomic update; its old value."""
        self.note_access(pointer, width, True)
        self.piece(pointer, width, True)
        cells: list[Cell] = []
        if isinstance(pointer, int):
            place = self.found(pointer, width)
            if self.single_threaded and place is not None and all(isinstance(each, int) for each in arguments):
                found, offset = place
                self.must_be_variable(found)
                self.must_be_there(found)
                if not self.single_threaded:
                    return self.update(op, pointer, arguments, width, orders)
                self.used(uninitialised(0, found.missing(offset, width)))
                old = found.read(offset, width)
                new = self.updated(op, old, [each for each in arguments if isinstance(each, int)], 8 * width)
                found.write(offset, width, new)
                return old
            self.end_single_threaded()
            if place is not None:
                found, offset = place
                self.must_be_variable(found)
                self.must_be_there(found)
                self.facts.access(self.who, found, offset, width, True)
                self.facts.note_shared(found, offset, width)
                cells = [(found.name, offset, width)]
        else:
            cells = self.cells_at(pointer, width, write=True)
        for argument in arguments:
            self.note_escape(argument, cells)
        return self.update_event(op, pointer, arguments, width, orders, cells)

    @staticmethod
    def updated(op: str, old: int, arguments: list[int], bits: int) -> int:
        """What an update writes, if that is known."""
        if op == "cas":
            return arguments[1] if old == arguments[0] else old
        value = arguments[0]
        u, v = unsigned(old, bits), unsigned(value, bits)
        result: dict[str, Callable[[], int]] = {
            "exchange": lambda: value,
            "fetch_add": lambda: old + value,
            "fetch_sub": lambda: old - value,
            "fetch_and": lambda: old & value,
            "fetch_or": lambda: old | value,
            "fetch_xor": lambda: old ^ value,
            "fetch_min": lambda: min(old, value),
            "fetch_max": lambda: max(old, value),
            "fetch_umin": lambda: min(u, v),
            "fetch_umax": lambda: max(u, v),
            "fetch_fadd32": lambda: real(REALS["fadd32"], old, value),
            "fetch_fadd64": lambda: real(REALS["fadd64"], old, value),
        }
        return signed(result[op](), bits)

    # ---- cells of the library

    def cell(self, pointer: Value, width: int = 4) -> Deref:
        """A cell that the library updates."""
        if isinstance(pointer, int):
            place = self.found(pointer, width)
            if place is not None:
                self.must_be_there(place[0])
                self.facts.access(self.who, *place, width, True)
                self.facts.note_shared(*place, width)
        else:
            self.cells_at(pointer, width, write=True)
        return Deref(expression(pointer), self.position, -width)

    # ---- objects that end

    def must_be_there(self, found: Object) -> None:
        """What is done to an object that is there no more is an event: the next round says so."""
        if not found.dead and not self.is_gone(found):
            return
        if found.name not in self.facts.mortal:
            self.facts.mortal.add(found.name)
            self.facts.whole.add(found.name)
        self.end_single_threaded()

    def must_be_variable(self, found: Object) -> None:
        """What is written is no string literal, and nothing else that is constant."""
        if found.constant:
            self.fail("bad-address")

    def store_real(self, pointer: int, width: int) -> None:
        """Main has put a floating point number somewhere, alone."""
        self.note_access(pointer, width, True)
        place = self.found(pointer, width)
        if place is None or not self.single_threaded:
            raise self.unsupported("a floating point number in memory that threads share is")
        found, offset = place
        self.must_be_there(found)
        found.real.update(range(offset, offset + width))
        found.known[offset : offset + width] = b"\xff" * width

    def lifetime(self, op: str, found: Object) -> None:
        """An object is there from now on, or no more."""
        assert op in ("alloc", "free")
        place = Deref(IntLiteral(found.address), self.position)
        self.emit(xcfa.Lifetime("alloc" if op == "alloc" else "free", place, self.position))

    def refuse_size(self, type_: object) -> UnsupportedError:
        return self.unsupported(f"a value of type `{type_}` in memory is")
