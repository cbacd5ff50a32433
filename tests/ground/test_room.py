"""Limits of memory."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

import pytest

from xgen.clock import FULL
from xgen.errors import TooLongError
from xgen.room import LEAST_GROWTH, limited_memory, resident

pytestmark = pytest.mark.skipif(FULL is None, reason="there is no such signal")


def grow() -> None:
    """Takes memory for ever."""
    kept = []
    while True:
        kept.append(bytearray(b"x") * (4 << 20))


def careless() -> None:
    try:
        grow()
    except Exception:
        raise AssertionError from None


def test_what_takes_more_ends() -> None:
    before = signal.getsignal(signal.SIGUSR1)
    said = r"reading it takes more memory than --memory-limit allows \(100M\)"
    with pytest.raises(TooLongError, match=said), limited_memory(100 << 20, "reading it"):
        careless()
    assert signal.getsignal(signal.SIGUSR1) is before


def test_waiting_ends_as_well() -> None:
    kept = []
    threading.Timer(0.1, lambda: kept.append(bytearray(b"x") * (2 * LEAST_GROWTH))).start()
    with pytest.raises(TooLongError), limited_memory(1, "waiting"):
        threading.Event().wait(60)


def test_what_takes_less_does_not() -> None:
    for limit in (None, 1, 1 << 40):
        with limited_memory(limit, "reading it"):
            kept = bytearray(b"x") * (LEAST_GROWTH // 8)
    assert resident() > len(kept)


def test_other_processes_have_their_own() -> None:
    """As compilers, which need more than what reads."""
    with limited_memory(1, "waiting"):
        text = "x = bytearray(b'x') * (200 << 20); print(len(x))"
        said = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout
    assert int(said) == 200 << 20
