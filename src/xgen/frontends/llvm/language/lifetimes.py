"""Local objects: there from where their block begins to where it ends, with their function or thread at the latest.

An end is an event where another thread, or who has a pointer that is not known, may come to the object later; else it
is kept in mind where the thread is: what it does there later is made of events in the next round. In loops whose rounds
are not known an object is the same in each, and does not end.
"""

from __future__ import annotations

from xgen.frontends.llvm.language.exceptions import Exceptions
from xgen.frontends.llvm.language.instructions import Activation
from xgen.frontends.llvm.language.world import World
from xgen.frontends.llvm.objects import Object
from xgen.frontends.llvm.text.ir import Instruction
from xgen.frontends.llvm.text.tokens import Global, Local


class Lifetimes(Exceptions):
    """`calls`: those that the thread is in, the innermost one last."""

    def __init__(self, world: World, number: int, name: str) -> None:
        super().__init__(world, number, name)
        self.calls: list[Activation] = []

    def marked(self, here: Activation, i: Instruction) -> None:
        """llvm.lifetime.start, llvm.lifetime.end"""
        _, operand = i.operands[-1]  # LLVM before 22 says first how large it is
        pointer = self.operand(here, i, -1)
        found = self.world.memory.at(pointer) if isinstance(pointer, int) else None
        if found is None or found.life != "stack" or found.address != pointer:
            return
        assert isinstance(i.about, Global)
        if not i.about.name.startswith("llvm.lifetime.start"):
            self.over(found)
        elif (found.dead or self.is_gone(found)) and isinstance(operand, Local) and operand.name in here.made:
            place = self.place_now
            here.values[operand.name] = self.do(here, here.made[operand.name])
            self.place_now = place
            self.move_parts(here, operand.name, pointer)

    @staticmethod
    def move_parts(here: Activation, name: str, before: int) -> None:
        """The addresses of parts that optimised code has made outside of the loop in which the object begins again."""
        moved, now = {name}, here.values[name]
        assert isinstance(now, int)
        for part, made in here.offsets.items():
            base, address = made.operands[0][1], here.values.get(part)
            if isinstance(base, Local) and base.name in moved and isinstance(address, int):
                here.values[part] = address - before + now
                moved.add(part)

    def end_objects(self, here: Activation) -> None:
        """The local objects of a call are there no more; of main's they are until the program ends."""
        if self.number or len(self.calls) > 1:
            for found in here.objects:
                self.over(found)

    def end_calls(self) -> None:
        """The thread ends wherever it is."""
        for here in reversed(self.calls):
            self.end_objects(here)

    def over(self, found: Object) -> None:
        """An object is there no more, if it was."""
        if found.dead or self.is_gone(found):
            return
        self.forget(found)
        if self.looping:
            return
        if self.alone:
            others = any(user for user, _ in self.findings.users(found, 0, found.size))
            if not others or len(self.world.bodies) == 1:
                found.dead, found.ended = True, self.position
                return
            self.share()
        if not self.findings.is_last(self.who, found):
            self.end(found)
        self.lose(found)

    def end(self, found: Object) -> None:
        """The event that an object is there no more."""
        self.findings.mortal.add(found.name)
        self.findings.whole.add(found.name)
        self.findings.use(self.who, found, 0, found.size)
        self.lifetime("free", found)


def is_marker(i: Instruction) -> bool:
    """Whether an instruction only says that a local object begins or ends."""
    return i.op == "call" and isinstance(i.about, Global) and i.about.name.startswith("llvm.lifetime")
