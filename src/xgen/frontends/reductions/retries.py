"""Retry loops: rounds that another execution does without.

    r = load(x); while (!compare_exchange(x, &r, v)) { ... }

A round in which the compare-exchange fails, and which only reads otherwise, leads back to the head of its loop with
other values in the locals. If these are what they would be had the last access before the loop, a load, read what the
round has read at the same location, and the load's order is no stronger than that of the round's read, then there is an
execution without the round: its reads forbid nothing. So such a path back becomes: nothing has changed, or the thread
is blocked. Where nothing has changed the thread waits, which is the engine's matter; so are loops of loads only.
(GenMC's spin-assume: Kokologiannakis, Ren, Vafeiadis, "Dynamic partial order reductions for spinloops", FMCAD 2021.)

A round may write besides to an object that the thread has allocated, and that nobody else has the address of yet
(private.py):

    n->next = load(x); while (!compare_exchange(x, &n->next, n)) ;

What it writes is written again before anybody reads it: by the store behind the load before the loop, if that reads
what the round has read, or by each round before it does anything else. Where each round starts with a load of its own,
it is left out as a whole. A compare-exchange fails for what another thread has written: no such round waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from xgen.frontends.assembly import Branch, Step
from xgen.frontends.conditions import condition, names_in, negated
from xgen.frontends.reductions.steps import reads, written
from xgen.frontends.reductions.unpublished import Allocated, is_own, is_plain_store, unpublished_cells
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, Conditional, Expression, IntLiteral, Name, Unary, Wrap
from xgen.program.rewrite import folded
from xgen.records import dataclass, replace

WAYS = 64
"""So many paths through a round are looked at."""
_STRENGTH: dict[str | None, int] = {
    None: 0,
    **dict.fromkeys(("relaxed", "release", "once", "mb"), 1),
    **dict.fromkeys(("consume", "acquire", "acq_rel"), 2),
    "seq_cst": 3,
}
"""Of reads. Where the tags are the kernel's, a compare-exchange that fails is a READ_ONCE, whatever its name says."""

Values: TypeAlias = dict[str, Expression]
"""What locals hold, by the values at a loop's head and those of reads, which are called `#` and the step's number."""


@dataclass(frozen=True, slots=True)
class Read:
    """What a load or a failing compare-exchange reads."""

    step: int
    place: xcfa.AnyPlace
    order: str | None

    @property
    def value(self) -> Name:
        return Name(f"#{self.step}")


@dataclass(frozen=True, slots=True)
class Write:
    """A plain store to a cell that only the thread can get at, behind so many reads."""

    reads: int
    cell: str
    value: Expression


@dataclass(slots=True)
class LoopPath:
    """A path from a loop's head on. `tests` are the conditions that hold on it; `exchanges` what compare-exchanges
    expect, by the values that they read: they only read where these differ. `writes`: to the thread's own cells."""

    at: int
    values: Values = field(default_factory=dict)
    reads: list[Read] = field(default_factory=list)
    tests: list[Expression] = field(default_factory=list)
    exchanges: list[tuple[Name, Expression]] = field(default_factory=list)
    only_reads: bool = True
    writes: list[Write] = field(default_factory=list)

    def copy(self, at: int) -> LoopPath:
        return LoopPath(
            at,
            dict(self.values),
            [*self.reads],
            [*self.tests],
            [*self.exchanges],
            self.only_reads,
            [*self.writes],
        )

    def changes_nothing(self) -> bool:
        """Whether it only reads, but for the thread's own cells: all its compare-exchanges fail."""
        return self.only_reads and all(self.fails(old, expected) for old, expected in self.exchanges)

    def has_changed(self) -> bool:
        """Whether a compare-exchange fails since others have written: it expects what a local or a cell holds that
        now holds what it has read, or what the round itself has read at its location."""
        return any(
            isinstance(expected, Name) and (self.values.get(expected.name) == old or self.has_read(expected, old))
            for old, expected in self.exchanges
        )

    def has_read(self, value: Name, other: Name) -> bool:
        """Whether the round has read one value before another one, at the same location."""
        read = {each.value: each.place for each in self.reads}
        return value in read and read[value] == read.get(other)

    def fails(self, old: Name, expected: Expression) -> bool:
        for test in self.tests:
            if isinstance(test, Binary) and test.op == "/=" and test.right == expected:
                found = test.left.operand if isinstance(test.left, Wrap) else test.left
                if found == old:
                    return True
        return False


class NotSeen(Exception):
    """A loop that is not looked through."""


