"""Lvalues (C11, 6.5.1 to 6.5.3): where variables, elements, members and what pointers lead to are; and what is between
two addresses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pycparser import c_ast

from xgen.errors import nearest
from xgen.frontends.c.language.accesses import Accesses
from xgen.frontends.c.language.flow import ended
from xgen.frontends.c.language.memory import Object
from xgen.frontends.c.language.mixed_size import MixedSize
from xgen.frontends.c.language.scope import Constant, Enumerator, PerThread, Refused, Routine, Typedef
from xgen.frontends.c.language.syntax import is_generic
from xgen.frontends.c.language.untyped_memory import leads
from xgen.frontends.c.values.arithmetic import binary, convert, unchecked
from xgen.frontends.c.values.places import Alias, InMemory, InRegisters, Place, Registers, Value, literal
from xgen.frontends.c.values.types import (
    INT,
    LONG,
    VOID,
    Array,
    Bits,
    CType,
    Pointer,
    Record,
    has_tail,
    is_scalar,
    is_volatile,
    plain,
    size_of,
)
from xgen.program.automaton import Binary, BoolLiteral, Expression, IntLiteral
from xgen.records import replace


class FirstValues(Protocol):
    """What initialisers say."""

    def completed(self, type_: CType, init: c_ast.Node | None) -> CType:
        """The type of an array with the size that its initialiser gives it."""

    def initialise(self, place: Place, type_: CType, node: c_ast.Node) -> None:
        """Gives a variable its first value."""

    def static_values(self, type_: CType, init: c_ast.Node, address: int) -> dict[int, tuple[int, int]]:
        """The first values of what has static lifetime: by their offsets, their bytes and values."""


class Lvalues(Accesses):
    """Finds the places that expressions denote."""

    parts: MixedSize
    initials: FirstValues

    per_thread: dict[object, Registers | Object]
    blocks: list[tuple[int, int]]  # of each that is being translated: how many objects and registers were there before
    new_locals: list[Object]  # those in memory, of the function that is being translated

    value: Callable[[c_ast.Node, CType | None], Value]
    number: Callable[[c_ast.Node], Value]
    selected: Callable[[c_ast.FuncCall], c_ast.Node]
    routine_type: Callable[[Routine], CType]
    function_address: Callable[[Routine], Value]

    # ---- places

    def place(self, node: c_ast.Node, address_only: bool = False) -> Place:
        """Where an lvalue is. `address_only`: it is not accessed, so that it may be one past an array's end."""
        match node:
            case c_ast.ID():
                return self.named_place(node)
            case c_ast.UnaryOp(op="*"):
                pointer = self.number(node.expr)
                if not isinstance(pointer.type, Pointer):
                    self.wrong(f"`*` needs a pointer, not {pointer.type}", node)
                return self.led(pointer, pointer.type.target)
            case c_ast.ArrayRef():
                return self.element(node, address_only)
            case c_ast.StructRef():
                return self.member(node)
            case c_ast.CompoundLiteral():
                return self.compound_literal(node)
            case c_ast.UnaryOp(op="__extension__"):
                return self.place(node.expr)
            case c_ast.FuncCall() if is_generic(node):
                return self.place(self.selected(node), address_only)
        value = self.value(node, None)
        if value.place is None:
            self.wrong("this has no address", node)
        return value.place

    def named_place(self, node: c_ast.ID) -> Place:
        entity = self.scope.find(node.name)
        if isinstance(entity, PerThread):
            entity = self.per_thread[entity.key]
        match entity:
            case Registers():
                return InRegisters(entity, 0, entity.type)
            case Object():
                return InMemory(IntLiteral(entity.address), entity.declared or entity.type)
            case Constant(_, object_):
                return InMemory(IntLiteral(object_.address), object_.type)
            case Routine():
                address = self.function_address(entity)
                return InMemory(address.expression, self.routine_type(entity))
            case Refused(error):
                raise error
            case Typedef() | Enumerator():
                self.wrong(f"`{node.name}` is no variable", node)
        hint = nearest(node.name, self.scope.visible())
        return self.wrong(f"there is no variable `{node.name}`", node, hint)

    def mention(self, node: c_ast.ID) -> None:
        """`(void)x;`, which keeps compilers from saying that x is not used: a local need have no value there."""
        entity = self.scope.find(node.name)
        if isinstance(entity, Registers | Object) and is_scalar(entity.type) and not is_volatile(entity.type):
            if isinstance(entity, Registers):
                return
            if entity.life == "stack" and entity.first(0) is None:
                self.load(self.named_place(node), node, uninitialised=True)
                return
        self.value(node, None)

    def element(self, node: c_ast.ArrayRef, address_only: bool = False) -> Place:
        base = self.value(node.name, None)
        mark = len(self.flow.steps)
        index = self.plain_number(self.number(node.subscript))
        if not isinstance(base.type, (Array, Pointer)):  # `2[a]`
            base, index = index, base
        base = self.protect(base, mark, node)
        if isinstance(base.type, Array) and base.place:
            type_ = Array(base.type.element, None) if self.is_tail(node.name) else base.type
            return self.array_element(base.place, type_, index, node, address_only)
        if not isinstance(base.type, Pointer):
            self.wrong(f"`[ ]` needs an array or a pointer, not {base.type}", node)
        return self.led(self.shift(base, index, 1), base.type.target)

    def led(self, pointer: Value, type_: CType) -> Place:
        """The place that a pointer of the program leads to, which tells what bytes are taken as."""
        leads(self.parts, pointer, type_)
        return self.target(pointer, type_)

    def is_tail(self, node: c_ast.Node) -> bool:
        """Whether an array is the end of a struct, as `p->last[1]`: it has as many elements as there is room for."""
        if not isinstance(node, c_ast.StructRef) or node.type != "->":
            return False
        pointer = self.type_of_value(node.name)
        record = pointer.target if isinstance(pointer, Pointer) else None
        return isinstance(record, Record) and has_tail(record) and (record.members or [])[-1].name == node.field.name

    def array_element(self, array: Place, type_: Array, index: Value, node: c_ast.Node, address_only: bool) -> Place:
        element, size = type_.element, type_.size
        number = index.constant
        if number is not None:
            if size and not 0 <= number < size + address_only:
                self.check(BoolLiteral(False), "out-of-bounds", node)
            return self.moved(array, number * size_of(element), element)
        if isinstance(array, InRegisters):
            self.escape(array.variable)
        if size:
            index = self.keep(convert(index, LONG), node)
            self.check(
                Binary(
                    "and",
                    Binary("<=", IntLiteral(0), index.expression),
                    Binary("<=" if address_only else "<", index.expression, IntLiteral(size)),
                ),
                "out-of-bounds",
                node,
            )
        self.parts.cut_elements(array, type_)
        self.expose(array)
        base = Value(array.address, Pointer(element))
        element_pointer = self.shift(base, index, 1)
        return self.target(element_pointer, element) if size else self.led(element_pointer, element)

    def member(self, node: c_ast.StructRef) -> Place:
        if node.type == "->":
            pointer = self.number(node.name)
            record = pointer.type.target if isinstance(pointer.type, Pointer) else VOID
            place = self.led(pointer, record)
        else:
            place = self.place(node.name)
            record = place.type
        name = node.field.name
        if not isinstance(record, Record):
            self.wrong(f"`{node.type}{name}` needs a struct or a union, not {record}", node)
        if record.base:
            self.wrong(
                f"`{name}` is no object of its own: {record} is accessed as a whole",
                node.field,
                "read it into a variable, and write all of it",
            )
        found = record.find(name)
        if found is None:
            known = [member.name for member in record.members or []]
            self.wrong(f"{record} has no member `{name}`", node.field, nearest(name, known))
        target = self.moved(place, found.offset, found.type)
        start = 0
        for part, at in record.way(name):
            self.uses(part, at)
            if len(part.used) > 1 and isinstance(target, InMemory) and target.within is None:
                target = replace(target, within=(part, found.offset - start))
            start += (part.members or [])[at].offset
        return target

    def size(self, node: c_ast.Node) -> int:
        """`sizeof`: the operand is not evaluated."""
        type_ = self.type_of(node) if isinstance(node, c_ast.Typename) else self.type_of_value(node)
        if isinstance(type_, Record) and type_.members is None:
            self.wrong(f"the size of {type_} is not known", node)
        if self.is_bit_field(node):
            self.wrong("a bit field has no size in bytes", node)
        return size_of(type_)

    def is_bit_field(self, node: c_ast.Node) -> bool:
        if not isinstance(node, c_ast.StructRef):
            return False
        with self.unevaluated():
            return isinstance(self.place(node).type, Bits)

    def compound_literal(self, node: c_ast.CompoundLiteral) -> Place:
        type_ = self.initials.completed(self.type_of(node.type), node.init)
        if self.scope is self.world.scope:  # outside functions it is there always (C11, 6.5.2.5)
            if id(node) not in self.world.statics:
                found = self.world.memory.allocate("literal", type_, id(node))
                found.fill(self.initials.static_values(type_, node.init, found.address))
                self.world.statics[id(node)] = found
                self.declare_constant(id(node), node.type, type_)
            return InMemory(IntLiteral(self.world.statics[id(node)].address), type_)
        place = self.local_place("literal", type_, id(node))
        self.declare_constant(id(node), node.type, type_)
        self.initials.initialise(place, type_, node.init)
        return place

    def local_place(self, name: str, type_: CType, key: object, aligned: int = 1) -> Place:
        """A local variable: a new one, unless its block goes back to its declaration (C11, 6.2.4). `aligned`: what its
        address is a multiple of at least."""
        objects, variables = self.blocks[-1] if self.blocks and isinstance(key, int) else (None, None)
        for object_ in () if objects is None else self.new_locals[objects:]:
            if object_.key == key:
                return InMemory(IntLiteral(object_.address), type_)
        for variable in () if variables is None else self.new_registers[variables:]:
            if variable.key == key:
                for name in variable.names.values():
                    self.unset(name, key)
                return InRegisters(variable, 0, type_)
        if key in self.world.facts.escaped:
            name = f"{self.thread}.{name}"
            found = self.world.memory.allocate(name, type_, key, undefined=True, life="stack", aligned=aligned)
            self.world.may_end(key)
            self.new_locals.append(found)
            self.flow.learn(ended(found), 0)
            return InMemory(IntLiteral(found.address), type_)
        return InRegisters(self.in_registers(name, type_, key), 0, type_)

    # ---- addresses

    def shift(self, pointer: Value, index: Value, sign: int) -> Value:
        """A pointer with a number of elements added."""
        assert isinstance(pointer.type, Pointer)
        size = sign * size_of(pointer.type.target)
        index = convert(self.plain_number(index), LONG)
        if index.constant is not None:
            offset = index.constant * size
            if pointer.alias:
                alias = Alias(pointer.alias.variable, pointer.alias.offset + offset)
                return Value(IntLiteral(0), plain(pointer.type), alias)
            return Value(self.add(pointer.expression, offset), plain(pointer.type))
        pointer = self.plain_number(pointer)
        step: Expression = index.expression if size == 1 else Binary("*", index.expression, IntLiteral(size))
        return Value(self.within_memory(Binary("+", pointer.expression, step)), plain(pointer.type))

    def compare_addresses(self, op: str, left: Value, right: Value) -> Value:
        """Comparisons with the address of a variable in registers."""
        a, b = left.alias, right.alias
        if a and b and a.variable is b.variable:
            x, y = literal(a.offset, LONG), literal(b.offset, LONG)
            return binary(op, x, y, unchecked)
        if op in ("==", "!="):  # no other object is there, and it is not null
            return literal(int(op == "!="), INT)
        alias = a or b
        assert alias is not None
        return self.escape(alias)
