"""What a thread does from an instruction on, as far as the text and some known registers tell.

Registers that are not known may have any value, so that a branch by one goes both ways. It is not said what a thread
does that may come to an error, to a bound, into an atomic block, or to more than a few hundred instructions:
`Unclear`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xgen._core import OPERATIONS, Op, OpKind
from xgen.lowering.code import NEVER_FAILS, Code, Instruction
from xgen.records import dataclass

MOST_STEPS = 400
"""So many instructions are looked at between two events."""

_LEAST, _GREATEST = -(2**63), 2**63 - 1
_COMPUTE: dict[Op, Callable[[int, int], int]] = {
    Op.EQ: lambda a, b: int(a == b),
    Op.NE: lambda a, b: int(a != b),
    Op.LT: lambda a, b: int(a < b),
    Op.LE: lambda a, b: int(a <= b),
    Op.BITAND: lambda a, b: a & b,
    Op.BITOR: lambda a, b: a | b,
    Op.BITXOR: lambda a, b: a ^ b,
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
}
_NOT_FOLLOWED = (Op.KEEP, Op.LEAVE, Op.TAINT, Op.BLOCK, Op.BOUND)
"""These change what a thread depends on, count, or make what comes one step."""


class Unclear(Exception):
    """It is not said what the thread does."""


@dataclass(frozen=True, slots=True)
class Stand:
    """A thread at an instruction: the registers that are known, and those that have got a value on the way there.

    `blocked`: it goes no further, since no edge is enabled or an assumption fails.
    """

    pc: int
    known: Mapping[int, int]
    assigned: frozenset[int] = frozenset()
    blocked: bool = False

    def value(self, code: Code, operand: int) -> int | None:
        return code.constants[~operand] if operand < 0 else self.known.get(operand)

    def after(self, values: Mapping[int, int | None]) -> Stand:
        """Behind the instruction, with other values in registers (None: not known)."""
        known = {register: value for register, value in self.known.items() if register not in values}
        known |= {register: value for register, value in values.items() if value is not None}
        return Stand(self.pc + 1, known, self.assigned.union(values))


def stops(code: Code, start: Stand, until: int = -1) -> list[Stand]:
    """Where a thread comes to, on each way: an event, a choice of a value, an end; or `until`, whatever that is."""
    return _Way(code, until).go(start, looking=False)


class _Way:
    def __init__(self, code: Code, until: int) -> None:
        self.code = code
        self.until = until
        self.steps = 0

    def go(self, stand: Stand, looking: bool) -> list[Stand]:
        """`looking`: from an edge among which the thread chooses: an assumption that fails rules out the edge."""
        while stand.pc != self.until:
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise Unclear
            i = self.code.instructions[stand.pc]
            kind = OPERATIONS[i.op][2]
            if i.op is Op.CHOOSE:
                return self._choose(stand, i)
            if kind in (OpKind.EVENT, OpKind.CHOICE, OpKind.END):
                break
            if i.op in _NOT_FOLLOWED:
                raise Unclear
            if kind is OpKind.JUMP:
                looking &= i.op is Op.JMP
                stand = Stand(i.c, stand.known, stand.assigned)
            elif kind is OpKind.COMPUTE:
                stand = stand.after({i.dst: self._computed(stand, i)})
            else:
                value = stand.value(self.code, i.a)
                if i.op is Op.ASSERT and not value:
                    raise Unclear
                found = self._test(stand, i, value, looking)
                if found is not None:
                    return found
                stand = Stand(i.c if i.op is Op.JZ and value == 0 else stand.pc + 1, stand.known, stand.assigned)
        return [stand]

    def _test(self, stand: Stand, i: Instruction, value: int | None, looking: bool) -> list[Stand] | None:
        """Where a test leads to that does not simply let the thread go on."""
        onward = Stand(stand.pc + 1, stand.known, stand.assigned)
        if i.op is Op.JZ and value is None:
            return [*self.go(Stand(i.c, stand.known, stand.assigned), looking), *self.go(onward, looking)]
        if i.op is Op.ASSUME and not value:
            fails = [] if looking else [Stand(stand.pc, stand.known, stand.assigned, blocked=True)]
            return fails + (self.go(onward, looking) if value is None else [])
        return None

    def _choose(self, stand: Stand, i: Instruction) -> list[Stand]:
        edges = (Stand(target, stand.known, stand.assigned) for target in self.code.targets[i.c])
        found = [reached for edge in edges for reached in self.go(edge, looking=True)]
        return found or [Stand(stand.pc, stand.known, stand.assigned, blocked=True)]

    def _computed(self, stand: Stand, i: Instruction) -> int | None:
        reads = OPERATIONS[i.op][0]
        a = stand.value(self.code, i.a) if "a" in reads else None
        b = stand.value(self.code, i.b) if "b" in reads else None
        found: int | None = None
        if i.op is Op.SELECT:
            found = None if a is None else stand.value(self.code, i.b if a else i.c)
        elif a is not None and i.op in (Op.MOV, Op.NOT, Op.WRAP):
            found = a if i.op is Op.MOV else int(not a) if i.op is Op.NOT else wrapped(a, i.c)
        elif a is not None and i.op is Op.INDEX:
            found = i.b + a if 0 <= a < i.c else None
        elif a is not None and i.op is Op.DEREF:
            cells = [number for number, cell in enumerate(self.code.cells) if cell.address == a]
            found = cells[0] if len(cells) == 1 else None
        elif a is not None and b is not None and i.op in _COMPUTE:
            found = _COMPUTE[i.op](a, b)
            found = found if _LEAST <= found <= _GREATEST else None
        if found is None and i.op not in NEVER_FAILS and not (i.op in (Op.ADD, Op.SUB, Op.MUL, Op.NEG) and i.c):
            raise Unclear
        return found


def wrapped(value: int, bits: int) -> int:
    """The number that the low `bits` are, or -bits of them with a sign; 0: it is not cut."""
    if bits == 0:
        return value
    many = 1 << abs(bits)
    least = -many // 2 if bits < 0 else 0
    return (value - least) % many + least
