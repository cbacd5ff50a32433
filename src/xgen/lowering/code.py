"""Lowered programs: the register code that the engine interprets, and where each of its instructions comes from.

The operations and what each of them does are listed in src/core/code/code.hpp.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import field
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

from xgen._core import OPERATIONS, Op, OpKind, RmwKind
from xgen.errors import Position, Source
from xgen.program import automaton
from xgen.program.automaton import ASSERTIONS, Location, Statement
from xgen.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class EventClass:
    """What the memory model sees of an event besides its place: its kind and its tags (orderings, fence names).

    Class 0 of every program is that of initial writes: kind "W", tags {"init"}.
    """

    kind: Literal["R", "W", "F"]
    tags: frozenset[str] = frozenset()


INITIAL_WRITE = EventClass("W", frozenset({"init"}))

Dependency = Literal["addr", "data", "ctrl", "pick"]
DEPENDENCIES: frozenset[Dependency] = frozenset(("addr", "data", "ctrl", "pick"))
_AT_ADDRESSES = (Op.LOAD, Op.LOADX, Op.STORE, Op.STOREX, Op.UNLOCK, Op.OBJECT)

UNLOCK = ASSERTIONS.index("unlock")
"""The c of an ASSERT is the number of its kind in ASSERTIONS: 1 where a thread that unlocks a mutex has to hold it."""

IN_RANGE = 1
"""The `c` of a SHL or SHR by a distance that is always from 0 to 63."""

MODULO = 1
"""The `c` of an ADD, SUB, MUL or NEG whose result is modulo 2^64."""

EVENTS = frozenset(op for op, (_, _, kind) in OPERATIONS.items() if kind is OpKind.EVENT)
"""The operations that are events. Their `c` is the class; that of an RMW is the number of its operands and classes."""

WRITES = frozenset(op for op in EVENTS if "b" in OPERATIONS[op][0]) | {Op.RMW}
"""Those that write a cell, which is what they read a second operand for."""
READS = frozenset(op for op in EVENTS if OPERATIONS[op][1] and "b" not in OPERATIONS[op][0])
"""Those that read a cell, into a register; an RMW does both."""

NO_DEPENDENCY = 1
"""The c of an ASSUME, and the b of a JZ, that gives no control dependency; that of others is 0."""

PICKS = 1
"""The c of a PREDICT that only picks; that of others is 0, or ADDRESS."""

ADDRESS = 2
"""The c of a PREDICT of a cell; the last number stands for none, which is what an error before it turns out to be."""

_END = re.compile(r"[|;]")
"""What ends an instruction of a litmus test."""

SPLIT_UPDATE, SECOND_WORD = 1, 2
"""Of a load (`b`): it is of an update of several parts, or of the second word that an exclusive load reads."""

UNCOUNTED = 1
"""The b of a FENCE that does not count for the bound on events; that of others is 0."""

NEVER_FAILS = {
    Op.MOV, Op.NOT, Op.EQ, Op.NE, Op.LT, Op.LE, Op.ULT, Op.ULE, Op.BITNOT, Op.BITAND, Op.BITOR, Op.BITXOR, Op.WRAP,
    Op.SELECT, Op.JMP, Op.JZ, Op.GOTO, Op.ASSUME, Op.END, Op.STUCK, Op.CHOOSE, Op.STORE, Op.STOREX, Op.FENCE, Op.HAVOC,
    Op.PREDICT, Op.KEEP, Op.LEAVE, Op.TAINT, Op.START, Op.JOIN, Op.MEET, Op.GATHER, Op.BLOCK,
    Op.CUT, Op.BOUND, Op.REAL,
}  # fmt: skip
"""The operations that are no error whatever they are given; one that nobody lists here may be."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction; an operand x >= 0 is a register, x < 0 is the constant `~x`.

    `part`: of a load or a store, which part it is of an access of several cells, counted from 0.
    """

    op: Op
    dst: int = 0
    a: int = 0
    b: int = 0
    c: int = 0
    part: int = 0


@dataclass(frozen=True, slots=True)
class Rmw:
    """What an RMW instruction does: operands, and the classes of its read (where it writes, where not) and write.

    `picks`: what it compares is no dependency of its write, but what that picks by.
    `bits`: as in `program.automaton.Rmw`.
    `pair`: it stands for a pair of exclusive accesses, and what depends on what is as it is there (lowering/pairs.py).
    """

    kind: RmwKind
    address: int
    operand: int
    expected: int
    read_class: int
    failed_class: int
    write_class: int
    picks: bool = False
    bits: int = 0
    pair: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable as results name it; values of type bool are 0 and 1 in the engine.

    Shared ones have an address; `width` is how many bytes there are (negative: with a sign; 0: it fits all accesses).
    Those that are `undefined` have no value at first. `object` is the allocated object that they are in. `pointer`: the
    values are addresses. `unsigned`: results have the values without the sign that they have here. `part`: no address
    leads to it, as it is what one thread adds to another cell (lowering/counters.py).
    """

    name: str
    type: Literal["int", "bool", "mutex"]
    address: int = 0
    width: int = 0
    undefined: bool = False
    object: str | None = None
    pointer: bool = False
    unsigned: bool = False
    part: bool = False


