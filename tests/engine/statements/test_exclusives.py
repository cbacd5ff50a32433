"""Exclusive loads and store exclusives, pointers, and several tags: what is explored, and what models see of it."""

from __future__ import annotations

import pytest

import xgen
from engine.statements.test_programs_rmw import explore, threads, values
from xgen import Model, Result
from xgen.lowering.threads import lower

COHERENT = "per = (po & loc) | rf | mo | fr\nper acyclic\ncausal = po | rf\ncausal acyclic\n"
ATOMIC = "broken = rmw & ((fr & ext) ; (mo & ext))\nbroken empty as atomicity\n"
MENTIONED = "rmw irreflexive as nothing_new\n"
INCREMENT = "a <- load_exclusive(x); b <- store_exclusive(x, a + 1)"


def atomic(rest: str = "") -> Model:
    """Coherence, and pairs of exclusives that nothing comes between."""
    return xgen.parse_model(COHERENT + ATOMIC + rest)


def under(model: Model, *bodies: str, shared: str = "var x : int", **options: object) -> Result:
    result = xgen.check(threads(*bodies, shared=shared), model, all_states=True, **options)  # type: ignore[arg-type]
    assert result.duplicates == 0
    return result


# ---- success and failure -------------------------------------------------------------------------------------------


def test_one_pair() -> None:
    """The store can fail without a reason."""
    result = explore(threads(INCREMENT), "sc")
    assert (result.executions, values(result, "p0:b", "x")) == (2, [(0, 1), (1, 0)])


@pytest.mark.parametrize(
    ("body", "ends"),
    [
        ("b <- store_exclusive(x, 1)", [(1, 0)]),
        ("a <- x; b <- store_exclusive(x, 1)", [(1, 0)]),
        ("a <- load_exclusive(y); b <- store_exclusive(x, 1)", [(1, 0)]),
        ("a <- load_exclusive(x); a <- load_exclusive(y); b <- store_exclusive(x, 1)", [(1, 0)]),
        ("a <- load_exclusive(x); a <- store_exclusive(y, 1); b <- store_exclusive(x, 1)", [(1, 0)]),
        ("a <- load_exclusive(x); 5 -> x; b <- store_exclusive(x, 1)", [(0, 1), (1, 5)]),
        ("a <- load_exclusive(x); a <- store_exclusive(x, 1); b <- store_exclusive(x, 2)", [(1, 0), (1, 1)]),
        ("a <- load_exclusive(y); a <- load_exclusive(x); b <- store_exclusive(x, 1)", [(0, 1), (1, 0)]),
        ("a <- load_exclusive(*&x); b <- store_exclusive(*(&y - 16), 1)", [(0, 1), (1, 0)]),
    ],
)
def test_what_a_store_exclusive_pairs_with(body: str, ends: list[tuple[int, int]]) -> None:
    """It needs the thread's last exclusive load, which must be of its cell, and no store exclusive since."""
    assert values(explore(threads(body, shared="var x : int var y : int"), "sc"), "p0:b", "x") == ends


@pytest.mark.parametrize(
    ("model", "lost"),
    [(xgen.model("sc"), False), (atomic(), False), (xgen.parse_model(COHERENT + MENTIONED), True)],
    ids=["sc", "atomic", "mentioned"],
)
def test_who_says_that_pairs_are_atomic(model: Model, lost: bool) -> None:
    """A model that speaks of rmw does, and may leave it; under others two increments never lose one."""
    result = under(model, INCREMENT, INCREMENT)
    both = sorted({value for value in values(result, "p0:b", "p1:b", "x") if value[:2] == (0, 0)})
    assert both == ([(0, 0, 1), (0, 0, 2)] if lost else [(0, 0, 2)])


def test_a_store_between() -> None:
    """Of the three places of the store (and the two values that are read), one is between."""
    free, kept = (under(xgen.parse_model(COHERENT + m), INCREMENT, "7 -> x") for m in (MENTIONED, ""))
    # the load reads 0 or 7; where the store exclusive succeeds, 7 is before it or behind it in mo
    assert (free.executions, kept.executions) == (5, 4)
    assert (0, 0, 1) not in values(kept, "p0:a", "p0:b", "x")


