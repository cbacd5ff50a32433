"""Sequential consistency, x86-TSO and SPARC's PSO as machines: what the enumeration and the engine are checked against.

A machine has one memory that threads read and write step by step. Under TSO a write first waits in its thread's buffer;
that is all the difference (Owens, Sarkar, Sewell: A better x86 memory model: x86-TSO, TPHOLs 2009). A read-modify-write
waits for the buffer to be empty, then reads and writes the memory in one step; one that fails writes back what it has
read, which nobody can see. Under PSO writes to different variables leave the buffer in any order, but for those with an
stbar between, and a read-modify-write, failing or not, waits only for the writes to its variable and for those before
an stbar (The SPARC Architecture Manual, version 9, chapter 8 and A.9). All interleavings are tried, and each run gives
the execution that it amounts to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Literal, NamedTuple

from oracle.enumerate import EventKey, Execution, Place, Trace, keys_of_events
from oracle.evaluate import INITIAL
from oracle.expressions import Value
from oracle.programs import Fence, Load, Program, Rmw
from oracle.running import Pause, resume, settle, start

Write = tuple[str, Place, Value]
"""A write: its variable, which one it is, its value."""
STBAR: Write = ("", (0, 0), 0)
"""What stands for an stbar in a buffer."""
Buffers = Literal["none", "fifo", "any order"]
Counts = Callable[[Fence], bool]


class Machine(NamedTuple):
    """A state of the machine, with what happened so far: `memory` lists the writes to each variable, oldest first."""

    pauses: tuple[Pause, ...]
    events: tuple[tuple[EventKey, ...], ...]
    buffers: tuple[tuple[Write, ...], ...]
    memory: tuple[tuple[Write, ...], ...]
    rf: frozenset[tuple[Place, Place]] = frozenset()

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for equal states: where a thread stands follows from its events and its choices."""
        choices = tuple(pause.state.choices for pause in self.pauses)
        return self.events, choices, self.buffers, self.memory, self.rf


def sc_executions(program: Program) -> set[Execution]:
    """All executions of a program (without loops) under sequential consistency."""
    return _run(program, lambda _: True, "none")


def tso_executions(program: Program, counts: Counts = lambda _: True) -> set[Execution]:
    """All executions of a program (without loops) under x86-TSO; `counts` says which fences empty the buffer."""
    return _run(program, counts, "fifo")


def pso_executions(program: Program) -> set[Execution]:
    """All executions of a program (without loops) under PSO; the fences are those with the tag stbar and full ones."""
    return _run(program, lambda fence: fence.tag != "stbar", "any order")


def _run(program: Program, counts: Counts, buffers: Buffers) -> set[Execution]:
    idle: tuple[tuple[()], ...] = ((),) * len(program.threads)
    memory = tuple(((v.name, (INITIAL, v.name), v.initial),) for v in program.cells)
    starts = [list(settle(auto, start(t))) for auto, t in zip(program.automata, program.threads, strict=True)]
    stack = [Machine(pauses, idle, idle, memory) for pauses in product(*starts)]
    seen = set()
    found = set()
    while stack:
        machine = stack.pop()
        if machine.key in seen:
            continue
        seen.add(machine.key)
        following = list(_steps(program, machine, counts, buffers))
        stack += following
        if not following:
            found.add(_execution(machine))
    return found


def _steps(program: Program, machine: Machine, counts: Counts, buffers: Buffers) -> Iterator[Machine]:
    for number, pause in enumerate(machine.pauses):
        buffer = machine.buffers[number]
        for place in _leaving(buffer, buffers):
            after = machine._replace(buffers=_with(machine.buffers, number, (*buffer[:place], *buffer[place + 1 :])))
            yield after if buffer[place] == STBAR else _to_memory(after, buffer[place])
        if pause.event is None:
            continue
        if isinstance(pause.event, Fence) and counts(pause.event) and buffer:
            continue
        if isinstance(pause.event, Rmw) and any(_delays(write, pause.event, buffers) for write in buffer):
            continue
        read: Value | None = None
        after = machine
        if isinstance(pause.event, Load | Rmw):
            written, read = _last_write(machine, number, pause.event.variable)
            after = machine._replace(rf=machine.rf | {(written, (number, len(machine.events[number])))})
        for event in keys_of_events(pause.event, pause.state, read):
            after = _do(after, number, event, buffers != "none" and not isinstance(pause.event, Rmw))
        if buffers == "any order" and isinstance(pause.event, Fence) and buffer and not counts(pause.event):
            after = after._replace(buffers=_with(after.buffers, number, (*buffer, STBAR)))
        for stop in settle(program.automata[number], resume(pause, read)):
            yield after._replace(pauses=_with(after.pauses, number, stop))


def _leaving(buffer: tuple[Write, ...], buffers: Buffers) -> Iterator[int]:
    """The places in a buffer of what can leave it next."""
    seen: set[str] = set()
    for place, write in enumerate(buffer):
        if place and (write == STBAR or buffers != "any order"):
            return
        if write[0] not in seen:
            yield place
        seen.add(write[0])
        if write == STBAR:
            return


def _delays(write: Write, update: Rmw, buffers: Buffers) -> bool:
    """Whether an update waits for a write, or for an stbar, to leave the buffer."""
    return buffers == "fifo" or write == STBAR or write[0] == str(update.variable)


def _do(machine: Machine, thread: int, event: EventKey, buffered: bool) -> Machine:
    """The machine in which a thread has done an event; a write goes to the buffer or to memory."""
    place = (thread, len(machine.events[thread]))
    machine = machine._replace(events=_with(machine.events, thread, (*machine.events[thread], event)))
    if event.kind != "W" or event.variable is None or event.value is None:
        return machine
    write = (event.variable, place, event.value)
    if not buffered:
        return _to_memory(machine, write)
    return machine._replace(buffers=_with(machine.buffers, thread, (*machine.buffers[thread], write)))


def _with(items: tuple, number: int, item: object) -> tuple:  # type: ignore[type-arg]
    return (*items[:number], item, *items[number + 1 :])


def _last_write(machine: Machine, thread: int, variable: str) -> tuple[Place, Value]:
    """What a read sees: the last write in the thread's own buffer, else in memory."""
    writes = [write for history in machine.memory for write in history] + list(machine.buffers[thread])
    return next((place, value) for name, place, value in reversed(writes) if name == variable)


def _to_memory(machine: Machine, write: Write) -> Machine:
    memory = tuple((*history, write) if history[0][0] == write[0] else history for history in machine.memory)
    return machine._replace(memory=memory)


def _execution(machine: Machine) -> Execution:
    traces = []
    for events, pause in zip(machine.events, machine.pauses, strict=True):
        assert pause.end is not None
        traces.append(Trace(events, pause.end, pause.state.choices, pause.state.events))
    orders = (tuple(place for _, place, _ in history) for history in machine.memory)
    return Execution(tuple(traces), machine.rf, frozenset(order for order in orders if len(order) > 1))
