"""Whether what a proof rests on proves something: an invariant of symbolic states, checked by rules written anew.

A state is where each thread stands, the memory, what each thread may still read (its past, oldest first) and what it
has still to store; then what goes on with exclusive accesses and in an atomic block. `check` says why a set of such
states is no proof: the start is not among them, a step leads out, or something is wrong in one. The steps are those of
src/core/symbolic/space.hpp; no code is shared with it, and all interleavings count. The automata of the threads are
taken from the core.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from oracle.buffers.waiting_stores import (
    FREE,
    RESERVED,
    TAKEN,
    Atom,
    Letter,
    Waiting,
    Word,
    mark,
    matches,
    parts,
    value_of,
)
from xgen._core import NOTHING, Act, AtomKind, Strength
from xgen.engine.symbolic import Found
from xgen.lowering.code import Code

KINDS = {AtomKind.LETTER: "one", AtomKind.MANY: "many"}
FRESH, STALE = 1, 2
"""In letters of pasts, which are cells and values: behind the cells, whether another thread has stored since."""
PAST, READ, WROTE, PENDING, FENCED = 1, 2, 4, 8, 16
"""How an atomic block is: see src/core/symbolic/space.hpp."""


@dataclass(frozen=True)
class State:
    nodes: tuple[int, ...]
    memory: tuple[int, ...]
    pasts: tuple[Word, ...]
    waiting: Waiting
    broken: frozenset[int] = frozenset()
    how: int = 0
    pin: Letter = frozenset()
    before: tuple[int, ...] = ()
    held: frozenset[tuple[int, int]] = frozenset()
    gone: frozenset[int] = frozenset()
    """Objects that are freed; plus the number of cells, those that were accessed or freed."""

    @property
    def place(self) -> Any:
        """What has to be equal."""
        return self.nodes, self.memory, self.broken, self.how, self.pin, self.before, self.held, self.gone


def one(*pairs: tuple[int, int]) -> Atom:
    return Atom("one", frozenset({frozenset(pairs)}))


class Checker:
    def __init__(self, found: Found, code: Code) -> None:
        assert found.invariant is not None
        self.threads = found.automata
        cells = zip(code.cells, code.initial, strict=True)
        self.initial = tuple(NOTHING if cell.undefined else value for cell, value in cells)
        self.count = len(code.cells)
        self.seen = [self._seen(nodes) for _, _, nodes in self.threads]
        self.ahead = [self._ahead(begin, nodes) for _, begin, nodes in self.threads]
        self._shared: dict[Any, Any] = {}
        self.states = [self._read(covering) for covering in found.invariant]
        self.weak = any(state.pasts or state.waiting.buffers or state.how for state in self.states)
        self.by_place: dict[Any, list[State]] = {}
        for state in self.states:
            self.by_place.setdefault(state.place, []).append(state)
        self.all = set(self.states)
        self._cleaned: dict[Any, Word] = {}

    def _read(self, covering: Any) -> State:
        nodes, memory, pasts, buffers, broken, how, pin, before, held, gone, families = covering

        def atom(kind: AtomKind, letters: list[list[int]]) -> Atom:
            if kind is AtomKind.MARK:
                cell, value, fresh = letters[0]
                return self.mark(cell, value, fresh)
            pairs = [frozenset(zip(x[::2], x[1::2], strict=True)) for x in letters]
            return Atom(KINDS[kind], frozenset(pairs))

        def store(kind: AtomKind, letters: list[list[int]], cell: int) -> Atom:
            if kind is AtomKind.MARK:
                return mark(tuple(families[letters[0][0]][1]))
            stores = [x if len(x) > 2 else [cell, *x, *([FREE] if len(x) == 1 else [])] for x in letters]
            triples = [frozenset(zip(x[::3], x[1::3], x[2::3], strict=True)) for x in stores]
            return Atom(KINDS[kind], frozenset(triples))

        def runs(word: Any) -> tuple[Word, ...]:
            found: list[Word] = [()] if word else []
            for a in word:
                found = [*found, ()] if a[0] is AtomKind.MARK else [*found[:-1], (*found[-1], store(*a, -1))]
            return tuple(found)

        def shared(part: Any) -> Any:
            """The same object for equal parts: there are many states, and few parts."""
            return self._shared.setdefault(part, part)

        return State(
            shared(tuple(nodes)),
            shared(tuple(memory)),
            shared(tuple(shared(tuple(atom(*a) for a in past)) for past in pasts)),
            shared(
                Waiting(
                    tuple(shared(((t, cell), tuple(store(*a, cell) for a in word))) for t, cell, word in buffers),
                    tuple(((t, tuple(cells)), runs(word)) for t, cells, word in families),
                )
            ),
            frozenset(t for t in range(len(nodes)) if broken >> t & 1),
            how,
            frozenset(zip(pin[::2], pin[1::2], strict=True)),
            tuple(before),
            frozenset(held),
            frozenset(gone),
        )

    def mark(self, cell: int, value: int, fresh: int) -> Atom:
        return Atom("mark", one((cell, value), *([(self.count + cell, fresh)] if fresh else [])).letters)

    def marked(self, atom: Atom) -> tuple[int, int]:
        return min(atom.letter)

    def block(self, state: State, thread: int) -> int:
        """0: the thread's next event is in no atomic block, 1: it is the first one of a block, 2: a later one."""
        return int(self.threads[thread][2][state.nodes[thread]][5])

    def _seen(self, nodes: list[Any]) -> list[frozenset[int]]:
        """The cells that a thread may load from a node on, before it sees what is there now."""
        seen: list[frozenset[int]] = [frozenset() for _ in nodes]
        while True:
            before = list(seen)
            for number, (act, _, cell, _, strength, _, edges, exclusive, _, _) in enumerate(nodes):
                cells = {cell, *({self.count + cell} if exclusive else ())} if act is Act.READ else set()
                for _, written, at_once, following in edges:
                    moves_on = strength is Strength.FULL
                    if act is Act.UPDATE:
                        moves_on = written is not None or at_once is not Strength.NONE
                    if act is Act.UPDATE and not moves_on:
                        cells.add(cell)
                    if not moves_on:
                        cells = cells.union(*(seen[n] for n in following))
                seen[number] = frozenset(cells)
            if seen == before:
                return seen

    def _ahead(self, begin: list[int], nodes: list[Any]) -> list[frozenset[int]]:
        """What a thread may still access or free from a node on; plus the number of cells, what it may allocate."""
        freed = {node[9] for _, _, others in self.threads for node in others if node[0] is Act.FREE}
        ahead: list[frozenset[int]] = [frozenset() for _ in nodes]
        while True:
            before = list(ahead)
            for number, (act, _, _, _, _, _, edges, _, _, here) in enumerate(nodes):
                own = {self.count + here} if act is Act.ALLOC else {here} & freed
                following = [*(begin if act is Act.IDLE else ()), *(n for edge in edges for n in edge[3])]
                ahead[number] = frozenset(own).union(*(ahead[n] for n in following))
            if ahead == before:
                return ahead

    def touched(self, state: State, thread: int) -> State:
        """Once the thread has done its event."""
        act, _, _, _, _, _, _, _, _, here = self.threads[thread][2][state.nodes[thread]]
        if here < 0 or act is Act.ALLOC:
            return state
        return replace(state, gone=state.gone | {self.count + here} | ({here} if act is Act.FREE else set()))

    def misused(self, state: State) -> bool:
        """Whether a thread is about to do with an object what it may not. A load counts behind which it waits."""
        nodes = [self.threads[t][2][node] for t, node in enumerate(state.nodes)]
        within = [t for t in range(len(nodes)) if self.block(state, t) == 2]
        allocated = {(node[9], t) for t, node in enumerate(nodes) if node[0] is Act.ALLOC}
        for thread in within or range(len(nodes)):
            act, here = nodes[thread][0], nodes[thread][9]
            waits = act in (Act.READ, Act.UPDATE) and not within
            wrong = (here + self.count if act is Act.ALLOC else here) in state.gone
            if wrong and (waits or next(self.thread_steps(state, thread), None) is not None):
                return True
            if waits and any(place == here and other != thread for place, other in allocated):
                return True
        return False

    # --- what a state covers ---

    def clean(self, state: State) -> State:
        """The pasts as far as they matter."""
        waiting = {place for place, word in state.waiting.buffers if word}
        pasts = []
        for thread, past in enumerate(state.pasts):
            hidden = frozenset(cell for t, cell in waiting if t == thread)
            fixed = state.how & PAST and self.block(state, thread) == 2
            memory = None if fixed else state.memory
            key = past, thread, state.nodes[thread], hidden, memory
            if past and key not in self._cleaned:
                self._cleaned[key] = self._clean(past, self.seen[thread][state.nodes[thread]], hidden, memory)
            pasts.append(self._cleaned[key] if past else ())
        reserving = {t for t, node in enumerate(state.nodes) if self.threads[t][2][node][8] >= 0}
        ahead = frozenset().union(*(self.ahead[t][node] for t, node in enumerate(state.nodes)))
        return replace(state, pasts=tuple(pasts), broken=state.broken & reserving, gone=state.gone & ahead)

    def _clean(self, past: Word, seen: frozenset[int], hidden: frozenset[int], memory: tuple[int, ...] | None) -> Word:
        kept: list[Atom] = []
        for atom in reversed(past):
            if atom.kind == "mark":
                cell, _ = self.marked(atom)
                if cell in seen and cell not in hidden:
                    kept.append(Atom("mark", frozenset({frozenset((c, v) for c, v in atom.letter if c in seen)})))
                    hidden = hidden | {cell}
                continue
            shown = {c for c in seen if c % self.count not in hidden}
            letters = {frozenset((c, v) for c, v in x if c in shown) for x in atom.letters}
            letters.discard(frozenset())
            if letters:
                kept.append(Atom("many" if len(letters) > 1 else "one", frozenset(letters)))
        word = kept[::-1]
        if memory is None:
            return tuple(word)
        memory = memory + (FRESH,) * self.count
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
        return state in self.all or any(self._within(state, large) for large in self.by_place.get(state.place, []))

    def _within(self, small: State, large: State) -> bool:
        pasts = all(past_within(s, b) for s, b in zip(small.pasts, large.pasts, strict=True) if s != b)
        return pasts and small.waiting.within(large.waiting)

    # --- steps ---

    def store(self, state: State, thread: int, cell: int, value: int, *, past: bool = True, mark: bool = True) -> State:
        """A store reaches the memory: the thread itself gets what was there as its past, then its mark, or not."""
        in_block = state.how != 0
        before = state.before or state.memory if in_block else state.memory
        shown = before if len(before) > self.count else before + (FRESH,) * self.count
        old = one(*enumerate(shown))
        pasts = []
        for t, word in enumerate(state.pasts):
            if t != thread:
                pasts.append(tuple(self.staled(atom, cell) for atom in (*word, old)))
            else:
                own = self.mark(cell, value, FRESH)
                pasts.append(word + ((old,) if past else ()) + ((own,) if mark else ()))
        memory = (*state.memory[:cell], value, *state.memory[cell + 1 :])
        if in_block and any(self.count + cell in self.seen[t][n] for t, n in enumerate(state.nodes) if t != thread):
            before = (*shown[: self.count + cell], STALE, *shown[self.count + cell + 1 :])
        broken = {t for t, node in enumerate(state.nodes) if t != thread and self.threads[t][2][node][8] == cell}
        return replace(
            state,
            memory=memory,
            pasts=tuple(pasts),
            broken=state.broken | broken,
            before=before if in_block and state.pasts else (),
        )

    def staled(self, atom: Atom, cell: int) -> Atom:
        fresh, stale = (self.count + cell, FRESH), (self.count + cell, STALE)
        return Atom(atom.kind, frozenset(frozenset(stale if p == fresh else p for p in x) for x in atom.letters))

    def now(self, state: State, thread: int) -> State:
        return replace(state, pasts=tuple(() if t == thread else p for t, p in enumerate(state.pasts)))

    def moved(self, state: State, thread: int, following: list[int]) -> Iterator[State]:
        gone = self.touched(state, thread).gone
        for node in following:
            nodes = (*state.nodes[:thread], node, *state.nodes[thread + 1 :])
            after = replace(state, nodes=nodes, gone=gone)
            if self.block(state, thread) and self.block(after, thread) != 2:
                if after.how & PAST and after.pin:
                    pinned = (Atom("one", frozenset({after.pin})), *after.pasts[thread])
                    after = replace(after, pasts=tuple(pinned if t == thread else p for t, p in enumerate(after.pasts)))
                if after.how & PENDING:
                    after = replace(after, waiting=after.waiting.put(thread, tuple(sorted(after.pin))))
                after = replace(after, how=0, pin=frozenset(), before=())
            yield after

    def at(self, state: State, thread: int, place: int) -> State:
        """The thread moves to a place in its past."""
        return replace(state, pasts=tuple(p[place:] if t == thread else p for t, p in enumerate(state.pasts)))

    def reads(self, state: State, thread: int, cell: int) -> Iterator[tuple[int, bool, State]]:
        """Every value that a load may return, whether it is stale, and the state in which the thread is there."""
        newest = state.waiting.newest(thread, cell)
        if newest is not None:
            yield value_of(newest, cell), False, state
            return
        past = state.pasts[thread] if state.pasts else ()
        start = 0
        for place, atom in enumerate(past):
            if atom.kind == "mark" and self.marked(atom)[0] == cell:
                start = place + 1
                yield self.marked(atom)[1], (self.count + cell, STALE) in atom.letter, state
        for place in range(start, len(past)):
            for letter in past[place].letters if past[place].kind != "mark" else ():
                if cell in dict(letter):
                    yield dict(letter)[cell], (self.count + cell, STALE) in letter, self.at(state, thread, place)
        yield state.memory[cell], False, self.now(state, thread)

    def moments(self, state: State, thread: int) -> Iterator[State]:
        """Each moment at which an atomic block may be that loads."""
        if state.how & PENDING:
            return
        if state.how & (PAST | READ):
            yield state
            return
        yield replace(self.now(state, thread), how=state.how | READ)
        past = state.pasts[thread] if state.pasts else ()
        if state.how & WROTE or not past:
            return
        how = state.how | PAST
        if past[0].kind == "mark":
            yield replace(state, how=how)
        for place, atom in enumerate(past):
            for letter in atom.letters if atom.kind != "mark" else ():
                rest = self.at(state, thread, place + (atom.kind == "one"))
                yield replace(rest, how=how, pin=letter)

    def reads_in_block(self, state: State, thread: int, cell: int) -> Iterator[tuple[int, bool, State]]:
        for there in self.moments(state, thread):
            newest = there.waiting.newest(thread, cell)
            own = [a for a in (there.pasts[thread] if there.pasts else ()) if a.kind == "mark"]
            own = [a for a in own if self.marked(a)[0] == cell]
            if newest is not None:
                yield value_of(newest, cell), False, there
            elif not there.how & PAST:
                yield there.memory[cell], False, there
            elif own:
                yield self.marked(own[0])[1], (self.count + cell, STALE) in own[0].letter, there
            elif cell in dict(there.pin):
                yield dict(there.pin)[cell], (self.count + cell, STALE) in there.pin, there

    def steps(self, state: State) -> Iterator[State]:
        threads = range(len(state.nodes))
        within = [t for t in threads if self.block(state, t) == 2]
        for thread in within or threads:
            yield from self.thread_steps(state, thread)
        for thread, letter, waiting in () if within else state.waiting.firsts():
            if all(self.may_store(state, thread, cell) for cell, _, _ in letter):
                yield self.committed(replace(state, waiting=waiting), thread, letter)

    def may_store(self, state: State, thread: int, cell: int) -> bool:
        """Whether no other thread has a store exclusive under way that nothing may come before."""
        return not any(t != thread and c == cell for t, c in state.held)

    def committed(self, state: State, thread: int, letter: Letter) -> State:
        """What has waited, with its pledges, reaches the memory: if there are several stores, at one moment."""
        held, broken = set(state.held), state.broken
        for cell, _, pledge in letter:
            held = held - {(thread, cell)} | ({(thread, cell)} if pledge == TAKEN else set())
            if pledge == RESERVED and self.threads[thread][2][state.nodes[thread]][8] == cell:
                broken = broken - {thread}
        state = replace(state, held=frozenset(held), broken=broken, how=WROTE if len(letter) > 1 else state.how)
        for number, (cell, value, _) in enumerate(sorted(letter)):
            state = self.store(state, thread, cell, value, past=number == 0)
        return replace(state, how=0, before=()) if len(letter) > 1 else state

    def drains(self, state: State) -> bool:
        """Whether all that waits can reach the memory. From where it cannot, no execution comes."""
        if not state.held or all(not runs for _, runs in state.waiting.runs):
            return True
        seen = {state}
        todo = [state]
        while todo:
            at = todo.pop()
            if at.waiting == state.waiting.empty():
                return True
            for thread, letter, waiting in at.waiting.firsts():
                if all(self.may_store(at, thread, cell) for cell, _, _ in letter):
                    after = self.committed(replace(at, waiting=waiting), thread, letter)
                    todo += [after] if after not in seen else []
                    seen.add(after)
        return False

    def thread_steps(self, state: State, thread: int) -> Iterator[State]:
        act, _, _, _, _, block, _, _, _, _ = self.threads[thread][2][state.nodes[thread]]
        in_block = block != 0 and self.weak
        if act is Act.READ:
            yield from self.read(state, thread, in_block)
        elif act is Act.WRITE:
            yield from self.write(state, thread, in_block)
        elif act is Act.UPDATE:
            yield from self.update(state, thread, in_block)
        elif act in (Act.FENCE, Act.ALLOC, Act.FREE, Act.START, Act.JOIN):
            yield from self.fence(state, thread, act, in_block)

    def read(self, state: State, thread: int, in_block: bool) -> Iterator[State]:
        _, _, cell, _, _, _, edges, exclusive, _, _ = self.threads[thread][2][state.nodes[thread]]
        by_value = {edge[0]: edge for edge in edges}
        for value, stale, after in (self.reads_in_block if in_block else self.reads)(state, thread, cell):
            edge = by_value.get(value)
            if edge is None or edge[1] is not None or edge[2] is not Strength.NONE:
                continue
            if exclusive and after.waiting.newest(thread, cell) is not None:
                after = replace(after, waiting=after.waiting.reserved(thread, cell))
            if exclusive:
                broken = after.broken - {thread} | ({thread} if stale else set())
                after = replace(after, broken=frozenset(broken))
            yield from self.moved(after, thread, edge[3])

    def write(self, state: State, thread: int, in_block: bool) -> Iterator[State]:
        _, _, cell, _, _, _, edges, exclusive, _, _ = self.threads[thread][2][state.nodes[thread]]
        _, written, _, following = edges[0]
        buffer = state.waiting.buffer(thread, cell)
        how = state.how if in_block else 0
        if how & PAST:
            return
        if buffer is not None and not how & (READ | WROTE | FENCED):
            for after in self.paired(state, thread, cell) if exclusive else (state,):
                if in_block:
                    pin = frozenset({**dict(after.pin), cell: written}.items())
                    after = replace(after, how=how | PENDING, pin=pin)
                else:
                    after = replace(after, waiting=after.waiting.put(thread, ((cell, written),)))
                yield from self.moved(after, thread, following)
            if not in_block:
                return
        broken = exclusive and thread in state.broken
        if buffer or how & PENDING or broken or not self.may_store(state, thread, cell):
            return
        state = replace(state, how=how | WROTE) if in_block else state
        after = self.store(state, thread, cell, written, past=not how & (READ | WROTE), mark=not how & READ)
        yield from self.moved(after, thread, following)

    def paired(self, state: State, thread: int, cell: int) -> Iterator[State]:
        """What a store exclusive that waits makes of what waits already."""
        broken = thread in state.broken or not self.may_store(state, thread, cell)
        for pledged, waiting in state.waiting.pairings(thread, cell):
            held = state.held if pledged else state.held | {(thread, cell)}
            if pledged or not broken:
                yield replace(state, waiting=waiting, held=held)

    def be_now(self, state: State, thread: int, in_block: bool) -> State | None:
        if in_block and state.how & (PAST | PENDING):
            return None
        after = self.now(state, thread)
        return replace(after, how=after.how | READ) if in_block else after

    def update(self, state: State, thread: int, in_block: bool) -> Iterator[State]:
        _, _, cell, _, _, _, edges, _, _, _ = self.threads[thread][2][state.nodes[thread]]
        yield from self.read(state, thread, in_block)
        edge = {edge[0]: edge for edge in edges}.get(state.memory[cell])
        if edge is None or (edge[1] is None and edge[2] is Strength.NONE) or state.waiting.buffer(thread, cell):
            return
        if edge[2] is Strength.FULL and not state.waiting.drained(thread):
            return
        if edge[1] is not None and not self.may_store(state, thread, cell):
            return
        after = self.be_now(state, thread, in_block)
        if after is not None and edge[1] is not None:
            after = replace(after, how=after.how | WROTE) if in_block else after
            after = self.store(after, thread, cell, edge[1], past=False, mark=False)
        if after is not None:
            yield from self.moved(after, thread, edge[3])

    def fence(self, state: State, thread: int, act: Act, in_block: bool) -> Iterator[State]:
        _, _, _, other, strength, _, edges, _, _, _ = self.threads[thread][2][state.nodes[thread]]
        if strength is not Strength.NONE and not state.waiting.drained(thread):
            return
        if in_block and strength is Strength.STORES:
            if state.how & PENDING:
                return
            state = replace(state, how=state.how | FENCED)
        after = self.be_now(state, thread, in_block) if strength is Strength.FULL else state
        if after is None:
            return
        there = self.threads[other][2][state.nodes[other]][0] if act in (Act.START, Act.JOIN) else None
        if act is Act.JOIN and (there is not Act.ENDED or not state.waiting.drained(other)):
            return
        for moved in self.moved(after, thread, edges[0][3]):
            if act is Act.START and there is Act.IDLE:
                for first in self.threads[other][1]:
                    yield replace(moved, nodes=(*moved.nodes[:other], first, *moved.nodes[other + 1 :]))
            else:
                yield moved

    # --- the check ---

    def check(self) -> str | None:
        """Why the invariant proves nothing; None where it does."""
        starts: list[tuple[int, ...]] = [()]
        for first, _, _ in self.threads:
            starts = [(*start, node) for start in starts for node in first]
        no_pasts = tuple(() for _ in self.states[0].pasts)
        for start in starts:
            if not self.covered(State(start, self.initial, no_pasts, self.states[0].waiting.empty())):
                return f"the start {start} is not in it"
        for state in self.states:
            for thread, node in enumerate(state.nodes):
                if self.threads[thread][2][node][0] is Act.ERROR:
                    return f"thread {thread} has failed in {state}"
            if self.misused(state) and self.drains(state):
                return f"an object is misused in {state}"
            for after in self.steps(state):
                if not self.covered(after) and self.drains(after):
                    return f"a step leads out: from {state} to {self.clean(after)}"
        return None


@cache
def past_within(small: Word, large: Word) -> bool:
    """The large past may have more at its start: its thread can move on."""
    (pieces, marks), (more, other) = parts(small), parts(large)
    skipped = len(other) - len(marks)
    if skipped < 0 or other[skipped:] != marks:
        return False
    return all(matches(s, b, True) for s, b in zip(pieces, more[skipped:], strict=True))
