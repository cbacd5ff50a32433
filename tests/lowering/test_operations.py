"""What analyses of code say of each operation of the table, against what the machine does with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

import xgen
from xgen import _core
from xgen._core import OPERATIONS, Op, OpKind
from xgen.engine.graphs.run import Options, Run
from xgen.engine.problem import Problem, problem
from xgen.lowering.analysis.cones import failing
from xgen.lowering.analysis.ranges import Ranges
from xgen.lowering.analysis.value_sets import written_values
from xgen.lowering.code import EVENTS, READS, WRITES, Code

TEXT = """
var x : int var y : int (7) var z : int
process p { var a : int var b : int var c : int init loc L final loc M
  L -> M { a <- x ; b <- x ; c := a + b ; c -> y } }
process q { init loc L final loc M L -> M { VALUE -> x } }
process o { var d : int init loc L final loc M L -> M { d <- cas(z, 1, 2) } }
"""
"""The update is there so that values are looked at closely."""
COMPUTING = sorted((op for op, (_, writes, kind) in OPERATIONS.items() if writes and op not in EVENTS), key=str)
VALUES = (-3, 0, 1, 2, 3, 16, 70)
NUMBERS = (0, 1, 2, 8, -8)
"""For operands that are no registers."""
PROMISES = (Op.SHL, Op.SHR, Op.SAR)
"""Of which `c` says that they are in range."""


def with_operation(value: int, op: Op, b: int, c: int) -> tuple[Problem, int]:
    """A program that reads x twice, into registers 0 and 1, and stores what the operation makes of it in register 2."""
    found = problem(xgen.parse(TEXT.replace("VALUE", str(value))), xgen.model("sc"))
    code = found.code
    pc = next(n for n, i in enumerate(code.instructions) if i.op is Op.ADD)
    changed = replace(code.instructions[pc], op=op, a=0, b=b, c=c)
    instructions = (*code.instructions[:pc], changed, *code.instructions[pc + 1 :])
    return replace(found, code=replace(code, instructions=instructions)), pc


def run(asked: Problem) -> tuple[list[_core.TraceEvent], bool]:
    """What process p writes in executions, and whether it goes wrong in one."""
    found = Run(asked, Options(None, all_states=True, trace_limit=1000))
    found.finish()
    traces = found.core.take_traces()
    events = [e for trace in traces for e in trace.events if e.kind is _core.EventKind.WRITE and e.thread == 0]
    return events, found.core.witness is not None


def is_in(code: Code, event: _core.TraceEvent) -> bool:
    """Whether an analysis of values and one of ranges know that this may be written."""
    cells, values = written_values(code)[event.pc]
    low, high = Ranges(code).cells[event.cell]
    known = (cells is None or event.cell in cells) and (values is None or event.value in values)
    return known and low <= event.value <= high


@pytest.mark.parametrize("op", COMPUTING, ids=str)
def test_what_operations_compute_is_known(op: Op) -> None:
    """Each, with operands that another thread decides on: what is not listed anywhere may be any value."""
    written = wrong = 0
    for value in VALUES:
        for number in NUMBERS:
            b = 1 if "b" in OPERATIONS[op][0] else abs(number) + 1
            c = 1 if "c" in OPERATIONS[op][0] else number * (op not in PROMISES)
            asked, pc = with_operation(value, op, b, c)
            events, goes_wrong = run(asked)
            assert all(is_in(asked.code, event) for event in events), (value, number)
            assert not goes_wrong or pc in failing(asked.code)[0], (value, number)
            written += len(events)
            wrong += goes_wrong
    assert written + wrong > 0


def test_events_that_access_cells() -> None:
    """Which those are is read off the table; a new one must fit in."""
    assert {Op.STORE, Op.STOREX, Op.UNLOCK, Op.RMW} == WRITES
    assert {Op.LOAD, Op.LOADX, Op.RMW} == READS
    assert {Op.FENCE, Op.START, Op.JOIN, Op.MEET, Op.OBJECT} == EVENTS - READS - WRITES
    assert {OPERATIONS[op][2] for op in COMPUTING} == {OpKind.COMPUTE, OpKind.TEST, OpKind.CHOICE}
