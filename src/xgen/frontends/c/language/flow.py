"""The steps of a thread while it is translated, and what is known of its locals there.

Assignments are always emitted; what is known besides is the value of some locals at the place where steps are added.
Where two ways meet, only what is known on both stays known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import TypeAlias

from xgen.errors import Position
from xgen.frontends.assembly import Branch, Step
from xgen.frontends.c.language.memory import Object
from xgen.frontends.c.values.places import Alias
from xgen.program import automaton as xcfa
from xgen.program.automaton import BoolLiteral, Expression, IntLiteral, Name
from xgen.records import dataclass


class Undefined:
    """What is known of a local that has no value yet."""

    def __repr__(self) -> str:
        return "undefined"


class Perhaps:
    """What is known of a local that has a value on some ways to here."""

    def __repr__(self) -> str:
        return "perhaps undefined"


class Unknown:
    """What is known of a cell that is not what it was at first. (Of locals, nothing is known then.)"""

    def __repr__(self) -> str:
        return "unknown"


UNDEFINED = Undefined()
PERHAPS = Perhaps()
UNKNOWN = Unknown()
Known: TypeAlias = "int | Alias | Undefined | Perhaps | Unknown"
SINGLE_THREADED, ON_ONE_PATH = "#solo", "#straight"
"""Known as long as no thread has been started, and as long as there was no choice."""


_ENDED = "#ended "


def beside(name: str) -> str:
    """What is known of the bits of a local that have no value, beside bit fields that have one."""
    return f"#{name}"


def ended(found: Object) -> str:
    """What is known of a local in memory as 1 where its block has ended, as 0 where not.

    Where it is 1, nothing else is known of its cells, and nothing is said of them: there may be thousands.
    """
    return _ENDED + found.name


@dataclass(eq=False, slots=True)
class Label:
    """A place in the text; `arriving` is what is known on each way there from before, `head` what a loop assumes
    there. `passed`: it was passed where nothing gets."""

    name: str
    arriving: list[dict[str, Known]] = field(default_factory=list)
    head: dict[str, Known] | None = None
    lost: set[str] = field(default_factory=set)
    passed: bool = False


@dataclass(slots=True)
class Mark:
    """A place to go back to."""

    steps: int
    known: dict[str, Known] | None


class Flow:
    """Steps, and what is known where they end. `known` is None where nothing gets."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.known: dict[str, Known] | None = {}
        self.labels: list[str] = []
        self.seen: Callable[[xcfa.Statement], xcfa.Statement] | None = None  # what becomes of what is emitted
        self.aliases_lost: list[Alias] = []
        self.assigned: dict[str, list[Expression]] = {}  # by locals: what they may get
        self.loaded: dict[str, tuple[Object, int]] = {}  # by locals: the scalar that they were read from
        self._ended: dict[str, Object] = {}  # by what `ended` says
        self._unknown: dict[Object, dict[str, Known]] = {}  # that nothing is known of its cells: there may be thousands

    @property
    def reachable(self) -> bool:
        return self.known is not None

    def emit(self, *statements: xcfa.Statement) -> None:
        if self.known is not None:
            self.steps += statements if self.seen is None else map(self.seen, statements)

    def assign(self, name: str, value: Expression, position: Position) -> None:
        self.emit(xcfa.Assign(Name(name), value, position))
        self.assigned.setdefault(name, []).append(value)
        self.learn(name, value.value if isinstance(value, IntLiteral) else None)

    def learn(self, name: str, value: Known | None) -> None:
        """The local has got a value, which is known or None."""
        if self.known is None:
            return
        self.known.pop(beside(name), None)
        if value is None:
            self.forget_quietly(name)
        else:
            self.known[name] = value

    def learn_unset(self, name: str, bits: int) -> None:
        """These bits of the local have no value, though others may have one."""
        if self.known is not None and bits:
            self.known[beside(name)] = bits

    def unset(self, name: str) -> int:
        """The bits of a local that are known to have no value; none where that depends on the way to here."""
        found = (self.known or {}).get(beside(name))
        return found if isinstance(found, int) else 0

    def drop(self, names: Iterable[str]) -> None:
        """The locals are read no more, so that where ways meet it does not matter what they are."""
        if self.known is not None:
            for name in names:
                self.known.pop(name, None)

    # ---- ways

    def label(self, hint: str = "") -> Label:
        name = f"{hint}{len(self.labels)}"
        self.labels.append(name)
        return Label(name)

    def jump(self, label: Label, position: Position) -> None:
        if self.known is None:
            return
        self.arrive(label)
        self.steps.append(Branch(None, label.name, position))
        self.known = None

    def branch(self, condition: Expression, label: Label, position: Position) -> None:
        """To the label where a condition holds, else on."""
        if self.known is None or condition == BoolLiteral(False):
            return
        if condition == BoolLiteral(True):
            self.jump(label, position)
            return
        self.known.pop(ON_ONE_PATH, None)
        self.arrive(label)
        self.steps.append(Branch(condition, label.name, position))

    def fork(self, label: Label, position: Position) -> None:
        """To the label or on."""
        if self.known is not None:
            self.known.pop(ON_ONE_PATH, None)
            self.arrive(label)
            self.steps.append(Branch(None, label.name, position, fork=True))

    def forget_quietly(self, name: str) -> None:
        if self.known is None:
            return
        if name.startswith("@"):
            self.known[name] = UNKNOWN
        else:
            self.known.pop(name, None)

    def end(self, found: Object) -> None:
        """The block of a local in memory ends."""
        if self.known is None:
            return
        for mark in found.marks:
            self.known.pop(mark, None)
        self.known[ended(found)] = 1
        self._ended[ended(found)] = found

    def forget_all(self, object_: Object) -> None:
        """All cells of an object may be other than they were at first."""
        if self.known is not None:
            self.known.update(self._nothing_of(object_))

    def _nothing_of(self, object_: Object) -> dict[str, Known]:
        if object_ not in self._unknown:
            self._unknown[object_] = dict.fromkeys(object_.marks, UNKNOWN)
        return self._unknown[object_]

    def arrive(self, label: Label) -> None:
        assert self.known is not None
        if label.head is None:
            label.arriving.append(dict(self.known))
            return
        self.aliases_lost += [
            value for name, value in self.known.items() if isinstance(value, Alias) and label.head.get(name) != value
        ]
        lost = {
            name
            for name, value in label.head.items() - self.known.items()
            if value is not UNKNOWN and value is not PERHAPS
        }
        label.lost |= lost | {name for name in self.known.keys() - label.head.keys() if name.startswith("@")}

    def bind(self, label: Label) -> None:
        """What follows is at the label. Where no way leads there, it is not reachable."""
        ways = [*label.arriving, *([] if self.known is None else [self.known])]
        if not ways:
            return
        self.known = self.meet(ways)
        self.steps.append(label.name)

    def place_head(self, label: Label, forgotten: Iterable[str]) -> None:
        """What follows is at a label that is jumped to from behind, where these locals may have other values."""
        self.bind(label)
        if self.known is None:
            return
        for name in (ON_ONE_PATH, *forgotten):
            self.forget(name)
        label.head = dict(self.known)

    def forget(self, name: str) -> None:
        assert self.known is not None
        value = self.known.get(name)
        self.known.pop(beside(name), None)
        self.forget_quietly(name)
        if value is UNDEFINED or value is PERHAPS:
            self.known[name] = PERHAPS
        if isinstance(value, Alias):
            self.aliases_lost.append(value)

    def meet(self, ways: list[dict[str, Known]]) -> dict[str, Known]:
        result = dict(ways[0])
        differing = {name for way in ways[1:] for name, _ in ways[0].items() ^ way.items()}  # few of thousands
        for name in sorted(differing):
            result.pop(name, None)
            if name.startswith("@"):
                result[name] = UNKNOWN
            elif name in self._ended:
                result.update(self._nothing_of(self._ended[name]))
            else:
                self.aliases_lost += [found for way in ways if isinstance(found := way.get(name), Alias)]
                if any(found is UNDEFINED or found is PERHAPS for found in (way.get(name) for way in ways)):
                    result[name] = PERHAPS
        return result

    # ---- trying things out

    def mark(self) -> Mark:
        return Mark(len(self.steps), None if self.known is None else dict(self.known))

    def cut(self, mark: Mark) -> list[Step]:
        """Takes away the steps since a mark, and what was learnt."""
        steps = self.steps[mark.steps :]
        del self.steps[mark.steps :]
        self.known = None if mark.known is None else dict(mark.known)
        return steps
