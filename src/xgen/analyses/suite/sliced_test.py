"""Litmus tests that are explored in parts: by those who explore, and by who counts what they find."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import dropwhile
from pathlib import Path
from typing import Any

from xgen import _core
from xgen.analyses.suite.litmus import (
    OPTIONS,
    LitmusResult,
    Looks,
    answered,
    asked_of,
    done_at_once,
    judged,
    wrong_in,
)
from xgen.analyses.suite.suite import Item, Load, failed, model_for, read_test, run_file
from xgen.clock import GRACE, Clock, OutOfTime, time_limit
from xgen.engine.distributed.coordinator import Coordinator, OpenInterval
from xgen.engine.distributed.slices import OUTCOME_PAUSE, NowhereError, Slice, Slicers, Task
from xgen.engine.distributed.totals import facts_of, outgrown, restored
from xgen.engine.distributed.workers import Lost
from xgen.engine.graphs.deepening import bounds
from xgen.engine.graphs.final_states import Row, States
from xgen.engine.graphs.found import Found
from xgen.engine.graphs.intervals import LOSSES, WHOLE, checked
from xgen.engine.graphs.native import OUTCOME_LIMIT
from xgen.engine.problem import Problem
from xgen.errors import Position
from xgen.executions.execution import Violation
from xgen.frontends.litmus.test import LitmusTest
from xgen.memory.algebra import Model
from xgen.records import dataclass, replace

TESTS = 8
"""Tests that are kept ready for their next slices."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A test that is not done after its first slice: its text, the bound on events of that slice, and what it found."""

    text: str
    depth: int | None
    first: Slice


@dataclass(frozen=True, slots=True)
class Piece:
    """A slice of a test to explore; `number` is the test's."""

    number: int
    test: Item
    task: Task

    @property
    def seconds(self) -> float:
        """How long it takes."""
        return self.task.seconds

    @property
    def name(self) -> str:
        """The test, and where the part is."""
        return f"{Path(self.test.path).stem}-{self.task.name}"


# ---- exploring


