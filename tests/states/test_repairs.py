"""Which writes have to be atomic: published examples, and all subsets of the writes of random systems."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from mutexes import anderson, lamport, peterson, peterson_n

import xgen
from xgen.analyses.fences.minimal import MinimalSets
from xgen.analyses.ltl import LtlResult, check_formula
from xgen.analyses.ltl_repairs import Repairs, find_repairs, find_writes, with_atomic
from xgen.engine.explicit.states import Order
from xgen.errors import Source
from xgen.frontends.dve import System, read_dve


def repairs(text: str, formula: str, memory: Order, room: int = 1) -> Repairs:
    def ask(system: System) -> LtlResult:
        return check_formula(system, formula, memory, room, timeout=60)

    return find_repairs(read_dve(Source("model.dve", text)), ask)


def effects(found: Repairs) -> list[list[str]]:
    return [[found.writes[n].text.partition("effect ")[2].partition(" =")[0] for n in chosen] for chosen in found.sets]


TSO: list[tuple[Order, int]] = [("cam", 1), ("tso", 1), ("tso", 2)]


@pytest.mark.parametrize(
    ("text", "first", "writes", "atomic"),
    [
        (peterson(), 0, 6, ["turn", "turn"]),
        (peterson_n(2), 0, 6, ["step[j - 1]", "step[j - 1]"]),
        (lamport(2), 1, 14, ["x", "y", "x", "y"]),
    ],
    ids=["peterson", "peterson_n", "lamport"],
)
@pytest.mark.parametrize(("memory", "room"), TSO)
def test_mutual_exclusion(text: str, first: int, writes: int, atomic: list[str], memory: Order, room: int) -> None:
    found = repairs(text, f"G !(P_{first}@CS & P_{first + 1}@CS)", memory, room)
    assert found.verdict == "repaired"
    assert len(found.writes) == writes
    assert effects(found) == [atomic]
    assert sorted(found.cuts) == [(n,) for n in found.sets[0]]  # each is needed by itself


@pytest.mark.parametrize(
    "formula", ["G !(P_0@CS & P_1@CS)", "G (P_0@wait -> F P_0@CS) & G (P_1@wait -> F P_1@CS)"], ids=["safe", "served"]
)
def test_a_queue_lock(formula: str) -> None:
    found = repairs(anderson(2), formula, "tso", 1)
    assert (len(found.writes), [len(chosen) for chosen in found.sets]) == (8, [4])
    assert all("next =" in found.writes[n].text for n in found.sets[0])


ADDED = """
byte x, y;
process P { state a, b, c; init a; trans a -> b { effect x = x + 1; }, b -> c { effect y = y + 1; }; }
process Q { state a, b, c; init a; trans a -> b { effect x = x + 1; }, b -> c { effect y = y + 1; }; }
system async;
"""


@pytest.mark.parametrize(("memory", "room"), [("cam", 1), ("tso", 2), ("pso", 1)])
def test_two_that_add(memory: Order, room: int) -> None:
    """Both writes of x: J. Barnat, L. Brim, V. Havel, LTL model checking under TSO, figure 6."""
    found = repairs(ADDED, "F (x = 2 & y > 0)", memory, room)
    assert effects(found) == [["x", "x"]]


def test_nothing_to_repair() -> None:
    found = repairs(ADDED, "F (x > 0)", "tso")
    assert (found.verdict, found.sets, found.runs, found.left) == ("holds", ((),), 1, None)


def test_no_repair() -> None:
    found = repairs(ADDED, "F (x = 3)", "tso")
    assert (found.verdict, found.sets, found.runs) == ("not-repairable", (), 2)
    assert found.left is not None
    assert found.left.verdict == "fails"
    assert repairs(ADDED, "F (x = 3)", "sc").verdict == "not-repairable"


def test_an_answer_that_does_not_come() -> None:
    def ask(system: System) -> LtlResult:
        return check_formula(system, "F (x = 2 & y > 0)", "tso", 1, limit=3)

    found = find_repairs(read_dve(Source("model.dve", ADDED)), ask)
    assert (found.verdict, found.complete, found.reason) == ("interrupted", False, "there are more than 3 states")


def test_what_is_found_before_an_interrupt_is_kept() -> None:
    asked = 0

    def ask(system: System) -> LtlResult:
        nonlocal asked
        asked += 1
        if asked > 8:
            raise KeyboardInterrupt
        return check_formula(system, "F (x = 2 & y > 0)", "tso", 1)

    found = find_repairs(read_dve(Source("model.dve", ADDED)), ask)
    assert (found.verdict, found.complete, found.reason) == ("interrupted", False, "it was interrupted")
    assert found.runs == 8


def draw(rng: random.Random) -> str:
    """Two processes that write and read in a line: what each writes first, the other reads in the end."""
    processes = []
    for first, last in ("xy", "yx"):
        some = [first, rng.choice("xyz"), rng.choice("xyz"), last]
        writes = [True, rng.random() < 0.5, rng.random() < 0.5, False]
        effects = [
            f"{v} = {rng.randint(1, 2)}" if write else f"r = r * 3 + {v}" for v, write in zip(some, writes, strict=True)
        ]
        moves = ", ".join(f"s{n} -> s{n + 1} {{ effect {effect}; }}" for n, effect in enumerate(effects))
        processes.append(f"process P_{len(processes)} {{ byte r; state s0, s1, s2, s3, s4; init s0; trans {moves}; }}")
    return "\n".join(["byte x, y, z;", *processes, "system async;"])


@pytest.mark.sweep
@pytest.mark.parametrize("memory", ["tso", "pso"])
def test_all_subsets(memory: Order) -> None:
    """The minimal sets for which a formula holds, by trying all."""
    larger = several = 0
    for seed in range(120):
        rng = random.Random(seed)
        system = read_dve(Source("drawn.dve", draw(rng)))
        seen = [f"P_{p}.r = {rng.choice([0, 0, 0, 1, 2])}" for p in range(2)]
        formula = f"G !(P_0@s4 & P_1@s4 & {seen[0]} & {seen[1]})"
        numbers = find_writes(system, memory)

        def ask(changed: System, formula: str = formula) -> LtlResult:
            return check_formula(changed, formula, memory, 4)

        good = [
            frozenset(chosen)
            for size in range(len(numbers) + 1)
            for chosen in combinations(range(len(numbers)), size)
            if ask(with_atomic(system, [numbers[n] for n in chosen])).verdict == "holds"
        ]
        minimal = {a for a in good if not any(b < a for b in good)}
        found = find_repairs(system, ask)
        assert set(map(frozenset, found.sets)) == minimal, (seed, memory)
        assert (found.verdict == "not-repairable") == (not minimal)
        larger += any(len(a) > 1 for a in minimal)
        several += len(minimal) > 1
    assert (larger, several) >= (2, 5)


def test_minimal_sets_of_random_conditions() -> None:
    """The hitting sets, with costs and atoms that contain others, against all subsets."""
    for seed in range(300):
        rng = random.Random(seed)
        size = rng.randint(1, 6)
        below = [1 << n for n in range(size)]
        for n in range(1, size):
            if rng.random() < 0.3:
                below[n] |= below[rng.randrange(n)]
        costs = [rng.randint(1, 3) for _ in range(size)]
        cuts = [rng.randrange(1, 1 << size) for _ in range(rng.randint(0, 4))]
        closed = [s for s in range(1 << size) if all(below[n] & ~s == 0 for n in range(size) if s >> n & 1)]
        good = [s for s in closed if all(s & cut for cut in cuts)]
        minimal = {s for s in good if not any(t & ~s == 0 and t != s for t in good)}
        search = MinimalSets(costs, lambda s, cuts=cuts: not all(s & cut for cut in cuts), below)
        found = list(search)
        assert set(found) == minimal, seed
        assert [search.cost(s) for s in found] == sorted(search.cost(s) for s in found)
        assert len(found) == len(minimal)


def test_through_the_package() -> None:
    found = xgen.ltl_repairs("programs/peterson.xcfa", "F ended(all)")
    assert [write.text for write in found.writes if found.writes.index(write) in found.sets[0]] == [
        "Start'1 -> Wait { 1 -> turn }",
        "Start'1 -> Wait { 0 -> turn }",
    ]
