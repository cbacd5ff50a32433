"""Which lines executions come to: against the lines of the executions themselves, and by hand."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from random import Random

import pytest
from cli.fake import run
from oracle.strategies import DEFAULT, random_program

import xgen
from xgen.executions.coverage import Coverage
from xgen.views.answers.adequacy.coverage import coverage_lines, coverage_to_lcov

QUEUE = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
typedef struct { atomic_uint seq; void *data; } slot_t;
typedef struct { slot_t *slots; atomic_uint head, tail; } queue_t;
queue_t *queue_new(void) {
  queue_t *q = malloc(sizeof(queue_t));
  q->slots = malloc(2 * sizeof(slot_t));
  for (unsigned i = 0; i < 2; i++) atomic_init(&q->slots[i].seq, i);
  atomic_init(&q->head, 0); atomic_init(&q->tail, 0);
  return q;
}
int queue_push(queue_t *q, void *item) {
  unsigned pos = atomic_load_explicit(&q->tail, memory_order_relaxed);
  for (;;) {
    slot_t *s = &q->slots[pos % 2];
    int ahead = (int)(atomic_load_explicit(&s->seq, memory_order_acquire) - pos);
    if (ahead == 0) {
      if (atomic_compare_exchange_strong_explicit(&q->tail, &pos, pos + 1, memory_order_relaxed,
                                                  memory_order_relaxed)) {
        s->data = item;
        atomic_store_explicit(&s->seq, pos + 1, memory_order_release);
        return 1;
      }
    } else if (ahead < 0) {
      return 0;
    } else {
      pos = atomic_load_explicit(&q->tail, memory_order_relaxed);
    }
  }
}
queue_t *q;
int one, two;
void *producer(void *item) { queue_push(q, item); return 0; }
int main(void) {
  q = queue_new();
  pthread_t a, b;
  pthread_create(&a, 0, producer, &one);
  if (PRODUCERS > 1) pthread_create(&b, 0, producer, &two);
  pthread_join(a, 0);
  return 0;
}
"""


def covered(text: str, language: str = "xcfa", model: str = "rc11", **options: object) -> Coverage:
    program = xgen.parse(text, language, f"t.{language}", **options)  # type: ignore[arg-type]
    found = xgen.check(program, xgen.model(model), coverage=True, all_states=True).coverage
    assert found is not None
    return found


def never(coverage: Coverage) -> list[tuple[int, str | None]]:
    return [(line.line, line.why) for line in coverage.never]


def test_a_queue_with_one_producer_never_contends() -> None:
    """With two, one finds that the other was faster, and reads again where it is."""
    assert never(covered(QUEUE, "c", defines=("PRODUCERS=1",))) == [(29, "never"), (40, "folded")]
    assert never(covered(QUEUE, "c", defines=("PRODUCERS=2",))) == []


@pytest.mark.parametrize("seeds", [range(60), pytest.param(range(60, 3000), marks=pytest.mark.long)], ids=str)
def test_lines_are_those_of_the_executions(seeds: range) -> None:
    """What is not covered is what no execution that is handed out has an event of, whatever the threads do."""
    some = 0
    for seed in seeds:
        program = xgen.parse(str(random_program(Random(seed), DEFAULT)))
        for model in ("sc", "weak"):
            result = xgen.check(program, xgen.model(model), coverage=True, all_states=True, max_depth=6)
            assert result.coverage is not None
            seen = {e.position.line for e in result.traces for e in e.events if e.position}
            if result.executions + result.blocked + result.bounded > len(result.traces):
                continue
            lines = {line.line: line.why for line in result.coverage.lines}
            assert seen <= lines.keys()
            asserted = {n for n in lines if "assert" in program.source.line(n)}
            assert {n for n, why in lines.items() if why is None} - asserted == seen - asserted
            some += any(lines.values())
    assert some > len(seeds) // 10


XCFA = """\
var x : int var y : int
process p { init loc A final loc E A -> E { 1 -> x } }
process q { var a : int init loc A loc B final loc E
  A -> B { a <- x }
  B -> E { assume a = 2; 1 -> y }
  B -> E { assume a /= 2 } }
"""


