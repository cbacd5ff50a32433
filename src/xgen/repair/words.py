"""Guards that a person can read: what tells one set of a process' views from another, in the language of protocols."""

from __future__ import annotations

import itertools
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from xgen.records import dataclass
from xgen.repair.guards import Cube, minimise
from xgen.repair.protocol import Protocol, Variable
from xgen.repair.space import Views

Column: TypeAlias = NDArray[np.int64]
MANY = 60
"""Pairs of variables that are compared, at most."""


@dataclass
class Feature:
    """Something that can be said of a view: a number from 0 on for each, and words for a set of these numbers."""

    numbers: Column
    size: int

    def words(self, values: frozenset[int]) -> str:
        """The condition that the number is one of some."""
        raise NotImplementedError


@dataclass
class _ValueOf(Feature):
    """What a variable is."""

    name: str
    variable: Variable

    def words(self, values: frozenset[int]) -> str:
        shown = [self.variable.shown(value) for value in self.variable.values]
        if self.variable.is_bool:
            return self.name if values == {1} else f"not {self.name}"
        rest = set(range(self.size)) - values
        if len(rest) == 1 and len(values) > 1:
            return f"{self.name} /= {shown[rest.pop()]}"
        parts = [f"{self.name} = {shown[value]}" for value in sorted(values)]
        return parts[0] if len(parts) == 1 else f"({' or '.join(parts)})"


@dataclass
class _Same(Feature):
    """Whether two variables are equal."""

    one: str
    other: str

    def words(self, values: frozenset[int]) -> str:
        return f"{self.one} {'=' if values == {1} else '/='} {self.other}"


@dataclass
class _Count(Feature):
    """How many of the other processes are so."""

    bound: str
    so: str
    not_so: str

    def words(self, values: frozenset[int]) -> str:
        most = self.size - 1
        each = f"in others: {self.so}"
        if values == {0}:
            return f"(all {self.bound} in others: {self.not_so})"
        if values == {most}:
            return f"(all {self.bound} {each})"
        if values == set(range(1, most + 1)):
            return f"(some {self.bound} {each})"
        if values == set(range(most)):
            return f"(some {self.bound} in others: {self.not_so})"
        count = f"count {self.bound} in others ({self.so})"
        first, last = min(values), max(values)
        if first == last:
            return f"{count} = {first}"
        if first == 0:
            return f"{count} <= {last}"
        return f"{count} >= {first}" if last == most else f"{count} >= {first} and {count} <= {last}"


class Speaker:
    """Says which views of a process are meant."""

    def __init__(self, protocol: Protocol, views: Views) -> None:
        self._protocol = protocol
        self._views = views
        self._rows = views.rows
        self.features = [*self._values(), *self._counts(), *self._sames(), *self._counts_of_same()]

    def guard(self, inside: Column, outside: Column) -> list[str]:
        """Conditions, one of which holds in each view of a set and none in the views outside it."""
        table = np.stack([feature.numbers for feature in self.features], axis=1)
        sizes = [feature.size for feature in self.features]
        ordered = [isinstance(feature, _Count) for feature in self.features]
        cubes = minimise(table[np.unique(inside)], table[np.unique(outside)], sizes, ordered)
        return [self._words(cube) for cube in cubes]

    def _words(self, cube: Cube) -> str:
        said = [
            feature.words(values)
            for feature, values in zip(self.features, cube, strict=True)
            if len(values) < feature.size
        ]
        return " and ".join(said) or "true"

    def name(self, variable: int) -> str:
        """A variable's name as the process writes it."""
        process = self._views.process
        return process.names[process.reads.index(variable)]

    @property
    def _counted(self) -> list[tuple[int, ...]]:
        """For each variable that is read of all others: those variables, if the processes are symmetric."""
        process = self._views.process
        return list(zip(*process.others, strict=True)) if process.symmetric and len(process.others) > 1 else []

    @property
    def _plain(self) -> list[int]:
        """The variables that are looked at one by one; the process' own come last, for they say most."""
        counted = {variable for variables in self._counted for variable in variables}
        process = self._views.process
        plain = [variable for variable in process.reads if variable not in counted]
        return sorted(plain, key=lambda variable: variable in process.own)

    @property
    def _bound(self) -> str:
        """A name for another process that means nothing else."""
        taken = set(self._protocol.constants) | {v.name.partition(".")[0] for v in self._protocol.variables}
        taken |= {block.name.text for block in self._protocol.blocks}
        taken |= {str(value) for v in self._protocol.variables for value in v.values}
        return next(name for name in ("k", "i", "m", "o", "other", "q", "the_other") if name not in taken)

    def _column(self, variable: int) -> Column:
        return self._rows[:, variable].astype(np.int64)

    def _values(self) -> list[Feature]:
        found: list[Feature] = []
        for variable in self._plain:
            known = self._protocol.variables[variable]
            found.append(_ValueOf(self._column(variable), len(known.values), self.name(variable), known))
        return found

    def _alike(self) -> list[tuple[int, int]]:
        """Pairs of variables that are looked at one by one and have values in common."""
        variables = self._protocol.variables
        plain = [variable for variable in reversed(self._plain) if not variables[variable].is_bool]
        pairs = [
            (one, other)
            for one, other in itertools.combinations(plain, 2)
            if set(variables[one].values) & set(variables[other].values)
        ]
        mine = [pair for pair in pairs if pair[0] in self._views.process.own]
        return pairs if len(pairs) <= MANY else mine[:MANY]

    def _sames(self) -> list[Feature]:
        return [
            _Same(self._equal(one, other).astype(np.int64), 2, self.name(one), self.name(other))
            for one, other in self._alike()
        ]

    def _equal(self, one: int, other: int) -> NDArray[np.bool_]:
        """In which views two variables are equal."""
        first, second = (self._protocol.variables[variable].values for variable in (one, other))
        common = {digit: second.index(value) for digit, value in enumerate(first) if value in second}
        wanted = np.array([common.get(digit, -1) for digit in range(len(first))])
        equal: NDArray[np.bool_] = wanted[self._column(one)] == self._column(other)
        return equal

    def _counts(self) -> list[Feature]:
        found: list[Feature] = []
        for variables in self._counted:
            known = self._protocol.variables[variables[0]]
            name = f"{known.name.partition('.')[0]}.{self._bound}"
            for digit, value in enumerate(known.values):
                numbers = sum((self._column(v) == digit).astype(np.int64) for v in variables)
                if known.is_bool:
                    so, not_so = (name, f"not {name}") if value else (f"not {name}", name)
                else:
                    so, not_so = f"{name} = {known.shown(value)}", f"{name} /= {known.shown(value)}"
                found.append(_Count(np.asarray(numbers), len(variables) + 1, self._bound, so, not_so))
        return found

    def _counts_of_same(self) -> list[Feature]:
        found: list[Feature] = []
        for variables in self._counted:
            known = self._protocol.variables[variables[0]]
            base = known.name.partition(".")[0]
            for one in self._plain:
                if one in self._views.process.own and self.name(one) == base:
                    numbers = sum(self._equal(one, v).astype(np.int64) for v in variables)
                    so, not_so = (f"{base}.{self._bound} {sign} {base}" for sign in ("=", "/="))
                    found.append(_Count(np.asarray(numbers), len(variables) + 1, self._bound, so, not_so))
        return found
