"""Classes of executions: those with the same events and the same reads-from, as the oracle partitions what it finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any, Literal

import xgen
from oracle.against import LIMIT, expected_executions
from oracle.compare import compare_counts, describe, key_of_execution, report
from oracle.enumerate import EventKey, Execution, Place
from oracle.evaluate import INITIAL
from oracle.programs import Program
from oracle.strategies import Features
from xgen.engine.graphs.symmetry import symmetries_of
from xgen.engine.problem import problem
from xgen.executions.result import Classes, Result
from xgen.lowering.analysis.symmetry import Symmetries, symmetries
from xgen.lowering.code import Code
from xgen.lowering.threads import lower
from xgen.memory.algebra import Model

SHOWN = 2
"""How many classes of each kind a report shows."""


def without_faults(features: Features) -> Features:
    """The features without what threads that run ahead of their reads do not find at the same place."""
    return replace(features, faults=0)


def class_of(execution: Execution) -> Execution:
    """What is the same for all executions of a class."""
    return execution._replace(mo=frozenset())


def value_class_of(execution: Execution) -> Execution:
    """What is the same for all executions in which each read reads the same."""
    return execution._replace(rf=frozenset(), mo=frozenset())


def shape_of(execution: Execution) -> tuple[tuple[tuple[EventKey, ...], str], ...]:
    """What its threads do but for what they read: the same for all executions that no thread can tell apart."""
    return tuple(
        (tuple(event if event.kind == "W" else event._replace(value=None) for event in trace.events), trace.end)
        for trace in execution.threads
    )


def other_ends(result: Result, each: Result) -> list[str]:
    """Outcomes and flags that are not those of visiting each execution; with numbers, where they are counted."""
    counted = result.partition == "rf"
    ends = [
        ([o if counted else o.state for o in one.outcomes], one.flags if counted else sorted(one.flags))
        for one in (result, each)
    ]
    return [] if ends[0] == ends[1] else [f"other outcomes or flags: {ends[0]}", f"              instead of {ends[1]}"]


def other_verdict(result: Result, each: Result) -> list[str]:
    """A verdict that is not that of visiting each execution.

    Where reads stay open, the bound may seem to have made a difference (docs/limits.md).
    """
    got, wanted = (result.verdict, result.cut), (each.verdict, each.cut)
    within = {"safe": "safe-within-bound", "vacuous": "vacuous"}
    seems = result.partition != "rf" and not each.cut and got == (within.get(each.verdict), True)
    return [] if got == wanted or seems else [f"{got[0]}, cut {got[1]}, instead of {wanted[0]}, cut {wanted[1]}"]


def difference_of_views(
    program: Program,
    model: Model,
    partition: Literal["values", "seen"],
    max_depth: int | None = None,
    limit: int | None = LIMIT,
    workers: int = 1,
) -> str | None:
    """None where xgen visits the oracle's classes of executions with the same values, each once, else a report.

    Of `seen`, which are coarser and of complete executions only where nothing else matters: that what is kept are
    executions of the oracle's, all of them of different classes, and that nothing is missing of what is shown, nor of
    what threads do in complete executions.
    """
    expected = list(expected_executions(program, model, max_depth, limit))
    parsed = xgen.parse(str(program), "xcfa")
    options: dict[str, Any] = {"all_states": True, "max_depth": max_depth, "unroll": True}
    result = xgen.check(
        parsed, model, trace_limit=len(expected) * 2 + 10, classes=partition, symmetry=False, workers=workers, **options
    )
    each = xgen.check(parsed, model, trace_limit=0, **options)
    lines: list[str] = []
    wanted = {value_class_of(execution) for execution in expected}
    seen = {value_class_of(execution.seen_from_outside()) for execution in expected}
    found = Counter(key_of_execution(trace) for trace in result.traces)
    got = {value_class_of(execution) for execution in found}
    if partition == "values":
        for title, classes in (("missing", seen - got), ("extra", got - seen)):
            if classes:
                lines.append(f"{title} classes: {len(classes)}")
                lines += [f"  {line}" for one in sorted(classes, key=str)[:SHOWN] for line in describe(one)]
    else:
        shapes = [{shape_of(e) for e in some if e.kind == "complete"} for some in (expected, found)]
        if shapes[0] != shapes[1]:
            lines.append(f"shapes missing: {sorted(map(str, shapes[0] - shapes[1]))[:SHOWN]}")
    number = result.classes
    if number > len(wanted) or (partition == "values" and number != len(wanted)):
        lines.append(f"{number} classes instead of {len(wanted)}")
    left = found - Counter(execution.seen_from_outside() for execution in expected)
    if left:
        lines.append("no executions, or kept twice:")
        lines += [f"  {line}" for one in sorted(left, key=str)[:SHOWN] for line in describe(one)]
    lines += other_ends(result, each)
    lines += other_verdict(result, each)
    return report(program, model, "\n".join(lines) or None, max_depth)


def difference_of_classes(
    program: Program, model: Model, max_depth: int | None = None, limit: int | None = LIMIT, workers: int = 1
) -> str | None:
    """None where xgen visits the oracle's classes, each once, and counts its executions rightly, else a report.

    What is kept of a class are executions that the oracle has as well, each once. Final states are counted as they are
    where each execution is visited.
    """
    expected = list(expected_executions(program, model, max_depth, limit))
    parsed = xgen.parse(str(program), "xcfa")
    many = len(expected) * 2 + 10
    result = xgen.check(
        parsed,
        model,
        all_states=True,
        max_depth=max_depth,
        unroll=True,
        trace_limit=many,
        classes="rf",
        symmetry=False,
        workers=workers,
    )
    lines: list[str] = []
    wanted = {class_of(execution) for execution in expected}
    seen = {class_of(execution.seen_from_outside()) for execution in expected}
    found = Counter(key_of_execution(trace) for trace in result.traces)
    got = {class_of(execution) for execution in found}
    for title, classes in (("missing", seen - got), ("extra", got - seen)):
        if classes:
            lines.append(f"{title} classes: {len(classes)}")
            lines += [f"  {line}" for one in sorted(classes, key=str)[:SHOWN] for line in describe(one)]
    if result.classes != len(wanted):
        lines.append(f"{result.classes} classes instead of {len(wanted)}")
    left = found - Counter(execution.seen_from_outside() for execution in expected)
    if left:
        lines.append("no executions, or kept twice:")
        lines += [f"  {line}" for one in sorted(left, key=str)[:SHOWN] for line in describe(one)]
    if not result.counted:
        lines.append("the executions were not counted")
    each = xgen.check(parsed, model, all_states=True, max_depth=max_depth, unroll=True, trace_limit=0)
    lines += other_ends(result, each)
    return report(program, model, "\n".join(lines) or None, max_depth) or compare_counts(
        program, model, result, expected
    )


def with_like_threads(program: Program, rng: Random) -> Program:
    """Two or three threads that do what one of the program's does, and perhaps another one."""
    like = rng.choice(program.threads)
    count = rng.choice((2, 2, 3))
    others = [thread for thread in program.threads if thread is not like][: rng.choice((0, 1)) if count == 2 else 0]
    threads = [*[like] * count, *others]
    rng.shuffle(threads)
    return replace(program, threads=tuple(replace(thread, name=f"Q{n}") for n, thread in enumerate(threads)))


