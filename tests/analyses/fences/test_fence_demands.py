"""What fences are asked for beyond safety: that nobody waits for ever, robustness, endless programs; with loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random

import pytest
from oracle.buffers import fair, waiting
from oracle.buffers.fair import Memory, Step, Threads

import xgen
from analyses.fences.fenced import text_with
from xgen.analyses.fences.fences import Placements, find_fences
from xgen.engine.problem import problem
from xgen.errors import UsageError
from xgen.memory.statics.insertion import only_forbids
from xgen.program.automaton import Store
from xgen.resources import shipped

Gap = tuple[int, int, bool]
"""A thread, the step before which a fence is put, and whether those who jump there pass it too."""
MOST = 3
"""Sets of more fences are not tried."""


def load(name: str) -> xgen.Program:
    return xgen.load(shipped("programs") / f"{name}.xcfa")


def gaps_of(threads: Threads) -> list[Gap]:
    """All gaps between two steps, for those who jump there and for those who do not."""
    found = []
    for number, steps in enumerate(threads):
        targets = {step.target for step in steps if step.op == "test"}
        for place in range(1, len(steps)):
            found += [(number, place, True), *([(number, place, False)] if place in targets else [])]
    return found


def fenced(threads: Threads, gaps: tuple[Gap, ...]) -> Threads:
    """The threads with fences in those gaps."""
    result = []
    for number, steps in enumerate(threads):
        new = list(steps)
        for _, place, jumped in sorted((g for g in gaps if g[0] == number), reverse=True):
            least = place + 1 if jumped else place
            new = [s._replace(target=s.target + 1) if s.op == "test" and s.target >= least else s for s in new]
            new.insert(place, Step("fence"))
        result.append(tuple(new))
    return tuple(result)


def least(threads: Threads, bad: Callable[[Threads], bool]) -> int | None:
    """How many fences it takes at least, by trying all sets of gaps; None: more than are tried, or none helps."""
    gaps = gaps_of(threads)
    for size in range(MOST + 1):
        if any(not bad(fenced(threads, chosen)) for chosen in combinations(gaps, size)):
            return size
    return None


def hanging(make: Callable[[Random], waiting.Acts], memory: Memory, number: int) -> Iterator[Threads]:
    """Random programs in which somebody waits for ever under a machine, and nobody does under sc."""
    seed = 0
    while number:
        seed += 1
        threads = waiting.to_threads(make(Random(seed)))
        if sum(map(len, threads)) < 16 and fair.hangs(threads, memory) and not fair.hangs(threads, "sc"):
            number -= 1
            yield threads


def confirmed(answer: Placements, good: Callable[[xgen.Program], bool]) -> None:
    for number in range(min(3, len(answer.placements))):
        text = text_with(answer, number) if answer.program.source.name.endswith(".xcfa") else None
        program = xgen.parse(text) if text else answer.apply(number)
        assert good(program)


@pytest.mark.parametrize("memory", ["tso", "pso"])
def test_liveness_against_machines_and_all_gaps(memory: Memory) -> None:
    """The machines with store buffers share nothing with the checker, nor do these gaps with its sites."""
    for threads in hanging(waiting.random_race, memory, 3):
        program = xgen.parse(fair.to_xcfa(threads), "xcfa")
        answer = find_fences(program, xgen.model(memory), kinds="fence=1", liveness=True, cheapest=True, keep=True)
        expected = least(threads, lambda changed: fair.hangs(changed, memory))
        assert expected is not None
        assert (answer.verdict, answer.placements[0].cost) == ("fenced", expected)
        confirmed(answer, lambda p: xgen.check(p, xgen.model(memory), liveness=True).verdict == "safe")


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["sc", "tso", "pso", "weak", "power", "arm8", "rc11"])
def test_robustness_with_branches_and_loops_against_all_gaps(name: str) -> None:
    model, sc, tag = xgen.model(name), xgen.model("sc"), "relaxed" if name == "rc11" else ""
    kind = "seq_cst=1" if name == "rc11" else "fence=1"

    def bad(threads: Threads) -> bool:
        text = fair.to_xcfa(threads, tag)
        return xgen.check(xgen.parse(text, "xcfa"), model, robust=sc).verdict == "violation"

    met = set()
    for seed in range(40):
        acts = (waiting.random_race if seed % 2 else waiting.random_acts)(Random(seed))
        threads = waiting.to_threads(acts)
        if len(gaps_of(threads)) > 12 or len(met) == 3:
            continue
        program = xgen.parse(fair.to_xcfa(threads, tag), "xcfa")
        answer = find_fences(program, model, kinds=kind, robust=sc, cheapest=True, keep=True)
        assert answer.monotone
        expected = least(threads, bad)
        if expected is None:
            assert answer.verdict == "not-repairable" or answer.placements[0].cost > MOST
            continue
        met.add(expected)
        assert answer.placements[0].cost == expected, fair.to_xcfa(threads, tag)
        confirmed(answer, lambda p: xgen.check(p, model, robust=sc).verdict in ("safe", "vacuous"))
    assert met == {0} if name == "sc" else len(met) >= 2


@pytest.mark.parametrize(
    ("name", "memory", "cost"),
    [
        ("peterson", "tso", 2),
        ("dekker", "tso", 2),
        ("treiber", "tso", 0),
        ("ticket_lock", "tso", 0),
        ("peterson_fenced", "tso", 2),
        ("treiber", "pso", 2),
    ],
)
def test_robust_programs(name: str, memory: str, cost: int) -> None:
    answer = find_fences(load(name), xgen.model(memory), kinds="fence=1", robust=xgen.model("sc"))
    assert (answer.placements[0].cost, answer.complete, answer.monotone) == (cost, True, True)
    confirmed(answer, lambda p: xgen.check(p, xgen.model(memory), robust=xgen.model("sc")).verdict == "safe")


def test_a_reference_to_which_fences_mean_something() -> None:
    """With fences, tso forbids more: a robust program may get one that is not, so that nothing is claimed of others."""
    meant = problem(load("peterson"), xgen.model("weak"), reference=xgen.model("tso"))
    monotone, reason = only_forbids(meant.model, False, meant.demanded)
    assert (monotone, reason.startswith("the form of tso: ")) == (False, True)
    answer = find_fences(load("dekker"), xgen.model("pso"), robust=xgen.model("tso"), kinds="mfence=1", cheapest=True)
    assert answer.verdict == "fenced"
    assert not answer.complete


# Program, model, mfences and sfences of a cheapest placement, and how many placements there are.
ENDLESS = [
    ("peterson", "tso", 2, 0, 4),
    ("peterson", "pso", 2, 2, 4),
    ("dekker", "tso", 2, 0, 4),
    ("dekker", "pso", 2, 0, 4),
    ("burns", "tso", 2, 0, 1),
    ("burns", "pso", 2, 0, 1),
    ("szymanski", "tso", 3, 0, 5),
    ("szymanski", "pso", 3, 0, 5),
    ("dijkstra", "tso", 2, 0, 1),
    ("dijkstra", "pso", 2, 0, 1),
    ("bakery2", "tso", 4, 0, 4),
    ("bakery2", "pso", 4, 0, 4),
    ("fast_mutex", "tso", 4, 0, 1),
    ("fast_mutex", "pso", 4, 2, 1),
]


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "memory", "full", "stores", "number"), ENDLESS)
def test_endless_programs(name: str, memory: str, full: int, stores: int, number: int) -> None:
    program, model = load(f"endless/{name}"), xgen.model(memory)
    answer = find_fences(program, model, unbounded=True)
    words = [piece.word for piece in answer.placements[0].pieces]
    assert (words.count("mfence"), words.count("sfence")) == (full, stores)
    assert (answer.verdict, answer.bounded, answer.complete) == ("fenced", False, True)
    assert len(answer.placements) == number
    text = text_with(answer)
    assert text is not None
    assert xgen.prove(xgen.parse(text), model).verdict == "safe"


@pytest.mark.parametrize(
    ("name", "memory", "full", "stores"),
    [("dekker", "tso", 4, 0), ("bakery2", "pso", 4, 0), ("szymanski", "tso", 3, 0), ("peterson", "pso", 2, 2)],
)
def test_endless_programs_with_fences_behind_stores(name: str, memory: str, full: int, stores: int) -> None:
    """That is where Remmex puts them: it takes four for Dekker's algorithm."""
    model = xgen.model(memory)
    answer = find_fences(load(f"endless/{name}"), model, unbounded=True, sites="after-stores", cheapest=True)
    words = [piece.word for piece in answer.placements[0].pieces]
    assert (words.count("mfence"), words.count("sfence")) == (full, stores)
    for piece in answer.placements[0].pieces:
        assert isinstance(piece.site.statement, Store) or piece.site.where == "before"
    assert xgen.prove(answer.apply(), model).verdict == "safe"


