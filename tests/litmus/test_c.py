"""C, with C11's atomics and with the Linux kernel's functions: what functions become, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

import xgen
from tests.litmus.reading import program_of, read
from xgen.analyses.suite.litmus import run_litmus
from xgen.errors import XgenError
from xgen.memory.library import load_model


def statements(body: str, parameters: str = "atomic_int *x, atomic_int *y") -> str:
    """The statements of a function whose body has no branches."""
    text = program_of(f"C T\n{{}}\nP0({parameters}) {{\n{body}\n}}\nexists (x=0)")
    return " ".join(text.split("{\n")[-1].split("}")[0].split()).removesuffix(";")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int r = atomic_load_explicit(x, memory_order_acquire);", "$1 <- x atomic @ acquire; r := $1"),
        ("int r = atomic_load(x);", "$1 <- x atomic @ seq_cst; r := $1"),
        ("atomic_store_explicit(x, 1 + 2, memory_order_release);", "1 + 2 -> x atomic @ release"),
        ("__atomic_store_n(x, 1, __ATOMIC_RELAXED);", "1 -> x atomic @ relaxed"),
        ("*x = 1;", "1 -> x"),
        ("int r = *x + *y;", "$1 <- x; $2 <- y; r := $1 + $2"),
        ("r = *x == 2;", "$1 <- x; r := if $1 = 2 then 1 else 0"),
        ("atomic_thread_fence(memory_order_seq_cst);", "fence @ seq_cst"),
        (
            "int r = atomic_fetch_add_explicit(x, 1, memory_order_relaxed);",
            "$1 <- fetch_add(x, 1) @ relaxed; r := $1",
        ),
        (
            "atomic_exchange_explicit(x, 2, memory_order_acq_rel);",
            "$1 <- exchange(x, 2) @ acq_rel",
        ),
        ("int a, b = 2; (void) *x;", "b := 2; $1 <- x"),
        ("int a = 0; a++; a += 2; a ^= 1;", "a := 0; a := a + 1; a := a + 2; a := a bitxor 1"),
        ("int r = (int) -x[0] * ~3 << 1;", "$1 <- x; r := -$1 * bitnot 3 shl 1"),
        ("int *p = atomic_load(x); int r = *p;", "$1 <- x atomic @ seq_cst; p := $1; $2 <- *p; r := $2"),
    ],
)
def test_c11(body: str, expected: str) -> None:
    assert statements(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int r = READ_ONCE(*x);", "$1 <- x atomic @ once; r := $1"),
        ("WRITE_ONCE(*x, 1);", "1 -> x atomic @ once"),
        (
            "smp_store_release(x, 1); r = smp_load_acquire(y);",
            "1 -> x atomic @ release; $1 <- y atomic @ acquire; r := $1",
        ),
        ("smp_mb(); rcu_read_lock(); synchronize_rcu();", "fence[mb]; fence[rcu-lock]; fence[sync-rcu]"),
        ("r = xchg_relaxed(x, 1);", "$1 <- exchange(x, 1) @ once; r := $1"),
        (
            "r = xchg(x, 1);",
            "fence[mb] @ implied; $1 <- exchange(x, 1) @ R[mb] @ W[mb]; fence[mb] @ implied; r := $1",
        ),
        ("r = atomic_add_return_relaxed(2, x);", "$1 <- fetch_add(x, 2) @ once; r := $1 + 2"),
        ("r = atomic_fetch_inc_relaxed(x);", "$1 <- fetch_add(x, 1) @ once; r := $1"),
        (
            "r = atomic_dec_and_test(x);",
            "fence[mb] @ implied; $1 <- fetch_sub(x, 1) @ R[mb] @ W[mb]; fence[mb] @ implied; "
            "r := if $1 - 1 = 0 then 1 else 0",
        ),
        ("r = cmpxchg_acquire(x, 1, r);", "$1 <- cas(x, 1, r) @ R[acquire] @ W[once]; r := $1"),
        (
            "r = atomic_inc_not_zero(x);",
            "fence[mb] @ implied; $1 <- add_unless(x, 1, 0) @ R[mb] @ W[mb]; fence[mb] @ implied; "
            "r := if $1 /= 0 then 1 else 0",
        ),
        ("r = spin_trylock(x);", "$1 <- cas(x, 0, 1) @ lock, lock-fail; r := if $1 = 0 then 1 else 0"),
        (
            "r1 = rcu_dereference(*x); r2 = READ_ONCE(*r1);",
            "$1 <- x atomic @ once; r1 := $1; $2 <- *r1 atomic @ once; r2 := $2",
        ),
    ],
)
def test_linux(body: str, expected: str) -> None:
    assert statements(body, "int *x, int *y") == expected


@pytest.mark.parametrize(
    "after",
    ["smp_mb(); WRITE_ONCE(*y, 1);", "smp_store_release(y, 1);", "xchg(y, 1);", "WRITE_ONCE(*x, 1);", "READ_ONCE(*y);"],
)
def test_a_write_that_is_ordered_may_come_after_an_if(after: str) -> None:
    body = f"int r = READ_ONCE(*x); r = r + 1; if (r == 2) WRITE_ONCE(*y, 2); {after}"
    read(f"C T\n{{}}\nP0(int *x, int *y) {{ {body} }}\nexists (x=0)")


def states(text: str, model: str) -> list[tuple[str, int]]:
    return list(run_litmus(read(text), xgen.model(model)).states)


@pytest.mark.parametrize(
    ("body", "final"),
    [
        ("int r = 0; if (*x == 0) r = 1; else r = 2;", "0:r=1;"),
        ("int r = 0; while (r < 3) r++;", "0:r=3;"),
        ("int r = 0; do { r += 2; if (r > 5) break; } while (1);", "0:r=6;"),
        ("int r = 0; for (int i = 0; i < 5; i++) { if (i == 3) continue; r += i; }", "0:r=7;"),
        ("int r = 1; if (*x || *y) r = 2;", "0:r=1;"),
        ("int r = 1; if (!*x && *y == 0) { r = 2; return; } r = 3;", "0:r=2;"),
        ("*x = 5; int r = atomic_fetch_sub(x, 2); r = r * 10 + *x;", "0:r=53;"),
        ("int e = 0; int r = atomic_compare_exchange_strong(x, &e, 4); r = r * 10 + *x;", "0:r=14;"),
        ("int e = 1; int r = atomic_compare_exchange_strong(x, &e, 4); r = r * 10 + e;", "0:r=0;"),
        ("*y = 7; int r = atomic_compare_exchange_strong(x, y, 4); r = r * 10 + *y;", "0:r=0;"),
    ],
)
def test_control(body: str, final: str) -> None:
    text = f"C T\n{{}}\nP0(atomic_int *x, atomic_int *y) {{ {body} }}\nexists (0:r=0)"
    assert states(text, "sc") == [(final, 1)]


def test_weak_compare_exchange_may_fail() -> None:
    text = "C T\n{}\nP0(atomic_int *x) { int e = 0; int r = atomic_compare_exchange_weak(x, &e, 1); }\nexists (0:r=0)"
    assert states(text, "sc") == [("0:r=0;", 1), ("0:r=1;", 1)]


def test_locks_exclude_each_other() -> None:
    thread = "(int *x, spinlock_t *l) { spin_lock(l); int r = READ_ONCE(*x); WRITE_ONCE(*x, r + 1); spin_unlock(l); }\n"
    text = f"C T\n{{}}\nP0{thread}P1{thread}exists (x=1)"
    assert states(text, "sc") == [("[x]=2;", 2)]
    text = text.replace("spin_lock(l);", "").replace("spin_unlock(l);", "")
    assert states(text, "sc") == [
        ("[x]=1;", 2),
        ("[x]=2;", 2),
    ]


def test_trylock_and_conditional_updates() -> None:
    text = """C T
{ x=1; }
P0(int *x, spinlock_t *l) { int a = spin_trylock(l); int b = spin_trylock(l); int c = cmpxchg(x, 1, 5);
  int d = cmpxchg(x, 1, 6); int e = atomic_add_unless(x, 1, 5); int f = atomic_inc_not_zero(x);
  int g = spin_is_locked(l); spin_unlock(l); int h = spin_is_locked(l); }
