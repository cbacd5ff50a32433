"""Programs of which it is found out whether they have load buffering, under models that allow it.

They are explored by revisits, which build what has no cycle in po | rf, until a write is met that a read before it
might read from (src/core/search/explore_order_impl.hpp). docs/explorer.md says why nothing is lost, and what that
takes: of the model, what memory/statics/in_order.py says; of the program, that which way a thread goes is among the
dependencies of what it writes. So nothing may be predicted, no dependency may end, and no update may write or not by
what it reads: of two that read the same, only the first one may write, and the write that shows load buffering is
never made.
"""

from __future__ import annotations

from xgen._core import Op, RmwKind
from xgen.engine.graphs.options import Options
from xgen.engine.problem import Problem
from xgen.memory.algebra import Term
from xgen.memory.ready import facts
from xgen.memory.statics.strategy import Strategy, choose_strategy
from xgen.records import replace

_CONDITIONAL = (RmwKind.CAS, RmwKind.ADD_UNLESS, RmwKind.LOCK)
"""Updates of which it depends on what they read whether they write."""


def in_order(problem: Problem, options: Options) -> Problem | None:
    """The problem of the executions without load buffering, where it is found out whether there are others."""
    asked = options.in_order and options.filter == "in-situ"
    other = options.like or options.stream or options.stale or options.liveness or options.calls or problem.classes
    if not asked or other or not problem.strategy.ahead or not facts(problem.asked).buffering:
        return None
    from xgen.memory.statics.in_order import is_shown  # long to import

    if not is_shown(problem.asked) or not _is_plain(problem):
        return None
    made = choose_strategy(problem.model, updates=True, exclusives=False, in_order=True)
    if made.at_end:
        return None
    strategy = Strategy(False, {}, problem.strategy.holds, problem.strategy.coherent)
    return replace(problem, strategy=strategy, in_order=True)


def order_of(problem: Problem) -> tuple[Term, ...]:
    """What the exploration of such a problem has to know of the model."""
    if not problem.in_order:
        return ()
    from xgen.memory.statics.in_order import order_of_threads  # long to import

    return order_of_threads(problem.model, problem.asked.name)


def _is_plain(problem: Problem) -> bool:
    """Whether the dependencies of what threads write say which way they go."""
    code = problem.code
    if code.parts is not None or any(thread.block >= 0 for thread in code.threads):
        return False
    if any("bar" in kind.tags for kind in code.classes):
        return False
    for i in code.instructions:
        if i.op in (Op.PREDICT, Op.LEAVE, Op.LOADX, Op.STOREX):
            return False
        if (i.op is Op.JZ and i.b) or (i.op is Op.ASSUME and i.c):
            return False
        if i.op is Op.RMW and code.rmws[i.c].kind in _CONDITIONAL:
            return False
    return True
