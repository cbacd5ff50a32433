"""What parts, processes and checkpoints cost, and how long workers are idle.

    python benchmarks/parts.py > results/parts.csv            # idle shares, by simulation: minutes
    python benchmarks/parts.py --costs > results/costs.csv    # of real runs, on a machine that does nothing else

The simulation runs xgen's own coordinator in virtual time, on recorded trees: for each graph how deep it is in the
tree, in the order in which graphs are visited. A slice visits as many as it has time for, at `r` full slices for each
worker (`slices`); each one costs its worker .2 % of a full slice, and the coordinator .3 ms. What is not spent on
graphs is `idle`. A suite's tests take as long as shipped ones, drawn at random; each has the first graphs of one of
these trees.

Costs are ratios of the processor's seconds, of runs that take turns: `parts` is a run in slices in one process against
one that is not divided, `checkpoint` with a file against without, and `processes` the seconds (of the clock) that one
process takes against those that two take. `machine` is the most that two could reach: twice the seconds of one run that
is not divided, against those of two at once that have nothing to do with each other but memory and caches.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from families import instance
from harness import apart, write

import xgen
from xgen import _core
from xgen.analyses.suite import runner, schedule, sliced_test
from xgen.analyses.suite.litmus import LitmusResult
from xgen.analyses.suite.suite import Item, find_tests, run_file
from xgen.engine.distributed import coordinator
from xgen.engine.distributed.slices import ALL_OUTCOMES
from xgen.engine.graphs import native as engine
from xgen.engine.graphs.intervals import WHOLE
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem
from xgen.resources import shipped

if TYPE_CHECKING:
    import numpy as np

WORKERS = (16, 256, 4096)
SLICES = (20, 100)
OVERHEAD = 0.002
"""Of a full slice, what each costs its worker."""
HANDLING = 0.0003
"""Seconds that the coordinator takes for an answer of a process (measured: .2 to .3 ms)."""
TESTS = 20_000
FIELDS = ("program", "model", "graphs", "workers", "slices", "graphs_a_slice", "tasks", "open", "idle")

STACK = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int top, next[8];
static void *work(void *argument) {
  int node = (int)(long)argument, old = atomic_load(&top);
  do atomic_store_explicit(&next[node], old, memory_order_relaxed);
  while (!atomic_compare_exchange_strong(&top, &old, node));
  old = atomic_load(&top);
  while (old != 0 && !atomic_compare_exchange_strong(&top, &old, atomic_load(&next[old])));
  return 0;
}
int main(void) {
  pthread_t t[4];
  for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)(i + 1));
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
"""
"""Treiber's stack: each thread pushes a node, and pops one."""
QUEUE = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int tail, head, cells[8];
static void *put(void *argument) {
  for (int i = 0; i < 2; i++) {
    int at = atomic_fetch_add(&tail, 1);
    atomic_store_explicit(&cells[at], (int)(long)argument, memory_order_release);
  }
  return 0;
}
static void *take(void *argument) {
  for (int i = 0; i < 2; i++) {
    int at = atomic_load(&head);
    if (atomic_load_explicit(&cells[at], memory_order_acquire) != 0)
      atomic_compare_exchange_strong(&head, &at, at + 1);
  }
  return 0;
}
int main(void) {
  pthread_t t[6];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, put, (void *)(i + 1));
  for (int i = 3; i < 6; i++) pthread_create(&t[i], 0, take, 0);
  for (int i = 0; i < 6; i++) pthread_join(t[i], 0);
  return 0;
}
"""
"""A queue in an array: three threads put two numbers each, three take some."""
C = {"stack in C": STACK, "queue in C": QUEUE}
PROGRAMS = (
    ("writers(3,6)", "sc"),
    ("coherence(13)", "sc"),
    ("queue in C", "rc11"),
    ("stack in C", "sc"),
    ("peterson(3):20", "arm8"),
)
MOST = 20_000_000
"""Graphs of which a tree is recorded; of larger ones these are the first. Runs are as long for all
trees: of a small one, each graph takes long, and cannot be divided."""
SMALL = 20_000
"""The same for the tests of a suite: each has one of these trees."""


# ---- the trees


def asked(name: str, model: str) -> Run:
    """A fresh run of a program."""
    if name in C:
        program, depth = xgen.parse(C[name], "c"), None
    else:
        found = instance(name)
        program, depth = xgen.parse(found.text), found.depth
    return Run(problem(program, xgen.model(model)), Options(max_depth=depth, all_states=True), WHOLE)


def recorded(name: str, model: str, most: int = MOST) -> np.ndarray[Any, np.dtype[np.uint16]]:
    """How deep each graph is in the tree of a search, in its order."""
    run = asked(name, model)
    settings = run.settings(run.depth)
    settings.graph_pause = 1  # from here on each step ends with a pause
    core = run.core = run.explore(WHOLE, settings)
    depths, last = [0], list[int]()
    while core.run(60.0) == xgen._core.Halt.BUDGET and len(depths) < most:
        path, rest = core.left
        if not rest:
            break
        if rest[-1] == len(path) and path != last:  # a graph was reached
            depths.append(len(path))
            last = path
    import numpy as np  # not where processes are measured: it has threads, so that they could not start as copies

    return np.array(depths, np.uint16)


class Span:
    """The graphs from one number on, up to another one: what an `Interval` is to a recorded tree.

    divides  whether arithmetic divides it: it is what was left of something
    """

    __slots__ = ("_cut", "divides", "end", "first", "tree")

    def __init__(self, tree: Any, first: int, end: int, divides: bool, cut: int = -1) -> None:
        self.tree, self.first, self.end, self.divides, self._cut = tree, first, end, divides, cut

    @property
    def cut(self) -> int:
        """The first of the graphs nearest to the root, of those after the first."""
        if self._cut <= self.first and self.end - self.first > 1:
            self._cut = self.first + 1 + int(self.tree[self.first + 1 : self.end].argmin())
        return self._cut

    @property
    def rest(self) -> tuple[int, ...]:
        """The level of that graph; twice, as there are more, where it divides."""
        level = int(self.tree[self.cut]) - 1 if self.end - self.first > 1 else int(self.tree[self.first])
        return (level,) * (2 if self.divides and self.end - self.first > 1 else 1)

    @property
    def start(self) -> tuple[int, ...]:
        """Where it begins."""
        return (self.first,)

    def divided(self) -> tuple[Span, Span] | None:
        """Its end, and its front."""
        if len(self.rest) < 2:
            return None
        return Span(self.tree, self.cut, self.end, False), Span(self.tree, self.first, self.cut, True)


# ---- workers in virtual time

T = TypeVar("T")
A = TypeVar("A")


@dataclass
class Clock:
    """The time."""

    now: float = 0.0

    def monotonic(self) -> float:
        """Seconds."""
        return self.now


class Fleet(Generic[T, A]):
    """Workers of which each may have a task to do and one to wait; `work` gives a task's answer, and its seconds."""

    deaths = 0

    def __init__(self, size: int, clock: Clock, work: Any) -> None:
        self.size, self._clock, self._work = size, clock, work
        self._queues: list[deque[T]] = [deque() for _ in range(size)]
        self._by_length = [set(range(size)), set[int](), set[int]()]
        self._events: list[tuple[float, int, int, T, A]] = []
        self._tasks = self.tasks = 0

    def room(self) -> int:
        """Two for each."""
        return 2 * self.size - self._tasks

    def submit(self, task: T) -> None:
        """To one that has least to do."""
        length = 0 if self._by_length[0] else 1
        worker = self._by_length[length].pop()
        self._by_length[length + 1].add(worker)
        self._queues[worker].append(task)
        self._tasks += 1
        if length == 0:
            self._begin(worker, self._clock.now)

    def _begin(self, worker: int, now: float) -> None:
        self.tasks += 1
        answer, seconds = self._work(self._queues[worker][0])
        heappush(self._events, (now + seconds, self.tasks, worker, self._queues[worker][0], answer))

    def answers(self, seconds: float) -> Iterator[tuple[T, A]]:  # noqa: ARG002 - nothing else happens
        """The next one, and those that have come until that is handled."""
        found = []
        while self._events and (not found or self._events[0][0] <= self._clock.now):
            end, _, worker, task, answer = heappop(self._events)
            self._clock.now = max(self._clock.now, end) + HANDLING
            queue = self._queues[worker]
            queue.popleft()
            self._by_length[len(queue) + 1].discard(worker)
            self._by_length[len(queue)].add(worker)
            self._tasks -= 1
            if queue:
                self._begin(worker, end)
            found.append((task, answer))
        yield from found

    def close(self) -> None:
        """Nothing to end."""


