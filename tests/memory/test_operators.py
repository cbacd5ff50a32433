"""Every operator, on the graph that operators.mcm describes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.graphs import shape
from xgen.errors import Source
from xgen.memory.algebra import Check, Kind, Op, Term
from xgen.memory.mcm.parser import read_model
from xgen.memory.show import show

TEXT = Path(__file__).with_name("operators.mcm").read_text(encoding="utf-8")
MODEL = read_model(Source("operators.mcm", TEXT))
EVENTS = "a:Wx[g.one] b:F[mfence+h.one] c:Wy[release] | d:Ry[acquire] e:Rx[g.one] f:Wx[rmw+g.two]"
GRAPH = shape(EVENTS, "c d, ix e", "a f")
GRAPH.given = {
    Op.RMW: {("e", "f")},
    Op.ADDR: {("d", "e")},
    Op.DATA: {("d", "f"), ("e", "f")},
    Op.CTRL: {("d", "e"), ("d", "f")},
    Op.PICK_ADDR: {("d", "f")},
    Op.PICK_DATA: {("e", "f")},
    Op.PICK_CTRL: {("d", "e")},
    Op.SI: {("d", "e"), ("e", "d")},
}
BOUND = {"node": "b", "thread": 0, "variable": "x"}


def expected_values() -> dict[str, str]:
    """The comment behind each definition."""
    lines = [line for line in TEXT.splitlines() if "=" in line and " // " in line and not line.startswith("//")]
    lines = [line.removeprefix("rec ").removeprefix("and ") for line in lines]
    return {line.split("=")[0].strip(): line.rpartition("// ")[2].removeprefix("_: ").strip() for line in lines}


EXPECTED = expected_values()


def written(value: set[Any]) -> set[str]:
    """A set or a relation as operators.mcm writes it."""
    return {item if isinstance(item, str) else "".join(item) for item in value}


@pytest.mark.parametrize("name", EXPECTED)
def test_value(name: str) -> None:
    definition = next(definition for definition in MODEL.definitions if definition.name == name)
    bound = {binder.name: BOUND[binder.over] for binder in definition.binders}
    if name == "outer":
        bound["outer.node1"] = "c"
    value = GRAPH.value(definition.term, bound)
    assert written(value) == set(EXPECTED[name].replace("-", "").split())
    if value:
        assert definition.term.kind is (Kind.SET if isinstance(next(iter(value)), str) else Kind.RELATION)


def test_every_definition_has_a_value() -> None:
    assert list(EXPECTED) == [definition.name for definition in MODEL.definitions]


def test_every_operation_occurs() -> None:
    used = {part.op for definition in MODEL.definitions for part in definition.term.subterms()}
    assert used == set(Op) - {Op.BLOCK, Op.OBJ}  # which xgen.memory.adapt adds


def test_comments_and_blanks_do_not_matter() -> None:
    text = "/* one\n * two **/ hb=po|rf// three\n\n  hb\tacyclic // four"
    model = read_model(Source("x.mcm", text))
    (constraint,) = model.constraints
    assert (constraint.name, constraint.position.line, constraint.position.column) == ("hb", 4, 3)


def test_header() -> None:
    model = read_model(Source("dir/some.mcm", 'model "x86-TSO" "one line"'))
    assert (model.name, model.title, model.constraints) == ("x86-TSO", "one line", ())
    assert read_model(Source("dir/some.mcm", "po acyclic")).name == "some"
    assert read_model(Source("dir/some.mcm", 'model "a"')).title == ""


def test_expected_tags() -> None:
    assert MODEL.tags == ("mfence", "acquire", "release")
    assert read_model(Source("m.mcm", 'model "a" expects dmb.sy, rcu-lock a = po a acyclic')).tags == (
        "dmb.sy",
        "rcu-lock",
    )
    assert read_model(Source("m.mcm", 'model "a"')).tags is None


def test_flags_and_negation() -> None:
    text = """
    race = rf & ext   order = po | rf | mo | fr
    flag race empty as data_race "a value comes from another thread"
    flag order not acyclic
    (order acyclic & race not empty)
    """
    model = read_model(Source("x.mcm", text))
    assert [(c.name, c.flag) for c in model.constraints] == [
        ("data_race", True),
        ("order", True),
        ("order & race", False),
    ]
    assert (GRAPH.flags(model), GRAPH.allowed(model)) == (["data_race"], False)
    assert (shape("a:Rx", "").flags(model), shape("a:Rx", "").allowed(model)) == (["data_race", "order"], True)
    assert shape("a:Wx | b:Wx", "", "a b").flags(model) == ["order"]


def test_constraints_are_named() -> None:
    text = """
    a = po   b = rf
    a acyclic
    a empty
    b irreflexive as read "a sentence"
    a acyclic & (b empty | a irreflexive)
    (a acyclic & b acyclic) | b empty as all "two"
    """
    constraints = read_model(Source("x.mcm", text)).constraints
    names = ["a", "a empty", "read", "a & b & a", "all"]
    assert [constraint.name for constraint in constraints] == names
    assert [constraint.sentence for constraint in constraints] == ["", "", "a sentence", "", "two"]
    assert [constraint.position.line for constraint in constraints] == [3, 4, 5, 6, 7]


def test_a_group_of_constraints_may_follow_a_definition() -> None:
    model = read_model(Source("x.mcm", "a = po ((a acyclic | (a empty))) b = a ((W) -> R) b empty"))
    assert [constraint.name for constraint in model.constraints] == ["a | a", "b"]


def test_emptiness_of_a_set() -> None:
    (constraint,) = read_model(Source("x.mcm", "a = domain(rf) a empty")).constraints
    assert constraint.condition.term.op is Op.IDENTITY  # type: ignore[union-attr]


# --- Functions and recursion ---------------------------------------------------------------------------------------


def term(text: str, name: str) -> Term:
    return next(d.term for d in read_model(Source("m.mcm", text)).definitions if d.name == name)


def test_a_function_is_its_text() -> None:
    text = "x = rf f(x, y) = x ; [y] ; g  a = f(po, W)  b = po ; [W] ; g".replace("; g", "; x^-1", 1).replace(
        "; g", "; po^-1"
    )
    assert term(text, "a") is term(text, "b")


def test_an_argument_can_be_empty() -> None:
    text = "f(x, y) = x | y  a = f({}, po)  b = {} | po  c = f({}, {})"
    assert term(text, "a") is term(text, "b")
    assert term(text, "c").op is Op.EMPTY_RELATION


def test_loops_in_functions() -> None:
    """The loops of each application are its own; they reach over the whole constraint as all loops do."""
    text = "f(s) = for_each_node s begin po(s[node] -> A) end  a = f(R) | f(W)  b = f(R)  a acyclic b acyclic"
    model = read_model(Source("m.mcm", text))
    checks = [constraint.condition for constraint in model.constraints]
    assert all(isinstance(check, Check) for check in checks)
    assert [[b.name for b in check.binders] for check in checks] == [["a.node0", "a.node0#2"], ["a.node0"]]  # type: ignore[union-attr]


def test_recursion_is_one_group() -> None:
    text = "rec a = po | b ; b and b = rf | a  c = a & b"
    a, b = term(text, "a"), term(text, "b")
    assert (a.op, a.args, a.name, b.args, b.name) == (Op.FIX, b.args, "a,b:0", a.args, "a,b:1")
    assert term(text, "c").args == (a, b)
    assert show(a) == "(rec a = po | b ; b and b = rf | a in a)"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("rec a = b and b = c and c = domain(rf) | a", "set set set"),
        ("rec a = b and b = a", "relation relation"),
        ("rec a = {} | b and b = a & (c) and c = c \\ R", "set set set"),
        ("rec a = b * b and b = R | b", "relation set"),
        ("f(x) = x | R rec a = f(a)", "set"),
        ("f(x, y) = y | x g(x) = f(x, x) rec a = g(b) and b = g(a) | c and c = c & po^+", "relation relation relation"),
        ("f(x) = x ; x rec a = f(b) and b = b", "relation relation"),
        ("d = for_each_var begin W[var] end rec a = a | d", "set"),
        ("rec a = b[init] and b = b | a", "set set"),
        ("rec a = b(c -> c) and b = a and c = W", "relation relation set"),
    ],
)
def test_kinds_of_recursive_names(text: str, kinds: str) -> None:
    definitions = read_model(Source("m.mcm", text)).definitions
    recursive = [d for d in definitions if d.term.op is Op.FIX]
    assert [d.term.kind.value for d in recursive] == kinds.split()
