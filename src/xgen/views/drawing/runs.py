"""Runs of machines with store buffers as SVG: a row for each step, for each process its steps and its buffer.

A delayed store is a bar from the step that stores to the row in which it reaches memory, from where an arrow leads to
what changes there. What goes on for ever has a dotted frame. Steps that read a variable of which another process holds
a store back are marked as stale.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from xgen.analyses.ltl import LtlResult
from xgen.engine.explicit.states import Moment
from xgen.records import dataclass
from xgen.resources import package_text
from xgen.systems.processes import (
    Condition,
    Effect,
    Expression,
    Number,
    Operation,
    Read,
    System,
    Transition,
    Variable,
)
from xgen.views.answers.ltl import Store, added, verdict_line
from xgen.views.drawing.labels import text_width as characters
from xgen.views.drawing.svg import SIGNATURE, arrow_head, escape, style_sheet
from xgen.views.pages.report import fill_report, html_of, program_text, stage

MARGIN = 14.0
ROW, HEAD = 40.0, 46.0
"""Heights of a row and of the names above."""
NUMBERS = 44.0
"""The width of the numbers of the rows, with the arrow back."""
LANE_GAP, GAP, PAD = 3.0, 12.0, 8.0
STEP, STORE = 7.9, 7.3
"""How wide a character of a step and of a store is."""
STALE = 38.0
MOST_VARIABLES = 8
"""Cells of memory that are shown if they do not change."""


def text_width(text: str, character: float) -> float:
    """How wide a text is, in pixels, by the width of a character."""
    return characters(text) * character


@dataclass(frozen=True)
class _Bar:
    """A delayed store: its process, and the rows in which it is made and reaches memory; None: it never does here."""

    process: int
    store: Store
    first: int
    last: int | None
    lane: int


@dataclass(frozen=True)
class _Column:
    """Where a process is drawn: its steps, and to the right its buffer of so many lanes."""

    x: float
    steps: float
    lane: float
    lanes: int

    @property
    def buffer(self) -> float:
        return self.x + PAD + self.steps + PAD

    @property
    def width(self) -> float:
        room = PAD + self.lanes * (self.lane + LANE_GAP) if self.lanes else 0.0
        return 2 * PAD + self.steps + room


def run_to_svg(result: LtlResult, *, standalone: bool = True) -> str:
    """The run that breaks a formula, as one `<svg>` element; without a style sheet where a page has it."""
    return _Drawing(result, standalone).text()


def run_to_html(result: LtlResult) -> str:
    """A page with the verdict, the run, and the program's text, in which the lines that the run comes by are marked."""
    source = result.system.source
    lines = {moment.transition.line for moment in (*result.prefix, *result.cycle) if moment.transition is not None}
    text = [(html_of(line), number in lines) for number, line in enumerate(source.text.splitlines(), start=1)]
    name = f"{result.system.name}: {result.formula}"
    drawing = stage(run_to_svg(result, standalone=False))
    keys = '<p class="note">left and right tell it step by step; + and - make it larger and smaller, 0 fits it</p>'
    body = f'<div class="beside"><div>{drawing}{keys}</div>{program_text(text)}</div>'
    return fill_report(title=name, heading=name, sentence=verdict_line(result), body=body)


