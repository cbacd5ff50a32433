"""The same program in several languages has the same executions: what each frontend makes of updates, and of what
depends on what they read, compared by exact numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import zip_longest
from random import Random

import pytest

import xgen
from tests.litmus.reading import read
from xgen.analyses.suite.litmus import LitmusResult, run_litmus


@dataclass(frozen=True)
class Kind:
    """A statement, with {v} for a location, {l} for a local and {e} for an expression; in assembly, for registers."""

    native: str
    xcfa: str


AARCH64 = (
    Kind("LDR {l},[{v}]", "{l} <- {v};"),
    Kind("LDAR {l},[{v}]", "{l} <- {v} @ acquire;"),
    Kind("STR {e},[{v}]", "{e} -> {v};"),
    Kind("STLR {e},[{v}]", "{e} -> {v} @ release;"),
    Kind("LDADD {e},{l},[{v}]", "{l} <- fetch_add({v}, {e});"),
    Kind("LDADDA {e},{l},[{v}]", "{l} <- fetch_add({v}, {e}) @ R[acquire];"),
    Kind("STADD {e},[{v}]", "fetch_add({v}, {e}) @ R[noret];"),
    Kind("SWP {e},{l},[{v}]", "{l} <- exchange({v}, {e});"),
    Kind("SWPL {e},{l},[{v}]", "{l} <- exchange({v}, {e}) @ W[release];"),
    Kind("DMB SY", "fence dmb.sy;"),
    Kind("DMB LD", "fence dmb.ld;"),
)
KERNEL = (
    Kind("{l} = READ_ONCE(*{v});", "{l} <- {v} @ once;"),
    Kind("WRITE_ONCE(*{v}, {e});", "{e} -> {v} @ once;"),
    Kind("smp_store_release({v}, {e});", "{e} -> {v} @ release;"),
    Kind("{l} = atomic_fetch_add_relaxed({e}, {v});", "{l} <- fetch_add({v}, {e}) @ once;"),
    Kind("{l} = atomic_fetch_add_acquire({e}, {v});", "{l} <- fetch_add({v}, {e}) @ R[acquire] @ W[once];"),
    Kind("atomic_add({e}, {v});", "fetch_add({v}, {e}) @ R[noreturn] @ W[once];"),
    Kind("{l} = xchg_relaxed({v}, {e});", "{l} <- exchange({v}, {e}) @ once;"),
    Kind("{l} = cmpxchg_release({v}, {e}, 2);", "{l} <- cas({v}, {e}, 2) @ R[once] @ W[release];"),
    Kind("smp_mb();", "fence mb;"),
    Kind("smp_wmb();", "fence wmb;"),
)


@dataclass
class Thread:
    """The lines of a thread in its own language, its statements in XCFA, and the locals that it has assigned to."""

    lines: list[str]
    statements: list[str]
    assigned: list[int]


def random_thread(rng: Random, kinds: tuple[Kind, ...], assembly: bool) -> Thread:
    """Two to four statements; what they write is a constant, or also depends on what was read before."""
    thread = Thread([], [], [])
    for number in range(rng.randint(2, 4)):
        kind, place, constant = rng.choice(kinds), rng.choice("xy"), rng.choice((1, 2))
        native, xcfa = (f"X{9 + constant}" if assembly else str(constant)), str(constant)
        if thread.assigned and "{e}" in kind.native and rng.random() < 0.6:
            used = rng.choice(thread.assigned)
            xcfa = f"((r{used} bitxor r{used}) + {constant})"
            native = f"(r{used} ^ r{used}) + {constant}"
            if assembly:
                thread.lines += [f"EOR X12,X{used},X{used}", f"ADD X12,X12,#{constant}"]
                native = "X12"
        local = f"X{number}" if assembly else f"r{number}"
        at = {"x": "X20", "y": "X21"}[place] if assembly else place
        thread.lines.append(kind.native.format(v=at, l=local, e=native))
        thread.statements.append(kind.xcfa.format(v=place, l=f"r{number}", e=xcfa))
        if "{l}" in kind.native:
            thread.assigned.append(number)
    return thread


def in_xcfa(threads: list[Thread], model: xgen.Model) -> Counter[frozenset[tuple[str, object]]]:
    """How many executions have which final values."""
    locals_ = "".join(f"var r{n} : int " for n in range(4))
    processes = [f"process P{n} {{ {locals_} {' '.join(t.statements)} }}" for n, t in enumerate(threads)]
    program = xgen.parse("\n".join(["var x : int  var y : int", *processes]))
    found: Counter[frozenset[tuple[str, object]]] = Counter()
    for outcome in xgen.check(program, model, all_states=True).outcomes:
        locals_of = {f"{n}:{k}": outcome.state[f"P{n}:r{k}"] for n, t in enumerate(threads) for k in t.assigned}
        found[frozenset({**locals_of, "x": outcome.state["x"], "y": outcome.state["y"]}.items())] += outcome.count
    return found


def in_litmus(result: LitmusResult) -> Counter[frozenset[tuple[str, object]]]:
    found: Counter[frozenset[tuple[str, object]]] = Counter()
    for state, count in result.states:
        values = [item.strip().split("=") for item in state.rstrip("; ").split(";")]
        found[frozenset((name.strip("[]").replace("X", "").replace("r", ""), int(v)) for name, v in values)] += count
    return found


def shown(threads: list[Thread], register: str) -> str:
    """What a test lists of the final states."""
    registers = "".join(f"{n}:{register}{k}; " for n, t in enumerate(threads) for k in t.assigned)
    return f"locations [{registers}[x]; [y];]\nexists ([x]=7)"


@pytest.mark.parametrize("seed", range(60))
def test_aarch64(seed: int) -> None:
    rng = Random(f"aarch64 {seed}")
    threads = [random_thread(rng, AARCH64, assembly=True) for _ in range(2)]
    init = "".join(f"{n}:X20=x; {n}:X21=y; {n}:X10=1; {n}:X11=2; " for n in range(2))
    columns = [[f"P{n}", *thread.lines] for n, thread in enumerate(threads)]
    rows = "".join(f"{a} | {b} ;\n" for a, b in zip_longest(*columns, fillvalue=""))
    model = xgen.model("arm8")
    result = run_litmus(read(f"AArch64 T\n{{ {init} }}\n{rows}{shown(threads, 'X')}"), model)
    assert in_litmus(result) == in_xcfa(threads, model)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(60))
def test_the_kernel(seed: int) -> None:
    rng = Random(f"kernel {seed}")
    threads = [random_thread(rng, KERNEL, assembly=False) for _ in range(2)]
    functions = [
        f"P{n}(atomic_t *x, atomic_t *y) {{ int r0; int r1; int r2; int r3; {' '.join(thread.lines)} }}"
        for n, thread in enumerate(threads)
    ]
    model = xgen.model("lkmm")
    result = run_litmus(read("\n".join(["C T", "{ }", *functions, shown(threads, "r")])), model)
    assert in_litmus(result) == in_xcfa(threads, model)