def shortened(
    steps: list[Step], fresh: Callable[[str], str], label: Callable[[], str], allocated: Allocated
) -> list[Step]:
    """The steps, with rounds of retry loops left out; `fresh` and `label` make new locals and labels. `allocated`: the
    cells of which it is looked whether only the thread can get at them."""
    places = {step: at for at, step in enumerate(steps) if isinstance(step, str)}
    last = last_branches(steps, places)
    if not last:
        return steps
    live = live_at(steps, places)
    edits: dict[int, list[Step]] = {}
    for head, end in last.items():
        try:
            own = unpublished_cells(steps, places, head, allocated)
            edits |= RetryLoop(steps, places, head, end, live[head], own).edits(fresh, label)
        except NotSeen:
            continue
    return [step for at, old in enumerate(steps) for step in edits.get(at, [old])]


def last_branches(steps: Sequence[Step], places: Mapping[str, int]) -> dict[int, int]:
    """By the heads of loops: the last branches that lead back there."""
    found: dict[int, int] = {}
    for at, step in enumerate(steps):
        if isinstance(step, Branch) and places.get(step.label, at + 1) < at:
            found[places[step.label]] = at
    return found


class RetryLoop:
    """The loop of the steps from a label, `head`, to the last branch back there, `end`. `own`: the cells that only the
    thread can get at."""

    def __init__(
        self, steps: Sequence[Step], places: dict[str, int], head: int, end: int, live: frozenset[str], own: Allocated
    ) -> None:
        self.steps, self.places, self.head, self.end, self.live, self.own = steps, places, head, end, sorted(live), own
        self.assigned = {name for step in steps[head : end + 1] if (name := written(step)) is not None}
        self.assigned |= {cell_of(step.place) for step in steps[head : end + 1] if is_plain_store(step, own)}
        self.anew = self.written_anew()

    def written_anew(self) -> set[str]:
        """The own cells that each round writes before it reads them, and before it goes one way or another."""
        found: set[str] = set()
        read: set[str] = set()
        for step in self.steps[self.head + 1 :]:
            if isinstance(step, xcfa.Load) and is_own(step.place, self.own):
                read.add(cell_of(step.place))
            elif is_plain_store(step, self.own):
                found |= {cell_of(step.place)} - read
            elif not isinstance(step, xcfa.Assign) and not (isinstance(step, xcfa.Load) and is_static(step.place)):
                break
        return found

    def edits(self, fresh: Callable[[str], str], label: Callable[[], str]) -> dict[int, list[Step]]:
        """What to put in the place of which steps. Raises NotSeen."""
        self.check_entries()
        paths = list(self.paths())
        if not paths or not all(path.exchanges and path.changes_nothing() for path in paths):
            return {}
        if any(path.writes for path in paths):
            ends = all(path.has_changed() for path in paths)
            return self.ended(paths, label) if ends and (self.begins_anew(paths) or self.left_out(paths)) else {}
        changing = [
            name for name in self.live if any(path.values.get(name, Name(name)) != Name(name) for path in paths)
        ]
        if not changing or not self.left_out(paths):
            return {}
        return self.rewritten({name: fresh("kept") for name in changing}, {path.at for path in paths}, label)

    def check_entries(self) -> None:
        """There is one path into the loop: from the step before its head."""
        for at, step in enumerate(self.steps):
            inside = self.head <= at <= self.end
            if isinstance(step, Branch) and not inside and self.head <= self.places.get(step.label, -1) <= self.end:
                raise NotSeen
        before = self.steps[self.head - 1] if self.head else ""
        if isinstance(before, Branch) and before.condition is None and not before.fork:
            raise NotSeen

    # ---- paths through a round

    def paths(self) -> Iterator[LoopPath]:
        """All paths from the head back to it; `at` is the branch that leads there."""
        todo = [(LoopPath(self.head + 1), frozenset[int]())]
        count = 0
        while todo:
            path, seen = todo.pop()
            while self.head < path.at <= self.end:
                at, step = path.at, self.steps[path.at]
                if at in seen or count > WAYS:
                    raise NotSeen
                seen |= {at}
                path.at += 1
                if isinstance(step, str):
                    continue
                if not isinstance(step, Branch):
                    self.step(path, at, step)
                    continue
                target = self.places.get(step.label, -1)
                test = None if step.condition is None else self.test(step.condition, path.values)
                if test == BoolLiteral(False) and not step.fork:
                    continue
                test = None if test == BoolLiteral(True) else test
                if (test is not None and test not in path.tests) or step.fork:
                    other = path.copy(at + 1)
                    other.tests += [] if test is None else [negated(test)]
                    todo.append((other, seen))
                    count += 1
                if test is not None and negated(test) in path.tests:
                    break
                path.tests += [] if test is None else [test]
                if target == self.head:
                    path.at = at
                    yield path
                    break
                path.at = target

    def step(self, path: LoopPath, at: int, step: xcfa.Statement) -> None:
        match step:
            case xcfa.Assign(target, value):
                path.values[target.name] = substituted(value, path.values)
            case xcfa.Load(target, place, order=None, exclusive=False) if is_own(place, self.own):
                path.values[target.name] = path.values.get(cell_of(place), Name(cell_of(place)))
            case xcfa.Store(value, place) if is_plain_store(step, self.own):
                write = Write(len(path.reads), cell_of(place), substituted(value, path.values))
                path.writes.append(write)
                path.values[write.cell] = write.value
            case xcfa.Load() | xcfa.Rmw() if is_own(step.place, self.own):
                raise NotSeen
            case xcfa.Load(target, place):
                path.reads.append(Read(at, located(place, path.values), step.order))
                path.values[target.name] = Name(f"#{at}")
            case xcfa.Rmw(target, "cas", place, (expected, _)) if target is not None:
                read = Read(at, located(place, path.values), step.orders[-1] if step.orders else "once")
                path.reads.append(read)
                path.exchanges.append((read.value, substituted(expected, path.values)))
                path.values[target.name] = read.value
            case xcfa.Assume(test) | xcfa.Assert(test):
                path.tests.append(self.test(test, path.values))
            case xcfa.Bound():
                pass
            case _:
                path.only_reads = False
                name = written(step)
                if name is not None:
                    raise NotSeen

    def test(self, test: Expression, values: Values) -> Expression:
        """A condition, without the numbers 0 and 1 that stand for conditions; whether it holds, if that is known."""
        return folded(simplest(substituted(test, values)))

    # ---- locals

    def stable(self, expression: Expression) -> bool:
        """Whether it is about what was read, and locals that the loop does not change."""
        return all(name.startswith("#") or name not in self.assigned for name in names_in(expression))

    # ---- executions without the round

    def begins_anew(self, paths: list[LoopPath]) -> bool:
        """Whether rounds leave nothing behind: what they write is written again first, and locals are as before."""
        return all(
            all(path.values.get(name, Name(name)) == Name(name) for name in self.live)
            and {write.cell for write in path.writes} <= self.anew
            for path in paths
        )

    def left_out(self, paths: list[LoopPath]) -> bool:
        """Whether the load before the loop might as well have read what each round reads."""
        found = self.load_before()
        if found is None:
            return False
        load, entry, writes = found
        return all(
            any(
                self.stands_for(load, entry, path, read) and self.writes_alike(load, entry, writes, path, number)
                for number, read in enumerate(path.reads)
            )
            for path in paths
        )

    def load_before(self) -> tuple[Read, Values, list[Write]] | None:
        """The load that is the last access before the loop but for writes to own cells, what locals hold then, and
        these writes."""
        at = self.head - 1
        while at >= 0 and (isinstance(self.steps[at], xcfa.Assign) or is_plain_store(self.steps[at], self.own)):
            at -= 1
        load = self.steps[at] if at >= 0 else None
        if not isinstance(load, xcfa.Load) or is_own(load.place, self.own):
            return None
        values: Values = {load.target.name: Name(f"#{at}")}
        writes = []
        for step in self.steps[at + 1 : self.head]:
            if isinstance(step, xcfa.Assign):
                values[step.target.name] = substituted(step.value, values)
            elif is_plain_store(step, self.own):
                writes.append(Write(1, cell_of(step.place), substituted(step.value, values)))
        place = located(load.place, {})
        if any(name in self.assigned or name in values for name in names_of(place)):
            return None
        return Read(at, place, load.order), values, writes

    def stands_for(self, load: Read, entry: Values, path: LoopPath, read: Read) -> bool:
        if read.place != load.place or not as_strong(read.order, load.order):
            return False
        for name in self.live:
            now, first = path.values.get(name, Name(name)), entry.get(name, Name(name))
            if name not in self.assigned and load.value.name not in names_in(first):
                continue
            if now == Name(name) and load.value.name not in names_in(first):
                continue
            if not self.stable(first) or any(n in entry for n in names_in(first)):
                return False
            if now != substituted(first, {load.value.name: read.value}):
                return False
        return True

    def writes_alike(self, load: Read, entry: Values, writes: list[Write], path: LoopPath, read: int) -> bool:
        """Whether behind a read of the round, by its number, the same is written as behind the load; what is written
        before is written anew in each round."""
        sooner = [write.cell for write in path.writes if write.reads <= read]
        later = [write for write in path.writes if write.reads > read]
        if not self.anew.issuperset(sooner) or len(later) != len(writes):
            return False
        known: Values = {load.value.name: path.reads[read].value}
        return (not path.writes or is_static(load.place)) and all(
            first.cell == now.cell
            and self.stable(first.value)
            and not any(name in entry for name in names_in(first.value))
            and substituted(first.value, known) == now.value
            for first, now in zip(writes, later, strict=True)
        )

    # ---- the loop afterwards

    def ended(self, paths: list[LoopPath], label: Callable[[], str]) -> dict[int, list[Step]]:
        """No path leads back."""
        return {path.at: way_back(self.steps[path.at], BoolLiteral(False), label) for path in paths}

    def rewritten(self, kept: dict[str, str], backs: set[int], label: Callable[[], str]) -> dict[int, list[Step]]:
        """Each path back is blocked where a local has changed. `kept`: the locals that change, and what keeps their
        values at the head."""
        position = next(step.position for step in self.steps[self.head :] if isinstance(step, Branch))
        saves: list[Step] = [xcfa.Assign(Name(old), Name(name), position) for name, old in kept.items()]
        first, *others = (Binary("=", Name(name), Name(old)) for name, old in kept.items())
        same: Expression = first
        for test in others:
            same = Binary("and", same, test)
        edits: dict[int, list[Step]] = {self.head: [self.steps[self.head], *saves]}
        for at in backs:
            edits[at] = way_back(self.steps[at], same, label)
        return edits


