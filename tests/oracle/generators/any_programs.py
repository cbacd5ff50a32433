"""Random programs with any number of processes, and what they are with as many as one says."""

from __future__ import annotations

import re
from random import Random

LOCATIONS = "ABCD"


def instances(text: str, number: int) -> str:
    """The program with so many copies of its process, each with its number."""
    head, body = text.split("process p[*]", 1)
    body = body[body.index("{") :]
    copies = [f"process p{k} " + re.sub(r"\bme\b", str(k), body) for k in range(number)]
    return head.replace("[*]", f"[{number}]") + "".join(copies)


class Maker:
    """Makes one program."""

    def __init__(self, seed: int) -> None:
        self.random = random = Random(seed)
        self.me = random.random() < 0.6
        self.array = self.me and random.random() < 0.5
        self.owner = self.me and random.random() < 0.5

    def text(self) -> str:
        """The text of it; something can go wrong in it."""
        random = self.random
        shared = ["x : bool", "y : int", *["f : bool[*]"] * self.array, *["o : int"] * self.owner]
        lines = [f"var {name}" for name in shared]
        lines += [f"process p[*]{'(me)' if self.me else ''} {{", "  var b : bool", "  var n : int"]
        lines += ["  var w : int"] * self.owner
        lines += [f"  {'init ' if name == 'A' else ''}loc {name}" for name in LOCATIONS] + ["  error loc E"]
        for number in range(random.randint(3, 6)):
            ends = LOCATIONS[number : number + 2] if number < 3 else random.choices(LOCATIONS, k=2)
            lines.append(f"  {ends[0]} -> {ends[1]} {{ {'; '.join(self._edge())} }}")
        lines.append(f"  {random.choice(LOCATIONS)} -> E {{ assume {self._condition()} }}")
        return "\n".join([*lines, "}", ""])

    def _edge(self) -> list[str]:
        random = self.random
        body = [f"assume {self._condition()}"] * (random.random() < 0.4)
        body += [self._statement() for _ in range(random.randint(1, 3))]
        for word, chance in (("assume", 0.2), ("assert", 0.3)):
            if random.random() < chance:
                body.insert(random.randint(0, len(body)), f"{word} {self._condition()}")
        return body

    def _condition(self) -> str:
        choice = self.random.choice
        return choice(
            [
                *("b", "not b", f"b iff n = {choice('01')}", f"not (b or n = {choice('012')})"),
                *(f"n {choice(['=', '/=', '<', '>='])} {choice('012')}", f"b and n /= {choice('012')}"),
                *(["w = me", "w /= me"] if self.owner else []),
            ]
        )

    def _statement(self) -> str:
        choice = self.random.choice
        truth = choice(["true", "false", "b", "not b"])
        number = choice(["0", "1", "2", "n", "if b then 1 else n", "if n = 1 then 0 else 2"])
        cas = choice([f"n <- cas(y, {choice('01')}, {choice('12')})", "b <- cas(x, false, true)", "cas(y, n, 1)"])
        own = ["me -> o", "w <- o", "w := me", "w <- exchange(o, me)"] if self.owner else ["skip"]
        cell = ["true -> f[me]", "b <- f[me]", "b <- exchange(f[me], true)"] if self.array else ["skip"]
        return choice(
            [
                *(f"{truth} -> x", f"{truth} -> x", "b <- x", "b <- x", f"{number} -> y", "n <- y", "n <- y"),
                *(f"b <- exchange(x, {truth})", cas, "fence", f"b := {choice(['n = 0', 'not b', 'b and n /= 1'])}"),
                *(f"n := {number}", choice(own), choice(cell), f"havoc {choice(['b', 'n in 0 .. 1'])}"),
            ]
        )
