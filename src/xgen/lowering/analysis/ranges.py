"""Between which numbers what a program computes stays: enough to see that a sum cannot overflow.

Cells and registers get a range each, whoever writes them and whenever. A value is computed from others, which threads
have computed or read, and those from others again: no value comes out of nothing. On such a way back to constants, an
instruction that is in no loop is met once at most. So after as many rounds as there are such instructions, in each of
which every one of them is looked at once, all values are in the ranges, even if these would go on to grow: a counter
to which four threads add one stays small. Of instructions in loops all values are found at once; where that leads on
and on, any number is assumed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from xgen._core import OPERATIONS, Op, RmwKind
from xgen.lowering.code import ADDRESS, MODULO, READS, WRITES, Code, Instruction, ThreadCode

Range = tuple[int, int]
"""The least and the greatest."""

LARGE = 200
"""With more instructions, all are looked at as if they were in loops."""
PATIENCE = 3
"""How often those in loops are looked at before any number is assumed of what changes."""

_LEAST, _GREATEST = -(2**63), 2**63 - 1
ANY: Range = (_LEAST, _GREATEST)
_TRUTH: Range = (0, 1)


def _sum(a: Range, b: Range) -> Range:
    return a[0] + b[0], a[1] + b[1]


def _difference(a: Range, b: Range) -> Range:
    return a[0] - b[1], a[1] - b[0]


def _product(a: Range, b: Range) -> Range:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


_COMPUTE: dict[Op, Callable[[Range, Range], Range]] = {Op.ADD: _sum, Op.SUB: _difference, Op.MUL: _product}
_UPDATE: dict[RmwKind, Callable[[Range, Range], Range]] = {
    RmwKind.ADD: _sum,
    RmwKind.ADD_UNLESS: _sum,
    RmwKind.SUB: _difference,
}
_COMPARE = {Op.NOT, Op.EQ, Op.NE, Op.LT, Op.LE, Op.ULT, Op.ULE}
_PUTS = {RmwKind.EXCHANGE, RmwKind.CAS, RmwKind.LOCK}


class Ranges:
    """The ranges of a program."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.cells: list[Range] = [
            ANY if cell.undefined else (value, value) for cell, value in zip(code.cells, code.initial, strict=True)
        ]
        self.registers = [list(_first(thread)) for thread in code.threads]
        self.threads = [n for n, (first, last) in enumerate(code.ranges) for _ in range(first, last)]
        self.seen = (self.cells, self.registers)
        """What is read: of the last round, or as it is now."""
        self.changed = False
        self.widens = False
        self._find()

    def overflows(self, pc: int) -> bool | None:
        """Whether a sum, difference, product or negation may be out of range; None: it is none of these."""
        i = self.code.instructions[pc]
        exact = self._exact(pc, i)
        return None if exact is None else not _LEAST <= exact[0] <= exact[1] <= _GREATEST

    def _find(self) -> None:
        every = range(len(self.code.instructions))
        again = set(every) if len(every) > LARGE else set(_in_loops(self.code))
        once = [pc for pc in every if pc not in again]
        looping = sorted(again)
        for _ in range(len(once) + 1):
            self._close(looping)
            self.seen = (list(self.cells), [list(own) for own in self.registers])
            self.changed = False
            for pc in once:
                self._run(pc, self.code.instructions[pc])
            self.seen = (self.cells, self.registers)
            if not self.changed:
                return

    def _close(self, looping: list[int]) -> None:
        """Finds all values of instructions in loops."""
        passes, self.changed = 0, True
        while self.changed:
            self.changed, self.widens = False, passes >= PATIENCE
            passes += 1
            for pc in looping:
                self._run(pc, self.code.instructions[pc])
        self.widens = False

    def _run(self, pc: int, i: Instruction) -> None:
        thread = self.threads[pc]
        if i.op is Op.RMW:
            rmw = self.code.rmws[i.c]
            if rmw.kind in _PUTS and not rmw.bits:
                self._write(thread, rmw.address, self._get(thread, rmw.operand))
            else:
                exact = self._exact(pc, i)
                self._write(thread, rmw.address, ANY if exact is None else _within(exact))
        elif i.op in WRITES:
            self._write(thread, i.a, self._get(thread, i.b))
        if OPERATIONS[i.op][1] and i.dst >= 0 and i.op is not Op.TAINT:
            own = self.registers[thread]
            own[i.dst] = self._joined(own[i.dst], self._result(pc, thread, i))

    def _joined(self, old: Range, new: Range) -> Range:
        joined = (min(old[0], new[0]), max(old[1], new[1]))
        if joined == old:
            return old
        self.changed = True
        return ANY if self.widens else joined

    def _get(self, thread: int, operand: int) -> Range:
        if operand < 0:
            value = self.code.constants[~operand]
            return value, value
        return self.seen[1][thread][operand]

    def _places(self, thread: int, address: int) -> Iterable[int]:
        least, greatest = self._get(thread, address)
        return range(max(least, 0), min(greatest + 1, len(self.cells)))

    def _read(self, thread: int, address: int) -> Range:
        held = [self.seen[0][cell] for cell in self._places(thread, address)]
        return (min(low for low, _ in held), max(high for _, high in held)) if held else (0, 0)

    def _write(self, thread: int, address: int, values: Range) -> None:
        for cell in self._places(thread, address):
            self.cells[cell] = self._joined(self.cells[cell], values)

    def _exact(self, pc: int, i: Instruction) -> Range | None:
        """What would be computed if numbers had no limits; None where that is not arithmetic."""
        thread = self.threads[pc]
        if i.op is Op.RMW:
            rmw = self.code.rmws[i.c]
            if rmw.kind not in _UPDATE or rmw.bits:
                return None
            return _UPDATE[rmw.kind](self._read(thread, rmw.address), self._get(thread, rmw.operand))
        if i.op is Op.NEG:
            return _difference((0, 0), self._get(thread, i.a))
        if i.op in _COMPUTE:
            return _COMPUTE[i.op](self._get(thread, i.a), self._get(thread, i.b))
        return None

    def _result(self, pc: int, thread: int, i: Instruction) -> Range:
        """What the instruction puts into its register."""
        if i.op in READS:
            return self._read(thread, self.code.rmws[i.c].address if i.op is Op.RMW else i.a)
        exact = self._exact(pc, i)
        if exact is not None:
            inside = _LEAST <= exact[0] <= exact[1] <= _GREATEST
            return ANY if i.c == MODULO and not inside else _within(exact)
        if i.op is Op.MOV or (i.op is Op.PREDICT and i.c == ADDRESS):
            return self._get(thread, i.a)
        if i.op in _COMPARE:
            return _TRUTH
        if i.op is Op.SELECT:
            b, c = self._get(thread, i.b), self._get(thread, i.c)
            return min(b[0], c[0]), max(b[1], c[1])
        if i.op in (Op.KEEP, Op.STOREX):
            return 0, 0
        if i.op is Op.INDEX:
            return i.b, i.b + i.c - 1
        if i.op is Op.HAVOC:
            low, high = self._get(thread, i.a)[0], self._get(thread, i.b)[1]
            return min(low, high), max(low, high)
        return ANY


def _first(thread: ThreadCode) -> Iterator[Range]:
    """The registers of a thread before it runs; some are set by the machine."""
    set_ = {thread.block} | ({thread.reservation, thread.reservation + 1} if thread.reservation >= 0 else set())
    for register in range(len(thread.locals) + thread.temporaries):
        value = thread.initial[register] if register < len(thread.initial) else 0
        yield ANY if register in set_ else (value, value)


def _within(values: Range) -> Range:
    """Without what is an error."""
    return max(values[0], _LEAST), min(values[1], _GREATEST)


def _in_loops(code: Code) -> Iterator[int]:
    """The instructions that may run more than once."""
    for pc in range(len(code.instructions)):
        if pc in code.after(pc):
            yield pc
