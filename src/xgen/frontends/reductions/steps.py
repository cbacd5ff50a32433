"""What steps read and write; steps without assignments of locals that no step reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from xgen.frontends.assembly import Branch, Step
from xgen.program import automaton as xcfa
from xgen.program import uses


def simplified(steps: list[Step]) -> list[Step]:
    """The steps without assignments to locals that no step reads."""
    read_by = [(step, frozenset(reads(step))) for step in steps]
    while True:
        read = frozenset[str]().union(*(names for _, names in read_by))
        useful = [(s, names) for s, names in read_by if not (isinstance(s, xcfa.Assign) and s.target.name not in read)]
        if len(useful) == len(read_by):
            return [step for step, _ in useful]
        read_by = useful


def reads(step: Step) -> Iterator[str]:
    """The locals that a step reads."""
    if isinstance(step, Branch):
        return uses.names_in(() if step.condition is None else (step.condition,))
    return uses.reads(step)


def written(step: object) -> str | None:
    """The local that a step writes."""
    target = uses.written(step)
    return None if target is None else target.name


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
    target = uses.written(step)
    return {*reads(step)} if target is None else {*reads(step), target.name}