def test_spinning_for_success_needs_no_bound() -> None:
    """A round in which the store fails writes nothing, and comes back to where it was."""
    spin = "{ var a : int var s : int init loc L loc T final loc K "
    spin += "L -> T { a <- load_exclusive(x); s <- store_exclusive(x, a + 1) }"
    spin += " T -> L { assume s = 1 } T -> K { assume s = 0 } }"
    program = xgen.parse(f"var x : int process p0 {spin} process p1 {spin}")
    result = xgen.check(program, atomic(), all_states=True)
    assert (result.verdict, result.executions, set(values(result, "x"))) == ("safe", 2, {(2,)})


@pytest.mark.parametrize("model", ["sc", "tso", "pso", "ra", "weak"])
def test_waiting_at_an_address_that_is_read_anew(model: str) -> None:
    """Where no load buffering is, it is no matter that a round depends on what the round before has read."""
    text = """var x : int  var t : int[2]
    process p { var b : int  var s : int  init loc S  loc T  loc G  final loc E
      S -> T { b <- load_exclusive(t[b mod 2]) }  T -> G { s <- store_exclusive(x, b) }
      G -> T { assume b = 0; b <- load_exclusive(t[b mod 2]) }  G -> E { assume b /= 0 } }
    process q { cas(t[0], 0, 0); cas(t[0], 1, 2); }"""
    program = xgen.parse(text)
    result = xgen.check(program, xgen.model(model), all_states=True)
    assert (result.verdict, result.executions, result.blocked, result.stuck) == ("vacuous", 0, 3, 3)
    classes = xgen.check(program, xgen.model(model), all_states=True, classes="rf")
    assert (classes.executions, classes.blocked, classes.stuck) == (0, 3, 3)


def test_violations_inside() -> None:
    result = under(atomic(), "a <- load_exclusive(x); b <- store_exclusive(*a, 1)")
    assert (result.verdict, result.violations) == ("violation", 1)
    assert result.witness is not None
    assert [v.kind for v in result.witness.violations] == ["out-of-range"]


# ---- what models see -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "pairs"),
    [
        ("a <- load_exclusive(x); b <- store_exclusive(x, 1); assume b = 0", 1),
        ("a <- load_exclusive(x); 1 -> y; b <- y; b <- store_exclusive(x, 1); assume b = 0", 1),
        ("a <- load_exclusive(x); b <- store_exclusive(x, 1); assume b = 1", 0),
        ("a <- fetch_add(x, 1)", 1),
        ("a <- load_exclusive(x); a <- x", 0),
    ],
)
def test_rmw_leads_from_the_load_to_the_store(body: str, pairs: int) -> None:
    """A relation that a constraint wants empty has pairs if and only if no execution is left."""
    shared = "var x : int var y : int"
    assert under(xgen.parse_model(COHERENT), body, shared=shared).executions == 1
    in_po = xgen.parse_model(COHERENT + "r = rmw \\ po\nr empty")
    assert under(in_po, body, shared=shared).executions == 1
    assert under(xgen.parse_model(COHERENT + "rmw empty"), body, shared=shared).executions == 1 - pairs


@pytest.mark.parametrize(
    ("statements", "related"),
    [
        ("b <- store_exclusive(x, a)", {"data"}),
        ("b <- store_exclusive(x, 1)", set()),
        ("b <- store_exclusive(t[a], 1)", {"addr"}),
        ("b <- store_exclusive(*a, 1)", {"addr"}),
        ("b := &t[a]; b <- store_exclusive(*b, 1)", {"addr"}),
        ("assume a = 16; b <- store_exclusive(x, 1)", {"ctrl"}),
    ],
)
def test_what_a_store_exclusive_depends_on(statements: str, related: set[str]) -> None:
    start = "b <- load_exclusive(t[0]); " if "t[" in statements else "b <- load_exclusive(x); "
    initial = "var t : int[2] var y : int (0)" if "t[" in statements else "var x : int var y : int (16)"
    program = threads(
        f"a <- y; {start}{statements}; assume b = 0", shared=f"{initial}" if "t[" in statements else initial
    )
    found = set()
    for relation in ("addr", "data", "ctrl"):
        model = xgen.parse_model(f"{COHERENT}r = {relation} & (R * W[exclusive])\nr empty")
        found |= {relation} if xgen.check(program, model, all_states=True).executions == 0 else set()
    assert found == related


