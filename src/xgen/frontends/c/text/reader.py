"""From C source text to pycparser's tree, each of whose nodes knows its token."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import field
from itertools import pairwise
from typing import Literal, TypeAlias

from pycparser import c_ast
from pycparser.c_parser import CParser, ParseError

from xgen.errors import Position, ProgramError, Source, XgenError, nearest, several
from xgen.frontends.c.language.syntax import declare_parameters
from xgen.frontends.c.text.gnu.desugar import lift, opening
from xgen.frontends.c.text.lexer import parser
from xgen.frontends.c.text.neighbours import defined_beside
from xgen.frontends.c.text.preprocess import is_of_headers
from xgen.frontends.c.text.prune import NUMBERS
from xgen.frontends.c.text.tokens import Token
from xgen.frontends.c.values.constants import closed
from xgen.records import dataclass

Headers: TypeAlias = Literal["own", "cc"]
"""Whose headers a program is read with: xgen's, or those that a compiler's preprocessor finds."""

BUILT_IN = "typedef int __xgen_auto; typedef void *__builtin_va_list;"
"""Types that are there without a header."""


@dataclass(slots=True)
class Unit:
    """A program's text: its tree, the tokens that it is made of (one a line for pycparser), and what was refused.

    `files` are those that were given; `first` is the number of the first token in the whole program. `verification`: it
    speaks the language of SV-COMP (dialect.py). `needed`: whether the program needs what stands at a place.
    """

    source: Source
    tree: c_ast.FileAST
    tokens: list[Token]
    errors: list[XgenError] = field(default_factory=list)
    first: int = 0
    typeofs: int = 0
    blocks: int = 0
    files: tuple[Source, ...] = ()
    headers: Headers = "own"
    verification: bool = False
    remarks: tuple[str, ...] = ()  # what compilers warn of
    needed: Callable[[Position | None], bool] = field(default=lambda _: True, repr=False)

    def position(self, node: c_ast.Node) -> Position:
        """Where a node's text is."""
        place = node.coord or next((child.coord for _, child in node.children() if child.coord), None)
        return self.at(place.line if place else self.first + 2)

    def at(self, line: int) -> Position:
        if not self.tokens:
            return Position(1, 1, 1, self.source)
        return self.tokens[self.place(line)].position

    def place(self, line: int) -> int:
        """The number of the token that a line of pycparser's text is."""
        return min(max(line - 2 - self.first, 0), len(self.tokens) - 1)

    def beside(self, name: str) -> str | None:
        """A hint that names a file near the given ones, or their headers, that defines this, or None."""
        names = dict.fromkeys(token.position.source.name for token in self.tokens if token.position.source is not None)
        headers = [each for each in names if not is_of_headers(each) and os.path.isfile(each)]
        return defined_beside(name, self.files, headers)


def parse(source: Source, tokens: list[Token], before: Unit | None = None) -> Unit:
    """The tree of a file, one of a program after some others. Raises ProgramError where it is no C."""
    first = before.first + len(before.tokens) if before else 0
    lifted = lift(tokens, before.typeofs if before else 0, before.blocks if before else 0)
    unit = Unit(source, c_ast.FileAST([]), lifted.tokens, lifted.errors, first, lifted.typeofs, lifted.blocks)
    text = "\n".join([f"#line {first + 1}", BUILT_IN, *(_text(token) for token in lifted.tokens)])
    reading = parser()
    try:
        unit.tree = reading.parse(text, "")
    except ParseError as error:
        if unit.errors:
            raise several(unit.errors) from None
        raise _syntax_error(unit, str(error), _last_line(reading)) from None
    except RecursionError:
        raise ProgramError("this is nested too deeply", source) from None
    for node in unit.tree.ext:
        if isinstance(node, c_ast.FuncDef):
            if not isinstance(node.decl.type, c_ast.FuncDecl):  # `struct PACKED s { ... }`
                raise _syntax_error(unit, f":{node.body.coord.line}:1: before: {{", None)
            declare_parameters(node)
    return unit


def _text(token: Token) -> str:
    """What pycparser reads; it joins strings that stand side by side."""
    return closed(token.text) if token.kind == "string" else token.text


def _last_line(reading: CParser) -> int | None:
    """The line of the last token that was read, where this version of pycparser tells."""
    lexer = getattr(reading, "clex", None)
    line = getattr(lexer, "_lineno", None)
    return line if isinstance(line, int) else None