locations [0:a; 0:b; 0:c; 0:d; 0:e; 0:f; 0:g; 0:h;]
exists (x=6)"""
    assert states(text, "sc") == [("0:a=1; 0:b=0; 0:c=1; 0:d=5; 0:e=0; 0:f=1; 0:g=1; 0:h=0; [x]=6;", 1)]


@pytest.mark.parametrize("model", ["lkmm", "lkmm.cat"])
@pytest.mark.parametrize(
    ("other", "flags"),
    [
        ("int r = spin_is_locked(l);", ()),
        ("int r = spin_trylock(l);", ()),
        ("int r = *x;", ("data_race",)),
    ],
)
def test_looking_at_a_lock_is_no_race(model: str, other: str, flags: tuple[str, ...], tmp_path: Path) -> None:
    """What looks at a lock is a marked access, and each of its answers has a tag that models know."""
    text = "C T\n{}\nP0(int *x, spinlock_t *l) { spin_lock(l); WRITE_ONCE(*x, 1); spin_unlock(l); }\n"
    text += f"P1(int *x, spinlock_t *l) {{ {other} }}\nexists (1:r=0)"
    if model == "lkmm.cat":
        plain = "let Marked = ONCE | RMW | LKR | LKW | UL | LF | RL | RU | IW\n"
        (tmp_path / model).write_text(
            f'"L"\nenum A = \'once\n{plain}flag ~empty (M \\ Marked) * M & loc & ext as data_race\n'
        )
        loaded = load_model(str(tmp_path / model), "LKMM")
    else:
        loaded = load_model(model)
    assert run_litmus(read(text), loaded).flags == flags


MIXED = """let Plain = M & ~(ONCE | RELEASE | ACQUIRE | MB | NORETURN | RMW | IW)
let Mb = MB & (F | domain(rmw) | range(rmw))
let barrier = fencerel(Barrier | Mb) | po ; [RELEASE & W] | [ACQUIRE & R] ; po
let near = po-loc \\ barrier
flag ~empty [Plain & W] ; near ; [M \\ Plain] | [M \\ Plain] ; near ; [Plain & W] as mixed_accesses
"""
ACCESSES = "enum Accesses = 'ONCE || 'RELEASE || 'ACQUIRE || 'NORETURN || 'MB\n"
BARRIERS = "enum Barriers = 'MB || 'barrier\n"


@pytest.mark.parametrize("model", ["lkmm", "lkmm.cat"])
@pytest.mark.parametrize(
    ("body", "mixed"),
    [
        ("*x = 2; int r = xchg(x, 0);", True),
        ("int r = xchg(x, 0); *x = 2;", True),
        ("*x = 2; int r = atomic_add_return(1, x);", True),
        ("*x = 2; int r = cmpxchg(x, 2, 0);", True),
        ("*x = 2; int r = xchg(y, 0); r = READ_ONCE(*x);", False),
        ("*x = 2; int r = xchg_relaxed(y, 0); r = READ_ONCE(*x);", True),
        ("*x = 2; int r = cmpxchg(y, 1, 0); r = READ_ONCE(*x);", True),
        ("*x = 2; smp_mb(); int r = xchg(x, 0);", False),
        ("*x = 2; barrier(); int r = READ_ONCE(*x);", False),
        ("*x = 2; int r = xchg_release(x, 0);", True),
        ("*x = 2; int r = 0; smp_store_release(x, 0);", False),
        ("*x = 2; int r = READ_ONCE(*y);", False),
        ("int r = *x; WRITE_ONCE(*x, 1);", False),
        ("*x = 2; int r = *x;", False),
    ],
)
def test_plain_writes_beside_marked_accesses(model: str, body: str, mixed: bool, tmp_path: Path) -> None:
    """Between a plain write and a marked access has to be a barrier, if only the compiler's."""
    text = f"C T\n{{}}\nP0(int *x, int *y) {{ {body} }}\nexists (0:r=0)"
    if model == "lkmm.cat":
        (tmp_path / model).write_text(f'"L"\n{ACCESSES}{BARRIERS}{MIXED}')
        loaded = load_model(str(tmp_path / model), "LKMM")
    else:
        loaded = load_model(model)
    assert ("mixed_accesses" in run_litmus(read(text), loaded).flags) == mixed


