"""From programs to the code that the engine runs (code.py; the operations are listed in src/core/code/code.hpp).

A location with one edge is that edge's code; one with several is a CHOOSE among the edges' codes. An edge that is
chosen ends in a GOTO, beyond which CHOOSE does not look ahead. Locations that cannot be reached have no code.

A call is inlined: a GOTO to a copy of the procedure's code, whose ends are GOTOs to what follows the call. The callee's
variables are registers behind the caller's, as on a stack; registers that no call uses hold 0. Jumps go forward unless
they close a loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from itertools import takewhile
from typing import Literal, NoReturn, TypeAlias

from xgen._core import OPERATIONS, Op
from xgen.errors import LimitError, Position, ProgramError
from xgen.lowering import code
from xgen.lowering.accesses import PART, Accesses, allocate
from xgen.lowering.code import NO_DEPENDENCY, Code, Draft, Instruction, Site, ThreadCode
from xgen.lowering.expressions import TEMPORARY, Array, Builder
from xgen.program import automaton as xcfa
from xgen.records import dataclass, replace

NESTED_CALLS = 8
"""So many calls of one procedure may be running inside each other; a thread that comes to one more is cut."""

MAX_INSTRUCTIONS = 200_000
"""Beyond it, no more calls are inlined."""


def lower(program: xcfa.Program, aims: bool = False) -> Code:
    """The code of a checked program.

    `aims`: where threads run ahead, what follows an access is not to wait for its address, which is predicted. Raises
    ProgramError where atomic blocks make no sense, LimitError for what is too large, UnsupportedError for any number of
    processes.
    """
    if program.many is not None:
        from xgen.program.checks import refuse_any_number  # long to import

        refuse_any_number(program)
    result = Draft(program.source)
    arrays = {variable.name: allocate(result, variable) for variable in program.variables}
    builder = Builder(result, tuple(process.name for process in program.processes))
    for process in program.processes:
        Thread(builder, arrays, process, aims).lower()
    builder.order_classes()
    absent = tuple((variable.address or 0, variable.bytes) for variable in program.absent)
    return replace(result.done(), absent=absent, gaps=program.gaps)


def _variable(variable: xcfa.Variable) -> code.Variable:
    return code.Variable(variable.name, "bool" if variable.type.base == "bool" else "int")


def _initial(variable: xcfa.Variable) -> int:
    return int(variable.initial[0].value) if variable.initial else 0


class Body:
    """A procedure's locations, and the edges that leave each."""

    def __init__(self, procedure: xcfa.Procedure) -> None:
        self.procedure = procedure
        self.locations = {location.name: location for location in procedure.locations}
        self.edges: dict[str, list[xcfa.Edge]] = {name: [] for name in self.locations}
        for edge in procedure.edges:
            self.edges[edge.source.name].append(edge)
        self.initial = next(location.name for location in procedure.locations if location.kind == "init")
        self.has_final = any(location.kind == "final" for location in procedure.locations)


@dataclass(eq=False, frozen=True, slots=True)
class Rest:
    """What follows a call on its edge: the statements from number `start` on."""

    edge: xcfa.Edge
    start: int


Label: TypeAlias = str | Rest
"""What can be jumped to: a location or the rest of an edge."""


@dataclass(eq=False, slots=True)
class Activation:
    """A call that is inlined, or the run of the main procedure, which has no caller.

    Its own variables are the registers from `first` on and before `end`; `registers` are all that it sees. It goes back
    to `back` in its caller, whose register `result` gets its value. `starts` are the instructions of its labels, and
    `inside` says which of them are inside an atomic block.
    """

    body: Body
    registers: dict[str, int]
    first: int
    end: int
    caller: Activation | None = None
    back: Label = ""
    result: int | None = None
    starts: dict[Label, int] = field(default_factory=dict)
    inside: dict[Label, bool] = field(default_factory=dict)

    def nested(self) -> int:
        """How many calls of its procedure are running, itself included."""
        count, activation = 0, self
        while True:
            count += activation.body is self.body
            if activation.caller is None:
                return count
            activation = activation.caller


