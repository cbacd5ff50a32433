"""Is a parameterised system safe for every number of processes?

Backward reachability in the core; a run that it finds is handed to the engine of execution graphs, which has the last
word on a violation (docs/cub.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Literal

from xgen import program
from xgen.analyses.check.check import check
from xgen.analyses.parameterised.divergence import growth
from xgen.analyses.parameterised.instance import small_instance
from xgen.analyses.parameterised.replay import CannotReplay, replay_program
from xgen.analyses.parameterised.run import Trace, trace_of
from xgen.clock import Clock
from xgen.engine.cubes import MODELS, Search
from xgen.errors import LimitError, Source, UsageError, nearest
from xgen.executions.execution import Execution
from xgen.executions.result import Result
from xgen.frontends.cub.weak import check_weak
from xgen.memory.library import load_model
from xgen.records import dataclass, replace
from xgen.systems.parameterised import Kind, System

Verdict = Literal["safe", "violation", "unknown", "interrupted"]

MAX_SPURIOUS = 20
"""Runs that are not confirmed, until no more are looked for."""
SMALL = (2, 3, 4)
"""Numbers of processes to look for a violation with, where none that was found is possible."""
REPLAY_SECONDS = 20.0
"""The longest time for one run to be confirmed."""


@dataclass(frozen=True)
class Proof:
    """The answer about a parameterised system, and what it rests on.

    processes    how many there are: None is any number
    cubes        sets of states that can lead to an unsafe one; images: steps into them that were looked at, covered:
                 that led to nothing new
    restarts     how many guesses were wrong
    trace        the run that was confirmed, or with the verdict "unknown" one that was not
    witness      the run that was confirmed, as the engine saw it; checked: that check
    replayed     whether `trace` was confirmed
    spurious     how many runs were not
    reason       why there is no answer, in a sentence
    """

    system: System
    program: str
    model: str
    verdict: Verdict
    processes: int | None
    cubes: int
    images: int
    covered: int
    seconds: float
    restarts: int
    trace: Trace | None = None
    witness: Execution | None = None
    replayed: bool = False
    spurious: int = 0
    reason: str | None = None
    checked: Result | None = field(default=None, repr=False, compare=False)
    search: Search | None = field(default=None, repr=False, compare=False)


def prove_system(
    system: System,
    model: str,
    *,
    processes: int | None = None,
    brab: int | None = None,
    timeout: float | None = None,
    max_cubes: int | None = None,
    on_progress: Callable[[Search], None] | None = None,
) -> Proof:
    """Whether no number of processes reaches an unsafe state under a memory model: "sc" or "tso".

    processes  fixes their number, as `number_procs` does
    brab       guesses invariants from an instance of so many processes; guesses that turn out wrong are taken back
    timeout    in seconds; then the verdict is "interrupted", as it is after Ctrl-C
    max_cubes  gives up with "unknown" when there are so many

    Raises UsageError for another model or number, UnsupportedError for a system that breaks the rules of weak cells.
    """
    lagging = check_model(model) and any(array.weak for array in system.arrays)
    check_processes(system, processes)
    if lagging:
        check_weak(system)
    return _Prover(system, model, lagging, processes, brab, Clock(timeout), max_cubes, on_progress).run()


def check_model(model: str) -> bool:
    """Whether reads lag under the model; UsageError where the search does not know it."""
    if model not in MODELS:
        known = ", ".join(MODELS)
        hint = nearest(model, MODELS) or f"known are {known}"
        raise UsageError(f"the model `{model}` is not one for any number of processes", hint=hint)
    return MODELS[model]


def check_processes(system: System, processes: int | None) -> None:
    """Whether so many processes can be asked for."""
    if processes is None:
        return
    if not 1 <= processes <= 8:
        raise UsageError(f"the number of processes is from 1 to 8, not {processes}")
    if system.processes is not None and system.processes != processes and system.fixed:
        raise UsageError(f"the text has {system.processes} processes, and calls some by their numbers")


@dataclass
class _Prover:
    system: System
    model: str
    lagging: bool
    processes: int | None
    brab: int | None
    clock: Clock
    max_cubes: int | None
    on_progress: Callable[[Search], None] | None

    def run(self) -> Proof:
        small = None
        if self.brab and not self.system.fixed:
            small = small_instance(self.system, self.brab, self.clock)
        self.search = Search(self.system, self.lagging, self.processes, small)
        self.unconfirmed: Trace | None = None
        self.spurious = 0
        self.doubt = ""
        try:
            return self._go_on()
        except KeyboardInterrupt:
            return self._answer("interrupted", reason="stopped by Ctrl-C")
        except LimitError as error:
            return self._answer("unknown", trace=self.unconfirmed, reason=f"{error.message}; {self._growing()}")

    def _go_on(self) -> Proof:
        while True:
            limit = self.clock.limit
            left = None if limit is None else max(0.0, limit - self.clock.seconds)
            end = self.search.run(left, self.max_cubes, self.on_progress)
            if end == "reached":
                if self.search.take_back(self.search.reached):
                    continue
                found = self._confirmed()
                if found is not None:
                    return found
                self.spurious += 1
                if self.spurious < MAX_SPURIOUS:
                    continue
                return self._in_small() or self._without_answer()
            if end == "time":
                return self._answer("interrupted", trace=self.unconfirmed, reason=f"out of time; {self._growing()}")
            if end == "cubes":
                reason = f"more than {self.max_cubes} cubes; {self._growing()}"
                return self._answer("unknown", trace=self.unconfirmed, reason=reason)
            if self.spurious:
                return self._in_small() or self._without_answer()
            return self._answer("safe")

    def _without_answer(self) -> Proof:
        return self._answer("unknown", trace=self.unconfirmed, reason=self._unconfirmed())

    def _in_small(self) -> Proof | None:
        """A violation of a few processes: where their number is known, guards about all of them are exact."""
        if self.processes or self.system.processes or not self.system.universal_guards:
            return None
        for processes in SMALL:
            inner = _Prover(self.system, self.model, self.lagging, processes, None, self.clock, self.max_cubes, None)
            found = inner.run()
            if found.verdict == "violation":
                return replace(found, spurious=self.spurious, processes=None)
        return None

    def _confirmed(self) -> Proof | None:
        """The answer if the run that was found is possible: with as few processes as can be, or with more."""
        named = any(array.type.kind is Kind.PROC for array in self.system.arrays)
        for reuse, idle in ((True, 0), (False, 0), *(((True, 1), (True, 2)) if named else ())):
            trace = trace_of(self.search, self.search.reached, reuse, idle)
            if self.unconfirmed is None:
                self.unconfirmed = trace
            checked = self._replayed(trace)
            if checked is not None and checked.witness is not None:
                return self._answer("violation", trace=trace, checked=checked, replayed=True)
        return None

    def _replayed(self, trace: Trace) -> Result | None:
        if self.search.processes and trace.processes > self.search.processes:
            return None
        try:
            text = replay_program(self.system, trace, self.lagging)
        except CannotReplay as error:
            self.doubt = str(error)
            return None
        limit = self.clock.limit
        left = REPLAY_SECONDS if limit is None else min(REPLAY_SECONDS, max(0.1, limit - self.clock.seconds))
        run = program.parse(Source("the run", text))
        result = check(run, load_model(self.model), timeout=left, dependencies=True)
        if result.verdict == "interrupted":
            self.doubt = "the run was too long to confirm"
        return result

    def _unconfirmed(self) -> str:
        """Why a run that was found is no answer."""
        if self.doubt:
            return self.doubt
        if self.system.universal_guards:
            return "a run was found that is not possible: a guard about all processes does not hold in it"
        return "a run was found that the engine did not confirm"

    def _growing(self) -> str:
        """What keeps the search from coming to an end."""
        hint = "" if self.brab or self.search.fixed else "; `--brab 2` guesses invariants"
        return growth(self.search) + hint

    def _answer(
        self,
        verdict: Verdict,
        *,
        trace: Trace | None = None,
        checked: Result | None = None,
        replayed: bool = False,
        reason: str | None = None,
    ) -> Proof:
        search = self.search
        return Proof(
            self.system,
            self.system.source.name,
            self.model,
            verdict,
            search.processes,
            len(search),
            search.images,
            search.covered,
            self.clock.seconds,
            search.restarts,
            trace,
            None if checked is None else checked.witness,
            replayed,
            self.spurious,
            reason,
            checked,
            search,
        )
