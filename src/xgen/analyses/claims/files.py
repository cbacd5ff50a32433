"""Files that say something of themselves: finding them, and looking at them, in several processes if need be."""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from pathlib import Path, PurePath

from xgen.analyses.claims.run import Checked, FileChecked, Load, check_file
from xgen.analyses.suite.runner import Spread, crew_for
from xgen.engine.distributed.workers import Lost, in_order
from xgen.errors import UsageError, described, own_error
from xgen.records import dataclass
from xgen.sources import CPP, KERNELS, RUST, STANDARD_INPUT, C

SUFFIXES = (*C, *CPP, *RUST, *KERNELS, ".ll", ".xcfa", ".litmus")
LATE = 60.0
"""Seconds behind its time limit in which a process may say what it has found."""


def find_files(paths: Iterable[str]) -> list[str]:
    """The files that paths name, each once: a file, or the programs and tests in a folder, sorted.

    Raises UsageError where there is nothing.
    """
    found: dict[str, str] = {}
    for path in paths:
        for file in _below(path):
            found.setdefault(os.path.realpath(file), file)
    return list(found.values())


def _below(path: str) -> list[str]:
    if path in STANDARD_INPUT:
        raise UsageError("only files say something of themselves", file=path)
    if not os.path.exists(path):
        raise UsageError("there is no such file or folder", file=path)
    if not os.path.isdir(path):
        if PurePath(path).suffix not in SUFFIXES:
            raise UsageError("this is no program", file=path, hint=f"claims are in {', '.join(SUFFIXES)} files")
        return [path]
    files = sorted(str(file) for file in Path(path).rglob("*") if file.suffix in SUFFIXES and file.is_file())
    if not files:
        raise UsageError(f"there is no program ({', '.join(SUFFIXES)}) in this folder", file=path)
    return files


@dataclass(frozen=True)
class _Job:
    """A file to look at, until a time."""

    name: str
    until: float | None


class _Tester:
    """Looks at files."""

    def __init__(self, load: Load) -> None:
        self._load = load

    def __call__(self, job: _Job) -> FileChecked:
        left = None if job.until is None else max(0.0, job.until - time.time())
        return check_file(job.name, self._load, left)


def check_files(
    files: Sequence[str], load: Load, processes: int = 1, timeout: float | None = None
) -> Generator[FileChecked, None, None]:
    """What comes of the claims of files, in their order, as it comes.

    `timeout` is in seconds, for all together: claims that there is no time for are not answered.
    """
    until = None if timeout is None else time.time() + timeout
    crew = crew_for(Spread(processes), _Tester, (load,), lambda job: _seconds(job) + LATE)
    with closing(in_order(crew, [_Job(file, until) for file in files])) as answers:
        for job, answer in answers:
            yield _answer(job.name, answer)


def _seconds(job: _Job) -> float:
    return float("inf") if job.until is None else max(0.0, job.until - time.time())


def _answer(file: str, answer: FileChecked | Lost | Exception) -> FileChecked:
    """What is said of a file, also where its process is gone."""
    if isinstance(answer, FileChecked):
        return answer
    if isinstance(answer, Lost):
        why = "it takes too long" if answer.late else f"the process that looked at it was ended ({answer.how})"
        return FileChecked(file, errors=(UsageError(why, file=file),))
    return FileChecked(file, mistakes=(own_error(described(answer)),))


@dataclass(frozen=True)
class Claims:
    """What came of the claims of files; `stopped`: it was interrupted before all had been looked at."""

    files: tuple[FileChecked, ...]
    seconds: float
    stopped: bool = False

    @property
    def checked(self) -> list[tuple[str, Checked]]:
        """All claims, each with its file."""
        return [(file.file, checked) for file in self.files for checked in file.checked]

    @property
    def broken(self) -> list[tuple[str, Checked]]:
        """The claims that are not kept."""
        return [(file, checked) for file, checked in self.checked if checked.kept is False]

    @property
    def late(self) -> int:
        """How many claims there was no time for."""
        return sum(checked.kept is None for _, checked in self.checked)

    @property
    def verdict(self) -> str:
        """Whether all are kept, if there are any; a text that cannot be read breaks what it would have claimed."""
        if self.broken or any(file.errors or file.mistakes for file in self.files):
            return "broken"
        if self.stopped or self.late:
            return "interrupted"
        return "kept" if self.checked else "nothing"
