"""What fences are to bring about, and asking whether a program has it: by a check, by a proof without bounds, or for a
formula by a search through all states with bounded store buffers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Literal, TypeAlias

from xgen import _core
from xgen.analyses.check.question import Question
from xgen.analyses.check.result import result_of, unseen
from xgen.analyses.fences.counterexamples import Counterexample, Judge, counterexample
from xgen.clock import Clock
from xgen.engine.graphs.diagnosis import ENDLESS, look_for_loops
from xgen.engine.graphs.found import found_by
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem
from xgen.errors import LimitError, UnsupportedError, UsageError
from xgen.exclusions import Excludes, Needs, Rule, refusal
from xgen.executions.execution import Execution
from xgen.executions.result import undone
from xgen.memory.algebra import Model
from xgen.program.automaton import Program
from xgen.program.rewrite import with_arrivals
from xgen.records import dataclass, replace
from xgen.systems.processes import Expression, Number, Read, Stands, System

if TYPE_CHECKING:
    from xgen.analyses.ltl import LtlResult
    from xgen.engine.symbolic import Abstraction

Witness: TypeAlias = "Execution | LtlResult"
"""What shows that a program has not what is demanded: an execution, or a run that breaks a formula."""
Reason = Literal["interrupt", "timeout", "unknown"]
"""Why there is no answer: Ctrl-C, no time, or a proof that comes to no end."""
FURTHER = 4
"""How many times the states of a proof an exploration visits that goes the same way, before others are tried."""
FAR = ((24, 20_000), (64, 50_000), (256, 20_000))
"""Bounds on events per thread, each with a number of graphs. A check without a bound comes to no end, it is taken, if
it has more graphs with the second bound or the third, and some thread goes further than that bound or the first."""
BOUNDS, GRAPHS = (8, 12, 16, 24, 32, 48), 20_000
"""On events per thread, for such checks, one after the other, as long as that takes no more graphs."""
STATES = 100_000
"""Of a proof that is tried in the place of such a check, in each exploration."""


ROOM = 4
"""Delayed stores, where nobody says how many."""
RULES: tuple[Rule, ...] = (
    Needs("deadlock", ("unbounded",), "a check finds deadlocks anyway"),
    Needs("buffer", ("formula",), "proofs have no bound, and what is checked has no buffers"),
    Excludes("unbounded", ("max_depth", "liveness", "robust"), "a proof is of safety, whatever the bound"),
    Excludes("formula", ("max_depth", "liveness", "robust", "unbounded"), "it says by itself what is demanded"),
    Needs("relax", ("orders", "orders only"), "what does not count can only come back with it"),
    Excludes("orders only", ("sites after-stores",), "it says where fences stand, and none are placed"),
)
"""Which demands exclude which, and which options of what is placed; `orders only` is `orders` of that value."""


def see_allowed(orders: bool | Literal["only"], relax: bool, sites: str) -> None:
    """Raises UsageError for options of placements that cannot be used together."""
    asked = {"orders": orders is True, "orders only": orders == "only", "relax": relax, f"sites {sites}": True}
    if (why := refusal(RULES, {name for name, is_given in asked.items() if is_given})) is not None:
        raise UsageError(why)


@dataclass(frozen=True)
class Demand:
    """Beyond safety: what a program is to have.

    max_depth  safe means: within so many events per thread
    liveness   no thread waits for ever
    robust     all executions are such as this model allows
    unbounded  a proof: endless loops, store buffers of any length (under sc, tso and pso)
    deadlock   with `unbounded`: some process can always go on, or all have ended
    formula    of linear temporal logic, which holds in all fair runs (under sc, tso and pso), with so many stores in a
               `buffer`; None: 4
    """

    max_depth: int | None = None
    liveness: bool = False
    robust: Model | None = None
    unbounded: bool = False
    deadlock: bool = False
    formula: str | None = None
    buffer: int | None = None

    def __post_init__(self) -> None:
        if self.max_depth is not None and self.max_depth < 1:
            raise UsageError(f"the depth bound must be at least 1, not {self.max_depth}")
        given = {option.name for option in fields(self) if getattr(self, option.name) != option.default}
        if (why := refusal(RULES, given)) is not None:
            raise UsageError(why)

    @property
    def room(self) -> int:
        """So many stores may be delayed, for a formula."""
        return ROOM if self.buffer is None else self.buffer

    def sentences(self) -> Iterator[str]:
        """What is asked for beyond safety, for people."""
        if self.liveness:
            yield "no thread waits for ever"
        if self.robust is not None:
            yield f"all executions as under {self.robust.name}"
        if self.deadlock:
            yield "no deadlock"
        if self.unbounded:
            yield "loops and store buffers of any length"
        if self.formula is not None:
            yield f"{self.formula} with {self.room} delayed store{'s' * (self.room > 1)}"


@dataclass(frozen=True)
class Answer:
    """Whether a program has what is demanded; `bounded`: within the bound; `vacuous`: it has, but no execution of it
    completes, so that this says nothing; `warnings`: what the user should know.

    `shown`: what the execution that shows that it has not says of other placements, if anything. `abstraction`: that of
    a proof, and how many states it visited. `outgrown`: the bound on events made a difference. `endless`: sentences
    that name the loops for which a check without a bound was given up; then `demand` is what the program has, with a
    bound, or as a proof.
    """

    unsafe: bool
    witness: Witness | None
    shown: Counterexample | None = None
    executions: int = 0
    bounded: bool = False
    vacuous: bool = False
    warnings: tuple[str, ...] = ()
    abstraction: tuple[Abstraction, int] | None = None
    outgrown: bool = False
    endless: tuple[str, ...] = ()
    demand: Demand | None = None


class Stopped(Exception):
    """There is no answer; `why` says more about it, and `loops` which threads went on and on."""

    def __init__(self, reason: Reason, why: str = "", loops: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.reason, self.why, self.loops = reason, why, loops


def ask(
    program: Program,
    model: Model,
    demand: Demand,
    timeout: float | None,
    judge: Judge | None = None,
    abstraction: tuple[Abstraction, int] | None = None,
    endless: tuple[str, ...] = (),
) -> Answer:
    """Whether a program has what is demanded. Raises Stopped where there is no answer, else what `check` raises.

    `judge`: also says what an execution that is found shows of the judge's program, into which something was put.
    `abstraction`: that of a proof of a program much like this one, which is tried first. `endless`: what an answer
    said of such a program.
    """
    if demand.formula is not None:
        return _by_formula(program, model, demand, timeout)
    if demand.unbounded:
        return _by_proof(program, model, demand, timeout, judge, abstraction)
    check = _Check(program, model, demand, Clock(timeout), judge)
    return check.ask(abstraction, endless) if demand.max_depth is None else check.answered(demand.max_depth)


@dataclass(frozen=True)
class _Check:
    """A check. Without a bound it may come to no end, because a loop that writes while it waits goes on for ever.

    Where threads have gone on for very long, a proof is looked for, if the model has a machine and no more than safety
    is demanded. Else what is said is said within a bound, the largest for which that is quickly done.
    """

    program: Program
    model: Model
    demand: Demand
    clock: Clock
    judge: Judge | None

    def ask(self, abstraction: tuple[Abstraction, int] | None, endless: tuple[str, ...]) -> Answer:
        """The answer without a bound, if there is one; as the function `ask`."""
        if not endless:
            went = False  # some thread goes on and on, it seems
            for depth, graphs in FAR:
                found = self.tried(depth, graphs)
                if isinstance(found, Answer) and (found.unsafe or not found.outgrown):
                    return found
                went |= isinstance(found, Answer) or (found and depth > FAR[0][0])
                if not isinstance(found, Answer) and depth > FAR[0][0]:
                    break
            if not went:
                return self.answered(None)
            endless = self.loops()
        return self.proved(abstraction, endless) or self.within_bounds(endless)

    def proved(self, abstraction: tuple[Abstraction, int] | None, endless: tuple[str, ...]) -> Answer | None:
        """The answer by a proof without bounds; None: there is none."""
        if self.demand != Demand():
            return None
        demand = Demand(unbounded=True)
        try:
            found = _by_proof(self.program, self.model, demand, self.clock.left(), self.judge, abstraction, STATES)
        except (UsageError, UnsupportedError, LimitError):  # the model has no machine, or not for this program
            return None
        except Stopped as stopped:
            if stopped.reason == "unknown":
                return None
            raise
        return replace(found, endless=endless, demand=demand)

    def within_bounds(self, endless: tuple[str, ...]) -> Answer:
        """The answer within the largest of the bounds that takes no more graphs than there may be."""
        last: Answer | None = None
        for depth in BOUNDS:
            found = self.tried(depth, GRAPHS) if last else self.answered(depth)
            if not isinstance(found, Answer):
                break
            if found.unsafe or not found.outgrown:
                return replace(found, endless=endless)
            last = replace(found, endless=endless, demand=replace(self.demand, max_depth=depth))
        assert last is not None
        return last

    def answered(self, depth: int | None) -> Answer:
        """The answer within a bound, if any is given. Raises Stopped."""
        found = self.tried(depth, None)
        assert isinstance(found, Answer)
        return found

    def loops(self) -> tuple[str, ...]:
        """Which threads go on and on: a sentence for each."""
        depth = FAR[0][0]
        run = Run(problem(self.program, self.model, parts=True), Options(depth))
        return _first_of_each(look_for_loops(run, depth)) or (f"some process goes on after {depth} events",)

    def tried(self, depth: int | None, graphs: int | None) -> Answer | bool:
        """The same; where that takes more graphs, whether a thread was seen to go further than the bound."""
        asked = problem(self.program, self.model, reference=self.demand.robust, parts=True)
        depends = self.judge is not None and self.judge.depends
        question = Question(max_depth=depth, liveness=self.demand.liveness, dependencies=depends)
        options = replace(question.options(self.clock.left()), graphs=graphs)
        run = Run(asked, options)
        run.finish()
        if run.gave_up and run.stopped is None:
            return run.outgrown
        found = found_by(run)
        result = result_of(asked, options, found, run.seconds)
        trace = run.core.witness
        if trace is not None:
            shown = None if self.judge is None else counterexample(self.judge, asked, trace, self.demand.liveness)
            return Answer(True, result.witness, shown, result.executions)
        own = depth is not None and self.demand.max_depth is None  # who asks has not given this bound
        if run.stopped is not None:
            raise Stopped(run.stopped, loops=() if own else _first_of_each(found.cuts))
        hidden = (*found.cuts, *unseen(asked, options)) if own else ()
        warnings = tuple(said for said in result.warnings if said not in hidden)
        warnings += (undone(result.left_out),) if result.left_out else ()
        return Answer(False, None, None, result.executions, result.cut, result.vacuous, warnings, outgrown=run.outgrown)


def _first_of_each(cuts: Sequence[str]) -> tuple[str, ...]:
    """The first sentence on each thread, with whose name it begins."""
    first: dict[str, str] = {}
    for said in cuts:
        first.setdefault(said.partition(" ")[0], said.partition(f"; {ENDLESS}")[0])
    return tuple(first.values())


def _by_proof(
    program: Program,
    model: Model,
    demand: Demand,
    timeout: float | None,
    judge: Judge | None,
    abstraction: tuple[Abstraction, int] | None,
    limit: int | None = None,
) -> Answer:
    from xgen.analyses.prove import reason  # its core is not needed by those who check
    from xgen.engine import symbolic

    first = None if abstraction is None else (abstraction[0], FURTHER * abstraction[1])
    most = symbolic.LIMIT if limit is None else limit
    asked = problem(with_arrivals(program), model, asker="`--unbounded`")
    options = symbolic.Options(demand.deadlock, most, timeout=timeout, first=first)
    traces: list[_core.Trace] = []
    found = symbolic.explore(asked, options, on_witness=traces.append)
    if found.verdict == "unknown":
        reasons: dict[str | None, Reason] = {"time": "timeout", "interrupt": "interrupt"}
        raise Stopped(reasons.get(found.why, "unknown"), reason(asked, found, options) or "")
    shown = None
    if judge is not None and traces and found.verdict == "violation":
        shown = counterexample(judge, asked, traces[0], liveness=False)
    return Answer(found.verdict != "safe", found.witness, shown, abstraction=(found.abstraction, found.visited))


def _by_formula(program: Program, model: Model, demand: Demand, timeout: float | None) -> Answer:
    from xgen.analyses.ltl import check_formula  # its engine is not needed by those who check
    from xgen.engine.explicit.unfold import unfold
    from xgen.engine.symbolic import machine_of

    machine = machine_of(model)
    result = check_formula(unfold(program, machine), demand.formula or "", machine, demand.room, timeout=timeout)
    if result.stopped:
        raise KeyboardInterrupt
    if result.verdict == "interrupted":
        raise Stopped("timeout" if result.timed_out else "unknown", result.reason or "")
    unsafe = result.verdict in ("fails", "error")
    return Answer(unsafe, result if unsafe else None, None, result.states, result.verdict == "holds-within-bound")


def formula_forbids(program: Program, model: Model, formula: str) -> tuple[bool, str]:
    """Whether it is known that fences never make a formula false that holds; if not, why not.

    A fence is a step that nobody sees in memory, and takes away runs only; but where a process stands, and when its
    locals change, is not the same with it.
    """
    from xgen.analyses.ltl import parse_formula
    from xgen.engine.explicit.unfold import unfold
    from xgen.engine.symbolic import machine_of

    system = unfold(program, machine_of(model))
    _, propositions = parse_formula(formula, system)
    if all(_is_of_memory(proposition, system) for proposition in propositions):
        return True, ""
    return False, "the formula speaks of places or locals, which fences can change"


def _is_of_memory(expression: Expression, system: System) -> bool:
    if isinstance(expression, Stands):
        return expression.place in system.processes[expression.process].ends
    if isinstance(expression, Read):
        index = expression.index is None or _is_of_memory(expression.index, system)
        return expression.variable.is_shared and index
    return isinstance(expression, Number) or all(_is_of_memory(part, system) for part in expression.operands)
