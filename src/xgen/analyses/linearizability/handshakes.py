"""Which results stay possible if the client sees to an order of its calls.

A pair of calls (a, b) is a handshake: once a has returned its thread stores a flag with release, and b starts when its
thread has read the flag with acquire. So the client knows this order, under whatever model.
"""

from __future__ import annotations

from collections.abc import Callable
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
Under = Callable[[Order, Told], bool]
"""Whether a history is possible under some handshakes."""


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
        known: dict[frozenset[tuple[Place, Place]], frozenset[Told]] = {}

        def under(order: Order, told: Told) -> bool:
            key = frozenset(order)
            if key not in known:
                known[key] = self._run(client, order)
            return told in known[key]

        return under

    def _run(self, client: Client, order: Order) -> frozenset[Told]:
        program = self.structure.program(text_of(self.structure, client, Asked(order)))
        outcomes = run(program, self.model, self.clock).outcomes
        return frozenset(frozenset(self.structure.returned(client, each.state).items()) for each in outcomes)
