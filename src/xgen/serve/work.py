"""One question of the playground, answered in a process of its own: with limits, and without files."""

from __future__ import annotations

import json
import os
import resource
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from itertools import takewhile
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import xgen
from xgen.analyses import explain as explaining
from xgen.analyses.fences import fences as fencing
from xgen.analyses.suite.litmus import explored, judged, wrong_in
from xgen.clock import Clock
from xgen.engine.graphs.found import found_by
from xgen.errors import Source, XgenError, listed
from xgen.executions.execution import Execution, show_value
from xgen.executions.result import Outcome
from xgen.frontends import c as _c  # loaded before a process may open no file any more
from xgen.frontends.c.text.preprocess import ALWAYS, HEADERS
from xgen.frontends.litmus import read_litmus
from xgen.frontends.litmus.test import LitmusTest
from xgen.frontends.litmus.values import Register
from xgen.memory import cat as _cat
from xgen.memory.library import list_models
from xgen.program.automaton import Program
from xgen.records import replace
from xgen.resources import shipped
from xgen.serve import objects
from xgen.sources import confined
from xgen.tags import ARCHITECTURES, ELSEWHERE
from xgen.views.answers import explain as explain_view
from xgen.views.answers import fences as fences_view
from xgen.views.answers import litmus as litmus_view
from xgen.views.answers import text as text_view
from xgen.views.drawing.picturing import picture_of

SHARE = 0.6
"""Of the time, what is for exploring; the rest is for reading, drawing and sending."""
PICTURES = 200
"""Executions of which an answer has pictures."""
OUTCOMES = 500
LARGEST = 8 << 20
"""Bytes of an answer."""
FILES = 64
MEBIBYTE = 1 << 20
FORBIDDEN = (
    *(
        "subprocess.",
        "socket.",
        "os.exec",
        "os.fork",
        "os.posix_spawn",
        "os.system",
        "os.kill",
        "os.remove",
        "os.rename",
    ),
    *("os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.chown", "os.truncate", "shutil.", "ctypes."),
)
"""What a process that answers does never do, by the beginnings of the names of Python's audit events."""

OURS = (ALWAYS, HEADERS, shipped("mcm"))
"""Where what texts include is looked for."""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PRELOADED = (_c, _cat)


def serve_one(pipe: Connection, question: dict[str, Any], seconds: float, memory: int) -> None:
    """Answers a question over a pipe, as JSON; the process has no more than these seconds and MiB, and no files."""
    _limit(seconds, memory)
    try:
        answer = answer_to(question, seconds)
    except XgenError as error:
        answer = {"error": _told(error)}
    except MemoryError:
        answer = {"error": {"message": "out of memory"}}
    except RecursionError:
        answer = {"error": {"message": "the text is nested too deeply"}}
    except Exception as error:  # the server goes on whatever a text does to us
        answer = {"error": {"message": f"an error in xgen itself: {type(error).__name__}"}}
    data = json.dumps(answer).encode()
    if len(data) > LARGEST:
        data = json.dumps({"error": {"message": "the answer is too large"}}).encode()
    pipe.send_bytes(data)
    pipe.close()


def _limit(seconds: float, memory: int) -> None:
    for what, most in (
        (resource.RLIMIT_CPU, int(seconds) + 2),
        (resource.RLIMIT_AS, memory * MEBIBYTE),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))
    python = [sysconfig.get_paths()[name] for name in ("stdlib", "purelib", "platlib")]
    ours = [str(Path(xgen.__file__).parent), str(shipped("mcm")), *python]
    roots = tuple(os.path.realpath(root) + os.sep for root in ours)

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event.startswith(FORBIDDEN):
            raise PermissionError(13, "Permission denied")
        if event == "open" and not isinstance(arguments[0], int):
            path, _, flags = arguments
            if flags & WRITING:
                raise PermissionError(13, "Permission denied")
            if not os.path.realpath(os.fsdecode(path)).startswith(roots):
                raise FileNotFoundError(2, "No such file or directory")  # whether it is there or not

    sys.addaudithook(watch)


def answer_to(question: dict[str, Any], seconds: float) -> dict[str, Any]:
    """The answer to a question: `task` is check, explain or fences. Raises XgenError."""
    whole = _model(question)
    model = _without(whole, question.get("without", []))
    rest = max(0.2, seconds * SHARE)
    demanded = [[constraint.name, constraint.sentence or ""] for constraint in whole.constraints]
    if question["task"] == "check" and kind_of(question["program"]) == "c" and objects.is_object(question["program"]):
        with confined(OURS):
            return {**objects.answer_to(question["program"], model, rest), "constraints": demanded}
    test, program = _program(question)
    bounds: dict[str, Any] = {"max_depth": question.get("max_depth"), "liveness": question.get("liveness", False)}
    if question["task"] == "fences":
        found = fencing.find_fences(program, model, **bounds, timeout=rest)
        return {"text": fences_view.render(found, fencing.texts_with(found))}
    if question["task"] == "explain":
        asked = explaining.condition(test, model) if test else explaining.violation(program, model)
        if bounds["liveness"] and not test:
            asked = explaining.waiting(program, model)
        told = explaining.explain(asked, max_depth=bounds["max_depth"], timeout=rest)
        answer: dict[str, Any] = {"text": explain_view.render(told)}
        if told.execution:
            answer["picture"] = picture_of(told.execution, highlight=told.highlight).data()
            answer["story"] = list(explain_view.story(told.execution, told.highlight))
        return answer
    checked = _tested(test, model, rest) if test else _checked(program, model, rest, bounds)
    return {**checked, "constraints": demanded}


