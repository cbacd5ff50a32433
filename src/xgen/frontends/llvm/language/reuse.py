"""Freed memory that is given again (`--reuse`), as C's own reader has it (xgen.frontends.c.reuse).

A free chooses whether the block is gone for good or may be given again: then it writes 1 to a cell of the block with
release order. Who asks for as much memory in the same way chooses between a new block and each that may be freed: an
update with acquire order makes 0 of that 1, or this execution is none. What is in the block is no value any more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from xgen.frontends.llvm.language import unknown_sizes
from xgen.frontends.llvm.objects import Object, unset
from xgen.frontends.llvm.text.types import Int
from xgen.frontends.llvm.values import Either, Register, Value, expression
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, IntLiteral, Name, Unary


class Reuse(unknown_sizes.Bytes):
    """What is done besides where memory is asked for and freed; `asking`: with what."""

    asking: str

    def may_come_back(self, found: Object, base: str) -> None:
        """A new block, which may be given again."""
        if self.world.options.reuse and base != "exception":
            self.facts.blocks.setdefault((found.size, self.asking), set()).add(found.name)

    def shares_memory(self) -> None:
        """Main shares what it asks for and frees as soon as there are other threads."""
        if self.world.options.reuse and len(self.world.bodies) > 1:
            self.end_single_threaded()

    def or_again(self, found: Object, aligned: int, zeroed: bool, new: Callable[[], Value]) -> Value:
        """What an allocation gives: `new` memory, as `found` is, or memory that was freed."""
        if not self.world.options.reuse or self.single_threaded:
            return new()
        kind = (found.size, self.asking)
        known = self.facts.blocks.get(kind, set())
        if found.name not in known:
            return new()
        self.facts.wanted.add(kind)
        blocks = [
            block
            for block in self._named(known & self.facts.returned)
            if not block.address % aligned and (self.looping or block is not found)
        ]
        if not blocks:
            return new()
        result, end = self.fresh(), self.label()
        with unknown_sizes.ways(self):
            chosen = self.any_of((0, len(blocks)))
            for number, block in enumerate(blocks, 1):
                following = self.label()
                self.branch(Unary("not", Binary("=", chosen, IntLiteral(number))), following)
                old = self.update("cas", self._freed(block), [1, 0], 4, ("acquire", "relaxed"))
                self.assume(self.compare("eq", old, 1))
                self._meant(block)
                for offset, width in self._cells(kind):
                    self.store(block.address + offset, 0 if zeroed else unset(Int(8 * width)), width)
                self.assign(result, IntLiteral(block.address))
                self.branch(None, end)
                self.emit(following)
            value = new()
            self.assign(result, expression(value))
            self.emit(end)
        return Register(Name(result), Either([value, *(block.address for block in blocks)]))

    @contextmanager
    def unless_given_back(self, pointer: Value) -> Iterator[None]:
        """What is freed may be given again. Else it is freed for good, by what is emitted inside."""
        blocks = self._freed_by(pointer) if self.world.options.reuse else []
        if not blocks:
            yield
            return
        gone, end = self.label(), self.label()
        with unknown_sizes.ways(self):
            self.branch(Binary("=", self.any_of((0, 1)), IntLiteral(0)), gone)
            for block in blocks:
                following = self.label()
                if not isinstance(pointer, int):
                    self.branch(Unary("not", Binary("=", expression(pointer), IntLiteral(block.address))), following)
                self._meant(block)
                self.store(self._freed(block), 1, 4, "release")
                self.branch(None, end)
                self.emit(following)
            self.emit(xcfa.Assume(BoolLiteral(False), self.position))
            self.branch(None, "")
            self.emit(gone)
            yield
            self.emit(end)

    def _freed_by(self, pointer: Value) -> list[Object]:
        """What may be given again of that to which a pointer may lead."""
        blocks = self.facts.blocks
        every = set().union(*blocks.values())

        def ask() -> list[Object]:
            targets = [found for found in self._targets(pointer) if found.name in every]
            self.facts.returned.update(found.name for found in targets)
            return targets

        targets = ask()
        self.world.later.append(ask)
        again = set().union(*(names for kind, names in blocks.items() if kind in self.facts.wanted))
        return [found for found in targets if found.name in again]

    def _targets(self, pointer: Value) -> list[Object]:
        if isinstance(pointer, int):
            found = self.world.memory.at(pointer)
            return [] if found is None else [found]
        return [found for found, _ in self.world.points.targets(pointer, 1)[0]]

    def _named(self, names: set[str]) -> Iterator[Object]:
        for name in sorted(names):
            found = self.world.memory.named(name)
            if found is not None:
                yield found

    def _meant(self, block: Object) -> None:
        """Other threads get at a block."""
        self.facts.mortal.add(block.name)
        self.facts.whole.add(block.name)
        self.facts.use(self.who, block, 0, block.size)

    def _freed(self, block: Object) -> int:
        """The cell that says that a block is freed."""
        cells = self.world.freed
        if block.name not in cells:
            found = self.world.memory.allocate(f"{block.name}.freed", 4, "static")
            found.title, found.known = f"{block.title}.freed", bytearray(b"\xff" * 4)
            cells[block.name] = found.address
        return cells[block.name]

    def _cells(self, kind: tuple[int, str]) -> list[tuple[int, int]]:
        """Where blocks are accessed: those that a new use of one finds without a value."""
        accesses = sorted({access for name in self.facts.blocks[kind] for access in self.facts.widths.get(name, ())})
        found, end = [], 0
        for offset, width in accesses:
            if offset >= end and offset + width <= kind[0]:
                found.append((offset, width))
                end = offset + width
        return found
