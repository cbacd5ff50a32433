"""A small evaluator of the algebra for one execution graph: sets and relations are Python sets, spelled out by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from xgen.memory.algebra import DEPENDENCIES, Binder, Check, Condition, Junction, Model, Op, Term


@dataclass(frozen=True)
class Event:
    """An event; an initial write has no thread, a fence no variable."""

    name: str
    thread: int | None
    kind: str
    variable: str | None = None
    tags: frozenset[str] = frozenset()


Relation = set[tuple[str, str]]
Known = dict[tuple[Any, ...], Any]
"""Values of terms, by the term and the values of the names in it."""


@cache
def names_in(term: Term) -> tuple[str, ...]:
    """The binders and the variables of recursions that a term mentions."""
    named = (Op.BOUND, Op.THREAD, Op.VARIABLE, Op.REC_SET, Op.REC_RELATION)
    return tuple(sorted({part.name for part in term.subterms() if part.op in named}))


class Graph:
    """An execution graph; `rf` is a list of "write read", `mo` of the writes to each variable in their order."""

    def __init__(
        self, inits: Iterable[Event], threads: Iterable[Iterable[Event]], rf: Iterable[str], mo: Iterable[str]
    ) -> None:
        self.inits = list(inits)
        self.threads = [list(thread) for thread in threads]
        self.events = {e.name: e for e in [*self.inits, *(e for thread in self.threads for e in thread)]}
        ordered = [[e.name for e in thread] for thread in self.threads]
        self.po = {pair for thread in ordered for pair in _order(thread)}
        self.po |= {(init.name, e) for init in self.inits for thread in ordered for e in thread}
        self.rf = {(pair.split()[0], pair.split()[1]) for pair in rf}
        self.mo = {pair for line in mo for pair in _order(line.split())}
        self.given: dict[Op, Relation] = {op: set() for op in (Op.RMW, *DEPENDENCIES)}

    def value(self, term: Term, bound: Mapping[str, Any] | None = None, known: Known | None = None) -> Any:
        """The set or relation that a term denotes; `bound` gives binders their event, thread or variable.

        `known` are values that were found on the way here.
        """
        bound, known = bound or {}, {} if known is None else known
        names = [name for name in names_in(term) if name in bound]
        key = term, *(frozenset(v) if isinstance(v, set) else v for v in (bound[name] for name in names))
        if key not in known:
            if term.op is Op.FIX:
                known[key] = self._fixed_point(term, dict(bound), known)
            else:
                args = [self.value(argument, bound, known) for argument in term.args]
                known[key] = self._atom(term, bound) if not args else _apply(term.op, args, set(self.events))
        return known[key]

    def _fixed_point(self, term: Term, bound: dict[str, Any], known: Known) -> Any:
        """The recursion's bodies evaluated in their order, round by round, until nothing is gained."""
        names = [f"{term.group}:{i}" for i in range(len(term.args))]
        bound |= {name: set() for name in names}
        gained = True
        while gained:
            gained = False
            for name, body in zip(names, term.args, strict=True):
                old, bound[name] = bound[name], self.value(body, bound, known)
                gained |= not bound[name] <= old
        return bound[term.name]

    def _atom(self, term: Term, bound: Mapping[str, Any]) -> Any:
        events = self.events.values()
        everything = set(product(self.events, self.events))
        match term.op:
            case Op.EVENTS:
                return set(self.events)
            case Op.READS | Op.WRITES | Op.FENCES:
                return {e.name for e in events if e.kind == term.op.name[0]}
            case Op.INITS:
                return {e.name for e in self.inits}
            case Op.TAGGED:
                return {e.name for e in events if term.name in e.tags}
            case Op.BOUND:
                return {bound[term.name]}
            case Op.THREAD:
                return {e.name for e in events if e.thread == bound[term.name]}
            case Op.VARIABLE:
                return {e.name for e in events if e.variable == bound[term.name]}
            case Op.REC_SET | Op.REC_RELATION:
                return set(bound[term.name])
            case Op.EMPTY_SET | Op.EMPTY_RELATION:
                return set()
            case Op.PO:
                return self.po
            case Op.RF:
                return self.rf
            case Op.MO:
                return self.mo
            case Op.FR:
                return {(r, w) for source, r in self.rf for before, w in self.mo if before == source}
            case Op.LOC:
                return {(a, b) for a, b in everything if self.variable(a) and self.variable(a) == self.variable(b)}
            case Op.INT:
                return {
                    (a, b) for a, b in everything if self.thread(a) is not None and self.thread(a) == self.thread(b)
                }
            case Op.EXT:
                return {(a, b) for a, b in everything if self.thread(a) != self.thread(b)}
            case Op.ID:
                return {(e, e) for e in self.events}
            case Op.SAME:
                first, second = term.name.split(", ") if "," in term.name else (term.name, term.name)
                return {(a, b) for a, b in everything if self.families(a, first) & self.families(b, second)}
            case Op.SI:
                return self.given.get(Op.SI, set())  # these graphs have whole accesses, unless they say otherwise
            case op if op in self.given:
                return self.given[op]
        raise AssertionError(term)

    def variable(self, event: str) -> str | None:
        return self.events[event].variable

    def families(self, event: str, name: str) -> set[str]:
        return {tag[len(name) + 1 :] for tag in self.events[event].tags if tag.startswith(name + ".")}

    def thread(self, event: str) -> int | None:
        return self.events[event].thread

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is satisfied."""
        if isinstance(condition, Junction):
            parts = [self.holds(part) for part in condition.parts]
            return all(parts) if condition.mode == "and" else any(parts)
        bindings = self.bindings(condition.binders)
        return condition.negated != all(_has(condition, self.value(condition.term, bound)) for bound in bindings)

    def bindings(self, binders: tuple[Binder, ...], bound: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """Every choice of values for the binders."""
        bound = dict(bound or {})
        if not binders:
            yield bound
            return
        choices: Iterable[Any] = range(len(self.threads))
        if binders[0].over == "variable":
            choices = sorted({e.variable for e in self.events.values() if e.variable})
        elif binders[0].domain is not None:
            choices = sorted(self.value(binders[0].domain, bound))
        for choice in choices:
            yield from self.bindings(binders[1:], {**bound, binders[0].name: choice})

    def allowed(self, model: Model) -> bool:
        """Whether the model's constraints all hold."""
        return all(self.holds(constraint.condition) for constraint in model.constraints if not constraint.flag)

    def flags(self, model: Model) -> list[str]:
        """The flags that the execution raises."""
        return [c.name for c in model.constraints if c.flag and not self.holds(c.condition)]


