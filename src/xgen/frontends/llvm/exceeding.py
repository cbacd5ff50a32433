"""Local variables behind whose end something is accessed, or behind that of an array in them.

To LLVM this is undefined, so that it removes the access when it makes registers of them: these stay in memory, where
such an access is found. Where pointers to locals lead to is known only when these pointers are in registers: so all
locals that are more than that are kept in memory at first, to see what is done there; then those that have addresses of
others in them become registers as well, as long as there are such.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import field

from xgen.frontends.llvm.outliving import MADE, NAME, NAMES, with_uses
from xgen.frontends.llvm.text.ir import Instruction, Module
from xgen.frontends.llvm.text.tails import Tail
from xgen.frontends.llvm.text.tokens import Local, Number
from xgen.frontends.llvm.text.types import Array, Struct, Type, Unsized, offsets, size_of
from xgen.records import dataclass

_PLAIN = re.compile(rf"  (?:{NAME} = load|store) .*, ptr ({NAME})(?:,|$)")
_MARK = re.compile(r"  (?:tail )?call void @llvm\.lifetime\.|    #dbg_")
_TRIED = re.compile(rf"  call void @xgen\.tried\(ptr ({NAME}), i64 (\d+)\)")
_TRY = "  call void @xgen.tried(ptr {}, i64 {})"
_DECLARED = "declare void @xgen.tried(ptr, i64)"
_BYTES = re.compile(r"  (?:tail )?call void @llvm\.mem(?:cpy|move|set)\.[\w.]+\((.*), i64 (\d+), i1 ")


def exceeded_kept(text: str, in_registers: Callable[[str], str]) -> str:
    """A module's text in which such variables are not made registers of. `in_registers`: what LLVM makes of a text."""
    lines = text.split("\n")
    tried = {place: name for start, end in _functions(lines) for name, place in _of_more(lines, start, end).items()}
    if not tried:
        return text
    more = list(lines)
    for place in sorted(tried, reverse=True):
        more.insert(place + 1, _TRY.format(tried[place], place))
    trial, places = "\n".join([*more, _DECLARED, ""]), set[int]()
    while True:
        trial = in_registers(trial)
        found, holders = _looked_at(trial)
        places |= found
        if not holders:
            return with_uses(lines, places) if places else text
        trial = _without(trial, holders)


def _without(text: str, numbers: Collection[int]) -> str:
    """A text in which these are not tried any more."""
    return _TRIED.sub(lambda match: "" if int(match[2]) in numbers else match[0], text)


def _functions(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = 0
    for at, line in enumerate(lines):
        if line.startswith("define "):
            start = at
        elif line == "}":
            yield start, at


def _of_more(lines: Sequence[str], start: int, end: int) -> dict[str, int]:
    """The variables of a function that are not just read and written as they are, and where they are made."""
    made: dict[str, int] = {}
    found: dict[str, int] = {}
    for at in range(start + 1, end):
        line = lines[at]
        if match := MADE.match(line):
            made[match[1]] = at
        elif made and line.startswith("  ") and not _MARK.match(line):
            plain = _PLAIN.match(line)
            for name in NAMES.findall(line[: plain.start(1)] if plain else line):
                if name in made:
                    found[name] = made[name]
    return found


def _looked_at(text: str) -> tuple[set[int], set[int]]:
    """The numbers of those behind whose ends something is accessed; and of those that only hold addresses of others."""
    lines = text.split("\n")
    types = Module("\n".join(line for line in lines if line.startswith("%")))
    found, holders = set[int](), set[int]()
    for start, end in _functions(lines):
        of_function = _Accesses(types)
        for line in lines[start + 1 : end]:
            of_function.look_at(line)
        found |= of_function.found
        holders |= of_function.holders - of_function.known - of_function.found
    return found, holders


@dataclass(eq=False, slots=True)
class _Place:
    """An address in a variable: of which, how large that is, how far from its start, and in what. `ends`: it is right
    behind an array in it."""

    number: int
    size: int
    offset: int
    tail: Tail = Tail()
    ends: bool = False


@dataclass(eq=False, slots=True)
class _Accesses:
    """Those of a function. `holders`: the variables in which addresses of others are put; `known`: those whose address
    is known elsewhere, or somewhere that is not known here."""

    types: Module
    sizes: dict[str, int] = field(default_factory=dict)
    places: dict[str, _Place] = field(default_factory=dict)
    found: set[int] = field(default_factory=set)
    holders: set[int] = field(default_factory=set)
    known: set[int] = field(default_factory=set)

    def look_at(self, line: str) -> None:
        if match := MADE.match(line):
            made = self.types.instruction(line.strip())
            if not made.operands:
                self.sizes[match[1]] = _size(made.about)
        elif match := _TRIED.match(line):
            if match[1] in self.sizes:
                self.places[match[1]] = _Place(int(match[2]), self.sizes[match[1]], 0)
        elif self.places and line.startswith("  ") and not _MARK.match(line) and self._is_in(line):
            self._use(line)

    def _is_in(self, line: str) -> bool:
        """Whether there is such an address in a line."""
        return any(name in self.places for name in NAMES.findall(line))

    def _use(self, line: str) -> None:
        """What a line does with such an address."""
        if match := _BYTES.match(line):
            for name in NAMES.findall(match[1]):
                self._access(name, int(match[2]))
        elif " = getelementptr " in line:
            self._lead(self.types.instruction(line.strip()))
        elif match := _PLAIN.match(line):
            self._access(match[1], _size(self.types.instruction(line.strip()).type))
            self._put(line[: match.start(1)], self.places.get(match[1]))
        else:
            self._put(line, None)

    def _put(self, line: str, holder: _Place | None) -> None:
        """Where the addresses in a line go."""
        for name in NAMES.findall(line):
            if place := self.places.get(name):
                self.known.add(place.number)
                if holder:
                    self.holders.add(holder.number)

    def _access(self, name: str, width: int) -> None:
        place = self.places.get(name)
        if place and width and (place.ends or not 0 <= place.offset <= place.size - width):
            self.found.add(place.number)

    def _lead(self, i: Instruction) -> None:
        (_, base), (_, step), *path = i.operands
        place = self.places.get(f"%{base.name}") if isinstance(base, Local) else None
        if place is None:
            return
        if not all(isinstance(index, Number) for _, index in i.operands[1:]):
            self.known.add(place.number)
            return
        assert isinstance(step, Number)
        type_: Type = i.about
        offset, ends = place.offset + step.value * _size(type_), place.ends and step.value == 0
        tail = place.tail if step.value == 0 else Tail()
        for _, index in path:
            assert isinstance(index, Number)
            assert isinstance(type_, Struct | Array)
            outer, bounded = type_, isinstance(type_, Array) and tail.bounds(type_)
            tail, type_ = tail.inner(outer, index.value)
            if isinstance(outer, Struct):
                offset += offsets(outer)[index.value]
                continue
            if bounded:
                ends = ends or index.value == outer.count
                if not 0 <= index.value <= outer.count:
                    self.found.add(place.number)
            offset += index.value * _size(type_)
        self.places[f"%{i.name}"] = _Place(place.number, place.size, offset, tail, ends)


def _size(type_: Type) -> int:
    try:
        return size_of(type_)
    except Unsized:
        return 0
