"""The shipped models on the classic shapes: which executions they allow.

The names of the shapes are those of the literature (Alglave, Maranget, Tautschnig, Herding Cats, 2014), and each stands
for the execution that is the point of it.
"""

from __future__ import annotations

import pytest

from memory.graphs import shape
from xgen.errors import Source
from xgen.memory.library import list_models, load_model
from xgen.memory.mcm.parser import read_model

CORRECT = "sc tso pso ra weak weak-a9 nofence coherence any"
SHAPES = {
    # name: (graph, the models that allow it, of the correct ones)
    "SB": (shape("a:Wx b:Ry | c:Wy d:Rx", ""), "tso pso ra weak weak-a9 nofence coherence any"),
    "SB+fences": (shape("a:Wx f:F b:Ry | c:Wy g:F d:Rx", ""), "nofence coherence any"),
    "SB+mfences": (shape("a:Wx f:F[mfence] b:Ry | c:Wy g:F[mfence] d:Rx", ""), "nofence coherence any"),
    "SB+seq_cst": (shape("a:Wx f:F[seq_cst] b:Ry | c:Wy g:F[seq_cst] d:Rx", ""), "nofence coherence any"),
    "SB+one fence": (shape("a:Wx f:F b:Ry | c:Wy d:Rx", ""), "tso pso ra weak weak-a9 nofence coherence any"),
    "SB+acq_rels": (shape("a:Wx f:F[acq_rel] b:Ry | c:Wy g:F[acq_rel] d:Rx", ""), "tso pso ra nofence coherence any"),
    "SB+sfences": (shape("a:Wx f:F[sfence] b:Ry | c:Wy g:F[sfence] d:Rx", ""), "tso pso nofence coherence any"),
    "SB+rfis": (
        shape("a:Wx r:Rx b:Ry | c:Wy s:Ry d:Rx", "a r, c s"),
        "tso pso ra weak weak-a9 nofence coherence any",
    ),
    "MP": (shape("a:Wx b:Wy | c:Ry d:Rx", "b c"), "pso weak weak-a9 nofence coherence any"),
    "MP+fences": (shape("a:Wx f:F b:Wy | c:Ry g:F d:Rx", "b c"), "nofence coherence any"),
    "MP+stbar+po": (shape("a:Wx f:F[stbar] b:Wy | c:Ry d:Rx", "b c"), "weak weak-a9 nofence coherence any"),
    "MP+release+po": (shape("a:Wx f:F[release] b:Wy | c:Ry d:Rx", "b c"), "weak weak-a9 nofence coherence any"),
    "MP+acquire+po": (shape("a:Wx f:F[acquire] b:Wy | c:Ry d:Rx", "b c"), "pso weak weak-a9 nofence coherence any"),
    "MP, in order": (shape("a:Wx f:F b:Wy | c:Ry g:F d:Rx", "b c, a d"), CORRECT),
    "LB": (shape("a:Rx b:Wy | c:Ry d:Wx", "d a, b c"), "coherence any"),
    "S": (shape("a:Wx b:Wy | c:Ry d:Wx", "b c", "d a"), "pso weak weak-a9 nofence coherence any"),
    "R": (shape("a:Wx b:Wy | c:Wy d:Rx", "", "b c"), "tso pso ra weak weak-a9 nofence coherence any"),
    "R+fences": (shape("a:Wx f:F b:Wy | c:Wy g:F d:Rx", "", "b c"), "nofence coherence any"),
    "2+2W": (shape("a:Wx b:Wy | c:Wy d:Wx", "", "d a; b c"), "pso ra weak weak-a9 nofence coherence any"),
    "2+2W+stbars": (
        shape("a:Wx f:F[stbar] b:Wy | c:Wy g:F[stbar] d:Wx", "", "d a; b c"),
        "nofence coherence any",
    ),
    "WRC": (shape("a:Wx | b:Rx c:Wy | d:Ry e:Rx", "a b, c d"), "weak weak-a9 nofence coherence any"),
    "WRC+fences": (shape("a:Wx | b:Rx f:F c:Wy | d:Ry g:F e:Rx", "a b, c d"), "nofence coherence any"),
    "IRIW": (
        shape("a:Wx | b:Wy | c:Rx d:Ry | e:Ry f:Rx", "a c, b e"),
        "ra weak weak-a9 nofence coherence any",
    ),
    "IRIW+fences": (shape("a:Wx | b:Wy | c:Rx g:F d:Ry | e:Ry h:F f:Rx", "a c, b e"), "nofence coherence any"),
    "n6": (
        shape("a:Wx b:Rx c:Ry | d:Wy e:Wx", "a b", "e a"),
        "tso pso ra weak weak-a9 nofence coherence any",
    ),
    "CoRR": (shape("a:Wx | b:Rx c:Rx", "a b"), "weak-a9 any"),
    "CoRR+fence": (shape("a:Wx | b:Rx f:F c:Rx", "a b"), "any"),
    "CoRR2": (shape("a:Wx | b:Wx | c:Rx d:Rx | e:Rx f:Rx", "a c, b d, b e, a f", "a b"), "weak-a9 any"),
    "CoWW": (shape("a:Wx b:Wx", "", "b a"), "any"),
    "CoWR": (shape("a:Wx b:Rx", ""), "any"),
    "CoRW1": (shape("a:Rx b:Wx", "b a"), "any"),
    "CoRW2": (shape("a:Rx b:Wx | c:Wx", "c a", "b c"), "any"),
}