@pytest.mark.parametrize(
    ("statements", "related"),
    [
        ("b -> y", {"data"}),
        ("assume b = 0; 1 -> y", {"ctrl"}),
        ("1 -> y", set()),
        ("b := 0; b -> y", set()),
    ],
)
def test_what_depends_on_the_status(statements: str, related: set[str]) -> None:
    """The status of a store that succeeds depends on its write, and on nothing else."""
    program = threads(
        f"a <- x; b <- load_exclusive(x); b <- store_exclusive(x, a); {statements}", shared="var x : int var y : int"
    )
    found = set()
    most = xgen.check(program, xgen.parse_model(COHERENT), all_states=True).executions
    for relation in ("addr", "data", "ctrl"):
        for source in ("W", "R"):
            model = xgen.parse_model(f"{COHERENT}r = {relation} & ({source} * W) \\ (A * W[exclusive])\nr empty")
            if xgen.check(program, model, all_states=True).executions < most:
                assert source == "W"
                found.add(relation)
    assert found == related


@pytest.mark.parametrize(("model", "executions"), [("arm8", 8), ("power", 8), ("riscv", 7), ("coherence", 8)])
def test_load_buffering_through_success(model: str, executions: int) -> None:
    """No value depends on itself where a store exclusive succeeds; only RISC-V orders what depends on its success."""
    store = "a <- load_exclusive(x); b <- store_exclusive(x, a); b + 1 -> y"
    result = under(xgen.model(model), store, "a <- y; a -> x", shared="var x : int var y : int")
    assert result.executions == executions
    assert ((1, 0) in values(result, "p0:a", "p0:b")) == (model != "riscv")


def test_a_load_reads_what_depends_on_success() -> None:
    """Without coherence it may read the last store, but not the store exclusive, of which it is the value."""
    result = under(xgen.model("any"), "a <- load_exclusive(x); b <- store_exclusive(x, a); b + 1 -> x")
    ends = [(0, 0, 0), (0, 0, 1), (0, 1, 2), (1, 0, 1), (2, 1, 2)]
    assert (result.executions, values(result, "p0:a", "p0:b", "x")) == (6, ends)


@pytest.mark.parametrize(
    ("statements", "executions", "buffered"),
    [
        ("b <- load_exclusive(t[0]); b <- store_exclusive(t[a], 2)", 7, True),
        ("b <- load_exclusive(t[0]); b <- store_exclusive(t[a], a)", 7, True),
        ("b <- load_exclusive(t[0]); b <- store_exclusive(*(&t[0] + 16 * a), 2)", 7, True),
        ("b <- load_exclusive(u[0][0]); b <- store_exclusive(u[a][a mod 2], 2)", 7, True),
        ("b <- store_exclusive(t[a], 2)", 4, True),
        ("b := 2; b <- store_exclusive(u[a][1 mod b], 2)", 4, True),
        ("b <- store_exclusive(t[0], 2); b <- store_exclusive(t[a], 2)", 4, True),
        ("b <- load_exclusive(t[0]); b <- store_exclusive(t[1 mod (a + 1)], 2)", 6, False),
        ("b <- load_exclusive(t[0]); b <- store_exclusive(t[a], 1 mod (a + 1))", 6, False),
        ("b <- load_exclusive(u[0][0]); b <- store_exclusive(u[a][1 mod (a + 1)], 2)", 6, False),
    ],
)
def test_load_buffering_through_failure(statements: str, executions: int, buffered: bool) -> None:
    """What follows a store exclusive that fails depends on nothing but its divisors, which decide on the way."""
    shared = "var x : int var y : int var t : int[2] var u : int[2][2]"
    result = under(xgen.model("arm8"), f"a <- x; {statements}; b -> y", "a <- y; a -> x", shared=shared)
    assert (result.executions, result.blocked, result.violations) == (executions, 0, 0)
    assert ((1, 1) in values(result, "p0:a", "p0:b")) == buffered


