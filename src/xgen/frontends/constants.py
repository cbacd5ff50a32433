"""Constants of a text of C, C++ or Rust: given another value (`--set`), or found where they bound loops."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from xgen.errors import Position, Source, UsageError, nearest
from xgen.program.automaton import Program
from xgen.records import dataclass
from xgen.resources import short
from xgen.sources import COMPILED, CPP, RUST, C, read_source

_ASIDE = re.compile(
    r"//(?:\\\n|[^\n])*|/\*.*?\*/"
    r"|R\"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)\""
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'",
    re.S,
)
"""Comments, strings and letters."""
_NUMBER = r"[+-]?(?:0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9'_]*(?:\.[0-9']+)?(?:[eE][+-]?[0-9]+)?)"
_SUFFIX = r"[uUlLfFzZ]{0,3}|_?[iu](?:8|16|32|64|128|size)"
_LITERAL = re.compile(rf"(?P<value>{_NUMBER}|true|false)(?P<suffix>{_SUFFIX})")
_GIVEN = re.compile(r"(?P<name>[A-Za-z_]\w*)(?::(?P<line>[1-9][0-9]{0,8}))?\s*=\s*(?P<value>\S+)")
_BEHIND = re.compile(r"[ \t\n]*(?P<sign>=(?!=)|[{(])[ \t\n]*(?P<value>[^,;{}()\n]*?)[ \t]*(?=[,;{}()\n])")
_BEHIND_RUST = re.compile(r"[ \t\n]*:[^=;\n]*=[ \t\n]*(?P<value>[^;]*?)[ \t\n]*;")
_DEFINED = re.compile(r"[ \t]+(?P<value>(?:[^\n\\]|\\\n)*?)[ \t]*(?:\n|\Z)")
_CONSTANT = re.compile(r"\b(const|constexpr|constinit)\b")
_ENUM = re.compile(r"\benum\b[^;{}()]*\Z")
_LOOP = re.compile(r"\b(?:for|while)\b[ \t]*\(((?:[^(){}]|\([^(){}]*\))*)\)|\bfor\b[^{};()]*\bin\b([^{};]*)\{")
SMALL = 2
"""What a constant that bounds a loop is to be tried with."""
MANY = 100
"""Rounds of a loop that is told of where a number in the text says how many it has."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant where it is defined: its name, where what it has stands in the text, and what that is."""

    name: str
    begin: int
    end: int
    text: str

    @property
    def literal(self) -> re.Match[str] | None:
        """Its value, if it is one number."""
        return _LITERAL.fullmatch(self.text)


@dataclass(frozen=True, slots=True)
class Setting:
    """A value that a constant is given; `line`: where it is defined, of several with that name."""

    name: str
    value: str
    line: int | None = None

    @property
    def shown(self) -> str:
        """How the constant is named."""
        return self.name if self.line is None else f"{self.name}:{self.line}"

    def constants_in(self, source: Source) -> list[Constant]:
        """Those of a text that it means."""
        found = constants_in(source, self.name)
        return found if self.line is None else [each for each in found if _line(source, each) == self.line]


def settings_of(given: Sequence[str], file: str) -> list[Setting]:
    """What `NAME=VALUE` or `NAME:LINE=VALUE` says. Raises UsageError where it says no number."""
    found = list[Setting]()
    for text in given:
        match = _GIVEN.fullmatch(text.strip())
        if match is None or _LITERAL.fullmatch(match["value"]) is None:
            hint = "a constant is given a number, or true or false: --set ROUNDS=2, or ROUNDS:28=2 for that of line 28"
            raise UsageError(f"`{text}` gives no constant a value", file=file, hint=hint)
        line = int(match["line"]) if match["line"] else None
        if any(each.name == match["name"] and (each.line == line or None in (each.line, line)) for each in found):
            raise UsageError(f"`{match['name']}` is given two values", file=file)
        found.append(Setting(match["name"], match["value"], line))
    return found


def with_constants(sources: Sequence[Source], given: Sequence[str]) -> list[Source]:
    """The texts, in which constants have the values that are given. Raises UsageError for a name that no text has, or
    several times with different values, or that is no constant, or whose value is no literal."""
    texts = list(sources)
    for setting in settings_of(given, sources[0].name if sources else ""):
        found = [(k, each) for k, source in enumerate(sources) for each in setting.constants_in(source)]
        if not found:
            raise unknown(sources, setting.name, setting.line)
        for k, each in found:
            if each.literal is None:
                message = f"`{setting.name}` is set to `{each.text}`, which is no number"
                numbers = [f"{each.name}:{_line(sources[k], each)}" for k, each in found if each.literal is not None]
                hint = "--set changes constants that are a number or true or false"
                if numbers:
                    hint = f"--set {numbers[0]}={setting.value} changes another one of that name"
                raise _at(sources[k], each, message, hint)
        _refuse_several(sources, found)
        for k in {k for k, _ in found}:
            texts[k] = _changed(texts[k], setting)
    return texts


