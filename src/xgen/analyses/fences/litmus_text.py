"""The text of a litmus test for a GPU with fences and orders put in: a line of its own for each fence."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable

from xgen.analyses.fences.scopes import machine_of
from xgen.analyses.fences.sites import Piece
from xgen.errors import Position
from xgen.program.automaton import Program, Statement

_LABELS = re.compile(r"(?:\s*[A-Za-z_.$][\w.$]*\s*:)+")
_HEADERS = re.compile(r"\s*(?:else|while|for|do|if|switch)\b")
_LOOPS = re.compile(r"\s*(?:else|while|for|do)\b")
_CALL = re.compile(r"\w+\s*\([^;{}]*?\)\s*;")
_ORDER = re.compile(r"\bmemory_order_\w+")
_SCOPE = re.compile(r"\bmemory_scope_\w+")
_SCOPES = {"wi": "work_item", "wg": "work_group", "dv": "device", "all": "all_svm_devices"}
_ENDS = ";{}"
"""What statements of C stand between."""


def litmus_text_with(program: Program, pieces: Iterable[Piece], removed: Iterable[Statement]) -> str | None:
    """The text of a test with these pieces, without the fences that were removed; None where it cannot be laid out so.

    What it says may not be what was meant: it has to be read and checked.
    """
    machine = machine_of(program)
    if machine is None:
        return None
    text = _Functions(program) if machine == "OpenCL" else _Columns(program, machine)
    changes: list[tuple[Position, Piece | None]] = [(piece.site.position, piece) for piece in pieces]
    changes += [(statement.position, None) for statement in removed]
    try:
        # What stands later in a line is changed first: the rest of the line stays where it is.
        for position, piece in sorted(changes, key=lambda each: (each[0].line, -each[0].column)):
            if piece is None:
                text.remove(position)
            elif piece.site.is_gap:
                text.fence(piece, position)
            else:
                text.access(piece, position)
    except _NoPlaceError:
        return None
    return text.whole()


class _NoPlaceError(Exception):
    """There is no place in the text for a change."""


class _Text(ABC):
    """A text whose lines are changed; new lines stand above and below the old ones, by number."""

    def __init__(self, program: Program) -> None:
        self.lines = program.source.text.split("\n")
        self.above: dict[int, list[str]] = {}
        self.below: dict[int, list[str]] = {}
        self.gone: set[int] = set()

    def whole(self) -> str:
        """The text with its changes."""
        parts = (
            [*self.above.get(n, []), *([] if n in self.gone else [line]), *self.below.get(n, [])]
            for n, line in enumerate(self.lines)
        )
        return "\n".join(line for part in parts for line in part)

    def replace(self, number: int, start: int, end: int, new: str) -> None:
        """A part of a line is another one; blanks behind it make room."""
        line = self.lines[number]
        rest = line[end:]
        room = max(0, min(len(new) - (end - start), len(rest) - len(rest.lstrip(" ")) - 1))
        self.lines[number] = line[:start] + new.ljust(end - start) + rest[room:]

    @abstractmethod
    def remove(self, position: Position) -> None:
        """Takes a fence out."""

    @abstractmethod
    def fence(self, piece: Piece, position: Position) -> None:
        """Puts a fence in."""

    @abstractmethod
    def access(self, piece: Piece, position: Position) -> None:
        """Makes an access say its order and scope."""


class _Columns(_Text):
    """PTX and Vulkan: a line of instructions, one of each thread."""

    def __init__(self, program: Program, machine: str) -> None:
        super().__init__(program)
        self.name = "fence" if machine == "PTX" else "membar"

    def remove(self, position: Position) -> None:
        number, start = position.line - 1, position.column - 1
        self.replace(number, start, start + position.width, "")
        if not self.lines[number].strip(" |;\t"):
            self.gone.add(number)

    def fence(self, piece: Piece, position: Position) -> None:
        number = position.line - 1
        line = self.lines[number]
        if not line.rstrip().endswith(";") or line.count(";") != 1:
            raise _NoPlaceError
        cells = line.rstrip()[:-1].split("|")
        column = line[: position.column - 1].count("|")
        label = _LABELS.match(cells[column])
        before = piece.site.where == "before"
        said = f"{label[0] if label and before else ''} {self.name}.{piece.word} "
        blank = [said if n == column else "" for n in range(len(cells))]
        row = "|".join(new.ljust(len(cell)) for new, cell in zip(blank, cells, strict=True)) + ";"
        if label and before:  # who jumps there passes the fence
            start = sum(len(cell) + 1 for cell in cells[:column])
            self.replace(number, start, start + label.end(), "")
        if before:
            self.above.setdefault(number, []).append(row)
        else:
            self.below.setdefault(number, []).append(row)

    def access(self, piece: Piece, position: Position) -> None:
        number, start = position.line - 1, position.column - 1
        words = re.match(r"[\w.]+", self.lines[number][start:])
        if words is None:
            raise _NoPlaceError
        name = words[0].partition(".")[0]
        self.replace(number, start, start + words.end(), f"{name}.{piece.word}")


class _Functions(_Text):
    """OpenCL: statements of C."""

    def remove(self, position: Position) -> None:
        number, start = position.line - 1, position.column - 1
        call = _CALL.match(self.lines[number], start)
        if call is None:
            raise _NoPlaceError
        self.lines[number] = self.lines[number][:start] + ";" + self.lines[number][call.end() :]

    def fence(self, piece: Piece, position: Position) -> None:
        order, scope, *regions = piece.word.split(".")
        flags = " | ".join(f"CLK_{region.upper()}_MEM_FENCE" for region in regions)
        said = f"atomic_work_item_fence({flags}, memory_order_{order}, memory_scope_{_SCOPES[scope]});"
        number, at = position.line - 1, position.column - 1
        line = self.lines[number]
        start = max(line.rfind(end, 0, at) for end in _ENDS) + 1
        blanks = line[: len(line) - len(line.lstrip())]
        if piece.site.where == "before":
            if _LOOPS.match(line, start):
                raise _NoPlaceError  # there it would be passed once, not in each round
            if not line[:start].strip():
                self.above.setdefault(number, []).append(f"{blanks}{said}")
                return
            self.lines[number] = f"{line[:start]} {said}{line[start:]}"
            return
        end = line.find(";", at) + 1
        if not end or _HEADERS.match(line, start):
            raise _NoPlaceError
        if not line[end:].strip():
            self.below.setdefault(number, []).append(f"{blanks}{said}")
            return
        self.lines[number] = f"{line[:end]} {said}{line[end:]}"

    def access(self, piece: Piece, position: Position) -> None:
        number, at = position.line - 1, position.column - 1
        order, scope = piece.word.split(".")
        line = self.lines[number]
        end = line.find(";", at)
        call = line[at : end if end >= 0 else len(line)]
        if not _ORDER.search(call):
            raise _NoPlaceError
        said, name = _ORDER.sub(f"memory_order_{order}", call, count=1), f"memory_scope_{_SCOPES[scope]}"
        if _SCOPE.search(said):
            said = _SCOPE.sub(name, said, count=1)
        elif scope != "dv":  # which it is where none is said
            said = _ORDER.sub(f"memory_order_{order}, {name}", said, count=1)
        self.lines[number] = line[:at] + said + line[at + len(call) :]
