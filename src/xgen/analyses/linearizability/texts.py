"""The files of a structure, in the languages that they are written in: what they offer, and programs of a client's text
and them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from pycparser import c_ast, c_generator

from xgen.errors import Source
from xgen.frontends.c.tree import Defined, Tree
from xgen.frontends.library.threads import TELL_APART
from xgen.program.automaton import Program
from xgen.records import dataclass, replace

if TYPE_CHECKING:
    from xgen.frontends.llvm.compiling.opened import Opened

PER_THREAD = {"_Thread_local", "__thread", "thread_local", *TELL_APART}
"""Where a file has one of these, it matters which thread makes a call."""
INCLUDES = "#include <pthread.h>\n#include <stdatomic.h>\n"
_TYPES = "typedef unsigned long pthread_t; typedef unsigned long pthread_mutex_t;"
"""So that the text is read by itself; the types of the headers are what counts."""
_GLOBAL = re.compile(r"^int (\w+) = ", re.M)
"""What a client keeps: results, and when calls were made."""
_MACRO = re.compile(r"#\s*define\s+(\w+)")


@dataclass(frozen=True)
class Dialect:
    """How a client is written beside a file. `head`: what it includes and declares; flags: how one is declared, read
    with acquire and set with release; `declares`: what is called in it is declared in it; `start`: what the object is
    where no function sets it up; `included`: a text of C can include the file; `offers`: what functions are found."""

    head: str
    flag: str
    read: str
    set: str
    declares: bool
    start: str
    included: bool = True
    offers: str = ""


C = Dialect(
    f"#include <assert.h>\n{INCLUDES}",
    "_Atomic int {};",
    "atomic_load_explicit(&{}, memory_order_acquire)",
    "atomic_store_explicit(&{}, 1, memory_order_release);",
    True,
    "all of `{}` is 0 at the start",
)
CPP = Dialect(
    '#include <assert.h>\n#include <pthread.h>\nextern "C" void __VERIFIER_assume(int);\n',
    "int {};",
    "__atomic_load_n(&{}, __ATOMIC_ACQUIRE)",
    "__atomic_store_n(&{}, 1, __ATOMIC_RELEASE);",
    False,
    "`{}` is as its constructor leaves it",
)

IN_RUST = replace(
    C, declares=False, included=False, offers='of Rust functions are found that are `#[no_mangle] extern "C"`; '
)


class Text(Protocol):
    """Files without a main."""

    @property
    def source(self) -> Source:
        """The first file."""

    @property
    def dialect(self) -> Dialect:
        """How clients are written beside it."""

    @property
    def headers(self) -> str | None:
        """Whose headers were taken."""

    @property
    def has_main(self) -> bool:
        """Whether there is a main, which is left out."""

    @property
    def own(self) -> Collection[Source]:
        """The files that are the user's own."""

    def functions(self) -> Iterable[Defined]:
        """What it offers, in the order of the text."""

    def taken(self) -> set[str]:
        """The names that it has for something."""

    def is_per_thread(self) -> bool:
        """Whether it may matter which thread makes a call."""

    def declared(self, text: str) -> str:
        """A declaration of C in the file's language."""

    def ready(self, object_: c_ast.Decl | None, text: str) -> Text:
        """The same with what clients need: the headers, and the object, as it is declared in its language."""

    def adapters(self, names: Collection[str]) -> str:
        """What a written client needs for its calls of these functions to be calls of those in the file."""

    def program(self, name: str, text: str, line: int) -> Program:
        """The program of it and a client, whose text begins at a line of the whole."""

    def dutiful(self) -> Text:
        """The same where nothing fails, and nobody wakes up, for no reason."""


@dataclass(frozen=True)
class InC:
    """Files of C, which are read with a client's text behind them."""

    tree: Tree
    dialect: Dialect = C

    @property
    def source(self) -> Source:
        return self.tree.unit.source

    @property
    def headers(self) -> str | None:
        return self.tree.unit.headers

    @property
    def has_main(self) -> bool:
        return "main" in self.tree.names()

    @property
    def own(self) -> Collection[Source]:
        return self.tree.unit.files

    def functions(self) -> Iterable[Defined]:
        return self.tree.functions()

    def taken(self) -> set[str]:
        return self.tree.declared().union(*(_MACRO.findall(source.text) for source in self.own))

    def is_per_thread(self) -> bool:
        return bool(self.tree.names() & PER_THREAD)

    def declared(self, text: str) -> str:
        return text

    def ready(self, object_: c_ast.Decl | None, text: str) -> InC:  # noqa: ARG002 - it is the same
        tree = self.tree.with_text(Source("client.c", INCLUDES))
        return replace(self, tree=tree if object_ is None else tree.with_node(object_))

    def adapters(self, names: Collection[str]) -> str:  # noqa: ARG002 - calls are as they are
        return ""

    def program(self, name: str, text: str, line: int) -> Program:
        return self.tree.with_text(Source(name, _TYPES + "\n" * (line - 1) + text)).program()

    def dutiful(self) -> InC:
        options = replace(self.tree.options, weak_cas=False, spurious=False)
        return self if options == self.tree.options else replace(self, tree=replace(self.tree, options=options))


@dataclass(frozen=True)
class Compiled:
    """Files of C++ or Rust, which a compiler reads once; a client is a file of C beside them. `options`: how all is
    translated; `object`: how it is declared there."""

    opened: Opened
    options: Mapping[str, Any]
    object: str = ""
    dialect: Dialect = CPP

    @property
    def source(self) -> Source:
        return self.opened.source

    @property
    def headers(self) -> str | None:
        return None

    @property
    def has_main(self) -> bool:
        return False

    @property
    def own(self) -> Collection[Source]:
        return [file.source for file in self.opened.files]

    def functions(self) -> Iterable[Defined]:
        return self.opened.functions()

    def taken(self) -> set[str]:
        return self.opened.names.union(*(_MACRO.findall(source.text) for source in self.own))

    def is_per_thread(self) -> bool:
        return self.opened.is_per_thread

    def declared(self, text: str) -> str:
        return self.opened.in_source(text) if self.dialect.included else text

    def ready(self, object_: c_ast.Decl | None, text: str) -> Compiled:
        if object_ is None:
            return self
        declared = f"{c_generator.CGenerator().visit(object_)};\n"
        if not self.dialect.included:
            return replace(self, object=declared)
        declared = f"extern {declared}"
        return replace(self, opened=replace(self.opened, added=f"{text};\n"), object=declared)

    def adapters(self, names: Collection[str]) -> str:
        return self.opened.by_pointers(names) if self.dialect.included else self.opened.declarations()

    def program(self, name: str, text: str, line: int) -> Program:
        head = f"{C.head}void __VERIFIER_assume(int);\n{self.opened.declarations()}{self.object}"
        kept = tuple(_GLOBAL.findall(text))
        return self.opened.program(Source(name, f'{head}# {line} "{name}"\n{text}'), kept=kept, **self.options)

    def dutiful(self) -> Compiled:
        return replace(self, options={**self.options, "weak_cas": False, "spurious": False})
