"""Backward reachability over cubes: the way from a System to the core's search, and from its cubes back."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from xgen import _core
from xgen.errors import LimitError
from xgen.records import dataclass
from xgen.systems.parameterised import (
    Access,
    Bad,
    Condition,
    Conjunction,
    Kind,
    Literal,
    Number,
    Process,
    Rule,
    System,
    Term,
    Transition,
    Universal,
    Update,
    Value,
)

_SORTS = {
    Kind.ENUM: _core.CubeSort.ENUM,
    Kind.ABSTRACT: _core.CubeSort.ABSTRACT,
    Kind.INT: _core.CubeSort.INT,
    Kind.REAL: _core.CubeSort.REAL,
    Kind.PROC: _core.CubeSort.PROC,
}
_RELATIONS = {
    "=": _core.CubeRelation.EQ,
    "<>": _core.CubeRelation.NE,
    "<": _core.CubeRelation.LT,
    "<=": _core.CubeRelation.LE,
}
_NONE = _core.CUBE_NONE
OTHER = _core.CUBE_OTHER
"""The bit of a set of processes that stands for all that the cube does not speak of."""

MODELS = {"sc": False, "tso": True}
"""The memory models that the search knows, and whether reads of weak cells can lag under them."""

Pattern: TypeAlias = tuple[_core.CubePattern, int, int, int, int, int, _core.CubeSort]
Comparison: TypeAlias = tuple[_core.CubeRelation, Pattern, Pattern]
NativeTerm: TypeAlias = tuple[_core.CubeTerm, int, int, int, int, int]
NativeLiteral: TypeAlias = tuple[_core.CubeLiteral, NativeTerm, NativeTerm, int]
NativeCube: TypeAlias = tuple[int, list[NativeLiteral], list[list[int]], list[int]]


# --- towards the core ------------------------------------------------------------------------------------------------


class _Encoder:
    """A system in the core's form: nested tuples."""

    def __init__(self, system: System) -> None:
        self.system = system

    def native(self, lagging: bool, processes: int | None) -> _core.CubeSystem:
        system = self.system
        arrays = [(_SORTS[a.type.kind], a.arity, a.weak and lagging, len(a.type.values)) for a in system.arrays]
        return _core.CubeSystem(
            arrays,
            (processes or 0, system.fixed, system.ordered, lagging),
            (system.init[0], self.condition(system.init[1])),
            [self.bad(bad) for bad in system.unsafe],
            [self.bad(bad) for bad in system.invariants],
            [self.transition(transition) for transition in system.transitions],
        )

    def bad(self, bad: Bad) -> tuple[int, object]:
        return bad.parameters, self.condition(bad.condition)

    def condition(self, condition: Condition) -> list[list[Comparison]]:
        return [self.conjunction(conjunction) for conjunction in condition]

    def conjunction(self, conjunction: Conjunction) -> list[Comparison]:
        return [self.literal(literal) for literal in conjunction]

    def literal(self, literal: Literal) -> Comparison:
        left, right = literal.left, literal.right
        sort = self.sort(left if not isinstance(left, Number) else right)
        return _RELATIONS[literal.relation], self.pattern(left, sort), self.pattern(right, sort)

    def sort(self, term: Term) -> _core.CubeSort:
        return _SORTS[self.system.arrays[term.array].type.kind] if isinstance(term, Access) else _SORTS[Kind.INT]

    def pattern(self, term: Term | None, sort: _core.CubeSort) -> Pattern:
        match term:
            case Access(array, index, offset, reader, _):
                i, j = (*index, _NONE, _NONE)[:2]
                return _core.CubePattern.CELL, array, i, j, offset, _NONE if reader is None else reader, sort
            case Process(process):
                return _core.CubePattern.PROCESS, process, _NONE, _NONE, 0, _NONE, sort
            case Value(value):
                return _core.CubePattern.VALUE, value, _NONE, _NONE, 0, _NONE, sort
            case Number(value):
                return _core.CubePattern.NUMBER, 0, _NONE, _NONE, value, _NONE, sort
            case None:
                return _core.CubePattern.ANY, 0, _NONE, _NONE, 0, _NONE, sort

    def transition(self, transition: Transition) -> tuple[object, ...]:
        weak = (transition.reads, transition.writes, transition.fence)
        actor = -1 if transition.actor is None else transition.actor
        rules = [self.rule(rule) for rule in transition.rules]
        updates = [self.update(update) for update in transition.updates]
        return len(transition.parameters), actor, weak, rules, updates

    def rule(self, rule: Rule) -> tuple[object, ...]:
        return rule.parameters, self.conjunction(rule.literals), [self.universal(u) for u in rule.universals]

    def universal(self, universal: Universal) -> tuple[object, ...]:
        return (
            list(universal.variables),
            [list(apart) for apart in universal.apart],
            self.condition(universal.condition),
        )

    def update(self, update: Update) -> tuple[object, ...]:
        sort = _SORTS[self.system.arrays[update.array].type.kind]
        cases = [(self.condition(case.condition), self.pattern(case.value, sort)) for case in update.cases]
        return update.array, list(update.index), list(update.fresh), cases


