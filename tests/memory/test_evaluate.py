"""The evaluator for pictures and explanations, against the spelled-out one and against the engine."""

from __future__ import annotations

import itertools
import random

import networkx as nx
import pytest
from oracle.models import random_model
from views import samples

import xgen
from memory import naive
from xgen.executions.execution import INITIAL, Execution
from xgen.memory.algebra import DEPENDENCIES, Kind, Model, Op, Term, checks_of
from xgen.memory.evaluate import Evaluator, is_acyclic, members, shortest_cycle, shortest_path
from xgen.memory.library import list_models
from xgen.resources import shipped

EXECUTIONS = [
    samples.store_buffering(),
    samples.load_buffering(),
    samples.noisy(),
    samples.independent_reads(),
    *(samples.random_execution(seed, 1 + seed % 4, 3 + seed % 6) for seed in range(12)),
]


def spelled_out(execution: Execution) -> naive.Graph:
    """The same execution for the evaluator of the tests, its events called by their ids."""
    ids = [event.id for event in execution.events]
    made = [
        naive.Event(e.id, None if e.thread == INITIAL else e.thread, e.kind, e.variable, e.tags)
        for e in execution.events
    ]
    threads = [[e for e in made if e.thread == t] for t in range(len(execution.threads))]
    rf = [f"{ids[a]} {ids[b]}" for a, b in execution.rf]
    mo = [" ".join(ids[n] for n in order) for order in execution.mo]
    graph = naive.Graph([e for e in made if e.thread is None], threads, rf, mo)
    for op in (Op.RMW, *DEPENDENCIES):
        graph.given[op] = {(ids[a], ids[b]) for a, b in getattr(execution, op.name.lower())}
    return graph


SHIPPED = [xgen.model(name) for name in list_models()]


@pytest.mark.parametrize("model", SHIPPED, ids=lambda model: model.name)
def test_definitions_and_constraints_of_the_shipped_models(model: Model) -> None:
    for execution in EXECUTIONS:
        evaluator, graph = Evaluator(execution), spelled_out(execution)
        ids = [event.id for event in execution.events]
        for definition in model.definitions:
            if definition.binders:
                continue
            if definition.term.kind is Kind.SET:
                found: object = {ids[n] for n in members(evaluator.set(definition.term))}
            else:
                found = {(ids[a], ids[b]) for a, b in evaluator.pairs(definition.term)}
            assert found == graph.value(definition.term), definition.name
        for constraint in model.constraints:
            assert evaluator.holds(constraint.condition) == graph.holds(constraint.condition), constraint.name


@pytest.mark.parametrize("seed", range(60))
def test_random_models(seed: int) -> None:
    rng = random.Random(seed)
    model = random_model(rng)
    for execution in EXECUTIONS[seed % 3 :: 3]:
        evaluator, graph = Evaluator(execution), spelled_out(execution)
        for constraint in model.constraints:
            assert evaluator.holds(constraint.condition) == graph.holds(constraint.condition)


@pytest.mark.parametrize("model", SHIPPED, ids=lambda model: model.name)
def test_failures_are_what_they_say(model: Model) -> None:
    """A cycle is one, each step a pair of the relation; a pair that should not be there is there."""
    for execution in EXECUTIONS:
        evaluator = Evaluator(execution)
        for constraint in model.constraints:
            for failure in evaluator.failures(constraint.condition):
                rows = evaluator.relation(failure.check.term, failure.environment)
                events = failure.events
                assert failure.check in checks_of(constraint.condition)
                if failure.check.property == "empty":
                    assert rows[events[0]] >> events[1] & 1
                else:
                    steps = zip(events, (*events[1:], events[0]), strict=True)
                    assert all(rows[a] >> b & 1 for a, b in steps)


FORKED = """
var x : int
main process p { init loc A loc B loc C final loc D
  A -> B { 1 -> x } B -> C { start q } C -> D { join q
  2 -> x } }
process q { var a : int init loc A final loc B A -> B { a <- x } }
"""


EXCLUSIVE = "var x : int\n" + "".join(
    f"""process p{n} {{ var a : int var s : int init loc A final loc B
    A -> B {{ a <- load_exclusive(x) s <- store_exclusive(x, a + 1) }} }}"""
    for n in (0, 1)
)


