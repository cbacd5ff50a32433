"""Classes of executions: those with the same events and the same reads-from, as the oracle partitions what it finds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations, product
from random import Random
from typing import Any, Literal

import xgen
from oracle.against import LIMIT, expected_executions
from oracle.compare import compare_counts, describe, key_of_execution, report
from oracle.enumerate import EventKey, Execution, Place
from oracle.evaluate import INITIAL
from oracle.programs import Program
from oracle.strategies import Features
from xgen.executions.result import Classes, Result
from xgen.lowering.identical import identical_threads
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
    seems = result.partition != "rf" and (got, wanted) == (("safe-within-bound", True), ("safe", False))
    return [] if got == wanted or seems else [f"{got[0]}, cut {got[1]}, instead of {wanted[0]}, cut {wanted[1]}"]


def difference_of_sights(
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


def permuted(execution: Execution, permutation: tuple[int, ...]) -> Execution:
    """The execution in which thread `permutation[t]` does what thread t does."""

    def moved(place: Place) -> Place:
        return place if place[0] == INITIAL else (permutation[place[0]], place[1])

    threads = list(execution.threads)
    for number, trace in enumerate(execution.threads):
        threads[permutation[number]] = trace
    rf = frozenset((moved(write), moved(read)) for write, read in execution.rf)
    return Execution(tuple(threads), rf, frozenset(tuple(map(moved, order)) for order in execution.mo))


def orbits(classes: set[Execution], groups: list[list[int]], threads: int) -> int:
    """How many there are but for permutations of the threads of each group."""
    every = []
    for images in product(*(permutations(group) for group in groups)):
        permutation = list(range(threads))
        for group, image in zip(groups, images, strict=True):
            for thread, other in zip(group, image, strict=True):
                permutation[thread] = other
        every.append(tuple(permutation))
    return len({frozenset(permuted(one, permutation) for permutation in every) for one in classes})


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
    groups = identical_threads(lower(parsed))
    options: dict[str, Any] = {"all_states": True, "max_depth": max_depth, "unroll": True}
    result = xgen.check(parsed, model, classes=partition, workers=workers, **options)
    each = xgen.check(parsed, model, trace_limit=0, **options)
    lines = []
    numbers = (len(wanted), orbits(wanted, groups, len(program.threads)))
    if partition == "seen":
        apart = xgen.check(parsed, model, classes=partition, symmetry=False, trace_limit=0, **options)
        numbers = (apart.classes, min(result.orbits, numbers[1]))
    if (result.classes, result.orbits) != numbers:
        lines.append(f"{result.classes} classes in {result.orbits} orbits instead of {numbers[0]} in {numbers[1]}")
    lines += other_ends(result, each)
    lines += other_verdict(result, each)
    found = report(program, model, "\n".join(lines) or None, max_depth)
    return found or (compare_counts(program, model, result, expected) if partition == "rf" else None)
