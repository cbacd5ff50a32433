"""Reading protocols: the grammar is gcl.lark, this is what surrounds it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer, v_args

from xgen.errors import Position, ProgramError, Source, nearest
from xgen.grammars import Group, Syntax, Wrong, check_nesting, load_grammar, position_of, read
from xgen.repair import syntax
from xgen.repair.syntax import Name

KEYWORDS = (
    *("const", "type", "var", "process", "symmetric", "in", "reads", "writes", "of", "others", "fault", "for", "legit"),
    *("never", "step", "init", "any", "all", "some", "count", "imply", "or", "and", "not", "mod", "true", "false"),
)
MAX_NESTING = 200
"""Expressions that are nested deeper are refused; nobody writes them by hand."""


def parse(source: Source) -> syntax.Text:
    """The syntax of a protocol. Raises ProgramError where it does not parse."""
    _check_nesting(source)
    text: syntax.Text = _Builder().transform(read(_parser(), source, _SYNTAX))
    return text


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("gcl.lark")
    return load_grammar(grammar, start="protocol", lexer="basic", propagate_positions=True)


def _check_nesting(source: Source) -> None:
    """Refuses what would exhaust the stack: deep parentheses, and long rows of `not` and of quantifiers."""
    lines = [line.partition("//")[0] for line in source.text.split("\n")]
    check_nesting(source, "\n".join(lines), MAX_NESTING)
    opened = 0
    for number, line in enumerate(lines, 1):
        for word in line.split():
            opened = opened + 1 if word in ("not", "all", "some", "imply") else opened
            opened = 0 if "->" in word or "}" in word else opened
            if opened > MAX_NESTING:
                message = f"more than {MAX_NESTING} of `not`, `imply` and quantifiers in a row"
                raise ProgramError(message, source, Position(number, line.find(word) + 1, len(word)))


def _name(token: Token) -> Name:
    return Name(str(token), position_of(token))


class _Builder(Transformer[Token, Any]):
    """Makes syntax.Text of a tree."""

    def NAME(self, token: Token) -> Name:
        return _name(token)

    INT = NAME

    def protocol(self, parts: list[Any]) -> syntax.Text:
        return tuple(parts)

    @v_args(meta=True)
    def constant(self, meta: Any, parts: list[Any]) -> syntax.Constant:
        name, value = parts
        return syntax.Constant(name, value, meta.start_pos, meta.end_pos)

    def type_definition(self, parts: list[Any]) -> syntax.Type:
        name, values = parts
        return syntax.Type(name, values)

    def values(self, parts: list[Any]) -> tuple[Name, ...] | syntax.Range:
        if isinstance(parts[0], syntax.Range):
            return parts[0]
        return tuple(part if isinstance(part, Name) else Name(str(part.value), part.at) for part in parts)

    def name(self, parts: list[Any]) -> Name:
        found: Name = parts[0]
        return found

    named_type = name

    def range(self, parts: list[Any]) -> syntax.Range:
        return syntax.Range(*parts)

    def variable(self, parts: list[Any]) -> syntax.Declaration:
        name, *rest = parts
        index = rest.pop(0)[0] if isinstance(rest[0], tuple) else None
        return syntax.Declaration(name, index, rest[0], rest[1] if len(rest) > 1 else None)

    def local(self, parts: list[Any]) -> syntax.Declaration:
        name, type_, *initial = parts
        return syntax.Declaration(name, None, type_, initial[0] if initial else None)

    @v_args(meta=True)
    def process(self, meta: Any, parts: list[Any]) -> syntax.Process:
        (name, domain), *rest = parts
        symmetric = any(isinstance(part, Token) for part in rest)

        def of(kind: type) -> tuple[Any, ...]:
            return tuple(part for part in rest if isinstance(part, kind))

        reads = tuple(place for part in of(list) if part[0] == "reads" for place in part[1:])
        writes = tuple(place for part in of(list) if part[0] == "writes" for place in part[1:])
        declarations, actions = of(syntax.Declaration), of(syntax.Action)
        span = meta.start_pos, meta.end_pos
        return syntax.Process(name, domain, symmetric, declarations, reads, writes, actions, *span)

    def family(self, parts: list[Any]) -> tuple[Name, syntax.Range]:
        return parts[0], parts[1]

    def single(self, parts: list[Any]) -> tuple[Name, None]:
        return parts[0], None

    def reads(self, parts: list[Any]) -> list[Any]:
        return ["reads", *parts]

    def writes(self, parts: list[Any]) -> list[Any]:
        return ["writes", *parts]

    def of_others(self, parts: list[Any]) -> syntax.OfOthers:
        return syntax.OfOthers(parts[0])

    @v_args(meta=True)
    def action(self, meta: Any, parts: list[Any]) -> syntax.Action:
        guard, arrow, *assignments = parts
        return syntax.Action(guard, tuple(assignments), _name(arrow).at, meta.start_pos, meta.end_pos)

    def fault(self, parts: list[Any]) -> syntax.Fault:
        *each, action = parts
        return syntax.Fault(each[0] if each else None, action)

    @v_args(meta=True)
    def legit(self, meta: Any, parts: list[Any]) -> syntax.Property:
        return syntax.Property("legit", None, parts[0], Position(meta.line, meta.column, 5))

    @v_args(meta=True)
    def init(self, meta: Any, parts: list[Any]) -> syntax.Property:
        return syntax.Property("init", None, parts[0], Position(meta.line, meta.column, 4))

    @v_args(meta=True)
    def never(self, meta: Any, parts: list[Any]) -> syntax.Property:
        *front, condition = parts
        word = "never step" if any(isinstance(part, Token) for part in front) else "never"
        each = next((part for part in front if isinstance(part, syntax.Each)), None)
        return syntax.Property(word, each, condition, Position(meta.line, meta.column, 5))

    def each(self, parts: list[Any]) -> syntax.Each:
        return syntax.Each(*parts)

    def assignment(self, parts: list[Any]) -> syntax.Assignment:
        target, value = parts
        return syntax.Assignment(target, value[0] if isinstance(value, list) else value)

    def choice(self, parts: list[Any]) -> list[tuple[syntax.Expression, ...] | None]:
        return [tuple(parts[1:]) or None]

    @v_args(meta=True)
    def designator(self, meta: Any, parts: list[Any]) -> syntax.Designator:
        name, *rest = parts
        index = next((part[0] for part in rest if isinstance(part, tuple)), None)
        primed = any(isinstance(part, Token) for part in rest)
        return syntax.Designator(name, index, primed, meta.start_pos, meta.end_pos)

    def index(self, parts: list[Any]) -> tuple[Any]:
        return (parts[0],)

    def binary(self, parts: list[Any]) -> syntax.Operation:
        left, operator, right = parts
        return syntax.Operation(str(operator), (left, right), _name(operator).at)

    def negated(self, parts: list[Any]) -> syntax.Operation:
        return syntax.Operation("not", (parts[1],), _name(parts[0]).at)

    def quantified(self, parts: list[Any]) -> syntax.Quantified:
        word, name, domain, body = parts
        return syntax.Quantified(str(word), name, domain, body, _name(word).at)

    count = quantified

    def others(self, parts: list[Any]) -> None:  # noqa: ARG002
        return None

    def number(self, parts: list[Any]) -> syntax.Number:
        return syntax.Number(int(parts[0].text), parts[0].at)

    def truth(self, parts: list[Any]) -> syntax.Number:
        return syntax.Number(int(parts[0] == "true"), _name(parts[0]).at, truth=True)

    def parenthesised(self, parts: list[Any]) -> syntax.Expression:
        inside: syntax.Expression = parts[1]
        return inside


# --- What a syntax error says ----------------------------------------------------------------------------------------

_FOREIGN = {
    "==": "equality is written `=`",
    "!=": "inequality is written `/=`",
    "&&": "conjunction is written `and`",
    "||": "disjunction is written `or`",
    "<>": "inequality is written `/=`",
    "=>": "implication is written `imply`",
    "!": "negation is written `not`, inequality `/=`",
    "&": "conjunction is written `and`",
    "|": "disjunction is written `or`",
    "/": "inequality is written `/=`; comments are written `// ..`",
    ";": "actions and declarations need no separator; assignments are separated by `,`",
    "[": "a variable of a process is written `x.j` or `x.(j + 1)`",
}
_WORDS = {
    "NAME": "a name",
    "INT": "a number",
    "COLON": "`:`",
    "ARROW": "`->`",
    "ASSIGN": "`:=`",
    "DOTS": "`..`",
    "EQ": "`=`",
    "COMMA": "`,`",
    "RPAR": "`)`",
    "LPAR": "`(`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "IN": "`in`",
    "OTHERS": "`others`",
    "VAR": "`var`",
    "PROCESS": "`process`",
    "FAULT": "`fault`",
    "LEGIT": "`legit`",
    "READS": "`reads`",
    "WRITES": "`writes`",
    "$END": "the end of the text",
}


_GROUPS: tuple[Group, ...] = (
    ("an expression", frozenset({"TRUE", "FALSE"}), frozenset({"NAME", "INT", "LPAR"})),
    ("an operator", frozenset({"PLUS"}), frozenset({"PLUS", "AND", "EQ"})),
    ("an operator", frozenset({"AND"}), frozenset({"AND", "EQ"})),
)


def _hint(wrong: Wrong) -> str | None:
    """Advice on slips that are easily made."""
    text = str(wrong.token)
    if text == "=" and "ASSIGN" in wrong.accepted:
        return "an assignment is written `x := value`"
    if text in KEYWORDS and "NAME" in wrong.accepted:
        return f"`{text}` is a reserved word"
    words = [word for word in KEYWORDS if word.upper() in wrong.accepted]
    return nearest(text, words) if wrong.token.type == "NAME" else None


_SYNTAX = Syntax(_hint, _FOREIGN, _GROUPS, _WORDS, otherwise="something else")
