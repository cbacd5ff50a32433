"""An execution as Graphviz text: one cluster per thread, initial writes on top.

The relations differ in colour, in line style and in arrow head, so that they survive a black-and-white print. The text
is written by hand: it needs a dozen lines of syntax, and runs with `--all-states` write thousands of files.
"""

from __future__ import annotations

import html
from itertools import pairwise

from xgen.executions.execution import Event, Execution
from xgen.views.picture import drawn_edges, marks, program_name, remarks, shown_initial, statement
from xgen.views.witness import shown_threads

SIGNATURE = "// an execution drawn by xgen"
"""The first line of every picture: by it xgen knows its own files."""

RELATIONS = {
    "po": 'weight=20 color="gray45" penwidth=0.8 arrowsize=0.6',
    "rf": 'color="#1b7837" fontcolor="#1b7837" style=dashed penwidth=1.3 arrowhead=normal arrowsize=0.7',
    "mo": 'color="#2166ac" fontcolor="#2166ac" style=bold penwidth=2 arrowhead=vee arrowsize=0.8',
    "fr": 'color="#c2500a" fontcolor="#c2500a" style=dotted penwidth=1.8 arrowhead=empty arrowsize=0.7 labelangle=-25',
    "data-race": 'color="#b2182b" fontcolor="#b2182b" style="dashed,bold" penwidth=1.8 dir=none',
}
"""How the edges of each relation look."""

HEADER = """digraph execution {
  graph [newrank=true fontname="Helvetica" fontsize=11 labelloc=t labeljust=l nodesep=0.8 ranksep=0.55]
  node [fontname="Helvetica" fontsize=12 shape=box style=filled fillcolor=white color=gray35]
  node [height=0.3 margin="0.1,0.05"]
  edge [fontname="Helvetica" fontsize=10 labeldistance=2 labelangle=20]"""


def execution_to_dot(execution: Execution) -> str:
    """The execution as a directed graph; node names are the events' ids."""
    lines = [SIGNATURE, HEADER, f"  label={_title(execution)}"]
    lines += _initial_writes(execution)
    for thread in shown_threads(execution):
        lines += _thread(execution, thread)
    lines += _order_of_threads(execution)
    for relation, a, b in drawn_edges(execution):
        lines.append(_edge(relation, execution.events[a].id, execution.events[b].id))
    return "\n".join([*lines, "}"]) + "\n"


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


def _label(event: Event) -> str:
    """What the event does, and below it, in small print, where it stands in the program."""
    return f"<{markup(event.label)}{_small(statement(event))}>"


def _used(execution: Execution) -> list[Event]:
    return [execution.events[n] for n in shown_initial(execution, drawn_edges(execution))]


def _initial_writes(execution: Execution) -> list[str]:
    nodes = [f"    {quote(event.id)} [label={_label(event)}]" for event in _used(execution)]
    if not nodes:
        return []
    return ["  subgraph initial {", '    rank=min node [style="filled,rounded" fillcolor="gray94"]', *nodes, "  }"]


def _thread(execution: Execution, thread: int) -> list[str]:
    """A cluster with the thread's events from top to bottom, and how it ended below them."""
    chain = [(event.id, f"label={_label(event)}") for event in execution.events if event.thread == thread]
    chain += _end(execution, thread)
    if not chain:
        chain = [(f"{thread}:none", 'label="no events" shape=plaintext style="" fontcolor="gray45"')]
    lines = [
        f"  subgraph cluster_{thread} {{",
        f"    label=<<b>{markup(execution.threads[thread])}</b>> style=rounded color=gray70 margin=12",
    ]
    lines += [f"    {quote(name)} [{attributes}]" for name, attributes in chain]
    lines += [_edge("po", a, b) for (a, _), (b, _) in pairwise(chain)]
    return [*lines, "  }"]


def _end(execution: Execution, thread: int) -> list[tuple[str, str]]:
    """The marks after a thread's last event."""
    found = []
    for mark in marks(execution, thread):
        if mark.violation:
            look = 'shape=doubleoctagon color="#b2182b" fontcolor="#b2182b" fillcolor="#fdecea" penwidth=1.5'
            found.append((mark.id, f"label=<<b>{markup(mark.text)}</b>{_small(mark.small)}> {look}"))
        else:
            found.append((mark.id, f'label="{mark.text}" shape=plaintext style="" fontcolor="gray35"'))
    return found


def _order_of_threads(execution: Execution) -> list[str]:
    """Invisible edges that keep the threads in order from left to right and below the initial writes."""
    tops = []
    for thread in shown_threads(execution):
        first = next((event.id for event in execution.events if event.thread == thread), None)
        end = next(iter(_end(execution, thread)), (f"{thread}:none", ""))[0]
        tops.append(quote(first or end))
    initial = [quote(event.id) for event in _used(execution)]
    lines = [f"  {{ rank=same edge [style=invis] {' -> '.join(tops)} }}"] if len(tops) > 1 else []
    if len(initial) > 1:
        lines.append(f"  {{ rank=same edge [style=invis] {' -> '.join(initial)} }}")
    lines += [f"  {write} -> {top} [style=invis]" for write in initial[:1] for top in tops]
    return lines


def _edge(relation: str, source: str, target: str) -> str:
    # Labels in the middle of edges would bend the edges around each other; at an end they do not. They stand at the
    # end at which the relation has one edge only: many reads can read from one write.
    end = "headlabel" if relation == "rf" else "taillabel"
    layout = "" if relation == "po" else f" constraint=false {end}={relation}"
    indent = "    " if relation == "po" else "  "
    return f"{indent}{quote(source)} -> {quote(target)} [{RELATIONS[relation]}{layout}]"
