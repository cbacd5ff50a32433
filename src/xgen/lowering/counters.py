"""Cells in which threads only count: a part of each for each thread, where no thread sees what the others add.

A thread that adds a constant to a counter, and makes nothing of what it reads but comparisons that come out the same
whatever the others have done, might as well have a counter of its own. So the order of the updates of different threads
is in no graph any more; `engine/counters.py` says under which models nothing is lost by that. A thread that has joined
all others sees all of it: the cell that it uses starts with what they add in the end.
"""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Callable, Collection, Mapping
from math import factorial, prod
from typing import TypeAlias

from xgen._core import OPERATIONS, Op, RmwKind
from xgen.lowering.analysis.liveness import operands
from xgen.lowering.analysis.value_sets import accessed_cells
from xgen.lowering.code import Code, Instruction
from xgen.records import dataclass, replace

MOST = 64
"""Different sums that a thread may have added when it comes to an instruction, and different ranges of a number there;
where there are more, they are not told."""
_LIMIT = 1 << 62
"""No counter that has no width gets as far from 0."""

_COMPARE: dict[Op, Callable[[int, int], bool]] = {
    Op.EQ: lambda a, b: a == b,
    Op.NE: lambda a, b: a != b,
    Op.LT: lambda a, b: a < b,
    Op.LE: lambda a, b: a <= b,
}


@dataclass(frozen=True)
class Counter:
    """A cell in which threads count.

    updates  for each thread that counts: where it does, and what it may have added when it comes to an instruction
    keeper   the thread that has accesses to it when it has joined all others; -1: none
    low      the least number that it may hold before, and `high` the largest
    """

    cell: int
    updates: Mapping[int, frozenset[int]]
    sums: Mapping[int, Mapping[int, frozenset[int]]]
    keeper: int
    low: int
    high: int

    def read_at(self, thread: int, pc: int) -> Range:
        """What an update may read: what its thread has added then, and what the others may have."""
        every, own = self.sums[thread].values(), self.sums[thread][pc]
        return Range(
            self.low - min(map(min, every)) + min(own),
            self.high - max(map(max, every)) + max(own),
            frozenset((self.cell,)),
        )


@dataclass(frozen=True)
class Range:
    """Numbers from `low` to `high`, which come of what was read of counters; on some ways only, if there is none."""

    low: int
    high: int
    of: frozenset[int]


@dataclass(frozen=True)
class Counting:
    """The counters of a program.

    known    comparisons of what is read of them, with their results
    reached  the instructions that threads come to, these being known
    ends     for each counter and thread: what the thread has added in the end
    """

    counters: tuple[Counter, ...]
    known: Mapping[int, int]
    reached: frozenset[int]
    ends: Mapping[tuple[int, int], int]


def orders_of(code: Code) -> int:
    """How many orders the updates may have that might be of counters, if each is made once: it is not asked whether
    they are."""
    found, updates = 1, _updates(code)
    for cell in {cell for cell, _ in updates.values()} - _drawn(code, updates):
        pcs = [pc for pc, (of, _) in updates.items() if of == cell]
        counts = [sum(first <= pc < last for pc in pcs) for first, last in code.ranges]
        found *= factorial(sum(counts)) // prod(map(factorial, counts))
    return found


def _drawn(code: Code, updates: _Updates) -> set[int]:
    """The cells that are no counters at first sight: threads compare what they read of them with what is no constant,
    as they do with the number that they have drawn for a lock."""
    found = set[int]()
    for first, last in code.ranges:
        instructions = code.instructions[first:last]
        read = {i.dst: updates[pc][0] for pc, i in enumerate(instructions, first) if pc in updates}
        read |= {i.dst: read[i.a] for i in instructions if i.op is Op.MOV and i.a in read}
        pairs = [(i.a, i.b) for i in instructions if i.op in _COMPARE and min(i.a, i.b) >= 0] if read else []
        found.update(read[register] for pair in pairs for register in pair if register in read)
    return found


def counting(code: Code) -> Counting | None:
    """The counters of a program; None where it has none."""
    updates = _updates(code)
    if not updates or any(thread.block >= 0 for thread in code.threads) or None in accessed_cells(code):
        return None
    late = [_late(code, thread) for thread in range(len(code.threads))]
    made = (_counter(code, cell, updates, late) for cell in sorted({cell for cell, _ in updates.values()}))
    found = {counter.cell: counter for counter in made if counter is not None}
    while found:
        known, seen = _compared(code, found)
        if not seen:
            steps = _steps(code, known)
            ends = {key: end for counter in found.values() for key, end in _ends(code, counter, updates, steps).items()}
            seen = {cell for (cell, _), end in ends.items() if end is None}
            if not seen:
                told = {key: end for key, end in ends.items() if end is not None}
                return Counting(tuple(found.values()), known, frozenset(pc for pc, _ in steps), told)
        found = {cell: counter for cell, counter in found.items() if cell not in seen}
    return None


