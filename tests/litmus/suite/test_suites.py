"""Suites: finding tests, expectations, several processes, and what the command prints."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from litmus.suite.killed import Killed
from xgen.analyses.suite.file import KeptSuite
from xgen.analyses.suite.litmus import LitmusResult
from xgen.analyses.suite.runner import Spread, run_suite, run_tests, with_texts
from xgen.analyses.suite.suite import Item, find_tests, outcome_of, read_expectations, run_file
from xgen.cli import main
from xgen.clock import OutOfTime
from xgen.engine.graphs.run import Run
from xgen.errors import InternalError, LimitError, ProgramError, Source, TooLongError, UsageError, XgenError
from xgen.frontends.litmus import read_litmus
from xgen.frontends.litmus.test import LitmusTest

SB = """X86 SB
{}
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
"""
MP = """X86 MP
{}
 P0         | P1          ;
 MOV [x],$1 | MOV EAX,[y] ;
 MOV [y],$1 | MOV EBX,[x] ;
~exists (1:EAX=1 /\\ 1:EBX=0)
"""
BAD = "X86 bad\n{}\nP0 ;\nMOV EAX ;\nexists (x=1)\n"
STRANGE = "X86 strange\n{}\nP0 ;\nVMOV EAX,[x] ;\nexists (x=1)\n"


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two good tests, one in a folder of its own; the current folder is above it."""
    (tmp_path / "suite" / "more").mkdir(parents=True)
    (tmp_path / "suite" / "SB.litmus").write_text(SB)
    (tmp_path / "suite" / "more" / "MP.litmus").write_text(MP)
    (tmp_path / "suite" / "notes.txt").write_text("not a test")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "suite"


def xgen(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["litmus", *arguments])


@pytest.mark.usefixtures("suite")
def test_paths() -> None:
    assert find_tests(["suite"]) == ["suite/SB.litmus", "suite/more/MP.litmus"]
    assert find_tests(["suite/more", "suite/SB.litmus"]) == ["suite/more/MP.litmus", "suite/SB.litmus"]
    Path("suite/all").write_text("# two\n\nmore/MP.litmus\n SB.litmus\n")
    assert find_tests(["@suite/all"]) == ["suite/more/MP.litmus", "suite/SB.litmus"]


@pytest.mark.usefixtures("suite")
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nowhere", "there is no such file or folder"),
        ("empty", "there are no litmus tests (*.litmus) in this folder"),
        ("@nowhere", "there is no such file"),
        ("@none", "there are no tests in this list"),
        ("@wrong", "there is no such file: gone.litmus"),
    ],
)
def test_paths_to_nothing(path: str, message: str) -> None:
    Path("empty").mkdir()
    Path("none").write_text("# nothing\n")
    Path("wrong").write_text("suite\n  gone.litmus\n")
    with pytest.raises(UsageError) as error:
        find_tests([path])
    assert error.value.message == message
    if path == "@wrong":
        assert (error.value.line, error.value.column) == (2, 3)


@pytest.mark.usefixtures("suite")
def test_one_bad_test_stops_nothing() -> None:
    Path("suite/bad.litmus").write_text(BAD)
    Path("suite/strange.litmus").write_text(STRANGE)
    Path("suite/binary.litmus").write_bytes(b"\0\1")
    Path("suite/latin.litmus").write_bytes(SB.encode() + b"\xe9")
    results = {result.path: result for result in run_suite(find_tests(["suite"]), "tso")}
    assert results["suite/SB.litmus"].verdict == "Ok"
    assert results["suite/bad.litmus"].error == "4:1: `mov` takes 2 operands, not 1"
    assert (
        results["suite/strange.litmus"].unsupported
        == "4:1: the instruction `VMOV` is not supported (did you mean `mov`?)"
    )
    assert results["suite/binary.litmus"].error == "this is a binary file, not a text"
    assert results["suite/latin.litmus"].error == "7:1: this is not UTF-8 text (save the file as UTF-8)"
    run = xgen("suite", "--mcm", "tso")
    assert run.exit_code == 2
    assert run.stdout.startswith("6 tests: 2 Ok, 1 unsupported, 3 error (")
    assert "suite/strange.litmus  unsupported  4:1: the instruction `VMOV` is not supported" in run.stdout


