"""The files of a program, and how each is read: what the command line says, and what builds say."""

from __future__ import annotations

from os.path import realpath

from xgen.errors import Source, UsageError
from xgen.frontends.c.text.builds import Entry, entries
from xgen.frontends.c.text.flags import read_flags
from xgen.frontends.c.text.preprocess import Settings
from xgen.records import dataclass
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


def files_of(
    source: Source,
    others: tuple[str, ...] = (),
    preprocessed: bool = False,
    settings: Settings = Settings(),
    flags: tuple[str, ...] = (),
    build: str | None = None,
) -> list[File]:
    """The files of a program, each with its flags: those of its build, then those that are given for all."""
    names = [source.name, *others]
    for k, name in enumerate(names):
        if realpath(name) in map(realpath, names[:k]):
            raise UsageError("this file is given twice", file=name)
    sources = [source, *(read_source(name) for name in others)]
    given = read_flags(flags)
    ways: list[Entry | None] = [None] * len(sources)
    if build is not None:
        ways = entries(build, [each.name for each in sources])
        first = next(entry for entry in ways if entry is not None)
        ways = [entry or first for entry in ways]
    return [
        File(
            each,
            (entry.flags.settings if entry else Settings()) + given.settings + settings,
            entry.compiler if entry else "",
            preprocessed if k == 0 else each.name.endswith(".i"),
            (entry.flags.ignored if entry else ()) + given.ignored,
        )
        for k, (each, entry) in enumerate(zip(sources, ways, strict=True))
    ]
