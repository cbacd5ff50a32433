"""The words of IR text, its types and constants."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn, TypeAlias

from xgen.errors import UnsupportedError
from xgen.frontends.llvm.text.types import POINTER, Array, Float, Int, Named, Struct, Type
from xgen.frontends.reals import WIDTHS, literal
from xgen.records import dataclass

NAME = r'(?:"[^"]*"|[-\w.$]+)'
BODY = re.compile(r'^define [^@\n]*@("[^"\n]+"|[\w.$-]+)\([^\n]*\{\n.*?^\}\n', re.M | re.S)
"""A function with a body: its name, and all of its lines."""
_TOKEN = re.compile(
    rf'\s*(?:(?P<string>c?"[^"]*")|(?P<local>%{NAME})|(?P<name>@{NAME})|(?P<meta>![\w.]*)'
    r"|(?P<number>-?\d+(?:\.\d+(?:e[+-]?\d+)?)?\b|0x[0-9A-FKLMHR]+|[su]0x[0-9A-Fa-f]+)"
    r"|(?P<word>[A-Za-z_.][\w.$]*|\#\w+|\.\.\.)|(?P<sign>.))"
)
_FLOATS = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "x86_fp80": 16, "fp128": 16}
_PLAIN = ("ptr", "void", "label", "metadata", "token", "opaque")
_OPEN, _CLOSE = "([{<", ")]}>"


@dataclass(frozen=True, slots=True)
class Local:
    name: str


@dataclass(frozen=True, slots=True)
class Global:
    name: str


@dataclass(frozen=True, slots=True)
class Number:
    value: int


@dataclass(frozen=True, slots=True)
class Zero:
    """All bits are 0."""

    type: Type


@dataclass(frozen=True, slots=True)
class Unset:
    """No bit has a value: `undef`, `poison`."""

    type: Type


@dataclass(frozen=True, slots=True)
class Real:
    """A floating point number."""


@dataclass(frozen=True, slots=True)
class Bytes:
    value: bytes


@dataclass(frozen=True, slots=True)
class Aggregate:
    elements: tuple[tuple[Type, Operand], ...]


@dataclass(frozen=True, slots=True)
class Offset:
    """`getelementptr` as a constant."""

    type: Type
    operands: tuple[tuple[Type, Operand], ...]


@dataclass(frozen=True, slots=True)
class Cast:
    """A pointer as a number and the like."""

    type: Type
    operand: Operand


@dataclass(frozen=True, slots=True)
class Computed:
    op: str
    type: Type
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class Assembly:
    """What stands in a program: its text and constraints as IR has them; `intel`: in which order operands are."""

    text: str
    constraints: str
    intel: bool = False


Operand: TypeAlias = (
    Local | Global | Number | Zero | Unset | Real | Bytes | Aggregate | Offset | Cast | Computed | Assembly
)


def plain(word: str) -> str:
    """A name without its sign and quotes."""
    name = word[1:]
    if name.startswith('"'):
        name = name[1:-1]
    return re.sub(r"\\([0-9A-Fa-f]{2})", lambda m: chr(int(m[1], 16)), name) if "\\" in name else name


class Reader:
    """Reads a line from its words; `named` tells what a named type is."""

    def __init__(self, text: str, named: Callable[[str], Type], at: int = 0) -> None:
        self.text, self.named, self.at = text, named, at
        self._match: re.Match[str] | None = None
        self._of = -1

    def _look(self) -> re.Match[str] | None:
        if self._of != self.at:
            self._match, self._of = _TOKEN.match(self.text, self.at), self.at
        return self._match

    def peek(self) -> str:
        match = self._look()
        return match[match.lastgroup] if match and match.lastgroup else ""

    def kind(self) -> str | None:
        match = self._look()
        return match.lastgroup if match else None

    def next(self) -> str:
        word, match = self.peek(), self._match
        self.at = match.end() if match else len(self.text)
        return word

    def eat(self, word: str) -> bool:
        if self.peek() != word:
            return False
        self.next()
        return True

    def need(self, word: str) -> None:
        if not self.eat(word):
            self.refuse()

    def refuse(self) -> NoReturn:
        raise UnsupportedError(f"this instruction of LLVM is not supported: `{self.text.strip()[:100]}`")

    def skip(self, *words: str) -> None:
        while self.peek() in words:
            self.next()

    def brackets(self) -> None:
        """Passes over what stands in brackets."""
        depth = 0
        while True:
            word = self.next()
            depth += (word in _OPEN) - (word in _CLOSE)
            if depth == 0 or not word:
                return

    # ---- types

    def type(self) -> Type:
        found = self._base()
        while True:
            if self.peek() == "(":  # of a function
                self.brackets()
            elif self.peek() == "addrspace":
                self.next()
                self.brackets()
            else:
                return found

    def _base(self) -> Type:
        word = self.next()
        if word == "ptr":
            return POINTER
        if word[:1] == "i" and word[1:].isdigit():
            return Int(int(word[1:]))
        if word in _PLAIN:
            return Named(word)
        if word in _FLOATS:
            return Float(_FLOATS[word])
        if word == "[" or (word == "<" and self.peek() != "{"):
            count = int(self.next())
            self.need("x")
            element = self.type()
            self.need("]" if word == "[" else ">")
            return Array(count, element, word == "<")
        if word in ("{", "<"):
            if word == "<":
                self.next()
            elements = []
            while not self.eat("}"):
                elements.append(self.type())
                self.eat(",")
            if word == "<":
                self.need(">")
            return Struct(tuple(elements), word == "<")
        if not word.startswith("%"):
            self.refuse()
        return self.named(plain(word))

    # ---- operands

    def operand(self, type_: Type) -> Operand:
        kind, word = self.kind(), self.next()
        if kind == "local":
            return Local(plain(word))
        if kind == "name":
            return Global(plain(word))
        if kind == "number":
            return _real(word, type_) if isinstance(type_, Float) else Number(int(word))
        if word in ("true", "false"):
            return Number(int(word == "true"))
        if word in ("null", "zeroinitializer", "none"):
            return Zero(type_)
        if word in ("undef", "poison"):
            return Unset(type_)
        if kind == "string":
            return Bytes(_characters(word[2:-1]))
        if word in ("{", "[", "<"):
            return self._aggregate(word)
        if word in ("dso_local_equivalent", "no_cfi"):
            return self.operand(type_)
        return self._computed(word)

    def typed(self) -> tuple[Type, Operand]:
        type_ = self.type()
        return type_, self.operand(type_)

    def _aggregate(self, word: str) -> Aggregate:
        packed = word == "<" and self.eat("{")
        close = "}" if packed else _CLOSE[_OPEN.index(word)]
        elements = []
        while not self.eat(close):
            elements.append(self.typed())
            self.eat(",")
        if packed:
            self.need(">")
        return Aggregate(tuple(elements))

    def _computed(self, word: str) -> Operand:
        if word == "getelementptr":
            while self.peek() != "(":
                if self.next() == "inrange":
                    self.brackets()
            self.need("(")
            type_ = self.type()
            operands = []
            while self.eat(","):
                operands.append(self.typed())
            self.need(")")
            return Offset(type_, tuple(operands))
        if word in ("inttoptr", "ptrtoint", "bitcast", "trunc", "addrspacecast", "ptrtoaddr"):
            self.need("(")
            _, inner = self.typed()
            self.need("to")
            cast = Cast(self.type(), inner)
            self.need(")")
            return cast
        if word in ("add", "sub", "xor"):
            self.skip("nuw", "nsw")
            self.need("(")
            type_, left = self.typed()
            self.need(",")
            computed = Computed(word, type_, left, self.typed()[1])
            self.need(")")
            return computed
        if word == "asm":
            intel = False
            while self.kind() == "word":
                intel = self.next() == "inteldialect" or intel
            text = self.next()
            self.need(",")
            return Assembly(text[1:-1], self.next()[1:-1], intel)
        if word != "splat":
            self.refuse()
        self.need("(")
        self.typed()
        self.need(")")
        return Real()


def _real(word: str, type_: Float) -> Operand:
    known = type_.bytes in WIDTHS and not re.match(r"0x[KLMHR]", word)
    return Number(literal(word, type_.bytes)) if known else Real()


def _characters(text: str) -> bytes:
    found = re.sub(r"\\([0-9A-Fa-f]{2})", lambda m: chr(int(m[1], 16)), text)
    return found.encode("latin1")
