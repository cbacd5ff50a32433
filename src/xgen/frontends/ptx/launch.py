"""Launches of kernels: what the lines `// xgen: ...` of a text say of one, or the command line.

    // xgen: launch NAME<<<GRID,BLOCK[,SHARED][,cluster(X[,Y[,Z]])]>>>(ARGUMENTS)
    // xgen: final CONDITION
    // xgen: init NAME=1, NAME[2]=3

GRID and BLOCK are numbers or `dim3(X,Y,Z)`. An argument is a number, a buffer (`in[4]={1,2,3,4}`, of cells of 4 bytes,
`in[4]:8` of 8; what is not said is 0), or the address of a global variable (`&flag`). A line `// xgen[MACRO]: ...`
counts where the macro is defined; such a launch counts instead of one without. All conditions have to hold.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Literal, TypeAlias

from xgen.errors import Position, ProgramError, Source, UsageError, nearest
from xgen.frontends.ptx.conditions import Condition, Final, Operation, read_condition
from xgen.frontends.ptx.scanning import Line
from xgen.program.text import COMMENT
from xgen.records import dataclass

Three: TypeAlias = tuple[int, int, int]
Vectors = Literal["whole", "parts"]

MOST_THREADS = 1024
"""A launch has no more: who says so has mistaken xgen for a GPU."""
MOST_CELLS = 1 << 16
SIZES = (1, 2, 4, 8)
_SAID = re.compile(r"(?://|/?\*)[ \t]*xgen(?:\[(\w+)\])?:[ \t]*")
_WORDS = ("launch", "final", "init")
_OTHERS = ("accept",)
"""What other lines of this kind may begin with, of which others know; besides options, `--mcm sc`."""
_DEFINED = re.compile(r"\b__global__\s[^;{}()]*?\bvoid\s+(?P<name>\w+)\s*\((?P<parameters>[^()]*)\)\s*\{")
_TYPES = {
    8: "double|long|size_t|u?int64_t|ptrdiff_t",
    2: "short|u?int16_t",
    1: "bool|char|u?int8_t",
    4: "float|int|unsigned|u?int32_t",
}
"""By the bytes of a number: what parameters of such numbers are called."""
_CELLS = 4
"""Cells of each buffer of a launch that is proposed: one for each of its threads."""
_EXAMPLE = "a launch is written sum<<<2,2>>>(in[4]={1,2,3,4}, out[1])"


@dataclass(frozen=True, slots=True)
class Buffer:
    """Memory that a kernel gets the address of: cells of `size` bytes, with values at first (None: each is 0)."""

    name: str
    cells: int
    size: int = 4
    values: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a global variable of the text."""

    name: str


Argument: TypeAlias = int | Buffer | Address


@dataclass(frozen=True, slots=True)
class Launch:
    """A kernel, how many blocks and threads run it, dynamic shared memory in bytes, and what it is given.

    `position`: where the launch stands; `places`: where each argument does. Both know their source. `cluster`: the
    blocks of a cluster, where the launch says so.
    """

    kernel: str
    grid: Three
    block: Three
    shared: int
    arguments: tuple[Argument, ...]
    position: Position = field(compare=False)
    places: tuple[Position, ...] = field(default=(), compare=False)
    cluster: Three | None = None

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        """The buffers among the arguments."""
        return tuple(each for each in self.arguments if isinstance(each, Buffer))


