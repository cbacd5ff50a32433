"""Reading .mcm, the language of memory models (docs/mcm.md): its syntax, includes, what is said of a syntax error."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from lark import Lark, Token, Tree

from xgen.errors import ModelError, Position, Source, UsageError, XgenError, quoted
from xgen.grammars import Group, Syntax, Wrong, load_grammar, read
from xgen.memory.algebra import Model
from xgen.memory.mcm.elaborate import elaborate
from xgen.memory.mcm.operators import position_in, token_of, unquoted
from xgen.resources import shipped
from xgen.sources import find, read_source

MAX_CHARACTERS = 200_000
"""The longest text that is read; the largest models of the field have some ten thousand characters."""


def read_model(source: Source) -> Model:
    """The memory model that an .mcm text defines.

    Raises ModelError where the text does not parse or does not make sense, UnsupportedError where it goes beyond what
    can be read.
    """
    return elaborate(_statements(source, [], set()), source)


def _statements(source: Source, around: list[str], seen: set[str]) -> list[tuple[Source, Tree[Token]]]:
    """The statements of a text, with those of the files that it includes in their places.

    `around` are the files that include it, the outermost first; `seen` those that have been included: each file's
    statements are taken once.
    """
    own = os.path.realpath(source.name)
    result: list[tuple[Source, Tree[Token]]] = []
    for statement in parse(source).children:
        assert isinstance(statement, Tree)
        if statement.data != "include":
            result.append((source, statement))
            continue
        file = _included(statement, source)
        if file in (own, *around):
            cycle = [*around, own][[*around, own].index(file) :]
            names = " includes ".join(f"`{os.path.basename(name)}`" for name in (*cycle, file))
            raise ModelError(f"a cycle of includes: {names}", source, position_in(source, statement))
        if file not in seen:
            seen.add(file)
            try:
                inner = read_source(file)
            except UsageError as error:
                message = f"this cannot be included: {error.message}"
                raise ModelError(message, source, position_in(source, statement), file) from None
            result += _statements(inner, [*around, own], seen)
    return result


def _included(statement: Tree[Token], source: Source) -> str:
    """The path of the file that an include names: beside the file that includes it, else among the shipped models."""
    name = unquoted(token_of(statement, 0))
    if not name.endswith(".mcm"):
        hint = "what can be included is a file in this language, whose name ends in .mcm"
        raise ModelError(f"{quoted(name)} cannot be included", source, position_in(source, statement), hint)
    folder = os.path.dirname(source.name)
    found = find(name, (folder, shipped("mcm")))
    if found is not None:
        return os.path.realpath(found)
    hint = f"it is looked for in {folder or 'the current folder'} and among the shipped models"
    raise ModelError(f"there is no file {quoted(name)}", source, position_in(source, statement), hint)


def parse(source: Source) -> Tree[Token]:
    """The syntax tree of an .mcm text, as mcm.lark defines it; ModelError where it does not parse."""
    if len(source.text) > MAX_CHARACTERS:
        raise ModelError(f"the model has more than {MAX_CHARACTERS:,} characters", source)
    tree: Tree[Token] = read(_parser(), source, _SYNTAX)
    if not tree.children:
        hint = 'a model has at least a header: model "name"'
        raise ModelError("the model is empty", source, Position(1, 1), hint)
    return tree


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("mcm.lark")
    return load_grammar(grammar, start="specification", lexer="basic", postlex=_Groups(), propagate_positions=True)


class _Groups:
    """Finds the parentheses that open a group of constraints: they are followed by a name and a property."""

    always_accept = ("_GROUP",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens, with _LPAR made _GROUP where a constraint follows."""
        held: list[Token] = []
        for token in stream:
            open_ = bool(held) and held[-1].type == "_LPAR"  # else `held` is parentheses and a name, or nothing
            if token.type == "NAME" and open_:
                held.append(token)
                continue
            if not open_:
                if held and token.type in (*_PROPERTIES, "NOT"):
                    held[:-1] = [Token.new_borrow_pos("_GROUP", other, other) for other in held[:-1]]
                yield from held
                held.clear()
            held.append(token)
            if token.type != "_LPAR":
                yield from held
                held.clear()
        yield from held


