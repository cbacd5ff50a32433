"""Loops that look for something so many times, and give up.

    for (i = 0; i < 10000; i++) if (load(flag)) { ...; break; }

A round in which the thread does not see what it looks for only reads, and nothing is made of the count but the
question whether to look once more. Two such rounds stand for all then, the first one and the last one: a round back to
the head of the loop makes the count what it is in the last round.

- No execution is lost. Rounds that see nothing may be left out, since their reads forbid nothing: all if the thread
  sees it in the first round that is left, all but the one before where locals keep what that one has read, and all but
  the last two if the thread gives up. A race with a read, or a failed assertion, is in one of the rounds that stay.
- None is made up. Of a round that has read, the thread may do any number more directly behind it that read the same
  write by the same kind of access: what comes before such a read comes before the one that it repeats, or is that one,
  and what comes after it comes after that one, too. This is so where a round has one access on its way back, and
  nothing else that orders, or where what its last access has read makes a round with one access go back, which is no
  stronger (`while (n--) if (!load(lock) && compare_exchange(lock, 0, 1)) ...`).

Nothing else is made of the count if, behind the loop, it is only compared with what is more, or less, than it is in all
rounds. A loop that is written out cannot be found here: C's own reader asks `looks_at_most` of a round before it goes
on to write rounds out. It does not ask in the kernel's C, where a loop that is not written out orders what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set

from xgen.frontends.assembly import Branch, Step
from xgen.frontends.conditions import names_in, negated
from xgen.frontends.reductions.retries import (
    LoopPath,
    NotSeen,
    RetryLoop,
    as_strong,
    last_branches,
    live_at,
    names_of,
    substituted,
)
from xgen.frontends.reductions.steps import reads, written
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, Conditional, Expression, IntLiteral, Name, Unary, Wrap
from xgen.records import dataclass, replace

FEWEST = 4
"""Of loops with fewer rounds all are explored."""
MOST = 2000
"""So many states of a thread, by the locals that hold the count, are looked at."""
LARGEST = 2**31 - 1
"""Counts are no larger, so that none of them wraps."""
_OF_ANY_LOOP = (str, Branch, xcfa.Assign, xcfa.Assume, xcfa.Assert, xcfa.Load, xcfa.Store, xcfa.Rmw, xcfa.Fence)
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "/=": "/=", "ult": "ugt", "ule": "uge"}
_DENIED = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "=": "/=", "/=": "="}
_SIGNED = {"ult": "<", "ule": "<=", "ugt": ">", "uge": ">="}


@dataclass(frozen=True, slots=True)
class _Question:
    """Whether the count, `by` added to it, is less or more than a number, or that number; `unsigned`: if it is no less
    than 0."""

    op: str
    by: int
    other: int
    unsigned: bool

    def holds(self, count: int) -> bool:
        value = count + self.by
        if self.unsigned and value < 0:
            raise NotSeen
        match self.op:
            case "<":
                return value < self.other
            case "<=":
                return value <= self.other
            case ">":
                return value > self.other
            case ">=":
                return value >= self.other
            case "=":
                return value == self.other
            case _:
                return value != self.other

    def denied(self) -> _Question:
        return replace(self, op=_DENIED[self.op])

    def rounds(self, first: int, by: int) -> int:
        """In how many rounds it holds, from the first one on, where the count is `first` and grows `by` 1 or -1."""
        away = (self.other - self.by - first) * by
        match self.op, by:
            case ("<", 1) | (">", -1):
                found = away
            case ("<=", 1) | (">=", -1):
                found = away + 1
            case "/=", _:
                found = away
            case _:
                raise NotSeen
        if found < FEWEST:
            raise NotSeen
        self.holds(first), self.holds(first + by * (found - 1))
        return found


@dataclass(frozen=True, slots=True)
class _Count:
    """The local that counts the rounds: what it is in the first and in the last one, and by how much it grows."""

    name: str
    by: int
    first: int
    final: int

    def answer(self, question: _Question) -> bool | None:
        """What is said to a question in all rounds, if that is the same."""
        ends = question.holds(self.first), question.holds(self.final)
        if question.op in ("=", "/="):
            least, most = sorted((self.first, self.final))
            return None if least <= question.other - question.by <= most else ends[0]
        return ends[0] if ends[0] == ends[1] else None

    def made_of(self, value: Expression, known: Mapping[str, int]) -> set[str]:
        """Which of some locals that hold the count a value depends on, but by questions with one answer."""
        if isinstance(value, Name):
            return {value.name} & known.keys()
        try:
            if self.answer(_asked(value, known)) is not None:
                return set()
        except NotSeen:
            pass
        return set[str]().union(*(self.made_of(part, known) for part in xcfa.operands(value)))


def given_up(steps: list[Step], label: Callable[[], str]) -> list[Step]:
    """The steps, with two rounds in the place of all those that see nothing; `label` makes new labels."""
    places = {step: at for at, step in enumerate(steps) if isinstance(step, str)}
    last = last_branches(steps, places)
    if not last:
        return steps
    live = live_at(steps, places)
    edits: dict[int, list[Step]] = {}
    for head, end in last.items():
        try:
            edits |= _Looking(steps, places, head, end, live).edits(label)
        except NotSeen:
            continue
    return [step for at, old in enumerate(steps) for step in edits.get(at, [old])]


def looks_at_most(steps: Sequence[Step]) -> bool:
    """Whether the ways through these steps, of a round that has been written out, may be those of rounds that look for
    something: at one place, by one access or two. What a thread does that has found it is no more than accesses, of
    which it does not matter whether they are in a loop."""
    if not all(isinstance(step, _OF_ANY_LOOP) for step in steps):
        return False
    places = {step: at for at, step in enumerate(steps) if isinstance(step, str)}
    through = {len(steps)}
    for _ in range(2):  # ways lead back only to heads of loops inside
        for at in range(len(steps) - 1, -1, -1):
            step = steps[at]
            ways = [at + 1]
            if isinstance(step, Branch):
                there = places.get(step.label, -1)
                ways = [there] if step.condition is None and not step.fork else [at + 1, there]
            if through.intersection(ways):
                through.add(at)
    accesses = []
    for step in (steps[at] for at in through if at < len(steps)):
        match step:
            case xcfa.Load(place=place) | xcfa.Rmw(op="cas", place=place):
                accesses.append(place)
            case xcfa.Store() | xcfa.Rmw() | xcfa.Fence():
                return False
    return 1 <= len(accesses) <= 2 and accesses[0] == accesses[-1]


class _Looking:
    """The loop of the steps from a label, `head`, to the last branch back there, `end`."""

    def __init__(
        self, steps: Sequence[Step], places: dict[str, int], head: int, end: int, live: Sequence[frozenset[str]]
    ) -> None:
        self.steps, self.places, self.head, self.end, self.live = steps, places, head, end, live

    def edits(self, label: Callable[[], str]) -> dict[int, list[Step]]:
        """What to put in the place of which steps. Raises NotSeen."""
        loop = RetryLoop(self.steps, self.places, self.head, self.end, self.live[self.head], {})
        loop.check_entries()
        paths = list(loop.paths())
        if not paths or not all(path.reads and not path.writes and path.changes_nothing() for path in paths):
            raise NotSeen
        name, by = self.counted(paths)
        asked = {frozenset(self.questions(path, name)) for path in paths}
        if len(asked) > 1:
            raise NotSeen
        questions = asked.pop()
        self.nothing_is_kept(paths, name)
        if not all(any(_repeats(other, path) for other in paths) for path in paths):
            raise NotSeen
        first = self.begins_at(name)
        number = min((question.rounds(first, by) for question in questions), default=0)
        count = _Count(name, by, first, first + by * (number - 1))
        if number < FEWEST or max(abs(count.first), abs(count.final)) >= LARGEST:
            raise NotSeen
        self.nothing_is_made(count, questions)
        before = Binary("<" if by > 0 else ">", Name(name), IntLiteral(count.final))
        final = Conditional(before, IntLiteral(count.final), Name(name))
        return {path.at: self.back(path.at, xcfa.Assign(Name(name), final), label) for path in paths}

    def back(self, at: int, final: xcfa.Assign, label: Callable[[], str]) -> list[Step]:
        """A branch to the head of the loop, behind what makes the count that of the last round."""
        branch = self.steps[at]
        if not isinstance(branch, Branch) or branch.fork:
            raise NotSeen
        found: list[Step] = [replace(final, position=branch.position), Branch(None, branch.label, branch.position)]
        if branch.condition is None:
            return found
        after = label()
        return [Branch(negated(branch.condition), after, branch.position), *found, after]

    # ---- what rounds leave behind

    def counted(self, paths: Sequence[LoopPath]) -> tuple[str, int]:
        """The local that each round back makes one more or one less, and which of these."""
        found = {
            (name, by)
            for name in self.live[self.head]
            for by in (1, -1)
            if all(_offset(path.values.get(name, Name(name)), name) == by for path in paths)
        }
        if len(found) != 1:
            raise NotSeen
        return found.pop()

    def nothing_is_kept(self, paths: Sequence[LoopPath], count: str) -> None:
        """What locals hold after a round back comes from what this round has read, but for the count."""
        changing = {
            name for name in self.live[self.head] for path in paths if path.values.get(name, Name(name)) != Name(name)
        }
        for path in paths:
            kept = [path.values.get(name, Name(name)) for name in changing - {count}]
            kept += [expected for _, expected in path.exchanges]
            kept += [test for test in path.tests if count not in names_in(test)]
            if changing & set[str]().union(*map(names_in, kept), *(names_of(read.place) for read in path.reads)):
                raise NotSeen

    # ---- the count

    def begins_at(self, count: str) -> int:
        """What the count is before the first round."""
        for step in reversed(self.steps[: self.head]):
            if isinstance(step, str | Branch):
                raise NotSeen
            if written(step) == count:
                if isinstance(step, xcfa.Assign) and isinstance(step.value, IntLiteral):
                    return step.value.value
                raise NotSeen
        raise NotSeen

    def questions(self, path: LoopPath, count: str) -> Iterator[_Question]:
        """Those about the count that the way through a round asks."""
        return (_asked(test, {count: 0}) for test in path.tests if count in names_in(test))

    def nothing_is_made(self, count: _Count, questions: Set[_Question]) -> None:
        """Of the count, but questions that have one answer in all rounds, and those that rounds back ask. Who gives up
        has the count that it would have had."""
        todo: list[tuple[int, frozenset[tuple[str, int]]]] = [(self.head + 1, frozenset({(count.name, 0)}))]
        seen = set(todo)
        while todo:
            at, known = todo.pop()
            for following in self.followed(at, dict(known), count, questions):
                if following not in seen:
                    seen.add(following)
                    todo.append(following)
            if len(seen) > MOST:
                raise NotSeen

    def followed(
        self, at: int, known: dict[str, int], count: _Count, questions: Set[_Question]
    ) -> Iterator[tuple[int, frozenset[tuple[str, int]]]]:
        """Where the thread may be after a step, and which locals hold the count then, and how much more than it."""
        step = self.steps[at]
        ways = [at + 1]
        if isinstance(step, Branch):
            there = self.places.get(step.label, len(self.steps))
            ways = [there] if step.condition is None and not step.fork else [at + 1, there]
        if not isinstance(step, str) and known.keys() & set(reads(step)):
            match step:
                case Branch(condition=Binary() | Unary() as condition) if names_in(condition) <= known.keys():
                    question = _asked(condition, known)
                    answer = count.answer(question)
                    if question in questions or question.denied() in questions:
                        answer = question in questions
                    if answer is None:
                        raise NotSeen
                    ways = [ways[1] if answer else ways[0]]
                case Branch(condition=value) | xcfa.Assume(value) | xcfa.Assert(value) if value is not None:
                    if count.made_of(value, known):
                        raise NotSeen
                case xcfa.Store(value=value) if not known.keys() & names_of(step.place):
                    if count.made_of(value, known):
                        raise NotSeen
                case xcfa.Assign(target, value):
                    names = count.made_of(value, known)
                    by = _offset(value, next(iter(names))) if len(names) == 1 else None
                    if names and by is None:
                        raise NotSeen
                    known.pop(target.name, None) if by is None else known.update({target.name: known[names.pop()] + by})
                case _:
                    raise NotSeen
        elif not isinstance(step, str) and (name := written(step)) is not None:
            known.pop(name, None)
        for way in ways:
            if way < len(self.steps) and way != self.head:
                left = frozenset((name, by) for name, by in known.items() if name in self.live[way])
                if left:
                    yield way, left


def _repeats(other: LoopPath, path: LoopPath) -> bool:
    """Whether a round may read what the last access of a round has read, and go back, by one access."""
    if other is path and len(path.reads) == 1:
        return True
    if len(other.reads) != 1:
        return False
    (again,), read = other.reads, path.reads[-1]
    if again.place != read.place or not as_strong(read.order, again.order):
        return False
    known = {Binary("/=", old, expected) for old, expected in path.exchanges} | {*path.tests}
    return {substituted(test, {again.value.name: read.value}) for test in other.tests} <= known


def _offset(value: Expression, name: str) -> int | None:
    """What is added to a local."""
    match value:
        case Name(other):
            return 0 if other == name else None
        case Wrap(operand, bits) if bits >= 32:
            return _offset(operand, name)
        case Binary("+" | "-" as op, left, IntLiteral(number)):
            by = _offset(left, name)
            return None if by is None else by + (number if op == "+" else -number)
    return None


def _asked(test: Expression, known: Mapping[str, int]) -> _Question:
    """What a condition asks about the count; `known`: what locals are more than it. Raises NotSeen if it asks for
    something else."""
    denied = False
    while isinstance(test, Unary) and test.op == "not":
        test, denied = test.operand, not denied
    if not isinstance(test, Binary) or test.op not in _TURNED:
        raise NotSeen
    op, left, right = str(test.op), test.left, test.right
    if isinstance(left, IntLiteral):
        op, left, right = _TURNED[op], right, left
    names = names_in(left)
    if len(names) != 1 or not names <= known.keys() or not isinstance(right, IntLiteral) or right.value < 0:
        raise NotSeen
    name = names.pop()
    by = _offset(left, name)
    if by is None or right.value > LARGEST:
        raise NotSeen
    found = _Question(_SIGNED.get(op, op), known[name] + by, right.value, op in _SIGNED)
    return found.denied() if denied else found
