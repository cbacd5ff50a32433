"""Locks by updates that are tried again, mutexes that are tried: which rounds are left out, and that no other is."""

from __future__ import annotations

from random import Random

import pytest
from oracle.models import arm, no_thin_air, weak_with_dependencies

import xgen
from xgen import Program, Result
from xgen.engine.problem import problem
from xgen.lowering.analysis.spinning import spinning_updates
from xgen.lowering.analysis.undone import tries_are_undone
from xgen.lowering.threads import lower

MODELS = {
    **{name: xgen.model(name) for name in ("arm8", "power", "riscv", "arm", "lkmm", "coherence")},
    "own": no_thin_air(),
    "own arm": arm(),
    "dependencies": weak_with_dependencies(),
}
"""Models under which threads run ahead of their reads, some of them nobody's."""
TARGETS = {"armv8": "arm8", "armv8-lse": "arm8", "armv7": "arm", "power": "power", "riscv": "riscv", "none": "lkmm"}

SPIN = "while (atomic_exchange_explicit(&l, 1, memory_order_acquire));"
FLAG = "while (atomic_flag_test_and_set_explicit(&f, memory_order_acquire));"
CLEAR = "atomic_flag_clear_explicit(&f, memory_order_release);"
GIVE = "atomic_store_explicit(&l, 0, memory_order_release);"


def in_c(*threads: str, shared: str = "", **options: object) -> Program:
    """Threads of C that main starts and joins."""
    head = (
        "#include <pthread.h>\n#include <stdatomic.h>\natomic_int l, done; atomic_flag f = ATOMIC_FLAG_INIT; int n;\n"
    )
    bodies = "".join(f"void *f{k}(void *p) {{ {text} return 0; }}\n" for k, text in enumerate(threads))
    starts = "".join(f"pthread_create(&t[{k}], 0, f{k}, 0); " for k in range(len(threads)))
    joins = "".join(f"pthread_join(t[{k}], 0); " for k in range(len(threads)))
    return xgen.parse(f"{head}{shared}{bodies}int main(void) {{ pthread_t t[4]; {starts}{joins}}}\n", "c", **options)


def explored(program: Program, model: xgen.Model, **options: object) -> Result:
    result = xgen.check(program, model, all_states=True, trace_limit=0, timeout=60, **options)
    assert (result.stopped, result.duplicates) == (None, 0)
    return result


def states(result: Result) -> set[tuple[tuple[str, object], ...]]:
    return {tuple(sorted(outcome.state.items())) for outcome in result.outcomes}


# --- Test-and-set locks ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("take", "give"),
    [(SPIN, GIVE), (FLAG, CLEAR), (SPIN.replace("exchange", "fetch_or"), GIVE), (SPIN[:-1] + " sched_yield();", GIVE)],
    ids=["exchange", "flag", "or", "yields"],
)
def test_a_test_and_set_lock_has_an_end(take: str, give: str, target: str) -> None:
    """Two threads take it in one order or the other; the second one may have waited or not."""
    shared = "#include <sched.h>\n" if "sched" in take else ""
    program = in_c(*[f"{take} n++; {give}"] * 2, shared=shared, map=target)
    result = explored(program, xgen.model(TARGETS[target]))
    assert (result.verdict, result.executions) == ("safe", 2)
    assert {outcome.state["n"] for outcome in result.outcomes} == {2}


def test_three_threads() -> None:
    program = in_c(*[f"{SPIN} n++; {GIVE}"] * 3, map="armv8-lse")
    result = explored(program, xgen.model("arm8"))
    assert (result.verdict, result.executions) == ("safe", 6)