# --- What a syntax error says -------------------------------------------------------------------------------------

_PROPERTIES = ("ACYCLIC", "IRREFLEXIVE", "EMPTY")
_PROPERTY_WORDS = ("acyclic", "irreflexive", "empty")
_PRODUCT_BEFORE = re.compile(r"\*\s*[\w.-]+\s*$")

_FOREIGN = {
    "+": "the transitive closure is written `r^+`",
    "^": "the inverse is written `r^-1`, the closures `r^+` and `r^*`",
    "~": "there is no complement; a difference is written `A * A \\ r`",
    "#": "comments begin with `//`",
    "0": "the empty set and the empty relation are written `{}`",
    "'": "the events with a tag are written `F[mfence]`",
    "-": "a difference is written `a \\ b`, an inverse `r^-1`, a restriction `r(X -> Y)`",
}


def _hint(wrong: Wrong) -> str | XgenError | None:
    """Advice on mistakes that are easily made."""
    token, accepted, before = wrong.token, wrong.accepted, wrong.before
    if not token.type:
        return _never_closed(wrong)
    if before == "let":
        return "a definition is written `name = expression`, one that uses itself `rec name = expression`"
    if before in _PROPERTY_WORDS or (token in _PROPERTY_WORDS and "FLAG" in accepted):
        if "SEMICOLON" in accepted:
            return "a constraint is about a name: define `name = expression`, then write `name acyclic`"
        return "a constraint is written `name acyclic`: the name of a relation, then the property"
    if before == "*" or (token == "=" and _PRODUCT_BEFORE.search(wrong.source.text[: token.start_pos][-200:])):
        return "the reflexive and transitive closure is written `r^*`; `*` is the product of two sets"
    if token in ("->", "-->") or (token == ")" and "STEP" in accepted):
        return "the restriction of a relation is written `r(X -> Y)`, that of its closure `r(X --> Y)`"
    if token == "=" and "SEMICOLON" in accepted:
        return "a definition is written `name = expression`"
    if token.type != "NAME" and token.isidentifier():
        return f"`{token}` is a reserved word"
    return None


def _never_closed(wrong: Wrong) -> XgenError | None:
    if wrong.token == '"':
        return wrong.error("a text in quotes has to end on its line", None, ModelError)
    if wrong.token == "/":
        hint = "/* ... */ or // to the end of the line"
        return wrong.error("a comment that is opened here is never closed", hint, ModelError)
    return None


def _group(name: str, needed: str, *also: str) -> Group:
    """What is told where a terminal can come, for it and for others."""
    return name, frozenset({needed}), frozenset({needed, *also})


_SYNTAX = Syntax(
    _hint,
    _FOREIGN,
    groups=(
        _group("an operator", "SEMICOLON", "_LPAR"),
        _group("an expression", "LBRACE", "FLAG", "NAME", "_GROUP", "_LPAR"),
        ("a definition", frozenset({"FLAG"}), frozenset({"NAME", "_GROUP", "_LPAR", "STRING"})),
        _group("a constraint", "FLAG"),
        _group("a name", "NAME", "_GROUP", "_LPAR"),
        _group("a constraint", "_GROUP", "_LPAR"),
        _group("`=`", "EQUAL", "_LPAR"),
        _group("`(`", "_LPAR"),
    ),
    words={
        "RPAR": "`)`", "RSQB": "`]`", "RBRACE": "`}`", "COMMA": "`,`", "BEGIN": "`begin`", "END": "`end`",
        "STEP": "`->`", "PATH": "`-->`", "ACYCLIC": "`acyclic`", "IRREFLEXIVE": "`irreflexive`", "EMPTY": "`empty`",
        "STRING": "a text in quotes",
    },
    error=ModelError,
)  # fmt: skip
