"""Time limits."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from xgen.clock import Clock, OutOfTime, pretended_alarm, time_limit, uninterrupted


def spin() -> None:
    """Takes time for ever."""
    while True:
        pass


def test_a_limit_ends_what_python_does() -> None:
    with pytest.raises(OutOfTime), time_limit(0.05):
        spin()


def test_a_limit_ends_waiting(tmp_path: Path) -> None:
    """Opening a pipe waits for its other end."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OutOfTime), time_limit(0.05):
        (tmp_path / "pipe").read_bytes()


def test_no_exception_handler_takes_it_for_its_own() -> None:
    def careless() -> None:
        try:
            spin()
        except Exception:
            raise AssertionError from None

    with pytest.raises(OutOfTime), time_limit(0.05):
        careless()


def test_a_limit_that_was_dropped_comes_again() -> None:
    """What is raised while an object is thrown away is dropped by Python."""
    dropped = []

    def spin_twice() -> None:
        try:
            spin()
        except OutOfTime as error:
            dropped.append(error)
        spin()

    with pytest.raises(OutOfTime), time_limit(0.05):
        spin_twice()
    assert len(dropped) == 1


def test_what_was_set_before_is_set_again() -> None:
    handler = signal.getsignal(signal.SIGALRM)
    before = signal.setitimer(signal.ITIMER_REAL, 500)
    try:
        with time_limit(1000):
            assert signal.getitimer(signal.ITIMER_REAL)[0] > 900
        assert 400 < signal.getitimer(signal.ITIMER_REAL)[0] <= 500
        assert signal.getsignal(signal.SIGALRM) == handler
        with time_limit(None):
            assert 400 < signal.getitimer(signal.ITIMER_REAL)[0] <= 500
        signal.setitimer(signal.ITIMER_REAL, 0)
        with time_limit(1000):
            pass
        assert signal.getitimer(signal.ITIMER_REAL)[1] == 0  # it does not ring again
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)


def test_an_alarm_where_the_system_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows: the limit holds, comes again if it was dropped, and leaves no thread behind."""
    threads = threading.active_count()
    monkeypatch.setattr("xgen.clock.ALARM", signal.SIGTERM)
    monkeypatch.setattr("xgen.clock._alarm", pretended_alarm)
    before = signal.getsignal(signal.SIGTERM)

    def careless() -> None:
        with suppress(OutOfTime):
            spin()
        spin()

    with pytest.raises(OutOfTime), time_limit(0.05):
        careless()
    with time_limit(1000):
        pass
    assert threading.active_count() == threads
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_limit_that_is_over_at_once() -> None:
    """Nothing of it is left: an alarm that came later would end the process."""
    with pytest.raises(OutOfTime), time_limit(0):
        spin()
    assert signal.getitimer(signal.ITIMER_REAL)[1] == 0  # it does not ring again


def test_a_limit_beyond_all_time() -> None:
    with time_limit(1e300):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 1e7


def test_other_threads_have_no_limit() -> None:
    done = []

    def work() -> None:
        with time_limit(1e-6):
            done.append(sum(range(100_000)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [4999950000]


def test_clock() -> None:
    assert Clock().left() is None
    assert Clock().hard is None
    assert not Clock().over()
    over = Clock(0.0)
    assert over.over()
    assert over.left() == 0
    assert over.left(0.5) == 0.5
    running = Clock(1000.0)
    assert not running.over()
    assert 900 < (running.left() or 0) <= 1000 < (running.hard or 0)


@pytest.mark.parametrize("times", [1, 3])
def test_what_is_not_to_be_interrupted_is_done_first(times: int) -> None:
    done = []
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)

    def work() -> None:
        with uninterrupted():
            for number in range(times):
                signal.raise_signal(signal.SIGINT)
                done.append(number)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == list(range(times))
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_other_threads_have_no_interrupts() -> None:
    done = []

    def work() -> None:
        with uninterrupted():
            done.append(1)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [1]
