"""docs/schema.json describes what the commands print with --format json: each key, and no other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import click
import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from cli.fake import run
from xgen.cli import every_command
from xgen.executions.execution import ViolationKind
from xgen.executions.result import Verdict
from xgen.resources import shipped

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "schema.json").read_text(encoding="utf-8"))
RACE = """
var d : int
process a { init loc A final loc B A -> B { 1 -> d } }
process b { var r : int init loc A final loc B A -> B { r <- d } }
"""
FORMULA = "G !(P_0@CS & P_1@CS)"

DOCUMENTS = {
    "check": [
        "check cow2r --mcm weak-a9",
        "check cow2r --mcm weak-a9 --all-states",
        "check mp --mcm nofence --max-depth 1",
        "check spinlock --mcm tso --liveness",
        "check stuck.xcfa --mcm sc --liveness",
        "check race.xcfa --mcm rc11",
        "check msqueue_hp_us --mcm rc11",
        "check ticket_lock --mcm tso --classes rf",
        "check fig_5_1 --mcm sc --cones",
        "check peterson --mcm sc --engine sat",
        "check peterson_us --mcm tso --engine sat",
        "check peterson --mcm sc --sample 5",
        "check peterson --mcm arm8 --all-states --sample 20",
        "check peterson --mcm tso --processes 2",
        "check peterson --mcm tso --all-states --checkpoint new.run",
        "resume new.run",
    ],
    "machines": ["check chaselev --on all --timeout 60", "check msqueue_hp_us --on all --timeout 6"],
    "kinds": ["kinds", "kinds race"],
    "resume-status": ["resume new.run --status"],
    "resume-status-suite": ["resume suite.run --status"],
    "resume-status-search": ["resume search.run --status"],
    "estimate": ["check peterson --mcm tso --estimate"],
    "litmus": [
        "litmus @tests.txt --mcm tso",
        "litmus SB.litmus --mcm tso --expect expected.csv",
        "litmus @tests.txt --mcm tso --checkpoint suite.run",
        "resume suite.run",
    ],
    "explain": ["explain mp --mcm tso", "explain mp --mcm nofence", "explain mp --mcm tso --outcome reader:r1=5"],
    "compare": [
        "compare sc tso",
        "compare sc sc --max-size 3",
        "compare pso tso",
        "compare sc thesis/sc --max-size 4",
        "compare tso tso --timeout 0.0001",
    ],
    "compare-suite": [
        "compare sc tso @tests.txt",
        "compare sc tso @tests.txt --checkpoint pair.run",
        "resume pair.run",
    ],
    "fences": [
        "fences peterson --mcm tso --why",
        "fences spinlock --mcm rc11 --orders --cheapest",
        "fences mp --mcm tso",
        "fences peterson --mcm tso --ltl ended(p0) --why",
        "fences always.xcfa --mcm sc",
    ],
    "linearizable": [
        "linearizable register.c --calls 2",
        "linearizable register.c --calls 2 --on x86 --max-puts 1",
        "linearizable counter.c --calls 2",
        "linearizable register.c --client 'put | get' --spec stack",
        "linearizable register.c --timeout 0.0001",
    ],
    "prove": [
        "prove endless/dekker_fenced --mcm tso --invariant",
        "prove endless/dekker --mcm pso",
        "prove endless/deadlock --mcm tso --deadlock",
        "prove count.xcfa --mcm tso --limit 1000",
    ],
    "prove-system": ["prove flags --mcm tso", "prove flags_fenced --mcm tso --certificate proof.json"],
    "certify": ["certify proof.json"],
    "ltl": [
        "ltl dve/peterson 'G F P_0@CS' --mcm tso",
        f"ltl dve/peterson '{FORMULA}' --mcm tso",
        f"ltl dve/peterson '{FORMULA}' --mcm tso --repair",
        "ltl peterson 'F ended(all)' --mcm sc",
    ],
    "repair": ["repair byzantine", "repair dijkstra --set k=2 --level nonmasking", "repair byzantine --limit 10"],
    "repair-check": ["repair byzantine --check", "repair tmr --check"],
    "models-list": ["models list"],
    "models-show": [f"models show {name}" for name in ("tso", "rc11", "lkmm", "any", "thesis/weak")],
    "models-check": ["models check tso", "models check empty.mcm"],
    "claims": ["test claims.xcfa", "test mp.xcfa peterson.xcfa"],
    "failure": [
        "test absent",
        "check wrong.xcfa --mcm sc",
        "check several.c",
        "check absent.xcfa --mcm sc",
        "check race.xcfa",
        "check endless.xcfa --mcm sc",
        "check race.xcfa --mcm sc --seed 3",
        "check race.xcfa --mcm absent.mcm",
        "resume race.xcfa",
        "litmus absent.litmus",
        "explain wrong.xcfa --mcm sc",
        "compare sc absent",
        "fences wrong.xcfa --mcm sc",
        "prove wrong.xcfa --mcm sc",
        "certify race.xcfa",
        "ltl wrong.xcfa true --mcm sc",
        "repair race.xcfa",
        "models show absent",
        "models check wrong.xcfa",
    ],
}
"""By the definition in the schema, commands that print such a document."""

FILES = {
    "race.xcfa": RACE,
    "always.xcfa": "process p { init loc A error loc E A -> E { } }",
    "count.xcfa": "var x : int process p { var i : int init loc A A -> A { i -> x i := i + 1 } }",
    "endless.xcfa": "process p { var r : int init loc A A -> A { r := r + 1 } }",
    "stuck.xcfa": "var x : int process p { var r : int init loc A final loc B A -> A { r <- x assume r = 0 }"
    " A -> B { r <- x assume r = 1 } }",
    "claims.xcfa": "// verdict sc: violation\n// verdict tso: safe\n// verdict sc: perhaps\n" + RACE,
    "wrong.xcfa": "process p { init loc A\n  A => A }",
    "several.c": "int a, a[2]; int main() { return b + c; } int main() { return 0; }",
    "register.c": "#include <stdatomic.h>\natomic_int x;\nvoid put(int v) { x = v; }\nint get(void) { return x; }\n",
    "counter.c": "#include <stdatomic.h>\natomic_int x;\nint inc(void) { int v = x; x = v + 1; return v; }\n",
    "empty.mcm": 'model "m"\nunused = po\nnever = po \\ po\nnever not empty as no\n',
    "SB.litmus": (shipped("litmus") / "X86" / "SB.litmus").read_text(encoding="utf-8"),
    "odd.litmus": "X86 odd\n{ }\n P0 ;\n FNORD EAX ;\nexists (0:EAX=0)\n",
    "wrong.litmus": "X86 wrong\n{ }\n P0 \nexists\n",
    "tests.txt": "SB.litmus\nodd.litmus\nwrong.litmus\n",
}


def words(command: str) -> list[str]:
    """A command's arguments; what stands in quotes is one."""
    quoted = command.split("'")
    return [word for n, part in enumerate(quoted) for word in ([part] if n % 2 else part.split())]


