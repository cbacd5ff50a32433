"""Which results stay possible if the client sees to an order of its calls.

A pair of calls (a, b) is a handshake: once a has returned its thread stores a flag with release, and b starts when its
thread has read the flag with acquire. So the client knows this order, under whatever model.
"""

from __future__ import annotations

from dataclasses import field
from typing import Protocol

from xgen.analyses.linearizability.clients import Client, Place
from xgen.analyses.linearizability.programs import Asked, Structure, text_of
from xgen.analyses.linearizability.sequential import run
from xgen.clock import Clock
from xgen.memory.algebra import Model
from xgen.records import dataclass

Order = tuple[tuple[Place, Place], ...]
"""Handshakes."""
Told = frozenset[tuple[Place, int]]
"""A history: calls that returned, with their results."""


class Under(Protocol):
    """Says of one client whether a history is possible under some handshakes."""

    def may(self, order: Order, told: Told) -> bool:
        """Whether it may be, as far as can be seen at once."""
        ...

    def __call__(self, order: Order, told: Told) -> bool:
        """Whether it is."""
        ...


class Possible(Protocol):
    """Says for a client which histories are possible under handshakes."""

    def of(self, client: Client) -> Under:
        """For the histories that are possible without handshakes."""
        ...


@dataclass(frozen=True)
class ByPrograms:
    """Runs the client with the handshakes in it: one exploration for each order."""

    structure: Structure
    model: Model
    clock: Clock

    def of(self, client: Client) -> Under:
        """Each order is asked once."""
        return _InPrograms(self, client)

    def histories(self, client: Client, order: Order) -> frozenset[Told]:
        """What calls may return under handshakes."""
        program = self.structure.program(text_of(self.structure, client, Asked(order)))
        outcomes = run(program, self.model, self.clock).outcomes
        return frozenset(frozenset(self.structure.returned(client, each.state).items()) for each in outcomes)


@dataclass(frozen=True)
class _InPrograms:
    way: ByPrograms
    client: Client
    known: dict[frozenset[tuple[Place, Place]], frozenset[Told]] = field(default_factory=dict)

    def __call__(self, order: Order, told: Told) -> bool:
        key = frozenset(order)
        if key not in self.known:
            self.known[key] = self.way.histories(self.client, order)
        return told in self.known[key]

    may = __call__
