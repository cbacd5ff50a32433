"""A page of placements of fences: each on the program's text, with the executions that come back without its parts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from xgen.analyses.fences.c_text import is_c
from xgen.analyses.fences.demands import Witness
from xgen.analyses.fences.fences import Placement, Placements
from xgen.analyses.fences.kinds import TAGLESS
from xgen.analyses.fences.sites import Piece, removed_fences, statement_at
from xgen.analyses.ltl import LtlResult
from xgen.views.answers.fences import MOST, file_of, told, verdict_line
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
        yield "<h3>With everything in place that was asked for, this is still there</h3>"
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
    text = program_text(list(_lines(answer, placement)))
    body = f'<div class="beside first">{text}<div>{"".join(drawn)}</div></div>' if drawn else text
    yield f'<div class="inside">{body}</div></details>'


def _lines(answer: Placements, placement: Placement) -> Iterator[tuple[str, bool]]:
    """The program's text, with what is put in, and without what was taken out, where it stands."""
    changes: dict[int, set[tuple[int, str, int]]] = {}  # by line: column, what is put there, width of what goes
    for piece in placement.pieces:
        for position in _positions(answer, piece):
            column = position[1] - 1 if piece.site.where == "before" else position[1] - 1 + position[2]
            word = (piece.word or TAGLESS) if piece.site.is_gap else f"@ {piece.word}"
            changes.setdefault(position[0], set()).add((column, word, 0))
    for fence in removed_fences(answer.program, answer.base):
        place = fence.position
        if (place.source or answer.program.source).name == answer.program.source.name:
            changes.setdefault(place.line, set()).add((place.column - 1, "", place.width))
    for number, line in enumerate(answer.program.source.text.splitlines(), start=1):
        shown, end = "", 0
        for column, word, width in sorted(changes.get(number, ())):
            shown += html_of(line[end:column]) + (f'<span class="put">{escape(word)}</span>' if word else "")
            end = max(end, column)
            if width:
                shown += f'<span class="gone">{html_of(line[column : column + width])}</span>'
                end = column + width
        yield shown + html_of(line[end:]), number in changes


def _positions(answer: Placements, piece: Piece) -> Iterator[tuple[int, int, int]]:
    """Where a piece stands in the program's own text: line, column and width of the statements that it is at."""
    if file_of(piece, answer):
        return
    places = piece.site.places[:1] if is_c(answer.program) else piece.site.places
    for place in places:
        position = statement_at(answer.base, place).position
        yield position.line, position.column, position.width


def _drawing(execution: Witness) -> str:
    if isinstance(execution, LtlResult):
        return stage(run_to_svg(execution, standalone=False))
    return stage(execution_to_svg(execution.only(execution.cause)))
