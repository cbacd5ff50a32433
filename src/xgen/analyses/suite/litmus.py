"""Litmus tests under a memory model: which final states there are, how often, and what that says about the question."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

from xgen.analyses.thin_air import may_justify_itself
from xgen.engine.graphs.found import Found, found_by
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import SLICE, Run
from xgen.engine.problem import Problem, problem
from xgen.errors import LimitError, UnsupportedError
from xgen.frontends.litmus.test import FinalCondition, FinalValue, LitmusTest, show_state
from xgen.memory.adapt import families
from xgen.records import dataclass, replace

if TYPE_CHECKING:
    from xgen.executions.execution import Execution, Violation
    from xgen.memory.algebra import Model

Verdict = Literal["Ok", "No", "Undef"]
Observation = Literal["Never", "Sometimes", "Always"]

MOMENT = 0.01
"""Seconds: about what it takes to make a plan of a large model."""


@dataclass(frozen=True)
class LitmusResult:
    """What a litmus test showed, with herd's words.

    verdict      "Ok": the question's condition is validated, "No": it is not; "Undef": some execution raised a flag
                 that leaves the program without a meaning. None where there is no answer
    positive, negative  how many executions end in a state that satisfies the bare proposition, and how many do not
    states       the final states in herd's notation and order, and the number of executions of each
    flags        what the model reported (races, say)
    waits        where threads wait for ever at barriers or in loops, a sentence each
    stopped      where the run did not end, why: "timeout", or "decided" where it was to end once the verdict was known;
                 the numbers are of what was explored until then
    decided      the verdict that it would have come to, whatever was left, if that is known
    unsupported, error  a sentence each, where the test could not be read or run
    too_large    it is no fault of the test: it takes more than xgen can build, or more memory than there is
    own_error    the error is one of xgen's own
    lost         it took its process along, again and again
    thin_air     the verdict is that something is not seen; the model may allow executions in which a value justifies
                 itself, which are not built
    """

    name: str
    path: str
    arch: str | None
    model: str | None
    kind: Literal["Allowed", "Forbidden", "Required"] | None = None
    condition: str | None = None
    verdict: Verdict | None = None
    positive: int = 0
    negative: int = 0
    states: tuple[tuple[str, int], ...] = ()
    flags: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()
    stopped: Literal["timeout", "decided"] | None = None
    decided: Verdict | None = None
    unsupported: str | None = None
    error: str | None = None
    too_large: bool = False
    own_error: bool = False
    lost: bool = False
    seconds: float = 0.0
    thin_air: bool = False

    @property
    def observation(self) -> Observation:
        """How often the bare proposition is satisfied. Herd calls it "Never" where there is no execution at all."""
        if self.positive == 0:
            return "Never"
        return "Sometimes" if self.negative else "Always"

    @property
    def vacuous(self) -> bool:
        """Whether the verdict says nothing, since no execution completes that the test counts."""
        return self.verdict in ("Ok", "No") and not self.positive and not self.negative

    @property
    def witnesses(self) -> tuple[int, int]:
        """Herd's `Positive` and `Negative`: executions that validate the condition, and those that do not."""
        pair = (self.positive, self.negative)
        return pair[::-1] if self.kind == "Forbidden" else pair


ENOUGH = 100
"""Of a run that was stopped: so many final states are told, where these decide what the verdict is."""

ENDS = "every thread ends"
"""The condition of a test of which that is asked."""

OPTIONS = Options(all_states=True, undefined=False)
"""How tests are explored."""


def run_litmus(
    test: LitmusTest, model: Model, timeout: float | None = None, until_decided: bool = False
) -> LitmusResult:
    """All executions of a litmus test that a model allows, or no more of them than it takes to know the verdict.

    Raises UnsupportedError, LimitError, ProgramError; KeyboardInterrupt where Ctrl-C ended the run.
    """
    start = time.perf_counter()
    answer = _decided if until_decided else _counted
    return replace(answer(test, model, timeout), seconds=time.perf_counter() - start)


def _counted(test: LitmusTest, model: Model, timeout: float | None) -> LitmusResult:
    return answered(test, explored(test, model, timeout))


def _decided(test: LitmusTest, model: Model, timeout: float | None) -> LitmusResult:
    """What is known of a test as soon as that is its verdict; of one that is done in a moment, all."""
    asked, options = asked_of(test, model), replace(OPTIONS, timeout=timeout)
    run = done_at_once(asked, options)
    if run is None:
        run, looks = Run(asked, options), Looks()
        while not run.ends_within(SLICE):
            if looks.due(run.seconds) and (result := answered(test, run, part=True)).decided:
                return result
    if run.stopped == "interrupt":
        raise KeyboardInterrupt
    return answered(test, run)


class Looks:
    """When to look at what was found: at moments further and further apart, since each look goes through all of it."""

    def __init__(self) -> None:
        self._next = 0.0

    def due(self, seconds: float) -> bool:
        """Whether it is time, so many seconds after the start; then the next time is twice as late."""
        if seconds < self._next:
            return False
        self._next = 2 * seconds
        return True


