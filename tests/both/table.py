"""`differences.txt`: which tests of C have texts of which the two readers say different things, and why."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

TABLE = Path(__file__).parent / "differences.txt"


@cache
def rows() -> tuple[tuple[str, str], ...]:
    """Names of tests, as patterns, and the reason of each."""
    found = []
    reason: list[str] = []
    told = True
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            reason = [*([] if told else reason), line[2:]]
        else:
            found.append((line, " ".join(reason)))
        told = not line.startswith("# ")
    return tuple(found)


def fits(pattern: str, test: str) -> bool:
    return fnmatchcase(test, pattern.replace("[", "[[]"))


def row_of(test: str) -> str | None:
    """The pattern of the row that says why the texts of a test may differ."""
    return next((pattern for pattern, _ in rows() if fits(pattern, test)), None)


class Unused:
    """A plugin of runs that compare all texts: a row of which all tests ran without a difference makes the run fail."""

    def __init__(self) -> None:
        self.ran: set[str] = set()
        self.needed: set[str] = set()

    def rows(self) -> list[str]:
        ran = {pattern for pattern, _ in rows() if any(fits(pattern, test) for test in self.ran)}
        return sorted(ran - self.needed)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = getattr(session.config, "workeroutput", None)
        if output is not None:  # of a process of several, which do not know what the others found
            output["both"] = [*self.ran], [*self.needed]
        elif self.rows():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        ran, needed = getattr(node, "workeroutput", {}).get("both", ((), ()))
        self.ran.update(ran)
        self.needed.update(needed)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for row in self.rows():
            terminalreporter.write_line(f"{TABLE.name}: the readers agree now, so that this row is to go: {row}")
