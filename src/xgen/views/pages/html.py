"""Executions as one page that needs nothing else: outcomes with a search, drawings, relations, the program.

The page has the executions themselves (`store.py`), and draws the one that is looked at (`draw.js`): a hundred thousand
take a few hundred kilobytes. The model's own relations, and what its constraints say, are there for the first thousand.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, takewhile
from typing import Any

from xgen.errors import Source
from xgen.executions.execution import Execution, State, show_value
from xgen.executions.result import Outcome, Result
from xgen.memory.algebra import Model
from xgen.memory.evaluate import Evaluator
from xgen.records import dataclass
from xgen.resources import package_text
from xgen.views.answers.model import condition_text
from xgen.views.answers.text import verdict_line
from xgen.views.drawing.picture import DEPENDENCIES, DERIVED, MEANINGS, SHOWN
from xgen.views.drawing.relations import derived_terms, drawn_pairs
from xgen.views.drawing.svg import escape, style_sheet
from xgen.views.pages.store import Store, numbers_to_bytes, packed
from xgen.views.words import plural

CHUNK = 32
"""Records that are packed together."""
RECORDS = 1000
"""Executions of which the page has the model's relations and constraints."""
MAX_OUTCOMES = 20_000
"""Outcomes of which no execution is shown are left out beyond so many."""
ALWAYS = ("po", "rf", "mo", "fr")
SCRIPTS = ("elements.js", "draw.js", "executions.js", "search.js", "stage.js", "page.js")

_PLACE = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True)
class Shown:
    """An execution of a page, the edges to highlight in their order, what each says, and what is to be said of all."""

    execution: Execution
    highlight: tuple[tuple[str, int, int], ...] = ()
    explanation: str = ""
    story: tuple[str, ...] = ()


def result_to_html(result: Result, model: Model, is_over: Callable[[], bool] = lambda: False) -> str:
    """The page of a check: the violating execution, and those that were kept as traces.

    Once `is_over` says so, no further ones are added.
    """
    sentence = verdict_line(result)
    total = result.executions + result.blocked + result.bounded
    page = Page(map(Shown, _executions(result)), model, result.outcomes, result.program, sentence, is_over)
    if result.coverage is not None and page.source is not None:
        page.never = [line.line for line in result.coverage.never if line.file == page.source.name]
    if page.count < total:
        page.sentence += f"; {page.count} of {plural(total, 'execution')} shown"
    return page.text()


def _executions(result: Result) -> Iterator[Execution]:
    """The violating execution first, then the others, each made when its turn has come."""
    if result.witness is not None:
        yield result.witness
    for execution in result.traces:
        if execution != result.witness:
            yield execution


