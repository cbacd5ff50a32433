"""Lowering expressions: from the automaton's trees to instructions that compute them."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from math import prod
from typing import Any, TypeAlias, TypeGuard, TypeVar

from xgen._core import Op
from xgen.lowering.code import EVENTS, IN_RANGE, MODULO, NEVER_FAILS, Draft, EventClass, Instruction, Site
from xgen.program import automaton as xcfa
from xgen.program.automaton import operands as operands_of
from xgen.program.expressions import REALS
from xgen.records import dataclass, replace

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


@dataclass(frozen=True, slots=True)
class Array:
    """The cells of a shared variable, row by row from cell `first` on; a scalar is an array without dimensions.

    Its first cell is at `address`, each further one `step` bytes behind.
    """

    first: int
    sizes: tuple[int, ...]
    address: int
    step: int


class Builder:
    """Adds to a draft; equal constants and event classes are stored once."""

    def __init__(self, result: Draft, processes: tuple[str, ...]) -> None:
        self.draft = result
        self.processes = processes
        self.constants: dict[int, int] = {}
        self.classes = {event_class: i for i, event_class in enumerate(result.classes)}
        self.groups: dict[tuple[str, tuple[int, ...]], int] = {}

    def group(self, barrier: str, names: Iterable[str]) -> int:
        """The number of those that meet at a barrier."""
        key = barrier, tuple(sorted({self.processes.index(name) for name in names}))
        if key not in self.groups:
            self.groups[key] = len(self.draft.groups)
            self.draft.groups.append(key[1])
        return self.groups[key]

    @property
    def here(self) -> int:
        """The index of the next instruction."""
        return len(self.draft.instructions)

    def emit(self, site: Site, op: Op, dst: int = 0, a: int = 0, b: int = 0, c: int = 0, part: int = 0) -> int:
        self.draft.instructions.append(Instruction(op, dst, a, b, c, part))
        self.draft.sites.append(site)
        return self.here - 1

    def land(self, jump: int) -> None:
        """Makes an earlier jump go to the next instruction."""
        op = self.draft.instructions[jump]
        self.draft.instructions[jump] = Instruction(op.op, op.dst, op.a, op.b, self.here)

    def constant(self, value: int) -> int:
        """The operand that is this value."""
        if value not in self.constants:
            self.constants[value] = len(self.draft.constants)
            self.draft.constants.append(value)
        return ~self.constants[value]

    def event_class(self, event_class: EventClass) -> int:
        if event_class not in self.classes:
            self.classes[event_class] = len(self.draft.classes)
            self.draft.classes.append(event_class)
        return self.classes[event_class]

    def order_classes(self) -> None:
        """Numbers the event classes anew, in an order of their own: programs that have the same ones share plans."""
        classes = self.draft.classes
        _, *others = range(len(classes))
        order = [0, *sorted(others, key=lambda n: (classes[n].kind, sorted(classes[n].tags)))]
        new = {old: number for number, old in enumerate(order)}
        self.draft.classes[:] = [classes[old] for old in order]
        self.classes = {event_class: i for i, event_class in enumerate(classes)}
        self.draft.instructions[:] = [
            replace(i, c=new[i.c]) if i.op in EVENTS and i.op is not Op.RMW else i for i in self.draft.instructions
        ]
        self.draft.rmws[:] = [
            replace(r, read_class=new[r.read_class], failed_class=new[r.failed_class], write_class=new[r.write_class])
            for r in self.draft.rmws
        ]


class Computing:
    """Emits the computation of expressions over the registers of one thread.

    `registers` are those of the locals that can be seen; `used` temporaries hold a value, `temporaries` is how many are
    needed at once.
    """

    def __init__(self, builder: Builder, site: Site, arrays: dict[str, Array]) -> None:
        self.builder = builder
        self.site = site
        self.arrays = arrays
        self.registers: dict[str, int] = {}
        self.used = 0
        self.temporaries = 0
        self.fallible: set[int] = set()  # ids of the expressions of this statement that can fail

    def emit(self, op: Op, dst: int = 0, a: int = 0, b: int = 0, c: int = 0, part: int = 0) -> int:
        return self.builder.emit(self.site, op, dst, a, b, c, part)

    def evaluate(self, expression: xcfa.Expression, target: int | None = None) -> int:
        """Emits the computation of an expression; the operand that is its value. With `target`, that register gets it.

        A temporary that holds the value is in use until the statement ends.
        """
        self.fallible = fallible(expression)
        operand = run(self.operand(expression))
        if target is None:
            return operand
        # The target may occur in the expression, so only the last instruction may write to it.
        if isinstance(expression, (xcfa.Unary, xcfa.Binary, xcfa.Wrap)) and not self.is_lazy(expression):
            last = self.builder.draft.instructions[-1]
            self.builder.draft.instructions[-1] = Instruction(last.op, target, last.a, last.b, last.c)
        else:
            self.emit(Op.MOV, target, operand)
        return target

    def is_lazy(self, expression: xcfa.Expression) -> bool:
        """Whether the right side may only be evaluated if it matters.

        Elsewhere both sides are: then the result depends on them by data, not by control.
        """
        return isinstance(expression, xcfa.Binary) and expression.op in LAZY and id(expression.right) in self.fallible

    def temporary(self, index: int) -> int:
        """The register of a temporary, which is in use from now on, unlike those behind it."""
        self.used = index + 1
        self.temporaries = max(self.temporaries, self.used)
        return TEMPORARY + index

    def operand(self, expression: xcfa.Expression) -> Steps[int]:
        """The operand that is the expression's value; a temporary that it needs is the first free one."""
        match expression:
            case xcfa.IntLiteral(value) | xcfa.BoolLiteral(value):
                return self.builder.constant(int(value))
            case xcfa.Name(name):
                return self.registers[name]
            case xcfa.Unary(op, inside):
                free = self.used
                a = yield self.operand(inside)
                dst = self.temporary(free)
                if op in REALS:
                    self.emit(Op.REAL, dst, a, self.builder.constant(0), REALS[op].value)
                else:
                    self.emit(UNARY[op], dst, a)
                return dst
            case xcfa.Wrap(inside, bits, signed):
                free = self.used
                a = yield self.modulo(inside)
                dst = self.temporary(free)
                self.emit(Op.WRAP, dst, a, c=-bits if signed else bits)
                return dst
            case xcfa.Index(inside, size):
                free = self.used
                a = yield self.operand(inside)
                dst = self.temporary(free)
                self.emit(Op.INDEX, dst, a, 0, size)
                return dst
            case xcfa.AddressOf(place):
                address: int = yield self.address_of(place)
                return address
            case xcfa.Conditional():
                chosen: int = yield self.conditional(expression)
                return chosen
            case xcfa.Binary() if self.is_lazy(expression):
                decided: int = yield self.lazy(expression)
                return decided
            case xcfa.Binary(op, left, right):
                free = self.used
                a = yield self.operand(left)
                b = yield self.operand(right)
                dst = self.temporary(free)
                if is_distance(op, right):
                    self.emit(BINARY[op], dst, a, b, IN_RANGE)
                else:
                    self.compute(op, dst, a, b)
                return dst

    def modulo(self, expression: xcfa.Expression) -> Steps[int]:
        """Emits the computation of what is inside a Wrap: sums, differences and products do not overflow there."""
        if not in_ring(expression):
            other: int = yield self.operand(expression)
            return other
        free = self.used
        operands = []
        for inside in operands_of(expression):
            operand: int = yield self.modulo(inside)
            operands.append(operand)
        dst = self.temporary(free)
        op = Op.NEG if isinstance(expression, xcfa.Unary) else BINARY[expression.op]
        first, second = (*operands, 0)[:2]
        self.emit(op, dst, first, second, MODULO)
        return dst

    def compute(self, op: str, dst: int, a: int, b: int) -> None:
        """Emits an operation on two values. `and`, `or` and `imply` are arithmetic on 0 and 1: they cannot overflow."""
        if op == "or":
            self.emit(Op.ADD, dst, a, b)
            self.emit(Op.NE, dst, dst, self.builder.constant(0))
        elif op in (">", ">="):
            self.emit(BINARY[op], dst, b, a)
        elif op in REALS:
            self.emit(Op.REAL, dst, a, b, REALS[op].value)
        else:
            self.emit(BINARY[op], dst, a, b)

    def lazy(self, expression: xcfa.Binary) -> Steps[int]:
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

    def conditional(self, expression: xcfa.Conditional) -> Steps[int]:
        """Where neither side can fail, both are computed: the result depends on them by data.

        Else the condition decides whether the thread goes on: what follows depends on it by control.
        """
        free = self.used
        condition = yield self.operand(expression.condition)
        if self.fallible.isdisjoint((id(expression.positive), id(expression.negative))):
            left = yield self.operand(expression.positive)
            right = yield self.operand(expression.negative)
            selected = self.temporary(free)
            self.emit(Op.SELECT, selected, condition, left, right)
            return selected
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

    # ---- places

    def address_of(self, place: xcfa.AnyPlace) -> Steps[int]:
        """The operand that is a place's address, as pointers have it; `&*p` is `p`, whatever that is."""
        if isinstance(place, xcfa.Deref):
            pointer: int = yield self.operand(place.address)
            return pointer
        free = self.used
        cell: int = yield self.cell(place)
        array = self.arrays[place.name.name]
        if cell < 0:
            number = self.builder.draft.constants[~cell] - array.first
            return self.builder.constant(array.address + array.step * number)
        address = self.temporary(free)
        self.emit(Op.MUL, address, cell, self.builder.constant(array.step))
        self.emit(Op.ADD, address, address, self.builder.constant(array.address - array.step * array.first))
        return address

    def cell(self, place: xcfa.AnyPlace) -> Steps[int]:
        """The operand that is the number of a place's cell. Constant indices that are in range are added up."""
        free = self.used
        if isinstance(place, xcfa.Deref):
            pointer = yield self.operand(place.address)
            cell = self.temporary(free)
            self.emit(Op.DEREF, cell, pointer, c=place.width)
            return cell
        array = self.arrays[place.name.name]
        base, stride = array.first, prod(array.sizes)
        computed: list[tuple[int, int, int]] = []
        for index, size in zip(place.indices, array.sizes, strict=True):
            stride //= size
            operand = yield self.operand(index)
            value = self.builder.draft.constants[~operand] if operand < 0 else -1
            if 0 <= value < size:
                base += value * stride
            else:
                computed.append((operand, size, stride))
        if not computed:
            return self.builder.constant(base)
        cell = self.temporary(self.used)
        if len(computed) == 1 and computed[0][2] == 1:
            self.emit(Op.INDEX, cell, computed[0][0], base, computed[0][1])
            return cell
        address = self.builder.constant(base)
        for operand, size, stride in computed:
            self.emit(Op.INDEX, cell, operand, 0, size)
            if stride > 1:
                self.emit(Op.MUL, cell, cell, self.builder.constant(stride))
            self.emit(Op.ADD, cell, cell, address)
            address, cell = cell, self.temporary(self.used)
        return address


