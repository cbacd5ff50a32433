"""All minimal sets of atoms that mend something, found together with what makes them necessary.

A set is unsafe if it does not mend; what is unsafe stays so when atoms are taken away. A set is safe if and only if it
meets the complement of every maximal unsafe set, its *cuts*, so the minimal safe sets are the minimal hitting sets of
the cuts (R. Reiter, A theory of diagnosis from first principles, Artificial Intelligence 32, 1987; M. Liffiton,
A. Previti, A. Malik, J. Marques-Silva, Fast, flexible MUS enumeration, Constraints 21, 2016). Both are found together:
a cheapest set that meets all cuts found so far is safe, and then minimal, or it is grown to a maximal unsafe set, which
gives the next cut. Sets are ints with a bit for each atom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count


def members(chosen: int) -> list[int]:
    """The numbers of a set's atoms."""
    return [n for n in range(chosen.bit_length()) if chosen >> n & 1]


class MinimalSets:
    """The minimal safe sets, the cheapest first, by iteration; at any time `cuts` has the cuts found so far.

    costs      of the atoms, at least 1 each
    is_unsafe  asked once about a set, and what it raises ends the search
    below      for each atom those that it contains, itself among them; sets have with an atom all of these
    monotone   whether less is never safer; else each set is made minimal by asking, and others may be missed
    is_shown   whether what is known already shows that a set is unsafe: asked first, and as often as it likes to be
    most       iteration ends where sets cost more; it may be set at any time
    """

    def __init__(
        self,
        costs: Sequence[int],
        is_unsafe: Callable[[int], bool],
        below: Sequence[int] | None = None,
        *,
        monotone: bool = True,
        is_shown: Callable[[int], bool] = lambda _: False,
    ) -> None:
        self.costs = costs
        self.below = below or [1 << n for n in range(len(costs))]
        self.monotone = monotone
        self.most: int | None = None
        self.everything = (1 << len(costs)) - 1
        self.above = [0] * len(costs)
        for atom, contained in enumerate(self.below):
            for other in members(contained):
                self.above[other] |= 1 << atom
        self.cuts: list[int] = []
        self._ask, self._is_shown = is_unsafe, is_shown
        self._safe: list[int] = []
        self._unsafe: list[int] = []
        self._asked: dict[int, bool] = {}

    def __iter__(self) -> Iterator[int]:
        if not self.ask(0):
            yield 0
            return
        if self.ask(self.everything):
            return
        found: list[int] = []
        queue, number = [(0, 0, 0, 0)], count(1)  # least cost, number, set, atoms that are left out
        while queue:
            cost, _, chosen, left_out = heappop(queue)
            least = self._least(chosen, left_out)
            if least is None or any(other & ~chosen == 0 for other in found):
                continue
            if least > cost:
                heappush(queue, (least, next(number), chosen, left_out))
                continue
            if self.most is not None and cost > self.most:
                return
            unmet = [cut & ~left_out for cut in self.cuts if not cut & chosen]
            if unmet:
                for atom in members(min(unmet, key=int.bit_count)):
                    if not self.below[atom] & left_out:
                        taken = chosen | self.below[atom]
                        heappush(queue, (max(cost, self.cost(taken)), next(number), taken, left_out))
                    left_out |= self.above[atom]
            elif self._is_unsafe(chosen) or (not self.monotone and self.ask(chosen)):
                self.cuts.append(self.everything & ~self._grown(chosen))
                heappush(queue, (cost, next(number), chosen, left_out))
            else:
                minimal = chosen if self.monotone else self._reduced(chosen)
                if minimal not in found:
                    found.append(minimal)
                    yield minimal

    def ask(self, chosen: int) -> bool:
        """Whether a set is unsafe; about each it is asked once."""
        if chosen not in self._asked:
            self._asked[chosen] = self._ask(chosen)
            (self._unsafe if self._asked[chosen] else self._safe).append(chosen)
        return self._asked[chosen]

    def cost(self, chosen: int) -> int:
        """What a set costs."""
        return sum(self.costs[n] for n in members(chosen))

    def tops(self, chosen: int) -> list[int]:
        """The atoms of a set that can be taken away."""
        return [n for n in members(chosen) if self.above[n] & chosen == 1 << n]

    def _shown(self, chosen: int) -> bool:
        if not self._is_shown(chosen):
            return False
        self._unsafe.append(chosen)
        return True

    def _is_unsafe(self, chosen: int) -> bool:
        """Whether a set is unsafe, by what was said of it or of one that has all of it, or of which it has all."""
        if any(chosen & ~other == 0 for other in self._unsafe):
            return True
        if any(other & ~chosen == 0 for other in self._safe):
            return False
        return self._shown(chosen) or self.ask(chosen)

    def _least(self, chosen: int, left_out: int) -> int | None:
        """What sets that have the chosen atoms, and none of those left out, cost at least; None: there are none."""
        cost, counted = self.cost(chosen), 0
        for cut in self.cuts:
            if cut & chosen:
                continue
            open_ = cut & ~left_out
            if not open_:
                return None
            if not cut & counted:
                counted |= cut
                cost += min(self.costs[atom] for atom in members(open_))
        return cost

    def _grown(self, chosen: int) -> int:
        """An unsafe set that contains an unsafe one, and much else: a maximal one, or as far as is shown already."""
        rest = members(self.everything & ~chosen)
        return self._grow(chosen, rest, self._shown if self._shown(chosen) else self._is_unsafe)

    def _grow(self, chosen: int, rest: list[int], is_unsafe: Callable[[int], bool]) -> int:
        """A largest unsafe set between an unsafe one and that with the rest; `rest` has weaker atoms first."""
        if not rest:
            return chosen
        grown = chosen
        for atom in rest:
            grown |= self.below[atom]
        if is_unsafe(grown):
            return grown
        if len(rest) == 1:
            return chosen
        half = len(rest) // 2
        chosen = self._grow(chosen, rest[:half], is_unsafe)
        # What is above an atom that is left out cannot be taken either.
        return self._grow(chosen, [a for a in rest[half:] if not chosen >> a & 1], is_unsafe)

    def _reduced(self, chosen: int) -> int:
        """A safe set without what it does not need."""
        for atom in self.tops(chosen):
            if not self.ask(chosen & ~(1 << atom)):
                return self._reduced(chosen & ~(1 << atom))
        return chosen
