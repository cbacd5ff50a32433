"""Handshakes over channels: two processes move at once, against a search of our own."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from xgen.analyses.ltl import check_formula
from xgen.engine.explicit.states import Order
from xgen.errors import ProgramError, Source
from xgen.frontends.dve import System, read_dve

TEXT = """
channel c;
byte x;
process P { byte r; state a, b; init a; trans a -> b { guard r == 0; sync c!x + 7; effect r = 1, x = 2; }; }
process Q { byte v; state a, b; init a; trans a -> b { sync c?v; effect v = v + x; }; }
system async;
"""


def read(text: str) -> System:
    return read_dve(Source("channels.dve", text))


def holds(text: str, formula: str, memory: Order = "sc") -> bool:
    return check_formula(read(text), formula, memory).verdict == "holds"


@pytest.mark.parametrize("memory", ["sc", "tso", "pso"])
def test_a_handshake(memory: Order) -> None:
    """What is sent is stored first, then come the effects of who sends, then those of who receives."""
    assert check_formula(read(TEXT), "G true", memory).states == 2
    assert holds(TEXT, "F (P@b & Q@b & P.r = 1 & x = 2 & Q.v = 9)", memory)
    assert holds(TEXT, "G (P@b <-> Q@b)", memory)


def test_nobody_to_shake_hands_with() -> None:
    assert holds(TEXT.replace("sync c?v;", "guard x == 5; sync c?v;"), "G P@a")
    alone = "channel c; process P { state a, b; init a; trans a -> b { sync c!; }, a -> b { sync c?; }; } system async;"
    assert holds(alone, "G P@a")


def test_stores_are_in_memory_after_a_handshake() -> None:
    """It waits, as a fence does, for the stores of both."""
    text = """
channel c;
byte x, y;
process P { state a, b, d; init a; trans a -> b { effect x = 1; }, b -> d { sync c!; }; }
process Q { state a, b, d; init a; trans a -> b { effect y = 1; }, b -> d { sync c?; }; }
system async;
"""
    for memory in ("tso", "pso"):
        assert holds(text, "G (P@d -> x = 1 & y = 1) & F (P@d & Q@d)", memory)


def test_committed_places() -> None:
    """While a process stands at one, it takes part in each step."""
    text = """
channel c;
byte x;
process P { state a, b; init a; commit a; trans a -> b { sync c!; }; }
process Q { state a, b; init a; trans a -> b { sync c?; }, a -> b { effect x = 1; }; }
system async;
"""
    assert holds(text, "G x = 0 & F P@b")


def test_nothing_is_sent() -> None:
    with pytest.raises(ProgramError, match="nothing is sent over `c` that could be stored") as caught:
        read(TEXT.replace("c!x + 7", "c!"))
    assert (caught.value.line, caught.value.column) == (5, 61)


# --- Random systems --------------------------------------------------------------------------------------------------

Step = tuple[int, int, str, str]  # from, to, what, of which channel or variable


def draw(rng: random.Random) -> list[list[Step]]:
    kinds = ("send", "receive", "write", "read", "wait")
    return [
        [(rng.randrange(3), rng.randrange(3), rng.choice(kinds), rng.choice("cd")) for _ in range(rng.randint(2, 5))]
        for _ in range(3)
    ]


def spelled(processes: list[list[Step]]) -> str:
    lines = ["channel c, d; byte xc, xd;"]
    for number, steps in enumerate(processes):
        texts = {
            "send": "sync {0}!r + 1;",
            "receive": "sync {0}?r; effect r = r % 3;",
            "write": f"effect x{{0}} = (r + {number}) % 3;",
            "read": "effect r = x{0};",
            "wait": "guard x{0} == r;",
        }
        moves = ", ".join(f"s{a} -> s{b} {{ {texts[kind].format(what)} }}" for a, b, kind, what in steps)
        lines.append(f"process P_{number} {{ byte r; state s0, s1, s2; init s0; trans {moves}; }}")
    return "\n".join([*lines, "system async;"])


State = tuple[tuple[int, ...], tuple[int, ...], tuple[int, int]]  # places, locals, memory


def after(processes: list[list[Step]], state: State) -> Iterator[State]:
    places, held, memory = state

    def moved(changes: dict[int, tuple[int, int]], cells: tuple[int, int] = memory) -> State:
        return (
            tuple(changes[p][0] if p in changes else place for p, place in enumerate(places)),
            tuple(changes[p][1] if p in changes else value for p, value in enumerate(held)),
            cells,
        )

    for p, steps in enumerate(processes):
        for origin, target, kind, what in steps:
            cell = "cd".index(what)
            if places[p] != origin or (kind == "wait" and memory[cell] != held[p]):
                continue
            if kind == "write":
                value = (held[p] + p) % 3
                yield moved({p: (target, held[p])}, (value, memory[1]) if cell == 0 else (memory[0], value))
            elif kind in ("read", "wait"):
                yield moved({p: (target, memory[cell] if kind == "read" else held[p])})
            elif kind == "send":
                for q, others in enumerate(processes):
                    for their_origin, their_target, their_kind, channel in others:
                        if q != p and their_kind == "receive" and channel == what and places[q] == their_origin:
                            yield moved({p: (target, held[p]), q: (their_target, (held[p] + 1) % 3)})


def test_random_systems() -> None:
    """The numbers of states."""
    shaken = 0
    for seed in range(200):
        processes = draw(random.Random(seed))
        seen: set[State] = {((0, 0, 0), (0, 0, 0), (0, 0))}
        todo = list(seen)
        for state in todo:
            for other in after(processes, state):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        system = read(spelled(processes))
        assert check_formula(system, "G true", "sc").states == len(seen), seed
        shaken += any(transition.partner for transition in system.transitions) and len(seen) > 10
    assert shaken >= 20