def explored(test: LitmusTest, model: Model, timeout: float | None = None, traces: int = 0) -> Run:
    """The finished run of a test, with so many of its executions; raises as `run_litmus` does.

    Making a plan takes longer than most tests do, so they share one; a test that is not done in a moment begins again
    with a plan of its own.
    """
    asked, options = asked_of(test, model), replace(OPTIONS, timeout=timeout, trace_limit=traces)
    run = done_at_once(asked, options)
    if run is None:
        run = Run(asked, options)
        run.finish()
    if run.stopped == "interrupt":
        raise KeyboardInterrupt
    return run


def asked_of(test: LitmusTest, model: Model) -> Problem:
    """What a test asks to be explored under a model.

    Whether every thread ends is asked whatever the question's filter says; still, an execution in which not all that
    have to have met at a barrier raises no flags.
    """
    asked = replace(test, question=replace(test.question, filter=None)) if test.liveness else test
    requirement = FinalCondition(asked, asks=False) if asked.is_filtered else None
    return problem(replace(test.program, requirement=requirement), model, test.observed_cells, parts=True)


def done_at_once(asked: Problem, options: Options) -> Run | None:
    """The run of a problem with a plan that others share, if it is done in a moment.

    Where a model asks which tags of a family events bear, as those of GPUs do, tests have so many classes of events
    that hardly two share a plan.
    """
    run = Run(asked, replace(options, shared_plan=not families(asked.asked)))
    if not run.ends_within(MOMENT):
        return None
    if run.stopped == "interrupt":
        raise KeyboardInterrupt
    return run


def wrong_in(witness: Execution | None) -> Violation | None:
    """What went wrong in an execution."""
    return witness.violations[0] if witness is not None and witness.violations else None


def answered(test: LitmusTest, run: Run, part: bool = False) -> LitmusResult:
    """What a finished run says about a test's question, or one that could go on (`part`). Raises as `judged` does."""
    found = found_by(run, cuts=False)
    return judged(test, run.problem, found, wrong_in(found.witness), part)


def judged(test: LitmusTest, asked: Problem, found: Found, wrong: Violation | None, part: bool = False) -> LitmusResult:
    """What was found says about a test's question; `wrong`: what went wrong inside an execution, the first one.

    `part`: there is more to explore, and it is stopped if the verdict is known.
    Raises UnsupportedError and LimitError where it says nothing.
    """
    _check(asked, found, wrong)
    model = asked.asked
    states: dict[str, int] = {}
    order: list[tuple[tuple[object, ...], str]] = []
    positive = negative = 0
    waits: dict[str, None] = {}
    flags = {constraint.name for constraint in model.constraints if constraint.undefined}
    undefined = not flags.isdisjoint(found.flags)
    required = test.liveness or test.question.kind == "Required"
    stopped: Literal["timeout", "decided"] | None = "timeout" if found.stopped else "decided" if part else None
    for outcome in found.outcomes:
        if stopped and len(states) >= ENOUGH and (undefined or (negative if required else positive)):
            break
        state = test.state(outcome.state)
        told = test.waiting(state)
        waits |= dict.fromkeys(told)
        if told and test.liveness:
            negative += outcome.count
            continue
        if not test.counts(state):
            continue
        shown = show_state(state, test.displayed)
        if shown not in states:
            order.append((tuple(_order(state[item]) for item in test.displayed), shown))
        states[shown] = states.get(shown, 0) + outcome.count
        if test.liveness or test.satisfies(state):
            positive += outcome.count
        else:
            negative += outcome.count
    if test.liveness:
        negative += found.counters["stuck"]
    if test.liveness or test.barriers:
        waits |= dict.fromkeys(place.replace(" at ", " waits for ever at ", 1) for place in found.waits)
    result = LitmusResult(
        test.name,
        test.source.name,
        test.arch,
        model.name,
        "Required" if test.liveness else test.question.kind,
        ENDS if test.liveness else str(test.question),
        positive=positive,
        negative=negative,
        states=tuple((shown, states[shown]) for _, shown in sorted(order)),
        flags=tuple(found.flags),
        waits=tuple(sorted(waits)),
        stopped=stopped,
        thin_air=not (negative if required else positive) and may_justify_itself(asked),
    )
    validated = negative == 0 if test.liveness else test.question.validated(positive, negative)
    verdict: Verdict | None = "Ok" if validated else "No"
    if undefined:
        verdict = "Undef"
    elif stopped and (flags or not (negative if required else positive)):
        verdict = None
    return replace(result, decided=verdict) if stopped else replace(result, verdict=verdict)


def _check(asked: Problem, found: Found, wrong: Violation | None) -> None:
    """Raises what went wrong inside an execution."""
    source = asked.code.source
    if wrong is not None:
        raise UnsupportedError(f"in an execution: {wrong.message}", source, wrong.position)
    if not found.outcomes_complete:
        raise LimitError("there are too many final states", file=source.name)


def _order(value: FinalValue) -> tuple[object, ...]:
    """Numbers first, then addresses by their names."""
    if isinstance(value, tuple):
        return (2, tuple(_order(part) for part in value))
    return (0, value) if isinstance(value, int) else (1, value.name, value.index)