def test_graphs_of_violated_proofs_are_used() -> None:
    """Without them it takes far more proofs: 26 sites, of which each could be asked about."""
    answer = find_fences(load("endless/dekker"), xgen.model("tso"), unbounded=True)
    assert (answer.runs, answer.counterexamples) == (8, 3)


def test_endless_programs_without_deadlock() -> None:
    model = xgen.model("tso")
    safe = find_fences(load("endless/deadlock"), model, unbounded=True)
    assert safe.verdict == "safe"
    answer = find_fences(load("endless/deadlock"), model, unbounded=True, deadlock=True, cheapest=True)
    assert (answer.verdict, answer.placements[0].cost) == ("fenced", 2)
    assert xgen.prove(answer.apply(), model, deadlock=True).verdict == "safe"


def test_a_proof_that_comes_to_no_end() -> None:
    answer = find_fences(load("endless/peterson"), xgen.model("tso"), unbounded=True, timeout=1e-9)
    assert (answer.verdict, answer.stopped) == ("interrupted", "timeout")


@pytest.mark.parametrize(
    "options",
    [
        {"unbounded": True, "max_depth": 3},
        {"unbounded": True, "liveness": True},
        {"deadlock": True},
    ],
)
def test_demands_that_exclude_each_other(options: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        find_fences(load("peterson"), xgen.model("tso"), **options)  # type: ignore[arg-type]


def test_unbounded_needs_a_machine() -> None:
    with pytest.raises(UsageError, match="a proof without bounds needs a machine"):
        find_fences(load("peterson"), xgen.model("power"), unbounded=True)


def test_what_the_bound_cuts_is_said() -> None:
    answer = find_fences(load("dijkstra"), xgen.model("pso"), kinds="fence=1", max_depth=12, cheapest=True)
    assert answer.verdict == "fenced-within-bound"
    assert any(said.startswith("the bound stopped ") for said in answer.warnings)
