"""Large programs: many events, threads and variables, and values at the edges of 64 bits; with exact counts.

The shapes have few executions, so that their size is all that is hard about them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import xgen
from engine.shapes import program
from xgen import LimitError, Program, Result
from xgen.errors import TooLongError

LEAST, MOST = -(2**63), 2**63 - 1
LEAST_TEXT, MOST_TEXT = f"(-{MOST} - 1)", str(MOST)

STRONG = ("sc", "tso", "weak")
"""Models of which every constraint can be checked with what a new event adds."""


def explore(shape: Program, model: str = "sc", **options: object) -> Result:
    """All executions, without keeping any."""
    result = xgen.check(shape, xgen.model(model), all_states=True, trace_limit=0, **options)  # type: ignore[arg-type]
    assert result.duplicates == 0
    return result


def loads(n: int, variable: str = "x") -> str:
    """A thread that loads a variable n times."""
    return "; ".join([f"a <- {variable}"] * n)


def stores(n: int, variables: int = 1) -> str:
    """A thread of n stores, to so many variables in turn."""
    return "; ".join(f"{i} -> x{i % variables}" for i in range(1, n + 1))


def names(n: int) -> str:
    """x0, x1, and so on."""
    return " ".join(f"x{i}" for i in range(n))


def test_a_loop_in_two_files_is_told_with_both(tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text(
        "#include <stdatomic.h>\natomic_int x;\nvoid two(void);\nint main(void) { for (;;) { x = 1; two(); } }\n"
    )
    (tmp_path / "two.c").write_text("#include <stdatomic.h>\nextern atomic_int x;\nvoid two(void) { x = 2; }\n")
    with pytest.raises(TooLongError) as error:
        xgen.check(xgen.load(tmp_path / "one.c", tmp_path / "two.c"), xgen.model("sc"))
    assert "one.c:4 (`int main" in str(error.value)
    assert "two.c:3 (`void two" in str(error.value)


# --- Events ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [*STRONG, "ra"])
@pytest.mark.parametrize("n", [63, 64, 65])
def test_events_about_as_many_as_bits_in_a_word(n: int, model: str) -> None:
    """Where the write falls between the reads, and the read between the writes: n + 1 executions."""
    assert explore(program("1 -> x", loads(n), variables="x"), model).executions == n + 1
    assert explore(program(loads(n), "1 -> x", variables="x"), model).executions == n + 1
    assert explore(program(stores(n), "a <- x0", variables="x0"), model).executions == n + 1
    late = explore(program("a <- x0", stores(n), variables="x0"), model)
    assert (late.executions, late.revisits) == (n + 1, n)


@pytest.mark.parametrize("model", STRONG)
def test_200_events(model: str) -> None:
    assert explore(program(loads(200), "1 -> x", variables="x"), model).executions == 201
    assert explore(program(stores(200), "a <- x0", variables="x0"), model).executions == 201
    (outcome,) = explore(program(stores(200, 7), stores(200, 7).replace("x", "y"), variables="x0 x1 x2 x3 x4 x5 x6 "
        "y0 y1 y2 y3 y4 y5 y6"), model).outcomes  # fmt: skip
    assert sorted(outcome.state.values()) == sorted([*range(194, 201)] * 2)


@pytest.mark.parametrize("n", [65, 200])
def test_a_choice_at_the_end_of_a_long_thread(n: int) -> None:
    """SB behind n events of both threads, which are in nobody's way."""
    first, second = f"{stores(n, 5)}; 1 -> y; a <- z", f"{loads(n, 'w')}; 1 -> z; b <- y"
    shape = program(first, second, variables=f"{names(5)} w y z")
    assert [explore(shape, model).executions for model in ("sc", "tso", "weak")] == [3, 4, 4]


