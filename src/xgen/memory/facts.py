"""What can be said of a memory model as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from xgen.memory.algebra import Model, Op, Term
from xgen.memory.polarity import checks_of


def terms_of(model: Model) -> Iterator[Term]:
    """The terms that the model's constraints and flags are about, and the sets that their loops range over."""
    for constraint in model.constraints:
        for check in checks_of(constraint.condition):
            yield check.term
            yield from (binder.domain for binder in check.binders if binder.domain is not None)


def mentioned_tags(model: Model) -> list[str]:
    """The tags that the constraints and flags depend on, in alphabetical order."""
    return sorted({part.name for term in terms_of(model) for part in term.subterms() if part.op is Op.TAGGED})


def known_tags(model: Model) -> set[str]:
    """The tags that are mentioned, and those that the model says it expects."""
    return {*mentioned_tags(model), *(model.tags or ())}
