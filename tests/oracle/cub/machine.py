"""Parameterised systems with a fixed number of processes, as machines with store buffers: all states are tried.

Shares the reader with what it checks, and nothing else. A write waits in the buffer of the process that acts, all cells
of one step together. A step that reads and writes weak cells waits for the buffer to be empty and is done in memory; so
is every step under sc. `fence()` waits for the buffer to be empty. What nothing is said of at first can be anything:
any constructor, any process, numbers from -1 to 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

from xgen.systems.parameterised import (
    Access,
    Condition,
    Kind,
    Number,
    Process,
    Rule,
    System,
    Term,
    Transition,
    Universal,
    Value,
)

State = tuple[tuple[int, ...], tuple[tuple[tuple[tuple[int, int], ...], ...], ...]]
"""The memory, and of each process the writes that wait: groups of (cell, value), the oldest first."""


class TooMany(Exception):
    """There are more states than asked for."""


@dataclass
class Machine:
    """A system with so many processes; `buffered`: as under tso."""

    system: System
    processes: int
    buffered: bool

    def __post_init__(self) -> None:
        self.cells: dict[tuple[int, tuple[int, ...]], int] = {}
        for number, array in enumerate(self.system.arrays):
            for index in product(range(self.processes), repeat=array.arity):
                self.cells[number, index] = len(self.cells)
        self.steps = [step for transition in self.system.transitions for step in self._instances(transition)]
        self.bad = self._properties(self.system.unsafe)
        self.excluded = self._properties(self.system.invariants)

    def reaches_bad(self, limit: int) -> bool:
        """Whether a bad state can be reached; raises TooMany where that takes more than `limit` states."""
        seen: set[State] = set()
        stack: list[State] = []
        for memory in self.first_memories():
            stack.append((memory, ((),) * self.processes))
            if len(stack) > limit:
                raise TooMany
        while stack:
            state = stack.pop()
            if state in seen:
                continue
            seen.add(state)
            if len(seen) > limit:
                raise TooMany
            views = [self._view(state, p) for p in range(self.processes)]
            if self.excluded(state[0], views):
                continue
            if self.bad(state[0], views):
                return True
            stack += self._following(state, views)
        return False

    # --- steps -------------------------------------------------------------------------------------------------------

    def _view(self, state: State, process: int) -> tuple[int, ...]:
        memory, buffers = state
        if not buffers[process]:
            return memory
        seen = list(memory)
        for group in buffers[process]:
            for cell, value in group:
                seen[cell] = value
        return tuple(seen)

    def _following(self, state: State, views: list[tuple[int, ...]]) -> Iterator[State]:
        memory, buffers = state
        for p, buffer in enumerate(buffers):
            if buffer:
                after = list(memory)
                for cell, value in buffer[0]:
                    after[cell] = value
                yield tuple(after), (*buffers[:p], buffer[1:], *buffers[p + 1 :])
        for actor, waits, direct, guard, writes in self.steps:
            if waits and buffers[actor]:
                continue
            seen = views[actor]
            if not guard(seen):
                continue
            for weak, regular in writes(seen):
                after = list(memory)
                for cell, value in regular:
                    after[cell] = value
                if direct:
                    for cell, value in weak:
                        after[cell] = value
                    yield tuple(after), buffers
                elif weak:
                    yield tuple(after), (*buffers[:actor], (*buffers[actor], tuple(weak)), *buffers[actor + 1 :])
                else:
                    yield tuple(after), buffers

    def _instances(self, transition: Transition) -> Iterator[tuple[int, bool, bool, Callable[..., bool], Any]]:
        weak = lambda number: self.buffered and self.system.arrays[number].weak  # noqa: E731
        reads = self.buffered and transition.reads
        locked = reads and transition.writes
        for rule in transition.rules:
            for choice in permutations(range(self.processes), rule.parameters):
                env = dict(enumerate(choice))
                guard = eval(f"lambda v: {self._guard(rule, env)}")
                actor = env[transition.actor] if transition.actor is not None else choice[0] if choice else 0
                waits = self.buffered and (transition.fence or locked)
                yield actor, waits, locked or not self.buffered, guard, self._writes(transition, env, weak)

    def _writes(self, transition: Transition, env: dict[int, int], weak: Callable[[int], bool]) -> Any:
        targets: list[tuple[bool, int, Any]] = []
        for update in transition.updates:
            for choice in product(range(self.processes), repeat=len(update.fresh)):
                inner = {**env, **dict(zip(update.fresh, choice, strict=True))}
                cell = self.cells[update.array, tuple(self._process(p, inner) for p in update.index)]
                shown = "None"
                for case in reversed(update.cases):
                    value = (
                        repr(self._domain(update.array))
                        if case.value is None
                        else f"({self._term(case.value, inner)},)"
                    )
                    shown = f"({value} if {self._condition(case.condition, inner)} else {shown})"
                targets.append((weak(update.array), cell, eval(f"lambda v: {shown}")))

        def writes(seen: tuple[int, ...]) -> Iterator[tuple[list[tuple[int, int]], list[tuple[int, int]]]]:
            for values in product(*(value(seen) for _, _, value in targets)):
                done = [(is_weak, (cell, new)) for (is_weak, cell, _), new in zip(targets, values, strict=True)]
                yield [w for is_weak, w in done if is_weak], [w for is_weak, w in done if not is_weak]

        return writes

    # --- conditions as Python ----------------------------------------------------------------------------------------

    def _process(self, variable: int, env: dict[int, int]) -> int:
        return -1 - variable if variable < 0 else env[variable]

    def _term(self, term: Term, env: dict[int, int], views: bool = False) -> str:
        match term:
            case Access(array, index, offset, reader):
                cell = self.cells[array, tuple(self._process(p, env) for p in index)]
                seen = "v"
                if views:
                    late = reader is not None and self.buffered
                    seen = f"w[{self._process(reader, env)}]" if late and reader is not None else "v"
                return f"{seen}[{cell}]{f'+{offset}' if offset else ''}"
            case Process(process):
                return str(self._process(process, env))
            case Value(value) | Number(value):
                return str(value)

    def _condition(self, condition: Condition, env: dict[int, int], views: bool = False) -> str:
        relations = {"=": "==", "<>": "!=", "<": "<", "<=": "<="}
        parts = []
        for conjunction in condition:
            shown = [
                f"{self._term(x.left, env, views)} {relations[x.relation]} {self._term(x.right, env, views)}"
                for x in conjunction
            ]
            parts.append("(" + (" and ".join(shown) or "True") + ")")
        return "(" + (" or ".join(parts) or "False") + ")"

    def _guard(self, rule: Rule, env: dict[int, int]) -> str:
        parts = [self._condition((rule.literals,), env)]
        for universal in rule.universals:
            parts += [self._condition(universal.condition, inner) for inner in self._all(universal, env)]
        return " and ".join(parts)

    def _all(self, universal: Universal, env: dict[int, int]) -> Iterator[dict[int, int]]:
        for choice in product(range(self.processes), repeat=len(universal.variables)):
            inner = {**env, **dict(zip(universal.variables, choice, strict=True))}
            pairs = zip(universal.variables, universal.apart, strict=True)
            if all(inner[v] != self._process(o, inner) for v, others in pairs for o in others):
                yield inner

    def _properties(self, properties: Any) -> Callable[[Any, Any], bool]:
        parts = [
            self._condition(bad.condition, dict(enumerate(choice)), views=True)
            for bad in properties
            for choice in permutations(range(self.processes), bad.parameters)
        ]
        found: Callable[[Any, Any], bool] = eval(f"lambda v, w: {' or '.join(parts) or 'False'}")
        return found

    # --- the first states --------------------------------------------------------------------------------------------

    def _domain(self, number: int) -> tuple[int, ...]:
        type_ = self.system.arrays[number].type
        if type_.kind is Kind.ENUM:
            return tuple(range(len(type_.values)))
        return tuple(range(self.processes)) if type_.kind in (Kind.PROC, Kind.ABSTRACT) else (-1, 0, 1, 2)

    def first_memories(self) -> Iterator[tuple[int, ...]]:
        """The memories that `init` allows."""
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
                    index = tuple(self._process(p, env) for p in literal.left.index)
                    said[self.cells[literal.left.array, index]] = int(self._term(literal.right, env))
        test = eval(f"lambda v: {' and '.join(tests)}")
        domains = [(said[n],) if n in said else self._domain(array) for (array, _), n in self.cells.items()]
        for memory in product(*domains):
            if test(memory):
                yield memory