class Explorer:
    """Explores tests in slices; `load` gives their models. What is wrong with a test is said in a result."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._ready: OrderedDict[Item, tuple[LitmusResult, Slicers]] = OrderedDict()

    def begin(self, item: Item, seconds: float, timeout: float | None) -> LitmusResult | Begun:
        """The result of a test, or what a slice of so many seconds has found where that is not all."""
        begun = partial(self._begun, item, seconds)
        return run_file(item.path, item.model, timeout, self._load, begun, item.liveness)

    def _begun(
        self, item: Item, seconds: float, test: LitmusTest, model: Model, left: float | None
    ) -> LitmusResult | Begun:
        asked, clock = asked_of(test, model), Clock(seconds if left is None else min(seconds, left))
        run = done_at_once(asked, replace(OPTIONS, timeout=left))
        if run is not None:
            return answered(test, run)
        slicers = Slicers(asked, OPTIONS, duplicates=0)
        for depth in bounds(asked, None):
            one = slicers(Task(0, 0, WHOLE, depth, clock.left() or 0.0, OUTCOME_PAUSE))
            if one.left is not None:
                text = test.source.text
                name = LitmusResult(test.name, item.path, test.arch, item.model or test.model)
                self._keep(replace(item, text=text), name, slicers)
                return Begun(text, depth, one)
            if not outgrown(asked, one.found):
                break
        return judged(test, asked, _found(asked, one.found), wrong_in(one.witness))

    def go_on(self, piece: Piece) -> Slice | LitmusResult:
        """What a further slice has found. Raises MemoryError, and NowhereError for a part that is none."""
        result = LitmusResult(Path(piece.test.path).stem, piece.test.path, None, piece.test.model)
        try:
            if piece.test not in self._ready:
                test, result = read_test(piece.test.path, piece.test.model, piece.test.liveness)
                asked = asked_of(test, model_for(result, self._load))
                self._keep(piece.test, result, Slicers(asked, OPTIONS, duplicates=0))
            result, slicers = self._ready[piece.test]
            return slicers(piece.task)
        except (NowhereError, MemoryError):
            raise
        except (OutOfTime, Exception) as error:
            return failed(result, error)

    def _keep(self, item: Item, result: LitmusResult, slicers: Slicers) -> None:
        self._ready[item] = result, slicers
        if len(self._ready) > TESTS:
            self._ready.popitem(last=False)


def _found(asked: Problem, found: _core.Findings, stopped: bool = False) -> Found:
    """What parts have found together, as far as it matters to a test."""
    flags = {c.name: count for c, count in zip(asked.model.constraints, found.flags, strict=True) if count}
    states = States(asked, found.outcomes)
    complete = len(states) <= OUTCOME_LIMIT
    return Found(found.counters, flags, states, complete, None, (), (), (), stopped="timeout" if stopped else None)


# ---- counting


class SlicedTest:
    """A test that is explored in parts: these, and what was found in them.

    timeout  seconds of all slices together, after which there is no verdict
    """

    def __init__(self, number: int, item: Item, load: Load, timeout: float | None) -> None:
        self._number, self._item, self._timeout = number, item, timeout
        self._test, self._blank = read_test(item.path, item.model, item.liveness)
        self._asked = asked_of(self._test, model_for(self._blank, load))
        self._seconds = 0.0
        self._looks = Looks()
        self._coordinator = self._fresh(None)
        self._wrong: Violation | None = None  # of a witness from before the test was gone on with

    def _fresh(self, depth: int | None) -> Coordinator:
        return Coordinator(self._asked, depth, True, lambda: None)

    def begin(self, begun: Begun) -> LitmusResult | None:
        """With the first slice; the result, if there is no time for more."""
        self._coordinator = coordinator = self._fresh(begun.depth)
        coordinator.begin()
        task = coordinator.task(0.0)
        assert task is not None
        return self.take(task, begun.first)

    @property
    def waiting(self) -> int:
        """How many parts wait to be sent."""
        return self._coordinator.waiting

    @property
    def memory(self) -> int:
        """Bytes that its final states take."""
        return self._coordinator.found.outcomes.memory

    def divide(self) -> bool:
        """Makes two of a part that waits; whether that was possible."""
        return self._coordinator.divide()

    def piece(self, seconds: float) -> Piece | None:
        """A slice of a part that waits."""
        left = seconds if self._timeout is None else min(seconds, max(0.0, self._timeout - self._seconds))
        task = self._coordinator.task(left)
        return None if task is None else Piece(self._number, self._item, task)

    def take(self, task: Task, answer: Slice | LitmusResult | Lost | Exception) -> LitmusResult | None:
        """Counts an answer; the test's result, if that is all. Raises what no test can be blamed for."""
        if isinstance(answer, LitmusResult):
            return replace(answer, seconds=self._seconds)
        try:
            return self._taken(task, answer)
        except NowhereError:
            raise
        except (OutOfTime, Exception) as error:
            if error is answer:
                raise
            return replace(failed(self._blank, error), seconds=self._seconds)

    def _taken(self, task: Task, answer: Slice | Lost | Exception) -> LitmusResult | None:
        coordinator = self._coordinator
        coordinator.take(task, answer)
        if isinstance(answer, Slice):
            self._seconds += answer.seconds
        if coordinator.aside and isinstance(answer, Lost):
            return self.lost(answer)
        if len(coordinator.found.outcomes) > OUTCOME_LIMIT or (
            not coordinator.parts and not outgrown(self._asked, coordinator.found)
        ):
            return self._result()
        if self._timeout is not None and self._seconds >= self._timeout:
            return self._result(stopped=True)
        if self._item.until_decided and self._looks.due(self._seconds):
            result = self._result(part=True)
            if result.decided:
                return result
        if not coordinator.parts:
            further = dropwhile(lambda depth: depth != coordinator.depth, bounds(self._asked, None))
            next(further)
            self._coordinator = self._fresh(next(further))
            self._coordinator.begin()
        return None

    def lost(self, how: Lost) -> LitmusResult:
        """That it takes along who explores it."""
        return replace(lost_result(self._blank, how), seconds=self._seconds)

    def _result(self, stopped: bool = False, part: bool = False) -> LitmusResult:
        found = _found(self._asked, self._coordinator.found, stopped)
        with time_limit(None if self._timeout is None else max(0.0, self._timeout - self._seconds) + GRACE):
            judgement = judged(self._test, self._asked, found, self._first_wrong(), part)
        return replace(judgement, path=self._item.path, seconds=self._seconds)

    def _first_wrong(self) -> Violation | None:
        witness = self._coordinator.witness
        return self._wrong if witness is None or witness[1] is None else wrong_in(witness[1])

    # ---- keeping

    def state(self) -> tuple[dict[str, Any], Sequence[Row]]:
        """What has to be kept to go on: facts, and final states."""
        found, witness = self._coordinator.found, self._coordinator.witness
        facts: dict[str, Any] = {
            "depth": self._coordinator.depth,
            "seconds": self._seconds,
            "parts": [[part.interval.path, part.interval.rest] for part in self._coordinator.parts.values()],
            "found": facts_of(found),
        }
        wrong = self._first_wrong()
        if witness is not None and wrong is not None:
            part, at = witness[0], wrong.position
            facts["wrong"] = {
                "part": [part.path, part.rest],
                "at": [at.line, at.column, at.width],
                "kind": wrong.kind,
                "text": wrong.text,
                "location": wrong.location,
            }
        return facts, found.outcomes.rows(0, len(found.outcomes))

    def load(self, facts: Mapping[str, Any], outcomes: Sequence[Row]) -> None:
        """Goes on where `state` was. Raises ValueError, TypeError and LookupError for what is none."""
        self._coordinator = self._fresh(facts["depth"])
        self._coordinator.found = restored(self._asked, facts["found"])
        self._coordinator.found.outcomes.add(list(outcomes))
        if "wrong" in facts:
            wrong = facts["wrong"]
            self._coordinator.witness = checked(*wrong["part"]), None
            self._wrong = Violation(wrong["kind"], 0, Position(*wrong["at"]), wrong["text"], wrong["location"])
        self._seconds = float(facts["seconds"])
        parts = [checked(*part) for part in facts["parts"]]
        if not parts:
            raise ValueError("there are no parts")
        self._coordinator.take_up({number: OpenInterval(part) for number, part in enumerate(parts)})


def lost_result(blank: LitmusResult, lost: Lost) -> LitmusResult:
    """What is said of a test whose process is gone, again and again."""
    if lost.late:
        error = f"the process that ran it stood still {LOSSES} times"
    elif lost.how == "memory":
        error = "there is not enough memory"
    else:
        error = f"the process that ran it has died {LOSSES} times ({lost.how}), for lack of memory?"
    return replace(blank, error=error, too_large=True, lost=True)
