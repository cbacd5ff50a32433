"""Executions as one page that needs nothing else: outcomes with filters, drawings, relations to switch on, the program.

The drawings are made here, not in the page, so that there is one way to draw. They lie in the page compressed, a few
dozen at a time, and are unpacked when they are looked at: a thousand executions take a megabyte, or ten if they are
long and the model is large.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice, takewhile
from operator import or_
from typing import Any

from xgen.errors import Source
from xgen.executions.execution import INITIAL, Execution, State, show_value
from xgen.executions.result import Outcome, Result
from xgen.memory.algebra import Kind, Model, Op, Term
from xgen.memory.evaluate import Evaluator, members
from xgen.resources import package_text
from xgen.views.model import condition_text
from xgen.views.svg import (
    DEPENDENCIES,
    MEANINGS,
    base_relations,
    dependency_edges,
    escape,
    execution_to_svg,
    relation_sample,
    style_sheet,
)
from xgen.views.text import verdict_line
from xgen.views.words import plural

CHUNK = 32
"""Drawings that are compressed together."""
LEVEL = 6
"""How well they are compressed: 9 takes twice the time for two hundredths of the size."""
MAX_PAIRS = 300
"""Relations of the model with more pairs on an execution are not drawn there."""
MAX_OUTCOMES = 20_000
"""Outcomes of which no execution is drawn are left out beyond so many."""
SHOWN = ("po", "rf", "mo", "fr", "rmw", "data-race")
"""The relations that are switched on at first."""
ALWAYS = ("po", "rf", "mo", "fr")

_PLACE = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True)
class Shown:
    """An execution of a page, the edges to highlight, and what is to be said about it."""

    execution: Execution
    highlight: tuple[tuple[str, int, int], ...] = ()
    explanation: str = ""


def result_to_html(result: Result, model: Model, is_over: Callable[[], bool] = lambda: False) -> str:
    """The page of a check: the violating execution, and those that were kept as traces.

    Once `is_over` says so, no further ones are drawn.
    """
    executions = list(result.traces)
    if result.witness is not None and result.witness not in executions:
        executions.insert(0, result.witness)
    sentence = verdict_line(result)
    total = result.executions + result.blocked + result.bounded
    page = Page([Shown(e) for e in executions], model, result.outcomes, result.program, sentence, is_over)
    if len(page.shown) < total:
        page.sentence += f"; {len(page.shown)} of {plural(total, 'execution')} drawn"
    return page.text()


class Page:
    """A page of executions of one program under one model.

    `outcomes` are all that there are, with their numbers, as far as they are known: there can be more executions than
    the page has. `shown` are those that were drawn before `is_over` said so, one at least.
    """

    def __init__(
        self,
        shown: Sequence[Shown],
        model: Model,
        outcomes: Sequence[Outcome],
        heading: str,
        sentence: str,
        is_over: Callable[[], bool] = lambda: False,
    ) -> None:
        self.model, self.outcomes, self.heading, self.sentence = model, outcomes, heading, sentence
        definitions = [d for d in model.definitions if d.term.kind is Kind.RELATION and not d.binders]
        self.derived: dict[str, Term] = {d.name: d.term for d in definitions if d.term.args and d.name not in MEANINGS}
        records = (self.record(one) for one in shown)
        self.records = [next(records), *takewhile(lambda _: not is_over(), records)] if shown else []
        self.shown = shown[: len(self.records)]

    def text(self) -> str:
        """The page."""
        values = {
            "title": escape(f"{self.heading}: {self.model.name}"),
            "heading": escape(f"{self.heading} under {self.model.name}"),
            "subheading": escape(self.sentence),
            "drawing": style_sheet(),
            "data": _json(self.data()),
            "chunks": "\n".join(self.chunks()),
        }
        return _PLACE.sub(lambda match: values[match[1]], package_text("views/page.html"))

    def data(self) -> dict[str, Any]:
        """What the page knows of all executions."""
        groups, membership = self.groups()
        names = list(dict.fromkeys(name for group in groups for name in group["state"]))
        used = {name for name in ("rmw", *DEPENDENCIES) for s in self.shown if getattr(s.execution, name)}
        used |= {"data-race" for s in self.shown if s.execution.races}
        base = [name for name in MEANINGS if name in ALWAYS or name in used]
        relations = [{"name": n, "meaning": MEANINGS[n], "sample": relation_sample(n, ())} for n in base]
        relations += [
            {
                "name": n,
                "meaning": "of the model; what follows from other pairs is not drawn",
                "sample": relation_sample(n, tuple(self.derived)),
            }
            for n in self.derived
        ]
        return {
            "source": self.source.text.splitlines() if self.source else [],
            "constraints": [
                {"name": c.name, "sentence": c.sentence, "flag": c.flag, "text": condition_text(self.model, c)}
                for c in self.model.constraints
            ],
            "relations": relations,
            "shown": [name for name in base if name in SHOWN],
            "names": names,
            "groups": groups,
            "executions": membership,
            "first": next((n for n, s in enumerate(self.shown, start=1) if s.execution.violations), 1),
            "chunk": CHUNK,
        }

    @property
    def source(self) -> Source | None:
        """The program's text, as the executions have it."""
        return self.shown[0].execution.source if self.shown else None

    def groups(self) -> tuple[list[dict[str, Any]], list[int]]:
        """The rows of the table of outcomes, and for each execution the row that it belongs to.

        Executions that are not complete have rows of their own: they have no outcome.
        """
        groups: list[dict[str, Any]] = []
        places: dict[Any, int] = {}
        for outcome in sorted(islice(self.outcomes, MAX_OUTCOMES), key=lambda o: o.violations == 0):
            places[_key(outcome.state)] = len(groups)
            remark = "" if not outcome.violations else "violation"
            if 0 < outcome.violations < outcome.count:
                remark = f"violation in {outcome.violations}"
            groups.append(_group(outcome.state, outcome.count, remark, bool(outcome.violations)))
        membership = []
        for number, shown in enumerate(self.shown, start=1):
            execution = shown.execution
            key = _key(execution.state) if execution.complete else _ending(execution)
            if key not in places:
                places[key] = len(groups)
                state, remark = (execution.state, "") if execution.complete else ({}, _ending(execution))
                groups.append(_group(state, 0, remark, bool(execution.violations)))
            group = groups[places[key]]
            group["executions"].append(number)
            group["count"] = max(group["count"], len(group["executions"]))
            membership.append(places[key])
        return groups, membership

    def chunks(self) -> Iterator[str]:
        """The drawings, compressed."""
        for number, first in enumerate(range(0, len(self.shown), CHUNK)):
            packed = base64.b64encode(
                zlib.compress(_json(self.records[first : first + CHUNK]).encode(), LEVEL)
            ).decode()
            yield f'<script type="text/plain" id="chunk-{number}">{packed}</script>'

    def record(self, shown: Shown) -> dict[str, Any]:
        """What the page knows of one execution once it is looked at."""
        execution, evaluator = shown.execution, Evaluator(shown.execution)
        overlays = {name: drawn_pairs(evaluator, term) for name, term in self.derived.items()}
        return {
            "svg": execution_to_svg(
                execution,
                relations=base_relations(execution),
                overlays={**dependency_edges(execution), **overlays},
                highlight=shown.highlight,
                standalone=False,
            ),
            "steps": sum(event.thread != INITIAL for event in execution.events),
            "state": ", ".join(f"{name} = {show_value(value)}" for name, value in execution.state.items()),
            "holds": [evaluator.holds(constraint.condition) for constraint in self.model.constraints],
            "why": shown.explanation,
        }


