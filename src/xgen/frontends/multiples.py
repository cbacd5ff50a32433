"""What a number is a multiple of, by what is assigned to locals: how large the parts are that are copied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd

from xgen.frontends.assembly import Step
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, Conditional, Expression, IntLiteral, Name, Wrap
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Multiple:
    """Any multiple of a number, and so many more; of 0: the number itself."""

    of: int
    more: int


_ANY = Multiple(1, 0)


def multiple(expression: Expression, steps: Sequence[Step]) -> Multiple:
    """What a number is likely to be a multiple of, by all that is assigned to the locals in it."""
    assigned: dict[str, list[Expression]] = {}
    for step in steps:
        if isinstance(step, xcfa.Assign):
            assigned.setdefault(step.target.name, []).append(step.value)
    found: dict[str, Multiple | None] = {}

    def of_name(name: str) -> Multiple | None:
        if name not in found:
            found[name] = None  # while it is asked for: a loop
            found[name] = _any_of([of(value) for value in assigned.get(name, ())]) or _ANY
        return found[name]

    def of(part: Expression) -> Multiple | None:
        match part:
            case IntLiteral(value):
                return Multiple(0, value)
            case Name(name):
                return of_name(name)
            case Wrap(inner):
                return of(inner)
            case Conditional(_, positive, negative):
                return _any_of([of(each) for each in (positive, negative) if each != IntLiteral(-1)])
            case Binary(op, left, right):
                return _combined(op, of(left) or _ANY, of(right) or _ANY)
        return _ANY

    return of(expression) or _ANY


def part_of(expression: Expression, steps: Sequence[Step]) -> int:
    """How many bytes at a time something is done with as many as a number says: it may be a multiple of them."""
    found = multiple(expression, steps)
    return max(gcd(found.of, found.more), 1)


def _any_of(these: Iterable[Multiple | None]) -> Multiple | None:
    found: Multiple | None = None
    for each in these:
        if found is None or each is None:
            found = found or each
        else:
            found = _reduced(gcd(found.of, each.of, found.more - each.more), found.more)
    return found


def _combined(op: str, a: Multiple, b: Multiple) -> Multiple:
    """What comes of two numbers."""
    if op in ("shl", "bitand") and b.of:
        return _ANY
    match op:
        case "+" | "-":
            more = a.more + b.more if op == "+" else a.more - b.more
            return Multiple(gcd(a.of, b.of), more)
        case "*":
            return _reduced(gcd(a.of * b.of, a.of * b.more, b.of * a.more), a.more * b.more)
        case "shl":
            return Multiple(a.of << (b.more & 63), a.more << (b.more & 63))
        case "bitand" if b.more:
            return Multiple(b.more & -b.more, 0)
    return _ANY


def _reduced(of: int, more: int) -> Multiple:
    return Multiple(of, more % of if of else more)
