"""Which registers and parameters of calls matter at an instruction of a function: those that are read from there on."""

from __future__ import annotations

import re

from xgen.frontends.ptx.module import Function, Instruction

_EFFECTS = "st red bra call ret exit trap bar barrier membar fence nanosleep prefetch prefetchu discard brkpt"
WITHOUT_RESULT = frozenset(_EFFECTS.split(" "))
"""Instructions whose first operand is no register that they set."""
_NAMES = re.compile(r"[%$A-Za-z_][\w$%~]*")


def live(function: Function) -> tuple[frozenset[str], ...]:
    """The names that matter before each instruction of a function, and behind the last one."""
    if not function.live:
        function.live = _found(function)
    return function.live


def _found(function: Function) -> tuple[frozenset[str], ...]:
    numbers: dict[str, int] = {}
    uses, sets = [], []
    for instruction in function.body:
        used, set_ = _uses(instruction)
        uses.append(_mask(used, numbers))
        sets.append(_mask(set_, numbers))
    results = _mask({name for name, _ in function.results}, numbers)
    count = len(function.body)
    found = [0] * count + [results]
    again = True
    while again:
        again = False
        for at in range(count - 1, -1, -1):
            behind = _behind(function, at, found, results)
            new = uses[at] | behind & ~sets[at]
            if new != found[at]:
                found[at], again = new, True
    names = list(numbers)
    known: dict[int, frozenset[str]] = {}
    for mask in found:
        if mask not in known:
            known[mask] = frozenset(name for bit, name in enumerate(names) if mask >> bit & 1)
    return tuple(known[mask] for mask in found)


def _behind(function: Function, at: int, found: list[int], results: int) -> int:
    instruction = function.body[at]
    word, always = instruction.words[0], instruction.predicate is None
    if word == "bra":
        return found[function.targets[at]] | (0 if always else found[at + 1])
    if word == "ret":
        return results | (0 if always else found[at + 1])
    if word in ("exit", "trap"):
        return 0 if always else found[at + 1]
    return found[at + 1]


def _mask(names: set[str], numbers: dict[str, int]) -> int:
    mask = 0
    for name in names:
        mask |= 1 << numbers.setdefault(name, len(numbers))
    return mask


def _uses(instruction: Instruction) -> tuple[set[str], set[str]]:
    """What an instruction reads, and what it sets for certain."""
    used, set_ = set[str](), set[str]()
    for number, operand in enumerate(instruction.operands):
        names = _NAMES.findall(operand)
        first = number == 0 and instruction.words[0] not in WITHOUT_RESULT and not operand.startswith("[")
        (set_ if first else used).update(names)
    if instruction.predicate is not None:
        used.add(instruction.predicate[0])
        set_ = set()
    if (
        instruction.operands
        and instruction.words[0] == "st"
        and any(word.startswith("param") for word in instruction.words)
    ):
        used -= set(_NAMES.findall(instruction.operands[0]))
    return used, set_
