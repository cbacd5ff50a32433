"""The orders of the Linux kernel's C that can be weaker: of accesses, updates and fences.

What a branch orders depends on what stands behind it (frontends/c/control.py), so the text is translated again with a
weaker order in it (`Program.again`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from xgen.analyses.fences.texts import FUNCTION_OF
from xgen.analyses.orders import Ordered, statements
from xgen.errors import Position, Source, Spot
from xgen.frontends.c.text.preprocess import KERNEL
from xgen.frontends.mixed_size.parts import FAILED, UPDATE
from xgen.program import automaton as xcfa
from xgen.program.automaton import Program, Statement
from xgen.records import replace

NONE = "none"
"""What becomes of a fence."""
ONCE = "once"
TAKEN_OUT = {
    *("mb", "rmb", "wmb", "before-atomic", "after-atomic", "after-spinlock", "after-unlock-lock"),
    *("after-srcu-read-unlock", "after-ctrl-dep", "sync-rcu"),
}
"""Fences that order something by themselves; a section of RCU has two ends."""
TAGS = {"full": ("mb", "mb"), "acquire": ("acquire", ONCE), "release": (ONCE, "release"), "relaxed": (ONCE, ONCE)}
"""Of an update's read and of its write, by its order."""
WEAKER = {"full": ("acquire", "release", "relaxed"), "acquire": ("relaxed",), "release": ("relaxed",)}
"""What becomes of an update's order."""
_OF_ACCESS = {
    "sync-srcu": ("fence", "synchronize_srcu"),
    "acquire": ("load", "acquire"),
    "release": ("store", "release"),
}
"""Of a read or a write with such an order: what it is one of, and which."""


class KernelOrder(NamedTuple):
    """An order, by its place in the text: of a "load", a "store", an "update" or a "fence"."""

    at: Spot
    kind: str
    was: str

    def weaker(self) -> tuple[str, ...]:
        """What it becomes."""
        if self.kind == "update":
            return WEAKER[self.was]
        return (NONE,) if self.kind == "fence" else (ONCE,)


def kernel_orders(program: Program) -> dict[KernelOrder, Position]:
    """All that can be weaker, in the order of the text, with the position of a statement that has it. Functions of
    xgen's own headers are no part of the kernel."""
    found: dict[KernelOrder, Position] = {}
    for statement in statements(program):
        order = order_of(statement, program.source)
        if order is not None and not order.at.file.startswith(str(KERNEL)):
            assert isinstance(statement, Ordered)
            found.setdefault(order, statement.position)
    return dict(sorted(found.items()))


def with_weaker(program: Program, order: KernelOrder, to: str) -> Program:
    """The program of the text in which an order is a weaker one; what is asked of it stays."""

    def instead(statement: Statement) -> Statement | None:
        return _weaker(statement, order, to) if order_of(statement, program.source) == order else statement

    assert program.again is not None
    read = program.again(instead)
    return replace(
        program,
        variables=read.variables,
        processes=read.processes,
        absent=read.absent,
        gaps=read.gaps,
        folded=read.folded,
        objects=read.objects,
        volatile=read.volatile,
    )


def order_of(statement: Statement, source: Source) -> KernelOrder | None:
    """The order that a statement has, if there is a weaker one."""
    kind = was = ""
    if not isinstance(statement, Ordered):
        return None
    if isinstance(statement, xcfa.Fence):
        if statement.tag in TAKEN_OUT and not statement.inserted:
            kind, was = "fence", FUNCTION_OF[statement.tag]
    elif isinstance(statement, xcfa.Rmw) or statement.order in (UPDATE, FAILED):
        kind, was = "update", next(_of_update(statement), "")
    else:
        kind, was = _OF_ACCESS.get(statement.order or "", ("", ""))
    return KernelOrder(statement.position.spot(source), kind, was) if was else None


def _of_update(statement: xcfa.Rmw | xcfa.Load | xcfa.Store) -> Iterator[str]:
    """The order of an update; of a part of one, if the part has one."""
    if isinstance(statement, xcfa.Rmw):
        read = {*statement.orders[:1], *statement.read_tags}
        write = {*statement.orders[:1], *statement.write_tags}
    else:
        read = set(statement.tags) if isinstance(statement, xcfa.Load) else set()
        write = set(statement.tags) if isinstance(statement, xcfa.Store) else set()
    if "mb" in read | write:
        yield "full"
    elif "acquire" in read:
        yield "acquire"
    elif "release" in write:
        yield "release"


def _weaker(statement: Statement, order: KernelOrder, to: str) -> Statement | None:
    if order.kind == "fence":
        return None
    if isinstance(statement, xcfa.Load | xcfa.Store) and order.kind != "update":
        return replace(statement, order=ONCE)
    (read, write), (reads, writes) = TAGS[order.was], TAGS[to]
    if isinstance(statement, xcfa.Load):
        assert statement.order in (UPDATE, FAILED)
        return replace(statement, tags=tuple(reads if tag == read else tag for tag in statement.tags))
    if isinstance(statement, xcfa.Store):
        return replace(statement, tags=tuple(writes if tag == write else tag for tag in statement.tags))
    assert isinstance(statement, xcfa.Rmw)
    # As update_of (frontends/mixed_size/parts.py) has it: what both events bear is an order.
    others = [
        tuple(tag for tag in tags if tag not in (read, write)) for tags in (statement.read_tags, statement.write_tags)
    ]
    if reads == writes:
        return replace(statement, orders=(reads,), read_tags=others[0], write_tags=others[1])
    return replace(statement, orders=(), read_tags=(reads, *others[0]), write_tags=(writes, *others[1]))
