"""What looks wrong in a memory model that can be read: `xgen models check`."""

from __future__ import annotations

from collections.abc import Iterator

from xgen.errors import Position, nearest
from xgen.memory.adapt import BEFORE_WRITE, CONTESTED
from xgen.memory.algebra import Check, Constraint, Kind, Model, Op, Term
from xgen.memory.base_relations import OF_OP
from xgen.memory.statics.vocabulary import mentioned_tags, terms_of
from xgen.records import dataclass
from xgen.tags import BY_NAME, names


@dataclass(frozen=True)
class Remark:
    """Something that is likely not what was meant; a `note` is only good to know."""

    message: str
    position: Position | None = None
    note: bool = False


def remarks_of(model: Model) -> list[Remark]:
    """What is to be said of a model, in the order of its text; notes and what has no place come last."""
    found = [*_unused(model), *(p for constraint in model.constraints for p in _decided(constraint))]
    placed = sorted(found, key=lambda remark: remark.position.line if remark.position else 0)
    return [*placed, *_tags(model), *_notes(model)]


def _unused(model: Model) -> Iterator[Remark]:
    """Definitions that no constraint and no flag depends on, and functions that nothing applies; but for those that
    xgen itself asks about."""
    if model.source.name.endswith(".cat"):
        return  # what a .cat model includes is a library
    asked = [each.term for each in model.definitions if each.name in (BEFORE_WRITE, CONTESTED)]
    used = {part for term in (*terms_of(model), *asked) for part in term.subterms()}
    for definition in model.definitions:
        term = definition.term
        if term in used:
            continue
        if term.op is Op.FIX:
            variable = Op.REC_SET if term.kind is Kind.SET else Op.REC_RELATION
            if Term(variable, (), term.name) in used:
                continue
        yield Remark(f"`{definition.name}` is defined and not used by any constraint", definition.position)
    for name, position in model.unapplied:
        yield Remark(f"the function `{name}` is defined and not applied", position)


def _decided(constraint: Constraint) -> Iterator[Remark]:
    """Constraints that never fail, or always."""
    if not isinstance(constraint.condition, Check) or constraint.condition.binders:
        return
    check = constraint.condition
    never = _is_empty(check.term) or (check.property != "empty" and _is_within_one_order(check.term))
    always = _has_initial_pairs(check.term)
    if check.negated:
        never, always = always, never
    if never:
        yield Remark(f"`{constraint.name}` can never fail", constraint.position)
    elif always:
        yield Remark(f"`{constraint.name}` always fails", constraint.position)


def _is_empty(term: Term) -> bool:
    """Whether the form of a term shows that it is empty in every execution."""
    empty: dict[Term, bool] = {}
    for part in term.subterms():
        args = [empty[argument] for argument in part.args]
        if part.op is Op.UNION:
            empty[part] = all(args)
        elif part.op in (Op.INTERSECT, Op.SEQUENCE, Op.CROSS):
            empty[part] = any(args) or _disjoint(part)
        elif part.op in (Op.OPTIONAL, Op.STAR, Op.FIX):
            empty[part] = False
        elif part.op is Op.DIFFERENCE:
            empty[part] = args[0] or part.args[0] is part.args[1]
        else:
            empty[part] = part.op in (Op.EMPTY_SET, Op.EMPTY_RELATION) or (bool(args) and args[0])
    return empty[term]


_KINDS = {Op.READS, Op.WRITES, Op.FENCES}


def _disjoint(part: Term) -> bool:
    """Whether a term is the intersection of two kinds of events."""
    return part.op is Op.INTERSECT and all(a.op in _KINDS for a in part.args) and part.args[0] is not part.args[1]


def _is_within_one_order(term: Term) -> bool:
    """Whether the form of a relation shows that it is a part of po, rf, mo or fr, none of which has a cycle."""
    orders: dict[Term, frozenset[Op]] = {}
    everything = frozenset((Op.PO, Op.RF, Op.MO, Op.FR))
    for part in term.subterms():
        args = [orders[argument] for argument in part.args]
        if part.op in OF_OP:
            orders[part] = everything & {OF_OP[part.op].within}
        elif part.op is Op.EMPTY_RELATION:
            orders[part] = everything
        elif part.op is Op.INTERSECT:
            orders[part] = args[0] | args[1]
        elif part.op is Op.UNION:
            orders[part] = args[0] & args[1]
        elif part.op in (Op.DIFFERENCE, Op.PLUS):
            orders[part] = args[0]
        elif part.op is Op.SEQUENCE:
            # What is within an order, or the identity, keeps within it where the other one does.
            filters = [argument.op is Op.IDENTITY for argument in part.args]
            orders[part] = args[1] if filters[0] else args[0] if filters[1] else args[0] & args[1] & {Op.PO, Op.MO}
        else:
            orders[part] = frozenset()
    return bool(orders[term])


def _has_initial_pairs(term: Term) -> bool:
    """Whether the form shows that each initial write is in the set, or related to itself: then nothing holds of it."""
    has: dict[Term, bool] = {}
    for part in term.subterms():
        args = [has[argument] for argument in part.args]
        if part.op is Op.UNION:
            has[part] = any(args)
        elif part.op in (Op.INTERSECT, Op.SEQUENCE, Op.CROSS):
            has[part] = all(args)
        elif part.op in (Op.INVERSE, Op.PLUS, Op.IDENTITY, Op.DOMAIN, Op.RANGE):
            has[part] = args[0]
        elif part.op is Op.TAGGED:
            has[part] = part.name == "init"
        else:
            has[part] = part.op in (Op.EVENTS, Op.WRITES, Op.INITS, Op.ID, Op.LOC, Op.OPTIONAL, Op.STAR)
    return has[term]


def _tags(model: Model) -> Iterator[Remark]:
    """Tags that nothing gives to events, and tags that the header forgets.

    Orders of C may be those of fences alone: a model that expected them would know them of accesses as well.
    """
    told = {*(model.tags or ()), *names("xgen"), *names("C", order=True)}
    for tag in mentioned_tags(model):
        if tag not in BY_NAME:
            hint = nearest(tag, BY_NAME)
            said = f": {hint}" if hint else ""
            yield Remark(f"no architecture has the tag `{tag}`{said}", note=not hint)
        elif model.tags is not None and tag not in told:
            yield Remark(f"the tag `{tag}` is used, but the header does not say that it is expected")


def _notes(model: Model) -> Iterator[Remark]:
    for name, position in model.redefined:
        message = f"`{name}` is defined once more; what comes before goes on with the earlier definition"
        yield Remark(message, position, note=True)
    for file, position in model.replaced:
        yield Remark(f"xgen's own {file} is read, not the one beside the model", position, note=True)
    if not [constraint for constraint in model.constraints if not constraint.flag]:
        yield Remark("the model has no constraint: every execution is allowed", note=True)
