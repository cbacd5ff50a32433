"""Arrays of one element at the end of a struct, which may stand for one of any length, as before C99.

Nowhere else may one: what follows it in the same object is another member, or the next row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xgen.frontends.llvm.text.tokens import Local, Number, Offset, Operand
from xgen.frontends.llvm.text.types import Array, Int, Struct, Type
from xgen.records import dataclass

Step: TypeAlias = tuple[Type, tuple[tuple[Type, Operand], ...]]
"""What `getelementptr` goes by: the type that its pointer leads to, and its operands."""
_BYTE = Int(8)


@dataclass(frozen=True, slots=True)
class Tail:
    """An address: whether it is of a struct's member, and whether that and all around it that is known are the last."""

    member: bool = False
    last: bool = True

    def bounds(self, type_: Array) -> bool:
        """Whether the array that is there has no more elements than its type says."""
        return type_.count > 1 or (type_.count == 1 and not (self.member and self.last))

    def inner(self, type_: Struct | Array, index: int) -> tuple[Tail, Type]:
        """A member or an element of what is there, and its type."""
        if isinstance(type_, Array):
            return (self if type_.count == 1 else Tail(self.member, False)), type_.element
        behind = type_.elements[index + 1 :]
        padding = all(isinstance(each, Array) and each.element == _BYTE for each in behind)
        return Tail(True, self.last and padding), type_.elements[index]


def tail_of(operand: Operand, made: Callable[[str], Step | None]) -> Tail:
    """What is known of an address. `made`: how one was that a name stands for, if by `getelementptr`."""
    if isinstance(operand, Offset):
        step: Step | None = operand.type, operand.operands
    else:
        step = made(operand.name) if isinstance(operand, Local) else None
    if step is None:
        return Tail()
    type_, ((_, base), (_, first), *path) = step
    # So many bytes on, it may be anywhere.
    found = tail_of(base, made) if first == Number(0) else Tail(member=type_ == _BYTE)
    for _, index in path:
        assert isinstance(type_, Struct | Array)
        found, type_ = found.inner(type_, index.value if isinstance(index, Number) else 0)
    return found
