"""What is in the cells of the library's objects, and who waits there."""

from __future__ import annotations

from pycparser import c_ast

from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.places import InMemory
from xgen.frontends.c.language.types import INT, Array
from xgen.frontends.library.call import Key
from xgen.program import automaton as xcfa
from xgen.program.automaton import Expression, IntLiteral, Name


class Cells:
    """Accesses to numbers of the library, which are events whatever is known of them."""

    def __init__(self, body: Body) -> None:
        self.body = body

    def key_of(self, place: InMemory) -> Key | None:
        """What a cell is, where that is known."""
        found = self.body.object_at(place)
        return (found[0].name, found[1]) if found else None

    def read(self, place: InMemory, order: str | None, node: c_ast.Node) -> Expression:
        """What is in a cell of the library, whatever is known of it."""
        name = self.body.fresh()
        self.body.access(str(place.address))
        self.body.flow.emit(
            xcfa.Load(Name(name), self.body.cell(place, node)[0], order=order, position=self.body.position(node))
        )
        return Name(name)

    def change(
        self, op: str, place: InMemory, values: tuple[Expression, ...], orders: tuple[str, str], node: c_ast.Node
    ) -> Expression:
        """An update; its old value. The second order is that of one that does not write."""
        old = self.body.fresh()
        self.body.note_write(place, None, node)
        cell = self.body.cell(place, node)[0]
        bits = -32 if op in ("fetch_add", "fetch_sub") else None
        own = orders if op in xcfa.CONDITIONAL_RMWS else orders[:1]
        self.body.flow.emit(xcfa.Rmw(Name(old), op, cell, values, own, self.body.position(node), bits=bits))
        return Name(old)

    def write(self, place: InMemory, value: int, order: str | None, node: c_ast.Node) -> None:
        self.body.note_write(place, None, node)
        cell = self.body.cell(place, node)[0]
        self.body.flow.emit(xcfa.Store(IntLiteral(value), cell, order=order, position=self.body.position(node)))

    def changing(self, place: InMemory, node: c_ast.Node) -> xcfa.AnyPlace:
        """The cell of a mutex, which is going to change."""
        self.body.note_write(place, None, node)
        return self.body.cell(place, node)[0]

    def try_lock(self, place: InMemory, node: c_ast.Node) -> Expression:
        """Makes 1 of 0, as a mutex does that is free; the old value."""
        cell, old, tags = self.changing(place, node), self.body.fresh(), ("lock",)
        one = (IntLiteral(0), IntLiteral(1))
        self.body.flow.emit(
            xcfa.Rmw(Name(old), "cas", cell, one, ("acquire", "relaxed"), self.body.position(node), tags, tags)
        )
        return Name(old)

    # ---- barriers

    def round_at(self, key: Key) -> tuple[int, tuple[str, ...]] | None:
        """How often the thread has waited at a barrier before, and all that wait there, if it is for just as many and
        all this is known."""
        round_, facts = self._round_of(key), self.body.world.facts
        waiting = facts.barriers.get(key, ())
        if round_ is None or key in facts.uncounted or facts.sizes.get(key, set()) != {len(waiting)}:
            return None
        if self.body.thread not in waiting:  # the last translation did not come to it: this one is not the last either
            return None
        return round_, waiting

    def _round_of(self, key: Key) -> int | None:
        name = self.body.world.barriers.setdefault(key, {}).setdefault(self.body.thread, _rounds(key))
        number = (self.body.flow.known or {}).get(name)
        if not self.body.looping and isinstance(number, int):
            self.body.flow.learn(name, number + 1)
            return number
        if key in self.body.world.facts.barriers:
            self.body.world.facts.uncounted.learn(key)
        return None

    def count_rounds(self) -> None:
        """When a thread starts, it has not waited anywhere."""
        for key in self.body.world.facts.barriers:
            self.body.flow.learn(_rounds(key), 0)

    def beside(self, key: Key, what: str, number: int, count: int) -> InMemory:
        """One of so many cells that the library has for an object, 0 at first; `what` they are."""
        world = self.body.world
        if (key, what) not in world.beside:
            name = f"{key[0]}.{what}" if key[1] == 0 else f"{key[0]}+{key[1]}.{what}"
            world.beside[key, what] = world.memory.allocate(name, Array(INT, count) if count > 1 else INT, name)
        return InMemory(IntLiteral(world.beside[key, what].address + 4 * number), INT)

    # ---- condition variables

    def fall_asleep_at(self, place: InMemory) -> int:
        """Says that this thread sleeps at a condition variable; its number among all that sleep somewhere."""
        self.body.world.sleepers.setdefault(self.body.thread, set()).add(self.key_of(place))
        names = list(self.body.world.facts.sleepers)
        return names.index(self.body.thread) if self.body.thread in names else 0

    def sleepers(self, place: InMemory) -> list[int]:
        """The numbers of the other threads that may sleep there."""
        key = self.key_of(place)
        wanted = None if key is None else {key, None}
        return [
            number
            for number, (thread, places) in enumerate(self.body.world.facts.sleepers.items())
            if thread != self.body.thread and (wanted is None or places & wanted)
        ]

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
