"""The sets of events that a program's text decides, as sets of its event classes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xgen.lowering.code import DEPENDENCIES, Dependency, EventClass
from xgen.memory.algebra import Kind, Op, Term
from xgen.memory.plans.nodes import ClassPairs
from xgen.memory.statics.decided import DECIDED, is_in

_BOOLEAN = {Op.UNION, Op.INTERSECT, Op.DIFFERENCE}


class ClassSets:
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
        if term.op not in DECIDED:
            return None
        return self.pairs.classes_with(n for n, c in enumerate(self.classes) if is_in(c, term))
