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
MAX_CELLS = 1 << 16
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
    fences: bool = False
    clears: tuple[dve.Variable, Expression | None] | None = None

    @property
    def is_open(self) -> bool:
        """Whether a condition can still be part of it."""
        return not self.effects and not self.accesses


@dataclass
class _Body:
    """A procedure that is run: its own variables and those around it, its places, and where a call goes back to.

    Locations are at the places from `first` on. `result` gets what a call returns; `own` is set to 0 behind it.
    """

    procedure: xcfa.Procedure
    locals: dict[str, dve.Variable]
    first: int
    caller: _Body | None = None
    back: int = -1
    result: dve.Variable | None = None
    own: tuple[dve.Variable, ...] = ()

    def place(self, location: str) -> int:
        """The number of a location's place."""
        return self.first + [each.name for each in self.procedure.locations].index(location)


class _Unfolder:
    def __init__(self, program: xcfa.Program, order: Order) -> None:
        self.program = program
        self.order = order
        self.numbers = {process.name: number for number, process in enumerate(program.processes)}
        self.shared: dict[str, dve.Variable] = {}
        self.body: _Body
        self.variables: list[dve.Variable] = []
        self.reservations: dict[int, dve.Variable] = {}
        self.process = 0
        self.places: list[str] = []
        self.transitions: list[dve.Transition] = []
        self.claims: list[tuple[int, Expression]] = []
        self.exit: int | None = None  # where a process is that has returned

    def system(self) -> System:
        self.variables = [self.variable(v, None) for v in self.program.variables]
        self.variables += [dve.Variable(name, None, BOOL, (0,), False) for name in self.flags()]
        self.shared = {v.name: v for v in self.variables}
        for number, process in enumerate(self.program.processes):
            if any(_is_exclusive(statement) for statement in _statements(process)):
                self.reservations[number] = dve.Variable("reserved", number, (0, MAX_CELLS), (0,), False)
        self.variables += self.reservations.values()
        processes = []
        for number, process in enumerate(self.program.processes):
            self.process = number
            processes.append(self.run(process))
        name = self.program.source.name.rpartition("/")[2].removesuffix(".xcfa")
        return System(name, self.program.source, tuple(self.variables), tuple(processes), tuple(self.transitions))

    def flags(self) -> list[str]:
        """What is remembered of processes that are started or waited for; the names are no names of programs."""
        controls = [
            statement
            for process in self.program.processes
            for statement in _statements(process)
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
        if (variable.address is not None and not variable.step) or variable.undefined:
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
        declared = [*process.outer_variables, *main.variables]
        own = [self.variable(v, self.process) for v in declared]
        self.variables += own
        self.places, self.claims, self.exit = [], [], None
        self.edges(_Body(main, {v.name: v for v in own}, 0))
        ends = _ends(main) | ({self.exit} if self.exit is not None else set())
        start = next(n for n, location in enumerate(main.locations) if location.kind == "init")
        if f"started {process.name}" in self.shared:
            start = self.wait_for_start(process.name, start)
        if f"ended {process.name}" in self.shared:
            ends |= {self.say_that_it_ended(process.name, end) for end in sorted(ends)}
        return dve.Process(process.name, tuple(self.places), start, frozenset(), tuple(self.claims), frozenset(ends))

    def edges(self, body: _Body) -> None:
        """The places of a procedure, and the steps of its edges."""
        before = getattr(self, "body", body)
        self.body = body
        prefix = f"{self.places[body.back]} {body.procedure.name} " if body.caller else ""
        self.places += [prefix + location.name for location in body.procedure.locations]
        ends = {body.first + end for end in _ends(body.procedure)}
        kinds = {location.name: location.kind for location in body.procedure.locations}
        for edge in body.procedure.edges:
            origin, target = (body.place(location.name) for location in (edge.source, edge.target))
            if origin not in ends and kinds[edge.source.name] != "error":
                self.edge(origin, target, edge)
        self.claims += [(body.place(name), Number(0)) for name, kind in kinds.items() if kind == "error"]
        for end in sorted(ends) if body.caller else ():
            self.leave(_Segment(end), None)
        self.body = before

    def call(self, segments: list[_Segment], statement: xcfa.Call) -> list[_Segment]:
        """The steps of a call, which gets a copy of its procedure; what comes after it."""
        process = self.program.processes[self.process]
        procedure = next(each for each in process.procedures if each.name == statement.procedure.name)
        around: _Body | None = self.body
        while around is not None:
            if around.procedure is procedure:
                raise self.refuse("procedures that call themselves", statement)
            around = around.caller
        origin = self.places[segments[0].origin].split("'")[0]
        self.places.append(f"{origin}'{sum(place.startswith(origin + chr(39)) for place in self.places) + 1}")
        back = len(self.places) - 1
        own = [self.variable(v, self.process) for v in (*procedure.parameters, *procedure.variables)]
        own = [replace(v, name=f"{self.places[back]} {v.name}") for v in own]
        self.variables += own
        names = [v.name for v in (*procedure.parameters, *procedure.variables)]
        outer = {v.name: self.body.locals[v.name] for v in process.outer_variables if v.name in self.body.locals}
        result = self.body.locals[statement.target.name] if statement.target else None
        first = len(self.places)
        body = _Body(procedure, outer | dict(zip(names, own, strict=True)), first, self.body, back, result, tuple(own))
        arguments = [self.expression(argument) for argument in statement.arguments]
        start = body.place(next(location.name for location in procedure.locations if location.kind == "init"))
        self.edges(body)
        for segment in segments:
            for variable, value in zip(own, arguments, strict=False):
                segment.effects.append(dve.Effect(variable, None, value))
            for variable in own[len(arguments) :]:
                if variable.initial != (0,):
                    segment.effects.append(dve.Effect(variable, None, Number(variable.initial[0])))
            segment.texts.append(print_statement(statement))
            self.close(segment, start)
        return [_Segment(back, line=statement.position.line)]

    def leave(self, segment: _Segment, value: Expression | None) -> None:
        """The step back from a call; without a value it gives 0."""
        body = self.body
        if body.result is not None:
            segment.effects.append(dve.Effect(body.result, None, value or Number(0)))
        segment.effects += [dve.Effect(variable, None, Number(0)) for variable in body.own]
        self.close(segment, body.back)

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
            if isinstance(statement, xcfa.Call):
                segments = self.call(segments, statement)
                continue
            if isinstance(statement, xcfa.Return):
                for segment in segments:
                    segment.texts.append(print_statement(statement))
                    self.end(segment, statement)
                return
            segments = [after for segment in segments for after in self.statement(segment, statement)]
        for segment in segments:
            self.close(segment, target)

    def end(self, segment: _Segment, statement: xcfa.Return) -> None:
        """`return`: the end of a call, or of the process."""
        if self.body.caller is None:
            if self.exit is None:
                self.places.append("returned")
                self.exit = len(self.places) - 1
            self.close(segment, self.exit)
            return
        self.leave(segment, None if statement.value is None else self.expression(statement.value))

    def close(self, segment: _Segment, target: int) -> None:
        text = f"{self.places[segment.origin]} -> {self.places[target]}"
        text += f" {{ {'; '.join(segment.texts)} }}" if segment.texts else ""
        self.transitions.append(
            dve.Transition(
                *(self.process, segment.origin, target, segment.guard, tuple(segment.effects), text),
                *(segment.line, segment.atomic, None, segment.fences, segment.clears),
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
            case xcfa.Assign(target, value) | xcfa.Predict(target, value):
                segment = self.indices(segment, value, line)
                segment.effects.append(dve.Effect(self.body.locals[target.name], None, self.expression(value)))
                segment.texts.append(print_statement(statement))
                yield segment
            case xcfa.Select(target, choice, positive, negative):
                value = xcfa.Conditional(choice, positive, negative)
                segment.effects.append(dve.Effect(self.body.locals[target.name], None, self.expression(value)))
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
            case xcfa.StoreExclusive():
                yield from self.store_exclusive(segment, statement)
            case xcfa.Load() | xcfa.Store() | xcfa.Rmw() | xcfa.Fence():
                # The condition under which an update writes is looked at before the step's effects.
                if segment.accesses or (segment.effects and isinstance(statement, xcfa.Rmw)):
                    segment = self.fresh(segment, line)
                yield from self.access(segment, statement)
            case xcfa.Mutex(op, xcfa.Name(name)):
                yield self.lock(segment, statement, name) if op == "lock" else self.unlock(segment, statement, name)
            case xcfa.Control(op, process):
                yield self.control(segment, statement, op, process.name)
            case _:
                raise self.refuse(_NAMES[type(statement)], statement)

    def indices(self, segment: _Segment, value: xcfa.Expression, line: int) -> _Segment:
        """A step that starts where indices in a value are claimed to be in range, if there are some."""
        for part in xcfa.postorder(value):
            if isinstance(part, xcfa.Index):
                segment = self.fresh(segment, line)
                index = self.expression(part.operand)
                inside = Operation(
                    "&&", (Operation(">=", (index, Number(0))), Operation("<", (index, Number(part.size))))
                )
                self.claims.append((segment.origin, inside))
        return segment

    def assume(self, segment: _Segment, condition: Expression, text: str) -> None:
        segment.guard = _both(segment.guard, condition)
        segment.texts.append(text)

    def havoc(self, segment: _Segment, statement: xcfa.Havoc) -> Iterator[_Segment]:
        variable = self.body.locals[statement.target.name]
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
            if statement.exclusive:
                self.reserve(segment, statement, variable, index)
            segment.effects.append(dve.Effect(self.body.locals[statement.target.name], None, Read(variable, index)))
            yield segment
        elif isinstance(statement, xcfa.Store):
            segment.effects += self.stored(variable, index, self.expression(statement.value))
            yield segment
        else:
            yield from self.update(segment, statement, variable, index)

    def fence(self, segment: _Segment, statement: xcfa.Fence) -> Iterator[_Segment]:
        tags = [tag for tag in (statement.tag, *statement.tags) if tag is not None]
        machine = "tso" if self.order == "cam" else self.order
        waits_for = strength(machine, EventClass("F", frozenset(tags)))
        segment.fences = waits_for is Strength.STORES
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

    # --- Exclusive accesses, under sc: a process remembers which cell it has reserved, until another stores to it -----

    def cell(self, variable: dve.Variable, index: Expression | None) -> Expression:
        """The number of a cell, from 1."""
        first = 1
        for other in self.shared.values():
            if other == variable:
                break
            first += len(other.initial)
        return Number(first) if index is None else Operation("+", (Number(first), index))

    def reserve(
        self, segment: _Segment, statement: xcfa.Load, variable: dve.Variable, index: Expression | None
    ) -> None:
        if self.order != "sc":
            raise self.refuse(f"exclusive accesses under {self.order}", statement)
        segment.effects.append(dve.Effect(self.reservations[self.process], None, self.cell(variable, index)))

    def stored(self, variable: dve.Variable, index: Expression | None, value: Expression) -> list[dve.Effect]:
        """The effects of a store: others lose what they have reserved of the cell."""
        cell = self.cell(variable, index)
        lost = []
        for number, reserved in self.reservations.items():
            if number != self.process:
                held = Read(reserved, None)
                kept = Operation("*", (held, Operation("!=", (held, cell))))
                lost.append(dve.Effect(reserved, None, kept))
        return [*lost, dve.Effect(variable, index, value)]

    def store_exclusive(self, segment: _Segment, statement: xcfa.StoreExclusive) -> Iterator[_Segment]:
        """Succeeds if the cell is still reserved, and may fail in any case."""
        if self.order != "sc":
            raise self.refuse(f"exclusive accesses under {self.order}", statement)
        if segment.accesses or segment.effects:
            segment = self.fresh(segment, statement.position.line)
        segment.texts.append(print_statement(statement))
        variable, index = self.place(statement.place, statement)
        reserved, status = self.reservations[self.process], self.body.locals[statement.status.name]
        over = dve.Effect(reserved, None, Number(0))
        stores = [*self.stored(variable, index, self.expression(statement.value)), over]
        holds = Operation("==", (Read(reserved, None), self.cell(variable, index)))
        for failed, guard, effects in ((0, _both(segment.guard, holds), stores), (1, segment.guard, [over])):
            said = dve.Effect(status, None, Number(failed))
            yield replace(segment, guard=guard, effects=[*effects, said], texts=list(segment.texts), accesses=True)

    def place(self, place: xcfa.AnyPlace, statement: object) -> tuple[dve.Variable, Expression | None]:
        if not isinstance(place, xcfa.Place):
            raise self.refuse("pointers", statement)
        variable = self.shared[place.name.name]
        return variable, self.expression(place.indices[0]) if place.indices else None

    def update(
        self, segment: _Segment, statement: xcfa.Rmw, variable: dve.Variable, index: Expression | None
    ) -> Iterator[_Segment]:
        """An update waits until its thread's stores are in memory, under pso those to its cell; if it fails, too."""
        segment.atomic = self.order not in ("sc", "pso")
        segment.clears = (variable, index) if self.order == "pso" else None
        seen = Read(variable, index)
        first, *rest = [self.expression(argument) for argument in statement.arguments]
        target = [] if statement.target is None else [dve.Effect(self.body.locals[statement.target.name], None, seen)]

        def way(condition: Expression | None, value: Expression | None) -> _Segment:
            # Effects happen one after the other: the target is set first, which what is stored must not see.
            stored = [] if value is None else self.stored(variable, index, value)
            parts = [part for effect in stored[-1:] for part in (effect.value, effect.index) if part is not None]
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
                return Read(self.body.locals[name], None)
            case xcfa.Unary(op, operand):
                sign = {"not": "!", "-": "-", "bitnot": "~"}[op]
                return Operation(sign, (self.expression(operand),))
            case xcfa.Index(operand):
                return self.expression(operand)
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


def _statements(process: xcfa.Process) -> Iterator[xcfa.Statement]:
    for procedure in process.procedures or (process.main_procedure,):
        for edge in procedure.edges:
            yield from edge.statements


def _is_exclusive(statement: xcfa.Statement) -> bool:
    return isinstance(statement, xcfa.StoreExclusive) or (isinstance(statement, xcfa.Load) and statement.exclusive)


def _both(one: Expression | None, other: Expression) -> Expression:
    return other if one is None else Operation("&&", (one, other))


def _reads(expression: Expression, variable: dve.Variable) -> bool:
    if isinstance(expression, Read):
        return expression.variable == variable or (expression.index is not None and _reads(expression.index, variable))
    return isinstance(expression, Operation) and any(_reads(operand, variable) for operand in expression.operands)


_NAMES: dict[type, str] = {
    xcfa.AtomicBegin: "atomic blocks",
    xcfa.AtomicEnd: "atomic blocks",
    xcfa.Mutex: "mutexes in cells",
    xcfa.Cut: "`cut`",
    xcfa.Bound: "`bound`",
}
