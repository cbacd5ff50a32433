"""Threads that wait for ever, as fair cycles of a machine with store buffers: what `--liveness` is checked against.

A thread is a list of steps. A machine has the threads' places and registers, one memory, and a buffer per thread: none
under sc, one queue under tso, one queue per variable under pso. A thread that reads sees its own newest buffered write,
else the memory; fences and compare-and-swaps wait for buffers to be empty (under pso a compare-and-swap for its
variable's). All states are built. Some thread never ends iff there is a strongly connected set of states, with a step
inside, that is fair: each thread that has not ended steps in it or cannot step in one of its states, and each buffer is
empty in one of its states or loses an entry in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

Memory = Literal["sc", "tso", "pso"]


class Step(NamedTuple):
    """One step: `store` of a value, `load`, `fence`, `cas` of `expected` to `value`, or `test` of a register.

    A test goes to step `target` where the register is `value`, else on. Loads and compare-and-swaps go on.
    """

    op: Literal["store", "load", "fence", "cas", "test"]
    variable: str = ""
    value: int = 0
    register: str = ""
    expected: int = 0
    target: int = 0


Threads = tuple[tuple[Step, ...], ...]


@dataclass(frozen=True)
class State:
    """A state of the machine. Buffers hold (variable, value), oldest first."""

    places: tuple[int, ...]
    registers: tuple[tuple[tuple[str, int], ...], ...]
    memory: tuple[tuple[str, int], ...]
    buffers: tuple[tuple[tuple[str, int], ...], ...]


Label = tuple[str, int]
"""Who steps: ("thread", number) or ("buffer", number)."""


Schedule = Literal["fair", "hsa", "obe", "lobe"]
Units = tuple[tuple[int, ...], ...]


def hangs(threads: Threads, memory: Memory, schedule: Schedule = "fair", units: Units | None = None) -> bool:
    """Whether there is a fair run in which some thread never ends.

    `schedule`: to which of these units (else threads) it is fair: to those that have begun; to these, and those before
    them; to the first that has not ended.
    """
    grouped = units or tuple((number,) for number in range(len(threads)))
    if schedule in ("obe", "lobe"):
        threads = tuple(map(_with_first_step, threads))
    graph = _states(threads, memory)
    return any(
        _is_fair(threads, memory, graph, part, _owed(threads, part, schedule, grouped)) for part in _components(graph)
    )


def _with_first_step(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The thread with a step in which it begins, to which it never comes back."""
    moved = (step._replace(target=step.target + 1) if step.op == "test" else step for step in steps)
    return (Step("test", register="zero", value=1, target=0), *moved)


def _owed(threads: Threads, part: set[State], schedule: Schedule, units: Units) -> set[int]:
    """The threads that have their turns in runs that stay in a part, in all states of which the same have begun, and
    ended."""
    places = next(iter(part)).places
    left = [any(places[number] < len(threads[number]) for number in unit) for unit in units]
    begun = [any(places[number] > 0 for number in unit) for unit in units]
    if schedule == "hsa":
        chosen = [number for number, goes_on in enumerate(left) if goes_on][:1]
    elif schedule == "obe":
        chosen = [number for number, has_begun in enumerate(begun) if has_begun]
    elif schedule == "lobe":
        chosen = [number for number in range(len(units)) if any(begun[number:])]
    else:
        chosen = list(range(len(units)))
    return {number for unit in chosen for number in units[unit]}


def _states(threads: Threads, memory: Memory) -> dict[State, list[tuple[Label, State]]]:
    start = State((0,) * len(threads), ((),) * len(threads), (), ((),) * len(threads))
    graph: dict[State, list[tuple[Label, State]]] = {}
    work = [start]
    while work:
        state = work.pop()
        if state not in graph:
            graph[state] = list(_following(threads, memory, state))
            work += [after for _, after in graph[state]]
    return graph


def _following(threads: Threads, memory: Memory, state: State) -> Iterator[tuple[Label, State]]:
    for number, steps in enumerate(threads):
        buffer = state.buffers[number]
        for place, (variable, value) in enumerate(buffer):
            if place and (memory == "tso" or variable in {name for name, _ in buffer[:place]}):
                continue
            left = (*buffer[:place], *buffer[place + 1 :])
            yield ("buffer", number), _written(state, number, left, variable, value)
        if state.places[number] < len(steps) and _enabled(steps[state.places[number]], buffer, memory):
            yield ("thread", number), _stepped(state, number, steps[state.places[number]], memory)


def _enabled(step: Step, buffer: tuple[tuple[str, int], ...], memory: Memory) -> bool:
    if step.op == "cas" and memory == "pso":
        return all(variable != step.variable for variable, _ in buffer)
    return step.op not in ("fence", "cas") or not buffer


