"""Which instructions executions come to: all are explored, and each is looked at."""

from __future__ import annotations

from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import Problem
from xgen.records import dataclass, replace

AT_ONCE = 1000
"""Executions that are held while they are looked at."""


@dataclass(frozen=True)
class Visited:
    """The instructions of which executions have events; the assertions to which they come, as `_core.Findings` has
    them. `complete`: all executions were looked at; `cut`: the bound made a difference.
    """

    pcs: frozenset[int]
    reached: int
    complete: bool
    cut: bool


def visited(problem: Problem, options: Options) -> Visited:
    """What the executions of a program come to, as far as the time goes, or Ctrl-C lets it. Raises LimitError."""
    all_of_them = replace(options, all_states=True, trace_limit=AT_ONCE, stream=True, dependencies=False, stale=True)
    run = Run(problem, all_of_them)
    found, more = set[int](), True
    try:
        while more:
            more = run.advance()
            found.update(event.pc for trace in run.core.take_traces() for event in trace.events)
    except KeyboardInterrupt:
        run.stopped = "interrupt"
    return Visited(frozenset(found), run.core.findings.reached, run.stopped is None, run.cut)
