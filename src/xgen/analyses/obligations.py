"""What a certificate claims, as questions for a solver: quantifier-free SMT-LIB texts that have to be unsatisfiable.

This is the meaning of systems once more, forwards and in logic; it shares the reader with the search, and nothing else.
A state has regular cells `R`, the history `M` of the memory from time 0 to `now`, and for each process its `view`, the
time `last` of its last write, and per cell the time `OT` and the value `OV` of its own last write (docs/cub.md,
section 5).
Processes are numbers: those that an obligation speaks of 0, 1, .., all others are other numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from xgen.engine.cubes import OTHER, CellTerm, Cube, Fact
from xgen.frontends.cub.system import (
    Access,
    Bad,
    Condition,
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

Environment = dict[int, int]
CellKey = tuple[int, tuple[int, ...]]
"""An array and the processes of the index."""
Show = Callable[[int, tuple[int, ...], int | None], str]
"""A cell by its array, its index and its reader, as an expression."""


@dataclass(frozen=True)
class Obligation:
    """A question by its name. `texts` are to be tried one after the other; one of them has to be unsatisfiable."""

    name: str
    texts: Callable[[], Iterator[str]]


class Obligations:
    """The obligations of some cubes. `processes`: how many there are, None is any number."""

    def __init__(self, system: System, lagging: bool, processes: int | None, cubes: Sequence[Cube]) -> None:
        self.system = system
        self.lagging = lagging
        self.processes = processes
        self.cubes = cubes

    def init(self, number: int) -> Iterator[Obligation]:
        """No initial state is in the cube."""
        cube = self.cubes[number]

        def texts() -> Iterator[str]:
            query = _Query(self, cube.processes)
            at = {p: p for p in range(cube.processes)}
            query.asserts += query.initial(max(cube.processes, 1))
            query.asserts += query.inside(cube, at, ["0"] * len(cube.fenced))
            yield query.text()

        yield Obligation(f"no initial state is in cube {number}", texts)

    def assumed(self, numbers: Sequence[int]) -> Iterator[Obligation]:
        """Each assumed cube is one that an invariant of the text names."""
        for number in numbers:
            cube = self.cubes[number]

            def texts(cube: Cube = cube) -> Iterator[str]:
                query = _Query(self, cube.processes)
                at = {p: p for p in range(cube.processes)}
                times = query.times(len(cube.fenced))
                query.asserts += query.inside(cube, at, times)
                for bad in self.system.invariants:
                    query.asserts += [f"(not {part})" for part in query.bad(bad, cube.processes, times)]
                yield query.text()

            yield Obligation(f"cube {number} is an invariant of the text", texts)

    def unsafe(self) -> Iterator[Obligation]:
        """Each unsafe state is in a cube."""
        for bad in self.system.unsafe:
            for args, count in _placements(self.system.fixed, bad.parameters, self.processes):

                def texts(bad: Bad = bad, args: tuple[int, ...] = args, count: int = count) -> Iterator[str]:
                    for limit in (40, None):
                        query = _Query(self, count)
                        times = query.times(1 if self.lagging else 0)
                        query.asserts += [query.one_bad(bad, args, times[0] if times else None)]
                        chains = [tuple(times)] * count
                        query.exclude(self.cubes[:limit], chains)
                        yield query.text()

                name = f"unsafe{' ' + bad.name if bad.name else ''} at line {bad.position.line}"
                yield Obligation(f"{name}: its states are in a cube", texts)

    def steps(self, number: int, hints: dict[int, tuple[int, ...]]) -> Iterator[Obligation]:
        """Each step into the cube comes from a cube."""
        cube = self.cubes[number]
        for t, transition in enumerate(self.system.transitions):
            for r, rule in enumerate(transition.rules):
                for arguments, count in _placements(cube.processes, rule.parameters, self.processes):
                    if not _touches(cube, transition, dict(enumerate(arguments))):
                        continue  # nothing that the cube speaks of is written: the state before is in it as well
                    if self._impossible(cube, transition, rule, dict(enumerate(arguments))):
                        continue
                    some = [self.cubes[n] for n in hints.get(t, ()) if 0 <= n < len(self.cubes)]
                    yield self._step(number, transition, r, arguments, count, some)

    def _impossible(self, cube: Cube, transition: Transition, rule: Rule, env: Environment) -> bool:
        """Whether no such step leads into the cube, as what is said and written of enumerations shows."""
        weak = [self.lagging and array.weak for array in self.system.arrays]
        if not all(_known(cube, transition, rule, env, weak.__getitem__).values()):
            return True
        for cell, mask in _values_now(cube):
            for update in transition.updates:
                if update.cases and _matches(update, env, cell) is not None:
                    values = [case.value for case in update.cases]
                    if all(isinstance(value, Value) and not mask >> value.value & 1 for value in values):
                        return True
        return False

    def _step(
        self,
        number: int,
        transition: Transition,
        rule: int,
        arguments: tuple[int, ...],
        count: int,
        hinted: Sequence[Cube],
    ) -> Obligation:
        cube = self.cubes[number]
        names = ", ".join(f"#{p + 1}" for p in arguments)

        def texts() -> Iterator[str]:
            for cubes in ([cube, *hinted], self.cubes):
                yield self._step_text(cube, transition, transition.rules[rule], arguments, count, cubes)

        return Obligation(f"{transition.name}({names}) into cube {number}", texts)

    def _step_text(
        self,
        cube: Cube,
        transition: Transition,
        rule: Rule,
        arguments: tuple[int, ...],
        count: int,
        cubes: Sequence[Cube],
    ) -> str:
        """Not in one of `cubes` before the step, and in `cube` after it."""
        query = _Query(self, self.processes or count)
        step = _Step(query, transition, rule, arguments)
        times = query.times(len(cube.fenced))
        query.asserts += step.before()
        query.asserts += step.after(cube, times)
        actor = step.actor
        chains = []
        for p in range(query.count):
            own = [times[t] for t in cube.chains[p]] if p < cube.processes else []
            chains.append((*(["tr"] if p == actor and step.late else []), *own))
        query.exclude(cubes, chains, _known(cube, transition, rule, step.env, query.weak))
        return query.text()


def _placements(processes: int, parameters: int, limit: int | None) -> Iterator[tuple[tuple[int, ...], int]]:
    """The ways to choose different parameters among some processes and new ones, with how many there are then."""

    def choose(chosen: tuple[int, ...], count: int) -> Iterator[tuple[tuple[int, ...], int]]:
        if len(chosen) == parameters:
            yield chosen, count
            return
        for p in range(processes):
            if p not in chosen:
                yield from choose((*chosen, p), count)
        if limit is None or count < limit:
            yield from choose((*chosen, count), count + 1)

    yield from choose((), processes)


def _touches(cube: Cube, transition: Transition, env: Environment) -> bool:
    """Whether the transition writes a cell that the cube speaks of."""
    cells = {(c.array, c.index) for fact in cube.facts for c in (fact.left, fact.right) if c is not None}
    return any(_matches(update, env, cell) is not None for update in transition.updates for cell in cells)


def _matches(update: Update, env: Environment, cell: tuple[int, tuple[int, ...]]) -> Environment | None:
    """What an update's own variables stand for if it writes the cell, else None."""
    if update.array != cell[0]:
        return None
    inner = {v: p for v, p in env.items() if v not in update.fresh}
    for variable, process in zip(update.index, cell[1], strict=True):
        known = -1 - variable if variable < 0 else inner.get(variable)
        if known is None:
            inner[variable] = process
        elif known != process:
            return None
    return inner


