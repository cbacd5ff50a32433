"""The memory orders that a program's text says, and the program with others in their places.

A place of the text can be many of a program: a function that two threads run, or that is called twice. All of them have
one order. A compare-exchange says two: its own, and that of one that does not write.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from xgen.errors import Position, Spot
from xgen.executions.execution import Event
from xgen.frontends.mixed_size.parts import FAILED, UPDATE
from xgen.program.automaton import (
    CONDITIONAL_RMWS,
    Edge,
    Fence,
    Load,
    Procedure,
    Process,
    Program,
    Rmw,
    Statement,
    Store,
)
from xgen.program.rewrite import with_edges
from xgen.records import dataclass, replace
from xgen.tags import names

RELEASING = {"relaxed": "release", "acquire": "acq_rel", "consume": "acq_rel"}
ACQUIRING = {"relaxed": "acquire", "release": "acq_rel"}
"""The least order that is as strong as one, and releases, or acquires; others do already, or are none of C's."""
ORDERS = names("C", order=True)
"""The orders of C."""
Ordered: TypeAlias = Load | Store | Rmw | Fence
"""What says an order."""


class OrderSpot(NamedTuple):
    """A place of the text where an order is said; `failing`: that of a compare-exchange that does not write."""

    at: Spot
    failing: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """An order that is said in a place: the first of the statements that have it."""

    order: str
    statement: Ordered


def spot_of(program: Program, position: Position, failing: bool = False) -> OrderSpot:
    """The place of what stands at a position."""
    return OrderSpot(position.spot(program.source), failing)


def spot_of_event(program: Program, event: Event) -> OrderSpot:
    """The place where the order of an event is said."""
    assert event.position is not None
    own = spot_of(program, event.position)
    fails = event.kind == "R" and "rmw" not in event.tags
    return own._replace(failing=True) if fails and own._replace(failing=True) in said_orders(program) else own


def said_orders(program: Program) -> dict[OrderSpot, Said]:
    """All orders of C that a program says, and all fences, in the order of its text."""
    updated = _updates(program)
    found: dict[OrderSpot, Said] = {}
    for statement in statements(program):
        if isinstance(statement, Ordered) and not _is_elsewhere(statement.position):
            for spot, order in _orders(program, statement, updated):
                if order in ORDERS or (order and isinstance(statement, Fence)):
                    found.setdefault(spot, Said(order, statement))
    return dict(sorted(found.items()))


def _is_elsewhere(position: Position) -> bool:
    """Whether a place is in a library whose text is not here."""
    return position.source is not None and not position.source.text


def with_orders(program: Program, orders: Mapping[OrderSpot, str | None]) -> Program:
    """The program with other orders in some places; None takes a fence out."""
    updated = _updates(program)

    def changed(statement: Statement) -> Statement | None:
        for spot, _ in _orders(program, statement, updated):
            if spot in orders and isinstance(statement, Ordered):
                order = orders[spot]
                if order is None or (order == "relaxed" and is_fence(statement)):
                    return None  # a relaxed fence orders nothing
                statement = _with(statement, spot.failing, order)
        return statement

    def of(edge: Edge) -> Edge:
        return replace(edge, statements=tuple(s for s in map(changed, edge.statements) if s is not None))

    return with_edges(program, lambda edges: tuple(map(of, edges)))


def strongest(spot: OrderSpot, said: Said) -> str:
    """The order that is as strong as can be in a place without being seq_cst, and no weaker than what is there."""
    if said.order == "seq_cst":
        return said.order
    if spot.failing or isinstance(said.statement, Load):
        return "acquire"
    return "release" if isinstance(said.statement, Store) else "acq_rel"


def is_fence(statement: Statement) -> bool:
    """Whether it is a fence, or a write that stands for one: `fence.sc` of PTX."""
    return isinstance(statement, Fence) or (isinstance(statement, Store) and "hidden" in statement.tags)


def _updates(program: Program) -> set[OrderSpot]:
    """Where updates are: a load there is that of one that fails, as compilers make it of a weak compare-exchange."""
    return {
        spot_of(program, statement.position)
        for statement in statements(program)
        if isinstance(statement, Rmw) or is_of_update(statement)
    }


def is_of_update(statement: Statement) -> bool:
    """Whether it is one of the accesses that an update of several parts is made of."""
    return isinstance(statement, Load | Store) and statement.order in (UPDATE, FAILED)


def order_of(statement: Load | Store) -> str | None:
    """The order of an access; of one that an update of several parts is made of, that of the update."""
    if is_of_update(statement):
        return next((tag for tag in statement.tags if tag in ORDERS), None)
    return statement.order


def statements(program: Program) -> Iterator[Statement]:
    """All statements of a program."""
    for process in program.processes:
        bodies: tuple[Process | Procedure, ...] = (process, *process.procedures)
        for body in bodies:
            for edge in body.edges:
                yield from edge.statements


def _orders(program: Program, statement: Statement, updated: set[OrderSpot]) -> Iterator[tuple[OrderSpot, str | None]]:
    """The places of a statement, with its orders there."""
    if isinstance(statement, Load | Store):
        spot = spot_of(program, statement.position)
        failing = isinstance(statement, Load) and statement.order != UPDATE and spot in updated
        yield spot._replace(failing=failing), order_of(statement)
    elif isinstance(statement, Rmw) and statement.orders:
        spot = spot_of(program, statement.position)
        yield spot, statement.orders[0]
        if statement.op in CONDITIONAL_RMWS and len(statement.orders) > 1:
            yield spot._replace(failing=True), statement.orders[-1]
    elif isinstance(statement, Fence) and not statement.inserted:
        yield spot_of(program, statement.position), statement.tag or "fence"


def _with(statement: Ordered, failing: bool, order: str) -> Ordered:
    """An access with one of its orders changed."""
    if isinstance(statement, Rmw) and failing:
        return replace(statement, orders=(statement.orders[0], order))
    if isinstance(statement, Fence):  # beside an access, in a function of a library that is called there
        return replace(statement, tag=order)
    return with_order(statement, order)


def with_order(statement: Load | Store | Rmw, order: str) -> Load | Store | Rmw:
    """An access with another order; of an update, its own, not that of one that does not write."""
    if isinstance(statement, Rmw):
        return replace(statement, orders=(order, *statement.orders[1:]))
    if is_of_update(statement):
        return replace(statement, tags=tuple(order if tag in ORDERS else tag for tag in statement.tags))
    return replace(statement, order=order)
