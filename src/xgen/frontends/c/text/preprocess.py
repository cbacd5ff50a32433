"""The C preprocessor (C11, 6.10): from a file to tokens that know where they are from.

What a macro becomes has the place of the macro's call in the text, that of the outermost one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from os.path import realpath
from pathlib import Path
from types import MappingProxyType
from typing import NoReturn, TypeAlias

from xgen.errors import Position, ProgramError, Source, nearest
from xgen.frontends.c.targets import included, own_macros
from xgen.frontends.c.text.conditions import condition
from xgen.frontends.c.text.tokens import Token, refuse_open_quotes, tokenise
from xgen.frontends.c.values.data_model import word_bytes
from xgen.records import dataclass, replace
from xgen.sources import find, read_source

HEADERS = Path(__file__).parents[1] / "include"
"""What `#include <...>` finds: no header of the system is read here."""
ALWAYS = HEADERS / "always"
"""Headers that take the place of the system's as well, where a compiler's preprocessor is asked."""
KERNEL = HEADERS / "kernel"
"""Headers of the Linux kernel, for programs that are parts of it; what is not among them is the kernel's own."""

MAX_INCLUDES = 200
"""So deep may files include each other."""

_PREDEFINED = {
    "__STDC__": "1",
    "__STDC_VERSION__": "201112L",
    "__STDC_HOSTED__": "1",
    "__xgen__": "1",
    "__GNUC__": "4",
    "__GNUC_MINOR__": "2",
    "__linux__": "1",
    "__CHAR_BIT__": "8",
    "__ORDER_LITTLE_ENDIAN__": "1234",
    "__ORDER_BIG_ENDIAN__": "4321",
    "__BYTE_ORDER__": "1234",
    "__ATOMIC_RELAXED": "0",
    "__ATOMIC_CONSUME": "1",
    "__ATOMIC_ACQUIRE": "2",
    "__ATOMIC_RELEASE": "3",
    "__ATOMIC_ACQ_REL": "4",
    "__ATOMIC_SEQ_CST": "5",
    "__INT8_TYPE__": "signed char",
    "__UINT8_TYPE__": "unsigned char",
    "__INT16_TYPE__": "short int",
    "__UINT16_TYPE__": "short unsigned int",
    "__INT32_TYPE__": "int",
    "__UINT32_TYPE__": "unsigned int",
    "__SCHAR_MAX__": "0x7f",
    "__SHRT_MAX__": "0x7fff",
    "__INT_MAX__": "0x7fffffff",
    "__LONG_LONG_MAX__": "0x7fffffffffffffffLL",
    "__SIZEOF_SHORT__": "2",
    "__SIZEOF_INT__": "4",
    "__SIZEOF_LONG_LONG__": "8",
}
_OF_WORD = {
    8: {
        "__x86_64__": "1",
        "__LP64__": "1",
        "__SIZEOF_POINTER__": "8",
        "__SIZEOF_LONG__": "8",
        "__SIZEOF_SIZE_T__": "8",
        "__LONG_MAX__": "0x7fffffffffffffffL",
        "__SIZE_TYPE__": "long unsigned int",
        "__PTRDIFF_TYPE__": "long int",
        "__INT64_TYPE__": "long int",
        "__UINT64_TYPE__": "long unsigned int",
        "__WCHAR_TYPE__": "int",
    },
    4: {
        "__i386__": "1",
        "__ILP32__": "1",
        "__SIZEOF_POINTER__": "4",
        "__SIZEOF_LONG__": "4",
        "__SIZEOF_SIZE_T__": "4",
        "__LONG_MAX__": "0x7fffffffL",
        "__SIZE_TYPE__": "unsigned int",
        "__PTRDIFF_TYPE__": "int",
        "__INT64_TYPE__": "long long int",
        "__UINT64_TYPE__": "long long unsigned int",
        "__WCHAR_TYPE__": "long int",
    },
}
"""What else is defined where a pointer has so many bytes."""


