"""Control dependencies as the Linux kernel's model has them: they end where the branches meet.

    if (READ_ONCE(x))
        WRITE_ONCE(y, 1);       ordered behind the read
    WRITE_ONCE(z, 1);           not: it is executed either way (tools/memory-model/Documentation/explanation.txt)

In the engine, a branch decides all that a thread does afterwards, and the thread waits there for what it has read. So
around each branch that this matters for, what had decided before is kept, the condition is predicted, and where the
ways meet, only what was kept decides. It matters if a write may follow there that no full fence keeps behind.

Where the ways meet is the immediate postdominator of the branch, in the graph of all steps with calls inlined. A branch
that decides whether the thread ever comes there orders all that follows: one that a loop goes on or ends by, one with
such a loop on a way, BUG_ON, which does not come back. (So smp_cond_load_relaxed orders later writes, as
smp_acquire__after_ctrl_dep asks for; this is control dependence that minds non-termination: Ranganath et al., TOPLAS
2007.) Two things are values, not places, and so go on: what a function returns, and what `&&`, `||` and `?:` are,
depends on what has decided which it is.

An assertion is a question, and orders nothing. Where writes may follow, a thread goes on behind one that fails, too,
and has failed at its end: that it fails may come of what it does later.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xgen.frontends.assembly import Branch, Step
from xgen.frontends.conditions import negated, number
from xgen.frontends.dominance import postdominators
from xgen.frontends.library.kernel import FULL
from xgen.frontends.mixed_size.parts import refuted_unless
from xgen.frontends.reductions.steps import reads
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, Expression, IntLiteral, Name
from xgen.records import dataclass

QUESTION = "question"
"""What locals are called that hold whether an assertion does which is only a question."""


def scoped(steps: Sequence[Step], fresh: Callable[[str], str], label: Callable[[], str]) -> list[Step]:
    """The steps of a thread, with control dependencies that end. `fresh` and `label` make new locals and labels."""
    return _Scopes(_asked(list(steps), fresh, label), fresh, label).steps()


def is_question(step: Step) -> bool:
    """Whether it is an assertion that is only a question."""
    match step:
        case xcfa.Assert(Binary("/=", Name(name), IntLiteral(0)), kind="assertion"):
            return name.partition("$")[0] == QUESTION
    return False


def _asked(steps: list[Step], fresh: Callable[[str], str], label: Callable[[], str]) -> list[Step]:
    """The steps with two ways on from each question that writes may follow: it is asked, and the thread ends where it
    fails; or it fails, and the thread goes on, and has failed at its end."""
    if not any(map(is_question, steps)):
        return steps
    followed, end = _Graph(steps).followed(), label()
    found: list[Step] = []
    failures: list[xcfa.Assert] = []
    for step, writes in zip(steps, followed, strict=True):
        if isinstance(step, Branch) and step.label == "":
            found.append(Branch(step.condition, end, step.position, step.fork, step.meeting))
        elif not is_question(step) or not writes:
            found.append(step)
        else:
            assert isinstance(step, xcfa.Assert)
            position, failed, on, meeting = step.position, Name(fresh("failed")), label(), label()
            found += [Branch(None, on, position, fork=True), step, Branch(None, meeting, position), on]
            found += [refuted_unless(negated(step.condition), Name(fresh("wrong")), position)]
            found += [xcfa.Assign(failed, IntLiteral(1), position), meeting]
            failures.append(xcfa.Assert(Binary("=", failed, IntLiteral(0)), position))
    return [*found, end, *failures]


def _writes(step: Step) -> bool:
    """Whether a step writes, and nothing of its own keeps it behind all that is before it."""
    match step:
        case xcfa.Store():
            return "release" not in (step.order, *step.tags)
        case xcfa.Rmw():
            return "release" not in step.write_tags
        case xcfa.Mutex():
            return step.op == "lock"
    return isinstance(step, xcfa.StoreExclusive)


def _is_full(step: Step) -> bool:
    """Whether all that is before a step comes before all that follows."""
    if isinstance(step, xcfa.Fence):
        return step.tag in FULL
    return (isinstance(step, xcfa.Control) and not step.tags) or (
        isinstance(step, xcfa.Rmw) and step.op not in xcfa.CONDITIONAL_RMWS and step.orders == ("mb",)
    )


def _may_end(step: Step) -> bool:
    """Whether a thread may not get past a step, by what the program says."""
    return isinstance(step, xcfa.Assume | xcfa.Cut) or (
        isinstance(step, xcfa.Assert) and step.kind == "assertion" and not is_question(step)
    )


@dataclass(frozen=True, slots=True)
class _Block:
    """Steps of which the last may branch: those from `first` on, up to `end`."""

    first: int
    end: int
    following: tuple[int, ...]

    @property
    def ends(self) -> tuple[int, int]:
        return self.first, self.end


class _Graph:
    """The blocks of a thread. Behind them all is one more, its end."""

    def __init__(self, steps: list[Step]) -> None:
        self.all = steps
        ends = {at for at, step in enumerate(steps) if isinstance(step, str)}
        ends |= {at + 1 for at, step in enumerate(steps) if isinstance(step, Branch)}
        starts = sorted({0, *ends} - {len(steps)})
        at = {first: number for number, first in enumerate(starts)}
        self.end = len(starts) if steps else 0
        labels = {step: at[n] for n, step in enumerate(steps) if isinstance(step, str)}
        self.blocks: list[_Block] = []
        for first, last in zip(starts, [*starts[1:], len(steps)], strict=True):
            branch = steps[last - 1]
            following = []
            if isinstance(branch, Branch):
                following.append(labels.get(branch.label, self.end))
            if not isinstance(branch, Branch) or branch.condition is not None or branch.fork:
                following.append(at.get(last, self.end))
            if any(map(_may_end, steps[first:last])):
                following.append(self.end)
            self.blocks.append(_Block(first, last, tuple(dict.fromkeys(following))))

    def followed(self) -> list[bool]:
        """For each step, whether a write may follow behind it that no full fence is before."""
        inside = [False] * (self.end + 1)
        changed = True
        while changed:
            changed = False
            for place in range(self.end - 1, -1, -1):
                before = self._backwards(place, inside, {})
                changed |= before != inside[place]
                inside[place] = before
        found: dict[int, bool] = {}
        for place in range(self.end):
            self._backwards(place, inside, found)
        self.inside = inside
        return [found[n] for n in range(len(self.all))]

    def _backwards(self, place: int, inside: list[bool], found: dict[int, bool]) -> bool:
        """Whether there is such a write behind the start of a block; `found` gets what is behind each step."""
        block = self.blocks[place]
        follows = any(inside[each] for each in block.following)
        for n in range(block.end - 1, block.first - 1, -1):
            found[n] = follows
            follows = not _is_full(self.all[n]) and (follows or _writes(self.all[n]))
        return follows

    def meetings(self) -> dict[int, int | None]:
        """For each block from which a way leads to the end, the next one that all such ways lead through."""
        following = dict(enumerate(block.following for block in self.blocks))
        preceding: dict[int, list[int]] = {}
        for place, targets in following.items():
            for each in targets:
                preceding.setdefault(each, []).append(place)
        return postdominators([self.end], following, preceding)

    def region(self, first: int, meeting: int) -> list[int] | None:
        """The blocks on the ways from a branch to where they meet; None if one may go round for ever."""
        done: set[int] = set()
        path = {first}
        order: list[int] = []
        stack = [(first, iter(self.blocks[first].following))]
        while stack:
            at, others = stack[-1]
            other = next(others, None)
            if other is None:
                stack.pop()
                path.discard(at)
                done.add(at)
                order.append(at)
            elif other in path or other == self.end:
                return None
            elif other not in done and other != meeting:
                path.add(other)
                stack.append((other, iter(self.blocks[other].following)))
        return order


@dataclass(frozen=True, slots=True)
class _Scope:
    """A branch, by its block, whose ways meet: at which block, through which, and the local that keeps what decided."""

    meeting: int
    branch: int
    region: frozenset[int]
    kept: Name


class _Scopes:
    """Puts scopes around the branches of a thread."""

    def __init__(self, steps: list[Step], fresh: Callable[[str], str], label: Callable[[], str]) -> None:
        self.all, self.fresh, self.label = steps, fresh, label
        self.graph = _Graph(steps)
        self.followed = self.graph.followed()
        self.read_at: dict[str, list[int]] = {}
        for at, step in enumerate(steps):
            for name in () if isinstance(step, str) else reads(step):
                self.read_at.setdefault(name, []).append(at)

    def steps(self) -> list[Step]:
        """The steps with them."""
        scopes = self.scopes()
        found: list[Step] = []
        landings: list[Step] = []
        for place, block in enumerate(self.graph.blocks):
            steps = self.all[block.first : block.end]
            branch = steps[-1] if isinstance(steps[-1], Branch) else None
            body = steps if branch is None else steps[:-1]
            for at, step in enumerate(body, block.first):
                found += self.asserted(at, step)
            left = {each: self.leaving(scopes, place, each) for each in block.following}
            if branch is not None:
                target = block.following[0]
                if place in scopes:
                    assert branch.condition is not None
                    found += [xcfa.Scope("keep", scopes[place].kept, branch.position)]
                    branch = Branch(self.predicted(found, branch.condition, branch), branch.label, branch.position)
                if left[target]:
                    landing = self.label()
                    landings += [landing, *left[target], Branch(None, branch.label, branch.position)]
                    branch = Branch(branch.condition, landing, branch.position, branch.fork, branch.meeting)
                found.append(branch)
            if branch is None or branch.condition is not None or branch.fork:
                found += left.get(place + 1, [])
        if not landings:
            return found
        end = self.label()
        ends = next((step.position for step in reversed(self.all) if not isinstance(step, str)), xcfa.NOWHERE)
        return [*found, Branch(None, end, ends), *landings, end]

    def scopes(self) -> dict[int, _Scope]:
        """The branches that have one, by their blocks."""
        meetings = self.graph.meetings()
        found: dict[int, _Scope] = {}
        for place, block in enumerate(self.graph.blocks):
            branch, meeting = self.all[block.end - 1], meetings.get(place)
            if not isinstance(branch, Branch) or branch.condition is None or meeting in (None, self.graph.end):
                continue
            region = self.graph.region(place, meeting) if self.graph.inside[meeting] else None
            if region is not None:
                found[place] = _Scope(meeting, place, frozenset(region), Name(self.fresh("kept")))
        return found

    def leaving(self, scopes: dict[int, _Scope], place: int, target: int) -> list[Step]:
        """What is done on the way from a block to another one: the scopes end that meet there, of which the outermost
        one says what decides from there on."""
        ended = [each for each in scopes.values() if each.meeting == target and place in each.region]
        if not ended:
            return []
        outermost = max(ended, key=lambda each: len(each.region))
        position = self.all[self.graph.blocks[place].end - 1]
        at = xcfa.NOWHERE if isinstance(position, str) else position.position
        values = self.values_of(outermost)
        carried: list[Step] = []
        if values:
            decided = Name(self.fresh("decided"))
            carried = [xcfa.Scope("keep", decided, at)]
            carried += [xcfa.Assign(Name(name), Binary("+", Name(name), decided), at) for name in sorted(values)]
        return [*carried, xcfa.Scope("leave", outermost.kept, at)]

    def values_of(self, scope: _Scope) -> set[str]:
        """The values that are made on the ways from a branch to where they meet, and read elsewhere."""
        made = set[str]()
        for block in scope.region - {scope.branch}:
            for step in self.all[self.graph.blocks[block].first : self.graph.blocks[block].end]:
                if isinstance(step, xcfa.Assign) and is_value(step.target.name):
                    made.add(step.target.name)
        inside = {n for block in scope.region for n in range(*self.graph.blocks[block].ends)}
        return {name for name in made if any(n not in inside for n in self.read_at.get(name, ()))}

    def predicted(self, found: list[Step], condition: Expression, step: Branch | xcfa.Assert) -> Expression:
        """A condition that is predicted."""
        flag = Name(self.fresh("flag"))
        found.append(xcfa.Predict(flag, number(condition), position=step.position))
        return Binary("/=", flag, IntLiteral(0), step.position)

    def asserted(self, at: int, step: Step) -> list[Step]:
        """A step; what checks something decides nothing."""
        if not isinstance(step, xcfa.Assert) or _may_end(step) or not self.followed[at]:
            return [step]
        kept = Name(self.fresh("kept"))
        found: list[Step] = [xcfa.Scope("keep", kept, step.position)]
        holds = self.predicted(found, step.condition, step)
        return [*found, xcfa.Assert(holds, step.position, step.kind), xcfa.Scope("leave", kept, step.position)]


def is_value(name: str) -> bool:
    """Whether a local is what a function returns, or what an operator gives that may not look at all its operands: no
    variable of the program."""
    return name.startswith("$") or ".result" in name
