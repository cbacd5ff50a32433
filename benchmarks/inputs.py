"""Tasks of SV-COMP whose programs ask for unknown numbers: the explorer's answers, and those of a solver.

python benchmarks/inputs.py FOLDER > results/inputs.csv

The tasks are those of benchmarks/svcomp.py, with a thread and `__VERIFIER_nondet`, of Goblint's each third one; they
are fetched as there. Each engine is asked about each as it is, and with a bound on loops where it has no answer then:
the explorer looks at a few numbers, the solver at all. (sosy-lab's own collection has more; it is too large to be
fetched for this.)
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from harness import run, write
from svcomp import GOBLINT, Task, answer, command, tasks

LIMIT = 6.0
"""Seconds for each."""
ENGINES = ("graphs", "sat")
WAYS = ("", "--unroll 3")
"""The options that are tried, one after the other, as long as there is no answer."""
FIELDS = ["repository", "commit", "task", "property", "expected"]
FIELDS += ["graphs", "sat", "why", "graphs_seconds", "sat_seconds"]
_ASKS = re.compile(r"\b__VERIFIER_nondet_\w+\(")
_INPUT = re.compile(r"input_files:\s*'?([^'\s]+)")


def with_inputs(folder: Path) -> Iterator[Task]:
    """The tasks that have threads and unknown numbers, other than in declarations."""
    kept = 0
    for task in tasks(folder):
        found = _INPUT.search(task.file.read_text("utf-8", "replace"))
        program = None if found is None else task.file.parent / found[1]
        text = program.read_text("utf-8", "replace") if program is not None and program.exists() else ""
        used = re.sub(r"^\s*(?:extern\b.*|\w[\w ]*\b__VERIFIER_nondet_\w+\([^)]*\);)", "", text, flags=re.M)
        if "pthread_create" in text and _ASKS.search(used):
            kept += 1
            if task.repository != GOBLINT[0] or kept % 3 == 1:
                yield task


def asked(task: Task) -> dict[str, object]:
    """A row of the table."""
    row = dict.fromkeys(FIELDS, "") | {
        "repository": task.repository,
        "commit": task.commit[:12],
        "task": task.name,
    }
    for engine in ENGINES:
        seconds = 0.0
        for options in WAYS:
            words = command(task, f"--engine {engine} {options}")
            words[words.index("--timeout") + 1] = str(LIMIT)
            done = run(words, limit=8 * LIMIT)
            seconds += done.cpu
            found = answer(done.output)
            row |= {key: found[key] for key in ("property", "expected") if found.get(key)}
            row |= {engine: found["answer"], "why": found["why"] if engine == "sat" else ""}
            if found["outcome"] in ("right", "wrong"):
                break
        row[f"{engine}_seconds"] = f"{seconds:.1f}"
    return row


if __name__ == "__main__":
    write(FIELDS, map(asked, with_inputs(Path(sys.argv[1]))))
