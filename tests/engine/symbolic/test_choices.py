"""Deadlocks of programs that choose: a process stands for ever only where it can take none of its edges."""

from __future__ import annotations

from random import Random

import pytest
from oracle.generators.choices import draw, draw_choices, text_of

import xgen
from xgen.analyses.ltl import check_formula
from xgen.engine.explicit.states import Order
from xgen.engine.explicit.unfold import unfold

MACHINES: tuple[Order, ...] = ("sc", "tso", "pso")
LIMIT = 20_000
"""States of a program that is compared: larger ones are passed over."""


def proved(text: str, memory: Order) -> str:
    return xgen.prove(xgen.parse(text), xgen.model(memory), deadlock=True).verdict


@pytest.mark.sweep
@pytest.mark.parametrize("memory", MACHINES)
@pytest.mark.parametrize("seeds", [range(60), pytest.param(range(60, 400), marks=pytest.mark.slow)], ids=str)
def test_against_checks(seeds: range, memory: Order) -> None:
    """Who would try one edge after the other for ever, in the same program with loops, stands in a deadlock."""
    verdicts = []
    for seed in seeds:
        drawn = draw(Random(seed))
        text = text_of(drawn, tries=False)
        expected = xgen.check(xgen.parse(text_of(drawn, tries=True)), xgen.model(memory), liveness=True).verdict
        found = proved(text, memory)
        assert (found != "safe") == (expected == "violation"), f"{found}, {expected}, {seed}\n{text}under {memory}"
        verdicts.append(found)
    assert min(verdicts.count("safe"), verdicts.count("deadlock")) >= len(seeds) // 10


@pytest.mark.sweep
@pytest.mark.parametrize("memory", MACHINES)
@pytest.mark.parametrize(("again", "blocks"), [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("seeds", [range(25), pytest.param(range(25, 300), marks=pytest.mark.slow)], ids=str)
def test_against_formulas(seeds: range, again: bool, blocks: bool, memory: Order) -> None:
    """That somebody comes to L0 again and again, or all end: the engine of explicit states shares no code with this."""
    compared = []
    for seed in seeds:
        text = draw_choices(Random(seed), again, blocks)
        moves = "G F p0@L0" if "final" in text else "G F p0@L0 | G F p1@L0"
        system = unfold(xgen.parse(text), memory)
        expected = check_formula(system, moves if again else "F ended(all)", memory, 3, limit=LIMIT).verdict
        found = xgen.prove(xgen.parse(text), xgen.model(memory), deadlock=True, limit=LIMIT).verdict
        if expected == "interrupted" or found == "unknown":
            continue
        assert found == ("deadlock" if expected == "fails" else "safe"), f"{expected}, {seed}\n{text}under {memory}"
        compared.append(found)
    assert {"safe", "deadlock"} == set(compared)
    assert len(compared) >= len(seeds) // 2


PROGRAM = """
var x : int var y : int var m : synthetic
process p { var c : int var d : int var s : int init loc L final loc M CHOICES }
process q { init loc L final loc M L -> M { lock(m) } }
"""


@pytest.mark.parametrize("memory", MACHINES)
@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ("loc B L -> B { c <- x ; assume c = 0 } L -> M { c <- x ; assume c /= 0 } B -> M { 1 -> x }", "safe"),
        ("L -> M { c <- x ; assume c = 1 } L -> M { c <- x ; assume c = 2 }", "deadlock"),
        ("L -> M { c <- x ; assume c = 1 } L -> M { skip }", "safe"),
        ("L -> M { c <- x ; assume c = 1 } L -> M { 1 -> x }", "safe"),
        ("L -> M { c <- x ; assume c = 1 } L -> M { lock(m) }", "deadlock"),  # who has chosen a mutex waits for it
        ("L -> M { c <- x ; assume c = 0 } L -> M { c <- x ; assume c = 1 ; lock(m) }", "safe"),
        ("L -> M { c <- cas(x, 0, 2) ; assume c = 1 } L -> M { skip }", "deadlock"),  # what has succeeded is done
        ("L -> M { c <- cas(x, 1, 2) ; assume c = 1 } L -> M { c <- x ; assume c = 0 }", "safe"),
        ("L -> M { c <- x ; d <- y ; assume d = 1 } L -> M { skip }", "deadlock"),  # so is the first load
        # The end of an edge is a step, even if nothing is done; who is behind it does not go back, but may go there.
        ("loc A L -> A { skip } L -> M { skip } A -> M { c <- x ; assume c = 1 }", "deadlock"),
        ("loc A L -> A { skip } L -> M { c <- x ; assume c = 1 } A -> M { c <- x ; assume c = 0 }", "safe"),
        ("loc A L -> A { skip } L -> M { c <- x ; assume c = 0 } A -> L { c <- x ; assume c = 1 }", "deadlock"),
        ("loc A L -> A { skip } L -> M { c <- x ; assume c = 0 } A -> L { skip }", "safe"),
        ("loc A L -> A { skip } L -> M { c <- x ; assume c = 1 } A -> L { skip }", "deadlock"),  # runs in a circle
        ("L -> M { havoc d in 0 .. 1 ; c <- x ; assume c = d }", "deadlock"),  # a value that is chosen stays
        ("L -> M { havoc d in 0 .. 1 ; c <- x ; d := c } L -> M { c <- x ; assume c = 1 }", "safe"),
        ("L -> M { s <- load_exclusive(x) ; c <- store_exclusive(x, 1) ; assume c = 0 }", "safe"),
        ("L -> M { atomic-begin ; c <- x ; d <- y ; assume d = 1 ; atomic-end } L -> M { skip }", "safe"),
        ("L -> M { atomic-begin ; c <- x ; d <- y ; assume d = 1 ; atomic-end }", "deadlock"),
        ("L -> M { atomic-begin ; 1 -> x ; d <- y ; assume d = 1 ; atomic-end } L -> M { skip }", "deadlock"),
    ],
)
def test_what_takes_a_choice_back(choices: str, expected: str, memory: Order) -> None:
    assert proved(PROGRAM.replace("CHOICES", choices), memory) == expected


@pytest.mark.parametrize("memory", MACHINES)
def test_a_broken_reservation(memory: Order) -> None:
    """A store exclusive that has to succeed does not, once another process has stored."""
    text = """
    var x : int
    process p { var c : int var s : int init loc L final loc M
      L -> M { s <- load_exclusive(x) ; c <- store_exclusive(x, 1) ; assume c = 0 } }
    process q { init loc L final loc M L -> M { 2 -> x } }
    """
    assert proved(text, memory) == "deadlock"
