"""The states of a system with few processes, where every step is done at once: what the search makes guesses from.

A wrong guess costs time and nothing else, so it does not matter that reads do not lag here, and that not all states may
be there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice, permutations, product

from xgen.clock import Clock
from xgen.engine.cubes import Small
from xgen.systems.parameterised import (
    Access,
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
    Value,
)

MAX_STATES = 60_000
MAX_FIRST = 4_000
"""Initial states that are tried."""
SECONDS = 10.0

State = tuple[int, ...]
Environment = dict[int, int]
_RELATIONS = {"=": "==", "<>": "!=", "<": "<", "<=": "<="}


def small_instance(system: System, processes: int, clock: Clock) -> Small:
    """The states of so many processes that can be reached, or the first of them."""
    return _Instance(system, processes).explored(clock)


class _Instance:
    def __init__(self, system: System, processes: int) -> None:
        self.system = system
        self.processes = processes
        self.cells = {
            (number, index): place
            for place, (number, index) in enumerate(
                (number, index)
                for number, array in enumerate(system.arrays)
                for index in product(range(processes), repeat=array.arity)
            )
        }
        self.steps = [step for transition in system.transitions for step in self._steps(transition)]

    def explored(self, clock: Clock) -> Small:
        limit = clock.seconds + SECONDS
        states = dict.fromkeys(islice(self._first(), MAX_FIRST))
        waiting = deque(states)
        numbers = any(self._domain(array) is None for array, _ in self.cells)
        while waiting and len(states) < MAX_STATES and clock.seconds < limit and not clock.over():
            state = waiting.popleft() if numbers else waiting.pop()  # where they grow, those with small ones first
            for guard, write in self.steps:
                if guard(state):
                    for after in write(state):
                        if after not in states:
                            states[after] = None
                            waiting.append(after)
        values = []
        counts = []
        words = (len(states) + 63) // 64
        for (array, index), place in self.cells.items():
            domain = self._domain(array)
            i, j = (*index, -1, -1)[:2]
            if domain is None:
                counts.append((array, i, j, [state[place] for state in states]))
                continue
            sets = [[0] * words for _ in range(domain)]
            for number, state in enumerate(states):
                sets[state[place]][number // 64] |= 1 << number % 64
            values.append((array, i, j, sets))
        return Small(self.processes, values, counts)

    def _domain(self, array: int) -> int | None:
        """How many values a cell has; None for numbers."""
        type_ = self.system.arrays[array].type
        return {Kind.ENUM: len(type_.values), Kind.PROC: self.processes, Kind.ABSTRACT: 2}.get(type_.kind)

    def _values(self, array: int) -> range:
        return range(self._domain(array) or 2)

    def _first(self) -> Iterator[State]:
        """Initial states: numbers of which nothing is said are 0 or 1."""
        variables, condition = self.system.init
        said: dict[int, int] = {}
        tests = []
        for choice in product(range(self.processes), repeat=variables):
            env = dict(enumerate(choice))
            tests.append(self._condition(condition, env))
            for literal in condition[0] if len(condition) == 1 else ():
                if (
                    literal.relation == "="
                    and isinstance(literal.left, Access)
                    and not isinstance(literal.right, Access)
                ):
                    said[self._place(literal.left, env)] = int(self._term(literal.right, env))
        allowed: Callable[[State], bool] = eval(f"lambda s: {' and '.join(tests) or 'True'}")
        domains = [(said[place],) if place in said else self._values(array) for (array, _), place in self.cells.items()]
        return (state for state in product(*domains) if allowed(state))

    # --- steps as Python ---------------------------------------------------------------------------------------------

    def _process(self, variable: int, env: Environment) -> int:
        return -1 - variable if variable < 0 else env[variable]

    def _place(self, access: Access, env: Environment) -> int:
        return self.cells[access.array, tuple(self._process(p, env) for p in access.index)]

    def _term(self, term: Term, env: Environment) -> str:
        match term:
            case Access(offset=offset):
                return f"s[{self._place(term, env)}]" + (f"+{offset}" if offset else "")
            case Process(process):
                return str(self._process(process, env))
            case Value(value) | Number(value):
                return str(value)

    def _literal(self, literal: Literal, env: Environment) -> str:
        return f"{self._term(literal.left, env)} {_RELATIONS[literal.relation]} {self._term(literal.right, env)}"

    def _condition(self, condition: Condition, env: Environment) -> str:
        parts = [" and ".join(self._literal(literal, env) for literal in part) or "True" for part in condition]
        return f"({' or '.join(f'({part})' for part in parts) or 'False'})"

    def _guard(self, rule: Rule, env: Environment) -> str:
        parts = [self._condition((rule.literals,), env)]
        for universal in rule.universals:
            parts += [self._condition(universal.condition, inner) for inner in self._instances(universal, env)]
        return " and ".join(parts)

    def _instances(self, universal: Universal, env: Environment) -> Iterator[Environment]:
        for choice in product(range(self.processes), repeat=len(universal.variables)):
            inner = {**env, **dict(zip(universal.variables, choice, strict=True))}
            pairs = zip(universal.variables, universal.apart, strict=True)
            if all(inner[v] != self._process(o, inner) for v, others in pairs for o in others):
                yield inner

    def _steps(
        self, transition: Transition
    ) -> Iterator[tuple[Callable[[State], bool], Callable[[State], Iterator[State]]]]:
        for rule in transition.rules:
            for choice in permutations(range(self.processes), rule.parameters):
                env = dict(enumerate(choice))
                yield eval(f"lambda s: {self._guard(rule, env)}"), self._write(transition, env)

    def _write(self, transition: Transition, env: Environment) -> Callable[[State], Iterator[State]]:
        shown = [f"(s[{place}],)" for place in self.cells.values()]
        for update in transition.updates:
            for choice in product(range(self.processes), repeat=len(update.fresh)):
                inner = {**env, **dict(zip(update.fresh, choice, strict=True))}
                value = "None"
                for case in reversed(update.cases):
                    some = f"({self._term(case.value, inner)},)" if case.value else repr(self._values(update.array))
                    value = f"({some} if {self._condition(case.condition, inner)} else {value})"
                place = self.cells[update.array, tuple(self._process(p, inner) for p in update.index)]
                shown[place] = value
        found: Callable[[State], Iterator[State]] = eval(f"lambda s: product({', '.join(shown)})", {"product": product})
        return found
