"""What the names of a .cub text mean, and the errors where they mean nothing."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from xgen.errors import Position, ProgramError, Source, UnsupportedError, nearest
from xgen.frontends.cub import syntax
from xgen.frontends.cub.syntax import Name
from xgen.records import dataclass
from xgen.systems.parameterised import BOOL, INT, PROC, REAL, Array, Kind, Term, Type

MAX_PROCESSES = 8
"""As many processes as the core has room for in a cube."""
MAX_VALUES = 64
"""The constructors of a type; the core keeps sets of them in 64 bits."""
MAX_ARITY = 2


@dataclass(frozen=True, slots=True)
class Typed:
    """A term and its type; the type of a number is None until it is known whether it is an int or a real."""

    term: Term
    type: Type | None
    fraction: Fraction | None = None


@dataclass
class Names:
    """The types, constructors, variables and predicates of a text. `values` leads to the type and the number."""

    source: Source
    types: dict[str, Type] = field(default_factory=lambda: {t.name: t for t in (BOOL, INT, REAL, PROC)})
    values: dict[str, tuple[Type, int]] = field(default_factory=lambda: {"False": (BOOL, 0), "True": (BOOL, 1)})
    arrays: list[Array] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    predicates: dict[str, syntax.Predicate] = field(default_factory=dict)
    processes: int | None = None
    fixed: int = 0
    ordered: Position | None = None

    def error(self, message: str, position: Position, hint: str | None = None) -> ProgramError:
        """What is wrong with the text at that place."""
        return ProgramError(message, self.source, position, hint)

    def unsupported(self, message: str, position: Position, hint: str | None = None) -> UnsupportedError:
        """What is understood there, but not supported."""
        return UnsupportedError(message, self.source, position, hint)

    def define(self, definition: syntax.Typedef) -> None:
        """Take in a type."""
        name = definition.name
        if name.text in self.types:
            raise self.error(f"there is a type `{name.text}` already", name.position)
        if len(definition.values) > MAX_VALUES:
            raise self.unsupported(f"a type has at most {MAX_VALUES} constructors", name.position)
        kind = Kind.ENUM if definition.values else Kind.ABSTRACT
        type_ = Type(name.text, kind, tuple(value.text for value in definition.values))
        self.types[name.text] = type_
        for number, value in enumerate(definition.values):
            if value.text in self.values:
                raise self.error(f"there is a constructor `{value.text}` already", value.position)
            self.values[value.text] = (type_, number)

    def declare(self, declaration: syntax.Declaration) -> None:
        """Take in a variable, an array or a constant."""
        name, kind = declaration.name, declaration.kind
        if name.text in self.numbers or name.text in self.values:
            raise self.error(f"there is a `{name.text}` already", name.position)
        if kind != "const" and bool(declaration.index) != (kind == "array"):
            wanted = "a variable is declared as `var X : t`, an array as `array X[proc] : t`"
            raise self.error(f"`{name.text}` is declared as `{kind}`", name.position, wanted)
        for index in declaration.index:
            if index.text != "proc":
                raise self.unsupported(f"arrays are indexed by proc, not by {index.text}", index.position)
        if len(declaration.index) > MAX_ARITY:
            raise self.unsupported(f"an array has at most {MAX_ARITY} indices", declaration.index[MAX_ARITY].position)
        if kind == "const" and declaration.weak:
            raise self.error("a constant is not weak: nobody writes it", name.position)
        type_ = self.types.get(declaration.type.text)
        if type_ is None:
            hint = nearest(declaration.type.text, self.types)
            raise self.error(f"there is no type `{declaration.type.text}`", declaration.type.position, hint)
        self.numbers[name.text] = len(self.arrays)
        arity = len(declaration.index)
        self.arrays.append(Array(name.text, type_, arity, declaration.weak, kind == "const", name.position))

    def array(self, name: Name, arity: int) -> tuple[int, Array]:
        """The array of that name, which has to have so many indices."""
        number = self.numbers.get(name.text)
        if number is None:
            hint = nearest(name.text, [*self.numbers, *self.values])
            raise self.error(f"there is no variable and no constructor `{name.text}`", name.position, hint)
        array = self.arrays[number]
        if array.arity != arity:
            expected = "no index" if not array.arity else f"{array.arity} index" + "es" * (array.arity > 1)
            raise self.error(f"`{name.text}` has {expected}, not {arity}", name.position)
        return number, array

    def fix(self, name: Name) -> int:
        """The number of the process `#k`: -k."""
        number = int(name.text[1:])
        if self.processes is None:
            hint = "the text begins with `number_procs N`"
            raise self.error(f"the process {name.text} needs a number of processes", name.position, hint)
        if number > self.processes:
            raise self.error(f"there are only {self.processes} processes", name.position)
        self.fixed = max(self.fixed, number)
        return -number
