"""Reading .cub texts: the grammar is cub.lark, this is what surrounds it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer

from xgen.errors import Position, ProgramError, Source, nearest
from xgen.frontends.cub import syntax
from xgen.frontends.cub.syntax import Name
from xgen.grammars import Group, Syntax, Wrong, check_nesting, load_grammar, position_of, read

KEYWORDS = (
    *("type", "init", "transition", "invariant", "requires", "array", "var", "const", "unsafe", "case", "forall_other"),
    *("exists_other", "forall", "exists", "predicate", "if", "then", "else", "not", "true", "false", "fence", "weak"),
    *("number_procs", "let", "in"),
)
MAX_NESTING = 200
"""Formulas that are nested deeper are refused; nobody writes them by hand."""


def parse(source: Source) -> syntax.Text:
    """The syntax of a .cub text. Raises ProgramError where it does not parse."""
    text = _without_comments(source)
    check_nesting(source, text, MAX_NESTING, "(){}")
    tree = read(_parser(), source, _SYNTAX, text)
    assert isinstance(tree, syntax.Text)
    return tree


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("cub.lark")
    return load_grammar(grammar, start="system", lexer="basic", transformer=_Builder())


def _without_comments(source: Source) -> str:
    """The text with blanks in place of its comments, which may be nested."""
    result: list[str] = []
    opened: list[int] = []
    at = 0
    while at < len(source.text):
        two = source.text[at : at + 2]
        if two == "(*":
            opened.append(at)
        elif two == "*)" and opened:
            opened.pop()
        else:
            character = source.text[at]
            result.append(" " if opened and character != "\n" else character)
            at += 1
            continue
        result.append("  ")
        at += 2
    if opened:
        before = source.text[: opened[0]].split("\n")
        place = Position(len(before), len(before[-1]) + 1, 2)
        raise ProgramError("a comment that is opened here is never closed", source, place, "(* .. *)")
    return "".join(result)


def _name(token: Token) -> Name:
    return Name(str(token), position_of(token))


def _junction(every: bool) -> Callable[[Any, list[Any]], Any]:
    def build(self: Any, parts: list[Any]) -> Any:  # noqa: ARG001
        return parts[0] if len(parts) == 1 else syntax.Junction(every, tuple(parts))

    return build


def implies(left: syntax.Formula, right: syntax.Formula) -> syntax.Formula:
    """left => right"""
    return syntax.Junction(False, (syntax.Negation(left), right))


class _Builder(Transformer[Token, Any]):
    """Makes syntax.Text of a text while it is parsed."""

    def LIDENT(self, token: Token) -> Name:
        return _name(token)

    MIDENT = PROCESS = QUANTIFIER = INT = REAL = LIDENT
    disjunction = _junction(False)
    conjunction = _junction(True)

    def system(self, parts: list[Any]) -> syntax.Text:
        size = parts[0] if parts and isinstance(parts[0], Name) else None

        def of(kind: Any) -> tuple[Any, ...]:
            return tuple(part for part in parts if isinstance(part, kind))

        return syntax.Text(
            size,
            of(syntax.Typedef),
            of(syntax.Declaration),
            of(syntax.Property),
            of(syntax.Predicate),
            of(syntax.Step),
        )

    def size(self, parts: list[Any]) -> Name:
        number: Name = parts[0]
        return number

    def type_definition(self, parts: list[Any]) -> syntax.Typedef:
        return syntax.Typedef(parts[0], tuple(parts[1:]))

    def declaration(self, parts: list[Any]) -> syntax.Declaration:
        weak = parts[0].type == "WEAK" if isinstance(parts[0], Token) else False
        kind, name, *index, type_ = parts[1:] if weak else parts
        return syntax.Declaration(str(kind), name, tuple(index), type_, weak)

    def init(self, parts: list[Any]) -> syntax.Property:
        word, *front, formula = parts
        name = next((part for part in front if isinstance(part, Name)), None)
        parameters = next((part for part in front if isinstance(part, tuple)), ())
        return syntax.Property(str(word), name, parameters, formula, _name(word).position)

    invariant = unsafe = init

    def parameters(self, parts: list[Any]) -> tuple[Name, ...]:
        return tuple(parts)

    def predicate(self, parts: list[Any]) -> syntax.Predicate:
        name, *parameters, formula = parts
        return syntax.Predicate(name, tuple(parameters), formula)

    def parameter(self, parts: list[Any]) -> tuple[Name, bool]:
        return parts[0], False

    def actor(self, parts: list[Any]) -> tuple[Name, bool]:
        return parts[0], True

    def requires(self, parts: list[Any]) -> list[Any]:
        return parts

    def transition(self, parts: list[Any]) -> syntax.Step:
        name, *rest, (lets, updates) = parts
        guard = rest.pop()[0] if rest and isinstance(rest[-1], list) else syntax.Truth(True)
        actors = [parameter for parameter, acts in rest if acts]
        if len(actors) > 1:
            raise ProgramError("only one process of a transition acts", position=actors[1].position)
        names = tuple(parameter for parameter, _ in rest)
        return syntax.Step(name, names, actors[0] if actors else None, guard, lets, updates)

    def let_body(self, parts: list[Any]) -> tuple[Any, Any]:
        name, term, (lets, updates) = parts
        return ((name, term), *lets), updates

    def updates(self, parts: list[Any]) -> tuple[Any, Any]:
        return (), tuple(parts)

    def update(self, parts: list[Any]) -> syntax.Assignment:
        return syntax.Assignment(*parts)

    def target(self, parts: list[Any]) -> syntax.Cell:
        *reader, cell = parts
        return syntax.Cell(cell.name, cell.index, reader[0]) if reader else cell

    def anything(self, parts: list[Any]) -> None:  # noqa: ARG002
        return None

    def cases(self, parts: list[Any]) -> tuple[syntax.Branch, ...]:
        return tuple(parts)

    def case(self, parts: list[Any]) -> syntax.Branch:
        condition, value = parts
        return syntax.Branch(None if isinstance(condition, Token) else condition, value)

    def implies(self, parts: list[Any]) -> syntax.Formula:
        return implies(*parts)

    def equivalent(self, parts: list[Any]) -> syntax.Formula:
        left, right = parts
        return syntax.Junction(True, (implies(left, right), implies(right, left)))

    def conditional(self, parts: list[Any]) -> syntax.Formula:
        condition, then, other = parts
        return syntax.Junction(True, (implies(condition, then), implies(syntax.Negation(condition), other)))

    def comparison(self, parts: list[Any]) -> syntax.Comparison:
        left, relation, right = parts
        return syntax.Comparison(left, str(relation), right, _name(relation).position)

    def true(self, parts: list[Any]) -> syntax.Truth:  # noqa: ARG002
        return syntax.Truth(True)

    def false(self, parts: list[Any]) -> syntax.Truth:  # noqa: ARG002
        return syntax.Truth(False)

    def fence(self, parts: list[Any]) -> syntax.Fence:
        return syntax.Fence(_name(parts[0]).position)

    def negation(self, parts: list[Any]) -> syntax.Negation:
        return syntax.Negation(parts[0])

    def bound(self, parts: list[Any]) -> tuple[bool, tuple[Name, ...]]:
        commas = any(isinstance(part, Token) for part in parts)
        return not commas, tuple(part for part in parts if isinstance(part, Name))

    def quantified(self, parts: list[Any]) -> syntax.Quantified:
        word, (distinct, names), body = parts
        return syntax.Quantified(word, names, distinct, body)

    def call(self, parts: list[Any]) -> syntax.Call:
        return syntax.Call(parts[0], tuple(parts[1:]))

    def argument(self, parts: list[Any]) -> Any:
        return parts[0]

    process = process_term = argument

    def sum(self, parts: list[Any]) -> syntax.Sum:
        left, sign, right = parts
        return syntax.Sum(left, 1 if sign == "+" else -1, right, _name(sign).position)

    def read(self, parts: list[Any]) -> syntax.Cell:
        reader, cell = parts
        return syntax.Cell(cell.name, cell.index, reader)

    def constant(self, parts: list[Any]) -> syntax.Constant:
        number: Name = parts[-1]
        return syntax.Constant(Name("-" + number.text, number.position) if len(parts) > 1 else number)

    def cell(self, parts: list[Any]) -> syntax.Cell:
        return syntax.Cell(parts[0], tuple(parts[1:]))


# --- What a syntax error says ----------------------------------------------------------------------------------------

_FOREIGN = {
    "==": "equality is written `=`",
    "!=": "inequality is written `<>`",
    "&": "conjunction is written `&&`",
    "|": "disjunction is written `||`",
    "/": "comments are written `(* .. *)`",
    "'": "an update is written `X[p] := value`",
    "!": "negation is written `not`, inequality `<>`",
    "*": "multiplication is not part of the language; comments are written `(* .. *)`",
    '"': "there are no texts in quotes",
}
_WORDS = {
    "LIDENT": "a name in small letters",
    "MIDENT": "a name with a capital",
    "INT": "a number",
    "COLON": "`:`",
    "EQ": "`=`",
    "COMMA": "`,`",
    "DOT": "`.`",
    "SEMICOLON": "`;`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "ASSIGN": "`:=`",
    "BAR": "`|`",
    "THEN": "`then`",
    "ELSE": "`else`",
    "IN": "`in`",
    "TRANSITION": "`transition`",
    "UNSAFE": "`unsafe`",
    "INIT": "`init`",
    "AND": "`&&`",
    "OR": "`||`",
}


_NAMES = frozenset({"LIDENT", "MIDENT", "INT", "LSQB"})
_GROUPS: tuple[Group, ...] = (
    ("a formula", frozenset({"FENCE"}), _NAMES | {"FENCE", "TRUE", "LPAR"}),
    ("a formula", frozenset({"TRUE"}), _NAMES | {"TRUE", "LPAR"}),
    ("a term", frozenset({"INT", "MIDENT", "PROCESS"}), _NAMES),
    ("a comparison", frozenset({"EQ", "NE", "LT"}), frozenset({"EQ"})),
)


def _hint(wrong: Wrong) -> str | None:
    """Advice on slips that are easily made."""
    text, kind, accepted = str(wrong.token), wrong.token.type, wrong.accepted
    if text in ("=", "==") and "ASSIGN" in accepted:
        return "an update is written `X[p] := value`"
    if text in KEYWORDS and "LIDENT" in accepted:
        return f"`{text}` is a reserved word"
    if kind == "LIDENT" and "MIDENT" in accepted and "LIDENT" not in accepted:
        return "variables and constructors start with a capital"
    if kind == "MIDENT" and "LIDENT" in accepted and "MIDENT" not in accepted:
        return "processes, types and predicates start with a small letter"
    words = [word for word in KEYWORDS if word.upper() in accepted or word in ("requires",)]
    return nearest(text, words) if kind == "LIDENT" else None


_SYNTAX = Syntax(_hint, _FOREIGN, _GROUPS, _WORDS, otherwise="the end of the text")
