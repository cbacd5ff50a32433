"""Atomic updates of structures: `atomic_exchange` and its like, and GCC's `__atomic_exchange`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pycparser import c_ast

from xgen.frontends.c.language.body import Body
from xgen.frontends.c.values.arithmetic import as_stored
from xgen.frontends.c.values.places import InMemory, InRegisters, Place, Value
from xgen.frontends.c.values.types import BOOL, CType
from xgen.frontends.mixed_size import parts
from xgen.program import automaton as xcfa
from xgen.program.automaton import IntLiteral

_Orders = tuple[str, ...]


def exchange(body: Body, place: Place, new: Value, order: str, node: c_ast.Node) -> Value:
    """The value is the old structure."""
    whole = Whole(body, place, node)
    numbers = body.copies.numbers_of(new, place.type, node)
    return body.copies.in_variable(place.type, whole.exchange(order, numbers), node)


def compare_exchange(
    body: Body, place: Place, expected: Place, new: Value, orders: _Orders, weak: bool, node: c_ast.Node
) -> Value:
    """Where it fails, `expected` gets what was read; where it does not it has it already."""
    whole = Whole(body, place, node)
    wanted = body.copies.numbers_of(Value(IntLiteral(0), expected.type, place=expected), place.type, node)
    numbers = body.copies.numbers_of(new, place.type, node)
    result = body.fresh()
    for writes, old in outcomes_of_cas(whole, result, wanted, numbers, orders, weak and body.world.options.weak_cas):
        if not writes or isinstance(expected, InRegisters):
            body.copies.put_numbers(expected, place.type, old, node)
    return body.result(result, BOOL)


def compare_and_swap(body: Body, place: Place, wanted: Value, new: Value, truth: bool, node: c_ast.Node) -> Value:
    """The value is the old structure, or whether it was the wanted one."""
    whole, like = Whole(body, place, node), place.type
    before, numbers = (body.copies.numbers_of(value, like, node) for value in (wanted, new))
    result, found = body.fresh(), body.copies.in_variable(like, before, node)
    assert found.place is not None
    for _, old in outcomes_of_cas(whole, result, before, numbers, ("seq_cst", "seq_cst")):
        body.copies.put_numbers(found.place, like, old, node)
    return body.result(result, BOOL) if truth else found


def outcomes_of_cas(
    whole: Whole,
    result: str,
    wanted: Sequence[Value],
    new: Sequence[Value],
    orders: _Orders,
    spurious: bool = False,
) -> Iterator[tuple[bool, list[Value]]]:
    """What may come of an update that compares; guesses that are wrong are refuted: whether it has written,
    and the old numbers, in code that is reached then. The local `result` gets 1 or 0, whether it has written.
    `spurious`: it may fail for no reason."""
    body, flow, node = whole.body, whole.body.flow, whole.node
    cells = whole.cells_to_write()
    update = xcfa.Rmw(None, "cas", cells[0][0], (), orders, body.position(node))
    before = [as_stored(one, stored) for one, (_, stored) in zip(wanted, cells, strict=True)]
    after = body.copies.for_parts(whole.parts, new)
    for way, old in body.parts.ways_of_cas(update, cells, before, after, node, spurious):
        flow.assign(result, way.written, update.position)
        yield way.writes, old


class Whole:
    """What is updated at once: `parts` are its numbers."""

    def __init__(self, body: Body, place: Place, node: c_ast.Node) -> None:
        self.body, self.node = body, node
        if isinstance(place, InRegisters):
            body.escape(place.variable)
        self.parts = body.copies.whole_parts(place, node)

    def cells_to_write(self) -> list[tuple[xcfa.AnyPlace, CType]]:
        """The cells of the parts, which are written."""
        places = [part for part in self.parts if isinstance(part, InMemory)]
        for part in places:
            self.body.note_write(part, None, self.node)
        return [self.body.cell(part, self.node) for part in places]

    def exchange(self, order: str, values: Sequence[Value]) -> list[Value]:
        """The old numbers."""
        body, cells = self.body, self.cells_to_write()
        update = xcfa.Rmw(None, "exchange", cells[0][0], (), (order,), body.position(self.node))
        old = body.parts.read_each(cells, parts.read_of(update, parts.UPDATE), self.node)
        body.parts.rewrite_parts(cells, update, body.copies.for_parts(self.parts, values))
        return old
