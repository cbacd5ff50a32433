"""Runs lowered programs under interleaving semantics: a small, slow explorer of states, for tests of the lowering.

It shares no code with the engine. States are explored once each; a thread runs from event to event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from xgen._core import Op, RmwKind
from xgen.lowering.code import MODULO, Code, Instruction

EVENTS = frozenset({Op.LOAD, Op.STORE, Op.FENCE, Op.RMW})
LOWEST, HIGHEST = -(2**63), 2**63 - 1


class Failed(Exception):
    """An error of the program; the argument says which: violation, overflow, division, range."""


@dataclass(frozen=True)
class Thread:
    """Where a thread stands (before an event or its end), its registers, and its events so far if they are bounded."""

    pc: int
    registers: tuple[int, ...]
    events: int = 0


@dataclass
class Result:
    """The final states of complete runs, the errors met, and how many states stood blocked or at the bound."""

    finals: set[tuple[tuple[str, int], ...]] = field(default_factory=set)
    errors: set[tuple[str, str]] = field(default_factory=set)
    blocked: int = 0
    bounded: int = 0
    states: int = 0

    @property
    def verdict(self) -> str:
        return "violation" if self.errors else "safe"


def divide(a: int, b: int) -> tuple[int, int]:
    """q and r of a = b * q + r with 0 <= r < |b|."""
    if b == 0:
        raise Failed("division")
    r = a % abs(b)
    return (a - r) // b, r


def wrap(value: int, bits: int) -> int:
    """The number that the low bits are; with a sign where `bits` is less than 0."""
    size = 1 << abs(bits)
    low = value % size
    if bits == 64 or bits < 0:  # 64 bits are all that there are, with a sign
        return low - size if low >= size // 2 else low
    return low


MODULAR: dict[Op, Callable[[int, int], int]] = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.NEG: lambda a, _: -a,
}


def compute(op: Op, a: int, b: int) -> int:
    match op:
        case Op.MOV:
            value = a
        case Op.NEG:
            value = -a
        case Op.NOT:
            value = int(not a)
        case Op.ADD:
            value = a + b
        case Op.SUB:
            value = a - b
        case Op.MUL:
            value = a * b
        case Op.DIV:
            value = divide(a, b)[0]
        case Op.MOD:
            value = divide(a, b)[1]
        case Op.REM:
            value = divide(a, b)[1] * (1 if b > 0 else -1)
        case Op.BITNOT:
            value = ~a
        case Op.BITAND:
            value = a & b
        case Op.BITOR:
            value = a | b
        case Op.BITXOR:
            value = a ^ b
        case Op.SHL | Op.SHR:
            if not 0 <= b <= 63:
                raise Failed("overflow")
            bits = a % 2**64
            value = wrap(bits << b if op is Op.SHL else bits >> b, -64)
        case Op.EQ:
            value = int(a == b)
        case Op.NE:
            value = int(a != b)
        case Op.LT:
            value = int(a < b)
        case Op.LE:
            value = int(a <= b)
        case _:
            raise AssertionError(op)
    if not LOWEST <= value <= HIGHEST:
        raise Failed("overflow")
    return value


def new_value(kind: RmwKind, old: int, operand: int, expected: int) -> int | None:
    """What an update writes; None: nothing."""
    match kind:
        case RmwKind.ADD:
            return compute(Op.ADD, old, operand)
        case RmwKind.SUB:
            return compute(Op.SUB, old, operand)
        case RmwKind.AND:
            return old & operand
        case RmwKind.ANDNOT:
            return old & ~operand
        case RmwKind.MIN | RmwKind.MAX:
            return (min if kind is RmwKind.MIN else max)(old, operand)
        case RmwKind.UMIN | RmwKind.UMAX:
            return (min if kind is RmwKind.UMIN else max)(old, operand, key=lambda value: value % 2**64)
        case RmwKind.ADD_UNLESS:
            return None if old == expected else compute(Op.ADD, old, operand)
        case RmwKind.OR:
            return old | operand
        case RmwKind.XOR:
            return old ^ operand
        case RmwKind.EXCHANGE:
            return operand
    return operand if old == expected else None


class Explorer:
    """Explores a program's states; `max_depth` bounds the events of each thread."""

    def __init__(self, code: Code, max_depth: int | None = None) -> None:
        self.code = code
        self.max_depth = max_depth
        self.result = Result()

    def value(self, thread: Thread, operand: int) -> int:
        return thread.registers[operand] if operand >= 0 else self.code.constants[~operand]

    def run(self, thread: Thread) -> Iterator[Thread]:
        """The threads that this one becomes before its next event or its end; `Failed` where it goes wrong."""
        for _ in range(10_000):
            i = self.code.instructions[thread.pc]
            match i.op:
                case Op.END | Op.STUCK | Op.CUT | Op.LOAD | Op.STORE | Op.FENCE | Op.RMW:
                    yield thread
                    return
                case Op.FAIL:
                    raise Failed("violation")
                case Op.ASSERT if not self.value(thread, i.a):
                    raise Failed("violation")
                case Op.ASSUME if not self.value(thread, i.a):
                    yield thread
                    return
                case Op.CHOOSE:
                    yield from self.choose(thread, i)
                    return
                case Op.HAVOC:
                    low, high = self.value(thread, i.a), self.value(thread, i.b)
                    if low > high:
                        yield thread
                    for value in range(low, high + 1):
                        yield from self.run(self.step(thread, thread.pc + 1, i.dst, value))
                    return
            thread = self.local(thread, i)
        raise AssertionError("runs too long without an event")

    def local(self, thread: Thread, i: Instruction) -> Thread:
        """The thread after an instruction that is not an event, a choice or an end."""
        if i.op in (Op.ASSUME, Op.ASSERT):
            return self.step(thread, thread.pc + 1)
        if i.op in (Op.JMP, Op.GOTO):
            return self.step(thread, i.c)
        if i.op is Op.JZ:
            return self.step(thread, thread.pc + 1 if self.value(thread, i.a) else i.c)
        if i.op is Op.TAINT:
            return self.step(thread, thread.pc + 1)
        if i.op is Op.WRAP:
            return self.step(thread, thread.pc + 1, i.dst, wrap(self.value(thread, i.a), i.c))
        if i.op is Op.DEREF:
            cell, rest = divmod(self.value(thread, i.a), 16)
            if rest or not 1 <= cell <= len(self.code.cells) or self.code.cells[cell - 1].type != "int":
                raise Failed("range")
            return self.step(thread, thread.pc + 1, i.dst, cell - 1)
        if i.op is Op.SELECT:
            chosen = i.b if self.value(thread, i.a) else i.c
            return self.step(thread, thread.pc + 1, i.dst, self.value(thread, chosen))
        if i.op is Op.INDEX:
            index = self.value(thread, i.a)
            if not 0 <= index < i.c:
                raise Failed("range")
            return self.step(thread, thread.pc + 1, i.dst, i.b + index)
        a, b = self.value(thread, i.a), self.value(thread, i.b)
        if i.op in MODULAR and i.c == MODULO:
            return self.step(thread, thread.pc + 1, i.dst, wrap(MODULAR[i.op](a, b), -64))
        return self.step(thread, thread.pc + 1, i.dst, compute(i.op, a, b))

    def step(self, thread: Thread, pc: int, dst: int | None = None, value: int = 0) -> Thread:
        registers = list(thread.registers)
        if dst is not None:
            registers[dst] = value
        return Thread(pc, tuple(registers), thread.events)

    def choose(self, thread: Thread, i: Instruction) -> Iterator[Thread]:
        enabled = [self.step(thread, pc) for pc in self.code.targets[i.c] if self.enabled(self.step(thread, pc))]
        if not enabled:
            yield thread
        for choice in enabled:
            yield from self.run(choice)

    def enabled(self, thread: Thread) -> bool:
        """Whether no assume fails before an event, a havoc, an error or the edge's end."""
        while True:
            i = self.code.instructions[thread.pc]
            if i.op is Op.ASSUME and not self.value(thread, i.a):
                return False
            if i.op in EVENTS or i.op in (Op.GOTO, Op.HAVOC, Op.END, Op.CHOOSE, Op.FAIL, Op.STUCK, Op.CUT):
                return True
            if i.op is Op.ASSERT and not self.value(thread, i.a):
                return True
            try:
                thread = self.local(thread, i)
            except Failed:
                return True

    def explore(self) -> Result:
        code = self.code
        cells = tuple(code.initial)
        starts = [Thread(t.entry, (*t.initial, *[0] * t.temporaries)) for t in code.threads]
        stack = list(self.product(cells, (), starts))
        seen = set(stack)
        while stack:
            state = stack.pop()
            self.result.states += 1
            for successor in self.successors(*state):
                if successor not in seen:
                    seen.add(successor)
                    stack.append(successor)
        return self.result

    State = tuple[tuple[int, ...], tuple[Thread, ...]]

    def product(self, cells: tuple[int, ...], done: tuple[Thread, ...], rest: list[Thread]) -> Iterator[State]:
        """The first states: every thread runs to its first event."""
        if not rest:
            yield cells, done
            return
        for thread in self.attempt(len(done), rest[0]):
            yield from self.product(cells, (*done, thread), rest[1:])

    def attempt(self, number: int, thread: Thread) -> list[Thread]:
        """What a thread becomes before its next event; nothing, and an error noted, where it goes wrong."""
        found = []
        runs = self.run(thread)
        while True:
            try:
                found.append(self.rest(number, next(runs)))
            except StopIteration:
                return found
            except Failed as error:
                self.result.errors.add((self.code.threads[number].name, str(error)))
                return found

    def rest(self, number: int, thread: Thread) -> Thread:
        """The thread without what it does not keep from event to event (a waiting event needs its operands, though)."""
        i = self.code.instructions[thread.pc]
        kept = len(self.code.threads[number].locals)
        if i.op in EVENTS:
            return thread
        return Thread(thread.pc, thread.registers[:kept] + (0,) * (len(thread.registers) - kept), thread.events)

    def successors(self, cells: tuple[int, ...], threads: tuple[Thread, ...]) -> Iterator[State]:
        ops = [self.code.instructions[thread.pc].op for thread in threads]
        if all(op is Op.END for op in ops):
            self.result.finals.add(self.final(cells, threads))
        elif Op.CUT in ops:
            self.result.bounded += 1
        elif not any(self.enabled_event(cells, thread) for thread in threads):
            self.result.blocked += 1
        for number, thread in enumerate(threads):
            i = self.code.instructions[thread.pc]
            if not self.enabled_event(cells, thread):
                continue
            if thread.events == self.max_depth:
                self.result.bounded += 1
                continue
            after = list(cells)
            moved = self.step(thread, thread.pc + 1)
            if i.op is Op.LOAD:
                moved = self.step(thread, thread.pc + 1, i.dst, cells[self.value(thread, i.a)])
            elif i.op is Op.STORE:
                after[self.value(thread, i.a)] = self.value(thread, i.b)
            elif i.op is Op.RMW:
                try:
                    moved = self.update(after, thread, i)
                except Failed as error:
                    self.result.errors.add((self.code.threads[number].name, str(error)))
                    continue
            moved = Thread(moved.pc, moved.registers, thread.events + (self.max_depth is not None))
            for successor in self.attempt(number, moved):
                yield tuple(after), (*threads[:number], successor, *threads[number + 1 :])

    def enabled_event(self, cells: tuple[int, ...], thread: Thread) -> bool:
        """Whether the thread is before an event; locking waits until the mutex is free."""
        i = self.code.instructions[thread.pc]
        if i.op is not Op.RMW or self.code.rmws[i.c].kind is not RmwKind.LOCK:
            return i.op in EVENTS
        return cells[self.value(thread, self.code.rmws[i.c].address)] == 0

    def update(self, cells: list[int], thread: Thread, i: Instruction) -> Thread:
        """Changes the cell of an update; the thread behind it."""
        rmw = self.code.rmws[i.c]
        cell, operand, expected = (self.value(thread, x) for x in (rmw.address, rmw.operand, rmw.expected))
        old = cells[cell]
        new = new_value(rmw.kind, old, operand, expected)
        cells[cell] = old if new is None else new
        return self.step(thread, thread.pc + 1, i.dst if i.dst >= 0 else None, old)

    def final(self, cells: tuple[int, ...], threads: tuple[Thread, ...]) -> tuple[tuple[str, int], ...]:
        """The values that outcomes list: `process:variable` and shared variables."""
        state = {
            f"{code.name}:{code.locals[register].name}": thread.registers[register]
            for code, thread in zip(self.code.threads, threads, strict=True)
            for register in code.shown
        }
        state |= {self.code.cells[cell].name: cells[cell] for cell in self.code.scalars}
        return tuple(sorted(state.items()))


def explore(code: Code, max_depth: int | None = None) -> Result:
    """Everything that a program can do when its threads take turns."""
    return Explorer(code, max_depth).explore()
