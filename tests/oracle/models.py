"""A few memory models as terms, from their definitions in the literature, and random models."""

from __future__ import annotations

from functools import reduce
from random import Random
from typing import Literal

from xgen.errors import Position, Source
from xgen.memory.algebra import Binder, Check, Condition, Constraint, Junction, Model, Op, Term

PO, RF, MO, FR, LOC, INT, EXT = (Term(op) for op in (Op.PO, Op.RF, Op.MO, Op.FR, Op.LOC, Op.INT, Op.EXT))
ADDR, DATA, CTRL, RMW = (Term(op) for op in (Op.ADDR, Op.DATA, Op.CTRL, Op.RMW))
PICK_ADDR, PICK_DATA, PICK_CTRL = (Term(op) for op in (Op.PICK_ADDR, Op.PICK_DATA, Op.PICK_CTRL))
READS, WRITES, FENCES, EVENTS = (Term(op) for op in (Op.READS, Op.WRITES, Op.FENCES, Op.EVENTS))

ACCESSES = Term(Op.UNION, (READS, WRITES))


def union(*terms: Term) -> Term:
    """The union of several terms."""
    return reduce(lambda left, right: Term(Op.UNION, (left, right)), terms)


def intersection(*terms: Term) -> Term:
    """The intersection of several terms."""
    return reduce(lambda left, right: Term(Op.INTERSECT, (left, right)), terms)


def minus(left: Term, right: Term) -> Term:
    """The difference of two terms."""
    return Term(Op.DIFFERENCE, (left, right))


def sequence(*terms: Term) -> Term:
    """The composition of several relations."""
    return reduce(lambda left, right: Term(Op.SEQUENCE, (left, right)), terms)


def cross(left: Term, right: Term) -> Term:
    """All pairs of two sets."""
    return Term(Op.CROSS, (left, right))


def plus(relation: Term) -> Term:
    """The transitive closure."""
    return Term(Op.PLUS, (relation,))


def on(term: Term) -> Term:
    """The identity on a set."""
    return Term(Op.IDENTITY, (term,))


def tagged(name: str) -> Term:
    """The events that bear a tag."""
    return Term(Op.TAGGED, (), name)


def acyclic(*terms: Term) -> Check:
    """The condition that the union of some relations is acyclic."""
    return Check("acyclic", union(*terms))


def model(name: str, *conditions: Condition) -> Model:
    """A model of some conditions."""
    place = Position(1, 1)
    constraints = tuple(Constraint(f"{name}-{n}", condition, place) for n, condition in enumerate(conditions))
    return Model(name, Source(name, ""), constraints)


COHERENT = acyclic(intersection(PO, LOC), RF, MO, FR)
"""Accesses to each single variable are sequentially consistent."""


def any_execution() -> Model:
    """No constraint."""
    return model("any")


def coherence() -> Model:
    """Coherence, and nothing else."""
    return model("coherence", COHERENT)


def sc() -> Model:
    """Sequential consistency (Lamport 1979; Alglave et al., Herding cats, TOPLAS 2014, figure 17)."""
    return model("sc", acyclic(PO, RF, MO, FR))


def tso(fence: Term | None = None) -> Model:
    """x86-TSO (Herding cats, figure 21): program order but for write-read pairs, unless a fence stands between them.

    `fence` are the fences that count, all of them by default. A read-modify-write is ordered with everything.
    """
    update = on(union(tagged("rmw"), tagged("failed")))
    barrier = union(sequence(PO, on(fence or FENCES), PO), sequence(PO, update), sequence(update, PO))
    preserved = union(intersection(PO, cross(READS, ACCESSES)), intersection(PO, cross(WRITES, WRITES)))
    return model("tso", COHERENT, acyclic(preserved, barrier, intersection(RF, EXT), MO, FR))


def release_acquire() -> Model:
    """Release-acquire: no cycle in happens-before with one variable's order (Lahav et al., POPL 2016)."""
    happens_before = plus(union(PO, RF))
    ordered = intersection(happens_before, LOC)
    return model("ra", Check("irreflexive", happens_before), acyclic(ordered, RF, MO, FR))


