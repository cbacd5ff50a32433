"""What could have stood where a program's text goes wrong, in words that users know."""

from __future__ import annotations

from collections.abc import Collection

from lark import Lark

from xgen.errors import listed

# Sets of the grammar's terminals that are told as one thing: a name for it, terminals that are all accepted where it
# is, and the terminals that it then stands for. In this order.
OPERATORS = frozenset(
    {"EQ", "NE", "LE", "GE", "LT", "GT", "PLUS", "MINUS", "TIMES", "DIVIDE", "MOD", "REM", "AND", "OR", "IMPLY", "IFF"}
    | {"BITAND", "BITOR", "BITXOR", "SHL", "SHR"}
)
OPERAND = frozenset(
    {"NAME", "INT", "TRUE", "FALSE", "LPAR", "MINUS", "NOT", "IF", "BITNOT", "ADDRESS", "WRAP", "FUNCTION", "INDEX"}
)
STATEMENT = OPERAND | {
    *("RMW", "LOAD_EXCLUSIVE", "STORE_EXCLUSIVE", "FENCE", "ASSUME", "ASSERT", "HAVOC", "SKIP", "RETURN", "CALL"),
    *("ATOMIC_BEGIN", "ATOMIC_END", "LOCK", "UNLOCK", "ALLOC", "FREE", "BOUND", "CUT"),
    *("PREDICT", "SELECT", "SCOPE", "START", "JOIN"),
}
PROCEDURE = frozenset({"INT_TYPE", "BOOL_TYPE", "SYNTHETIC", "MAIN", "PROCEDURE"})
DECLARATION = PROCEDURE | {"CONST", "STRUCT", "PROCESS", "VAR"}
STEP = STATEMENT | {"WHILE", "DO", "FOR", "BREAK", "CONTINUE", "ATOMIC", "CHOOSE"}
GROUPS: tuple[tuple[str, frozenset[str], frozenset[str]], ...] = (
    ("an operator", frozenset({"PLUS", "TIMES"}), OPERATORS),
    ("a step", frozenset({"WHILE", "SKIP"}), STEP),
    ("a statement", frozenset({"ASSUME", "SKIP"}), STATEMENT),
    ("an expression", frozenset({"NAME", "INT", "LPAR"}), OPERAND),
    ("a declaration", frozenset({"CONST", "STRUCT"}), DECLARATION),
    ("a procedure", frozenset({"INT_TYPE", "PROCEDURE"}), PROCEDURE),
    ("a type", frozenset({"INT_TYPE", "NAME"}), frozenset({"INT_TYPE", "BOOL_TYPE", "SYNTHETIC", "NAME"})),
    ("a place", frozenset({"NAME", "TIMES"}), frozenset({"NAME", "TIMES"})),
    ("an update", frozenset({"RMW", "LOAD_EXCLUSIVE"}), frozenset({"RMW", "LOAD_EXCLUSIVE", "STORE_EXCLUSIVE"})),
    ("a location", frozenset({"LOC", "INIT"}), frozenset({"LOC", "INIT", "FINAL", "ERROR"})),
)
SINGLE = {
    "NAME": "a name",
    "INT": "a number",
    "$END": "the end of the text",
    "FENCE_TAG": "a tag",
    "RMW": "an update",
    "FUNCTION": "a function",
}
LAST = ("`;`", "`}`", "the end of the text")


def describe(parser: Lark, terminals: Collection[str]) -> str | None:
    """`expected a name, ...` for the terminals that the grammar would accept; None where there are none."""
    left = set(terminals) - {"STATIC", "DYNAMIC", "DOT"}
    if "LBRACE" in left:
        left -= {"LBRACE_CODE"}
    found = []
    for group, needed, members in GROUPS:
        if needed <= left:
            found.append(group)
            left -= members
    words = found + sorted(_word(parser, name) for name in left)
    words.sort(key=lambda word: LAST.index(word) if word in LAST else -1)
    if not words:
        return None
    return "expected " + listed(words, "or")


def _word(parser: Lark, terminal: str) -> str:
    """How a terminal is written."""
    if terminal in SINGLE:
        return SINGLE[terminal]
    if terminal in ("LOCK", "UNLOCK", "ALLOC", "FREE", "LOAD_EXCLUSIVE", "STORE_EXCLUSIVE", "WRAP", "BOUND", "CUT"):
        return f"`{terminal.lower()}`"
    pattern = parser.get_terminal(terminal).pattern
    return f"`{pattern.value}`" if pattern.type == "str" else f"`{terminal.lower().replace('_', '-')}`"
