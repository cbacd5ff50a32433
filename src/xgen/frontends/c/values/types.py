"""C's types, as the data model (data_model.py) lays them out: sizes, alignments, members, conversions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import field
from typing import Final, TypeAlias

from xgen.frontends.c.values.data_model import word_bytes
from xgen.frontends.mixed_size.cuts import cut
from xgen.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Int:
    """An integer type; `rank` orders those of one size. `_Bool` has 8 bits in memory and the values 0 and 1.

    `width`: how many bits there are; None: as many as a pointer has. `volatile`: accesses of objects of this type are;
    it is no other type. `enumeration`: the tag and the declaration of the enumeration that it is, if it is one.
    """

    name: str
    width: int | None
    signed: bool
    rank: float
    atomic: bool = False
    volatile: bool = field(default=False, compare=False)
    enumeration: tuple[str, int] | None = field(default=None, compare=False)

    @property
    def bits(self) -> int:
        return 8 * word_bytes() if self.width is None else self.width

    def __str__(self) -> str:
        return f"_Atomic {self.name}" if self.atomic else self.name


@dataclass(frozen=True, slots=True)
class Real(Int):
    """A floating point type. Its values are their bits, as a signed number (see reals.py)."""


@dataclass(frozen=True, slots=True)
class Void:
    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class Pointer:
    target: CType
    atomic: bool = False
    volatile: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"{self.target} *"


@dataclass(frozen=True, slots=True)
class Array:
    """An array; `size` is None where it is not known (yet)."""

    element: CType
    size: int | None

    def __str__(self) -> str:
        return f"{self.element}[{'' if self.size is None else self.size}]"


@dataclass(frozen=True, slots=True)
class Function:
    """A function; without a `prototype` it says nothing of its parameters."""

    result: CType
    parameters: tuple[CType, ...] = ()
    variadic: bool = field(default=False, compare=False)
    prototype: bool = field(default=True, compare=False)

    def __str__(self) -> str:
        return f"{self.result} ()"


@dataclass(frozen=True, slots=True)
class Const:
    """A type with `const`. Only what looks at constraints has these; elsewhere the word is left out."""

    type: CType

    def __str__(self) -> str:
        return f"{self.type} const" if isinstance(self.type, Pointer) else f"const {self.type}"


@dataclass(frozen=True, slots=True)
class Bits:
    """What a bit field has: some bits of an integer.

    Neighbours are one memory location (C11, 3.14), called `name`, which is accessed in `units`, by offsets and sizes
    from its start; the field begins there with bit `start`.
    """

    type: Int
    width: int
    start: int = 0
    units: tuple[tuple[int, int], ...] = ()
    name: str = ""

    def __str__(self) -> str:
        return f"{self.type} : {self.width}"

    @property
    def number(self) -> Int:
        """The type of the numbers that it has. One that is wider than int is no other type's, as GNU C has it."""
        if self.type.name == "_Bool":
            return BOOL
        if self.width in (INT.bits, self.type.bits):
            own = self.type if self.width == self.type.bits else INT if self.type.signed else UINT
            return replace(own, volatile=False)
        rank = INT.rank - 0.5 if self.width < INT.bits else INT.rank + self.width / 64
        return Int(str(self), self.width, self.type.signed, rank)


@dataclass(frozen=True, slots=True)
class Member:
    """A member; an anonymous struct or union has the name "". `aligned`: what its offset is a multiple of at least;
    `packed`: it may be at any offset else; `constant`: it is declared const."""

    name: str
    type: CType
    offset: int = 0
    aligned: int = 1
    packed: bool = False
    constant: bool = False