def repaired_c11() -> Model:
    """RC11 as it is defined (Lahav et al., PLDI 2017, section 3); a mutex is an acquiring update and a releasing write.

    Fences with the tags of mutexes are none. Release sequences and fences are about one thread.
    """
    within = intersection(PO, INT)
    acquires = [tagged(tag) for tag in ("acquire", "acq_rel", "seq_cst", "lock")]
    releases = [tagged(tag) for tag in ("release", "acq_rel", "seq_cst", "unlock")]
    strict = tagged("seq_cst")
    of_mutexes = minus(FENCES, union(tagged("lock"), tagged("unlock")))
    fence = on(intersection(of_mutexes, union(strict, minus(FENCES, union(*acquires, *releases, tagged("relaxed"))))))
    synchronizing = union(on(of_mutexes), on(ACCESSES))
    full = union(on(strict), fence)
    release = union(*map(on, releases), full)
    acquire = union(*map(on, acquires), full)
    atomic = union(tagged("relaxed"), *acquires[:3], *releases[:1], tagged("lock"), tagged("unlock"))
    writes, reads = intersection(WRITES, atomic), intersection(READS, atomic)
    sequences = sequence(
        on(WRITES), Term(Op.OPTIONAL, (intersection(within, LOC),)), on(writes), Term(Op.STAR, (sequence(RF, RMW),))
    )
    synchronizes = sequence(
        synchronizing, release, Term(Op.OPTIONAL, (sequence(on(FENCES), within),)), sequences,
        RF, on(reads), Term(Op.OPTIONAL, (sequence(within, on(FENCES)),)), acquire, synchronizing,
    )  # fmt: skip
    before = plus(union(PO, synchronizes))
    communication = plus(union(RF, MO, FR))
    elsewhere = minus(PO, LOC)
    strictly = union(PO, sequence(elsewhere, before, elsewhere), intersection(before, LOC), MO, FR)
    maybe = Term(Op.OPTIONAL, (before,))
    order = union(
        sequence(union(full, sequence(fence, maybe)), strictly, union(full, sequence(maybe, fence))),
        sequence(fence, union(before, sequence(before, communication, before)), fence),
    )
    return model(
        "rc11",
        Check("irreflexive", sequence(before, Term(Op.OPTIONAL, (communication,)))),
        Check("empty", intersection(RMW, sequence(FR, MO))),
        acyclic(order),
        acyclic(PO, RF),
    )


DEPENDENCIES = union(ADDR, DATA, CTRL)


def no_thin_air() -> Model:
    """Coherence, and no read depends on itself: all that dependencies alone keep in order."""
    return model("no-thin-air", COHERENT, acyclic(DEPENDENCIES, RMW, RF))


def weak_with_dependencies() -> Model:
    """Coherence, dependencies, and full fences."""
    fenced = union(sequence(PO, on(FENCES)), sequence(on(FENCES), PO))
    causal = acyclic(DEPENDENCIES, RMW, RF)
    return model("weak-dependent", COHERENT, causal, acyclic(fenced, intersection(RF, EXT), MO, FR))


def arm(acquire: str = "acq", release: str = "rel") -> Model:
    """Armv8 without its special cases (Pulte et al., POPL 2018): a total order of what other threads see.

    All fences are full; accesses bear the tags given.
    """
    external = [intersection(relation, EXT) for relation in (RF, MO, FR)]
    internal = intersection(RF, INT)
    dependency = union(
        ADDR, DATA, intersection(CTRL, cross(READS, WRITES)), sequence(ADDR, PO, on(WRITES)),
        sequence(union(ADDR, DATA), internal),
    )  # fmt: skip
    acquired, released = on(tagged(acquire)), on(tagged(release))
    barrier = union(
        sequence(PO, on(FENCES), PO), sequence(acquired, PO), sequence(PO, released), sequence(released, PO, acquired),
    )  # fmt: skip
    return model("arm", COHERENT, acyclic(*external, dependency, RMW, barrier))