def predefined() -> Mapping[str, str]:
    """The macros that are defined from the start."""
    return _predefined(word_bytes())


@cache
def _predefined(word: int) -> Mapping[str, str]:
    of_word = _OF_WORD[word]
    of_pointers = {"__INTPTR_TYPE__": of_word["__PTRDIFF_TYPE__"], "__UINTPTR_TYPE__": of_word["__SIZE_TYPE__"]}
    return _PREDEFINED | of_word | of_pointers


_OWN = Source("<command line>", "")
_DEFINITION = re.compile(r"/\*[\s\S]*?\*/|^#define (\w+).*$", re.MULTILINE)
"""A comment, or a line of a header of ours that defines a macro: none goes on in the next line."""
NO_HEADER = "xgen has no header of that name; -I says where to look for your own, --headers cc reads the system's"
OF_KERNEL = ("<linux/", "<asm/", "<asm-generic/")
"""Folders of headers that are the kernel's, if the system does not have them as well."""
NEARLY = 0.8
"""So much alike are the names of headers of which one may be meant."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the command line says: -D, -U, -I, --include, what compilers know besides: -iquote, -isystem, -std, and
    other flags that only they know; and the machine that a program is compiled for. Headers in `<>` are looked for in
    `first` before anywhere else."""

    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    system: tuple[str, ...] = ()
    standard: str | None = None
    machine: str | None = None
    others: tuple[str, ...] = ()
    first: tuple[str, ...] = ()

    @property
    def given(self) -> set[str]:
        """The names of macros that the command line defines or undefines."""
        return {text.partition("=")[0] for text in (*self.defines, *self.undefines)}

    def headers_of(self, source: Source) -> set[str]:
        """The names by which a file includes headers, and headers of the program's own folders do."""
        own = (*self.quoted, *self.folders, *self.system)
        text = "".join(f'#include "{name}"\n' for name in self.includes) + source.text
        return included(text, os.path.dirname(source.name), own)

    def __add__(self, other: Settings) -> Settings:
        """Both, the other ones later."""
        return Settings(
            self.defines + other.defines,
            self.undefines + other.undefines,
            self.folders + other.folders,
            self.includes + other.includes,
            self.quoted + other.quoted,
            self.system + other.system,
            other.standard or self.standard,
            other.machine or self.machine,
            self.others + other.others,
            self.first + other.first,
        )


@cache
def is_of_headers(name: str) -> bool:
    """Whether a file is one of xgen's own headers."""
    return HEADERS in Path(name).parents


