"""Who does tasks: this process, or others of which each may die; slices of an exploration are such tasks, and tests.

What they do is `make(*arguments)`, a function of a task that gives an answer; other processes make it for themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

from xgen.clock import uninterrupted
from xgen.records import dataclass

T = TypeVar("T")
A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)
Make = Callable[..., Callable[[T], A]]


class Named(Protocol):
    """A task with a name."""

    @property
    def name(self) -> str:
        """What it is about."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A task that nobody will answer, and why; `late`: its process was ended here for taking too long."""

    how: str
    late: bool = False


def done(work: Callable[[T], A], task: T) -> A | Lost | Exception:
    """What comes of a task: its answer, or what kept it from one."""
    try:
        return work(task)
    except MemoryError:
        return Lost("memory")
    except Exception as error:  # whoever waits for the answer raises it
        return error


class GoneError(Exception):
    """There is nobody left, and nobody will come: what they had to do is open still."""


class Workers(Protocol[T, A_co]):
    """Those who do tasks.

    size      how many they are; it may change
    deaths    how many have died
    """

    size: int
    deaths: int

    def room(self) -> int:
        """How many more tasks may be given to them."""

    def submit(self, task: T) -> None:
        """Give them a task."""

    def answers(self, seconds: float) -> Iterator[tuple[T, A_co | Lost | Exception]]:
        """What has come back; waits so long at most. Raises GoneError."""

    def close(self) -> None:
        """End them; what they have not answered yet is dropped."""


class Here(Generic[T, A]):
    """This process alone."""

    size = 1
    deaths = 0

    def __init__(self, work: Callable[[T], A]) -> None:
        self._work = work
        self._tasks: list[T] = []

    def room(self) -> int:
        """One task at a time."""
        return 1 - len(self._tasks)

    def submit(self, task: T) -> None:
        """Keep a task for `answers`."""
        self._tasks.append(task)

    def answers(self, seconds: float) -> Iterator[tuple[T, A | Lost | Exception]]:  # noqa: ARG002 - tasks end by themselves
        """Do what there is to do."""
        while self._tasks:
            task = self._tasks.pop()
            yield task, done(self._work, task)

    def close(self) -> None:
        """Nothing to end."""


def in_order(crew: Workers[T, A], tasks: Sequence[T]) -> Generator[tuple[T, A | Lost | Exception], None, None]:
    """What comes of tasks, in their order, as it comes; the crew is closed then.

    Where it is interrupted, what has come of tasks behind one without an answer is told as well. Raises GoneError.
    """
    sent, following, found = 0, 0, dict[int, tuple[T, A | Lost | Exception]]()
    number = {id(task): at for at, task in enumerate(tasks)}
    try:
        while following < len(tasks):
            while sent < len(tasks) and crew.room() > 0:
                crew.submit(tasks[sent])
                sent += 1
            for task, answer in crew.answers(0.2):
                found[number[id(task)]] = task, answer
            while following in found:
                yield found.pop(following)
                following += 1
    except KeyboardInterrupt:
        for at in sorted(found):
            yield found[at]
        raise
    finally:
        with uninterrupted():
            crew.close()
