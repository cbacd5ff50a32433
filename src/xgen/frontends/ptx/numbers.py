"""Numbers of a thread: known ones, and expressions of what is not known until the program runs.

A number of n bits is an int or an expression whose value has the sign that its top bit says, in two's complement. What
an operation gives of known numbers and of unknown ones is said here side by side. A `Nothing` is no number: what has no
value is passed on, and matters where it decides something.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from xgen.program.automaton import Binary, BinaryOp, BoolLiteral, Conditional, Expression, IntLiteral, Unary, Wrap
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Nothing:
    """In place of a value that there is none of. `kind`: what its use is a violation of; "": it is not supported,
    `why` says so, and `hint` what to do.

    Some of its bits may have a value all the same, as those of a structure of which a part is set: `part` has them (a
    state has `Held.LOCAL` in place of an expression), and 0 where `undefined` has a bit, which is one without a value.
    """

    kind: str
    why: str = ""
    hint: str | None = None
    part: Any = 0
    undefined: int = -1

    @property
    def whole(self) -> Nothing:
        """The same with no bits that have a value."""
        return Nothing(self.kind, self.why, self.hint)


UNSET = Nothing("uninitialised")
Number: TypeAlias = int | Expression | Nothing
Truth: TypeAlias = bool | Expression | Nothing


class NotComputed(Exception):
    """An operation that is done with known numbers only; `str` says which."""


def signed(value: int, bits: int) -> int:
    """The number that the lowest bits are, with a sign."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def unsigned(value: int, bits: int) -> int:
    """The same without one."""
    return value & ((1 << bits) - 1)


def expression(value: int | Expression) -> Expression:
    """A value, or a truth, as an expression."""
    if isinstance(value, bool):
        return BoolLiteral(value)
    return IntLiteral(value) if isinstance(value, int) else value


def resized(value: Number, before: int, after: int, with_sign: bool) -> Number:
    """The number with other bits: those that are new are the sign's, or 0."""
    if before == after:
        return value
    if isinstance(value, Nothing):
        part, undefined = resized(value.part, before, after, with_sign), unsigned(value.undefined, before)
        if with_sign and undefined >> (before - 1):
            undefined |= unsigned(-1, after) & ~unsigned(-1, before)
        return partly(value, part, undefined, after)
    if isinstance(value, int):
        return signed(value if with_sign else unsigned(value, before), after)
    if after < before:
        return Wrap(value, after, True)
    return value if with_sign else Wrap(value, before, False)


def partly(nothing: Nothing, part: Number, undefined: int, bits: int) -> Number:
    """A number of which some bits have no value, the others are those of a part."""
    undefined = unsigned(undefined, bits)
    if undefined == 0:
        return part
    if nothing.kind != UNSET.kind or isinstance(part, Nothing) or undefined == unsigned(-1, bits):
        return nothing.whole
    return Nothing(nothing.kind, part=computed("and", bits, part, signed(~undefined, bits)), undefined=undefined)


def _without(operation: str, bits: int, operands: tuple[Number, ...]) -> Number:
    """What an operation gives of numbers of which one is a `Nothing`: it may have bits that have a value."""
    nothing = next(each for each in operands if isinstance(each, Nothing))
    others = [each for each in operands if isinstance(each, Nothing) and each.kind != UNSET.kind]
    if others:
        return others[0]
    parts = [each.part if isinstance(each, Nothing) else each for each in operands]
    masks = [unsigned(each.undefined, bits) if isinstance(each, Nothing) else 0 for each in operands]
    match operation, parts, masks:
        case (("shl" | "shr" | "sar"), [a, int(distance)], [mask, 0]):
            undefined = computed(operation, bits, signed(mask, bits), distance)
            assert isinstance(undefined, int)
            return partly(nothing, computed(operation, bits, a, distance), undefined, bits)
        case (("and" | "or" | "xor"), [a, b], [left, right]):
            undefined = left | right
            for value, mask in ((a, left), (b, right)):
                if operation != "xor" and isinstance(value, int):  # a bit that decides, whatever the other is
                    undefined &= ~(unsigned(value if operation == "or" else ~value, bits) & ~mask)
            return partly(nothing, computed(operation, bits, a, b), undefined, bits)
        case "not", [a], [mask]:
            return partly(nothing, computed("not", bits, a), mask, bits)
    return nothing.whole


# ---- operations

_Fold = Callable[..., int]
_Build = Callable[..., Expression]


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _unsigned_folds(of: Callable[[int, int], int]) -> _Fold:
    return lambda bits, a, b: of(unsigned(a, bits), unsigned(b, bits))


