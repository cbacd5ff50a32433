"""What a run keeps of its executions: rows of the core, of which executions are made when they are asked for."""

from __future__ import annotations

import pytest

import xgen
from engine.shapes import SHAPES, program
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem
from xgen.executions.execution import Execution

SC = xgen.model("sc")
CHOICES = program("a <- y; havoc a in 0 .. 1; 1 -> x", "b <- x; havoc b in 0 .. 1; c <- x")


def run(asked: xgen.Program) -> Run:
    made = Run(problem(asked, SC), Options(all_states=True, trace_limit=1000))
    made.finish()
    return made


@pytest.mark.parametrize("asked", [*SHAPES.values(), CHOICES])
def test_rows(asked: xgen.Program) -> None:
    """Rows of a trace: initial writes, then each thread in program order; slots are distinct; choices leave gaps."""
    for trace in run(asked).core.take_traces():
        rows = trace.events
        keys = [(row.thread, row.number) for row in rows]
        assert keys == sorted(set(keys))
        assert len({row.slot for row in rows}) == len(rows)
        for row in rows:
            assert tuple(row) == (
                row.slot,
                row.number,
                row.kind,
                row.thread,
                row.pc,
                row.event_class,
                row.cell,
                row.object,
                row.rf,
                row.value,
                row.block,
                row.part,
            )
        written = {row.slot: row for row in rows}
        assert all(written[row.rf].value == row.value for row in rows if row.rf >= 0)


def test_made_when_asked_for() -> None:
    """An execution is made once, whichever way it is asked for; a trace that nobody asks for is not."""
    made: list[Execution] = []
    asked = run(SHAPES["SB"])
    make = asked.execution

    def counted(trace: xgen._core.Trace, whole: bool = True) -> Execution:
        made.append(make(trace, whole))
        return made[-1]

    asked.execution = counted  # type: ignore[method-assign]
    traces = asked.traces()
    assert len(traces) == 3
    assert not made
    last = traces[-1]
    assert made == [last]
    assert traces[2] is last
    assert list(traces)[2] is last
    assert traces[1:] == [traces[1], last]
    assert len(made) == 3
    with pytest.raises(IndexError):
        traces[3]
    assert len(asked.traces()) == 0


def test_the_same_as_a_stream() -> None:
    for name in ("SB", "MP", "IRIW"):
        kept = xgen.check(SHAPES[name], SC, all_states=True).traces
        assert list(kept) == list(xgen.executions(SHAPES[name], SC))
