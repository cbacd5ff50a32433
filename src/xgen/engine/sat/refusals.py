"""What is not encoded, by name and place."""

from __future__ import annotations

from xgen._core import Op, RmwKind
from xgen.engine.graphs.diagnosis import can_end
from xgen.engine.problem import Problem
from xgen.engine.sat.events import refused
from xgen.engine.sat.possible import refuse_unknown
from xgen.engine.sat.races import RACE_WITH_FREE, USE_AFTER_FREE
from xgen.errors import UnsupportedError
from xgen.lowering.analysis.undone import is_try
from xgen.memory.algebra import Constraint, Model, Term, checks_of, operands
from xgen.memory.algebra import Op as Operation
from xgen.memory.ready import facts
from xgen.memory.statics.base_order import coherent, goes_on_unaddressed

_OPERATIONS = {
    Op.MEET: "barriers",
    Op.GATHER: "barriers",
    Op.BLOCK: "atomic blocks",
    Op.PREDICT: "predicted values",
    Op.REAL: "floating point numbers",
}
_OF_PAIRS = {
    Operation.EVENTS, Operation.READS, Operation.WRITES, Operation.FENCES, Operation.INITS, Operation.TAGGED,
    Operation.EMPTY_SET, Operation.PO, Operation.INT, Operation.EXT, Operation.ID, Operation.LOC, Operation.RMW,
    Operation.EMPTY_RELATION, Operation.SI, Operation.BLOCK, Operation.OBJ, Operation.UNION, Operation.INTERSECT,
    Operation.DIFFERENCE, Operation.CROSS, Operation.IDENTITY, Operation.INVERSE,
}  # fmt: skip
"""Operations that say of two events whether they are in, whatever other events there are."""
_WRITES = Term(Operation.WRITES)


def refuse(problem: Problem) -> None:
    """Raises UnsupportedError for a program, a model or a question that is not encoded, with the place."""
    program, code = problem.program, problem.code
    for pc, i in enumerate(code.instructions):
        if i.part:
            raise refused(code, pc, "accesses of several sizes to the same bytes")
        if i.op in _OPERATIONS:
            raise refused(code, pc, _OPERATIONS[i.op])
        if i.op is Op.RMW and code.rmws[i.c].kind in (RmwKind.REAL_ADD32, RmwKind.REAL_ADD64):
            raise refused(code, pc, _OPERATIONS[Op.REAL])
        if i.op is Op.RMW and is_try(code, pc) and pc in code.after(pc):
            raise refused(code, pc, "loops that try to lock a mutex")
    what = None
    if program.requirement is not None or program.question is not None:
        what = "conditions on final states"
    elif program.accepted:
        what = "accepted findings"
    elif can_end(code):
        what = "programs that another thread than main ends"
    if what is not None:
        hint = "`--engine graphs`, the default, explores them"
        raise UnsupportedError(f"--engine sat does not know {what} yet", file=program.source.name, hint=hint)
    _refuse_dependent(problem)
    _refuse_model(problem.model)


def _refuse_dependent(problem: Problem) -> None:
    """Of models that speak of dependencies or allow load buffering: what ends a control dependency; and allocated
    objects, of which what is before a free may be after it, too."""
    known, code = facts(problem.model), problem.code
    for pc, i in enumerate(code.instructions if known.dependencies or known.buffering else ()):
        if i.op in (Op.KEEP, Op.LEAVE):
            raise refused(code, pc, "what ends a control dependency")
        if i.op is Op.OBJECT and known.buffering:
            raise refused(code, pc, f"allocated objects under models such as {problem.model.name}")


def _refuse_model(model: Model) -> None:
    """Executions with rounds of loops that only wait are left out. So a model may not forbid one for an event that is
    not there; and no value may come out of nothing."""
    refuse_unknown(model)
    hint = "it knows sc, tso, rc11, arm8 and models that are made as these are"
    for constraint in model.constraints:
        if constraint.name in (USE_AFTER_FREE, RACE_WITH_FREE) and constraint.undefined:
            _refuse_order(model, constraint)
        for check in () if constraint.flag else checks_of(constraint.condition):
            if not all(_is_monotone(term) for term in check.term.subterms()):
                message = f"--engine sat does not know what `{constraint.name}` of {model.name} takes out of a relation"
                raise UnsupportedError(message, model.source, constraint.position, hint)
    if goes_on_unaddressed(model) or not coherent(model):
        what = "lets threads run past unknown addresses" if coherent(model) else "is not seen to be coherent"
        message = f"--engine sat does not know models such as {model.name} yet: it {what}"
        raise UnsupportedError(message, file=model.source.name, hint=hint)


def _refuse_order(model: Model, constraint: Constraint) -> None:
    """What is before a free may not be after it, too: so that a use after a free is one that is not before it."""
    (check,) = checks_of(constraint.condition)
    before = check.term.args[0]
    if constraint.name == RACE_WITH_FREE:  # pairs, without what is before and what the model's `before_write` is before
        before = check.term.args[1].args[1].args[0]
    if not _goes_along(before):
        message = f"--engine sat does not know allocated objects under models such as {model.name} yet"
        hint = "it knows them where `hb` and `before_write` of a model are made of program order and reads-from"
        raise UnsupportedError(message, file=model.source.name, hint=hint)


def _goes_along(term: Term) -> bool:
    """Whether each pair of a relation is one of (po | rf)^*, which has no cycle."""
    match term.op:
        case Operation.PO | Operation.RF | Operation.RMW | Operation.IDENTITY | Operation.EMPTY_RELATION:
            return True
        case Operation.UNION | Operation.SEQUENCE | Operation.PLUS | Operation.STAR | Operation.OPTIONAL:
            return all(map(_goes_along, term.args))
        case Operation.INTERSECT:
            return any(map(_goes_along, term.args))
        case Operation.DIFFERENCE:
            return _goes_along(term.args[0])
    return False


def _is_monotone(term: Term) -> bool:
    """Whether a term, with more events that are no writes, has all that it has without them."""
    if term.op is not Operation.DIFFERENCE:
        return True
    return all(part.op in _OF_PAIRS or _is_by_writes(part) for part in term.args[1].subterms())


def _is_by_writes(term: Term) -> bool:
    """Whether it is a sequence that leads by way of a write, by its form."""
    if term.op is not Operation.SEQUENCE:
        return False
    one, other = term.args
    return any(_product(part)[1] is _WRITES for part in operands(one, Operation.INTERSECT)) or any(
        _product(part)[0] is _WRITES for part in operands(other, Operation.INTERSECT)
    )


def _product(term: Term) -> tuple[Term | None, Term | None]:
    return (term.args[0], term.args[1]) if term.op is Operation.CROSS else (None, None)
