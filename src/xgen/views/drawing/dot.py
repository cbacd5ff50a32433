"""An execution as Graphviz text: one cluster per thread, and per group of threads of a GPU; initial writes on top.

The relations differ in colour, in line style and in arrow head, so that they survive a black-and-white print.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from xgen.executions.execution import Event, Execution
from xgen.views.answers.witness import shown_threads
from xgen.views.drawing.boxes import marks, program_name, remarks, statement
from xgen.views.drawing.edges import drawn_edges, shown_initial
from xgen.views.drawing.frames import stretches
from xgen.views.drawing.groups import Group, grouped, placed_threads
from xgen.views.drawing.picture import Pairs
from xgen.views.drawing.picturing import shown_edges

if TYPE_CHECKING:
    from graphviz import Digraph  # loaded only where a picture is drawn

SIGNATURE = "// an execution drawn by xgen"
"""The first line of every picture: by it xgen knows its own files."""


def _colours(colour: str) -> dict[str, str]:
    return {"color": colour, "fontcolor": colour}


RELATIONS: dict[str, dict[str, str]] = {
    "po": {"weight": "20", "color": "gray45", "penwidth": "0.8", "arrowsize": "0.6"},
    "rf": {**_colours("#1b7837"), "style": "dashed", "penwidth": "1.3", "arrowhead": "normal", "arrowsize": "0.7"},
    "mo": {**_colours("#2166ac"), "style": "bold", "penwidth": "2", "arrowhead": "vee", "arrowsize": "0.8"},
    "fr": {
        **_colours("#c2500a"),
        "style": "dotted",
        "penwidth": "1.8",
        "arrowhead": "empty",
        "arrowsize": "0.7",
        "labelangle": "-25",
    },
    "start": {**_colours("gray35"), "style": "setlinewidth(1.3)", "arrowsize": "0.6"},
    "join": {**_colours("gray25"), "style": "dotted,bold", "arrowsize": "0.6"},
    "data-race": {**_colours("#b2182b"), "style": "dashed,bold", "penwidth": "1.8", "dir": "none"},
}
"""How the edges of each relation look."""
OTHERS = {**_colours("#942e97"), "style": "dashed", "penwidth": "1.2", "arrowsize": "0.7"}
"""How those of all others do: dependencies, and relations of the model."""

INVISIBLE = {"style": "invis"}
VIOLATION = {**_colours("#b2182b"), "shape": "doubleoctagon", "fillcolor": "#fdecea", "penwidth": "1.5"}
GRAPH = {"newrank": "true", "labelloc": "t", "labeljust": "l", "nodesep": "0.8", "ranksep": "0.55"}
NODE = {"fontname": "Helvetica", "fontsize": "12", "shape": "box", "style": "filled", "fillcolor": "white"}
NODE |= {"color": "gray35", "height": "0.3", "margin": "0.1,0.05"}
FRAME = {"style": "rounded,dashed", "color": "gray55", "fontcolor": "gray35", "fontsize": "9", "margin": "6"}
PLAIN = {"shape": "plaintext", "style": "", "fontcolor": "gray35"}


def execution_to_dot(
    execution: Execution, *, show: Collection[str] | None = None, relations: Mapping[str, Pairs] | None = None
) -> str:
    """The execution as a directed graph; node names are the events' ids.

    `show`: the relations that are drawn, and EXTRAS, as in `svg.py`; None: all of rf, mo and fr that says something,
    with the initial writes. `relations`: pairs of relations that are not base relations, as far as `show` has them.
    """
    from graphviz import Digraph

    graph = Digraph(
        "execution",
        comment=SIGNATURE.removeprefix("// "),
        graph_attr={**GRAPH, "fontname": "Helvetica", "fontsize": "11", "label": _title(execution)},
        node_attr=NODE,
        edge_attr={"fontname": "Helvetica", "fontsize": "10", "labeldistance": "2", "labelangle": "20"},
    )
    edges = list(drawn_edges(execution)) if show is None else shown_edges(execution, show, relations or {})
    initial = [execution.events[n] for n in shown_initial(execution, edges)]
    _initial_writes(graph, execution, initial)
    threads = placed_threads(execution, shown_threads(execution))
    _threads(graph, execution, grouped(execution, threads), show is None or "po" in show)
    _order_of_threads(graph, execution, threads, initial)
    for relation, a, b in edges:
        # Labels in the middle of edges would bend the edges around each other; at an end they do not. They stand at the
        # end at which the relation has one edge only: many reads can read from one write.
        end = "headlabel" if relation == "rf" else "taillabel"
        look = {**RELATIONS.get(relation, OTHERS), "constraint": "false", end: relation}
        edge(graph, execution.events[a].id, execution.events[b].id, look)
    return str(graph.source)


def edge(graph: Digraph, source: str, target: str, look: Mapping[str, str]) -> None:
    """Draws an edge. (Digraph.edge would take a colon in the name of a node for one before a port.)"""
    values = {name: value if value[:1] == "<" else quote(value) for name, value in look.items()}  # "<": markup
    attributes = " ".join(f"{name}={value}" for name, value in values.items())
    graph.body.append(f"\t{quote(source)} -> {quote(target)}" + (f" [{attributes}]\n" if attributes else "\n"))


def node(graph: Digraph, name: str, label: str, look: Mapping[str, str] | None = None) -> None:
    """Draws a node; the label is markup, or stands for itself."""
    from graphviz import escape

    graph.node(escape(name), label, **look or {})


def quote(text: str) -> str:
    """A text as a quoted Graphviz name."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def markup(text: str) -> str:
    """A text inside an HTML-like label: quotes may stay; what XML cannot hold becomes a question mark."""
    printable = "".join(char if char.isprintable() else "?" for char in text)
    return html.escape(printable, quote=False)


