"""Table 6.1 of the thesis (Bajczi 2020): do fences under weak forbid what C11's orderings forbid?

    python benchmarks/mapping.py > results/mapping.csv

Classic shapes with one ordering for all writes and one for all reads. `rc11` says whether the shape's weak outcome is
possible with the orderings, `weak` whether it is with the fences of the table. A mapping is right where nothing
that rc11 forbids is possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from chapter import READS, WRITES, ordered
from harness import write

import xgen

SHAPES: dict[str, tuple[list[list[str]], dict[str, int]]] = {
    "MP": ([["1 -> x", "1 -> y"], ["a <- y", "b <- x"]], {"p1:a": 1, "p1:b": 0}),
    "SB": ([["1 -> x", "a <- y"], ["1 -> y", "a <- x"]], {"p0:a": 0, "p1:a": 0}),
    "LB": ([["a <- x", "1 -> y"], ["a <- y", "1 -> x"]], {"p0:a": 1, "p1:a": 1}),
    "S": ([["2 -> x", "1 -> y"], ["a <- y", "1 -> x"]], {"p1:a": 1, "x": 2}),
    "R": ([["1 -> x", "1 -> y"], ["2 -> y", "a <- x"]], {"p1:a": 0, "y": 2}),
    "2+2W": ([["1 -> x", "2 -> y"], ["1 -> y", "2 -> x"]], {"x": 1, "y": 1}),
    "CoRR": ([["1 -> x"], ["a <- x", "b <- x"]], {"p1:a": 1, "p1:b": 0}),
    "IRIW": (
        [["1 -> x"], ["a <- x", "b <- y"], ["1 -> y"], ["a <- y", "b <- x"]],
        {"p1:a": 1, "p1:b": 0, "p3:a": 1, "p3:b": 0},
    ),
    "WRC": ([["1 -> x"], ["a <- x", "1 -> y"], ["a <- y", "b <- x"]], {"p1:a": 1, "p2:a": 1, "p2:b": 0}),
}
"""Threads, and the outcome that weak memory may show."""
FIELDS = ("shape", "write", "read", "rc11", "weak", "right")


def program(threads: list[list[str]], written: str, read: str, fences: bool) -> xgen.Program:
    """A shape with orderings, or with the fences that stand for them."""
    lines = ["var x : int\nvar y : int"]
    for number, statements in enumerate(threads):
        names = [name for name in ("a", "b") if any(s.startswith(f"{name} <-") for s in statements)]
        orders = [written if "->" in statement else read for statement in statements]
        told = [ordered(s, o) if fences else f"{s} @ {o}" for s, o in zip(statements, orders, strict=True)]
        head = " ".join(f"var {name} : int" for name in names)
        lines.append(f"process p{number} {{ {head} init loc L0 final loc L1 L0 -> L1 {{ {'; '.join(told)} }} }}")
    return xgen.parse("\n".join(lines))


def possible(asked: xgen.Program, model: str, outcome: dict[str, int]) -> str:
    """Whether an execution ends so."""
    states = [found.state for found in xgen.check(asked, xgen.model(model), all_states=True).outcomes]
    return "yes" if any(all(state[name] == value for name, value in outcome.items()) for state in states) else "no"


def rows() -> Iterator[dict[str, object]]:
    """All shapes with all orderings."""
    for (shape, (threads, outcome)), written, read in product(SHAPES.items(), WRITES, READS):
        meant = possible(program(threads, written, read, fences=False), "rc11", outcome)
        mapped = possible(program(threads, written, read, fences=True), "weak", outcome)
        right = "no" if (meant, mapped) == ("no", "yes") else "yes"
        yield {"shape": shape, "write": written, "read": read, "rc11": meant, "weak": mapped, "right": right}


if __name__ == "__main__":
    write(FIELDS, rows())