NO_PROBLEM: Any = SimpleNamespace(final_values=(), model=SimpleNamespace(constraints=()))
"""Of what is simulated nothing is known but its tree."""


def answer(left: Any, seconds: float) -> SimpleNamespace:
    """A slice that has found nothing."""
    return SimpleNamespace(found=_core.Findings(0), witness=None, left=left, seconds=seconds, violation=False)


def simulated(tree: Any, workers: int, slices: int) -> dict[str, object]:
    """A run by so many workers that takes so many full slices for each of them."""
    clock, full = Clock(), max(coordinator.LONGEST, coordinator.PER_WORKER * workers)
    graph = workers * slices * full / len(tree)

    def work(task: Any) -> tuple[Any, float]:
        part, end = task.part, min(task.part.end, task.part.first + max(1, round(task.seconds / graph)))
        left = None if end == part.end else Span(part.tree, end, part.end, True, part.cut)
        seconds = (end - part.first) * graph
        return answer(left, seconds), seconds + OVERHEAD * full

    coordinator.time = clock  # type: ignore[assignment]
    fleet: Fleet[Any, Any] = Fleet(workers, clock, work)
    run = coordinator.Coordinator(NO_PROBLEM, None, True, lambda: None)
    most = [0]

    def look() -> None:
        most[0] = max(most[0], len(run.parts))

    run.report = look
    run._open(Span(tree, 0, len(tree), False))  # type: ignore[arg-type]
    run.run(fleet)  # type: ignore[arg-type]
    coordinator.time = time
    assert not run.parts
    return {
        "graphs": len(tree), "workers": workers, "slices": slices, "tasks": fleet.tasks, "open": most[0],
        "graphs_a_slice": round(len(tree) / workers / slices, 1),
        "idle": round(1 - len(tree) * graph / (workers * clock.now), 4),
    }  # fmt: skip


