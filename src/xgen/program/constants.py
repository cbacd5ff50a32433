"""The constants of a program's text, and the values of expressions of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from xgen.errors import Position, ProgramError, nearest
from xgen.program import automaton as xcfa
from xgen.program import surface
from xgen.program.expressions import COMPARED, COMPUTED
from xgen.program.rewrite import Leaf, rewrite

LEAST, MOST = -(2**63), 2**63 - 1


class Constants:
    """The values of a text's constants, by name.

    `given` values count instead of those in the text. Raises ProgramError where an expression has no value.
    """

    def __init__(self, text: surface.Text, given: Mapping[str, int | bool]) -> None:
        self.source = text.source
        self.values: dict[str, int | bool] = {}
        declared = [item for item in text.items if isinstance(item, surface.Constant)]
        names = {constant.name for constant in declared}
        for name in given:
            if name not in names:
                hint = nearest(name, names) or "`const NAME = value` declares one"
                raise ProgramError(f"there is no constant `{name}`", self.source, None, hint)
        for constant in declared:
            if constant.name in self.values:
                self.wrong(f"there is already a constant `{constant.name}`", constant.position)
            value = self.of(constant.value, self.leaf)
            if constant.name in given:
                new = given[constant.name]
                if isinstance(new, bool) is not isinstance(value, bool):
                    what = "a bool" if isinstance(value, bool) else "an int"
                    self.wrong(f"`{constant.name}` is {what}, not {str(new).lower()}", constant.position)
                value = new
            self.values[constant.name] = value
        for item in text.items:
            if isinstance(item, surface.Variable):
                self.no_constant(xcfa.Name(item.name, item.position))

    def wrong(self, message: str, position: Position, hint: str | None = None) -> NoReturn:
        raise ProgramError(message, self.source, position, hint)

    def no_constant(self, name: xcfa.Name) -> None:
        """A variable has another name than all constants."""
        if name.name in self.values:
            self.wrong(f"there is already a constant `{name.name}`", name.position)

    def no_target(self, name: xcfa.Name) -> None:
        """What is written is no constant."""
        if name.name in self.values:
            self.wrong(f"`{name.name}` is a constant", name.position, "a local variable is needed here")

    def leaf(self, name: xcfa.Name, indices: tuple[xcfa.Expression, ...]) -> xcfa.Expression:  # noqa: ARG002
        value = self.values.get(name.name)
        if value is None or isinstance(name, xcfa.Element):
            return name
        return literal(value, name.position)

    def value(self, expression: xcfa.Expression, leaf: Leaf | None = None) -> xcfa.Constant:
        """The literal that an expression of constants is."""
        return literal(self.of(expression, leaf or self.leaf), expression.position)

    def number(self, expression: xcfa.Expression, leaf: Leaf | None = None) -> int:
        value = self.of(expression, leaf or self.leaf)
        if isinstance(value, bool):
            self.wrong("a number is needed here", expression.position)
        return value

    def folded(self, expression: xcfa.Expression) -> xcfa.Expression:
        """The expression, or its value if it has one."""
        if any(isinstance(part, (xcfa.Name, xcfa.AddressOf)) for part in xcfa.postorder(expression)):
            return expression
        return self.value(expression)

    def of(self, expression: xcfa.Expression, leaf: Leaf) -> int | bool:
        if isinstance(expression, xcfa.IntLiteral | xcfa.BoolLiteral):
            return expression.value
        stack: list[int | bool] = []
        for part in xcfa.postorder(rewrite(expression, leaf)):
            count = len(xcfa.operands(part))
            inside = stack[len(stack) - count :]
            del stack[len(stack) - count :]
            stack.append(self.one(part, inside))
        return stack.pop()

    def one(self, part: xcfa.Expression, inside: list[int | bool]) -> int | bool:
        """The value of an operation whose operands have these values."""
        found: int | bool | None = None
        match part:
            case xcfa.IntLiteral(value) | xcfa.BoolLiteral(value):
                return value
            case xcfa.Name(name):
                hint = nearest(name, self.values) or "only numbers and constants have a value here"
                self.wrong(f"`{name}` is no constant", part.position, hint)
            case xcfa.Unary(op, _):
                found = _unary(op, inside[0])
            case xcfa.Binary(op, _, _):
                found = _binary(op, inside[0], inside[1])
            case xcfa.Conditional() if isinstance(inside[0], bool):
                found = inside[1] if inside[0] else inside[2]
        if found is None or not LEAST <= found <= MOST:
            self.wrong("this is no value of a constant", part.position, "+ - * / mod, comparisons, and, or, not, if")
        return found


def literal(value: int | bool, position: Position) -> xcfa.Constant:
    if isinstance(value, bool):
        return xcfa.BoolLiteral(value, position)
    return xcfa.IntLiteral(value, position)


def _unary(op: str, value: int | bool) -> int | bool | None:
    if isinstance(value, bool):
        return not value if op == "not" else None
    return -value if op == "-" else ~value if op == "bitnot" else None


def _binary(op: str, a: int | bool, b: int | bool) -> int | bool | None:
    if isinstance(a, bool) is not isinstance(b, bool):
        return None
    if op in ("=", "/="):
        return (a == b) is (op == "=")
    if isinstance(a, bool) or isinstance(b, bool):
        logical = {"and": a and b, "or": a or b, "imply": not a or b, "iff": a == b}
        return bool(logical[op]) if op in logical else None
    if op in COMPARED:
        return COMPARED[op](a, b)
    if op in COMPUTED:
        return COMPUTED[op](a, b)
    if op in ("/", "mod") and b != 0:  # Euclidean
        remainder = a % abs(b)
        return remainder if op == "mod" else (a - remainder) // b
    return None
