"""What programs may write where, as far as their text tells, against what executions write."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import pytest

import xgen
from xgen import _core
from xgen.engine.graphs.lazy_cells import with_absent_cells
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import Problem, problem
from xgen.lowering.analysis.value_sets import _Analysis, written_values

FOLDER = Path(__file__).parents[2] / "programs" / "c"


def asked(text: str) -> Problem:
    return problem(xgen.parse(text, "c"), xgen.model("rc11"))


def values_written(text: str, name: str) -> set[int] | None:
    """All that is written to a variable; None: that may be anything."""
    code = asked(text).code
    number = next(n for n, cell in enumerate(code.cells) if cell.name == name)
    found: set[int] = set()
    for cells, values in written_values(code):
        if cells is None or number in cells:
            if values is None:
                return None
            found.update(values)
    return found


@pytest.mark.parametrize("name", ["msqueue", "treiber", "rwlock", "seqlock", "mcs", "ticketlock", "mpmc"])
def test_executions_write_nothing_else(name: str) -> None:
    found = problem(xgen.load(FOLDER / f"{name}.c"), xgen.model("rc11"))
    written = written_values(found.code)
    run = Run(found, Options(None, all_states=True, trace_limit=200, graphs=5000))
    run.finish()
    events = [e for trace in run.core.take_traces() for e in trace.events if e.kind is _core.EventKind.WRITE]
    own = [event for event in events if event.thread >= 0]
    assert own
    for event in own:
        cells, values = written[event.pc]
        assert cells is None or event.cell in cells
        assert values is None or event.value in values


def test_numbers_that_are_cut() -> None:
    text = """#include <pthread.h>
        #include <stdatomic.h>
        atomic_uchar x; atomic_schar y; atomic_ulong z;
        void *own(void *a) { unsigned char r = 0; atomic_compare_exchange_strong(&x, &r, 300);
                             atomic_exchange(&y, 255); z = (unsigned short)-2; return a; }
        int main() { pthread_t t; pthread_create(&t, 0, own, 0); pthread_join(t, 0); }"""
    assert values_written(text, "x") == {44}
    assert values_written(text, "y") == {-1}
    assert values_written(text, "z") == {65534}


def test_the_tail_of_a_queue_is_not_what_it_was() -> None:
    """So who expects there what it was at first, after others have written, waits in vain."""
    found = problem(xgen.load(FOLDER / "msqueue.c"), xgen.model("rc11"))
    names = [cell.name for cell in found.code.cells]
    tail, first = names.index("tail"), found.code.initial[names.index("tail")]
    for cells, values in written_values(found.code):
        if cells is None or tail in cells:
            assert values is not None
            assert first not in values


def test_remainders_are_small() -> None:
    """So it is known which elements of a ring are written, whatever its index has grown to."""
    found = problem(xgen.load(FOLDER / "mpmc.c"), xgen.model("rc11"))
    names = [cell.name for cell in found.code.cells]
    written = [{names[cell] for cell in cells} for cells, _ in written_values(found.code) if cells]
    assert {"cells[0].turn", "cells[1].turn"} in written
    assert all(len(cells) <= 2 for cells in written)
    assert all(cells is not None for cells, _ in written_values(found.code))


def state(analysis: _Analysis) -> list[object]:
    """All that was found."""
    return [analysis.cells, analysis.reachable, *([r.locals, r.results] for r in analysis.threads)]


POOL = """#include <pthread.h>
#include <stdatomic.h>
struct node { int value; struct node *next; } pool[20];
atomic_int used;
struct node *_Atomic top;
void *push(void *argument) {
    struct node *own = &pool[used++ % 20];
    own->value = 7;
    own->next = top;
    top = own;
    return argument;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, push, 0);
    pthread_create(&two, 0, push, 0);
    for (struct node *each = top; each; each = each->next) each->value++;
    return 0;
}
"""


def test_more_cells_change_as_much_as_all_that_is_looked_at_again() -> None:
    program = with_absent_cells(xgen.parse(POOL, "c"))
    code = problem(program, xgen.model("rc11")).code
    analysis = _Analysis(code, frozenset())
    assert analysis.ends()
    assert len(code.absent) == 40
    left = list(program.absent)
    while left:
        code = code.with_cells(left, range(8))
        left = left[8:]
        assert analysis.grow(code)
        assert analysis.ends()
        before = deepcopy(state(analysis))
        analysis.due = bytearray([1]) * len(code.instructions)
        assert analysis.ends()
        assert state(analysis) == before
