"""Cells that one thread alone uses are its locals, where the model does not see what it does with them."""

from __future__ import annotations

from random import Random

import pytest
from c.running import threads
from oracle.models import COHERENT, model, random_hardware_model, random_language_model, random_model

import xgen
from xgen.analyses.check import question
from xgen.engine import problem as problems
from xgen.lowering import private
from xgen.lowering.code import EventClass
from xgen.lowering.private import private_cells
from xgen.lowering.threads import lower
from xgen.memory.statics import unobserved
from xgen.memory.statics.unobserved import why_observed
from xgen.memory.terms import of_whole_accesses

RING = """
int buffer[2];
atomic_uint head, tail;
unsigned head_cache, tail_cache;
int push(int value) {
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    if (t - head_cache == 2) {
        head_cache = atomic_load_explicit(&head, memory_order_acquire);
        if (t - head_cache == 2) return 0;
    }
    buffer[t % 2] = value;
    atomic_store_explicit(&tail, t + 1, memory_order_release);
    return 1;
}
int pop(int *value) {
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    if (h == tail_cache) {
        tail_cache = atomic_load_explicit(&tail, memory_order_ACQUIRE);
        if (h == tail_cache) return 0;
    }
    *value = buffer[h % 2];
    atomic_store_explicit(&head, h + 1, memory_order_release);
    return 1;
}
"""
PRODUCER = "for (int i = 1; i <= %d; i++) while (!push(i)) ;"
CONSUMER = "for (int i = 1; i <= %d; i++) { int v; while (!pop(&v)) ; assert(v == i); }"
HEAD = "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n"


def ring(items: int, order: str = "acquire") -> xgen.Program:
    text = threads(PRODUCER % items, CONSUMER % items, before=RING.replace("ACQUIRE", order))
    return xgen.parse(HEAD + text, "c", "ring.c", map="none")


@pytest.mark.parametrize(("items", "executions"), [(1, 1), (2, 2), (3, 5), (4, 12)])
def test_a_ring_ends_whose_cached_indices_are_globals(items: int, executions: int) -> None:
    result = xgen.check(ring(items), xgen.model("rc11"), all_states=True)
    assert (result.verdict, result.executions, result.blocked, result.exhaustive) == ("safe", executions, 0, True)
    assert list(result.outcomes[0].state) == ["head", "tail", "head_cache", "tail_cache"]
    states = {(o.state["head"], o.state["tail"], o.state["tail_cache"]) for o in result.outcomes}
    assert {(head, tail) for head, tail, _ in states} == {(items, items)}
    for options in ({"workers": 2}, {"classes": "rf"}, {"symmetry": False}):
        other = xgen.check(ring(items), xgen.model("rc11"), all_states=True, **options)
        assert (other.verdict, other.executions) == ("safe", executions)
        assert {str(o) for o in other.outcomes} == {str(o) for o in result.outcomes}


def test_a_ring_that_does_not_acquire_is_wrong() -> None:
    result = xgen.check(ring(2, "relaxed"), xgen.model("rc11"))
    assert result.verdict == "violation"


@pytest.mark.parametrize("mcm", ["sc", "tso", "pso", "weak"])
def test_a_ring_under_other_models(mcm: str) -> None:
    result = xgen.check(ring(2), xgen.model(mcm), all_states=True, timeout=60)
    assert (result.verdict, result.executions, result.exhaustive) == (
        "violation" if mcm in ("pso", "weak") else "safe",
        2,
        True,
    )


# ---- which cells

