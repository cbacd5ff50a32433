"""Gates and numbers as clauses, against Python's integers."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from pysat.solvers import Solver

from xgen.engine.sat.gates import FALSE, TRUE
from xgen.engine.sat.numbers import Bits, Numbers, constant, value_of, wide

WORDS = 1 << 64


def word(value: int) -> int:
    """The number that the low 64 bits are, with a sign."""
    value %= WORDS
    return value - WORDS if value >= WORDS // 2 else value


def wrapped(value: int, bits: int) -> int:
    many = 1 << abs(bits)
    value %= many
    return value - many if bits < 0 and value >= many // 2 else value


def divided(a: int, b: int, truncated: bool) -> tuple[int, int]:
    if truncated:
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient, a - quotient * b
    rest = a % abs(b)
    return (a - rest) // b, rest


def number(draw: random.Random) -> int:
    bits = draw.choice([3, 8, 31, 32, 63])
    return draw.choice(
        [draw.randint(-(1 << bits), (1 << bits) - 1), draw.choice([0, 1, -1, 2, 8, -(2**63), 2**63 - 1])]
    )


def solved(clauses: list[list[int]]) -> Callable[[int], bool] | None:
    with Solver(name="cadical195", bootstrap_with=clauses) as solver:
        if not solver.solve():
            return None
        model = solver.get_model()
    return lambda literal: (model[abs(literal) - 1] > 0) == (literal > 0)


def given(gates: Numbers, value: int, known: bool) -> Bits:
    """A number that has to be this, which is known before or not."""
    if known:
        return constant(value)
    bits = gates.fresh(value, value)
    for bit, own in zip(bits, constant(value), strict=True):
        gates.clause(bit if own == TRUE else -bit)
    return bits


@pytest.mark.parametrize("seed", range(12))
def test_operations(seed: int) -> None:
    draw, seen = random.Random(seed), 0
    for _ in range(25):
        clauses: list[list[int]] = []
        gates = Numbers(clauses.append)
        a, b, bits, distance = (
            number(draw),
            number(draw),
            draw.choice([-64, -32, -8, -1, 1, 8, 32, 63]),
            draw.randint(0, 63),
        )
        x, y = given(gates, a, draw.random() < 0.3), given(gates, b, draw.random() < 0.3)
        by = given(gates, distance, draw.random() < 0.5)
        cases = {
            "add": (gates.add(x, y), a + b),
            "subtract": (gates.subtract(x, y), a - b),
            "negate": (gates.negate(x), -a),
            "invert": (gates.invert(x), ~a),
            "and": (gates.bitwise(gates.both, x, y), a & b),
            "or": (gates.bitwise(gates.either, x, y), a | b),
            "xor": (gates.bitwise(gates.xor, x, y), a ^ b),
            "left": (gates.shift(x, by, left=True), word(a << distance)),
            "right": (gates.shift(x, by, left=False), word(a % WORDS >> distance)),
            "sign": (gates.shift(x, by, left=False, filled=x[-1]), a >> distance),
            "wrap": (gates.wrap(x, bits), wrapped(a, bits)),
            "less": (gates.truth(gates.less(x, y)), a < b),
            "at most": (gates.truth(gates.less(x, y, or_equal=True)), a <= b),
            "unsigned": (gates.truth(gates.less(x, y, unsigned=True)), a % WORDS < b % WORDS),
            "equal": (gates.truth(gates.equal(x, y)), a == b),
            "choose": (gates.choose(gates.less(x, y), x, y), min(a, b)),
        }
        if abs(a) < 2**16 and abs(b) < 2**16:
            cases["multiply"] = gates.multiply(x, y), a * b
        if b and (abs(a) < 2**10 and abs(b) < 2**10):
            for truncated in (True, False):
                parts = zip(gates.divide(x, y, truncated), divided(a, b, truncated), strict=True)
                cases |= {f"divide {truncated} {n}": part for n, part in enumerate(parts)}
        holds = solved(clauses)
        assert holds is not None
        for name, (found, wanted) in cases.items():
            assert value_of(found, holds) == wanted, (name, a, b, bits, distance)
            seen += 1
    assert seen > 350


def test_what_is_known_needs_no_clauses() -> None:
    gates = Numbers([].append)
    for a in range(-9, 9):
        for b in range(-9, 9):
            assert value_of(gates.add(constant(a), constant(b))) == a + b
            assert value_of(gates.multiply(constant(a), constant(b))) == a * b
            if b:
                assert tuple(map(value_of, gates.divide(constant(a), constant(b), truncated=True))) == divided(
                    a, b, True
                )
    assert gates.clauses == 1


@pytest.mark.parametrize("count", [2, 6, 9])
def test_at_most_one(count: int) -> None:
    clauses: list[list[int]] = []
    gates = Numbers(clauses.append)
    literals = [gates.new() for _ in range(count)]
    gates.at_most_one(literals)
    assert solved([*clauses, [literals[-1]]]) is not None
    for k in range(count - 1):
        assert solved([*clauses, [literals[k]], [literals[count - 1]]]) is None


def test_gates_fold_what_is_known() -> None:
    gates = Numbers([].append)
    a = gates.new()
    assert gates.both(a, -a) == FALSE == gates.all((a, FALSE)) == gates.xor(a, a)
    assert gates.either(a, TRUE) == TRUE == gates.xor(a, -a)
    assert gates.both(a, TRUE) == a == gates.pick(TRUE, a, FALSE) == gates.xor(FALSE, a)
    assert gates.clauses == 1
    assert wide(constant(-1), 3) == (TRUE,) * 3
