"""Whether what a file says of itself is so. Each claim is answered as `xgen check` answers it alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from xgen.analyses.check.check import check
from xgen.analyses.claims.options import model_path
from xgen.analyses.claims.read import Claim, read_claims
from xgen.clock import Clock, OutOfTime, time_limit
from xgen.engine.problem import problem
from xgen.errors import (
    InternalError,
    ProgramError,
    Source,
    TooLongError,
    UsageError,
    XgenError,
    described,
    nearest,
    own_error,
)
from xgen.executions.execution import Execution, show_value
from xgen.executions.result import Result
from xgen.memory.algebra import Model
from xgen.memory.library import load_model
from xgen.program.automaton import Program
from xgen.records import dataclass, replace
from xgen.sources import read_source

Load = Callable[..., Program]
"""Reads the program in a file, as `xgen.load` does."""


NO_TIME = "the time was over"


@dataclass(frozen=True)
class Checked:
    """A claim, whether it is kept (None: there is no answer), and what is so instead.

    `number` is what its count would have to be, if that alone is wrong. `witness`: the execution that goes wrong, where
    it should not, or not like this.
    """

    claim: Claim
    kept: bool | None
    found: str = ""
    number: int | None = None
    seconds: float = 0.0
    witness: Execution | None = None


@dataclass(frozen=True)
class FileChecked:
    """A file: its claims that were looked at, and what could not be read. `mistakes` are xgen's own."""

    file: str
    checked: tuple[Checked, ...] = ()
    errors: tuple[XgenError, ...] = ()
    mistakes: tuple[str, ...] = ()

    @property
    def silent(self) -> bool:
        """Whether it claims nothing."""
        return not (self.checked or self.errors or self.mistakes)


def check_file(file: str, load: Load, timeout: float | None = None) -> FileChecked:
    """What comes of the claims of a file. Never raises an Exception; Ctrl-C ends it."""
    clock = Clock(timeout)
    try:
        source = read_source(file)
        claims, errors = read_claims(source)
    except XgenError as error:
        return FileChecked(file, (), (error,))
    checker = _Checker(file, source, load, clock)
    checked, mistakes = list[Checked](), list[str]()
    for claim in claims:
        start = clock.seconds
        try:
            with time_limit(clock.hard):
                if clock.over():
                    raise OutOfTime
                found = checker.check(claim)
        except OutOfTime:
            checked.append(Checked(claim, None, NO_TIME, seconds=clock.seconds - start))
            continue
        except TooLongError as error:
            checked.append(Checked(claim, None, error.message, seconds=clock.seconds - start))
            continue
        except InternalError as error:
            mistakes.append(own_error(error.message))
            continue
        except XgenError as error:
            errors.append(_placed(error, source, claim))
            continue
        except (RecursionError, MemoryError) as error:
            why = "is nested too deeply" if isinstance(error, RecursionError) else "takes more memory than there is"
            errors.append(ProgramError(f"what is claimed of {why}", source, claim.position))
            continue
        except Exception as error:
            mistakes.append(own_error(described(error)))
            continue
        checked.append(replace(found, seconds=clock.seconds - start))
    different = {str(error): error for error in errors}
    return FileChecked(file, tuple(checked), tuple(different.values()), tuple(dict.fromkeys(mistakes)))


def _placed(error: XgenError, source: Source, claim: Claim) -> XgenError:
    """An error that has no place of its own is one of the claim."""
    if error.line is not None or error.file is not None:
        return error
    return ProgramError(error.message, source, claim.position, error.hint)


