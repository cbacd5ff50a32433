"""Exclusive accesses by satisfiability: which store pairs with which load, and that nothing comes between."""

from __future__ import annotations

import random

import pytest

import xgen
from xgen.engine.sat import accesses
from xgen.errors import InternalError

SHARED = "var x : int var y : int var t : int[2] "
MODELS = ("sc", "tso", "arm8", "riscv")
INCREMENT = "s := 1; while s = 1 { a <- load_exclusive(x); s <- store_exclusive(x, a + 1); }"
BODIES = [
    "a <- load_exclusive(x); s <- store_exclusive(x, a + 1);",
    "a <- load_exclusive(x); s <- store_exclusive(x, 2); assume s = 0;",
    "s <- store_exclusive(x, 1);",
    "a <- load_exclusive(y); a <- load_exclusive(x); s <- store_exclusive(x, a + 1);",
    "a <- load_exclusive(x); s <- store_exclusive(x, 1); s <- store_exclusive(x, 2);",
    "a <- load_exclusive(x); if a = 0 { a <- load_exclusive(y); } s <- store_exclusive(y, a + 2);",
    "a <- x; a <- load_exclusive(t[a mod 2]); s <- store_exclusive(t[0], 3); s -> y;",
    "a <- load_exclusive(*&x); 5 -> x; s <- store_exclusive(*(&y - 16), a + 1);",
    INCREMENT,
]


def asserting(bodies: list[str], claim: str) -> xgen.Program:
    """A program of which a last process claims something of the final state."""
    number = range(len(bodies))
    text = SHARED + "".join(f"process p{n} {{ var a : int var s : int {body} }} " for n, body in enumerate(bodies))
    ends = "".join(f"start p{n}; " for n in number) + "".join(f"join p{n}; " for n in number)
    own = "var vx : int var vy : int var v0 : int var v1 : int"
    reads = "vx <- x; vy <- y; v0 <- t[0]; v1 <- t[1];"
    return xgen.parse(f"{text} process last {{ {own} {ends}{reads} {claim} }}")


def states(bodies: list[str], model: xgen.Model) -> list[str]:
    """The final states that the explorer finds, as conditions of the last process."""
    found = xgen.check(asserting(bodies, ""), model, all_states=True)
    names = ("vx", "vy", "v0", "v1")
    return sorted({" and ".join(f"{n} = {int(o.state[f'last:{n}'])}" for n in names) for o in found.outcomes})


@pytest.mark.parametrize("number", range(len(BODIES)))
def test_outcomes_one_by_one(number: int) -> None:
    """Each final state that the explorer finds is found, and no other one."""
    bodies, under = [BODIES[number], BODIES[number * 4 % len(BODIES)]], xgen.model(MODELS[number % len(MODELS)])
    found = states(bodies, under)
    for state in found[:2]:
        loaded = asserting(bodies, f"assert not ({state});")
        assert xgen.check(loaded, under, engine="sat").verdict == "violation", state
    among = " or ".join(f"({state})" for state in found)
    assert xgen.check(asserting(bodies, f"assert {among};"), under, engine="sat").verdict == "safe"


def program(seed: int) -> str:
    """Two processes that do the same, or one, and another one that checks what it sees."""
    draw = random.Random(seed)
    lines = [
        draw.choice(
            [
                f"a <- load_exclusive({draw.choice('xxy')});",
                f"s <- store_exclusive({draw.choice('xxy')}, {draw.choice(['a + 1', '1', '2'])});",
                f"a <- {draw.choice('xy')};",
                f"{draw.choice(['1', 'a + 1'])} -> {draw.choice('xy')};",
                f"if s = {draw.choice('01')} {{ a <- load_exclusive(x); }}",
                INCREMENT,
            ]
        )
        for _ in range(draw.choice([2, 3]))
    ]
    claim = draw.choice(["b < 2", "b /= 1 or c /= 0", "b + c < 3", "b <= c + 1"])
    like = f"process p[{draw.choice([1, 2])}] {{ var a : int var s : int {' '.join(lines)} }}"
    return f"{SHARED} {like} process q {{ var b : int var c : int b <- x; c <- {draw.choice('xy')}; assert {claim}; }}"


@pytest.mark.parametrize("seed", range(8))
def test_random_programs(seed: int) -> None:
    under = xgen.model(MODELS[seed % len(MODELS)])
    loaded = xgen.parse(program(seed))
    found, wanted = xgen.check(loaded, under, engine="sat"), xgen.check(loaded, under)
    assert (found.verdict, found.exhaustive) == (wanted.verdict, wanted.exhaustive)


def test_a_store_that_pairs_with_no_load_is_not_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its pairs the solver loses an increment. The core, which makes the pairs anew, does not allow that."""
    bodies = [INCREMENT, INCREMENT]
    assert xgen.check(asserting(bodies, "assert vx = 2;"), xgen.model("sc"), engine="sat").verdict == "safe"
    pair = accesses.Accesses._pair

    def forgets(self: accesses.Accesses, *given: object) -> None:
        pair(self, *given)
        self.exclusives.clear()

    monkeypatch.setattr(accesses.Accesses, "_pair", forgets)
    with pytest.raises(InternalError, match="the model forbids it: atomic_exclusives"):
        xgen.check(asserting(bodies, "assert vx = 2;"), xgen.model("sc"), engine="sat")
