"""Local arrays: each cell is a local of its own, `a[0]`.

An index that the text does not say picks among them: a cell that is written depends on the index, those that are not
do not; what is read depends on the index and on the cell that is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import NoReturn

from xgen.errors import Position, ProgramError, Source
from xgen.program import automaton as xcfa
from xgen.program.automaton import Assign, Binary, Element, Index, IntLiteral, Name, Predict, Select
from xgen.program.rewrite import TARGETS, rewrite, rewrite_statement
from xgen.records import replace

MAX_CELLS = 64
"""Of one local array: an access by a computed index looks at each of them."""


def cell_name(array: str, index: tuple[int, ...]) -> str:
    return array + "".join(f"[{i}]" for i in index)


def cells_of(source: Source, variable: xcfa.Variable) -> tuple[xcfa.Variable, ...]:
    """The locals that a local array is."""
    if not variable.type.sizes or variable.type.base == "synthetic" or xcfa.ANY in variable.type.sizes:
        return (variable,)  # an array of these is refused by those who check programs
    if prod(variable.type.sizes) > MAX_CELLS:
        message = f"a local array has at most {MAX_CELLS} cells, `{variable.name}` has {prod(variable.type.sizes)}"
        raise ProgramError(message, source, variable.position, SHARED)
    values = variable.initial or (None,) * prod(variable.type.sizes)
    if len(values) != prod(variable.type.sizes):
        return (variable,)
    scalar = xcfa.Type(variable.type.base)
    return tuple(
        replace(variable, name=cell_name(variable.name, index), type=scalar, initial=() if value is None else (value,))
        for index, value in zip(product(*map(range, variable.type.sizes)), values, strict=True)
    )


SHARED = "declare it before the processes: shared arrays may be large"


class Registers:
    """Replaces elements of local arrays in the statements of one body.

    `arrays` are the local arrays that can be seen, `taken` the names of all variables; `declared` are the locals that
    were needed for what is computed.
    """

    def __init__(self, source: Source, arrays: Mapping[str, xcfa.Variable], taken: set[str]) -> None:
        self.source = source
        self.arrays = arrays
        self.taken = taken
        self.declared: dict[str, xcfa.Variable] = {}
        self.used: dict[str, int] = {}
        self.before: list[xcfa.Statement] = []

    def is_computed(self, expression: xcfa.Expression) -> bool:
        """Whether a cell is read in it whose index is not in the text."""
        return any(isinstance(part, Element) and _constant(part.indices) is None for part in xcfa.postorder(expression))

    def statements(self, statements: tuple[xcfa.Statement, ...]) -> Iterator[xcfa.Statement]:
        """The statements, with what has to be computed before and after each."""
        for statement in statements:
            self.before, self.used = [], {}
            if isinstance(statement, xcfa.Assume) and self.is_computed(statement.condition):
                hint = "read the cell before: `v := a[i]`"
                self.wrong("an `assume` cannot pick a cell of a local array", statement.position, hint)
            changed = rewrite_statement(statement, self.leaf)
            after: list[xcfa.Statement] = []
            changed = self.targets(changed, after)
            yield from (*self.before, changed, *after)

    def leaf(self, name: Name, indices: tuple[xcfa.Expression, ...]) -> xcfa.Expression:
        if not isinstance(name, Element):
            return name
        array = self.array(name)
        constant = _constant(indices)
        if constant is not None:
            return Name(self.cell(array, constant, name.position), name.position)
        return self.read(array, self.index(array, indices, name.position), name.position)

    def array(self, name: Element) -> xcfa.Variable:
        array = self.arrays.get(name.name)
        if array is None:
            raise ProgramError("", self.source, name.position)  # told by who knows the other variables
        if len(array.type.sizes) != len(name.indices):
            takes = len(array.type.sizes)
            message = f"`{name.name}` is of type {array.type}: it takes {takes} {'index' if takes == 1 else 'indices'}"
            self.wrong(f"{message}, not {len(name.indices)}", name.position)
        return array

    def cell(self, array: xcfa.Variable, index: tuple[int, ...], position: Position) -> str:
        for i, size in zip(index, array.type.sizes, strict=True):
            if not 0 <= i < size:
                self.wrong(f"`{array.name}` is of type {array.type}: it has no cell {i}", position)
        return cell_name(array.name, index)

    def index(self, array: xcfa.Variable, indices: tuple[xcfa.Expression, ...], position: Position) -> Name:
        """A local that says which cell is meant, counted from 0."""
        whole: xcfa.Expression | None = None
        for index, size in zip(indices, array.type.sizes, strict=True):
            inside = Index(index, size, position)
            if whole is None:
                whole = inside
            else:
                whole = Binary("+", Binary("*", whole, IntLiteral(size, position), position), inside, position)
        assert whole is not None
        found = self.local("at", xcfa.INT, position)
        self.before.append(Assign(found, whole, position))
        return found

    def read(self, array: xcfa.Variable, index: Name, position: Position) -> Name:
        names = [cell_name(array.name, i) for i in product(*map(range, array.type.sizes))]
        value = self.local(f"{array.type.base}_value", xcfa.Type(array.type.base), position)
        self.before.append(Assign(value, Name(names[0], position), position))
        for number, name in enumerate(names[1:], 1):
            here = self.is_here(self.before, index, number, position)
            self.before.append(Select(value, here, Name(name, position), value, False, position))
        return value

    def is_here(self, to: list[xcfa.Statement], index: Name, number: int, position: Position) -> Name:
        here = self.local("here", xcfa.BOOL, position, again=True)
        to.append(Predict(here, Binary("=", index, IntLiteral(number, position), position), False, 2, position))
        return here

    def targets(self, statement: xcfa.Statement, after: list[xcfa.Statement]) -> xcfa.Statement:
        """The statement with a local for what it writes, and what writes that to the cell."""
        for field in TARGETS:
            target = getattr(statement, field, None)
            if not isinstance(target, Element):
                continue
            array = self.array(target)
            indices = tuple(rewrite(index, self.leaf) for index in target.indices)
            constant = _constant(indices)
            if constant is not None:
                cell = self.cell(array, constant, target.position)
                return replace(statement, **{field: Name(cell, target.position)})  # type: ignore[arg-type]
            index = self.index(array, indices, target.position)
            value = self.local(f"{array.type.base}_new", xcfa.Type(array.type.base), target.position)
            for number, place in enumerate(product(*map(range, array.type.sizes))):
                here = self.is_here(after, index, number, target.position)
                cell_of = Name(cell_name(array.name, place), target.position)
                after.append(Select(cell_of, here, value, cell_of, True, target.position))
            return replace(statement, **{field: value})  # type: ignore[arg-type]
        return statement

    def local(self, base: str, type_: xcfa.Type, position: Position, again: bool = False) -> Name:
        """A local for what is computed; another one for each that is needed at once."""
        number = self.used.get(base, 0) + (not again)
        self.used[base] = number
        name = f"cell_{base}" + (f"_{number}" if number > 1 else "")
        while name in self.taken and name not in self.declared:
            name += "_"
        self.taken.add(name)
        self.declared[name] = xcfa.Variable(name, type_, (), position, shown=False)
        return Name(name, position)

    def wrong(self, message: str, position: Position, hint: str | None = None) -> NoReturn:
        raise ProgramError(message, self.source, position, hint)


def _constant(indices: tuple[xcfa.Expression, ...]) -> tuple[int, ...] | None:
    """The indices, if the text says them."""
    found = [index.value for index in indices if isinstance(index, IntLiteral)]
    return tuple(found) if len(found) == len(indices) else None
