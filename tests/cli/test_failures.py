"""What goes wrong, told to machines: lines on standard error, annotations, SARIF, and JSON where there is no answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.fake import Library, run
from xgen.cli import every_command, output
from xgen.errors import InternalError

RACE = "var d : int\nprocess p { 1 -> d; }\nprocess q { var a : int a <- d; }\n"
LINES = "r.xcfa:3:25: error: data race on d in q (model rc11) [race]\nr.xcfa:2:13: note: the other access, in p\n"
TWO = """var x : int
process p { var a : int do { a <- x; } while (a = 0); }
process q { var a : int
  do { a <- x; } while (a = 0); }
"""
BAD = "process p { x }\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("r.xcfa").write_text(RACE, encoding="utf-8")
    Path("bad.xcfa").write_text(BAD, encoding="utf-8")
    return tmp_path


CHECK = ["check", "r.xcfa", "--mcm", "rc11"]


@pytest.mark.parametrize("form", [[], ["-q"], ["--format", "json"], ["-v"]])
def test_lines_are_on_standard_error_only(form: list[str]) -> None:
    plain, told = run(*CHECK, *form, "--errors", "none"), run(*CHECK, *form)
    assert (plain.exit_code, plain.stderr, told.exit_code, told.stderr) == (1, "", 1, LINES)
    first = plain.stdout.splitlines()[0]
    assert told.stdout.splitlines()[0] == first


def test_nothing_is_wrong() -> None:
    assert run("check", "r.xcfa", "--mcm", "sc").stderr == ""


def test_actions_of_github(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(*CHECK, "--errors", "github").stderr.startswith("::error file=r.xcfa,line=3,")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert run(*CHECK).stderr.startswith("::error file=r.xcfa,line=3,")
    assert run(*CHECK, "--errors", "gcc").stderr == LINES
    told = run("fences", "bad.xcfa", "--mcm", "sc").stderr.splitlines()
    assert told[0].startswith("::error file=bad.xcfa,line=1,col=15,")
    assert told[1].startswith("bad.xcfa:1:15: error: ")


@pytest.mark.parametrize("form", ["gcc", "github"])
def test_an_execution_that_is_too_long_is_no_finding(form: str) -> None:
    """Nothing is wrong with the text, and there is no answer."""
    text = "// verdict sc: safe\nprocess p { var r : int init loc A A -> A { r := r + 1 } }\n"
    Path("long.xcfa").write_text(text, encoding="utf-8")
    sarif = ["--sarif", "long.sarif"]
    done = run("check", "long.xcfa", "--mcm", "sc", "--errors", form, "--format", "json", *sarif)
    assert done.exit_code == 3
    assert done.stderr.startswith("long.xcfa:2:45: error: a loop without any shared access runs on and on")
    error = json.loads(done.stdout)["error"]
    assert (error["kind"], error["line"]) == ("limit", 2)
    written = json.loads(Path("long.sarif").read_text(encoding="utf-8"))["runs"][0]
    assert (written["results"], written["properties"]) == ([], {"verdict": "interrupted"})
    claims = run("test", "long.xcfa", "--errors", form)
    assert (claims.exit_code, claims.stderr) == (
        3,
        "long.xcfa:1: no answer: a loop without any shared access runs on and on (10,000,000 steps)\n",
    )


class Terminal:
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("out", "err", "one"), [(True, True, True), (True, False, False), (False, True, False), (False, False, False)]
)
def test_one_terminal(monkeypatch: pytest.MonkeyPatch, out: bool, err: bool, one: bool) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal() if out else None)
    monkeypatch.setattr(sys, "stderr", Terminal() if err else None)
    assert output.one_terminal() is one


@pytest.mark.parametrize(("options", "told"), [([], ""), (["-q"], LINES), (["--format", "json"], LINES)])
def test_on_a_terminal_the_report_has_the_line(monkeypatch: pytest.MonkeyPatch, options: list[str], told: str) -> None:
    monkeypatch.setattr(output, "one_terminal", lambda: True)
    done = run(*CHECK, *options)
    assert done.stderr == told
    assert ("\nr.xcfa:3:25: error: data race on d in q [race]\n" in done.stdout) is not options


def test_a_terminal_of_its_own() -> None:
    """Both streams are one terminal: the line is there once."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "dumb"}
    command = [sys.executable, "-m", "xgen", *CHECK, "--no-progress"]
    with subprocess.Popen(command, stdout=follower, stderr=follower, env=environment) as process:
        os.close(follower)
        text = b""
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:  # Linux says so at the end
                break
            if not piece:
                break
            text += piece
        process.wait()
    os.close(leader)
    assert text.count(b"r.xcfa:3:25: error: data race on d in q") == 1


