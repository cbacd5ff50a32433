"""Processes that meet at barriers (`meet`), against the same programs with cells in which each says that it has come.

`with_arrivals` makes these, from what a barrier is for who knows nothing but accesses and fences: complete executions
and those that are stuck are as many, with the same final states, whatever the exploration.
"""

from __future__ import annotations

import random

import pytest

import xgen
from xgen.program.printer import print_program
from xgen.program.rewrite import with_arrivals

TWO = """
var x : int
var y : int
process a { var r : int  1 -> x @ relaxed;  meet(bar, 0, a, b);  r <- y @ relaxed; }
process b { var r : int  1 -> y @ relaxed;  meet(bar, 0, a, b);  r <- x @ relaxed; }
"""
MODELS = ("sc", "tso", "pso", "ra", "rc11", "arm8", "arm", "power", "riscv", "lkmm", "weak")
STEPS = (
    "1 -> {v} @ {o};",
    "2 -> {v} @ release;",
    "{r} <- {v} @ {o};",
    "{r} <- {v} @ acquire;",
    "{r} <- {v} @ {o}; if {r} = {n} {{ 1 -> {w} @ {o}; }}",
    "{r} <- {v} @ {o}; {r} + 1 -> {w} @ {o};",
    "{r} <- fetch_add({v}, 1) @ acq_rel;",
    "{r} <- cas({v}, {n}, 2) @ relaxed;",
    "fence @ seq_cst;",
    "lock(m); {r} <- {v} @ {o}; unlock(m);",
)


def random_program(rng: random.Random) -> str:
    """Two or three processes that meet once or twice, perhaps at two barriers, or do not come; perhaps one that is none
    of them, perhaps all started and joined."""
    names = [f"p{number}" for number in range(rng.choice((2, 2, 3)))]
    rounds = [("b", 0, names if rng.random() < 0.7 else rng.sample(names, 2))]
    if rng.random() < 0.3:
        rounds.append(("c", 0, rng.sample(names, 2)))
    elif len(names) == 2 and rng.random() < 0.4:
        rounds.append(("b", 1, rounds[0][2]))
    text = "var x : int\nvar y : int\nvar m : synthetic\n"
    for name in [*names, *["out"] * (len(names) == 2 and rng.random() < 0.4)]:
        count = 0

        def step() -> str:
            nonlocal count
            count += 1
            order, values = rng.choice(("relaxed", "relaxed", "seq_cst")), rng.sample("xy", 2)
            written = rng.choice(STEPS)
            return written.format(v=values[0], w=values[1], o=order, r=f"r{count - 1}", n=rng.randint(0, 1))

        steps: list[str] = []
        for barrier, round_, group in rounds:
            if name not in group:
                continue
            steps += [step() for _ in range(rng.randint(0, 4 - len(names)))]
            meet = f"meet({barrier}, {round_}, {', '.join(group)});"
            if rng.random() < 0.08:
                steps.append(f"r{count} <- x @ relaxed; if r{count} = 0 {{ {meet} }}")
                count += 1
            elif rng.random() < 0.95:
                steps.append(meet)
        steps += [step() for _ in range(rng.randint(0, 4 - len(names)))] or ["skip;"]
        declared = " ".join(f"var r{number} : int (0)" for number in range(count))
        text += f"process {name} {{ {declared} {' '.join(steps)} }}\n"
    if rng.random() < 0.3:
        forks = [f"start {name};" for name in names] + [f"join {name};" for name in names if rng.random() < 0.7]
        text += f"process boss {{ {' '.join(forks)} 1 -> x @ relaxed; }}\n"
    return text


def seen(result: xgen.Result) -> tuple[object, ...]:
    states = [({k: v for k, v in o.state.items() if "arrived" not in k}, o.count) for o in result.outcomes]
    return sorted(map(str, states)), result.executions, result.stuck, result.violations


def both(program: xgen.Program, model: str, **options: object) -> tuple[xgen.Result, xgen.Result]:
    return tuple(  # type: ignore[return-value]
        xgen.check(one, xgen.model(model), all_states=True, **options) for one in (program, with_arrivals(program))
    )


@pytest.mark.parametrize("model", MODELS)
def test_what_comes_before_is_seen_behind(model: str) -> None:
    met, awaited = both(xgen.parse(TWO), model)
    assert met.outcomes[0].state == {"a:r": 1, "b:r": 1, "x": 1, "y": 1}
    assert (met.executions, met.blocked) == (1, 0)
    assert met.explored < awaited.explored


