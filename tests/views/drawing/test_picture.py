"""What is drawn of an execution, before anything has a place."""

from __future__ import annotations

from typing import Any

import pytest

import xgen
from views import samples
from xgen.errors import Source
from xgen.executions.execution import Execution
from xgen.records import replace
from xgen.resources import shipped
from xgen.views.drawing.picture import SHOWN as ALL
from xgen.views.drawing.picture import Picture
from xgen.views.drawing.picturing import picture_of
from xgen.views.drawing.svg import _box

DECLARED = "var x : int var y : int var m : synthetic\n"


def pictures(text: str, model: str = "sc", **options: Any) -> list[Picture]:
    program = xgen.parse(DECLARED + text)
    result = xgen.check(program, xgen.model(model), all_states=True, trace_limit=100, **options)
    return [picture_of(execution) for execution in result.traces]


def boxes(picture: Picture) -> dict[str, list[str]]:
    """What is in each column: the first lines with their chips."""
    return {
        column.name: [" ".join([item.text, *(f"({chip})" for chip in item.chips)]) for item in column.items]
        for column in picture.columns
    }


def edges(execution: Execution, *show: str, **options: Any) -> list[str]:
    """The edges by the ids of their ends."""
    picture = picture_of(execution, show, **options)
    ids = [item.id for column in picture.columns for item in column.items]
    return [f"{edge.relation} {ids[edge.a]} {ids[edge.b]}" for edge in picture.edges]


def test_columns_are_of_threads_that_do_something_or_go_wrong() -> None:
    (picture,) = pictures(
        "process p { 1 -> x; } process q { var a : int assert a = 1; } process r { var a : int a := 1; }"
    )
    assert boxes(picture) == {"p": ["W x = 1"], "q": ["assertion violated"]}
    assert picture.quiet == "no events: r"


def test_a_read_modify_write_that_fails_is_a_read() -> None:
    found = pictures("process p { var a : int a <- cas(x, 1, 2); } process q { var a : int a <- cas(x, 0, 1); }")
    assert [boxes(picture) for picture in found] == [
        {"p": ["R x = 0 (failed) (init)"], "q": ["U x: 0 → 1 (init)"]},
        {"p": ["U x: 1 → 2"], "q": ["U x: 0 → 1 (init)"]},
    ]


