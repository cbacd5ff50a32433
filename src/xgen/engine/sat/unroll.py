"""Runs each thread once, with all its ways at a time: where ways meet, they are one again, and loops are unrolled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xgen._core import OPERATIONS, Op, OpKind
from xgen.engine.sat.accesses import Accesses
from xgen.engine.sat.dependencies.taint import Taint, Way, joined, lost, picked
from xgen.engine.sat.dependencies.trail import choosable
from xgen.engine.sat.events import Place, State, Step, Value, refused
from xgen.engine.sat.gates import FALSE, TRUE, Literal
from xgen.engine.sat.numbers import Numbers, constant, value_of
from xgen.errors import InternalError
from xgen.lowering.analysis.layout import Layout, layout
from xgen.lowering.analysis.liveness import live_registers
from xgen.lowering.code import Code, Instruction
from xgen.records import replace

States = dict[int, list[State]]
"""Threads by the place of the instruction that they are at."""

MOST_ROUNDS = 1000
"""Rounds of loops of which the last round is known."""


class TooLargeError(Exception):
    """There are more events than were to be."""


class Unroller(Accesses):
    """All threads of a program, run with all their ways at a time.

    `rounds`: those of a loop that may be left in each of them. Raises TooLargeError for more than `most` events.

    steps  what each thread does, in order: the guards of its steps that hold in an execution say which way it goes
    ends   for each thread, whether it comes to its end
    roots  for each thread, whether it is started
    spans_of  for each thread, where its events are
    cuts   where a loop is not unrolled any more
    ways   for each thread, what has decided that it comes to its end
    """

    def __init__(self, code: Code, gates: Numbers, rounds: int, most: int, dependent: bool = False) -> None:
        super().__init__(code, gates, dependent)
        self.rounds, self._most = rounds, most
        self.steps: list[Step] = []
        self.roots: list[Literal] = [TRUE] * len(code.threads)
        self.spans_of: dict[int, range] = {}
        self.ways: dict[int, Taint] = {}
        self._ends: list[Literal] = []
        self._ways: list[Taint] = []
        self._layout = Layout((), {}, {})
        self._live: list[frozenset[int]] = []
        for thread in self._order():
            self._run(thread)
        for thread, starts in self.started.items():
            gates.same(self.roots[thread], gates.any(starts))

    def _order(self) -> list[int]:
        """Threads behind those that start them."""
        starters: dict[int, set[int]] = {thread: set() for thread in range(len(self.code.threads))}
        for thread, (first, last) in enumerate(self.code.ranges):
            for i in self.code.instructions[first:last]:
                if i.op is Op.START:
                    starters[i.a].add(thread)
        order: list[int] = []
        while len(order) < len(starters):
            left = [thread for thread in starters if thread not in order]
            order.append(next((t for t in left if starters[t] <= {*order}), left[0]))
        return order

    def _run(self, thread: int) -> None:
        code, gates, self.thread = self.code, self.gates, thread
        own = code.threads[thread]
        first, last = code.ranges[thread]
        if thread in self.started:
            known = gates.any(self.started[thread])
            begun = all(other in self.spans_of for other in self._starters(thread))
            self.roots[thread] = known if begun else gates.new()
        unseen = replace(own, shown=())  # nobody asks what the last values are
        self._live = [frozenset(live) for live in live_registers(code, first, last, unseen)]
        self._layout = layout(own.entry, {pc: code.successors(pc) for pc in range(first, last)})
        self._ends, self._ways = [], []
        before = len(self.events)
        registers = {register: Value(constant(value)) for register, value in enumerate(own.initial)}
        start = {self._layout.place[own.entry]: [State(self.roots[thread], registers)]}
        if self._region(0, last - first - 1, start):
            raise InternalError("a way of a thread leads nowhere")
        self.spans_of[thread] = range(before, len(self.events))
        self.ways[thread] = joined(gates, self._ways)
        gates.same(self.ended[thread], gates.any(self._ends))

    def _starters(self, thread: int) -> Iterable[int]:
        for other, (first, last) in enumerate(self.code.ranges):
            if any(i.op is Op.START and i.a == thread for i in self.code.instructions[first:last]):
                yield other

    # ---- ways

    def _region(self, low: int, high: int, pending: States, looping: int | None = None) -> States:
        """Runs what is from low to high, given who comes there; who leaves it. Both are places of the layout, and so is
        `looping`: the head of the loop that it is, which who comes back to leaves."""
        leaving: States = {}
        order, place, tails = self._layout.order, self._layout.place, self._layout.tails
        at = low
        while at <= high:
            if at in tails and at != looping and self._any(pending, at, tails[at]):
                tail = tails[at]
                entering = {inside: pending.pop(inside) for inside in list(pending) if at <= inside <= tail}
                for to, states in self._loop(at, tail, entering).items():
                    (pending if tail < to <= high else leaving).setdefault(to, []).extend(states)
                at = tail + 1
                continue
            state = self._merged(pending.pop(at, ()), order[at])
            if state is not None:
                for pc, after in self._step(order[at], state):
                    to = place[pc]
                    (pending if at < to <= high else leaving).setdefault(to, []).append(after)
            at += 1
        return leaving

    @staticmethod
    def _any(pending: Mapping[int, list[State]], low: int, high: int) -> bool:
        return any(low <= at <= high and any(s.guard != FALSE for s in states) for at, states in pending.items())

    def _loop(self, head: int, tail: int, entering: States) -> States:
        """Round after round, until nothing comes back to the head or there were enough; who leaves it.

        A round counts if it may be the last one. One that changes no local that matters, and of which nothing is seen
        outside of the thread, is left out: the execution without it is one, too.
        """
        found: States = {}
        counted = 0
        for states in entering.values():
            for state in states:
                state.writes = (*state.writes, FALSE)
        for number in range(MOST_ROUNDS + 1):
            before = self._merged(entering.pop(head, ()), self._layout.order[head])
            if before is None and not self._any(entering, head, tail):
                break
            if before is not None:
                before.writes = (*before.writes[:-1], FALSE)
                if len(self.events) > self._most:
                    raise TooLargeError
                if counted >= self.rounds or number == MOST_ROUNDS:
                    self.cut(before, TRUE, self._layout.order[head])
                    if not self._any(entering, head, tail):
                        break
                else:
                    entering[head] = [before.copy(before.guard)]
            left = self._region(head, tail, entering, head)
            back = left.pop(head, [])
            counted += any(state.guard != FALSE for states in left.values() for state in states) or (
                before is not None and any(state.guard != before.guard for state in back)
            )
            for to, states in left.items():
                for state in states:
                    state.writes = state.writes[:-1]
                found.setdefault(to, []).extend(states)
            entering = {head: [self._moved(state, before, head) for state in back]}
        return found

    def _moved(self, state: State, before: State | None, head: int) -> State:
        """Who comes back to a loop's head, if something has changed since it was there before.

        Where dependencies count, it has to depend on all that it has depended on: else to leave the round out would
        make what follows depend on more.
        """
        if before is None:
            return state
        changed, reservation = [state.writes[-1]], self.code.threads[self.thread].reservation
        for register in self._live[self._layout.order[head] - self.code.ranges[self.thread][0]]:
            now, then = self.get(state, register), self.get(before, register)
            if now.bits != then.bits:
                differs = -self.gates.equal(now.bits, then.bits)
                if register - 1 == reservation >= 0:  # by which load matters where something is reserved
                    differs = self.gates.both(differs, self.gates.nonzero(self.get(state, reservation).bits))
                changed.append(differs)
            changed.append(lost(self.gates, then.taint, now.taint))
        changed.append(lost(self.gates, before.way.control, state.way.control))
        changed.append(lost(self.gates, before.way.all, state.way.all))
        state.guard = self.gates.both(state.guard, self.gates.any(changed))
        return state

    def _merged(self, states: Iterable[State], pc: int) -> State | None:
        """Who comes to an instruction, on whichever way; None: nobody does."""
        coming = [state for state in states if state.guard != FALSE]
        if not coming:
            return None
        gates, found = self.gates, coming[0]
        live = self._live[pc - self.code.ranges[self.thread][0]]
        for state in coming[1:]:
            registers = {}
            for register in live:
                a, b = found.registers.get(register), state.registers.get(register)
                if a is None or b is None:
                    registers[register] = a or b or Value(constant(0))
                else:
                    registers[register] = self.chosen(state.guard, b, a)
            writes = tuple(gates.pick(state.guard, b, a) for a, b in zip(found.writes, state.writes, strict=True))
            control = picked(gates, state.guard, state.way.control, found.way.control)
            way = Way(control, picked(gates, state.guard, state.way.all, found.way.all))
            found = State(gates.either(found.guard, state.guard), registers, writes, way)
        return found

    # ---- instructions

    def _step(self, pc: int, state: State) -> list[tuple[int, State]]:
        """Runs an instruction; where the thread goes then, if it goes on."""
        i, gates = self.code.instructions[pc], self.gates
        if i.op is Op.HAVOC:
            return self._any_number(pc, i, state)
        self.steps.append(Step(self.thread, pc, state.guard))
        self.decided(i, state)
        match OPERATIONS[i.op][2]:
            case OpKind.JUMP:
                return [(i.c, state)]
            case OpKind.COMPUTE:
                self.compute(pc, i, state)
            case OpKind.BRANCH:
                condition = gates.nonzero(self.get(state, i.a).bits)
                other = state.copy(gates.both(state.guard, -condition))
                state.guard = gates.both(state.guard, condition)
                return [(pc + 1, state), (i.c, other)]
            case OpKind.TEST:
                self._test(pc, i, state)
            case OpKind.END:
                self._end(pc, i, state)
                return []
            case OpKind.CHOICE:
                if i.op is not Op.CHOOSE:
                    raise refused(self.code, pc, "barriers" if i.op is Op.GATHER else "predicted values")
                return self._choose(pc, i, state)
            case OpKind.EVENT:
                self.event(pc, i, state)
        return [(pc + 1, state)]

    def _any_number(self, pc: int, i: Instruction, state: State) -> list[tuple[int, State]]:
        low, high = self.get(state, i.a).bits, self.get(state, i.b).bits
        least, most = value_of(low), value_of(high)
        if least is None or most is None:
            raise refused(self.code, pc, "numbers between others that are computed")
        if least > most:  # there is none, and the thread stays there
            self.steps.append(Step(self.thread, pc, state.guard))
            return []
        bits = self.gates.fresh(least, most)
        for inside in (self.gates.less(low, bits, True), self.gates.less(bits, high, True)):
            self.gates.clause(inside)
        self.steps.append(Step(self.thread, pc, state.guard, bits))
        if self.dependent:
            self.goes_by(state, [self.get(state, operand).taint for operand in (i.a, i.b)])
        state.registers[i.dst] = Value(bits)
        return [(pc + 1, state)]

    def _test(self, pc: int, i: Instruction, state: State) -> None:
        if i.op is Op.BOUND:
            self.bound(state, pc, i)
        elif i.op is not Op.LEAVE:
            holds = self.gates.nonzero(self.get(state, i.a).bits)
            if i.op is Op.ASSERT:
                self.fails(state, -holds, "assertion", pc)
            state.guard = self.gates.both(state.guard, holds)

    def _end(self, pc: int, i: Instruction, state: State) -> None:
        gates = self.gates
        if i.op is Op.END:
            self._ends.append(state.guard)
            self._ways.append({event: gates.both(state.guard, own) for event, own in state.way.all.items()})
        elif i.op is Op.FAIL:
            self.fails(state, TRUE, "error-location", pc)
        elif i.op is Op.CUT:
            self.cuts.append(Place(self.thread, pc, state.guard))

    def _choose(self, pc: int, i: Instruction, state: State) -> list[tuple[int, State]]:
        """Any of the edges that no assume disables. Which are enabled decides, for each of them, that it is taken."""
        gates, targets = self.gates, self.code.targets[i.c]
        if self.dependent and not choosable(self.code, pc):
            raise refused(self.code, pc, "choices of several conditions under models that speak of dependencies")
        tried = [self._enabled(to, state) for to in targets]
        enabled = [own for own, _ in tried]
        if self.dependent:
            control = joined(gates, [state.way.control, *(way.control for _, way in tried)])
            state.way = Way(control, joined(gates, [state.way.all, *(way.all for _, way in tried)]))
        chosen, left = [], TRUE
        for number, own in enumerate(enabled):
            others = gates.any(enabled[number + 1 :])
            free = gates.both(own, others)
            take = gates.both(own, -others)
            if free != FALSE:
                take = gates.either(take, gates.both(free, gates.new()))
            chosen.append(gates.both(left, take))
            left = gates.both(left, -take)
        guards = [gates.both(state.guard, each) for each in chosen]
        return [(to, state.copy(guard)) for to, guard in zip(targets, guards, strict=True) if guard != FALSE]

    def _enabled(self, at: int, state: State) -> tuple[Literal, Way]:
        """Whether an edge is enabled, as far as that is seen: no assume fails before an event, a branch or an error;
        and what has decided that."""
        gates, trial, found = self.gates, state.copy(TRUE), TRUE
        kept = len(self.errors)
        while True:
            i = self.code.instructions[at]
            self.decided(i, trial)
            if i.op is Op.ASSUME:
                found = gates.both(found, gates.either(-trial.guard, gates.nonzero(self.get(trial, i.a).bits)))
            elif OPERATIONS[i.op][2] is OpKind.COMPUTE:
                self.compute(at, i, trial)
            elif i.op is Op.JMP and i.c > at:
                at = i.c
                continue
            else:
                break
            at += 1
        del self.errors[kept:]
        return found, trial.way
