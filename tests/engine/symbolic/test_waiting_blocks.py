"""Blocks that wait in several store buffers under pso, with exclusive accesses in them: proofs against checks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from oracle.buffers.invariants import Checker
from oracle.buffers.proofs import difference, found

import xgen
from xgen.engine.problem import problem

BOTH = "atomic-begin  {0} -> x  {0} -> y  atomic-end"
PAIR = "r <- load_exclusive(x)  {}  s <- store_exclusive(x, 5)"
PAIR_IN_BLOCK = "r <- load_exclusive({0})  {2}  atomic-begin  s <- store_exclusive({0}, 5)  6 -> {1}  atomic-end"
READS = "t <- x  u <- y  v <- x"
READ_BOTH = "atomic-begin  t <- x  u <- y  atomic-end"
SHAPES = {
    "a block": [BOTH.format(1), READS],
    "a block, read as a whole": ["1 -> z  " + BOTH.format(1), "v <- z  " + READ_BOTH],
    "two blocks": [BOTH.format(1) + "  " + BOTH.format(2), "t <- y  u <- x"],
    "stores between blocks": [BOTH.format(1) + "  7 -> x  " + BOTH.format(2), "t <- x  u <- y  v <- x"],
    "stores around a block": ["7 -> x  8 -> y  " + BOTH.format(1) + "  9 -> x", READS],
    "blocks that overlap": [
        "atomic-begin  1 -> x  1 -> y  atomic-end  atomic-begin  2 -> y  2 -> z  atomic-end",
        "t <- z  u <- y  v <- x",
    ],
    "a cell twice": ["atomic-begin  1 -> x  1 -> y  2 -> x  atomic-end", READS],
    "a store fence in it": ["1 -> z  atomic-begin  1 -> x  fence sfence  1 -> y  atomic-end", "t <- y  u <- z"],
    "a store fence behind it": [BOTH.format(1) + "  fence sfence  1 -> z", "t <- z  u <- y"],
    "an update behind it": [BOTH.format(1) + "  r <- fetch_add(x, 3)", READS],
    "it reads itself": [BOTH.format(1) + "  r <- x  s <- y", "2 -> x  " + READS],
    "a store between a pair": [PAIR.format("4 -> x"), "3 -> x  t <- x  u <- x"],
    "stores between an own pair": ["1 -> x  " + PAIR.format("4 -> x  7 -> x"), "3 -> x  t <- x  u <- x"],
    "two pairs with stores between": ["1 -> x  " + PAIR.format("4 -> x"), PAIR.format("3 -> x")],
    "a block between a pair": [PAIR.format(BOTH.format(4)), "3 -> x  2 -> y  t <- x  u <- y"],
    "a pair behind a block": [BOTH.format(1) + "  " + PAIR.format(""), "3 -> x  2 -> y  t <- x  u <- y"],
    "a pair in one block": ["atomic-begin  " + PAIR.format("") + "  atomic-end", "3 -> x  t <- x  u <- x"],
    "a block that loads exclusively": ["1 -> x  atomic-begin  r <- load_exclusive(x)  atomic-end  "
                                       "s <- store_exclusive(x, 5)", "3 -> x  t <- x"],
    "a block that stores exclusively": [PAIR_IN_BLOCK.format("x", "y", ""), "3 -> x  " + READS],
    "such a block behind a store": ["1 -> x  " + PAIR_IN_BLOCK.format("x", "y", "2 -> x"), "3 -> x  t <- y  u <- x"],
    "such a block behind a block": [BOTH.format(1) + "  " + PAIR_IN_BLOCK.format("x", "y", ""), "3 -> x  " + READS],
    "two such blocks": [PAIR_IN_BLOCK.format("x", "y", ""), PAIR_IN_BLOCK.format("y", "x", "")],
    "two such blocks behind stores": [
        BOTH.format(1) + "  " + PAIR_IN_BLOCK.format("x", "y", ""),
        BOTH.format(2) + "  " + PAIR_IN_BLOCK.format("y", "x", ""),
    ],
}  # fmt: skip


def program(*bodies: str) -> str:
    text = "var x : int var y : int var z : int\n"
    for number, body in enumerate(bodies):
        names = " ".join(f"var {name} : int" for name in "rstuv")
        text += f"process p{number} {{ {names} init loc S final loc E S -> E {{ {body} }} }}\n"
    return text


@pytest.mark.parametrize("machine", ["tso", "pso"])
@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape: str, machine: str) -> None:
    assert difference(program(*SHAPES[shape]), machine) is None


def test_blocks_that_wait_for_each_other_lead_nowhere() -> None:
    """Each block stores exclusively, and to what the other one's has reserved: only one of them comes in time."""
    block = "r <- load_exclusive({0})  assume r = 0  atomic-begin  s <- store_exclusive({0}, 5)  {1}  atomic-end"
    first = block.format("x", "6 -> y") + "  assume s = 0  1 -> z"
    second = block.format("y", "6 -> x") + "  assume s = 0  t <- z  assume t = 1  assert false"
    text = program(first, second)
    assert difference(text, "pso") is None
    proof = found(text, "pso", invariant=True)
    assert proof.verdict == "safe"
    assert Checker(proof, problem(xgen.parse(text), xgen.model("pso")).code).check() is None
    alone = program(first.replace("6 -> y", "6 -> z"), second)
    assert difference(alone, "pso") is None
    assert found(alone, "pso").verdict == "violation"


