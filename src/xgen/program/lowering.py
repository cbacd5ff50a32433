"""From programs to the code that the engine runs (code.py; the operations are listed in src/core/code.hpp).

A location with one edge is that edge's code; one with several is a CHOOSE among the edges' codes. An edge that is
chosen ends in a GOTO, beyond which CHOOSE does not look ahead. Locations that cannot be reached have no code.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Literal, NoReturn, TypeAlias, TypeVar

from xgen.engine._core import Op
from xgen.errors import UnsupportedError
from xgen.program import code
from xgen.program.automaton import (
    Assert,
    Assign,
    Assume,
    AtomicBegin,
    AtomicEnd,
    Binary,
    BoolLiteral,
    Call,
    Conditional,
    Control,
    Edge,
    Expression,
    Fence,
    Havoc,
    IntLiteral,
    Load,
    Location,
    Mutex,
    Name,
    Place,
    Procedure,
    Process,
    Program,
    Return,
    Rmw,
    Skip,
    Statement,
    Store,
    Unary,
    Variable,
    postorder,
)
from xgen.program.code import Code, EventClass, Instruction, Site, ThreadCode
from xgen.program.printer import print_location, print_statement

T = TypeVar("T")
Steps: TypeAlias = Generator[Any, Any, T]
"""A function that may be nested deeper than Python's stack: `result = yield call` instead of `result = call`."""


def lower(program: Program) -> Code:
    """The code of a checked program. Raises UnsupportedError for what cannot be run."""
    result = Code(program.source)
    cells: dict[str, int] = {}
    for variable in program.variables:
        if variable.type.sizes:
            raise UnsupportedError(f"arrays cannot be run yet: `{variable.name}`", program.source, variable.position)
        if variable.type.base == "synthetic":
            continue  # no cell: only lock and unlock touch it
        cells[variable.name] = len(result.cells)
        result.cells.append(_variable(variable))
        result.initial.append(_initial(variable))
    builder = Builder(result)
    for process in program.processes:
        Thread(builder, cells, process).lower()
    return result


def _variable(variable: Variable) -> code.Variable:
    return code.Variable(variable.name, "bool" if variable.type.base == "bool" else "int")


def _initial(variable: Variable) -> int:
    return int(variable.initial[0].value) if variable.initial else 0


def run(steps: Steps[T]) -> T:
    """Runs steps, on a stack of our own."""
    stack: list[Steps[Any]] = [steps]
    value: Any = None
    while stack:
        try:
            callee = stack[-1].send(value)
        except StopIteration as done:
            stack.pop()
            value = done.value
        else:
            stack.append(callee)
            value = None
    result: T = value
    return result


class Builder:
    """Adds to a Code; equal constants and event classes are stored once."""

    def __init__(self, result: Code) -> None:
        self.code = result
        self.constants: dict[int, int] = {}
        self.classes = {event_class: i for i, event_class in enumerate(result.classes)}

    @property
    def here(self) -> int:
        """The index of the next instruction."""
        return len(self.code.instructions)

    def emit(self, site: Site, op: Op, dst: int = 0, a: int = 0, b: int = 0, c: int = 0) -> int:
        self.code.instructions.append(Instruction(op, dst, a, b, c))
        self.code.sites.append(site)
        return self.here - 1

    def land(self, jump: int) -> None:
        """Makes an earlier jump go to the next instruction."""
        op = self.code.instructions[jump]
        self.code.instructions[jump] = Instruction(op.op, op.dst, op.a, op.b, self.here)

    def constant(self, value: int) -> int:
        """The operand that is this value."""
        if value not in self.constants:
            self.constants[value] = len(self.code.constants)
            self.code.constants.append(value)
        return ~self.constants[value]

    def event_class(self, event_class: EventClass) -> int:
        if event_class not in self.classes:
            self.classes[event_class] = len(self.code.classes)
            self.code.classes.append(event_class)
        return self.classes[event_class]


