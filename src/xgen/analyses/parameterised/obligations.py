"""What a certificate claims, as questions for a solver: quantifier-free, in SMT-LIB; to each the answer has to be no.

This is the meaning of systems once more, forwards and in logic; it shares the reader with the search, and nothing else.
A state has regular cells `R`, the history `M` of the memory from time 0 to `now`, and for each process its `view`, the
time `last` of its last write, and per cell the time `OT` and the value `OV` of its own last write (docs/cub.md,
section 5).
Processes are numbers: those that an obligation speaks of 0, 1, .., all others are other numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations, product

from xgen.analyses.parameterised.pruning import (
    CellKey,
    Environment,
    Into,
    Writes,
    asked,
    matches,
    place,
    placements,
    values_now,
)
from xgen.engine.cubes import OTHER, CellTerm, Cube, Fact, Hint
from xgen.records import dataclass
from xgen.systems.parameterised import (
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
    Type,
    Universal,
    Value,
)

Show = Callable[[int, tuple[int, ...], int | None], str]
"""A cell by its array, its index and its reader, as an expression."""


Hints = Mapping[tuple[int, int, tuple[int, ...]], Sequence[Hint]]
"""What the search says of a transition, a rule and its arguments, or of an unsafe property; it is not believed."""


@dataclass(frozen=True)
class Question:
    """Is there a state before, a step and a state after of which all this holds?

    `axioms` hold of all states, so that those of one question may be said in another.
    """

    declared: Mapping[str, str]
    axioms: tuple[str, ...]
    asserts: tuple[str, ...]

    def __len__(self) -> int:
        return sum(map(len, self.asserts))


@dataclass(frozen=True)
class Obligation:
    """A claim by its name. The questions are tried one after the other; to one of them the answer has to be no."""

    name: str
    questions: Callable[[], Iterator[Question]]


def smt_text(questions: Sequence[Question]) -> str:
    """SMT-LIB that is unsatisfiable if the answer to each of the questions is no."""
    declared = {name: line for question in questions for name, line in question.declared.items()}
    axioms = dict.fromkeys(axiom for question in questions for axiom in question.axioms)
    alone = questions[0].asserts if len(questions) == 1 else [_or(_and(question.asserts) for question in questions)]
    asserts = (f"(assert {part})" for part in (*axioms, *alone))
    return "\n".join(["(set-logic ALL)", *declared.values(), *asserts, "(check-sat)", ""])


class Obligations:
    """The obligations of some cubes. `processes`: how many there are, None is any number."""

    def __init__(self, system: System, lagging: bool, processes: int | None, cubes: Sequence[Cube]) -> None:
        self.system = system
        self.lagging = lagging
        self.processes = processes
        self.cubes = cubes
        self.writes = [Writes(transition) for transition in system.transitions]
        self.asked = [[asked(system, rule, lagging) for rule in transition.rules] for transition in system.transitions]

    def init(self, number: int) -> Iterator[Obligation]:
        """No initial state is in the cube."""
        cube = self.cubes[number]

        def questions() -> Iterator[Question]:
            query = _Query(self, cube.processes)
            at = range(cube.processes)
            query.asserts += query.initial(max(cube.processes, 1))
            query.asserts += query.inside(cube, at, ["0"] * len(cube.fenced))
            yield query.question()

        yield Obligation(f"no initial state is in cube {number}", questions)

    def assumed(self, numbers: Sequence[int]) -> Iterator[Obligation]:
        """Each assumed cube is one that an invariant of the text names."""
        for number in numbers:
            cube = self.cubes[number]

            def questions(cube: Cube = cube) -> Iterator[Question]:
                query = _Query(self, cube.processes)
                times = query.times(len(cube.fenced))
                query.asserts += query.inside(cube, range(cube.processes), times)
                for bad in self.system.invariants:
                    query.asserts += [f"(not {part})" for part in query.bad(bad, cube.processes, times)]
                yield query.question()

            yield Obligation(f"cube {number} is an invariant of the text", questions)

    def unsafe(self, hints: Hints) -> Iterator[Obligation]:
        """Each unsafe state is in a cube."""
        for number, bad in enumerate(self.system.unsafe):
            name = f"unsafe{' ' + bad.name if bad.name else ''} at line {bad.position.line}"
            for args, count in placements(self.system.fixed, bad.parameters, self.processes):

                def questions(
                    number: int = number, bad: Bad = bad, args: tuple[int, ...] = args, count: int = count
                ) -> Iterator[Question]:
                    for hinted in (hints.get((-1, number, args), ()), None):
                        query = _Query(self, count)
                        times = query.times(1 if self.lagging else 0)
                        query.asserts += [query.one_bad(bad, args, times[0] if times else None)]
                        if hinted is None:
                            query.exclude_all(self.cubes, [tuple(times)] * count, {})
                        else:
                            query.exclude(self.cubes, hinted, times)
                        yield query.question()

                yield Obligation(f"{name}: its states are in a cube", questions)

    def steps(self, number: int, hints: Hints) -> Iterator[Obligation]:
        """Each step into the cube comes from a cube."""
        cube = self.cubes[number]
        into = Into(cube)
        for t, (transition, writes) in enumerate(zip(self.system.transitions, self.writes, strict=True)):
            if not into.spoken(writes):
                continue
            for r, rule in enumerate(transition.rules):
                for arguments, count in placements(cube.processes, rule.parameters, self.processes):
                    env = dict(enumerate(arguments))
                    if not into.touched(writes, env):
                        continue  # nothing that the cube speaks of is written: the state before is in it as well
                    known = into.known(writes, self.asked[t][r], env)
                    if known is not None:
                        some = hints.get((t, r, arguments), ())
                        yield self._step(number, transition, rule, arguments, count, some, known)

    def _step(
        self,
        number: int,
        transition: Transition,
        rule: Rule,
        arguments: tuple[int, ...],
        count: int,
        hints: Sequence[Hint],
        known: Mapping[CellKey, int],
    ) -> Obligation:
        """Not in a cube before the step, and in this one after it."""
        cube = self.cubes[number]

        def questions() -> Iterator[Question]:
            for hinted in (hints, None):
                query = _Query(self, self.processes or count)
                step = _Step(query, transition, rule, arguments)
                times = query.times(len(cube.fenced))
                query.asserts += step.before()
                query.asserts += step.after(cube, times)
                chains = []
                for p in range(query.count):
                    own = [times[t] for t in cube.chains[p]] if p < cube.processes else []
                    chains.append((*(["tr"] if p == step.actor and step.late else []), *own))
                if hinted is None:
                    query.exclude_all(self.cubes, chains, known)
                else:
                    before = query.not_after_now(times) if step.writes else times
                    query.exclude(self.cubes, hinted, [*before, "tr"] if step.late else before)
                yield query.question()

        names = ", ".join(f"#{p + 1}" for p in arguments)
        return Obligation(f"{transition.name}({names}) into cube {number}", questions)


class _Query:
    """A question in the making. `count` processes have numbers that are known."""

    def __init__(self, parent: Obligations, count: int) -> None:
        self.system = parent.system
        self.lagging = parent.lagging
        self.processes = parent.processes
        self.count = max(count, 1)
        self.asserts: list[str] = []
        self.declared: dict[str, str] = {}
        self.declare("now")
        for p in range(self.count):
            if self.lagging:
                self.declare(f"view.{p}")
                self.declare(f"last.{p}")
            if self.system.ordered:
                self.declare(f"place.{p}")
        self.ranges: dict[str, None] = {}
        self.own: dict[str, None] = {}

    def question(self) -> Question:
        """All of it."""
        axioms = (*self.ranges, *self.own, *self._views(), "(>= now 0)", *self._order())
        return Question(self.declared, axioms, tuple(self.asserts))

    def _order(self) -> Iterator[str]:
        """Where processes are in an order, they have places in it."""
        if self.system.ordered and self.count > 1:
            yield f"(distinct {' '.join(f'place.{p}' for p in range(self.count))})"
            for p in range(1, self.system.fixed):
                yield f"(< place.{p - 1} place.{p})"

    def _views(self) -> Iterator[str]:
        if self.lagging:
            for p in range(self.count):
                yield f"(and (<= 0 view.{p} now) (<= 0 last.{p} now))"

    # --- cells -------------------------------------------------------------------------------------------------------

    def declare(self, name: str, arguments: str = "", sort: str = "Int") -> None:
        if name not in self.declared:
            self.declared[name] = f"(declare-fun {name} ({arguments}) {sort})"

    def weak(self, array: int) -> bool:
        return self.lagging and self.system.arrays[array].weak

    def ranged(self, array: int, expression: str) -> str:
        """The expression, and that its value is of the array's type."""
        type_ = self.system.arrays[array].type
        if type_.kind is Kind.PROC and self.processes is not None:
            self.ranges[f"(and (<= 0 {expression}) (< {expression} {self.processes}))"] = None
        if type_.kind is Kind.ENUM and 1 << _width(type_) != len(type_.values):
            self.ranges[f"(bvule {expression} {_value(type_, len(type_.values) - 1)})"] = None
        return expression

    def regular(self, array: int, index: tuple[int, ...]) -> str:
        return self.ranged(array, self.named("R", array, index))

    def memory(self, array: int, index: tuple[int, ...], time: str) -> str:
        return self.ranged(array, f"({self.named('M', array, index, 'Int')} {time})")

    def named(self, prefix: str, array: int, index: tuple[int, ...], arguments: str = "") -> str:
        """A constant for what a cell is; a function of time for memory."""
        name = ".".join((prefix, self.system.arrays[array].name, *map(str, index)))
        if name not in self.declared:
            self.declare(name, arguments, "Int" if prefix == "OT" else _sort(self.system.arrays[array].type))
        return name

    def own_time(self, array: int, index: tuple[int, ...], process: int) -> str:
        time = self.named("OT", array, (process, *index))
        self.own[f"(<= 0 {time} last.{process})"] = None
        return time

    def read(self, array: int, index: tuple[int, ...], process: int, time: str, memory: str | None = None) -> str:
        """What a process reads at a time: its own last write if that is later."""
        own = self.ranged(array, self.named("OV", array, (process, *index)))
        memory = memory or self.memory(array, index, time)
        return f"(ite (> {self.own_time(array, index, process)} {time}) {own} {memory})"

    def times(self, count: int) -> list[str]:
        """Constants for so many times."""
        names = [f"t{n}" for n in range(count)]
        for name in names:
            self.declare(name)
        return names

    def not_after_now(self, times: Sequence[str]) -> list[str]:
        """Constants for the times, or now where they are later: after a step that writes, now is one more."""
        earlier = [f"b{n}" for n in range(len(times))]
        for name, time in zip(earlier, times, strict=True):
            self.declare(name)
            self.own[f"(= {name} (ite (< {time} now) {time} now))"] = None
        return earlier

    # --- conditions --------------------------------------------------------------------------------------------------

    def term(self, term: Term, env: Environment, show: Show, type_: Type | None) -> str:
        real = type_ is not None and type_.kind is Kind.REAL
        match term:
            case Access(array, index, offset, reader, _):
                places = tuple(place(p, env) for p in index)
                shown = show(array, places, None if reader is None else place(reader, env))
                return f"(+ {shown} {_number(offset, real)})" if offset else shown
            case Process(process):
                return str(place(process, env))
            case Value(value):
                return _value(type_, value)
            case Number(value):
                return _number(value, real)

    def literal(self, literal: Literal, env: Environment, show: Show) -> str:
        left, right = literal.left, literal.right
        if literal.relation in ("<", "<=") and isinstance(left, Process) and isinstance(right, Process):
            return f"({literal.relation} place.{place(left.process, env)} place.{place(right.process, env)})"
        cell = left if isinstance(left, Access) else right
        type_ = self.system.arrays[cell.array].type if isinstance(cell, Access) else None
        a, b = self.term(left, env, show, type_), self.term(right, env, show, type_)
        return f"(distinct {a} {b})" if literal.relation == "<>" else f"({literal.relation} {a} {b})"

    def condition(self, condition: Condition, env: Environment, show: Show) -> str:
        return _or(_and(self.literal(literal, env, show) for literal in part) for part in condition)

    def instances(self, universal: Universal, env: Environment) -> Iterator[Environment]:
        for choice in product(range(self.count), repeat=len(universal.variables)):
            inner = {**env, **dict(zip(universal.variables, choice, strict=True))}
            pairs = zip(universal.variables, universal.apart, strict=True)
            if all(inner[v] not in {place(o, inner) for o in others} for v, others in pairs):
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
        seen = [f"(<= view.{p} {time} now)" for p in readers]
        return _and([condition, *seen])

    def bad(self, bad: Bad, processes: int, times: Sequence[str]) -> Iterator[str]:
        """All instances of a property: for all processes, at all times."""
        for choice in permutations(range(processes), bad.parameters):
            for time in [*times, "now"] if self.lagging else [None]:
                yield self.one_bad(bad, choice, time)

    def inside(self, cube: Cube, at: Sequence[int], times: Sequence[str]) -> Iterator[str]:
        """That the state before is in the cube: with these processes and times."""
        for chain, process in zip(cube.chains, at, strict=True):
            if chain:
                yield f"(<= view.{process} {' '.join(times[t] for t in chain)} now)"
        for t, fenced in enumerate(cube.fenced):
            for p in fenced:
                yield f"(<= last.{at[p]} {times[t]})"

        def show(cell: CellTerm) -> str:
            index = tuple(at[p] for p in cell.index)
            if not self.weak(cell.array):
                return self.regular(cell.array, index)
            if cell.time is None or cell.reader is None:
                return self.memory(cell.array, index, "now")
            return self.read(cell.array, index, at[cell.reader], times[cell.time])

        yield from (self.fact(fact, at, show) for fact in cube.facts)
        yield from self.placed(cube, at)

    def placed(self, cube: Cube, at: Sequence[int]) -> Iterator[str]:
        """Where processes are in an order, those of a cube are in theirs."""
        if self.system.ordered and cube.processes > 1:
            yield f"(< {' '.join(f'place.{at[p]}' for p in range(cube.processes))})"

    def fact(self, fact: Fact, at: Sequence[int], show: Callable[[CellTerm], str]) -> str:
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

    def _among(self, value: str, mask: int, at: Sequence[int] | None, cell: CellTerm) -> str:
        if at is None:
            type_ = self.system.arrays[cell.array].type
            inside = [v for v in range(len(type_.values)) if mask >> v & 1]
            return _or(f"(= {value} {_value(type_, v)})" for v in inside)
        if mask >> OTHER & 1:
            return _and(f"(distinct {value} {place})" for p, place in enumerate(at) if not mask >> p & 1)
        return _or(f"(= {value} {place})" for p, place in enumerate(at) if mask >> p & 1)

    def exclude(self, cubes: Sequence[Cube], hints: Sequence[Hint], times: Sequence[str]) -> None:
        """That the state before is in none of the cubes that are hinted at; a hint that makes no sense is none."""
        for hint in hints:
            if not 0 <= hint.node < len(cubes):
                continue
            cube, at = cubes[hint.node], hint.places
            if len(at) != cube.processes or len(set(at)) != len(at) or len(hint.times) != len(cube.fenced):
                continue
            if all(0 <= p < self.count for p in at) and self._named(at) and all(t < len(times) for t in hint.times):
                here = ["now" if t < 0 else times[t] for t in hint.times]
                self.asserts.append(f"(not {_and(self.inside(cube, at, here))})")

    def exclude_all(
        self, cubes: Sequence[Cube], chains: Sequence[tuple[str, ...]], known: Mapping[CellKey, int]
    ) -> None:
        """That the state before is in none of the cubes, with the processes and times at hand.

        `chains` are the times that are tried for each process, besides now; `known` are the values that cells can have,
        as bits: what they cannot have need not be said.
        """
        for cube in cubes:
            wanted = list(values_now(cube)) if known else []
            for at in permutations(range(self.count), cube.processes):
                cells = (((array, tuple(at[p] for p in index)), mask) for (array, index), mask in wanted)
                if self._named(at) and all(known.get(cell, mask) & mask for cell, mask in cells):
                    for times in _time_maps(cube, at, chains):
                        self.asserts.append(f"(not {_and(self.inside(cube, at, times))})")

    def _named(self, at: tuple[int, ...]) -> bool:
        """Whether the processes that have names are those of that name."""
        fixed = min(self.system.fixed, len(at))
        return at[:fixed] == tuple(range(fixed))


