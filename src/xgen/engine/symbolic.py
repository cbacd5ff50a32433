"""Proofs without bounds: endless programs on machines with store buffers of any length.

The core explores symbolic states (src/core/symbolic). Here is which explorations are made, and in which order: each
gets some states, then the next one, until one of them has the answer; then all get four times as many. They are

- exact, the oldest states first: finds violations, and proves where it comes to an end;
- *narrowed* to so many atoms: what does not fit is left out. It finds what is deep, and proves nothing unless nothing
  was left out;
- exact, the largest states first, which cover more of the others;
- where there are atomic blocks, *strict*: without what is doubtful (space.hpp), for what is found elsewhere may be
  refused by the model; it proves nothing;
- *widened* to so many atoms: proves, but what it finds may not be there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Literal

from xgen import _core
from xgen.clock import Clock
from xgen.engine.graphs.convert import to_execution
from xgen.engine.graphs.native import MIXED, RUNS_ON, native
from xgen.engine.problem import Problem
from xgen.errors import InternalError, TooLongError, UnsupportedError, UsageError, XgenError
from xgen.executions.execution import Execution, State
from xgen.lowering.analysis.liveness import live_at_events
from xgen.lowering.code import Code, EventClass
from xgen.memory.adapt import ATOMIC_TAGS
from xgen.memory.algebra import Model
from xgen.memory.evaluate import Evaluator
from xgen.memory.library import load_model
from xgen.memory.terms import of_whole_accesses
from xgen.memory.undefined import undefined_behaviour
from xgen.program.automaton import Cut
from xgen.records import dataclass, replace
from xgen.tags import Orders, orders

Machine = Literal["sc", "tso", "pso"]
Widening = int | Literal["none"] | None
Why = Literal["states", "time", "interrupt", "values", "locals", "calls", "blocks", "veiled"]

FIRST = 20_000
"""States that each exploration visits at first."""
LIMIT = 1_000_000
"""States that each visits at most, unless the user says otherwise."""
SLICE = 0.1
"""Seconds between two looks at the clock."""
MAX_THREADS = 30

_MEMORY = {"sc": _core.Memory.SC, "tso": _core.Memory.TSO, "pso": _core.Memory.PSO}
_UNKNOWN = {
    _core.ProofFault.MIXED: MIXED,
    _core.ProofFault.WAITING: "an atomic block that waits for the end of a thread cannot be proved",
}
_STRENGTHS: dict[Orders, _core.Strength] = {
    "all": _core.Strength.FULL,
    "stores": _core.Strength.STORES,
    "nothing": _core.Strength.NONE,
}
_LOCKED = frozenset({"rmw", "failed"})


@dataclass(frozen=True, slots=True)
class Abstraction:
    """How an exploration goes about it: -1 is without limits."""

    widening: int = -1
    most: int = -1
    strict: bool = False
    largest: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """What to look for and how far: see `xgen.prove`. `outcomes`: list all final states.

    `first`: an exploration that is made before the others, and how many states it visits at most; it has proved a
    program much like this one.
    """

    deadlock: bool = False
    limit: int = LIMIT
    widen: Widening = None
    invariant: bool = False
    timeout: float | None = None
    outcomes: bool = False
    first: tuple[Abstraction, int] | None = None


@dataclass(frozen=True)
class Found:
    """What the explorations have found: plain data. `states` and the like are of the one that has the answer.

    `at_fault`: what has no end: a cell, or a thread and its local. `growing`: the thread and the cell (-1: none) whose
    past or buffer was the longest when the limit was reached, and the instruction where the thread stood. `cut`: an
    instruction at which threads were cut, -1: none. `veiled`: one in an atomic block with which there may be a data
    race or a misuse of an object all the same. `doubtful`: some of the states that were explored may not be there
    (space.hpp).
    """

    verdict: Literal["safe", "violation", "deadlock", "unknown"]
    abstraction: Abstraction
    stored: int
    visited: int
    accelerated: int
    atoms: int
    values: list[list[int]]
    local_states: list[int]
    witness: Execution | None = None
    why: Why | None = None
    at_fault: tuple[int, int] = (-1, -1)
    growing: tuple[int, int, int] = (-1, -1, -1)
    cut: int = -1
    veiled: int = -1
    unmet: bool = False
    outcomes: list[State] | None = None
    doubtful: bool = False
    invariant: list[_core._Covering] | None = None
    automata: list[tuple[list[int], list[int], list[_core._Node]]] = field(default_factory=list)


def machine_of(model: Model) -> Machine:
    """The machine that a model describes, told by its constraints, not by its name. Raises UsageError for others."""
    undefined = next((constraint for constraint in model.constraints if constraint.undefined), None)
    if undefined is not None:
        raise UsageError(
            f"a proof without bounds needs a machine, and the model {model.name} has none: what it leaves undefined "
            f"(`{undefined.name}`) no machine sees",
            hint="the models sc, tso and pso have one; `xgen check` explores programs under every model",
        )
    conditions = [constraint.condition for constraint in of_whole_accesses(model).constraints if not constraint.flag]
    machines: tuple[Machine, ...] = ("sc", "tso", "pso")
    for name in machines:
        if conditions == [constraint.condition for constraint in of_whole_accesses(load_model(name)).constraints]:
            return name
    raise UsageError(
        f"a proof without bounds needs a machine, and the model {model.name} has none",
        hint="the models sc, tso and pso have one; `xgen check` explores programs under every model",
    )


def can_be_proved(problem: Problem) -> bool:
    """Whether a proof can be looked for: the model has a machine, which runs what the program is made of."""
    try:
        _refuse(problem.code, machine_of(problem.asked))
    except XgenError:
        return False
    return True


def strength(machine: Machine, seen: EventClass) -> _core.Strength:
    """What the machine makes of fences and updates of a class: as the shipped models' headers say."""
    if seen.kind == "F":
        if seen.tags & {"alloc", "free"}:
            return _core.Strength.NONE
        return _core.Strength.FULL if machine == "sc" else _STRENGTHS[orders(machine, seen.tags)]
    if seen.kind != "R" or machine == "sc" or not seen.tags & _LOCKED:
        return _core.Strength.NONE
    return _core.Strength.FULL if machine == "tso" else _core.Strength.STORES


