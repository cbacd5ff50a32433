"""Whether what a proof rests on proves something: an invariant of symbolic states, checked by rules written anew.

A state is where each thread stands, the memory, what each thread may still read (its past, oldest first) and what it
has still to store. `check` says why a set of such states is no proof: the start is not among them, a step leads out, or
something is wrong in one. The steps are those of src/core/machines/space.hpp; no code is shared with it, and all
interleavings count. The threads' automata are taken from the core.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from xgen._core import NOTHING, Act, Strength
from xgen.engine.proofs import Found
from xgen.lowering.code import Code

Letter = frozenset[tuple[int, int]]
"""Of a past: cells and their values. Of a buffer: cell 0 and the value."""


@dataclass(frozen=True)
class Atom:
    """One letter that may be missing, letters in any number and order, or the thread's own store (a mark)."""

    kind: str
    letters: frozenset[Letter]

    @property
    def letter(self) -> Letter:
        return next(iter(self.letters))


Word = tuple[Atom, ...]


@dataclass(frozen=True)
class State:
    nodes: tuple[int, ...]
    memory: tuple[int, ...]
    pasts: tuple[Word, ...]
    buffers: tuple[tuple[tuple[int, int], Word], ...]


def one(*pairs: tuple[int, int]) -> Atom:
    return Atom("one", frozenset({frozenset(pairs)}))


