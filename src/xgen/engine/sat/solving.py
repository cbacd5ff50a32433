"""The solver, and its answers judged by the model: the reason of what is wrong with one is a clause that it lacks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from xgen.clock import Clock
from xgen.engine.sat.dependencies.thin_air import ThinAir
from xgen.engine.sat.encoding import Encoding
from xgen.engine.sat.gates import FALSE, TRUE, Literal
from xgen.engine.sat.graph import Graph, Reason
from xgen.engine.sat.orders.total import in_one_order
from xgen.engine.sat.possible import Possible, acyclic_form
from xgen.engine.sat.races import Races
from xgen.errors import InternalError, UsageError
from xgen.extras import installing
from xgen.memory.algebra import Check, Model
from xgen.memory.statics.base_order import load_buffering

SLICE = 0.2
"""Seconds that the solver runs without a look at the clock and at signals, about."""

OFTEN = 3
"""Answers that a constraint is broken by before it is said in clauses, if it can be."""
LOOK = 1000
"""Clauses after which the clock is looked at."""


class TimeIsOver(Exception):
    """The time limit is reached before there is an answer."""


class Solver:
    """The solver of python-sat, which is asked slice by slice.

    It runs in a thread of its own: in the main one it would take Ctrl-C for itself, and could not be used after that.
    """

    def __init__(self, clock: Clock) -> None:
        self._made = _solver_class()()
        self._clock = clock
        self._budget = 1000
        self._thread = ThreadPoolExecutor(1)
        self._clauses = 0

    def add(self, clause: list[Literal]) -> None:
        """Adds a clause. Raises TimeIsOver."""
        self._clauses += 1
        if self._clauses % LOOK == 0 and self._clock.over():
            raise TimeIsOver
        self._made.add_clause(clause)

    def prefer(self, literals: list[Literal]) -> None:
        """Literals that hold where nothing asks for anything else."""
        self._made.set_phases(literals)

    def holding(self, goal: Literal) -> Callable[[Literal], bool] | None:
        """What literals are where the goal holds; None: it never does. Raises TimeIsOver."""
        while True:
            if self._clock.over():
                raise TimeIsOver
            start = time.monotonic()
            found = self._thread.submit(self._slice, goal).result()
            taken = time.monotonic() - start
            if found is not None:
                return self._values() if found else None
            self._budget = max(100, int(self._budget * min(2.0, SLICE / max(taken, 1e-3))))

    def _slice(self, goal: Literal) -> bool | None:
        self._made.conf_budget(self._budget)
        answer: bool | None = self._made.solve_limited(assumptions=[goal])
        return answer

    def _values(self) -> Callable[[Literal], bool]:
        model: list[int] = self._made.get_model()
        top = len(model)

        def holds(literal: Literal) -> bool:
            variable = abs(literal)
            return ((model[variable - 1] > 0) if variable <= top else False) == (literal > 0)

        return holds

    @property
    def conflicts(self) -> int:
        """Those that it has met."""
        return int(self._made.accum_stats()["conflicts"])

    def close(self) -> None:
        """Ends its use."""
        self._thread.shutdown()
        self._made.delete()


def _solver_class() -> Any:
    """The solver. Raises UsageError where it is not installed."""
    try:
        from pysat.solvers import Cadical195
    except ImportError:
        raise UsageError("`--engine sat` needs python-sat", hint=f"`{installing('sat')}` has it") from None
    return Cadical195


class Search:
    """Looks for consistent executions of an encoded program.

    `rounds`: answers of the solver so far; `lemmas`: clauses that they have taught it; `queries`: questions.
    """

    def __init__(self, encoding: Encoding, model: Model, solver: Solver, possible: Possible) -> None:
        self._encoding, self._solver, self._possible = encoding, solver, possible
        self._conditions = [constraint.condition for constraint in model.constraints if not constraint.flag]
        self._thin_air = ThinAir(possible) if load_buffering(model)[0] else None
        self._broken = [0] * len(self._conditions)
        self._implied = {
            literal: (encoding.events[read].exec, encoding.events[write].exec)
            for read, sources in encoding.sources.items()
            for write, literal in sources.items()
        }
        self._seen: set[frozenset[Literal]] = set()
        self.queries = self.rounds = self.lemmas = 0

    def find(self, goals: Iterable[Literal], races: Iterable[Races] = ()) -> Graph | None:
        """A consistent execution with one of the goals, or with a race; None: there is none. Raises TimeIsOver."""
        wanted = [goal for goal in goals if goal != FALSE]
        known = list(races)
        goal = self._encoding.gates.any([*wanted, *(literal for each in known for literal in each.pairs.values())])
        if goal == FALSE:
            return None
        self.queries += 1
        while (holds := self._solver.holding(goal)) is not None:
            self.rounds += 1
            graph = Graph(self._possible, holds)
            reasons = self._failures(graph)
            if not reasons:
                real = any(map(holds, wanted))
                for each in known:
                    is_race, refuted = each.refuted(graph)
                    real |= is_race
                    reasons += refuted
                if real:
                    return graph
            if not self._learn(reasons):
                raise InternalError("what the solver was taught makes no difference to its answers")
        return None

    def _failures(self, graph: Graph) -> list[Reason]:
        """What the model has against an execution. Of a constraint that is often broken, the clauses are said."""
        reasons: list[Reason] = []
        for number, condition in enumerate(self._conditions):
            broken = graph.failures(condition)
            reasons += broken
            self._broken[number] += bool(broken)
            if broken and self._broken[number] == OFTEN and isinstance(condition, Check):
                relation = acyclic_form(condition)
                if relation is not None:
                    in_one_order(self._possible, relation)
        if self._thin_air is not None:
            reasons += self._thin_air.failures(graph)
        return reasons

    def _learn(self, reasons: Iterable[Reason]) -> bool:
        """Adds clauses that forbid these; whether one is new."""
        new = False
        for reason in reasons:
            said = {literal for known in reason for literal in self._implied.get(known, ())} | {TRUE}
            clause = frozenset(-literal for literal in reason - said)
            if clause not in self._seen:
                self._seen.add(clause)
                self._solver.add(sorted(clause))
                self.lemmas += 1
                new = True
        return new
