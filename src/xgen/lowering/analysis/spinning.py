"""Updates that threads try again until they read another value, of cells of which nobody makes anything else.

A test-and-set lock is taken by an `exchange` that is tried again as long as it reads a 1. What it writes then is what
it has read; but others may read that, or the thread itself behind the loop, and where dependencies decide they may
see a difference: what they read has come to them by way of an update more. So a round with such an update is not left
out for what the thread alone knows (src/core/search/threads_waiting_impl.hpp).

But it is if nobody makes anything of such values: if each instruction that reads the cell, of whatever thread, comes
back to itself by each value that such an update writes, with the same locals as far as they matter, and has done
nothing meanwhile but to write that value again, and to read other cells, of which each value that they may hold leads
back. Then the rounds of all threads are left out at once. No read is left of what they have written, so that the
execution only loses events and pairs.

Where that is not so there is a reason. If a flag may also let a thread leave the loop, after a round that failed, it
may read the cell again: in Armv8 by the forwarded value of its own update, without the order that it has if it reads
from the other thread's write; then the execution with the round is one that there is not without.

An update that makes nothing of what it reads, such as an `exchange` that gives the lock back, reads such a 1 as well,
and stays. Without the rounds it reads the same from the write that they have read from. Some models see nothing of that
if they order all accesses to the cell (memory/statics/silent.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from xgen._core import Op, RmwKind
from xgen.lowering.analysis.known import Stand, Unclear, stops, wrapped
from xgen.lowering.analysis.liveness import live_at_loop_events, live_registers
from xgen.lowering.analysis.value_sets import Values, accessed_cells, held_values
from xgen.lowering.code import READS, Code, EventClass, Rmw

SPINS = -2
"""What stands for -1 before the locals that matter at such an update (`live_at_loop_events`)."""

_FAILING = (RmwKind.CAS, RmwKind.ADD_UNLESS, RmwKind.LOCK)
"""Updates that may be plain reads; the others always write."""


def _never(_: frozenset[EventClass]) -> bool:
    return False


def spinning_updates(code: Code, unseen: Callable[[frozenset[EventClass]], bool] = _never) -> frozenset[int]:
    """The updates, by instruction (of a pair of exclusive accesses, its load), of which rounds may be left out.

    `unseen`: whether the model sees nothing of it if accesses of these classes are all that there are of a cell, and
    who reads what such an update writes, and goes on, makes nothing of it.
    """
    live = live_at_loop_events(code)
    updates = [pc for pc, i in enumerate(code.instructions) if live[pc] and _always_writes(code, pc)]
    if not updates or code.parts is not None:
        return frozenset()
    accessed = accessed_cells(code)
    readers: dict[int, list[int]] = {}
    for pc, i in enumerate(code.instructions):
        if i.op in READS:
            cells = accessed[pc]
            if cells is None:
                return frozenset()
            for cell in cells:
                readers.setdefault(cell, []).append(pc)
    held = held_values(code)
    found = _Cells(code, live, accessed, held)
    spun = {}
    for cell in {cell for pc in updates for cell in accessed[pc] or ()}:
        ignores = partial(_ignores, code, accessed, cell, unseen)
        spun[cell] = found.spun(readers[cell], cell, ignores)
    return frozenset(pc for pc in updates if all(pc in spun[cell] for cell in accessed[pc] or ()))


def _always_writes(code: Code, pc: int) -> bool:
    i = code.instructions[pc]
    return i.op is Op.LOADX or (i.op is Op.RMW and code.rmws[i.c].kind not in _FAILING)


def _ignores(
    code: Code, accessed: Sequence[Values], cell: int, unseen: Callable[[frozenset[EventClass]], bool]
) -> bool:
    """What `unseen` says of the classes of all accesses to a cell."""
    found = set[int]()
    for i, cells in zip(code.instructions, accessed, strict=True):
        if cells is None or cell in cells:
            rmw = code.rmws[i.c] if i.op is Op.RMW else None
            found |= {rmw.read_class, rmw.failed_class, rmw.write_class} if rmw else {i.c}
    return unseen(frozenset(code.classes[number] for number in found))


class _Cells:
    def __init__(self, code: Code, live: list[list[int]], accessed: Sequence[Values], held: Sequence[Values]) -> None:
        self.code = code
        self.live = live
        self.accessed = accessed
        self.held = held
        self.threads = list(zip(code.threads, code.ranges, strict=True))

    def spun(self, readers: list[int], cell: int, unseen: Callable[[], bool]) -> Collection[int]:
        """Those of all that read a cell of which rounds may be left out: all come back to themselves by each value that
        it holds and one of them writes anew. If that is `unseen`, those stay, and do not have to come back, which make
        nothing of what they read."""
        values = self.held[cell]
        exclusive = {self.code.instructions[pc].op is Op.LOADX for pc in readers if _always_writes(self.code, pc)}
        if values is None or len(exclusive) > 1:
            return ()
        blind = [pc for pc in readers if self._is_blind(pc)]
        if blind and unseen():
            readers = [pc for pc in readers if pc not in blind]
        try:
            tried = [pc for pc in readers if self.live[pc]]
            again = [value for value in sorted(values) if any(self._writes_again(pc, value) for pc in tried)]
            return tried if all(self._comes_back(pc, value) for pc in readers for value in again) else ()
        except Unclear:
            return ()

    def _is_blind(self, pc: int) -> bool:
        """Whether nothing is made of what the load of a pair reads."""
        i = self.code.instructions[pc]
        if i.op is not Op.LOADX or i.dst < 0:
            return False
        thread, (first, last) = next((t, r) for t, r in self.threads if r[0] <= pc < r[1])
        live = live_registers(self.code, first, last, thread)
        return i.dst not in thread.shown and not any(i.dst in live[n - first] for n in self.code.successors(pc))

    def _writes_again(self, pc: int, value: int) -> bool:
        """Whether an update that reads the value may write it."""
        i = self.code.instructions[pc]
        if i.op is Op.RMW:
            rmw = self.code.rmws[i.c]
            return rmw.kind not in _FAILING and _written(self.code, rmw, value) in (value, None)
        if i.op is not Op.LOADX:
            return False
        stores = (stand for stand in self._events(pc, value) if self.code.instructions[stand.pc].op is Op.STOREX)
        return any(s.value(self.code, self.code.instructions[s.pc].b) in (value, None) for s in stores)

    def _comes_back(self, pc: int, value: int) -> bool:
        """Whether an instruction that reads the value comes back to itself, and has only written that."""
        i = self.code.instructions[pc]
        if i.op is Op.RMW:
            rmw = self.code.rmws[i.c]
            if rmw.kind in _FAILING:
                if rmw.expected >= 0 or (rmw.kind is RmwKind.ADD_UNLESS) != (
                    value == self.code.constants[~rmw.expected]
                ):
                    return False
                if rmw.kind is RmwKind.LOCK:  # and never goes on
                    return True
            elif _written(self.code, rmw, value) != value:
                return False
        matter = set(self.live[pc][1:])
        ends = [stand for stand in self._events(pc, value) if not self._passes(stand, pc, value)]
        return bool(self.live[pc]) and all(s.pc == pc and not s.blocked and not matter & s.assigned for s in ends)

    def _events(self, pc: int, value: int) -> Iterator[Stand]:
        """Where the thread comes to once it has read the value, and from behind what it `_passes`."""
        i = self.code.instructions[pc]
        reserved = self._reservation(pc)
        values = {i.dst: value} if i.dst >= 0 else {}
        if i.op is Op.LOADX:
            if i.a >= 0:
                raise Unclear
            values |= {reserved: self.code.constants[~i.a] + 1}
        left = [Stand(pc, {}).after(values)]
        for _ in range(100):
            if not left:
                return
            for stand in stops(self.code, left.pop()):
                yield stand
                if not self._passes(stand, pc, value):
                    continue
                at = self.code.instructions[stand.pc]
                if at.op is Op.LOAD:
                    left += [stand.after({at.dst: read} if at.dst >= 0 else {}) for read in self._read_at(stand, pc)]
                else:
                    left.append(stand.after({} if at.op is Op.FENCE else {at.dst: 0, reserved: 0, reserved + 1: 0}))
        raise Unclear

    def _passes(self, stand: Stand, pc: int, value: int) -> bool:
        """Whether it stands at a fence, at a read of other cells whose values are known, or at the store exclusive of
        what the load at `pc` has read."""
        if stand.blocked:
            return False
        at, load = self.code.instructions[stand.pc], self.code.instructions[pc]
        if at.op is not Op.STOREX:
            return at.op is Op.FENCE or (at.op is Op.LOAD and bool(self._read_at(stand, pc)))
        return load.op is Op.LOADX and at.a == load.a and stand.value(self.code, at.b) == value

    def _read_at(self, stand: Stand, pc: int) -> Collection[int]:
        """What may be read where it stands, of cells that the instruction at `pc` does not read; none: not known."""
        cells, own = self.accessed[stand.pc], self.accessed[pc]
        if cells is None or own is None or cells & own:
            return ()
        held = [self.held[cell] for cell in cells]
        return {value for values in held for value in values or ()} if None not in held else ()

    def _reservation(self, pc: int) -> int:
        return next(thread.reservation for thread, (first, last) in self.threads if first <= pc < last)


def _written(code: Code, rmw: Rmw, old: int) -> int | None:
    """What an update writes, as far as that is said."""
    if rmw.operand >= 0:
        return None
    operand = code.constants[~rmw.operand]
    match rmw.kind:
        case RmwKind.EXCHANGE:
            return wrapped(operand, rmw.bits)
        case RmwKind.OR:
            return wrapped(old | operand, rmw.bits)
        case RmwKind.AND:
            return wrapped(old & operand, rmw.bits)
    return None
