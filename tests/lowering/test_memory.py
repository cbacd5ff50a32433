"""Lowering of arrays, updates and mutexes: their code, and what it does when threads take turns."""

from __future__ import annotations

import pytest
from program.interleavings import HIGHEST, LOWEST, Result, explore

from xgen import program
from xgen._core import Op, RmwKind
from xgen.errors import LimitError, Source
from xgen.lowering.code import UNLOCK, Code, EventClass, Instruction
from xgen.lowering.dump import dump_code
from xgen.lowering.threads import lower

SHARED = "var x : int var b : bool var a : int[4] (5, 6, 7, 8) var g : int[2][3] (0, 1, 2, 3, 4, 5) var m : synthetic"


def code(text: str) -> Code:
    return lower(program.parse(Source("test.xcfa", text)))


def statement(text: str) -> Code:
    """A process with these statements; its registers are those of i, j and c, and that of the mutex if it is used."""
    return code(
        f"{SHARED} process p {{ var i : int var j : int var c : bool init loc L final loc K L -> K {{ {text} }} }}"
    )


def instructions(lowered: Code) -> list[Instruction]:
    """Without the END."""
    return lowered.instructions[:-1]


def finals(result: Result, *names: str) -> list[tuple[int, ...]]:
    """The values that these variables have in the end."""
    return sorted(tuple(dict(final)[name] for name in names) for final in result.finals)


# ---- arrays --------------------------------------------------------------------------------------------------------


def test_cells() -> None:
    lowered = code(
        "var x : int (1) var g : bool[2][2] (true, false, false, true) var m : synthetic var y : int "
        "process p { init loc L }"
    )
    assert [(cell.name, cell.type) for cell in lowered.cells] == [
        ("x", "int"),
        *((f"g[{i}][{j}]", "bool") for i in (0, 1) for j in (0, 1)),
        ("m", "mutex"),
        ("y", "int"),
    ]
    assert lowered.initial == (1, 1, 0, 0, 1, 0, 0)
    assert lowered.scalars == (0, 6)


def test_arrays_start_with_zeros() -> None:
    assert code("var a : int[3][2] process p { init loc L }").initial == (0,) * 6


def test_too_many_cells() -> None:
    assert len(code("var a : int[4000][4] process p { init loc L }").cells) == 16_000
    for text in ("var x : int\nvar a : int[16000]", "\nvar a : int[9000000000000000000][9000000000000000000]"):
        with pytest.raises(LimitError) as info:
            code(f"{text} process p {{ init loc L }}")
        assert (info.value.line, info.value.message) == (2, "the shared variables have more than 16,000 cells in all")


@pytest.mark.parametrize(("place", "cell"), [("x", 0), ("a[0]", 2), ("a[3]", 5), ("g[0][0]", 6), ("g[1][2]", 11)])
def test_constant_indices(place: str, cell: int) -> None:
    (load,) = instructions(lowered := statement(f"i <- {place}"))
    assert (load.op, lowered.constants[~load.a]) == (Op.LOAD, cell)


@pytest.mark.parametrize(
    ("place", "ops"),
    [
        ("a[i]", [Op.INDEX]),
        ("a[i + 1]", [Op.ADD, Op.INDEX]),
        ("a[4]", [Op.INDEX]),
        ("g[1][j]", [Op.INDEX]),
        ("g[i][1]", [Op.INDEX, Op.MUL, Op.ADD]),
        ("g[i][j]", [Op.INDEX, Op.MUL, Op.ADD, Op.INDEX, Op.ADD]),
    ],
)
def test_computed_indices(place: str, ops: list[Op]) -> None:
    assert [i.op for i in instructions(statement(f"i <- {place}"))] == [*ops, Op.LOAD]
    assert [i.op for i in instructions(statement(f"i -> {place}"))] == [*ops, Op.STORE]
    assert [i.op for i in instructions(statement(f"i <- exchange({place}, 1)"))] == [*ops, Op.RMW]


@pytest.mark.parametrize(
    ("text", "computed"),
    [
        ("i <- x; 1 -> a[2]; fetch_add(x, i)", False),
        ("1 -> a[i]", True),
        ("i <- a[j]", True),
        ("fetch_add(a[i], 1)", True),
    ],
)
def test_whether_addresses_are_computed(text: str, computed: bool) -> None:
    assert ("addr" in statement(text).dependencies) == computed


def test_index() -> None:
    index, load = instructions(statement("c := c i <- a[j]"))[1:]
    assert (index.op, index.a, index.b, index.c) == (Op.INDEX, 1, 2, 4)
    assert (load.dst, load.a) == (0, index.dst)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("second", [0, 1, 2])
