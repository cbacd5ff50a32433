"""Workers on other machines: those of a scheduler of Dask.

Dask runs a task of a worker that has died again, and gives up after some deaths; what nobody has fetched is computed
again. So nothing counts twice: whoever waits takes one answer for a task. Tasks are named after what they do, for the
dashboard.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import pickle
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from xgen.engine.distributed.workers import GoneError, Lost, Make, Named, done
from xgen.engine.graphs.intervals import EXPLORATION
from xgen.errors import UsageError
from xgen.extras import installing
from xgen.version import __version__

CONNECTING = 10.0
"""Seconds that a scheduler gets to answer at first."""
LOOK = 2.0
"""Seconds between two looks at who is there."""
JOBS = 8
"""Jobs that a thread of a worker keeps ready."""


T = TypeVar("T", bound=Named)
A = TypeVar("A")


class Cluster(Generic[T, A]):
    """The workers of the scheduler at an address, such as `tcp://host:8786`.

    Raises UsageError where there is no scheduler, and without Dask.
    """

    def __init__(self, make: Make[T, A], arguments: tuple[object, ...], address: str) -> None:
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise UsageError("a cluster needs Dask", hint=f"`{installing('cluster')}` has it") from None
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # what it says, we say
        self._address = address
        try:
            # A client that finds nobody complains when it is thrown away, so it is asked for before there is one.
            with ThreadPoolExecutor(1) as apart:  # there may be an event loop here
                apart.submit(asyncio.run, _call(distributed, address)).result()
            self._client: Any = distributed.Client(address, timeout=CONNECTING, set_as_default=False, name="xgen")
        except (OSError, ValueError, ImportError, TypeError) as error:
            raise UsageError(f"there is no scheduler of Dask at {address}: {error}") from None
        blob = pickle.dumps((make, arguments))
        self._job = hashlib.sha256(blob).hexdigest()
        # A task of its own, so that it is made again where the workers that have it are gone.
        self._blob = self._client.submit(bytes, blob, key=f"xgen-{self._job[:8]}-job-{time.time_ns():x}", pure=False)
        self._sent = 0
        self._tasks: dict[Any, T] = {}
        self._done: SimpleQueue[Any] = SimpleQueue()
        self._there: dict[str, int] = {}
        self._looked = float("-inf")
        self.size, self.deaths = 1, 0
        self._look()

    def room(self) -> int:
        """Each thread of a worker may have one task to do and one to wait."""
        self._look()
        return max(0, 2 * self.size - len(self._tasks))

    def submit(self, task: T) -> None:
        """Give them a task."""
        self._sent += 1
        key = f"xgen-{self._job[:8]}-{task.name}-{self._sent}"
        arguments = (__version__, EXPLORATION), self._job, self._blob, task
        future = self._client.submit(_do, *arguments, key=key, pure=False, retries=0)
        self._tasks[future] = task
        future.add_done_callback(self._done.put)

    def answers(self, seconds: float) -> Iterator[tuple[T, A | Lost | Exception]]:
        """What has come back. Raises GoneError where the scheduler is gone."""
        with suppress(Empty):
            yield from self._answer(self._done.get(timeout=seconds))
            while True:
                yield from self._answer(self._done.get_nowait())
        self._check()

    def _answer(self, future: Any) -> Iterator[tuple[T, A | Lost | Exception]]:
        if future not in self._tasks:
            return
        self._check()
        task = self._tasks.pop(future)
        try:
            yield task, future.result(timeout=CONNECTING)
        except Exception as error:
            self._check()
            name = type(error).__name__
            if isinstance(error, ModuleNotFoundError):
                yield task, UsageError(f"a worker of the cluster cannot run xgen: {error}")
            else:  # KilledWorker; or its worker died before the answer was fetched
                yield task, Lost(name)
        finally:
            future.release()

    def _check(self) -> None:
        if self._client.status != "running":
            raise GoneError(f"the scheduler at {self._address} is gone")

    def _look(self) -> None:
        """Sees who is there."""
        if time.monotonic() - self._looked < LOOK:
            return
        try:
            there = self._client.nthreads()
        except Exception:
            self._check()
            return
        self.deaths += len(self._there.keys() - there.keys())
        self._there = there
        self.size = max(1, sum(there.values()))
        self._looked = time.monotonic()

    def close(self) -> None:
        """Drop what waits; what runs ends by itself."""
        with suppress(Exception):
            self._client.cancel(list(self._tasks), force=True)
        with suppress(Exception):
            self._client.close(timeout=1)


async def _call(distributed: Any, address: str) -> None:
    """Raises OSError or ValueError where nobody answers."""
    connection = await distributed.core.connect(address, timeout=CONNECTING)
    await connection.close()


_ready = threading.local()
"""By a job's name, what does its tasks; for each thread its own, since explorations are."""


def _do(version: tuple[str, int], job: str, blob: bytes, task: object) -> object:
    """What a worker does."""
    if version != (__version__, EXPLORATION):
        own = f"{__version__} (exploration {EXPLORATION})"
        return UsageError(f"a worker of the cluster has xgen {own}, and not {version[0]} ({version[1]})")
    jobs: OrderedDict[str, Callable[[object], object]] = _ready.__dict__.setdefault("jobs", OrderedDict())

    def work(task: object) -> object:
        if job not in jobs:
            make, arguments = pickle.loads(blob)
            jobs[job] = make(*arguments)
            if len(jobs) > JOBS:
                jobs.popitem(last=False)
        return jobs[job](task)

    return done(work, task)
