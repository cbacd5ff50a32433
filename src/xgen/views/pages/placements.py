"""A page of placements of fences: each on the program's text, with the executions that come back without its parts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from xgen.analyses.fences.c_text import has_c_text
from xgen.analyses.fences.demands import Witness
from xgen.analyses.fences.fences import Placement, Placements
from xgen.analyses.fences.sites import Piece, removed_fences, statement_at
from xgen.analyses.fences.texts import shown_fence
from xgen.analyses.ltl import LtlResult
from xgen.errors import Position
from xgen.resources import short
from xgen.views.answers.fences import MOST, told, verdict_line
from xgen.views.drawing.runs import run_to_svg
from xgen.views.drawing.svg import escape, execution_to_svg
from xgen.views.pages.report import fill_report, html_of, program_text, stage


def placements_to_html(answer: Placements) -> str:
    """The page: the placements, the cheapest first, of which the first one is open."""
    name = PurePath(answer.program.source.name).name
    return fill_report(
        title=f"{name}: fences for {answer.model}",
        heading=f"Fences of {name} under {answer.model}",
        sentence=verdict_line(answer),
        body="\n".join(_body(answer)),
    )


def _body(answer: Placements) -> Iterator[str]:
    for said in (*([f"There may be others: {answer.why_not}."] if answer.why_not else []), *answer.warnings):
        yield f'<p class="note">{escape(said)}</p>'
    if answer.witness is not None:
        yield "<h3>With all fences and orders in place, this is still there</h3>"
        yield f'<div class="inside">{_drawing(answer.witness)}</div>'
    for number, placement in enumerate(answer.placements[:MOST]):
        yield from _placement(answer, placement, number == 0)
    left = len(answer.placements) - MOST
    if left > 0:
        yield f'<p class="note">and {left} more: <code>--format json</code> lists all</p>'


def _placement(answer: Placements, placement: Placement, is_open: bool) -> Iterator[str]:
    parts = "".join(f"<li>{escape(told(piece, answer))}</li>" for piece in placement.pieces)
    yield f'<details class="answer"{" open" if is_open else ""}>'
    yield f"<summary>cost {placement.cost}<ul>{parts}</ul></summary>"
    drawn = [
        f"<h3>Without {escape(told(piece, answer))}</h3>{_drawing(execution)}"
        for piece, execution in zip(placement.pieces, placement.needed, strict=False)
        if execution is not None
    ]
    own, *others = answer.texts
    text = program_text(list(_lines(answer, placement, own)))
    yield '<div class="inside">'
    yield f'<div class="beside first">{text}<div>{"".join(drawn)}</div></div>' if drawn else text
    for name in others:
        lines = list(_lines(answer, placement, name))
        if any(changed for _, changed in lines):
            yield f"<h3>{escape(short(name))}</h3>{program_text(lines)}"
    yield "</div></details>"


def _lines(answer: Placements, placement: Placement, name: str) -> Iterator[tuple[str, bool]]:
    """A file of the program, with what is put in, and without what was taken out, where it stands."""
    changes: dict[int, set[tuple[int, str, int]]] = {}  # by line: column, what is put there, width of what goes
    for piece in placement.pieces:
        for place in _positions(answer, piece, name):
            column = place.column - 1 if piece.site.where == "before" else place.column - 1 + place.width
            word = shown_fence(answer.program, piece.word) if piece.site.is_gap else f"@ {piece.word}"
            changes.setdefault(place.line, set()).add((column, word, 0))
    for fence in removed_fences(answer.program, answer.base):
        if _file(answer, fence.position) == name:
            place = fence.position
            changes.setdefault(place.line, set()).add((place.column - 1, "", place.width))
    for number, line in enumerate(answer.texts[name].splitlines(), start=1):
        shown, end = "", 0
        for column, word, width in sorted(changes.get(number, ())):
            shown += html_of(line[end:column]) + (f'<span class="put">{escape(word)}</span>' if word else "")
            end = max(end, column)
            if width:
                shown += f'<span class="gone">{html_of(line[column : column + width])}</span>'
                end = column + width
        yield shown + html_of(line[end:]), number in changes


def _positions(answer: Placements, piece: Piece, name: str) -> Iterator[Position]:
    """Where a piece stands in a file: the positions of the statements that it is at."""
    places = piece.site.places[:1] if has_c_text(answer.program) else piece.site.places
    for place in places:
        position = statement_at(answer.base, place).position
        if _file(answer, position) == name:
            yield position


def _file(answer: Placements, position: Position) -> str:
    return (position.source or answer.program.source).name


def _drawing(execution: Witness) -> str:
    if isinstance(execution, LtlResult):
        return stage(run_to_svg(execution, standalone=False))
    return stage(execution_to_svg(execution.drawn))
