"""What a program's fences, tags and orders mean to a model that does not name them; what every command says of it.

What a fence means is found out by programs, not by the model's text.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from xgen._core import Op
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import executions as run_executions
from xgen.engine.problem import Problem, problem
from xgen.errors import Source, XgenError, listed
from xgen.memory.adapt import families
from xgen.memory.algebra import Model
from xgen.memory.statics.vocabulary import known_tags, mentioned_tags
from xgen.program import automaton as xcfa
from xgen.tags import ACCEPTED, FULL_FENCES, GROUPS, MACHINES, RARE, SYSTEM, names

if TYPE_CHECKING:
    from xgen.memory.statics.lint import Remark

# What a fence between two accesses can be for: two of one thread, then two of another, each of a variable and with the
# number that is written, or None where it is read.
SHAPES = {
    "store buffering": (("x", 1), ("y", None), ("y", 1), ("x", None)),
    "message passing": (("x", 1), ("y", 1), ("y", None), ("x", None)),
    "load buffering": (("x", None), ("y", 1), ("y", None), ("x", 1)),
    "two writes of each": (("x", 1), ("y", 2), ("y", 1), ("x", 2)),
}

INTERLEAVED = 3
"""Outcomes of each shape where threads take turns."""


FULL = frozenset(FULL_FENCES)
"""That a model takes one of these as a full fence is not worth a word."""
_OWN = frozenset(names("xgen"))
"""Tags that are xgen's, not the program's."""


def notes(of: Problem) -> Iterator[str]:
    """What one should know of a program under a model, a sentence each; some begin with `note: `.

    Where a model distinguishes tags, one that it does not name is likely a slip.
    """
    model = of.asked
    yield from of.program.remarks
    yield from _compiled(of.program.target, model.name)
    known = known_tags(model)
    present = {tag.partition(".")[0] for kind in of.code.classes for tag in kind.tags}
    missing = sorted(families(model) - present - {*RARE})
    if missing and not (present & families(model) and {*missing} <= {*SYSTEM}):  # most tests say nothing of the system
        named = listed([f"`{family}`" for family in missing], "and")
        yield f"the model {model.name} speaks of groups of events ({named}) that the program does not have"
    if known - {"init"}:
        used = {tag for i in of.code.classes if i.kind != "F" for tag in i.tags - _OWN if not tag.startswith(ACCEPTED)}
        used = {tag for tag in used if tag.partition(".")[0] not in (*families(model), *GROUPS) or tag in GROUPS}
        for tag in sorted(used - known):
            yield f"the model {model.name} does not know the tag `{tag}`: on reads and writes it means nothing there"
        for kind, sentence in _fences(of, known):
            yield sentence if kind == "warning" else f"{kind}: {sentence}"


def _compiled(target: str | None, model: str) -> Iterator[str]:
    """What a C program has to do with a machine's model: compilers make fences and instructions of its orders."""
    fitting = next((name for name, machine in MACHINES.items() if machine == model), None)
    if target == "C" and fitting is not None:
        yield f"note: this is the C text under {model}; --map {fitting} checks what compilers make of it there"
    elif target in MACHINES and MACHINES[target] != model and (fitting is not None or model in ("rc11", "rc11-c20")):
        yield f"note: the program is as compiled for {target}, whose model is {MACHINES[target]}, not {model}"


def _fences(of: Problem, known: set[str]) -> Iterator[tuple[str, str]]:
    """A kind and a sentence for each fence of a program whose tags its model does not name: "warning" where the model
    orders nothing by it, "note" where it is a fence all the same.
    """
    for number, event_class in enumerate(of.code.classes):
        if event_class.kind != "F" or event_class.tags & (known | _OWN):
            continue
        code = zip(of.code.instructions, of.code.sites, strict=True)
        sites = [site for i, site in code if i.op is Op.FENCE and i.c == number]
        if not sites:
            continue
        tags = sorted(event_class.tags)
        written = f"`fence{''.join(f'[{tag}]' for tag in tags)}`"
        orders = meaning(of.asked, tuple(tags))
        name = of.asked.name
        if orders == () and not tags:
            named = ", ".join(f"`{tag}`" for tag in sorted(known - _OWN - {"init"})[:8])
            what = f"orders nothing by it; it names {named}" if named else "orders nothing by it"
            yield "warning", f"the fence at line {sites[0].position.line} has no tag, and the model {name} {what}"
        elif orders == ():
            yield "warning", f"the model {name} does not know {written} and orders nothing by it"
        elif tags and orders is not None and not ("store buffering" in orders and FULL & event_class.tags):
            how = "as a full fence" if "store buffering" in orders else f"as a fence for {' and '.join(orders)}"
            yield "note", f"the model {name} does not name {written} and takes it {how}"


def of_plain_fences(model: Model) -> list[Remark]:
    """A note where the model orders something by fences with tags, and nothing by one without."""
    named = [tag for tag in mentioned_tags(model) if tag != "init"]
    if not named or meaning(model, ()) != ():
        return []
    fences = [f"`fence {tag}`" for tag in named if meaning(model, (tag,))]
    if not fences:
        return []
    from xgen.memory.statics.lint import Remark  # long to import

    return [Remark(f"it orders nothing by a fence without a tag, but by {listed(fences, 'and')}", note=True)]


@lru_cache(maxsize=256)
def meaning(model: Model, tags: tuple[str, ...]) -> tuple[str, ...] | None:
    """The shapes of which a fence forbids an outcome; None where the model needs none in any of them."""
    helped: list[str] = []
    needed = False
    fence = xcfa.Fence(tags[0] if tags else None, tags=tags[1:])
    for shape, accesses in SHAPES.items():
        try:
            without, with_fences = (_outcomes(model, accesses, between) for between in ((), (fence,)))
        except XgenError:  # the model wants more of a program than this
            return None
        needed |= without > INTERLEAVED
        if with_fences < without:
            helped.append(shape)
            if shape == "store buffering":  # what is for this is for the others, too
                break
    return tuple(helped) if needed else None


_Accesses = tuple[tuple[str, int | None], ...]


def _outcomes(model: Model, accesses: _Accesses, between: tuple[xcfa.Statement, ...]) -> int:
    """How many outcomes a shape has."""
    shared = tuple(xcfa.Variable(name, xcfa.INT) for name in "xy")
    threads = (_thread("p", accesses[:2], between), _thread("q", accesses[2:], between))
    program = xcfa.Program(Source("shape", ""), shared, threads)
    found = run_executions(problem(program, model), Options(None, all_states=True, trace_limit=64, stream=True))
    return len({tuple(sorted(execution.state.items())) for execution in found})


def _thread(name: str, accesses: _Accesses, between: tuple[xcfa.Statement, ...]) -> xcfa.Process:
    """Two accesses with something between them; what is read is a local variable. To parse a text would take longer."""
    read = {variable: xcfa.Name(f"{variable}_read") for variable, value in accesses if value is None}
    first, second = (
        xcfa.Load(read[variable], xcfa.Place(xcfa.Name(variable)))
        if value is None
        else xcfa.Store(xcfa.IntLiteral(value), xcfa.Place(xcfa.Name(variable)))
        for variable, value in accesses
    )
    start, end = xcfa.Location("start", "init"), xcfa.Location("end", "final")
    edge = xcfa.Edge(xcfa.Name(start.name), xcfa.Name(end.name), (first, *between, second))
    variables = tuple(xcfa.Variable(local.name, xcfa.INT) for local in read.values())
    return xcfa.Process(name, variables=variables, locations=(start, end), edges=(edge,))
