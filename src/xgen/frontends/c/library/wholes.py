"""GCC's `__atomic_*` of structures, such as a pointer and a tag: one access of all their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from xgen.frontends import parts
from xgen.frontends.c.language.arithmetic import convert
from xgen.frontends.c.language.calls import Calls
from xgen.frontends.c.language.expressions import NOTHING
from xgen.frontends.c.language.places import InMemory, InRegisters, Place, Value
from xgen.frontends.c.language.types import BOOL, Pointer, Record, leaves, plain, size_of
from xgen.frontends.c.library.call import Call
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, Expression, IntLiteral, Name

_SIZES = (1, 2, 4, 8, 16)
_Orders = tuple[str, ...]


def is_whole(call: Call) -> bool:
    """Whether the first argument leads to a structure."""
    if not call.arguments:
        return False
    with call.body.unevaluated():
        type_ = call.body.number(call.arguments[0]).type
    return isinstance(type_, Pointer) and isinstance(type_.target, Record)


def load(call: Call, order: str) -> Value:
    whole, target = _Whole(call, 0), _plain(call, 1)
    whole.put(target, whole.body.taken_all(whole.parts, call.node, order))
    return NOTHING


def store(call: Call, order: str) -> Value:
    whole, source = _Whole(call, 0), _plain(call, 1)
    whole.body.put_all(whole.parts, whole.stored(whole.numbers(source)), call.node, order)
    return NOTHING


def exchange(call: Call, order: str) -> Value:
    whole, source, target = _Whole(call, 0), _plain(call, 1), _plain(call, 2)
    new = whole.numbers(source)
    old = whole.read("exchange", "rmw", (order,))
    whole.write("exchange", (order,), new)
    whole.put(target, old)
    return NOTHING


def compare_exchange(call: Call, orders: _Orders, weak: bool) -> Value:
    """Ways to go on, of which the wrong ones are refuted; where it fails, `expected` gets what was read."""
    whole, expected, source = _Whole(call, 0), _plain(call, 1), _plain(call, 2)
    body, flow, position = whole.body, whole.body.flow, whole.body.position(call.node)
    wanted, new = whole.numbers(expected), whole.numbers(source)
    result, end = body.fresh(), flow.label()
    spurious = weak and body.world.options.weak_cas
    ways = [("rmw", True, "=", 1), ("failed", True, "/=", 0), *[("", False, "=", 0)] * spurious]
    for number, (kind, compared, relation, value) in enumerate(ways):
        other = flow.label()
        if number + 1 < len(ways):
            flow.fork(other, position)
        old = whole.read("cas", kind, orders) if kind else body.taken_all(whole.parts, call.node, orders[-1])
        if compared:
            condition = Binary(relation, _difference(old, wanted), IntLiteral(0))  # type: ignore[arg-type]
            flow.emit(parts.refuted_unless(condition, Name(body.fresh()), position))
        if value:
            whole.write("cas", orders, new)
        else:
            whole.put(expected, old)
        flow.assign(result, IntLiteral(value), position)
        if number + 1 < len(ways):
            flow.jump(end, position)
            flow.place(other)
    flow.place(end)
    return body.result(result, BOOL)


def _difference(left: Sequence[Value], right: Sequence[Value]) -> Expression:
    """A number that is 0 where all values are the same."""
    found: Expression | None = None
    for one, other in zip(left, right, strict=True):
        differs = Binary("bitxor", one.expression, convert(other, one.type).expression)
        found = differs if found is None else Binary("bitor", found, differs)
    assert found is not None
    return found


def _plain(call: Call, at: int) -> Place:
    """A structure that is passed by a pointer, and accessed as it is."""
    value = call.body.number(call.arguments[at])
    if not isinstance(value.type, Pointer) or not isinstance(value.type.target, Record):
        call.body.wrong(f"a pointer to a structure is needed here, not {value.type}", call.arguments[at])
    return call.body.target(value, value.type.target)


class _Whole:
    """What is accessed at once: `parts` are its numbers."""

    def __init__(self, call: Call, at: int) -> None:
        self.body: Calls = call.body
        self.call = call
        node = call.arguments[at]
        place = _plain(call, at)
        if isinstance(place, InRegisters):
            self.body.escape(place.variable)
        assert isinstance(place.type, Record)
        self.place, self.type, size = place, place.type, size_of(place.type)
        self.leaves = list(leaves(self.type))
        if size not in _SIZES or sum(size_of(leaf.type) for leaf in self.leaves) != size:
            self.body.refuse(f"an atomic access of {self.type} ({size} bytes, or some that are no number's) is", node)
        self.parts: list[Place] = []
        for leaf in self.leaves:
            part = self.body.moved(place, leaf.offset, plain(leaf.type))
            assert isinstance(part, InMemory)
            if self.body.layouts_of(part) or len(self.body.parts_of(part, node)) > 1:
                self.body.refuse(f"an atomic access of {self.type}, of which numbers are accessed in parts, is", node)
            self.parts.append(part)
        self.body.note_atomic(place, node, "seq_cst")

    def of(self, place: Place) -> list[Place]:
        """The numbers of another structure that is like this one."""
        found = {leaf.offset: leaf for leaf in leaves(place.type)}
        if {o: size_of(f.type) for o, f in found.items()} != {f.offset: size_of(f.type) for f in self.leaves}:
            self.body.wrong(f"{place.type} is not {self.type}", self.call.node)
        return [self.body.moved(place, leaf.offset, plain(found[leaf.offset].type)) for leaf in self.leaves]

    def numbers(self, place: Place) -> list[Value]:
        """What another structure holds, each number in a local of its own."""
        found = [self.body.load(part, self.call.node) for part in self.of(place)]
        return [self.body.keep(self.body.plain_number(value), self.call.node) for value in found]

    def stored(self, values: Sequence[Value]) -> list[Value]:
        return [convert(value, plain(part.type)) for value, part in zip(values, self.parts, strict=True)]

    def put(self, place: Place, values: Sequence[Value]) -> None:
        for part, value in zip(self.of(place), values, strict=True):
            self.body.put(part, value, self.call.node)

    def read(self, op: str, kind: str, orders: _Orders) -> list[Value]:
        """What an update reads."""
        body, cells = self.body, [self.body.cell(p, self.call.node) for p in self.parts if isinstance(p, InMemory)]
        for part in self.parts:
            if isinstance(part, InMemory):
                body.note_write(part, None)
        update = xcfa.Rmw(None, op, cells[0][0], (), orders, body.position(self.call.node))
        names = [body.fresh() for _ in cells]
        body.flow.emit(*parts.loads(parts.read_of(update, kind), list(map(Name, names)), [cell for cell, _ in cells]))
        for name, (_, stored) in zip(names, cells, strict=True):
            if body.is_hollow(stored):
                body.filled(name, self.call.node)
        return [Value(Name(name), stored) for name, (_, stored) in zip(names, cells, strict=True)]

    def write(self, op: str, orders: _Orders, values: Sequence[Value]) -> None:
        """What an update writes."""
        cells = [self.body.cell(p, self.call.node)[0] for p in self.parts if isinstance(p, InMemory)]
        update = xcfa.Rmw(None, op, cells[0], (), orders, self.body.position(self.call.node))
        new = [value.expression for value in self.stored(values)]
        self.body.flow.emit(*parts.stores(parts.write_of(update), new, cells))
