"""Memory that is allocated and freed, and what works on bytes: `memcpy`, `memset`, `memcmp`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from math import prod

from pycparser import c_ast

from xgen.frontends.c import reuse
from xgen.frontends.c.language import untyped_memory
from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.expressions import NOTHING
from xgen.frontends.c.language.flow import ended
from xgen.frontends.c.language.memory import Object
from xgen.frontends.c.library.call import Call, Handler
from xgen.frontends.c.library.primitives import set_errno
from xgen.frontends.c.values.arithmetic import as_stored, binary, convert, truth, unchecked
from xgen.frontends.c.values.places import InMemory, InRegisters, Place, Value, literal
from xgen.frontends.c.values.reals import is_real
from xgen.frontends.c.values.types import (
    CHAR,
    INT,
    UCHAR,
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
    has_tail,
    is_flexible,
    leaves,
    plain,
    size_of,
    with_tail,
)
from xgen.frontends.conditions import negated
from xgen.frontends.library.call import INVALID, NO_MEMORY
from xgen.frontends.limits import COMPARED, LARGEST, PARTS, POOL, TOO_MANY_OBJECTS
from xgen.frontends.multiples import part_of
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, Conditional, IntLiteral, Name
from xgen.records import replace


def _malloc(call: Call) -> Value:
    body, (size,) = call.body, call.arguments
    bytes_ = body.number(size)
    return _or_null(body, call.node, lambda: _allocate(body, size, bytes_, call.node, call.wanted, True), bytes_)


def _calloc(call: Call) -> Value:
    body, (count_node, size_node) = call.body, call.arguments
    count, size = body.number(count_node), body.number(size_node)
    bytes_ = body.operate("*", count, size, call.node)
    given = partial(_allocate, body, size_node, bytes_, call.node, call.wanted, False)
    return _or_null(body, call.node, given, count, size)


def _aligned_alloc(call: Call, *, of_multiples: bool = True) -> Value:
    """memalign of glibc, which any size is given to, is not `of_multiples`."""
    body, (alignment, size) = call.body, call.arguments
    at = body.number(alignment)
    _check_alignment(body, at, body.number(size) if of_multiples else literal(0, ULLONG), call.node)
    if not body.flow.reachable:
        return literal(0, Pointer(VOID))
    bytes_, aligned = body.number(size), at.constant
    assert aligned is not None
    given = partial(_allocate, body, size, bytes_, call.node, call.wanted, True, aligned)
    return _or_null(body, call.node, given, bytes_)


def _free(call: Call) -> Value:
    return free(call.body, call.body.number(call.arguments[0]), call.node)


def _posix_memalign(call: Call) -> Value:
    """posix_memalign: the pointer is written where the first argument leads to."""
    body, arguments, node = call.body, call.arguments, call.node
    to, alignment, size = body.numbers(arguments)
    a = alignment.constant
    if a is None:
        body.refuse("an alignment that is no constant is", node)
    if a < 8 or a & (a - 1):
        return literal(INVALID, INT)
    place = body.target(to, Pointer(VOID))

    def given() -> Value:
        body.store(place, _allocate(body, arguments[2], size, node, _type_there(body, place), True, a), node)
        return literal(0, INT)

    return _or_else(body, node, given, literal(NO_MEMORY, INT))


def _or_null(body: Body, node: c_ast.Node, given: Callable[[], Value], *sizes: Value) -> Value:
    """What an allocation gives: a pointer, or null with `errno`, where the options say that it may fail, or where the
    product of sizes, which are known, is more than an object may have."""
    known = [size.constant for size in sizes]
    if prod(2**64 if each is None else each % 2**64 for each in known) > LARGEST and None not in known:
        set_errno(body, literal(NO_MEMORY, INT), node)
        return literal(0, Pointer(VOID))
    return _or_else(body, node, given, literal(0, Pointer(VOID)), NO_MEMORY)


def _or_else(body: Body, node: c_ast.Node, given: Callable[[], Value], fails: Value, error: int | None = None) -> Value:
    """What is `given`, or, where the options say that there may be no memory, what says so."""
    if body.world.options.malloc is None or not body.flow.reachable:
        return given()
    there, result, position = Name(body.fresh()), body.fresh(), body.position(node)
    otherwise, end = body.flow.label(), body.flow.label()
    body.flow.emit(xcfa.Havoc(there, (IntLiteral(0), IntLiteral(1)), position))
    body.flow.branch(Binary("=", there, IntLiteral(0)), otherwise, position)
    body.assign(result, given(), node)
    body.flow.jump(end, position)
    body.flow.bind(otherwise)
    if error is not None:
        set_errno(body, literal(error, INT), node)
    body.assign(result, fails, node)
    body.flow.bind(end)
    return body.result(result, fails.type)


def _type_there(body: Body, place: Place) -> CType | None:
    """The type of the scalar that is at a place, where that is known."""
    if isinstance(place, InRegisters):
        leaf = place.variable.leaves.get(place.offset)
    else:
        found = body.object_at(place)
        leaf = found[0].by_offset[found[1]] if found else None
    return plain(leaf.type) if leaf else None


def _alloca(call: Call) -> Value:
    """alloca: memory that ends with the function that asks for it."""
    body, node, (size,), wanted = call.body, call.node, call.arguments, call.wanted
    bytes_ = body.number(size).constant
    type_ = None if bytes_ is None or bytes_ <= 0 else _allocated_type(body, size, bytes_, wanted)
    if type_ is None or body.looping:
        body.refuse("`alloca` of a size or type that is not known here, or in a loop, is", node)
    found = body.world.memory.allocate(f"{body.thread}.alloca", type_, id(node), undefined=True, life="stack")
    body.world.expose(id(node))
    body.world.may_end(id(node))
    body.activations[-1].until_return.append(found)
    body.flow.learn(ended(found), 0)
    return literal(found.address, Pointer(VOID))


def _check_alignment(body: Body, alignment: Value, size: Value, node: c_ast.Node) -> None:
    """A power of two that the size is a multiple of."""
    a, n = alignment.constant, size.constant
    if a is None or n is None:
        body.refuse("an alignment that is no constant is", node)
    if a <= 0 or a & (a - 1) or n % a:
        body.check(BoolLiteral(False), "bad-allocation", node)


def _allocate(
    body: Body,
    size_node: c_ast.Node,
    size: Value,
    node: c_ast.Node,
    wanted: CType | None,
    undefined: bool,
    aligned: int = 1,
) -> Value:
    """A new object. Its type is what the pointer is converted to, else what `sizeof` speaks of."""
    bytes_ = untyped_memory.size(body.parts, size, node)
    if bytes_ is None:
        body.refuse("allocating memory of a size that is not known here is", node)
    if bytes_ <= 0:
        body.check(BoolLiteral(False), "bad-allocation", node)
        return literal(0, Pointer(VOID))
    type_ = _allocated_type(body, size_node, bytes_, wanted)
    key: object = id(node)
    if type_ is None:  # what it is for is seen later: each way that leads here may have its own
        key = (key, *[id(activation.call) for activation in body.activations], bytes_)
    hint, position = _name_of(body, node), body.position(node)
    body.world.expose(key)
    body.world.may_end(key)

    def one() -> Object:
        what, untyped_memory = type_ or Array(UCHAR, bytes_), type_ is None
        found = body.world.memory.allocate(
            hint, what, key, undefined, life="heap", position=position, untyped=untyped_memory, aligned=aligned
        )
        reuse.may_come_back(body, found)
        return found

    objects = [one() for _ in range(POOL if body.looping else 1)]

    def new() -> Value:
        if body.looping:
            return _from_pool(body, objects, node)
        body.lifetime("alloc", IntLiteral(objects[0].address), node)
        return literal(objects[0].address, Pointer(VOID))

    return reuse.or_again(body, objects[0], aligned, undefined, new, node)


def _name_of(body: Body, node: c_ast.Node) -> str:
    """What an object is called: as the variable or the field that first holds its address."""
    call: c_ast.Node | None = node
    for activation in reversed(body.activations):
        definition = activation.routine.definition
        assert definition is not None
        name = body.world.blocks.holders(definition.body).get(id(call))
        if name:
            known = isinstance(body.world.scope.names.get(name), Object)
            return f"{activation.routine.word}.{name}" if known else name
        if name is None:
            break
        call = activation.call
    return f"{body.thread}.malloc"


def _from_pool(body: Body, objects: list[Object], node: c_ast.Node) -> Value:
    """One of several objects, by a counter of the thread."""
    counter, position = body.fresh("allocated"), body.position(node)
    for found in objects:
        found.pooled = True
    enough = body.flow.label()
    body.flow.branch(Binary("<", Name(counter), IntLiteral(POOL)), enough, position)
    body.flow.emit(xcfa.Cut(position, TOO_MANY_OBJECTS))
    body.flow.known = None
    body.flow.bind(enough)
    step = objects[1].address - objects[0].address
    address = body.fresh()
    place = Binary("+", IntLiteral(objects[0].address), Binary("*", Name(counter), IntLiteral(step)))
    body.flow.assign(address, place, position)
    body.flow.assign(counter, Binary("+", Name(counter), IntLiteral(1)), position)
    body.lifetime("alloc", Name(address), node)
    return Value(Name(address), Pointer(VOID))


def _allocated_type(body: Body, size_node: c_ast.Node, bytes_: int, wanted: CType | None) -> CType | None:
    candidates: list[CType] = []
    for type_ in (wanted, *(activation.wanted for activation in reversed(body.activations))):
        if isinstance(type_, Pointer):
            candidates.append(plain(type_.target))
        if not isinstance(type_, Pointer) or not isinstance(type_.target, Void):
            break  # what a function gives as `void *` may be for what its call is converted to
    for part in _sizeofs(size_node):
        candidates.append(body.type_of(part) if isinstance(part, c_ast.Typename) else body.type_of_value(part))
    for type_ in candidates:
        size = 0 if isinstance(type_, Void) else size_of(type_)
        if size and bytes_ == size:
            return type_
        tail = isinstance(type_, Record) and has_tail(type_) and (is_flexible(type_) or _is_sum(size_node))
        if size and bytes_ % size == 0 and not tail:
            return Array(type_, bytes_ // size)
        if isinstance(type_, Record) and has_tail(type_) and bytes_ > size:
            return with_tail(type_, bytes_)
    return None


def _realloc(call: Call) -> Value:
    """A new object with the old one's values; the old one is freed."""
    body, arguments, node, wanted = call.body, call.arguments, call.node, call.wanted
    old, size = body.plain_number(body.number(arguments[0])), body.number(arguments[1])
    if old.constant is None:
        kept = body.keep(old, node)
        return _or_null(body, node, lambda: _renewed_any(call, kept, size, wanted), size)
    found = next(iter(_allocated(body, old.constant)), None) if old.constant else None
    if old.constant and found is None:
        body.check(BoolLiteral(False), "bad-free", node)
    return _or_null(body, node, lambda: _renewed(call, old, found, size, wanted), size)