# --- and back --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CellTerm:
    """A cell of a cube. With a time it is what `reader` reads there; else it is memory now."""

    array: int
    index: tuple[int, ...]
    time: int | None = None
    reader: int | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A literal of a cube.

    kind "in": the cell is in `bound`, a set of constructors or of processes as bits (bit OTHER: any other process);
    "=" and "<>": of two cells; "<=" and "<" : left - right is at most, or less than, `bound`; "-": the difference is
    not `bound`. A cell None is the number 0.
    """

    kind: str
    left: CellTerm | None
    right: CellTerm | None
    bound: int = 0


@dataclass(frozen=True)
class Cube:
    """A set of states: some different processes for which all facts hold.

    `chains` are the times of each process, in order; `fenced[t]` the processes whose earlier writes time t has to see.
    """

    system: System
    processes: int
    facts: tuple[Fact, ...]
    chains: tuple[tuple[int, ...], ...]
    fenced: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        return " && ".join(self._shown(fact) for fact in self.facts) or "true"

    def _cell(self, cell: CellTerm | None) -> str:
        if cell is None:
            return "0"
        index = f"[{', '.join(f'#{p + 1}' for p in cell.index)}]" if cell.index else ""
        name = self.system.arrays[cell.array].name + index
        return (
            name if cell.time is None or cell.reader is None else f"#{cell.reader + 1} @ {name} (read {cell.time + 1})"
        )

    def _shown(self, fact: Fact) -> str:
        left = self._cell(fact.left)
        if fact.kind == "in":
            assert fact.left is not None
            return f"{left} {self._set(fact.left, fact.bound)}"
        right = self._cell(fact.right)
        if fact.kind in ("=", "<>"):
            return f"{left} {fact.kind} {right}"
        relation = "<>" if fact.kind == "-" else fact.kind
        if fact.left is None:
            return f"{self._number(-fact.bound, fact)} {relation} {right}"
        if fact.right is None:
            return f"{left} {relation} {self._number(fact.bound, fact)}"
        sign = "+" if fact.bound > 0 else "-"
        return f"{left} {relation} {right}" + (f" {sign} {self._number(abs(fact.bound), fact)}" if fact.bound else "")

    def _number(self, value: int, fact: Fact) -> str:
        return f"{value / self.system.scale:g}" if self._real(fact) else str(value)

    def _real(self, fact: Fact) -> bool:
        cell = fact.left or fact.right
        return cell is not None and self.system.arrays[cell.array].type.kind is Kind.REAL

    def _set(self, cell: CellTerm, mask: int) -> str:
        type_ = self.system.arrays[cell.array].type
        if type_.kind is Kind.ENUM:
            inside = [name for number, name in enumerate(type_.values) if mask >> number & 1]
            outside = [name for number, name in enumerate(type_.values) if not mask >> number & 1]
            others = False
        else:
            inside = [f"#{p + 1}" for p in range(self.processes) if mask >> p & 1]
            outside = [f"#{p + 1}" for p in range(self.processes) if not mask >> p & 1]
            others = bool(mask >> OTHER & 1)
        if len(inside) == 1 and not others:
            return f"= {inside[0]}"
        if len(outside) == 1 and (others or type_.kind is Kind.ENUM):
            return f"<> {outside[0]}"
        return f"in {{{', '.join(inside + ['..'] * others)}}}"


@dataclass(frozen=True)
class Origin:
    """A step of a rule into a cube: where the cube's processes go, the parameters, and who is left in the new cube."""

    transition: int
    rule: int
    embedding: tuple[int, ...]
    arguments: tuple[int, ...]
    kept: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Hint:
    """A step of a rule into a cube, and a node that states before it are in.

    Processes have numbers: those of the cube come first, then the other parameters as they come, then all others.
    `arguments` are the parameters, `places` the processes of the node; `times` are its times: those of the cube, then
    the one at which the step reads, and -1 for now. Of an unsafe property `transition` is -1, and `rule` its number.
    """

    transition: int
    rule: int
    arguments: tuple[int, ...]
    node: int
    places: tuple[int, ...]
    times: tuple[int, ...]


@dataclass(frozen=True)
class Node:
    """A cube that was met. `kind`: unsafe, invariant, found or approximation; `parent`: what the step leads into.

    `unsafe` is the number of the property whose states an unsafe one has.
    `covers`: the states before steps into this cube are in these.
    """

    kind: str
    cube: Cube
    parent: int | None
    origin: Origin | None
    unsafe: int | None
    covers: tuple[Hint, ...]


@dataclass(frozen=True)
class Small:
    """The states of an instance of so many processes: for each cell (array, i, j; -1 where there is no index) and each
    of its values those in which it has it, as words of 64 bits; for each cell with a number what it is in each
    state."""

    processes: int
    values: list[tuple[int, int, int, list[list[int]]]]
    numbers: list[tuple[int, int, int, list[int]]]


