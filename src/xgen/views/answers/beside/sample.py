"""What random samples show, as text and as JSON."""

from __future__ import annotations

from xgen.executions.execution import show_value
from xgen.executions.sample import Range, Sample
from xgen.views.words import about

ALL = 0.995
"""Less is not rounded to all."""


def cut_by(max_depth: int | None) -> str:
    """What is said of executions that are cut: by the bound where there is one, else by what limits loops and calls."""
    return "cut by other limits" if max_depth is None else "cut by the bound"


def sample_lines(sample: Sample, max_depth: int | None) -> list[str]:
    """How many samples there are, how they end, and what that says of all executions."""
    if not sample.made:
        return []
    bounded = cut_by(max_depth)
    others = ((sample.blocked, "blocked"), (sample.bounded, bounded), (sample.lost, "without an execution"))
    ends = [f"{sample.complete:,} complete", *(f"{number:,} {name}" for number, name in others if number)]
    rows = [("samples", f"{sample.made:,} of {sample.asked:,} (seed {sample.seed}): {', '.join(ends)}")]
    parts = (
        (sample.executions, "complete"),
        (sample.blocked_executions, "blocked"),
        (sample.bounded_executions, bounded),
    )
    numbers = [
        f"{f'{part.mean:,.0f}' if sample.whole else between(part)} {name}"
        for part, name in parts
        if part is not None and (part.mean or name == "complete")
    ]
    if numbers:
        rows.append(("executions", ", ".join(numbers)))
    if sample.whole:
        rows.append(("covered", "every execution was met: without --sample, the verdict takes no longer"))
    elif sample.covered is not None:
        rows.append(("covered", f"about {share(sample.covered)} of the complete executions"))
    if sample.unseen is not None and not sample.whole:
        rows.append(("unseen", f"the next one shows a new outcome with a chance of about {share(sample.unseen)}"))
    return [f"{name:<10}  {text}" for name, text in rows]


def between(part: Range) -> str:
    """`about 120 (110 to 130)`."""
    return f"about {about(part.mean)} ({about(part.low)} to {about(part.high)})"


def share(part: float) -> str:
    """`12 %`, `0.3 %`, `1.2e-07 %`; never all where it is less."""
    percent = 100 * part
    if part >= 1 or part == 0:
        return f"{percent:.0f} %"
    if part >= ALL:
        return "99 %"
    return f"{percent:.0f} %" if percent >= 10 else f"{percent:.2g} %"


def outcome_rows(sample: Sample) -> list[list[str]]:
    """The outcomes, most frequent first, as rows of a table: names, then the values of each with its share."""
    names = list(dict.fromkeys(name for outcome in sample.outcomes for name in outcome.state))
    rows = [[*names, "share", "samples"]]
    for outcome in sample.outcomes:
        values = [show_value(outcome.state[name]) if name in outcome.state else "-" for name in names]
        rows.append([*values, share(outcome.share), str(outcome.samples)])
    return rows
