"""From what the grammar's rules match to data classes, those of surface.py and the automaton's; one method a rule,
called bottom-up."""

from __future__ import annotations

from typing import Any, TypeVar

from lark import Token, Transformer, v_args

from xgen.errors import Position, ProgramError, Source, nearest
from xgen.grammars import position_of
from xgen.program import automaton as xcfa
from xgen.program import surface
from xgen.records import replace

T = TypeVar("T")

MAX_INT = 2**63 - 1
NO_SOURCE = Source("", "")


def span(first: Position, last: Position) -> Position:
    """From the start of one place to the end of another; just the first where they are on different lines."""
    if first.line != last.line:
        return first
    return Position(first.line, first.column, last.column + last.width - first.column)


def every(kind: type[T], parts: tuple[Any, ...]) -> tuple[T, ...]:
    """The parts of one type."""
    return tuple(part for part in parts if isinstance(part, kind))


def name(token: Token) -> xcfa.Name:
    return xcfa.Name(str(token), position_of(token))


def number(token: Token, sign: int = 1) -> int:
    """The value of a number; a ProgramError (without a source) where it does not fit into 64 bits."""
    digits = token.lstrip("0") or "0"
    value = sign * int(digits) if len(digits) <= 19 else None
    if value is None or not -MAX_INT - 1 <= value <= MAX_INT:
        raise ProgramError("this number does not fit into 64 bits", position=position_of(token), hint=INT_RANGE)
    return value


INT_RANGE = f"integers are from {-MAX_INT - 1} to {MAX_INT}"


class Order(tuple[xcfa.Name, ...]):
    """What follows an `@`: an order, perhaps that of a failing update as well."""

    __slots__ = ()


class EventTags(tuple[xcfa.Name, ...]):
    """What follows an `@` with brackets: the event, R or W, and its tags."""

    __slots__ = ()


class Address(tuple[int, ...]):
    """Where a shared variable is, and how many bytes its cells have."""

    __slots__ = ()


class Heap(str):
    """The allocated object that a variable is in, "" for one of its own."""

    __slots__ = ()


class Width(int):
    """How many bytes or bits there are, negative with a sign."""


class Parameters(tuple[surface.Variable, ...]):
    __slots__ = ()


class Initial(tuple[xcfa.Expression, ...]):
    """The first values of a variable; none for `(-)`."""

    __slots__ = ()


class Statements(tuple[xcfa.Statement, ...]):
    """The statements of an edge, whether it is an `else` edge, and where its brace closes."""

    otherwise: bool
    end: Position


class Otherwise:
    """The `else` of an edge."""


