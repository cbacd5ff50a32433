"""`xgen explain`: programs, litmus tests and outcomes; text, JSON, drawings and pages; wrong input."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

from cli.fake import run

MP = """\
forbidden by tso: a violation; the candidate below breaks 1 constraint

execution: 6 events, 2 threads
"""
CYCLE = """\
constraint `store_order` is violated
  "stores reach the memory in one order, in which only a later load may overtake a store"
  global acyclic, but there is
    W x = 1 (writer, line 17)
      ppo > po -> W y = 1 (writer, line 19): later in program order
      rf -> R y = 1 (reader, line 30): reads from it, different threads
      ppo > po -> R x = 0 (reader, line 32): later in program order
      fr -> W x = 1 (writer, line 17): overwrites what it has read

constraint `coherence` holds
"""
SB = r"""X86 SB
{ x=0; y=0; }
 P0         | P1         ;
 MOV [x],$1 | MOV [y],$1 ;
 MOV EAX,[y]| MOV EAX,[x];
exists (0:EAX=0 /\ 1:EAX=0)
"""
RELEASING = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int flag;
void *body(void *given) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return given;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, body, 0);
  if (atomic_load_explicit(&flag, memory_order_acquire)) assert(data == 1);
}
"""


@pytest.fixture
def sb(tmp_path: Path) -> str:
    file = tmp_path / "SB.litmus"
    file.write_text(SB)
    return str(file)


def test_a_forbidden_violation() -> None:
    outcome = run("explain", "mp", "--mcm", "tso")
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith(MP)
    assert CYCLE in outcome.stdout


def test_an_allowed_violation() -> None:
    outcome = run("explain", "peterson", "--mcm", "tso")
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith("allowed by tso: a violation\n")
    assert "is violated" not in outcome.stdout
    assert outcome.stdout.count(", its events in an order that fits: ") == 2


def test_a_litmus_test_has_its_own_question_and_model(sb: str) -> None:
    assert run("explain", sb).stdout.startswith("allowed by tso: 0:EAX=0 /\\ 1:EAX=0\n")
    forbidden = run("explain", sb, "--mcm", "sc").stdout
    assert forbidden.startswith("forbidden by sc: 0:EAX=0 /\\ 1:EAX=0; ")
    assert "\n      fr -> W x = 1 (P0, line 4): overwrites what it has read\n" in forbidden


def test_a_condition_for_all_is_asked_for_what_it_excludes(tmp_path: Path) -> None:
    file = tmp_path / "t.litmus"
    file.write_text(SB.replace("exists (0:EAX=0 /\\ 1:EAX=0)", "forall (0:EAX=1 \\/ 1:EAX=1)"))
    assert run("explain", str(file)).stdout.startswith("allowed by tso: not (0:EAX=1 \\/ 1:EAX=1)\n")
    assert run("explain", str(file), "--mcm", "sc").stdout.startswith("forbidden by sc: not (")


def test_waiting(tmp_path: Path) -> None:
    """A thread that waits is shown with what it reads; where none does, what forbids it."""
    test = tmp_path / "mp.xcfa"
    test.write_text(
        "var x : int var y : int\n"
        "process p { init loc A final loc E A -> E { 1 -> x 1 -> y } }\n"
        "process q { var r : int var s : int init loc A final loc E A -> E { r <- y s <- x\n r - s -> x } }\n"
        "process w { var r : int init loc A loc B final loc E\n"
        " A -> B { r <- x }\n B -> A { assume r = 1 } B -> E { assume r /= 1 } }\n",
        encoding="utf-8",
    )
    shown = run("explain", str(test), "--mcm", "sc", "--liveness")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("allowed by sc: a thread waits for ever\n\nexecution: ")
    assert "x = 1 is what p wrote last at line 2, and no thread is left to change it: p has ended" in shown.stdout
    never = run("explain", "spinlock", "--mcm", "tso", "--liveness")
    assert never.stdout.startswith("forbidden by tso: a thread waits for ever; it is in none of 27 executions")
    both = run("explain", "peterson", "--mcm", "sc", "--liveness", "--outcome", "cs=0")
    assert (both.exit_code, "--liveness cannot be used with --outcome" in both.stderr) == (2, True)


def test_an_outcome() -> None:
    values = "p0:a=0, p1:b = 0"
    outcome = run("explain", "sb_fenced", "--mcm", "tso", "--outcome", values)
    assert outcome.stdout.startswith("forbidden by tso: p0:a = 0 and p1:b = 0; the candidate below breaks 1 constraint")
    assert "fenced > po -> F (p0, line 21): later in program order" in outcome.stdout
    assert run("explain", "sb_fenced", "--mcm", "any", "--outcome", values).stdout.startswith("allowed by any: ")
    never = run("explain", "sb_fenced", "--mcm", "sc", "--outcome", "p0:a=7").stdout
    assert never.startswith("forbidden by sc: p0:a = 7; it is in none of 4 executions without the model's constraints")


