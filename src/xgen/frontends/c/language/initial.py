"""Initial values: of locals, which are assigned, and of objects with static lifetime, which are constant."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TypeGuard

from pycparser import c_ast

from xgen.frontends.c.language.expressions import Expressions
from xgen.frontends.c.language.memory import Object, refuse_large
from xgen.frontends.c.language.scope import Constant, Enumerator, PerThread
from xgen.frontends.c.language.untyped_memory import becomes
from xgen.frontends.c.values import bitfields, int128, types
from xgen.frontends.c.values.arithmetic import convert
from xgen.frontends.c.values.places import InMemory, InRegisters, Place, Registers, Value, literal
from xgen.frontends.c.values.reals import is_real
from xgen.frontends.c.values.types import Array, Bits, CType, Int, Pointer, Record, is_scalar, leaves, plain, size_of
from xgen.program.automaton import IntLiteral
from xgen.records import replace

EACH_CPU = 1 << 16
"""What a variable of each CPU is aligned to in the kernel's files (include/kernel): so far apart are its copies."""
_APART = EACH_CPU << 10
"""What the first copy is aligned to: with the number of a CPU that is not there, nobody gets to another variable."""

MUTEX_KIND = "__xgen_mutex_kind"
"""What the first value of a mutex is called that is not normal (include/pthread.h)."""


