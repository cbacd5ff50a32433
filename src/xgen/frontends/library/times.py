"""Waits that a time is given for: how long that is does not matter here, but whether it is a time."""

from __future__ import annotations

from xgen.frontends.library.call import INT, INVALID, ZERO, Call
from xgen.program.automaton import Binary, Conditional, Expression, IntLiteral
from xgen.records import dataclass

TIMED_OUT = 110
THRD_BUSY, THRD_ERROR, THRD_TIMED_OUT = 1, 2, 4
_SECOND = 10**9
_CLOCKS = (0, 1)
"""CLOCK_REALTIME, CLOCK_MONOTONIC."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Which argument of a function leads to its time, and which is its clock; what it gives when the time is over, and
    what if it would have to wait and the time is none, or at once if there is no such clock."""

    time: int
    clock: int | None = None
    over: int = TIMED_OUT
    invalid: int = INVALID

    @staticmethod
    def of_thrd(time: int) -> Wait:
        """Of a function of `<threads.h>`."""
        return Wait(time, over=THRD_TIMED_OUT, invalid=THRD_ERROR)

    def late(self, call: Call) -> Expression:
        """What the call gives if it gets nothing."""
        return _if_time(self.nanoseconds(call), IntLiteral(self.over), IntLiteral(self.invalid))

    def is_time(self, call: Call) -> Expression:
        """1 where the time is one, else 0."""
        return _if_time(self.nanoseconds(call), IntLiteral(1), ZERO)

    def nanoseconds(self, call: Call) -> Expression:
        """A null pointer, which no program may give, is as good as any time."""
        return ZERO if call.argument(self.time) == ZERO else call.nanoseconds(self.time)


def _if_time(nanoseconds: Expression, one: Expression, other: Expression) -> Expression:
    if isinstance(nanoseconds, IntLiteral):
        return one if 0 <= nanoseconds.value < _SECOND else other
    bounds = Binary("<=", ZERO, nanoseconds), Binary("<", nanoseconds, IntLiteral(_SECOND))
    return Conditional(Binary("and", *bounds), one, other)


def refused_clock(call: Call, wait: Wait) -> bool:
    """Whether it is known that nothing waits for the clock."""
    clock = ZERO if wait.clock is None else call.argument(wait.clock, INT)
    return isinstance(clock, IntLiteral) and clock.value not in _CLOCKS