@pytest.mark.parametrize("model", ["sc", "tso", "rc11", "arm8"])
@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 400), marks=pytest.mark.slow)])
def test_random_programs(model: str, seeds: range) -> None:
    compared, graphs = 0, [0, 0]
    for seed in seeds:
        rng = random.Random(f"{model} {seed}")
        program = xgen.parse(random_program(rng))
        options = {"liveness": rng.random() < 0.5}  # with that, threads run ahead under arm8
        met, awaited = both(program, model, **options)
        assert seen(met) == seen(awaited), (seed, print_program(program))
        graphs[0] += met.explored
        graphs[1] += awaited.explored
        compared += met.executions > 1
    assert compared > len(seeds) / 3
    assert graphs[0] < graphs[1]  # of few programs are there more graphs with meetings than with cells


@pytest.mark.parametrize("model", ["rc11", "arm8"])
@pytest.mark.parametrize("classes", ["rf", "seen"])
def test_classes(model: str, classes: str) -> None:
    for seed in range(30):
        program = xgen.parse(random_program(random.Random(f"{classes} {seed}")))
        one, other = (
            {str(outcome.state) for outcome in xgen.check(program, model, all_states=True, classes=way).outcomes}
            for way in ("off", classes)
        )
        assert one == other, print_program(program)


def test_many_meet() -> None:
    """One execution, and one graph for each event: nobody waits for a value."""
    names = [f"p{number}" for number in range(8)]
    meet = f"meet(bar, 0, {', '.join(names)})"
    text = "var a : int[8]\n" + "".join(
        f"process {name} {{ var r : int  1 -> a[{n}]; {meet}; r <- a[{(n + 1) % 8}]; assert r = 1; }}\n"
        for n, name in enumerate(names)
    )
    for model in ("rc11", "arm8", "power"):
        result = xgen.check(xgen.parse(text), xgen.model(model))
        assert (result.verdict, result.executions, result.blocked, result.explored) == ("safe", 1, 0, 25)


def test_who_does_not_come() -> None:
    text = """
    var x : int
    process a { var r : int  r <- x @ relaxed;  if r = 0 { meet(bar, 0, a, b, c); } }
    process b { meet(bar, 0, a, b, c); }
    process c { 1 -> x @ relaxed;  meet(bar, 0, a, b, c); }
    """
    for model in ("sc", "rc11", "arm8"):
        program = xgen.parse(text)
        result = xgen.check(program, xgen.model(model), all_states=True)
        assert (result.executions, result.blocked, result.stuck, result.violations) == (1, 1, 1, 0)
        found = xgen.check(program, xgen.model(model), liveness=True)
        assert found.witness is not None
        assert {v.location for v in found.witness.violations} == {"a does not come to the barrier"}
        ends = {execution.ends for execution in xgen.executions(program, xgen.model(model))}
        assert ends == {("ended", "ended", "ended"), ("ended", "blocked", "blocked")}
        cut = xgen.check(program, xgen.model(model), max_depth=1, all_states=True)
        assert (cut.executions, cut.blocked, cut.bounded) == (0, 1, 1)  # with r = 1, nobody comes any more


@pytest.mark.parametrize("model", ["sc", "rc11", "arm8"])
def test_who_is_cut_keeps_others_there(model: str) -> None:
    text = "var x : int\nprocess a { 1 -> x; 2 -> x; meet(bar, 0, a, b); }\nprocess b { meet(bar, 0, a, b); }"
    program = xgen.parse(text)
    cut = xgen.check(program, xgen.model(model), max_depth=1, all_states=True)
    assert (cut.executions, cut.blocked, cut.bounded, cut.exhaustive) == (0, 0, 1, False)
    assert {execution.ends for execution in xgen.executions(program, xgen.model(model), max_depth=1)} <= {
        ("bounded", "bounded")
    }
    assert xgen.check(program, xgen.model(model), max_depth=3).exhaustive


def test_a_thread_that_holds_a_mutex_and_waits_is_no_deadlock() -> None:
    text = """
    var m : synthetic
    process a { lock(m); meet(bar, 0, a, b); unlock(m); }
    process b { lock(m); meet(bar, 0, a, b); unlock(m); }
    """
    met, awaited = both(xgen.parse(text), "rc11")
    assert seen(met) == seen(awaited)
    assert (met.executions, met.stuck, met.violations) == (0, 2, 0)


def test_the_text() -> None:
    program = xgen.parse(TWO)
    assert "meet(bar, 0, a, b);" in print_program(program)
    assert xgen.parse(print_program(program)) == program
    many = "process w[2] { meet(bar, 0, w[0], w[1], boss) @ here; }\nprocess boss { meet(bar, 0, w[0], w[1], boss); }"
    assert "meet(bar, 0, w[0], w[1], boss) @ here;" in print_program(xgen.parse(many))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("process a { meet(bar, 0, a, b); }", "there is no process `b`"),
        ("process a { meet(bar, 0, b); } process b { skip; }", "`a` is none of those that meet here"),
        ("process a { meet(bar, 0, a, b); } process b { meet(bar, 1, b); }", "others meet at `bar` elsewhere"),
        ("process a { meet(bar, 3000000000, a); }", "a round is less than 2"),
    ],
)
def test_wrong(text: str, message: str) -> None:
    with pytest.raises(xgen.ProgramError, match=message):
        xgen.parse(text)