class _Query:
    """An SMT-LIB text in the making. `count` processes have numbers that are known."""

    def __init__(self, parent: Obligations, count: int) -> None:
        self.system = parent.system
        self.lagging = parent.lagging
        self.processes = parent.processes
        self.count = max(count, 1)
        self.asserts: list[str] = []
        self.declared: dict[str, str] = {}
        self.declare("now", 0)
        if self.lagging:
            self.declare("view", 1)
            self.declare("last", 1)
        if self.system.ordered:
            for p in range(self.count):
                self.declare(f"place{p}", 0)
        self.ranges: dict[str, None] = {}
        self.own: dict[str, None] = {}

    def text(self) -> str:
        """All of it, to the question."""
        lines = ["(set-logic ALL)", *self.declared.values()]
        asserts = [*self.asserts, *self.ranges, *self.own, *self._views(), "(>= now 0)", *self._order()]
        return "\n".join([*lines, *(f"(assert {a})" for a in asserts), "(check-sat)", ""])

    def _order(self) -> Iterator[str]:
        """Where processes are in an order, they have places in it."""
        if self.system.ordered and self.count > 1:
            yield f"(distinct {' '.join(f'place{p}' for p in range(self.count))})"
            for p in range(1, self.system.fixed):
                yield f"(< place{p - 1} place{p})"

    def _views(self) -> Iterator[str]:
        if self.lagging:
            for p in range(self.count):
                yield f"(and (<= 0 (view {p}) now) (<= 0 (last {p}) now))"

    # --- cells -------------------------------------------------------------------------------------------------------

    def declare(self, name: str, arguments: int, sort: str = "Int") -> None:
        if name not in self.declared:
            self.declared[name] = f"(declare-fun {name} ({' '.join(['Int'] * arguments)}) {sort})"

    def weak(self, array: int) -> bool:
        return self.lagging and self.system.arrays[array].weak

    def ranged(self, array: int, expression: str) -> str:
        """The expression, and that its value is of the array's type."""
        type_ = self.system.arrays[array].type
        values = len(type_.values) if type_.kind is Kind.ENUM else self.processes if type_.kind is Kind.PROC else None
        if values is not None:
            self.ranges[f"(and (<= 0 {expression}) (< {expression} {values}))"] = None
        return expression

    def regular(self, array: int, index: tuple[int, ...]) -> str:
        return self.ranged(array, self._applied("R", array, (), index))

    def memory(self, array: int, index: tuple[int, ...], time: str) -> str:
        return self.ranged(array, self._applied("M", array, (time,), index))

    def _applied(self, prefix: str, array: int, first: tuple[str, ...], index: tuple[int, ...]) -> str:
        sort = "Real" if self.system.arrays[array].type.kind is Kind.REAL and prefix != "OT" else "Int"
        name = f"{prefix}_{self.system.arrays[array].name}"
        arguments = [*first, *map(str, index)]
        self.declare(name, len(arguments), sort)
        return f"({name} {' '.join(arguments)})" if arguments else name

    def own_time(self, array: int, index: tuple[int, ...], process: int) -> str:
        time = self._applied("OT", array, (str(process),), index)
        self.own[f"(<= 0 {time} (last {process}))"] = None
        return time

    def read(self, array: int, index: tuple[int, ...], process: int, time: str, memory: str | None = None) -> str:
        """What a process reads at a time: its own last write if that is later."""
        own = self.ranged(array, self._applied("OV", array, (str(process),), index))
        memory = memory or self.memory(array, index, time)
        return f"(ite (> {self.own_time(array, index, process)} {time}) {own} {memory})"

    def times(self, count: int) -> list[str]:
        """Constants for so many times."""
        names = [f"t{n}" for n in range(count)]
        for name in names:
            self.declare(name, 0)
        return names

    # --- conditions --------------------------------------------------------------------------------------------------

    def term(self, term: Term, env: Environment, show: Show, real: bool) -> str:
        match term:
            case Access(array, index, offset, reader, _):
                places = tuple(_place(p, env) for p in index)
                shown = show(array, places, None if reader is None else _place(reader, env))
                return f"(+ {shown} {_number(offset, real)})" if offset else shown
            case Process(process):
                return str(_place(process, env))
            case Value(value):
                return str(value)
            case Number(value):
                return _number(value, real)

    def literal(self, literal: Literal, env: Environment, show: Show) -> str:
        left, right = literal.left, literal.right
        if literal.relation in ("<", "<=") and isinstance(left, Process) and isinstance(right, Process):
            return f"({literal.relation} place{_place(left.process, env)} place{_place(right.process, env)})"
        cell = left if isinstance(left, Access) else right
        real = isinstance(cell, Access) and self.system.arrays[cell.array].type.kind is Kind.REAL
        a, b = self.term(left, env, show, real), self.term(right, env, show, real)
        return f"(distinct {a} {b})" if literal.relation == "<>" else f"({literal.relation} {a} {b})"

    def condition(self, condition: Condition, env: Environment, show: Show) -> str:
        return _or(_and(self.literal(literal, env, show) for literal in part) for part in condition)

    def instances(self, universal: Universal, env: Environment) -> Iterator[Environment]:
        for choice in product(range(self.count), repeat=len(universal.variables)):
            inner = {**env, **dict(zip(universal.variables, choice, strict=True))}
            pairs = zip(universal.variables, universal.apart, strict=True)
            if all(inner[v] not in {_place(o, inner) for o in others} for v, others in pairs):
                yield inner

    # --- states ------------------------------------------------------------------------------------------------------

    def initial(self, processes: int) -> Iterator[str]:
        """What holds at first; the memory is that of time 0, which is now."""

        def show(array: int, index: tuple[int, ...], reader: int | None) -> str:  # noqa: ARG001
            return self.memory(array, index, "0") if self.weak(array) else self.regular(array, index)

        variables, condition = self.system.init
        for choice in product(range(processes), repeat=variables):
            yield self.condition(condition, dict(enumerate(choice)), show)
        yield "(= now 0)"

    def one_bad(self, bad: Bad, arguments: tuple[int, ...], time: str | None) -> str:
        """The condition of a property for these processes, all of which read at one time."""
        readers: dict[int, None] = {}

        def show(array: int, index: tuple[int, ...], reader: int | None) -> str:
            if not self.weak(array):
                return self.regular(array, index)
            assert reader is not None
            assert time is not None
            readers[reader] = None
            return self.read(array, index, reader, time)

        condition = self.condition(bad.condition, dict(enumerate(arguments)), show)
        seen = [f"(<= (view {p}) {time} now)" for p in readers]
        return _and([condition, *seen])

    def bad(self, bad: Bad, processes: int, times: Sequence[str]) -> Iterator[str]:
        """All instances of a property: for all processes, at all times."""
        for choice in permutations(range(processes), bad.parameters):
            for time in [*times, "now"] if self.lagging else [None]:
                yield self.one_bad(bad, choice, time)

    def inside(self, cube: Cube, at: dict[int, int], times: Sequence[str]) -> Iterator[str]:
        """That the state before is in the cube: with these processes and times."""
        for chain, process in zip(cube.chains, at.values(), strict=True):
            if chain:
                yield f"(<= (view {process}) {' '.join(times[t] for t in chain)} now)"
        for t, fenced in enumerate(cube.fenced):
            for p in fenced:
                yield f"(<= (last {at[p]}) {times[t]})"

        def show(cell: CellTerm) -> str:
            index = tuple(at[p] for p in cell.index)
            if not self.weak(cell.array):
                return self.regular(cell.array, index)
            if cell.time is None or cell.reader is None:
                return self.memory(cell.array, index, "now")
            return self.read(cell.array, index, at[cell.reader], times[cell.time])

        yield from (self.fact(fact, at, show) for fact in cube.facts)
        yield from self.placed(cube, at)

    def placed(self, cube: Cube, at: dict[int, int]) -> Iterator[str]:
        """Where processes are in an order, those of a cube are in theirs."""
        if self.system.ordered and cube.processes > 1:
            yield f"(< {' '.join(f'place{at[p]}' for p in range(cube.processes))})"

    def fact(self, fact: Fact, at: dict[int, int], show: Callable[[CellTerm], str]) -> str:
        """A fact of a cube."""
        cell = fact.left or fact.right
        assert cell is not None
        kind = self.system.arrays[cell.array].type.kind
        real = kind is Kind.REAL
        left = show(fact.left) if fact.left else _number(0, real)
        if fact.kind == "in":
            return self._among(left, fact.bound, at if kind is Kind.PROC else None, cell)
        right = show(fact.right) if fact.right else _number(0, real)
        if fact.kind == "=":
            return f"(= {left} {right})"
        if fact.kind == "<>":
            return f"(distinct {left} {right})"
        relation = "distinct" if fact.kind == "-" else fact.kind
        return f"({relation} (- {left} {right}) {_number(fact.bound, real)})"

    def _among(self, value: str, mask: int, at: dict[int, int] | None, cell: CellTerm) -> str:
        if at is None:
            values = range(len(self.system.arrays[cell.array].type.values))
            return _or(f"(= {value} {v})" for v in values if mask >> v & 1)
        if mask >> OTHER & 1:
            return _and(f"(distinct {value} {at[p]})" for p in at if not mask >> p & 1)
        return _or(f"(= {value} {at[p]})" for p in at if mask >> p & 1)

    def exclude(
        self, cubes: Iterable[Cube], chains: Sequence[tuple[str, ...]], known: Mapping[CellKey, int] | None = None
    ) -> None:
        """That the state before is in none of the cubes, with the processes and times at hand.

        `chains` are the times that are tried for each process, besides now; `known` are the values that cells can have,
        as bits: what they cannot have need not be said.
        """
        for cube in cubes:
            fixed = self.system.fixed
            wanted = list(_values_now(cube)) if known else []
            for choice in permutations(range(self.count), cube.processes):
                if choice[:fixed] != tuple(range(min(fixed, cube.processes))):
                    continue
                at = dict(enumerate(choice))
                if known and any(
                    not known.get((array, tuple(at[p] for p in index)), mask) & mask for (array, index), mask in wanted
                ):
                    continue
                for times in self._time_maps(cube, at, chains):
                    self.asserts.append(f"(not {_and(self.inside(cube, at, times))})")

    def _time_maps(self, cube: Cube, at: dict[int, int], chains: Sequence[tuple[str, ...]]) -> Iterator[list[str]]:
        """Which times of a cube can be which: those that all its readers have, and now."""
        choices = []
        for t in range(len(cube.fenced)):
            own = [set(chains[at[p]]) for p in range(cube.processes) if t in cube.chains[p]]
            choices.append([*sorted(set.intersection(*own) if own else set()), "now"])
        for times in product(*choices):
            yield list(times)


