"""What is known of relations before there is an execution: their classes of events, and the ways they lead."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xgen import _core
from xgen.errors import Source
from xgen.lowering.code import INITIAL_WRITE, EventClass
from xgen.memory.algebra import Check, Term
from xgen.memory.mcm.parser import read_model
from xgen.memory.plans.class_sets import ClassSets
from xgen.memory.plans.nodes import ClassPairs, Node
from xgen.memory.plans.planner import Planner
from xgen.memory.plans.table import NodeTable

CLASSES = [
    INITIAL_WRITE,
    EventClass("R"),
    EventClass("W"),
    EventClass("F", frozenset({"full"})),
    EventClass("R", frozenset({"acq"})),
]
SIZE = len(CLASSES)
PAIRS = st.sets(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)))
FOUND = ClassPairs(CLASSES)


def number(pairs: set[tuple[int, int]]) -> int:
    return sum(1 << a * SIZE + b for a, b in pairs)


@given(PAIRS, PAIRS)
def test_pairs_of_classes(first: set[tuple[int, int]], second: set[tuple[int, int]]) -> None:
    composed = {(a, d) for a, b in first for c, d in second if b == c}
    assert FOUND.sequence(number(first), number(second)) == number(composed)
    assert FOUND.inverse(number(first)) == number({(b, a) for a, b in first})
    assert set(FOUND.members(FOUND.sources(number(first)))) == {a for a, _ in first}
    assert set(FOUND.members(FOUND.targets(number(first)))) == {b for _, b in first}
    closed = set(first)
    for b, a, c in itertools.product(range(SIZE), repeat=3):
        if (a, b) in closed and (b, c) in closed:
            closed.add((a, c))
    assert FOUND.closure(number(first)) == number(closed)


def test_products_of_classes() -> None:
    assert FOUND.product(0b10001, 0b00110) == number({(0, 1), (0, 2), (4, 1), (4, 2)})
    assert FOUND.diagonal(0b01010) == number({(1, 1), (3, 3)})


def table(ahead: bool = False) -> NodeTable:
    return NodeTable(ClassSets(CLASSES), incremental=True, ahead=ahead)


def term(expression: str) -> Term:
    return read_model(Source("m.mcm", f"d = {expression}")).definitions[0].term


def node(expression: str, ahead: bool = False) -> Node:
    made = table(ahead)
    return made.nodes[made.node(term(expression))]


# Whether they are local where reads are revisited, and where threads run ahead of their reads.
LOCAL = {
    "po | rf | mo | fr": (True, True),
    "(po \\ loc)^-1 & ext?": (True, True),
    "po ; po": (True, False),
    "po ; rf": (True, True),
    "rf ; po": (True, False),
    "mo ; rf": (True, True),
    "rf^-1 ; loc": (True, True),
    "rf^-1 ; po": (True, True),
    "mo ; mo^-1": (False, False),
    "fr ; mo": (False, False),
    "(po | rf)^+": (True, False),
    "(po | rf)^* ; rf": (True, False),
    "(po | mo)^+": (False, False),
    "(rf | mo | fr)^+": (True, True),
    "(po | rf)^+ ; fr": (False, False),
    "mo ; (po | rf)^+": (True, False),
    "[W] ; po ; [F]": (True, True),
    "po ; [F] ; po": (True, False),
    "[domain(rf)] ; po": (False, False),
}


@pytest.mark.parametrize("expression", LOCAL)
def test_local_relations(expression: str) -> None:
    assert (node(expression).local, node(expression, ahead=True).local) == LOCAL[expression]


EMPTY = {
    "rf ; rf": True,
    "rf(R -> W)": True,
    "po ; [A[rel]]": True,
    "(W * R) \\ (A * A)": True,
    "(W * R) & (F * A)": True,
    "rmw": True,
    "domain(rf) * F[none]": True,
    "[R] ; po ; [I]": True,
    "mo ; mo": False,
    "(W * R) \\ (A[acq] * A)": False,
    "loc \\ mo": False,
}


@pytest.mark.parametrize("expression", EMPTY)
def test_relations_that_no_event_of_the_program_can_be_in(expression: str) -> None:
    assert (node(expression).op == _core.NodeOp.EMPTY) == EMPTY[expression]


def test_dependencies_that_the_program_cannot_have() -> None:
    made = NodeTable(ClassSets(CLASSES, ["data"]), incremental=True, ahead=True)
    assert made.node(term("data | (addr ; po)")) == made.node(term("data"))
    assert made.node(term("data | (ctrl ; po)")) == made.node(term("data"))
    none = NodeTable(ClassSets(CLASSES, []), incremental=True, ahead=True)
    assert none.nodes[none.node(term("((data | addr | ctrl) ; rf)^+"))].op == _core.NodeOp.EMPTY
    assert made.node(term("data")) != made.node(term("addr"))


SAME = [
    ("rf^-1 ; mo", "fr"),
    ("rf(W -> R)", "rf"),
    ("po \\ mo^-1(F -> W)", "po"),
    ("po | rmw", "po"),
    ("(mo | fr)^+", "mo | fr"),
    ("(A * A) & rf", "rf"),
    ("(rmw? ; po)^*", "po?"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_terms_with_one_node(one: str, other: str) -> None:
    made = table()
    assert made.node(term(one)) == made.node(term(other))


def test_relations_that_are_kept_for_others_are_one() -> None:
    made = Planner(ClassSets(CLASSES), incremental=True, ahead=False)
    (kept,) = made.kept([term("po(R -> W)"), term("mo ; mo^-1"), term("rmw"), term("data"), term("po(F -> A)")])
    assert kept == made.table.node(term("po(R -> W) | data | po(F -> A)"))
    assert [n for n, node in enumerate(made.nodes) if node.kept] == [kept]
    assert Planner(ClassSets(CLASSES), incremental=True, ahead=False).kept([term("mo ; mo^-1")]) == ()


@pytest.mark.parametrize(
    ("race", "closures"),
    [
        ("(loc & ext) \\ ((po | rf)^+ | ((po | rf)^+)^-1)", ["(po | rf)^+"]),
        ("(loc \\ po^+) & (ext \\ (rf | po(F -> A))^+)", ["(rf | po(F -> A))^+"]),
        ("(rf | po)^+ & loc", []),
        ("(rmw & loc) \\ (po | rf)^+", []),
    ],
)
def test_what_races_are_less(race: str, closures: list[str]) -> None:
    made = Planner(ClassSets(CLASSES), incremental=False, ahead=False)
    checks = made.checks([(0, Check("empty", term(race)))])
    assert list(dict.fromkeys(made.subtracted(checks))) == list(map(term, closures))