def test_what_is_never_done() -> None:
    found = covered(XCFA)
    assert [(line.line, line.why) for line in found.lines] == [(2, None), (4, None), (5, "never")]


FOLDED = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int never, twice;
atomic_int flag;
void *w(void *p) {
  if (never == 1) {
    atomic_store(&flag, 1);
    assert(atomic_load(&flag) == 1);
  }
  atomic_store(&flag, 2);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, w, 0);
  pthread_join(a, 0);
  return 0;
}
"""


def test_lines_that_constants_take_away() -> None:
    found = covered(FOLDED, "c")
    assert never(found) == [(8, "folded"), (9, "folded")]
    result = xgen.check(xgen.parse(FOLDED, "c", "f.c"), xgen.model("rc11"))
    assert [said for said in result.warnings if "assertion" in said] == [
        "note: nothing comes to the assertion at line 9 (`assert(atomic_load(&flag) == 1);`): what decides that never "
        "changes"
    ]


def test_ctrl_c_ends_both_explorations() -> None:
    """One is enough, though lines are looked for in an exploration of their own."""
    text = "var x : int\nprocess p[6] { var a : int a <- x; a + 1 -> x; a <- x; 1 -> x; }\n"

    def interrupt(_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    program = xgen.parse(text)
    result = xgen.check(program, xgen.model("tso"), all_states=True, coverage=True, on_progress=interrupt)
    assert (result.stopped, result.seconds < 60) == ("interrupt", True)
    assert result.coverage is not None
    assert not result.coverage.complete


def test_as_text_json_and_for_lcov(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.xcfa").write_text(XCFA)
    said = run("check", "t.xcfa", "--mcm", "sc", "--coverage").stdout
    assert "coverage    2 of 3 lines are executed\n  never: t.xcfa:5: B -> E { assume a = 2; 1 -> y }\n" in said
    Path("l.xcfa").write_text("var x : int process p { init loc A final loc E A -> A { 1 -> x } A -> E { } }")
    bounded = run("check", "l.xcfa", "--mcm", "sc", "--coverage", "--max-depth", "2")
    assert "coverage    1 of 1 lines are executed within the bound\n" in bounded.stdout
    stopped = xgen.check(xgen.load("l.xcfa"), xgen.model("sc"), coverage=True, timeout=0.0)
    assert stopped.coverage is not None
    assert not stopped.coverage.complete
    assert "lines are executed so far" in coverage_lines(stopped.coverage, False)[0]
    document = json.loads(run("check", "t.xcfa", "--mcm", "sc", "--coverage=c.info", "--format", "json").stdout)
    assert document["coverage"] == {
        "lines": 3,
        "never": [{"file": "t.xcfa", "line": 5, "why": "never"}],
        "complete": True,
    }
    assert Path("c.info").read_text() == ("TN:xgen\nSF:t.xcfa\nDA:2,1\nDA:4,1\nDA:5,0\nLF:3\nLH:2\nend_of_record\n")
    assert json.loads(run("check", "t.xcfa", "--mcm", "sc", "--format", "json").stdout)["coverage"] is None
    swallowed = run("check", "--coverage", "t.xcfa", "t.xcfa", "--mcm", "sc")
    assert swallowed.exit_code == 2
    assert "t.xcfa: error: what --coverage writes is a file whose name ends in .info" in swallowed.stderr
    assert Path("t.xcfa").read_text() == XCFA
    refused = run("check", "t.xcfa", "--mcm", "sc", "--coverage=nowhere/c.info")
    assert (refused.exit_code, "nowhere/c.info: error: this cannot be written" in refused.stderr) == (2, True)


def test_of_several_files_and_many_lines() -> None:
    lines = "\n".join(f"B -> E {{ assume a = {n}; 1 -> y }}" for n in range(2, 20))
    text = XCFA.replace("  B -> E { assume a = 2; 1 -> y }", lines)
    assert len(never(covered(text))) == 18
    assert coverage_to_lcov(covered(text)).count("DA:") == 20