def with_own_variables(program: Program, rng: Random) -> Program:
    """The program, of which each thread has variables of its own instead of some; or of its own and of the next one."""
    own = [variable for variable in program.shared if not variable.size and rng.random() < 0.6]
    count, ring = len(program.threads), rng.random() < 0.4
    threads = []
    for number, thread in enumerate(program.threads):
        names = {variable.name: f"{variable.name}{number}" for variable in own}
        if ring and len(own) > 1 and (own[0].mutex, own[0].type) == (own[1].mutex, own[1].type):
            names[own[0].name] = f"{own[1].name}{(number + 1) % count}"
        threads.append(_renamed(thread, names))
    copies = [replace(variable, name=f"{variable.name}{n}") for n in range(count) for variable in own]
    others = [variable for variable in program.shared if variable not in own]
    return replace(program, shared=(*others, *copies), threads=tuple(threads))


def beside(parts: Sequence[Program], rng: Random) -> Program:
    """A program of several that share nothing, with its threads in any order."""
    shared, threads = [], []
    for n, part in enumerate(parts):
        names = {variable.name: f"{variable.name}_{n}" for variable in part.shared}
        shared += [replace(variable, name=names[variable.name]) for variable in part.shared]
        threads += [replace(_renamed(thread, names), name=f"{thread.name}_{n}") for thread in part.threads]
    rng.shuffle(threads)
    return replace(parts[0], shared=tuple(shared), threads=tuple(threads))


