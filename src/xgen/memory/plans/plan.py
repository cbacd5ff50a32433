"""Evaluation plans: a model's constraints, for one program's events, in the form that the engine evaluates.

Constraints that only the pairs of a new event can break are checked with that event's row and column of local relations
(nodes.py says what these are), the others on matrices that are computed anew on each graph.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property, lru_cache

from xgen import _core
from xgen.lowering.code import DEPENDENCIES, INITIAL_WRITE, Dependency, EventClass
from xgen.memory.algebra import Condition, Model, Term
from xgen.memory.cache import remembered
from xgen.memory.plans.checks import Checks
from xgen.memory.ready import facts
from xgen.records import dataclass


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
    order: tuple[Term, ...] = (),
) -> _core.Plan:
    """The plan of a model for a program with these event classes.

    `at_end` numbers the constraints that are checked on whole executions only, `holds` those that are not checked; the
    others are checked on every graph. `ahead`: threads run ahead of their reads (strategy.py); `coherent`: the model
    has coherence per location, which spares that exploration what it would find forbidden later. `dependencies`: track
    addr, data and ctrl even if the model does not use them. `kinds`: those that the program can have.

    What is made for the classes that the model tells apart is remembered. `shared`: also make do with what was made for
    more classes, so that a suite of small tests needs few plans. Such a plan computes more than it has to.

    `classes_only`: classes of executions are explored (src/core/search/classes.hpp). Then all nodes are computed as a
    whole, and `final` has the constraints that are checked on the way, too. `order`: relations whose union is kept
    beside, as far as they are local (memory/statics/in_order.py).
    """
    known = facts(model)
    seen = [_as_seen(c, known.tags) for c in classes]
    needed, last, left_out = frozenset(seen), frozenset(at_end), frozenset(holds)
    if shared:
        latest = _latest(model, last, ahead, left_out)
        if not needed <= latest.classes:
            latest.classes |= needed
        needed = latest.classes
    possible = frozenset(kinds) | (DEPENDENCIES - {"pick"} if shared else frozenset())
    made = _made(model, needed, last, ahead, left_out, possible, classes_only, order)
    in_situ, final, flags = made.in_core
    return _core.Plan(
        [made.sets[c] for c in seen],
        made.class_set_count,
        [made.steps[c] for c in seen],
        dependencies or ahead or known.dependencies,
        known.dependencies or known.buffering,
        ahead,
        coherent,
        classes_only,
        known.buffering,
        known.whole,
        in_situ,
        final,
        flags,
        len(model.constraints),
        list(made.order),
    )


def _as_seen(c: EventClass, tags: frozenset[str]) -> EventClass:
    """The class without the tags that make no difference."""
    if c.tags <= tags or c == INITIAL_WRITE:
        return c
    seen = EventClass(c.kind, c.tags & tags)
    return c if seen == INITIAL_WRITE else seen


@dataclass(frozen=True)
class _Made:
    """What plans for the same classes have in common.

    `class_sets` are the numbers of the sets that each class is in; their order is that of the classes in the checks.
    `checks` are those of every graph, those of whole executions, and flags. `order`: nodes that are kept.
    """

    class_sets: tuple[tuple[EventClass, list[int]], ...]
    class_set_count: int
    checks: tuple[Checks, Checks, Checks]
    order: tuple[int, ...]

    @cached_property
    def sets(self) -> dict[EventClass, list[int]]:
        """The sets by their classes."""
        return dict(self.class_sets)

    @cached_property
    def steps(self) -> dict[EventClass, int]:
        """The numbers of the classes in the checks."""
        return {c: n for n, (c, _) in enumerate(self.class_sets)}

    @cached_property
    def in_core(self) -> tuple[_core.Checks, ...]:
        """The checks as the engine has them."""
        return tuple(_core.Checks(*checks) for checks in self.checks)


@dataclass
class _Latest:
    """The classes of the shared plan that was made last: those of all programs so far."""

    classes: frozenset[EventClass] = frozenset()


@lru_cache(64)
def _latest(model: Model, last: frozenset[int], ahead: bool, holds: frozenset[int]) -> _Latest:  # noqa: ARG001
    return _Latest()


@remembered
def _made(
    model: Model,
    classes: frozenset[EventClass],
    last: frozenset[int],
    ahead: bool,
    holds: frozenset[int],
    kinds: frozenset[Dependency],
    classes_only: bool,
    order: tuple[Term, ...],
) -> _Made:
    # These are long to import.
    from xgen.memory.plans.class_sets import ClassSets
    from xgen.memory.plans.planner import Planner

    sets = ClassSets(sorted(classes, key=lambda c: (c.kind, sorted(c.tags))), kinds)
    parts: dict[str, list[tuple[int, Condition]]] = {"in situ": [], "final": [], "flags": []}
    for number, constraint in enumerate(model.constraints):
        if number in holds:
            continue
        part = "flags" if constraint.flag else "final" if number in last else "in situ"
        parts[part].append((number, constraint.condition))
    if classes_only:
        parts["final"] += parts["in situ"]
    planner = Planner(sets, incremental=not classes_only, ahead=ahead)
    kept = planner.kept(order)
    of_flags = Planner(sets, incremental=False, ahead=ahead)
    flags = of_flags.checks(parts["flags"])
    if order:
        for closure in dict.fromkeys(of_flags.subtracted(flags)):
            planner.kept([closure])
    in_situ = planner.checks(parts["in situ"])
    final = Planner(sets, incremental=False, ahead=ahead).checks(parts["final"])
    return _Made(tuple(sets.of_classes().items()), len(sets.numbers), (in_situ, final, flags), kept)