class Search:
    """One exploration."""

    def __init__(
        self, problem: Problem, machine: Machine, abstraction: Abstraction, options: Options, outcomes: bool
    ) -> None:
        self.abstraction = abstraction
        self.refused = False
        self.end = _core.ProofEnd.BUDGET
        shown = [list(thread.shown) for thread in problem.code.threads] if outcomes else None
        strengths = [strength(machine, seen) for seen in problem.code.classes]
        self.core = _core.Prover(
            native(problem.code, live_at_events(problem.code, outcomes)),
            _MEMORY[machine],
            strengths,
            shown,
            _plain(problem),
            _lifetimes(problem),
            deadlocks=options.deadlock,
            widening=abstraction.widening,
            most=abstraction.most,
            strict=abstraction.strict,
            largest=abstraction.largest,
            eager=not options.invariant,  # so that an invariant is closed under all steps
        )

    def run(self, limit: int, clock: Clock, on_progress: Callable[[int, float], None] | None) -> bool:
        """Explores until the end or the limit; False: the time is over."""
        while not clock.over():
            left = clock.left()
            self.end = self.core.run(SLICE if left is None else min(SLICE, left), limit, left)
            if on_progress:
                on_progress(self.core.visited, clock.seconds)
            if self.end is not _core.ProofEnd.BUDGET:
                return True
        return False

    @property
    def decided(self) -> bool:
        """Whether its end is the answer."""
        if self.refused:
            return False
        if self.end is _core.ProofEnd.SAFE:
            return not self.abstraction.strict and (self.abstraction.most < 0 or not self.core.left_out)
        if self.end in (_core.ProofEnd.VIOLATION, _core.ProofEnd.DEADLOCK):
            return self.core.exact
        unlimited = self.core.fault[0] in (_core.ProofFault.VALUES, _core.ProofFault.LOCALS)
        return self.end is _core.ProofEnd.FAULT and (unlimited or self.core.exact)

    @property
    def open(self) -> bool:
        """Whether more states may help."""
        return self.end in (_core.ProofEnd.BUDGET, _core.ProofEnd.STATES)


