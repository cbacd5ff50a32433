"""Lowering of pointers, wide updates and exclusives: their code, and what it does when threads take turns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from program.interleavings import HIGHEST, LOWEST, Result, explore

from xgen import program
from xgen._core import Op
from xgen.errors import Source
from xgen.lowering.code import NO_DEPENDENCY, Code, EventClass
from xgen.lowering.dump import dump_code
from xgen.lowering.threads import lower

SHARED = "var x : int var b : bool var a : int[4] (5, 6, 7, 8) var m : synthetic var y : int (9)"


def statement(text: str, shared: str = SHARED) -> Code:
    process = f"process p {{ var i : int var j : int var c : bool init loc L final loc K L -> K {{ {text} }} }}"
    return lower(program.parse(Source("test.xcfa", f"{shared} {process}")))


def run(text: str) -> Result:
    return explore(statement(text))


def last(text: str, name: str) -> int:
    """The value of a variable in the end of the one execution."""
    (final,) = run(text).finals
    return dict(final)[name]


# ---- addresses -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("&x", 16),
        ("&a[0]", 48),
        ("&a[3]", 96),
        ("&y", 128),
        ("&a[1] - &a[0]", 16),
        ("&*i", 0),
        ("&*&y", 128),
        ("&a[i + 2]", 80),
    ],
)
def test_addresses(expression: str, value: int) -> None:
    """Cells are numbered from 0 in the order of declaration; bools and mutexes count."""
    assert last(f"i := {expression}", "p:i") == value


@pytest.mark.parametrize("address", ["&a[2]", "&a[0] + 32", "80", "&a[i + 2]"])
def test_a_pointer_leads_to_its_cell(address: str) -> None:
    assert last(f"j := {address}; i <- *j", "p:i") == 7
    assert last(f"j := {address}; 1 -> *j; i <- a[2]", "p:i") == 1
    assert last(f"j := {address}; fetch_add(*j, 10); i <- a[2]", "p:i") == 17
    assert last(f"i <- *({address})", "p:i") == 7


@pytest.mark.parametrize("address", [0, -16, 8, 15, 17, 32, 112, 144, LOWEST, HIGHEST])
def test_a_pointer_to_no_cell_for_ints(address: int) -> None:
    """Not the address of a cell, or that of b (32) or m (112)."""
    for text in (f"i <- *{address}", f"1 -> *({address})", f"exchange(*({address}), 1)", f"j := {address}; i <- *j"):
        result = run(text.replace(f"*{address}", f"*({address})"))
        assert (result.errors, result.finals) == ({("p", "range")}, set())


def test_a_right_side_that_may_be_out_of_range_is_not_always_computed() -> None:
    assert last("c := i < 0 and &a[i - 9] = 48; i := if c then 1 else 2", "p:i") == 2
    assert run("c := i = 0 and &a[i - 9] = 48").errors == {("p", "range")}


# ---- updates -------------------------------------------------------------------------------------------------------

numbers = st.integers(LOWEST, HIGHEST) | st.integers(-2, 2)


@given(numbers, numbers)
def test_updates(old: int, operand: int) -> None:
    unsigned = {value: value % 2**64 for value in (old, operand)}
    expected = {
        "fetch_min": min(old, operand),
        "fetch_max": max(old, operand),
        "fetch_umin": min(old, operand, key=unsigned.__getitem__),
        "fetch_umax": max(old, operand, key=unsigned.__getitem__),
        "fetch_andnot": old & ~operand,
    }
    for op, value in expected.items():
        (final,) = run(f"{old} -> x; i <- {op}(x, {operand})").finals
        assert (dict(final)["p:i"], dict(final)["x"]) == (old, value)


def test_add_unless() -> None:
    assert last("i <- add_unless(x, 3, 1)", "x") == 3
    assert last("i <- add_unless(x, 3, 0)", "x") == 0
    assert run(f"{HIGHEST} -> x; add_unless(x, 1, 0)").errors == {("p", "overflow")}


# ---- tags ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("i <- x @ acquire @ near", [("R", "acquire near")]),
        ("1 -> x atomic @ release @ rcu-lock", [("W", "atomic release rcu-lock")]),
        ("fence dmb.sy", [("F", "dmb.sy")]),
        ("fence[dmb.sy, x] @ rcu-lock @ a.b-c", [("F", "dmb.sy x rcu-lock a.b-c")]),
        ("fetch_add(x, 1) @ once @ W[release]", [("R", "once rmw"), ("W", "computed once release rmw")]),
        ("fetch_add(x, 1) @ R[acquire, near] @ W[release]", [("R", "acquire near rmw"), ("W", "computed release rmw")]),
        ("fetch_add(x, 1) @ once @ near", [("R", "once near rmw"), ("W", "computed once near rmw")]),
        (
            "cas(x, 1, 2) @ acq_rel, relaxed @ R[near] @ W[far]",
            [("R", "acq_rel near rmw"), ("R", "failed relaxed near"), ("W", "acq_rel far rmw")],
        ),
        ("i <- load_exclusive(x) atomic @ acquire", [("R", "acquire atomic exclusive")]),
        ("i <- store_exclusive(x, 1) @ release @ near", [("W", "exclusive near release")]),
    ],
)
def test_tags(text: str, classes: list[tuple[str, str]]) -> None:
    expected = {EventClass(kind, frozenset(tags.split())) for kind, tags in classes}  # type: ignore[arg-type]
    assert set(statement(text).classes[1:]) == expected


# ---- exclusives ----------------------------------------------------------------------------------------------------


def test_a_store_exclusive_is_a_choice() -> None:
    lowered = statement("i <- load_exclusive(*j) i <- store_exclusive(x, j + 1)")
    lines = [
        line[7:44].rstrip() for line in dump_code(lowered).split("thread p\n")[1].splitlines() if line[4].isdigit()
    ]
    assert lines == [
        "t0 := cell at r1",
        "r0 <- [t0] @ exclusive",
        "choose 3 9",
        "t0 := r1 + 1",
        "t1 := 0 + 1",
        "t1 := t1 = r3",
        "assume t1 (no dependency)",
        "t0 -> x, r0 := 0 @ exclusive",
        "goto 12",
        "r3 := 0",
        "r0 := 1",
        "goto 12",
        "end",
    ]
    assert [i.c for i in lowered.instructions if i.op is Op.ASSUME] == [NO_DEPENDENCY]
    assert (lowered.threads[0].reservation, [local.name for local in lowered.threads[0].locals[3:]]) == (
        3,
        ["reserved", "reserved by"],
    )
    assert statement("i <- x").threads[0].reservation == -1