@dataclass(frozen=True)
class Site:
    """Where an instruction comes from: its position, and the part of the program that it is of, or its text.

    `location` is the error location's name where the instruction is a FAIL, else None. `test`: the litmus test whose
    instruction it is.
    """

    position: Position
    part: Statement | Location | str
    location: str | None = None
    test: Source | None = None

    @cached_property
    def text(self) -> str:
        """The text of the part, or the line where it is in a program of several files; most are never asked for. Of a
        litmus test it is the instruction as it is written."""
        if self.test is not None and isinstance(self.part, Statement):
            rest = self.test.line(self.position.line)[self.position.column - 1 :]
            written = _END.split(rest, maxsplit=1)[0].strip()
            if written:
                return written
        if self.position.source is not None:
            return self.position.source.line(self.position.line).strip()
        if isinstance(self.part, str):
            return self.part
        from xgen.program.printer import print_location, print_statement  # long to import, and few texts are asked for

        return print_location(self.part) if isinstance(self.part, Location) else print_statement(self.part)


@dataclass(frozen=True, slots=True)
class ThreadCode:
    """A thread: its entry instruction, its locals (registers kept from event to event) and their initial values.

    `shown` lists the registers of the main procedure's variables, which outcomes list as `process:variable`. With
    exclusive accesses, `reservation` and the register behind it hold what the last exclusive load has reserved. With
    atomic blocks, the register `block` numbers the one that the thread is in; 0: none. `cells`: registers that hold
    what is a cell of the program that nobody else uses, each with the cell's number.
    """

    name: str
    entry: int
    locals: tuple[Variable, ...]
    initial: tuple[int, ...]
    temporaries: int = 0
    shown: tuple[int, ...] = ()
    reservation: int = -1
    block: int = -1
    cells: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Code:
    """A whole lowered program. `sites[i]` is the origin of `instructions[i]`; `cells[i]` is the shared cell i.

    `scalars` are the cells of scalar variables: not those of arrays and mutexes. `absent`: the addresses and widths of
    variables without cells; who accesses one halts the run. `gaps`: those of bytes that belong to no cell.
    `groups`: the threads that meet, by the number that a MEET or a GATHER has, ascending.
    """

    source: Source
    instructions: tuple[Instruction, ...]
    constants: tuple[int, ...]
    targets: tuple[tuple[int, ...], ...]
    rmws: tuple[Rmw, ...]
    threads: tuple[ThreadCode, ...]
    cells: tuple[Variable, ...]
    initial: tuple[int, ...]
    scalars: tuple[int, ...]
    classes: tuple[EventClass, ...]
    sites: tuple[Site, ...]
    absent: tuple[tuple[int, int], ...] = ()
    gaps: tuple[tuple[int, int], ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()

    @cached_property
    def kept(self) -> dict[tuple[Any, ...], Any]:
        """What analyses have found of threads and their instructions, whatever cells there are, by what was asked."""
        return {}

    def with_cells(self, variables: Sequence[automaton.Variable], numbers: Collection[int]) -> Code:
        """The same instructions with cells of some of these variables, which have none so far; these come last."""
        more = [variables[number] for number in sorted(numbers)]
        cells = tuple(
            Variable(v.name, "int", v.address or 0, v.bytes, v.undefined, v.object, v.pointer, v.unsigned) for v in more
        )
        initial = tuple(int(v.initial[0].value) if v.initial else 0 for v in more)
        absent = tuple(place for number, place in enumerate(self.absent) if number not in numbers)
        made = replace(self, cells=(*self.cells, *cells), initial=(*self.initial, *initial), absent=absent)
        vars(made).update(kept=self.kept, dependencies=self.dependencies)
        return made

    @cached_property
    def parts(self) -> Site | None:
        """Where an access of several parts is, if there is one."""
        return next((site for i, site in zip(self.instructions, self.sites, strict=True) if i.part), None)

    @cached_property
    def split_updates(self) -> bool:
        """Whether an update has several parts: that nothing comes between is then up to a model's constraints."""
        return any(i.op is Op.LOAD and i.b == SPLIT_UPDATE for i in self.instructions)

    @property
    def only_locks(self) -> bool:
        """Whether mutexes are locked and unlocked, and nothing tries whether one is held."""
        return not any(
            rmw.kind is not RmwKind.LOCK and "lock" in self.classes[rmw.read_class].tags for rmw in self.rmws
        )

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """For each thread: where its instructions start, and where they end."""
        starts = [*(thread.entry for thread in self.threads), len(self.instructions)]
        return list(pairwise(starts))

    def successors(self, pc: int) -> Sequence[int]:
        """The instructions that may come after one."""
        i = self.instructions[pc]
        if i.op is Op.CHOOSE:
            return self.targets[i.c]
        match OPERATIONS[i.op][2]:
            case OpKind.END:
                return ()
            case OpKind.JUMP:
                return (i.c,)
            case OpKind.BRANCH:
                return (pc + 1, i.c)
            case _:
                return (pc + 1,)

    def after(self, pc: int) -> frozenset[int]:
        """All instructions that may come later than one."""
        found = self._after.get(pc)
        if found is None:
            seen, left = set[int](), [pc]
            while left:
                for following in self.successors(left.pop()):
                    if following not in seen:
                        seen.add(following)
                        if (known := self._after.get(following)) is None:
                            left.append(following)
                        else:
                            seen |= known
            found = self._after[pc] = frozenset(seen)
        return found

    @cached_property
    def _after(self) -> dict[int, frozenset[int]]:
        """What has been found to come later than an instruction."""
        return {}

    @cached_property
    def dependencies(self) -> frozenset[Dependency]:
        """The kinds of dependencies that there can be at all: of addresses and of what is written where these are not
        in the program's text, of control where a thread does anything but accesses and fences, one after the other. And
        `pick`: something is picked by a value.
        """
        found: list[Dependency] = []
        for i in self.instructions:
            kind = OPERATIONS[i.op][2]
            if i.op is Op.RMW:
                rmw = self.rmws[i.c]
                address, written = rmw.address >= 0, max(rmw.operand, rmw.expected) >= 0
                decides = rmw.pair or rmw.kind in (RmwKind.CAS, RmwKind.ADD_UNLESS, RmwKind.LOCK)
                written |= rmw.pair
            else:
                address = i.op in _AT_ADDRESSES and i.a >= 0
                written = i.op in WRITES and i.b >= 0
                decides = kind not in (OpKind.EVENT, OpKind.JUMP, OpKind.END)
            found += ["addr"] * address
            found += ["data"] * written
            found += ["ctrl"] * decides
        if any(i.op is Op.PREDICT and i.c == PICKS for i in self.instructions) or any(r.picks for r in self.rmws):
            found.append("pick")
        return frozenset(found)


def objects(code: Code) -> list[int]:
    """For each cell: the first cell of the allocated object that it is in, or -1."""
    first: dict[str, int] = {}
    for number in sorted(range(len(code.cells)), key=lambda n: code.cells[n].address):
        cell = code.cells[number]
        if cell.object is not None:
            first.setdefault(cell.object, number)
    return [-1 if cell.object is None else first[cell.object] for cell in code.cells]


@dataclass(slots=True)
class Draft:
    """Code that is being made; the fields are those of Code."""

    source: Source
    instructions: list[Instruction] = field(default_factory=list)
    constants: list[int] = field(default_factory=list)
    targets: list[list[int]] = field(default_factory=list)
    rmws: list[Rmw] = field(default_factory=list)
    threads: list[ThreadCode] = field(default_factory=list)
    cells: list[Variable] = field(default_factory=list)
    initial: list[int] = field(default_factory=list)
    scalars: list[int] = field(default_factory=list)
    classes: list[EventClass] = field(default_factory=lambda: [INITIAL_WRITE])
    sites: list[Site] = field(default_factory=list)
    groups: list[tuple[int, ...]] = field(default_factory=list)

    def done(self) -> Code:
        """The code, which no thread changes any more."""
        return Code(
            self.source,
            tuple(self.instructions),
            tuple(self.constants),
            tuple(map(tuple, self.targets)),
            tuple(self.rmws),
            tuple(self.threads),
            tuple(self.cells),
            tuple(self.initial),
            tuple(self.scalars),
            tuple(self.classes),
            tuple(self.sites),
            groups=tuple(self.groups),
        )
