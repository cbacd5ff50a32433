"""Which lines executions come to: for people, as JSON, and as lcov's tracefiles (geninfo(1)), which editors read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from xgen.executions.coverage import Coverage, Line
from xgen.resources import short
from xgen.views.words import one_line

SHOWN = 10
"""Lines that are printed; -v prints all."""
WHY = {"never": "never", "folded": "folded away"}


def coverage_lines(coverage: Coverage, everything: bool) -> list[str]:
    """How many lines executions come to, and which they do not."""
    never, number = coverage.never, len(coverage.lines)
    shown = never if everything or len(never) <= SHOWN else never[:SHOWN]
    where = "" if coverage.complete else " so far"
    where += " within the bound" if coverage.cut else ""
    lines = [f"coverage    {number - len(never)} of {number} lines are executed{where}"]
    lines += [f"  {WHY[str(line.why)]}: {short(line.file)}:{line.line}: {one_line(line.text, 90)}" for line in shown]
    if len(shown) < len(never):
        lines.append(f"  and {len(never) - len(shown)} more (-v lists all)")
    return lines


def coverage_to_dict(coverage: Coverage) -> dict[str, Any]:
    never = [{"file": short(line.file), "line": line.line, "why": line.why} for line in coverage.never]
    return {"lines": len(coverage.lines), "never": never, "complete": coverage.complete}


def coverage_to_lcov(coverage: Coverage) -> str:
    """A tracefile: of each line whether an execution comes to it, as 1 or 0."""
    return "".join(_records(coverage.lines))


def _records(lines: Iterable[Line]) -> Iterator[str]:
    for file, own in groupby(lines, key=lambda line: line.file):
        counts = [(line.line, int(line.why is None)) for line in own]
        yield f"TN:xgen\nSF:{file}\n"
        yield from (f"DA:{number},{count}\n" for number, count in counts)
        yield f"LF:{len(counts)}\nLH:{sum(count for _, count in counts)}\nend_of_record\n"
