"""The events that a register's value, an address or a thread's way comes from, as literals.

As the core's machine has them (src/core/code/taint.hpp, Machine::taint_result).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from types import MappingProxyType

from xgen._core import OPERATIONS, Op, OpKind, RmwKind
from xgen.engine.sat.gates import FALSE, Gates, Literal
from xgen.lowering.code import IN_RANGE, Instruction, Rmw
from xgen.records import dataclass

Taint = Mapping[int, Literal]
"""Events of the thread, by their numbers, each with whether it counts."""

NOTHING: Taint = MappingProxyType({})

QUOTIENTS = (Op.DIV, Op.MOD, Op.REM, Op.QUO, Op.REMT, Op.UQUO, Op.UREM)
_SHIFTS = (Op.SHL, Op.SHR, Op.SAR)
MAY_FAIL = (RmwKind.CAS, RmwKind.ADD_UNLESS, RmwKind.LOCK)
REPLACES = (RmwKind.EXCHANGE, RmwKind.CAS, RmwKind.LOCK)
"""Kinds of updates that write the same whatever they read."""


@dataclass(frozen=True, slots=True)
class Way:
    """What the way that a thread takes has been decided by.

    control  what later events depend on, as models see it
    all      whatever has decided it; so no value of this comes from what it decides
    """

    control: Taint = NOTHING
    all: Taint = NOTHING


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What an event depends on. `picks`: of an update that only picks by what it compares, that."""

    addr: Taint = NOTHING
    data: Taint = NOTHING
    way: Way = field(default_factory=Way)
    picks: Taint = NOTHING


INDEPENDENT = Dependencies()


def joined(gates: Gates, taints: Iterable[Taint]) -> Taint:
    """What is in one of them."""
    found: dict[int, Literal] = {}
    for taint in taints:
        for event, literal in taint.items():
            found[event] = gates.either(found.get(event, FALSE), literal)
    return found


def picked(gates: Gates, condition: Literal, one: Taint, other: Taint) -> Taint:
    """The one where the condition holds, else the other one."""
    if one is other or one == other:
        return one
    events = dict.fromkeys((*one, *other))
    return {event: gates.pick(condition, one.get(event, FALSE), other.get(event, FALSE)) for event in events}


def lost(gates: Gates, before: Taint, after: Taint) -> Literal:
    """Whether something was in the one that is not in the other one."""
    return gates.any(gates.both(own, -after.get(event, FALSE)) for event, own in before.items())


def decider(i: Instruction) -> int | None:
    """The operand that decides whether, or where, a thread goes on."""
    if i.op in (Op.ASSUME, Op.ASSERT, Op.JZ):
        return i.a
    if i.op in QUOTIENTS or (i.op in _SHIFTS and i.c != IN_RANGE):
        return i.b
    return None


def is_seen(i: Instruction) -> bool:
    """Whether models see what the decision of an instruction depends on."""
    return not (i.op is Op.ASSUME and i.c) and not (i.op is Op.JZ and i.b)


def inputs(i: Instruction) -> list[int]:
    """The registers that the result of an instruction depends on."""
    assert OPERATIONS[i.op][2] is OpKind.COMPUTE
    operands = {"a": i.a, "b": i.b, "c": i.c, "dst": i.dst}
    return [operands[name] for name in OPERATIONS[i.op][0] if operands[name] >= 0]


@dataclass(frozen=True, slots=True)
class Operands:
    """The registers, or constants, by which an event depends on others: those of its address, of what is written, and
    of what an update compares; -1: none."""

    address: int = -1
    value: int = -1
    compared: int = -1


def operands_of(i: Instruction, rmws: tuple[Rmw, ...]) -> Operands:
    """Of an instruction that is an event."""
    if i.op is Op.RMW:
        rmw = rmws[i.c]
        return Operands(rmw.address, rmw.operand, rmw.expected)
    if i.op in (Op.STORE, Op.STOREX, Op.UNLOCK):
        return Operands(i.a, i.b)
    return Operands(i.a) if i.op in (Op.LOAD, Op.LOADX, Op.OBJECT) else Operands()
