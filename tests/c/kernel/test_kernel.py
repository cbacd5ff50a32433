"""The kernel's C: control dependencies by hand, assertions that only ask, what is refused, and the command."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import xgen
from tests.c.kernel.drivers import MODEL, load, tree
from xgen.cli import main
from xgen.resources import shipped

GIVES = "CPU(1, gives) { int seen = READ_ONCE(y); WRITE_ONCE(x, seen); WRITE_ONCE(w, 1); }"
STARTS = "int main(void) { START(takes); START(gives); }"


def run(folder: Path, text: str, **options: Any) -> xgen.Result:
    return xgen.check(load(folder, text, **options), all_states=True, timeout=60)


def seen(folder: Path, body: str, before: str = "") -> bool:
    """Whether a CPU may read 1 that the other one only writes for what it writes itself later (LB)."""
    text = f"int x, y, z, w, got; {before}\nCPU(0, takes) {{ {body} }}\n{GIVES}\n{STARTS}"
    return any(outcome.state["got"] == 1 for outcome in run(folder, text).outcomes)


PASSES = "static inline bool is_set(int *p) { if (READ_ONCE(*p)) return true; return false; }"
CASES = {
    # What a branch decides is ordered, what comes where its ways meet is not.
    "no branch": ("got = READ_ONCE(x); WRITE_ONCE(y, 1);", True),
    "inside": ("got = READ_ONCE(x); if (got) WRITE_ONCE(y, 1);", False),
    "both ways": ("got = READ_ONCE(x); if (got) WRITE_ONCE(y, 1); else WRITE_ONCE(y, 1);", False),
    "behind": ("got = READ_ONCE(x); if (got) z = 1; WRITE_ONCE(y, 1);", True),
    "behind, with a release": ("got = READ_ONCE(x); if (got) z = 1; smp_store_release(&y, 1);", False),
    "behind, with a fence": ("got = READ_ONCE(x); if (got) z = 1; smp_mb(); WRITE_ONCE(y, 1);", False),
    "behind, with smp_wmb": ("got = READ_ONCE(x); if (got) z = 1; smp_wmb(); WRITE_ONCE(y, 1);", True),
    "behind an acquire": ("got = smp_load_acquire(&x); if (got) z = 1; WRITE_ONCE(y, 1);", False),
    "behind a switch": (
        "got = READ_ONCE(x); switch (got) { case 1: z = 1; break; default: z = 2; } WRITE_ONCE(y, 1);",
        True,
    ),
    "in a switch": ("got = READ_ONCE(x); switch (got) { case 1: WRITE_ONCE(y, 1); break; default: z = 2; }", False),
    "behind &&": ("got = READ_ONCE(x); if (got && READ_ONCE(w) == 0) z = 1; WRITE_ONCE(y, 1);", True),
    "in &&": ("got = READ_ONCE(x); if (got && READ_ONCE(w) == 0) WRITE_ONCE(y, 1);", False),
    "a value of &&": ("got = READ_ONCE(x); bool b = got && READ_ONCE(w) == 0; if (b) WRITE_ONCE(y, 1);", False),
    "a value of ?:": ("got = READ_ONCE(x); int v = got ? READ_ONCE(w) + 1 : 2; if (v == 1) WRITE_ONCE(y, 1);", False),
    "behind goto": ("got = READ_ONCE(x); if (got) goto out; z = 1; out: WRITE_ONCE(y, 1);", True),
    # Who returns does not come to what follows; what a function returns is what has decided.
    "return": ("got = READ_ONCE(x); if (!got) return; WRITE_ONCE(y, 1);", False),
    "what a function returns": ("got = is_set(&x); if (got) WRITE_ONCE(y, 1);", False),
    "behind a function": ("got = is_set(&x); WRITE_ONCE(y, 1);", True),
    "a variable": ("int v = 0; got = READ_ONCE(x); if (got) v = 1; WRITE_ONCE(y, v);", True),
    # Who waits comes to what follows only where the wait is over.
    "behind a loop that gives up": (
        "for (int i = 0; i < 6; i++) if (READ_ONCE(x)) { got = 1; break; } WRITE_ONCE(y, 1);",
        True,
    ),
    "behind a wait": ("int v; while (!(v = READ_ONCE(x))) ; WRITE_ONCE(y, 1); got = v;", False),
    "behind smp_cond_load_relaxed": ("got = smp_cond_load_relaxed(&x, VAL); WRITE_ONCE(y, 1);", False),
    "a wait on one way": ("got = READ_ONCE(x); if (!got) while (READ_ONCE(w)) ; WRITE_ONCE(y, 1);", False),
    # BUG_ON does not come back; an assertion and WARN_ON only ask.
    "BUG_ON": ("got = READ_ONCE(x); BUG_ON(got == 2); WRITE_ONCE(y, 1);", False),
    "BUG_ON on one way": ("got = READ_ONCE(x); if (got) BUG_ON(READ_ONCE(w)); WRITE_ONCE(y, 1);", False),
    "an assertion": ("got = READ_ONCE(x); assert(got != 2); WRITE_ONCE(y, 1);", True),
    "WARN_ON": ("got = READ_ONCE(x); WARN_ON(got == 2); WRITE_ONCE(y, 1);", True),
    "a check of xgen's own": ("int a[2] = { 0, 0 }; got = READ_ONCE(x); z = a[got]; WRITE_ONCE(y, 1);", True),
    # Updates: what fails is no barrier, what succeeds is one.
    "xchg": ("got = READ_ONCE(x); if (got) z = 1; xchg(&y, 1);", False),
    "xchg_relaxed": ("got = READ_ONCE(x); if (got) z = 1; xchg_relaxed(&y, 1);", True),
    "behind atomic_inc_return": (
        "static atomic_t a; got = READ_ONCE(x); if (got) z = 1; atomic_inc_return(&a); WRITE_ONCE(y, 1);",
        False,
    ),
    "behind atomic_inc": (
        "static atomic_t a; got = READ_ONCE(x); if (got) z = 1; atomic_inc(&a); WRITE_ONCE(y, 1);",
        True,
    ),
    "behind cmpxchg that fails": (
        "static int a; got = READ_ONCE(x); if (got) z = 1; cmpxchg(&a, 1, 2); WRITE_ONCE(y, 1);",
        True,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_a_branch_orders(name: str, tmp_path: Path) -> None:
    body, expected = CASES[name]
    assert seen(tmp_path, body, PASSES) == expected


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [("assert(v != 1);", "violation"), ("WARN_ON(v == 1);", "violation"), ("BUG_ON(v == 1);", "safe")],
)
def test_what_fails_may_come_of_what_follows(asked: str, verdict: str, tmp_path: Path) -> None:
    """A thread goes on behind an assertion that fails; behind BUG_ON nothing is done, so that nobody sees it."""
    text = f"int x, y, w; CPU(0, takes) {{ int v = READ_ONCE(x); {asked} WRITE_ONCE(y, 1); }}\n{GIVES}\n{STARTS}"
    result = run(tmp_path, text)
    assert result.verdict == verdict
    if verdict == "violation":
        assert result.witness is not None
        assert result.witness.violations[0].kind == "assertion"


def test_executions_are_not_doubled_by_assertions_that_hold(tmp_path: Path) -> None:
    text = "int x, y, w; CPU(0, takes) { int v = READ_ONCE(x); @ WRITE_ONCE(y, 1); } " + f"{GIVES} {STARTS}"
    asked, plain = (run(tmp_path, text.replace("@", each)) for each in ("assert(v < 7);", ""))
    assert (asked.verdict, asked.executions) == ("safe", plain.executions) == ("safe", 4)


def test_acquire_behind_a_control_dependency(tmp_path: Path) -> None:
    """As asm-generic/barrier.h has it: loads and stores that follow come after what the branch has read."""
    text = """int data, ready;