def test_a_store_exclusive_that_fails_or_is_out_of_range() -> None:
    """It need not succeed; where it would, the index is looked at."""
    shared = "var x : int var t : int[2]"
    result = under(xgen.model("arm8"), "a <- x; b <- store_exclusive(t[a], 2)", "2 -> x", shared=shared)
    assert (result.executions, result.violations) == (3, 1)


def choice(first: str, second: str, before: str = "a <- x", other: str = "a <- y; a -> x") -> Result:
    """A thread that has two edges to choose from, and stores 1 to y in the end; under the model of Arm."""
    process = f"""
        var x : int var y : int var z : int var t : int[2] var u : int[2][2]
        process p0 {{
            var a : int var b : int init loc L loc K loc M final loc E
            L -> K {{ {before} }}    K -> M {{ {first} }}    K -> M {{ {second} }}    M -> E {{ 1 -> y }}
        }}
        process p1 {{ var a : int init loc L final loc E L -> E {{ {other} }} }}
    """
    result = xgen.check(xgen.parse(process), xgen.model("arm8"), all_states=True)
    assert result.duplicates == 0
    return result


@pytest.mark.parametrize(
    ("edge", "executions"),
    [
        ("b <- t[a]", 7),
        ("a -> t[a]", 7),
        ("b <- t[a mod 2]", 7),
        ("b <- *(&t[0] + 16 * a)", 7),
        ("b <- u[a][1 mod (b + 1)]", 7),
        ("b <- load_exclusive(t[a])", 7),
        ("b <- fetch_add(t[a], 1)", 7),
        ("b <- store_exclusive(t[a], 1)", 8),
        ("assume b = 0; b <- t[a]", 7),
        ("assume b = 1; b <- t[a]", 4),
        ("havoc b in a .. 1", 10),
        ("assume a = 1", 3),
        ("assert a < 2", 6),
        ("b <- u[a][1 mod (a + 1)]", 6),
    ],
)
def test_an_edge_does_not_wait_for_the_address_of_another(edge: str, executions: int) -> None:
    """Only what may end the thread, or disable an edge, is waited for by all edges.

    There are three executions without load buffering. With one edge in the end it is allowed if nothing is waited for.
    """
    for edges in ((edge, "skip"), ("skip", edge)):
        result = choice(*edges)
        assert (result.executions, result.blocked, result.violations) == (executions, 0, 0)
        assert ((1,) in values(result, "p0:a")) == (executions not in (3, 6))


def test_an_address_of_one_edge_and_an_assume_of_another() -> None:
    """All edges wait for what is assumed, but only the one for the address. Two writes are what z can be read from."""
    with_z = {"before": "a <- x; b <- z", "other": "a <- y; 0 -> z; a -> x"}
    assert choice("assume b = 0", "b <- t[a]", **with_z).executions == 2 * 7
    assert choice("assume b = 1", "b <- t[a]", **with_z).executions == 2 * 3
    assert choice("assume b = 1", "assume b = 0; b <- t[a]", **with_z).executions == 2 * 3


def test_an_edge_that_starts_out_of_range() -> None:
    """It is enabled, and it is the violation; the other edge is not."""
    result = choice("b <- t[a]", "skip", other="2 -> x")
    assert (result.executions, result.violations) == (4, 1)
    assert values(result, "p0:a", "y") == [(0, 1), (2, 0), (2, 1)]