def with_parts(code: Code, found: Counting) -> Code:
    """The code in which each thread that counts has a cell of its own for that."""
    instructions, rmws, constants = list(code.instructions), list(code.rmws), list(code.constants)
    cells, initial = list(code.cells), list(code.initial)
    for counter in found.counters:
        cell = cells[counter.cell]
        for thread in sorted(counter.updates.keys() - {counter.keeper}):
            initial[counter.cell] += found.ends[counter.cell, thread]
            constants.append(len(cells))
            cells.append(replace(cell, name=f"{cell.name} of {code.threads[thread].name}", part=True))
            initial.append(0)
            for pc in counter.updates[thread]:
                rmws.append(replace(rmws[instructions[pc].c], address=-len(constants)))
                instructions[pc] = replace(instructions[pc], c=len(rmws) - 1)
    for pc, result in found.known.items():
        constants.append(result)
        instructions[pc] = Instruction(Op.MOV, instructions[pc].dst, -len(constants))
    return replace(
        code,
        instructions=tuple(instructions),
        rmws=tuple(rmws),
        constants=tuple(constants),
        cells=tuple(cells),
        initial=tuple(initial),
    )


_Updates: TypeAlias = Mapping[int, tuple[int, int]]
"""By instructions: the cell that one adds a constant to, and that constant."""


def _updates(code: Code) -> _Updates:
    """The updates that add a constant to a cell that the text names."""
    found: dict[int, tuple[int, int]] = {}
    for pc, i in enumerate(code.instructions):
        rmw = code.rmws[i.c] if i.op is Op.RMW else None
        if rmw is None or rmw.kind not in (RmwKind.ADD, RmwKind.SUB) or max(rmw.address, rmw.operand) >= 0 or rmw.pair:
            continue
        by = code.constants[~rmw.operand]
        if abs(by) < _LIMIT:
            found[pc] = code.constants[~rmw.address], by if rmw.kind is RmwKind.ADD else -by
    return found


def _late(code: Code, thread: int) -> frozenset[int]:
    """The instructions that a thread only comes to when it has joined all others."""
    first, last = code.ranges[thread]
    others = set(range(len(code.threads))) - {thread}
    joins = {other: {pc for pc in range(first, last) if _is(code, pc, Op.JOIN, other)} for other in others}
    if not others or not all(joins.values()):
        return frozenset()
    return frozenset(range(first, last)).difference(*(_before(code, thread, joined) for joined in joins.values()))


def meanwhile(code: Code, thread: int) -> frozenset[int]:
    """The instructions that a thread may come to while another one runs: not before it has started any, if it starts
    all, and not when it has joined all."""
    first, last = code.ranges[thread]
    own = frozenset(range(first, last)) - _late(code, thread)
    others = set(range(len(code.threads))) - {thread}
    starts = {pc for pc in own if code.instructions[pc].op is Op.START}
    if not others or others != {code.instructions[pc].a for pc in starts}:
        return own
    return own & starts.union(*map(code.after, starts))


def _is(code: Code, pc: int, op: Op, thread: int) -> bool:
    return code.instructions[pc].op is op and code.instructions[pc].a == thread


def _before(code: Code, thread: int, walls: Collection[int]) -> set[int]:
    """The instructions that a thread can come to without having done one of some."""
    seen, left = set[int](), [code.threads[thread].entry]
    while left:
        pc = left.pop()
        if pc not in seen:
            seen.add(pc)
            left += () if pc in walls else code.successors(pc)
    return seen


def _counter(code: Code, cell: int, updates: _Updates, late: list[frozenset[int]]) -> Counter | None:
    """A cell as a counter; None where threads do anything else with it, before all others have ended, or do not run in
    each complete execution, or where what it may hold is not told or does not fit."""
    variable = code.cells[cell]
    if variable.type != "int" or variable.undefined:
        return None
    accessed = accessed_cells(code)
    counted, keeper = dict[int, frozenset[int]](), -1
    sums = dict[int, Mapping[int, frozenset[int]]]()
    for thread, (first, last) in enumerate(code.ranges):
        own = {pc for pc in range(first, last) if cell in (accessed[pc] or ())}
        own = {pc for pc in own if code.instructions[pc].op is not Op.OBJECT}  # of a whole object
        early = own - late[thread]
        if own - early:
            keeper = thread
        if not early:
            continue
        found = _sums(code, thread, {pc: updates[pc][1] for pc in early}) if early <= updates.keys() else None
        if found is None or not _runs(code, thread):
            return None
        counted[thread], sums[thread] = frozenset(early), found
    low = code.initial[cell] + sum(min(map(min, found.values())) for found in sums.values())
    high = code.initial[cell] + sum(max(map(max, found.values())) for found in sums.values())
    fits = all(_fits(code.rmws[code.instructions[pc].c].bits, low, high) for pcs in counted.values() for pc in pcs)
    return Counter(cell, counted, sums, keeper, low, high) if len(counted) > 1 and fits else None


