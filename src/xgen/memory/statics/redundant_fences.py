"""Whether a model's form shows that one of two fences in a row can be left away, where both are of the same class.

Threads that are started one right after the other come behind one, two, three starts: they do the same only if that is
all the same to the model; and so it is with those that are joined. What is shown here: of events of one class that
follow each other in program order, with nothing between, all but one can be taken out of any execution, and it is
consistent as it was. The one that stays is the first of starts, the last of joins; all that comes before another one,
or behind it, comes before that one, or behind it, too.

A term made with `|`, `;`, `^+`, `^*` and `?` is a set of words, the steps of its paths. Steps into such an event
(ENTER), from one to another (STAY) and out again (LEAVE) are letters of their own. If for each word with a STAY the one
without it belongs to the term as well, or the one in which program order leads past all of them at once, nothing is
lost. Of `acyclic` these are the words of paths of any length. Other operations are looked at pair by pair.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import field
from functools import lru_cache
from typing import NamedTuple

from xgen.memory.algebra import Kind, Model, Op, Term, checks_of
from xgen.memory.base_relations import BASE_RELATIONS, OF_OP
from xgen.memory.terms import PO
from xgen.records import dataclass

MOST_STATES = 3000
"""More states than these, of automata and of pairs of sets of them, are not looked at."""

_ACCESSES = {relation.op for relation in BASE_RELATIONS if "any" not in relation.ends}
_POINTWISE = {Op.UNION, Op.INTERSECT, Op.DIFFERENCE, Op.INVERSE, Op.OPTIONAL}
_BASE = {*OF_OP, Op.EMPTY_RELATION}


class _UnknownError(Exception):
    """The form shows nothing."""


class _Letter(NamedTuple):
    """A step: `via` a relation, from outside to outside (STEP, or a TEST of a set), or to such an event or from one."""

    kind: str
    via: Term | None = None


_STAY = _Letter("stay")
_MARK = _Letter("mark")
_PHASES = {"step": (0, 0), "test": (0, 0), "enter": (0, 1), "stay": (1, 1), "leave": (1, 0)}
"""Of each kind: whether it is at such an event before, and after."""


_State = tuple[int, int]
"""Of an automaton, and whether the path is at such an event."""
_Places = frozenset[tuple[_State, int]]
"""States that words may have come to, each with where it is then (_AHEAD and the others)."""


@dataclass
class _Automaton:
    """Words from `start` to `end`. `silent`: without a letter; where only inside of such events, True."""

    start: int = 0
    end: int = 1
    count: int = 2
    steps: dict[int, list[tuple[_Letter, int]]] = field(default_factory=dict)
    silent: dict[int, list[tuple[bool, int]]] = field(default_factory=dict)
    moves: dict[_State, _Moves] = field(default_factory=dict)  # once it is whole, as they are asked for
    followed: dict[tuple[_Places, _Letter], _Places] = field(default_factory=dict)  # likewise: see _after

    def new(self) -> int:
        self.count += 1
        if self.count > MOST_STATES:
            raise _UnknownError
        return self.count - 1


def leaves_out_twins(model: Model, tags: Collection[str]) -> bool:
    """Whether all but one of some fences in a row, with these tags, can be left away; see above.

    Flags are to stay as they are, too. False where the form of the model does not show it.
    """
    return _leaves_out(model, frozenset(tags))


@lru_cache(maxsize=64)
def _leaves_out(model: Model, tags: frozenset[str]) -> bool:
    form = _Form(tags)
    try:
        for constraint in model.constraints:
            for check in checks_of(constraint.condition):
                if check.binders or not form.keeps(check.property, check.term):
                    return False
    except (_UnknownError, RecursionError):
        return False
    return True


class _Form:
    """What the forms of terms show, for fences with these tags."""

    def __init__(self, tags: frozenset[str]) -> None:
        self.tags = tags
        self.exact: dict[Term, bool] = {}  # of sets and relations
        self.holding: dict[Term, bool] = {}

    def keeps(self, property_: str, term: Term) -> bool:
        """Whether a property of a term is as it was."""
        if term.kind is Kind.SET:
            return not self.has(term) and self.is_exact_set(term)
        automaton = self.automaton(term)
        if property_ == "empty":
            return not self.touches(automaton) and self.can_erase(automaton, outside=True)
        return self.can_erase(self.automaton(term, property_ == "acyclic"))

    # ---- sets

    def has(self, term: Term) -> bool:
        """Whether the fences are in a set."""
        if term not in self.holding:
            self.holding[term] = self._has(term)
        return self.holding[term]

    def _has(self, term: Term) -> bool:
        match term.op:
            case Op.EVENTS | Op.FENCES:
                return True
            case Op.READS | Op.WRITES | Op.INITS | Op.EMPTY_SET:
                return False
            case Op.TAGGED:
                return term.name in self.tags
            case Op.UNION:
                return any(map(self.has, term.args))
            case Op.INTERSECT:
                return all(map(self.has, term.args))
            case Op.DIFFERENCE:
                return self.has(term.args[0]) and not self.has(term.args[1])
            case Op.DOMAIN | Op.RANGE if not self.touches(self.automaton(term.args[0])):
                return False
        raise _UnknownError

    def is_exact_set(self, term: Term) -> bool:
        """Whether a set has the same other events as without them."""
        if term not in self.exact:
            self.exact[term] = self._is_exact_set(term)
        return self.exact[term]

    def _is_exact_set(self, term: Term) -> bool:
        if term.op in (Op.DOMAIN, Op.RANGE):
            return not self.touches(self.automaton(term.args[0])) and self.is_exact(term.args[0])
        if term.op in (Op.UNION, Op.INTERSECT, Op.DIFFERENCE):
            return all(map(self.is_exact_set, term.args))
        return term.op in (Op.EVENTS, Op.FENCES, Op.READS, Op.WRITES, Op.INITS, Op.EMPTY_SET, Op.TAGGED)

    # ---- relations

    def is_exact(self, term: Term) -> bool:
        """Whether a relation has the same pairs of other events as without them."""
        if term not in self.exact:
            self.exact[term] = self._is_exact(term)
        return self.exact[term]

    def _is_exact(self, term: Term) -> bool:
        if term.op in _BASE:
            return True
        if term.op in _POINTWISE:
            return all(map(self.is_exact, term.args))
        if term.op in (Op.CROSS, Op.IDENTITY):
            return all(map(self.is_exact_set, term.args))
        if term.op in (Op.SEQUENCE, Op.PLUS, Op.STAR):
            return self.can_erase(self.automaton(term), outside=True)
        return False

    def automaton(self, term: Term, again: bool = False) -> _Automaton:
        """The words of a relation; `again`: of paths of any length."""
        result = _Automaton()
        self._add(result, term, result.start, result.end)
        if again:
            result.silent.setdefault(result.end, []).append((False, result.start))
        return result

    def _add(self, to: _Automaton, term: Term, a: int, b: int) -> None:
        """Adds the words of a relation, between two states."""

        def silent(first: int, second: int, inside: bool = False) -> None:
            to.silent.setdefault(first, []).append((inside, second))

        def step(*letters: _Letter) -> None:
            to.steps.setdefault(a, []).extend((letter, b) for letter in letters)

        match term.op:
            case Op.UNION:
                for part in term.args:
                    self._add(to, part, a, b)
            case Op.SEQUENCE:
                middle = to.new()
                self._add(to, term.args[0], a, middle)
                self._add(to, term.args[1], middle, b)
            case Op.PLUS | Op.STAR:
                first, last = to.new(), to.new()
                silent(a, first)
                silent(last, first)
                silent(last, b)
                self._add(to, term.args[0], first, last)
                if term.op is Op.STAR:
                    silent(a, b)
            case Op.OPTIONAL:
                self._add(to, term.args[0], a, b)
                silent(a, b)
            case Op.ID:
                silent(a, b)
            case Op.IDENTITY:
                if not self.is_exact_set(term.args[0]):
                    raise _UnknownError
                step(_Letter("test", term.args[0]))
                if self.has(term.args[0]):
                    silent(a, b, True)
            case Op.DIFFERENCE if term.args[0].op is Op.INTERSECT and any(p.op is Op.CROSS for p in term.args[0].args):
                one, two = term.args[0].args  # of (r & A*B) \ s, this is r \ s between A and B
                cross, other = (one, two) if one.op is Op.CROSS else (two, one)
                less = Term(Op.DIFFERENCE, (other, term.args[1]))
                self._add(to, Term(Op.INTERSECT, (cross, less)), a, b)
            case Op.INTERSECT if any(part.op is Op.CROSS for part in term.args):
                cross, other = term.args if term.args[0].op is Op.CROSS else term.args[::-1]
                first, last = to.new(), to.new()
                self._add(to, Term(Op.IDENTITY, (cross.args[0],)), a, first)
                self._add(to, other, first, last)
                self._add(to, Term(Op.IDENTITY, (cross.args[1],)), last, b)
            case _:
                step(*self._letters(term))

    def _letters(self, term: Term) -> Iterable[_Letter]:
        """The steps of a relation that is looked at pair by pair."""
        if term.op is Op.EMPTY_RELATION:
            return ()
        inside: tuple[_Letter, ...] = ()
        if self._is_program_order(term):
            via = PO if term.op is Op.DIFFERENCE else term
            inside = (_Letter("enter", via), _Letter("leave", via))
            inside += () if any(part.op is Op.EXT for part in term.args) else (_STAY,)
        elif term.op in (Op.CTRL, Op.PICK_CTRL):
            inside = (_Letter("enter", term),)
        elif not self.avoids(term):
            raise _UnknownError
        if not self.is_exact(term):
            raise _UnknownError
        return _Letter("step", term), *inside

    def _is_program_order(self, term: Term) -> bool:
        """Whether a relation is program order where such events are in it."""
        if term.op is Op.INTERSECT:
            return PO in term.args and any(part.op in (Op.INT, Op.EXT) for part in term.args)
        return term is PO or (term.op is Op.DIFFERENCE and term.args[0] is PO and self.avoids(term.args[1]))

    def avoids(self, term: Term) -> bool:
        """Whether no such event is in any pair of a relation."""
        if term.op in _ACCESSES or term.op is Op.EMPTY_RELATION:
            return True
        if term.op is Op.CROSS:
            return not any(map(self.has, term.args))
        if term.op in (Op.INVERSE, Op.DIFFERENCE):
            return self.avoids(term.args[0])
        if term.op is Op.INTERSECT:
            return any(map(self.avoids, term.args))
        if term.op in OF_OP or term.op in (Op.FIX, Op.REC_RELATION):
            return False
        try:
            return not self.touches(self.automaton(term))
        except _UnknownError:
            return False

    # ---- words

    def touches(self, automaton: _Automaton) -> bool:
        """Whether there is a word that starts or ends at such an event."""
        outside, inside = (_reached(automaton, (automaton.start, phase)) for phase in (0, 1))
        return (automaton.end, 1) in outside or not inside.isdisjoint({(automaton.end, 0), (automaton.end, 1)})

    def can_erase(self, automaton: _Automaton, outside: bool = False) -> bool:
        """Whether from each word with a STAY it can be erased; `outside`: of those from other events to others."""
        phases = (0,) if outside else (0, 1)
        ends = {(automaton.end, phase) for phase in phases}
        return all(self._can_erase(automaton, (automaton.start, phase), ends) for phase in phases)

    def _can_erase(self, automaton: _Automaton, start: _State, ends: set[_State]) -> bool:
        """Of words from one state. Those that have nothing but STAYs are no paths from an event to itself."""
        work = [(start, False, False, _closed(automaton, [(start, _AHEAD)]))]
        seen = set(work)
        while work:
            state, marked, moves, others = work.pop()
            if marked and moves and state in ends and all((end, _BEHIND) not in others for end in ends):
                return False
            for letter, after in _moves(automaton, state).all:
                if letter is None:
                    more = [(after, marked, moves, others)]
                else:
                    more = [(after, marked, moves or letter != _STAY, _after(automaton, others, letter))]
                    if letter == _STAY and not marked:
                        more.append((after, True, moves, _after(automaton, others, _MARK)))
                work += (new for new in more if new not in seen)
                seen.update(more)
                if len(seen) > MOST_STATES:
                    raise _UnknownError
        return True


_AHEAD, _BEHIND, _PAST, _PAST_MARK = range(4)
"""Where a word is: before the STAY that is left away, behind it, or at a step past all of them, before it, behind."""


class _Moves(NamedTuple):
    """Where one comes from a state: without a letter, and with one."""

    silent: list[_State]
    steps: list[tuple[_Letter, _State]]

    @property
    def all(self) -> Iterator[tuple[_Letter | None, _State]]:
        yield from ((None, after) for after in self.silent)
        yield from self.steps


def _moves(automaton: _Automaton, state: _State) -> _Moves:
    found = automaton.moves.get(state)
    if found is None:
        number, phase = state
        silent = [(after, phase) for inside, after in automaton.silent.get(number, ()) if phase or not inside]
        steps = [
            (letter, (after, _PHASES[letter.kind][1]))
            for letter, after in automaton.steps.get(number, ())
            if _PHASES[letter.kind][0] == phase
        ]
        found = automaton.moves[state] = _Moves(silent, steps)
    return found


def _reached(automaton: _Automaton, start: _State) -> set[_State]:
    found, work = {start}, [start]
    while work:
        for _, after in _moves(automaton, work.pop()).all:
            if after not in found:
                found.add(after)
                work.append(after)
    return found


def _closed(automaton: _Automaton, places: Iterable[tuple[_State, int]]) -> _Places:
    """With what is reached without a letter."""
    found = set(places)
    work = list(found)
    while work:
        state, where = work.pop()
        for after in _moves(automaton, state).silent if where in (_AHEAD, _BEHIND) else ():
            if (after, where) not in found:
                found.add((after, where))
                work.append((after, where))
    return frozenset(found)


def _after(automaton: _Automaton, places: _Places, letter: _Letter) -> _Places:
    """Where words may be after one letter more."""
    key = places, letter
    if key not in automaton.followed:
        automaton.followed[key] = _closed(automaton, _next(automaton, places, letter))
    return automaton.followed[key]


def _next(automaton: _Automaton, places: _Places, letter: _Letter) -> set[tuple[_State, int]]:
    found: set[tuple[_State, int]] = set()
    for state, where in places:
        if letter == _MARK:
            found.update([(state, _BEHIND)] if where == _AHEAD else [(state, _PAST_MARK)] if where == _PAST else [])
        elif where == _PAST_MARK:
            found.update([(state, _BEHIND)] if letter.kind == "leave" else [])
        elif where != _PAST:
            for other, after in _moves(automaton, state).steps:
                if _is_part(letter, other):
                    found.add((after, where))
                if where == _AHEAD and letter.kind == "enter" and other == _Letter("step", PO):
                    found.add((after, _PAST))
    return found


def _is_part(letter: _Letter, other: _Letter) -> bool:
    """Whether the first step is one of the other's relation, too."""
    if letter == other or letter.kind != other.kind or letter.via is None:
        return letter == other
    via = letter.via
    part_of_po = via.args[0] is PO if via.op is Op.DIFFERENCE else via.op is Op.INTERSECT and PO in via.args
    return other.via is PO and (part_of_po or via.op in (Op.CTRL, Op.PICK_CTRL))
