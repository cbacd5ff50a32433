"""What the scripts here share: commands with what they take, calls in processes of their own, and tables.

Seconds are the processor's, not the clock's, wherever one core works: other work on the machine hardly changes them.
A table is CSV with the machine's facts at its head, each in a line like `# cores: 2`.
"""

from __future__ import annotations

import csv
import functools
import importlib
import inspect
import json
import os
import platform
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, TypeVar

import xgen

T = TypeVar("T")

XGEN = shutil.which("xgen", path=str(Path(sys.executable).parent)) or "xgen"
"""The command of this environment."""
AGAIN = 0.1
"""Seconds below which what is measured is done once more."""

ENDING = 10
"""Seconds in which a command that is told to end has to."""

UNIT = 2**20 if sys.platform == "darwin" else 2**10
"""Of what systems say about a process' memory, in a MiB: Linux counts in KiB, macOS in bytes."""


@dataclass(frozen=True)
class Finished:
    """What a command came to; `seconds` from start to end, `cpu` of the processor, `output` is both of its streams."""

    status: int
    seconds: float
    cpu: float
    peak_mib: float
    output: str


def run(command: Sequence[str], given: str = "", limit: float | None = None, **variables: str) -> Finished:
    """Runs a command with `given` as its input and these variables in its environment; Python keeps what it compiles,
    as it does for users. Raises TimeoutError if it takes longer than `limit` seconds. Whatever ends this call ends the
    command, too, with all that it has started."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | variables
    with tempfile.TemporaryFile("w+") as source, tempfile.TemporaryFile("w+") as output:
        source.write(given)
        source.seek(0)
        start = time.monotonic()
        process = subprocess.Popen(
            command, stdin=source, stdout=output, stderr=subprocess.STDOUT, start_new_session=True, env=kept
        )
        late = threading.Event()

        def stop() -> None:
            late.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(limit, stop) if limit else None
        if timer:
            timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)  # xgen ends compilers itself, which are in sessions of their own
            try:
                process.wait(ENDING)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            raise
        finally:
            if timer:
                timer.cancel()
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if late.is_set():
            raise TimeoutError(f"not finished within {limit:g} s")
        output.seek(0)
        # The processes that the command has waited for count too: all their time, and the largest one's memory.
        cpu = usage.ru_utime + usage.ru_stime
        return Finished(process.returncode, seconds, cpu, usage.ru_maxrss / UNIT, output.read())


def apart(function: Callable[..., Any], *arguments: object, limit: float | None = None) -> Any:
    """What a script's function gives, called in a process of its own; arguments and result go through JSON.

    Raises TimeoutError after `limit` seconds, RuntimeError where the function raises anything.
    """
    script = Path(inspect.getfile(function)).stem
    finished = run([sys.executable, __file__, script, function.__name__], json.dumps(arguments), limit)
    if finished.status:
        raise RuntimeError(f"{script}, {function.__name__}{arguments}: {finished.output}")
    return json.loads(finished.output.splitlines()[-1])


def fastest(call: Callable[[], T], again: float = AGAIN) -> tuple[T, float]:
    """What a call gives, and the processor's seconds that it takes: the least, of calls until `again` have gone by."""
    times: list[float] = []
    while not times or sum(times) < again:
        start = time.process_time()
        answer = call()
        times.append(time.process_time() - start)
    return answer, min(times)


def by_threads(call: Callable[[], T]) -> tuple[T, dict[int, float], float]:
    """What a call gives, and the processor's seconds of it: of each thread, by its number, and of all (Linux only)."""
    own = {threading.get_native_id(): _used(Path(f"/proc/self/task/{threading.get_native_id()}"))}
    used: dict[int, float] = {}
    watched: list[float] = []
    over = threading.Event()

    def watch() -> None:
        own[threading.get_native_id()] = float("inf")  # nobody's work
        while not over.wait(0.01):
            for task in Path("/proc/self/task").iterdir():
                number = int(task.name)
                used[number] = max(used.get(number, 0.0), _used(task) - own.get(number, 0.0))
        watched.append(time.thread_time())

    watcher = threading.Thread(target=watch)
    watcher.start()
    begin = time.process_time()
    answer = call()
    cpu = time.process_time() - begin
    over.set()
    watcher.join()
    return answer, used, cpu - watched[0]


def _used(task: Path) -> float:
    """The processor's seconds of a thread; nothing where it has ended."""
    try:
        return int((task / "schedstat").read_text().split()[0]) / 1e9
    except OSError:
        return 0.0


def peak_mib() -> float:
    """The memory of this process at its peak."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / UNIT


@functools.cache
def machine() -> dict[str, str]:
    """What the figures depend on: the tool, the machine, and how busy that was (the load average of one minute)."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "measured": time.strftime("%Y-%m-%d", time.gmtime()),
        "xgen": xgen.__version__,
        "cpu": _cpu(),
        "cores": str(os.cpu_count()),
        "memory": f"{memory:.0f} GiB",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "compiler": run(["c++", "--version"]).output.splitlines()[0],
        "load": f"{os.getloadavg()[0]:.1f}",
    }


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def write(fields: Sequence[str], rows: Iterable[Mapping[str, object]], file: TextIO | None = None, **more: str) -> None:
    """A table, on standard output unless a file is given; each row as soon as it is there, `more` facts at its head.
    SIGTERM ends a script as Ctrl-C does from here on, such that no command goes on that it has started."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    out = file or sys.stdout
    for key, value in (machine() | more).items():
        print(f"# {key}: {value}", file=out)
    table = csv.DictWriter(out, fields, lineterminator="\n")
    table.writeheader()
    for row in rows:
        table.writerow(row)
        out.flush()


def read(path: Path) -> tuple[dict[str, str], list[dict[str, str]]]:
    """The facts at the head of a table in a file, and its rows."""
    return parse(path.read_text(encoding="utf-8"))


def parse(text: str) -> tuple[dict[str, str], list[dict[str, str]]]:
    """The same of a text."""
    lines = text.splitlines()
    heads = [line[2:].partition(": ") for line in lines if line.startswith("# ")]
    return {key: value for key, _, value in heads}, list(csv.DictReader(x for x in lines if not x.startswith("#")))


if __name__ == "__main__":
    print(json.dumps(getattr(importlib.import_module(sys.argv[1]), sys.argv[2])(*json.load(sys.stdin))))
