"""Whether a program is safe with other orders, or with more fences: checked, where that is soon done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from xgen.analyses.check.question import Question
from xgen.analyses.check.result import result_of
from xgen.analyses.fences.kinds import has_orders
from xgen.analyses.orders import OrderSpot, said_orders, spot_of, spot_of_event, strongest, with_orders
from xgen.clock import Clock
from xgen.engine.graphs.found import found_by
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem
from xgen.errors import LimitError
from xgen.executions.execution import Execution
from xgen.executions.missing import Trial
from xgen.executions.result import NOT_AS_REQUIRED, Result
from xgen.memory.adapt import families
from xgen.memory.algebra import Model
from xgen.memory.statics.vocabulary import known_tags
from xgen.program.automaton import Fence, Program
from xgen.records import dataclass, replace

GRAPHS, SECONDS = 20_000, 2.0
"""How far a program with the missing orders is explored to say that it is safe: a number of graphs, so that the same
question gets the same answer, and no more than this time."""


def tried(
    execution: Execution,
    program: Program,
    model: Model,
    *,
    max_depth: int | None = None,
    liveness: bool = False,
    timeout: float | None = None,
) -> Execution:
    """The execution whose first race of atomic accesses says whether the program is safe with the orders that it lacks,
    if that is soon known. Safe means: within the bound, if there is one.
    """
    lacking = [number for number, violation in enumerate(execution.violations) if violation.missing]
    if not lacking:
        return execution
    violation = execution.violations[lacking[0]]
    assert violation.missing is not None
    clock = Clock(SECONDS if timeout is None else min(SECONDS, timeout))
    trial = _Trial(program, model, Question(max_depth=max_depth, liveness=liveness), clock)
    events = {event.id: event for event in execution.events}
    orders = {spot_of_event(program, events[name]): order for name, order in violation.missing.orders}
    verdict, left = trial.of(orders)
    violations = list(execution.violations)
    violations[lacking[0]] = replace(violation, missing=replace(violation.missing, trial=verdict, left=left))
    return replace(execution, violations=tuple(violations))


@dataclass(frozen=True)
class _Trial:
    """Checks of a program with other orders."""

    program: Program
    model: Model
    question: Question
    clock: Clock

    def of(self, orders: dict[OrderSpot, str]) -> tuple[Trial | None, str | None]:
        """What checks say with these orders, and if need be with more; and what goes wrong with these."""
        found, left = self.ask(orders) if orders else (None, None)
        if orders and left is None:
            return found, None
        said = {s: each for s, each in said_orders(self.program).items() if not isinstance(each.statement, Fence)}
        first, _ = self.ask({spot: strongest(spot, each) for spot, each in said.items()})
        if first != "violation":
            return ("others" if first else found), left
        last, _ = self.ask(dict.fromkeys(said, "seq_cst"))
        told: dict[Trial | None, Trial | None] = {"violation": "seq_cst", None: found}
        return told.get(last, "acq_rel"), left

    def ask(self, orders: Mapping[OrderSpot, str]) -> tuple[Trial | None, str | None]:
        """What a check says with these orders, and what goes wrong; None: that takes too long."""
        result = _soon(with_orders(self.program, orders), self.model, self.question, self.clock)
        if result is None or result.vacuous:
            return None, None
        if result.witness is None:
            safe: dict[str, Trial] = {"safe": "safe", "safe-within-bound": "safe-within-bound"}
            return safe.get(result.verdict), None
        if not result.witness.violations:
            return "violation", NOT_AS_REQUIRED
        first = result.witness.violations[0]
        return "violation", f"{first.message} at {result.witness.where(first)}"


Mending = Literal["fences", "orders"]
"""What is known to help: fences alone, or orders with them."""


def mending(
    program: Program,
    model: Model,
    *,
    max_depth: int | None = None,
    liveness: bool = False,
    timeout: float | None = None,
    witness: Execution | None = None,
) -> Mending | None:
    """What is known to help: with all that there could be of it nothing goes wrong, within the bound if there is one.

    Orders come first where the model makes something of races, else fences. None also where that is not soon known, and
    where nothing completes. `witness`: what went wrong, with what has been `tried`.
    """
    if families(model):  # whose fences have scopes
        return None
    clock = Clock(SECONDS if timeout is None else min(SECONDS, timeout))
    ways: list[Mending] = (
        ["orders"] if any(constraint.undefined for constraint in model.constraints) else ["fences", "orders"]
    )
    for way in ways:
        if way == "fences" or has_orders(known_tags(model)):
            if way == ways[0] == "orders" and witness is not None and _orders_do(witness, program):
                return way
            from xgen.analyses.fences.fences import with_everything  # long to import

            everything = with_everything(program, model, orders=way == "orders")
            result = _soon(everything, model, Question(max_depth=max_depth, liveness=liveness), clock)
            if result is not None and result.verdict in ("safe", "safe-within-bound") and not result.vacuous:
                return way
    return None


def _orders_do(witness: Execution, program: Program) -> bool:
    """Whether the program is known to be safe with orders that its text has places for."""
    from xgen.analyses.fences.c_text import accesses_of  # long to import

    wanted = [v.missing.orders for v in witness.violations if v.missing is not None and v.missing.trial == "safe"]
    if not wanted:
        return False
    events = {event.id: event for event in witness.events}
    places = {spot_of(program, site.position).at for site in accesses_of(program)}
    return any(all(spot_of_event(program, events[name]).at in places for name, _ in orders) for orders in wanted)


def _soon(program: Program, model: Model, question: Question, clock: Clock) -> Result | None:
    """What a check says, if that is soon known."""
    asked = problem(program, model, private=question.private, parts=True)
    run = Run(asked, replace(question.options(clock.left()), graphs=GRAPHS))
    try:
        run.finish()
    except LimitError:
        return None
    if run.gave_up or run.stopped is not None:
        return None
    return result_of(asked, run.options, found_by(run), run.seconds)