CPU(0, takes) {{ if (READ_ONCE(ready)) {{ {} assert(READ_ONCE(data) == 1); }} }}
CPU(1, gives) {{ WRITE_ONCE(data, 1); smp_store_release(&ready, 1); }}
int main(void) {{ START(takes); START(gives); }}"""
    assert run(tmp_path, text.format("")).verdict == "violation"
    assert run(tmp_path, text.format("smp_acquire__after_ctrl_dep();")).verdict == "safe"


FREES = """struct node {{ int v; }} *shared;
CPU(0, reads) {{ struct node *p; int v = 1;
  rcu_read_lock(); p = rcu_dereference(shared); if (p) v = p->v; rcu_read_unlock(); assert(v); }}
CPU(1, frees) {{ struct node *p = shared; WRITE_ONCE(shared, NULL); {} kfree(p); }}
int main(void) {{ shared = kmalloc(sizeof *shared, GFP_KERNEL); shared->v = 1; START(reads); START(frees); }}"""


CALLS = """struct node {{ int v; struct rcu_head rcu; }} *shared;
static void free_it(struct rcu_head *head) {{ kfree(container_of(head, struct node, rcu)); }}
CPU(0, reads) {{ struct node *p; int v = 1;
  rcu_read_lock(); p = rcu_dereference(shared); if (p) v = p->v; rcu_read_unlock(); assert(v); }}
