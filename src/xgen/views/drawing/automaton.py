"""A program's automaton as Graphviz text: one cluster per process or procedure, locations and edges."""

from __future__ import annotations

from collections.abc import Iterator

from graphviz import Digraph

from xgen.program.automaton import Edge, Procedure, Program
from xgen.program.printer import print_statement
from xgen.views.drawing.dot import NODE, VIOLATION, edge, markup, node
from xgen.views.words import one_line

LOOKS: dict[str | None, dict[str, str]] = {
    None: {},
    "init": {"penwidth": "2.5"},
    "final": {"peripheries": "2"},
    "error": VIOLATION,
}
"""How the kinds of locations look."""


def program_to_dot(program: Program) -> str:
    """The program as a directed graph; a location is named `process:location` or `process:procedure:location`."""
    graph = Digraph(
        "automaton",
        graph_attr={"fontname": "Helvetica", "fontsize": "12", "labeljust": "l"},
        node_attr=NODE | {"style": "filled,rounded"},
        edge_attr={"fontname": "Helvetica", "fontsize": "10", "color": "gray35"},
    )
    for number, (name, procedure) in enumerate(_procedures(program)):
        look = {"style": "rounded", "color": "gray70", "margin": "12"}
        label = f"<<b>{markup(name)}</b>>"
        with graph.subgraph(name=f"cluster_{number}", graph_attr={"label": label, **look}) as part:
            for location in procedure.locations:
                node(part, f"{name}:{location.name}", f"<{markup(location.name)}>", LOOKS[location.kind])
            for taken in procedure.edges:
                ends = f"{name}:{taken.source.name}", f"{name}:{taken.target.name}"
                edge(part, *ends, {"label": f"<{_statements(taken)}>"} if taken.statements else {})
    return str(graph.source)


def _procedures(program: Program) -> Iterator[tuple[str, Procedure]]:
    for process in program.processes:
        if process.procedures:
            yield from ((f"{process.name}:{procedure.name}", procedure) for procedure in process.procedures)
        else:
            yield process.name, process.main_procedure


def _statements(edge: Edge) -> str:
    return "".join(f"{markup(one_line(print_statement(statement)))}<br/>" for statement in edge.statements)