@v_args(inline=True)
class Builder(Transformer[Token, surface.Text]):
    """Lark calls a rule's method with what its parts became, without the tokens that the rule writes in quotes."""

    # ---- declarations

    def program(self, *items: surface.Item | None) -> surface.Text:
        return surface.Text(NO_SOURCE, tuple(item for item in items if item is not None))

    def header(self, *_: Token) -> None:
        return None

    def constant(self, _: Token, label: Token, __: Token, value: xcfa.Expression) -> surface.Constant:
        return surface.Constant(str(label), value, position_of(label))

    def struct(self, label: Token, *fields: surface.Variable) -> surface.Struct:
        return surface.Struct(str(label), fields, position_of(label))

    def field(self, label: Token, type_: surface.Type) -> surface.Variable:
        return surface.Variable(str(label), type_, (), position_of(label))

    def variable(self, label: Token, type_: surface.Type, *parts: Any) -> surface.Variable:
        initial = next((part for part in parts if isinstance(part, Initial)), None)
        address, width = next((part for part in parts if isinstance(part, Address)), (None, 0))
        heap = next((part for part in parts if isinstance(part, Heap)), None)
        object_ = None if heap is None else str(heap) or str(label)
        undefined = initial == ()
        return surface.Variable(
            str(label), type_, tuple(initial or ()), position_of(label), address, width, undefined, object_
        )

    def heap(self, word: Token, label: Token | None = None) -> Heap:
        if word != "heap":
            raise ProgramError(
                f"`{word}` is out of place", position=position_of(word), hint="expected `heap` or an address"
            )
        return Heap(label or "")

    def address(self, address: Token, width: int = 0) -> Address:
        return Address((number(address), width))

    def width(self, *parts: Token) -> Width:
        return Width(number(parts[-1], -1 if len(parts) == 2 else 1))

    parameter = field

    def type(self, base: Token, *sizes: Any) -> surface.Type:
        every_size = tuple(None if isinstance(size, Token) else size for size in sizes)
        return surface.Type(str(base), every_size, position_of(base))

    def initial(self, *values: Any) -> Initial:
        return Initial(value for value in values if not isinstance(value, Token))

    def process(self, *parts: Any) -> surface.Process:
        label = next(part for part in parts if isinstance(part, Token) and part.type == "NAME")
        instances = next((part for part in parts if isinstance(part, surface.Instances)), None)
        me = next((part for part in parts if isinstance(part, xcfa.Name)), None)
        return surface.Process(str(label), parts[0] is not label, instances, me, parts[-1], position_of(label))

    def instances(self, *bounds: Any) -> surface.Instances:
        if isinstance(bounds[0], Token):
            return surface.Instances()
        return surface.Instances(bounds[0]) if len(bounds) == 1 else surface.Instances(None, *bounds)

    def me(self, label: Token) -> xcfa.Name:
        return name(label)

    def procedure(self, *parts: Any) -> surface.Procedure:
        words = every(Token, parts)
        returns = parts[0] if isinstance(parts[0], surface.Type) else None
        parameters = next(part for part in parts if isinstance(part, Parameters))
        return surface.Procedure(
            str(words[-1]), len(words) == 2, parameters, returns, parts[-1], position_of(words[-1])
        )

    def parameters(self, *parameters: surface.Variable) -> Parameters:
        return Parameters(parameters)

    def body(self, *parts: Any) -> surface.Body:
        return surface.Body(parts[:-1], None, position_of(parts[-1]))

    def code(self, _: Token, *parts: Any) -> surface.Body:
        end = position_of(parts[-1])
        declared = every(surface.Variable, parts)
        return surface.Body(declared, surface.Block(parts[len(declared) : -1], end), end)

    def location(self, *words: Token) -> xcfa.Location:
        kind: Any = str(words[0]) if len(words) == 2 else None
        return xcfa.Location(str(words[-1]), kind, position_of(words[-1]))

    def edge(self, source: Token, target: Token, block: Statements | None = None) -> surface.Edge:
        position = span(position_of(source), position_of(target))
        if block is None:
            return surface.Edge(name(source), name(target), (), False, position, position)
        return surface.Edge(name(source), name(target), tuple(block), block.otherwise, position, block.end)

    def block(self, *parts: Any) -> Statements:
        block = Statements(part for part in parts[:-1] if not isinstance(part, Otherwise))
        block.otherwise = len(block) < len(parts) - 1
        block.end = position_of(parts[-1])
        return block

    def otherwise(self, _: Token) -> Otherwise:
        return Otherwise()

    # ---- steps

    def steps(self, *parts: Any) -> surface.Block:
        return surface.Block(parts[:-1], position_of(parts[-1]))

    def branch(self, keyword: Token, condition: xcfa.Expression, *parts: Any) -> surface.If:
        negative = parts[2] if len(parts) > 1 else None
        return surface.If(condition, parts[0], negative, span(position_of(keyword), condition.position))

    def while_(self, keyword: Token, condition: xcfa.Expression, body: surface.Block) -> surface.While:
        return surface.While(condition, body, span(position_of(keyword), condition.position))

    def do_while(
        self, start: Token, body: surface.Block, keyword: Token, condition: xcfa.Expression
    ) -> surface.DoWhile:
        asked = span(position_of(keyword), condition.position)
        return surface.DoWhile(body, condition, position_of(start), asked)

    def for_(
        self, keyword: Token, label: Token, first: xcfa.Expression, last: xcfa.Expression, body: surface.Block
    ) -> surface.For:
        return surface.For(name(label), first, last, body, span(position_of(keyword), last.position))

    def jump(self, keyword: Token) -> surface.Jump:
        return surface.Jump("break" if keyword == "break" else "continue", position_of(keyword))

    def atomic_steps(self, keyword: Token, body: surface.Block) -> surface.Atomic:
        return surface.Atomic(body, position_of(keyword))

    def choose(self, keyword: Token, *parts: Any) -> surface.Choose:
        return surface.Choose(every(surface.Block, parts), position_of(keyword))

    def target(self, token: Token) -> xcfa.Name:
        return name(token)

    def element(self, label: Token, *parts: Any) -> xcfa.Element:
        position = span(position_of(label), position_of(parts[-1]))
        indices = tuple(part for part in parts if not isinstance(part, Token))
        return xcfa.Element(str(label), position, indices)

    # ---- statements

    def assign(self, target: xcfa.Name, value: xcfa.Expression) -> xcfa.Assign:
        return xcfa.Assign(target, value, span(target.position, value.position))

    def load(self, target: xcfa.Name, *parts: Any) -> xcfa.Load:
        place = next(part for part in parts if isinstance(part, xcfa.AnyPlace))
        atomic, order, tags, end = access(place.position, parts[parts.index(place) + 1 :])
        exclusive = parts[0] is not place
        return xcfa.Load(target, place, atomic, order, span(target.position, end), tags, exclusive)

    def store(self, value: xcfa.Expression, place: xcfa.AnyPlace, *rest: Any) -> xcfa.Store:
        atomic, order, tags, end = access(place.position, rest)
        return xcfa.Store(value, place, atomic, order, span(value.position, end), tags)

    def store_exclusive(self, status: xcfa.Name, *parts: Any) -> xcfa.StoreExclusive:
        _, place, value, *rest = parts
        _, order, tags, end = access(value.position, tuple(rest))
        return xcfa.StoreExclusive(status, value, place, order, span(status.position, end), tags)

    def rmw(self, *parts: Any) -> xcfa.Rmw:
        to = parts[0] if isinstance(parts[0], xcfa.Name) else None
        op, end = (words := every(Token, parts))[-2], words[-1]
        first = 1 if to is None else 2
        place, *arguments = [p for p in parts[first:] if not isinstance(p, (Token, Order, EventTags))]
        orders, read, write, last = update_tags(parts, position_of(end))
        position = span(to.position if to else position_of(op), last)
        return xcfa.Rmw(to, str(op), place, tuple(arguments), orders, position, read, write)

    def wrapped_rmw(self, *parts: Any) -> xcfa.Rmw:
        """`r <- wrap(fetch_add(x, 1), -32)`."""
        to = parts[0] if isinstance(parts[0], xcfa.Name) else None
        words = every(Token, parts)
        wrap = next(n for n, word in enumerate(words) if word.type == "WRAP")
        op, signs, width = words[wrap + 1], words[wrap + 3 : -2], words[-2]
        first = 0 if to is None else 1
        place, *arguments = [p for p in parts[first:] if not isinstance(p, (Token, Order, EventTags))]
        orders, read, write, last = update_tags(parts, position_of(words[-1]))
        bits = number(width) * (-1 if signs else 1)
        position = span(to.position if to else position_of(words[0]), last)
        return xcfa.Rmw(to, str(op), place, tuple(arguments), orders, position, read, write, bits)

    def fence(self, keyword: Token, *parts: Any) -> xcfa.Fence:
        words = every(Token, parts)
        _, order, tags, end = access(
            position_of(words[-1] if words else keyword), (*every(Order, parts), *every(EventTags, parts))
        )
        own = [str(word) for word in words if word.type != "RSQB"]
        all_tags = [*own, *([] if order is None else [order]), *tags]
        return xcfa.Fence(all_tags[0] if all_tags else None, span(position_of(keyword), end), tuple(all_tags[1:]))

    def assume(self, keyword: Token, condition: xcfa.Expression) -> xcfa.Assume:
        return xcfa.Assume(condition, span(position_of(keyword), condition.position))

    def assertion(self, keyword: Token, *parts: Any) -> xcfa.Assert:
        condition = parts[-1]
        kind = str(parts[0]).replace("_", "-") if len(parts) > 1 else "assertion"
        if kind not in xcfa.ASSERTIONS:
            known = [name.replace("-", "_") for name in xcfa.ASSERTIONS]
            raise ProgramError(
                f"there is no kind of assertion `{parts[0]}`", None, position_of(parts[0]), nearest(parts[0], known)
            )
        return xcfa.Assert(condition, span(position_of(keyword), condition.position), kind)

    def bound(self, keyword: Token, counter: Token, limit: Token, end: Token) -> xcfa.Bound:
        if number(limit) >= 1 << 31:
            raise ProgramError("a bound is less than 2^31", None, position_of(limit))
        return xcfa.Bound(name(counter), number(limit), span(position_of(keyword), position_of(end)))

    def cut(self, keyword: Token, end: Token) -> xcfa.Cut:
        return xcfa.Cut(span(position_of(keyword), position_of(end)))

    def predict(self, keyword: Token, target: xcfa.Name, value: xcfa.Expression, *rest: Token) -> xcfa.Predict:
        count = number(rest[0]) if len(rest) > 1 else 2
        if not 1 <= count < 1 << 31:
            raise ProgramError("there are 1 to 2^31 - 1 values to predict", None, position_of(rest[0]))
        return xcfa.Predict(target, value, keyword == "pick", count, span(position_of(keyword), position_of(rest[-1])))

    def select(
        self,
        keyword: Token,
        target: xcfa.Name,
        choice: Token,
        positive: xcfa.Expression,
        negative: xcfa.Expression,
        end: Token,
    ) -> xcfa.Select:
        one_sided, position = keyword == "select_if", span(position_of(keyword), position_of(end))
        return xcfa.Select(target, name(choice), positive, negative, one_sided, position)

    def scope(self, keyword: Token, local: Token, end: Token) -> xcfa.Scope:
        return xcfa.Scope(
            "keep" if keyword == "keep" else "leave", name(local), span(position_of(keyword), position_of(end))
        )

    def havoc(self, keyword: Token, target: xcfa.Name, *bounds: xcfa.Expression) -> xcfa.Havoc:
        if not bounds:
            return xcfa.Havoc(target, None, span(position_of(keyword), target.position))
        return xcfa.Havoc(target, (bounds[0], bounds[1]), span(position_of(keyword), bounds[1].position))

    def skip(self, keyword: Token) -> xcfa.Skip:
        return xcfa.Skip(position_of(keyword))

    def return_(self, keyword: Token, value: xcfa.Expression | None = None) -> xcfa.Return:
        return xcfa.Return(value, span(position_of(keyword), value.position if value else position_of(keyword)))

    def call(self, *parts: Any) -> xcfa.Call:
        target = parts[0] if isinstance(parts[0], xcfa.Name) else None
        *words, (arguments, end) = parts[1:] if target else parts
        start = target.position if target else position_of(words[0])
        return xcfa.Call(target, name(words[-1]), arguments, span(start, end))

    def atomic_begin(self, keyword: Token) -> xcfa.AtomicBegin:
        return xcfa.AtomicBegin(position_of(keyword))

    def atomic_end(self, keyword: Token) -> xcfa.AtomicEnd:
        return xcfa.AtomicEnd(position_of(keyword))

    def mutex(self, keyword: Token, mutex: xcfa.AnyPlace, end: Token) -> xcfa.Mutex:
        named = isinstance(mutex, xcfa.Place) and not mutex.indices
        what = mutex.name if isinstance(mutex, xcfa.Place) and named else mutex
        return xcfa.Mutex(keyword.value, what, span(position_of(keyword), position_of(end)))

    def lifetime(self, keyword: Token, place: xcfa.AnyPlace, end: Token) -> xcfa.Lifetime:
        return xcfa.Lifetime(keyword.value, place, span(position_of(keyword), position_of(end)))

    def control(self, keyword: Token, process: Token, *parts: Any) -> xcfa.Control:
        position = span(position_of(keyword), position_of(process))
        said = (*every(Order, parts), *every(EventTags, parts))
        _, order, tags, _ = access(position, said)
        own, index = (*([] if order is None else [order]), *tags), [part for part in parts if part not in said]
        if not index:
            return xcfa.Control(keyword.value, name(process), position, own)
        of = self.element(process, *index)
        return xcfa.Control(keyword.value, of, span(position, of.position), own)

    def meet(self, keyword: Token, barrier: Token, round_: Token, *parts: Any) -> xcfa.Meet:
        end = next(part for part in parts if isinstance(part, Token) and part.type == "RPAR")
        position = span(position_of(keyword), position_of(end))
        if number(round_) >= 1 << 31:
            raise ProgramError("a round is less than 2^31", None, position_of(round_))
        _, order, tags, position = access(position, (*every(Order, parts), *every(EventTags, parts)))
        own = (*([] if order is None else [order]), *tags)
        return xcfa.Meet(str(barrier), number(round_), every(xcfa.Name, parts), position, own, str(keyword) == "meet")

    def place(self, label: Token, *parts: Any) -> xcfa.Place:
        indices = tuple(part for part in parts if not isinstance(part, Token))
        words = every(Token, parts)
        if words and words[-1].type == "NAME":  # a field
            whole = span(position_of(label), position_of(words[-1]))
            return xcfa.Place(xcfa.Name(f"{label}.{words[-1]}", whole), indices)
        return xcfa.Place(name(label), indices)

    def deref(self, star: Token, *parts: Any) -> xcfa.Deref:
        address = parts[-1]
        width = next((int(part) for part in parts if isinstance(part, Width)), 0)
        return xcfa.Deref(address, span(position_of(star), address.position), width)

    def event_tags(self, event: Token, *labels: Token) -> EventTags:
        if event not in ("R", "W"):
            raise ProgramError(f"an update has the events R and W, not `{event}`", position=position_of(event))
        return EventTags(name(label) for label in (event, *labels) if label.type == "NAME")

    def order(self, *labels: Token) -> Order:
        return Order(name(label) for label in labels)

    def arguments(self, *parts: Any) -> tuple[tuple[xcfa.Expression, ...], Position]:
        return parts[:-1], position_of(parts[-1])

    # ---- expressions

    def literal(self, token: Token) -> xcfa.Constant:
        if token.type == "INT":
            return xcfa.IntLiteral(number(token), position_of(token))
        return xcfa.BoolLiteral(token.type == "TRUE", position_of(token))

    def negative(self, sign: Token, token: Token) -> xcfa.IntLiteral:
        return xcfa.IntLiteral(number(token, -1), span(position_of(sign), position_of(token)))

    def name(self, token: Token) -> xcfa.Name:
        return name(token)

    def unary(self, op: Token, operand: xcfa.Expression) -> xcfa.Unary:
        return xcfa.Unary(op.value, operand, span(position_of(op), operand.position))

    def binary(self, left: xcfa.Expression, op: Token, right: xcfa.Expression) -> xcfa.Binary:
        return xcfa.Binary(op.value, left, right, span(left.position, right.position))

    def wrap(self, keyword: Token, operand: xcfa.Expression, *bits: Token) -> xcfa.Wrap:
        *sign, width, end = bits
        return xcfa.Wrap(operand, number(width), bool(sign), span(position_of(keyword), position_of(end)))

    def address_of(self, sign: Token, place: xcfa.AnyPlace) -> xcfa.AddressOf:
        return xcfa.AddressOf(place, span(position_of(sign), place.position))

    def index(self, keyword: Token, operand: xcfa.Expression, size: Token, end: Token) -> xcfa.Index:
        return xcfa.Index(operand, number(size), span(position_of(keyword), position_of(end)))

    def function(self, op: Token, left: xcfa.Expression, right: xcfa.Expression, end: Token) -> xcfa.Binary:
        return xcfa.Binary(op.value, left, right, span(position_of(op), position_of(end)))

    def function_of_one(self, op: Token, operand: xcfa.Expression, end: Token) -> xcfa.Unary:
        return xcfa.Unary(op.value, operand, span(position_of(op), position_of(end)))

    def conditional(
        self,
        keyword: Token,
        condition: xcfa.Expression,
        positive: xcfa.Expression,
        _: Token,
        negative: xcfa.Expression,
    ) -> xcfa.Conditional:
        return xcfa.Conditional(condition, positive, negative, span(position_of(keyword), negative.position))

    def parenthesised(self, start: Token, inside: xcfa.Expression, end: Token) -> xcfa.Expression:
        return replace(inside, position=span(position_of(start), position_of(end)))


