"""Which cells the locations of a test have, and how accesses of several sizes are made of accesses to cells.

A location is one cell of the program, or one for each element of an array, as long as each access is of a whole cell;
reading only the low bytes of one is fine. Else all locations are cut into parts, each of which is a cell: as few as
there can be so that every access is of whole parts. An access of several parts is so many loads or stores, of which all
but the first have the tag `part`.

Where an access computes its address, its parts are those of the place where it is taken to be: where what registers
hold can be told from the text, else where locations start. It accesses what is at its address, whatever was taken to be
there; a part that is not there, or has another size, stops the run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from xgen.errors import Position, Source, UnsupportedError
from xgen.frontends.assembly import Step
from xgen.frontends.litmus.architectures.arithmetic import both, modulo, number, stored
from xgen.frontends.litmus.initial import Location
from xgen.frontends.litmus.values import Address, Cell, int_type
from xgen.frontends.mixed_size import cuts as edges
from xgen.frontends.mixed_size import numbers
from xgen.frontends.mixed_size import parts as split
from xgen.frontends.mixed_size.parts import PART, WORD
from xgen.program import automaton as xcfa
from xgen.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Access:
    """An access to `bytes` bytes (0: it is not said how many) at an offset in a location; where the text does not tell
    the offset, or the location, that is None. One to two words at once has the other word in `second`.
    """

    location: str | None
    offset: int | None
    bytes: int
    statement: xcfa.Load | xcfa.Store | xcfa.StoreExclusive | xcfa.Rmw
    second: xcfa.Load | xcfa.Store | xcfa.Rmw | None = None

    @property
    def writes(self) -> bool:
        return not isinstance(self.statement, xcfa.Load)

    @property
    def position(self) -> Position:
        return self.statement.position


@dataclass(frozen=True, slots=True)
class Part:
    """Some bytes of a location, which are a cell: its name, and its number."""

    name: str
    cell: int
    offset: int
    bytes: int

    @property
    def access(self) -> edges.Access:
        return self.offset, self.bytes


class Layout:
    """The cells of the locations: whole ones."""

    def __init__(self, locations: Mapping[str, Location], source: Source) -> None:
        self.locations = locations
        self.source = source
        self.cells: dict[str, int] = {}
        """The number of each location's first cell."""
        count = 0
        for name, location in locations.items():
            self.cells[name] = count
            count += location.size or 1

    def address(self, address: Address) -> int:
        """The number that an address is; see `AddressOf`."""
        return xcfa.CELL_SIZE * (self.cells[address.name] + address.index + 1)

    @property
    def addresses(self) -> dict[int, Address]:
        """What the numbers mean that are addresses."""
        names = [Address(name, i) for name, location in self.locations.items() for i in range(location.size or 1)]
        return {self.address(name): name for name in names}

    def numbers_of(self, item: Cell) -> Iterable[int]:
        """The numbers of the cells that an item speaks of: one, or all of an array."""
        first, size = self.cells[item.name], self.locations[item.name].size
        if size is None or item.index is not None:
            return range(first + (item.index or 0), first + (item.index or 0) + 1)
        return range(first, first + size)

    def keys_of(self, item: Cell) -> tuple[str, ...]:
        """What outcomes call the cells of an item."""
        size = self.locations[item.name].size
        if size is None:
            return (item.name,)
        indices = range(size) if item.index is None else (item.index,)
        return tuple(f"{item.name}[{index}]" for index in indices)

    def values_of(self, item: Cell, outcome: Mapping[str, int | bool]) -> Sequence[int]:
        """What an item holds in an outcome: a value, or one for each element of an array."""
        return [outcome[key] for key in self.keys_of(item)]

    def variables(self) -> tuple[xcfa.Variable, ...]:
        """The shared variables of the program."""
        return tuple(map(self._variable, self.locations.values()))

    def _variable(self, location: Location) -> xcfa.Variable:
        values = [self.address(v) if isinstance(v, Address) else v for v in location.values]
        type_ = xcfa.INT if location.size is None else xcfa.Type("int", (location.size,))
        return xcfa.Variable(location.name, type_, tuple(map(xcfa.IntLiteral, values)) if any(values) else ())

    def steps(self, access: Access, names: Names) -> list[Step]:  # noqa: ARG002
        """What an access is made of; `names` gives new ones."""
        place = access.statement.place
        if isinstance(place, xcfa.Deref) and access.offset is not None and _is_constant(place.address):
            assert access.location is not None
            location = self.locations[access.location]
            size = element_of(location)
            if location.size and access.offset % size == 0 and 0 <= access.offset // size < location.size:
                index = xcfa.IntLiteral(access.offset // size)
                return [replace(access.statement, place=xcfa.Place(xcfa.Name(location.name), (index,)))]
        if isinstance(place, xcfa.Deref) and _has_offset(place.address):
            message = "an access at an offset is supported in an array only, of which it accesses a whole cell"
            raise UnsupportedError(message, self.source, place.position)
        return [access.statement]

    def expression(self, expression: xcfa.Expression) -> xcfa.Expression:
        """The expression, in which addresses are those of cells."""
        return expression


class Cut(Layout):
    """The cells of locations of which some are cut into parts; `cuts`: where their parts start, and the end."""

    def __init__(
        self, locations: Mapping[str, Location], source: Source, cuts: Mapping[str, Collection[int]], pointed: set[str]
    ) -> None:
        super().__init__(locations, source)
        self.parts: dict[str, tuple[Part, ...]] = {}
        self.pointed = pointed
        self.bases: dict[str, int] = {}
        count, base = 0, xcfa.CELL_SIZE
        for name in locations:
            end = max(cuts[name])
            found = list(edges.cut(0, end, cuts[name]))
            self.parts[name] = tuple(
                Part(name if len(found) == 1 else f"{name}.{start}", count + n, start, size)
                for n, (start, size) in enumerate(found)
            )
            count += len(found)
            self.bases[name] = base
            base += -(-end // xcfa.CELL_SIZE) * xcfa.CELL_SIZE

    def address(self, address: Address) -> int:
        return self.bases[address.name] + address.index * element_of(self.locations[address.name])

    def _parts_in(self, item: Cell) -> list[Part]:
        if item.index is None:
            return list(self.parts[item.name])
        size = element_of(self.locations[item.name])
        return [part for part in self.parts[item.name] if edges.overlap(part.access, (item.index * size, size))]

    def numbers_of(self, item: Cell) -> Iterable[int]:
        return [part.cell for part in self._parts_in(item)]

    def keys_of(self, item: Cell) -> tuple[str, ...]:
        return tuple(part.name for part in self._parts_in(item))

    def values_of(self, item: Cell, outcome: Mapping[str, int | bool]) -> Sequence[int]:
        # Of one element, only its parts are in the outcome; that of others is no part of it.
        whole = sum((outcome[p.name] & (1 << 8 * p.bytes) - 1) << 8 * p.offset for p in self._parts_in(item))
        location = self.locations[item.name]
        if location.size is None:
            return [number(whole).value]
        bits = 8 * element_of(location)
        indices = range(location.size) if item.index is None else (item.index,)
        return [number(whole >> bits * index & (1 << bits) - 1).value for index in indices]

    def variables(self) -> tuple[xcfa.Variable, ...]:
        return tuple(variable for location in self.locations.values() for variable in self._variables(location))

    def _variables(self, location: Location) -> Iterator[xcfa.Variable]:
        values = [self.address(v) if isinstance(v, Address) else v for v in location.values]
        bits = 8 * (element_of(location) if location.size else self.size(location.name))
        whole = sum((value & (1 << bits) - 1) << bits * n for n, value in enumerate(values))
        for part in self.parts[location.name]:
            value = stored(xcfa.IntLiteral(whole >> 8 * part.offset), 8 * part.bytes)
            assert isinstance(value, xcfa.IntLiteral)
            initial = (value,) if value.value else ()
            address = self.bases[location.name] + part.offset
            yield xcfa.Variable(part.name, xcfa.INT, initial, address=address, bytes=part.bytes)

    def size(self, name: str) -> int:
        """How many bytes a location has."""
        last = self.parts[name][-1]
        return last.offset + last.bytes

    def steps(self, access: Access, names: Names) -> list[Step]:
        if not access.bytes:
            message = "accesses of several sizes are not supported beside one that has no size"
            raise UnsupportedError(message, self.source, access.position)
        parts = self._parts_of(access)
        divided = _Split(access, parts, self._places(access, parts), names, self)
        match access.statement:
            case statement if len(parts) == 1:
                return [replace(self.with_values(statement), place=divided.places[0])]
            case xcfa.Load() as load:
                return divided.loads(load)
            case xcfa.Store() as store:
                return divided.stores(store, divided.given(1)[0])
            case xcfa.StoreExclusive() as exclusive:
                return divided.exclusive(exclusive)
            case xcfa.Rmw(_, "cas") as update:
                return divided.cas(update)
            case xcfa.Rmw() as update:
                return divided.update(update)

    def with_values(
        self, statement: xcfa.Load | xcfa.Store | xcfa.StoreExclusive | xcfa.Rmw
    ) -> xcfa.Load | xcfa.Store | xcfa.StoreExclusive | xcfa.Rmw:
        """The statement, of which the values that are addresses are those of cells."""
        if isinstance(statement, xcfa.Load):
            return statement
        if isinstance(statement, xcfa.Rmw):
            return replace(statement, arguments=tuple(map(self.expression, statement.arguments)))
        return replace(statement, value=self.expression(statement.value))

    def _parts_of(self, access: Access) -> list[Part]:
        """The parts that an access has where it is taken to be; their offsets are those in the access."""
        names = [access.location] if access.location is not None else sorted(self.pointed)
        start = access.offset or 0
        for name in names:
            found = {part.access: part for part in self.parts[name]}
            inside = edges.within(list(found), (start, access.bytes))
            if inside:
                return [replace(found[each], offset=each[0] - start) for each in inside]
        message = f"no location has {access.bytes} bytes, which this access needs"
        raise UnsupportedError(message, self.source, access.position)

    def _places(self, access: Access, parts: list[Part]) -> list[xcfa.AnyPlace]:
        place = access.statement.place
        if isinstance(place, xcfa.Place) or _is_constant(place.address):
            return [xcfa.Place(xcfa.Name(part.name, place.position)) for part in parts]
        address = self.expression(place.address)
        if len(parts) > 1:  # an access that is not aligned is none at once
            misaligned = both("bitand", address, number(access.bytes - 1))
            address = modulo("+", address, xcfa.Index(misaligned, 1, place.position))
        return [xcfa.Deref(modulo("+", address, number(part.offset)), place.position, part.bytes) for part in parts]

    def expression(self, expression: xcfa.Expression) -> xcfa.Expression:
        match expression:
            case xcfa.AddressOf(xcfa.Place(name, indices)):
                index = indices[0].value if indices and isinstance(indices[0], xcfa.IntLiteral) else 0
                return number(self.address(Address(name.name, index)))
            case xcfa.Unary(_, operand) | xcfa.Wrap(operand):
                return replace(expression, operand=self.expression(operand))
            case xcfa.Binary(_, left, right):
                return replace(expression, left=self.expression(left), right=self.expression(right))
            case xcfa.Conditional(condition, positive, negative):
                return xcfa.Conditional(
                    self.expression(condition),
                    self.expression(positive),
                    self.expression(negative),
                    expression.position,
                )
            case _:
                return expression


class Names(Protocol):
    """What gives new local variables and labels."""

    def fresh(self) -> xcfa.Name: ...
    def hidden_label(self) -> str: ...


class _Split:
    """What accesses of several parts are made of.

    An update is its loads, right behind which come its stores; all bear the tag `rmw`, by which they are known to be
    one. One that compares is two ways to go on, of which the wrong one is refuted: what its read is depends on what it
    reads. What is read or written is a number for each word of the access, of which there are one or two.
    """

    def __init__(
        self, access: Access, parts: list[Part], places: list[xcfa.AnyPlace], names: Names, layout: Layout
    ) -> None:
        self.access, self.parts, self.places, self.names, self.layout = access, parts, places, names, layout
        self.words = [access.statement] if access.second is None else [access.statement, access.second]
        self.bytes = access.bytes // len(self.words)
        self.position = access.position

    def given(self, count: int) -> list[list[xcfa.Expression]]:
        """The numbers that the instruction has, so many for each word: those of all words together, one by one."""
        found: list[list[xcfa.Expression]] = [[] for _ in range(count)]
        for word in self.words:
            if isinstance(word, xcfa.Load):
                continue
            for own, value in zip(found, word.arguments if isinstance(word, xcfa.Rmw) else (word.value,), strict=True):
                own.append(self.layout.expression(value))
        return found

    def kept(self, values: Sequence[xcfa.Expression]) -> tuple[list[Step], list[xcfa.Expression]]:
        """Values that are computed before, and what they are then."""
        names = [value if isinstance(value, xcfa.IntLiteral) else self.names.fresh() for value in values]
        found: list[Step] = [
            xcfa.Assign(name, value, self.position)
            for name, value in zip(names, values, strict=True)
            if isinstance(name, xcfa.Name)
        ]
        return found, list(names)

    def loads(self, load: xcfa.Load, targets: Sequence[xcfa.Name] | None = None) -> list[Step]:
        """Loads of the parts, and the targets get the words.

        The two words of an exclusive load are read each by itself: only a store exclusive that succeeds tells that no
        other write was between.
        """
        if targets is None:
            targets = [
                word.target or self.names.fresh() for word in self.words if isinstance(word, xcfa.Load | xcfa.Rmw)
            ]
        held = [self.names.fresh() for _ in self.parts]
        found = split.loads(load, held, self.places)
        for n, (name, part) in enumerate(zip(held, self.parts, strict=True)):
            word, offset = divmod(part.offset, self.bytes)
            if load.exclusive and word > 0:
                tags = (*load.tags, "exclusive", *[PART] * (offset > 0))
                found[n] = replace(load, target=name, place=self.places[n], tags=tags, exclusive=False)
        return [*found, *self.words_of(held, targets)]

    def words_of(self, held: Sequence[xcfa.Name], targets: Sequence[xcfa.Name]) -> list[Step]:
        """The targets get the words whose parts are in these locals."""
        found: list[list[tuple[xcfa.Expression, int]]] = [[] for _ in targets]
        for name, part in zip(held, self.parts, strict=True):
            found[part.offset // self.bytes].append((name, 8 * part.bytes))
        wholes = zip(targets, map(numbers.joined, found), strict=True)
        return [xcfa.Assign(t, stored(value, 8 * self.bytes), self.position) for t, value in wholes]

    def stores(self, store: xcfa.Store, values: Sequence[xcfa.Expression]) -> list[Step]:
        """Stores of the parts of values, which are computed before."""
        computed, kept = self.kept(values)
        return [*computed, *split.stores(store, self._values(kept), self.places)]

    def _values(self, values: Sequence[xcfa.Expression]) -> list[xcfa.Expression]:
        found = []
        for part in self.parts:
            word, offset = divmod(part.offset, self.bytes)
            found.append(numbers.share(values[word], 8 * offset, 8 * part.bytes, part.bytes >= 4))  # as `stored`
        return found

    def exclusive(self, statement: xcfa.StoreExclusive) -> list[Step]:
        """A store exclusive of the first part, and, if it succeeds, stores of the others."""
        if any(part == statement.status for place in self.places for part in xcfa.postorder(xcfa.AddressOf(place))):
            message = "a store exclusive of several parts to an address in its status register is not supported"
            raise UnsupportedError(message, self.layout.source, self.position)
        names = [self.names.fresh() for _ in self.words]
        first, *others = self._values(names)
        tags = (*_tags(statement.order), *statement.tags, PART)
        store = xcfa.Store(first, self.places[0], False, "exclusive", self.position, tags)
        return [
            *(xcfa.Assign(n, value, self.position) for n, value in zip(names, self.given(1)[0], strict=True)),
            replace(statement, value=first, place=self.places[0]),
            *(replace(store, value=v, place=p) for v, p in zip(others, self.places[1:], strict=True)),
        ]

    def update(self, update: xcfa.Rmw) -> list[Step]:
        """Loads, and stores of what is computed from what they read."""
        old, held = self.names.fresh(), self.names.fresh()
        value = numbers.updated(update.op, old, held, 8 * self.bytes)
        if value is None:
            message = f"the update `{update.op}` of several parts is not supported"
            raise UnsupportedError(message, self.layout.source, self.position)
        return [
            xcfa.Assign(held, self.given(1)[0][0], self.position),
            *self.loads(replace(split.read_of(update, split.UPDATE), place=self.places[0]), [old]),
            *self.stores(replace(split.write_of(update), place=self.places[0]), [value]),
            *([] if update.target is None else [xcfa.Assign(update.target, old, self.position)]),
        ]

    def cas(self, update: xcfa.Rmw) -> list[Step]:
        """Loads that find what is expected, and stores; or loads that do not. What was there comes to registers last:
        the address may be in one of them."""
        targets = [word.target or self.names.fresh() for word in self.words if isinstance(word, xcfa.Rmw)]
        expected, new = ([self.names.fresh() for _ in targets] for _ in range(2))
        given, written = self.given(2)
        values: list[xcfa.Expression] = list(new)
        picked: list[Step] = []
        if "compared" in update.write_tags and not all(isinstance(value, xcfa.IntLiteral) for value in given):
            pick, nothing = self.names.fresh(), xcfa.Binary("bitxor", expected[0], expected[0])
            for each in expected[1:]:
                nothing = xcfa.Binary("bitor", nothing, xcfa.Binary("bitxor", each, each))
            picked = [xcfa.Predict(pick, nothing, True, 1, self.position)]
            values = [both("bitor", value, pick) for value in new]
        before = zip([*expected, *new], [*given, *written], strict=True)
        parts = self._values(expected), self._values(values)
        ways = split.ways_of_cas(replace(update, place=self.places[0]), self.places, *parts, self.names.fresh)
        steps = [[*(picked if way.writes else ()), *way.statements, *self.words_of(way.old, targets)] for way in ways]
        return [
            *(xcfa.Assign(name, value, self.position) for name, value in before),
            *split.either(steps, self.names.hidden_label, self.position),
        ]


def _tags(order: str | None) -> tuple[str, ...]:
    return () if order is None else (order,)


def element_of(location: Location) -> int:
    """How many bytes an element of an array has, or what its type says of another location."""
    type_ = int_type(location.type)
    return type_.bytes if type_ else WORD


def _is_constant(address: xcfa.Expression) -> bool:
    """Whether an address is that of a location with a constant number of bytes added."""
    match address:
        case xcfa.Binary("+", xcfa.AddressOf(), xcfa.IntLiteral()) | xcfa.AddressOf():
            return True
    return False


def _has_offset(address: xcfa.Expression) -> bool:
    return isinstance(address, xcfa.Binary) and address.op == "+" and isinstance(address.right, xcfa.IntLiteral)


# ---- which one


def lay_out(
    accesses: Iterable[Access], locations: Mapping[str, Location], pointed: set[str], source: Source, cuts: bool
) -> Layout:
    """The cells that a test needs; `cuts`: its architecture may have accesses of several sizes.

    `pointed`: the locations that pointers may lead to which are not known from the text.

    Raises UnsupportedError where it may not, and for accesses that are not aligned or leave their location.
    """
    found = list(accesses)
    odd = _of_another_size(found, locations, pointed, cuts)
    if odd is None or (not cuts and odd.offset != 0):
        return Layout(locations, source)  # which says what is wrong with an offset
    if not cuts:
        name, bits = odd.location, 8 * odd.bytes
        most = 8 * max(_sizes(found, locations)[str(name)], odd.bytes)
        message = f"accesses of different sizes are not supported: {bits} of `{name}`'s {most} bits"
        raise UnsupportedError(message, source, odd.position)
    return _cut(found, locations, pointed, source)


def _sizes(accesses: list[Access], locations: Mapping[str, Location]) -> dict[str, int]:
    """For each location: the bytes that its type, or the widest access, says."""
    widest: dict[str, int] = {}
    for name, location in locations.items():
        declared = int_type(location.type) if location.type is not None else None
        widest[name] = declared.bytes if declared else 0
    for access in accesses:
        if access.location is not None:
            widest[access.location] = max(widest[access.location], access.bytes)
    return widest


def _of_another_size(
    accesses: list[Access], locations: Mapping[str, Location], pointed: set[str], cuts: bool
) -> Access | None:
    """The first access that is not one of a whole cell, nor a read of its low bytes; `cuts`: as far as one can tell."""
    widest = _sizes(accesses, locations)
    for access in accesses:
        if access.second is not None:
            return access
        if access.location is None:
            if cuts and access.writes and any(access.bytes < widest[name] for name in pointed):
                return access
            continue
        computed = isinstance(access.statement.place, xcfa.Deref) and not _is_constant(access.statement.place.address)
        location = locations[access.location]
        step = element_of(location)
        inside = access.offset if access.offset is not None else 0
        if access.writes and access.bytes < widest[access.location]:
            return access
        somewhere = cuts and computed and access.offset != 0
        if location.size is not None and (inside % step or access.bytes > step or somewhere):
            return access
        if location.size is None and inside:
            return access
    return None


def _cut(accesses: list[Access], locations: Mapping[str, Location], pointed: set[str], source: Source) -> Cut:
    """Cuts locations at both ends of every access, and those where the same access may be in the same way."""
    ends = {name: _end(location, accesses) for name, location in locations.items()}
    cuts = {name: {0, end, *range(0, end, WORD)} for name, end in ends.items()}
    open_ = []
    for access in accesses:
        if access.location is None or access.offset is None:
            open_.append(access)
        start, name = access.offset or 0, access.location
        if name is None:
            continue
        _check(access, start, ends[name], source)
        cuts[name] |= {start, start + access.bytes}
    groups = []
    for access in open_:
        size = access.bytes
        names = [access.location] if access.location else [n for n in pointed if ends[n] >= size]
        slots = [(name, at) for name in names for at in range(0, ends[name] if locations[name].size else size, size)]
        groups.append((size, slots))
    edges.cut_alike(cuts, groups)
    return Cut(locations, source, cuts, pointed)


def _end(location: Location, accesses: list[Access]) -> int:
    """How many bytes a location has: as its type says, or as are accessed."""
    if location.type is not None or location.size is not None:
        return element_of(location) * (location.size or 1)
    own = [(access.offset or 0) + access.bytes for access in accesses if access.location == location.name]
    return max(1 << (size - 1).bit_length() for size in (4, *own))


def _check(access: Access, start: int, end: int, source: Source) -> None:
    size = f"{access.bytes} byte{'s' if access.bytes > 1 else ''}"
    where = f"{size} at `{access.location}{f'+{start}' if start else ''}`"
    if start % access.bytes:
        raise UnsupportedError(f"this access is not aligned: {where}", source, access.position)
    if start < 0 or start + access.bytes > end:
        has = f"which has {end} byte{'s' if end > 1 else ''}"
        raise UnsupportedError(f"this access leaves its location: {where}, {has}", source, access.position)