# ---- suites


def times() -> list[float]:
    """The seconds of the shipped litmus tests."""
    found = []
    for path in find_tests([str(shipped("litmus"))]):
        start = time.process_time()
        run_file(path)
        found.append(time.process_time() - start)
    return found


READING = 0.004
"""Seconds that it takes to read a test that is to be explored in parts (measured: 2 to 6 ms)."""


class Simulated:
    """A test in parts: xgen's own bookkeeping, of a recorded tree."""

    memory = 0

    def __init__(self, number: int, clock: Clock) -> None:
        clock.now += READING
        self._number = number
        self._parts = coordinator.Coordinator(NO_PROBLEM, None, True, lambda: None)

    def begin(self, begun: Any) -> None:
        """With what its first slice has left."""
        self._parts._open(begun.first.left)

    @property
    def waiting(self) -> int:
        """Parts that wait."""
        return self._parts.waiting

    def divide(self) -> bool:
        """Whether a part was divided."""
        return self._parts.divide()

    def piece(self, seconds: float) -> sliced_test.Piece | None:
        """A slice."""
        task = self._parts.task(seconds)
        return None if task is None else sliced_test.Piece(self._number, Item("", None), task)

    def take(self, task: Any, answer: Any) -> Any:
        """The result, once there is no part left."""
        self._parts.take(task, answer)
        return None if self._parts.parts else DONE


DONE: Any = LitmusResult("", "", None, None)
"""What comes of a test."""


def suite(seconds: list[float], trees: list[Any], workers: int, slices: int | None) -> dict[str, object]:
    """20,000 tests; with `slices`, each takes so much longer that the run has so many full slices for each worker."""
    clock, dice = Clock(), random.Random(1)
    drawn = [dice.choice(seconds) for _ in range(TESTS)]
    shapes = [dice.choice(trees) for _ in range(TESTS)]
    full = max(coordinator.LONGEST, coordinator.PER_WORKER * workers)
    longer = 1.0 if slices is None else workers * slices * full / sum(drawn)

    def explored(number: int, span: Span, budget: float) -> tuple[Any, float]:
        """What is left of a span, and the time that the rest has taken."""
        graph = drawn[number] * longer / len(shapes[number])
        end = min(span.end, span.first + max(1, round(budget / graph)))
        left = None if end == span.end else Span(span.tree, end, span.end, True, span._cut)
        spent = (end - span.first) * graph
        return answer(left, spent), spent

    def work(job: Any) -> tuple[Any, float]:
        if isinstance(job, sliced_test.Piece):
            answer, spent = explored(job.number, job.task.part, job.task.seconds)  # type: ignore[arg-type]
            return answer, spent + OVERHEAD * full
        answers, spent = list[Any](), 0.0
        for number in job.numbers:
            one, more = explored(number, Span(shapes[number], 0, len(shapes[number]), False), job.seconds - spent)
            answers.append(DONE if one.left is None else sliced_test.Begun("", None, one))
            spent += more
            if spent >= job.seconds:
                break
        return answers, spent + OVERHEAD

    schedule.time = clock  # type: ignore[assignment]
    fleet: Fleet[Any, Any] = Fleet(workers, clock, work)
    tests = [Item(str(number), None) for number in range(TESTS)]

    def begin(number: int, test: Item) -> Any:  # noqa: ARG001 - the signature
        return Simulated(number, clock)

    run = schedule.Schedule(tests, range(TESTS), fleet, runner.BATCH, True, begin)
    done = sum(answer is not None for answer in run.results())
    schedule.time = time
    assert done == TESTS
    return {
        "graphs": TESTS, "workers": workers, "slices": slices, "tasks": fleet.tasks,
        "idle": round(1 - sum(drawn) * longer / (workers * clock.now), 4),
    }  # fmt: skip


