"""Cells that one thread alone uses, with plain accesses, as locals of that thread.

Where the memory model does not see such accesses (memory/statics/unobserved.py), what they do is what accesses to a
local do. Then rounds of a loop that only write what the thread knows anyway are rounds in which nothing happens: a
thread that waits, and keeps what it has seen in a variable at file scope, only waits. That is all that cells are made
locals for: those that no loop writes stay as they are, and so do their events. So do those of loops that would be left
without any event, as one that counts for ever in a variable.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, TypeAlias

from xgen._core import OPERATIONS, Op, OpKind
from xgen.lowering.analysis.value_sets import accessed_cells
from xgen.lowering.code import EVENTS, Code, EventClass, Instruction, Rmw, Site, ThreadCode, Variable
from xgen.records import dataclass, replace

Cells: TypeAlias = Mapping[int, int]
"""Cells that one thread alone uses, each with the thread's number."""


@dataclass(eq=False, slots=True)
class _Use:
    """How a cell is used: by which threads, by which instructions in loops; whether only as a number in the program's
    text, by plain accesses, and written in no loop that tries an update again; whether it is written in a loop."""

    threads: set[int] = field(default_factory=set)
    repeated: list[int] = field(default_factory=list)
    plain: bool = True
    rewritten: bool = False


def private_cells(code: Code) -> dict[int, int]:
    """Those that are numbers, have a value at first, and are written in a loop of the only thread that uses them."""
    if not any(i.op is Op.STORE and _is_plain(code, i) for i in code.instructions):
        return {}
    uses = _uses(code)
    found = {
        cell: min(use.threads)
        for cell, use in sorted(uses.items())
        if use.plain and use.rewritten and len(use.threads) == 1 and _is_number(code.cells[cell])
    }
    while silent := {cell for cell in found if any(_runs_on(code, pc, found) for pc in uses[cell].repeated)}:
        found = {cell: thread for cell, thread in found.items() if cell not in silent}
    return found


def _perhaps_unstarted(code: Code, cells: Cells) -> Iterator[int]:
    """The threads that have such cells, and that another one may not come to start before it ends or fails."""
    starts = {pc: i.a for pc, i in enumerate(code.instructions) if i.op is Op.START}
    for thread in set(cells.values()) & set(starts.values()):
        own = [pc for pc, started in starts.items() if started == thread]
        starters = [n for n, (first, last) in enumerate(code.ranges) if any(first <= pc < last for pc in own)]
        if len(starters) > 1 or starters[0] in starts.values() or _ends_before(code, starters[0], own):
            yield thread


def _ends_before(code: Code, thread: int, starts: list[int]) -> bool:
    """Whether a thread can end, or fail, without coming to one of these instructions."""
    seen, left = set(starts), [code.threads[thread].entry]
    while left:
        pc = left.pop()
        if pc in seen:
            continue
        seen.add(pc)
        op = code.instructions[pc].op
        if op is Op.ASSERT or OPERATIONS[op][2] is OpKind.END:
            return True
        left += code.successors(pc)
    return False


def _written_first(code: Code, thread: int, cells: Cells) -> Iterator[int]:
    """The stores of a thread before any event but accesses to such cells: to locals, they would be made although
    nobody starts the thread."""
    seen, left = set[int](), [code.threads[thread].entry]
    while left:
        pc = left.pop()
        i = code.instructions[pc]
        cell = code.constants[~i.a] if i.op in (Op.LOAD, Op.STORE) and i.a < 0 else -1
        own = cells.get(cell) == thread
        if pc in seen or (i.op in EVENTS and not own):
            continue
        seen.add(pc)
        if own and i.op is Op.STORE:
            yield pc
        left += code.successors(pc)


def _uses(code: Code) -> dict[int, _Use]:
    """Of each cell; none of any, if a pointer may lead to all of them."""
    uses: dict[int, _Use] = {}
    accessed, repeated, tried = accessed_cells(code), _repeated(code), _tried_again(code)
    for thread, (first, last) in enumerate(code.ranges):
        decided = set(_deciding_loads(code, first, last))
        for pc in range(first, last):
            i, cells = code.instructions[pc], accessed[pc]
            if cells is None:
                return {}
            for cell in cells:
                use = uses.setdefault(cell, _Use())
                use.threads.add(thread)
                use.plain &= _is_plain(code, i) and i.a < 0 and pc not in decided and code.threads[thread].block < 0
                use.plain &= not (i.op is Op.STORE and tried[pc])
                use.rewritten |= i.op is Op.STORE and repeated[pc]
                use.repeated += [pc] * repeated[pc]
    return uses


def _repeated(code: Code) -> list[bool]:
    """For each instruction: whether a jump behind it goes back to it, or to where it comes after."""
    found = [False] * len(code.instructions)
    first = len(found)  # where the jumps from here on go back to
    for pc in range(len(found) - 1, -1, -1):
        first = min(first, *code.successors(pc), pc + 1)
        found[pc] = first <= pc
    return found


def _tried_again(code: Code) -> list[bool]:
    """For each instruction: whether a loop that it is in has an update. Rounds in which a compare-and-swap fails, or in
    which a lock is taken and given back, are executions of their own, which stay."""
    found = [False] * len(code.instructions)
    updates = [i.op in (Op.RMW, Op.LOADX, Op.STOREX) for i in code.instructions]
    for pc in range(len(found)):
        for target in code.successors(pc):
            if target <= pc and any(updates[target : pc + 1]):
                found[target : pc + 1] = [True] * (pc + 1 - target)
    return found


