"""Whether a check notices that an order of a program is weaker."""

from __future__ import annotations

from typing import Literal

from xgen.records import dataclass

Noticed = Literal["noticed", "race", "not-noticed", "no-answer"]
"""Whether the program goes wrong with the weaker order; "race": it has a data race then, of which a warning tells;
"no-answer": that was not found out."""


@dataclass(frozen=True, slots=True)
class Weakened:
    """An order in the program's text that was weakened alone, or a fence that was taken out (`to` is "none").

    `text` is the line where it is said. `failing`: it is the order of a compare-exchange that does not write.
    """

    file: str
    line: int
    column: int
    text: str
    was: str
    to: str
    verdict: Noticed
    failing: bool = False
