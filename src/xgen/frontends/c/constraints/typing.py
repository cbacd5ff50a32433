"""The types of expressions, with their `const` (C11, 6.5). Nothing is evaluated but constant expressions."""

from __future__ import annotations

from dataclasses import field
from typing import NoReturn

from pycparser import c_ast

from xgen.errors import Position, UnsupportedError, XgenError
from xgen.frontends.c.constraints.qualified import const, fits
from xgen.frontends.c.language.scope import Declarations, Enumerator, Scope
from xgen.frontends.c.language.syntax import block_number, cases_of, is_generic, is_types
from xgen.frontends.c.text.gnu.desugar import SAME
from xgen.frontends.c.text.reader import Unit
from xgen.frontends.c.values import arithmetic
from xgen.frontends.c.values.arithmetic import COMPARISONS, convert
from xgen.frontends.c.values.constants import character, characters, number, real_number, type_of_number
from xgen.frontends.c.values.places import Value, literal
from xgen.frontends.c.values.types import (
    CHAR,
    INT,
    Array,
    Bits,
    Const,
    CType,
    Function,
    Int,
    Pointer,
    Record,
    Void,
    adjusted,
    alignment,
    as_volatile,
    common,
    compatible,
    converted,
    decayed,
    difference_type,
    has_volatile,
    is_complete,
    plain,
    promoted,
    size_of,
    size_type,
    unqualified,
    volatile,
)
from xgen.records import dataclass

_TYPEOF = "__xgen_typeof_"


@dataclass(frozen=True, slots=True)
class Declared:
    """What a name is declared as; `type` is None where it is not understood. `linked`: it names the same thing in
    other scopes. `body`: what defines it, a function's body or an initial value."""

    kind: str
    type: CType | None
    node: c_ast.Node
    linked: bool = False
    static: bool = False
    body: c_ast.Node | None = None


@dataclass(eq=False, slots=True)
class Names(Scope):
    """A scope that knows how its names were declared, and where its tags were."""

    declared: dict[str, Declared] = field(default_factory=dict)
    tagged: dict[str, c_ast.Node] = field(default_factory=dict)

    def declaration(self, name: str) -> Declared | None:
        scope: Scope | None = self
        while isinstance(scope, Names):
            if name in scope.declared:
                return scope.declared[name]
            scope = scope.outer
        return None