def drawn_pairs(evaluator: Evaluator, term: Term) -> list[tuple[int, int]]:
    """The pairs of a relation as pictures show them; none where there are too many.

    Pairs with initial writes are left out unless they are of rf or mo; so is, of a relation without cycles, what
    follows from other pairs: a -> c where there are a -> b and b -> c.
    """
    execution, rows = evaluator.execution, evaluator.relation(term)
    told: dict[int, int] = {}
    for a, b in (*execution.rf, *execution.mo_edges):
        told[a] = told.get(a, 0) | 1 << b
    initial = sum(1 << n for n, event in enumerate(execution.events) if event.thread == INITIAL)
    closed = evaluator.relation(Term(Op.PLUS, (term,)))
    acyclic = not any(row >> n & 1 for n, row in enumerate(closed))
    pairs: list[tuple[int, int]] = []
    for a, row in enumerate(rows):
        kept = row & ~(reduce(or_, (closed[m] for m in members(row)), 0) if acyclic else 1 << a)
        kept &= told.get(a, 0) | (0 if initial >> a & 1 else ~initial)
        pairs += ((a, b) for b in members(kept))
    return pairs if len(pairs) <= MAX_PAIRS else []


def _group(state: State, count: int, remark: str, bad: bool) -> dict[str, Any]:
    values = {name: show_value(value) for name, value in state.items()}
    return {"state": values, "count": count, "remark": remark, "bad": bad, "executions": []}


def _ending(execution: Execution) -> str:
    """What an execution that is not complete is called."""
    if execution.violations:
        return f"violation: {execution.violations[0].message}"
    if execution.waits:
        return "waits for ever"
    return "blocked" if "blocked" in execution.ends else "cut by the bound"


def _key(state: State) -> tuple[tuple[str, object], ...]:
    return tuple(sorted(state.items()))


def _json(value: Any) -> str:
    """JSON that can stand in a script element."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