def _fits(bits: int, low: int, high: int) -> bool:
    """Whether numbers are those of so many bits; with a sign, if that is negative."""
    width = abs(bits) if bits else 63
    least, most = (0, 1 << width) if bits > 0 else (-(1 << width - 1), 1 << width - 1)
    return max(least, -_LIMIT) <= low and high < min(most, _LIMIT)


def _runs(code: Code, thread: int) -> bool:
    """Whether a thread has run in each complete execution: it is not started, or always."""
    started = {pc: i.a for pc, i in enumerate(code.instructions) if i.op is Op.START}
    starts = {pc for pc, other in started.items() if other == thread}
    if not starts:
        return True
    starters = [n for n, (first, last) in enumerate(code.ranges) if any(first <= pc < last for pc in starts)]
    if len(starters) > 1 or starters[0] in started.values():
        return False
    return not any(code.instructions[pc].op is Op.END and pc not in starts for pc in _before(code, starters[0], starts))


def _sums(
    code: Code, thread: int, added: Mapping[int, int], steps: Collection[tuple[int, int]] | None = None
) -> dict[int, frozenset[int]] | None:
    """What a thread may have added when it comes to an instruction, by updates that add something; None where there are
    too many sums. `steps`: it takes no others."""
    entry = code.threads[thread].entry
    found, left = {entry: frozenset((0,))}, [entry]
    while left:
        pc = left.pop()
        behind = frozenset(each + added.get(pc, 0) for each in found[pc])
        for following in code.successors(pc):
            there = found.get(following, frozenset())
            if (steps is None or (pc, following) in steps) and not behind <= there:
                if len(there | behind) > MOST:
                    return None
                found[following] = there | behind
                left.append(following)
    return found


def _ends(
    code: Code, counter: Counter, updates: _Updates, steps: Collection[tuple[int, int]]
) -> dict[tuple[int, int], int | None]:
    """What each thread but the keeper has added to a counter in the end; None where it may be this or that."""
    found = dict[tuple[int, int], int | None]()
    for thread in counter.updates.keys() - {counter.keeper}:
        sums = _sums(code, thread, {pc: updates[pc][1] for pc in counter.updates[thread]}, steps)
        ends = {each for pc, held in (sums or {}).items() if code.instructions[pc].op is Op.END for each in held}
        found[counter.cell, thread] = ends.pop() if len(ends) == 1 else None
    return found


_Held: TypeAlias = dict[int, Range]
"""What registers hold that comes of counters."""


def _compared(code: Code, counters: Mapping[int, Counter]) -> tuple[dict[int, int], set[int]]:
    """Comparisons of what is read of counters, with their results; and the counters that more is made of."""
    known, seen = dict[int, int](), set[int]()
    for thread in range(len(code.threads)):
        reads = {
            pc: counter.read_at(thread, pc)
            for counter in counters.values()
            for pc in counter.updates.get(thread, ())
            if pc in counter.sums[thread]
        }
        shown = code.threads[thread].shown
        for pc, held in _held(code, thread, reads).items():
            result = _used(code, pc, held, seen)
            if result is not None:
                known[pc] = result
            seen.update(of for register in shown if register in held for of in held[register].of)
    return known, seen


def _held(code: Code, thread: int, reads: Mapping[int, Range]) -> dict[int, _Held]:
    """For each instruction that a thread comes to: what registers may hold of counters."""
    entry = code.threads[thread].entry
    found, left = dict[int, _Held]({entry: {}}), [entry]
    changes = Counts[int]()
    while left:
        pc = left.pop()
        behind = _behind(code, pc, found[pc], reads)
        for following in code.successors(pc):
            there = found.get(following)
            joined = behind if there is None else _joined(there, behind)
            if joined != there:
                changes[following] += 1
                if there is not None and changes[following] > MOST:  # a loop counts on, from what was read
                    joined = {x: range_ if range_ == there.get(x) else _untold(range_) for x, range_ in joined.items()}
                found[following] = joined
                left.append(following)
    return found