LOCK = "S -> G { r <- exchange(l, 1) } G -> S { assume r = 1 } G -> E { assume r = 0; <> 0 -> l }"
OTHERS = {
    "flag": "S -> G { r <- exchange(l, 1) } G -> L { assume r = 1 } L -> M { r <- go } M -> S { assume r = 0 }"
    " M -> E { assume r = 1; a <- l } G -> E { assume r = 0; 0 -> l }",
    "try": "S -> G { r <- exchange(l, 1) } G -> E { assume r = 1 } G -> E { assume r = 0; <> 0 -> l }",
    "look": "S -> E { a <- l; <> }",
    "fetch_add": "S -> E { a <- fetch_add(l, 0); <> }",
    "counts": "S -> G { r <- exchange(l, 1) } G -> S { assume r = 1; a := a + 1 } G -> E { assume r = 0; <> 0 -> l }",
}
"""What makes something of a 1, beside LOCK."""


def threads(*edges: str) -> Program:
    text = "var l : int\nvar x : int\nvar y : int\nvar go : int\n"
    for number, each in enumerate(edges):
        body = each.replace("<>", ("b <- x; 1 -> y;", "b <- y; 1 -> x;")[number % 2])
        names = " ".join(f"loc {name}" for name in "GLM" if f"{name} ->" in each)
        text += f"process p{number} {{ var a : int var b : int var r : int init loc S {names} final loc E {body} }}\n"
    return xgen.parse(text)


def test_what_is_left_out() -> None:
    assert len(spinning_updates(lower(threads(LOCK, LOCK)))) == 2
    assert (
        len(
            spinning_updates(
                lower(threads(LOCK, "S -> G { r <- cas(l, 0, 1) } G -> S { assume r = 1 } G -> E { assume r = 0 }"))
            )
        )
        == 1
    )


@pytest.mark.parametrize("other", OTHERS)
def test_what_makes_something_of_a_failed_try(other: str) -> None:
    assert not spinning_updates(lower(threads(LOCK, OTHERS[other], "S -> E { 1 -> go }")))


def test_an_exit_that_no_thread_takes() -> None:
    """Nobody raises the flag, or only to what leads back as well."""
    flag = OTHERS["flag"].replace("; a <- l", "")
    assert len(spinning_updates(lower(threads(LOCK, flag)))) == 2
    assert not spinning_updates(lower(threads(LOCK, flag, "S -> E { 1 -> go }")))
    raised = threads(flag.replace("M -> S { assume r = 0 }", "M -> S { assume r /= 1 }"), LOCK, "S -> E { 2 -> go }")
    assert len(spinning_updates(lower(raised))) == 2
    result = explored(threads(flag, flag), MODELS["arm8"])
    assert (result.verdict, result.executions) == ("safe", 2)


def with_flags(rng: Random) -> Program:
    """Two threads that look at flags in the rounds of their locks, and one that raises them."""

    def lock() -> str:
        flag, kept = rng.choice(("go", "x")), rng.choice("rrra")
        leaves = rng.choice((f"= {rng.randrange(4)}", f"> {rng.randrange(3)}"))
        stays = {"=": "/=", ">": "<="}[leaves[0]] + leaves[1:]
        update = rng.choice(("exchange(l, 1)", "exchange(l, 1)", "fetch_or(l, 1)", "exchange(l, 2)"))
        barrier = rng.choice(("", "", "fence @ dmb.sy\n "))
        inside = rng.choice(("", "b <- x; 1 -> y;", "b <- y; 1 -> x;", "b <- go;"))
        last = rng.choice(("", "", "a <- l", "a <- x"))
        return (
            f"S -> G {{ r <- {update} }} G -> L {{ assume r /= 0 }} L -> M {{ {barrier}{kept} <- {flag} }} "
            f"M -> S {{ assume {kept} {stays} }} M -> E {{ assume {kept} {leaves}; {last} }} "
            f"G -> E {{ assume r = 0; {inside} {rng.choice(('0 -> l', '0 -> l', ''))} }}"
        )

    steps = ("1 -> go;", "2 -> go;", "1 -> x;", "3 -> x;", "a <- y;", "b <- l;", "2 -> l;")
    return threads(lock(), lock(), f"S -> E {{ {' '.join(rng.sample(steps, rng.randint(1, 2)))} }}")


