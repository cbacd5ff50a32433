"""Random expressions on random executions: what the reader makes of them is what they mean on herd's events."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.cat.herd import Access, Execution, meaning, plus
from xgen.errors import Source
from xgen.memory.algebra import Check
from xgen.memory.cat import read_cat

SETS = ["R", "W", "M", "IW", "X"]
RELATIONS = ["po", "rf", "co", "fr", "loc", "int", "ext", "id", "rmw"]


@st.composite
def executions(draw: st.DrawFn, one_event: bool) -> Execution:
    """Up to three threads of up to three accesses of two variables, in any order of writes, reading from any write."""
    shapes = draw(st.lists(st.lists(st.tuples(st.sampled_from("RWU"), st.sampled_from("xy")), max_size=3), max_size=3))
    tags = st.sampled_from(["", "release"])
    threads = [
        [Access(f"{t}{n}", k, v, draw(tags)) for n, (k, v) in enumerate(thread)] for t, thread in enumerate(shapes)
    ]
    accesses = [a for thread in threads for a in thread]
    mo = {v: draw(st.permutations([a.name for a in accesses if a.variable == v and a.kind != "R"])) for v in "xy"}
    rf = {}
    for a in accesses:
        if a.kind == "R":
            rf[a.name] = draw(st.sampled_from([f"i{a.variable}", *mo[a.variable]]))
        elif a.kind == "U":  # the engine's updates write right after what they read
            at = mo[a.variable].index(a.name)
            rf[a.name] = mo[a.variable][at - 1] if at else f"i{a.variable}"
    return Execution(threads, rf, mo, one_event)


def sets(relations: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    leaves = st.sampled_from(SETS)
    pairs = st.tuples(leaves, st.sampled_from(["|", "&", "\\"]), leaves).map(lambda p: f"({' '.join(p)})")
    ends = st.tuples(st.sampled_from(["domain", "range"]), relations).map(lambda p: f"({p[0]}({p[1]}))")
    return leaves | pairs | ends


def _grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    events = sets(inner)
    return st.one_of(
        st.tuples(inner, st.sampled_from(["|", "&", "\\", ";"]), inner).map(lambda p: f"({' '.join(p)})"),
        st.tuples(inner, st.sampled_from(["+", "*", "?", "^-1"])).map(lambda p: f"({p[0]}{p[1]})"),
        events.map(lambda s: f"[{s}]"),
        st.tuples(events, events).map(lambda p: f"({p[0]} * {p[1]})"),
    )


RELATION = st.recursive(st.sampled_from(RELATIONS), _grow, max_leaves=8)


@pytest.mark.parametrize("architecture", ["C", "RISCV", "X86"])
@given(st.data())
def test_expressions(architecture: str, data: st.DataObject) -> None:
    """A relation of the reader stands for the one of herd's events, and has its properties."""
    execution = data.draw(executions(architecture != "X86"))
    text = data.draw(RELATION)
    expected = meaning(text, execution)
    value = relation_of(text, architecture, execution)
    assert execution.saturate(value) == execution.expand(expected)
    assert _acyclic(value) == _acyclic(expected)
    assert any(a == b for a, b in value) == any(a == b for a, b in expected)
    assert (not value) == (not expected)


@given(st.data())
def test_sets(data: st.DataObject) -> None:
    """A set has both halves of an update, or none."""
    execution = data.draw(executions(True))
    text = data.draw(sets(RELATION))
    model = read_cat(Source("m.cat", f"let it = {text} let r = it * it"), "C")
    found = [definition.term for definition in model.definitions if definition.name == "it"]
    assert execution.graph.value(found[0]) == execution.expand(meaning(text, execution))


@given(st.data())
def test_complements(data: st.DataObject) -> None:
    """`~r` in C."""
    execution = data.draw(executions(True))
    text = data.draw(st.sampled_from(["id", "[R]", "po?", "loc", "(rf | id)", "[W]; loc", "(co? ; rf?)"]))
    if meaning(text, execution):
        value = relation_of(f"~({text})", "C", execution)
        assert execution.saturate(value) == execution.expand(meaning(f"~({text})", execution))


def relation_of(text: str, architecture: str, execution: Execution) -> Any:
    """The value of a relation's text, read for an architecture, in xgen's graph."""
    model = read_cat(Source("m.cat", f"let it = {text}"), architecture)
    return execution.graph.value(model.definitions[0].term)


def _acyclic(relation: Any) -> bool:
    return all(a != b for a, b in plus(relation))


def test_acyclic_checks_of_c_name_all_of_po() -> None:
    """What `acyclic` is about in C has the pairs of updates as well, and no other cycles for it."""
    model = read_cat(Source("m.cat", "acyclic po | rf as it"), "C")
    condition = model.constraints[0].condition
    assert isinstance(condition, Check)
    threads = [[Access("u", "U", "x"), Access("r", "R", "y")], [Access("v", "U", "y"), Access("w", "W", "x")]]
    execution = Execution(threads, {"u": "ix", "r": "v", "v": "iy"}, {"x": ["u", "w"], "y": ["v"]}, True)
    assert execution.graph.holds(condition)
    assert ("u.r", "u.w") in execution.graph.value(condition.term)
    circle = [[Access("u", "U", "x"), Access("w", "W", "y")], [Access("v", "U", "y"), Access("z", "W", "x")]]
    execution = Execution(circle, {"u": "z", "v": "w"}, {"x": ["z", "u"], "y": ["w", "v"]}, True)
    assert not execution.graph.holds(condition)
