"""Scalars that are copied as they are: those of a structure, and what `memcpy` copies.

To copy one that has no value is no error, and the copy has none either (C11, 6.2.6.1). Where a program does so,
scalars of its type in memory begin with NOTHING instead of no value; what reads one that may be this, but to copy it,
checks that it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import accumulate
from typing import TypeGuard

from pycparser import c_ast

from xgen.executions.nothing import NOTHING
from xgen.frontends.c.language.flow import UNDEFINED
from xgen.frontends.c.language.kcsan import LARGEST
from xgen.frontends.c.language.lvalues import Lvalues
from xgen.frontends.c.language.mixed_size import MixedSize
from xgen.frontends.c.values import arithmetic, int128
from xgen.frontends.c.values.places import Alias, InMemory, InRegisters, Place, Value, literal
from xgen.frontends.c.values.types import AT_ONCE, CType, Int, Record, atomic, leaves, plain, size_of
from xgen.frontends.conditions import negated
from xgen.frontends.mixed_size import parts
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, IntLiteral, Name
from xgen.records import replace


class Copies:
    """Copies scalars, and accesses structures at once, in a body."""

    def __init__(self, body: Lvalues, parts: MixedSize) -> None:
        self.body, self.parts = body, parts

    def copy(self, place: Place, value: Value, node: c_ast.Node) -> None:
        """Copies a struct or union, scalar by scalar."""
        value = self.as_wide(value, place.type, node)
        if value.place is None or size_of(value.type) != size_of(place.type):
            int128.refuse_long_double(self.body, place.type, node)
            self.body.wrong("these are different types", node)
        sources, kcsan = {leaf.offset: leaf.type for leaf in leaves(value.type)}, self.body.kcsan
        kcsan.wide += (is_wide := size_of(place.type) > LARGEST)
        for leaf in leaves(place.type):
            source = self.body.moved(value.place, leaf.offset, plain(leaf.type))
            target = self.body.moved(place, leaf.offset, plain(leaf.type))
            parts_read, parts_written = self.alike_parts(source, target, node)
            taken = self.taken_all(parts_read, node, self.order_of_copy(sources.get(leaf.offset), node))
            unset = self.body.unset_bits(source)
            self.put_all(parts_written, taken, node, self.order_of_copy(leaf.type, node))
            if taken[0].constant != NOTHING:
                self.body.note_unset(target, unset)
        kcsan.wide -= is_wide

    def alike_parts(self, source: Place, target: Place, node: c_ast.Node) -> tuple[list[Place], list[Place]]:
        """The parts of what is copied from and to, which are cut in the same way; the places themselves where it is
        not known how one of them is cut."""
        if self.may_be_cut(source) or self.may_be_cut(target):
            return [source], [target]
        both = [self.parts.parts_of(place, node, aligned=False) for place in (source, target)]
        ends = [list(accumulate(size_of(part.type) for part in found)) for found in both]
        if ends[0] != ends[1] and not self.body.is_idle:
            if not (_is_known(source) and _is_known(target)):
                return [source], [target]
            for place, own, other in zip((source, target), ends, reversed(ends), strict=True):
                self.parts.cut_place(place, set(other) - set(own))
        return both[0], both[1]

    def taken_all(self, sources: Sequence[Place], node: c_ast.Node, order: str | None = None) -> list[Value]:
        """What the parts hold that one access copies."""
        if len(sources) == 1:
            return [self.taken(sources[0], node, order)]
        found = [self.parts.held(place) for place in sources]
        if None in found:
            places = [place for place in sources if isinstance(place, InMemory)]
            cells = [self.body.cell(place, node) for place in places]
            names = [self.body.fresh() for _ in cells]
            for place, (cell, stored) in zip(places, cells, strict=True):
                self.may_have_none(place, stored)
                self.body.note_read(cell)
            reads = [cell for cell, _ in cells]
            self.body.flow.emit(*parts.loads(self.parts.load_of(cells, node, order), list(map(Name, names)), reads))
            return [Value(Name(name), stored) for name, (_, stored) in zip(names, cells, strict=True)]
        return [value for value in found if value]

    def put_all(
        self, targets: Sequence[Place], values: Sequence[Value], node: c_ast.Node, order: str | None = None
    ) -> None:
        """Copies what was taken to the parts of one access."""
        if len(targets) == 1 or isinstance(targets[0], InRegisters):
            for target, value in zip(targets, values, strict=True):
                self.put(target, value, node, order)
            return
        put = [self.to_put(place, value, node) for place, value in zip(targets, values, strict=True)]
        self.parts.write_parts(targets, put, node, order)

    def order_of_copy(self, type_: CType | None, node: c_ast.Node) -> str | None:
        """The order of an access of one scalar of a structure: that of an atomic one does not count."""
        return None if type_ is None or atomic(type_) else self.body.order_of(type_, node)

    def taken(self, source: Place, node: c_ast.Node, order: str | None = None) -> Value:
        """What a scalar holds; NOTHING where it has no value."""
        if self.may_be_cut(source):
            return self.taken_by_layout(source, node, order)
        found = self.parts.parts_of(source, node, aligned=False)
        return self.whole(source, found, node, order) if len(found) > 1 else self.taken_at_once(source, node, order)

    def taken_at_once(self, source: Place, node: c_ast.Node, order: str | None) -> Value:
        type_ = plain(source.type)
        if isinstance(source, InRegisters):
            name = source.variable.at(source.offset, type_)
            if name is None:
                self.body.escape(source.variable)
            stored = plain(source.variable.leaves[source.offset].type)
            known = (self.body.flow.known or {}).get(name)
            if known is UNDEFINED:
                return literal(NOTHING, stored)
            if isinstance(known, Alias):
                return Value(IntLiteral(0), stored, known)
            if name is not None and self.body.may_be_unset(name, source.variable.key):
                self.body.world.facts.uninitialised.learn(str(stored))
            return literal(known, stored) if isinstance(known, int) else Value(Name(name), stored)
        cell, stored = self.body.cell(source, node)
        number = self.body.known_cell(source)
        if number is not None:
            return literal(number, stored)
        self.may_have_none(source, stored)
        self.body.note_read(cell)
        name = self.body.fresh()
        self.body.flow.emit(xcfa.Load(Name(name), cell, order=order, position=self.body.position(node)))
        return Value(Name(name), stored)

    def put(self, target: Place, value: Value, node: c_ast.Node, order: str | None = None) -> None:
        """Copies what was taken to a scalar."""
        if self.may_be_cut(target):
            self.put_by_layout(target, value, node, order)
        elif len(found := self.parts.parts_of(target, node, aligned=False)) > 1:
            value = self.body.keep(self.body.plain_number(value), node)
            self.put_all(found, self.shares(value, found), node, order)
        else:
            self.put_at_once(target, value, node, order)

    def put_at_once(self, target: Place, value: Value, node: c_ast.Node, order: str | None) -> None:
        type_ = plain(target.type)
        if isinstance(target, InRegisters):
            name = target.variable.at(target.offset, type_)
            if name is None:
                self.body.escape(target.variable)
            self.body.must_be_variable(target, node)
            if value.constant == NOTHING:
                self.body.flow.learn(name, UNDEFINED)
                return
            if not value.alias and value.constant is None and self.is_hollow(value.type):
                self.body.world.facts.uninitialised_objects.learn(target.variable.key)
            self.body.assign(name, self.as_stored(value, plain(target.variable.leaves[target.offset].type)), node)
            return
        self.parts.write_parts([target], [self.to_put(target, value, node)], node, order)

    def to_put(self, target: Place, value: Value, node: c_ast.Node) -> Value:
        """What was taken, as it is written to a scalar in memory."""
        assert isinstance(target, InMemory)
        _, stored = self.body.cell(target, node)
        if value.constant == NOTHING or (value.constant is None and self.is_hollow(value.type)):
            self.holds(target, stored)
        return self.as_stored(self.body.plain_number(value), stored)

    def as_stored(self, value: Value, type_: CType) -> Value:
        """The value in the type of what it is copied to."""
        same = str(value.type) == str(type_) or value.constant == NOTHING
        return value if same else arithmetic.as_stored(value, type_)

    # ---- numbers of which it is not known how they are cut, or how that is to which they are copied

    def may_be_cut(self, place: Place) -> TypeGuard[InMemory]:
        """Whether its address tells at run time how a number is cut."""
        if not isinstance(place, InMemory) or isinstance(place.address, IntLiteral):
            return False
        self.parts.note_sign(place)
        return bool(self.parts.layouts_of(place))

    def taken_by_layout(self, source: InMemory, node: c_ast.Node, order: str | None) -> Value:
        """The number that is there, however it is cut."""
        result, position = self.body.fresh(), self.body.position(node)
        for found in self.parts.by_layout(source, node):
            value = self.whole(source, found, node, order)
            self.body.flow.assign(result, value.expression, position)
        return Value(Name(result), plain(source.type))

    def whole(self, source: Place, places: Sequence[Place], node: c_ast.Node, order: str | None) -> Value:
        """The number that some parts are, NOTHING where none has a value. Where one has one and another one has none,
        that cannot be said."""
        several = len(places) > 1
        taken = self.taken_all(places, node, order) if several else [self.taken_at_once(places[0], node, order)]
        values = [self.body.keep(self.body.plain_number(value), node) for value in taken]
        type_ = plain(source.type)
        tests = [self.is_nothing(place, value) for place, value in zip(places, values, strict=True)]
        known = [test for test in tests if test != BoolLiteral(False)]
        result = self.parts.joined(values, type_)
        if not known:
            return result
        none = reduce(_both, tests) if len(known) == len(tests) else BoolLiteral(False)
        if several and not all(test == BoolLiteral(True) for test in tests):
            self.refuse_some(source, reduce(_either, known), none, node)
        return Value(xcfa.Conditional(none, IntLiteral(NOTHING), result.expression), type_)

    def is_nothing(self, place: Place, value: Value) -> xcfa.Expression:
        """Whether a part had no value when it was read."""
        if value.constant is not None:
            return BoolLiteral(value.constant == NOTHING)
        if isinstance(place, InRegisters):
            may = self.body.may_hold(place, place.variable.at(place.offset, value.type))
        else:
            self.may_have_none(place, value.type)
            may = self.body.may_hold_nothing(place, value.type)
        return Binary("=", value.expression, IntLiteral(NOTHING)) if may else BoolLiteral(False)

    def refuse_some(self, source: Place, any_: xcfa.Expression, none: xcfa.Expression, node: c_ast.Node) -> None:
        """Where only some parts have a value, an access of another size, which is refused when a thread comes there."""
        if not isinstance(source, InMemory) or isinstance(source.address, IntLiteral):
            self.body.refuse(
                "copying a number, of which a part has no value, by a pointer that is not known here is", node
            )
        end, position = self.body.flow.label(), self.body.position(node)
        self.body.flow.branch(negated(_both(any_, negated(none))), end, position)
        cell, _ = self.body.cell(source, node)
        self.body.flow.emit(xcfa.Load(Name(self.body.fresh()), cell, order=None, position=position))
        self.body.flow.bind(end)

    def put_by_layout(self, target: InMemory, value: Value, node: c_ast.Node, order: str | None) -> None:
        """Writes a number that was taken, however what is there is cut."""
        value = self.body.keep(self.body.plain_number(value), node)
        for found in self.parts.by_layout(target, node):
            shares = self.shares(value, found)
            if len(found) > 1:
                self.put_all(found, shares, node, order)
            else:
                self.put_at_once(found[0], shares[0], node, order)

    def shares(self, value: Value, places: Sequence[Place]) -> list[Value]:
        """What each part gets of a number, which may be NOTHING."""
        if value.constant == NOTHING:
            return [literal(NOTHING, plain(place.type)) for place in places]
        shares = self.parts.shares(value, places)
        if value.constant is not None or not self.is_hollow(value.type):
            return shares
        self.body.world.facts.uninitialised.learn(*(str(plain(place.type)) for place in places))
        nothing = Binary("=", value.expression, IntLiteral(NOTHING))
        return [
            replace(share, expression=xcfa.Conditional(nothing, IntLiteral(NOTHING), share.expression))
            for share in shares
        ]

    # ---- what may have no value

    def is_hollow(self, type_: CType) -> bool:
        return str(plain(type_)) in self.body.world.facts.uninitialised

    def holds(self, target: InMemory, type_: CType) -> None:
        """A scalar in memory may get NOTHING."""
        self.body.world.facts.uninitialised.learn(str(plain(type_)))
        found = self.body.object_at(target)
        if found is None:
            self.body.world.facts.uninitialised_anywhere.learn(str(plain(type_)))
        else:
            self.body.world.facts.uninitialised_objects.learn((found[0].key, found[1]))

    def may_have_none(self, source: InMemory, type_: CType) -> None:
        """Finds out whether a scalar in memory may have no value."""
        found = self.body.object_at(source)
        if found is None:
            self.body.world.copied_types.add(str(plain(type_)))
        elif found[0].first(found[1]) is None:
            self.body.world.facts.uninitialised.learn(str(plain(type_)))

    # ---- structures that are accessed atomically, such as a pointer and a tag: one access of all their numbers

    def load_whole(self, place: Place, node: c_ast.Node, order: str) -> Value:
        """What is in a structure, in a variable of its own; nobody else sees what is in registers."""
        if isinstance(place, InRegisters):
            return Value(IntLiteral(0), plain(place.type), place=replace(place, type=plain(place.type)))
        found = self.taken_all(self.whole_parts(place, node), node, order)
        return self.in_variable(place.type, found, node)

    def store_whole(self, place: Place, value: Value, node: c_ast.Node, order: str) -> None:
        if isinstance(place, InRegisters):
            self.copy(place, value, node)
            return
        parts = self.whole_parts(place, node)
        self.put_all(parts, self.for_parts(parts, self.numbers_of(value, place.type, node)), node, order)

    def in_variable(self, type_: CType, numbers: Sequence[Value], node: c_ast.Node) -> Value:
        """The structure that numbers make, in a variable of its own."""
        made = self.body.local_place("whole", plain(type_), (id(node), "whole"))
        self.put_numbers(made, type_, numbers, node)
        return Value(IntLiteral(0), plain(type_), place=made)

    def as_wide(self, value: Value, type_: CType, node: c_ast.Node) -> Value:
        """A number that becomes one of 128 bits; all else as it is."""
        if not int128.is_wide(type_) or value.place is not None or not isinstance(value.type, Int):
            return value
        return self.in_variable(type_, int128.of_number(self.body.plain_number(value)), node)

    def put_numbers(self, place: Place, like: CType, numbers: Sequence[Value], node: c_ast.Node) -> None:
        """Writes the numbers of one structure to another, which is no atomic access."""
        for part, value in zip(self.alike_numbers(place, like, node), numbers, strict=True):
            self.put(part, value, node)

    def numbers_of(self, value: Value, like: CType, node: c_ast.Node) -> list[Value]:
        """What a structure holds that is to be written to another one, each number in a local of its own."""
        value = self.as_wide(value, like, node)
        if value.place is None:
            self.body.wrong(f"{value.type} is not {plain(like)}", node)
        found = [self.body.load(part, node) for part in self.alike_numbers(value.place, like, node)]
        return [self.body.keep(self.body.plain_number(number), node) for number in found]

    def for_parts(self, parts: Sequence[Place], numbers: Sequence[Value]) -> list[Value]:
        return [arithmetic.as_stored(number, plain(part.type)) for number, part in zip(numbers, parts, strict=True)]

    def alike_numbers(self, place: Place, like: CType, node: c_ast.Node) -> list[Place]:
        """The numbers of a structure that has to be made as another one."""
        own = list(leaves(place.type))
        sizes = [[(leaf.offset, size_of(leaf.type)) for leaf in found] for found in (own, leaves(like))]
        if not isinstance(place.type, Record) or sizes[0] != sizes[1]:
            self.body.wrong(f"{plain(place.type)} is not {plain(like)}", node)
        return [self.body.moved(place, leaf.offset, plain(leaf.type)) for leaf in own]

    def whole_parts(self, place: InMemory, node: c_ast.Node) -> list[Place]:
        """The numbers that are accessed at once. All bytes have to be some number's: what is between them would be
        compared as well."""
        type_, size, found = place.type, size_of(place.type), list(leaves(place.type))
        if not 0 < size <= max(AT_ONCE) or sum(size_of(leaf.type) for leaf in found) != size:
            what = f"an atomic access of {plain(type_)} ({size} bytes, or some that are no number's) is"
            self.body.refuse(what, node)
        object_ = self.body.world.memory.at(place.address.value) if isinstance(place.address, IntLiteral) else None
        offset = place.address.value - object_.address if object_ and isinstance(place.address, IntLiteral) else 0
        if object_ and int128.is_wide(type_) and offset % size:  # other structures may be locked for it
            self.body.refuse(f"an access that is not aligned ({size} bytes at `{object_.name}+{offset}`) is", node)
        parts = [self.body.moved(place, leaf.offset, plain(leaf.type)) for leaf in found]
        for part in parts:
            assert isinstance(part, InMemory)
            if len(self.parts.parts_of(part, node)) > 1:
                what = f"an atomic access of {plain(type_)}, of which numbers are accessed in parts, is"
                self.body.refuse(what, node)
        self.parts.note_atomic(place, node, "seq_cst")
        return parts


def _is_known(place: Place) -> bool:
    """Whether the text tells which number it is."""
    return isinstance(place, InRegisters) or isinstance(place.address, IntLiteral)


def _both(left: xcfa.Expression, right: xcfa.Expression) -> xcfa.Expression:
    return Binary("and", left, right)


def _either(left: xcfa.Expression, right: xcfa.Expression) -> xcfa.Expression:
    return Binary("or", left, right)
