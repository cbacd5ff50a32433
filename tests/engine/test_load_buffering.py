"""Whether programs have load buffering, found out while they are explored by revisits; else threads run ahead."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from oracle.against import features_for
from oracle.generators.buffering import buffering_program, helping_program, rereading_program
from oracle.run_long import FEATURES
from oracle.strategies import random_program

import xgen
from xgen.engine.graphs.in_order import in_order
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem
from xgen.records import replace


@pytest.fixture(autouse=True)
def found_out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only where threads that run ahead are not done soon."""
    monkeypatch.setattr("xgen.engine.graphs.run.AHEAD", 0)
    monkeypatch.setattr("xgen.engine.graphs.run.TRIED", 0)


MODELS = [xgen.load_model(name) for name in ("arm8", "riscv")]


def thread(name: str, *edges: str, locals: str = "r s") -> str:
    """A process with the locations L0, L1, ..., the last of which is final."""
    last = max(int(edge.split("L")[2].split()[0]) for edge in edges)
    kinds = ["init loc L0", *(f"loc L{n}" for n in range(1, last)), f"final loc L{last}"]
    return "\n".join([f"process {name} {{", *(f"var {n} : int" for n in locals.split()), *kinds, *edges, "}"])


def program(*threads: str) -> xgen.Program:
    text = [*(f"var {name} : int" for name in "xyz"), "var m : synthetic"]
    return xgen.parse("\n".join([*text, *threads]), "xcfa")


def both(asked: xgen.Program, model: xgen.Model, **options: object) -> tuple[Run, Run]:
    """The run in which threads run ahead, and the one that finds out whether they have to."""
    each = problem(asked, model)
    made = replace(Options(all_states=True, timeout=60.0), **options)
    runs = Run(each, made), Run(each, replace(made, in_order=True))
    for run in runs:
        run.finish()
    return runs


def straight(name: str, body: str) -> str:
    return thread(name, f"L0 -> L1 {{ {body} }}")


BUFFER = straight("p", "r <- x; 1 -> y")
TABLE = {
    "load buffering": ([BUFFER, straight("q", "r <- y; 1 -> x")], "possible", 4),
    "by a dependency on one side": ([BUFFER, straight("q", "r <- y; r -> x")], "possible", 4),
    "dependencies on both sides": ([straight("p", "r <- x; r -> y"), straight("q", "r <- y; r -> x")], "absent", 3),
    "a fence on both sides": (
        [straight("p", "r <- x; fence; 1 -> y"), straight("q", "r <- y; fence; 1 -> x")],
        "absent",
        3,
    ),
    "nobody writes what is read before": ([BUFFER, straight("q", "r <- y; 1 -> z")], "absent", 2),
    "the write comes before in order": (
        [BUFFER, straight("q", "1 -> x; r <- y @acquire")],
        "absent",
        4,
    ),
    "between updates": (
        [straight("p", "r <- fetch_add(x, 1); 1 -> y"), straight("q", "r <- y; s <- fetch_add(x, 1)")],
        "possible",
        4,
    ),
    "late, behind three threads": (
        [
            BUFFER,
            straight("a", "r <- y; r -> z"),
            thread("q", "L0 -> L1 { r <- z }", "L1 -> L2 { assume r = 1; 2 -> x }"),
        ],
        "possible",
        2,
    ),
}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
@pytest.mark.parametrize("name", TABLE)
def test_whether_programs_have_load_buffering(name: str, model: xgen.Model) -> None:
    threads, way, executions = TABLE[name]
    ahead, run = both(program(*threads), model)
    assert ("possible" if run.buffers else "absent" if run.unbuffered else None) == way
    assert ahead.core.counters["executions"] == run.core.counters["executions"] == executions


ADDING = thread(
    "p", "L0 -> L1 { s <- y }", "L1 -> L0 { assume s = 0; s <- x; r := r + s }", "L1 -> L2 { assume s /= 0; 1 -> z }"
)


def test_a_round_whose_read_may_read_what_comes_later() -> None:
    """Without load buffering the round only waits: it reads 0 again."""
    asked = program(ADDING, straight("q", "r <- z; r -> x"), straight("w", "1 -> y"))
    ahead, run = both(asked, MODELS[0], max_depth=8)
    assert run.buffers
    assert ahead.core.counters["executions"] == run.core.counters["executions"] == 5


