"""OpenCL C: tests as Dat3M writes them, with atomics that may name a scope, fences and barriers of memory regions.

What each function does: the OpenCL C specification 3.0, sections 6.15.12 and 6.15.8. A thread says where it stands, and
its parameters where locations are: `P0@wg 0, dev 0 (global atomic_int* x, local int* y)`. Each event bears its scope as
a tag (`wi` if it is not atomic, `dv` if an atomic one names none), and the region of its location; one that some
parameter does not call atomic bears `nal`. A barrier may have a name, `B1: barrier(CLK_LOCAL_MEM_FENCE);`, by which
those of several threads are told apart; without one, the first of a thread's text meets the first of another's, and so
on. What C11 and OpenCL have in common is in c11.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from xgen.errors import Position, Source, UnsupportedError, nearest
from xgen.frontends.litmus.architectures.hierarchy import Level, group_tags
from xgen.frontends.litmus.c import c11
from xgen.frontends.litmus.c.body import Body, C
from xgen.frontends.litmus.c.expressions import NAME, Argument, Expressions, Word
from xgen.frontends.litmus.initial import Initial
from xgen.frontends.litmus.meeting import Meeting
from xgen.frontends.litmus.thread import Thread
from xgen.frontends.litmus.tokens import Text, Words
from xgen.program import automaton as xcfa
from xgen.program.uses import Access, with_tags

_SCOPES = {
    "memory_scope_work_item": "wi", "memory_scope_work_group": "wg", "memory_scope_device": "dv",
    "memory_scope_all_svm_devices": "all", "memory_scope_all_devices": "all",
}  # fmt: skip
_FENCES = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")
_FLAGS = {"CLK_GLOBAL_MEM_FENCE": "global", "CLK_LOCAL_MEM_FENCE": "local"}
_BARRIERS = ("barrier", "work_group_barrier")
_LEVELS = (Level("wg", "w"), Level("dev", "d", "dv"))
_EXAMPLE = "expected, say, `P0@wg 0, dev 0 (global atomic_int* x)`"
_HEAD = re.compile(r"\bP\d+\s*@[^(){}]*\(([^)]*)\)")


class _Dialect:
    """The functions that a test may call."""

    LANGUAGE = "OpenCL"
    ARCH = "OpenCL"
    ORDERS: Mapping[str, str] = c11.ORDERS | _SCOPES
    CONTROL_ENDS = c11.CONTROL_ENDS
    TAKES_PLACE: Collection[str] = c11.TAKES_PLACE

    def call(
        self, body: Expressions, name: str, arguments: list[Argument], position: Position
    ) -> xcfa.Expression | None:
        """The effects of a call; its value, None where it has none."""
        thread = body.thread
        assert isinstance(body, _Body)
        assert isinstance(thread, _Thread)
        if name == "atomic_work_item_fence":
            body.takes(name, arguments, (3,), position)
            flags = body.flags(arguments[0], position)
            order = c11.order_of(body, arguments[1], _FENCES, position)
            thread.scope = body.scope(arguments[2], position)
            thread.do(xcfa.Fence(order, position, flags))
            thread.scope = None
            return None
        if name in _BARRIERS:
            body.barrier(name, arguments, position)
            return None
        if name in ("atomic_thread_fence", "atomic_signal_fence") or name.startswith("__"):
            near = nearest(name, ("atomic_work_item_fence",))
            body.unsupported(f"the function `{name}` is not one of OpenCL", position, near)
        last = arguments[-1] if arguments else None
        if isinstance(last, xcfa.Name) and last.name.startswith("memory_scope"):
            body.scope(last, position)
        if isinstance(last, Word) and last.text in _SCOPES.values() and name.endswith("_explicit"):
            thread.scope = body.scope(arguments.pop(), position)
        value = c11.call(body, name, arguments, position)
        thread.scope = None
        return value


class _Thread(Thread):
    """A work-item; `scope` is what the function that is called names, `regions` the tags of locations."""

    def __init__(
        self, source: Source, number: int, initial: Initial, register: Callable[[str], str | None],
        groups: tuple[str, ...], regions: Mapping[str, tuple[str, ...]],
    ) -> None:  # fmt: skip
        super().__init__(source, number, initial, register)
        self.groups = groups
        self.regions = regions
        self.scope: str | None = None
        self.named = 0  # so many barriers without a name have been read

    def do(self, *statements: xcfa.Statement) -> None:
        """The thread goes on with these statements, which bear its tags."""
        super().do(*map(self._tagged, statements))

    def _tagged(self, statement: xcfa.Statement) -> xcfa.Statement:
        scope = self.scope or "dv"
        if isinstance(statement, xcfa.Fence):
            return with_tags(statement, (scope, *self.groups))
        if not isinstance(statement, Access) or "hidden" in getattr(statement, "tags", ()):
            return statement
        alone = isinstance(statement, xcfa.Load | xcfa.Store) and statement.order is None
        return with_tags(statement, ("wi" if alone else scope, *self._of(statement)))

    def _of(self, statement: Access) -> tuple[str, ...]:
        """The region of the location that is accessed, and where the thread stands."""
        place = statement.place
        if isinstance(place, xcfa.Deref):
            message = "an address that is computed is not supported in OpenCL: its region is not known"
            raise UnsupportedError(message, self.source, statement.position)
        return (*self.regions.get(place.name.name, ()), *self.groups)


class _Body(Body):
    """Translates the body of a function."""

    label: str | None = None

    def statement(self) -> None:
        words = self.words
        if NAME.match(words.word) and words.ahead() == ":":
            place, self.label = words.place, words.take()
            words.take()
            if words.word not in _BARRIERS:
                words.text.unsupported("a label of anything but a barrier is not supported", *place)
        super().statement()

    def argument(self, function: str, first: bool) -> Argument:
        words, position = self.words, self.words.position
        if words.word not in _FLAGS:
            return super().argument(function, first)
        found = [_FLAGS[words.take()]]
        while words.accept("|"):
            if words.word not in _FLAGS:
                words.wrong(f"expected {' or '.join(_FLAGS)}")
            found.append(_FLAGS[words.take()])
        return Word(" ".join(dict.fromkeys(found)), position)

    def flags(self, argument: Argument, position: Position) -> tuple[str, ...]:
        """Which regions a fence orders."""
        found = argument.text.split() if isinstance(argument, Word) else []
        if not found or not set(found) <= set(_FLAGS.values()):
            self.wrong("expected the memory that is ordered", position, " or ".join(_FLAGS))
        return tuple(found)

    def scope(self, argument: Argument, position: Position) -> str:
        """A memory scope."""
        if not isinstance(argument, Word) or argument.text not in _SCOPES.values():
            name = argument.name if isinstance(argument, xcfa.Name) else ""
            near = nearest(name, _SCOPES) or f"known are {', '.join(_SCOPES)}"
            self.wrong("expected a memory scope such as `memory_scope_device`", position, near)
        return argument.text

    def barrier(self, name: str, arguments: list[Argument], position: Position) -> None:
        """The thread comes to a barrier of its work-group."""
        thread = self.thread
        assert isinstance(thread, _Thread)
        self.takes(name, arguments, (1, 2), position)
        flags = self.flags(arguments[0], position)
        if len(arguments) == 2 and self.scope(arguments[1], position) != "wg":
            self.unsupported("a barrier of another scope than the work-group's is not supported", position)
        if self.label is None:
            self.label = f"_{thread.named}"
            thread.named += 1
        tags = ("wg", *flags, "bar", "hidden", *thread.groups)
        Meeting(thread, (thread.groups[0], self.label), tags, position).of_all(bool(self.loops))
        self.label = None


class OpenCl(C):
    """Programs in OpenCL C."""

    def __init__(self) -> None:
        super().__init__(_Dialect())
        self.regions: Mapping[str, tuple[str, ...]] = {}

    @property
    def body(self) -> type[Body]:
        """What translates the body of a function."""
        return _Body

    def threads(self, text: Text, start: int, end: int, initial: Initial) -> list[Thread]:
        """The threads of a program between two places of a text."""
        self.regions = _regions(text, start, end)
        return super().threads(text, start, end, initial)

    def head(self, words: Words, number_: int, initial: Initial) -> Callable[[], Thread]:
        """Reads where a thread stands, `@wg 0, dev 0`; makes it."""
        if not words.accept("@"):
            words.text.wrong(f"thread {number_} has no place in the hierarchy", *words.place, _EXAMPLE)
        numbers: dict[str, int] = {}
        names = [level.word for level in _LEVELS]
        while words.word not in ("(", ""):
            if words.word not in names or words.word in numbers:
                words.text.wrong("this is not a place in the hierarchy", *words.place, _EXAMPLE)
            name = words.take()
            if not words.word.isdecimal():
                words.wrong(f"expected the number of the {name}")
            numbers[name] = int(words.take())
            words.accept(",")
        for name in names:
            if name not in numbers:
                words.text.wrong(f"thread {number_} has no {name}", *words.place, _EXAMPLE)
        groups, regions = group_tags(_LEVELS, numbers), self.regions
        return lambda: _Thread(words.text.source, number_, initial, self.register, groups, regions)


def _regions(text: Text, start: int, end: int) -> dict[str, tuple[str, ...]]:
    """The tags of locations: in which region they are, and `nal` where some thread does not take them for atomic."""
    found: dict[str, tuple[str, ...]] = {}
    for head in _HEAD.finditer(text.text, start, end):
        place = head.start(1)
        for parameter in head[1].split(","):
            names = re.findall(r"\w+", parameter)
            if names:
                first = place + len(parameter) - len(parameter.lstrip())
                spaces = [word.removeprefix("__") for word in names if word.removeprefix("__") in _FLAGS.values()]
                atomic = any(word.startswith("atomic_") for word in names)
                before = found.get(names[-1])
                now = (*spaces, *([] if atomic else ["nal"]))
                if before is not None and set(before) - {"nal"} != set(spaces):
                    message = f"`{names[-1]}` is in another region in another thread"
                    text.wrong(message, first, place + len(parameter.rstrip()))
                found[names[-1]] = now if before is None or "nal" in now else before
            place += len(parameter) + 1
    return found


OPENCL = OpenCl()
