"""Formulas: names and types resolved, negations pushed inwards, and then the disjunctive normal form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from xgen.errors import Position, nearest
from xgen.frontends.cub import syntax
from xgen.frontends.cub.names import Names, Typed
from xgen.frontends.cub.syntax import Name
from xgen.records import dataclass, replace
from xgen.systems.parameterised import (
    INT,
    PROC,
    REAL,
    Access,
    Condition,
    Conjunction,
    Kind,
    Literal,
    Number,
    Process,
    Rule,
    Term,
    Type,
    Universal,
    Value,
)

MAX_DISJUNCTS = 4096
"""Larger normal forms are refused."""

MAX_DIGITS = 12
"""Of a number, and of those behind the point of any real in the text: sums of numbers stay far from 64 bits."""

Bound = int | Typed
"""What a small name stands for: a process variable, or a term that `let` or a call gave it."""


@dataclass
class Scope:
    """The names that can be used; `variables` counts the process variables that have been handed out.

    `reader` reads weak cells where no one else is named; None: someone has to be. `may_quantify` and `may_fence` say
    what the formula may contain, `place` is what it is part of, in words. `acting`: it is part of a transition;
    `initial`: of what holds at first.
    """

    names: dict[str, Bound]
    variables: list[int]
    reader: int | None
    place: str
    may_quantify: tuple[str, ...] = ()
    may_fence: bool = False
    acting: bool = False
    initial: bool = False

    def inner(self, names: dict[str, Bound]) -> Scope:
        """The scope with more names."""
        return replace(self, names={**self.names, **names})

    def fresh(self) -> int:
        """A process variable that is used nowhere else."""
        self.variables[0] += 1
        return self.variables[0] - 1


@dataclass(frozen=True, slots=True)
class Atom:
    """A literal, a truth value, or a fence (None)."""

    literal: Literal | bool | None


@dataclass(frozen=True, slots=True)
class Both:
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Either:
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class All:
    """For all values of the variables; number v is apart from the processes `apart[v]`."""

    variables: tuple[int, ...]
    apart: tuple[tuple[int, ...], ...]
    body: Node


@dataclass(frozen=True, slots=True)
class Some:
    """There is a process apart from all that have a name there."""

    variable: int
    body: Node


Node = Atom | Both | Either | All | Some
_NEGATED = {"=": "<>", "<>": "=", "<": "<=", "<=": "<"}


class Formulas:
    """Resolves the formulas and terms of a text."""

    def __init__(self, names: Names) -> None:
        self.names = names
        digits = re.findall(r"\.([0-9]+)", names.source.text)
        self.scale = 10 ** max(map(len, digits), default=0)
        self._depth = 0

    # --- terms -------------------------------------------------------------------------------------------------------

    def process(self, name: Name, scope: Scope) -> int:
        """The process variable that a name stands for."""
        if name.text.startswith("#"):
            return self.names.fix(name)
        found = scope.names.get(name.text)
        if isinstance(found, int):
            return found
        if found is not None and isinstance(found.term, Process):
            return found.term.process
        if found is not None:
            raise self.names.error(f"`{name.text}` is not a process", name.position)
        hint = nearest(name.text, scope.names)
        raise self.names.error(f"there is no process `{name.text}` here", name.position, hint)

    def term(self, term: syntax.Term, scope: Scope) -> Typed:
        """A term and its type."""
        if isinstance(term, Name):
            found = scope.names.get(term.text)
            return found if isinstance(found, Typed) else Typed(Process(self.process(term, scope)), PROC)
        if isinstance(term, syntax.Constant):
            return self._constant(term)
        if isinstance(term, syntax.Sum):
            return self._sum(term, scope)
        if not term.index and term.reader is None and term.name.text in self.names.values:
            type_, number = self.names.values[term.name.text]
            return Typed(Value(number), type_)
        return self.cell(term, scope)

    def cell(self, cell: syntax.Cell, scope: Scope) -> Typed:
        """A cell, with the process that reads it if it is weak."""
        number, array = self.names.array(cell.name, len(cell.index))
        index = tuple(self.process(name, scope) for name in cell.index)
        reader = None if cell.reader is None else self.process(cell.reader, scope)
        if not array.weak:
            return Typed(Access(number, index, 0, None, cell.name.position), array.type)
        if scope.initial:
            if cell.reader is not None:
                raise self.names.error("at first all processes see the same", cell.reader.position)
        elif reader is None:
            reader = scope.reader
            if reader is None:
                message = f"it does not say which process accesses `{cell.name.text}`"
                raise self.names.error(message, *self._who(cell, scope))
        elif scope.acting and reader != scope.reader:
            assert cell.reader is not None
            raise self.names.error("only the process that acts reads weak variables", cell.reader.position)
        return Typed(Access(number, index, 0, reader, cell.name.position), array.type)

    def _who(self, cell: syntax.Cell, scope: Scope) -> tuple[Position, str]:
        if scope.acting:
            return cell.name.position, "the parameter that acts is written in brackets: `transition t ([p] q)`"
        return cell.name.position, f"write `p @ {cell.name.text}`"

    def _constant(self, constant: syntax.Constant) -> Typed:
        digits = constant.digits.text
        if len(digits.strip("-")) + len(str(self.scale)) > MAX_DIGITS + 1:
            raise self.names.unsupported(f"numbers have at most {MAX_DIGITS} digits", constant.digits.position)
        value = Fraction(digits.rstrip(".") or "0")
        return Typed(Number(0), REAL if "." in digits else None, value)

    def _sum(self, term: syntax.Sum, scope: Scope) -> Typed:
        left, right = self.term(term.left, scope), self.term(term.right, scope)
        if left.fraction is not None and term.sign > 0:
            left, right = right, left
        if right.fraction is None:
            raise self.names.unsupported("a sum or difference of two variables", term.position, "`X + 1` is fine")
        amount = term.sign * right.fraction
        if left.fraction is not None:
            return Typed(Number(0), left.type or right.type, left.fraction + amount)
        if not isinstance(left.term, Access) or left.type is None or left.type.kind not in (Kind.INT, Kind.REAL):
            raise self.names.error("only numbers are added", term.position)
        if left.type.kind is Kind.INT and amount.denominator != 1:
            raise self.names.error("an int and a real do not go together", term.position)
        return Typed(replace(left.term, offset=left.term.offset + self._scaled(amount, left.type)), left.type)

    def _scaled(self, value: Fraction, type_: Type) -> int:
        return int(value * self.scale) if type_.kind is Kind.REAL else int(value)

    def fitted(self, value: Typed, type_: Type, position: Position) -> Term:
        """The value as one of that type; an error where it is none."""
        if value.fraction is not None and type_.kind in (Kind.INT, Kind.REAL):
            if type_.kind is Kind.INT and (value.type is REAL or value.fraction.denominator != 1):
                raise self.names.error("an int and a real do not go together", position)
            return Number(self._scaled(value.fraction, type_))
        if value.type != type_:
            found = value.type.name if value.type else "a number"
            raise self.names.error(f"this is of type {found}, expected {type_.name}", position)
        return value.term

    # --- formulas ----------------------------------------------------------------------------------------------------

    def resolve(self, formula: syntax.Formula, scope: Scope, positive: bool = True) -> Node:
        """The formula, or with `positive` False its negation, with negations pushed to the literals."""
        match formula:
            case syntax.Comparison():
                return Atom(self._comparison(formula, scope, positive))
            case syntax.Truth(value):
                return Atom(value == positive)
            case syntax.Fence(position):
                if not scope.may_fence or not positive:
                    raise self.names.error("`fence()` is a condition of a guard, and is not negated", position)
                return Atom(None)
            case syntax.Junction(every, parts):
                nodes = tuple(self.resolve(part, scope, positive) for part in parts)
                return Both(nodes) if every == positive else Either(nodes)
            case syntax.Negation(part):
                return self.resolve(part, scope, not positive)
            case syntax.Quantified():
                return self._quantified(formula, scope, positive)
            case syntax.Call():
                return self._call(formula, scope, positive)

    def _comparison(self, formula: syntax.Comparison, scope: Scope, positive: bool) -> Literal | bool:
        left, right = self.term(formula.left, scope), self.term(formula.right, scope)
        relation = formula.relation
        if relation in (">", ">="):
            left, right, relation = right, left, {">": "<", ">=": "<="}[relation]
        type_ = left.type if left.fraction is None else right.type if right.fraction is None else None
        if type_ is None:
            type_ = left.type or right.type or INT
        a = self.fitted(left, type_, formula.position)
        b = self.fitted(right, type_, formula.position)
        if relation in ("<", "<="):
            self._check_order(type_, a, b, formula.position)
        if not positive:
            if relation in ("<", "<="):
                a, b = b, a
            relation = _NEGATED[relation]
        return Literal(relation, a, b)

    def _check_order(self, type_: Type, a: Term, b: Term, position: Position) -> None:
        if type_.kind is Kind.PROC:
            if not (isinstance(a, Process) and isinstance(b, Process)):
                raise self.names.unsupported("only processes themselves are in an order, not what cells hold", position)
            self.names.ordered = self.names.ordered or position
        elif type_.kind not in (Kind.INT, Kind.REAL):
            raise self.names.error(f"values of type {type_.name} have no order", position)

    def _quantified(self, formula: syntax.Quantified, scope: Scope, positive: bool) -> Node:
        word = formula.word.text
        universal = word.startswith("forall") == positive
        kind = "forall" if universal else "exists"
        if kind not in scope.may_quantify:
            raise self.names.unsupported(f"`{kind}` inside {scope.place}", formula.word.position)
        around = [*{v for v in scope.names.values() if isinstance(v, int)}]
        other = word.endswith("_other")
        if universal:
            return self._for_all(formula, scope, positive, around if other else [])
        return self._exists(formula, scope, positive, list(formula.names), around if other else None, [])

    def _for_all(self, formula: syntax.Quantified, scope: Scope, positive: bool, apart: list[int]) -> Node:
        variables = tuple(scope.fresh() for _ in formula.names)
        names: dict[str, Bound] = dict(zip((n.text for n in formula.names), variables, strict=True))
        before = [tuple(apart) + (variables[:i] if formula.distinct else ()) for i in range(len(variables))]
        inside = replace(scope.inner(names), may_quantify=(), place="a formula for all processes")
        return All(variables, tuple(before), self.resolve(formula.body, inside, positive))

    def _exists(
        self,
        formula: syntax.Quantified,
        scope: Scope,
        positive: bool,
        left: list[Name],
        apart: list[int] | None,
        taken: list[int],
    ) -> Node:
        """A process for each of the names: another one than all around, or unless it is `exists_other` one of these."""
        if not left:
            return self.resolve(formula.body, scope, positive)
        name, *rest = left
        around = [v for v in scope.names.values() if isinstance(v, int)]
        choices = [] if apart is not None else [v for v in dict.fromkeys(around) if v not in taken]
        nodes: list[Node] = []
        for choice in choices:
            inside = scope.inner({name.text: choice})
            nodes.append(self._exists(formula, inside, positive, rest, apart, self._taken(formula, taken, choice)))
        fresh = scope.fresh()
        inside = scope.inner({name.text: fresh})
        body = self._exists(formula, inside, positive, rest, apart, self._taken(formula, taken, fresh))
        nodes.append(Some(fresh, body))
        return Either(tuple(nodes))

    def _taken(self, formula: syntax.Quantified, taken: list[int], choice: int) -> list[int]:
        return [*taken, choice] if formula.distinct else taken

    def _call(self, call: syntax.Call, scope: Scope, positive: bool) -> Node:
        predicate = self.names.predicates.get(call.name.text)
        if predicate is None:
            hint = nearest(call.name.text, self.names.predicates)
            raise self.names.error(f"there is no predicate `{call.name.text}`", call.name.position, hint)
        if len(call.arguments) != len(predicate.parameters):
            message = f"`{call.name.text}` takes {len(predicate.parameters)} arguments, not {len(call.arguments)}"
            raise self.names.error(message, call.name.position)
        names: dict[str, Bound] = {}
        for parameter, argument in zip(predicate.parameters, call.arguments, strict=True):
            if not isinstance(argument, Name | syntax.Cell | syntax.Constant | syntax.Sum):
                raise self.names.unsupported("a formula as an argument", call.name.position)
            value = self.term(argument, scope)
            names[parameter.text] = value.term.process if isinstance(value.term, Process) else value
        self._depth += 1
        if self._depth > 50:
            raise self.names.error(f"`{call.name.text}` uses itself", call.name.position)
        node = self.resolve(predicate.formula, replace(scope, names=names), positive)
        self._depth -= 1
        return node

    # --- normal forms ------------------------------------------------------------------------------------------------

    def condition(self, node: Node, position: Position) -> Condition:
        """The disjunctive normal form of a formula without quantifiers and fences."""
        rules = self.rules(node, 0, position)
        return tuple(rule.literals for rule in rules)

    def rules(self, node: Node, parameters: int, position: Position) -> tuple[Rule, ...]:
        """The disjuncts of a guard, each with its own existential processes as further parameters."""
        found = []
        for disjunct in _disjuncts(node):
            found.append(disjunct)
            if len(found) > MAX_DISJUNCTS:
                raise self.names.unsupported(f"a condition of more than {MAX_DISJUNCTS} cases", position)
        return tuple(
            Rule(parameters, literals, universals) if not some else _renumbered(literals, universals, some, parameters)
            for literals, universals, some in found
        )


_Disjunct = tuple[Conjunction, tuple[Universal, ...], tuple[int, ...]]


def _disjuncts(node: Node) -> Iterator[_Disjunct]:
    """The disjunctive normal form, lazily: literals, universal parts, existential variables."""
    match node:
        case Atom(literal):
            if literal is not False:
                yield (literal,) if isinstance(literal, Literal) else (), (), ()
        case Either(parts):
            for part in parts:
                yield from _disjuncts(part)
        case Both(parts):
            yield from _conjunctions(parts)
        case Some(variable, body):
            for literals, universals, some in _disjuncts(body):
                yield literals, universals, (variable, *some)
        case All(variables, apart, body):
            condition = tuple(literals for literals, _, _ in _disjuncts(body))
            yield (), (Universal(variables, apart, condition),), ()


def _conjunctions(parts: Sequence[Node]) -> Iterator[_Disjunct]:
    if not parts:
        yield (), (), ()
        return
    for literals, universals, some in _disjuncts(parts[0]):
        for more, others, further in _conjunctions(parts[1:]):
            for merged in _identifications(some, further):
                yield (
                    (*literals, *(_substituted(literal, merged) for literal in more)),
                    (*universals, *(_moved(universal, merged) for universal in others)),
                    (*some, *(v for v in further if v not in merged)),
                )


def _identifications(some: tuple[int, ...], further: tuple[int, ...]) -> Iterator[dict[int, int]]:
    """The ways in which processes of one part can be those of another: different quantifiers may mean the same."""
    for choice in product((None, *some), repeat=len(further)):
        chosen = [v for v in choice if v is not None]
        if len(set(chosen)) == len(chosen):
            yield {v: to for v, to in zip(further, choice, strict=True) if to is not None}


def _moved(universal: Universal, to: dict[int, int]) -> Universal:
    condition = tuple(tuple(_substituted(literal, to) for literal in part) for part in universal.condition)
    apart = tuple(tuple(to.get(v, v) for v in part) for part in universal.apart)
    return Universal(tuple(to.get(v, v) for v in universal.variables), apart, condition)


def _substituted(literal: Literal, to: dict[int, int]) -> Literal:
    return Literal(literal.relation, _term(literal.left, to), _term(literal.right, to))


def _term(term: Term, to: dict[int, int]) -> Term:
    if isinstance(term, Process):
        return Process(to.get(term.process, term.process))
    if isinstance(term, Access):
        reader = None if term.reader is None else to.get(term.reader, term.reader)
        return Access(term.array, tuple(to.get(p, p) for p in term.index), term.offset, reader, term.position)
    return term


def _renumbered(literals: Conjunction, universals: tuple[Universal, ...], some: tuple[int, ...], first: int) -> Rule:
    """The rule with its existential variables behind the parameters, and the universal ones out of their way."""
    to = {variable: first + number for number, variable in enumerate(some)}
    bound = [v for universal in universals for v in universal.variables]
    to |= {variable: first + len(some) + number for number, variable in enumerate(bound)}
    renamed = tuple(_substituted(literal, to) for literal in literals)
    return Rule(first + len(some), renamed, tuple(_moved(universal, to) for universal in universals))


def fenced(node: Node) -> bool | None:
    """Whether `fence()` is among what has to hold; None where it is one of several possibilities."""
    match node:
        case Atom(literal):
            return literal is None
        case Both(parts):
            found = [fenced(part) for part in parts]
            return None if None in found else any(found)
        case Either(parts):
            found = [fenced(part) for part in parts]
            return found[0] if len(set(found)) == 1 else None
        case Some(_, body) | All(_, _, body):
            return fenced(body)
