"""The engine of explicit states: processes behind bounded store buffers, and a search for accepted runs.

The core does the search (src/core/states); here systems and propositions become its code, and its lassos steps again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from xgen import _core
from xgen.clock import OutOfTime
from xgen.errors import LimitError
from xgen.records import dataclass
from xgen.systems.processes import (
    Action,
    Clear,
    Condition,
    Effect,
    Expression,
    Number,
    Operation,
    Read,
    Release,
    Reserve,
    Stands,
    System,
    Transition,
    Variable,
)

Order: TypeAlias = Literal["sc", "tso", "pso", "cam"]
Code: TypeAlias = list[tuple[_core.StateOp, int, int]]
MOST_MARKS = 60
MOST_PROPOSITIONS = 64
SLICE = 0.2
"""Seconds after which the search comes back to listen."""

_ORDERS = {
    "sc": _core.StoreOrder.SC,
    "tso": _core.StoreOrder.TSO,
    "pso": _core.StoreOrder.PSO,
    "cam": _core.StoreOrder.CAM,
}
_UNARY = {"-": _core.StateOp.NEGATE, "!": _core.StateOp.NOT, "~": _core.StateOp.COMPLEMENT}
_BINARY = {
    "+": _core.StateOp.ADD,
    "-": _core.StateOp.SUBTRACT,
    "*": _core.StateOp.MULTIPLY,
    "/": _core.StateOp.DIVIDE,
    "%": _core.StateOp.MODULO,
    "&": _core.StateOp.AND,
    "|": _core.StateOp.OR,
    "^": _core.StateOp.XOR,
    "<<": _core.StateOp.LEFT,
    ">>": _core.StateOp.RIGHT,
    "==": _core.StateOp.EQ,
    "!=": _core.StateOp.NE,
    "<": _core.StateOp.LT,
    "<=": _core.StateOp.LE,
    ">": _core.StateOp.GT,
    ">=": _core.StateOp.GE,
}
_JUMPS = {"&&": _core.StateOp.UNLESS, "||": _core.StateOp.IF}
_FAULTS = {
    _core.StateFault.INDEX: "an index is out of range",
    _core.StateFault.DIVISION: "a division by zero",
    _core.StateFault.RANGE: "a value needs more than 32 bits",
}


@dataclass(frozen=True, slots=True)
class Edge:
    """Of an automaton: which propositions hold and which do not (bits), where it leads, and its marks (bits)."""

    holds: int
    fails: int
    target: int
    marks: int


@dataclass(frozen=True, slots=True)
class Automaton:
    """A transition-based generalised Büchi automaton: runs are accepted that see each mark again and again."""

    edges: tuple[tuple[Edge, ...], ...]
    marks: int


@dataclass(frozen=True, slots=True)
class Moment:
    """A step and the state after it: the values of variables, where the processes stand, and what their buffers hold.

    `transition` is None for a flush, of the process `process`; both are None where nothing can move any more, and at
    the start.
    """

    transition: Transition | None
    process: int | None
    values: tuple[tuple[int, ...], ...]  # by variable
    places: tuple[int, ...]
    stores: tuple[tuple[tuple[str, int], ...], ...]  # by process: the oldest one first


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search has found.

    `end` is empty, accepted, fault, range (a value needs more than 32 bits), states, time or interrupted. `doubtful`:
    some of the steps may be none of the model (see Transition).
    """

    end: str
    states: int
    product: int
    transitions: int
    waited: bool  # for room in a buffer: more room might show more
    doubtful: bool
    prefix: tuple[Moment, ...]
    cycle: tuple[Moment, ...]
    fault: str | None
    seconds: float
    stopped: bool  # Ctrl-C came, perhaps when the end was found


