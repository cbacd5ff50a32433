"""Table 6.3 of the thesis for other tools (Bajczi 2020): which of its tests with assertions do they solve?

    python benchmarks/outcomes.py > results/outcomes.csv

GenMC and Nidhugg, where they are on PATH, get the programs of chapter.py in C, with C11's orderings in place of
fences. A test is solved (`ok`) where the failing assertion is found; `safe` would be wrong, `error` is anything else.
Of sizes behind one that took longer than the limit only that is said. xgen's rows are in configurations.csv.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import chapter
from configurations import SIZES
from formats import HEAD
from harness import run, write

LIMIT = 10.0
"""Seconds for one test, by the clock."""
TOOLS = {
    "genmc": ("genmc", "--disable-estimation", "--rc11"),
    "nidhugg": ("nidhuggc", "-std=c11", "--", "-pso"),
}
"""The commands. The thesis has Nidhugg with ARM's model, which newer LLVM ends, and RCMC, from which GenMC comes."""
FOUND = ("Safety violation", "Error detected")
FIELDS = ("family", "read", "write", "size", "tool", "model", "outcome", "seconds")


def in_c(family: str, size: int, read: str, written: str) -> str:
    """A program of chapter.py in C, with its assertion."""

    def store(value: object) -> str:
        return f"atomic_store_explicit(&x, {value}, memory_order_{written});"

    load = f"atomic_load_explicit(&x, memory_order_{read})"
    if family == "readers":
        bodies = [store(1), *[f"int a = {load}; assert(a == 1);"] * size]
    elif family == "loop":
        writer = f"int a = 0; for (;;) {{ a = a + 1; {store('a')} }}"
        bodies = [writer, *[f"int a = 0; for (;;) {{ int b = {load}; assert(b <= a + 1); a = b; }}"] * size]
    else:
        reads = " ".join(f"int a{i} = {load};" for i in range(size))
        bodies = [" ".join(store(i + 1) for i in range(size)), f"{reads} assert(a{size - 1} == {size});"]
    threads = [f"static void *p{i}(void *unused) {{ {body} return 0; }}" for i, body in enumerate(bodies)]
    starts = " ".join(f"pthread_create(&t[{i}], 0, p{i}, 0);" for i in range(len(bodies)))
    ends = " ".join(f"pthread_join(t[{i}], 0);" for i in range(len(bodies)))
    main = f"int main(void) {{ pthread_t t[{len(bodies)}]; {starts} {ends} return 0; }}"
    return "\n".join([HEAD, "static atomic_int x;", *threads, main, ""])


def solve(tool: str, text: str) -> tuple[str, str]:
    """Outcome and seconds of the processor."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(text)
        try:
            done = run([*TOOLS[tool], str(path)], limit=LIMIT)
        except TimeoutError:
            return "timeout", ""
    if any(words in done.output for words in FOUND):
        return "ok", f"{done.cpu:.3f}"
    return "safe" if "No errors were detected" in done.output else "error", f"{done.cpu:.3f}"


def rows() -> Iterator[dict[str, object]]:
    """All tests, by all tools that are there."""
    orders = {"readers": list(product(chapter.READS, chapter.WRITES))}
    for tool, command in TOOLS.items():
        for family, most in SIZES.items() if shutil.which(command[0]) else ():
            for read, written in orders.get(family, [("relaxed", "relaxed")]):
                outcome = ""
                for size in range(1, most + 1):
                    key = {"family": family, "read": read, "write": written, "size": size, "tool": tool}
                    seconds = ""
                    if outcome != "timeout":
                        outcome, seconds = solve(tool, in_c(family, size, read, written))
                    yield {**key, "model": command[-1].lstrip("-"), "outcome": outcome, "seconds": seconds}


if __name__ == "__main__":
    write(FIELDS, rows(), limit=f"{LIMIT:g} s")
