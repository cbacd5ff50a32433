"""The initial state of a litmus test: values and types of registers and locations."""

from __future__ import annotations

import re
from dataclasses import field
from typing import NoReturn

from xgen.errors import Position
from xgen.frontends.litmus.tokens import Text, Words
from xgen.frontends.litmus.values import NUMBER, Address, Register, Value, number
from xgen.records import dataclass

_WORD = re.compile(rf'{NUMBER}|%?[A-Za-z_$][\w.$]*|"[^"\n]*"|[=;:,*&@\[\]{{}}()]')
_NAME = re.compile(r"%?[A-Za-z_$][\w.$]*\Z")

OWN_ADDRESS = "address.own"
"""The tag of accesses to a location by its own name."""

MAX_CELLS = 10_000
"""Cells of an array."""


@dataclass(slots=True)
class Location:
    """A shared location: its values (one for each cell), its type as written; `size` is None where it is no array."""

    name: str
    values: list[Value] = field(default_factory=lambda: [0])
    type: str | None = None
    size: int | None = None


PROXIES = ("generic", "constant", "texture", "surface")
"""What a location of a GPU may be accessed by."""


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a location: accesses by it bear `address` as a tag."""

    location: str
    address: str
    position: Position
    proxy: str = "generic"


@dataclass(slots=True)
class Initial:
    """Values before the test. `types` are those that the text gives to registers.

    `symbolic` are registers named `%x` for whichever thread uses them, `aliases` other names of locations. What a
    thread does comes before what another one does for each pair of threads in `system`.
    """

    locations: dict[str, Location] = field(default_factory=dict)
    registers: dict[tuple[int, str], Value] = field(default_factory=dict)
    types: dict[tuple[int, str], str] = field(default_factory=dict)
    places: dict[tuple[int, str], Register] = field(default_factory=dict)
    symbolic: dict[str, Value] = field(default_factory=dict)
    aliases: dict[str, Alias] = field(default_factory=dict)
    system: list[tuple[int, int]] = field(default_factory=list)

    def location(self, name: str) -> Location:
        """The location of that name, which is made if there is none."""
        found = self.locations.get(name)
        if found is None:
            found = self.locations[name] = Location(name)
        return found


def read_initial(text: Text, start: int, end: int) -> Initial:
    """The initial state between two places of a text, without its braces."""
    return _Reader(Words(text, _WORD, start, end)).read()


def read_system(text: Text, start: int, end: int) -> list[tuple[int, int]]:
    """What the system orders, between two places of a text: `ssw 0 1; ssw 1 2;`."""
    words, pairs = Words(text, _WORD, start, end), list[tuple[int, int]]()
    while words.word:
        if words.accept(";"):
            continue
        words.expect("ssw", "expected, say, `ssw 0 1;`: what thread 0 does comes before what thread 1 does")
        threads = list[int]()
        while len(threads) < 2:
            number = words.word.removeprefix("P")
            if not number.isdecimal():
                words.wrong("expected the number of a thread")
            if threads == [int(number)]:
                words.text.wrong("a thread does not synchronize with itself", *words.place)
            words.take()
            threads.append(int(number))
        pairs.append((threads[0], threads[1]))
        if words.word:
            words.expect(";")
    return pairs


class _Reader:
    def __init__(self, words: Words) -> None:
        self.words = words
        self.result = Initial()

    def read(self) -> Initial:
        words = self.words
        while words.word:
            if not words.accept(";"):
                self.item()
                if words.word:
                    words.expect(";", "expected `;` between the parts of the initial state")
        return self.result

    def item(self) -> None:
        words = self.words
        if _NAME.match(words.word) and words.ahead() in ("@", "aliases"):
            self.alias()
            return
        type_ = self.type()
        pointer = words.accept("*")
        if pointer:
            type_ = f"{type_ or 'int'} *"
        if words.ahead() == ":":
            self.register(type_)
        elif words.word.startswith("%"):
            name = words.take()[1:]
            self.result.symbolic[name] = self.value() if words.accept("=") else 0
        else:
            self.location(type_)

    def type(self) -> str | None:
        """The type that an item starts with, if it does: names that are followed by another name or a `*`."""
        words, parts = self.words, list[str]()
        while _NAME.match(words.word):
            following, after = words.ahead(), words.ahead(2)
            named = _NAME.match(following) or following == "*" or after == ":"  # `int x`, `int *x`, `int 0:r1`
            bracketed = following == "[" and _NAME.match(after)  # `int [x]`, not `x[2]`
            if not (named or bracketed):
                break
            parts.append(words.take())
        return " ".join(parts) or None

    def alias(self) -> None:
        """`s @ surface aliases x`: by the proxy, at x's address; `y aliases x`: by an address of its own."""
        words, found = self.words, self.result
        position, name = words.position, words.take()
        if name in found.aliases or name in found.locations:
            words.text.wrong(f"there is already a location `{name}`", *self.last())
        proxy = "generic"
        if words.accept("@"):
            proxy = words.word
            if not words.accept(*PROXIES):
                words.wrong(f"expected {', '.join(PROXIES)}")
        words.expect("aliases")
        of = words.word
        known = found.aliases.get(of)
        if known is None and of not in found.locations:
            words.text.wrong(f"there is no location `{of}` before this", *words.place)
        words.take()
        location, address = (known.location, known.address) if known else (of, OWN_ADDRESS)
        found.aliases[name] = Alias(location, f"address.{name}" if proxy == "generic" else address, position, proxy)

    def register(self, type_: str | None) -> None:
        words = self.words
        place = words.position
        key = (thread_number(words), register_name(words))
        register = Register(*key, place)
        value = self.value() if words.accept("=") else 0
        if key in self.result.registers and self.result.registers[key] != value:
            words.text.wrong(f"register {register} has two values in the initial state", *self.last())
        self.result.registers[key] = value
        self.result.places[key] = register
        if type_ is not None:
            self.result.types[key] = type_

    def last(self) -> tuple[int, int]:
        start = self.words.starts[self.words.number - 1]
        return start, start + len(self.words.words[self.words.number - 1])

    def location(self, type_: str | None) -> None:
        words = self.words
        bracket = words.accept("[")
        if not _NAME.match(words.word):
            self.unreadable()
        name = words.take()
        if words.word == "(":
            words.text.unsupported("locations of this form (tags, page tables) are not supported", *words.place)
        if bracket:
            words.expect("]")
        location = self.result.location(name)
        location.type = type_ or location.type
        if not bracket and words.accept("["):
            if not words.word.isdecimal():
                words.wrong("expected the number of cells")
            location.size = int(words.take())
            if not 1 <= location.size <= MAX_CELLS:
                words.text.wrong(f"an array has from 1 to {MAX_CELLS:,} cells", *self.last())
            words.expect("]")
            location.values = [0] * location.size
        if words.accept("="):
            self.values(location)

    def values(self, location: Location) -> None:
        words = self.words
        place = words.place
        if words.accept("{"):
            location.values = [self.value()]
            while words.accept(","):
                location.values.append(self.value())
            words.expect("}")
            if len(location.values) != (location.size or 1):
                message = f"`{location.name}` has {location.size or 1} cells, not {len(location.values)}"
                words.text.wrong(message, *place)
            return
        if words.accept("ATOMIC_INIT"):
            words.expect("(")
            location.values = [self.value()]
            words.expect(")")
            return
        if location.size is not None:
            words.wrong("an array's initial value is written `{1, 2}`")
        location.values = [self.value()]

    def value(self) -> Value:
        words = self.words
        if words.word == "(":
            words.text.unsupported("values of this form (tags, labels, page tables) are not supported", *words.place)
        if not _NAME.match(words.word) and words.word[:1] not in "&-0123456789":
            self.unreadable()
        return read_value(words)

    def unreadable(self) -> NoReturn:
        self.words.wrong("expected, say, `x=1`, `0:r1=x`, `int x=1` or `int t[2]={1,2}`")


