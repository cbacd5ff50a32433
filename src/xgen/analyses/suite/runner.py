"""Tests that are run by several processes or machines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from functools import cache, partial
from typing import TYPE_CHECKING, TypeVar

from xgen.analyses.suite.litmus import LitmusResult, run_litmus
from xgen.analyses.suite.schedule import Answer, Batch, Crew, Job, Schedule, longest
from xgen.analyses.suite.sliced_test import Begun, Explorer, Piece, SlicedTest
from xgen.analyses.suite.suite import Item, check_model, run_file
from xgen.clock import Clock, time_limit, uninterrupted
from xgen.engine.distributed.slices import NowhereError
from xgen.engine.distributed.workers import Here, Make, Named, Workers
from xgen.errors import InternalError, UsageError, XgenError
from xgen.memory.library import load_model
from xgen.records import dataclass, replace
from xgen.sources import given, read_source, recorded
from xgen.tags import ARCHITECTURES

if TYPE_CHECKING:
    from xgen.analyses.suite.file import KeptSuite

BATCH = 64
"""Tests that are sent to another machine at a time, at most."""


@dataclass(frozen=True)
class Spread:
    """How tests are run.

    processes   that run tests; None: this one does
    cluster     the address of a scheduler of Dask whose workers run tests
    memory      the limit for all processes together, in bytes
    kept        the file that results are kept in
    timeout     seconds for each test; then it has no verdict
    texts       what is read instead of files
    """

    processes: int | None = None
    cluster: str | None = None
    memory: int | None = None
    kept: KeptSuite | None = None
    timeout: float | None = None
    texts: Mapping[str, str] = field(default_factory=dict)


class Runner:
    """Runs tests, and explores parts of them."""

    def __init__(self, texts: Mapping[str, str], timeout: float | None) -> None:
        self._texts, self._timeout = texts, timeout
        self._load = cache(load_model)  # its own: other runners may have other texts
        self._explorer = Explorer(self._load)

    def __call__(self, job: Job) -> Answer:
        """The results of the first tests, one at least; or what a slice of one has found."""
        tests = (job.test,) if isinstance(job, Piece) else job.tests
        known = {test.path: test.text for test in tests if test.text is not None}
        with given({**self._texts, **known}):
            return self._explorer.go_on(job) if isinstance(job, Piece) else list(self._results(job))

    def _results(self, batch: Batch) -> Iterator[LitmusResult | Begun]:
        clock = Clock(batch.seconds)
        for test in batch.tests:
            if batch.seconds is None:
                run = partial(run_litmus, until_decided=test.until_decided)
                yield run_file(test.path, test.model, self._timeout, self._load, run, test.liveness)
            else:
                yield self._explorer.begin(test, clock.left() or 0.0, self._timeout)
            if clock.over():
                return


T = TypeVar("T", bound=Named)
A = TypeVar("A")


def with_texts(tests: Sequence[Item]) -> list[Item]:
    """The tests with what is in their files; those that cannot be read stay as they are."""

    def text_of(path: str) -> str | None:
        try:
            return read_source(path).text
        except XgenError:
            return None

    texts = {path: text_of(path) for path in dict.fromkeys(test.path for test in tests)}
    return [replace(test, text=texts[test.path]) for test in tests]


def texts_of_models(names: Sequence[str | None]) -> dict[str, str]:
    """What is read for models, for tests of any architecture."""
    with recorded() as texts:
        for name in filter(None, names):
            for architecture in (None, *ARCHITECTURES) if name.endswith(".cat") else (None,):
                with suppress(XgenError):
                    load_model(name, architecture)
    return texts


def run_tests(
    tests: Sequence[Item], how: Spread, on_result: Callable[[LitmusResult], None] | None = None
) -> Generator[LitmusResult, None, None]:
    """The results of tests, in their order, as they come; `on_result` is called as soon as each is there.

    A test whose process dies is tried again, three times in all; then it has an error. Raises UsageError where the
    scheduler of a cluster is not there, and GoneError where it is no more.
    """
    found = {} if how.kept is None else how.kept.results()
    if how.cluster is not None:
        tests = with_texts(tests)
    left = [number for number in range(len(tests)) if number not in found]
    fresh: dict[int, LitmusResult] = {}
    crew: Crew = crew_for(how, Runner, (how.texts, how.timeout), lambda job: longest(job, how.timeout))
    schedule = _schedule(tests, left, how, crew)
    following, finished = 0, False
    try:
        for answer in schedule.results():
            if answer is not None:
                number, result = answer
                found[number] = fresh[number] = result
                if on_result:
                    on_result(result)
                while following in found:
                    yield found.pop(following)
                    following += 1
            if how.kept is not None and how.kept.due():
                _keep(how.kept, fresh, schedule)
        for number in range(following, len(tests)):
            yield found.pop(number)
        finished = True
    except NowhereError as error:
        raise (InternalError(error.message) if how.kept is None else how.kept.damaged(error.message)) from None
    finally:
        with uninterrupted():  # by Ctrl-C once more
            crew.close()
            if how.kept is not None:
                _keep(how.kept, fresh, schedule, finished)


def _keep(kept: KeptSuite, fresh: dict[int, LitmusResult], schedule: Schedule, finished: bool = False) -> None:
    """Writes what is new; what cannot be written stays so."""
    if kept.commit(fresh, {number: schedule.parted[number].state() for number in schedule.changed}, finished):
        fresh.clear()
        schedule.changed.clear()


def _schedule(tests: Sequence[Item], left: Sequence[int], how: Spread, crew: Crew) -> Schedule:
    """What is left of a suite to do. One process that keeps nothing has no use for parts."""
    load = cache(load_model)

    def begin(number: int, test: Item) -> SlicedTest:
        known = {} if test.text is None else {test.path: test.text}
        with given({**how.texts, **known}):
            return SlicedTest(number, test, load, how.timeout)

    divide = how.kept is not None or not isinstance(crew, Here)
    room = None
    if how.memory is not None:
        from xgen.engine.distributed.memory import for_outcomes  # not for all systems

        room = for_outcomes(how.memory)
    schedule = Schedule(tests, left, crew, BATCH if how.cluster else 1, divide, begin, how.timeout, room)
    if how.kept is not None:
        for number, state in how.kept.begun():
            try:
                parted = begin(number, tests[number])
                parted.load(*state)
                schedule.take_up(number, parted)
            except (XgenError, ValueError, TypeError, KeyError, IndexError) as error:
                raise how.kept.damaged(error) from None
    return schedule


def run_suite(
    paths: Sequence[str],
    model: str | None = None,
    how: Spread = Spread(),
    on_result: Callable[[LitmusResult], None] | None = None,
) -> Generator[LitmusResult, None, None]:
    """The results of the tests in files; see `run_tests`. Raises what is wrong with the model."""
    if model is not None:
        with time_limit(Clock(how.timeout).hard):
            check_model(model)
    yield from run_tests([Item(path, model) for path in paths], how, on_result)


def crew_for(how: Spread, make: Make[T, A], job: tuple[object, ...], limit: Callable[[T], float]) -> Workers[T, A]:
    """Who does `make(*job)`; a process that takes longer than its limit for a task is ended."""
    if how.cluster is not None:
        from xgen.engine.distributed.cluster import Cluster  # long to import, and not always there

        return Cluster(make, job, how.cluster)
    if how.memory is None and how.processes in (None, 1):
        return Here(make(*job))
    if sys.platform == "win32" and how.memory is not None:
        raise UsageError("limits of memory need those of processes, which Windows does not have")
    from xgen.engine.distributed.processes import Processes  # long to import

    size = how.processes or 1
    return Processes(make, job, size, None if how.memory is None else how.memory // (size + 1), ahead=1, limit=limit)