class Initials:
    """Reads initialisers, in a body."""

    def __init__(self, body: Expressions) -> None:
        self.body = body

    def entity(self, place: Place) -> Registers | Object:
        """What a name is, whose variable is there."""
        if isinstance(place, InRegisters):
            return place.variable
        assert isinstance(place.address, IntLiteral)
        found = self.body.world.memory.at(place.address.value)
        assert found is not None
        return found

    def store_initial(self, place: Place, value: Value, node: c_ast.Node) -> None:
        """The first value of a variable: not an atomic access, whatever its type is."""
        becomes(self.body.parts, value, place.type)
        self.body.store_first(_plain(place), value, node)

    def sized(self, node: c_ast.Decl) -> CType:
        """The type of a variable, which has to be one that is read."""
        type_ = self.completed(self.body.type_of(node), node.init)
        refuse_large(node.name, type_, self.body.position(node))
        return type_

    def completed(self, type_: CType, init: c_ast.Node | None) -> CType:
        """The type of an array with the size that its initialiser gives it."""
        if not isinstance(type_, Array) or type_.size is not None or init is None:
            return type_
        if isinstance(init, c_ast.CompoundLiteral):
            return self.body.type_of_value(init)
        init = _without_braces(type_, init)
        if _is_string(init):
            return Array(type_.element, len(self.body.characters(init)) + 1)
        end = 0
        for offset, part, _ in self.items(type_, init):
            size = size_of(type_.element)
            end = max(end, (offset + max(size_of(part), 1) + size - 1) // size)
        return Array(type_.element, end)

    def initialise(self, place: Place, type_: CType, node: c_ast.Node) -> None:
        """Gives a new variable its first value; scalars that the initialiser leaves out are 0."""
        if not isinstance(node, c_ast.InitList) and not (isinstance(type_, Array) and _is_string(node)):
            self.store_initial(place, self.body.evaluate(node, type_), node)
            return
        given: list[tuple[int, CType, c_ast.Node | int]] = []
        for offset, part, value in self.items(type_, node):  # what comes later takes the place of what it covers
            end = offset + size_of(part)
            given = [item for item in given if not offset <= item[0] < end]
            given.append((offset, part, value))
        self.zero(place, type_, given, node)
        for offset, part, value in given:
            target = self.body.moved(place, offset, part)
            found = literal(value, types.INT) if isinstance(value, int) else self.evaluate_first(value, part, target)
            self.store_initial(target, found, node)

    def evaluate_first(self, node: c_ast.Node, type_: CType, place: Place) -> Value:
        """The first value of what is in a place; that of a mutex may say of which kind it is."""
        if not (isinstance(node, c_ast.FuncCall) and getattr(node.name, "name", "") == MUTEX_KIND):
            return self.body.evaluate(node, type_)
        if isinstance(place, InRegisters):
            self.body.escape(place.variable)
        self.body.library.declare_kind(place, self.body.constant(node.args.exprs[0]), node)
        return literal(0, type_)

    def zero(
        self, place: Place, type_: CType, given: list[tuple[int, CType, c_ast.Node | int]], node: c_ast.Node
    ) -> None:
        whole = [(offset, part) for offset, part, _ in given if not isinstance(part, Bits)]
        covered = {(offset + leaf.offset, size_of(leaf.type)) for offset, part in whole for leaf in leaves(part)}
        for leaf in leaves(type_):
            if (leaf.offset, size_of(leaf.type)) not in covered:
                self.store_initial(self.body.moved(place, leaf.offset, leaf.type), literal(0, types.INT), node)

    def items(self, type_: CType, node: c_ast.Node) -> Iterator[tuple[int, CType, c_ast.Node | int]]:
        """The scalars (and whole structs) that an initialiser gives values to: offset, type, value."""
        node = _without_braces(type_, node)
        if int128.is_long_double(type_):
            if not self.is_zero(node):
                int128.refuse_long_double(self.body, type_, node)
        elif isinstance(type_, Array) and _is_string(node) and size_of(type_.element) == 1:
            for k, code in enumerate([*self.body.characters(node), 0][: type_.size or None]):
                yield k, type_.element, code
        elif isinstance(type_, Array) and _is_string(node):  # braces are left out: the first element is the address
            yield from self.items(type_.element, node)
        elif not isinstance(node, c_ast.InitList):
            yield 0, type_, node
        elif is_scalar(type_):
            first, *rest = node.exprs or [None]
            for other in rest:  # compilers warn, and go on
                if not self.is_zero(other):
                    self.body.refuse("more than one initial value of a number is", other)
            if first is not None:
                yield from self.items(type_, first)
        else:
            yield from self.braces(type_, node)

    def is_zero(self, node: c_ast.Node) -> bool:
        """Whether an initial value is 0, or several in braces that all are."""
        if isinstance(node, c_ast.InitList):
            return all(self.is_zero(part) for part in node.exprs or [])
        return self.body.try_constant(node) == 0

    def braces(self, type_: CType, node: c_ast.InitList) -> Iterator[tuple[int, CType, c_ast.Node | int]]:
        """The items of `{ ... }` for an array or a struct."""
        queue = deque(node.exprs or [])
        parts = self.parts(type_)
        at = 0
        while queue:
            item = queue[0]
            if isinstance(item, c_ast.NamedInitializer):
                queue.popleft()
                if len(item.name) > 1 and queue and not isinstance(queue[0], c_ast.NamedInitializer):
                    self.body.refuse("an initial value without a name after one of a part of a part is", queue[0])
                rest = queue
                for number, offset, part in self.designated(type_, item):
                    rest = deque([item.expr, *queue])
                    for inner, leaf, value in self.consume(part, rest):
                        yield offset + inner, leaf, value
                    at = number + 1
                queue = rest
                continue
            found = parts(at)
            if found is None:
                self.body.wrong("there are more initial values than members", item)
            if isinstance(type_, Record):
                self.body.uses(type_, at)
            offset, part = found
            for inner, leaf, value in self.consume(part, queue):
                yield offset + inner, leaf, value
            at += 1
            if isinstance(type_, Record) and type_.union:
                break

    def parts(self, type_: CType):  # type: ignore[no-untyped-def]
        """By number: the offset and the type of an element or member; None where there is none."""

        def element(k: int) -> tuple[int, CType] | None:
            if isinstance(type_, Array):
                if type_.size is not None and k >= type_.size:
                    return None
                return k * size_of(type_.element), type_.element
            members = type_.members if isinstance(type_, Record) else None
            return (members[k].offset, members[k].type) if members and k < len(members) else None

        return element

    def consume(self, type_: CType, queue: deque[c_ast.Node]) -> Iterator[tuple[int, CType, c_ast.Node | int]]:
        """Takes what one element needs; inner braces may be left out."""
        item = queue[0]
        if isinstance(type_, Array) and not type_.size and not (isinstance(item, c_ast.InitList) and not item.exprs):
            self.body.refuse("an initial value of an array without a size in a struct is", item)
        chars = isinstance(type_, Array) and size_of(type_.element) == 1 and _is_string(item)
        two_words = int128.is_wide(type_) or int128.is_long_double(type_)
        whole = is_scalar(type_) or two_words or isinstance(item, c_ast.InitList) or chars
        if not whole and isinstance(type_, Record) and not isinstance(item, c_ast.Constant):
            whole = isinstance(self.body.type_of_value(item), Record)
        if whole:
            yield from self.items(type_, queue.popleft())
            return
        at = 0
        while queue and not isinstance(queue[0], c_ast.NamedInitializer):
            found = self.parts(type_)(at)
            if found is None:
                return
            if isinstance(type_, Record):
                self.body.uses(type_, at)
            for inner, leaf, value in self.consume(found[1], queue):
                yield found[0] + inner, leaf, value
            at += 1
            if isinstance(type_, Record) and type_.union:
                return

    def designated(self, type_: CType, item: c_ast.NamedInitializer) -> Iterator[tuple[int, int, CType]]:
        """What `.a`, `[1]` or `.a[1].b` means: the number of the part of `type_`, its offset and type."""
        places = [(0, 0, type_)]
        for depth, name in enumerate(item.name):
            inner = getattr(name, "subscript", getattr(name, "expr", name))
            following = []
            for at, offset, part in places:
                if isinstance(part, Record):
                    found = part.find(name.name)
                    if found is None:
                        self.body.wrong(f"{part} has no member `{name.name}`", item)
                    for record, number in part.way(name.name):
                        self.body.uses(record, number)
                    number = part.way(name.name)[0][1]
                    following.append((at if depth else number, offset + found.offset, found.type))
                elif isinstance(part, Array):
                    first, last = self.bounds(inner)
                    for k in range(first, last + 1):
                        following.append((at if depth else k, offset + k * size_of(part.element), part.element))
                else:
                    self.body.wrong(f"{part} has no parts", item)
            places = following
        yield from places

    def bounds(self, node: c_ast.Node) -> tuple[int, int]:
        if isinstance(node, c_ast.FuncCall) and getattr(node.name, "name", "") == "__xgen_range":
            return self.body.constant(node.args.exprs[0]), self.body.constant(node.args.exprs[1])
        value = self.body.constant(node)
        return value, value

    # ---- static lifetime

    def static(self, node: c_ast.Decl) -> None:
        """A variable with static lifetime in a function."""
        if "_Thread_local" in node.storage:
            known = self.body.per_thread.get(id(node))
            if known is None or known.type != self.completed(self.body.type_of(node), node.init):
                self.body.refuse("a thread-local variable in a function, with a type of the function, is", node)
            self.body.scope.names[node.name] = PerThread(id(node))
            return
        if id(node) not in self.body.world.statics:
            self.body.world.statics[id(node)] = self.static_object(node)
        self.body.scope.names[node.name] = self.body.world.statics[id(node)]

    def static_object(self, node: c_ast.Decl, shown: bool = False) -> Object:
        type_ = self.sized(node)
        if not types.is_complete(type_):
            self.body.wrong(f"`{node.name}` has a type whose size is not known", node)
        whole = self.with_elements(type_, node.init)
        shown, aligned = shown and not is_real(type_), self.body.aligned(node)
        memory, cpus = self.body.world.memory, self.cpus(aligned)
        if cpus > 1 and size_of(whole) > EACH_CPU // 2:
            self.body.refuse("so large a variable of each CPU is", node)
        name, at = (f"{node.name}[0]", _APART) if cpus > 1 else (node.name, aligned)
        found = memory.allocate(name, whole, id(node), shown=shown, aligned=at)
        found.copies = tuple(
            memory.allocate(f"{node.name}[{cpu}]", whole, (id(node), cpu), shown=shown, aligned=aligned)
            for cpu in range(1, cpus)
        )
        found.declared = None if whole is type_ else type_
        self.body.declare_constant(id(node), node, whole)
        self.body.scope.names[node.name] = found
        if node.init is not None:
            self.fill(found, node.init)
        return found

    def fill(self, found: Object, init: c_ast.Node) -> None:
        """Gives a static object, and its copies, their first values."""
        for each in (found, *found.copies):
            each.fill(self.static_values(found.type, init, each.address))

    def cpus(self, aligned: int) -> int:
        """How many copies of a variable there are: as many as there are CPUs, if each of these has one."""
        if aligned != EACH_CPU or self.body.world.options.kernel is None:
            return 1
        cpus = self.body.scope.find("__xgen_cpus")
        return cpus.value if isinstance(cpus, Enumerator) else 1

    def with_elements(self, type_: CType, init: c_ast.Node | None) -> CType:
        """A struct that ends with an array without a size has as many elements as it has values for (GNU C)."""
        if not (
            isinstance(type_, Record)
            and type_.members
            and types.is_flexible(type_)
            and isinstance(init, c_ast.InitList)
        ):
            return type_
        last = type_.members[-1]
        assert isinstance(last.type, Array)
        if last.type.size is not None:  # `[0]`, to which compilers give none
            return type_
        start, element = last.offset, size_of(last.type.element)
        most = types.with_tail(type_, start + (element << 32))
        end = max((offset + max(size_of(part), 1) for offset, part, _ in self.items(most, init)), default=0)
        return types.with_tail(type_, start + -(-(end - start) // element) * element) if end > start else type_

    def static_values(self, type_: CType, init: c_ast.Node, address: int) -> dict[int, tuple[int, int]]:
        """The first values of the scalars of an object with that address: by their offsets, their bytes and values."""
        found: dict[int, tuple[int, int]] = {}
        for offset, part, value in self.static_items(type_, init):
            if not isinstance(value, int) and int128.is_wide(part):
                found |= {offset + 8 * k: (8, word) for k, word in enumerate(self.static_words(value))}
                continue
            if isinstance(value, int):
                number: int | None = types.converted(value, part)
            elif is_scalar(part):
                number = self.static_value(value, part, InMemory(IntLiteral(address + offset), part))
            else:
                self.body.refuse("this initial value is", value)
            if number is None:
                assert not isinstance(value, int)
                self.body.wrong("this initial value is no constant", value)
            if isinstance(part, Bits):
                bitfields.put(part, number, found, offset)
                continue
            found.pop(offset, None)  # what comes later is put over what was there
            found[offset] = size_of(part), number
        return found

    def static_items(self, type_: CType, init: c_ast.Node) -> Iterator[tuple[int, CType, c_ast.Node | int]]:
        """The items of a first value, in which compound literals stand for what they are made of (GNU C)."""
        for offset, part, value in self.items(type_, init):
            if isinstance(value, c_ast.CompoundLiteral) and not isinstance(part, Pointer):
                if str(plain(self.body.type_of_value(value))) != str(plain(part)):
                    self.body.wrong("these are different types", value)
                for inner, leaf, found in self.static_items(part, value.init):
                    yield offset + inner, leaf, found
            else:
                yield offset, part, value

    def static_words(self, node: c_ast.Node) -> list[int]:
        """The words of a first value of 128 bits, which has to be a constant of 64."""
        with self.body.unevaluated():
            value = self.body.evaluate(node)
        words = [] if value.place or value.constant is None else [word.constant for word in int128.of_number(value)]
        known = [word for word in words if word is not None]
        return known or self.body.refuse("this initial value of 128 bits is", node)

    def static_value(self, node: c_ast.Node, type_: CType, place: InMemory) -> int | None:
        with self.body.unevaluated() as mark:
            value = convert(self.evaluate_first(node, type_, place), plain(type_))
            pure = len(self.body.flow.steps) == mark.steps
        return value.constant if pure else None

    def constant_global(self, node: c_ast.Decl, found: Object) -> None:
        """A `const` number at file scope is read as its value."""
        if isinstance(found.type, Int) and "const" in (node.quals or []) and not types.atomic(found.type):
            self.body.scope.names[node.name] = Constant(found.whole, found)


def _without_braces(type_: CType, node: c_ast.Node) -> c_ast.Node:
    """The string in `char text[] = {"text"};`, which may have braces (C11, 6.7.9)."""
    if not (isinstance(type_, Array) and size_of(type_.element) == 1 and isinstance(node, c_ast.InitList)):
        return node
    return node.exprs[0] if len(node.exprs or ()) == 1 and _is_string(node.exprs[0]) else node


def _is_string(node: c_ast.Node) -> TypeGuard[c_ast.Constant]:
    return isinstance(node, c_ast.Constant) and node.type == "string"


def _plain(place: Place) -> Place:
    if isinstance(place.type, Bits):
        return place
    if isinstance(place, InRegisters):
        return InRegisters(place.variable, place.offset, plain(place.type))
    return replace(place, type=plain(place.type))
