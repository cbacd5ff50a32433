"""A run of a parameterised system as a program without choices, for the engine of execution graphs to confirm.

Under sc one process does all steps in their order. Under a weaker model each process does its own: regular cells are
its local variables, weak cells shared ones, several accesses of one step are an atomic block, and locked steps have
fences around them. A process `judge` starts the others, waits for them, and reaches an error location if the state
is unsafe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations, product

from xgen.analyses.parameterised.run import Step, Trace
from xgen.systems.parameterised import (
    Access,
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
    accesses,
)

Cell = tuple[int, tuple[int, ...]]
"""An array, and the processes of the index."""
Environment = dict[int, int]
"""What process variables stand for."""


def replay_program(system: System, trace: Trace, lagging: bool) -> str:
    """The .xcfa text of the program. `lagging`: for a model other than sc."""
    return (_Parallel(system, trace) if lagging else _Sequential(system, trace)).text()


class CannotReplay(Exception):
    """The run cannot be said as a program; the message says why."""


class _Replay:
    """What both forms have in common: expressions, and what holds at first."""

    def __init__(self, system: System, trace: Trace) -> None:
        self.system = system
        self.trace = trace
        self.processes = range(trace.processes)
        self.temporaries = 0

    # --- processes and cells -----------------------------------------------------------------------------------------

    def process(self, variable: int, env: Environment) -> int:
        return -1 - variable if variable < 0 else env[variable]

    def cell(self, access: Access, env: Environment) -> Cell:
        return access.array, tuple(self.process(p, env) for p in access.index)

    def name(self, cell: Cell) -> str:
        return "_".join((self.system.arrays[cell[0]].name, *(str(p + 1) for p in cell[1])))

    def fresh(self) -> str:
        self.temporaries += 1
        return f"t{self.temporaries}"

    # --- expressions -------------------------------------------------------------------------------------------------

    def term(self, term: Term, env: Environment, show: Callable[[Access, Environment], str]) -> str:
        match term:
            case Access(offset=offset):
                shown = show(term, env)
                return f"({shown} {'+' if offset > 0 else '-'} {abs(offset)})" if offset else shown
            case Process(process):
                return str(self.process(process, env))
            case Value(value) | Number(value):
                return str(value) if value >= 0 else f"(0 - {-value})"

    def literal(self, literal: Literal, env: Environment, show: Callable[[Access, Environment], str]) -> str:
        relation = {"<>": "/="}.get(literal.relation, literal.relation)
        return f"{self.term(literal.left, env, show)} {relation} {self.term(literal.right, env, show)}"

    def condition(self, condition: Condition, env: Environment, show: Callable[[Access, Environment], str]) -> str:
        known = [part for part in (self._open(part, env) for part in condition) if part is not None]
        if () in known:
            return "true"
        parts = [_joined(" and ", "true", (self.literal(lit, env, show) for lit in part)) for part in known]
        return _joined(" or ", "false", parts)

    def _open(self, part: Conjunction, env: Environment) -> Conjunction | None:
        """What is left to ask where the processes are known; None where it does not hold."""
        left = []
        for literal in part:
            if not (isinstance(literal.left, Process) and isinstance(literal.right, Process)):
                left.append(literal)
            elif not self._holds(
                literal.relation, *(self.process(p.process, env) for p in (literal.left, literal.right))
            ):
                return None
        return tuple(left)

    def _holds(self, relation: str, a: int, b: int) -> bool:
        return {"=": a == b, "<>": a != b, "<": a < b, "<=": a <= b}[relation]

    def guard(self, rule: Rule, env: Environment, show: Callable[[Access, Environment], str]) -> Iterator[str]:
        for literal in rule.literals:
            yield self.literal(literal, env, show)
        for universal in rule.universals:
            for inner in self.instances(universal, env):
                yield self.condition(universal.condition, inner, show)

    def instances(self, universal: Universal, env: Environment) -> Iterator[Environment]:
        for choice in product(self.processes, repeat=len(universal.variables)):
            inner = {**env, **dict(zip(universal.variables, choice, strict=True))}
            if all(
                inner[v] not in {self.process(other, inner) for other in apart}
                for v, apart in zip(universal.variables, universal.apart, strict=True)
            ):
                yield inner

    def targets(self, update: Update, env: Environment) -> Iterator[tuple[Cell, Environment]]:
        for choice in product(self.processes, repeat=len(update.fresh)):
            inner = {**env, **dict(zip(update.fresh, choice, strict=True))}
            yield (update.array, tuple(self.process(p, inner) for p in update.index)), inner

    def value(
        self, update: Update, env: Environment, show: Callable[[Access, Environment], str], lines: list[str]
    ) -> str:
        """What an update writes; a value that can be any is chosen first."""
        *cases, last = [(c.condition, self._value(c.value, update, env, show, lines)) for c in update.cases]
        shown = last[1]
        for condition, value in reversed(cases):
            shown = f"(if {self.condition(condition, env, show)} then {value} else {shown})"
        return shown

    def _value(
        self,
        term: Term | None,
        update: Update,
        env: Environment,
        show: Callable[[Access, Environment], str],
        lines: list[str],
    ) -> str:
        if term is not None:
            return self.term(term, env, show)
        name = self.fresh()
        lines.append(self.havoc(name, update.array))
        return name

    def havoc(self, name: str, array: int) -> str:
        least, most = self.range(array)
        return f"havoc {name} in {least if least >= 0 else f'(0 - {-least})'} .. {most}"

    def range(self, array: int) -> tuple[int, int]:
        """The values that a cell can have at first; of numbers, those that the text speaks of and some more."""
        type_ = self.system.arrays[array].type
        if type_.kind is Kind.ENUM:
            return 0, len(type_.values) - 1
        if type_.kind is Kind.PROC:
            return 0, self.trace.processes - 1
        if type_.kind is Kind.ABSTRACT:
            return 0, self.trace.processes
        numbers = [n.value for n in _numbers(self.system)]
        return min(numbers, default=0) - 1, max(numbers, default=0) + 1

    def _no_cell(self, access: Access, env: Environment) -> str:
        raise AssertionError((access, env))

    def initially(self) -> dict[Cell, str]:
        """The cells whose first value is said outright."""
        variables, condition = self.system.init
        known: dict[Cell, str] = {}
        if len(condition) != 1:
            return known
        for choice in product(self.processes, repeat=variables):
            env = dict(enumerate(choice))
            for literal in condition[0]:
                for left, right in ((literal.left, literal.right), (literal.right, literal.left)):
                    if literal.relation == "=" and isinstance(left, Access) and not isinstance(right, Access):
                        value = self.term(right, env, self._no_cell)
                        if not left.offset:
                            known.setdefault(self.cell(left, env), value)
        return known

    def _outright(self) -> bool:
        """Whether `init` only says which cells have which values, or that of which constant."""
        condition = self.system.init[1]
        return len(condition) == 1 and all(
            literal.relation == "="
            and isinstance(literal.left, Access)
            and (not isinstance(literal.right, Access) or self._constant(literal.right))
            for literal in condition[0]
        )

    def _constant(self, access: Access) -> bool:
        return self.system.arrays[access.array].constant and not access.index and not access.offset

    def constants(self) -> dict[Cell, Cell]:
        """The cells that have at first the value of a constant."""
        variables, condition = self.system.init
        found: dict[Cell, Cell] = {}
        for choice in product(self.processes, repeat=variables):
            env = dict(enumerate(choice))
            for literal in condition[0] if len(condition) == 1 else ():
                left, right = literal.left, literal.right
                if isinstance(left, Access) and isinstance(right, Access) and self._constant(right):
                    found.setdefault(self.cell(left, env), self.cell(right, env))
        return found

    def init_condition(self, show: Callable[[Access, Environment], str]) -> Iterator[str]:
        variables, condition = self.system.init
        for choice in product(self.processes, repeat=variables):
            yield self.condition(condition, dict(enumerate(choice)), show)

    def unsafe(self, show: Callable[[Access, Environment], str]) -> str:
        parts = []
        for bad in self.system.unsafe:
            if bad.parameters <= len(self.processes):
                for choice in permutations(self.processes, bad.parameters):
                    parts.append(self.condition(bad.condition, dict(enumerate(choice)), show))
        return _joined(" or ", "false", [part for part in parts if part != "false"])

    def environment(self, step: Step) -> Environment:
        return dict(enumerate(step.processes))

    def parts(self, step: Step) -> tuple[Transition, Rule]:
        transition = self.system.transitions[step.transition]
        return transition, transition.rules[step.rule]

    def cells(self) -> list[Cell]:
        """All cells of so many processes."""
        return [
            (number, index)
            for number, array in enumerate(self.system.arrays)
            for index in product(self.processes, repeat=array.arity)
        ]


class _Sequential(_Replay):
    """One process that does everything."""

    def text(self) -> str:
        def show(access: Access, env: Environment) -> str:
            return self.name(self.cell(access, env))

        known = self.initially()
        lines: list[str] = []
        cells = self.cells()
        for cell in cells:
            lines.append(
                f"{self.name(cell)} := {known[cell]}" if cell in known else self.havoc(self.name(cell), cell[0])
            )
        if any(cell not in known for cell in cells):
            lines += [f"assume {part}" for part in self.init_condition(show) if part != "true"]
        for step in self.trace.steps:
            lines += self.step(step, show)
        lines.append(f"assume {self.unsafe(show)}")
        declared = sorted({*(self.name(cell) for cell in cells), *(f"t{n + 1}" for n in range(self.temporaries))})
        return _process("trace", declared, [lines], error=True)

    def step(self, step: Step, show: Callable[[Access, Environment], str]) -> list[str]:
        transition, rule = self.parts(step)
        env = self.environment(step)
        lines = [f"assume {part}" for part in self.guard(rule, env, show)]
        writes = []
        for update in transition.updates:
            for cell, inner in self.targets(update, env):
                value = self.value(update, inner, show, lines)
                if value != self.name(cell):
                    writes.append((self.name(cell), value))
        if len(writes) == 1:
            return [*lines, f"{writes[0][0]} := {writes[0][1]}"]
        held = [self.fresh() for _ in writes]
        lines += [f"{name} := {value}" for name, (_, value) in zip(held, writes, strict=True)]
        return lines + [f"{cell} := {name}" for name, (cell, _) in zip(held, writes, strict=True)]


class _Parallel(_Replay):
    """A process each, and one that starts them and judges the end."""

    def text(self) -> str:
        self.known = self.initially()
        self.same = self.constants()
        if not self._outright():
            raise CannotReplay("a run was found, but what holds at first is too involved to confirm it")
        bodies = [self._body(p) for p in self.processes]
        shared = [cell for cell in self.cells() if self._shared(cell[0])]
        texts = [f"var {self.name(cell)} : int ({_plain(self.known.get(cell, '0'))})" for cell in shared]
        texts += [f"var {name} : int" for name in sorted(self._outputs().values())]
        texts += [_process(f"p{p + 1}", *body) for p, body in zip(self.processes, bodies, strict=True)]
        return "\n".join([*texts, self._judge(shared)])

    def _shared(self, array: int) -> bool:
        return self.system.arrays[array].weak or self.system.arrays[array].constant

    def _steps(self, process: int) -> Iterator[Step]:
        for step in self.trace.steps:
            actor = self.system.transitions[step.transition].actor
            if step.processes[actor if actor is not None else 0] == process:
                yield step

    def _body(self, process: int) -> tuple[list[str], list[list[str]]]:
        """The local variables of a process, and its steps."""
        local = [cell for cell in self.cells() if not self._shared(cell[0]) and cell[1] and cell[1][0] == process]
        before = self.temporaries
        first = [self._first(cell) for cell in local]
        steps = [first, *(self._step(step) for step in self._steps(process)), self._end(process)]
        names = [self.name(cell) for cell in local] + [f"t{n + 1}" for n in range(before, self.temporaries)]
        return names, steps

    def _first(self, cell: Cell) -> str:
        """What a local variable is at first."""
        if cell in self.same:
            return f"{self.name(cell)} <- {self.name(self.same[cell])}"
        return (
            f"{self.name(cell)} := {self.known[cell]}" if cell in self.known else self.havoc(self.name(cell), cell[0])
        )

    def _loads(self, cells: Iterable[Cell]) -> tuple[dict[Cell, str], list[str]]:
        """Where shared cells are loaded to, and the statements for that."""
        found = {cell: self.fresh() for cell in dict.fromkeys(cells)}
        return found, [f"{name} <- {self.name(cell)}" for cell, name in found.items()]

    def _showing(self, loaded: dict[Cell, str]) -> Callable[[Access, Environment], str]:
        def show(access: Access, env: Environment) -> str:
            cell = self.cell(access, env)
            return loaded.get(cell, self.name(cell))

        return show

    def _step(self, step: Step) -> list[str]:
        transition, rule = self.parts(step)
        env = self.environment(step)
        spoken = list(self._spoken(transition, rule, env))
        weak = [cell for cell in spoken if self.system.arrays[cell[0]].weak]
        constants, lines = self._loads(cell for cell in spoken if self.system.arrays[cell[0]].constant)
        loaded, loads = self._loads(weak)
        show = self._showing({**constants, **loaded})
        local: list[tuple[str, str]] = []
        stores: list[str] = []
        choices: list[str] = []
        for update in transition.updates:
            for cell, inner in self.targets(update, env):
                value = self.value(update, inner, show, choices)
                if self._shared(cell[0]):
                    stores.append(f"{value} -> {self.name(cell)}")
                elif cell[1][0] == step.processes[transition.actor or 0] and value != self.name(cell):
                    local.append((self.name(cell), value))
        locked = transition.reads and transition.writes
        block = locked or len(loads) > 1 or len(stores) > 1
        assumes = [f"assume {part}" for part in self.guard(rule, env, show)]
        lines += ["fence"] * (transition.fence or locked) + ["atomic-begin"] * block
        held = [self.fresh() for _ in local]
        lines += [*loads, *assumes, *choices]
        lines += [f"{name} := {value}" for name, (_, value) in zip(held, local, strict=True)]
        lines += [*stores, *["atomic-end"] * block, *["fence"] * locked]
        return lines + [f"{cell} := {name}" for name, (cell, _) in zip(held, local, strict=True)]

    def _spoken(self, transition: Transition, rule: Rule, env: Environment) -> Iterator[Cell]:
        """The cells that a step reads."""
        for access in accesses((rule.literals,)):
            yield self.cell(access, env)
        for universal in rule.universals:
            for inner in self.instances(universal, env):
                for access in accesses(universal.condition):
                    yield self.cell(access, inner)
        for update in transition.updates:
            for _, inner in self.targets(update, env):
                for case in update.cases:
                    for access in accesses(case.condition):
                        yield self.cell(access, inner)
                    if isinstance(case.value, Access):
                        yield self.cell(case.value, inner)

    # --- the end -----------------------------------------------------------------------------------------------------

    def _read_at_end(self) -> Iterator[tuple[Cell, int | None]]:
        """The cells of the unsafe states, with the process that reads them."""
        for bad in self.system.unsafe:
            for choice in permutations(self.processes, bad.parameters):
                env = dict(enumerate(choice))
                for access in accesses(bad.condition):
                    reader = None if access.reader is None else self.process(access.reader, env)
                    yield self.cell(access, env), reader

    def _outputs(self) -> dict[tuple[Cell, int | None], str]:
        """The shared variables in which processes leave what the judge asks for."""
        found = {}
        for cell, reader in self._read_at_end():
            if not self.system.arrays[cell[0]].constant:
                owner = cell[1][0] if reader is None else reader
                found[cell, reader] = f"end{owner + 1}_{self.name(cell)}"
        return found

    def _end(self, process: int) -> list[str]:
        outputs = self._outputs()
        mine = [(cell, reader) for cell, reader in outputs if reader == process]
        loaded, loads = self._loads(cell for cell, _ in mine)
        lines = ["atomic-begin", *loads, "atomic-end"] if len(loads) > 1 else loads
        lines += [f"{loaded[cell]} -> {outputs[cell, reader]}" for cell, reader in mine]
        for (cell, reader), name in outputs.items():
            if reader is None and cell[1][0] == process:
                lines.append(f"{self.name(cell)} -> {name}")
        return lines

    def _judge(self, shared: Sequence[Cell]) -> str:
        outputs = self._outputs()
        before = self.temporaries
        lines = []
        chosen: dict[Cell, str] = {}
        for cell in sorted(shared, key=lambda cell: cell in self.same):
            if cell in self.same:
                constant = self.same[cell]
                lines.append(f"{chosen.get(constant) or self.known[constant]} -> {self.name(cell)}")
            elif cell not in self.known:
                chosen[cell] = self.fresh()
                lines += [self.havoc(chosen[cell], cell[0]), f"{chosen[cell]} -> {self.name(cell)}"]
        lines += [f"start p{p + 1}" for p in self.processes]
        waiting = [f"join p{p + 1}" for p in self.processes]
        final = {key: self.fresh() for key in outputs}
        constants, loads = self._loads(cell for cell, _ in self._read_at_end() if self.system.arrays[cell[0]].constant)
        loads += [f"{name} <- {outputs[key]}" for key, name in final.items()]

        def show(access: Access, env: Environment) -> str:
            cell = self.cell(access, env)
            reader = None if access.reader is None else self.process(access.reader, env)
            return constants.get(cell) or final[cell, reader]

        loads.append(f"assume {self.unsafe(show)}")
        names = [f"t{n + 1}" for n in range(before, self.temporaries)]
        return _process("judge", names, [lines, waiting, loads], error=True)


def _numbers(system: System) -> Iterator[Number]:
    """The numbers in a system's conditions and updates."""
    conditions = [system.init[1], *(bad.condition for bad in system.unsafe)]
    for transition in system.transitions:
        for rule in transition.rules:
            conditions += [(rule.literals,), *(u.condition for u in rule.universals)]
        for update in transition.updates:
            for case in update.cases:
                conditions.append(case.condition)
                if isinstance(case.value, Number):
                    yield case.value
    for condition in conditions:
        for part in condition:
            for literal in part:
                yield from (t for t in (literal.left, literal.right) if isinstance(t, Number))


def _joined(word: str, empty: str, parts: Iterable[str]) -> str:
    listed = list(parts)
    return listed[0] if len(listed) == 1 else f"({word.join(listed)})" if listed else empty


def _plain(value: str) -> str:
    """A value as a literal: a negative one is an expression elsewhere."""
    return value.replace("(0 - ", "-").rstrip(")")


def _process(name: str, variables: Sequence[str], steps: Sequence[Sequence[str]], error: bool = False) -> str:
    """A process that takes one edge after the other; `error`: to an error location."""
    lines = [f"process {name} {{", *(f"  var {variable} : int" for variable in variables)]
    kinds = ["init ", *[""] * (len(steps) - 1), "error " if error else "final "]
    lines += [f"  {kind}loc L{number}" for number, kind in enumerate(kinds)]
    for number, statements in enumerate(steps):
        lines += [f"  L{number} -> L{number + 1} {{", *(f"    {statement};" for statement in statements), "  }"]
    return "\n".join([*lines, "}"])
