"""Scalars that are copied as they are: those of a structure, and what `memcpy` copies.

To copy one that has no value is no error, and the copy has none either (C11, 6.2.6.1). Where a program does so,
scalars of its type in memory begin with NOTHING instead of no value; what reads one that may be this, but to copy it,
checks that it is not.
"""

from __future__ import annotations

from pycparser import c_ast

from xgen.frontends.c.language.accesses import Accesses
from xgen.frontends.c.language.arithmetic import convert
from xgen.frontends.c.language.flow import UNDEFINED
from xgen.frontends.c.language.memory import NOTHING
from xgen.frontends.c.language.places import Alias, InMemory, InRegisters, Place, Value, literal
from xgen.frontends.c.language.types import CType, atomic, leaves, plain, size_of
from xgen.program import automaton as xcfa
from xgen.program.automaton import IntLiteral, Name


class Copies(Accesses):
    """Copies scalars."""

    def copy(self, place: Place, value: Value, node: c_ast.Node) -> None:
        """Copies a struct or union, scalar by scalar."""
        if value.place is None or size_of(value.type) != size_of(place.type):
            self.wrong("these are different types", node)
        sources = {leaf.offset: leaf.type for leaf in leaves(value.type)}
        for leaf in leaves(place.type):
            source = self.moved(value.place, leaf.offset, plain(leaf.type))
            target = self.moved(place, leaf.offset, plain(leaf.type))
            taken = self.taken(source, node, self.order_of_copy(sources.get(leaf.offset), node))
            self.put(target, taken, node, self.order_of_copy(leaf.type, node))

    def order_of_copy(self, type_: CType | None, node: c_ast.Node) -> str | None:
        """The order of an access of one scalar of a structure: that of an atomic one does not count."""
        return None if type_ is None or atomic(type_) else self.order_of(type_, node)

    def taken(self, source: Place, node: c_ast.Node, order: str | None = None) -> Value:
        """What a scalar holds; NOTHING where it has no value."""
        type_ = plain(source.type)
        if isinstance(source, InRegisters):
            name = source.variable.at(source.offset, type_)
            if name is None:
                self.escape(source.variable)
            stored = plain(source.variable.leaves[source.offset].type)
            known = (self.flow.known or {}).get(name)
            if known is UNDEFINED:
                return literal(NOTHING, stored)
            if isinstance(known, Alias):
                return Value(IntLiteral(0), stored, known)
            return literal(known, stored) if isinstance(known, int) else Value(Name(name), stored)
        cell, stored = self.cell(source, node)
        number = self.known_cell(source)
        if number is not None:
            return literal(number, stored)
        self.may_have_none(source, stored)
        self.note_read(cell)
        name = self.fresh()
        self.flow.emit(xcfa.Load(Name(name), cell, order=order, position=self.position(node)))
        return Value(Name(name), stored)

    def put(self, target: Place, value: Value, node: c_ast.Node, order: str | None = None) -> None:
        """Copies what was taken to a scalar."""
        type_ = plain(target.type)
        if isinstance(target, InRegisters):
            name = target.variable.at(target.offset, type_)
            if name is None:
                self.escape(target.variable)
            if value.constant == NOTHING:
                self.flow.learn(name, UNDEFINED)
                return
            if not value.alias and value.constant is None and self.is_hollow(value.type):
                self.world.facts.holding.learn(target.variable.key)
            self.assign(name, self.as_stored(value, plain(target.variable.leaves[target.offset].type)), node)
            return
        cell, stored = self.cell(target, node)
        if value.constant == NOTHING or (value.constant is None and self.is_hollow(value.type)):
            self.holds(target, stored)
        value = self.as_stored(self.plain_number(value), stored)
        if not self.note_write(target, value):
            self.flow.emit(xcfa.Store(value.expression, cell, order=order, position=self.position(node)))

    def as_stored(self, value: Value, type_: CType) -> Value:
        """The value in the type of what it is copied to."""
        same = str(value.type) == str(type_) or value.constant == NOTHING
        return value if same else convert(value, type_)

    # ---- what may have no value

    def is_hollow(self, type_: CType) -> bool:
        return str(plain(type_)) in self.world.facts.hollow

    def holds(self, target: InMemory, type_: CType) -> None:
        """A scalar in memory may get NOTHING."""
        self.world.facts.hollow.learn(str(plain(type_)))
        found = self.object_at(target)
        if found is None:
            self.world.facts.scattered.learn(str(plain(type_)))
        else:
            self.world.facts.holding.learn((found[0].key, found[1]))

    def may_have_none(self, source: InMemory, type_: CType) -> None:
        """Finds out whether a scalar in memory may have no value."""
        found = self.object_at(source)
        if found is None:
            self.world.blind.add(str(plain(type_)))
        elif found[0].first(found[1]) is None:
            self.world.facts.hollow.learn(str(plain(type_)))