def test_json() -> None:
    document = json.loads(run("explain", "mp", "--mcm", "tso", "--format", "json").stdout)
    assert (document["answer"], document["model"], document["candidates"]) == ("forbidden", "tso", 4)
    coherence, order = document["constraints"]
    assert coherence["holds"] is True
    assert coherence["order"] != []
    assert [(s["relation"], s["from"], s["to"]) for s in order["steps"]] == [
        ("ppo", "0:0", "0:2"), ("rf", "0:2", "1:0"), ("ppo", "1:0", "1:2"), ("fr", "1:2", "0:0"),
    ]  # fmt: skip
    assert order["steps"][0]["parts"] == [{"relation": "po", "from": "0:0", "to": "0:2", "notes": [], "parts": []}]


def test_the_drawing_and_the_page(tmp_path: Path) -> None:
    drawn, page = tmp_path / "mp.svg", tmp_path / "mp.html"
    told = run("explain", "mp", "--mcm", "tso", "--svg", str(drawn), "--html", str(page))
    assert told.exit_code == 0
    assert told.stdout.endswith(f"\n\nthe execution was written to {drawn}\n")
    hot = [e for e in xml.fromstring(drawn.read_text()).iter() if "hot" in e.get("class", "").split()]
    # Program order goes through the fences, which are no part of the cycle.
    assert sorted(e.get("data-event", "") for e in hot if e.get("data-event")) == ["0:0", "0:2", "1:0", "1:2"]
    assert len([e for e in hot if e.get("data-from")]) == 6
    assert "forbidden by tso: a violation" in page.read_text()


def test_nothing_to_draw(tmp_path: Path) -> None:
    drawn = tmp_path / "no.svg"
    outcome = run("explain", "sb_fenced", "--mcm", "sc", "--svg", str(drawn))
    assert outcome.stderr == "there is no execution to draw\n"
    assert not drawn.exists()


WRONG = [
    (["sb_fenced", "--mcm", "tso", "--outcome", "p0:b=0"], "there is no `p0:b` among the final values"),
    (["sb_fenced", "--mcm", "tso", "--outcome", "p0:b=0"], "did you mean `p1:b`?"),
    (["sb_fenced", "--mcm", "tso", "--outcome", "zzzzzz=0"], "there are p0:a, p1:b, x, y"),
    (["sb_fenced", "--mcm", "tso", "--outcome", "p0:a"], "`p0:a` is not a final value"),
    (["sb_fenced", "--mcm", "tso", "--outcome", ""], "`` is not a final value"),
    (["sb_fenced"], "Missing option '--mcm'"),
    (["nowhere.xcfa", "--mcm", "tso"], "there is no such file"),
    (["mp", "--mcm", "tsoo"], "tso"),
    (["mp", "--mcm", "tso", "--svg", "/proc/nowhere/x.svg"], "this cannot be written"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_wrong_input(arguments: list[str], message: str) -> None:
    outcome = run("explain", *arguments)
    assert outcome.exit_code == 2
    assert outcome.stdout == ""
    assert message in outcome.stderr
    assert not re.search(r"Traceback|Error:.*Error", outcome.stderr)


def test_no_answer_in_time() -> None:
    outcome = run("explain", "bakery", "--mcm", "sc", "--timeout", "1e-9")
    assert outcome.exit_code == 3
    assert outcome.stdout.startswith("no answer: the time was up after ")


def test_check_explains_what_it_finds() -> None:
    allowed = run("check", "peterson", "--mcm", "tso", "--explain")
    assert allowed.exit_code == 1
    assert "\nallowed by tso: error location Error reached\n" in allowed.stdout
    forbidden = run("check", "mp", "--mcm", "tso", "--explain")
    assert forbidden.exit_code == 0
    assert "\n\n" + MP in forbidden.stdout
    assert CYCLE in forbidden.stdout


def test_a_text_as_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "mp.c"
    file.write_text(RELEASING)
    outcome = run("explain", str(file), "--mcm", "power", "--map", "none")
    assert outcome.stdout.startswith("allowed by power, map none: a violation\n")
    again = run("explain", str(file), "--mcm", "power", "--map", "none", "--format", "json")
    assert json.loads(again.stdout)["map"] == "none"
    compiled = run("explain", str(file), "--on", "power")
    assert compiled.stdout.startswith("forbidden by power: a violation")
