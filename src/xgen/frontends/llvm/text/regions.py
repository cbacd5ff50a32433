"""The shape of a function: its loops, and where ways that part meet again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xgen.frontends.dominance import postdominators
from xgen.frontends.llvm.text.ir import Function, Instruction, Module
from xgen.records import dataclass


@dataclass(eq=False, slots=True)
class Shape:
    """`loops`: the blocks of each, by its head; `joins`: the block that all ways from a block go through next, but
    those that end in no return."""

    following: dict[str, list[str]]
    loops: dict[str, set[str]]
    joins: dict[str, str | None]

    def never_left(self, head: str) -> bool:
        """Whether a block is the head of a loop that leads nowhere else."""
        body = self.loops.get(head, ())
        return bool(body) and all(target in body for block in body for target in self.following[block])

    def join(self, block: str) -> str | None:
        return self.joins.get(block)

    def reached(self, starts: Iterable[str], stop: str | None) -> list[str]:
        """The blocks that are reached without going through `stop`, such that heads come before what is in loops, and
        what is in a loop before what comes behind it."""
        order: list[str] = []
        seen: set[str] = set()
        for start in reversed(list(starts)):
            todo: list[tuple[str, list[str] | None]] = [(start, None)]
            while todo:
                block, left = todo.pop()
                if left is None:
                    if block in seen or block == stop:
                        continue
                    seen.add(block)
                    left = [each for each in self.following[block] if each != stop]
                while left and left[0] in seen:
                    left.pop(0)
                if left:
                    todo += [(block, left[1:]), (left[0], None)]
                else:
                    order.append(block)
        order.reverse()
        return self._together(order)

    def _together(self, order: list[str]) -> list[str]:
        """Blocks in reverse postorder, such that all of a loop come where its first one does (Kosaraju, Sharir)."""
        place = {block: number for number, block in enumerate(order)}
        preceding: dict[str, list[str]] = {}
        for block in order:
            for target in self.following[block]:
                preceding.setdefault(target, []).append(block)
        found: dict[str, None] = {}
        for block in order:
            loop, todo = set[str](), [block]
            while todo:
                here = todo.pop()
                if here in place and here not in found and here not in loop:
                    loop.add(here)
                    todo += preceding.get(here, ())
            found.update(dict.fromkeys(sorted(loop, key=place.__getitem__)))
        return list(found)

    def circles(self, blocks: Iterable[str], stop: str | None) -> set[str]:
        """Those of the blocks that lead back to themselves."""
        found = set()
        for block in blocks:
            seen: set[str] = set()
            todo = [each for each in self.following[block] if each != stop]
            while todo:
                here = todo.pop()
                if here not in seen:
                    seen.add(here)
                    todo += [each for each in self.following[here] if each != stop]
            if block in seen:
                found.add(block)
        return found


def shape_of(module: Module, function: Function) -> Shape:
    if function.shape is None:
        following = {name: _targets(module.block(function, name), name in function.throwing) for name in function.lines}
        preceding: dict[str, list[str]] = {}
        for block, targets in following.items():
            for target in targets:
                preceding.setdefault(target, []).append(block)
        returns = [name for name in function.lines if _returns(module.block(function, name))]
        loops = _loops(function.entry, following, preceding)
        function.shape = Shape(following, loops, postdominators(returns, following, preceding))
    found = function.shape
    assert isinstance(found, Shape)
    return found


def _targets(block: list[Instruction], throwing: bool) -> list[str]:
    """Where a block goes on; what is thrown in a call counts where something is."""
    if not block:
        return []
    found = list(dict.fromkeys(block[-1].targets))
    return found[:1] if block[-1].op == "invoke" and not throwing else found


def _returns(block: list[Instruction]) -> bool:
    return bool(block) and block[-1].op == "ret"


def _loops(entry: str, following: Mapping[str, list[str]], preceding: Mapping[str, list[str]]) -> dict[str, set[str]]:
    """The blocks of each loop, by its head."""
    found: dict[str, set[str]] = {}
    open_, done = {entry}, set[str]()
    stack = [(entry, list(following[entry]))]
    while stack:
        block, left = stack[-1]
        if not left:
            open_.discard(block)
            done.add(block)
            stack.pop()
            continue
        target = left.pop(0)
        if target in open_:
            body, todo = found.setdefault(target, {target}), [block]
            while todo:
                here = todo.pop()
                if here not in body:
                    body.add(here)
                    todo += preceding.get(here, [])
        elif target not in done:
            open_.add(target)
            stack.append((target, list(following[target])))
    return found
