"""Interrupts of the Linux kernel's C: a handler runs on its CPU, in the order of the text, and to its end.

    INTERRUPT(0, tick) { ... }      on CPU 0, wherever interrupts are on
    SOFTIRQ(0, later) { ... }       on CPU 0, wherever they are on, bottom halves are, and no handler runs

The kernel's model has none. What runs on a CPU is in its program order, so a handler is a part of the thread that is
the CPU: before each step that others may see, before interrupts are turned off ahead of the next such step, and at the
end, it may run there, with a copy of its steps. The choice is a fork, on which nothing depends; how often it may still
be taken, and whether interrupts are off, are locals of the thread. Hard handlers are not interrupted, soft ones are, by
hard ones.

Nothing comes between the parts of one access, nor into what is one step for others.

Plain accesses are in the order of the text. A compiler may move them over a place where a handler runs, so `races`
tells of those that a handler accesses as well, as KCSAN does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from xgen.errors import Position, UnsupportedError
from xgen.frontends.assembly import Branch, Step
from xgen.frontends.mixed_size.parts import goes_on
from xgen.frontends.reductions.steps import reads, written
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, Expression, IntLiteral, Name
from xgen.program.printer import print_place
from xgen.program.rewrite import TARGETS, folded, rewrite, rewrite_statement
from xgen.program.uses import tags_of
from xgen.records import dataclass, replace

Context: TypeAlias = Literal["task", "soft", "hard"]
"""What runs on a CPU: what was started there, or a handler."""
Access: TypeAlias = "xcfa.Load | xcfa.Store | xcfa.Rmw"
PREFIXES: dict[Context, str] = {"hard": "__xgen_hard_", "soft": "__xgen_soft_"}
"""What the functions are called that INTERRUPT and SOFTIRQ define."""
OFF, BOTTOM = "interrupts_off", "bottom_halves_off"
"""Locals of each CPU: whether hard interrupts are off, how often bottom halves have been turned off."""
_UNSEEN = frozenset(("unwatched", "exclusive-writer", "exclusive-access"))
"""Tags of accesses that are in no race."""
MOST_STEPS = 200_000
"""Of a thread, with all copies of its handlers."""
_SEEN = (xcfa.Load, xcfa.Store, xcfa.Rmw, xcfa.Fence, xcfa.Mutex, xcfa.Lifetime, xcfa.Control, xcfa.AtomicBegin)
"""What others may see of a thread."""


@dataclass(frozen=True, slots=True)
class Source:
    """A handler: its steps, and the locals that these have, with the values that they have at first."""

    name: str
    context: Context
    steps: tuple[Step, ...]
    variables: Mapping[str, xcfa.Variable]

    @property
    def off(self) -> tuple[str, ...]:
        """The locals that keep it from running where they are not 0."""
        return (OFF,) if self.context == "hard" else (OFF, BOTTOM)


def handler_of(routine: str) -> tuple[Context, str] | None:
    """What kind of handler a function is the start of, and the handler's name."""
    for context, prefix in PREFIXES.items():
        if routine.startswith(prefix):
            return context, routine.removeprefix(prefix)
    return None


def has_interrupts(routines: Iterable[str], most: int | None) -> bool:
    """Whether there are any in a program of these functions."""
    return most != 0 and any(map(handler_of, routines))


def races(steps: Sequence[Step], handlers: Sequence[Source]) -> Iterator[tuple[Access, Access, Source]]:
    """Accesses of the same variable, with interrupts on and in a handler, of which one is plain and one writes: the
    first ones of each variable and handler. What pointers lead to that are not known is not among them."""
    for handler in handlers:
        inside = dict[str, list[Access]]()
        for place, access in _accesses(handler.steps):
            inside.setdefault(place, []).append(access)
        told = set[str]()
        known = _known(steps)
        for at, step in enumerate(steps):
            now = known[at]
            if now is None or _is_off(now, handler):
                continue
            for place, access in _accesses([step]):
                for other in inside.get(place, ()) if place not in told else ():
                    reads_only = isinstance(access, xcfa.Load) and isinstance(other, xcfa.Load)
                    if not reads_only and not (_is_marked(access) and _is_marked(other)):
                        told.add(place)
                        yield access, other, handler
                        break


