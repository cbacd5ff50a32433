"""Steps that are put together, and atomic blocks: each way through a block is one step.

A step is taken only where all the conditions on it hold: it is a choice as long as others see nothing of it. So is one
that loads, or whose update fails, and one that has chosen a value. What is seen stays: behind it, a process whose
condition does not hold stands still.

Under tso and pso a block is at one moment of the memory's order. If it loads and stores, that is when it runs: what its
process has stored before (under pso to what it stores to) is in memory then, and its own stores get there at once. The
stores of one that only stores wait in the buffer, and reach memory together. One that only loads runs at once; where it
reads what its process has stored and what is not in memory yet, the models can forbid what it reads: that is doubtful.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Protocol

from xgen.engine.explicit.states import Order
from xgen.errors import UnsupportedError
from xgen.program import automaton as xcfa
from xgen.program.printer import print_statement
from xgen.records import dataclass, replace
from xgen.systems import processes as dve
from xgen.systems.processes import Expression, Number, Operation, Read


@dataclass
class Segment:
    """A step that is being put together."""

    origin: int
    guard: Expression | None = None
    actions: list[dve.Action] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    line: int | None = None
    accesses: bool = False
    seen: bool = False  # by others: a condition that does not hold does not take the step back any more
    chosen: bool = False  # it is at the beginning of an edge that is one of several
    atomic: bool = False
    fences: bool = False
    direct: bool = False
    together: bool = False
    watches: bool = False
    inside: bool = False  # an atomic block; `loads` and `stores`: there, so far
    choosing: bool = False  # there, at the beginning of an edge: what does not hold is chosen among the edges before
    loads: bool = False
    stores: bool = False
    passed: frozenset[int] = frozenset()  # places in it

    def access(self, seen: bool) -> None:
        """There is an access in it, which others see or not."""
        self.accesses = True
        self.seen |= seen
        self.choosing = False

    def copy(self) -> Segment:
        """Another one, which goes on from here."""
        return replace(self, actions=list(self.actions), texts=list(self.texts))


@dataclass
class Body:
    """A procedure that is run: its own variables and those around it, its places, and where a call goes back to.

    Locations are at the places from `first` on. `result` gets what a call returns; `own` is set to 0 behind it.
    """

    procedure: xcfa.Procedure
    locals: dict[str, dve.Variable]
    first: int
    caller: Body | None = None
    back: int = -1
    result: dve.Variable | None = None
    own: tuple[dve.Variable, ...] = ()

    def place(self, location: str) -> int:
        """The number of a location's place."""
        return self.first + [each.name for each in self.procedure.locations].index(location)


class Unfolds(Protocol):
    """What makes steps of the statements outside of blocks (unfold.py)."""

    order: Order
    body: Body
    places: list[str]

    def refuse(self, what: str, item: object) -> UnsupportedError: ...
    def close(self, segment: Segment, target: int) -> None: ...
    def run_edge(self, segments: list[Segment], statements: tuple[xcfa.Statement, ...], target: int) -> None: ...
    def in_range(self, value: xcfa.Expression) -> Iterator[Expression]: ...
    def assign(self, segment: Segment, statement: xcfa.Assign | xcfa.Predict | xcfa.Select) -> None: ...
    def havoc(self, segment: Segment, statement: xcfa.Havoc) -> Iterator[Segment]: ...
    def access(
        self, segment: Segment, statement: xcfa.Load | xcfa.Store | xcfa.Rmw | xcfa.Fence
    ) -> Iterator[Segment]: ...
    def store_exclusive(self, segment: Segment, statement: xcfa.StoreExclusive) -> Iterator[Segment]: ...
    def expression(self, expression: xcfa.Expression) -> Expression: ...