def _stepped(state: State, number: int, step: Step, memory: Memory) -> State:
    buffer, held = state.buffers[number], dict(state.registers[number])
    seen = dict([*state.memory, *buffer]).get(step.variable, 0)
    place = state.places[number] + 1
    if step.op == "test" and held.get(step.register, 0) == step.value:
        place = step.target
    if step.op in ("load", "cas"):
        held[step.register] = seen
    places = (*state.places[:number], place, *state.places[number + 1 :])
    registers = (*state.registers[:number], tuple(sorted(held.items())), *state.registers[number + 1 :])
    after = State(places, registers, state.memory, state.buffers)
    if step.op == "store" and memory != "sc":
        return _written(after, number, (*buffer, (step.variable, step.value)), "", 0)
    if step.op == "store" or (step.op == "cas" and seen == step.expected):
        return _written(after, number, buffer, step.variable, step.value)
    return after


def _written(state: State, number: int, buffer: tuple[tuple[str, int], ...], variable: str, value: int) -> State:
    """The state with another buffer of a thread, and (unless it is "") another value of a variable in memory."""
    memory = tuple(sorted({**dict(state.memory), variable: value}.items())) if variable else state.memory
    buffers = (*state.buffers[:number], buffer, *state.buffers[number + 1 :])
    return State(state.places, state.registers, memory, buffers)


def _components(graph: dict[State, list[tuple[Label, State]]]) -> Iterator[set[State]]:
    """The strongly connected components (Tarjan), without recursion."""
    index: dict[State, int] = {}
    low: dict[State, int] = {}
    stack: list[State] = []
    inside: set[State] = set()
    for root in graph:
        if root in index:
            continue
        calls = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        inside.add(root)
        while calls:
            state, rest = calls[-1]
            following = next(rest, None)
            if following is not None:
                after = following[1]
                if after not in index:
                    index[after] = low[after] = len(index)
                    stack.append(after)
                    inside.add(after)
                    calls.append((after, iter(graph[after])))
                elif after in inside:
                    low[state] = min(low[state], index[after])
                continue
            calls.pop()
            if calls:
                low[calls[-1][0]] = min(low[calls[-1][0]], low[state])
            if low[state] == index[state]:
                part = set()
                while state not in part:
                    part.add(stack.pop())
                inside -= part
                yield part


def _is_fair(
    threads: Threads, memory: Memory, graph: dict[State, list[tuple[Label, State]]], part: set[State], owed: set[int]
) -> bool:
    labels = {label for state in part for label, after in graph[state] if after in part}
    if not labels:
        return False
    for number, steps in enumerate(threads):
        stands = [(state.places[number], state.buffers[number]) for state in part]
        disabled = any(place == len(steps) or not _enabled(steps[place], b, memory) for place, b in stands)
        if number in owed and not disabled and ("thread", number) not in labels:
            return False
        if ("buffer", number) not in labels and all(buffer for _, buffer in stands):
            return False
    return True


def to_xcfa(threads: Threads, tag: str = "") -> str:
    """The same program for xgen: a location per step. Accesses have the tag, if one is given."""
    variables = sorted({step.variable for steps in threads for step in steps if step.variable})
    lines = [f"var {variable} : int" for variable in variables]
    for number, steps in enumerate(threads):
        registers = sorted({step.register for step in steps if step.register})
        lines += [f"process p{number} {{", *(f"  var {register} : int" for register in registers)]
        kinds = ["init"] + [""] * (len(steps) - 1) + ["final"]
        lines += [f"  {kind} loc L{place}".replace("   ", "  ") for place, kind in enumerate(kinds)]
        for place, step in enumerate(steps):
            lines += [f"  {edge}" for edge in _edges(place, step, f" @ {tag}" * bool(tag))]
        lines.append("}")
    return "\n".join(lines) + "\n"


def _edges(place: int, step: Step, tag: str) -> list[str]:
    if step.op == "test":
        return [
            f"L{place} -> L{step.target} {{ assume {step.register} = {step.value} }}",
            f"L{place} -> L{place + 1} {{ assume {step.register} /= {step.value} }}",
        ]
    text = {
        "store": f"{step.value} -> {step.variable}{tag}",
        "load": f"{step.register} <- {step.variable}{tag}",
        "fence": "fence",
        "cas": f"{step.register} <- cas({step.variable}, {step.expected}, {step.value}){tag}",
    }[step.op]
    return [f"L{place} -> L{place + 1} {{ {text} }}"]


