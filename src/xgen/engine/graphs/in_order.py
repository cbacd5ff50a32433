"""Programs of which it is found out whether they have load buffering, under models that allow it.

They are explored by revisits, which build what has no cycle in po | rf, until a write is met that a read before it
might read from (src/core/search/explore_order_impl.hpp). docs/explorer.md says why nothing is lost, and what that
takes: of the model, what memory/statics/in_order.py says; of the program, that which way a thread goes is among the
dependencies of what it writes. So nothing may be predicted, no dependency may end; and where it depends on a value
whether an update writes, that comes before all that follows: the thread asks at once, or the read acquires. (Who reads
it may find that another update has been faster; so the core asks for what would be if it had not.)

Of compare-exchanges that no thread asks, and that may write less than they do, it is found out in two steps: first a
program is explored in which each of them may also read and not write though it finds what it expects. That one has all
executions of the program, and others, which do not count: it only shows whether there is load buffering. A thread that
acquires the same cell behind one of them comes no further there if it has not written; and if nobody sees what it does
before that, such an update is as good as one that is decided.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from xgen._core import OPERATIONS, Op, OpKind, RmwKind
from xgen.engine.graphs.options import Options
from xgen.engine.problem import Problem, problem
from xgen.errors import LimitError, Position
from xgen.lowering.accesses import classes_of
from xgen.lowering.analysis.value_sets import accessed_cells
from xgen.lowering.code import NO_DEPENDENCY, Code, EventClass, Instruction, Rmw
from xgen.memory.algebra import Term
from xgen.memory.ready import facts
from xgen.memory.statics.strategy import Strategy, choose_strategy
from xgen.program import automaton as xcfa
from xgen.records import dataclass, replace

_CONDITIONAL = (RmwKind.CAS, RmwKind.ADD_UNLESS, RmwKind.LOCK)
"""Updates of which it depends on what they read whether they write."""
_FAILED = frozenset({"failed", "relaxed", "release"})
_SHOWN = "arm8"
"""The model for which that was shown."""
_SKIPPED = xcfa.Name("skipped")
"""The local that is 1 where a compare-exchange has not written, though it might have."""
_UNSKIPPED = xcfa.Binary("=", _SKIPPED, xcfa.IntLiteral(0))


def in_order(problem: Problem, options: Options) -> tuple[Problem, ...]:
    """The problem of the executions without load buffering, where it is found out whether there are others; else
    nothing. Before it, perhaps, a larger one that only shows whether there are: its executions do not count."""
    asked = options.in_order and options.filter == "in-situ"
    other = options.like or options.stream or options.stale or options.liveness or options.calls or problem.classes
    if not asked or other or not problem.strategy.ahead or not facts(problem.asked).buffering:
        return ()
    from xgen.memory.statics.in_order import is_shown  # long to import

    unasked = _unasked(problem) if is_shown(problem.asked) else None
    if unasked is None or (unasked and options.graphs is not None):
        return ()
    made = choose_strategy(problem.model, updates=True, exclusives=False, in_order=True)
    if made.at_end:
        return ()
    strategy = Strategy(False, {}, problem.strategy.holds, problem.strategy.coherent)
    problems = [problem]
    if unasked:
        if (tried := _larger(problem, unasked)) is None:
            return ()
        problems.insert(0, tried)
    return tuple(replace(each, strategy=strategy, in_order=True) for each in problems)


def order_of(problem: Problem) -> tuple[Term, ...]:
    """What the exploration of such a problem has to know of the model."""
    if not problem.in_order:
        return ()
    from xgen.memory.statics.in_order import order_of_threads  # long to import

    return order_of_threads(problem.model, problem.asked.name)


def _unasked(problem: Problem) -> list[int] | None:
    """Where the dependencies of what threads write say which way they go: the updates of which that is not so, but
    which are in order if they have written. Else None."""
    code = problem.code
    if code.parts is not None or any(thread.block >= 0 for thread in code.threads):
        return None
    if any("bar" in kind.tags for kind in code.classes):
        return None
    unasked = []
    for pc, i in enumerate(code.instructions):
        if i.op in (Op.PREDICT, Op.LEAVE, Op.LOADX, Op.STOREX, Op.GATHER):
            return None
        if (i.op is Op.JZ and i.b) or (i.op is Op.ASSUME and i.c):
            return None
        if i.op is Op.RMW and code.rmws[i.c].kind in _CONDITIONAL and not _is_decided(problem, pc, code.rmws[i.c]):
            if code.rmws[i.c].pair or not _is_ordered_if_written(problem, pc, code.rmws[i.c]):
                return None
            again = _again(problem, pc)
            if again is None or not _is_seen_later(code, pc, again):
                unasked.append(pc)
    return unasked


def _is_decided(problem: Problem, pc: int, rmw: Rmw) -> bool:
    """Whether what makes an update write comes before all that follows it in its thread."""
    from xgen.memory.statics.in_order import is_full, orders_all_after  # long to import

    code = problem.code
    if rmw.picks:  # what it compares may come after all that follows
        return False
    kinds = {code.classes[rmw.read_class], code.classes[rmw.failed_class]}
    if rmw.expected < 0 and all(orders_all_after(problem.model, problem.asked.name, kind) for kind in kinds):
        return True
    full = frozenset(n for n, c in enumerate(code.classes) if is_full(problem.model, problem.asked.name, c))
    return _is_asked(code, pc, rmw, full)


def _is_asked(code: Code, pc: int, rmw: Rmw, full: frozenset[int]) -> bool:
    """Whether each way from an update leads through a branch by what it has read and compared, or where that is a
    constant a `full` fence, before any other event."""
    dst = code.instructions[pc].dst
    read, compared = frozenset({dst} if dst >= 0 else ()), frozenset({rmw.expected} if rmw.expected >= 0 else ())
    seen = set()
    left = [(pc + 1, read, compared)]
    while left:
        state = left.pop()
        if state in seen:
            continue
        seen.add(state)
        at, read, compared = state
        i = code.instructions[at]
        operands, writes, kind = OPERATIONS[i.op]
        if i.op in (Op.JZ, Op.ASSUME) and i.a in read and (rmw.expected < 0 or i.a in compared):
            continue
        if i.op is Op.FENCE and i.c in full and rmw.expected < 0:
            continue
        if kind is OpKind.EVENT or i.op is Op.HAVOC:
            return False
        if kind is OpKind.END:
            continue
        if writes:
            used = {getattr(i, name) for name in operands}
            read = read | {i.dst} if used & read else read - {i.dst}
            compared = compared | {i.dst} if used & compared else compared - {i.dst}
        if i.op is Op.CHOOSE:
            left += [(target, read, compared) for target in code.targets[i.c]]
            continue
        if kind is OpKind.JUMP or i.op is Op.JZ:
            left.append((i.c, read, compared))
        if kind is not OpKind.JUMP:
            left.append((at + 1, read, compared))
    return True


def _is_ordered_if_written(problem: Problem, pc: int, rmw: Rmw) -> bool:
    """Whether the write of a compare-exchange comes, if there is one, before all that follows it in its thread but
    stores: there is an acquire or a full fence before anything else, which comes after what the write is."""
    from xgen.memory.statics.in_order import is_full, is_ordered, orders_all_after  # long to import

    code, asked = problem.code, problem.asked.name
    if asked != _SHOWN or rmw.kind is not RmwKind.CAS or rmw.picks:
        return False
    read, failed, write = (code.classes[n] for n in (rmw.read_class, rmw.failed_class, rmw.write_class))
    if not failed.tags <= _FAILED or "noret" in read.tags:  # a read that fails orders no more than one that does not
        return False

    def ends(kind: EventClass) -> bool:
        if kind.kind == "F":
            return is_full(problem.model, asked, kind)
        return is_ordered(problem.model, asked, write, kind) and orders_all_after(problem.model, asked, kind)

    known = {number: ends(kind) for number, kind in enumerate(code.classes) if kind.kind in ("R", "F")}
    seen, left = set[int](), [pc + 1]
    while left:
        at = left.pop()
        if at in seen:
            continue
        seen.add(at)
        i = code.instructions[at]
        if i.op in (Op.LOAD, Op.FENCE, Op.RMW) and all(known[number] for number in _reads(code, i)):
            continue
        if (OPERATIONS[i.op][2] is OpKind.EVENT and i.op not in (Op.STORE, Op.OBJECT)) or i.op is Op.HAVOC:
            return False
        left += code.successors(at)
    return True


def _reads(code: Code, i: Instruction) -> tuple[int, ...]:
    """The classes of what a load, an update or a fence is, if it does not write."""
    return (code.rmws[i.c].read_class, code.rmws[i.c].failed_class) if i.op is Op.RMW else (i.c,)


@dataclass(frozen=True)
class _Again:
    """Where a thread reads the cell of a compare-exchange again, by an acquire.

    acquires  the instructions at which it does; it has not written to the cell meanwhile
    passed    the accesses and fences on the way there
    writes    those of them that are no reads and no fences
    """

    acquires: frozenset[int]
    passed: frozenset[int]
    writes: frozenset[int]


def _again(problem: Problem, pc: int) -> _Again | None:
    """Where a thread acquires the cell of the compare-exchange at `pc` again, if it does not end; None where it may do
    more before, or write to that cell."""
    from xgen.memory.statics.in_order import orders_all_after  # long to import

    code, asked = problem.code, problem.asked.name
    accessed = accessed_cells(code)
    cell = accessed[pc]
    if cell is None or len(cell) != 1:
        return None
    acquires, passed, writes = set[int](), set[int](), set[int]()
    seen, left = set[int](), [pc + 1]
    while left:
        at = left.pop()
        if at in seen:
            continue
        seen.add(at)
        i, cells = code.instructions[at], accessed[at]
        reads = _reads(code, i) if i.op in (Op.LOAD, Op.RMW) else ()
        if reads and cells == cell and all(orders_all_after(problem.model, asked, code.classes[n]) for n in reads):
            acquires.add(at)
            continue
        if i.op in (Op.STORE, Op.RMW) and (cells is None or cells & cell):
            return None
        if i.op in (Op.LOAD, Op.STORE, Op.RMW, Op.FENCE, Op.OBJECT):
            passed.add(at)
            if i.op not in (Op.LOAD, Op.FENCE):
                writes.add(at)
        elif OPERATIONS[i.op][2] is OpKind.EVENT or i.op is Op.HAVOC:
            return None
        left += code.successors(at)
    return _Again(frozenset(acquires), frozenset(passed), frozenset(writes))


def _is_seen_later(code: Code, pc: int, again: _Again) -> bool:
    """Whether no other thread sees what a thread writes behind the compare-exchange at `pc`, before the thread has read
    that cell again."""
    if any(code.instructions[at].op is Op.RMW for at in again.writes):
        return False
    if not again.writes:
        return True
    if any(pc in code.after(at) for at in again.acquires):  # it has been there before
        return False
    instructions = list(code.instructions)
    for at in again.acquires:
        instructions[at] = Instruction(Op.END)
    accessed = accessed_cells(replace(code, instructions=tuple(instructions)))
    written = frozenset[int]()
    for at in again.writes:
        if (cells := accessed[at]) is None:
            return False
        written |= cells
    first, last = next(each for each in code.ranges if each[0] <= pc < each[1])
    others = [*accessed[:first], *accessed[last:]]
    return all(cells is not None and not cells & written for cells in others)


def _larger(given: Problem, unasked: Collection[int]) -> Problem | None:
    """The problem in which the compare-exchanges at these instructions may read and not write; None where it cannot be
    made."""
    places = frozenset(given.code.sites[pc].position for pc in unasked)
    made = _Splitting(places, _ends(given, places))
    program = replace(given.program, processes=tuple(map(made.process, given.program.processes)))
    try:
        tried = problem(program, given.asked, given.observed, given.reference, False, given.private, given.parts)
    except LimitError:
        return None
    assumed = _assumed(tried.code, made.assumed, made.loads)
    return None if assumed is None else replace(tried, code=assumed)


def _ends(given: Problem, places: frozenset[Position]) -> frozenset[Position]:
    """Where no thread comes behind one of the compare-exchanges at these places that has not written, though it might
    have; none, if that is not so of one of them."""
    code = given.code
    own = [pc for pc, i in enumerate(code.instructions) if i.op is Op.RMW and code.sites[pc].position in places]
    found = [_again(given, pc) for pc in own]
    again = [each for each in found if each is not None]
    ends = frozenset(code.sites[pc].position for each in again for pc in each.acquires)
    passed = frozenset(code.sites[pc].position for each in again for pc in each.passed)
    return ends if len(again) == len(found) and not ends & (passed | places) else frozenset()


def _assumed(code: Code, assumed: Collection[xcfa.Assume], loads: dict[xcfa.Load, EventClass]) -> Code | None:
    """The code in which no dependency comes of what was put in; None where it is not as it should be."""
    instructions = list(code.instructions)
    found = set[object]()
    for pc, (i, site) in enumerate(zip(code.instructions, code.sites, strict=True)):
        part = site.part
        if i.op is Op.ASSUME and isinstance(part, xcfa.Assume) and part in assumed:
            if part.condition == _UNSKIPPED and not _reads_next(code, pc + 1):
                return None
            instructions[pc] = replace(i, c=NO_DEPENDENCY)
            found.add(part)
        if i.op is Op.LOAD and isinstance(part, xcfa.Load) and part in loads:
            if code.classes[i.c] != loads[part]:
                return None
            found.add(part)
    return replace(code, instructions=tuple(instructions)) if found == {*assumed, *loads} else None


def _reads_next(code: Code, pc: int) -> bool:
    """Whether a read is the first event from an instruction on, and no way leads elsewhere."""
    while OPERATIONS[code.instructions[pc].op][2] is OpKind.COMPUTE:
        pc += 1
    return code.instructions[pc].op in (Op.LOAD, Op.RMW)


@dataclass(eq=False)
class _Splitting:
    """Edges with these compare-exchanges are split: one of two edges has it, the other one the read that it would be
    if it had failed. Who has taken that one comes no further than to the `ends`."""

    places: frozenset[Position]
    ends: frozenset[Position]

    def __post_init__(self) -> None:
        self.assumed = set[xcfa.Assume]()
        self.loads: dict[xcfa.Load, EventClass] = {}
        self.locations: list[xcfa.Location] = []
        self.locals: list[xcfa.Variable] = []
        self.number = 0

    def process(self, process: xcfa.Process) -> xcfa.Process:
        procedures = tuple(map(self.procedure, process.procedures))
        whole = self.procedure(xcfa.Procedure("", True, (), process.variables, process.locations, process.edges))
        return replace(
            process,
            procedures=procedures,
            variables=whole.variables,
            locations=whole.locations,
            edges=whole.edges,
        )

    def procedure(self, procedure: xcfa.Procedure) -> xcfa.Procedure:
        self.locations, self.locals = [], []
        if self.ends:
            self.locals.append(xcfa.Variable(_SKIPPED.name, xcfa.Type("int"), shown=False))
        edges = self.edges(procedure.edges)
        return replace(
            procedure,
            variables=(*procedure.variables, *self.locals),
            locations=(*procedure.locations, *self.locations),
            edges=edges,
        )

    def edges(self, edges: tuple[xcfa.Edge, ...]) -> tuple[xcfa.Edge, ...]:
        return tuple(made for edge in edges for made in self.split(edge))

    def split(self, edge: xcfa.Edge) -> Iterator[xcfa.Edge]:
        done = 0
        source = edge.source
        edge = replace(edge, statements=tuple(self.ended(edge.statements)))
        for place, statement in enumerate(edge.statements):
            if not isinstance(statement, xcfa.Rmw) or statement.op != "cas" or statement.position not in self.places:
                continue
            before, behind = self.location(), self.location()
            yield replace(edge, source=source, target=before, statements=edge.statements[done:place])
            yield xcfa.Edge(before, behind, (statement,), edge.position)
            yield xcfa.Edge(before, behind, self.failing(statement), edge.position)
            source, done = behind, place + 1
        yield edge if done == 0 else replace(edge, source=source, statements=edge.statements[done:])

    def failing(self, statement: xcfa.Rmw) -> tuple[xcfa.Statement, ...]:
        """The read of one that fails though it finds what it expects."""
        position = statement.position
        local = xcfa.Name(f"tried {self.number}", position)
        self.number += 1
        self.locals.append(xcfa.Variable(local.name, xcfa.Type("int"), position=position, shown=False))
        kind = classes_of(statement)[2]
        order, *tags = sorted(kind.tags)
        load = xcfa.Load(local, statement.place, False, order, position, tuple(tags))
        assumed = xcfa.Assume(xcfa.Binary("=", local, statement.arguments[0], position), position)
        self.loads[load] = kind
        self.assumed.add(assumed)
        found = () if statement.target is None else (xcfa.Assign(statement.target, local, position),)
        skipped = (xcfa.Assign(_SKIPPED, xcfa.IntLiteral(1), position),) if self.ends else ()
        return load, assumed, *found, *skipped

    def ended(self, statements: Iterable[xcfa.Statement]) -> Iterator[xcfa.Statement]:
        """What a thread does, if it comes no further than to the ends where it has not written."""
        for statement in statements:
            if isinstance(statement, (xcfa.Load, xcfa.Rmw)) and statement.position in self.ends:
                end = xcfa.Assume(_UNSKIPPED, statement.position)
                self.assumed.add(end)
                yield end
            yield statement

    def location(self) -> xcfa.Name:
        name = f"tried {self.number}"
        self.number += 1
        self.locations.append(xcfa.Location(name))
        return xcfa.Name(name)
