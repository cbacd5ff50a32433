"""Random small systems as .cub texts: shapes that nobody would write, and what few people think of."""

from __future__ import annotations

from random import Random

TYPES = {"place": ("A", "B", "C"), "bool": ("False", "True"), "int": ("0", "1", "2"), "proc": ()}


class Maker:
    """Makes one text. `weak`: regular cells are accessed by the process that acts only."""

    def __init__(self, random: Random, weak: bool) -> None:
        self.random = random
        self.weak = weak
        self.regular = [("At", "place", 1)]
        if random.random() < 0.4:
            self.regular.append(("Mine", random.choice(["int", "bool", "proc"]), 1))
        if random.random() < 0.25:
            self.regular.append(("Row", "bool", 2))
        if not weak and random.random() < 0.5:
            self.regular.append(("Var", random.choice(list(TYPES)), 0))
        self.shared = [self._shared(name) for name in ("X", "Y", "Z")[: random.randint(1, 3)]] if weak else []
        self.constants = [("Role", "place", 1)] if random.random() < 0.2 else []
        self.ordered = random.random() < 0.15

    def _shared(self, name: str) -> tuple[str, str, int]:
        arity = self.random.choices((0, 1, 2), (4, 4, 1))[0]
        return name, self.random.choice(["bool", "bool", "place", "int", "proc"]), arity

    def text(self) -> str:
        """The whole text."""
        random = self.random
        lines = ["type place = A | B | C"]
        for word, cells in (("", self.regular), ("weak ", self.shared), ("const ", self.constants)):
            for name, type_, arity in cells:
                kind = "" if word == "const " else "array " if arity else "var "
                index = f"[{', '.join(['proc'] * arity)}]" if arity else ""
                lines.append(f"{word}{kind}{name}{index} : {type_}")
        first = [
            f"{self._cell(cell, ['p', 'q'])} = {TYPES[cell[1]][0]}"
            for cell in (*self.regular, *self.shared)
            if TYPES[cell[1]] and random.random() < 0.93
        ]
        lines.append(f"init (p q) {{ {' && '.join(first) or 'true'} }}")
        for _ in range(random.choice((1, 1, 1, 2))):
            lines.append(self._unsafe())
        lines += [self._transition(n) for n in range(random.randint(2, 5))]
        return "\n".join(lines) + "\n"

    def _cell(self, cell: tuple[str, str, int], names: list[str]) -> str:
        name, _, arity = cell
        return f"{name}[{', '.join(names[:arity])}]" if arity else name

    def _unsafe(self) -> str:
        random = self.random
        names = ["p", "q", "r"][: random.choice((1, 2, 2, 3))]
        literals = [f"At[{name}] = {random.choice('BC')}" for name in names if random.random() < 0.9]
        if random.random() < 0.4:
            cell = random.choice([*self.regular, *self.shared, *self.constants])
            reader = random.choice(names)
            index = random.choices(names, k=2)
            shown = self._cell(cell, index)
            relation = random.choice(("=", "<>"))
            value = random.choice(TYPES[cell[1]]) if TYPES[cell[1]] else random.choice(names)
            literals.append(f"{f'{reader} @ ' if cell in self.shared else ''}{shown} {relation} {value}")
        return f"unsafe ({' '.join(names)}) {{ {' && '.join(literals) or 'true'} }}"

    def _value(self, type_: str, names: list[str]) -> str:
        return self.random.choice(TYPES[type_] or tuple(names))

    def _literal(self, names: list[str], actor: str) -> str:
        random = self.random
        cell = random.choice([*self.regular, *self.shared, *self.shared, *self.constants])
        index = random.choices(names, k=2)
        if self.weak and cell in self.regular:
            index[0] = actor
        other = [c for c in (*self.regular, *self.shared) if c[1] == cell[1] and c[2] == cell[2] and c is not cell]
        relation = random.choice(("=", "=", "<>"))
        if cell[1] == "int" and random.random() < 0.3:
            relation = random.choice(("<", ">="))
        if other and random.random() < 0.2:
            far = [actor, random.choice(names)]
            return f"{self._cell(cell, index)} {relation} {self._cell(random.choice(other), far)}"
        return f"{self._cell(cell, index)} {relation} {self._value(cell[1], names)}"

    def _transition(self, number: int) -> str:
        random = self.random
        names = ["p", "q"][: random.choice((1, 1, 1, 2))]
        guard = [f"At[p] {random.choice(('=', '=', '<>'))} {random.choice('ABC')}"]
        guard += [self._literal(names, "p") for _ in range(random.choice((0, 1, 1, 2)))]
        if random.random() < 0.2:
            guard.append("fence()")
        if random.random() < 0.1 and len(names) == 2 and self.ordered:
            guard.append("p < q")
        if random.random() < 0.25:
            guard.append(f"(forall_other o. {self._other()})")
        if random.random() < 0.1 and self.shared:
            guard.append(f"(exists_other o. {self._other()})")
        updates = [f"At[p] := {random.choice('ABC')}"]
        for cell in random.sample(
            [*self.regular[1:], *self.shared], k=random.choice((0, 1, 1, 1, 2)) % (len(self.regular) + len(self.shared))
        ):
            updates.append(self._update(cell, names))
        head = f"transition t{number} ([p]{' q' if len(names) > 1 else ''})"
        return f"{head}\nrequires {{ {' && '.join(guard)} }}\n{{ {'; '.join(updates)} }}"

    def _other(self) -> str:
        random = self.random
        cells = self.shared if self.weak else [*self.regular, *self.shared]
        cells = [*cells, *self.constants]
        cell = random.choice(cells)
        value = self._value(cell[1], ["p", "o"])
        if self.ordered and random.random() < 0.5:
            return f"({random.choice(('p < o', 'o < p'))} || {self._cell(cell, ['o', 'p'])} = {value})"
        shown = self._cell(cell, random.choice((["o", "p"], ["o", "o"])))
        return f"{shown} {random.choice(('=', '<>'))} {value}"

    def _update(self, cell: tuple[str, str, int], names: list[str]) -> str:
        random = self.random
        _, type_, arity = cell
        index = ["p", random.choice(names)]
        if not (self.weak and cell in self.regular):
            index = random.choices(names, k=2)
        target = self._cell(cell, index)
        if random.random() < 0.04:
            return f"{target} := ."
        if arity and random.random() < 0.2 and not (self.weak and cell in self.regular):
            target = self._cell(cell, ["j", random.choice(names)])
            kept = target if random.random() < 0.5 else self._value(type_, names)
            return f"{target} := case | j = p : {self._value(type_, names)} | _ : {kept}"
        if type_ == "int" and random.random() < 0.3:
            return f"{target} := {target} + 1"
        if random.random() < 0.15:
            same = [c for c in (*self.regular, *self.shared) if c[1] == type_]
            return f"{target} := {self._cell(random.choice(same), ['p', random.choice(names)])}"
        return f"{target} := {self._value(type_, names)}"


def random_system(seed: int, weak: bool) -> str:
    """A text by its number."""
    return Maker(Random(seed), weak).text()
