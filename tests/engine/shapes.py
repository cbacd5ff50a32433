"""The classic shapes as programs, and the families that grow with a number."""

from __future__ import annotations

import xgen
from xgen import Program


def program(*threads: str, variables: str = "x y z") -> Program:
    """A program of straight-line threads; locals are what is loaded into, statements are separated by `;`."""
    lines = [f"var {name} : int" for name in variables.split()]
    for number, thread in enumerate(threads):
        names = sorted({s.split("<-")[0].strip() for s in thread.split(";") if "<-" in s})
        lines.append(f"process p{number} {{")
        lines += [f"  var {name} : int" for name in names]
        lines.append(f"  init loc L0\n  final loc L1\n  L0 -> L1 {{ {thread} }}\n}}")
    return xgen.parse("\n".join(lines))


SHAPES = {
    "SB": program("1 -> x; a <- y", "1 -> y; b <- x"),
    "SB+fences": program("1 -> x; fence mfence; a <- y", "1 -> y; fence mfence; b <- x"),
    "MP": program("1 -> x; 1 -> y", "a <- y; b <- x"),
    "MP+fences": program("1 -> x; fence mfence; 1 -> y", "a <- y; fence mfence; b <- x"),
    "LB": program("a <- x; 1 -> y", "b <- y; 1 -> x"),
    "2+2W": program("1 -> x; 2 -> y", "1 -> y; 2 -> x"),
    "S": program("2 -> x; 1 -> y", "a <- y; 1 -> x"),
    "R": program("1 -> x; 1 -> y", "2 -> y; a <- x"),
    "WRC": program("1 -> x", "a <- x; 1 -> y", "b <- y; c <- x"),
    "IRIW": program("1 -> x", "1 -> y", "a <- x; b <- y", "c <- y; d <- x"),
    "CoRR": program("1 -> x", "a <- x; b <- x"),
    "CoWR": program("1 -> x; a <- x", "2 -> x"),
    "CoWW": program("1 -> x; 2 -> x"),
}

BRANCHING = xgen.parse("""
var x : int
var y : int
process p0 { var a : int  init loc L0  loc L1  final loc L2
  L0 -> L1 { a <- x }  L1 -> L2 { assume a = 0; 1 -> y }  L1 -> L2 { assume a > 0; a + 1 -> y; a <- y } }
process p1 { var b : int  init loc L0  loc L1  final loc L2
  L0 -> L1 { havoc b in 0 .. 2 }  L1 -> L2 { assume b > 0; b -> x }  L1 -> L2 { assume b = 0; b <- y; assume b = 0 } }
process p2 { var c : int  init loc L0  final loc L1  L0 -> L1 { c <- y; assume c /= 1; 3 -> x } }
""")
"""Branches, choices and threads that block."""
WAITING = xgen.parse("""
var x : int
var y : int
process p { var r : int init loc A final loc E A -> E { 1 -> x r <- y } }
process q { var r : int init loc A final loc E A -> E { 1 -> y r <- x 0 -> y } }
process w { var r : int init loc A loc B final loc E A -> B { r <- y } B -> A { assume r = 0 } B -> E { assume r = 1 } }
""")
"""Store buffering with a write that ends what a third thread waits for, or not."""


def readers(n: int) -> Program:
    """One writer and n readers of one variable: 2^n executions."""
    return program("1 -> x", *["a <- x"] * n, variables="x")


def late_writer(n: int) -> Program:
    """The same with the writer last: each read of 1 comes from a revisit."""
    return program(*["a <- x"] * n, "1 -> x", variables="x")


def writers(threads: int, writes: int) -> Program:
    """Threads that write one variable so many times each."""
    return program(*["; ".join(f"{t * writes + w} -> x" for w in range(writes)) for t in range(threads)], variables="x")


def coherence(k: int) -> Program:
    """k writes and, in another thread, k reads of one variable."""
    writes = "; ".join(f"{w + 1} -> x" for w in range(k))
    return program(writes, "; ".join(f"a{r} <- x" for r in range(k)), variables="x")


def store_buffers(n: int) -> Program:
    """A ring of n threads: each writes its variable and reads its neighbour's."""
    names = [f"x{i}" for i in range(n)]
    return program(*[f"1 -> x{i}; a <- x{(i + 1) % n}" for i in range(n)], variables=" ".join(names))
