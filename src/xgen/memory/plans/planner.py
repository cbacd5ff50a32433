"""The checks of a plan: which a new event can break, and with what; what is computed anew for the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import TYPE_CHECKING

from xgen import _core
from xgen.memory.algebra import Check, Condition, Junction, Kind, Op, Term, operands
from xgen.memory.plans.checks import Checks, EventPlan, Loop, Made
from xgen.memory.plans.class_sets import ClassSets
from xgen.memory.plans.table import NodeTable
from xgen.memory.statics.polarity import extensible
from xgen.memory.statics.symmetric import is_symmetric

if TYPE_CHECKING:
    from xgen.memory.plans.walks import Walks

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


class Planner:
    """Builds the nodes and the conditions of one of a plan's checks."""

    def __init__(self, sets: ClassSets, incremental: bool, ahead: bool) -> None:
        self.sets = sets
        self.incremental = incremental
        self.table = NodeTable(sets, incremental, ahead)
        self.nodes = self.table.nodes
        self.conditions: list[Made] = []
        self.whole: dict[int, None] = {}
        self.targets: list[int] = []  # the nodes that conditions are about
        self.walks: list[tuple[Walks, _core.Property, int, int]] = []  # with the node and the number of the constraint

    def kept(self, relations: Iterable[Term]) -> tuple[int, ...]:
        """The node of the union of those of the relations that are local; it is kept beside what conditions take."""
        local = [relation for relation in relations if self.nodes[self.table.node(relation)].local]
        if not local:
            return ()
        node = self.table.node(reduce(lambda a, b: Term(Op.UNION, (a, b)), local))
        self.nodes[node].kept = True
        self.targets.append(node)
        return (node,)

    def subtracted(self, checks: Checks) -> Iterator[Term]:
        """The closures that the relations of flags are less, such as happens-before: where these are kept of all
        events, whole executions are asked for the few pairs that are left (`find_pair_flags` in the core)."""
        for number, _ in checks.whole_checks:
            made = checks.conditions[number]
            if len(made) == 5 and any(column >= 0 for column in made[4]):
                yield from self._subtracted(made[1], False)

    def _subtracted(self, number: int, less: bool) -> Iterator[Term]:
        node = self.nodes[number]
        if node.op == _core.NodeOp.DIFFERENCE and not less:
            yield from self._subtracted(node.args[0], False)
            yield from self._subtracted(node.args[1], True)
        elif node.op == (_core.NodeOp.UNION if less else _core.NodeOp.INTERSECT):
            for argument in node.args:
                yield from self._subtracted(argument, less)
        elif node.op == _core.NodeOp.INVERSE and less:
            yield from self._subtracted(node.args[0], less)
        elif node.op == _core.NodeOp.PLUS and less:
            yield Term(Op.PLUS, (self.nodes[node.args[0]].term,))

    def checks(self, constraints: list[tuple[int, Condition]]) -> Checks:
        step_checks: list[tuple[Check, int, int]] = []
        whole_checks: list[tuple[int, int]] = []
        for number, constraint in constraints:
            for condition in self.simpler(constraint):
                if isinstance(condition, Check) and self.is_step_check(condition):
                    node = self.table.node(condition.term)
                    self.targets.append(node)
                    step_checks.append((condition, node, number))
                elif not self.is_walk_check(condition, number):
                    whole_checks.append((self.condition(condition), number))
        needed = self.needed()
        for i, n in enumerate(self.nodes):
            n.local &= i in needed
        self.keep(needed)
        nodes = [n.row() for n in self.nodes]
        size = self.sets.pairs.size
        steps = [self.step(c, step_checks) if self.incremental else ([], [], []) for c in range(size)]
        extends = self.incremental and all(extensible(constraint, self.table.is_empty) for _, constraint in constraints)
        whole, binders = list(self.whole), len(self.table.binders)
        automata = [(p, n, number, w.rows(self.nodes, self.sets.number)) for w, p, n, number in self.walks]
        return Checks(
            nodes, steps, whole, self.conditions, whole_checks, binders, self.table.recursions, automata, extends
        )

    def step(self, event_class: int, checks: list[tuple[Check, int, int]]) -> EventPlan:
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
        return local, breakable, walks

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
        stack = [
            *self.whole,
            *self.targets,
            *(n for r in self.table.recursions for e in r for n in (e[0], e[1], *e[2])),
        ]
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
        node = self.nodes[self.table.node(check.term)]
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
                if self.nodes[self.table.node(a)].local and self.nodes[self.table.node(b)].local:
                    return Term(Op.INTERSECT, (a, Term(Op.INVERSE, (b,))))
        return None

    def is_step_check(self, check: Check) -> bool:
        """Whether only the pairs of a new event can break the check."""
        if check.binders or check.negated or check.term.kind is not Kind.RELATION:
            return False
        node = self.nodes[self.table.node(check.term)]
        if node.local and check.property == "acyclic":
            node.kept = True
        return node.local

    def is_walk_check(self, condition: Condition, number: int) -> bool:
        """Whether the condition is a check of a relation of which the engine looks for walks; it is noted then."""
        if not self.incremental or not isinstance(condition, Check) or condition.binders or condition.negated:
            return False
        if condition.property == "empty" or condition.term.kind is not Kind.RELATION:
            return False
        from xgen.memory.plans.walks import walks  # long to import

        root = self.table.node(condition.term)
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
        self.conditions.append((condition.mode == "and", parts))
        return len(self.conditions) - 1

    def check(self, check: Check) -> int:
        target = self.table.node(check.term)
        self.targets.append(target)
        loops = self.loops(check, target)
        columns = self.columns(check, target)
        self.conditions.append((_PROPERTIES[check.property], target, loops, check.negated, columns))
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

    def loops(self, check: Check, target: int) -> list[Loop]:
        """The loops of a check; what does not depend on a binder is computed once per graph."""
        levels = {binder.name: level for level, binder in enumerate(check.binders, 1)}
        domains = [-1 if b.domain is None else self.table.node(b.domain) for b in check.binders]
        self.targets += [domain for domain in domains if domain >= 0]
        computed: list[list[int]] = [[] for _ in range(len(check.binders) + 1)]
        level: dict[int, int] = {}
        for n in self.table.below([target, *(d for d in domains if d >= 0)]):
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
            (_OVER[binder.over], self.table.binder(binder.name), domain, nodes)
            for binder, domain, nodes in zip(check.binders, domains, computed[1:], strict=True)
        ]


def _sequence(parts: Iterable[Term]) -> Term:
    """The sequence of these terms."""
    return reduce(lambda a, b: Term(Op.SEQUENCE, (a, b)), parts)