def validate(name: str, document: Any) -> None:
    """Fails with the first place where a document is not as the schema says."""
    validator = Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{name}"})
    error = best_match(validator.iter_errors(document))
    assert error is None, f"{error.json_path}: {error.message[-300:]}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with the files that the commands name."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert run("litmus", "SB.litmus", "--mcm", "tso", "--save", "expected.csv").exit_code == 0
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_are_as_the_schema_says(name: str) -> None:
    if name == "resume-status":
        run("check", "peterson", "--mcm", "tso", "--checkpoint", "new.run")
    if name == "resume-status-suite":
        run("litmus", "SB.litmus", "--checkpoint", "suite.run")
    if name == "resume-status-search":
        run("compare", "sc", "tso", "--checkpoint", "search.run")
    if name == "certify":
        run("prove", "flags_fenced", "--mcm", "tso", "--certificate", "proof.json")
    for command in DOCUMENTS[name]:
        outcome = run(*words(command), "--format", "json")
        assert outcome.exit_code in (0, 1, 2, 3), command
        assert outcome.stdout.startswith("{"), (command, outcome.stdout, outcome.stderr)
        validate(name, json.loads(outcome.stdout))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_a_document_of_other_keys_is_not_as_the_schema_says() -> None:
    with pytest.raises(AssertionError, match="'more' was unexpected"):
        validate("models-list", {"xgen": "1", "models": [], "more": 1})
    with pytest.raises(AssertionError, match="'models' is a required property"):
        validate("models-list", {"xgen": "1"})


def test_verdicts_and_kinds_of_violations_are_all_listed() -> None:
    defined = SCHEMA["$defs"]
    assert defined["error"]["properties"]["kind"]["enum"] == list(get_args(ViolationKind))
    said = defined["check"]["properties"]["verdict"]["enum"]
    assert [*said, "vacuous"] == list(get_args(Verdict))  # which is a key of its own


def test_every_command_with_a_document_has_a_schema() -> None:
    tried = {" ".join(words(line)[: 2 if line.startswith("models") else 1]) for d in DOCUMENTS.values() for line in d}
    found = {
        name.removeprefix("xgen ")
        for name, command in every_command()
        if any(isinstance(p.type, click.Choice) and "json" in p.type.choices for p in command.params)
    }
    assert {"check", "models list", "repair"} <= found
    assert found <= tried