def _syntax_error(unit: Unit, text: str, last: int | None) -> ProgramError:
    """pycparser says `:line:column: before: token`, sometimes without the place."""
    said, _, what = text.lstrip(":").partition(": ")
    digits = said.split(":")[0].strip()
    if "end of input" in text.lower():
        position = unit.at(unit.first + len(unit.tokens) + 1)
        return ProgramError("the file ends where more is expected", position.source, position, _unclosed(unit))
    kind, _, token = what.partition(": ")
    line = int(digits) if digits.isdigit() else last or unit.first + 2
    position, place = unit.at(line), unit.place(line)
    undefined = _undefined(unit, place)
    if undefined is not None:
        name, position = unit.tokens[undefined].text, unit.tokens[undefined].position
        return ProgramError(f"`{name}` is out of place", position.source, position, _as_macro(unit, undefined))
    missing = _missing_type(unit, place) if unit.tokens else None
    if missing is not None:
        name, position = unit.tokens[missing].text, unit.tokens[missing].position
        hint = _header_of(name) or nearest(name, _types(unit), 0.7) or _before(unit, missing + 1)
        return ProgramError(f"there is no type `{name}`", position.source, position, hint)
    found = token if digits.isdigit() and kind == "before" else unit.tokens[place].text if unit.tokens else ""
    hint = _before(unit, place)
    if found in _types(unit, True) and _labels(unit, place):
        hint = "a label or an enumerator with the name of a type is not read: give it another name"
        return ProgramError(f"`{found}`, the name of a type, is out of place", position.source, position, hint)
    return ProgramError(f"`{found}` is out of place", position.source, position, hint)


def _labels(unit: Unit, place: int) -> bool:
    """Whether a label or an enumerator stands there."""
    words = [token.text for token in unit.tokens[max(0, place - 1) : place + 2]]
    if len(words) < 3:
        return False
    before, _, after = words
    return before == "goto" or after == ":" or (before in "{," and after in ("=", ",", "}"))


_HEADERS_OF = {
    "stdbool.h": r"bool",
    "stdint.h": r"u?int(_least|_fast)?(8|16|32|64)_t|u?int(ptr|max)_t",
    "stddef.h": r"size_t|ptrdiff_t|wchar_t",
    "stdatomic.h": r"atomic_\w+|memory_order",
    "pthread.h": r"pthread_\w+_t",
    "threads.h": r"thrd_t|mtx_t|cnd_t|once_flag|tss_t",
    "semaphore.h": r"sem_t",
    "stdio.h": r"FILE",
    "sys/types.h": r"ssize_t|off_t|pid_t|mode_t|uid_t|gid_t|u_int|u_char|u_short|u_long",
    "time.h": r"time_t|clock_t|clockid_t",
    "stdarg.h": r"va_list",
}
"""Types of the library, by the headers that have them."""


def _header_of(name: str) -> str | None:
    found = next((header for header, names in _HEADERS_OF.items() if re.fullmatch(names, name)), None)
    return None if found is None else f"<{found}> has it"


_KEYWORDS = (
    "return",
    "while",
    "switch",
    "struct",
    "typedef",
    "static",
    "const",
    "unsigned",
    "continue",
    "break",
    "else",
)


_CPP = ("class", "namespace", "template", "using")
_WORDS = NUMBERS | frozenset(
    [
        "struct",
        "union",
        "enum",
        "sizeof",
        "return",
        "if",
        "else",
        "for",
        "while",
        "do",
        "switch",
        "case",
        "default",
        "break",
        "continue",
        "goto",
        "auto",
        "_Alignas",
        "_Alignof",
        "_Generic",
        "_Noreturn",
        "_Static_assert",
        "_Thread_local",
    ]
)
"""Words that are no names."""
_QUALIFIERS = ("const", "volatile", "restrict", "_Atomic", "static", "extern", "inline", "register", "typedef")


def _types(unit: Unit, declared: bool = False) -> set[str]:
    """The names that may be those of types: what stands in a typedef; also before a `;`, if not `declared`."""
    found, inside = set(), False
    for token, following in pairwise(unit.tokens):
        inside = token.text == "typedef" or (inside and token.text not in (";", "{", "}"))
        if token.kind == "name" and (inside or (following.text == ";" and not declared)):
            found.add(token.text)
    return found


