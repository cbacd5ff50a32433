"""What `xgen check` says of executions in which threads wait for ever: verdict line, counts, JSON, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from xgen.cli import main

WAITING = """\
var x : int
process p { var r : int init loc L loc M final loc E
  L -> M { r <- x }
  M -> L { assume r = 0 } M -> E { assume r /= 0 } }
"""
LOST = WAITING + "process q { init loc A final loc E A -> E { 1 -> x\n 0 -> x } }\n"
LOSES = "threads wait for ever in 1 execution (p at line 3)"
CUT = "var x : int process p { var r : int init loc A final loc E A -> E { r <- x assume r = 1 } }\n"


def run(tmp_path: Path, text: str, *options: str) -> Result:
    (tmp_path / "prog.xcfa").write_text(text, encoding="utf-8")
    return CliRunner().invoke(main, ["check", str(tmp_path / "prog.xcfa"), "--mcm", "sc", *options])


HEADS = [
    # program, options, exit code, how the verdict line begins and what it has
    (WAITING, [], 3, "no execution completes: 1 of 1 blocked execution waits for ever (p at line 3)", "exhaustive"),
    (WAITING, ["--all-states"], 3, "no execution completes: 1 of 1 blocked", "exhaustive"),
    (WAITING, ["--liveness"], 1, "violation: waits for ever: the loop reads x = 0, which no thread changes", "1"),
    (WAITING, ["--no-spin", "--max-depth", "2"], 3, "no execution completes within the bound of 2 events", "1 cut by"),
    (LOST, [], 0, f"{LOSES}, otherwise safe (model sc, no bound, 1 execution, exhaustive)", ""),
    (LOST, ["--liveness", "--all-states"], 1, "violation: waits for ever", "1 with a violation, exhaustive"),
    (
        LOST,
        ["--max-depth", "5"],
        0,
        f"{LOSES}, otherwise safe (model sc, at most 5 events per thread, 1 execution, ",
        "",
    ),
    (CUT, [], 3, "no execution completes: 1 blocked, none of which waits for ever", ""),
    (CUT, ["--liveness"], 3, "no execution completes: 1 blocked, none of which waits for ever", ""),
]


@pytest.mark.parametrize(("text", "options", "code", "head", "part"), HEADS)
def test_verdict_lines(tmp_path: Path, text: str, options: list[str], code: int, head: str, part: str) -> None:
    done = run(tmp_path, text, "-q", *options)
    assert (done.exit_code, done.stdout.startswith(head)) == (code, True), done.stdout
    assert part in done.stdout


SIGNAL = """#include <pthread.h>
pthread_mutex_t m;
pthread_cond_t c;
void *wait(void *none) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m); // although nobody says that nothing was signalled before
  pthread_mutex_unlock(&m);
  return none;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  pthread_cond_signal(&c);
  pthread_join(t, 0);
}
"""


def test_a_signal_that_is_lost_in_c(tmp_path: Path) -> None:
    """The line begins with it, so that `safe` is not what one reads; it is a violation where that is asked."""
    (tmp_path / "prog.c").write_text(SIGNAL, encoding="utf-8")
    done = CliRunner().invoke(main, ["check", str(tmp_path / "prog.c"), "-q"])
    assert (done.exit_code, done.stdout.partition(" (")[0]) == (0, "threads wait for ever in 1 execution")
    assert ", otherwise safe (model rc11, no bound, 1 execution, exhaustive)" in done.stdout
    asked = CliRunner().invoke(main, ["check", str(tmp_path / "prog.c"), "-q", "--liveness"])
    assert (asked.exit_code, asked.stdout.partition(":")[0]) == (1, "violation")


ASSERTED = "var x : int process p { var a : int a <- x; assume a = 1; assert false; }\n"
BOTH = CUT + "process q { var r : int\n r <- x; assume r /= 0; }\n"
NOTHING = "var x : int\nprocess p { var a : int\n havoc a in 5 .. 4; a -> x; }\n"

BLOCKED = [
    # program, where its threads are blocked
    (CUT, "p at line 1 (`assume r = 1`)"),
    (ASSERTED, "p at line 1 (`assume a = 1`)"),
    (BOTH, "p at line 1 (`assume r = 1`) and q at line 3 (`assume r /= 0`)"),
    (NOTHING, "p at line 3 (`havoc a in 5 .. 4`)"),
]


@pytest.mark.parametrize("options", [[], ["--classes", "rf"], ["--workers", "2"], ["--all-states", "--mcm", "arm8"]])
@pytest.mark.parametrize(("text", "where"), BLOCKED)
def test_where_threads_are_blocked(tmp_path: Path, text: str, where: str, options: list[str]) -> None:
    """It is said where nothing else is, since such a program says nothing about its assertions."""
    found = json.loads(run(tmp_path, text, "--format", "json", *options).stdout)
    unreached = ["note: no execution comes to the assertion at line 1 (`assert false`)"] if "assert" in text else []
    assert (found["vacuous"], found["warnings"]) == (True, [f"a blocked execution ends with {where}", *unreached])


@pytest.mark.parametrize("text", [WAITING, LOST, ASSERTED.replace("a = 1", "a = 0")])
def test_where_that_is_said_already_or_does_not_matter(tmp_path: Path, text: str) -> None:
    """Threads that wait for ever are in the verdict; a program with an execution is not vacuous."""
    warnings = json.loads(run(tmp_path, text, "--format", "json").stdout)["warnings"]
    assert [warning for warning in warnings if "blocked" in warning] == []


def test_counts(tmp_path: Path) -> None:
    lines = run(tmp_path, LOST).stdout.splitlines()
    assert "waiting     1 of 1 blocked execution waits for ever (p at line 3); --liveness shows one" in lines
    assert not any(line.startswith("waiting") for line in run(tmp_path, CUT).stdout.splitlines())


def test_json(tmp_path: Path) -> None:
    plain = json.loads(run(tmp_path, WAITING, "--format", "json").stdout)
    assert (plain["verdict"], plain["vacuous"], plain["stuck"], plain["stuck_at"]) == ("safe", True, 1, ["p at line 3"])
    found = json.loads(run(tmp_path, LOST, "--liveness", "--format", "json").stdout)
    assert (found["verdict"], found["vacuous"], found["liveness"]) == ("violation", False, True)
    error = found["witness"]["error"]
    assert (error["kind"], error["thread"], error["line"]) == ("await", "p", 3)
    (waiting,) = error["threads"]
    (read,) = waiting.pop("reads")
    assert waiting == {
        "thread": "p",
        "line": 3,
        "message": "waits for ever: the loop reads x = 0, which no thread changes any more",
        "reason": "x = 0 is what q wrote last at line 6, and no thread is left to change it: q has ended",
    }
    assert {event["id"]: event["kind"] for event in found["witness"]["events"]}[read] == "R"


def test_json_of_a_join(tmp_path: Path) -> None:
    joined = WAITING + "process q { init loc A final loc E A -> E { start p\n join p } }\n"
    witness = json.loads(run(tmp_path, joined, "--liveness", "--format", "json").stdout)["witness"]
    assert witness["waits"] == [[0, 1], [1, 1]]
    assert [thread["reads"] for thread in witness["error"]["threads"]] == [["0:0"], []]


def test_saved_results_and_pictures(tmp_path: Path) -> None:
    (tmp_path / "found.json").write_text(run(tmp_path, LOST, "--liveness", "--format", "json").stdout, "utf-8")
    shown = CliRunner().invoke(main, ["show", str(tmp_path / "found.json"), "--format", "svg"])
    assert (shown.exit_code, "waits for ever" in shown.stdout) == (0, True), shown.output
    drawn = run(tmp_path, LOST, "--liveness", "--svg", str(tmp_path / "pictures"))
    assert drawn.exit_code == 1
    assert "waits for ever" in (tmp_path / "pictures" / "witness.svg").read_text("utf-8")


def test_why_it_waits(tmp_path: Path) -> None:
    """For each thread that waits: where the value is from, and what the other threads do. The picture has a frame."""
    lost = run(tmp_path, LOST, "--liveness", "--svg", str(tmp_path / "pictures")).stdout
    assert "  x = 0 is what q wrote last at line 6, and no thread is left to change it: q has ended" in lost
    alone = run(tmp_path, WAITING, "--liveness").stdout
    assert "  x = 0 is there from the start, and there is no other thread" in alone
    both = WAITING + WAITING.partition("\n")[2].replace("process p", "process q")
    assert "no thread is left to change it: q waits as well" in run(tmp_path, both, "--liveness").stdout
    drawing = (tmp_path / "pictures" / "witness.svg").read_text("utf-8")
    assert drawing.count('<g class="round">') == 1
    safe = run(tmp_path, LOST, "--all-states", "--svg", str(tmp_path / "others"))
    assert safe.exit_code == 0
    framed = [f for f in (tmp_path / "others").glob("*.svg") if '<g class="round">' in f.read_text("utf-8")]
    assert len(framed) == 1  # of the executions, the stuck one


UNDOING = """\
var y : int
process p { var r : int init loc L loc M final loc E
  L -> M { r <- y } M -> L { assume r = 0 1 -> y } M -> L { assume r = 1 } M -> E { assume r = 2 } }
