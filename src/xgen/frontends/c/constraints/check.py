"""The walk over a file that finds what C forbids (C11, 6.5.2.2, 6.5.16, 6.7 to 6.9)."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from pycparser import c_ast

from xgen.errors import ProgramError, UnsupportedError, XgenError, nearest
from xgen.frontends.c.constraints.qualified import composite, constant_part, shown
from xgen.frontends.c.constraints.typing import Declared, Names, Typing
from xgen.frontends.c.language.scope import Refused, Typedef
from xgen.frontends.c.language.syntax import block_number, is_generic, walk
from xgen.frontends.c.library.counts import count_of, wrong_count
from xgen.frontends.c.text.preprocess import HEADERS
from xgen.frontends.c.text.reader import Unit
from xgen.frontends.c.values.types import (
    VOID,
    Array,
    Const,
    CType,
    Function,
    Int,
    Member,
    Pointer,
    Record,
    adjusted,
    compatible,
    is_complete,
)
from xgen.records import replace

_STEPS = ("++", "--", "p++", "p--")
_WRITES = re.compile(r"(atomic|__atomic|__c11_atomic|__sync)_(?!load|is_lock|always|thread|signal|synchronize)")
"""Library functions that write to what their first argument leads to."""
_EXPECTED = re.compile(r"(atomic|__atomic|__c11_atomic)_compare_exchange")
"""Those that write to what their second argument leads to, too."""


def check_constraints(unit: Unit, system: Collection[str] = (), kernel: bool = False) -> list[XgenError]:
    """What a file has in it that C forbids, each with all the places that it is about. `system`: the names of headers
    that are not the program's own; `kernel`: functions of the library may be the Linux kernel's, of the same names."""
    checker = Checker(unit, system)
    checker.kernel = kernel
    checker.file()
    return checker.errors


class Checker(Typing):
    """Walks over a file, in the order of the text."""

    def __init__(self, unit: Unit, system: Collection[str]) -> None:
        super().__init__(unit)
        self.system = system
        self.errors: list[XgenError] = []
        self.made: dict[int, Record | Int] = {}  # by the node with its members: structs, unions, enums
        self.obscure: list[Record] = []  # with a member that is not understood: these are not incomplete
        self.kernel = False
        self.inside: tuple[str, CType | None] = "", None  # the one that is looked at, and its result

    # ---- errors

    def complain(self, message: str, node: c_ast.Node, first: c_ast.Node | None = None, said: str = "") -> None:
        """Something is forbidden at a node, because of what is `said` of an earlier one."""
        position = self.position(node)
        error = ProgramError(message, position.source, position)
        if first is not None:
            error.related = ((said, self.position(first)),)
        self.errors.append(error)

    def foreign(self, node: c_ast.Node) -> bool:
        """Whether a declaration is one of the library's headers: those of xgen do not say all that C's do, and types of
        others are replaced by xgen's."""
        source = self.position(node).source
        return source is not None and (source.name in self.system or Path(source.name).is_relative_to(HEADERS))

    def understood(self, node: c_ast.Node) -> CType | None:
        """The type that a declaration says; None where it is not understood."""
        try:
            return self.type_of(node)
        except UnsupportedError:
            return None
        except ProgramError as error:
            self.errors.append(error)
            return None

    # ---- what is declared

    def file(self) -> None:
        nodes = self.unit.tree.ext
        for node in nodes:
            name = node.decl.name if isinstance(node, c_ast.FuncDef) else ""
            number = block_number(name)
            if number is not None:
                self.blocks[number] = node.body
            elif name.startswith("__xgen_typeof_in_"):
                self.typeofs[int(name.rsplit("_", 1)[1])] = node.body.block_items[0].expr
        for node in nodes:
            if isinstance(node, c_ast.FuncDef):
                if not node.decl.name.startswith(("__xgen_block_", "__xgen_typeof_in_")):
                    self.definition(node)
            else:
                self.statement(node)

    def declare(self, name: str, new: Declared) -> None:
        """A name is declared in this scope; it may have been before, where both mean the same thing."""
        old = self.scope.declared.get(name)
        if old is None and new.linked and self.scope.outer is not None:
            old = self.linked(name)
        if old is not None and not (self.foreign(old.node) or self.foreign(new.node)):
            self.redeclare(name, old, new)
        if old is not None and old.kind == new.kind and old.type is not None and new.type is not None:
            type_ = composite(new.type, old.type) if compatible(old.type, new.type) else new.type
            new = replace(new, type=type_, body=new.body or old.body, static=old.static or new.static)
            if new.body is old.body and old.body is not None:
                new = replace(new, node=old.node)
        self.scope.declared[name] = new
        if new.kind not in ("typedef", "enumerator"):
            self.scope.names.pop(name, None)

    def linked(self, name: str) -> Declared | None:
        """What a declaration with linkage in a block may be another one of: that at file scope."""
        scope = self.scope
        while isinstance(scope.outer, Names):
            scope = scope.outer
        found = scope.declared.get(name)
        return found if found is not None and found.linked else None

    def redeclare(self, name: str, old: Declared, new: Declared) -> None:
        """Complains where two declarations of a name do not go together."""
        first = old.node
        if old.kind != new.kind:
            both = f"`{name}` is declared as {_a(new.kind)}, and as {_a(old.kind)} before"
            self.complain(both, new.node, first, f"{_a(old.kind)} here")
        elif new.kind == "enumerator":
            self.complain(f"the enumerator `{name}` is declared twice", new.node, first, "the first one is here")
        elif new.kind == "variable" and not (old.linked and new.linked):
            self.complain(f"`{name}` is declared twice in this block", new.node, first, "the first one is here")
        elif old.type is not None and new.type is not None and not self.agree(old, new):
            message = f"`{name}` is declared as {shown(new.type)}, and as {shown(old.type)} before"
            self.complain(message, new.node, first, f"{shown(old.type)} here")
        elif old.body is not None and new.body is not None:
            message = f"`{name}` is defined twice" if new.kind == "function" else f"`{name}` has two initial values"
            self.complain(message, new.node, first, "the first one is here")
        elif new.linked and new.static and not old.static:
            self.complain(f"`{name}` is declared with `static`, and without before", new.node, first, "without here")
        elif new.kind == "variable" and old.static and not new.static and "extern" not in new.node.storage:
            self.complain(f"`{name}` is declared without `static`, and with it before", new.node, first, "with it here")

    def agree(self, old: Declared, new: Declared) -> bool:
        assert old.type is not None
        assert new.type is not None
        if isinstance(old.type, Function) and isinstance(new.type, Function):
            for one, other in ((old, new), (new, old)):  # a definition without a prototype has no parameters at least
                if one.body is not None and not one.type.prototype and other.type.parameters:  # type: ignore[union-attr]
                    return getattr(one.body, "param_decls", None) is not None
        if new.kind == "typedef":
            return old.type == new.type and compatible(old.type, new.type)
        return compatible(old.type, new.type)

    def declaration(self, node: c_ast.Decl) -> None:
        """A declaration, in a block or outside."""
        if node.name is None:
            self.tag_alone(node)
            return
        type_ = self.understood(node)
        at_file = self.scope.outer is None
        is_function = isinstance(node.type, c_ast.FuncDecl) or isinstance(type_, Function)
        kind = "function" if is_function else "variable"
        linked = at_file or is_function or "extern" in node.storage
        if "extern" in node.storage and node.init is not None and not at_file:
            self.complain(f"`{node.name}` is declared with `extern` in a block, and cannot have an initial value", node)
        type_ = self.sized(type_, node, linked)
        self.declare(node.name, Declared(kind, type_, node, linked, "static" in node.storage and at_file, node.init))
        if node.init is not None:
            self.expression(node.init)

    def sized(self, type_: CType | None, node: c_ast.Decl, linked: bool) -> CType | None:
        """The type of a variable, whose size has to be known in the end."""
        if isinstance(type_, Array) and type_.size is None and node.init is not None:
            return type_  # as many elements as there are values
        auto = isinstance(node.type, c_ast.TypeDecl) and getattr(node.type.type, "names", None) == ["__xgen_auto"]
        if auto:
            return None
        if type_ is not None and not linked and not is_complete(type_):
            self.complain(f"`{node.name}` has a type whose size is not known", node)
            return None
        return type_

    def definition(self, node: c_ast.FuncDef) -> None:
        """A function with its body, whose outermost block is where its parameters are."""
        name = node.decl.name
        type_ = self.understood(node.decl)
        self.declare(name, Declared("function", type_, node.decl, True, "static" in node.decl.storage, node))
        outer, self.scope = self.scope, Names(self.scope)
        self.inside = name, type_.result if isinstance(type_, Function) else None
        parameters = node.decl.type.args.params if node.decl.type.args else []
        for parameter in [*(node.param_decls or []), *parameters]:
            if isinstance(parameter, c_ast.Decl) and parameter.name is not None:
                found = self.understood(parameter)
                own = None if found is None else adjusted(found)
                self.declare(parameter.name, Declared("parameter", own, parameter))
        self.labels(node)
        for item in node.body.block_items or []:
            self.statement(item)
        self.scope = outer

    def labels(self, node: c_ast.FuncDef) -> None:
        """Each label of a function is there once, and each `goto` has one."""
        found: dict[str, c_ast.Node] = {}
        parts = list(walk(node.body, self.blocks))
        for part in parts:
            if isinstance(part, c_ast.Label):
                if part.name in found:
                    message = f"the label `{part.name}` is there twice in this function"
                    self.complain(message, part, found[part.name], "the first one is here")
                found.setdefault(part.name, part)
        for part in parts:
            if isinstance(part, c_ast.Goto) and part.name not in found:
                position = self.position(part)
                message = f"there is no label `{part.name}` in this function"
                self.errors.append(ProgramError(message, position.source, position, nearest(part.name, found)))

    def function_type(self, node: c_ast.FuncDecl) -> Function:
        found: dict[str, c_ast.Node] = {}
        for parameter in node.args.params if node.args else []:
            name = getattr(parameter, "name", None)
            if name in found:
                self.complain(f"two parameters have the name `{name}`", parameter, found[name], "the first one is here")
            elif name is not None:
                found[name] = parameter
        return super().function_type(node)

    # ---- structs, unions, enums

    def tag_alone(self, node: c_ast.Decl) -> None:
        """`struct s;` or `struct s { ... };`: the first is a new one, where this block has none."""
        inner = node.type
        alone = isinstance(inner, c_ast.Struct | c_ast.Union) and inner.decls is None and inner.name
        if alone and inner.name not in self.scope.tags:
            self.scope.tags[inner.name] = Record(inner.name, isinstance(inner, c_ast.Union))
        self.understood(node)

    def named(self, node: c_ast.IdentifierType) -> CType:
        found = super().named(node)
        return self.unknown(node) if found in self.obscure else found

    def record(self, node: c_ast.Struct | c_ast.Union) -> Record:
        if node.decls is None:
            found = super().record(node)
            return self.unknown(node) if found in self.obscure else found
        made = self.made.get(id(node))
        if isinstance(made, Record):
            return made
        known = self.scope.tags.get(node.name or "")
        word = "union" if isinstance(node, c_ast.Union) else "struct"
        if known is not None and (isinstance(known, Int) or known.members is not None):
            self.defined_twice(f"{word} {node.name}", node)
            del self.scope.tags[node.name]
        try:
            found = self.made[id(node)] = super().record(node)
        except UnsupportedError:
            self.obscure += [found for found in (self.scope.tags.get(node.name or ""),) if isinstance(found, Record)]
            raise
        self.scope.tagged[node.name or ""] = node
        return found

    def defined_twice(self, what: str, node: c_ast.Node) -> None:
        first = self.scope.tagged.get(node.name)
        if first is None or not (self.foreign(first) or self.foreign(node)):
            self.complain(f"`{what}` is defined twice", node, first, "the first definition is here")

    def members(self, node: c_ast.Struct | c_ast.Union) -> tuple[list[Member], int]:
        found: dict[str, c_ast.Node] = {}
        for declaration in node.decls:
            if not isinstance(declaration, c_ast.Decl):
                continue
            names = [declaration.name] if declaration.name else self.inner_names(declaration)
            for name in names:
                if name.startswith("__xgen_"):  # what attributes have become
                    continue
                if name in found:
                    message = f"two members have the name `{name}`"
                    self.complain(message, declaration, found[name], "the first one is here")
                found.setdefault(name, declaration)
        return super().members(node)

    def inner_names(self, node: c_ast.Decl) -> list[str]:
        """The names of the members of an anonymous struct or union."""
        type_ = self.understood(node)
        members = type_.members or [] if isinstance(type_, Record) else []
        return [name for member in members for name in _names(member)]

    def enum(self, node: c_ast.Enum) -> Int:
        if node.values is None:
            return super().enum(node)
        made = self.made.get(id(node))
        if isinstance(made, Int):
            return made
        if node.name and node.name in self.scope.tags:
            self.defined_twice(f"enum {node.name}", node)
        declared = self.scope.declared
        for enumerator in node.values.enumerators:
            self.declare(enumerator.name, Declared("enumerator", None, enumerator))
        found = self.made[id(node)] = super().enum(node)
        self.scope.tagged[node.name or ""] = node
        for enumerator in node.values.enumerators:
            entity = self.scope.names[enumerator.name]
            declared[enumerator.name] = replace(declared[enumerator.name], type=getattr(entity, "type", None))
        return found

    # ---- statements

    def statement(self, node: c_ast.Node | None) -> None:
        match node:
            case None:
                pass
            case c_ast.Compound() | c_ast.For():
                outer, self.scope = self.scope, Names(self.scope)
                for part in [*node]:
                    self.statement(part)
                self.scope = outer
            case c_ast.Decl():
                self.declaration(node)
            case c_ast.DeclList():
                for declaration in node.decls:
                    self.declaration(declaration)
            case c_ast.Typedef():
                self.type_name(node)
            case c_ast.StaticAssert():
                self.asserted(node)
            case c_ast.Return():
                self.leave(node)
            case c_ast.If() | c_ast.While() | c_ast.DoWhile() | c_ast.Switch() | c_ast.Label():
                for part in node:
                    self.statement(part)
            case c_ast.Case() | c_ast.Default():
                for part in node.stmts or []:
                    self.statement(part)
            case _:
                self.expression(node)

    def type_name(self, node: c_ast.Typedef) -> None:
        try:
            type_: CType | None = self.type_of(node)
            assert type_ is not None
            self.scope.names[node.name] = Typedef(type_)
        except XgenError as error:
            type_ = None
            self.scope.names[node.name] = Refused(error)
            if isinstance(error, ProgramError):
                self.errors.append(error)
        self.declare(node.name, Declared("typedef", type_, node))

    def asserted(self, node: c_ast.StaticAssert) -> None:
        try:
            self.static_assertion(node)
        except ProgramError as error:
            self.errors.append(error)
        except UnsupportedError:
            pass

    def leave(self, node: c_ast.Return) -> None:
        name, result = self.inside
        if node.expr is None:
            if result is not None and result != VOID:
                self.complain(f"`{name}` has to return a value: {shown(result)}", node)
            return
        self.expression(node.expr)
        value = self.value_type(node.expr)
        if result == VOID and value is not None and value != VOID:
            self.complain(f"`{name}` returns nothing, and cannot return a value", node)

    # ---- expressions

    def expression(self, node: c_ast.Node) -> None:
        """Looks at an expression, and at all in it."""
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            number = block_number(node.name.name)
            if number is not None:
                self.block(number, self.blocks[number])
                return
        if isinstance(node, c_ast.Typename):
            self.understood(node)
            return
        for part in node:
            self.expression(part)
        if is_generic(node):
            self.select(node)
        elif isinstance(node, c_ast.Assignment):
            self.modifiable(node.lvalue, node)
        elif isinstance(node, c_ast.UnaryOp) and node.op in _STEPS:
            self.modifiable(node.expr, node)
        elif isinstance(node, c_ast.FuncCall):
            self.call(node)

    def select(self, node: c_ast.FuncCall) -> None:
        """Leaves of `_Generic` only what it selects, where that is known here: what is const is not told later."""
        with suppress(XgenError):
            chosen = self.chosen(node)
            if chosen is not None:
                node.args.exprs[1:] = [c_ast.Constant("string", '"default"'), chosen]

    def block(self, number: int, body: c_ast.Compound) -> None:
        """A statement expression; its type is that of the expression that it ends with."""
        outer, self.scope = self.scope, Names(self.scope)
        items = body.block_items or []
        for item in items:
            self.statement(item)
        last = self.value_type(items[-1]) if items else VOID
        self.block_types[number] = last
        self.scope = outer

    def modifiable(self, target: c_ast.Node, node: c_ast.Node) -> None:
        """What is assigned is an object that may change."""
        if not self.is_lvalue(target):
            self.complain("this is no object, which could be assigned to", node)
            return
        type_ = self.typed(target)
        if type_ is None:
            return
        if isinstance(type_, Array):
            self.complain("an array cannot be assigned to, only its elements", node)
            return
        if isinstance(type_, Function):
            self.complain("a function cannot be assigned to", node)
            return
        member = constant_part(type_)
        if member is None:
            return
        name, what = _root(target)
        declared = self.scope.declaration(name) if name else None
        what = f"`{what}`" if what else "this"
        message = f"{what} is const" if not member else f"{what} has a member that is const, `{member}`"
        first = declared.node if declared else None
        self.complain(f"{message}, and cannot be assigned to", node, first, f"`{name}` is declared here")

    def call(self, node: c_ast.FuncCall) -> None:
        given = len(node.args.exprs) if node.args else 0
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        if name.startswith("__xgen_"):
            return
        declared = self.scope.declaration(name) if name else None
        if name and declared is None:
            self.library_call(name, given, node)
            return
        type_ = self.value_type(node.name)
        function = self.called(node.name)
        if function is None:
            if type_ is not None:
                self.complain(f"this is no function, which could be called, but {shown(type_)}", node)
            return
        if not function.prototype or (declared and self.foreign(declared.node) and count_of(name)):
            self.library_call(name, given, node)
            return
        least = len(function.parameters)
        what = f"`{name}`" if name else "this function"
        message = wrong_count(what, given, least, None if function.variadic else least)
        if message:
            first = declared.node if declared else None
            self.complain(message, node, first, f"`{name}` is declared here")

    def library_call(self, name: str, given: int, node: c_ast.FuncCall) -> None:
        """A call of a function that is not declared, or not with its parameters: perhaps one of the library."""
        declared = self.scope.declaration(name)
        if self.kernel or (declared is not None and declared.body is not None):
            return
        count = count_of(name)
        message = wrong_count(f"`{name}`", given, *count) if count else None
        if message:
            self.complain(message, node)
        written = [0] if _WRITES.match(name) else []
        for place in [*written, *([1] if _EXPECTED.match(name) else [])]:
            type_ = self.value_type(node.args.exprs[place]) if place < given else None
            if isinstance(type_, Pointer) and isinstance(type_.target, Const):
                self.complain(f"`{name}` writes to what is const: {shown(type_.target)}", node.args.exprs[place])


def _a(kind: str) -> str:
    return {"typedef": "the name of a type", "enumerator": "an enumerator"}.get(kind, f"a {kind}")


def _root(node: c_ast.Node) -> tuple[str, str]:
    """The variable that an lvalue begins with, and the lvalue as it is written; "" where it is not that simple."""
    match node:
        case c_ast.ID():
            return node.name, node.name
        case c_ast.StructRef():
            name, text = _root(node.name)
            text = f"({text})" if text.startswith("*") else text
            return name, f"{text}{node.type}{node.field.name}" if text else ""
        case c_ast.ArrayRef():
            name, text = _root(node.name)
            return name, f"{text}[...]" if text else ""
        case c_ast.UnaryOp(op="*"):
            name, text = _root(node.expr)
            return name, f"*{text}" if text else ""
    return "", ""


def _names(member: Member) -> list[str]:
    """The names that a member adds to those of its struct."""
    if member.name:
        return [member.name]
    inner = member.type.members or [] if isinstance(member.type, Record) else []
    return [name for part in inner for name in _names(part)]
