"""What the metadata of a module say: places in the source, and what variables and their members are called."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import TypeAlias

from xgen.errors import Position, Source
from xgen.frontends.llvm.text.ir import Module
from xgen.program.automaton import NOWHERE
from xgen.records import dataclass
from xgen.sources import of_library, source_of

_FIELD = re.compile(r'(\w+): (?:!(\d+)|"((?:[^"\\]|\\.)*)"|([^,)]+))')
_ATOMIC = re.compile(r"(std|core)::(\w+::)*[Aa]tomic|atomic_flag$")
"""Atomic types of libraries; those of C are said otherwise."""
ALIASES = ("typedef", "const_type", "volatile_type", "atomic_type", "restrict_type")
"""What has the type that it is of."""
NESTED = 12
"""So deep in each other types may be for their members to be named."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A place, and the function that it is in."""

    file: Source | None
    line: int
    column: int
    function: str


@dataclass(frozen=True, slots=True)
class Subobject:
    """What is made in memory that was asked for: what it is called, its type, how many bytes it has."""

    name: str
    type: int
    size: int


Calls: TypeAlias = tuple[tuple[str, Position], ...]
"""Functions, and where each of them is called: the innermost first."""


class Metadata:
    """Reads the nodes that are asked for."""

    def __init__(self, module: Module, own: Source | None = None) -> None:
        self.module = module
        self.nodes: dict[int, dict[str, str | int]] = {}
        self.sources: dict[str, Source] = {} if own is None else {os.path.abspath(own.name): own}
        self.chains: dict[int, list[Frame]] = {}
        self.places: dict[int, Calls] = {}
        self.led_to: dict[int | None, list[Subobject]] = {}

    @property
    def is_there(self) -> bool:
        """Whether the program was compiled with debug information."""
        return any(text.startswith("distinct !DICompileUnit") for text in self.module.metadata.values())

    def node(self, number: int | str | None) -> dict[str, str | int]:
        """The fields of a node; references are numbers, "" is its kind."""
        if not isinstance(number, int):
            return {"": ""}
        found = self.nodes.get(number)
        if found is None:
            text = self.module.metadata.get(number, "")
            found = {"": text.split("(")[0].removeprefix("distinct ").lstrip("!")}
            for match in _FIELD.finditer(text):
                found[match[1]] = int(match[2]) if match[2] else match[3] if match[3] is not None else match[4]
            self.nodes[number] = found
        return found

    def elements(self, number: int | str | None) -> Iterator[dict[str, str | int]]:
        """The nodes in a list of them."""
        if isinstance(number, int):
            for found in re.findall(r"!(\d+)", self.module.metadata.get(number, "")):
                yield self.node(int(found))

    # ---- places

    def source(self, file: int | str | None) -> Source | None:
        node = self.node(file)
        name = node.get("filename")
        if not isinstance(name, str):
            return None
        path = os.path.abspath(os.path.join(str(node.get("directory", "")), name))
        if path not in self.sources:
            here = os.path.relpath(path)
            shown = path if here.startswith("..") else here
            self.sources[path] = source_of(shown)
        return self.sources[path]

    def frames(self, place: int) -> list[Frame]:
        """A place, then those of the calls that were put in its place, innermost first."""
        if place not in self.chains:
            found, number = list[Frame](), place
            while True:
                node = self.node(number)
                if node[""] != "DILocation":
                    break
                file, function = self._scope(node.get("scope"))
                line = _int(node.get("line"))
                found.append(Frame(file, line, _column(file, line, _int(node.get("column"))), function))
                inlined = node.get("inlinedAt")
                if not isinstance(inlined, int):
                    break
                number = inlined
            self.chains[place] = found
        return self.chains[place]

    def _scope(self, number: int | str | None) -> tuple[Source | None, str]:
        """The file of a scope, and the function that it is in."""
        file: Source | None = None
        for node in self._scopes(number):
            if file is None:
                file = self.source(node.get("file"))
            if node[""] == "DISubprogram":
                return file, str(node.get("name", ""))
        return file, ""

    def _scopes(self, number: int | str | None) -> Iterator[dict[str, str | int]]:
        """A scope, and those around it."""
        while isinstance(number, int):
            node = self.node(number)
            yield node
            number = node.get("scope")

    def position(self, place: int, outer: Calls) -> Position:
        """A place outside libraries, with the calls that lead there; `outer` are those of the function itself."""
        chain = (*self.kept(place), *outer)
        if not chain:
            frames = self.frames(place)
            return Position(*_at(frames[0])) if frames else NOWHERE
        first = chain[0][1]
        own = len(chain) > 1 and chain[1][1] == first  # what has no place of its own in a function has that of its call
        calls, frames = chain[2:] if own else chain[1:], self.frames(place)
        inner = bool(frames) and of_library(Position(*_at(frames[0])).source)
        return Position(first.line, first.column, first.width, first.source, calls, library=inner)

    def kept(self, place: int) -> Calls:
        """A place and those of the calls that were put in its place, without what is in libraries."""
        if place not in self.places:
            frames = self.frames(place)
            found = [(frames[k - 1].function if k else "", Position(*_at(frame))) for k, frame in enumerate(frames)]
            self.places[place] = tuple(pair for pair in found if not of_library(pair[1].source))
        return self.places[place]

    def function(self, number: int | None, name: str) -> str:
        """What a function is called in its source."""
        return str(self.node(number).get("name", name))

    def is_of_program(self, number: int | None) -> bool:
        """Whether a global variable is declared by the program, outside functions: not by a library or a compiler."""
        node = self.variable(number)
        if "line" not in node or of_library(self.source(node.get("file"))):
            return False
        return all(scope[""] != "DISubprogram" for scope in self._scopes(node.get("scope")))

    def place_of(self, number: int | None) -> Position:
        """Where a function or a variable is declared."""
        node = self.node(number)
        if node[""] == "DIGlobalVariableExpression":
            node = self.node(node.get("var"))
        if "line" not in node:
            return NOWHERE
        return Position(max(_int(node["line"]), 1), 1, 1, self.source(node.get("file")))

    # ---- names

    def variable(self, number: int | None) -> dict[str, str | int]:
        node = self.node(number)
        return self.node(node.get("var")) if node[""] == "DIGlobalVariableExpression" else node

    def qualified(self, number: int | None, name: str) -> str:
        """The name of a global variable, with the function or class that it is in."""
        node = self.variable(number)
        if "name" not in node:
            return name
        declared = self.node(node["declaration"]) if "declaration" in node else node  # in a class
        words = [str(node["name"])]
        for outer in self._scopes(declared.get("scope")):
            if outer[""] in ("DISubprogram", "DICompositeType", "DINamespace") and "name" in outer:
                words.append(str(outer["name"]))
        return "::".join(reversed(words))

    def member(self, type_: int | str | None, offset: int, depth: int = 0) -> str | None:
        """What is so many bytes behind the start of a type: `.states[0]`; members of libraries have no name. None:
        nothing starts there."""
        node = self.node(type_)
        tag = str(node.get("tag", "")).removeprefix("DW_TAG_")
        if depth > NESTED:
            return ""
        if node[""] == "DIDerivedType" and tag in ALIASES:
            return self.member(node.get("baseType"), offset, depth + 1)
        if node[""] != "DICompositeType" or tag == "enumeration_type":
            return None if offset else ""
        if tag == "array_type":
            size = self.size(node.get("baseType"))
            inner = self.member(node.get("baseType"), offset % size, depth + 1) if size else None
            return None if inner is None else f"[{offset // size}]{inner}"
        for member in self.elements(node.get("elements")):
            kind = str(member.get("tag", "")).removeprefix("DW_TAG_")
            if kind not in ("member", "inheritance") or "DIFlagStaticMember" in str(member.get("flags", "")):
                continue
            start = _int(member.get("offset")) // 8
            if not start <= offset < start + self.size(member.get("baseType")):
                continue
            inner = self.member(member.get("baseType"), offset - start, depth + 1)
            if inner is None:
                continue  # of a union
            name = str(member.get("name", ""))
            return inner if kind == "inheritance" or not name or name.startswith("__") else f".{name}{inner}"
        return None if offset else ""

    def classes(self, function: int | None) -> list[Subobject]:
        """The classes of the program that parameters of a function lead to, `this` among them."""
        if function not in self.led_to:
            parameters = self.node(self.node(function).get("type")).get("types")
            targets = (self._class(each.get("baseType")) for each in self.elements(parameters) if is_pointer(each))
            self.led_to[function] = [each for each in targets if each is not None]
        return self.led_to[function]

    def _class(self, type_: int | str | None) -> Subobject | None:
        """The class that a type is; None: it is none, has no name, or is of a library."""
        while isinstance(type_, int) and str(self.node(type_).get("tag", "")).removeprefix("DW_TAG_") in ALIASES:
            type_ = self.node(type_).get("baseType")
        node = self.node(type_)
        if not isinstance(type_, int) or node[""] != "DICompositeType" or "name" not in node or "size" not in node:
            return None
        name = str(node["name"])
        if name.startswith("(") or of_library(self.source(node.get("file"))):  # of a lambda
            return None
        return Subobject(name, type_, self.size(type_))

    def number(self, type_: int | str | None) -> str | None:
        """How an integer, a pointer, an enumeration, or an atomic one, in whatever classes, is encoded ("" if that is
        not said); None: it is none of these."""
        atomic = False
        while True:
            node = self.node(type_)
            tag = str(node.get("tag", "")).removeprefix("DW_TAG_")
            if node[""] == "DIDerivedType" and tag in ALIASES:
                type_ = node.get("baseType")
            elif node[""] == "DICompositeType" and tag != "enumeration_type":
                atomic = atomic or _ATOMIC.match(self.qualified(_int(type_), "")) is not None
                inner = [each for each in self.elements(node.get("elements")) if self._is_part(each)]
                if not atomic or len(inner) != 1:
                    return None
                type_ = inner[0].get("baseType")
            elif tag == "enumeration_type" and "baseType" in node:
                type_ = node["baseType"]
            else:
                encoding = str(node.get("encoding", ""))
                return encoding if str(node[""]).startswith("DI") and "float" not in encoding else None

    def _is_part(self, node: dict[str, str | int]) -> bool:
        """Whether an element of a class is in its objects, and has a size."""
        tag = str(node.get("tag", "")).removeprefix("DW_TAG_")
        static = "DIFlagStaticMember" in str(node.get("flags", ""))
        return tag in ("member", "inheritance") and not static and self.size(node.get("baseType")) > 0

    def size(self, type_: int | str | None) -> int:
        """How many bytes a type has."""
        node = self.node(type_)
        if "size" in node:
            return _int(node["size"]) // 8
        return self.size(node["baseType"]) if isinstance(node.get("baseType"), int) else 0


def is_pointer(node: dict[str, str | int]) -> bool:
    """Whether a type is a pointer, or a reference to what has a name."""
    return node.get("tag") in ("DW_TAG_pointer_type", "DW_TAG_reference_type")


def _at(frame: Frame) -> tuple[int, int, int, Source | None]:
    return max(frame.line, 1), max(frame.column, 1), 1, frame.file


def _column(file: Source | None, line: int, column: int) -> int:
    """A column in characters of one in bytes, as compilers count."""
    if file is None or file.text.isascii():
        return column
    return len(file.line(line).encode()[: column - 1].decode(errors="ignore")) + 1


def _int(value: str | int | None) -> int:
    return int(value) if value is not None and str(value).lstrip("-").isdigit() else 0