@pytest.mark.usefixtures("suite")
def test_processes_give_the_same() -> None:
    for number in range(20):
        Path(f"suite/{number}.litmus").write_text(SB.replace("SB", f"SB{number}") if number % 3 else MP)
    tests = find_tests(["suite"])
    seen: list[str] = []
    several = list(run_suite(tests, "tso", Spread(processes=2), lambda result: seen.append(result.path)))
    assert [(r.path, r.verdict, r.states) for r in several] == [
        (r.path, r.verdict, r.states) for r in run_suite(tests, "tso")
    ]
    assert sorted(seen) == sorted(tests)


@pytest.mark.usefixtures("suite")
def test_the_architecture_chooses_the_model() -> None:
    assert run_file("suite/SB.litmus").model == "tso"
    assert run_file("suite/SB.litmus", "sc").verdict == "No"


@pytest.mark.usefixtures("suite")
def test_expectations() -> None:
    assert xgen("suite", "--save", "suite/verdicts.csv").exit_code == 0
    assert Path("suite/verdicts.csv").read_text() == "path,verdict\nSB.litmus,Ok\nmore/MP.litmus,Ok\n"
    run = xgen("suite", "--expect", "suite/verdicts.csv")
    assert run.exit_code == 0
    assert "2 tests: 2 Ok; 2 as expected, 0 different" in run.stdout
    run = xgen("suite", "--expect", "suite/verdicts.csv", "--mcm", "sc")
    assert run.exit_code == 1
    assert run.stdout.split("\n\n")[1] == ("different from what is expected:\nsuite/SB.litmus  expected Ok  is No")


@pytest.mark.usefixtures("suite")
def test_what_cannot_be_run_may_be_expected() -> None:
    Path("suite/strange.litmus").write_text(STRANGE)
    assert xgen("suite", "--save", "all.jsonl").exit_code == 2
    rows = [json.loads(line) for line in Path("all.jsonl").read_text().splitlines()]
    assert [row["verdict"] for row in rows] == ["Ok", "Ok", "unsupported"]
    assert xgen("suite", "--expect", "all.jsonl").exit_code == 0


@pytest.mark.usefixtures("suite")
@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "there are no expectations in this file"),
        ("SB.litmus\n", 1, "this line has no verdict"),
        ("path,verdict\nSB.litmus,Yes\n", 2, "`Yes` is not a verdict"),
        ('{"path": "SB.litmus", "verdict": "Ok"}\n{"path": 1', 2, "this line is no expectation"),
    ],
)
def test_expectations_that_are_none(text: str, line: int | None, message: str) -> None:
    Path("expect").write_text(text)
    with pytest.raises(UsageError) as error:
        read_expectations("expect")
    assert (error.value.message, error.value.line) == (message, line)


@pytest.mark.usefixtures("suite")
def test_herd_format() -> None:
    run = xgen("suite/more/MP.litmus", "suite/SB.litmus", "--mcm", "sc", "--format", "herd")
    lines = run.stdout.splitlines()
    assert lines[:10] == [
        "Test MP Forbidden",
        "States 3",
        "1:EAX=0; 1:EBX=0;",
        "1:EAX=0; 1:EBX=1;",
        "1:EAX=1; 1:EBX=1;",
        "Ok",
        "Witnesses",
        "Positive: 3 Negative: 0",
        "Condition ~exists (1:EAX=1 /\\ 1:EBX=0)",
        "Observation MP Never 0 3",
    ]
    assert re.fullmatch(r"Time MP \d+\.\d\d", lines[10])
    assert lines[11:13] == ["", "Test SB Allowed"]