TRIES = {
    "it has written only if the other update reads from it": (
        [straight("p", "r <- z; s <- cas(x, 0, 1)"), straight("q", "r <- fetch_add(x, 1); s <- x; 1 -> z")],
        "possible",
    ),
    "both may fail": (
        [
            straight("p", "r <- z; s <- cas(x, 0, 1)"),
            thread("q", "L0 -> L1 { s <- exchange(x, 0); 1 -> z }", "L1 -> L2 { s <- cas(x, 1, 2) }"),
        ],
        "possible",
    ),
    "who asks orders what follows": (
        [
            straight("p", "r <- z @acquire; s <- cas(x, 0, 1)"),
            thread(
                "q", "L0 -> L1 { s <- cas(x, 0, 2) }", "L1 -> L2 { assume s = 0; 1 -> z }", "L1 -> L2 { assume s /= 0 }"
            ),
        ],
        "absent",
    ),
    "an acquire orders what follows": (
        [straight("p", "r <- z @acquire; s <- cas(x, 0, 1)"), straight("q", "r <- cas(x, 0, 2) @acquire; 1 -> z")],
        "absent",
    ),
    "the try depends on what it has read": (
        [
            thread("p", "L0 -> L1 { r <- z }", "L1 -> L2 { assume r = 1; s <- cas(x, 0, 1) @acquire }"),
            straight("q", "r <- fetch_add(x, 1) @acquire; 1 -> z"),
        ],
        "absent",
    ),
    "a lock": ([straight("p", "lock(m); r <- x; unlock(m)"), straight("q", "lock(m); 1 -> x; unlock(m)")], "absent"),
    "a lock, and load buffering": (
        [straight("p", "r <- x; 1 -> y; lock(m); unlock(m)"), straight("q", "r <- y; 1 -> x; lock(m); unlock(m)")],
        "possible",
    ),
    "nobody asks whether it has written": (
        [straight("p", "r <- cas(x, 0, 1) @release; s <- y; 1 -> z"), straight("q", "r <- z; r + r -> x; 1 -> y")],
        None,
    ),
}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
@pytest.mark.parametrize("name", TRIES)
def test_updates_that_may_not_write(name: str, model: xgen.Model) -> None:
    """Without load buffering, their writes may be in no execution."""
    threads, way = TRIES[name]
    ahead, run = both(program(*threads), model)
    assert ("possible" if run.buffers else "absent" if run.unbuffered else None) == way
    assert ahead.core.counters["executions"] == run.core.counters["executions"]


UNASKED = {
    "it fails, so that it has no order": (
        [
            straight("p", "cas(x, 0, 1) @release, relaxed; s <- y @acquire; 1 -> z"),
            straight("q", "r <- z; r + r -> x; fence; s <- x"),
        ],
        "possible",
    ),
    "what is read may come later": (
        [
            straight("p", "cas(x, 0, 1) @release; s <- y @acquire; 1 -> z"),
            straight("q", "r <- z; r + r -> x; 1 -> y"),
        ],
        "possible",
    ),
    "stores before the acquire": (
        [
            straight("p", "cas(x, 0, 1) @release; 1 -> z; s <- y @acquire; 1 -> y @release"),
            straight("q", "r <- y @acquire; cas(x, 1, 2) @release; s <- z @acquire"),
        ],
        "absent",
    ),
    "who helps tries again": (
        [
            thread(
                "p",
                "L0 -> L1 { r <- x @acquire }",
                "L1 -> L0 { assume r = 1; cas(x, 1, 2) @release, relaxed }",
                "L1 -> L2 { assume r /= 1; 1 -> y @release }",
            ),
            thread("q", "L0 -> L1 { r <- y @acquire; s <- cas(x, 0, 1) @release }", "L1 -> L2 { assume s = 0 }"),
        ],
        "absent",
    ),
    "the acquire is of the same cell": (
        [
            straight("p", "cas(x, 0, 1) @release, relaxed; s <- x @acquire; 1 -> z"),
            straight("q", "r <- z; r + r -> x; fence; s <- x"),
        ],
        "absent",
    ),
    "a store before that acquire": (
        [
            straight("p", "cas(x, 0, 1) @release, relaxed; 1 -> z; s <- x @acquire"),
            straight("q", "r <- z; r + r -> x; fence; s <- x"),
        ],
        "possible",
    ),
    "an acquire where it fails": (
        [straight("p", "cas(x, 0, 1) @release, acquire; 1 -> z; s <- y @acquire"), straight("q", "r <- z; r -> x")],
        None,
    ),
}


