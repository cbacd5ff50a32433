"""Which constraints are monotone, and what is said of the others."""

from __future__ import annotations

import pytest

from xgen.errors import Source
from xgen.memory.algebra import Definition, Model, checks_of
from xgen.memory.library import list_models, load_model
from xgen.memory.mcm.parser import read_model
from xgen.memory.statics.polarity import extensible, monotone, of_two_events, stable, violations_permanent
from xgen.memory.terms import of_whole_accesses


def model(text: str) -> Model:
    return read_model(Source("m.mcm", text))


def definition(expression: str) -> Definition:
    return model(f"d = {expression}").definitions[0]


STABLE = [
    "po", "loc", "int", "ext", "id", "A", "R", "W[init]", "F[mfence]", "R * R", "[W]", "po^-1", "po?", "po & loc",
    "po | loc^-1", "po \\ loc", "R \\ A[acq]", "{} * R", "po(R -> W)", "po ; po", "po ; [F] ; po", "(po & loc)^+",
    "(po | id)^*", "po(R --> W)", "[F] ; po ; [F]", "immediate(po)",
]  # fmt: skip
UNSTABLE = ["rf", "mo", "fr", "domain(po)", "range(po)", "[domain(po)]", "loc ; loc", "int^+", "ext^*", "po ; loc",
            "po ; po^-1", "domain(po) * W", "po \\ rf", "(R * R)^+", "po & rf"]  # fmt: skip


@pytest.mark.parametrize("expression", STABLE)
def test_stable(expression: str) -> None:
    assert stable(definition(expression).term)


@pytest.mark.parametrize("expression", UNSTABLE)
def test_not_stable(expression: str) -> None:
    assert not stable(definition(expression).term)


MONOTONE = ["po", "domain(rf ; po)", "rf \\ po", "(rf^+ ; mo?) & fr", "po \\ (R * R)", "W \\ I", "immediate(po)",
            "po \\ (po ; [F] ; po)", "mo \\ ((R \\ A[acq]) * W)", "[R] ; (po | rf)^* ; [W]"]  # fmt: skip
NOT_MONOTONE = {
    "po \\ rf": ("po \\ rf", "rf"),
    "po | (po \\ (mo ; rf))": ("po \\ (mo ; rf)", "mo ; rf"),
    "domain(mo \\ (po ; rf)) * A": ("mo \\ (po ; rf)", "po ; rf"),
    "immediate(mo)": ("immediate(mo)", "mo ; mo"),
    "W \\ domain(rf)": ("W \\ domain(rf)", "domain(rf)"),
    "mo \\ (po \\ rf)": ("po \\ rf", "rf"),
}


@pytest.mark.parametrize("expression", MONOTONE)
def test_monotone(expression: str) -> None:
    assert monotone(definition(expression).term) == (True, "")


@pytest.mark.parametrize("expression", NOT_MONOTONE)
def test_not_monotone(expression: str) -> None:
    whole, right = NOT_MONOTONE[expression]
    expected = f"`{whole}` can lose what it holds when events are added, because `{right}` can gain it"
    assert monotone(definition(expression).term) == (False, expected)


EXTENSIBLE = ["po | rf | mo | fr", "po(R --> W)", "(po & loc) | rf", "[range(rf)] ; po", "po \\ (rf^-1 ; rf)",
              "po ; (mo | fr)?", "(po | rf)^+ ; mo", "[W] ; po ; [F]"]  # fmt: skip
NOT_EXTENSIBLE = ["po^-1 | rf", "loc ; po", "id", "po?", "[domain(rf)] ; po", "po \\ (mo \\ rf ; rf^-1)", "rf^-1 ; rf",
                  "[range(rf^-1)] ; po"]  # fmt: skip


@pytest.mark.parametrize("expression", [*EXTENSIBLE, *NOT_EXTENSIBLE])
def test_extensible(expression: str) -> None:
    """A step to which everything leads closes no cycle; what may be empty can always be filled."""
    constraint = model(f"x = {expression}\nx acyclic\n").constraints[0].condition
    assert extensible(constraint) == (expression in EXTENSIBLE)


def test_extensible_where_a_relation_is_empty() -> None:
    read = model("amo = rmw(A -> A)\nx = amo^-1? ; po\nx acyclic\npo empty")
    inverse = read.definitions[0].term
    assert not extensible(read.constraints[0].condition)
    assert extensible(
        read.constraints[0].condition, lambda part: inverse in part.subterms() and part.op.name == "INVERSE"
    )
    assert not extensible(read.constraints[1].condition)


def test_the_reason_uses_the_names_of_definitions() -> None:
    text = "external = rf & ext d = po ; (mo \\ external) d acyclic"
    loaded = model(text)
    names = {d.term: d.name for d in loaded.definitions}
    _, reason = violations_permanent(loaded.constraints[0].condition, names)
    assert reason.startswith("`mo \\ external` can lose")


def test_domains_of_loops_count() -> None:
    text = "d = for_each_node W \\ domain(rf) begin po(A[node] -> A) end d empty"
    good, reason = violations_permanent(model(text).constraints[0].condition)
    assert not good
    assert "`W \\ domain(rf)`" in reason


def test_every_part_of_a_condition_counts() -> None:
    text = "good = po bad = po \\ rf good empty | (good acyclic & bad acyclic) as c"
    condition = model(text).constraints[0].condition
    assert [check.property for check in checks_of(condition)] == ["empty", "acyclic", "acyclic"]
    assert not violations_permanent(condition)[0]


@pytest.mark.parametrize("name", list_models())
def test_shipped_models_are_monotone(name: str) -> None:
    """But for OpenCL's: a write that comes between ends a release sequence, so all waits for the end."""
    for constraint in load_model(name).constraints:
        good, reason = violations_permanent(constraint.condition)
        if name == "opencl" and not constraint.flag:
            assert not good
        else:
            assert constraint.flag or (good, reason) == (True, "")


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        ("loc & ext & (W * W)", True),
        ("(loc & ext & (A * W | W * A)) \\ ((po | rf)^+ | ((po | rf)^+)^-1)", True),
        ("(loc \\ (po ; rf)) & (ext \\ po) | po", True),
        ("loc \\ (loc ; ext)", False),  # an event between two others relates these
        ("loc \\ (rf \\ mo^+)", False),  # what is left out can become less
        ("rf & ext", False),
        ("loc ; po", False),
        ("domain(po)", False),
    ],
)
def test_what_violates_is_two_events(relation: str, expected: bool) -> None:
    (found,) = model(f"d = {relation}\nd empty").constraints
    assert of_two_events(found.condition) == expected


def test_a_cycle_is_not_two_events() -> None:
    (found,) = model("loc acyclic").constraints
    assert not of_two_events(found.condition)


@pytest.mark.parametrize("name", ["rc11", "rc11-c20"])
def test_races_are_of_two_events(name: str) -> None:
    (race,) = (c for c in of_whole_accesses(load_model(name)).constraints if c.undefined)
    assert of_two_events(race.condition)
