"""What leaves a program without a meaning, where a model says so: pairs of events that nothing orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xgen.engine.sat.gates import Literal
from xgen.engine.sat.graph import MANY, Graph, Reason
from xgen.engine.sat.possible import Possible
from xgen.errors import UnsupportedError
from xgen.memory.adapt import LIFETIMES
from xgen.memory.algebra import Check, Constraint, Kind, Model, Op, Term
from xgen.memory.evaluate import Rows, members
from xgen.records import dataclass

USE_AFTER_FREE, _, RACE_WITH_FREE, _ = LIFETIMES


@dataclass(frozen=True)
class Races:
    """The pairs that may be a race by a flag of the model: in `conflict`, and not in `ordered`.

    `pairs`: of each that there may be, a literal: it is one, and both are there. The solver may say so of any: whether
    it is true is for `refuted`. `one_way`: what counts is whether the first of a pair is related to the second one;
    else it is a pair whichever is the first, and so is one in `ordered`.
    """

    conflict: Term
    ordered: Term
    pairs: dict[tuple[int, int], Literal]
    one_way: bool = False

    def refuted(self, graph: Graph) -> tuple[bool, list[Reason]]:
        """Whether a pair of which the solver says so is a race in an execution; and why others are none."""
        reasons: list[Reason] = []
        real = False
        conflict, ordered = graph.rows(self.conflict), graph.rows(self.ordered)
        for (a, b), literal in self.pairs.items():
            if graph.holds(literal):
                reason = self._why_none(graph, a, b, literal, conflict)
                real |= reason is None
                reasons += [] if reason is None else [reason]
        if reasons:  # and why some others are none
            for (a, b), literal in self.pairs.items():
                if len(reasons) >= MANY:
                    break
                apart = not any(ordered[x] >> y & 1 for x, y in self._ways(a, b))
                if graph.holds(literal) or apart or not (graph.is_there(a) and graph.is_there(b)):
                    continue
                reason = self._why_none(graph, a, b, literal, conflict)
                reasons += [] if reason is None else [reason]
        return real, reasons

    def _why_none(self, graph: Graph, a: int, b: int, literal: Literal, conflict: Rows) -> Reason | None:
        ordered = graph.rows(self.ordered)
        for x, y in self._ways(a, b):
            if ordered[x] >> y & 1:
                reason = {literal}
                graph.why(self.ordered, x, y, reason)
                return reason
        if any(conflict[x] >> y & 1 for x, y in self._ways(a, b)):
            return None
        reason = {literal}
        for x, y in self._ways(a, b):
            graph.why_not(self.conflict, x, y, reason)
        return reason

    def _ways(self, a: int, b: int) -> Iterable[tuple[int, int]]:
        return ((a, b),) if self.one_way else ((a, b), (b, a))


def races_of(possible: Possible, model: Model) -> list[Races]:
    """Those of a model's flags that leave programs without a meaning. Raises UnsupportedError for others."""
    flags = [constraint for constraint in model.constraints if constraint.undefined]
    objects = [_of_objects(possible, each) for each in flags if each.name in LIFETIMES]
    races = [_races(possible, model, each) for each in flags if each.name not in LIFETIMES]
    return [*races, *(each for each in objects if each is not None)]


def _of_objects(possible: Possible, constraint: Constraint) -> Races | None:
    """What goes wrong with allocated objects, as memory/adapt.py says it. A use after a free is a use that is not
    before the free, as one that has nothing to do with it is; so there is one flag for both here (see refusals.py)."""
    condition = constraint.condition
    assert isinstance(condition, Check)
    if constraint.name == USE_AFTER_FREE:
        return None
    conflict, ordered = condition.term.args
    if constraint.name == RACE_WITH_FREE:
        ordered = ordered.args[1]
    most = possible.most(conflict)
    assert most is not None
    assert not isinstance(most, int)
    return Races(conflict, ordered, dict(_pairs(possible, most, conflict, ordered, True)), one_way=True)


def _races(possible: Possible, model: Model, constraint: Constraint) -> Races:
    condition = constraint.condition
    if isinstance(condition, Check) and condition.property == "empty" and condition.term.op is Op.DIFFERENCE:
        conflict, ordered = condition.term.args
        most = possible.most(conflict)
        if condition.term.kind is Kind.RELATION and most is not None and not isinstance(most, int):
            one_way = not goes_both_ways(ordered)
            return Races(conflict, ordered, dict(_pairs(possible, most, conflict, ordered, one_way)), one_way)
    message = f"--engine sat does not know flags such as `{constraint.name}` of {model.name} yet"
    raise UnsupportedError(message, model.source, constraint.position, "`--no-check races` leaves them out")


def goes_both_ways(term: Term) -> bool:
    """Whether a relation is one and its inverse, by its form."""
    return term.op is Op.UNION and term.args[1] is Term(Op.INVERSE, (term.args[0],))


def _pairs(
    possible: Possible, most: Rows, conflict: Term, ordered: Term, one_way: bool
) -> Iterator[tuple[tuple[int, int], Literal]]:
    """The pairs that there may be, without those that are in order in each execution."""
    encoding, events = possible.encoding, possible.events
    gates, always = encoding.gates, possible.least(ordered)
    assert not isinstance(always, int)
    for a, row in enumerate(most):
        for b in members(row):
            if always[a] >> b & 1 or (not one_way and (always[b] >> a & 1 or (a > b and most[b] >> a & 1))):
                continue
            literal = gates.new()
            gates.clause(-literal, events[a].exec)
            gates.clause(-literal, events[b].exec)
            if is_within(conflict, Op.LOC):
                gates.clause(-literal, encoding.together(events[a], events[b]))
            if is_within(conflict, Op.OBJ):
                gates.clause(-literal, encoding.about_one(events[a], events[b]))
            yield (a, b), literal


def is_within(term: Term, op: Op) -> bool:
    """Whether a relation has no other pairs than another one, by its form."""
    match term.op:
        case Op.INTERSECT:
            return any(is_within(part, op) for part in term.args)
        case Op.UNION:
            return all(is_within(part, op) for part in term.args)
        case Op.DIFFERENCE:
            return is_within(term.args[0], op)
    return term.op is op
