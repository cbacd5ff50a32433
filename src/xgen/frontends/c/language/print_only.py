"""Variables with a floating point number of which nothing but what is printed depends: what they hold is not looked at,
so it need not be known."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from xgen.frontends.c.language.syntax import Blocks, statements, walk

_REALS = frozenset({"double", "float"})


def only_printed(body: c_ast.Node, blocks: Blocks, printing: frozenset[str]) -> frozenset[str]:
    """The locals of a function that are declared as `double` or `float` and are never used but in the arguments of
    functions that print, and in what is assigned to another of them. `printing`: the names of these functions."""
    declared = blocks.declared(body)
    real = [part for part in declared if _is_real(part.type) and not part.storage]  # those end with their block
    found = {part.name for part in real} - {part.name for part in declared if part not in real}
    names = [part for part in walk(body, blocks) if isinstance(part, c_ast.ID)] if found else []
    while found:
        harmless = {id(name) for part in statements(body) for name in _not_looked_at(part, found, printing)}
        used = {name.name for name in names if id(name) not in harmless}
        if found.isdisjoint(used):
            break
        found -= used
    return frozenset(found)


def _not_looked_at(node: c_ast.Node, found: set[str], printing: frozenset[str]) -> Iterator[c_ast.ID]:
    """The names in a statement on which nothing depends but what is printed, and what the variables hold."""
    match node:
        case c_ast.Decl(name=str(name), init=c_ast.Node() as value) if name in found:
            yield from _operands(value)
        case c_ast.Assignment(lvalue=c_ast.ID() as target, rvalue=value) if target.name in found:
            yield target
            yield from _operands(value)
        case c_ast.FuncCall(name=c_ast.ID(name=name), args=c_ast.ExprList(exprs=arguments)) if name in printing:
            for argument in arguments:
                yield from _operands(argument)


def _operands(node: c_ast.Node) -> Iterator[c_ast.ID]:
    """The names that arithmetic is done with, and nothing else."""
    match node:
        case c_ast.ID():
            yield node
        case c_ast.BinaryOp(op="+" | "-" | "*" | "/"):
            yield from _operands(node.left)
            yield from _operands(node.right)
        case c_ast.UnaryOp(op="+" | "-"):
            yield from _operands(node.expr)
        case c_ast.Cast() if _is_real(node.to_type.type):
            yield from _operands(node.expr)


def _is_real(type_: c_ast.Node) -> bool:
    """Whether a type, as it is written, is that of floating point numbers."""
    named = type_.type if isinstance(type_, c_ast.TypeDecl) else None
    return isinstance(named, c_ast.IdentifierType) and set(named.names) <= _REALS
