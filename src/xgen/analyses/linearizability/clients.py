"""Clients: calls that are made before threads start, those of the threads, and those after they have ended.

Each client is made once: threads are sorted, values are numbered from left to right, keys are taken up to renaming.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, permutations, product

from xgen.analyses.linearizability.operations import ADDS, LOOKS, READS, THIEVES, Interface, Sort, is_one_of
from xgen.records import dataclass

BEFORE, AFTER = -1, -2
"""The numbers of what is no thread: calls before there are any, and after all have ended."""
KEYS = 2
"""How many keys there are; a third one behaves as one of these does in clients of a few calls."""

Slot = tuple[int, int]
"""Where in a client a call stands: the number of its thread, BEFORE or AFTER, and which one it is there."""
Step = tuple[str, int]
"""The name of an operation, with a key where it has one (else 0)."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call: its operation, and what it is given (None: nothing)."""

    name: str
    argument: int | None = None

    def __str__(self) -> str:
        return f"{self.name}({'' if self.argument is None else self.argument})"


@dataclass(frozen=True)
class Client:
    """What is called where. `drained`: calls after the threads go on until one finds nothing."""

    before: tuple[Call, ...]
    threads: tuple[tuple[Call, ...], ...]
    after: tuple[Call, ...]
    drained: bool = False

    @cached_property
    def calls(self) -> dict[Slot, Call]:
        """All calls, in the order of the text."""
        rows = [(BEFORE, self.before), *enumerate(self.threads), (AFTER, self.after)]
        return {(thread, k): call for thread, row in rows for k, call in enumerate(row)}

    @cached_property
    def parallel(self) -> tuple[Slot, ...]:
        """The calls of threads."""
        return tuple(slot for slot in self.calls if slot[0] >= 0)

    @cached_property
    def order(self) -> frozenset[tuple[Slot, Slot]]:
        """The pairs of calls of which the one has returned before the other starts, whatever happens."""
        found = set()
        for a in self.calls:
            for b in self.calls:
                same = a[0] == b[0] and a[1] < b[1]
                if same or (a[0] == BEFORE != b[0]) or (b[0] == AFTER != a[0]):
                    found.add((a, b))
        return frozenset(found)

    def __str__(self) -> str:
        return " | ".join(" ".join(map(_shown, row)) for row in (self.threads or (self.before,)))


def _shown(call: Call) -> str:
    return call.name if call.argument is None else f"{call.name}({call.argument})"


@dataclass(frozen=True)
class Bounds:
    """How large clients are, and who may call what.

    calls     in threads, at most; before: at most so many puts before these
    together  names whose calls are all made by one thread
    apart     each other call has a thread of its own
    max_puts  of a client, those before included; None: any number
    blocking  gets wait where there is nothing
    """

    calls: int
    before: int
    together: tuple[frozenset[str], ...] = ()
    apart: bool = True
    max_puts: int | None = None
    blocking: bool = False


def clients(interface: Interface, bounds: Bounds) -> Iterator[Client]:
    """All clients within bounds, the smallest ones first; one thread alone is of interest only if it makes one call."""
    letters = _letters(interface)
    seen = set()
    for number in range(min(2, bounds.calls), bounds.calls + 1):
        for bag in combinations_with_replacement(letters, number):
            for threads in _dealt(bag, interface, bounds):
                if threads not in seen and (len(threads) > 1 or number == 1):
                    seen.add(threads)
                    yield from with_rest(threads, interface, bounds)


def with_rest(threads: tuple[tuple[Step, ...], ...], interface: Interface, bounds: Bounds) -> Iterator[Client]:
    """The clients of these threads: with no, one, ... puts before."""
    filler = putter(interface)
    for before in range(bounds.before + 1 if filler else 1):
        found = _client(threads, before, interface, bounds)
        puts = sum(interface.operations[call.name].sort == "put" for call in found.calls.values())
        if bounds.max_puts is None or puts <= bounds.max_puts:
            yield found


