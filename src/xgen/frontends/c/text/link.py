"""Several files as one program: what a linker does, on their trees.

A name of internal linkage (`static`), of a type or of an enumerator belongs to its file. Where another file has the
name for something else, it is called `queue.c:name` from then on; all other names stay as they are. Types are the same
where two files declare them in the same words; a variable is one, wherever it is declared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import PurePath
from typing import Any

from pycparser import c_ast

from xgen.errors import ProgramError, XgenError, several
from xgen.frontends.c.text.names import Key, inner_bodies, is_inner, rename, uses
from xgen.frontends.c.text.reader import Unit
from xgen.records import dataclass, replace


@dataclass(slots=True)
class _File:
    """A file's declarations. `types`: what declares a type, a tag or an enumerator; `internal`: its own names."""

    unit: Unit
    name: str
    inner: Mapping[str, c_ast.Node] = field(default_factory=dict)
    types: dict[Key, c_ast.Node] = field(default_factory=dict)
    internal: set[Key] = field(default_factory=set)
    mentioned: set[Key] = field(default_factory=set)

    def nodes(self) -> Iterator[c_ast.Node]:
        return (node for node in self.unit.tree.ext if not is_inner(node))


def linked(units: Sequence[Unit]) -> Unit:
    """One unit that says what all say. Raises ProgramError for what is defined twice."""
    files = [_file(unit, name) for unit, name in zip(units, _short_names(units), strict=True)]
    foreign = _different_types(files)
    for file in files:
        others = [other for other in files if other is not file]
        own = {key for key in file.internal if any(key in other.mentioned for other in others)}
        names = {(kind, name): f"{file.name}:{name}" for kind, name in own | (foreign & file.types.keys())}
        if names:
            rename(file.nodes(), file.inner, names)
    _refuse_duplicates(files)
    tree = c_ast.FileAST(_merged(files))
    return replace(
        units[-1],
        source=units[0].source,
        tree=tree,
        tokens=[token for unit in units for token in unit.tokens],
        errors=[error for unit in units for error in unit.errors],
        first=0,
    )


def _short_names(units: Sequence[Unit]) -> list[str]:
    """What the files are called in names: without their folders, if they differ then."""
    names = [unit.source.name for unit in units]
    short = [PurePath(name).name for name in names]
    return short if len(set(short)) == len(short) else names


def _file(unit: Unit, name: str) -> _File:
    found = _File(unit, name, inner_bodies(unit.tree))
    for node in found.nodes():
        found.mentioned |= uses(node, found.inner).mentioned
        found.types |= dict.fromkeys(types_of(node), node)
        declaration = node.decl if isinstance(node, c_ast.FuncDef) else node
        if isinstance(declaration, c_ast.Decl) and declaration.name and "static" in (declaration.storage or []):
            found.internal.add(("name", declaration.name))
    return found


def types_of(node: c_ast.Node) -> Iterator[Key]:
    """The types, tags and enumerators that a declaration at file scope defines."""
    if isinstance(node, c_ast.FuncDef):
        yield from types_of(node.decl)
        return
    if isinstance(node, c_ast.Typedef):
        yield "name", node.name
    if isinstance(node, c_ast.Struct | c_ast.Union) and node.name and node.decls is not None:
        yield "tag", node.name
    if isinstance(node, c_ast.Enum) and node.values is not None:
        if node.name:
            yield "tag", node.name
        yield from (("name", enumerator.name) for enumerator in node.values.enumerators)
    if not isinstance(node, c_ast.ParamList):
        for child in node:
            yield from types_of(child)


def _different_types(files: Sequence[_File]) -> set[Key]:
    """What is a type or an enumerator in one file, and something else in another."""
    found: set[Key] = set()
    for file in files:
        for (kind, name), node in file.types.items():
            for other in files:
                if other is file or (kind, name) in found or (kind, name) not in other.mentioned:
                    continue
                theirs = other.types.get((kind, name))
                # A tag without its members means those that another file tells.
                if (theirs is None and kind != "tag") or (theirs is not None and shape(theirs) != shape(node)):
                    found.add((kind, name))
    while True:  # what has such a type in it is another one, too
        more = {
            key
            for file in files
            for key, node in file.types.items()
            if key not in found
            and any(other is not file and key in other.types for other in files)
            and not found.isdisjoint(uses(node, file.inner).mentioned)
        }
        if not more:
            return found
        found |= more


def shape(node: c_ast.Node) -> Any:
    """What a part of a tree says, without its place."""
    names = tuple(repr(getattr(node, name)) for name in node.attr_names)
    extra = tuple(shape(part) for part in getattr(node, "align", None) or [])
    return type(node).__name__, names, extra, tuple((name, shape(child)) for name, child in node.children())


def _refuse_duplicates(files: Sequence[_File]) -> None:
    """Raises ProgramError for functions and variables that two files define."""
    first: dict[str, tuple[_File, c_ast.Node]] = {}
    errors: list[XgenError] = []
    for file in files:
        for node in file.nodes():
            name = _defined(node)
            if name is None:
                continue
            known, where = first.setdefault(name, (file, node))
            if known is file or (_is_inline(node) and _is_inline(where) and shape(node) == shape(where)):
                continue
            position, before = file.unit.position(node), known.unit.position(where)
            hint = f"it is defined at {before.text(known.unit.source)}, too"
            errors.append(ProgramError(f"`{name}` is defined in two files", position.source, position, hint))
    if errors:
        raise several(errors)


def _defined(node: c_ast.Node) -> str | None:
    """The function or variable that a node defines; one without an initial value may be defined again."""
    if isinstance(node, c_ast.FuncDef):
        return str(node.decl.name)
    return str(node.name) if isinstance(node, c_ast.Decl) and node.init is not None else None


def _is_inline(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.FuncDef) and "inline" in (node.decl.funcspec or [])


def _merged(files: Sequence[_File]) -> list[c_ast.Node]:
    """All nodes, each type and inline function once."""
    found: list[c_ast.Node] = []
    seen: dict[Key, _File] = {}
    for file in files:
        for node in file.unit.tree.ext:
            keys = list(types_of(node)) if isinstance(node, c_ast.Typedef) or _is_nameless(node) else []
            if _is_inline(node):
                keys.append(("name", node.decl.name))
            for key in keys:
                seen.setdefault(key, file)
            if keys and all(seen[key] is not file for key in keys):
                continue
            found.append(node)
    return found


def tell_own_variables(nodes: Sequence[c_ast.Node]) -> None:
    """Makes `extern int x;` the same as `int x;` where the program has that variable: it may be named before it is
    defined."""
    defined = {_variable(node) for node in nodes}
    for node in nodes:
        if _is_extern(node) and node.name in defined:
            node.storage = [word for word in node.storage if word != "extern"]


def _is_nameless(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.Decl) and node.name is None


def _variable(node: c_ast.Node) -> str | None:
    """The variable that a node defines, with or without an initial value."""
    plain = isinstance(node, c_ast.Decl) and not isinstance(node.type, c_ast.FuncDecl)
    return node.name if plain and "extern" not in (node.storage or []) else None


def _is_extern(node: c_ast.Node) -> bool:
    """Whether a node declares a variable of another place, whose size it tells, so that it may define it as well."""
    return (
        isinstance(node, c_ast.Decl)
        and "extern" in (node.storage or [])
        and node.init is None
        and not isinstance(node.type, c_ast.FuncDecl)
        and not (isinstance(node.type, c_ast.ArrayDecl) and node.type.dim is None)
        and not {"const"} & set(node.quals or [])
        and "_Thread_local" not in node.storage
    )