@pytest.mark.parametrize("name", UNASKED)
def test_updates_of_which_nobody_asks_whether_they_have_written(name: str) -> None:
    """There has to be an acquire behind them. What is explored to find that out does not count."""
    threads, way = UNASKED[name]
    ahead, run = both(program(*threads), MODELS[0])
    assert ("possible" if run.buffers else "absent" if run.unbuffered else None) == way
    for name in ("executions", "violations", "stuck", "blocked"):
        assert ahead.core.counters[name] == run.core.counters[name]
    assert [(o.state, o.count) for o in ahead.outcomes()] == [(o.state, o.count) for o in run.outcomes()]


NEEDED = {
    "s <- x @acquire; 1 -> z": (1, False),
    "s <- y @acquire; s <- x @acquire; 1 -> z": (1, False),
    "s <- y @acquire; 1 -> z": (2, False),
    "1 -> v[1]; s <- x @acquire; 1 -> z": (1, False),
    "1 -> v[0]; s <- x @acquire; 1 -> z": (2, True),
    "1 -> w; s <- x @acquire; 1 -> z": (2, True),
    "1 -> x; s <- x @acquire; 1 -> z": (2, False),
}


@pytest.mark.parametrize("behind", NEEDED)
def test_what_has_to_be_explored_to_find_that_out(behind: str) -> None:
    """Nothing, where the thread reads the cell again, and nobody sees before that what it has written meanwhile. Else a
    larger program; there a thread that has not written, though it might have, does not come to that read."""
    problems, ends = NEEDED[behind]
    text = f"cas(x, 0, 1) @release, relaxed; {behind}"
    threads = straight("p", text), straight("q", "r <- z @acquire; s <- w; s <- v[r]; 2 -> x")
    names = ["var v : int[2]", *(f"var {name} : int" for name in "wxyz")]
    each = problem(xgen.parse("\n".join([*names, *threads]), "xcfa"), MODELS[0])
    made = in_order(each, Options(all_states=True, in_order=True))
    assert len(made) == problems
    if problems > 1:
        names = [local.name for local in made[0].code.threads[0].locals]
        assert ("skipped" in names) == ends


@pytest.mark.parametrize("stops", ["no time is left", "it takes too long"])
def test_what_only_tells_whether_there_is_some_counts_for_nothing(stops: str, monkeypatch: pytest.MonkeyPatch) -> None:
    each = problem(program(*UNASKED["stores before the acquire"][0]), MODELS[0])
    whole = Run(each, Options(all_states=True))
    run = Run(each, Options(all_states=True, in_order=True, timeout=60.0))
    whole.finish()
    if stops == "no time is left":
        monkeypatch.setattr("time.monotonic", lambda: run.start + 61.0)
    else:
        monkeypatch.setattr("xgen.engine.graphs.run.TRIAL", -1)
    run.finish()
    assert run.problem is each
    assert (run.buffers, run.unbuffered) == (False, False)
    assert run.core.counters["executions"] == (0 if stops == "no time is left" else whole.core.counters["executions"])


@pytest.mark.parametrize("text", ["r <- x; 1 -> y", "r <- x; fence; 1 -> y"])
def test_the_answer_says_which_way_was_taken(text: str) -> None:
    asked = program(straight("p", text), straight("q", text.replace("x", "z").replace("y", "x").replace("z", "y")))
    way = "absent" if "fence" in text else "possible"
    assert xgen.check(asked, MODELS[0]).load_buffering == way
    assert xgen.check(asked, MODELS[0], liveness=True).load_buffering is None
    assert xgen.check(asked, xgen.load_model("rc11")).load_buffering is None
    assert xgen.check(asked, xgen.load_model("power")).load_buffering is None