class MissingHeaders(ProgramError):
    """There are no such files. `parts` has an error for each, by what is written in `<>` or in quotes."""

    parts: Mapping[str, ProgramError] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro; `parameters` is None where it takes none. The last one is `__VA_ARGS__` if there may be more."""

    body: tuple[Token, ...]
    parameters: tuple[str, ...] | None = None
    variadic: bool = False
    own: bool = False  # of a header of ours: others may say otherwise

    @property
    def is_flag(self) -> bool:
        """Whether it only matters that it is defined: `-D _GNU_SOURCE` and `#define _GNU_SOURCE` say the same."""
        return self.parameters is None and [token.text for token in self.body] in ([], ["1"])

    def may_replace(self, other: Macro) -> bool:
        """Whether to define it again is no change, or one may say otherwise."""
        if self.own or other.own or (self.is_flag and other.is_flag):
            return True
        same = [token.text for token in self.body] == [token.text for token in other.body]
        return same and self.parameters == other.parameters


def preprocess(source: Source, settings: Settings = Settings()) -> list[Token]:
    """The tokens of a file, with all directives done; see `with_remarks`."""
    return with_remarks(source, settings)[0]


def with_remarks(source: Source, settings: Settings) -> tuple[list[Token], list[str]]:
    """The tokens of a file, with all directives done, and what compilers warn of. Raises ProgramError, UnsupportedError
    and UsageError; of files that are not there, MissingHeaders, which tells all of them."""
    worker = Preprocessor(settings)
    try:
        for name in settings.includes:
            worker.file(read_source(worker.look(name, "", quoted=True) or name))
        worker.file(source)
        refuse_open_quotes(worker.output)
    except ProgramError:
        if not worker.missing:  # else that may be why
            raise
    if worker.missing:
        errors = list(worker.missing.values())
        found = MissingHeaders(errors[0].message, errors[0].source, errors[0].position, errors[0].hint)
        found.others, found.parts = tuple(errors[1:]), worker.missing
        raise found
    return worker.output, worker.remarks


@dataclass(frozen=True, slots=True)
class _Unread:
    """A macro of ours whose definition is not read yet: most are never called. It is the line between these places of
    a text, and is right."""

    source: Source
    first: int
    last: int

    def read(self) -> Macro:
        return _macro(tokenise(self.source, self.first, self.last)[2:], own=True)


AnyMacro: TypeAlias = Macro | _Unread


@dataclass(slots=True)
class _If:
    """An `#if` that is open: whether its part is read, whether a part was, and whether the whole is."""

    position: Position
    reading: bool
    done: bool
    outer: bool
    last: bool = False  # its #else has come


@dataclass(slots=True)
class Preprocessor:
    """The state between two lines; `output` is what it has made so far."""

    settings: Settings
    macros: dict[str, AnyMacro] = field(default_factory=dict)
    output: list[Token] = field(default_factory=list)
    once: set[str] = field(default_factory=set)
    kept: dict[str, list[AnyMacro | None]] = field(default_factory=dict)  # by `#pragma push_macro`, the last one behind
    missing: dict[str, ProgramError] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)  # what compilers warn of
    of_options: set[str] = field(default_factory=set)  # macros that are as -D says
    found: dict[tuple[str, str, bool], Path | None] = field(default_factory=dict)  # by what `look` was asked
    paths: dict[str, str] = field(default_factory=dict)  # those without links, by names of files
    depth: int = 0
    counter: int = 0
    line_shift: int = 0  # by `#line`, in this file

    def __post_init__(self) -> None:
        own = own_macros(self.settings.machine, word_bytes())
        for name, text in predefined().items():
            if own is None or name not in ("__x86_64__", "__i386__"):
                source = Source(_OWN.name, f"#define {name} {text}")
                self.macros[name] = _Unread(source, 0, len(source.text))
        for name, text in (own or {}).items():
            self.define(name, text)
        for text in self.settings.defines:
            name, equals, body = text.partition("=")
            self.define(name, body if equals else "1")
        self.of_options = {text.partition("=")[0].partition("(")[0] for text in self.settings.defines}
        for name in self.settings.undefines:
            self.macros.pop(name, None)

    def define(self, name: str, body: str) -> None:
        parts = [token for token in tokenise(Source("<command line>", f"{name} {body}")) if token.kind != "newline"]
        if not parts or parts[0].kind != "name":
            raise ProgramError(f"`{name}` cannot be the name of a macro", hint="write -D NAME or -D NAME=TEXT")
        self.definition(parts)

    # ---- files and lines

    def file(self, source: Source) -> None:
        """Reads a file to its end."""
        self.depth += 1
        outer_shift, self.line_shift = self.line_shift, 0
        ifs: list[_If] = []
        pending: list[Token] = []  # text lines: a macro's call may go over several
        for line in _lines(source):
            reading = not ifs or (ifs[-1].reading and ifs[-1].outer)
            if isinstance(line, tuple):
                if reading:
                    self.flush(pending)
                    self.macros[line[0]] = line[1]
            elif line and line[0].text == "#" and line[0].kind == "sign":
                self.flush(pending)
                self.directive(line, ifs, reading)
            elif reading:
                pending += line
        self.flush(pending)
        if ifs:
            raise ProgramError("this condition has no `#endif`", source, ifs[-1].position)
        self.depth -= 1
        self.line_shift = outer_shift

    def flush(self, pending: list[Token]) -> None:
        self.output += self.expand(pending)
        pending.clear()

    def directive(self, line: list[Token], ifs: list[_If], reading: bool) -> None:
        if len(line) == 1:
            return
        word, rest = line[1], line[2:]
        name = word.text
        if name in ("if", "ifdef", "ifndef"):
            holds = reading and self.holds(word, rest)
            ifs.append(_If(word.position, holds, holds, reading))
        elif name in ("elif", "else", "endif"):
            self.next_part(word, rest, ifs)
        elif not reading:
            return
        elif name == "define":
            self.definition(rest, word)
        elif name == "undef":
            self.macros.pop(rest[0].text if rest else "", None)
        elif name in ("include", "include_next"):
            self.include(word, rest)
        elif name == "error":
            text = " ".join(token.text for token in rest)
            self.wrong(f"#error {text}".rstrip(), word)
        elif name == "pragma":
            self.pragma(word, rest)
        elif name == "line":
            self.line(word, self.expand(rest))
        elif name not in ("warning", "ident") and word.kind != "number":
            self.wrong(f"there is no directive `#{name}`", word, nearest(name, _DIRECTIVES))

    def pragma(self, word: Token, rest: list[Token]) -> None:
        """`#pragma once`, and those that keep a macro and bring it back; others say nothing that matters here."""
        said = rest[0].text if rest else ""
        if said == "once" and word.position.source:
            self.once.add(self.real(word.position.source.name))
        elif said in ("push_macro", "pop_macro") and [token.text for token in rest[1::2]] == ["(", ")"]:
            macro = rest[2].text.strip('"')
            kept = self.kept.setdefault(macro, [])
            if said == "push_macro":
                kept.append(self.macros.get(macro))
            elif kept:
                self.macros.pop(macro, None)
                if (old := kept.pop()) is not None:
                    self.macros[macro] = old

    def line(self, word: Token, rest: list[Token]) -> None:
        """`#line N`: only `__LINE__` is told; errors are shown where they are."""
        if not rest or not rest[0].text.isdecimal():
            self.wrong("`#line` needs a number", word)
        self.line_shift = int(rest[0].text) - word.position.line - 1

    def holds(self, word: Token, rest: list[Token]) -> bool:
        if word.text == "if":
            return self.condition(word, rest)
        if not rest or rest[0].kind != "name":
            self.wrong(f"`#{word.text}` needs the name of a macro", word)
        return self.is_defined(rest[0].text) == (word.text == "ifdef")

    def next_part(self, word: Token, rest: list[Token], ifs: list[_If]) -> None:
        if not ifs:
            self.wrong(f"there is no `#if` for this `#{word.text}`", word)
        if word.text == "endif":
            ifs.pop()
            return
        part = ifs[-1]
        if part.last:
            self.wrong(f"`#{word.text}` after `#else`", word)
        part.last = word.text == "else"
        part.reading = part.outer and not part.done and (part.last or self.condition(word, rest))
        part.done |= part.reading

    def condition(self, word: Token, rest: list[Token]) -> bool:
        """Whether the condition of an #if or #elif holds."""
        parts: list[Token] = []
        at = 0
        while at < len(rest):
            token = rest[at]
            if token.text not in ("defined", "__has_include"):
                parts.append(token)
                at += 1
                continue
            last, value = self.asked(rest, at)
            parts.append(token.renamed(str(int(value)), "number"))
            at = last + 1
        return condition(word, self.expand(parts)) != 0

    def asked(self, rest: list[Token], at: int) -> tuple[int, bool]:
        """The last token of `defined X`, `defined(X)` or `__has_include(X)`, which starts at `at`, and its value."""
        word, texts = rest[at], [token.text for token in rest[at + 1 :]]
        if word.text == "defined" and texts[:1] and texts[0] != "(":
            return at + 1, self.is_defined(texts[0])
        if not texts or texts[0] != "(" or ")" not in texts:
            self.wrong(f"`{word.text}` needs a name in parentheses", word)
        end = texts.index(")")
        if word.text == "defined":
            return at + 1 + end, self.is_defined("".join(texts[1:end]))
        return at + 1 + end, self.find(word, rest[at + 2 : at + 1 + end]) is not None

    def is_defined(self, name: str) -> bool:
        return name in self.macros or name in _DYNAMIC or name == "__has_include"

    def definition(self, rest: list[Token], word: Token | None = None) -> None:
        name = rest[0] if rest else word
        assert name is not None
        if not rest or name.kind != "name" or name.text == "defined":
            self.wrong("`#define` needs a name", name)
        source = name.position.source
        own = source is not None and is_of_headers(source.name)
        macro = _macro(rest, own or name.text in predefined())
        old = self.macros.get(name.text)
        if isinstance(old, Macro) and word is not None and not macro.may_replace(old):
            as_ = " ".join(token.text for token in old.body)
            if name.text not in self.of_options:
                self.wrong(f"the macro `{name.text}` is defined already, as `{as_}`", name, "`#undef` it first")
            place = name.position.text(source or _OWN)
            again = f"{place}: the macro `{name.text}` is defined again, not as -D says (`{as_}`)"
            self.remarks.append(f"{again}: to let -D say so, put it between `#ifndef {name.text}` and `#endif`")
        self.of_options.discard(name.text)
        self.macros[name.text] = macro

    def include(self, word: Token, rest: list[Token]) -> None:
        if rest and rest[0].kind == "name":
            rest = self.expand(rest)
        found = self.find(word, rest)
        name = "".join(token.text for token in rest)
        if found is None:
            paths = (path for path in HEADERS.rglob("*.h") if KERNEL not in path.parents)
            known = [path.name if path.parent == ALWAYS else str(path.relative_to(HEADERS)) for path in paths]
            hint = nearest(name.strip('<>"'), known, NEARLY)
            if name.startswith('"'):
                hint = "it is looked for beside this file; -I says where else"
            elif name.startswith(OF_KERNEL) and str(KERNEL) not in self.settings.first:
                hint = "--kernel TREE reads a file of the Linux kernel, with the headers of this tree: docs/kernel.md"
            elif hint is None:
                hint = NO_HEADER
            error = ProgramError(f"there is no file {name}", word.position.source, word.position, hint)
            self.missing.setdefault(name, error)
            return
        if self.depth >= MAX_INCLUDES:
            self.wrong("files include each other without an end", word)
        if self.real(found) not in self.once:
            self.file(read_source(found))

    def find(self, word: Token, rest: list[Token]) -> Path | None:
        """The file that an #include means."""
        text = "".join(token.text for token in rest)
        if len(text) < 3 or (text[0] + text[-1]) not in ("<>", '""'):
            self.wrong('`#include` needs a file: "name" or <name>', word)
        source = word.position.source
        asked = text[1:-1], source.name if source else "", text[0] == '"'
        if asked not in self.found:
            self.found[asked] = self.look(*asked)
        return self.found[asked]

    def real(self, path: str | Path) -> str:
        """The path of a file without links."""
        name = str(path)
        if name not in self.paths:
            self.paths[name] = realpath(name)
        return self.paths[name]

    def look(self, name: str, near: str, quoted: bool) -> Path | None:
        """A header: of ours where it is written in `<>`, else near the file, then in -iquote; in -I and -isystem."""
        places = [Path(folder) for folder in self.settings.folders + self.settings.system]
        first = map(Path, self.settings.first)
        if quoted:
            places = [Path(near).parent, *map(Path, self.settings.quoted), *first, *places, ALWAYS, HEADERS]
        else:
            places = [*first, ALWAYS, HEADERS, *places]
        return find(name, places)

    # ---- macros

    def expand(self, tokens: Sequence[Token]) -> list[Token]:
        """The tokens with all macros in them replaced."""
        todo = list(reversed(tokens))
        done: list[Token] = []
        while todo:
            token = todo.pop()
            name = token.text
            if token.kind != "name" or name in token.hidden:
                done.append(token)
            elif name in _DYNAMIC:
                done.append(self.dynamic(token))
            elif name not in self.macros or (macro := self.macro(name)) is None:
                done.append(token)
            elif macro.parameters is None:
                body = self.replaced(macro, {}, token)
                todo += reversed(body)
            else:
                call = self.arguments(token, macro, todo)
                if call is None:
                    done.append(token)
                else:
                    todo += reversed(self.replaced(macro, *call))
        return done

    def macro(self, name: str) -> Macro | None:
        """The macro of that name, which is read now at the latest."""
        found = self.macros.get(name)
        if isinstance(found, _Unread):
            found = self.macros[name] = found.read()
        return found

    def dynamic(self, token: Token) -> Token:
        source = token.position.source or _OWN
        if token.text == "__LINE__":
            return token.renamed(str(token.position.line + self.line_shift), "number")
        if token.text in ("__FILE__", "__BASE_FILE__"):
            return token.renamed('"' + source.name.replace("\\", "\\\\") + '"', "string")
        self.counter += 1
        return token.renamed(str(self.counter - 1), "number")

    def arguments(self, call: Token, macro: Macro, todo: list[Token]) -> tuple[dict[str, list[Token]], Token] | None:
        """Takes a call's arguments; None where what follows is no call. With them its name, which is in those macros
        only in which its end is as well (D. Prosser's algorithm)."""
        assert macro.parameters is not None
        if not todo or todo[-1].text != "(":
            return None
        todo.pop()
        found: list[list[Token]] = [[]]
        depth = 0
        while todo:
            token = todo.pop()
            if token.text == ")" and depth == 0:
                call = replace(call, hidden=call.hidden & token.hidden)
                break
            depth += {"(": 1, ")": -1}.get(token.text, 0)
            rest = macro.variadic and len(found) == len(macro.parameters)
            if token.text == "," and depth == 0 and not rest:
                found.append([])
            else:
                found[-1].append(token)
        else:
            self.wrong(f"the call of the macro `{call.text}` does not end", call, "expected `)`")
        if not macro.parameters and found == [[]]:
            found = []
        if macro.variadic and len(found) == len(macro.parameters) - 1:
            found.append([])
        if len(found) != len(macro.parameters):
            takes = f"{len(macro.parameters)} argument{'s' if len(macro.parameters) != 1 else ''}"
            self.wrong(f"the macro `{call.text}` takes {takes}, not {len(found)}", call)
        return dict(zip(macro.parameters, found, strict=True)), call

    def replaced(self, macro: Macro, arguments: Mapping[str, list[Token]], call: Token) -> list[Token]:
        """What a call of a macro becomes, before it is looked at again."""
        body, result = self.optional(macro, arguments), list[Token]()
        hidden = frozenset([call.text]) | call.hidden
        expanded: dict[str, list[Token]] = {}
        at = 0
        while at < len(body):
            token = body[at]
            following = body[at + 1] if at + 1 < len(body) else None
            if token.text == "#" and following and following.text in arguments and macro.parameters is not None:
                result.append(token.renamed(quoted(arguments[following.text]), "string").at(call.position, hidden))
                at += 2
            elif token.text == "##" and following and result:
                self.paste(result, arguments.get(following.text, [following]), macro, following, call)
                at += 2
            elif token.text in arguments and following and following.text == "##":
                result += arguments[token.text] or [token.renamed("", "other")]
                at += 1
            elif token.text in arguments:
                name = token.text
                if name not in expanded:
                    expanded[name] = self.expand(arguments[name])
                result += [part.at(call.position, frozenset(), token.blank if k == 0 else None)
                           for k, part in enumerate(expanded[name])]  # fmt: skip
                at += 1
            else:
                result.append(token)
                at += 1
        return [token.at(call.position, hidden) for token in result if token.text]

    def optional(self, macro: Macro, arguments: Mapping[str, list[Token]]) -> Sequence[Token]:
        """The body, with what is in `__VA_OPT__(...)` where there are variable arguments, and without it else."""
        body = list(macro.body)
        if not macro.variadic or macro.parameters is None or all(token.text != "__VA_OPT__" for token in body):
            return body
        present = bool(self.expand(arguments[macro.parameters[-1]]))
        at = 0
        while at < len(body) - 1:
            if body[at].text == "__VA_OPT__" and body[at + 1].text == "(":
                depth, end = 1, at + 2
                while end < len(body) and depth:
                    depth += {"(": 1, ")": -1}.get(body[end].text, 0)
                    end += 1
                if depth:
                    self.wrong("this `__VA_OPT__` does not end", body[at], "expected `)`")
                body[at:end] = body[at + 2 : end - 1] if present else []
            else:
                at += 1
        return body

    def paste(self, result: list[Token], right: list[Token], macro: Macro, name: Token, call: Token) -> None:
        """`left ## right`: the last token of the result and the first one of `right` become one."""
        if result[-1].text == "," and macro.variadic and macro.parameters and name.text == macro.parameters[-1]:
            if not right:
                result.pop()  # GNU: the comma before an empty __VA_ARGS__ goes
            result += right
            return
        if not right:
            return
        text = result[-1].text + right[0].text
        parts = tokenise(Source("<pasted>", text))
        if len(parts) != 1:
            self.wrong(f"`##` makes no token of `{result[-1].text}` and `{right[0].text}`", call)
        result[-1] = result[-1].renamed(text, parts[0].kind)
        result += right[1:]

    def wrong(self, message: str, token: Token, hint: str | None = None) -> None:
        _wrong(message, token, hint)


