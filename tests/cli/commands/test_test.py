"""`xgen test`: what it prints, its reports, its exit codes; in several processes, and interrupted."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

import xgen
from cli.fake import run
from xgen.analyses.claims.read import read_claims
from xgen.errors import Source
from xgen.resources import shipped

SB = """
var x : int var y : int
process p { var a : int 1 -> x; a <- y; }
process q { var b : int 1 -> y; b <- x; }
"""
LOOP = "var x : int process p { var i : int while (true) { i -> x; i := i + 1; } }\n"
MANY = "var x : int var y : int process p[12](me) { var r : int me -> x; r <- y; me -> y; r <- x; }\n"
GOOD = f"// verdict sc, tso: safe\n// outcomes sc: 3\n{SB}"
BROKEN = f"// verdict tso: safe, 3 executions\n// forbids tso: p:a = 0, q:b = 0\n{SB}"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("t").mkdir()
    for name, text in {"good": GOOD, "broken": BROKEN, "silent": SB}.items():
        Path(f"t/{name}.xcfa").write_text(text, encoding="utf-8")
    return tmp_path


def untimed(text: str) -> list[str]:
    """The lines, without how long it took."""
    *lines, last = text.splitlines()
    return [*lines, last.rpartition(", ")[0]]


BROKEN_LINES = (
    "t/broken.xcfa:1:4: error: tso: safe, 4 executions; the file says safe, 3 executions [claim]\n"
    "t/broken.xcfa:1:4: note: `xgen check t/broken.xcfa --mcm tso --all-states` shows it\n"
    "t/broken.xcfa:2:4: error: tso: there is the outcome p:a = 0, q:b = 0, x = 1, y = 1; "
    "the file says never p:a = 0, q:b = 0 [claim]\n"
    "t/broken.xcfa:2:4: note: `xgen check t/broken.xcfa --mcm tso --all-states` shows it\n"
)


@pytest.mark.parametrize("how", [[], ["--processes", "2"], ["--timeout", "500"]])
def test_a_folder(how: list[str]) -> None:
    done = run("test", "t", *how)
    assert done.exit_code == 1
    assert untimed(done.stdout) == [
        "t/broken.xcfa  FF",
        "t/good.xcfa  ...",
        "5 claims, 2 not kept, 1 file claims nothing",
    ]
    assert done.stderr == BROKEN_LINES


def test_all_are_kept() -> None:
    done = run("test", "t/good.xcfa")
    assert (done.exit_code, done.stderr) == (0, "")
    assert untimed(done.stdout) == ["t/good.xcfa  ...", "3 claims, 0 not kept, 0 files claim nothing"]


def test_no_file_claims_anything() -> None:
    done = run("test", "t/silent.xcfa")
    assert (done.exit_code, untimed(done.stdout)) == (5, ["0 claims, 0 not kept, 1 file claims nothing"])
    assert done.stderr.startswith("no file claims anything: ")
    assert json.loads(run("test", "t/silent.xcfa", "--format", "json").stdout)["verdict"] == "nothing"
    done = run("test", "t/silent.xcfa", "--allow-none")
    assert (done.exit_code, done.stderr) == (0, "")


RACE = """\
// xgen: -D N=1 -- -DM=2
// verdict: safe
// verdict sc: safe (map none)
// verdict: safe (on armv8, unroll 3)
// verdict rc11: violation assertion
#include <pthread.h>
int x;
void *t(void *p) { x = N; return p; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    x = M;
    pthread_join(h, 0);
}
"""


def test_a_violation_is_told_with_its_kind_its_place_and_the_command_that_shows_it() -> None:
    Path("r.c").write_text(RACE, encoding="utf-8")
    done = run("test", "r.c", "--junit", "j.xml", "--sarif", "s.json")
    assert done.stderr.splitlines()[:3] == [
        "r.c:8:20: error: rc11: data race on x; the file says safe [race]",
        "r.c:2:4: note: the claim; `xgen check r.c -D N=1 -- -DM=2` shows it",
        "r.c:12:5: note: the other access, in main",
    ]
    assert "`xgen check r.c -D N=1 --mcm rc11 -- -DM=2` shows it" in done.stderr
    assert done.stdout.splitlines()[0] == "r.c  FF.F"
    failure = ElementTree.parse("j.xml").find(".//failure")
    assert failure is not None
    said = "r.c:8: rc11: data race on x; the file says safe [race]; `xgen check r.c -D N=1 -- -DM=2` shows it"
    assert failure.get("message") == said
    result = json.loads(Path("s.json").read_text(encoding="utf-8"))["runs"][0]["results"][0]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (result["ruleId"], region["startLine"]) == ("race", 8)


COMMANDS = {
    "// verdict sc: safe": "xgen check d/a.xcfa --mcm sc",
    "// verdict sc: safe, 3 executions": "xgen check d/a.xcfa --mcm sc --all-states",
    "// outcomes mine.cat: 3": "xgen check d/a.xcfa --mcm mine.cat --all-states",
    "// verdict sc: safe (max-depth 3, no-symmetry)": "xgen check d/a.xcfa --max-depth 3 --no-symmetry --mcm sc",
    "// xgen: --mcm tso\n// verdict: safe": "xgen check d/a.xcfa --mcm tso",
    "// xgen: -D N=2\n// prove --deadlock tso: safe": "xgen prove d/a.xcfa -D N=2 --mcm tso --deadlock",
}


@pytest.mark.parametrize("claim", COMMANDS)
def test_the_command_of_a_claim(claim: str) -> None:
    (found,), errors = read_claims(Source("d/a.xcfa", claim + "\n"))
    assert (found.command, errors) == (COMMANDS[claim], [])


def test_the_command_of_a_claim_of_c() -> None:
    text = "// xgen: b.c -I inc --on armv8\n// verdict: safe (unroll 3)\n// verdict sc: safe\n"
    claims, _ = read_claims(Source("d/a.c", text))
    assert [claim.command for claim in claims] == [
        "xgen check d/a.c d/b.c -I d/inc --unroll 3 --on armv8",
        "xgen check d/a.c d/b.c -I d/inc --mcm sc --map armv8",
    ]


def test_json() -> None:
    done = run("test", "t", "--format", "json")
    document = json.loads(done.stdout)
    assert (done.exit_code, done.stderr) == (1, BROKEN_LINES)
    assert (document["verdict"], document["files"], document["silent"], document["claims"]) == ("broken", 3, 1, 5)
    assert document["broken"][0] == {
        "file": "t/broken.xcfa",
        "line": 1,
        "claim": "verdict tso: safe, 3 executions",
        "found": "safe, 4 executions",
        "kind": "claim",
        "message": "tso: safe, 4 executions; the file says safe, 3 executions",
        "place": {"file": "t/broken.xcfa", "line": 1, "column": 4},
        "command": "xgen check t/broken.xcfa --mcm tso --all-states",
    }


def test_what_cannot_be_read() -> None:
    Path("t/broken.xcfa").write_text("// verdict tso: perhaps\n// verdict sc: safe\nprocess p { x }\n")
    done = run("test", "t", "--format", "json")
    assert done.exit_code == 2
    assert [(error["line"], error["column"]) for error in json.loads(done.stdout)["errors"]] == [(1, 4), (3, 15)]
    assert done.stderr.splitlines()[:4] == [
        "t/broken.xcfa:1:4: error: `perhaps` is not what can be claimed [input]",
        "    1 | // verdict tso: perhaps",
        "      |    ^^^^^^^^^^^^^^^^^^^^",
        "  expected safe, safe within the bound, no answer, violation or violation KIND, "
        "with `, 3 executions` behind it if need be",
    ]
    assert untimed(run("test", "t").stdout) == [
        "t/broken.xcfa  EE",
        "t/good.xcfa  ...",
        "3 claims, 0 not kept, 2 errors, 1 file claims nothing",
    ]


def test_actions_of_github() -> None:
    told = run("test", "t", "--errors", "github").stderr.splitlines()
    assert [line.partition("::tso")[0] for line in told] == [
        "::error file=t/broken.xcfa,line=1,col=4,endColumn=35,title=xgen%3A claim",
        "::error file=t/broken.xcfa,line=2,col=4,endColumn=33,title=xgen%3A claim",
    ]
    assert run("test", "t", "--errors", "none").stderr == ""


def test_junit() -> None:
    Path("t/wrong.xcfa").write_text("// verdict sc: sfae\n", encoding="utf-8")
    assert run("test", "t", "--junit", "report.xml").exit_code == 1
    suite = ElementTree.parse("report.xml").getroot()
    counts = [suite.get(key) for key in ("tests", "failures", "errors", "skipped")]
    assert counts == ["6", "2", "1", "0"]
    cases = {(case.get("classname"), case.get("name")): [child.tag for child in case] for case in suite}
    assert cases["t/broken.xcfa", "verdict tso: safe, 3 executions"] == ["failure"]
    assert cases["t/good.xcfa", "verdict tso: safe"] == []
    assert cases["t/wrong.xcfa", "what can be read"] == ["error"]


def test_sarif() -> None:
    assert run("test", "t", "--sarif", "found.sarif").exit_code == 1
    (found,) = json.loads(Path("found.sarif").read_text())["runs"]
    assert [(r["ruleId"], r["locations"][0]["physicalLocation"]["region"]["startLine"]) for r in found["results"]] == [
        ("claim", 1),
        ("claim", 2),
    ]
    assert found["properties"] == {"verdict": "broken", "files": 3, "claims": 5}
    prints = [result["partialFingerprints"] for result in found["results"]]
    Path("t/broken.xcfa").write_text(f"// Words.\n{BROKEN}", encoding="utf-8")
    run("test", "t", "--sarif", "found.sarif")
    (found,) = json.loads(Path("found.sarif").read_text())["runs"]
    assert [result["partialFingerprints"] for result in found["results"]] == prints


def test_update() -> None:
    done = run("test", "t", "--update")
    assert done.exit_code == 1  # what is forbidden happens still
    assert "t/broken.xcfa: 1 count written" in done.stderr
    assert Path("t/broken.xcfa").read_text().splitlines()[0] == "// verdict tso: safe, 4 executions"
    assert Path("t/good.xcfa").read_text() == GOOD
    again = run("test", "t", "--update")
    assert "written" not in again.stderr
    assert untimed(again.stdout)[-1] == "5 claims, 1 not kept, 1 file claims nothing"


BAD = [
    (["absent"], "absent: error: there is no such file or folder"),
    (["t", "x.py"], "x.py: error: this is no program"),
    (["t", "--junit", "no/such"], "no/such: error: this cannot be written"),
    (["t", "--sarif", "no/such"], "no/such: error: this cannot be written"),
    (["-"], "-: error: only files say something of themselves"),
    (["t", "--processes", "0"], "Usage: "),
    ([], "Usage: "),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_usage(arguments: list[str], message: str) -> None:
    Path("x.py").touch()
    done = run("test", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(message)


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_time_limit(processes: str) -> None:
    """A claim that there is no time for is not answered."""
    Path("t/later.xcfa").write_text(f"// verdict sc: safe\n// verdict sc: safe (max-depth 2)\n{MANY}")
    done = run("test", "t/later.xcfa", "--timeout", "3", "--processes", processes, "--format", "json")
    document = json.loads(done.stdout)
    assert (done.exit_code, document["verdict"]) == (3, "interrupted")
    assert (document["claims"], document["late"], document["broken"]) == (2, 2, [])
    assert document["seconds"] < 60


@pytest.mark.parametrize("processes", ["1", "2"])
def test_ctrl_c(processes: str) -> None:
    Path("t/later.xcfa").write_text(f"// verdict sc: safe\n{LOOP}")
    command = [sys.executable, "-m", "xgen", "test", "t/good.xcfa", "t/later.xcfa", "--processes", processes]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, err) == (3, "")
    assert untimed(first + out) == [
        "t/good.xcfa  ...",
        "interrupted: 3 claims, 0 not kept, 0 files claim nothing",
    ]


def test_a_reader_that_goes_away() -> None:
    command = [sys.executable, "-m", "xgen", "test", "t"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == BROKEN_LINES
        assert process.wait() == 1


def test_each_answer_is_the_same_as_alone() -> None:
    """Programs after each other in one process, and each by `xgen check`."""
    files = sorted((shipped("programs") / "c").glob("m*.c"))
    assert len(files) >= 6
    found = xgen.test(*files)
    assert found.verdict == "kept"
    for file, checked in found.checked:
        words = ["--all-states"] if checked.claim.count is not None else []
        alone = json.loads(run("check", file, "--mcm", str(checked.claim.model), *words, "--format", "json").stdout)
        assert alone["verdict"] == checked.claim.value
        if checked.claim.count is not None:
            assert alone["executions"] == checked.claim.count


def test_shipped_programs_by_their_names() -> None:
    done = run("test", "programs/c/spsc.c", "fig_5_1.xcfa")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("programs/c/spsc.c  ..\nprograms/fig_5_1.xcfa  ")