def _refuse_several(sources: Sequence[Source], found: Sequence[tuple[int, Constant]]) -> None:
    """Raises UsageError where a name stands for several values. Those in the branches of one #if are as one."""
    definitions: dict[object, list[tuple[int, Constant]]] = {}
    for k, each in found:
        group = _group(sources[k].text, each.begin)
        definitions.setdefault((k, each.begin) if group is None else (k, "#", group), []).append((k, each))
    first, *others = definitions.values()
    for other in others:
        if [each.text for _, each in other] != [each.text for _, each in first]:
            (there, one), (here, each) = first[0], other[0]
            message = f"`{each.name}` is {each.text} here, and {one.text} elsewhere: it is not known which is meant"
            other_line, line = _line(sources[there], one), _line(sources[here], each)
            hint = f"the other one is at {sources[there].name}:{other_line}"
            if line != other_line:
                hint += f"; --set {each.name}:{line}=... changes the one of this line"
            raise _at(sources[here], each, message, hint)


def _group(text: str, place: int) -> int | None:
    """Where the #if begins that a place is in."""
    open_ = list[int]()
    for directive in re.finditer(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|endif)\b", text[:place], re.M):
        if directive[1] != "endif":
            open_.append(directive.start())
        elif open_:
            open_.pop()
    return open_[-1] if open_ else None


def constants_in(source: Source, name: str | None = None) -> list[Constant]:
    """The constants that a text defines: of a name, or all."""
    text, found = _code(source.text), list[Constant]()
    rust = source.name.endswith(RUST)
    named = r"[A-Za-z_]\w*" if name is None else re.escape(name)
    for match in re.finditer(rf"\b{named}\b", text):
        behind = _value_of(text, match, rust)
        if behind is not None:
            value = source.text[behind.start("value") : behind.end("value")]
            found.append(Constant(match[0], behind.start("value"), behind.end("value"), value))
    return found


def bounds(source: Source) -> Iterator[tuple[int, Constant]]:
    """The constants of more than 2 that loops of a text are bounded by, each with the line of a loop."""
    known = {each.name: each for each in constants_in(source) if _is_large(each)}
    text = _code(source.text)
    for loop in _LOOP.finditer(text):
        for name in dict.fromkeys(re.findall(r"[A-Za-z_]\w*", loop[1] or loop[2])):
            if name in known:
                yield text.count("\n", 0, loop.start()) + 1, known[name]


def hint(source: Source, lines: range | None = None) -> str | None:
    """What may be tried where a program is too long: its constants that bound loops (of some `lines`, if any there are)
    with less, and which loops these are. Where it has none: which loops have many rounds."""
    found = [(line, each) for line, each in bounds(source) if _is_one(source, each.name)]
    inside = [(line, each) for line, each in found if lines is None or line in lines] or found
    first: dict[str, tuple[int, Constant]] = {}
    for line, each in inside:
        first.setdefault(each.name, (line, each))
    if not first:
        return _long_loop(source, lines)
    few = list(first.items())[:3]
    said = (f"{name} is {each.text} in the loop at {short(source.name)}:{line}" for name, (line, each) in few)
    return f"try {' '.join(f'--set {name}={SMALL}' for name, _ in few)} ({'; '.join(said)})"


def _long_loop(source: Source, lines: range | None) -> str | None:
    """What is said of the first loop (of some `lines`) that has many rounds, as a number in the text says."""
    text = _code(source.text)
    for loop in _LOOP.finditer(text):
        line = text.count("\n", 0, loop.start()) + 1
        for number in re.findall(r"(?:[<>]=?|\.\.=?)[ \t]*([0-9][0-9'_]*)(?![\w.])", loop[1] or loop[2]):
            rounds = int(re.sub("['_]", "", number))
            if rounds >= MANY and (lines is None or line in lines):
                fewer = f"let it have {SMALL} where xgen reads it"
                return f"the loop at {short(source.name)}:{line} has {rounds:,} rounds: {fewer}"
    return None


def _is_one(source: Source, name: str) -> bool:
    """Whether a constant can be given another value."""
    try:
        return bool(with_constants([source], [f"{name}={SMALL}"]))
    except UsageError:
        return False


def hint_for_file(name: str, lines: range | None = None, project: str | None = None) -> str | None:
    """The same of a file that has not been read to its end, and where it has no such constants, of the library of its
    `project` of cargo."""
    if not name.endswith(COMPILED):
        return None
    library = list[str]()
    if project is not None and name.endswith(RUST):
        folder = project if os.path.isdir(project) else os.path.dirname(project)
        library = sorted(map(str, Path(folder, "src").rglob("*.rs")))
    try:
        found = hint(read_source(name), lines)
        return found or next(filter(None, (hint(read_source(file)) for file in library)), None)
    except UsageError:
        return None


