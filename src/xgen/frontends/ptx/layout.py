"""Where objects are in memory, and into which cells they are cut.

Addresses are flat: globals and buffers, a window for the shared memory of each block. Accesses say where cells are:
those whose address is known; what is left of an object is cut into its elements where accesses of unknown address have
their size. What of an object has no cell is a gap: an access that comes there all the same is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

from xgen.errors import Position, Source, UnsupportedError
from xgen.frontends.ptx.module import Object
from xgen.frontends.ptx.numbers import signed
from xgen.program import automaton as xcfa
from xgen.records import dataclass, replace

GLOBAL, SHARED, LOCAL, END = 0x100_0000, 0x4000_0000, 0x6000_0000, 0x7000_0000
"""Where the windows of global, shared and local memory begin, and where the last one ends."""
NOWHERE = SHARED - 16
"""An address at which nothing is."""
OF_BLOCK = 0x10_0000
"""The bytes of the window of a block's shared memory."""
WORKSPACE = "grid_workspace"
"""What cooperative groups have for barriers of a grid, which no text declares."""
_OF_LIBRARY = re.compile("N4cuda|18cooperative_groups")
"""What the mangled names have of what is in namespaces of CUDA's own: constants that results do not list."""
RESERVED = 0x1000
"""So much of it, at its end, is what the system reserves."""
OF_FRAME = 0x1_0000
"""The same of a call's local memory."""
_APART = 256
"""So many bytes at least are between objects that are not shared."""
_NEAR = _APART // 2
"""So many bytes before and behind an object are its own, where an address is computed from there."""

Origin: TypeAlias = "frozenset[int] | None"
"""What the addresses are of that a number may be computed from: where the objects begin, or the window of all shared
memory; None: it may be an address of anything. `NARROW` is in that of a number of up to 32 bits that is read, which is
no address unless it is used as one."""
NARROW, NUMBER = frozenset((-1,)), frozenset[int]()


@dataclass(frozen=True, slots=True)
class Placed:
    """An object at an address, as results call it."""

    name: str
    address: int
    object: Object

    @property
    def end(self) -> int:
        return self.address + self.object.size