def _renewed(call: Call, old: Value, found: Object | None, size: Value, wanted: CType | None) -> Value:
    body, node = call.body, call.node
    if found is None:
        return _allocate(body, call.arguments[1], size, node, wanted, True)
    new, target = _new_one(call, size, wanted)
    if target is None:
        return new
    if not _moved(body, found, target, node):
        body.refuse("reallocating memory for values of another type is", node)
    free(body, old, node)
    return new


def _renewed_any(call: Call, old: Value, size: Value, wanted: CType | None) -> Value:
    """The same where it is not known which memory is the old one: any that has been allocated before, here."""
    body, node, position = call.body, call.node, call.body.position(call.node)
    before = _allocated(body, None)
    new, target = _new_one(call, size, wanted)
    if target is None:
        return new
    end = body.flow.label()
    body.flow.branch(negated(truth(old)), end, position)
    for found in before:
        following = body.flow.label()
        body.flow.branch(Binary("/=", old.expression, IntLiteral(found.address)), following, position)
        mark = body.flow.mark()
        if _moved(body, found, target, node):
            free(body, literal(found.address, Pointer(VOID)), node)
            body.flow.jump(end, position)
        else:  # a pointer that is given here leads to none of this type
            body.flow.cut(mark)
            _cut(body, "memory of another type gets another size here", node)
        body.flow.bind(following)
    _cut(body, "memory that is not known here gets another size", node)
    body.flow.bind(end)
    return new


