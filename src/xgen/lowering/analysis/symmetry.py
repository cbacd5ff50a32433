"""Threads that do the same, but for the cells that they access: the renamings that leave a program as it is.

A renaming takes each thread to one and each shared cell to one, so that what a thread does becomes what the other one
does. If two threads are started one right after the other, so may those be that are taken to them, in any order; so it
is where they are joined. (That this makes no difference is for the model to say: memory/statics/redundant_fences.py.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import factorial, prod

from xgen._core import OPERATIONS, Op, OpKind
from xgen.lowering.code import ADDRESS, EVENTS, Code, Instruction, ThreadCode
from xgen.records import dataclass

MOST = 5040
"""Renamings that are looked at: of more threads, only some are taken to do the same."""
ALL_NAMES = 40_320
"""Ways to name threads: so many executions can one stand for."""
STEPS = 50_000
"""Threads that are taken to others to find them."""

FORKS = (Op.START, Op.JOIN)
_BY_ADDRESS = (Op.INDEX, Op.DEREF, Op.OBJECT, Op.LOADX, Op.STOREX)
_ACCESSES = {op for op in EVENTS if "a" in OPERATIONS[op][0] and op not in _BY_ADDRESS}

Renaming = tuple[tuple[int, ...], tuple[int, ...]]
"""The image of each thread, and of each cell."""


@dataclass(frozen=True)
class Symmetries:
    """A group of renamings: the identity, then those of `generators` that make all others, then these."""

    renamings: tuple[Renaming, ...]
    generators: int

    @property
    def groups(self) -> list[list[int]]:
        """The threads that are taken to each other, at least two at a time, in ascending order."""
        found: dict[int, list[int]] = {}
        for thread in range(len(self.renamings[0][0])):
            found.setdefault(min(threads[thread] for threads, _ in self.renamings), []).append(thread)
        return [group for group in found.values() if len(group) > 1]


@dataclass(frozen=True)
class Like:
    """Groups of threads, ascending; and of each cell, whether it goes with one of them. False without groups.

    `counted`: all renamings of the threads of a group by each other leave the program as it is, and so what is visited
    counts for all that differs from it by these names.
    """

    groups: tuple[tuple[int, ...], ...] = ()
    moved: tuple[bool, ...] = ()
    counted: bool = False

    def __bool__(self) -> bool:
        return bool(self.groups)

    @property
    def names(self) -> int:
        """The ways to name the threads."""
        return prod(factorial(len(group)) for group in self.groups)


def exchangeable(code: Code, fixed: Collection[int], together: Collection[Op] = (), depth: int | None = None) -> Like:
    """The threads that may be exchanged with each other in all ways, so few that there are at most ALL_NAMES.

    `fixed`: cells that stay what they are; `together` and `depth` as for `symmetries`. Two neighbours of a group may be
    exchanged, and all other threads stay what they are: that makes all other ways.
    """
    runs = runs_of_forks(code, together, depth)
    texts = _texts(code, runs)
    kinds = [(cell,) if cell in fixed else _kinds(code, cell) for cell in range(len(code.cells))]
    members: dict[object, list[int]] = {}
    for number, (text, own) in enumerate(zip(texts, code.threads, strict=True)):
        if not own.shown and own.block < 0:
            members.setdefault(text.words, []).append(number)
    groups: list[tuple[int, ...]] = []
    moved: set[int] = set()
    for alike in members.values():
        group = tuple(alike[:1])
        for thread in alike[1:]:
            more = (*group, thread)
            fits = belong_together(code, more, runs) and Like((*groups, more)).names <= ALL_NAMES
            cells = _Search(texts, kinds, [group[-1], thread]).exchanged() if fits else None
            if cells is None:
                groups.append(group)
                group = (thread,)
            else:
                moved.update(cells)
                group = more
        groups.append(group)
    moving = tuple(number in moved for number in range(len(code.cells)))
    return Like(tuple(group for group in groups if len(group) > 1), moving, counted=True)


def symmetries(
    code: Code, observed: Collection[int] = (), together: Collection[Op] = (), depth: int | None = None
) -> Symmetries:
    """The renamings of a program, as far as they are few: else of some of its threads only.

    `observed`: cells that are taken to each other, if any of them is. `together`: START and JOIN where it makes no
    difference in which order threads are started or joined right after each other. `depth`: a bound on the events of
    each thread; it may come between two starts.
    """
    texts = _texts(code, runs_of_forks(code, together, depth))
    alike = Counter(text.words for text in texts)
    movable = [number for number, text in enumerate(texts) if alike[text.words] > 1]
    kinds = [(cell in observed, *_kinds(code, cell)) for cell in range(len(code.cells))]
    found: tuple[Renaming, ...] = ()
    for count in range(1, len(movable) + 1):
        search = _Search(texts, kinds, movable[:count])
        try:
            found = tuple(search.renamings())
        except _TooManyError:
            break
    if not found:
        found = (((*range(len(texts)),), (*range(len(kinds)),)),)
    return _sorted(found)


def like_threads(code: Code) -> list[int]:
    """For each thread: the first one that does the same with the same cells, and nobody starts or joins either."""
    named = {i.a for i in code.instructions if i.op in FORKS}
    first: dict[object, int] = {}
    texts = (_Text(code, thread, range_, None, {}) for thread, range_ in zip(code.threads, code.ranges, strict=True))
    return [
        number if number in named else first.setdefault((text.words, text.forks), number)
        for number, text in enumerate(texts)
    ]


def _kinds(code: Code, cell: int) -> tuple[object, ...]:
    variable = code.cells[cell]
    return code.initial[cell], variable.type, variable.width, variable.undefined, variable.object


def _sorted(renamings: Sequence[Renaming]) -> Symmetries:
    """Of those that leave all threads before one as they are: for each image of it, one that moves few threads."""

    def moved(renaming: Renaming) -> list[int]:
        return [thread for thread, image in enumerate(renaming[0]) if thread != image]

    identity, *others = sorted(renamings, key=lambda renaming: (len(moved(renaming)), renaming))
    chosen: dict[tuple[int, int], Renaming] = {}
    for renaming in others:
        first = moved(renaming)[0]
        chosen.setdefault((first, renaming[0][first]), renaming)
    generators = set(chosen.values())
    rest = (renaming for renaming in others if renaming not in generators)
    return Symmetries((identity, *chosen.values(), *rest), len(chosen))


class _TooManyError(Exception):
    pass


class _Search:
    """Takes threads to others, one after the other; those that are not `movable` stay what they are."""

    def __init__(self, texts: Sequence[_Text], kinds: Sequence[object], movable: Sequence[int]) -> None:
        self.texts = texts
        self.kinds = kinds
        numbers = {text.words: number for number, text in enumerate(texts)}
        self.options = {
            thread: [other for other in movable if numbers[texts[other].words] == numbers[texts[thread].words]]
            for thread in movable
        }
        self.order = [*(thread for thread in range(len(texts)) if thread not in self.options), *movable]
        self.images: dict[int, int] = {}
        self.steps = 0
        # Where each thread is started or joined: by whom, and in which of its groups.
        self.named: list[list[tuple[int, int]]] = [[] for _ in texts]
        for number, text in enumerate(texts):
            for k, group in enumerate(text.forks):
                for thread in group:
                    self.named[thread].append((number, k))

    def exchanged(self) -> list[int] | None:
        """The cells that move where the two threads that may move are exchanged; None where they cannot be."""
        first, second = self.options
        self.options = {first: [second], second: [first]}
        taken = next(self._from(0, {}, {}), None)
        return None if taken is None else [cell for cell, image in taken.items() if cell != image]

    def renamings(self) -> Iterator[Renaming]:
        """All that there are."""
        for number, cells in enumerate(self._from(0, {}, {})):
            if number >= MOST:
                raise _TooManyError
            threads = tuple(self.images[thread] for thread in range(len(self.texts)))
            yield threads, tuple(cells.get(cell, cell) for cell in range(len(self.kinds)))

    def _from(self, place: int, cells: dict[int, int], sources: dict[int, int]) -> Iterator[dict[int, int]]:
        if place == len(self.order):
            yield cells
            return
        thread, taken_to = self.order[place], set(self.images.values())
        for image in self.options.get(thread, (thread,)):
            if image in taken_to:
                continue
            self.steps += 1
            if self.steps > STEPS:
                raise _TooManyError
            taken = self._with(cells, sources, thread, image)
            self.images[thread] = image
            if taken is not None and self._fits(thread):
                yield from self._from(place + 1, *taken)
            del self.images[thread]

    def _with(
        self, cells: dict[int, int], sources: dict[int, int], thread: int, image: int
    ) -> tuple[dict[int, int], dict[int, int]] | None:
        """The images of cells and what has them, with those of one more thread; None where that cannot be."""
        cells, sources = dict(cells), dict(sources)
        for cell, other in zip(self.texts[thread].cells, self.texts[image].cells, strict=True):
            if cells.setdefault(cell, other) != other or sources.setdefault(other, cell) != cell:
                return None
            if cell != other and self.kinds[cell] != self.kinds[other]:
                return None
        return cells, sources

    def _fits(self, thread: int) -> bool:
        """Whether those that the last thread starts and joins, or is started and joined by, are taken along."""

        def belongs(number: int, owner: int, group: int) -> bool:
            """Whether the image of a thread is where the image of who names it names it."""
            if number not in self.images or owner not in self.images:
                return True
            return self.images[number] in self.texts[self.images[owner]].forks[group]

        own = all(belongs(other, thread, k) for k, group in enumerate(self.texts[thread].forks) for other in group)
        return own and all(belongs(thread, owner, k) for owner, k in self.named[thread])


def _texts(code: Code, runs: Mapping[int, int]) -> list[_Text]:
    """What the threads do; cells are those that may be taken to others."""
    by_address = any(
        i.op in _BY_ADDRESS
        or (i.op in _ACCESSES and i.a >= 0)
        or (i.op is Op.RMW and code.rmws[i.c].address >= 0)
        or (i.op is Op.PREDICT and i.c == ADDRESS)
        for i in code.instructions
    )
    blocks = any(thread.block >= 0 for thread in code.threads)
    runs = {} if blocks else runs
    cells = None if by_address else range(len(code.cells))
    threads = zip(code.threads, code.ranges, strict=True)
    return [_Text(code, thread, range_, cells, runs) for thread, range_ in threads]


class _Text:
    """What a thread does: `words` are the same for two that do the same.

    `cells`: those that it accesses, of which words only say which one it is, or none where they say them as they are.
    `forks`: the threads that it starts, or joins, one right after the other.
    """

    def __init__(
        self,
        code: Code,
        thread: ThreadCode,
        range_: tuple[int, int],
        cells: Collection[int] | None,
        runs: Mapping[int, int],
    ) -> None:
        self.code = code
        self.entry = thread.entry
        self._cells: dict[int, int] = {}
        self._forks: dict[int, set[int]] = {}
        self._renamed = cells is not None
        own = tuple(self._word(pc, code.instructions[pc], runs) for pc in range(*range_))
        types = tuple(variable.type for variable in thread.locals)
        self.words = own, types, thread.initial, thread.temporaries, thread.shown, thread.reservation, thread.block
        self.cells = tuple(self._cells)
        self.forks = tuple(map(frozenset, self._forks.values()))

    def _word(self, pc: int, i: Instruction, runs: Mapping[int, int]) -> tuple[object, ...]:
        reads, _, kind = OPERATIONS[i.op]
        a, b, c = (
            self._operand(value) if name in reads else value for name, value in (("a", i.a), ("b", i.b), ("c", i.c))
        )
        if kind in (OpKind.JUMP, OpKind.BRANCH):
            c = i.c - self.entry
        elif i.op is Op.CHOOSE:
            c = tuple(target - self.entry for target in self.code.targets[i.c])
        elif i.op is Op.RMW:
            c = self._update(i.c)
        elif i.op in _ACCESSES:
            a = self._place(i.a)
        elif i.op in FORKS:
            group = runs.get(pc, pc)
            self._forks.setdefault(group, set()).add(i.a)
            a = list(self._forks).index(group)
        return i.op, i.dst, a, b, c

    def _operand(self, value: int) -> object:
        return ("constant", self.code.constants[~value]) if value < 0 else value

    def _place(self, value: int) -> object:
        if value >= 0 or not self._renamed:
            return self._operand(value)
        return "cell", self._cells.setdefault(self.code.constants[~value], len(self._cells))

    def _update(self, number: int) -> tuple[object, ...]:
        rmw = self.code.rmws[number]
        operands = self._place(rmw.address), self._operand(rmw.operand), self._operand(rmw.expected)
        return rmw.kind, *operands, rmw.read_class, rmw.failed_class, rmw.write_class, rmw.picks, rmw.bits, rmw.pair


def belong_together(code: Code, group: Sequence[int], runs: Mapping[int, int]) -> bool:
    """Whether threads are started one right after the other, in ascending order, and joined so, each once at most.
    `runs`: what `runs_of_forks` says."""
    for op in FORKS:
        places = [pc for pc, i in enumerate(code.instructions) if i.op is op and i.a in group]
        if not places:
            continue
        if [code.instructions[pc].a for pc in places] != list(group) or len({runs.get(pc, ~pc) for pc in places}) > 1:
            return False
    return True


def runs_of_forks(code: Code, together: Collection[Op], depth: int | None) -> dict[int, int]:
    """Of starts, or joins, with nothing between them that anybody could see: the first of each, by instruction."""
    ways = Counter(after for pc in range(len(code.instructions)) for after in code.successors(pc))
    ways.update(thread.entry for thread in code.threads)
    named = Counter((i.op, i.a) for i in code.instructions if i.op in FORKS)
    runs: dict[int, int] = {}
    for pc, i in enumerate(code.instructions):
        if i.op not in together or pc in runs:
            continue
        run = [pc, *_following(code, pc, ways, runs)]
        if any(named[i.op, code.instructions[at].a] > 1 for at in run):
            continue
        events = _most_events(code, run[-1])
        if events is not None and (i.op is Op.JOIN or depth is None or events <= depth):
            runs.update(dict.fromkeys(run, pc))
    return runs


def _following(code: Code, pc: int, ways: Mapping[int, int], known: Collection[int]) -> Iterator[int]:
    """The starts, or joins, that follow one, and nothing else can lead to."""
    first, seen = code.instructions[pc], {pc}
    at = pc + 1
    while ways[at] == 1 and at not in seen and at not in known:
        seen.add(at)
        i = code.instructions[at]
        if i.op is first.op and i.c == first.c:
            yield at
        elif i.op not in (Op.JMP, Op.GOTO) and not (i.op is Op.MOV and i.a < 0):
            return
        at = code.successors(at)[0]


def _most_events(code: Code, pc: int) -> int | None:
    """The most events that a thread has had after an instruction; None where there can be more and more."""
    before: dict[int, list[int]] = {}
    for at in range(len(code.instructions)):
        for after in code.successors(at):
            before.setdefault(after, []).append(at)
    most: dict[int, int] = {}
    path, open_ = [pc], {pc}
    while path:
        at = path[-1]
        left = [other for other in before.get(at, ()) if other not in most]
        if left:
            if left[0] in open_:
                return None
            path.append(left[0])
            open_.add(left[0])
            continue
        own = 2 if code.instructions[at].op is Op.RMW else int(OPERATIONS[code.instructions[at].op][2] is OpKind.EVENT)
        most[at] = own + max((most[other] for other in before.get(at, ())), default=0)
        open_.discard(path.pop())
    return most[pc]
