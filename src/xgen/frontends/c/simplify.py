"""Steps without what nobody needs: assignments of locals that nothing reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from xgen.frontends.assembly import Branch, Step
from xgen.program import automaton as xcfa
from xgen.program.automaton import Deref, Expression, Name, postorder


def simplified(steps: list[Step]) -> list[Step]:
    """The steps without assignments to locals that no step reads."""
    read_by = [(step, frozenset(reads(step))) for step in steps]
    while True:
        read = frozenset[str]().union(*(names for _, names in read_by))
        useful = [(s, names) for s, names in read_by if not (isinstance(s, xcfa.Assign) and s.target.name not in read)]
        if len(useful) == len(read_by):
            return [step for step, _ in useful]
        read_by = useful


def expressions(step: Step) -> Iterator[Expression]:
    """The expressions that a step evaluates."""
    match step:
        case Branch(condition):
            if condition is not None:
                yield condition
        case xcfa.Assign(_, value):
            yield value
        case xcfa.Load():
            yield from _address(step.place)
        case xcfa.Store(value, place) | xcfa.StoreExclusive(_, value, place):
            yield value
            yield from _address(place)
        case xcfa.Rmw():
            yield from step.arguments
            yield from _address(step.place)
        case xcfa.Assume(condition) | xcfa.Assert(condition):
            yield condition
        case xcfa.Predict():
            yield step.value
        case xcfa.Select():
            yield from (step.choice, step.positive, step.negative)
        case xcfa.Havoc(_, bounds):
            yield from bounds or ()
        case xcfa.Lifetime():
            yield from _address(step.place)
        case xcfa.Mutex():
            if isinstance(step.mutex, Deref | xcfa.Place):
                yield from _address(step.mutex)
        case _:
            pass


def _address(place: xcfa.AnyPlace) -> Iterator[Expression]:
    if isinstance(place, Deref):
        yield place.address
    else:
        yield from place.indices


def reads(step: Step) -> Iterator[str]:
    """The locals that a step reads."""
    for expression in expressions(step):
        for part in postorder(expression):
            if isinstance(part, Name):
                yield part.name
    if isinstance(step, xcfa.Bound):
        yield step.counter.name


def sources(steps: Iterable[Step]) -> dict[str, set[str]]:
    """By the locals that assignments give values to: the locals that these values are made of."""
    found = dict[str, set[str]]()
    for step in steps:
        if isinstance(step, xcfa.Assign):
            found.setdefault(step.target.name, set()).update(reads(step))
    return found


def closed(names: Iterable[str], on: Mapping[str, set[str]]) -> set[str]:
    """Some names, and all that they lead to."""
    found = set(names)
    todo = list(found)
    while todo:
        more = on.get(todo.pop(), set()) - found
        found |= more
        todo += more
    return found


def locals_of(step: Step) -> set[str]:
    """The locals that a step reads or writes."""
    found = set(reads(step))
    match step:
        case xcfa.Assign() | xcfa.Load() | xcfa.Havoc() | xcfa.Predict() | xcfa.Select():
            found.add(step.target.name)
        case xcfa.StoreExclusive():
            found.add(step.status.name)
        case xcfa.Rmw() if step.target is not None:
            found.add(step.target.name)
        case _:
            pass
    return found
