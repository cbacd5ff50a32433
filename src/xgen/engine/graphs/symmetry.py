"""Which threads of a problem do the same."""

from __future__ import annotations

from collections.abc import Callable, Collection

from xgen._core import Op
from xgen.engine.problem import Problem
from xgen.lowering.analysis.symmetry import Like, Symmetries, exchangeable, symmetries
from xgen.lowering.code import Code
from xgen.memory.statics.redundant_fences import leaves_out_twins


def symmetries_of(problem: Problem, depth: int | None = None) -> Symmetries:
    """The renamings that leave a problem as it is, with a bound on the events of each thread.

    Threads that are started one right after the other are alike only where the model's form shows that one start orders
    as much as several do; likewise joins.
    """
    code = problem.code
    apart = symmetries(code, problem.observed, (), depth)
    forks = _forks(code)
    if not forks or len(symmetries(code, problem.observed, forks, depth).renamings) == len(apart.renamings):
        return apart
    return symmetries(code, problem.observed, _together(problem), depth)


def like_threads_of(
    problem: Problem, trusted: Callable[[int], bool], results: Collection[int], renamed: Collection[int]
) -> Like:
    """Threads that do the same but for values that they carry. `trusted`: instructions that are known to tell no such
    values apart. `results`: the cells in which values are told, which are `renamed` with the threads."""
    from xgen.lowering.analysis.carried import like_but_for_values  # long to import

    return like_but_for_values(problem.code, _together(problem), trusted, results, renamed)


def exchangeable_threads_of(problem: Problem, depth: int | None) -> Like | None:
    """Threads that may be exchanged in all ways without a difference in anything that executions are asked for, where
    executions that differ by their names can be left out (src/core/search/like.hpp); None: there are none.

    There are none where threads run ahead of their reads, or predict something, and where final states are required, or
    leaks are looked for.
    """
    predicts = any(i.op is Op.PREDICT for i in problem.code.instructions)
    ends = problem.requirement is not None or problem.program.leaks is not None
    if problem.strategy.ahead or problem.classes or ends or predicts:
        return None
    return exchangeable(problem.code, problem.observed, _together(problem), depth) or None


def _forks(code: Code) -> set[Op]:
    return {i.op for i in code.instructions} & {Op.START, Op.JOIN}


def _together(problem: Problem) -> set[Op]:
    """Of starts and joins, those of which several order no more than one."""
    return {op for op in _forks(problem.code) if _makes_no_difference(problem, op)}


def _makes_no_difference(problem: Problem, op: Op) -> bool:
    """Whether several such events in a row order no more than one of them."""
    code = problem.code
    tags = {code.classes[i.c].tags for i in code.instructions if i.op is op}
    return all(leaves_out_twins(problem.model, one) for one in tags)
