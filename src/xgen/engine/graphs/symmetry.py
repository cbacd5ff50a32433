"""Which threads of a problem do the same."""

from __future__ import annotations

from collections.abc import Callable, Collection

from xgen._core import Op
from xgen.engine.problem import Problem
from xgen.lowering.analysis.carried import Like, like_but_for_values
from xgen.lowering.analysis.symmetry import Symmetries, symmetries
from xgen.memory.statics.redundant_fences import leaves_out_twins


def symmetries_of(problem: Problem, depth: int | None = None) -> Symmetries:
    """The renamings that leave a problem as it is, with a bound on the events of each thread.

    Threads that are started one right after the other are alike only where the model's form shows that one start orders
    as much as several do; likewise joins.
    """
    code = problem.code
    apart = symmetries(code, problem.observed, (), depth)
    forks = {i.op for i in code.instructions} & {Op.START, Op.JOIN}
    if not forks or len(symmetries(code, problem.observed, forks, depth).renamings) == len(apart.renamings):
        return apart
    together = {op for op in forks if _makes_no_difference(problem, op)}
    return symmetries(code, problem.observed, together, depth)


def like_threads_of(
    problem: Problem, trusted: Callable[[int], bool], results: Collection[int], renamed: Collection[int]
) -> Like:
    """Threads that do the same but for values that they carry. `trusted`: instructions that are known to tell no such
    values apart. `results`: the cells in which values are told, which are `renamed` with the threads."""
    forks = {i.op for i in problem.code.instructions} & {Op.START, Op.JOIN}
    together = {op for op in forks if _makes_no_difference(problem, op)}
    return like_but_for_values(problem.code, together, trusted, results, renamed)


def _makes_no_difference(problem: Problem, op: Op) -> bool:
    """Whether several such events in a row order no more than one of them."""
    code = problem.code
    tags = {code.classes[i.c].tags for i in code.instructions if i.op is op}
    return all(leaves_out_twins(problem.model, one) for one in tags)