_FOLDS: dict[str, _Fold] = {
    "add": lambda _, a, b: a + b,
    "sub": lambda _, a, b: a - b,
    "mul": lambda _, a, b: a * b,
    "and": lambda _, a, b: a & b,
    "or": lambda _, a, b: a | b,
    "xor": lambda _, a, b: a ^ b,
    "shl": lambda bits, a, b: a << unsigned(b, 32) if unsigned(b, 32) < bits else 0,
    "shr": lambda bits, a, b: unsigned(a, bits) >> min(unsigned(b, 32), bits),
    "sar": lambda bits, a, b: a >> min(unsigned(b, 32), bits - 1),
    "div": lambda _, a, b: _quotient(a, b),
    "rem": lambda _, a, b: a - b * _quotient(a, b),
    "udiv": _unsigned_folds(lambda a, b: a // b),
    "urem": _unsigned_folds(lambda a, b: a % b),
    "min": lambda _, a, b: min(a, b),
    "max": lambda _, a, b: max(a, b),
    "umin": _unsigned_folds(min),
    "umax": _unsigned_folds(max),
    "high": lambda bits, a, b: a * b >> bits,
    "uhigh": lambda bits, a, b: unsigned(a, bits) * unsigned(b, bits) >> bits,
    "not": lambda _, a: ~a,
    "neg": lambda _, a: -a,
    "abs": lambda _, a: abs(a),
    "cnot": lambda _, a: int(a == 0),
    "popc": lambda bits, a: unsigned(a, bits).bit_count(),
    "clz": lambda bits, a: bits - unsigned(a, bits).bit_length(),
    "brev": lambda bits, a: int(format(unsigned(a, bits), f"0{bits}b")[::-1], 2),
}


def _wrapped(op: BinaryOp) -> _Build:
    return lambda bits, a, b: Wrap(Binary(op, a, b), bits, True)


def _bitwise(op: BinaryOp) -> _Build:
    return lambda _, a, b: Binary(op, a, b)


def _without_signs(op: BinaryOp) -> _Build:
    return lambda bits, a, b: Wrap(Binary(op, _plain(a, bits), _plain(b, bits)), bits, True)


def _plain(value: Expression, bits: int) -> Expression:
    """The number without its sign, as far as 64 bits hold it."""
    if isinstance(value, IntLiteral):
        return IntLiteral(value.value if bits == 64 else unsigned(value.value, bits))
    return value if bits == 64 else Wrap(value, bits, False)


def _shifted(op: BinaryOp, beyond: Callable[[int, Expression], Expression]) -> _Build:
    """A shift, by fewer than all bits; by more it gives what `beyond` says."""

    def build(bits: int, a: Expression, b: Expression) -> Expression:
        value = _plain(a, bits) if op == "shr" else a
        if isinstance(b, IntLiteral):
            distance = unsigned(b.value, 32)
            return Wrap(Binary(op, value, IntLiteral(distance)), bits, True) if distance < bits else beyond(bits, a)
        inside = Binary("ult", _plain(b, 32), IntLiteral(bits))
        near = Binary(op, value, Conditional(inside, _plain(b, 32), IntLiteral(0)))
        return Conditional(inside, Wrap(near, bits, True), beyond(bits, a))

    return build


def _zero(_: int, __: Expression) -> Expression:
    return IntLiteral(0)


def _sign(bits: int, value: Expression) -> Expression:
    return Binary("sar", value, IntLiteral(bits - 1))


def _lesser(op: BinaryOp, first: bool) -> _Build:
    """The lesser of two, or else the other one."""

    def build(_: int, a: Expression, b: Expression) -> Expression:
        return Conditional(Binary(op, a, b), *((a, b) if first else (b, a)))

    return build


def _high(with_sign: bool) -> _Build:
    def build(bits: int, a: Expression, b: Expression) -> Expression:
        if bits > 32:
            raise NotComputed("the upper half of a product of 64 bits")
        left, right = (a, b) if with_sign else (_plain(a, bits), _plain(b, bits))
        product = Wrap(Binary("*", left, right), 64, True)
        return Wrap(Binary("shr", product, IntLiteral(bits)), bits, True)

    return build


def _population(bits: int, a: Expression) -> Expression:
    """How many bits are set: added up one by one where they are few, else in pairs, fours and so on."""
    found, rest = _plain(a, bits), 1
    for mask in (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F):
        part = IntLiteral(mask & ((1 << bits) - 1))
        upper = Binary("bitand", Binary("shr", found, IntLiteral(rest)), part)
        found = Wrap(Binary("+", Binary("bitand", found, part), upper), 64, True)  # 2 in the top pair is a sign
        rest *= 2
    while rest < bits:
        found = Binary("+", found, Binary("shr", found, IntLiteral(rest)))
        rest *= 2
    return Binary("bitand", found, IntLiteral(0x7F))


def _reversed(bits: int, a: Expression) -> Expression:
    """The bits in the other order: halves change places, then their halves, and so on."""
    found, width = _plain(a, bits), bits // 2
    while width:
        mask = sum(((1 << width) - 1) << at for at in range(0, bits, 2 * width))
        low = Wrap(Binary("shl", Binary("bitand", found, IntLiteral(signed(mask, 64))), IntLiteral(width)), 64, True)
        high = Binary("bitand", Binary("shr", found, IntLiteral(width)), IntLiteral(signed(mask, 64)))
        found, width = Binary("bitor", low, high), width // 2
    return Wrap(found, bits, True)


def _leading(bits: int, a: Expression) -> Expression:
    """How many bits above the highest one that is set: those that are not set when all below it are."""
    found, width = _plain(a, bits), 1
    while width < bits:
        found, width = Binary("bitor", found, Binary("shr", found, IntLiteral(width))), 2 * width
    return Binary("-", IntLiteral(bits), _population(bits, found))


_BUILDS: dict[str, _Build] = {
    "add": _wrapped("+"),
    "sub": _wrapped("-"),
    "mul": _wrapped("*"),
    "and": _bitwise("bitand"),
    "or": _bitwise("bitor"),
    "xor": _bitwise("bitxor"),
    "shl": _shifted("shl", _zero),
    "shr": _shifted("shr", _zero),
    "sar": _shifted("sar", _sign),
    "div": _wrapped("quot"),
    "rem": _wrapped("trem"),
    "udiv": _without_signs("udiv"),
    "urem": _without_signs("urem"),
    "min": _lesser("<", first=True),
    "max": _lesser("<", first=False),
    "umin": _lesser("ult", first=True),
    "umax": _lesser("ult", first=False),
    "high": _high(with_sign=True),
    "uhigh": _high(with_sign=False),
    "not": lambda _, a: Unary("bitnot", a),
    "neg": lambda bits, a: Wrap(Binary("-", IntLiteral(0), a), bits, True),
    "abs": lambda bits, a: Conditional(
        Binary("<", a, IntLiteral(0)), Wrap(Binary("-", IntLiteral(0), a), bits, True), a
    ),
    "cnot": lambda _, a: Conditional(Binary("=", a, IntLiteral(0)), IntLiteral(1), IntLiteral(0)),
    "popc": _population,
    "clz": _leading,
    "brev": _reversed,
}


def computed(operation: str, bits: int, *operands: Number) -> Number:
    """What an operation gives of numbers of so many bits (the distance of a shift: 32). Raises NotComputed.

    What is divided by a known 0 is nothing; that an unknown divisor is not 0 is up to the caller.
    """
    known, values = list[int](), list[Expression]()
    for operand in operands:
        if isinstance(operand, Nothing):
            return _without(operation, bits, operands)
        if isinstance(operand, int):
            known.append(operand)
        values.append(expression(operand))
    if operation in ("div", "rem", "udiv", "urem") and operands[1] == 0:
        return Nothing("division-by-zero")
    if len(known) == len(operands):
        return signed(_FOLDS[operation](bits, *known), bits)
    if operation not in _BUILDS:
        raise NotComputed(f"`{operation}`")
    return _BUILDS[operation](bits, *values)


# ---- comparisons and truths

_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}
COMPARISONS = (*_COMPARISONS, "lo", "ls", "hi", "hs")
_SIGNS = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def compared(operation: str, bits: int, with_sign: bool, a: Number, b: Number) -> Truth:
    """Whether a comparison holds."""
    if isinstance(a, Nothing):
        return a
    if isinstance(b, Nothing):
        return b
    if operation in _SIGNS:
        operation, with_sign = _SIGNS[operation], False
    if isinstance(a, int) and isinstance(b, int):
        left, right = (a, b) if with_sign else (unsigned(a, bits), unsigned(b, bits))
        return _COMPARISONS[operation](left, right)
    first, second = expression(a), expression(b)
    if operation in ("eq", "ne"):
        return Binary("=" if operation == "eq" else "/=", first, second)
    if operation in ("gt", "ge"):
        first, second = second, first
    strict = operation in ("lt", "gt")
    if with_sign:
        return Binary("<" if strict else "<=", first, second)
    return Binary("ult" if strict else "ule", first, second)