def _renamed(part: Any, names: dict[str, str]) -> Any:
    """A part of a program with other names of variables."""
    if isinstance(part, tuple):
        return tuple(_renamed(one, names) for one in part)
    if not is_dataclass(part) or isinstance(part, type):
        return part
    changed = {field.name: _renamed(getattr(part, field.name), names) for field in fields(part) if field.init}
    for field in ("variable", "array"):
        if isinstance(changed.get(field), str):
            changed[field] = names.get(changed[field], changed[field])
    return replace(part, **changed)


def permuted(execution: Execution, threads: Sequence[int], names: Mapping[str, str]) -> Execution:
    """The execution in which thread `threads[t]` does what thread t does, with variables of other names."""

    def moved(place: Place) -> Place:
        return (INITIAL, names[place[1]]) if place[0] == INITIAL else (threads[place[0]], place[1])  # type: ignore[index, return-value]

    traces = list(execution.threads)
    for number, trace in enumerate(execution.threads):
        events = tuple(event._replace(variable=names.get(event.variable or "")) for event in trace.events)
        traces[threads[number]] = trace._replace(events=events)
    rf = frozenset((moved(write), moved(read)) for write, read in execution.rf)
    return Execution(tuple(traces), rf, frozenset(tuple(map(moved, order)) for order in execution.mo))


def orbits(classes: set[Execution], code: Code, group: Symmetries) -> int:
    """How many there are but for the renamings of a group, which have to take each class to one."""
    names = [cell.name for cell in code.cells]
    every = [
        (threads, {name: names[cell] for name, cell in zip(names, cells, strict=True)})
        for threads, cells in group.renamings
    ]
    found = {frozenset(permuted(one, *renaming) for renaming in every) for one in classes}
    assert all(orbit <= classes for orbit in found), "a renaming that leaves the program as it is makes no class of it"
    return len(found)


def _without_dependencies(execution: Execution) -> Execution:
    return execution._replace(threads=tuple(trace._replace(dependencies=()) for trace in execution.threads))


def difference_of_orbits(
    program: Program,
    model: Model,
    max_depth: int | None = None,
    limit: int | None = LIMIT,
    workers: int = 1,
    partition: Classes = "rf",
) -> str | None:
    """None where xgen visits each orbit of the oracle's classes once, and counts what it stands for, else a report.

    The oracle does not know the classes of `seen`: there are as many where like threads are told apart, and not more.
    """
    expected = list(expected_executions(program, model, max_depth, limit))
    parsed = xgen.parse(str(program), "xcfa")
    wanted = {(class_of if partition == "rf" else value_class_of)(execution) for execution in expected}
    code = lower(parsed)
    options: dict[str, Any] = {"all_states": True, "max_depth": max_depth, "unroll": True}
    result = xgen.check(parsed, model, classes=partition, workers=workers, **options)
    each = xgen.check(parsed, model, trace_limit=0, **options)
    lines = []
    numbers = (
        len(wanted),
        orbits({_without_dependencies(one) for one in wanted}, code, symmetries(code, code.scalars)),
    )
    if partition == "seen":
        apart = xgen.check(parsed, model, classes=partition, symmetry=False, trace_limit=0, **options)
        numbers = (apart.classes, min(result.orbits, numbers[1]))
    if (result.classes, result.orbits) != numbers:
        lines.append(f"{result.classes} classes in {result.orbits} orbits instead of {numbers[0]} in {numbers[1]}")
    lines += other_ends(result, each)
    lines += other_verdict(result, each)
    found = report(program, model, "\n".join(lines) or None, max_depth)
    return found or (compare_counts(program, model, result, expected) if partition == "rf" else None)


