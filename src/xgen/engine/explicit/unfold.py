"""XCFA programs for the engine of explicit states: each edge becomes steps with at most one access of shared memory.

What a step reads and writes of its own thread belongs to the step before or after; that is seen by nobody else. Each
way through an atomic block is one step (unfold_blocks.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from xgen._core import Strength
from xgen.engine.explicit.states import Order
from xgen.engine.explicit.unfold_blocks import NAMES, Blocks, Body, Segment, both, ends_of, places_inside
from xgen.engine.symbolic import strength
from xgen.errors import UnsupportedError
from xgen.lowering.accesses import PART
from xgen.lowering.code import EventClass
from xgen.lowering.threads import lower
from xgen.program import automaton as xcfa
from xgen.program.checks import refuse_any_number
from xgen.program.expressions import REALS_OF_ONE
from xgen.program.printer import print_statement
from xgen.program.rewrite import with_arrivals
from xgen.program.uses import UNSEEN
from xgen.records import replace
from xgen.systems import processes as dve
from xgen.systems.processes import Expression, Number, Operation, Read, System

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
    program = with_arrivals(program)
    for statement in (statement for process in program.processes for statement in _statements(process)):
        if "hidden" in getattr(statement, "tags", ()):
            message = "fence.sc and barriers of GPUs are not supported here: these machines do not know them"
            raise UnsupportedError(message, program.source, statement.position)
    if any(
        isinstance(statement, xcfa.AtomicBegin) for process in program.processes for statement in _statements(process)
    ):
        lower(program)  # which says where atomic blocks make no sense
    for statement in (statement for process in program.processes for statement in _statements(process)):
        if isinstance(statement, xcfa.Load | xcfa.Store) and PART in (statement.order, *statement.tags):
            message, hint = (
                "`xgen ltl` does not know accesses of several sizes to the same bytes yet",
                "`xgen check` runs it",
            )
            raise UnsupportedError(message, program.source, statement.position, hint)
    return _Unfolder(program, order).system()


class _Unfolder:
    def __init__(self, program: xcfa.Program, order: Order) -> None:
        self.program = program
        self.order = order
        self.numbers = {process.name: number for number, process in enumerate(program.processes)}
        self.shared: dict[str, dve.Variable] = {}
        self.body: Body
        self.variables: list[dve.Variable] = []
        self.process = 0
        self.places: list[str] = []
        self.transitions: list[dve.Transition] = []
        self.claims: list[tuple[int, Expression]] = []
        self.exit: int | None = None  # where a process is that has returned
        self.blocks = Blocks(self)

    def system(self) -> System:
        self.variables = [self.variable(v, None) for v in self.program.variables]
        self.variables += [dve.Variable(name, None, BOOL, (0,), False) for name in self.flags()]
        self.shared = {v.name: v for v in self.variables}
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
        self.edges(Body(main, {v.name: v for v in own}, 0))
        ends = ends_of(main) | ({self.exit} if self.exit is not None else set())
        start = next(n for n, location in enumerate(main.locations) if location.kind == "init")
        if f"started {process.name}" in self.shared:
            start = self.wait_for_start(process.name, start)
        if f"ended {process.name}" in self.shared:
            ends |= {self.say_that_it_ended(process.name, end) for end in sorted(ends)}
        return dve.Process(process.name, tuple(self.places), start, frozenset(), tuple(self.claims), frozenset(ends))

    def edges(self, body: Body) -> None:
        """The places of a procedure, and the steps of its edges."""
        before = getattr(self, "body", body)
        self.body = body
        prefix = f"{self.places[body.back]} {body.procedure.name} " if body.caller else ""
        self.places += [prefix + location.name for location in body.procedure.locations]
        ends = {body.first + end for end in ends_of(body.procedure)}
        kinds = {location.name: location.kind for location in body.procedure.locations}
        inside = places_inside(body.procedure)
        leaving = Counter(edge.source.name for edge in body.procedure.edges)
        for edge in body.procedure.edges:
            origin, target = (body.place(location.name) for location in (edge.source, edge.target))
            if origin not in ends and kinds[edge.source.name] != "error" and edge.source.name not in inside:
                start = Segment(origin, line=edge.position.line, chosen=leaving[edge.source.name] > 1)
                self.run_edge([start], edge.statements, target)
        self.claims += [(body.place(name), Number(0)) for name, kind in kinds.items() if kind == "error"]
        for end in sorted(ends) if body.caller else ():
            self.leave(Segment(end), None)
        self.body = before

    def call(self, segments: list[Segment], statement: xcfa.Call) -> list[Segment]:
        """The steps of a call, which gets a copy of its procedure; what comes after it."""
        process = self.program.processes[self.process]
        procedure = next(each for each in process.procedures if each.name == statement.procedure.name)
        around: Body | None = self.body
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
        body = Body(procedure, outer | dict(zip(names, own, strict=True)), first, self.body, back, result, tuple(own))
        arguments = [self.expression(argument) for argument in statement.arguments]
        start = body.place(next(location.name for location in procedure.locations if location.kind == "init"))
        self.edges(body)
        for segment in segments:
            for variable, value in zip(own, arguments, strict=False):
                segment.actions.append(dve.Effect(variable, None, value))
            for variable in own[len(arguments) :]:
                if variable.initial != (0,):
                    segment.actions.append(dve.Effect(variable, None, Number(variable.initial[0])))
            segment.texts.append(print_statement(statement))
            self.close(segment, start)
        return [Segment(back, line=statement.position.line)]

    def leave(self, segment: Segment, value: Expression | None) -> None:
        """The step back from a call; without a value it gives 0."""
        body = self.body
        if body.result is not None:
            segment.actions.append(dve.Effect(body.result, None, value or Number(0)))
        segment.actions += [dve.Effect(variable, None, Number(0)) for variable in body.own]
        self.close(segment, body.back)

    def wait_for_start(self, name: str, start: int) -> int:
        """The place where a process waits until it is started."""
        self.places.append("not started")
        segment = Segment(len(self.places) - 1, guard=Read(self.shared[f"started {name}"], None))
        self.close(segment, start)
        return segment.origin

    def say_that_it_ended(self, name: str, end: int) -> int:
        """The place after an end, where others may go on that wait for it: its stores are in memory."""
        self.places.append(f"{self.places[end]}, in memory")
        effect = dve.Effect(self.shared[f"ended {name}"], None, Number(1))
        self.close(Segment(end, actions=[effect], atomic=self.order != "sc"), len(self.places) - 1)
        return len(self.places) - 1

    def run_edge(self, segments: list[Segment], statements: tuple[xcfa.Statement, ...], target: int) -> None:
        """The steps of an edge, from where some begin: statements go into one as long as it has one access at most."""
        for number, statement in enumerate(statements, 1):
            inside = any(segment.inside for segment in segments)
            if isinstance(statement, xcfa.Call) and not inside:
                segments = self.call(segments, statement)
                continue
            if isinstance(statement, xcfa.Return) and not inside:
                for segment in segments:
                    segment.texts.append(print_statement(statement))
                    self.end(segment, statement)
                return
            held = _is_held_back(statements[number:])
            segments = [after for segment in segments for after in self.statement(segment, statement, held)]
        for segment in segments:
            if segment.inside:
                self.blocks.go_on(segment, target)
            else:
                self.close(segment, target)

    def end(self, segment: Segment, statement: xcfa.Return) -> None:
        """`return`: the end of a call, or of the process."""
        if self.body.caller is None:
            if self.exit is None:
                self.places.append("returned")
                self.exit = len(self.places) - 1
            self.close(segment, self.exit)
            return
        self.leave(segment, None if statement.value is None else self.expression(statement.value))

    def close(self, segment: Segment, target: int) -> None:
        text = f"{self.places[segment.origin]} -> {self.places[target]}"
        text += f" {{ {'; '.join(segment.texts)} }}" if segment.texts else ""
        self.transitions.append(
            dve.Transition(
                *(self.process, segment.origin, target, segment.guard, tuple(segment.actions), text),
                *(segment.line, segment.atomic, None, segment.fences),
                *(segment.direct, segment.together, segment.watches),
            )
        )

    def fresh(self, segment: Segment, line: int) -> Segment:
        """The step after one, from a place of its own."""
        base = self.places[segment.origin].split("'")[0]
        number = sum(place.startswith(base + "'") for place in self.places) + 1
        self.places.append(f"{base}'{number}")
        self.close(segment, len(self.places) - 1)
        return Segment(len(self.places) - 1, line=line)

    def statement(self, segment: Segment, statement: xcfa.Statement, held: bool) -> Iterator[Segment]:
        """The ways in which a step goes on with a statement, or the steps that come after it.

        `held`: whether the step is taken is asked further on, so that it must not end here, unless others have seen it.
        """
        line = statement.position.line
        if segment.inside:
            yield from self.blocks.statement(segment, statement)
            return
        match statement:
            case xcfa.Skip():
                yield segment
            case xcfa.AtomicBegin():
                yield self.blocks.begin(segment if not segment.accesses else self.fresh(segment, line), statement)
            case xcfa.Assign() | xcfa.Predict() | xcfa.Select():
                if isinstance(statement, xcfa.Assign | xcfa.Predict):
                    for inside in self.in_range(statement.value):
                        segment = self.claim(segment, inside, line, held)
                self.assign(segment, statement)
                yield segment
            case xcfa.Havoc():
                yield from self.havoc(segment, statement)
            case xcfa.Assume(condition):
                segment = self.fresh(segment, line) if segment.seen else segment
                self.assume(segment, self.expression(condition), print_statement(statement))
                yield segment
            case xcfa.Assert(condition):
                yield self.claim(segment, self.expression(condition), line, held)
            case xcfa.StoreExclusive():
                segment = self.fresh(segment, line) if segment.accesses else segment
                yield from self.store_exclusive(segment, statement)
            case xcfa.Load() | xcfa.Store() | xcfa.Rmw() | xcfa.Fence():
                if segment.accesses:
                    segment = self.fresh(segment, line)
                yield from self.access(segment, statement)
            case xcfa.Mutex(op, xcfa.Name(name)):
                yield self.lock(segment, statement, name) if op == "lock" else self.unlock(segment, statement, name)
            case xcfa.Control(op, process):
                yield self.control(segment, statement, op, process.name)
            case _:
                raise self.refuse(NAMES[type(statement)], statement)

    def claim(self, segment: Segment, condition: Expression, line: int, held: bool) -> Segment:
        """A step that starts where something is claimed, or goes on with it."""
        if held and not segment.seen:
            segment.actions.append(dve.Condition(condition, claimed=True))
            return segment
        segment = self.fresh(segment, line)
        self.claims.append((segment.origin, condition))
        return segment

    def in_range(self, value: xcfa.Expression) -> Iterator[Expression]:
        """For each index in a value, that it is in range."""
        for part in xcfa.postorder(value):
            if isinstance(part, xcfa.Index):
                index = self.expression(part.operand)
                yield both(Operation(">=", (index, Number(0))), Operation("<", (index, Number(part.size))))

    def assign(self, segment: Segment, statement: xcfa.Assign | xcfa.Predict | xcfa.Select) -> None:
        if isinstance(statement, xcfa.Select):
            value: xcfa.Expression = xcfa.Conditional(statement.choice, statement.positive, statement.negative)
        else:
            value = statement.value
        segment.actions.append(dve.Effect(self.body.locals[statement.target.name], None, self.expression(value)))
        segment.texts.append(print_statement(statement))

    def assume(self, segment: Segment, condition: Expression, text: str) -> None:
        if segment.actions:
            segment.actions.append(dve.Condition(condition))
        else:
            segment.guard = both(segment.guard, condition)
        segment.texts.append(text)

    def havoc(self, segment: Segment, statement: xcfa.Havoc) -> Iterator[Segment]:
        variable = self.body.locals[statement.target.name]
        match statement.bounds:
            case _ if variable.range == BOOL:
                values = range(2)
            case xcfa.IntLiteral(low), xcfa.IntLiteral(high) if high - low < MAX_HAVOC:
                values = range(low, high + 1)
            case _:
                raise self.refuse(f"`havoc` without known bounds, or of more than {MAX_HAVOC} values", statement)
        if not values:
            self.blocks.stand_still(segment, Number(0))
        for value in values:
            actions = [*segment.actions, dve.Effect(variable, None, Number(value))]
            texts = [*segment.texts, f"{variable.name} := {value}"]
            yield replace(segment, actions=actions, texts=texts, choosing=False)

    # --- Accesses ------------------------------------------------------------------------------------------------

    def access(self, segment: Segment, statement: xcfa.Load | xcfa.Store | xcfa.Rmw | xcfa.Fence) -> Iterator[Segment]:
        segment.texts.append(print_statement(statement))
        if isinstance(statement, xcfa.Fence):
            yield from self.fence(segment, statement)
            return
        variable, index = self.place(statement.place, statement)
        segment.access(seen=isinstance(statement, xcfa.Store))
        segment.loads |= not isinstance(statement, xcfa.Store)
        segment.stores |= isinstance(statement, xcfa.Store)
        if isinstance(statement, xcfa.Load):
            if statement.exclusive:  # before the index may change
                segment.actions.append(dve.Reserve(variable, index))
            segment.actions.append(dve.Effect(self.body.locals[statement.target.name], None, Read(variable, index)))
            yield segment
        elif isinstance(statement, xcfa.Store):
            segment.actions.append(dve.Effect(variable, index, self.expression(statement.value)))
            yield segment
        else:
            yield from self.update(segment, statement, variable, index)

    def fence(self, segment: Segment, statement: xcfa.Fence) -> Iterator[Segment]:
        tags = [tag for tag in (statement.tag, *statement.tags) if tag is not None]
        machine = "tso" if self.order == "cam" else self.order
        waits_for = strength(machine, EventClass("F", frozenset(tags)))
        segment.fences |= waits_for is Strength.STORES
        segment.atomic |= self.order != "sc" and waits_for is Strength.FULL
        segment.access(seen=True)
        yield segment

    def alone(self, segment: Segment, statement: xcfa.Statement) -> Segment:
        """The step of a statement that is a full fence, and whose condition is looked at before other effects.

        Who has chosen it waits for it: nothing but an `assume` takes a choice back.
        """
        if segment.accesses or segment.actions or segment.chosen:
            segment = self.fresh(segment, statement.position.line)
        segment.texts.append(print_statement(statement))
        segment.access(seen=True)
        segment.atomic = self.order != "sc"
        return segment

    def lock(self, segment: Segment, statement: xcfa.Statement, name: str) -> Segment:
        """A mutex is 0 where it is free, else the number of the process that holds it, from 1."""
        segment = self.alone(segment, statement)
        mutex = self.shared[name]
        segment.guard = both(segment.guard, Operation("==", (Read(mutex, None), Number(0))))
        segment.actions.append(dve.Effect(mutex, None, Number(self.process + 1)))
        return segment

    def unlock(self, segment: Segment, statement: xcfa.Statement, name: str) -> Segment:
        """A fence and then a store, of a mutex that the process has to hold."""
        mutex = self.shared[name]
        segment = self.fresh(segment, statement.position.line)
        self.claims.append((segment.origin, Operation("==", (Read(mutex, None), Number(self.process + 1)))))
        if self.order != "sc":
            segment.atomic = True
            segment.access(seen=True)
            segment = self.fresh(segment, statement.position.line)
        segment.texts.append(print_statement(statement))
        segment.actions.append(dve.Effect(mutex, None, Number(0)))
        segment.access(seen=True)
        return segment

    def control(self, segment: Segment, statement: xcfa.Statement, op: str, name: str) -> Segment:
        segment = self.alone(segment, statement)
        if op == "start":
            segment.actions.append(dve.Effect(self.shared[f"started {name}"], None, Number(1)))
        else:
            segment.guard = both(segment.guard, Read(self.shared[f"ended {name}"], None))
        return segment

    def store_exclusive(self, segment: Segment, statement: xcfa.StoreExclusive) -> Iterator[Segment]:
        """Succeeds if the cell is still reserved, and may fail in any case."""
        segment.texts.append(print_statement(statement))
        segment.access(seen=False)
        variable, index = self.place(statement.place, statement)
        status = self.body.locals[statement.status.name]
        store = dve.Effect(variable, index, self.expression(statement.value), exclusive=True)
        for failed in (0, 1):
            said = dve.Effect(status, None, Number(failed))
            actions = [*segment.actions, *([] if failed else [store]), dve.Release(), said]
            yield replace(
                segment,
                actions=actions,
                texts=list(segment.texts),
                stores=segment.stores or not failed,
                seen=segment.seen or not failed,
            )

    def place(self, place: xcfa.AnyPlace, statement: object) -> tuple[dve.Variable, Expression | None]:
        if not isinstance(place, xcfa.Place):
            raise self.refuse("pointers", statement)
        variable = self.shared[place.name.name]
        return variable, self.expression(place.indices[0]) if place.indices else None

    def update(
        self, segment: Segment, statement: xcfa.Rmw, variable: dve.Variable, index: Expression | None
    ) -> Iterator[Segment]:
        """An update waits until its thread's stores are in memory, under pso those to its cell; if it fails, too."""
        segment.atomic |= self.order not in ("sc", "pso")
        segment.direct |= self.order == "pso"
        start = [*segment.actions, dve.Clear(variable, index)] if segment.direct else segment.actions
        seen = Read(variable, index)
        first, *rest = [self.expression(argument) for argument in statement.arguments]
        target = [] if statement.target is None else [dve.Effect(self.body.locals[statement.target.name], None, seen)]

        def way(condition: Expression | None, value: Expression | None) -> Segment:
            # One after the other: the target is set first, which what is stored must not see.
            stored = [] if value is None else [dve.Effect(variable, index, value)]
            read = [part for effect in stored for part in (effect.value, effect.index) if part is not None]
            if any(_reads(part, effect.variable) for part in read for effect in target):
                raise self.refuse("updates whose result goes where an argument comes from", statement)
            actions = [*start, *([] if condition is None else [dve.Condition(condition)]), *target, *stored]
            seen, stores = segment.seen or bool(stored), segment.stores or bool(stored)
            return replace(segment, actions=actions, texts=list(segment.texts), stores=stores, seen=seen)

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
                if op in REALS_OF_ONE:
                    raise self.refuse("floating point numbers", expression)
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


def _statements(process: xcfa.Process) -> Iterator[xcfa.Statement]:
    for procedure in process.procedures or (process.main_procedure,):
        for edge in procedure.edges:
            yield from edge.statements


def _is_held_back(following: tuple[xcfa.Statement, ...]) -> bool:
    """Whether an `assume` comes before anything that others see."""
    for statement in following:
        if not isinstance(statement, UNSEEN):
            return isinstance(statement, xcfa.Assume)
    return False


def _reads(expression: Expression, variable: dve.Variable) -> bool:
    if isinstance(expression, Read):
        return expression.variable == variable or (expression.index is not None and _reads(expression.index, variable))
    return isinstance(expression, Operation) and any(_reads(operand, variable) for operand in expression.operands)
