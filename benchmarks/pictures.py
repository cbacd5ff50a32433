"""The pictures of results/, from the tables there: each is an SVG named after its table.

    python benchmarks/pictures.py                    # all of them
    python benchmarks/pictures.py scaling bounds     # those of some tables

Needs matplotlib: `pip install '.[bench]'`. Lines differ by their marks and dashes too, so that a print in black and
white can be read. The same tables give the same bytes.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from harness import read
from plot import own_name

RESULTS = Path(__file__).parents[1] / "results"
STYLE = {
    "svg.fonttype": "none", "svg.hashsalt": "xgen", "font.family": "sans-serif", "font.size": 9, "axes.grid": True,
    "grid.alpha": 0.3, "grid.linewidth": 0.5, "axes.axisbelow": True, "axes.spines.top": False,
    "axes.spines.right": False, "lines.markersize": 4, "lines.linewidth": 1.3, "legend.frameon": False,
    "figure.facecolor": "white",
}  # fmt: skip
BLUE, LIGHT, ORANGE, GREEN, RED, GREY = "#0b5394", "#6fa8dc", "#e69f00", "#009e73", "#b22222", "#555555"
TOOLS = {
    ("xgen", "sc"): (BLUE, "-", "o"), ("xgen", "weak"): (LIGHT, "-", "D"), ("genmc", "sc"): (ORANGE, "--", "s"),
    ("nidhugg", "sc"): (GREEN, ":", "^"), ("herd7", "sc"): (RED, "-.", "x"),
}  # fmt: skip
"""What is drawn of scaling.csv, which has more models."""
PANELS = {
    "threads": "reading threads", "variables": "variables", "instructions": "writes of one thread, 7 read it",
    "coherence": "writes, and reads",
}  # fmt: skip

Rows = list[dict[str, str]]


def points(rows: Iterable[Mapping[str, str]], x: str, y: str) -> tuple[list[float], list[float]]:
    """Two columns of the rows that have both, in the order of the first."""
    pairs = sorted((float(row[x]), float(row[y])) for row in rows if row[x] and row[y])
    return [a for a, _ in pairs], [b for _, b in pairs]


def grouped(rows: Iterable[dict[str, str]], *columns: str) -> dict[tuple[str, ...], Rows]:
    """The rows by the values of some columns."""
    groups: dict[tuple[str, ...], Rows] = defaultdict(list)
    for row in rows:
        groups[tuple(row[column] for column in columns)].append(row)
    return groups


def of_tools(plt: Any, rows: Rows, column: str, label: str, log: bool) -> Any:
    """A panel for each thing that grows, a line for each tool."""
    figure, axes = plt.subplots(2, 2, figsize=(8, 6), layout="constrained")
    for axis, (family, what) in zip(axes.flat, PANELS.items(), strict=True):
        lines = grouped(
            [row | {"model": own_name(row["model"])} for row in rows if row["family"] == family], "tool", "model"
        )
        for key, (colour, dashes, mark) in TOOLS.items():
            if key in lines:
                xs, ys = points(lines[key], "size", column)
                axis.plot(xs, ys, dashes, marker=mark, color=colour, label=" ".join(key))
        if log:
            axis.set_yscale("log")
        else:
            axis.set_ylim(bottom=0)
        axis.set(xlabel=what, ylabel=label)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels))
    return figure


def seconds(plt: Any, rows: Rows) -> Any:
    """What a program takes; of other tools, where that is more than their start-up."""
    return of_tools(plt, [row for row in rows if row["executions_per_second"]], "seconds", "s", log=True)


def memory(plt: Any, rows: Rows) -> Any:
    """The most memory of a process."""
    return of_tools(plt, rows, "peak_mib", "MiB at the peak", log=False)


def rates(plt: Any, rows: Rows) -> Any:
    """Seconds against executions under weak, and against a real program's bound. (`fenced` was measured elsewhere.)"""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.4), layout="constrained")
    own = [row | {"found": str(int(row["executions"]) + int(row["blocked"]) + int(row["bounded"]))}
           for row in rows if row["tool"] == "xgen" and row["family"] != "fenced"]  # fmt: skip
    marks = dict(
        zip(["threads", "variables", "instructions", "coherence", "loops", "bound", "rounds"], "osD^vPx", strict=True)
    )
    for (family,), some in grouped([row for row in own if row["model"] == "weak"], "family").items():
        left.plot(*points(some, "found", "seconds"), marker=marks[family], label=family)
    left.set(xscale="log", yscale="log", xlabel="executions under weak, complete or not", ylabel="s")
    left.legend()
    for model, colour, mark in (("sc", BLUE, "o"), ("tso", ORANGE, "s"), ("weak", LIGHT, "D")):
        some = [row for row in own if row["family"] == "bound" and row["model"] == model]
        right.plot(*points(some, "size", "seconds"), marker=mark, color=colour, label=model)
    right.set(yscale="log", xlabel="bound: events of a thread (peterson, 9 rounds)", ylabel="s")
    right.legend()
    return figure


