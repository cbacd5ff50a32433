"""Families of programs that the field measures with; each takes a number (or two) and returns a program's text."""

from __future__ import annotations

from collections.abc import Callable


def straight(threads: list[str], variables: list[str]) -> str:
    """XCFA text of straight-line threads: statements separated by `;`; what is loaded into becomes a local."""
    lines = [f"var {name} : int" for name in variables]
    for number, body in enumerate(threads):
        loads = dict.fromkeys(s.split("<-")[0].strip() for s in body.split(";") if "<-" in s)
        lines.append(f"process p{number} {{")
        lines += [f"  var {name} : int" for name in loads]
        lines.append(f"  init loc L0\n  final loc L1\n  L0 -> L1 {{ {body} }}\n}}")
    return "\n".join(lines)


def readers(n: int) -> str:
    """One write and n threads that read it: 2^n executions."""
    return straight(["1 -> x", *["a <- x"] * n], ["x"])


def late_writer(n: int) -> str:
    """readers(n) with the writer last, so that the reads are revisited: 2^n executions."""
    return straight([*["a <- x"] * n, "1 -> x"], ["x"])


def coherence(k: int) -> str:
    """One thread writes k values, another reads k times: binomial(2k, k) executions."""
    writes = "; ".join(f"{w + 1} -> x" for w in range(k))
    return straight([writes, "; ".join(f"a{r} <- x" for r in range(k))], ["x"])


def sb(n: int) -> str:
    """A ring of n store buffers: 2^n executions, one less under sc."""
    return straight([f"1 -> x{i}; a <- x{(i + 1) % n}" for i in range(n)], [f"x{i}" for i in range(n)])


def writers(threads: int, writes: int) -> str:
    """Threads that write one variable: (t m)! / m!^t executions."""
    return straight(["; ".join(f"{t * writes + w} -> x" for w in range(writes)) for t in range(threads)], ["x"])


def write_then_read(n: int) -> str:
    """n threads that write one variable and read it."""
    return straight([f"{t + 1} -> x; a <- x" for t in range(n)], ["x"])


def variables(n: int) -> str:
    """One writer and one reader for each of n variables: 2^n executions."""
    names = [f"x{i}" for i in range(n)]
    return straight([t for name in names for t in (f"1 -> {name}", f"a <- {name}")], names)


FAMILIES: dict[str, Callable[..., str]] = {
    f.__name__: f for f in (readers, late_writer, coherence, sb, writers, write_then_read, variables)
}