def atomic_pairs() -> Model:
    """Coherence without load buffering; nothing comes between the two events of an RMW or a pair of exclusives."""
    between = sequence(intersection(FR, EXT), intersection(MO, EXT))
    return model("atomic-pairs", COHERENT, acyclic(PO, RF), Check("empty", intersection(RMW, between)))


def show_condition(condition: Condition) -> str:
    """A condition for people."""
    if isinstance(condition, Junction):
        return "(" + f" {condition.mode} ".join(map(show_condition, condition.parts)) + ")"
    binders = [f"for {b.name} in {show_term(b.domain) if b.domain else b.over}: " for b in condition.binders]
    negation = "not " if condition.negated else ""
    return "".join(binders) + f"{negation}{condition.property} {show_term(condition.term)}"


def show_term(term: Term) -> str:
    """A term for people, as nested operations."""
    name = f"[{term.name}]" if term.name else ""
    return f"{term.op.name}{name}" + (f"({', '.join(map(show_term, term.args))})" if term.args else "")


# --- Random models --------------------------------------------------------------------------------------------------

_BASE_SETS = [Term(op) for op in (Op.EVENTS, Op.READS, Op.WRITES, Op.FENCES, Op.INITS)]
_BASE_RELATIONS = [PO, PO, RF, RF, MO, MO, FR, FR, LOC, INT, EXT, Term(Op.ID), Term(Op.EMPTY_RELATION)]
_BASE_RELATIONS += [ADDR, DATA, CTRL, RMW]


def random_model(rng: Random, tags: tuple[str, ...] = ("mfence",)) -> Model:
    """A random model of up to three constraints; every operation of the algebra comes up.

    Purely random terms mostly forbid all or nothing, so that half of the constraints are communication with some of
    program order, acyclic, as most models of real machines are.
    """
    conditions: list[Condition] = [COHERENT] if rng.randint(1, 3) == 1 else []
    for _ in range(rng.randint(1, 2)):
        if rng.randint(1, 2) == 1:
            communication = rng.sample([RF, intersection(RF, EXT), MO, FR], rng.randint(1, 3))
            order = intersection(PO, random_relation(rng, tags, (), 2))
            conditions.append(acyclic(order, *communication))
        else:
            conditions.append(_random_condition(rng, tags, 2))
    return model("random", *conditions)


def random_hardware_model(rng: Random, tags: tuple[str, ...] = ("mfence", "acq", "rel"), picks: bool = False) -> Model:
    """A random model in the manner of processors: coherence, and some of what they keep in order without a cycle.

    Most allow load buffering. No two real ones differ in more than in what is drawn here; with `picks`, weaker
    dependencies among it.
    """
    weak = [PICK_ADDR, PICK_DATA, PICK_CTRL, intersection(PICK_CTRL, cross(READS, WRITES)),
        sequence(PICK_ADDR, PO, on(WRITES)), sequence(PICK_DATA, intersection(RF, INT)), PICK_DATA,
        sequence(RMW, on(tagged("computed")), intersection(RF, INT), union(ADDR, DATA))]  # fmt: skip
    same = intersection(PO, LOC)
    reads = cross(READS, READS)
    coherent = [COHERENT] * 6 + [acyclic(minus(same, reads), RF, MO, FR), acyclic(RF, MO, FR)]
    conditions: list[Condition] = [rng.choice(coherent)]
    external = [intersection(relation, EXT) for relation in (RF, MO, FR)]
    for _ in range(rng.choice((1, 1, 2))):
        seen = rng.choice((external, external, external[:1], external[:2], [RF, MO, FR], [RF]))
        kept = rng.sample(_kept_in_order(rng, tags), rng.randint(0, 7))
        conditions.append(acyclic(*seen, *kept, *(rng.sample(weak, rng.randint(0, 4)) if picks else ())))
    if rng.randint(1, 3) == 1:
        conditions.append(no_thin_air().constraints[1].condition)
    if rng.randint(1, 8) == 1:
        conditions.append(_random_condition(rng, tags, 1))
    return model("hardware", *conditions)


