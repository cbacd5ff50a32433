"""Whether any execution of a program completes, where that is not seen anyway: one is looked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from xgen._core import Op
from xgen.analyses.check.portfolio import why_not
from xgen.clock import Clock
from xgen.engine.graphs.diagnosis import look_for_loops
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import SLICE, Run
from xgen.engine.problem import Problem
from xgen.engine.symbolic import can_be_proved
from xgen.errors import XgenError
from xgen.lowering.code import Code
from xgen.records import dataclass, replace

BOUNDS = (64, 256)
"""Events per thread of the executions that are looked for, unless the user says how many there may be."""
WORK = (10**8, 10**9)
"""How much is explored with each bound (`Run.work`, about nanoseconds), at first and in the end."""
LOOK = 10**7
"""After so much of it there is another look at what was found."""


@dataclass(frozen=True)
class Completion:
    """Whether any execution completes; None: that was not found out, and `stopped` says why.

    `cut`: none does within the bound. `why`: what is known of the reason.
    """

    known: bool | None
    cut: bool = False
    why: tuple[str, ...] = ()
    stopped: Literal["interrupt", "timeout", "incomplete"] | None = None


def completion(asked: Problem, make: Callable[[], Problem], options: Options, clock: Clock) -> Completion:
    """Looks for an execution that completes, which is the first one of most programs.

    It is looked for among executions, which show that there is none if there are few, and among those of which threads
    see different things, without those in which one waits for ever: these can only show that there is one. With one
    worker, what is found does not depend on the time, unless that is over.

    `make`: makes the problem of classes. Raises as `Run.advance` does.
    """
    proved = ("`xgen prove` is for programs that have no end, too",) if can_be_proved(asked) else ()
    if endless := tuple(_endless(asked.code)):
        return Completion(False, why=(*endless, *proved))
    most, classes = options.max_depth, None
    bounds = BOUNDS if most is None else (*(bound for bound in BOUNDS if bound < most), most)
    for work in WORK:
        for depth in bounds:
            own = replace(
                options, all_states=True, trace_limit=0, liveness=False, max_depth=depth, timeout=clock.left()
            )
            run = Run(asked, own)
            over = _ends(run, work)
            if run.core.counters["executions"]:
                return Completion(True)
            if run.stopped:
                return Completion(None, stopped=run.stopped)
            if over and (depth == most or not run.outgrown):
                return Completion(False, run.cut, tuple(run.cuts()))
            classes = classes or make()
            if _found_in(classes, replace(own, timeout=clock.left()), work):
                return Completion(True)
    return Completion(None, why=(*look_for_loops(run, BOUNDS[0]), *proved), stopped="incomplete")


def _ends(run: Run, work: int) -> bool:
    """Explores until an execution completes, or so much work is done; whether it is the end."""
    over = False
    while not over and run.work < work and not run.core.counters["executions"]:
        over = run.ends_within(SLICE, min(work, run.work + LOOK))
    return over


def _found_in(classes: Problem, options: Options, work: int) -> bool:
    """Whether an execution completes among those in which no thread waits for ever, as far as that shows."""
    if why_not(classes, "seen"):
        return False
    try:
        run = Run(classes, replace(options, partition="seen"), alone=[True] * len(classes.code.threads))
        _ends(run, work)
    except XgenError:  # they may need larger graphs
        return False
    return bool(run.core.counters["executions"])


def _endless(code: Code) -> Iterator[str]:
    """Which threads are there from the start, and have no end: a sentence for each."""
    started = {i.a for i in code.instructions if i.op is Op.START}
    for number, thread in enumerate(code.threads):
        there = code.after(thread.entry) | {thread.entry}
        if number not in started and not any(code.instructions[pc].op is Op.END for pc in there):
            yield f"{thread.name} has no end"
