"""How results, models and explanations show themselves in a notebook: sentences, tables and drawings."""

from __future__ import annotations

from xgen.analyses.explain import Explanation
from xgen.executions.execution import show_value
from xgen.executions.result import Result
from xgen.memory.algebra import Model
from xgen.views.answers import explain
from xgen.views.answers.model import condition_text, definition_texts
from xgen.views.answers.text import verdict_line
from xgen.views.drawing.svg import escape, execution_to_svg

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
        lines.append(execution_to_svg(result.witness.drawn).rstrip())
    return "\n".join([*lines, "</div>"])


def model_to_fragment(model: Model) -> str:
    """A model as a piece of HTML: what `xgen models show` says, as tables."""
    names = definition_texts(model)
    title = f"{model.name}: {model.title}" if model.title else model.name
    lines = ['<div class="xgen-model">', f"<p><b>{escape(title)}</b></p>"]
    if model.constraints:
        lines += ["<table>", _row("th", ["constraint", "demands", "because"])]
        for constraint in model.constraints:
            condition = f"{'flag unless ' if constraint.flag else ''}{condition_text(model, constraint)}"
            lines.append(_row("td", [constraint.name, condition, constraint.sentence or ""]))
        lines.append("</table>")
    else:
        lines.append("<p>no constraints: every execution is allowed</p>")
    if names:
        lines += ["<table>", _row("th", ["name", "kind", "definition"]), *(_row("td", list(row)) for row in names)]
        lines.append("</table>")
    return "\n".join([*lines, "</div>"])


def explanation_to_fragment(explanation: Explanation) -> str:
    """An explanation as a piece of HTML: the answer, the drawing, and a sentence for each step of its cycles."""
    lines = ['<div class="xgen-explanation">', f"<p><b>{escape(explain.verdict_line(explanation))}</b></p>"]
    execution = explanation.execution
    if execution is not None:
        lines.append(explain.to_svg(explanation).rstrip())
        told = [f"<li>{escape(sentence)}</li>" for sentence in explain.story(execution, explanation.highlight)]
        lines += ["<ol>", *told, "</ol>"] if told else []
        for finding in explanation.findings:
            if not finding.holds and finding.constraint.sentence:
                lines.append(f"<p>{escape(finding.constraint.name)}: {escape(finding.constraint.sentence)}</p>")
    return "\n".join([*lines, "</div>"])


def _cells(row: dict[str, int | bool], names: list[str]) -> list[str]:
    return [show_value(row[name]) if name in row else "" for name in names]


def _row(kind: str, cells: list[str]) -> str:
    return f"<tr>{''.join(f'<{kind}>{escape(cell)}</{kind}>' for cell in cells)}</tr>"
