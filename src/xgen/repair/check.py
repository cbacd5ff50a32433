"""Is a program tolerant? A plain search that shares only the reader with the repair: the reason to believe a result."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from xgen.errors import ProgramError
from xgen.records import dataclass
from xgen.repair.protocol import Action, Expression, Literal, Protocol, Reference, State, Value
from xgen.repair.space import Stopped

Step: TypeAlias = tuple[str, State]
"""Who does what, and the state after it."""
Program: TypeAlias = Sequence[Callable[[State], Iterable[Step]]]
"""What each process may do in a state."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A run that shows why a program is not tolerant. From `cycle` on, a number of states, it goes round for ever."""

    kind: str  # "bad step", "dead end", "new step", "no recovery", "no number"
    run: tuple[Step, ...]
    cycle: int | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check has found: the states that are reached, how many of them are legitimate, and what is wrong."""

    reached: int
    legitimate: int
    trouble: Trouble | None


def check(
    protocol: Protocol,
    program: Program,
    level: str,
    start: Sequence[State],
    limit: int | None = None,
    deadline: float | None = None,
) -> Checked:
    """Whether a program, run from some states, tolerates the protocol's faults, and a shortest run if it does not.

    Raises Stopped at the limit of states or of time.
    """
    legit, never = _compiled(protocol.legit), _compiled(protocol.never)
    never_step = _compiled(protocol.never_step)
    old, faults = original(protocol), [_steps(protocol, action, f"fault: {action.text}") for action in protocol.faults]
    bad: dict[State, Value] = {}
    parent: dict[State, tuple[State, str] | None] = dict.fromkeys(start)
    order, moves = list(start), {}
    for state in order:
        if limit is not None and len(order) > limit:
            raise Stopped(f"there are more than {limit:,} states; --limit allows more")
        if deadline is not None and time.monotonic() > deadline:
            raise Stopped("the time is over")
        is_legit = bool(legit(state, state))
        steps = [step for act in program for step in act(state) if step[1] != state]
        known = {step[1] for act in old for step in act(state)} if is_legit else set()
        if not steps and (level != "failsafe" or is_legit) and not (is_legit and not known - {state}):
            return Checked(len(order), 0, Trouble("dead end", _run(parent, state)))
        for label, after in steps:
            if is_legit and after not in known:
                return Checked(len(order), 0, Trouble("new step", (*_run(parent, state), (label, after))))
        for label, after in (*steps, *(step for fault in faults for step in fault(state))):
            if after not in bad:
                bad[after] = level != "nonmasking" and never(after, after)
            if after != state and (bad[after] or (level != "nonmasking" and never_step(state, after))):
                return Checked(len(order), 0, Trouble("bad step", (*_run(parent, state), (label, after))))
            if after not in parent:
                parent[after] = (state, label)
                order.append(after)
        if level != "failsafe" and not is_legit:
            moves[state] = steps
    inside = {state: [step for step in steps if step[1] in moves] for state, steps in moves.items()}
    trouble = _cycle(inside, order, parent)
    return Checked(len(order), sum(bool(legit(state, state)) for state in order), trouble)


def original(protocol: Protocol) -> Program:
    """The program as it stands in the text."""

    def together(actions: list[Callable[[State], Iterable[Step]]]) -> Callable[[State], Iterator[Step]]:
        return lambda state: (step for act in actions for step in act(state))

    return [
        together([_steps(protocol, action, f"process {process.name}: {action.text}") for action in process.actions])
        for process in protocol.processes
    ]


def _cycle(
    moves: dict[State, list[Step]], order: list[State], parent: dict[State, tuple[State, str] | None]
) -> Trouble | None:
    """The cycle that is reached soonest among some states' steps."""
    before: dict[State, list[State]] = {state: [] for state in moves}
    for state, steps in moves.items():
        for _, after in steps:
            before[after].append(state)
    left = {state: len(steps) for state, steps in moves.items()}
    ends = [state for state, number in left.items() if number == 0]
    for state in ends:
        for earlier in before[state]:
            left[earlier] -= 1
            if left[earlier] == 0:
                ends.append(earlier)
    for state in order:
        if left.get(state):
            back = _way(moves, state)
            if back:
                run = _run(parent, state)
                return Trouble("no recovery", (*run, *back), len(run) - 1)
    return None


