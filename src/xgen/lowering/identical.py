"""Threads that do the same: the same code, the same locals, and nobody starts, joins or names one of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import factorial

from xgen._core import OPERATIONS, Op, OpKind
from xgen.lowering.code import Code, Instruction, ThreadCode

MOST = 5040
"""Permutations that are looked at: of more threads, only some are taken to do the same."""


def identical_threads(code: Code) -> list[list[int]]:
    """The threads that do the same, at least two at a time, each group in ascending order."""
    groups: dict[int, list[int]] = defaultdict(list)
    for number, like in enumerate(like_threads(code)):
        groups[like].append(number)
    return list(_few([group for group in groups.values() if len(group) > 1]))


def like_threads(code: Code) -> list[int]:
    """For each thread: the first one that does the same."""
    named = {i.a for i in code.instructions if i.op in (Op.START, Op.JOIN)}
    first: dict[tuple[object, ...], int] = {}
    return [
        number if number in named else first.setdefault(_text(code, thread, end), number)
        for number, (thread, (_, end)) in enumerate(zip(code.threads, code.ranges, strict=True))
    ]


def _few(groups: list[list[int]]) -> Iterator[list[int]]:
    """As much of the groups as has few permutations, those of all groups together."""
    left = MOST
    for group in groups:
        size = max((n for n in range(1, len(group) + 1) if factorial(n) <= left), default=1)
        left //= factorial(size)
        if size > 1:
            yield group[:size]


def _text(code: Code, thread: ThreadCode, end: int) -> tuple[object, ...]:
    """What a thread does, in words that are the same for two threads that do the same."""
    own = tuple(_word(code, thread.entry, i) for i in code.instructions[thread.entry : end])
    types = tuple(variable.type for variable in thread.locals)
    return own, types, thread.initial, thread.temporaries, thread.shown, thread.reservation, thread.block


def _word(code: Code, entry: int, i: Instruction) -> tuple[object, ...]:
    reads, _, kind = OPERATIONS[i.op]

    def operand(name: str, value: int) -> object:
        return ("constant", code.constants[~value]) if name in reads and value < 0 else value

    c: object = operand("c", i.c)
    if kind in (OpKind.JUMP, OpKind.BRANCH):
        c = i.c - entry
    elif i.op is Op.CHOOSE:
        c = tuple(target - entry for target in code.targets[i.c])
    elif i.op is Op.RMW:
        c = _update(code, i.c)
    return i.op, i.dst, operand("a", i.a), operand("b", i.b), c


def _update(code: Code, number: int) -> tuple[object, ...]:
    rmw = code.rmws[number]
    operands = [
        ("constant", code.constants[~value]) if value < 0 else value
        for value in (rmw.address, rmw.operand, rmw.expected)
    ]
    return rmw.kind, *operands, rmw.read_class, rmw.failed_class, rmw.write_class, rmw.picks, rmw.bits
