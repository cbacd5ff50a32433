"""A module of PTX: its functions with their instructions, what it declares in memory, and where in the source it was.

A place is that of the `.loc` before it, where the text of that file is known; of what was inlined, where it was inlined
into that text. Where no such text is known, it is a line of the PTX itself. Names that are declared in a scope inside
of a function get a number, so that they are one thing in the whole function.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from xgen.errors import Position, ProgramError, Source, UnsupportedError
from xgen.frontends.ptx.text import Piece, pieces, split
from xgen.records import dataclass

DECLARES = ".param"
"""The word of what begins the life of a parameter of a call, which has no value then."""
Space = Literal["global", "const", "shared", "local"]


@dataclass(frozen=True, slots=True)
class Instruction:
    """`@!%p1 ld.global.u32 %r1, [%rd1];`: its words (`ld`, `global`, `u32`), operands, and the predicate, if it has
    one, with whether that must not hold. `position` is None in code of a file that is not the user's."""

    words: tuple[str, ...]
    operands: tuple[str, ...]
    predicate: tuple[str, bool] | None
    position: Position | None
    text: str

    @property
    def name(self) -> str:
        return ".".join(self.words)


@dataclass(frozen=True, slots=True)
class Object:
    """What is declared in memory. `element`: the bytes of one of its elements; 0 where the text does not tell, as of a
    structure. `initial`: by offset, how many bytes are set to which number, or to the address of which name."""

    name: str
    space: Space
    size: int
    element: int
    align: int
    initial: tuple[tuple[int, int, int | str], ...] = ()
    position: Position | None = None


@dataclass(slots=True, eq=False)
class Function:
    """A kernel (`entry`) or a function. `labels`: by name, the number of the instruction that follows. `widths`: the
    bits of registers, 1 of a predicate; `ranges`: of those that are declared as many (`%r<5>`), by how they begin.
    `cluster`: the blocks of a cluster of the kernel, where the text says so.
    """

    name: str
    entry: bool
    parameters: tuple[tuple[str, int], ...]
    results: tuple[tuple[str, int], ...]
    position: Position
    body: list[Instruction] = field(default_factory=list)
    targets: dict[int, int] = field(default_factory=dict)
    objects: list[Object] = field(default_factory=list)
    widths: dict[str, int] = field(default_factory=dict)
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    declared: dict[str, int] = field(default_factory=dict)
    cluster: tuple[int, int, int] | None = None
    live: tuple[frozenset[str], ...] = ()
    """What `liveness` has found."""

    def width(self, register: str) -> int | None:
        """The bits of a register, 1 of a predicate; None: there is no such register."""
        known = self.widths.get(register)
        if known is None and (found := _NUMBERED.match(register)):
            width, count = self.ranges.get(found[1], (0, 0))
            if int(found[2]) < count:
                known = self.widths[register] = width
        return known


_SPACES: dict[str, Space] = {"global": "global", "const": "const", "shared": "shared", "local": "local"}
_NUMBERED = re.compile(r"(.*?)(\d+)\Z")
_WIDTH = re.compile(r"\.?(?:pred|[a-z]+?(\d+)(?:x2)?)\Z")
_PARAMETER = re.compile(r"\.param\s+\.(\w+)\s+([\w$%]+)\s*(?:\[(\d+)\])?")
_LOCATION = re.compile(r"\.loc\s+(\d+)\s+(\d+)\s+(\d+)(?:.*inlined_at\s+(\d+)\s+(\d+)\s+(\d+))?")
_PREDICATE = re.compile(r"@(!?)([%\w$]+)\s+")
_WORD = re.compile(r"[%$A-Za-z_][\w$%]*")
Loc = tuple[int, int, int]


