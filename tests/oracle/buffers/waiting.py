"""Threads that wait for ever under any model: all executions of programs in which each await is written out.

An await is passed at its first attempt (attempts that fail in vain change nothing), or fails `ROUNDS` times; then its
thread goes to an error location, which stands for "again and again". Some thread waits for ever where all threads have
come to such a place or to their ends, and all that the failed attempts read are last writes. The programs have no
loops; their executions are those of `oracle.enumerate`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple

from oracle.buffers.fair import SHAPES, Threads, Writer
from oracle.enumerate import INITIAL, Execution, Place, executions
from oracle.expressions import Binary, Const, Expr, Local
from oracle.programs import Assume, Block, Choice, Fence, Goto, If, Load, Program, Statement, Store, Thread, Variable
from xgen.memory.algebra import Model
from xgen.memory.statics.base_order import load_buffering

ROUNDS = 3


class Act(NamedTuple):
    """`store` of a value, `fence`, `report`: a load, and a store to another variable if it sees `value`; `wait`."""

    op: Literal["store", "fence", "report", "wait"]
    variable: str = ""
    value: int = 0
    other: str = ""
    stored: int = 0


Acts = tuple[tuple[Act, ...], ...]


def random_acts(rng: Random) -> Acts:
    """Two or three threads over two or three variables, one await at least."""
    while True:
        threads = tuple(tuple(_act(rng) for _ in range(rng.choice((2, 2, 3)))) for _ in range(rng.choice((2, 2, 3))))
        acts = [act for thread in threads for act in thread]
        if len(acts) <= 7 and 1 <= sum(act.op == "wait" for act in acts) <= 3 and any(a.op == "store" for a in acts):
            return threads


def random_race(rng: Random) -> Acts:
    """Two threads race and report what they see; a third one waits for a report, or for what may be the last write.

    Awaits among the race's own reads are passed in some executions only.
    """
    threads: list[tuple[Act, ...]] = []
    for number, accesses in enumerate(rng.choice(list(SHAPES.values()))):
        acts: list[Act] = []
        for place, access in enumerate(accesses.split()):
            if place and rng.random() < 0.2:
                acts.append(Act("fence"))
            if access[0] == "W":
                acts.append(Act("store", access[1], number + 1))
            elif rng.random() < 0.3:
                acts.append(Act("wait", access[1], 2 - number))
            else:
                acts.append(Act("report", access[1], rng.choice((0, 2 - number)), "z", 1))
        threads.append(tuple(acts))
    reports = any(act.op == "report" for thread in threads for act in thread)
    wanted = Act("wait", "z", 1) if reports else Act("wait", rng.choice("xy"), rng.choice((1, 2)))
    return (*threads, (wanted,))


def _act(rng: Random) -> Act:
    op: Literal["store", "fence", "report", "wait"]
    op = rng.choice(("store", "store", "store", "wait", "wait", "report", "report", "fence"))
    return Act(op, rng.choice("xy"), rng.choice((0, 1, 1, 2)), rng.choice("xyz"), rng.choice((1, 2)))


def to_threads(acts: Acts) -> Threads:
    """The program with its loops."""
    threads = []
    for thread in acts:
        writer = Writer()
        for act in thread:
            if act.op == "store":
                writer.store(act.variable, act.value)
            elif act.op == "fence":
                writer.fence()
            elif act.op == "wait":
                writer.wait((act.variable, act.value))
            else:
                writer.store_if(writer.load(act.variable), act.value, act.other, act.stored)
        threads.append(tuple(writer.steps))
    return tuple(threads)


def hangs(acts: Acts, model: Model, tag: str = "") -> bool:
    """Whether the model allows an execution in which some thread waits for ever, and no other can go on."""
    program = _program(acts, tag or None)
    found = executions(program, model, None, load_buffering(model)[0], None)
    return any(_is_stuck(execution) for execution in found)


def _is_stuck(execution: Execution) -> bool:
    ends = [trace.end for trace in execution.threads]
    if "blocked" in ends or "error" not in ends:
        return False
    last: set[Place] = {order[-1] for order in execution.mo}
    written = {name for order in execution.mo for name in [_variable(execution, order[-1])]}
    origin = {read: write for write, read in execution.rf}
    for number, trace in enumerate(execution.threads):
        if trace.end != "error":
            continue
        for index in range(len(trace.events) - ROUNDS, len(trace.events)):
            source = origin[number, index]
            if source not in last and trace.events[index].variable in written:
                return False
    return True


def _variable(execution: Execution, place: Place) -> str | None:
    thread, index = place
    return str(index) if thread == INITIAL else execution.threads[thread].events[int(index)].variable


def _program(acts: Acts, tag: str | None) -> Program:
    shared = tuple(Variable(name) for name in sorted({n for t in acts for a in t for n in (a.variable, a.other) if n}))
    threads = tuple(
        Thread(f"p{number}", tuple(Variable(f"r{n}") for n in range(len(thread))), _block(thread, tag))
        for number, thread in enumerate(acts)
    )
    return Program(shared, threads)


def _block(thread: Sequence[Act], tag: str | None) -> Block:
    block: list[Statement] = []
    for number, act in enumerate(thread):
        local = f"r{number}"
        load, seen = Load(local, act.variable, tag), _is(local, act.value, "=")
        if act.op == "store":
            block.append(Store(act.variable, Const(act.value), tag))
        elif act.op == "fence":
            block.append(Fence())
        elif act.op == "report":
            block += [load, If(seen, (Store(act.other, Const(act.stored), tag),))]
        else:
            fails = Assume(_is(local, act.value, "/="))
            block.append(Choice(((load, Assume(seen)), (*(load, fails) * ROUNDS, Goto("error")))))
    return tuple(block)


def _is(local: str, value: int, comparison: Literal["=", "/="]) -> Expr:
    return Binary(comparison, Local(local), Const(value))
