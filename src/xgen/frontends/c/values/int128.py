"""`__int128`, GCC's numbers of 128 bits: two words, the low one first, that are copied as a structure is.

They are what is compared and exchanged at once, such as a pointer and a tag. Computed with is what this needs: `==`,
`!=`, `&`, `|`, `^`, `+`, `-`, shifts by numbers that are known, and casts from and to other numbers.
"""

from __future__ import annotations

from typing import NoReturn, Protocol, TypeAlias

from pycparser import c_ast

from xgen.frontends.c.values import arithmetic
from xgen.frontends.c.values.arithmetic import is_bool
from xgen.frontends.c.values.layout import lay_out
from xgen.frontends.c.values.places import Place, Value, literal
from xgen.frontends.c.values.reals import is_real
from xgen.frontends.c.values.types import INT, LLONG, ULLONG, CType, Int, Member, Record, is_scalar, is_signed, plain
from xgen.records import replace

Words: TypeAlias = tuple[Value, Value]
"""The low word and the high one, of 64 bits each without a sign."""


def _made(name: str) -> Record:
    record = Record(name, union=False, key=name)
    lay_out(record, [Member("0", ULLONG), Member("8", ULLONG)], aligned=16)  # no names of C
    return record


SIGNED, UNSIGNED = _made("__int128"), _made("unsigned __int128")
LONG_DOUBLE = _made("long double")
"""It has a size, and bytes, which may be copied with others; nothing knows its values."""


class Refusing(Protocol):
    """What says that something is not supported."""

    def refuse(self, what: str, node: c_ast.Node, hint: str | None = None) -> NoReturn:
        """Raises that it is not."""


class Loading(Refusing, Protocol):
    """What loads the words."""

    @property
    def is_idle(self) -> bool:
        """Whether what is translated is never done."""

    def moved(self, place: Place, offset: int, type_: CType) -> Place:
        """The place so many bytes on."""

    def load(self, place: Place, node: c_ast.Node, order: str | None = None) -> Value:
        """The value in a place."""

    def keep(self, value: Value, node: c_ast.Node) -> Value:
        """The value in a local of its own."""


class Computing(Loading, Protocol):
    """What computes with them, too."""

    def operate(self, op: str, left: Value, right: Value, node: c_ast.Node) -> Value:
        """A binary operator on two values."""


def named(words: list[str]) -> Record | None:
    """The type of two words that some name in any order; None where that is another one."""
    if set(words) == {"long", "double"}:
        return LONG_DOUBLE
    if "__int128" not in words or set(words) - {"__int128", "signed", "unsigned"}:
        return None
    return UNSIGNED if "unsigned" in words else SIGNED


def is_wide(type_: CType) -> bool:
    """Whether it is a number of 128 bits, atomic or not."""
    return isinstance(type_, Record) and type_.key in (SIGNED.key, UNSIGNED.key)


def is_long_double(type_: CType) -> bool:
    return isinstance(type_, Record) and type_.key == LONG_DOUBLE.key


def refuse(body: Refusing, type_: CType, node: c_ast.Node) -> None:
    """Refuses both where another number is needed."""
    if is_wide(type_):
        body.refuse("`__int128` here is", node, "it can be cast to another number")
    refuse_long_double(body, type_, node)


def refuse_long_double(body: Refusing, type_: CType, node: c_ast.Node) -> None:
    """Refuses what would need its value."""
    if is_long_double(type_):
        body.refuse("floating point (`long double`) is", node)


def computed(body: Loading, value: Value, node: c_ast.Node) -> Value:
    """The value of an expression, if it is no `long double` that somebody needs."""
    if not body.is_idle:
        refuse_long_double(body, value.type, node)
    return value


def of_number(value: Value) -> list[Value]:
    """The words of a number of 64 bits at most."""
    low = arithmetic.convert(value, ULLONG)
    if not isinstance(value.type, Int) or not is_signed(value.type):
        return [low, literal(0, ULLONG)]
    sign = arithmetic.binary(">>", arithmetic.convert(value, LLONG), literal(63, INT), arithmetic.unchecked)
    return [low, arithmetic.convert(sign, ULLONG)]


