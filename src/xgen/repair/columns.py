"""Conditions over many states at once: a state is a row of digits, a variable a column of them (numpy).

A digit is the place of a value among its variable's values; an array of states has the shape (states, variables).
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from xgen.errors import ProgramError
from xgen.repair.protocol import Expression, Literal, Operation, Protocol, Reference, Value

Digits: TypeAlias = NDArray[np.int16]
Flags: TypeAlias = NDArray[np.bool_]
Numbers: TypeAlias = NDArray[np.int64]

_NAME = 1 << 40
"""Names of values are numbers from here on; where arithmetic meets one, it has no value."""
_NONE = np.zeros(1, dtype=np.bool_)


class Columns:
    """Evaluates a protocol's expressions. What has no value in a state (`none + 1`) is an error there, not false."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        names = sorted({value for v in protocol.variables for value in v.values if isinstance(value, str)})
        self._culprit: Expression | None = None
        self._codes = {name: _NAME + number for number, name in enumerate(names)}
        self._values = [np.array([self.code(value) for value in v.values], dtype=np.int64) for v in protocol.variables]

    def code(self, value: Value) -> int:
        """The number that stands for a value."""
        return value if isinstance(value, int) else self._codes.setdefault(value, _NAME + len(self._codes))

    def holds(self, condition: Expression, before: Digits, after: Digits | None = None) -> Flags:
        """In which states, or steps, a condition holds."""
        value, undefined = self._evaluate(condition, before, after)
        self._refuse(condition, undefined, before)
        flags: Flags = np.broadcast_to(value != 0, len(before)).copy()
        return flags

    def digits(self, variable: int, value: Expression, states: Digits) -> Digits:
        """The digit of a variable that is set to a value; -1 where that is none of the variable's."""
        found, undefined = self._evaluate(value, states, None)
        self._refuse(value, undefined, states)
        known = self._values[variable]
        hits = np.broadcast_to(found, len(states))[:, None] == known[None, :]
        digits: Digits = np.where(hits.any(axis=1), hits.argmax(axis=1), -1).astype(np.int16)
        return digits

    def _refuse(self, expression: Expression, undefined: Flags, states: Digits) -> None:
        flags = np.broadcast_to(undefined, len(states))
        if flags.any():
            state = self.state(states[int(flags.argmax())])
            message = "this has no value, for it calculates with what is no number"
            at = (self._culprit or expression).at
            raise ProgramError(message, self.protocol.source, at, f"where {self.protocol.describe(state)}")

    def state(self, row: Digits) -> tuple[Value, ...]:
        """The values of a row of digits."""
        return tuple(v.values[digit] for v, digit in zip(self.protocol.variables, row.tolist(), strict=True))

    def _evaluate(self, expression: Expression, before: Digits, after: Digits | None) -> tuple[Numbers, Flags]:
        """The value in each state, and where there is none."""
        if isinstance(expression, Literal):
            return np.array([self.code(expression.value)], dtype=np.int64), _NONE
        if isinstance(expression, Reference):
            rows = before if not expression.primed else after
            assert rows is not None
            return self._values[expression.variable][rows[:, expression.variable]], _NONE
        if expression.operator in ("and", "or", "imply"):
            return self._connect(expression, before, after)
        values, undefined = [], _NONE
        for operand in expression.operands:
            value, none = self._evaluate(operand, before, after)
            values.append(value)
            undefined = undefined | none
        result, none = _apply(expression.operator, values, undefined)
        if none is not undefined and none.any():
            self._culprit = expression
        return result, none

    def _connect(self, expression: Operation, before: Digits, after: Digits | None) -> tuple[Numbers, Flags]:
        """`and`, `or`, `imply`: what is decided by operands further left needs no value of those further right."""
        absorbing = expression.operator == "or"
        operands = list(expression.operands)
        result, undefined, decided = np.array([not absorbing]), _NONE, _NONE
        for number, operand in enumerate(operands):
            value, none = self._evaluate(operand, before, after)
            truth = value != 0
            if expression.operator == "imply":
                truth = truth != (number == 0)
                result = truth if number == 0 else result | truth
                undefined = undefined | (none & ~decided)
                decided = decided | (truth & ~none)
                continue
            undefined = undefined | (none & ~decided)
            decided = decided | ((truth == absorbing) & ~none)
            result = result | truth if absorbing else result & truth
        return result.astype(np.int64), undefined


def _apply(operator: str, values: list[Numbers], undefined: Flags) -> tuple[Numbers, Flags]:
    if operator == "not":
        return (values[0] == 0).astype(np.int64), undefined
    if operator == "count":
        return sum(((value != 0).astype(np.int64) for value in values), np.zeros(1, dtype=np.int64)), undefined
    left, right = values
    if operator in ("=", "/="):
        return ((left == right) == (operator == "=")).astype(np.int64), undefined
    undefined = undefined | (left >= _NAME) | (right >= _NAME)
    if operator == "mod":
        undefined = undefined | (right <= 0)
        return left % np.where(right > 0, right, 1), undefined
    if operator in ("+", "-", "*"):
        result = {"+": left + right, "-": left - right, "*": left * right}[operator]
        return np.where(undefined, 0, result), undefined
    compared = {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[operator]
    return compared.astype(np.int64), undefined