@pytest.mark.usefixtures("suite")
def test_json() -> None:
    Path("suite/bad.litmus").write_text(BAD)
    run = xgen("suite/SB.litmus", "suite/bad.litmus", "--format", "json")
    good, bad = json.loads(run.stdout)["tests"]
    assert good.pop("seconds") > 0
    assert good == {
        "name": "SB",
        "path": "suite/SB.litmus",
        "arch": "X86",
        "model": "tso",
        "kind": "Allowed",
        "condition": "exists (0:EAX=0 /\\ 1:EAX=0)",
        "verdict": "Ok",
        "observation": ["Sometimes", 1, 3],
        "positive": 1,
        "negative": 3,
        "states": [
            {"state": "0:EAX=0; 1:EAX=0;", "count": 1},
            {"state": "0:EAX=0; 1:EAX=1;", "count": 1},
            {"state": "0:EAX=1; 1:EAX=0;", "count": 1},
            {"state": "0:EAX=1; 1:EAX=1;", "count": 1},
        ],
        "flags": [],
        "waits": [],
        "thin_air": None,
        "expected": None,
        "ok": None,
        "vacuous": False,
        "stopped": None,
        "decided": None,
        "unsupported": None,
        "error": None,
        "too_large": False,
    }
    forbidden = json.loads(xgen("suite/more/MP.litmus", "--format", "json").stdout)["tests"][0]
    assert (forbidden["observation"], forbidden["positive"], forbidden["negative"]) == (["Never", 0, 3], 3, 0)
    assert (bad["verdict"], bad["observation"], bad["error"]) == (None, None, "4:1: `mov` takes 2 operands, not 1")
    assert run.exit_code == 2


@pytest.mark.usefixtures("suite")
def test_junit() -> None:
    Path("suite/bad.litmus").write_text(BAD)
    Path("suite/strange.litmus").write_text(STRANGE)
    Path("expect.csv").write_text("suite/SB.litmus,No\n")
    assert xgen("suite", "--expect", "expect.csv", "--junit", "report.xml").exit_code == 1
    report = ElementTree.parse("report.xml").getroot()
    counts = {key: report.get(key) for key in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "4", "failures": "1", "errors": "1", "skipped": "1"}
    assert {case.get("name"): [part.get("message") for part in case] for case in report} == {
        "suite/SB.litmus": ["expected No, is Ok"],
        "suite/bad.litmus": ["4:1: `mov` takes 2 operands, not 1"],
        "suite/more/MP.litmus": [],
        "suite/strange.litmus": ["4:1: the instruction `VMOV` is not supported (did you mean `mov`?)"],
    }


@pytest.mark.usefixtures("suite")
def test_out_of_time() -> None:
    cells = "\n".join(" | ".join(f"MOV [x],${t}{n}" for t in range(1, 9)) + " ;" for n in range(4))
    Path("slow.litmus").write_text(f"X86 slow\n{{}}\n{' | '.join(f'P{t}' for t in range(8))} ;\n{cells}\nexists (x=1)")
    run = xgen("slow.litmus", "suite/SB.litmus", "--timeout", "0.2")
    assert run.exit_code == 3
    assert run.stdout.startswith("2 tests: 1 Ok, 1 timeout (")
    assert "slow.litmus  timeout  out of time" in run.stdout


@pytest.mark.usefixtures("suite")
def test_usage() -> None:
    assert xgen().exit_code == 2
    run = xgen("suite", "--mcm", "tsoo")
    assert (run.exit_code, "there is no memory model `tsoo`" in run.stderr) == (2, True)


