"""The smallest program that tells two memory models apart: programs are generated, and compared in their order.

Several processes or machines may compare them: each takes some programs at a time, and the first program that tells
the models apart is the answer whoever finds it, and whatever is found behind it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Literal, Protocol

from xgen.analyses.dialects import ground_of
from xgen.analyses.suite.runner import Spread, crew_for
from xgen.clock import Clock, uninterrupted
from xgen.engine.distributed.workers import GoneError, Lost, Workers
from xgen.engine.graphs.intervals import LOSSES
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem
from xgen.errors import UsageError, XgenError
from xgen.memory.adapt import families
from xgen.memory.algebra import Model
from xgen.memory.library import load_model
from xgen.program.checks import check_program
from xgen.records import dataclass
from xgen.shapes.shape import Shape
from xgen.shapes.shapes import MAX_ACCESSES, decorated, program_of, shapes

Outcome = tuple[tuple[str, int], ...]
"""The final values of registers (`P0:r0`) and shared variables (`x`), by name."""

MOST = 64
"""Programs that are sent at a time, at most."""
LONGEST = 0.25
"""Seconds after which no further program of those is begun."""
ALONE = Spread()
STILL = 120.0
"""Seconds after which a process that does not answer stands still, and is ended."""
WAIT = 0.1
"""Seconds between two looks at the clock."""


@dataclass(frozen=True)
class Difference:
    """A program with an outcome that one model allows and the other forbids.

    shape       the program, to be said in the dialect of each model (`ground_of`)
    condition   final values that are possible under the model `allows` (0 or 1) only
    """

    shape: Shape
    condition: Outcome
    allows: int


Why = Literal["timeout", "interrupt", "lost"]


@dataclass(frozen=True)
class Search:
    """What a search found: the difference, if any; how many programs were compared, and the size of the largest: the
    number of its accesses, tags, fences and dependencies. `why` not all of up to that size were: there was no time,
    Ctrl-C, or the next program has killed the processes that compared it, or all workers are gone, as `said`."""

    difference: Difference | None
    programs: int
    size: int
    why: Why | None = None
    said: str | None = None

    @property
    def stopped(self) -> bool:
        """Whether there are programs of up to that size that were not compared."""
        return self.why is not None


def find_difference(
    first: Model,
    second: Model,
    max_size: int = 7,
    timeout: float | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    how: Spread = ALONE,
    kept: Keeper | None = None,
) -> Search:
    """The smallest program that tells two models apart, of those up to a size; see `shapes` and `ground_of`.

    Programs of tags that only one model knows come last. Tags, fences and dependencies are added where the models allow
    more than sequential consistency. `on_progress` gets the number of programs and the size. `how` says who compares
    them, `kept` is the file that the search is kept in. Raises UsageError where there is no scheduler of a cluster, and
    what is wrong with a program.
    """
    for model in (first, second):
        if families(model):
            hint = "tests can be given: xgen compare FIRST SECOND TEST.litmus"
            raise UsageError(f"programs with scopes, which {model.name} speaks of, are not generated", hint=hint)
    clock, hunt = Clock(timeout), _Hunt(Programs(first, second, max_size), kept)
    if hunt.ended:
        return hunt.result(None)
    crew: Workers[Lot, list[Answer]] = crew_for(how, Comparer, (first, second), lambda _: STILL)
    finished = False
    try:
        search = hunt.run(crew, clock, on_progress)
        finished = search.why is None
    except KeyboardInterrupt:
        search = hunt.result("interrupt")
    except GoneError as error:
        search = hunt.result("lost", str(error))
    finally:
        with uninterrupted():  # by Ctrl-C once more
            crew.close()
            if kept is not None:
                kept.commit(hunt.place, finished)
    return search


# ---- the programs


@dataclass(frozen=True, slots=True)
class Candidate:
    """A program to compare, and its size; `bare`: its number among the shapes of that size, if it is no more than one
    and larger programs are made of it where it is weak: more than sequential consistency allows."""

    size: int
    shape: Shape
    bare: int | None


class Programs:
    """The programs that are generated, in stages: those of one are made of what is weak in those before.

    weak  the shapes that are, by size and number
    """

    def __init__(self, first: Model, second: Model, max_size: int) -> None:
        self.max_size = max_size
        self._ground = ground_of(first, second)
        self.weak: list[tuple[int, int]] = []
        self._shapes: dict[int, list[Shape]] = {}

    @property
    def stages(self) -> int:
        """One for each size, of what both models speak of; and one of what either does."""
        return self.max_size - (self._ground.whole is None)

    def stage(self, number: int) -> Iterator[Candidate]:
        """The programs of a stage, in order; those before have to be done."""
        if number == self.max_size - 1:
            yield from self._last()
            return
        size, shared = number + 2, self._ground.shared
        for shape in self._weak():
            for program in decorated(shape, size - len(shape.accesses), shared):
                if self._ground.can_say(program):
                    yield Candidate(size, program, None)
        if size <= MAX_ACCESSES:
            for place, shape in enumerate(self._of(size)):
                yield Candidate(size, shape, place if size < self.max_size else None)

    def _last(self) -> Iterator[Candidate]:
        shared, whole = self._ground.shared, self._ground.whole
        assert whole is not None
        known = set(shared.words)
        for size in range(3, self.max_size + 1):
            for shape in self._weak():
                for program in decorated(shape, size - len(shape.accesses), whole):
                    if not (known.issuperset(program.words) and self._ground.can_say(program)):
                        yield Candidate(size, program, None)

    def _weak(self) -> list[Shape]:
        return [self._of(size)[place] for size, place in self.weak]

    def _of(self, size: int) -> list[Shape]:
        if size not in self._shapes:
            self._shapes[size] = list(shapes(size, self._ground.shared.plain))
        return self._shapes[size]


# ---- comparing


@dataclass(frozen=True, slots=True)
class Lot:
    """Programs to compare one after the other: the number of the first, and of each what is asked."""

    first: int
    programs: tuple[Candidate, ...]
    seconds: float
    lost: int = 0

    @property
    def name(self) -> str:
        """Its numbers, and for how many times it is sent."""
        return f"programs-{self.first}-{self.first + len(self.programs) - 1}.{self.lost}"


Answer = Difference | XgenError | bool
"""What tells the models apart on a program; what is wrong with it; or whether it is weak under both in the same way."""


class Comparer:
    """Compares programs."""

    def __init__(self, first: Model, second: Model) -> None:
        self._models = (first, second)
        self._strong = load_model("sc")
        self._ground = ground_of(first, second)

    def __call__(self, lot: Lot) -> list[Answer]:
        """The answers for the first programs, one at least: those behind one that ends the search do not matter."""
        found: list[Answer] = []
        start = time.monotonic()
        for candidate in lot.programs:
            found.append(self._answer(candidate))
            if not isinstance(found[-1], bool) or time.monotonic() - start > lot.seconds:
                break
        return found

    def _answer(self, candidate: Candidate) -> Answer:
        try:
            return self._compared(candidate)
        except XgenError as error:
            return error

    def _compared(self, candidate: Candidate) -> Answer:
        shape = candidate.shape
        said = (dialect.say(shape) for dialect in self._ground.dialects)
        found = [outcomes(program, model) for program, model in zip(said, self._models, strict=True)]
        if found[0] == found[1]:
            return candidate.bare is not None and found[0] != outcomes(shape, self._strong)
        conditions = [
            (_condition(outcome, found[1 - allows]), allows)
            for allows in (0, 1)
            for outcome in found[allows] - found[1 - allows]
        ]
        condition, allows = min(conditions, key=lambda pair: (len(pair[0]), pair))
        return Difference(shape, condition, allows)


def outcomes(shape: Shape, model: Model) -> frozenset[Outcome]:
    """The outcomes of a shape's program under a model. Raises what `Run` raises, and KeyboardInterrupt."""
    program = program_of(shape)
    check_program(program)
    every = range(len(program.variables))  # of one cell each
    run = Run(problem(program, model, every), Options(all_states=True, shared_plan=True))
    run.finish()
    if run.stopped == "interrupt":
        raise KeyboardInterrupt
    return frozenset(
        tuple(sorted((name.removesuffix("[0]"), int(value)) for name, value in outcome.state.items()))
        for outcome in run.outcomes()
    )


