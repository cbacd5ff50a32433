"""Time limits that hold for whatever is done while they last: reading, planning, drawing, waiting for a file."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

GRACE = 1.0
"""Seconds after its time limit in which a step that looks at the clock itself may finish what it has begun."""

AGAIN = 0.5
"""Seconds until a limit that is over says so once more: Python drops what is raised while it throws objects away."""

LONGEST = 1e8
"""Seconds that the system's timers count for sure: three years."""


class OutOfTime(BaseException):
    """The time limit is over. It is no `Exception`, as KeyboardInterrupt is none: nobody is to catch it by accident."""


class Clock:
    """The seconds since a start, against a limit."""

    def over(self) -> bool:
        """Whether the limit is reached."""
        return self.limit is not None and self.seconds >= self.limit

    def __init__(self, limit: float | None = None) -> None:
        self.limit = limit
        self._start = time.monotonic()

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self._start

    @property
    def hard(self) -> float | None:
        """What `time_limit` gets where steps look at the clock themselves: it only ends those that fail to."""
        return None if self.limit is None else self.limit + GRACE - self.seconds

    def left(self, least: float = 0.0) -> float | None:
        """What is left of the limit, but at least so many seconds; None where there is no limit."""
        return None if self.limit is None else max(least, self.limit - self.seconds)


ALARM = getattr(signal, "SIGALRM", signal.SIGTERM)
"""What arrives when a limit is over. Windows has no alarms; there a thread pretends that the process was to end."""
FULL = getattr(signal, "SIGUSR1", None)
"""What arrives when there is no room left (room.py); Windows has none."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raises OutOfTime in the block once so many seconds are over, wherever it is; None: no limit.

    It interrupts all that Ctrl-C does: what Python runs and waits for, but not the middle of a native function. Only
    the main thread can be interrupted; elsewhere there is no limit. An alarm that was set before waits meanwhile.
    """
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(ALARM, _out_of_time)
    try:
        with _alarm(min(max(seconds, 1e-6), LONGEST)):
            yield
    finally:
        signal.signal(ALARM, before)


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """An alarm of the system after so many seconds, and again and again; then what is left of one from before."""
    if sys.platform == "win32":
        with pretended_alarm(seconds):
            yield
        return
    start = time.monotonic()
    delay, interval = signal.getitimer(signal.ITIMER_REAL)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)  # in the block, since it may go off at once
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if delay:
            signal.setitimer(signal.ITIMER_REAL, max(1e-6, delay - (time.monotonic() - start)), interval)


@contextmanager
def pretended_alarm(seconds: float) -> Iterator[None]:
    """The same from a thread, where the system has no alarms; one from before does not wait."""
    done = threading.Event()

    def ring() -> None:
        waited = seconds
        while not done.wait(min(waited, threading.TIMEOUT_MAX)):
            _thread.interrupt_main(ALARM)
            waited = AGAIN

    thread = threading.Thread(target=ring, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _out_of_time(number: int, frame: object) -> None:  # noqa: ARG001 - the signature of a handler
    raise OutOfTime


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C, SIGTERM and the ends of limits of time and memory wait for the end of the block."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked = list[int]()
    before = {
        number: signal.signal(number, lambda number, _: asked.append(number))
        for number in (signal.SIGINT, signal.SIGTERM, ALARM, FULL)
        if number is not None
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for first in asked[:1]:
            signal.raise_signal(first)
