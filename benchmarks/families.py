"""The programs that are measured: families that the field uses, and the shipped programs with rounds and bounds.

A name says which: `readers(16)` is a family with its numbers, `dekker` a program in programs/, `dekker(3)` the same
with each process entering its critical section three times, `dekker(3):20` with at most 20 events per thread.

Each is XCFA text; other formats are made from it (formats.py). Accesses are relaxed, as in the programs that other
checkers are measured with.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path

import xgen
from xgen.errors import nearest
from xgen.program import automaton as xcfa
from xgen.program.printer import print_program

PROGRAMS = Path(__file__).parents[1] / "programs"


@dataclass(frozen=True)
class Instance:
    """A program to measure. `family` and `size` say where it stands in a plot, `depth` is the bound of --max-depth.

    `text` is XCFA, or C where `file` says which file it is.
    """

    name: str
    family: str
    size: int
    text: str
    depth: int | None = None
    file: str | None = None


def straight(threads: list[str], variables: list[str]) -> str:
    """XCFA text of straight-line threads: statements separated by `;`; what is loaded into becomes a local."""
    lines = [f"var {name} : int" for name in variables]
    for number, body in enumerate(threads):
        loads = dict.fromkeys(s.split("<-")[0].strip() for s in body.split(";") if "<-" in s)
        lines.append(f"process p{number} {{")
        lines += [f"  var {name} : int" for name in loads]
        relaxed = "; ".join(f"{statement.strip()} @ relaxed" for statement in body.split(";"))
        lines.append(f"  init loc L0\n  final loc L1\n  L0 -> L1 {{ {relaxed} }}\n}}")
    return "\n".join(lines)


def readers(n: int) -> str:
    """One write and n threads that read it: 2^n executions."""
    return straight(["1 -> x", *["a <- x"] * n], ["x"])


def wide(readers: int, writes: int) -> str:
    """One thread writes a variable m times, t threads read it once: (m + 1)^t executions."""
    return straight(["; ".join(f"{w + 1} -> x" for w in range(writes)), *["a <- x"] * readers], ["x"])


def loops(n: int) -> str:
    """One thread that writes in an endless loop, and n threads that read in one: without end but for a bound."""
    write, read = "a := a + 1; a -> x @ relaxed", "a <- x @ relaxed"
    threads = enumerate([write, *[read] * n])
    return "\n".join(
        ["var x : int", *(f"process p{i} {{ var a : int init loc L0 L0 -> L0 {{ {body} }} }}" for i, body in threads)]
    )


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


def fetch_add(n: int) -> str:
    """n threads that increment one counter: n! executions."""
    return straight(["a <- fetch_add(x, 1)"] * n, ["x"])


def cas_rotation(n: int) -> str:
    """n threads, the i-th tries to set x from i to i + 1.

    The first k succeed, the k-th fails with a value below k, each later one with one up to k: k (k + 1)^(n - k - 1)
    executions for each k below n, and one where all succeed.
    """
    return straight([f"a <- cas(x, {i}, {i + 1})" for i in range(n)], ["x"])


def writers(threads: int, writes: int) -> str:
    """Threads that write one variable: (t m)! / m!^t executions."""
    return straight(["; ".join(f"{t * writes + w + 1} -> x" for w in range(writes)) for t in range(threads)], ["x"])


def write_then_read(n: int) -> str:
    """n threads that write one variable and read it: n!^2 executions."""
    return straight([f"{t + 1} -> x; a <- x" for t in range(n)], ["x"])


def locked_counter(n: int) -> str:
    """n threads that take a lock and add one to a counter: n! executions, in which the values differ."""
    return _locked(n, "a <- c; a + 1 -> c")


def locked_data(n: int) -> str:
    """n threads that take a lock and write what nobody else does: n! executions, which no thread can tell apart."""
    return _locked(n, "1 -> d{t}")


def _locked(n: int, section: str) -> str:
    take = "S -> T { a <- cas(lock, 0, 1) } T -> S { assume a /= 0 }"
    shared = [f"var {name} : int" for name in ("lock", "c", *(f"d{t}" for t in range(n)))]
    processes = [
        f"process p{t} {{ var a : int init loc S loc T final loc E {take} "
        f"T -> E {{ assume a = 0; {section.format(t=t)}; 0 -> lock }} }}"
        for t in range(n)
    ]
    return "\n".join([*shared, *processes])


def variables(n: int) -> str:
    """One writer and one reader for each of n variables: 2^n executions."""
    names = [f"x{i}" for i in range(n)]
    return straight([t for name in names for t in (f"1 -> {name}", f"a <- {name}")], names)


def racing(threads: int, variables: int, events: int) -> str:
    """Threads that have so many events in all, and write and read the variables by turns, each starting at another."""
    names = [f"x{i}" for i in range(variables)]
    share = events // threads

    def body(thread: int) -> str:
        places = [names[(thread + i // 2) % variables] for i in range(share)]
        return "; ".join(f"{i + 1} -> {p}" if i % 2 == 0 else f"a{i} <- {p}" for i, p in enumerate(places))

    return straight([body(thread) for thread in range(threads)], names)


def private(k: int, events: int) -> str:
    """coherence(k) in threads that first write and read variables of their own; so many events in all."""
    own = events // 2 - k
    first = "; ".join(f"{i + 1} -> y0" if i % 2 == 0 else f"b{i} <- y0" for i in range(own))
    second = "; ".join(f"{i + 1} -> y1" if i % 2 == 0 else f"b{i} <- y1" for i in range(own))
    writes = "; ".join(f"{w + 1} -> x" for w in range(k))
    reads = "; ".join(f"a{r} <- x" for r in range(k))
    return straight([f"{first}; {writes}", f"{second}; {reads}"], ["x", "y0", "y1"])


def alone(n: int) -> str:
    """One thread that writes a variable n times and reads it after each write: one execution, a long one."""
    return straight(["; ".join(f"{i + 1} -> x; a <- x" for i in range(n))], ["x"])


def apart(n: int) -> str:
    """Two threads that write and read a variable of their own n times, and then one that both have: 4 executions."""
    bodies = [[*(f"{i + 1} -> y{t}; a <- y{t}" for i in range(n)), f"{t + 1} -> x; a <- x"] for t in range(2)]
    return straight(["; ".join(body) for body in bodies], ["x", "y0", "y1"])


FAMILIES: dict[str, Callable[..., str]] = {
    f.__name__: f
    for f in (
        readers, wide, loops, late_writer, coherence, sb, fetch_add, cas_rotation, writers, write_then_read, variables,
        racing, private, alone, apart, locked_counter, locked_data,
    )
}  # fmt: skip


def _location(process: xcfa.Process, kind: str) -> str:
    """The name of the first location of a kind. Raises ValueError where there is none."""
    for location in process.locations:
        if location.kind == kind:
            return location.name
    raise ValueError(f"process `{process.name}` has no {kind} location of its own")


def in_rounds(program: xcfa.Program, rounds: int) -> xcfa.Program:
    """The program with processes that start again where they would end, until they have done all rounds."""
    return replace(program, processes=tuple(_in_rounds(process, rounds) for process in program.processes))


def _in_rounds(process: xcfa.Process, rounds: int) -> xcfa.Process:
    start, end = _location(process, "init"), _location(process, "final")
    count, left = xcfa.Name("round"), xcfa.Name("RoundEnded")
    add = xcfa.Assign(count, xcfa.Binary("+", count, xcfa.IntLiteral(1)))
    edges = [
        replace(edge, target=left, statements=(*edge.statements, add)) if edge.target.name == end else edge
        for edge in process.edges
    ]
    again = xcfa.Assume(xcfa.Binary("<", count, xcfa.IntLiteral(rounds)))
    done = xcfa.Assume(xcfa.Binary("=", count, xcfa.IntLiteral(rounds)))
    return replace(
        process,
        variables=(*process.variables, xcfa.Variable(count.name, xcfa.INT)),
        locations=(*process.locations, xcfa.Location(left.name)),
        edges=(*edges, xcfa.Edge(left, xcfa.Name(start), (again,)), xcfa.Edge(left, xcfa.Name(end), (done,))),
    )


def like_c(program: xcfa.Program) -> xcfa.Program:
    """The program with accesses that are relaxed where they say no order, and with locals that end as 0.

    So C's models do not call its accesses races; and executions of a loop that waits are not told apart by what it has
    read last, as they are not in C, where nobody sees the locals.
    """
    return replace(program, processes=tuple(map(_like_c, program.processes)))


def _like_c(process: xcfa.Process) -> xcfa.Process:
    end = _location(process, "final")
    forget = tuple(
        xcfa.Assign(xcfa.Name(v.name), xcfa.BoolLiteral(False) if v.type == xcfa.BOOL else xcfa.IntLiteral(0))
        for v in process.variables
    )
    edges = []
    for edge in process.edges:
        statements = tuple(map(_relaxed, edge.statements))
        edges.append(replace(edge, statements=statements + forget if edge.target.name == end else statements))
    return replace(process, edges=tuple(edges))


def _relaxed(statement: xcfa.Statement) -> xcfa.Statement:
    match statement:
        case xcfa.Load(order=None) | xcfa.Store(order=None):
            return replace(statement, order="relaxed")
        case xcfa.Rmw(orders=()):
            return replace(statement, orders=("relaxed",))
        case _:
            return statement


def instance(name: str) -> Instance:
    """What a name stands for, or the file of a C program. Raises ValueError if it is none, or if a family takes other
    numbers."""
    if name.endswith(".c"):
        file = Path(name) if Path(name).exists() else PROGRAMS / "c" / name
        if not file.exists():
            raise ValueError(f"`{name}` is no file, and none in {PROGRAMS.name}/c/")
        return Instance(name, file.stem, 1, file.read_text(), None, str(file.resolve()))
    match = re.fullmatch(r"(\w+)(?:\(([\d, ]+)\))?(?::(\d+))?", name)
    if match is None:
        raise ValueError(f"`{name}` is not a name like readers(16), dekker, dekker(3) or dekker(3):20")
    word, inner, bound = match.groups()
    numbers = [int(number) for number in (inner or "").split(",") if number]
    depth = int(bound) if bound else None
    if word in FAMILIES:
        takes = list(inspect.signature(FAMILIES[word]).parameters)
        if len(numbers) != len(takes) or 0 in numbers:
            raise ValueError(f"`{name}`: the family is {word}({', '.join(takes)}), with numbers from 1")
        return Instance(name, word, prod(numbers), FAMILIES[word](*numbers), depth)
    programs = [path.stem for path in PROGRAMS.glob("*.xcfa")]
    if word not in programs:
        hint = nearest(word, [*FAMILIES, *programs]) or f"the families are {', '.join(FAMILIES)}"
        raise ValueError(f"`{name}` is neither a family nor a program in {PROGRAMS.name}/; {hint}")
    if len(numbers) > 1 or 0 in numbers:
        raise ValueError(f"`{name}`: a program in {PROGRAMS.name}/ has one number, that of its rounds, from 1")
    rounds = numbers[0] if numbers else 1
    program = xgen.load(PROGRAMS / f"{word}.xcfa")
    text = print_program(like_c(in_rounds(program, rounds) if rounds > 1 else program))
    if depth is None:
        return Instance(name, f"{word}-rounds", rounds, text)
    return Instance(name, f"{word}-bound", depth, text, depth)
