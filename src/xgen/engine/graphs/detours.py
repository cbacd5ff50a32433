"""Of which cells reads need not be explored by which a thread waits for ever though what they read is overwritten."""

from __future__ import annotations

from xgen._core import Op, RmwKind
from xgen.engine.graphs.options import Options
from xgen.engine.problem import Problem
from xgen.lowering.analysis.value_sets import accessed_cells
from xgen.lowering.code import INITIAL_WRITE, Code, Instruction


def detours(problem: Problem, options: Options) -> list[bool]:
    """By cell: whether no flag of the model may tell of what accesses it; none, where nothing is to be left out.

    What is left out shows itself in flags only, if the model is extensible (src/core/search/explore_waiting_impl.hpp).
    """
    code = problem.code
    everything = options.stale or options.unroll or options.like or problem.at_end(options.filter)
    if everything or not (any(problem.live) or any(rmw.kind is RmwKind.LOCK for rmw in code.rmws)):
        return []
    if problem.strategy.ahead and (problem.classes or not _goes_on(problem)):
        return []
    if not any(constraint.flag for constraint in problem.model.constraints):
        return [True] * len(code.cells)
    from xgen.memory.statics.flagged import may_be_flagged  # long to import

    kinds = [(classes, cell.object is not None) for classes, cell in zip(_classes(code), code.cells, strict=True)]
    safe = {}
    for numbers, allocated in set(kinds):
        classes = frozenset(code.classes[number] for number in numbers)
        safe[numbers, allocated] = not may_be_flagged(problem.model, classes, allocated)
    return [safe[kind] for kind in kinds]


def _goes_on(problem: Problem) -> bool:
    """Whether it is seen that the model lets threads that run ahead go on: by what reads last writes, and by updates
    that follow those at once, so that nothing is between their read and their write."""
    from xgen.memory.statics.polarity import extensible  # long to import
    from xgen.memory.statics.strategy import forbids_intervening

    conditions = [constraint.condition for constraint in problem.model.constraints if not constraint.flag]
    return all(extensible(condition) or forbids_intervening(condition) for condition in conditions)


def _classes(code: Code) -> list[frozenset[int]]:
    """Of each cell, the classes of the events that it may have, by their numbers."""
    anywhere = {code.classes.index(INITIAL_WRITE)}
    found: list[set[int]] = [set() for _ in code.cells]
    for i, cells in zip(code.instructions, accessed_cells(code), strict=True):
        if cells is None:
            anywhere.update(_classes_of(code, i))
        for cell in cells or ():
            found[cell].update(_classes_of(code, i))
    return [frozenset(own | anywhere) for own in found]


def _classes_of(code: Code, i: Instruction) -> tuple[int, ...]:
    if i.op is not Op.RMW:
        return (i.c,)
    rmw = code.rmws[i.c]
    return rmw.read_class, rmw.failed_class, rmw.write_class
