"""Linear temporal logic under relaxed memory: does a formula hold in all fair runs of a system?

A formula's negation becomes an automaton (a tableau, one acceptance mark for each until), and the engine of explicit
states looks for a fair run that it accepts. Source: J.-M. Couvreur, FM 1999, after R. Gerth, D. Peled, M. Y. Vardi,
P. Wolper, PSTV 1995.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from lark import Lark, Token, Transformer, Tree
from lark.exceptions import VisitError

from xgen.engine.explicit.states import Automaton, Edge, Moment, Order, search
from xgen.errors import Position, ProgramError, Source, UnsupportedError, nearest
from xgen.grammars import Syntax, Wrong, check_nesting, load_grammar, position_of, read
from xgen.records import dataclass, replace
from xgen.systems.processes import Expression, Number, Operation, Read, Stands, System

Formula: TypeAlias = tuple[Any, ...]
"""`("true",)`, `("false",)`, `("is", n)` and `("not", n)` of propositions, `and`, `or`, `U`, `R` of two formulas."""
MAX_NESTING = 100
MAX_DEPTH = 200
"""Levels of parentheses in a formula."""
DEFAULT_ROOM = 4
"""Delayed stores of a process."""
MOST_STATES = 100_000_000
DOUBTFUL = (
    "it fails only where an atomic block reads what its own process has stored and what is not in memory yet; the "
    "model may forbid that"
)
TRUE, FALSE = ("true",), ("false",)


@dataclass(frozen=True, slots=True)
class LtlResult:
    """Whether a formula holds. `verdict`: holds, holds-within-bound, fails, error or interrupted.

    `prefix` leads from the start to the cycle, `cycle` goes round for ever; with `error`, the prefix leads to what goes
    wrong. `complete`: no process ever had to wait for room in its buffer, so more room shows nothing more. `stopped`:
    Ctrl-C came, perhaps when the answer was found.
    """

    system: System
    formula: str
    memory: Order
    buffer: int
    fair: bool
    verdict: str
    complete: bool
    reason: str | None
    states: int
    product: int
    transitions: int
    automaton: int
    prefix: tuple[Moment, ...]
    cycle: tuple[Moment, ...]
    seconds: float
    timed_out: bool = False
    stopped: bool = False


def check_formula(
    system: System,
    formula: str,
    memory: Order = "sc",
    room: int = DEFAULT_ROOM,
    fair: bool = True,
    limit: int = MOST_STATES,
    timeout: float | None = None,
    report: Callable[[int, float], None] | None = None,
    workers: int = 1,
) -> LtlResult:
    """Does a formula hold in all runs, with buffers of so many stores?

    Every buffer is flushed in the end; with `fair`, each process that can move again and again does. With more workers
    (threads) the answer is the same. Raises ProgramError where the formula makes no sense.
    """
    start = time.monotonic()
    parsed, propositions = parse_formula(formula, system)
    automaton = translate(negated(parsed))
    asked = system, propositions, automaton, memory, room, fair, limit
    found = search(*asked, timeout, report, workers)
    refused = None
    if found.doubtful and found.end in ("accepted", "fault") and found.stopped:
        found = replace(found, end="interrupted", prefix=(), cycle=())
    elif found.doubtful and found.end in ("accepted", "fault"):
        left = None if timeout is None else max(0.0, timeout - (time.monotonic() - start))
        found = search(*asked, left, report, workers, strict=True)
        refused = DOUBTFUL if found.end == "empty" else None
    verdicts = {"empty": "holds", "accepted": "fails", "fault": "error"}
    verdict = "interrupted" if refused else verdicts.get(found.end, "interrupted")
    if verdict == "holds" and found.waited:
        verdict = "holds-within-bound"
    reasons = {
        "time": "the time is over",
        "states": f"there are more than {limit:,} states",
        "interrupted": "it was interrupted",
    }
    return LtlResult(
        system,
        formula,
        memory,
        0 if memory == "sc" else room,
        fair,
        verdict,
        not found.waited and verdict == "holds",
        refused or found.fault or reasons.get(found.end),
        found.states,
        found.product,
        found.transitions,
        len(automaton.edges),
        found.prefix,
        found.cycle,
        time.monotonic() - start,
        found.end == "time",
        found.stopped,
    )


# --- Formulas --------------------------------------------------------------------------------------------------------


def parse_formula(text: str, system: System) -> tuple[Formula, list[Expression]]:
    """A formula of a system, in negation normal form, and its propositions."""
    source = Source("the formula", text)
    check_nesting(source, text, MAX_NESTING)
    tree = read(_parser(), source, _SYNTAX)
    if _depth(tree) > MAX_DEPTH:
        raise ProgramError(f"more than {MAX_DEPTH} operators inside each other", source, Position(1, 1))
    builder = _Builder(source, system)
    try:
        return _collapsed(normal(builder.transform(tree)), builder.propositions)
    except VisitError as error:
        raise error.orig_exc from None


def _depth(tree: Tree[Any]) -> int:
    """How many trees are inside each other."""
    deepest, todo = 0, [(tree, 1)]
    while todo:
        part, depth = todo.pop()
        deepest = max(deepest, depth)
        todo += [(child, depth + 1) for child in part.children if isinstance(child, Tree)]
    return deepest


def _balanced(operator: str, parts: list[Formula]) -> Formula:
    """The parts joined by an operator, in as few levels as possible."""
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    return operator, _balanced(operator, parts[:half]), _balanced(operator, parts[half:])


def _collapsed(formula: Formula, propositions: list[Expression]) -> tuple[Formula, list[Expression]]:
    """The formula with one proposition for each largest part that speaks of one moment only.

    The ways to meet a formula are counted by what is left: they must not be those of meeting a long condition.
    """
    found: list[Expression] = []

    def collapse(part: Formula) -> Formula:
        if part[0] in ("U", "R") or (part[0] in ("and", "or") and _is_temporal(part)):
            return (part[0], *(collapse(inner) for inner in part[1:]))
        if part[0] in ("true", "false"):
            return part
        negative = part[0] == "not"
        expression = _condition(("is", part[1]) if negative else part, propositions)
        if expression not in found:
            found.append(expression)
        return "not" if negative else "is", found.index(expression)

    return collapse(formula), found


def _is_temporal(formula: Formula) -> bool:
    kind = formula[0]
    return kind in ("U", "R") or (kind in ("and", "or") and any(_is_temporal(part) for part in formula[1:]))


def _condition(formula: Formula, propositions: list[Expression]) -> Expression:
    """A formula without temporal operators, as an expression."""
    kind = formula[0]
    if kind in ("true", "false"):
        return Number(int(kind == "true"))
    if kind in ("is", "not"):
        known = propositions[formula[1]]
        return known if kind == "is" else Operation("!", (known,))
    return Operation("&&" if kind == "and" else "||", tuple(_condition(part, propositions) for part in formula[1:]))


@cache
def _parser() -> Lark:
    return load_grammar(Path(__file__).with_name("ltl.lark"), start="formula", lexer="basic")


SPELLED = {
    **{"GF": "G F", "FG": "F G", "GFG": "F G", "FGF": "G F"},
    **{"always": "G", "globally": "G", "eventually": "F", "finally": "F", "until": "U", "release": "R"},
    **{"=>": "->", "<=>": "<->", "implies": "imply"},
}
"""What some write for the operators of formulas."""


def _hint(wrong: Wrong) -> str | None:
    """What is written instead of a word that is, or stands before, what was not expected; which bracket is missing."""
    token, text, ends = wrong.token, wrong.source.text, wrong.token.type == "$END"
    if not token.type:
        return None
    start = len(text) if token.start_pos is None or ends else token.start_pos
    words = [
        sign for sign in ("<=>", "=>") if any(text[max(0, start - n) :].startswith(sign) for n in range(len(sign)))
    ]
    words += [str(token), *re.findall(r"\w+", text[:start])[-1:]]
    spelled = next((f"`{word}` is written `{SPELLED[word]}`" for word in words if word in SPELLED), None)
    missing = next((f"a {sign} is missing" for name, sign in _CLOSING.items() if name in wrong.accepted), None)
    return spelled or (missing if ends else None)


_CLOSING = {"RPAR": "`)`", "RSQB": "`]`"}
_VALUE = frozenset({"NUMBER", "MINUS", "NAME", "ONE_OF", "ENDED"})
_SYNTAX = Syntax(
    _hint,
    groups=(
        ("a formula", frozenset({"ALWAYS"}), _VALUE | {"ALWAYS", "LPAR"}),
        ("a value", frozenset({"NUMBER"}), _VALUE),
        ("an operator (`&`, `->`, `U` ..)", frozenset({"UNTIL"}), frozenset({"LSQB"})),
    ),
    words={"NAME": "a name", "LPAR": "`(`", "LSQB": "`[`", "AT": "`@`", **_CLOSING, "$END": "the end"},
    text="formula",
    aside=True,
)


class _Builder(Transformer[Token, Any]):
    """Makes formulas of a tree, and collects the propositions, each once."""

    def __init__(self, source: Source, system: System) -> None:
        super().__init__()
        self.source = source
        self.system = system
        self.propositions: list[Expression] = []

    def error(self, message: str, token: Token, known: list[str]) -> ProgramError:
        place = position_of(token)
        return ProgramError(message, self.source, place, nearest(str(token), known))

    def proposition(self, expression: Expression) -> Formula:
        if expression not in self.propositions:
            self.propositions.append(expression)
        return "is", self.propositions.index(expression)

    def truth(self, parts: list[Any]) -> Formula:
        return TRUE if parts[0] == "true" else FALSE

    def negation(self, parts: list[Any]) -> Formula:
        return "!", parts[-1]

    def always(self, parts: list[Any]) -> Formula:
        return "R", FALSE, parts[-1]

    def eventually(self, parts: list[Any]) -> Formula:
        return "U", TRUE, parts[-1]

    def next_step(self, parts: list[Any]) -> Formula:
        place = Position(parts[0].line, parts[0].column)
        hint = "steps of buffers would count; `F` and `U` do not count steps"
        raise UnsupportedError("`X`, the next step, is not supported", self.source, place, hint)

    def temporal(self, parts: list[Any]) -> Formula:
        left, operator, right = parts
        return ("R", right, ("or", left, right)) if operator == "W" else (str(operator), left, right)

    def conjunction(self, parts: list[Any]) -> Formula:
        return _balanced("and", [part for part in parts if not isinstance(part, Token)])

    def disjunction(self, parts: list[Any]) -> Formula:
        return _balanced("or", [part for part in parts if not isinstance(part, Token)])

    def implication(self, parts: list[Any]) -> Formula:
        return "or", ("!", parts[0]), parts[-1]

    def equivalence(self, parts: list[Any]) -> Formula:
        left, right = parts[0], parts[-1]
        return "or", ("and", left, right), ("and", ("!", left), ("!", right))

    def comparison(self, parts: list[Any]) -> Formula:
        left, sign, right = parts
        operator = {"=": "==", "/=": "!="}.get(str(sign), str(sign))
        return self.proposition(Operation(operator, (left, right)))

    def condition(self, parts: list[Any]) -> Formula:
        return self.proposition(parts[0])

    def sum(self, parts: list[Any]) -> Expression:
        left, sign, right = parts
        return Operation(str(sign), (left, right))

    def number(self, parts: list[Any]) -> Expression:
        value = int(parts[0])
        if value >= 1 << 31:
            raise self.error("this number is too large", parts[0], [])
        return Number(value)

    def negative(self, parts: list[Any]) -> Expression:
        return Number(-int(parts[-1]))

    def shared(self, parts: list[Any]) -> Expression:
        name, *index = parts
        for variable in self.system.variables:
            if variable.is_shared and variable.name == name:
                return self.read(variable, name, index)
        names = [v.name for v in self.system.variables if v.is_shared]
        raise self.error(f"there is no shared variable `{name}`", name, names)

    def read(self, variable: Any, name: Token, index: list[Expression]) -> Expression:
        if variable.is_array != bool(index):
            place, size = position_of(name), len(variable.initial)
            hint = f"its cells are `{name}[0]` to `{name}[{size - 1}]`" if variable.is_array else None
            said = "is an array" if variable.is_array else "is no array"
            raise ProgramError(f"`{name}` {said}", self.source, place, hint)
        if index and isinstance(index[0], Number) and not 0 <= index[0].value < len(variable.initial):
            raise self.error(
                f"`{name}` has no cell {index[0].value}, the last one is {len(variable.initial) - 1}", name, []
            )
        return Read(variable, index[0] if index else None)

    def process(self, name: Token) -> int:
        names = [process.name for process in self.system.processes]
        if str(name) not in names:
            raise self.error(f"there is no process `{name}`", name, names)
        return names.index(str(name))

    def at(self, parts: list[Any]) -> Expression:
        """`P@CS`"""
        process, place = self.process(parts[0]), parts[-1]
        places = self.system.processes[process].places
        if str(place) not in places:
            raise self.error(f"process `{parts[0]}` has no place `{place}`", place, list(places))
        return Stands(process, places.index(str(place)))

    def ended(self, parts: list[Any]) -> Expression:
        """`ended(P)`, `ended(all)`"""
        processes = self.system.processes
        if not any(process.ends for process in processes):
            raise self.error("no process of this system has an end", parts[0], [])
        wanted = range(len(processes)) if parts[-1] == "all" else [self.process(parts[-1])]
        whole: Expression = Number(1)
        for number in wanted:
            here: Expression = Number(0)
            for place in sorted(processes[number].ends):
                here = Operation("||", (here, Stands(number, place)))
            whole = Operation("&&", (whole, here))
        return whole

    def of(self, parts: list[Any]) -> Expression:
        """`P:x`, or `P.x` and `P.CS` as DVE writes them; `a[1].x` is a field, too."""
        first, sign, name, *index = parts
        array, _, number = str(first).rstrip("]").partition("[")
        for variable in self.system.variables:
            if sign == "." and variable.is_shared and variable.name == f"{array}.{name}":
                return self.read(variable, name, [Number(int(number))] if number else [])
        process = self.process(first)
        cell = f"{name}[{index[0].value}]" if index and isinstance(index[0], Number) else None
        for variable in self.system.variables:
            if variable.process == process and variable.name == cell:
                return Read(variable, None)
            if variable.process == process and variable.name == name:
                return self.read(variable, name, index)
        places = self.system.processes[process].places
        if sign == "." and str(name) in places:
            return Stands(process, places.index(str(name)))
        if any(variable.is_shared and variable.name == name for variable in self.system.variables):
            said = f"`{name}` is shared: it is written without a process"
            raise ProgramError(f"process `{first}` has no `{name}`", self.source, position_of(name), said)
        known = [v.name for v in self.system.variables if v.process == process] + list(places)
        raise self.error(f"process `{first}` has no `{name}`", name, known)


def normal(formula: Formula, positive: bool = True) -> Formula:
    """The formula, or its negation, with `not` before propositions only."""
    kind = formula[0]
    if kind == "!":
        return normal(formula[1], not positive)
    if kind in ("is", "not"):
        return ("is" if (kind == "is") == positive else "not", formula[1])
    if kind in ("true", "false"):
        return formula if positive else (FALSE if kind == "true" else TRUE)
    dual = {"and": "or", "or": "and", "U": "R", "R": "U"}
    return (kind if positive else dual[kind], *(normal(part, positive) for part in formula[1:]))


def negated(formula: Formula) -> Formula:
    """The negation of a formula in negation normal form, in the same form."""
    return normal(("!", formula))


# --- The automaton ---------------------------------------------------------------------------------------------------

Obligations: TypeAlias = frozenset[Formula]


def translate(formula: Formula) -> Automaton:
    """An automaton for the runs of a formula in negation normal form: a state is a set of formulas to be met."""
    untils = sorted(_untils(formula), key=repr)
    states: dict[Obligations, int] = {frozenset([formula]): 0}
    edges: list[tuple[Edge, ...]] = []
    todo = [frozenset([formula])]
    for state in todo:  # grows while it is walked
        found = []
        for holds, fails, after, postponed in _covers(state):
            if after not in states:
                states[after] = len(states)
                todo.append(after)
            marks = sum(1 << n for n, until in enumerate(untils) if until not in postponed)
            found.append(Edge(holds, fails, states[after], marks))
        edges.append(tuple(dict.fromkeys(found)))
    return _merged(Automaton(tuple(edges), len(untils)))


def _untils(formula: Formula) -> set[Formula]:
    inside = {until for part in formula[1:] if isinstance(part, tuple) for until in _untils(part)}
    return inside | {formula} if formula[0] == "U" else inside


_Cover: TypeAlias = tuple[int, int, Obligations, frozenset[Formula]]
"""What holds and what fails now, what is to be met from the next moment on, and the untils that are put off."""


def _covers(obligations: Obligations) -> list[_Cover]:
    """The ways in which a set of formulas can be met."""
    found: set[_Cover] = set()
    todo: list[tuple[tuple[Formula, ...], int, int, Obligations, frozenset[Formula]]] = [
        (tuple(sorted(obligations, key=repr)), 0, 0, frozenset(), frozenset())
    ]
    while todo:
        (left, holds, fails, after, postponed) = todo.pop()
        if not left:
            found.add((holds, fails, after, postponed))
            continue
        formula, rest = left[0], left[1:]
        kind = formula[0]
        if kind == "true":
            todo.append((rest, holds, fails, after, postponed))
        elif kind == "is" and not fails >> formula[1] & 1:
            todo.append((rest, holds | 1 << formula[1], fails, after, postponed))
        elif kind == "not" and not holds >> formula[1] & 1:
            todo.append((rest, holds, fails | 1 << formula[1], after, postponed))
        elif kind == "and":
            todo.append(((formula[1], formula[2], *rest), holds, fails, after, postponed))
        elif kind == "or":
            todo += [((part, *rest), holds, fails, after, postponed) for part in formula[1:]]
        elif kind == "U":
            todo.append(((formula[2], *rest), holds, fails, after, postponed))
            todo.append(((formula[1], *rest), holds, fails, after | {formula}, postponed | {formula}))
        elif kind == "R":
            todo.append(((formula[1], formula[2], *rest), holds, fails, after, postponed))
            todo.append(((formula[2], *rest), holds, fails, after | {formula}, postponed))
    return sorted((c for c in found if not any(_is_better(d, c) for d in found if d != c)), key=repr)


def _is_better(one: _Cover, other: _Cover) -> bool:
    """Whether one way asks for less than the other in all respects."""
    return one[0] & other[0] == one[0] and one[1] & other[1] == one[1] and one[2] <= other[2] and one[3] <= other[3]


def _merged(automaton: Automaton) -> Automaton:
    """The automaton with states of the same edges made one, again and again."""
    edges = list(automaton.edges)
    while True:
        first: dict[frozenset[Edge], int] = {}
        number = [first.setdefault(frozenset(each), len(first)) for each in edges]
        if len(first) == len(edges):
            return Automaton(tuple(edges), automaton.marks)
        kept: list[tuple[Edge, ...]] = []
        for state, each in enumerate(edges):
            if number[state] == len(kept):
                moved = (Edge(e.holds, e.fails, number[e.target], e.marks) for e in each)
                kept.append(tuple(dict.fromkeys(moved)))
        edges = kept
