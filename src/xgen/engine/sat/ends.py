"""How the threads of an execution end: whether all do, and whether those that do not are deadlocked."""

from __future__ import annotations

from xgen.engine.sat.encoding import Encoding
from xgen.engine.sat.events import Event, Stand
from xgen.engine.sat.gates import FALSE, Literal


def completes(encoding: Encoding) -> Literal:
    """Whether each thread that is started comes to its end."""
    gates, unrolled = encoding.gates, encoding.unrolled
    return gates.all(gates.either(-root, ended) for root, ended in zip(unrolled.roots, unrolled.ended, strict=True))


def deadlock(encoding: Encoding) -> Literal:
    """Whether each thread that is started ends, or waits at a join of one that does not, or at a mutex that stays
    held; and one does that."""
    gates, unrolled = encoding.gates, encoding.unrolled
    locks = [stand for stand in unrolled.stands if stand.cells]
    if not locks:
        return FALSE
    held: dict[int, list[tuple[Literal, Event]]] = {}
    waits: list[list[Literal]] = [[ended] for ended in unrolled.ended]
    at_locks = []
    for stand in unrolled.stands:
        holds = stand.holds
        if stand.cells:
            holds = gates.both(holds, _stays_held(encoding, stand, held))
            at_locks.append(holds)
        waits[stand.thread].append(holds)
    halts = [gates.either(-root, gates.any(ways)) for root, ways in zip(unrolled.roots, waits, strict=True)]
    return gates.both(gates.any(at_locks), gates.all(halts))


def _stays_held(encoding: Encoding, stand: Stand, held: dict[int, list[tuple[Literal, Event]]]) -> Literal:
    """Whether the last write to the mutex that a thread waits for leaves it waiting. `held`: the last writes that there
    may be of each mutex, as far as they were needed."""
    gates, found = encoding.gates, []
    for cell, here in stand.cells.items():
        if cell not in held:
            held[cell] = [(_is_last(encoding, write, cell), write) for write in encoding.writes[cell]]
        for last, write in held[cell]:
            stays = gates.both(-gates.equal(write.value, stand.expected), -write.value[-1])
            found.append(gates.all((here, last, stays)))
    return gates.any(found)


def _is_last(encoding: Encoding, write: Event, cell: int) -> Literal:
    """Whether a write is the last one to a cell."""
    gates, before = encoding.gates, []
    for other in encoding.writes[cell]:
        if other is not write:
            there = gates.both(other.exec, other.cells[cell])
            before.append(gates.either(-there, encoding.mo(other.number, write.number)))
    return gates.all((write.exec, write.cells[cell], *before))