CPU(1, frees) {{ struct node *p = shared; {} }}
int main(void) {{ shared = kmalloc(sizeof *shared, GFP_KERNEL); shared->v = 1; START(reads); START(frees); }}"""


@pytest.mark.parametrize(
    ("frees", "verdict"),
    [
        ("WRITE_ONCE(shared, NULL); call_rcu(&p->rcu, free_it);", "safe"),
        ("WRITE_ONCE(shared, NULL); kfree_rcu(p, rcu);", "safe"),
        ("kfree_rcu(p, rcu); WRITE_ONCE(shared, NULL);", "violation"),
    ],
)
def test_callbacks_are_called_behind_a_grace_period(frees: str, verdict: str, tmp_path: Path) -> None:
    assert run(tmp_path, CALLS.format(frees)).verdict == verdict


@pytest.mark.parametrize(
    ("between", "both"),
    [("call_rcu(&head, nothing);", True), ("synchronize_rcu();", False), ("", True), ("smp_mb();", False)],
)
def test_call_rcu_is_no_barrier(between: str, both: bool, tmp_path: Path) -> None:
    """Store buffering."""
    text = f"""int x, y, p, q; static struct rcu_head head; static void nothing(struct rcu_head *h) {{ }}
CPU(0, a) {{ WRITE_ONCE(x, 1); {between} p = READ_ONCE(y); }}
CPU(1, b) {{ WRITE_ONCE(y, 1); smp_mb(); q = READ_ONCE(x); }}
int main(void) {{ START(a); START(b); }}"""
    outcomes = run(tmp_path, text).outcomes
    assert any(outcome.state["p"] == outcome.state["q"] == 0 for outcome in outcomes) == both


@pytest.mark.parametrize(
    ("starts", "callback", "executions"),
    [
        ("call_rcu(&head, done); seen = READ_ONCE(freed); rcu_read_unlock();", "", 1),
        ("START(other); seen = READ_ONCE(freed); rcu_read_unlock();", "synchronize_rcu();", 1),
        ("START(other); seen = READ_ONCE(freed); rcu_read_unlock();", "", 2),
        ("rcu_read_unlock(); START(other); seen = READ_ONCE(freed);", "synchronize_rcu();", 2),
        ("JOIN(START(other)); rcu_read_unlock();", "synchronize_rcu();", 0),
        ("JOIN(START(other)); rcu_read_unlock();", "rcu_read_lock(); rcu_read_unlock();", 1),
    ],
)
def test_who_is_started_in_a_section_is_not_in_it(starts: str, callback: str, executions: int, tmp_path: Path) -> None:
    """Its grace period waits for the end of the section; a section that waits for it has no end."""
    text = f"""int freed, seen; static struct rcu_head head;
static void done(struct rcu_head *h) {{ WRITE_ONCE(freed, 1); }}
CPU(1, other) {{ {callback} WRITE_ONCE(freed, 1); }}
CPU(0, task) {{ rcu_read_lock(); {starts} }}
int main(void) {{ START(task); }}"""
    assert run(tmp_path, text).executions == executions


@pytest.mark.parametrize(("waits", "verdict"), [("synchronize_rcu();", "safe"), ("", "violation")])
def test_frees_wait_for_grace_periods(waits: str, verdict: str, tmp_path: Path) -> None:
    result = run(tmp_path, FREES.format(waits))
    assert result.verdict == verdict
    if verdict == "violation":
        assert result.witness is not None
        assert result.witness.violations[0].kind == "race-with-free"


def test_cpus_and_their_variables(tmp_path: Path) -> None:
    text = """DEFINE_PER_CPU(int, count); int sum;
CPU(0, a) { *this_cpu_ptr(&count) = 1 + smp_processor_id(); }
CPU(2, b) { *this_cpu_ptr(&count) = 1 + smp_processor_id(); }
int main(void) { pthread_t t = START(a), u = START(b); JOIN(t); JOIN(u);
  assert(per_cpu(count, 0) == 1 && *per_cpu_ptr(&count, 1) == 0 && per_cpu(count, 2) == 3); }"""
    result = run(tmp_path, text)
    assert (result.verdict, result.executions, result.flags) == ("safe", 1, {})


def test_rounds_that_fail_are_left_out(tmp_path: Path) -> None:
    text = """atomic_t v;
