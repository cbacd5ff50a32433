"""What several workers find: the same as one, to the last step of a run."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.states.test_against_graphs import draw
from xgen.analyses.ltl import LtlResult, check_formula
from xgen.engine.explicit.states import Order
from xgen.errors import Source
from xgen.frontends.dve import System, read_dve
from xgen.resources import shipped
from xgen.sources import read_source


def found(system: System, formula: str, order: Order, room: int, workers: int, limit: int = 10**8) -> LtlResult:
    return replace(check_formula(system, formula, order, room, limit=limit, workers=workers), seconds=0.0)


def shipped_system(name: str) -> System:
    return read_dve(read_source(shipped("programs") / "dve" / f"{name}.dve"))


@pytest.mark.parametrize(("order", "room"), [("sc", 0), ("tso", 2), ("pso", 1), ("cam", 1)])
def test_random_systems(order: Order, room: int) -> None:
    verdicts = set()
    for seed in range(60):
        system = read_dve(Source("drawn.dve", draw(random.Random(seed)).text()))
        for formula in ("G x = 1", "F y = 1", "G F x = 0", "G (x = 1 -> F y = 0)"):
            one = found(system, formula, order, room, 1)
            assert found(system, formula, order, room, 2 + seed % 3) == one, (seed, formula)
            verdicts.add(one.verdict)
    assert verdicts >= {"holds", "fails"}


@pytest.mark.parametrize(
    ("name", "formula", "order", "room", "verdict"),
    [
        ("lamport", "G true", "pso", 1, "holds-within-bound"),
        ("lamport", "G F (P_1@CS | P_2@CS)", "tso", 4, "holds-within-bound"),
        ("lamport", "G (P_1@wait -> F P_1@CS)", "tso", 4, "fails"),
        ("peterson_n", "G (P_0@wait -> F P_0@CS)", "tso", 4, "holds-within-bound"),
        ("peterson_n", "G !(P_0@CS & P_1@CS)", "pso", 1, "fails"),
        ("anderson", "G true", "sc", 1, "holds"),
    ],
)
def test_systems_that_outgrow_the_first_tables(name: str, formula: str, order: Order, room: int, verdict: str) -> None:
    system = shipped_system(name)
    one = found(system, formula, order, room, 1)
    assert one.verdict == verdict
    for workers in (2, 5):
        assert found(system, formula, order, room, workers) == one


@pytest.mark.parametrize("limit", [1, 100, 5000])
def test_the_limit_of_states_is_that_of_the_states_that_are_needed(limit: int) -> None:
    system = shipped_system("lamport")
    one = found(system, "G true", "pso", 1, 1, limit)
    assert one.verdict == "interrupted"
    assert found(system, "G true", "pso", 1, 4, limit) == one


FAULTY = """
byte x;
process P { byte a[2]; state s, t; init s; trans
  s -> s { guard x < 200; effect x = x + 1; },
  s -> t { guard x == 200; effect a[x] = 1; };
}
process Q { state s, u; init s; assert u: x == 7; trans s -> u { guard x == 150; }; }
system async;
"""


@pytest.mark.parametrize(
    ("formula", "order", "text"),
    [
        ("G true", "sc", FAULTY),
        ("G true", "tso", FAULTY.replace("assert u: x == 7;", "")),
        ("G P:a[x] = 0", "sc", FAULTY),
        ("G P:a[x + 2] = 0", "sc", FAULTY),
    ],
)
def test_what_goes_wrong(formula: str, order: Order, text: str) -> None:
    system = read_dve(Source("faulty.dve", text))
    one = found(system, formula, order, 2, 1)
    assert one.verdict == "error"
    assert one.reason is not None
    for workers in (2, 4):
        assert found(system, formula, order, 2, workers) == one


def test_a_proposition_without_a_value_at_the_start() -> None:
    result = found(read_dve(Source("faulty.dve", FAULTY)), "F P:a[x + 2] = 0", "sc", 1, 1)
    assert (result.verdict, result.reason, result.states) == ("error", "an index is out of range", 1)
    assert len(result.prefix) == 1