@pytest.mark.parametrize("enumerations", [ACCESSES + BARRIERS, BARRIERS + ACCESSES, "enum A = 'ONCE\n" + BARRIERS])
@pytest.mark.parametrize(
    ("update", "count"),
    [
        ("xchg({}, 1)", 3),
        ("xchg_relaxed({}, 1)", 4),
        ("cmpxchg({}, 0, 1)", 3),
        ("cmpxchg({}, 5, 1)", 4),
        ("cmpxchg({0}, 5, 1); xchg_relaxed({0}, 1); cmpxchg({0}, 5, 1)", 4),
        ("cmpxchg_acquire({}, 0, 1)", 4),
        ("atomic_add_unless({}, 1, 1)", 3),
        ("atomic_add_unless({}, 1, 0)", 4),
    ],
)
def test_full_barriers_are_tags_or_fences(enumerations: str, update: str, count: int, tmp_path: Path) -> None:
    """An update without an order is a full barrier, for models that see its tag and for those that see fences only."""
    (tmp_path / "m.cat").write_text(
        f'"L"\n{enumerations}let Mb = MB & (F | domain(rmw) | range(rmw))\n'
        "let mb = [M] ; fencerel(MB & F) ; [M] | [M] ; po ; [Mb & R] | [Mb & W] ; po ; [M]\n"
        "acyclic rf | co | fr | mb as order\n"
    )
    threads = "".join(
        f"P{n}(int *x, int *y, int *{c}) {{ WRITE_ONCE(*{a}, 1); {update.format(c)}; int r = READ_ONCE(*{b}); }}\n"
        for n, (a, b, c) in enumerate(["xyu", "yxv"])
    )
    result = run_litmus(
        read(f"C T\n{{}}\n{threads}exists (0:r=0 /\\ 1:r=0)"), load_model(str(tmp_path / "m.cat"), "LKMM")
    )
    assert len(result.states) == count


