"""What an editor's texts are asked for, and what is answered: plain data, which goes from process to process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Literal

from xgen.records import dataclass
from xgen.sources import CPP, RUST, C

Task = Literal["read", "save", "check"]
"""To read a text, and say what is wrong with it; or also to check it, since it is saved, or since one asks for it."""
PROGRAMS = (*C, *CPP, *RUST, ".xcfa", ".litmus")
MODELS = (".mcm", ".cat")
SYSTEMS = (".cub", ".dve")
LANGUAGES = ("c", "xcfa", "litmus", "mcm", "cat", "cub", "dve")
"""What editors call languages: the suffixes of texts that are in no file yet; C++ and Rust are compiled from files."""


def suffix_of(path: str) -> str:
    """What says the language of a file."""
    return PurePath(path).suffix


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: of a file, with the texts that editors have, by their paths. `model` is for programs that name
    none, and have none by their language."""

    task: Task
    path: str
    texts: Mapping[str, str]
    model: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a line of a file, by its path; numbers count from 1, columns are characters. `text` is the line."""

    path: str
    line: int
    column: int
    width: int
    text: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong, at a place (None: at none), with other places that have a part in it."""

    kind: str
    message: str
    span: Span | None
    notes: tuple[tuple[str, Span], ...] = ()


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said of a place when one looks at it."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Repair:
    """A change of the texts that does away with a fault, by its number: what stands in places instead."""

    title: str
    fault: int
    edits: tuple[tuple[Span, str], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What comes of a question.

    `sentence` is the verdict of a check, `answered`: whether there is one. `model` names what it was, or would be,
    checked under (None: it is no program). `names` are those that a model's text defines, with what they mean.
    """

    faults: tuple[Fault, ...] = ()
    sentence: str | None = None
    answered: bool = True
    model: str | None = None
    remarks: tuple[Remark, ...] = ()
    repairs: tuple[Repair, ...] = ()
    names: tuple[tuple[str, str], ...] = ()
