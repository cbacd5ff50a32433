"""Which weaker orders a test notices: against programs whose text says the weaker order."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli.fake import run

import xgen
from xgen.resources import shipped

RC11 = xgen.model("rc11")
WEAKER = {
    "acquire": ("relaxed",),
    "release": ("relaxed",),
    "seq_cst": ("relaxed",),
    "acq_rel": ("acquire", "release"),
}
SAID = re.compile(r"memory_order_(acquire|release|acq_rel|seq_cst)\b")


def whole(name: str) -> str:
    """The text of a shipped program, with the order that its macro stands for in the macro's places."""
    text = (shipped("programs") / "c" / f"{name}.c").read_text(encoding="utf-8")
    lines = text.split("\n")
    safe = re.findall(r"#define ORDER (memory_order_\w+)", text)
    lines = [line if line.startswith("#") else re.sub(r"\bORDER\b", safe[-1] if safe else "", line) for line in lines]
    return "\n".join(lines)


def mutants(text: str) -> list[tuple[int, str, str, str]]:
    """Line, order, weaker order and text of each program that says one order less; where a compare-exchange does not
    write, its order is made relaxed with the other one if it would be stronger."""
    found = []
    for match in SAID.finditer(text):
        if text[text.rfind("\n", 0, match.start()) + 1] == "#":
            continue
        for to in WEAKER[match[1]]:
            rest = text[match.end() :]
            fails = re.match(r",\s*memory_order_(\w+)\)", rest)
            if fails and fails[1] == "acquire" and to in ("relaxed", "release"):
                rest = rest[: fails.start(1)] + "relaxed" + rest[fails.end(1) :]
            line = text.count("\n", 0, match.start()) + 1
            found.append((line, match[1], to, f"{text[: match.start()]}memory_order_{to}{rest}"))
    return found


@pytest.mark.parametrize(
    ("name", "noticed", "number"), [("spsc", 4, 4), ("treiber", 2, 4), ("mpmc", 2, 4), ("publication", 2, 2)]
)
def test_shipped_programs(name: str, noticed: int, number: int) -> None:
    text = whole(name)
    found = xgen.check(xgen.parse(text, "c", f"{name}.c"), RC11, weaken=True).weakened
    assert found is not None
    expected = sorted(
        (line, was, to, "noticed" if xgen.check(xgen.parse(t, "c", f"{name}.c"), RC11).witness else "not-noticed")
        for line, was, to, t in mutants(text)
    )
    assert sorted((each.line, each.was, each.to, each.verdict) for each in found) == expected
    assert (sum(each.verdict == "noticed" for each in found), len(found)) == (noticed, number)


HALVES = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
union { _Atomic uint32_t word; _Atomic uint16_t half[2]; } u;
int data;
void *thread(void *argument) {
  data = 1;
  atomic_store_explicit(&u.half[1], 1, memory_order_release);
  return argument;
}
int main() {
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  uint32_t one = 0x10000;
  if (atomic_compare_exchange_strong_explicit(&u.word, &one, 2, memory_order_acq_rel, memory_order_acquire))
    assert(data);
  else if (one) assert(data);
  if (atomic_fetch_or_explicit(&u.word, 1, memory_order_acquire) > 1) assert(data);
  pthread_join(other, 0);
}
"""


def test_accesses_of_several_sizes() -> None:
    """An update of several parts has one order, and a compare-exchange a second one."""
    options = {"mixed_atomics": True}
    found = xgen.check(xgen.parse(HALVES, "c", "u.c", **options), RC11, weaken=True).weakened
    assert found is not None
    shown = {(each.line, each.was, each.to, each.verdict) for each in found if not each.failing}
    expected = {
        (line, was, to, "noticed" if xgen.check(xgen.parse(t, "c", "u.c", **options), RC11).witness else "not-noticed")
        for line, was, to, t in mutants(HALVES)
    }
    failing = {(16, "acquire", "relaxed", "not-noticed")}  # where it fails, it has read 0
    assert {(each.line, each.was, each.to, each.verdict) for each in found if each.failing} == failing
    assert shown | failing == expected
    assert len(shown) == 4


MP = """\
var d : int var f : int
process p { init loc A final loc E A -> E { 1 -> d
  %s
  1 -> f @ %s } }
process q { var a : int var b : int init loc A loc B final loc E
  A -> B { a <- f @ acquire } B -> E { assume a = 1; b <- d } B -> E { assume a = 0 } }
"""


def verdicts(text: str, model: xgen.Model = RC11, **options: object) -> list[tuple[int, str, str, str]]:
    found = xgen.check(xgen.parse(text), model, weaken=True, **options).weakened  # type: ignore[arg-type]
    assert found is not None
    return [(each.line, each.was, each.to, each.verdict) for each in found]


def test_orders_and_fences() -> None:
    assert verdicts(MP % ("", "release")) == [
        (4, "release", "relaxed", "noticed"),
        (6, "acquire", "relaxed", "noticed"),
    ]
    assert verdicts(MP % ("fence release", "relaxed")) == [
        (3, "release", "none", "noticed"),
        (6, "acquire", "relaxed", "noticed"),
    ]
    both = verdicts(MP % ("fence release", "release"))
    assert [verdict for *_, verdict in both] == ["not-noticed", "not-noticed", "noticed"]
    wrong = xgen.check(xgen.parse(MP % ("", "relaxed")), RC11, weaken=True)
    assert (wrong.verdict, wrong.weakened) == ("violation", ())


def test_fences_of_machines() -> None:
    text = """
    var x : int var y : int
    process p { var a : int init loc A final loc E A -> E { 1 -> x; fence mfence; a <- y } }
    process q { var b : int init loc A final loc E A -> E { 1 -> y; fence mfence; b <- x; fence } }
    """
    found = xgen.check(xgen.parse(text), xgen.model("tso"), weaken=True).weakened
    assert found is not None
    assert [(each.was, each.to) for each in found] == [("mfence", "none"), ("mfence", "none"), ("fence", "none")]


def test_a_weaker_program_without_an_end_has_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here any other program has more graphs than it may have."""
    monkeypatch.setattr("xgen.analyses.check.weaken.GRAPHS", 1)
    monkeypatch.setattr("xgen.analyses.check.weaken.TIMES", 0)
    assert {verdict for *_, verdict in verdicts(MP % ("", "release"))} <= {"no-answer", "noticed"}
    assert "no-answer" in {verdict for *_, verdict in verdicts(MP % ("fence release", "release"))}