@pytest.mark.parametrize(
    ("first", "value", "allowed"),
    [
        ("int r = cmpxchg_relaxed(x, 1, 2);", 1, True),
        ("int r = cmpxchg_relaxed(x, 5, 2);", 1, True),
        ("int r = cmpxchg_acquire(x, 1, 2);", 1, False),
        ("int r = cmpxchg_acquire(x, 5, 2);", 1, True),
        ("int r = cmpxchg(x, 1, 2);", 1, False),
        ("int r = cmpxchg(x, 5, 2);", 1, True),
        ("int r = atomic_add_unless(x, 1, 0);", 1, False),
        ("int r = atomic_add_unless(x, 1, 1); r = !r;", 1, True),
        ("int r = READ_ONCE(*x); int q = cmpxchg(z, 0, 1);", 1, False),
        ("int r = READ_ONCE(*x); int q = cmpxchg(z, 5, 1);", 1, True),
        ("int r = READ_ONCE(*x); smp_mb__before_atomic(); int q = cmpxchg_relaxed(z, 5, 1);", 1, False),
        ("int r = READ_ONCE(*x); int q = cmpxchg_relaxed(z, 5, 1); smp_mb__after_atomic();", 1, False),
        ("int r = READ_ONCE(*x); int q = spin_trylock(z);", 1, True),
        ("int r = READ_ONCE(*x); smp_mb__before_atomic(); int q = spin_trylock(z);", 1, True),
        ("int r = READ_ONCE(*x); smp_mb__before_atomic(); spin_lock(z);", 1, True),
        ("int r = READ_ONCE(*x); smp_mb__before_atomic(); int q = xchg_relaxed(z, 1);", 1, False),
    ],
)
def test_writes_after_an_update_that_may_fail(first: str, value: int, allowed: bool) -> None:
    """Load buffering: an update that may fail decides nothing that comes after it, and is a barrier if it writes."""
    text = f"""C T
{{}}
P0(int *x, int *y, int *z) {{ {first} WRITE_ONCE(*y, 1); }}
P1(int *x, int *y) {{ int q = READ_ONCE(*y); smp_mb(); WRITE_ONCE(*x, 1); }}
exists (0:r={value} /\\ 1:q=1)"""
    assert run_litmus(read(text), xgen.model("lkmm")).verdict == ("Ok" if allowed else "No")


