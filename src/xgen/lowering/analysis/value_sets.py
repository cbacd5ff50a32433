"""Which values a program may write where: an abstraction of its threads, from which locals forget what they held when.

The engine asks for it where a read waits for a write that is still to come. Values come from the text and, by reads,
from each other; none comes out of nothing. But a compare-and-swap may make true itself what it compares, as others can
read what it writes before it is known what it reads. An answer that is too large costs time, never an execution. So
nothing is looked at closely where the text says all that matters: no write computes its address, and no update can
fail.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import TypeAlias

from xgen._core import OPERATIONS, Op, OpKind, RmwKind
from xgen.lowering.analysis.liveness import live_registers, operands
from xgen.lowering.code import ADDRESS, EVENTS, READS, WRITES, Code, Instruction, ThreadCode

Values = frozenset[int] | None
"""Values, or any at all."""

Written = tuple[list[int] | None, list[int] | None]
"""The cells that an instruction may write, and what it may write there; None: any."""

MOST = 16
"""Of larger sets all values are assumed; of addresses, of sets that are as many times as large."""
LARGE = 20_000
"""Programs with more instructions are not looked at closely."""
PASSES = 64
ROUNDS = 8
"""How often those updates are looked for that cannot succeed."""

_LEAST, _GREATEST = -(2**63), 2**63 - 1
_NOTHING: Values = frozenset()
_TRUTH: Values = frozenset((0, 1))
_COMPARE: dict[Op, Callable[[int, int], bool]] = {
    Op.EQ: lambda a, b: a == b,
    Op.NE: lambda a, b: a != b,
    Op.LT: lambda a, b: a < b,
    Op.LE: lambda a, b: a <= b,
}
_COMPUTE: dict[Op, Callable[[int, int], int]] = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.BITAND: lambda a, b: a & b,
    Op.BITOR: lambda a, b: a | b,
    Op.BITXOR: lambda a, b: a ^ b,
}
_UPDATE: dict[RmwKind, Callable[[int, int], int]] = {
    RmwKind.ADD: lambda a, b: a + b,
    RmwKind.SUB: lambda a, b: a - b,
    RmwKind.AND: lambda a, b: a & b,
    RmwKind.OR: lambda a, b: a | b,
    RmwKind.XOR: lambda a, b: a ^ b,
    RmwKind.MIN: min,
    RmwKind.MAX: max,
}
_SIMPLE = (RmwKind.ADD, RmwKind.SUB, RmwKind.AND, RmwKind.OR, RmwKind.XOR)
"""Of those, what does not ask whether numbers have a sign."""
_REMAINDERS = (Op.MOD, Op.REM, Op.REMT, Op.UREM)
_COMPARING = (RmwKind.CAS, RmwKind.LOCK)
_ENDS = {op for op, (_, _, kind) in OPERATIONS.items() if kind is OpKind.END}


def written_values(code: Code) -> list[Written]:
    """For each instruction, what it may write; what does not write has no cells."""
    if len(code.instructions) > LARGE or not any(_matters(code, i) for i in code.instructions):
        return [_from_text(code, i) for i in code.instructions]
    written, failing = [_from_text(code, i) for i in code.instructions], frozenset[int]()
    for _ in range(ROUNDS):
        analysis = _Analysis(code, failing)
        if not analysis.ends():
            break
        written = [analysis.written(pc) for pc in range(len(code.instructions))]
        if failing == (failing := failing.union(analysis.failing())):
            break
    return written


def accessed_cells(code: Code) -> list[Values]:
    """For each instruction, the cells that it may be an event of; None: any. What is no event of a cell has none."""
    key = (accessed_cells,)
    if key not in code.kept:
        places = [_place(code, i) for i in code.instructions]
        told = [
            _NOTHING if place is None else None if place >= 0 else frozenset((code.constants[~place],))
            for place in places
        ]
        code.kept[key] = told, [pc for pc, cells in enumerate(told) if cells is None]
    told, computed = code.kept[key]
    found = list(told)
    if computed and len(found) <= LARGE and (analysis := _settled(code)):
        for pc in computed:
            found[pc] = analysis.places(pc)
    return found


def held_values(code: Code) -> list[Values]:
    """For each cell, the values that it may hold; None: any."""
    analysis = _settled(code) if len(code.instructions) <= LARGE else None
    if analysis is None:
        return [None] * len(code.cells)
    return [_held(analysis.cells, frozenset((cell,))) for cell in range(len(code.cells))]


def _settled(code: Code) -> _Analysis | None:
    """The analysis of all cells, gone on with from that of the same code with fewer cells; None where it takes long."""
    key = (_settled,)
    analysis: _Analysis | None = code.kept.get(key)
    if analysis is None or not analysis.grow(code):
        analysis = _Analysis(code, frozenset())
    settled = analysis if analysis.ends() else None
    code.kept[key] = settled
    return settled


def _place(code: Code, i: Instruction) -> int | None:
    """The operand that says which cell an event is of."""
    if i.op is Op.RMW:
        return code.rmws[i.c].address
    return i.a if i.op in EVENTS and "a" in OPERATIONS[i.op][0] else None


def _matters(code: Code, i: Instruction) -> bool:
    """Whether the answer depends on values: of addresses, or of what an update that may fail compares."""
    if i.op is not Op.RMW:
        return i.op in WRITES and i.a >= 0
    return code.rmws[i.c].address >= 0 or code.rmws[i.c].kind in (*_COMPARING, RmwKind.ADD_UNLESS)


def _from_text(code: Code, i: Instruction) -> Written:
    if i.op not in WRITES:
        return [], []
    address = code.rmws[i.c].address if i.op is Op.RMW else i.a
    return (None if address >= 0 else [code.constants[~address]]), None


class _Analysis:
    """Values of cells and registers, and reachable instructions, which only get more.

    A compare-and-swap succeeds, unless it is among those that are known to fail.
    """

    def __init__(self, code: Code, known: frozenset[int]) -> None:
        self.code = code
        self.known = known
        self.cells: list[Values] = [*(frozenset((value,)) for value in code.initial), _NOTHING]
        """The last stands for all cells: it has what is written where any of them may be meant."""
        self.threads = [_Registers(code, t, *ends) for t, ends in zip(code.threads, code.ranges, strict=True)]
        self.reachable = [False] * len(code.instructions)
        self.due = bytearray(len(code.instructions))
        """What may do something else than the last time, since a register that it reads has changed; or can be reached
        only now."""
        self.reads = [pc for pc, i in enumerate(code.instructions) if i.op in READS]
        self.dereferences = [pc for pc, i in enumerate(code.instructions) if i.op is Op.DEREF]
        self.writes = 0
        """How often cells have got more."""
        self.known_writes: dict[int, int] = {}
        """By read: how many of these it has seen."""
        self.addressed: dict[int, list[int]] = {}
        for number, cell in enumerate(code.cells):
            self.addressed.setdefault(cell.address, []).append(number)
        self.changed = False

    def grow(self, code: Code) -> bool:
        """Takes code with more cells instead: all that was found holds there. False where it is not that."""
        own = len(self.code.cells)
        if code.cells[:own] != self.code.cells:
            return False
        self.code = code
        self.cells[-1:-1] = [frozenset((value,)) for value in code.initial[own:]]
        for number, cell in enumerate(code.cells[own:], own):
            self.addressed.setdefault(cell.address, []).append(number)
        self.writes += 1  # a read of any cell may be of a new one
        for pc in self.dereferences:
            self.due[pc] = True
        return True

    def ends(self) -> bool:
        """Goes on until nothing changes; False where that takes too long."""
        return any(not self.step() for _ in range(PASSES))

    def failing(self) -> Iterator[int]:
        """The updates that can be reached and cannot succeed.

        One that succeeds reads the write before it in modification order. So what they compare rests, in the end, on
        the initial value or on what something else writes; updates that hope for each other's values all fail.
        """
        cells: list[Values] = [*(frozenset((value,)) for value in self.code.initial), _NOTHING]
        for _ in range(PASSES):
            before = list(cells)
            for registers, pc in self._writes():
                if not self._fails(registers, pc, cells):
                    where, values = self._write(registers, pc, self.code.instructions[pc])
                    for cell in (-1,) if where is None else where:
                        cells[cell] = _join(cells[cell], values)
            if cells == before:
                yield from (pc for registers, pc in self._writes() if self._fails(registers, pc, cells))
                return

    def _writes(self) -> Iterator[tuple[_Registers, int]]:
        """What can be reached and may write."""
        for registers in self.threads:
            for pc in range(registers.first, registers.last):
                if self.reachable[pc] and self.code.instructions[pc].op in WRITES:
                    yield registers, pc

    def _fails(self, registers: _Registers, pc: int, cells: Sequence[Values]) -> bool:
        """Whether this is a compare-and-swap that never finds what it compares, where cells may hold these values."""
        i = self.code.instructions[pc]
        if i.op is not Op.RMW or self.code.rmws[i.c].kind not in _COMPARING:
            return False
        rmw = self.code.rmws[i.c]
        old = _held(cells, self._within(registers.get(pc, rmw.address)))
        expected = registers.get(pc, rmw.expected)
        return old is not None and expected is not None and old.isdisjoint(expected)

    def step(self) -> bool:
        """Goes over all instructions once; whether that changed anything."""
        self.changed = False
        for registers in self.threads:
            self._reach((registers.thread.entry,))
            last = registers.last
            reads = iter(self.reads[bisect_left(self.reads, registers.first) : bisect_left(self.reads, last)])
            read = next(reads, last)
            pc = registers.first
            while (due := self.due.find(1, pc, last)) >= 0 or read < last:
                pc = read if due < 0 else min(due, read)
                if pc == read:
                    read = next(reads, last)
                if self.reachable[pc] and (self.due[pc] or self.known_writes.get(pc, self.writes) != self.writes):
                    self.due[pc] = False
                    self._run(registers, pc, self.code.instructions[pc])
                pc += 1
        return self.changed

    def written(self, pc: int) -> Written:
        """What the instruction may write, as far as is known."""
        i = self.code.instructions[pc]
        if i.op not in WRITES or not self.reachable[pc]:
            return [], []
        registers = next(r for r in self.threads if r.first <= pc < r.last)
        cells, values = self._write(registers, pc, i)
        if values is not None and not values:
            return [], []
        return (None if cells is None else sorted(cells)), (None if values is None else sorted(values))

    def places(self, pc: int) -> Values:
        """The cells that an event may be of; none where nothing gets to it."""
        place = _place(self.code, self.code.instructions[pc])
        if place is None or not self.reachable[pc]:
            return _NOTHING
        registers = next(r for r in self.threads if r.first <= pc < r.last)
        return self._within(registers.get(pc, place))

    def _reach(self, targets: Iterable[int]) -> None:
        for target in targets:
            if not self.reachable[target]:
                self.reachable[target] = self.changed = True
                self.due[target] = True

    def _run(self, registers: _Registers, pc: int, i: Instruction) -> None:
        if i.op in READS:
            self.known_writes[pc] = self.writes
        if i.op in WRITES:
            cells, values = self._write(registers, pc, i)
            for cell in (-1,) if cells is None else cells:
                grown = _join(self.cells[cell], values)
                if grown != self.cells[cell]:
                    self.cells[cell] = grown
                    self.writes += 1
                    self.changed = True
        result = self._result(registers, pc, i)
        if result is not _NOTHING and registers.assign(pc, i.dst, result):
            self._changed(registers.readers(pc, i.dst))
        self._reach(self._successors(registers, pc, i))

    def _changed(self, readers: Iterable[int]) -> None:
        self.changed = True
        for pc in readers:
            self.due[pc] = True

    def _successors(self, registers: _Registers, pc: int, i: Instruction) -> Iterator[int]:
        if i.op in _ENDS:
            return
        if i.op is Op.CHOOSE:
            yield from self.code.targets[i.c]
            return
        if i.op in (Op.JMP, Op.GOTO):
            yield i.c
            return
        if i.op in (Op.ASSUME, Op.ASSERT, Op.JZ):
            condition = registers.get(pc, i.a)
            if i.op is Op.JZ and (condition is None or 0 in condition):
                yield i.c
            if condition is not None and not condition - {0}:
                return
        yield pc + 1

    def _read(self, cells: Values) -> Values:
        return _held(self.cells, cells)

    def _write(self, registers: _Registers, pc: int, i: Instruction) -> tuple[Values, Values]:
        """The cells that a write may go to, and the values."""
        if i.op is not Op.RMW:
            return self._within(registers.get(pc, i.a)), registers.get(pc, i.b)
        rmw = self.code.rmws[i.c]
        cells = self._within(registers.get(pc, rmw.address))
        old, operand, expected = self._read(cells), registers.get(pc, rmw.operand), registers.get(pc, rmw.expected)
        if rmw.kind in _COMPARING:
            return cells, _NOTHING if pc in self.known else _wrapped(operand, rmw.bits)
        if rmw.kind is RmwKind.EXCHANGE:
            return cells, _wrapped(operand, rmw.bits)
        if rmw.bits:
            return cells, _wrapped(_each(_UPDATE[rmw.kind], old, operand), rmw.bits) if rmw.kind in _SIMPLE else None
        if rmw.kind is RmwKind.ADD_UNLESS:
            if old is not None and expected is not None and len(expected) == 1:
                old -= expected
            return cells, _each(_UPDATE[RmwKind.ADD], old, operand)
        return cells, _each(_UPDATE[rmw.kind], old, operand) if rmw.kind in _UPDATE else None

    def _within(self, cells: Values) -> Values:
        """Of addresses, those that there are."""
        return None if cells is None else frozenset(cell for cell in cells if 0 <= cell < len(self.code.cells))

    def _result(self, registers: _Registers, pc: int, i: Instruction) -> Values:
        """What the instruction puts into its register; nothing where it has none, or leaves it as it is.

        Of an operation that is not listed here, that may be anything.
        """
        if not OPERATIONS[i.op][1] or i.op is Op.TAINT:
            return _NOTHING
        a = registers.get(pc, i.a) if "a" in OPERATIONS[i.op][0] else _NOTHING
        if i.op in READS:
            where = registers.get(pc, self.code.rmws[i.c].address) if i.op is Op.RMW else a
            return self._read(self._within(where))
        if i.op in (Op.STOREX, Op.KEEP):
            return frozenset((0,))
        if i.op is Op.MOV:
            return a
        if i.op is Op.NOT:
            return _TRUTH if a is None else frozenset(int(not value) for value in a)
        if i.op in _COMPARE:
            b = registers.get(pc, i.b)
            if a is None or b is None:
                return _TRUTH
            return frozenset(int(_COMPARE[i.op](x, y)) for x, y in product(a, b))
        if i.op in _COMPUTE:
            return _each(_COMPUTE[i.op], a, registers.get(pc, i.b))
        if i.op in _REMAINDERS:
            return _remainders(i.op, a, registers.get(pc, i.b))
        if i.op is Op.WRAP:
            return _wrapped(a, i.c)
        if i.op is Op.PREDICT:
            return a if i.c == ADDRESS else _join(a, frozenset(range(i.b)))  # where that is known, it is what it is
        if i.op is Op.SELECT:
            return _join(registers.get(pc, i.b), registers.get(pc, i.c))
        if i.op is Op.INDEX:
            inside = range(i.c) if a is None else (value for value in a if 0 <= value < i.c)
            return _limited(frozenset(i.b + value for value in inside), MOST * MOST)
        if i.op is Op.DEREF:
            return None if a is None else frozenset(n for address in a for n in self.addressed.get(address, ()))
        if i.op is Op.HAVOC:
            b = registers.get(pc, i.b)
            if a is None or b is None or not a or not b or max(b) - min(a) >= MOST:
                return None
            return frozenset(range(min(a), max(b) + 1))
        return None


class _Registers:
    """What the registers of one thread may hold: its locals at any time, and temporaries by where they get a value."""

    def __init__(self, code: Code, thread: ThreadCode, first: int, last: int) -> None:
        self.code, self.thread, self.first, self.last = code, thread, first, last
        live, self.definitions, self.used = _uses(code, thread, first, last)
        self.locals: list[Values] = [
            frozenset((value,)) if register in live else _NOTHING for register, value in enumerate(thread.initial)
        ]
        for kept in (thread.reservation, thread.reservation + 1) if thread.reservation >= 0 else ():
            self.locals[kept] = None  # the machine sets it
        if thread.block >= 0:
            self.locals[thread.block] = None
        self.results: dict[int, Values] = {}

    def readers(self, pc: int, register: int) -> Sequence[int]:
        """The instructions that read what this one puts into its register."""
        return self.used.get(register if register < len(self.locals) else ~(pc - self.first), ())

    def get(self, pc: int, operand: int) -> Values:
        """What an operand of the instruction may be."""
        if operand < 0:
            return frozenset((self.code.constants[~operand],))
        if operand < len(self.locals):
            return self.locals[operand]
        places = self.definitions[pc - self.first].get(operand)
        if places is None:
            return None
        found: Values = _NOTHING
        for place in places:
            found = _join(found, self.results.get(self.first + place, _NOTHING), MOST * MOST)
        return found

    def assign(self, pc: int, register: int, values: Values) -> bool:
        """The instruction may put these into its register; whether that is new."""
        if register < 0:
            return False
        if register < len(self.locals):
            grown = _join(self.locals[register], values)
            changed = grown != self.locals[register]
            self.locals[register] = grown
        else:
            grown = _join(self.results.get(pc, _NOTHING), values, MOST * MOST)
            changed = self.results.get(pc) != grown
            self.results[pc] = grown
        return changed


_Uses: TypeAlias = tuple[frozenset[int], list[dict[int, tuple[int, ...]]], dict[int, list[int]]]


def _uses(code: Code, thread: ThreadCode, first: int, last: int) -> _Uses:
    """Of a thread: the registers whose first values matter, since something reads them; for each instruction, what
    `definitions` says; the instructions that read what a local has, or what the instruction -1 - n has put into a
    temporary."""
    key = (_uses, first)
    if key not in code.kept:
        defined = list(definitions(code.instructions[first:last], len(thread.locals)))
        used: dict[int, list[int]] = {}
        for pc in range(first, last):
            there = defined[pc - first]
            for operand in operands(code, code.instructions[pc]):
                keys = (operand,) if operand < len(thread.locals) else (~place for place in there.get(operand, ()))
                for each in keys:
                    used.setdefault(each, []).append(pc)
        code.kept[key] = live_registers(code, first, last, thread)[0], defined, used
    found: _Uses = code.kept[key]
    return found


def definitions(instructions: Sequence[Instruction], locals_: int) -> Iterator[dict[int, tuple[int, ...]]]:
    """For each instruction: where the temporaries that it may use may have got their values, within its edge."""
    there: dict[int, tuple[int, ...]] = {}
    jumps = False
    for place, i in enumerate(instructions):
        yield dict(there) if there else {}
        if i.op in (Op.GOTO, Op.CHOOSE, *_ENDS):
            there, jumps = {}, False
        elif i.op in (Op.JMP, Op.JZ):
            jumps = True
        elif i.dst >= locals_ and OPERATIONS[i.op][1] and i.op is not Op.TAINT:
            there[i.dst] = (*there.get(i.dst, ()), place) if jumps else (place,)


def _held(held: Sequence[Values], cells: Values) -> Values:
    """What one of some cells may hold; None: of all. The last of `held` is of all of them."""
    found = held[-1] if cells is None or cells else _NOTHING
    for cell in range(len(held) - 1) if cells is None else cells:
        found = _join(found, held[cell])
        if found is None:
            break
    return found


def _join(a: Values, b: Values, most: int = MOST) -> Values:
    return None if a is None or b is None else _limited(a | b, most)


def _each(compute: Callable[[int, int], int], a: Values, b: Values) -> Values:
    if a is None or b is None:
        return None
    found = frozenset(compute(x, y) for x, y in product(a, b))
    inside = all(_LEAST <= value <= _GREATEST for value in found)
    return _limited(found, MOST) if inside else None


def _remainders(op: Op, values: Values, by: Values) -> Values:
    """What is left of numbers that are divided by others; of any numbers, if these are small."""
    if by is None or min(by, default=1) <= 0:
        return None
    if values is not None and min(values, default=0) >= 0:
        return frozenset(x % y for x, y in product(values, by))
    most = max(by, default=1)
    return frozenset(range(1 - most if op is Op.REMT else 0, most)) if most <= MOST else None


def _wrapped(values: Values, bits: int) -> Values:
    """The numbers that the low `bits` of these are, or -bits of them with a sign; 0: they are not cut."""
    if values is None or bits == 0:
        return values
    many = 1 << abs(bits)
    least = -many // 2 if bits < 0 else 0
    found = frozenset((value - least) % many + least for value in values)
    return found if max(found, default=0) <= _GREATEST else None


def _limited(values: frozenset[int], most: int) -> Values:
    return values if len(values) <= most else None
