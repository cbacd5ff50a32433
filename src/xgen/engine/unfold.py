"""XCFA programs for the engine of explicit states: each edge becomes steps with at most one access of shared memory.

What a step reads and writes of its own thread belongs to the step before or after; that is seen by nobody else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from xgen._core import Strength
from xgen.engine.proofs import strength
from xgen.engine.states import Order
from xgen.errors import UnsupportedError
from xgen.frontends.dve import system as dve
from xgen.frontends.dve.system import Expression, Number, Operation, Read, System
from xgen.lowering.code import EventClass
from xgen.program import automaton as xcfa
from xgen.program.checks import refuse_any_number
from xgen.program.printer import print_statement

INT = (-(1 << 31), (1 << 31) - 1)
BOOL = (0, 1)
MAX_HAVOC = 1000
_OPERATORS = {
    **{op: op for op in ("+", "-", "*", "<", "<=", ">", ">=")},
    "=": "==",
    "/=": "!=",
    "iff": "==",
    "and": "&&",
    "or": "||",
    "bitand": "&",
    "bitor": "|",
    "bitxor": "^",
}


def unfold(program: xcfa.Program, order: Order) -> System:
    """The system of a program, for a machine: what its fences and updates wait for is in it.

    Raises UnsupportedError, with its place, for what these machines do not run.
    """
    refuse_any_number(program)
    return _Unfolder(program, order).system()


@dataclass
class _Segment:
    """A step that is being put together."""

    origin: int
    guard: Expression | None = None
    effects: list[dve.Effect] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    line: int | None = None
    accesses: bool = False
    atomic: bool = False

    @property
    def is_open(self) -> bool:
        """Whether a condition can still be part of it."""
        return not self.effects and not self.accesses


class _Unfolder:
    def __init__(self, program: xcfa.Program, order: Order) -> None:
        self.program = program
        self.order = order
        self.numbers = {process.name: number for number, process in enumerate(program.processes)}
        self.shared: dict[str, dve.Variable] = {}
        self.locals: dict[str, dve.Variable] = {}
        self.process = 0
        self.places: list[str] = []
        self.transitions: list[dve.Transition] = []
        self.claims: list[tuple[int, Expression]] = []

    def system(self) -> System:
        variables = [self.variable(v, None) for v in self.program.variables]
        variables += [dve.Variable(name, None, BOOL, (0,), False) for name in self.flags()]
        self.shared = {v.name: v for v in variables}
        processes = []
        for number, process in enumerate(self.program.processes):
            self.process = number
            declared = [*process.outer_variables, *process.main_procedure.variables]
            own = [self.variable(v, number) for v in declared]
            self.locals = {v.name: v for v in own}
            variables += own
            processes.append(self.run(process))
        name = self.program.source.name.rpartition("/")[2].removesuffix(".xcfa")
        return System(name, self.program.source, tuple(variables), tuple(processes), tuple(self.transitions))

    def flags(self) -> list[str]:
        """What is remembered of processes that are started or waited for; the names are no names of programs."""
        controls = [
            statement
            for process in self.program.processes
            for edge in process.main_procedure.edges
            for statement in edge.statements
            if isinstance(statement, xcfa.Control)
        ]
        found = {f"{'started' if control.op == 'start' else 'ended'} {control.process.name}" for control in controls}
        return sorted(found)

    def refuse(self, what: str, item: object) -> UnsupportedError:
        position = getattr(item, "position", xcfa.NOWHERE)
        hint = "`xgen check --liveness` and `xgen prove` run it"
        return UnsupportedError(f"`xgen ltl` does not run {what}", self.program.source, position, hint)

    def variable(self, variable: xcfa.Variable, process: int | None) -> dve.Variable:
        if variable.type.base == "synthetic":
            return dve.Variable(variable.name, process, (0, len(self.numbers)), (0,), False, variable.position)
        if len(variable.type.sizes) > 1:
            raise self.refuse("arrays of arrays", variable)
        if variable.address is not None or variable.undefined:
            raise self.refuse("cells with addresses or without a first value", variable)
        size = variable.type.sizes[0] if variable.type.sizes else 1
        given = [int(constant.value) for constant in variable.initial] or [0] * size
        if any(not INT[0] <= value <= INT[1] for value in given):
            raise self.refuse("numbers of more than 32 bits", variable)
        values = BOOL if variable.type.base == "bool" else INT
        return dve.Variable(variable.name, process, values, tuple(given), bool(variable.type.sizes), variable.position)

    # --- Processes -----------------------------------------------------------------------------------------------

    def run(self, process: xcfa.Process) -> dve.Process:
        main = process.main_procedure
        self.places = [location.name for location in main.locations]
        kinds = {location.name: location.kind for location in main.locations}
        self.claims = []
        ends = _ends(main)
        for edge in main.edges:
            origin, target = (self.places.index(location.name) for location in (edge.source, edge.target))
            if origin not in ends and kinds[edge.source.name] != "error":
                self.edge(origin, target, edge)
        start = next(n for n, location in enumerate(main.locations) if location.kind == "init")
        if f"started {process.name}" in self.shared:
            start = self.wait_for_start(process.name, start)
        if f"ended {process.name}" in self.shared:
            ends |= {self.say_that_it_ended(process.name, end) for end in sorted(ends)}
        wrong = [(n, Number(0)) for n, location in enumerate(main.locations) if location.kind == "error"]
        return dve.Process(
            process.name, tuple(self.places), start, frozenset(), (*wrong, *self.claims), frozenset(ends)
        )

    def wait_for_start(self, name: str, start: int) -> int:
        """The place where a process waits until it is started."""
        self.places.append("not started")
        segment = _Segment(len(self.places) - 1, guard=Read(self.shared[f"started {name}"], None))
        self.close(segment, start)
        return segment.origin

    def say_that_it_ended(self, name: str, end: int) -> int:
        """The place after an end, where others may go on that wait for it: its stores are in memory."""
        self.places.append(f"{self.places[end]}, in memory")
        effect = dve.Effect(self.shared[f"ended {name}"], None, Number(1))
        self.close(_Segment(end, effects=[effect], atomic=self.order != "sc"), len(self.places) - 1)
        return len(self.places) - 1

    def edge(self, origin: int, target: int, edge: xcfa.Edge) -> None:
        """The steps of an edge: statements are put into a step as long as it has one access at most."""
        segments = [_Segment(origin, line=edge.position.line)]
        for statement in edge.statements:
            segments = [after for segment in segments for after in self.statement(segment, statement)]
        for segment in segments:
            self.close(segment, target)

    def close(self, segment: _Segment, target: int) -> None:
        text = f"{self.places[segment.origin]} -> {self.places[target]}"
        text += f" {{ {'; '.join(segment.texts)} }}" if segment.texts else ""
        self.transitions.append(
            dve.Transition(
                *(self.process, segment.origin, target, segment.guard, tuple(segment.effects), text),
                *(segment.line, segment.atomic),
            )
        )

    def fresh(self, segment: _Segment, line: int) -> _Segment:
        """The step after one, from a place of its own."""
        base = self.places[segment.origin].split("'")[0]
        number = sum(place.startswith(base + "'") for place in self.places) + 1
        self.places.append(f"{base}'{number}")
        self.close(segment, len(self.places) - 1)
        return _Segment(len(self.places) - 1, line=line)

    def statement(self, segment: _Segment, statement: xcfa.Statement) -> Iterator[_Segment]:
        line = statement.position.line
        match statement:
            case xcfa.Skip():
                yield segment
            case xcfa.Assign(target, value):
                segment.effects.append(dve.Effect(self.locals[target.name], None, self.expression(value)))
                segment.texts.append(print_statement(statement))
                yield segment
            case xcfa.Havoc():
                yield from self.havoc(segment, statement)
            case xcfa.Assume(condition):
                segment = segment if segment.is_open else self.fresh(segment, line)
                self.assume(segment, self.expression(condition), print_statement(statement))
                yield segment
            case xcfa.Assert(condition):
                segment = self.fresh(segment, line)
                self.claims.append((segment.origin, self.expression(condition)))
                yield segment
            case xcfa.Load(exclusive=False) | xcfa.Store() | xcfa.Rmw() | xcfa.Fence():
                # The condition under which an update writes is looked at before the step's effects.
                if segment.accesses or (segment.effects and isinstance(statement, xcfa.Rmw)):
                    segment = self.fresh(segment, line)
                yield from self.access(segment, statement)
            case xcfa.Mutex(op, xcfa.Name(name)):
                yield self.lock(segment, statement, name) if op == "lock" else self.unlock(segment, statement, name)
            case xcfa.Control(op, process):
                yield self.control(segment, statement, op, process.name)
            case _:
                raise self.refuse(_NAMES.get(type(statement), "exclusive accesses"), statement)

    def assume(self, segment: _Segment, condition: Expression, text: str) -> None:
        segment.guard = _both(segment.guard, condition)
        segment.texts.append(text)

    def havoc(self, segment: _Segment, statement: xcfa.Havoc) -> Iterator[_Segment]:
        variable = self.locals[statement.target.name]
        match statement.bounds:
            case _ if variable.range == BOOL:
                values = range(2)
            case xcfa.IntLiteral(low), xcfa.IntLiteral(high) if high - low < MAX_HAVOC:
                values = range(low, high + 1)
            case _:
                raise self.refuse(f"`havoc` without known bounds, or of more than {MAX_HAVOC} values", statement)
        for value in values:
            effects = [*segment.effects, dve.Effect(variable, None, Number(value))]
            yield replace(segment, effects=effects, texts=[*segment.texts, f"{variable.name} := {value}"])

    # --- Accesses ------------------------------------------------------------------------------------------------

    def access(
        self, segment: _Segment, statement: xcfa.Load | xcfa.Store | xcfa.Rmw | xcfa.Fence
    ) -> Iterator[_Segment]:
        segment.texts.append(print_statement(statement))
        if isinstance(statement, xcfa.Fence):
            yield from self.fence(segment, statement)
            return
        variable, index = self.place(statement.place, statement)
        segment.accesses = True
        if isinstance(statement, xcfa.Load):
            segment.effects.append(dve.Effect(self.locals[statement.target.name], None, Read(variable, index)))
            yield segment
        elif isinstance(statement, xcfa.Store):
            segment.effects.append(dve.Effect(variable, index, self.expression(statement.value)))
            yield segment
        else:
            yield from self.update(segment, statement, variable, index)

    def fence(self, segment: _Segment, statement: xcfa.Fence) -> Iterator[_Segment]:
        tags = [tag for tag in (statement.tag, *statement.tags) if tag is not None]
        machine = "tso" if self.order == "cam" else self.order
        waits_for = strength(machine, EventClass("F", frozenset(tags)))
        if waits_for is Strength.STORES:
            raise self.refuse("fences between stores under pso", statement)
        segment.atomic = self.order != "sc" and waits_for is Strength.FULL
        segment.accesses = True
        yield segment

    def alone(self, segment: _Segment, statement: xcfa.Statement) -> _Segment:
        """The step of a statement that is a full fence, and whose condition is looked at before other effects."""
        if segment.accesses or segment.effects:
            segment = self.fresh(segment, statement.position.line)
        segment.texts.append(print_statement(statement))
        segment.accesses, segment.atomic = True, self.order != "sc"
        return segment

    def lock(self, segment: _Segment, statement: xcfa.Statement, name: str) -> _Segment:
        """A mutex is 0 where it is free, else the number of the process that holds it, from 1."""
        segment = self.alone(segment, statement)
        mutex = self.shared[name]
        segment.guard = _both(segment.guard, Operation("==", (Read(mutex, None), Number(0))))
        segment.effects.append(dve.Effect(mutex, None, Number(self.process + 1)))
        return segment

    def unlock(self, segment: _Segment, statement: xcfa.Statement, name: str) -> _Segment:
        """A fence and then a store, of a mutex that the process has to hold."""
        mutex = self.shared[name]
        segment = self.fresh(segment, statement.position.line)
        self.claims.append((segment.origin, Operation("==", (Read(mutex, None), Number(self.process + 1)))))
        if self.order != "sc":
            segment.atomic = segment.accesses = True
            segment = self.fresh(segment, statement.position.line)
        segment.texts.append(print_statement(statement))
        segment.effects.append(dve.Effect(mutex, None, Number(0)))
        segment.accesses = True
        return segment

    def control(self, segment: _Segment, statement: xcfa.Statement, op: str, name: str) -> _Segment:
        segment = self.alone(segment, statement)
        if op == "start":
            segment.effects.append(dve.Effect(self.shared[f"started {name}"], None, Number(1)))
        else:
            segment.guard = _both(segment.guard, Read(self.shared[f"ended {name}"], None))
        return segment

    def place(self, place: xcfa.AnyPlace, statement: object) -> tuple[dve.Variable, Expression | None]:
        if not isinstance(place, xcfa.Place):
            raise self.refuse("pointers", statement)
        variable = self.shared[place.name.name]
        return variable, self.expression(place.indices[0]) if place.indices else None

    def update(
        self, segment: _Segment, statement: xcfa.Rmw, variable: dve.Variable, index: Expression | None
    ) -> Iterator[_Segment]:
        """An update waits until its thread's stores are in memory, whether it writes or not."""
        if self.order == "pso":
            raise self.refuse("updates under pso, which wait for stores to their own cell only", statement)
        segment.atomic = self.order != "sc"
        seen = Read(variable, index)
        first, *rest = [self.expression(argument) for argument in statement.arguments]
        target = [] if statement.target is None else [dve.Effect(self.locals[statement.target.name], None, seen)]

        def way(condition: Expression | None, value: Expression | None) -> _Segment:
            # Effects happen one after the other: the target is set first, which what is stored must not see.
            stored = [] if value is None else [dve.Effect(variable, index, value)]
            parts = [part for effect in stored for part in (effect.value, effect.index) if part is not None]
            if any(_reads(part, effect.variable) for part in parts for effect in target):
                raise self.refuse("updates whose result goes where an argument comes from", statement)
            guard = segment.guard if condition is None else _both(segment.guard, condition)
            effects = [*segment.effects, *target, *stored]
            return replace(segment, guard=guard, effects=effects, texts=list(segment.texts))

        if statement.bits is not None:
            raise self.refuse("updates of a width", statement)
        if statement.op == "cas":
            same = Operation("==", (seen, first))
            yield way(same, rest[0])
            yield way(Operation("!", (same,)), None)
            return
        values: dict[str, Callable[[], Expression]] = {
            "exchange": lambda: first,
            "fetch_add": lambda: Operation("+", (seen, first)),
            "fetch_sub": lambda: Operation("-", (seen, first)),
            "fetch_and": lambda: Operation("&", (seen, first)),
            "fetch_or": lambda: Operation("|", (seen, first)),
            "fetch_xor": lambda: Operation("^", (seen, first)),
        }
        if statement.op not in values:
            raise self.refuse(f"`{statement.op}`", statement)
        yield way(None, values[statement.op]())

    # --- Expressions ---------------------------------------------------------------------------------------------

    def expression(self, expression: xcfa.Expression) -> Expression:
        match expression:
            case xcfa.IntLiteral(value) | xcfa.BoolLiteral(value):
                if not INT[0] <= int(value) <= INT[1]:
                    raise self.refuse("numbers of more than 32 bits", expression)
                return Number(int(value))
            case xcfa.Name(name):
                return Read(self.locals[name], None)
            case xcfa.Unary(op, operand):
                sign = {"not": "!", "-": "-", "bitnot": "~"}[op]
                return Operation(sign, (self.expression(operand),))
            case xcfa.Conditional(condition, positive, negative):
                chosen = Operation("!=", (self.expression(condition), Number(0)))
                other = Operation("-", (Number(1), chosen))
                one = Operation("*", (chosen, self.expression(positive)))
                return Operation("+", (one, Operation("*", (other, self.expression(negative)))))
            case xcfa.Binary(op, left, right):
                return self.binary(op, self.expression(left), self.expression(right), expression)
            case _:
                raise self.refuse("addresses and widths", expression)

    def binary(self, op: str, left: Expression, right: Expression, item: xcfa.Binary) -> Expression:
        if op == "imply":
            return Operation("||", (Operation("!", (left,)), right))
        if op == "mod" and isinstance(right, Number) and right.value > 0:
            rest = Operation("+", (Operation("%", (left, right)), right))
            return Operation("%", (rest, right))
        if op not in _OPERATORS:
            raise self.refuse(f"`{op}`", item)
        return Operation(_OPERATORS[op], (left, right))


def _ends(procedure: xcfa.Procedure) -> set[int]:
    """The places where a process ends: final ones, or where there is none, those without edges."""
    ends = {n for n, location in enumerate(procedure.locations) if location.kind == "final"}
    left = {edge.source.name for edge in procedure.edges}
    return ends or {n for n, at in enumerate(procedure.locations) if at.name not in left and at.kind != "error"}


def _both(one: Expression | None, other: Expression) -> Expression:
    return other if one is None else Operation("&&", (one, other))


def _reads(expression: Expression, variable: dve.Variable) -> bool:
    if isinstance(expression, Read):
        return expression.variable == variable or (expression.index is not None and _reads(expression.index, variable))
    return isinstance(expression, Operation) and any(_reads(operand, variable) for operand in expression.operands)


_NAMES: dict[type, str] = {
    xcfa.StoreExclusive: "exclusive accesses",
    xcfa.Return: "`return`",
    xcfa.Call: "calls",
    xcfa.AtomicBegin: "atomic blocks",
    xcfa.AtomicEnd: "atomic blocks",
    xcfa.Mutex: "mutexes in cells",
    xcfa.Cut: "`cut`",
    xcfa.Bound: "`bound`",
}
