"""Verdicts from cones: what can go wrong in a thread, from the part of the program that it depends on alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xgen._core import together
from xgen.analyses.check.completion import completion
from xgen.clock import Clock
from xgen.engine.graphs.found import Found, found_by
from xgen.engine.graphs.options import Options, Progress
from xgen.engine.graphs.run import Run
from xgen.engine.problem import Problem
from xgen.lowering.analysis.cones import Cone, cones, has_mutexes
from xgen.lowering.code import Code
from xgen.memory.algebra import Constraint
from xgen.memory.statics.polarity import of_two_events
from xgen.records import replace


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
    if not all(of_two_events(c.condition) for c in _flags(problem)):
        return "what is undefined is a matter of more than two events"
    if problem.strategy.ahead:
        return f"the model {name} allows load buffering, or has constraints that are not extensible"
    if problem.strategy.at_end:
        return f"the model {name} has constraints that are checked at the end only"
    return None


def check_cones(
    problem: Problem,
    make: Callable[[], Problem],
    options: Options,
    clock: Clock,
    on_progress: Callable[[Progress], None] | None,
) -> tuple[Found, tuple[str, ...]]:
    """What was found in the cones of a problem, up to the first violation, and what these are.

    Where nothing goes wrong, an execution of the whole is looked for that completes, by `make`, too, which makes the
    problem of classes.
    """
    found: list[Found] = []
    looked_at = cones(problem.code, races=bool(_flags(problem)))
    for cone in looked_at:
        run = Run(replace(problem, code=cone.of(problem.code)), replace(options, timeout=clock.left()))
        run.finish(on_progress)
        found.append(found_by(run))
        if found[-1].witness is not None or found[-1].stopped:
            break
    together = _together(found)
    if together.witness is None and together.stopped is None:
        together = _completed(together, found, problem, make, options, clock)
    return together, tuple(_described(problem.code, cone) for cone in looked_at)


def _completed(
    together: Found,
    found: Sequence[Found],
    problem: Problem,
    make: Callable[[], Problem],
    options: Options,
    clock: Clock,
) -> Found:
    """The same, with whether any execution of the whole completes: none does if those of one cone do not.

    For what a complete execution of the whole has of a cone is one of the cone's, whose threads end where they leave
    it. That all cones have such executions does not mean that there is one of all.
    """
    if any(one.vacuous for one in found):
        return replace(together, completes=False)
    whole = completion(problem, make, options, clock)
    cuts = tuple(dict.fromkeys((*together.cuts, *whole.why)))
    return replace(together, completes=whole.known, cut=together.cut or whole.cut, cuts=cuts, stopped=whole.stopped)


def _flags(problem: Problem) -> list[Constraint]:
    """What executions do that leaves the program without a meaning: races."""
    return [constraint for constraint in problem.model.constraints if constraint.undefined]


def _together(found: Sequence[Found]) -> Found:
    """What explorations one after the other have found, of which the last may have ended with a violation, or early.

    Executions of cones are none of the program: they are not counted, and nobody looks at their final states.
    """
    return Found(
        together([one.counters for one in found]),
        flags={},
        outcomes=(),
        outcomes_complete=False,
        witness=found[-1].witness if found else None,
        traces=tuple(trace for one in found for trace in one.traces),
        cuts=tuple(dict.fromkeys(cut for one in found for cut in one.cuts)),
        waits=tuple(dict.fromkeys(place for one in found for place in one.waits)),
        cut=any(one.cut for one in found),
        counted=False,
        reached=-1,
        stopped=found[-1].stopped if found else None,
    )


def _described(code: Code, cone: Cone) -> str:
    """`p0, p1 with p2`: the threads that may go wrong, and those that they depend on."""
    names = [thread.name for thread in code.threads]
    others = [names[t] for t, kept in enumerate(cone.kept) if kept and t not in cone.targets]
    return ", ".join(names[t] for t in cone.targets) + (f" with {', '.join(others)}" if others else "")