class _Drawing:
    def __init__(self, result: LtlResult, standalone: bool) -> None:
        self.result, self.standalone = result, standalone
        self.system = result.system
        self.moments = (*result.prefix, *result.cycle)
        self.rows = len(self.moments) - 1
        self.cells = self.shown_cells()
        self.bars = list(self.find_bars())
        self.texts = [self.said(moment.transition) for moment in self.moments[1:]]
        self.stale = [_is_stale(self.system, before, after) for before, after in pairwise(self.moments)]
        self.columns = list(self.place())
        self.top = MARGIN + (26 if standalone else 0)

    def shown_cells(self) -> list[tuple[str, int, int]]:
        """The cells of memory that are shown: names, and variables and indices by number."""
        cells = [
            (f"{variable.name}[{index}]" if variable.is_array else variable.name, number, index)
            for number, variable in enumerate(self.system.variables)
            if variable.is_shared
            for index in range(len(variable.initial))
        ]
        if len(cells) <= MOST_VARIABLES:
            return cells
        return [cell for cell in cells if len({m.values[cell[1]][cell[2]] for m in self.moments}) > 1]

    def find_bars(self) -> Iterator[_Bar]:
        """The delayed stores of each process, each in the first lane that is free."""
        for process in range(len(self.system.processes)):
            open_: list[tuple[Store, int]] = []
            found: list[tuple[Store, int, int | None]] = []
            for row, (before, after) in enumerate(pairwise(self.moments)):
                old, new = before.stores[process], after.stores[process]
                for store in added(old, new):
                    open_.append((store, row))
                for store in added(new, old):
                    entry = next(entry for entry in open_ if entry[0] == store)
                    open_.remove(entry)
                    found.append((*entry, row))
            found += [(*entry, None) for entry in open_]
            ends: list[int] = []
            for store, first, last in sorted(found, key=lambda each: each[1]):
                lane = next((n for n, end in enumerate(ends) if end < first), len(ends))
                ends[lane : lane + 1] = [self.rows if last is None else last]
                yield _Bar(process, store, first, last, lane)

    def said(self, transition: Transition | None) -> tuple[str, str]:
        """A step's text, and the small one below: its line and places."""
        if transition is None:
            return "", ""
        places = self.system.processes[transition.process].places
        text = transition.text.partition("{")[2].rpartition("}")[0].strip().removesuffix(";")
        text = text.replace("; effect ", " / ").removeprefix("effect ").removeprefix("guard ")
        moves = f"{places[transition.origin]} → {places[transition.target]}"
        line = "" if transition.line is None else f"{transition.line}  "
        return (text, line + moves) if text else (moves, line.strip())

    def place(self) -> Iterator[_Column]:
        x = MARGIN + NUMBERS
        for number in range(len(self.system.processes)):
            mine = [
                max(text_width(text, STEP) + (STALE + 6) * stale, text_width(small, STEP * 10 / 13))
                for (text, small), stale, moment in zip(self.texts, self.stale, self.moments[1:], strict=True)
                if moment.transition is not None and moment.process == number
            ]
            bars = [bar for bar in self.bars if bar.process == number]
            lane = max((text_width(_spelled(bar.store), STORE) for bar in bars), default=0.0) + 8
            name = text_width(self.system.processes[number].name, 8.5)
            steps = max([*mine, name, 60.0]) + 12
            column = _Column(x, steps, lane, max((bar.lane + 1 for bar in bars), default=0))
            yield column
            x += column.width + GAP

    # --- writing ---

    def text(self) -> str:
        memory = self.columns[-1].x + self.columns[-1].width + 2 * GAP
        names = max(
            text_width("  ".join(_spelled((name, value)) for name, value in row), STORE) for row in self.memory()
        )
        bottom = self.top + HEAD + (self.rows + 1) * ROW
        right = memory + max(names, 60.0)
        caption = verdict_line(self.result)
        width = right + 2 * MARGIN
        if self.standalone:
            width = max(width, 2 * MARGIN + text_width(caption, 7.4))
        height = bottom + MARGIN + 24
        size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
        parts = [
            f'{SIGNATURE} role="img" {size}>',
            f"<title>{escape(caption)}</title>",
            f"<desc>{escape(self.description())}</desc>",
        ]
        if self.standalone:
            parts += [
                f"<style>\n{style_sheet()}{package_text('views/drawing/run.css')}</style>",
                f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>',
                f'<text class="caption" x="{MARGIN:.0f}" y="{MARGIN + 12:.0f}">{escape(caption)}</text>',
            ]
        parts += [*self.frames(bottom), *self.stores(), *self.steps(), *self.states(memory), *self.flushes(memory)]
        parts += self.ending(right + MARGIN / 2, bottom)
        return "\n".join([*parts, "</svg>"]) + "\n"

    def y(self, row: int) -> float:
        """The top of a row's boxes; row -1 is the state at first."""
        return self.top + HEAD + (row + 1) * ROW

    def memory(self) -> list[list[Store]]:
        return [[(name, moment.values[v][i]) for name, v, i in self.cells] for moment in self.moments]

    def description(self) -> str:
        """The drawing in words, for those who do not see it."""
        said = []
        for (text, _), moment in zip(self.texts, self.moments[1:], strict=True):
            if moment.process is not None:
                who = self.system.processes[moment.process].name
                said.append(f"{who}: {text or 'a store reaches memory'}.")
        return " ".join(said)

    def frames(self, bottom: float) -> Iterator[str]:
        for process, column in zip(self.system.processes, self.columns, strict=True):
            size = f'width="{column.width:.0f}" height="{bottom - self.top + 4:.0f}"'
            yield f'<rect class="frame" x="{column.x:.0f}" y="{self.top:.0f}" {size} rx="6"/>'
            middle = column.x + PAD + column.steps / 2
            yield f'<text class="thread" x="{middle:.0f}" y="{self.top + 18:.0f}">{escape(process.name)}</text>'
            if column.lanes:
                middle = column.buffer + column.lanes * (column.lane + LANE_GAP) / 2
                yield f'<text class="buffer" x="{middle:.0f}" y="{self.top + 18:.0f}">buffer</text>'

    def stores(self) -> Iterator[str]:
        for bar in self.bars:
            column = self.columns[bar.process]
            x = column.buffer + bar.lane * (column.lane + LANE_GAP)
            top = self.y(bar.first) + 3
            bottom = self.y(self.rows if bar.last is None else bar.last) + (0 if bar.last is None else ROW / 2 + 6)
            yield (
                f'<g class="store" data-row="{bar.first + 1}">'
                f'<rect x="{x:.0f}" y="{top:.0f}" width="{column.lane:.0f}" height="{bottom - top:.0f}" rx="3"/>'
                f'<text x="{x + column.lane / 2:.0f}" y="{top + 14:.0f}">{escape(_spelled(bar.store))}</text></g>'
            )

    def steps(self) -> Iterator[str]:
        for row, moment in enumerate(self.moments[1:]):
            place = f'x="{MARGIN + 8:.0f}" y="{self.y(row) + 22:.0f}"'
            yield f'<text class="number" data-row="{row + 1}" {place}>{row + 1}</text>'
            if moment.transition is None:
                continue
            column, (text, small) = self.columns[moment.transition.process], self.texts[row]
            stale = STALE if self.stale[row] else 0.0
            x, y = column.x + PAD, self.y(row) + 2
            writes = any(effect.variable.is_shared for effect in moment.transition.effects)
            line = f' data-line="{moment.transition.line}"' if moment.transition.line else ""
            middle = x + (column.steps - stale) / 2
            parts = [
                f'<g class="step{" write" if writes else ""}" data-row="{row + 1}"{line}>',
                f'<rect x="{x:.0f}" y="{y:.0f}" width="{column.steps:.0f}" height="{ROW - 5:.0f}" rx="3"/>',
                f'<text x="{middle:.1f}" y="{y + (15 if small else 22):.0f}">{escape(text)}</text>',
                f'<text class="small" x="{middle:.1f}" y="{y + 29:.0f}">{escape(small)}</text>' if small else "",
            ]
            if stale:
                at = x + column.steps - stale
                parts.append(
                    f'<rect class="chip" x="{at:.0f}" y="{y + 5:.0f}" width="{stale - 4:.0f}" height="14" rx="7"/>'
                )
                parts.append(f'<text class="stale" x="{at + stale / 2 - 2:.0f}" y="{y + 16:.0f}">stale</text>')
            yield "".join([*parts, "</g>"])

    def states(self, x: float) -> Iterator[str]:
        """Memory after each step."""
        yield f'<text class="buffer" x="{x + 28:.0f}" y="{self.top + 18:.0f}">memory</text>'
        rows = self.memory()
        for row, (before, cells) in enumerate(zip([rows[0], *rows], rows, strict=False), start=-1):
            flushed = row >= 0 and self.moments[row + 1].transition is None
            spans = []
            for old, new in zip(before, cells, strict=True):
                look = "" if old == new else ' class="flushed"' if flushed else ' class="changed"'
                spans.append(f"<tspan{look}>{escape(_spelled(new))}</tspan>")
            place = f'x="{x:.0f}" y="{self.y(row) + 23:.0f}"'
            yield f'<text class="memory" data-row="{row + 1}" {place}>{"  ".join(spans)}</text>'

    def flushes(self, x: float) -> Iterator[str]:
        for bar in self.bars:
            if bar.last is None:
                continue
            column = self.columns[bar.process]
            start = column.buffer + bar.lane * (column.lane + LANE_GAP) + column.lane / 2
            y = self.y(bar.last) + ROW / 2 - 1
            head = arrow_head((start, y), (x - 4, y))
            yield f'<g class="flush" data-row="{bar.last + 1}"><path d="M{start:.0f} {y:.0f}H{x - 8:.0f}"/>{head}</g>'

    def ending(self, right: float, bottom: float) -> Iterator[str]:
        """The frame of what goes on for ever, or what has happened in the end."""
        left, first = MARGIN + NUMBERS - 7, len(self.result.prefix) - 1
        if not self.result.cycle:
            end = "this goes wrong" if self.result.verdict == "error" else "the formula fails, whatever follows"
            yield f'<text class="buffer" x="{(left + right) / 2:.0f}" y="{bottom + 20:.0f}">{end}</text>'
            return
        top = self.y(first) - 3
        size = f'width="{right - left:.0f}" height="{bottom - top:.0f}"'
        yield f'<rect class="again" x="{left:.0f}" y="{top:.0f}" {size} rx="6"/>'
        x = left - 12
        yield f'<path class="back" d="M{left:.0f} {bottom - 14:.0f}h-5q-7 0 -7 -7V{top + 21:.0f}q0 -7 7 -7h3"/>'
        yield arrow_head((x, top + 14), (left, top + 14)).replace('class="head"', 'class="back head"')
        yield (
            f'<g class="ever"><rect x="{right - 68:.0f}" y="{bottom - 9:.0f}" width="62" height="17" rx="3"/>'
            f'<text x="{right - 37:.0f}" y="{bottom + 3:.0f}">for ever</text></g>'
        )


