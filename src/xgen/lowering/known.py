"""Addresses that a thread knows when it comes to an access: these need not be predicted."""

from __future__ import annotations

from xgen._core import OPERATIONS, Op, OpKind
from xgen.lowering.code import ADDRESS, EVENTS, Code, Instruction
from xgen.records import replace

_OPERANDS = ("a", "b", "c", "dst")


def with_known_addresses(code: Code) -> Code:
    """The code in which a cell that depends on nothing that is read or chosen is no prediction, but a value.

    Such a prediction has one option, on which nothing else depends: without it, the executions are the same. But it is
    an event, so that a thread which comes back to a loop has had another one. What the program predicts itself is known
    from then on, and what depends on it depends on that choice; so a cell that is computed of it is known as well.
    """
    predicted = [pc for pc, i in enumerate(code.instructions) if i.op is Op.PREDICT and i.c == ADDRESS]
    if not predicted:
        return code
    doubtful = _doubtful(code)
    known = {pc for pc in predicted if code.instructions[pc].a not in doubtful[pc]}
    if not known:
        return code
    instructions = tuple(
        Instruction(Op.MOV, i.dst, i.a) if pc in known else i for pc, i in enumerate(code.instructions)
    )
    return replace(code, instructions=instructions)


def _doubtful(code: Code) -> list[set[int]]:
    """For each instruction: the registers whose values may depend on what was read or chosen, but for the program's own
    predictions, when a thread comes to it."""
    found: list[set[int]] = [set() for _ in code.instructions]
    left = [thread.entry for thread in code.threads]
    seen = set(left)
    while left:
        pc = left.pop()
        after = _after(code.instructions[pc], found[pc])
        for following in code.successors(pc):
            if following not in seen or not after <= found[following]:
                seen.add(following)
                found[following] |= after
                left.append(following)
    return found


def _after(i: Instruction, before: set[int]) -> set[int]:
    """The same behind an instruction."""
    reads, writes, kind = OPERATIONS[i.op]
    if i.op in EVENTS:  # what is read, and whether a store exclusive was done
        return before | {i.dst} if i.dst >= 0 and (writes or i.op is Op.RMW) else before
    if not writes or i.op is Op.BOUND:
        return before
    if i.op is Op.PREDICT and i.c != ADDRESS:
        return before - {i.dst}
    chosen = kind is OpKind.CHOICE and not (i.op is Op.PREDICT and i.a not in before)
    if chosen or i.op is Op.KEEP or any(getattr(i, name) in before for name in _OPERANDS if name in reads):
        return before | {i.dst}
    return before - {i.dst}
