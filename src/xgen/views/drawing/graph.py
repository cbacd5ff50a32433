"""An execution as a networkx graph, for scripts that compute on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgen.executions.execution import INITIAL, Execution

if TYPE_CHECKING:
    import networkx


def execution_to_networkx(execution: Execution) -> networkx.MultiDiGraph:
    """A node per event, by its id; an edge per pair of po, rf, mo and fr, with the relation as key and `relation`.

    po and mo are immediate, fr is reduced (to the next write). Node attributes: label, thread (the process' name,
    "init" for initial writes), index, kind, variable, value, tags (sorted), line, column, text, step. The graph's
    attributes `ends` and `state` say how each thread ended and with which values.
    """
    import networkx

    ends = dict(zip(execution.threads, execution.ends, strict=True))
    graph = networkx.MultiDiGraph(ends=ends, state=dict(execution.state))
    for event in execution.events:
        graph.add_node(
            event.id,
            label=event.label,
            thread="init" if event.thread == INITIAL else execution.threads[event.thread],
            index=event.index,
            kind=event.kind,
            variable=event.variable,
            value=event.value,
            tags=sorted(event.tags),
            line=event.position.line if event.position else None,
            column=event.position.column if event.position else None,
            text=event.text,
            step=event.step,
        )
    for relation, a, b in execution.edges():
        graph.add_edge(execution.events[a].id, execution.events[b].id, key=relation, relation=relation)
    return graph