def _accesses(steps: Iterable[Step]) -> Iterator[tuple[str, Access]]:
    """The accesses of variables that are known."""
    for step in steps:
        if isinstance(step, xcfa.Load | xcfa.Store | xcfa.Rmw) and _UNSEEN.isdisjoint(tags_of(step)):
            place = step.place
            indices = (place.address,) if isinstance(place, xcfa.Deref) else place.indices
            if all(isinstance(each, IntLiteral) for each in indices):
                yield print_place(place), step


def _is_marked(step: Access) -> bool:
    return isinstance(step, xcfa.Rmw) or bool(step.order) or bool(step.tags)


def interrupted(
    steps: Sequence[Step],
    handlers: Sequence[Source],
    most: int,
    fresh: Callable[[str, int], str],
    label: Callable[[], str],
) -> list[Step]:
    """The steps of a CPU, on which each handler may run, `most` times."""
    return _Interrupts(handlers, most, fresh, label).of_task(list(steps))


class _Interrupts:
    def __init__(
        self, handlers: Sequence[Source], most: int, fresh: Callable[[str, int], str], label: Callable[[], str]
    ) -> None:
        self.handlers, self.most, self.fresh, self.label = handlers, most, fresh, label
        self.left = {each.name: Name(fresh(f"{each.name}_left", most)) for each in handlers}
        self.made = 0
        hard = [step for each in handlers if each.context == "hard" for step in each.steps if not isinstance(step, str)]
        self.looks = any(BOTTOM in reads(step) for step in hard)  # whether hard ones see that soft ones run

    def of_task(self, steps: list[Step]) -> list[Step]:
        """The steps of what was started on the CPU."""
        where = next((step.position for step in reversed(steps) if not isinstance(step, str)), xcfa.NOWHERE)
        end = self.label()  # what leaves the thread comes here first
        steps = [replace(each, label=end) if isinstance(each, Branch) and not each.label else each for each in steps]
        return self.within([*steps, end, xcfa.Skip(where)], "task")

    def within(self, steps: list[Step], context: Context) -> list[Step]:
        """The steps of a task or a handler, with what may interrupt them."""
        if not any(self.may_come(each, context) for each in self.handlers):
            return steps
        found: list[Step] = []
        inside = 0
        before = _known(steps)
        ends = _Ends(steps)
        for at, (step, known) in enumerate(zip(steps, before, strict=True)):
            last = context == "task" and at == len(steps) - 1
            if known is not None and not inside and not isinstance(step, str):
                if last or _is_seen(step):
                    found += self.point(step.position, known, context, {}, self.handlers)
                elif turned := [each for each in self.handlers if ends.come_last_before(at, known, each)]:
                    found += self.point(step.position, known, context, {}, self.handlers if self.looks else turned)
            inside += isinstance(step, xcfa.AtomicBegin) - isinstance(step, xcfa.AtomicEnd)
            found.append(step)
        return found

    def may_come(self, handler: Source, context: Context) -> bool:
        return context == "task" or (context == "soft" and handler.context == "hard")

    def point(
        self,
        at: Position,
        known: Mapping[str, int],
        context: Context,
        used: Mapping[str, int],
        handlers: Sequence[Source],
    ) -> list[Step]:
        """A place where these may run, one after the other; `used`: which have run here already, the last one last.

        A hard one that runs before a soft one may as well run when that begins, unless it sees the difference.
        """
        found: list[Step] = []
        end = self.label()
        latest = list(used)[-1:]
        last = next((each.context for each in self.handlers if each.name in latest), None)
        for handler in handlers:
            if last == "hard" and handler.context == "soft" and not self.looks:
                continue
            if not self.may_come(handler, context) or used.get(handler.name, 0) >= self.most:
                continue
            if _is_off(known, handler):
                continue
            following, left = self.label(), self.left[handler.name]
            tests = [Binary("/=", Name(name), IntLiteral(0)) for name in handler.off if name not in known]
            found += [Branch(test, following, at) for test in (*tests, Binary("=", left, IntLiteral(0)))]
            found += [Branch(None, following, at, fork=True)]
            found += [xcfa.Assign(left, Binary("-", left, IntLiteral(1)), at), *self.run(handler, at)]
            on = {**known, **dict.fromkeys(handler.off, 0)}
            before = {name: count for name, count in used.items() if name != handler.name}
            found += self.point(at, on, context, {**before, handler.name: used.get(handler.name, 0) + 1}, handlers)
            found += [Branch(None, end, at), following]
        return [*found, end] if found else []

    def run(self, handler: Source, at: Position) -> list[Step]:
        """A copy of a handler. Interrupts are off in a hard one, bottom halves in a soft one, and on behind it."""
        state = Name(OFF if handler.context == "hard" else BOTTOM)
        steps = _Copy(handler, self.fresh, self.label).steps(at)
        self.made += len(steps)
        if self.made > MOST_STEPS:
            raise UnsupportedError("with so many places where interrupts may come, this is too long", at.source, at)
        body = self.within([xcfa.Assign(state, IntLiteral(1), at), *steps], handler.context)
        leaves = [xcfa.Assign(Name(OFF), IntLiteral(0), at)]
        return [*body, *leaves, *([] if handler.context == "hard" else [xcfa.Assign(state, IntLiteral(0), at)])]


