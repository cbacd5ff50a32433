"""Which waits at a barrier need not say who is the serial thread: most programs only ask whether one has failed."""

from __future__ import annotations

import operator
from collections.abc import Callable

from pycparser import c_ast

from xgen.frontends.c.language.syntax import Blocks, statements, walk

_ANSWERS = (0, -1)
"""What a wait gives: to all threads but one, and to the serial one."""
_TESTS: dict[str, Callable[[int, int], object]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "&&": lambda left, right: left and right,
    "||": lambda left, right: left or right,
}


def ignored_results(body: c_ast.Node, blocks: Blocks) -> frozenset[int]:
    """The calls in a function, by their ids, whose result is only put into locals of type int, of which all that is
    asked has the same answer whether the thread is the serial one or not."""
    declared = blocks.declared(body)
    found = {part.name for part in declared if _is_int(part)}
    found -= {part.name for part in declared if not _is_int(part)}
    given = [part for part in statements(body) if _call_given(part, found) is not None]
    found &= {_target(part) for part in given}
    if not found:
        return frozenset()
    harmless = {id(part.lvalue) for part in statements(body) if isinstance(part, c_ast.Assignment) and part.op == "="}
    for part in walk(body, blocks):
        if isinstance(part, c_ast.BinaryOp | c_ast.UnaryOp):
            harmless.update(_same_answer(part))
    found -= {part.name for part in walk(body, blocks) if isinstance(part, c_ast.ID) and id(part) not in harmless}
    calls = [_call_given(part, found) for part in given]
    return frozenset(id(call) for call in calls if call is not None)


def _is_int(node: c_ast.Decl) -> bool:
    named = node.type.type if isinstance(node.type, c_ast.TypeDecl) else None
    return isinstance(named, c_ast.IdentifierType) and named.names == ["int"] and not node.storage


def _target(node: c_ast.Node) -> str:
    return str(node.name if isinstance(node, c_ast.Decl) else node.lvalue.name)


def _call_given(node: c_ast.Node, names: set[str]) -> c_ast.FuncCall | None:
    """The call whose result a statement puts into one of these variables."""
    match node:
        case c_ast.Decl(name=name, init=c_ast.FuncCall() as call) if name in names:
            return call
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name), rvalue=c_ast.FuncCall() as call) if name in names:
            return call
        case _:
            return None


def _same_answer(node: c_ast.Node) -> list[int]:
    """The names in an expression, by their ids, if there is one only, of which it asks what is so for both answers."""
    names = [part for part in walk(node, {}) if isinstance(part, c_ast.ID)]
    if len({part.name for part in names}) != 1:
        return []
    first, second = (_value(node, answer) for answer in _ANSWERS)
    return [id(part) for part in names] if first is not None and first == second else []


def _value(node: c_ast.Node, given: int) -> int | None:
    """The value of a question where the variable has the one that is given; None: it is not as simple as that."""
    match node:
        case c_ast.ID():
            return given
        case c_ast.Constant(type="int", value=text) if text.isdecimal() and (text == "0" or text[0] != "0"):
            return int(text) if int(text) < 2**31 else None
        case c_ast.UnaryOp(op="!" | "-" as op):
            value = _value(node.expr, given)
            return None if value is None else int(not value) if op == "!" else -value
        case c_ast.BinaryOp(op=op) if op in _TESTS:
            left, right = _value(node.left, given), _value(node.right, given)
            return None if left is None or right is None else int(bool(_TESTS[op](left, right)))
        case _:
            return None