def configurations(plt: Any, rows: Rows) -> Any:
    """Dropping what the model forbids on the way, and at the end: with and without assertions, and by model."""
    figure, axes = plt.subplots(2, 2, figsize=(8, 6), layout="constrained")
    relaxed = [row for row in rows if (row["read"], row["write"], row["outcome"]) == ("relaxed", "relaxed", "ok")]
    series = grouped(relaxed, "family", "model", "asserted", "filter")
    ways = (("in-situ", "-", "o"), ("final", "--", "s"))
    for axis, asserted, title in zip(axes[0], ("yes", "no"), ("to the first violation", "all executions"), strict=True):
        for filtered, dashes, mark in ways:
            line = points(series["coherence", "weak", asserted, filtered], "size", "seconds")
            axis.plot(*line, dashes, marker=mark, color=BLUE if mark == "o" else RED, label=filtered)
        axis.set(yscale="log", xlabel="writes, and reads", ylabel="s", title=f"coherence, weak, {title}")
        axis.legend()
    for axis, family, what in zip(axes[1], ("coherence", "loop"), ("writes, and reads", "readers"), strict=True):
        for model, colour in (("sc", BLUE), ("tso", ORANGE), ("weak", GREEN)):
            for filtered, dashes, mark in ways:
                line = points(series[family, model, "no", filtered], "size", "seconds")
                axis.plot(*line, dashes, marker=mark, color=colour, label=f"{model}, {filtered}")
        axis.set(yscale="log", xlabel=what, ylabel="s", title=f"{family}, all executions")
        axis.legend(fontsize=7)
    return figure


def workers(plt: Any, rows: Rows) -> Any:
    """How many times less the busiest of several workers has to do, and what they take all together."""
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
    counts = sorted({int(row["workers"]) for row in rows})
    for mark, ((program,), some) in zip("osD^v", grouped(rows, "program").items(), strict=True):
        first = next(row for row in some if row["workers"] == "1")
        shares = [float(first["busiest"]) / float(row["busiest"]) for row in some]
        axes[0].plot(counts, shares, marker=mark, label=program)
        axes[1].plot(counts, [float(row["cpu"]) / float(first["cpu"]) for row in some], marker=mark, label=program)
    axes[0].plot(counts, counts, ":", color=GREY, linewidth=0.8)
    axes[0].set(ylabel="times less for the busiest worker")
    axes[0].set_yscale("log", base=2)
    axes[0].set_yticks(counts, [str(count) for count in counts])
    axes[1].set(ylabel="times the work of one, all together", ylim=(0, 2))
    for axis in axes:
        axis.set(xlabel="workers")
        axis.set_xscale("log", base=2)
        axis.set_xticks(counts, [str(count) for count in counts])
    axes[1].legend(fontsize=7, loc="lower left")
    return figure


def bounds(plt: Any, rows: Rows) -> Any:
    """Peterson's algorithm: what a bound takes, and where the first violation is."""
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.4), layout="constrained")
    colours = {"sc": BLUE, "weak": GREEN, "arm8": ORANGE, "power": GREY}
    series = grouped([row for row in rows if row["rounds"] == "all"], "program", "model")
    for axis, column, label in ((axes[0], "explored", "graphs visited"), (axes[1], "seconds", "s")):
        for (program, model), some in series.items():
            if model in colours:
                line = points(some, "bound", column)
                dashes, mark = ("-", "o") if program == "peterson" else ("--", "s")
                axis.plot(*line, dashes, marker=mark, color=colours[model], label=f"{program}, {model}")
                bad = points([row for row in some if row["verdict"] == "violation"], "bound", column)
                axis.plot(*bad, "*", color=RED, markersize=9, zorder=5)
        axis.set(yscale="log", xlabel="bound: events of a thread (red star: violation)", ylabel=label)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, fontsize=7)
    return figure


def proofs(plt: Any, rows: Rows) -> Any:
    """Symbolic states and seconds beside those of Remmex; what it did not finish stands at the upper edge."""
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.8), layout="constrained")
    theirs = [row for row in rows if row["tool"] == "Remmex"]
    for axis, ours, published, what in (
        (axes[0], "visited", "tool_visited", "states visited"), (axes[1], "seconds", "tool_seconds", "s"),
    ):  # fmt: skip
        for model, colour, mark in (("tso", BLUE, "o"), ("pso", ORANGE, "s")):
            some = [row for row in theirs if row["model"] == model]
            done = [row for row in some if row[published] not in ("", "DNF")]
            axis.plot(*points(done, ours, published), mark, color=colour, label=model)
            left = [float(row[ours]) for row in some if row not in done]
            upper = axis.get_xaxis_transform()
            axis.plot(left, [1.0] * len(left), mark, color=colour, fillstyle="none", transform=upper, clip_on=False)
        axis.set(xscale="log", yscale="log", xlabel=f"xgen: {what}", ylabel=f"Remmex: {what}")
        axis.axline((1, 1), (10, 10), color=GREY, linewidth=0.7, linestyle=":")
    axes[0].legend()
    return figure


PICTURES: dict[str, tuple[str, Callable[[Any, Rows], Any]]] = {
    "scaling": ("scaling", seconds),
    "scaling-memory": ("scaling", memory),
    "scaling-executions": ("scaling", rates),
    "configurations": ("configurations", configurations),
    "workers": ("workers", workers),
    "bounds": ("bounds", bounds),
    "proofs": ("proofs", proofs),
}
"""Each picture: the table, and what draws it."""


def draw(chosen: Iterable[str] = (), to: Path = RESULTS) -> None:
    """Writes the pictures of some tables, or all. Raises ImportError without matplotlib."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    chosen = set(chosen)
    for name, (source, drawn) in PICTURES.items():
        if not chosen or source in chosen:
            with pyplot.rc_context(STYLE):
                figure = drawn(pyplot, read(RESULTS / f"{source}.csv")[1])
                figure.savefig(to / f"{name}.svg", metadata={"Date": None})
                pyplot.close(figure)


if __name__ == "__main__":
    try:
        draw(sys.argv[1:])
    except ImportError:
        sys.exit("error: pictures need matplotlib: pip install matplotlib")