def _is_seen(step: Step) -> bool:
    """Whether others may see of a step that something comes before it."""
    return isinstance(step, _SEEN) and not goes_on(step)


class _Copy:
    """A copy of a handler, with locals and labels of its own."""

    def __init__(self, handler: Source, fresh: Callable[[str, int], str], label: Callable[[], str]) -> None:
        self.handler, self.label = handler, label
        self.names = {
            name: Name(fresh(name.partition("$")[0], _first(variable))) for name, variable in handler.variables.items()
        }
        self.labels: dict[str, str] = {}

    def steps(self, at: Position) -> list[Step]:
        """The steps, behind those that give its locals the values that they have at first."""
        end = self.label()
        first = [xcfa.Assign(self.names[n], IntLiteral(_first(v)), at) for n, v in self.handler.variables.items()]
        return [*first, *(self.step(each, end) for each in self.handler.steps), end]

    def step(self, step: Step, end: str) -> Step:
        if isinstance(step, str):
            return self.at(step)
        if isinstance(step, Branch):
            condition = None if step.condition is None else rewrite(step.condition, self.leaf)
            meeting = self.at(step.meeting) if step.meeting else ""
            return Branch(condition, self.at(step.label) if step.label else end, step.position, step.fork, meeting)
        changed = {
            field: self.names[name.name]
            for field in TARGETS
            if isinstance(name := getattr(step, field, None), Name)
            and name.name in self.names
            and not isinstance(step, xcfa.Control)  # which names a thread
        }
        step = rewrite_statement(step, self.leaf)
        return replace(step, **changed) if changed else step  # type: ignore[arg-type]

    def at(self, label: str) -> str:
        if label not in self.labels:
            self.labels[label] = self.label()
        return self.labels[label]

    def leaf(self, part: Name, inside: tuple[Expression, ...]) -> Expression:  # noqa: ARG002
        return self.names.get(part.name, part)


def _first(variable: xcfa.Variable) -> int:
    """The value that a local has at first."""
    value = variable.initial[0] if variable.initial else None
    return value.value if isinstance(value, IntLiteral) else 0