def racing(random: Random) -> str:
    """A program in C with plain accesses, which race in some executions."""
    orders = ["relaxed", "acquire", "release"]

    def statement(thread: int, n: int) -> str:
        cell, order = random.choice("xy"), f"memory_order_{random.choice(orders)}"
        order = order.replace("release", "relaxed")
        store = f"atomic_store_explicit(&{cell}, {n + 1}, {order.replace('acquire', 'release')});"
        load = f"if (atomic_load_explicit(&{cell}, {order}))"
        add = f"atomic_fetch_add_explicit(&{cell}, 1, memory_order_acq_rel);"
        return random.choice([store, add, "d = 1;", f"{load} d = {thread};", f"{load} {{ int r{n} = d; {store} }}"])

    bodies = [" ".join(statement(thread, n) for n in range(random.randint(1, 3))) for thread in range(3)]
    started = "".join(f"pthread_t t{n}; pthread_create(&t{n}, 0, f{n}, 0);" for n in range(3))
    return "\n".join(
        [
            "#include <stdatomic.h>",
            "#include <pthread.h>",
            "atomic_int x, y; int d;",
            *(f"void *f{n}(void *a) {{ {body} return 0; }}" for n, body in enumerate(bodies)),
            f"int main(void) {{ {started} return 0; }}",
        ]
    )


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_as_many_executions_race(model: xgen.Model) -> None:
    """In programs without load buffering, happens-before is kept of each event; else whole executions tell it."""
    found: set[tuple[bool, bool]] = set()
    for seed in range(25):
        text = racing(Random(seed))
        ahead, run = both(xgen.parse(text, "c"), model, undefined=False)
        assert ahead.core.counters["executions"] == run.core.counters["executions"], text
        assert ahead.flags() == run.flags(), text
        found.add((run.unbuffered, bool(run.flags())))
    assert found >= {(True, False), (True, True)}


@pytest.mark.parametrize("features", ["dependent-rmw", "rings", "dependent-loops", "dependent-mutexes"])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_random_programs_have_the_same_executions(features: str, model: xgen.Model) -> None:
    found: set[bool] = set()
    for seed in range(30):
        random = Random(f"{features} {seed}")
        asked = xgen.parse(str(random_program(random, features_for(model, FEATURES[features]))), "xcfa")
        ahead, run = both(asked, model, max_depth=8 if "loops" in features else None, unroll=bool(seed % 2))
        found.add(run.buffers)
        for name in ("executions", "violations", "stuck"):
            assert ahead.core.counters[name] == run.core.counters[name], asked.source.text
        assert [(o.state, o.count) for o in ahead.outcomes()] == [(o.state, o.count) for o in run.outcomes()]
    assert found == ({False, True} if features == "rings" else {False})


@pytest.mark.parametrize("start", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1000, 6000, 500))])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_random_programs_with_updates_that_may_fail(start: int, model: xgen.Model) -> None:
    found: set[tuple[bool, bool]] = set()
    for seed in range(start, start + (40 if start == 0 else 500)):
        text = buffering_program(Random(seed))
        ahead, run = both(xgen.parse(text, "xcfa"), model)
        found.add((run.buffers, run.unbuffered))
        assert [(o.state, o.count) for o in ahead.outcomes()] == [(o.state, o.count) for o in run.outcomes()], text
        assert ahead.core.counters["executions"] == run.core.counters["executions"], text
    assert found >= {(True, False), (False, True)}


@pytest.mark.parametrize("start", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1000, 6000, 500))])
@pytest.mark.parametrize(
    "make",
    [helping_program, rereading_program, lambda rng: buffering_program(rng, True)],
    ids=["helping", "rereading", "rings"],
)
def test_random_programs_with_updates_of_which_nobody_asks(make: Callable[[Random], str], start: int) -> None:
    """Some have two loops that undo each other's work for ever: the bound ends these, and cuts none of the others."""
    found: set[tuple[bool, bool]] = set()
    for seed in range(start, start + (60 if start == 0 else 500)):
        text = make(Random(seed))
        ahead, run = both(xgen.parse(text, "xcfa"), MODELS[0], max_depth=16)
        found.add((run.buffers, run.unbuffered))
        assert [(o.state, o.count) for o in ahead.outcomes()] == [(o.state, o.count) for o in run.outcomes()], text
        assert ahead.core.counters["executions"] == run.core.counters["executions"], text
    assert found >= {(True, False), (False, True)}
