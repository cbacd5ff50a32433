"""Hypothesis strategies for the texts of programs: any that the grammar allows, sensible or not."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from program.strategies import edges as automaton_edges
from program.strategies import expressions, integers, locations, names, several, statements, uses

from xgen.errors import Source
from xgen.program import automaton as xcfa
from xgen.program import surface

elements = st.builds(xcfa.Element, names, indices=several(expressions, 1, 2))
values = expressions | elements | st.builds(xcfa.Binary, st.sampled_from(["+", "<"]), elements, expressions)
types = st.builds(
    surface.Type, st.sampled_from(["int", "bool", "synthetic"]) | names, several(st.none() | values, most=2)
)
scalars = st.builds(surface.Type, st.sampled_from(["int", "bool", "synthetic"]), several(st.none() | values, most=1))
variables = st.builds(surface.Variable, names, types, several(values))
parameters = st.builds(surface.Variable, names, types)
constants = st.builds(surface.Constant, names, values)
structs = st.builds(surface.Struct, names, several(parameters))
loads = st.builds(xcfa.Load, elements, st.builds(xcfa.Place, uses))
simple = statements | st.builds(xcfa.Assign, elements, values) | loads
jumps = st.builds(surface.Jump, st.sampled_from(["break", "continue"]))


def blocks(step: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[surface.Block]:
    return st.builds(surface.Block, several(step, least))


def nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    inside = blocks(inner)
    plain = st.builds(surface.If, values, inside, st.none() | inside)
    return (
        st.builds(surface.If, values, inside, st.none() | inside | plain)
        | st.builds(surface.While, values, inside)
        | st.builds(surface.DoWhile, inside, values)
        | st.builds(surface.For, uses, expressions, expressions, inside)
        | st.builds(surface.Atomic, inside)
        | st.builds(surface.Choose, several(inside, 1))
    )


steps = st.recursive(simple | jumps, nested, max_leaves=6)
edges = st.builds(
    lambda edge, otherwise: surface.Edge(edge.source, edge.target, edge.statements, otherwise),
    automaton_edges,
    st.booleans(),
)
code = st.builds(surface.Body, several(variables, most=2), blocks(steps, 1))
automata = st.builds(surface.Body, several(variables | locations | edges))
bodies = code | automata
procedures = st.builds(surface.Procedure, names, st.booleans(), several(parameters), st.none() | scalars, bodies)
instances = (
    st.none()
    | st.builds(surface.Instances)
    | st.builds(surface.Instances, values)
    | st.builds(surface.Instances, st.none(), values, values)
)
with_procedures = st.builds(surface.Body, several(variables | procedures | locations, 1))
processes = st.builds(surface.Process, names, st.booleans(), instances, st.none() | uses, bodies | with_procedures)
texts = st.builds(
    surface.Text, st.just(Source("generated", "")), several(constants | structs | variables | procedures | processes)
)
__all__ = ["integers", "texts"]