def search(
    system: System,
    propositions: Sequence[Expression],
    automaton: Automaton,
    order: Order,
    room: int,
    fair: bool,
    limit: int,
    timeout: float | None = None,
    report: Callable[[int, float], None] | None = None,
    workers: int = 1,
    strict: bool = False,
) -> Searched:
    """Look for a run of the system that the automaton accepts; propositions are of memory, not of buffers.

    Further workers look at states ahead; what is found does not depend on how many there are. `strict`: without steps
    that are doubtful.
    Raises LimitError where there are more processes, buffers and marks than there is room for.
    """
    start = time.monotonic()
    native = _Native(system)
    core = native.emptiness(propositions, automaton, order, room, fair, strict, workers)
    end, stopped = "interrupted", False
    try:
        while core.end is _core.EmptinessEnd.BUDGET:
            left = SLICE if timeout is None else min(SLICE, timeout - (time.monotonic() - start))
            if left <= 0:
                end = "time"
                break
            core.run(left, limit)
            if report is not None:
                report(core.states, time.monotonic() - start)
    except (KeyboardInterrupt, OutOfTime) as error:
        # What was found by then is the answer: it may take long to find the run that is shown.
        stopped = isinstance(error, KeyboardInterrupt)
        if not stopped and core.end is _core.EmptinessEnd.BUDGET:
            raise
    if core.end is not _core.EmptinessEnd.BUDGET:
        end = "range" if core.fault is _core.StateFault.RANGE else core.end.name.lower()
    moments = [
        tuple(native.moment(core, *each) for each in part) if end in ("accepted", "fault") else ()
        for part in (core.prefix, core.cycle)
    ]
    return Searched(
        end,
        core.states,
        core.product,
        core.transitions,
        core.waited,
        core.doubtful,
        moments[0],
        moments[1],
        native.fault(core) if end in ("fault", "range") else None,
        time.monotonic() - start,
        stopped,
    )


