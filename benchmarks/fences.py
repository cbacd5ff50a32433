"""Placements of fences: of programs with one kind of fence, and of endless ones beside those of another tool.

    python benchmarks/fences.py > results/fences.csv

Names that are given choose programs. The published numbers are those of Remmex from A. Linden's thesis, which puts
fences behind stores, and of FENDER (results/published/fences.csv). Each search runs in a process of its own. `fences`
are those of a cheapest placement, full ones and others; with `first`, only one is looked for.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from harness import AGAIN, apart, fastest, peak_mib, read, write

import xgen
from xgen.analyses.fences.fences import find_fences
from xgen.resources import shipped

FULL = ("mfence", "sync", "dmb.sy", "fence", "")
"""The fences that order everything."""
PROGRAMS = (
    "peterson",
    "dekker",
    "burns",
    "szymanski",
    "bakery",
    "dijkstra",
    "treiber",
    "ticket_lock",
    "msqueue",
    "chase_lev",
)
MODELS = ("tso", "pso", "weak", "power", "arm8")
ENDLESS = ("peterson", "filter3", "dekker", "burns", "szymanski", "dijkstra", "bakery2", "bakery3", "fast_mutex")
LARGE = ("filter3", "bakery3")
PUBLISHED = Path(__file__).parents[1] / "results" / "published" / "fences.csv"
ASKED = ("program", "model", "ask", "sites", "first")
COUNTS = ("verdict", "complete", "cost", "full", "others", "placements", "runs", "violations")
THEIRS = ("tool", "table", "tool_full", "tool_others", "tool_placements")
FIELDS = (*ASKED, *COUNTS, "seconds", "peak_mib", *THEIRS)


def search(name: str, model: str, ask: str, sites: str, first: bool, again: float = AGAIN) -> dict[str, object]:
    """One search: for what makes a program safe ("safe"), robust, live, or safe without any bound ("endless")."""
    endless = ask in ("endless", "deadlock")
    program = xgen.load(shipped("programs") / ("endless" if endless else "") / f"{name}.xcfa")
    answer, seconds = fastest(
        lambda: find_fences(
            program,
            xgen.model(model),
            kinds=None if endless else "fence=1",
            sites="after-stores" if sites == "after-stores" else "all",
            limit=1 if first else 1000,
            unbounded=endless,
            deadlock=ask == "deadlock",
            robust=xgen.model("sc") if ask == "robust" else None,
            liveness=ask == "live",
        ),
        again,
    )
    words = [piece.word for piece in answer.placements[0].pieces] if answer.placements else []
    full = sum(word in FULL for word in words)
    return {
        "verdict": answer.verdict,
        "complete": answer.complete,
        "cost": answer.placements[0].cost if answer.placements else None,
        "full": full,
        "others": len(words) - full,
        "placements": len(answer.placements),
        "runs": answer.runs,
        "violations": answer.counterexamples,
        "seconds": round(seconds, 4),
        "peak_mib": round(peak_mib(), 1),
    }


def asked() -> Iterator[tuple[str, str, str, str, bool]]:
    """What is searched for: program, model, demand, sites, and whether only for one placement."""
    for name in PROGRAMS:
        for model in MODELS:
            yield name, model, "safe", "all", False
    for name in ("peterson", "dekker", "peterson_fenced", "treiber", "ticket_lock", "ttas_lock"):
        yield name, "tso", "robust", "all", False
        yield name, "pso", "robust", "all", False
    for name in ("spinlock", "ticket_lock", "ttas_lock", "peterson"):
        yield name, "tso", "live", "all", False
        yield name, "pso", "live", "all", False
    for name in ENDLESS:
        for model in ("tso", "pso"):
            for sites in ("all", "after-stores"):
                yield name, model, "endless", sites, name in LARGE
    for model in ("tso", "pso"):
        yield "deadlock", model, "deadlock", "all", False


def rows(names: Collection[str] = ()) -> Iterator[dict[str, object]]:
    """All of them, or those whose names are given."""
    published = {(row["program"], row["model"], row["ask"]): row for row in read(PUBLISHED)[1]}
    for key in asked():
        if names and key[0] not in names:
            continue
        theirs = published.get(key[:3], {})
        found = {field: theirs.get(field.removeprefix("tool_"), "") for field in THEIRS}
        yield {**dict(zip(ASKED, key, strict=True)), **apart(search, *key), **found}


if __name__ == "__main__":
    write(FIELDS, rows(sys.argv[1:]))
