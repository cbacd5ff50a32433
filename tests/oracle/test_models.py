"""The oracle's evaluation of models: the value of each operation on a small graph, worked out by hand."""

from __future__ import annotations

import pytest

from oracle import models
from oracle.evaluate import INITIAL, Bindings, Evaluator, Event, is_acyclic
from oracle.running import Dependencies
from xgen.memory.algebra import Binder, Check, Junction, Op, Term

# Message passing in which the second read is late: 0, 1 initial x, y | 2 W x 1, 3 F, 4 W y 1 | 5 R y 1, 6 R x 0. What
# depends on what is made up.
FIRST = frozenset([0])
DEPENDING = Dependencies(FIRST, FIRST, FIRST, FIRST, pick_addr=FIRST, pick_data=FIRST, pick_ctrl=FIRST)
GRAPH = (
    Event(INITIAL, 0, "W", "x", 0, frozenset(["init"])),
    Event(INITIAL, 0, "W", "y", 0, frozenset(["init"])),
    Event(0, 0, "W", "x", 1, frozenset(["g.a", "g.b"])),
    Event(0, 1, "F", None, None, frozenset(["mfence"])),
    Event(0, 2, "W", "y", 1, frozenset(["rel"])),
    Event(1, 0, "R", "y", 1, frozenset(["acq", "g.b", "h.a"])),
    Event(1, 1, "R", "x", 0, frozenset(), DEPENDING),
)
RF = {(4, 5), (0, 6)}
MO = {(0, 2), (1, 4)}
PO = {(i, e) for i in (0, 1) for e in range(2, 7)} | {(2, 3), (2, 4), (3, 4), (5, 6)}
ID = {(e, e) for e in range(7)}


def evaluator() -> Evaluator:
    """The evaluator of the graph above."""
    result = Evaluator(GRAPH, 2)
    result.set_rf(frozenset(RF))
    result.set_mo(frozenset(MO))
    return result


def relation(op: Op, *args: Term) -> Term:
    """A term."""
    return Term(op, args)


FOUR = Term(Op.BOUND, (), "n")
S = Term(Op.REC_SET, (), "s:0")
VALUES: list[tuple[Term, object]] = [
    (models.EVENTS, {0, 1, 2, 3, 4, 5, 6}),
    (models.READS, {5, 6}),
    (models.WRITES, {0, 1, 2, 4}),
    (models.FENCES, {3}),
    (Term(Op.INITS), {0, 1}),
    (models.tagged("mfence"), {3}),
    (models.tagged("init"), {0, 1}),
    (Term(Op.BOUND, (), "n"), {4}),
    (Term(Op.THREAD, (), "t"), {5, 6}),
    (Term(Op.VARIABLE, (), "v"), {0, 2, 6}),
    (relation(Op.DOMAIN, models.RF), {0, 4}),
    (relation(Op.RANGE, models.RF), {5, 6}),
    (Term(Op.EMPTY_SET), set()),
    (models.PO, PO),
    (models.RF, RF),
    (models.MO, MO),
    (models.FR, {(6, 2)}),
    (models.LOC, {(a, b) for group in ((0, 2, 6), (1, 4, 5)) for a in group for b in group}),
    (models.INT, {(a, b) for group in ((2, 3, 4), (5, 6)) for a in group for b in group}),
    (models.EXT, {(a, b) for g, h in (((0, 1), (2, 3, 4, 5, 6)), ((2, 3, 4), (5, 6))) for a in g for b in h}
     | {(b, a) for g, h in (((0, 1), (2, 3, 4, 5, 6)), ((2, 3, 4), (5, 6))) for a in g for b in h}),
    (Term(Op.ID), ID),
    (Term(Op.SI), set()),
    (models.ADDR, {(5, 6)}),
    (models.DATA, {(5, 6)}),
    (models.CTRL, {(5, 6)}),
    (models.PICK_ADDR, {(5, 6)}),
    (models.PICK_DATA, {(5, 6)}),
    (models.PICK_CTRL, {(5, 6)}),
    (models.RMW, {(5, 6)}),
    (Term(Op.SAME, (), "g"), {(2, 2), (2, 5), (5, 2), (5, 5)}),
    (Term(Op.SAME, (), "g, h"), {(2, 5)}),
    (models.sequence(models.MO, models.RF), {(1, 5)}),
    (models.sequence(models.RF, models.FR), {(0, 2)}),
    (relation(Op.INVERSE, models.RF), {(5, 4), (6, 0)}),
    (models.plus(models.union(models.RF, models.FR)), {(4, 5), (0, 6), (6, 2), (0, 2)}),
    (relation(Op.STAR, models.union(models.RF, models.FR)), ID | {(4, 5), (0, 6), (6, 2), (0, 2)}),
    (relation(Op.OPTIONAL, models.RF), ID | RF),
    (models.cross(models.FENCES, models.READS), {(3, 5), (3, 6)}),
    (models.on(models.READS), {(5, 5), (6, 6)}),
    (models.union(models.READS, models.FENCES), {3, 5, 6}),
    (models.union(models.RF, models.MO), RF | MO),
    (models.intersection(models.RF, models.EXT), RF),
    (models.intersection(models.PO, models.LOC), {(0, 2), (0, 6), (1, 4), (1, 5)}),
    (models.minus(models.WRITES, Term(Op.INITS)), {2, 4}),
    (models.minus(models.RF, models.PO), {(4, 5)}),
    (Term(Op.EMPTY_RELATION), set()),
    (Term(Op.REC_SET, (), "g:0"), {1}),
    (Term(Op.REC_RELATION, (), "g:1"), {(2, 3)}),
    (Term(Op.FIX, (models.union(FOUR, Term(Op.RANGE, (models.sequence(models.on(S), models.RF),))),), "s:0"), {4, 5}),
]  # fmt: skip


