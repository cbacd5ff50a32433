"""Plots of measured.csv: for each family, how executions per second and time per graph go with its size.

    python benchmarks/plot.py measured.csv --to pictures

One picture per family, FAMILY.png, with one line per tool, model and number of workers. Needs matplotlib:
`pip install '.[bench]'`.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from harness import read

COLOURS = {
    "sc": "C0", "tso": "C1", "rc11": "C2", "arm8": "C3", "riscv": "C4", "lkmm": "C5", "weak": "C6", "pso": "C8",
}  # fmt: skip
"""Of xgen's models; other tools' models of the same name have the same colour."""
OTHER_NAMES = {"x86tso-mixed.cat": "tso", "aarch64.cat": "arm8"}
STYLES = {"xgen": ("-", "o"), "genmc": ("--", "s"), "nidhugg": (":", "^"), "herd7": ("-.", "x")}

SIZES = {
    "writers": "writes, of 3 threads together",
    "cost-events": "events",
    "cost-private": "events",
    "cost-long": "events",
    "cost-threads": "threads",
    "cost-variables": "variables",
}
"""What the size of a family is; of those that end in -rounds or -bound, rounds and bounds; else the family's n."""
COLUMNS = [("executions_per_second", "executions per second"), ("ns_per_graph", "ns per graph visited")]

Line = tuple[str, str, int]
"""Tool, model and number of workers."""


def rows_of(paths: Iterable[Path]) -> list[dict[str, str]]:
    """The rows of all the files, each with the facts at the head of its file."""
    tables = map(read, paths)
    return [facts | row for facts, rows in tables for row in rows]


def lines_of(rows: Iterable[dict[str, str]], column: str) -> dict[Line, list[tuple[int, float]]]:
    """The points of each line, by size; rows without a value in the column are left out. In the order of a legend."""
    lines: dict[Line, list[tuple[int, float]]] = defaultdict(list)
    for row in rows:
        if row[column]:
            line = (row["tool"], row["model"], int(row["workers"]))
            lines[line].append((int(row["size"]), float(row[column])))
    return {line: sorted(lines[line]) for line in sorted(lines, key=place)}


def place(line: Line) -> tuple[int, int, int]:
    """Where a line stands in a legend: by tool, then by model, then by workers."""
    tool, model, workers = line
    ranks = [
        names.index(name) if name in names else len(names)
        for names, name in (([*STYLES], tool), ([*COLOURS], own_name(model)))
    ]
    return ranks[0], ranks[1], workers


def own_name(model: str) -> str:
    """xgen's name for a model of another tool: sc for --sc, -sc, sc.cat."""
    return OTHER_NAMES.get(model, model.lstrip("-").removesuffix(".cat"))


def colour(model: str) -> str:
    """The colour of a model, by the name that the tool has for it."""
    return COLOURS.get(own_name(model), "grey")


def size_of(family: str) -> str:
    """What the size of a family is."""
    if family.endswith("-rounds"):
        return "rounds of each thread"
    if family.endswith("-bound"):
        return "events per thread, at most"
    return SIZES.get(family, "n")


def title(family: str, rows: Iterable[dict[str, str]]) -> str:
    """The family, the tools with their versions, and the machine."""
    rows = list(rows)
    versions = dict.fromkeys(f"{row['tool']} {row['version']}" for row in rows)
    return f"{family}\n{', '.join(versions)}; {rows[0]['cpu']}"


def draw(pyplot: Any, family: str, rows: list[dict[str, str]], path: Path) -> None:
    """One picture: executions per second on the left, nanoseconds per graph on the right, one legend for both."""
    figure, axes = pyplot.subplots(1, 2, figsize=(13, 4.8), layout="constrained")
    sizes = sorted({int(row["size"]) for row in rows})
    for axis, (column, label) in zip(axes, COLUMNS, strict=True):
        for (tool, model, workers), points in lines_of(rows, column).items():
            style, marker = STYLES.get(tool, ("-", "."))
            name = f"{tool} {model}" + (f", {workers} workers" if workers > 1 else "")
            axis.plot(
                *zip(*points, strict=True), style, marker=marker, markersize=4, color=colour(model), label=name,
                linewidth=1 + 0.8 * (workers - 1),
            )  # fmt: skip
        axis.set_xlabel(size_of(family))
        axis.set_ylabel(label)
        axis.set_yscale("log")
        if sizes[-1] >= 8 * sizes[0]:
            axis.set_xscale("log", base=2)
        axis.set_xticks(sizes, [str(size) for size in sizes])
        axis.set_xticks([], minor=True)
        axis.grid(True, which="both", alpha=0.25)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right upper", fontsize="small")
    figure.suptitle(title(family, rows), fontsize="medium")
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def main() -> None:
    """Draws what the command line asks for."""
    parser = argparse.ArgumentParser(description="Plot measured.csv, one picture per family.")
    parser.add_argument("tables", nargs="+", type=Path, metavar="CSV")
    parser.add_argument("--to", type=Path, default=Path("."), metavar="DIR")
    options = parser.parse_args()
    try:
        import matplotlib
        from matplotlib import pyplot
    except ImportError:
        sys.exit("error: plots need matplotlib: pip install matplotlib")
    matplotlib.use("agg")
    families: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows_of(options.tables):
        families[row["family"]].append(row)
    options.to.mkdir(parents=True, exist_ok=True)
    for family, rows in families.items():
        if len({row["size"] for row in rows}) > 1:
            draw(pyplot, family, rows, options.to / f"{family}.png")


if __name__ == "__main__":
    main()
