"""What C needs of the language: division and comparisons, widths of cells and updates, addresses, mutexes in cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import xgen
from xgen.program.printer import print_program

numbers = st.one_of(st.sampled_from([0, 1, -1, 2**63 - 1, -(2**63), 7, -7]), st.integers(-(2**63), 2**63 - 1))
SC = xgen.model("sc")


def value(expression: str) -> int | str:
    """What an expression is, or the kind of the violation."""
    text = f"var r : int process p {{ var x : int init loc A final loc B A -> B {{ x := {expression}; x -> r }} }}"
    result = xgen.check(xgen.parse(text), SC, all_states=True)
    if result.witness is not None:
        return result.witness.violations[0].kind
    (outcome,) = result.outcomes
    return outcome.state["r"]


def signed(number: int) -> int:
    number &= 2**64 - 1
    return number - 2**64 if number >> 63 else number


def literal(number: int) -> str:
    return f"({number})"


@given(numbers, numbers)
def test_division(a: int, b: int) -> None:
    x, y = a & (2**64 - 1), b & (2**64 - 1)
    expected: dict[str, int | str] = dict.fromkeys(("quot", "trem", "udiv", "urem"), "division-by-zero")
    if b:
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        expected = {"quot": quotient, "trem": a - b * quotient, "udiv": signed(x // y), "urem": signed(x % y)}
        if quotient == 2**63:
            expected["quot"] = "overflow"
    for name, result in expected.items():
        assert value(f"{name}({literal(a)}, {literal(b)})") == result
    assert value(f"if ult({literal(a)}, {literal(b)}) then 1 else 0") == int(x < y)
    assert value(f"if ule({literal(a)}, {literal(b)}) then 1 else 0") == int(x <= y)


@given(numbers, st.integers(-2, 65))
def test_shift(a: int, distance: int) -> None:
    expected = a >> distance if 0 <= distance <= 63 else "overflow"
    assert value(f"sar({literal(a)}, {literal(distance)})") == expected


@pytest.mark.parametrize(
    ("statements", "result"),
    [
        ("x <- wrap(fetch_add(v, 1), -32); x <- v", -(2**31)),
        ("x <- wrap(fetch_add(v, 1), 32); x <- v", 2**31),
        ("x <- wrap(fetch_sub(v, -2), 8); x <- v", 1),
        ("x <- *[-4] 4096", 2**31 - 1),
        ("x <- *4096", 2**31 - 1),
        ("x := &v", 4096),
        ("x := &a[2]", 8196),
        ("5 -> *[2] 8202", "out-of-range"),
        ("5 -> *[2] 8194; x <- a[1]", 5),
        ("x <- *[4] 4096", "mixed"),
        ("x <- *[2] 4096", "mixed"),
        ("x <- *[-4] 4098", "mixed"),
        ("x <- *[2] 8200", "out-of-range"),
        ("x <- u", "uninitialised"),
        ("3 -> u; x <- u", 3),
        ("bound(x, 2); bound(x, 2)", 2),
        ("bound(x, 2); bound(x, 2); bound(x, 2)", "cut"),
        ("cut()", "cut"),
        ("assert[bad_free] false", "bad-free"),
        ("lock(*&l); unlock(*&l); x <- l", 0),
        ("unlock(*&l)", "unlock"),
        ("lock(*&l); lock(*&l)", "deadlock"),
        ("-1 -> l; lock(*&l)", "destroyed"),
    ],
)
def test_memory(statements: str, result: int | str) -> None:
    text = f"""
var v : int (2147483647) @ 4096 : -4
var a : int[4] @ 8192 : 2
var u : int (-) @ 16384 : 8
var l : int @ 20480
var r : int
process p {{ var x : int init loc A loc B final loc C A -> B {{ {statements} }} B -> C {{ x -> r }} }}"""
    program = xgen.parse(text)
    assert xgen.parse(print_program(program)) == program
    try:
        found = xgen.check(program, SC, all_states=True)
    except xgen.UnsupportedError:
        assert result == "mixed"
        return
    if found.witness is not None:
        assert found.witness.violations[0].kind.replace("bad-address", "out-of-range") == result
    elif found.bounded:
        assert result == "cut"
    else:
        assert [outcome.state["r"] for outcome in found.outcomes] == [result]
