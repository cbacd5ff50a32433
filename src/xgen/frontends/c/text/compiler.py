"""A compiler's preprocessor (`cc -E`): what a file says with the headers of the system."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xgen.errors import ProgramError, Source, UsageError, several
from xgen.frontends.c.targets import flags
from xgen.frontends.c.text.flags import split_words
from xgen.frontends.c.text.markers import STANDARD_INPUT
from xgen.frontends.c.text.preprocess import ALWAYS, HEADERS, MissingHeaders, Settings
from xgen.frontends.c.values.data_model import word_bytes
from xgen.frontends.process import errors_in, is_in_file, run
from xgen.records import dataclass, replace
from xgen.sources import has_text, made

if TYPE_CHECKING:
    from subprocess import CompletedProcess

STANDARD = "gnu11"
_ERROR = re.compile(r"(?P<file>[^\n]*?):(?P<line>\d+):(?:(?P<column>\d+):)? (?:fatal )?error: (?P<text>[^\n]*)", re.M)


@dataclass(frozen=True, slots=True)
class Compiler:
    """The command that runs a compiler; `given`: somebody has named it."""

    words: tuple[str, ...]

    @property
    def name(self) -> str:
        return " ".join([*self.words, *_of_data_model()])


def compiler(wanted: str = "") -> Compiler | None:
    """The compiler that is wanted, if it runs here, or the one that CC names, or `cc`; None where that does not run."""
    import shutil  # long to import, and rarely needed

    for command in (wanted, os.environ.get("CC") or "cc"):
        words = split_words(command)
        if words and shutil.which(words[0]) is not None:
            return Compiler(tuple(words))
    return None


def _of_data_model() -> list[str]:
    return ["-m32"] if word_bytes() == 4 else []


def text_name(source: Source) -> str:
    """What the text is called that a compiler has made of a file."""
    return f"cc -E {source.name}"


def was_asked(source: Source) -> bool:
    """Whether the text that a compiler has made of a file is given: that of a run that goes on."""
    return has_text(text_name(source))


def preprocessed(source: Source, settings: Settings, found: Compiler | None) -> Source:
    """What a compiler's preprocessor makes of a file. Raises ProgramError with what it says, and UsageError."""
    text = made(text_name(source), lambda: _run(source, settings, found))
    return Source(source.name, text)


def _run(source: Source, settings: Settings, found: Compiler | None) -> str:
    if found is None:
        command = os.environ.get("CC") or "cc"
        raise UsageError(f"there is no C compiler: `{command}` does not run", hint="--headers own needs none")
    with tempfile.TemporaryDirectory(prefix="xgen-") as work:
        words = [*found.words, *_flags(source, settings), *_of_machine(source, settings, found, work)]
        ended = _ended(words, source.text, _file(source))
    if ended.returncode:
        raise _complaint(ended.stderr, source, found)
    return ended.stdout


def _of_machine(source: Source, settings: Settings, found: Compiler, work: str) -> list[str]:
    """The flags by which a compiler of another machine defines the macros of the one that a program is compiled for."""
    command = (*found.words, *_of_data_model())
    return flags(command, settings.machine, word_bytes(), settings.given, work, settings.headers_of(source))


def _file(source: Source) -> str | None:
    """The file to name, where what it has in it is the text."""
    return None if has_text(source.name) or not is_in_file(source) else source.name


def _ended(words: Sequence[str], text: str, file: str | None) -> CompletedProcess[str]:
    """What a compiler says about a file, or about a text."""
    return run([*words, file or "-"], {}, "" if file else text)


def _flags(source: Source, settings: Settings) -> list[str]:
    """The flags of `cc`. Headers that only xgen has come last, those that it knows better come first."""
    words = ["-E", "-x", "c", f"-std={settings.standard or STANDARD}", "-D__xgen__=1", "-D__NO_CTYPE=1"]
    words += _of_data_model()
    words += [f"-D{text}" for text in settings.defines] + [f"-U{name}" for name in settings.undefines]
    if _file(source) is None:
        words += ["-iquote", os.path.dirname(source.name) or "."]
    for flag, folders in (("-iquote", settings.quoted), ("-I", settings.folders), ("-isystem", settings.system)):
        for folder in folders:
            words += [flag, folder]
    checked = HEADERS / ("lp64.h" if word_bytes() == 8 else "ilp32.h")
    words += ["-isystem", str(ALWAYS), "-idirafter", str(HEADERS), "-include", str(checked)]
    for name in settings.includes:
        words += ["-include", name]
    return words


def _complaint(said: str, source: Source, found: Compiler) -> ProgramError | UsageError:
    """What a compiler says, as an error; it stops at the first header that it does not find."""
    errors = []
    hint = f"`{found.name} -E` says so"
    for text, where, position, name in errors_in(said, source, _ERROR):
        known = source if name == STANDARD_INPUT else where
        if known is None or is_own(name):
            errors.append(ProgramError(text, hint=hint))
        else:
            errors.append(ProgramError(text, known, position, hint))
    if not errors:
        line = next(filter(None, said.splitlines()), "it says nothing")
        return UsageError(f"`{found.name} -E` cannot read this: {line}", file=source.name)
    result = several(errors)
    assert isinstance(result, ProgramError)
    return result


def is_own(name: str) -> bool:
    return os.path.dirname(name) == str(HEADERS)


def still_missing(missing: MissingHeaders, source: Source, settings: Settings, found: Compiler) -> frozenset[str]:
    """Those of some headers that a compiler does not find either."""
    names = list(missing.parts)
    lines = [f"#if !__has_include({name})\nmissing {k}\n#endif" for k, name in enumerate(names)]
    text = Source(os.path.join(os.path.dirname(source.name), "-.c"), "\n".join(lines))
    ended = _ended([*found.words, *_flags(text, replace(settings, includes=()))], text.text, None)
    numbers = re.findall(r"^missing (\d+)$", ended.stdout, re.M)
    return frozenset(names[int(number)] for number in numbers)