def access(end: Position, rest: tuple[Any, ...]) -> tuple[bool, str | None, tuple[str, ...], Position]:
    """What follows the place of a load or store, which ends at `end`: whether it is atomic, its order, its other tags,
    and where all of it ends."""
    atomic, tags = False, []
    for part in rest:
        if isinstance(part, EventTags):
            raise ProgramError("only updates have tags of their read and their write", position=part[0].position)
        if isinstance(part, Token):
            atomic, end = atomic or part.type == "ATOMIC", position_of(part)
            continue
        if len(part) > 1:
            raise ProgramError("a load or a store has one order", position=part[1].position, hint=SEVERAL)
        tags.append(part[0].name)
        end = part[0].position
    return atomic, tags[0] if tags else None, tuple(tags[1:]), end


SEVERAL = "several tags are written `@ acquire @ tag`"


def update_tags(
    parts: tuple[Any, ...], end: Position
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], Position]:
    """The orders of an update, the tags of its read and of its write, and where it ends."""
    orders: tuple[str, ...] = ()
    tags: dict[str, list[str]] = {"R": [], "W": []}
    first = True
    for part in parts:
        if isinstance(part, Order):
            names = [label.name for label in part]
            if first:
                orders = tuple(names)
            else:
                tags["R"] += names
                tags["W"] += names
            first, end = False, part[-1].position
        elif isinstance(part, EventTags):
            tags[part[0].name] += [label.name for label in part[1:]]
            end = part[-1].position
    return orders, tuple(tags["R"]), tuple(tags["W"]), end
