"""From programs with `process p[*]` to systems: the text in Cubicle's language that says the same.

A step is one access to shared variables, a fence, or neither, with the computations around it: what a process computes
with its own variables nobody sees. So each edge is cut into steps, with locations between them. Locations are values of
an array `At`, locals arrays too, shared variables weak cells; an update is a step that reads and writes, which is a
locked one. `error` locations and assertions that fail are unsafe.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import NoReturn

from xgen.errors import Position, ProgramError, Source, UnsupportedError
from xgen.frontends.cub.elaborate import elaborate
from xgen.frontends.cub.expressions import Cases, Expressions
from xgen.frontends.cub.kinds import Kinds
from xgen.frontends.cub.parser import parse
from xgen.program.automaton import (
    ANY,
    Assert,
    Assign,
    Assume,
    Edge,
    Expression,
    Fence,
    Havoc,
    IntLiteral,
    Load,
    Name,
    Place,
    Process,
    Program,
    Return,
    Rmw,
    Skip,
    Statement,
    Store,
    Variable,
)
from xgen.program.printer import print_statement
from xgen.records import dataclass, replace
from xgen.systems.parameterised import System
from xgen.tags import orders

MAX_CHOICES = 64
"""The values of a `havoc`, each of which becomes a step."""


def system_of(program: Program) -> System:
    """The system that a program with any number of processes is.

    Its source is the text in Cubicle's language. Raises UnsupportedError for what has no counterpart there.
    """
    source = Source(program.source.name, system_text(program))
    return elaborate(parse(source), source)


def system_text(program: Program) -> str:
    """The text in Cubicle's language."""
    return _Translator(program).text()


@dataclass
class _Words:
    """Names for the text: with a capital, and different ones."""

    used: set[str] = field(default_factory=lambda: {"At", "Role", "True", "False"})

    def new(self, wanted: str) -> str:
        word = wanted[0].upper() + wanted[1:]
        word = word if "A" <= word[0] <= "Z" else f"V{word}"
        number, found = 1, word
        while found in self.used:
            number += 1
            found = f"{word}_{number}"
        self.used.add(found)
        return found


@dataclass
class _Step:
    """A step in the making: what has to hold, what locals are now, and what is written."""

    guard: list[str] = field(default_factory=list)
    values: dict[str, Cases | str] = field(default_factory=dict)
    fence: bool = False
    accesses: bool = False
    acts: bool = False
    """Whether it has an effect on others, which a condition behind it cannot take back."""
    writes: list[str] = field(default_factory=list)


