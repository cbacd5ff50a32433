"""Threads of GPUs: where they stand, what their events bear for it, and the barriers at which they meet.

The head of a column says where its thread is: `P0@cta 0,gpu 1`. Two threads are in one group of a level if they agree
in this level and in those above it. Each event bears a tag for each group of its thread (`cta.g1.c0`, `gpu.g1`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from xgen.errors import Source, nearest
from xgen.frontends.litmus.architectures.columns import Column, first_row, read_columns
from xgen.frontends.litmus.initial import Initial
from xgen.frontends.litmus.thread import Thread
from xgen.frontends.litmus.tokens import Text
from xgen.records import dataclass

HEAD = re.compile(r"\s*P?(\d+)\s*(?:@[^|;]*)?\Z")
_LEVEL = re.compile(r"\s*([A-Za-z]+)\s+(\d+)\s*\Z")
_LABEL = re.compile(r"\s*([A-Za-z_.$][\w.$]*)\s*:")


@dataclass(frozen=True)
class Level:
    """A level of the hierarchy: the word for it in heads, a letter for tags, and the family if it is another."""

    word: str
    letter: str
    family: str = ""


class GpuThread(Thread):
    """A thread that stands somewhere: `groups` are the tags of its events, the smallest group first.

    `loops` are the parts of the text that it may run again and again.
    """

    def __init__(
        self, source: Source, number: int, initial: Initial, register: Callable[[str], str | None],
        groups: tuple[str, ...], loops: Sequence[tuple[int, int]],
    ) -> None:  # fmt: skip
        super().__init__(source, number, initial, register)
        self.groups = groups
        self.loops = loops

    def in_loop(self, place: int) -> bool:
        """Whether what stands at a place of the text may be run more than once."""
        return any(start <= place <= end for start, end in self.loops)


def read_threads(
    text: Text, span: tuple[int, int], levels: tuple[Level, ...], initial: Initial,
    register: Callable[[str], str | None],
) -> list[tuple[GpuThread, Column]]:  # fmt: skip
    """The threads of a program between two places of a text, each with its column; `levels` from the smallest up."""
    columns = read_columns(text, *span, head=HEAD)
    heads = first_row(text, *span)
    return [
        (
            GpuThread(
                text.source,
                column[0],
                initial,
                register,
                (*_groups(text, head, column[0], levels), *_marks(column[0], initial)),
                _loops(column),
            ),
            column,
        )
        for head, column in zip(heads, columns, strict=True)
    ]


def _groups(text: Text, head: tuple[int, str], number: int, levels: tuple[Level, ...]) -> tuple[str, ...]:
    """The tags of the groups that a thread is in."""
    start, written = head
    _, at, rest = written.partition("@")
    names = [level.word for level in levels]
    example = f"expected `P{number}@{','.join(f'{name} 0' for name in names)}`"
    if not at:
        first = start + len(written) - len(written.lstrip())
        text.wrong(f"thread {number} has no place in the hierarchy", first, start + len(written.rstrip()), example)
    found: dict[str, int] = {}
    place = start + len(written) - len(rest)
    for part in rest.split(","):
        match, word = _LEVEL.match(part), (part.split() or [""])[0]
        first = place + len(part) - len(part.lstrip())
        if match is None or match[1] not in names or match[1] in found:
            near = nearest(word, names) if word not in names else None
            text.wrong("this is not a place in the hierarchy", first, place + len(part.rstrip()), near or example)
        found[match[1]] = int(match[2])
        place += len(part) + 1
    missing = [name for name in names if name not in found]
    if missing:
        text.wrong(f"thread {number} has no {missing[0]}", start + len(written) - len(rest), hint=example)
    return group_tags(levels, found)


def group_tags(levels: tuple[Level, ...], numbers: Mapping[str, int]) -> tuple[str, ...]:
    """The tags of the groups that a thread is in which has these numbers, the smallest group first."""
    tags = []
    for index, level in enumerate(levels):
        above = [f"{each.letter}{numbers[each.word]}" for each in reversed(levels[index:])]
        tags.append(".".join([level.family or level.word, *above]))
    return tuple(tags)


def _marks(number: int, initial: Initial) -> list[str]:
    """The tags by which the events of a thread are related that the system orders, a pair of threads a number."""
    sides = ("ssw-from", "ssw-to")
    return [
        f"{side}.p{index}"
        for index, pair in enumerate(initial.system)
        for side, thread in zip(sides, pair, strict=True)
        if thread == number
    ]


def _loops(column: Column) -> list[tuple[int, int]]:
    """From a label to what jumps back to it."""
    labels: dict[str, int] = {}
    loops = []
    for place, content in column[1]:
        rest = content
        while match := _LABEL.match(rest):
            labels[match[1]] = place
            rest = rest[match.end() :]
        words = re.findall(r"[\w.$]+", rest)
        if words and words[-1] in labels:
            loops.append((labels[words[-1]], place))
    return loops
