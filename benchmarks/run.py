"""Measures explorations: executions per second, time per graph, peak memory, start-up.

    python benchmarks/run.py                                  # the usual programs
    python benchmarks/run.py --models sc,tso --repeat 5 'readers(18)' 'dekker(3):20' > measured.csv
    python benchmarks/run.py --workers 1,2 coherence sb > measured.csv
    python benchmarks/run.py --models rc11 mcs.c mine.c > measured.csv

CSV on standard output, one line per tool, program, model and number of workers; README.md says what the columns mean. A
family's name alone stands for it in growing sizes. GenMC, Nidhugg and herd are measured too where they are on PATH.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable

import tools
from families import Instance, instance
from harness import write
from measure import FIELDS, compare

import xgen

USUAL = [
    "readers(16)", "late_writer(16)", "coherence(8)", "sb(12)", "fetch_add(8)", "cas_rotation(10)", "writers(3,3)",
    "write_then_read(5)", "variables(12)", "peterson(2)", "peterson_fenced(2)", "dekker(2)", "szymanski", "burns(2)",
    "dijkstra:24", "bakery(2)", "ticket_lock(4)",
]  # fmt: skip

GROWING = {
    "readers": [f"readers({n})" for n in range(6, 19, 2)],
    "late_writer": [f"late_writer({n})" for n in range(6, 19, 2)],
    "coherence": [f"coherence({n})" for n in range(3, 11)],
    "sb": [f"sb({n})" for n in range(4, 17, 2)],
    "fetch_add": [f"fetch_add({n})" for n in range(4, 10)],
    "cas_rotation": [f"cas_rotation({n})" for n in range(6, 13)],
    "writers": [f"writers(3,{n})" for n in range(1, 5)],
    "write_then_read": [f"write_then_read({n})" for n in range(3, 7)],
    "variables": [f"variables({n})" for n in range(6, 17, 2)],
    **{
        f"{name}-rounds": [f"{name}({n})" for n in range(1, most + 1)]
        for name, most in {
            "peterson": 3, "dekker": 3, "szymanski": 3, "burns": 3, "bakery": 2, "dijkstra": 2, "ticket_lock": 4,
        }.items()
    },
    **{
        f"{name}-bound": [f"{name}(9):{n}" for n in range(8, 25, 4)]
        for name in ("peterson", "dekker", "szymanski", "burns", "bakery", "dijkstra")
    },
}  # fmt: skip


def instances(names: Iterable[str]) -> list[Instance]:
    """The programs that names stand for. Raises ValueError."""
    return [instance(name) for given in names for name in GROWING.get(given, [given])]


def models(text: str) -> list[str]:
    """Models' names with commas between them, as an argument. Raises ArgumentTypeError."""
    try:
        return [name for name in text.split(",") if xgen.model(name)]
    except xgen.XgenError as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("error: ")) from None


def numbers(text: str) -> list[int]:
    """Numbers from 1 with commas between them, as an argument. Raises ArgumentTypeError."""
    if not re.fullmatch(r"[1-9]\d*(,[1-9]\d*)*", text):
        raise argparse.ArgumentTypeError(f"`{text}` is not a list of numbers like 1,2")
    return [int(number) for number in text.split(",")]


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "programs", nargs="*", default=USUAL, metavar="PROGRAM",
        help=f"like readers(16), dekker(3) or dekker(3):20; or, in growing sizes, {', '.join(GROWING)}; "
        "default: the usual ones",
    )  # fmt: skip
    parser.add_argument("--models", type=models, default="sc,tso,rc11,arm8", help="default: %(default)s")
    parser.add_argument("--workers", type=numbers, default="1", help="numbers of workers; default: %(default)s")
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many processes; default: %(default)s")
    options = parser.parse_args()
    try:
        chosen = instances(options.programs)
    except ValueError as error:
        parser.error(str(error))
    write(FIELDS, compare(chosen, options.models, options.workers, options.repeat, tools.present()))


if __name__ == "__main__":
    main()