@pytest.mark.parametrize(
    ("fence", "allowed"),
    [
        ("smp_mb()", False),
        ("smp_mb__before_atomic()", True),
        ("smp_mb__after_atomic()", True),
        ("smp_mb__after_spinlock()", True),
        ("smp_mb__after_unlock_lock()", True),
        ("smp_mb__after_srcu_read_unlock()", True),
        ("barrier()", True),
    ],
)
def test_fences_that_strengthen_something_else_are_none_alone(fence: str, allowed: bool) -> None:
    """As the kernel's own documents have it: `by itself, ... provides no ordering`."""
    text = f"""C T
{{}}
P0(int *x, int *y) {{ WRITE_ONCE(*x, 1); {fence}; int r = READ_ONCE(*y); }}
P1(int *x, int *y) {{ WRITE_ONCE(*y, 1); smp_mb(); int r = READ_ONCE(*x); }}
exists (0:r=0 /\\ 1:r=0)"""
    assert run_litmus(read(text), xgen.model("lkmm")).verdict == ("Ok" if allowed else "No")


@pytest.mark.parametrize(
    ("body", "allowed"),
    [
        ("int r = READ_ONCE(*x); if (r) { int q = 1; } WRITE_ONCE(*y, 1);", True),
        ("int r = READ_ONCE(*x); if (r) { WRITE_ONCE(*y, 1); }", False),
        ("int r = READ_ONCE(*x); if (r) { if (r) { int q = 1; } WRITE_ONCE(*y, 1); }", False),
        ("int r = READ_ONCE(*x); if (r) { int q = 1; } else { int q = 2; } WRITE_ONCE(*y, 1);", True),
        ("int q; int r = READ_ONCE(*x); if (r) { q = 1; } else { q = 2; } WRITE_ONCE(*y, q);", True),
        ("int q; int r = READ_ONCE(*x); if (r) { q = r; } else { q = 1; } WRITE_ONCE(*y, q);", False),
        ("int r = READ_ONCE(*x); if (r) { smp_mb(); } WRITE_ONCE(*y, 1);", False),
        ("int r = READ_ONCE(*x); if (!r) { smp_mb(); } WRITE_ONCE(*y, 1);", True),
        ("int r = READ_ONCE(*x); if (r) { return; } WRITE_ONCE(*z, 1); WRITE_ONCE(*y, 1);", False),
        ("int r = READ_ONCE(*x); if (r == 0) { return; } WRITE_ONCE(*y, 1);", False),
        ("int r; do { r = READ_ONCE(*x); } while (r == 0); WRITE_ONCE(*y, 1);", True),
        ("int r = 0; while (r == 0) { r = READ_ONCE(*x); } WRITE_ONCE(*y, 1);", True),
        ("int r = READ_ONCE(*x); while (r) { WRITE_ONCE(*y, 1); break; }", False),
        ("int r = READ_ONCE(*x); int q = r && READ_ONCE(*z); WRITE_ONCE(*y, 1);", True),
        ("int r = READ_ONCE(*x); int q = r && READ_ONCE(*z); WRITE_ONCE(*y, 1 + (q ^ q));", True),
        ("int r = READ_ONCE(*x); int q = !r && READ_ONCE(*z); WRITE_ONCE(*y, 1 + (q ^ q));", False),
        ("int r = spin_is_locked(x); WRITE_ONCE(*y, 1);", True),
        ("int r = READ_ONCE(*x); if (r) { int q = spin_is_locked(z); } WRITE_ONCE(*y, 1);", True),
    ],
)
def test_what_has_decided_ends_to(body: str, allowed: bool) -> None:
    """Load buffering: a control dependency ends with its `if` or loop. The writes inside, and values, depend."""
    text = f"""C T
{{}}
P0(int *x, int *y, int *z) {{ {body} }}
P1(int *x, int *y) {{ int q = READ_ONCE(*y); smp_mb(); WRITE_ONCE(*x, 1); }}
exists (0:r=1 /\\ 1:q=1)"""
    assert run_litmus(read(text), xgen.model("lkmm")).verdict == ("Ok" if allowed else "No")