class _Checker:
    """Answers the claims of a file; what several of them need is read and explored once."""

    def __init__(self, file: str, source: Source, load: Load, clock: Clock) -> None:
        self._file, self._source, self._load, self._clock = file, source, load, clock
        self._model = cache(load_model)
        self._programs: dict[str, Program] = {}
        self._results: dict[str, Result] = {}

    def check(self, claim: Claim) -> Checked:
        """Whether a claim is kept. Raises OutOfTime, KeyboardInterrupt, and XgenErrors."""
        if self._file.endswith(".litmus"):
            return self._of_test(claim)
        program = self._program(claim)
        if claim.kind == "prove":
            return self._proved(claim, program)
        if program.many is not None:
            raise UsageError("this program is for any number of processes", hint="it is claimed `prove tso: safe`")
        assert claim.model is not None
        model = self._model(model_path(claim.model, self._file))
        result = self._result(claim, program, model)
        if claim.kind == "verdict":
            return _verdict(claim, result)
        if claim.kind in ("allows", "forbids"):
            _refuse_unknown_names(claim, problem(program, model).final_values)
        return _outcomes(claim, result)

    def _program(self, claim: Claim) -> Program:
        how = claim.asked.reading_of(self._file)
        key = repr(how)
        if key not in self._programs:
            self._programs[key] = self._load(self._file, **how)
        return self._programs[key]

    def _result(self, claim: Claim, program: Program, model: Model) -> Result:
        """What a check finds for the claim: of all executions, where it says how many there are of something."""
        every = claim.kind != "verdict" or claim.count is not None
        key = repr((claim.model, claim.asked, every))
        if key not in self._results:
            how = {**claim.asked.question, "all_states": every, "trace_limit": 0}
            result = check(program, model, **how, timeout=self._clock.left())
            if result.stopped == "interrupt":
                raise KeyboardInterrupt
            if result.stopped == "timeout":
                raise OutOfTime
            self._results[key] = result
        return self._results[key]

    def _proved(self, claim: Claim, program: Program) -> Checked:
        assert claim.model is not None
        model, timeout = claim.model, self._clock.left()
        how: dict[str, Any] = dict(claim.asked.proving)
        for name in how:
            if (name == "limit") != (program.many is None):
                raise UsageError(f"`{name}` is no option of proofs of such programs")
        if program.many is not None:
            from xgen.analyses.parameterised.prove_system import prove_system
            from xgen.frontends.cub import system_of

            found = prove_system(system_of(program), model, **how, timeout=timeout)
            verdict: str = found.verdict
        else:
            from xgen.analyses.prove import prove

            proof = prove(
                program, self._model(model_path(model, self._file)), deadlock=claim.deadlock, **how, timeout=timeout
            )
            ended = proof.verdict == "unknown" and (proof.reason or "").startswith(("interrupted", "the time is over"))
            verdict = "interrupted" if ended else proof.verdict
        if verdict == "interrupted":
            raise OutOfTime if self._clock.over() else KeyboardInterrupt
        return Checked(claim, verdict == claim.value, verdict)

    def _of_test(self, claim: Claim) -> Checked:
        from xgen.analyses.suite.suite import run_file

        model = None if claim.model is None else model_path(claim.model, self._file)
        result = run_file(self._file, model, self._clock.left())
        if result.own_error:
            raise InternalError(result.error or "")
        if result.stopped == "timeout":
            raise OutOfTime
        if result.error or result.unsupported:
            raise ProgramError(result.error or result.unsupported or "", self._source, claim.position)
        verdict = "no answer" if result.vacuous else str(result.verdict)
        if claim.kind == "verdict":
            return Checked(claim, verdict == claim.value, verdict)
        found = f"{result.observation} {result.positive} {result.negative}"
        kept = verdict != "no answer" and claim.value in (result.observation, found)
        return Checked(claim, kept, found)


def _verdict(claim: Claim, result: Result) -> Checked:
    verdict = "safe within the bound" if result.verdict == "safe-within-bound" else str(result.verdict)
    if result.vacuous or result.stopped is not None:
        verdict = "no answer"
    kinds = [violation.kind for violation in result.witness.violations] if result.witness else []
    allowed = {claim.value}
    if claim.value == "safe within the bound" or (claim.value == "safe" and claim.asked.bounded):
        allowed = {"safe", "safe within the bound"}
    met = verdict in allowed and (claim.violation is None or claim.violation in kinds)
    told = " ".join([verdict, *(dict.fromkeys(kinds) if claim.violation else ())])
    witness = None if met or result.witness is None or not kinds else result.witness
    if claim.count is None:
        return Checked(claim, met, told, witness=witness)
    number = f"{result.executions} execution{'s' * (result.executions != 1)}"
    told += f", {'' if result.counted else 'at least '}{number}"
    right = result.counted and result.executions == claim.count
    number_alone = result.executions if met and result.counted and not right else None
    return Checked(claim, met and right, told, number_alone, witness=witness)


def _refuse_unknown_names(claim: Claim, known: list[str]) -> None:
    for name in claim.state:
        if name not in known:
            hint = nearest(name, known) or f"there {'are ' + ', '.join(known) if known else 'is nothing else'}"
            raise UsageError(f"there is no `{name}` among the final values", hint=hint)


def _outcomes(claim: Claim, result: Result) -> Checked:
    if result.vacuous or result.stopped is not None:
        return Checked(claim, False, "no answer")
    if not result.outcomes_complete or (result.cut and not claim.asked.bounded):
        return Checked(claim, False, "not all executions are explored")
    states = [outcome.state for outcome in result.outcomes]
    if claim.kind == "outcomes":
        number, claimed = len(states), int(claim.value)
        said = f"{number} outcome{'s' * (number != 1)}"
        return Checked(claim, number == claimed, said, number if number != claimed else None)
    found = next((state for state in states if claim.state.items() <= state.items()), None)
    if claim.kind == "allows":
        return Checked(claim, found is not None, "there is no such outcome")
    values = "" if found is None else ", ".join(f"{name} = {show_value(value)}" for name, value in found.items())
    return Checked(claim, found is None, f"there is the outcome {values}")
