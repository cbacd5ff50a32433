"""Mutexes that are tried by threads which, if one is held, undo what they have done, and try again.

`std::scoped_lock` locks one mutex, tries the others, and gives all back if one of these is held. So do loops around
`pthread_mutex_trylock`. Each such round could be left out, like one in which a mutex is locked and unlocked, if
nobody saw that the mutex was held meanwhile. Who tries it sees that; but if whoever finds a mutex held is in such a
round himself, all of these rounds are left out at once, and nobody is left who has seen one.

That is so if each try is in rounds from an instruction `head`, where a loop comes back to: the thread comes there
before it comes to the try; between the two it locks, tries and unlocks mutexes, and loads; and if one of the tries
fails it comes back to the head, holds what it held there, and has done nothing else, with the same locals as far as
they matter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from xgen._core import Op, RmwKind
from xgen.lowering.analysis.known import Stand, Unclear, stops
from xgen.lowering.analysis.liveness import live_registers
from xgen.lowering.analysis.value_sets import accessed_cells, held_values
from xgen.lowering.code import READS, Code
from xgen.records import dataclass, replace

MOST_WAYS = 200
"""So many ways of a thread through events are looked at, from one head."""


def tries_are_undone(code: Code) -> bool:
    """Whether all tries of mutexes that find them held are in rounds that undo what they have done."""
    tries = tries_of(code)
    if code.parts is not None or any(thread.block >= 0 for thread in code.threads) or not _are_simple(code, tries):
        return False
    for thread, (first, last) in zip(code.threads, code.ranges, strict=True):
        own = {pc for pc in tries if first <= pc < last}
        if own:
            live = live_registers(code, first, last, thread)
            for head in _heads(code, first, last):
                own -= _Rounds(code, head, live[head - first]).tries(thread.entry)
        if own:
            return False
    return True


def _are_simple(code: Code, tries: Collection[int]) -> bool:
    """Whether tries are all that looks at the mutexes that they try, and these are never destroyed."""
    accessed, held = accessed_cells(code), held_values(code)
    tried = set[int]()
    for pc in tries:
        rmw, cells = code.rmws[code.instructions[pc].c], accessed[pc]
        if rmw.kind is not RmwKind.CAS or cells is None or rmw.expected >= 0 or rmw.operand >= 0:
            return False
        if (code.constants[~rmw.expected], code.constants[~rmw.operand]) != (0, 1):
            return False
        tried |= cells
    for pc, i in enumerate(code.instructions):
        looks = i.op in READS and pc not in tries and not (i.op is Op.RMW and code.rmws[i.c].kind is RmwKind.LOCK)
        cells = accessed[pc]
        if looks and (cells is None or not tried.isdisjoint(cells)):
            return False
    return all((held[cell] or frozenset((2,))) <= {0, 1} for cell in tried)


def tries_of(code: Code) -> list[int]:
    """Where threads try to take a mutex."""
    return [pc for pc, i in enumerate(code.instructions) if i.op is Op.RMW and is_try(code, pc)]


def is_try(code: Code, pc: int) -> bool:
    """Whether an update may take a mutex and goes on where that is held."""
    rmw = code.rmws[code.instructions[pc].c]
    return rmw.kind is not RmwKind.LOCK and "lock" in code.classes[rmw.read_class].tags


def backs_off(code: Code, pc: int) -> bool:
    """Whether an instruction is a try by a library that takes several mutexes (`std::lock`): that threads which do so
    come on is taken for granted."""
    i = code.instructions[pc]
    return i.op is Op.RMW and "back-off" in code.classes[code.rmws[i.c].read_class].tags


def _heads(code: Code, first: int, last: int) -> list[int]:
    """Where loops come back to."""
    return sorted({target for pc in range(first, last) for target in code.successors(pc) if target <= pc})


def _reachable(code: Code, starts: Iterable[int], without: int) -> set[int]:
    """The instructions that a thread may come to from some, but by way of one."""
    seen, left = set[int](), [pc for pc in starts if pc != without]
    while left:
        pc = left.pop()
        if pc not in seen:
            seen.add(pc)
            left += (target for target in code.successors(pc) if target != without)
    return seen


@dataclass(frozen=True, slots=True)
class _Held:
    """A thread since it was at the head: where it stands, what mutexes it has taken, whether a try has failed."""

    stand: Stand
    mutexes: tuple[int, ...] = ()
    failed: bool = False


class _Rounds:
    """The rounds from a head. `live`: the registers that matter there."""

    def __init__(self, code: Code, head: int, live: frozenset[int]) -> None:
        self.code = code
        self.head = head
        self.live = live
        self.found = set[int]()
        """The tries that they come to."""

    def tries(self, entry: int) -> set[int]:
        """Those that only its rounds have, if each round undoes what it has done; else none."""
        try:
            left = set(self._ends())
        except Unclear:
            return set()
        others = _reachable(self.code, [entry, *left], self.head)
        return set() if self.found & others else self.found

    def _ends(self) -> Iterator[int]:
        """Where rounds end in which no try has failed: what comes after that is others' matter."""
        left = [_Held(stand) for stand in stops(self.code, Stand(self.head, {}))]
        for _ in range(MOST_WAYS):
            if not left:
                return
            now = left.pop()
            goes_on = [] if now.stand.blocked else list(self._goes_on(now))
            if not goes_on and not self._waits_for_itself(now):
                if now.failed:
                    raise Unclear
                yield now.stand.pc
            for after in goes_on:
                for stand in stops(self.code, after.stand, self.head):
                    reached = replace(after, stand=stand)
                    if stand.pc != self.head:
                        left.append(reached)
                    elif after.failed and (after.mutexes or stand.assigned & self.live):
                        raise Unclear
        raise Unclear

    def _waits_for_itself(self, now: _Held) -> bool:
        """Whether the thread waits for ever for what it holds."""
        i = self.code.instructions[now.stand.pc]
        return i.op is Op.RMW and self.code.rmws[i.c].kind is RmwKind.LOCK and self._cell(now.stand) in now.mutexes

    def _goes_on(self, now: _Held) -> Iterator[_Held]:
        """What an event of a round makes of it; nothing, if it is none."""
        code, stand = self.code, now.stand
        i, cell = code.instructions[stand.pc], self._cell(stand)
        if i.op is Op.FENCE:
            yield _Held(stand.after({}), now.mutexes, now.failed)
        elif i.op is Op.LOAD:
            yield _Held(stand.after({i.dst: None}), now.mutexes, now.failed)
        elif i.op is Op.RMW and cell is not None and (is_try(code, stand.pc) or code.rmws[i.c].kind is RmwKind.LOCK):
            if now.failed and now.mutexes and not is_try(code, stand.pc):  # it may wait there, and others for it
                raise Unclear
            if cell not in now.mutexes:
                yield _Held(stand.after(_read(i.dst, 0)), (*now.mutexes, cell), now.failed)
            if code.rmws[i.c].kind is not RmwKind.LOCK:
                self.found.add(stand.pc)
                yield _Held(stand.after(_read(i.dst, 1)), now.mutexes, failed=True)
        elif i.op is Op.UNLOCK and cell in now.mutexes:
            yield _Held(stand.after({}), tuple(c for c in now.mutexes if c != cell), now.failed)

    def _cell(self, stand: Stand) -> int | None:
        """The cell of the event at which it stands."""
        i = self.code.instructions[stand.pc]
        return stand.value(self.code, self.code.rmws[i.c].address if i.op is Op.RMW else i.a)


def _read(register: int, value: int) -> dict[int, int | None]:
    return {register: value} if register >= 0 else {}
