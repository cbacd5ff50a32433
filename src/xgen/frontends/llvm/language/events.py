"""Accesses as events, of one cell or of several parts: those of a number that others access in parts.

Where an address is not known, it tells how what it leads to is cut: that is found in rounds, as everything else is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xgen.executions.nothing import NOTHING
from xgen.frontends.llvm.language.known_bytes import KnownBytes
from xgen.frontends.llvm.language.slots import One
from xgen.frontends.llvm.values import (
    Cell,
    Either,
    FromCells,
    Moved,
    Origin,
    Register,
    Uninitialised,
    Value,
    expression,
    masked,
    signed,
    uninitialised,
)
from xgen.frontends.mixed_size import numbers, parts
from xgen.frontends.mixed_size.addresses import none_of
from xgen.frontends.mixed_size.cuts import Parts
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, Conditional, Deref, Expression, IntLiteral, Name, Wrap
from xgen.records import replace


class Slot:
    """A local to which several ways give a value, which may be none there."""

    def __init__(self, body: Events, key: str, hint: str = "") -> None:
        self.body = body
        name = body.fresh(hint)
        self.local = One(name, body.fresh(f"{name} unset") if key in body.facts.slots else None, key)
        self.given: list[Value] = []

    def put(self, value: Value) -> None:
        number, none = masked(value)
        self.given.append(number)
        if none != 0:
            self.body.facts.slots.add(self.local.place)
        self.body.passes_on(value, self.local.lack)
        self.body.assign(self.local.name, expression(number))
        if self.local.missing is not None:
            self.body.assign(self.local.missing, expression(none))

    def value(self, bits: int) -> Register | Uninitialised:
        return self.local.value(Either(self.given), bits)


class Events(KnownBytes):
    """`cells`: what an access may be to, as one of its size; of an address that is not known more may be found."""

    # ---- which parts

    def ways(
        self, pointer: Value, width: int, cells: list[Cell], atomic: bool
    ) -> Iterator[tuple[Value, Parts, list[Cell]]]:
        """How what is at an address may be cut, in code that is reached where it is so: the address, the parts, from 0
        on, none where it is one cell; and those of the cells that it may be then."""
        if isinstance(pointer, int):
            yield pointer, self.facts.parts_of(cells[0]) if cells else (), cells
            return
        if atomic and any(self._is_odd(cell) for cell in cells):
            pointer = self.keep(pointer)
            self._refuse_odd(pointer, width)
        layouts = self._layouts(f"{self.place_id} {width}", cells, width if atomic else 1)
        if not layouts:
            yield pointer, (), cells
            return
        address, end = self.keep(pointer), self.label()
        for found, places in layouts.items():
            following = self.label()
            self.branch(none_of(expression(address), sorted(places)), following)
            yield address, found, list(places.values())
            self.branch(None, end)
            self.emit(following)
        yield address, (), cells
        self.emit(end)

    def _is_odd(self, cell: Cell) -> bool:
        """Whether it is not aligned as an atomic access of it has to be."""
        found = self.world.memory.named(cell[0])
        return found is not None and (found.address + cell[1]) % cell[2] != 0

    def _refuse_odd(self, pointer: Value, width: int) -> None:
        """Where an address is not aligned, an access of another size, which is refused when a thread comes there."""
        aligned = self.label()
        rest = Binary("bitand", expression(pointer), IntLiteral(width - 1))
        self.branch(Binary("=", rest, IntLiteral(0)), aligned)
        other = Deref(expression(pointer), self.position, -1 if width > 1 else -2)
        self.emit(xcfa.Load(Name(self.fresh()), other, position=self.position), aligned)

    def _layouts(self, key: str, cells: list[Cell], step: int) -> dict[Parts, dict[int, Cell]]:
        """How what is accessed here may be cut, and at which addresses, those that a step divides; learns which of the
        cells are."""
        facts = self.facts

        def learn() -> None:
            cut = {cell for cell in cells if facts.parts_of(cell)}
            if cut:
                facts.parted.setdefault(key, set()).update(cut)

        self.world.later.append(learn)
        layouts: dict[Parts, dict[int, Cell]] = {}
        for cell in sorted(facts.parted.get(key, ())):
            found, how = self.world.memory.named(cell[0]), facts.parts_of(cell)
            if found is not None and how and (found.address + cell[1]) % step == 0:
                layouts.setdefault(how, {})[found.address + cell[1]] = cell
        return layouts

    def _in_ways(
        self,
        pointer: Value,
        width: int,
        cells: list[Cell],
        atomic: bool,
        hint: str,
        do: Callable[[Value, Parts, list[Cell]], Value],
    ) -> Value:
        """What an access gives, however what it is to is cut."""
        slot = None
        for address, found, own in self.ways(pointer, width, cells, atomic):
            value = do(address, found, own)
            if isinstance(pointer, int) or (not found and slot is None):
                return value
            slot = slot or Slot(self, f"{self.place_id} {width} parts", hint)
            slot.put(value)
        assert slot is not None
        return slot.value(8 * width)

    def places_of(self, pointer: Value, found: Parts) -> list[Deref]:
        return [Deref(expression(self.moved(pointer, at)), self.position, -size) for at, size in found]

    # ---- loads and stores

    def load_event(
        self, pointer: Value, width: int, order: str | None, hint: str, cells: list[Cell], copied: bool
    ) -> Value:
        """What is there, which may have no value. `copied`: it is read only to be put elsewhere."""

        def read(address: Value, found: Parts, own: list[Cell]) -> Value:
            if found:
                load = xcfa.Load(Name(""), Deref(IntLiteral(0)), order=order, position=self.position)
                return self._read_parts(load, self.places_of(address, found), found, own, hint, copied or order is None)
            name, place = Name(self.fresh(hint)), Deref(expression(address), self.position, -width)
            self.emit(xcfa.Load(name, place, order=order, position=self.position))
            loaded = Register(name, FromCells(cells) if width == 8 else Either(), 8 * width)
            if not isinstance(pointer, int):
                loaded.lack = "slots", self.place_id
            elif cells:
                loaded.lack = "empty", cells[0]
            return self.perhaps(loaded, cells)

        return self._in_ways(pointer, width, cells, order is not None, hint, read)

    def _read_parts(
        self, load: xcfa.Load, places: list[Deref], found: Parts, cells: list[Cell], hint: str, copied: bool
    ) -> Value:
        """The number that parts are, each of which has a value or none of its own. Without an order they are so many
        accesses: nothing keeps a compiler from making them."""
        names = [Name(self.fresh()) for _ in found]
        if load.order is None:
            self.emit(*(replace(load, target=name, place=place) for name, place in zip(names, places, strict=True)))
        else:
            self.emit(*parts.loads(load, names, places))
        return self._of_parts(names, found, cells, hint, copied)

    def _of_parts(self, names: list[Name], found: Parts, cells: list[Cell], hint: str, copied: bool) -> Value:
        """The number that the parts are which have been read into locals."""
        values: list[tuple[Value, int]] = []
        for name, (at, size) in zip(names, found, strict=True):
            own = [(each, offset + at, size) for each, offset, _ in cells]
            self.learn_copied(own, copied)
            values.append((self.perhaps(Register(name, Either(), 8 * size), own), 8 * size))
        bits = sum(width for _, width in values)
        return self.put_together(values, bits, FromCells(cells) if bits == 64 else Either(), hint)

    def store_event(self, pointer: Value, value: Value, width: int, order: str | None, cells: list[Cell]) -> None:
        value = uninitialised(*map(self.keep, masked(value))) if not isinstance(pointer, int) else value
        for address, found, own in self.ways(pointer, width, cells, order is not None):
            places = self.places_of(address, found or ((0, width),))
            store = xcfa.Store(_whole(value, 8 * width), places[0], order=order, position=self.position)
            if not found:
                self.emit(store)
                continue
            shares = self._shares(value, found)
            for share, (at, size) in zip(shares, found, strict=True):
                if isinstance(share, Uninitialised):
                    self.facts.empty.update((name, offset + at, size) for name, offset, _ in own)
            given = [_whole(share, 8 * size) for share, (_, size) in zip(shares, found, strict=True)]
            if order is None:
                each = zip(given, places, strict=True)
                self.emit(*(replace(store, value=number, place=place) for number, place in each))
            else:
                self.emit(*parts.stores(store, given, places))

    def _shares(self, value: Value, found: Parts) -> list[Value]:
        """What parts get of a number."""
        return [self.part(value, 8 * at, 8 * size) for at, size in found]

    # ---- updates

    def update_event(
        self, op: str, pointer: Value, arguments: list[Value], width: int, orders: tuple[str, ...], cells: list[Cell]
    ) -> Value:
        """The old value of what is updated, all of which has to be there."""
        arguments = list(map(self.keep, arguments)) if not isinstance(pointer, int) else arguments

        def update(address: Value, found: Parts, own: list[Cell]) -> Value:
            if found:
                return self._update_parts(op, self.places_of(address, found), found, arguments, orders, own)
            name, place = Name(self.fresh()), Deref(expression(address), self.position, -width)
            values = tuple(map(expression, arguments))
            self.emit(xcfa.Rmw(name, op, place, values, orders, self.position, bits=-8 * width))
            origin = FromCells(cells) if width == 8 else Either()
            return self.used(self.perhaps(Register(name, origin, 8 * width), cells))

        return self._in_ways(pointer, width, cells, True, "", update)

    def _update_parts(
        self,
        op: str,
        places: list[Deref],
        found: Parts,
        arguments: list[Value],
        orders: tuple[str, ...],
        cells: list[Cell],
    ) -> Value:
        update = xcfa.Rmw(None, op, places[0], (), orders, self.position)
        *_, new = shares = [self._shares(argument, found) for argument in arguments]
        if op == "cas":
            before, after = (list(map(expression, each)) for each in shares)
            names, _ = self.compare_exchange_parts(update, places, before, after)
            return self.used(self._of_parts(names, found, cells, "", False))
        old = self._read_parts(parts.read_of(update, parts.UPDATE), places, found, cells, "", False)
        bits = 8 * sum(size for _, size in found)
        result = numbers.updated(op, expression(masked(old)[0]), expression(arguments[0]), bits)
        if result is None:
            raise self.unsupported(f"the atomic update `{op}` of a number that is accessed in parts is")
        if op != "exchange":
            new = self._shares(self.keep(Register(result, Either(), bits)), found)
        self.emit(*parts.stores(parts.write_of(update), list(map(expression, new)), places))
        return self.used(old)  # behind what it writes, which comes right behind what it reads

    def compare_exchange_parts(
        self,
        update: xcfa.Rmw,
        places: list[Deref],
        expected: Sequence[Expression],
        new: Sequence[Expression],
        weak: bool = False,
    ) -> tuple[list[Name], Name]:
        """Locals of what was there, and of whether it was what is expected. `weak`: it may fail for no reason."""
        names, worked = [Name(self.fresh()) for _ in places], Name(self.fresh())
        ways = parts.ways_of_cas(update, places, expected, new, lambda: Name(self.fresh()), weak)
        given = [zip((worked, *names), (way.written, *way.old), strict=True) for way in ways]
        steps = [
            [*way.statements, *(xcfa.Assign(name, value, self.position) for name, value in each)]
            for way, each in zip(ways, given, strict=True)
        ]
        self.emit(*parts.either(steps, self.label, self.position))
        return names, worked

    # ---- what may have no value

    def perhaps(self, loaded: Register, cells: list[Cell]) -> Register | Uninitialised:
        """What is read of memory, where it may be NOTHING."""
        if not (self.may_be_empty(cells) or self.place_id in self.facts.slots):
            return loaded
        bits = loaded.bits
        none = Conditional(Binary("=", loaded.expression, IntLiteral(NOTHING)), IntLiteral(-1), IntLiteral(0))
        return Uninitialised(loaded, Register(none, Either(), bits), loaded.expression)

    @property
    def place_id(self) -> str:
        """Where it is, the same in all rounds of translation."""
        return f"{self.number} {self.path} {self.place_now}"

    def may_be_empty(self, cells: list[Cell]) -> bool:
        """Whether NOTHING may be there."""
        facts, memory = self.facts, self.world.memory
        return any(cell in facts.empty or (cell in facts.copied and memory.is_blank(cell)) for cell in cells)

    def learn_empty(self, cells: list[Cell]) -> None:
        """Of what is read here the cells are found later in the round, perhaps."""
        here = self.place_id

        def learn() -> None:
            if self.may_be_empty(cells):
                self.facts.slots.add(here)

        self.world.later.append(learn)

    def learn_copied(self, cells: list[Cell], copied: bool) -> None:
        """These cells are read only to be put elsewhere: all, or those that are bytes or have parts of a struct."""
        for name, offset, width in cells:
            found = self.world.memory.by_name.get(name)
            if copied or width == 1 or (found is not None and not found.has_number(offset, width)):
                self.facts.copied.add((name, offset, width))

    # ---- numbers and their parts

    def put_together(self, values: Sequence[tuple[Value, int]], bits: int, origin: Origin, hint: str) -> Value:
        """The number whose parts are these, each of so many bits, the lowest first."""
        if any(isinstance(value, Uninitialised) for value, _ in values):
            known, missing = ([(masked(value)[k], width) for value, width in values] for k in (0, 1))
            whole_number = self.put_together(known, bits, origin, hint)
            return uninitialised(whole_number, self.put_together(missing, bits, Either(), ""))
        result = numbers.joined((expression(value), width) for value, width in values)
        if isinstance(result, IntLiteral):
            return signed(result.value, bits)
        return self.keep(Register(result if bits == 64 else Wrap(result, bits, True), origin, bits), hint)

    def part(self, value: Value, start: int, bits: int) -> Value:
        """So many bits of a number, from one on."""
        if isinstance(value, int):
            return signed(value >> start, bits)
        if isinstance(value, Uninitialised):
            return uninitialised(self.part(value.value, start, bits), self.part(value.missing, start, bits))
        return self.keep(Register(numbers.share(expression(value), start, bits, True), Either(), bits))

    def moved(self, pointer: Value, offset: int) -> Value:
        if isinstance(pointer, int):
            return pointer + offset
        assert isinstance(pointer, Register)
        if not offset:
            return pointer
        far = Register(Binary("+", pointer.expression, IntLiteral(offset)), Moved(pointer, offset))
        return self.keep(far)


def _whole(value: Value, bits: int) -> Expression:
    """What memory gets: NOTHING where no bit has a value."""
    if not isinstance(value, Uninitialised):
        return expression(value)
    number, missing = expression(value.value), expression(value.missing)
    if value.whole is not None:
        return value.whole
    if isinstance(missing, IntLiteral):
        return IntLiteral(NOTHING) if missing.value == signed(-1, bits) else number
    return Conditional(Binary("=", missing, IntLiteral(signed(-1, bits))), IntLiteral(NOTHING), number)
