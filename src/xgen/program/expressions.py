"""Lowering expressions: from the automaton's trees to instructions that compute them."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NoReturn, TypeAlias, TypeVar

from xgen.engine._core import Op
from xgen.errors import Position, UnsupportedError
from xgen.program.automaton import (
    AddressOf,
    Binary,
    BoolLiteral,
    Conditional,
    Expression,
    IntLiteral,
    Name,
    Unary,
    Wrap,
    postorder,
)
from xgen.program.code import Code, EventClass, Instruction, Site

TEMPORARY = 1 << 30
"""Temporaries are numbered from here, until it is known how many locals come before them."""

T = TypeVar("T")
Steps: TypeAlias = Generator[Any, Any, T]
"""A function that may be nested deeper than Python's stack: `result = yield call` instead of `result = call`."""


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

    def __init__(self, result: Code, processes: tuple[str, ...]) -> None:
        self.code = result
        self.processes = processes
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


class Computing:
    """Emits the computation of expressions over the registers of one thread.

    `registers` are those of the locals that can be seen; `used` temporaries hold a value, `temporaries` is how many are
    needed at once.
    """

    def __init__(self, builder: Builder, site: Site) -> None:
        self.builder = builder
        self.site = site
        self.registers: dict[str, int] = {}
        self.used = 0
        self.temporaries = 0
        self.fallible: set[int] = set()  # ids of the expressions of this statement that can fail

    def emit(self, op: Op, dst: int = 0, a: int = 0, b: int = 0, c: int = 0) -> int:
        return self.builder.emit(self.site, op, dst, a, b, c)

    def unsupported(self, what: str, position: Position) -> NoReturn:
        message = f"{what} cannot be run yet: `{self.site.text}`"
        raise UnsupportedError(message, self.builder.code.source, position)

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
        self.temporaries = max(self.temporaries, self.used)
        return TEMPORARY + index

    def operand(self, expression: Expression) -> Steps[int]:
        """The operand that is the expression's value; a temporary that it needs is the first free one."""
        match expression:
            case IntLiteral(value) | BoolLiteral(value):
                return self.builder.constant(int(value))
            case Name(name):
                return self.registers[name]
            case Wrap() | AddressOf() | Unary("bitnot"):
                self.unsupported("this operation", expression.position)
            case Binary("bitand" | "bitor" | "bitxor" | "shl" | "shr"):
                self.unsupported("this operation", expression.position)
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
        """`and`, `or` and `imply` where the right side can fail: it is evaluated only if it matters.

        Where it is, it does not replace the left side, it is added to it: the result depends on both.
        """
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
        self.emit(Op.MUL if expression.op == "and" else Op.ADD, dst, dst, right)
        self.builder.land(skip)
        self.used = free + 1
        return dst

    def conditional(self, expression: Conditional) -> Steps[int]:
        free = self.used
        condition = yield self.operand(expression.condition)
        otherwise = self.emit(Op.JZ, a=condition)
        dst = self.temporary(self.used)  # behind the condition, which is still needed
        inside = self.used
        positive = yield self.operand(expression.positive)
        self.emit(Op.MOV, dst, positive)
        end = self.emit(Op.JMP)
        self.builder.land(otherwise)
        self.used = inside
        negative = yield self.operand(expression.negative)
        self.emit(Op.MOV, dst, negative)
        self.builder.land(end)
        if condition >= 0:
            self.emit(Op.TAINT, dst, condition)
        if dst != TEMPORARY + free:
            self.emit(Op.MOV, self.temporary(free), dst)
        return self.temporary(free)


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