def way_back(step: Step, same: Expression, label: Callable[[], str]) -> list[Step]:
    """A branch to the head of a loop, for those who have changed nothing."""
    if not isinstance(step, Branch) or step.fork:
        raise NotSeen
    found: list[Step] = [xcfa.Assume(same, step.position), Branch(None, step.label, step.position)]
    if step.condition is None:
        return found
    skip = label()
    return [Branch(negated(step.condition), skip, step.position), *found, skip]


def as_strong(order: str | None, other: str | None) -> bool:
    """Whether the order of a read is no weaker than that of another one."""
    if order not in _STRENGTH or other not in _STRENGTH or (order is None) != (other is None):
        return False
    return _STRENGTH[order] >= _STRENGTH[other]


def is_static(place: xcfa.AnyPlace) -> bool:
    """Whether it is plain from its text which object a place is in."""
    return isinstance(place, xcfa.Place)


def cell_of(place: xcfa.AnyPlace) -> str:
    """What an own cell is called beside locals."""
    assert isinstance(place, xcfa.Place)
    return f"@{place.name.name}"


def live_at(steps: Sequence[Step], places: dict[str, int]) -> list[frozenset[str]]:
    """For each step: the locals whose values before it matter."""
    found = [frozenset[str]()] * (len(steps) + 1)
    used = [frozenset(() if isinstance(step, str | xcfa.Bound) else reads(step)) for step in steps]
    changed = True
    while changed:
        changed = False
        for at in range(len(steps) - 1, -1, -1):
            step, on = steps[at], found[at + 1]
            if isinstance(step, Branch):
                jumped = found[places.get(step.label, len(steps))]
                on = jumped if step.condition is None and not step.fork else on | jumped
            if not isinstance(step, str):
                name = written(step)
                on = (on - {name} if name in on else on) | used[at]
            changed |= on != found[at]
            found[at] = on
    return found