@pytest.mark.parametrize(
    ("access", "write", "allowed"),
    [
        ("r1 = READ_ONCE(*r0);", "WRITE_ONCE(*z, 1);", True),
        ("WRITE_ONCE(*r0, 1);", "WRITE_ONCE(*z, 1);", True),
        ("r1 = READ_ONCE(*r0);", "WRITE_ONCE(*z, 1 + (r1 ^ r1));", False),
        ("r1 = READ_ONCE(*r0); smp_mb();", "WRITE_ONCE(*z, 1);", False),
        ("r1 = READ_ONCE(*r0);", "smp_store_release(z, 1);", False),
        ("r1 = xchg_relaxed(r0, 1);", "WRITE_ONCE(*z, 1);", True),
        ("r1 = READ_ONCE(*r0); if (r1) { r1 = 1; }", "WRITE_ONCE(*z, 1);", True),
    ],
)
def test_addresses_decide_nothing_that_follows(access: str, write: str, allowed: bool) -> None:
    """Load buffering through an address: the kernel's model orders what follows the access after nothing."""
    text = f"""C T
{{ x = y; }}
P0(int **x, int *z) {{ int *r0; int r1; r0 = READ_ONCE(*x); {access} {write} }}
P1(int **x, int *z, int *w) {{ int r2; r2 = READ_ONCE(*z); if (r2 == 1) {{ WRITE_ONCE(*x, w); }} }}
exists (0:r0=w /\\ 1:r2=1)"""
    assert run_litmus(read(text), xgen.model("lkmm")).verdict == ("Ok" if allowed else "No")


def test_predicted_addresses_of_no_location() -> None:
    text = """C T
{ x = 5; }
P0(int **x, int *z) { int *r0; int r1; r0 = READ_ONCE(*x); r1 = READ_ONCE(*r0); WRITE_ONCE(*z, 1); }
exists (z=1)"""
    with pytest.raises(XgenError) as error:
        run_litmus(read(text), xgen.model("lkmm"))
    assert error.value.message == "in an execution: array index out of range"