class Checker:
    def __init__(self, found: Found, code: Code) -> None:
        assert found.invariant is not None
        self.threads = found.automata
        cells = zip(code.cells, code.initial, strict=True)
        self.initial = tuple(NOTHING if cell.undefined else value for cell, value in cells)
        self.seen = [self._seen(nodes) for _, _, nodes in self.threads]
        self.states = [self._read(covering) for covering in found.invariant]
        self.by_place: dict[Any, list[State]] = {}
        for state in self.states:
            self.by_place.setdefault((state.nodes, state.memory), []).append(state)

    def _read(self, covering: Any) -> State:
        nodes, memory, pasts, buffers = covering

        def atom(kind: int, letters: list[list[int]], buffer: bool) -> Atom:
            pairs = [[(0, x[0])] if buffer else list(zip(x[::2], x[1::2], strict=True)) for x in letters]
            return Atom(("one", "many", "mark")[kind], frozenset(map(frozenset, pairs)))

        return State(
            tuple(nodes),
            tuple(memory),
            tuple(tuple(atom(*a, False) for a in past) for past in pasts),
            tuple(((t, cell), tuple(atom(*a, True) for a in word)) for t, cell, word in buffers),
        )

    def _seen(self, nodes: list[Any]) -> list[frozenset[int]]:
        """The cells that a thread may load from a node on, before it sees what is there now."""
        seen: list[frozenset[int]] = [frozenset() for _ in nodes]
        while True:
            before = list(seen)
            for number, (act, _, cell, _, strength, _, edges) in enumerate(nodes):
                cells: set[int] = set()
                for _, written, at_once, following in edges:
                    moves_on = strength is Strength.FULL
                    if act is Act.UPDATE:
                        moves_on = written is not None or at_once is not Strength.NONE
                    if act is Act.READ or (act is Act.UPDATE and not moves_on):
                        cells.add(cell)
                    if not moves_on:
                        cells = cells.union(*(seen[n] for n in following))
                seen[number] = frozenset(cells)
            if seen == before:
                return seen

    # --- what a state covers ---

    def clean(self, state: State) -> State:
        """The pasts as far as they matter."""
        waiting = {place for place, word in state.buffers if word}
        pasts = []
        for thread, past in enumerate(state.pasts):
            hidden = {cell for t, cell in waiting if t == thread}
            pasts.append(self._clean(past, self.seen[thread][state.nodes[thread]], hidden, state.memory))
        return replace(state, pasts=tuple(pasts))

    def _clean(self, past: Word, seen: frozenset[int], hidden: set[int], memory: tuple[int, ...]) -> Word:
        kept: list[Atom] = []
        for atom in reversed(past):
            if atom.kind == "mark":
                ((cell, _),) = atom.letter
                if cell in seen and cell not in hidden:
                    kept.append(atom)
                    hidden = hidden | {cell}
                continue
            letters = {frozenset((c, v) for c, v in x if c in seen and c not in hidden) for x in atom.letters}
            letters.discard(frozenset())
            if letters:
                kept.append(Atom("many" if len(letters) > 1 else "one", frozenset(letters)))
        word = kept[::-1]
        while word and word[-1].kind == "one" and all(memory[c] == v for c, v in word[-1].letter):
            word.pop()
        first = next((n for n, atom in enumerate(word) if atom.kind != "mark"), len(word))
        behind = dict(enumerate(memory)) if first == len(word) else dict(word[first].letter)
        if first < len(word) and word[first].kind == "many":
            return tuple(word)
        if all(behind.get(c) == v for atom in word[:first] for c, v in atom.letter):
            word = word[first:]
        return tuple(word)

    def covered(self, state: State) -> bool:
        state = self.clean(state)
        return any(self._within(state, large) for large in self.by_place.get((state.nodes, state.memory), []))

    def _within(self, small: State, large: State) -> bool:
        pasts = all(past_within(s, b) for s, b in zip(small.pasts, large.pasts, strict=True))
        buffers = all(s[:1] == b[:1] for s, b in zip(small.buffers, large.buffers, strict=True))
        for (_, s), (_, b) in zip(small.buffers, large.buffers, strict=True):
            buffers = buffers and bool(s) == bool(b) and s[-1:] == b[-1:] and matches(s[:-1], b[:-1])
        return pasts and buffers

    # --- steps ---

    def store(self, state: State, thread: int, cell: int, value: int, marks: bool) -> State:
        old = one(*enumerate(state.memory))
        mark = Atom("mark", frozenset({frozenset({(cell, value)})}))
        pasts = []
        for t, past in enumerate(state.pasts):
            own = (old, mark) if marks else ()
            pasts.append(past + (own if t == thread else (old,)))
        memory = (*state.memory[:cell], value, *state.memory[cell + 1 :])
        return replace(state, memory=memory, pasts=tuple(pasts))

    def buffer(self, state: State, thread: int, cell: int) -> Word | None:
        return dict(state.buffers).get((thread, cell))

    def with_buffer(self, state: State, place: tuple[int, int], word: Word) -> State:
        return replace(state, buffers=tuple((p, word if p == place else w) for p, w in state.buffers))

    def drained(self, state: State, thread: int) -> bool:
        return not any(word for (t, _), word in state.buffers if t == thread)

    def now(self, state: State, thread: int) -> State:
        return replace(state, pasts=tuple(() if t == thread else p for t, p in enumerate(state.pasts)))

    def moved(self, state: State, thread: int, following: list[int]) -> Iterator[State]:
        for node in following:
            yield replace(state, nodes=(*state.nodes[:thread], node, *state.nodes[thread + 1 :]))

    def reads(self, state: State, thread: int, cell: int) -> Iterator[tuple[int, State]]:
        """Every value that a load may return, and the state in which the thread has moved there."""
        waiting = self.buffer(state, thread, cell)
        if waiting:
            yield value_of(waiting[-1]), state
            return
        past = state.pasts[thread] if state.pasts else ()
        start = 0
        for place, atom in enumerate(past):
            if atom.kind == "mark" and cell in dict(atom.letter):
                start = place + 1
                yield dict(atom.letter)[cell], state
        for place in range(start, len(past)):
            for letter in past[place].letters if past[place].kind != "mark" else ():
                if cell in dict(letter):
                    rest = replace(
                        state, pasts=tuple(past[place:] if t == thread else p for t, p in enumerate(state.pasts))
                    )
                    yield dict(letter)[cell], rest
        yield state.memory[cell], self.now(state, thread)

    def steps(self, state: State) -> Iterator[State]:
        for thread in range(len(state.nodes)):
            yield from self.thread_steps(state, thread)
        for place, word in state.buffers:
            for at, atom in enumerate(word):
                last = at == len(word) - 1
                rest = () if last else word[at:] if atom.kind == "many" else word[at + 1 :]
                for letter in atom.letters:
                    after = self.with_buffer(state, place, rest)
                    yield self.store(after, *place, dict(letter)[0], True)

    def thread_steps(self, state: State, thread: int) -> Iterator[State]:
        act, _, cell, other, strength, _, edges = self.threads[thread][2][state.nodes[thread]]
        by_value = {edge[0]: edge for edge in edges}
        if act is Act.READ:
            for value, after in self.reads(state, thread, cell):
                if value in by_value:
                    yield from self.moved(after, thread, by_value[value][3])
        elif act is Act.WRITE:
            _, written, _, following = edges[0]
            waiting = self.buffer(state, thread, cell)
            if waiting is None:
                after = self.store(state, thread, cell, written, True)
            else:
                after = self.with_buffer(state, (thread, cell), (*waiting, one((0, written))))
            yield from self.moved(after, thread, following)
        elif act is Act.UPDATE:
            for value, after in self.reads(state, thread, cell):
                edge = by_value.get(value)
                if edge and edge[1] is None and edge[2] is Strength.NONE:
                    yield from self.moved(after, thread, edge[3])
            edge = by_value.get(state.memory[cell])
            if edge is None or (edge[1] is None and edge[2] is Strength.NONE) or self.buffer(state, thread, cell):
                return
            if edge[2] is Strength.FULL and not self.drained(state, thread):
                return
            after = self.now(state, thread)
            if edge[1] is not None:
                after = self.store(after, thread, cell, edge[1], False)
            yield from self.moved(after, thread, edge[3])
        elif act in (Act.FENCE, Act.START, Act.JOIN):
            if strength is not Strength.NONE and not self.drained(state, thread):
                return
            after = self.now(state, thread) if strength is Strength.FULL else state
            there = self.threads[other][2][state.nodes[other]][0] if act is not Act.FENCE else None
            if act is Act.JOIN and (there is not Act.ENDED or not self.drained(state, other)):
                return
            for moved in self.moved(after, thread, edges[0][3]):
                if act is Act.START and there is Act.IDLE:
                    yield from self.moved(moved, other, self.threads[other][1])
                else:
                    yield moved

    # --- the check ---

    def check(self) -> str | None:
        """Why the invariant proves nothing; None where it does."""
        starts: list[tuple[int, ...]] = [()]
        for first, _, _ in self.threads:
            starts = [(*start, node) for start in starts for node in first]
        no_pasts = tuple(() for _ in self.states[0].pasts)
        no_buffers = tuple((place, ()) for place, _ in self.states[0].buffers)
        for start in starts:
            if not self.covered(State(start, self.initial, no_pasts, no_buffers)):
                return f"the start {start} is not in it"
        for state in self.states:
            for thread, node in enumerate(state.nodes):
                if self.threads[thread][2][node][0] is Act.ERROR:
                    return f"thread {thread} has failed in {state}"
            for after in self.steps(state):
                if not self.covered(after):
                    return f"a step leads out: from {state} to {self.clean(after)}"
        return None


def value_of(atom: Atom) -> int:
    return dict(atom.letter)[0]


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


def parts(past: Word) -> tuple[list[Word], list[Atom]]:
    """What is between the marks, and the marks."""
    pieces: list[list[Atom]] = [[]]
    marks = []
    for atom in past:
        if atom.kind == "mark":
            marks.append(atom)
            pieces.append([])
        else:
            pieces[-1].append(atom)
    return [tuple(piece) for piece in pieces], marks


def past_within(small: Word, large: Word) -> bool:
    """The large past may have more at its start: its thread can move on."""
    (pieces, marks), (more, other) = parts(small), parts(large)
    skipped = len(other) - len(marks)
    if skipped < 0 or other[skipped:] != marks:
        return False
    return all(matches(s, b, True) for s, b in zip(pieces, more[skipped:], strict=True))
