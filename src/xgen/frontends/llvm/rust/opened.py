"""A file of Rust without a main: the functions of C that it offers, and programs of them and of a text in C."""

from __future__ import annotations

from functools import cached_property

from xgen.errors import Source
from xgen.frontends.c.text.files import File
from xgen.frontends.c.text.preprocess import Settings
from xgen.frontends.llvm.compiling.opened import Opened
from xgen.frontends.llvm.rust.sources import library_text
from xgen.records import dataclass


@dataclass(frozen=True)
class OpenedRust(Opened):
    """`rustc`: the command of one, `flags` for it; `build`: the folder of the cargo project that the file is of."""

    rustc: str | None = None
    flags: tuple[str, ...] = ()
    build: str | None = None

    @cached_property
    def text(self) -> str:
        """The IR of all that its functions of C come to. Raises as `read_rust` does."""
        return library_text(self.source, self.flags, self.build, self.rustc)


def opened(
    source: Source, *, flags: tuple[str, ...] = (), build: str | None = None, compiler: str | None = None
) -> Opened:
    """A file of Rust, whose functions that are `#[no_mangle] extern "C"` can be called. Raises as `read_rust` does."""
    return OpenedRust(source, (File(source, Settings()),), (), None, "", compiler, flags, build)
