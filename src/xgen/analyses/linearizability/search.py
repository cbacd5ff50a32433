"""Whether an object is right: every client within bounds is explored, and what its calls return is explained or not."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import product
from pathlib import Path
from typing import Literal

from xgen.analyses.check.check import check
from xgen.analyses.check.question import Question
from xgen.analyses.check.result import result_of
from xgen.analyses.linearizability.clients import Bounds, Client, Slot, clients, with_rest
from xgen.analyses.linearizability.forecast import forecast
from xgen.analyses.linearizability.handshakes import Order, Possible, Told, Under
from xgen.analyses.linearizability.names import Names, alike, exchanges, keeps
from xgen.analyses.linearizability.orders import Before, Failures, Judge, Steps, closed, explain
from xgen.analyses.linearizability.programs import NONE, Asked, Structure, text_of
from xgen.analyses.linearizability.reasons import Reason, reason
from xgen.analyses.linearizability.specifications import Specification
from xgen.clock import Clock, OutOfTime
from xgen.engine.graphs.found import found_by
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run, executions
from xgen.engine.problem import problem
from xgen.errors import InternalError, LimitError, UsageError
from xgen.executions.execution import Execution, Violation
from xgen.memory.algebra import Model
from xgen.program.automaton import Program
from xgen.records import dataclass, replace

Verdict = Literal["linearizable", "not-linearizable", "violation", "interrupted"]
WAITING = Options(None, all_states=True, liveness=True, trace_limit=256, stream=True)
"""How executions are looked for in which calls wait for ever: all of them."""
FOR_NO_REASON = "note: calls that wait for ever are looked for among executions in which nothing fails for no reason"
MANY, GRAPHS = 6, 1_000_000
"""Clients with more calls are asked about by what the specification allows first, each time up to so many graphs."""
FEW, LESS = 4, 100_000
"""The same where threads make the same calls: for so few orders of calls, each up to so many graphs; all executions are
explored soon then, since of those that differ by names one is enough."""
NOTES = 5
"""Warnings about clients that are kept: they say much the same."""


@dataclass(frozen=True)
class Wrong:
    """What is wrong, and in which client.

    `history`: what the calls returned that did. `orders`: the client's own, by handshakes. `waiting`: calls that wait
    for ever, and may not. `reason` is None of a violation, and of calls that wait.
    """

    client: Client
    number: int
    history: Mapping[Slot, int]
    orders: Order
    waiting: tuple[Slot, ...]
    reason: Reason | None
    violation: Violation | None
    c: str
    structure: Structure
    witness: Execution | None
    weaker: Failures | None = None

    def text(self, folder: Path = Path()) -> str:
        """The client as a file in a folder."""
        return self.structure.whole(self.c, folder)


@dataclass
class Linearizability:
    """The answer, and what it rests on.

    verdict     "linearizable", "not-linearizable": some results no order explains; "violation": an error that needs no
                specification (a data race, a bad address, an assertion); "interrupted": no answer
    clients     that were explored to their end; sizes: the number of calls of which all clients were
    executions  complete ones, histories: different results, orders: sets of handshakes that were asked about; of what
                differs by the names of threads that make the same calls, often one is counted only
    stopped     why it has no answer: "timeout", "interrupt", "nothing ends" (no execution of a client comes to an end)
    apart       each call had a thread of its own, but for those of `together`; only: one client was asked for;
                fills: there are puts that can be made before
    cut         loops were cut by a bound, and what is behind it was not seen
    wrong       what is wrong, if anything is
    map         what the text is compiled for; "none": it is taken as it stands
    silent      clients of which no execution comes to an end, and in none all wait for ever
    waiting     those of which the specification says that none does
    """

    program: str
    model: str
    specification: str
    calls: int
    before: int
    failures: Failures
    apart: bool = True
    together: tuple[frozenset[str], ...] = ()
    only: bool = False
    fills: bool = False
    verdict: Verdict = "linearizable"
    clients: int = 0
    sizes: int = 0
    executions: int = 0
    histories: int = 0
    orders: int = 0
    stopped: Literal["timeout", "interrupt", "nothing ends"] | None = None
    cut: bool = False
    silent: int = 0
    waiting: list[Client] = field(default_factory=list)
    wrong: Wrong | None = None
    structure: Structure | None = None
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    map: str | None = None


@dataclass(frozen=True)
class Search:
    """What is searched: `only` are the threads of the one client that is asked for."""

    structure: Structure
    specification: Specification
    model: Model
    bounds: Bounds
    judge: Callable[[Client, Failures], Judge]
    failures: Failures
    busy: bool
    possible: Possible
    clock: Clock
    only: tuple[tuple[tuple[str, int], ...], ...] | None = None
    on_progress: Callable[[str], None] | None = None

    def run(self, answer: Linearizability) -> None:
        """Fills in the answer, client by client. Raises OutOfTime and KeyboardInterrupt."""
        for client in self._clients():
            size = sum(map(len, client.threads))
            answer.sizes = max(answer.sizes, size - 1 if self.only is None else 0)
            if self.on_progress is not None:
                self.on_progress(f"{size} calls, client {answer.clients + 1}, {answer.executions:,} executions")
            answer.wrong = self._explored(client, answer)
            answer.clients += 1
            if answer.wrong is not None:
                answer.verdict = "violation" if answer.wrong.violation is not None else "not-linearizable"
                return
        answer.sizes = self.bounds.calls
        if answer.waiting:
            answer.notes.append(_waiting(answer.waiting))
        if answer.silent or len(answer.waiting) == answer.clients:
            answer.verdict, answer.stopped = "interrupted", "nothing ends"

    def _clients(self) -> Iterator[Client]:
        if self.only is not None:
            return with_rest(self.only, self.structure.interface, self.bounds)
        return clients(self.structure.interface, self.bounds)

    def _explored(self, client: Client, answer: Linearizability) -> Wrong | None:
        """What is wrong with a client; None: nothing."""
        number = answer.clients + 1
        by_names = self._goes_by_names(client)
        foreseen: list[Wrong] = []

        def enough() -> bool:
            wrong = self._foreseen(client, number, answer, by_names)
            foreseen.extend([] if wrong is None else [wrong])
            return wrong is not None

        text = text_of(self.structure, client)
        explored = self.possible.explored(client, by_names, enough)
        if explored is None:
            return foreseen[0]
        result = explored.result
        if result.verdict == "violation":
            assert result.witness is not None
            violation = result.witness.violations[0]
            found = self.structure.returned(client, result.witness.state)
            return Wrong(client, number, found, (), (), None, violation, text, self.structure, result.witness)
        answer.executions += result.executions
        answer.cut |= result.cut
        line = {slot: number for number, slot in enumerate(client.calls)}
        told = [dict(sorted(each, key=lambda call: line[call[0]])) for each in explored.told]
        told.sort(key=lambda history: [history.get(slot, NONE) for slot in client.calls])
        answer.histories += len(told)
        for note in result.warnings:
            if not note.startswith("note: ") and note not in answer.notes and len(answer.notes) < NOTES:
                answer.notes.append(note)
        if not told and not result.stuck:
            if result.cut or self._comes_to_its_end(client):
                answer.silent += 1
            else:
                answer.waiting.append(client)
            return None
        steps = self.specification.steps(client, self.failures != "exact" or self.busy or bool(result.stuck))
        plain = closed(client.order, client.calls)
        assert plain is not None
        for history in told:
            if explain(history, steps, _only(plain, history), self.judge(client, self.failures)) is None:
                return self._shown(client, number, history, (), steps)
        if result.stuck:
            wrong = self._stuck(client, number, text, steps, plain, answer)
            if wrong is not None:
                return wrong
        return self._under_orders(client, number, told, steps, explored.under, answer)

    def _comes_to_its_end(self, client: Client) -> bool:
        """Whether there is an order in which all calls return, one after the other."""
        steps, before = self.specification.steps(client, False), closed(client.order, client.calls)
        assert before is not None
        todo: list[tuple[frozenset[Slot], Hashable]] = [(frozenset(), steps.start)]
        seen = set(todo)
        while todo:
            made, state = todo.pop()
            if len(made) == len(client.calls):
                return True
            for slot in client.calls:
                if slot in made or not before[slot] <= made:
                    continue
                more = {(made | {slot}, after) for _, after in steps.step(slot, state)} - seen
                seen |= more
                todo += more
        return False

    def _foreseen(self, client: Client, number: int, answer: Linearizability, by_names: bool) -> Wrong | None:
        """What is wrong with a client of many calls, if executions show it that go with flags of the client.

        `by_names`: of executions that differ by names, one is going to be explored.
        """
        if len(client.parallel) <= MANY or self.failures != "exact" or self.busy:
            return None
        structure = self.structure
        steps, judge = self.specification.steps(client, False), self.judge(client, self.failures)
        puts = {operation.name for operation in structure.interface.of("put")}
        orders, graphs = (FEW, LESS) if by_names else (None, GRAPHS)
        for history, order in forecast(client, steps, judge, structure.empty, puts, self.clock.over, orders):
            if self.clock.over():
                raise OutOfTime
            answer.orders += 1
            text = text_of(structure, client, Asked(order, {slot: history.get(slot, NONE) for slot in client.calls}))
            witness = self._soon(structure.program(text), graphs)
            if witness is None:
                continue
            told, violation = structure.returned(client, witness.state), witness.violations[0]
            if told == history and violation.kind == "assertion":
                return self._shown(client, number, history, order, steps)
            return Wrong(client, number, told, order, (), None, violation, text, structure, witness)
        return None

    def _soon(self, program: Program, graphs: int) -> Execution | None:
        """An execution with a violation, if one is found among so many graphs."""
        asked, question = problem(program, self.model), Question(classes="off")
        run = Run(asked, replace(question.options(self.clock.left(0.01)), graphs=graphs))
        try:
            run.finish()
        except LimitError:  # the check of the whole client says so
            return None
        if run.stopped == "interrupt":
            raise KeyboardInterrupt
        return result_of(asked, run.options, found_by(run), run.seconds).witness

    def _under_orders(
        self,
        client: Client,
        number: int,
        told: list[dict[Slot, int]],
        steps: Steps,
        under: Under,
        answer: Linearizability,
    ) -> Wrong | None:
        """Whether the client can see to an order of calls in which a history is wrong. Of histories that differ by
        names only, one is looked at, unless more has to be asked of it than what is seen at once."""
        names = [names for names in self._exchanges(client) if self._keeps(names, client, steps)]
        known: set[Told] = set()
        for history in told:
            key = frozenset(history.items())
            if key in known:
                continue
            order, sure = self._refuted(client, history, steps, under, answer)
            if order is not None:
                return self._shown(client, number, history, order, steps)
            if sure:
                known |= alike(key, names, under)
        return None

    def _goes_by_names(self, client: Client) -> bool:
        """Whether calls do one after the other what they did if threads that make the same calls are exchanged."""
        found = list(self._exchanges(client))
        if not found:
            return False
        try:
            steps = self.specification.steps(client, self.failures != "exact" or self.busy)
        except (UsageError, LimitError):  # that is for later: the client may go wrong by itself
            return False
        return all(self._keeps(names, client, steps) for names in found)

    def _exchanges(self, client: Client) -> Iterator[Names]:
        puts = {operation.name for operation in self.structure.interface.of("put")}
        return exchanges(client, puts)

    def _keeps(self, names: Names, client: Client, steps: Steps) -> bool:
        return keeps(names, client, steps, self.failures != "exact" or self.busy)

    def _refuted(
        self, client: Client, history: dict[Slot, int], steps: Steps, under: Under, answer: Linearizability
    ) -> tuple[Order | None, bool]:
        """An order in which a history is wrong, by flags that an execution goes with: explanations are refuted one by
        one, as long as an execution is left. None: there is none; whether that was seen at once of all orders."""
        judge, key = self.judge(client, self.failures), frozenset(history.items())
        start = closed(client.order, client.calls)
        assert start is not None
        asked: set[frozenset[tuple[Slot, Slot]]] = {frozenset()}
        seen: set[tuple[frozenset[Slot], ...]] = set()
        plain: list[dict[Slot, int]] = []  # explanations that were found: where each call is
        none: frozenset[tuple[Slot, Slot]] = frozenset()
        todo: list[tuple[Order, Before, frozenset[tuple[Slot, Slot]]]] = [((), start, none)]
        sure = True
        while todo:
            order, before, refused = todo.pop()  # what cannot be added to an order cannot be to a longer one
            before = _with_last(before, order)
            if (shape := tuple(before.values())) in seen:
                continue
            seen.add(shape)
            answer.orders += bool(order)
            slot = next((slot for slot in plain if all(slot[a] < slot[b] for a, b in order)), None)
            if slot is None:
                found = explain(history, steps, _only(before, history), judge)
                if found is None:
                    if under(order, key):
                        return order, True
                    sure = False
                    continue
                slot = {call: n for n, call in enumerate(found.order)} if found.plain else {}
                plain += [slot] if slot else []
            more: list[Order] = []
            for a, b in product(client.parallel, client.parallel):
                if a[0] == b[0] or a in before[b] or b in before[a] or (a, b) in refused:
                    continue
                longer = (*order, (a, b))
                if (slot and slot[a] < slot[b]) or (pairs := frozenset(longer)) in asked:
                    continue
                asked.add(pairs)
                if under.may(longer, key):
                    more.append(longer)
                else:
                    refused |= {(a, b)}
            todo += [(longer, before, refused) for longer in more]
        return None, sure

    def _stuck(
        self, client: Client, number: int, text: str, steps: Steps, before: Before, answer: Linearizability
    ) -> Wrong | None:
        """Whether calls wait for ever that may not: what returned has no order after which all the others wait.

        What fails for no reason might do so each time, and would be taken for a wait: that is left out here.
        """
        structure, seen = self.structure.dutiful(), set()
        if structure != self.structure and FOR_NO_REASON not in answer.notes:
            answer.notes.append(FOR_NO_REASON)
        for execution in executions(problem(structure.program(text), self.model), WAITING):
            if self.clock.over():
                raise OutOfTime
            if not any(violation.kind in ("await", "deadlock") for violation in execution.violations):
                continue
            history = self.structure.returned(client, execution.state)
            if frozenset(history.items()) in seen:
                continue
            seen.add(frozenset(history.items()))
            waiting = _pending(client, history)

            def all_wait(state: Hashable, waiting: tuple[Slot, ...] = waiting) -> bool:
                return not any(steps.step(slot, state) for slot in waiting)

            judge = self.judge(client, self.failures)
            if explain(history, steps, _only(before, history), judge, all_wait) is None:
                return Wrong(client, number, history, (), waiting, None, None, text, self.structure, execution)
        return None

    def _shown(self, client: Client, number: int, history: dict[Slot, int], order: Order, steps: Steps) -> Wrong:
        """A history that nothing explains, with the execution that an assertion in the client shows."""
        wanted = {slot: history.get(slot, NONE) for slot in client.calls}
        text = text_of(self.structure, client, Asked(order, wanted))
        result = check(self.structure.program(text), self.model, classes="off", timeout=self.clock.left(1.0))
        if result.verdict != "violation" and not result.stopped:
            raise InternalError(f"a history of the client {client} is not seen when it is asserted")
        before = closed([*client.order, *order], client.calls)
        assert before is not None
        puts = {o.name for o in self.structure.interface.of("put")}
        why = reason(client, history, steps, _only(before, history), self.judge(client, self.failures), puts)
        wrong = Wrong(client, number, history, order, (), why, None, text, self.structure, result.witness)
        return replace(wrong, weaker=self._weaker(client, history, before))

    def _weaker(self, client: Client, history: dict[Slot, int], before: Before) -> Failures | None:
        """The weakest mode but one that accepts this history, if any does."""
        modes: tuple[Failures, ...] = ("exact", "stale", "contended")
        for failures in modes[modes.index(self.failures) + 1 :]:
            steps = self.specification.steps(client, True)
            if explain(history, steps, _only(before, history), self.judge(client, failures)) is not None:
                return failures
        return None


def _waiting(clients: Sequence[Client]) -> str:
    first = f"`{clients[0]}`" + ("," if len(clients) > 1 else "")
    count = "the client" if len(clients) == 1 else f"{len(clients)} clients, the first of which is"
    return f"note: no execution of {count} {first} comes to its end: in the specification they wait, too"


def _with_last(before: Before, order: Order) -> Before:
    """What comes before what, once the last pair of an order is added, of which neither came before the other."""
    if not order:
        return before
    a, b = order[-1]
    sooner = before[a] | {a}
    return {call: own | sooner if call == b or b in own else own for call, own in before.items()}


def _only(before: Before, history: Mapping[Slot, int]) -> Before:
    """What comes before the calls of a history, of these."""
    return {slot: before[slot].intersection(history) for slot in history}


def _pending(client: Client, history: Mapping[Slot, int]) -> tuple[Slot, ...]:
    """The first call of each thread that has not returned."""
    first: dict[int, Slot] = {}
    for slot in client.calls:
        if slot not in history:
            first.setdefault(slot[0], slot)
    pending = [slot for slot in first.values() if slot[0] >= 0]
    return tuple(pending) if pending else tuple(first.values())