def _way(moves: dict[State, list[Step]], goal: State) -> list[Step] | None:
    """The shortest way from a state back to it."""
    parent: dict[State, tuple[State, str] | None] = {goal: None}
    queue = [goal]
    for state in queue:
        for label, after in moves[state]:
            if after == goal:
                return [*_run(parent, state)[1:], (label, after)]
            if after not in parent:
                parent[after] = (state, label)
                queue.append(after)
    return None


def _run(parent: dict[State, tuple[State, str] | None], state: State) -> tuple[Step, ...]:
    """The steps that lead to a state; the first one is the start, without a doer."""
    steps: list[Step] = []
    at: State | None = state
    while at is not None:
        before = parent[at]
        steps.append((before[1] if before else "", at))
        at = before[0] if before else None
    return tuple(steps[::-1])


# --- What actions do in one state ------------------------------------------------------------------------------------

_Compiled: TypeAlias = Callable[[State, State], Value]
DEEP = 40
"""Parentheses inside each other that one piece of Python has at most: its parser takes no more than 200."""
_SIGNS = {"=": "==", "/=": "!="}


def _steps(protocol: Protocol, action: Action, label: str) -> Callable[[State], Iterator[Step]]:
    guard = _compiled(action.guard)
    ways = [[(variable, _compiled(value)) for variable, value in way.updates] for way in action.alternatives]

    def steps(state: State) -> Iterator[Step]:
        try:
            if not guard(state, state):
                return
            for way in ways:
                after = list(state)
                for variable, value in way:
                    after[variable] = value(state, state)
                    if after[variable] not in protocol.variables[variable].values:
                        raise TypeError
                yield label, tuple(after)
        except (TypeError, ZeroDivisionError):
            message = "this action calculates with what is no number, or sets a variable to none of its values"
            state_text = protocol.describe(state)
            raise ProgramError(message, protocol.source, action.at, f"where {state_text}") from None

    return steps


def _compiled(expression: Expression) -> _Compiled:
    """A function of the state before and the state after: Python's own, for very many states run through it."""
    names: dict[str, Callable[..., Value]] = {"number": _number, "modulo": _modulo}
    text, _ = _python(expression, names)
    return _function(text, names)


def _function(text: str, names: dict[str, Callable[..., Value]]) -> _Compiled:
    function: _Compiled = eval(f"lambda before, after: {text}", names)  # of what was parsed, not of the user's text
    return function


def _python(expression: Expression, names: dict[str, Callable[..., Value]]) -> tuple[str, int]:
    """An expression in Python, and how deep its parentheses are; deep operands become functions among the names."""
    if isinstance(expression, Literal):
        return repr(expression.value), 0
    if isinstance(expression, Reference):
        return f"{'after' if expression.primed else 'before'}[{expression.variable}]", 0
    parts, depth = [], 0
    for operand in expression.operands:
        text, inner = _python(operand, names)
        if inner > DEEP:
            name = f"part{len(names)}"
            names[name] = _function(text, names)
            text, inner = f"{name}(before, after)", 0
        parts.append(f"({text})")
        depth = max(depth, inner + 1)
    return _joined(expression.operator, parts), depth


def _joined(sign: str, parts: list[str]) -> str:
    if sign in ("and", "or"):
        return f" {sign} ".join(parts) or str(sign == "and")
    if sign == "count":
        return " + ".join(f"bool{part}" for part in parts) or "0"
    if sign == "not":
        return f"not {parts[0]}"
    left, right = parts
    if sign == "imply":
        return f"not {left} or {right}"
    if sign in _SIGNS:
        return f"{left} {_SIGNS[sign]} {right}"
    return f"modulo({left}, {right})" if sign == "mod" else f"number{left} {sign} number{right}"


def _number(value: Value) -> int:
    if isinstance(value, str):
        raise TypeError
    return value


def _modulo(left: Value, right: Value) -> int:
    if _number(right) <= 0:
        raise ZeroDivisionError
    return _number(left) % _number(right)
