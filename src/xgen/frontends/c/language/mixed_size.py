"""Accesses of several sizes to the same bytes: by unions, by pointers of other types, by what copies bytes.

The scalars of an object are cut in parts where accesses need it: as few as there can be so that each access is of whole
parts. What cuts is a fact of what declares the object, or of the union by whose members it is accessed. Where the text
does not tell which object is accessed, its address tells at run time how that is cut.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NoReturn, TypeAlias

from pycparser import c_ast

from xgen.executions.nothing import NOTHING
from xgen.frontends.c.language.accesses import Accesses, World
from xgen.frontends.c.language.facts import Layouts, TranslateAgain
from xgen.frontends.c.language.flow import UNDEFINED
from xgen.frontends.c.language.memory import Object
from xgen.frontends.c.values.arithmetic import as_stored, convert, wrapped
from xgen.frontends.c.values.places import InMemory, InRegisters, Place, Value, literal
from xgen.frontends.c.values.types import (
    BOOL,
    Array,
    CType,
    Int,
    Leaf,
    Pointer,
    is_scalar,
    is_signed,
    leaves,
    plain,
    size_of,
    width_of,
)
from xgen.frontends.mixed_size import numbers, parts
from xgen.frontends.mixed_size.addresses import none_of
from xgen.program import automaton as xcfa
from xgen.program.automaton import BoolLiteral, Expression, IntLiteral, Name
from xgen.records import replace

_SIZES = (1, 2, 4, 8)
_SIGNED = (1, 2, 4)
"""Of numbers of these sizes the sign is told by what accesses them."""


Updates: TypeAlias = "Callable[[xcfa.Rmw, InMemory, Sequence[Value], c_ast.Node], Value]"
"""How one scalar is updated: the operation and its orders, where, with what; its old value."""


class MixedSize:
    """Emits accesses of parts, in a body."""

    def __init__(self, body: Accesses, update_cell: Updates) -> None:
        self.body, self.update_cell = body, update_cell

    # ---- where the parts are

    def parts_of(self, place: Place, node: c_ast.Node, aligned: bool = True) -> list[Place]:
        """The scalars that an access is to, which are cut if need be; the place itself where there is one of its size,
        or where it is not known. `aligned`: it is one access, which has to be aligned."""
        if isinstance(place, InRegisters):
            variable, offset = place.variable, place.offset
            key, found, whole, object_ = variable.key, variable.leaves, variable.type, None
        else:
            object_ = self.body.world.memory.at(place.address.value) if isinstance(place.address, IntLiteral) else None
            if object_ is None or not isinstance(place.address, IntLiteral):
                return [place]
            offset = place.address.value - object_.address
            key, found, whole = object_.key, object_.by_offset, object_.type
        size = size_of(place.type)
        end = offset + size
        leaf = found.get(offset)
        if (leaf and size_of(leaf.type) == size) or self.body.is_idle or offset < 0 or end > size_of(whole):
            return [place]
        if object_ and offset % size == 0:
            self.take(object_, [Leaf(object_.bytes.get(offset, ""), offset, scalar_of(place.type), True)])
        inside = [each for each in found.values() if each.offset < end and each.offset + size_of(each.type) > offset]
        if sum(map(_size, inside)) < size:  # there are bytes that no scalar has
            return [place]
        if aligned and offset % size:
            name = object_.name if object_ else place.variable.name if isinstance(place, InRegisters) else ""
            self.body.refuse(f"an access that is not aligned ({size} bytes at `{name}+{offset}`) is", node)
        if sum(map(_size, inside)) > size:
            self.cut(key, offset, end)
        return [self.body.moved(place, each.offset - offset, each.type) for each in inside]

    def is_between(self, place: Place) -> bool:
        """Whether a place is a byte between the scalars of an object, which has no value of its own."""
        address = place.address.value if isinstance(place, InMemory) and isinstance(place.address, IntLiteral) else None
        object_ = None if address is None else self.body.world.memory.at(address)
        if object_ is None or address is None or self.body.is_idle:
            return False
        offset = address - object_.address
        leaves_of = object_.by_offset.values()
        return 0 <= offset < size_of(object_.type) and not any(each.offset <= offset < each.end for each in leaves_of)

    def bytes_at(self, address: int) -> Object | None:
        """The object at an address, if there may be bytes there that are taken as anything."""
        found = self.body.world.memory.at(address)
        anything = found and (found.untyped or not (self.body.world.facts.bytewise or isinstance(found.key, str)))
        return found if found and anything and found.bytes else None

    def take(self, object_: Object, scalars: Iterable[Leaf]) -> None:
        """An object's bytes are taken as some scalars, from the start on."""
        if self.bytes_at(object_.address) is None:
            return
        known = self.body.world.facts.viewed_as.get(object_.key, {})
        new = {}
        for leaf in scalars:
            size = size_of(leaf.type)
            aligned, all_ = leaf.offset % size == 0, range(leaf.offset, leaf.end)
            trivial = size == 1 and not object_.untyped and not known
            if aligned and not trivial and (leaf.offset, size) not in known and all(at in object_.bytes for at in all_):
                new[leaf.offset, size] = leaf
        if new:
            self.body.world.facts.viewed_as[object_.key] = {**known, **new}
            raise TranslateAgain

    def cut(self, key: object, *offsets: int) -> NoReturn:
        """Scalars have to be cut there, from the start on."""
        self.body.world.facts.cuts.setdefault(key, set()).update(offsets)
        raise TranslateAgain

    def cut_place(self, place: Place, ends: Collection[int]) -> None:
        """A place that is known has to be cut so many bytes behind its start."""
        if not ends:
            return
        if isinstance(place, InRegisters):
            self.cut(place.variable.key, *[place.offset + end for end in ends])
        object_ = self.body.world.memory.at(place.address.value) if isinstance(place.address, IntLiteral) else None
        if object_ and isinstance(place.address, IntLiteral):
            self.cut(object_.key, *[place.address.value - object_.address + end for end in ends])

    def cut_union(self, place: InMemory) -> None:
        """A member of a union in which others lie is accessed somewhere: it has to be made of whole parts."""
        if self.body.is_idle or place.within is None or not is_scalar(place.type):
            return
        if isinstance(place.address, IntLiteral):
            return
        union, offset = place.within
        end = offset + size_of(place.type)
        across = any(
            leaf.offset < edge < leaf.offset + size_of(leaf.type) for leaf in leaves(union) for edge in (offset, end)
        )
        if across:
            self.cut(union.key, offset, end)

    def cut_elements(self, array: InMemory, type_: Array) -> None:
        """Some element of an array is accessed: each has to be made of whole parts."""
        if self.body.is_idle or not is_scalar(type_.element):
            return
        key: object = None
        if isinstance(array.address, IntLiteral) and (object_ := self.body.world.memory.at(array.address.value)):
            key, start, found = object_.key, array.address.value - object_.address, object_.leaves
        elif array.within:
            union, start = array.within
            key, found = union.key, list(leaves(union))
        if key is None:
            return
        size, count = size_of(type_.element), type_.size or 0
        for leaf in found:
            edge = max(0, (leaf.offset - start) // size + 1)  # the first one behind the leaf's start
            if edge <= count and start + edge * size < leaf.offset + _size(leaf):
                self.cut(key, *[start + k * size for k in range(count + 1)])

    def by_layout(self, place: InMemory, node: c_ast.Node) -> Iterator[list[Place]]:
        """The ways in which what is at an address that is not known may be cut, in code that is reached where it is.

        What is last is the place itself.
        """
        position, size = self.body.position(node), size_of(place.type)
        end = self.body.flow.label()
        address = self.body.keep(Value(place.address, place.type), node).expression
        for layout, addresses in self.layouts_of(place):
            other = self.body.flow.label()
            self.body.flow.branch(none_of(address, addresses), other, position)
            yield [InMemory(self.body.add(address, leaf.offset), leaf.type) for leaf in layout]
            self.body.flow.jump(end, position)
            self.body.flow.bind(other)
        assert size
        yield [InMemory(address, place.type)]
        self.body.flow.bind(end)

    def layouts_of(self, place: InMemory) -> list[tuple[tuple[Leaf, ...], list[int]]]:
        if isinstance(place.address, IntLiteral):
            return []
        width = width_of(plain(place.type))
        found = self.body.world.facts.layouts.get(size_of(place.type), {})
        return [
            (layout, addresses)
            for layout, addresses in found.items()
            if len(layout) > 1 or width_of(layout[0].type) != width
        ]

    # ---- loads and stores

    def is_parted(self, place: Place, node: c_ast.Node, order: str | None) -> bool:
        """Whether an access is to several parts, or may be."""
        self.note_atomic(place, node, order)
        if isinstance(place, InMemory) and not isinstance(place.address, IntLiteral):
            self.cut_union(place)
            self.note_sign(place)
            return bool(self.layouts_of(place))
        return len(self.parts_of(place, node)) > 1

    def note_sign(self, place: InMemory) -> None:
        """Numbers of an object may be accessed as those of the other sign (C11, 6.5p7), whichever of them it is: the
        address is computed from the object's, which has numbers of that size, and none of that sign."""
        size, width = size_of(place.type), width_of(plain(place.type))
        if size not in _SIGNED or not is_scalar(place.type) or self.body.is_idle:
            return
        for base in self.bases(place.address):
            found = self.body.world.memory.at(base)
            if found and -width in found.widths and width not in found.widths:
                self.body.world.facts.signs.learn(found.key)

    def bases(self, address: Expression) -> set[int]:
        """The numbers that an address is computed from, as far as locals tell."""
        found, seen, todo = set[int](), set[str](), [address]
        while todo:
            for part in xcfa.postorder(todo.pop()):
                if isinstance(part, IntLiteral):
                    found.add(part.value)
                elif isinstance(part, Name) and part.name not in seen:
                    seen.add(part.name)
                    todo += self.body.flow.assigned.get(part.name, ())
        return found

    def access_bytes(self) -> None:
        """A byte is accessed, and it is not known where: what is declared as bytes is taken as nothing else."""
        facts = self.body.world.facts
        if not facts.bytewise and any(isinstance(key, int) for key in facts.viewed_as):
            facts.bytewise = True
            facts.viewed_as = {key: found for key, found in facts.viewed_as.items() if not isinstance(key, int)}
            raise TranslateAgain

    def note_atomic(self, place: Place, node: c_ast.Node, order: str | None) -> None:
        """Remembers atomic accesses: C says nothing of those of several sizes."""
        if order is None or isinstance(place, InRegisters) or self.body.is_idle:
            return
        size = size_of(place.type)
        addresses = [place.address.value] if isinstance(place.address, IntLiteral) else []
        if not addresses:
            addresses = [address for _, found in self.layouts_of(place) for address in found]
        for address in addresses:
            found = self.body.world.memory.at(address)
            if found:
                key = found.name, address - found.address, size
                self.body.world.atomics.setdefault(key, self.body.position(node))

    def load(self, place: Place, type_: CType, node: c_ast.Node, order: str | None) -> Value:
        if isinstance(place, InRegisters) or isinstance(place.address, IntLiteral):
            return self.load_parts(self.parts_of(place, node), type_, node, order)
        result = self.body.fresh()
        for found in self.by_layout(place, node):
            value = self.load_parts(found, type_, node, order)
            self.body.flow.assign(result, value.expression, self.body.position(node))
        return Value(Name(result), type_)

    def load_hollow(self, place: Place, type_: CType, node: c_ast.Node) -> Value:
        """The value of a place of which some parts may have none yet, which are 0: each is read for itself."""
        if isinstance(place, InMemory) and not isinstance(place.address, IntLiteral):
            return self.load(place, type_, node, None)
        return self.joined(
            [self.body.load(part, node, uninitialised=True) for part in self.parts_of(place, node)], type_
        )

    def load_parts(self, places: Sequence[Place], type_: CType, node: c_ast.Node, order: str | None) -> Value:
        values = [self.held(place) for place in places]
        if NOTHING in [value.constant for value in values if value]:
            self.body.check(BoolLiteral(False), "uninitialised", node)
            return literal(0, type_)
        if None in values:
            cells = [self.body.cell(place, node) for place in places if isinstance(place, InMemory)]
            for cell, _ in cells:
                self.body.note_read(cell)
            return self.read_parts(cells, self.load_of(cells, node, order), type_, node)
        for place, value in zip(places, values, strict=True):
            if not isinstance(place, InRegisters):
                continue
            name = place.variable.at(place.offset, place.type)
            if self.body.may_hold(place, name):
                assert value is not None
                self.body.filled(str(name), node)
        return self.joined([value for value in values if value], type_)

    def load_of(
        self, cells: Sequence[tuple[xcfa.AnyPlace, CType]], node: c_ast.Node, order: str | None = None
    ) -> xcfa.Load:
        return xcfa.Load(Name(""), cells[0][0], order=order, position=self.body.position(node))

    def held(self, place: Place) -> Value | None:
        """What a scalar holds that is read without an event, NOTHING where it has no value; None where it is read by
        one."""
        if isinstance(place, InRegisters):
            name = place.variable.at(place.offset, place.type)
            if name is None:
                self.body.escape(place.variable)
            known = (self.body.flow.known or {}).get(name)
            stored = plain(place.variable.leaves[place.offset].type)
            if known is UNDEFINED:
                return literal(NOTHING, stored)
            value = Value(Name(name), stored)
            return literal(known, stored) if isinstance(known, int) else value
        number = self.body.known_cell(place)
        return None if number is None else literal(number, plain(place.type))

    def joined(self, values: Sequence[Value], type_: CType) -> Value:
        """The number that parts are, the lowest first."""
        if len(values) == 1:
            return as_stored(values[0], type_)
        pieces = [(value.expression, 8 * size_of(value.type)) for value in map(self.body.plain_number, values)]
        return Value(wrapped(numbers.joined(pieces), plain(type_)), plain(type_))

    def shares(self, value: Value, places: Sequence[Place]) -> list[Value]:
        """What the parts of a place get of a number that is written there."""
        if len(places) == 1:
            return [as_stored(value, plain(places[0].type))]
        found, offset = [], 0
        for place in places:
            type_ = plain(place.type)
            size, sign = size_of(type_), type_ != BOOL and is_signed(type_)
            found.append(Value(numbers.share(value.expression, 8 * offset, 8 * size, sign), type_))
            offset += size
        return found

    def store(self, place: Place, value: Value, node: c_ast.Node, order: str | None) -> None:
        value = self.body.keep(self.body.plain_number(value), node)
        if isinstance(place, InRegisters) or isinstance(place.address, IntLiteral):
            self.store_parts(self.parts_of(place, node), value, node, order)
            return
        for found in self.by_layout(place, node):
            self.store_parts(found, value, node, order)

    def store_parts(self, places: Sequence[Place], value: Value, node: c_ast.Node, order: str | None) -> None:
        self.write_parts(places, self.shares(value, places), node, order)

    def write_parts(
        self, places: Sequence[Place], values: Sequence[Value], node: c_ast.Node, order: str | None
    ) -> None:
        """One access that writes the parts, but for those whose initial values it makes."""
        written: list[tuple[Expression, xcfa.AnyPlace]] = []
        for place, value in zip(places, values, strict=True):
            if isinstance(place, InRegisters):
                name = place.variable.at(place.offset, place.type)
                if name is None:
                    self.body.escape(place.variable)
                self.body.must_be_variable(place, node)
                self.body.assign(name, value, node)
            elif not self.body.note_write(place, value, node):
                written.append((value.expression, self.body.cell(place, node)[0]))
        if written:
            cells, steps = [cell for _, cell in written], self.body.flow.steps
            tags = self.body.kcsan.of_store(steps, places, cells, order)
            store = xcfa.Store(IntLiteral(0), cells[0], order=order, position=self.body.position(node), tags=tags)
            self.body.flow.emit(*parts.stores(store, [e for e, _ in written], cells))

    # ---- updates

    def update(self, how: xcfa.Rmw, place: InMemory, values: Sequence[Value], node: c_ast.Node) -> Value:
        """An update of what has parts, or may have; its old value. What it expects comes before what it writes."""
        type_ = plain(place.type)
        values = [self.body.keep(self.body.plain_number(convert(value, type_)), node) for value in values]
        if isinstance(place.address, IntLiteral):
            return self.update_parts(how, self.parts_of(place, node), type_, values, node)
        result = self.body.fresh()
        for found in self.by_layout(place, node):
            if len(found) > 1:
                value = self.update_parts(how, found, type_, values, node)
            else:
                assert isinstance(found[0], InMemory)
                value = as_stored(self.update_cell(how, found[0], values, node), type_)
            self.body.flow.assign(result, value.expression, self.body.position(node))
        return Value(Name(result), type_)

    def update_parts(
        self,
        how: xcfa.Rmw,
        places: Sequence[Place],
        type_: CType,
        values: Sequence[Value],
        node: c_ast.Node,
    ) -> Value:
        """An update of several parts. One that compares is two ways to go on, of which the wrong one is refuted: what
        its read is depends on what it reads."""
        op = how.op
        cells = [self.body.cell(place, node) for place in places if isinstance(place, InMemory)]
        for place in places:
            if isinstance(place, InMemory):
                self.body.note_write(place, None, node)
        position, update = how.position, replace(how, place=cells[0][0])
        if op != "cas":
            old = self.read_parts(cells, parts.read_of(update, "rmw"), type_, node)
            result = numbers.updated(op, old.expression, values[0].expression, 8 * size_of(type_))
            if result is None:
                self.body.refuse(f"`{op}` of a number that is accessed in parts is", node)
            new = self.body.keep(Value(wrapped(result, type_), type_), node)
            self.rewrite_parts(cells, update, self.shares(new, places))
            return old
        local = self.body.fresh()
        before, after = (self.shares(value, places) for value in values)
        for _, was in self.ways_of_cas(update, cells, before, after, node):
            self.body.flow.assign(local, self.joined(was, type_).expression, position)
        return Value(Name(local), type_)

    def ways_of_cas(
        self,
        update: xcfa.Rmw,
        cells: Sequence[tuple[xcfa.AnyPlace, CType]],
        expected: Sequence[Value],
        new: Sequence[Value],
        node: c_ast.Node,
        spurious: bool = False,
    ) -> Iterator[tuple[parts.Way, list[Value]]]:
        """The ways in which a compare-exchange may go, and what the parts were, in code that is reached then."""
        flow, position = self.body.flow, update.position
        end, places = flow.label(), [cell for cell, _ in cells]
        before, after = ([value.expression for value in each] for each in (expected, new))
        ways = parts.ways_of_cas(update, places, before, after, lambda: Name(self.body.fresh()), spurious)
        for n, way in enumerate(ways, 1):
            other = flow.label()
            if n < len(ways):
                flow.fork(other, position)
            flow.emit(*way.statements)
            yield way, self.filled(way.old, cells, node)
            if n < len(ways):
                flow.jump(end, position)
                flow.bind(other)
        flow.bind(end)

    def read_parts(
        self, cells: Sequence[tuple[xcfa.AnyPlace, CType]], load: xcfa.Load, type_: CType, node: c_ast.Node
    ) -> Value:
        """What an event reads, and the whole of it; each part has to have a value."""
        return self.body.keep(self.joined(self.read_each(cells, load, node), type_), node)

    def read_each(self, cells: Sequence[tuple[xcfa.AnyPlace, CType]], load: xcfa.Load, node: c_ast.Node) -> list[Value]:
        """What an event reads of each part, which has to have a value."""
        names = [Name(self.body.fresh()) for _ in cells]
        self.body.flow.emit(*parts.loads(load, names, [cell for cell, _ in cells]))
        return self.filled(names, cells, node)

    def filled(
        self, names: Sequence[Name], cells: Sequence[tuple[xcfa.AnyPlace, CType]], node: c_ast.Node
    ) -> list[Value]:
        """What was read of parts into locals, which has to have a value."""
        for name, (_, stored) in zip(names, cells, strict=True):
            if str(plain(stored)) in self.body.world.facts.uninitialised:
                self.body.filled(name.name, node)
        return [Value(name, stored) for name, (_, stored) in zip(names, cells, strict=True)]

    def rewrite_parts(
        self, cells: Sequence[tuple[xcfa.AnyPlace, CType]], update: xcfa.Rmw, values: Sequence[Value]
    ) -> None:
        places = [cell for cell, _ in cells]
        self.body.flow.emit(*parts.stores(parts.write_of(update), [value.expression for value in values], places))


def layouts(world: World) -> Layouts:
    """How objects are cut to which pointers may lead, for accesses of each size."""
    found: Layouts = {}
    for object_ in world.memory.objects:
        other_sign = object_.key in world.facts.signs
        if object_.key not in world.exposed or not (other_sign or any(leaf.part for leaf in object_.leaves)):
            continue
        for size in _SIZES:
            for start in range(0, size_of(object_.type) - size + 1, size):
                layout = _layout(object_, start, size) or (_number(object_, start, size) if other_sign else ())
                if layout:
                    found.setdefault(size, {}).setdefault(layout, []).append(object_.address + start)
    return found


def _layout(object_: Object, start: int, size: int) -> tuple[Leaf, ...]:
    """The parts of an object's bytes, from 0 on, if these are whole ones, and one at least is a part."""
    found, at = [], start
    while at < start + size:
        leaf = object_.by_offset.get(at)
        if leaf is None:
            return ()
        found.append(replace(leaf, name="", offset=at - start, type=scalar_of(leaf.type)))
        at += _size(leaf)
    taken = all if object_.taken else any  # else there are bytes of which nothing is known
    return tuple(found) if at == start + size and taken(leaf.part for leaf in found) else ()


def _number(object_: Object, start: int, size: int) -> tuple[Leaf, ...]:
    """The number that is there, if one of that size is."""
    leaf = object_.by_offset.get(start)
    return (replace(leaf, name="", offset=0, type=scalar_of(leaf.type)),) if leaf and _size(leaf) == size else ()


def scalar_of(type_: CType) -> Int | Pointer:
    """A scalar's type, without what says how it is accessed."""
    found = plain(type_)
    assert isinstance(found, Int | Pointer)
    return found


def _size(leaf: Leaf) -> int:
    return size_of(leaf.type)
