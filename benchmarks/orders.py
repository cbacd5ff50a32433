"""How many executions differ by the order of writes alone (Bajczi 2020, section 6.3.5), under weak.

    python benchmarks/orders.py > results/orders.csv

`executions` have different rf or mo, `reads_from` are those with different rf, `outcomes` those with different final
values. `graphs` are visited to find all executions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from families import instance
from harness import write

import xgen

PROGRAMS = (
    "coherence(3)", "coherence(5)", "wide(3,3)", "wide(7,2)", "readers(8)", "variables(8)", "sb(6)", "fetch_add(5)",
    "writers(2,2)", "writers(2,4)", "writers(3,2)", "writers(3,3)", "writers(4,2)",
    "write_then_read(3)", "write_then_read(4)",
)  # fmt: skip
FIELDS = ("program", "executions", "reads_from", "outcomes", "graphs", "graphs_per_execution")


def rows(names: Sequence[str] = PROGRAMS) -> Iterator[dict[str, object]]:
    """One for each program."""
    model = xgen.model("weak")
    for name in names:
        program = xgen.parse(instance(name).text)
        result = xgen.check(program, model, all_states=True)
        distinct = {frozenset(_reads(one)) for one in xgen.executions(program, model)}
        yield {
            "program": name, "executions": result.executions, "reads_from": len(distinct),
            "outcomes": len(result.outcomes), "graphs": result.explored,
            "graphs_per_execution": f"{result.explored / result.executions:.2f}",
        }  # fmt: skip


def _reads(execution: xgen.Execution) -> Iterator[tuple[str, str]]:
    """What reads from what, by names that are the same in all executions."""
    names = [event.id for event in execution.events]
    return ((names[write], names[read]) for write, read in execution.rf)


if __name__ == "__main__":
    write(FIELDS, rows())