@pytest.mark.parametrize("model", STRONG)
def test_2000_events(model: str) -> None:
    """In one thread, of every kind; then with a revisit of the first and of the last one."""
    thread = "; ".join(f"{i} -> x{i % 100}; a <- x{i % 100}; fence; fetch_add(x{i % 100}, 1)" for i in range(400))
    result = explore(program(thread, variables=names(100)), model)
    assert (result.executions, result.explored) == (1, 2001)
    assert [outcome.state["x99"] for outcome in result.outcomes] == [400]
    revisited = explore(program(f"b <- x; {loads(1999, 'y')}", "1 -> x", variables="x y"), model)
    assert (revisited.executions, revisited.revisits) == (2, 1)
    last = explore(program(f"{loads(1999, 'y')}; b <- x", "1 -> x", variables="x y"), model)
    assert (last.executions, last.revisits) == (2, 1)


@pytest.mark.parametrize("n", [65, 200, 2000])
def test_events_where_load_buffering_is_allowed(n: int) -> None:
    """There threads run ahead of their reads."""
    for thread in (f"{loads(n - 1, 'y')}; b <- x", f"b <- x; {loads(n - 1, 'y')}"):
        assert explore(program(thread, "1 -> x", variables="x y"), "coherence").executions == 2


@pytest.mark.parametrize("bound", [65, 200, 2000])
def test_a_bound_of_so_many_events(bound: int) -> None:
    """A loop that never ends is cut exactly there."""
    text = "var x : int process p { var a : int  init loc L0  L0 -> L0 { a <- x; fence } }"
    result = explore(xgen.parse(text), "tso", max_depth=bound, unroll=True)
    assert (result.verdict, result.executions, result.bounded) == ("vacuous", 0, 1)
    assert result.explored == bound + 1


def test_more_events_than_the_limit_are_reported() -> None:
    text = "var x : int process p { var a : int  init loc L0  L0 -> L0 { a <- x; a := 1 - a } }"
    with pytest.raises(LimitError, match=r"more than 16,384 events") as error:
        explore(xgen.parse(text), "sc", unroll=True)
    assert "p went round a loop 64 times: line 1 (`a <- x`), and again; if it has no end, try" in str(error.value)


# --- Threads and variables -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [*STRONG, "ra"])
def test_100_threads_with_a_variable_each(model: str) -> None:
    assert explore(program(*[f"1 -> x{i}; a <- x{i}" for i in range(100)], variables=names(100)), model).executions == 1


@pytest.mark.parametrize("model", [*STRONG, "ra", "coherence"])
def test_100_threads_of_which_seven_read_what_the_last_one_writes(model: str) -> None:
    busy = program(*["a <- x"] * 7, *["fence"] * 92, "1 -> x", variables="x")
    assert explore(busy, model).executions == 2**7


def test_100_threads_in_a_row() -> None:
    """Each waits for the one before it: where one does not see it yet, all behind it are blocked as well."""
    lines = [f"var x{i} : int ({int(i == 0)})" for i in range(101)]
    for i in range(100):
        relay = f"a <- x{i}; assume a = 1; 1 -> x{i + 1}"
        lines.append(f"process p{i} {{ var a : int  init loc L0  final loc L1  L0 -> L1 {{ {relay} }} }}")
    for order in (lines, [*lines[:101], *reversed(lines[101:])]):
        result = explore(xgen.parse("\n".join(order)))
        assert (result.executions, result.blocked) == (1, 99)


@pytest.mark.parametrize("model", STRONG)
def test_1000_variables(model: str) -> None:
    """All of them written by one thread, and some read by another one, from the last to the first."""
    writes = "; ".join(f"{i} -> x{i}" for i in range(1000))
    (outcome,) = explore(program(writes, variables=names(1000)), model).outcomes
    assert outcome.state == {f"x{i}": i for i in range(1000)}
    reads = "a <- x999; b <- x500; c <- x1"
    result = explore(program(writes, reads, variables=names(1000)), model)
    assert result.executions == (4 if model in ("sc", "tso") else 8)


def test_1000_variables_of_which_few_are_used() -> None:
    shape = program("1 -> x7; a <- x999", "1 -> x999; b <- x7", variables=names(1000))
    assert [explore(shape, model).executions for model in (*STRONG, "ra")] == [3, 4, 4, 4]


