"""Running a command, with what it takes: time from its start to its end, and memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Finished:
    """What a command came to; `seconds` from start to end, `output` is both of its streams."""

    status: int
    seconds: float
    peak_mib: float
    output: str


def run(command: Sequence[str], given: str = "", limit: float | None = None) -> Finished:
    """Runs a command with `given` as its input. Raises TimeoutError if it takes longer than `limit` seconds."""
    with tempfile.TemporaryFile("w+") as source, tempfile.TemporaryFile("w+") as output:
        source.write(given)
        source.seek(0)
        start = time.monotonic()
        process = subprocess.Popen(
            command, stdin=source, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
        late = threading.Event()

        def stop() -> None:
            late.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(limit, stop) if limit else None
        if timer:
            timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        if timer:
            timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        if late.is_set():
            raise TimeoutError(f"not finished within {limit:g} s")
        output.seek(0)
        # Linux counts in KiB, macOS in bytes; the largest process that the command has waited for counts too.
        unit = 2**20 if sys.platform == "darwin" else 2**10
        return Finished(process.returncode, seconds, usage.ru_maxrss / unit, output.read())
