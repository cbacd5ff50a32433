"""LLVM's functions on floating point numbers, and those of C's library that have no such one."""

from __future__ import annotations

import re
from collections.abc import Callable

from xgen.frontends import reals
from xgen.frontends.llvm.language.arithmetic import Arithmetic
from xgen.frontends.llvm.text.ir import Instruction
from xgen.frontends.llvm.values import Value, expression, folded
from xgen.program.automaton import BoolLiteral


def of_reals(calls: Arithmetic, name: str, arguments: list[Value], _i: Instruction) -> Value:
    """`llvm.ceil.f64` and its like, `fmod`."""
    match = re.fullmatch(r"llvm\.(\w+)\.f(32|64)|([a-z]+?)(f?)", name)
    assert match is not None
    what, width = (match[1], int(match[2]) // 8) if match[1] else (match[3], 4 if match[4] else 8)
    found = reals.function(what, [expression(each) for each in arguments], width)
    return calls.real(found, width)


def saturated(calls: Arithmetic, name: str, arguments: list[Value], _i: Instruction) -> Value:
    """`llvm.fptosi.sat.i32.f64`."""
    _, op, _, whole, of = name.split(".")
    bits, width = int(whole[1:]), int(of[1:]) // 8
    return calls.whole(reals.nearest_whole(expression(arguments[0]), width, bits, op == "fptosi"), bits)


def to_long(calls: Arithmetic, name: str, arguments: list[Value], _i: Instruction) -> Value:
    """`lround` and its like."""
    plain = name if name in reals.TO_LONG else name[:-1]
    return calls.whole(reals.to_long(plain, expression(arguments[0]), 8 if plain == name else 4), 64)


def of_class(calls: Arithmetic, name: str, arguments: list[Value], _i: Instruction) -> Value:
    """`llvm.is.fpclass.f64`."""
    value, mask = arguments
    assert isinstance(mask, int)
    test = folded(reals.is_of_class(expression(value), mask, int(name[-2:]) // 8))
    return int(test.value) if isinstance(test, BoolLiteral) else calls.truth(test)


HANDLERS: dict[str, Callable[[Arithmetic, str, list[Value], Instruction], Value]] = {
    **{f"llvm.{name}.f{bits}": of_reals for name in reals.FUNCTIONS if name != "fmod" for bits in (32, 64)},
    **dict.fromkeys(("sqrt", "sqrtf", "fmod", "fmodf"), of_reals),
    **dict.fromkeys(("llvm.is.fpclass.f32", "llvm.is.fpclass.f64"), of_class),
    **{f"{name}{suffix}": to_long for name in reals.TO_LONG for suffix in ("", "f")},
    **{f"llvm.fpto{s}i.sat.i{n}.f{m}": saturated for s in "su" for n in (8, 16, 32, 64) for m in (32, 64)},
}