class _Translator:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.kinds = Kinds(program)
        self.words = _Words()
        self.shared = {variable.name: variable for variable in program.variables}
        self.cells = {name: self.words.new(name) for name in self.shared}
        self.places: list[str] = []
        self.bad: list[str] = []
        self.lines: list[str] = []
        self.arrays: list[str] = []
        self.first: list[str] = []
        self.labels: set[str] = set()
        self.zero: str | None = None

    def text(self) -> str:
        """All of it."""
        program = self.program
        roles = [self.words.new(process.name) for process in program.processes]
        start = self.place("Start") if len(roles) > 1 else None
        for variable in program.variables:
            self.declare(variable)
        for process, role in zip(program.processes, roles, strict=True):
            _Automaton(self, process, role if start else None, start).translate()
        head = [
            f"(* {program.source.name.rpartition('/')[2]}, as a system *)",
            "",
            f"type place = {' | '.join(self.places)}",
        ]
        if start:
            head += [f"type role = {' | '.join(roles)}", "const Role[proc] : role"]
        singles = [role for process, role in zip(program.processes, roles, strict=True) if not process.many]
        only = [f"invariant (p q) {{ Role[p] = {role} && Role[q] = {role} }}" for role in singles]
        unsafe = [f"unsafe (p) {{ At[p] = {place} }}" for place in self.bad]
        if not unsafe:
            hint = "assert something, or declare an `error` location"
            raise ProgramError("nothing in the program can go wrong", program.source, None, hint)
        init = f"init (p) {{ {' && '.join(self.first)} }}"
        return "\n".join([*head, "array At[proc] : place", *self.arrays, "", *only, init, *unsafe, *self.lines]) + "\n"

    def place(self, wanted: str) -> str:
        """A new location."""
        word = self.words.new(wanted)
        self.places.append(word)
        return word

    def declare(self, variable: Variable) -> None:
        """A shared variable: a weak cell, or one for each process."""
        type_ = variable.type
        if type_.base == "synthetic":
            self.unsupported("a mutex", variable.position, "write the lock with `exchange`")
        if type_.sizes not in ((), (ANY,)):
            self.unsupported("an array of a fixed size", variable.position, f"`var {variable.name} : {type_.base}[*]`")
        if variable.address is not None or variable.undefined or variable.object is not None:
            self.unsupported("an address or a variable without a first value", variable.position)
        sort = self.kinds.sort(None, variable)
        cell = self.cells[variable.name]
        if type_.sizes:
            self.arrays.append(f"weak array {cell}[proc] : {sort}")
        else:
            self.arrays.append(f"weak var {cell} : {sort}")
        self.begin(f"{cell}[p]" if type_.sizes else cell, sort, variable)

    def begin(self, cell: str, sort: str, variable: Variable) -> None:
        """What a cell holds at first: variables that hold processes all the same one, which a program calls 0."""
        value = int(variable.initial[0].value) if variable.initial else 0
        if sort == "proc":
            if self.zero is None:
                self.zero = self.words.new("First")
                self.arrays.insert(0, f"const {self.zero} : proc")
            self.first.append(f"{cell} = {self.zero}")
        else:
            self.first.append(f"{cell} = {('False', 'True')[value] if sort == 'bool' else value}")

    def label(self, wanted: str) -> str:
        """A name for a transition."""
        number, found = 1, wanted
        while found in self.labels:
            number += 1
            found = f"{wanted}_{number}"
        self.labels.add(found)
        return found

    def unsupported(self, what: str, position: Position | None, hint: str | None = None) -> NoReturn:
        message = f"{what}, in a program with any number of processes"
        raise UnsupportedError(message, self.program.source, position, hint)


