"""What a program's exclusive accesses and atomic blocks ask of executions, in the terms of a memory model.

The pairs of exclusive accesses are atomic, also under models that say nothing of them, such as sc and tso.

An atomic block is to be one event for all that is outside of it. So every order in which events have to fit needs a
place for the block as a whole: a relation that the model wants acyclic has to stay acyclic when the events of each
block are contracted to one. And whatever the model says, no event of another thread is between two events of a block as
far as reads-from, modification order and from-reads tell. (Strong isolation and transaction order, with `stronglift`:
N. Chong, T. Sorensen, J. Wickerson, The Semantics of Transactions and Weak Memory in x86, Power, ARM, and C++, PLDI
2018.)

A relation of events that bear a same tag of a family (`same_tag[cta]`) is that of the tags which the program has.

An allocated object is there from its allocation until it is freed. Models know nothing of these two events: to them
they are no events at all. What happens before what is the model's `hb` where it defines one, with program order, else
program order and reads-from. Of a model for which a free is a plain write, `before_write` says what comes before one:
then accesses have to be before the free by that, as hb is of other accesses only, and knows no grace periods.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache, reduce

from xgen.errors import Position, Source, UnsupportedError
from xgen.executions.execution import ViolationKind
from xgen.memory import terms as t
from xgen.memory.algebra import Binder, Check, Condition, Constraint, Definition, Junction, Kind, Model, Op, Term
from xgen.memory.cache import read_stored
from xgen.memory.statics.vocabulary import terms_of
from xgen.records import replace
from xgen.tags import ACCEPTED

AT_END = "atomic blocks are looked at when they are whole"
_BLOCK = Term(Op.BLOCK)
_COMMUNICATION = Term(Op.UNION, (Term(Op.UNION, (Term(Op.RF), Term(Op.MO))), Term(Op.FR)))


ATOMIC = """
intervening = rmw(A[exclusive] -> A[exclusive]) & ((fr & ext) ; (mo & ext))
intervening empty as atomic_exclusives "nobody writes between an exclusive load and the store that pairs with it"
"""
"""What every architecture that has exclusive accesses promises."""


@lru_cache(64)
def with_atomic_exclusives(model: Model) -> Model:
    """The model itself where it mentions `rmw`; else with the constraint that exclusive pairs are atomic.

    For programs that have exclusive accesses.
    """
    if any(part.op is Op.RMW for term in terms_of(model) for part in term.subterms()):
        return model
    return replace(model, constraints=(*model.constraints, _atomic()))


@cache
def _atomic() -> Constraint:
    return read_stored("exclusives", Source("", ATOMIC)).constraints[0]


UPDATES = """
between = rmw(A \\ A[exclusive] -> A) & ((fr & ext) ; (mo & ext))
between empty as atomic_updates "nobody writes between the read and the write of an update"
"""
"""What all models promise of updates, and explorations see to where these have one part."""


@lru_cache(64)
def with_atomic_updates(model: Model) -> Model:
    """The model with the constraint that updates are atomic. For programs in which some have several parts."""
    added = read_stored("updates", Source("", UPDATES)).constraints
    return replace(model, constraints=(*model.constraints, *added))


@lru_cache(64)
def families(model: Model) -> frozenset[str]:
    """The families of tags of which the model asks whether two events bear a same one."""
    return frozenset(name for part in _asked(model) for name in t.families_of(part))


def _asked(model: Model) -> frozenset[Term]:
    """What the model says of families of tags."""
    return frozenset(part for term in terms_of(model) for part in term.subterms() if part.op is Op.SAME)


@lru_cache(64)
def with_families(model: Model, tags: frozenset[str]) -> Model:
    """The model with what it says of families of tags said of those that the program has."""
    known: dict[Term, Term] = {}
    for term in _asked(model):
        first, second = t.families_of(term)
        named = [tag.removeprefix(f"{first}.") for tag in sorted(tags) if tag.startswith(f"{first}.")]
        pairs = ((f"{first}.{name}", f"{second}.{name}") for name in named if f"{second}.{name}" in tags)
        known[term] = t.union([t.NO_PAIRS, *(t.product(t.tagged(a), t.tagged(b)) for a, b in pairs)])

    def condition(of: Condition) -> Condition:
        if isinstance(of, Junction):
            return replace(of, parts=tuple(map(condition, of.parts)))
        binders = (replace(b, domain=b.domain and t.normal(b.domain, known)) for b in of.binders)
        return replace(of, term=t.normal(of.term, known), binders=tuple(binders))

    constraints = (replace(c, condition=condition(c.condition)) for c in model.constraints)
    definitions = (replace(d, term=t.normal(d.term, known)) for d in model.definitions)
    return replace(model, constraints=tuple(constraints), definitions=tuple(definitions))


BARRIERS = """
together = same_tag[cta] | same_tag[wg] | A[cluster] * A[cluster] & same_tag[cluster]
meets = loc(R[bar] \\ (A[beyond-quorum] | A[wait]) -> R[bar] \\ A[arrive]) & together
waits = meets ; po(R[bar] -> A) | rf | [R] ; (addr | data | ctrl)
waits acyclic as barriers "nobody does what comes behind a barrier before those have come for whom it waits"
"""
"""Threads meet at barriers one after the other, whatever the model says; what comes behind one does not decide who
comes to it."""


@lru_cache(64)
def with_barriers(model: Model) -> Model:
    """The model with the constraint that threads come to their barriers in an order. For programs that have some."""
    added = read_stored("barriers", Source("", BARRIERS)).constraints
    return replace(model, constraints=(*model.constraints, *added))


@lru_cache(64)
def with_atomic_blocks(model: Model) -> Model:
    """The model with constraints behind its own that hold where the atomic blocks of a program are isolated.

    Of `irreflexive` and `empty`, only `irreflexive` of a closure is an order; the others are as they were.
    """
    isolation = Check("acyclic", lifted(_COMMUNICATION))
    added = [
        Constraint("atomic_blocks", isolation, Position(1, 1), "nothing comes between the events of an atomic block")
    ]
    for constraint in model.constraints:
        condition = None if constraint.flag else _lifted_condition(constraint.condition)
        if condition is not None:
            name = f"{constraint.name}_of_atomic_blocks"
            added.append(replace(constraint, name=name, condition=condition))
    return replace(model, constraints=(*model.constraints, *added))


@lru_cache(64)
def with_demands(model: Model, reference: Model) -> Model:
    """The model with flags behind its own constraints that tell what another model would not allow."""
    added = (replace(c, name=f"{reference.name}: {c.name}", flag=True) for c in reference.constraints if not c.flag)
    return replace(model, constraints=(*model.constraints, *added))


ATOMIC_TAGS = frozenset({"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst", "lock", "unlock"})
"""The tags of accesses that are atomic in C."""

RACE = f"""
atomic = {" | ".join(f"A[{tag}]" for tag in sorted(ATOMIC_TAGS))}
before = (po | rf(atomic -> atomic))^+
conflict = loc & ext & (A * W | W * A) \\ (A * I | I * A)
race     = (conflict \\ (atomic * atomic)) \\ (before | before^-1)
undefined_unless race empty as data_race "two threads access a location at the same time, one of them not atomically"
"""
"""What C says of plain accesses, for models that say nothing of it: each read of an atomic write synchronises."""


@lru_cache(64)
def with_races(model: Model) -> Model:
    """The model with a flag for data races, if it has none that leaves programs without a meaning.

    Where it flags data races itself, as the kernel's does, these are the races: its flag leaves programs without a
    meaning then. What C says would not know the model's own atomic accesses, nor what its barriers order.
    """
    if any(constraint.undefined for constraint in model.constraints):
        return model
    if any(of_races(constraint) for constraint in model.constraints):
        return replace(
            model, constraints=tuple(replace(c, undefined=c.undefined or of_races(c)) for c in model.constraints)
        )
    return replace(model, constraints=(*model.constraints, *read_stored("races", Source("", RACE)).constraints))


EXCLUSIVE, CONTESTED = "exclusive_access", "contested"
"""The flag for what is asserted to be done by nobody else, and the relation by which a model defines it."""


@lru_cache(64)
def with_exclusive(model: Model, source: Source) -> Model:
    """The model with a flag that leaves programs without a meaning where an assertion of KCSAN's does not hold. Raises
    UnsupportedError, for a program, where the model does not say what that is."""
    asked = _defined(model.definitions, CONTESTED)
    if asked is None:
        message = f"the model {model.name} does not say what ASSERT_EXCLUSIVE_WRITER and ASSERT_EXCLUSIVE_ACCESS are"
        raise UnsupportedError(message, source, hint="--mcm lkmm does; --races lkmm and --races none pass over them")
    constraint = Constraint(EXCLUSIVE, Check("empty", asked), Position(1, 1), flag=True, undefined=True)
    return replace(model, constraints=(*model.constraints, constraint))


def of_races(constraint: Constraint) -> bool:
    """Whether it is the flag by which a model reports data races; herd's models call it data-race."""
    return constraint.flag and constraint.name.replace("-", "_") == "data_race"


