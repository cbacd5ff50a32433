"""Which exploration a model gets, and which of its constraints need no check."""

from __future__ import annotations

import pytest
from oracle.against import shipped_models

import xgen
from xgen.memory.adapt import with_lifetimes
from xgen.memory.statics.base_order import coherent, load_buffering, writes_whole
from xgen.memory.statics.strategy import Strategy, choose_strategy, forbids_intervening
from xgen.memory.terms import normalised, of_whole_accesses

FORBIDS = {
    "rmw & (fr ; mo)": True,
    "(fr ; mo) & rmw": True,
    "rmw & (rf^-1 ; mo ; mo)": True,
    "rmw & ((fr & ext) ; (mo & ext))": True,
    "rmw(R -> W[release]) & ext & (fr ; mo)(R -> W)": True,
    "(rmw \\ po) & (fr ; [W] ; mo)": True,
    "rmw & (fr ; (mo | po))": False,
    "rmw & (fr? ; mo)": False,
    "rmw & fr": False,
    "rmw & (mo ; fr)": False,
    "rmw^-1 & (fr ; mo)": False,
    "po & (fr ; mo)": False,
    "(rmw | po) & (fr ; mo)": False,
    "fr ; mo": False,
}


@pytest.mark.parametrize("term", FORBIDS)
def test_what_only_forbids_writes_in_between(term: str) -> None:
    model = normalised(xgen.parse_model(f'model "m"\nx = {term}\nx empty\n'))
    assert forbids_intervening(model.constraints[0].condition) == FORBIDS[term]


@pytest.mark.parametrize(
    ("condition", "forbids"),
    [
        ("x irreflexive", False),
        ("x not empty", False),
        ("x empty & (x empty & x empty)", True),
        ("x empty & x acyclic", False),
        ("x empty | x empty", False),
    ],
)
def test_conditions_that_only_forbid_writes_in_between(condition: str, forbids: bool) -> None:
    model = xgen.parse_model(f'model "m"\nx = rmw & (fr ; mo)\n{condition} as c\n')
    assert forbids_intervening(model.constraints[0].condition) == forbids


def test_exploration_of_the_shipped_models() -> None:
    models = {name: of_whole_accesses(xgen.model(name)) for name in ("sc", "tso", "rc11", "arm8", "power")}
    chosen = {name: choose_strategy(model, True, False) for name, model in models.items()}
    assert chosen == {
        "sc": Strategy(False, coherent=True),
        "tso": Strategy(False, coherent=True),
        "rc11": Strategy(False, holds=frozenset({1}), coherent=True),
        "arm8": Strategy(True, holds=frozenset({2}), coherent=True),
        "power": Strategy(True, holds=frozenset({4}), coherent=True),
    }


def test_exclusive_accesses_need_the_check() -> None:
    assert choose_strategy(xgen.model("rc11"), True, True) == Strategy(True, coherent=True)
    model = xgen.parse_model('model "m"\ns = po | rf | mo | fr\nx = rmw & (fr ; mo)\ns acyclic as sc\nx empty as odd\n')
    assert choose_strategy(model, True, True) == Strategy(True, coherent=True)
    assert choose_strategy(model, True, False) == Strategy(False, holds=frozenset({1}), coherent=True)


@pytest.mark.parametrize(
    ("relation", "seen"),
    [
        ("(po & loc) | rf | mo | fr", True),
        ("(po & loc) | rf | (rf^-1 ; mo)", False),
        ("(po & loc) | rf | mo | (rf^-1 ; mo)", True),
        ("po | rf | fr", False),
        ("po | rf | mo | fr", True),
        ("((po & loc) \\ (R * R)) | rf | mo | fr", False),
        ("(po & loc) | (rf & ext) | mo | fr", False),
        ("(po & loc) | rf | mo", False),
        ("po(A -> W) | rf | fr", False),
    ],
)
def test_coherence_per_location_is_read_off_the_form(relation: str, seen: bool) -> None:
    assert coherent(xgen.parse_model(f'model "m"\nx = {relation}\nx acyclic')) == seen
    assert not coherent(xgen.parse_model(f'model "m"\nx = {relation}\nflag x acyclic as odd'))


