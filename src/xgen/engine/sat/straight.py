"""A way that threads go, as code without branches and accesses: what reads read and what is chosen stands in it.

Each step is the instruction that the program has; what the way claims of it is assumed. So a thread comes to its end in
this code, or to its error, if the way is one that the program has; else it is blocked.
"""

from __future__ import annotations

from collections.abc import Sequence

from xgen._core import OPERATIONS, Op, OpKind, RmwKind
from xgen.engine.sat.events import refused
from xgen.lowering.code import Code, Instruction, Rmw, ThreadCode
from xgen.records import dataclass, replace

_UPDATES = {
    RmwKind.ADD: Op.ADD,
    RmwKind.ADD_UNLESS: Op.ADD,
    RmwKind.SUB: Op.SUB,
    RmwKind.AND: Op.BITAND,
    RmwKind.OR: Op.BITOR,
    RmwKind.XOR: Op.BITXOR,
    RmwKind.UMIN: Op.ULT,
    RmwKind.UMAX: Op.ULT,
    RmwKind.MIN: Op.LT,
    RmwKind.MAX: Op.LT,
}
_CONDITIONAL = (RmwKind.CAS, RmwKind.LOCK, RmwKind.ADD_UNLESS)


@dataclass(frozen=True, slots=True)
class Passed:
    """A step: the instruction, and what the way says of it: the cell that is accessed, what is read, what is written
    (None: nothing), what is chosen, whether anything happens there at all, and whether an update succeeds."""

    pc: int
    cell: int = -1
    read: int | None = None
    written: int | None = None
    chosen: int | None = None
    happens: bool = True
    success: bool = True


class Straight:
    """The code of some ways, thread by thread. `origin`: the instruction that each of its instructions comes from."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.instructions: list[Instruction] = []
        self.origin: list[int] = []
        self._constants = list(code.constants)
        self._known = {value: number for number, value in enumerate(code.constants)}
        self._threads: list[ThreadCode] = []
        self._pc = 0
        self._spare = 0
        self._reservation = -1

    def done(self) -> Code:
        """The code of all threads."""
        sites = tuple(self.code.sites[pc] for pc in self.origin)
        return Code(
            self.code.source,
            tuple(self.instructions),
            tuple(self._constants),
            (),
            (),
            tuple(self._threads),
            self.code.cells,
            self.code.initial,
            self.code.scalars,
            self.code.classes,
            sites,
            self.code.absent,
            self.code.gaps,
        )

    def thread(self, way: Sequence[Passed]) -> None:
        """Adds the next thread, which goes this way."""
        own = self.code.threads[len(self._threads)]
        entry = len(self.instructions)
        self._reservation = own.reservation
        self._spare = len(own.locals) + own.temporaries
        for number, step in enumerate(way):
            following = way[number + 1].pc if number + 1 < len(way) else None
            self._pc = step.pc
            if following is not None and following not in self.code.successors(step.pc):
                raise refused(self.code, step.pc, "a way that the program does not have")
            self._step(step, following)
        if not way:
            self._pc = own.entry
        self._put(Op.END)
        self._threads.append(replace(own, entry=entry, temporaries=own.temporaries + 3))

    def _put(self, op: Op, dst: int = 0, a: int = 0, b: int = 0, c: int = 0) -> None:
        self.instructions.append(Instruction(op, dst, a, b, c))
        self.origin.append(self._pc)

    def _constant(self, value: int) -> int:
        """A number as an operand."""
        if value not in self._known:
            self._known[value] = len(self._constants)
            self._constants.append(value)
        return ~self._known[value]

    def _assume(self, op: Op, a: int, b: int) -> None:
        self._put(op, self._spare, a, b)
        self._put(Op.ASSUME, a=self._spare)

    def _step(self, step: Passed, following: int | None) -> None:
        i = self.code.instructions[step.pc]
        match OPERATIONS[i.op][2]:
            case OpKind.COMPUTE | OpKind.TEST:
                self._put(i.op, i.dst, i.a, i.b, i.c)
            case OpKind.END:
                self._put(i.op, i.dst, i.a, i.b, i.c)
            case OpKind.BRANCH if following is not None and i.c != step.pc + 1:
                self._put(Op.MOV, self._spare, i.a)
                if following == i.c:
                    self._put(Op.NOT, self._spare, i.a)
                self._put(Op.ASSUME, a=self._spare)
            case OpKind.CHOICE if i.op is Op.HAVOC and step.chosen is None:
                self._put(Op.STUCK)
            case OpKind.CHOICE if i.op is Op.HAVOC:
                assert step.chosen is not None
                value = self._constant(step.chosen)
                self._assume(Op.LE, i.a, value)
                self._assume(Op.LE, value, i.b)
                self._put(Op.MOV, i.dst, value)
            case OpKind.EVENT if step.happens or step.cell >= 0:
                self._event(i, step)

    def _event(self, i: Instruction, step: Passed) -> None:
        if i.op in (Op.LOAD, Op.LOADX):
            self._assume(Op.EQ, i.a, self._constant(step.cell))
            assert step.read is not None
            if i.dst >= 0:
                self._put(Op.MOV, i.dst, self._constant(step.read))
            if i.op is Op.LOADX:
                self._put(Op.MOV, self._reservation, self._constant(step.cell + 1))
        elif i.op is Op.OBJECT:
            self._assume(Op.EQ, i.a, self._constant(step.cell))
        elif i.op in (Op.STORE, Op.STOREX, Op.UNLOCK):
            self._assume(Op.EQ, i.a, self._constant(step.cell))
            if step.written is not None:
                self._assume(Op.EQ, i.b, self._constant(step.written))
            if i.op is Op.STOREX:
                self._put(Op.MOV, i.dst, self._constant(0))
                self._put(Op.MOV, self._reservation, self._constant(0))
        elif i.op is Op.RMW:
            self._update(i, step, self.code.rmws[i.c])

    def _update(self, i: Instruction, step: Passed, rmw: Rmw) -> None:
        assert step.read is not None
        old, spare = self._constant(step.read), self._spare
        self._assume(Op.EQ, rmw.address, self._constant(step.cell))
        if rmw.kind in _CONDITIONAL:
            equal = step.success == (rmw.kind is not RmwKind.ADD_UNLESS)
            self._assume(Op.EQ if equal else Op.NE, rmw.expected, old)
        if step.success:
            self._written(rmw, old)
            if rmw.bits:
                self._put(Op.WRAP, spare + 1, spare + 1, c=rmw.bits)
            if step.written is not None:
                self._assume(Op.EQ, spare + 1, self._constant(step.written))
        if i.dst >= 0:
            self._put(Op.MOV, i.dst, old)

    def _written(self, rmw: Rmw, old: int) -> None:
        """Computes what an update writes."""
        to, other, operand = self._spare + 1, self._spare + 2, rmw.operand
        op = _UPDATES.get(rmw.kind)
        if op is None and rmw.kind is not RmwKind.ANDNOT:
            self._put(Op.MOV, to, operand)
        elif op is None:
            self._put(Op.BITNOT, other, operand)
            self._put(Op.BITAND, to, old, other)
        elif op in (Op.LT, Op.ULT):
            one, two = old, operand
            if rmw.bits > 0 and op is Op.LT:
                self._put(Op.WRAP, to, old, c=-rmw.bits)
                self._put(Op.WRAP, other, operand, c=-rmw.bits)
                one, two = to, other
            self._put(op, to, one, two)
            low = rmw.kind in (RmwKind.MIN, RmwKind.UMIN)
            self._put(Op.SELECT, to, to, old if low else operand, operand if low else old)
        else:
            self._put(op, to, old, operand)
