"""The orders of a program in C, C++ or Rust, and a model that has to know them.

A model of a machine says what its instructions do, and of the orders of a language perhaps nothing: then compilers
have to make instructions of these, or what comes out is an answer about another program.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Literal

from xgen.errors import Position, UnsupportedError, listed
from xgen.memory.adapt import families
from xgen.memory.algebra import Model
from xgen.memory.statics.orders import ORDERS, knows
from xgen.memory.statics.vocabulary import known_tags, orders_any_fence
from xgen.program import automaton as xcfa
from xgen.program.automaton import Edge, Program, Statement
from xgen.program.rewrite import with_edges
from xgen.records import replace
from xgen.sources import RUST
from xgen.tags import ARCHITECTURES, FULL_FENCES, KERNEL, MACHINES, NO_MAP

AS_IT_IS = "C"
"""The target of a program whose text is taken as it stands, if the model knows its orders."""


def untranslated(program: Program) -> Literal["none"] | None:
    """What results say of the map: "none" where a text was asked about as it stands."""
    return NO_MAP if program.target == NO_MAP else None


def for_model(program: Program, model: Model) -> Program:
    """The program as it is for a model. Raises UnsupportedError for an order that the model does not know, of a part of
    the Linux kernel for a model that is not of the kernel.

    Where that is asked for (NO_MAP), such an order orders nothing, but locks are full fences.
    """
    if program.target == KERNEL and "once" not in known_tags(model):
        message = f"the model {model.name} does not know READ_ONCE, nor what else the kernel has"
        raise UnsupportedError(message, program.source, hint="--mcm lkmm does, which --kernel means")
    if program.target not in (AS_IT_IS, NO_MAP):
        return program
    unknown = [each for each in _orders(program) if not knows(model, each[0], each[1])]
    if not unknown and program.target == AS_IT_IS and families(model):
        message = f"the model {model.name} asks which threads are in a group, such as a block, of which C says nothing"
        raise UnsupportedError(message, program.source, hint="it is for tests and kernels of GPUs: docs/gpu.md")
    if not unknown:
        return program
    if program.target == NO_MAP:
        return _with_fences(program, model)
    order, kind, position = min(unknown, key=lambda each: each[2].spot(program.source))
    message = f"the model {model.name} does not know {_written(program, order, kind)}"
    raise UnsupportedError(message, program.source, position, options_meant(model))


def options_meant(model: Model) -> str:
    """The options that are meant."""
    machines = [f"--on {name}" for name, of in MACHINES.items() if of == model.name]
    if model.source.name.endswith(".cat"):
        of = ARCHITECTURES.get(model.source.text.partition(" ")[0])
        machines = [f"--map {name}" for name in of.targets] if of is not None else []
    compiled = f"{listed(machines, 'or')}: what compilers make of the program there; " if machines else ""
    return f"{compiled}--map none: the text as it stands, where such orders order nothing, and locks are full fences"


def _written(program: Program, order: str, kind: str) -> str:
    """An order, and of what it is one."""
    if order in ("lock", "unlock"):
        return f"`{order}`, the order of mutexes"
    what = {"R": "a read", "W": "a write", "F": "a fence"}[kind]
    if PurePath(program.source.name).suffix in RUST:
        return f"`{order}` (Ordering::{''.join(word.capitalize() for word in order.split('_'))[:7]}) of {what}"
    return f"`memory_order_{order}` of {what}"


def _orders(program: Program) -> Iterator[tuple[str, str, Position]]:
    """The orders of a program, each with the kind of events ("R", "W", "F") that bear it."""
    for process in program.processes:
        for procedure in process.procedures:
            for edge in procedure.edges:
                for statement in edge.statements:
                    for kind, tags in _tags(statement):
                        yield from ((tag, kind, statement.position) for tag in tags if tag in ORDERS)


def _tags(statement: Statement) -> Iterator[tuple[str, tuple[str | None, ...]]]:
    match statement:
        case xcfa.Load():
            yield "R", (statement.order, *statement.tags)
        case xcfa.Store() | xcfa.StoreExclusive():
            yield "W", (statement.order, *statement.tags)
        case xcfa.Rmw():
            yield "R", (*statement.orders, *statement.read_tags)
            if "lock" not in (*statement.orders, *statement.read_tags):
                yield "W", (*statement.orders[:1], *statement.write_tags)
        case xcfa.Fence():
            yield "F", (statement.tag, *statement.tags)
        case xcfa.Mutex("lock"):
            yield "R", ("lock",)
        case xcfa.Mutex():
            yield "W", ("unlock",)


def _with_fences(program: Program, model: Model) -> Program:
    """The program with full fences for mutexes, of a kind that the model names, if it takes no other for one."""
    tag = next((each for each in FULL_FENCES if each in known_tags(model)), None)
    if tag is None or orders_any_fence(model):  # those that mutexes have anyway
        return program

    def fenced(statement: Statement) -> tuple[Statement, ...]:
        fence = xcfa.Fence(tag, statement.position, inserted=True)
        borne = {order for _, tags in _tags(statement) for order in tags}
        return (*[fence] * ("unlock" in borne), statement, *[fence] * ("lock" in borne))

    def of(edge: Edge) -> Edge:
        return replace(edge, statements=tuple(one for each in edge.statements for one in fenced(each)))

    return with_edges(program, lambda edges: tuple(map(of, edges)))
