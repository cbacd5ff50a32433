"""Parts of a program that are enough to find what can go wrong in some of its threads: their *cones*.

An error of a thread depends on what the thread has read, and on what those have read who wrote that. So the cone of a
thread is the thread up to the last place where it can go wrong; every thread that may write a cell that the cone may
read, up to its last such write; who starts a thread of the cone; and, whole, a thread that one of the cone joins. What
is beyond that becomes the thread's end.

The events before an error in (po | rf)* are an execution graph of the cone's program. Where every constraint of the
model is prefix-closed and extensible that graph is consistent if it was in the whole program, and what is consistent in
the cone can be extended in the whole program: an error can be reached in one if and only if it can in the other. So it
is with two events that race, of two threads up to the last place where each accesses what the other one does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import combinations

from xgen._core import Op, RmwKind
from xgen.lowering.analysis.ranges import Ranges
from xgen.lowering.analysis.symmetry import like_threads
from xgen.lowering.analysis.value_sets import Written, written_values
from xgen.lowering.code import IN_RANGE, MODULO, NEVER_FAILS, READS, Code, Instruction
from xgen.records import dataclass, replace

_MODULAR = {Op.NEG, Op.ADD, Op.SUB, Op.MUL}
_SHIFTS = {Op.SHL, Op.SHR, Op.SAR}
_ARITHMETIC = {RmwKind.ADD, RmwKind.SUB, RmwKind.ADD_UNLESS}

Cells = frozenset[int]
Instructions = frozenset[int]


@dataclass(frozen=True)
class Cone:
    """The instructions that are kept, by thread, and the threads whose errors and races it is about."""

    targets: tuple[int, ...]
    kept: tuple[Instructions, ...]

    @property
    def members(self) -> frozenset[int]:
        """The threads that are there at all."""
        return frozenset(thread for thread, kept in enumerate(self.kept) if kept)

    def joined(self, other: Cone) -> Cone:
        """Both in one, which shows the errors of both."""
        return Cone((), tuple(own | theirs for own, theirs in zip(self.kept, other.kept, strict=True)))

    def of(self, code: Code) -> Code:
        """The program that is left: threads end where nothing is kept."""
        kept = frozenset().union(*self.kept)
        instructions = tuple(i if pc in kept else Instruction(Op.END) for pc, i in enumerate(code.instructions))
        return replace(code, instructions=instructions)


def cones(code: Code, races: bool = False) -> list[Cone]:
    """The cones of all threads that can go wrong; with `races`, of all pairs of threads, too, that share a variable.

    Those of the same threads are joined, and of those that differ by the names of like threads only, there is one.
    """
    graph = _Flow(code)
    threads = range(len(code.threads))
    wanted: list[dict[int, Instructions]] = [{thread: graph.failing(thread)} for thread in threads]
    if races:
        wanted += (graph.conflicts(one, other) for one, other in combinations(threads, 2))
    wanted = [targets for targets in wanted if any(targets.values())]
    found: list[Cone] = []
    for targets in wanted:
        if not any(all(own <= cone.kept[thread] for thread, own in targets.items()) for cone in found):
            found = _with(found, graph.cone(targets))
    alike = like_threads(code)
    different = {_form(code, alike, cone): cone for cone in reversed(found)}
    return [replace(cone, targets=_targets(cone, wanted)) for cone in reversed(different.values())]


def _targets(cone: Cone, wanted: Iterable[Mapping[int, Instructions]]) -> tuple[int, ...]:
    """The threads of a cone that can go wrong in it, or race."""
    members = cone.members
    there = (targets for targets in wanted if targets.keys() <= members)
    return tuple(sorted({thread for targets in there for thread, own in targets.items() if own & cone.kept[thread]}))


def _with(found: list[Cone], cone: Cone) -> list[Cone]:
    """One cone more: it is joined with those of which the threads are among its own, or its own among theirs."""
    for other in found:
        if other.members <= cone.members or cone.members <= other.members:
            return _with([one for one in found if one is not other], cone.joined(other))
    return [*found, cone]


def _form(code: Code, alike: list[int], cone: Cone) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """What is the same of two cones that differ by the names of like threads."""
    return tuple(
        sorted(
            (alike[thread], tuple(sorted(pc - code.threads[thread].entry for pc in cone.kept[thread])))
            for thread in cone.members
        )
    )


def has_mutexes(code: Code) -> bool:
    """Whether there can be deadlocks, which are a matter of all threads."""
    return any(rmw.kind is RmwKind.LOCK for rmw in code.rmws) or any(i.op is Op.UNLOCK for i in code.instructions)


def failing(code: Code) -> list[set[int]]:
    """For each thread: its instructions that can be a violation."""
    flow, ranges = _Flow(code), Ranges(code)
    return [
        {pc for pc in flow.failing(thread) if flow.undefined or ranges.overflows(pc) is not False}
        for thread in range(len(code.threads))
    ]


class _Flow:
    """The instructions of a program, and what each may do."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.everything: Cells = frozenset(range(len(code.cells)))
        self.undefined = any(cell.undefined for cell in code.cells)
        self.written: list[Written] = written_values(code)
        self.reachable = [frozenset(code.after(thread.entry) | {thread.entry}) for thread in code.threads]

    def may_fail(self, pc: int) -> bool:
        """Whether the instruction can be a violation."""
        i = self.code.instructions[pc]
        if i.op is Op.RMW:
            rmw = self.code.rmws[i.c]
            return self.undefined or (rmw.kind in _ARITHMETIC and not rmw.bits)
        if i.op in READS:
            return self.undefined
        if i.op in _MODULAR:
            return i.c != MODULO
        if i.op in _SHIFTS:
            return i.c != IN_RANGE
        return i.op not in NEVER_FAILS

    def failing(self, thread: int) -> Instructions:
        """The instructions of a thread that can be a violation."""
        return frozenset(filter(self.may_fail, self.reachable[thread]))

    def conflicts(self, one: int, other: int) -> dict[int, Instructions]:
        """The accesses of each of two threads to what the other one accesses, one of the two a write."""

        def shared(own: int, theirs: int) -> Instructions:
            _, read, written = self._accesses[theirs]
            return frozenset(
                pc for pc, reads, writes in self._accesses[own][0] if writes & (read | written) or reads & written
            )

        return {one: shared(one, other), other: shared(other, one)}

    @cached_property
    def _accesses(self) -> list[tuple[list[tuple[int, Cells, Cells]], Cells, Cells]]:
        """By thread: its accesses, with what each may read and write; what they may read in all, and write."""
        own = [[(pc, self._reads(pc), self._writes(pc)) for pc in pcs] for pcs in self.reachable]
        own = [[access for access in accesses if access[1] or access[2]] for accesses in own]
        return [
            (accesses, Cells().union(*(read for _, read, _ in accesses)), Cells().union(*(w for _, _, w in accesses)))
            for accesses in own
        ]

    def _reads(self, pc: int) -> Cells:
        i = self.code.instructions[pc]
        if i.op not in READS:
            return frozenset()
        address = self.code.rmws[i.c].address if i.op is Op.RMW else i.a
        return self.everything if address >= 0 else frozenset((self.code.constants[~address],))

    def _writes(self, pc: int) -> Cells:
        where, _ = self.written[pc]
        return self.everything if where is None else frozenset(where)

    def cone(self, targets: Mapping[int, Instructions]) -> Cone:
        """The cone of instructions of some threads."""
        count = len(self.code.threads)
        kept: list[Instructions] = [frozenset()] * count
        members, whole = set(targets), set[int]()
        while True:
            read = frozenset[int]().union(*(self._reads(pc) for own in kept for pc in own))
            new = list(kept)
            for t in members:
                new[t] = self._kept(t, targets.get(t, frozenset()), t in whole, read, members)
            joined = {i.a for i in self._all(new) if i.op is Op.JOIN}
            joined.update(*(self.code.groups[i.a] for i in self._all(new) if i.op in (Op.MEET, Op.GATHER)))
            writers = {t for t in range(count) if any(self._writes(pc) & read for pc in self.reachable[t])}
            starters = {
                t
                for t in range(count)
                for pc in self.reachable[t]
                if self.code.instructions[pc].op is Op.START and self.code.instructions[pc].a in members
            }
            more = joined | writers | starters
            if new == kept and more <= members and joined <= whole:
                return Cone(tuple(targets), tuple(kept))
            kept, members, whole = new, members | more, whole | joined

    def _all(self, kept: list[Instructions]) -> Iterator[Instruction]:
        for own in kept:
            for pc in own:
                yield self.code.instructions[pc]

    def _kept(self, thread: int, targets: Instructions, whole: bool, read: Cells, members: set[int]) -> Instructions:
        """The instructions of a thread from which one can be reached that matters."""

        def matters(pc: int) -> bool:
            i = self.code.instructions[pc]
            starts = i.op is Op.START and i.a in members
            return whole or starts or pc in targets or bool(self._writes(pc) & read)

        before: dict[int, list[int]] = {}
        for pc in self.reachable[thread]:
            for following in self.code.successors(pc):
                before.setdefault(following, []).append(pc)
        left = [pc for pc in self.reachable[thread] if matters(pc)]
        found = set(left)
        while left:
            for pc in before.get(left.pop(), ()):
                if pc not in found:
                    found.add(pc)
                    left.append(pc)
        return frozenset(found)
