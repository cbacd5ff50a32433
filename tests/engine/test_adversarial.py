"""Models that are hard on an exploration, against the oracle: never an execution lost or too many.

They forbid the step that an exploration relies on, forget what they forbade, allow nothing, or allow everything. What
cannot be checked on the way has to be noticed, and the result has to say so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import pytest
from oracle.against import difference, expected_executions, features_for
from oracle.enumerate import Execution, TooManyError
from oracle.programs import Program
from oracle.strategies import DEFAULT, Features, random_program

import xgen
from engine.shapes import SHAPES, late_writer, program
from xgen import Model, Result
from xgen.memory.statics.polarity import extensible

PROGRAMS, SLOW, LONG = 4, 30, 1500
"""Programs per model in every run, and in a long one."""
LIMIT = 800
"""Programs with more candidate executions are left out."""
FEATURES = replace(DEFAULT, events=(1, 4), fences=15, fence_tags=(None, "mfence"), orders=(None, None, "acq", "rel"))
UPDATES = replace(FEATURES, rmws=25)

CAUSAL = "causal = po | rf\ncausal acyclic\n"
"""Without it, load buffering is allowed."""
CAN_LOSE = "can lose what it holds when events are added"
"""What reasons say."""


@dataclass(frozen=True)
class Adversary:
    """A model, the constraints that can only be checked on whole executions, and those that are not extensible."""

    text: str
    demoted: tuple[str, ...] = ()
    not_extensible: tuple[str, ...] = ()


def causal(text: str, *not_extensible: str) -> Adversary:
    """A model without load buffering, of constraints that can be checked on the way."""
    return Adversary(CAUSAL + text, not_extensible=not_extensible)


def forgetful(text: str, *names: str) -> Adversary:
    """A model without load buffering, of which some constraints are seen to be no good on the way."""
    return Adversary(CAUSAL + text, demoted=names)


def buffering(text: str, *names: str) -> Adversary:
    """A model that allows load buffering, and the constraints that are no good on the way."""
    return Adversary(text, demoted=names)


ADVERSARIES = {
    # Not extensible: the last read or write is forbidden
    "reads read the last write": causal("f = fr f empty as latest", "latest"),
    "reads read the first write": causal("old = [W \\ I] ; rf old empty as initial", "initial"),
    "reads of other threads only": causal("own = rf & int own empty as others", "others"),
    "reads of the own thread only": causal("other = rf & ext & ((W \\ I) * R) other empty as own", "own"),
    "no read of a write of x or y that is not the last of its thread": causal(
        "f = rf^-1 ; (po & loc & (W * W)) f empty as last_of_thread", "last_of_thread"
    ),
    "writes are mo-first": causal("m = mo & ((W \\ I) * (W \\ I)) m empty as one_write", "one_write"),
    "mo against po": causal("m = mo & po & ((W \\ I) * (W \\ I)) m empty as against", "against"),
    "a write once read is the last": causal("m = rf^-1 ; mo m empty as final", "final"),
    "one read of a write": causal("two = (rf^-1 ; rf) & (po | (ext & (R * R))) two empty as one_read", "one_read"),
    "some thread reads nothing of others": causal(
        "seen = for_each_thread begin (rf & ext & ((W \\ I) * A[thread])) end seen empty as alone", "alone"
    ),
    # Not prefix-closed: what was forbidden is allowed later
    "what is read is read at least twice": forgetful(
        "r = rf s = (rf ; rf^-1 ; rf) \\ rf once = [range(rf)] \\ [range(((rf^-1 ; rf) \\ id))] once empty as twice",
        "twice",
    ),
    "every write is read": forgetful("unread = (W \\ I) \\ domain(rf) unread empty as read", "read"),
    "every write is overwritten": forgetful("last = W \\ domain(mo) last empty as overwritten", "overwritten"),
    "what is read is overwritten later": forgetful(
        "last = rf \\ (mo ; mo^-1) last empty as overwritten", "overwritten"
    ),
    "two neighbours of mo are of one thread": forgetful(
        "n = immediate(mo) & ext & ((W \\ I) * (W \\ I)) n empty as alternating", "alternating"
    ),
    "no step of mo against po": forgetful(
        "s = immediate(mo) | po s acyclic as steps", "steps"
    ),
    "a fence behind each write": forgetful("bare = W \\ (I | domain(po ; [F])) bare empty as fenced", "fenced"),
    "nobody reads, or all writes are read": forgetful(
        "unread = (W \\ I) \\ domain(rf) other = rf & ext other empty | unread empty as either", "either"
    ),
    "for each fence, what is before it has been read": forgetful(
        "f = for_each_node F begin [domain(po & (A * F[node])) & W] \\ [domain(rf)] end f empty as seen", "seen"
    ),
    # Prefix-closed differences
    "differences of what is fixed": causal("o = (po \\ (W * R)) | (po & loc) | mo | fr | (rf & ext) o acyclic as tso"),
    "a fixed path": causal("o = (po \\ (po ; [F] ; po)) & (W * W) m = mo o2 = (po \\ o) | m | fr o2 acyclic as paths"),
    # Nothing, and everything
    "no event": causal("W empty as nothing", "nothing"),
    "no initial write": causal("I empty as nothing", "nothing"),
    "no identity": causal("id irreflexive as nothing", "nothing"),
    "nothing that a program can do": causal("s = A \\ I s empty as idle", "idle"),
    "no reads": causal("R empty as no_reads", "no_reads"),
    "a contradiction": causal(
        "later = rf ; fr earlier = [W \\ I] ; mo later empty as no_later earlier empty as no_earlier",
        "no_later", "no_earlier",
    ),
    "read something, and nothing": Adversary(
        CAUSAL + "unread = R \\ range(rf & ext & ((W \\ I) * R)) seen = rf & ext & ((W \\ I) * R) "
        "unread empty as all_see seen empty as none_sees",
        demoted=("all_see",),
        not_extensible=("none_sees",),
    ),
    "always true": causal(
        "e = {} & po e empty as none o = po o irreflexive as order r = rf r irreflexive as reads", "none"
    ),
    "empty sets": causal(
        "e = W & R s = [e] ; po | (e * A) | rf(W[nobody] -> R) s empty as no_pairs e empty as no_events "
        "f = fr(R -> e) f acyclic as no_steps",
        "no_pairs",
        "no_events",
    ),
    # Constraints of constraints
    "both": causal("f = fr g = mo & ext & ((W \\ I) * (W \\ I)) f empty & g empty as both", "both"),
    "one of two": causal("f = fr g = mo & ext & ((W \\ I) * (W \\ I)) f empty | g empty as either", "either"),
    "sc, or nobody reads": causal("o = po | rf | mo | fr s = rf & ext o acyclic | s empty as either", "either"),
    "two of three": causal(
        "a = po | rf | mo | fr b = fr & po^-1 c = mo & ext & ((W \\ I) * (W \\ I)) "
        "(a acyclic & b empty) | (b empty & c empty) | (a acyclic & c empty) as two",
        "two",
    ),
    # For each variable, thread and node
    "coherence for each variable": causal(
        "c = for_each_var begin (po | rf | mo | fr)(A[var] -> A[var]) end c acyclic as coherence"
    ),
    "one variable at least is not read by others": causal(
        "c = for_each_var begin rf & ext & (A[var] * A[var]) & ((W \\ I) * R) end c empty as unseen", "unseen"
    ),
    "each thread sees the writes in its own order": causal(
        "t = for_each_thread begin (po & ((A[thread] | W) * (A[thread] | W))) | (rf & (W * A[thread])) "
        "| mo | (fr & (A[thread] * W)) end t acyclic as processor"
    ),
    "each node and thread": causal(
        "n = for_each_node F begin for_each_thread begin "
        "po(A[thread] -> F[node]) ; po(F[node] -> A[thread]) ; (rf | mo | fr)(A[thread] -> A[thread]) end end "
        "n irreflexive as fences"
    ),
    "two nodes": causal(
        "n = for_each_node W begin for_each_node R begin rf(W[node0] -> R[node1]) ; fr(R[node1] -> W) "
        "; mo^-1(W -> W[node0]) end end n irreflexive as none n2 = rf ; fr n2 irreflexive as reads",
        "none",
    ),
    "each fence is read past": causal(
        "n = for_each_node F begin (po(W -> F[node]) ; po(F[node] -> R) ; fr ; mo^-1 ) | mo end n acyclic as odd", "odd"
    ),
    # Recursion
    "causality that is built up": causal("rec hb = po | rf | hb ; hb c = hb ; (mo | fr) c irreflexive as coherence"),
    "each read reads the last write, found by recursion": causal(
        "rec later = fr | later ; mo later empty as latest", "latest"
    ),
    "two relations that feed each other": causal(
        "rec even = (po & (W * W)) | (odd ; fr) and odd = even ; rf even irreflexive as alternating"
    ),
    "a recursion that forgets": forgetful(
        "rec new = ((rf & ext) \\ (mo ; mo^-1)) | (new ; po ; new) new empty as fresh", "fresh"
    ),
    "recursion over dependencies": buffering(
        "rec d = addr | data | ctrl | (d ; (rf | po & loc) ; d) s = d ; rf s irreflexive as thin_air "
        "c = (po & loc) | rf | mo | fr c acyclic as coherence"
    ),
    # Load buffering allowed
    "nothing, with load buffering": buffering("W empty as nothing"),
    "latest, with load buffering": buffering("f = fr f empty as latest"),
    "dependencies": buffering(
        "d = addr | data | ctrl | rf c = (po & loc) | rf | mo | fr d acyclic as thin_air c acyclic as coherence"
    ),
    "only load buffering": buffering(
        "o = po | rf no = id \\ (id & (o ; o^*)) no2 = A \\ (I | domain(id & o^+)) no2 empty as cyclic", "cyclic"
    ),
    "load buffering or nothing": buffering(
        "o = po | rf s = rf & ext u = (W \\ I) \\ domain(rf) o acyclic | u empty as either s irreflexive as fine",
        "either",
    ),
    "against dependencies": buffering(
        "d = (data | ctrl) ; rf d empty as unread c = (po & loc) | rf | mo | fr c acyclic as coherence"
    ),
}  # fmt: skip

ROUNDS = [
    pytest.param(range(PROGRAMS), id="fast"),
    pytest.param(range(PROGRAMS, SLOW), id="slow", marks=pytest.mark.slow),
    pytest.param(range(SLOW, LONG), id="long", marks=pytest.mark.long),
]


def model_of(name: str) -> Model:
    """One of the models above."""
    return xgen.parse_model(ADVERSARIES[name].text, name)


def small_programs(model: Model, features: Features, seeds: range) -> list[tuple[Program, list[Execution]]]:
    """Random programs without very many executions, and these."""
    found = []
    for seed in seeds:
        drawn = random_program(Random(f"{model.name} {seed}"), features_for(model, features))
        try:
            found.append((drawn, list(expected_executions(drawn, model, None, LIMIT))))
        except TooManyError:
            continue
    assert len(found) > len(seeds) // 2
    return found


def check_result(adversary: Adversary, result: Result, explored_all: bool = True) -> None:
    """What the result says of the model is what it should."""
    assert result.demoted.keys() == set(adversary.demoted)
    assert all(CAN_LOSE in reason for reason in result.demoted.values()), result.demoted
    assert result.certified
    assert result.exhaustive == explored_all
    assert result.duplicates == 0


@pytest.mark.sweep
@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", ADVERSARIES)
def test_random_programs(name: str, seeds: range) -> None:
    adversary, model = ADVERSARIES[name], model_of(name)
    for features in (FEATURES, UPDATES):
        for drawn, expected in small_programs(model, features, seeds):
            found = difference(drawn, model, None, LIMIT, expected=expected)
            assert found is None, found
            result = xgen.check(xgen.parse(str(drawn)), model, all_states=True, unroll=True)
            assert result.executions + result.blocked == len(expected)
            check_result(adversary, result)


@pytest.mark.sweep
@pytest.mark.parametrize("name", ADVERSARIES)
def test_the_same_at_the_end_and_with_several_workers(name: str) -> None:
    """On the way, at the end, and by three workers."""
    model = model_of(name)
    for shape in (*SHAPES.values(), late_writer(3)):
        results = [
            xgen.check(shape, model, all_states=True),
            xgen.check(shape, model, all_states=True, filter="final"),
            xgen.check(shape, model, all_states=True, workers=3),
        ]
        assert len({result.executions for result in results}) == 1
        assert list(results[0].outcomes) == list(results[1].outcomes) == list(results[2].outcomes)
        assert set(results[1].demoted) == {constraint.name for constraint in model.constraints}
        assert results[0].demoted == results[2].demoted
        check_result(ADVERSARIES[name], results[0])


@pytest.mark.parametrize("name", ADVERSARIES)
def test_constraints_that_are_not_extensible(name: str) -> None:
    """What is said of them above is what is read off their texts; the others are, or are not even permanent."""
    adversary, model = ADVERSARIES[name], model_of(name)
    bad = {c.name for c in model.constraints if not extensible(c.condition)} - set(adversary.demoted)
    assert set(adversary.not_extensible) <= bad


@pytest.mark.parametrize("name", ["no event", "no initial write", "no identity", "nothing, with load buffering"])
def test_nothing_is_consistent(name: str) -> None:
    """Not even the graph without an event: there is no execution, no outcome and no violation."""
    shape = program("assert 1 = 0; 1 -> x", "a <- x", variables="x")
    for options in ({}, {"all_states": True}, {"filter": "final"}, {"workers": 2}):
        result = xgen.check(shape, model_of(name), **options)  # type: ignore[arg-type]
        assert (result.verdict, result.executions, result.blocked, len(result.outcomes)) == ("vacuous", 0, 0, 0)
        assert result.exhaustive
    assert list(xgen.executions(shape, model_of(name))) == []


def test_flags_with_a_bound_and_with_a_violation() -> None:
    """`certified` says that nothing was lost, `exhaustive` that all was looked at."""
    model = xgen.parse_model(CAUSAL + "f = fr f empty as latest")
    loop = xgen.parse("var x : int process p { var a : int init loc L0 L0 -> L0 { a <- x; fence } }")
    bounded = xgen.check(loop, model, max_depth=4, unroll=True)
    assert (bounded.verdict, bounded.certified, bounded.exhaustive) == ("vacuous", True, False)
    wrong = program("a <- x; assert a = 0", "1 -> x", variables="x")
    first = xgen.check(wrong, model)
    assert (first.verdict, first.exhaustive) == ("violation", False)
    every = xgen.check(wrong, model, all_states=True)
    assert (every.verdict, every.certified, every.exhaustive, every.executions) == ("violation", True, True, 1)
    assert every.demoted == {}
    fine = program("a <- x; assert a = 1", "1 -> x", variables="x")
    assert xgen.check(fine, model).verdict == "safe"
    stopped = xgen.check(late_writer(18), xgen.model("sc"), timeout=0.01)
    assert (stopped.verdict, stopped.certified, stopped.exhaustive) == ("interrupted", False, False)


def test_a_constraint_that_is_not_extensible_does_not_hide_others() -> None:
    """Two constraints are not extensible, and a third one is."""
    model = xgen.parse_model(
        CAUSAL + "x = fr(R[one] -> W) y = fr(R[two] -> W) c = (po & loc) | rf | mo | fr "
        "x empty as first y empty as second c acyclic as coherence"
    )
    shape = program("a <- x @ one", "b <- y @ two", "1 -> x; 1 -> y")
    result = xgen.check(shape, model, all_states=True)
    assert (result.executions, set(result.demoted)) == (1, set())
    assert result.certified


def test_names_of_constraints_that_are_alike() -> None:
    """Each demoted constraint is told, even where a model gives two of them the same words."""
    model = xgen.parse_model(CAUSAL + "x = fr(R[one] -> W) x empty x irreflexive y = fr(R[two] -> W) y empty")
    names = [constraint.name for constraint in model.constraints]
    assert len(set(names)) == len(names)