class Thread:
    """Lowers one process."""

    def __init__(self, builder: Builder, cells: dict[str, int], process: Process) -> None:
        self.builder = builder
        self.cells = cells
        self.procedure: Procedure = process.main_procedure
        outer, inner = process.outer_variables, self.procedure.variables
        variables = (*outer, *inner)
        self.registers = {variable.name: register for register, variable in enumerate(variables)}
        self.thread = ThreadCode(
            process.name,
            entry=builder.here,
            locals=[_variable(variable) for variable in variables],
            initial=[_initial(variable) for variable in variables],
            shown=list(range(len(outer), len(variables))),
        )
        self.used = 0  # temporaries that hold a value
        self.site = Site(process.position, "")
        self.fallible: set[int] = set()  # ids of the expressions of this statement that can fail
        self.starts: dict[str, int] = {}  # where locations start
        self.gotos: list[tuple[int, str]] = []  # GOTO instructions, and the locations they go to
        self.waiting: list[str] = []  # locations to emit, unless they are emitted already
        self.edges: dict[str, list[Edge]] = {location.name: [] for location in self.procedure.locations}
        for edge in self.procedure.edges:
            self.edges[edge.source.name].append(edge)
        self.has_final = any(location.kind == "final" for location in self.procedure.locations)

    def lower(self) -> None:
        locations = {location.name: location for location in self.procedure.locations}
        self.waiting = [location.name for location in self.procedure.locations if location.kind == "init"]
        while self.waiting:
            name: str | None = self.waiting.pop()
            if name in self.starts:
                continue
            while name is not None and name not in self.starts:
                self.starts[name] = self.builder.here
                name = self.location(locations[name])
            if name is not None:
                self.goto(name)
        for goto, target in self.gotos:
            i = self.builder.code.instructions[goto]
            self.builder.code.instructions[goto] = Instruction(i.op, i.dst, i.a, i.b, self.starts[target])
        self.builder.code.threads.append(self.thread)

    # ---- locations and edges

    def location(self, location: Location) -> str | None:
        """Emits a location's code; the location where its only edge goes on, which is to come next, or None."""
        name = location.name if location.kind == "error" else None
        self.site = Site(location.position, print_location(location), name)
        edges = self.edges[location.name]
        if location.kind == "error":
            self.emit(Op.FAIL)
        elif location.kind == "final" or not (edges or self.has_final):
            self.emit(Op.END)
        elif not edges:
            self.emit(Op.STUCK)
        elif len(edges) == 1:
            return edges[0].target.name if self.edge(edges[0]) else None
        else:
            self.choose(edges)
        return None

    def choose(self, edges: list[Edge]) -> None:
        targets: list[int] = []
        self.emit(Op.CHOOSE, c=len(self.builder.code.targets))
        self.builder.code.targets.append(targets)
        for edge in edges:
            targets.append(self.builder.here)
            if self.edge(edge):
                self.goto(edge.target.name)

    def goto(self, name: str) -> None:
        self.gotos.append((self.emit(Op.GOTO), name))
        self.waiting.append(name)

    def edge(self, edge: Edge) -> bool:
        """Emits an edge's statements; whether they go on to its target. The site is then the edge itself."""
        for statement in edge.statements:
            self.site = Site(statement.position, print_statement(statement))
            self.statement(statement)
            if isinstance(statement, Return):
                return False
        self.site = Site(edge.position, f"{edge.source.name} -> {edge.target.name}")
        return True

    # ---- statements

    def emit(self, op: Op, dst: int = 0, a: int = 0, b: int = 0, c: int = 0) -> int:
        return self.builder.emit(self.site, op, dst, a, b, c)

    def statement(self, statement: Statement) -> None:
        match statement:
            case Assign(target, value):
                self.evaluate(value, self.registers[target.name])
            case Load(target, place):
                self.emit(Op.LOAD, self.registers[target.name], self.address(place), c=self.access("R", statement))
            case Store(value, place):
                operand, address = self.evaluate(value), self.address(place)
                self.emit(Op.STORE, a=address, b=operand, c=self.access("W", statement))
            case Fence(tag):
                event_class = EventClass("F", frozenset() if tag is None else frozenset({tag}))
                self.emit(Op.FENCE, c=self.builder.event_class(event_class))
            case Assume(condition):
                self.emit(Op.ASSUME, a=self.evaluate(condition))
            case Assert(condition):
                self.emit(Op.ASSERT, a=self.evaluate(condition))
            case Havoc(target, bounds):
                first, last = bounds or (BoolLiteral(False), BoolLiteral(True))
                low, high = self.evaluate(first), self.evaluate(last)
                self.emit(Op.HAVOC, self.registers[target.name], low, high)
            case Return(value):
                if value is not None:
                    self.evaluate(value)
                self.emit(Op.END)
            case Skip():
                pass
            case _:
                self.unsupported(statement)
        self.used = 0

    def unsupported(self, statement: Rmw | Call | AtomicBegin | AtomicEnd | Mutex | Control) -> NoReturn:
        what = {
            Rmw: "read-modify-writes",
            Call: "procedure calls",
            AtomicBegin: "atomic blocks",
            AtomicEnd: "atomic blocks",
            Mutex: "mutexes",
            Control: "`start` and `join`",
        }[type(statement)]
        message = f"{what} cannot be run yet: `{print_statement(statement)}`"
        raise UnsupportedError(message, self.builder.code.source, statement.position)

    def address(self, place: Place) -> int:
        """The operand that is the place's address: its cell."""
        return self.builder.constant(self.cells[place.name.name])

    def access(self, kind: Literal["R", "W"], statement: Load | Store) -> int:
        tags = {"atomic"} if statement.atomic else set()
        if statement.order:
            tags.add(statement.order)
        return self.builder.event_class(EventClass(kind, frozenset(tags)))

    # ---- expressions

    def evaluate(self, expression: Expression, target: int | None = None) -> int:
        """Emits the computation of an expression; the operand that is its value. With `target`, that register gets it.

        A temporary that holds the value is in use until the statement ends.
        """
        self.fallible = _fallible(expression)
        operand = run(self.operand(expression))
        if target is None:
            return operand
        # The target may occur in the expression, so only the last instruction may write to it.
        if isinstance(expression, (Unary, Binary)) and not self.is_lazy(expression):
            last = self.builder.code.instructions[-1]
            self.builder.code.instructions[-1] = Instruction(last.op, target, last.a, last.b, last.c)
        else:
            self.emit(Op.MOV, target, operand)
        return target

    def is_lazy(self, expression: Expression) -> bool:
        """Whether the right side may only be evaluated if it matters.

        Elsewhere both sides are: then the result depends on them by data, not by control.
        """
        return isinstance(expression, Binary) and expression.op in LAZY and id(expression.right) in self.fallible

    def temporary(self, index: int) -> int:
        """The register of a temporary, which is in use from now on, unlike those behind it."""
        self.used = index + 1
        self.thread.temporaries = max(self.thread.temporaries, self.used)
        return len(self.thread.locals) + index

    def operand(self, expression: Expression) -> Steps[int]:
        """The operand that is the expression's value; a temporary that it needs is the first free one."""
        match expression:
            case IntLiteral(value) | BoolLiteral(value):
                return self.builder.constant(int(value))
            case Name(name):
                return self.registers[name]
            case Unary(op, inside):
                free = self.used
                a = yield self.operand(inside)
                dst = self.temporary(free)
                self.emit(Op.NOT if op == "not" else Op.NEG, dst, a)
                return dst
            case Conditional():
                chosen: int = yield self.conditional(expression)
                return chosen
            case Binary() if self.is_lazy(expression):
                decided: int = yield self.lazy(expression)
                return decided
            case Binary(op, left, right):
                free = self.used
                a = yield self.operand(left)
                b = yield self.operand(right)
                dst = self.temporary(free)
                self.compute(op, dst, a, b)
                return dst

    def compute(self, op: str, dst: int, a: int, b: int) -> None:
        """Emits an operation on two values. `and`, `or` and `imply` are arithmetic on 0 and 1: they cannot overflow."""
        if op == "or":
            self.emit(Op.ADD, dst, a, b)
            self.emit(Op.NE, dst, dst, self.builder.constant(0))
        elif op in (">", ">="):
            self.emit(BINARY[op], dst, b, a)
        else:
            self.emit(BINARY[op], dst, a, b)

    def lazy(self, expression: Binary) -> Steps[int]:
        """`and`, `or` and `imply` where the right side can fail: it is evaluated only if it matters."""
        free = self.used
        left = yield self.operand(expression.left)
        dst = self.temporary(free)
        if expression.op == "imply":
            self.emit(Op.NOT, dst, left)
        elif left != dst:
            self.emit(Op.MOV, dst, left)
        test = dst
        if expression.op != "and":
            test = self.temporary(free + 1)
            self.emit(Op.NOT, test, dst)
            self.used = free + 1
        skip = self.emit(Op.JZ, a=test)
        right = yield self.operand(expression.right)
        self.emit(Op.MOV, dst, right)
        self.builder.land(skip)
        self.used = free + 1
        return dst

    def conditional(self, expression: Conditional) -> Steps[int]:
        free = self.used
        condition = yield self.operand(expression.condition)
        otherwise = self.emit(Op.JZ, a=condition)
        dst = self.temporary(free)
        positive = yield self.operand(expression.positive)
        self.emit(Op.MOV, dst, positive)
        end = self.emit(Op.JMP)
        self.builder.land(otherwise)
        self.used = free + 1
        negative = yield self.operand(expression.negative)
        self.emit(Op.MOV, dst, negative)
        self.builder.land(end)
        self.used = free + 1
        return dst


LAZY = frozenset({"and", "or", "imply"})
BINARY = {
    "+": Op.ADD,
    "-": Op.SUB,
    "*": Op.MUL,
    "/": Op.DIV,
    "mod": Op.MOD,
    "rem": Op.REM,
    "=": Op.EQ,
    "iff": Op.EQ,
    "/=": Op.NE,
    "<": Op.LT,
    ">": Op.LT,
    "<=": Op.LE,
    ">=": Op.LE,
    "imply": Op.LE,
    "and": Op.MUL,
}
"""`>` and `>=` with their sides exchanged."""
FAILS = frozenset({"+", "-", "*", "/", "mod", "rem"})


def _fallible(expression: Expression) -> set[int]:
    """The ids of the expressions inside (and itself) whose evaluation can overflow or divide by zero."""
    found: set[int] = set()
    for part in postorder(expression):
        match part:
            case Binary(op, left, right):
                fails = op in FAILS or id(left) in found or id(right) in found
            case Unary(op, operand):
                fails = op == "-" or id(operand) in found
            case Conditional(condition, positive, negative):
                fails = not found.isdisjoint((id(condition), id(positive), id(negative)))
            case _:
                fails = False
        if fails:
            found.add(id(part))
    return found