def start_and_join(program: Program, rng: Random) -> str:
    """The text of a program whose threads another one starts, in a row or not, and perhaps joins."""
    names = [thread.name for thread in program.threads]
    order = rng.sample(names, len(names))
    joined = rng.sample(order, rng.choice((0, len(names), len(names), len(names) - 1)))
    steps = [*(f"start {name}" for name in order), *(f"join {name}" for name in joined)]
    variable = next((v.name for v in program.shared if not v.size and not v.mutex and v.type == "int"), None)
    if variable is not None:
        if rng.random() < 0.3:
            steps.insert(rng.randrange(len(steps)), f"1 -> {variable}")
        steps.append(f"v <- {variable}")
    cut = rng.randrange(len(steps) + 1) if rng.random() < 0.4 else 0
    edges = [("S", "M", steps[:cut]), ("M", "E", steps[cut:])] if cut else [("S", "E", steps)]
    body = " ".join(f"{a} -> {b} {{ {'; '.join(part)} }}" for a, b, part in edges)
    locations = "init loc S loc M final loc E" if cut else "init loc S final loc E"
    boss = f"main process boss {{ var v : int {locations} {body} }}"
    return str(program).replace("main process", "process") + boss + "\n"


def difference_of_started(
    program: Program,
    rng: Random,
    model: Model,
    max_depth: int | None = None,
    limit: int | None = LIMIT,
    workers: int = 1,
    partition: Classes = "rf",
) -> str | None:
    """None where threads of a program, started by another one, are alike without any difference to the answer.

    The oracle starts no threads: it is what visiting each execution finds, and telling like threads apart. (It says
    which programs are small.)
    """
    list(expected_executions(program, model, max_depth, limit))
    text = start_and_join(program, rng)
    parsed = xgen.parse(text, "xcfa")
    options: dict[str, Any] = {"all_states": True, "max_depth": max_depth, "unroll": True, "workers": workers}
    result = xgen.check(parsed, model, classes=partition, trace_limit=0, **options)
    apart = xgen.check(parsed, model, classes=partition, symmetry=False, trace_limit=10_000, **options)
    each = xgen.check(parsed, model, trace_limit=0, **options)
    lines = []
    if result.classes != apart.classes:
        lines.append(f"{result.classes} classes instead of {apart.classes}")
    counted = ("executions", "blocked", "bounded", "violations")
    numbers = [tuple(getattr(one, name) for name in counted) for one in (result, apart, each)]
    if partition == "rf" and (numbers[0] != numbers[1] or result.executions != each.executions):
        lines.append(f"{numbers[0]} executions instead of {numbers[1]}, {numbers[2]}")
    lines += other_ends(result, each)
    lines += other_verdict(result, each)
    own = {_without_forks(class_of(key_of_execution(trace))) for trace in apart.traces}
    if partition == "rf" and len(own) == apart.classes:  # traces do not tell what was chosen
        asked = problem(parsed, model, classes=True)
        wanted = orbits(own, asked.code, symmetries_of(asked, max_depth))
        if wanted != result.orbits:
            lines.append(f"{result.orbits} orbits instead of {wanted}")
    return f"{text}\nunder {model.name}, {max_depth}, {partition}: " + "\n".join(lines) if lines else None


def _without_forks(execution: Execution) -> Execution:
    """Without starts and joins, of which there may be fewer where a thread waits for one or another."""
    threads = tuple(
        trace._replace(events=tuple(event for event in trace.events if not event.tags & {"start", "join"}))
        for trace in execution.threads
    )
    return execution._replace(threads=threads)
