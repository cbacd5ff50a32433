"""Pointers that are not known, but can lead to a few local objects of their own thread only: which, is asked there.

    const int &larger = std::max(a, b);       the address of one of two locals

Each of these objects stays as it is, a local of the automaton: an access is done to it where the pointer is its
address, and is an event only where it is none of theirs. So no round of a loop that uses them writes to memory.

What a pointer may lead to is found in rounds, as everything else is: `few` of the facts only grows, and an access
asks for all that is in it from the next round on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xgen.frontends.llvm.language.accesses import Accesses, Targets
from xgen.frontends.llvm.language.events import Slot
from xgen.frontends.llvm.objects import Object
from xgen.frontends.llvm.values import Register, Value, expression, masked, uninitialised
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, IntLiteral

MOST = 4
"""So many objects are asked for at one place."""
OTHERS = ("", 0)
"""What stands for all other objects."""
Place = tuple[Object, int]


class Chosen:
    """What a pointer is asked for at a place: `known`, the bytes of local objects; `found` says of what it may lead to,
    each time that is looked for, what is dealt with so."""

    def __init__(self, body: Accesses, pointer: Value, width: int) -> None:
        self.body, self.width = body, width
        self.key = f"{body.place_id} {width}"
        self.told: set[tuple[str, int]] = set()
        before = body.facts.few.get(self.key, set())
        targets, wild = body.world.points.targets(pointer, width)
        named = ((body.world.memory.named(name), offset) for name, offset in sorted(before - {OTHERS}))
        there = [(found, [offset]) for found, offset in named if found is not None]
        own = {(each.name, at): (each, at) for each, at in self._own([*there, *targets])}
        self.too_many = wild or len(own) > MOST
        self.known = [] if self.too_many else [own[key] for key in sorted(own)]
        others = any((each.name, at) not in own for each, offsets in targets for at in offsets)
        self.others = others or OTHERS in before

    def _own(self, targets: Targets) -> Iterator[Place]:
        for found, offsets in targets:
            if found.life != "stack" or found.constant:
                continue
            for at in offsets:
                if self.body.facts.is_private(self.body.number, found, at, self.width):
                    yield found, at

    def rest(self, targets: Targets, wild: bool) -> Targets:
        """What is left of what a pointer may lead to. What is dealt with here is asked for in the next round, too."""
        own = {(found.name, at) for found, at in self._own(targets)}
        if self.too_many or wild or len(own | self.told) > MOST:
            return targets
        if own:
            self.told |= own
            self.body.facts.few.setdefault(self.key, set()).update(own)
        left = [(found, [at for at in offsets if (found.name, at) not in own]) for found, offsets in targets]
        left = [(found, offsets) for found, offsets in left if offsets]
        if left:
            self.body.facts.few.setdefault(self.key, set()).add(OTHERS)
        return left


class Few(Accesses):
    """Accesses that ask which object a pointer leads to."""

    def load_at(self, pointer: Value, width: int, order: str | None, hint: str, copied: bool) -> Value:
        assert isinstance(pointer, Register)
        if order is not None:
            return super().load_at(pointer, width, order, hint, copied)
        chosen = Chosen(self, pointer, width)
        cells = self.cells_at(pointer, width, rest=chosen.rest)

        def event() -> Value:
            return self.load_of(pointer, width, None, hint, copied, cells)

        if not chosen.known:
            return event()
        slot = Slot(self, f"{chosen.key} few", hint)
        self._each(
            pointer,
            chosen,
            lambda address: slot.put(self.load_uninitialised(address, width, copied=copied)),
            lambda: slot.put(event()),
        )
        return slot.value(8 * width)

    def store_at(self, pointer: Value, value: Value, width: int, order: str | None) -> None:
        assert isinstance(pointer, Register)
        if order is not None:
            super().store_at(pointer, value, width, order)
            return
        chosen = Chosen(self, pointer, width)
        cells = self.cells_at(pointer, width, write=True, rest=chosen.rest)
        if not chosen.known:
            self.store_of(pointer, value, width, None, cells)
            return
        kept = uninitialised(*map(self.keep, masked(value)))
        self._each(
            pointer,
            chosen,
            lambda address: self.store(address, kept, width),
            lambda: self.store_of(pointer, kept, width, None, cells),
        )

    def _each(self, pointer: Register, chosen: Chosen, do: Callable[[int], None], other: Callable[[], None]) -> None:
        """Does something where the pointer is the address of each of the places, else what is done to others."""
        end, was = self.label(), self.on_one_path
        self.on_one_path = False
        try:
            for found, offset in chosen.known:
                address, following = found.address + offset, self.label()
                self.branch(Binary("/=", expression(pointer), IntLiteral(address)), following)
                do(address)
                self.branch(None, end)
                self.emit(following)
            if chosen.others:
                other()
            else:
                self.emit(xcfa.Assert(BoolLiteral(False), self.position, "bad-address"))
                self.branch(None, "")
            self.emit(end)
        finally:
            self.on_one_path = was
