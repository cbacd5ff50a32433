"""An estimate of an exploration as text and as JSON."""

from __future__ import annotations

import json

from xgen.engine.graphs.estimate import Estimate
from xgen.executions.sample import Range
from xgen.version import __version__
from xgen.views.answers.beside.sample import between, cut_by
from xgen.views.words import duration


def render(estimate: Estimate, max_depth: int | None) -> str:
    """The estimate for people; ends without a newline. `max_depth`: the bound that it was made with."""
    kinds = (("complete", estimate.executions), ("blocked", estimate.blocked), (cut_by(max_depth), estimate.bounded))
    parts = [f"{_number(part, estimate.exact)} {name}" for name, part in kinds if part.mean or name == "complete"]
    if estimate.exact:
        lines = [
            f"executions  {', '.join(parts)}",
            f"graphs      {estimate.graphs.mean:,.0f}",
            f"time        {duration(estimate.seconds.mean)}; all is explored, the numbers are exact",
        ]
        return "\n".join(lines)
    lines = [
        f"executions  {', '.join(parts)}",
        f"graphs      {_number(estimate.graphs, False)}",
        f"time        about {_time(estimate.seconds)} with one worker",
        f"from {estimate.probes:,} random probes; in about nine of ten cases the true numbers are in the ranges",
    ]
    if len(estimate.ways) > 1:
        ways = [f"{way} {duration(estimate.ways[way])}" for way in sorted(estimate.ways, key=estimate.ways.__getitem__)]
        lines.append(f"--classes   for the verdict about {', '.join(ways)}")
    return "\n".join(lines)


def render_json(estimate: Estimate) -> str:
    """The estimate as one JSON document."""
    names = ("executions", "blocked", "bounded", "graphs", "seconds")
    ranges = {name: getattr(estimate, name) for name in names}
    document = {"xgen": __version__, "exact": estimate.exact, "probes": estimate.probes}
    document |= {name: {"mean": r.mean, "low": r.low, "high": r.high} for name, r in ranges.items()}
    document["classes"] = estimate.ways or None
    return json.dumps(document, indent=1)


def _number(part: Range, exact: bool) -> str:
    return f"{part.mean:,.0f}" if exact else between(part)


def _time(part: Range) -> str:
    return f"{duration(part.mean)} ({duration(part.low)} to {duration(part.high)})"
