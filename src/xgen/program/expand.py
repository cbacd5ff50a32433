"""From a program's text to the program: constants, structs, several processes of one kind, shared procedures, steps.

What makes no sense without the text is told here; names and types of the program that comes out are up to checks.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import NoReturn

from xgen.errors import Position, ProgramError, Source, nearest
from xgen.program import automaton as xcfa
from xgen.program import surface
from xgen.program.constants import Constants
from xgen.program.registers import Registers, cells_of
from xgen.program.rewrite import TARGETS, Leaf, rewrite, rewrite_statement
from xgen.program.steps import to_automaton, with_otherwise
from xgen.records import replace

MAX_INSTANCES = 1000
"""Processes of one kind."""


def expand(text: surface.Text, given: Mapping[str, int | bool]) -> xcfa.Program:
    """The program that a text says; `given` are values of constants that count instead of those in the text.

    Raises ProgramError where constants, structs, instances or steps make no sense.
    """
    return _Expander(text, given).program()


class _Expander:
    def __init__(self, text: surface.Text, given: Mapping[str, int | bool]) -> None:
        self.source: Source = text.source
        self.text = text
        self.constants = Constants(text, given)
        self.structs: dict[str, surface.Struct] = {}
        self.shared: dict[str, xcfa.Variable] = {}
        self.procedures: dict[str, surface.Procedure] = {}
        self.cells = 0  # of the shared variables so far
        self.kinds: dict[str, tuple[int, ...]] = {}  # the numbers of the processes of one kind

    def wrong(self, message: str, position: Position, hint: str | None = None) -> NoReturn:
        raise ProgramError(message, self.source, position, hint)

    def program(self) -> xcfa.Program:
        for item in self.text.items:
            if isinstance(item, surface.Struct):
                self.struct(item)
            if isinstance(item, surface.Procedure):
                if item.name in self.procedures:
                    line = self.procedures[item.name].position.line
                    self.wrong(f"there is already a procedure `{item.name}`, declared in line {line}", item.position)
                self.procedures[item.name] = item
        variables = [v for item in self.text.items if isinstance(item, surface.Variable) for v in self.declared(item)]
        self.shared = {variable.name: variable for variable in variables}
        kinds = [item for item in self.text.items if isinstance(item, surface.Process)]
        for kind in kinds:
            if kind.instances is not None and kind.instances != surface.Instances():
                self.kinds[kind.name] = (*self.kinds.get(kind.name, ()), *self.numbers(kind))
        processes = [process for kind in kinds for process in self.instances(kind)]
        self.check_procedures(processes)
        return xcfa.Program(self.source, tuple(variables), tuple(processes))

    # ---- variables

    def struct(self, struct: surface.Struct) -> None:
        if struct.name in self.structs:
            line = self.structs[struct.name].position.line
            self.wrong(f"there is already a struct `{struct.name}`, declared in line {line}", struct.position)
        if not struct.fields:
            self.wrong("a struct has at least one field", struct.position)
        seen: set[str] = set()
        for part in struct.fields:
            if part.name in seen:
                self.wrong(f"there is already a field `{part.name}`", part.position)
            if part.type.sizes or part.type.base not in ("int", "bool"):
                self.wrong(
                    "a field is an int or a bool", part.type.position, "declare arrays and mutexes by themselves"
                )
            seen.add(part.name)
        self.structs[struct.name] = struct

    def type(self, type_: surface.Type, leaf: Leaf | None = None) -> xcfa.Type:
        sizes = tuple(xcfa.ANY if size is None else self.size(size, leaf) for size in type_.sizes)
        if type_.base not in ("int", "bool", "synthetic"):
            if type_.base in self.structs:
                self.wrong(f"`{type_.base}` is a struct: only shared variables are of such a type", type_.position)
            hint = nearest(type_.base, {"int", "bool", "synthetic", *self.structs})
            self.wrong(f"there is no type `{type_.base}`", type_.position, hint)
        return xcfa.Type(type_.base, sizes)  # type: ignore[arg-type]  # one of the three

    def size(self, size: xcfa.Expression, leaf: Leaf | None = None) -> int:
        value = self.constants.number(size, leaf)
        if value < 1:
            self.wrong("an array has at least one cell", size.position)
        return value

    def declared(self, variable: surface.Variable) -> Iterator[xcfa.Variable]:
        """The shared variables of a declaration: one, or one for each field of a struct."""
        if variable.type.base not in self.structs:
            one = self.variable(variable)
            self.cells += prod(one.type.sizes)
            yield one
            return
        if variable.address is not None or variable.undefined or variable.object is not None:
            self.wrong("the place of a struct in memory cannot be said", variable.position)
        fields = self.structs[variable.type.base].fields
        sizes = tuple(self.size(size) if size is not None else self.any(variable) for size in variable.type.sizes)
        count = prod(sizes)
        if variable.initial and len(variable.initial) != count * len(fields):
            takes = f"{count * len(fields)} initial values"
            self.wrong(f"`{variable.name}` takes {takes}, not {len(variable.initial)}", variable.initial[-1].position)
        values = [self.constants.value(value) for value in variable.initial]
        for number, part in enumerate(fields):
            name, address = f"{variable.name}.{part.name}", xcfa.CELL_SIZE * (self.cells + number + 1)
            type_ = replace(self.type(part.type), sizes=sizes)
            own = tuple(values[number :: len(fields)])
            step = xcfa.CELL_SIZE * len(fields)
            yield xcfa.Variable(name, type_, own, variable.position, address, step=step)
        self.cells += count * len(fields)

    def any(self, variable: surface.Variable) -> NoReturn:
        self.wrong("there are no structs for any number of processes", variable.type.position)

    def variable(self, variable: surface.Variable, leaf: Leaf | None = None) -> xcfa.Variable:
        return xcfa.Variable(
            variable.name,
            self.type(variable.type, leaf),
            tuple(self.constants.value(value, leaf) for value in variable.initial),
            variable.position,
            variable.address,
            variable.bytes,
            variable.undefined,
            object=variable.object,
        )

    # ---- processes

    def numbers(self, kind: surface.Process) -> range:
        """The numbers of the processes of one kind."""
        instances = kind.instances
        assert instances is not None
        if instances.number is not None:
            first, last = 0, self.constants.number(instances.number) - 1
            position = instances.number.position
        else:
            assert instances.first is not None
            assert instances.last is not None
            first, last = self.constants.number(instances.first), self.constants.number(instances.last)
            position = instances.first.position
        if first < 0:
            self.wrong("processes are numbered from 0", position)
        if last < first:
            self.wrong(f"there is no process `{kind.name}`", position, "there has to be at least one")
        if last - first >= MAX_INSTANCES:
            self.wrong(f"there are more than {MAX_INSTANCES} processes `{kind.name}`", position)
        return range(first, last + 1)

    def instances(self, kind: surface.Process) -> Iterator[xcfa.Process]:
        if kind.instances is None or kind.instances == surface.Instances():
            yield self.process(kind, kind.name, None)
            return
        for number in self.numbers(kind):
            yield self.process(kind, f"{kind.name}[{number}]", number)

    def process(self, kind: surface.Process, name: str, number: int | None) -> xcfa.Process:
        """One process; `number` is what it calls `me`, if it has a name for that."""
        many = kind.instances == surface.Instances()
        if kind.me is not None and number is not None:
            self.constants.no_constant(kind.me)
            known = {*self.shared, *(v.name for v in kind.body.variables)}
            if kind.me.name in known:
                self.wrong(f"there is already a variable `{kind.me.name}`", kind.me.position)
        own = {kind.me.name: number} if kind.me is not None and number is not None else {}
        body = _Body(self, own)
        called = self.called(kind)
        if not called:
            variables, locations, edges = body.made(kind.body, ())
            procedures = tuple(body.procedure(p, kind.body.variables) for p in kind.body.procedures)
        elif kind.body.procedures:
            variables, locations, edges = body.made(replace(kind.body, items=kind.body.variables), ())
            own_procedures = [*kind.body.procedures, *called]
            procedures = tuple(body.procedure(p, kind.body.variables) for p in own_procedures)
            if len(kind.body.procedures) == 1:
                procedures = (replace(procedures[0], main=True), *procedures[1:])
        else:
            inner, locations, edges = body.made(kind.body, ())
            main = xcfa.Procedure(kind.name, True, (), inner, locations, edges, None, kind.position)
            variables, locations, edges = (), (), ()
            procedures = (main, *(body.procedure(p, ()) for p in called))
        me = kind.me if number is None else None
        return xcfa.Process(name, kind.main, variables, procedures, locations, edges, kind.position, many, me)

    def called(self, kind: surface.Process) -> list[surface.Procedure]:
        """The shared procedures that a process can come to, in the order of the text."""
        own = {procedure.name for procedure in kind.body.procedures}
        found: set[str] = set()
        work = [kind.body, *(procedure.body for procedure in kind.body.procedures)]
        while work:
            for statement in _statements(work.pop()):
                if isinstance(statement, xcfa.Call):
                    name = statement.procedure.name
                    if name in self.procedures and name not in own and name not in found:
                        found.add(name)
                        work.append(self.procedures[name].body)
        return [procedure for name, procedure in self.procedures.items() if name in found]

    def check_procedures(self, processes: list[xcfa.Process]) -> None:
        """Shared procedures that nobody calls are looked at all the same: by a process of its own."""
        used = {procedure.position for process in processes for procedure in process.procedures}
        for procedure in self.procedures.values():
            if procedure.main:
                self.wrong("a shared procedure is not that of a process", procedure.position, "`main` is for processes")
            if procedure.position in used:
                continue
            _Body(self, {}).procedure(procedure, ())


class _Body:
    """The bodies of one process; `own` is its number, by the name that it has for it."""

    def __init__(self, expander: _Expander, own: Mapping[str, int | None]) -> None:
        self.all = expander
        self.own = {name: value for name, value in own.items() if value is not None}
        self.outer: dict[str, xcfa.Variable] = {}

    def leaf(self, name: xcfa.Name, indices: tuple[xcfa.Expression, ...]) -> xcfa.Expression:
        if isinstance(name, xcfa.Element):
            return replace(name, indices=tuple(map(self.all.constants.folded, indices)))
        if name.name in self.own:
            return xcfa.IntLiteral(self.own[name.name], name.position)
        return self.all.constants.leaf(name, ())

    def procedure(self, procedure: surface.Procedure, outer: tuple[surface.Variable, ...]) -> xcfa.Procedure:
        self.outer = {variable.name: self.all.variable(variable, self.leaf) for variable in outer}
        parameters = tuple(self.all.variable(parameter, self.leaf) for parameter in procedure.parameters)
        variables, locations, edges = self.made(procedure.body, parameters)
        returns = None if procedure.returns is None else self.all.type(procedure.returns, self.leaf)
        self.outer = {}
        return xcfa.Procedure(
            procedure.name, procedure.main, parameters, variables, locations, edges, returns, procedure.position
        )

    def made(
        self, body: surface.Body, parameters: tuple[xcfa.Variable, ...]
    ) -> tuple[tuple[xcfa.Variable, ...], tuple[xcfa.Location, ...], tuple[xcfa.Edge, ...]]:
        """The variables, locations and edges of a body."""
        source = self.all.source
        declared = [self.all.variable(variable, self.leaf) for variable in body.variables]
        for variable in (*declared, *parameters):
            self.all.constants.no_constant(xcfa.Name(variable.name, variable.position))
        visible = {**self.outer, **{variable.name: variable for variable in (*parameters, *declared)}}
        taken = {*visible, *self.all.shared, *self.all.constants.values, *self.own}
        arrays = {name: variable for name, variable in visible.items() if variable.type.sizes}
        registers = Registers(source, arrays, taken)
        more: tuple[xcfa.Variable, ...] = ()
        if body.code is None:
            locations, raw = body.locations, with_otherwise(source, body.edges)
        else:
            made = to_automaton(source, body.code, taken, lambda e: registers.is_computed(self.folded(e)))
            locations, raw, more = made.locations, made.edges, made.variables
        visible |= {variable.name: variable for variable in more}
        edges = []
        for edge in raw:
            statements = tuple(self.statement(statement, visible) for statement in edge.statements)
            if any(map(_has_elements, statements)):
                statements = tuple(registers.statements(statements))
            edges.append(edge if statements == edge.statements else replace(edge, statements=statements))
        inner = [cell for variable in declared for cell in cells_of(source, variable)]
        return (*inner, *more, *registers.declared.values()), locations, tuple(edges)

    def folded(self, expression: xcfa.Expression) -> xcfa.Expression:
        return rewrite(expression, self.leaf)

    def statement(self, statement: xcfa.Statement, visible: Mapping[str, xcfa.Variable]) -> xcfa.Statement:
        """A statement with the values of constants in it."""
        if isinstance(statement, xcfa.Control):
            return replace(statement, process=self.process(statement.process))
        if isinstance(statement, xcfa.Meet):
            return replace(statement, group=tuple(map(self.process, statement.group)))
        statement = rewrite_statement(statement, self.leaf)
        for element in _elements(statement):
            self.element(element, visible)
        for name in _targets(statement):
            if name.name in self.own:
                self.all.wrong(f"`{name.name}` is the number of the process", name.position, "it stays as it is")
            self.all.constants.no_target(name)
        return _with_targets(statement, self.leaf)

    def element(self, name: xcfa.Element, visible: Mapping[str, xcfa.Variable]) -> None:
        """What has an index in an expression is a local array."""
        known = visible.get(name.name)
        if known is not None and known.type.sizes:
            return
        if known is not None:
            self.all.wrong(f"`{name.name}` is of type {known.type}: it takes no index", name.position)
        if name.name in self.all.shared:
            message = f"`{name.name}` is a shared variable, a local one is needed here"
            self.all.wrong(message, name.position, "a load reads a shared variable: `local <- shared`")
        hint = nearest(name.name, {*visible, *self.all.shared})
        self.all.wrong(f"there is no variable `{name.name}`", name.position, hint)

    def process(self, name: xcfa.Name) -> xcfa.Name:
        """The process that is named, be it one of several by its number."""
        kinds = self.all.kinds
        if isinstance(name, xcfa.Element):
            if name.name not in kinds:
                self.all.wrong(f"there are no processes `{name.name}[...]`", name.position, nearest(name.name, kinds))
            if len(name.indices) != 1:
                self.all.wrong("a process has one number", name.position)
            number = self.all.constants.number(name.indices[0], self.leaf)
            if number not in kinds[name.name]:
                numbers = kinds[name.name]
                hint = f"its numbers are {min(numbers)} to {max(numbers)}"
                self.all.wrong(f"there is no process `{name.name}[{number}]`", name.position, hint)
            return xcfa.Name(f"{name.name}[{number}]", name.position)
        if name.name in kinds:
            self.all.wrong(f"there are several processes `{name.name}`", name.position, f"say which: `{name.name}[0]`")
        return name


def _statements(body: surface.Body) -> Iterator[xcfa.Statement]:
    """All statements in a body."""
    for edge in body.edges:
        yield from edge.statements
    blocks: list[surface.Block] = [] if body.code is None else [body.code]
    while blocks:
        for step in blocks.pop().steps:
            match step:
                case surface.If(_, positive, negative):
                    blocks.append(positive)
                    if isinstance(negative, surface.If):
                        blocks.append(surface.Block((negative,)))
                    elif negative is not None:
                        blocks.append(negative)
                case surface.While() | surface.DoWhile() | surface.For() | surface.Atomic():
                    blocks.append(step.body)
                case surface.Choose(inside):
                    blocks.extend(inside)
                case surface.Jump():
                    pass
                case _:
                    yield step


def _expressions(statement: xcfa.Statement) -> Iterator[xcfa.Expression]:
    found: list[xcfa.Expression] = []

    def note(name: xcfa.Name, indices: tuple[xcfa.Expression, ...]) -> xcfa.Expression:  # noqa: ARG001
        found.append(name)
        return name

    rewrite_statement(statement, note)
    yield from found


def _targets(statement: xcfa.Statement) -> Iterator[xcfa.Name]:
    for field in TARGETS:
        name = getattr(statement, field, None)
        if isinstance(name, xcfa.Name):
            yield name


def _with_targets(statement: xcfa.Statement, leaf: Leaf) -> xcfa.Statement:
    """The statement with the values of constants in the indices of what it writes."""
    for field in TARGETS:
        name = getattr(statement, field, None)
        if isinstance(name, xcfa.Element):
            statement = replace(statement, **{field: rewrite(name, leaf)})  # type: ignore[arg-type]
    return statement


def _elements(statement: xcfa.Statement) -> Iterator[xcfa.Element]:
    parts: tuple[xcfa.Expression, ...] = (*_expressions(statement), *_targets(statement))
    yield from (part for part in parts if isinstance(part, xcfa.Element))


def _has_elements(statement: xcfa.Statement) -> bool:
    return any(True for _ in _elements(statement))