def random_language_model(rng: Random, tags: tuple[str, ...] = ("acq", "rel", "mfence")) -> Model:
    """A random model in the manner of languages: something happens before something, and no access goes against that.

    All forbid load buffering.
    """
    some = [on(union(*(tagged(tag) for tag in rng.sample(tags, rng.randint(1, 2))))) for _ in range(2)]
    same = intersection(PO, LOC)
    chain = rng.choice(
        (RF, sequence(RF, Term(Op.STAR, (sequence(RMW, RF),))), sequence(Term(Op.OPTIONAL, (same,)), RF))
    )
    synchronized = [RF, sequence(some[0], chain), sequence(some[0], chain, some[1]), sequence(chain, some[1]),
        sequence(some[0], Term(Op.OPTIONAL, (sequence(PO, on(WRITES)),)), chain, PO, some[1])]  # fmt: skip
    before = plus(union(rng.choice((PO, PO, sequence(some[0], PO), sequence(PO, some[1]))), rng.choice(synchronized)))
    communication = plus(union(*rng.choice(([RF, MO, FR], [RF, MO, FR], [MO, FR], [RF, MO], [RF, FR]))))
    maybe = Term(Op.OPTIONAL, (communication,))
    inverse = Term(Op.INVERSE, (RF,))
    checks: list[Condition] = [
        Check("irreflexive", sequence(before, maybe)), Check("irreflexive", sequence(before, communication)),
        Check("irreflexive", sequence(MO, before)), Check("irreflexive", sequence(RF, before, MO, inverse)),
        Check("irreflexive", union(before, sequence(before, inverse, MO))), acyclic(before, MO),
        acyclic(intersection(before, LOC), RF, MO, FR), acyclic(sequence(before, communication)),
        Check("empty", sequence(RMW, intersection(sequence(before, MO), EXT))),
        Check("irreflexive", sequence(maybe, before, on(WRITES), maybe, some[0], before)),
    ]  # fmt: skip
    return model("language", acyclic(PO, RF), *rng.sample(checks, rng.randint(1, 3)))


def _kept_in_order(rng: Random, tags: tuple[str, ...]) -> list[Term]:
    """What some processor keeps in order."""
    internal = intersection(RF, INT)
    some = union(*(tagged(tag) for tag in rng.sample(tags, rng.randint(1, len(tags)))))
    sets = (EVENTS, READS, WRITES, some)
    one, other = rng.choice(sets), rng.choice(sets)
    return [
        ADDR, DATA, DATA, CTRL, intersection(CTRL, cross(READS, WRITES)), union(ADDR, DATA, CTRL), RMW,
        sequence(ADDR, PO, on(WRITES)), sequence(union(ADDR, DATA), internal), sequence(CTRL, on(FENCES), PO),
        sequence(PO, on(FENCES), PO), sequence(on(one), PO, on(minus(FENCES, some)), PO, on(other)),
        sequence(on(some), PO), sequence(PO, on(some)), sequence(on(some), PO, on(some)),
        sequence(on(one), PO, on(other)), intersection(PO, cross(READS, READS)), intersection(PO, LOC),
        intersection(PO, cross(WRITES, WRITES)), sequence(on(Term(Op.RANGE, (RMW,))), internal),
        sequence(PO, on(Term(Op.RANGE, (RMW,)))),        sequence(on(Term(Op.DOMAIN, (RMW,))), PO), internal,
    ]  # fmt: skip


def _random_condition(rng: Random, tags: tuple[str, ...], depth: int) -> Condition:
    if depth and rng.randint(1, 8) == 1:
        parts = tuple(_random_condition(rng, tags, depth - 1) for _ in range(2))
        return Junction(rng.choice(("and", "or")), parts)
    binders: list[Binder] = []
    kinds: tuple[Literal["thread", "variable", "node"], ...] = ("thread", "variable", "node")
    for over in kinds:
        if rng.randint(1, 6) == 1:
            domain = random_set(rng, tags, tuple(binders), 1) if over == "node" else None
            binders.append(Binder(f"{over}{len(binders)}", over, domain))
    term = random_relation(rng, tags, tuple(binders), 3)
    negated = rng.randint(1, 12) == 1
    return Check(rng.choice(("acyclic", "acyclic", "irreflexive", "empty")), term, tuple(binders), negated)


