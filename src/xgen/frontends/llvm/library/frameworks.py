"""What tests of C++ ask the reader and tell it: xgen/tests.hpp (of `frameworks`) says what each means."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from xgen.frontends.llvm.language.translation import Unreachable
from xgen.frontends.llvm.library.threads import Threads
from xgen.frontends.llvm.values import Value
from xgen.program import automaton as xcfa
from xgen.program.automaton import BoolLiteral

SKIPS = "note: the test says that it is to be skipped, and ends there"
LONG = 100
"""So much of a condition is told."""
_INSIDE = 1000
"""The depth in which parts of a test stand that are in no body of a test."""


def _asked(body: Threads, arguments: list[Value]) -> Value:
    test = body.world.options.test
    return -1 if test is None else test[0] if arguments[0] == 0 else test[1]


def _told(body: Threads, arguments: list[Value]) -> Value:
    *texts, line, count = arguments
    if not isinstance(line, int) or not isinstance(count, int):
        raise body.unsupported("a test of which it is not known how many values it is run with is")
    body.world.told.append((*(_text(body, each, "a test") for each in texts), line, count))
    return 0


def _part(body: Threads, arguments: list[Value]) -> Value:
    """A part runs where its test is to come to it, once; which parts there are is told."""
    place, line, depth = arguments
    path = body.world.options.path
    if not isinstance(depth, int) or not isinstance(line, int) or depth >= _INSIDE:
        raise body.unsupported("a part of a test (SUBCASE, SECTION) in a function or class of its own is")
    if body.number:
        raise body.unsupported("a part of a test (SUBCASE, SECTION) in another thread is")
    part = _text(body, place, "a part of a test"), line
    body.world.told.append(("part", *part, depth))
    if depth >= len(path) or path[depth] != part:
        return 0
    if body.looping or (depth, part) in body.world.begun:
        raise body.unsupported("a part of a test (SUBCASE, SECTION) that it comes to again, as in a loop, is")
    body.world.begun.add((depth, part))
    return 1


def _failed(body: Threads, arguments: list[Value]) -> NoReturn:
    what = _text(body, arguments[0], "a condition")
    what = what if len(what) <= LONG else f"{what[: LONG - 3]}..."
    body.emit(xcfa.Assert(BoolLiteral(False), body.position, "assertion", what))
    raise Unreachable


def _refused(body: Threads, arguments: list[Value]) -> NoReturn:
    what = _text(body, arguments[0], "a macro")
    raise body.unsupported(f"{what if ' ' in what else f'`{what}`'} is")


def _skips(body: Threads, _arguments: list[Value]) -> Value:
    body.world.remarks[SKIPS] = None
    return 0


def _text(body: Threads, place: Value, what: str) -> str:
    """A text that is known where it is met."""
    found = body.world.memory.at(place) if isinstance(place, int) else None
    if found is None or not isinstance(place, int):
        raise body.unsupported(f"{what} whose name is not known here is")
    behind = bytes(found.data[place - found.address :])
    return behind.partition(b"\0")[0].decode("utf-8", "replace")


HANDLERS: dict[str, Callable[[Threads, list[Value]], Value]] = {
    "xgen_asked": _asked,
    "xgen_told": _told,
    "xgen_part": _part,
    "xgen_failed": _failed,
    "xgen_refused": _refused,
    "xgen_skips": _skips,
}
