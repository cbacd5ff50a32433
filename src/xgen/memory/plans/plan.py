"""Evaluation plans: a model's constraints, for one program's events, in the form that the engine evaluates.

Constraints that only the pairs of a new event can break are checked with that event's row and column of local relations
(nodes.py says what these are), the others on matrices that are computed anew on each graph.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache, reduce

from xgen import _core
from xgen.lowering.code import DEPENDENCIES, INITIAL_WRITE, Dependency, EventClass
from xgen.memory import algebra
from xgen.memory.algebra import Binder, Check, Condition, Junction, Kind, Model, Op, Term, operands
from xgen.memory.plans.nodes import UPDATES, ClassPairs, Node, is_exact, rf_and_orders
from xgen.memory.plans.walks import Walks, walks
from xgen.memory.statics.base_order import load_buffering
from xgen.memory.statics.polarity import extensible
from xgen.memory.statics.symmetric import is_symmetric
from xgen.memory.statics.vocabulary import mentioned_tags, operators
from xgen.records import dataclass

_BASE = {
    Op.PO: _core.NodeOp.PO,
    Op.RF: _core.NodeOp.RF,
    Op.MO: _core.NodeOp.MO,
    Op.FR: _core.NodeOp.FR,
    Op.LOC: _core.NodeOp.LOC,
    Op.INT: _core.NodeOp.INT,
    Op.EXT: _core.NodeOp.EXT,
    Op.ID: _core.NodeOp.ID,
    Op.RMW: _core.NodeOp.RMW,
    Op.SI: _core.NodeOp.SI,
    Op.BLOCK: _core.NodeOp.BLOCK,
    Op.OBJ: _core.NodeOp.OBJ,
    Op.ADDR: _core.NodeOp.ADDR,
    Op.DATA: _core.NodeOp.DATA,
    Op.CTRL: _core.NodeOp.CTRL,
    Op.PICK_ADDR: _core.NodeOp.PICK_ADDR,
    Op.PICK_DATA: _core.NodeOp.PICK_DATA,
    Op.PICK_CTRL: _core.NodeOp.PICK_CTRL,
    Op.EMPTY_RELATION: _core.NodeOp.EMPTY,
}
_RELATIONAL = {
    Op.UNION: _core.NodeOp.UNION,
    Op.INTERSECT: _core.NodeOp.INTERSECT,
    Op.DIFFERENCE: _core.NodeOp.DIFFERENCE,
    Op.SEQUENCE: _core.NodeOp.SEQUENCE,
    Op.INVERSE: _core.NodeOp.INVERSE,
    Op.PLUS: _core.NodeOp.PLUS,
    Op.OPTIONAL: _core.NodeOp.OPTIONAL,
    Op.CROSS: _core.NodeOp.CROSS,
    Op.IDENTITY: _core.NodeOp.IDENTITY,
}
_SETS = {
    Op.UNION: _core.NodeOp.SET_UNION,
    Op.INTERSECT: _core.NodeOp.SET_INTERSECT,
    Op.DIFFERENCE: _core.NodeOp.SET_DIFFERENCE,
    Op.DOMAIN: _core.NodeOp.DOMAIN,
    Op.RANGE: _core.NodeOp.RANGE,
}
_BOUND = {Op.BOUND, Op.THREAD, Op.VARIABLE}
_KINDS = {Op.READS: "R", Op.WRITES: "W", Op.FENCES: "F"}
_DECIDED = {Op.EVENTS, Op.INITS, Op.TAGGED, Op.EMPTY_SET, *_KINDS}
_PROPERTIES = {
    "acyclic": _core.Property.ACYCLIC,
    "irreflexive": _core.Property.IRREFLEXIVE,
    "empty": _core.Property.EMPTY,
}
_BROKEN_BY: dict[str, Callable[[int, int], tuple[int, ...]]] = {
    "acyclic": lambda row, column: (row, column),
    "irreflexive": lambda row, column: (row & column,),
    "empty": lambda row, column: (row | column,),
}
"""What a new event has to add to a relation to break a check: pairs from it and to it, with itself, or any."""

_OVER = {"node": _core.Over.NODES, "thread": _core.Over.THREADS, "variable": _core.Over.VARIABLES}

_BOOLEAN = {Op.UNION, Op.INTERSECT, Op.DIFFERENCE}


def make_plan(
    model: Model,
    classes: Sequence[EventClass],
    at_end: Iterable[int],
    ahead: bool,
    *,
    coherent: bool = False,
    holds: Iterable[int] = (),
    dependencies: bool = False,
    kinds: Collection[Dependency] = DEPENDENCIES,
    shared: bool = False,
    classes_only: bool = False,
) -> _core.Plan:
    """The plan of a model for a program with these event classes.

    `at_end` numbers the constraints that are checked on whole executions only, `holds` those that are not checked; the
    others are checked on every graph. `ahead`: threads run ahead of their reads (strategy.py); `coherent`: the model
    has coherence per location, which spares that exploration what it would find forbidden later. `dependencies`: track
    addr, data and ctrl even if the model does not use them. `kinds`: those that the program can have.

    What is made for the classes that the model tells apart is remembered. `shared`: also make do with what was made for
    more classes, so that a suite of small tests needs few plans. Such a plan computes more than it has to.

    `classes_only`: classes of executions are explored (src/core/search/classes.hpp). Then all nodes are computed as a
    whole, and `final` has the constraints that are checked on the way, too.
    """
    facts = _facts(model)
    seen = [_as_seen(c, facts.tags) for c in classes]
    needed, last, left_out = frozenset(seen), frozenset(at_end), frozenset(holds)
    if shared:
        latest = _latest(model, last, ahead, left_out)
        if not needed <= latest.classes:
            latest.classes |= needed
        needed = latest.classes
    possible = frozenset(kinds) | (DEPENDENCIES - {"pick"} if shared else frozenset())
    checks = _make_checks(model, needed, last, ahead, left_out, possible, classes_only)
    return _core.Plan(
        [checks.class_sets[c] for c in seen],
        checks.class_set_count,
        [checks.steps[c] for c in seen],
        dependencies or ahead or facts.dependencies,
        facts.dependencies or load_buffering(model)[0],
        ahead,
        coherent,
        classes_only,
        load_buffering(model)[0],
        checks.in_situ,
        checks.final,
        checks.flags,
        len(model.constraints),
    )


@dataclass(frozen=True)
class _Facts:
    """What of a model its plans depend on: the tags that tell classes apart, and whether it uses addr, data or ctrl."""

    tags: frozenset[str]
    dependencies: bool


@lru_cache(64)
def _facts(model: Model) -> _Facts:
    dependencies = not operators(model).isdisjoint(algebra.DEPENDENCIES)
    return _Facts(frozenset(mentioned_tags(model)) | UPDATES, dependencies)


def _as_seen(c: EventClass, tags: frozenset[str]) -> EventClass:
    """The class without the tags that make no difference."""
    if c.tags <= tags or c == INITIAL_WRITE:
        return c
    seen = EventClass(c.kind, c.tags & tags)
    return c if seen == INITIAL_WRITE else seen


@dataclass(frozen=True)
class _AllChecks:
    """What plans for the same classes have in common.

    `class_sets` are the numbers of the sets that each class is in, `steps` those of the classes in the checks.
    """

    class_sets: dict[EventClass, list[int]]
    class_set_count: int
    steps: dict[EventClass, int]
    in_situ: _core.Checks
    final: _core.Checks
    flags: _core.Checks


@dataclass
class _Latest:
    """The classes of the shared plan that was made last: those of all programs so far."""

    classes: frozenset[EventClass] = frozenset()


@lru_cache(64)
def _latest(model: Model, last: frozenset[int], ahead: bool, holds: frozenset[int]) -> _Latest:  # noqa: ARG001
    return _Latest()


@lru_cache(512)
def _make_checks(
    model: Model,
    classes: frozenset[EventClass],
    last: frozenset[int],
    ahead: bool,
    holds: frozenset[int],
    kinds: frozenset[Dependency],
    classes_only: bool,
) -> _AllChecks:
    sets = _ClassSets(sorted(classes, key=lambda c: (c.kind, sorted(c.tags))), kinds)
    parts: dict[str, list[tuple[int, Condition]]] = {"in situ": [], "final": [], "flags": []}
    for number, constraint in enumerate(model.constraints):
        if number in holds:
            continue
        part = "flags" if constraint.flag else "final" if number in last else "in situ"
        parts[part].append((number, constraint.condition))
    if classes_only:
        parts["final"] += parts["in situ"]
    in_situ = _Planner(sets, incremental=not classes_only, ahead=ahead).checks(parts["in situ"])
    final = _Planner(sets, incremental=False, ahead=ahead).checks(parts["final"])
    flags = _Planner(sets, incremental=False, ahead=ahead).checks(parts["flags"])
    steps = {c: n for n, c in enumerate(sets.classes)}
    return _AllChecks(sets.of_classes(), len(sets.numbers), steps, in_situ, final, flags)


class _ClassSets:
    """The sets that a plan uses and that the program's text decides, each as a set of event classes."""

    def __init__(self, classes: Sequence[EventClass], kinds: Collection[Dependency] = DEPENDENCIES) -> None:
        self.classes = classes
        self.pairs = ClassPairs(classes, kinds)
        self.numbers: dict[int, int] = {}
        self.known: dict[Term, int | None] = {}

    def of_classes(self) -> dict[EventClass, list[int]]:
        """For each event class, the numbers of the sets that it is in."""
        return {c: [n for members, n in self.numbers.items() if members >> i & 1] for i, c in enumerate(self.classes)}

    def number(self, members: int) -> int:
        """The number of a set of classes."""
        return self.numbers.setdefault(members, len(self.numbers))

    def members(self, term: Term) -> int | None:
        """The classes that make up a set (see ClassPairs), or None where the program's text does not decide the set."""
        if term.kind is not Kind.SET:
            return None
        if term not in self.known:
            below = term.op in _BOOLEAN and any(argument not in self.known for argument in term.args)
            for sub in term.subterms() if below else (term,):
                if sub not in self.known:
                    self.known[sub] = self._members(sub)
        return self.known[term]

    def _members(self, term: Term) -> int | None:
        if term.kind is not Kind.SET:
            return None
        if term.op in _BOOLEAN:
            a, b = (self.known[argument] for argument in term.args)
            if a is None or b is None:
                return None
            return a | b if term.op is Op.UNION else a & b if term.op is Op.INTERSECT else a & ~b
        if term.op not in _DECIDED:
            return None
        return self.pairs.classes_with(n for n, c in enumerate(self.classes) if _is_in(c, term))


