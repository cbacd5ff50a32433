"""A final state that is forbidden, for tests of what mends it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Never:
    """A requirement: this final state must not be."""

    state: tuple[tuple[str, int | bool], ...]
    text = "never"
    cells: frozenset[str] = frozenset()
    filters = False
    position = None

    def counts(self, state: Mapping[str, int | bool]) -> bool:  # noqa: ARG002
        return True

    def met(self, state: Mapping[str, int | bool]) -> bool:
        return tuple(state.items()) != self.state
