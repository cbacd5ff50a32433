"""One question about a text, answered in a process of its own: it has a time limit, and may be ended at any moment."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from multiprocessing.connection import Connection

import xgen
from xgen.analyses.claims.options import Asked, model_path
from xgen.analyses.claims.read import read_options, says_something
from xgen.analyses.fences.c_text import has_c_text
from xgen.analyses.fences.texts import text_of
from xgen.analyses.orders import spot_of_event
from xgen.analyses.suite.suite import run_file
from xgen.analyses.trial import tried
from xgen.clock import Clock, OutOfTime, time_limit
from xgen.errors import ProgramError, XgenError, described, own_error
from xgen.executions.execution import INITIAL, Event, Execution, show_value
from xgen.executions.missing import Missing
from xgen.executions.result import Result
from xgen.frontends import c as _c  # loaded before there is a question
from xgen.frontends.language import language_model
from xgen.lsp.questions import MODELS, SYSTEMS, Answer, Fault, Question, Remark, Repair, Span, suffix_of
from xgen.memory import cat as _cat
from xgen.memory import mcm as _mcm
from xgen.memory.library import load_model
from xgen.memory.show import show
from xgen.records import replace
from xgen.resources import short
from xgen.sources import COMPILED, CPP, RUST, given, read_source, recorded
from xgen.views.answers import litmus as litmus_view
from xgen.views.answers import text as text_view
from xgen.views.findings import INPUT, Finding, Region, of_error, of_result, region_of

_MAIN = re.compile(r"\bmain\b")
_PRELOADED = (_c, _cat, _mcm)
SAFE = {"safe": "the program is safe then", "safe-within-bound": "the program is safe within the bound then"}
"""What a check says of a program with the orders that a race lacks."""


def serve_one(pipe: Connection, question: Question) -> None:
    """Answers a question over a pipe. What is printed goes nowhere: the server's streams speak its protocol."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    pipe.send(answer(question))
    pipe.close()


def answer(question: Question) -> Answer:
    """What comes of a question; never raises an Exception."""
    clock = Clock(question.seconds)
    with given(question.texts), recorded() as texts:
        asking = _Asking(question, clock, texts)
        try:
            with time_limit(clock.hard):
                return asking.answer()
        except XgenError as error:
            return Answer(tuple(asking.fault(finding) for finding in of_error(error)), model=asking.model)
        except (OutOfTime, MemoryError, RecursionError) as error:
            sentence = "there is not enough memory"
            if not isinstance(error, MemoryError):
                late = isinstance(error, OutOfTime)
                sentence = f"no answer within {question.seconds:g} s" if late else "this is nested too deeply"
            return Answer((), sentence, answered=False, model=asking.model)
        except Exception as error:
            return Answer((Fault("internal", own_error(described(error)), None),), model=asking.model)


