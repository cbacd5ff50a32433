"""Executions and results made by hand: what an exploration would return, without running one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from xgen.errors import Position, Source
from xgen.executions.execution import INITIAL, Event, Execution, State, Violation
from xgen.executions.result import Outcome, Result
from xgen.views.drawing.picture import SHOWN, Picture
from xgen.views.drawing.picturing import picture_of


def access(line: int, kind: str, variable: str | None, value: Any, text: str, *tags: str) -> tuple[Any, ...]:
    """One event of a thread, for `execution`."""
    return line, kind, variable, value, text, tags


def execution(
    source: str,
    initial: State,
    threads: dict[str, list[tuple[Any, ...]]],
    rf: list[tuple[str, str]],
    mo: list[list[str]],
    *,
    text: str = "",
    steps: list[str] | None = None,
    ends: tuple[str, ...] | None = None,
    state: State | None = None,
    violations: tuple[Violation, ...] = (),
    **relations: list[tuple[str, str]],
) -> Execution:
    """An execution from events by thread; rf, mo and further `relations` name events by their ids."""
    empty: frozenset[str] = frozenset()
    events = [
        Event(INITIAL, number, "W", name, value, frozenset({"init"}), None, "", -1)
        for number, (name, value) in enumerate(initial.items())
    ]
    for thread, accesses in enumerate(threads.values()):
        for index, (line, kind, variable, value, statement, tags) in enumerate(accesses):
            place = Position(line, 5, len(statement))
            step = len(events) - len(initial)
            events.append(Event(thread, index, kind, variable, value, empty | set(tags), place, statement, step))
    if steps:
        order = {name: step for step, name in enumerate(steps)}
        events = [replace(event, step=order.get(event.id, -1)) for event in events]
    number = {event.id: n for n, event in enumerate(events)}
    return Execution(
        threads=tuple(threads),
        events=tuple(events),
        rf=tuple((number[a], number[b]) for a, b in rf),
        mo=tuple(tuple(number[name] for name in order) for order in mo),
        ends=ends or ("ended",) * len(threads),
        state=state or {},
        violations=violations,
        source=Source(source, text),
        **{name: tuple((number[a], number[b]) for a, b in pairs) for name, pairs in relations.items()},
    )


SB_TEXT = """\
var x : int
var y : int
process p0 {
  L0 -> L1 { 1 -> x }
  L1 -> L2 { a <- y }
}
process p1 {
  K0 -> K1 { 1 -> y }
  K1 -> K2 { b <- x }
  K2 -> K3 { assert not (b = 0) }
}
"""


def store_buffering(violated: bool = True) -> Execution:
    """Both reads read the initial writes; p1 then fails its assertion."""
    failed = Violation("assertion", 1, Position(10, 14, 18), "assert not (b = 0)")
    return execution(
        "tests/sb.xcfa",
        {"x": 0, "y": 0},
        {
            "p0": [access(4, "W", "x", 1, "1 -> x"), access(5, "R", "y", 0, "a <- y")],
            "p1": [access(8, "W", "y", 1, "1 -> y"), access(9, "R", "x", 0, "b <- x")],
        },
        rf=[("init:y", "0:1"), ("init:x", "1:1")],
        mo=[["init:x", "0:0"], ["init:y", "1:0"]],
        text=SB_TEXT,
        ends=("ended", "error" if violated else "ended"),
        state={"p0:a": 0, "p1:b": 0, "x": 1, "y": 1},
        violations=(failed,) if violated else (),
    )


def noisy() -> Execution:
    """Message passing goes wrong in `reader`; the writer goes on after its message, and a third thread is no part."""
    failed = Violation("assertion", 1, Position(16, 5, 28), "assert not (a = 1 and b = 0)")
    return execution(
        "noisy.xcfa",
        {"x": 0, "y": 0, "z": 0},
        {
            "writer": [
                access(6, "W", "x", 1, "1 -> x"),
                access(7, "W", "y", 1, "1 -> y"),
                access(8, "W", "z", 2, "2 -> z"),
            ],
            "reader": [access(12, "R", "y", 1, "a <- y"), access(13, "R", "x", 0, "b <- x")],
            "other": [access(22, "R", "z", 2, "c <- z"), access(23, "W", "z", 3, "c + 1 -> z")],
        },
        rf=[("0:1", "1:0"), ("init:x", "1:1"), ("0:2", "2:0")],
        mo=[["init:x", "0:0"], ["init:y", "0:1"], ["init:z", "0:2", "2:1"]],
        steps=["0:0", "0:1", "0:2", "2:0", "2:1", "1:0", "1:1"],
        ends=("ended", "error", "blocked"),
        state={"writer:n": 7, "reader:a": 1, "reader:b": 0, "other:c": 2, "x": 1, "y": 1, "z": 3},
        violations=(failed,),
    )


def two_plus_two_writes() -> Execution:
    """2+2W with the order of both variables against program order; a third thread is blocked, a fourth cut."""
    return execution(
        "2+2w.xcfa",
        {"x": 0, "y": 0, "unused": 0},
        {
            "p0": [access(3, "W", "x", 1, "1 -> x"), access(4, "W", "y", 2, "2 -> y")],
            "p1": [access(7, "W", "y", 1, "1 -> y"), access(8, "W", "x", 2, "2 -> x")],
            "observer": [access(11, "R", "x", 1, "a <- x"), access(12, "R", "x", 2, "b <- x")],
            "idle": [],
        },
        rf=[("0:0", "2:0"), ("1:1", "2:1")],
        mo=[["init:x", "1:1", "0:0"], ["init:y", "0:1", "1:0"], ["init:unused"]],
        steps=["1:0", "0:0", "0:1", "1:1", "2:1", "2:0"],
        ends=("ended", "bounded", "blocked", "running"),
    )


def independent_reads() -> Execution:
    """IRIW: the two readers disagree on the order of two independent writes; acquire reads, fences in the readers."""
    return execution(
        "iriw.xcfa",
        {"x": 0, "y": 0},
        {
            "writer_x": [access(3, "W", "x", 1, "1 -> x @release", "release")],
            "writer_y": [access(6, "W", "y", 1, "1 -> y @release", "release")],
            "reader_xy": [
                access(9, "R", "x", 1, "a <- x @acquire", "acquire"),
                access(10, "F", None, None, "fence[mfence]", "mfence"),
                access(11, "R", "y", 0, "b <- y @acquire", "acquire"),
            ],
            "reader_yx": [
                access(14, "R", "y", 1, "c <- y @acquire", "acquire"),
                access(15, "F", None, None, "fence[dmb]", "dmb", "full"),
                access(16, "R", "x", 0, "d <- x @acquire", "acquire"),
            ],
        },
        rf=[("0:0", "2:0"), ("init:y", "2:2"), ("1:0", "3:0"), ("init:x", "3:2")],
        mo=[["init:x", "0:0"], ["init:y", "1:0"]],
        state={"reader_xy:a": 1, "reader_xy:b": 0, "reader_yx:c": 1, "reader_yx:d": 0, "x": 1, "y": 1},
    )


def load_buffering() -> Execution:
    """Both reads read what comes later; p0's write depends on its read, p1's is decided by one."""
    return execution(
        "lb.xcfa",
        {"x": 0, "y": 0},
        {
            "p0": [access(4, "R", "x", 1, "a <- x"), access(5, "W", "y", 1, "a -> y")],
            "p1": [access(9, "R", "y", 1, "b <- y"), access(10, "W", "x", 1, "1 -> x")],
        },
        rf=[("1:1", "0:0"), ("0:1", "1:0")],
        mo=[["init:x", "1:1"], ["init:y", "0:1"]],
        data=[("0:0", "0:1")],
        ctrl=[("1:0", "1:1")],
    )


def random_execution(seed: int, threads: int, events: int) -> Execution:
    """Reads, writes and fences at random, with reads from and orders of writes at random, cyclic ones as well."""
    rng = random.Random(seed)
    names = [f"v{k}" for k in range(rng.randint(1, 4))]
    lines: dict[str, list[tuple[Any, ...]]] = {f"t{t}": [] for t in range(threads)}
    writes: dict[str, list[str]] = {name: [f"init:{name}"] for name in names}
    reads: list[tuple[str, str]] = []
    for number in range(events):
        t, kind, name = rng.randrange(threads), rng.choice("RRWWWF"), rng.choice(names)
        line = lines[f"t{t}"]
        key = f"{t}:{len(line)}"
        line.append(access(number + 1, kind, None if kind == "F" else name, None if kind == "F" else 1, "statement"))
        if kind == "W":
            writes[name].insert(rng.randint(1, len(writes[name])), key)
        elif kind == "R":
            reads.append((name, key))
    return execution(
        "random.xcfa",
        dict.fromkeys(names, 0),
        lines,
        rf=[(rng.choice(writes[name]), key) for name, key in reads],
        mo=list(writes.values()),
    )


def awkward_names() -> Execution:
    """Names that Graphviz and XML give a meaning to, letters outside ASCII, a statement over two lines."""
    statement = 'größe <- "a\\b"\n   <x> && &lt;'
    fault = Violation("error-location", 0, Position(4, 3, 5), 'error loc "L<1>\\"', "L<1>\\")
    return execution(
        'dir/odd "name" <1>\\.xcfa',
        {"größe": False, "a<b>\\": 0},
        {
            'P "q" <r> \\': [access(4, "R", "größe", False, statement, "a&b")],
            "λ": [access(7, "W", "a<b>\\", -1, "x"), access(8, "R", "a<b>\\", 0, "y")],
        },
        rf=[("init:größe", "0:0"), ("init:a<b>\\", "1:1")],
        mo=[["init:größe"], ["init:a<b>\\", "1:0"]],
        ends=("error", "ended"),
        violations=(fault,),
        text="\n\n\n  error loc x\n",
    )


SAMPLES = [
    noisy,
    lambda: noisy().only(noisy().cause),
    store_buffering,
    two_plus_two_writes,
    independent_reads,
    load_buffering,
    awkward_names,
]


def pictures() -> Iterator[tuple[Execution, Picture]]:
    """Executions and pictures of them: with initial writes and without, with a few edges that matter and without."""
    few = [sample() for sample in SAMPLES]
    many = [random_execution(seed, 1 + seed % 12, (3 + seed % 9, 4 + seed * 2, 200)[seed % 3]) for seed in range(60)]
    for seed, execution in enumerate([*few, *many]):
        rng = random.Random(seed)
        all_ = list(execution.edges())
        highlight = rng.sample(all_, min(len(all_), 4)) if seed % 4 == 0 else []
        show = [*SHOWN, *rng.choice([(), (), ("init",), ("init", "implied")])]
        yield execution, picture_of(execution, show, highlight)


def result(**changes: Any) -> Result:
    """A result: that of an exhaustive safe run, apart from `changes`."""
    base = Result(
        program="tests/sb.xcfa",
        model="weak",
        verdict="safe",
        demoted={},
        executions=4,
        blocked=0,
        stuck=0,
        bounded=0,
        violations=0,
        explored=15,
        revisits_tried=3,
        revisits=2,
        dead_ends=0,
        held=2,
        duplicates=0,
        duplicates_checked=4,
        outcomes=(
            Outcome({"p0:a": 0, "p1:b": 1, "x": 1}, 1),
            Outcome({"p0:a": 1, "p1:b": 0, "x": 1}, 2),
        ),
        outcomes_complete=True,
        witness=None,
        traces=(),
        max_depth=None,
        all_states=False,
        filter="in-situ",
        seconds=0.0123,
        peak_kib=31000,
    )
    return replace(base, **changes)


def violated(**changes: Any) -> Result:
    """The result of a run that stopped at store buffering's violation."""
    facts: dict[str, Any] = {
        "verdict": "violation",
        "violations": 1,
        "max_depth": 8,
        "executions": 1,
        "outcomes": (Outcome({"p0:a": 0, "p1:b": 0}, 1, 1),),
        "witness": store_buffering(),
        "duplicates_checked": 1,
    }
    return result(**{**facts, **changes})