ENDS = [
    ("process p { var a : int a <- x; assume a = 1; }", {}, ["R x = 0 (init) (blocked)"]),
    ("process p { 1 -> x; 2 -> x; 3 -> x; }", {"max_depth": 2}, ["W x = 1", "W x = 2 (cut by a limit)"]),
    ("process p { 1 -> x; assert false; }", {}, ["W x = 1", "assertion violated"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "column"), ENDS)
def test_how_threads_end_has_no_row_of_its_own(text: str, options: dict[str, Any], column: list[str]) -> None:
    (picture,) = pictures(text, **options)
    assert boxes(picture) == {"p": column}


ALLOCATED = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct box { int data; _Atomic int ready; } *box;
void *producer(void *unused) {
    box->data = 1;
    atomic_store_explicit(&box->ready, 1, memory_order_release);
    return 0;
}
int main(void) {
    pthread_t thread;
    box = malloc(sizeof *box);
    box->data = 0;
    atomic_init(&box->ready, 0);
    pthread_create(&thread, 0, producer, 0);
    while (!atomic_load_explicit(&box->ready, memory_order_acquire)) { }
    int data = box->data;
    pthread_join(thread, 0);
    free(box);
    return data - 1;
}
"""
"""Main waits for what a thread writes into memory that is allocated."""


def of_allocated() -> tuple[Execution, Execution]:
    """The complete execution, and the blocked one."""
    program = xgen.parse(ALLOCATED, "c")
    found = xgen.check(program, xgen.model("rc11"), all_states=True).traces
    complete, blocked = sorted(found, key=lambda execution: not execution.complete)
    return complete, blocked


def test_accesses_to_allocated_memory_have_their_orders() -> None:
    complete, blocked = map(picture_of, of_allocated())
    assert boxes(complete) == {
        "main": [
            "start",
            "R main.box.ready = 1 (acq)",
            "R main.box.data = 1",
            "join",
            "free main.box",
        ],
        "producer": ["W main.box.data = 1", "W main.box.ready = 1 (rel)"],
    }
    assert boxes(blocked)["main"] == ["start", "R main.box.ready = 0 (acq) (init) (blocked)"]


def test_lines_of_another_file_are_shown_apart() -> None:
    """Pages show the program's own text beside the drawing, and light up its lines only."""
    execution, _ = of_allocated()
    other = Source("other.c", execution.source.text)
    events = [
        replace(e, position=replace(e.position, source=other)) if e.position and e.thread == 1 else e
        for e in execution.events
    ]
    picture = picture_of(replace(execution, events=tuple(events)))
    lines = {c.name: [(item.line, item.other, item.shown_line) for item in c.items] for c in picture.columns}
    assert lines["producer"] == [(0, 8, 8), (0, 9, 9)]
    assert [own == shown > 0 for own, other, shown in lines["main"]] == [True] * 5
    items = [item for column in picture.columns for item in column.items]
    boxes = [_box(item, (0, 0, 100, 20), True, False) for item in items]
    assert sum('class="number other"' in box for box in boxes) == 2
    assert sum('class="number"' in box for box in boxes) == 5


STARTS = [
    (["po", "rf"], ["rf 1:0 0:2", "rf 1:1 0:1"]),
    (["start"], ["start 0:0 1:0"]),
    (["join"], ["join 1:1 0:3"]),
    ([*ALL], ["join 1:1 0:3", "rf 1:0 0:2", "rf 1:1 0:1", "start 0:0 1:0"]),
]


@pytest.mark.parametrize(("show", "wanted"), STARTS)
def test_starts_and_joins_are_not_called_program_order(show: list[str], wanted: list[str]) -> None:
    complete, _ = of_allocated()
    assert sorted(edges(complete, *show)) == wanted
    assert {*complete.starts, *complete.joins} == {*complete.forks}


def test_what_starts_a_thread_last_is_joined() -> None:
    """The thread's last event is a start, and yet the edge from it to what joins it is a join."""
    (found,) = xgen.check(
        xgen.parse("var x : int process p { start q; join q; } process q { start r; } process r { 1 -> x; }"),
        xgen.model("sc"),
        all_states=True,
    ).traces
    assert edges(found, "start") == ["start 0:0 1:0", "start 1:0 2:0"]
    assert edges(found, "join") == ["join 1:0 0:1"]


def test_what_violations_say_is_in_several_lines_without_chips() -> None:
    """How many events of a thread are not shown stands below its last event, which has no part in that."""
    result = xgen.check(xgen.load(shipped("programs") / "c" / "treiber_us.c"), xgen.model("rc11"))
    assert result.witness
    (pop,) = (c for c in picture_of(result.witness.only(result.witness.cause)).columns if c.name == "pop")
    shown = [(item.kind, item.text, *item.more, *item.chips) for item in pop.items]
    assert shown[-3:] == [
        ("violation", "data race on node#2.next"),
        ("violation", "access to node#2 that nothing orders", "after its allocation"),
        ("more", "4 more events"),
    ]
    assert shown[-4] == ("read", "R node#2.next = &node")
    assert pop.items[-2].whole == "access to node#2 that nothing orders after its allocation"


def test_the_violation_is_below_the_last_event() -> None:
    (picture,) = pictures("process p { 1 -> x; 1 -> y; assert false; 2 -> x; }")
    assert [item.kind for item in picture.columns[0].items] == ["write", "write", "violation"]


def ordered() -> Execution:
    """A thread reads x, writes it twice, and updates what another one has written."""
    return samples.execution(
        "o.xcfa",
        {"x": 0, "y": 0},
        {
            "p": [
                samples.access(1, "R", "x", 0, "a <- x"),
                samples.access(2, "W", "x", 1, "1 -> x"),
                samples.access(3, "W", "x", 2, "2 -> x"),
                samples.access(4, "R", "y", 5, "a <- y"),
                samples.access(4, "W", "y", 6, "a + 1 -> y"),
            ],
            "q": [samples.access(5, "W", "y", 5, "5 -> y"), samples.access(6, "R", "x", 1, "b <- x")],
        },
        rf=[("init:x", "0:0"), ("1:0", "0:3"), ("0:1", "1:1")],
        mo=[["init:x", "0:1", "0:2"], ["init:y", "1:0", "0:4"]],
        rmw=[("0:3", "0:4")],
    )


SHOWN = [
    # what is shown, and the edges; the update is called by its read
    (["rf"], ["rf 0:1 1:1", "rf 1:0 0:3"]),
    (["rf", "init"], ["rf init:x 0:0", "rf 0:1 1:1", "rf 1:0 0:3"]),
    (["mo"], []),
    (["mo", "init"], ["mo init:x 0:1", "mo init:y 1:0"]),
    (["mo", "implied"], ["mo 0:1 0:2", "mo 1:0 0:3"]),
    (["fr"], ["fr 1:1 0:2"]),
    (["fr", "implied"], ["fr 0:0 0:1", "fr 1:1 0:2"]),
    (["po"], []),
    (["po", "implied"], []),
    ([], []),
]


@pytest.mark.parametrize(("show", "wanted"), SHOWN)
def test_edges_that_follow_from_others_are_left_out(show: list[str], wanted: list[str]) -> None:
    assert sorted(edges(ordered(), *show)) == sorted(wanted)


@pytest.mark.parametrize(("relation", "a", "b"), [("mo", "0:1", "0:2"), ("fr", "0:0", "0:1"), ("rf", "init:x", "0:0")])
def test_what_is_highlighted_is_drawn_all_the_same(relation: str, a: str, b: str) -> None:
    execution = ordered()
    number = {event.id: n for n, event in enumerate(execution.events)}
    assert edges(execution, highlight=[(relation, number[a], number[b])]) == [f"{relation} {a} {b}"]
