"""The JSON document: every key that the interface promises, with the values of a small example."""

from __future__ import annotations

import json

import xgen
from views import samples
from xgen.executions.result import Outcome
from xgen.views.answers.json import execution_to_dict, render

PROMISED = [
    "xgen", "program", "model", "verdict", "certified", "demoted", "executions", "blocked", "bounded", "explored",
    "duplicates", "outcomes", "witness", "seconds", "peak_kib",
]  # fmt: skip


def test_document_of_a_violation() -> None:
    document = json.loads(render(samples.violated(demoted={"hb": "because"})))
    assert set(PROMISED) <= set(document)
    assert document["xgen"] == xgen.__version__
    assert document["program"] == "sb.xcfa"
    assert document["model"] == "weak"
    assert document["verdict"] == "violation"
    assert document["demoted"] == ["hb"]
    assert document["demoted_because"] == {"hb": "because"}
    assert document["outcomes"] == [{"state": {"p0:a": 0, "p1:b": 0}, "count": 1, "violations": 1}]
    assert document["exhaustive"] is False
    assert document["max_depth"] == 8
    assert document["stopped"] is None


def test_witness() -> None:
    witness = execution_to_dict(samples.store_buffering())
    assert witness["events"][0] == {
        "id": "init:x", "thread": "init", "kind": "W", "location": "x", "value": 0, "tags": ["init"],
        "source": None, "text": "", "step": -1,
    }  # fmt: skip
    assert witness["events"][3] == {
        "id": "0:1", "thread": "p0", "kind": "R", "location": "y", "value": 0, "tags": [],
        "source": {"line": 5, "column": 5}, "text": "a <- y", "step": 1,
    }  # fmt: skip
    assert [event["id"] for event in witness["events"]] == ["init:x", "init:y", "0:0", "0:1", "1:0", "1:1"]
    assert witness["po"] == [["0:0", "0:1"], ["1:0", "1:1"]]
    assert witness["rf"] == [["init:y", "0:1"], ["init:x", "1:1"]]
    assert witness["mo"] == [["init:x", "0:0"], ["init:y", "1:0"]]
    assert witness["fr"] == [["0:1", "1:0"], ["1:1", "0:0"]]
    assert witness["ends"] == ["ended", "error"]
    assert witness["error"] == {
        "thread": "p1", "location": None, "line": 10, "column": 14, "kind": "assertion",
        "message": "assertion violated", "text": "assert not (b = 0)",
    }  # fmt: skip


def test_the_cause_is_marked_and_everything_is_there() -> None:
    witness = execution_to_dict(samples.noisy())
    assert len(witness["events"]) == 10
    assert witness["cause"] == ["init:x", "0:0", "0:1", "1:0", "1:1"]
    assert execution_to_dict(samples.two_plus_two_writes())["cause"] == [
        *("init:x", "init:y", "init:unused", "0:0", "0:1", "1:0", "1:1", "2:0", "2:1"),
    ]


def test_error_location_is_named() -> None:
    error = execution_to_dict(samples.awkward_names())["error"]
    assert (error["kind"], error["location"], error["line"]) == ("error-location", "L<1>\\", 4)


def test_fences_have_tags_and_no_value() -> None:
    events = {event["id"]: event for event in execution_to_dict(samples.independent_reads())["events"]}
    assert events["3:1"]["tags"] == ["dmb", "full"]
    assert events["3:1"]["location"] is None
    assert events["3:1"]["value"] is None


def test_safe_has_no_witness_and_booleans_stay_booleans() -> None:
    text = render(samples.result(outcomes=(Outcome({"flag": True, "n": 1}, 1),)))
    assert json.loads(text)["witness"] is None
    assert '{"flag": true, "n": 1}' in text


def test_the_text_is_ascii() -> None:
    text = render(samples.violated(witness=samples.awkward_names()))
    assert text.isascii()
    assert json.loads(text)["witness"]["events"][0]["location"] == "größe"