@pytest.mark.parametrize("model", CORRECT.split())
@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str, model: str) -> None:
    graph, allowing = SHAPES[name]
    assert graph.allowed(load_model(model)) == (model in allowing.split())


THESIS = {
    # Which of the printed models allow the shape; what was meant, where it is something else.
    "SB": "weak sc tso weak-a9 nofence",  # SC should not
    "SB+fences": "weak sc tso weak-a9 nofence",  # only nofence should
    "MP": "weak weak-a9 nofence",
    "MP+fences": "nofence",
    "MP, in order": "nofence",  # all should
    "2+2W": "",  # weak, weak-a9 and nofence should
    "LB": "",
    "CoRR": "weak-a9",
    "CoWR": "weak sc tso weak-a9 nofence",  # none should
    "CoRW1": "",
    "CoRW2": "weak sc tso weak-a9 nofence",  # none should
    "CoWW": "",
}


@pytest.mark.parametrize("model", [name for name in list_models() if name.startswith("thesis/")])
@pytest.mark.parametrize("name", THESIS)
def test_shape_as_printed(name: str, model: str) -> None:
    allowed = SHAPES[name][0].allowed(load_model(model))
    assert allowed == (model.removeprefix("thesis/") in THESIS[name].split())


def test_message_passing_as_printed() -> None:
    """Without fences, too, the printed SC and TSO forbid the intended outcome: they compare writes of x and y."""
    in_order = shape("a:Wx b:Wy | c:Ry d:Rx", "b c, a d")
    assert [name for name in ("sc", "tso", "weak") if in_order.allowed(load_model(f"thesis/{name}"))] == ["weak"]


def test_fence_rule_of_weak() -> None:
    """The rule with fences as events says the same as the one with compositions."""
    composed = read_model(Source("m.mcm", "global = (po ; [F] ; po) | (rf & ext) | mo | fr global acyclic"))
    as_events = next(c for c in load_model("weak").constraints if c.name == "fence_order")
    for graph, _ in SHAPES.values():
        assert graph.allowed(composed) == graph.holds(as_events.condition)


def test_rules_of_ra() -> None:
    """They say the same as their textbook forms."""
    text = """
    hb  = (po | rf)^+
    eco = (rf | mo | fr)^+
    sc  = F \\ (F[acquire] | F[release] | F[acq_rel])
    coherent = hb ; eco?
    psc = ([sc] ; hb ; [sc]) | ([sc] ; hb ; eco ; hb ; [sc])
    coherent irreflexive
    psc acyclic
    """
    textbook = {c.name: c.condition for c in read_model(Source("m.mcm", text)).constraints}
    ra = {c.name: c.condition for c in load_model("ra").constraints}
    for graph, _ in SHAPES.values():
        coherent = graph.holds(ra["coherence"]) and graph.holds(ra["causality"])
        assert coherent == graph.holds(textbook["coherent"])
        assert graph.holds(ra["sc_fences"]) == graph.holds(textbook["psc"])
