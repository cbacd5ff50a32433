"""Gates as clauses. A literal is a number of the solver: not 0, negative where it is negated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

TRUE = 1
FALSE = -TRUE

Literal = int
Key = tuple[str | int, ...]


class Gates:
    """Gates, each of which is made once: what is known of their inputs is used, so that few become clauses.

    `add` takes a clause. `clauses` counts them, `top` is the last variable that there is.
    """

    def __init__(self, add: Callable[[list[Literal]], object]) -> None:
        self._add = add
        self._known: dict[Key, Literal] = {}
        self.top = TRUE
        self.clauses = 1
        add([TRUE])

    def clause(self, *literals: Literal) -> None:
        """One of these holds."""
        kept = {literal for literal in literals if literal != FALSE}
        if TRUE in kept or any(-literal in kept for literal in kept):
            return
        self.clauses += 1
        self._add(sorted(kept))

    def new(self) -> Literal:
        """One that nothing is known of."""
        self.top += 1
        return self.top

    def both(self, a: Literal, b: Literal) -> Literal:
        """Whether the two hold."""
        if a == FALSE or b == FALSE or a == -b:
            return FALSE
        if a in (TRUE, b):
            return b
        if b == TRUE:
            return a
        key = ("&", min(a, b), max(a, b))
        made = self._known.get(key)
        if made is None:
            made = self._known[key] = self.new()
            self.clause(-made, a)
            self.clause(-made, b)
            self.clause(made, -a, -b)
        return made

    def either(self, a: Literal, b: Literal) -> Literal:
        """Whether one of the two holds."""
        return -self.both(-a, -b)

    def all(self, literals: Iterable[Literal]) -> Literal:
        """Whether all hold."""
        kept = sorted({literal for literal in literals if literal != TRUE})
        if FALSE in kept or any(-literal in kept for literal in kept if literal < 0):
            return FALSE
        if len(kept) <= 2:
            return self.both(kept[0], kept[1]) if len(kept) == 2 else kept[0] if kept else TRUE
        key: Key = ("&", *kept)
        made = self._known.get(key)
        if made is None:
            made = self._known[key] = self.new()
            for literal in kept:
                self.clause(-made, literal)
            self.clause(made, *(-literal for literal in kept))
        return made

    def any(self, literals: Iterable[Literal]) -> Literal:
        """Whether one holds."""
        return -self.all(-literal for literal in literals)

    def xor(self, a: Literal, b: Literal) -> Literal:
        """Whether one of the two holds, and the other one does not."""
        for one, other in ((a, b), (b, a)):
            if abs(one) == TRUE:
                return -other if one == TRUE else other
        if abs(a) == abs(b):
            return FALSE if a == b else TRUE
        negated = (a < 0) != (b < 0)
        a, b = sorted((abs(a), abs(b)))
        key = ("^", a, b)
        made = self._known.get(key)
        if made is None:
            made = self._known[key] = self.new()
            self.clause(-made, a, b)
            self.clause(-made, -a, -b)
            self.clause(made, -a, b)
            self.clause(made, a, -b)
        return -made if negated else made

    def pick(self, condition: Literal, a: Literal, b: Literal) -> Literal:
        """The first one where the condition holds, else the second one."""
        if condition == TRUE or a == b:
            return a
        if condition == FALSE:
            return b
        if TRUE in (abs(a), abs(b)) or abs(a) == abs(b) or abs(condition) in (abs(a), abs(b)):
            return self.either(self.both(condition, a), self.both(-condition, b))
        if condition < 0:
            condition, a, b = -condition, b, a
        key = ("?", condition, a, b)
        made = self._known.get(key)
        if made is None:
            made = self._known[key] = self.new()
            self.clause(-condition, -a, made)
            self.clause(-condition, a, -made)
            self.clause(condition, -b, made)
            self.clause(condition, b, -made)
            self.clause(-a, -b, made)
            self.clause(a, b, -made)
        return made

    def same(self, a: Literal, b: Literal) -> None:
        """The two are the same from now on."""
        self.clause(-a, b)
        self.clause(a, -b)

    def at_most_one(self, literals: Sequence[Literal]) -> None:
        """No two of these hold."""
        if len(literals) <= 6:
            for k, a in enumerate(literals):
                for b in literals[k + 1 :]:
                    self.clause(-a, -b)
            return
        before = literals[0]
        for literal in literals[1:]:
            self.clause(-before, -literal)
            so_far = self.new()
            self.clause(-before, so_far)
            self.clause(-literal, so_far)
            before = so_far