class Layout:
    """The objects of a launch, and the accesses to them, which are found in rounds."""

    def __init__(self) -> None:
        self.placed: list[Placed] = []
        self.next = GLOBAL
        self.known: dict[tuple[int, int], Position] = {}
        self.unknown: dict[int, Position] = {}
        self.reached: dict[int, set[int] | None] = {}
        """Where objects begin that accesses of a size lead to whose address is not known; None: to any."""

    def add(self, name: str, found: Object, address: int | None = None) -> Placed:
        """Places an object, behind the others if no address is said."""
        if address is None:
            address = self.next
            align = max(found.align, 128)
            self.next += (found.size + _APART + align - 1) // align * align
            if self.next > NOWHERE:
                raise UnsupportedError(f"there is no room for the {found.size} bytes of `{name}`")
        taken = [each.name for each in self.placed]
        unique, number = name, 1
        while unique in taken:
            number += 1
            unique = f"{name}~{number}"
        placed = Placed(unique, address, found)
        self.placed.append(placed)
        return placed

    def forget(self) -> None:
        """A new round begins."""
        self.known.clear()
        self.unknown.clear()
        self.reached.clear()

    def reaches(self, size: int, starts: Origin, position: Position) -> None:
        """An access of a size at an address that is not known leads to some objects."""
        self.unknown.setdefault(size, position)
        before = self.reached.get(size, set())
        self.reached[size] = None if before is None or starts is None else before | starts

    def sizes(self, start: int) -> list[int]:
        """The sizes of accesses that lead to an object, or to shared memory, whose address is not known."""
        return [size for size, starts in self.reached.items() if starts is None or start in starts]

    def at(self, address: int) -> Placed | None:
        """The object that has a byte."""
        return next((each for each in self.placed if each.address <= address < each.end), None)

    def where(self, address: int) -> str:
        found = self.at(address)
        if found is None:
            return hex(address)
        return f"`{found.name}`" if address == found.address else f"`{found.name}`+{address - found.address}"

    def cell_name(self, address: int, size: int) -> str:
        """What results call the cell of so many bytes at an address."""
        found = self.at(address)
        assert found is not None
        return _cell_name(found, address, size)

    def variables(self, source: Source, values: Values) -> list[xcfa.Variable]:
        """The cells. Raises UnsupportedError where accesses of several sizes overlap."""
        taken = sorted(self.known)
        for (first, size), (second, other) in pairwise(taken):
            if first + size > second:
                one, two = self.known[first, size], self.known[second, other]
                message = f"accesses of {size} and {other} bytes to the same bytes of {self.where(second)}"
                error = UnsupportedError(f"{message} are not supported", source, two)
                error.related = ((f"the access of {size} bytes", one),)
                raise error
        return [variable for each in self.placed for variable in self._cells(each, values)]

    def _cells(self, placed: Placed, values: Values) -> Iterator[xcfa.Variable]:
        for address, size in self._spans(placed, values):
            value = values.initial(placed.object, address - placed.address, size)
            shared = placed.object.space == "shared"
            of_library = _OF_LIBRARY.search(placed.object.name) is not None and (address, size) not in self.known
            yield xcfa.Variable(
                _cell_name(placed, address, size),
                xcfa.INT,
                (xcfa.IntLiteral(value),) if value else (),
                placed.object.position or xcfa.NOWHERE,
                address,
                -size,
                undefined=shared,
                shown=not (shared or of_library or placed.name == WORKSPACE),
            )

    def _spans(self, placed: Placed, values: Values) -> list[tuple[int, int]]:
        found = placed.object
        spans = [(at, size) for at, size in self.known if placed.address <= at < placed.end]
        sizes = self.sizes(SHARED if found.space == "shared" else placed.address)
        if not sizes or values.constant(found):
            return sorted(spans)
        element = found.element or max(sizes)
        if element in sizes:
            taken = bytearray(found.size)
            for at, size in spans:
                taken[at - placed.address : at - placed.address + size] = b"\1" * size
            for at in range(0, found.size - element + 1, element):
                if not any(taken[at : at + element]):
                    spans.append((placed.address + at, element))
        return sorted(spans)

    def gaps(self, variables: list[xcfa.Variable]) -> Iterator[tuple[int, int]]:
        """Bytes that belong to no cell: where they begin, and how many there are."""
        cells = sorted((each.address, abs(each.bytes)) for each in variables if each.address is not None)
        for placed in self.placed:
            at = placed.address
            for address, size in (cell for cell in cells if placed.address <= cell[0] < placed.end):
                if at < address:
                    yield at, address - at
                at = address + size
            if at < placed.end:
                yield at, placed.end - at
        yield LOCAL, END - LOCAL


class Values:
    """What is in objects at first. `symbols`: the addresses of names."""

    def __init__(self, symbols: dict[str, int]) -> None:
        self.symbols = symbols
        self.written: set[int] = set()
        self.reached: set[int] = set()
        """Where objects begin that are written at addresses that are not known."""
        self.anywhere = False
        """Whether that may be any object."""

    def initial(self, found: Object, offset: int, size: int) -> int:
        """The number that some bytes are at first."""
        data = 0
        for start, width, value in found.initial:
            if start < offset + size and offset < start + width:
                number = value if isinstance(value, int) else self.symbol(value, found)
                number &= (1 << 8 * width) - 1
                shift = 8 * (start - offset)
                data |= number << shift if shift >= 0 else number >> -shift
        return signed(data, 8 * size)

    def symbol(self, text: str, found: Object) -> int:
        """The address that an initial value is."""
        name, _, offset = text.partition("+")
        if name.strip() in self.symbols and (not offset or offset.strip().isdigit()):
            return self.symbols[name.strip()] + int(offset.strip() or 0)
        raise UnsupportedError(f"the value `{text}` of `{found.name}` is not supported", None, found.position)

    def constant(self, found: Object) -> bool:
        """Whether an object is made by a compiler, with addresses in it, and no access of known address writes it: then
        it has no cells, and who writes there by an unknown address is refused."""
        return any(isinstance(value, str) for _, _, value in found.initial)

    def folded(self, placed: Placed, address: int, size: int) -> int | None:
        """The number that is always there, as nobody writes it; None: it may change."""
        found = placed.object
        if found.space == "shared" or any(at in self.written for at in range(address, address + size)):
            return None
        if (self.anywhere or placed.address in self.reached) and found.space != "const" and not self.constant(found):
            return None
        return self.initial(found, address - placed.address, size)


