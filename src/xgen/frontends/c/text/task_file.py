"""Tasks of SV-COMP: a .yml file says which files are the program, and what is to be found out about it.

The format is that of SV-COMP's task definitions, version 2: `input_files`, `properties` (each a `property_file` and
perhaps an `expected_verdict`), `options` (`language`, `data_model`). Of YAML, what such files use is read: blocks of
`key: value`, lists of `- item` or `[a, b]`, quotes, comments.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TypeAlias

from xgen.errors import Position, ProgramError, Source, UnsupportedError, listed, nearest
from xgen.program.automaton import Property
from xgen.records import dataclass

PROPERTIES = ("unreach-call", "no-data-race", "no-overflow", "valid-memsafety", "valid-deref", "valid-free")
"""What is looked for."""
DATA_MODELS = {"ILP32": "ilp32", "LP64": "lp64"}


@dataclass(frozen=True, slots=True)
class Scalar:
    text: str
    position: Position


@dataclass(frozen=True, slots=True)
class Block:
    """What is below a key: `items` of a list have no names."""

    position: Position
    names: dict[str, Node]
    items: list[Node]


Node: TypeAlias = Scalar | Block


@dataclass(frozen=True, slots=True)
class Task:
    """The files of a task, as its file names them from its folder on, what is asked about them, and the data model."""

    source: Source
    files: tuple[str, ...]
    claims: tuple[tuple[Property, Position], ...]
    data_model: str | None

    def paths(self) -> list[str]:
        """The files from the working directory on."""
        return [os.path.join(os.path.dirname(self.source.name), name) for name in self.files]

    def asked(self, name: str | None) -> Property:
        """The property of that name, else the first one that is looked for. Raises UnsupportedError, ProgramError."""
        known = [claim for claim, _ in self.claims if claim.name in PROPERTIES]
        names = [claim.name for claim, _ in self.claims]
        if name is None:
            if known:
                return known[0]
            claim, position = self.claims[0]
            raise _not_looked_for(claim.name, self.source, position)
        wanted = PurePosixPath(name).name.removesuffix(".prp")
        for claim, position in self.claims:
            if claim.name == wanted:
                if claim not in known:
                    raise _not_looked_for(wanted, self.source, position)
                return claim
        hint = nearest(wanted, names) or f"it asks about {listed(names, 'and')}"
        raise ProgramError(f"this task does not ask about `{wanted}`", self.source, hint=hint)


def read_task_file(source: Source) -> Task:
    """The task in a file. Raises ProgramError where it is none, UnsupportedError for other languages."""
    reader = _Reader(source)
    whole = reader.read()
    files = reader.scalars(reader.needed(whole, "input_files"))
    if not files:
        raise ProgramError("this task has no input files", source, whole.names["input_files"].position)
    for file in files:
        if not file.text.endswith((".c", ".i")):
            raise UnsupportedError("an input file that is no .c or .i file is not supported", source, file.position)
    options = whole.names.get("options")
    settings = options.names if isinstance(options, Block) else {}
    language = settings.get("language")
    if isinstance(language, Scalar) and language.text != "C":
        message = f"tasks in the language `{language.text}` are not supported, those in C are"
        raise UnsupportedError(message, source, language.position)
    model = settings.get("data_model")
    if isinstance(model, Block) or (model is not None and model.text not in DATA_MODELS):
        raise ProgramError("this is no data model", source, model.position, hint="expected ILP32 or LP64")
    claims = tuple(reader.claims(reader.needed(whole, "properties")))
    names = tuple(file.text for file in files)
    return Task(source, names, claims, None if model is None else DATA_MODELS[model.text])


def _not_looked_for(name: str, source: Source, position: Position) -> UnsupportedError:
    hint = f"xgen looks for violations of {listed(PROPERTIES, 'and')}"
    return UnsupportedError(f"the property `{name}` is not supported", source, position, hint)


_KEY = re.compile(r"([A-Za-z_][\w-]*)\s*:(?:\s+(.*))?$")


class _Reader:
    """Reads lines: each has an indentation, and what it says."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lines: list[tuple[int, str, int]] = []  # the column where it starts, its text, its number
        for number, line in enumerate(source.text.split("\n"), 1):
            text = _without_comment(line)
            if text.strip() and text.strip() not in ("---", "..."):
                if "\t" in text[: len(text) - len(text.lstrip())]:
                    raise ProgramError("a tab cannot indent a line here", source, Position(number, 1))
                self.lines.append((len(text) - len(text.lstrip()), text.strip(), number))
        self.at = 0

    def read(self) -> Block:
        if not self.lines:
            raise ProgramError("this task is empty", self.source)
        found = self.block(self.lines[0][0])
        if self.at < len(self.lines):
            column, text, number = self.lines[self.at]
            raise self.wrong("this line does not belong to what is before it", number, column, text)
        if found.items:
            raise ProgramError("a task begins with `key: value`", self.source, found.position)
        return found

    def wrong(self, message: str, number: int, column: int, text: str, hint: str | None = None) -> ProgramError:
        return ProgramError(message, self.source, Position(number, column + 1, len(text)), hint)

    def block(self, column: int) -> Block:
        """The lines from here on that are indented so far, and those below them."""
        found = Block(Position(self.lines[self.at][2], column + 1), {}, [])
        while self.at < len(self.lines) and self.lines[self.at][0] == column:
            _, text, number = self.lines[self.at]
            if found.items and not text.startswith("-"):
                break
            if text == "-" or text.startswith("- "):
                found.items.append(self.item(column, text, number))
            elif match := _KEY.match(text):
                if match[1] in found.names:
                    raise self.wrong(f"`{match[1]}` is there twice", number, column, match[1])
                self.at += 1
                found.names[match[1]] = self.value(match[2] or "", column, number, column + match.start(2))
            else:
                raise self.wrong("this is no line of a task", number, column, text, "expected `key: value` or `- item`")
        return found

    def item(self, column: int, text: str, number: int) -> Node:
        """An item of a list: what follows the dash may be the first line of a block."""
        rest = text[1:].lstrip()
        inner = column + len(text) - len(rest)
        if rest and _KEY.match(rest):
            self.lines[self.at] = (inner, rest, number)
            return self.block(inner)
        self.at += 1
        return self.value(rest, column, number, inner)

    def value(self, text: str, column: int, number: int, start: int) -> Node:
        """What stands behind a key or a dash; where nothing does, what is below it. A list of items may stand as far
        left as its key."""
        position = Position(number, max(start, 0) + 1, max(len(text), 1))
        if text.startswith("["):
            if not text.endswith("]"):
                raise self.wrong("this list is not closed in its line", number, start, text)
            items = [part.strip() for part in text[1:-1].split(",")]
            return Block(position, {}, [Scalar(_unquoted(part), position) for part in items if part])
        if text[:1] in ("{", "|", ">", "&", "*", "!"):
            raise self.wrong("this is more of YAML than tasks use", number, start, text)
        if text:
            return Scalar(_unquoted(text), position)
        if self.at < len(self.lines):
            below, first, _ = self.lines[self.at]
            if below > column or (below == column and first.startswith("-")):
                return self.block(below)
        return Scalar("", Position(number, column + 1))

    # ---- what a task has

    def needed(self, whole: Block, name: str) -> Node:
        if name not in whole.names:
            hint = nearest(name, whole.names) or "a task of SV-COMP has `input_files` and `properties`"
            raise ProgramError(f"this task has no `{name}`", self.source, whole.position, hint)
        return whole.names[name]

    def scalars(self, node: Node) -> list[Scalar]:
        found = [node] if isinstance(node, Scalar) else node.items
        for part in found:
            if not isinstance(part, Scalar) or not part.text:
                raise ProgramError("the name of a file is expected here", self.source, part.position)
        return [part for part in found if isinstance(part, Scalar)]

    def claims(self, node: Node) -> Iterator[tuple[Property, Position]]:
        items = node.items if isinstance(node, Block) else []
        if not items:
            raise ProgramError("a list of properties is expected here", self.source, node.position)
        for item in items:
            file = item.names.get("property_file") if isinstance(item, Block) else None
            if not isinstance(item, Block) or not isinstance(file, Scalar):
                raise ProgramError("a property has a `property_file`", self.source, item.position)
            said = item.names.get("expected_verdict")
            if said is not None and not (isinstance(said, Scalar) and said.text in ("true", "false")):
                raise ProgramError("a verdict is `true` or `false`", self.source, said.position)
            expected = said.text == "true" if isinstance(said, Scalar) else None
            yield Property(PurePosixPath(file.text).name.removesuffix(".prp"), expected), file.position


def _without_comment(line: str) -> str:
    """A `#` begins a comment at the start of a line and behind a space, but not inside quotes."""
    quote = ""
    for k, sign in enumerate(line):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"" and (k == 0 or line[k - 1] in " [,"):
            quote = sign
        elif sign == "#" and (k == 0 or line[k - 1] in " \t"):
            return line[:k]
    return line


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