# ---- where interrupts are off


class _Ends:
    """Where a handler may run for the last time before the next step that others may see."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps, self.tracked = steps, _tracked(steps)
        self.places = {step: at for at, step in enumerate(steps) if isinstance(step, str)}

    def come_last_before(self, at: int, known: dict[str, int], handler: Source) -> bool:
        """Whether a step turns off what lets a handler run, and it does not surely get another place before others
        see a step: where that depends on the way, two executions may have it at places that nobody tells apart."""
        step = self.steps[at]
        if not isinstance(step, xcfa.Assign) or step.target.name not in handler.off or _is_off(known, handler):
            return False
        behind = _behind(step, known, self.tracked)
        return behind.get(step.target.name) != 0 and not self._comes_again(at, behind, handler)

    def _comes_again(self, at: int, behind: dict[str, int], handler: Source) -> bool:
        """Whether it may run, on each way from a step, before another one that is seen, or is turned off once more."""
        waiting, met = [(at + 1, behind)], set[tuple[int, tuple[tuple[str, int], ...]]]()
        while waiting:
            at, known = waiting.pop()
            key = (at, tuple(sorted(known.items())))
            if key in met:
                continue
            met.add(key)
            if at == len(self.steps):
                return False
            step = self.steps[at]
            on = all(known.get(name) == 0 for name in handler.off)
            turned = isinstance(step, xcfa.Assign) and step.target.name in handler.off
            if at == len(self.steps) - 1 or _is_seen(step) or (on and turned):
                if not on:
                    return False
                continue
            after = _behind(step, known, self.tracked)
            waiting += [(other, after) for other in _following(at, step, self.places)]
        return True


def _is_off(known: Mapping[str, int], handler: Source) -> bool:
    """Whether a handler surely does not run."""
    return any(known.get(name, 0) for name in handler.off)


def _known(steps: Sequence[Step]) -> list[dict[str, int] | None]:
    """What is known before each step of the locals that say whether interrupts are off; None: nothing leads there."""
    tracked = _tracked(steps)
    places = {step: at for at, step in enumerate(steps) if isinstance(step, str)}
    before: list[dict[str, int] | None] = [None] * len(steps)
    waiting = [(0, {OFF: 0, BOTTOM: 0})]
    while waiting:
        at, now = waiting.pop()
        if at >= len(steps):
            continue
        old = before[at]
        known = now if old is None else {name: value for name, value in old.items() if now.get(name) == value}
        if known == old:
            continue
        before[at] = known
        behind = _behind(steps[at], known, tracked)
        waiting += [(other, behind) for other in _following(at, steps[at], places)]
    return before


def _following(at: int, step: Step, places: Mapping[str, int]) -> list[int]:
    if not isinstance(step, Branch):
        return [at + 1]
    jumps = [places[step.label]] if step.label in places else []
    return jumps if step.condition is None and not step.fork else [at + 1, *jumps]


def _tracked(steps: Sequence[Step]) -> set[str]:
    """The locals that they are kept in: `flags` of local_irq_save(flags)."""
    found, more = {OFF, BOTTOM}, True
    while more:
        more = False
        for step in steps:
            if isinstance(step, xcfa.Assign) and step.target.name not in found and found.intersection(reads(step)):
                found.add(step.target.name)
                more = True
    return found


def _behind(step: Step, known: dict[str, int], tracked: set[str]) -> dict[str, int]:
    """What is known behind a step."""
    target = None if isinstance(step, str | Branch) else written(step)
    if target not in tracked:
        return known
    rest = {name: value for name, value in known.items() if name != target}
    if isinstance(step, xcfa.Assign):
        put = {name: IntLiteral(value) for name, value in known.items()}
        value = folded(rewrite(step.value, lambda part, _: put.get(part.name, part)))
        if isinstance(value, IntLiteral):
            rest[target] = value.value
    return rest
