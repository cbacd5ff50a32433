"""A program's automaton as Graphviz text: one cluster per process or procedure, locations and edges."""

from __future__ import annotations

from collections.abc import Iterator

from xgen.program.automaton import Edge, Location, Procedure, Program
from xgen.program.printer import print_statement
from xgen.views.dot import markup, quote
from xgen.views.words import one_line

LOOKS = {
    None: "",
    "init": " penwidth=2.5",
    "final": " peripheries=2",
    "error": ' shape=doubleoctagon color="#b2182b" fontcolor="#b2182b" fillcolor="#fdecea"',
}
"""How the kinds of locations look."""

HEADER = """digraph automaton {
  graph [fontname="Helvetica" fontsize=12 labeljust=l]
  node [fontname="Helvetica" fontsize=12 shape=box style="filled,rounded" fillcolor=white color=gray35]
  node [height=0.3 margin="0.1,0.05"]
  edge [fontname="Helvetica" fontsize=10 color=gray35]"""


def program_to_dot(program: Program) -> str:
    """The program as a directed graph; a location is named `process:location` or `process:procedure:location`."""
    lines = [HEADER]
    for number, (name, procedure) in enumerate(_procedures(program)):
        lines += [
            f"  subgraph cluster_{number} {{",
            f"    label=<<b>{markup(name)}</b>> style=rounded color=gray70 margin=12",
            *(_location(name, location) for location in procedure.locations),
            *(_edge(name, edge) for edge in procedure.edges),
            "  }",
        ]
    return "\n".join([*lines, "}"]) + "\n"


def _procedures(program: Program) -> Iterator[tuple[str, Procedure]]:
    for process in program.processes:
        if process.procedures:
            yield from ((f"{process.name}:{procedure.name}", procedure) for procedure in process.procedures)
        else:
            yield process.name, process.main_procedure


def _location(prefix: str, location: Location) -> str:
    return f"    {quote(f'{prefix}:{location.name}')} [label=<{markup(location.name)}>{LOOKS[location.kind]}]"


def _edge(prefix: str, edge: Edge) -> str:
    statements = "".join(f"{markup(one_line(print_statement(statement)))}<br/>" for statement in edge.statements)
    label = f" [label=<{statements}>]" if statements else ""
    return f"    {quote(f'{prefix}:{edge.source.name}')} -> {quote(f'{prefix}:{edge.target.name}')}{label}"