@pytest.mark.parametrize("seed", range(2))
def test_random_exits(seed: int) -> None:
    """Programs whose rounds are left out have the final states of all rounds up to a bound."""
    rng = Random(f"exits {seed}")
    found = 0
    while found < 3:
        program = with_flags(rng)
        if len(spinning_updates(lower(program))) < 2:
            continue
        found += 1
        model = MODELS[rng.choice(("arm8", "power", "riscv", "own arm", "dependencies"))]
        waiting = explored(program, model)
        assert waiting.exhaustive
        assert states(waiting) == states(explored(program, model, unroll=True, max_depth=8))


@pytest.mark.parametrize("model", MODELS)
def test_no_outcome_is_lost(model: str) -> None:
    """Beside all rounds up to a bound, with which each thread can fail twice."""
    program = threads(LOCK, LOCK, "S -> E { 1 -> x; a <- y }")
    waiting = explored(program, MODELS[model])
    assert waiting.exhaustive
    assert states(waiting) == states(explored(program, MODELS[model], unroll=True, max_depth=9))


def test_the_forwarded_value_of_a_failed_try() -> None:
    """Why a round with a flag stays: behind it, the thread reads from its own update, which is not in order behind the
    other's store, so that x may be old then. Without the round it would read from the store."""
    program = xgen.parse(
        "var l : int (5)\nvar x : int\nvar go : int\n"
        "process w { init loc S final loc E S -> E { 1 -> x; fence @ dmb.sy\n 1 -> l; 1 -> go } }\n"
        "process r { var r : int var a : int var b : int init loc S loc L loc M final loc E\n"
        "S -> L {} L -> M { r <- go } M -> L { assume r = 0; r <- exchange(l, 1) }\n"
        "M -> E { assume r = 1; a <- l; fence @ dmb.ld\n b <- x } }\n"
    )
    waiting = explored(program, xgen.model("arm8"), max_depth=8)
    assert states(waiting) == states(explored(program, xgen.model("arm8"), unroll=True, max_depth=8))


def test_who_waits_for_a_lock_that_stays_held_is_stuck() -> None:
    for target in ("armv8", "armv8-lse"):
        program = in_c(SPIN, SPIN, map=target)
        assert xgen.check(program, xgen.model("arm8"), liveness=True, timeout=60).verdict == "violation"
        program = in_c(*[f"{SPIN} {GIVE}"] * 2, map=target)
        assert xgen.check(program, xgen.model("arm8"), liveness=True, timeout=60).verdict == "safe"


@pytest.mark.parametrize("memory", ["lkmm", "arm8", "rc11"])
def test_who_waits_by_exchanges_is_stuck(memory: str) -> None:
    """Whether further rounds are allowed is asked for lkmm: they write, one after another."""
    order = "once" if memory == "lkmm" else "relaxed"
    taken = f"S -> G {{ r <- exchange(l, 1) @ {order} }} G -> S {{ assume r = 1 }} G -> E {{ assume r = 0 }}"
    given = taken.replace("r = 0 }", f"r = 0; 0 -> l @ {order} }}")
    assert xgen.check(threads(taken, taken), xgen.model(memory), liveness=True).verdict == "violation"
    assert xgen.check(threads(given, given), xgen.model(memory), liveness=True).verdict == "safe"


# --- Mutexes that are tried ------------------------------------------------------------------------------------------


MUTEXES = (
    "pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;\n"
)


def both(first: str, second: str) -> str:
    """Locks two mutexes, the second one by a try."""
    return f"for (;;) {{ pthread_mutex_lock(&{first}); if (!pthread_mutex_trylock(&{second})) break; {give(first)} }}"


def tries(first: str, second: str) -> str:
    """Tries both."""
    return (
        f"for (;;) {{ if (pthread_mutex_trylock(&{first})) continue; if (!pthread_mutex_trylock(&{second})) break;"
        f" {give(first)} }}"
    )


def give(*mutexes: str) -> str:
    return "".join(f"pthread_mutex_unlock(&{mutex}); " for mutex in mutexes)