class Page:
    """A page of executions of one program under one model.

    `outcomes` are all that there are, with their numbers, as far as they are known: there can be more executions than
    the page has. It has `count`, those of `shown` that were added before `is_over` said so, one at least; `known` are
    the first of them. It opens on the first one with a violation, else on the first one that is complete. `picture`, an
    `<svg>` element, stands above them. `never`: the lines of the program to which no execution comes, which are grey.
    """

    def __init__(
        self,
        shown: Iterable[Shown],
        model: Model,
        outcomes: Sequence[Outcome],
        heading: str,
        sentence: str,
        is_over: Callable[[], bool] = lambda: False,
        picture: str = "",
    ) -> None:
        self.picture = picture
        self.model, self.outcomes, self.heading, self.sentence = model, outcomes, heading, sentence
        self.derived = derived_terms(model)
        self.never: list[int] = []
        self.store = Store()
        self.known: list[Shown] = []
        self.used: set[str] = set()
        self.first = self.first_complete = 0
        self.groups, self._places = self._outcome_groups()
        self.membership: list[int] = []
        for one in shown:
            self._add(one)
            if is_over():
                break
        records = (self.record(one) for one in self.known)
        self.records = [next(records), *takewhile(lambda _: not is_over(), records)] if self.known else []

    @property
    def count(self) -> int:
        """The executions of the page."""
        return len(self.membership)

    def _add(self, shown: Shown) -> None:
        execution = shown.execution
        self.store.add(execution)
        if self.count < RECORDS:
            self.known.append(shown)
        self.used |= {name for name in ("rmw", *DEPENDENCIES) if getattr(execution, name)}
        others = {"start": execution.starts, "join": execution.joins, "data-race": execution.races}
        self.used |= {name for name, pairs in others.items() if pairs}
        key = _key(execution.state) if execution.complete else _ending(execution)
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self.groups)
            state, remark = (execution.state, "") if execution.complete else ({}, _ending(execution))
            self.groups.append(_group(state, 0, remark, bool(execution.violations)))
        group = self.groups[place]
        group["seen"] += 1
        group["count"] = max(group["count"], group["seen"])
        self.membership.append(place)
        if execution.violations and not self.first:
            self.first = self.count
        if execution.complete and not self.first_complete:
            self.first_complete = self.count

    def text(self) -> str:
        """The page."""
        script = "\n".join(package_text(f"views/pages/{name}") for name in SCRIPTS)
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        values = {
            "title": escape(f"{self.heading}: {self.model.name}"),
            "heading": escape(f"{self.heading} under {self.model.name}"),
            "subheading": escape(self.sentence),
            "policy": f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:",
            "drawing": style_sheet(),
            "style": package_text("views/pages/page.css"),
            "data": to_json(self.data()),
            "picture": f'<figure id="picture" tabindex="0">{self.picture}</figure>' if self.picture else "",
            "chunks": "\n".join(self.chunks()),
            "script": script,
        }
        return _PLACE.sub(lambda match: values[match[1]], package_text("views/pages/page.html"))

    def data(self) -> dict[str, Any]:
        """What the page knows of all executions."""
        order = sorted(range(len(self.groups)), key=lambda place: not self.groups[place]["bad"])
        groups = [self.groups[place] for place in order]
        rank = {place: number for number, place in enumerate(order)}
        names = list(dict.fromkeys(name for group in groups for name in group["state"]))
        base = [name for name in MEANINGS if name in ALWAYS or name in self.used]
        relations = [{"name": n, "look": n, "meaning": MEANINGS[n], "derived": False} for n in base]
        meaning = "of the model; what follows from other pairs is not drawn"
        relations += [
            {"name": n, "look": f"derived-{k % DERIVED}", "meaning": meaning, "derived": True}
            for k, n in enumerate(self.derived)
        ]
        return {
            "name": self.heading,
            "source": self.source.text.splitlines() if self.source else [],
            "never": self.never,
            "constraints": [
                {"name": c.name, "sentence": c.sentence, "flag": c.flag, "text": condition_text(self.model, c)}
                for c in self.model.constraints
            ],
            "relations": relations,
            "shown": [name for name in base if name in SHOWN],
            "names": names,
            "groups": [
                [g["count"], g["remark"], int(g["bad"]), [g["state"].get(name, "") for name in names]] for g in groups
            ],
            "outcomes": packed(numbers_to_bytes([rank[place] for place in self.membership])),
            "first": self.first or self.first_complete or 1,
            "records": len(self.records),
            "recordChunk": CHUNK,
            **self.store.data(),
        }

    @property
    def source(self) -> Source | None:
        """The program's text, as the executions have it."""
        return self.known[0].execution.source if self.known else None

    def _outcome_groups(self) -> tuple[list[dict[str, Any]], dict[Any, int]]:
        """The rows of the table of outcomes, those with a violation first, and their places by final states.

        Executions that are not complete have rows of their own, which come later: they have no outcome.
        """
        groups: list[dict[str, Any]] = []
        places: dict[Any, int] = {}
        for outcome in sorted(islice(self.outcomes, MAX_OUTCOMES), key=lambda o: o.violations == 0):
            places[_key(outcome.state)] = len(groups)
            remark = "" if not outcome.violations else "violation"
            if 0 < outcome.violations < outcome.count:
                remark = f"violation in {outcome.violations}"
            groups.append(_group(outcome.state, outcome.count, remark, bool(outcome.violations)))
        return groups, places

    def chunks(self) -> Iterator[str]:
        """The executions and what is known of the first ones, packed."""
        for number, chunk in enumerate(self.store.chunks()):
            yield f'<script type="text/plain" id="chunk-{number}">{chunk}</script>'
        for number, first in enumerate(range(0, len(self.records), CHUNK)):
            chunk = packed(to_json(self.records[first : first + CHUNK]).encode())
            yield f'<script type="text/plain" id="record-{number}">{chunk}</script>'

    def record(self, shown: Shown) -> dict[str, Any]:
        """What the page knows of one of the first executions once it is looked at; events by their numbers."""
        execution, evaluator = shown.execution, Evaluator(shown.execution)
        return {
            "relations": {name: drawn_pairs(evaluator, term) for name, term in self.derived.items()},
            "state": ", ".join(f"{name} = {show_value(value)}" for name, value in execution.state.items()),
            "holds": [evaluator.holds(constraint.condition) for constraint in self.model.constraints],
            "highlight": shown.highlight,
            "why": shown.explanation,
            "story": shown.story,
        }


def to_json(value: Any) -> str:
    """JSON that can stand in a script element."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _group(state: State, count: int, remark: str, bad: bool) -> dict[str, Any]:
    values = {name: show_value(value) for name, value in state.items()}
    return {"state": values, "count": count, "remark": remark, "bad": bad, "seen": 0}


def _ending(execution: Execution) -> str:
    """What an execution that is not complete is called."""
    if execution.violations:
        return f"violation: {execution.violations[0].message}"
    if execution.waits:
        return "waits for ever"
    return "cut by a limit" if "bounded" in execution.ends else "blocked"


def _key(state: State) -> tuple[tuple[str, object], ...]:
    return tuple(sorted(state.items()))
