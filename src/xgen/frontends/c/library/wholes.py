"""Atomic updates of structures: `atomic_exchange` and its like, and GCC's `__atomic_exchange`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pycparser import c_ast

from xgen.frontends.c.language.body import Body
from xgen.frontends.c.values.arithmetic import as_stored
from xgen.frontends.c.values.places import InMemory, InRegisters, Place, Value
from xgen.frontends.c.values.types import BOOL
from xgen.frontends.mixed_size import parts
from xgen.program import automaton as xcfa
from xgen.program.automaton import IntLiteral, Name

_Orders = tuple[str, ...]


def exchange(body: Body, place: Place, new: Value, order: str, node: c_ast.Node) -> Value:
    """The value is the old structure."""
    whole = Whole(body, place, node)
    numbers = body.copies.numbers_of(new, place.type, node)
    old = whole.read("exchange", "rmw", (order,))
    whole.write("exchange", (order,), numbers)
    return body.copies.in_variable(place.type, old, node)


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
    end, position = flow.label(), body.position(node)
    outcomes = parts.cas_outcomes(spurious)
    for number, outcome in enumerate(outcomes):
        other = flow.label()
        if number + 1 < len(outcomes):
            flow.fork(other, position)
        if not outcome.kind:
            old = body.copies.taken_all(whole.parts, node, orders[-1])
            flow.assign(result, IntLiteral(0), position)
        else:
            old = whole.read("cas", outcome.kind, orders)
            expected = [as_stored(one, each.type).expression for one, each in zip(wanted, old, strict=True)]
            differs = parts.difference([each.expression for each in old], expected)
            flow.emit(parts.refuted_unless(outcome.holds(differs), Name(body.fresh()), position))
            if outcome.writes:
                whole.write("cas", orders, new)
            flow.assign(result, parts.has_written(differs), position)
        yield outcome.writes, old
        if number + 1 < len(outcomes):
            flow.jump(end, position)
            flow.bind(other)
    flow.bind(end)


class Whole:
    """What is updated at once: `parts` are its numbers."""

    def __init__(self, body: Body, place: Place, node: c_ast.Node) -> None:
        self.body, self.node = body, node
        if isinstance(place, InRegisters):
            body.escape(place.variable)
        self.parts = body.copies.whole_parts(place, node)

    def read(self, op: str, kind: str, orders: _Orders) -> list[Value]:
        """What an update reads."""
        body, cells = self.body, [self.body.cell(p, self.node) for p in self.parts if isinstance(p, InMemory)]
        for part in self.parts:
            if isinstance(part, InMemory):
                body.note_write(part, None, self.node)
        update = xcfa.Rmw(None, op, cells[0][0], (), orders, body.position(self.node))
        names = [body.fresh() for _ in cells]
        body.flow.emit(*parts.loads(parts.read_of(update, kind), list(map(Name, names)), [cell for cell, _ in cells]))
        for name, (_, stored) in zip(names, cells, strict=True):
            if body.copies.is_hollow(stored):
                body.filled(name, self.node)
        return [Value(Name(name), stored) for name, (_, stored) in zip(names, cells, strict=True)]

    def write(self, op: str, orders: _Orders, values: Sequence[Value]) -> None:
        """What an update writes."""
        cells = [self.body.cell(p, self.node)[0] for p in self.parts if isinstance(p, InMemory)]
        update = xcfa.Rmw(None, op, cells[0], (), orders, self.body.position(self.node))
        new = [value.expression for value in self.body.copies.for_parts(self.parts, values)]
        self.body.flow.emit(*parts.stores(parts.write_of(update), new, cells))
