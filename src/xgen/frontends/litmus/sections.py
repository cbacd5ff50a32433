"""A litmus test's text in its parts: header, initial state, program, question."""

from __future__ import annotations

import re

from xgen.errors import Source
from xgen.frontends.litmus.tokens import Text
from xgen.records import dataclass

_HEADER = re.compile(r'"(?:[^"\\]|\\.)*"|\(\*|\{')
_INIT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\(\*|//[^\n]*|[{}]')
_QUESTION = r"~\s*exists|not\s+exists|exists|forall|locations|filter|final|[Oo]bserved"
_KEYWORD = re.compile(rf"(?:(?<=[\s;}}|])|^)(?:{_QUESTION})(?![\w:.+-])")
_PROGRAM = re.compile(rf'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|\(\*|[{{}}]|{_KEYWORD.pattern}', re.DOTALL)
_COMMENT = re.compile(r"\(\*|\*\)")
_AGAIN = re.compile(r"[\s;]*\{")
OF_C = ("C", "OPENCL", "OpenCL")
"""Architectures whose tests are functions of C."""
_DIGITS = 400
"""Of a number, at most; Python reads none of more than 4,300."""
_TOO_LONG = re.compile(rf"\d[\d_]{{{_DIGITS},}}")
_FIRST = re.compile(r"\s*(\w+)[ \t]+(\S+)[^\n]*")
_INFO = re.compile(r"^\s*([A-Za-z]\w*)\s*=\s*(.*?)\s*$", re.MULTILINE)

Span = tuple[int, int]
"""Where a part starts and ends, in characters."""


@dataclass(frozen=True)
class Sections:
    """The parts of a test; `text` is the whole with comments blanked out: places in it are those of the file.

    `system` is what stands in a second pair of braces: what the system of a GPU orders.
    """

    text: Text
    arch: str
    arch_place: Span
    name: str
    doc: str
    info: dict[str, str]
    init: Span
    system: Span | None
    program: Span
    question: Span


def split(source: Source) -> Sections:
    """The parts of a litmus test. Raises ProgramError where they cannot be told apart."""
    text = Text(source)
    if not source.text.strip():
        text.wrong("this litmus test is empty", 0)
    long = _TOO_LONG.search(source.text)
    if long is not None:
        text.wrong(f"this number has more than {_DIGITS} digits", *long.span())
    chars = _Blanked(text)
    first = _FIRST.match(source.text)
    if first is None:
        text.wrong("a litmus test starts with its architecture and its name", 0, hint="expected, say, `X86 SB`")
    header_end = _find_init(chars, first.start(1))
    init_end = _find_init_end(chars, header_end)
    program, system = init_end + 1, None
    again = None if first[1] in OF_C else _AGAIN.match(source.text, program)
    if again is not None:
        end = _find_init_end(chars, again.end() - 1)
        program, system = end + 1, (again.end(), end)
    question = _find_question(chars, program, first[1] in OF_C)
    blanked = chars.result()
    header = blanked[first.end() : header_end]
    doc = re.search(r'"((?:[^"\\]|\\.)*)"', header)
    info = {match[1]: match[2] for match in _INFO.finditer(header)}
    return Sections(
        Text(source, blanked),
        first[1],
        first.span(1),
        first[2],
        doc[1] if doc else "",
        info,
        (header_end + 1, init_end),
        system,
        (program, question),
        (question, _end(blanked, question)),
    )


class _Blanked:
    """A text in which comments are replaced by blanks, as they are met."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.source = text.source.text
        self.done: list[str] = []
        self.upto = 0

    def blank(self, start: int, end: int) -> None:
        comment = self.source[start:end]
        self.done += [self.source[self.upto : start], re.sub(r"[^\n]", " ", comment)]
        self.upto = end

    def comment(self, start: int) -> int:
        """Blanks the comment `(* ... *)`, in which there may be others; where it ends."""
        depth = 0
        for match in _COMMENT.finditer(self.source, start):
            depth += 1 if match[0] == "(*" else -1
            if depth == 0:
                self.blank(start, match.end())
                return match.end()
        return self.text.wrong("this comment does not end", start, start + 2, "expected `*)`")

    def result(self) -> str:
        return "".join(self.done) + self.source[self.upto :]


def _find_init(chars: _Blanked, start: int) -> int:
    """Where the `{` of the initial state is."""
    while match := _HEADER.search(chars.source, start):
        if match[0] == "{":
            return match.start()
        start = chars.comment(match.start()) if match[0] == "(*" else match.end()
    return chars.text.wrong("there is no initial state", len(chars.source.rstrip()), hint="expected `{ ... }`")


def _find_init_end(chars: _Blanked, start: int) -> int:
    """Where the initial state's `}` is; its own `{` is at `start`."""
    depth, place = 0, start
    while match := _INIT.search(chars.source, place):
        place = match.end()
        if match[0] == "(*":
            place = chars.comment(match.start())
        elif match[0].startswith("//"):
            chars.blank(*match.span())
        elif match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == 0:
                return match.start()
    return chars.text.wrong("the initial state does not end", start, hint="expected `}`")


def _find_question(chars: _Blanked, start: int, c: bool) -> int:
    """Where the program ends and the question starts. In C, `(*` inside a function's body is no comment."""
    depth, place, opened = 0, start, start
    found = len(chars.source.rstrip())
    while match := _PROGRAM.search(chars.source, place):
        place, word = match.end(), match[0]
        if word == "(*":
            if not (c and depth):
                place = chars.comment(match.start())
        elif word.startswith(("//", "/*")):
            chars.blank(*match.span())
        elif word in "{}":
            opened = match.start() if word == "{" and depth == 0 else opened
            depth += 1 if word == "{" else -1
        elif not word.startswith('"') and not (c and depth):
            found = match.start()
            break
    if c and depth > 0:
        chars.text.wrong("this function does not end", opened, hint="expected `}`")
    while match := _COMMENT.search(chars.source, max(found, place)):
        if match[0] == "*)":
            break
        place = chars.comment(match.start())
    return found


def _end(text: str, start: int) -> int:
    """The question's end: what some tools write after it (`<< ... >>`) does not count."""
    end = text.find("<<", start)
    return len(text) if end < 0 else end
