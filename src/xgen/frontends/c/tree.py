"""A C program that is read and not translated yet: its functions are looked at, and more text may come to it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from pycparser import c_ast

from xgen.errors import Position, Source
from xgen.frontends.c.constraints.check import Checker
from xgen.frontends.c.options import Options
from xgen.frontends.c.text.link import types_of
from xgen.frontends.c.text.preprocess import Settings, preprocess
from xgen.frontends.c.text.reader import Unit, parse
from xgen.frontends.c.translate import translate
from xgen.frontends.c.values.data_model import sized
from xgen.frontends.c.values.types import CType, Function
from xgen.frontends.mapping import Mapping as Compilation
from xgen.frontends.mapping import compiled
from xgen.program.automaton import Instead, Program
from xgen.records import dataclass, replace
from xgen.tags import KERNEL

ASSERT = "assert(condition)=__xgen_assert((condition), #condition)"
"""What `assert` is in texts that are added, which include nothing."""


@dataclass(frozen=True, slots=True)
class Defined:
    """A function that a program defines: its type (None: it is not supported), its parameters, and where it is.
    `hidden`: it is static."""

    name: str
    type: Function | None
    parameters: tuple[c_ast.Node, ...]
    position: Position
    hidden: bool


@dataclass(frozen=True)
class Tree:
    """What is read of a program, and how it is translated. `ignored`: flags that say nothing."""

    unit: Unit
    options: Options
    table: Compilation | None = None
    target: str = "C"
    ignored: tuple[str, ...] = ()

    def program(self) -> Program:
        """The program. Raises ProgramError and UnsupportedError."""
        with sized(self.options.data_model):
            program = translate(self.unit, self.options)
        read = program if self.table is None else compiled(program, self.table)
        again = self.with_others if self.target == KERNEL else None
        return replace(read, target=self.target, headers=self.unit.headers, ignored=self.ignored, again=again)

    def with_others(self, instead: Instead) -> Program:
        """The program with other accesses and fences."""
        return replace(self, options=replace(self.options, instead=instead)).program()

    def functions(self) -> Iterator[Defined]:
        """The functions that are defined, in the order of the text."""
        types = self._types()
        for node in self.unit.tree.ext:
            if not isinstance(node, c_ast.FuncDef) or node.decl.name.startswith("__xgen_"):
                continue
            type_ = types.get(node.decl.name)
            arguments = node.decl.type.args
            parameters = tuple(arguments.params) if arguments else ()
            hidden = "static" in (node.decl.storage or [])
            known = type_ if isinstance(type_, Function) else None
            yield Defined(node.decl.name, known, parameters, self.unit.position(node), hidden)

    def _types(self) -> Mapping[str, CType | None]:
        checker = Checker(self.unit, ())
        with sized(self.options.data_model):
            checker.file()
        return {name: declared.type for name, declared in checker.scope.declared.items()}

    def declared(self) -> set[str]:
        """The names of what is declared at file scope."""
        return set(self._types())

    def names(self) -> set[str]:
        """All names that the text has."""
        return {token.text for token in self.unit.tokens if token.kind == "name"}

    def without(self, names: Collection[str]) -> Tree:
        """The same without these functions."""
        kept = [
            node for node in self.unit.tree.ext if not isinstance(node, c_ast.FuncDef) or node.decl.name not in names
        ]
        return replace(self, unit=replace(self.unit, tree=c_ast.FileAST(kept)))

    def with_text(self, source: Source) -> Tree:
        """The same with a text behind it; what declares a type that is there already is left out."""
        with sized(self.options.data_model):
            added = parse(source, preprocess(source, Settings((ASSERT,))), self.unit)
        known = {key for node in self.unit.tree.ext for key in types_of(node)}
        fresh = [node for node in added.tree.ext if not (keys := list(types_of(node))) or not known.issuperset(keys)]
        unit = replace(
            self.unit,
            tree=c_ast.FileAST([*self.unit.tree.ext, *fresh]),
            tokens=[*self.unit.tokens, *added.tokens],
            errors=[*self.unit.errors, *added.errors],
            typeofs=added.typeofs,
            blocks=added.blocks,
        )
        return replace(self, unit=unit)

    def with_node(self, node: c_ast.Node) -> Tree:
        """The same with a declaration behind it."""
        return replace(self, unit=replace(self.unit, tree=c_ast.FileAST([*self.unit.tree.ext, node])))