def _order(names: list[str]) -> Relation:
    return {(a, b) for i, a in enumerate(names) for b in names[i + 1 :]}


def _sequence(first: Relation, second: Relation) -> Relation:
    return {(a, d) for a, b in first for c, d in second if b == c}


def _plus(relation: Relation) -> Relation:
    result = set(relation)
    while not (more := _sequence(result, relation)) <= result:
        result |= more
    return result


def _apply(op: Op, args: list[Any], events: set[str]) -> Any:
    identity = {(e, e) for e in events}
    match op:
        case Op.DOMAIN:
            return {a for a, _ in args[0]}
        case Op.RANGE:
            return {b for _, b in args[0]}
        case Op.SEQUENCE:
            return _sequence(*args)
        case Op.INVERSE:
            return {(b, a) for a, b in args[0]}
        case Op.PLUS:
            return _plus(args[0])
        case Op.STAR:
            return _plus(args[0]) | identity
        case Op.OPTIONAL:
            return args[0] | identity
        case Op.CROSS:
            return set(product(*args))
        case Op.IDENTITY:
            return {(e, e) for e in args[0]}
        case Op.UNION:
            return args[0] | args[1]
        case Op.INTERSECT:
            return args[0] & args[1]
        case Op.DIFFERENCE:
            return args[0] - args[1]
    raise AssertionError(op)


def _has(check: Check, relation: Relation) -> bool:
    if check.property == "empty":
        return not relation
    if check.property == "irreflexive":
        return all(a != b for a, b in relation)
    return all(a != b for a, b in _plus(relation))
