"""SRCU: which cycles of grace periods and sections are forbidden, in litmus tests and in C, and what else there is."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from pathlib import Path

import pytest

import xgen
from tests.c.kernel.drivers import MODEL, compared, load
from tests.c.kernel.test_against_litmus import litmus
from tests.litmus.reading import read
from xgen.analyses.suite.litmus import run_litmus

KINDS = ("gp s", "cs s", "gp t", "cs t", "gp rcu", "cs rcu")


def function(thread: int, kind: str, threads: int) -> str:
    """A thread of a ring (load buffering): it reads what the one before it writes, and writes for the next one."""
    what, of = kind.split()
    reads, writes = f"r1 = READ_ONCE(*x{thread});", f"WRITE_ONCE(*x{(thread + 1) % threads}, 1);"
    if what == "gp":
        body = f"{reads} {'synchronize_rcu()' if of == 'rcu' else f'synchronize_srcu({of})'}; {writes}"
    elif of == "rcu":
        body = f"rcu_read_lock(); {writes} {reads} rcu_read_unlock();"
    else:
        body = f"r2 = srcu_read_lock({of}); {writes} {reads} srcu_read_unlock({of}, r2);"
    shared = ", ".join(f"int *x{n}" for n in sorted({thread, (thread + 1) % threads}))
    structure = "" if of == "rcu" else f", struct srcu_struct *{of}"
    return f"P{thread}({shared}{structure}) {{ int r1; int r2; {body} }}"


def ring(kinds: tuple[str, ...]) -> str:
    functions = "\n".join(function(n, kind, len(kinds)) for n, kind in enumerate(kinds))
    return litmus(functions, " /\\ ".join(f"{n}:r1=1" for n in range(len(kinds))))


@cache
def ordered(kinds: tuple[str, ...]) -> bool:
    """Whether such a sequence orders like a fence (explanation.txt, "RCU relations"): grace periods, each section
    with a grace period of its own structure on its other side, and sequences of these."""
    if len(kinds) == 1:
        return kinds[0].startswith("gp")
    (first, own), (last, other) = kinds[0].split(), kinds[-1].split()
    if {first, last} == {"gp", "cs"} and own == other and (len(kinds) == 2 or ordered(kinds[1:-1])):
        return True
    return any(ordered(kinds[:n]) and ordered(kinds[n:]) for n in range(1, len(kinds)))


def forbidden(kinds: tuple[str, ...]) -> bool:
    return any(ordered(kinds[n:] + kinds[:n]) for n in range(len(kinds)))


PAIRS = [pair for pair in product(KINDS, repeat=2) if pair <= pair[::-1]]
LONGER = [tuple(random.Random(seed).choices(KINDS, k=3 + (seed % 8 == 0))) for seed in range(30)]


@pytest.mark.parametrize("kinds", [*PAIRS, *LONGER], ids=" + ".join)
def test_rings(kinds: tuple[str, ...]) -> None:
    result = run_litmus(read(ring(kinds)), MODEL)
    assert result.observation is not None
    assert result.observation == ("Never" if forbidden(kinds) else "Sometimes")
    assert not result.flags


@pytest.mark.parametrize("kinds", [*PAIRS[:12], *LONGER[1:6]], ids=" + ".join)
def test_the_same_rings_in_c(kinds: tuple[str, ...], tmp_path: Path) -> None:
    expected, found = compared(ring(kinds), tmp_path)
    assert found == expected


CALLS = "P1(int *x, int *y, struct srcu_struct *s) { WRITE_ONCE(*y, 1); synchronize_srcu(s); WRITE_ONCE(*x, 1); }"
SECTIONS = {
    # What a reader does, and whether it may see the second write and not the first one; the kernel's documentation
    # says so of each, as does herd.
    "within": ("r9 = srcu_read_lock(s); r1 = READ_ONCE(*x); r2 = READ_ONCE(*y); srcu_read_unlock(s, r9);", False),
    "reversed": ("r9 = srcu_read_lock(s); r2 = READ_ONCE(*y); r1 = READ_ONCE(*x); srcu_read_unlock(s, r9);", False),
    "two sections": (
        "r9 = srcu_read_lock(s); r2 = READ_ONCE(*y); srcu_read_unlock(s, r9); "
        "r8 = srcu_read_lock(s); r1 = READ_ONCE(*x); srcu_read_unlock(s, r8);",
        True,
    ),
    "nested": (
        "r9 = srcu_read_lock(s); r2 = READ_ONCE(*y); r8 = srcu_read_lock(s); srcu_read_unlock(s, r8); "
        "r1 = READ_ONCE(*x); srcu_read_unlock(s, r9);",
        False,
    ),
    "not nested": (
        "r9 = srcu_read_lock(s); r2 = READ_ONCE(*y); r8 = srcu_read_lock(s); srcu_read_unlock(s, r9); "
        "r1 = READ_ONCE(*x); srcu_read_unlock(s, r8);",
        True,
    ),
    "behind the section": (
        "r9 = srcu_read_lock(s); r2 = READ_ONCE(*y); srcu_read_unlock(s, r9); r1 = READ_ONCE(*x);",
        True,
    ),
    "before the section": (
        "r2 = READ_ONCE(*y); r9 = srcu_read_lock(s); r1 = READ_ONCE(*x); srcu_read_unlock(s, r9);",
        True,
    ),
    "a full barrier": (
        "r9 = srcu_read_lock(s); r2 = READ_ONCE(*y); srcu_read_unlock(s, r9); smp_mb__after_srcu_read_unlock(); "
        "r1 = READ_ONCE(*x);",
        True,
    ),
}


@pytest.mark.parametrize("name", SECTIONS)
def test_sections(name: str, tmp_path: Path) -> None:
    body, seen = SECTIONS[name]
    declared = " ".join(f"int {register};" for register in ("r1", "r2", "r8", "r9") if register in body)
    text = litmus(f"P0(int *x, int *y, struct srcu_struct *s) {{ {declared} {body} }}\n{CALLS}", "0:r1=1 /\\ 0:r2=0")
    result = run_litmus(read(text), MODEL)
    assert result.observation is not None
    assert (result.observation == "Sometimes") == seen
    expected, found = compared(text, tmp_path)
    assert found == expected


def test_the_barrier_behind_an_unlock() -> None:
    """Store buffering: smp_mb__after_srcu_read_unlock makes a full barrier of the unlock, and is none alone."""
    head = "P{0}(int *x, int *y, struct srcu_struct *s) {{ int r1; int r2; "
    body = head + "{1} WRITE_ONCE(*{2}, 1); {3} r1 = READ_ONCE(*{4}); }}"
    lock, unlock, barrier = "r2 = srcu_read_lock(s);", "srcu_read_unlock(s, r2);", "smp_mb__after_srcu_read_unlock();"
    for before, between, word in (
        (lock, unlock + barrier, "Never"),
        (lock, unlock, "Sometimes"),
        ("", barrier, "Sometimes"),
        (lock + unlock, barrier, "Sometimes"),
    ):
        functions = [body.format(n, before, own, between, other) for n, own, other in ((0, "x", "y"), (1, "y", "x"))]
        result = run_litmus(read(litmus("\n".join(functions), "0:r1=0 /\\ 1:r1=0")), MODEL)
        assert result.observation is not None
        assert result.observation == word, (before, between)


@pytest.mark.parametrize(
    ("body", "flag"),
    [
        ("r1 = srcu_read_lock(s);", "unmatched_srcu"),
        ("srcu_read_unlock(s, 0);", "unmatched_srcu"),
        ("r1 = srcu_read_lock(s); srcu_read_unlock(t, r1);", "unmatched_srcu"),
        ("r1 = srcu_read_lock(s); srcu_read_unlock(s, r1); srcu_read_unlock(s, r1);", "srcu_matches"),
        ("r1 = srcu_read_lock(s); WRITE_ONCE(*x, r1); r2 = READ_ONCE(*x); srcu_read_unlock(s, r2);", None),
    ],
)
def test_cookies(body: str, flag: str | None) -> None:
    declared = " ".join(f"int {register};" for register in ("r1", "r2") if register in body)
    text = f"P0(int *x, struct srcu_struct *s, struct srcu_struct *t) {{ {declared} {body} }}"
    assert list(run_litmus(read(litmus(text, "x=1")), MODEL).flags) == ([] if flag is None else [flag])


def test_another_thread_ends_a_section(tmp_path: Path) -> None:
    """srcu_down_read and srcu_up_read: the section is over where the cookie is given back."""
    text = """DEFINE_SRCU(s); int x, y, cookie, flag, seen;
