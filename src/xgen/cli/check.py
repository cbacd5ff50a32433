"""`xgen check`: can the program go wrong under the memory model?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import fields
from functools import partial, wraps
from pathlib import Path
from typing import Any, Literal, NoReturn, get_args

import click

import xgen
from xgen.analyses.check import question
from xgen.analyses.check.question import Question
from xgen.analyses.check.result import nothing_found
from xgen.cli import files, options, output
from xgen.cli.progress import progress_line
from xgen.cli.shared import failures, loading, machines, pictures, tests
from xgen.cli.shared.mending import next_command
from xgen.cli.shared.real_lock import replayed
from xgen.clock import GRACE, Clock, OutOfTime, time_limit
from xgen.errors import UsageError
from xgen.exclusions import Excludes, Needs
from xgen.executions.answer import Answer
from xgen.executions.result import Result, Schedule
from xgen.frontends.limits import REUSED
from xgen.frontends.testing import asks_about_waiting
from xgen.records import dataclass, replace
from xgen.resources import short
from xgen.room import limited_memory
from xgen.shipped import find_claim, find_program, is_task
from xgen.sources import COMPILED, recorded, shown
from xgen.tags import EVERY_MACHINE
from xgen.views.answers import text
from xgen.views.answers.adequacy.coverage import coverage_to_lcov
from xgen.views.findings import Finding, Form, of_result

EPILOG = """\b
Examples:
  xgen check peterson --mcm tso
  xgen check mine.xcfa --mcm weak --max-depth 8 --dot pictures
  xgen check mine.xcfa --mcm mine.mcm --all-states --format json
  xgen check tests/queue.rs -p . --test pops
  xgen check tests/queue.cpp -p build --test Queue.Pops

\b
Exit codes:
  0  safe, as far as explored
  1  violation
  2  bad usage or input
  3  no answer: interrupted, out of time, no execution completes, one is longer than xgen can build, cut by the bound
     with --complete, or --sample without a violation
"""


@dataclass(frozen=True)
class Answering:
    """How much of an answer is printed, in which form, and what counts as one: what the options of `answering` say."""

    form: str
    explain: bool
    quiet: bool
    verbose: bool
    complete: bool
    errors: Form | None
    junit: Path | None
    sarif: Path | None

    def prepare(self, program: str, model: str) -> None:
        """See that what is asked for can be written, from now on also if it is only that something is wrong."""
        if self.junit is not None:
            files.prepare(self.junit)
        if self.sarif is not None:
            files.prepare(self.sarif)
            click.get_current_context().meta[failures.SARIF] = self.sarif, f"xgen/{model}/{_named(program)}"


def answering(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a command that says what a check has found. It gets them as `told`, an `Answering`."""

    @wraps(command)
    def wrapped(*args: Any, **values: Any) -> Any:
        own = {name: values.pop(name) for name in Answering.__dataclass_fields__}
        return command(*args, told=Answering(**own), **values)

    decorated: Callable[..., Any] = wrapped
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


_OPTIONS = (
    options.form,
    click.option("--explain", is_flag=True, help="Say why a violation is allowed, or what forbids it."),
    click.option("--quiet", "-q", is_flag=True, help="Print the verdict only."),
    click.option("--verbose", "-v", is_flag=True, help="Print all outcomes, all warnings and the speed."),
    click.option("--complete", is_flag=True, help="Exit with 3 if the answer holds within a bound only."),
    options.errors,
    click.option("--junit", type=options.PATH, metavar="FILE", help="Write a report in JUnit's XML."),
    click.option("--sarif", type=options.PATH, metavar="FILE", help="Write what goes wrong there, as SARIF 2.1.0."),
)


