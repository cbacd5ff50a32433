"""The programs that are measured have as many executions as they should, in every format."""

from __future__ import annotations

import re
import subprocess
from itertools import product
from math import comb, factorial

import pytest
from families import instance
from formats import to_c, to_litmus
from once import Job, explore

import xgen
from xgen import Program, UnsupportedError


def rotation(n: int) -> int:
    """k succeed, the k-th fails with one of k values, each later one with one of k + 1."""
    return 1 + sum(k * (k + 1) ** (n - k - 1) for k in range(1, n))


COUNTS: list[tuple[str, int, int]] = [
    ("readers(5)", 2**5, 2**5),
    ("late_writer(5)", 2**5, 2**5),
    ("wide(4,3)", 4**4, 4**4),
    ("coherence(1)", 2, 2),
    ("coherence(4)", comb(8, 4), comb(8, 4)),
    ("sb(2)", 2**2 - 1, 2**2),
    ("sb(5)", 2**5 - 1, 2**5),
    ("fetch_add(1)", 1, 1),
    ("fetch_add(5)", factorial(5), factorial(5)),
    ("cas_rotation(1)", 1, 1),
    ("cas_rotation(3)", 5, 5),
    ("cas_rotation(6)", rotation(6), rotation(6)),
    ("writers(2,1)", 2, 2),
    ("writers(3,2)", factorial(6) // 2**3, factorial(6) // 2**3),
    ("write_then_read(4)", factorial(4) ** 2, factorial(4) ** 2),
    ("variables(5)", 2**5, 2**5),
    ("private(3,20)", comb(6, 3), comb(6, 3)),
    ("racing(2,1,4)", 4, 4),
    ("alone(20)", 1, 1),
    ("apart(5)", 4, 4),
    ("locked_counter(4)", factorial(4), factorial(4)),
    ("locked_data(3)", factorial(3), factorial(3)),
]
"""Executions under sc and tso."""


def count(program: Program, model: str, depth: int | None = None) -> int:
    """All executions."""
    result = xgen.check(program, xgen.model(model), max_depth=depth, all_states=True, trace_limit=0)
    assert result.duplicates == 0
    return result.executions


@pytest.mark.parametrize(("name", "sc", "tso"), COUNTS)
def test_a_family_has_the_known_number_of_executions(name: str, sc: int, tso: int) -> None:
    program = xgen.parse(instance(name).text)
    assert (count(program, "sc"), count(program, "tso")) == (sc, tso)


LITMUS = [("C", "sc"), ("C", "rc11"), ("X86_64", "tso"), ("AArch64", "arm8")]
STRAIGHT = [*(name for name, *_ in COUNTS if not name.startswith("locked")), "racing(2,2,8)", "racing(3,2,9)"]
AS_LITMUS = [
    (name, architecture, model)
    for name, (architecture, model) in product(STRAIGHT, LITMUS)
    if architecture == "AArch64" or not name.startswith("cas_rotation")
]


@pytest.mark.parametrize(("name", "architecture", "model"), AS_LITMUS)
def test_litmus_tests_have_as_many_executions_as_the_program(name: str, architecture: str, model: str) -> None:
    program = xgen.parse(instance(name).text)
    test = xgen.parse(to_litmus(program, architecture), "litmus")
    assert count(test, model) == count(program, model)


ROUNDS = [("peterson", 4, 48), ("dekker", 4, 71), ("burns", 6, 76), ("dijkstra", 8, 257), ("ticket_lock", 2, 6)]
"""Executions of one and two rounds under sc: the numbers that GenMC 0.11 finds for the same in C."""


@pytest.mark.parametrize(("name", "one", "two"), ROUNDS)
def test_rounds_of_a_shipped_program(name: str, one: int, two: int) -> None:
    programs = [xgen.parse(instance(f"{name}{rounds}").text) for rounds in ("", "(1)", "(2)")]
    assert [count(program, "sc") for program in programs] == [one, one, two]


def test_processes_pass_through_a_ticket_lock_in_any_order() -> None:
    program = xgen.parse(instance("ticket_lock(4)").text)
    assert count(program, "sc") == comb(8, 4)


def test_a_name_says_family_size_and_bound() -> None:
    described = [(i.family, i.size, i.depth) for i in map(instance, ["writers(3,2)", "dekker(3)", "dekker(3):20"])]
    assert described == [("writers", 6, None), ("dekker-rounds", 3, None), ("dekker-bound", 20, 20)]


def test_a_bound_cuts_executions() -> None:
    found = instance("dekker(2):12")
    result = xgen.check(xgen.parse(found.text), xgen.model("sc"), max_depth=found.depth, all_states=True)
    assert (result.executions, result.bounded) == (6, 34)


def test_endless_loops_with_a_bound() -> None:
    """A reader whose round changes nothing has one round; that it sees the last write stands for all of them."""
    found = instance("loops(4):3")
    result = xgen.check(xgen.parse(found.text), xgen.model("weak"), max_depth=found.depth, all_states=True)
    assert (result.executions, result.bounded) == (0, 1)


def test_c_programs() -> None:
    found = instance("chaselev.c")
    assert (found.family, found.text[:2]) == ("chaselev", "//")
    assert explore(Job(found.text, "rc11", 1, None, None, found.file)).executions == 29


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("readers", "`readers`: the family is readers(n), with numbers from 1"),
        ("readers(0)", "`readers(0)`: the family is readers(n), with numbers from 1"),
        ("writers(1)", "`writers(1)`: the family is writers(threads, writes), with numbers from 1"),
        ("readers(n)", "`readers(n)` is not a name like readers(16), dekker, dekker(3) or dekker(3):20"),
        ("reader(2)", "`reader(2)` is neither a family nor a program in programs/; did you mean `readers`?"),
        ("petersen", "`petersen` is neither a family nor a program in programs/; did you mean `peterson`?"),
        ("zzz", "`zzz` is neither a family nor a program in programs/; the families are readers, wide, loops,"),
        ("zzz.c", "`zzz.c` is no file, and none in programs/c/"),
        ("treiber", "process `p0` has no final location of its own"),
        ("dekker(1,2)", "`dekker(1,2)`: a program in programs/ has one number, that of its rounds"),
        ("dekker(0)", "`dekker(0)`: a program in programs/ has one number, that of its rounds, from 1"),
    ],
)
def test_a_name_that_says_nothing(name: str, message: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011
        instance(name)
    assert str(error.value).startswith(message)


C_SB = """
static atomic_int x0 = 0;
static atomic_int x1 = 0;

static void *p0(void *unused) {
  int a = 0;
  if (1) {
    atomic_store_explicit(&x0, 1, memory_order_relaxed);
    a = atomic_load_explicit(&x1, memory_order_relaxed);
    goto L1;
  }
  __VERIFIER_assume(0);
  return 0;
L1:;
  return 0;
}
"""


def test_c_says_the_same() -> None:
    text = to_c(xgen.parse(instance("sb(2)").text))
    assert C_SB in text
    assert "  pthread_create(&threads[1], 0, p1, 0);" in text


@pytest.mark.parametrize(
    "name", ["coherence(2)", "fetch_add(2)", "cas_rotation(2)", "spinlock_us", "peterson_fenced(2)", "bakery"]
)
def test_c_compiles(name: str) -> None:
    text = to_c(xgen.parse(instance(name).text))
    command = ["cc", "-std=c11", "-Wall", "-Wno-unused-but-set-variable", "-Werror", "-fsyntax-only", "-xc", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("name", "architecture", "message"),
    [
        ("peterson", "C", "litmus: only straight-line threads are translated"),
        ("sb_fenced", "X86_64", "litmus: `fence` is not translated"),
        ("cas_rotation(2)", "X86_64", r"X86_64: `a <- cas\(x, 0, 1\) @ relaxed` is not translated"),
        ("cas_rotation(2)", "C", r"C litmus: `a <- cas\(x, 0, 1\) @ relaxed` is not translated"),
    ],
)
def test_what_a_litmus_test_cannot_say(name: str, architecture: str, message: str) -> None:
    program = xgen.parse(instance(name).text)
    with pytest.raises(UnsupportedError, match=message):
        to_litmus(program, architecture)


@pytest.mark.parametrize(
    ("variable", "statement", "message"),
    [
        ("x : int[2]", "skip", "C: `x` is neither an int nor a bool"),
        ("x : int", "1 -> x", "C: accesses without an order are not translated"),
        ("x : int", "fence acquire", "C: `fence @ acquire` is not translated"),
        ("x : int", "a := a shl 1", "C: `a shl 1` is not translated"),
    ],
)
def test_what_c_cannot_say(variable: str, statement: str, message: str) -> None:
    text = f"var {variable} process p {{ var a : int init loc L final loc M L -> M {{ {statement} }} }}"
    with pytest.raises(UnsupportedError, match=re.escape(message)):
        to_c(xgen.parse(text))
