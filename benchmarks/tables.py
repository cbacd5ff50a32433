"""Writes the tables of results/README.md, between their marks, from the CSV files beside it.

python benchmarks/tables.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from harness import read
from plot import own_name
from report import between, table

RESULTS = Path(__file__).parents[1] / "results"
README = RESULTS / "README.md"

Rows = list[dict[str, str]]
SHORT = {"safe": "safe", "violation": "**bad**", "": ""}


def rows_of(name: str) -> Rows:
    """The rows of a table in results/."""
    return read(RESULTS / f"{name}.csv")[1]


def chosen(rows: Iterable[dict[str, str]], **values: str) -> Rows:
    """The rows with these values."""
    return [row for row in rows if all(row[key] == value for key, value in values.items())]


def unique(rows: Iterable[dict[str, str]], column: str) -> list[str]:
    """The values of a column, in their order."""
    return list(dict.fromkeys(row[column] for row in rows))


def correctness() -> str:
    """Programs by models; verdict and executions of what the thesis has."""
    rows = [row for row in rows_of("correctness") if row["program"] in PROGRAMS]
    models = [model for model in unique(rows, "model") if not model.startswith("thesis/")]
    body = []
    for program in PROGRAMS:
        own = {row["model"]: row for row in chosen(rows, program=program)}
        body.append([f"`{program}`", *(_cell(own[model]) for model in models)])
    return table(["", *models], body)


PROGRAMS = ("2w2r", "cow2r", "coww2r2r", "coww2r2r_checked", "mp", "peterson", "peterson_fenced")


def _cell(row: dict[str, str]) -> str:
    return f"{SHORT[row['verdict']]} {row['executions']}"


def printed() -> str:
    """The models as the thesis prints them: our verdict, and what it reports."""
    rows = [row for row in rows_of("correctness") if row["model"].startswith("thesis/")]
    models = unique(rows, "model")
    body = []
    for program in unique(rows, "program"):
        own = {row["model"]: row for row in chosen(rows, program=program)}
        cells = [_cell(own[m]) + (f" (reported: {own[m]['thesis']})" if _differs(own[m]) else "") for m in models]
        body.append([f"`{program}`", *cells])
    return table(["", *models], body)


def _differs(row: dict[str, str]) -> bool:
    return row["thesis"] not in ("", row["verdict"])


def mutexes() -> str:
    """Other programs by models."""
    rows = [row for row in rows_of("correctness") if row["program"] not in PROGRAMS]
    models = unique(rows, "model")
    cells = {(row["program"], row["model"]): _cell(row) for row in rows}
    return table(["", *models], ([f"`{p}`", *(cells.get((p, m), "") for m in models)] for p in unique(rows, "program")))


def mapping() -> str:
    """Table 6.1: of the nine pairs of orderings, how many forbid the outcome of a shape."""
    rows = rows_of("mapping")
    body = []
    for shape in unique(rows, "shape"):
        own = chosen(rows, shape=shape)
        counts = [len(chosen(own, **wanted)) for wanted in ({"rc11": "no"}, {"weak": "no"}, {"right": "no"})]
        body.append([shape, *map(str, counts)])
    return table(["", "forbidden by rc11, of 9", "by fences under weak", "by rc11 only"], body)


def start() -> str:
    """Table 6.2: what each tool takes for a program with nothing to explore. (`fenced` was measured elsewhere.)"""
    rows = [row for row in rows_of("scaling") if row["family"] != "fenced"]
    least = {
        tool: min(float(row["startup"]) for row in rows if row["tool"] == tool and float(row["startup"]) > 0)
        for tool in unique(rows, "tool")
    }
    ours = {tool: f"{seconds:.2f} s" for tool, seconds in least.items()}
    return table(["", *ours], [["here", *ours.values()]])


TESTS = {"readers": 180, "loop": 10, "coherence": 20}
SOLVED = {
    "readers": (170, 176, 69, 178), "loop": (10, 9, 0, 0), "coherence": (17, 19, 6, 19),
}  # fmt: skip
"""Table 6.3: how many of the tests were solved: by the tool of the thesis, final and in-situ, by Nidhugg, by RCMC."""


def outcomes() -> str:
    """Table 6.3: how many tests with assertions are solved."""
    own, others = chosen(rows_of("configurations"), model="weak", asserted="yes"), rows_of("outcomes")
    body = []
    for family, tests in TESTS.items():
        of_xgen = [_solved(chosen(own, family=family, filter=filtered)) for filtered in ("final", "in-situ")]
        of_others = [_solved(chosen(others, family=family, tool=tool)) for tool in ("nidhugg", "genmc")]
        body.append([family, str(tests), *map(str, SOLVED[family]), *of_xgen, *of_others])
    thesis = ["prototype, final", "prototype, in-situ", "Nidhugg", "RCMC"]
    return table(["", "tests", *thesis, "xgen, final", "xgen, in-situ", "Nidhugg 0.4", "GenMC 0.11"], body)


def _solved(rows: Rows) -> str:
    solved = chosen(rows, outcome="ok")
    return f"**{len(solved)}**" + (f" (at most {max(float(r['seconds']) for r in solved):.3f} s)" if solved else "")


def filtering() -> str:
    """Figures 6.8 and 6.9: the largest size that both ways have, and the times."""
    rows = chosen(rows_of("configurations"), read="relaxed", write="relaxed", asserted="no", outcome="ok")
    body = []
    for family in unique(rows, "family"):
        for model in ("sc", "tso", "weak"):
            some = chosen(rows, family=family, model=model)
            last = str(max(int(row["size"]) for row in chosen(some, filter="final")))
            on, end = (chosen(some, filter=how, size=last)[0] for how in ("in-situ", "final"))
            largest = max(int(row["size"]) for row in chosen(some, filter="in-situ"))
            numbers = [
                cell
                for row in (on, end)
                for cell in (_whole(row, "explored"), f"{float(row['seconds']):.4f}", row["peak_mib"])
            ]
            body.append([f"{family}({last}), {model}", *numbers, str(largest)])
    head = ["all executions", "in-situ: graphs", "s", "MiB", "final: graphs", "s", "MiB", "largest in-situ"]
    return table(head, body)


def _whole(row: dict[str, str], column: str) -> str:
    return f"{int(row[column]):,}"


def scaling() -> str:
    """Figure 6.13 and the rest: the largest that each tool came to, and what that took."""
    rows = rows_of("scaling")
    lines = [("xgen", "sc"), ("xgen", "tso"), ("xgen", "weak"), ("xgen", "rc11"), ("genmc", "sc"), ("genmc", "rc11"),
             ("nidhugg", "sc"), ("nidhugg", "tso"), ("herd7", "sc")]  # fmt: skip
    present = [line for line in lines if any((row["tool"], own_name(row["model"])) == line for row in rows)]
    body = []
    for family in unique(rows, "family"):
        cells = []
        for tool, model in present:
            own = [r for r in rows if (r["family"], r["tool"], own_name(r["model"])) == (family, tool, model)]
            last = max(own, key=lambda row: int(row["size"]), default=None)
            cells.append(f"{last['size']}: {float(last['seconds']):.2g} s" if last else "")
        body.append([family, *cells])
    return table(["largest, and its s", *(" ".join(line) for line in present)], body)


def workers() -> str:
    """Figure 6.10."""
    rows = rows_of("workers")
    counts = unique(rows, "workers")
    body = []
    for program in unique(rows, "program"):
        own = {row["workers"]: row for row in chosen(rows, program=program)}
        first = own["1"]
        shares = [f"{float(first['busiest']) / float(own[n]['busiest']):.2f}" for n in counts[1:]]
        dearer = [f"{float(own[n]['cpu']) / float(first['cpu']):.2f}" for n in counts[1:]]
        body.append([f"`{program}`", _whole(first, "executions"), f"{float(first['cpu']):.2f}", *shares, *dearer])
    head = ["", "executions", "s, 1 worker", *(f"{n}: less for the busiest" for n in counts[1:])]
    return table([*head, *(f"{n}: all together" for n in counts[1:])], body)


def bounds() -> str:
    """Section 6.4: the first bound with a violation, or the largest that was tried; and the answer without a bound."""
    rows = rows_of("bounds")
    body = []
    for model in unique(rows, "model"):
        cells = []
        for program in unique(rows, "program"):
            own = chosen(rows, program=program, model=model)
            bounded, free = chosen(own, rounds="all"), chosen(own, rounds="one")[0]
            last = bounded[-1]
            found = f"violation at {last['bound']}" if last["verdict"] == "violation" else f"safe up to {last['bound']}"
            cells += [f"{found}, {float(last['seconds']):.4f} s", f"{free['verdict']}, {float(free['seconds']):.4f} s"]
        body.append([model, *cells])
    return table(["", "peterson, bounded", "without a bound", "peterson_fenced, bounded", "without a bound"], body)


def proofs() -> str:
    """Tables 7.2 to 7.15 of Linden's thesis: a row for a program, under both models."""
    rows = rows_of("proofs")
    body = []
    for program in unique([row for row in rows if row["tool"]], "program"):
        cells = []
        for model in ("sc", "tso", "pso"):
            (row,) = chosen(rows, program=program, model=model)
            theirs = "DNF" if row["tool_seconds"] == "DNF" else f"{row['tool_visited']}, {row['tool_seconds']} s"
            ours = f"{SHORT.get(row['verdict'], row['verdict'])} {row['visited']}, {float(row['seconds']):.3f} s"
            cells += [ours, f"{theirs} ({row['table']})" if row["tool"] else ""]
        body.append([f"`{program}`", *cells])
    return table(["visited, s", "sc", "SPIN (table)", "tso", "Remmex (table)", "pso", "Remmex (table)"], body)


