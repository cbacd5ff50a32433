"""Relations that are defined by themselves, on one execution: round by round, and in which round each pair came."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field

from xgen.memory.algebra import Term
from xgen.memory.evaluate import Rows
from xgen.records import dataclass


@dataclass(slots=True)
class Step:
    """A step of a recursion: its variables before it, and what terms are then."""

    variables: dict[str, Rows] = field(default_factory=dict)
    values: dict[Term, int | Rows] = field(default_factory=dict)


class Recursions:
    """The recursions of a model. `now`: the step at which terms are looked at; `found`: what the variables are."""

    def __init__(self) -> None:
        self.now = Step()
        self.found: dict[str, Rows] = {}
        self._gained: dict[str, list[tuple[int, Rows]]] = {}
        self._bodies: dict[str, Term] = {}
        self._steps: list[Step] = []

    def run(self, term: Term, rows: Callable[[Term], Rows], size: int) -> None:
        """Runs a recursion until none of its variables gets a pair any more; `rows` says what a body is, now."""
        names = [f"{term.group}:{number}" for number in range(len(term.args))]
        if names[0] in self.found:
            return
        variables: dict[str, Rows] = dict.fromkeys(names, (0,) * size)
        self._bodies |= dict(zip(names, term.args, strict=True))
        outer, changed = self.now, True
        while changed:
            changed = False
            for name, body in zip(names, term.args, strict=True):
                self.now = Step(dict(variables))
                found = rows(body)
                if found != variables[name]:
                    self._gained.setdefault(name, []).append((len(self._steps), found))
                    self._steps.append(self.now)
                    variables[name] = found
                    changed = True
        self.now = outer
        self.found |= variables

    @contextmanager
    def where_first(self, term: Term, a: int, b: int) -> Iterator[Term]:
        """Looks at terms at the step by which a variable got a pair; gives the body that has it there."""
        step = next(number for number, rows in self._gained[term.name] if rows[a] >> b & 1)
        outer, self.now = self.now, self._steps[step]
        try:
            yield self._bodies[term.name]
        finally:
            self.now = outer
