"""The nodes of a plan: what computes each term, made once, and simpler where classes of events or forms allow it."""

from __future__ import annotations

from xgen import _core
from xgen.memory.algebra import Kind, Op, Term
from xgen.memory.base_relations import BASE_RELATIONS
from xgen.memory.plans.class_sets import ClassSets
from xgen.memory.plans.nodes import Node, is_exact, rf_and_orders

_BASE = {
    **{relation.op: getattr(_core.NodeOp, relation.op.name) for relation in BASE_RELATIONS},
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
_VARIABLES = {Op.REC_SET: _core.NodeOp.REC_SET, Op.REC_RELATION: _core.NodeOp.REC}
_VARIABLE_OF = {Kind.SET: Op.REC_SET, Kind.RELATION: Op.REC_RELATION}
_LEAVES = {_core.NodeOp.CLASS, _core.NodeOp.BOUND, *_VARIABLES.values()}

Equation = tuple[int, int, list[int]]
"""Of a recursion: the node of a variable, that of its body, and the nodes to compute anew for it."""


class NodeTable:
    """The nodes that compute terms, each once: arguments come before what is made of them.

    `incremental`: pairs of local relations are kept from event to event. `ahead`: threads run ahead of their reads.
    """

    def __init__(self, sets: ClassSets, incremental: bool, ahead: bool) -> None:
        self.sets = sets
        self.incremental = incremental
        self.ahead = ahead
        self.nodes: list[Node] = []
        self.numbers: dict[Term | tuple[object, ...], int] = {}
        self.binders: dict[str, int] = {}
        self.recursions: list[list[Equation]] = []
        self.recursive: dict[str, int] = {}  # the variables of recursions
        self.runners: dict[tuple[str, tuple[Term, ...]], int] = {}  # the node that runs a recursion

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
            return self.add(_core.NodeOp.BOUND, (self.binder(term.name),), term)
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
        equations: list[Equation] = []
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

    def binder(self, name: str) -> int:
        """The number of a variable that conditions bind."""
        return self.binders.setdefault(name, len(self.binders))

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
