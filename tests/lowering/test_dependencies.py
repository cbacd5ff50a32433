"""The kinds of dependencies that a program can have: never fewer than its executions have."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from oracle.generators.retrying import retrying_program
from oracle.strategies import Features, random_program

import xgen
from xgen.lowering.threads import lower

WEAK = xgen.parse_model("r = po & loc | rf | mo | fr\nr acyclic\nd = addr | data | ctrl | rf\nd acyclic")
KINDS = {
    "": "",
    "a <- x; 1 -> x; fence": "",
    "a <- x; a -> y": "data",
    "a <- x; a <- t[a]": "addr ctrl",
    "a <- x; 1 -> t[a]": "addr ctrl",
    "fetch_add(x, 1); exchange(x, 2)": "",
    "fetch_add(x, a)": "data",
    "exchange(t[a], 1)": "addr ctrl",
    "cas(x, 0, 1)": "ctrl",
    "cas(x, a, 1)": "data ctrl",
    "a <- x; assume a = 0": "ctrl",
    "a <- x; a := a + 1; a -> y": "data ctrl",
    "havoc a in 0 .. 1; a -> x": "data ctrl",
    "a <- load_exclusive(x); b <- store_exclusive(x, 1)": "ctrl",
}
"""What computes may decide whether the thread goes on: of that it is not told apart what does not."""


@pytest.mark.parametrize("text", KINDS)
def test_kinds(text: str) -> None:
    program = xgen.parse(
        "var x : int  var y : int  var t : int[2]\n"
        f"process p {{ var a : int  var b : int  init loc S  final loc E  S -> E {{ {text} }} }}"
    )
    assert lower(program).dependencies == set(KINDS[text].split())


FEATURES = Features(rmws=15, arrays=15, exclusives=10)


@pytest.mark.parametrize("seed", range(40))
def test_executions_have_no_others(seed: int) -> None:
    rng = Random(f"kinds {seed}")
    drawn = retrying_program(rng) if seed % 2 else random_program(rng, FEATURES)
    program = xgen.parse(str(drawn))
    found = {
        name
        for execution in islice(xgen.executions(program, WEAK, max_depth=6, dependencies=True), 200)
        for name in ("addr", "data", "ctrl")
        if getattr(execution, name)
    }
    assert found <= lower(program).dependencies
