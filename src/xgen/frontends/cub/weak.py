"""What a system with weak cells has to keep to, for its steps to be those of a machine with store buffers.

A process sees at once what it, or anybody, does to a regular cell. So a regular cell belongs to one process; else it
would tell others when a write was issued, before the write can be seen (Conchon, Declerck, Zaidi, 2018, section 3).
"""

from __future__ import annotations

from collections.abc import Iterator

from xgen.errors import UnsupportedError
from xgen.frontends.cub.system import Access, Case, Literal, Process, System, Term, Transition, Update, accesses


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
        array = system.arrays[update.array]
        for case in update.cases:
            inside = _inside(update, case, transition.actor)
            for access in (*accesses(case.condition), *_cells(case.value)):
                # A cell of the update itself, where that is the actor's.
                if not (inside and access.index and access.index[0] == update.index[0]):
                    if access.array == update.array and access.index == update.index and not array.weak:
                        continue
                    yield access
            if not inside and not _unchanged(update, case):
                yield Access(update.array, update.index, position=update.position)


def _inside(update: Update, case: Case, actor: int | None) -> bool:
    """Whether the case says that the first index is the process that acts."""
    if not update.index or actor is None:
        return False
    first = Process(update.index[0])
    wanted = (Literal("=", first, Process(actor)), Literal("=", Process(actor), first))
    return first.process == actor or all(any(w in part for w in wanted) for part in case.condition)


def _unchanged(update: Update, case: Case) -> bool:
    value = case.value
    return isinstance(value, Access) and (value.array, value.index, value.offset) == (update.array, update.index, 0)


def _cells(term: Term | None) -> tuple[Access, ...]:
    return (term,) if isinstance(term, Access) else ()
