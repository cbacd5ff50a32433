"""Whether a program makes sense: names, types, and what may touch shared variables. See docs/xcfa.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import NoReturn, Protocol

from xgen.errors import Position, ProgramError, Source, UnsupportedError, nearest
from xgen.program import automaton as xcfa
from xgen.program.expressions import REALS_OF_TWO
from xgen.program.printer import print_place

ARITHMETIC = frozenset({"+", "-", "*", "/", "mod", "rem", "bitand", "bitor", "bitxor", "shl", "shr"}) | {
    *("sar", "quot", "trem", "udiv", "urem"),
    *REALS_OF_TWO,
}
INT_UPDATES = frozenset(
    {"fetch_add", "fetch_sub", "fetch_min", "fetch_max", "fetch_umin", "fetch_umax", "fetch_fadd32", "fetch_fadd64"}
) | {"add_unless"}
LOGICAL = frozenset({"and", "or", "imply", "iff"})


def check_program(program: xcfa.Program) -> None:
    """Raises ProgramError for the first thing that is wrong, in the order of the text."""
    Checker(program).program_()


def refuse_any_number(program: xcfa.Program) -> None:
    """Raises UnsupportedError where a process stands for any number: what runs programs needs as many as they name."""
    if (many := program.many) is not None:
        hint = "`xgen prove` answers for all numbers, with --procs N for one; in Python, `prove_system` does"
        message = f"`{many.name}` stands for any number of processes"
        raise UnsupportedError(message, program.source, many.position, hint)


class Named(Protocol):
    """A declaration."""

    @property
    def name(self) -> str: ...
    @property
    def position(self) -> Position: ...


def constant_type(value: xcfa.Constant) -> xcfa.Type:
    return xcfa.INT if isinstance(value, xcfa.IntLiteral) else xcfa.BOOL


def count(number: int, one: str, many: str | None = None) -> str:
    """A number of things in words: `no argument`, `one argument`, `2 arguments`."""
    if number < 2:
        return f"{'one' if number else 'no'} {one}"
    return f"{number} {many or one + 's'}"


class Checker:
    """Checks one program; `shared` and `locals` are the variables that can be seen where it is checking."""

    def __init__(self, program: xcfa.Program) -> None:
        self.program = program
        self.source: Source = program.source
        self.shared = {variable.name: variable for variable in program.variables}
        self.locals: dict[str, xcfa.Variable] = {}
        self.process = xcfa.Process("")
        self.procedure = xcfa.Procedure("")
        # Of procedures that do not declare what they return: the types of what they do, and the calls to be checked.
        self.returned: dict[str, xcfa.Type] = {}
        self.results: list[tuple[xcfa.Name, xcfa.Name, xcfa.Type]] = []
        self.meeting: dict[str, set[str]] = {}  # who meets at a barrier

    def wrong(self, message: str, position: Position | None, hint: str | None = None) -> NoReturn:
        raise ProgramError(message, self.source, position, hint)

    # ---- declarations

    def program_(self) -> None:
        if not self.program.processes:
            self.wrong("the program has no process", None, "the least one is `process p { init loc L }`")
        self.unique("variable", self.program.variables)
        for variable in self.program.variables:
            self.variable(variable)
        self.unique("process", self.program.processes)
        for process in self.program.processes:
            self.process_(process)

    def unique(self, kind: str, declared: Iterable[Named], outer: Iterable[Named] = ()) -> None:
        """No two declarations of one name."""
        seen = {item.name: item for item in outer}
        for item in declared:
            if item.name in seen:
                line = seen[item.name].position.line
                self.wrong(f"there is already a {kind} `{item.name}`, declared in line {line}", item.position)
            seen[item.name] = item

    def variable(self, variable: xcfa.Variable, local: bool = False) -> None:
        if variable.type.base == "synthetic" and variable.type.sizes:
            self.wrong("there are no arrays of mutexes", variable.position)
        if local and variable.type.sizes:
            self.wrong("only shared variables can be arrays", variable.position, "declare it before the processes")
        if local and (variable.address is not None or variable.undefined):
            self.wrong("only shared variables have addresses", variable.position)
        if (variable.bytes or variable.undefined) and variable.type.base != "int":
            self.wrong("only ints have a width, or no first value", variable.position)
        if local and variable.type.base == "synthetic":
            self.wrong("only shared variables can be mutexes", variable.position, "declare it before the processes")
        if xcfa.ANY in variable.type.sizes and self.program.many is None:
            hint = "`process p[*]` stands for any number of them"
            self.wrong("`[*]` is for programs with any number of processes", variable.position, hint)
        if not variable.initial:
            return
        if variable.type.base == "synthetic":
            self.wrong("a mutex has no initial value", variable.initial[0].position)
        cells = 1 if xcfa.ANY in variable.type.sizes else prod(variable.type.sizes)
        if len(variable.initial) != cells:
            takes, found = count(cells, "initial value"), len(variable.initial)
            self.wrong(f"`{variable.name}` takes {takes}, not {found}", variable.initial[-1].position)
        for value in variable.initial:
            type_, of_value = variable.type.base, constant_type(value)
            if of_value.base != type_:
                self.wrong(f"`{variable.name}` is of type {type_}, this value is of type {of_value}", value.position)

    def process_(self, process: xcfa.Process) -> None:
        self.process = process
        own = process.locations or process.edges
        if process.procedures and own:
            place = own[0].position
            self.wrong(f"process `{process.name}` has both procedures and locations of its own", place, EITHER)
        if process.me is not None and not process.many:
            hint = f"`process {process.name}[*]({process.me.name})`"
            self.wrong("only one of any number of processes has a number of its own", process.me.position, hint)
        if process.many and process.procedures:
            self.wrong("any number of processes have no procedures", process.procedures[0].position)
        me = () if process.me is None else (xcfa.Variable(process.me.name, xcfa.INT, (), process.me.position),)
        self.unique("variable", (*me, *process.variables), self.program.variables)
        self.unique("procedure", process.procedures)
        for variable in process.variables:
            self.variable(variable, local=True)
        mains = [procedure for procedure in process.procedures if procedure.main]
        if len(mains) > 1:
            self.wrong(f"process `{process.name}` has a second main procedure", mains[1].position)
        if len(process.procedures) > 1 and not mains:
            self.wrong(f"process `{process.name}` has no main procedure", process.position, "mark one with `main`")
        if process.main_procedure.parameters:
            place = process.main_procedure.parameters[0].position
            self.wrong("the main procedure of a process has no parameters", place)
        self.returned, self.results = {}, []
        for procedure in process.procedures or (process.main_procedure,):
            self.procedure_(procedure)
        for name, target, type_ in self.results:
            self.result(name, target, type_, self.returned.get(name.name))

    def procedure_(self, procedure: xcfa.Procedure) -> None:
        self.procedure = procedure
        if procedure.returns not in (None, xcfa.INT, xcfa.BOOL):
            self.wrong(f"a procedure returns an int or a bool, not {procedure.returns}", procedure.position)
        inner = (*procedure.parameters, *procedure.variables)
        outer = self.process.outer_variables
        self.unique("variable", inner, (*self.program.variables, *outer))
        for variable in inner:
            self.variable(variable, local=True)
        self.locals = {variable.name: variable for variable in (*outer, *inner)}
        if (me := self.process.me) is not None:
            self.locals[me.name] = xcfa.Variable(me.name, xcfa.INT, (), me.position)
        what = f"procedure `{procedure.name}`" if self.process.procedures else f"process `{procedure.name}`"
        self.unique("location", procedure.locations)
        initial = [location for location in procedure.locations if location.kind == "init"]
        if not initial:
            self.wrong(f"{what} has no initial location", procedure.position, "declare one with `init loc L`")
        if len(initial) > 1:
            self.wrong(f"{what} has a second initial location", initial[1].position)
        locations = {location.name for location in procedure.locations}
        for edge in procedure.edges:
            for end in (edge.source, edge.target):
                if end.name not in locations:
                    self.unknown("location", end, locations)
            for statement in edge.statements:
                self.statement(statement)

    def unknown(self, kind: str, name: xcfa.Name, known: Iterable[str]) -> NoReturn:
        self.wrong(f"there is no {kind} `{name.name}`", name.position, nearest(name.name, known))

    # ---- statements

    def statement(self, statement: xcfa.Statement) -> None:
        match statement:
            case xcfa.Assign(target, value):
                self.fits(value, self.local(target, ASSIGNED), f"`{target.name}`")
            case xcfa.Load(target, place):
                self.same(target, self.local(target, LOADED), place)
            case xcfa.Store(value, place):
                self.fits(value, self.place(place), f"`{print_place(place)}`")
            case xcfa.StoreExclusive(status, value, place):
                self.fits(value, self.place(place), f"`{print_place(place)}`")
                if self.local(status, LOADED) != xcfa.INT:
                    self.wrong("the status of a store exclusive is an int", status.position, STATUS)
            case xcfa.Rmw():
                self.rmw(statement)
            case xcfa.Assume(condition) | xcfa.Assert(condition):
                self.fits(condition, xcfa.BOOL, "a condition")
            case xcfa.Havoc():
                self.havoc(statement)
            case xcfa.Return(value):
                self.return_(statement, value)
            case xcfa.Call():
                self.call(statement)
            case xcfa.Mutex(_, xcfa.Name() as mutex):
                self.mutex(mutex)
            case xcfa.Mutex(_, place):
                assert not isinstance(place, xcfa.Name)
                if self.place(place) != xcfa.INT:
                    self.wrong(
                        f"`{print_place(place)}` cannot be locked", place.position, "a mutex is a cell for an int"
                    )
            case xcfa.Lifetime(op, place):
                self.place(place)
                if not any(variable.object for variable in self.shared.values()):
                    hint = "an object that is allocated is declared with `@ heap` at its end"
                    self.wrong(f"there is nothing to {op}", statement.position, hint)
            case xcfa.Bound(counter):
                if self.local(counter, ASSIGNED) != xcfa.INT:
                    self.wrong("what counts rounds is an int", counter.position)
            case xcfa.Predict(target, value):
                self.fits(value, self.local(target, ASSIGNED), f"`{target.name}`")
            case xcfa.Select(target, choice, positive, negative):
                type_ = self.local(target, ASSIGNED)
                if self.local(choice, ASSIGNED) != xcfa.BOOL:
                    self.wrong("what is selected by is a bool", choice.position)
                self.fits(positive, type_, f"`{target.name}`")
                self.fits(negative, type_, f"`{target.name}`")
            case xcfa.Scope(_, local):
                if self.local(local, ASSIGNED) != xcfa.INT:
                    self.wrong("what keeps dependencies is an int", local.position)
            case xcfa.Control(_, process):
                self.known_process(process)
            case xcfa.Meet():
                self.meet(statement)
            case xcfa.Fence() | xcfa.Skip() | xcfa.Cut() | xcfa.AtomicBegin() | xcfa.AtomicEnd():
                pass

    def known_process(self, process: xcfa.Name) -> None:
        processes = {process.name for process in self.program.processes}
        if process.name not in processes:
            self.unknown("process", process, processes)

    def meet(self, statement: xcfa.Meet) -> None:
        for process in statement.group:
            self.known_process(process)
        names = {process.name for process in statement.group}
        if self.process.name not in names:
            hint = f"add `{self.process.name}` to those that meet"
            self.wrong(f"`{self.process.name}` is none of those that meet here", statement.position, hint)
        if self.meeting.setdefault(statement.barrier, names) != names:
            message = f"others meet at `{statement.barrier}` elsewhere"
            self.wrong(message, statement.position, "the same processes meet in all rounds of a barrier")

    def local(self, name: xcfa.Name, hint: str) -> xcfa.Type:
        """The type of a local variable; `hint` says what to do where it is a shared one."""
        if name.name not in self.locals:
            if name.name in self.shared and self.shared[name.name].type.base == "synthetic":
                self.wrong(f"`{name.name}` is a mutex: it is only locked and unlocked", name.position)
            if name.name in self.shared:
                self.wrong(f"`{name.name}` is a shared variable, a local one is needed here", name.position, hint)
            self.unknown("variable", name, {*self.locals, *self.shared})
        return self.locals[name.name].type

    def place(self, place: xcfa.AnyPlace) -> xcfa.Type:
        """The type of the value in a place, all of whose parts are checked."""
        if isinstance(place, xcfa.Deref):
            self.fits(place.address, xcfa.INT, "an address")
            return xcfa.INT
        type_ = self.cell(place)
        for index in place.indices:
            self.fits(index, xcfa.INT, "an index")
        return type_

    def cell(self, place: xcfa.Place) -> xcfa.Type:
        """The type of the value in a place; the indices are not checked."""
        name = place.name
        if name.name in self.locals:
            self.wrong(f"`{name.name}` is a local variable, a shared one is needed here", name.position, COMPUTED)
        if name.name not in self.shared:
            self.unknown("shared variable", name, self.shared)
        type_ = self.shared[name.name].type
        if type_.base == "synthetic":
            self.wrong(f"`{name.name}` is a mutex: it is only locked and unlocked", name.position)
        if len(place.indices) != len(type_.sizes):
            takes, found = count(len(type_.sizes), "index", "indices"), len(place.indices)
            self.wrong(f"`{name.name}` is of type {type_}: it takes {takes}, not {found}", name.position)
        return xcfa.Type(type_.base)

    def same(self, target: xcfa.Name, type_: xcfa.Type, place: xcfa.AnyPlace) -> None:
        """Target and place are of one type."""
        found = self.place(place)
        if found != type_:
            message = f"`{target.name}` is of type {type_}, `{print_place(place)}` of type {found}"
            self.wrong(message, place.position)

    def rmw(self, statement: xcfa.Rmw) -> None:
        type_ = self.place(statement.place)
        if statement.target:
            self.same(statement.target, self.local(statement.target, LOADED), statement.place)
        takes, given = xcfa.RMW_ARGUMENTS[statement.op], len(statement.arguments)
        if given != takes:
            message = f"`{statement.op}` takes a variable and {count(takes, 'value')}, not {given}"
            self.wrong(message, statement.position)
        place = print_place(statement.place)
        if statement.op in INT_UPDATES and type_ != xcfa.INT:
            self.wrong(f"`{statement.op}` needs an int, `{place}` is a bool", statement.place.position)
        for argument in statement.arguments:
            self.fits(argument, type_, f"`{place}`")
        if statement.bits is not None and type_ != xcfa.INT:
            self.wrong(f"`wrap` needs an int, `{place}` is a bool", statement.place.position)
        if statement.bits is not None and not 1 <= abs(statement.bits) <= 64:
            self.wrong(f"`wrap` keeps 1 to 64 bits, not {abs(statement.bits)}", statement.position)
        if len(statement.orders) > 1 and statement.op not in xcfa.CONDITIONAL_RMWS:
            self.wrong(f"`{statement.op}` has one order; only `cas` and `add_unless` have a second", statement.position)

    def havoc(self, statement: xcfa.Havoc) -> None:
        type_ = self.local(statement.target, HAVOCKED)
        if type_ == xcfa.INT and statement.bounds is None:
            self.wrong("`havoc` of an int needs a range", statement.position, f"{RANGE}: `havoc n in 0..3`")
        if type_ == xcfa.BOOL and statement.bounds is not None:
            self.wrong("`havoc` of a bool takes no range", statement.bounds[0].position)
        for bound in statement.bounds or ():
            self.fits(bound, xcfa.INT, "a bound")

    def return_(self, statement: xcfa.Return, value: xcfa.Expression | None) -> None:
        if value is not None:
            name, found = self.procedure.name, self.type(value)
            returns = self.procedure.returns or self.returned.setdefault(name, found)
            if returns != found:
                self.wrong(f"procedure `{name}` returns {returns}, this is of type {found}", value.position)
        elif self.procedure.returns is not None:
            self.wrong(f"procedure `{self.procedure.name}` returns {self.procedure.returns}", statement.position)

    def call(self, statement: xcfa.Call) -> None:
        procedures = {procedure.name: procedure for procedure in self.process.procedures}
        name = statement.procedure
        if name.name not in procedures:
            self.unknown("procedure", name, procedures)
        parameters = procedures[name.name].parameters
        if len(parameters) != len(statement.arguments):
            takes, found = count(len(parameters), "argument"), len(statement.arguments)
            self.wrong(f"`{name.name}` takes {takes}, not {found}", name.position)
        for parameter, argument in zip(parameters, statement.arguments, strict=True):
            self.fits(argument, parameter.type, f"parameter `{parameter.name}`")
        if statement.target:
            type_, returns = self.local(statement.target, ASSIGNED), procedures[name.name].returns
            if returns is None:  # decided once all procedures are read
                self.results.append((name, statement.target, type_))
            else:
                self.result(name, statement.target, type_, returns)

    def result(self, procedure: xcfa.Name, target: xcfa.Name, type_: xcfa.Type, returns: xcfa.Type | None) -> None:
        """What a procedure returns is of the type of the local that gets it."""
        if returns is None:
            self.wrong(f"`{procedure.name}` returns no value", procedure.position, VALUE)
        if returns != type_:
            message = f"`{procedure.name}` returns {returns}, `{target.name}` is of type {type_}"
            self.wrong(message, target.position)

    def mutex(self, name: xcfa.Name) -> None:
        known = {v.name for v in self.shared.values() if v.type.base == "synthetic"}
        if name.name not in known and (name.name in self.shared or name.name in self.locals):
            self.wrong(f"`{name.name}` is not a mutex", name.position, "mutexes are of type `synthetic`")
        if name.name not in known:
            self.unknown("mutex", name, known)

    # ---- expressions

    def fits(self, expression: xcfa.Expression, type_: xcfa.Type, what: str) -> None:
        """The expression is of the type that `what` is of."""
        found = self.type(expression)
        if found != type_:
            self.wrong(f"{what} is of type {type_}, this is of type {found}", expression.position)

    def type(self, expression: xcfa.Expression) -> xcfa.Type:
        """The type of an expression, all of whose parts are checked."""
        stack: list[xcfa.Type] = []
        for part in xcfa.postorder(expression):
            match part:
                case xcfa.IntLiteral():
                    stack.append(xcfa.INT)
                case xcfa.BoolLiteral():
                    stack.append(xcfa.BOOL)
                case xcfa.Name():
                    stack.append(self.local(part, USED))
                case xcfa.Unary(op, operand):
                    type_ = xcfa.BOOL if op == "not" else xcfa.INT
                    self.needs(op, type_, (operand,), (stack.pop(),))
                    stack.append(type_)
                case xcfa.Wrap(operand, bits):
                    self.needs("wrap", xcfa.INT, (operand,), (stack.pop(),))
                    if not 1 <= bits <= 64:
                        self.wrong(f"`wrap` keeps 1 to 64 bits, not {bits}", part.position)
                    stack.append(xcfa.INT)
                case xcfa.Index(operand, size):
                    self.needs("index", xcfa.INT, (operand,), (stack.pop(),))
                    if size < 1:
                        self.wrong("an array has at least one cell", part.position)
                    stack.append(xcfa.INT)
                case xcfa.AddressOf(place):
                    self.address(place, [stack.pop() for _ in xcfa.operands(part)][::-1])
                    stack.append(xcfa.INT)
                case xcfa.Binary(op, left, right):
                    right_type, left_type = stack.pop(), stack.pop()
                    stack.append(self.binary(op, left, right, (left_type, right_type)))
                case xcfa.Conditional(condition, positive, negative):
                    types = stack[-3:]
                    del stack[-3:]
                    self.needs("if", xcfa.BOOL, (condition,), types[:1])
                    self.alike("if", (positive, negative), types[1:])
                    stack.append(types[1])
        return stack.pop()

    def address(self, place: xcfa.AnyPlace, types: Sequence[xcfa.Type]) -> None:
        """The address of a place is taken; `types` are those of the address or of the indices."""
        if isinstance(place, xcfa.Deref):
            self.needs("*", xcfa.INT, (place.address,), types)
            return
        if place.name.name in self.locals:
            self.wrong(f"`{place.name.name}` is a local variable, only shared ones have addresses", place.position)
        type_ = self.cell(place)
        if type_ != xcfa.INT:
            self.wrong(f"`&` needs an int, `{place.name.name}` is a {type_}", place.position)
        self.needs("[]", xcfa.INT, place.indices, types)

    def binary(
        self, op: str, left: xcfa.Expression, right: xcfa.Expression, types: tuple[xcfa.Type, xcfa.Type]
    ) -> xcfa.Type:
        if op in ("=", "/="):
            self.alike(op, (left, right), types)
            return xcfa.BOOL
        self.needs(op, xcfa.BOOL if op in LOGICAL else xcfa.INT, (left, right), types)
        return xcfa.INT if op in ARITHMETIC else xcfa.BOOL

    def needs(self, op: str, type_: xcfa.Type, parts: Sequence[xcfa.Expression], types: Sequence[xcfa.Type]) -> None:
        for part, found in zip(parts, types, strict=True):
            if found != type_:
                self.wrong(f"`{op}` needs {ARTICLE[type_]}, this is of type {found}", part.position)

    def alike(self, op: str, parts: Sequence[xcfa.Expression], types: Sequence[xcfa.Type]) -> None:
        if types[0] != types[1]:
            message = f"both sides of `{op}` are of one type, here they are of types {types[0]} and {types[1]}"
            self.wrong(message, parts[1].position)


ARTICLE = {xcfa.INT: "an int", xcfa.BOOL: "a bool"}
EITHER = "a process has either procedures, or variables, locations and edges"
ASSIGNED = "a store writes a shared variable: `expression -> shared`"
LOADED = "a load or an update puts what it reads into a local variable"
USED = "a load reads a shared variable: `local <- shared`"
COMPUTED = "`:=` assigns local variables"
STATUS = "it gets 0 where the store succeeds, else 1"
HAVOCKED = "havoc a local variable, then store it: `local -> shared`"
VALUE = "it has no `return` with a value"
RANGE = "its lowest and its highest value"
