"""Assertions that no execution comes to: that they hold says nothing about the program."""

from __future__ import annotations

from collections.abc import Sequence

from xgen._core import OTHER_ASSERTION, Op
from xgen.errors import Position
from xgen.lowering.code import Code


def unreached(code: Code, reached: int, identical: Sequence[Sequence[int]] = ()) -> dict[Position, str]:
    """The places of these assertions, with their texts; `reached` is what the engine says of a whole exploration.

    It numbers assertions in the order of the code; after `OTHER_ASSERTION` of them it begins again, so of many some
    that are not reached may count as reached. Copies of one in other threads or rounds are one. `identical`: groups of
    threads of which one was explored for the others, too.
    """
    entries = [thread.entry for thread in code.threads]
    like = {thread: group[0] for group in identical for thread in group}
    texts: dict[Position, str] = {}
    keys: dict[tuple[int, int], list[Position]] = {}
    come_to: set[tuple[int, int]] = set()
    asserts = [pc for pc, i in enumerate(code.instructions) if i.op is Op.ASSERT and not i.c]
    for number, pc in enumerate(asserts):
        thread = max(t for t, entry in enumerate(entries) if entry <= pc)
        key = (like.get(thread, thread), pc - entries[thread])
        keys.setdefault(key, []).append(code.sites[pc].position)
        texts[code.sites[pc].position] = code.sites[pc].text
        if reached >> number % OTHER_ASSERTION & 1:
            come_to.add(key)
    known = {position for key in come_to for position in keys[key]}
    return {position: text for position, text in sorted(texts.items(), key=_place) if position not in known}


def _place(item: tuple[Position, str]) -> tuple[int, int]:
    return item[0].line, item[0].column
