"""Executions as networkx graphs."""

from __future__ import annotations

from views import samples


def test_nodes_and_edges() -> None:
    graph = samples.store_buffering().to_networkx()
    assert list(graph.nodes) == ["init:x", "init:y", "0:0", "0:1", "1:0", "1:1"]
    assert graph.nodes["1:1"] == {
        "label": "R x = 0", "thread": "p1", "index": 1, "kind": "R", "variable": "x", "value": 0, "tags": [],
        "line": 9, "column": 5, "text": "b <- x", "step": 3,
    }  # fmt: skip
    assert graph.nodes["init:x"]["thread"] == "init"
    assert graph.nodes["init:x"]["line"] is None
    assert sorted((key, a, b) for a, b, key in graph.edges(keys=True)) == [
        ("fr", "0:1", "1:0"),
        ("fr", "1:1", "0:0"),
        ("mo", "init:x", "0:0"),
        ("mo", "init:y", "1:0"),
        ("po", "0:0", "0:1"),
        ("po", "1:0", "1:1"),
        ("rf", "init:x", "1:1"),
        ("rf", "init:y", "0:1"),
    ]
    assert graph.edges["init:y", "0:1", "rf"]["relation"] == "rf"
    assert graph.graph["ends"] == {"p0": "ended", "p1": "error"}
    assert graph.graph["state"]["p1:b"] == 0


def test_parallel_edges_are_kept() -> None:
    """A read that is po-before the write that it reads before has both a po and an fr edge to it."""
    execution = samples.execution(
        "rw.xcfa",
        {"x": 0},
        {"p0": [samples.access(2, "R", "x", 0, "a <- x"), samples.access(3, "W", "x", 1, "1 -> x")]},
        rf=[("init:x", "0:0")],
        mo=[["init:x", "0:1"]],
    )
    assert set(execution.to_networkx()["0:0"]["0:1"]) == {"po", "fr"}
