r"""The question of a litmus test: which final states are asked for.

    question    = [ locations ] [ "filter" proposition ] quantifier proposition
    quantifier  = "exists" | "~exists" | "forall" | "final"          ("final" means "exists")
    locations   = "locations" "[" { item [ type ] ";" } "]"
    proposition = proposition "\/" proposition | proposition "/\" proposition | proposition "=>" proposition
                | ("~" | "not") proposition | "(" proposition ")" | "true" | "false" | atom
    atom        = item ("=" | "==" | "<>" | "!=") (value | item) | NUMBER ("=" | "==" | "<>" | "!=") NUMBER
    item        = [ "P" ] NUMBER ":" register | location | "[" location "]" | location "[" NUMBER "]"

`\/` binds loosest, then `/\`, then `=>` (to the right), then `~`, as in herd's grammar (lib/stateParser.mly).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from xgen.frontends.litmus.initial import read_value, register_name, thread_number
from xgen.frontends.litmus.tokens import Text, Words
from xgen.frontends.litmus.values import NUMBER, Cell, Observable, Register, Value, number
from xgen.records import dataclass

_WORD = re.compile(rf"/\\|\\/|=>|==|<>|!=|{NUMBER}|%?[A-Za-z_$][\w.$]*|[=~;:,*&\[\]{{}}()]")
_NAME = re.compile(r"%?[A-Za-z_$][\w.$]*\Z")

_LITERAL = re.compile(rf"{NUMBER}\Z")

Quantifier = Literal["exists", "~exists", "forall"]


@dataclass(frozen=True, slots=True)
class Atom:
    """`item = value`, or `item = item`; an array's value is a tuple."""

    item: Observable
    value: Value | Observable | tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Not:
    operand: Proposition