def _is_in(c: EventClass, term: Term) -> bool:
    """Whether the events of a class are in a set that is not made of others."""
    if term.op in _KINDS:
        return c.kind == _KINDS[term.op]
    if term.op is Op.INITS:
        return c == INITIAL_WRITE
    return term.op is Op.EVENTS or (term.op is Op.TAGGED and term.name in c.tags)


_Equation = tuple[int, int, list[int]]
"""Of a recursion: the node of a variable, that of its body, and the nodes to compute anew for it."""


class _Planner:
    """Builds the nodes and the conditions of one of a plan's checks."""

    def __init__(self, sets: _ClassSets, incremental: bool, ahead: bool) -> None:
        self.sets = sets
        self.incremental = incremental
        self.ahead = ahead
        self.nodes: list[Node] = []
        self.numbers: dict[Term | tuple[object, ...], int] = {}
        self.binders: dict[str, int] = {}
        self.conditions: list[_core.Condition] = []
        self.whole: dict[int, None] = {}
        self.targets: list[int] = []  # the nodes that conditions are about
        self.walks: list[tuple[Walks, _core.Property, int, int]] = []  # with the node and the number of the constraint
        self.recursions: list[list[_Equation]] = []
        self.recursive: dict[str, int] = {}  # the variables of recursions
        self.runners: dict[tuple[str, tuple[Term, ...]], int] = {}  # the node that runs a recursion

    def checks(self, constraints: list[tuple[int, Condition]]) -> _core.Checks:
        step_checks: list[tuple[Check, int, int]] = []
        whole_checks: list[tuple[int, int]] = []
        for number, constraint in constraints:
            for condition in self.simpler(constraint):
                if isinstance(condition, Check) and self.is_step_check(condition):
                    node = self.node(condition.term)
                    self.targets.append(node)
                    step_checks.append((condition, node, number))
                elif not self.is_walk_check(condition, number):
                    whole_checks.append((self.condition(condition), number))
        needed = self.needed()
        for i, n in enumerate(self.nodes):
            n.local &= i in needed
        self.keep(needed)
        nodes = [n.row() for n in self.nodes]
        size, nothing = self.sets.pairs.size, _core.EventPlan([], [], [])
        steps = [self.step(c, step_checks) if self.incremental else nothing for c in range(size)]
        extends = self.incremental and all(extensible(constraint, self.is_empty) for _, constraint in constraints)
        whole, binders = list(self.whole), len(self.binders)
        automata = [(p, n, number, w.rows(self.nodes, self.sets.number)) for w, p, n, number in self.walks]
        return _core.Checks(
            nodes, steps, whole, self.conditions, whole_checks, binders, self.recursions, automata, extends
        )

    def step(self, event_class: int, checks: list[tuple[Check, int, int]]) -> _core.EventPlan:
        """What a new event of a class may add pairs to, and which checks these can break."""
        pairs = self.sets.pairs
        row, column = (
            pairs.product(1 << event_class, pairs.everything),
            pairs.product(pairs.everything, 1 << event_class),
        )
        local = [i for i, n in enumerate(self.nodes) if n.local and n.bound & (row | column)]
        breakable = [
            (_PROPERTIES[check.property], n, number)
            for check, n, number in checks
            if all(self.nodes[n].bound & part for part in _BROKEN_BY[check.property](row, column))
        ]
        walks = [(i, w.ends[event_class]) for i, (w, *_) in enumerate(self.walks) if w.ends[event_class]]
        return _core.EventPlan(local, breakable, walks)

    def keep(self, needed: set[int]) -> None:
        """Finds which local relations have to be kept from step to step, for others to be computed."""
        for n in needed:
            node = self.nodes[n]
            args = [self.nodes[a] for a in node.needs]
            if not node.local:
                for a in args:
                    a.kept |= a.local
            elif node.op == _core.NodeOp.PLUS:
                node.kept = True
            elif node.op == _core.NodeOp.SEQUENCE:
                args[0].kept |= not args[1].starts
                args[1].kept |= not args[0].ends

    def needed(self) -> set[int]:
        """The nodes that some condition is about, and those that they are made of; others were simplified away."""
        found: set[int] = set()
        stack = [*self.whole, *self.targets, *(n for r in self.recursions for e in r for n in (e[0], e[1], *e[2]))]
        while stack:
            n = stack.pop()
            if n not in found:
                found.add(n)
                stack += self.nodes[n].needs
        return found

    # --- conditions ---

    def simpler(self, condition: Condition) -> Iterator[Condition]:
        """Conditions that say together what this one says, without those that hold in every execution."""
        if isinstance(condition, Junction):
            for part in condition.parts if condition.mode == "and" else ():
                yield from self.simpler(part)
            if condition.mode == "or":
                yield condition
            return
        term = condition.term
        if condition.binders or condition.negated or term.kind is Kind.SET:
            yield condition
        elif condition.property != "empty" and term.op is Op.PLUS:
            yield from self.simpler(Check("acyclic", term.args[0]))
        elif condition.property != "acyclic" and term.op is Op.UNION:
            for relation in term.args:
                yield from self.simpler(Check(condition.property, relation))
        elif not self.always(condition):
            turned = self.turned(term) if condition.property == "irreflexive" else None
            yield condition if turned is None else Check("empty", turned)

    def always(self, check: Check) -> bool:
        """Whether the form of a relation shows that it has the property in every execution that is built."""
        node = self.nodes[self.node(check.term)]
        return node.op == _core.NodeOp.EMPTY or (node.forward and check.property != "empty")

    def turned(self, term: Term) -> Term | None:
        """`a & b^-1`, which is empty if and only if `a ; b` is irreflexive, for local relations a and b, if there are.

        It is the same for `b ; a`, so that they are looked for all round in a longer sequence.
        """
        parts = operands(term, Op.SEQUENCE)
        for first in range(len(parts)):
            around = parts[first:] + parts[:first]
            for size in range(1, len(parts)):
                a, b = _sequence(around[:size]), _sequence(around[size:])
                if self.nodes[self.node(a)].local and self.nodes[self.node(b)].local:
                    return Term(Op.INTERSECT, (a, Term(Op.INVERSE, (b,))))
        return None

    def is_step_check(self, check: Check) -> bool:
        """Whether only the pairs of a new event can break the check."""
        if check.binders or check.negated or check.term.kind is not Kind.RELATION:
            return False
        node = self.nodes[self.node(check.term)]
        if node.local and check.property == "acyclic":
            node.kept = True
        return node.local

    def is_walk_check(self, condition: Condition, number: int) -> bool:
        """Whether the condition is a check of a relation of which the engine looks for walks; it is noted then."""
        if not self.incremental or not isinstance(condition, Check) or condition.binders or condition.negated:
            return False
        if condition.property == "empty" or condition.term.kind is not Kind.RELATION:
            return False
        root = self.node(condition.term)
        found = walks(root, condition.property == "acyclic", self.nodes, self.sets.pairs)
        if found is None:
            return False
        for leaf in found.leaves:
            self.nodes[leaf].kept = True
        self.targets += found.leaves
        self.walks.append((found, _PROPERTIES[condition.property], root, number))
        return True

    def condition(self, condition: Condition) -> int:
        if isinstance(condition, Check):
            return self.check(condition)
        parts = [self.condition(part) for part in condition.parts]
        self.conditions.append(_core.junction(condition.mode == "and", parts))
        return len(self.conditions) - 1

    def check(self, check: Check) -> int:
        target = self.node(check.term)
        self.targets.append(target)
        loops = self.loops(check, target)
        columns = self.columns(check, target)
        self.conditions.append(_core.check(_PROPERTIES[check.property], target, loops, check.negated, columns))
        return len(self.conditions) - 1

    def columns(self, check: Check, target: int) -> list[int]:
        """Of a check that a relation is empty, by event class: the number of a set that has all it may be related to.

        Of a relation that is symmetric, pairs of two classes are looked for from one of them: so what can race only
        with accesses that are not atomic is not asked.
        """
        if check.property != "empty" or check.negated or check.binders or check.term.kind is not Kind.RELATION:
            return []
        pairs, bound = self.sets.pairs, self.nodes[target].bound
        rows = [pairs.row(bound, c) for c in range(pairs.size)]
        left = set(pairs.members(pairs.everything)) if is_symmetric(check.term) else set()
        for c, row in enumerate(rows):
            partners = set(pairs.members(row))
            if c in left and c not in partners and partners <= left:
                left.remove(c)
                rows[c] = 0
        return [self.sets.number(row) if row else -1 for row in rows]

    def loops(self, check: Check, target: int) -> list[_core.Loop]:
        """The loops of a check; what does not depend on a binder is computed once per graph."""
        levels = {binder.name: level for level, binder in enumerate(check.binders, 1)}
        domains = [-1 if b.domain is None else self.node(b.domain) for b in check.binders]
        self.targets += [domain for domain in domains if domain >= 0]
        computed: list[list[int]] = [[] for _ in range(len(check.binders) + 1)]
        level: dict[int, int] = {}
        for n in self.below([target, *(d for d in domains if d >= 0)]):
            node = self.nodes[n]
            level[n] = max((level.get(m, 0) for m in node.needs), default=0)
            if node.op == _core.NodeOp.BOUND:
                level[n] = levels[node.term.name]
            if not node.local:
                computed[level[n]].append(n)
            elif node.op != _core.NodeOp.CLASS:
                node.kept = True
        self.whole.update(dict.fromkeys(computed[0]))
        return [
            _core.Loop(_OVER[binder.over], self.binder(binder), domain, nodes)
            for binder, domain, nodes in zip(check.binders, domains, computed[1:], strict=True)
        ]

    def binder(self, binder: Binder) -> int:
        return self.binders.setdefault(binder.name, len(self.binders))

    def below(self, roots: list[int]) -> list[int]:
        """The nodes that are computed for these, arguments first; what is below a local node need not be."""
        found: set[int] = set()
        stack = list(roots)
        while stack:
            n = stack.pop()
            if n not in found:
                found.add(n)
                stack += [] if self.nodes[n].local else self.nodes[n].needs
        return sorted(found)

    # --- nodes ---

    def is_empty(self, term: Term) -> bool:
        """Whether a relation has no pairs in any execution of the program."""
        n = self.numbers.get(term)
        return n is not None and self.nodes[n].op == _core.NodeOp.EMPTY

    def node(self, root: Term) -> int:
        """The number of the node that computes a term."""
        for term in root.subterms(known=self.numbers):
            self.numbers[term] = self.make(term)
        return self.numbers[root]

    def make(self, term: Term) -> int:
        members = self.sets.members(term)
        if members is not None:
            return self.class_set(members, term)
        if term.op in _BOUND:
            number = self.binders.setdefault(term.name, len(self.binders))
            return self.add(_core.NodeOp.BOUND, (number,), term)
        if term.op in _VARIABLES:
            return self.add(_VARIABLES[term.op], (self.recursive.setdefault(term.name, len(self.recursive)),), term)
        args = tuple(self.numbers[argument] for argument in term.args)
        if term.op is Op.FIX:
            return self.fixed_point(term, args)
        if term.kind is Kind.SET:
            return self.add(_SETS[term.op], args, term)
        if term.op in _BASE:
            return self.add(_BASE[term.op], (), term)
        return self.relation(term, args)

    def relation(self, term: Term, args: tuple[int, ...]) -> int:
        nodes = [self.nodes[a] for a in args]
        if term.op is Op.STAR:
            return self.relation(Term(Op.OPTIONAL, (Term(Op.PLUS, term.args),)), (self.closure(term, args[0]),))
        if term.op is Op.PLUS:
            return self.closure(term, args[0])
        if term.op is Op.DIFFERENCE and not nodes[0].bound & nodes[1].bound:
            return args[0]
        if term.op is Op.UNION and not all(node.bound for node in nodes):
            return args[0] if nodes[0].bound else args[1]
        if term.op is Op.SEQUENCE and self.is_from_reads(*nodes):
            return self.add(_core.NodeOp.FR, (), term)
        if term.op is Op.OPTIONAL and not nodes[0].bound:
            return self.add(_core.NodeOp.ID, (), term)
        if term.op is Op.SEQUENCE and any(node.op == _core.NodeOp.ID for node in nodes):
            return args[1] if nodes[0].op == _core.NodeOp.ID else args[0]
        if term.op in (Op.INTERSECT, Op.SEQUENCE):
            restricted = self.restriction(term, args)
            if restricted is not None:
                return restricted
        return self.add(_RELATIONAL[term.op], args, term)

    def is_from_reads(self, first: Node, second: Node) -> bool:
        """Whether a sequence is rf^-1 ; mo."""
        inverse = first.op == _core.NodeOp.INVERSE and self.nodes[first.args[0]].op == _core.NodeOp.RF
        return inverse and second.op == _core.NodeOp.MO

    def closure(self, term: Term, arg: int) -> int:
        if self.nodes[arg].is_transitive(self.nodes):
            return arg
        # mo is total for each variable, so that longer paths than these are in mo or fr again.
        parts = rf_and_orders(arg, self.nodes) or set()
        if self.incremental and not self.ahead and parts == {_core.NodeOp.RF, _core.NodeOp.MO, _core.NodeOp.FR}:
            return self.add(_core.NodeOp.ECO, (), term)
        if _core.NodeOp.MO in parts:
            rf, union = self.node(Term(Op.RF)), arg
            for order in parts & {_core.NodeOp.MO, _core.NodeOp.FR} if _core.NodeOp.RF in parts else ():
                path = self.add(_core.NodeOp.SEQUENCE, (self.add(order, (), term), rf), term)
                union = self.add(_core.NodeOp.UNION, (union, path), term)
            return union
        return self.add(_core.NodeOp.PLUS, (arg,), term)

    def restriction(self, term: Term, args: tuple[int, ...]) -> int | None:
        """`r & (S * T)`, `[S] ; r` and `r ; [T]`: the pairs of r from S to T."""
        for relation, filter_, first in ((args[1], args[0], True), (args[0], args[1], False)):
            node = self.nodes[filter_]
            if term.op is Op.INTERSECT and node.op == _core.NodeOp.CROSS:
                return self.restrict(relation, node.args[0], node.args[1], term)
            if term.op is Op.SEQUENCE and node.op == _core.NodeOp.IDENTITY:
                s, whole = node.args[0], self.whole_set()
                return self.restrict(relation, *((s, whole) if first else (whole, s)), term)
        return None

    def restrict(self, relation: int, source: int, target: int, term: Term) -> int:
        pairs = self.sets.pairs
        kept = pairs.product(self.nodes[source].bound, self.nodes[target].bound)
        exact = self.nodes[source].exact and self.nodes[target].exact
        if exact and not self.nodes[relation].bound & ~kept:
            return relation
        return self.add(_core.NodeOp.RESTRICT, (relation, source, target), term)

    def whole_set(self) -> int:
        """The set of all events."""
        return self.class_set(self.sets.pairs.everything, Term(Op.EVENTS))

    def class_set(self, members: int, term: Term) -> int:
        number = self.add(_core.NodeOp.CLASS, (self.sets.number(members),), term)
        self.nodes[number].bound = members
        return number

    def add(self, op: _core.NodeOp, args: tuple[int, ...], term: Term) -> int:
        key = (op, args)
        if key in self.numbers:
            return self.numbers[key]
        node = Node(op, args, term)
        if op in _LEAVES:
            node.needs = ()
        below = [self.nodes[a] for a in node.needs]
        node.variables = frozenset(v for a in below for v in a.variables)
        node.bound = self.sets.pairs.bound(op, below)
        if not node.bound and not node.is_set and op != _core.NodeOp.EMPTY:
            self.numbers[key] = self.add(_core.NodeOp.EMPTY, (), term)
            return self.numbers[key]
        node.exact = is_exact(op, below)
        if self.incremental and not node.is_set and op not in _LEAVES:
            node.classify(below, self.ahead)
        self.numbers[key] = self.append(node)
        if op in _VARIABLES.values():
            node.variables = frozenset([self.numbers[key]])
        return self.numbers[key]

    def append(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def fixed_point(self, term: Term, bodies: tuple[int, ...]) -> int:
        """The node of a component of a recursion. The first one to be made runs it, the others wait for that one."""
        names = [f"{term.group}:{i}" for i in range(len(bodies))]
        variables = [self.node(Term(_VARIABLE_OF[b.kind], (), n)) for b, n in zip(term.args, names, strict=True)]
        op = _core.NodeOp.FIX_SET if term.kind is Kind.SET else _core.NodeOp.FIX
        runner = self.runners.get((term.group, term.args))
        if runner is not None:
            node = Node(op, (-1, variables[term.variable]), term)
            node.needs, node.variables = (runner,), self.nodes[runner].variables
            node.bound = self.sets.pairs.bound(op, ())
            return self.append(node)
        own = frozenset(variables)
        equations: list[_Equation] = []
        outside = set()
        for variable, body in zip(variables, bodies, strict=True):
            below = self.below([body])
            inside = [n for n in below if self.nodes[n].variables & own and n not in own]
            outside |= {body, *(m for n in inside for m in self.nodes[n].needs)}.difference(inside)
            equations.append((variable, body, inside))
        self.recursions.append(equations)
        node = Node(op, (len(self.recursions) - 1, variables[term.variable]), term)
        node.needs = tuple(sorted(outside - own))
        node.bound = self.sets.pairs.bound(op, ())
        node.variables = frozenset(v for b in bodies for v in self.nodes[b].variables) - own
        self.runners[term.group, term.args] = self.append(node)
        return self.runners[term.group, term.args]


_VARIABLES = {Op.REC_SET: _core.NodeOp.REC_SET, Op.REC_RELATION: _core.NodeOp.REC}
_VARIABLE_OF = {Kind.SET: Op.REC_SET, Kind.RELATION: Op.REC_RELATION}
_LEAVES = {_core.NodeOp.CLASS, _core.NodeOp.BOUND, *_VARIABLES.values()}


def _sequence(parts: Iterable[Term]) -> Term:
    """The sequence of these terms."""
    return reduce(lambda a, b: Term(Op.SEQUENCE, (a, b)), parts)
