"""What races lack, as people and scripts read it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.fake import run

MP = """\
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int flag;
void *writer(void *none) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_STORE);
  return none;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  if (atomic_load_explicit(&flag, memory_order_LOAD)) data = 2;
  return 0;
}
"""
NEXT = ["", "next: xgen fences mp.c --mcm rc11 --orders --cheapest"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(folder: Path, store: str, load: str) -> str:
    (folder / "mp.c").write_text(MP.replace("STORE", store).replace("LOAD", load))
    return "mp.c"


def report(*words: str) -> list[str]:
    """What is said from the race's own place on."""
    lines = run("check", *words, "--mcm", "rc11").stdout.splitlines()
    return lines[next(n for n, line in enumerate(lines) if line.startswith("mp.")) :]


def test_one_order(here: Path) -> None:
    assert report(written(here, "relaxed", "acquire"))[6:] == [
        "mp.c:7:3: note: main reads this relaxed store at line 13: `memory_order_release` is missing here",
        "    7 |   atomic_store_explicit(&flag, 1, memory_order_relaxed);",
        "      |   ^^^^^^^^^^^^^^^^^^^^^",
        "  with this order, line 6 would happen before line 13; the program is safe then (checked)",
        *NEXT,
    ]
    assert report(written(here, "release", "relaxed"))[6:] == [
        "mp.c:13:7: note: writer stores what this relaxed load reads at line 7: `memory_order_acquire` is missing here",
        "   13 |   if (atomic_load_explicit(&flag, memory_order_relaxed)) data = 2;",
        "      |       ^^^^^^^^^^^^^^^^^^^^",
        "  with this order, line 6 would happen before line 13; the program is safe then (checked)",
        *NEXT,
    ]


def test_both_orders_and_the_words_of_xcfa(here: Path) -> None:
    both = report(written(here, "relaxed", "relaxed"))
    assert [line for line in both if "missing here" in line] == [
        "mp.c:7:3: note: main reads this relaxed store at line 13: `memory_order_release` is missing here",
        "mp.c:13:7: note: writer stores what this relaxed load reads at line 7: `memory_order_acquire` is missing here",
    ]
    assert both[-3] == "  with these orders, line 6 would happen before line 13; the program is safe then (checked)"
    (here / "mp.xcfa").write_text(
        "var d : int var f : int\n"
        "process p { init loc A final loc E A -> E { 1 -> d; 1 -> f @ relaxed } }\n"
        "process q { var a : int init loc A loc B final loc E\n"
        "A -> B { a <- f @ acquire } B -> E { assume a = 1; 2 -> d } B -> E { assume a = 0 } }\n"
    )
    assert "mp.xcfa:2:53: note: q reads this relaxed store at line 4: `@ release` is missing here" in report("mp.xcfa")


@pytest.mark.usefixtures("here")
def test_no_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xgen.analyses.trial.SECONDS", 600.0)  # however busy the machine is
    lines = run("check", "dekker_us.c", "--mcm", "rc11").stdout.splitlines()
    assert lines[-4:] == [
        "  neither thread has read what the other wrote after its access: acquire and release cannot order the two",
        "  acquire and release do not help, not even everywhere (checked); seq_cst does",
        "",
        "next: xgen fences dekker_us.c --mcm rc11 --orders --cheapest",
    ]


def test_the_document(here: Path) -> None:
    found = run("check", written(here, "relaxed", "acquire"), "--mcm", "rc11", "--format", "json")
    error = json.loads(found.stdout)["witness"]["error"]
    events = {
        event["id"]: event["source"]["line"]
        for event in json.loads(found.stdout)["witness"]["events"]
        if event["source"]
    }
    assert error["hint"] is None
    assert [(events[e["event"]], e["order"]) for e in error["missing"]] == [(7, "release")]
    assert [events[name] for name in error["path"]] == [6, 7, 13, 13]
    assert (error["with_missing"], error["left"]) == ("safe", None)


def test_an_explanation_is_the_way(here: Path) -> None:
    asked = run("explain", written(here, "relaxed", "acquire"), "--mcm", "rc11")
    lines = asked.stdout.splitlines()
    assert (asked.exit_code, len(lines)) == (0, 20)
    assert lines[2:7] == [
        "the way from one to the other, on which orders are missing",
        "  W data = 1 (writer, line 6)",
        "    po -> W flag = 1 relaxed (writer, line 7): later in program order",
        "    rf -> R flag = 1 acquire (main, line 13): reads from it",
        "    po -> W data = 2 (main, line 13): later in program order",
    ]
    assert lines[-3].endswith("the program is safe then (checked)")
    assert lines[-2:] == NEXT
    document = json.loads(run("explain", "mp.c", "--mcm", "rc11", "--format", "json").stdout)
    assert len(document["constraints"]) == 5
    assert "<svg" in (run("explain", "mp.c", "--mcm", "rc11", "--svg", "mp.svg"), (here / "mp.svg").read_text())[1]


def test_nothing_is_tried_that_nobody_reads_or_has_time_for(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("tried", "mending"):
        monkeypatch.setattr(f"xgen.analyses.trial.{name}", lambda *_, **__: 1 / 0)
    quiet = run("check", written(here, "relaxed", "acquire"), "--mcm", "rc11", "-q")
    assert (quiet.exit_code, len(quiet.stdout.splitlines())) == (1, 1)


def test_what_is_known_to_help_is_not_tried_again(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xgen.analyses.fences.fences.with_everything", lambda *_, **__: 1 / 0)
    written(here, "relaxed", "acquire")
    for command in ("check", "explain"):
        assert run(command, "mp.c", "--mcm", "rc11").stdout.splitlines()[-2:] == NEXT


def test_ctrl_c_leaves_the_check_out(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("xgen.analyses.trial.problem", interrupted)
    lines = report(written(here, "relaxed", "acquire"))
    assert lines[-1] == "  with this order, line 6 would happen before line 13"
