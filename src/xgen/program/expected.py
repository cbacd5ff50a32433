"""What could have stood where a program's text goes wrong, in words that users know."""

from __future__ import annotations

from lark import Lark

from xgen.grammars import Group

OPERATORS = frozenset(
    {"EQ", "NE", "LE", "GE", "LT", "GT", "PLUS", "MINUS", "TIMES", "DIVIDE", "MOD", "REM", "AND", "OR", "IMPLY", "IFF"}
    | {"BITAND", "BITOR", "BITXOR", "SHL", "SHR"}
)
OPERAND = frozenset(
    {"NAME", "INT", "TRUE", "FALSE", "LPAR", "MINUS", "NOT", "IF", "BITNOT", "ADDRESS", "WRAP", "FUNCTION", "INDEX"}
    | {"FUNCTION_OF_ONE"}
)
STATEMENT = OPERAND | {
    *("RMW", "LOAD_EXCLUSIVE", "STORE_EXCLUSIVE", "FENCE", "ASSUME", "ASSERT", "HAVOC", "SKIP", "RETURN", "CALL"),
    *("ATOMIC_BEGIN", "ATOMIC_END", "LOCK", "UNLOCK", "ALLOC", "FREE", "BOUND", "CUT", "MEET"),
    *("PREDICT", "SELECT", "SCOPE", "START", "JOIN"),
}
PROCEDURE = frozenset({"INT_TYPE", "BOOL_TYPE", "SYNTHETIC", "MAIN", "PROCEDURE"})
DECLARATION = PROCEDURE | {"CONST", "STRUCT", "PROCESS", "VAR"}
STEP = STATEMENT | {"WHILE", "DO", "FOR", "BREAK", "CONTINUE", "ATOMIC", "CHOOSE"}
GROUPS: tuple[Group, ...] = (
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
    "FUNCTION_OF_ONE": "a function",
}
CALLED = frozenset({"LOCK", "UNLOCK", "ALLOC", "FREE", "LOAD_EXCLUSIVE", "STORE_EXCLUSIVE", "WRAP", "BOUND", "CUT"})
"""Names that mean this only before a parenthesis."""
UNTOLD = frozenset({"STATIC", "DYNAMIC", "DOT", "LBRACE_CODE"})
LAST = ("`;`", "`}`", "the end of the text")


def words_of(parser: Lark) -> dict[str, str]:
    """How the grammar's terminals are written, in the order in which they are told."""
    names = {terminal.name for terminal in parser.terminals} | SINGLE.keys() | CALLED
    words = {name: _word(parser, name) for name in names - UNTOLD}
    return dict(sorted(words.items(), key=lambda item: (LAST.index(item[1]) if item[1] in LAST else -1, item[1])))


def _word(parser: Lark, terminal: str) -> str:
    """How a terminal is written."""
    if terminal in SINGLE:
        return SINGLE[terminal]
    if terminal in CALLED:
        return f"`{terminal.lower()}`"
    pattern = parser.get_terminal(terminal).pattern
    return f"`{pattern.value}`" if pattern.type == "str" else f"`{terminal.lower().replace('_', '-')}`"
