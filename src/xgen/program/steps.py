"""From steps to locations and edges.

Straight steps gather on one edge, and the assumption of a branch starts the edge of its first ones: there is no
location and no choice more than in an automaton that is written by hand. Locations are called by the lines of the text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import NoReturn

from xgen.errors import Position, ProgramError, Source
from xgen.program import automaton as xcfa
from xgen.program import surface
from xgen.program.automaton import Assert, Assign, Assume, AtomicBegin, AtomicEnd, Binary, IntLiteral, Name, Return
from xgen.records import dataclass

Hoist = Callable[[xcfa.Expression], bool]


@dataclass(eq=False, slots=True)
class _Point:
    """A location that is being made; it may turn out to be another one."""

    line: int | None = None
    position: Position = xcfa.NOWHERE
    same: _Point | None = None
    branches: bool = False

    def found(self) -> _Point:
        place = self
        while place.same is not None:
            place = place.same
        return place


@dataclass(slots=True)
class _Loop:
    leave: _Point
    again: _Point
    blocks: int
    left: bool = False
    repeated: bool = False


@dataclass(slots=True)
class Automaton:
    """What steps become: locations, edges, and locals of which the text says nothing."""

    locations: tuple[xcfa.Location, ...] = ()
    edges: tuple[xcfa.Edge, ...] = ()
    variables: tuple[xcfa.Variable, ...] = ()


def to_automaton(source: Source, code: surface.Block, taken: set[str], hoist: Hoist) -> Automaton:
    """The automaton of a body. Names that are `taken` are those of variables; a counter that has none is declared.

    A condition that has to be computed before it can be asked is one of which `hoist` holds.
    """
    return _Maker(source, taken, hoist).made(code)


@dataclass(slots=True)
class _Maker:
    source: Source
    taken: set[str]
    hoist: Hoist
    here: _Point | None = field(default_factory=_Point)
    gathered: list[xcfa.Statement] = field(default_factory=list)
    at: Position | None = None  # of what the edge starts with
    asked: bool = False  # whether it starts with the condition of a branch
    edges: list[tuple[_Point, _Point, tuple[xcfa.Statement, ...], Position]] = field(default_factory=list)
    places: list[_Point] = field(default_factory=list)
    loops: list[_Loop] = field(default_factory=list)
    blocks: int = 0  # atomic ones that are open
    variables: dict[str, xcfa.Variable] = field(default_factory=dict)
    end: _Point = field(default_factory=_Point)

    def made(self, code: surface.Block) -> Automaton:
        start = self.here
        assert start is not None
        self.places.append(start)
        self.block(code)
        self.end.line, self.end.position = code.end.line, code.end
        if self.here is not None:
            if self.here.found() is start.found() and not self.here.branches:  # perhaps nothing is done
                self.add(xcfa.Skip(code.end)) if not self.gathered else None
            self.go(self.end)
        self.places.append(self.end)
        names = self.names()
        initial = start.found()
        locations = [
            xcfa.Location(name, "init" if place is initial else "final" if place is self.end else None, place.position)
            for place, name in names.items()
        ]
        edges = tuple(
            xcfa.Edge(Name(names[a.found()], at), Name(names[b.found()], at), statements, at)
            for a, b, statements, at in self.edges
        )
        return Automaton(tuple(locations), edges, tuple(self.variables.values()))

    def names(self) -> dict[_Point, str]:
        """The names of the locations that there are, in the order of the text."""
        used = {place.found() for ends in self.edges for place in ends[:2]} | {self.places[0].found(), self.end}
        found: dict[_Point, str] = {}
        taken: set[str] = set()
        for place in dict.fromkeys(place.found() for place in self.places):
            if place not in used:
                continue
            name = base = f"L{place.line or 1}"
            number = 1
            while name in taken:
                number += 1
                name = f"{base}_{number}"
            taken.add(name)
            found[place] = name
        return found

    # ---- edges

    def new(self, position: Position) -> _Point:
        place = _Point(position.line, position)
        self.places.append(place)
        return place

    def go(self, to: _Point) -> None:
        """Ends the edge that is being gathered: it leads to a location. What comes next is elsewhere."""
        assert self.here is not None
        if self.gathered or self.here.branches:
            assert self.at is not None
            self.edges.append((self.here, to, tuple(self.gathered), self.at))
        elif self.here is not to:
            self.here.same = to
        self.here, self.gathered, self.at = None, [], None

    def land(self, position: Position) -> _Point:
        """A location of its own for what comes next."""
        assert self.here is not None
        if not self.gathered and not self.here.branches:
            self.here.line = self.here.line or position.line
            self.here.position = position if self.here.position is xcfa.NOWHERE else self.here.position
            return self.here
        place = self.new(position)
        self.go(place)
        self.here = place
        return place

    def start(self, place: _Point, position: Position, *statements: xcfa.Statement) -> None:
        """Starts an edge that leaves a location with several."""
        place.branches = True
        self.here, self.gathered, self.at = place, list(statements), position
        self.asked = bool(statements)

    def add(self, statement: xcfa.Statement) -> None:
        if self.here is not None and self.here.line is None:
            self.here.line, self.here.position = statement.position.line, statement.position
        if self.here is not None and self.here.branches and self.is_apart(statement):
            self.land(statement.position)
        first = self.here is not None and self.here.branches and not self.asked and self.is_silent()
        if isinstance(statement, Assume) and not first and self.hoist(statement.condition):
            local = Name(self.fresh("test", xcfa.BOOL, statement.position), statement.position)
            self.add(Assign(local, statement.condition, statement.position))
            statement = Assume(local, statement.position)
        self.at = self.at or statement.position
        self.gathered.append(statement)

    def is_apart(self, statement: xcfa.Statement) -> bool:
        """Whether a statement is to be no part of the choice whose edge is being gathered: one that can end the thread
        there, but for what a block of `choose` starts with."""
        decides = self.asked if isinstance(statement, Assume) else isinstance(statement, Assert)
        return decides and self.is_silent()

    def is_silent(self) -> bool:
        """Whether what is gathered so far is computed before a choice is made."""
        return all(isinstance(statement, SILENT) for statement in self.gathered)

    # ---- steps

    def block(self, block: surface.Block) -> None:
        for step in block.steps:
            if self.here is None:
                position = step.position
                self.wrong("nothing leads here", position, "what stands before it always goes elsewhere")
            self.step(step)

    def step(self, step: surface.Step) -> None:
        match step:
            case surface.If():
                self.branch(step)
            case surface.While():
                self.while_(step)
            case surface.DoWhile():
                self.do_while(step)
            case surface.For():
                self.for_(step)
            case surface.Jump():
                self.jump(step)
            case surface.Atomic():
                self.atomic(step)
            case surface.Choose():
                self.choose(step)
            case Return():
                if self.blocks:
                    self.wrong("this leaves an atomic block", step.position, ATOMIC)
                self.add(step)
                self.go(self.end)
            case AtomicBegin() | AtomicEnd():
                self.wrong("steps that are atomic are written `atomic { ... }`", step.position)
            case _:
                self.add(step)

    def wrong(self, message: str, position: Position, hint: str | None = None) -> NoReturn:
        raise ProgramError(message, self.source, position, hint)

    def test(self, condition: xcfa.Expression, position: Position) -> tuple[_Point, Assume, Assume]:
        """A location where a condition decides, and what holds on its two edges."""
        if self.hoist(condition):
            local = Name(self.fresh("test", xcfa.BOOL, position), position)
            self.add(Assign(local, condition, position))
            condition = local
        place = self.land(position)
        no = xcfa.Unary("not", condition, condition.position)
        return place, Assume(condition, position), Assume(no, position)

    def branch(self, step: surface.If) -> None:
        place, yes, no = self.test(step.condition, step.position)
        join = _Point()
        self.start(place, step.position, yes)
        self.block(step.positive)
        ends = [self.leave_for(join)]
        self.start(place, step.position, no)
        if isinstance(step.negative, surface.If):
            self.branch(step.negative)
        elif step.negative is not None:
            self.block(step.negative)
        ends.append(self.leave_for(join))
        self.join(join, any(ends))

    def leave_for(self, join: _Point) -> bool:
        """Goes to where ways come together, unless the way has ended."""
        if self.here is None:
            return False
        self.go(join)
        return True

    def join(self, place: _Point, reached: bool) -> None:
        if reached:
            self.places.append(place)
        self.here = place if reached else None
        self.gathered, self.at = [], None

    def while_(self, step: surface.While) -> None:
        head = self.head(step.position)
        place, yes, no = self.test(step.condition, step.position)
        loop = self.enter(head)
        self.start(place, step.position, yes)
        self.block(step.body)
        self.leave_for(head)
        self.exit(loop, place, step.position, no)

    def head(self, position: Position) -> _Point:
        """A location for the start of a loop."""
        assert self.here is not None
        place = self.new(position)
        self.go(place)
        self.here = place
        return place

    def enter(self, again: _Point) -> _Loop:
        self.loops.append(_Loop(_Point(), again, self.blocks))
        return self.loops[-1]

    def exit(self, loop: _Loop, place: _Point, position: Position, no: Assume) -> None:
        """Goes on behind a loop."""
        self.loops.pop()
        self.start(place, position, no)
        if loop.left:
            self.go(loop.leave)
            self.join(loop.leave, True)

    def do_while(self, step: surface.DoWhile) -> None:
        head = self.head(step.position)
        head.line, head.position = None, xcfa.NOWHERE
        loop = self.enter(_Point())
        self.block(step.body)
        if loop.repeated:
            self.leave_for(loop.again)
            self.join(loop.again, True)
        if self.here is None:
            self.loops.pop()
            self.join(loop.leave, loop.left)
            return
        place, yes, no = self.test(step.condition, step.asked)
        self.start(place, step.asked, yes)
        self.go(head)
        self.exit(loop, place, step.asked, no)

    def for_(self, step: surface.For) -> None:
        if step.counter.name not in self.taken:
            self.declare(step.counter.name, xcfa.INT, step.counter.position)
        self.add(Assign(step.counter, step.first, step.position))
        head = self.head(step.position)
        place, yes, no = self.test(Binary("<=", step.counter, step.last, step.position), step.position)
        loop = self.enter(_Point())
        self.start(place, step.position, yes)
        self.block(step.body)
        if loop.repeated:
            self.leave_for(loop.again)
            self.join(loop.again, True)
        if self.here is not None:
            one = IntLiteral(1, step.position)
            self.add(Assign(step.counter, Binary("+", step.counter, one, step.position), step.position))
            self.go(head)
        self.exit(loop, place, step.position, no)

    def jump(self, step: surface.Jump) -> None:
        if not self.loops:
            self.wrong(f"`{step.kind}` is for loops", step.position)
        loop = self.loops[-1]
        if loop.blocks != self.blocks:
            self.wrong("this leaves an atomic block", step.position, ATOMIC)
        if step.kind == "break":
            loop.left = True
            self.leave_by(loop.leave, step.position)
        else:
            loop.repeated = True
            self.leave_by(loop.again, step.position)

    def leave_by(self, place: _Point, position: Position) -> None:
        self.at = self.at or position
        self.go(place)

    def atomic(self, step: surface.Atomic) -> None:
        if self.blocks:
            self.wrong("there is an atomic block already", step.position, "atomic blocks are not nested")
        self.add(AtomicBegin(step.position))
        self.blocks += 1
        self.block(step.body)
        self.blocks -= 1
        if self.here is None:
            self.wrong("an atomic block has an end", step.position)
        self.add(AtomicEnd(step.body.end))

    def choose(self, step: surface.Choose) -> None:
        if len(step.blocks) == 1:
            self.block(step.blocks[0])
            return
        place = self.land(step.position)
        join, ends = _Point(), []
        for block in step.blocks:
            self.start(place, step.position)
            self.block(block)
            ends.append(self.leave_for(join))
        self.join(join, any(ends))

    # ---- locals

    def declare(self, name: str, type_: xcfa.Type, position: Position) -> None:
        self.taken.add(name)
        self.variables[name] = xcfa.Variable(name, type_, (), position, shown=False)

    def fresh(self, name: str, type_: xcfa.Type, position: Position) -> str:
        """A local of a name that is not taken."""
        base, number = name, 1
        while name in self.taken:
            number += 1
            name = f"{base}_{number}"
        self.declare(name, type_, position)
        return name


SILENT = (Assign, Assume, Assert, xcfa.Skip)
"""What is computed before a choice is made."""
ATOMIC = "let a local say what to do behind it"


def with_otherwise(source: Source, edges: tuple[surface.Edge, ...]) -> tuple[xcfa.Edge, ...]:
    """Automaton edges of which an `else` edge assumes that none of the others of its location can be taken."""
    return tuple(
        xcfa.Edge(
            edge.source,
            edge.target,
            (_none_of(source, edge, edges), *edge.statements) if edge.otherwise else edge.statements,
            edge.position,
        )
        for edge in edges
    )


def _none_of(source: Source, edge: surface.Edge, edges: tuple[surface.Edge, ...]) -> Assume:
    """That all other edges of a location are disabled."""
    some: xcfa.Expression | None = None
    others = [other for other in edges if other is not edge and other.source.name == edge.source.name]
    for other in others:
        if other.otherwise:
            raise ProgramError("a location has one `else` edge", source, max(edge, other, key=_line).position)
        conditions = _leading(other)
        if conditions is None:
            message, hint = "this edge can always be taken: `else` beside it never is", "start it with `assume`"
            raise ProgramError(message, source, other.position, hint)
        some = conditions if some is None else Binary("or", some, conditions, edge.position)
    if some is None:
        raise ProgramError("an `else` edge is beside others of its location", source, edge.position)
    return Assume(xcfa.Unary("not", some, edge.position), edge.position)


def _line(edge: surface.Edge) -> tuple[int, int]:
    return edge.position.line, edge.position.column


def _leading(edge: surface.Edge) -> xcfa.Expression | None:
    """What an edge assumes before anything else, if it does."""
    found: xcfa.Expression | None = None
    for statement in edge.statements:
        if not isinstance(statement, Assume):
            break
        one = statement.condition
        found = one if found is None else Binary("and", found, one, statement.position)
    return found
