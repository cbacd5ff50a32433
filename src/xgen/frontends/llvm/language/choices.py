"""The few numbers that an expression may be, by all that is assigned to the locals in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from xgen.frontends.assembly import Branch, Step
from xgen.frontends.llvm.values import signed, unsigned
from xgen.frontends.reductions.steps import locals_of
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, Conditional, Expression, IntLiteral, Name, Unary, Wrap
from xgen.program.expressions import COMPUTED
from xgen.program.uses import written

FEW = 8


def choices(expression: Expression, steps: Sequence[Step], initial: Callable[[str], int | None]) -> set[int] | None:
    """No other numbers than these; None: there may be many. `initial`: what a local has before anything is assigned, if
    it matters."""
    assigned: dict[str, list[tuple[int, Expression]]] = {}
    unknown: set[str] = set()
    for at, step in enumerate(steps):
        if isinstance(step, xcfa.Assign):
            assigned.setdefault(step.target.name, []).append((at, step.value))
        elif isinstance(step, xcfa.Rmw) or written(step) is not None:
            unknown |= locals_of(step)
    loops, found = _loops(steps), dict[tuple[str, int], set[int] | None]()

    def of_name(name: str, before: int) -> set[int] | None:
        before = _end(loops, before)
        if (name, before) not in found:
            found[name, before] = None  # while it is asked for: a loop
            first = initial(name)
            values = [of(value, at) for at, value in assigned.get(name, ()) if at < before]
            values += [{first}] if first is not None else []
            found[name, before] = None if name in unknown or not values else _few(values)
        return found[name, before]

    def of(part: Expression, before: int) -> set[int] | None:
        match part:
            case IntLiteral(value) | BoolLiteral(value):
                return {int(value)}
            case Name(name):
                return of_name(name, before)
            case Unary("not", _):
                return {0, 1}
            case Wrap(inner, bits, has_sign):
                numbers = of(inner, before)
                wrapped = signed if has_sign else unsigned
                return None if numbers is None else {wrapped(number, bits) for number in numbers}
            case Conditional(_, positive, negative):
                return _few([of(positive, before), of(negative, before)])
            case Binary(op, left, right) if op in COMPUTED:
                one, other = of(left, before), of(right, before)
                return None if one is None or other is None else {COMPUTED[op](a, b) for a in one for b in other}
        return None

    result = of(expression, len(steps))
    return result if result is not None and len(result) <= FEW else None


def _loops(steps: Sequence[Step]) -> list[tuple[int, int]]:
    """From labels to jumps back to them."""
    labels = {step: at for at, step in enumerate(steps) if isinstance(step, str)}
    jumps = ((labels.get(step.label, at), at) for at, step in enumerate(steps) if isinstance(step, Branch))
    return [(start, end) for start, end in jumps if start < end]


def _end(loops: Sequence[tuple[int, int]], at: int) -> int:
    """What is before a place: all up to the end of the loops that it is in."""
    while (further := max((end + 1 for start, end in loops if start <= at <= end), default=at)) > at:
        at = further
    return at


def _few(sets: Iterable[set[int] | None]) -> set[int] | None:
    found: set[int] = set()
    for each in sets:
        if each is None or len(found) > FEW:
            return None
        found |= each
    return found