CPU(0, begins) {{ int c = srcu_down_read(&s);
  WRITE_ONCE(cookie, c); seen = READ_ONCE(y); smp_store_release(&flag, 1); }}
CPU(1, ends) {{ if (smp_load_acquire(&flag)) {{ {} }} }}
CPU(2, waits) {{ WRITE_ONCE(y, 1); synchronize_srcu(&s); WRITE_ONCE(x, 1); }}
int main(void) {{ pthread_t a = START(begins), b = START(ends); START(waits); JOIN(a); JOIN(b); }}"""
    ends = "int v = READ_ONCE(x); srcu_up_read(&s, READ_ONCE(cookie)); assert(!(v == 1 && seen == 0));"
    late = "srcu_up_read(&s, READ_ONCE(cookie)); int v = READ_ONCE(x); assert(!(v == 1 && seen == 0));"
    for body, verdict in ((ends, "safe"), (late, "violation")):
        assert xgen.check(load(tmp_path, text.format(body)), MODEL, timeout=60).verdict == verdict


FREES = """struct node {{ int v; struct rcu_head rcu; }} *shared; DEFINE_SRCU(s); DEFINE_SRCU(t);
static void free_it(struct rcu_head *head) {{ kfree(container_of(head, struct node, rcu)); }}
CPU(0, reads) {{ struct node *p; int v = 1, c = srcu_read_lock(&s);
  p = srcu_dereference(shared, &s); if (p) v = p->v; srcu_read_unlock(&s, c); assert(v); }}
