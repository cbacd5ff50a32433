"""Finding parts of programs; replacing names in expressions and statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

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
