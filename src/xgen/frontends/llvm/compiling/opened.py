"""Files of C++ without a main: the functions that they offer, and programs of them and of a text in C."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Any

from xgen.errors import Position, ProgramError, Source
from xgen.frontends.c import read_tree
from xgen.frontends.c.text.files import File, FileOptions
from xgen.frontends.c.text.preprocess import Settings
from xgen.frontends.c.tree import Defined
from xgen.frontends.cache import Made, cached
from xgen.frontends.library.threads import TELL_APART
from xgen.frontends.llvm.compiling.compile import FLAGS, Language, compiled
from xgen.frontends.llvm.compiling.compilers import Compiler, find_compiler
from xgen.frontends.llvm.compiling.sources import linked, read_files
from xgen.frontends.llvm.text.ir import Module
from xgen.frontends.llvm.text.metadata import ALIASES, Metadata, is_pointer
from xgen.program.automaton import Program
from xgen.records import dataclass, replace
from xgen.resources import package_text
from xgen.sources import made, of_library
from xgen.version import __version__

SIGNED, UNSIGNED = {8: "signed char", 16: "short", 32: "int", 64: "long"}, {8: "unsigned char", 16: "unsigned short"}
UNSIGNED |= {32: "unsigned", 64: "unsigned long"}
_PER_THREAD = re.compile(rf"^@[^\n]* thread_local|@({'|'.join(TELL_APART)})\b", re.M)


@dataclass(frozen=True)
class Offered:
    """A function that others may call: what it is called in IR, the types of its result and its parameters as C has
    them (empty: it has none for one of them), and the parameters that the source has as references."""

    name: str
    symbol: str
    types: tuple[str, ...]
    references: frozenset[int]
    position: Position

    @property
    def declared(self) -> str:
        """Its declaration in C; "" where that has no such types."""
        return f"{self.types[0]} {self.name}({', '.join(self.types[1:]) or 'void'})" if self.types else ""


@dataclass(frozen=True)
class Opened:
    """Files as they are read. `added`: text behind the first one."""

    source: Source
    files: tuple[File, ...]
    languages: tuple[Language, ...]
    compiler: str | None
    added: str = ""

    @cached_property
    def text(self) -> str:
        """The IR of all files together. Raises as `read_sources` does."""
        first = self.files[0]
        text = f"{first.source.text}\n{self.added}" if self.added else first.source.text
        files = (replace(first, source=Source(first.source.name, text)), *self.files[1:])
        return made(
            f"clang {self.source.name} {self.added}", lambda: linked(files, self.languages, self.compiler, None)
        )

    @property
    def is_per_thread(self) -> bool:
        """Whether it may matter which thread calls a function."""
        return _PER_THREAD.search(self.text) is not None

    @cached_property
    def names(self) -> set[str]:
        """What the files declare, as far as the IR says."""
        return set(re.findall(r'\bname: "(\w+)"', self.text))

    @cached_property
    def _types(self) -> _Types:
        return _Types(Module(self.text))

    @cached_property
    def offered(self) -> list[Offered]:
        """The functions, in the order of the text. Raises ProgramError for two of one name."""
        return self._types.offered()

    def functions(self) -> Iterator[Defined]:
        """The same as functions of C."""
        declared = "".join(f"{each.declared} {{}}\n" for each in self.offered if each.declared)
        text = self._types.structs() + declared
        known = {function.name: function for function in read_tree(Source("declared.c", text), entry=None).functions()}
        for each in self.offered:
            if each.name in known:
                yield replace(known[each.name], position=each.position)
            else:
                yield Defined(each.name, None, (), each.position, hidden=False)

    def in_source(self, text: str) -> str:
        """A type of C as the source calls it."""
        if self.languages[0] == "c":
            return text
        text = text.replace("_Bool", "bool")
        return re.sub(r"struct (\w+)", lambda match: self._types.classes[match[1]][0], text)

    def by_pointers(self, names: Collection[str]) -> str:
        """Functions that are given pointers where those in the source are given references."""
        lines = []
        for each in self.offered:
            if each.references and each.name in names:
                result, *given = map(self.in_source, each.types)
                parameters = ", ".join(f"{type_} p{k}" for k, type_ in enumerate(given))
                passed = ", ".join(f"{'*' * (k in each.references)}p{k}" for k, _ in enumerate(given))
                lines.append(f"static {result} {each.name}({parameters}) {{ return {each.name}({passed}); }}\n")
        return "".join(lines)

    def declarations(self) -> str:
        """All functions as C declares them, by their names in IR."""
        lines = [f'{each.declared} __asm__("{each.symbol}");' for each in self.offered if each.declared]
        return self._types.structs() + "\n".join(lines) + "\n"

    def program(self, client: Source, **options: Any) -> Program:
        """The program that they are with a text in C, which has the main. The options are those of translations of IR
        (`world.Options`). Raises as `read_sources` does."""
        from xgen.frontends.llvm import read_prepared

        compiler = find_compiler(self.compiler or "", "C++")
        key = ["client", __version__, compiler, FLAGS, client.text, self.text]
        key += [package_text(f"frontends/llvm/{name}.py") for name in ("passes", "outliving", "exceeding")]
        text = made(f"clang {client.text}", lambda: cached(key, (), lambda: self._with(client, compiler)))
        return read_prepared(text, self.source, **options)

    def _with(self, client: Source, compiler: Compiler) -> Made:
        from xgen.frontends.llvm.passes import prepared

        found = compiled(File(client, Settings()), "c", compiler)
        return Made(prepared([(client.name, found.text), (self.source.name, self.text)], {"main"}), found.read)


def opened(
    source: Source, language: Language, *, headers: str | None = None, compiler: str | None = None, **options: Any
) -> Opened:
    """Files of C++ and C, the first one in a language. The other options are those of `FileOptions`. Raises as
    `read_sources` does."""
    files, languages = read_files(source, language, FileOptions(**options), headers)
    return Opened(source, tuple(files), tuple(languages), compiler)


class _Types:
    """Functions and types as the metadata of a module say them."""

    def __init__(self, module: Module) -> None:
        self.module, self.metadata = module, Metadata(module)
        self.classes: dict[str, tuple[str, int]] = {}  # by the tags of structs: what they are called, and their bytes

    def offered(self) -> list[Offered]:
        found: dict[str, Offered] = {}
        for function in self.module.functions.values():
            node = self.metadata.node(function.place)
            file, name = self.metadata.source(node.get("file")), str(node.get("name", ""))
            in_file = self.metadata.node(node.get("scope"))[""] == "DIFile"
            if not name.isidentifier() or not (in_file or name == function.name):
                continue  # of a class, or of a namespace
            if "DISPFlagLocalToUnit" in str(node.get("spFlags")) or file is None or of_library(file):
                continue
            position = Position(int(node.get("line", 1)), 1, source=file)
            if name in found:
                hint = "functions are called by their names: each has one of its own"
                raise ProgramError(f"there are two functions `{name}`", file, position, hint)
            listed = self.metadata.node(_number(node.get("type"))).get("types")
            types = re.findall(r"!(\d+)|null", self.metadata.module.metadata.get(_number(listed) or -1, ""))
            numbers = [int(number) if number else None for number in types] or [None]
            found[name] = self._offered(name, function.name, numbers, position)
        return sorted(found.values(), key=lambda each: each.position.line)

    def _offered(self, name: str, symbol: str, types: Sequence[int | None], position: Position) -> Offered:
        in_c = [text for text in map(self.c, types) if text is not None]
        references = [k for k, number in enumerate(types[1:]) if self._tag(number) == "reference_type"]
        return Offered(name, symbol, tuple(in_c) if len(in_c) == len(types) else (), frozenset(references), position)

    def _tag(self, number: int | None) -> str:
        return str(self.metadata.node(number).get("tag", "")).removeprefix("DW_TAG_")

    def c(self, number: int | None) -> str | None:
        """A type as C has it, of pointers those that may be given instead of references; None: C has none."""
        if number is None:
            return "void"
        node, tag = self.metadata.node(number), self._tag(number)
        target = _number(node.get("baseType"))
        if node[""] == "DIBasicType":
            return self._basic(str(node.get("encoding", "")), int(node.get("size", 0)))
        if tag in ALIASES:
            return self.c(target)
        if is_pointer(node):
            if tag == "reference_type" and self._is_constant(target):
                return None
            inner = self.c(target)
            return None if inner is None else f"{inner} *"
        if node[""] == "DICompositeType" and tag == "enumeration_type":
            return UNSIGNED.get(int(node.get("size", 0)))
        if node[""] == "DICompositeType" and "name" in node:
            called = str(node["name"])
            struct = re.sub(r"\W", "_", called)
            self.classes[struct] = called, self.metadata.size(number)
            return f"struct {struct}"
        return None

    @staticmethod
    def _basic(encoding: str, size: int) -> str | None:
        if encoding == "DW_ATE_boolean":
            return "_Bool"
        if encoding == "DW_ATE_float":
            return {32: "float", 64: "double"}.get(size)
        return (SIGNED if encoding in ("DW_ATE_signed", "DW_ATE_signed_char") else UNSIGNED).get(size)

    def _is_constant(self, number: int | None) -> bool:
        return self._tag(number) == "const_type"

    def structs(self) -> str:
        """The classes that functions are given, as structs of as many bytes."""
        return "".join(
            f"struct {tag} {{ char bytes[{size}]; }};\n" if size else f"struct {tag};\n"
            for tag, (_, size) in self.classes.items()
        )


def _number(value: str | int | None) -> int | None:
    return value if isinstance(value, int) else None
