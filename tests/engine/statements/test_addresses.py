"""Addresses under models in which a write need not wait for the address of an access before it.

There the engine predicts them. Random programs in the shape of load buffering are held against the oracle, which looks
at every candidate; shapes that decide it, against what the Linux kernel's model says of them.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from oracle import models
from oracle.against import difference
from oracle.expressions import Binary, Const, Expr, Local
from oracle.programs import Indexed, Load, Predict, Program, Rmw, Select, Statement, Store, Thread, Variable

import xgen
from xgen.errors import UnsupportedError
from xgen.memory.algebra import Model
from xgen.memory.statics.base_order import goes_on_unaddressed

ROUNDS = [
    pytest.param(range(30), id="fast"),
    pytest.param(range(30, 6000), id="long", marks=pytest.mark.long),
]
A, B = Local("a"), Local("b")
INDICES: tuple[Expr, ...] = (A, Binary("*", Const(0), A), Binary("-", Const(1), A), Binary("mod", A, Const(2)))


def buffering(rng: Random, name: str, mine: str, other: str) -> Thread:
    """Reads a variable, accesses the array in between, where the index may depend on that, and writes the other one.

    Something may be predicted, by which the index is chosen or not. Then what is written is 1: to the oracle, a value
    does not wait for what the prediction that it is made of waits for.
    """
    order = rng.choice(("once", "once", None))
    values: tuple[Expr, ...]
    last: tuple[Expr, ...]
    values, last = (Const(1), A), (Const(1), Const(1), A, B)
    statements: list[Statement] = [Load("a", mine, order)]
    if rng.randint(0, 2) == 0:
        values = last = (Const(1),)
        statements.append(Predict("c", Binary("=", A, Const(rng.randint(0, 1)))))
        if rng.randint(0, 1) == 0:
            statements.append(Select("a", "c", Const(rng.randint(0, 1)), A, rng.randint(0, 1) == 0))
    for _ in range(rng.randint(1, 2)):
        place = Indexed("t", 2, rng.choice(INDICES), rng.randint(0, 3) == 0)
        match rng.randint(1, 7):
            case 1 | 2 | 3:
                statements.append(Store(place, rng.choice(values), order))
            case 4 | 5 | 6:
                statements.append(Load("b", place, order))
            case _:
                statements.append(Rmw("b", "exchange", place, (Const(1),), ("relaxed",)))
    statements.append(Store(other, rng.choice(last), order))
    return Thread(name, (Variable("a"), Variable("b"), Variable("c", "bool")), tuple(statements))


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
    "first", ["predict(f, 0)", "a <- t[0] @once; predict(f, a, 3)", "a <- t[0] @once; predict(f, a, 3); predict(f, f)"]
)
@pytest.mark.parametrize("access", ["1 -> t[r] @once", "a <- t[r] @once", "1 -> t[r - f] @once"])
def test_programs_that_predict_something_themselves(first: str, access: str) -> None:
    """A condition, a number; the address is not among what they predict."""
    text = LB.format(access=f"{first}; {access}").replace("var a : int", "var a : int\n  var f : int")
    result = xgen.check(xgen.parse(text), xgen.model("lkmm"), all_states=True)
    assert (result.executions, (1, 1) in {(o.state["p:r"], o.state["q:s"]) for o in result.outcomes}) == (4, True)


LB_BY_SELECTION = """AArch64 LB+addr-po
{
int t[2]={0,0}; int x=0; int y=0;
0:X1=x; 0:X3=t; 0:X5=y;
1:X1=x; 1:X5=y;
}
 P0                  | P1          ;
 LDR W0,[X1]         | LDR W0,[X5] ;
 MOV W2,#1           | STR W0,[X1] ;
 CSEL W9,W2,W2,EQ    |             ;
 LSL W6,W0,#2        |             ;
 STR W2,[X3,W6,UXTW] |             ;
 STR W2,[X5]         |             ;
