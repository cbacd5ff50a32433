"""A C file as a specification: its functions are called with a lock around each call, under sc.

Each order of the calls gives the results that are right in this order.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import field

from xgen.analyses.check.check import check
from xgen.analyses.linearizability.clients import Client, Slot
from xgen.analyses.linearizability.programs import Asked, Structure, text_of
from xgen.clock import Clock, OutOfTime
from xgen.errors import LimitError, UsageError
from xgen.executions.result import Result
from xgen.memory.algebra import Model
from xgen.program.automaton import Program
from xgen.records import dataclass, replace

Node = dict[Slot, tuple[int, int]]
"""What each call returns in a state, and the number of the state then."""


@dataclass(frozen=True)
class Sequential:
    """The specification that a C file is. `sc`: the model; `blocking`: gets wait where there is nothing."""

    structure: Structure
    sc: Model
    clock: Clock
    blocking: bool = False
    known: dict[tuple[Client, bool], States] = field(default_factory=dict)

    def steps(self, client: Client, some: bool) -> States:
        """The states of a client. Raises UsageError where the file goes wrong by itself."""
        if some and self.blocking:
            client = replace(client, after=())
        if (client, some) not in self.known:
            self.known.clear()
            self.known[client, some] = self._states(client, some)
        return self.known[client, some]

    def _states(self, client: Client, some: bool) -> States:
        asked = Asked(sequential=True, optional=some)
        program = self.structure.dutiful().program(text_of(self.structure, client, asked))
        result = run(program, self.sc, self.clock)
        file = self.structure.file
        if result.verdict == "violation":
            assert result.witness is not None
            what = result.witness.violations[0].message
            raise UsageError(
                f"the specification goes wrong by itself: {what}", file=file, hint=f"in the client {client}"
            )
        if result.cut:
            raise UsageError(
                "the specification does not come to an end within the bound",
                file=file,
                hint="--unroll N has a larger N",
            )
        return States(client, self._words(client, result), file)

    def _words(self, client: Client, result: Result) -> list[tuple[tuple[Slot, int], ...]]:
        """The orders of calls with what these return."""
        names = {slot: self.structure.name(slot) for slot in client.calls}
        prefix = self.structure.prefix
        found = []
        for outcome in result.outcomes:
            when = {slot: int(outcome.state[f"{prefix}order_{name}"]) for slot, name in names.items()}
            made = sorted((slot for slot in when if when[slot] >= 0), key=lambda slot: when[slot])
            found.append(tuple((slot, int(outcome.state[names[slot]])) for slot in made))
        return found


def run(program: Program, model: Model, clock: Clock) -> Result:
    """All executions, one by one. Raises OutOfTime, KeyboardInterrupt and LimitError."""
    result = ended(check(program, model, classes="off", timeout=clock.left(0.01)))
    if not result.outcomes_complete:
        raise LimitError("a client has more results than are kept", file=result.program)
    return result


def ended(result: Result) -> Result:
    """A result that was not stopped. Raises OutOfTime and KeyboardInterrupt."""
    if result.stopped == "interrupt":
        raise KeyboardInterrupt
    if result.stopped:
        raise OutOfTime
    return result


class States:
    """What calls return in each state that some of them lead to; states with the same future are the same."""

    def __init__(self, client: Client, words: Sequence[Sequence[tuple[Slot, int]]], file: str) -> None:
        self.client = client
        self.file = file
        self._nodes: list[Node] = []
        self._numbers: dict[tuple[tuple[Slot, int, int], ...], int] = {}
        self.start: Hashable = self._number(words, 0)

    def _number(self, words: Sequence[Sequence[tuple[Slot, int]]], depth: int) -> int:
        """The state that words lead on from, after so many calls."""
        following: dict[Slot, dict[int, list[Sequence[tuple[Slot, int]]]]] = {}
        for word in words:
            if len(word) > depth:
                slot, result = word[depth]
                following.setdefault(slot, {}).setdefault(result, []).append(word)
        node: Node = {}
        for slot, results in following.items():
            if len(results) > 1:
                self._refuse(slot, sorted(results), next(iter(results.values()))[0][:depth])
            ((result, rest),) = results.items()
            node[slot] = result, self._number(rest, depth + 1)
        key = tuple(sorted((slot, *to) for slot, to in node.items()))
        if key not in self._numbers:
            self._numbers[key] = len(self._nodes)
            self._nodes.append(node)
        return self._numbers[key]

    def _refuse(self, slot: Slot, results: Sequence[int], word: Sequence[tuple[Slot, int]]) -> None:
        calls = self.client.calls
        after = ", ".join(str(calls[other]) for other, _ in word) or "nothing else"
        message = (
            f"the specification is not deterministic: {calls[slot]} after {after} gives {results[0]} and {results[1]}"
        )
        raise UsageError(message, file=self.file)

    def step(self, slot: Slot, state: Hashable) -> Sequence[tuple[int, Hashable]]:
        """What a call returns in a state."""
        found = self._nodes[state].get(slot)  # type: ignore[call-overload]
        return [] if found is None else [found]


def returns(structure: Structure, sc: Model, clock: Clock, client: Client) -> dict[Slot, int] | None:
    """What the calls of a client with no threads return; None: it does not come to an end. Raises as `run` does.

    A client that goes wrong by itself returns nothing: {}.
    """
    result = run(structure.dutiful().program(text_of(structure, client, Asked(sequential=True))), sc, clock)
    if result.verdict == "violation":
        return {}
    for outcome in result.outcomes:
        return {slot: int(outcome.state[structure.name(slot)]) for slot in client.calls}
    return None
