"""Which lines of a program executions come to."""

from __future__ import annotations

from typing import Literal

from xgen.records import dataclass

Why = Literal["never", "folded"]
"""Why no execution comes to a line: none does, or constants show that nothing can."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a program that accesses memory or asserts something; `why` no execution comes to it; None: one does."""

    file: str
    line: int
    text: str
    why: Why | None = None


@dataclass(frozen=True)
class Coverage:
    """The lines of a program that access memory or assert something, file by file.

    They are those of all executions, in which threads may be blocked, or `cut` by a bound; not `complete`: of those
    that there was time for.
    """

    lines: tuple[Line, ...]
    complete: bool = True
    cut: bool = False

    @property
    def never(self) -> tuple[Line, ...]:
        """Those to which no execution comes."""
        return tuple(line for line in self.lines if line.why is not None)