CPU(1, frees) {{ struct node *p = shared; WRITE_ONCE(shared, NULL); {} }}
int main(void) {{ shared = kmalloc(sizeof *shared, GFP_KERNEL); shared->v = 1; START(reads); START(frees); }}"""


@pytest.mark.parametrize(
    ("frees", "verdict"),
    [
        ("synchronize_srcu(&s); kfree(p);", "safe"),
        ("synchronize_srcu_expedited(&s); kfree(p);", "safe"),
        ("synchronize_srcu(&t); kfree(p);", "violation"),
        ("synchronize_rcu(); kfree(p);", "violation"),
        ("kfree(p);", "violation"),
        ("call_srcu(&s, &p->rcu, free_it);", "safe"),
        ("call_srcu(&t, &p->rcu, free_it);", "violation"),
        ("call_rcu(&p->rcu, free_it);", "violation"),
    ],
)
def test_frees_wait_for_grace_periods(frees: str, verdict: str, tmp_path: Path) -> None:
    result = xgen.check(load(tmp_path, FREES.format(frees)), MODEL, timeout=60)
    assert result.verdict == verdict
    assert "unmatched_srcu" not in result.flags
    if verdict == "safe":
        assert not any("data race" in warning for warning in result.warnings)


def test_a_section_that_bug_on_cuts_is_open(tmp_path: Path) -> None:
    text = """DEFINE_SRCU(s); int x, y;
CPU(0, reads) {{ int c = srcu_read_lock(&s), v = READ_ONCE(x), w = READ_ONCE(y);
  BUG_ON(v == 1 && w == 0); srcu_read_unlock(&s, c); }}
CPU(1, waits) {{ WRITE_ONCE(y, 1); {} WRITE_ONCE(x, 1); }}
int main(void) {{ START(reads); START(waits); }}"""
    for waits, verdict in (("synchronize_srcu(&s);", "safe"), ("", "violation")):
        assert xgen.check(load(tmp_path, text.format(waits)), MODEL, timeout=60).verdict == verdict


def test_programs_of_rcu_alone_have_no_constraint_that_waits(tmp_path: Path) -> None:
    """That the model speaks of SRCU costs nothing where there is none."""
    text = "int x; CPU(0, a) { rcu_read_lock(); x = 1; rcu_read_unlock(); synchronize_rcu(); }"
    text += "int main(void) { START(a); }"
    result = xgen.check(load(tmp_path, text), MODEL)
    assert not any("whole executions" in warning for warning in result.warnings)


@pytest.mark.parametrize("name", ["sc", "rc11"])
def test_models_that_do_not_know_it_are_not_asked(name: str) -> None:
    with pytest.raises(xgen.UnsupportedError, match=f"the model {name} does not know SRCU"):
        run_litmus(read(ring(("gp s", "cs s"))), xgen.model(name))


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("srcu_read_lock();", "`srcu_read_lock` takes 1 argument, not 0"),
        ("srcu_read_unlock(&s);", "`srcu_read_unlock` takes 2 arguments, not 1"),
        ("synchronize_srcu(&x);", "a pointer to struct srcu_struct is needed here, not int *"),
        ("call_srcu(x ? &s : &t, &head, called);", "call_srcu of a structure that is not known by its name is"),
    ],
)
def test_what_is_refused(statement: str, message: str, tmp_path: Path) -> None:
    text = "int x; struct rcu_head head; DEFINE_SRCU(s); DEFINE_SRCU(t); static void called(struct rcu_head *h) { }\n"
    with pytest.raises(xgen.XgenError) as caught:
        load(
            tmp_path,
            f"{text}CPU(0, a) {{ {statement} }}\nCPU(1, b) {{ x = 1; }}\nint main(void) {{ START(a); START(b); }}",
        )
    assert message in caught.value.message


def test_what_may_sleep_is_for_no_handler(tmp_path: Path) -> None:
    text = "DEFINE_SRCU(s); INTERRUPT(0, tick) { synchronize_srcu(&s); } CPU(0, a) { } int main(void) { START(a); }"
    with pytest.raises(xgen.XgenError, match="what may sleep, in the handler of an interrupt, is"):
        load(tmp_path, text)