class Typing(Declarations):
    """Says what type an expression has; None where that is not understood."""

    scope: Names

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.scope = Names()
        self.typeofs: dict[int, c_ast.Node] = {}
        self.blocks: dict[int, c_ast.Compound] = {}
        self.block_types: dict[int, CType | None] = {}  # of those that have been looked at

    def position(self, node: c_ast.Node) -> Position:
        return self.unit.position(node)

    def used_members(self, _union: object) -> tuple[int, ...]:
        return ()

    def cuts_of(self, _key: object) -> frozenset[int]:
        return frozenset()

    def qualified(self, type_: CType, quals: list[str], node: c_ast.Node) -> CType:
        said = set(quals or [])
        found = super().qualified(type_, sorted(said), node)
        return const(found) if "const" in said else found

    def wide(self, node: c_ast.IdentifierType) -> CType:
        return self.unknown(node)

    def typeof(self, name: str) -> CType | None:
        if not name.startswith(_TYPEOF):
            return None
        return self.type_of_value(self.typeofs[int(name[len(_TYPEOF) :])])

    def unknown(self, node: c_ast.Node) -> NoReturn:
        raise UnsupportedError("not understood", self.unit.source, self.position(node))

    def type_of_value(self, node: c_ast.Node) -> CType:
        found = self.type_of(node) if isinstance(node, c_ast.Typename) else self.typed(node)
        return self.unknown(node) if found is None else found

    # ---- types

    def typed(self, node: c_ast.Node) -> CType | None:
        """The type of an expression, before arrays become pointers."""
        try:
            return self.find_type(node)
        except XgenError:
            return None

    def find_type(self, node: c_ast.Node) -> CType | None:
        match node:
            case c_ast.Constant():
                return self.type_of_constant(node)
            case c_ast.ID():
                declared = self.scope.declaration(node.name)
                return declared.type if declared and declared.kind != "typedef" else None
            case c_ast.UnaryOp():
                return self.type_of_unary(node)
            case c_ast.BinaryOp():
                return self.type_of_binary(node)
            case c_ast.Assignment():
                return self.value_type(node.lvalue)
            case c_ast.TernaryOp():
                return self.type_of_either(node)
            case c_ast.Cast():
                return unqualified(self.type_of(node.to_type))
            case c_ast.ArrayRef():
                sides = (self.value_type(side) for side in (node.name, node.subscript))
                return next((side.target for side in sides if isinstance(side, Pointer)), None)
            case c_ast.StructRef():
                return self.type_of_member(node)
            case c_ast.ExprList():
                return self.value_type(node.exprs[-1])
            case c_ast.CompoundLiteral():
                return self.type_of(node.type)
            case c_ast.FuncCall():
                return self.type_of_call(node)
        return None

    def value_type(self, node: c_ast.Node) -> CType | None:
        """The type of an expression's value."""
        found = self.typed(node)
        return None if found is None else decayed(unqualified(found))

    def type_of_constant(self, node: c_ast.Constant) -> CType | None:
        if node.type == "string":
            codes = characters(node.value)
            return None if codes is None else Array(CHAR, len(codes) + 1)
        if node.type == "char":
            return INT if character(node.value) is not None else None
        value, real = number(node.value), real_number(node.value)
        if real is not None:
            return real[1]
        return None if value is None else type_of_number(node.value, value)

    def type_of_unary(self, node: c_ast.UnaryOp) -> CType | None:
        if node.op in ("sizeof", "_Alignof", "__alignof__"):
            return size_type()
        if node.op == "!":
            return INT
        if node.op == "&":
            found = self.typed(node.expr)
            return None if found is None else Pointer(found)
        if node.op == "__extension__":
            return self.typed(node.expr)
        inner = self.value_type(node.expr)
        if node.op == "*":
            target = inner.target if isinstance(inner, Pointer) else inner if isinstance(inner, Function) else None
            return None if isinstance(target, Void) else target
        if node.op in ("++", "--", "p++", "p--"):
            return None if inner is None else plain(inner)
        return promoted(inner) if isinstance(inner, Int) else None

    def type_of_binary(self, node: c_ast.BinaryOp) -> CType | None:
        if node.op in COMPARISONS or node.op in ("&&", "||"):
            return INT
        left, right = self.value_type(node.left), self.value_type(node.right)
        if isinstance(left, Int) and isinstance(right, Int):
            return promoted(left) if node.op in ("<<", ">>") else common(left, right)
        if node.op == "-" and isinstance(left, Pointer) and isinstance(right, Pointer):
            return difference_type()
        pointer = left if isinstance(left, Pointer) else right
        known = left is not None and right is not None and node.op in "+-"
        return plain(pointer) if known and isinstance(pointer, Pointer) else None

    def type_of_either(self, node: c_ast.TernaryOp) -> CType | None:
        if isinstance(node.iftrue, c_ast.ID) and node.iftrue.name == SAME:
            left = self.value_type(node.cond)
        else:
            left = self.value_type(node.iftrue)
        right = self.value_type(node.iffalse)
        if isinstance(left, Int) and isinstance(right, Int):
            return common(left, right)
        if left is None or right is None:
            return None
        if isinstance(left, Pointer) and isinstance(right, Pointer):
            return self.either_pointer(left, right)
        return left if left == right else None

    def either_pointer(self, left: Pointer, right: Pointer) -> CType | None:
        """What is const or volatile on one side is so in what both have in common."""
        a, b = unqualified(left.target), unqualified(right.target)
        is_const = isinstance(left.target, Const) or isinstance(right.target, Const)
        if has_volatile(a) or has_volatile(b):
            a, b = volatile(a), volatile(b)
        if not compatible(a, b) or not as_volatile(a, b):
            return None
        return Pointer(const(a) if is_const else a)

    def type_of_member(self, node: c_ast.StructRef) -> CType | None:
        base = self.typed(node.name)
        if node.type == "->":
            value = decayed(unqualified(base)) if base is not None else None
            base = value.target if isinstance(value, Pointer) else None
        record = unqualified(base) if base is not None else None
        found = record.find(node.field.name) if isinstance(record, Record) else None
        if found is None or isinstance(found.type, Bits):
            return None
        return const(found.type) if isinstance(base, Const) else found.type

    def type_of_call(self, node: c_ast.FuncCall) -> CType | None:
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        block = block_number(name)
        if block is not None:
            return self.block_types.get(block)
        if is_generic(node):
            return self.type_of_generic(node)
        function = self.called(node.name)
        return unqualified(function.result) if function else None

    def called(self, node: c_ast.Node) -> Function | None:
        """The type of the function that an expression denotes, or points to."""
        found = self.value_type(node)
        target = found.target if isinstance(found, Pointer) else found
        return target if isinstance(target, Function) else None

    def type_of_generic(self, node: c_ast.FuncCall) -> CType | None:
        """The type of what `_Generic` selects, where every case is understood."""
        chosen = self.chosen(node)
        return None if chosen is None else self.typed(chosen)

    def chosen(self, node: c_ast.FuncCall) -> c_ast.Node | None:
        """What `_Generic` selects (C11, 6.5.1.1); None where that is not known."""
        type_ = self.value_type(node.args.exprs[0])
        if type_ is None:
            return None
        wanted, (cases, default) = adjusted(plain(type_)), cases_of(node)
        fitting = [chosen for case, chosen in cases if fits(self.type_of(case), wanted, is_types(node))]
        return default if not fitting else fitting[0] if len(fitting) == 1 else None

    # ---- lvalues

    def is_lvalue(self, node: c_ast.Node) -> bool:
        """Whether an expression denotes an object; so does what is not understood."""
        match node:
            case c_ast.ID():
                declared = self.scope.declaration(node.name)
                return declared is None or declared.kind in ("variable", "parameter")
            case c_ast.StructRef(type="."):
                return self.is_lvalue(node.name)
            case c_ast.UnaryOp():
                return bool(node.op == "*") or (node.op == "__extension__" and self.is_lvalue(node.expr))
            case c_ast.Constant():
                return bool(node.type == "string")
            case c_ast.FuncCall():
                return is_generic(node)
        return not isinstance(node, c_ast.BinaryOp | c_ast.Assignment | c_ast.TernaryOp | c_ast.Cast | c_ast.ExprList)

    # ---- constants

    def constant(self, node: c_ast.Node) -> int:
        value = self.folded(node)
        found = value.constant if value is not None else None
        return self.unknown(node) if found is None else found

    def folded(self, node: c_ast.Node) -> Value | None:
        """An integer constant expression (C11, 6.6); None where it is none that is understood."""
        match node:
            case c_ast.Constant():
                type_ = self.type_of_constant(node)
                code = character(node.value) if node.type == "char" else number(node.value)
                return literal(converted(code, type_), type_) if isinstance(type_, Int) and code is not None else None
            case c_ast.ID():
                declared, entity = self.scope.declaration(node.name), self.scope.find(node.name)
                if declared is None or declared.kind != "enumerator":
                    return None
                return literal(entity.value, entity.type) if isinstance(entity, Enumerator) else None
            case c_ast.UnaryOp():
                return self.folded_unary(node)
            case c_ast.BinaryOp():
                return self.folded_binary(node)
            case c_ast.TernaryOp():
                sides = [self.folded(part) for part in (node.cond, node.iftrue, node.iffalse)]
                return None if None in sides else sides[1] if sides[0] and sides[0].constant else sides[2]
            case c_ast.Cast():
                inner, type_ = self.folded(node.expr), unqualified(self.type_of(node.to_type))
                return convert(inner, type_) if inner is not None and isinstance(type_, Int) else None
        return None

    def folded_unary(self, node: c_ast.UnaryOp) -> Value | None:
        if node.op in ("sizeof", "_Alignof", "__alignof__"):
            type_ = self.type_of_value(node.expr)
            bare = unqualified(type_)
            complete = not isinstance(bare, Array | Record) or is_complete(bare)
            measured = size_of(type_) if node.op == "sizeof" else alignment(type_)
            return literal(measured, size_type()) if complete else None
        inner = self.folded(node.expr)
        if inner is None or inner.constant is None:
            return None
        if node.op == "!":
            return literal(int(not inner.constant), INT)
        return arithmetic.unary(node.op, inner, _no_check) if node.op in ("-", "+", "~") else None

    def folded_binary(self, node: c_ast.BinaryOp) -> Value | None:
        left, right = self.folded(node.left), self.folded(node.right)
        if left is None or right is None or left.constant is None or right.constant is None:
            return None
        if node.op == "&&":
            return literal(int(bool(left.constant and right.constant)), INT)
        if node.op == "||":
            return literal(int(bool(left.constant or right.constant)), INT)
        return arithmetic.binary(node.op, left, right, _no_check)


def _no_check(_condition: object, _kind: str) -> None:
    """Whether a constant expression has a value is not asked here."""