@pytest.mark.parametrize(
    ("relation", "seen"),
    [
        ("po ; (rf | mo | fr)^+", True),
        ("po | (po & loc) ; (fr | mo | rf)^+", True),
        ("(po | fr)^+ ; (rf | mo | fr | po)^+", True),
        ("po ; (rf | mo | fr)", False),
        ("po ; (rf | fr)^+", False),
        ("po ; (rf | mo)^+", False),
        ("(po & ext) ; (rf | mo | fr)^+", False),
        ("po(R -> R) ; (rf | mo | fr)^+", False),
        ("po ; loc ; (rf | mo | fr)^+", False),
        ("po & (po ; (rf | mo | fr)^+)", False),
    ],
)
def test_coherence_by_what_never_leads_back(relation: str, seen: bool) -> None:
    assert coherent(xgen.parse_model(f'model "m"\nx = {relation}\nx irreflexive')) == seen
    assert not coherent(xgen.parse_model(f'model "m"\nx = {relation}\nflag x irreflexive as odd'))


@pytest.mark.parametrize(
    ("relation", "seen"),
    [
        ("po | rf | mo ; si | fr", True),
        ("po | rf | (mo & ext) ; si | mo | fr", True),
        ("po | ((rf | mo | fr) & ext) ; si", False),
        ("(po & loc) | rf | mo | fr | ((rf | mo | fr) & ext) ; si", True),
        ("(po & loc) | rf | mo | fr | mo ; po", False),
        ("(po & loc) | rf | mo | fr | (mo & int) ; si", False),
        ("(po & loc) | rf | mo | fr | mo ; (si \\ id)", True),
        ("po | rf | mo | fr", False),
    ],
)
def test_whether_writes_of_several_parts_have_one_order(relation: str, seen: bool) -> None:
    assert writes_whole(xgen.parse_model(f'model "m"\nx = {relation}\nx acyclic')) == seen
    assert not writes_whole(xgen.parse_model(f'model "m"\nx = {relation}\nflag x acyclic as odd'))


@pytest.mark.parametrize(
    ("relation", "allows"),
    [
        ("(po | rf)^+", False),
        ("mo | (po | rf)^+", False),
        ("(po | si ; rf ; si)^+ | (mo ; si)^+", False),
        ("po | rf", True),
        ("mo | (po | rf)", True),
        ("(po | rf)^+ & (mo | po)", True),
        ("po^+ | rf^+", True),
    ],
)
def test_load_buffering_by_what_never_leads_back(relation: str, allows: bool) -> None:
    model = xgen.parse_model(f'model "m"\nx = {relation}\nx irreflexive')
    assert load_buffering(model)[0] == allows
    assert load_buffering(xgen.parse_model(f'model "m"\nx = {relation}\nflag x irreflexive as odd'))[0]


@pytest.mark.parametrize("name", shipped_models())
def test_allocated_objects_make_no_difference(name: str) -> None:
    model = xgen.model(name)
    adapted = with_lifetimes(model)
    assert (load_buffering(adapted)[0], coherent(adapted)) == (load_buffering(model)[0], coherent(model))


@pytest.mark.parametrize(
    ("events", "allows"), [("F", False), ("F & R", False), ("F | F[free]", False), ("F | R", True), ("R[free]", True)]
)
def test_what_leaves_out_fences_leaves_out_no_access(events: str, allows: bool) -> None:
    model = xgen.parse_model(f'model "m"\nseen = (R | W | F) \\ ({events})\nx = (po & (seen * seen)) | rf\nx acyclic\n')
    assert load_buffering(model)[0] == allows