def _cut(body: Body, why: str, node: c_ast.Node) -> None:
    body.flow.emit(xcfa.Cut(body.position(node), why))
    body.flow.known = None


def _new_one(call: Call, size: Value, wanted: CType | None) -> tuple[Value, Object | None]:
    """New memory for values of another; its object, if anything gets here."""
    body, node = call.body, call.node
    new = _allocate(body, call.arguments[1], size, node, wanted, True)
    if not body.flow.reachable:
        return new, None
    if new.constant is None:
        body.refuse("reallocating memory in a loop whose rounds are not known is", node)
    return new, body.world.memory.at(new.constant)


def _moved(body: Body, found: Object, target: Object, node: c_ast.Node) -> bool:
    """Copies all values for which there is room; whether the types are such that this can be done."""
    for leaf in found.leaves:
        if leaf.offset + size_of(leaf.type) > size_of(target.type):
            continue
        body.parts.take(target, [replace(leaf, part=True)])
        place = InMemory(IntLiteral(found.address + leaf.offset), plain(leaf.type))
        other = target.by_offset.get(leaf.offset)
        if other is None or size_of(other.type) != size_of(leaf.type):
            return False
        there = InMemory(IntLiteral(target.address + leaf.offset), place.type)
        body.copies.put(there, body.copies.taken(place, node), node)
    return True