def explore(
    problem: Problem,
    options: Options,
    on_progress: Callable[[int, float], None] | None = None,
    on_witness: Callable[[_core.Trace], None] | None = None,
) -> Found:
    """Looks for a proof or a violation of a program under a model that is a machine.

    `on_witness` gets the execution that shows a violation as the core has it.

    Raises UsageError for other models, UnsupportedError for programs that the machine cannot run, TooLongError for a
    loop without any shared access that runs on and on.
    """
    machine = machine_of(problem.asked)
    _refuse(problem.code, machine)
    blocks = machine != "sc" and any(thread.block >= 0 for thread in problem.code.threads)
    clock = Clock(options.timeout)
    outcomes = options.outcomes or problem.requirement is not None
    ladders = [
        _Ladder(abstractions, problem, machine, options, outcomes)
        for abstractions in _ladders(machine, options.widen, blocks)
    ]
    first = None
    if options.first:
        first = _Ladder(iter([options.first[0]]), problem, machine, options, outcomes)
    cap = min(FIRST, options.limit)
    last = ladders[0].search
    stopped: Literal["states", "time", "interrupt"] = "states"
    try:
        while True:
            for ladder in [first, *ladders] if first else ladders:
                last = ladder.search
                most = options.first[1] if options.first and ladder is first else cap
                if not ladder.climb(most, clock, on_progress):
                    stopped = "time"
                    break
                if ladder.search.decided:
                    try:
                        return _decided(ladder.search, problem, options, clock, on_witness)
                    except _Refused:
                        ladder.search.refused = True
            first = None
            if stopped != "time" and _allocates_on(problem.code, ladders[0].search.core.cut):
                return replace(_base(ladders[0].search), why="calls")
            if stopped == "time" or cap >= options.limit:
                break
            cap = min(4 * cap, options.limit)
    except KeyboardInterrupt:
        stopped = "interrupt"
    if stopped == "states" and not any(ladder.search.open for ladder in ladders):
        return replace(_base(last), why="blocks")
    return replace(_base(last), why=stopped, growing=last.core.growing)


def _allocates_on(code: Code, cut: int) -> bool:
    """Whether threads are cut there since they have allocated too much: there will be no proof."""
    part = code.sites[cut].part if cut >= 0 else None
    return isinstance(part, Cut) and bool(part.what)


class _Refused(Exception):
    """The model forbids the execution that was found, and atomic blocks are why it was."""


class _Ladder:
    """Explorations of one kind, each tried when the one before has come to its end without an answer."""

    def __init__(
        self, abstractions: Iterator[Abstraction], problem: Problem, machine: Machine, options: Options, outcomes: bool
    ) -> None:
        self.searches = (Search(problem, machine, abstraction, options, outcomes) for abstraction in abstractions)
        self.search = next(self.searches)

    def climb(self, limit: int, clock: Clock, on_progress: Callable[[int, float], None] | None) -> bool:
        """Until there is an answer, or the limit of states; False: the time is over."""
        while self.search.open:
            if not self.search.run(limit, clock, on_progress):
                return False
            if self.search.decided or self.search.open:
                return True
            following = next(self.searches, None)
            if following is None:
                return True
            self.search = following
        return True


def _plain(problem: Problem) -> list[bool]:
    """Per event class, whether it is an access that is not atomic; empty where data races are no matter."""
    if not problem.program.races:
        return []
    return [seen.kind != "F" and not seen.tags & ATOMIC_TAGS for seen in problem.code.classes]


def _lifetimes(problem: Problem) -> list[_core.Act]:
    """Per event class, what it does with an object; FENCE: nothing that matters.

    Without races, as in C programs that are compiled, who has the address of an object has the object.
    """
    allocates = _core.Act.FENCE if problem.program.races is False else _core.Act.ALLOC
    return [
        _core.Act.FREE if "free" in seen.tags else allocates if "alloc" in seen.tags else _core.Act.FENCE
        for seen in problem.code.classes
    ]


def _ladders(machine: Machine, widen: Widening, blocks: bool) -> list[Iterator[Abstraction]]:
    exact = iter([Abstraction()])
    if machine == "sc":  # there is nothing to widen
        return [exact]
    atoms = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]
    ladders = [exact, iter([Abstraction(most=most) for most in atoms]), iter([Abstraction(largest=True)])]
    widened = [] if widen == "none" else atoms if widen is None else [widen]
    if blocks:
        ladders.append(iter([Abstraction(strict=True)]))
    return [*ladders, *([iter([Abstraction(widening=number) for number in widened])] if widened else [])]


def _refuse(code: Code, machine: Machine) -> None:
    if len(code.threads) > MAX_THREADS:
        raise UnsupportedError(f"proofs are for at most {MAX_THREADS} processes", file=code.source.name)
    if machine == "sc":
        return
    for instruction, site in zip(code.instructions, code.sites, strict=True):
        access = instruction.op in (_core.Op.LOAD, _core.Op.STORE)
        if access and code.classes[instruction.c].tags & _LOCKED:
            raise UnsupportedError("the tags `rmw` and `failed` are those of updates", code.source, site.position)