LAZY = frozenset({"and", "or", "imply"})
UNARY = {"not": Op.NOT, "-": Op.NEG, "bitnot": Op.BITNOT}
BINARY = {
    "+": Op.ADD,
    "-": Op.SUB,
    "*": Op.MUL,
    "/": Op.DIV,
    "mod": Op.MOD,
    "rem": Op.REM,
    "bitand": Op.BITAND,
    "bitor": Op.BITOR,
    "bitxor": Op.BITXOR,
    "shl": Op.SHL,
    "shr": Op.SHR,
    "sar": Op.SAR,
    "quot": Op.QUO,
    "trem": Op.REMT,
    "udiv": Op.UQUO,
    "urem": Op.UREM,
    "ult": Op.ULT,
    "ule": Op.ULE,
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
FAILS = frozenset(op for op, made in BINARY.items() if made not in NEVER_FAILS and op not in LAZY)


def is_distance(op: str, distance: xcfa.Expression) -> bool:
    """Whether `op` shifts, by a distance that is from 0 to 63 whatever its operands are."""
    if op not in ("shl", "shr", "sar"):
        return False
    match distance:
        case (
            xcfa.IntLiteral(number)
            | xcfa.Binary("bitand", _, xcfa.IntLiteral(number))
            | xcfa.Binary("bitand", xcfa.IntLiteral(number), _)
        ):
            return 0 <= number <= 63
        case xcfa.Conditional(_, positive, negative):
            return is_distance(op, positive) and is_distance(op, negative)
        case xcfa.Wrap(_, bits, False):
            return bits <= 6
        case _:
            return False


def in_ring(expression: xcfa.Expression) -> TypeGuard[xcfa.Unary | xcfa.Binary]:
    """Whether this is a sum, a difference, a product or a negative: the low bits depend on the operands' low bits."""
    return isinstance(expression, (xcfa.Unary, xcfa.Binary)) and expression.op in ("+", "-", "*")


def values_in_ring(expression: xcfa.Expression) -> Iterator[xcfa.Expression]:
    """What sums, differences and products that are nested in each other are made of."""
    stack = [expression]
    while stack:
        part = stack.pop()
        if in_ring(part):
            stack.extend(operands_of(part))
        else:
            yield part


def fallible(expression: xcfa.Expression) -> set[int]:
    """The ids of the expressions inside (and itself) whose evaluation can be an error: overflow, division by zero, an
    index out of range."""
    found: set[int] = set()
    for part in xcfa.postorder(expression):
        match part:
            case xcfa.Binary(op, left, right):
                fails = (op in FAILS and not is_distance(op, right)) or id(left) in found or id(right) in found
            case xcfa.Unary(op, operand):
                fails = op == "-" or id(operand) in found
            case xcfa.Conditional(condition, positive, negative):
                fails = not found.isdisjoint((id(condition), id(positive), id(negative)))
            case xcfa.Wrap(operand):
                fails = any(id(value) in found for value in values_in_ring(operand))
            case xcfa.Index():
                fails = True
            case xcfa.AddressOf(place):
                fails = isinstance(place, xcfa.Place) or id(place.address) in found
            case _:
                fails = False
        if fails:
            found.add(id(part))
    return found