def test_ctrl_c_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from xgen.analyses.check import weaken
    from xgen.engine.graphs.run import Run

    calls = []

    class Interrupted(Run):
        def finish(self, on_progress: object = None) -> None:  # noqa: ARG002
            calls.append(1)
            self.stopped = "interrupt"

    monkeypatch.setattr(weaken, "Run", Interrupted)
    assert {verdict for *_, verdict in verdicts(MP % ("", "release"))} == {"no-answer"}
    assert len(calls) == 1


def test_text_json_and_what_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mp.xcfa").write_text(MP % ("fence release", "release"))
    asked = run("check", "mp.xcfa", "--mcm", "rc11", "--weaken")
    assert asked.exit_code == 0
    assert asked.stdout.endswith(
        "weakened    1 of 3 weaker orders are noticed\n"
        "  not noticed: mp.xcfa:3: without the fence release: `fence release`\n"
        "  not noticed: mp.xcfa:4: release -> relaxed: `1 -> f @ release } }`\n"
        "  what is not noticed is not needed, or this test does not use it\n"
    )
    document = json.loads(run("check", "mp.xcfa", "--mcm", "rc11", "--weaken", "--format", "json").stdout)
    assert document["weakened"][0] == {
        "file": "mp.xcfa", "line": 3, "column": 3, "from": "release", "to": "none", "failing": False,
        "verdict": "not-noticed",
    }  # fmt: skip
    assert json.loads(run("check", "mp.xcfa", "--mcm", "rc11", "--format", "json").stdout)["weakened"] is None
    compiled = run("check", "spsc.c", "--on", "armv8", "--weaken")
    assert compiled.exit_code == 2
    assert "orders are weakened in the text as it is, not in what it is compiled to for armv8" in compiled.stderr
    none = run("check", "peterson", "--mcm", "sc", "--weaken")
    assert "there is no order that could be weaker, and no fence" in none.stdout


RING = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int ring[4], seen_head, seen_tail;
atomic_uint head, tail;
void *produce(void *a) {
  for (unsigned i = 0; i < 3;) {
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    if (at - seen_head == 4) {
      seen_head = atomic_load_explicit(&head, memory_order_acquire);
      continue;
    }
    ring[at % 4] = i + 1;
    atomic_store_explicit(&tail, at + 1, memory_order_release);
    i++;
  }
  return a;
}
void *consume(void *a) {
  for (unsigned i = 0; i < 3;) {
    unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
    if (at == seen_tail) {
      seen_tail = atomic_load_explicit(&tail, memory_order_acquire);
      continue;
    }
    assert(ring[at % 4] == i + 1);
    atomic_store_explicit(&head, at + 1, memory_order_release);
    i++;
  }
  return a;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, produce, 0);
  pthread_create(&b, 0, consume, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
"""


def test_a_ring_that_remembers_indices(tmp_path: Path) -> None:
    """It ends only if these are locals: for the check, for each weaker order, and for the lines."""
    found = xgen.check(xgen.parse(RING, "c", "ring.c"), RC11, weaken=True, coverage=True)
    assert (found.verdict, found.executions) == ("safe", 8)
    assert found.weakened is not None
    assert {(one.line, one.verdict) for one in found.weakened} == {
        (10, "not-noticed"),
        (14, "noticed"),
        (23, "noticed"),
        (27, "not-noticed"),
    }
    assert found.coverage is not None
    assert [missed.line for missed in found.coverage.never] == [10]
    (tmp_path / "ring.c").write_text(
        RING.replace("tail, at + 1, memory_order_release", "tail, at + 1, memory_order_relaxed")
    )
    told = run("check", str(tmp_path / "ring.c"), "--mcm", "rc11").stdout
    assert "with this order, line 13 would happen before line 26; the program is safe then (checked)\n" in told


def test_fences_of_gpus(tmp_path: Path) -> None:
    """`fence.sc` stands as a write to a cell of xgen's own: without it, nothing is there that orders."""
    text = """PTX SB
{ x=0; y=0; }
 P0@cta 0,gpu 0           | P1@cta 1,gpu 0           ;
 st.relaxed.gpu x, 1      | st.relaxed.gpu y, 1      ;
 fence.sc.gpu             | fence.sc.gpu             ;
 ld.relaxed.gpu r0, y     | ld.relaxed.gpu r1, x     ;
~exists (0:r0=0 /\\ 1:r1=0)
"""
    (tmp_path / "SB.litmus").write_text(text, encoding="utf-8")
    found = xgen.check(str(tmp_path / "SB.litmus"), weaken=True).weakened
    assert found is not None
    assert [(each.was, each.to, each.verdict) for each in found] == [("seq_cst", "none", "noticed")] * 2