@lru_cache(64)
def without_races(model: Model) -> Model:
    """The model for which every program has a meaning, and which flags no data races."""
    kept = (c for c in model.constraints if not (c.undefined or of_races(c)))
    return replace(model, constraints=tuple(kept))


@lru_cache(64)
def with_accepted(model: Model) -> Model:
    """The model whose flags that leave programs without a meaning are not raised by what is accepted: by no pair of
    which an event bears the tag for that kind of finding."""
    return replace(model, constraints=tuple(c if not c.undefined else _accepting(c) for c in model.constraints))


def _accepting(constraint: Constraint) -> Constraint:
    condition = constraint.condition
    if isinstance(condition, Junction) or condition.negated or condition.property != "empty":
        return constraint
    kinds = [constraint.name] if constraint.name in LIFETIMES else ["race", "undefined"]
    events = reduce(
        lambda one, other: Term(Op.UNION, (one, other)), (Term(Op.TAGGED, name=ACCEPTED + kind) for kind in kinds)
    )
    accepted = events
    if condition.term.kind is Kind.RELATION:
        everything = Term(Op.EVENTS)
        accepted = Term(Op.UNION, (Term(Op.CROSS, (events, everything)), Term(Op.CROSS, (everything, events))))
    return replace(constraint, condition=replace(condition, term=Term(Op.DIFFERENCE, (condition.term, accepted))))