def free(body: Body, pointer: Value, node: c_ast.Node) -> Value:
    """What was freed may be used no more: all its accesses are events from now on."""
    if pointer.alias:
        body.check(BoolLiteral(False), "bad-free", node)
        return NOTHING
    address = body.keep(pointer, node)
    if address.constant == 0:
        return NOTHING
    end = body.flow.label()
    if address.constant is None:
        body.flow.branch(negated(truth(address)), end, body.position(node))
    found = _allocated(body, address.constant)
    if address.constant is not None and not found:
        body.check(BoolLiteral(False), "bad-free", node)
    for object_ in found:
        body.ends(object_)
    reuse.give_back(body, address, end, node)
    body.lifetime("free", address.expression, node)
    body.flow.bind(end)
    return NOTHING


def _allocated(body: Body, address: int | None) -> list[Object]:
    """The allocated objects that an address may be the start of."""
    heap = (found for found in body.world.memory.objects if found.life == "heap")
    return [found for found in heap if address is None or found.address == address]


def _copy_bytes(call: Call) -> Value:
    """memcpy, memmove: scalar by scalar, of the type that the pointers have; all is read first."""
    return _copied(call)[0]


def _copied(call: Call) -> tuple[Value, Value]:
    """Where to something was copied, and how many bytes."""
    body, node = call.body, call.node
    to, source, count = _ends(call)
    for size in each_length(body, count, (to, source), node, "copied"):
        for targets, values in _taken(body, to, source, size, node):
            body.copies.put_all(targets, values, node)
    return to, count


def _copy_to_the_end(call: Call) -> Value:
    """mempcpy: where the copy ends."""
    to, count = _copied(call)
    return convert(call.body.shift(convert(to, Pointer(CHAR)), count, 1), Pointer(VOID))


def _swap(call: Call) -> Value:
    """What shipped bodies exchange the bytes of two places with."""
    to, source, count = _ends(call)
    size = count.constant
    if size is None:
        call.body.refuse("exchanging a number of bytes that is not known here is", call.node)
    pairs = [_taken(call.body, *ends, size, call.node) for ends in ((to, source), (source, to))]
    for targets, values in [*pairs[0], *pairs[1]]:
        call.body.copies.put_all(targets, values, call.node)
    return NOTHING


def _ends(call: Call) -> tuple[Value, Value, Value]:
    """Two pointers, and a number of bytes."""
    body, node = call.body, call.node
    to, source, count = (body.keep(body.number(argument), node) for argument in call.arguments)
    return to, source, body.plain_number(count)


def each_length(body: Body, count: Value, places: Iterable[Value], node: c_ast.Node, what: str) -> Iterator[int]:
    """The numbers of bytes that a call may be about, in code that is reached where it is so many. What is done with
    them is the same each time; behind the largest number, the thread is cut, or has left the object."""
    if count.constant is not None or body.is_idle:
        yield count.constant or 0
        return
    count, position, end = body.keep(convert(count, ULLONG), node), body.position(node), body.flow.label()
    part = part_of(count.expression, body.flow.steps)
    room = min((room for place in places if (room := _room(body, place)) is not None), default=None)
    for number in range(PARTS + 1):
        if room is not None and part * number > room:
            break
        following = body.flow.label()
        body.flow.branch(Binary("/=", count.expression, IntLiteral(part * number)), following, position)
        yield part * number
        body.flow.jump(end, position)
        body.flow.bind(following)
    if room is not None:
        not_more = Binary("<=", count.expression, IntLiteral(room))
        body.check(Binary("and", Binary("<=", IntLiteral(0), count.expression), not_more), "out-of-bounds", node)
    of = f"parts of {part} bytes" if part > 1 else "bytes"
    body.flow.emit(xcfa.Cut(position, f"another number than 0 to {PARTS} {of} are {what} here"))
    body.flow.known = None
    body.flow.bind(end)


