"""The table of what statements are made of: it names each field of each class, and what it gives is what they hold."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

import pytest

from xgen.program import automaton as xcfa
from xgen.program import uses
from xgen.program.automaton import Binary, Deref, IntLiteral, Name, Place

NAMED = {"procedure", "process", "group"}
"""Fields that name no local."""
A, B, C, X = (Name(name) for name in "abcx")
SUM = Binary("+", A, B)


@pytest.mark.parametrize("kind", get_args(xcfa.Statement), ids=lambda kind: kind.__name__)
def test_all_fields_are_named(kind: type) -> None:
    made_of = {
        field.name for field in fields(kind) if any(word in str(field.type) for word in ("Name", "Expression", "Place"))
    }
    if kind is xcfa.Scope:
        assert made_of == {"local"}
        return
    use = uses.USES[kind]
    named = {use.writes, *use.values, use.place, use.reads} - {""}
    assert made_of - NAMED == named
    assert {field.name for field in fields(kind) if field.name.endswith("tags")} == set(use.tags)


@pytest.mark.parametrize(
    ("statement", "written", "reads"),
    [
        (xcfa.Assign(X, SUM), "x", "ab"),
        (xcfa.Load(X, Place(Name("v"), (A,))), "x", "a"),
        (xcfa.Load(X, Deref(SUM)), "x", "ab"),
        (xcfa.Store(A, Deref(B)), None, "ab"),
        (xcfa.StoreExclusive(X, A, Place(Name("v"))), "x", "a"),
        (xcfa.Rmw(X, "cas", Place(Name("v"), (C,)), (A, B)), "x", "abc"),
        (xcfa.Rmw(None, "exchange", Place(Name("v")), (A,)), None, "a"),
        (xcfa.Havoc(X, (A, B)), "x", "ab"),
        (xcfa.Havoc(X), "x", ""),
        (xcfa.Select(X, C, A, B), "x", "abc"),
        (xcfa.Bound(A, 3), None, "a"),
        (xcfa.Scope("keep", A), "a", ""),
        (xcfa.Scope("leave", A), None, "a"),
        (xcfa.Mutex("lock", Deref(A), target=X), "x", "a"),
        (xcfa.Mutex("lock", Name("m")), None, ""),
        (xcfa.Return(), None, ""),
        (xcfa.Call(X, Name("p"), (A, B)), "x", "ab"),
        ("a label", None, ""),
    ],
)
def test_what_statements_read_and_write(statement: object, written: str | None, reads: str) -> None:
    target = uses.written(statement)
    assert (None if target is None else target.name) == written
    assert {*uses.reads(statement)} == {*reads}


def one(_: object) -> IntLiteral:
    return IntLiteral(1)


def test_what_is_replaced() -> None:
    update, bare = xcfa.Rmw(X, "cas", Place(Name("v"), (C,)), (A, SUM)), xcfa.Return()
    there = uses.changed(update, one, lambda _: Deref(A))
    assert there == xcfa.Rmw(X, "cas", Deref(A), (IntLiteral(1), IntLiteral(1)))
    assert uses.changed(xcfa.Select(X, C, A, B), one) == xcfa.Select(X, C, IntLiteral(1), IntLiteral(1))
    assert uses.changed(bare, one) is bare
    tagged = uses.with_tags(update, ("t",))
    assert (tagged.read_tags, tagged.write_tags, tagged.arguments) == (("t",), ("t",), update.arguments)
    assert uses.with_tags(bare, ("t",)) is bare
