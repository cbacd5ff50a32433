"""The names at file scope of a C file's tree: where they are declared, where they are used, and other names for them.

Names are looked up as C does: a parameter, a local or a member of the same name is something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import TypeAlias

from pycparser import c_ast

from xgen.frontends.c.language.syntax import block_number
from xgen.records import dataclass

Key: TypeAlias = tuple[str, str]
"""What a name at file scope is one of, "name" or "tag", and the name."""
_DESIGNATORS = hasattr(c_ast, "ArrayDesignator")
_INSIDE = "__xgen_typeof_in_"
_TYPEOF = "__xgen_typeof_"


def is_inner(node: c_ast.Node) -> bool:
    """Whether a definition is no function, but the text of a statement expression, or of a typeof."""
    name = node.decl.name if isinstance(node, c_ast.FuncDef) else ""
    return block_number(name) is not None or name.startswith(_INSIDE)


@dataclass(slots=True)
class Uses:
    """The names of some nodes at file scope that are declared at file scope, or nowhere in the file; and of members."""

    mentioned: set[Key] = field(default_factory=set)
    members: set[str] = field(default_factory=set)


def inner_bodies(tree: c_ast.FileAST) -> dict[str, c_ast.Node]:
    """What statement expressions and typeofs have in them, by the names that stand for them."""
    found: dict[str, c_ast.Node] = {}
    for node in tree.ext:
        if is_inner(node):
            name = node.decl.name
            found[name.replace(_INSIDE, _TYPEOF)] = node.body
    return found


def uses(node: c_ast.Node, inner: Mapping[str, c_ast.Node]) -> Uses:
    """The names that a declaration or definition at file scope declares and uses."""
    walker = _Walker(inner, {})
    walker.visit(node)
    return walker.uses


def rename(nodes: Iterable[c_ast.Node], inner: Mapping[str, c_ast.Node], names: Mapping[Key, str]) -> None:
    """Gives names at file scope other ones, in the tree."""
    walker = _Walker(inner, names)
    for node in nodes:
        if not is_inner(node):
            walker.visit(node)


class _Walker:
    """Goes through declarations in the order of the text. `other` has the names that are changed."""

    def __init__(self, inner: Mapping[str, c_ast.Node], other: Mapping[Key, str]) -> None:
        self.inner = inner
        self.other = other
        self.uses = Uses()
        self.scopes: list[set[Key]] = []  # of the blocks that are open
        self.seen: set[str] = set()

    def name(self, kind: str, name: str) -> str:
        """A name that is used: the one that it has from now on."""
        if any((kind, name) in scope for scope in self.scopes):
            return name
        self.uses.mentioned.add((kind, name))
        return self.other.get((kind, name), name)

    def declare(self, kind: str, name: str) -> str:
        """A name that is declared here."""
        if self.scopes:
            self.scopes[-1].add((kind, name))
            return name
        return self.name(kind, name)

    def visit(self, node: c_ast.Node | None) -> None:
        if node is None:
            return
        method = getattr(self, f"on_{type(node).__name__.lower()}", None)
        if method is not None:
            method(node)
        else:
            self.children(node)

    def children(self, node: c_ast.Node) -> None:
        for child in node:
            self.visit(child)

    def block(self, node: c_ast.Node) -> None:
        self.scopes.append(set())
        self.children(node)
        self.scopes.pop()

    on_compound = on_for = block

    def on_decl(self, node: c_ast.Decl) -> None:
        self.declaration(node, declares=True)

    def declaration(self, node: c_ast.Decl, declares: bool) -> None:
        """The type first, then the name, then the initial value, which may use the name."""
        self.visit(node.type)
        if node.name is not None and declares:
            # A function or a variable that is declared in a block as one of the file is that.
            function = isinstance(node.type, c_ast.FuncDecl)
            outer = (function or "extern" in (node.storage or [])) and self.scopes
            new = self.name("name", node.name) if outer else self.declare("name", node.name)
            _set_name(node, new)
        for part in (node.bitsize, *(node.align or [])):
            self.visit(part)
        self.visit(node.init)

    def on_typedef(self, node: c_ast.Typedef) -> None:
        self.visit(node.type)
        _set_name(node, self.declare("name", node.name))

    def on_funcdef(self, node: c_ast.FuncDef) -> None:
        function = node.decl.type
        self.visit(function.type)
        _set_name(node.decl, self.declare("name", node.decl.name))
        self.scopes.append(set())
        for parameter in node.param_decls or []:  # which the list only names
            self.declare("name", parameter.name)
        self.visit(function.args)
        for parameter in node.param_decls or []:
            self.visit(parameter)
        self.visit(node.body)
        self.scopes.pop()

    def on_funcdecl(self, node: c_ast.FuncDecl) -> None:
        self.visit(node.type)
        self.scopes.append(set())
        self.visit(node.args)
        self.scopes.pop()

    def on_struct(self, node: c_ast.Struct | c_ast.Union) -> None:
        if node.name:
            defines = node.decls is not None
            node.name = self.declare("tag", node.name) if defines else self.name("tag", node.name)
        for part in node.decls or []:
            if isinstance(part, c_ast.Decl):
                self.uses.members.add(part.name or "")
                self.declaration(part, declares=False)
            else:
                self.visit(part)

    on_union = on_struct

    def on_enum(self, node: c_ast.Enum) -> None:
        if node.name:
            node.name = self.declare("tag", node.name) if node.values else self.name("tag", node.name)
        self.visit(node.values)

    def on_enumerator(self, node: c_ast.Enumerator) -> None:
        self.visit(node.value)
        node.name = self.declare("name", node.name)

    def on_id(self, node: c_ast.ID) -> None:
        if node.name in self.inner:
            self.inside(node.name)
        else:
            node.name = self.name("name", node.name)

    def on_identifiertype(self, node: c_ast.IdentifierType) -> None:
        if len(node.names) != 1:
            return
        if node.names[0] in self.inner:
            self.inside(node.names[0])
        else:
            node.names = [self.name("name", node.names[0])]

    def inside(self, name: str) -> None:
        """What a statement expression or a typeof has in it belongs to where it stands."""
        if name not in self.seen:
            self.seen.add(name)
            self.visit(self.inner[name])

    def on_structref(self, node: c_ast.StructRef) -> None:
        self.visit(node.name)

    def on_namedinitializer(self, node: c_ast.NamedInitializer) -> None:
        """`.a` and `[N]`, which look the same in older trees where N is a name: a member's name is taken for one."""
        for part in node.name:
            member = isinstance(part, c_ast.ID) and (_DESIGNATORS or part.name in self.uses.members)
            if not member:
                self.visit(part)
        self.visit(node.expr)


def _set_name(node: c_ast.Decl | c_ast.Typedef, name: str) -> None:
    """A declaration has its name twice."""
    part = node.type
    while part is not None and not isinstance(part, c_ast.TypeDecl):
        part = getattr(part, "type", None)
    node.name = name
    if isinstance(part, c_ast.TypeDecl):
        part.declname = name
