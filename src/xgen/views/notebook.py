"""How a result shows itself in a notebook: the verdict, the outcomes as a table, the drawing of the witness."""

from __future__ import annotations

from xgen.executions.execution import show_value
from xgen.executions.result import Result
from xgen.views.svg import escape, execution_to_svg
from xgen.views.text import verdict_line

MAX_ROWS = 50
"""Outcomes that are shown; `Result.table` has all."""


def result_to_fragment(result: Result) -> str:
    """The result as a piece of HTML, with the witness cut to the cause of the violation."""
    rows = result.table()
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = ['<div class="xgen-result">', f"<p><b>{escape(verdict_line(result))}</b></p>"]
    if rows:
        lines += [
            "<table>",
            _row("th", names),
            *(_row("td", _cells(row, names)) for row in rows[:MAX_ROWS]),
            "</table>",
        ]
    if len(rows) > MAX_ROWS:
        lines.append(f"<p>and {len(rows) - MAX_ROWS} more</p>")
    if result.witness:
        lines.append(execution_to_svg(result.witness.only(result.witness.cause)).rstrip())
    return "\n".join([*lines, "</div>"])


def _cells(row: dict[str, int | bool], names: list[str]) -> list[str]:
    return [show_value(row[name]) if name in row else "" for name in names]


def _row(kind: str, cells: list[str]) -> str:
    return f"<tr>{''.join(f'<{kind}>{escape(cell)}</{kind}>' for cell in cells)}</tr>"
