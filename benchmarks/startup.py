"""Start-up time and the cost of suites: what a user waits for when there is little to explore.

    python benchmarks/startup.py > startup.csv
    python benchmarks/startup.py --tests 200 --repeat 3 > startup.csv

The columns: `what` was run, the `seconds` that it took, of the best of the `repetitions`, each in a process of its own.
These are in seconds of the processor, by turns `--short` times: `python -c pass`; `check docs/mp.c` for the first time,
when it is read, and again, when it is kept as it was translated; GenMC with the same program and herd with a test of
that shape, where they are on PATH. `check MODEL` and `litmus ARCH` are whole commands, of a program of three lines and
of one test under the architecture's own model; `suite ARCH` is a run of many tests (`--tests`) in one process, a test's
share of it, without the start-up.
The tests are drawn with a fixed seed from the cycles of xgen.shapes.cycles; they are different, as far as there are as
many (of X86 there are not).
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from harness import XGEN, run, write

from xgen.resources import shipped
from xgen.shapes.cycles import SHAPES, asking_for, decorate, slots
from xgen.shapes.shape import Link, Test
from xgen.shapes.writers import WRITERS, Writer

PROGRAM = """\
var x : int
process P { init loc a final loc b a -> b { 1 -> x } }
process Q { var r : int init loc a final loc b a -> b { r <- x } }
"""
MODELS = ("sc", "tso", "rc11", "arm8", "lkmm")
ARCHITECTURES = ("X86", "AArch64", "PPC", "RISCV", "C", "LKMM")
SUITE = """
import sys, time
from xgen.analyses.suite.runner import run_suite
from xgen.analyses.suite.suite import find_tests, outcome_of
paths = find_tests(sys.argv[1:])
start = time.perf_counter()
missing = [result.path for result in run_suite(paths) if result.verdict is None]
print((time.perf_counter() - start) / len(paths))
sys.exit(f"no verdict: {missing[0]}" if missing else 0)
"""
KERNEL = {
    r"atomic_load_explicit\((\w), memory_order_relaxed\)": r"READ_ONCE(*\1)",
    r"atomic_load_explicit\((\w), memory_order_\w+\)": r"smp_load_acquire(\1)",
    r"atomic_store_explicit\((\w), (.*), memory_order_relaxed\)": r"WRITE_ONCE(*\1, \2)",
    r"atomic_store_explicit\((\w), (.*), memory_order_\w+\)": r"smp_store_release(\1, \2)",
    r"atomic_exchange_explicit\((\w), (.*), memory_order_\w+\)": r"xchg(\1, \2)",
    r"atomic_thread_fence\(memory_order_seq_cst\)": "smp_mb()",
    r"atomic_thread_fence\(memory_order_acquire\)": "smp_rmb()",
    r"atomic_thread_fence\(memory_order_release\)": "smp_wmb()",
    r"atomic_thread_fence\(memory_order_acq_rel\)": "synchronize_rcu()",
    r"atomic_int\*": "int*",
}
"""What C11 becomes in the kernel's tests, of which there is no writer."""


def _drawn(writer: Writer, draw: random.Random) -> Test:
    """A test of a cycle with any links and tags that the architecture has."""
    cycle = SHAPES[draw.choice(list(SHAPES))]
    links = []
    for first, second in slots(cycle):
        choices = [Link(), *(Link(fence=fence) for fence in sorted(writer.fences))]
        if first.kind == "R":
            choices += [Link(kind) for kind in sorted(writer.dependencies) if kind != "data" or second.kind == "W"]
            choices += [Link("ctrl", fence) for fence in sorted(writer.behind_branches)]
        links.append(draw.choice(choices))
    tags = [[draw.choice(["", *writer.tags[a.kind]]) for a in thread.accesses] for thread in cycle.shape.threads]
    return asking_for(decorate(cycle, links, tags))


def tests(architecture: str, count: int) -> list[str]:
    """The texts of tests of an architecture, the same in each run; different ones, until none is left."""
    writer = WRITERS["C" if architecture == "LKMM" else architecture]
    draw, texts = random.Random(architecture), dict[str, None]()
    for _ in range(20 * count):
        try:
            text = writer.write("test", _drawn(writer, draw))
        except ValueError:  # a tag and an index, say
            continue
        for pattern, replacement in KERNEL.items() if architecture == "LKMM" else ():
            text = re.sub(pattern, replacement, text)
        texts[text] = None
        if len(texts) == count:
            break
    return list(islice(cycle(texts), count))


def _xgen(*arguments: str) -> float:
    """Seconds that a command takes."""
    start = time.perf_counter()
    finished = run([XGEN, *arguments])
    if finished.status:
        raise RuntimeError(f"xgen {' '.join(arguments)}: {finished.output}")
    return time.perf_counter() - start


def _short(count: int) -> Iterator[tuple[str, float]]:
    """The processor's seconds of what starts Python, and of a small C program with a race; by turns."""
    program = str(Path(__file__).parents[1] / "docs" / "mp.c")
    check = [XGEN, "check", program, "--mcm", "rc11"]
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "check docs/mp.c": check,
        "check docs/mp.c again": check,
        "genmc docs/mp.c": ["genmc", "--disable-estimation", program],
        "herd7 MP+mfences": ["herd7", str(shipped("litmus") / "X86" / "MP+mfences.litmus")],
    }
    commands = {what: command for what, command in commands.items() if shutil.which(command[0])}
    found = []
    for _ in range(count):
        with tempfile.TemporaryDirectory() as kept:
            found.append({what: run(command, XDG_CACHE_HOME=kept).cpu for what, command in commands.items()})
    for what in commands:
        yield what, min(seconds[what] for seconds in found)


def _suite(folder: Path) -> float:
    """Seconds for each test in a folder."""
    finished = run([sys.executable, "-c", SUITE, str(folder)])
    if finished.status:
        raise RuntimeError(finished.output)
    return float(finished.output)


def measured(count: int, repeat: int, short: int) -> Iterator[tuple[str, int, float]]:
    """What was run, how often, and the best time."""
    for what, seconds in _short(short):
        yield what, short, seconds
    for what, seconds in _commands_and_suites(count, repeat) if count else ():
        yield what, repeat, seconds


def _commands_and_suites(count: int, repeat: int) -> Iterator[tuple[str, float]]:
    with tempfile.TemporaryDirectory() as name:
        program = Path(name) / "program.xcfa"
        program.write_text(PROGRAM)
        for model in MODELS:
            yield f"check {model}", min(_xgen("check", str(program), "--mcm", model) for _ in range(repeat))
        for architecture in ARCHITECTURES:
            folder = Path(name) / architecture
            folder.mkdir()
            for number, text in enumerate(tests(architecture, count)):
                (folder / f"{number}.litmus").write_text(text)
            yield f"litmus {architecture}", min(_xgen("litmus", str(folder / "0.litmus")) for _ in range(repeat))
            yield f"suite {architecture}", min(_suite(folder) for _ in range(repeat))


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description="Measure start-up and suites; CSV on standard output.")
    parser.add_argument("--tests", type=int, default=1000, help="how many tests a suite has; 0: no suites")
    parser.add_argument("--short", type=int, default=15, help="how often the shortest commands are run")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    rows = measured(options.tests, options.repeat, options.short)
    told = ({"what": what, "seconds": f"{s:.6f}", "repetitions": repeat} for what, repeat, s in rows)
    write(("what", "seconds", "repetitions"), told)


if __name__ == "__main__":
    main()