LIFETIMES: tuple[ViolationKind, ...] = ("use-after-free", "double-free", "race-with-free", "use-before-allocation")
"""The names of the flags that `with_lifetimes` adds, which are kinds of violations."""


BEFORE_WRITE = "before_write"
"""What a model calls what comes before a plain write, if a free is one to it."""

# A program's own tags may have these names.
_ALLOCATIONS = Term(Op.INTERSECT, (Term(Op.FENCES), Term(Op.TAGGED, name="alloc")))
_FREES = Term(Op.INTERSECT, (Term(Op.FENCES), Term(Op.TAGGED, name="free")))


@lru_cache(64)
def with_lifetimes(model: Model, races: bool = True) -> Model:
    """The model with a flag for each way to go wrong with allocated objects; its own terms do not see their events.

    Without `races`, nothing has to be ordered after the allocation: who has the pointer has the object.
    """
    seen = Term(Op.DIFFERENCE, (Term(Op.EVENTS), Term(Op.UNION, (_ALLOCATIONS, _FREES))))
    blind = _Blind(seen)
    constraints = tuple(replace(c, condition=blind.condition(c.condition)) for c in model.constraints)
    definitions = tuple(
        replace(d, term=blind.term(d.term), binders=blind.binders(d.binders)) for d in model.definitions
    )
    before = Term(Op.PLUS, (Term(Op.UNION, (Term(Op.PO), _defined(definitions, "hb") or Term(Op.RF))),))
    asked, until = _defined(model.definitions, BEFORE_WRITE), before
    if asked is not None:
        until = Term(Op.UNION, (Term(Op.PO), _Writing(_FREES, _ALLOCATIONS).term(asked)))
    added = list(_lifetimes(before, until))[: None if races else -1]
    return replace(model, definitions=definitions, constraints=(*constraints, *added))


def _defined(definitions: Iterable[Definition], name: str) -> Term | None:
    """The relation that a model calls so."""
    named = (d.term for d in definitions if d.name == name and not d.binders and d.term.kind is Kind.RELATION)
    return next(named, None)