class Search:
    """Backward reachability from the unsafe states of a system. `lagging`: weak cells are read late, as under TSO.

    `processes` fixes their number; with `small`, what none of its states satisfies is taken to be unreachable until the
    contrary is found. Raises LimitError in `run` where there are more processes or reads at a time than the core has
    room for.
    """

    def __init__(self, system: System, lagging: bool, processes: int | None = None, small: Small | None = None) -> None:
        self.system = system
        self.processes = processes or system.processes
        self._encoded = _Encoder(system).native(lagging, self.processes)
        self._small = small
        self._bad: list[tuple[Any, ...]] = []
        self._native = self._start()
        self.seconds = 0.0

    def _start(self) -> _core.CubeSearch:
        small = self._small or Small(0, [], [])
        return _core.CubeSearch(self._encoded, small.processes, small.values, small.numbers, self._bad)

    def take_back(self, number: int) -> bool:
        """Starts again without the approximation that the run from a node with an initial state comes by first.

        False if there is none: then the run is one of the system.
        """
        while number >= 0:
            kind, cube, parent, _, _ = self._native.node(number)
            if kind is _core.NodeKind.APPROXIMATION:
                self._bad.append(cube)
                self._native = self._start()
                return True
            number = parent
        return False

    @property
    def fixed(self) -> bool:
        """Whether processes have names, so that nothing is guessed from a small instance."""
        return self.system.fixed > 0

    @property
    def restarts(self) -> int:
        """How many approximations were taken back."""
        return len(self._bad)

    def run(
        self,
        timeout: float | None = None,
        max_cubes: int | None = None,
        on_progress: Callable[[Search], None] | None = None,
    ) -> str:
        """Goes on to an end: "safe", "reached" (a node with an initial state), "time" or "cubes"."""
        start = time.monotonic()
        try:
            # In slices, so that Ctrl-C is noticed.
            while True:
                left = math.inf if timeout is None else timeout - (time.monotonic() - start)
                end = self._native.run(max(0.0, min(left, 0.2)), max_cubes or 1 << 30)
                if end is not _core.SearchEnd.TIME or left <= 0:
                    return str(end.name).lower()
                if on_progress is not None:
                    on_progress(self)
        except OverflowError as error:
            raise LimitError(str(error)) from None
        finally:
            self.seconds += time.monotonic() - start

    @property
    def reached(self) -> int:
        """The node that has an initial state, after `run` has ended with "reached"."""
        return self._native.reached

    @property
    def images(self) -> int:
        """How many cubes steps have led to, before those that are covered were dropped."""
        return self._native.images

    @property
    def covered(self) -> int:
        """How many were dropped."""
        return self._native.covered

    def __len__(self) -> int:
        return len(self._native)

    def node(self, number: int) -> Node:
        """A node by its number."""
        kind, cube, parent, (transition, rule, *places), covers = self._native.node(number)
        origin = None if parent < 0 else Origin(transition, rule, *(tuple(place) for place in places))
        unsafe = rule if kind is _core.NodeKind.UNSAFE else None
        hints = _hints(covers)
        return Node(kind.name.lower(), self._cube(cube), None if parent < 0 else parent, origin, unsafe, hints)

    @property
    def unsafe(self) -> tuple[Hint, ...]:
        """The nodes that the states of the unsafe properties are in."""
        return _hints(self._native.unsafe)

    def nodes(self) -> Iterator[Node]:
        """All nodes."""
        return map(self.node, range(len(self)))

    def _cube(
        self,
        native: NativeCube,
    ) -> Cube:
        processes, literals, chains, fenced = native
        facts = tuple(self._fact(*literal) for literal in literals)
        waiting = tuple(tuple(p for p in range(processes) if mask >> p & 1) for mask in fenced)
        return Cube(self.system, processes, facts, tuple(tuple(chain) for chain in chains), waiting)

    def _fact(self, kind: _core.CubeLiteral, a: NativeTerm, b: NativeTerm, c: int) -> Fact:
        left, right = _cell(*a), _cell(*b)
        match kind:
            case _core.CubeLiteral.IN:
                return Fact("in", left, None, c & (1 << 64) - 1)
            case _core.CubeLiteral.EQ:
                return Fact("=", left, right)
            case _core.CubeLiteral.NE:
                return Fact("<>", left, right)
            case _core.CubeLiteral.DIFFER:
                return Fact("-", left, right, c)
        cell = left or right
        assert cell is not None
        if self.system.arrays[cell.array].type.kind is Kind.REAL:
            return Fact("<" if c & 1 else "<=", left, right, (c + (c & 1)) // 2)
        return Fact("<=", left, right, c)


def _hints(rows: list[tuple[int, int, list[int], int, list[int], list[int]]]) -> tuple[Hint, ...]:
    return tuple(Hint(t, r, tuple(a), node, tuple(places), tuple(times)) for t, r, a, node, places, times in rows)


def _cell(kind: _core.CubeTerm, time: int, reader: int, array: int, i: int, j: int) -> CellTerm | None:
    if kind is _core.CubeTerm.ZERO:
        return None
    index = tuple(p for p in (i, j) if p >= 0)
    return CellTerm(array, index, time, reader) if kind is _core.CubeTerm.READ else CellTerm(array, index)
