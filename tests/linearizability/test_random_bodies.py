"""Operations of random bodies under sc: the verdict, against interleavings of their steps and all permutations.

The oracle knows nothing of graphs, flags or clients of C: it runs the steps of three calls in every order, notes which
call has returned before which one starts (Herlihy and Wing), and looks for an order of whole calls.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations_with_replacement, permutations
from pathlib import Path

import pytest

import xgen

Body = tuple[tuple[str, str, int], ...]
"""Steps (what, variable, number), each of which is one access: `read x` into the register, `write x` of a number, `give
x` of the register plus a number, `add x` of a number with the old value in the register, `take x` if it is 0, by
writing a number, with whether it was in the register; and one that is none: `stop` if the register is a number."""
NAMES = "abc"


def body(rnd: random.Random) -> Body:
    return tuple(
        (rnd.choice(["read", "read", "write", "give", "add", "take", "stop"]), rnd.choice("xy"), rnd.randint(1, 2))
        for _ in range(rnd.randint(1, 3))
    )


def in_c(bodies: dict[str, Body]) -> str:
    text = "#include <stdatomic.h>\nstruct { atomic_int x; struct { atomic_int y; } in; } s;\n"
    place = {"x": "s.x", "y": "s.in.y"}
    for name, steps in bodies.items():
        text += f"int {name}(void) {{ int r = 0;\n"
        for what, v, n in steps:
            text += {
                "read": f"  r = atomic_load(&{place[v]});\n",
                "write": f"  atomic_store(&{place[v]}, {n});\n",
                "give": f"  atomic_store(&{place[v]}, r + {n});\n",
                "add": f"  r = atomic_fetch_add(&{place[v]}, {n});\n",
                "take": f"  {{ int free = 0; r = atomic_compare_exchange_strong(&{place[v]}, &free, {n}); }}\n",
                "stop": f"  if (r == {n}) return r;\n",
            }[what]
        text += "  return r; }\n"
    return text


def do(step: tuple[str, str, int], memory: dict[str, int], register: int) -> tuple[dict[str, int], int]:
    what, v, n = step
    if what == "read":
        return memory, memory[v]
    if what == "write":
        return {**memory, v: n}, register
    if what == "give":
        return {**memory, v: register + n}, register
    if what == "add":
        return {**memory, v: memory[v] + n}, memory[v]
    if what == "take":
        return ({**memory, v: n}, 1) if memory[v] == 0 else (memory, 0)
    return memory, register


def ends(step: tuple[str, str, int], register: int) -> bool:
    """Whether a call returns at a step."""
    return step[0] == "stop" and register == step[2]


def alone(calls: list[Body], order: tuple[int, ...]) -> tuple[int, ...]:
    """What calls return that are made one after the other."""
    memory, results = {"x": 0, "y": 0}, [0] * len(calls)
    for k in order:
        register = 0
        for step in calls[k]:
            memory, register = do(step, memory, register)
            if ends(step, register):
                break
        results[k] = register
    return tuple(results)


def together(calls: list[Body]) -> Iterator[tuple[tuple[int, ...], frozenset[tuple[int, int]]]]:
    """Results with the pairs of calls of which the one has returned before the other starts."""

    def go(at: list[int], memory: dict[str, int], registers: list[int], past: frozenset[tuple[int, int]]) -> Iterator:
        moved = False
        for k, steps in enumerate(calls):
            if at[k] == len(steps):
                continue
            moved = True
            before = [(j, k) for j in range(len(calls)) if at[k] == 0 and at[j] == len(calls[j])]
            after, register = do(steps[at[k]], memory, registers[k])
            following = len(steps) if ends(steps[at[k]], register) else at[k] + 1
            yield from go(
                [following if j == k else a for j, a in enumerate(at)],
                after,
                [register if j == k else r for j, r in enumerate(registers)],
                past.union(before),
            )
        if not moved:
            yield tuple(registers), past

    yield from set(go([0] * len(calls), {"x": 0, "y": 0}, [0] * len(calls), frozenset()))


def is_right(calls: list[Body]) -> bool:
    orders = list(permutations(range(len(calls))))
    for results, past in together(calls):
        if not any(
            alone(calls, order) == results and all(order.index(a) < order.index(b) for a, b in past) for order in orders
        ):
            return False
    return True


@pytest.mark.parametrize("seed", range(14))
def test_under_sc_as_herlihy_and_wing_say(seed: int, tmp_path: Path) -> None:
    """Two seeds in three are right in clients of two calls, and go on to three."""
    rnd = random.Random(seed)
    bodies = {name: body(rnd) for name in NAMES[: 2 if seed % 2 else 3]}
    most = 3 if len(bodies) == 2 else 2
    wanted = first = None
    number = 0
    for size in range(2, most + 1):
        for bag in combinations_with_replacement(sorted(bodies), size):
            number += 1
            if first is None and not is_right([bodies[name] for name in bag]):
                first, wanted = number, bag
    (tmp_path / "object.c").write_text(in_c(bodies))
    answer = xgen.linearizable(
        tmp_path / "object.c",
        model=xgen.model("sc"),
        calls=most,
        ops=",".join(f"do={name}" for name in bodies),
    )
    assert answer.verdict == ("linearizable" if first is None else "not-linearizable"), in_c(bodies)
    assert answer.clients == (number if first is None else first)
    if wanted is not None:
        assert answer.wrong is not None
        assert sorted(call.name for row in answer.wrong.client.threads for call in row) == sorted(wanted)


def test_the_seeds_are_of_both_kinds() -> None:
    kinds = set()
    for seed in range(14):
        rnd = random.Random(seed)
        bodies = {name: body(rnd) for name in NAMES[: 2 if seed % 2 else 3]}
        most = 3 if len(bodies) == 2 else 2
        sizes = range(2, most + 1)
        bags = [bag for size in sizes for bag in combinations_with_replacement(sorted(bodies), size)]
        kinds.add(all(is_right([bodies[name] for name in bag]) for bag in bags))
    assert kinds == {True, False}