def simplest(test: Expression) -> Expression:
    """A condition, where it asks about a number that stands for a condition: that one."""
    match test:
        case Unary("not", inside):
            return negated(simplest(inside))
        case Binary("/=", number, IntLiteral(0)) if isinstance(number, Conditional):
            inside = condition(number)
            return simplest(inside) if inside != test else test
        case Binary("=", number, IntLiteral(0)) if isinstance(number, Conditional):
            return negated(simplest(Binary("/=", number, IntLiteral(0))))
    return test


def located(place: xcfa.AnyPlace, values: Values) -> xcfa.AnyPlace:
    """The place, by what locals hold."""
    if isinstance(place, xcfa.Deref):
        return replace(place, address=substituted(place.address, values))
    return replace(place, indices=tuple(substituted(index, values) for index in place.indices))


def names_of(place: xcfa.AnyPlace) -> set[str]:
    """The locals that say where a place is."""
    parts = (place.address,) if isinstance(place, xcfa.Deref) else place.indices
    return {name for part in parts for name in names_in(part)}


def substituted(expression: Expression, values: Values) -> Expression:
    """The expression, with what locals hold in their places. Raises NotSeen for what is none over locals."""
    match expression:
        case Name(name):
            return values.get(name, expression)
        case Binary():
            left, right = substituted(expression.left, values), substituted(expression.right, values)
            return replace(expression, left=left, right=right)
        case Unary() | Wrap():
            return replace(expression, operand=substituted(expression.operand, values))
        case Conditional(test, positive, negative):
            chosen = substituted(test, values)
            return Conditional(chosen, substituted(positive, values), substituted(negative, values))
        case IntLiteral() | BoolLiteral():
            return expression
    raise NotSeen
