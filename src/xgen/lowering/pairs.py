"""Pairs of exclusive accesses that are taken as updates of one instruction.

    old <- x @exclusive; store-exclusive(status, new, x); assume status = 0

Nothing comes between the two in their thread, and one that fails leads nowhere: that is how updates are compiled
(--on armv8, power, riscv). Where a model says that nobody writes between the two, and that each location's accesses
are in one order that respects each thread, the store comes right behind what the load reads, as the write of an update
does: a write between them is no other thread's; one of the thread itself comes before the load in program order, which
then reads what is older, or behind the store, which is then newer. So the executions are the same, and the core does
not build those in which somebody comes between.

The tags are those of the pair, and so are the dependencies (Rmw.pair): of the store on what the load has read, by its
value or by the branch between them; and of all that follows on that the store has succeeded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from xgen.lowering.expressions import fallible
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, IntLiteral, Name, Wrap
from xgen.program.rewrite import parts
from xgen.records import replace

Edges: TypeAlias = tuple[xcfa.Edge, ...]
_KINDS = {operator: op for op, operator in xcfa.UPDATE_OPERATORS.items()}


class _Stray(Exception):
    """A store exclusive of which it is not seen which load it pairs with, or a store that may fail."""


def with_updates(program: xcfa.Program, failing: bool = True) -> xcfa.Program:
    """The program with such pairs as updates, with those that may fail if `failing`; itself if there is a store of
    which it is not seen what it belongs to, or a status that is used otherwise."""
    stores = [s for s in parts(program.processes, (xcfa.StoreExclusive,)) if isinstance(s, xcfa.StoreExclusive)]
    if not stores:
        return program
    statuses = {store.status.name for store in stores}
    used = [n for n in parts(program.processes, (Name,)) if isinstance(n, Name) and n.name in statuses]
    if len(used) != 2 * len(stores):
        return program
    try:
        return replace(program, processes=tuple(_process(each, failing) for each in program.processes))
    except _Stray:
        return program


def _process(process: xcfa.Process, failing: bool) -> xcfa.Process:
    def made(body: xcfa.Process | xcfa.Procedure) -> Edges:
        return _joined(body.locations if failing else (), body.edges)

    procedures = tuple(replace(each, edges=made(each)) for each in process.procedures)
    return replace(process, edges=made(process), procedures=procedures)


def _joined(forks: Sequence[xcfa.Location], edges: Edges) -> Edges:
    into: dict[str, list[list[xcfa.Statement]]] = {}
    out: dict[str, list[list[xcfa.Statement]]] = {}
    found = [list(edge.statements) for edge in edges]
    for edge, statements in zip(edges, found, strict=True):
        into.setdefault(edge.target.name, []).append(statements)
        out.setdefault(edge.source.name, []).append(statements)
        if not all(_succeeds(statements, n) for n, s in enumerate(statements) if isinstance(s, xcfa.StoreExclusive)):
            raise _Stray
    for location in forks:
        before, behind = into.get(location.name, []), out.get(location.name, [])
        if location.kind is None and len(before) == 1 and len(behind) == 2:
            _join_fork(before[0], *behind)
    for statements in found:
        _join_next(statements)
    for edge, statements in zip(edges, found, strict=True):
        if _is_stray(statements, into.get(edge.source.name, [])):
            raise _Stray
    return tuple(replace(edge, statements=tuple(made)) for edge, made in zip(edges, found, strict=True))


def _succeeds(statements: Sequence[xcfa.Statement], number: int) -> bool:
    """Whether it is assumed right behind a store exclusive that it has not failed."""
    store = statements[number]
    assert isinstance(store, xcfa.StoreExclusive)
    return tuple(statements[number + 1 : number + 2]) == (xcfa.Assume(Binary("=", store.status, IntLiteral(0))),)


def _join_next(statements: list[xcfa.Statement]) -> None:
    """Joins pairs that are next to each other, in the list itself."""
    for number in range(len(statements) - 3, -1, -1):
        load, store = statements[number : number + 2]
        if isinstance(load, xcfa.Load) and load.exclusive and isinstance(store, xcfa.StoreExclusive):
            update = _update(load, store) if _succeeds(statements, number + 1) else None
            if update is not None:
                statements[number : number + 3] = [update]


def _join_fork(start: list[xcfa.Statement], first: list[xcfa.Statement], second: list[xcfa.Statement]) -> None:
    """Joins a load at the end of an edge with the store on one of two edges that go on from there, by what it reads."""
    load = start[-1] if start else None
    for way, other in ((first, second), (second, first)):
        if not isinstance(load, xcfa.Load) or not load.exclusive or len(way) < 3 or not other:
            continue
        writes, store, fails = way[0], way[1], other[0]
        if not isinstance(store, xcfa.StoreExclusive) or not _succeeds(way, 1):
            continue
        update = _conditional(load, store, writes, fails)
        if update is not None:
            start[-1] = update
            del way[1:3]
            return


def _update(load: xcfa.Load, store: xcfa.StoreExclusive) -> xcfa.Rmw | None:
    """The update that always writes."""
    value, bits = store.value, None
    if isinstance(value, Wrap):
        bits = -value.bits if value.signed else value.bits
        value = value.operand
    op, argument = "exchange", store.value
    if isinstance(value, Binary) and value.left == load.target and value.op in _KINDS:
        op, argument = _KINDS[value.op], value.right
    else:
        bits = None
    return _made(load, store, op, (argument,), bits)


def _conditional(
    load: xcfa.Load, store: xcfa.StoreExclusive, writes: xcfa.Statement, fails: xcfa.Statement
) -> xcfa.Rmw | None:
    """The compare-exchange, if that is what the two ways are."""
    if not isinstance(writes, xcfa.Assume) or not isinstance(fails, xcfa.Assume):
        return None
    test = writes.condition
    if not isinstance(test, Binary) or test.op != "=" or test.left != load.target:
        return None
    if fails.condition != Binary("/=", test.left, test.right):
        return None
    return _made(load, store, "cas", (test.right, store.value))


def _made(
    load: xcfa.Load,
    store: xcfa.StoreExclusive,
    op: str,
    arguments: tuple[xcfa.Expression, ...],
    bits: int | None = None,
) -> xcfa.Rmw | None:
    names = {name.name for name in parts((load.place, *arguments), (Name,)) if isinstance(name, Name)}
    changed = names & {load.target.name, store.status.name}
    if changed or load.place != store.place or load.atomic or load.blind or any(map(fallible, arguments)):
        return None
    return xcfa.Rmw(
        load.target,
        op,
        load.place,
        arguments,
        position=load.position,
        read_tags=tuple(_tags(load.order, load.tags)),
        write_tags=tuple(_tags(store.order, store.tags)),
        bits=bits,
        pair=True,
    )


def _tags(order: str | None, tags: Sequence[str]) -> Iterator[str]:
    yield "exclusive"
    yield from (tag for tag in (order, *tags) if tag is not None)


def _is_stray(statements: Sequence[xcfa.Statement], before: Sequence[Sequence[xcfa.Statement]]) -> bool:
    """Whether an edge has a store exclusive that pairs with no load on the edge, or at the end of the one before it."""
    loads = len(before) == 1 and bool(before[0]) and _is_exclusive(before[0][-1])
    for statement in statements:
        if _is_exclusive(statement):
            loads = True
        elif isinstance(statement, xcfa.StoreExclusive):
            if not loads:
                return True
            loads = False
    return False


def _is_exclusive(statement: xcfa.Statement) -> bool:
    return isinstance(statement, xcfa.Load) and statement.exclusive
