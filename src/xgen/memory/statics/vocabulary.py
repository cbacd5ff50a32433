"""What can be said of a memory model as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Literal

from xgen.memory.algebra import Model, Op, Term, checks_of
from xgen.records import dataclass
from xgen.tags import ORDERS, TAGS


def terms_of(model: Model) -> Iterator[Term]:
    """The terms that the model's constraints and flags are about, and the sets that their loops range over."""
    for constraint in model.constraints:
        for check in checks_of(constraint.condition):
            yield check.term
            yield from (binder.domain for binder in check.binders if binder.domain is not None)


@lru_cache(64)
def _words(model: Model) -> frozenset[tuple[Op, str]]:
    """The operators of its terms, those of tags with their names."""
    parts: set[Term] = set()
    for term in terms_of(model):
        parts.update(term.subterms(known=parts))
    return frozenset((part.op, part.name if part.op is Op.TAGGED else "") for part in parts)


def operators(model: Model) -> set[Op]:
    """What the terms of a model's constraints are made of."""
    return {op for op, _ in _words(model)}


def mentioned_tags(model: Model) -> list[str]:
    """The tags that the constraints and flags depend on, in alphabetical order."""
    return sorted(name for op, name in _words(model) if op is Op.TAGGED)


def known_tags(model: Model) -> set[str]:
    """The tags that are mentioned, and those that the model says it expects."""
    return {*mentioned_tags(model), *(model.tags or ())}


def mentioned_for(model: Model, tag: str, kind: str) -> bool:
    """Whether the constraints depend on a tag of events of a kind ("R", "W", "F")."""
    found = _uses(model).get(tag)
    return found is not None and {"R": Op.READS, "W": Op.WRITES, "F": Op.FENCES}[kind] in found.kinds


@lru_cache(64)
def orders_any_fence(model: Model) -> bool:
    """Whether the constraints speak of fences that bear no tag which they name."""
    fences, tagged = Term(Op.FENCES), {Op.TAGGED}
    return any(
        fences in part.args and not (part.op is Op.INTERSECT and {other.op for other in part.args} & tagged)
        for part in _subterms(model)
    )


# ---- what programs for models are made of

Dependency = Literal["addr", "data", "ctrl"]
_STRONG = [tag for tag in TAGS if tag.order and tag.name not in ("relaxed", "once")]
_OF_READS = {tag.name for tag in _STRONG if "R" in tag.kinds and tag.name != "acq_rel"}
_OF_WRITES = {tag.name for tag in _STRONG if "W" in tag.kinds and tag.name != "acq_rel"}
_OF_FENCES = {tag.name for tag in _STRONG if "F" in tag.kinds}
_NEITHER = {tag.name for tag in TAGS if tag.whose == "xgen" or (not tag.order and tag.kinds != "F")}
_DEPENDENCIES: dict[Op, Dependency] = {Op.ADDR: "addr", Op.DATA: "data", Op.CTRL: "ctrl"}


@dataclass(frozen=True)
class Vocabulary:
    """What shapes are made of: tags of reads, writes and fences, kinds of dependencies; `plain` is the tag of an access
    that bears no other."""

    plain: str | None = None
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    fences: tuple[str, ...] = ()
    dependencies: tuple[Dependency, ...] = ()

    @property
    def words(self) -> set[str | None]:
        """All of them."""
        return {self.plain, *self.reads, *self.writes, *self.fences, *self.dependencies} - {None}


def vocabulary(first: Model, second: Model, quantifier: Callable[[list[bool]], bool]) -> Vocabulary:
    """What programs for the models are made of: what all, or any, of them speak of."""
    uses = [_uses(model) for model in (first, second)]
    spoken = [_spoken_of(model) for model in (first, second)]
    either = spoken[0] | spoken[1]

    def tags(kind: Op) -> list[str]:
        """The tags that events of a kind can have, one of those that mean the same; the shortest names come first."""
        found = {
            tag for use in uses for tag in use if quantifier([kind in other.get(tag, _NO_USE).kinds for other in uses])
        }
        one: dict[tuple[object, ...], str] = {}
        for tag in sorted(found, key=lambda tag: (len(tag), tag)):
            one.setdefault(tuple(use.get(tag, _NO_USE).places for use in uses), tag)
        return list(one.values())

    plain = next((tag for tag in ("relaxed", "once") if Term(Op.TAGGED, name=tag) in either), None)
    fences = [
        tag
        for tag in tags(Op.FENCES)
        if tag not in _NEITHER and (tag not in ORDERS or (plain == "relaxed" and tag in _OF_FENCES))
    ]
    if not fences and quantifier([Term(Op.FENCES) in words for words in spoken]):
        fences = ["seq_cst"]  # any fence
    return Vocabulary(
        plain,
        tuple(tag for tag in tags(Op.READS) if tag in _OF_READS),
        tuple(tag for tag in tags(Op.WRITES) if tag in _OF_WRITES),
        tuple(fences),
        tuple(kind for op, kind in _DEPENDENCIES.items() if Term(op) in either),
    )


def _spoken_of(model: Model) -> set[Term]:
    """The base terms that a model's constraints mention."""
    return {part for part in _subterms(model) if not part.args}


def _subterms(model: Model) -> set[Term]:
    return {
        part
        for constraint in model.constraints
        if not constraint.flag
        for check in checks_of(constraint.condition)
        for term in (check.term, *(binder.domain for binder in check.binders if binder.domain))
        for part in term.subterms()
    }


@dataclass(frozen=True)
class _Use:
    """Where a model mentions a tag: the kinds of events that it means there, and the places themselves."""

    kinds: frozenset[Op]
    places: frozenset[tuple[Term, Term, frozenset[Op]]]


_NO_USE = _Use(frozenset(), frozenset())
_KINDS = frozenset({Op.READS, Op.WRITES, Op.FENCES})


@lru_cache(64)
def _uses(model: Model) -> dict[str, _Use]:
    """The tags that a model mentions."""
    terms = _subterms(model)
    users: dict[Term, list[Term]] = {}
    for part in terms:
        for argument in part.args:
            users.setdefault(argument, []).append(part)
    found = {}
    for tag in (term for term in terms if term.op is Op.TAGGED):
        places = set()
        work: list[tuple[Term, frozenset[Op]]] = [(tag, frozenset())]
        while work:
            part, kinds = work.pop()
            for user in users.get(part, ()):
                others = kinds | ({argument.op for argument in user.args} & _KINDS)
                if user.op is Op.UNION or (user.op is Op.INTERSECT and others > kinds):
                    work.append((user, kinds if user.op is Op.UNION else others))
                else:
                    places.add((user, part, others if user.op is Op.DIFFERENCE else kinds))
        meant = {kind for _, _, kinds in places for kind in kinds or _KINDS}
        found[tag.name] = _Use(frozenset(meant), frozenset(places))
    return found