def test_rmw_of_exclusives() -> None:
    """That no write comes between the two of a pair is a constraint on rmw."""
    program = xgen.parse(EXCLUSIVE)
    atomic = "between = rmw & (fr ; mo)\nbetween empty as atomic\nc = (po & loc) | rf | mo | fr\nc acyclic"
    # A model that says nothing of rmw gets that constraint by itself.
    free = xgen.parse_model("c = (po & loc) | rf | mo | fr\nc acyclic\nrmw irreflexive")
    model = xgen.parse_model(atomic)
    candidates = list(xgen.executions(program, free))
    kept = [e for e in candidates if all(Evaluator(e).holds(c.condition) for c in model.constraints)]
    assert len(kept) == sum(1 for _ in xgen.executions(program, model))
    assert len(kept) < len(candidates)
    assert {len(e.rmw) for e in candidates} == {0, 1, 2}


@pytest.mark.parametrize("name", ["sb_fenced", "cow2r", "fig_3_2", "forked", "2w2r"])
def test_the_same_verdicts_as_the_engine(name: str) -> None:
    """Of all executions without constraints, those that satisfy a model's are those that the engine finds under it."""
    program = xgen.parse(FORKED) if name == "forked" else xgen.load(f"{shipped('programs')}/{name}.xcfa")
    # Under a model that allows load buffering, threads cannot be started yet.
    whole = xgen.parse_model("along = po | rf along acyclic") if name == "forked" else xgen.model("any")
    candidates = list(xgen.executions(program, whole, dependencies=True))
    for model in map(xgen.model, ("sc", "tso", "ra", "weak", "weak-a9", *(["coherence"] if name != "forked" else []))):
        demanded = [c.condition for c in model.constraints if not c.flag]
        kept = sum(all(Evaluator(e).holds(condition) for condition in demanded) for e in candidates)
        assert kept == sum(1 for _ in xgen.executions(program, model)), model.name


def test_recursion_and_deep_terms() -> None:
    execution = samples.store_buffering()
    step = Term(Op.UNION, (Term(Op.PO), Term(Op.SEQUENCE, (Term(Op.PO), Term(Op.REC_RELATION, (), "g:0")))))
    fix = Term(Op.FIX, (step,), "g:0")
    evaluator = Evaluator(execution)
    assert evaluator.value(fix) == evaluator.value(Term(Op.PLUS, (Term(Op.PO),)))
    deep = Term(Op.RF)
    for _ in range(5000):
        deep = Term(Op.INVERSE, (deep,))
    assert evaluator.value(deep) == evaluator.value(Term(Op.RF))


def test_paths_and_cycles() -> None:
    rows = (0b0010, 0b0100, 0b1001, 0b0000)  # 0 -> 1 -> 2 -> 0, 2 -> 3
    assert shortest_path(rows, 0, 3) == (0, 1, 2, 3)
    assert shortest_path(rows, 3, 0) is None
    assert shortest_path(rows, 1, 1) == (1, 2, 0, 1)
    assert shortest_cycle(rows) == (0, 1, 2)
    assert shortest_cycle((0b10, 0b00)) is None
    assert shortest_cycle((0b10, 0b10)) == (1,)
    for rows in itertools.product(range(8), repeat=3):  # all relations on three events
        cycle = shortest_cycle(rows)
        closed = set(naive._plus({(str(a), str(b)) for a in range(3) for b in members(rows[a])}))
        assert (cycle is None) == all((str(n), str(n)) not in closed for n in range(3))


@pytest.mark.parametrize("seed", range(200))
def test_whether_there_is_a_cycle(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randrange(1, 9)
    rows = tuple(sum(1 << n for n in range(size) if rng.random() < rng.choice((0.1, 0.2))) for _ in range(size))
    graph = nx.DiGraph([(a, b) for a, row in enumerate(rows) for b in members(row)])
    assert is_acyclic(rows) == nx.is_directed_acyclic_graph(graph)
    assert (shortest_cycle(rows) is None) == is_acyclic(rows)