def thread_number(words: Words) -> int:
    """Reads `0:` or `P0:`."""
    word = words.word.removeprefix("P")
    if not word.isdecimal():
        words.wrong("expected the number of a thread")
    words.take()
    words.expect(":")
    return int(word)


def register_name(words: Words) -> str:
    """Reads a register's name."""
    if not _NAME.match(words.word):
        words.wrong("expected the name of a register")
    return words.take()


def read_value(words: Words) -> Value:
    """Reads a number, or the name of a location, whose address is meant: `x`, `&x`, `t[1]`."""
    position = words.position
    ampersand = words.accept("&")
    word = words.word
    if not ampersand and word[:1] in "-0123456789" and word[:1]:
        if words.ahead() == ":":
            words.text.unsupported("labels and tags as values are not supported", *words.place)
        return number(words.take())
    if not _NAME.match(word) or word.startswith("%"):
        words.wrong("expected a number or the name of a location")
    words.take()
    if word == "NULL":
        return 0
    if words.word in (":", "("):
        words.text.unsupported("values of this form (tags, labels, page tables) are not supported", *words.place)
    index = 0
    if words.accept("["):
        if not words.word.isdecimal():
            words.wrong("expected the number of a cell")
        index = int(words.take())
        words.expect("]")
    return Address(word, index, position)
