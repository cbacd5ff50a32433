"""Which locals matter at events: what the engine compares to tell a loop that only waits.

A thread that comes back to an event with the same values in all locals that matter, and has written nothing since, is
waiting: going round again adds nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator

from xgen._core import OPERATIONS, Op, OpKind
from xgen.lowering.code import EVENTS, Code, Instruction, ThreadCode
from xgen.records import replace

_EXCLUSIVE = {Op.LOADX, Op.STOREX}


def live_at_loop_events(code: Code) -> list[list[int]]:
    """For each instruction: the locals that may be read after it starts, if it is an event in a loop, else [].

    A register that is always among them (-1) marks such an event even if no local matters.
    """
    key = (live_at_loop_events,)
    if key not in code.kept:
        code.kept[key] = _live_at_loop_events(code)
    found: list[list[int]] = code.kept[key]
    return found


def _live_at_loop_events(code: Code) -> list[list[int]]:
    result: list[list[int]] = [[] for _ in code.instructions]
    for thread, (first, last) in zip(code.threads, code.ranges, strict=True):
        loops = _loops(code, first, last)
        if not any(loops):
            continue
        live = live_registers(code, first, last, thread)
        for pc in range(first, last):
            if loops[pc - first] and code.instructions[pc].op in EVENTS:
                result[pc] = [-1, *sorted(matter_at(code, first, pc, live[pc - first], len(thread.locals)))]
    return result


def live_at_events(code: Code, ends: bool) -> list[list[int]]:
    """For each instruction: -1 and the locals that may be read after it starts, if it is an event, else [].

    `ends`: what outcomes list is read at the ends of threads. That a `bound` counts matters here.
    """
    result: list[list[int]] = [[] for _ in code.instructions]
    for thread, (first, last) in zip(code.threads, code.ranges, strict=True):
        read_at_end = thread if ends else replace(thread, shown=())
        for pc, live in enumerate(live_registers(code, first, last, read_at_end, counting=True), first):
            if code.instructions[pc].op in EVENTS:
                result[pc] = [-1, *sorted(matter_at(code, first, pc, live, len(thread.locals)))]
    return result


def live_at_stops(code: Code, errors: Collection[int]) -> list[list[int]]:
    """For each instruction: the locals that may be read from there on, where a thread may stop: an event, a choice, its
    end (of which outcomes list some). `errors`: instructions that may end it, too."""
    result: list[list[int]] = [[] for _ in code.instructions]
    for thread, (first, last) in zip(code.threads, code.ranges, strict=True):
        for pc, live in enumerate(live_registers(code, first, last, thread, counting=True, errors=errors), first):
            op = code.instructions[pc].op
            if op is Op.END:
                result[pc] = sorted(thread.shown)
            elif op in EVENTS or OPERATIONS[op][2] is OpKind.CHOICE:
                result[pc] = sorted(matter_at(code, first, pc, live, len(thread.locals)))
    return result


def matter_at(code: Code, first: int, pc: int, live: frozenset[int], locals_: int) -> set[int]:
    """The locals that matter at an event: those that are read from there on, and those that temporary registers which
    are read there, an address, have been computed from."""
    found = {register for register in live if register < locals_}
    temporary = set(live) - found
    for before in range(pc - 1, first - 1, -1):
        i = code.instructions[before]
        if not temporary:
            return found
        if i.op in EVENTS or OPERATIONS[i.op][2] not in (OpKind.COMPUTE, OpKind.TEST):
            break
        if OPERATIONS[i.op][1] and i.dst in temporary:
            temporary.remove(i.dst)
            used = set(operands(code, i))
            found |= {register for register in used if register < locals_}
            temporary |= {register for register in used if register >= locals_}
    return found


def _loops(code: Code, first: int, last: int) -> list[bool]:
    """Which instructions may be in a loop: those that some jump backwards spans."""
    inside = [False] * (last - first)
    for pc in range(first, last):
        for target in code.successors(pc):
            if target <= pc:
                inside[target - first : pc + 1 - first] = [True] * (pc + 1 - target)
    return inside


def live_registers(
    code: Code, first: int, last: int, thread: ThreadCode, counting: bool = False, errors: Collection[int] = ()
) -> list[frozenset[int]]:
    """The registers that may be read from each instruction on; `counting`: a `bound` reads how often it was there.

    `errors`: instructions that may end the thread; then what outcomes list is read.
    """
    key = (live_registers, first, thread.shown, counting, frozenset(errors))
    if key not in code.kept:
        code.kept[key] = _live_registers(code, first, last, thread, counting, errors)
    found: list[frozenset[int]] = code.kept[key]
    return found


def _live_registers(
    code: Code, first: int, last: int, thread: ThreadCode, counting: bool, errors: Container[int]
) -> list[frozenset[int]]:
    shown, reservation = _mask(thread.shown), _mask((thread.reservation, thread.reservation + 1))
    after: list[list[int]] = []  # of each instruction
    gone: list[int] = []  # what it writes
    read: list[int] = []
    for pc in range(first, last):
        i = code.instructions[pc]
        after.append([target - first for target in code.successors(pc)])
        gone.append(~((_mask((i.dst,)) if OPERATIONS[i.op][1] else 0) | (reservation if i.op in _EXCLUSIVE else 0)))
        used = _mask(operands(code, i)) | (reservation if i.op is Op.STOREX else 0)
        used |= _mask((i.dst,)) if counting and i.op is Op.BOUND else 0
        read.append(used | (shown if pc in errors or i.op is Op.END else 0))
    live = [0] * (last - first)
    changed = True
    while changed:
        changed = False
        for pc in range(last - first - 1, -1, -1):
            before = 0
            for target in after[pc]:
                before |= live[target]
            before = before & gone[pc] | read[pc]
            if before != live[pc]:
                live[pc] = before
                changed = True
    registers = {mask: frozenset(_registers(mask)) for mask in set(live)}
    return [registers[mask] for mask in live]


def _mask(registers: Iterable[int]) -> int:
    """Registers as bits of a number: sets of them are joined in one step."""
    mask = 0
    for register in registers:
        if register >= 0:
            mask |= 1 << register
    return mask


def _registers(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def operands(code: Code, i: Instruction) -> list[int]:
    """The registers that an instruction reads."""
    if i.op is Op.RMW:
        rmw = code.rmws[i.c]
        found = [rmw.address, rmw.operand, rmw.expected]
    else:
        found = [getattr(i, field) for field in OPERATIONS[i.op][0]]
    return [operand for operand in found if operand >= 0]