def random_set(rng: Random, tags: tuple[str, ...], binders: tuple[Binder, ...], depth: int) -> Term:
    """A random term for a set."""
    if depth and rng.randint(1, 3) == 1:
        if rng.randint(1, 3) == 1:
            relation = random_relation(rng, tags, binders, depth - 1)
            return Term(rng.choice((Op.DOMAIN, Op.RANGE)), (relation,))
        both = tuple(random_set(rng, tags, binders, depth - 1) for _ in range(2))
        return Term(rng.choice((Op.UNION, Op.INTERSECT, Op.DIFFERENCE)), both)
    bound = {"node": Op.BOUND, "thread": Op.THREAD, "variable": Op.VARIABLE}
    named = [Term(bound[binder.over], (), binder.name) for binder in binders]
    return rng.choice([*_BASE_SETS, *map(tagged, tags), Term(Op.EMPTY_SET), *(named * 4)])


def random_relation(rng: Random, tags: tuple[str, ...], binders: tuple[Binder, ...], depth: int) -> Term:
    """A random term for a relation."""
    if depth == 0 or rng.randint(1, 4) == 1:
        return rng.choice(_BASE_RELATIONS)
    kind = rng.randint(1, 11)
    if kind == 11:
        return random_recursion(rng, tags, binders, depth - 1)
    if kind <= 2:
        op = rng.choice((Op.INVERSE, Op.PLUS, Op.STAR, Op.OPTIONAL))
        return Term(op, (random_relation(rng, tags, binders, depth - 1),))
    if kind == 3:
        return on(random_set(rng, tags, binders, depth - 1))
    if kind <= 5:
        return cross(random_set(rng, tags, binders, depth - 1), random_set(rng, tags, binders, depth - 1))
    op = rng.choice((Op.SEQUENCE, Op.UNION, Op.UNION, Op.INTERSECT, Op.INTERSECT, Op.DIFFERENCE))
    return Term(op, tuple(random_relation(rng, tags, binders, depth - 1) for _ in range(2)))


def random_recursion(rng: Random, tags: tuple[str, ...], binders: tuple[Binder, ...], depth: int) -> Term:
    """A random relation by recursion; the bodies are monotone in the variables, and may be recursions themselves."""
    group = f"g{rng.randint(0, 10**9)}"
    kinds = [rng.choice((Op.REC_SET, Op.REC_RELATION)) for _ in range(rng.randint(0, 2))] + [Op.REC_RELATION]
    variables = [Term(op, (), f"{group}:{i}") for i, op in enumerate(kinds)]
    sets = [variable for variable in variables if variable.op is Op.REC_SET]
    relations = [variable for variable in variables if variable.op is Op.REC_RELATION]

    def body(of_set: bool) -> Term:
        if of_set:
            some = [Term(Op.RANGE, (sequence(on(s), random_relation(rng, tags, binders, depth)),)) for s in sets]
            some += [Term(Op.DOMAIN, (intersection(r, random_relation(rng, tags, binders, depth)),)) for r in relations]
            first = random_set(rng, tags, binders, depth)
        else:
            some = [sequence(r, random_relation(rng, tags, binders, depth)) for r in relations]
            some += [sequence(a, b) for a in relations for b in relations]
            some += [intersection(random_relation(rng, tags, binders, depth), cross(s, EVENTS)) for s in sets]
            first = random_relation(rng, tags, binders, depth)
        return union(first, *rng.sample(some, min(len(some), 2)))

    bodies = tuple(body(variable.op is Op.REC_SET) for variable in variables)
    return Term(Op.FIX, bodies, f"{group}:{len(variables) - 1}")
