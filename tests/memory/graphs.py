"""The execution graphs that the tests look at."""

from __future__ import annotations

from memory.naive import Event, Graph
from xgen.memory.algebra import Op


def shape(threads: str, rf: str, mo: str = "", given: str = "") -> Graph:
    """A graph in short: threads as `a:Wx b:F[mfence] | c:Rx`, `rf` as `a c, ix d`, `mo` as `a d; e f`.

    Initial writes are called ix, iy, ...; they come first in mo and need not be given there. A read of which `rf` says
    nothing reads the initial write. `given` are dependencies and updates as `data c d, rmw e f`.
    """
    parsed = [[_event(word, i) for word in line.split()] for i, line in enumerate(threads.split("|"))]
    events = {event.name: event for thread in parsed for event in thread}
    variables = sorted({event.variable for event in events.values() if event.variable})
    inits = [Event(f"i{v}", None, "W", v, frozenset({"init"})) for v in variables]
    orders = [line.split() for line in mo.split(";") if line.strip()]
    for event in events.values():
        if event.kind == "W" and not any(event.name in order for order in orders):
            orders.append([event.name])
    complete = {v: [f"i{v}"] for v in variables}
    for order in orders:
        complete[str(events[order[0]].variable)] += order
    assert all(
        sorted(order[1:]) == sorted(e.name for e in events.values() if e.kind == "W" and e.variable == v)
        for v, order in complete.items()
    ), "mo has to have every write once"
    reads = [pair.strip() for pair in rf.split(",") if pair.strip()]
    read = {pair.split()[1] for pair in reads}
    reads += [f"i{e.variable} {e.name}" for e in events.values() if e.kind == "R" and e.name not in read]
    graph = Graph(inits, parsed, reads, [" ".join(order) for order in complete.values()])
    for kind, source, target in (item.split() for item in given.split(",") if item.strip()):
        graph.given[Op[kind.upper()]].add((source, target))
    return graph


def _event(word: str, thread: int) -> Event:
    name, what = word.split(":")
    what, _, tags = what.rstrip("]").partition("[")
    return Event(name, thread, what[0], what[1:] or None, frozenset(tags.split("+") if tags else ()))