def _checked(program: Program, model: xgen.Model, seconds: float, bounds: dict[str, Any]) -> dict[str, Any]:
    result = xgen.check(
        program, model, **bounds, all_states=True, trace_limit=PICTURES, timeout=seconds, dependencies=True
    )
    return {
        "verdict": result.verdict,
        "bad": result.verdict == "violation",
        "sentence": text_view.verdict_line(result),
        "text": text_view.render(result),
        "notes": list(dict.fromkeys(" ".join(warning.split()) for warning in result.warnings)),
        "executions": result.executions,
        "blocked": result.blocked,
        "seconds": round(result.seconds, 3),
        "asked": [],
        **_shown(result.outcomes, result.traces, seconds),
    }


def _tested(test: LitmusTest, model: xgen.Model, seconds: float) -> dict[str, Any]:
    clock = Clock()
    run = explored(test, model, seconds, PICTURES)
    shown = found_by(run)
    found = replace(judged(test, run.problem, shown, wrong_in(shown.witness)), seconds=clock.seconds)
    return {
        "verdict": "interrupted" if found.verdict is None else "vacuous" if found.vacuous else "safe",
        "bad": False,
        "sentence": litmus_view.sentence(found),
        "text": litmus_view.herd(found).strip(),
        "notes": [],
        "executions": found.positive + found.negative,
        "blocked": 0,
        "seconds": round(found.seconds, 3),
        "asked": list(_asked(test)),
        **_shown(shown.outcomes, shown.traces, seconds),
    }


def _asked(test: LitmusTest) -> Iterator[str]:
    """What the condition of a test speaks of, as outcomes name it."""
    for item in test.observed:
        yield from (f"P{item.thread}:{item.name}",) if isinstance(item, Register) else test.layout.keys_of(item)


def _shown(found: Sequence[Outcome], kept: Sequence[Execution], seconds: float) -> dict[str, Any]:
    """Final states, and the pictures of executions; those with a violation come first, those without an end last."""
    outcomes = list(found[:OUTCOMES])
    clock = Clock(seconds * (1 - SHARE) / SHARE / 2)
    traces = takewhile(lambda _: not clock.over(), kept)
    drawn = sorted(
        ((execution, picture_of(execution).data()) for execution in traces),
        key=lambda pair: (not pair[0].violations, not pair[0].complete),
    )
    names = list(dict.fromkeys(name for outcome in outcomes for name in outcome.state))
    return {
        "names": names,
        "outcomes": [
            {
                "count": outcome.count,
                "violations": outcome.violations,
                "values": [show_value(outcome.state[name]) if name in outcome.state else "" for name in names],
            }
            for outcome in outcomes
        ],
        "more": max(0, len(found) - OUTCOMES),
        "pictures": [picture for _, picture in drawn],
        "states": [{name: show_value(value) for name, value in execution.state.items()} for execution, _ in drawn],
        "complete": [execution.complete for execution, _ in drawn],
    }


def _program(question: dict[str, Any]) -> tuple[LitmusTest | None, Program]:
    """The program of a text, and the litmus test if it is one."""
    text = question["program"]
    kind = kind_of(text)
    name = f"program.{kind}"
    with confined(OURS):
        test = read_litmus(Source(name, text)) if kind == "litmus" else None
        if test:
            return test, test.program
        options: dict[str, Any] = {"unroll": question["unroll"]} if question.get("unroll") else {}
        if kind == "c":
            options["headers"] = "own"  # no compiler is asked for others
            if question.get("on"):
                options["map"] = question["on"]
        return None, xgen.parse(text, kind, name, **options)


def _model(question: dict[str, Any]) -> xgen.Model:
    """The model: a text, or the name of a shipped one; never a path."""
    if question.get("model_text") is not None:
        with confined(OURS):
            return xgen.parse_model(question["model_text"], "model.mcm")
    name = question.get("model")
    if name not in list_models():
        raise XgenError(f"there is no model {name!r}")
    return xgen.model(str(name))


def _without(model: xgen.Model, names: Sequence[str]) -> xgen.Model:
    """The model without constraints of these names, which its own name says."""
    left = tuple(constraint for constraint in model.constraints if constraint.name not in names)
    if len(left) == len(model.constraints):
        return model
    gone = listed([constraint.name for constraint in model.constraints if constraint.name in names], "and")
    return replace(model, constraints=left, name=f"{model.name} without {gone}")


def kind_of(text: str) -> str:
    """The language of a program, from its text."""
    words = text.lstrip("﻿ \t\r\n")
    while words.startswith(("//", "/*", "(*")):
        end = {"//": "\n", "/*": "*/", "(*": "*)"}[words[:2]]
        words = words.partition(end)[2].lstrip()
    head = words.split(None, 1)[0] if words.split() else ""
    if head in (*ARCHITECTURES, *ELSEWHERE) or ("exists" in words and "P0" in words and "process" not in words):
        return "litmus"
    return "c" if words.startswith("#") or "main(" in words or "main (" in words or "pthread" in words else "xcfa"


def _told(error: XgenError) -> dict[str, Any]:
    parts = {
        "message": error.message,
        "file": error.file,
        "line": error.line,
        "column": error.column,
        "hint": error.hint,
    }
    return {**parts, "where": "model" if (error.file or "").endswith(".mcm") else "program"}
