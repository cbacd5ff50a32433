"""Whether a model's form shows that it allows each sequentially consistent run.

In such a run the threads take turns, so all events stand in a row: program order, reads-from, modification order and
from-reads lead from earlier ones to later ones, and so do dependencies. What is made of these by sequences, unions and
closures does, too, and so does what is a part of it: no cycle is there, and no event is related with itself. And no
event stands between the read and the write of an update, so that nothing leads from the one to the other by way of a
third. A constraint that forbids one of these forbids no such run, however long it is.

Exclusive accesses, atomic blocks, and accesses of several parts are not looked at: who asks has none of these.
"""

from __future__ import annotations

from functools import lru_cache

from xgen.memory.algebra import Check, Condition, Junction, Model, Op, Term, fold

_ANY, _STAYS, _LATER, _PAST, _NOTHING = range(5)
"""What is known of the pairs of a relation: nothing; the second event is the first one or comes later; it comes later;
another event stands between; there are none. Each says what those before it say."""
_LEADS = {Op.PO, Op.RF, Op.MO, Op.FR, Op.ADDR, Op.DATA, Op.CTRL, Op.PICK_ADDR, Op.PICK_DATA, Op.PICK_CTRL}
_NONE = {Op.EMPTY_RELATION, Op.BLOCK, Op.SI}
_Known = tuple[int, bool]
"""One of these, and whether all pairs are the read and the write of an update."""


@lru_cache(64)
def allows_turns(model: Model) -> bool:
    """Whether each constraint is seen to hold of all runs in which threads take turns."""
    return all(_holds(constraint.condition) for constraint in model.constraints if not constraint.flag)


def _holds(condition: Condition) -> bool:
    if isinstance(condition, Junction):
        parts = [_holds(part) for part in condition.parts]
        return all(parts) if condition.mode == "and" else any(parts)
    return isinstance(condition, Check) and not condition.negated and _checks(condition)


def _checks(check: Check) -> bool:
    least = _NOTHING if check.property == "empty" else _LATER
    return fold(check.term, _known, (_NOTHING, True))[check.term][0] >= least


def _known(term: Term, parts: list[_Known]) -> _Known:
    """What is known of a relation, by what is known of those that it is made of."""
    levels, pairs = [level for level, _ in parts], [of_updates for _, of_updates in parts]
    match term.op:
        case Op.RMW:
            return _LATER, True
        case op if op in _LEADS:
            return _LATER, False
        case op if op in _NONE:
            return _NOTHING, True
        case Op.ID | Op.IDENTITY:
            return _STAYS, False
        case Op.UNION:
            return min(levels), all(pairs)
        case Op.INTERSECT:
            level, of_updates = max(levels), any(pairs)
            return (_NOTHING, True) if of_updates and level >= _PAST else (level, of_updates)
        case Op.DIFFERENCE:
            return parts[0]
        case Op.SEQUENCE:
            return _sequence(levels), _NOTHING in levels
        case Op.PLUS:
            return levels[0], False
        case Op.STAR | Op.OPTIONAL:
            return min(levels[0], _STAYS), False
        case _:
            return _ANY, False


def _sequence(levels: list[int]) -> int:
    if _NOTHING in levels:
        return _NOTHING
    if _ANY in levels:
        return _ANY
    steps = sum(level == _LATER for level in levels) + 2 * sum(level == _PAST for level in levels)
    return min(_STAYS + steps, _PAST)