class Module:
    """What a text declares. Raises ProgramError and UnsupportedError."""

    def __init__(self, source: Source, sources: Mapping[str, Source]) -> None:
        self.source = source
        self.functions: dict[str, Function] = {}
        self.objects: dict[str, Object] = {}
        self.files: dict[int, Source] = {}
        self.scopes: list[dict[str, str]] = []
        self.count = 0
        self.inlined: dict[Loc, Loc] = {}
        self.place: Position | None = None
        self.placed = False
        self.labels: dict[str, int] = {}
        self.jumps: list[tuple[int, str, Position]] = []
        found = list(pieces(source))
        self._files(found, sources)
        self.here: Function | None = None
        for piece in found:
            self._piece(piece)
        if self.here is not None:
            raise ProgramError(f"the function `{self.here.name}` has no end", source, self.here.position)

    def _files(self, found: list[Piece], sources: Mapping[str, Source]) -> None:
        """Of which files the texts are known, by the numbers that `.loc` has for them."""
        for piece in found:
            named = re.match(r'\.file\s+(\d+)\s+"([^"]*)"', piece.text) if piece.text.startswith(".file") else None
            if named and named[2] in sources:
                self.files[int(named[1])] = sources[named[2]]

    def _piece(self, piece: Piece) -> None:
        if piece.kind == "open":
            if self.here is None:
                self._begin(piece)
            self.scopes.append({})
        elif piece.kind == "close":
            self._close(piece)
        elif self.here is None:
            self._outside(piece)
        elif piece.kind == "label":
            self._label(piece.text)
        else:
            self._inside(self.here, piece)

    def _at(self, piece: Piece) -> Position:
        return Position(piece.line, piece.column, max(1, min(len(piece.text), 40)), source=self.source)

    def _begin(self, piece: Piece) -> None:
        head = re.search(r"\.(func|entry)\s*(\([^)]*\))?\s*([\w$%]+)\s*(\((?:[^()]|\([^)]*\))*\))?", piece.text)
        if head is None:
            raise ProgramError("this is not the head of a function", self.source, self._at(piece))
        parameters, results = _parameters(head[4]), _parameters(head[2])
        self.here = Function(head[3], head[1] == "entry", parameters, results, self._at(piece), cluster=_cluster(piece))
        if ".blocksareclusters" in piece.text:
            message = "a grid that is counted in clusters (`.blocksareclusters`) is not supported"
            raise UnsupportedError(message, self.source, self._at(piece))
        self.place, self.placed, self.labels, self.jumps, self.inlined = None, False, {}, [], {}

    def _close(self, piece: Piece) -> None:
        if not self.scopes:
            raise ProgramError("there is nothing that this brace closes", self.source, self._at(piece))
        self.scopes.pop()
        function = self.here
        if self.scopes or function is None:
            return
        for number, label, position in self.jumps:
            if label not in self.labels:
                raise ProgramError(f"there is no label `{label.partition('~')[0]}`", self.source, position)
            function.targets[number] = self.labels[label]
        known = self.functions.get(function.name)
        if known is not None:
            raise ProgramError(f"there are two functions `{function.name}`", self.source, function.position)
        self.functions[function.name] = function
        self.here = None

    def _outside(self, piece: Piece) -> None:
        """Declarations; those of functions are none of interest."""
        if piece.kind == "label" or not re.search(r"\.(global|const|shared)\b", piece.text.partition("=")[0]):
            return
        if re.search(r"\.(func|entry)\b", piece.text):
            return
        found = self._declared(piece)
        if ".extern" in piece.text and found.space != "shared":
            raise UnsupportedError(
                f"`{found.name}` is declared here and defined in another module", self.source, self._at(piece)
            )
        self.objects[found.name] = found

    def _label(self, name: str) -> None:
        assert self.here is not None
        self.labels[self._scoped(name, new=len(self.scopes) > 1)] = len(self.here.body)

    def _scoped(self, name: str, new: bool = False) -> str:
        """What a name in a scope is called in the whole function; a `new` one is declared there."""
        if new and name not in self.scopes[-1]:
            self.count += 1
            self.scopes[-1][name] = f"{name}~{self.count}"
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return name

    def _inside(self, function: Function, piece: Piece) -> None:
        text = piece.text
        if text.startswith("."):
            self._directive(function, piece)
            return
        predicate = None
        if guarded := _PREDICATE.match(text):
            predicate = self._scoped(guarded[2]), guarded[1] == "!"
            text = text[guarded.end() :]
        name, _, rest = text.partition(" ")
        words = tuple(name.split("."))
        operands = split(rest)
        if words[0] == "bra":
            self._jump(function, operands, piece)
        elif len(self.scopes) > 1:
            operands = [_WORD.sub(lambda word: self._scoped(word[0]), operand) for operand in operands]
        position = self.place if self.files else self._at(piece)
        function.body.append(Instruction(words, tuple(operands), predicate, position, piece.text))

    def _jump(self, function: Function, operands: list[str], piece: Piece) -> None:
        if len(operands) != 1:
            raise ProgramError("a jump has one label", self.source, self._at(piece))
        inner = len(self.scopes) > 1 and operands[0] not in self.labels and not operands[0].startswith("$")
        label = self._scoped(operands[0], new=inner)
        self.jumps.append((len(function.body), label, self._at(piece)))

    def _directive(self, function: Function, piece: Piece) -> None:
        text = piece.text
        word = text.split(None, 1)[0]
        if word == ".loc":
            self._location(text)
        elif word == ".reg":
            self._registers(function, text)
        elif word == ".param":
            for name, size in _parameters(text):
                declared = self._scoped(name, new=len(self.scopes) > 1)
                function.declared[declared] = size
                function.body.append(Instruction((DECLARES,), (declared,), None, None, text))
        elif word in (".shared", ".local", ".global", ".const"):
            function.objects.append(self._declared(piece))
        elif word not in (".pragma", ".callprototype", ".calltargets", ".branchtargets", ".noreturn", ".file"):
            raise UnsupportedError(f"the directive `{word}` is not supported", self.source, self._at(piece))

    def _registers(self, function: Function, text: str) -> None:
        _, kind, rest = (*text.split(None, 2), "", "")[:3]
        if kind.startswith(".v"):
            raise UnsupportedError("registers that are vectors are not supported", self.source)
        found = _WIDTH.match(kind)
        if found is None:
            raise UnsupportedError(f"registers of the type `{kind}` are not supported", self.source)
        width = int(found[1]) if found[1] else 1
        for register in split(rest):
            if many := re.match(r"(.*)<(\d+)>\Z", register):
                function.ranges[many[1]] = width, int(many[2])
            else:
                function.widths[self._scoped(register, new=len(self.scopes) > 1)] = width

    def _location(self, text: str) -> None:
        found = _LOCATION.match(text)
        if found is None:
            return
        at = int(found[1]), int(found[2]), int(found[3])
        if found[4]:
            self.inlined[at] = int(found[4]), int(found[5]), int(found[6])
        passed = set[Loc]()
        while at[0] not in self.files and at in self.inlined and at not in passed:
            passed.add(at)
            at = self.inlined[at]
        source = self.files.get(at[0])
        if source is None:
            self.place = None
        else:
            line = source.line(at[1])
            indent = len(line) - len(line.lstrip()) + 1
            column = at[2] if 1 < at[2] <= len(line) else indent
            self.place = Position(at[1], column, max(1, len(line.rstrip()) - column + 1), source=source)

    def _declared(self, piece: Piece) -> Object:
        found = re.search(r"\.(global|const|shared|local)\b(.*)\Z", piece.text)
        assert found is not None
        space, rest = _SPACES[found[1]], found[2]
        align = re.search(r"\.align\s+(\d+)", rest)
        rest = re.sub(r"\.align\s+\d+|\.attribute\([^)]*\)", "", rest).strip()
        parts = re.match(r"\.(\w+)\s+([\w$%.]+)\s*((?:\[\s*\d*\s*\])*)\s*(?:=\s*(.*))?\Z", rest)
        width = _WIDTH.match(parts[1]) if parts else None
        if parts is None or width is None or not width[1]:
            raise UnsupportedError("this declaration is not supported", self.source, self._at(piece))
        element = int(width[1]) // 8
        count = 1
        for size in re.findall(r"\[\s*(\d*)\s*\]", parts[3]):
            count *= int(size or 0)
        aligned = int(align[1]) if align else element
        initial = _initial(parts[4], element) if parts[4] else ()
        told = 0 if element == 1 and aligned > 1 and parts[3] else element
        return Object(parts[2], space, element * count, told, aligned, initial, self._at(piece))


