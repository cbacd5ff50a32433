"""Changes of single statements in a program's own text, which otherwise stays as its author wrote it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeVar

from xgen.errors import Source, XgenError
from xgen.program import parse
from xgen.program.automaton import Name, Procedure, Process, Program, Statement
from xgen.program.printer import print_program, print_statement
from xgen.records import dataclass, replace

B = TypeVar("B", Process, Procedure)


@dataclass(frozen=True, slots=True)
class Edit:
    """What is done at a statement: another one goes before or after it, or stands there instead (None: nothing)."""

    at: Statement
    how: Literal["before", "after", "instead"]
    statement: Statement | None


def edited(source: Source, edits: Iterable[Edit], meant: Program) -> str:
    """The text with the edits made, and if that does not say what is `meant`, a text that does, printed anew."""
    text = _edited(source.text, edits)
    try:
        if _unnamed(parse(Source(source.name, text), meant.reading)) == _unnamed(meant):
            return text
    except XgenError:
        pass  # the text is laid out in a way that was not foreseen
    return print_program(meant)


def _unnamed(program: Program) -> Program:
    """The program with numbers for its locations, some of which are called by lines of the text."""
    processes = tuple(
        replace(_numbered(process), procedures=tuple(_numbered(procedure) for procedure in process.procedures))
        for process in program.processes
    )
    return replace(program, processes=processes)


def _numbered(body: B) -> B:
    names = {location.name: Name(str(number)) for number, location in enumerate(body.locations)}
    return replace(
        body,
        locations=tuple(replace(location, name=names[location.name].name) for location in body.locations),
        edges=tuple(replace(e, source=names[e.source.name], target=names[e.target.name]) for e in body.edges),
    )


def _edited(text: str, edits: Iterable[Edit]) -> str:
    lines = text.split("\n")
    order = {"before": 0, "instead": 1, "after": 2}
    # What several processes share is written once.
    places = {(edit.at.position.line, edit.at.position.column, edit.how): edit for edit in edits}
    where = {place: (*place[:2], order[place[2]]) for place in places}
    for place in sorted(where, key=lambda place: where[place], reverse=True):
        edit = places[place]
        number = edit.at.position.line - 1
        line = lines[number]
        start = edit.at.position.column - 1
        end = start + edit.at.position.width
        before, behind = line[:start], line[end:]
        alone = not before.strip() and behind.split("//")[0].strip() in ("", ";")
        new = "" if edit.statement is None else print_statement(edit.statement)
        stop = ";" if behind.lstrip().startswith(";") else ""
        if edit.how == "instead":
            if not new and alone:
                del lines[number]
            else:
                lines[number] = before + (new + behind if new else behind.lstrip("; "))
        elif edit.how == "before":
            if alone or not before.strip():
                lines.insert(number, before + new + stop)
            else:
                lines[number] = f"{before}{new}; {line[start:]}"
        elif alone:
            lines.insert(number + 1, before + new + stop)
        else:
            lines[number] = f"{line[:end]}; {new}{behind}"
    return "\n".join(lines)