static void add(void) {{ int old = atomic_read(&v), seen;
  while ((seen = atomic_cmpxchg{0}(&v, old, old + 1)) != old) old = seen; }}
CPU(0, a) {{ add(); }}
CPU(1, b) {{ add(); }}
int main(void) {{ pthread_t t = START(a), u = START(b); JOIN(t); JOIN(u); assert(atomic_read(&v) == 2); }}"""
    for order in ("", "_relaxed", "_acquire", "_release"):
        result = run(tmp_path, text.format(order))
        assert (result.verdict, result.executions) == ("safe", 2)


def test_parts_of_a_word(tmp_path: Path) -> None:
    """As in the kernel's queued locks: an atomic_t, and a byte of it."""
    text = """static union { atomic_t whole; struct { u8 locked, pending; }; } l; int data;
CPU(0, a) { if (atomic_cmpxchg_acquire(&l.whole, 0, 1) == 0) { data = 1; smp_store_release(&l.locked, 0); } }
CPU(1, b) { if (atomic_cmpxchg_acquire(&l.whole, 0, 1) == 0) { data = 2; smp_store_release(&l.locked, 0); } }
int main(void) { START(a); START(b); }"""
    result = run(tmp_path, text)
    assert (result.verdict, result.flags) == ("safe", {})
    relaxed = run(tmp_path, text.replace("smp_store_release(&l.locked, 0)", "WRITE_ONCE(l.locked, 0)"))
    assert list(relaxed.flags) == ["data_race"]


HANDED = """static union {{ atomic_t whole; struct {{ u16 both, tail; }}; struct {{ u8 locked, pending; }}; }} l;
static int seen = 1;
CPU(0, a) {{ WRITE_ONCE(l.pending, 1); {store}; }}
CPU(1, b) {{ if (READ_ONCE(l.pending) == 1) seen = {read}; }}
int main(void) {{ pthread_t t = START(a), u = START(b); JOIN(t); JOIN(u); BUG_ON(seen == 0); }}"""


@pytest.mark.parametrize(
    ("store", "read", "verdict"),
    [
        ("WRITE_ONCE(l.both, 1)", "atomic_read(&l.whole)", "safe"),
        ("WRITE_ONCE(l.both, 1)", "atomic_fetch_or(256 << 8, &l.whole)", "safe"),
        ("WRITE_ONCE(l.both, 1)", "READ_ONCE(l.locked) + READ_ONCE(l.pending)", "violation"),
        ("WRITE_ONCE(l.pending, 0); WRITE_ONCE(l.locked, 1)", "atomic_read(&l.whole)", "violation"),
    ],
)
def test_no_marked_access_is_torn(store: str, read: str, verdict: str, tmp_path: Path) -> None:
    """As in clear_pending_set_locked of qspinlock.c: nobody sees a lock that is neither pending nor held."""
    assert run(tmp_path, HANDED.format(store=store, read=read)).verdict == verdict


@pytest.mark.parametrize("name", ["sc", "tso", "rc11", "arm8"])
def test_models_of_others_are_not_asked(name: str, tmp_path: Path) -> None:
    program = load(tmp_path, RACES)
    asks = [xgen.check, lambda program, model: list(xgen.executions(program, model)), xgen.explain]
    for ask in [*asks, xgen.prove] if name in ("sc", "tso") else asks:
        with pytest.raises(xgen.UnsupportedError, match=f"the model {name} does not know READ_ONCE"):
            ask(program, xgen.model(name))  # type: ignore[operator]


RACES = "int x, y;\nCPU(0, a) { x = 1; }\nCPU(1, b) { y = READ_ONCE(x); }\nint main(void) { START(a); START(b); }"


def test_races_are_told_with_both_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """KCSAN's kind: the program has a meaning, and they are warnings, of executions that are explored once."""
    monkeypatch.setattr("xgen.analyses.check.races.executions", None)
    result = run(tmp_path, RACES)
    assert (result.verdict, list(result.flags), len(result.traces)) == ("safe", ["data_race"], result.executions)
    assert not xgen.check(load(tmp_path, RACES)).traces  # nobody has asked for them
    (warning,) = (warning for warning in result.warnings if "data race" in warning)
    assert warning.startswith("data race on x: ")
    assert "driver.c:3:13" in warning
    assert "driver.c:4:17" in warning
    none = run(tmp_path, RACES, races=False)
    assert (none.verdict, none.executions, dict(none.flags)) == (result.verdict, result.executions, {})
    assert not any("data race" in warning for warning in none.warnings)