@dataclass(eq=False, slots=True)
class Record:
    """A struct or a union; told apart by identity. `members` is None until it is complete.

    `key`: what declares it, the same in every translation. `overlaps`: it is a union in which scalars lie on each other
    in part; its scalars are those of the members that are `used` which are in no larger one. `cuts`: where such are cut
    in parts. `packed`: something in it is. `transparent`: as a parameter it takes what its members take. `twin`: the
    same with `volatile` members, if it is asked for; its own twin is itself. `whole`: the same as an atomic object, if
    it is asked for; `base`: what this one is the atomic object of.
    """

    name: str
    union: bool
    members: list[Member] | None = None
    size: int = 0
    alignment: int = 1
    key: object = None
    overlaps: bool = False
    used: tuple[int, ...] = ()
    cuts: frozenset[int] = frozenset()
    packed: bool = False
    transparent: bool = False
    twin: Record | None = None
    whole: Record | None = None
    base: Record | None = None

    def __str__(self) -> str:
        kind = "" if self.key == self.name else "union " if self.union else "struct "
        name = f"{kind}{self.name}".rstrip()
        return f"_Atomic {name}" if self.base else name

    def as_volatile(self) -> Record:
        """The same with `volatile` members; an atomic object has no members."""
        if self.base:
            return self
        if self.twin is None:
            self.twin = Record(self.name, self.union)
            self.twin.twin = self.twin
            self.tell_twins()
        return self.twin

    def as_atomic(self) -> Record:
        """The same as an object that is accessed as a whole. As GNU's compilers have it, it is aligned to its size
        where machines may access so many bytes at once, and never larger."""
        if self.base:
            return self
        if self.whole is None:
            self.whole = Record(self.name, self.union, base=self)
            self.tell_twins()
        return self.whole

    def tell_twins(self) -> None:
        """The twins have what this one has, which may have been completed."""
        if self.members is None:
            return
        twins = [twin for twin in (self.twin, self.whole) if twin and twin is not self]
        for twin in twins:
            twin.members = list(self.members)
            twin.size, twin.alignment, twin.packed = self.size, self.alignment, self.packed
            twin.key, twin.overlaps, twin.used, twin.cuts = self.key, self.overlaps, self.used, self.cuts
            twin.transparent = self.transparent
        if self.twin in twins and self.twin:
            self.twin.members = [replace(member, type=volatile(member.type)) for member in self.members]
        if self.whole and self.size in AT_ONCE:
            self.whole.alignment = max(self.alignment, self.size)

    def shown(self) -> list[Member]:
        """The members that have scalars: of a union whose members overlap, only those that are used."""
        members = self.members or []
        return [members[number] for number in self.used or (0,)] if self.overlaps else members

    def way(self, name: str) -> list[tuple[Record, int]]:
        """The records on the way to the member of that name, and the number of the member that leads there."""
        for number, member in enumerate(self.members or []):
            if member.name == name:
                return [(self, number)]
            if member.name == "" and isinstance(member.type, Record):
                inner = member.type.way(name)
                if inner:
                    return [(self, number), *inner]
        return []

    def find(self, name: str) -> Member | None:
        """The member of that name, also inside anonymous ones; its offset is from the record's start."""
        for member in self.members or []:
            if member.name == name:
                return member
            if member.name == "" and isinstance(member.type, Record):
                inner = member.type.find(name)
                if inner is not None:
                    return replace(inner, offset=member.offset + inner.offset)
        return None


NUMBERS: Final = (Int, Pointer)
SCALARS: Final = (Int, Pointer, Bits)
"""Made once: whether a type is one of these is asked all the time."""
AT_ONCE = (1, 2, 4, 8, 16)
"""How many bytes machines may access at once."""
CType: TypeAlias = Int | Void | Pointer | Array | Function | Record | Const | Bits

VOID = Void()
BOOL = Int("_Bool", 8, False, 0)
CHAR = Int("char", 8, True, 1)
SCHAR = Int("signed char", 8, True, 1)
UCHAR = Int("unsigned char", 8, False, 1)
SHORT = Int("short", 16, True, 2)
USHORT = Int("unsigned short", 16, False, 2)
INT = Int("int", 32, True, 3)
UINT = Int("unsigned int", 32, False, 3)
LONG = Int("long", None, True, 4)
ULONG = Int("unsigned long", None, False, 4)
LLONG = Int("long long", 64, True, 5)
ULLONG = Int("unsigned long long", 64, False, 5)
FLOAT = Real("float", 32, True, 6)
DOUBLE = Real("double", 64, True, 7)

