"""Explanations: the verdict, the candidate that is chosen, and that each step of a cycle is what it says."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from memory.naive import Graph
from memory.test_evaluate import EXECUTIONS, spelled_out
from oracle.models import random_model
from views import samples

import xgen
from xgen.analyses.explain import Explanation, Query, Step, Unfolding, explain, violation
from xgen.engine.problem import problem
from xgen.errors import Source
from xgen.executions.execution import Execution
from xgen.memory.algebra import Model, Op, Term
from xgen.memory.cat.elaborate import read_cat
from xgen.memory.evaluate import Evaluator
from xgen.memory.library import list_models
from xgen.resources import shipped

BASE = {
    name: Term(Op[name.upper()])
    for name in ("po", "rf", "mo", "fr", "loc", "int", "ext", "rmw", "addr", "data", "ctrl")
}


def explained(program: str, model: str | Model, **options: float) -> Explanation:
    """Of a shipped program's violation."""
    loaded = xgen.load(shipped("programs") / f"{program}.xcfa")
    found = xgen.model(model) if isinstance(model, str) else model
    return explain(violation(loaded, found), **options)  # type: ignore[arg-type]


def chain(steps: tuple[Step, ...] | list[Step]) -> list[tuple[str, str]]:
    return [(step.relation, step.notes[0]) if step.notes else (step.relation, "") for step in steps]


def ids(explanation: Explanation, steps: tuple[Step, ...]) -> list[str]:
    assert explanation.execution
    return [explanation.execution.events[step.source].id for step in steps]


def test_message_passing_is_forbidden_by_tso() -> None:
    found = explained("mp", "tso")
    assert (found.answer, found.candidates, found.exhaustive) == ("forbidden", 4, True)
    coherence, order = found.findings
    assert coherence.holds
    assert not order.holds
    assert chain(order.steps) == [("ppo", ""), ("rf", "different threads"), ("ppo", ""), ("fr", "")]
    assert ids(found, order.steps) == ["0:0", "0:2", "1:0", "1:2"]
    assert [chain(step.parts) for step in order.steps] == [[("po", "")], [], [("po", "")], []]
    assert {name for name, _, _ in found.highlight} == {"po", "rf", "fr"}


def test_an_allowed_outcome_has_an_order_for_each_constraint() -> None:
    found = explained("peterson", "tso")
    assert found.answer == "allowed"
    assert found.execution is not None
    assert found.execution.violations
    for finding in found.findings:
        assert finding.holds
        place = {number: k for k, number in enumerate(finding.order)}
        check = finding.constraint.condition
        pairs = Evaluator(found.execution).pairs(check.term)  # type: ignore[union-attr]
        assert pairs
        assert all(place[a] < place[b] for a, b in pairs)


def test_candidates_that_break_coherence_are_the_last_choice() -> None:
    """In Peterson's algorithm a process could read its own overwritten write, with a cycle of two steps."""
    found = explained("peterson", "sc")
    assert found.answer == "forbidden"
    assert found.execution is not None
    assert Evaluator(found.execution).holds(xgen.model("coherence").constraints[0].condition)
    (finding,) = found.findings
    assert len(finding.steps) > 2


def test_the_fewest_constraints() -> None:
    """Of the constraints of weak, only that about fences forbids message passing, only coherence cow2r."""
    assert [f.constraint.name for f in explained("mp", "weak").findings if not f.holds] == ["fence_order"]
    assert [f.constraint.name for f in explained("cow2r", "weak").findings if not f.holds] == ["coherence"]


def test_what_no_execution_shows() -> None:
    asked = problem(xgen.load(shipped("programs") / "mp.xcfa"), xgen.model("sc"))
    found = explain(Query(asked, lambda _: False, "nothing"))
    assert (found.answer, found.execution, found.findings, found.exhaustive) == ("impossible", None, (), True)


def test_out_of_time() -> None:
    assert explained("bakery", "sc", timeout=1e-9).answer == "unknown"