def _missing_type(unit: Unit, place: int) -> int | None:
    """Which token is the name of a type that is not declared, before another name or `*`, if that is what is wrong."""
    tokens, at = unit.tokens, place
    if not at:
        pass  # nothing stands before it
    elif tokens[at].text == ")":
        while tokens[at - 1].text == "*":
            at -= 1
        at -= at < place
    elif tokens[at].text == "*" or (tokens[at].kind == "name" and tokens[at - 1].kind == "name"):
        at -= 1
    while at < place and tokens[at].text == "*":
        at -= 1
    if at == place or tokens[at].text in _QUALIFIERS:
        at = place
        while at + 1 < len(tokens) and tokens[at].text in (*_QUALIFIERS, "("):
            at += 1
    name = tokens[at]
    if name.kind != "name" or name.text in _WORDS or name.text in (*_QUALIFIERS, *_CPP) or at + 1 >= len(tokens):
        return None
    before = tokens[at - 1] if at else None
    if before and before.kind == "name" and before.text not in (*_QUALIFIERS, "return", "sizeof", "else", "do"):
        return None  # another type stands before it
    following = tokens[at + 1]
    word = following.text in _WORDS or following.text in _QUALIFIERS
    declares = following.text == "*" or (following.kind == "name" and not word)
    declares |= following.text == ")" and tokens[at - 1].text == "(" and tokens[at - 2].text == "_Atomic"
    return at if declares and name.text not in _types(unit) else None


_MACRO = re.compile(r"_?[A-Z][A-Z0-9_]{2,}|__[a-z]\w*")
"""How macros are mostly called; what begins as `__X` may be of the system's headers."""


def _undefined(unit: Unit, place: int) -> int | None:
    """Which token may be a macro that is not defined, in the declaration or statement that a place is in."""
    tokens, first = unit.tokens, place
    while first > 0 and tokens[first - 1].text not in (";", "{", "}"):
        first -= 1
    if first < place and tokens[first].position == tokens[first + 1].position:  # the `int` that nobody wrote
        first += 1
    behind = place > 0 and tokens[place - 1].text == ")"  # `API(int) f`, `for_each(i, n) {`
    whole = behind and opening(tokens[:place], "(", ")") == first + 1
    if whole and _is_name(tokens[first]) and (_MACRO.fullmatch(tokens[first].text) or tokens[place].text == "{"):
        return first
    types = _types(unit)
    for at in range(place, first - 1, -1):
        token, following = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
        if not _is_name(token) or not _MACRO.fullmatch(token.text):
            continue
        names = following is not None and (following.kind == "name" or following.text == "*")
        if at == first:
            if names or at == place:
                return at
            continue
        before = tokens[at - 1]
        of_type = before.text in NUMBERS or before.text in _QUALIFIERS or (at - 1 == first and before.text in types)
        if before.text in ("struct", "union"):
            of_type, names = True, names or at == place - 1
        declared = before.text in (")", "]", "}") or _is_name(before)
        if names if of_type else declared:
            return at
    return None


def _as_macro(unit: Unit, at: int) -> str:
    """What may be done where a macro is not defined. What others stand behind may mean more than an attribute."""
    name, call = unit.tokens[at].text, unit.tokens[at + 1].text == "("
    hint = "it may be a macro that no header here defines"
    before = unit.tokens[at - 1] if at else None
    begins = before is None or before.text in (";", "{", "}") or before.position == unit.tokens[at].position
    if begins and call:
        return hint
    left_out = f"'-D{name}(...)='" if call else f"-D{name}="
    return f"{hint}; {left_out} leaves it out"


def _is_name(token: Token) -> bool:
    return token.kind == "name" and token.text not in _WORDS and token.text not in _QUALIFIERS


def _before(unit: Unit, place: int) -> str | None:
    """What may be wrong before a token that is out of place."""
    if not 0 < place < len(unit.tokens):
        return None
    before, token = unit.tokens[place - 1], unit.tokens[place]
    if token.kind == "number" and re.match(r"0[0-9]*[89]", token.text):
        return "a number that begins with 0 is octal"
    opened = opening(unit.tokens[:place], "(", ")") if token.text == "{" and before.text == ")" else None
    if opened is not None and opened > 1 and unit.tokens[opened - 2].kind == "name":
        return "functions in functions are not read"
    if before.kind == "name" and token.kind in ("name", "number") and (hint := nearest(before.text, _KEYWORDS, 0.7)):
        return None if before.text in _KEYWORDS else hint
    if token.text == "::" or (token.kind == "name" and token.text in _CPP):
        return "C++ is not read"
    if any(each.kind == "name" and re.match(r"__[A-Z]|\w+_t$", each.text) for each in (token, before)):
        return "it may be a word of the system's headers, which --headers cc reads"
    ends = before.kind in ("name", "number", "string") or before.text in (")", "]")
    new = before.position.line < token.position.line and before.position.source is token.position.source
    if ends and before.text not in _KEYWORDS and (token.text == "}" or new) and token.text != "{":
        return "expected `;` before it"
    return None


def _unclosed(unit: Unit) -> str | None:
    """Which brace is the last that is not closed."""
    open_: list[Token] = []
    for token in unit.tokens:
        if token.text == "{":
            open_.append(token)
        elif token.text == "}" and open_:
            open_.pop()
    return f"the `{{` at line {open_[-1].position.line} is not closed" if open_ else None
