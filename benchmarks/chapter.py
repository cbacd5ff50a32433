"""The programs that the thesis measures (Bajczi 2020, section 6.2.1), as XCFA.

Orderings are what table 6.1 there makes of them: fences around relaxed accesses. The criteria are those that the thesis
names; where one is `asserted`, executions that fail it are violations.
"""

from __future__ import annotations

from collections.abc import Sequence

BEFORE = {"release", "seq_cst"}
AFTER = {"acquire", "seq_cst"}
"""Table 6.1: the orderings with a fence before, and after, the access."""
READS = ("relaxed", "acquire", "seq_cst")
WRITES = ("relaxed", "release", "seq_cst")


def ordered(access: str, order: str) -> str:
    """An access with the fences that stand for its ordering."""
    return "; ".join(["fence"] * (order in BEFORE) + [access] + ["fence"] * (order in AFTER))


def program(threads: Sequence[tuple[Sequence[str], str]]) -> str:
    """XCFA of threads around one variable, each its locals and its body; a body in brackets is repeated for ever."""
    lines = ["var x : int"]
    for number, (names, body) in enumerate(threads):
        head = "".join(f" var {name} : int" for name in names)
        endless = body.startswith("[")
        edge = f"L0 -> L0 {{ {body[1:-1]} }}" if endless else f"final loc L1 L0 -> L1 {{ {body} }}"
        lines.append(f"process p{number} {{{head} init loc L0 {edge} }}")
    return "\n".join(lines)


def readers(n: int, read: str = "relaxed", write: str = "relaxed", asserted: bool = False) -> str:
    """One thread writes, n others read; the criterion: all read what was written."""
    criterion = "; assert a = 1" if asserted else ""
    return program([((), ordered("1 -> x", write)), *[(("a",), ordered("a <- x", read) + criterion)] * n])


def loop(n: int, asserted: bool = False) -> str:
    """One thread writes 1, 2, .. without end, n others read without end; the criterion: no reader skips a value."""
    criterion = "assert b <= a + 1; " if asserted else ""
    return program([(("a",), "[a := a + 1; a -> x]"), *[(("a", "b"), f"[b <- x; {criterion}a := b]")] * n])


def coherence(k: int, asserted: bool = False) -> str:
    """One thread writes k values, another reads k times; the criterion: at last it reads the highest."""
    names = [f"a{i}" for i in range(k)]
    criterion = f"; assert a{k - 1} = {k}" if asserted else ""
    writes, reads = "; ".join(f"{i + 1} -> x" for i in range(k)), "; ".join(f"{name} <- x" for name in names)
    return program([((), writes), (names, reads + criterion)])