FIELDS = {option.name for option in fields(Question)} - {"timeout", "trace_limit", "on_progress", "coverage"}
NAMES = {"no_spin": "unroll", "unroll": "rounds", "trace_limit": "pictures"}
"""What the rules and the question call options that have another name here; `--unroll` is not what they call so."""
ALL = (
    "accept",
    "engine sat",
    "coverage",
    "weaken",
    "liveness",
    *question.SCHEDULES,
    "symmetry",
    "cones",
    "filter final",
    "workers",
    "sample",
    "seed",
    *question.CLASSES,
    *question.LONG,
)
SAID = (*pictures.FILES, "junit", "sarif", "show", "full_witness", "explain", "quiet", "verbose", "complete")
RULES = (
    *question.RULES,
    Excludes(
        "dump code",
        ("max_depth", "all_states", "unroll", "classes off", *ALL, "estimate", *SAID, "pictures", "form json"),
        "it prints the program as it is lowered, and checks nothing",
    ),
    Excludes(
        "list_tests",
        ("max_depth", "all_states", "unroll", "classes off", *ALL, "estimate", "dump code", *SAID, "pictures"),
        "it lists what can be checked, and checks nothing",
    ),
    Needs("lib", ("build",), "the library is that of a cargo project"),
    Excludes("estimate", (*ALL, *SAID), "it only says how much there is to explore"),
    Excludes("quiet", ("verbose",), "the one asks for less, the other one for more"),
    *(
        Excludes(schedule, ("explain",), "an execution is explained where all threads make progress")
        for schedule in question.SCHEDULES
    ),
    *pictures.RULES,
    *options.RULES_OF_C,
    *machines.RULES,
    Excludes("leaks", ("reuse",), REUSED),
)
"""Which options exclude which. `--trace-limit` is only a bound: without pictures, nothing comes near it."""