LOOP = "S -> G { a <- x @ relaxed } G -> S { assume a = 0; %s } G -> E { assume a = 1 }"
CELLS = {
    # what the rounds of a loop do, what else the thread does, another thread: the cells that are locals
    ("1 -> p", "", ""): ["p"],
    ("a <- p; a + 1 -> p; 2 -> q", "", ""): ["p", "q"],
    ("1 -> p", "", "a <- p"): [],
    ("1 -> p", "", "2 -> p"): [],
    ("a <- p", "1 -> p", ""): [],  # no round writes it
    ("1 -> p @ relaxed", "", ""): [],
    ("1 -> p", "a <- p @ relaxed", ""): [],
    ("1 -> p", "a <- fetch_add(p, 1)", ""): [],
    ("1 -> p", "a := &q; a <- *a", ""): ["p"],
    ("1 -> p", "a := &p; a <- *a", ""): [],
    ("1 -> p", "", "a := &p; a <- *a"): [],
    ("1 -> p", "", "havoc a in 0 .. 99; a <- *a"): [],  # it may lead anywhere
    ("1 -> r[1]", "", ""): ["r[1]"],
    ("1 -> r[1]", "", "a <- r[0]"): ["r[1]"],
    ("1 -> r[1]", "", "havoc a in 0 .. 1; a <- r[a]"): [],
    ("1 -> u", "", ""): [],  # it has no value at first
    ("1 -> h", "", ""): [],  # it may be freed
    ("1 -> p; atomic-begin; 2 -> q; atomic-end", "", ""): [],
}


@pytest.mark.parametrize("case", CELLS, ids=str)
def test_which_cells_are_locals(case: tuple[str, str, str]) -> None:
    rounds, before, other = case
    text = (
        "var x : int var p : int var q : int var r : int[2] var u : int (-) var h : int @ heap\n"
        f"process t {{ var a : int init loc B loc S loc G final loc E B -> S {{ {before} }} {LOOP % rounds} }}\n"
        f"process o {{ var a : int init loc B final loc E B -> E {{ {other} }} }}"
    )
    code = lower(xgen.parse(text))
    assert [code.cells[cell].name for cell in private_cells(code)] == CELLS[case]


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("S -> S { a <- p; a + 1 -> p }", []),  # it would be a loop without any event
        ("S -> G { a <- x } G -> G { assume a = 0; 1 -> p; a <- p } G -> E { assume a = 1 }", []),
        (
            "S -> G { a <- x } G -> S { a <- p; assume a = 0; 1 -> p } G -> E { assume a = 1 }",
            [],
        ),  # chosen before it reads
        ("S -> G { a <- p } G -> S { assume a = 0; a <- x; a -> p } G -> E { assume a = 1 }", ["p"]),
    ],
)
def test_loops_that_keep_their_events(loop: str, expected: list[str]) -> None:
    code = lower(
        xgen.parse(
            f"var x : int var p : int process t {{ var a : int init loc S loc G final loc E {loop} G -> E {{ skip }} }}"
        )
    )
    assert [code.cells[cell].name for cell in private_cells(code)] == expected


def test_a_bound_on_events_counts_them() -> None:
    result = xgen.check(ring(1), xgen.model("rc11"), max_depth=9, all_states=True)
    assert result.bounded > 0


# ---- which models

PLAIN = [("W", "init"), ("R", ""), ("W", ""), ("F", "start"), ("F", "join"), ("R", "lock rmw"), ("W", "lock rmw")]
PLAIN += [("W", "unlock"), ("R", "relaxed"), ("W", "relaxed"), ("R", "acquire"), ("W", "release"), ("F", "acquire")]
STRONG = [*PLAIN, ("R", "seq_cst"), ("W", "seq_cst"), ("R", "seq_cst rmw"), ("W", "seq_cst rmw"), ("F", "seq_cst")]
AHEAD = "it allows load buffering"
MODELS = {
    # model: why not where there are no seq_cst accesses, and where there are some
    "sc": (None, None),
    "tso": (None, None),
    "pso": (None, None),
    "nofence": (None, None),
    "weak": (None, None),
    "weak-a9": ("it is not seen to keep the accesses to one location in order",) * 2,
    "ra": (None, "`sc_fences` may depend on them"),
    "rc11": (None, "`sc` may depend on them"),
    "rc11-c20": (None, "`sc` may depend on them"),
    "any": (AHEAD, AHEAD),
    "coherence": (AHEAD, AHEAD),
    "arm": (AHEAD, AHEAD),
    "arm8": (AHEAD, AHEAD),
    "power": (AHEAD, AHEAD),
    "riscv": (AHEAD, AHEAD),
    "lkmm": (AHEAD, AHEAD),
}