@pytest.mark.parametrize(
    ("update", "then", "observation"),
    [
        ("cmpxchg_relaxed(x, 2, 1)", "WRITE_ONCE(*y, r1);", "Sometimes"),
        ("cmpxchg_relaxed(x, 2, 1)", "WRITE_ONCE(*y, (r1 ^ r1) + 1);", "Sometimes"),
        ("cmpxchg_relaxed(x, 2, 1)", "if (r1 == 1) { WRITE_ONCE(*y, 1); }", "Sometimes"),
        ("cmpxchg_release(x, 2, 1)", "WRITE_ONCE(*y, r1);", "Sometimes"),
        ("cmpxchg_acquire(x, 2, 1)", "WRITE_ONCE(*y, r1);", "Never"),
        ("cmpxchg(x, 2, 1)", "WRITE_ONCE(*y, r1);", "Never"),
        ("cmpxchg_relaxed(x, 2, 1)", "WRITE_ONCE(*y, r0 - 1);", "Never"),
        ("xchg_relaxed(x, 1)", "WRITE_ONCE(*y, r1);", "Sometimes"),
        ("atomic_fetch_or_relaxed(1, x)", "WRITE_ONCE(*y, r1 & 1);", "Never"),
    ],
)
def test_updates_that_are_read_early(update: str, then: str, observation: str) -> None:
    """Whether what an update reads may depend on what is read from it in its own thread; as in herd."""
    text = f"""C T
{{}}
P0(int *x, int *y) {{ int r0 = {update}; int r1 = READ_ONCE(*x); {then} }}
P1(int *x, int *y) {{ int r2 = READ_ONCE(*y); WRITE_ONCE(*x, r2 + 1); }}
exists (0:r0=2)"""
    assert run_litmus(read(text), load_model("lkmm")).observation == observation


@pytest.mark.parametrize(
    ("update", "observation"),
    [
        ("atomic_fetch_add_relaxed(1, y)", "Never"),
        ("atomic_add_return_release(1, y)", "Never"),
        ("atomic_fetch_or_relaxed(2, y)", "Never"),
        ("atomic_add_unless(y, 1, 0)", "Never"),
        ("xchg_relaxed(y, 2)", "Sometimes"),
        ("cmpxchg_relaxed(y, 1, 2)", "Sometimes"),
    ],
)
@pytest.mark.parametrize("model", ["lkmm", "cat"])
def test_dependencies_through_updates(model: str, update: str, observation: str, tmp_path: Path) -> None:
    """What an update computes depends on what it reads, and so does what its thread reads of it; as in herd."""
    text = f"""C T
{{}}
P0(int *x, int *y) {{ int r0 = smp_load_acquire(x); WRITE_ONCE(*y, 1); }}
P1(int *x, int *y) {{ int r1 = {update}; int r2 = READ_ONCE(*y); WRITE_ONCE(*x, (r2 ^ r2) + 1); }}
exists (0:r0=1 /\\ ~(y=1))"""
    (tmp_path / "kernel.bell").write_text("enum Accesses = 'acquire instructions R[Accesses]")
    file = tmp_path / "kernel.cat"
    order = "acyclic data | data; rfi | [Acquire]; po | fr & int | rfe as before"
    file.write_text(f"acyclic po-loc | rf | co | fr as coherence {order}")
    memory = load_model("lkmm" if model == "lkmm" else str(file), "LKMM")
    assert run_litmus(read(text), memory).observation == observation


def test_conditions_speak_of_variables_that_are_there() -> None:
    with pytest.raises(XgenError) as error:
        read("C T\n{}\nP0(int *x) { int r1 = *x; }\nexists (0:r2=0)")
    assert (error.value.message, error.value.line, error.value.column) == ("there is no local variable `r2`", 4, 9)
    assert error.value.hint == "did you mean `r1`?"


def test_dialects() -> None:
    def written_in(body: str, pointer: str = "int *x") -> tuple[str, str]:
        test = read(f"C T\n{{}}\nP0({pointer}) {{ {body} }}\nexists (x=0)")
        return test.arch, test.model

    for body in ("atomic_store(x, 1);", "atomic_fetch_add_explicit(x, 1, memory_order_relaxed);"):
        assert written_in(body) == ("C", "rc11")
    for body in ("WRITE_ONCE(*x, 1);", "atomic_fetch_add_acquire(1, x);", "atomic_fetch_andnot(1, x);"):
        assert written_in(body) == ("LKMM", "lkmm")
    assert written_in("atomic_fetch_add(1, x);", "atomic_t *x") == ("LKMM", "lkmm")


