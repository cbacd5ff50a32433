"""Whether a model may be asked of parts of a program that share nothing, one part after the other.

Parts have no thread and no variable in common. If each constraint holds of a whole graph if and only if it holds of
what each part has of it, the executions of the program are all combinations of one execution of each part.

That is so where a term has no pairs between events of different parts, and of those of one part the pairs that it has
without the others. rf, mo, fr, loc, int and dependencies are so, and all operators but the product keep it. ext and
products have pairs between parts, of which nothing may be made but what leaves these out; so has program order, since
it begins with all initial writes. But these pairs lead from initial writes to other events. Unless something leads back
to one (`rf^-1`, `loc`), no path has two of them, and no cycle has any.
"""

from __future__ import annotations

import enum
from functools import lru_cache
from typing import NamedTuple

from xgen.memory.algebra import Check, Condition, Junction, Kind, Model, Op, Term, fold
from xgen.memory.base_relations import BASE_RELATIONS
from xgen.memory.statics.polarity import falling


class _Across(enum.IntEnum):
    """The pairs of a relation between events of different parts."""

    NONE = 0
    FROM_INITIAL = 1  # from initial writes to events that are none
    ANY = 2
    UNKNOWN = 3  # and those within a part need not be those that it has alone


class _Form(NamedTuple):
    """What is known of a relation: whether it may start at an initial write, end at one, lead from others back to one.

    Of a set: whether initial writes may be members (`ends`).
    """

    across: _Across
    starts: bool = False
    ends: bool = False
    back: bool = False


_LATER = {relation.op for relation in BASE_RELATIONS if not relation.inits}
_LATER |= {Op.EMPTY_RELATION, Op.READS, Op.FENCES, Op.EMPTY_SET}
"""What has nothing to do with initial writes."""
_ALL_INITIAL = (Op.INITS, Op.WRITES, Op.EVENTS)
"""The sets that have all of them."""
_UNKNOWN = _Form(_Across.UNKNOWN, True, True, True)
_ATOMS = {
    **dict.fromkeys(_LATER, _Form(_Across.NONE)),
    **dict.fromkeys((Op.RF, Op.MO), _Form(_Across.NONE, True)),
    **dict.fromkeys((Op.LOC, Op.SI, Op.BLOCK, Op.OBJ), _Form(_Across.NONE, True, True, True)),
    **dict.fromkeys((Op.ID, *_ALL_INITIAL), _Form(_Across.NONE, True, True)),
    Op.PO: _Form(_Across.FROM_INITIAL, True),
    Op.EXT: _Form(_Across.ANY, True, True, True),
}


@lru_cache(64)
def separable(model: Model) -> bool:
    """Whether the forms of a model's constraints and flags show that parts can be looked at one by one; see above."""
    return all(_of_condition(constraint.condition) for constraint in model.constraints)


def _of_condition(condition: Condition) -> bool:
    if isinstance(condition, Junction):
        return condition.mode == "and" and all(map(_of_condition, condition.parts))
    return not condition.negated and not condition.binders and _of_check(condition)


def _of_check(check: Check) -> bool:
    fixed = (part for part in check.term.subterms() if part.op is Op.FIX)
    if any(falling(body, part.group) for part in fixed for body in part.args):
        return False
    form = fold(check.term, _form, _Form(_Across.NONE))[check.term]
    match check.property:
        case "acyclic":
            return _stays(form)
        case "irreflexive":
            return form.across is not _Across.UNKNOWN
        case "empty":
            return form.across is _Across.NONE


def _form(term: Term, of: list[_Form]) -> _Form:
    """What is known of a term, given what is of its arguments."""
    if term.op in _ATOMS:
        return _ATOMS[term.op]
    if term.op is Op.TAGGED:
        return _Form(_Across.NONE, ends=term.name == "init")
    if not of or any(form.across is _Across.UNKNOWN for form in of):
        return _UNKNOWN
    first, last = of[0], of[-1]
    match term.op:
        case Op.UNION:
            return _Form(max(first.across, last.across), *map(max, first[1:], last[1:]))
        case Op.INTERSECT:
            return _Form(min(first.across, last.across), *map(min, first[1:], last[1:]))
        case Op.DIFFERENCE:
            without = term.kind is Kind.SET and term.args[1].op in _ALL_INITIAL
            return first._replace(ends=first.ends and not without)
        case Op.IDENTITY:
            return _Form(_Across.NONE, first.ends, first.ends)
        case Op.CROSS:
            return _Form(_Across.ANY, first.ends, last.ends, last.ends)
        case Op.OPTIONAL:
            return first._replace(starts=True, ends=True)
        case Op.INVERSE:
            across = _Across.ANY if first.across else _Across.NONE
            return _Form(across, first.ends, first.starts, first.starts)
        case Op.SEQUENCE:
            across = _across_both(first, last)
            return _Form(across, first.starts, last.ends, last.back or (first.back and last.ends))
        case Op.PLUS if _stays(first):
            return first
        case Op.STAR if _stays(first):
            return first._replace(starts=True, ends=True)
        case Op.DOMAIN if not first.across:
            return _Form(_Across.NONE, ends=first.starts)
        case Op.RANGE if not first.across:
            return _Form(_Across.NONE, ends=first.ends)
    return _UNKNOWN


def _stays(form: _Form) -> bool:
    """Whether no path leads from one part to another and back."""
    return not form.across or (form.across is _Across.FROM_INITIAL and not form.back)


def _across_both(first: _Form, last: _Form) -> _Across:
    """The pairs between parts of one relation followed by another."""
    if first.across and last.across and _Across.ANY in (first.across, last.across):
        return _Across.UNKNOWN
    leads_back = (last.back and first.across) or (first.back and last.across)
    return _Across.ANY if leads_back else max(first.across, last.across)
