"""Counts of claims written anew: of executions, and of outcomes. Verdicts are left as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from xgen.analyses.claims.run import Checked

_ENDS = re.compile(r"(\r\n|\r|\n)")
_HEAD = re.compile(r"((?:verdict|outcomes))(?: [^:]+)?: ")


def updated(text: str, checked: Iterable[Checked]) -> str:
    """The text of a file in which counts are those that were found; models of which they differ get lines of their own.

    Line ends stay as they are.
    """
    pieces = _ENDS.split(text)  # lines, and what ends each
    by_line = groupby(checked, lambda one: one.claim.position.line)
    for line, claims in ((line, list(claims)) for line, claims in by_line):
        if any(one.number is not None for one in claims):
            at = 2 * (line - 1)
            end = pieces[at + 1] if at + 1 < len(pieces) else "\n"
            pieces[at] = end.join(_lines(pieces[at], claims))
    return "".join(pieces)


def _lines(line: str, claims: list[Checked]) -> list[str]:
    column = claims[0].claim.position.column - 1
    before, said = line[:column], line[column:]
    head = _HEAD.match(said)
    assert head is not None
    rest, made = said[head.end() :], []
    for number, group in groupby(claims, _number):
        models = ", ".join(one.claim.model for one in group if one.claim.model and " " in head[0].rstrip(": "))
        told = f"{head[1]} {models}: " if models else head[0]
        made.append(before + told + _with_count(rest, head[1], number))
    return made


def _number(checked: Checked) -> int | None:
    """The count that a claim has, once it is right; None: what is claimed otherwise is not so either."""
    claim = checked.claim
    if checked.number is not None:
        return checked.number
    return int(claim.value) if claim.kind == "outcomes" else claim.count


def _with_count(rest: str, word: str, number: int | None) -> str:
    if number is None:
        return rest
    if word == "outcomes":
        return re.sub(r"^\d+", str(number), rest)
    return re.sub(r", \d+ executions?", f", {number} execution{'s' * (number != 1)}", rest, count=1)