def read(name: str) -> dict[str, Any]:
    (found,) = json.loads(Path(name).read_text(encoding="utf-8"))["runs"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("form", [[], ["-q"], ["--format", "json"]])
def test_sarif(form: list[str]) -> None:
    assert run(*CHECK, *form, "--sarif", "found.sarif").exit_code == 1
    found = read("found.sarif")
    assert found["automationDetails"]["id"] == "xgen/rc11/r.xcfa"
    assert [result["ruleId"] for result in found["results"]] == ["race"]
    assert run("check", "r.xcfa", "--mcm", "sc", "--sarif", "found.sarif").exit_code == 0
    assert read("found.sarif")["results"] == []


def test_sarif_of_what_cannot_be_read() -> None:
    done = run("check", "bad.xcfa", "--mcm", "sc", "--sarif", "found.sarif")
    assert done.exit_code == 2
    found = read("found.sarif")
    assert found["automationDetails"]["id"] == "xgen/sc/bad.xcfa"
    assert [result["ruleId"] for result in found["results"]] == ["input"]
    assert found["invocations"][0]["executionSuccessful"] is False


def test_sarif_of_a_shipped_program() -> None:
    run("check", "mpmc_us", "--sarif", "found.sarif")
    found = read("found.sarif")
    assert found["automationDetails"]["id"] == "xgen/rc11/programs/c/mpmc_us.c"
    uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in found["results"]}
    assert uris == {"programs/c/mpmc.c"}


def test_sarif_where_time_is_over(library: Library) -> None:
    from xgen.clock import OutOfTime

    library.error = OutOfTime()
    assert run("check", "r.xcfa", "--mcm", "sc", "--sarif", "found.sarif", "--timeout", "9").exit_code == 3
    assert read("found.sarif")["invocations"][0]["executionSuccessful"] is False


def test_sarif_that_cannot_be_written() -> None:
    done = run(*CHECK, "--sarif", "no/such/folder")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "no/such/folder: error: this cannot be written: No such file or directory" in done.stderr


def test_sarif_of_a_run_that_is_gone_on_with() -> None:
    assert run(*CHECK, "--all-states", "--checkpoint", "c.run").exit_code == 1
    done = run("resume", "c.run", "--sarif", "found.sarif")
    assert (done.exit_code, done.stderr) == (1, LINES)
    assert [result["ruleId"] for result in read("found.sarif")["results"]] == ["race"]


def test_json_has_all_violations() -> None:
    Path("two.xcfa").write_text(TWO, encoding="utf-8")
    done = run("check", "two.xcfa", "--mcm", "sc", "--liveness", "--format", "json")
    witness = json.loads(done.stdout)["witness"]
    assert done.stderr.count("error: waits for ever: ") == 2
    assert witness["errors"][0] == witness["error"]
    assert [(error["kind"], error["line"]) for error in witness["errors"]] == [("await", 2), ("await", 4)]


def test_json_where_xgen_is_wrong(library: Library) -> None:
    library.error = InternalError("oh")
    done = run("check", "r.xcfa", "--mcm", "sc", "--format", "json")
    error = json.loads(done.stdout)["error"]
    assert (done.exit_code, error["kind"]) == (4, "internal")
    assert error["message"].endswith(": oh")
    assert done.stderr == f"error: {error['message']}\n"


@pytest.mark.parametrize(
    ("error", "message"),
    [(RecursionError(), "the input is nested too deeply"), (OSError("disk"), "disk")],
)
def test_json_of_what_the_system_says(library: Library, error: BaseException, message: str) -> None:
    library.error = error
    done = run("check", "r.xcfa", "--mcm", "sc", "--format", "json")
    assert done.exit_code == 2
    assert json.loads(done.stdout)["error"]["message"] == message


def test_json_of_options_that_are_wrong() -> None:
    done = run(*CHECK, "--seed", "3", "--format", "json")
    error = json.loads(done.stdout)["error"]
    assert (done.exit_code, error["kind"]) == (2, "usage")
    assert error["message"] in " ".join(done.stderr.split())
    assert run(*CHECK, "--seed", "3").stdout == ""
    wrong = run("check", "r.xcfa", "--max-depth", "x", "--format", "json")
    assert json.loads(wrong.stdout)["error"]["kind"] == "usage"


def test_json_has_the_place_and_the_other_errors() -> None:
    Path("two.c").write_text("int main() { return a; }\nint f(void) { return b; }\n", encoding="utf-8")
    done = run("check", "two.c", "--format", "json")
    error = json.loads(done.stdout)["error"]
    place = (error["file"], error["line"], error["column"], error["width"])
    assert (done.exit_code, place) == (2, ("two.c", 1, 21, 1))


def test_one_command_after_the_other() -> None:
    """What one was asked is forgotten by the next."""
    assert run("check", "bad.xcfa", "--mcm", "sc", "--format", "json", "--sarif", "found.sarif").exit_code == 2
    Path("found.sarif").unlink()
    assert run("check", "bad.xcfa", "--mcm", "sc").stdout == ""
    assert run("nonsense").stdout == ""
    assert not Path("found.sarif").exists()


def test_absolute_paths_are_told_from_here_on(folder: Path) -> None:
    done = run("check", str(folder / "r.xcfa"), "--mcm", "rc11", "--format", "json")
    assert done.stderr == LINES
    error = json.loads(run("check", str(folder / "bad.xcfa"), "--mcm", "sc", "--format", "json").stdout)["error"]
    assert error["file"] == "bad.xcfa"


def test_every_form_is_remembered() -> None:
    """A command with --format tells its failures in that form."""
    for name, command in every_command():
        for param in command.params:
            if param.name == "form" and "json" in getattr(param.type, "choices", ()):
                assert param.is_eager, name
