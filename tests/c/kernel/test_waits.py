"""Tasks that sleep, completions and wait queues: lost wake-ups, as the kernel's documentation has them, and order."""

from __future__ import annotations

from pathlib import Path

import pytest

import xgen
from tests.c.kernel.drivers import MODEL, load


def run(folder: Path, text: str) -> xgen.Result:
    return xgen.check(load(folder, text), MODEL, timeout=60)


def kinds(result: xgen.Result) -> list[str]:
    return [] if result.witness is None else [violation.kind for violation in result.witness.violations]


SLEEPS = """int cond, data;
CPU(0, sleeps) {{ for (;;) {{ {} if (READ_ONCE(cond)) break; schedule(); }} __set_current_state(TASK_RUNNING); }}
CPU(1, wakes) {{ WRITE_ONCE(cond, 1); {} }}
int main(void) {{ START(sleeps); START(wakes); }}"""
WAKE = "wake_up_process(&_xgen_tasks[0]);"
UNTIL = "set_current_state(TASK_UNINTERRUPTIBLE);"


@pytest.mark.parametrize(
    ("before", "wakes", "lost"),
    [
        (UNTIL, WAKE, False),
        (UNTIL.replace("set", "__set", 1), WAKE, True),  # memory-barriers.txt, "Sleep and wake-up functions"
        (UNTIL.replace("set", "__set", 1) + " smp_mb();", WAKE, False),
        (UNTIL.replace("UN", ""), WAKE, False),
        (UNTIL, "", True),
        (UNTIL, "wake_up_state(&_xgen_tasks[0], TASK_INTERRUPTIBLE);", True),
        ("", WAKE, None),  # it does not sleep: the loop waits by reading
    ],
)
def test_wake_ups(before: str, wakes: str, lost: bool | None, tmp_path: Path) -> None:
    result = run(tmp_path, SLEEPS.format(before, wakes))
    assert result.verdict == ("violation" if lost else "safe")
    assert kinds(result) == (["await"] if lost else [])


QUEUE = """DECLARE_WAIT_QUEUE_HEAD(q); int cond;
CPU(0, sleeps) {{ wait_event(q, READ_ONCE(cond)); }}
CPU(1, wakes) {{ {} }}
int main(void) {{ START(sleeps); START(wakes); }}"""


@pytest.mark.parametrize(
    ("wakes", "lost"),
    [
        ("WRITE_ONCE(cond, 1); wake_up(&q);", False),
        ("WRITE_ONCE(cond, 1); wake_up_all(&q);", False),
        ("wake_up(&q); WRITE_ONCE(cond, 1);", True),
        ("WRITE_ONCE(cond, 1);", True),
        ("WRITE_ONCE(cond, 1); wake_up_interruptible(&q);", True),
        # include/linux/wait.h says so of waitqueue_active
        ("WRITE_ONCE(cond, 1); if (waitqueue_active(&q)) wake_up(&q);", True),
        ("WRITE_ONCE(cond, 1); smp_mb(); if (waitqueue_active(&q)) wake_up(&q);", False),
        ("WRITE_ONCE(cond, 1); smp_wmb(); if (waitqueue_active(&q)) wake_up(&q);", True),
        ("WRITE_ONCE(cond, 1); if (wq_has_sleeper(&q)) wake_up(&q);", False),
    ],
)
def test_wait_queues(wakes: str, lost: bool, tmp_path: Path) -> None:
    result = run(tmp_path, QUEUE.format(wakes))
    assert result.verdict == ("violation" if lost else "safe")
    assert kinds(result) == (["await"] if lost else [])
    assert not result.flags


COMPLETION = """#include <linux/completion.h>
DECLARE_COMPLETION(c); int x;
CPU(0, does) {{ {} }}
CPU(1, waits) {{ {} }}
{}
int main(void) {{ START(does); START(waits); {} }}"""
TWICE = "CPU(2, too) { wait_for_completion(&c); assert(x == 1); }"


@pytest.mark.parametrize(
    ("does", "waits", "more", "kind"),
    [
        ("x = 1; complete(&c);", "wait_for_completion(&c); assert(x == 1);", "", None),
        ("complete(&c); x = 1;", "wait_for_completion(&c); assert(READ_ONCE(x) == 1);", "", "assertion"),
        ("x = 1;", "wait_for_completion(&c);", "", "await"),
        ("x = 1; complete(&c);", "wait_for_completion(&c);", TWICE, "await"),
        ("x = 1; complete(&c); complete(&c);", "wait_for_completion(&c);", TWICE, None),
        ("x = 1; complete_all(&c);", "wait_for_completion(&c); assert(x == 1);", TWICE, None),
        ("x = 1; complete(&c);", "wait_for_completion(&c); wait_for_completion(&c);", "", "await"),
        ("x = 1; complete(&c);", "if (try_wait_for_completion(&c)) assert(x == 1);", "", None),
        ("x = 1; complete(&c);", "if (completion_done(&c)) assert(READ_ONCE(x) == 1);", "", "assertion"),
        ("x = 1; complete(&c);", "wait_for_completion(&c); assert(!completion_done(&c));", "", None),
        ("x = 1; complete_all(&c);", "wait_for_completion(&c); assert(completion_done(&c));", "", None),
    ],
)
def test_completions(does: str, waits: str, more: str, kind: str | None, tmp_path: Path) -> None:
    result = run(tmp_path, COMPLETION.format(does, waits, more, "START(too);" if more else ""))
    assert kinds(result)[:1] == ([] if kind is None else [kind])
    assert result.verdict == ("safe" if kind is None else "violation")
    if kind is None:
        assert not result.flags


def test_an_interrupt_completes(tmp_path: Path) -> None:
    """It may come while the task looks at the completion, which keeps it off, and need not come at all."""
    text = """DECLARE_COMPLETION(c); int x;
INTERRUPT(0, tick) { x = 1; complete(&c); }
CPU(0, task) { if (try_wait_for_completion(&c)) assert(x == 1); }
int main(void) { START(task); }"""
    assert run(tmp_path, text).verdict == "safe"


REFUSED = {
    "schedule_timeout(5);": "`schedule_timeout`, a timer, is not supported",
    "prepare_to_wait(&q, 0, 2);": "`prepare_to_wait`, an entry of a wait queue, is not supported",
    "wait_for_completion_interruptible(&c);": "a wait that signals end, is not supported",
    "smp_schedule();": "the function `smp_schedule`, which has no body, is not supported",
}


@pytest.mark.parametrize("statement", REFUSED)
def test_what_is_refused(statement: str, tmp_path: Path) -> None:
    text = "DECLARE_WAIT_QUEUE_HEAD(q); DECLARE_COMPLETION(c);\n"
    with pytest.raises(xgen.XgenError) as caught:
        load(tmp_path, f"{text}CPU(0, a) {{ {statement} }}\nint main(void) {{ START(a); }}")
    assert REFUSED[statement] in caught.value.message


@pytest.mark.parametrize("statement", ["schedule();", "wait_for_completion(&c);", "wait_event(q, x);"])
def test_what_may_sleep_is_for_no_handler(statement: str, tmp_path: Path) -> None:
    text = "DECLARE_WAIT_QUEUE_HEAD(q); DECLARE_COMPLETION(c); int x;\n"
    with pytest.raises(xgen.XgenError, match="what may sleep, in the handler of an interrupt, is"):
        load(tmp_path, f"{text}INTERRUPT(0, tick) {{ {statement} }}\nCPU(0, a) {{ }}\nint main(void) {{ START(a); }}")