def plain(name: str, columns: Sequence[str] = ()) -> Callable[[], str]:
    """A table as it is, or some of its columns."""

    def made() -> str:
        rows = rows_of(name)
        shown = columns or list(rows[0])
        return table(
            [column.replace("_", " ") for column in shown], ([row[column] for column in shown] for row in rows)
        )

    return made


def classes() -> str:
    """Section 6.3.5: graphs and seconds by executions, reads-from, orbits of like threads, and what they see."""
    rows = rows_of("classes")
    body = []
    for program in unique(rows, "program"):
        own = {row["by"]: row for row in chosen(rows, program=program, model="weak")}
        cells = [own["executions"]["executions"], own["rf"]["classes"], own["orbits"]["orbits"]]
        for by in ("executions", "rf", "orbits", "seen"):
            row = own[by]
            cells += [_whole(row, "explored"), f"{float(row['seconds']):.3f}"] if row["explored"] else ["", "> 20"]
        body.append([f"`{program}`", *cells])
    ways = [head for by in ("by rf", "by orbits", "seen") for head in (f"{by}: graphs", "s")]
    head = ["", "executions", "classes", "orbits", "graphs", "s", *ways]
    return table(head, body)


def fences() -> str:
    """Placements beside those of other tools: the fences of a cheapest one, full and others."""
    body = [
        [
            row["program"],
            row["model"],
            row["sites"],
            f"{row['full']} + {row['others']}",
            row["placements"] + ("" if row["complete"] == "True" else " or more"),
            row["runs"],
            row["seconds"],
            f"{row['tool_full']} + {row['tool_others']}",
            row["tool"],
        ]
        for row in rows_of("fences")
        if row["tool"]
    ]
    return table(["program", "model", "sites", "fences", "placements", "runs", "seconds", "theirs", "tool"], body)


TABLES: dict[str, Callable[[], str]] = {
    "correctness": correctness, "printed": printed, "mutexes": mutexes, "mapping": mapping, "start": start,
    "outcomes": outcomes, "filtering": filtering, "scaling": scaling, "workers": workers, "bounds": bounds,
    "orders": plain("orders"), "proofs": proofs, "cub": plain("cub"), "cubtso": plain("cubtso"),
    "lassos": plain("lassos"), "spin": plain("spin"), "ahead": plain("ahead"),
    "atomic": plain("atomic"), "protocols": plain("protocols"),
    "fences": fences, "trencher": plain("trencher"), "classes": classes,
    "drawings": plain("drawings"),
}  # fmt: skip
"""What is between the marks of each name."""


def written(text: str) -> str:
    """The text with its tables made anew."""
    for name, made in TABLES.items():
        text = between(text, name, made())
    return text


if __name__ == "__main__":
    README.write_text(written(README.read_text(encoding="utf-8")), encoding="utf-8")
