"""The solver's thread: time limits and Ctrl-C are heard while it works."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from repair.test_figures import shipped_protocol
from xgen.repair import solve
from xgen.repair.space import Maker, Stopped


class Endless:
    """A solver that works until it is told to stop."""

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def solve_limited(self, assumptions: list[int], expect_interrupt: bool) -> None:  # noqa: ARG002
        self.stopped.wait()

    def interrupt(self) -> None:
        self.stopped.set()

    def __getattr__(self, name: str) -> Any:
        return lambda *_: None


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> Endless:
    solver = Endless()
    monkeypatch.setattr(solve, "_solver", lambda: solver)
    return solver


def test_the_time_is_over(endless: Endless) -> None:
    space = Maker(shipped_protocol("tmr"), "masking", 1000).make()
    with pytest.raises(Stopped, match="the time is over"):
        solve.choose(space, time.monotonic() + 0.05)
    assert endless.stopped.is_set()


def test_ctrl_c(endless: Endless, monkeypatch: pytest.MonkeyPatch) -> None:
    space = Maker(shipped_protocol("tmr"), "masking", 1000).make()
    real = threading.Thread.join

    def interrupted(thread: threading.Thread, timeout: float | None = None) -> None:
        if not endless.stopped.is_set():
            raise KeyboardInterrupt
        real(thread, timeout)

    monkeypatch.setattr(threading.Thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        solve.choose(space)
    assert endless.stopped.is_set()