def _condition(outcome: Outcome, forbidden: frozenset[Outcome]) -> Outcome:
    """A part of an outcome that none of the others has; final values of shared variables are left out first."""
    kept = list(outcome)
    for value in sorted(outcome, key=lambda item: (":" in item[0], item)):
        rest = [item for item in kept if item != value]
        if not any(set(rest) <= set(other) for other in forbidden):
            kept = rest
    return tuple(kept)


# ---- the order


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a search has come: in a stage, before a program of it; so many were compared, the last of that size; and
    which shapes are weak."""

    stage: int = 0
    number: int = 0
    programs: int = 0
    size: int = 2
    weak: tuple[tuple[int, int], ...] = ()


class Keeper(Protocol):
    """Who keeps how far a search has come where a crash does not reach it."""

    def place(self) -> Reached:
        """Where to go on."""

    def due(self) -> bool:
        """Whether it is time to keep a place."""

    def commit(self, place: Reached, done: bool = False) -> bool:
        """Keep a place; whether that was possible."""


class _Hunt:
    """A search: programs are given away in their order, and what comes of them is taken in their order."""

    def __init__(self, programs: Programs, kept: Keeper | None) -> None:
        self._programs, self._kept = programs, kept
        self.place = Reached() if kept is None else kept.place()
        programs.weak = list(self.place.weak)
        self._waiting: deque[Lot] = deque()
        self._sent: dict[int, Candidate] = {}
        self._answers: dict[int, Answer | Lost] = {}
        self._last: int | None = None

    @property
    def ended(self) -> bool:
        """Whether there is nothing left to compare."""
        return self.place.stage >= self._programs.stages

    def run(
        self, crew: Workers[Lot, list[Answer]], clock: Clock, on_progress: Callable[[int, int], None] | None
    ) -> Search:
        """Compares until there is a difference, or a reason to stop."""
        while not self.ended:
            coming = islice(enumerate(self._programs.stage(self.place.stage)), self.place.number, None)
            sent = 0
            while True:
                sent += self._give(crew, coming, clock)
                if not sent:
                    break
                for lot, answer in crew.answers(WAIT):
                    sent -= 1
                    self._take(lot, answer)
                if (found := self._taken()) is not None:
                    return found
                if clock.over():
                    return self.result("timeout")
                if on_progress:
                    on_progress(self.place.programs, self.place.size)
                if self._kept is not None and self._kept.due():
                    self._kept.commit(self.place)
            place = self.place
            self.place = Reached(place.stage + 1, 0, place.programs, place.size, place.weak)
        return self.result(None)

    def result(self, why: Why | None, said: str | None = None) -> Search:
        """That there is no difference, as far as the search has come."""
        size = self._programs.max_size if why is None else self.place.size
        return Search(None, self.place.programs, size, why, said)

    def _give(self, crew: Workers[Lot, list[Answer]], coming: Iterator[tuple[int, Candidate]], clock: Clock) -> int:
        """Sends as many programs as there is room for; how many times something was sent."""
        sent = 0
        for _ in range(crew.room()):
            lot = self._waiting.popleft() if self._waiting else self._next(crew.size, coming, clock)
            if lot is None:
                break
            if self._last is not None and lot.first > self._last:
                continue  # what is behind the last one does not matter
            crew.submit(lot)
            sent += 1
        return sent

    def _next(self, workers: int, coming: Iterator[tuple[int, Candidate]], clock: Clock) -> Lot | None:
        """The next programs: few at first, since most stages are short."""
        if self._last is not None:
            return None
        size = max(1, min(MOST, (self.place.number + len(self._sent)) // (4 * workers)))
        chosen = dict(islice(coming, size))
        self._sent |= chosen
        left = clock.left()
        seconds = LONGEST if left is None else min(LONGEST, left)
        return Lot(min(chosen), tuple(chosen.values()), seconds) if chosen else None

    def _take(self, lot: Lot, answer: list[Answer] | Lost | Exception) -> None:
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Lost):
            self._lost(lot, answer)
            return
        for number, one in enumerate(answer, lot.first):
            self._answers[number] = one
            if not isinstance(one, bool):
                self._ends_with(number)
        done = len(answer)
        if done < len(lot.programs):
            self._waiting.append(Lot(lot.first + done, lot.programs[done:], lot.seconds, lot.lost))

    def _lost(self, lot: Lot, answer: Lost) -> None:
        """Each program of what was lost by itself; one that was lost too often has no answer."""
        if len(lot.programs) == 1 and lot.lost + 1 == LOSSES:
            self._answers[lot.first] = answer
            self._ends_with(lot.first)
            return
        for number, candidate in enumerate(lot.programs, lot.first):
            self._waiting.append(Lot(number, (candidate,), lot.seconds, min(lot.lost + 1, LOSSES - 1)))

    def _ends_with(self, number: int) -> None:
        self._last = number if self._last is None else min(number, self._last)

    def _taken(self) -> Search | None:
        """Takes what is known of the programs that are next in their order."""
        while self.place.number in self._answers:
            place, candidate = self.place, self._sent[self.place.number]
            answer = self._answers[place.number]
            if isinstance(answer, XgenError):
                raise answer
            if isinstance(answer, Lost):
                said = f"the next program has killed its process {LOSSES} times ({answer.how})"
                return self.result("lost", said)
            if isinstance(answer, Difference):
                return Search(answer, place.programs + 1, candidate.size)
            if answer and candidate.bare is not None:
                self._programs.weak.append((candidate.size, candidate.bare))
            del self._answers[place.number], self._sent[place.number]
            weak = tuple(self._programs.weak) if answer else place.weak
            self.place = Reached(place.stage, place.number + 1, place.programs + 1, candidate.size, weak)
        return None
