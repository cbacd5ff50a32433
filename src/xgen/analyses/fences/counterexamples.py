"""Counterexamples with fences put in: does the model still allow an execution that goes wrong?

What goes wrong in one execution of a program goes wrong in the program with fences too, if the model allows the
execution with these fences in it. What is read from where and the order of writes stay; program order gets longer, and
accesses get stronger orders. That takes a look at one graph, where a check explores many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from xgen import _core
from xgen._core import EventKind, Status
from xgen.analyses.fences.scopes import fence_of, is_store
from xgen.analyses.fences.sites import Access, Piece, Slot, bodies, ordered, statement_at
from xgen.engine.graphs.convert import to_execution
from xgen.engine.problem import Problem
from xgen.executions.execution import INITIAL
from xgen.lowering.accesses import classes_of
from xgen.lowering.code import EventClass
from xgen.memory.algebra import DEPENDENCIES, Op
from xgen.memory.plans.plan import make_plan
from xgen.memory.ready import facts
from xgen.memory.statics.vocabulary import operators
from xgen.program import automaton as xcfa
from xgen.program.automaton import Program, Statement
from xgen.program.uses import expressions
from xgen.records import dataclass, replace

Pair = tuple[int, int]

_UNDONE = (Status.EVENT, Status.CHOICE, Status.CUT)
"""How threads end that could go on."""
_FINE = (*_UNDONE, Status.ENDED, Status.BLOCKED, Status.UNSTARTED)


@dataclass(frozen=True, slots=True)
class Node:
    """An event of a counterexample, as the core takes it; `partner` is an event, by position, or -1."""

    kind: EventKind
    thread: int
    event_class: EventClass
    cell: int = -1
    object: int = -1
    block: int = 0
    rmw: bool = False
    partner: int = -1


@dataclass(frozen=True, slots=True)
class Visit:
    """A statement that a thread passes, with the positions of its first and its last event.

    `roles`: of each of its events, which of the classes it has that `classes_of` gives. `whole`: the thread has gone on
    behind it.
    """

    place: Slot
    first: int
    last: int
    roles: tuple[int, ...]
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Relations:
    """Pairs of positions, from what comes first; `mo` lists the writes of each cell."""

    rf: list[Pair]
    mo: list[list[int]]
    addr: list[Pair]
    data: list[Pair]
    ctrl: list[Pair]

    def moved(self, place: Mapping[int, int] | Sequence[int]) -> Relations:
        """With events elsewhere; `place` has all that are there, or leaves some out."""

        def pairs(old: list[Pair]) -> list[Pair]:
            return [(place[a], place[b]) for a, b in old]

        mo = [[place[n] for n in order] for order in self.mo]
        return Relations(pairs(self.rf), mo, pairs(self.addr), pairs(self.data), pairs(self.ctrl))


class Judge:
    """Says what a model has against graphs of one program, whatever fences and orders are in it."""

    def __init__(self, asked: Problem) -> None:
        self.asked = asked
        self.model = asked.model
        self.at_end = [n for n, constraint in enumerate(self.model.constraints) if not constraint.flag]
        self.classes = {event_class: number for number, event_class in enumerate(asked.code.classes)}
        self.plan = self._plan()
        self.depends = not operators(self.model).isdisjoint(DEPENDENCIES)

    def _plan(self) -> _core.Plan:
        kinds = self.asked.code.dependencies
        return make_plan(self.model, list(self.classes), self.at_end, False, dependencies=True, kinds=kinds)

    def failing(self, nodes: Sequence[Node], relations: Relations, forks: list[Pair]) -> set[int] | None:
        """The constraints and flags that a graph does not satisfy, by number; None for one that is too large."""
        if len(nodes) > _core.LARGEST:
            return None
        new = {node.event_class for node in nodes} - self.classes.keys()
        if new:
            self.classes |= {found: len(self.classes) + n for n, found in enumerate(new)}
            self.plan = self._plan()
        starts: dict[int, int] = {}
        for n, node in enumerate(nodes):
            starts.setdefault(node.thread, n)
        events = [
            (n.kind, n.thread, self.classes[n.event_class], n.cell, n.object, n.block, n.rmw,
             n.partner - starts[n.thread] if n.partner >= 0 else -1, 0)
            for n in nodes
        ]  # fmt: skip
        threads, cells = len(self.asked.code.threads), len(self.asked.code.cells)
        r = relations
        return set(_core.failing(self.plan, threads, cells, events, r.rf, r.mo, r.addr, r.data, r.ctrl, forks))


@dataclass(frozen=True)
class Counterexample:
    """An execution that goes wrong, without the fences and orders that were put into its program.

    program   without them
    visits    what the threads pass
    controls  the positions of events that start or join a thread, with its number
    flags     of which one has to be raised for the execution to go wrong, by number; none: it goes wrong anyway
    unclear   the places of which it does not show whether, or how, a fence there is passed
    """

    judge: Judge
    program: Program
    nodes: tuple[Node, ...]
    relations: Relations
    visits: tuple[Visit, ...]
    controls: Mapping[int, tuple[str, int]]
    flags: frozenset[int]
    unclear: frozenset[Slot]

    def shows(self, pieces: Iterable[Piece]) -> bool:
        """Whether it tells that the program goes wrong with these fences and orders; if not, it may go wrong or not."""
        fences: dict[Slot, list[str]] = {}
        orders: dict[Slot, str] = {}
        for piece in pieces:
            if piece.site.is_gap and is_store(piece.word):
                return False  # its place in the order of such fences is open
            for place in piece.site.places:
                if place in self.unclear:
                    return False
                if piece.site.is_gap:
                    fences.setdefault(place, []).append(piece.word)
                else:
                    orders[place] = piece.word
        failing = self._failing(fences, orders)
        if failing is None or not failing.isdisjoint(self.judge.at_end):
            return False
        return not self.flags or not failing.isdisjoint(self.flags)

    @cached_property
    def _passed(self) -> dict[Slot, list[tuple[int, Visit]]]:
        """Before which event, by position, a fence stands that is put somewhere; and next to which visit."""
        found: dict[Slot, list[tuple[int, Visit]]] = {}
        for visit in self.visits:
            found.setdefault(visit.place, []).append((visit.first, visit))
            if visit.whole:
                found.setdefault(replace(visit.place, after=True), []).append((visit.last + 1, visit))
        return found

    def _failing(self, fences: Mapping[Slot, Sequence[str]], orders: Mapping[Slot, str]) -> set[int] | None:
        nodes = list(self.nodes)
        for place, order in orders.items():
            classes = classes_of(ordered(_access(self.program, place), order))
            for _, visit in self._passed.get(place, ()):
                for n, role in enumerate(visit.roles, visit.first):
                    nodes[n] = replace(nodes[n], event_class=classes[role])
        # Of two fences between the same events, the one behind the first comes first.
        put = sorted(
            (before, not place.after, visit.last if place.after else visit.first, word)
            for place, words in fences.items()
            for before, visit in self._passed.get(place, ())
            for word in words
        )
        new: list[Node] = []
        at: list[int] = []
        alike: dict[int, list[int]] = {}  # the fences that depend on what an event depends on
        for number, node in enumerate((*nodes, None)):
            while put and put[0][0] == number:
                _, _, like, word = put.pop(0)
                alike.setdefault(like, []).append(len(new))
                new.append(Node(EventKind.FENCE, nodes[like].thread, self._fence(word, nodes[like].thread)))
            at.append(len(new))
            if node is not None:
                new.append(node)
        if len(new) > len(nodes):
            new = [node if node.partner < 0 else replace(node, partner=at[node.partner]) for node in new]
        relations = self.relations.moved(at)
        relations.ctrl.extend((at[a], fence) for a, b in self.relations.ctrl for fence in alike.get(b, ()))
        return self.judge.failing(new, relations, list(self._forks(new, at)))

    def _fence(self, word: str, thread: int) -> EventClass:
        statement = fence_of(word, self.program.processes[thread], xcfa.NOWHERE)
        assert isinstance(statement, xcfa.Fence)
        return EventClass("F", frozenset(tag for tag in (statement.tag, *statement.tags) if tag))

    def _forks(self, nodes: Sequence[Node], at: Sequence[int]) -> Iterator[Pair]:
        """Program order between threads: from the start of one to its first event, from its last to its join."""
        if not self.controls:
            return
        ends: dict[int, Pair] = {}
        for n, node in enumerate(nodes):
            ends[node.thread] = (ends.get(node.thread, (n, n))[0], n)
        for n, (op, thread) in self.controls.items():
            if thread in ends:
                yield (at[n], ends[thread][0]) if op == "start" else (ends[thread][1], at[n])


def _access(program: Program, place: Slot) -> Access:
    statement = statement_at(program, place)
    assert isinstance(statement, Access)
    return statement


def counterexample(judge: Judge, asked: Problem, trace: _core.Trace, liveness: bool) -> Counterexample | None:
    """What an execution that goes wrong says of a program, also with other fences and orders than it has.

    `asked` is the problem of which the core found it; the judge's is that of the program without what was put in. None:
    it says nothing that could be seen at the graph alone.
    """
    return _Reader(judge, asked, trace, liveness).read()


class _Reader:
    """Reads a trace: finds the statements that it passes. Events have the positions that they have in it."""

    def __init__(self, judge: Judge, asked: Problem, trace: _core.Trace, liveness: bool) -> None:
        self.judge, self.asked, self.trace, self.liveness = judge, asked, trace, liveness
        self.base = judge.asked.program
        self.events = trace.events
        self.parts = [site.part for site in asked.code.sites]
        self.rmw = set(trace.rmw)
        statuses = [status for status, _ in trace.ends]
        self.fails = any(status not in _FINE for status in statuses)
        self.is_part = self.fails and any(status in _UNDONE for status in statuses)
        self.places: dict[tuple[int, int], Slot] = {}
        self.unclear = set[Slot]()
        for place, statement in _statements(asked.program):
            key = place.process, id(statement)
            if key in self.places or isinstance(statement, xcfa.StoreExclusive):
                for one in (place, self.places.get(key, place)):
                    self.unclear |= {one, replace(one, after=True)}
            self.places.setdefault(key, place)

    def read(self) -> Counterexample | None:
        used = operators(self.asked.model)
        control = Op.CTRL in used
        if not used.isdisjoint((Op.PICK_ADDR, Op.PICK_DATA, Op.PICK_CTRL)) and "pick" in self.asked.code.dependencies:
            return None
        if control and any(isinstance(part, xcfa.Scope) for part in self.parts):
            return None
        flags = self.flags()
        kept = [n for n, event in enumerate(self.events) if not self.is_inserted(event.pc)]
        if flags is None or any(self.place(n) is None for n in kept if self.events[n].thread != INITIAL):
            return None
        new = {old: number for number, old in enumerate(kept)}
        relations = self.relations(new)
        visits = [replace(v, first=new[v.first], last=new[v.last]) for v in self.visits(kept)]
        for thread, (status, pc) in enumerate(self.trace.ends):
            if status in _UNDONE and not self.is_part and (thread, id(self.parts[pc])) in self.places:
                self.unclear.add(self.places[thread, id(self.parts[pc])])
        if control:
            self.unclear |= set(self.of_unclear_control(visits, relations.ctrl))
        nodes = list(self.nodes(kept))
        for visit in visits:
            if isinstance(statement_at(self.base, visit.place), Access):
                classes = classes_of(_access(self.base, visit.place))
                for n, role in enumerate(visit.roles, visit.first):
                    nodes[n] = replace(nodes[n], event_class=classes[role])
        controls = {new[n]: self.control(n) for n in kept if isinstance(self.part(n), xcfa.Control)}
        unclear = frozenset(self.unclear)
        return Counterexample(self.judge, self.base, tuple(nodes), relations, tuple(visits), controls, flags, unclear)

    # ---- what goes wrong

    def flags(self) -> frozenset[int] | None:
        """The flags of which one must be raised; none if it goes wrong anyway; None where that cannot be said."""
        if self.fails:
            # That it can go on from here to a whole execution rests on nothing being checked at the end only.
            return None if self.is_part and self.asked.strategy.at_end else frozenset()
        if self.trace.deadlock or self.is_forbidden():
            return frozenset()
        if self.liveness and self.trace.rounds:
            return frozenset() if facts(self.asked.model).lasting else None
        wrong = {n for n, c in enumerate(self.asked.model.constraints) if c.undefined} | set(self.asked.demanded)
        return frozenset(wrong & set(self.trace.flags)) or None

    def is_forbidden(self) -> bool:
        """Whether the final state is not as required."""
        requirement = self.asked.requirement
        whole = all(status in (Status.ENDED, Status.UNSTARTED) for status, _ in self.trace.ends)
        if requirement is None or not whole:
            return False
        state = to_execution(self.asked, self.trace).state
        return requirement.counts(state) and not requirement.met(state)

    # ---- where it goes

    def part(self, n: int) -> object:
        """The statement that an event is of."""
        return self.parts[self.events[n].pc] if self.events[n].thread != INITIAL else None

    def is_inserted(self, pc: int) -> bool:
        part = self.parts[pc] if pc >= 0 else None
        return isinstance(part, xcfa.Fence) and part.inserted

    def place(self, n: int) -> Slot | None:
        return self.places.get((self.events[n].thread, id(self.part(n))))

    def control(self, n: int) -> tuple[str, int]:
        part = self.part(n)
        assert isinstance(part, xcfa.Control)
        return part.op, [thread.name for thread in self.asked.code.threads].index(part.process.name)

    def visits(self, kept: Sequence[int]) -> Iterator[Visit]:
        """What each thread passes, one after the other."""
        groups: list[list[int]] = []
        for n in kept:
            if self.events[n].thread == INITIAL:
                continue
            if groups and self.goes_on(groups[-1][-1], n):
                groups[-1].append(n)
            else:
                groups.append([n])
        for number, group in enumerate(groups, 1):
            place = self.place(group[0])
            assert place is not None
            last = self.events[group[-1]]
            at_end = number == len(groups) or self.events[groups[number][0]].thread != last.thread
            whole = not at_end or self.is_passed(place, last)
            yield Visit(place, group[0], group[-1], tuple(map(self.role, group)), whole)

    def goes_on(self, n: int, m: int) -> bool:
        """Whether event m is of the same visit of a statement as n, the one before it."""
        one, other = self.events[n], self.events[m]
        if one.thread != other.thread or self.part(n) is not self.part(m):
            return False
        if one.pc == other.pc:
            return (one.slot, other.slot) in self.rmw
        return self.is_one_piece(one.pc, other.pc)

    def is_one_piece(self, first: int, last: int) -> bool:
        """Whether instructions are of one statement, the last one behind the first."""
        return first < last and all(part is self.parts[first] for part in self.parts[first : last + 1])

    def is_passed(self, place: Slot, last: _core.TraceEvent) -> bool:
        """Whether a thread, whose last event this is, is behind its statement; what cannot be said gets unclear."""
        status, pc = self.trace.ends[last.thread]
        if status is Status.ENDED:
            return True
        if status in _UNDONE and self.is_part:
            return False  # it may go on or not
        simple = isinstance(self.parts[last.pc], Access | xcfa.Fence)
        if status in _UNDONE or not simple or (status is not Status.BLOCKED and pc == last.pc):
            self.unclear.add(replace(place, after=True))
            return False
        return status is Status.BLOCKED or not self.is_one_piece(last.pc, pc)

    def role(self, n: int) -> int:
        """Which of the classes of an access an event has."""
        statement = self.part(n)
        if not isinstance(statement, xcfa.Rmw):
            return 0
        return classes_of(statement).index(self.asked.code.classes[self.events[n].event_class])

    # ---- the graph

    def nodes(self, kept: Sequence[int]) -> Iterator[Node]:
        """The events, with the classes that they have."""
        place = {self.events[n].slot: number for number, n in enumerate(kept)}
        pc = {event.slot: event.pc for event in self.events}
        updates = {slot for pair in self.rmw if pc[pair[0]] == pc[pair[1]] for slot in pair}
        partners = {write: place[load] for load, write in self.rmw if pc[load] != pc[write]}
        for n in kept:
            event = self.events[n]
            yield Node(
                event.kind,
                event.thread,
                self.asked.code.classes[event.event_class],
                event.cell,
                event.object,
                event.block,
                event.slot in updates,
                partners.get(event.slot, -1),
            )

    def relations(self, new: Mapping[int, int]) -> Relations:
        """The relations among the events that stay."""
        trace = self.trace
        place = {self.events[old].slot: number for old, number in new.items()}

        def pairs(old: Iterable[Pair]) -> list[Pair]:
            return [(place[a], place[b]) for a, b in old if b in place]

        rf = [(event.rf, event.slot) for event in self.events if event.kind is EventKind.READ]
        mo = [[place[slot] for slot in order] for order in trace.mo]
        return Relations(pairs(rf), mo, pairs(trace.addr), pairs(trace.data), pairs(trace.ctrl))

    def of_unclear_control(self, visits: Sequence[Visit], ctrl: Iterable[Pair]) -> Iterator[Slot]:
        """The places at which a fence may depend on other reads than the event next to it."""
        sources: dict[int, set[int]] = {}
        for a, b in ctrl:
            sources.setdefault(b, set()).add(a)
        for k, visit in enumerate(visits):
            if not _decides(statement_at(self.base, visit.place)):
                continue
            before, behind = (
                visits[n] if 0 <= n < len(visits) and visits[n].place.process == visit.place.process else None
                for n in (k - 1, k + 1)
            )
            if sources.get(visit.first, set()) != (sources.get(before.last, set()) if before else set()):
                yield visit.place
            if behind is None or sources.get(visit.last, set()) != sources.get(behind.first, set()):
                yield replace(visit.place, after=True)


def _statements(program: Program) -> Iterator[tuple[Slot, Statement]]:
    """The statements of a program, with the places that they have without what was put in."""
    for number, process in enumerate(program.processes):
        for procedure, body in bodies(process):
            for e, edge in enumerate(body.edges):
                own = (s for s in edge.statements if not (isinstance(s, xcfa.Fence) and s.inserted))
                for s, statement in enumerate(own):
                    yield Slot(number, procedure, e, s), statement


def _decides(statement: Statement) -> bool:
    """Whether what a statement computes may decide how its thread goes on: an index does not, a divisor may."""
    if not isinstance(statement, Access):
        return not isinstance(statement, xcfa.Fence | xcfa.Control)
    return not all(_is_harmless(part) for value in expressions(statement) for part in xcfa.postorder(value))


def _is_harmless(part: xcfa.Expression) -> bool:
    if isinstance(part, xcfa.Binary | xcfa.Unary):
        return part.op in ("+", "-", "*")
    return isinstance(part, xcfa.IntLiteral | xcfa.BoolLiteral | xcfa.Name | xcfa.AddressOf)