def hint_for(program: Program) -> str | None:
    """The same of a program, by the lines that it comes to in its own file, and then in others, of its project too.
    What a constant changes goes before what has to be written."""
    if not program.source.name.endswith(COMPILED):
        return None
    lines: dict[str, list[int]] = {program.source.name: []}
    sources = {program.source.name: program.source}
    edges = (edge for process in program.processes for procedure in process.procedures for edge in procedure.edges)
    for place in (statement.position for edge in edges for statement in edge.statements):
        source = place.source or program.source
        if place.line and (source.name in sources or _is_own(source) or _is_in(source, program.project)):
            lines.setdefault(source.name, []).append(place.line)
            sources.setdefault(source.name, source)
    ranges = ((sources[name], range(min(seen), max(seen) + 1) if seen else None) for name, seen in lines.items())
    found = [each for each in (hint(*each) for each in ranges) if each is not None]
    return min(found, key=lambda each: not each.startswith("try "), default=None)


def _is_own(source: Source) -> bool:
    """Whether a file is one that the command line names: no header, and none of a library in Rust."""
    return source.name.endswith((*C, *CPP))


def _is_in(source: Source, project: str | None) -> bool:
    """Whether a file is one of a project."""
    return project is not None and os.path.abspath(source.name).startswith(os.path.join(project, ""))


def _is_large(constant: Constant) -> bool:
    literal = constant.literal
    if literal is None or literal["value"] in ("true", "false"):
        return False
    digits = literal["value"].replace("'", "").replace("_", "")
    return digits.isdigit() and int(digits) > SMALL


def _value_of(text: str, name: re.Match[str], rust: bool) -> re.Match[str] | None:
    """What stands behind a name that is defined as a constant there."""
    begin = name.start()
    line = text[text.rfind("\n", 0, begin) + 1 : begin]
    if not rust and re.fullmatch(r"[ \t]*#[ \t]*define[ \t]+", line):
        return _DEFINED.match(text, name.end())
    if "#" in line:
        return None
    if rust:
        before = re.search(r"\b(const|static)[ \t\n]+\Z", text[:begin])
        return _BEHIND_RUST.match(text, name.end()) if before else None
    behind = _BEHIND.match(text, name.end())
    if behind is None:
        return None
    start = max(text.rfind(sign, 0, begin) for sign in ";{}()")
    statement = text[start + 1 : begin]
    if _CONSTANT.search(statement) and re.search(r"[\w>*&\]]\s+\Z|[,>*&]\s*\Z", statement):
        return behind
    opened = text.rfind("{", 0, begin)
    if behind["sign"] == "=" and opened > text.rfind("}", 0, begin) and _ENUM.search(text[:opened]):
        return behind if ";" not in text[opened:begin] else None
    return None


def _code(text: str) -> str:
    """The text without comments and strings, which are blank in it."""
    return _ASIDE.sub(lambda aside: re.sub(r"[^\n]", " ", aside[0]), text)


def _changed(source: Source, setting: Setting) -> Source:
    text, behind = "", 0
    for each in setting.constants_in(source):
        literal, value = each.literal, _LITERAL.fullmatch(setting.value)
        assert literal is not None
        assert value is not None
        suffix = "" if value["suffix"] or value["value"] in ("true", "false") else literal["suffix"]
        text += source.text[behind : each.begin] + setting.value + suffix
        behind = each.end
    return Source(source.name, text + source.text[behind:])


def unknown(sources: Sequence[Source], name: str, line: int | None = None) -> UsageError:
    """What is said of a constant that no text has, or none in that line."""
    lines = sorted({_line(source, each) for source in sources for each in constants_in(source, name)})
    if line is not None and lines:
        message = f"there is no constant `{name}` in line {line}"
        there = ", ".join(f"--set {name}:{each}=..." for each in lines[:3])
        return UsageError(message, file=sources[0].name, hint=f"where there is one: {there}")
    for source in sources:
        found = re.search(rf"\b{re.escape(name)}\b", _code(source.text))
        if found is not None:
            place = Constant(name, found.start(), found.end(), name)
            return _at(source, place, f"`{name}` is no constant that is set to a number in this text", None)
    known = [each.name for source in sources for each in constants_in(source) if each.literal is not None]
    where = sources[0].name if sources else ""
    return UsageError(f"there is no constant `{name}` in this text", file=where, hint=nearest(name, known))


def _line(source: Source, constant: Constant) -> int:
    return source.text.count("\n", 0, constant.begin) + 1


def _at(source: Source, constant: Constant, message: str, hint: str | None) -> UsageError:
    column = constant.begin - source.text.rfind("\n", 0, constant.begin)
    place = Position(_line(source, constant), column, max(1, constant.end - constant.begin), source)
    return UsageError(message, source, place, hint=hint)