def _cluster(piece: Piece) -> tuple[int, int, int] | None:
    """The blocks of a cluster that the head of a kernel says."""
    found = re.search(r"\.reqnctapercluster\s+(\d+)\s*(?:,\s*(\d+)\s*)?(?:,\s*(\d+))?", piece.text)
    if found is None:
        return None
    x, y, z = (int(each or 1) for each in found.groups())
    return x, y, z


def _parameters(text: str | None) -> tuple[tuple[str, int], ...]:
    """The names of parameters, and how many bytes each has."""
    found = []
    for part in split((text or "").strip().strip("()")):
        plain = re.sub(r"\.align\s+\d+|\.ptr\b|\.(?:global|shared|const|local)\b", "", part)
        told = _PARAMETER.search(" ".join(plain.split()))
        width = _WIDTH.match(told[1]) if told else None
        if told and width and width[1]:
            found.append((told[2], int(width[1]) // 8 * int(told[3] or 1)))
    return tuple(found)


def _initial(text: str, element: int) -> tuple[tuple[int, int, int | str], ...]:
    found: list[tuple[int, int, int | str]] = []
    flat = text.replace("{", " ").replace("}", " ")
    for index, value in enumerate(split(flat)):
        generic = re.match(r"generic\s*\(\s*([^)]*?)\s*\)\Z", value)
        known = literal(value)
        told = known if known is not None else generic[1] if generic else value
        found.append((index * element, element, told))
    return tuple(found)


_NUMBER = re.compile(r"(-?)(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)U?\Z")
_FLOAT = re.compile(r"0([fFdD])([0-9a-fA-F]{8}|[0-9a-fA-F]{16})\Z")


def literal(text: str) -> int | None:
    """The number that a constant is, of a floating point one its bits; None: it is none."""
    if found := _FLOAT.match(text):
        return int(found[2], 16)
    found = _NUMBER.match(text)
    if found is None:
        return None
    digits = found[2]
    octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
    value = int(digits, 8 if octal else 0)
    return -value if found[1] else value
