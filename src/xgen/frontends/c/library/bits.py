"""GCC's functions on the bits of a number: `__builtin_popcount`, `clz`, `ctz`, `ffs`, `parity`, `bswap`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pycparser import c_ast

from xgen.frontends.c.language.arithmetic import binary, convert, truth
from xgen.frontends.c.language.expressions import unchecked
from xgen.frontends.c.language.places import Value, literal
from xgen.frontends.c.language.types import INT, UINT, ULLONG, ULONG, USHORT, Int, of_64_bits
from xgen.frontends.c.library.heap import Heap, swapped
from xgen.program.automaton import Conditional, IntLiteral

_COUNT = re.compile(r"__builtin_(popcount|clz|ctz|ffs|parity)(l|ll)?$")
_SWAP = re.compile(r"__builtin_bswap(16|32|64)$")
_SWAPPED = {"16": USHORT, "32": UINT}


class Bits(Heap):
    """Calls of these functions. Numbers are counted in as 64 bits without a sign."""

    def bit_call(self, name: str, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> Value | None:
        """The value of such a call; None where the function is none of these."""
        if match := _SWAP.match(name):
            type_ = _SWAPPED.get(match[1], of_64_bits(False))
            value = self.keep(convert(convert(self.number(arguments[0]), type_), ULLONG), node)
            return convert(swapped(value, type_.bits // 8), type_)
        match = _COUNT.match(f"__builtin_{name}" if name in ("ffs", "ffsl", "ffsll") else name)
        if match is None:
            return None
        type_ = {"": UINT, "l": ULONG, "ll": ULLONG}[match[2] or ""]
        value = self.keep(convert(convert(self.plain_number(self.number(arguments[0])), type_), ULLONG), node)
        return convert(self.counted(match[1], value, type_, node), INT)

    def counted(self, what: str, value: Value, type_: Int, node: c_ast.Node) -> Value:
        if what in ("clz", "ctz"):
            self.check(truth(value), "undefined", node)
        if what == "clz":
            return _op("-", literal(type_.bits, INT), self.ones(self.smeared(value, node), node))
        if what == "popcount":
            return self.ones(value, node)
        if what == "parity":
            return _op("&", self.ones(value, node), 1)
        lowest = _op("&", value, _op("-", literal(0, ULLONG), value))
        zeros = self.ones(self.keep(_op("-", lowest, 1), node), node)
        if what == "ctz":
            return zeros
        found = _op("+", zeros, 1)
        if value.constant is not None:
            return found if value.constant else literal(0, INT)
        return Value(Conditional(truth(value), found.expression, IntLiteral(0)), ULLONG)

    def smeared(self, value: Value, node: c_ast.Node) -> Value:
        """The number with all bits below its highest one."""
        for distance in (1, 2, 4, 8, 16, 32):
            value = self.keep(_op("|", value, _op(">>", value, distance)), node)
        return value

    def ones(self, value: Value, node: c_ast.Node) -> Value:
        """How many bits are set: those of pairs are added, then of pairs of these, then of all bytes."""
        pairs = self.keep(_op("-", value, _op("&", _op(">>", value, 1), 0x5555555555555555)), node)
        mask = 0x3333333333333333
        fours = self.keep(_op("+", _op("&", pairs, mask), _op("&", _op(">>", pairs, 2), mask)), node)
        bytes_ = _op("&", _op("+", fours, _op(">>", fours, 4)), 0x0F0F0F0F0F0F0F0F)
        return _op(">>", _op("*", bytes_, 0x0101010101010101), 56)


def _op(op: str, left: Value, right: Value | int) -> Value:
    other = right if isinstance(right, Value) else literal(right, INT if op in ("<<", ">>") else ULLONG)
    return binary(op, left, other, unchecked)