class Thread(Accesses):
    """Lowers one process."""

    def __init__(self, builder: Builder, arrays: dict[str, Array], process: xcfa.Process, aims: bool) -> None:
        self.process = process
        source = builder.draft.source
        self.test = source if source.name.endswith(".litmus") else None
        main = process.main_procedure
        self.main_variables = main.variables
        self.bodies = {procedure.name: Body(procedure) for procedure in process.procedures or (main,)}
        self.outer = {variable.name: register for register, variable in enumerate(process.outer_variables)}
        first = len(self.outer)
        end = first + len(main.variables)
        held = {name: end + number for number, name in enumerate(_mutexes(process))}
        hidden = end + len(held)
        super().__init__(builder, Site(process.position, ""), arrays, held)
        registers = self.outer | {variable.name: first + i for i, variable in enumerate(main.variables)}
        if any(map(_is_exclusive, _statements(process))):
            self.reservation = hidden
            hidden += 2
        self.inside = False  # an atomic block, where code is being emitted
        self.block = -1
        if any(isinstance(statement, xcfa.AtomicBegin | xcfa.AtomicEnd) for statement in _statements(process)):
            self.block = hidden
            hidden += 1
        if aims and any(map(_is_computed, _statements(process))):
            self.aim = hidden
            hidden += 1
        self.activation = Activation(self.bodies[main.name], registers, first, hidden)
        self.stack_end = self.activation.end  # of the deepest call so far
        self.gotos: list[tuple[int, Activation, Label]] = []  # GOTO instructions, and where they go
        self.waiting: list[tuple[Activation, Label]] = []  # what to emit, unless it is emitted already

    def lower(self) -> None:
        entry, first_rmw = self.builder.here, len(self.builder.draft.rmws)
        self.waiting = [(self.activation, self.activation.body.initial)]
        self.reach(self.activation, self.activation.body.initial)
        while self.waiting:
            label: Label | None
            self.activation, label = self.waiting.pop()
            self.registers, starts = self.activation.registers, self.activation.starts
            if label in starts:
                continue
            while label is not None and label not in starts:
                starts[label] = self.builder.here
                self.inside = self.activation.inside[label]
                label = self.rest(label) if isinstance(label, Rest) else self.location(label)
                if label is not None:
                    self.reach(self.activation, label)
            if label is not None:
                self.goto(label)
        instructions = self.builder.draft.instructions
        for goto, activation, target in self.gotos:
            i = instructions[goto]
            instructions[goto] = Instruction(i.op, i.dst, i.a, i.b, activation.starts[target])
        self.add_thread(entry)
        self.place_temporaries(entry, first_rmw)

    def add_thread(self, entry: int) -> None:
        variables = (*self.process.outer_variables, *self.main_variables)
        hidden = [f"holds {name}" for name in self.held]
        hidden += ["reserved", "reserved by"] if self.reservation >= 0 else []
        hidden += ["atomic block"] if self.block >= 0 else []
        hidden += ["predicted cell"] if self.aim >= 0 else []
        hidden += [f"stack {number}" for number in range(self.stack_end - len(variables) - len(hidden))]
        thread = ThreadCode(
            self.process.name,
            entry=entry,
            locals=(*map(_variable, variables), *(code.Variable(name, "int") for name in hidden)),
            initial=(*map(_initial, variables), *[0] * len(hidden)),
            temporaries=self.temporaries,
            shown=tuple(n for n in range(len(self.outer), len(variables)) if variables[n].shown),
            reservation=self.reservation,
            block=self.block,
        )
        self.builder.draft.threads.append(thread)

    def place_temporaries(self, entry: int, first_rmw: int) -> None:
        """Puts the temporaries behind the locals, now that these are known."""
        instructions, rmws = self.builder.draft.instructions, self.builder.draft.rmws
        behind = self.stack_end - TEMPORARY

        def place(operand: int) -> int:
            return operand + behind if operand >= TEMPORARY else operand

        for number in range(entry, len(instructions)):
            i = instructions[number]
            reads, writes, _ = OPERATIONS[i.op]
            moved = {
                field: getattr(i, field) + behind
                for field in (*reads, *(["dst"] if writes else []))
                if getattr(i, field) >= TEMPORARY
            }
            if moved:
                instructions[number] = replace(i, **moved)  # registers only
        for number in range(first_rmw, len(rmws)):
            r = rmws[number]
            rmws[number] = replace(r, address=place(r.address), operand=place(r.operand), expected=place(r.expected))

    # ---- locations and edges

    def location(self, name: str) -> Label | None:
        """Emits a location's code; the location where its only edge goes on, which is to come next, or None."""
        body = self.activation.body
        location, edges = body.locations[name], body.edges[name]
        error = name if location.kind == "error" else None
        self.site = Site(location.position, location, error)
        if location.kind == "error":
            self.emit(Op.FAIL)
        elif location.kind == "final" or not (edges or body.has_final):
            self.leave()
        elif not edges:
            self.emit(Op.STUCK)
        elif len(edges) == 1:
            return self.rest(Rest(edges[0], 0))
        else:
            self.choose(edges)
        return None

    def choose(self, edges: list[xcfa.Edge]) -> None:
        targets: list[int] = []
        self.emit(Op.CHOOSE, c=len(self.builder.draft.targets))
        self.builder.draft.targets.append(targets)
        inside = self.inside
        for edge in edges:
            self.inside = inside
            targets.append(self.builder.here)
            scoped = isinstance(next(iter(edge.statements), None), xcfa.Scope)  # CHOOSE must not look beyond it
            target = Rest(edge, 0) if scoped else self.rest(Rest(edge, 0))
            if target is not None:
                self.goto(target)

    def reach(self, activation: Activation, label: Label) -> None:
        """A label is reached from where code is being emitted: always inside an atomic block, or never."""
        if activation.inside.setdefault(label, self.inside) != self.inside:
            edge = label.edge if isinstance(label, Rest) else None
            position = edge.position if edge else activation.body.locations[str(label)].position
            what = f"location `{label}` is" if edge is None else f"what follows the call on `{self.site.text}` is"
            self.wrong(f"{what} reached both inside and outside of an atomic block", position)

    def wrong(self, message: str, position: Position, hint: str | None = None) -> NoReturn:
        raise ProgramError(message, self.builder.draft.source, position, hint)

    def goto(self, label: Label) -> None:
        self.reach(self.activation, label)
        self.gotos.append((self.emit(Op.GOTO), self.activation, label))
        self.waiting.append((self.activation, label))

    def rest(self, rest: Rest) -> Label | None:
        """Emits an edge's statements; the location where they go on, if they do. The site is then the edge itself."""
        edge = rest.edge
        self.read = []
        for number, statement in enumerate(edge.statements[rest.start :], rest.start + 1):
            self.site = Site(statement.position, statement, test=self.test)
            match statement:
                case xcfa.Return(value):
                    self.leave(value)
                    return None
                case xcfa.Call():
                    self.call(statement, Rest(edge, number))
                    return None
                case xcfa.StoreExclusive():
                    others = list(takewhile(_is_part, edge.statements[number:]))
                    self.try_store(statement, others, Rest(edge, number + len(others)))
                    return None
                case xcfa.Scope() if number > rest.start + 1:
                    self.goto(Rest(edge, number - 1))
                    return None
                case _:
                    self.before = edge.statements[number - 2] if number - 1 > rest.start else None
                    self.statement(statement)
            self.used = 0
        self.site = Site(edge.position, f"{edge.source.name} -> {edge.target.name}")
        return edge.target.name

    def try_store(self, statement: xcfa.StoreExclusive, others: list[xcfa.Statement], back: Rest) -> None:
        """Emits a store exclusive: a choice between its success and its failure. `others`: its other parts.

        Where the edge goes on with `assume status = 0`, there is no choice: one that fails leads nowhere.
        """
        if not others and back.edge.statements[back.start : back.start + 1] == (_succeeds(statement),):
            self.store_exclusive(statement)
            self.goto(back)
            return
        self.emit(Op.CHOOSE, c=len(self.builder.draft.targets))
        targets = [self.builder.here]
        self.builder.draft.targets.append(targets)
        self.store_exclusive(statement)
        self.used = 0
        self.before = statement
        for part in others:
            self.statement(part)
            self.used = 0
            self.before = part
        self.goto(back)
        targets.append(self.builder.here)
        free, failed = self.builder.constant(0), self.builder.constant(1)
        self.emit(Op.MOV, self.reservation, free)
        self.emit(Op.MOV, self.registers[statement.status.name], failed)
        self.goto(back)

    # ---- calls

    def call(self, statement: xcfa.Call, back: Rest) -> None:
        body = self.bodies[statement.procedure.name]
        variables = (*body.procedure.parameters, *body.procedure.variables)
        first = self.activation.end
        registers = self.outer | {variable.name: first + i for i, variable in enumerate(variables)}
        result = self.registers[statement.target.name] if statement.target else None
        callee = Activation(body, registers, first, first + len(variables), self.activation, back, result)
        if callee.nested() > NESTED_CALLS:
            self.emit(Op.CUT)
            return
        if self.builder.here > MAX_INSTRUCTIONS:
            message = f"there are more than {MAX_INSTRUCTIONS:,} instructions when all calls are inlined"
            raise LimitError(message, self.builder.draft.source, statement.position)
        self.stack_end = max(self.stack_end, callee.end)
        for parameter, argument in zip(body.procedure.parameters, statement.arguments, strict=True):
            self.evaluate(argument, registers[parameter.name])
            self.used = 0
        for variable in body.procedure.variables:
            if _initial(variable) != 0:
                self.emit(Op.MOV, registers[variable.name], self.builder.constant(_initial(variable)))
        self.gotos.append((self.emit(Op.GOTO), callee, body.initial))
        self.reach(self.activation, back)
        self.reach(callee, body.initial)
        self.waiting += [(self.activation, back), (callee, body.initial)]  # the callee comes first

    def leave(self, value: xcfa.Expression | None = None) -> None:
        """Emits the end of the process, or the way back to the caller. Without a value, the caller gets 0 or false."""
        activation = self.activation
        if activation.result is not None:
            self.evaluate(value or xcfa.IntLiteral(0), activation.result)
        elif value is not None:
            self.evaluate(value)  # which can fail
        self.used = 0
        if activation.caller is None:
            if self.inside:
                self.wrong("the process ends inside an atomic block", self.site.position, "put `atomic-end` before")
            self.emit(Op.END)
            return
        self.reach(activation.caller, activation.back)
        for register in range(activation.first, activation.end):
            self.emit(Op.MOV, register, self.builder.constant(0))
        self.gotos.append((self.emit(Op.GOTO), activation.caller, activation.back))

    # ---- statements

    def statement(self, statement: xcfa.Statement) -> None:
        """Emits a statement that is not a call, a store exclusive or a return: these end a piece of code."""
        match statement:
            case xcfa.Assign(target, value):
                self.evaluate(value, self.registers[target.name])
            case xcfa.Load():
                self.load(statement)
            case xcfa.Store():
                self.store(statement)
            case xcfa.Rmw():
                self.update(statement)
            case xcfa.Fence(tag, _, tags, inserted):
                self.fence(*[] if tag is None else [tag], *tags, inserted=inserted)
            case xcfa.Assume(condition):
                self.emit(Op.ASSUME, a=self.evaluate(condition))
            case xcfa.Assert(condition, _, kind):
                told = kind == "exit" and condition == xcfa.BoolLiteral(True)
                self.emit(Op.ASSERT, a=self.evaluate(condition), b=int(told), c=xcfa.ASSERTIONS.index(kind))
            case xcfa.Cut():
                self.emit(Op.CUT)
            case xcfa.Bound(counter, limit):
                self.emit(Op.BOUND, self.registers[counter.name], c=limit)
            case xcfa.Havoc(target, bounds):
                first, last = bounds or (xcfa.BoolLiteral(False), xcfa.BoolLiteral(True))
                low, high = self.evaluate(first), self.evaluate(last)
                self.emit(Op.HAVOC, self.registers[target.name], low, high)
            case xcfa.Predict(target, value, picks, limit):
                self.emit(Op.PREDICT, self.registers[target.name], self.evaluate(value), limit, int(picks))
            case xcfa.Select():
                self.select(statement)
            case xcfa.Scope("keep", local):
                self.emit(Op.KEEP, self.registers[local.name])
            case xcfa.Scope(_, local):
                self.emit(Op.LEAVE, a=self.registers[local.name])
            case xcfa.Mutex("lock", xcfa.Name(mutex)):
                self.lock(mutex)
            case xcfa.Mutex("unlock", xcfa.Name(mutex)):
                self.unlock(mutex)
            case xcfa.Mutex("lock", xcfa.Place() | xcfa.Deref() as place):
                self.lock_cell(statement, place)
            case xcfa.Mutex(_, xcfa.Place() | xcfa.Deref() as place):
                self.unlock_cell(statement, place)
            case xcfa.AtomicBegin():
                if self.inside:
                    self.wrong("there is an atomic block already", statement.position, "atomic blocks are not nested")
                self.inside = True
                self.emit(Op.BLOCK, self.block)
            case xcfa.AtomicEnd():
                if not self.inside:
                    self.wrong("there is no atomic block to end", statement.position)
                self.inside = False
                self.emit(Op.MOV, self.block, self.builder.constant(0))
            case xcfa.Lifetime():
                self.lifetime(statement)
            case xcfa.Control(op, process, _, tags):
                self.control(op, process.name, tags)
            case xcfa.Meet(barrier, round_, group, _, tags):
                number = self.builder.group(barrier, (name.name for name in group))
                if not statement.orders:
                    self.emit(Op.GATHER, dst=-1, a=number, b=round_)
                    return
                self.emit(Op.MEET, a=number, b=round_, c=self.event_class("F", "join", "meet", *tags))
            case xcfa.Skip() | xcfa.Call() | xcfa.StoreExclusive() | xcfa.Return():
                pass

    def select(self, statement: xcfa.Select) -> None:
        """Emits a selection, by a branch that decides nothing."""
        target, choice = self.registers[statement.target.name], self.registers[statement.choice.name]
        otherwise = self.emit(Op.JZ, a=choice, b=NO_DEPENDENCY)
        self.evaluate(statement.positive, target)
        self.emit(Op.TAINT, target, choice)
        end = self.emit(Op.JMP)
        self.builder.land(otherwise)
        self.used = 0
        self.evaluate(statement.negative, target)
        if not statement.one_sided:
            self.emit(Op.TAINT, target, choice)
        self.builder.land(end)

    def control(self, op: Literal["start", "join"], process: str, tags: tuple[str, ...]) -> None:
        """Emits `start process` or `join process`: an event that the models see as a fence."""
        numbers = {name: number for number, name in enumerate(self.builder.processes)}
        code = Op.START if op == "start" else Op.JOIN
        self.emit(code, a=numbers[process], c=self.event_class("F", op, *tags))


