"""What calls may return one after the other: by a name, or in a class of Python."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Protocol

from xgen.analyses.linearizability.clients import Call, Client, Slot
from xgen.analyses.linearizability.operations import ADDS, DOWNS, LOOKS, THIEVES, UPS, Interface, is_one_of
from xgen.analyses.linearizability.orders import Steps
from xgen.errors import UsageError, nearest
from xgen.records import dataclass

StepFunction = Callable[[str, "int | None", Any], Sequence[tuple[int, Any]]]


class Specification(Protocol):
    """Says what the calls of a client may do one after the other."""

    def steps(self, client: Client, some: bool) -> Steps:
        """For all calls of a client; `some`: any of its parallel calls may be left out."""
        ...


@dataclass(frozen=True)
class Function:
    """A specification that is a function of operation, argument and state."""

    start: Hashable
    step: StepFunction

    def steps(self, client: Client, some: bool) -> Steps:  # noqa: ARG002 - others need to know it
        """Those of a client."""
        return _Steps(client, self.start, self.step)


class _Steps:
    def __init__(self, client: Client, start: Hashable, function: StepFunction) -> None:
        self.start = start
        self.client = client
        self.function = function
        self.known: dict[tuple[Slot, Hashable], Sequence[tuple[int, Hashable]]] = {}

    def step(self, slot: Slot, state: Hashable) -> Sequence[tuple[int, Hashable]]:
        key = (slot, state)
        if key not in self.known:
            call = self.client.calls[slot]
            self.known[key] = self.function(call.name, call.argument, state)
        return self.known[key]


DONE = 1
"""The result of an operation that returns nothing."""
NAMES = ("queue", "stack", "deque", "set", "register", "counter")
SORTS: Mapping[str, tuple[str, ...]] = {
    "queue": ("put", "get"),
    "stack": ("put", "get"),
    "deque": ("put", "get"),
    "set": ("key",),
    "register": ("put", "get"),
    "counter": ("do",),
}
"""The sorts of operations that each knows."""


def named(name: str, interface: Interface, empty: int, blocking: bool, file: str) -> Function:
    """A specification by its name; `queue:4` has at most four values. Raises UsageError."""
    kind, _, size = name.partition(":")
    if kind not in NAMES:
        hint = nearest(kind, NAMES) or f"it is {', '.join(NAMES)}, or a file: FILE.c or FILE.py:CLASS"
        raise UsageError(f"there is no specification `{name}`", hint=hint)
    if size and (kind not in ("queue", "stack", "deque") or not size.isdigit() or int(size) < 1):
        raise UsageError(
            f"`{name}` is no specification", hint="`queue:4` is a queue of at most 4 values, also stack, deque"
        )
    strange = [o.name for o in interface.operations.values() if o.sort not in SORTS[kind]]
    if strange:
        message = f"the specification {kind} does not know what `{strange[0]}` does"
        raise UsageError(message, file=file, hint="without --spec, the file is its own; --ops says what functions are")
    most = int(size) if size else None
    if kind in ("queue", "stack", "deque"):
        return Function((), _Container(kind, interface, most, empty, blocking))
    return {
        "set": Function(frozenset(), _set),
        "register": Function(0, _Register(interface)),
        "counter": Function(0, _counter),
    }[kind]


@dataclass(frozen=True)
class _Container:
    kind: str
    interface: Interface
    most: int | None
    empty: int
    blocking: bool

    def __call__(self, name: str, argument: int | None, state: tuple[int, ...]) -> Sequence[tuple[int, Any]]:
        if self.interface.operations[name].sort == "put":
            if self.most is not None and len(state) >= self.most:
                return [(0, state)] if self.interface.operations[name].may_fail else []
            return [(1, (*state, argument))]
        if not state:
            return [] if self.blocking else [(self.empty, state)]
        first = self.kind == "queue" or (self.kind == "deque" and is_one_of(name, THIEVES))
        return [(state[0], state[1:])] if first else [(state[-1], state[:-1])]


def _set(name: str, argument: int | None, state: frozenset[int | None]) -> Sequence[tuple[int, Any]]:
    there = argument in state
    if is_one_of(name, LOOKS):
        return [(int(there), state)]
    if is_one_of(name, ADDS):
        return [(int(not there), state | {argument})]
    return [(int(there), state - {argument})]


@dataclass(frozen=True)
class _Register:
    interface: Interface

    def __call__(self, name: str, argument: int | None, state: int) -> Sequence[tuple[int, Any]]:
        return [(1, argument)] if self.interface.operations[name].sort == "put" else [(state, state)]


def _counter(name: str, argument: int | None, state: int) -> Sequence[tuple[int, Any]]:  # noqa: ARG001
    if is_one_of(name, UPS):
        return [(state, state + 1)]
    if is_one_of(name, DOWNS):
        return [(state, state - 1)]
    return [(state, state)]


def in_python(file: str, name: str, interface: Interface) -> Function:
    """A class in a file, with `start` and `step(operation, argument, state)`. Raises UsageError."""
    try:
        found = importlib.util.spec_from_file_location("xgen_specification", file)
        assert found is not None
        assert found.loader is not None
        module = importlib.util.module_from_spec(found)
        found.loader.exec_module(module)
    except FileNotFoundError:
        raise UsageError("there is no such file", file=file) from None
    except Exception as error:
        raise UsageError(f"this specification cannot be read: {type(error).__name__}: {error}", file=file) from None
    made = getattr(module, name, None)
    if made is None:
        raise UsageError(f"there is no class `{name}` here", file=file, hint=nearest(name, vars(module)))
    try:
        specification = made()
        start, step = specification.start, specification.step
        hash(start)
    except Exception as error:
        hint = "it has `start`, a state that can be hashed, and `step(operation, argument, state)`"
        raise UsageError(
            f"`{name}` is no specification: {type(error).__name__}: {error}", file=file, hint=hint
        ) from None
    return Function(start, _Careful(file, name, step, interface))


@dataclass(frozen=True)
class _Careful:
    """A step that the user wrote."""

    file: str
    name: str
    step: StepFunction
    interface: Interface

    def __call__(self, name: str, argument: int | None, state: Any) -> Sequence[tuple[int, Any]]:
        hint = "it returns a list of pairs: what is returned, and the state then, which can be hashed"
        try:
            pairs = [(result, after) for result, after in self.step(name, argument, state)]
            hash(tuple(after for _, after in pairs))
            if self.interface.operations[name].form == "nothing":  # None, or whatever it says
                return [(DONE, after) for _, after in pairs]
            found = [(None if result is None else int(result), after) for result, after in pairs]
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            message = f"`{self.name}.step` fails for {Call(name, argument)} in the state {state!r}: {what}"
            raise UsageError(message, file=self.file, hint=hint) from None
        if any(result is None for result, _ in found):
            message = f"`{self.name}.step` gives the result None for {Call(name, argument)}, which returns a value"
            raise UsageError(message, file=self.file, hint=hint)
        return [(result, after) for result, after in found if result is not None]
