"""Which weaker orders a test notices: for people, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from xgen.executions.result import Result
from xgen.executions.weakened import Weakened
from xgen.resources import short
from xgen.views.words import one_line, wrapped

SHOWN = 20
"""Orders that are printed; -v prints all."""


def weakened_lines(result: Result, weakened: Sequence[Weakened], everything: bool) -> list[str]:
    """How many weaker orders are noticed, and which are not."""
    if result.verdict not in ("safe", "safe-within-bound"):
        return []
    if not weakened:
        return ["weakened    there is no order that could be weaker, and no fence"]
    left = [each for each in weakened if each.verdict != "noticed"]
    shown = left if everything or len(left) <= SHOWN else left[:SHOWN]
    within = " within the bound" if result.cut else ""
    races = sum(each.verdict == "race" for each in left)
    more = f", {races} more by a data race alone" if races else ""
    lines = [f"weakened    {len(weakened) - len(left)} of {len(weakened)} weaker orders are noticed{more}{within}"]
    lines += [line for each in shown for line in wrapped(f"  {_said(each)}", "    ")]
    if len(shown) < len(left):
        lines.append(f"  and {len(left) - len(shown)} more (-v lists all)")
    if any(each.verdict == "not-noticed" for each in left):
        lines.append("  what is not noticed is not needed, or this test does not use it")
    return lines


def _said(each: Weakened) -> str:
    change = f"without the fence {each.was}" if each.to == "none" else f"{each.was} -> {each.to}"
    change += " on failure" * each.failing
    verdict = {"race": "a data race alone", "not-noticed": "not noticed"}.get(each.verdict, "no answer")
    return f"{verdict}: {short(each.file)}:{each.line}: {change}: `{one_line(each.text, 70)}`"


def weakened_to_list(weakened: Sequence[Weakened]) -> list[dict[str, Any]]:
    return list(_entries(weakened))


def _entries(weakened: Sequence[Weakened]) -> Iterator[dict[str, Any]]:
    for each in weakened:
        yield {
            "file": short(each.file),
            "line": each.line,
            "column": each.column,
            "from": each.was,
            "to": each.to,
            "failing": each.failing,
            "verdict": each.verdict,
        }