LOCKED = """
var x : int
var m : synthetic
process p { init loc A final loc B A -> B { lock(m) 1 -> x unlock(m) } }
process q { var a : int var b : int init loc A final loc B
  A -> B { lock(m) a <- x b <- x unlock(m) assert a = b } }
"""


def test_programs_that_cannot_be_run_with_load_buffering() -> None:
    """A lock makes the two reads of a critical section agree."""
    found = explain(violation(xgen.parse(LOCKED), xgen.model("sc")))
    assert found.answer == "forbidden"


def check_step(step: Step, graph: Graph, execution: Execution) -> None:
    """Base steps are pairs of their relation; the parts of others lead from the source to the target."""
    name = {number: event.id for number, event in enumerate(execution.events)}
    backwards = step.relation.endswith("^-1")
    if step.relation in BASE and not step.parts:  # with parts, it is what a model calls so
        assert (name[step.source], name[step.target]) in graph.value(BASE[step.relation])
    if step.parts:
        ends = (step.target, step.source) if backwards else (step.source, step.target)
        assert (step.parts[0].source, step.parts[-1].target) == ends
        for one, two in pairwise(step.parts):
            assert one.target == two.source
    for part in step.parts:
        check_step(part, graph, execution)


def check_findings(model: Model, execution: Execution) -> int:
    evaluator, graph, count = Evaluator(execution), spelled_out(execution), 0
    unfolding = Unfolding(evaluator, model)
    for constraint in model.constraints:
        for failure in evaluator.failures(constraint.condition):
            steps = unfolding.failure(failure)
            for step in steps:
                check_step(step, graph, execution)
            for one, two in pairwise(steps):
                assert one.target == two.source
            if steps and failure.check.property != "empty":
                assert steps[-1].target == steps[0].source
            count += bool(steps)
    return count


@pytest.mark.parametrize("seed", range(60))
def test_cycles_of_random_models(seed: int) -> None:
    model = random_model(random.Random(seed))
    for execution in EXECUTIONS[seed % 3 :: 3]:
        check_findings(model, execution)


def test_cycles_of_the_shipped_models() -> None:
    count = sum(check_findings(xgen.model(name), e) for name in list_models() for e in EXECUTIONS)
    assert count > 50


def test_recursion_is_unfolded_to_its_ground() -> None:
    """A recursion that spells out the closure of po: each pair rests on pairs that were there before."""
    step = Term(Op.UNION, (Term(Op.PO), Term(Op.SEQUENCE, (Term(Op.REC_RELATION, (), "g:0"), Term(Op.RF)))))
    fix = Term(Op.FIX, (step,), "g:0")
    execution = samples.load_buffering()
    evaluator = Evaluator(execution)
    number = {event.id: n for n, event in enumerate(execution.events)}
    unfolding = Unfolding(evaluator, xgen.model("any"))
    a, b = number["0:0"], number["1:0"]  # po, then rf
    assert evaluator.relation(fix)[a] >> b & 1
    steps, _ = unfolding.steps(fix, a, b, {})
    assert [(s.relation, [p.relation for p in s.parts]) for s in steps] == [("recursion", ["po"]), ("rf", [])]
    for s in steps:
        check_step(s, spelled_out(execution), execution)


MUTUAL = """PPC
let rec ii = addr | ci
and ic = po | (ii; rf)
and ci = (ic; rf) | (ci; po)
irreflexive (ii | ic | ci) as none
"""


def test_a_model_with_mutual_recursion() -> None:
    model = read_cat(Source("mutual.cat", MUTUAL))
    for execution in EXECUTIONS:
        check_findings(model, execution)
    assert check_findings(model, samples.load_buffering()) == 1


def test_a_reflexive_step_is_none() -> None:
    """`r^*` leads from an event to itself without a step."""
    model = read_cat(Source("star.cat", "star\nlet hb = po | rf\nlet s = hb*\nirreflexive (po; s; fr; po; fr) as c"))
    evaluator = Evaluator(samples.store_buffering())
    (failure,) = evaluator.failures(model.constraints[0].condition)
    assert [step.relation for step in Unfolding(evaluator, model).failure(failure)] == ["po", "fr", "po", "fr"]
