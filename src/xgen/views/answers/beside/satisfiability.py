"""A verdict by satisfiability as text: what it took."""

from __future__ import annotations

from xgen.executions.satisfiability import Satisfiability
from xgen.views.words import duration, plural


def sat_facts(sat: Satisfiability) -> list[str]:
    """What the verdict's line says of the way that it was found."""
    if sat.replayed is not None:
        return ["found by satisfiability", f"replayed: {plural(sat.replayed, 'event')}"]
    return [
        f"by satisfiability: {plural(sat.events, 'event')}",
        f"{sat.clauses:,} clauses",
        f"{sat.conflicts:,} conflicts",
    ]


def sat_lines(sat: Satisfiability, seconds: float, peak_kib: int) -> list[str]:
    """What it took."""
    answers = f"{plural(sat.queries, 'query', 'queries')}, {plural(sat.answers, 'answer')}, {sat.lemmas:,} lemmas"
    rows = [
        ("encoding", f"{plural(sat.events, 'event')}, {sat.clauses:,} clauses"),
        ("solver", f"{answers}, {sat.conflicts:,} conflicts"),
        ("cost", f"{duration(seconds)}, {peak_kib / 1024:.1f} MiB"),
    ]
    return [f"{name:<10}  {text}" for name, text in rows]


def satisfiability_to_dict(sat: Satisfiability | None) -> dict[str, int | None]:
    """The keys of JSON that a verdict by satisfiability has, and others have as null."""
    names = ("events", "clauses", "queries", "answers", "lemmas", "conflicts", "replayed")
    return {name: None if sat is None else getattr(sat, name) for name in names}
