"""Pictures: what must be in them, and that Graphviz reads them as they are meant."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import Any

import pytest

import xgen
from views import samples
from xgen.executions.execution import Execution
from xgen.views.answers.witness import shown_threads
from xgen.views.drawing.dot import RELATIONS, execution_to_dot, quote

SAMPLES = [
    samples.noisy,
    lambda: samples.noisy().only(samples.noisy().cause),
    samples.store_buffering,
    samples.two_plus_two_writes,
    samples.independent_reads,
    samples.awkward_names,
]


def cut(execution: Execution) -> str:
    """The picture of what matters."""
    return execution_to_dot(execution.only(execution.cause))


def edges(text: str, relation: str) -> list[tuple[str, str]]:
    """The edges of one relation, found by their look, which is the relation's alone."""
    found = re.findall(r'"([^"]+)" -> "([^"]+)" \[(.*)\]$', text, re.MULTILINE)
    own = " ".join(f'{name}="{value}"' for name, value in RELATIONS[relation].items())
    return [(a, b) for a, b, look in found if look.startswith(own)]


def test_edges_of_store_buffering() -> None:
    text = execution_to_dot(samples.store_buffering())
    assert edges(text, "po") == [("0:0", "0:1"), ("1:0", "1:1"), ("1:1", "1:violation")]
    assert edges(text, "rf") == [("init:y", "0:1"), ("init:x", "1:1")]
    assert edges(text, "mo") == []  # of each variable there is one write, and it comes after the initial one
    assert edges(text, "fr") == [("0:1", "1:0"), ("1:1", "0:0")]
    assert text.count('headlabel="rf"') == text.count('taillabel="fr"') == 2


def test_relations_differ_in_colour_and_in_line() -> None:
    assert len({look["color"] for look in RELATIONS.values()}) == len(RELATIONS)
    assert len({look.get("style", "solid") for look in RELATIONS.values()}) == len(RELATIONS)


def test_starts_and_joins_are_drawn() -> None:
    text = "var x : int process p { start q; join q; } process q { 1 -> x; }"
    (execution,) = xgen.check(xgen.parse(text), xgen.model("sc"), all_states=True).traces
    drawn = [line.split(" [")[0].strip() for line in execution_to_dot(execution).splitlines() if "label=" in line]
    assert [line for line in drawn if "->" in line] == ['"0:0" -> "1:0"', '"1:0" -> "0:1"']


def test_threads_are_clusters_and_the_violation_is_marked() -> None:
    text = execution_to_dot(samples.store_buffering())
    assert text.count("subgraph cluster_") == 2
    assert "label=<<b>p0</b>>" in text
    mark = next(line for line in text.splitlines() if line.startswith('\t\t"1:violation" ['))
    assert "shape=doubleoctagon" in mark
    assert "assertion violated" in mark
    assert "10: assert not (b = 0)" in mark
    assert "doubleoctagon" not in execution_to_dot(samples.store_buffering(violated=False))


def test_unfinished_threads_say_so_and_unused_variables_are_left_out() -> None:
    text = execution_to_dot(samples.two_plus_two_writes())
    assert '"1:bounded" [label="cut by a limit"' in text
    assert '"2:blocked" [label=blocked' in text
    assert '"3:running" [label="still running"' in text
    assert "unused" not in text


def test_a_thread_without_events_is_drawn() -> None:
    empty = samples.execution("e.xcfa", {"x": 0}, {"p0": []}, rf=[], mo=[["init:x"]])
    assert '"0:none" [label="no events"' in execution_to_dot(empty)


def test_what_is_left_out_is_counted() -> None:
    text = cut(samples.noisy())
    assert "(3 events not shown)</font>>" in text
    assert '"0:hidden" [label="1 more event"' in text
    assert text.count("subgraph cluster_") == 2
    assert "other" not in text
    assert "init:z" not in text
    assert edges(text, "po") == [("0:0", "0:1"), ("0:1", "0:hidden"), ("1:0", "1:1"), ("1:1", "1:violation")]
    assert edges(text, "rf") == [("0:1", "1:0"), ("init:x", "1:1")]


def test_names_are_escaped() -> None:
    text = execution_to_dot(samples.awkward_names())
    assert 'P "q" &lt;r&gt; \\</b>' in text
    assert '"init:a<b>\\\\" [' in text
    assert '4: größe &lt;- "a\\b" &lt;x&gt; &amp;&amp; &amp;lt;' in text
    assert quote('a"b\\') == '"a\\"b\\\\"'


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("sample", SAMPLES)
def test_graphviz_reads_the_text(sample: Any) -> None:
    execution: Execution = sample()
    drawn = subprocess.run(
        ["dot", "-Tjson"], input=execution_to_dot(execution), capture_output=True, check=True, encoding="utf-8"
    )
    assert drawn.stderr == ""
    graph = json.loads(drawn.stdout)
    nodes = {node["name"]: node for node in graph["objects"] if "nodes" not in node}
    shown = [event for event in execution.events if event.id in nodes]
    assert len(shown) >= sum(event.thread >= 0 for event in execution.events)
    for event in shown:
        assert event.label in words(nodes[event.id])
    clusters = [words(part) for part in graph["objects"] if part["name"].startswith("cluster_")]
    assert clusters == [execution.threads[thread] for thread in shown_threads(execution)]
    left = [float(nodes[event.id]["pos"].split(",")[0]) for event in shown if event.thread >= 0 and event.index == 0]
    assert left == sorted(left), "threads stand in order from left to right"
    top = [float(nodes[event.id]["pos"].split(",")[1]) for event in shown if event.thread < 0]
    others = [float(nodes[event.id]["pos"].split(",")[1]) for event in shown if event.thread >= 0]
    assert min(top) > max(others), "initial writes stand on top"


def words(part: dict[str, Any]) -> str:
    """The text that Graphviz shows for a node or a cluster."""
    key = "_ldraw_"
    return "".join(operation["text"] for operation in part[key] if operation["op"] == "T")
