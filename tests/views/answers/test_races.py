"""A race in every view of a result: both events, both places, and an edge between them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.fake import run

import xgen
from tests.views.pages.test_html import data_of
from xgen import Execution, Result
from xgen.views.answers.json import execution_from_dict, result_to_dict
from xgen.views.answers.text import render, verdict_line
from xgen.views.drawing.dot import execution_to_dot
from xgen.views.drawing.svg import execution_to_svg
from xgen.views.pages.html import result_to_html

TEXT = """var d : int
process p { init loc A final loc E
  A -> E { 1 -> d } }
process q { var a : int init loc A final loc E
  A -> E { a <- d } }
"""


@pytest.fixture
def result() -> Result:
    return xgen.check(xgen.parse(TEXT), xgen.model("rc11"), all_states=True)


def witness_of(result: Result) -> Execution:
    assert result.witness is not None
    return result.witness


def test_text(result: Result) -> None:
    assert verdict_line(result).startswith("violation: data race on d at <text>:3:12 and <text>:5:12 (model rc11, ")
    text = render(result)
    assert "  ** data race on d: p line 3, q line 5 **" in text.splitlines()
    end = text[text.index("<text>:5:12: ") :].splitlines()
    assert end[:6] == [
        "<text>:5:12: error: data race on d in q [race]",
        "    5 |   A -> E { a <- d } }",
        "      |            ^^^^^^",
        "<text>:3:12: note: the other access, in p",
        "    3 |   A -> E { 1 -> d } }",
        "      |            ^^^^^^",
    ]
    assert end[6].startswith("  `1 -> d` and `a <- d` have no memory order; under rc11")


def test_json_and_back(result: Result) -> None:
    witness = result_to_dict(result)["witness"]
    error = witness["error"]
    assert (error["kind"], error["events"], error["location"], error["thread"]) == ("race", ["0:0", "1:0"], "d", "q")
    again = execution_from_dict(json.loads(json.dumps(witness)), "t.xcfa")
    assert again.races == witness_of(result).races == ((1, 2),)
    assert [v.events for v in again.violations] == [("0:0", "1:0")]
    assert "data race on d, lines 3 and 5" in execution_to_svg(again)


def test_pictures(result: Result) -> None:
    svg = execution_to_svg(witness_of(result))
    assert '<g class="relation data-race" data-relation="data-race">' in svg
    assert 'data-from="0:0" data-to="1:0"' in svg
    assert svg.count('<g class="violation"') == 2
    assert "data race on d, lines 3 and 5" in svg
    dot = execution_to_dot(witness_of(result))
    assert '"0:0" -> "1:0" [color="#b2182b"' in dot
    assert dot.count("doubleoctagon") == 2
    edges = witness_of(result).to_networkx().edges(keys=True)
    assert ("0:0", "1:0", "rf") in edges


def test_page(result: Result) -> None:
    page = result_to_html(result, xgen.model("rc11"))
    data = data_of(page)
    assert "data-race" in data["shown"]
    assert [(count, remark) for count, remark, _, _ in data["groups"]] == [(1, "violation"), (1, "violation")]
    assert [len(ending["races"]) for ending in data["endings"]] == [1]


def test_a_page_without_a_race_has_no_such_relation() -> None:
    safe = xgen.check(xgen.parse(TEXT.replace(" d }", " d @ relaxed }")), xgen.model("rc11"), all_states=True)
    assert safe.verdict == "safe"
    assert "data-race" not in data_of(result_to_html(safe, xgen.model("rc11")))["shown"]


def test_commands(tmp_path: Path) -> None:
    path, saved = tmp_path / "race.xcfa", tmp_path / "race.json"
    path.write_text(TEXT)
    assert run("check", str(path), "--mcm", "rc11").exit_code == 1
    quiet = run("check", str(path), "--mcm", "rc11", "-q")
    assert (quiet.exit_code, quiet.stdout.count("\n")) == (1, 1)
    assert quiet.stdout.startswith("violation: data race on d at ")
    found = run("check", str(path), "--mcm", "rc11", "--format", "json")
    assert (found.exit_code, json.loads(found.stdout)["verdict"]) == (1, "violation")
    saved.write_text(found.stdout)
    assert "data race on d" in run("show", str(saved)).stdout
    asked = run("explain", str(path), "--mcm", "rc11")
    assert asked.stdout.startswith("allowed by rc11: a violation; it raises `data_race`, which leaves the program")
    assert run("check", str(path), "--mcm", "sc").exit_code == 0