def putter(interface: Interface) -> Step | None:
    """What is called before the threads start."""
    puts = interface.of("put")
    if puts and interface.of("get"):
        return puts[0].name, 0
    fillers = [operation for operation in interface.of("key") if is_one_of(operation.name, ADDS)]
    return (fillers[0].name, 1) if fillers else None


def _letters(interface: Interface) -> list[Step]:
    found: list[Step] = []
    for name in sorted(interface.operations):
        keyed = interface.operations[name].sort == "key"
        found += [(name, key) for key in range(1, KEYS + 1)] if keyed else [(name, 0)]
    return found


def _dealt(bag: Sequence[Step], interface: Interface, bounds: Bounds) -> Iterator[tuple[tuple[Step, ...], ...]]:
    """The ways to deal calls to threads."""
    groups = [tuple(step for step in bag if step[0] in names) for names in bounds.together]
    free = [step for step in bag if not any(step[0] in names for names in bounds.together)]
    own = [sorted(set(permutations(group))) for group in groups if group]
    ways = [[(step,) for step in free]] if bounds.apart else list(_sequences(free))
    for way in ways:
        for orders in product(*own):
            yield _canonical([*way, *orders], interface)


def _sequences(items: Sequence[Step]) -> Iterator[list[tuple[Step, ...]]]:
    """All ways to make sequences of some items."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for way in _sequences(rest):
        yield [(first,), *way]
        for k, row in enumerate(way):
            for at in range(len(row) + 1):
                yield [*way[:k], (*row[:at], first, *row[at:]), *way[k + 1 :]]


def _canonical(threads: Sequence[tuple[Step, ...]], interface: Interface) -> tuple[tuple[Step, ...], ...]:
    """The threads in order, and of all names of keys those that come first."""
    if not interface.of("key"):
        return tuple(sorted(threads))

    def renamed(names: Sequence[int]) -> tuple[tuple[Step, ...], ...]:
        return tuple(sorted(tuple((n, names[k - 1] if k else 0) for n, k in row) for row in threads))

    return min(renamed(names) for names in permutations(range(1, KEYS + 1)))


def _client(threads: tuple[tuple[Step, ...], ...], before: int, interface: Interface, bounds: Bounds) -> Client:
    """With numbers in the place of values."""
    filler = putter(interface)
    filled = [] if filler is None else [(filler[0], k + 1 if filler[1] else 0) for k in range(before)]
    value = 0

    def called(step: Step) -> Call:
        nonlocal value
        sort: Sort = interface.operations[step[0]].sort
        if sort in ("put", "add"):
            value += 1
            return Call(step[0], value)
        return Call(step[0], step[1] if sort == "key" else None)

    first = tuple(called(step) for step in filled)
    rows = tuple(tuple(called(step) for step in row) for row in threads)
    after = _after((*filled, *(step for row in threads for step in row)), interface, bounds)
    return Client(first, rows, tuple(called(step) for step in after), _drains(interface) is not None)


def _drains(interface: Interface) -> str | None:
    """What takes out what is left: the gets of owners before those of thieves."""
    if not interface.of("put"):
        return None
    gets = sorted(interface.of("get"), key=lambda g: is_one_of(g.name, THIEVES))
    return gets[0].name if gets else None


def _after(steps: Sequence[Step], interface: Interface, bounds: Bounds) -> list[Step]:
    """The calls after the threads, which see what is left."""
    drain = _drains(interface)
    if drain is not None:
        puts = sum(interface.operations[name].sort == "put" for name, _ in steps)
        gets = sum(interface.operations[name].sort == "get" for name, _ in steps)
        return [(drain, 0)] * (max(0, puts - gets) if bounds.blocking else puts + 1)
    looks = [o.name for o in interface.of("key") if is_one_of(o.name, LOOKS)]
    if looks:
        return [(looks[0], key) for key in range(1, KEYS + 1)]
    readers = [o.name for o in interface.of("do") if is_one_of(o.name, READS)]
    return [(readers[0], 0)] if readers else []
