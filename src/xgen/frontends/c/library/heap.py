"""Memory that is allocated and freed, and what works on bytes: `memcpy`, `memset`, `memcmp`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from xgen.frontends.c.language.arithmetic import binary, convert, negated, truth
from xgen.frontends.c.language.expressions import NOTHING, unchecked
from xgen.frontends.c.language.flow import ended
from xgen.frontends.c.language.memory import Object
from xgen.frontends.c.language.places import InMemory, InRegisters, Place, Value, literal
from xgen.frontends.c.language.types import (
    CHAR,
    INT,
    ULLONG,
    VOID,
    Array,
    CType,
    Int,
    Leaf,
    Pointer,
    Record,
    Void,
    converted,
    leaves,
    plain,
    size_of,
)
from xgen.frontends.c.library.own import Own
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, Conditional, IntLiteral, Name

MEMORY_CALLS = frozenset(
    ["malloc", "calloc", "aligned_alloc", "realloc", "free", "posix_memalign", "memcpy", "memmove", "memset", "memcmp"]
)
"""The functions whose addresses may be taken."""
_INVALID = 22
"""EINVAL."""
_WHAT_FOR = "assign it to a pointer of its type first, as in `T *p = malloc(..)`, or convert it: `(T *)malloc(..)`"
POOL = 16
"""So many objects are there for a `malloc` in a loop whose rounds are not known; a thread that asks for more is cut."""


class Heap(Own):
    """Calls that are about memory."""

    def memory_call(
        self, name: str, arguments: Sequence[c_ast.Node], node: c_ast.Node, wanted: CType | None
    ) -> Value | None:
        if name == "malloc":
            return self.allocate(arguments[0], self.number(arguments[0]), node, wanted, True)
        if name == "calloc":
            count, size = self.number(arguments[0]), self.number(arguments[1])
            return self.allocate(arguments[1], self.operate("*", count, size, node), node, wanted, False)
        if name == "aligned_alloc":
            self.check_alignment(self.number(arguments[0]), self.number(arguments[1]), node)
            if not self.flow.reachable:
                return literal(0, Pointer(VOID))
            return self.allocate(arguments[1], self.number(arguments[1]), node, wanted, True)
        if name == "posix_memalign":
            return self.allocate_at(arguments, node)
        if name in ("alloca", "__builtin_alloca"):
            return self.allocate_for_a_call(arguments[0], node, wanted)
        if name == "realloc":
            return self.reallocate(arguments, node, wanted)
        if name == "free":
            return self.free(self.number(arguments[0]), node)
        if name in ("memcpy", "memmove"):
            return self.copy_bytes(arguments, node)
        if name in ("memcmp", "__builtin_memcmp"):
            return self.compare_bytes(arguments, node)
        if name == "memset":
            return self.set_bytes(arguments, node)
        return None

    def allocate_at(self, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> Value:
        """posix_memalign: the pointer is written where the first argument leads to."""
        to, alignment, size = self.numbers(arguments)
        a = alignment.constant
        if a is None:
            self.refuse("an alignment that is no constant is", node)
        if a < 8 or a & (a - 1):
            return literal(_INVALID, INT)
        place = self.target(to, Pointer(VOID))
        self.store(place, self.allocate(arguments[2], size, node, self.type_there(place), True), node)
        return literal(0, INT)

    def type_there(self, place: Place) -> CType | None:
        """The type of the scalar that is at a place, where that is known."""
        if isinstance(place, InRegisters):
            leaf = place.variable.leaves.get(place.offset)
        else:
            found = self.object_at(place)
            leaf = found[0].by_offset[found[1]] if found else None
        return plain(leaf.type) if leaf else None

    def allocate_for_a_call(self, size: c_ast.Node, node: c_ast.Node, wanted: CType | None) -> Value:
        """alloca: memory that ends with the function that asks for it."""
        bytes_ = self.number(size).constant
        type_ = None if bytes_ is None or bytes_ <= 0 else self.allocated_type(size, bytes_, wanted)
        if type_ is None or self.looping:
            self.refuse("`alloca` of a size or type that is not known here, or in a loop, is", node)
        found = self.world.memory.allocate(f"{self.thread}.alloca", type_, id(node), undefined=True, life="stack")
        self.world.expose(id(node))
        self.world.may_end(id(node))
        self.activations[-1].until_return.append(found)
        self.flow.learn(ended(found), 0)
        return literal(found.address, Pointer(VOID))

    def check_alignment(self, alignment: Value, size: Value, node: c_ast.Node) -> None:
        """A power of two that the size is a multiple of."""
        a, n = alignment.constant, size.constant
        if a is None or n is None:
            self.refuse("an alignment that is no constant is", node)
        if a <= 0 or a & (a - 1) or n % a:
            self.check(BoolLiteral(False), "bad-allocation", node)

    def allocate(
        self, size_node: c_ast.Node, size: Value, node: c_ast.Node, wanted: CType | None, undefined: bool
    ) -> Value:
        """A new object. Its type is what the pointer is converted to, else what `sizeof` speaks of."""
        bytes_ = size.constant
        if bytes_ is None:
            self.refuse("allocating memory of a size that is not known here is", node)
        if bytes_ <= 0:
            self.check(BoolLiteral(False), "bad-allocation", node)
            return literal(0, Pointer(VOID))
        type_ = self.allocated_type(size_node, bytes_, wanted)
        if type_ is None:
            self.refuse("memory of which it cannot be seen what it is for is", node, _WHAT_FOR)
        pointer = Pointer(VOID)
        hint, position = self.name_of(node), self.position(node)
        self.world.expose(id(node))
        self.world.may_end(id(node))
        if not self.looping:
            found = self.world.memory.allocate(hint, type_, id(node), undefined, life="heap", position=position)
            self.lifetime("alloc", IntLiteral(found.address), node)
            return literal(found.address, pointer)
        return self.from_pool(hint, type_, undefined, node)

    def name_of(self, node: c_ast.Node) -> str:
        """What an object is called: as the variable or the field that first holds its address."""
        call: c_ast.Node | None = node
        for activation in reversed(self.activations):
            definition = activation.routine.definition
            assert definition is not None
            name = self.world.blocks.holders(definition.body).get(id(call))
            if name:
                known = isinstance(self.world.scope.names.get(name), Object)
                return f"{activation.routine.word}.{name}" if known else name
            if name is None:
                break
            call = activation.call
        return f"{self.thread}.malloc"

    def from_pool(self, hint: str, type_: CType, undefined: bool, node: c_ast.Node) -> Value:
        """One of several objects, by a counter of the thread."""
        memory = self.world.memory
        counter, position = self.fresh("allocated"), self.position(node)
        objects = [
            memory.allocate(hint, type_, id(node), undefined, life="heap", position=position) for _ in range(POOL)
        ]
        enough = self.flow.label()
        self.flow.branch(Binary("<", Name(counter), IntLiteral(POOL)), enough, position)
        self.flow.emit(xcfa.Cut(position, f"more than {POOL} objects are allocated here"))
        self.flow.known = None
        self.flow.place(enough)
        step = objects[1].address - objects[0].address
        address = self.fresh()
        place = Binary("+", IntLiteral(objects[0].address), Binary("*", Name(counter), IntLiteral(step)))
        self.flow.assign(address, place, position)
        self.flow.assign(counter, Binary("+", Name(counter), IntLiteral(1)), position)
        self.lifetime("alloc", Name(address), node)
        return Value(Name(address), Pointer(VOID))

    def allocated_type(self, size_node: c_ast.Node, bytes_: int, wanted: CType | None) -> CType | None:
        candidates: list[CType] = []
        for type_ in (wanted, *(activation.wanted for activation in reversed(self.activations))):
            if isinstance(type_, Pointer):
                candidates.append(plain(type_.target))
            if not isinstance(type_, Pointer) or not isinstance(type_.target, Void):
                break  # what a function gives as `void *` may be for what its call is converted to
        for part in _sizeofs(size_node):
            candidates.append(self.type_of(part) if isinstance(part, c_ast.Typename) else self.type_of_value(part))
        for type_ in candidates:
            size = 0 if isinstance(type_, Void) else size_of(type_)
            if size and bytes_ == size:
                return type_
            if size and bytes_ % size == 0 and not (isinstance(type_, Record) and _is_flexible(type_)):
                return Array(type_, bytes_ // size)
            if isinstance(type_, Record) and _is_flexible(type_) and bytes_ > size:
                return _with_tail(type_, bytes_)
        return None

    def reallocate(self, arguments: Sequence[c_ast.Node], node: c_ast.Node, wanted: CType | None) -> Value:
        """A new object with the old one's values; the old one is freed."""
        old, size = self.plain_number(self.number(arguments[0])), self.number(arguments[1])
        if old.constant is None:
            self.refuse("reallocating memory that is not known here is", node)
        found = next(iter(self.allocated(old.constant)), None) if old.constant else None
        if old.constant and found is None:
            self.check(BoolLiteral(False), "bad-free", node)
        new = self.allocate(arguments[1], size, node, wanted, True)
        if found is None or not self.flow.reachable:
            return new
        if new.constant is None:
            self.refuse("reallocating memory in a loop whose rounds are not known is", node)
        target = self.world.memory.at(new.constant)
        assert target is not None
        for leaf in found.leaves:
            if leaf.offset + size_of(leaf.type) > size_of(target.type):
                continue
            place = InMemory(IntLiteral(found.address + leaf.offset), plain(leaf.type))
            other = target.by_offset.get(leaf.offset)
            if other is None or size_of(other.type) != size_of(leaf.type):
                self.refuse("reallocating memory for values of another type is", node)
            self.put(InMemory(IntLiteral(target.address + leaf.offset), place.type), self.taken(place, node), node)
        self.free(old, node)
        return new

    def free(self, pointer: Value, node: c_ast.Node) -> Value:
        """What was freed may be used no more: all its accesses are events from now on."""
        if pointer.alias:
            self.check(BoolLiteral(False), "bad-free", node)
            return NOTHING
        address = self.keep(pointer, node)
        if address.constant == 0:
            return NOTHING
        end = self.flow.label()
        if address.constant is None:
            self.flow.branch(negated(truth(address)), end, self.position(node))
        found = self.allocated(address.constant)
        if address.constant is not None and not found:
            self.check(BoolLiteral(False), "bad-free", node)
        for object_ in found:
            self.ends(object_)
        self.lifetime("free", address.expression, node)
        self.flow.place(end)
        return NOTHING

    def allocated(self, address: int | None) -> list[Object]:
        """The allocated objects that an address may be the start of."""
        heap = (found for found in self.world.memory.objects if found.life == "heap")
        return [found for found in heap if address is None or found.address == address]

    def copy_bytes(self, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> Value:
        """memcpy, memmove: scalar by scalar, of the type that the pointers have; all is read first."""
        to, source = self.number(arguments[0]), self.number(arguments[1])
        size = self.number(arguments[2]).constant
        if size is None:
            self.refuse("copying a number of bytes that is not known here is", node)
        to, source = self.keep(to, node), self.keep(source, node)
        copied = self.bytes_type(to, source, size, node)

        def part(of: Value, leaf: Leaf) -> Place:
            return self.moved(self.target(of, VOID), leaf.offset, plain(leaf.type))

        read: list[tuple[list[Place], list[Value]]] = []
        for leaf in copied:
            sources, targets = self.alike_parts(part(source, leaf), part(to, leaf), node)
            read.append((targets, [self.keep(value, node) for value in self.taken_all(sources, node)]))
        for targets, values in read:
            self.put_all(targets, values, node)
        return to

    def scalar(self, pointer: Value, leaf: Leaf, node: c_ast.Node) -> Value:
        """What is at a place behind a pointer; not an atomic access."""
        return self.load(self.moved(self.target(pointer, VOID), leaf.offset, plain(leaf.type)), node)

    def compare_bytes(self, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> Value:
        """memcmp: -1, 0 or 1. All is read; the first scalar that differs decides, by its bytes from the lowest on."""
        left, right = (self.keep(self.number(argument), node) for argument in arguments[:2])
        size = self.number(arguments[2]).constant
        if size is None:
            self.refuse("comparing a number of bytes that is not known here is", node)
        pairs = []
        for leaf in self.bytes_type(left, right, size, node):
            width = size_of(leaf.type)
            unsigned = Int("", 8 * width, False, 0)
            a, b = (convert(self.plain_number(self.scalar(side, leaf, node)), unsigned) for side in (left, right))
            pairs.append([self.keep(swapped(convert(self.keep(side, node), ULLONG), width), node) for side in (a, b)])
        result = literal(0, INT)
        for a, b in reversed(pairs):
            less = self.operate("-", self.operate(">", a, b, node), self.operate("<", a, b, node), node)
            if less.constant is not None:
                result = less if less.constant else result
                continue
            same = truth(self.operate("==", a, b, node))
            result = self.keep(Value(Conditional(same, result.expression, less.expression), INT), node)
        return result

    def set_bytes(self, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> Value:
        to, byte = self.number(arguments[0]), self.number(arguments[1]).constant
        size = self.number(arguments[2]).constant
        if size is None or byte is None:
            self.refuse("setting bytes whose number or value is not known here is", node)
        for leaf in self.bytes_type(to, to, size, node):
            width = size_of(leaf.type)
            value = int.from_bytes(bytes([byte & 255]) * width, "little")
            place = self.moved(self.target(to, VOID), leaf.offset, plain(leaf.type))
            self.store(place, Value(IntLiteral(converted(value, leaf.type)), leaf.type), node)
        return to

    def bytes_type(self, to: Value, source: Value, size: int, node: c_ast.Node) -> list:  # type: ignore[type-arg]
        """The scalars of the bytes that start at a pointer."""
        for value in (to, source):
            found = self.known_leaves(value, size, node)
            if found is not None:
                return found
            type_ = value.type.target if isinstance(value.type, Pointer) else VOID
            width = 0 if isinstance(type_, Void) or type_ in (CHAR,) else size_of(type_)
            if width and size % width == 0:
                return list(leaves(Array(type_, size // width)))
        return self.refuse("copying or setting bytes of which it cannot be seen what they are is", node)

    def known_leaves(self, value: Value, size: int, node: c_ast.Node) -> list | None:  # type: ignore[type-arg]
        """The scalars that really are at an address, where it is known."""
        start, whole, all_leaves = 0, 0, None
        key: object = None
        if value.alias:
            variable = value.alias.variable
            start, whole, all_leaves = value.alias.offset, size_of(variable.type), list(variable.leaves.values())
            key = variable.key
        elif value.constant is not None:
            found = self.world.memory.at(value.constant)
            if found:
                start, whole, all_leaves = value.constant - found.address, size_of(found.type), found.leaves
                key = found.key
        if all_leaves is None:
            return None
        end = start + size
        if end > whole:
            self.check(BoolLiteral(False), "out-of-bounds", node)
            return []
        inside = [leaf for leaf in all_leaves if start < leaf.offset + size_of(leaf.type) and leaf.offset < end]
        if any(leaf.offset < start or leaf.offset + size_of(leaf.type) > end for leaf in inside):
            if self.is_idle:
                return None
            self.cut(key, start, end)
        return [replace(leaf, offset=leaf.offset - start) for leaf in inside]


def _sizeofs(node: c_ast.Node) -> list[c_ast.Node]:
    found = []
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, c_ast.UnaryOp) and part.op == "sizeof":
            found.append(part.expr)
        todo.extend(child for _, child in part.children())
    return found


def _is_flexible(record: Record) -> bool:
    last = (record.members or [])[-1:]
    return bool(last) and isinstance(last[0].type, Array) and not last[0].type.size


def _with_tail(record: Record, bytes_: int) -> Record:
    """A struct with a flexible array member of as many elements as there is room for."""
    *members, last = record.members or []
    assert isinstance(last.type, Array)
    tail = Array(last.type.element, (bytes_ - last.offset) // size_of(last.type.element))
    found = Record(record.name, False)
    found.complete([*members, replace(last, type=tail)], record.alignment)
    return found


def swapped(value: Value, bytes_: int) -> Value:
    """The number, an unsigned long, with its bytes in the opposite order."""
    result = literal(0, ULLONG)
    for k in range(bytes_):
        byte = binary("&", binary(">>", value, literal(8 * k, INT), unchecked), literal(255, ULLONG), unchecked)
        moved = binary("<<", byte, literal(8 * (bytes_ - 1 - k), INT), unchecked)
        result = binary("|", result, moved, unchecked)
    return result