def asking(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that a `Question` is made of, but for its time. The command gets those that are given as `asked`."""

    @wraps(command)
    def wrapped(*args: Any, **values: Any) -> Any:
        named = {NAMES.get(name, name): name for name in values}
        asked = {name: values.pop(own) for name, own in named.items() if name in FIELDS}
        return command(*args, asked=asked, **values)

    decorated: Callable[..., Any] = wrapped
    for option in reversed(_ASKED):
        decorated = option(decorated)
    return decorated


_ASKED = (
    options.max_depth,
    click.option(
        "--no-spin", is_flag=True, help="Explore every round of loops that only wait, or only retry (with --max-depth)."
    ),
    click.option("--all-states", is_flag=True, help="Explore everything instead of stopping at the first violation."),
    click.option(
        "--liveness/--no-liveness",
        default=None,
        help="Threads that wait for ever are a violation, too.  [default: off; on for CUDA, HIP, --kernel, --cfg loom]",
    ),
    click.option(
        "--schedule",
        type=click.Choice(get_args(Schedule)),
        default="fair",
        show_default=True,
        help="With --liveness, which it turns on: which threads (of GPUs: blocks) make progress. Each (fair), those "
        "that have begun (obe), these and all before them (lobe), the first that has not ended (hsa).",
    ),
    click.option(
        "--engine",
        type=click.Choice(["graphs", "sat"]),
        default="graphs",
        show_default=True,
        help="Explore executions (graphs), or let a solver say whether one goes wrong (sat): inputs without "
        "--nondet are any number then.",
    ),
    click.option(
        "--classes",
        type=click.Choice(["off", "rf", "values", "seen", "auto"]),
        default="auto",
        show_default=True,
        help="Visit one of all executions with the same reads-from (rf; the others are counted), in which reads read "
        "the same (values), or which no thread can tell apart (seen); auto: executions, and where these are many and "
        "only the verdict is asked, classes in turns with them; off: executions only.",
    ),
    click.option(
        "--cones",
        is_flag=True,
        help="Only the verdict, part by part: each thread and each pair that may race, with what they depend on.",
    ),
    click.option(
        "--symmetry/--no-symmetry",
        default=True,
        show_default=True,
        help="With --classes: those that differ by the names of like threads are one, too.",
    ),
    options.workers("Threads to explore with."),
    options.long_runs("Processes to explore with; of several tests, to check them with."),
    options.checkpoint,
    click.option(
        "--filter",
        type=click.Choice(["in-situ", "final"]),
        default="in-situ",
        show_default=True,
        help="Drop forbidden executions early (in-situ), or at the end (slow; for comparison).",
    ),
    click.option(
        "--sample",
        type=int,
        callback=options.within(1, 10**9),
        metavar="N",
        help="Only N executions at random: what is found is real, but nothing is proved; estimates what there is.",
    ),
    click.option(
        "--seed",
        type=int,
        callback=options.within(0, 2**63 - 1),
        metavar="K",
        help="With --sample: the same seed, the same samples.  [default: 1]",
    ),
    click.option(
        "--weaken",
        is_flag=True,
        help="Of a safe program: weaken each order alone, take each fence out alone, and say which the test notices.",
    ),
    click.option(
        "--accept",
        multiple=True,
        metavar="KIND@FILE:LINE",
        help="A known finding, which is no violation: race@queue.c:12. It can be given several times.",
    ),
)


_LEAKS = options.for_load(
    ("leaks",),
    (
        click.option(
            "--leaks", is_flag=True, help="C, C++, Rust: memory that nothing leads to at the end is a violation, too."
        ),
    ),
    lambda given: given if given["leaks"] else {},
)


@click.command(
    "check",
    cls=options.OfPrograms,
    short_help="Say whether PROGRAM can go wrong.",
    epilog=EPILOG,
    options_metavar="[--mcm MODEL] [OPTIONS]",
)
@click.argument("program", required=False)
@options.mcm(f"The memory model: a .mcm or .cat file, or a shipped one.  [default: a litmus test's; {options.USUAL}]")
@asking
@options.c_programs
@options.rust_programs
@options.kernels
@pictures.options
@answering
@options.timeout("Stop after S seconds.")
@options.progress
@click.option(
    "--coverage",
    is_flag=False,
    flag_value="",
    metavar="[=FILE.info]",
    help="Say which lines no execution comes to; with --coverage=FILE.info also for lcov and editors.",
)
@click.option("--estimate", is_flag=True, help="Only estimate the number of executions and the time, by probing.")
@click.option("--dump", type=click.Choice(["code"]), help="Print the lowered program; check nothing.")
@click.option(
    "--list-tests", is_flag=True, help="Rust, C++: list the tests of the file, or of the project; check nothing."
)
@_LEAKS
@click.option("--lib", is_flag=True, help="Rust: of a project (-p) only the tests of its library.")
def command(
    program: str | None,
    model: str | None,
    asked: dict[str, Any],
    c_options: dict[str, Any],
    drawings: pictures.Drawings,
    told: Answering,
    timeout: float | None,
    progress: bool,
    coverage: str | None,
    estimate: bool,
    dump: str | None,
    list_tests: bool,
    lib: bool,
) -> None:
    """Check whether PROGRAM can go wrong under a memory model.

    What can go wrong: an assertion, an error location, an overflow, a division by zero, an index out of range, a
    mutex, and a data race where the model gives racy programs no meaning (rc11). PROGRAM is a file, or the name of a
    shipped program. Of Rust and C++ (GoogleTest, doctest, Catch2, Boost.Test), tests are programs, too: those of a file
    that has no main, and without PROGRAM those of the cargo project, or of the build of C++, that -p names.
    """
    options.refuse(RULES, NAMES)
    asked["liveness"] = _liveness(program, c_options, asked, checks=not (dump or estimate or list_tests))
    checkpoint: Path | None = asked["checkpoint"]
    if checkpoint is not None and checkpoint.exists():
        from xgen.engine.distributed.run_file import taken  # long to import

        raise taken(checkpoint)
    program = _one_of(tests.Asked(program, c_options, list_tests, lib), model, asked, told, timeout)
    clock = Clock(timeout)
    if dump:
        with time_limit(clock.left()):
            output.emit(_dump(xgen.load(find_program(program), **c_options), model))
        return
    if model is None:
        xgen.load(find_claim(program), **c_options)
        options.missing_model()
    told.prepare(program, model)
    line = progress_line(progress)
    path = find_program(program)
    if asked["unroll"] and (path.suffix in COMPILED or is_task(program)):
        c_options["retries"] = False
    if asked["engine"] == "sat" and (path.suffix in COMPILED or is_task(program)) and "nondet" not in c_options:
        c_options["any_input"] = True
    if c_options.get("map") == EVERY_MACHINE:
        del c_options["map"]
        click.get_current_context().exit(machines.check_everywhere(program, asked, c_options, told, clock, line))
    try:
        with time_limit(clock.left()), recorded() as texts:
            with limited_memory(asked["memory_limit"], f"reading {path.name}"):
                loaded = loading.load(path, c_options, clock.left())
            memory_model = xgen.model(model)
        # A run that is kept ends by itself, with its last commit.
        with time_limit(clock.hard if checkpoint is None else None), line or nullcontext():
            if estimate:
                output.emit(_estimate(loaded, memory_model, asked, clock, told.form))
                return
            drawings.prepare()
            drawings.drawn(memory_model)
            if coverage:
                _prepare(Path(coverage))
            if checkpoint is not None:
                asked["about"] = {
                    "program": str(path),
                    "model": model,
                    "c_options": c_options,
                    "options": Question(**asked).kept(),
                    "texts": texts,
                }
            result = xgen.check(
                loaded,
                memory_model,
                **asked,
                coverage=coverage is not None,
                timeout=clock.left(),
                trace_limit=drawings.executions(asked["all_states"]),
                dependencies=drawings.asked or told.explain,
                on_progress=line,
            )
            result = replayed(result, path, memory_model, asked, c_options, clock)
    except (OutOfTime, KeyboardInterrupt) as error:  # before the exploration, which sees to both itself
        if estimate or (isinstance(error, KeyboardInterrupt) and told.form != "json"):
            raise  # there is one word for it
        _end_early(error, program, model, asked, c_options, clock, told, drawings)
    answer(result, loaded, memory_model, drawings, told, clock, Path(coverage) if coverage else None)


def _liveness(program: str | None, c_options: dict[str, Any], asked: dict[str, Any], checks: bool) -> bool:
    """Whether it is a violation that threads wait for ever. `checks`: the program is to be checked."""
    schedule, given = asked["schedule"], asked["liveness"]
    if schedule != "fair" and given is False:
        raise UsageError(f"--schedule {schedule} cannot be used with --no-liveness: it is about threads that wait")
    why = _lively(program, c_options) if given is None else None
    if why is not None and checks:
        options.refuse(question.RULES, NAMES, {"liveness": f"--liveness, which {why} turns on (--no-liveness)"})
    return bool(given or why or schedule != "fair")


def _lively(program: str | None, c_options: dict[str, Any]) -> str | None:
    """What asks without a word whether threads wait for ever, if anything does."""
    try:
        name = "" if program is None else find_program(program).name
    except xgen.XgenError:  # which is told where it is read
        name = ""
    return asks_about_waiting(name, c_options)


def _one_of(asks: tests.Asked, model: str | None, asked: dict[str, Any], told: Answering, timeout: float | None) -> str:
    """The program that is asked about. Where several tests are, or they are to be listed, that is done instead."""
    context = click.get_current_context()
    as_cargo = context.find_root().obj == "cargo test" and asks.wanted
    if asks.several or as_cargo:
        code = partial(exit_code, complete=told.complete)
        each = {**asked, "processes": None}
        reports = told.junit, told.sarif, asked["processes"]
        how = tests.How(model, each, timeout, told.form, told.errors, code, *reports, as_cargo)
        context.exit(tests.run(asks, how))
    return asks.root if asks.program is None else asks.program


def _end_early(
    error: OutOfTime | KeyboardInterrupt,
    program: str,
    model: str,
    asked: dict[str, Any],
    c_options: dict[str, Any],
    clock: Clock,
    told: Answering,
    drawings: pictures.Drawings,
) -> NoReturn:
    """Says that there is no answer, as it was stopped before there was anything to explore."""
    checkpoint: Path | None = asked["checkpoint"]
    stopped: Literal["timeout", "interrupt"] = "timeout" if isinstance(error, OutOfTime) else "interrupt"
    name, given, project = str(find_program(program)), c_options.get("constants", ()), c_options.get("build")
    others = tuple(map(str, c_options.get("others", ())))
    seconds, bound = clock.seconds, asked["max_depth"]
    none = nothing_found(name, model, bound, seconds, stopped, given, project=project, others=others)
    if is_task(program):
        none = replace(none, answer=Answer("unknown", c_options.get("property")))
    if checkpoint is not None and not checkpoint.exists():
        why = f"{checkpoint} was not written: nothing was explored that `xgen resume` could go on from"
        none = replace(none, warnings=(*none.warnings, why))
    report(none, told, drawings.full_witness)
    _write_reports(none, told, [], _named(program))
    click.get_current_context().exit(3)


def _prepare(coverage: Path) -> None:
    """Sees that the file of `--coverage` can be written, and is no program that stands behind the option."""
    if coverage.suffix != ".info":
        hint = "--coverage=FILE.info names a file; without one, --coverage stands behind PROGRAM, or before an option"
        raise UsageError("what --coverage writes is a file whose name ends in .info", file=str(coverage), hint=hint)
    files.prepare(coverage)


def answer(
    result: Result,
    program: xgen.Program,
    model: xgen.Model,
    drawings: pictures.Drawings,
    told: Answering,
    clock: Clock,
    coverage: Path | None = None,
) -> None:
    """Prints a result, draws it, explains it, and exits. `coverage`: the file for the lines that executions come to.

    That is done even if the time is over or the run was interrupted, but not for long.
    """
    rest = Clock(GRACE if result.stopped in ("timeout", "interrupt", "lost") else clock.left(GRACE))
    if (told.form == "json" or told.verbose) and result.run is None:
        result = _with_outcomes(result, rest)
    if result.witness is not None and result.stopped is None and not told.quiet:
        result = replace(result, witness=_with_trial(result.witness, program, model, result, rest))
    found = of_result(result, program.requirement)
    if result.answer is not None and result.answer.says == "true":
        found = []
    failures.print_beside(found, told.errors, shown=told.form != "json" and not told.quiet)
    report(result, told, drawings.full_witness)
    if coverage is not None and result.coverage is not None:
        files.write(coverage, coverage_to_lcov(result.coverage))
    try:
        with time_limit(rest.hard):
            _write_reports(result, told, found, short(program.source.name))
            for sentence in drawings.write(result, model, rest):
                if not told.quiet:
                    _say(sentence, told.form)
            if told.explain:
                _say(_explanation(program, model, result, rest), told.form)
    except OutOfTime:
        output.complain("out of time: not all is drawn and explained")
    if told.form != "json" and not told.quiet:
        _end(result, program, model, rest)
    click.get_current_context().exit(exit_code(result, told.complete))


def _end(result: Result, program: xgen.Program, model: xgen.Model, clock: Clock) -> None:
    """After a long report on a terminal, the verdict again; after a violation that can be mended, how that is found."""
    again = text.verdict_line(result) if output.scrolled() else None
    mending = None
    by_fences = result.answer is None and result.schedule == "fair"  # which wake no thread
    if result.witness is not None and by_fences and result.stopped is None and _is_check():
        mending = next_command(program, model, clock, result.witness) or smaller(program, result.witness)
    lines = [line for line in (again, f"next: {mending}" if mending else None) if line is not None]
    if lines:
        output.emit("\n" + "\n".join(lines))


def smaller(program: xgen.Program, witness: xgen.Execution) -> str | None:
    """What makes a program small enough to look for what mends it, where it lacks orders and was too long for that."""
    missing = [violation.missing for violation in witness.violations if violation.missing is not None]
    if not missing or any(each.trial is not None for each in missing):
        return None
    from xgen.frontends.constants import hint_for  # rarely needed

    smaller = hint_for(program)
    if smaller is None or not smaller.startswith("try "):
        return None
    return f"{smaller}: xgen then checks whether the order that is missing is enough"


def _is_check() -> bool:
    """Whether what was asked stands on the command line, and not in the checkpoint of a run."""
    return click.get_current_context().command is command


def exit_code(result: Result, complete: bool) -> int:
    """0 safe, 1 violation, 3 no answer; `complete` asks for an answer about all executions. Of a property: 0 true, 1
    false, 3 unknown."""
    if result.answer is not None:
        return {"true": 0, "false": 1, "unknown": 3}[result.answer.says]
    if result.verdict == "violation":
        return 1
    if result.verdict == "interrupted" or result.vacuous or (complete and not result.exhaustive):
        return 3
    return 0


def _write_reports(result: Result, told: Answering, found: Sequence[Finding], program: str) -> None:
    """Writes what was found to the files that it was asked in."""
    if told.sarif is not None:
        from xgen.views import sarif

        files.write(told.sarif, sarif.of_result(result, found, program))
    if told.junit is not None:
        from xgen.views.junit import render_result

        files.write(told.junit, render_result(program, result))


def _named(program: str) -> str:
    """A program as people read it, before it is read."""
    try:
        return short(shown(str(find_program(program))))
    except xgen.XgenError:  # which reading it will say
        return program


def report(result: Result, told: Answering, full_witness: bool) -> None:
    """Prints a result."""
    if told.form == "json":
        from xgen.views.answers import json  # long to import

        output.emit_all(json.pieces(result))
    elif told.quiet:
        output.emit(text.verdict_line(result))
    else:
        paint = output.terminal_paint()
        output.emit(text.render(result, paint, full_witness=full_witness, verbose=told.verbose))


def _with_trial(
    witness: xgen.Execution, program: xgen.Program, model: xgen.Model, result: Result, clock: Clock
) -> xgen.Execution:
    """The witness that also says whether the program is safe with the orders that its race lacks, if there is time."""
    from xgen.analyses.trial import tried  # long to import

    try:
        with time_limit(clock.hard):
            return tried(
                witness,
                program,
                model,
                max_depth=result.max_depth,
                liveness=result.liveness,
                timeout=clock.left(),
            )
    except (OutOfTime, KeyboardInterrupt):
        return witness


def _with_outcomes(result: Result, clock: Clock) -> Result:
    """The result with its outcomes made, of which there can be a million, or as many as there is time for."""
    made = []
    for outcome in result.outcomes:
        made.append(outcome)
        if len(made) % 1000 == 0 and clock.over():
            return replace(result, outcomes=made, outcomes_complete=False)
    return replace(result, outcomes=made)


def _say(sentence: str, form: str) -> None:
    """What is said after the result; beside JSON, on standard error."""
    if form == "json":
        output.complain(sentence)
    else:
        output.emit("\n" + sentence)


def _explanation(program: xgen.Program, model: xgen.Model, result: Result, clock: Clock) -> str:
    """Why the model allows the violation that was found, or why there is none."""
    from xgen.analyses.explain import explain_result
    from xgen.views.answers.explain import render

    left = clock.left()
    found = explain_result(program, model, result, timeout=10.0 if left is None else left)
    return render(found, output.terminal_paint())


def _estimate(program: xgen.Program, model: xgen.Model, asked: dict[str, Any], clock: Clock, form: str) -> str:
    from xgen.views.answers.estimate import render, render_json

    left = clock.left()
    seconds = 2.0 if left is None else min(2.0, left / 2)
    found = xgen.estimate(program, model, max_depth=asked["max_depth"], unroll=asked["unroll"], seconds=seconds)
    return render_json(found) if form == "json" else render(found, asked["max_depth"])


def _dump(program: xgen.Program, model: str | None) -> str:
    """The code of a program, as it is for a model if there is one."""
    from xgen.engine.problem import problem
    from xgen.lowering.dump import dump_code
    from xgen.lowering.threads import lower

    return dump_code(lower(program) if model is None else problem(program, xgen.model(model), parts=True).code).rstrip(
        "\n"
    )