def _succeeds(statement: xcfa.StoreExclusive) -> xcfa.Assume:
    """The statement that a store exclusive has not failed."""
    return xcfa.Assume(xcfa.Binary("=", statement.status, xcfa.IntLiteral(0)))


def _is_part(statement: xcfa.Statement) -> bool:
    return isinstance(statement, xcfa.Store) and PART in (statement.order, *statement.tags)


def _statements(process: xcfa.Process) -> Iterator[xcfa.Statement]:
    for procedure in process.procedures or (process.main_procedure,):
        for edge in procedure.edges:
            yield from edge.statements


def _mutexes(process: xcfa.Process) -> list[str]:
    """The mutexes that a process locks or unlocks."""
    mutexes = [statement.mutex for statement in _statements(process) if isinstance(statement, xcfa.Mutex)]
    return list(dict.fromkeys(mutex.name for mutex in mutexes if isinstance(mutex, xcfa.Name)))


def _is_computed(statement: xcfa.Statement) -> bool:
    """Whether a statement's address may have to be computed."""
    place = getattr(statement, "place", getattr(statement, "mutex", None))
    return isinstance(place, xcfa.Deref) or (isinstance(place, xcfa.Place) and bool(place.indices))


def _is_exclusive(statement: xcfa.Statement) -> bool:
    return isinstance(statement, xcfa.StoreExclusive) or (isinstance(statement, xcfa.Load) and statement.exclusive)