process q { var r : int init loc L loc M final loc E
  L -> M { r <- y } M -> L { assume r = 1 0 -> y } M -> L { assume r = 0 } M -> E { assume r = 2 } }
"""


def test_threads_that_undo_each_others_work(tmp_path: Path) -> None:
    """They are a violation of each; both commands find them."""
    done = run(tmp_path, UNDOING, "--liveness")
    assert done.exit_code == 1
    assert "violation: goes round for ever: each round writes y = 1 at " in done.output
    assert "[livelock]" in done.output
    document = json.loads(run(tmp_path, UNDOING, "--liveness", "--format", "json").stdout)
    assert [error["thread"] for error in document["witness"]["errors"]] == ["p", "q"]
    rounds = document["witness"]["waits"]
    own = [sum(event["thread"] == name for event in document["witness"]["events"]) for name in "pq"]
    assert [round_[1] for round_ in rounds] == own
    assert all(first < last for first, last in rounds)
    drawn = run(tmp_path, UNDOING, "--liveness", "--svg", str(tmp_path / "drawn"))
    assert "[livelock]" in drawn.output
    picture = (tmp_path / "drawn" / "witness.svg").read_text("utf-8")
    assert picture.count("again and again") == 2
    page = run(tmp_path, UNDOING, "--liveness", "--html", str(tmp_path / "page.html"))
    assert "[livelock]" in page.output
    found = CliRunner().invoke(main, ["ltl", str(tmp_path / "prog.xcfa"), "F ended(all)", "--mcm", "sc"])
    assert (found.exit_code, "and then for ever:" in found.output) == (1, True)


SENDING = """\
var x : int
var y : int
process p { var r : int init loc L loc M final loc E
  L -> M { 1 -> x 0 -> x r <- y } M -> L { assume r = 0 } M -> E { assume r = 1 } }
process q { var s : int init loc L final loc E L -> E { s <- x 1 -> y } }
"""


def test_what_goes_on_only_if_it_is_never_another_ones_turn(tmp_path: Path) -> None:
    """Executions have no answer; the command that is named then has one."""
    asked = ["--liveness", "--timeout", "1"]
    done = run(tmp_path, SENDING, *asked)
    said = " ".join(done.output.split())
    note = f"xgen ltl {tmp_path / 'prog.xcfa'} 'F ended(all)' --mcm sc"
    assert done.exit_code == 3
    assert note in said
    found = CliRunner().invoke(main, ["ltl", str(tmp_path / "prog.xcfa"), "F ended(all)", "--mcm", "sc"])
    assert (found.exit_code, found.output[:5]) == (0, "holds")
    assert "xgen ltl" not in run(tmp_path, SENDING, "--timeout", "1").output
    other = CliRunner().invoke(main, ["check", str(tmp_path / "prog.xcfa"), "--mcm", "ra", *asked])
    assert (other.exit_code, "xgen ltl" in other.output) == (3, False)
