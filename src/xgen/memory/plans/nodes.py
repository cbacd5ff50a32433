"""The nodes of evaluation plans, and what is known of a relation before there is any execution.

Of every relation it is known which pairs of event classes it can have at most (`ClassPairs`): `po(R -> F[sync])` none
where a program has no such fence. What has none is left out of a plan.

A relation is *local* when a new event adds only pairs that the event is part of. The engine keeps local relations up to
date with one row and one column per event; all others it computes anew on each graph. What makes a relation local:

- the base relations are; union, intersection, difference, inverse and `?` keep it;
- so do products and identities of sets that the program's text decides (kinds, tags);
- a sequence or a closure can be, because of the ways that relations lead. A relation *ends* at new events if these are
  the targets of all its new pairs; it *starts* there if they are the sources. If `b` ends, or `a` starts, at new
  events, `a ; b` gets no pair of old events by way of a new one, so that it is local if `a` and `b` are.

Where reads are revisited, every event joins a graph after all that is before it in (po | rf)^+, a revisited read too:
all that is within (po | rf)^* ends at new events, and has no cycle. Where threads run ahead of their reads, events join
before others that precede them in program order, but a write joins before what reads from it: rf ends at new events.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

from xgen import _core
from xgen.lowering.code import DEPENDENCIES, INITIAL_WRITE, Dependency, EventClass
from xgen.memory.algebra import Op, Term
from xgen.memory.base_relations import BASE_RELATIONS

_N = _core.NodeOp

UPDATES = {"rmw", "exclusive"}
"""The tags of events that rmw may relate."""

SET_NODES = {
    _N.CLASS, _N.BOUND, _N.DOMAIN, _N.RANGE, _N.SET_UNION, _N.SET_INTERSECT, _N.SET_DIFFERENCE, _N.REC_SET, _N.FIX_SET,
}  # fmt: skip
_INSIDE_PO = {getattr(_N, relation.op.name) for relation in BASE_RELATIONS if relation.within is Op.PO}
_TRANSITIVE = {
    *(getattr(_N, relation.op.name) for relation in BASE_RELATIONS if relation.transitive),
    *(_N.ECO, _N.CROSS, _N.IDENTITY, _N.PLUS, _N.EMPTY),
}
"""Operations whose results are transitive."""


class Node:
    """A node of a plan, with what is known about it."""

    def __init__(self, op: _core.NodeOp, args: tuple[int, ...], term: Term) -> None:
        self.op = op
        self.args = args
        self.term = term
        self.is_set = op in SET_NODES
        self.bound = 0  # the event classes, or the pairs of them, that the node has at most
        self.exact = False  # it has all events, or pairs of events, of these classes
        self.local = False
        self.ends = False  # all new pairs end at the new event
        self.starts = False  # all new pairs start at it
        self.forward = False  # within (po | rf)^+, of which no graph has a cycle
        self.kept = False
        self.needs: tuple[int, ...] = args  # the nodes to compute before
        self.variables: frozenset[int] = frozenset()  # of the recursions that the node is a part of

    def row(self) -> tuple[_core.NodeOp, int, int, int, bool]:
        """The node as the engine takes it."""
        a, b, c = (*self.args, -1, -1, -1)[:3]
        return self.op, a, b, c, self.kept

    def classify(self, args: Sequence[Node], ahead: bool) -> None:
        """Finds whether a relation is local, and which way it leads. `args` are its arguments."""
        op = self.op
        relations = [a for a in args if not a.is_set]
        if op in _INSIDE_PO:
            self.ends = self.forward = not ahead
        elif op == _N.RF:
            self.ends, self.forward = True, not ahead
        elif op == _N.EMPTY:
            self.ends = self.starts = self.forward = True
        elif op in (_N.ID, _N.IDENTITY):
            self.ends = self.starts = True
        elif op == _N.INVERSE:
            self.ends, self.starts = relations[0].starts, relations[0].ends
        elif op in (_N.INTERSECT, _N.DIFFERENCE, _N.RESTRICT):
            among = relations if op == _N.INTERSECT else relations[:1]
            self.ends = any(a.ends for a in among)
            self.starts = any(a.starts for a in among)
            self.forward = any(a.forward for a in among)
        elif op in (_N.UNION, _N.SEQUENCE, _N.PLUS, _N.OPTIONAL):
            self.ends = all(a.ends for a in relations)
            self.starts = all(a.starts for a in relations)
            some = any(a.forward for a in relations) and all(a.ends for a in relations)
            self.forward = some if op == _N.SEQUENCE else op != _N.OPTIONAL and all(a.forward for a in relations)
        self.local = op not in (_N.BLOCK, _N.OBJ) and all(a.local or a.op == _N.CLASS for a in args)
        if op == _N.SEQUENCE:
            self.local &= relations[0].starts or relations[1].ends
        elif op == _N.PLUS:
            self.local &= self.ends

    def is_transitive(self, nodes: Sequence[Node]) -> bool:
        """Whether the form of a relation shows that it is transitive."""
        if self.op in (_N.INVERSE, _N.OPTIONAL, _N.RESTRICT):
            return nodes[self.args[0]].is_transitive(nodes)
        if self.op == _N.INTERSECT:
            return all(nodes[a].is_transitive(nodes) for a in self.args)
        return self.op in _TRANSITIVE


class ClassPairs:
    """Sets of pairs of a program's event classes, as numbers: bit `a * n + b` stands for the classes a and b of n.

    Sets of classes are numbers as well: bit `a`. `dependencies` are the kinds that the program can have.
    """

    def __init__(self, classes: Sequence[EventClass], dependencies: Collection[Dependency] = DEPENDENCIES) -> None:
        self.dependencies = dependencies
        self.size = len(classes)
        self.everything = (1 << self.size) - 1
        self.threads = self.classes_with(n for n, c in enumerate(classes) if c != INITIAL_WRITE)
        self.reads, self.writes = (self.classes_with(n for n, c in enumerate(classes) if c.kind == k) for k in "RW")
        self.updates = self.classes_with(n for n, c in enumerate(classes) if c.tags & UPDATES)
        self.composed: dict[tuple[int, int], int] = {}

    def classes_with(self, numbers: Iterable[int]) -> int:
        """The set of the classes with these numbers."""
        return sum(1 << n for n in numbers)

    def members(self, classes: int) -> Iterator[int]:
        """The numbers of the classes in a set."""
        while classes:
            last = classes & -classes
            yield last.bit_length() - 1
            classes ^= last

    def product(self, sources: int, targets: int) -> int:
        """All pairs of one class from each set."""
        return targets * sum(1 << a * self.size for a in self.members(sources))

    def diagonal(self, classes: int) -> int:
        """Every class with itself."""
        return sum(1 << a * (self.size + 1) for a in self.members(classes))

    def row(self, pairs: int, source: int) -> int:
        """The classes that a class is paired with."""
        return pairs >> source * self.size & self.everything

    def sources(self, pairs: int) -> int:
        """The first classes of the pairs."""
        return self.classes_with(a for a in range(self.size) if self.row(pairs, a))

    def targets(self, pairs: int) -> int:
        """The second classes of the pairs."""
        result = 0
        for a in range(self.size):
            result |= self.row(pairs, a)
        return result

    def inverse(self, pairs: int) -> int:
        """The pairs the other way round."""
        return sum(1 << pair % self.size * self.size + pair // self.size for pair in self.members(pairs))

    def sequence(self, first: int, second: int) -> int:
        """The pairs a, c for which there is a b with a, b in the first set and b, c in the second."""
        known = self.composed.get((first, second))
        if known is None:
            known = 0
            for a in range(self.size):
                for b in self.members(self.row(first, a)):
                    known |= self.row(second, b) << a * self.size
            self.composed[first, second] = known
        return known

    def closure(self, pairs: int) -> int:
        """The transitive closure."""
        while (more := pairs | self.sequence(pairs, pairs)) != pairs:
            pairs = more
        return pairs

    @cached_property
    def base(self) -> dict[_core.NodeOp, int]:
        """The pairs that the base relations have at most."""
        accesses = self.reads | self.writes
        dependencies = self.product(self.threads, self.threads)  # on whether a store exclusive succeeded, too
        return {
            _N.PO: self.product(self.everything, self.threads),
            _N.RF: self.product(self.writes, self.reads),
            _N.MO: self.product(self.writes, self.writes & self.threads),
            _N.FR: self.product(self.reads, self.writes & self.threads),
            _N.ECO: self.product(accesses, accesses & self.threads),
            _N.LOC: self.product(accesses, accesses),
            _N.INT: self.product(self.threads, self.threads),
            _N.EXT: self.product(self.everything, self.everything),
            _N.ID: self.diagonal(self.everything),
            _N.RMW: self.product(self.reads & self.updates, self.writes & self.updates),
            _N.SI: self.product(self.reads, self.reads) | self.product(self.writes, self.writes),
            _N.BLOCK: self.product(self.threads, self.threads),
            _N.OBJ: self.product(self.threads, self.threads),
            _N.ADDR: dependencies if "addr" in self.dependencies else 0,
            _N.DATA: dependencies if "data" in self.dependencies else 0,
            _N.CTRL: dependencies if "ctrl" in self.dependencies else 0,
            _N.PICK_ADDR: dependencies if {"pick", "addr"} <= set(self.dependencies) else 0,
            _N.PICK_DATA: dependencies if "pick" in self.dependencies else 0,
            _N.PICK_CTRL: dependencies if "pick" in self.dependencies else 0,
            _N.EMPTY: 0,
        }

    def bound(self, op: _core.NodeOp, args: Sequence[Node]) -> int:
        """The classes, or pairs of classes, that a node with these arguments has at most."""
        if op in self.base:
            return self.base[op]
        of = [a.bound for a in args]
        match op:
            case _N.SET_UNION | _N.UNION:
                return of[0] | of[1]
            case _N.SET_INTERSECT | _N.INTERSECT:
                return of[0] & of[1]
            case _N.SET_DIFFERENCE | _N.DIFFERENCE:
                return of[0] & ~of[1] if args[1].exact else of[0]
            case _N.DOMAIN:
                return self.sources(of[0])
            case _N.RANGE:
                return self.targets(of[0])
            case _N.SEQUENCE:
                return self.sequence(*of)
            case _N.INVERSE:
                return self.inverse(of[0])
            case _N.PLUS:
                return self.closure(of[0])
            case _N.OPTIONAL:
                return of[0] | self.diagonal(self.everything)
            case _N.CROSS:
                return self.product(*of)
            case _N.IDENTITY:
                return self.diagonal(of[0])
            case _N.RESTRICT:
                return of[0] & self.product(of[1], of[2])
        return self.everything if op in SET_NODES else self.product(self.everything, self.everything)


_KEEP_EXACT = {_N.UNION, _N.INTERSECT, _N.DIFFERENCE, _N.INVERSE, _N.CROSS}


def is_exact(op: _core.NodeOp, args: Sequence[Node]) -> bool:
    """Whether a node with these arguments has all events, or pairs of events, of the classes that bound it."""
    return op in (_N.CLASS, _N.EMPTY) or (op in _KEEP_EXACT and all(a.exact for a in args))


def rf_and_orders(n: int, nodes: Sequence[Node]) -> set[_core.NodeOp] | None:
    """What a node is the union of, where that is rf, mo and fr, or some of them."""
    found: set[_core.NodeOp] = set()
    stack = [n]
    while stack:
        node = nodes[stack.pop()]
        if node.op == _N.UNION:
            stack += node.args
        elif node.op in (_N.RF, _N.MO, _N.FR):
            found.add(node.op)
        else:
            return None
    return found
