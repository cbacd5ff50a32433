"""A limit of the memory that this process may take while it reads. Programs that it starts have their own memory."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from xgen.clock import AGAIN, FULL
from xgen.errors import TooLongError

LEAST_GROWTH = 64 << 20
"""Bytes that it may take in any case, however many it has already."""
PAUSE = 0.05
"""Seconds between two looks at what it has."""


class _Full(BaseException):
    """There is no room left. It is no `Exception`, as OutOfTime is none: nobody is to catch it by accident."""


@contextmanager
def limited_memory(limit: int | None, doing: str) -> Iterator[None]:
    """Raises TooLongError where this process comes to have more bytes in the block; None: no limit.

    It says what it was `doing`. It interrupts what Ctrl-C does, in the main thread, as `time_limit`.
    """
    if limit is None or FULL is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(FULL, _no_room)
    done = threading.Event()
    most = max(limit, resident() + LEAST_GROWTH)
    watch = threading.Thread(target=_watch, args=(most, done), daemon=True)
    try:
        watch.start()
        yield
    except _Full:
        raise TooLongError(
            f"{doing} takes more memory than --memory-limit allows ({limit >> 20}M)",
            hint=f"--memory-limit {2 * limit >> 20}M allows twice as much; less to do before threads start takes less",
        ) from None
    finally:
        done.set()
        watch.join()
        signal.signal(FULL, before)


def _watch(most: int, done: threading.Event) -> None:
    main, pause = threading.main_thread().ident, PAUSE
    while not done.wait(pause):
        if resident() > most and main is not None and FULL is not None:
            signal.pthread_kill(main, FULL)
            pause = AGAIN


def _no_room(number: int, frame: object) -> None:  # noqa: ARG001 - the signature of a handler
    raise _Full


def resident() -> int:
    """The bytes of memory that this process has; at the most so far, where the system says no more."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
