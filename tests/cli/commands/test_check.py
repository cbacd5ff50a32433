"""`xgen check`: options, exit codes, what goes to which stream, and the files of `--dot`."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from views import samples

from cli.fake import Library, run
from xgen.errors import Position, ProgramError, Source, UsageError
from xgen.memory.library import load_model
from xgen.shipped import find_program
from xgen.views.answers import text
from xgen.views.drawing.svg import execution_to_svg
from xgen.views.pages.html import result_to_html


def arguments(library: Library) -> dict[str, Any]:
    """What the last check was asked."""
    name, options = library.calls[-1]
    assert name == "check"
    return dict(options)


def test_defaults(library: Library) -> None:
    outcome = run("check", "dir/sb.xcfa", "--mcm", "weak")
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith("safe (model weak, no bound, 4 executions, exhaustive)\n")
    assert outcome.stderr == ""
    assert library.calls[:2] == [("load", os.path.join("dir", "sb.xcfa")), ("model", "weak")]
    assert arguments(library) == {
        "max_depth": None, "all_states": False, "filter": "in-situ", "unroll": False, "workers": 1, "timeout": None,
        "trace_limit": 0, "dependencies": False, "liveness": False, "classes": "auto", "symmetry": True, "cones": False,
        "processes": None, "cluster": None, "checkpoint": None, "memory_limit": None, "engine": "graphs",
        "schedule": "fair", "sample": None, "seed": None, "coverage": False, "weaken": False, "accept": (),
        "on_progress": None,
    }  # fmt: skip


def test_options(library: Library, tmp_path: Path) -> None:
    run(
        *("check", "d/sb.xcfa", "--mcm", "tso", "--max-depth", "8", "--all-states", "--filter", "final"),
        *(
            "--timeout",
            "1.5",
            "--trace-limit",
            "7",
            "--workers",
            "3",
            "--no-spin",
            "--dot",
            str(tmp_path),
            "--no-progress",
        ),
    )
    assert arguments(library) == {
        "max_depth": 8, "all_states": True, "filter": "final", "unroll": True, "workers": 3,
        "timeout": pytest.approx(1.5, abs=0.5), "trace_limit": 7, "dependencies": True, "liveness": False,
        "classes": "auto", "symmetry": True, "cones": False, "engine": "graphs", "sample": None, "seed": None,
        "schedule": "fair", "coverage": False, "weaken": False, "accept": (),
        "processes": None, "cluster": None, "checkpoint": None, "memory_limit": None, "on_progress": None,
    }  # fmt: skip


CUT = {"verdict": "safe-within-bound", "bounded": 2, "cut": True, "max_depth": 3}
EXITS: list[tuple[dict[str, Any], list[str], int]] = [
    ({}, [], 0),
    ({}, ["--complete"], 0),
    ({"demoted": {"hb": "why"}}, ["--complete"], 0),
    (CUT, [], 0),
    (CUT, ["--complete"], 3),
    ({"verdict": "violation"}, [], 1),
    ({"verdict": "violation"}, ["--complete"], 1),
    ({"verdict": "violation", "stopped": "interrupt"}, [], 1),
    ({"verdict": "interrupted", "stopped": "interrupt"}, [], 3),
    ({"verdict": "interrupted", "stopped": "timeout"}, [], 3),
    ({"verdict": "interrupted", "stopped": "samples"}, [], 3),
]


@pytest.mark.parametrize(("changes", "options", "code"), EXITS)
@pytest.mark.parametrize("form", ["text", "json"])
def test_exit_codes(library: Library, changes: dict[str, Any], options: list[str], code: int, form: str) -> None:
    library.result = samples.result(**changes)
    assert run("check", "d/sb.xcfa", "--mcm", "weak", "--format", form, *options).exit_code == code


def test_json_is_the_only_thing_on_standard_output(library: Library, tmp_path: Path) -> None:
    library.result = samples.violated()
    outcome = run("check", "d/sb.xcfa", "--mcm", "weak", "--format", "json", "--dot", str(tmp_path / "new" / "er"))
    assert outcome.exit_code == 1
    assert json.loads(outcome.stdout)["witness"]["error"]["line"] == 10
    first, last = outcome.stderr.splitlines()
    assert first == "tests/sb.xcfa:10:14: error: assertion violated in p1 (model weak) [assertion]"
    assert last == f"the violating execution was written to {tmp_path / 'new' / 'er' / 'witness.dot'}"


@pytest.mark.parametrize("form", ["text", "json"])
def test_bad_input_is_told_on_standard_error(library: Library, form: str) -> None:
    library.error = ProgramError("unknown name `z`", Source("a.xcfa", "x := z\n"), Position(1, 6))
    outcome = run("check", "d/a.xcfa", "--mcm", "sc", "--format", form)
    assert outcome.exit_code == 2
    assert bool(outcome.stdout) == (form == "json")
    assert outcome.stderr == "a.xcfa:1:6: error: unknown name `z` [input]\n    1 | x := z\n      |      ^\n"


def test_ctrl_c_before_the_run_is_no_violation(library: Library) -> None:
    library.error = KeyboardInterrupt()
    outcome = run("check", "d/a.xcfa", "--mcm", "sc")
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (3, "", "interrupted\n")


USAGE = [
    ([], "Missing argument 'PROGRAM'"),
    (["peterson"], "Missing option '--mcm'"),
    (["p.xcfa", "--mcm", "sc", "--max-depth", "0"], "'--max-depth': 0 is not in the range"),
    (["p.xcfa", "--mcm", "sc", "--max-depth", "x"], "'--max-depth': 'x' is not a valid integer"),
    (["p.xcfa", "--mcm", "sc", "--max-depth", str(2**70)], "is not in the range"),
    (["p.xcfa", "--mcm", "sc", "--timeout", "0"], "'--timeout': this is not a positive number of seconds."),
    (["p.xcfa", "--mcm", "sc", "--timeout", "nan"], "'--timeout': this is not a positive number of seconds."),
    (["p.xcfa", "--mcm", "sc", "--trace-limit", "-1"], "'--trace-limit': -1 is not in the range"),
    (["p.xcfa", "--mcm", "sc", "--workers", "0"], "'--workers': 0 is not in the range from 1 to 256."),
    (["p.xcfa", "--mcm", "sc", "--workers", "257"], "'--workers': 257 is not in the range from 1 to 256."),
    (["p.xcfa", "--mcm", "sc", "--format", "xml"], "'--format': 'xml' is not one of 'text', 'json'."),
    (["p.xcfa", "--mcm", "sc", "--nonsense"], "No such option"),
]


@pytest.mark.parametrize(("args", "message"), USAGE)
def test_bad_usage(library: Library, args: list[str], message: str) -> None:
    outcome = run("check", *args)
    assert outcome.exit_code == 2
    assert outcome.stdout == ""
    assert message in outcome.stderr
    assert not any(name == "check" for name, _ in library.calls)


def test_dot_of_a_violation(library: Library, tmp_path: Path) -> None:
    library.result = samples.violated()
    outcome = run("check", "d/sb.xcfa", "--mcm", "weak", "--dot", str(tmp_path), "--full-witness")
    assert outcome.stdout.endswith(f"\n\nthe violating execution was written to {tmp_path / 'witness.dot'}\n")
    assert os.listdir(tmp_path) == ["witness.dot"]
    assert (tmp_path / "witness.dot").read_text(encoding="utf-8") == samples.store_buffering().to_dot()


@pytest.mark.parametrize("form", ["text", "json"])
def test_full_witness(library: Library, tmp_path: Path, form: str) -> None:
    library.result = samples.violated(witness=samples.noisy())
    outcome = run("check", "d/p.xcfa", "--mcm", "weak", "--dot", str(tmp_path), "--format", form)
    cut = (tmp_path / "witness.dot").read_text(encoding="utf-8")
    assert ("3 more events are not part of the cause" in outcome.stdout) == (form == "text")
    again = run("check", "d/p.xcfa", "--mcm", "weak", "--dot", str(tmp_path), "--format", form, "--full-witness")
    full = (tmp_path / "witness.dot").read_text(encoding="utf-8")
    assert "other" not in cut
    assert full == samples.noisy().to_dot()
    assert "not part of the cause" not in again.stdout
    assert (outcome.stdout == again.stdout) == (form == "json")


def test_dot_of_a_safe_run_removes_the_witness_of_an_earlier_one(library: Library, tmp_path: Path) -> None:
    library.result = samples.violated()
    run("check", "d/sb.xcfa", "--mcm", "weak", "--dot", str(tmp_path))
    (tmp_path / "0001.dot").write_text("digraph by_somebody_else {}")
    library.result = samples.result()
    outcome = run("check", "d/sb.xcfa", "--mcm", "sc", "--dot", str(tmp_path))
    assert outcome.stdout.endswith(f"\n\nno violation to draw: nothing was written to {tmp_path}\n")
    assert os.listdir(tmp_path) == ["0001.dot"]


def test_dot_of_all_states(library: Library, tmp_path: Path) -> None:
    traces = (samples.store_buffering(violated=False), samples.store_buffering())
    library.result = samples.violated(all_states=True, traces=traces, executions=4, blocked=1)
    outcome = run("check", "d/sb.xcfa", "--mcm", "weak", "--dot", str(tmp_path), "--all-states")
    assert outcome.stdout.endswith(f"\n\n2 of 5 executions written to {tmp_path} (with a violation: 0002.dot)\n")
    assert sorted(os.listdir(tmp_path)) == ["0001.dot", "0002.dot"]
    assert "doubleoctagon" not in (tmp_path / "0001.dot").read_text(encoding="utf-8")


def test_svg_beside_dot(library: Library, tmp_path: Path) -> None:
    library.result = samples.violated()
    (tmp_path / "0001.svg").write_text("<svg>by somebody else</svg>")
    outcome = run(
        "check", "d/sb.xcfa", "--mcm", "weak", "--dot", str(tmp_path), "--svg", str(tmp_path), "--full-witness"
    )
    assert f"the violating execution was written to {tmp_path / 'witness.svg'}\n" in outcome.stdout
    assert sorted(os.listdir(tmp_path)) == ["0001.svg", "witness.dot", "witness.svg"]
    assert (tmp_path / "witness.svg").read_text(encoding="utf-8") == execution_to_svg(samples.store_buffering())
    library.result = samples.result()
    run("check", "d/sb.xcfa", "--mcm", "weak", "--svg", str(tmp_path))
    assert sorted(os.listdir(tmp_path)) == ["0001.svg", "witness.dot"]


def test_html(library: Library, tmp_path: Path) -> None:
    library.result = samples.violated()
    library.memory_model = load_model("weak")
    page = tmp_path / "page.html"
    outcome = run("check", "d/sb.xcfa", "--mcm", "weak", "--html", str(page))
    assert outcome.stdout.endswith(f"\n\nthe executions were written to {page}\n")
    assert page.read_text(encoding="utf-8") == result_to_html(library.result, load_model("weak"))
    assert arguments(library)["dependencies"] is True
    assert arguments(library)["trace_limit"] == 10_000


def test_relations_to_draw(library: Library, tmp_path: Path) -> None:
    """Base relations and the model's; other names are refused before the run."""
    library.result, library.memory_model = samples.violated(), load_model("tso")
    outcome = run("check", "d/sb.xcfa", "--mcm", "tso", "--svg", str(tmp_path), "--show", "po, ppo,init")
    assert outcome.exit_code == 1
    drawn = (tmp_path / "witness.svg").read_text(encoding="utf-8")
    assert set(re.findall(r'data-relation="(\w+)"', drawn)) == {"po"}  # of ppo, no pair is drawn here
    outcome = run("check", "d/sb.xcfa", "--mcm", "tso", "--svg", str(tmp_path), "--show", "fr", "--full-witness")
    assert set(re.findall(r'data-relation="(\w+)"', (tmp_path / "witness.svg").read_text(encoding="utf-8"))) == {"fr"}
    outcome = run("check", "d/sb.xcfa", "--mcm", "tso", "--dot", str(tmp_path), "--show", "fr", "--full-witness")
    assert "taillabel=" in (tmp_path / "witness.dot").read_text(encoding="utf-8")
    assert "init:x" not in (tmp_path / "witness.dot").read_text(encoding="utf-8")
    outcome = run("check", "d/sb.xcfa", "--mcm", "tso", "--svg", str(tmp_path), "--show", "ppp")
    assert (outcome.exit_code, outcome.stderr) == (
        2,
        "error: there is no relation `ppp` to show\n  did you mean `ppo`?\n",
    )


