"""Reading the text form of programs: the grammar is xcfa.lark, this is what surrounds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters

from xgen.errors import Source, XgenError, nearest, quoted
from xgen.grammars import Syntax, Wrong, load_grammar, read
from xgen.program.automaton import FUNCTIONS, RMW_ARGUMENTS, Program
from xgen.program.builder import Builder
from xgen.program.expand import expand
from xgen.program.expected import GROUPS, OPERAND, words_of
from xgen.program.expressions import REALS_OF_ONE
from xgen.program.surface import Text
from xgen.records import dataclass, replace


def parse_program(source: Source, constants: Mapping[str, int | bool] | None = None) -> Program:
    """The program that a text says, not checked yet; with `constants`, these have other values than in the text.

    Raises ProgramError where it is not of the grammar, or where constants, structs, instances or steps make no sense.
    """
    return expand(parse_text(source), constants or {})


def parse_text(source: Source) -> Text:
    """A text as it is written. Raises ProgramError where it is not of the grammar."""
    tree = read(_parser(), source, _syntax())
    assert isinstance(tree, Text)
    return replace(tree, source=source)


@cache
def _parser() -> Lark:
    return load_grammar(
        Path(__file__).with_name("xcfa.lark"),
        start="program",
        lexer="basic",
        maybe_placeholders=False,
        postlex=Lookahead(),
        transformer=Builder(),
    )


CALLED = dict.fromkeys(RMW_ARGUMENTS, "RMW") | {
    word: word.upper()
    for word in ("lock", "unlock", "alloc", "free", "load_exclusive", "store_exclusive", "wrap", "bound", "cut", "meet")
}
CALLED |= {"predict": "PREDICT", "pick": "PREDICT", "select": "SELECT", "select_if": "SELECT"}
CALLED |= {"keep": "SCOPE", "leave": "SCOPE", "gather": "MEET"}
CALLED |= dict.fromkeys(FUNCTIONS, "FUNCTION") | dict.fromkeys(REALS_OF_ONE, "FUNCTION_OF_ONE") | {"index": "INDEX"}
CONTINUES_EXPRESSION = {
    *("LPAR", "ASSIGN", "LARROW", "RARROW", "EQ", "NE", "LE", "GE", "LT", "GT", "PLUS", "MINUS", "TIMES", "DIVIDE"),
    *("MOD", "REM", "AND", "OR", "IMPLY", "IFF", "BITAND", "BITOR", "BITXOR", "SHL", "SHR"),
}


class Lookahead:
    """Decides what names are that mean something only by what follows them, so that they need not be reserved.

    `fetch_add (` and the like are operations. In `fence mfence` the name is a tag: it is on the line of the fence and
    no statement starts with it. The brace of a body of steps is another than that of locations and edges.
    """

    always_accept = ()

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return mark_code(self.words(stream))

    def words(self, stream: Iterator[Token]) -> Iterator[Token]:
        before: Token | None = None
        held: Token | None = None
        for token in join_tags(stream):
            if held is not None:
                before = self.decide(before, held, token)
                yield before
                held = None
            if token.type == "NAME":
                held = token
            else:
                before = token
                yield token
        if held is not None:
            yield self.decide(before, held, None)

    def decide(self, before: Token | None, name: Token, after: Token | None) -> Token:
        kind = None
        previous = before.type if before is not None else None
        if after is not None and after.type == "LPAR":
            kind = None if previous in ("CALL", "PROCEDURE", "PROCESS", "COLON") else CALLED.get(name.value)
        elif before is not None and previous == "FENCE" and before.line == name.line:
            kind = None if after is not None and after.type in CONTINUES_EXPRESSION else "FENCE_TAG"
        return Token.new_borrow_pos(kind, name.value, name) if kind else name


AUTOMATON = frozenset({"LOC", "PROCEDURE"})
STEPS = frozenset({"SEMICOLON", "WHILE", "DO", "FOR", "CHOOSE", "ATOMIC", "IF", "BREAK", "CONTINUE"}) | {
    *("LARROW", "ASSIGN", "ASSUME", "ASSERT", "HAVOC", "SKIP", "RETURN", "CALL", "FENCE", "START", "JOIN"),
    *("RMW", "LOCK", "UNLOCK", "ALLOC", "FREE", "BOUND", "CUT", "MEET", "PREDICT", "SELECT", "SCOPE", "WRAP"),
}
"""What stands right inside the braces of a body, by which of its two forms it has."""


@dataclass(slots=True)
class _Brace:
    """One that is open: its number among the tokens, whether it is that of a body, and what stands right inside."""

    number: int
    body: bool
    automaton: bool = False
    steps: bool = False
    inside: int = 0  # parentheses and brackets that are open

    def look(self, kind: str) -> None:
        self.inside += (kind in ("LPAR", "LSQB")) - (kind in ("RPAR", "RSQB"))
        self.automaton |= kind in AUTOMATON
        self.steps |= kind in STEPS and self.inside <= 0


MAX_BRACES = 200
"""In each other; in what has more, no brace is looked at any more."""


def mark_code(stream: Iterator[Token]) -> Iterator[Token]:
    """Makes the brace of each body of steps a token of its own."""
    declared = False
    for token in stream:
        if token.type == "LBRACE" and declared:
            declared = False
            yield from _marked(token, stream)
        else:
            declared |= token.type in ("PROCESS", "PROCEDURE")
            yield token


def _marked(first: Token, stream: Iterator[Token]) -> Iterator[Token]:
    """The tokens of a body, up to the brace that closes it."""
    tokens, open_, declared = [first], [_Brace(0, True)], False
    try:
        for token in stream:
            tokens.append(token)
            if token.type == "LBRACE":
                open_.append(_Brace(len(tokens) - 1, declared))
                declared = False
            elif token.type == "RBRACE":
                _mark(tokens, open_.pop())
            else:
                declared |= token.type in ("PROCESS", "PROCEDURE")
                open_[-1].look(token.type)
            if not open_ or len(open_) > MAX_BRACES:
                break
    except UnexpectedCharacters:  # what is wrong before it is told first
        yield from _left_open(tokens, open_)
        raise
    yield from _left_open(tokens, open_)


def _left_open(tokens: list[Token], open_: list[_Brace]) -> list[Token]:
    for brace in open_:
        _mark(tokens, brace)
    return tokens


def _mark(tokens: list[Token], brace: _Brace) -> None:
    if brace.body and brace.steps and not brace.automaton:
        tokens[brace.number] = Token.new_borrow_pos("LBRACE_CODE", "{", tokens[brace.number])


def join_tags(stream: Iterator[Token]) -> Iterator[Token]:
    """Makes one token of a tag with dots and hyphens: `dmb.sy`, `rcu-lock`, `fence.rw.rw`.

    Tags stand behind `@`, in the brackets behind a fence or a tag, and (with dots only) right behind `fence`. The word
    `fence` itself begins one only where a dot follows.
    """
    before = Token("", "")
    tag: Token | None = None  # is being read, and then perhaps a separator
    separator: Token | None = None
    bare = False
    for token in stream:
        if tag is not None:
            if separator is None and token.type in (("DOT",) if bare else ("DOT", "MINUS")):
                if token.start_pos == tag.end_pos:
                    separator = token
                    continue
            elif separator is not None and token.start_pos == separator.end_pos and token.value.isidentifier():
                name = f"{tag}{separator}{token}"
                tag = Token("NAME", name, tag.start_pos, tag.line, tag.column, end_pos=token.end_pos)
                separator = None
                continue
            yield from (tag,) if separator is None else (tag, separator)
            before = (tag if tag.type == "FENCE" else Token("TAG", "")) if separator is None else separator
            tag = separator = None
        bare = before.type == "FENCE" and before.line == token.line
        opens = before.type == "AT" or bare or (before.type == "LIST")
        if token.type in ("NAME", "FENCE") and opens:
            tag = token
            continue
        listed = token.type in ("COMMA", "LSQB") and before.type in ("TAG", "FENCE")
        before = Token("LIST", "") if listed else token
        yield token
    if tag is not None:
        yield from (tag,) if separator is None else (tag, separator)


# ---- errors --------------------------------------------------------------------------------------------------------

# What people write who come from other languages, and what it is called here.
FOREIGN = {
    "==": "equality is written `=`",
    "!=": "inequality is written `/=`",
    "&&": "conjunction is written `and`",
    "||": "disjunction is written `or`",
    "=>": "implication is written `imply`",
    "%": "the remainder is written `mod`",
    "!": "negation is written `not`",
    "<<": "shifting is written `shl` and `shr`",
    ">>": "shifting is written `shl` and `shr`",
    "&": "conjunction is written `and`, that of bits `bitand`",
    "|": "disjunction is written `or`, that of bits `bitor`",
    "^": "exclusive disjunction is written `/=`, that of bits `bitxor`",
    "~": "the inverse of bits is written `bitnot`",
    "#": "comments start with `//`",
    ".": "a range is written `..`; there are no numbers but integers",
    "++": "write `i := i + 1`",
    "+=": "write `i := i + 1`",
}


@cache
def _syntax() -> Syntax:
    return Syntax(_hint, FOREIGN, GROUPS, words_of(_parser()), most=99, aside=True)


def _hint(wrong: Wrong) -> str | XgenError | None:
    """Advice on slips that are easily made; the error itself where the place alone does not say what is wrong."""
    token, accepted = wrong.token, wrong.accepted
    if not token.type:
        return _strange(wrong)
    if token.type == "$END":
        return None
    if token.type == "DOT" and "DOT" not in accepted:
        return wrong.error("`.` is not part of the language", FOREIGN["."])
    if wrong.source.text.startswith("/*", token.start_pos or 0):
        place = replace(wrong.place, width=2)
        return wrong._replace(place=place).error("this comment does not end", "expected `*/`")
    inner_if = token.type == "IF" and "INT" in accepted  # an operand, where `if` needs parentheses
    if "NAME" in accepted and "RBRACE" not in accepted and token.isidentifier() and not inner_if:
        return wrong.error(f"{quoted(token)} cannot be a name", "this word is reserved; choose another")
    return _misread(wrong)


def _strange(wrong: Wrong) -> XgenError | None:
    """The error for a character that begins no word, where more can be said than that."""
    if wrong.token.isdigit():
        return wrong.error("a number ends where a letter follows", "names start with a letter or `_`")
    if wrong.token.isalpha():
        hint = "names are made of A-Z, a-z, 0-9 and `_`"
        return wrong.error(f"`{wrong.token}` is not allowed outside comments", hint)
    return None


def _misread(wrong: Wrong) -> str | None:
    """The hint where what comes before was read otherwise than meant."""
    token, accepted, before = wrong.token, wrong.accepted, wrong.before
    if token.type == "IF" and "INT" in accepted:
        return "put `if ... then ... else ...` in parentheses"
    if token.type == "LARROW" and "LT" in accepted:
        return "`<-` loads a shared variable; write a blank between `<` and `-` to compare"
    if isinstance(before, Token) and before.type == "NAME" and "ASSIGN" in accepted:  # at the start of a statement
        if before in CALLED:
            return f"`{before}` takes its operands in parentheses"
        if token.type == "LPAR":
            return nearest(before, CALLED.keys() - {"wrap"}) or f"there is no operation `{before}`"
    if {"LOC", "PROCEDURE"} <= accepted and token.type in OPERAND - {"LPAR"}:
        return "each step of a process ends in `;`; else it has locations and edges: `init loc L`"
    if accepted == {"RARROW"} and before is not None and not isinstance(before, Token):
        return "expected `->` after an expression to store it; an assignment is written `name := expression`"
    return None
