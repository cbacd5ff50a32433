"""Rows of all widths: what is in front of a decision, and adds nothing to it, changes neither counts nor outcomes.

The decision comes when the graph has about as many events as a row has bits, so that the next width begins before it,
at it, or between the two events of an update.
"""

from __future__ import annotations

import pytest

import xgen
from xgen import Program, Result

LAST = {
    "cas": "r <- cas(x, 0, 1); s <- y; 3 -> x",
    "two cas": "r <- cas(x, 0, 1); s <- cas(y, 0, 1)",
    "fetch_add": "r <- fetch_add(x, 1); s <- y; 3 -> x",
    "lock": "lock(m); 3 -> x; r <- y; unlock(m)",
    "havoc": "havoc r in 0 .. 1; havoc s in 0 .. 1; r + s -> x; 3 -> y",
    "plain": "3 -> x; r <- y; 4 -> x; s <- x",
    "exclusives": "r <- load_exclusive(x); s <- store_exclusive(x, 3); t <- y",
    "atomic block": "atomic-begin; r <- x; 3 -> x; atomic-end; s <- y",
    "address": "r <- y; r -> a[r mod 2]; s <- x; t <- a[0]",
}
"""What the padded thread does in the end; `choice` has two edges."""
CHOICE = ("3 -> x; r <- y", "4 -> y; s <- x; 3 -> x")
OTHER = {"lock": "lock(m); t <- y; r <- x; 2 -> x; 2 -> y; unlock(m)"}
PADS = [*range(50, 65), *range(114, 129), *range(242, 257)]


def padded(kind: str, pads: int) -> Program:
    """Fences, then a decision, against a thread that reads and writes what it is about."""
    edges = CHOICE if kind == "choice" else (LAST[kind],)
    other = OTHER.get(kind, "t <- y; r <- x; 2 -> x; 2 -> y")
    text = "var x : int  var y : int  var a : int[2]  var m : synthetic"
    for number, (front, ends) in enumerate(((pads, edges), (0, (other,)))):
        text += f" process p{number} {{ var r : int  var s : int  var t : int  init loc S  loc M  final loc E"
        text += f" S -> M {{ {'fence; ' * front}skip }}" + "".join(f" M -> E {{ {end} }}" for end in ends) + " }"
    return xgen.parse(text)


def answer(result: Result) -> tuple[object, ...]:
    """What does not depend on the padding."""
    outcomes = [(tuple(o.state.items()), o.count) for o in result.outcomes]
    return result.executions, result.blocked, result.bounded, result.dead_ends, result.duplicates, outcomes


@pytest.mark.sweep
@pytest.mark.parametrize("kind", [*LAST, "choice"])
@pytest.mark.parametrize("model", ["coherence", "arm8", "lkmm", "sc", "weak"])
def test_what_comes_before_a_decision_does_not_change_it(kind: str, model: str) -> None:
    checked = xgen.model(model)
    pads = PADS[::2] if model == "coherence" else PADS[12::15]
    want = answer(xgen.check(padded(kind, 3), checked, all_states=True, trace_limit=0))
    assert want[0] or want[1]
    for n in pads:
        assert answer(xgen.check(padded(kind, n), checked, all_states=True, trace_limit=0)) == want, n


@pytest.mark.parametrize("pads", [56, 57, 58, 120, 121, 122])
def test_what_sc_allows_coherence_allows(pads: int) -> None:
    """Whatever the width: sc's outcomes are among those of a model that forbids less."""
    program = padded("cas", pads)
    strong, weak = (
        xgen.check(program, xgen.model(name), all_states=True, trace_limit=0) for name in ("sc", "coherence")
    )
    seen = {tuple(outcome.state.items()) for outcome in weak.outcomes}
    assert {tuple(outcome.state.items()) for outcome in strong.outcomes} <= seen