class Writer:
    """Writes one thread; registers are numbered."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.registers = 0

    def register(self) -> str:
        """A new one."""
        self.registers += 1
        return f"r{self.registers}"

    def load(self, variable: str) -> str:
        """Reads into a new register."""
        register = self.register()
        self.steps.append(Step("load", variable, register=register))
        return register

    def store(self, variable: str, value: int) -> None:
        """Writes."""
        self.steps.append(Step("store", variable, value))

    def fence(self) -> None:
        """A full fence."""
        self.steps.append(Step("fence"))

    def store_if(self, register: str, value: int, variable: str, stored: int) -> None:
        """Writes where the register has the value."""
        place = len(self.steps)
        self.steps.append(Step("test", register=register, value=value, target=place + 2))
        self.steps.append(Step("test", register="zero", value=0, target=place + 3))
        self.steps.append(Step("store", variable, stored))

    def wait(self, *wanted: tuple[str, int]) -> None:
        """Reads the variables one after the other until one has its value."""
        start, register = len(self.steps), self.register()
        end = start + 2 * len(wanted) + 1
        for variable, value in wanted:
            self.steps.append(Step("load", variable, register=register))
            self.steps.append(Step("test", register=register, value=value, target=end))
        self.steps.append(Step("test", register="zero", value=0, target=start))

    def take(self, variable: str, waiting_first: bool) -> None:
        """Turns 0 to 1, again and again until that succeeds; with or without waiting for 0 before each attempt."""
        start = len(self.steps)
        if waiting_first:
            self.wait((variable, 0))
        register = self.register()
        self.steps.append(Step("cas", variable, 1, register, 0))
        place = len(self.steps)
        self.steps.append(Step("test", register=register, value=0, target=place + 2))
        self.steps.append(Step("test", register="zero", value=0, target=start))


SHAPES = {
    "SB": ("Wx Ry", "Wy Rx"),
    "MP": ("Wx Wy", "Ry Rx"),
    "LB": ("Rx Wy", "Ry Wx"),
    "S": ("Wx Wy", "Ry Wx"),
    "R": ("Wx Wy", "Wy Rx"),
    "2+2W": ("Wx Wy", "Wy Wx"),
}


def random_race(rng: Random) -> Threads:
    """Two threads race, and report what they see; a third one waits for a report, or for what has to be the last write.

    Where the reports and what is waited for are all that a strong model leaves, a weaker one lets the third one hang.
    """
    writers = [Writer(), Writer()]
    pattern = rng.choice(list(SHAPES.values()))
    for number, accesses in enumerate(pattern):
        writer, reads = writers[number], []
        for place, access in enumerate(accesses.split()):
            if place and rng.random() < 0.15:
                writer.fence()
            if access[0] == "W":
                writer.store(access[1], number + 1)
            else:
                reads.append((writer.load(access[1]), 2 - number))
        for register, other in reads:
            if rng.random() < 0.85:
                writer.store_if(register, rng.choice((0, other)), "z", 1)
    waiter = Writer()
    last = [(variable, value) for variable in "xy" for value in (1, 2)]
    reported = [("z", 1)] * any("R" in accesses for accesses in pattern)
    waiter.wait(*reported, *rng.sample(last, rng.choice((0, 1, 1)) if reported else 2))
    return tuple(tuple(writer.steps) for writer in (*writers, waiter))


def random_threads(rng: Random) -> Threads:
    """Two or three threads of stores, awaits, locks and conditional stores."""
    threads = []
    for _ in range(rng.choice((2, 2, 3))):
        writer = Writer()
        for _ in range(rng.choice((2, 3))):
            kind = rng.choice(("store", "store", "store", "fence", "wait", "wait two", "take", "take first", "if"))
            variable = rng.choice("xy")
            if kind == "store":
                writer.store(variable, rng.choice((0, 1, 1, 2)))
            elif kind == "fence":
                writer.fence()
            elif kind == "wait":
                writer.wait((variable, rng.choice((0, 1, 1, 2))))
            elif kind == "wait two":
                writer.wait(("x", rng.choice((1, 2))), (rng.choice("xy"), rng.choice((1, 2))))
            elif kind == "if":
                writer.store_if(writer.load(variable), rng.choice((0, 1)), rng.choice("xy"), rng.choice((0, 1)))
            else:
                writer.take(variable, kind == "take first")
        threads.append(tuple(writer.steps))
    return tuple(threads)


def random_handing_on(rng: Random) -> Threads:
    """Two or three threads that tell each other something, wait for that, or take a lock and give it back."""
    writers = [Writer() for _ in range(rng.choice((2, 3, 3)))]
    told = {name: rng.randrange(len(writers)) for name in rng.sample("abc", rng.choice((1, 2, 3)))}
    for number, writer in enumerate(writers):
        acts = [f"tell {name}" for name, teller in told.items() if teller == number]
        acts += [f"wait {name}" for name, teller in told.items() if teller != number and rng.random() < 0.35]
        acts += ["lock"] * (rng.random() < 0.35)
        rng.shuffle(acts)
        for act in acts:
            kind, _, name = act.partition(" ")
            if kind == "tell":
                writer.store(name, 1)
            elif kind == "wait":
                writer.wait((name, 1))
            else:
                writer.take("m", rng.random() < 0.3)
                if rng.random() < 0.4:
                    inside = rng.choice(list(told))
                    if told[inside] == number and rng.random() < 0.5:
                        writer.store(inside, 1)
                    else:
                        writer.wait((inside, 1))
                writer.store("m", 0)
        if not acts:
            writer.store("z", 1)
    return tuple(tuple(writer.steps) for writer in writers)