@dataclass(frozen=True, slots=True)
class And:
    """All of them hold; `true` is the one of nothing."""

    operands: tuple[Proposition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """One of them holds; `false` is the one of nothing."""

    operands: tuple[Proposition, ...]


@dataclass(frozen=True, slots=True)
class Implies:
    premise: Proposition
    conclusion: Proposition


Proposition: TypeAlias = Atom | Not | And | Or | Implies


@dataclass(frozen=True, slots=True)
class Question:
    """What a test asks: a quantified proposition about final states.

    `listed` are the items of `locations [...]`, with types where they are given; states for which `filter` does not
    hold do not count.
    """

    quantifier: Quantifier
    proposition: Proposition
    filter: Proposition | None = None
    listed: tuple[tuple[Observable, str | None], ...] = ()

    @property
    def kind(self) -> Literal["Allowed", "Forbidden", "Required"]:
        """What herd calls the quantifier."""
        kinds: dict[Quantifier, Literal["Allowed", "Forbidden", "Required"]]
        kinds = {"exists": "Allowed", "~exists": "Forbidden", "forall": "Required"}
        return kinds[self.quantifier]

    def validated(self, positive: int, negative: int) -> bool:
        """Whether it holds, given how many executions satisfy the bare proposition and how many do not."""
        match self.quantifier:
            case "exists":
                return positive > 0
            case "~exists":
                return positive == 0
            case "forall":
                return negative == 0

    def atoms(self) -> Iterator[Atom]:
        """All atoms of the proposition and of the filter."""
        yield from atoms(self.proposition)
        if self.filter is not None:
            yield from atoms(self.filter)

    def __str__(self) -> str:
        return f"{self.quantifier} ({show(self.proposition)})"


def atoms(proposition: Proposition) -> Iterator[Atom]:
    """The atoms of a proposition, from left to right."""
    match proposition:
        case Atom():
            yield proposition
        case Not(operand):
            yield from atoms(operand)
        case And(operands) | Or(operands):
            for operand in operands:
                yield from atoms(operand)
        case Implies(premise, conclusion):
            yield from atoms(premise)
            yield from atoms(conclusion)


def holds(proposition: Proposition, true: Callable[[Atom], bool]) -> bool:
    """Whether a proposition holds where `true` says which atoms do."""
    match proposition:
        case Atom():
            return true(proposition)
        case Not(operand):
            return not holds(operand, true)
        case And(operands):
            return all(holds(operand, true) for operand in operands)
        case Or(operands):
            return any(holds(operand, true) for operand in operands)
        case Implies(premise, conclusion):
            return not holds(premise, true) or holds(conclusion, true)


def show(proposition: Proposition, above: type[Proposition] | None = None) -> str:
    """A proposition as herd prints it. `above` is what it is an operand of."""
    match proposition:
        case Atom(item, value):
            shown = "{" + ",".join(map(str, value)) + "}" if isinstance(value, tuple) else value
            name = item.name if isinstance(value, tuple) else item
            return f"{name}={shown}"
        case Not(operand):
            return f"not ({show(operand)})"
        case And(()):
            return "true"
        case Or(()):
            return "false"
        case And(operands):
            text = " /\\ ".join(show(operand, And) for operand in operands)
            return f"({text})" if above is Implies else text
        case Or(operands):
            text = " \\/ ".join(show(operand, Or) for operand in operands)
            return f"({text})" if above in (And, Implies) else text
        case Implies(premise, conclusion):
            text = f"{show(premise, Implies)} => {show(conclusion, Implies)}"
            return f"({text})" if above in (And, Or) else text


def read_question(text: Text, start: int, end: int) -> Question:
    """The question between two places of a text; without any, `forall (true)`."""
    reader = _Reader(Words(text, _WORD, start, end))
    return reader.question()


class _Reader:
    def __init__(self, words: Words) -> None:
        self.words = words

    def question(self) -> Question:
        words = self.words
        listed = self.locations() if words.accept("locations") else ()
        filter_ = self.proposition() if words.accept("filter") else None
        if words.accept("observed", "Observed"):
            return Question("exists", self.observations(), filter_, listed)
        quantifier = self.quantifier()
        proposition = self.proposition() if quantifier else And(())
        words.accept(";")
        if not words.accept("with") and words.word:
            words.wrong("expected the end of the condition")
        return Question(quantifier or "forall", proposition, filter_, listed)

    def quantifier(self) -> Quantifier | None:
        words = self.words
        if not words.word:
            return None
        if words.accept("exists", "final") or words.word == "(":
            return "exists"
        if words.accept("forall"):
            return "forall"
        if words.accept("~", "not") and words.accept("exists"):
            return "~exists"
        return words.wrong("expected `exists`, `~exists` or `forall`")

    def locations(self) -> tuple[tuple[Observable, str | None], ...]:
        words, items = self.words, list[tuple[Observable, str | None]]()
        words.expect("[")
        while not words.accept("]"):
            if words.word == "fault":
                words.text.unsupported("faults are not supported", *words.place)
            item = self.item()
            type_ = words.take() if _NAME.match(words.word) else None
            if words.accept("*"):
                type_ = f"{type_ or 'int'} *"
            items.append((item, type_))
            if words.word != "]":
                words.expect(";", "expected `;` or `]`")
        return tuple(items)

    def observations(self) -> Proposition:
        """Final states as tools list them: `0:r1=0; x=1; and 0:r1=1; x=2;`. The proposition is that one is reached."""
        words, states = self.words, list[Proposition]()
        while not states or words.accept("and"):
            parts = [self.atom()]
            while words.accept(";") and words.word not in ("and", ""):
                parts.append(self.atom())
            states.append(And(tuple(parts)) if len(parts) > 1 else parts[0])
        if words.word:
            words.wrong("expected `;`, `and` or the end of the condition")
        return Or(tuple(states)) if len(states) > 1 else states[0]

    # ---- propositions, loosest first

    def proposition(self) -> Proposition:
        result = self.conjunction()
        while self.words.accept("\\/"):
            result = Or((result, self.conjunction()))
        return result

    def conjunction(self) -> Proposition:
        result = self.implication()
        while self.words.accept("/\\"):
            result = And((result, self.implication()))
        return result

    def implication(self) -> Proposition:
        result = self.negation()
        return Implies(result, self.implication()) if self.words.accept("=>") else result

    def negation(self) -> Proposition:
        words = self.words
        negations = 0
        while words.accept("~", "not"):
            negations += 1
        result: Proposition
        if words.accept("("):
            result = self.proposition()
            words.expect(")", "expected `/\\`, `\\/` or `)`")
        elif words.word in ("true", "false") and words.ahead() not in ("=", "<>", "=="):
            result = And(()) if words.take() == "true" else Or(())
        else:
            result = self.atom()
        for _ in range(negations):
            result = Not(result)
        return result

    def atom(self) -> Proposition:
        words = self.words
        if words.word == "fault":
            words.text.unsupported("faults are not supported", *words.place)
        if _LITERAL.match(words.word) and words.ahead() in ("=", "==", "<>", "!="):
            return self.constant()
        item = self.item()
        if words.accept("=", "=="):
            return Atom(item, self.value())
        if words.accept("<>", "!="):
            return Not(Atom(item, self.value()))
        return words.wrong("expected `=` or `<>`")

    def constant(self) -> Proposition:
        """`0 == 1`: what always holds, or never does."""
        words = self.words
        first = number(words.take())
        same = words.accept("=", "==") or not words.accept("<>", "!=")
        if not _LITERAL.match(words.word):
            words.wrong("expected a number, as before")
        return And(()) if (first == number(words.take())) == bool(same) else Or(())

    def value(self) -> Value | Observable | tuple[Value, ...]:
        words = self.words
        if words.accept("{"):
            values = [read_value(words)]
            while words.accept(","):
                values.append(read_value(words))
            words.expect("}", "expected `,` or `}`")
            return tuple(values)
        if words.word in ("*", "[") or (words.ahead() == ":" and words.word.removeprefix("P").isdecimal()):
            words.accept("*")
            return self.item()
        return read_value(words)

    def item(self) -> Observable:
        words = self.words
        position = words.position
        if words.ahead() == ":" and words.word.removeprefix("P").isdecimal():
            return Register(thread_number(words), register_name(words), position)
        bracket = words.accept("[")
        if words.word.startswith("%") or not _NAME.match(words.word):
            words.wrong("expected a register (`0:r1`) or a location (`x`)")
        name = words.take()
        if words.word in (":", "("):
            words.text.unsupported("locations of this form (tags, page tables) are not supported", *words.place)
        if bracket:
            words.expect("]")
        elif words.accept("["):
            if not words.word.isdecimal():
                words.wrong("expected the number of a cell")
            index = int(words.take())
            words.expect("]")
            return Cell(name, index, position)
        return Cell(name, None, position)
