"""Every operator, on the graph that operators.mcm describes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.graphs import shape
from xgen.errors import Source
from xgen.memory.algebra import Kind, Op
from xgen.memory.mcm import read_model

TEXT = Path(__file__).with_name("operators.mcm").read_text(encoding="utf-8")
MODEL = read_model(Source("operators.mcm", TEXT))
GRAPH = shape("a:Wx b:F[mfence] c:Wy[release] | d:Ry[acquire] e:Rx f:Wx[rmw]", "c d, ix e", "a f")
GRAPH.given = {
    Op.RMW: {("e", "f")},
    Op.ADDR: {("d", "e")},
    Op.DATA: {("d", "f"), ("e", "f")},
    Op.CTRL: {("d", "e"), ("d", "f")},
}
BOUND = {"node": "b", "thread": 0, "variable": "x"}


def expected_values() -> dict[str, str]:
    """The comment behind each definition."""
    lines = [line for line in TEXT.splitlines() if "=" in line and " // " in line and not line.startswith("//")]
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
    assert used == set(Op) - {Op.FIX, Op.REC_RELATION, Op.REC_SET}


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