def _time_maps(cube: Cube, at: Sequence[int], chains: Sequence[tuple[str, ...]]) -> Iterator[list[str]]:
    """Which times of a cube can be which: those that all its readers have, and now; in their order for each reader."""
    choices = []
    for t in range(len(cube.fenced)):
        own = [set(chains[at[p]]) for p in range(cube.processes) if t in cube.chains[p]]
        choices.append([*sorted(set.intersection(*own) if own else set()), "now"])
    for times in product(*choices):
        if all(_in_order([times[t] for t in chain], chains[at[p]]) for p, chain in enumerate(cube.chains)):
            yield list(times)


def _in_order(times: Sequence[str], chain: tuple[str, ...]) -> bool:
    places = [len(chain) if time == "now" else chain.index(time) for time in times]
    return places == sorted(places)


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
            query.declare("tr")

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
            yield f"(<= view.{self.actor} tr now)"
            if self.transition.fence:
                yield f"(<= last.{self.actor} tr)"

    def after(self, cube: Cube, times: Sequence[str]) -> Iterator[str]:
        """That the state after is in the cube, whose processes have their own numbers."""
        now = "(+ now 1)" if self.writes else "now"
        for process, chain in enumerate(cube.chains):
            if chain:
                yield f"(<= {self._view(process)} {' '.join(times[t] for t in chain)} {now})"
        for t, fenced in enumerate(cube.fenced):
            for p in fenced:
                last = now if self.writes and p == self.actor else f"last.{p}"
                yield f"(<= {last} {times[t]})"

        def show(cell: CellTerm) -> str:
            return self._cell(cell, None if cell.time is None else times[cell.time])

        at = range(cube.processes)
        yield from (self.query.fact(fact, at, show) for fact in cube.facts)
        yield from self.query.placed(cube, at)

    def _view(self, process: int) -> str:
        """The view of a process after the step."""
        if process != self.actor:
            return f"view.{process}"
        if self.late:
            return "tr"
        return "(+ now 1)" if self.writes and self.locked else f"view.{process}"

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
            inner = matches(update, self.env, (array, index))
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
            return self.query.term(value, env, self.show, type_)
        return self.query.ranged(array, self.query.named("any", array, (*index, case)))


@cache
def _width(type_: Type) -> int:
    """The bits of an enumeration."""
    return max(1, (len(type_.values) - 1).bit_length())


@cache
def _value(type_: Type | None, value: int) -> str:
    """A constructor by its number."""
    return f"(_ bv{value} {_width(type_)})" if type_ is not None and type_.kind is Kind.ENUM else str(value)


def _sort(type_: Type) -> str:
    if type_.kind is Kind.ENUM:
        return f"(_ BitVec {_width(type_)})"
    return "Real" if type_.kind is Kind.REAL else "Int"


def _number(value: int, real: bool) -> str:
    shown = f"{abs(value)}.0" if real else str(abs(value))
    return shown if value >= 0 else f"(- {shown})"


def _and(parts: Iterable[str]) -> str:
    listed = list(parts)
    return f"(and {' '.join(listed)})" if listed else "true"


def _or(parts: Iterable[str]) -> str:
    listed = list(parts)
    return f"(or {' '.join(listed)})" if listed else "false"
