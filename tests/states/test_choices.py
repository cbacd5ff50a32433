"""Choices among edges: a step is taken only where the conditions on it hold, as the explorer blocks no other way.

Random programs, whose edges load before they look at what they loaded, against `xgen check --liveness` of the same
programs with loops in their place: one edge after the other is tried, until one of them can be taken.
"""

from __future__ import annotations

from random import Random

import pytest
from oracle.generators.choices import Drawn, draw, text_of

import xgen
from xgen.analyses.ltl import check_formula
from xgen.engine.explicit.states import Order
from xgen.engine.explicit.unfold import unfold
from xgen.executions.result import Result

from .test_programs import LIMIT, MACHINES, difference, spelled, verdict


def exhaustive(drawn: Drawn) -> bool:
    """Whether at each place some edge can be taken."""
    choices = [ways for places in drawn for ways in places if not isinstance(ways, str)]
    return all(
        [w.access for w in ways] == [ways[0].access] * 2 and ways[0].condition == ways[1].other for ways in choices
    )


@pytest.mark.sweep
@pytest.mark.parametrize("memory", MACHINES)
@pytest.mark.parametrize("seeds", [range(60), pytest.param(range(60, 400), marks=pytest.mark.slow)], ids=str)
def test_who_waits_at_a_choice(seeds: range, memory: Order) -> None:
    """Who cannot take any edge waits, for as long as that is so."""
    model = xgen.model(memory)
    verdicts, total = [], 0
    for seed in seeds:
        drawn = draw(Random(seed))
        text = text_of(drawn, tries=False)
        expected = xgen.check(xgen.parse(text_of(drawn, tries=True)), model, liveness=True).verdict
        system = unfold(xgen.parse(text), memory)
        found = check_formula(system, "F ended(all)", memory, 8, limit=LIMIT).verdict
        wrong = found in ("fails", "error")  # or an assertion does not hold
        assert wrong == (expected == "violation"), f"{found}, {expected}, {seed}\n{text}under {memory}"
        verdicts.append(found)
        if exhaustive(drawn):
            assert xgen.check(xgen.parse(text), model, liveness=True).verdict == expected, text
            total += 1
    assert min(verdicts.count("holds"), verdicts.count("fails"), total) >= len(seeds) // 10


def in_memory(result: Result) -> set[str]:
    """What memory holds in the end."""
    return {spelled({name: v for name, v in o.state.items() if ":" not in name}) for o in result.outcomes}


@pytest.mark.sweep
@pytest.mark.parametrize("memory", MACHINES)
def test_final_states(memory: Order) -> None:
    """Those of the program with loops, and those of the executions of the program itself that are not blocked."""
    compared = 0
    for seed in range(1000, 1040):
        drawn = draw(Random(seed))
        text = text_of(drawn, tries=False)
        found = difference(text, memory)
        assert found in (None, "passed over"), f"{found}\n{text}under {memory}"
        compared += found is None
        tried = xgen.check(xgen.parse(text_of(drawn, tries=True)), xgen.model(memory), all_states=True)
        direct = xgen.check(xgen.parse(text), xgen.model(memory), all_states=True)
        assert in_memory(tried) == in_memory(direct), text
    assert compared >= 20


HELD = """
var x : int var m : synthetic
process p { var c : int var d : int init loc L final loc M CHOICES }
process q { init loc L final loc M L -> M { lock(m) } }
"""


@pytest.mark.parametrize("memory", MACHINES)
@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ("L -> M { c <- x ; assume c = 1 } L -> M { skip }", "holds"),
        ("L -> M { c <- x ; assume c = 1 } L -> M { assume c = 1 }", "fails"),
        ("L -> M { c <- x ; d := c + 1 ; assume d = 1 }", "holds"),
        ("L -> M { c <- cas(x, 1, 2) ; assume c = 1 } L -> M { c <- x ; assume c = 0 }", "holds"),
        ("L -> M { c <- cas(x, 0, 2) ; assume c = 1 } L -> M { skip }", "fails"),  # what has succeeded is done
        ("L -> M { 1 -> x ; assume c = 1 } L -> M { skip }", "fails"),
        ("L -> M { fence ; assume c = 1 } L -> M { skip }", "fails"),
        ("L -> M { havoc c in 0 .. 1 ; assume c = 1 }", "holds"),
        ("L -> M { havoc c in 0 .. 0 ; assume c = 1 } L -> M { skip }", "holds"),
        ("L -> M { havoc c in 1 .. 0 } L -> M { skip }", "holds"),
        ("L -> M { c := 1 ; assert c = 1 ; assume c = 2 } L -> M { skip }", "holds"),
        ("L -> M { c := 1 ; assert c = 2 ; assume c = 1 } L -> M { skip }", "error"),
        ("L -> M { c <- x ; assert c = 1 ; assume c = 1 } L -> M { skip }", "error"),
        ("L -> M { c <- x ; assert c = 0 ; assume c = 1 ; 1 -> x } L -> M { skip }", "holds"),
        ("L -> M { c <- x ; havoc d in 1 .. 2 ; assert d < 3 ; assume d = c + 2 }", "holds"),
        ("L -> M { s <- load_exclusive(x) ; c <- store_exclusive(x, 1) ; assume c = 0 }", "holds"),
        ("L -> M { atomic-begin ; c <- x ; assume c = 1 ; 1 -> x ; atomic-end } L -> M { skip }", "holds"),
        ("L -> M { atomic-begin ; c <- x ; assume c = 1 ; 1 -> x ; atomic-end }", "fails"),
        ("L -> M { atomic-begin ; 1 -> x ; c <- x ; assume c = 2 ; atomic-end } L -> M { skip }", "fails"),
        ("L -> M { atomic-begin ; c <- x ; assert c = 1 ; assume c = 1 ; atomic-end } L -> M { skip }", "error"),
        ("loc A L -> A { atomic-begin ; c <- x } A -> M { assume c = 1 ; atomic-end } L -> M { skip }", "holds"),
        ("loc A L -> A { atomic-begin ; 1 -> x } A -> M { assume c = 1 ; atomic-end } L -> M { skip }", "fails"),
        ("L -> M { lock(m) } L -> M { skip }", "fails"),  # who has chosen a mutex waits for it
        ("L -> M { c <- x ; assume c = 0 } L -> M { c <- x ; assume c = 1 ; lock(m) }", "holds"),
    ],
)
def test_what_takes_a_choice_back(choices: str, expected: str, memory: Order) -> None:
    """What others have seen does not: the process then stands still. And what is claimed on the way is claimed."""
    text = HELD.replace("CHOICES", choices).replace("var d : int", "var d : int var s : int")
    assert verdict(text, "F ended(all)", memory) == expected
    checked = xgen.check(xgen.parse(text), xgen.model(memory), liveness=True)
    if checked.blocked == checked.stuck or expected == "error":  # else some are none that were asked about
        assert checked.verdict == ("safe" if expected == "holds" else "violation")
