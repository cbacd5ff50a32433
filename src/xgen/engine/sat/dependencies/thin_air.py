"""Values out of thin air: no event depends on itself by way of reads-from.

A value is computed from what is read, a thread goes its way by what is read, it is started on the way of another one,
and is joined when it has come to its end. Executions in which this has a cycle are none, whatever the model allows:
the explorer never builds them (src/core/search/orders.hpp).
"""

from __future__ import annotations

from collections.abc import Iterator

from xgen._core import Op
from xgen.engine.sat.dependencies.taint import REPLACES, joined
from xgen.engine.sat.gates import Literal
from xgen.engine.sat.graph import MANY, Graph, Reason
from xgen.engine.sat.possible import Possible


class ThinAir:
    """What an event needs of others, as pairs, each with a literal: it does, if both are there."""

    def __init__(self, possible: Possible) -> None:
        self.encoding = possible.encoding
        gates, found = possible.encoding.gates, dict[tuple[int, int], Literal]()
        for a, b, own in self._pairs():
            found[a, b] = gates.either(found[a, b], own) if (a, b) in found else own
        self.pairs = found

    def failures(self, graph: Graph) -> list[Reason]:
        """Why events need each other, where they do: literals of which that follows, each time."""
        reasons: list[Reason] = []
        for cycle in graph.cycles(graph.rows_of(self.pairs))[:MANY]:
            reason = {graph.events[number].exec for number in cycle}
            reason |= {self.pairs[a, b] for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True)}
            reasons.append(reason)
        return reasons

    def _pairs(self) -> Iterator[tuple[int, int, Literal]]:
        encoding, gates = self.encoding, self.encoding.gates
        spans, ways = encoding.unrolled.spans_of, encoding.unrolled.ways
        for read, sources in encoding.sources.items():
            for write, own in sources.items():
                yield write, read, own
        for event in encoding.events:
            known, number = event.dependencies, event.number
            taints = (known.addr, known.data, known.picks, known.way.all)
            for other, own in joined(gates, taints).items():
                yield other, number, own
            later = range(number + 1, spans[event.thread].stop) if event.thread in spans else range(0)
            for other, own in known.addr.items():
                needed = gates.both(own, event.exec)
                for behind in later:
                    yield other, behind, needed
            if event.kind == "W" and event.partner >= 0 and self._computes(event.pc):
                yield event.partner, number, event.exec
            if event.starts >= 0:
                for behind in spans[event.starts]:
                    yield number, behind, event.exec
            if event.joins >= 0:
                for other, own in ways[event.joins].items():
                    yield other, number, own
                for other in spans[event.joins]:
                    if encoding.events[other].joins >= 0:
                        yield other, number, encoding.events[other].exec
                for behind in later:
                    yield number, behind, event.exec

    def _computes(self, pc: int) -> bool:
        """Whether an update writes what depends on what it has read."""
        i = self.encoding.code.instructions[pc]
        return i.op is Op.RMW and self.encoding.code.rmws[i.c].kind not in REPLACES
