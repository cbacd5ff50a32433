"""Proofs without bounds against checks with the models' files, which share no code with the machines."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from oracle.buffers.invariants import Checker
from oracle.buffers.proofs import ENDLESS, FEATURES, MACHINES, PROGRAMS, TAGS, difference, drawn, found, wrong

import xgen
from xgen.engine import symbolic
from xgen.engine.problem import problem
from xgen.errors import Source
from xgen.frontends.c import read_c

C_PROGRAMS = Path(__file__).parents[3] / "programs" / "c"
RIGHT = [p.name for p in sorted(C_PROGRAMS.glob("*.c")) if "_us" not in p.name]


def tried(seed: int, features: str, machine: str) -> str | None:
    """What is wrong with the proof of a program; None where there was no answer, too."""
    try:
        return wrong(seed, features, machine)
    except (TimeoutError, xgen.UnsupportedError):
        return None


@pytest.mark.sweep
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("features", FEATURES)
def test_outcomes_are_those_of_the_model(features: str, machine: str) -> None:
    for seed in range(PROGRAMS):
        why = tried(seed, features, machine)
        assert why is None, f"seed {seed}: {why}\n{drawn(seed, features)}"


def test_the_others_go_on_until_an_atomic_block_begins() -> None:
    text = "var x : int\n"
    text += "process p0 { var a : int init loc S final loc E S -> E { atomic-begin a <- x atomic-end assert a = 0 } }\n"
    text += "process p1 { init loc S final loc E S -> E { 1 -> x } }\n"
    assert found(text, "sc").verdict == "violation"


def test_this_many_programs_are_enough_to_have_all_ends() -> None:
    """So that the comparison above compares something."""
    verdicts = {found(drawn(seed, "errors"), "tso").verdict for seed in range(PROGRAMS)}
    assert verdicts == {"safe", "violation"}


@pytest.mark.sweep
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("features", ENDLESS)
def test_loops_are_never_safe_where_a_check_finds_a_violation(features: str, machine: str) -> None:
    """Each proof has an invariant, and each violation is an execution of the model."""
    for seed in range(PROGRAMS):
        why = tried(seed, features, machine)
        assert why is None, f"seed {seed}: {why}\n{drawn(seed, features)}"


PAIR = "r <- load_exclusive(x)  s <- store_exclusive(x, {})"
OWN = "{} -> x  r <- load_exclusive(x)  s <- store_exclusive(x, {})"
EXCLUSIVES = {
    "two counters": [PAIR.format("r + 1"), PAIR.format("r + 1")],
    "after an own store": [OWN.format(1, 2), "t <- x  u <- x  v <- x"],
    "after an own store, and others store": [OWN.format(1, 2), "3 -> x  t <- x  u <- x"],
    "two own pairs": [OWN.format(1, 2) + "  " + PAIR.format(3), OWN.format(4, 5)],
    "a store behind": [OWN.format(1, 2) + "  6 -> x", "3 -> x  t <- x  u <- x"],
    "an update between": [OWN.format(1, 2), "t <- fetch_add(x, 4)  u <- x"],
    "other stores on both sides": ["1 -> y  " + OWN.format(1, 2) + "  2 -> y", "t <- y  u <- x  v <- y"],
    "a store fence": [OWN.format(1, 2) + "  fence sfence  1 -> y", "3 -> x  t <- y  u <- x"],
    "a fence between": ["1 -> x  r <- load_exclusive(x)  fence  s <- store_exclusive(x, 2)", "3 -> x  t <- x"],
    "another variable": [
        "1 -> x  r <- load_exclusive(x)  t <- load_exclusive(y)  s <- store_exclusive(y, 2)",
        "3 -> x  1 -> y  t <- x",
    ],
}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("shape", EXCLUSIVES)
def test_exclusive_pairs(shape: str, machine: str) -> None:
    text = "var x : int var y : int\n"
    for number, body in enumerate(EXCLUSIVES[shape]):
        names = " ".join(f"var {name} : int" for name in "rstuv")
        text += f"process p{number} {{ {names} init loc S final loc E S -> E {{ {body} }} }}\n"
    assert difference(text, machine) is None


@pytest.mark.parametrize(
    "stores", ["2 -> x  1 -> y", "1 -> y  2 -> x", "1 -> y  2 -> x  4 -> y", "2 -> x  0 -> x  1 -> y"]
)
@pytest.mark.parametrize("machine", ["sc", "tso"])
def test_a_block_that_breaks_a_reservation_and_goes_on(stores: str, machine: str) -> None:
    """Whoever loads what was there before the block has no reservation behind it."""
    text = f"""var x : int var y : int
    process p {{ init loc S final loc E S -> E {{ atomic-begin  {stores}  atomic-end }} }}
    process q {{ var r : int var s : int init loc S final loc E
      S -> E {{ r <- load_exclusive(x)  3 -> y  s <- store_exclusive(x, 1) }} }}"""
    assert difference(text, machine) is None
    code = problem(xgen.parse(text), xgen.model(machine)).code
    assert Checker(found(text, machine, invariant=True), code).check() is None


LOCK = """var lock : int
var inside : int
process p{0} {{
  var r : int var s : int
  init loc L
  loc T
  L -> T {{ r <- load_exclusive(lock)  assume r = 0  s <- store_exclusive(lock, 1) }}
  T -> L {{ assume s = 1 }}
  T -> L {{ assume s = 0  {1}  {0} -> inside  r <- inside  assert r = {0}  {2}  0 -> lock }}
}}
"""


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [("fence", "fence", "safe"), ("fence", "", "violation"), ("", "fence", "safe"), ("", "", "violation")],
)
def test_a_lock_of_exclusive_pairs_for_ever(before: str, after: str, verdict: str) -> None:
    """Under pso the store that leaves may come before those that the lock is to guard."""
    second = LOCK[LOCK.index("process") :]
    text = LOCK.format(0, before, after) + second.format(1, before, after)
    proof = found(text, "pso", invariant=True)
    assert proof.verdict == verdict
    if proof.invariant is None:
        assert verdict == "violation"
        return
    code = problem(xgen.parse(text), xgen.model("pso")).code
    assert Checker(proof, code).check() is None
    place, state = next((k, state) for k, state in enumerate(proof.invariant) if state[8])
    for instead in ([], [(*state[:8], [], *state[9:])]):  # without it, and where its store exclusive keeps nobody out
        wrong = [*proof.invariant[:place], *instead, *proof.invariant[place + 1 :]]
        assert Checker(replace(proof, invariant=wrong), code).check() is not None


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("shape", ["1 -> x {} a <- y", "1 -> x {} 1 -> y", "2 -> x {} 1 -> y", "a <- x {} b <- y"])
def test_each_fence_does_what_it_does_in_the_model(tag: str | None, machine: str, shape: str) -> None:
    fence = "fence\n" if tag is None else f"fence {tag}\n"
    first = shape.format(fence)
    other = shape.translate(str.maketrans("xy", "yx")).format(fence)
    text = "var x : int var y : int\n"
    for name, body in (("p0", first), ("p1", other)):
        text += f"process {name} {{ var a : int var b : int init loc S final loc E S -> E {{ {body} }} }}\n"
    assert difference(text, machine) is None


def test_what_is_found_can_be_sent_to_another_process() -> None:
    text = drawn(3, "errors")
    proof = found(text, "tso", invariant=True)
    assert pickle.loads(pickle.dumps(proof)).verdict == proof.verdict


def test_machines_are_known_by_what_models_say() -> None:
    text = 'model "mine" "as sc"\nfr2 = fr\norder = po | rf | mo | fr2\norder acyclic as mine "one order"\n'
    assert symbolic.machine_of(xgen.parse_model(text)) == "sc"
    for name in ("ra", "weak", "arm8", "coherence"):
        with pytest.raises(xgen.UsageError, match="needs a machine"):
            symbolic.machine_of(xgen.model(name))


def test_what_a_model_leaves_undefined_no_machine_sees() -> None:
    text = (
        'model "mine" "sc, and no two stores at once"\norder = po | rf | mo | fr\norder acyclic as mine "one order"\n'
    )
    text += 'races = mo & ext\nundefined_unless races empty as store_race "two threads store to one location"\n'
    with pytest.raises(xgen.UsageError, match=r"what it leaves undefined \(`store_race`\) no machine sees"):
        symbolic.machine_of(xgen.parse_model(text))


@pytest.mark.sweep
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("program", RIGHT)
def test_the_c_programs_have_the_verdicts_of_checks(program: str, machine: str) -> None:
    loaded, model = xgen.load(C_PROGRAMS / program, map="none"), xgen.model(machine)
    proof = xgen.prove(loaded, model)
    assert proof.verdict == xgen.check(loaded, model).verdict
    assert (proof.witness is None) == (proof.verdict == "safe")


C = """#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;
atomic_int f;
void *one(void *unused) { %s return 0; }
void *two(void *unused) { %s return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
"""
HALF = "pthread_mutex_lock(&m); int c = x; x = c + 1; assert(x == c + 1); "
FENCE = "atomic_thread_fence(memory_order_seq_cst);"
ZERO = f"{FENCE} x = 0; {FENCE} pthread_mutex_unlock(&m);"
BOTH = "pthread_mutex_lock(&{}); pthread_mutex_lock(&{});"


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("one", "two", "kind"),
    [
        (HALF + "pthread_mutex_unlock(&m);", HALF + "pthread_mutex_unlock(&m);", None),
        ("for (;;) {" + HALF + ZERO + "}", HALF + ZERO, None),
        (HALF + "pthread_mutex_unlock(&m);", "int c = x; x = c + 1;", "race"),
        (BOTH.format("m", "n"), BOTH.format("n", "m"), "deadlock"),
        (HALF, HALF, "deadlock"),
        ("pthread_mutex_unlock(&m);", "", "unlock"),
        ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);", "unlock"),
        ("pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&m);", "", "unlock"),
        ("pthread_mutex_lock(&m); pthread_mutex_trylock(&m); pthread_mutex_unlock(&m);", "", None),
        ("pthread_mutex_trylock(&m); pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m);", "unlock"),
        ("pthread_mutex_destroy(&m); pthread_mutex_lock(&m);", "", "destroyed"),
        ("int y; int *p = &y; x = *p;", "", "uninitialised"),
        ("int y; int *p = &y; *p = 1; x = *p;", "", None),
        ("x = 1;", "pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m);", "race"),
        ("for (;;) if (atomic_load(&f) == 1) assert(x == 1);", f"x = 1; {FENCE} atomic_store(&f, 1);", None),
        ("for (;;) if (atomic_load(&f)) assert(x == 1);", "atomic_store(&f, 1); x = 1;", "race"),
    ],
)
def test_what_goes_wrong_in_c(one: str, two: str, kind: str | None, machine: str) -> None:
    """A loop without an end is proved as well."""
    program = read_c(Source("p.c", C % (one, two)), map="none")
    proof = xgen.prove(program, xgen.model(machine))
    if kind is None:
        assert proof.verdict == "safe"
        return
    assert proof.verdict == ("deadlock" if kind == "deadlock" else "violation")
    assert proof.witness is not None
    assert kind in {violation.kind for violation in proof.witness.violations}
    assert xgen.check(program, xgen.model(machine), max_depth=12).verdict == "violation"


def test_a_proof_of_what_is_freed_is_one() -> None:
    """Its invariant keeps which objects are freed as long as that matters: mutants that forget it are refused."""
    text = """var x : int @ heap var f : int
    process p { init loc A final loc B A -> B { 1 -> x  alloc(y)  free(x)  1 -> f  free(y) } }
    process q { var r : int init loc A loc B A -> A { r <- x  assert r <= 1 } A -> B { r <- f } }
    var y : int @ heap"""
    guarded = text.replace("A -> B { 1", "A -> B { r <- g  assume r = 1  1").replace(
        "process p {", "process p { var r : int"
    )
    guarded = guarded.replace("{ r <- f }", "{ 1 -> g }") + " var g : int"
    for machine in MACHINES:
        assert found(text, machine).verdict == "violation"
        proof = found(guarded, machine, invariant=True)
        code = problem(xgen.parse(guarded), xgen.model(machine)).code
        assert proof.invariant is not None
        assert Checker(proof, code).check() is None
        freed = [k for k, state in enumerate(proof.invariant) if state[-1]]
        for k in freed:
            forgetful = [*proof.invariant[:k], (*proof.invariant[k][:-1], []), *proof.invariant[k + 1 :]]
            assert Checker(replace(proof, invariant=forgetful), code).check() is not None


POOL = """#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>
_Atomic(int *) shown;
void *one(void *unused) {
  int *p = malloc(sizeof *p);
  *p = 1;
  %s
  atomic_store_explicit(&shown, p, memory_order_relaxed);
  return 0;
}
void *two(void *unused) {
  for (;;) {
    int *p = atomic_load_explicit(&shown, memory_order_relaxed);
    if (p) assert(*p == 1);
  }
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  return 0;
}
"""


def test_memory_that_is_allocated_and_shown() -> None:
    """Under pso the pointer may be seen before what it points to."""
    proof = xgen.prove(read_c(Source("pool.c", POOL % ""), map="none"), xgen.model("pso"))
    assert (proof.verdict, proof.witness is None) == ("violation", False)
    fence = "atomic_thread_fence(memory_order_release);"
    for text, machine in ((fence, "pso"), ("", "tso")):
        assert xgen.prove(read_c(Source("pool.c", POOL % text), map="none"), xgen.model(machine)).verdict == "safe"


def test_what_has_proved_a_program_like_this_one_is_tried_first() -> None:
    asked = problem(xgen.load("programs/endless/peterson_fenced.xcfa"), xgen.model("pso"))
    usual = symbolic.explore(asked, symbolic.Options())
    assert usual.abstraction == symbolic.Abstraction()
    abstraction = symbolic.Abstraction(widening=1)
    first = symbolic.explore(asked, symbolic.Options(first=(abstraction, 10_000)))
    assert (first.verdict, first.abstraction) == ("safe", abstraction)
    short = symbolic.explore(asked, symbolic.Options(first=(abstraction, 10)))
    assert (short.verdict, short.abstraction, short.visited) == ("safe", usual.abstraction, usual.visited)
    wrong = symbolic.Options(first=(symbolic.Abstraction(most=1), 10_000))  # leaves something out: no proof
    assert symbolic.explore(asked, wrong).abstraction == usual.abstraction
    violated = problem(xgen.load("programs/endless/peterson.xcfa"), xgen.model("pso"))
    assert symbolic.explore(violated, symbolic.Options(first=(abstraction, 10_000))).verdict == "violation"


@pytest.mark.parametrize("machine", ["sc", "tso", pytest.param("pso", marks=pytest.mark.slow)])  # sixteen buffers
@pytest.mark.parametrize("free", ["", "free(p);"])
def test_a_loop_that_allocates_for_ever_has_an_answer(machine: str, free: str) -> None:
    body = f"for (;;) {{\n int *p = malloc(sizeof *p);\n *p = 1; {free} }}"
    proof = xgen.prove(read_c(Source("p.c", C % (body, "")), map="none"), xgen.model(machine))
    assert proof.verdict == "unknown"
    assert "cut: more than 16 objects are allocated here, at line 9, `int *p = malloc(sizeof *p);`" in str(proof.reason)


def test_values_that_grow_are_named_where_no_buffer_does() -> None:
    text = "var x : int process p { init loc A A -> A { fetch_add(x, 1) } }"
    text += "process q { init loc A A -> A { fetch_sub(x, 1) } }"
    proof = xgen.prove(xgen.parse(text), xgen.model("sc"), limit=200)
    assert (proof.verdict, proof.reason) == (
        "unknown",
        "each exploration has visited 200 states; x has taken 201 values",
    )


COUNTER = """#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
_Atomic unsigned char x;
void *one(void *unused) { for (;;) x++; }
void *two(void *unused) { for (;;) assert(x <= 255); }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
}
"""


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("text", ["unsigned char x;\nint main(void) { for (;;) x++; }", COUNTER])
def test_a_counter_that_begins_again_after_many_rounds(text: str, machine: str) -> None:
    """Who else counts sees it after rounds longer than the ways back that are looked at each time."""
    assert xgen.prove(read_c(Source("counter.c", text), map="none"), xgen.model(machine)).verdict == "safe"


BEGIN, FINISH = "__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"
WHILE = f"{BEGIN} int q = f; if (q == 0) q = x; {FINISH}"


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("f = 1; x = 1;", WHILE),  # the block ends before f is 1, and x is stored to at any time
        ("f = 1; if (g == 0) x = 1;", f"g = 1; {WHILE}"),
        (f"{BEGIN} int q = f; f = 1; x = q; {FINISH}", "if (f == 1) x = 2;"),
        (f"{BEGIN} f = 1; x = 1; {FINISH}", f"{BEGIN} x = 2; {FINISH}"),
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
def test_races_with_atomic_blocks_are_never_missed(one: str, two: str, machine: str, swapped: bool) -> None:
    """What is next in a block has read what it has read at a moment when the other thread was elsewhere."""
    head = "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n"
    text = head + C.replace("atomic_int f", "atomic_int f, g")
    program = read_c(Source("p.c", text % ((two, one) if swapped else (one, two))), map="none")
    wrong_ = xgen.check(program, xgen.model(machine)).verdict == "violation"
    proof = xgen.prove(program, xgen.model(machine))
    assert proof.verdict in (("violation", "unknown") if wrong_ else ("safe", "unknown"))
    if proof.verdict == "unknown":
        assert "in an atomic block: `" in str(proof.reason)


TICKETS = """var next : int var serving : int process p { var t : int var r : int init loc A loc B
    A -> B { t <- fetch_add(next, 1) } B -> A { r <- serving assume r = t t + 1 -> serving } }"""


def test_what_grows_is_named_when_the_time_is_over_while_automata_are_built() -> None:
    text = TICKETS + TICKETS[TICKETS.index("process") :].replace("process p", "process q")
    proof = xgen.prove(xgen.parse(text), xgen.model("sc"), timeout=1)
    assert (proof.verdict, str(proof.reason)[:32]) == ("unknown", "the time is over; next has taken")


@pytest.mark.slow
def test_tickets_that_grow_are_named() -> None:
    """The locals have as many values as the variables: what is expected grows faster than one by one."""
    proof = xgen.prove(xgen.parse(TICKETS), xgen.model("sc"))
    assert (proof.verdict, len(proof.domains["next"])) == ("unknown", 4097)
    assert str(proof.reason).startswith("the data are not finite: next takes more than 4,096 values; p stores to it")