class _Native:
    """A system in the core's form: shared cells first, then for each process its place and its variables."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.first: dict[Variable, int] = {}
        self.initial: list[int] = []
        self.ranges: list[tuple[int, int]] = []
        for variable in system.variables:
            if variable.is_shared:
                self._lay(variable)
        self.cells = len(self.initial)
        self.places = []
        for number, process in enumerate(system.processes):
            self.places.append(len(self.initial))
            self.initial.append(process.start)
            self.ranges.append((0, len(process.places)))
            for variable in system.variables:
                if variable.process == number:
                    self._lay(variable)
        self.names = {
            self.first[v] + n: f"{v.name}[{n}]" if v.is_array else v.name
            for v in system.variables
            for n in range(len(v.initial))
        }

    def _lay(self, variable: Variable) -> None:
        self.first[variable] = len(self.initial)
        self.initial += variable.initial
        self.ranges += [variable.range] * len(variable.initial)

    def emptiness(
        self,
        propositions: Sequence[Expression],
        automaton: Automaton,
        order: Order,
        room: int,
        fair: bool,
        strict: bool,
        workers: int,
    ) -> _core.Emptiness:
        count = len(self.system.processes)
        queues = {"sc": 0, "pso": count * self.cells}.get(order, count)
        if automaton.marks + count * fair + queues > MOST_MARKS:
            said = f"{count} processes, {queues} store buffers and {automaton.marks} promises of the formula"
            raise LimitError(f"{said}: more than {MOST_MARKS} in all")
        if len(propositions) > MOST_PROPOSITIONS:
            raise LimitError(f"the formula has more than {MOST_PROPOSITIONS} propositions")
        processes = []
        for number, process in enumerate(self.system.processes):
            claims: list[Code] = [[] for _ in process.places]
            for place, claim in process.asserts:
                claims[place] = self._both(claims[place], self.code(claim))
            committed = [place in process.committed for place in range(len(process.places))]
            processes.append((self.places[number], committed, claims))
        return _core.Emptiness(
            self.cells,
            self.initial,
            self.ranges,
            processes,
            [self._transition(transition) for transition in self.system.transitions],
            [self.code(proposition) for proposition in propositions],
            _ORDERS[order],
            room,
            fair,
            strict,
            [[(e.holds, e.fails, e.target, e.marks) for e in edges] for edges in automaton.edges],
            automaton.marks,
            workers,
        )

    def _both(self, one: Code, other: Code) -> Code:
        return [*one, (_core.StateOp.UNLESS, len(other), 0), *other] if one else other

    def _transition(self, transition: Transition) -> tuple[object, ...]:
        actions = [self._action(action) for action in transition.actions]
        guard = [] if transition.guard is None else self.code(transition.guard)
        ends = transition.origin, transition.target
        stores = (
            *(transition.atomic, transition.fences),
            *(transition.direct, transition.together, transition.watches),
        )
        return transition.process, ends, guard, actions, stores, transition.partner or (-1, 0, 0)

    def _action(self, action: Action) -> tuple[_core.StateEffect, list[tuple[object, ...]], Code]:
        match action:
            case Effect(variable, index, value, exclusive):
                kind = _core.StateEffect.EXCLUSIVE if exclusive else _core.StateEffect.ASSIGN
                return kind, [self._target(variable, index)], self.code(value)
            case Condition(value, claimed):
                return _core.StateEffect.ASSERT if claimed else _core.StateEffect.ASSUME, [], self.code(value)
            case Clear(variable, index):
                return _core.StateEffect.CLEAR, [self._target(variable, index)], []
            case Reserve(variable, index):
                return _core.StateEffect.RESERVE, [self._target(variable, index)], []
            case Release():
                return _core.StateEffect.RELEASE, [], []

    def _target(self, variable: Variable, index: Expression | None) -> tuple[object, ...]:
        code = [] if index is None else self.code(index)
        return variable.is_shared, self.first[variable], len(variable.initial), code, variable.range

    def code(self, expression: Expression) -> Code:
        """The core's code of an expression."""
        if isinstance(expression, Number):
            return [(_core.StateOp.CONSTANT, expression.value, 0)]
        if isinstance(expression, Stands):
            return [(_core.StateOp.IS, self.places[expression.process], expression.place)]
        if isinstance(expression, Read):
            op, shared, first = _core.StateOp, expression.variable.is_shared, self.first[expression.variable]
            if expression.index is None:
                return [(op.CELL if shared else op.LOCAL, first, 0)]
            at = op.CELL_AT if shared else op.LOCAL_AT
            return [*self.code(expression.index), (at, first, len(expression.variable.initial))]
        return self._operation(expression)

    def _operation(self, expression: Operation) -> Code:
        parts = [self.code(operand) for operand in expression.operands]
        if len(parts) == 1:
            return [*parts[0], (_UNARY[expression.operator], 0, 0)]
        if expression.operator in _JUMPS:
            jump = (_JUMPS[expression.operator], len(parts[1]), 0)
            return [*parts[0], jump, *parts[1], (_core.StateOp.TRUTH, 0, 0)]
        return [*parts[0], *parts[1], (_BINARY[expression.operator], 0, 0)]

    # --- Back ----------------------------------------------------------------------------------------------------

    def moment(self, core: _core.Emptiness, kind: _core.StateStep, number: int, state: list[int]) -> Moment:
        """A step of a lasso: of a transition or a buffer by its number."""
        queues = core.stores(state)
        stores: list[tuple[tuple[str, int], ...]] = [() for _ in self.system.processes]
        for process, held in queues:
            stores[process] += tuple((self.names[cell], value) for cell, value in held)
        moves = kind is _core.StateStep.MOVE and bool(self.system.transitions)
        transition = self.system.transitions[number] if moves else None
        return Moment(
            transition,
            transition.process if transition else queues[number][0] if kind is _core.StateStep.FLUSH else None,
            tuple(tuple(state[self.first[v] :][: len(v.initial)]) for v in self.system.variables),
            tuple(state[place] for place in self.places),
            tuple(stores),
        )

    def fault(self, core: _core.Emptiness) -> str:
        """What went wrong, in words."""
        if core.fault is _core.StateFault.ASSERTION:
            return f"an assertion of {self.system.processes[core.culprit].name} does not hold"
        what = _FAULTS[core.fault]
        if core.culprit < 0:
            return what
        transition = self.system.transitions[core.culprit]
        return f"{what}: {self.system.processes[transition.process].name}, {transition.text}"
