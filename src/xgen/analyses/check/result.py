"""What is said of an exploration: its result, with what is not in the numbers."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, Literal

from xgen.analyses.check.coverage import not_come_to
from xgen.analyses.check.strategies import Exploration
from xgen.analyses.thin_air import may_justify_itself
from xgen.analyses.warnings import notes
from xgen.engine.graphs.diagnosis import blocked, can_end, ended, noted
from xgen.engine.graphs.found import Found
from xgen.engine.graphs.native import leaves_out_tries
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.orders import untranslated
from xgen.engine.problem import Problem
from xgen.errors import listed
from xgen.executions.result import NOT_AS_REQUIRED, Result, Verdict
from xgen.lowering.analysis.undone import backs_off, tries_of
from xgen.memory.ready import facts
from xgen.records import replace
from xgen.resources import short

PATIENCE = 1.0
"""Seconds in which an execution is looked for again that shows where threads are blocked."""


def result_of(problem: Problem, options: Options, found: Found, seconds: float) -> Result:
    """The result of an exploration of everything and what it has found."""
    found, ends = _with_ends(problem, options, found)
    verdict: Verdict = "vacuous" if found.vacuous else "safe-within-bound" if found.cut else "safe"
    if found.stopped:
        verdict = "interrupted"
    if found.witness is not None:
        verdict = "violation"
    left_out = places_left_out(problem) if options.liveness and verdict in ("safe", "safe-within-bound") else ()
    if left_out:
        verdict = "safe-within-bound"
    counters: Mapping[str, Any] = found.counters
    return Result(
        program=Path(problem.code.source.name).name,
        model=problem.asked.name,
        verdict=verdict,
        demoted=problem.demoted(options.filter),
        **counters,
        outcomes=found.outcomes,
        outcomes_complete=found.outcomes_complete,
        witness=found.witness,
        traces=found.traces,
        max_depth=options.max_depth,
        all_states=options.all_states,
        filter=options.filter,
        seconds=seconds,
        peak_kib=peak_kib(),
        stopped=found.stopped,
        flags=found.flags,
        cut=found.cut,
        liveness=options.liveness,
        waits=found.waits,
        left_out=left_out,
        partition=options.partition if problem.classes else "off",
        counted=found.counted and not (problem.classes and options.partition != "rf"),
        headers=problem.program.headers,
        ignored=problem.program.ignored,
        constants=problem.program.constants,
        load_buffering=found.load_buffering,
        thin_air=found.witness is None and found.load_buffering != "absent" and may_justify_itself(problem),
        map=untranslated(problem.program),
        warnings=(
            *_warnings(problem, found),
            *_uncertified(problem, options),
            *found.cuts,
            *_blocked(problem, options, found),
            *_unreached(problem, options, found),
            *_noted(problem, found),
            *ends,
        ),
    )


def _with_ends(problem: Problem, options: Options, found: Found) -> tuple[Found, list[str]]:
    """What was found, if no execution completes, but a thread ends the program in one: that is no blocked one. What is
    said of it."""
    if found.stopped or found.witness or found.cut or not found.vacuous or not can_end(problem.code):
        return found, []
    own = replace(options, partition="rf", workers=1, timeout=PATIENCE, trace_limit=1, stream=True)
    where = ended(Run(problem, own))
    if where is None:
        return found, []
    return replace(found, completes=True), [f"note: the program ends before main does, in {where}"]


def of_parts(explored: Exploration, result: Result) -> tuple[str, ...]:
    """What parts of the program that were explored one by one do not come to, beside what is said of the whole."""
    told: dict[str, None] = {}
    whole = explored.found
    for part, found in explored.parts:
        own = replace(found, witness=whole.witness, stopped=whole.stopped, cut=whole.cut)
        told |= dict.fromkeys((*_unreached(part, explored.options, own), *_noted(part, own)))
    return tuple(note for note in told if note not in (*explored.warnings, *result.warnings))


def _blocked(problem: Problem, options: Options, found: Found) -> Iterator[str]:
    """Where threads are blocked if no execution completes; where they wait for ever, the verdict says so."""
    counters = found.counters
    if found.stopped or found.witness or not found.vacuous:
        return
    if found.cut:
        yield from unseen(problem, options)
    if found.cut or (counters["stuck"] == counters["blocked"] and found.completes is None):
        return
    own = replace(options, partition="rf", workers=1, timeout=PATIENCE, trace_limit=1, stream=True)
    yield from blocked(Run(problem, own))


def unseen(problem: Problem, options: Options) -> Iterator[str]:
    """What a bound hides within which no execution completes, and what does without one."""
    from xgen.engine.symbolic import can_be_proved  # long to import

    more = "; `xgen prove` needs no bound" if options.max_depth is not None and can_be_proved(problem) else ""
    yield f"no execution completes within the bound: what can go wrong later is not seen{more}"


def _unreached(problem: Problem, options: Options, found: Found) -> Iterator[str]:
    """What no execution comes to, if all were explored; what threads see does not tell that."""
    if found.stopped or (found.witness is not None and not options.all_states):
        return
    if problem.classes and options.partition == "seen":
        return
    left = list(not_come_to(problem, found, ()))
    if left and options.like is not None:
        left = list(not_come_to(problem, found, options.like.groups))
    elif left and problem.classes and options.symmetry and problem.requirement is None:
        from xgen.engine.graphs.symmetry import symmetries_of  # long to import

        left = list(not_come_to(problem, found, symmetries_of(problem, options.max_depth).groups))
    yield from left


def _noted(problem: Problem, found: Found) -> Iterator[str]:
    """That the program ends with an error, where that is no violation."""
    places = [f"line {p.line} (`{' '.join(text.split())}`)" for p, text in noted(problem.code, found.reached).items()]
    if places:
        yield (
            f"note: the program ends with an error at {listed(places, 'or')}, which is no violation here: "
            "`--check exit` makes it one"
        )


def nothing_found(
    program: str,
    model: str,
    max_depth: int | None,
    seconds: float,
    stopped: Literal["timeout", "interrupt"],
    constants: Sequence[str] = (),
    lines: range | None = None,
    project: str | None = None,
    others: Sequence[str] = (),
) -> Result:
    """The result of a check of a file that was stopped before there was anything to explore. `constants`: which of its
    were given other values; `lines`: where in the file it is; `project`: of cargo, that the file is of; `others`:
    further files of the program."""
    from xgen.frontends.constants import hint_for_file, settings_of  # rarely needed

    what = "the time was over" if stopped == "timeout" else "it was interrupted"
    why = f"{what} before the program and the model were read and prepared"
    hints = [hint_for_file(program, lines, project), *map(hint_for_file, others)] if stopped == "timeout" else []
    smaller = next(filter(None, hints), None)
    return Result(
        program=PurePath(program).name,
        model=model,
        verdict="interrupted",
        outcomes_complete=False,
        max_depth=max_depth,
        seconds=seconds,
        peak_kib=peak_kib(),
        stopped=stopped,
        constants=tuple((each.shown, each.value) for each in settings_of(constants, program)),
        warnings=(why, *(() if smaller is None else (f"note: {smaller}",))),
    )


def peak_kib() -> int:
    """The most memory that the process has used."""
    if sys.platform == "win32":
        import psutil

        return int(psutil.Process().memory_info().peak_wset) // 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak


def _uncertified(problem: Problem, options: Options) -> Iterator[str]:
    """Why what was found out about waiting may not be exact: see docs/liveness.md."""
    if not options.liveness:
        return
    name = problem.asked.name
    if facts(problem.model).buffering:
        yield f"what waits for ever is not certified: the model {name} allows load buffering"
    elif not facts(problem.model).lasting:
        from xgen.engine.graphs.fair_extension import ROUNDS  # long to import

        more = f"the model {name} allows {ROUNDS} more rounds, and may forbid later ones"
        yield f"what waits for ever is not certified: {more}"


def places_left_out(problem: Problem) -> tuple[str, ...]:
    """Where threads find a mutex held, give back what they hold and try again, in rounds that are left out."""
    code = problem.code
    if code.only_locks or not leaves_out_tries(problem):
        return ()
    sites = [code.sites[pc] for pc in tries_of(code) if not backs_off(code, pc)]
    places = [(short((site.position.source or code.source).name), site.position.line) for site in sites]
    return tuple(f"{name}:{line}" for name, line in sorted(set(places)))


def _warnings(problem: Problem, found: Found) -> Iterator[str]:
    """What is not in the numbers."""
    if problem.requirement is not None and found.witness is not None and not found.witness.violations:
        yield f"{NOT_AS_REQUIRED}: {problem.requirement.text}"
    yield from notes(problem)
