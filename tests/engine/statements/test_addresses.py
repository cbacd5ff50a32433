"""Addresses under models in which a write need not wait for the address of an access before it.

There the engine predicts them. Random programs in the shape of load buffering are held against the oracle, which looks
at every candidate; shapes that decide it, against what the Linux kernel's model says of them.
"""

from __future__ import annotations

from random import Random

import pytest
from oracle import models
from oracle.against import difference
from oracle.expressions import Binary, Const, Expr, Local
from oracle.programs import Indexed, Load, Program, Rmw, Statement, Store, Thread, Variable

import xgen
from xgen.memory.algebra import Model
from xgen.memory.statics.base_order import goes_on_unaddressed

ROUNDS = [
    pytest.param(range(30), id="fast"),
    pytest.param(range(30, 6000), id="long", marks=pytest.mark.long),
]
A, B = Local("a"), Local("b")
INDICES: tuple[Expr, ...] = (A, Binary("*", Const(0), A), Binary("-", Const(1), A), Binary("mod", A, Const(2)))


def buffering(rng: Random, name: str, mine: str, other: str) -> Thread:
    """Reads a variable, accesses the array in between, where the index may depend on that, and writes the other one."""
    order = rng.choice(("once", "once", None))
    statements: list[Statement] = [Load("a", mine, order)]
    for _ in range(rng.randint(1, 2)):
        place = Indexed("t", 2, rng.choice(INDICES), rng.randint(0, 3) == 0)
        match rng.randint(1, 7):
            case 1 | 2 | 3:
                statements.append(Store(place, rng.choice((Const(1), A)), order))
            case 4 | 5 | 6:
                statements.append(Load("b", place, order))
            case _:
                statements.append(Rmw("b", "exchange", place, (Const(1),), ("relaxed",)))
    statements.append(Store(other, rng.choice((Const(1), Const(1), A, B)), order))
    return Thread(name, (Variable("a"), Variable("b")), tuple(statements))


def program(rng: Random) -> Program:
    variables = (Variable("t", size=2), Variable("x"), Variable("y"))
    threads = (buffering(rng, "P0", "x", "y"), buffering(rng, "P1", "y", "x"))
    return Program(variables, threads, joined=rng.randint(0, 1) == 0)


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("model", [xgen.model("lkmm"), models.no_thin_air()], ids=lambda model: model.name)
def test_against_the_oracle(model: Model, seeds: range) -> None:
    assert goes_on_unaddressed(model)
    for seed in seeds:
        found = difference(program(Random(seed)), model, limit=None)
        assert found is None, found


LB = """var t : int[2]
var x : int
var y : int
main process p {{
  var r : int
  var a : int
  init loc A
  final loc B
  A -> B {{ r <- x @once; {access}; 1 -> y @once; }}
}}
process q {{
  var s : int
  init loc A
  final loc B
  A -> B {{ s <- y @once; s -> x @once; }}
}}
"""


@pytest.mark.parametrize(
    ("access", "executions", "ordered"),
    [
        ("1 -> t[r] @once", 4, 3),
        ("1 -> t[r mod 2] @once", 4, 3),
        ("1 -> *(&t[r]) @once", 4, 3),
        ("a <- t[r] @once", 4, 3),
        ("r -> t[1 - r] @once", 4, 3),
        ("exchange(t[r], 1) @relaxed", 4, 3),
        ("a <- cas(t[r], 0, 1) @relaxed", 4, 3),
        ("a <- load_exclusive(t[r]) @once", 4, 3),
        ("a <- t[0] @once", 4, 4),
    ],
)
def test_what_follows_an_access_does_not_wait(access: str, executions: int, ordered: int) -> None:
    """herd says the same of litmus tests of these shapes: the Linux kernel's model allows both reads to see 1."""
    parsed = xgen.parse(LB.format(access=access))
    for model, count in (("lkmm", executions), ("arm8", ordered)):
        result = xgen.check(parsed, xgen.model(model), all_states=True)
        seen = {(outcome.state["p:r"], outcome.state["q:s"]) for outcome in result.outcomes}
        assert ((1, 1) in seen) == (count == 4)
        assert (result.executions, result.violations) == (count, 0)


@pytest.mark.parametrize(
    ("access", "wrong"),
    [
        ("1 -> t[2 * r] @once", {1}),
        ("1 -> *(r) @once", {0, 1}),
        ("a <- t[r - 1] @once", {0}),
        ("1 -> t[r] @once", set()),
    ],
)
def test_where_there_is_no_cell(access: str, wrong: set[int]) -> None:
    """Where the index is wrong, nothing that comes after the access has been seen by anybody."""
    text = LB.replace("s -> x", "1 -> x").format(access=access)
    result = xgen.check(xgen.parse(text), xgen.model("lkmm"), all_states=True, trace_limit=100)
    found = set()
    for trace in result.traces:
        events = [event for event in trace.events if event.thread == 0]
        assert len(events) == (1 if trace.violations else 3)
        assert {violation.kind for violation in trace.violations} <= {"out-of-range"}
        found |= {events[0].value} if trace.violations else set()
    assert found == wrong


def test_no_write_is_the_reason_for_its_index() -> None:
    """Were the index wrong, nobody would read the write after it, which makes it wrong."""
    text = LB.format(access="1 -> t[2 * r] @once")
    result = xgen.check(xgen.parse(text), xgen.model("lkmm"), all_states=True)
    assert (result.verdict, result.executions) == ("safe", 3)


def test_addresses_are_not_their_own_reason() -> None:
    """A cell is not written because what is written there is read, and says that it is this cell."""
    text = LB.replace("s -> x", "2 * s -> x").format(access="1 -> t[r] @once")
    free = xgen.model("lkmm")
    result = xgen.check(xgen.parse(text.replace("1 -> y", "0 -> y")), free, all_states=True)
    assert {o.state["p:r"] for o in result.outcomes} == {0}


@pytest.mark.parametrize(
    ("name", "expected"),
    [(name, name == "lkmm") for name in ("sc", "tso", "rc11", "arm8", "arm", "power", "riscv", "coherence", "lkmm")],
)
def test_models_that_let_writes_go_on(name: str, expected: bool) -> None:
    assert goes_on_unaddressed(xgen.model(name)) == expected
