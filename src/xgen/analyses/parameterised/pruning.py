"""Which steps a solver is asked about: those that write what a cube speaks of, and are not plainly impossible.

What is left out here is not asked of a solver, so this is part of what a certificate rests on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from xgen.engine.cubes import Cube
from xgen.systems.parameterised import Access, Kind, Rule, System, Transition, Update, Value

Environment = dict[int, int]
"""The processes that variables stand for."""
CellKey = tuple[int, tuple[int, ...]]
"""An array and the processes of the index."""


class Writes:
    """What a transition writes."""

    def __init__(self, transition: Transition) -> None:
        self.updates: dict[int, list[Update]] = {}
        for update in transition.updates:
            self.updates.setdefault(update.array, []).append(update)

    def to(self, cell: CellKey, env: Environment) -> Update | None:
        """The update that writes a cell."""
        for update in self.updates.get(cell[0], ()):
            if matches(update, env, cell) is not None:
                return update
        return None


class Into:
    """The cells of which a cube speaks, and the values of enumerations that it wants."""

    def __init__(self, cube: Cube) -> None:
        cells = ((c.array, c.index) for fact in cube.facts for c in (fact.left, fact.right) if c is not None)
        self.cells = list(dict.fromkeys(cells))
        self.arrays = {array for array, _ in self.cells}
        self.values = list(values_now(cube))

    def spoken(self, writes: Writes) -> bool:
        """Whether any of the arrays is written."""
        return not self.arrays.isdisjoint(writes.updates)

    def touched(self, writes: Writes, env: Environment) -> bool:
        """Whether one of the cells is written."""
        return any(writes.to(cell, env) is not None for cell in self.cells)

    def known(
        self, writes: Writes, guard: Sequence[tuple[CellKey, int]], env: Environment
    ) -> Mapping[CellKey, int] | None:
        """The values that cells can have before the step, as bits; None where the step is not possible.

        They are what the cube asks for where nothing is written, and what the guard does.
        """
        found: dict[CellKey, int] = {}
        for cell, mask in self.values:
            update = writes.to(cell, env)
            if update is None:
                found[cell] = found.get(cell, mask) & mask
                if not found[cell]:
                    return None
            elif update.cases and all(
                isinstance(case.value, Value) and not mask >> case.value.value & 1 for case in update.cases
            ):
                return None
        for (array, index), mask in guard:
            cell = array, tuple(place(p, env) for p in index)
            found[cell] = found.get(cell, mask) & mask
            if not found[cell]:
                return None
        return found


def asked(system: System, rule: Rule, lagging: bool) -> list[tuple[CellKey, int]]:
    """The values that a guard asks for, as bits: of cells that are not read late."""
    found = []
    for literal in rule.literals:
        access, value = literal.left, literal.right
        if literal.relation != "=" or not isinstance(access, Access) or not isinstance(value, Value):
            continue
        if not (lagging and system.arrays[access.array].weak):
            found.append(((access.array, access.index), 1 << value.value))
    return found


def values_now(cube: Cube) -> Iterator[tuple[CellKey, int]]:
    """The cells of enumerations of which the cube speaks, as they are now, and the values that they can have."""
    for fact in cube.facts:
        cell = fact.left
        if fact.kind != "in" or cell is None or cell.time is not None:
            continue
        if cube.system.arrays[cell.array].type.kind is Kind.ENUM:
            yield (cell.array, cell.index), fact.bound


def matches(update: Update, env: Environment, cell: CellKey) -> Environment | None:
    """What an update's own variables stand for if it writes the cell, else None."""
    if update.array != cell[0]:
        return None
    if not update.fresh:
        return env if all(place(v, env) == p for v, p in zip(update.index, cell[1], strict=True)) else None
    inner = {v: p for v, p in env.items() if v not in update.fresh}
    for variable, process in zip(update.index, cell[1], strict=True):
        known = -1 - variable if variable < 0 else inner.get(variable)
        if known is None:
            inner[variable] = process
        elif known != process:
            return None
    return inner


def place(variable: int, env: Environment) -> int:
    """The process that a variable stands for; those below 0 are processes that have names."""
    return -1 - variable if variable < 0 else env[variable]


@cache
def placements(processes: int, parameters: int, limit: int | None) -> tuple[tuple[tuple[int, ...], int], ...]:
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

    return tuple(choose((), processes))
