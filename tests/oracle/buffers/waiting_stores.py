"""What threads have still to store in the symbolic states of `invariants`: buffers, and blocks in several of them.

The rules are those of src/core/symbolic/stores.hpp, written anew. A buffer is a word of atoms, oldest first, whose last
one is always there; a mark in it is a run of blocks that store to the same cells with nothing between in any of their
buffers. The last one of a run is always there. Nothing here is brought into a normal form: `matches` does without.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

FREE, RESERVED, TAKEN = 0, 1, 2
"""Pledges: a load exclusive has read it; and what comes behind it, up to a store exclusive, holds the cell."""
Letter = frozenset[Any]
"""Of a buffer or a run: cells with their values and pledges. Of a mark: the cells. Of a past: see `invariants`."""


@dataclass(frozen=True)
class Atom:
    """One letter that may be missing, letters in any number and order, or a mark."""

    kind: str
    letters: frozenset[Letter]

    @property
    def letter(self) -> Letter:
        return next(iter(self.letters))


Word = tuple[Atom, ...]
Cells = tuple[int, ...]
Stores = tuple[tuple[int, int], ...]
"""Cells and values."""
Where = tuple[tuple[int, Cells], int, int]
"""A thread and its cells, a run (0 in a buffer), a place in it."""


def value_of(letter: Letter, cell: int) -> int:
    return next(value for c, value, _ in letter if c == cell)


def pledge_of(letter: Letter, cell: int) -> int:
    return next(pledge for c, _, pledge in letter if c == cell)


def with_pledge(letter: Letter, cell: int, pledge: int) -> Letter:
    return frozenset((c, value, pledge if c == cell else p) for c, value, p in letter)


def one(letter: Letter) -> Atom:
    return Atom("one", frozenset({letter}))


def mark(cells: Cells) -> Atom:
    return Atom("mark", frozenset({frozenset({cells})}))


def cells_of(atom: Atom) -> Cells:
    return next(iter(atom.letter))


@dataclass(frozen=True)
class Waiting:
    """`buffers`: by thread and cell. `runs`: by thread and cells, those whose blocks are kept together."""

    buffers: tuple[tuple[tuple[int, int], Word], ...]
    runs: tuple[tuple[tuple[int, Cells], tuple[Word, ...]], ...]

    def buffer(self, thread: int, cell: int) -> Word | None:
        return next((word for place, word in self.buffers if place == (thread, cell)), None)

    def runs_of(self, thread: int, cells: Cells) -> tuple[Word, ...]:
        return next(words for place, words in self.runs if place == (thread, cells))

    def with_buffer(self, thread: int, cell: int, word: Word) -> Waiting:
        return replace(self, buffers=tuple((p, word if p == (thread, cell) else w) for p, w in self.buffers))

    def with_runs(self, thread: int, cells: Cells, runs: tuple[Word, ...]) -> Waiting:
        return replace(self, runs=tuple((p, runs if p == (thread, cells) else r) for p, r in self.runs))

    def drained(self, thread: int) -> bool:
        return not any(word for (t, _), word in self.buffers if t == thread)

    def empty(self) -> Waiting:
        return Waiting(tuple((place, ()) for place, _ in self.buffers), tuple((place, ()) for place, _ in self.runs))

    # --- what was stored last, and exclusive pairs ---

    def line(self, thread: int, cell: int) -> list[tuple[Where, Atom, bool]]:
        """The atoms of a buffer, those of its runs among them: where each is, and whether it is always there."""
        word = self.buffer(thread, cell) or ()
        found: list[tuple[Where, Atom, bool]] = []
        passed: dict[Cells, int] = {}
        for k, atom in enumerate(word):
            if atom.kind != "mark":
                found.append((((thread, (cell,)), 0, k), atom, k == len(word) - 1))
                continue
            cells = cells_of(atom)
            number = passed[cells] = passed.get(cells, -1) + 1
            run = self.runs_of(thread, cells)[number]
            found += [(((thread, cells), number, n), item, n == len(run) - 1) for n, item in enumerate(run)]
        return found

    def newest(self, thread: int, cell: int) -> Letter | None:
        """What the thread has stored to the cell last, of what is still in its buffer."""
        line = self.line(thread, cell)
        return line[-1][1].letter if line else None

    def reserved(self, thread: int, cell: int) -> Waiting:
        """Once a load exclusive has read that."""
        where, atom, _ = self.line(thread, cell)[-1]
        return self.instead({where: [one(with_pledge(atom.letter, cell, RESERVED))]})

    def instead(self, changes: dict[Where, list[Atom]]) -> Waiting:
        """With other atoms in some places."""
        after = self
        for thread, cells in {place for place, _, _ in changes}:
            single = len(cells) == 1
            old = (self.buffer(thread, cells[0]) or (),) if single else self.runs_of(thread, cells)
            new = tuple(
                tuple(a for k, atom in enumerate(word) for a in changes.get(((thread, cells), n, k), [atom]))
                for n, word in enumerate(old)
            )
            after = after.with_buffer(thread, cells[0], new[0]) if single else after.with_runs(thread, cells, new)
        return after

    def pairings(self, thread: int, cell: int) -> Iterator[tuple[bool, Waiting]]:
        """What a store exclusive may be paired with: something in the buffer (True), or in memory."""
        line = self.line(thread, cell)
        for newest in range(len(line) - 1, -2, -1):
            changes: dict[Where, list[Atom]] = {}
            for where, atom, _ in line[newest + 1 :]:
                free = {x for x in atom.letters if pledge_of(x, cell) != RESERVED}
                taken = frozenset(with_pledge(x, cell, TAKEN) for x in free)
                changes[where] = [Atom(atom.kind, taken)] if taken else []
            if newest < 0:
                yield False, self.instead(changes)
                return
            where, atom, always = line[newest]
            reserved = [x for x in atom.letters if pledge_of(x, cell) == RESERVED]
            rest = frozenset(with_pledge(x, cell, TAKEN) for x in atom.letters - set(reserved))
            for letter in reserved:
                many = atom.kind == "many"
                taken_atom = one(with_pledge(letter, cell, TAKEN))
                behind = [Atom("many", rest)] if many and rest else []
                yield True, self.instead({**changes, where: [*([atom] if many else []), taken_atom, *behind]})
            if always and reserved:
                return

    # --- in and out ---

    def put(self, thread: int, stores: Stores) -> Waiting:
        """With these stores, of a block where there are several. Those that are not kept together are single ones."""
        cells = tuple(cell for cell, _ in stores)
        after = self
        if (thread, cells) not in dict(self.runs):
            for cell, value in stores:
                word = (*(after.buffer(thread, cell) or ()), one(frozenset({(cell, value, FREE)})))
                after = after.with_buffer(thread, cell, word)
            return after
        item = one(frozenset((cell, value, FREE) for cell, value in stores))
        runs = self.runs_of(thread, cells)
        if all((self.buffer(thread, cell) or (None,))[-1] == mark(cells) for cell in cells):
            return self.with_runs(thread, cells, (*runs[:-1], (*runs[-1], item)))
        for cell in cells:
            after = after.with_buffer(thread, cell, (*(self.buffer(thread, cell) or ()), mark(cells)))
        return after.with_runs(thread, cells, (*runs, (item,)))

    def firsts(self) -> Iterator[tuple[int, Letter, Waiting]]:
        """What may reach the memory next, and what waits then."""
        for (thread, cell), word in self.buffers:
            for letter, rest in heads(word):
                yield thread, letter, self.with_buffer(thread, cell, rest)
        for (thread, cells), runs in self.runs:
            words = [self.buffer(thread, cell) or () for cell in cells]
            places = [next((k for k, atom in enumerate(word) if atom.kind == "mark"), None) for word in words]
            if not runs or any(k is None or word[k] != mark(cells) for k, word in zip(places, words, strict=True)):
                continue
            for letter, rest in heads(runs[0]):
                after = self.with_runs(thread, cells, (*((rest,) if rest else ()), *runs[1:]))
                for cell, word, k in zip(cells, words, places, strict=True):
                    after = after.with_buffer(thread, cell, word[(k or 0) + (not rest) :])
                yield thread, letter, after

    def within(self, large: Waiting) -> bool:
        buffers = all(
            buffer_within(word, other)
            for (_, word), (_, other) in zip(self.buffers, large.buffers, strict=True)
            if word != other
        )
        return buffers and all(
            len(runs) == len(others) and all(map(buffer_within, runs, others))
            for (_, runs), (_, others) in zip(self.runs, large.runs, strict=True)
            if runs != others
        )


def heads(word: Word) -> Iterator[tuple[Letter, Word]]:
    """The letters that may come first, up to a mark, and what is left of the word then."""
    for k, atom in enumerate(word):
        if atom.kind == "mark":
            return
        last = k == len(word) - 1
        rest = () if last else word[k:] if atom.kind == "many" else word[k + 1 :]
        for letter in atom.letters:
            yield letter, rest


def parts(word: Word) -> tuple[list[Word], list[Atom]]:
    """What is between the marks, and the marks."""
    pieces: list[list[Atom]] = [[]]
    marks = []
    for atom in word:
        if atom.kind == "mark":
            marks.append(atom)
            pieces.append([])
        else:
            pieces[-1].append(atom)
    return [tuple(piece) for piece in pieces], marks


def buffer_within(small: Word, large: Word) -> bool:
    """The last atom, where it is no mark, is always there."""
    (pieces, marks), (more, others) = parts(small), parts(large)
    if marks != others or pieces[-1][-1:] != more[-1][-1:]:
        return False
    return all(map(matches, [*pieces[:-1], pieces[-1][:-1]], [*more[:-1], more[-1][:-1]]))


def matches(small: Word, large: Word, stutters: bool = False) -> bool:
    """Whether each word of the small product is a subword of one of the large product; `stutters`: `a a` is `a`."""
    at = 0
    previous: Atom | None = None
    for atom in small:
        if stutters and atom == previous:
            continue
        previous = atom
        while (
            at < len(large)
            and large[at] != atom
            and not (large[at].kind == "many" and atom.letters <= large[at].letters)
        ):
            at += 1
        if at == len(large):
            return False
        at += large[at].kind == "one"
    return True
