"""No execution completes: then no door says "safe", and none exits with 0, whatever the options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from click.testing import Result as Run

import xgen
from xgen.analyses.explain import condition, explain
from xgen.cli import main
from xgen.clock import OutOfTime
from xgen.frontends.litmus import load_litmus
from xgen.serve.work import answer_to

BARRED = 'model "barred"\npo empty as nothing\n'
"""Allows no program with two accesses of a thread."""

PROGRAMS = {
    # file, text, model, whether a thread waits for ever
    "waits.xcfa": (
        "var x : int\nprocess p { var a : int  do { a <- x; } while a /= 2; }\nprocess q { 1 -> x; }\n",
        "sc",
        True,
    ),
    "assumed.xcfa": (
        "var x : int\nprocess p { var a : int  a <- x; assume a = 2; assert a = 2; }\nprocess q { 1 -> x; }\n",
        "tso",
        False,
    ),
    "barred.xcfa": (
        "var x : int\nprocess p { var a : int  1 -> x; a <- x; assert a = 1; }\nprocess q { 1 -> x; }\n",
        "barred.mcm",
        False,
    ),
    # Two components, of which one completes.
    "beside.xcfa": (
        "var x : int  var y : int\nprocess p { var a : int  a <- x; assert a < 2; }\nprocess q { 1 -> x; }\n"
        "process r { var b : int  b <- y; assume b = 1; }\n",
        "sc",
        False,
    ),
    # The cone of p completes, without what r does behind its write.
    "behind.xcfa": (
        "var x : int\nprocess p { var a : int  a <- x; assert a < 2; }\n"
        "process r { var b : int  1 -> x; b <- x; assume b = 3; }\n",
        "tso",
        False,
    ),
    # Both cones complete, but never together.
    "either.xcfa": (
        "var x : int\nprocess p { var a : int  a <- x; assume a = 1; assert a < 2; }\n"
        "process q { var b : int  b <- x; assume b = 2; assert b < 3; }\n"
        "process r { var c : int  havoc c in 1 .. 2; c -> x; }\n",
        "sc",
        False,
    ),
    "waits.c": (
        "#include <stdatomic.h>\n#include <assert.h>\natomic_int x;\n"
        "int main(void) { while (!atomic_load(&x)); assert(x == 1); return 0; }\n",
        "rc11",
        True,
    ),
    "waits.litmus": (
        "C waits\n{ }\nP0(atomic_int *x) { int r0 = 0; while (r0 == 0) { r0 = atomic_load(x); } }\n~exists (0:r0=1)\n",
        "rc11",
        True,
    ),
}
CUT = {
    "endless.xcfa": (
        "var x : int  var y : int\nprocess p { var a : int  a <- x; assert a < 2; }\nprocess q { 1 -> x; }\n"
        "process r { while true { 1 -> y; } }\n",
        "sc",
        False,
    ),
    "long.xcfa": (
        "var x : int\nprocess p { 1 -> x; 1 -> x; 1 -> x; 1 -> x; 1 -> x; }\n"
        "process q { var a : int  a <- x; assert a < 2; }\n",
        "pso",
        False,
    ),
}
COMPLETE = {
    "done.xcfa": (
        "var x : int  var y : int\nprocess p { var a : int  do { a <- x; } while a /= 1; assert a = 1; }\n"
        "process q { 1 -> x; }\nprocess r { var b : int  b <- y; assert b < 2; }\n",
        "sc",
        False,
    ),
    "done.c": (
        "#include <stdatomic.h>\n#include <assert.h>\natomic_int x;\n"
        "int main(void) { atomic_store(&x, 1); while (!atomic_load(&x)); assert(x == 1); return 0; }\n",
        "rc11",
        False,
    ),
}
OPTIONS = [
    [],
    ["--all-states"],
    ["--filter", "final"],
    ["--workers", "2"],
    ["--classes", "off"],
    ["--classes", "auto", "--symmetry"],
    ["--classes", "rf"],
    ["--classes", "values"],
    ["--classes", "seen"],
    ["--classes", "seen", "--no-symmetry", "--all-states"],
    ["--cones"],
    ["--cones", "--classes", "rf"],
    ["--cones", "--classes", "seen", "--workers", "2"],
    ["--sample", "3"],
    ["--memory-limit", "200M"],
    ["--processes", "2", "--classes", "rf"],
    ["--checkpoint", "kept.run"],
    ["--complete", "-v", "--explain"],
    ["--all-states", "--html", "page.html", "--dot", "pictures"],
]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, (text, _, _) in (PROGRAMS | CUT | COMPLETE).items():
        Path(name).write_text(text, encoding="utf-8")
    Path("barred.mcm").write_text(BARRED, encoding="utf-8")


def run(*words: str) -> Run:
    return CliRunner().invoke(main, list(words), catch_exceptions=False)


def answer(name: str, *options: str) -> tuple[Run, dict[str, Any]]:
    """What a check prints, and its document; the file of a run that is kept is for one of them."""
    model = (PROGRAMS | CUT | COMPLETE)[name][1]
    words = ["check", name, "--mcm", model, *options]
    told = run(*words)
    Path("kept.run").unlink(missing_ok=True)
    return told, json.loads(run(*words, "--format", "json").stdout)


def says_nothing(told: Run, document: dict[str, Any]) -> bool:
    """Whether both say that no execution completes."""
    head = told.stdout.splitlines()[0]
    assert told.exit_code == 3, told.stdout
    assert document["verdict"] in ("safe", "safe-within-bound", "interrupted")
    return document["vacuous"] and head.startswith("no execution completes")


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_option_makes_it_safe(name: str, options: list[str]) -> None:
    told, document = answer(name, *options)
    assert says_nothing(told, document) or "--sample" in options
    assert "exhaustive" in told.stdout.splitlines()[0]


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
@pytest.mark.parametrize("name", CUT)
def test_nor_does_a_bound(name: str, options: list[str]) -> None:
    told, document = answer(name, "--max-depth", "4", *options)
    if "--sample" in options:
        assert (told.exit_code, document["verdict"], document["vacuous"]) == (3, "interrupted", False)
        return
    assert says_nothing(told, document)
    assert (document["verdict"], document["exhaustive"]) == ("safe-within-bound", False)
    assert "within the bound of 4 events per thread" in told.stdout.splitlines()[0]
    assert any("`xgen prove` needs no bound" in warning for warning in document["warnings"])


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
@pytest.mark.parametrize("name", COMPLETE)
def test_what_completes_is_safe(name: str, options: list[str]) -> None:
    told, document = answer(name, *options)
    if "--sample" in options:
        assert (told.exit_code, document["verdict"]) == (3, "interrupted")
        return
    assert (told.exit_code, document["verdict"], document["vacuous"]) == (0, "safe", False)
    assert told.stdout.startswith("safe (")


@pytest.mark.parametrize("name", PROGRAMS)
def test_waiting_for_ever_is_another_question(name: str) -> None:
    """It has an answer: a violation. Where no thread waits so, there is none."""
    told, document = answer(name, "--liveness")
    if PROGRAMS[name][2]:
        assert (told.exit_code, document["verdict"]) == (1, "violation")
    else:
        assert says_nothing(told, document)


def test_a_run_that_goes_on() -> None:
    assert run("check", "waits.xcfa", "--mcm", "sc", "--checkpoint", "kept.run").exit_code == 3
    done = run("resume", "kept.run")
    assert (done.exit_code, done.stdout.split(":")[0]) == (3, "no execution completes")


def test_a_thread_without_an_end_beside_a_cone() -> None:
    """No execution is found that completes: that there is none is not known. Of some threads the text shows it."""
    told, document = answer("endless.xcfa", "--cones")
    assert (told.exit_code, document["verdict"], document["stopped"]) == (3, "interrupted", "incomplete")
    assert (document["vacuous"], document["exhaustive"]) == (False, False)
    assert told.stdout.startswith("no answer: nothing goes wrong in a cone, but no execution of the whole was found")
    assert "r went round a loop 64 times" in told.stdout
    text = PROGRAMS["beside.xcfa"][0] + "process s { init loc A  A -> A { 1 -> y } }\n"
    Path("beside.xcfa").write_text(text, encoding="utf-8")
    told, document = answer("beside.xcfa", "--cones")
    assert says_nothing(told, document)
    assert "s has no end" in document["warnings"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_in_python(name: str) -> None:
    program, model = xgen.load(name), xgen.model(PROGRAMS[name][1])
    for classes in ("auto", "off", "rf", "seen"):
        for cones in (False, True):
            found = xgen.check(program, model, classes=classes, cones=cones)  # type: ignore[arg-type]
            assert (found.verdict, found.vacuous) == ("vacuous", True)
    bounded = xgen.check(xgen.load("endless.xcfa"), xgen.model("sc"), max_depth=3)
    assert (bounded.verdict, bounded.vacuous, bounded.cut, bounded.exhaustive) == ("vacuous", True, True, False)
    assert "no execution completes within the bound" in bounded._repr_html_()


# ---- the other doors


@pytest.mark.parametrize("name", ["waits.xcfa", "barred.xcfa", "waits.litmus", "waits.c"])
def test_fences(name: str) -> None:
    words = ["fences", name, "--mcm", PROGRAMS[name][1]]
    told, document = run(*words), json.loads(run(*words, "--format", "json").stdout)
    assert told.exit_code == 3
    assert told.stdout.startswith("that no fence is needed says nothing: no execution completes")
    assert (document["verdict"], document["vacuous"]) == ("safe", True)
    found = xgen.fences(xgen.load(name), xgen.model(PROGRAMS[name][1]))
    assert (found.verdict, [placement.vacuous for placement in found.placements]) == ("vacuous", [True])


SB_THEN_WAITS = """
var x : int
var y : int
var z : int
process p { var a : int  1 -> x; a <- y; a + 1 -> z; }
process q { var b : int  var c : int  1 -> y; b <- x; c <- z; assert b = 1 or c /= 1; WAIT }
"""


@pytest.mark.parametrize(
    ("waits", "options", "verdict"),
    [
        ("", [], "fenced"),
        ("assume c = 5;", [], "vacuous"),
        ("", ["--max-depth", "6"], "fenced"),
        ("while true { c -> z; }", ["--max-depth", "6"], "vacuous"),
        ("while true { c -> z; }", ["--unbounded"], "fenced"),  # a proof needs no execution that completes
    ],
)
def test_fences_that_are_needed(waits: str, options: list[str], verdict: str) -> None:
    Path("sb.xcfa").write_text(SB_THEN_WAITS.replace("WAIT", waits), encoding="utf-8")
    told = run("fences", "sb.xcfa", "--mcm", "tso", *options)
    document = json.loads(run("fences", "sb.xcfa", "--mcm", "tso", *options, "--format", "json").stdout)
    assert (told.exit_code, document["vacuous"]) == ((3, True) if verdict == "vacuous" else (0, False))
    assert [p["vacuous"] for p in document["placements"]] == [verdict == "vacuous"] * len(document["placements"])
    assert document["placements"][0]["atoms"]
    assert document["verdict"] == (
        "fenced-within-bound" if waits.startswith("while true") and options != ["--unbounded"] else "fenced"
    )
    assert ("but with any of them no execution completes" in told.stdout.splitlines()[0]) == (verdict == "vacuous")


SB = """X86 SB
{ }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
QUESTION (0:EAX=0 /\\ 1:EAX=0)
"""


@pytest.mark.parametrize("question", ["exists", "~exists", "forall"])
def test_litmus(question: str) -> None:
    Path("sb.litmus").write_text(SB.replace("QUESTION", question), encoding="utf-8")
    words = ["litmus", "sb.litmus", "--mcm", "barred.mcm"]
    told, (entry,) = run(*words), json.loads(run(*words, "--format", "json").stdout)["tests"]
    assert told.exit_code == 3
    assert told.stdout.startswith("No answer: no execution of barred completes that counts (herd: ")
    assert (entry["vacuous"], entry["positive"], entry["negative"]) == (True, 0, 0)
    assert entry["verdict"] == {"exists": "No", "~exists": "Ok", "forall": "Ok"}[question]
    assert run(*words, "--format", "herd").exit_code == 3
    assert run(*words, "--processes", "2", "--checkpoint", "kept.run").exit_code == 3
    assert run("resume", "kept.run").exit_code == 3
    (found,) = xgen.litmus("sb.litmus", "barred.mcm")
    assert (found.vacuous, found.verdict) == (True, entry["verdict"])


def test_litmus_and_what_is_expected() -> None:
    """A verdict that says nothing is not the one that is expected, unless that is what is expected."""
    Path("sb.litmus").write_text(SB.replace("QUESTION", "~exists"), encoding="utf-8")
    words = ["litmus", "sb.litmus", "--mcm", "barred.mcm"]
    assert run(*words, "--save", "now.csv", "--junit", "report.xml").exit_code == 3
    assert Path("now.csv").read_text(encoding="utf-8") == "path,verdict\nsb.litmus,vacuous\n"
    assert '<error message="no execution completes that counts" />' in Path("report.xml").read_text(encoding="utf-8")
    assert run(*words, "--expect", "now.csv").exit_code == 0
    Path("then.csv").write_text("path,verdict\nsb.litmus,Ok\n", encoding="utf-8")
    told = run(*words, "--expect", "then.csv")
    assert told.exit_code == 1
    assert "expected Ok  is vacuous" in told.stdout


def test_many_litmus_tests() -> None:
    """Each is in the table without an answer; what the filter leaves out does not count either."""
    Path("sb.litmus").write_text(SB.replace("QUESTION", "~exists"), encoding="utf-8")
    Path("filter.litmus").write_text(SB.replace("QUESTION", "filter (0:EAX=7)\nexists"), encoding="utf-8")
    told = run("litmus", "sb.litmus", "filter.litmus", "--mcm", "tso")
    assert told.exit_code == 3
    assert told.stdout.startswith("2 tests: 1 No, 1 vacuous (")
    assert "filter.litmus  vacuous  no execution completes that counts" in told.stdout


@pytest.mark.parametrize(
    ("models", "code", "verdict"), [(["barred.mcm"] * 2, 3, "same"), (["barred.mcm", "sc"], 1, "different")]
)
def test_compare(models: list[str], code: int, verdict: str) -> None:
    Path("sb.litmus").write_text(SB.replace("QUESTION", "exists"), encoding="utf-8")
    assert run("compare", *models, "sb.litmus").exit_code == code
    document = json.loads(run("compare", *models, "sb.litmus", "--format", "json").stdout)
    assert document["verdict"] == verdict
    assert document["tests"][0]["differs"] == (True if code == 1 else None)


def test_explain() -> None:
    told = run("explain", "assumed.xcfa", "--mcm", "tso")
    assert told.exit_code == 3
    assert "warning: no execution of tso completes: that it forbids this one says nothing" in told.stdout
    document = json.loads(run("explain", "assumed.xcfa", "--mcm", "tso", "--format", "json").stdout)
    assert (document["answer"], document["vacuous"]) == ("impossible", True)
    done = json.loads(run("explain", "done.xcfa", "--mcm", "sc", "--format", "json").stdout)
    assert (done["answer"], done["vacuous"]) == ("impossible", False)
    assert explain(condition(load_litmus(Path("waits.litmus")), xgen.model("rc11"))).vacuous


@pytest.mark.parametrize("name", [*PROGRAMS, *COMPLETE])
def test_the_playground(name: str) -> None:
    text, model, _ = (PROGRAMS | COMPLETE)[name]
    chosen = {"model_text": BARRED} if model == "barred.mcm" else {"model": model}
    told = answer_to({"task": "check", "program": text, **chosen}, 20.0)
    if name in COMPLETE:
        assert (told["verdict"], told["bad"]) == ("safe", False)
        return
    assert (told["verdict"], told["bad"]) == ("vacuous", False)
    assert "no execution" in told["sentence"]


@pytest.mark.parametrize("form", ["text", "json"])
def test_tests_that_are_not_compiled_in_time(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_slow(*_: object, **__: object) -> list[object]:
        raise OutOfTime

    monkeypatch.setattr(xgen, "list_tests", too_slow)
    file = tmp_path / "tests.rs"
    file.write_text("#[test] fn one() {}")
    done = CliRunner().invoke(main, ["check", str(file), "--timeout", "1", "--format", form])
    assert done.exit_code == 3
    assert "out of time: the tests are not compiled yet" in done.stderr
    if form == "json":
        assert json.loads(done.stdout)["tests"] == []


def test_several_tests_are_not_asked_on_all_machines(tmp_path: Path) -> None:
    file = tmp_path / "tests.rs"
    file.write_text("#[test] fn one() {}\n#[test] fn two() {}\n")
    done = CliRunner().invoke(main, ["check", str(file), "--on", "all"])
    assert done.exit_code == 2
    assert "--on all asks about one test: --test NAME names it." in done.stderr


GOES_ON = "while true { b <- x; 1 -> y; }"


def test_what_was_found_before_the_time_was_over_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """To look for loops that go on took longer than what a check may take after its time, and all was lost."""
    threads = (
        "process p { 1 -> x; }",
        f"process q {{ var b : int  b <- x; assert b = 0; {GOES_ON} }}",
        f"process r {{ var b : int  {GOES_ON} }}",
    )
    Path("on.xcfa").write_text("\n".join(("var x : int  var y : int", *threads)), encoding="utf-8")
    monkeypatch.setattr("xgen.engine.graphs.diagnosis.LOOK_GRAPHS", 10**9)
    monkeypatch.setattr("xgen.engine.graphs.diagnosis.LOOK", 10.0)
    monkeypatch.setattr("xgen.clock.GRACE", 5.0)  # for a machine that has much else to do
    done = run("check", "on.xcfa", "--mcm", "arm8", "--all-states", "--timeout", "3", "--format", "json")
    document = json.loads(done.stdout)
    assert (document["verdict"], document["stopped"], done.exit_code) == ("violation", "timeout", 1)
    assert document["violations"] > 0
    assert document["explored"] > 0