class Origins:
    """Which objects the addresses of a thread lead to, by how they are computed. Nothing depends on it that it is
    right: an address that leads elsewhere is told as one out of bounds."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.locals: dict[str, Origin] = {}
        self.changes = 0
        """How often something new was found."""

    def gets(self, name: str, found: Origin) -> None:
        """A local gets a number; one with `$` gets no other, and another one in the next round."""
        before = self.locals.get(name, NUMBER)
        if name.startswith("$"):
            self.locals[name] = found
        elif (both := _either(before, found)) != before or name not in self.locals:
            self.locals[name] = both
            self.changes += 1

    def of(self, value: xcfa.Expression) -> Origin:
        """Which objects an address may be of."""
        match value:
            case xcfa.IntLiteral(number):
                return self._of_literal(number)
            case xcfa.Name(name):
                return self.locals.get(name, NUMBER)
            case xcfa.Wrap(operand) | xcfa.Unary(_, operand):
                return self.of(operand)
            case xcfa.Conditional(_, positive, negative):
                return _either(self.of(positive), self.of(negative))
            case xcfa.Binary(op, left, right):
                first, second = self.of(left), self.of(right)
                if op in ("*", "shl"):  # an index, which is no address
                    return NUMBER
                if first is None or second is None:
                    return None
                both = first | second
                return both - NARROW if both - NARROW else both
            case xcfa.BoolLiteral():
                return NUMBER
            case _:
                return None

    def _of_literal(self, number: int) -> Origin:
        if SHARED <= number < LOCAL:
            return frozenset((SHARED,))
        near = (each for each in self.layout.placed if each.address - _NEAR <= number < each.end + _NEAR)
        return next((frozenset((each.address,)) for each in near if each.object.space != "shared"), NUMBER)


def _either(first: Origin, second: Origin) -> Origin:
    if first is None or second is None:
        return None
    both = first | second
    return None if both >= NARROW and both != NARROW else both


def readable(name: str) -> str:
    """What the source calls a variable whose name is mangled: the last part of it."""
    if found := re.match(r"_ZZ.*?E(\d+[A-Za-z_].*)\Z", name):
        return _last(found[1]) or name
    if found := re.match(r"_ZN?(?:L)?(\d+.*)\Z", name):
        return _last(found[1]) or name
    return name


def _last(text: str) -> str:
    """The last of names that have their lengths before them."""
    last = ""
    while found := re.match(r"L?(\d+)", text):
        length = int(found[1])
        last, text = text[found.end() : found.end() + length], text[found.end() + length :]
    return last


def _cell_name(placed: Placed, address: int, size: int) -> str:
    offset, found = address - placed.address, placed.object
    if size == found.size:
        return placed.name
    if offset % size == 0 and found.element in (0, size):
        return f"{placed.name}[{offset // size}]"
    return f"{placed.name}+{offset}"


def with_size(found: Object, size: int) -> Object:
    """The object with another size: of shared memory that a launch says how much there is of."""
    return replace(found, size=size)
