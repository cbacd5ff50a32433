"""Local objects: there from where their block begins to where it ends, with their function or thread at the latest.

An end is an event where another thread, or who has a pointer that is not known, may come to the object later; else it
is kept in mind where the thread is: what it does there later is made of events in the next round. In loops whose rounds
are not known an object is the same in each. It ends behind the loop, where no way through the function leads from a
marker of its beginning without one of its end: what leaves a round early may still use it on its way.
"""

from __future__ import annotations

from collections.abc import Collection

from xgen.frontends.llvm.language.exceptions import Exceptions
from xgen.frontends.llvm.language.instructions import Activation
from xgen.frontends.llvm.language.translation import World
from xgen.frontends.llvm.objects import Object
from xgen.frontends.llvm.text.ir import Function, Instruction, Module
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
            self.left[found.name] = found
            return
        if self.single_threaded:
            others = any(user for user, _ in self.facts.users(found, 0, found.size))
            if not others or len(self.world.bodies) == 1:
                found.dead, found.ended = True, self.position
                return
            self.end_single_threaded()
        if not (self.facts.is_left if found.name in self.left else self.facts.is_last)(self.who, found):
            self.end(found)
        self.lose(found)

    def end_left(self, here: Activation, block: str, behind: bool = False) -> None:
        """What has ended in the rounds of a loop is over behind it, where a block begins, or `behind` it; but for what
        the innermost call has begun there."""
        if self.looping or not self.left:
            return
        begun = begun_of(self.world.module, here.function)[block][behind]
        for found in list(self.left.values()):
            if self.world.memory.by_name.get(found.name) is found and not self.may_be_there(here, begun, found):
                self.over(found)

    def may_be_there(self, here: Activation, begun: Collection[str], found: Object) -> bool:
        if found not in here.objects:
            return any(found in other.objects for other in self.calls)
        names = [name for name in here.made if here.values.get(name) == found.address]
        return not names or any(name in begun for name in names)

    def end(self, found: Object) -> None:
        """The event that an object is there no more."""
        self.facts.mortal.add(found.name)
        self.facts.whole.add(found.name)
        self.facts.use(self.who, found, 0, found.size)
        self.lifetime("free", found)


def begun_of(module: Module, function: Function) -> dict[str, tuple[set[str], set[str]]]:
    """The local variables that have begun, and not ended, on some way to where a block begins, and to where it ends, by
    the markers on it."""
    if function.begun is None:
        code = {block: module.block(function, block) for block in function.lines}
        marks = {block: [mark for i in of if (mark := _mark(i)) is not None] for block, of in code.items()}
        found: dict[str, tuple[set[str], set[str]]] = {block: (set(), set()) for block in code}
        todo = list(code)
        while todo:
            block = todo.pop()
            before, after = found[block]
            after.clear()
            after |= before
            for name, begins in marks[block]:
                (after.add if begins else after.discard)(name)
            for target in code[block][-1].targets if code[block] else ():
                if not after <= found[target][0]:
                    found[target][0].update(after)
                    todo.append(target)
        function.begun = found
    known: dict[str, tuple[set[str], set[str]]] = function.begun
    return known


def _mark(i: Instruction) -> tuple[str, bool] | None:
    """The variable that a marker is of, and whether it begins."""
    if not is_marker(i):
        return None
    _, operand = i.operands[-1]
    return (operand.name, i.about.name.startswith("llvm.lifetime.start")) if isinstance(operand, Local) else None


def is_marker(i: Instruction) -> bool:
    """Whether an instruction only says that a local object begins or ends."""
    return i.op == "call" and isinstance(i.about, Global) and i.about.name.startswith("llvm.lifetime")
