"""Verdicts from cones against those of the whole program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from oracle.against import features_for
from oracle.run_long import FEATURES
from oracle.strategies import DEFAULT, LOOPS, Features, random_program

import xgen
from xgen.errors import UsageError
from xgen.executions.result import Result
from xgen.lowering.analysis.cones import cones
from xgen.lowering.analysis.symmetry import like_threads, symmetries
from xgen.lowering.threads import lower

FAST, LONG = 30, 3000
"""Programs per test in every run, and in a long one."""
ROUNDS = [
    pytest.param(range(FAST), id="fast"),
    pytest.param(range(FAST, LONG), id="long", marks=pytest.mark.long),
]
MODELS = ["sc", "tso", "pso", "ra", "weak", "rc11"]
SHIPPED = Path(__file__).parents[2] / "programs"
READERS = "".join(
    f"process r{n} {{ var a : int init loc A final loc E A -> E {{ a <- x; assert a < 2; 1 -> z }} }} "
    for n in range(8)
)
WRITER = "process w { init loc A final loc E A -> E { 1 -> x; 2 -> y; 3 -> x } } "
VARIABLES = "var x : int var y : int var z : int "


def program(text: str) -> xgen.Program:
    return xgen.parse(text, "xcfa")


def looked_at(text: str, model: str = "sc", **options: object) -> Result:
    return xgen.check(program(text), xgen.model(model), cones=True, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", MODELS)
def test_verdicts_of_random_programs(name: str, seeds: range) -> None:
    """The same verdict, and the violating execution ends in an error where the whole program has one."""
    model, applied, violations = xgen.model(name), 0, 0
    kinds: tuple[Features, ...] = (
        replace(DEFAULT, faults=30, threads=(2, 3, 3, 4), events=(1, 3)),
        replace(LOOPS, faults=30, threads=(2, 3)),
        replace(DEFAULT, faults=30, rmws=30, events=(1, 3)),
        FEATURES["arrays"],
    )
    for seed in seeds:
        features = features_for(model, kinds[seed % len(kinds)])
        parsed = program(str(random_program(Random(f"{name} {seed}"), features)))
        whole = xgen.check(parsed, model, all_states=True, max_depth=4, trace_limit=0)
        for classes in ("off", "rf"):
            parts = xgen.check(parsed, model, max_depth=4, cones=True, classes=classes)  # type: ignore[arg-type]
            assert (parts.verdict == "violation") == (whole.verdict == "violation"), parsed
            assert parts.verdict in (whole.verdict, "safe")
            assert parts.verdict != "violation" or (parts.witness is not None and parts.witness.violations)
        applied += parts.cones is not None
        violations += whole.verdict == "violation"
    assert applied >= len(seeds) // 2
    assert len(seeds) // 20 <= violations < len(seeds)


def test_readers_are_looked_at_once() -> None:
    """Eight like readers of one writer: one cone of a reader and of what the writer does up to its last write of x."""
    result = looked_at(VARIABLES + WRITER + READERS)
    assert (result.verdict, result.cones) == ("violation", ("r0 with w",))
    safe = looked_at(VARIABLES + WRITER + READERS.replace("a < 2", "a < 4"))
    assert (safe.verdict, safe.cones, safe.explored, safe.outcomes, safe.vacuous) == (
        "safe",
        ("r0 with w",),
        7,
        (),
        False,
    )


def test_graphs_of_a_reader_and_a_writer() -> None:
    """The first, and one for each write that there is; a revisit makes one more."""
    readers = " ".join(
        f"process r{n} {{ var a : int init loc A final loc E A -> E {{ a <- x; assert a < 2 }} }}" for n in range(6)
    )
    parsed = program(f"var x : int process w {{ init loc A final loc E A -> E {{ 1 -> x }} }} {readers}")
    for classes, graphs in (("rf", 3), ("off", 4)):
        found = xgen.check(parsed, xgen.model("sc"), cones=True, classes=classes)  # type: ignore[arg-type]
        assert (found.explored, found.cones) == (graphs, ("r0 with w",))


def test_what_cannot_go_wrong_is_not_looked_at() -> None:
    result = looked_at(VARIABLES + WRITER)
    assert (result.verdict, result.cones, result.explored) == ("safe", (), 0)


def test_threads_are_cut() -> None:
    """Behind the last place where a thread can go wrong, or write what is read."""
    code = lower(program(VARIABLES + WRITER + READERS))
    (cone,) = cones(code)
    texts = [code.sites[pc].text for pc in sorted(cone.kept[0])]
    assert texts == ["1 -> x", "2 -> y", "3 -> x"]
    assert "1 -> z" not in [code.sites[pc].text for pc in cone.kept[1]]


SEQLOCK = """
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int version;
int PLAIN data;
void *reader(void *arg)
{
  int before = atomic_load_explicit(&version, memory_order_acquire);
  int seen = data;
  atomic_thread_fence(memory_order_acquire);
  int after = atomic_load_explicit(&version, memory_order_relaxed);
  assert(before != after || before % 2 || seen == before);
  return NULL;
}
int main(void)
{
  pthread_t threads[5];
  for (int i = 0; i < 5; i++)
    pthread_create(&threads[i], NULL, reader, NULL);
  atomic_store_explicit(&version, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  data = 2;
  atomic_store_explicit(&version, 2, memory_order_release);
}
"""


def test_threads_that_race_have_a_cone_together() -> None:
    """Each reader and the writer, of which the pair may race; two readers do not."""
    for plain, verdict in (("", "violation"), ("_Atomic", "safe")):
        text = SEQLOCK.replace("int PLAIN", f"{plain} int")
        for model in ("rc11", "sc"):
            result = xgen.check(xgen.parse(text, "c"), xgen.model(model), cones=True)
            assert (result.verdict, result.cones) == (verdict, tuple(f"main, reader{k}" for k in ("", *SUFFIXES)))
            if verdict == "violation":
                assert result.witness is not None
                assert [v.kind for v in result.witness.violations] == ["race"]
            else:
                assert result.explored == 165  # 10 executions for each reader, of 100,000


SUFFIXES = [f"#{n}" for n in range(2, 6)]
"""How readers are called from the second one on."""


def test_freed_objects_are_a_matter_of_all_threads() -> None:
    text = """
    #include <stdlib.h>
    int main(void)
    {
      int *object = malloc(sizeof(int));
      *object = 1;
      free(object);
    }
    """
    result = xgen.check(xgen.parse(text, "c"), xgen.model("rc11"), cones=True)
    assert (result.verdict, result.cones) == ("safe", None)
    assert "more than two events" in result.warnings[0]


def test_a_thread_that_is_joined_stays_whole() -> None:
    """Else the other one would go on though the joined one never ends."""
    text = (
        "var x : int main process p { init loc A final loc E A -> E { start q; join q; assert 0 = 1 } } "
        "process q { var a : int init loc A final loc E A -> E { a <- x; assume a = 1 } }"
    )
    assert looked_at(text).verdict == "vacuous"
    assert looked_at(text.replace("a = 1", "a = 0")).verdict == "violation"


def test_where_cones_do_not_apply_the_whole_program_is_explored() -> None:
    parsed = program(VARIABLES + WRITER + READERS)
    result = xgen.check(parsed, xgen.model("arm8"), cones=True)
    assert (result.cones, result.verdict) == (None, "violation")
    assert "load buffering" in result.warnings[0]
    mutexes = "var m : synthetic process p { init loc A final loc E A -> E { lock(m); lock(m) } }"
    deadlock = xgen.check(program(mutexes), xgen.model("sc"), cones=True)
    assert (deadlock.verdict, deadlock.cones) == ("violation", None)
    assert "deadlock" in deadlock.warnings[0]


def test_what_looks_at_each_execution_is_refused() -> None:
    model = xgen.model("sc")
    for options in ({"all_states": True}, {"liveness": True}, {"filter": "final"}, {"robust": model}):
        with pytest.raises(UsageError, match="cannot be used with"):
            looked_at(VARIABLES + WRITER, **options)


@pytest.mark.sweep
@pytest.mark.parametrize("model", ["sc", "tso", "weak"])
@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.xcfa")), ids=lambda path: path.stem)
def test_shipped_programs(path: Path, model: str) -> None:
    parsed, memory = xgen.load(path), xgen.model(model)
    parts, whole = (xgen.check(parsed, memory, cones=c, max_depth=6) for c in (True, False))
    assert parts.verdict in (whole.verdict, "safe" if whole.verdict == "safe-within-bound" else whole.verdict)


def test_like_threads() -> None:
    threads = lower(program(VARIABLES + WRITER + READERS))
    assert like_threads(threads) == [0, *[1] * 8]
    assert symmetries(threads).groups == [[1, 2, 3, 4, 5, 6, 7]]
    other = "process s { var a : int init loc A final loc E A -> E { a <- x; assert a < 3; 1 -> z } }"
    assert like_threads(lower(program(VARIABLES + READERS + other)))[-1] == 8
    started = "main process m { init loc A final loc E A -> E { start r0 } } "
    assert symmetries(lower(program(VARIABLES + started + READERS))).groups == [[2, 3, 4, 5, 6, 7, 8]]