def test_regions_of_kcsan(tmp_path: Path) -> None:
    marked = RACES.replace("x = 1;", "kcsan_nestable_atomic_begin(); x = 1; kcsan_nestable_atomic_end();")
    assert run(tmp_path, marked).flags == {}


REFUSED = {
    "srcu_read_lock(&x);": "a pointer to struct srcu_struct is needed here, not int *",
    "srcu_barrier(&x);": "`srcu_barrier`, a wait for callbacks of RCU, is not supported",
    "get_state_synchronize_srcu(&x);": "a grace period that is polled, is not supported",
    "rcu_barrier();": "`rcu_barrier`, a wait for callbacks of RCU, is not supported",
    "kthread_bind(0, 0);": "`kthread_bind`, another CPU for a thread, is not supported",
    "kthread_park(0);": "`kthread_park`, a thread that is parked, is not supported",
    "alloc_percpu(int);": "`__alloc_percpu`, a variable of each CPU that is allocated, is not supported",
    "dma_wmb();": "`dma_wmb`, a barrier or an access of a device, is not supported",
    "atomic_store_explicit(&x, 1, 0);": "`atomic_store_explicit` is C's, and the kernel's model knows nothing of C's",
    "__atomic_store_n(&x, 1, 5);": "`__atomic_store_n` is C's, and the kernel's model knows nothing of C's",
    "c = 1;": "an atomic object of C, which the kernel's model knows nothing of, is not supported",
    "smp_frobnicate();": "the function `smp_frobnicate`, which has no body, is not supported",
}


@pytest.mark.parametrize("statement", REFUSED)
def test_what_is_refused(statement: str, tmp_path: Path) -> None:
    with pytest.raises(xgen.XgenError) as caught:
        load(tmp_path, f"int x; static _Atomic int c;\nCPU(0, a) {{ {statement} }}\nint main(void) {{ START(a); }}")
    assert REFUSED[statement] in caught.value.message
    assert caught.value.line == 3


def test_the_tree_has_what_xgen_does_not(tmp_path: Path) -> None:
    """Headers of the folder are read, but not those that xgen has."""
    (tmp_path / "include" / "linux").mkdir(parents=True)
    (tmp_path / "include" / "linux" / "own.h").write_text(
        "#include <linux/atomic.h>\nstatic inline int one(void) { return 1; }\n"
    )
    (tmp_path / "include" / "linux" / "atomic.h").write_text("#error not this one\n")
    (tmp_path / "part.c").write_text("#include <linux/own.h>\nint two(void) { return one() + 1; }\n")
    (tmp_path / "test.c").write_text(
        "#include <xgen/kernel_test.h>\nint two(void);\nCPU(0, a) { assert(two() == 2); }\n"
        "int main(void) { START(a); }\n"
    )
    program = xgen.load(tmp_path / "test.c", tmp_path / "part.c", kernel=str(tmp_path))
    assert xgen.check(program, MODEL).verdict == "safe"


MODULE = """#include <linux/module.h>
#include <linux/init.h>
static int level;
module_param(level, int, 0644);
MODULE_PARM_DESC(level, "how much");
static int __init one_init(void) { pr_info("here\\n"); return 0; }
static void __exit one_exit(void) { pr_err("gone\\n"); }
module_init(one_init);
module_exit(one_exit);
int two(void) { return 2; }
EXPORT_SYMBOL_GPL(two);
MODULE_LICENSE("GPL");
MODULE_AUTHOR("A. Writer");
MODULE_DESCRIPTION("a module");
"""