_NAMES: dict[str, CType] = {
    "_Bool": BOOL,
    "char": CHAR,
    "char signed": SCHAR,
    "char unsigned": UCHAR,
    "short": SHORT,
    "short signed": SHORT,
    "short unsigned": USHORT,
    "int": INT,
    "signed": INT,
    "": INT,
    "unsigned": UINT,
    "long": LONG,
    "long signed": LONG,
    "long unsigned": ULONG,
    "long long": LLONG,
    "long long signed": LLONG,
    "long long unsigned": ULLONG,
    "void": VOID,
    "float": FLOAT,
    "double": DOUBLE,
}


def size_type() -> Int:
    """What `sizeof` is of."""
    return ULONG if word_bytes() == 8 else UINT


def difference_type() -> Int:
    """What the difference of two pointers is of."""
    return LONG if word_bytes() == 8 else INT


def of_64_bits(signed: bool) -> Int:
    """The first type that has as many."""
    if word_bytes() == 8:
        return LONG if signed else ULONG
    return LLONG if signed else ULLONG


def named(words: list[str]) -> CType | None:
    """The type that some words name in any order: `unsigned long int`."""
    rest = [word for word in words if word != "int"] if len(words) > 1 else words
    return _NAMES.get(" ".join(sorted(rest)))


def plain(type_: CType) -> CType:
    """The type without `_Atomic` and `volatile`; of a bit field, that of its numbers."""
    if isinstance(type_, NUMBERS):
        if not (type_.atomic or type_.volatile):  # as most are
            return type_
        if isinstance(type_, Pointer):
            return Pointer(type_.target)
        return type(type_)(type_.name, type_.width, type_.signed, type_.rank, enumeration=type_.enumeration)
    if isinstance(type_, Bits):
        return type_.number
    return type_.base or type_ if isinstance(type_, Record) else type_


def volatile(type_: CType) -> CType:
    """The type with `volatile`: an array's elements have it, and the members of a struct or union."""
    match type_:
        case Int() | Pointer():
            return replace(type_, volatile=True)
        case Array(element, size):
            return Array(volatile(element), size)
        case Const(inner):
            return Const(volatile(inner))
        case Record():
            return type_.as_volatile()
        case Bits():
            return replace(type_, type=replace(type_.type, volatile=True))
    return type_


def atomic(type_: CType) -> bool:
    return type_.atomic if isinstance(type_, NUMBERS) else isinstance(type_, Record) and type_.base is not None


def is_volatile(type_: CType) -> bool:
    return isinstance(type_, NUMBERS) and type_.volatile


def decayed(type_: CType) -> CType:
    """The type of a value: of an array it is its first element's address."""
    return Pointer(type_.element) if isinstance(type_, Array) else type_


def adjusted(type_: CType) -> CType:
    """A parameter's type: arrays and functions are pointers there."""
    if isinstance(type_, Array):
        return Pointer(type_.element)
    return Pointer(type_) if isinstance(type_, Function) else type_


def is_scalar(type_: CType) -> bool:
    return isinstance(type_, SCALARS)


def size_of(type_: CType) -> int:
    """In bytes; 0 where it is not known. GNU C: 1 for void and functions."""
    if isinstance(type_, Int):  # as most are
        return word_bytes() if type_.width is None else type_.width // 8
    match type_:
        case Pointer():
            return word_bytes()
        case Array():
            return (type_.size or 0) * size_of(type_.element)
        case Record():
            return type_.size
        case Bits():
            return 0
        case Const(inner):
            return size_of(inner)
        case _:
            return 1


def alignment(type_: CType) -> int:
    match type_:
        case Array():
            return alignment(type_.element)
        case Record():
            return type_.alignment
        case Const(inner):
            return alignment(inner)
        case Int(atomic=False):  # on 32-bit x86 a long long may lie at half its size
            return min(size_of(type_), word_bytes())
        case _:
            return size_of(type_)


def is_complete(type_: CType) -> bool:
    if isinstance(type_, Const):
        return is_complete(type_.type)
    if isinstance(type_, Array):
        return type_.size is not None and is_complete(type_.element)
    return not isinstance(type_, Void | Function) and not (isinstance(type_, Record) and type_.members is None)