def words_of(body: Loading, value: Value, node: c_ast.Node) -> Words:
    """The words of an operand, as they are now."""
    if value.place is None:
        low, high = (body.keep(word, node) for word in of_number(value))
    else:
        low, high = (body.keep(body.load(body.moved(value.place, at, ULLONG), node), node) for at in (0, 8))
    return low, high


def typed(value: Value, type_: CType) -> Value:
    """A number of 128 bits, with a sign or without; all else as it is."""
    return replace(value, type=plain(type_)) if is_wide(value.type) and is_wide(type_) else value


def narrowed(body: Loading, value: Value, type_: CType, node: c_ast.Node) -> Value:
    """A number of 128 bits that becomes a shorter one; all else as it is."""
    if not is_wide(value.type) or not is_scalar(type_):
        return value
    if is_real(type_) or is_bool(type_):
        body.refuse(f"`__int128` as {plain(type_)} is", node)
    return words_of(body, value, node)[0]


def operate(body: Computing, op: str, left: Value, right: Value, node: c_ast.Node) -> tuple[Record, Words] | Value:
    """A binary operator of which an operand is such a number: a truth value, or the result's type and words."""
    if op in ("<<", ">>"):
        return _shifted(body, op, left, right, node)
    (low, high), (other_low, other_high) = words_of(body, left, node), words_of(body, right, node)
    if op in ("==", "!="):
        first, second = body.operate("^", low, other_low, node), body.operate("^", high, other_high, node)
        return body.operate(op, body.operate("|", first, second, node), literal(0, ULLONG), node)
    type_ = UNSIGNED if any(_is_unsigned(value.type) for value in (left, right)) else SIGNED
    if op in ("&", "|", "^"):
        return type_, (body.operate(op, low, other_low, node), body.operate(op, high, other_high, node))
    if op not in ("+", "-"):
        body.refuse(f"`{op}` of `__int128` is", node)
    sum_ = body.keep(body.operate(op, low, other_low, node), node)
    carry = body.operate("<", sum_, low, node) if op == "+" else body.operate("<", low, other_low, node)
    return type_, (sum_, body.operate(op, body.operate(op, high, other_high, node), carry, node))


def _shifted(body: Computing, op: str, left: Value, right: Value, node: c_ast.Node) -> tuple[Record, Words]:
    distance = None if is_wide(right.type) else right.constant
    if not is_wide(left.type) or distance is None or not 0 <= distance < 128:
        body.refuse("a shift of or by `__int128` that is not by a number from 0 to 127 is", node)
    low, high = words_of(body, left, node)
    unsigned, count = _is_unsigned(left.type), literal(distance % 64, INT)
    type_ = UNSIGNED if unsigned else SIGNED

    def moved(op: str, word: Value, signed: bool = False) -> Value:
        word = arithmetic.convert(word, LLONG if signed else ULLONG)
        return arithmetic.convert(body.operate(op, word, count, node), ULLONG)

    def both(one: Value, other: Value, op: str) -> Value:
        if distance % 64 == 0:
            return one
        crossing = body.operate(op, other, literal(64 - distance % 64, INT), node)
        return body.operate("|", moved(">>" if op == "<<" else "<<", one), crossing, node)

    if op == "<<":
        words = (literal(0, ULLONG), moved("<<", low)) if distance >= 64 else (moved("<<", low), both(high, low, ">>"))
        return type_, words
    above = literal(0, ULLONG) if unsigned else of_number(arithmetic.convert(high, LLONG))[1]
    signed = not unsigned
    words = (moved(">>", high, signed), above) if distance >= 64 else (both(low, high, "<<"), moved(">>", high, signed))
    return type_, words


def _is_unsigned(type_: CType) -> bool:
    return isinstance(type_, Record) and type_.key == UNSIGNED.key