def _lifetimes(before: Term, until: Term) -> Iterator[Constraint]:
    """The flags. `before`: what happens before what; `until`: what comes before a free."""
    alloc, free = _ALLOCATIONS, _FREES
    access = Term(Op.DIFFERENCE, (Term(Op.UNION, (Term(Op.READS), Term(Op.WRITES))), Term(Op.INITS)))

    def pairs(sources: Term, targets: Term) -> Term:
        return Term(Op.INTERSECT, (Term(Op.OBJ), Term(Op.CROSS, (sources, targets))))

    either = Term(Op.UNION, (before, Term(Op.INVERSE, (until,))))
    wrong = (
        Term(Op.INTERSECT, (before, pairs(free, access))),
        Term(Op.DIFFERENCE, (pairs(free, free), Term(Op.ID))),
        Term(Op.DIFFERENCE, (pairs(free, access), either)),
        Term(Op.DIFFERENCE, (pairs(alloc, Term(Op.UNION, (access, free))), before)),
    )
    for name, term in zip(LIFETIMES, wrong, strict=True):
        yield Constraint(name, Check("empty", term), Position(1, 1), flag=True, undefined=True)


class _Blind:
    """Rewrites terms so that they do not see the events outside of a set."""

    def __init__(self, seen: Term) -> None:
        self.seen = seen
        self.known: dict[Term, Term] = {}

    def condition(self, condition: Condition) -> Condition:
        if isinstance(condition, Junction):
            return replace(condition, parts=tuple(map(self.condition, condition.parts)))
        return replace(condition, term=self.term(condition.term), binders=self.binders(condition.binders))

    def binders(self, binders: tuple[Binder, ...]) -> tuple[Binder, ...]:
        return tuple(b if b.domain is None else replace(b, domain=self.term(b.domain)) for b in binders)

    def term(self, term: Term) -> Term:
        for part in term.subterms(self.known):
            args = tuple(self.known[argument] for argument in part.args)
            found = Term(part.op, args, part.name)
            if part.op in (Op.EVENTS, Op.FENCES, Op.TAGGED, Op.THREAD):
                found = Term(Op.INTERSECT, (found, self.seen))
            elif part.op in (Op.PO, Op.INT, Op.EXT, Op.ID, Op.BLOCK):
                found = Term(Op.INTERSECT, (found, Term(Op.CROSS, (self.seen, self.seen))))
            elif part.op in (Op.OPTIONAL, Op.STAR):
                known = Term(Op.PLUS, args) if part.op is Op.STAR else args[0]
                found = Term(Op.UNION, (known, Term(Op.IDENTITY, (self.seen,))))
            self.known[part] = found
        return self.known[term]


class _Writing(_Blind):
    """Rewrites terms so that some fences are writes to them, and others are no events."""

    def __init__(self, writing: Term, gone: Term) -> None:
        super().__init__(Term(Op.DIFFERENCE, (Term(Op.EVENTS), gone)))
        self.known[Term(Op.WRITES)] = Term(Op.UNION, (Term(Op.WRITES), writing))
        self.known[Term(Op.FENCES)] = Term(Op.DIFFERENCE, (Term(Op.FENCES), Term(Op.UNION, (writing, gone))))


def lifted(relation: Term) -> Term:
    """Where there is a pair between two blocks, or a block and an event outside, all their events are related."""
    outside = Term(Op.DIFFERENCE, (relation, _BLOCK))
    ends = Term(Op.OPTIONAL, (_BLOCK,))
    return Term(Op.SEQUENCE, (Term(Op.SEQUENCE, (ends, outside)), ends))


def _lifted_condition(condition: Condition) -> Condition | None:
    """The condition with its acyclic relations lifted; None where there is none."""
    if isinstance(condition, Junction):
        parts = [_lifted_condition(part) for part in condition.parts]
        if condition.mode == "or":  # one of them holds, as it is and lifted
            both = [
                part if also is None else Junction("and", (part, also))
                for part, also in zip(condition.parts, parts, strict=True)
            ]
            return Junction("or", tuple(both)) if any(parts) else None
        found = tuple(part for part in parts if part is not None)
        return Junction("and", found) if found else None
    if condition.negated:
        return None
    if condition.property == "acyclic":
        return replace(condition, term=lifted(condition.term))
    if condition.property == "irreflexive" and condition.term.op is Op.PLUS:
        return replace(condition, property="acyclic", term=lifted(condition.term.args[0]))
    return None
