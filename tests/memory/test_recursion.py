"""Recursion in the algebra: its values, what is known of it, and how the engine computes it."""

from __future__ import annotations

from typing import Any

import pytest
from oracle import models
from oracle.models import FR, MO, PO, READS, RF, WRITES, cross, intersection, minus, on, sequence, union

import xgen
from memory.graphs import shape
from xgen.errors import LimitError, Position, Source
from xgen.memory.algebra import Check, Constraint, Kind, Model, Op, Term
from xgen.memory.show import show
from xgen.memory.statics.polarity import extensible, falling, monotone, stable

GRAPH = shape("a:Wx b:F c:Wy | d:Ry e:Rx f:Wx", "c d, ix e", "a f")


def variable(name: str) -> Term:
    return Term(Op.REC_RELATION, (), name)


def fix(name: str, *bodies: Term) -> Term:
    return Term(Op.FIX, bodies, name)


X, Y = variable("x,y:0"), variable("x,y:1")
CLOSED = fix("x:0", union(RF, PO, sequence(variable("x:0"), variable("x:0"))))
"""(rf | po)^+"""
REACHED = fix(
    "s:0", union(Term(Op.TAGGED, (), "init"), Term(Op.RANGE, (sequence(on(Term(Op.REC_SET, (), "s:0")), RF),)))
)
"""The initial writes, and what reads from what is in it."""
EVEN = fix("x,y:0", union(on(READS), sequence(Y, PO)), sequence(X, PO))
"""Even numbers of steps of program order, from reads: two variables that need each other."""


def test_values() -> None:
    assert GRAPH.value(CLOSED) == GRAPH.value(Term(Op.PLUS, (union(RF, PO),)))
    assert GRAPH.value(REACHED) == {"ix", "iy", "e"}
    assert GRAPH.value(EVEN) == {("d", "d"), ("e", "e"), ("d", "f")}
    assert GRAPH.value(fix("x,y:1", *EVEN.args)) == {("d", "e"), ("d", "f"), ("e", "f")}


def test_kinds() -> None:
    assert (CLOSED.kind, REACHED.kind) == (Kind.RELATION, Kind.SET)
    assert (EVEN.group, EVEN.variable, fix("x,y:1", *EVEN.args).variable) == ("x,y", 0, 1)


def test_bodies_see_the_new_values_of_those_before_them() -> None:
    """A recursion that is not monotone: b is what a has not, so the order of the two matters."""
    a, b = variable("a,b:0"), variable("a,b:1")
    some = intersection(PO, cross(READS, WRITES))
    assert GRAPH.value(fix("a,b:1", union(some, a), minus(some, a))) == set()
    assert GRAPH.value(fix("a,b:0", minus(some, b), union(some, b))) == set()
    assert GRAPH.value(fix("a,b:1", minus(some, b), union(a, b))) == {("d", "f"), ("e", "f")}


def test_what_is_known_of_a_recursion() -> None:
    assert monotone(CLOSED) == monotone(EVEN) == (True, "")
    assert monotone(fix("x:0", union(MO, minus(PO, sequence(variable("x:0"), RF)))))[0] is False
    assert stable(fix("x:0", union(PO, sequence(variable("x:0"), on(WRITES)))))
    assert not stable(CLOSED)
    assert monotone(minus(MO, fix("x:0", union(PO, sequence(variable("x:0"), on(WRITES)))))) == (True, "")
    assert monotone(fix("x:0", minus(PO, variable("x:0"))))[0] is False
    # A component that no body uses, with a body that takes a second look
    unused = fix("x,y:1", union(MO, X), union(PO, X))
    assert (stable(unused), monotone(unused)) == (False, (True, ""))


def test_extensible() -> None:
    assert extensible(Check("acyclic", CLOSED))
    assert not extensible(Check("acyclic", CLOSED, negated=True))
    assert not extensible(Check("acyclic", fix("x:0", union(PO, sequence(variable("x:0"), Term(Op.INVERSE, (MO,)))))))
    assert not extensible(Check("acyclic", sequence(Term(Op.INVERSE, (Term(Op.OPTIONAL, (PO,)),)), MO)))


def test_falling() -> None:
    body = union(PO, minus(RF, X), minus(X, MO))
    assert falling(body, "x,y") == minus(RF, X)
    assert falling(body, "z") is None
    assert falling(minus(RF, fix("z:0", union(X, variable("z:0")))), "x,y") is not None


def test_shown() -> None:
    assert show(CLOSED) == "(rec x = rf | po | x ; x in x)"
    assert show(EVEN, {PO: "never"}) == "(rec x = [R] | y ; po and y = x ; po in x)"


SB = xgen.parse("""
var x : int
var y : int
process a { var r : int init loc L0 final loc L1 L0 -> L1 { 1 -> x; r <- y } }
process b { var s : int init loc L0 final loc L1 L0 -> L1 { 1 -> y; s <- x } }
""")


def constraint(name: str, condition: Check, flag: bool = False) -> Constraint:
    return Constraint(name, condition, Position(1, 1), flag=flag)


def result(*constraints: Constraint, **options: Any) -> xgen.Result:
    model = Model("m", Source("m", ""), (constraint("coherent", models.COHERENT), *constraints))
    return xgen.check(SB, model, all_states=True, **options)


def test_the_engine_on_recursion() -> None:
    hb = fix("x:0", union(RF, PO, MO, FR, sequence(variable("x:0"), variable("x:0"))))
    for filter_ in ("in-situ", "final"):
        assert result(constraint("sc", Check("irreflexive", hb)), filter=filter_).executions == 3


@pytest.mark.parametrize("workers", [1, 3])
def test_flags(workers: int) -> None:
    """Flags are raised by executions that do not satisfy them, and forbid none."""
    found = result(
        constraint("order", models.acyclic(PO, RF)),
        constraint("sc", models.acyclic(PO, RF, MO, FR), flag=True),
        constraint("reads", Check("empty", intersection(RF, models.EXT)), flag=True),
        constraint("communicates", Check("empty", intersection(RF, PO), negated=True), flag=True),
        constraint("never", Check("acyclic", PO), flag=True),
        workers=workers,
    )
    assert found.executions == 4
    assert found.flags == {"sc": 1, "reads": 4, "communicates": 1}
    assert found.demoted == {}


def test_flags_in_parts() -> None:
    model = Model("m", Source("m", ""), (constraint("sc", models.acyclic(PO, RF, MO, FR), flag=True),))
    assert xgen.check(SB, model, all_states=True, memory_limit=2**30).flags == {"sc": 1}


def test_negated() -> None:
    weak = Check("acyclic", union(PO, RF, MO, FR), negated=True)
    found = result(constraint("order", models.acyclic(PO, RF)), constraint("weak", weak))
    assert (found.executions, list(found.demoted)) == (1, ["weak"])
    reason = "that `po | rf | mo | fr` is not acyclic can come true when events are added"
    assert found.demoted["weak"] == reason


def test_a_recursion_without_an_end() -> None:
    """What one variable loses another one gets, round and round."""
    c, b, a = (variable(f"c,b,a:{i}") for i in range(3))
    x = fix("c,b,a:2", b, a, minus(PO, union(b, c)))
    with pytest.raises(LimitError, match="a recursion of the model has no fixed point"):
        result(constraint("bad", Check("acyclic", x)))
