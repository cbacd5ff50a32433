"""Problems in which orders of updates that nobody sees are not told apart: what threads count in is a cell for each.

`lowering/counters.py` says what a counter is, and makes the program. Why nothing is lost: take an execution of it, and
an order of its events in which the two events of an update stand side by side, and which has in it whatever the model
wants to be acyclic. Let all updates of a counter be of one cell, each reading from the one before it in this order. All
pairs that come to rf, mo and fr are in the order as well. So this is an execution of the program, in which all threads
have taken the same steps. From each execution of the program comes one of these, by taking the pairs away; so there is
one for each class of executions that differ in nothing but the order of such updates, and how a thread goes on, what it
reads elsewhere and what is in memory in the end is the same in all of a class.

It asks of the model that the pairs which come, or go, make no difference but as parts of that order.

- sc, tso, pso: all of rf between threads, mo and fr is in the one order, and what comes behind the read of an update
  comes behind its write as well.
- rc11, with either definition of release sequences: po | rf is acyclic, and what happens before what is in it. Who
  acquires what another thread has released by way of a counter would see the order: so no thread acquires by it (by
  the update, or a fence behind) while another one releases by it; or a thread that acquires only counts from there on,
  reads what no other one writes meanwhile, and uses cells of its own (`_Ways.end_quietly`). Accesses that are seq_cst
  would see it, and fences that are: those have an order that modification order is part of. Counters have no such
  updates, and programs no such fence. What a thread does to a counter that has joined all others comes last anyhow.

Lifetimes of objects ask what happens before what, or else what is before what in po | rf: there is less of that, so
that nothing wrong is missed. What is wrong here alone is no violation: who finds one looks in the program itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from xgen._core import OPERATIONS, Op, OpKind
from xgen.engine.problem import Problem
from xgen.lowering.analysis.value_sets import Values, accessed_cells
from xgen.lowering.code import EVENTS, WRITES, Code, EventClass
from xgen.lowering.counters import Counter, Counting, counting, meanwhile, orders_of, with_parts
from xgen.memory.algebra import Model
from xgen.memory.statics.silent import is_one_of
from xgen.records import replace

MANY = 50
"""So many orders there may be before it is asked whether nobody sees them."""
TOTAL = ("sc", "tso", "pso")
OF_C = ("rc11", "rc11-c20")
"""The models for which that is shown."""

_ORDERS = frozenset(("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"))
_RELEASES = frozenset(("release", "acq_rel"))
_ACQUIRES = frozenset(("acquire", "consume", "acq_rel"))
_WEAK = _ORDERS - {"seq_cst"} | {"start", "join", "lock", "unlock", "alloc", "free"}
"""The tags of fences that are not seq_cst."""


def without_orders(problem: Problem) -> tuple[Problem, tuple[str, ...]] | None:
    """The problem in which threads count apart, and the names of what they count in; None where there is nothing to
    gain, or it is not shown that nothing is lost."""
    code = problem.code
    if problem.strategy.ahead or problem.classes or code.parts is not None or problem.program.leaks is not None:
        return None
    if orders_of(code) < MANY:
        return None
    found = counting(code)
    if found is None or not is_one_of(problem.asked, TOTAL + OF_C) or _is_seen(problem.asked, code, found):
        return None
    names = tuple(code.cells[counter.cell].name for counter in found.counters)
    return replace(problem, code=with_parts(code, found)), names


def _is_seen(model: Model, code: Code, found: Counting) -> bool:
    """Whether somebody may see the order of the updates of a counter."""
    if is_one_of(model, TOTAL):
        return False
    kinds = {pc: tuple(_kinds(code, pc)) for pc in found.reached}
    fences = {pc: kind for pc, of in kinds.items() for kind in of if kind.kind == "F"}
    if any(not kind.tags & _WEAK for kind in fences.values()):
        return True
    ways = _Ways(code, found)
    return any(_is_acquired(code, counter, kinds, fences, ways) for counter in found.counters)


class _Ways:
    """What threads do while others run: not before they start the first, nor when they have joined all of them."""

    def __init__(self, code: Code, found: Counting) -> None:
        self.code = code
        self.accessed = accessed_cells(code)
        self.counting = {pc for counter in found.counters for pcs in counter.updates.values() for pc in pcs}
        self.meanwhile = [found.reached & meanwhile(code, thread) for thread in range(len(code.threads))]

    def end_quietly(self, thread: int, behind: Collection[int], asked: frozenset[int] = frozenset()) -> bool:
        """Whether all that a thread does there leads nowhere but to counters: it reads what no other one writes
        meanwhile, or uses cells that no other one does; and so does who joins it meanwhile, behind that. `asked`: the
        joins behind which this is asked already."""
        others = [pc for n, pcs in enumerate(self.meanwhile) if n != thread for pc in pcs]
        writes = [pc for pc in others if self.code.instructions[pc].op in {*WRITES, Op.OBJECT}]
        used, written = self.cells_of(others), self.cells_of(writes)
        joins = [
            (n, pc)
            for n, pcs in enumerate(self.meanwhile)
            for pc in pcs - asked
            if n != thread and (i := self.code.instructions[pc]).op is Op.JOIN and i.a == thread
        ]
        return all(self.is_quiet(pc, used, written) for pc in behind if pc in self.meanwhile[thread]) and all(
            self.end_quietly(n, self.code.after(pc), asked | {pc}) for n, pc in joins
        )

    def cells_of(self, pcs: Iterable[int]) -> Values:
        """The cells that these instructions may be events of; None: any."""
        found = set[int]()
        for pc in pcs:
            if (cells := self.accessed[pc]) is None:
                return None
            found |= cells
        return frozenset(found)

    def is_quiet(self, pc: int, used: Values, written: Values) -> bool:
        i, cells = self.code.instructions[pc], self.accessed[pc]
        if OPERATIONS[i.op][2] is not OpKind.EVENT or i.op in (Op.FENCE, Op.JOIN) or pc in self.counting:
            return True
        if i.op not in (Op.LOAD, Op.STORE, Op.RMW) or cells is None:
            return False
        others = written if i.op is Op.LOAD else used
        return others is not None and not cells & others


def _is_acquired(
    code: Code,
    counter: Counter,
    kinds: Mapping[int, tuple[EventClass, ...]],
    fences: Mapping[int, EventClass],
    ways: _Ways,
) -> bool:
    """Whether a thread may acquire by a counter what another one releases by it, and that makes a difference; or some
    of its updates are seq_cst, or not atomic."""
    releasing, acquiring = set[int](), set[int]()
    for thread, pcs in counter.updates.items():
        first, last = code.ranges[thread]
        own = {pc for pc in pcs if pc in kinds and pc in ways.meanwhile[thread]}
        tags = frozenset[str]().union(*(kind.tags for pc in own for kind in kinds[pc]))
        if "seq_cst" in tags or any(not kind.tags & _ORDERS for pc in own for kind in kinds[pc]):
            return True
        behind = set[int]().union(*map(code.after, own))
        here = {pc: kind.tags for pc, kind in fences.items() if first <= pc < last}
        if tags & _RELEASES or any(own & code.after(pc) for pc, fence in here.items() if fence & _RELEASES):
            releasing.add(thread)
        acquires = tags & _ACQUIRES or any(pc in behind for pc, fence in here.items() if fence & _ACQUIRES)
        if acquires and not ways.end_quietly(thread, behind):
            acquiring.add(thread)
    return any(a != b for a in releasing for b in acquiring)


def _kinds(code: Code, pc: int) -> Iterator[EventClass]:
    """The classes of the events of an instruction."""
    i = code.instructions[pc]
    if i.op is Op.RMW:
        rmw = code.rmws[i.c]
        yield code.classes[rmw.read_class]
        yield code.classes[rmw.write_class]
    elif i.op in EVENTS:
        yield code.classes[i.c]