def test_other_analyses() -> None:
    """Those that know no meeting are given cells in its place."""
    program = xgen.parse(TWO.replace("r <- y @ relaxed;", "r <- y @ relaxed; assert r = 1;"))
    assert xgen.prove(program, xgen.model("tso")).verdict == "safe"
    assert xgen.ltl(program, "F ended(all)", "tso").verdict == "holds"
    broken = xgen.parse(str(print_program(program)).replace("meet(bar, 0, a, b);", "skip;"))
    assert xgen.prove(broken, xgen.model("tso")).verdict == "violation"
    # Stores wait in buffers behind the barrier; a fence behind each store is needed, and none elsewhere.
    body = "{{ var r : int  meet(bar, 0, a, b);  1 -> {0};  r <- {1};  r + 1 -> {2}; }}"
    read = (
        "process c { var r : int var s : int  meet(end, 0, c, c); r <- u;  s <- v;  assume s * r = 1;  assert false; }"
    )
    text = "var x : int var y : int var u : int var v : int\n"
    text += f"process a {body.format('x', 'y', 'u')}\nprocess b {body.format('y', 'x', 'v')}\n{read}"
    answer = xgen.fences(xgen.parse(text), xgen.model("tso"))
    assert {len(placement.pieces) for placement in answer.placements} == {2}


def test_who_only_gathers_is_not_ordered() -> None:
    """Models see nothing of it, but nobody passes before the others have come."""
    text = """
    var x : int
    var bar : int
    process a {{ var s : int  s <- bar @ bar @ hidden; {0} 1 -> x @ relaxed @ gpu @ generic; }}
    process b {{ var r : int  var s : int
      r <- x @ relaxed @ gpu @ generic;  {1} s <- bar @ bar @ hidden;  gather(g, 0, a, b); }}
    """
    for branch, reads in (("", {0, 1}), ("if r = 2 { skip; }", {0})):
        program = xgen.parse(text.format("gather(g, 0, a, b);", branch))
        met, awaited = both(program, "ptx")
        assert {outcome.state["b:r"] for outcome in met.outcomes} == reads
        assert seen(met) == seen(awaited)
        assert "gather(g, 0, a, b);" in print_program(program)
    with pytest.raises(xgen.UnsupportedError, match=r"does not know fence\.sc and barriers of GPUs"):
        xgen.check(program, xgen.model("rc11"))


def test_why_comes_before_who_waits_for_the_end() -> None:
    """Main joins a thread that waits at a barrier to which another one does not come: that one is told first."""
    text = """#include <pthread.h>
#include <stdatomic.h>
pthread_barrier_t b;
atomic_int skip;
void *waits(void *p) { pthread_barrier_wait(&b); return p; }
void *ends(void *p) { if (!atomic_load(&skip)) pthread_barrier_wait(&b); return p; }
int main(void) {
  pthread_t t, u;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, waits, 0);
  pthread_create(&u, 0, ends, 0);
  atomic_store(&skip, 1);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
"""
    result = xgen.check(xgen.parse(text, "c", "b.c"), "rc11", liveness=True)
    assert result.witness is not None
    reasons = [violation.location for violation in result.witness.violations]
    assert reasons == ["ends does not come to the barrier", "waits does not end"]


OUTSIDE = """
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
pthread_barrier_t b;
atomic_int x, y;
int r, s;
void *one(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_barrier_wait(&b);
  r = atomic_load_explicit(&y, memory_order_relaxed);
  return 0;
}
void *other(void *p) { pthread_barrier_wait(&b); return 0; }
void *outside(void *p) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  s = atomic_load_explicit(&x, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t[3];
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, other, 0);
  pthread_create(&t[2], 0, outside, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(r || s);
}
"""


@pytest.mark.parametrize(
    ("target", "model", "verdict"),
    [
        ("riscv", "riscv", "violation"),
        ("power", "power", "violation"),
        ("armv8-lse", "arm8", "violation"),
        ("armv7", "arm", "safe"),
        ("x86", "tso", "safe"),
        (None, "rc11", "violation"),
    ],
)
def test_what_is_compiled_releases_and_acquires(target: str | None, model: str, verdict: str) -> None:
    """A thread that does not meet them can see that a barrier is no full one, where libraries have none."""
    program = xgen.parse(OUTSIDE, "c", map=target)
    assert xgen.check(program, xgen.model(model)).verdict == verdict