class _Step:
    """One step of a rule by these processes, from the state before to the one after."""

    def __init__(self, query: _Query, transition: Transition, rule: Rule, arguments: tuple[int, ...]) -> None:
        self.query = query
        self.transition = transition
        self.rule = rule
        self.env: Environment = dict(enumerate(arguments))
        self.actor = arguments[transition.actor] if transition.actor is not None and arguments else None
        self.locked = transition.reads and transition.writes
        self.writes = query.lagging and transition.writes
        self.late = query.lagging and (transition.reads or transition.fence) and not self.locked
        if self.late:
            query.declare("tr", 0)

    def show(self, array: int, index: tuple[int, ...], reader: int | None) -> str:
        """What the step reads."""
        if not self.query.weak(array):
            return self.query.regular(array, index)
        if self.late and reader is not None:
            return self.query.read(array, index, reader, "tr")
        return self.query.memory(array, index, "now")

    def before(self) -> Iterator[str]:
        """The guard, and the time at which the step reads."""
        for literal in self.rule.literals:
            yield self.query.literal(literal, self.env, self.show)
        for universal in self.rule.universals:
            for inner in self.query.instances(universal, self.env):
                yield self.query.condition(universal.condition, inner, self.show)
        if self.late:
            yield f"(<= (view {self.actor}) tr now)"
            if self.transition.fence:
                yield f"(<= (last {self.actor}) tr)"

    def after(self, cube: Cube, times: Sequence[str]) -> Iterator[str]:
        """That the state after is in the cube, whose processes have their own numbers."""
        now = "(+ now 1)" if self.writes else "now"
        for process, chain in enumerate(cube.chains):
            if chain:
                yield f"(<= {self._view(process)} {' '.join(times[t] for t in chain)} {now})"
        for t, fenced in enumerate(cube.fenced):
            for p in fenced:
                last = now if self.writes and p == self.actor else f"(last {p})"
                yield f"(<= {last} {times[t]})"

        def show(cell: CellTerm) -> str:
            return self._cell(cell, None if cell.time is None else times[cell.time])

        at = {p: p for p in range(cube.processes)}
        yield from (self.query.fact(fact, at, show) for fact in cube.facts)
        yield from self.query.placed(cube, at)

    def _view(self, process: int) -> str:
        """The view of a process after the step."""
        if process != self.actor:
            return f"(view {process})"
        if self.late:
            return "tr"
        return "(+ now 1)" if self.writes and self.locked else f"(view {process})"

    def _cell(self, cell: CellTerm, time: str | None) -> str:
        """A cell of the state after."""
        query = self.query
        written = self._written(cell.array, cell.index)
        if not query.weak(cell.array):
            return written or query.regular(cell.array, cell.index)
        latest = written or query.memory(cell.array, cell.index, "now")
        if time is None or cell.reader is None:
            return latest
        if written and cell.reader == self.actor:
            return written  # its own write, which is never later than what it reads
        memory = query.memory(cell.array, cell.index, time)
        if self.writes:
            memory = f"(ite (> {time} now) {latest} {memory})"
        return query.read(cell.array, cell.index, cell.reader, time, memory)

    def _written(self, array: int, index: tuple[int, ...]) -> str | None:
        """What the step writes to a cell, None if nothing."""
        for update in self.transition.updates:
            inner = _matches(update, self.env, (array, index))
            if inner is None:
                continue
            shown = ""
            for number, case in reversed(list(enumerate(update.cases))):
                value = self._value(case.value, array, index, number, inner)
                condition = self.query.condition(case.condition, inner, self.show)
                shown = f"(ite {condition} {value} {shown})" if shown else value
            return shown
        return None

    def _value(self, value: Term | None, array: int, index: tuple[int, ...], case: int, env: Environment) -> str:
        type_ = self.query.system.arrays[array].type
        if value is not None:
            return self.query.term(value, env, self.show, type_.kind is Kind.REAL)
        name = "_".join(("any", self.query.system.arrays[array].name, *map(str, index), str(case)))
        self.query.declare(name, 0, "Real" if type_.kind is Kind.REAL else "Int")
        return self.query.ranged(array, name)