def _spelled(store: Store) -> str:
    return f"{store[0]}={store[1]}"


def _is_stale(system: System, before: Moment, after: Moment) -> bool:
    """Whether a step reads memory of which another process holds back a store."""
    if after.transition is None:
        return False
    process = after.transition.process
    own = {name for name, _ in before.stores[process]}
    others = {name for n, stores in enumerate(before.stores) if n != process for name, _ in stores}
    return any(cell in others - own for cell in _cells_read(system, before, after.transition))


def _cells_read(system: System, moment: Moment, transition: Transition) -> Iterator[str]:
    """The shared cells that a step reads, as far as their indices are known before it."""
    values = dict(zip(system.variables, moment.values, strict=True))
    read: list[Expression | None] = [transition.guard]
    for action in transition.actions:
        if isinstance(action, Effect):
            read += [action.index, action.value]
        elif isinstance(action, Condition):
            read.append(action.value)
    todo = [expression for expression in read if expression is not None]
    for expression in todo:
        if isinstance(expression, Operation):
            todo += expression.operands
        elif isinstance(expression, Read):
            if expression.index is not None:
                todo.append(expression.index)
            if expression.variable.is_shared:
                index = _value(expression.index, values)
                if not expression.variable.is_array:
                    yield expression.variable.name
                elif index is not None:
                    yield f"{expression.variable.name}[{index}]"


def _value(expression: Expression | None, values: dict[Variable, tuple[int, ...]]) -> int | None:
    """The value of an index where it is a number or a local; None for others."""
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, Read) and expression.index is None and not expression.variable.is_shared:
        return values[expression.variable][0]
    if isinstance(expression, Operation) and len(expression.operands) == 2 and expression.operator in "+-":
        one, other = (_value(operand, values) for operand in expression.operands)
        if one is not None and other is not None:
            return one + other if expression.operator == "+" else one - other
    return None