@dataclass(frozen=True, slots=True)
class Initial:
    """A global variable, or a cell of one (`index`), has this value at first."""

    name: str
    index: int | None
    value: int
    position: Position = field(compare=False)


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a text in PTX: a launch, what holds in the end, what holds at first, and how it is read.

    `warp`: so many lanes are a warp. `vectors`: an access of several numbers is one access, or one of each. `sources`:
    the texts of the files that the PTX was made from, by the names that it has for them.
    """

    launch: Launch
    final: Final | None = None
    init: tuple[Initial, ...] = ()
    warp: int = 32
    vectors: Vectors = "whole"
    sources: Mapping[str, Source] = field(default_factory=dict, compare=False)


def _proposed(text: str) -> str | None:
    """A launch of the first kernel that a text in CUDA defines, if it takes buffers and whole numbers."""
    found = _DEFINED.search(COMMENT.sub(" ", text))
    if found is None:
        return None
    arguments = list[str]()
    for parameter in filter(None, map(str.strip, found["parameters"].split(","))):
        name = re.search(r"\w+$", parameter)
        size = next((size for size, types in _TYPES.items() if re.search(rf"\b(?:{types})\b", parameter)), None)
        if name is None or size is None or ("*" not in parameter and re.search("float|double", parameter)):
            return None
        buffer = f"{name[0]}[{_CELLS}]" + (f":{size}" if size != 4 else "")
        arguments.append(buffer if "*" in parameter else str(_CELLS))
    return f"{found['name']}<<<2,2>>>({', '.join(arguments)})"


def read_request(
    source: Source,
    *,
    launch: str | None = None,
    final: str | None = None,
    macros: Collection[str] = (),
    warp: int = 32,
    vectors: Vectors = "whole",
    sources: Mapping[str, Source] | None = None,
) -> Request:
    """What is asked of a program, by its text and by the options --launch and --final, which count instead of what the
    text says. `macros`: those that are defined.

    Raises ProgramError for what is not written as it should be, UsageError where there is no launch.
    """
    told = _said(source, frozenset(macros))
    launches = [_option(launch, "--launch")] if launch is not None else told["launch"]
    finals = [_option(final, "--final")] if final is not None else told["final"]
    if not launches:
        proposed = _proposed(source.text)
        example = f"such as --launch '{proposed}'" if proposed else f"or --launch: {_EXAMPLE}"
        hint = f"a line `// xgen: launch NAME<<<GRID,BLOCK>>>(ARGUMENTS)` says it, {example}"
        raise UsageError("nothing says how the kernel is launched", file=source.name, hint=hint)
    if len(launches) > 1:
        raise ProgramError("there are two launches", source, launches[1].place(), "one is checked at a time")
    init = tuple(each for line in told["init"] for each in _initial(line))
    wanted = _final(finals) if finals else None
    return Request(read_launch(launches[0]), wanted, init, warp, vectors, sources or {})


def _option(text: str, name: str) -> Line:
    joined = " ".join(text.split("\n")).rstrip()
    return Line(Source(name, joined), 1, 0, len(joined))


def _said(source: Source, macros: frozenset[str]) -> dict[str, list[Line]]:
    """The lines of each kind that count, without the word that they begin with."""
    found: dict[str, list[Line]] = {word: [] for word in _WORDS}
    special: list[Line] = []
    for number, text in enumerate(source.text.split("\n"), 1):
        said = _SAID.search(text)
        if said is None:
            continue
        line = Line(source, number, said.end(), len(text.rstrip().removesuffix("*/").rstrip()))
        if line.ended or line.text.startswith("--", line.at):
            continue
        start = line.at
        word = line.name(f"{', '.join(_WORDS)} or options")
        if word in _OTHERS:
            continue
        if word not in found:
            line.wrong(f"`{word}` says nothing here", start, nearest(word, _WORDS) or _EXAMPLE)
        if said[1] is not None and said[1] not in macros:
            continue
        if said[1] is not None and word == "launch":
            special.append(line)
        else:
            found[word].append(line)
    if special:
        found["launch"] = special
    return found


def _final(lines: list[Line]) -> Final:
    """The condition that all of these lines say together."""
    found: list[Condition] = []
    texts = [line.text[line.at :] for line in lines]
    position = lines[0].place()
    for line, text in zip(lines, texts, strict=True):
        if line is lines[0]:
            position = Position(line.line, line.at + 1, max(1, len(text)), source=line.source)
        found.append(read_condition(line))
    together = found[0]
    for each in found[1:]:
        together = Operation("&&", (together, each))
    return Final(texts[0] if len(texts) == 1 else " && ".join(f"({text})" for text in texts), together, position)


def _initial(line: Line) -> list[Initial]:
    """`x=1, y[2]=3`"""
    found = []
    while True:
        start = line.at
        name, index = line.name("a global variable"), None
        if line.take("["):
            index = _count(line, "the number of a cell", 0, MOST_CELLS - 1)
            line.need("]")
        line.need("=")
        value = _value(line)
        found.append(Initial(name, index, value, line.place(start)))
        line.take(",")
        if line.ended:
            return found


def _value(line: Line) -> int:
    start = line.at
    value = line.number()
    if not -(1 << 63) <= value < 1 << 64:
        line.wrong("this number has more than 64 bits", start)
    return value


def _count(line: Line, what: str, least: int, most: int) -> int:
    start = line.at
    value = line.number(what)
    if not least <= value <= most:
        line.wrong(f"{what} is from {least} to {most}", start)
    return value


_KERNEL = re.compile(r"[A-Za-z_$][\w$:]*(?:<(?!<<)[\w:, *]*>)?(?=\s*<<<)")


def read_launch(line: Line) -> Launch:
    """`NAME<<<GRID,BLOCK[,SHARED][,cluster(X[,Y[,Z]])]>>>(ARGUMENTS)`. Raises ProgramError."""
    start = line.at
    kernel = line.match(_KERNEL)
    if kernel is None:
        name = line.name("the name of a kernel")
        line.fail("`<<<`", f"{_EXAMPLE}; `{name}` has no grid")
    line.need("<<<")
    grid = _dimensions(line, "the number of blocks")
    line.need(",")
    block = _dimensions(line, "the number of threads of a block")
    shared, cluster = 0, None
    if line.take(","):
        cluster = _cluster(line)
        if cluster is None:
            shared = _count(line, "the number of bytes of shared memory", 0, MOST_CELLS)
            if line.take(","):
                cluster = _cluster(line)
                if cluster is None:
                    line.fail("`cluster(X)`, the number of blocks of a cluster")
    line.need(">>>")
    threads = grid[0] * grid[1] * grid[2] * block[0] * block[1] * block[2]
    if threads > MOST_THREADS:
        hint = "what goes wrong does so with few: 2 blocks of 2 threads show most of it"
        line.wrong(f"this launch has {threads} threads; at most {MOST_THREADS} are explored", start, hint)
    line.need("(")
    arguments, places = _arguments(line)
    line.take(";")
    if not line.ended:
        line.fail("the end of the launch", "a condition stands in a line of its own: // xgen: final out == 10")
    return Launch(kernel[0], grid, block, shared, tuple(arguments), line.place(start), tuple(places), cluster)


def _dimensions(line: Line, what: str) -> Three:
    """A number, or up to three: `dim3(X,Y,Z)`."""
    if line.take("dim3") is None:
        return _count(line, what, 1, MOST_THREADS), 1, 1
    return _three(line, what)


def _cluster(line: Line) -> Three | None:
    """`cluster(X[,Y[,Z]])`"""
    return _three(line, "the number of blocks of a cluster") if line.take("cluster") else None


def _three(line: Line, what: str) -> Three:
    """`(X[,Y[,Z]])`"""
    line.need("(")
    found = [_count(line, what, 1, MOST_THREADS)]
    while len(found) < 3 and line.take(","):
        found.append(_count(line, what, 1, MOST_THREADS))
    line.need(")")
    x, y, z = (*found, 1, 1, 1)[:3]
    return x, y, z


def _arguments(line: Line) -> tuple[list[Argument], list[Position]]:
    found: list[Argument] = []
    places: list[Position] = []
    while not line.take(")"):
        if found:
            line.need(",")
        start = line.at
        found.append(_argument(line))
        places.append(line.place(start))
        if isinstance(found[-1], Buffer) and found[-1].name in [b.name for b in found[:-1] if isinstance(b, Buffer)]:
            line.wrong(f"there are two buffers `{found[-1].name}`", start)
    return found, places


_FLOAT = re.compile(r"-?(?:\d+\.\d*|\.\d+|\d+[eE][-+]?\d)")


def _argument(line: Line) -> Argument:
    start = line.at
    if line.take("&"):
        return Address(line.name("a global variable"))
    if line.match(_FLOAT) is not None:
        line.wrong("floating-point numbers are no arguments here", start, "their bits are: 0x3f800000 is 1.0f")
    if re.match(r"-?\d", line.text[line.at :]):
        return _value(line)
    name = line.name("an argument: a number, a buffer NAME[CELLS], or &GLOBAL")
    if not line.take("["):
        hint = f"a buffer says how many cells it has: {name}[4]; a global variable is &{name}"
        line.wrong(f"`{name}` is no argument", start, hint)
    cells = _count(line, "the number of cells of a buffer", 1, MOST_CELLS)
    line.need("]")
    size = _size(line) if line.take(":") else 4
    if not line.take("="):
        return Buffer(name, cells, size)
    line.need("{")
    values: list[int] = []
    while not line.take("}"):
        if values:
            line.need(",")
        begin = line.at
        values.append(_value(line))
        if not -(1 << (8 * size - 1)) <= values[-1] < 1 << (8 * size):
            line.wrong(f"a cell of {size} bytes does not hold {values[-1]}", begin)
    if len(values) > cells:
        line.wrong(f"`{name}` has {cells} cells, and {len(values)} values", start)
    return Buffer(name, cells, size, (*values, *(0 for _ in range(cells - len(values)))))


def _size(line: Line) -> int:
    start = line.at
    size = line.number("the bytes of a cell")
    if size not in SIZES:
        line.wrong("a cell has 1, 2, 4 or 8 bytes", start)
    return size
