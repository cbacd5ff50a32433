"""Projects that a build knows (compile_commands.json): the tests of all its files, and other sources of a program."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from xgen.errors import UsageError, listed
from xgen.frontends.c.text.builds import build_file, files_in
from xgen.frontends.c.text.files import File, FileOptions, files_of
from xgen.frontends.cache import Made
from xgen.frontends.library.table import FUNCTIONS
from xgen.frontends.llvm.frameworks.headers import are_tests, has_main
from xgen.frontends.llvm.text.names import readable
from xgen.frontends.testing import NamedTest
from xgen.records import replace
from xgen.sources import CPP, C, read_source

_DEFINED = re.compile(r'^define [^@\n]*@("[^"\n]+"|[-\w.$]+)\(', re.M)
_DECLARED = re.compile(r'^declare [^@\n]*@("[^"\n]+"|[-\w.$]+)\(', re.M)
_KNOWN = ("llvm.", "__", "_ZNSt", "_ZNKSt", "_ZSt", "_ZTh", "_Zn", "_Zd")
"""What names begin with that no file of a project defines."""


def tests_of(build: str, list_tests: Callable[..., list[NamedTest]], options: dict[str, Any]) -> list[NamedTest]:
    """The tests of all files of a build, in its order. Raises UsageError where there is none, with the programs."""
    names = [name for name in files_in(build) if name.endswith(CPP)]
    texts = {name: read_source(name) for name in names}
    found = [
        test
        for name, source in texts.items()
        if are_tests([source.text])
        for test in list_tests(source, build=build, **options)
    ]
    if not found:
        programs = [f"`{name}`" for name in files_in(build) if has_main(read_source(name).text)]
        hint = f"a program is named with its file: {listed(programs, 'or')}" if programs else None
        raise UsageError("no file of this build has a test", file=build_file(build), hint=hint)
    return found


class Others:
    """Sources of a build that have the bodies of functions that a program calls. `read`: all that were looked at."""

    def __init__(
        self, files: Sequence[File], build: str, options: FileOptions, compile_: Callable[[File], Made]
    ) -> None:
        self.options, self.compile = replace(options, others=(), preprocessed=False), compile_
        given = {os.path.realpath(file.source.name) for file in files}
        self.left = [
            each for each in files_in(build) if each.endswith((*C, *CPP)) and os.path.realpath(each) not in given
        ]
        self.read: list[str] = []

    def of(self, texts: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """Further files with their IR, until nothing is missing that one of them has."""
        todo = list(texts)
        defined, missing = set[str](), set[str]()
        while todo:
            for _, text in todo:
                defined |= _names(_DEFINED, text)
                missing |= _names(_DECLARED, text)
            todo = list(self._defining(missing - defined))
            yield from todo

    def _defining(self, names: Iterable[str]) -> Iterator[tuple[str, str]]:
        wanted = {name for name in names if name not in FUNCTIONS and not name.startswith(_KNOWN)}
        words = "|".join(sorted({re.escape(word_of(name)) for name in wanted}))
        body = re.compile(rf"(?<![\w.>])(?:{words})\s*\([^;{{}}]*\)[^;{{}}]*\{{")
        for name in list(self.left) if wanted else ():
            source = read_source(name)
            self.read += [name] if name not in self.read else []
            if has_main(source.text) or are_tests([source.text]) or not body.search(source.text):
                continue
            self.left.remove(name)
            made = self.compile(files_of(source, self.options)[0])
            if wanted & _names(_DEFINED, made.text):
                self.read += made.read
                yield name, made.text


def _names(pattern: re.Pattern[str], text: str) -> set[str]:
    return {name.strip('"') for name in pattern.findall(text)}


def word_of(name: str) -> str:
    """What a function is called where it is written, without classes, types and parameters."""
    shown = re.sub(r"<[^<>]*>", "", readable(name).partition("(")[0])
    return shown.rpartition("::")[2].rpartition(" ")[2]
