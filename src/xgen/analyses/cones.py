"""Verdicts from cones: what can go wrong in a thread, from the part of the program that it depends on alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from xgen.clock import Clock
from xgen.engine.parts import Part, merge, part_of
from xgen.engine.problem import Problem
from xgen.engine.run import Options, Progress, Run
from xgen.lowering.code import Code
from xgen.lowering.cones import Cone, cones, has_mutexes


def why_not(problem: Problem) -> str | None:
    """Why errors in cones are not those of the whole program, if it is so.

    `problem` is that of executions, not of classes: its strategy tells whether all constraints are prefix-closed and
    extensible.
    """
    name = problem.asked.name
    if problem.requirement is not None:
        return "the program asks something of final states"
    if has_mutexes(problem.code):
        return "the program has mutexes, and a deadlock is a matter of all threads"
    if any(constraint.undefined for constraint in problem.model.constraints):
        return f"the model {name} has races that are violations, which are a matter of two threads"
    if problem.strategy.ahead:
        return f"the model {name} allows load buffering, or has constraints that are not extensible"
    if problem.strategy.at_end:
        return f"the model {name} has constraints that are checked at the end only"
    return None


def check_cones(
    problem: Problem, options: Options, clock: Clock, on_progress: Callable[[Progress], None] | None
) -> tuple[Part, tuple[str, ...]]:
    """What was found in the cones of a problem, up to the first violation, and what these are."""
    parts: list[Part] = []
    found = cones(problem.code)
    for cone in found:
        run = Run(replace(problem, code=cone.of(problem.code)), replace(options, timeout=clock.left()))
        run.finish(on_progress)
        parts.append(part_of(run))
        if parts[-1].witness is not None or parts[-1].stopped:
            break
    together = replace(merge(parts), flags={}, outcomes=(), outcomes_complete=False, counted=False, reached=-1)
    return together, tuple(_described(problem.code, cone) for cone in found)


def _described(code: Code, cone: Cone) -> str:
    """`p0, p1 with p2`: the threads that may go wrong, and those that they depend on."""
    names = [thread.name for thread in code.threads]
    others = [names[t] for t, kept in enumerate(cone.kept) if kept and t not in cone.targets]
    return ", ".join(names[t] for t in cone.targets) + (f" with {', '.join(others)}" if others else "")
