"""Checks of relations that are not local, which the engine follows from each new event: against the oracle."""

from __future__ import annotations

from random import Random

import pytest
from oracle.against import difference, features_for
from oracle.enumerate import TooManyError
from oracle.strategies import DEFAULT, DEPENDENT, random_program

import xgen
from xgen.errors import Source
from xgen.lowering.code import INITIAL_WRITE, EventClass
from xgen.memory.algebra import Model
from xgen.memory.mcm.parser import read_model
from xgen.memory.plans.class_sets import ClassSets
from xgen.memory.plans.planner import Planner

COHERENT = "per_location = (po & loc) | rf | mo | fr\nper_location acyclic as coherent"
SHAPES = {
    "fences": ("([F] ; po) ; (rf | mo | fr)^+ ; (po ; [F])", "acyclic"),
    "cycles within": ("fr ; (po | mo | fr)^* ; rf", "acyclic"),
    "one pair": ("fr ; (po | rf)^+", "irreflexive"),
    "one pair, cycles within": ("po ; (mo | fr | po)^* ; [F] ; po ; fr", "irreflexive"),
    "inverse": ("((po ; fr)^-1 ; po^-1)(W -> A)", "acyclic"),
    "perhaps": ("(fr? ; po(W -> R) ; fr)(W -> W)", "acyclic"),
    "pairs of itself": ("(fr ; mo)? ; (po ; fr)?", "irreflexive"),
}


def constraint(name: str) -> str:
    """The text of a constraint of one shape."""
    relation, holds = SHAPES[name]
    return f"shape = {relation}\nshape {holds} as shape"


def model(name: str, *, in_order: bool) -> Model:
    """A model of one shape; `in_order`: reads are revisited, else threads run ahead."""
    lines = [COHERENT, "base = po | rf", constraint(name), *(["base acyclic as in_order"] if in_order else [])]
    return read_model(Source("walks.mcm", 'model "walks" "walks"\n' + "\n".join(lines)))


@pytest.mark.sweep
@pytest.mark.parametrize("in_order", [True, False])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name: str, in_order: bool) -> None:
    found = model(name, in_order=in_order)
    compared = 0
    for seed in range(40):
        program = random_program(Random(f"{name} {seed}"), features_for(found, DEFAULT if in_order else DEPENDENT))
        try:
            assert difference(program, found, None, 1000) is None
            compared += 1
        except TooManyError:
            continue
    assert compared > 15


def planned(text: str, ahead: bool) -> Planner:
    """The planner of one constraint, in a program of reads, writes and fences."""
    classes = [INITIAL_WRITE, EventClass("R"), EventClass("W"), EventClass("F")]
    planner = Planner(ClassSets(classes), incremental=True, ahead=ahead)
    found = read_model(Source("walks.mcm", f'model "m" "m"\n{text}'))
    planner.checks([(0, found.constraints[0].condition)])
    return planner


@pytest.mark.parametrize("name", [name for name in SHAPES if name != "pairs of itself"])
def test_no_matrix_is_computed(name: str) -> None:
    planner = planned(constraint(name), ahead=True)
    assert planner.walks
    assert not planner.whole


def test_what_is_computed_as_a_whole() -> None:
    assert not planned(constraint("pairs of itself"), ahead=False).walks
    assert planned("r = (po ; fr) & ext\nr acyclic as c", ahead=False).whole


def test_rc11() -> None:
    """What is checked on the way is followed from event to event."""
    found = xgen.model("rc11")
    constraints = [(n, c.condition) for n, c in enumerate(found.constraints) if not c.flag]
    classes = [INITIAL_WRITE, EventClass("R"), EventClass("W"), EventClass("F")]
    planner = Planner(ClassSets(classes), incremental=True, ahead=False)
    planner.checks(constraints)
    assert planner.walks
    assert not planner.whole
