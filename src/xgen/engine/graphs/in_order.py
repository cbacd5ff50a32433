"""Programs of which it is found out whether they have load buffering, under models that allow it.

They are explored by revisits, which build what has no cycle in po | rf, until a write is met that a read before it
might read from (src/core/search/explore_order_impl.hpp). docs/explorer.md says why nothing is lost, and what that
takes: of the model, what memory/statics/in_order.py says; of the program, that which way a thread goes is among the
dependencies of what it writes. So nothing may be predicted, no dependency may end; and where it depends on a value
whether an update writes, that comes before all that follows: the thread asks at once, or the read acquires. (Who reads
it may find that another update has been faster; so the core asks for what would be if it had not.)
"""

from __future__ import annotations

from xgen._core import OPERATIONS, Op, OpKind, RmwKind
from xgen.engine.graphs.options import Options
from xgen.engine.problem import Problem
from xgen.lowering.code import Code, Rmw
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
    for pc, i in enumerate(code.instructions):
        if i.op in (Op.PREDICT, Op.LEAVE, Op.LOADX, Op.STOREX, Op.GATHER):
            return False
        if (i.op is Op.JZ and i.b) or (i.op is Op.ASSUME and i.c):
            return False
        if i.op is Op.RMW and code.rmws[i.c].kind in _CONDITIONAL and not _is_decided(problem, pc, code.rmws[i.c]):
            return False
    return True


def _is_decided(problem: Problem, pc: int, rmw: Rmw) -> bool:
    """Whether what makes an update write comes before all that follows it in its thread."""
    from xgen.memory.statics.in_order import is_full, orders_all_after  # long to import

    code = problem.code
    if rmw.picks:  # what it compares may come after all that follows
        return False
    kinds = {code.classes[rmw.read_class], code.classes[rmw.failed_class]}
    if rmw.expected < 0 and all(orders_all_after(problem.model, problem.asked.name, kind) for kind in kinds):
        return True
    full = frozenset(n for n, c in enumerate(code.classes) if is_full(problem.model, problem.asked.name, c))
    return _is_asked(code, pc, rmw, full)


def _is_asked(code: Code, pc: int, rmw: Rmw, full: frozenset[int]) -> bool:
    """Whether each way from an update leads through a branch by what it has read and compared, or where that is a
    constant a `full` fence, before any other event."""
    dst = code.instructions[pc].dst
    read, compared = frozenset({dst} if dst >= 0 else ()), frozenset({rmw.expected} if rmw.expected >= 0 else ())
    seen = set()
    left = [(pc + 1, read, compared)]
    while left:
        state = left.pop()
        if state in seen:
            continue
        seen.add(state)
        at, read, compared = state
        i = code.instructions[at]
        operands, writes, kind = OPERATIONS[i.op]
        if i.op in (Op.JZ, Op.ASSUME) and i.a in read and (rmw.expected < 0 or i.a in compared):
            continue
        if i.op is Op.FENCE and i.c in full and rmw.expected < 0:
            continue
        if kind is OpKind.EVENT or i.op is Op.HAVOC:
            return False
        if kind is OpKind.END:
            continue
        if writes:
            used = {getattr(i, name) for name in operands}
            read = read | {i.dst} if used & read else read - {i.dst}
            compared = compared | {i.dst} if used & compared else compared - {i.dst}
        if i.op is Op.CHOOSE:
            left += [(target, read, compared) for target in code.targets[i.c]]
            continue
        if kind is OpKind.JUMP or i.op is Op.JZ:
            left.append((i.c, read, compared))
        if kind is not OpKind.JUMP:
            left.append((at + 1, read, compared))
    return True
