"""Programs as they were translated, kept for the next run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from xgen.errors import Source
from xgen.kept import Keeper, Made, here, made_of_files
from xgen.program.automaton import Instead, Program
from xgen.records import replace
from xgen.sources import reads_files
from xgen.store import hashed
from xgen.tags import KERNEL

MADE_BY = ("frontends", "program", "executions/nothing.py", "errors.py", "records.py", "sources.py", "tags.py")
_PROGRAMS = Keeper("program", MADE_BY, ("xgen.errors.", "xgen.program."))


def translated_ir(source: Source, text: str, said: Sequence[object], translate: Callable[[], Program]) -> Program:
    """The program that `translate` makes of IR and of what else is `said`, which is translated once only. The texts of
    the files that the IR names are only shown."""
    return _once(source, [hashed(text.encode()), *said], lambda: Made(translate()))


def translated_c(source: Source, said: Sequence[object], translate: Callable[[], Program]) -> Program:
    """The program that `translate` makes of C and of what else is `said`, which is translated once only.

    It is translated anew where a file that was read for it has another text, or may be found elsewhere; and each time
    where texts are read that are no files, and where a compiler is asked about headers, which finds them by itself.
    """
    if not reads_files():
        return translate()

    def lasts(program: Program) -> bool:
        return program.headers != "cc"

    def plain() -> Program:
        return replace(translate(), again=None)

    program = _once(source, [source.text, *said], lambda: made_of_files(plain, lasts))
    return replace(program, again=_again(translate)) if program.target == KERNEL else program


def _again(translate: Callable[[], Program]) -> Callable[[Instead], Program]:
    """What reads a text with other accesses and fences; it is read once."""
    read = cache(translate)

    def again(instead: Instead) -> Program:
        found = read().again
        assert found is not None
        return found(instead)

    return again


def _once(source: Source, said: Sequence[object], make: Callable[[], Made]) -> Program:
    program = _PROGRAMS.once(source, [here(), *said], make).thing
    assert isinstance(program, Program)
    return program