exists (0:X0=1 /\\ 1:X0=1)
"""


def test_a_litmus_test_under_a_model_that_lets_writes_go_on(tmp_path: Path) -> None:
    """Those of machines are not read for their own models only."""
    (tmp_path / "lb.litmus").write_text(LB_BY_SELECTION)
    assert xgen.check(tmp_path / "lb.litmus", models.no_thin_air(), all_states=True).executions == 4
    assert xgen.check(tmp_path / "lb.litmus", "arm8", all_states=True).executions == 3


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


def wide(first: str, second: str) -> xgen.Program:
    """Two processes: p leads to the cell b of eight bytes, unless somebody writes p."""
    text = "var b : int @ 4096 : 8 var p : int (4096) @ 4104 : 8 var x : int var y : int"
    for name, steps in (("f", first), ("g", second)):
        text += f" process {name} {{ var r : int var s : int init loc S final loc E S -> E {{ {steps} }} }}"
    return xgen.parse(text)


def test_an_access_in_the_middle_that_no_execution_has() -> None:
    """Nobody writes p: who knows that p leads to b has not written p, and nor has the other one."""
    both = "r <- p @once; 4100 -> *[8] r @once"
    result = xgen.check(wide(both, f"{both}; s <- x @once"), xgen.model("lkmm"), all_states=True)
    assert (result.verdict, result.executions) == ("safe", 2)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("4100 -> p @once", "r <- p @once; s <- *[8] r @once"),
        ("4100 -> p @once", "r <- p @once; 1 -> *[8] r @once; 1 -> x @once"),
        # By load buffering: what is written behind the access makes that one of a part.
        ("r <- x @once; s <- *[8] (4096 + 4 * r) @once; 1 -> y @once", "r <- y @once; r -> x @once"),
        ("r <- x @once; 1 -> *[8] (4096 + 4 * r) @once; 1 -> y @once", "r <- y @once; r -> x @once"),
    ],
)
@pytest.mark.parametrize("all_states", [False, True])
def test_an_access_in_the_middle_that_an_execution_has(first: str, second: str, all_states: bool) -> None:
    with pytest.raises(UnsupportedError, match="this accesses a part of a number"):
        xgen.check(wide(first, second), xgen.model("lkmm"), all_states=all_states)


def random_wide(rng: Random) -> str:
    """Two or three processes read pointers and follow them; one of these may be BAD, for which see below."""
    cells = {"a": 4096, "b": 4104, "p": 4112, "q": 4120}
    places = [str(place) for place in cells.values()]
    values = {"a": "0", "b": "1", "p": rng.choice(places), "q": rng.choice([*places, "BAD"])}
    text = "".join(f"var {name} : int ({values[name]}) @ {cells[name]} : 8 " for name in cells) + "var x : int\n"
    for name in ("f", "g", "h")[: rng.choice((2, 2, 3))]:
        steps, known = [], ["4112"]
        for _ in range(rng.randint(2, 4)):
            tag, target, pointer = rng.choice(("@once", "@once", "")), rng.choice("rs"), rng.choice(known)
            place = rng.choice(("x", "p", "q", "p", *(3 * [f"*[8] {pointer}"])))
            if rng.random() < 0.5:
                steps.append(f"{target} <- {place} {rng.choice((tag, '@acquire'))}")
                known.append(target)
            else:
                steps.append(f"{rng.choice(('BAD', *places, *known))} -> {place} {rng.choice((tag, '@release'))}")
        text += f"process {name} {{ var r : int var s : int init loc S final loc E S -> E {{ {'; '.join(steps)} }} }}\n"
    return text


def answer(text: str, model: Model) -> tuple[str, int, object]:
    try:
        result = xgen.check(xgen.parse(text), model, all_states=True, trace_limit=0)
    except UnsupportedError:
        return "refused", 0, None
    return result.verdict, result.executions, {str(outcome).replace(": 4100", ": 8") for outcome in result.outcomes}


@pytest.mark.parametrize(
    "seeds", [range(40), pytest.param(range(40, 4000), marks=pytest.mark.long)], ids=["fast", "long"]
)
def test_a_part_of_a_cell_is_told_where_no_cell_at_all_would_be(seeds: range) -> None:
    """A pointer into the middle is followed in the executions in which one to nowhere is: these are violations."""
    told: Counter[tuple[str, str]] = Counter()
    for seed in seeds:
        text, model = random_wide(Random(f"wide {seed}")), xgen.model("lkmm" if seed % 4 else "riscv")
        middle, nowhere = (answer(text.replace("BAD", bad), model) for bad in ("4100", "8"))
        assert middle == nowhere or (middle[0] in {"refused", "violation"} and nowhere[0] == "violation"), text
        told[middle[0], nowhere[0]] += 1
    assert told["refused", "violation"] > 3
    assert told["safe", "safe"] > 3


@pytest.mark.parametrize(
    ("name", "expected"),
    [(name, name == "lkmm") for name in ("sc", "tso", "rc11", "arm8", "arm", "power", "riscv", "coherence", "lkmm")],
)
def test_models_that_let_writes_go_on(name: str, expected: bool) -> None:
    assert goes_on_unaddressed(xgen.model(name)) == expected