ALL_THREE = (
    "for (;;) {{ pthread_mutex_lock(&{0}); if (!pthread_mutex_trylock(&{1})) {{"
    " if (!pthread_mutex_trylock(&{2})) break; pthread_mutex_unlock(&{1}); }} pthread_mutex_unlock(&{0}); }}"
)


@pytest.mark.parametrize("model", ["sc", "tso", "rc11"])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (both("a", "b"), both("b", "a")),
        (tries("a", "b"), tries("b", "a")),
        (both("a", "b"), tries("b", "a")),
        (ALL_THREE.format(*"abc"), ALL_THREE.format(*"bca")),
    ],
    ids=["lock and try", "two tries", "each", "three"],
)
def test_tries_that_are_undone(one: str, other: str, model: str) -> None:
    rest = "cba" if "&c" in one else "ba"
    result = explored(
        in_c(f"{one} n++; {give(*rest)}", f"{other} n++; {give(*rest)}", shared=MUTEXES), xgen.model(model)
    )
    assert (result.verdict, result.executions) == ("safe", 2)


@pytest.mark.parametrize(
    "thread",
    [
        f"if (pthread_mutex_trylock(&a)) return 0; n++; {give('a')}",
        f"while (pthread_mutex_trylock(&a)) done++; n++; {give('a')}",
        f"for (;;) {{ pthread_mutex_lock(&a); n++; if (!pthread_mutex_trylock(&b)) break; {give('a')} }}"
        + give("b", "a"),
        f"for (;;) {{ pthread_mutex_lock(&a); if (!pthread_mutex_trylock(&b)) break; {give('a')} if (done) return 0; }}"
        + give("b", "a"),
        f"for (;;) {{ if (pthread_mutex_trylock(&a)) pthread_mutex_lock(&c); else break; {give('c')} }} {give('a')}",
    ],
    ids=["gives up", "counts", "has changed something", "may leave", "waits elsewhere"],
)
def test_tries_that_are_not(thread: str) -> None:
    other = "done = 1; " + both("b", "a") + give("a", "b")
    code = problem(in_c(thread, other, shared=MUTEXES), xgen.model("rc11")).code
    assert tries_are_undone(code) == thread.startswith("for (;;) { if")


def test_who_is_kept_out_for_ever_is_stuck() -> None:
    """The one keeps b; the other goes round."""
    program = in_c("pthread_mutex_lock(&b);", both("a", "b") + give("b", "a"), shared=MUTEXES)
    assert xgen.check(program, xgen.model("rc11"), liveness=True).verdict == "violation"


def random_tries(rng: Random) -> Program:
    """Threads that take one or two of two mutexes in some way, and change something."""

    def taken() -> tuple[str, list[str]]:
        first, second = rng.sample("ab", 2)
        ways = [(both(first, second), [first, second]), (tries(first, second), [first, second])]
        ways += [(f"pthread_mutex_lock(&{first});", [first]), (f"while (pthread_mutex_trylock(&{first}));", [first])]
        return rng.choice(ways)

    bodies = []
    for _ in range(rng.choice((2, 2, 3))):
        take, held = taken()
        rng.shuffle(held)
        change = rng.choice(("n++;", "n = 2;", "n = n + n + 1;", ""))
        flag = rng.choice(("", "", "done = 1;", "n0 = done;"))
        bodies.append(f"{flag} {take} {change} {give(*held)}")
    return bodies


@pytest.mark.parametrize("seed", range(6))
def test_random_tries(seed: int) -> None:
    """The outcomes are those of all rounds, up to two of each loop."""
    rng = Random(seed)
    bodies, model = random_tries(rng), xgen.model(rng.choice(("sc", "tso", "rc11")))
    shared = f"{MUTEXES}int n0;\n"
    waiting = explored(in_c(*bodies, shared=shared), model)
    assert waiting.exhaustive
    assert states(waiting) == states(explored(in_c(*bodies, shared=shared, unroll=2), model, unroll=True))
