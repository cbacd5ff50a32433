"""What is asked of a program, one query after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal as One

from xgen._core import Op
from xgen.clock import Clock
from xgen.engine.problem import Problem
from xgen.engine.sat import like
from xgen.engine.sat.encoding import Encoding
from xgen.engine.sat.ends import completes, deadlock
from xgen.engine.sat.events import Place, refused
from xgen.engine.sat.gates import FALSE
from xgen.engine.sat.numbers import Numbers
from xgen.engine.sat.orders.unordered import unordered
from xgen.engine.sat.possible import Possible
from xgen.engine.sat.races import races_of
from xgen.engine.sat.refusals import refuse
from xgen.engine.sat.replay import Input, Replay
from xgen.engine.sat.solving import Search, Solver, TimeIsOver
from xgen.engine.sat.unroll import TooLargeError, Unroller
from xgen.errors import LimitError, UnsupportedError
from xgen.executions.execution import Execution
from xgen.executions.satisfiability import Satisfiability
from xgen.memory.ready import facts
from xgen.records import dataclass

ROUNDS = ((8, 400), (4, 400), (2, 400), (1, 1000))
"""Rounds of loops that are tried one after the other, each unless there are more than so many events."""


@dataclass(frozen=True)
class Decision:
    """The answer.

    witness    an execution in which something goes wrong; None: there is none
    completes  whether an execution does; None: that was not asked
    cuts       the instructions at which a bound stops threads, in one execution in which it stops any
    inputs     of the witness: the numbers that nobody knew
    numbers    what it took
    """

    witness: Execution | None
    completes: bool | None
    cuts: tuple[int, ...]
    inputs: tuple[Input, ...]
    numbers: Satisfiability
    stopped: One["timeout", "interrupt"] | None = None


def decide(problem: Problem, clock: Clock, symmetry: bool = True) -> Decision:
    """Whether something goes wrong in an execution, whether one completes, and whether a bound cuts any.

    Loops are unrolled as far as that is small enough: see ROUNDS. Raises UnsupportedError for what is not encoded,
    UsageError without a solver.
    """
    refuse(problem)
    bound = max((i.c + 1 for i in problem.code.instructions if i.op is Op.BOUND), default=0)
    for rounds, most in ROUNDS:
        solver = Solver(clock)
        try:
            question = _Question(problem, solver, symmetry)
            return question.answer(max(rounds, bound), most)
        except TooLargeError:
            continue
        finally:
            solver.close()
    raise LimitError(f"more than {ROUNDS[-1][1]:,} events are too many for --engine sat", file=problem.code.source.name)


class _Question:
    def __init__(self, problem: Problem, solver: Solver, symmetry: bool) -> None:
        self.problem, self.solver, self.symmetry = problem, solver, symmetry
        self.encoding: Encoding | None = None
        self.search: Search | None = None

    def answer(self, rounds: int, most: int) -> Decision:
        try:
            return self._answer(rounds, most)
        except TimeIsOver:
            return self._decision(None, stopped="timeout")
        except KeyboardInterrupt:
            return self._decision(None, stopped="interrupt")

    def _answer(self, rounds: int, most: int) -> Decision:
        code, model = self.problem.code, self.problem.model
        gates = Numbers(self.solver.add)
        known = facts(model)
        dependent = known.dependencies or known.buffering
        self.encoding = encoding = Encoding(code, gates, Unroller(code, gates, rounds, most, dependent))
        self._see_forks(encoding)
        possible = Possible(encoding)
        races = races_of(possible, model)
        self.solver.prefer([-literal for each in races for literal in each.pairs.values()])
        if self.symmetry:
            like.in_order(encoding, self.problem)
        self.search = search = Search(encoding, model, self.solver, possible)
        unrolled = encoding.unrolled
        stuck = [] if self.problem.program.asked else [deadlock(encoding)]  # a task of SV-COMP asks for no deadlock
        found = search.find([*(error.holds for error in unrolled.errors), *stuck])
        if found is None and any(each.pairs for each in races):
            for each in races:
                unordered(possible, each)
            found = search.find([], races)
        if found is not None:
            replay = Replay(self.problem, found)
            return self._decision(replay.execution(), inputs=tuple(replay.inputs))
        self._see_room(unrolled.doubts)
        completed = search.find([completes(encoding)]) is not None
        cut = search.find([place.holds for place in unrolled.cuts])
        places = [] if cut is None else [place.pc for place in unrolled.cuts if cut.holds(place.holds)]
        return self._decision(None, completed, tuple(dict.fromkeys(places)))

    def _see_forks(self, encoding: Encoding) -> None:
        """Sees that each thread is started in one place, and that nobody goes around a join."""
        code, starts = self.problem.code, set[int]()
        for event in encoding.events:
            if event.starts >= 0 and event.starts in starts:
                raise refused(code, event.pc, "threads that are started in one of several places")
            starts.add(event.starts)
        joins = [(pc, literal) for pc, literal in encoding.passed_by() if literal != FALSE]
        if joins and (holds := self.solver.holding(encoding.gates.any(literal for _, literal in joins))) is not None:
            pc = next(pc for pc, literal in joins if holds(literal))
            raise refused(code, pc, "joins that some ways go around")

    def _see_room(self, doubts: Sequence[Place]) -> None:
        """Sees that what is written has been seen by all who may read it."""
        assert self.search is not None
        found = self.search.find([place.holds for place in doubts])
        if found is not None:
            pc = next(place.pc for place in doubts if found.holds(place.holds))
            site = self.problem.code.sites[pc]
            message = "--engine sat does not know a value that is too large for its variable yet"
            raise UnsupportedError(message, site.position.source or self.problem.code.source, site.position)

    def _decision(
        self,
        witness: Execution | None,
        completed: bool | None = None,
        cuts: tuple[int, ...] = (),
        inputs: tuple[Input, ...] = (),
        stopped: One["timeout", "interrupt"] | None = None,
    ) -> Decision:
        encoding, search = self.encoding, self.search
        lemmas = search.lemmas if search else 0
        numbers = Satisfiability(
            events=len(encoding.events) if encoding else 0,
            clauses=encoding.gates.clauses + lemmas if encoding else 0,
            queries=search.queries if search else 0,
            answers=search.rounds if search else 0,
            lemmas=lemmas,
            conflicts=self.solver.conflicts,
            replayed=None if witness is None else len(witness.events),
        )
        return Decision(witness, completed, cuts, inputs, numbers, stopped)
