"""Types that are const, and what two declarations say together (C11, 6.2.7)."""

from __future__ import annotations

from xgen.frontends.c.values.types import (
    Array,
    Const,
    CType,
    Function,
    Int,
    Pointer,
    Record,
    as_volatile,
    compatible,
    has_volatile,
    unqualified,
)
from xgen.records import replace


def const(type_: CType) -> CType:
    """The type with `const`: of an array, its elements have it."""
    if isinstance(type_, Array):
        return Array(const(type_.element), type_.size)
    return type_ if isinstance(type_, Const | Function) else Const(type_)


def constant_part(type_: CType) -> str | None:
    """What keeps an object of a type from being assigned: "" where it is const itself, else the name of a member."""
    match type_:
        case Const():
            return ""
        case Array(element):
            return constant_part(element)
        case Record():
            for member in type_.members or []:
                inner = constant_part(member.type)
                if inner is not None:
                    return f"{member.name}.{inner}".strip(".")
    return None


def shown(type_: CType, inside: str = "") -> str:
    """A type as C writes it."""
    match type_:
        case Function():
            listed = [shown(part) for part in type_.parameters] + ["..."] * type_.variadic
            return shown(type_.result, f"{inside}({', '.join(listed) or 'void' * type_.prototype})")
        case Array(element, size):
            return shown(element, f"{inside}[{'' if size is None else size}]")
        case Pointer(target) | Const(Pointer(target)):
            word = "* const" if isinstance(type_, Const) else "*"
            around = isinstance(target, Function | Array)
            return shown(target, f"({word}{inside})" if around else f"{word}{inside}")
        case Int(enumeration=(name, _)) if name:
            return f"{'_Atomic ' * type_.atomic}enum {name} {inside}".rstrip()
    return f"{type_} {inside}".rstrip()


def fits(one: CType, other: CType, types: bool) -> bool:
    """Whether a case of a selection is for a type, of a value: it is not `volatile` itself. `types`: the selection
    stands for `__builtin_types_compatible_p`, by pointers to two types, for which it makes no difference whether they
    are qualified; an array is so by its elements."""
    if types and isinstance(one, Pointer) and isinstance(other, Pointer):
        return _alike(_bare(one.target), _bare(other.target))
    return not has_volatile(one) and _alike(one, other)


def _alike(one: CType, other: CType) -> bool:
    if isinstance(one, Record) and isinstance(other, Record):
        return other in (one, one.twin) or one is other.twin
    return as_volatile(one, other) and compatible(one, other)


def _bare(type_: CType) -> CType:
    return replace(type_, element=_bare(type_.element)) if isinstance(type_, Array) else unqualified(type_)


def composite(one: CType, other: CType) -> CType:
    """Of two compatible types the one that says more, as far as it matters."""
    if isinstance(one, Array) and isinstance(other, Array):
        return Array(composite(one.element, other.element), one.size if other.size is None else other.size)
    if isinstance(one, Function) and isinstance(other, Function):
        return one if one.prototype else other
    return one
