"""Measures everything that README.md reports, and writes it there: the tables, and what they are made from.

    python benchmarks/report.py                       # takes a quarter of an hour
    python benchmarks/report.py --pictures pictures   # and plots; of families in growing sizes too, which takes as long

The tables are between marks in README.md; measured.csv and cost.csv beside it have the rows.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import tools
from cost import SECONDS, SIZES
from cost import instances as growing
from measure import Row, compare, measure
from plot import rows_of
from run import GROWING, USUAL, instances, write

HERE = Path(__file__).parent
README = HERE / "README.md"
MEASURED, COST = HERE / "measured.csv", HERE / "cost.csv"
MODELS = ["sc", "tso", "weak", "rc11", "arm8"]
GROWING_MODELS = ["sc", "tso", "rc11", "arm8"]
COST_MODELS = ["sc", "tso", "rc11", "riscv", "lkmm", "arm8"]
REPEAT = 3


def thousands(text: str) -> str:
    """A rate in thousands, with as many digits as mean anything."""
    value = float(text) / 1000
    return f"{value:.2g}" if value < 10 else f"{value:,.0f}"


def table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; all columns but the first are numbers."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *body))


def rates(rows: list[dict[str, str]]) -> str:
    """Thousands of executions per second: a row for a program, a column for a tool, a model and a number of workers."""
    lines = list(dict.fromkeys((row["tool"], row["model"], row["workers"]) for row in rows))
    cells = {(row["program"], row["tool"], row["model"], row["workers"]): row for row in rows}
    head = ["", *(f"{tool} {model}" + (f", {n} workers" if n != "1" else "") for tool, model, n in lines)]

    def cell(program: str, line: tuple[str, str, str]) -> str:
        row = cells.get((program, *line))
        return thousands(row["executions_per_second"]) if row and row["executions_per_second"] else ""

    programs = dict.fromkeys(row["program"] for row in rows)
    return table(head, ([f"`{program}`", *(cell(program, line) for line in lines)] for program in programs))


def costs(rows: list[dict[str, str]]) -> str:
    """Nanoseconds per graph: a row for each program, a column for each model."""
    models = list(dict.fromkeys(row["model"] for row in rows))
    cells = {(row["program"], row["model"]): f"{int(row['ns_per_graph']):,}" for row in rows}
    programs = dict.fromkeys(row["program"] for row in rows)
    return table(["", *models], ([f"`{p}`", *(cells[p, model] for model in models)] for p in programs))


def machine(rows: list[dict[str, str]]) -> str:
    """What the figures are from."""
    first = rows[0]
    versions = dict.fromkeys(f"{row['tool']} {row['version']}" for row in rows)
    return (
        f"{first['cpu']}, {first['cores']} cores, {first['kernel']}, Python {first['python']}, {first['compiler']}; "
        f"{', '.join(versions)}."
    )


def between(text: str, name: str, inside: str) -> str:
    """The text with something else between the marks of a name."""
    start, end = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(end)
    return before + start + inside + end + after


def save(path: Path, rows: Iterable[Row]) -> None:
    """Measures rows and writes them to a file."""
    with path.open("w", newline="") as file:
        write(rows, file)


def main() -> None:
    """Measures, and writes tables."""
    parser = argparse.ArgumentParser(description="Measure what README.md reports, and write it there.")
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="plot it too")
    options = parser.parse_args()
    save(MEASURED, compare(instances(USUAL), MODELS, [1, 2], REPEAT, tools.present()))
    every = [(program, model) for over in SIZES for program in growing(over) for model in COST_MODELS]
    save(COST, (measure(program, model, 1, 1, SECONDS) for program, model in every))
    text = README.read_text()
    rows = rows_of([MEASURED])
    text = between(text, "machine", machine(rows))
    text = between(text, "rates", rates(rows))
    text = between(text, "costs", costs(rows_of([COST])))
    README.write_text(text)
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
        grown = options.pictures / "growing.csv"
        save(grown, compare(instances(GROWING), GROWING_MODELS, [1], 1, tools.present()))
        plot = [sys.executable, str(HERE / "plot.py"), str(grown), str(COST), "--to", str(options.pictures)]
        subprocess.run(plot, check=True)


if __name__ == "__main__":
    main()
