"""Findings that are accepted: who fails an accepted assertion goes no further, and events are tagged for the flags."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from xgen._core import Op
from xgen.lowering.code import EVENTS, NO_DEPENDENCY, Code, EventClass, Instruction, Rmw
from xgen.program.automaton import ASSERTIONS, Accepted
from xgen.records import dataclass, replace
from xgen.tags import ACCEPTED


def with_accepted(code: Code, accepted: tuple[Accepted, ...]) -> Code:
    """The code in which accepted assertions are assumptions, and events bear the tag of what is accepted where they
    are."""
    made = _Making(list(code.classes), list(code.rmws))
    instructions = tuple(made.instructions(code, accepted))
    return replace(code, instructions=instructions, classes=tuple(made.classes), rmws=tuple(made.rmws))


@dataclass(frozen=True)
class _Making:
    """The classes and the updates that there are, and those that come with tags."""

    classes: list[EventClass]
    rmws: list[Rmw]
    known: dict[tuple[int, str], int] = field(default_factory=dict)

    def instructions(self, code: Code, accepted: tuple[Accepted, ...]) -> Iterator[Instruction]:
        for instruction, site in zip(code.instructions, code.sites, strict=True):
            file, made = (site.position.source or code.source).name, instruction
            for each in accepted:
                if (each.file, each.line) == (file, site.position.line):
                    made = self.accepting(made, each.kind)
            yield made

    def accepting(self, i: Instruction, kind: str) -> Instruction:
        if i.op is Op.ASSERT:
            return Instruction(Op.ASSUME, a=i.a, c=NO_DEPENDENCY) if ASSERTIONS[i.c] == kind else i
        if kind in ASSERTIONS and kind != "undefined":
            return i
        if i.op is Op.RMW:
            rmw = self.rmws[i.c]
            of_rmw = (rmw.read_class, rmw.failed_class, rmw.write_class)
            read, failed, write = (self.tagged(number, kind) for number in of_rmw)
            self.rmws.append(replace(rmw, read_class=read, failed_class=failed, write_class=write))
            return replace(i, c=len(self.rmws) - 1)
        return replace(i, c=self.tagged(i.c, kind)) if i.op in EVENTS else i

    def tagged(self, number: int, kind: str) -> int:
        """The number of a class with the tag of what is accepted."""
        if (number, kind) not in self.known:
            plain = self.classes[number]
            self.known[number, kind] = len(self.classes)
            self.classes.append(replace(plain, tags=plain.tags | {ACCEPTED + kind}))
        return self.known[number, kind]