def test_every_cell(first: int, second: int) -> None:
    """A computed index leads to the same cell as a constant one."""
    text = f"i := {first}; j := {second}; %s; assert i = 3 * {first} + {second}; 9 -> g[j - 1][i]"
    for place in (f"g[{first}][{second}]", f"g[i][{second}]", f"g[{first}][j]", "g[i][j]", "g[0 + i][j + 1 - 1]"):
        result = explore(statement(text.replace("9 -> g[j - 1][i]", "7 -> x") % f"i <- {place}"))
        assert finals(result, "x", "p:j") == [(7, second)]


@pytest.mark.parametrize(
    "text",
    [
        "i <- a[4]",
        "i <- a[-1]",
        "1 -> a[i - 1]",
        "i := 4; i <- a[i]",
        f"i := {LOWEST}; i <- a[i]",
        f"i := {HIGHEST}; i <- a[i]",
        "i <- g[0][3]",
        "i <- g[2][0]",
        "i := 3; i <- g[0][i]",
        "i := 2; i <- g[i][0]",
        "i := -1; j := 3; i <- g[i][j]",
        "i <- fetch_add(a[9], 1)",
        "i := 7; i <- cas(a[i], 1, 2)",
    ],
)
def test_out_of_range(text: str) -> None:
    result = explore(statement(text))
    assert (result.errors, result.finals) == ({("p", "range")}, set())


# ---- updates -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("exchange(x, 3)", 12, 3),
        ("fetch_add(x, 3)", 12, 15),
        ("fetch_sub(x, 3)", 12, 9),
        ("fetch_and(x, 10)", 12, 8),
        ("fetch_or(x, 10)", 12, 14),
        ("fetch_xor(x, 10)", 12, 6),
        ("fetch_and(x, -4)", 12, 12),
        ("cas(x, 12, 3)", 12, 3),
        ("cas(x, 3, 12)", 12, 12),
        ("cas(x, i + 12, i - 1)", 12, -1),
    ],
)
def test_updates(text: str, old: int, new: int) -> None:
    lowered = statement(f"12 -> x i <- {text}")
    assert finals(explore(lowered), "p:i", "x") == [(old, new)]
    assert finals(explore(statement(f"12 -> x {text}")), "p:i", "x") == [(0, new)]


@pytest.mark.parametrize("op", ["exchange", "fetch_and", "fetch_or", "fetch_xor"])
def test_updates_of_bools(op: str) -> None:
    table = {"exchange": lambda _, b: b, "fetch_and": lambda a, b: a & b, "fetch_or": lambda a, b: a | b}
    for old in (False, True):
        for value in (False, True):
            text = f"{str(old).lower()} -> b c <- {op}(b, {str(value).lower()})"
            new = table.get(op, lambda a, b: a ^ b)(old, value)
            assert finals(explore(statement(text)), "p:c", "b") == [(old, new)]
    assert finals(explore(statement("c <- cas(b, false, true)")), "p:c", "b") == [(False, True)]


def test_code_of_updates() -> None:
    lowered = statement("i <- cas(x, j, i + 1) @ acq_rel, acquire fetch_add(a[2], j)")
    add, first, second = instructions(lowered)
    assert (add.op, first.op, first.dst, second.op, second.dst) == (Op.ADD, Op.RMW, 0, Op.RMW, -1)
    cas, fetch = (lowered.rmws[first.c], lowered.rmws[second.c])
    assert (cas.kind, cas.operand, cas.expected) == (RmwKind.CAS, add.dst, 1)
    assert (fetch.kind, fetch.operand, lowered.constants[~fetch.address]) == (RmwKind.ADD, 1, 4)


def test_tags_of_updates() -> None:
    def classes(text: str) -> list[EventClass]:
        lowered = statement(text)
        (rmw,) = lowered.rmws
        return [lowered.classes[number] for number in (rmw.read_class, rmw.failed_class, rmw.write_class)]

    def tagged(*tags: set[str]) -> list[EventClass]:
        return [EventClass(kind, frozenset(t)) for kind, t in zip("RRW", tags, strict=True)]  # type: ignore[arg-type]

    assert classes("cas(x, 1, 2)") == tagged({"rmw"}, {"failed"}, {"rmw"})
    assert classes("cas(x, 1, 2) @ o") == tagged({"o", "rmw"}, {"failed", "o"}, {"o", "rmw"})
    assert classes("cas(x, 1, 2) @ o, f") == tagged({"o", "rmw"}, {"f", "failed"}, {"o", "rmw"})
    for computes in ("fetch_add(x, 1)", "fetch_andnot(x, 1)", "fetch_umax(x, 1)"):
        assert classes(f"{computes} @ o")[0::2] == tagged({"o", "rmw"}, set(), {"computed", "o", "rmw"})[0::2]
    assert classes("exchange(x, 1) @ o")[0::2] == tagged({"o", "rmw"}, set(), {"o", "rmw"})[0::2]
    assert classes("add_unless(x, 1, 2)") == tagged({"rmw"}, {"failed"}, {"computed", "rmw"})
    assert classes("lock(m)") == tagged({"lock", "rmw"}, {"failed", "lock"}, {"lock", "rmw"})