class Blocks:
    """The atomic blocks of the process that an unfolder is at."""

    def __init__(self, unfolder: Unfolds) -> None:
        self.unfolder = unfolder

    def begin(self, segment: Segment, statement: xcfa.AtomicBegin) -> Segment:
        """The step of a block."""
        segment.inside = True
        segment.texts.append(print_statement(statement))
        return segment

    def statement(self, segment: Segment, statement: xcfa.Statement) -> Iterator[Segment]:
        """The ways in which a step goes on with a statement of the block."""
        unfolder = self.unfolder
        match statement:
            case xcfa.Skip():
                yield segment
            case xcfa.Assign() | xcfa.Predict() | xcfa.Select():
                if isinstance(statement, xcfa.Assign | xcfa.Predict):
                    segment.actions += [dve.Condition(inside, True) for inside in unfolder.in_range(statement.value)]
                unfolder.assign(segment, statement)
                yield segment
            case xcfa.Havoc():
                yield from unfolder.havoc(segment, statement)
            case xcfa.Assume(condition):
                yield self.assume(segment, unfolder.expression(condition), print_statement(statement))
            case xcfa.Assert(condition):
                segment.actions.append(dve.Condition(unfolder.expression(condition), claimed=True))
                segment.texts.append(print_statement(statement))
                yield segment
            case xcfa.StoreExclusive():
                yield from unfolder.store_exclusive(segment, statement)
            case xcfa.Load() | xcfa.Store() | xcfa.Rmw() | xcfa.Fence():
                yield from unfolder.access(segment, statement)
            case xcfa.AtomicEnd():
                segment.texts.append(print_statement(statement))
                yield self.end(segment)
            case _:
                raise unfolder.refuse(f"{IN_BLOCKS[type(statement)]} in atomic blocks", statement)

    def assume(self, segment: Segment, condition: Expression, text: str) -> Segment:
        """Goes on where the condition holds; where it does not, the process stands still if it cannot choose again."""
        if not segment.choosing:
            self.stand_still(segment, condition)
        segment.actions.append(dve.Condition(condition))
        segment.texts.append(text)
        return segment

    def stand_still(self, segment: Segment, condition: Expression) -> None:
        """The step to where the process stays for ever, as the condition does not hold; others see what it has done.

        If there is nothing to see, it is not taken: then it is there for what it claims only.
        """
        claims = any(isinstance(action, dve.Condition) and action.claimed for action in segment.actions)
        if not (segment.seen or claims):
            return
        blocked = segment.copy()
        blocked.actions.append(dve.Condition(Operation("!", (condition,)) if segment.seen else Number(0)))
        places = self.unfolder.places
        places.append(f"{places[segment.origin]}, blocked")
        self.unfolder.close(self.end(blocked) if blocked.inside else blocked, len(places) - 1)

    def go_on(self, segment: Segment, place: int) -> None:
        """The steps of a block that goes on behind a place."""
        body = self.unfolder.body
        location = body.procedure.locations[place - body.first]
        if place in segment.passed:
            raise self.unfolder.refuse("loops in atomic blocks", location)
        if location.kind == "error":
            segment.actions.append(dve.Condition(Number(0), claimed=True))
            self.unfolder.close(self.end(segment), place)
            return
        edges = [edge for edge in body.procedure.edges if edge.source.name == location.name]
        enabled: Expression = Number(0)
        for edge in edges:
            enabled = Operation("||", (enabled, self.choice(edge)))
        self.stand_still(segment, enabled)
        for edge in edges:
            way = replace(segment.copy(), passed=segment.passed | {place}, choosing=True)
            self.unfolder.run_edge([way], edge.statements, body.place(edge.target.name))

    def choice(self, edge: xcfa.Edge) -> Expression:
        """Whether an edge can be taken: what is assumed before its first access, or other choice."""
        holds: Expression = Number(1)
        values: dict[dve.Variable, Expression] = {}
        for statement in edge.statements:
            match statement:
                case xcfa.Assume(condition):
                    holds = both(holds, _with(self.unfolder.expression(condition), values))
                case xcfa.Assign() | xcfa.Predict() | xcfa.Select():
                    scratch = Segment(0)
                    self.unfolder.assign(scratch, statement)
                    for action in scratch.actions:
                        assert isinstance(action, dve.Effect)
                        values[action.variable] = _with(action.value, values)
                case xcfa.Skip() | xcfa.Assert() | xcfa.AtomicEnd():
                    pass
                case _:
                    break
        return holds

    def end(self, segment: Segment) -> Segment:
        """The step of a block that is over: what it waits for, and where its stores go."""
        segment.inside = False
        if self.unfolder.order == "sc":
            return segment
        if self.unfolder.order == "pso":
            segment.atomic |= segment.fences and segment.loads
            segment.direct = segment.loads and not segment.atomic
        else:
            segment.atomic |= segment.loads and segment.stores
        segment.together = segment.stores and not segment.loads and not segment.atomic
        segment.watches = segment.loads and not segment.atomic
        return segment


def ends_of(procedure: xcfa.Procedure) -> set[int]:
    """The places where a process ends: final ones, or where there is none, those without edges."""
    ends = {n for n, location in enumerate(procedure.locations) if location.kind == "final"}
    left = {edge.source.name for edge in procedure.edges}
    return ends or {n for n, at in enumerate(procedure.locations) if at.name not in left and at.kind != "error"}


def places_inside(procedure: xcfa.Procedure) -> set[str]:
    """The locations that are inside atomic blocks: none is ever stood at."""
    outside = [location.name for location in procedure.locations if location.kind == "init"]
    found: set[str] = set()
    seen, todo = set(outside), [(name, False) for name in outside]
    for name, inside in todo:
        for edge in procedure.edges:
            if edge.source.name != name:
                continue
            marks = [s for s in edge.statements if isinstance(s, xcfa.AtomicBegin | xcfa.AtomicEnd)]
            after = isinstance(marks[-1], xcfa.AtomicBegin) if marks else inside
            if edge.target.name not in seen:
                seen.add(edge.target.name)
                todo.append((edge.target.name, after))
                found |= {edge.target.name} if after else set()
    return found


def both(one: Expression | None, other: Expression) -> Expression:
    """What says that both hold."""
    return other if one is None else Operation("&&", (one, other))


def _with(expression: Expression, values: dict[dve.Variable, Expression]) -> Expression:
    """The expression with values in the place of locals."""
    match expression:
        case Read(variable, None) if variable in values:
            return values[variable]
        case Read(variable, index) if index is not None:
            return Read(variable, _with(index, values))
        case Operation(operator, operands):
            return Operation(operator, tuple(_with(operand, values) for operand in operands))
    return expression


NAMES: dict[type, str] = {
    xcfa.Mutex: "mutexes in cells",
    xcfa.Cut: "`cut`",
    xcfa.Bound: "`bound`",
    xcfa.Lifetime: "objects that are allocated and freed",
}

IN_BLOCKS: dict[type, str] = NAMES | {
    xcfa.Mutex: "mutexes",
    xcfa.Control: "`start` and `join`",
    xcfa.Call: "calls",
    xcfa.Return: "`return`",
}