BINDINGS: Bindings = {"n": 4, "t": 1, "v": "x", "g:0": frozenset({1}), "g:1": frozenset({(2, 3)})}


@pytest.mark.parametrize(("term", "value"), VALUES, ids=lambda x: x.op.name if isinstance(x, Term) else "")
def test_values_of_terms(term: Term, value: object) -> None:
    assert evaluator().value(term, BINDINGS) == value


def test_every_operation_has_a_value_above() -> None:
    """But BLOCK and OBJ, which are in no model's text: the oracle contracts atomic blocks, and frees nothing."""
    assert {term.op for term, _ in VALUES} == set(Op) - {Op.BLOCK, Op.OBJ}


NODE = Binder("n", "node", models.READS)
CHECKS: list[tuple[Check | Junction, bool]] = [
    (models.acyclic(models.PO, models.RF, models.MO), True),
    (models.acyclic(models.PO, models.RF, models.MO, models.FR), False),
    (Check("irreflexive", models.LOC), False),
    (Check("irreflexive", models.RF), True),
    (Check("empty", models.FENCES), False),
    (Check("empty", models.intersection(models.RF, models.INT)), True),
    (Check("empty", models.cross(Term(Op.BOUND, (), "n"), models.FENCES), (NODE,)), False),
    (Check("irreflexive", models.cross(Term(Op.BOUND, (), "n"), models.FENCES), (NODE,)), True),
    # in every thread some event is written first: true of the writer, not of the reader
    (Check("empty", models.cross(Term(Op.THREAD, (), "t"), models.FENCES), (Binder("t", "thread"),)), False),
    (Check("acyclic", models.union(models.PO, models.FR), (Binder("v", "variable"),)), True),
    # two binders, the inner one over what the outer one says: no read has an event of its thread that is a fence
    (
        Check(
            "empty",
            models.intersection(Term(Op.THREAD, (), "t"), Term(Op.BOUND, (), "n")),
            (Binder("t", "thread"), Binder("n", "node", models.minus(models.EVENTS, Term(Op.THREAD, (), "t")))),
        ),
        True,
    ),
]


@pytest.mark.parametrize(("check", "holds"), CHECKS)
def test_checks(check: Check, holds: bool) -> None:
    assert evaluator().holds(check) is holds


def test_junctions() -> None:
    yes, no = Check("irreflexive", models.RF), Check("irreflexive", models.LOC)
    assert [evaluator().holds(Junction("and", parts)) for parts in ((), (yes, yes), (yes, no))] == [True, True, False]
    assert [evaluator().holds(Junction("or", parts)) for parts in ((), (no, no), (no, yes))] == [False, False, True]


def test_conditions_are_shown() -> None:
    condition = Junction("or", (Check("empty", models.cross(Term(Op.BOUND, (), "n"), models.READS), (NODE,)),) * 2)
    check = "for n in READS: empty CROSS(BOUND[n], READS)"
    assert models.show_condition(condition) == f"({check} or {check})"
    binders = (Binder("t", "thread"), Binder("n", "node"))
    assert models.show_condition(Check("acyclic", models.PO, binders)) == "for t in thread: for n in node: acyclic PO"


def test_acyclicity() -> None:
    assert is_acyclic([])
    assert is_acyclic([(0, 1), (1, 2), (0, 2)])
    assert not is_acyclic([(0, 0)])
    assert not is_acyclic([(5, 0), (0, 1), (1, 2), (2, 0), (2, 3)])