# --- Values ----------------------------------------------------------------------------------------------------------


def test_values_at_the_edges_are_stored_and_loaded() -> None:
    values = [LEAST, LEAST + 1, -(2**32), -1, 0, 2**31, 2**32, 2**53 + 1, MOST - 1, MOST]
    body = "; ".join(f"{LEAST_TEXT if value == LEAST else f'({value})'} -> x" for value in values)
    result = explore(program(body, "a <- x", variables="x"))
    assert {outcome.state["p1:a"] for outcome in result.outcomes} == set(values)
    assert {outcome.state["x"] for outcome in result.outcomes} == {MOST}
    assert [outcome.state["p1:a"] for outcome in result.outcomes] == sorted(values)


def test_initial_values_and_choices_at_the_edges() -> None:
    text = f"""
    var x : int (-{MOST})
    var y : int ({MOST})
    process p {{ var a : int var b : int  init loc L0  final loc L1
      L0 -> L1 {{ a <- x; a - 1 -> x; havoc b in {MOST_TEXT} - 1 .. {MOST_TEXT}; b -> y }} }}
    """
    result = explore(xgen.parse(text), timeout=1)
    assert result.stopped is None
    assert [(o.state["x"], o.state["y"]) for o in result.outcomes] == [(LEAST, MOST - 1), (LEAST, MOST)]


@pytest.mark.parametrize(("value", "other"), [(MOST_TEXT, LEAST_TEXT), (LEAST_TEXT, MOST_TEXT), ("0", LEAST_TEXT)])
def test_compare_and_swap_at_the_edges(value: str, other: str) -> None:
    """The one that expects what is there writes, the other one does not."""
    shape = program(f"{value} -> x; a <- cas(x, {other}, 1); b <- cas(x, {value}, {other})", variables="x")
    (outcome,) = explore(shape).outcomes
    assert outcome.state["p0:a"] == outcome.state["p0:b"] == number(value)
    assert outcome.state["x"] == number(other)


def number(text: str) -> int:
    """The value of one of the constants above."""
    return LEAST if text == LEAST_TEXT else int(text.strip("()"))


@pytest.mark.parametrize(
    ("before", "update", "after"),
    [
        (MOST_TEXT, f"fetch_sub(x, {MOST_TEXT})", 0),
        (LEAST_TEXT, f"fetch_add(x, {MOST_TEXT})", -1),
        (LEAST_TEXT, f"fetch_or(x, {MOST_TEXT})", -1),
        (LEAST_TEXT, f"fetch_and(x, {MOST_TEXT})", 0),
        ("(-1)", f"fetch_xor(x, {LEAST_TEXT})", MOST),
        (MOST_TEXT, f"exchange(x, {LEAST_TEXT})", LEAST),
    ],
)
def test_updates_at_the_edges(before: str, update: str, after: int) -> None:
    (outcome,) = explore(program(f"{before} -> x; a <- {update}", variables="x")).outcomes
    assert (outcome.state["p0:a"], outcome.state["x"]) == (number(before), after)


@pytest.mark.parametrize(
    ("before", "update"),
    [
        (MOST_TEXT, "fetch_add(x, 1)"),
        (LEAST_TEXT, "fetch_sub(x, 1)"),
        (LEAST_TEXT, f"fetch_add(x, {LEAST_TEXT})"),
        ("0", f"fetch_sub(x, {LEAST_TEXT})"),
    ],
)
def test_updates_over_the_edges_are_reported(before: str, update: str) -> None:
    """An overflow as in an expression, at the statement."""
    result = xgen.check(program(f"{before} -> x; {update}", variables="x"), xgen.model("sc"))
    assert result.verdict == "violation"
    assert result.witness is not None
    (violation,) = result.witness.violations
    assert (violation.kind, violation.text.partition("(")[0]) == ("overflow", update.partition("(")[0])