def is_signed(type_: CType) -> bool:
    return isinstance(type_, Int) and type_.signed


def bits_of(type_: CType) -> int:
    if isinstance(type_, Int):
        return 8 * word_bytes() if type_.width is None else type_.width
    return size_of(type_) * 8


def width_of(type_: CType) -> int:
    """What an access asks of a cell: its bytes, negative where it is signed and its type matters (8 bytes: it does
    not)."""
    bytes_ = size_of(type_)
    return -bytes_ if is_signed(type_) and bytes_ < 8 else bytes_


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar in an object, or a part of one: its name from the object's (`[1].next`), its place, its type."""

    name: str
    offset: int
    type: Int | Pointer = field(compare=False)
    part: bool = False

    @property
    def end(self) -> int:
        return self.offset + size_of(self.type)


def leaves(type_: CType, name: str = "", offset: int = 0) -> Iterator[Leaf]:
    """The scalars that an object of a type is made of; those of a union's members that lie on each other once each."""
    match type_:
        case Int() | Pointer():
            yield Leaf(name, offset, type_)
        case Array(element, size):
            inner = list(leaves(element)) if size else []
            for k in range(size or 0):
                start = offset + k * size_of(element)
                for leaf in inner:
                    yield Leaf(f"{name}[{k}]{leaf.name}", start + leaf.offset, leaf.type, leaf.part)
        case Record():
            found = _leaves_of_members(type_, name, offset)
            if type_.overlaps and len(type_.used) > 1:
                found = pieces(_largest(found), {offset + cut for cut in type_.cuts}, list(found))
            yield from found
        case Bits(_, _, _, units):
            for start, size in units:
                unit = number_of(size)
                unit = replace(unit, volatile=True) if type_.type.volatile else unit
                yield Leaf(name if len(units) == 1 else f"{name}.{start}", offset + start, unit)
        case Const(inner_type):
            yield from leaves(inner_type, name, offset)


def constant_members(type_: CType, offset: int = 0) -> list[range]:
    """The bytes of const members. What is in a union may be written by its other members."""
    match type_:
        case Array(element, size) if size and constant_members(element):
            step = size_of(element)
            return [found for k in range(size) for found in constant_members(element, offset + k * step)]
        case Record(union=False):
            found = []
            for member in type_.members or []:
                start = offset + member.offset
                whole = member.constant and not isinstance(member.type, Bits)
                found += [range(start, start + size_of(member.type))] if whole else constant_members(member.type, start)
            return found
    return []


def _leaves_of_members(record: Record, name: str, offset: int) -> list[Leaf]:
    found: dict[tuple[int, int, str], Leaf] = {}
    for member in record.shown():
        called = member.type.name if isinstance(member.type, Bits) else member.name
        for leaf in leaves(member.type, f"{name}.{called}" if called else name, offset + member.offset):
            found.setdefault((leaf.offset, size_of(leaf.type), "" if record.union else leaf.name), leaf)
    return list(found.values())


def _largest(found: list[Leaf]) -> list[Leaf]:
    """Of scalars that are aligned, those that are in no other one."""
    kept: list[Leaf] = []
    for leaf in sorted(found, key=lambda each: (each.offset, -size_of(each.type))):
        if not kept or leaf.offset >= kept[-1].offset + size_of(kept[-1].type):
            kept.append(leaf)
    return kept


def pieces(whole: list[Leaf], cuts: Set[int], others: list[Leaf]) -> list[Leaf]:
    """Scalars, cut in parts: numbers without a sign, called after the one of the others that is just there."""
    found: list[Leaf] = []
    names = {(leaf.offset, size_of(leaf.type)): leaf for leaf in reversed(others)}
    for leaf in whole:
        end = leaf.offset + size_of(leaf.type)
        inside = list(cut(leaf.offset, end, cuts))
        if len(inside) == 1:
            found.append(leaf)
            continue
        for start, size in inside:
            other = names.get((start, size))
            like = f"{leaf.name}.{start - leaf.offset}" if other is None else other.name
            found.append(Leaf(like, start, number_of(size), True))
    return found


