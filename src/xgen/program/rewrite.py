"""Finding parts of programs; replacing names in expressions and statements, and statements that not all know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeGuard, TypeVar

from xgen.errors import Position, Source
from xgen.program import automaton as xcfa
from xgen.program import uses
from xgen.program.expressions import COMPARED, COMPUTED
from xgen.records import replace, tuple_of

S = TypeVar("S")
Leaf = Callable[[xcfa.Name, tuple[xcfa.Expression, ...]], xcfa.Expression]
"""What stands for a name; for an element of an array, with its indices."""

TARGETS = frozenset({"target", "status", "counter", "choice", "local"})
"""The fields of statements that name a local."""


def parts(root: object, kinds: tuple[type, ...]) -> Iterator[object]:
    """All parts of a part of a program that are of some kinds, also inside each other."""
    stack = [root]
    while stack:
        part = stack.pop()
        kind = type(part)
        if kind is tuple:
            stack.extend(part)  # type: ignore[arg-type]
            continue
        inside = _INSIDE[kind] if kind in _INSIDE else _inside(kind)
        if inside is not None:
            if isinstance(part, kinds):
                yield part
            stack.extend(inside(part))


_INSIDE: dict[type, Callable[[Any], tuple[Any, ...]] | None] = {Position: None, Source: None}
"""What gives the parts of things of a kind, which are parts of the program; None: they are none."""
_PLAIN = frozenset(["str", "int", "bool", "float", "None", "Position", "Source"])
"""Types of fields in which there is no part."""


def _inside(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    if not is_dataclass(kind):
        _INSIDE[kind] = None
        return None
    names = [field.name for field in fields(kind) if not _PLAIN.issuperset(str(field.type).split(" | "))]
    found: Callable[[Any], tuple[Any, ...]] = tuple_of(names)
    _INSIDE[kind] = found
    return found


def with_edges(program: xcfa.Program, of: Callable[[tuple[xcfa.Edge, ...]], tuple[xcfa.Edge, ...]]) -> xcfa.Program:
    """The program with other edges in the place of those of each process and of each procedure."""

    def changed(process: xcfa.Process) -> xcfa.Process:
        procedures = tuple(replace(procedure, edges=of(procedure.edges)) for procedure in process.procedures)
        return replace(process, edges=of(process.edges), procedures=procedures)

    return replace(program, processes=tuple(map(changed, program.processes)))


def rewrite(expression: xcfa.Expression, leaf: Leaf) -> xcfa.Expression:
    """The expression with its names replaced. Not recursive, so that depth does not matter."""
    stack: list[xcfa.Expression] = []
    for part in xcfa.postorder(expression):
        count = len(xcfa.operands(part))
        inside = tuple(stack[len(stack) - count :])
        del stack[len(stack) - count :]
        stack.append(leaf(part, inside) if isinstance(part, xcfa.Name) else with_operands(part, inside))
    return stack.pop()


def with_operands(part: xcfa.Expression, inside: Sequence[xcfa.Expression]) -> xcfa.Expression:
    """An expression with other operands."""
    if all(one is other for one, other in zip(xcfa.operands(part), inside, strict=True)):
        return part
    match part:
        case xcfa.Unary() | xcfa.Wrap() | xcfa.Index():
            return replace(part, operand=inside[0])
        case xcfa.Binary():
            return replace(part, left=inside[0], right=inside[1])
        case xcfa.Conditional():
            return replace(part, condition=inside[0], positive=inside[1], negative=inside[2])
        case xcfa.AddressOf(xcfa.Deref() as place):
            return replace(part, place=replace(place, address=inside[0]))
        case xcfa.AddressOf(xcfa.Place() as place):
            return replace(part, place=replace(place, indices=tuple(inside)))
        case _:
            return part


def rewrite_place(place: xcfa.AnyPlace, leaf: Leaf) -> xcfa.AnyPlace:
    if isinstance(place, xcfa.Deref):
        return replace(place, address=rewrite(place.address, leaf))
    return replace(place, indices=tuple(rewrite(index, leaf) for index in place.indices))


def rewrite_statement(statement: S, leaf: Leaf) -> S:
    """The statement with the names in its expressions and places replaced; not those of the locals that it changes."""
    return uses.changed(statement, lambda value: rewrite(value, leaf), lambda place: rewrite_place(place, leaf))


def folded(expression: xcfa.Expression, alike: bool = False) -> xcfa.Expression:
    """An expression with what is known worked out; `alike`: also `e ^ e`, which depends on e."""
    stack: list[xcfa.Expression] = []
    for part in xcfa.postorder(expression):
        count = len(xcfa.operands(part))
        inside = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        stack.append(_worked_out(part, inside, alike))
    return stack.pop()


def _worked_out(part: xcfa.Expression, inside: Sequence[xcfa.Expression], alike: bool) -> xcfa.Expression:
    """An operation on what is worked out."""
    numbers = [each.value for each in inside if isinstance(each, xcfa.IntLiteral)]
    whole = len(numbers) == len(inside)
    match part:
        case xcfa.Wrap(_, bits, sign) if whole:
            low = numbers[0] & (1 << bits) - 1
            return xcfa.IntLiteral(low - (1 << bits) if sign and low >> bits - 1 else low)
        case xcfa.Unary("not") if isinstance(inside[0], xcfa.BoolLiteral):
            return xcfa.BoolLiteral(not inside[0].value)
        case xcfa.Binary("bitxor") if alike and inside[0] == inside[1]:
            return xcfa.IntLiteral(0)
        case xcfa.Binary(op) if whole and op in COMPARED:
            return xcfa.BoolLiteral(COMPARED[op](*numbers))
        case xcfa.Binary(op) if whole and op in COMPUTED:
            value = COMPUTED[op](*numbers)
            if -(2**63) <= value < 2**63:
                return xcfa.IntLiteral(value)
        case xcfa.Conditional() if isinstance(inside[0], xcfa.BoolLiteral):
            return inside[1] if inside[0].value else inside[2]
        case _:
            pass
    return with_operands(part, inside)


_HIDDEN = ("hidden", "arrival")
_APART = 1 << 32
"""Bytes from the cells of one barrier to those of others."""


def with_arrivals(program: xcfa.Program, ordered: bool = True, fences: bool = True) -> xcfa.Program:
    """The program with a cell for each process, barrier and round in place of each `Meet`, for who knows none: there
    the process says that it has come, by a release, and the others wait for that, by acquires.

    There are `fences` around that, as a `join` is one: the executions are the same then, but for blocked ones and for
    these cells. Not `ordered`: only those are replaced that order nothing.
    """
    arrivals = _Arrivals(program, ordered, fences)
    if not any(map(arrivals.meets, program.processes)):
        return program
    processes = tuple(map(arrivals.process, program.processes))
    return replace(program, processes=processes, variables=(*program.variables, *arrivals.variables()))


class _Arrivals:
    """Makes the accesses of a program's barriers."""

    def __init__(self, program: xcfa.Program, ordered: bool, fences: bool) -> None:
        self.ordered = ordered
        self.fenced = fences
        # Where variables have addresses: one behind all others, to which no pointer of the program leads.
        known = [variable.address for variable in (*program.variables, *program.absent) if variable.address is not None]
        self.address = (max(known) // _APART + 2) * _APART if known else None
        self.rounds: dict[tuple[str, int], tuple[str, ...]] = {}
        self.taken = {variable.name for variable in program.variables}
        self.reads = "arrived"
        self.number = 0

    def is_meant(self, statement: xcfa.Statement) -> TypeGuard[xcfa.Meet]:
        return isinstance(statement, xcfa.Meet) and (self.ordered or not statement.orders)

    def meets(self, process: xcfa.Process) -> bool:
        """Whether a process meets others somewhere."""
        procedures = process.procedures or (process.main_procedure,)
        return any(self.is_meant(s) for one in procedures for edge in one.edges for s in edge.statements)

    def process(self, process: xcfa.Process) -> xcfa.Process:
        own = process.main_procedure
        known = {v.name for v in (*process.outer_variables, *own.variables, *own.parameters)}
        known |= {v.name for procedure in process.procedures for v in (*procedure.variables, *procedure.parameters)}
        self.reads = "arrived"
        while self.reads in known or self.reads in self.taken:
            self.reads += "_"
        if process.procedures:
            return replace(process, procedures=tuple(self.procedure(process, one) for one in process.procedures))
        made = self.procedure(process, own)
        return replace(process, locations=made.locations, edges=made.edges, variables=made.variables)

    def procedure(self, process: xcfa.Process, procedure: xcfa.Procedure) -> xcfa.Procedure:
        if not any(self.is_meant(s) for edge in procedure.edges for s in edge.statements):
            return procedure
        locations, edges = list(procedure.locations), list[xcfa.Edge]()
        for edge in procedure.edges:
            source, done = edge.source, list[xcfa.Statement]()
            for statement in edge.statements:
                if not self.is_meant(statement):
                    done.append(statement)
                    continue
                done += self.arrival(process, statement)
                for flag in self.flags(process, statement):
                    tries, looks = self.location(locations, edge), self.location(locations, edge)
                    edges.append(replace(edge, source=source, target=tries, statements=tuple(done)))
                    edges.append(replace(edge, source=tries, target=looks, statements=(self.look(flag, statement),)))
                    read = xcfa.Name(self.reads)
                    edges.append(replace(edge, source=looks, target=tries, statements=(_assume(read, 0),)))
                    source, done = looks, [_assume(read, 1)]
                done += self.fences(statement)
            edges.append(replace(edge, source=source, statements=tuple(done)))
        arrived = xcfa.Variable(self.reads, xcfa.INT, (xcfa.IntLiteral(0),), procedure.position)
        return replace(
            procedure,
            locations=tuple(locations),
            edges=tuple(edges),
            variables=(*procedure.variables, arrived),
        )

    def location(self, locations: list[xcfa.Location], edge: xcfa.Edge) -> xcfa.Name:
        names = {location.name for location in locations}
        while f"meets{self.number}" in names:
            self.number += 1
        made = xcfa.Location(f"meets{self.number}", position=edge.source.position)
        locations.append(made)
        return xcfa.Name(made.name, made.position)

    def array(self, statement: xcfa.Meet) -> str:
        """The cells of a round."""
        key = statement.barrier, statement.round
        self.rounds.setdefault(key, tuple(sorted({name.name for name in statement.group})))
        name = f"{statement.barrier}_round{statement.round}"
        while name in self.taken:
            name += "_"
        return name

    def cell(self, statement: xcfa.Meet, process: str) -> xcfa.Place:
        array = xcfa.Name(self.array(statement), statement.position)
        number = self.rounds[statement.barrier, statement.round].index(process)
        return xcfa.Place(array, (xcfa.IntLiteral(number),))

    def arrival(self, process: xcfa.Process, statement: xcfa.Meet) -> list[xcfa.Statement]:
        place = self.cell(statement, process.name)
        order, tags = ("release", ()) if statement.orders else (None, _HIDDEN)
        store = xcfa.Store(xcfa.IntLiteral(1), place, order=order, position=statement.position, tags=tags)
        return [*self.fences(statement), store]

    def fences(self, statement: xcfa.Meet) -> list[xcfa.Statement]:
        if not (statement.orders and self.fenced):
            return []
        return [xcfa.Fence("join", statement.position, ("meet", *statement.tags))]

    def flags(self, process: xcfa.Process, statement: xcfa.Meet) -> list[xcfa.Place]:
        others = sorted({name.name for name in statement.group} - {process.name})
        return [self.cell(statement, name) for name in others]

    def look(self, flag: xcfa.Place, statement: xcfa.Meet) -> xcfa.Load:
        order, tags = ("acquire", ()) if statement.orders else (None, _HIDDEN)
        return xcfa.Load(xcfa.Name(self.reads), flag, order=order, position=statement.position, tags=tags)

    def variables(self) -> Iterator[xcfa.Variable]:
        address = self.address
        for (barrier, round_), names in self.rounds.items():
            array = self.array(xcfa.Meet(barrier, round_, tuple(map(xcfa.Name, names))))
            size = max(len(names), 2)
            zeros = tuple(xcfa.IntLiteral(0) for _ in range(size))
            type_ = replace(xcfa.INT, sizes=(size,))
            if address is None:
                yield xcfa.Variable(array, type_, zeros, shown=False)
                continue
            yield xcfa.Variable(array, type_, zeros, address=address, bytes=4, shown=False)
            address += 4 * size + _APART


def _assume(read: xcfa.Name, value: int) -> xcfa.Assume:
    return xcfa.Assume(xcfa.Binary("=", read, xcfa.IntLiteral(value)))
