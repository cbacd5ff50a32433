"""Explorations after the first one: with a larger bound on rounds where it left nothing, and for a smaller witness."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xgen.analyses.check.strategies import Exploration
from xgen.engine.graphs.run import AbsentCell, Run
from xgen.errors import XgenError
from xgen.executions.execution import INITIAL, Execution
from xgen.program import automaton as xcfa
from xgen.program.rewrite import parts, with_edges
from xgen.records import replace
from xgen.sources import COMPILED

LONG = 48
"""Events of an execution that a smaller one is looked for in the place of."""
WORK = 5 * 10**7
"""How much of `Run.work` this may take with each bound: not the time, so that the answer is the same everywhere."""
MOST_ROUNDS = 64
"""How far the bound on rounds is raised."""
_OWN_BOUND = re.compile(r"\bbound\s*\(")
"""A statement of an automaton's text, which means what it says."""
PATIENCE, LONGER = 1.0, 4
"""Seconds for an exploration with a larger bound, and how many times as long as the one before it may take besides:
who gave the bound did not ask for more."""


def with_small_witness(explored: Exploration) -> Exploration:
    """The same, with a witness of few events for the same violation, if one is soon found.

    The first execution that goes wrong may be one in which a thread went round a loop for long before. With a small
    bound on the events of each thread there are only short ones. What is found so is an execution of the program,
    as a bound takes executions away and adds none; all else that is said is of the first exploration.
    """
    first = explored.found.witness
    if first is None or explored.options.max_depth is not None or _length(first) <= LONG:
        return explored
    found = _smallest(explored, first)
    return explored if found is None else replace(explored, found=replace(explored.found, witness=found))


def _smallest(explored: Exploration, first: Execution) -> Execution | None:
    """A witness with the least bound that has one, of those that are looked at: 4, 8, 16, ..., and less than it."""
    longest, depth, best = 1 + max(event.index for event in first.events), 4, None
    while depth < longest and best is None:
        best, depth = _within(explored, first, depth), depth * 2
    depth = depth // 2 - 1
    while best is not None and (less := _within(explored, first, depth)) is not None:
        best, depth = min(best, less, key=_length), depth - 1
    return best if best is not None and _length(best) < _length(first) else None


def _length(execution: Execution) -> int:
    """How many events the threads of an execution have: which cells are there from the start makes no difference."""
    return sum(event.thread != INITIAL for event in execution.events)


def _within(explored: Exploration, first: Execution, depth: int) -> Execution | None:
    """The same violation in an execution with at most so many events of each thread."""
    options = replace(explored.options, max_depth=depth, all_states=False, workers=1, trace_limit=0, timeout=None)
    try:
        run = Run(explored.problem, options)
        while run.work < WORK and run.advance(work=WORK):
            pass
        found = run.witness()
    except (XgenError, AbsentCell):
        return None
    if found is None or not found.violations or not first.violations:
        return None
    (one, *_), (other, *_) = found.violations, first.violations
    return found if (one.kind, one.position) == (other.kind, other.position) else None


def raised(program: xcfa.Program) -> Iterator[tuple[int, int, xcfa.Program]]:
    """The bound on the rounds of loops that a program has (`--unroll`), and a larger one each time, with the program
    that has this one instead; nothing where it has none, or where its text has bounds of its own."""
    compiled = program.source.name.endswith(COMPILED)
    if not compiled and _OWN_BOUND.search(program.source.text):
        return
    bounds = [part.limit for part in parts(program, (xcfa.Bound,)) if isinstance(part, xcfa.Bound)]
    if not bounds:
        return
    # Automata count the ways back, C and what is compiled the ways into a round.
    more = 0 if compiled else 1
    given = rounds = max(bounds) + more
    while 0 < rounds < MOST_ROUNDS:
        rounds *= 2
        yield given, rounds, _with_rounds(program, rounds - more)


def _with_rounds(program: xcfa.Program, limit: int) -> xcfa.Program:
    def bounded(statement: xcfa.Statement) -> xcfa.Statement:
        return replace(statement, limit=limit) if isinstance(statement, xcfa.Bound) else statement

    return with_edges(
        program,
        lambda edges: tuple(replace(edge, statements=tuple(map(bounded, edge.statements))) for edge in edges),
    )