class _Asking:
    """A question while it is answered. `recorded` has the texts of the files that were read, by their names."""

    def __init__(self, question: Question, clock: Clock, recorded: Mapping[str, str]) -> None:
        self.question, self.clock, self.recorded = question, clock, recorded
        self.path = question.path
        self.model: str | None = None

    def answer(self) -> Answer:
        """Raises XgenError where the text cannot be read, OutOfTime."""
        suffix = suffix_of(self.path)
        if suffix in MODELS:
            return self._of_model()
        if suffix in SYSTEMS:
            self._read_system(suffix)
            return Answer()
        source = read_source(self.path)
        asked, errors = read_options(source)
        if errors:
            return Answer(tuple(self.fault(finding) for error in errors for finding in of_error(error)))
        if suffix == ".litmus":
            return self._of_test()
        meant = says_something(source)
        if suffix in COMPILED and not meant and not _MAIN.search(source.text):
            return Answer()  # a part of a program, which the file with main says more of
        self.model = asked.model or language_model(self.path, asked.reading) or self.question.model
        if suffix in (*CPP, *RUST) and (self.question.task == "read" or (self.question.task == "save" and not meant)):
            return Answer(model=self.model)  # compiled where it is asked for: a project has many that are no tests
        return self._of_program(asked)

    def _of_model(self) -> Answer:
        model = load_model(self.path)
        texts = {each.term: each.name for each in model.definitions}
        names = [(each.name, f"{each.name} = {show(each.term, texts, 6)}") for each in model.definitions]
        names += [(c.name, f"{c.name}: {c.sentence or 'a constraint'}") for c in model.constraints if c.name]
        return Answer(names=tuple(names))

    def _read_system(self, suffix: str) -> None:
        from xgen.frontends.cub import read_cub  # rarely needed
        from xgen.frontends.dve import read_dve

        source = read_source(self.path)
        if suffix == ".cub":
            read_cub(source)
        else:
            read_dve(source)

    def _of_test(self) -> Answer:
        if self.question.task == "read":
            xgen.load(self.path)
            return Answer(model="its own model")
        found = run_file(self.path, None, self.clock.left())
        if found.error or found.unsupported:
            xgen.load(self.path)  # says where, if it is the text that is wrong
            error = ProgramError(found.error or found.unsupported or "", file=self.path)
            return Answer(tuple(self.fault(finding) for finding in of_error(error)), model=found.model)
        return Answer((), litmus_view.sentence(found), found.verdict is not None, found.model)

    def _of_program(self, asked: Asked) -> Answer:
        assert self.model is not None
        program = xgen.load(self.path, **asked.reading_of(self.path))
        if program.many is not None or self.question.task == "read":
            return Answer(model=None if program.many is not None else self.model)
        model = xgen.model(model_path(self.model, self.path))
        result = xgen.check(program, model, **asked.question, timeout=self.clock.left())
        if result.witness is not None and result.stopped is None:
            bound = asked.question.get("max_depth")
            lively = result.liveness
            witness = tried(result.witness, program, model, max_depth=bound, liveness=lively, timeout=self.clock.left())
            result = replace(result, witness=witness)
        return self._told(program, result)

    def _told(self, program: xgen.Program, result: Result) -> Answer:
        faults = tuple(self.fault(finding) for finding in of_result(result, program.requirement))
        witness = result.witness
        return Answer(
            faults,
            text_view.verdict_line(result),
            result.verdict != "interrupted" and not result.vacuous,
            self.model,
            () if witness is None else tuple(self.remarks(witness)),
            () if witness is None else tuple(self.repairs(witness, program)),
        )

    def fault(self, finding: Finding) -> Fault:
        """What is wrong, as editors are told it."""
        message = f"{finding.message}\n{finding.hint}" if finding.hint else finding.message
        notes = [(sentence, self.span(place)) for sentence, place in finding.notes]
        notes += [(f"in {name}, called here", self.span(place)) for name, place in finding.calls]
        if finding.place is None and finding.file not in (None, short(self.path)):
            message = f"{finding.file}: {message}"
        span = None if finding.place is None else self.span(finding.place)
        if span is not None and finding.kind == INPUT and not span.text:
            span = replace(span, text=read_source(span.path).text.split("\n")[span.line - 1])
        return Fault(finding.kind, message, span, tuple(notes))

    def span(self, place: Region) -> Span:
        """A place by the path of its file."""
        names = (self.path, *self.question.texts, *self.recorded)
        path = next((name for name in names if short(name) == place.file), place.file)
        return Span(path, place.line, place.column, max(1, place.width), place.text)

    def remarks(self, execution: Execution) -> Iterator[Remark]:
        """What the execution of a violation reads and writes in each place, thread by thread."""
        origin = {read: write for write, read in execution.rf}
        for number, event in enumerate(execution.events):
            if event.position is None or event.thread == INITIAL or event.variable is None:
                continue
            span = self.span(region_of(event.position, execution.source))
            verb = "reads" if event.kind == "R" else "writes"
            told = f"{execution.threads[event.thread]} {verb} {event.variable} = {show_value(event.value)}"
            if number in origin:
                told += f", from {self.where(execution, execution.events[origin[number]])}"
            yield Remark(span, told)

    def repairs(self, execution: Execution, program: xgen.Program) -> Iterator[Repair]:
        """The orders that races lack, written into the texts, unless checks say that these are not enough."""
        for number, violation in enumerate(execution.violations):
            missing = violation.missing
            if missing is None or not missing.orders or missing.trial not in (None, *SAFE) or missing.left:
                continue
            edits = self.edits(execution, program, missing)
            if edits:
                words = " and ".join(dict.fromkeys(word for _, word in edits))
                sure = f"checked: {SAFE[missing.trial]}" if missing.trial else "not checked"
                yield Repair(f"use {words} ({sure})", number, edits)

    def edits(self, execution: Execution, program: xgen.Program, missing: Missing) -> tuple[tuple[Span, str], ...]:
        """What to write for the orders; nothing where a text does not say one of them where it can be changed."""
        events = {event.id: event for event in execution.events}
        found = []
        for name, order in missing.orders:
            event = events[name]
            edit = None if spot_of_event(program, event).failing else self.edit(program, event, order)
            if edit is None:
                return ()
            found.append(edit)
        return tuple(found)

    def edit(self, program: xgen.Program, event: Event, order: str) -> tuple[Span, str] | None:
        """Where a text in C or C++ says the order of an event, if it does, and what to write there for another one."""
        assert event.position is not None
        source = event.position.source or program.source
        edit = text_of(program, source).ordered(event.position, order) if has_c_text(program) else None
        if edit is None:
            return None
        start, argument = edit.start, source.text[edit.start : edit.end].rstrip()
        line = source.text.count("\n", 0, start) + 1
        column = start - (source.text.rfind("\n", 0, start) + 1) + 1
        place = Region(short(source.name), line, column, len(argument), source.line(line))
        return (self.span(place), edit.text) if argument and "\n" not in argument else None

    def where(self, execution: Execution, event: Event) -> str:
        """A write, as what reads from it says."""
        if event.thread == INITIAL:
            return "the initial value"
        thread = execution.threads[event.thread]
        return thread if event.position is None else f"{thread}, {event.position.line_text(execution.source)}"