def test_overflow_of_an_update() -> None:
    for text in (f"{HIGHEST} -> x fetch_add(x, 1)", f"{LOWEST} -> x fetch_sub(x, 1)"):
        assert explore(statement(text)).errors == {("p", "overflow")}


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
def test_a_counter_loses_nothing(threads: int) -> None:
    body = "{ var i : int init loc L final loc K L -> K { i <- fetch_add(x, 1) } }"
    result = explore(code("var x : int " + " ".join(f"process p{n} {body}" for n in range(threads))))
    assert {dict(final)["x"] for final in result.finals} == {threads}
    for final in result.finals:
        assert sorted(value for name, value in final if name != "x") == list(range(threads))


# ---- mutexes -------------------------------------------------------------------------------------------------------


def test_code_of_mutexes() -> None:
    lowered = statement("lock(m) unlock(m)")
    lock, took, after, check, before, store, gave = instructions(lowered)
    assert [i.op for i in (lock, after, before, store)] == [Op.RMW, Op.FENCE, Op.FENCE, Op.STORE]
    rmw = lowered.rmws[lock.c]
    values = [lowered.constants[~operand] for operand in (rmw.address, rmw.operand, rmw.expected)]
    assert (rmw.kind, values, lock.dst) == (RmwKind.LOCK, [12, 1, 0], -1)
    assert [(i.op, i.dst, lowered.constants[~i.a]) for i in (took, gave)] == [(Op.MOV, 3, 1), (Op.MOV, 3, 0)]
    assert (check.op, check.a, check.c) == (Op.ASSERT, 3, UNLOCK)
    assert [lowered.constants[~operand] for operand in (store.a, store.b)] == [12, 0]
    tags = [(lowered.classes[i.c].kind, set(lowered.classes[i.c].tags)) for i in (after, before, store)]
    assert tags == [("F", {"lock"}), ("F", {"unlock"}), ("W", {"unlock"})]
    (thread,) = lowered.threads
    assert ([local.name for local in thread.locals], thread.shown) == (["i", "j", "c", "holds m"], (0, 1, 2))


def test_critical_sections() -> None:
    body = "{ var i : int init loc L final loc K L -> K { lock(m) i <- x i + 1 -> x unlock(m) } }"
    processes = " ".join(f"process p{n} {body}" for n in range(3))
    result = explore(code(f"var m : synthetic var x : int {processes}"))
    assert (result.verdict, result.blocked, {dict(final)["x"] for final in result.finals}) == ("safe", 0, {3})


@pytest.mark.parametrize("text", ["unlock(m)", "lock(m) unlock(m) unlock(m)", "1 -> x unlock(m)"])
def test_unlock_without_lock(text: str) -> None:
    result = explore(statement(text))
    assert (result.errors, result.finals) == ({("p", "violation")}, set())


def test_deadlocks() -> None:
    assert explore(statement("lock(m) lock(m)")).blocked == 1
    first = "{ init loc L final loc K L -> K { lock(m) lock(n) unlock(n) unlock(m) } }"
    second = "{ init loc L final loc K L -> K { lock(n) lock(m) unlock(m) unlock(n) } }"
    result = explore(code(f"var m : synthetic var n : synthetic process p {first} process q {second}"))
    assert (result.blocked, len(result.finals), result.verdict) == (1, 1, "safe")


# ---- what values depend on -----------------------------------------------------------------------------------------


def test_a_conditional_depends_on_its_condition() -> None:
    """Both sides are computed, but where one can fail, the condition decides whether it is."""
    assert [i.op for i in instructions(statement("i := if c then 1 else j"))] == [Op.SELECT, Op.MOV]
    test, jump, *_, taint, _, _ = instructions(statement("i := if j = 1 then 1 / i else j"))
    assert (test.op, jump.op, taint.op) == (Op.EQ, Op.JZ, Op.TAINT)
    assert (taint.a, taint.dst) == (test.dst, test.dst + 1)
    assert Op.TAINT not in [i.op for i in instructions(statement("i := if true then 1 else j"))]


def test_dump() -> None:
    text = dump_code(
        statement("i <- cas(a[j], 1, 2) @ acquire fetch_add(x, j) lock(m) unlock(m) i := if c then j else 1")
    )
    lines = [line[7:44].rstrip() for line in text.split("thread p\n")[1].splitlines() if line[:5].strip().isdigit()]
    assert lines == [
        "t0 := 2 + index r1 of 4",
        "r0 <- cas([t0], 1, 2) @ acquire @ rmw",
        "add(x, r1) @ computed @ rmw",
        "lock(m, 1) @ lock @ rmw",
        "r3 := 1",
        "fence @ lock",
        "assert r3 (unlock)",
        "fence @ unlock",
        "0 -> m @ unlock",
        "r3 := 0",
        "t0 := if r2 then r1 else 1",
        "r0 := t0",
        "end",
    ]
