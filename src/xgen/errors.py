"""Errors that a user can meet: each names the file, the line and the column, and shows the line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from pathlib import PurePath
from typing import Literal, NamedTuple, TypeAlias

from xgen.records import dataclass
from xgen.resources import short
from xgen.version import __version__


@dataclass(frozen=True, slots=True)
class Source:
    """A named text: what error messages point into. `name` is the path as the user gave it."""

    name: str
    text: str

    def line(self, number: int) -> str:
        """The text of a line (counted from 1), without its end; empty where there is no such line."""
        lines = self.text.split("\n", number)
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""


class Spot(NamedTuple):
    """A place by which positions of several files are compared, and put in order."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a source text; line and column count from 1, `width` is the number of characters to underline.

    `source` is the text where that need not be the program's own (C includes files). `calls` are the places of the
    calls that lead there, the innermost one first, each with the name of the function that it calls. `library`: what is
    done there is done by code of a library, which the program calls at this place.
    """

    line: int
    column: int
    width: int = 1
    source: Source | None = field(default=None, compare=False, repr=False)
    calls: tuple[tuple[str, Position], ...] = field(default=(), compare=False, repr=False)
    library: bool = field(default=False, compare=False, repr=False)

    def spot(self, source: Source) -> Spot:
        """The place with its file, in a program with this source."""
        return Spot((self.source or source).name, self.line, self.column)

    def text(self, source: Source) -> str:
        """`file:line:column`, in a program with this source."""
        return f"{short((self.source or source).name)}:{self.line}:{self.column}"

    def line_text(self, source: Source, beside: Position | None = None) -> str:
        """`line 5`, or `file:5` where another place (else the program's own text) is not in its file."""
        name = (self.source or source).name
        other = source if beside is None else beside.source or source
        return f"line {self.line}" if name == other.name else f"{short(name)}:{self.line}"


class XgenError(Exception):
    """What is wrong with an input, and where.

    `message` is one sentence; `hint` says what was expected or suggests a name. `related` are other places that it is
    about, with a sentence for each. `others` are errors of the same input that are reported with it. `file`, `line`,
    `column` are None where the error has no such place. `str(error)` is the whole report, with the line shown and the
    place underlined.
    """

    def __init__(
        self,
        message: str,
        source: Source | None = None,
        position: Position | None = None,
        hint: str | None = None,
        file: str | None = None,
    ) -> None:
        super().__init__(message)
        source = (position.source if position else None) or source
        self.message = message
        self.source = source
        self.position = position
        self.hint = hint
        self.file = source.name if source else file
        self.line = position.line if position else None
        self.column = position.column if position else None
        self.related: tuple[tuple[str, Position], ...] = ()
        self.others: tuple[XgenError, ...] = ()

    def __str__(self) -> str:
        return self.report()

    def report(self, kind: str | None = None) -> str:
        """The whole report; `kind`: what is said in brackets behind the sentence, as compilers do."""
        file = None if self.file is None else short(self.file)
        place = "".join(f"{part}:" for part in (file, self.line, self.column) if part is not None)
        told = f"error: {self.message}{f' [{kind}]' if kind and self.line is not None else ''}"
        lines = [f"{place} {told}" if place else told]
        if self.source and self.position:
            lines += excerpt(self.source, self.position)
        if self.hint:
            lines.append(f"  {self.hint}")
        for sentence, position, source in self.places():
            lines += [f"{position.text(source)}: note: {sentence}", *excerpt(source, position)]
        lines += [other.report(kind) for other in self.others]
        return "\n".join(lines)

    def places(self) -> list[tuple[str, Position, Source]]:
        """What is `related`, each with its source."""
        with_sources = ((sentence, place, place.source or self.source) for sentence, place in self.related)
        return [(sentence, place, source) for sentence, place, source in with_sources if source is not None]


class ProgramError(XgenError):
    """A program that does not parse or does not make sense."""


class ModelError(XgenError):
    """A memory model that does not parse or does not make sense."""


class UnsupportedError(XgenError):
    """Input that is understood but that xgen cannot run."""


class UsageError(XgenError):
    """A file that cannot be read, or options that do not fit together."""


class LimitError(XgenError):
    """A limit of the engine that the program exceeds; the message says which."""


class TooLongError(LimitError):
    """An execution that is longer than the engine can build, or a text that there is no memory for: no answer, though
    nothing is wrong with the input."""


class InternalError(XgenError):
    """A mistake of xgen's own: nothing is wrong with the input."""


def own_error(what: str) -> str:
    """What is said about a mistake of xgen's own."""
    return f"xgen {__version__} has made a mistake, please report it with its input: {what}"


def described(error: Exception) -> str:
    """An exception in a line: its kind, what it says, and where it comes from."""
    import traceback  # long to import

    said = " ".join(str(error).split())[:200]
    steps = traceback.extract_tb(error.__traceback__)
    place = f" ({PurePath(steps[-1].filename).name}, line {steps[-1].lineno})" if steps else ""
    return f"{type(error).__name__}{': ' if said else ''}{said}{place}"


def excerpt(source: Source, position: Position, width: int = 100) -> list[str]:
    """The source line with the place underlined: two lines of text; a long line is cut around the place, with dots."""
    text = source.line(position.line).replace("\t", " ")
    start = max(0, position.column - 1 - width // 2)
    shown = text[start : start + width]
    shown = f"...{shown[3:]}" if start else shown
    shown = f"{shown[:-3]}..." if start + width < len(text) else shown
    number = f"{position.line:5d} | "
    column = position.column - 1 - start
    marks = max(1, min(position.width, len(shown) - column))
    return [number + shown, " " * 6 + "| " + " " * column + "^" * marks]


def end_of(source: Source) -> Position:
    """The place behind the last character that is not a blank."""
    text = source.text.rstrip()
    return Position(text.count("\n") + 1, len(text) - text.rfind("\n"))


def visible(character: str) -> str:
    """A character as messages show it: in backquotes, or by its number where it cannot be seen."""
    return f"`{character}`" if character.isprintable() else f"character U+{ord(character):04X}"


def quoted(text: str) -> str:
    """A piece of a text for a message: on one line, in backquotes, shortened where it is long."""
    shown = " ".join(text[:200].split())
    return f"`{shown[:57]}...`" if len(shown) > 60 else f"`{shown}`"


def listed(words: Sequence[str], last: str) -> str:
    """`a, b or c`, where `last` is "or"; some words at least."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))


ErrorKind: TypeAlias = Literal["input", "usage", "limit", "internal"]
"""A text that cannot be read, wrong options, a limit, or a mistake of xgen's own."""


def kind_of(error: XgenError) -> Literal["input", "limit"]:
    """Whether something is wrong with an input, or it is only that it takes more than xgen can build."""
    return "limit" if isinstance(error, TooLongError) else "input"


def nearest(name: str, known: Iterable[str], least: float = 0.5) -> str | None:
    """A hint that names the known name most like `name`, or None; 1 is the same name."""
    import difflib  # only needed where something is wrong

    ordered = sorted(known)
    matches = difflib.get_close_matches(name, ordered, n=1, cutoff=least)
    matches = matches or difflib.get_close_matches(name.lower(), ordered, n=1, cutoff=least)
    return f"did you mean `{matches[0]}`?" if matches else None


def several(errors: Iterable[XgenError]) -> XgenError:
    """One error that reports all of some, each once and in the order of the text; of the kind of the first one."""
    different = {(error.message, error.file, error.line, error.column): error for error in errors}
    first, *others = sorted(
        different.values(), key=lambda error: (error.file or "", error.line or 0, error.column or 0)
    )
    first.others = tuple(others)
    return first