def _room(body: Body, place: Value) -> int | None:
    """How many bytes there are from a place to the end of its object, where that is known."""
    if place.alias:
        return size_of(place.alias.variable.type) - place.alias.offset
    found = body.world.memory.at(place.constant) if place.constant is not None else None
    return None if found is None or place.constant is None else found.address + size_of(found.type) - place.constant


def _taken(body: Body, to: Value, source: Value, size: int, node: c_ast.Node) -> list[tuple[list[Place], list[Value]]]:
    """What is read of some bytes, and where it is going to be written."""
    copied = _bytes_type(body, to, source, size, node) if size else []

    def part(of: Value, leaf: Leaf) -> Place:
        return body.moved(body.target(of, VOID), leaf.offset, plain(leaf.type))

    read: list[tuple[list[Place], list[Value]]] = []
    for leaf in copied:
        sources, targets = body.copies.alike_parts(part(source, leaf), part(to, leaf), node)
        read.append((targets, [body.keep(value, node) for value in body.copies.taken_all(sources, node)]))
    return read


def _scalar(body: Body, pointer: Value, leaf: Leaf, node: c_ast.Node) -> Value:
    """What is at a place behind a pointer; not an atomic access."""
    return body.load(body.moved(body.target(pointer, VOID), leaf.offset, plain(leaf.type)), node)


def _compare_bytes(call: Call) -> Value:
    """memcmp: -1, 0 or 1. All is read; the first scalar that differs decides, by its bytes from the lowest on."""
    body, node = call.body, call.node
    left, right, count = _ends(call)
    result = body.fresh()
    for size in each_length(body, count, (left, right), node, "compared"):
        found = _compared(body, left, right, size, node)
        if count.constant is not None or body.is_idle:
            return found
        body.flow.assign(result, found.expression, body.position(node))
    return body.result(result, INT)


def _compared(body: Body, left: Value, right: Value, size: int, node: c_ast.Node) -> Value:
    if size > COMPARED:
        body.refuse(f"which of more than {COMPARED} bytes are the larger ones is", node)
    pairs = []
    for leaf in _bytes_type(body, left, right, size, node) if size else ():
        width = size_of(leaf.type)
        unsigned = Int("", 8 * width, False, 0)
        a, b = (as_stored(body.plain_number(_scalar(body, side, leaf, node)), unsigned) for side in (left, right))
        pairs.append([body.keep(swapped(convert(body.keep(side, node), ULLONG), width), node) for side in (a, b)])
    result = literal(0, INT)
    for a, b in reversed(pairs):
        less = body.operate("-", body.operate(">", a, b, node), body.operate("<", a, b, node), node)
        if less.constant is not None:
            result = less if less.constant else result
            continue
        same = truth(body.operate("==", a, b, node))
        result = body.keep(Value(Conditional(same, result.expression, less.expression), INT), node)
    return result


def _set_bytes(call: Call) -> Value:
    body, arguments, node = call.body, call.arguments, call.node
    to, byte = body.number(arguments[0]), body.keep(convert(body.number(arguments[1]), UCHAR), node)
    to = body.keep(to, node)
    count = body.plain_number(body.keep(body.number(arguments[2]), node))
    for size in each_length(body, count, (to,), node, "set"):
        _set(body, to, byte, size, node)
    return to


def _set(body: Body, to: Value, byte: Value, size: int, node: c_ast.Node) -> None:
    for leaf in _bytes_type(body, to, to, size, node) if size else ():
        each = literal(int.from_bytes(bytes([1]) * size_of(leaf.type), "little"), ULLONG)
        value = body.operate("*", convert(byte, ULLONG), each, node)
        place = body.moved(body.target(to, VOID), leaf.offset, plain(leaf.type))
        if is_real(leaf.type) and value.constant is None:
            body.refuse(f"setting bytes of {plain(leaf.type)} that are not known here is", node)
        as_it_is = value if value.constant is None else literal(converted(value.constant, leaf.type), leaf.type)
        body.store(place, as_it_is, node)


def _zero_bytes(call: Call) -> Value:
    """bzero."""
    pointer, size = call.arguments
    _set_bytes(replace(call, arguments=(pointer, c_ast.Constant("int", "0"), size)))
    return NOTHING