def test_what_modules_say_of_themselves(tmp_path: Path) -> None:
    (tmp_path / "include" / "linux").mkdir(parents=True)
    (tmp_path / "part.c").write_text(MODULE)
    (tmp_path / "test.c").write_text(
        "#include <xgen/kernel_test.h>\nint two(void);\nCPU(0, a) { assert(two() == 2); }\n"
        "int main(void) { START(a); }\n"
    )
    program = xgen.load(tmp_path / "test.c", tmp_path / "part.c", kernel=str(tmp_path))
    assert xgen.check(program, MODEL).verdict == "safe"
    with pytest.raises(xgen.ProgramError, match=r"there is no file <linux/spinlock\.h>") as caught:
        xgen.parse("#include <linux/spinlock.h>\nint main(void) { return 0; }\n", "c", "part.c")
    assert (
        caught.value.hint
        == "--kernel TREE reads a file of the Linux kernel, with the headers of this tree: docs/kernel.md"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--kernel . --on x86", "--kernel cannot be used with --on x86"),
        ("--kernel . --headers cc", "--kernel cannot be used with --headers cc"),
        ("--kernel . --no-check races", "--kernel cannot be used with --no-check races: it has --races none."),
        ("--races none", "--races none needs --kernel"),
        ("--kernel nowhere", "there is no kernel in this folder"),
    ],
)
def test_the_command_refuses(options: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tree(tmp_path)
    (tmp_path / "test.c").write_text(f"#include <xgen/kernel_test.h>\n{RACES}")
    result = CliRunner().invoke(main, ["check", "test.c", *options.split()])
    assert result.exit_code == 2
    assert message in result.output + result.stderr


LOST = """#include <xgen/kernel_test.h>
int woken, ready;
CPU(0, waits) { while (!READ_ONCE(woken)) ; }
CPU(1, wakes) { if (READ_ONCE(ready)) WRITE_ONCE(woken, 1); }
int main(void) { START(waits); START(wakes); WRITE_ONCE(ready, 1); }
"""


@pytest.mark.parametrize(("options", "code"), [([], 1), (["--liveness"], 1), (["--no-liveness"], 0)])
def test_waits_for_ever_are_told(
    options: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tree(tmp_path)
    (tmp_path / "test.c").write_text(LOST)
    result = CliRunner().invoke(main, ["check", "test.c", "--kernel", ".", *options])
    assert result.exit_code == code
    assert ("waits for ever" in result.stdout.partition("\n")[0]) == (code == 1)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tree(tmp_path)
    (tmp_path / "test.c").write_text(f"#include <xgen/kernel_test.h>\n{RACES}")
    result = CliRunner().invoke(main, ["check", "test.c", "--kernel", "."])
    assert result.exit_code == 0
    assert "safe, and no thread waits for ever (model lkmm, no bound, 2 executions, exhaustive)" in result.stdout
    assert "warning: data race on x: test.c:3:13 and test.c:4:17" in result.stdout


def test_lkmm_without_load_buffering(tmp_path: Path) -> None:
    """A model of one's own, which docs/kernel.md tells of, where LKMM itself takes long."""
    page = (Path(__file__).parents[3] / "docs" / "kernel.md").read_text(encoding="utf-8")
    lines = re.findall(r"^    (porf.*)$", page, re.MULTILINE)
    (tmp_path / "own.mcm").write_text(
        "\n".join([(shipped("mcm") / "lkmm.mcm").read_text(encoding="utf-8"), *lines, ""])
    )
    text = """int x, y, a, b;
    CPU(0, one) { a = READ_ONCE(x); WRITE_ONCE(y, 1); } CPU(1, two) { b = READ_ONCE(y); WRITE_ONCE(x, 1); }
    int main(void) { pthread_t p = START(one), q = START(two); JOIN(p); JOIN(q); BUG_ON(a && b); }"""
    assert [len(lines), run(tmp_path, text).verdict] == [2, "violation"]
    program = load(tmp_path, text)
    result = xgen.check(program, xgen.model(str(tmp_path / "own.mcm")), all_states=True)
    assert (result.verdict, result.executions) == ("safe", 3)


PER_CPU = """struct node { int a; struct { int count; } inner; };
static DEFINE_PER_CPU_ALIGNED(struct node, nodes[2]) = { { 1, { 2 } }, { 3, { 4 } } };
DEFINE_PER_CPU(u8, small) = 7;
static struct node *of(struct node *base, int index) { return base + index; }
CPU(0, one) {
	struct node *mine = of(this_cpu_ptr(&nodes[0]), 1);
	mine->inner.count++;
	__this_cpu_inc(nodes[0].a);
	per_cpu(small, 2) = 9;
}
CPU(1, two) { __this_cpu_add(nodes[1].inner.count, __this_cpu_read(small)); __this_cpu_write(small, 8); }
int main(void) {
	pthread_t p = START(one), q = START(two); JOIN(p); JOIN(q);
	BUG_ON(per_cpu(nodes[0].a, 0) != 2 || per_cpu_ptr(&nodes[1].inner, 0)->count != 5);
	BUG_ON(per_cpu(nodes[0].a, 1) != 1 || per_cpu_ptr(&nodes[1], 1)->inner.count != 11);
	BUG_ON(per_cpu(nodes[1].a, 2) != 3 || per_cpu(nodes[1].a, 3) != 3);
	BUG_ON(per_cpu(small, 0) != 7 || per_cpu(small, 1) != 8 || per_cpu(small, 2) != 9);
	assert(per_cpu(nodes[1].a, 0) == 3);
}"""


def test_arrays_of_each_cpu(tmp_path: Path) -> None:
    """Each CPU has an array of its own, which pointers go through."""
    assert run(tmp_path, PER_CPU).verdict == "safe"
    assert run(tmp_path, PER_CPU.replace("count != 11", "count == 11")).verdict == "violation"
    beyond = run(tmp_path, PER_CPU.replace("per_cpu(nodes[1].a, 3)", "per_cpu(nodes[1].a, 4)"))
    assert beyond.witness is not None
    assert [violation.kind for violation in beyond.witness.violations] == ["bad-address"]
    assert (
        run(tmp_path, "_Alignas(65536) int x; CPU(0, one) { x = 1; } int main(void) { START(one); }").verdict == "safe"
    )
    with pytest.raises(xgen.XgenError, match="so large a variable of each CPU is"):
        load(
            tmp_path,
            "DEFINE_PER_CPU(long, x[5000]); CPU(0, one) { per_cpu(x[1], 1) = 1; } int main(void) { START(one); }",
        )


@pytest.mark.parametrize("first", ["", "DECLARE_PER_CPU(int, n);"])
def test_each_cpu_has_the_first_value(first: str, tmp_path: Path) -> None:
    """Also where a header declares the variable before it is defined."""
    text = f"""{first} DEFINE_PER_CPU(int, n) = 3; CPU(1, one) {{ __this_cpu_inc(n); }}
    int main(void) {{
	pthread_t p = START(one); JOIN(p);
	BUG_ON(per_cpu(n, 0) != 3 || per_cpu(n, 1) != 4 || per_cpu(n, 3) != 3);
    }}"""
    assert run(tmp_path, text).verdict == "safe"


THIS_CPU = """DEFINE_PER_CPU(unsigned int, n) = 6; int olds[2];
CPU(1, one) {
	unsigned int *own = get_cpu_ptr(&n);
	this_cpu_add(n, 3); this_cpu_sub(n, 4); this_cpu_inc(n); this_cpu_dec(n); /* 5 */
	BUG_ON(this_cpu_read(n) != 5 || *own != 5 || get_cpu() != 1);
	this_cpu_or(n, 8); this_cpu_and(n, 12); /* 12 */
	BUG_ON(this_cpu_add_return(n, 2) != 14 || this_cpu_sub_return(n, 1) != 13);
	BUG_ON(this_cpu_xchg(n, 20) != 13 || this_cpu_cmpxchg(n, 21, 1) != 20 || this_cpu_cmpxchg(n, 20, 22) != 20);
	BUG_ON(get_cpu_var(n) != 22);
	this_cpu_write(n, 30); __this_cpu_sub(n, 1); raw_cpu_inc(n);
	put_cpu_ptr(own); put_cpu_var(n); put_cpu();
}
int main(void) { pthread_t p = START(one); JOIN(p); BUG_ON(per_cpu(n, 0) != 6 || per_cpu(n, 1) != 30); }"""


def test_operations_of_this_cpu(tmp_path: Path) -> None:
    assert run(tmp_path, THIS_CPU).verdict == "safe"
    assert run(tmp_path, THIS_CPU.replace("per_cpu(n, 1) != 30", "per_cpu(n, 1) == 30")).verdict == "violation"


BITS = """unsigned long word; int x;
CPU(0, one) {{ while (test_and_set_bit_lock(0, &word)) while (test_bit(0, &word)) ; x++; {unlock}(0, &word); }}
CPU(1, other) {{ {does} }}
int main(void) {{ pthread_t p = START(one), q = START(other); JOIN(p); JOIN(q); assert({asked}); }}"""
TAKES = "while (test_and_set_bit_lock(0, &word)) while (test_bit(0, &word)) ; x++; __clear_bit_unlock(0, &word);"


@pytest.mark.parametrize(
    ("unlock", "does", "asked", "verdict"),
    [
        ("__clear_bit_unlock", TAKES, "x == 2 && word == 0", "safe"),
        ("__clear_bit", TAKES, "x == 2 && word == 0", "violation"),
        ("clear_bit_unlock", "set_bit(3, &word);", "word == 8", "safe"),
        ("__clear_bit_unlock", "set_bit(3, &word);", "word == 8", "violation"),
        ("__clear_bit_unlock", "set_bit(3, &word);", "word == 8 || word == 0", "safe"),
        ("__set_bit(2, &word), clear_bit_unlock", "", "word == 4", "safe"),
        ("__clear_bit(2, &word), clear_bit_unlock", "set_bit(2, &word);", "word == 4 || word == 0", "safe"),
    ],
)
def test_bits_that_who_has_a_lock_changes(unlock: str, does: str, asked: str, verdict: str, tmp_path: Path) -> None:
    """__clear_bit_unlock is a release, and no update: what others do to the word in between is lost."""
    assert run(tmp_path, BITS.format(unlock=unlock, does=does, asked=asked)).verdict == verdict


@pytest.mark.parametrize(
    ("call", "verdict"),
    [
        ("kmalloc(8, f | __GFP_ZERO)", "safe"),
        ("kmalloc(8, f)", "violation"),
        ("kmalloc_array(2, 4, f | __GFP_ZERO)", "safe"),
        ("kmalloc_array(2, 4, f)", "violation"),
        ("kvmalloc_array(2, 4, f)", "violation"),
        ("kcalloc(2, 4, f)", "safe"),
    ],
)
def test_memory_that_is_zero(call: str, verdict: str, tmp_path: Path) -> None:
    text = f"int *got(gfp_t f) {{ return {call}; }} CPU(0, one) {{ int *p = got(GFP_KERNEL); assert(p[1] == 0); }}"
    assert run(tmp_path, f"{text} int main(void) {{ START(one); }}").verdict == verdict


@pytest.mark.parametrize("wrong", ["per_cpu(n, 4)", "per_cpu(n, 7)", "per_cpu(m, -1)", "per_cpu(m, 4)"])
def test_a_cpu_that_is_not_there_has_no_variable(wrong: str, tmp_path: Path) -> None:
    text = f"""DEFINE_PER_CPU(int, n); DEFINE_PER_CPU(int, m); DEFINE_PER_CPU(int, o);
    CPU(0, one) {{ {wrong} = 1; }} int main(void) {{ START(one); }}"""
    found = run(tmp_path, text)
    assert found.witness is not None
    assert [violation.kind for violation in found.witness.violations] == ["bad-address"]


LOCK_H = """#pragma once
#include <linux/percpu.h>
#include <linux/types.h>
struct queue { struct queue *next; int granted; };
DECLARE_PER_CPU(struct queue, nodes);
void queue_lock(struct queue **tail);
void queue_unlock(struct queue **tail);
"""
LOCK_C = """#include <linux/atomic.h>
#include <linux/smp.h>
#include "queue.h"
DEFINE_PER_CPU(struct queue, nodes);

void queue_lock(struct queue **tail)
{
	struct queue *node = this_cpu_ptr(&nodes), *before;

	node->next = NULL;
	node->granted = 0;
	before = xchg(tail, node);
	if (!before)
		return;
	WRITE_ONCE(before->next, node);
	smp_cond_load_acquire(&node->granted, VAL);
}

void queue_unlock(struct queue **tail)
{
	struct queue *node = this_cpu_ptr(&nodes), *next = READ_ONCE(node->next);

	if (!next) {
		if (cmpxchg_release(tail, node, NULL) == node)
			return;
		next = smp_cond_load_relaxed(&node->next, VAL);
	}
	smp_store_release(&next->granted, 1);
}
"""
LOCK_TEST = """#include <xgen/kernel_test.h>
#include "queue.h"
struct queue *tail;
int shared;
static void add(void) { queue_lock(&tail); shared++; queue_unlock(&tail); }
CPU(0, a) { add(); }
CPU(1, b) { add(); }
int main(void) { pthread_t t = START(a), u = START(b); JOIN(t); JOIN(u); assert(shared == 2); }
"""


@pytest.mark.parametrize(
    ("order", "weaker", "verdict"),
    [
        ("", "", "safe"),
        ("xchg(tail", "xchg_release(tail", "violation"),
        ("cmpxchg_release(", "cmpxchg_relaxed(", "violation"),
        ("smp_store_release(&next->granted, 1)", "WRITE_ONCE(next->granted, 1)", "violation"),
        ("smp_cond_load_acquire", "smp_cond_load_relaxed", "violation"),
    ],
)
def test_a_lock_with_a_queue(order: str, weaker: str, verdict: str, tmp_path: Path) -> None:
    """A lock as the kernel's MCS lock is, in a file of its own; each of its orders is needed."""
    tree(tmp_path)
    for name, text in (("queue.h", LOCK_H), ("queue.c", LOCK_C), ("test.c", LOCK_TEST)):
        (tmp_path / name).write_text(text.replace(order, weaker) if order else text)
    program = xgen.load(tmp_path / "test.c", tmp_path / "queue.c", kernel=str(tmp_path))
    result = xgen.check(program, all_states=True, liveness=True, timeout=60)
    assert result.verdict == verdict
    if verdict == "safe":
        assert (result.executions, result.flags) == (6, {})
