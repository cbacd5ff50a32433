"""kthread_run and its like: CPUs, what stops a thread and wakes it up, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import xgen
from tests.c.kernel.drivers import load

SLEEPS = "static int f(void *a) { @ return 4; }"
WAITS = "set_current_state(TASK_INTERRUPTIBLE); while (!kthread_should_stop()) { schedule(); @ }"
STOPS = 'int main(void) { struct task_struct *t = kthread_run(f, NULL, "f"); int r = kthread_stop(t); @ }'
WRITES = "int x, y, p, q; static int f(void *a) { WRITE_ONCE(x, 1); return 0; }"
READS = "CPU(1, o) { WRITE_ONCE(y, 1); smp_mb(); q = READ_ONCE(x); }"
CREATED = (
    "int x; static int f(void *a) { assert(x == 5); return 0; }\n"
    'int main(void) { struct task_struct *t = kthread_create(f, 0, "f/%d", 1); x = 5; @ }'
)
CASES = {
    # One that is stopped before it has run never runs.
    "returns": (STOPS.replace("@", "assert(r == 4 || r == -EINTR);"), "safe", ""),
    "never runs": (STOPS.replace("@", "assert(r == 4);"), "violation", ""),
    "wakes up": (STOPS.replace("@", ""), "safe", WAITS.replace("@", "set_current_state(TASK_INTERRUPTIBLE);")),
    "lost wake-up": (
        STOPS.replace("@", ""),
        "violation",
        "while (!kthread_should_stop()) { set_current_state(TASK_INTERRUPTIBLE); schedule(); }",
    ),
}


def check(folder: Path, text: str) -> xgen.Result:
    return xgen.check(load(folder, text), liveness=True, timeout=60)


@pytest.mark.parametrize("name", CASES)
def test_what_stops_a_thread(name: str, tmp_path: Path) -> None:
    main, verdict, body = CASES[name]
    assert check(tmp_path, f"{SLEEPS.replace('@', body)}\n{main}").verdict == verdict


@pytest.mark.parametrize(("between", "verdict"), [("", "violation"), ("smp_mb();", "safe")])
def test_the_end_of_a_thread_is_no_full_barrier(between: str, verdict: str, tmp_path: Path) -> None:
    """W+RWC: the thread's write comes before what follows kthread_stop, and not yet before what others see."""
    main = f"pthread_t t = START(o); int r = kthread_stop(kthread_run(f, 0, 0)); {between} p = READ_ONCE(y); JOIN(t);"
    text = f"{WRITES}\n{READS}\nint main(void) {{ {main} assert(r || p || q); }}"
    assert check(tmp_path, text).verdict == verdict


@pytest.mark.parametrize(
    ("end", "verdict"), [("wake_up_process(t);", "safe"), ("wake_up_process(t); x = 6;", "violation")]
)
def test_what_is_created_waits_to_be_woken_up(end: str, verdict: str, tmp_path: Path) -> None:
    assert check(tmp_path, CREATED.replace("@", end)).verdict == verdict


def test_who_is_never_woken_up_is_named_with_the_place(tmp_path: Path) -> None:
    result = check(tmp_path, CREATED.replace("@", ""))
    assert result.witness is not None
    (violation,) = result.witness.violations
    assert (violation.kind, violation.position.line) == ("await", 3)


def test_each_has_a_cpu_of_its_own(tmp_path: Path) -> None:
    """They are numbered behind the CPUs of the driver, which has number 1; main is CPU 0."""
    body = "static int f(void *a) { __this_cpu_add(c, 1); return smp_processor_id(); }"
    starts = "int r = kthread_stop(kthread_run(f, 0, 0));"
    ends = "assert(r == 2 || r == 3 || r == -EINTR); assert(per_cpu(c, 2) < 2);"
    main = f"int main(void) {{ START(m); kthread_run_on_cpu(f, 0, 4, 0); {starts} {ends} }}"
    text = f"#define NR_CPUS 5\nDEFINE_PER_CPU(int, c);\n{body}\nCPU(1, m) {{ kthread_run(f, 0, 0); }}\n{main}"
    program = load(tmp_path, text.replace("#define NR_CPUS 5\n", ""), defines=("NR_CPUS=5",))
    result = xgen.check(program, all_states=True, timeout=60)
    assert result.verdict == "safe"
    assert any("has a CPU of its own" in warning for warning in result.warnings)
    assert all(outcome.state.get("c[4]") in (0, 1) for outcome in result.outcomes)


TWO = "int x; CPU(0, a) { WRITE_ONCE(x, 1); }\nCPU(0, b) { WRITE_ONCE(x, 2); }\nint main(void) { @ }"
F = "int x; static int f(void *a) { return 0; }\n"
REFUSED = {
    TWO.replace("@", "START(a); START(b);"): "`b` runs on CPU 0, as `a` does, which is started at driver.c:4:18",
    TWO.replace("@", "START(a); START(a);"): "two threads on a CPU are not supported",
    TWO.replace("@", "pthread_t t = START(a); if (READ_ONCE(x)) JOIN(t); START(b);"): "two threads on a CPU are not",
    F + "CPU(0, g) { } int main(void) { START(g); schedule(); }": "in main where CPU(0, ...) is another thread is not",
    F + "int main(void) { for (int n = 0; n < 4; n++) kthread_run(f, 0, 0); }": "a thread on CPU 4, where there are 4",
    F + "int main(void) { while (!READ_ONCE(x)) kthread_run(f, 0, 0); }": "creating threads in a loop whose rounds",
    F + "CPU(2, g) { } int main(void) { START(g); kthread_run_on_cpu(f, 0, 2, 0); }": "`f` runs on CPU 2, as `g` does",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(xgen.UnsupportedError) as error:
        load(tmp_path, text)
    assert REFUSED[text] in str(error.value).replace(f"{tmp_path}/", "")


def test_one_cpu_after_the_other(tmp_path: Path) -> None:
    """Who starts behind the end of another one may be the same CPU."""
    assert check(tmp_path, TWO.replace("@", "JOIN(START(a)); START(b);")).verdict == "safe"


@pytest.mark.parametrize(("unlock", "verdict"), [("__clear_bit_unlock", "safe"), ("clear_bit", "violation")])
def test_a_lock_of_a_bit_has_an_answer(unlock: str, verdict: str, tmp_path: Path) -> None:
    body = f"{{ while (test_and_set_bit_lock(0, &w)) cpu_relax(); a++; {unlock}(0, &w); }}"
    main = "int main(void) { pthread_t s = START(p), t = START(q); JOIN(s); JOIN(t); assert(a == 2); }"
    assert check(tmp_path, f"int a; unsigned long w;\nCPU(0, p) {body}\nCPU(1, q) {body}\n{main}").verdict == verdict