def idle(programs: list[str], workers: list[int]) -> Iterator[dict[str, object]]:
    """The rows of the simulation."""
    trees = {(name, model): recorded(name, model) for name, model in PROGRAMS if name in programs}
    seconds = times() if "suite" in programs else []
    small = [recorded(name, model, SMALL) for name, model in PROGRAMS] if seconds else []
    for size in workers:
        for (name, model), tree in trees.items():
            for slices in SLICES:
                yield {"program": name, "model": model, **simulated(tree, size, slices)}
        for more in (None, SLICES[-1]) if seconds else ():
            yield {"program": f"{TESTS} litmus tests", "model": "own", **suite(seconds, small, size, more)}


# ---- costs

COSTS = ("program", "model", "undivided", "parts", "checkpoint", "processes", "machine")
MEASURED = (("writers(3,6)", "sc"), ("coherence(13)", "sc"), ("queue in C", "rc11"), ("peterson(4):20", "arm8"))
REPEAT = 3


def measured(name: str, model: str, how: str, ready: Callable[[], object] = bool) -> tuple[float, float]:
    """The seconds of a run, of the processor and of the clock; one that is not divided lists all outcomes, too.

    `ready` is called before it starts.
    """
    engine.OUTCOME_LIMIT = ALL_OUTCOMES
    program = xgen.parse(C[name], "c") if name in C else xgen.parse(instance(name).text)
    depth = None if name in C else instance(name).depth
    with tempfile.TemporaryDirectory() as folder:
        options: dict[str, Any] = {
            "undivided": {},
            "parts": {"memory_limit": 2**40},
            "checkpoint": {"checkpoint": Path(folder) / "run"},
            "1": {"processes": 1},
            "2": {"processes": 2},
        }[how]
        chosen = xgen.model(model)
        ready()
        start, cpu = time.monotonic(), time.process_time()
        xgen.check(program, chosen, all_states=True, max_depth=depth, trace_limit=0, **options)
        return time.process_time() - cpu, time.monotonic() - start


def one_of(start: Barrier, found: SimpleQueue[float], name: str, model: str) -> None:
    """A run that is not divided, which starts when others do."""
    found.put(measured(name, model, "undivided", start.wait)[1])


def at_once(number: int, name: str, model: str) -> float:
    """The seconds of the clock that so many runs take at once which are not divided, and know nothing of each other."""
    spawn = multiprocessing.get_context("spawn")
    start, found = spawn.Barrier(number), spawn.SimpleQueue()
    runs = [spawn.Process(target=one_of, args=(start, found, name, model)) for _ in range(number)]
    for run in runs:
        run.start()
    seconds = max(found.get() for _ in runs)
    for run in runs:
        run.join()
    return seconds


def costs() -> Iterator[dict[str, object]]:
    """The rows of real runs: of each kind the fastest, of runs that take turns."""
    for name, model in MEASURED:
        best: dict[str, tuple[float, float]] = {}
        least_at_once = {1: float("inf"), 2: float("inf")}
        for _ in range(REPEAT):
            for how in ("undivided", "parts", "checkpoint", "1", "2"):
                cpu, clock = apart(measured, name, model, how)
                least = best.get(how, (cpu, clock))
                best[how] = min(least[0], cpu), min(least[1], clock)
            for number in least_at_once:
                least_at_once[number] = min(least_at_once[number], at_once(number, name, model))
        alone = best["undivided"][0]
        yield {
            "program": name, "model": model, "undivided": round(alone, 2),
            "parts": round(best["parts"][0] / alone - 1, 4),
            "checkpoint": round(best["checkpoint"][0] / best["parts"][0] - 1, 4),
            "processes": round(best["1"][1] / best["2"][1], 3),
            "machine": round(2 * least_at_once[1] / least_at_once[2], 3),
        }  # fmt: skip


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--costs", action="store_true", help="measure real runs")
    parser.add_argument("--workers", type=int, nargs="+", default=list(WORKERS), help="default: %(default)s")
    names = [name for name, _ in PROGRAMS] + ["suite"]
    parser.add_argument("--programs", nargs="+", choices=names, default=names, help="default: all")
    chosen = parser.parse_args()
    if chosen.costs:
        write(COSTS, costs())
    else:
        write(FIELDS, idle(chosen.programs, chosen.workers))


if __name__ == "__main__":
    main()
