"""Tests that are run by several processes or machines."""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from xgen.analyses.litmus import LitmusResult
from xgen.analyses.suites import Item, check_model, run_file
from xgen.clock import Clock, time_limit
from xgen.engine.intervals import LOSSES
from xgen.engine.workers import GoneError, Here, Lost, Make, Named, Workers
from xgen.errors import UsageError, XgenError
from xgen.memory.library import load_model
from xgen.sources import given, read_source, recorded
from xgen.tags import ARCHITECTURES

if TYPE_CHECKING:
    from xgen.analyses.kept import KeptSuite

PATIENCE = 10.0
"""Seconds beyond its time limit after which a test's process is ended: it does not heed the limit."""
BATCH = 64
"""Tests that are sent to another machine at a time, at most."""
WAIT = 0.1
"""Seconds between two looks at whether the file is to be written."""


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


@dataclass(frozen=True, slots=True)
class Batch:
    """Tests to run one after the other, and their numbers."""

    numbers: tuple[int, ...]
    tests: tuple[Item, ...]

    @property
    def name(self) -> str:
        """The first one's."""
        more = f"+{len(self.tests) - 1}" if len(self.tests) > 1 else ""
        return Path(self.tests[0].path).stem + more


class Runner:
    """Runs batches of tests."""

    def __init__(self, texts: Mapping[str, str], timeout: float | None) -> None:
        self._texts, self._timeout = texts, timeout
        self._load = cache(load_model)  # its own: other runners may have other texts

    def __call__(self, batch: Batch) -> list[LitmusResult]:
        """The results of tests."""
        known = {test.path: test.text for test in batch.tests if test.text is not None}
        with given({**self._texts, **known}):
            return [run_file(test.path, test.model, self._timeout, self._load) for test in batch.tests]


Crew = Workers[Batch, list[LitmusResult]]
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
    return [Item(test.path, test.model, texts[test.path]) for test in tests]


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
    scheduler of a cluster is not there, or is no more.
    """
    found = {} if how.kept is None else how.kept.results()
    if how.cluster is not None:
        tests = with_texts(tests)
    left = [number for number in range(len(tests)) if number not in found]
    fresh: dict[int, LitmusResult] = {}
    crew = _crew(how, len(left))
    following, finished = 0, False
    try:
        for answer in _answers(tests, left, crew, BATCH if how.cluster else 1):
            if answer is not None:
                number, result = answer
                found[number] = fresh[number] = result
                if on_result:
                    on_result(result)
                while following in found:
                    yield found.pop(following)
                    following += 1
            if how.kept is not None and how.kept.due() and how.kept.commit(fresh):
                fresh = {}
        for number in range(following, len(tests)):
            yield found.pop(number)
        finished = True
    except GoneError as error:
        hint = None if how.kept is None else f"`xgen resume {how.kept.path}` goes on"
        raise UsageError(str(error), hint=hint) from None
    finally:
        crew.close()
        if how.kept is not None:
            how.kept.commit(fresh, finished)


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


def _crew(how: Spread, tests: int) -> Crew:
    longest = None if how.timeout is None else how.timeout + PATIENCE
    return crew_for(how, Runner, (how.texts, how.timeout), longest, tests)


def crew_for(
    how: Spread, make: Make[T, A], job: tuple[object, ...], longest: float | None, most: int = 256
) -> Workers[T, A]:
    """Who does `make(*job)`: no more workers than so many; a process that takes longer for a task is ended."""
    if how.cluster is not None:
        from xgen.engine.cluster import Cluster  # long to import, and not always there

        return Cluster(make, job, how.cluster)
    if how.memory is None and (how.processes in (None, 1) or most < 2):
        return Here(make(*job))
    if sys.platform == "win32" and how.memory is not None:
        raise UsageError("limits of memory need those of processes, which Windows does not have")
    from xgen.engine.processes import Processes  # long to import

    size = max(1, min(how.processes or 1, most))
    limit = None if longest is None else lambda task: longest  # noqa: ARG005 - all tasks have the same time
    return Processes(make, job, size, None if how.memory is None else how.memory // (size + 1), ahead=1, limit=limit)


def _answers(
    tests: Sequence[Item], numbers: Sequence[int], crew: Crew, most: int
) -> Iterator[tuple[int, LitmusResult] | None]:
    """What comes of tests, by their numbers; None: there is time for something else."""
    waiting, again, suspects = deque(numbers), deque[int](), deque[int]()
    lost = Counter[int]()
    left, sent = len(numbers), 0
    while left:
        for _ in range(crew.room()):
            size = max(1, min(most, len(waiting) // (4 * crew.size)))
            chosen = [waiting.popleft() for _ in range(min(size, len(waiting)))]
            if not chosen and again:
                chosen = [again.popleft()]
            # Who dies may take along what others wait for: so each has its last chance alone.
            if not chosen and suspects and not sent:
                chosen = [suspects.popleft()]
            if not chosen:
                break
            sent += 1
            crew.submit(Batch(tuple(chosen), tuple(tests[number] for number in chosen)))
        for batch, answer in crew.answers(WAIT):
            sent -= 1
            if isinstance(answer, Exception):
                raise answer
            if not isinstance(answer, Lost):
                left -= len(batch.numbers)
                yield from zip(batch.numbers, answer, strict=True)
                continue
            for number in batch.numbers:
                lost[number] += 1
                if answer.late or lost[number] == LOSSES:
                    left -= 1
                    yield number, _lost(tests[number], answer)
                else:
                    (again if lost[number] < LOSSES - 1 else suspects).append(number)
        yield None


def _lost(test: Item, lost: Lost) -> LitmusResult:
    """What is said of a test whose process is gone, again and again."""
    name = Path(test.path).stem
    if lost.late:
        return LitmusResult(name, test.path, None, test.model, stopped="timeout")
    error = f"the process that ran it has died {LOSSES} times ({lost.how}), for lack of memory?"
    return LitmusResult(name, test.path, None, test.model, error=error, lost=True)
