"""Values that justify themselves: whether a program may have executions that the model allows and that are never built.

Executions are built along program order or dependencies, and reads-from: none has a cycle of dependencies and rf. Where
the model has nothing against such a cycle, and the program's text may have one, "no execution" is more than is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import cached_property

from xgen._core import OPERATIONS, Op, OpKind
from xgen.engine.problem import Problem
from xgen.errors import Source
from xgen.executions.execution import INITIAL, Event, Execution
from xgen.lowering.analysis.value_sets import written_values
from xgen.lowering.code import EVENTS, NO_DEPENDENCY, READS, WRITES, Code, Instruction
from xgen.memory.algebra import Model
from xgen.memory.evaluate import Evaluator
from xgen.memory.ready import facts
from xgen.records import dataclass

LARGE = 500
"""Of programs with more instructions it is asked first whether the model allows any such cycle."""
MOST = 20_000
"""So many ways through the pairs of threads are looked at; what has more may have a cycle."""


@dataclass(frozen=True)
class _Pair:
    """A read and a write of a thread that depends on it, with the fences between; None: of any cell."""

    read: frozenset[int] | None
    written: frozenset[int] | None
    tags: tuple[frozenset[str], frozenset[str]]
    kinds: frozenset[str]
    fences: tuple[frozenset[str], ...]


def may_justify_itself(of: Problem) -> bool:
    """Whether the model allows a cycle of dependencies and rf that the text may have."""
    if not facts(of.model).buffering or (len(of.code.instructions) > LARGE and not _allows_any(of)):
        return False
    pairs = [_Thread(of.code, thread).pairs() for thread in range(len(of.code.threads))]
    known = set[tuple[_Pair, ...]]()
    try:
        for cycle in _cycles(pairs):
            form = tuple(_Pair(None, None, pair.tags, pair.kinds, pair.fences) for pair in cycle)
            if form in known:
                continue
            if _is_allowed(of.asked, form):
                return True
            known.update(form[at:] + form[:at] for at in range(len(form)))
    except _ManyError:
        return True
    return False


def _allows_any(of: Problem) -> bool:
    """Whether the model allows a cycle of events as the program has, each by a dependency of one kind."""
    tags = {kind: {each.tags for each in of.code.classes if each.kind == kind} for kind in "RW"}
    return any(
        _is_allowed(of.asked, (_Pair(None, None, (read, written), frozenset((kind,)), ()),) * 2)
        for read in tags["R"]
        for written in tags["W"]
        for kind in ("data", "ctrl", "addr")
    )


class _ManyError(Exception):
    """There are too many ways to look at."""


def _cycles(pairs: list[list[_Pair]]) -> Iterator[tuple[_Pair, ...]]:
    """The cycles through pairs of different threads, of which each one reads what the one before writes, in cells of
    its own. Each begins in the thread of the least number."""
    steps = 0

    def from_(way: tuple[_Pair, ...], threads: tuple[int, ...], cells: tuple[int, ...]) -> Iterator[tuple[_Pair, ...]]:
        nonlocal steps
        steps += 1
        if steps > MOST:
            raise _ManyError
        last = way[-1]
        if len(way) > 1 and any(cell not in cells for cell in _common(last, way[0])):
            yield way
        for thread in range(threads[0] + 1, len(pairs)):
            if thread in threads:
                continue
            for pair in pairs[thread]:
                cell = next((cell for cell in _common(last, pair) if cell not in cells), None)
                if cell is not None:
                    yield from from_((*way, pair), (*threads, thread), (*cells, cell))

    for thread, own in enumerate(pairs):
        for pair in own:
            yield from from_((pair,), (thread,), ())


def _common(writer: _Pair, reader: _Pair) -> list[int]:
    """Cells that the one may write and the other read; numbers below 0 are none of those that are known."""
    if writer.written is None or reader.read is None:
        known = writer.written if reader.read is None else reader.read
        return sorted(known) if known is not None else [*range(-1, -9, -1)]
    return sorted(writer.written & reader.read)


class _Thread:
    """What depends on what in a thread, as far as its text shows: more than in any execution."""

    def __init__(self, code: Code, thread: int) -> None:
        self.code = code
        first, last = code.ranges[thread]
        self.pcs = range(first, last)
        self.writes = written_values(code)

    def pairs(self) -> list[_Pair]:
        """Each read with each write that may depend on it."""
        found: dict[_Pair, None] = {}
        for read in self.pcs:
            i = self.code.instructions[read]
            if i.op not in READS and i.op is not Op.RMW:
                continue
            tainted, later = self._tainted(read), self.code.after(read)
            decided = self._decided(tainted, later)
            for pc in sorted(later):
                if self.code.instructions[pc].op not in WRITES or pc == read:
                    continue
                kinds = {"ctrl"} if pc in decided else set[str]()
                address, *values = self._operands(pc)
                kinds |= {"addr"} if address in tainted else set()
                kinds |= {"data"} if tainted & {*values} else set()
                if kinds:
                    found[self._pair(read, pc, frozenset(kinds))] = None
        return list(found)

    def _pair(self, read: int, write: int, kinds: frozenset[str]) -> _Pair:
        classes, instructions = self.code.classes, self.code.instructions
        address = self._operands(read)[0]
        where = None if address >= 0 else frozenset((self.code.constants[~address],))
        fences = (i for i in (instructions[pc] for pc in range(read, write)) if i.op is Op.FENCE)
        own, other = instructions[read], instructions[write]
        tags = (
            classes[self.code.rmws[own.c].read_class if own.op is Op.RMW else own.c].tags,
            classes[self.code.rmws[other.c].write_class if other.op is Op.RMW else other.c].tags,
        )
        cells = self.writes[write][0]
        written = None if cells is None else frozenset(cells)
        return _Pair(where, written, tags, kinds, tuple(classes[i.c].tags for i in fences))

    def _operands(self, pc: int) -> tuple[int, ...]:
        """The address of an access, and what its values are made of."""
        i = self.code.instructions[pc]
        if i.op is Op.RMW:
            rmw = self.code.rmws[i.c]
            return rmw.address, rmw.operand, rmw.expected
        return (i.a, i.b) if i.op in WRITES else (i.a,)

    def _tainted(self, read: int) -> set[int]:
        """The registers that may have been computed from what is read."""
        first = self.code.instructions[read].dst
        found, left = {first}, [first]
        while left:
            more = [register for register in self._computed.get(left.pop(), ()) if register not in found]
            found.update(more)
            left += more
        return found

    @cached_property
    def _computed(self) -> dict[int, set[int]]:
        """For each register, those that something computes from it."""
        found: dict[int, set[int]] = {}
        for i in (self.code.instructions[pc] for pc in self.pcs):
            if i.op not in EVENTS and OPERATIONS[i.op][1]:
                for register in _read_by(i):
                    found.setdefault(register, set()).add(i.dst)
        return found

    @cached_property
    def _choices(self) -> list[tuple[int, set[int]]]:
        """Where what follows is chosen, and by which registers."""
        found = list[tuple[int, set[int]]]()
        for pc in self.pcs:
            i = self.code.instructions[pc]
            given = not (i.op is Op.JZ and i.b == NO_DEPENDENCY) and not (i.op is Op.ASSUME and i.c == NO_DEPENDENCY)
            if OPERATIONS[i.op][2] in (OpKind.BRANCH, OpKind.TEST) and given:
                found.append((pc, _read_by(i)))
        return found

    def _decided(self, tainted: set[int], later: Set[int]) -> set[int]:
        """What comes behind a choice by what is read."""
        found = set[int]()
        for pc, by in self._choices:
            if pc in later and not tainted.isdisjoint(by):
                found |= self.code.after(pc)
        return found


def _read_by(i: Instruction) -> set[int]:
    """The registers that an instruction reads."""
    return {getattr(i, operand) for operand in OPERATIONS[i.op][0]}


def _is_allowed(model: Model, cycle: tuple[_Pair, ...]) -> bool:
    """Whether the model allows an execution in which each thread writes, for the next one, what it has read."""
    count = len(cycle)
    events = [Event(INITIAL, n, "W", f"x{n}", 0, frozenset({"init"}), None, "", -1) for n in range(count)]
    reads, writes = list[int](), list[int]()
    for thread, pair in enumerate(cycle):
        reads.append(len(events))
        kinds = [("R", pair.tags[0]), *(("F", tags) for tags in pair.fences), ("W", pair.tags[1])]
        for index, (kind, tags) in enumerate(kinds):
            cell = {"R": f"x{thread}", "W": f"x{(thread + 1) % count}"}.get(kind)
            value = None if cell is None else 1
            events.append(Event(thread, index, kind, cell, value, tags, None, "", 0))  # type: ignore[arg-type]
        writes.append(len(events) - 1)

    def depend(kind: str) -> tuple[tuple[int, int], ...]:
        return tuple((reads[n], writes[n]) for n, pair in enumerate(cycle) if kind in pair.kinds)

    candidate = Execution(
        threads=tuple(f"p{n}" for n in range(count)),
        events=tuple(events),
        rf=tuple((writes[n - 1], reads[n]) for n in range(count)),
        mo=tuple((n, writes[n - 1]) for n in range(count)),
        ends=("ended",) * count,
        state={},
        violations=(),
        source=Source("cycle", ""),
        addr=depend("addr"),
        data=depend("data"),
        ctrl=depend("ctrl"),
    )
    evaluator = Evaluator(candidate)
    return all(evaluator.holds(c.condition) for c in model.constraints if not c.flag)
