"""What a check says of a property of its program."""

from __future__ import annotations

from typing import Literal

from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a property holds. `about`: its name (None: its task was not read in time); `expected`: what the task
    says of it, if it says; `why`: where it is unknown, or is true though something goes wrong."""

    says: Literal["true", "false", "unknown"]
    about: str | None = None
    expected: bool | None = None
    why: str | None = None

    @property
    def kept(self) -> bool | None:
        """Whether it is what is expected; None: one of the two is not known."""
        return None if self.expected is None or self.says == "unknown" else (self.says == "true") == self.expected
