"""Memory whose type is seen later: what bytes are taken as.

What is allocated behind a wrapper or a pointer to a function is so many bytes, as an array of chars is. A pointer there
that becomes one of a type, and an access, tell what scalars these bytes are: a fact, with which the translation starts
again. Where it is not known which bytes a pointer leads to, but in which object they are, all of it is taken so.
So are sizes that are not known: they are taken to be what they would be at first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pycparser import c_ast

from xgen.frontends.c.language.memory import FIRST, Object
from xgen.frontends.c.language.mixed_size import MixedSize, scalar_of
from xgen.frontends.c.values.places import Value
from xgen.frontends.c.values.types import (
    CType,
    Leaf,
    Pointer,
    Void,
    is_byte,
    is_complete,
    is_scalar,
    leaves,
    number_of,
    plain,
    size_of,
)
from xgen.frontends.conditions import names_in
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, Expression, IntLiteral, Name, postorder
from xgen.program.rewrite import folded, rewrite
from xgen.records import replace

_MOST = 1 << 14
"""Bytes of an object that are taken as something all at once; of one whose size is not known."""
_DEPTH = 64
"""Steps back that are looked at for a size."""


def becomes(parts: MixedSize, pointer: Value, type_: CType) -> None:
    """A value becomes a pointer of a type, if it does: but for those to bytes, which may be to anything."""
    if isinstance(type_, Pointer) and not is_byte(plain(type_.target)):
        leads(parts, pointer, type_.target)


def leads(parts: MixedSize, pointer: Value, type_: CType) -> None:
    """A pointer leads to something of a type: bytes there are taken as that."""
    if parts.body.is_idle or pointer.alias or isinstance(type_, Void) or not is_complete(type_):
        return
    if pointer.constant is not None:
        found = parts.bytes_at(pointer.constant)
        if found:
            start = pointer.constant - found.address
            parts.take(found, _laid_out(found, type_, start, is_scalar(type_)))
        return
    if not parts.body.world.memory.has_bytes:
        return
    if is_byte(plain(type_)):
        parts.access_bytes()
    for base in _bases(parts, pointer.expression):
        found = parts.bytes_at(base)
        if found is None:
            continue
        if found.pooled:
            parts.take(found, _laid_out(found, type_, base - found.address, True))
        else:
            parts.take(found, _everywhere(found, type_, base - found.address))


def holds(parts: MixedSize, address: int, scalars: Iterable[Leaf]) -> None:
    """Bytes at an address get or give what scalars hold, by their offsets from there: they are taken as these."""
    found = parts.bytes_at(address)
    if found is not None and not parts.body.is_idle:
        start = address - found.address
        parts.take(
            found, [_as_taken(replace(leaf, offset=start + leaf.offset)) for leaf in scalars if size_of(leaf.type) > 1]
        )


def _bases(parts: MixedSize, pointer: Expression) -> list[int]:
    """Addresses that a pointer may have been computed from, as far as this thread has."""
    found: dict[int, None] = {}
    seen: set[str] = set()
    todo = [pointer]
    while todo:
        for part in postorder(todo.pop()):
            if isinstance(part, IntLiteral) and part.value >= FIRST:
                found[part.value] = None
            elif isinstance(part, Name) and part.name not in seen:
                seen.add(part.name)
                todo += parts.body.flow.assigned.get(part.name, ())
    return list(found)


def _laid_out(object_: Object, type_: CType, start: int, scalar: bool = False) -> Iterator[Leaf]:
    """The scalars of a type in an object; they are called as in one of that type."""
    first = object_.bytes.get(start, "") if start or not scalar else ""
    prefix = "" if start == 0 and object_.untyped else first
    for leaf in leaves(type_, prefix, start):
        yield _as_taken(leaf)


def _as_taken(leaf: Leaf) -> Leaf:
    return replace(leaf, type=Pointer(Void()) if isinstance(leaf.type, Pointer) else scalar_of(leaf.type), part=True)


def _everywhere(object_: Object, type_: CType, start: int) -> Iterator[Leaf]:
    """The scalars that an object is made of if it holds something of a type anywhere from some byte on. It is not known
    how far they are apart: where a type's size says nothing of that, all is cut as its smallest scalar is."""
    size, end = size_of(type_), size_of(object_.type)
    if not 0 < size <= end - start or end > _MOST:
        return
    if is_scalar(type_):
        covered = {at for leaf in object_.taken for at in range(leaf.offset, leaf.end)}
        free = (at for at in range(start, end - size + 1, size) if covered.isdisjoint(range(at, at + size)))
        for at in free:
            yield from _laid_out(object_, type_, at)
        return
    if size & (size - 1) == 0:
        for at in range(start, end - size + 1, size):
            yield from _laid_out(object_, type_, at)
        return
    smallest = min((size_of(leaf.type) for leaf in leaves(type_)), default=0)
    for at in range(start, end - smallest + 1, smallest) if smallest else ():
        yield Leaf(object_.bytes.get(at, ""), at, number_of(smallest), True)


def size(parts: MixedSize, value: Value, node: c_ast.Node) -> int | None:
    """The number that a size is. Where that is not known, it is what it would be if memory were as it was when the
    first thread was started; else the execution is cut."""
    if value.constant is not None or value.alias or parts.body.is_idle:
        return value.constant
    value = parts.body.keep(value, node)
    found = _as_at_first(parts, value.expression)
    if found is None or not 0 <= found <= _MOST:
        return None
    position, same = parts.body.position(node), parts.body.flow.label()
    parts.body.flow.branch(Binary("=", value.expression, IntLiteral(found)), same, position)
    parts.body.flow.emit(xcfa.Cut(position, f"this size is not {found} here, as it would be at first"))
    parts.body.flow.known = None
    parts.body.flow.bind(same)
    return found


def _as_at_first(parts: MixedSize, expression: Expression) -> int | None:
    """What an expression is if what it depends on is as it was at first; None where that is not known either.

    The steps before it are looked through backwards for what its locals got last, and for what that depended on then.
    """
    wanted, used = set(names_in(expression)), list[xcfa.Assign]()
    known: dict[str, Expression] = {}
    for step in reversed(parts.body.flow.steps):
        for name in wanted & parts.body.flow.loaded.keys():
            wanted.discard(name)
            known[name] = _loaded(parts, name)
        if not wanted or len(used) > _DEPTH:
            break
        if isinstance(step, xcfa.Assign) and step.target.name in wanted:
            used.append(step)
            wanted.discard(step.target.name)
            wanted |= names_in(step.value)
    if wanted:
        return None
    for step in reversed(used):
        known[step.target.name] = _with(step.value, known)
    found = _with(expression, known)
    return found.value if isinstance(found, IntLiteral) else None


def _with(expression: Expression, known: Mapping[str, Expression]) -> Expression:
    return folded(rewrite(expression, lambda name, _: known.get(name.name, name)))


def _loaded(parts: MixedSize, name: str) -> Expression:
    """What a local is that was read from a scalar, if that is as it was at first."""
    object_, offset = parts.body.flow.loaded[name]
    mark = f"@{object_.name}{object_.by_offset[offset].name}"
    value = (parts.body.world.settled or parts.body.flow.known or {}).get(mark, object_.first(offset))
    return IntLiteral(value) if isinstance(value, int) else Name(name)