@pytest.mark.parametrize("mcm", MODELS)
def test_which_models_do_not_see_them(mcm: str) -> None:
    sorts = [frozenset(EventClass(kind, frozenset(tags.split())) for kind, tags in sorts) for sorts in (PLAIN, STRONG)]
    assert tuple(why_observed(of_whole_accesses(xgen.model(mcm)), each) for each in sorts) == MODELS[mcm]


SEEN = """
var x : int var y : int var p : int
process a { 1 -> x @ seq_cst; 1 -> p; 2 -> x @ release; }
process b { var r : int var s : int r <- x @ acquire; s <- y @ seq_cst; }
process c { var r : int 1 -> y @ seq_cst; r <- x @ seq_cst; }
"""


def test_an_access_that_orders_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under rc11 what comes between two accesses to one location is on another way from the first to other threads."""

    def states() -> set[tuple[int, ...]]:
        names = ("b:r", "b:s", "c:r")
        found = xgen.check(xgen.parse(SEEN), xgen.model("rc11"), all_states=True).outcomes
        return {tuple(int(outcome.state[name]) for name in names) for outcome in found}

    expected = states()
    assert (2, 0, 0) not in expected
    monkeypatch.setattr(private, "_repeated", lambda code: [True] * len(code.instructions))
    assert states() == expected
    monkeypatch.setattr(unobserved, "why_observed", lambda *_: None)
    assert states() - expected == {(2, 0, 0)}


# ---- random programs

ACCESSES = (["", "", " @ relaxed", " @ acquire", " @ seq_cst"], ["", "", " @ relaxed", " @ release", " @ seq_cst"])
FENCES = ["", "[acquire]", "[release]", "[acq_rel]", "[seq_cst]", "[mfence]"]


def program(rng: Random, tags: tuple[str, ...] = (), seq_cst: bool = True) -> str:
    """Threads with cells of their own."""
    reads, writes = ([*kind] for kind in ACCESSES)
    updates, fences = [" @ relaxed", " @ acq_rel", " @ seq_cst"], FENCES
    if tags:
        reads = writes = updates = ["", "", *(f" @ {tag}" for tag in tags)]
        fences = ["", *(f"[{tag}]" for tag in tags)]
    if not seq_cst:
        reads, writes, updates = ([tag for tag in kind if "seq" not in tag] for kind in (reads, writes, updates))
        fences = FENCES[1:4] if not tags else fences
    shared = rng.choice(["x", "xy", "xy"])
    count = rng.choice([2, 2, 3])
    text = [f"var {name} : int" for name in shared]
    text += [f"var {name}{n} : int ({rng.randrange(2)})" for n in range(count) for name in "pq"]

    def statement(n: int, depth: int) -> str:
        local, place, own = rng.choice("ab"), rng.choice(shared), f"{rng.choice('pq')}{n}"
        kind = rng.randrange(12 - depth)
        if kind < 3:
            return f"{local} <- {place}{rng.choice(reads)};"
        if kind < 5:
            return f"{rng.choice(['1', '2', local])} -> {place}{rng.choice(writes)};"
        if kind < 7:
            return f"{local} <- {own};"
        if kind < 9:
            return f"{rng.choice([local, local, '1', 'a + b'])} -> {own};"
        if kind == 9:
            return f"fence{rng.choice(fences)};"
        if kind == 10:
            return f"{local} <- fetch_add({place}, 1){rng.choice(updates)};"
        parts = [" ".join(statement(n, 1) for _ in range(rng.randint(least, 2))) for least in (1, 0)]
        return f"if {local} = {rng.randrange(2)} {{ {parts[0]} }} else {{ {parts[1]} }}"

    for n in range(count):
        body = [statement(n, 0) for _ in range(rng.randint(2, 5 if count == 2 else 3))]
        body += ["assert a < 3;"] * (rng.random() < 0.3)
        text.append(f"process t{n} {{ var a : int var b : int {' '.join(body)} }}")
    return "\n".join(text)


def drawn_model(rng: Random, tags: tuple[str, ...]) -> xgen.Model:
    made = rng.choice([random_model, random_hardware_model, random_language_model])(rng, tags)
    conditions = [constraint.condition for constraint in made.constraints]
    return model("drawn", *conditions, *[COHERENT] * (rng.random() < 0.7))


@pytest.mark.parametrize("seed", range(12))
def test_random_programs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same executions and outcomes with the cells as locals and with their events; no more that is blocked.

    That those with their events are right, the oracle decides (test_against_oracle.py).
    """
    monkeypatch.setattr(private, "_repeated", lambda code: [True] * len(code.instructions))
    rng, compared = Random(seed), 0
    for _ in range(4000):
        tags = ("mfence", "acq", "rel") if seed % 2 else ()
        drawn = (
            drawn_model(rng, tags)
            if tags
            else xgen.model(rng.choice([name for name in MODELS if MODELS[name][0] is None]))
        )
        text = program(rng, tags, rng.random() < 0.5)
        parsed = xgen.parse(text)
        asked = problems.problem(parsed, drawn, private=True)
        if not any(thread.cells for thread in asked.code.threads):
            continue
        classes = rng.choice(["off", "off", "rf"]) if not tags else "off"
        results = []
        for lone in (False, True):
            monkeypatch.setattr(question.Question, "private", lone)
            results.append(xgen.check(parsed, drawn, all_states=True, classes=classes, trace_limit=0, timeout=20))
        if "interrupted" in [result.verdict for result in results]:
            continue
        said = [
            (
                result.verdict,
                result.executions,
                result.violations > 0,
                sorted((str(outcome.state), outcome.count) for outcome in result.outcomes),
                {name for name, count in result.flags.items() if count},
            )
            for result in results
        ]
        assert said[0] == said[1], text
        assert results[1].blocked <= results[0].blocked, text
        compared += 1
        if compared == 25:
            break
    assert compared >= 10


