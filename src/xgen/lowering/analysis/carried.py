"""Threads that do the same, but for constants that are only carried around, and for the objects that they allocate.

Of threads that differ by constants, each place where they do is a *column*: one constant for each thread. Those that
are cells, or addresses in allocated objects, go with their threads; the others are values. Exchange threads, with what
goes with them, and their values wherever they have come to: an execution is one again if no instruction tells these
apart. So values may be moved, kept, and compared with each other and with numbers that no thread has there; addresses
may be computed with, within an object, besides. What numbers, values and addresses come where is found by going over
all threads until nothing is new; many numbers in one place are taken for all between the least and the greatest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from xgen._core import OPERATIONS, Op, OpKind, RmwKind
from xgen.lowering.analysis.liveness import live_registers
from xgen.lowering.analysis.ranges import Range, Ranges
from xgen.lowering.analysis.symmetry import FORKS, Like, belong_together, runs_of_forks
from xgen.lowering.analysis.value_sets import definitions
from xgen.lowering.code import EVENTS, READS, WRITES, Code, Instruction

MOST = 16
"""More numbers in one place are taken for any."""
PASSES = 100


class Moved(NamedTuple):
    """What goes with a thread: of a column, the constant of one thread, and how far behind it."""

    column: int
    member: int
    offset: int = 0


class Cell(NamedTuple):
    """A cell, where a register says which one an access is of."""

    number: int


class Span(NamedTuple):
    """Any number from one to another; `hidden`: what the client has made of what goes with a thread."""

    least: int
    most: int
    hidden: bool = False


ANY, HIDDEN = Span(-(2**63), 2**63 - 1), Span(-(2**63), 2**63 - 1, hidden=True)
Value = int | Moved | Cell | Span
Values = frozenset[Value]
_NOTHING: Values = frozenset()
_TRUTH: Values = frozenset((0, 1))
_ORDERS = (Op.LT, Op.LE, Op.ULT, Op.ULE)
_COMPUTE: Mapping[Op, Callable[[int, int], int]] = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
}
_MOVING = (RmwKind.CAS, RmwKind.LOCK, RmwKind.EXCHANGE)
_REFUSED = (Op.PREDICT, Op.BLOCK)
_NOTHING_NEW = {Op.CHOOSE, Op.TAINT, Op.FENCE, Op.OBJECT, *FORKS}
_READING = {*READS, Op.RMW}
_SILENT = (OpKind.JUMP, OpKind.BRANCH, OpKind.TEST, OpKind.END)


class _ToldApartError(Exception):
    """Something may tell threads apart, or it is not seen that nothing does."""


def like_but_for_values(
    code: Code,
    together: Collection[Op],
    trusted: Callable[[int], bool],
    results: Collection[int],
    renamed: Collection[int],
) -> Like:
    """The groups of a program, all threads that look alike in them; none where something may tell them apart.

    `together`: START and JOIN where it makes no difference in which order threads are started or joined right after
    each other. `trusted`: instructions of which it is known that they do with values what they do with others, as far
    as the values of threads are the only such numbers that come there. `results`: cells of which somebody is told what
    is in them at the end, where numbers that are `renamed` are values of threads: none comes there that is not.
    """
    try:
        runs = runs_of_forks(code, together, None)
        columns = _Columns(code, [group for group in _groups(code) if belong_together(code, group, runs)])
        if columns.groups:
            _Analysis(code, columns, trusted).run(results, renamed)
            return Like(tuple(columns.groups), tuple(n in columns.cells for n in range(len(code.cells))))
    except _ToldApartError:
        pass
    return Like()


def _groups(code: Code) -> list[tuple[int, ...]]:
    """Threads whose instructions are the same but for constants."""
    found: dict[object, list[int]] = {}
    for number, (thread, (first, last)) in enumerate(zip(code.threads, code.ranges, strict=True)):
        own = code.instructions[first:last]
        if any(i.op in FORKS for i in own) or thread.cells or thread.block >= 0:
            continue
        shape = tuple(_shape(code, thread.entry, i) for i in own)
        kinds = tuple((local.type, local.width, local.undefined) for local in thread.locals)
        rest = len(thread.initial), thread.temporaries, thread.shown, thread.reservation
        found.setdefault((shape, kinds, rest), []).append(number)
    return [tuple(group) for group in found.values() if len(group) > 1]


def _shape(code: Code, entry: int, i: Instruction) -> tuple[object, ...]:
    """An instruction without its constants."""
    reads, _, kind = OPERATIONS[i.op]
    a, b, c = (max(value, -1) if name in reads else value for name, value in (("a", i.a), ("b", i.b), ("c", i.c)))
    rest: object = c
    if kind in (OpKind.JUMP, OpKind.BRANCH):
        rest = i.c - entry
    elif i.op is Op.CHOOSE:
        rest = tuple(target - entry for target in code.targets[i.c])
    elif i.op is Op.RMW:
        r = code.rmws[i.c]
        registers = tuple(max(operand, -1) for operand in (r.address, r.operand, r.expected))
        rest = r.kind, registers, r.read_class, r.failed_class, r.write_class, r.picks, r.bits, r.pair
    return i.op, i.dst, a, b, rest, i.part


def _constants(code: Code, thread: int) -> Iterator[tuple[int, bool]]:
    """The constants of a thread, in the order of its text, and which of them are cells."""
    for value in code.threads[thread].initial:
        yield value, False
    for i in code.instructions[slice(*code.ranges[thread])]:
        for operand, is_place in _operands(code, i):
            if operand < 0:
                yield code.constants[~operand], is_place


def _operands(code: Code, i: Instruction) -> Iterator[tuple[int, bool]]:
    if i.op is Op.RMW:
        rmw = code.rmws[i.c]
        yield rmw.address, True
        yield from ((operand, False) for operand in (rmw.operand, rmw.expected))
        return
    reads = OPERATIONS[i.op][0]
    for name, operand in (("a", i.a), ("b", i.b), ("c", i.c)):
        if name in reads:
            yield operand, name == "a" and i.op in EVENTS


class _Columns:
    """What goes with threads: `cells`, by number; `objects` by name, and other `values`, each as the first address, or
    the number, of a thread in a column."""

    def __init__(self, code: Code, groups: Sequence[tuple[int, ...]]) -> None:
        self.code = code
        self.groups = list(groups)
        self.cells: dict[int, tuple[object, int]] = {}
        self.columns: list[tuple[int, ...]] = []
        self.objects: dict[str, Moved] = {}
        self.values: dict[int, Moved] = {}
        self.known: dict[object, int] = {}
        self.within: dict[str, list[int]] = {}
        self.at = {cell.address: n for n, cell in enumerate(code.cells) if cell.type == "int" and not cell.part}
        for number, cell in enumerate(code.cells):
            if cell.object is not None:
                self.within.setdefault(cell.object, []).append(number)
        for group in groups:
            texts = [list(_constants(code, thread)) for thread in group]
            for row in zip(*texts, strict=True):
                numbers = tuple(number for number, _ in row)
                if len(set(numbers)) > 1:
                    (self._add_cells if row[0][1] else self._add_values)(group, numbers)
        self._look_at_the_rest()

    def _fail(self, condition: bool) -> None:
        if condition:
            raise _ToldApartError

    def _add_cells(self, group: tuple[int, ...], cells: tuple[int, ...]) -> None:
        code = self.code
        objects = [code.cells[cell].object for cell in cells]
        if objects[0] is not None:
            self._add_objects(group, [str(name) for name in objects])
            return
        self._fail(len(set(cells)) < len(cells) or any(name is not None for name in objects))
        self._move(cells)

    def _move(self, cells: tuple[int, ...]) -> None:
        code = self.code
        kinds = {(code.initial[n], code.cells[n].type, code.cells[n].width, code.cells[n].undefined) for n in cells}
        self._fail(len(kinds) > 1)
        for member, cell in enumerate(cells):
            self._fail(self.cells.setdefault(cell, (cells, member)) != (cells, member))

    def _add_objects(self, group: tuple[int, ...], names: list[str]) -> None:
        key = (group, tuple(names))
        if key in self.known:
            return
        self._fail(len(set(names)) < len(names) or any(name in self.objects for name in names))
        self.known[key] = len(self.columns)
        inside = [self.within[name] for name in names]
        starts = tuple(self.code.cells[cells[0]].address for cells in inside)
        for member, name in enumerate(names):
            self.objects[name] = Moved(len(self.columns), member)
        self.columns.append(starts)
        self._fail(len({len(cells) for cells in inside}) > 1)
        for cells in zip(*inside, strict=True):
            offsets = {self.code.cells[cell].address - start for cell, start in zip(cells, starts, strict=True)}
            self._fail(len(offsets) > 1)
            self._move(cells)

    def _add_values(self, group: tuple[int, ...], numbers: tuple[int, ...]) -> None:
        places = [self.at.get(number) for number in numbers]
        if places[0] is not None:
            names = [None if place is None else self.code.cells[place].object for place in places]
            self._fail(any(name is None for name in names))
            self._add_objects(group, [str(name) for name in names])
            return
        key = (group, numbers)
        if key in self.known:
            return
        self._fail(0 in numbers or len(set(numbers)) < len(numbers) or any(n in self.at for n in numbers))
        self._fail(any(number in self.values for number in numbers))
        self.known[key] = len(self.columns)
        for member, number in enumerate(numbers):
            self.values[number] = Moved(len(self.columns), member)
        self.columns.append(numbers)

    def _look_at_the_rest(self) -> None:
        """What does not differ, and what is in no group, may not name what goes with a thread; values are others
        there."""
        members = {thread: group for group in self.groups for thread in group}
        for thread in range(len(self.code.threads)):
            others = [list(_constants(self.code, other)) for other in members.get(thread, (thread,))]
            for row in zip(*others, strict=True):
                number, is_place = row[0]
                if len(set(row)) == 1:
                    self._fail(number in self.cells if is_place else self.in_object(number))
        self._fail(any(self.in_object(value) for value in self.code.initial))

    def in_object(self, number: int) -> bool:
        """Whether it is an address in an object that goes with a thread."""
        cell = self.at.get(number)
        return cell is not None and self.code.cells[cell].object in self.objects

    def value(self, number: int, member: int | None, group: tuple[int, ...], column: tuple[int, ...]) -> int | Moved:
        """A constant of a thread, in its column."""
        if member is None or len(set(column)) == 1:
            return number
        cell = self.at.get(number)
        if cell is not None:
            name = str(self.code.cells[cell].object)
            moved = self.objects[name]
            return moved._replace(offset=number - self.columns[moved.column][moved.member])
        return Moved(self.known[group, column], member)

    def numbers(self, moved: Moved) -> list[int]:
        """What it is, and what others of the column are there."""
        return [start + moved.offset for start in self.columns[moved.column]]

    def is_address(self, moved: Moved) -> bool:
        return self.columns[moved.column][0] in self.at


class _Thread:
    """What the registers of a thread may hold: its locals at any time, temporaries by where they get a value."""

    def __init__(self, code: Code, columns: _Columns, ranges: Ranges, number: int) -> None:
        self.first, self.last = code.ranges[number]
        thread = code.threads[number]
        group = next((group for group in columns.groups if number in group), (number,))
        member = group.index(number) if len(group) > 1 else None
        texts = [list(_constants(code, other)) for other in group]
        values: list[Value] = []
        for row in zip(*texts, strict=True):
            constant, is_place = row[member or 0]
            column = tuple(other for other, _ in row)
            values.append(Cell(constant) if is_place else columns.value(constant, member, group, column))
        self.constants = iter(values)
        live = live_registers(code, self.first, self.last, thread)[0]
        self.locals: list[Values] = []
        for register in range(len(thread.initial)):
            value = next(self.constants)
            self.locals.append(frozenset((value,)) if register in live else _NOTHING)
        for kept in (thread.reservation, thread.reservation + 1) if thread.reservation >= 0 else ():
            self.locals[kept] = frozenset((ANY,))
        self.given: dict[tuple[int, int], Values] = {}
        for pc in range(self.first, self.last):
            for k, (operand, _) in enumerate(_operands(code, code.instructions[pc])):
                if operand < 0:
                    self.given[pc, k] = frozenset((next(self.constants),))
        self.ranges = ranges.registers[number]
        self.within = list(_bounds(code, self.first, self.last))
        self.results: dict[int, Values] = {}
        self.definitions = list(definitions(code.instructions[self.first : self.last], len(thread.locals)))

    def get(self, pc: int, k: int, operand: int) -> Values:
        """What the k-th operand of an instruction may be."""
        if operand < 0:
            return self.given[pc, k]
        if operand < len(self.locals):
            bounds = self.within[pc - self.first].get(operand)
            return self.locals[operand] if bounds is None else _inside(self.locals[operand], bounds)
        found = _NOTHING
        for place in self.definitions[pc - self.first].get(operand, ()):
            found |= self.results.get(self.first + place, _NOTHING)
        return found

    def put(self, pc: int, register: int, values: Values) -> bool:
        """Whether that is new."""
        if register < 0:
            return False
        old = self.locals[register] if register < len(self.locals) else self.results.get(pc, _NOTHING)
        new = _few(old | values, self.ranges[register] if register < len(self.locals) else None)
        if register < len(self.locals):
            self.locals[register] = new
        else:
            self.results[pc] = new
        return new != old


class _Analysis:
    """Goes over all instructions until nothing is new. Raises _ToldApartError."""

    def __init__(self, code: Code, columns: _Columns, trusted: Callable[[int], bool]) -> None:
        self.code, self.columns = code, columns
        self.ranges = Ranges(code)
        self.trusted = [trusted(pc) for pc in range(len(code.instructions))]
        self.threads = [_Thread(code, columns, self.ranges, number) for number in range(len(code.threads))]
        self.cells: list[Values] = [frozenset((value,)) for value in code.initial]
        self.changed = True
        self.operands = [[operand for operand, _ in _operands(code, i)] for i in code.instructions]
        self.writes = 0  # that have changed a cell
        self.done: dict[
            int, tuple[list[Values], int]
        ] = {}  # by instruction: what it was given last, and after which write

    def run(self, results: Collection[int], renamed: Collection[int]) -> None:
        for _ in range(PASSES):
            if not self.changed:
                self._look_at_range(renamed, *(self.cells[cell] for cell in results))
                return
            self.changed = False
            for thread in self.threads:
                for pc in range(thread.first, thread.last):
                    self._step(thread, pc, self.code.instructions[pc])
        raise _ToldApartError

    def _refuse(self, pc: int, condition: bool) -> None:
        if condition and not self.trusted[pc]:
            raise _ToldApartError

    def _step(self, thread: _Thread, pc: int, i: Instruction) -> None:
        if i.op in _REFUSED:
            raise _ToldApartError
        if OPERATIONS[i.op][2] in _SILENT or i.op in _NOTHING_NEW:
            return
        given = [thread.get(pc, k, operand) for k, operand in enumerate(self.operands[pc])]
        state = given, self.writes if i.op in _READING else 0
        if self.done.get(pc) == state:
            return
        self.done[pc] = state
        if i.op is Op.RMW:
            self._update(thread, pc, i, *given)
            return
        if i.op in WRITES:
            self._write(pc, given[0], given[1])
        if i.op in READS:
            self._put(thread, pc, i, self._read(pc, given[0]))
        elif OPERATIONS[i.op][1]:
            self._put(thread, pc, i, self._computed(pc, i, given))

    def _put(self, thread: _Thread, pc: int, i: Instruction, values: Values) -> None:
        self.changed |= thread.put(pc, i.dst, values)

    def _places(self, pc: int, places: Values) -> Iterator[int]:
        for place in places:
            if isinstance(place, Cell):
                yield place.number
            else:
                self._refuse(pc, True)

    def _read(self, pc: int, places: Values) -> Values:
        found = frozenset().union(*(self.cells[cell] for cell in self._places(pc, places)))
        return found if all(isinstance(place, Cell) for place in places) else found | {HIDDEN}

    def _write(self, pc: int, places: Values, values: Values) -> None:
        if HIDDEN in values or not all(isinstance(place, Cell) for place in places):
            raise _ToldApartError
        for cell in self._places(pc, places):
            new = _few(self.cells[cell] | values, self.ranges.cells[cell])
            if new != self.cells[cell]:
                self.changed = True
                self.writes += 1
                self.cells[cell] = new

    def _update(
        self, thread: _Thread, pc: int, i: Instruction, where: Values, operand: Values, expected: Values
    ) -> None:
        rmw = self.code.rmws[i.c]
        old = self._read(pc, where)
        self._put(thread, pc, i, old)
        if rmw.kind in _MOVING:
            if rmw.kind is not RmwKind.EXCHANGE:
                self._equal(pc, old, expected)
            self._write(pc, where, self._wrapped(pc, operand, rmw.bits))
            return
        for values in (old, operand, expected):
            self._refuse(pc, not all(map(_is_number, values)))
        for cell in [*self._places(pc, where)]:
            self._write(pc, frozenset((Cell(cell),)), frozenset((Span(*self.ranges.cells[cell]),)))

    def _computed(self, pc: int, i: Instruction, given: Sequence[Values]) -> Values:
        if i.op is Op.MOV:
            return given[0]
        if i.op is Op.SELECT:
            return given[1] | given[2]
        if i.op in (Op.KEEP, Op.STOREX):
            return frozenset((0, 1))
        if i.op in (Op.EQ, Op.NE):
            self._equal(pc, *given)
            return _TRUTH
        if i.op is Op.NOT:
            return _TRUTH
        if i.op is Op.WRAP:
            return self._wrapped(pc, given[0], i.c)
        if i.op in _COMPUTE:
            return _few(frozenset(self._sum(pc, i.op, a, b) for a, b in product(*given)))
        if i.op is Op.INDEX:
            return self._indexed(pc, i, given[0])
        if i.op is Op.DEREF:
            return frozenset(self._pointed(pc, given[0]))
        if self.trusted[pc] and i.op in _ORDERS:
            self._look_at_range(self.columns.values, *(values for values in given if len(values) > 1))
        hidden = not all(_is_number(value) for values in given for value in values)
        self._refuse(pc, hidden)
        if i.op in _ORDERS:
            return _TRUTH
        return frozenset((HIDDEN if hidden else ANY,)) if all(given) or not given else _NOTHING

    def _look_at_range(self, renamed: Collection[int], *given: Values) -> None:
        """What the client asks of results, and what is told of them: they are values, or numbers that are none."""
        for value in (value for values in given for value in values if _is_number(value)):
            least, most = _ends(value)
            if any(least <= number <= most for number in renamed):
                raise _ToldApartError

    def _equal(self, pc: int, some: Values, others: Values) -> None:
        for a, b in (*product(some, others), *product(others, some)):
            if isinstance(a, Moved) and not isinstance(b, Moved):
                numbers = self.columns.numbers(a)
                self._refuse(pc, not _is_number(b) or any(_ends(b)[0] <= number <= _ends(b)[1] for number in numbers))
            self._refuse(pc, isinstance(a, Cell) or a == HIDDEN)

    def _wrapped(self, pc: int, values: Values, bits: int) -> Values:
        if bits == 0:
            return values
        least = -(1 << -bits - 1) if bits < 0 else 0
        most = least + (1 << abs(bits))
        found: set[Value] = set()
        for value in values:
            if _is_number(value):
                first, last = _ends(value)
                inside = least <= first and last < most
                cut = (first - least) % (1 << abs(bits)) + least if first == last else Span(least, most - 1)
                found.add(value if inside else cut)
                continue
            if isinstance(value, Moved):
                self._refuse(pc, not all(least <= number < most for number in self.columns.numbers(value)))
            found.add(value)
        return frozenset(found)

    def _sum(self, pc: int, op: Op, a: Value, b: Value) -> Value:
        if isinstance(b, Moved) and op is Op.ADD:
            a, b = b, a
        if isinstance(a, Moved) and isinstance(b, int) and self.columns.is_address(a):
            return a._replace(offset=a.offset + (b if op is Op.ADD else -b))
        if _is_number(a) and _is_number(b):
            return _calculated(op, a, b)
        self._refuse(pc, True)
        return HIDDEN

    def _indexed(self, pc: int, i: Instruction, values: Values) -> Values:
        if not all(map(_is_number, values)):
            self._refuse(pc, True)
            return frozenset((HIDDEN,))
        places = [i.b + k for k in range(i.c) if any(_ends(value)[0] <= k <= _ends(value)[1] for value in values)]
        self._refuse(pc, any(place in self.columns.cells for place in places))
        return frozenset(Cell(place) for place in places)

    def _pointed(self, pc: int, values: Values) -> Iterator[Value]:
        for value in values:
            if isinstance(value, Moved) and self.columns.is_address(value):
                cell = self.columns.at.get(self.columns.columns[value.column][value.member] + value.offset)
                if cell is None:
                    continue  # an error, or an access of a width that nothing here has: so it is for the others
                if self.columns.cells.get(cell, (None, -1))[1] != value.member:
                    raise _ToldApartError
                yield Cell(cell)
            elif _is_number(value):
                least, most = _ends(value)
                for address, cell in self.columns.at.items():
                    if least <= address <= most:
                        self._refuse(pc, cell in self.columns.cells)
                        yield Cell(cell)
            else:
                self._refuse(pc, True)
                yield HIDDEN


def _is_number(value: Value) -> bool:
    return isinstance(value, int) or (isinstance(value, Span) and not value.hidden)


def _ends(value: Value) -> Range:
    """The least and the greatest of a number."""
    if isinstance(value, Span):
        return value.least, value.most
    assert isinstance(value, int)
    return value, value


def _calculated(op: Op, a: Value, b: Value) -> Value:
    if isinstance(a, int) and isinstance(b, int):
        return _COMPUTE[op](a, b)
    corners = [_COMPUTE[op](x, y) for x in _ends(a) for y in _ends(b)]
    return Span(min(corners), max(corners))


def _inside(values: Values, bounds: Range) -> Values:
    """Of numbers, those within bounds."""
    found: set[Value] = set()
    for value in values:
        if not _is_number(value):
            found.add(value)
            continue
        least, most = _ends(value)
        least, most = max(least, bounds[0]), min(most, bounds[1])
        if least <= most:
            found.add(least if least == most else Span(least, most))
    return frozenset(found)


def _few(values: Values, known: Range | None = None) -> Values:
    """With one span at most, which many numbers become; that is no larger than what is known."""
    numbers = [value for value in values if isinstance(value, int)]
    spans = [value for value in values if _is_number(value) and isinstance(value, Span)]
    inside = [number for number in numbers if any(span.least <= number <= span.most for span in spans)]
    if len(spans) < 2 and len(numbers) - len(inside) <= MOST:
        return values.difference(inside)
    taken = [*spans, *(numbers if len(numbers) > MOST else ())]
    least, most = min(_ends(value)[0] for value in taken), max(_ends(value)[1] for value in taken)
    if known is not None:
        least, most = known
    return values.difference(taken, inside) | {Span(least, most)}


def _bounds(code: Code, first: int, last: int) -> Iterator[dict[int, Range]]:
    """For each instruction: between which numbers registers are there, as tests on the same edge have found."""
    facts: dict[int, list[tuple[int, int, int]]] = {}
    known: dict[int, Range] = {}
    for i in code.instructions[first:last]:
        yield dict(known) if known else {}
        found: list[tuple[int, int, int]] = []
        if i.op in (Op.LE, Op.LT):
            strict = int(i.op is Op.LT)
            if i.a < 0 <= i.b:
                found = [(i.b, code.constants[~i.a] + strict, ANY.most)]
            elif i.b < 0 <= i.a:
                found = [(i.a, ANY.least, code.constants[~i.b] - strict)]
        elif i.op is Op.MUL:
            found = [*facts.get(i.a, ()), *facts.get(i.b, ())] if i.a in facts and i.b in facts else []
        elif i.op in (Op.ASSERT, Op.ASSUME):
            for register, least, most in facts.get(i.a, ()):
                old = known.get(register, (ANY.least, ANY.most))
                known[register] = max(least, old[0]), min(most, old[1])
        elif OPERATIONS[i.op][2] in (OpKind.JUMP, OpKind.BRANCH, OpKind.CHOICE, OpKind.END):
            facts, known = {}, {}
        if OPERATIONS[i.op][1]:
            known.pop(i.dst, None)
            facts = {temporary: each for temporary, each in facts.items() if all(fact[0] != i.dst for fact in each)}
            facts.pop(i.dst, None)
        if found and all(fact[0] != i.dst for fact in found):
            facts[i.dst] = found
