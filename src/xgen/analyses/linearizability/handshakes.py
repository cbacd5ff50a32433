"""Which results stay possible if the client sees to an order of its calls.

A pair of calls (a, b) is a handshake: once a has returned its thread stores a flag with release, and b starts when its
thread has read the flag with acquire. So the client knows this order, under whatever model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Protocol

from xgen.analyses.linearizability.clients import Client, Slot
from xgen.analyses.linearizability.programs import Asked, Structure, text_of
from xgen.analyses.linearizability.sequential import run
from xgen.clock import Clock
from xgen.executions.result import Result
from xgen.memory.algebra import Model
from xgen.records import dataclass

Order = tuple[tuple[Slot, Slot], ...]
"""Handshakes."""
Told = frozenset[tuple[Slot, int]]
"""A history: calls that returned, with their results."""


def never() -> bool:
    """It is never enough."""
    return False


class Under(Protocol):
    """Says of one client whether a history is possible under some handshakes."""

    def may(self, order: Order, told: Told) -> bool:
        """Whether it may be, as far as can be seen at once."""
        ...

    def __call__(self, order: Order, told: Told) -> bool:
        """Whether it is."""
        ...

    def renamed(self, told: Told, other: Told, slots: Mapping[Slot, Slot]) -> bool:
        """Whether what may be of a history is seen to be what may be of another one, but for the names of calls."""
        ...


@dataclass(frozen=True)
class Explored:
    """All that a client may do: its result, its histories if nothing goes wrong, and these under handshakes."""

    result: Result
    told: Sequence[Told]
    under: Under


class Possible(Protocol):
    """Says for a client which histories are possible, and under which handshakes."""

    def explored(self, client: Client, by_names: bool = False, enough: Callable[[], bool] = never) -> Explored | None:
        """All executions of a client; `by_names`: of those that differ by the names of threads that make the same
        calls, and of the values that these put, one is enough. `enough` is asked once, before many graphs are visited:
        where it says so, this ends, with None. Raises OutOfTime, KeyboardInterrupt and LimitError."""
        ...


@dataclass(frozen=True)
class ByPrograms:
    """Runs the client with the handshakes in it: one exploration for each order."""

    structure: Structure
    model: Model
    clock: Clock

    def explored(
        self,
        client: Client,
        by_names: bool = False,  # noqa: ARG002
        enough: Callable[[], bool] = never,
    ) -> Explored | None:
        """All executions of a client, whatever their names."""
        if enough():
            return None
        result = self._result(client, ())
        return Explored(result, list(self._told(client, result)), self.under(client))

    def under(self, client: Client) -> Under:
        """Each order is asked once."""
        return _InPrograms(self, client)

    def histories(self, client: Client, order: Order) -> frozenset[Told]:
        """What calls may return under handshakes."""
        return self._told(client, self._result(client, order))

    def _result(self, client: Client, order: Order) -> Result:
        return run(self.structure.program(text_of(self.structure, client, Asked(order))), self.model, self.clock)

    def _told(self, client: Client, result: Result) -> frozenset[Told]:
        return frozenset(frozenset(self.structure.returned(client, each.state).items()) for each in result.outcomes)


@dataclass(frozen=True)
class _InPrograms:
    way: ByPrograms
    client: Client
    known: dict[frozenset[tuple[Slot, Slot]], frozenset[Told]] = field(default_factory=dict)

    def __call__(self, order: Order, told: Told) -> bool:
        key = frozenset(order)
        if key not in self.known:
            self.known[key] = self.way.histories(self.client, order)
        return told in self.known[key]

    may = __call__

    def renamed(self, told: Told, other: Told, slots: Mapping[Slot, Slot]) -> bool:  # noqa: ARG002
        return False
