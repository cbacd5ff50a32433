"""The relations of a model as pictures show them."""

from __future__ import annotations

from collections.abc import Collection
from functools import reduce
from operator import or_

from xgen.executions.execution import INITIAL, Execution
from xgen.memory.algebra import Kind, Model, Op, Term
from xgen.memory.evaluate import Evaluator, members
from xgen.views.drawing.picture import MEANINGS

MAX_PAIRS = 300
"""Relations of the model with more pairs on an execution are not drawn there."""


def derived_terms(model: Model) -> dict[str, Term]:
    """The relations that a model defines, by their names."""
    definitions = [d for d in model.definitions if d.term.kind is Kind.RELATION and not d.binders]
    return {d.name: d.term for d in definitions if d.term.args and d.name not in MEANINGS}


def derived_pairs(execution: Execution, model: Model, show: Collection[str]) -> dict[str, list[tuple[int, int]]]:
    """The pairs of those of them that are to be shown."""
    wanted = {name: term for name, term in derived_terms(model).items() if name in show}
    evaluator = Evaluator(execution)
    return {name: drawn_pairs(evaluator, term) for name, term in wanted.items()}


def drawn_pairs(evaluator: Evaluator, term: Term) -> list[tuple[int, int]]:
    """The pairs of a relation as pictures show them; none where there are too many.

    Pairs with initial writes are left out unless they are of rf or mo; so is, of a relation without cycles, what
    follows from other pairs: a -> c where there are a -> b and b -> c.
    """
    execution, rows = evaluator.execution, evaluator.relation(term)
    told: dict[int, int] = {}
    for a, b in (*execution.rf, *execution.mo_edges):
        told[a] = told.get(a, 0) | 1 << b
    initial = sum(1 << n for n, event in enumerate(execution.events) if event.thread == INITIAL)
    closed = evaluator.relation(Term(Op.PLUS, (term,)))
    acyclic = not any(row >> n & 1 for n, row in enumerate(closed))
    pairs: list[tuple[int, int]] = []
    for a, row in enumerate(rows):
        kept = row & ~(reduce(or_, (closed[m] for m in members(row)), 0) if acyclic else 1 << a)
        kept &= told.get(a, 0) | (0 if initial >> a & 1 else ~initial)
        pairs += ((a, b) for b in members(kept))
    return pairs if len(pairs) <= MAX_PAIRS else []
