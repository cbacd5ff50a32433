"""What is in the cells of the library's objects, and who waits there."""

from __future__ import annotations

from pycparser import c_ast

from xgen.frontends.c.language.body import Body
from xgen.frontends.c.values.places import InMemory
from xgen.frontends.c.values.types import INT, Array
from xgen.frontends.library.facts import Key
from xgen.program import automaton as xcfa
from xgen.program.automaton import IntLiteral


class Cells:
    """Accesses to numbers of the library, which are events whatever is known of them."""

    def __init__(self, body: Body) -> None:
        self.body = body

    def key_of(self, place: InMemory) -> Key | None:
        """What a cell is, where that is known."""
        found = self.body.object_at(place)
        return (found[0].name, found[1]) if found else None

    def event_at(self, place: InMemory, writes: bool, node: c_ast.Node) -> xcfa.AnyPlace:
        """Where a cell is read, whatever is known of it, or is going to change."""
        if writes:
            self.body.note_write(place, None, node)
        else:
            self.body.access(str(place.address))
        return self.body.cell(place, node)[0]

    # ---- barriers

    def next_round(self, key: Key) -> int | None:
        """How often the thread has waited at a barrier before, where that is known; now it does so once more."""
        name, facts = _rounds(key), self.body.world.facts
        number = (self.body.flow.known or {}).get(name)
        if not self.body.looping and isinstance(number, int):
            self.body.flow.learn(name, number + 1)
            return number
        if key in facts.last.barriers:
            facts.uncounted.learn(key)
        return None

    def count_rounds(self) -> None:
        """When a thread starts, it has not waited anywhere."""
        for key in self.body.world.facts.last.barriers:
            self.body.flow.learn(_rounds(key), 0)

    def beside(self, key: Key, what: str, number: int, count: int) -> InMemory:
        """One of so many cells that the library has for an object, 0 at first; `what` they are."""
        world = self.body.world
        if (key, what) not in world.beside:
            name = f"{key[0]}.{what}" if key[1] == 0 else f"{key[0]}+{key[1]}.{what}"
            world.beside[key, what] = world.memory.allocate(name, Array(INT, count) if count > 1 else INT, name)
        return InMemory(IntLiteral(world.beside[key, what].address + 4 * number), INT)

    def remark_if_alone(self, node: c_ast.Node) -> None:
        """Tells of a wait that is not looked at again: a thread may wake up for no reason."""
        if self.body.loops or self.body.looping or self.body.world.options.spurious:
            return
        place = self.body.position(node).text(self.body.world.unit.source)
        self.body.world.remarks[
            f"note: the wait at {place} is in no loop, and a thread may wake up without a signal: `--spurious` "
            "explores that"
        ] = None


def _rounds(key: Key) -> str:
    return f"waited {key[0]} {key[1]}"
