"""What results are told with: lines of several files, instructions of litmus tests, where executions count double."""

from __future__ import annotations

from pathlib import Path

import pytest
from c.running import load
from engine.shapes import program

import xgen
from xgen.executions.execution import Execution
from xgen.resources import shipped
from xgen.views.answers.text import render, verdict_line
from xgen.views.answers.witness import witness_lines
from xgen.views.pages.html import result_to_html

QUEUE = """#include <stdlib.h>
#include <stdatomic.h>
struct slot { atomic_int full; int item; } *slot;
void make(void) { slot = malloc(sizeof *slot); atomic_init(&slot->full, 0); }
void push(int item) {
    slot->item = item;
    atomic_store_explicit(&slot->full, 1, memory_order_relaxed);
}
int pop(void) { return atomic_load_explicit(&slot->full, memory_order_acquire) ? slot->item : 0; }
"""
CLIENT = """#include <pthread.h>
void make(void); void push(int); int pop(void);
void *producer(void *none) { push(1); return 0; }
int main(void) {
    pthread_t t;
    make();
    pthread_create(&t, 0, producer, 0);
    pop();
    pthread_join(t, 0);
}
"""


@pytest.fixture
def race(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> xgen.Result:
    """A race between the lines of one file, in a program of two."""
    monkeypatch.chdir(tmp_path)
    Path("queue.c").write_text(QUEUE)
    Path("client.c").write_text(CLIENT)
    return xgen.check(xgen.load("client.c", "queue.c"), xgen.model("rc11"))


def witness_of(result: xgen.Result) -> Execution:
    assert result.witness is not None
    return result.witness.only(result.witness.cause)


def test_lines_have_their_files_where_two_are_shown(race: xgen.Result) -> None:
    lines = witness_lines(witness_of(race), lambda text, _: text)
    assert lines[1].startswith("  step        line  main")
    assert any(line.startswith("     0  client.c:7  F start") for line in lines)
    assert any("R make.slot.full = 1 acquire  from producer queue.c:7" in line for line in lines)
    assert "  ** data race on make.slot.item: main queue.c:9, producer queue.c:6 **" in lines
    assert "  make.slot  allocated at queue.c:4:26, in make called at client.c:6:5" in lines  # the global is `slot`


def test_pictures_name_the_files(race: xgen.Result) -> None:
    """They took what stands before the colon for a number, and lines of other files for the program's own."""
    svg = witness_of(race).to_svg()
    assert "queue.c:6" in svg
    assert 'data-line="7"' in svg  # of the client: the start
    assert 'data-line="6"' not in svg
    assert "queue.c:6" in witness_of(race).to_dot()
    assert "client.c under rc11" in result_to_html(race, xgen.model("rc11"))


def test_a_flag_that_is_the_violation_is_not_said_again(race: xgen.Result) -> None:
    assert list(race.flags) == ["data_race"]
    assert " of the model: " not in render(race)


def test_flags_of_other_executions_are_said() -> None:
    """What is no violation, and what another execution than the one that is shown raises."""
    flagged = xgen.parse_model('model "flagged"\nflag rf empty as seen', "flagged.mcm")
    result = xgen.check(program("1 -> x", "a <- x"), flagged)
    assert "flag        seen of the model: 2 executions" in render(result)


def test_blocked_executions_with_a_violation_are_counted_by_name() -> None:
    asked = program("1 -> x @ relaxed; assert false", "a <- x @ relaxed; assume a = 1")
    result = xgen.check(asked, xgen.model("rc11"), all_states=True)
    numbers = (result.executions, result.blocked, result.violations)
    assert numbers == (1, 1, 2)
    assert "1 complete and 1 blocked execution, 2 with a violation, exhaustive" in verdict_line(result)


def test_litmus_instructions_are_as_the_test_writes_them() -> None:
    test = xgen.load(shipped("litmus") / "AArch64" / "MP+dmb.ld+dmb.sy.litmus")
    execution = next(iter(xgen.executions(test, xgen.model("arm8"))))
    texts = [event.text for event in execution.events if event.thread >= 0]
    assert texts == ["STR W1,[X0]", "DMB LD", "STR W3,[X2]", "LDR W1,[X0]", "DMB SY", "LDR W3,[X2]"]


def test_who_waits_in_a_loop_comes_before_who_joins_it() -> None:
    text = """#include <pthread.h>
atomic_int go;
void *wait(void *none) { while (!atomic_load(&go)) ; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, wait, 0); pthread_join(t, 0); atomic_store(&go, 1); }
"""
    result = xgen.check(load("#include <stdatomic.h>\n" + text), xgen.model("rc11"), liveness=True)
    assert result.witness is not None
    assert [violation.position.line for violation in result.witness.violations] == [4, 5]


def test_lines_that_no_execution_comes_to_are_grey_on_the_page() -> None:
    lines = load("int x;\nint main(void) {\n  x = 1;\n  if (x == 2)\n    x = 3;\n}")
    result = xgen.check(lines, xgen.model("rc11"), coverage=True, trace_limit=1)
    assert '"never":[5]' in result_to_html(result, xgen.model("rc11"))


def test_an_execution_is_a_line_or_the_table_of_reports(race: xgen.Result) -> None:
    execution = witness_of(race)
    assert repr(execution) == "<Execution: 2 threads, 5 events, race at queue.c:9:82>"
    assert str(execution).splitlines() == witness_lines(execution, lambda text, _: text)