def cut_leaves(type_: CType, cuts: Set[int], taken: Sequence[Leaf] = (), words: bool = False) -> list[Leaf]:
    """The scalars of a type, cut in parts. `taken`: what bytes are taken as, where the type is of bytes; `words`: those
    that are taken as nothing yet are there eight by eight."""
    whole = list(leaves(type_))
    if not taken and not words:
        return pieces(whole, cuts, whole) if cuts else whole
    bytes_ = {leaf.offset: leaf for leaf in whole if is_byte(leaf.type)}
    fitting = [leaf for leaf in taken if all(at in bytes_ for at in range(leaf.offset, leaf.end))]
    largest = _largest(fitting)
    covered = {at for leaf in largest for at in range(leaf.offset, leaf.end)}
    rest = [leaf for leaf in whole if leaf.offset not in covered]
    found, cuts = _as_words(rest) if words else rest, set(cuts)
    for leaf in fitting:
        cuts |= {leaf.offset, leaf.end}
    named = {at: leaf.name for at, leaf in bytes_.items()}
    whole = sorted([*found, *_apart(largest, named)], key=lambda leaf: leaf.offset)
    return pieces(whole, cuts, [*_apart(fitting, named), *rest])


def _as_words(bytes_: list[Leaf]) -> list[Leaf]:
    """Bytes, eight by eight where there are as many."""
    found: list[Leaf] = []
    for leaf in bytes_:
        last = found[-1] if found else None
        if last and last.end == leaf.offset and last.end % 8 and last.offset // 8 == leaf.offset // 8:
            found[-1] = replace(last, type=number_of(leaf.end - last.offset))
        else:
            found.append(replace(leaf, type=number_of(size_of(leaf.type))))
    return found


def _apart(found: list[Leaf], names: Mapping[int, str]) -> list[Leaf]:
    """Scalars that lie in bytes, whose names differ: one that another has already is called as the byte is."""
    known: dict[str, int] = {}
    return [
        leaf if known.setdefault(leaf.name, leaf.offset) == leaf.offset else replace(leaf, name=names[leaf.offset])
        for leaf in found
    ]


def has_bytes(type_: CType) -> bool:
    """Whether there is an array of chars in it."""
    match type_:
        case Array(element):
            return is_byte(element) or has_bytes(element)
        case Record():
            return any(has_bytes(member.type) for member in type_.members or [])
    return False


def is_byte(type_: CType) -> bool:
    """Whether it is a char: arrays of these are memory for anything."""
    return isinstance(type_, Int) and type_.bits == 8 and type_.name != "_Bool"


def number_of(bytes_: int) -> Int:
    """A number of so many bytes, without a sign."""
    known = {size_of(type_): type_ for type_ in (UCHAR, USHORT, UINT, ULLONG)}
    return known.get(bytes_) or Int(f"number of {bytes_} bytes", 8 * bytes_, False, 0)


def has_tail(record: Record) -> bool:
    """Whether a struct ends with an array that stands for as many elements as there is room for: `[]`, `[0]`, `[1]`."""
    last = (record.members or [])[-1:]
    return not record.union and bool(last) and isinstance(last[0].type, Array) and (last[0].type.size or 0) <= 1


def is_flexible(record: Record) -> bool:
    last = (record.members or [])[-1:]
    return not record.union and bool(last) and isinstance(last[0].type, Array) and not last[0].type.size


