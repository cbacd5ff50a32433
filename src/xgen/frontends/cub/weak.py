"""What a system with weak cells has to keep to, for its steps to be those of a machine with store buffers.

A process sees at once what it, or anybody, does to a regular cell. So a regular cell belongs to one process; else it
would tell others when a write was issued, before the write can be seen (Conchon, Declerck, Zaidi, 2018, section 3).
"""

from __future__ import annotations

from collections.abc import Iterator

from xgen.errors import UnsupportedError
from xgen.systems.parameterised import Access, Case, Condition, Process, System, Term, Transition, Update, accesses


def check_weak(system: System) -> None:
    """Raises UnsupportedError where a regular cell is shared in a system with weak cells."""
    if not any(array.weak for array in system.arrays):
        return
    for array in system.arrays:
        if not (array.weak or array.constant or array.arity):
            message = f"beside weak cells there is no shared variable that is not weak: `{array.name}`"
            raise UnsupportedError(message, system.source, array.position, "declare it as `weak var`, or as an array")
    for transition in system.transitions:
        for access in _accessed(system, transition):
            if not _owned(system, access, transition.actor):
                name = system.arrays[access.array].name
                message = f"beside weak cells `{name}` is accessed at the process that acts only"
                hint = "a regular array is local to each process; declare it as `weak array` to share it"
                raise UnsupportedError(message, system.source, access.position, hint)


def _owned(system: System, access: Access, actor: int | None) -> bool:
    array = system.arrays[access.array]
    return array.weak or array.constant or (actor is not None and access.index[0] == actor)


def _accessed(system: System, transition: Transition) -> Iterator[Access]:
    """The cells that a transition accesses; those of other processes that an update leaves as they are do not count."""
    for rule in transition.rules:
        yield from accesses((rule.literals,))
        for universal in rule.universals:
            yield from accesses(universal.condition)
    for update in transition.updates:
        for case in update.cases:
            yield from _of_case(system, update, case, transition.actor)


def _of_case(system: System, update: Update, case: Case, actor: int | None) -> Iterator[Access]:
    """What a case accesses: where the first index is the process that acts, and elsewhere."""
    own = not system.arrays[update.array].weak
    here, elsewhere = _split(update, case.condition, actor)
    if here:
        for access in (*accesses(here), *_cells(case.value)):
            if not (access.index and access.index[0] == update.index[0]):
                yield access
    if elsewhere:
        for access in (*accesses(elsewhere), *_cells(case.value)):
            if not (own and access.array == update.array and access.index == update.index):
                yield access
        if not _unchanged(update, case):
            yield Access(update.array, update.index, position=update.position)


def _split(update: Update, condition: Condition, actor: int | None) -> tuple[Condition, Condition]:
    """The condition where the first index is the process that acts, and where it is another one."""
    if not update.index or actor is None:
        return (), condition
    first = update.index[0]
    if first == actor:
        return condition, ()
    if first not in update.fresh:
        return (), condition
    return _known(condition, first, actor, "="), _known(condition, first, actor, "<>")


def _known(condition: Condition, first: int, actor: int, relation: str) -> Condition:
    """The condition where `first relation actor` holds."""
    sides = {Process(first), Process(actor)}
    parts = []
    for part in condition:
        said = [literal.relation for literal in part if {literal.left, literal.right} == sides]
        if all(word == relation for word in said):
            parts.append(tuple(literal for literal in part if {literal.left, literal.right} != sides))
    return ((),) if () in parts else tuple(parts)


def _unchanged(update: Update, case: Case) -> bool:
    value = case.value
    return isinstance(value, Access) and (value.array, value.index, value.offset) == (update.array, update.index, 0)


def _cells(term: Term | None) -> tuple[Access, ...]:
    return (term,) if isinstance(term, Access) else ()
