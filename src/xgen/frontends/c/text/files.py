"""The files of a program, and how each is read: what the command line says, and what builds say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from os.path import dirname, realpath
from pathlib import Path
from typing import Any

from xgen.errors import Source, UnsupportedError, UsageError
from xgen.frontends.c.text.builds import Entry, entries
from xgen.frontends.c.text.flags import read_flags
from xgen.frontends.c.text.preprocess import KERNEL, Settings
from xgen.frontends.c.values.data_model import word_bytes
from xgen.records import dataclass, replace
from xgen.sources import read_source


@dataclass(frozen=True, slots=True)
class File:
    """A file of a program, how it is read, and by which compiler where one is asked. `done`: it is preprocessed;
    `ignored`: flags that say nothing here."""

    source: Source
    settings: Settings
    compiler: str = ""
    done: bool = False
    ignored: tuple[str, ...] = ()

    @property
    def looked_in(self) -> tuple[str, ...]:
        """The folders in which headers are looked for, of those that the user has to do with."""
        settings = self.settings
        return (dirname(self.source.name) or ".", *settings.quoted, *settings.folders, *settings.system)


@dataclass(frozen=True, slots=True)
class FileOptions:
    """The options of `xgen.load` that say which files a program has, and how each is read: `others` are further files,
    `preprocessed`: the first one has gone through a preprocessor; `constants`: values of some, as `NAME=3`."""

    others: tuple[str, ...] = ()
    preprocessed: bool = False
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    build: str | None = None
    constants: tuple[str, ...] = ()

    @property
    def settings(self) -> Settings:
        """What is given for all files."""
        return Settings(self.defines, self.undefines, self.folders, self.includes)


def taken_from(options: dict[str, Any]) -> FileOptions:
    """Takes those of files out of some options."""
    return FileOptions(**{each.name: options.pop(each.name) for each in fields(FileOptions) if each.name in options})


def files_of(source: Source, options: FileOptions, machine: str | None = None) -> list[File]:
    """The files of a program, each with its flags: those of its build, then those that are given for all. `machine`:
    what it is compiled for."""
    names = [source.name, *options.others]
    for k, name in enumerate(names):
        if realpath(name) in map(realpath, names[:k]):
            raise UsageError("this file is given twice", file=name)
    sources = [source, *(read_source(name) for name in options.others)]
    if options.constants:
        from xgen.frontends.constants import with_constants  # long to import, and rarely asked for

        sources = with_constants(sources, options.constants)
    given = read_flags(options.flags)
    ways: list[Entry | None] = [None] * len(sources)
    if options.build is not None:
        ways = entries(options.build, [each.name for each in sources])
        first = next(entry for entry in ways if entry is not None)
        ways = [entry or first for entry in ways]
    settings = given.settings + replace(options.settings, machine=machine)
    return [
        File(
            each,
            (entry.flags.settings if entry else Settings()) + settings,
            entry.compiler if entry else "",
            options.preprocessed if k == 0 else each.name.endswith(".i"),
            (entry.flags.ignored if entry else ()) + given.ignored,
        )
        for k, (each, entry) in enumerate(zip(sources, ways, strict=True))
    ]


OF_KERNEL = ("__KERNEL__", "CONFIG_SMP", "CONFIG_64BIT", "__LITTLE_ENDIAN=1234")
"""Macros that the kernel's build defines, for the machine that xgen takes it for."""


def of_kernel(files: Sequence[File], tree: str) -> list[File]:
    """The files as parts of the Linux kernel that is in a folder. Raises UsageError if none is there."""
    include = Path(tree) / "include"
    if not (include / "linux").is_dir():
        raise UsageError("there is no kernel in this folder", file=tree, hint="it is one with include/linux in it")
    own = Settings(defines=OF_KERNEL, first=(str(KERNEL),))
    after = Settings(system=(str(include),))
    return [replace(each, settings=own + each.settings + after) for each in files]


def ignored_in(files: Sequence[File], compiled: bool = False) -> tuple[str, ...]:
    """The flags that say nothing here: where xgen reads the program itself, those that only compilers know, too."""
    found = [word for file in files for word in (*file.ignored, *(() if compiled else file.settings.others))]
    return tuple(dict.fromkeys(found))


def refuse_others(file: File, compiled: bool = False) -> None:
    """Raises UnsupportedError for a flag that gives a file another meaning than that which is read: by xgen itself, or
    `compiled`, by a compiler. For the data model that holds."""
    words = file.settings.others
    sizes = ("-m32", "-mx32", "-m16") if word_bytes() == 8 else ("-m64", "-mx32", "-m16")
    if found := next((word for word in words if word in sizes), None):
        hint = "what compilers read is for 64-bit machines" if compiled else "--data-model says how large `long` is"
        raise UnsupportedError(f"the flag `{found}` is not supported", file.source, hint=hint)
    if compiled:
        return
    last = {word.removeprefix("-fno-").removeprefix("-f").partition("=")[0]: word for word in words}
    chars = [word for word in words if word.endswith("signed-char")]
    found = chars[-1] if chars and chars[-1] in ("-funsigned-char", "-fno-signed-char") else None
    for name in ("short-enums", "short-wchar", "pack-struct", "openmp"):
        if name in last and not last[name].startswith("-fno-"):
            found = last[name]
    if found is not None:
        hint = "with --clang a compiler reads the program, which knows it"
        if found.startswith("-fopenmp"):
            hint = "threads are those of pthreads, C11 and C++"
        raise UnsupportedError(f"the flag `{found}` is not supported", file.source, hint=hint)