def _runs_on(code: Code, pc: int, cells: Cells) -> bool:
    """Whether an access may come again without another event in between, if those of such cells are none."""
    seen, left = set[int](), [pc]
    while left:
        for following in code.successors(left.pop()):
            i = code.instructions[following]
            own = i.op in (Op.LOAD, Op.STORE) and i.a < 0 and code.constants[~i.a] in cells
            if following == pc:
                return True
            if following not in seen and (own or i.op not in EVENTS):
                seen.add(following)
                left.append(following)
    return False


def _is_number(cell: Variable) -> bool:
    return cell.type != "mutex" and not cell.undefined and cell.object is None


def _is_plain(code: Code, i: Instruction) -> bool:
    return i.op in (Op.LOAD, Op.STORE) and not code.classes[i.c].tags


def _deciding_loads(code: Code, first: int, last: int) -> Iterator[int]:
    """The loads of edges among which a thread chooses and which an assumption on the same edge may rule out: without an
    event before it, the assumption would be a reason not to choose the edge."""
    for pc in range(first, last):
        if code.instructions[pc].op is not Op.CHOOSE:
            continue
        for target in code.targets[code.instructions[pc].c]:
            loads = list[int]()
            for here in range(target, last):
                i = code.instructions[here]
                if i.op is Op.ASSUME:
                    yield from loads
                if i.op in (Op.GOTO, Op.CHOOSE) or OPERATIONS[i.op][2] is OpKind.END:
                    break
                if i.op is Op.LOAD:
                    loads.append(here)


def with_locals(code: Code, cells: Cells, listed: frozenset[int]) -> Code:
    """The code in which the cells are locals. Of those that are `listed`, final states list the locals' values."""
    instructions, rmws = list(code.instructions), list(code.rmws)
    stores = {thread: next(_written_first(code, thread, cells), None) for thread in _perhaps_unstarted(code, cells)}
    begins = {thread: code.instructions[pc].a for thread, pc in stores.items() if pc is not None}
    threads = []
    for number, (thread, (first, last)) in enumerate(zip(code.threads, code.ranges, strict=True)):
        own = [cell for cell, owner in cells.items() if owner == number]
        threads.append(_thread(code, thread, own, listed) if own else thread)
        if own:
            registers = {cell: len(thread.locals) + place for place, cell in enumerate(own)}
            _rewrite(code, instructions, rmws, (first, last), len(thread.locals), registers)
    made = replace(code, instructions=tuple(instructions), rmws=tuple(rmws), threads=tuple(threads))
    return _with_reads(made, begins) if begins else made


def _with_reads(code: Code, begins: Mapping[int, int]) -> Code:
    """The code in which some threads begin with a read of a cell that nobody writes any more, into the local that it
    has become: what comes before the first event of a thread is done although nobody starts it. The model sees this
    read no more than it saw those that were there."""
    plain = EventClass("R")
    classes = code.classes if plain in code.classes else (*code.classes, plain)
    entries = sorted(code.threads[thread].entry for thread in begins)

    def moved(pc: int) -> int:
        return pc + bisect_right(entries, pc)

    instructions, sites = list[Instruction](), list[Site]()
    for thread, (first, last) in enumerate(code.ranges):
        if thread in begins:
            place = begins[thread]
            register = next(r for r, cell in code.threads[thread].cells if cell == code.constants[~place])
            instructions.append(Instruction(Op.LOAD, register, place, c=classes.index(plain)))
            sites.append(code.sites[first])
        for i in code.instructions[first:last]:
            jumps = i.op is not Op.CHOOSE and OPERATIONS[i.op][2] in (OpKind.JUMP, OpKind.BRANCH)
            instructions.append(replace(i, c=moved(i.c)) if jumps else i)
        sites += code.sites[first:last]
    return replace(
        code,
        instructions=tuple(instructions),
        sites=tuple(sites),
        classes=classes,
        targets=tuple(tuple(map(moved, targets)) for targets in code.targets),
        threads=tuple(replace(each, entry=moved(each.entry) - (n in begins)) for n, each in enumerate(code.threads)),
    )


def _thread(code: Code, thread: ThreadCode, own: list[int], listed: frozenset[int]) -> ThreadCode:
    places = [(len(thread.locals) + place, cell) for place, cell in enumerate(own)]
    return replace(
        thread,
        locals=(*thread.locals, *(code.cells[cell] for cell in own)),
        initial=(*thread.initial, *(code.initial[cell] for cell in own)),
        shown=(*thread.shown, *(register for register, cell in places if cell in listed)),
        cells=tuple(places),
    )


def _rewrite(
    code: Code,
    instructions: list[Instruction],
    rmws: list[Rmw],
    range_: tuple[int, int],
    end: int,
    registers: Mapping[int, int],
) -> None:
    """Makes accesses of a thread assignments; its temporaries, which began at `end`, come behind the new locals."""

    def moved(operand: int) -> int:
        return operand + len(registers) if operand >= end else operand

    for pc in range(*range_):
        i = instructions[pc]
        reads, writes, _ = OPERATIONS[i.op]
        fields: Any = {field: moved(getattr(i, field)) for field in {*reads, *(("dst",) if writes else ())}}
        i = replace(i, **fields)
        if i.op is Op.RMW:
            rmw = rmws[i.c]
            address, operand, expected = moved(rmw.address), moved(rmw.operand), moved(rmw.expected)
            rmws[i.c] = replace(rmw, address=address, operand=operand, expected=expected)
        elif i.op in (Op.LOAD, Op.STORE) and i.a < 0 and code.constants[~i.a] in registers:
            own = registers[code.constants[~i.a]]
            i = Instruction(Op.MOV, i.dst, own) if i.op is Op.LOAD else Instruction(Op.MOV, own, i.b)
        instructions[pc] = i
