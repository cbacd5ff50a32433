"""Expressions (C11, 6.5): operands from left to right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeAlias

from pycparser import c_ast

from xgen.errors import UnsupportedError
from xgen.executions.nothing import NOTHING as NO_VALUE
from xgen.frontends.c.constraints.qualified import fits
from xgen.frontends.c.language import untyped_memory
from xgen.frontends.c.language.flow import SINGLE_THREADED
from xgen.frontends.c.language.lvalues import Lvalues
from xgen.frontends.c.language.memory import BODILESS
from xgen.frontends.c.language.scope import Constant, Enumerator, Routine
from xgen.frontends.c.language.syntax import cases_of, has_effects, is_generic, is_types
from xgen.frontends.c.text.gnu.desugar import SAME
from xgen.frontends.c.values import arithmetic, int128, types
from xgen.frontends.c.values.arithmetic import COMPARISONS, convert, truth, unchecked
from xgen.frontends.c.values.constants import character, characters, real_number, type_of_number
from xgen.frontends.c.values.constants import number as read_number
from xgen.frontends.c.values.places import Alias, InMemory, InRegisters, Place, Registers, Value, literal
from xgen.frontends.c.values.reals import OPERATORS, is_real
from xgen.frontends.c.values.types import (
    INT,
    LONG,
    NUMBERS,
    SCALARS,
    ULONG,
    VOID,
    Array,
    Bits,
    CType,
    Function,
    Int,
    Pointer,
    Void,
    atomic,
    common,
    decayed,
    is_scalar,
    plain,
    size_of,
)
from xgen.frontends.conditions import negated, number
from xgen.frontends.mixed_size.parts import update_of
from xgen.frontends.reals import bits_of
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, Conditional, Expression, IntLiteral, Name
from xgen.records import replace

_OF_WIDTH = frozenset({"fetch_add", "fetch_sub", "fetch_min", "fetch_max", "fetch_umin", "fetch_umax"})
"""Updates whose results depend on how many bits there are."""
_RMWS = {"+": "fetch_add", "-": "fetch_sub", "&": "fetch_and", "|": "fetch_or", "^": "fetch_xor"}
_OPERATIONS = {word: op for op, word in _RMWS.items()}
NOTHING = Value(IntLiteral(0), VOID)
Change: TypeAlias = "Callable[[Value], Value]"


def _dropped(node: c_ast.Node) -> Iterator[c_ast.Node]:
    """Of an expression whose value nobody uses the parts of which that is true as well."""
    yield node
    if isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||"):
        yield from _dropped(node.right)
    elif isinstance(node, c_ast.TernaryOp):
        yield from _dropped(node.iftrue)
        yield from _dropped(node.iffalse)


class BuiltinFunctions(Protocol):
    """What the language asks of the library, whose functions have no body."""

    def has(self, name: str) -> bool:
        """Whether there is a function of that name even without a declaration."""

    def means(self, name: str) -> bool:
        """Whether a function is what the library says that it is, though the program has one of that name."""

    def takes(self, name: str, count: int) -> bool:
        """Whether a function may be called with so many arguments."""

    def call(self, name: str, arguments: Sequence[c_ast.Node], node: c_ast.Node, wanted: CType | None) -> Value:
        """A call; its arguments are not evaluated yet."""

    def call_with(self, name: str, values: list[Value], node: c_ast.Node) -> Value:
        """A call by a pointer, for what it does; its arguments are."""

    def declare_kind(self, mutex: InMemory, kind: int, node: c_ast.Node) -> None:
        """A mutex is recursive, or checks errors, from the start."""


class Expressions(Lvalues):
    """Evaluates expressions: emits what they do, and gives their values."""

    library: BuiltinFunctions
    call: Callable[[c_ast.FuncCall, CType | None], Value]

    # ---- values

    def evaluate(self, node: c_ast.Node, wanted: CType | None = None) -> Value:
        """The value of an expression; of an array the address of its first element. `wanted`: the type that it is going
        to be converted to, for what memory to allocate."""
        value = self.value(node, wanted)
        if isinstance(value.type, Array) and value.place:
            element = value.type.element
            return self.address(self.moved(value.place, 0, element))
        return value if wanted is None else int128.narrowed(self, value, wanted, node)

    def number(self, node: c_ast.Node, wanted: CType | None = None) -> Value:
        """The value of an expression that has to be a number or a pointer."""
        value = self.evaluate(node, wanted)
        self.scalar_needed(value, node)
        return value

    def scalar_needed(self, value: Value, node: c_ast.Node) -> None:
        if isinstance(value.type, SCALARS):
            return
        int128.refuse(self, value.type, node)
        self.wrong(f"a number or a pointer is needed here, not {value.type}", node)

    def value(self, node: c_ast.Node, wanted: CType | None) -> Value:
        return int128.computed(self, self.found_value(node, wanted), node)

    def found_value(self, node: c_ast.Node, wanted: CType | None) -> Value:
        match node:
            case c_ast.Constant():
                return self.literal(node)
            case c_ast.ID():
                return self.named_value(node)
            case c_ast.BinaryOp():
                return self.binary(node)
            case c_ast.UnaryOp():
                return self.unary(node)
            case c_ast.Assignment():
                return self.assignment(node)
            case c_ast.TernaryOp():
                return self.conditional(node, wanted)
            case c_ast.Cast():
                return self.cast(node)
            case c_ast.FuncCall():
                return self.call(node, wanted)
            case c_ast.ArrayRef() | c_ast.StructRef():
                return self.load(self.place(node), node)
            case c_ast.ExprList():
                for part in node.exprs[:-1]:
                    self.discard(part)
                return self.evaluate(node.exprs[-1], wanted)
            case c_ast.CompoundLiteral():
                return self.load(self.compound_literal(node), node)
            case _:
                return self.refuse(f"this expression ({type(node).__name__}) is", node)

    def discard(self, node: c_ast.Node) -> None:
        """Evaluates an expression for what it does."""
        if isinstance(node, c_ast.UnaryOp) and node.op in ("p++", "p--"):
            self.step(node, node.op[1:], old=False)
        elif isinstance(node, c_ast.Cast) and isinstance(self.type_of(node.to_type), Void):
            self.discard(node.expr)
        elif isinstance(node, c_ast.ID):
            self.mention(node)
        else:
            self.dropped.update(id(part) for part in _dropped(node))
            self.value(node, None)

    def used(self, node: c_ast.Node) -> bool:
        """Whether something is done with an expression's value."""
        return id(node) not in self.dropped

    def literal(self, node: c_ast.Constant) -> Value:
        if node.type == "string":
            return self.string(node)
        if node.type == "char":
            code = character(node.value)
            if code is None:
                self.refuse(f"the character {node.value} is", node)
            return literal(types.converted(code, types.CHAR), INT)
        found = read_number(node.value)
        real = real_number(node.value) if found is None else None
        if real is not None:
            return literal(bits_of(real[0], size_of(real[1])), real[1])
        if found is None and "'" in node.value:
            self.refuse(f"the character {node.value} is", node)
        if found is None:
            self.refuse(f"the number {node.value} is", node)
        type_ = type_of_number(node.value, found)
        if type_ is None:
            self.refuse(f"the number {node.value} is", node, "it has more than 64 bits")
        return literal(types.converted(found, type_), type_)

    def string(self, node: c_ast.Constant) -> Value:
        text = node.value
        if text not in self.world.strings:
            data = self.characters(node)
            found = self.world.memory.allocate("string", Array(types.CHAR, len(data) + 1), text)
            found.fill({k: (1, code) for k, code in enumerate(data)})
            self.world.strings[text] = found
            self.world.constant[text] = (range(len(data) + 1),)
        found = self.world.strings[text]
        return Value(IntLiteral(0), found.type, place=InMemory(IntLiteral(found.address), found.type))

    def characters(self, node: c_ast.Constant) -> list[int]:
        """The codes of a string literal."""
        found = characters(node.value)
        return self.refuse(f"the string {node.value} is", node) if found is None else found

    def named_value(self, node: c_ast.ID) -> Value:
        if node.name == SAME:
            return self.same[id(node)]
        entity = self.scope.find(node.name)
        match entity:
            case Registers():
                return self.load(InRegisters(entity, 0, entity.type), node)
            case Enumerator(value, type_):
                return literal(types.converted(value, type_), type_)
            case Constant(value, object_):
                return literal(value, plain(object_.type))
            case Routine():
                return self.function_address(entity)
            case None if self.library.has(node.name):
                return self.function_address(Routine(node.name, None, 0))
        return self.load(self.place(node), node)

    def function_address(self, routine: Routine) -> Value:
        if routine.definition is None:
            addresses = self.world.facts.bodiless
            routine = replace(routine, address=addresses.setdefault(routine.name, BODILESS + 4 * len(addresses)))
        self.world.facts.taken.learn(routine)
        return literal(routine.address, Pointer(self.routine_type(routine)))

    def routine_type(self, routine: Routine) -> CType:
        if routine.definition is not None:
            return self.type_of(routine.definition.decl.type)
        prototype = self.world.prototypes.get(routine.name)
        return Function(VOID) if prototype is None else self.type_of(prototype)

    # ---- operators

    def unary(self, node: c_ast.UnaryOp) -> Value:
        op = node.op
        if op == "&":
            return self.address_of(node.expr)
        if op == "*":
            place = self.place(node)
            if isinstance(place.type, Function):
                return Value(place.address, Pointer(place.type)) if isinstance(place, InMemory) else NOTHING
            return self.load(place, node)
        if op in ("++", "--"):
            return self.step(node, op, old=False)
        if op in ("p++", "p--"):
            return self.step(node, op[1:], old=True)
        if op == "sizeof":
            return literal(self.size(node.expr), types.size_type())
        if op in ("_Alignof", "__alignof__"):
            return literal(types.alignment(self.type_of(node.expr)), types.size_type())
        if op == "__extension__":
            return self.evaluate(node.expr)
        value = self.number(node.expr)
        if op == "!":
            return Value(number(negated(truth(value))), INT)
        value = self.plain_number(value)
        if op == "~" and is_real(value.type):
            self.wrong(f"`~` needs an integer, not {value.type}", node)
        return arithmetic.unary(op, value, lambda c, kind: self.check(c, kind, node), self.world.options.overflow)

    def address_of(self, node: c_ast.Node) -> Value:
        if isinstance(node, c_ast.ID):
            found = self.scope.find(node.name)
            if isinstance(found, Routine) or (found is None and self.library.has(node.name)):
                return self.evaluate(node)
        place = self.place(node, address_only=True)
        if isinstance(place.type, Bits):
            self.wrong("a bit field has no address", node)
        return self.address(place)

    def type_of_value(self, node: c_ast.Node) -> CType:
        """The type of an expression, which is not evaluated."""
        if is_generic(node):
            return self.type_of_value(self.selected(node))
        if isinstance(node, c_ast.CompoundLiteral):
            return self.initials.completed(self.type_of(node.type), node.init)
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            routine = self.scope.find(node.name.name)
            if isinstance(routine, Routine) and routine.definition is not None:
                return self.type_of(routine.definition.decl.type.type)
        if isinstance(node, c_ast.BinaryOp) and node.op in "+-*/%&|^":
            types_ = self.type_of_value(node.left), self.type_of_value(node.right)
            if isinstance(types_[0], Int) and isinstance(types_[1], Int):
                return common(*types_)
        with self.unevaluated():
            return self.value(node, None).type

    def selected(self, node: c_ast.FuncCall) -> c_ast.Node:
        """The expression that `_Generic` stands for (C11, 6.5.1.1)."""
        type_ = plain(decayed(self.type_of_value(node.args.exprs[0])))
        cases, default = cases_of(node)
        fitting = []
        for case, expression in cases:
            try:
                found = self.type_of(case)
            except UnsupportedError:  # not the type of anything here
                continue
            if fits(found, type_, is_types(node)):
                fitting.append(expression)
        if len(fitting) > 1:
            self.refuse("`_Generic` that tells qualifiers apart is", node)
        if not fitting and default is None:
            self.wrong(f"no case of `_Generic` is for {type_}", node)
        return fitting[0] if fitting else default

    def step(self, node: c_ast.UnaryOp, op: str, old: bool) -> Value:
        """`++` and `--`, before and behind."""
        place = self.place(node.expr)
        one = literal(1, INT)
        if atomic(place.type):
            return self.atomic_update(place, op[0], one, node, old)
        before = self.load(place, node)
        after = self.operate(op[0], before, one, node)
        if old and before.constant is None and not before.alias:
            before = self.keep(before, node)
        self.store(place, after, node)
        return before if old else self.stored(place, convert(after, plain(place.type)), node)

    def assignment(self, node: c_ast.Assignment) -> Value:
        place = self.place(node.lvalue)
        mark = len(self.flow.steps)
        if node.op == "=":
            value = self.evaluate(node.rvalue, place.type)
            place = self.protect_place(place, mark, node)
            self.store(place, value, node)
            untyped_memory.becomes(self.parts, value, place.type)
            if not is_scalar(place.type):
                return int128.typed(self.copies.as_wide(value, place.type, node), place.type)
            return self.stored(place, convert(value, place.type), node)
        op = node.op[:-1]
        if atomic(place.type):
            right = self.number(node.rvalue)
            return self.atomic_update(self.protect_place(place, mark, node), op, right, node, old=False)
        left = self.load(place, node)
        middle = len(self.flow.steps)
        right = self.operand(node.rvalue)
        left = self.protect(left, middle, node)
        place = self.protect_place(place, mark, node)
        result = self.operate(op, left, right, node)
        result = convert(result, place.type) if is_scalar(place.type) else int128.typed(result, place.type)
        self.store(place, result, node)
        return self.stored(place, result, node)

    def stored(self, place: Place, value: Value, node: c_ast.Node) -> Value:
        """What an assignment is the value of: it may have been computed from what the place held before."""
        return self.load(place, node) if isinstance(place, InRegisters) else value

    def protect_place(self, place: Place, mark: int, node: c_ast.Node) -> Place:
        if isinstance(place, InRegisters):
            return place
        address = self.protect(Value(place.address, ULONG), mark, node)
        return replace(place, address=address.expression)

    def atomic_update(self, place: Place, op: str, right: Value, node: c_ast.Node, old: bool) -> Value:
        """`x++`, `x += e` of an atomic x: one seq_cst update."""
        if op not in _RMWS or is_real(place.type) or not arithmetic.is_at_once(op, place.type, right):
            right = self.keep(right, node)
            return self.update_by_retrying(place, lambda before: self.operate(op, before, right, node), node, old)
        before = self.update(_RMWS[op], place, right, node, ("seq_cst",))
        if old:
            return before
        return convert(self.operate(op, before, right, node), plain(place.type))

    def update_by_retrying(
        self, place: Place, new: Change, node: c_ast.Node, old: bool, order: str = "seq_cst"
    ) -> Value:
        """`x *= e` and its like, for which there is no instruction: as compilers do, a load, then compare-exchanges,
        until one finds what was read last. Rounds that fail are left out like those of a program's own loops."""
        position, first = self.position(node), self.load(place, node, "relaxed")
        if first.constant is not None:  # there are no other threads yet
            after = self.keep(convert(new(first), first.type), node)
            self.update("exchange", place, after, node, (order,))
            return first if old else after
        before = self.fresh()
        self.assign(before, first, node)
        head, done = self.flow.label(), self.flow.label()
        self.flow.place_head(head, (before,))
        expected = Value(Name(before), plain(place.type))
        after = self.keep(convert(new(expected), expected.type), node)
        found = self.keep(self.update("cas", place, after, node, (order, "relaxed"), expected), node)
        self.flow.branch(Binary("=", found.expression, expected.expression), done, position)
        self.assign(before, found, node)
        self.flow.jump(head, position)
        self.flow.bind(done)
        return expected if old else after

    def update(
        self,
        op: str,
        place: Place,
        operand: Value,
        node: c_ast.Node,
        orders: tuple[str, ...],
        expected: Value | None = None,
        tags: tuple[str, str] | None = None,
    ) -> Value:
        """An update; its value is the old one. `tags`: of its read and its write, where it has no orders."""
        type_ = plain(place.type)
        if not is_scalar(type_):
            self.refuse(f"an atomic operation on {place.type} is", node)
        if isinstance(type_, Pointer) and op in ("fetch_add", "fetch_sub"):
            step = literal(size_of(type_.target), LONG)
            operand = arithmetic.binary("*", convert(operand, LONG), step, unchecked)
        if isinstance(place, InRegisters):
            self.escape(place.variable)
        values = [convert(value, type_) for value in ([operand] if expected is None else [expected, operand])]
        if is_real(type_) and op not in ("exchange", "cas"):
            self.refuse(f"an atomic operation on {place.type} is", node)
        how = update_of(op, orders, tags, self.position(node))
        if self.parts.is_parted(place, node, (*how.orders, *how.read_tags)[0]):
            return self.parts.update(how, place, values, node)
        return self.update_cell(how, place, values, node)

    def update_cell(self, how: xcfa.Rmw, place: InMemory, values: Sequence[Value], node: c_ast.Node) -> Value:
        """An update of one scalar; its old value. What it expects comes before what it writes."""
        type_ = plain(place.type)
        cell, stored = self.cell(place, node)
        values = [arithmetic.as_stored(self.plain_number(value), stored) for value in values]
        arguments = [value.expression for value in values]
        name = self.fresh()
        width = types.bits_of(stored)
        wrap = -width if types.is_signed(stored) or width == 64 else width
        found = self.found_alone(how.op, place, values, node)
        self.note_write(place, None, node)
        bits = wrap if how.op in _OF_WIDTH else None
        self.flow.emit(replace(how, target=Name(name), place=cell, arguments=tuple(arguments), bits=bits))
        if found is not None and isinstance(cell, xcfa.Place):
            old, new = found
            self.flow.learn("@" + cell.name.name, new)
            return arithmetic.as_stored(literal(old, stored), type_)
        if self.may_hold_nothing(place, stored):
            self.filled(name, node)
        return Value(arithmetic.wrapped(Name(name), type_, stored), type_)

    def found_alone(
        self, op: str, place: InMemory, values: Sequence[Value], node: c_ast.Node
    ) -> tuple[int, int] | None:
        """What an update reads and leaves, where both are known since there are no other threads yet."""
        if self.flow.known is None or SINGLE_THREADED not in self.flow.known:
            return None
        old, constants = self.known_cell(place), [value.constant for value in values]
        if old is None or old == NO_VALUE or None in constants:
            return None
        if op == "cas":
            new = constants[1] if old == constants[0] else old
        elif op == "exchange":
            new = constants[0]
        elif op in _OPERATIONS:
            type_ = ULONG if isinstance(values[0].type, Pointer) else values[0].type
            result = self.operate(_OPERATIONS[op], literal(old, type_), convert(values[0], type_), node)
            new = convert(result, type_).constant
        else:
            return None
        return None if new is None else (old, new)

    def binary(self, node: c_ast.BinaryOp) -> Value:
        if node.op in ("&&", "||"):
            return self.logical(node)
        left = self.operand(node.left)
        mark = len(self.flow.steps)
        right = self.operand(node.right)
        left = self.protect(left, mark, node)
        return self.operate(node.op, left, right, node)

    def operand(self, node: c_ast.Node) -> Value:
        """A number or a pointer; one of 128 bits as it is now."""
        value = self.evaluate(node)
        if isinstance(value.type, SCALARS):
            return value
        if int128.is_wide(value.type):
            return self.copies.in_variable(plain(value.type), int128.words_of(self, value, node), node)
        self.scalar_needed(value, node)
        return value

    def operate(self, op: str, left: Value, right: Value, node: c_ast.Node) -> Value:
        """A binary operator on two values."""
        numbers = isinstance(left.type, NUMBERS) and isinstance(right.type, NUMBERS)
        if not numbers and (int128.is_wide(left.type) or int128.is_wide(right.type)):
            found = int128.operate(self, op, left, right, node)
            return found if isinstance(found, Value) else self.copies.in_variable(*found, node)
        pointers = isinstance(left.type, Pointer), isinstance(right.type, Pointer)
        if op in COMPARISONS and (left.alias or right.alias):
            return self.compare_addresses(op, left, right)
        if op == "+" and any(pointers):
            pointer, index = (left, right) if pointers[0] else (right, left)
            return self.shift(pointer, index, 1)
        if op == "-" and pointers[0] and not pointers[1]:
            return self.shift(left, right, -1)
        if op == "-" and all(pointers):
            return self.distance(left, right, node)
        left, right = self.plain_number(left), self.plain_number(right)
        if (is_real(left.type) or is_real(right.type)) and op not in OPERATORS and op not in COMPARISONS:
            self.wrong(f"`{op}` needs integers, not {left.type if is_real(left.type) else right.type}", node)
        return arithmetic.binary(
            op, left, right, lambda c, kind: self.check(c, kind, node), self.world.options.overflow
        )

    def distance(self, left: Value, right: Value, node: c_ast.Node) -> Value:
        assert isinstance(left.type, Pointer)
        size = literal(max(1, size_of(left.type.target)), LONG)
        if left.alias and right.alias and left.alias.variable is right.alias.variable:
            bytes_ = literal(left.alias.offset - right.alias.offset, LONG)
        else:
            a, b = (convert(self.plain_number(value), LONG) for value in (left, right))
            bytes_ = arithmetic.binary("-", a, b, unchecked)
        count = arithmetic.binary("/", bytes_, size, lambda c, kind: self.check(c, kind, node))
        return convert(count, types.difference_type())

    # ---- conditions

    def logical(self, node: c_ast.BinaryOp) -> Value:
        """`&&` and `||` as values."""
        left = truth(self.number(node.left))
        both = node.op == "&&"
        if isinstance(left, BoolLiteral):
            if left.value != both:
                return literal(int(left.value), INT)
            return Value(number(truth(self.number(node.right))), INT)
        mark = self.flow.mark()
        result, end = self.fresh(), self.flow.label()
        position = self.position(node)
        self.flow.assign(result, IntLiteral(int(not both)), position)
        self.flow.branch(negated(left) if both else left, end, position)
        before = len(self.flow.steps)
        right = truth(self.number(node.right))
        if self.does_nothing(node.right) and len(self.flow.steps) == before:
            self.flow.cut(mark)
            return Value(number(Binary("and" if both else "or", left, right)), INT)
        self.flow.assign(result, number(right), position)
        self.flow.bind(end)
        return self.result(result, INT)

    def does_nothing(self, *nodes: c_ast.Node) -> bool:
        """Whether what has been evaluated need not be left out, so far as no steps came of it."""
        return self.flow.reachable and not any(has_effects(node) for node in nodes)

    def result(self, name: str, type_: CType) -> Value:
        """The value of a local after ways have met; nothing else reads it."""
        known = (self.flow.known or {}).get(name)
        self.flow.drop([name])
        if isinstance(known, int):
            return literal(known, type_)
        return Value(IntLiteral(0), type_, known) if isinstance(known, Alias) else Value(Name(name), type_)

    def conditional(self, node: c_ast.TernaryOp, wanted: CType | None) -> Value:
        condition = self.number(node.cond)
        if isinstance(node.iftrue, c_ast.ID) and node.iftrue.name == SAME:
            condition = self.same[id(node.iftrue)] = self.keep(condition, node)
        test = truth(condition)
        if isinstance(test, BoolLiteral):
            chosen, other = (node.iftrue, node.iffalse) if test.value else (node.iffalse, node.iftrue)
            value = self.evaluate(chosen, wanted)
            other_type = self.type_of_value(other)
            return self.as_common(value, other_type, node)
        return self.either(node, test, wanted)

    def either(self, node: c_ast.TernaryOp, test: Expression, wanted: CType | None) -> Value:
        """The value of `? :`. Each side is evaluated once; what the first has to do with its value, once the types of
        both are known, comes between their steps."""
        mark, position = self.flow.mark(), self.position(node)
        otherwise, end = self.flow.label(), self.flow.label()
        self.flow.branch(negated(test), otherwise, position)
        start = len(self.flow.steps)
        left = self.evaluate(node.iftrue, wanted)
        left_known, middle = self.flow.known, len(self.flow.steps)
        self.flow.known = None
        self.flow.bind(otherwise)
        between = len(self.flow.steps)
        right = self.evaluate(node.iffalse, wanted)
        type_ = self.as_common(left, right.type, node).type
        no_steps = start == middle and between == len(self.flow.steps) and self.does_nothing(node.iftrue, node.iffalse)
        if no_steps and is_scalar(type_) and not (left.alias or right.alias):
            self.flow.cut(mark)
            a, b = convert(left, type_).expression, convert(right, type_).expression
            return Value(a if a == b else Conditional(test, a, b), type_)
        target = None if type_ == VOID else self.chosen_place(type_, node)
        rest, right_known = self.flow.steps[middle:], self.flow.known
        del self.flow.steps[middle:]
        self.flow.known = left_known
        self.choose(target, left, type_, node)
        self.flow.jump(end, position)
        self.flow.steps += rest
        self.flow.known = right_known
        self.choose(target, right, type_, node)
        self.flow.bind(end)
        if isinstance(target, str):
            return self.result(target, type_)
        return NOTHING if target is None else Value(IntLiteral(0), type_, place=target)

    def chosen_place(self, type_: CType, node: c_ast.Node) -> Place | str:
        """What the value of `? :` is going to be in: the name of a local for a scalar."""
        return self.fresh() if is_scalar(type_) else self.local_place("value", type_, (id(node), "value"))

    def choose(self, target: Place | str | None, value: Value, type_: CType, node: c_ast.Node) -> None:
        if not self.flow.reachable or target is None:
            return
        if isinstance(target, str):
            self.assign(target, convert(value, type_), node)
        else:
            self.store(target, value, node)

    def as_common(self, value: Value, other: CType, node: c_ast.Node) -> Value:
        """The value in the type that the two sides of `? :` have in common."""
        if int128.is_wide(value.type) != int128.is_wide(other):
            self.refuse("`? :` of a number of 128 bits and another one is", node)
        if isinstance(other, Array):
            other = Pointer(other.element)
        if isinstance(value.type, Int) and isinstance(other, Int):
            return convert(value, common(value.type, other))
        if isinstance(value.type, Int) and isinstance(other, Pointer):
            return convert(value, other)
        if isinstance(value.type, Pointer) and isinstance(other, Pointer) and value.type.target == VOID:
            return convert(value, other)
        return NOTHING if isinstance(other, Void) or isinstance(value.type, Void) else value

    def constant(self, node: c_ast.Node) -> int:
        """The value of an integer constant expression."""
        value = self.try_constant(node)
        if value is None:
            self.refuse("an array whose size is not a constant is", node)
        return value

    def array_size(self, node: c_ast.Node) -> int:
        """How many elements an array has that is declared here."""
        value = self.try_constant(node)
        if value is None and not self.flow.reachable:
            return 1  # whatever it would be: C lets nothing jump behind the declaration
        if value is None and self.thread:  # of a function
            value = untyped_memory.size(self.parts, self.number(node), node)
        return self.constant(node) if value is None else value

    def try_constant(self, node: c_ast.Node) -> int | None:
        if isinstance(node, c_ast.Constant) and node.type != "string":
            found = read_number(node.value)
            if found is not None:
                return found
        with self.unevaluated() as mark:
            value = self.evaluate(node)
            pure = len(self.flow.steps) == mark.steps
        return value.constant if pure and value.place is None else None

    def cast(self, node: c_ast.Cast) -> Value:
        type_ = self.type_of(node.to_type)
        if isinstance(type_, Void):
            self.discard(node.expr)
            return NOTHING
        value = self.evaluate(node.expr, type_)
        if not is_scalar(type_):
            value = self.copies.as_wide(value, type_, node)
            if size_of(type_) == size_of(value.type) and value.place:
                return int128.typed(value, type_)
            self.refuse(f"a cast to {type_} is", node)
        if not is_scalar(value.type):
            self.wrong(f"{value.type} cannot be cast to {type_}", node)
        untyped_memory.becomes(self.parts, value, type_)
        return convert(value, type_)