def _bytes_type(body: Body, to: Value, source: Value, size: int, node: c_ast.Node) -> list:  # type: ignore[type-arg]
    """The scalars of the bytes that start at a pointer."""
    for value, other in ((to, source), (source, to)):
        if isinstance(value.type, Pointer):
            untyped_memory.becomes(body.parts, value, value.type)
        there = _known_leaves(body, other, size, node)
        if value.constant is not None:
            untyped_memory.holds(body.parts, value.constant, there or ())
        found = _known_leaves(body, value, size, node)
        if found is not None:
            return found if there is None else [leaf for leaf in found if _overlaps(leaf, there)]
        type_ = value.type.target if isinstance(value.type, Pointer) else VOID
        width = 0 if isinstance(type_, Void) or type_ in (CHAR,) else size_of(type_)
        if width and size % width == 0:
            return list(leaves(Array(type_, size // width)))
    return body.refuse("copying or setting bytes of which it cannot be seen what they are is", node)


def _overlaps(leaf: Leaf, others: list[Leaf]) -> bool:
    """Whether some of a scalar's bytes are of others: those that are padding there are nobody's."""
    return any(leaf.offset < other.end and other.offset < leaf.end for other in others)


def _known_leaves(body: Body, value: Value, size: int, node: c_ast.Node) -> list | None:  # type: ignore[type-arg]
    """The scalars that really are at an address, where it is known."""
    start, whole, all_leaves = 0, 0, None
    key: object = None
    if value.alias:
        variable = value.alias.variable
        start, whole, all_leaves = value.alias.offset, size_of(variable.type), list(variable.leaves.values())
        key = variable.key
    elif value.constant is not None:
        found = body.world.memory.at(value.constant)
        if found:
            start, whole, all_leaves = value.constant - found.address, size_of(found.type), found.leaves
            key = found.key
    if all_leaves is None:
        return None
    end = start + size
    if end > whole:
        body.check(BoolLiteral(False), "out-of-bounds", node)
        return []
    inside = [leaf for leaf in all_leaves if start < leaf.offset + size_of(leaf.type) and leaf.offset < end]
    if any(leaf.offset < start or leaf.offset + size_of(leaf.type) > end for leaf in inside):
        if body.is_idle:
            return None
        body.parts.cut(key, start, end)
    return [replace(leaf, offset=leaf.offset - start) for leaf in inside]


def _sizeofs(node: c_ast.Node) -> list[c_ast.Node]:
    found = []
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, c_ast.UnaryOp) and part.op == "sizeof":
            found.append(part.expr)
        todo.extend(part)
    return found


def _is_sum(size: c_ast.Node) -> bool:
    """Whether a size is one of a struct and of what comes behind it."""
    return isinstance(size, c_ast.BinaryOp) and size.op in ("+", "-")


def swapped(value: Value, bytes_: int) -> Value:
    """The number, an unsigned long, with its bytes in the opposite order."""
    result = literal(0, ULLONG)
    for k in range(bytes_):
        byte = binary("&", binary(">>", value, literal(8 * k, INT), unchecked), literal(255, ULLONG), unchecked)
        moved = binary("<<", byte, literal(8 * (bytes_ - 1 - k), INT), unchecked)
        result = binary("|", result, moved, unchecked)
    return result


HANDLERS: dict[str, Handler] = {
    "malloc": _malloc,
    "calloc": _calloc,
    "aligned_alloc": _aligned_alloc,
    "memalign": partial(_aligned_alloc, of_multiples=False),
    "posix_memalign": _posix_memalign,
    "alloca": _alloca,
    "realloc": _realloc,
    "free": _free,
    "memcpy": _copy_bytes,
    "memmove": _copy_bytes,
    "mempcpy": _copy_to_the_end,
    "bzero": _zero_bytes,
    "__xgen_swap": _swap,
    "memcmp": _compare_bytes,
    "memset": _set_bytes,
}
BY_ADDRESS = HANDLERS.keys() - {"alloca", "__xgen_swap"}
"""The functions whose addresses may be taken."""
HANDLERS |= {
    f"__builtin_{name}": HANDLERS[name]
    for name in ("malloc", "calloc", "free", "alloca", "memcpy", "memmove", "mempcpy", "memcmp", "memset", "bzero")
}
OF_BYTES = {
    prefix + name for prefix in ("", "__builtin_") for name in ("memcpy", "memmove", "mempcpy", "memset", "bzero")
}
"""Those that write so many bytes."""