UNSTARTED = """
var seen : int
var go : int
process p {
  var a : int
  init loc S loc T loc M loc N loc O
  final loc E
  S -> T { havoc a in 0..1 }
  T -> E { assume a = 1 }
  T -> M { assume a = 0 }
  M -> N { start t }
  N -> O { 1 -> go }
  O -> E { join t }
}
process t {
  var r : int
  init loc S loc M loc Q
  final loc E
  S -> M { 2 -> seen }
  M -> Q { r <- go }
  Q -> M { assume r = 0; 3 -> seen }
  Q -> E { assume r = 1 }
}
"""


@pytest.mark.parametrize("model", ["sc", "tso"])
def test_a_thread_that_nobody_starts_has_written_nothing(model: str) -> None:
    """What comes before its first event would be done, if there were no event at its start."""
    result = xgen.check(xgen.parse(UNSTARTED), xgen.model(model), all_states=True)
    seen = {(outcome.state["p:a"], outcome.state["seen"]) for outcome in result.outcomes}
    assert (result.verdict, seen) == ("safe", {(1, 0), (0, 2), (0, 3)})
    always = UNSTARTED.replace("T -> E { assume a = 1 }", "T -> M { assume a = 1 }")
    result = xgen.check(xgen.parse(always), xgen.model(model), all_states=True)
    assert {outcome.state["seen"] for outcome in result.outcomes} == {2, 3}


UNSTARTED_IN_C = """
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
atomic_int go;
int seen;
void *t(void *a) { seen = 2; while (!atomic_load(&go)) seen = 3; return a; }
int main(void) {
  pthread_t h;
  if (__VERIFIER_nondet_int()) return 0;
  pthread_create(&h, 0, t, 0);
  go = 1;
  pthread_join(h, 0);
}
"""


def test_a_thread_that_nobody_starts_in_c() -> None:
    program = xgen.parse(UNSTARTED_IN_C, "c", "a.c", nondet=(0, 1))
    result = xgen.check(program, xgen.model("sc"), all_states=True)
    assert {(o.state["go"], o.state["seen"]) for o in result.outcomes} == {(0, 0), (1, 2), (1, 3)}