@pytest.mark.parametrize(
    ("body", "column", "message"),
    [
        ("int r = atomic_laod(x);", 9, "the function `atomic_laod` is not supported"),
        ("int r = atomic_load_explicit(x);", 9, "`atomic_load_explicit` takes 2 arguments, not 1"),
        ("atomic_load_explicit(x, memory_order_release);", 1, "the order release makes no sense here"),
        ("atomic_store_explicit(x, 1, 2);", 1, "expected a memory order such as `memory_order_relaxed`"),
        ("int r = atomic_store(x, 1);", 9, "`atomic_store` has no value"),
        ("*x = ;", 6, "`;` is out of place"),
        ("*x = 1", 8, "`}` is out of place"),
        ("r = 1 ? 2 : 3;", 7, "`?` is not supported"),
        ("break;", 1, "`break` is not in a loop"),
        ("goto l;", 1, "`goto` is not supported"),
        (
            "r = READ_ONCE(*x); for (int i = 0; i < r; i++) { *l = i; } WRITE_ONCE(*y, 1);",
            60,
            "a write after the loop of line 4, without a fence between, is not supported",
        ),
        (
            "do { r = READ_ONCE(*x); smp_store_release(l, 1); } while (r); WRITE_ONCE(*y, 1);",
            63,
            "a write after the loop of line 4, without a fence between, is not supported",
        ),
        ("r = x->next;", 6, "members of structures are not supported"),
        ("atomic_load(3);", 1, "this is a number, not an address"),
        ("READ_ONCE(r);", 11, "this is a local variable, not a place"),
        ("int x = 1;", 5, "a variable with the name of a parameter is not supported"),
        ("int r[3];", 6, "local arrays are not supported"),
    ],
)
def test_errors(body: str, column: int, message: str) -> None:
    with pytest.raises(XgenError) as error:
        read(f"C T\n{{}}\nP0(int *x, int *y, int *l) {{\n{body} }}\nexists (x=0)")
    assert (error.value.message, error.value.line, error.value.column) == (message, 4, column)


def test_an_order_that_is_misspelt() -> None:
    with pytest.raises(XgenError) as error:
        read("C T\n{}\nP0(int *x) { atomic_store_explicit(x, 1, memory_order_relese); }\nexists (x=0)")
    assert (error.value.line, error.value.hint) == (3, "did you mean `memory_order_release`?")


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("", "the text ends too early"),
        ("P1(int *x) {}", "thread 0 comes next, not thread 1"),
        ("P0 | P1 ;", "`|` is out of place"),
        ("P0(int *x) { *x = 1;", "this function does not end"),
        ("P0(int *x {}", "`{` is out of place"),
    ],
)
def test_programs_that_are_none(program: str, message: str) -> None:
    with pytest.raises(XgenError) as error:
        read(f"C T\n{{}}\n{program}\nexists (x=0)")
    assert error.value.message == message


def test_a_parameter_that_is_not_there() -> None:
    def error(init: str, body: str) -> tuple[str, str | None] | None:
        try:
            read(f"C T\n{{{init}}}\nP0(int *first) {{ {body} }}\nexists (0:r=0)")
        except XgenError as wrong:
            return wrong.message, wrong.hint
        return None

    missing = "`firts` is no parameter, and has no value here", "did you mean `first`?"
    assert error("", "int r = atomic_load(firts);") == missing
    assert error("", "int r = 1; *firts = r;") == missing
    assert error("0:firts=x;", "int r = atomic_load(firts);") is None
    assert error("", "int r = 0; firts = first; r = *firts;") is None
    assert error("", "int r = 0; while (r < 2) { if (r == 1) *firts = 1; firts = first; r = r + 1; }") is None