ENDLESS = """var x : int var y : int var z : int
process p {{ init loc A A -> A {{ {0}  {1}  {2}  {3} }} }}
process q {{ var a : int var b : int init loc A
    A -> A {{ atomic-begin  a <- x  b <- y  atomic-end  assert {4} }} }}
"""
ONE, TWO = BOTH.format(1), BOTH.format(2)


@pytest.mark.parametrize(
    ("stores", "claim", "verdict"),
    [
        (("", ONE, "", TWO), "a = b", "safe"),
        (("", ONE, "", "2 -> x"), "a = b", "violation"),
        (("1 -> z", ONE, "2 -> z", TWO), "a = b", "safe"),
        (("fence", ONE, "2 -> x", "fence"), "a >= b", "safe"),
    ],
)
def test_blocks_in_endless_loops(stores: tuple[str, ...], claim: str, verdict: str) -> None:
    """Any number of blocks wait, and nobody ever sees a half of one."""
    text = ENDLESS.format(*stores, claim)
    proof = found(text, "pso", invariant=True)
    assert proof.verdict == verdict
    if proof.invariant is None:
        assert proof.witness is not None
        return
    assert proof.abstraction.widening < 0
    code = problem(xgen.parse(text), xgen.model("pso")).code
    assert Checker(proof, code).check() is None
    for k, state in enumerate(proof.invariant):
        less = [*proof.invariant[:k], *proof.invariant[k + 1 :]]
        assert Checker(replace(proof, invariant=less), code).check() is not None, state


def test_where_single_stores_come_between_a_widened_proof_takes_blocks_apart() -> None:
    text = ENDLESS.format("2 -> x", ONE, "", "", "a <= 2")
    proof = found(text, "pso", invariant=True, limit=300)
    assert (proof.verdict, proof.abstraction.widening) == ("safe", 1)
    assert Checker(proof, problem(xgen.parse(text), xgen.model("pso")).code).check() is None
    assert found(text.replace("a <= 2", "a >= b"), "pso", limit=200).verdict == "unknown"


def test_what_waits_is_shown_with_blocks() -> None:
    proof = xgen.prove(xgen.parse(ENDLESS.format("", ONE, "", TWO, "a = b")), xgen.model("pso"), invariant=True)
    assert proof.invariant is not None
    shown = [s.values for state in proof.invariant for word in state.buffers.values() for s in word]
    assert ({"x": 1, "y": 1},) in shown


def test_a_violation_before_a_thread_that_does_nothing_for_ever_has_an_execution() -> None:
    text = "var x : int process p { init loc S final loc E S -> E { assert false } }"
    text += "process q { init loc A loc B A -> B B -> A }"
    assert found(text, "tso").witness is not None