class _Automaton:
    """One process of a program: its locations, and the steps of its edges."""

    def __init__(self, translator: _Translator, process: Process, role: str | None, start: str | None) -> None:
        self.all = translator
        self.process = process
        self.role = role
        self.locals = {variable.name: variable for variable in process.variables}
        self.arrays = {name: translator.words.new(name) for name in self.locals}
        self.sorts = {name: translator.kinds.sort(process, variable) for name, variable in self.locals.items()}
        self.locations: dict[str, str] = {}
        for location in process.locations:
            first = start if location.kind == "init" else None
            self.locations[location.name] = first or translator.place(location.name)
            if location.kind == "error":
                translator.bad.append(self.locations[location.name])
        self.failed: str | None = None
        self.step = _Step()
        self.closed: list[_Step] = []  # what is done one way or the other; the edge goes on behind all of them
        self.expressions = Expressions(
            translator.program.source, process.me.name if process.me else None, self.sorts, self.now
        )

    def now(self, name: str) -> Cases | str:
        """What a local is in the step that is being made."""
        return self.step.values.get(name) or self.before(name)

    def before(self, name: str) -> Cases | str:
        cell = f"{self.arrays[name]}[p]"
        return f"{cell} = True" if self.sorts[name] == "bool" else (("true", cell, 0),)

    def translate(self) -> None:
        """Puts all into the translator."""
        process, out = self.process, self.all
        for name, variable in self.locals.items():
            out.arrays.append(f"array {self.arrays[name]}[proc] : {self.sorts[name]}")
            out.begin(f"{self.arrays[name]}[p]", self.sorts[name], variable)
        ends = {location.name for location in process.locations if location.kind in ("final", "error")}
        first = next(location.name for location in process.locations if location.kind == "init")
        word = f"At[p] = {self.locations[first]}"
        if word not in out.first:
            out.first.insert(0, word)
        for edge in process.edges:
            if edge.source.name not in ends:
                self.edge(edge)

    # --- edges -------------------------------------------------------------------------------------------------------

    def edge(self, edge: Edge) -> None:
        """Cuts an edge into steps."""
        self.source = self.locations[edge.source.name]
        self.name = f"{edge.source.name}_{edge.target.name}"
        self.name = self.name if self.name[0].isalpha() else f"e{self.name}"
        self.step = _Step()
        self.closed = []
        for statement in edge.statements:
            if isinstance(statement, Return):
                self.end(self.final())
                return
            self.statement(statement)
        self.end(self.locations[edge.target.name])

    def final(self) -> str:
        if "" not in self.locations:
            self.locations[""] = self.all.place("Returned")
        return self.locations[""]

    def cut(self) -> None:
        """Ends the step; what comes next is another one."""
        between = self.all.place(f"{self.name}_{len(self.all.places)}")
        self.end(between)
        self.source = between
        self.step = _Step()
        self.closed = []

    def end(self, target: str) -> None:
        for step in self.closed or [self.step]:
            self.emit(step, target)

    def statement(self, statement: Statement) -> None:
        if isinstance(statement, Skip):
            return
        if self.closed:
            self.cut()
        step = self.step
        match statement:
            case Assign(target, value):
                self.give(target, value)
            case Assume(condition) | Assert(condition):
                if step.acts:
                    self.cut()
                    step = self.step
                holds = self.expressions.truth(condition)
                if isinstance(statement, Assert):
                    self.fail(condition)
                step.guard.append(holds)
            case Fence():
                self.fence(statement)
            case Load(target, place):
                self.access()
                self.step.values[target.name] = self.read(place, target)
            case Store(value, place):
                self.access(acts=True)
                written = self.written(value)
                self.step.writes.append(f"{self.cell(place)} := {written}")
            case Rmw():
                self.update(statement)
            case Havoc():
                self.havoc(statement)
            case _:
                self.all.unsupported(f"`{print_statement(statement)}`", statement.position)

    def access(self, acts: bool = False) -> None:
        """Room for one access in the step."""
        if self.step.accesses:
            self.cut()
        self.step.accesses = True
        self.step.acts |= acts

    def give(self, target: Name, value: Expression) -> None:
        self.writable(target)
        sort = self.sorts[target.name]
        self.step.values[target.name] = (
            self.expressions.truth(value) if sort == "bool" else self.expressions.cases(value)
        )

    def writable(self, target: Name) -> None:
        if self.process.me is not None and target.name == self.process.me.name:
            message = f"`{target.name}` is the number of the process: it does not change"
            raise ProgramError(message, self.all.program.source, target.position)

    def fence(self, statement: Fence) -> None:
        tags = [tag for tag in (statement.tag, *statement.tags) if tag is not None]
        if orders("tso", tags) == "nothing":
            return
        if self.step.accesses:
            self.cut()
        self.step.fence = True

    def fail(self, condition: Expression) -> None:
        """A step to where an assertion has failed."""
        wrong = self.expressions.truth(condition, False)
        if wrong == "false":
            return
        if self.failed is None:
            self.failed = self.all.place("Failed")
            self.all.bad.append(self.failed)
        self.emit(replace(self.step, guard=[*self.step.guard, wrong]), self.failed)

    def havoc(self, statement: Havoc) -> None:
        target = statement.target
        self.writable(target)
        if self.step != _Step():
            self.cut()
        if statement.bounds is None:
            self.closed = [_Step(writes=[f"{self.arrays[target.name]}[p] := ."])]
            return
        low, high = statement.bounds
        if self.sorts[target.name] != "int":
            self.all.unsupported("any process", statement.position)
        if not isinstance(low, IntLiteral) or not isinstance(high, IntLiteral):
            self.all.unsupported("`havoc` between what is computed", statement.position, "write numbers")
        if high.value - low.value >= MAX_CHOICES:
            self.all.unsupported(f"`havoc` of more than {MAX_CHOICES} values", statement.position)
        values = range(low.value, high.value + 1)
        self.closed = [_Step(values={target.name: (("true", "", value),)}) for value in values]
        if not values:
            self.closed = [_Step(guard=["false"])]

    # --- shared variables --------------------------------------------------------------------------------------------

    def cell(self, place: object) -> str:
        """A cell of the text."""
        if not isinstance(place, Place):
            self.all.unsupported("a pointer", getattr(place, "position", None))
        name = self.all.cells[place.name.name]
        if not place.indices:
            return name
        index = place.indices[0]
        if not isinstance(index, Name) or not self.expressions.is_process(index):
            self.all.unsupported("an index that is no process", index.position, "index with the process' own number")
        if self.process.me is None or index.name != self.process.me.name:
            self.all.unsupported("the cell of another process", index.position, "write such a system as a .cub file")
        return f"{name}[p]"

    def read(self, place: object, target: Name) -> Cases | str:
        self.writable(target)
        cell = self.cell(place)
        return f"{cell} = True" if self.sorts[target.name] == "bool" else (("true", cell, 0),)

    def written(self, value: Expression) -> str:
        if self.expressions.is_bool(value):
            return self.boolean(self.expressions.truth(value))
        return self.shown(self.expressions.cases(value))

    def update(self, statement: Rmw) -> None:
        """A locked step; one that may fail is two, of which the one that fails is a fence and a load."""
        if statement.bits is not None:
            self.all.unsupported("an update that wraps", statement.position)
        self.access(acts=True)
        cell = self.cell(statement.place)
        place = statement.place
        assert isinstance(place, Place)
        is_bool = self.all.kinds.sort(None, self.all.shared[place.name.name]) == "bool"
        old: Cases | str = f"{cell} = True" if is_bool else (("true", cell, 0),)
        new, condition = self.computed(statement, cell, is_bool, old)
        values = dict(self.step.values)
        if statement.target is not None:
            self.writable(statement.target)
            values[statement.target.name] = old
        # What it reads has to be among what the step speaks of, so that it is a locked one.
        holds = f"{cell} = {cell}" if condition is None else condition[0]
        step = self.step
        self.closed = [replace(step, guard=[*step.guard, holds], values=values, writes=[f"{cell} := {new}"])]
        if condition is not None:
            self.closed.append(replace(step, guard=[*step.guard, condition[1]], fence=True, values=values))

    def computed(
        self, statement: Rmw, cell: str, is_bool: bool, old: Cases | str
    ) -> tuple[str, tuple[str, str] | None]:
        """What an update writes, and when it does: a condition and its negation."""
        op, arguments = statement.op, statement.arguments
        if op == "exchange":
            return self.written(arguments[0]), None
        if op == "cas":
            expected = self.expressions.equal(old, arguments[0], is_bool)
            return self.written(arguments[1]), expected
        amount = self.expressions.constant(arguments[0]) if op in ("fetch_add", "fetch_sub", "add_unless") else None
        if amount is None:
            self.all.unsupported(
                f"`{print_statement(statement)}`", statement.position, "exchange, cas, fetch_add(x, 1)"
            )
        if op == "fetch_sub":
            amount = -amount
        new = self.shown((("true", cell, amount),))
        if op != "add_unless":
            return new, None
        same = self.expressions.equal(old, arguments[1], is_bool)
        return new, (same[1], same[0])

    # --- text --------------------------------------------------------------------------------------------------------

    def boolean(self, formula: str) -> str:
        if formula in ("true", "false"):
            return formula.capitalize()
        cell = formula.removesuffix(" = True")
        if " " not in cell and cell != formula:
            return cell
        return f"case | {formula} : True | _ : False"

    def shown(self, cases: Cases) -> str:
        def term(cell: str, offset: int) -> str:
            if not cell:
                return str(offset)
            return f"{cell} {'+' if offset > 0 else '-'} {abs(offset)}" if offset else cell

        if len(cases) == 1:
            return term(cases[0][1], cases[0][2])
        *rest, (_, cell, offset) = cases
        return f"case {' '.join(f'| {c} : {term(x, n)}' for c, x, n in rest)} | _ : {term(cell, offset)}"

    def emit(self, step: _Step, target: str) -> None:
        """The step as a transition to a location."""
        guard = [f"At[p] = {self.source}"]
        if self.role is not None:
            guard.append(f"Role[p] = {self.role}")
        guard += [f"({part})" for part in step.guard if part != "true"]
        guard += ["fence()"] if step.fence else []
        updates = [f"At[p] := {target}", *step.writes]
        for name, value in step.values.items():
            if value != self.before(name):
                shown = self.boolean(value) if isinstance(value, str) else self.shown(value)
                updates.append(f"{self.arrays[name]}[p] := {shown}")
        self.all.lines += self._lines(guard, updates)

    def _lines(self, guard: list[str], updates: list[str]) -> Iterator[str]:
        yield ""
        yield f"transition {self.all.label(self.name)} ([p])"
        yield f"requires {{ {' && '.join(guard)} }}"
        yield f"{{ {'; '.join(updates)} }}"
