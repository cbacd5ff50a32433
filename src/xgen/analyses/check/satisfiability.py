"""A check by satisfiability: the verdict of a solver, as the result of a check."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from xgen.analyses.check.properties import answered_by_sat
from xgen.analyses.check.question import Question
from xgen.analyses.check.result import peak_kib
from xgen.analyses.missing import with_missing
from xgen.analyses.warnings import notes
from xgen.clock import Clock
from xgen.engine.orders import untranslated
from xgen.engine.problem import Problem, problem
from xgen.engine.sat.decide import Decision, decide
from xgen.executions.result import Result, Verdict
from xgen.lowering.code import Code
from xgen.memory.algebra import Model
from xgen.program.automaton import Location, Program

MOST = 12
"""Places, or inputs, that are named."""


def check_by_sat(program: Program, model: Model, question: Question) -> Result:
    """What `check` gives with `engine="sat"`. Raises UsageError without the package that it needs, UnsupportedError for
    what is not encoded."""
    clock = Clock(question.timeout)
    asked = problem(program, model, private=True, asker="`--engine sat`")
    found = decide(asked, clock, question.symmetry)
    witness = None if found.witness is None else with_missing(found.witness, asked.model)
    result = Result(
        program=Path(asked.code.source.name).name,
        model=model.name,
        verdict=_verdict(found),
        outcomes_complete=False,
        witness=witness,
        violations=int(witness is not None),
        seconds=clock.seconds,
        peak_kib=peak_kib(),
        stopped=found.stopped,
        cut=bool(found.cuts),
        counted=False,
        sat=found.numbers,
        headers=program.headers,
        ignored=program.ignored,
        constants=program.constants,
        map=untranslated(program),
        warnings=(*notes(asked), *_inputs(asked.code, found), *_cuts(asked, found)),
    )
    return answered_by_sat(result, program)


def _verdict(found: Decision) -> Verdict:
    if found.stopped is not None:
        return "interrupted"
    if found.witness is not None:
        return "violation"
    if not found.completes:
        return "vacuous"
    return "safe-within-bound" if found.cuts else "safe"


def _place(code: Code, pc: int) -> str:
    """Where an instruction is; where a loop starts that has no place of its own, where its first statement is."""
    while isinstance(code.sites[pc].part, Location) and pc + 1 < len(code.sites):
        pc += 1
    return f"line {code.sites[pc].position.line}"


def _inputs(code: Code, found: Decision) -> Iterator[str]:
    """What the inputs are with which it goes wrong."""
    for each in found.inputs[:MOST]:
        word = f" (without a sign {each.value + 2**64})" if each.value < 0 and each.whole else ""
        yield f"note: {code.threads[each.thread].name} gets {each.value}{word} at {_place(code, each.pc)}"
    if len(found.inputs) > MOST:
        yield f"note: {len(found.inputs) - MOST} more numbers were chosen"


def _cuts(asked: Problem, found: Decision) -> Iterator[str]:
    """Where a bound stops threads."""
    for pc in found.cuts[:MOST]:
        yield f"the bound on rounds stops a thread at {_place(asked.code, pc)}: --unroll N allows N rounds"
    if found.cuts and not found.completes:
        yield "no execution completes within the bound: what can go wrong later is not seen"
