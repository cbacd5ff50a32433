"""Interrupts of the kernel's C: a handler that may come is one that is called by hand at one of all the places.

`@` stands in the bodies below where a handler may come: before each access, fence and lock with interrupts on, and at
the end. With no handler there, or with a call of it at one of these places, a program has no interrupts; all these
programs together have the executions, by their states, of the one that has them.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from click.testing import CliRunner

import xgen
from tests.c.kernel.drivers import load, tree
from xgen.cli import main

ADDS = "int had = READ_ONCE(x); WRITE_ONCE(x, had + 1);"
PROGRAMS = {
    # what the handler does, what CPU 0 does, what is beside it
    "a counter": (ADDS, "@ int v = READ_ONCE(x); @ WRITE_ONCE(x, v + 1); @", ""),
    "a counter, with interrupts off": (
        ADDS,
        "unsigned long f; @ local_irq_save(f); int v = READ_ONCE(x); WRITE_ONCE(x, v + 1); local_irq_restore(f); @",
        "",
    ),
    "off within off": (
        ADDS,
        "unsigned long f, g; @ WRITE_ONCE(y, 1); @ local_irq_save(f); local_irq_save(g); int v = READ_ONCE(x);"
        " local_irq_restore(g); WRITE_ONCE(x, v + 1); local_irq_restore(f); @ WRITE_ONCE(y, 2); @",
        "CPU(1, other) { int a = READ_ONCE(y); seen = a; }",
    ),
    "off on one way": (
        ADDS,
        "@ int a = READ_ONCE(y); if (a) { @ local_irq_disable(); } if (!a) { @ } int v = READ_ONCE(x); if (!a) { @ }"
        " WRITE_ONCE(x, v + 1); local_irq_enable(); @ got = a; @",
        "CPU(1, other) { WRITE_ONCE(y, 1); }",
    ),
    "off behind a read": (
        ADDS,
        "@ int v = READ_ONCE(x); @ local_irq_disable(); WRITE_ONCE(x, v + 1); local_irq_enable(); @ got = v; @",
        "",
    ),
    "off, on, and off": (
        ADDS,
        "@ local_irq_disable(); WRITE_ONCE(x, 1); local_irq_enable(); @ local_irq_disable(); int v = READ_ONCE(x);"
        " local_irq_enable(); local_irq_disable(); local_irq_enable(); @ got = v; @",
        "CPU(1, other) { int a = READ_ONCE(x); seen = a; }",
    ),
    "off at the end": (ADDS, "@ WRITE_ONCE(x, 5); @ local_irq_disable(); got = 1;", ""),
    "a message": (
        "int a = READ_ONCE(y); if (a) { int b = READ_ONCE(x); seen = b + 1; }",
        "@ WRITE_ONCE(z, 1); @ smp_mb(); @ int v = READ_ONCE(x); @ got = v; @",
        "CPU(1, other) { WRITE_ONCE(x, 1); smp_wmb(); WRITE_ONCE(y, 1); }",
    ),
    "a branch": (  # where the ways meet, nothing of it counts, whether a handler came there or not
        "WRITE_ONCE(z, 2);",
        "@ int v = READ_ONCE(x); if (v) { @ WRITE_ONCE(z, 1); } @ WRITE_ONCE(y, 1); @ got = v; @",
        "CPU(1, other) { int a = READ_ONCE(y); WRITE_ONCE(x, a); seen = a; }",
    ),
    "a branch of the handler": (
        "int a = READ_ONCE(x); if (a) z = 1; seen = a;",
        "@ WRITE_ONCE(w, 1); @ WRITE_ONCE(y, 1); @",
        "CPU(1, other) { int a = READ_ONCE(y); WRITE_ONCE(x, a); got = a; }",
    ),
    "plain accesses": (ADDS, "@ y = 1; @ x = 1; @ z = 1; @", "CPU(1, other) { int a = READ_ONCE(x); seen = a; }"),
    "updates": ("xchg_relaxed(&x, 5);", "@ xchg(&x, 1); @ cmpxchg(&x, 5, 6); @", "CPU(1, other) { xchg(&x, 9); }"),
    "a lock": (
        "spin_lock(&l); x++; spin_unlock(&l);",
        "unsigned long f; @ WRITE_ONCE(y, 1); @ spin_lock_irqsave(&l, f); x++; spin_unlock_irqrestore(&l, f); @",
        "CPU(1, other) { spin_lock(&l); x++; spin_unlock(&l); }",
    ),
    "RCU": (
        "rcu_read_lock(); int a = READ_ONCE(x); int b = READ_ONCE(y); seen = 2 * a + b; rcu_read_unlock();",
        "@ WRITE_ONCE(z, 1); @",
        "CPU(1, other) { WRITE_ONCE(y, 1); synchronize_rcu(); WRITE_ONCE(x, 1); }",
    ),
    "what the task calls as well": (
        "twice(2);",
        "twice(1); @",
        "CPU(1, other) { int a = READ_ONCE(x); seen = a; }",
    ),
}
PASSED_BY = {"a branch": {"0": 1}, "off on one way": {"0": 1, "1": 2}}
"""Where some places are on one way only: how many are passed by, by what `got` is there."""
INSIDE = "static void twice(int n) { int last = n + 1; AT WRITE_ONCE(x, n); AT WRITE_ONCE(x, last); }"


def text(name: str, before: str, body: str) -> str:
    others = PROGRAMS[name][2]
    started = "START(task);" + ("START(other);" if others else "")
    shared = "int w, x, y, z, got, seen; spinlock_t l;"
    return f"{shared}\n{before}\nCPU(0, task) {{ {body} }}\n{others}\nint main(void) {{ {started} }}"


def executions(folder: Path, program: str, **options: int) -> Counter[tuple[tuple[str, str], ...]]:
    """The states at the ends, with their numbers of executions."""
    result = xgen.check(load(folder, program, **options), all_states=True, timeout=60)
    assert result.exhaustive
    return Counter(
        {
            tuple(sorted((name, str(value)) for name, value in outcome.state.items())): outcome.count
            for outcome in result.outcomes
        }
    )


def by_hand(folder: Path, name: str, most: int) -> Counter[tuple[tuple[str, str], ...]]:
    """The same, of all programs in which the handler is called at up to so many places."""
    handler, body, _ = PROGRAMS[name]
    does = "int last = 3; WRITE_ONCE(x, 2); WRITE_ONCE(x, last);" if name.startswith("what the task") else handler
    body = body.replace("twice(1);", "int last = 2; @ WRITE_ONCE(x, 1); @ WRITE_ONCE(x, last);")
    pieces = body.split("@")
    found: Counter[tuple[tuple[str, str], ...]] = Counter()
    for count in range(most + 1):
        for places in combinations_with_replacement(range(len(pieces) - 1), count):
            called = Counter(places)
            whole = "".join(f"{piece} {'tick(); ' * called[at]}" for at, piece in enumerate(pieces))
            found += executions(folder, text(name, f"static void tick(void) {{ {does} }}", whole))
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_handler_comes_at_any_place(name: str, tmp_path: Path) -> None:
    handler, body, _ = PROGRAMS[name]
    program = text(name, f"{INSIDE.replace('AT ', '')} INTERRUPT(0, tick) {{ {handler} }}", body.replace("@", ""))
    found = executions(tmp_path, program)
    none = by_hand(tmp_path, name, 0)
    passed_by: Counter[tuple[tuple[str, str], ...]] = Counter()
    for value, times in PASSED_BY.get(name, {}).items():
        passed_by += Counter({state: times * count for state, count in none.items() if ("got", value) in state})
    assert found == by_hand(tmp_path, name, 1) - passed_by
    assert executions(tmp_path, program, interrupts=0) == none


@pytest.mark.parametrize(
    "name", ["a counter", "off within off", "off, on, and off", "plain accesses", "a branch of the handler"]
)
def test_a_handler_comes_several_times(name: str, tmp_path: Path) -> None:
    handler, body, _ = PROGRAMS[name]
    program = text(name, f"INTERRUPT(0, tick) {{ {handler} }}", body.replace("@", ""))
    assert executions(tmp_path, program, interrupts=2) == by_hand(tmp_path, name, 2)


def test_handlers_of_two_kinds(tmp_path: Path) -> None:
    """Hard ones interrupt soft ones, and not the other way round; each may come before the other at one place."""
    hard, soft = "WRITE_ONCE(x, READ_ONCE(x) + 1);", "int s = READ_ONCE(x); WRITE_ONCE(y, s);"
    handlers = f"int x, y; INTERRUPT(0, tick) {{ {hard} }} SOFTIRQ(0, later) {{ {soft} }}"
    ends = "int main(void) { START(task); }"
    found = executions(tmp_path, f"{handlers} CPU(0, task) {{ WRITE_ONCE(x, 5); }} {ends}")
    # By hand: h is the hard one, s the soft one, in two pieces, between which h may come; w is what the task does.
    h, first, second, w = hard, "int s = READ_ONCE(x);", "WRITE_ONCE(y, s);", "WRITE_ONCE(x, 5);"
    both = [first, second]
    orders = [[w], [h, w], [w, h], [*both, w], [w, *both]]
    orders += [[*both[:at], h, *both[at:], w] for at in range(3)]
    orders += [[w, *both[:at], h, *both[at:]] for at in range(3)]
    orders += [[h, w, *both], [*both, w, h]]
    expected: Counter[tuple[tuple[str, str], ...]] = Counter()
    for order in orders:
        body = " ".join(order)
        expected += executions(tmp_path, f"int x, y; CPU(0, task) {{ {body} }} {ends}")
    assert found == expected


def test_a_hard_one_may_see_that_a_soft_one_runs(tmp_path: Path) -> None:
    """It comes before the soft one, or into it: not the same where it asks."""
    program = """int x, y; INTERRUPT(0, tick) { if (!in_softirq()) WRITE_ONCE(x, 1); }
        SOFTIRQ(0, later) { BUG_ON(READ_ONCE(x)); } CPU(0, task) { } int main(void) { START(task); }"""
    assert xgen.check(load(tmp_path, program)).verdict == "violation"
    assert xgen.check(load(tmp_path, program.replace("!in_softirq()", "in_softirq()"))).verdict == "violation"
    assert xgen.check(load(tmp_path, program.replace("!in_softirq()", "in_task()"))).verdict == "safe"


RACES = {
    # what the task does; whether a compiler may move that to where the handler runs `x++` or `WRITE_ONCE(y, 1)`
    "x = 1;": 1,
    "WRITE_ONCE(x, 1);": 1,
    "y = 1;": 1,
    "WRITE_ONCE(y, 1);": 0,
    "int v = y; z = v;": 1,
    "z = 1;": 0,
    "x = 1; y = 1; x = 2;": 2,
    "local_irq_disable(); x = 1; local_irq_enable();": 0,
    "local_irq_disable(); x = 1; local_irq_enable(); x = 2;": 1,
    "local_bh_disable(); x = 1; local_bh_enable();": 1,
}


@pytest.mark.parametrize("body", RACES)
def test_plain_accesses_of_the_task_and_the_handler_are_told(body: str, tmp_path: Path) -> None:
    text = f"""int x, y, z; INTERRUPT(0, tick) {{ x++; WRITE_ONCE(y, 1); }}
        CPU(0, task) {{ {body} }} int main(void) {{ START(task); }}"""
    remarks = load(tmp_path, text).remarks
    told = [each for each in remarks if "the interrupt `tick` accesses the same variable at" in each]
    assert len(told) == RACES[body], told
    assert not load(tmp_path, text, races=False).remarks


OFF = {
    "local_irq_disable(); BODY local_irq_enable();": (True, True),
    "local_bh_disable(); BODY local_bh_enable();": (False, True),
    "local_bh_disable(); local_bh_disable(); local_bh_enable(); BODY local_bh_enable();": (False, True),
    "spin_lock_irq(&l); BODY spin_unlock_irq(&l);": (True, True),
    "spin_lock_bh(&l); BODY spin_unlock_bh(&l);": (False, True),
    "raw_spinlock_t r = {0}; unsigned long f; raw_spin_lock_irqsave(&r, f); BODY raw_spin_unlock_irqrestore(&r, f);": (
        True,
        True,
    ),
    "spin_lock(&l); BODY spin_unlock(&l);": (False, False),
    "preempt_disable(); BODY preempt_enable();": (False, False),
}


@pytest.mark.parametrize("how", OFF)
def test_what_keeps_handlers_away(how: str, tmp_path: Path) -> None:
    for kind, kept in zip(("INTERRUPT", "SOFTIRQ"), OFF[how], strict=True):
        body = how.replace("BODY", "int v = READ_ONCE(x); int u = READ_ONCE(x); BUG_ON(u != v);")
        program = f"""int x; DEFINE_SPINLOCK(l); {kind}(2, tick) {{ WRITE_ONCE(x, 1); }}
            CPU(2, task) {{ {body} }} int main(void) {{ START(task); }}"""
        assert xgen.check(load(tmp_path, program)).verdict == ("safe" if kept else "violation"), kind


def test_who_runs_is_known(tmp_path: Path) -> None:
    program = """int x;
        INTERRUPT(0, tick) { BUG_ON(!in_hardirq() || !in_interrupt() || in_task() || !irqs_disabled()); }
        SOFTIRQ(0, later) { BUG_ON(in_hardirq() || !in_serving_softirq() || !in_softirq() || in_task()); }
        CPU(0, task) {
            BUG_ON(in_interrupt() || !in_task() || in_hardirq() || irqs_disabled());
            local_bh_disable(); BUG_ON(!in_softirq() || in_serving_softirq() || !in_task()); local_bh_enable();
            unsigned long f; local_irq_save(f); BUG_ON(!irqs_disabled() || f); local_irq_restore(f);
            BUG_ON(irqs_disabled() || in_softirq()); WRITE_ONCE(x, 1); BUG_ON(irqs_disabled() || in_softirq());
        }
        int main(void) { START(task); }"""
    assert xgen.check(load(tmp_path, program)).verdict == "safe"


@pytest.mark.parametrize(("taken", "verdict"), [("spin_lock(&l)", "violation"), ("spin_lock_irq(&l)", "safe")])
def test_a_lock_that_a_handler_takes_as_well(taken: str, verdict: str, tmp_path: Path) -> None:
    given = taken.replace("_lock", "_unlock")
    program = f"""DEFINE_SPINLOCK(l); int x; INTERRUPT(0, tick) {{ spin_lock(&l); x++; spin_unlock(&l); }}
        CPU(0, task) {{ {taken}; x++; {given}; }}
        CPU(1, other) {{ spin_lock(&l); x++; spin_unlock(&l); }} int main(void) {{ START(task); START(other); }}"""
    result = xgen.check(load(tmp_path, program))
    assert result.verdict == verdict
    if verdict == "violation":
        assert result.witness is not None
        assert result.witness.violations[0].kind == "deadlock"


def test_what_waits_for_an_interrupt_may_wait_for_ever(tmp_path: Path) -> None:
    """None has to come. If it does, the loop ends, and what it has read is ordered."""
    program = """int x, done; INTERRUPT(0, tick) { x = 1; smp_store_release(&done, 1); }
        CPU(0, task) { while (!smp_load_acquire(&done)) ; BUG_ON(x != 1); } int main(void) { START(task); }"""
    assert xgen.check(load(tmp_path, program), liveness=True).verdict == "violation"
    result = xgen.check(load(tmp_path, program), liveness=False)
    assert (result.verdict, result.executions, result.exhaustive) == ("safe", 2, True)


HANDLER = "INTERRUPT(0, tick) { WRITE_ONCE(x, 1); }"
WRONG = {
    "CPU(0, task) { x = 1; }": (2, "there is no handler of an interrupt"),
    f"{HANDLER} CPU(1, task) {{ x = 1; }}": (None, "the interrupt `tick` never comes"),
    "INTERRUPT(y, tick) { } CPU(0, task) { y = 1; }": (None, "a number of a CPU that is no constant is"),
    "INTERRUPT(0, tick) { local_irq_enable(); } CPU(0, task) { x = 1; }": (
        None,
        "to turn interrupts on in the handler of one is",
    ),
    "INTERRUPT(0, tick) { spin_lock_bh(&l); } CPU(0, task) { x = 1; }": (
        None,
        "to turn bottom halves off or on in the handler of an interrupt is",
    ),
    "SOFTIRQ(0, tick) { mutex_lock(&m); } CPU(0, task) { x = 1; }": (
        None,
        "what may sleep, in the handler of an interrupt, is",
    ),
    "INTERRUPT(0, tick) { synchronize_rcu(); } CPU(0, task) { x = 1; }": (
        None,
        "what may sleep, in the handler of an interrupt, is",
    ),
    "INTERRUPT(0, tick) { int *p = kmalloc(4, GFP_ATOMIC); kfree(p); } CPU(0, task) { x = 1; }": (
        2,
        "the interrupt `tick` allocates memory or starts a thread; more than one of it is",
    ),
    f"static _Thread_local int t; {HANDLER} CPU(0, task) {{ t = 1; x = t; }}": (
        None,
        "a variable of each thread, where there are interrupts, is",
    ),
}


@pytest.mark.parametrize("body", WRONG)
def test_what_is_refused(body: str, tmp_path: Path) -> None:
    interrupts, message = WRONG[body]
    options = {} if interrupts is None else {"interrupts": interrupts}
    text = f"int x, y; DEFINE_SPINLOCK(l); DEFINE_MUTEX(m); {body} int main(void) {{ START(task); }}"
    with pytest.raises(xgen.XgenError, match=message):
        load(tmp_path, text, **options)


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "driver.c"
    file.write_text(f"""#include <xgen/kernel_test.h>
        int x; {HANDLER} CPU(0, task) {{ int a = READ_ONCE(x); int b = READ_ONCE(x); BUG_ON(a != b); }}
        int main(void) {{ START(task); }}""")
    given = [str(file), "--kernel", tree(tmp_path)]
    result = CliRunner().invoke(main, ["check", *given, "--format", "json"])
    assert (result.exit_code, json.loads(result.stdout)["verdict"]) == (1, "violation")
    result = CliRunner().invoke(main, ["check", *given, "--interrupts", "0", "--format", "json"])
    assert (result.exit_code, json.loads(result.stdout)["verdict"]) == (0, "safe")
    result = CliRunner().invoke(main, ["check", str(file), "--interrupts", "1"])
    assert result.exit_code == 2
    assert "--kernel" in result.output
    with pytest.raises(xgen.UsageError, match="the option `interrupts` is for files of the Linux kernel"):
        xgen.load(file, interrupts=1)


@pytest.mark.parametrize(
    ("kind", "off"),
    [
        ("INTERRUPT", "local_irq_disable(); DOES local_irq_enable();"),
        ("SOFTIRQ", "local_irq_disable(); DOES local_irq_enable();"),
        ("SOFTIRQ", "local_bh_disable(); DOES local_bh_enable();"),
        ("SOFTIRQ", "local_bh_disable(); local_irq_disable(); DOES local_irq_enable(); local_bh_enable();"),
        ("SOFTIRQ", "spin_lock_bh(&l); DOES spin_unlock_bh(&l);"),
        ("INTERRUPT", "spin_lock_irq(&l); DOES spin_unlock_irq(&l);"),
    ],
)
def test_what_is_read_before_interrupts_are_off(kind: str, off: str, tmp_path: Path) -> None:
    """A handler comes between a read and a section that puts what was read; not into it if the read is there, too."""
    handler = "WRITE_ONCE(came, 1); WRITE_ONCE(x, READ_ONCE(x) + 1);"
    text = f"""int x, came; spinlock_t l; {kind}(0, late) {{ {handler} }} CPU(0, task) {{ BODY }}
        int main(void) {{ JOIN(START(task)); assert(x == 1 + came); }}"""
    before = "int v = READ_ONCE(x); " + off.replace("DOES", "WRITE_ONCE(x, v + 1);")
    assert xgen.check(load(tmp_path, text.replace("BODY", before))).verdict == "violation"
    within = off.replace("DOES", "int v = READ_ONCE(x); WRITE_ONCE(x, v + 1);")
    assert xgen.check(load(tmp_path, text.replace("BODY", within))).verdict == "safe"


@pytest.mark.parametrize(
    ("operation", "verdict"),
    [
        ("this_cpu_inc(n)", "safe"),
        ("this_cpu_add_return(n, 1)", "safe"),
        ("this_cpu_xchg(n, this_cpu_read(n) + 1)", "violation"),
        ("__this_cpu_inc(n)", "violation"),
        ("__this_cpu_add_return(n, 1)", "violation"),
    ],
)
def test_operations_of_this_cpu(operation: str, verdict: str, tmp_path: Path) -> None:
    """An interrupt comes before or after such an operation; it may interrupt one with underscores, or two."""
    text = f"""DEFINE_PER_CPU(int, n); int came;
    INTERRUPT(0, tick) {{ came = 1; this_cpu_inc(n); }}
    CPU(0, one) {{ {operation}; }}
    int main(void) {{ JOIN(START(one)); assert(per_cpu(n, 0) == 1 + came); }}"""
    assert xgen.check(load(tmp_path, text)).verdict == verdict