@pytest.mark.parametrize(
    ("statements", "related"),
    [
        ("b <- *a; 1 -> y", set()),
        ("1 -> *a", {"addr"}),
        ("b := a + 16 - 16; 1 -> *b", {"addr"}),
        ("b <- *a; b -> y", {"data"}),
        ("a -> *b", {"data"}),
        ("b <- exchange(*a, 1)", {"addr"}),
        ("b := wrap(a bitand bitnot 0 shl 1 shr 1, -32); 1 -> *b", {"addr"}),
    ],
)
def test_address_dependencies_of_pointers(statements: str, related: set[str]) -> None:
    """A pointer that leads to no cell ends the thread, but what follows does not depend on it by control."""
    program = threads(f"b := 32; a <- x; {statements}", shared="var x : int (32) var y : int")
    found = set()
    for relation in ("addr", "data", "ctrl"):
        model = xgen.parse_model(f"{COHERENT}r = {relation} & (R * W)\nr empty")
        found |= {relation} if xgen.check(program, model, all_states=True).executions == 0 else set()
    assert found == related


def test_events_name_the_cell_that_a_pointer_leads_to() -> None:
    result = under(xgen.model("sc"), "a <- x; 5 -> *a", shared="var x : int (48) var t : int[2]")
    (execution,) = xgen.executions(
        threads("a <- x; 5 -> *a", shared="var x : int (48) var t : int[2]"), xgen.model("sc")
    )
    write = execution.events[-1]
    assert (write.kind, write.variable, write.value, result.executions) == ("W", "t[1]", 5, 1)


def test_tags_of_the_two_events_of_an_update() -> None:
    model = xgen.parse_model(COHERENT + "r = [R[acquire]] ; rmw ; [W[release]]\nr empty")
    assert under(model, "fetch_add(x, 1) @ R[acquire] @ W[release]").executions == 0
    assert under(model, "fetch_add(x, 1) @ R[release] @ W[acquire]").executions == 1
    assert under(model, "fetch_add(x, 1) @ acquire @ W[release]").executions == 0


def test_updates_in_the_engine() -> None:
    """The core computes what the definitions say."""
    low, high = -(2**63), 2**63 - 1
    for old in (low, -2, -1, 0, 1, 5, high):
        for operand in (low, -3, -1, 0, 6, high):
            expected = {
                "fetch_min": min(old, operand),
                "fetch_max": max(old, operand),
                "fetch_umin": min(old, operand, key=lambda value: value % 2**64),
                "fetch_umax": max(old, operand, key=lambda value: value % 2**64),
                "fetch_andnot": old & ~operand,
            }
            for op, value in expected.items():
                result = explore(threads(f"a <- {op}(x, {operand})", shared=f"var x : int ({old})"), "sc")
                assert values(result, "p0:a", "x") == [(old, value)]


def test_expressions_in_the_engine() -> None:
    for expression, value in {
        "bitnot 5": -6,
        "12 bitand 10": 8,
        "12 bitor 10": 14,
        "12 bitxor 10": 6,
        "1 shl 63": -(2**63),
        "-1 shr 63": 1,
        "-1 shr 0": -1,
        "wrap(-1, 8)": 255,
        "wrap(200, -8)": -56,
        "wrap(-1, 64)": -1,
        "wrap(-1, 63)": 2**63 - 1,
        "wrap(3, -1)": -1,
        "wrap(3, 1)": 1,
        "wrap(9223372036854775807 + 1, -64)": -(2**63),
        "wrap(-9223372036854775807 - 2 + 1, 64)": -(2**63),
        "wrap(4294967296 * 4294967296 + 5, 32)": 5,
        "wrap(-(-9223372036854775807 - 1), -64)": -(2**63),
        "1 bitor 2 shl 1 + 1": 9,
    }.items():
        assert values(explore(threads(f"a := {expression}"), "sc"), "p0:a") == [(value,)], expression
    for expression in ("1 shl 64", "1 shr -1"):
        result = explore(threads(f"a := {expression}"), "sc")
        assert result.witness is not None
        assert [v.kind for v in result.witness.violations] == ["overflow"]


def test_the_code_is_what_is_run() -> None:
    """One choice between two options, also in a program with loops."""
    lowered = lower(threads(INCREMENT))
    assert sum(len(targets) for targets in lowered.targets) == 2
