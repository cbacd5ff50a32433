"""Known findings that are accepted: which violations they are, and where the program or the question says so.

A check that meets an accepted one goes on without it: it is asked again, with assertions at that line as assumptions,
and with a model whose flags that line does not raise. So each accepted finding has been seen, and what else goes wrong
is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from xgen.errors import Source, UnsupportedError, UsageError, nearest
from xgen.executions.execution import Execution, Violation
from xgen.executions.result import Met, Result
from xgen.memory.adapt import LIFETIMES
from xgen.program.automaton import ASSERTIONS, Accepted, Program

ACCEPTABLE = frozenset((*ASSERTIONS, *LIFETIMES, "race", "undefined", "leak"))
"""The kinds of violations that can be accepted."""
_ASKED = re.compile(r"([a-z-]+)@(.+):([1-9]\d{0,8})")
_SAID = re.compile(r"xgen:\s*accept\s+([a-z-]+)(?:\s+([^\s*]+))?")
_COMMENT = re.compile(r"\s*(//|#|;|/?\*)")


def read(text: str) -> Accepted:
    """What `KIND@FILE:LINE` accepts. Raises UsageError."""
    found = _ASKED.fullmatch(text)
    if found is None:
        hint = "as in race@queue.c:12, which is how a violation's line names its kind and its place"
        raise UsageError(f"a finding is accepted as KIND@FILE:LINE, not `{text}`", hint=hint)
    kind, file, line = found.groups()
    if kind not in ACCEPTABLE:
        hint = nearest(kind, ACCEPTABLE, 0.7) or f"kinds that can be: {', '.join(sorted(ACCEPTABLE))}"
        raise UsageError(f"a finding of the kind `{kind}` cannot be accepted", hint=hint)
    return Accepted(kind, file, int(line))


def met(program: Program, execution: Execution, asked: Sequence[str]) -> list[Met]:
    """Those of an execution's violations that are accepted, and where. Raises UnsupportedError where one of them was
    accepted before and comes again: what an execution does behind it is not known."""
    patterns = [read(each) for each in asked]
    found = []
    for violation in execution.violations:
        for source, line in _places(execution, violation):
            by_text = _said_at(source, line, violation)
            if by_text or any(_is_at(each, violation.kind, source.name, line) for each in patterns):
                found.append(_accepted(program, violation, source, line))
                break
    return found


def unmet(program: Program, asked: Sequence[str], result: Result) -> Iterator[str]:
    """A note for accepted findings that no execution shows, where all were explored, or that are not the violation
    at which the check stopped."""
    others = [each for each in map(read, asked) if not _was_met(program, each)]
    if result.witness is not None:
        if others and (name := _name(result.witness)) is not None:
            said = " and ".join(_named(each.kind, each.file, each.line) for each in others)
            yield f"note: this violation is {name}, which `--accept {said}` does not name"
    elif not result.stopped:
        for each in others:
            name = _named(each.kind, each.file, each.line)
            yield f"note: no execution shows the accepted finding {name}: `--accept` need not name it"


def _was_met(program: Program, accepted: Accepted) -> bool:
    return any(_is_at(accepted, known.kind, known.file, known.line) for known in program.accepted)


def _named(kind: str, file: str, line: int) -> str:
    """How `read` takes a finding."""
    return f"{kind}@{file}:{line}"


def _name(execution: Execution) -> str | None:
    """How `--accept` names the violation that an execution shows, where it can be accepted."""
    for violation in execution.violations:
        for source, line in _places(execution, violation):
            if violation.kind in ACCEPTABLE:
                return _named(violation.kind, source.name, line)
    return None


def _accepted(program: Program, violation: Violation, source: Source, line: int) -> Met:
    if violation.kind not in ACCEPTABLE or Accepted(violation.kind, source.name, line) in program.accepted:
        message = f"a finding of the kind `{violation.kind}` cannot be accepted here: xgen does not know how to go on"
        raise UnsupportedError(message, source, violation.position, "mend it, or take what leads there out of the test")
    return Met(violation.kind, source.name, line, violation.message)


def _places(execution: Execution, violation: Violation) -> Iterator[tuple[Source, int]]:
    """The lines that a violation is about: its own first."""
    positions = [violation.position, *(event.position for event in execution.parties(violation))]
    for position in positions:
        if position is not None:
            yield position.source or execution.source, position.line


def _is_at(accepted: Accepted, kind: str, file: str, line: int) -> bool:
    """Whether a finding is at the place that is accepted; its file may be said with fewer folders."""
    wanted, parts = PurePath(accepted.file).parts, PurePath(file).parts
    return accepted.kind == kind and accepted.line == line and parts[-len(wanted) :] == wanted


def _said_at(source: Source, line: int, violation: Violation) -> bool:
    """Whether a comment in a line, or one alone in the line before, accepts the finding."""
    lines = source.text.split("\n")
    if not 1 <= line <= len(lines):
        return False
    before = lines[line - 2] if line > 1 and _COMMENT.match(lines[line - 2]) else ""
    said = [found.groups() for text in (lines[line - 1], before) for found in _SAID.finditer(text)]
    return any(kind == violation.kind and name in (None, violation.location) for kind, name in said)
