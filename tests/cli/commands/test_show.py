"""`xgen show`: automata and saved results."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest
from views import samples

from cli.fake import run
from xgen.views.answers.json import execution_from_dict, execution_to_dict, render
from xgen.views.drawing.svg import execution_to_svg

SAMPLES = [samples.noisy, samples.store_buffering, samples.two_plus_two_writes, samples.independent_reads]


@pytest.mark.parametrize("sample", SAMPLES)
def test_executions_come_back_from_json(sample: object) -> None:
    """All but the program's text, dependencies, and initial writes that are not in mo."""
    execution = sample()  # type: ignore[operator]
    again = execution_from_dict(execution_to_dict(execution), execution.source.name)
    assert execution_to_dict(again) == execution_to_dict(execution)
    assert execution_to_svg(again) == execution_to_svg(execution)
    assert again.to_dot() == execution.to_dot()


def test_a_saved_result(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    file.write_text(render(samples.violated()))
    drawn = run("show", str(file), "--format", "svg")
    assert drawn.exit_code == 0
    assert drawn.stdout == execution_to_svg(samples.store_buffering())
    assert run("show", str(file)).stdout == samples.store_buffering().to_dot()


WRONG = [
    ("{", "this is not a result"),
    ("[]", "this is not a result"),
    ('{"witness": {"threads": []}, "program": "p"}', "this is not a result"),
    ('{"witness": {"threads": ["p"], "events": [1]}, "program": "p"}', "this is not a result"),
    ('{"witness": null, "program": "p"}', "the result has no violating execution"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_no_result(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "result.json"
    file.write_text(text)
    outcome = run("show", str(file))
    assert outcome.exit_code == 2
    assert outcome.stdout == ""
    assert outcome.stderr.startswith(f"{file}: error: {message}")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--as", "code", "--format", "svg"), "--as code cannot be used with --format svg: nothing is drawn then."),
        (("--as", "xcfa", "--show", "po"), "--as xcfa cannot be used with --show: nothing is drawn then."),
        (("--show", "po"), "--show is for results: the automaton of a program has no relations."),
    ],
)
def test_options_that_would_mean_nothing(words: tuple[str, ...], message: str) -> None:
    refused = run("show", "peterson", *words)
    assert (refused.exit_code, message in refused.stderr) == (2, True)


def test_an_automaton() -> None:
    assert run("show", "peterson").stdout.startswith("digraph")


def test_a_program_with_the_assembly_of_a_machine(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text('int x; int main(void) { asm("lock incl %0" : "+m" (x)); }')
    assert run("show", str(file)).exit_code == 2
    assert "fetch_add" in run("show", str(file), "--as", "xcfa", "--on", "x86").stdout
    refused = run("show", "peterson", "--on", "x86")
    assert (refused.exit_code, "--on is for programs in C, C++ and Rust" in refused.stderr) == (2, True)


@pytest.mark.parametrize(("program", "again"), [("peterson", True), ("mpmc.c", False)])
def test_what_is_printed_says_whether_it_is_read_back(tmp_path: Path, program: str, again: bool) -> None:
    printed = run("show", program, "--as", "xcfa").stdout
    assert printed.startswith("// to look at: read back, it is not this program\n") is not again
    file = tmp_path / "again.xcfa"
    file.write_text(printed)
    assert (run("check", str(file), "--mcm", "sc").exit_code == 0) is again


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_an_automaton_as_svg() -> None:
    root = xml.fromstring(run("show", "peterson", "--format", "svg").stdout)
    assert root.tag.endswith("svg")


def test_without_graphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    outcome = run("show", "peterson", "--format", "svg")
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert "needs Graphviz" in outcome.stderr