def test_html_into_a_folder_is_refused_before_the_run(library: Library, tmp_path: Path) -> None:
    outcome = run("check", "d/sb.xcfa", "--mcm", "weak", "--html", str(tmp_path))
    assert outcome.exit_code == 2
    assert outcome.stderr == f"{tmp_path}: error: this cannot be written: this is a directory, not a file\n"
    assert not any(name == "check" for name, _ in library.calls)


def test_dot_into_a_file_is_refused_before_the_run(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for target in (file, file / "below"):
        outcome = run("check", "d/sb.xcfa", "--mcm", "weak", "--dot", str(target))
        assert outcome.exit_code == 2
        assert outcome.stdout == ""
        assert outcome.stderr == f"{target}: error: pictures need a folder, and this is a file\n"
    assert not any(name == "check" for name, _ in library.calls)


def test_dot_into_an_unwritable_folder_is_refused_before_the_run(library: Library) -> None:
    outcome = run("check", "d/sb.xcfa", "--mcm", "weak", "--dot", "/proc/nowhere")
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("/proc/nowhere: error: this cannot be written: ")
    assert not any(name == "check" for name, _ in library.calls)


@pytest.mark.parametrize("name", ["", "a/b", ".", "..", "x" * 5000, "nul\0character"])
def test_names_of_programs_that_are_nowhere_are_left_to_the_reader(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("xgen.resources")
    monkeypatch.chdir("/")
    assert find_program(name) == Path(name)


def test_files_come_before_shipped_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resources = pytest.importorskip("xgen.resources")
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    (shipped / "one.xcfa").write_text("")
    (shipped / "two.xcfa").write_text("")
    (tmp_path / "two").write_text("")
    monkeypatch.setattr(resources, "shipped", lambda kind: shipped if kind == "programs" else tmp_path / kind)
    monkeypatch.chdir(tmp_path)
    assert find_program("one") == find_program("one.xcfa") == shipped / "one.xcfa"
    assert find_program("two") == Path("two")
    assert find_program("unlike") == Path("unlike")
    with pytest.raises(UsageError, match="did you mean `one`"):
        find_program("onee.xcfa")


def test_quiet_prints_the_verdict_only(library: Library, tmp_path: Path) -> None:
    library.result = samples.violated()
    outcome = run("check", "d/sb.xcfa", "--mcm", "weak", "-q", "--svg", str(tmp_path))
    assert outcome.exit_code == 1
    assert outcome.stdout == text.verdict_line(library.result) + "\n"
    assert os.listdir(tmp_path) == ["witness.svg"]


def test_verbose(library: Library) -> None:
    outcome = run("check", "d/sb.xcfa", "--mcm", "weak", "-v")
    assert outcome.stdout == text.render(library.result, verbose=True) + "\n"
    assert "\nspeed " in outcome.stdout
