"""Measures everything that README.md reports, and writes it there: the tables, and what they are made from.

    python benchmarks/report.py                       # takes five minutes, and longer where other tools are on PATH
    python benchmarks/report.py --pictures pictures   # and plots; of families in growing sizes too, which takes as long

The tables are between marks in README.md; measured.csv and cost.csv beside it have the rows. The table of other tools
is written where one of them is on PATH, and stays as it is elsewhere.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import tools
from cost import MODELS as COST_MODELS
from cost import SIZES
from cost import rows as cost_rows
from harness import write
from measure import FIELDS, Row, compare
from plot import own_name, rows_of
from run import GROWING, USUAL, instances

HERE = Path(__file__).parent
README = HERE / "README.md"
MEASURED, COST = HERE / "measured.csv", HERE / "cost.csv"
MODELS = ["sc", "tso", "weak", "rc11", "arm8"]
GROWING_MODELS = ["sc", "tso", "rc11", "arm8"]


def thousands(text: str) -> str:
    """A rate in thousands, with as many digits as mean anything."""
    value = float(text) / 1000
    return f"{value:.2g}" if value < 10 else f"{value:,.0f}"


def table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; all columns but the first are numbers."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *body))


def of_line(row: Mapping[str, str]) -> str:
    """The head of the column that a row belongs to: the model, and what is not xgen with one worker."""
    tool = "" if row["tool"] == "xgen" else f"{row['tool']} "
    return f"{tool}{row['model']}" + (f", {row['workers']} workers" if row["workers"] != "1" else "")


def across(rows: Iterable[Mapping[str, str]], column: str, shown: Callable[[str], str]) -> str:
    """The values of a column: a row for a program, a column for a tool, a model and a number of workers."""
    cells = {(row["program"], of_line(row)): shown(row[column]) for row in rows if row[column]}
    programs, lines = (list(dict.fromkeys(names)) for names in zip(*cells, strict=True))
    return table(["", *lines], ([f"`{p}`", *(cells.get((p, line), "") for line in lines)] for p in programs))


def whole(text: str) -> str:
    """A whole number."""
    return f"{int(text):,}"


def processes(rows: Iterable[Mapping[str, str]]) -> str:
    """Start-up and memory of each tool, model and number of workers: from the least to the most of the programs."""
    lines: dict[str, list[Mapping[str, str]]] = {}
    for row in rows:
        lines.setdefault(of_line(row), []).append(row)

    def span(rows: Iterable[Mapping[str, str]], column: str, digits: int) -> str:
        values = [round(float(row[column]), digits) for row in rows]
        least, most = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
        return least if least == most else f"{least} to {most}"

    body = ([line, span(own, "startup", 2), span(own, "peak_mib", 0)] for line, own in lines.items())
    return table(["", "start-up, s", "peak, MiB"], body)


def machine(rows: list[dict[str, str]]) -> str:
    """What the figures are from."""
    first = rows[0]
    versions = dict.fromkeys(f"{row['tool']} {row['version']}" for row in rows)
    return (
        f"{first['cpu']}, {first['cores']} cores, {first['system']}, Python {first['python']}, {first['compiler']}; "
        f"{', '.join(versions)}."
    )


def between(text: str, name: str, inside: str) -> str:
    """The text with something else between the marks of a name. Raises ValueError where they are not there."""
    start, end = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
    begin = text.index(start) + len(start)
    return text[:begin] + inside + text[text.index(end, begin) :]


def save(path: Path, rows: Iterable[Row]) -> None:
    """Measures rows and writes them to a file."""
    with path.open("w", newline="") as file:
        write(FIELDS, rows, file)


def main() -> None:
    """Measures, and writes tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="plot it too")
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many processes; default: %(default)s")
    options = parser.parse_args()
    save(MEASURED, compare(instances(USUAL), MODELS, [1, 2], options.repeat, tools.present()))
    save(COST, cost_rows(list(SIZES), COST_MODELS, 1))
    measured, cost = rows_of([MEASURED]), rows_of([COST])
    xgens = [row for row in measured if row["tool"] == "xgen"]
    one = [row for row in measured if row["workers"] == "1"]
    text = README.read_text()
    text = between(text, "machine", machine(xgens))
    text = between(text, "rates", across(xgens, "executions_per_second", thousands))
    text = between(text, "graphs", across(one, "ns_per_graph", whole))
    if len(measured) > len(xgens):  # else what is there stays
        known = {own_name(row["model"]) for row in measured if row["tool"] != "xgen"}
        both = [row for row in one if own_name(row["model"]) in known]
        compared = across(both, "executions_per_second", thousands)
        text = between(text, "tools", f"{machine(measured)}\n\n{compared}")
    text = between(text, "processes", processes(xgens))
    text = between(text, "costs", across(cost, "ns_per_graph", whole))
    README.write_text(text)
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
        grown = options.pictures / "growing.csv"
        save(grown, compare(instances(GROWING), GROWING_MODELS, [1], 1, tools.present()))
        plot = [sys.executable, str(HERE / "plot.py"), str(grown), str(COST), "--to", str(options.pictures)]
        subprocess.run(plot, check=True)


if __name__ == "__main__":
    main()