@pytest.mark.usefixtures("suite")
@pytest.mark.parametrize(("kills", "verdict"), [("", "Ok"), ("x", "Ok"), ("xx", "Ok"), ("xxx", None)])
def test_a_process_that_is_killed_costs_no_other_test(
    kills: str, verdict: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A test is tried again, three times in all."""
    monkeypatch.setattr("xgen.analyses.suite.runner.Runner", Killed)
    Path("kills").write_text(kills)
    first, second = run_suite(find_tests(["suite"]), "tso", Spread(processes=2))
    assert (first.verdict, second.verdict) == (verdict, "Ok")
    if verdict is None:
        assert first.error == "the process that ran it has died 3 times (signal 9), for lack of memory?"
        assert outcome_of(first) == "error"
    assert multiprocessing.active_children() == []


@pytest.mark.usefixtures("suite")
def test_a_suite_that_is_kept_goes_on() -> None:
    """What was answered is not asked again; what had no time, or killed its processes, is."""
    tests = with_texts([Item(path, "tso") for path in find_tests(["suite"])])
    plain = list(run_tests(tests, Spread()))
    suite = KeptSuite.begin(Path("suite.run"), {}, tests)
    results = run_tests(tests, Spread(kept=suite))
    first = next(results)
    results.close()
    suite.close()
    suite = KeptSuite.resume(Path("suite.run"))
    assert suite.tests() == tests
    assert suite.results() == {0: first}
    assert suite.about()["done"] is False
    seen: list[LitmusResult] = []
    again = list(run_tests(tests, Spread(kept=suite), seen.append))
    assert (again[0], [result.path for result in seen]) == (first, ["suite/more/MP.litmus"])
    assert [replace(r, seconds=0.0) for r in again] == [replace(r, seconds=0.0) for r in plain]
    assert suite.about()["done"] is True
    suite.commit({0: replace(first, verdict=None, stopped="timeout"), 1: replace(first, error="died", lost=True)})
    assert suite.results() == {}
    suite.close()


@pytest.mark.usefixtures("suite")
def test_texts_that_are_kept_are_those_that_are_run() -> None:
    tests = with_texts([Item(path, None) for path in find_tests(["suite"])] + [Item("suite/none", None)])
    assert [test.text for test in tests] == [SB, MP, None]
    for path in ("suite/SB.litmus", "suite/more/MP.litmus"):
        Path(path).unlink()
    for how in (Spread(), Spread(processes=2), Spread(memory=10**9)):
        found = list(run_tests(tests, how))
        assert [(result.verdict, result.error) for result in found] == [
            ("Ok", None), ("Ok", None), (None, "there is no such file"),
        ]  # fmt: skip


@pytest.mark.usefixtures("suite")
@pytest.mark.parametrize(
    ("error", "outcome", "code"),
    [
        (ValueError("one"), "error", 4),
        (InternalError("one"), "error", 4),
        (MemoryError(), "error", 3),
        (TooLongError("it goes on"), "unsupported", 3),
        (LimitError("it is too large"), "unsupported", 2),
        (RecursionError(), "unsupported", 2),
        (OutOfTime(), "timeout", 3),
    ],
)
def test_a_mistake_of_our_own_costs_one_test(
    error: BaseException, outcome: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That no verdict is as expected is no answer either: 1 is for verdicts only."""

    def mistaken(source: Source) -> LitmusTest:
        if source.name.endswith("SB.litmus"):
            raise error
        return read_litmus(source)

    Path("all.csv").write_text("path,verdict\nsuite/SB.litmus,Ok\nsuite/more/MP.litmus,Ok\n")
    monkeypatch.setattr("xgen.frontends.litmus.read_litmus", mistaken)
    first, second = run_suite(find_tests(["suite"]), "tso")
    assert (outcome_of(first), second.verdict) == (outcome, "Ok")
    assert first.own_error == (code == 4)
    assert xgen("suite", "--mcm", "tso").exit_code == code
    assert xgen("suite", "--mcm", "tso", "--expect", "all.csv").exit_code == (4 if code == 4 else 1)


@pytest.mark.usefixtures("suite")
def test_ctrl_c_leaves_the_running_test_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is neither a test that ran out of time nor one without an answer."""
    ends = Run.ends_within
    runs: list[Run] = []

    def interrupted(self: Run, seconds: float) -> bool:
        runs.append(self)
        if len(runs) == 2:
            self.stopped = "interrupt"
            return True
        return ends(self, seconds)

    monkeypatch.setattr(Run, "ends_within", interrupted)
    run = xgen("suite", "--mcm", "tso")
    assert run.exit_code == 3
    assert run.stdout.startswith(
        "Yes: tso allows 0:EAX=0 /\\ 1:EAX=0 (in 1 of 4 executions; herd: Ok, Sometimes)\n\ntest SB: 4 states\n"
    )
    assert "timeout" not in run.stdout
    assert run.stderr == "interrupted after 1 of 2 tests\n"


@pytest.mark.usefixtures("suite")
def test_ctrl_c_before_the_first_test_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Run, seconds: float) -> bool:  # noqa: ARG001
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "ends_within", interrupted)
    run = xgen("suite", "--mcm", "tso")
    assert (run.exit_code, run.stdout, run.stderr) == (3, "", "interrupted after 0 of 2 tests\n")


@pytest.mark.usefixtures("suite")
def test_reading_counts_for_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(source: Source) -> LitmusTest:
        while True:
            assert source

    monkeypatch.setattr("xgen.clock.GRACE", 0.0)
    monkeypatch.setattr("xgen.frontends.litmus.read_litmus", endless)
    result = run_file("suite/SB.litmus", "tso", timeout=0.05)
    assert outcome_of(result) == "timeout"


EXPECTATIONS = [
    ('{"path": "a\\u0000b", "verdict": "Ok"}', "this line names no file", 1),
    ('{"path": "\\ud800", "verdict": "Ok"}', "this line names no file", 1),
    ('{"path":' * 50_000, "this line is no expectation", 1),
    ('{"path": "a", "verdict": "Ok"}\n{"path": ' + "9" * 5000 + "}", "this line is no expectation", 2),
    ('a,Ok\n"' + "x" * 200_000 + '",Ok', "this line cannot be read: field larger than field limit (131072)", 2),
]


@pytest.mark.parametrize(("text", "message", "line"), EXPECTATIONS)
def test_strange_expectations(text: str, message: str, line: int, tmp_path: Path) -> None:
    (tmp_path / "strange").write_text(text)
    with pytest.raises(UsageError) as error:
        read_expectations(str(tmp_path / "strange"))
    assert (error.value.message, error.value.line) == (message, line)


LONG = "9" * 5000
NUMBERS = [
    f"X86 a\n{{ x={LONG}; }}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n",
    f"X86 a\n{{ }}\n P0 ;\n MOV [x],${LONG} ;\nexists (x=1)\n",
    f"X86 a\n{{ }}\n P0 ;\n MOV [x],$1 ;\nexists (x={LONG})\n",
    f"X86 a\n{{ {LONG}:EAX=1; }}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n",
    f"X86 a\n{{ }}\n P{LONG} ;\n MOV [x],$1 ;\nexists (x=1)\n",
    f"X86 a\n{{ int t[{LONG}]; }}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n",
    f"X86 a\n{{ }}\n P0 ;\n MOV [x],$1 ;\nexists (t[{LONG}]=1)\n",
    f"X86 a\n{{ x={'9_' * 5000}9; }}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n",
    f"C a\n{{ }}\nP0 (int* x) {{ *x = {LONG}; }}\nexists (x=1)\n",
    f"C a\n{{ }}\nP{LONG} (int* x) {{ *x = 1; }}\nexists (x=1)\n",
]


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_that_python_does_not_read(text: str) -> None:
    with pytest.raises(ProgramError) as error:
        read_litmus(Source("a.litmus", text))
    assert error.value.message == "this number has more than 400 digits"
    assert (error.value.line, error.value.column) != (None, None)


@pytest.mark.parametrize("word", ["²", "0x", "0x_", "0b_", "0o_"])
def test_what_is_almost_a_number(word: str) -> None:
    for text in (
        f"X86 a\n{{ x={word}; }}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n",
        f"X86 a\n{{ }}\n P0 ;\n MOV [x],${word} ;\nexists (x=1)\n",
        f"X86 a\n{{ }}\n P0 ;\n MOV [x],$1 ;\nexists ({word}:EAX=1)\n",
        f"AArch64 a\n{{ 0:X{word}=x; }}\n P0 ;\n MOV W0,#{word} ;\nexists (x[{word}]=1)\n",
        f"C a\n{{ }}\nP0 (int* x) {{ *x = {word}; }}\nexists (x=1)\n",
    ):
        with pytest.raises(XgenError):
            read_litmus(Source("a.litmus", text))


@pytest.mark.usefixtures("suite")
def test_what_is_no_file_is_an_error_of_the_test() -> None:
    os.mkfifo("suite/pipe.litmus")
    assert run_file("suite/pipe.litmus").error == "this is a pipe, not a file"
    run = xgen("suite/pipe.litmus")
    assert (run.exit_code, "this is a pipe, not a file" in run.stdout) == (2, True)
    assert find_tests(["suite"]) == ["suite/SB.litmus", "suite/more/MP.litmus"]