def _joined(a: _Held, b: _Held) -> _Held:
    """What registers hold on one of two ways; where only one of these says it, no number is told."""
    return {
        register: Range(min(x.low, y.low), max(x.high, y.high), x.of | y.of)
        if (x := a.get(register)) and (y := b.get(register))
        else _untold(a.get(register), b.get(register))
        for register in a.keys() | b.keys()
    }


def _untold(*ranges: Range | None) -> Range:
    return Range(-_LIMIT, _LIMIT, frozenset().union(*(each.of for each in ranges if each is not None)))


def _behind(code: Code, pc: int, held: _Held, reads: Mapping[int, Range]) -> _Held:
    """What registers hold behind an instruction."""
    i = code.instructions[pc]
    if not OPERATIONS[i.op][1] and i.op is not Op.RMW:
        return held
    made = reads.get(pc) if i.op is Op.RMW else _computed(code, i, held)
    if made is None and i.dst not in held:
        return held
    behind = {register: range_ for register, range_ in held.items() if register != i.dst}
    return behind if made is None or i.dst < 0 else {**behind, i.dst: made}


def _ranges(code: Code, i: Instruction, held: _Held) -> tuple[Range, ...] | None:
    """The operands of an instruction as ranges, if they are constants and what comes of counters."""
    nothing = frozenset[int]()
    found = tuple(Range(code.constants[~x], code.constants[~x], nothing) if x < 0 else held.get(x) for x in (i.a, i.b))
    return tuple(each for each in found if each is not None) if None not in found else None


def _computed(code: Code, i: Instruction, held: _Held) -> Range | None:
    """What an instruction makes of what comes of counters; None where it makes nothing of that."""
    if i.op is Op.MOV:
        return held.get(i.a)
    if i.op is Op.WRAP:
        a = held.get(i.a)
        return a if a is None or _fits(i.c, a.low, a.high) else _untold(a)
    if i.op in (Op.ADD, Op.SUB) and (both := _ranges(code, i, held)) is not None:
        a, b = both
        low, high = (a.low + b.low, a.high + b.high) if i.op is Op.ADD else (a.low - b.high, a.high - b.low)
        made = Range(low, high, a.of | b.of)
        return made if low > -_LIMIT and high < _LIMIT else _untold(made)
    return None


def _used(code: Code, pc: int, held: _Held, seen: set[int]) -> int | None:
    """The result of a comparison of what comes of counters. Where more is made of them, they are `seen`."""
    i = code.instructions[pc]
    used = [held[operand] for operand in operands(code, i) if operand in held]
    if not used:
        return None
    if i.op in _COMPARE and (both := _ranges(code, i, held)) is not None:
        a, b = both
        results = {_COMPARE[i.op](x, y) for x in (a.low, a.high) for y in (b.low, b.high)}
        apart = a.high < b.low or b.high < a.low or a.low == a.high == b.low == b.high
        if len(results) == 1 and (apart or i.op in (Op.LT, Op.LE)):
            return int(results.pop())
    told = i.op in (Op.MOV, Op.WRAP, Op.ADD, Op.SUB)
    if not told or (made := _computed(code, i, held)) is None or made.low <= -_LIMIT:
        seen.update(of for each in used for of in each.of)
    return None


def _steps(code: Code, known: Mapping[int, int]) -> set[tuple[int, int]]:
    """The steps that threads may take, where the results of some comparisons are known; a last one leads to itself."""
    steps = set[tuple[int, int]]()
    seen = set[tuple[int, frozenset[tuple[int, int]]]]()
    left = [(thread.entry, frozenset[tuple[int, int]]()) for thread in code.threads]
    while left:
        pc, values = left.pop()
        if (pc, values) in seen:
            continue
        seen.add((pc, values))
        i, held = code.instructions[pc], dict(values)
        following = code.successors(pc)
        asked = held.get(i.a) if i.a >= 0 else code.constants[~i.a]
        if i.op in (Op.ASSUME, Op.ASSERT, Op.JZ) and asked is not None:
            following = (i.c,) if i.op is Op.JZ and not asked else following[:1] if asked else ()
        elif i.op in (Op.GOTO, Op.CHOOSE):  # what is computed in an edge is of no use behind it
            held = {}
        elif OPERATIONS[i.op][1] or i.op is Op.RMW:
            result = known.get(pc)
            if i.op is Op.NOT and i.a in held:
                result = 1 - held[i.a]
            held.pop(i.dst, None)
            if result is not None:
                held[i.dst] = result
        steps.update((pc, each) for each in following or (pc,))
        left += ((each, frozenset(held.items())) for each in following)
    return steps
