"""Changes of single statements in a program's own text, which otherwise stays as its author wrote it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from xgen.errors import Source, XgenError
from xgen.program import parse
from xgen.program.automaton import Program, Statement
from xgen.program.printer import print_program, print_statement


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
        if parse(Source(source.name, text)) == meant:
            return text
    except XgenError:
        pass  # the text is laid out in a way that was not foreseen
    return print_program(meant)


def _edited(text: str, edits: Iterable[Edit]) -> str:
    lines = text.split("\n")
    order = {"before": 0, "instead": 1, "after": 2}
    for edit in sorted(edits, key=lambda e: (e.at.position.line, e.at.position.column, order[e.how]), reverse=True):
        number = edit.at.position.line - 1
        line = lines[number]
        start = edit.at.position.column - 1
        end = start + edit.at.position.width
        before, behind = line[:start], line[end:]
        alone = not before.strip() and behind.split("//")[0].strip() in ("", ";")
        new = "" if edit.statement is None else print_statement(edit.statement)
        if edit.how == "instead":
            if not new and alone:
                del lines[number]
            else:
                lines[number] = before + (new + behind if new else behind.lstrip("; "))
        elif edit.how == "before":
            if alone or not before.strip():
                lines.insert(number, before + new)
            else:
                lines[number] = f"{before}{new}; {line[start:]}"
        elif alone:
            lines.insert(number + 1, before + new)
        else:
            lines[number] = f"{line[:end]}; {new}{behind}"
    return "\n".join(lines)