def _small(text: str) -> str:
    return f'<br/><font point-size="9" color="gray35">{markup(text)}</font>' if text else ""


def _title(execution: Execution) -> str:
    fault, hidden = remarks(execution)
    name = f"<b>{markup(program_name(execution))}</b>"
    if fault:
        name += f": {markup(fault)}"
    if hidden:
        name += f'  <font point-size="9" color="gray35">{hidden}</font>'
    return f"<{name}>"


def _label(execution: Execution, event: Event) -> str:
    """What the event does, and below it, in small print, where it stands in the program."""
    return f"<{markup(event.label)}{_small(statement(execution, event))}>"


def _initial_writes(graph: Digraph, execution: Execution, used: list[Event]) -> None:
    if not used:
        return
    with graph.subgraph(name="initial", graph_attr={"rank": "min"}) as part:
        part.attr("node", style="filled,rounded", fillcolor="gray94")
        for event in used:
            node(part, event.id, _label(execution, event))


def _threads(graph: Digraph, execution: Execution, parts: Sequence[int | Group], po: bool) -> None:
    """Clusters of threads, those of a group of a GPU in one of their own."""
    for part in parts:
        if isinstance(part, int):
            _thread(graph, execution, part, po)
            continue
        look = {"style": "rounded,dashed", "color": "gray55", "margin": "16", "label": markup(part.text)}
        with graph.subgraph(name=f"cluster_{part.name}", graph_attr=look) as inside:
            _threads(inside, execution, part.parts, po)


def _thread(graph: Digraph, execution: Execution, thread: int, po: bool) -> None:
    """A cluster with the thread's events from top to bottom, and how it ended below them; `po`: with its arrows."""
    events = [event for event in execution.events if event.thread == thread]
    ends = marks(execution, thread)
    look = {"style": "rounded", "color": "gray70", "margin": "12"}
    label = f"<<b>{markup(execution.threads[thread])}</b>>"
    with graph.subgraph(name=f"cluster_{thread}", graph_attr={"label": label, **look}) as part:
        _framed(part, execution, events, 0, len(events), stretches(events))
        for mark in ends:
            text = f"<<b>{markup(mark.text)}</b>{_small(mark.small)}>" if mark.violation else mark.text
            node(part, mark.id, text, VIOLATION if mark.violation else PLAIN)
        if not events and not ends:
            node(part, f"{thread}:none", "no events", PLAIN | {"fontcolor": "gray45"})
        for before, after in pairwise([event.id for event in events] + [mark.id for mark in ends]):
            edge(part, before, after, RELATIONS["po"] if po else {**RELATIONS["po"], **INVISIBLE})


def _framed(
    graph: Digraph, execution: Execution, events: Sequence[Event], at: int, end: int, frames: list[tuple[int, int, str]]
) -> None:
    """A thread's events from `at` to before `end`, with frames around some; outer frames come before inner ones."""
    while at < end:
        if not frames or frames[0][0] > at:
            node(graph, events[at].id, _label(execution, events[at]))
            at += 1
            continue
        first, last, text = frames.pop(0)
        with graph.subgraph(name=f"cluster_{events[first].id}", graph_attr=FRAME | {"label": text}) as inside:
            _framed(inside, execution, events, first, last + 1, frames)
        at = last + 1


def _order_of_threads(graph: Digraph, execution: Execution, threads: Sequence[int], used: list[Event]) -> None:
    """Invisible edges that keep the threads in order from left to right and below the initial writes."""
    tops = []
    for thread in threads:
        events = (event.id for event in execution.events if event.thread == thread)
        ends = (mark.id for mark in marks(execution, thread))
        tops.append(next(events, None) or next(ends, f"{thread}:none"))
    initial = [event.id for event in used]
    for row in (tops, initial):
        if len(row) > 1:
            with graph.subgraph(graph_attr={"rank": "same"}) as part:
                for before, after in pairwise(row):
                    edge(part, before, after, INVISIBLE)
    for top in tops if initial else ():
        edge(graph, initial[0], top, INVISIBLE)
