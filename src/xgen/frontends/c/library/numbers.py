"""GCC's functions on the bits of a number: `__builtin_popcount`, `clz`, `ctz`, `clrsb`, `ffs`, `parity`, `bswap`; and
those of math.h."""

from __future__ import annotations

import math
from functools import partial

from pycparser import c_ast

from xgen.frontends import bits, conditions, reals
from xgen.frontends.c.language.body import Body
from xgen.frontends.c.library.call import Call, Handler
from xgen.frontends.c.library.heap import swapped
from xgen.frontends.c.values.arithmetic import binary, convert, truth, unchecked
from xgen.frontends.c.values.places import Value, literal
from xgen.frontends.c.values.reals import is_real
from xgen.frontends.c.values.types import (
    DOUBLE,
    FLOAT,
    INT,
    LLONG,
    LONG,
    UINT,
    ULLONG,
    ULONG,
    USHORT,
    Int,
    Real,
    of_64_bits,
    size_of,
)
from xgen.program.automaton import Conditional, Expression, IntLiteral

_SIZES = ("", "l", "ll")
_SWAPPED = {"16": USHORT, "32": UINT}


def _swapped(call: Call, type_: Int) -> Value:
    value = call.body.keep(convert(convert(call.body.number(call.arguments[0]), type_), ULLONG), call.node)
    return convert(swapped(value, type_.bits // 8), type_)


def _counted(call: Call, what: str, type_: Int) -> Value:
    """Numbers are counted in as 64 bits without a sign."""
    body, node = call.body, call.node
    value = body.plain_number(body.number(call.arguments[0]))
    value = body.keep(convert(convert(value, type_), ULLONG), node)
    return convert(_bits_of(body, what, value, type_, node), INT)


def _bits_of(body: Body, what: str, value: Value, type_: Int, node: c_ast.Node) -> Value:
    if what in ("clz", "ctz"):
        body.check(truth(value), "undefined", node)
    number = value.expression

    def keep(found: Expression) -> Expression:
        return body.keep(Value(found, ULLONG), node).expression

    def ones(found: Expression) -> Value:
        return Value(bits.ones(found, keep), ULLONG)

    if what == "clz":
        return _op("-", literal(type_.bits, INT), ones(bits.smeared(number, keep)))
    if what == "clrsb":  # those behind the sign that are as it is: of such a number without one, `clz` less 1
        flipped = _op("^", value, _op("-", literal(0, ULLONG), _op(">>", value, type_.bits - 1)))
        within = keep(_op("&", flipped, (1 << type_.bits) - 1).expression)
        return _op("-", literal(type_.bits - 1, INT), ones(bits.smeared(within, keep)))
    if what == "popcount":
        return ones(number)
    if what == "parity":
        return _op("&", ones(number), 1)
    zeros = ones(bits.below_lowest(number, keep))
    if what == "ctz":
        return zeros
    found = _op("+", zeros, 1)
    if value.constant is not None:
        return found if value.constant else literal(0, INT)
    return Value(Conditional(truth(value), found.expression, IntLiteral(0)), ULLONG)


def _op(op: str, left: Value, right: Value | int) -> Value:
    other = right if isinstance(right, Value) else literal(right, INT if op in ("<<", ">>") else ULLONG)
    return binary(op, left, other, unchecked)


def _swap_of(size: str) -> Handler:
    return lambda call: _swapped(call, of_64_bits(False) if size == "64" else _SWAPPED[size])


def _count_of(what: str, size: str) -> Handler:
    return lambda call: _counted(call, what, {"": UINT, "l": ULONG, "ll": ULLONG}[size])


def _real(call: Call, name: str, type_: Real) -> Value:
    """A function of math.h, of numbers of one type."""
    width, values = size_of(type_), [convert(call.body.number(each), type_) for each in call.arguments]
    numbers = [call.body.keep(value, call.node).expression for value in values]
    return Value(reals.function(name, numbers, width), type_)


def _to_long(call: Call, name: str, type_: Real) -> Value:
    """`lround` and its like."""
    value = call.body.keep(convert(call.body.number(call.arguments[0]), type_), call.node)
    return Value(reals.to_long(name, value.expression, size_of(type_)), LLONG if name[:2] == "ll" else LONG)


def _is_such(call: Call, name: str) -> Value:
    """isnan, isinf, isfinite."""
    value = call.body.keep(call.body.number(call.arguments[0]), call.node)
    value = value if is_real(value.type) else convert(value, DOUBLE)
    width = size_of(value.type)
    infinity, number = IntLiteral(reals.bits_of(math.inf, width)), reals.absolute(value.expression, width)
    return Value(conditions.number(reals.comparison(reals.CLASSES[name], number, infinity, width)), INT)


_REALS = (("", DOUBLE), ("f", FLOAT))
"""What names of functions end with, and the type of their numbers."""
_COUNTS = {
    (what, size): _count_of(what, size)
    for what in ("popcount", "clz", "ctz", "clrsb", "ffs", "parity")
    for size in _SIZES
}
HANDLERS: dict[str, Handler] = {
    **{f"__builtin_bswap{size}": _swap_of(size) for size in ("16", "32", "64")},
    **{f"__builtin_{what}{size}": handler for (what, size), handler in _COUNTS.items()},
    **{
        f"{prefix}{name}{suffix}": partial(_real, name=name, type_=type_)
        for name in reals.OF_MATH_H
        for suffix, type_ in _REALS
        for prefix in ("", "__builtin_")
    },
    **{
        f"{name}{suffix}": partial(_to_long, name=name, type_=type_)
        for name in reals.TO_LONG
        for suffix, type_ in _REALS
    },
    **{f"__builtin_{name}": partial(_is_such, name=name) for name in reals.CLASSES},
}
