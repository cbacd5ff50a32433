"""What it took to find a verdict by satisfiability."""

from __future__ import annotations

from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Satisfiability:
    """A program and a model as clauses, and what a solver was asked of them.

    events     those that there may be, initial writes included
    clauses    of the encoding, and the lemmas
    queries    what the solver was asked; answers: what it has answered, of which the model had something against most
    lemmas     reasons of that, as clauses
    conflicts  those that the solver has met
    replayed   events of the execution that shows a violation, which the core has confirmed; None: there is none
    """

    events: int
    clauses: int
    queries: int
    answers: int
    lemmas: int
    conflicts: int
    replayed: int | None = None
