"""Does the test notice? Each order of a safe program weakened alone, each fence taken out alone, and checked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from xgen._core import Halt
from xgen.analyses.check.case import Case
from xgen.analyses.check.portfolio import but_for_names
from xgen.analyses.kernel_orders import NONE, kernel_orders, with_weaker
from xgen.analyses.orders import OrderSpot, Said, is_fence, said_orders, with_orders
from xgen.engine.graphs.found import found_by
from xgen.engine.graphs.run import Run
from xgen.engine.orders import AS_IT_IS
from xgen.errors import LimitError, Position, UsageError
from xgen.executions.weakened import Noticed, Weakened
from xgen.program.automaton import Program
from xgen.records import replace
from xgen.tags import KERNEL, NO_MAP

GRAPHS, TIMES = 200_000, 20
"""A program with a weaker order may have no end: it is explored as far as so many graphs, or so many times as many as
the program itself has."""
FAILING = {"relaxed": "relaxed", "release": "relaxed", "acquire": "acquire", "acq_rel": "acquire", "seq_cst": "seq_cst"}
"""By the order of a compare-exchange: the strongest that it may have where it does not write (C11, 7.17.7.4)."""
STRENGTH = ("relaxed", "consume", "acquire", "seq_cst")


def see_orders(program: Program) -> None:
    """Raises UsageError for C that is compiled for a machine: its orders are not those of the text."""
    again = program.target == KERNEL and program.again is not None
    if program.target not in (None, AS_IT_IS, NO_MAP) and not again:
        what = f"orders are weakened in the text as it is, not in what it is compiled to for {program.target}"
        hint = "without --map and --on, C has orders of its own: --mcm rc11"
        raise UsageError(what, file=program.source.name, hint=hint)


class Change(NamedTuple):
    """An order that becomes another one: where, of what kind, and what makes the program with it."""

    position: Position
    was: str
    to: str
    program: Callable[[], Program]
    failing: bool = False


def weaken(case: Case, explored: int, names: bool = False, flags: Collection[str] = ()) -> tuple[Weakened, ...]:
    """Every order that can be weaker, in the order of the text; without answers once the time is over, or on Ctrl-C.

    `explored`: the graphs of the program itself; `names`: those up to the names of symmetric threads; `flags`: those
    that its executions raise.
    """
    source = case.program.source
    plain = replace(case.question, all_states=False, trace_limit=0, coverage=False, classes="off", workers=1)
    graphs = max(GRAPHS, TIMES * explored)
    asked, found = True, []
    for change in (_of_kernel if case.program.target == KERNEL else _of_c)(case.program):
        verdict: Noticed = "no-answer"
        if asked:
            other = replace(case, program=change.program(), question=plain)
            verdict, asked = _noticed(other, graphs, names, flags)
        at = change.position.spot(source)
        text = (change.position.source or source).line(at.line).strip()
        found.append(Weakened(at.file, at.line, at.column, text, change.was, change.to, verdict, change.failing))
    return tuple(found)


def _of_c(program: Program) -> Iterator[Change]:
    said = said_orders(program)
    for spot, was in said.items():
        for to, changes in _weaker(spot, was, said):
            made = partial(with_orders, program, changes)
            yield Change(was.statement.position, was.order, to, made, spot.failing)


def _of_kernel(program: Program) -> Iterator[Change]:
    for order, position in kernel_orders(program).items():
        for to in order.weaker():
            yield Change(position, order.was, to, partial(with_weaker, program, order, to))


def _weaker(
    spot: OrderSpot, said: Said, all_: Mapping[OrderSpot, Said]
) -> Iterator[tuple[str, dict[OrderSpot, str | None]]]:
    """What an order becomes, with all that changes: that of a compare-exchange which does not write is no stronger."""
    if is_fence(said.statement):
        yield NONE, {spot: None}
        return
    for to in _orders_below(said):
        changes: dict[OrderSpot, str | None] = {spot: to}
        fails = spot._replace(failing=True)
        if not spot.failing and fails in all_:
            own, most = all_[fails].order, FAILING[to]
            if own in STRENGTH and STRENGTH.index(own) > STRENGTH.index(most):
                changes[fails] = most
        yield to, changes


def _orders_below(said: Said) -> tuple[str, ...]:
    if said.order == "acq_rel":
        return ("acquire", "release")
    return () if said.order == "relaxed" else ("relaxed",)


def _noticed(case: Case, graphs: int, names: bool, flags: Collection[str]) -> tuple[Noticed, bool]:
    """Whether a program goes wrong within so many graphs; and whether there is time for more of them. `flags`: those
    that tell nothing."""
    asked, options = case.whole, replace(case.options(), graphs=graphs)
    run = (but_for_names(asked, options, case.clock) if names else None) or Run(asked, options)
    try:
        run.finish()
        if run.halt == Halt.UNLIKE:
            run = Run(asked, replace(options, timeout=case.clock.left()))
            run.finish()
    except LimitError:
        return "no-answer", True
    if run.core.witness is not None:
        return "noticed", True
    if run.stopped is not None:
        return "no-answer", False
    found = found_by(run)
    if run.gave_up or found.vacuous:
        return "no-answer", True
    return "race" if found.flags.keys() - set(flags) else "not-noticed", True