def _base(search: Search) -> Found:
    core = search.core
    return Found(
        "unknown",
        search.abstraction,
        core.stored,
        core.visited,
        core.accelerated,
        core.atoms,
        [[value for value in values if value != _core.NOTHING] for values in core.values],
        core.local_states,
        cut=core.cut,
        veiled=core.veiled,
        doubtful=core.doubtful,
    )


def _decided(
    search: Search,
    problem: Problem,
    options: Options,
    clock: Clock,
    on_witness: Callable[[_core.Trace], None] | None,
) -> Found:
    core, base = search.core, _base(search)
    if search.end is _core.ProofEnd.FAULT:
        return _fault(search, problem.code)
    if search.end is not _core.ProofEnd.SAFE:
        deadlock = search.end is _core.ProofEnd.DEADLOCK
        witness = _execution(search, problem, clock, on_witness, deadlock=deadlock)
        return replace(base, verdict="deadlock" if deadlock else "violation", witness=witness)
    finals = [(_listed(problem, values), number) for values, number in core.outcomes]
    refused: _Refused | None = None
    for values, number in finals:
        if problem.judge(values) is not _core.Judgement.FORBIDDEN:
            continue
        try:
            witness = _execution(search, problem, clock, on_witness, state=number)
            return replace(base, verdict="violation", witness=witness, unmet=True)
        except _Refused as error:
            refused = error
    if refused:
        raise refused
    counted = [final for final in finals if problem.judge(final[0]) is _core.Judgement.COUNTS]
    if core.cut >= 0:
        return replace(base, why="calls")
    if core.veiled >= 0:
        return replace(base, why="veiled", outcomes=_outcomes(problem, counted, options))
    return replace(
        base,
        verdict="safe",
        outcomes=_outcomes(problem, counted, options),
        invariant=core.invariant if options.invariant else None,
        automata=core.automata if options.invariant else [],
    )


def _outcomes(problem: Problem, finals: list[tuple[list[int], int]], options: Options) -> list[State] | None:
    return [problem.state(values) for values, _ in finals] if options.outcomes else None


def _fault(search: Search, code: Code) -> Found:
    fault, thread, item = search.core.fault
    if fault is _core.ProofFault.RUNAWAY:
        raise TooLongError(RUNS_ON, code.source, code.sites[item].position)
    if fault is _core.ProofFault.OPERATION:
        raise InternalError(f"proofs do not know the operation {code.instructions[item].op.name}")
    if fault in _UNKNOWN:
        raise UnsupportedError(_UNKNOWN[fault], code.source, code.sites[item].position)
    values = fault is _core.ProofFault.VALUES
    return replace(_base(search), why="values" if values else "locals", at_fault=(thread, item))


def _listed(problem: Problem, values: list[int]) -> list[int]:
    """Of a final state of the core, which has all cells, what the problem lists."""
    code = problem.code
    shown = sum(len(thread.shown) for thread in code.threads)
    cells = [(values[shown + cell], code.initial[cell]) for cell in problem.observed]
    return values[:shown] + [initial if value == _core.NOTHING else value for value, initial in cells]


def _execution(
    search: Search,
    problem: Problem,
    clock: Clock,
    on_witness: Callable[[_core.Trace], None] | None,
    deadlock: bool = False,
    state: int = -1,
) -> Execution | None:
    """The execution that shows a violation, confirmed by the model's own text.

    None: it would take too many events, or too long.
    """
    trace = search.core.witness(deadlock, state, clock.left())
    if trace is None:
        return None
    execution = to_execution(problem, trace, whole=state >= 0)
    evaluator = Evaluator(execution)
    for constraint in problem.model.constraints:
        if not constraint.flag and not evaluator.holds(constraint.condition):
            in_blocks = any(thread.block >= 0 for thread in problem.code.threads)
            if search.core.doubtful or (search.core.racing[0] >= 0 and in_blocks):
                raise _Refused
            raise InternalError(f"the model forbids the execution that the proof has found ({constraint.name})")
    if state < 0 and not execution.violations:  # what the model's flags say is wrong
        undefined = undefined_behaviour(execution, problem.model, problem.program.volatile)
        execution = replace(execution, violations=undefined)
    if state < 0 and not execution.violations:
        raise InternalError("the execution that the proof has found shows no violation")
    if on_witness is not None:
        on_witness(trace)
    return execution