def _wrong(message: str, token: Token, hint: str | None = None) -> NoReturn:
    raise ProgramError(message, token.position.source, token.position, hint)


def _lines(source: Source) -> Iterator[list[Token] | tuple[str, _Unread]]:
    """The lines of a file; in headers of ours, a line that defines a macro is its name and where its definition is."""
    at = 0
    for found in _DEFINITION.finditer(source.text) if is_of_headers(source.name) else ():
        if found[1]:
            if at < found.start():
                yield from _split(tokenise(source, at, found.start()))
            yield found[1], _Unread(source, found.start(), found.end())
            at = found.end() + 1
    yield from _split(tokenise(source, at))


def _split(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    line: list[Token] = []
    for token in tokens:
        if token.kind == "newline":
            yield line
            line = []
        else:
            line.append(token)
    if line:
        yield line


def _macro(definition: Sequence[Token], own: bool) -> Macro:
    """The macro that is defined by its name and what follows. Raises ProgramError."""
    name, *body = definition
    if not body or body[0].text != "(" or body[0].blank:
        return Macro(tuple(body), own=own)
    signs = [token.text for token in body]
    if ")" not in signs:
        _wrong("the parameters of this macro do not end", name, "expected `)`")
    end = signs.index(")")
    words = [sign for sign in signs[1:end] if sign != ","]
    variadic = "..." in words
    if words[-1:] == ["..."] and (len(words) == 1 or signs[end - 2] == ","):
        words[-1] = "__VA_ARGS__"
    elif variadic:  # `args...`
        words.pop()
    return Macro(tuple(body[end + 1 :]), tuple(words), variadic, own)


_DYNAMIC = frozenset({"__LINE__", "__FILE__", "__BASE_FILE__", "__COUNTER__"})
_DIRECTIVES = [
    "if",
    "ifdef",
    "ifndef",
    "elif",
    "else",
    "endif",
    "define",
    "undef",
    "include",
    "error",
    "pragma",
    "warning",
    "line",
]


def quoted(tokens: Sequence[Token]) -> str:
    """The text of some tokens as a string literal."""
    text = "".join((" " if token.blank and k else "") + (
        token.text.replace("\\", "\\\\").replace('"', '\\"') if token.kind in ("string", "char") else token.text
    ) for k, token in enumerate(tokens))  # fmt: skip
    return f'"{text}"'
