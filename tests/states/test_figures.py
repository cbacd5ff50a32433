"""Mutual exclusion algorithms behind store buffers: verdicts, and the numbers of states."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from mutexes import anderson, lamport, peterson, peterson_n

from xgen.analyses.ltl import LtlResult, check_formula
from xgen.engine.explicit.states import Order
from xgen.errors import Source
from xgen.frontends.dve import System, read_dve
from xgen.resources import shipped

MACHINES: list[tuple[Order, int]] = [("sc", 0), ("cam", 0), ("tso", 1), ("tso", 2), ("tso", 4), ("pso", 1)]
RELAXED = MACHINES[1:4] + MACHINES[5:]


def read(text: str) -> System:
    return read_dve(Source("model.dve", text))


def check(text: str, formula: str, memory: Order, room: int, fair: bool = True) -> LtlResult:
    return check_formula(read(text), formula, memory, room, fair, timeout=60)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (peterson(), (20, 224, 116, 264, 772, 512)),
        (peterson_n(2), (196, 1_634, 845, 1_804, 4_523, 3_472)),
        (lamport(2), (266, 3_180, 1_191, 3_186, 9_115, 18_161)),
        (peterson_n(3), (12_498,)),
        (lamport(3), (7_570,)),
        (anderson(2), (83,)),
    ],
    ids=["peterson", "peterson_n", "lamport", "peterson_n 3", "lamport 3", "anderson"],
)
def test_states(text: str, counts: tuple[int, ...]) -> None:
    """A step is a transition or a flush; all states are reached by a formula that always holds."""
    for (memory, room), count in zip(MACHINES, counts, strict=False):
        result = check(text, "G true", memory, room)
        assert result.verdict == ("holds" if memory == "sc" else "holds-within-bound"), memory
        assert result.states == count, (memory, room)


def exclusion(first: int) -> str:
    return f"G !(P_{first}@CS & P_{first + 1}@CS)"


@pytest.mark.parametrize(
    ("text", "first"),
    [(peterson(), 0), (peterson_n(2), 0), (anderson(2), 0), (lamport(2), 1)],
    ids=["peterson", "peterson_n", "anderson", "lamport"],
)
def test_mutual_exclusion(text: str, first: int) -> None:
    assert check(text, exclusion(first), "sc", 0).verdict == "holds"
    for memory, room in RELAXED:
        result = check(text, exclusion(first), memory, room)
        assert result.verdict == "fails", (memory, room)
        system = result.system
        assert all(system.processes[p].places[place] == "CS" for p, place in enumerate(result.prefix[-1].places))
        assert not result.cycle


WAIT_N = "G ((P_0@wait | P_0@q2 | P_0@q3) -> F P_0@CS)"
WAIT = "G (P_0@wait -> F P_0@CS)"


def test_who_waits_is_served() -> None:
    for memory, room in [*MACHINES[:4], ("tso", 3), *MACHINES[5:]]:
        assert check(peterson(), WAIT, memory, room, fair=False).verdict.startswith("holds"), (memory, room)
        assert check(peterson_n(2), WAIT_N, memory, room, fair=False).verdict == "fails", (memory, room)
    for memory, room in [MACHINES[0], *RELAXED]:
        assert check(peterson_n(2), WAIT_N, memory, room).verdict.startswith("holds"), (memory, room)
        assert check(lamport(2), "G (P_1@wait -> F P_1@CS)", memory, room).verdict == "fails", (memory, room)
        assert check(lamport(2), "G F (P_1@CS | P_2@CS)", memory, room).verdict.startswith("holds"), (memory, room)
    assert check(anderson(2), WAIT, "sc", 0, fair=False).verdict == "holds"
    for memory, room in RELAXED:
        assert check(anderson(2), WAIT, memory, room).verdict == "fails", (memory, room)


def straight(*processes: str, variables: str, locals_: str = "") -> str:
    """Processes that do one effect after the other, and end."""
    texts = [f"byte {variables};"]
    for number, effects in enumerate(processes):
        steps = effects.split(";")
        places = ", ".join(f"s{n}" for n in range(len(steps) + 1))
        moves = ", ".join(f"s{n} -> s{n + 1} {{ effect {step}; }}" for n, step in enumerate(steps))
        texts.append(f"process P_{number} {{ {locals_} state {places}; init s0; trans {moves}; }}")
    return "\n".join([*texts, "system async;"])


def test_more_delayed_stores_show_more() -> None:
    """Three stores have to be delayed at once."""
    text = straight("x = 1;y = 1;y = 2;r = z", "z = 1;w = 1;w = 2;r = x", variables="x, y, z, w", locals_="byte r;")
    both = "G !(P_0@s4 & P_1@s4 & P_0:r = 0 & P_1:r = 0)"
    assert check(text, both, "tso", 3).verdict == "fails"
    for memory, room in [("sc", 0), ("cam", 0), ("tso", 1), ("tso", 2)]:
        assert check(text, both, memory, room).verdict.startswith("holds"), (memory, room)  # type: ignore[arg-type]
    assert check(text, both, "tso", 4).complete or check(text, both, "tso", 4).verdict == "fails"


def test_two_processes_that_count() -> None:
    """x = x + 1 of both: the store of one may hide that of the other."""
    text = straight("x = x + 1;y = y + 1", "x = x + 1;y = y + 1", variables="x, y")
    formula = "F (x = 2 & y > 0)"
    assert check(text, formula, "sc", 0).verdict == "holds"
    for memory, room in [("cam", 0), ("tso", 2), ("pso", 1)]:
        assert check(text, formula, memory, room).verdict == "fails", (memory, room)  # type: ignore[arg-type]


def test_a_bound_that_nobody_meets() -> None:
    """Whose buffer never fills up has seen all runs."""
    text = straight("x = 1;y = 1", "y = 2;x = 2", variables="x, y")
    assert check(text, "F G (x > 0 & y > 0)", "tso", 1).verdict == "holds-within-bound"
    result = check(text, "F G (x > 0 & y > 0)", "tso", 2)
    assert (result.verdict, result.complete) == ("holds", True)


def test_writes_are_not_delayed_for_ever() -> None:
    """Buffers are fair even if processes are not."""
    text = straight("x = 1", "y = 1", variables="x, y")
    assert check(text, "F x = 1", "tso", 2).verdict == "holds"
    assert check(text, "P_0@s1 -> F x = 1", "tso", 2, fair=False).verdict == "holds"
    assert check(text, "G (P_0@s1 -> F x = 1)", "tso", 2, fair=False).verdict == "holds"
    loop = "byte x, y; process P { state a; init a; trans a -> a { effect x = 1 - x; }; }"
    loop += " process Q { state a, b; init a; trans a -> b { effect y = 1; }; } system async;"
    assert check(loop, "F y = 1", "tso", 2).verdict.startswith("holds")
    assert check(loop, "F y = 1", "tso", 2, fair=False).verdict == "fails"


def test_a_run_that_cannot_go_on_stays_where_it_is() -> None:
    text = straight("x = 1", variables="x")
    assert check(text, "F G x = 1", "sc", 0).verdict == "holds"
    assert check(text, "G F x = 0", "sc", 0).verdict == "fails"


def test_the_shipped_systems_are_these() -> None:
    made = {"peterson": peterson(), "peterson_n": peterson_n(2), "anderson": anderson(2), "lamport": lamport(2)}
    for name, text in made.items():
        path = shipped("programs") / "dve" / f"{name}.dve"
        head, _, rest = path.read_text(encoding="utf-8").partition("\n\n")
        assert head.startswith("// ")
        assert rest == text
    assert {path.stem for path in (shipped("programs") / "dve").glob("*.dve")} == set(made)


def test_the_stored_results() -> None:
    path = Path(__file__).parents[2] / "results" / "lassos.csv"
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    made = {"peterson": peterson(), "peterson_n": peterson_n(2), "lamport": lamport(2)}
    for row in csv.DictReader(rows):
        result = check(made[row["system"]], "G true", row["memory"], int(row["buffer"]))  # type: ignore[arg-type]
        assert (result.states, result.transitions) == (int(row["states"]), int(row["transitions"]))
