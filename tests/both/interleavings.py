"""What a program of `made.py` can do wrong: all its interleavings, one by one, with the clocks of its threads.

All that synchronises is seq_cst flags, mutexes, starts and joins: so what sequential consistency shows decides. A
program without a race there has no other executions, and one with a race is wrong.

Each function becomes flat code. A state is where each thread is, what is in memory, and what happens before what; a
step of one thread leads to the next one. Nothing of xgen is used.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from both.made import FLAGS, GIVEN, GLOBALS, MUTEXES, OWN, POINTERS, Program, Statement

Step: TypeAlias = tuple
Clock: TypeAlias = tuple[int, ...]
TOO_MANY = 60_000
"""States; a program that has more is not asked about."""


class TooManyError(Exception):
    """The program has too many states."""


class LeftError(Exception):
    """Main can come to its end before others do: what they are doing then has no one answer."""


class Compiler:
    """The flat code of one function: jumps are absolute."""

    def __init__(self) -> None:
        self.code: list[Step] = []
        self.blocks: list[list[Step]] = []
        """Of each block that is open: what is done at its end."""
        self.handlers: list[tuple[int, list[int]]] = []
        """Of each `try` around: how many blocks are open there, and which jumps lead to its handler."""

    def function(self, body: tuple[Statement, ...]) -> list[Step]:
        self.block(body)
        self.code += [("leave",), ("end",)]
        return self.code

    def block(self, body: tuple[Statement, ...], last: tuple[Step, ...] = ()) -> None:
        self.blocks.append([*last])
        for statement in body:
            self.statement(statement)
        self.code += reversed(self.blocks.pop())

    def statement(self, statement: Statement) -> None:
        kind, *rest = statement
        if kind == "local":
            name, value = rest
            self.blocks[-1].append(("die", name))
            self.code.append(("birth", name, value))
        elif kind == "pair":
            for part, value in zip(("x", "y"), rest[1:], strict=True):
                self.statement(("local", f"{rest[0]}.{part}", value))
        elif kind == "owner":
            self.blocks[-1].append(("drop", rest[0]))
            self.code.append(("owner", *rest))
        elif kind in ("block", "call"):
            self.block(rest[0])
        elif kind == "loop":
            self.block(rest[0])
            self.block(rest[0])
        elif kind == "rounds":
            self.block(rest[1])
            self.statement(("if", *rest))
        elif kind == "if":
            at = len(self.code)
            self.code.append(())
            self.block(rest[1])
            self.code[at] = ("unless", rest[0], len(self.code))
        elif kind == "locked":
            self.code.append(("lock", rest[0]))
            self.block(rest[1], (("unlock", rest[0]),))
        elif kind == "guard":
            self.block(rest[2], (("write", rest[0], rest[1]),))
        elif kind == "try":
            self.tried(rest[0], rest[1])
        elif kind == "throw":
            self.throw()
        else:
            self.code += _SIMPLE[kind](*rest)

    def tried(self, body: tuple[Statement, ...], handler: tuple[Statement, ...]) -> None:
        jumps: list[int] = []
        self.handlers.append((len(self.blocks), jumps))
        self.block(body)
        self.handlers.pop()
        past = len(self.code)
        self.code.append(())
        for jump in jumps:
            self.code[jump] = ("jump", len(self.code))
        self.block(handler)
        self.code[past] = ("jump", len(self.code))

    def throw(self) -> None:
        depth, jumps = self.handlers[-1]
        for block in reversed(self.blocks[depth:]):
            self.code += reversed(block)
        jumps.append(len(self.code))
        self.code.append(())


_SIMPLE = {
    "set": lambda name, value: [("write", name, value)],
    "expect": lambda name, value: [("expect", name, value)],
    "address": lambda pointer, name: [("point", pointer, name)],
    "new": lambda pointer, value: [("new", pointer, value)],
    "free": lambda pointer: [("free", pointer)],
    "deref": lambda pointer, value: [("load", pointer), ("through", value)],
    "check": lambda pointer, value: [("load", pointer), ("expected", value)],
    "flag": lambda name: [("raise", name)],
    "start": lambda thread, given=None: [("start", thread, given)],
    "kept": lambda pointer: [("keep", pointer)],
    "late": lambda name, value: [("late", name, value)],
    "lent": lambda to, owner: [("take", to, owner) if to[0] == "o" else ("lend", to, owner)],
    "released": lambda pointer, owner: [("release", pointer, owner)],
    "copied": lambda to, source: [("copy", f"{to}.{part}", f"{source}.{part}") for part in "xy"],
    "join": lambda thread: [("joins", thread), ("join", thread)],
}


@dataclass(frozen=True)
class Cell:
    """A piece of memory: whether it is there, its value (None: none yet), and who was at it last."""

    value: object = 0
    alive: bool = True
    heap: bool = False
    written: tuple[int, int] = (0, 0)
    """The thread that wrote it last, and its time."""
    read: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Running:
    """A thread: where it is, its clock, its locals, and the pointer that it has loaded."""

    at: int
    clock: Clock
    names: tuple[tuple[str, str], ...] = ()
    pointer: str | None = None
    joined: bool = False
    made: int = 0
    late: tuple[str, int] | None = None
    """What it writes when its function is over."""


@dataclass(frozen=True)
class State:
    """All there is at a time."""

    threads: tuple[Running | None, ...]
    cells: tuple[tuple[str, Cell], ...]
    clocks: tuple[tuple[str, Clock], ...] = ()
    """What happens before the next acquire of a flag or a mutex."""
    held: tuple[tuple[str, int], ...] = ()


class Wrong(Exception):
    """The program has done something that it may not do, of this kind."""


class Moves:
    """The steps of a program."""

    def __init__(self, program: Program) -> None:
        self.codes = [Compiler().function(body) for body in program.bodies]
        self.count = len(self.codes)

    def first(self) -> State:
        clock = tuple(int(k == 0) for k in range(self.count))
        cells = {name: Cell() for name in (*GLOBALS, *FLAGS, *(f"t{k}" for k in range(1, self.count)))}
        cells |= {name: Cell(value=None) for name in POINTERS} | {f"{OWN}@0": Cell()}
        threads = (Running(0, clock), *[None] * (self.count - 1))
        return State(threads, tuple(sorted(cells.items())))

    def wrong(self) -> set[str]:
        """All kinds of what can go wrong. Raises TooManyError."""
        found: set[str] = set()
        pending = [self.first()]
        seen = set(pending)
        while pending:
            state = pending.pop()
            for thread, running in enumerate(state.threads):
                if running is None or running.at < 0:
                    continue
                try:
                    after = self.step(state, thread)
                except Wrong as wrong:
                    found.add(str(wrong))
                    continue
                if after is not None and after not in seen:
                    seen.add(after)
                    pending.append(after)
                    if len(seen) > TOO_MANY:
                        raise TooManyError
        return found

    def step(self, state: State, thread: int) -> State | None:
        """The state behind the next step of a thread; None where it has to wait. Raises Wrong."""
        return Acting(self, state, thread).done()


class Acting:
    """One step of one thread."""

    def __init__(self, moves: Moves, state: State, thread: int) -> None:
        self.thread = thread
        self.state = state
        self.threads = list(state.threads)
        running = state.threads[thread]
        assert running is not None
        self.me = running
        self.cells = dict(state.cells)
        self.clocks = dict(state.clocks)
        self.held = dict(state.held)
        self.names = dict(running.names)
        self.next = running.at + 1
        self.operation, *self.rest = moves.codes[thread][running.at]

    def done(self) -> State | None:
        if getattr(self, f"do_{self.operation}")(*self.rest) is False:
            return None
        clock = list(self.me.clock)
        clock[self.thread] += 1
        me = replace(self.me, at=self.next, clock=tuple(clock), names=tuple(sorted(self.names.items())))
        self.threads[self.thread] = me
        return State(
            tuple(self.threads),
            tuple(sorted(self.cells.items())),
            tuple(sorted(self.clocks.items())),
            tuple(sorted(self.held.items())),
        )

    def cell_of(self, name: str) -> str:
        return self.names.get(name, f"{name}@{self.thread}" if name in (OWN, GIVEN) else name)

    def seen(self, who: tuple[int, int]) -> bool:
        """Whether what a thread did at a time happens before this step."""
        return who[0] == self.thread or self.me.clock[who[0]] >= who[1]

    def must_be_there(self, name: str) -> Cell:
        cell = self.cells[name]
        if not cell.alive:
            raise Wrong("dead")
        return cell

    def read(self, name: str) -> object:
        cell = self.must_be_there(name)
        if not self.seen(cell.written):
            raise Wrong("race")
        reads = {who: when for who, when in cell.read if who != self.thread}
        reads[self.thread] = self.me.clock[self.thread]
        self.cells[name] = replace(cell, read=tuple(sorted(reads.items())))
        return cell.value

    def write(self, name: str, value: object, alive: bool = True) -> None:
        cell = self.must_be_there(name)
        if not self.seen(cell.written) or not all(map(self.seen, cell.read)):
            raise Wrong("race")
        now = (self.thread, self.me.clock[self.thread])
        self.cells[name] = replace(cell, value=value, alive=alive, written=now, read=())

    def acquire(self, clock: Clock | None) -> None:
        if clock is not None:
            self.me = replace(self.me, clock=tuple(map(max, self.me.clock, clock)))

    def release(self, name: str) -> None:
        old = self.clocks.get(name, self.me.clock)
        self.clocks[name] = tuple(map(max, old, self.me.clock))

    def value(self, name: str) -> object:
        value = self.read(name)
        if value is None:
            raise Wrong("unset")
        return value

    def do_birth(self, name: str, value: int | None) -> None:
        made = f"{name}@{self.thread}.{self.me.made}"
        self.me = replace(self.me, made=self.me.made + 1)
        self.cells[made] = Cell(value, written=(self.thread, self.me.clock[self.thread]))
        self.names[name] = made

    def do_die(self, name: str) -> None:
        self.write(self.names.pop(name), None, alive=False)

    def do_write(self, name: str, value: int) -> None:
        self.write(self.cell_of(name), value)

    def do_expect(self, name: str, value: int | None) -> None:
        if self.value(self.cell_of(name)) != value is not None:
            raise Wrong("assertion")

    def do_point(self, pointer: str, name: str) -> None:
        self.write(pointer, self.cell_of(name))

    def do_new(self, pointer: str, value: int | None) -> None:
        self.write(pointer, self.made(value))

    def made(self, value: int | None) -> str:
        """New memory."""
        made = f"new@{self.thread}.{self.me.made}"
        self.me = replace(self.me, made=self.me.made + 1)
        self.cells[made] = Cell(value, heap=True, written=(self.thread, self.me.clock[self.thread]))
        return made

    def do_free(self, pointer: str) -> None:
        self.freed(self.read(pointer))

    def freed(self, target: object) -> None:
        if target is None:
            return
        if not self.cells[str(target)].heap:
            raise Wrong("bad-free")
        self.write(str(target), None, alive=False)

    def do_owner(self, name: str, value: int | None) -> None:
        self.names[name] = self.made(value)

    def do_drop(self, name: str) -> None:
        self.freed(self.names.pop(name) or None)

    def do_take(self, to: str, owner: str) -> None:
        taken = self.names[owner]
        self.names[owner] = ""
        self.freed(self.names[to] or None)
        self.names[to] = taken

    def do_lend(self, pointer: str, owner: str) -> None:
        self.write(pointer, self.names[owner] or None)

    def do_release(self, pointer: str, owner: str) -> None:
        self.do_lend(pointer, owner)
        self.names[owner] = ""

    def do_copy(self, to: str, source: str) -> None:
        self.write(self.cell_of(to), self.read(self.cell_of(source)))

    def do_keep(self, pointer: str) -> None:
        self.write(pointer, self.read(self.cell_of(GIVEN)))

    def do_late(self, name: str, value: int) -> None:
        self.me = replace(self.me, late=(self.cell_of(name), value))

    def do_leave(self) -> None:
        if self.me.late is not None:
            self.write(*self.me.late)

    def do_load(self, pointer: str) -> None:
        target = self.read(self.cell_of(pointer))
        if target is None:
            raise Wrong("null")
        self.me = replace(self.me, pointer=str(target))

    def do_through(self, value: int) -> None:
        self.write(str(self.me.pointer), value)
        self.me = replace(self.me, pointer=None)

    def do_expected(self, value: int | None) -> None:
        if self.value(str(self.me.pointer)) != value is not None:
            raise Wrong("assertion")
        self.me = replace(self.me, pointer=None)

    def do_raise(self, name: str) -> None:
        self.cells[name] = replace(self.cells[name], value=1)
        # A seq_cst store heads a release sequence of its own: what was released before it is not read any more.
        self.clocks[name] = self.me.clock

    def do_unless(self, name: str, past: int) -> None:
        if self.cells[name].value == 0:
            self.next = past
        else:
            self.acquire(self.clocks.get(name))

    def do_jump(self, to: int) -> None:
        self.next = to

    def do_lock(self, name: str) -> bool:
        assert name in MUTEXES
        if name in self.held:
            return False
        self.held[name] = self.thread
        self.acquire(self.clocks.get(name))
        return True

    def do_unlock(self, name: str) -> None:
        del self.held[name]
        self.release(name)

    def do_start(self, thread: int, given: str | None) -> None:
        self.write(f"t{thread}", 1)
        clock = list(self.me.clock)
        clock[thread] = 1
        self.threads[thread] = Running(0, tuple(clock))
        now = (self.thread, self.me.clock[self.thread])
        self.cells[f"{OWN}@{thread}"] = Cell(written=now)
        self.cells[f"{GIVEN}@{thread}"] = Cell(None if given is None else self.cell_of(given), written=now)

    def do_joins(self, thread: int) -> None:
        """A join that is no join of a running thread is wrong before it waits."""
        if self.read(f"t{thread}") == 0:
            raise Wrong("bad-join")

    def do_join(self, thread: int) -> bool:
        other = self.threads[thread]
        assert other is not None
        if other.joined:
            raise Wrong("bad-join")
        if other.at >= 0:
            return False
        self.acquire(other.clock)
        self.threads[thread] = replace(other, joined=True)
        return True

    def do_end(self) -> None:
        if self.thread == 0:  # the end of the process, which others may not live to see
            if any(other is not None and other.at >= 0 for other in self.threads[1:]):
                raise LeftError
            self.next = -1
            return
        own = f"{OWN}@{self.thread}"
        self.write(own, None, alive=False)
        self.next = -1


def wrong(program: Program) -> set[str]:
    """All kinds of what can go wrong in a program. Raises TooManyError, and LeftError."""
    return Moves(program).wrong()