def is_within(value: Expression, window: tuple[int, int]) -> Expression:
    """Whether an address is one from the first of two on, and before the second."""
    start, end = map(IntLiteral, window)
    return Binary("and", Binary("<=", start, value), Binary("<", value, end))


def negated(value: Truth) -> Truth:
    """Whether it does not hold."""
    if isinstance(value, Nothing):
        return value
    if isinstance(value, bool):
        return not value
    return value.operand if isinstance(value, Unary) and value.op == "not" else Unary("not", value)


def joined(operation: str, a: Truth, b: Truth) -> Truth:
    """`and`, `or` or `xor` of two truths; one of them may decide, whatever the other is."""
    if isinstance(a, bool):
        return _joined(operation, a, b)
    if isinstance(b, bool):
        return _joined(operation, b, a)
    if isinstance(a, Nothing):
        return a
    if isinstance(b, Nothing):
        return b
    if operation == "xor":
        return Binary("or", Binary("and", a, Unary("not", b)), Binary("and", Unary("not", a), b))
    return Binary("or" if operation == "or" else "and", a, b)


def _joined(operation: str, known: bool, other: Truth) -> Truth:
    if operation == "xor":
        return negated(other) if known else other
    return known if known == (operation == "or") else other


def chosen(condition: Truth, positive: Number, negative: Number) -> Number:
    """One of two numbers."""
    if isinstance(condition, Nothing):
        return condition
    if isinstance(condition, bool):
        return positive if condition else negative
    if isinstance(positive, Nothing):
        return positive.whole
    if isinstance(negative, Nothing):
        return negative.whole
    return Conditional(condition, expression(positive), expression(negative))
