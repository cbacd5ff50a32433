"""Where the threads of a GPU stand, as pictures show it: the groups that each is in, such as block 1 of GPU 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from xgen.executions.execution import Execution
from xgen.records import dataclass
from xgen.tags import PLACES

_WORDS = {"dv": "dev"}
"""What tests call a level whose tag is another."""

Groups = tuple[str, ...]
"""The tags of a thread's groups, the largest first."""


@dataclass(frozen=True, slots=True)
class Group:
    """Threads next to each other that are in the same groups, which `text` names; `parts`: those in it, by themselves
    or in smaller groups."""

    name: str
    text: str
    parts: tuple[int | Group, ...]


def placed_threads(execution: Execution, threads: Sequence[int]) -> list[int]:
    """The threads, those of a group next to each other."""
    groups = {thread: groups_of(execution, thread) for thread in threads}
    order: dict[Groups, int] = {}
    for own_groups in groups.values():
        for size in range(len(own_groups) + 1):
            order.setdefault(own_groups[:size], len(order))
    return sorted(threads, key=lambda t: [order[groups[t][: n + 1]] for n in range(len(groups[t]))])


def grouped(execution: Execution, threads: Sequence[int]) -> tuple[int | Group, ...]:
    """The threads in their groups; these have to be next to each other."""
    groups = {thread: groups_of(execution, thread) for thread in threads}
    return tuple(_grouped(threads, groups, 0))


def _grouped(threads: Sequence[int], groups: dict[int, Groups], level: int) -> Iterator[int | Group]:
    for own_groups, run in groupby(threads, lambda thread: groups[thread][: level + 1]):
        own, size = list(run), level + 1
        if len(own_groups) < size:
            yield from own
            continue
        # Levels in which the same threads stand are one.
        while len({groups[thread][: size + 1] for thread in own}) == 1 and len(groups[own[0]]) > size:
            size += 1
        text = ", ".join(called(tag) for tag in groups[own[0]][level:size])
        yield Group(groups[own[0]][size - 1], text, tuple(_grouped(own, groups, size)))


def groups_of(execution: Execution, thread: int) -> Groups:
    """The groups in which a thread stands, as its events say; none where it is of no GPU, or has no events."""
    found = {
        tag
        for event in execution.events
        if event.thread == thread
        for tag in event.tags
        if tag.partition(".")[0] in PLACES and "." in tag
    }
    return tuple(sorted(found, key=lambda tag: (tag.count("."), tag)))


def called(tag: str) -> str:
    """A group as heads of tests have it: `cta.g0.c1` is `cta 1`."""
    family, _, rest = tag.partition(".")
    return f"{_WORDS.get(family, family)} {rest.rpartition('.')[2][1:]}"