def _known(
    cube: Cube, transition: Transition, rule: Rule, env: Environment, weak: Callable[[int], bool]
) -> dict[CellKey, int]:
    """The values that cells can have before a step into the cube, as bits: none where the step is not possible.

    They are what the cube asks for where nothing is written, and what the guard does; of memory only the former, since
    what the step reads can be older.
    """
    found: dict[CellKey, int] = {}
    for cell, mask in _values_now(cube):
        if all(_matches(update, env, cell) is None for update in transition.updates):
            found[cell] = found.get(cell, mask) & mask
    for literal in rule.literals:
        access, value = literal.left, literal.right
        if (
            literal.relation == "="
            and isinstance(access, Access)
            and isinstance(value, Value)
            and not weak(access.array)
        ):
            cell = access.array, tuple(_place(p, env) for p in access.index)
            found[cell] = found.get(cell, -1) & 1 << value.value
    return found


def _values_now(cube: Cube) -> Iterator[tuple[CellKey, int]]:
    """The cells of enumerations of which the cube speaks, as they are now, and the values that they can have."""
    for fact in cube.facts:
        cell = fact.left
        if fact.kind != "in" or cell is None or cell.time is not None:
            continue
        if cube.system.arrays[cell.array].type.kind is Kind.ENUM:
            yield (cell.array, cell.index), fact.bound


def _place(variable: int, env: Environment) -> int:
    return -1 - variable if variable < 0 else env[variable]


def _number(value: int, real: bool) -> str:
    shown = f"{abs(value)}.0" if real else str(abs(value))
    return shown if value >= 0 else f"(- {shown})"


def _and(parts: Iterable[str]) -> str:
    listed = list(parts)
    return f"(and {' '.join(listed)})" if listed else "true"


def _or(parts: Iterable[str]) -> str:
    listed = list(parts)
    return f"(or {' '.join(listed)})" if listed else "false"
