"""What the core is given: a program's code, and how to explore it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from xgen import _core
from xgen.engine.graphs.detours import detours
from xgen.engine.graphs.options import Options
from xgen.engine.leaks import look_for_leaks
from xgen.engine.problem import Problem
from xgen.lowering.analysis.value_sets import Written
from xgen.lowering.code import Code, Rmw, objects
from xgen.memory.ready import facts

OUTCOME_LIMIT = 1_000_000
"""Different outcomes that are kept; a run that meets more of them says that its list is not complete."""

if TYPE_CHECKING:
    from xgen.lowering.analysis.symmetry import Symmetries

DUPLICATE_LIMIT = 1 << 10
"""Executions that are compared with each other, as a check of the engine on itself."""

RUNS_ON = "a loop without any shared access runs on and on (10,000,000 steps)"
MIXED = "this accesses a part of a number, or a number as one of another size or sign"
UNFOLLOWED = "this accesses a part of a number, a number as one of another size or sign, or by a pointer not followed"
"""What is said of programs that the machine cannot run."""

_PARTITIONS = {"rf": _core.Partition.RF, "values": _core.Partition.VALUES, "seen": _core.Partition.SEEN}


_OF_RMW = [field.name for field in fields(Rmw)]
"""What the core has of an update, in the order in which it has it."""


def native(code: Code, live: list[list[int]], written: Sequence[Written] = ()) -> _core.Code:
    """The code as the core takes it.

    `live`: the registers that matter at events in loops; `written`: what `written_values` says, for the exploration of
    threads that run ahead.
    """
    led_to = [n for n, cell in enumerate(code.cells) if cell.type == "int" and not cell.part]
    places = [(code.cells[n].address, code.cells[n].width, n) for n in led_to]
    places += [(address, width, ~n) for n, (address, width) in enumerate(code.absent)]
    places += [(address, count, _core.NO_CELL) for address, count in code.gaps]
    key = (native,)
    if key not in code.kept:
        code.kept[key] = [(i.op, i.part, i.dst, i.a, i.b, i.c) for i in code.instructions]
    return _core.Code(
        code.kept[key],
        code.constants,
        code.targets,
        [tuple(getattr(rmw, name) for name in _OF_RMW) for rmw in code.rmws],
        [(t.entry, len(t.locals), t.temporaries, t.initial, t.reservation, t.block) for t in code.threads],
        code.initial,
        sorted(places),
        [cell.undefined for cell in code.cells],
        objects(code),
        live,
        list(written),
        code.groups,
    )


def leaves_out_tries(problem: Problem) -> bool:
    """Whether nobody sees that a mutex has been held in a round that undoes what it has done. Where dependencies
    decide, that is not known of what such a round has written."""
    known = facts(problem.model)
    if problem.strategy.ahead or known.dependencies or known.buffering:
        return False
    from xgen.lowering.analysis.undone import tries_are_undone  # long to import, and rarely asked

    return tries_are_undone(problem.code)


def settings(
    problem: Problem, options: Options, depth: int | None, like: Symmetries | None, alone: list[bool]
) -> _core.Settings:
    """How the core explores with a bound on events per thread.

    `like`: the renamings that leave the program as it is, where classes that differ by them are visited once; `alone`:
    what `who_waits_alone` says, of classes that are what threads see.
    """
    code, given = problem.code, _core.Settings()
    given.max_depth = -1 if depth is None else depth
    given.all_states = options.all_states
    given.waiting = not options.unroll
    given.locking = code.only_locks or leaves_out_tries(problem)
    given.silent = problem.silent
    given.liveness = options.liveness
    given.trace_limit = options.trace_limit
    given.stream = options.stream
    given.outcome_limit = OUTCOME_LIMIT
    if options.graphs is not None:
        given.graph_pause = options.graphs
    given.duplicate_limit = DUPLICATE_LIMIT
    given.shown = [thread.shown for thread in code.threads]
    given.shown_cells = problem.observed
    if like is not None and like.generators:
        given.renamings = [[*threads, *cells] for threads, cells in like.renamings]
        given.generators = like.generators
    if options.like:
        given.like, given.moved = options.like.groups, options.like.moved
        given.names_counted = options.like.counted
    given.detours = detours(problem, options)
    if problem.classes:
        given.partition = _PARTITIONS[options.partition]
    if problem.classes and options.partition != "rf":
        given.matters, given.alone = problem.matters(options.all_states), alone
    given.undefined = [n for n, c in enumerate(problem.model.constraints) if c.undefined and options.undefined]
    given.demanded = problem.demanded
    if (calls := options.calls) is not None:
        given.call_ends, given.call_leads, given.call_total = calls.ends, calls.leads, calls.total
    if calls is not None and calls.releases:
        given.releases = [not calls.releases.isdisjoint(kind.tags) for kind in code.classes]
        given.acquires = [not calls.acquires.isdisjoint(kind.tags) for kind in code.classes]
    if not facts(problem.model).lasting:
        from xgen.engine.graphs.fair_extension import lasting  # long to import

        given.lasting = lasting(problem)
    if problem.program.leaks is not None:
        look_for_leaks(given, problem, problem.program.leaks)
    given.judge = None if problem.requirement is None else problem.judge
    given.filtered = problem.requirement is not None and problem.requirement.filters
    return given


def who_waits_alone(problem: Problem, options: Options) -> list[bool]:
    """For each thread: whether it makes no difference to what is asked if it is blocked for ever.

    It does where another one can go wrong meanwhile, where that is a deadlock, where a bound cuts what others do, and
    where executions that are not complete raise flags.
    """
    from xgen.lowering.analysis.cones import has_mutexes  # long to import

    cuts = {_core.Op.CUT, _core.Op.BOUND}
    bounded = options.max_depth is not None or any(i.op in cuts for i in problem.code.instructions)
    flags = any(constraint.flag for constraint in problem.model.constraints)
    wrong = problem.failing
    if bounded or flags or has_mutexes(problem.code):
        return [False] * len(wrong)
    return [sum(map(bool, wrong)) == bool(own) for own in wrong]