def with_tail(record: Record, bytes_: int) -> Record:
    """A struct that ends with an array which has as many elements as there is room for in so many bytes."""
    *members, last = record.members or []
    assert isinstance(last.type, Array)
    tail = Array(last.type.element, (bytes_ - last.offset) // size_of(last.type.element))
    size = -(-(last.offset + size_of(tail)) // record.alignment) * record.alignment
    return Record(record.name, False, [*members, replace(last, type=tail)], size, record.alignment)


def promoted(type_: CType) -> CType:
    """C11, 6.3.1.1: what is smaller than an int becomes one."""
    if type_ is INT:
        return INT
    if isinstance(type_, Int) and type_.rank < INT.rank:
        return INT
    found = plain(type_)
    return replace(found, enumeration=None) if isinstance(found, Int) and found.enumeration else found


def unqualified(type_: CType) -> CType:
    return type_.type if isinstance(type_, Const) else type_


def compatible(one: CType, other: CType) -> bool:
    """Whether two declarations may give these types to one thing (C11, 6.2.7). An enumeration is a type of its own,
    which is compatible with the integer type that has its values, and with no other enumeration (6.7.2.2)."""
    match one, other:
        case Const(a), Const(b):
            return compatible(a, b)
        case Int(enumeration=a), Int(enumeration=b):
            return one == other and (a is None or b is None or a == b)
        case Pointer(a), Pointer(b):
            return one.atomic == other.atomic and compatible(a, b)
        case Array(a, size), Array(b, size2):
            return (size is None or size2 is None or size == size2) and compatible(a, b)
        case Function(), Function():
            return compatible(one.result, other.result) and _same_parameters(one, other)
        case Record(), Record():
            return one is other
    return one == other


def has_volatile(type_: CType) -> bool:
    """Whether a type is `volatile`, or an array of what is."""
    match type_:
        case Array(inner) | Const(inner):
            return has_volatile(inner)
        case Record():
            return type_.twin is type_
    return is_volatile(type_)


def as_volatile(one: CType, other: CType) -> bool:
    """Whether the same is `volatile` in what two compatible types point to."""
    match unqualified(one), unqualified(other):
        case Pointer(a), Pointer(b):
            return has_volatile(a) == has_volatile(b) and as_volatile(a, b)
        case Array(a), Array(b):
            return as_volatile(a, b)
        case Function() as a, Function() as b:
            return as_volatile(a.result, b.result) and all(map(as_volatile, a.parameters, b.parameters))
    return True


def _same_parameters(one: Function, other: Function) -> bool:
    if one.prototype and other.prototype:
        same = len(one.parameters) == len(other.parameters) and one.variadic == other.variadic
        pairs = zip(one.parameters, other.parameters, strict=False)
        return same and all(compatible(unqualified(a), unqualified(b)) for a, b in pairs)
    if not one.prototype and not other.prototype:
        return True
    return not (one if one.prototype else other).variadic and all(
        not (isinstance(part, Int) and part.rank < INT.rank)
        for part in map(unqualified, (one if one.prototype else other).parameters)
    )


def common(left: CType, right: CType) -> CType:
    """The usual arithmetic conversions (C11, 6.3.1.8) of two integer types; pointers count as unsigned long."""
    if left is INT and right is INT:  # as most are
        return INT
    a = promoted(left if isinstance(left, Int) else ULONG)
    b = promoted(right if isinstance(right, Int) else ULONG)
    assert isinstance(a, Int)
    assert isinstance(b, Int)
    if a == b:
        return a
    if isinstance(a, Real) or isinstance(b, Real):
        return a if a.rank > b.rank else b
    if a.signed == b.signed:
        return a if a.rank >= b.rank else b
    unsigned, signed = (b, a) if a.signed else (a, b)
    if unsigned.rank >= signed.rank:
        return unsigned
    if signed.bits > unsigned.bits:
        return signed
    return ULLONG if signed.rank == LLONG.rank else ULONG


def fits(value: int, type_: CType) -> bool:
    """Whether a type has this value."""
    if isinstance(type_, Int) and type_.name == "_Bool":
        return value in (0, 1)
    bits = bits_of(type_)
    if is_signed(type_) or bits == 64:
        return -(1 << (bits - 1)) <= value < 1 << (bits - 1)
    return 0 <= value < 1 << bits


def converted(value: int, type_: CType) -> int:
    """The canonical value of a number in a type: what 64 bits hold of it is a signed number (see arithmetic.py)."""
    if isinstance(type_, Int):
        if type_.name == "_Bool":
            return int(value != 0)
        bits = 8 * word_bytes() if type_.width is None else type_.width
    else:
        bits = 8 * size_of(type_) if isinstance(type_, SCALARS) else 64
    if 0 <= value < 1 << (bits - 1):  # as most are
        return value
    value &= (1 << bits) - 1
    if (is_signed(type_) or bits == 64) and value >> (bits - 1):
        value -= 1 << bits
    return value
