"""What depends on what, on one way that a thread takes, step by step.

It shares no taint with the encoding, whose taints are of all ways at a time: only what the operands of an instruction
are for (taint.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from xgen._core import OPERATIONS, Op, OpKind
from xgen.engine.sat.dependencies.taint import MAY_FAIL, QUOTIENTS, REPLACES, decider, inputs, is_seen, operands_of
from xgen.lowering.code import Code, Instruction
from xgen.records import dataclass

Numbers = frozenset[int]
_NONE: Numbers = frozenset()


@dataclass(frozen=True, slots=True)
class Depends:
    """The events that an event depends on, by their numbers; `way`: whatever has decided that it is there."""

    addr: Numbers = _NONE
    data: Numbers = _NONE
    ctrl: Numbers = _NONE
    way: Numbers = _NONE
    picks: Numbers = _NONE


class Trail:
    """A thread on its way: `of` has the dependencies of its events so far, by their numbers, `pairs` the exclusive load
    of each store exclusive. `reservation`: the register that has what the last exclusive load has reserved, or -1."""

    def __init__(self, code: Code, reservation: int) -> None:
        self.code, self._reservation = code, reservation
        self.of: dict[int, Depends] = {}
        self.pairs: dict[int, int] = {}
        self._reserved_by = -1
        self.control, self.way = _NONE, _NONE
        self._registers: dict[int, Numbers] = {}

    def step(self, pc: int, events: Sequence[int]) -> None:
        """Goes past an instruction; `events`: those that it is, an update's read before its write."""
        i = self.code.instructions[pc]
        self._plain(i)
        if i.op is Op.CHOOSE:
            for target in self.code.targets[i.c]:
                self._look_ahead(target)
        elif i.op is Op.HAVOC:
            self._goes_by(self._get(i.a) | self._get(i.b))
            self._registers[i.dst] = _NONE
        elif events:
            self._event(i, events)

    def _get(self, operand: int) -> Numbers:
        return self._registers.get(operand, _NONE)

    def _goes_by(self, numbers: Numbers, seen: bool = True) -> None:
        self.way |= numbers
        if seen:
            self.control |= numbers

    def _plain(self, i: Instruction) -> None:
        """Notes what an instruction decides, and what it computes."""
        operand = decider(i)
        if operand is not None:
            self._goes_by(self._get(operand), is_seen(i))
        if OPERATIONS[i.op][2] is OpKind.COMPUTE:
            self._registers[i.dst] = _NONE.union(*map(self._get, inputs(i)))

    def _look_ahead(self, at: int) -> None:
        """All that an edge assumes counts, whether it is taken or not."""
        kept = dict(self._registers)
        for i in edge(self.code, at):
            self._plain(i)
        self._registers = kept

    def _event(self, i: Instruction, events: Sequence[int]) -> None:
        given = operands_of(i, self.code.rmws)
        addr, value, compared = map(self._get, (given.address, given.value, given.compared))
        if i.op is not Op.RMW:
            for event in events:
                self.of[event] = Depends(addr, value, self.control, self.way)
            if i.op in (Op.LOAD, Op.LOADX, Op.STOREX) and i.dst >= 0:
                self._registers[i.dst] = frozenset(events)
            if i.op is Op.LOADX:
                self._registers[self._reservation] = addr
                self._reserved_by = events[0]
            elif i.op is Op.STOREX:
                self._registers[self._reservation] = _NONE
                self.pairs[events[0]] = self._reserved_by
                self._reserved_by = -1
            return
        rmw, read = self.code.rmws[i.c], events[0]
        picks = compared if rmw.picks else _NONE
        self.of[read] = Depends(addr, _NONE, self.control, self.way, picks)
        if len(events) > 1:
            data = value if rmw.picks or rmw.pair else value | compared
            control, way = self.control, self.way
            if rmw.pair and rmw.kind in MAY_FAIL:
                control, way = control | compared | {read}, way | compared | {read}
            elif rmw.pair and rmw.kind not in REPLACES:
                data |= {read}
            self.of[events[1]] = Depends(addr, data, control, way, picks)
            if rmw.pair:
                self._goes_by(frozenset({events[1]}))
        if i.dst >= 0:
            self._registers[i.dst] = frozenset({read})


def edge(code: Code, at: int) -> list[Instruction]:
    """The instructions of an edge up to its first event, or to its end."""
    found: list[Instruction] = []
    while True:
        i = code.instructions[at]
        kind = OPERATIONS[i.op][2]
        if i.op is Op.JMP and i.c > at:
            at = i.c
            continue
        if kind not in (OpKind.COMPUTE, OpKind.TEST, OpKind.BRANCH):
            return found
        found.append(i)
        at += 1


def choosable(code: Code, pc: int) -> bool:
    """Whether all that a choice of edges looks at counts, whatever holds: each has one thing that decides at most."""
    edges = [edge(code, target) for target in code.targets[code.instructions[pc].c]]
    thread = next(n for n, (first, last) in enumerate(code.ranges) if first <= pc < last)
    reservation = code.threads[thread].reservation
    if any(i.op in (Op.LOADX, Op.STOREX) and i.a >= 0 for i in code.instructions):
        reservation = -1
    return not any(i.op is Op.JZ for each in edges for i in each) and all(
        _deciders(code, each, reservation) <= 1 for each in edges
    )


def _deciders(code: Code, instructions: Sequence[Instruction], reservation: int) -> int:
    """How many of them may stop a thread, by what depends on anything. `reservation`: the register with a reservation,
    where addresses of exclusive accesses depend on nothing: then neither does whether a cell is reserved; else -1."""
    found = 0
    for number, i in enumerate(instructions):
        before = instructions[number - 1] if number else None
        reserved = before is not None and before.op is Op.EQ and before.b == reservation >= 0
        found += _decides(code, i) and not reserved
    return found


def _decides(code: Code, i: Instruction) -> bool:
    """Whether a thread may stop at an instruction; no division by a positive constant stops it."""
    operand = decider(i)
    return operand is not None and not (operand < 0 and i.op in QUOTIENTS and code.constants[~operand] > 0)
