"""An explanation as text, as JSON and as a page: the execution, and per constraint the cycle or the order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from xgen.analyses.explain import Explanation, Finding, Step
from xgen.executions.execution import INITIAL, Event, Execution, Violation, show_value
from xgen.executions.result import Outcome
from xgen.memory.base_relations import BASE_RELATIONS
from xgen.version import __version__
from xgen.views.answers.json import document, execution_to_dict
from xgen.views.answers.model import condition_text
from xgen.views.answers.text import Paint, plain
from xgen.views.answers.witness import violation_lines, witness_lines
from xgen.views.drawing.picture import DEPENDENCIES, SHOWN, Pairs
from xgen.views.drawing.svg import execution_to_svg
from xgen.views.drawing.tikz import execution_to_tikz
from xgen.views.pages.html import Page, Shown
from xgen.views.words import named, plural, warned, wrapped

PHRASES = {
    **{relation.name: relation.target for relation in BASE_RELATIONS if relation.target},
    "rf^-1": "what it reads from",
}
"""What the target of a base relation is to its source."""
CROSSINGS = {
    "start": "in the thread that it starts",
    "join": "waits for the end of its thread",
    "meet": "comes behind a barrier before which its thread does that",
    "sw": "reads from it, by way of updates or fences",
}
"""The same of what else leads from thread to thread on the way of a race."""


def render(explanation: Explanation, paint: Paint = plain) -> str:
    """The whole explanation; ends without a newline."""
    answer = "vacuous" if explanation.vacuous else explanation.answer
    role = {"allowed": "bad", "forbidden": "good"}.get(answer, "unsure")
    blocks = [[*wrapped(paint(verdict_line(explanation), role), "  ")]]
    sentence = f"no execution of {explanation.model.name} completes: that it forbids this one says nothing"
    vacuous = [sentence] * explanation.vacuous
    blocks.append([paint(line, "unsure") for line in warned([*vacuous, *explanation.warnings])])
    if explanation.execution and explanation.race is not None:
        blocks += _race(explanation.execution, explanation.race, explanation.highlight, paint)
    elif explanation.execution:
        blocks.append(witness_lines(explanation.execution, paint))
        blocks += [
            finding_lines(explanation.execution, explanation, finding, paint)
            for finding in sorted(explanation.findings, key=lambda finding: finding.holds)
        ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _race(
    execution: Execution, race: Violation, way: Sequence[tuple[str, int, int]], paint: Paint
) -> Iterator[list[str]]:
    """The way from one event of a race to the other, a step a line, and what is missing on it."""
    assert race.missing is not None
    if way:
        lines = [paint("the way from one to the other, on which orders are missing", "title")]
        lines.append(f"  {called(execution, way[0][1])}")
        for relation, _, target in way:
            text = f"{relation} -> {called(execution, target)}: {PHRASES.get(relation) or CROSSINGS[relation]}"
            lines += wrapped(f"    {text}", " " * 8)
    else:
        lines = [paint("the two accesses", "title")]
        lines += [f"  {called(execution, n)}" for n, event in enumerate(execution.events) if event.id in race.events]
    yield lines
    yield violation_lines(execution, race, paint)


def verdict_line(explanation: Explanation) -> str:
    """The answer in a sentence, and what it rests on."""
    name = named(explanation.model.name, explanation.map)
    seen = plural(explanation.candidates, "execution")
    if explanation.answer == "allowed":
        raised = [f.constraint.name for f in explanation.findings if f.constraint.undefined and not f.holds]
        undefined = f"; it raises `{raised[0]}`, which leaves the program without a meaning" if raised else ""
        return f"allowed by {name}: {explanation.question}{undefined}"
    if explanation.answer == "unknown":
        return f"no answer: the time was up after {seen} of {name}: {explanation.question}"
    if explanation.answer == "impossible":
        free = f"{seen} without the model's constraints (which have no values that depend on themselves)"
        return f"forbidden by {name}: {explanation.question}; it is in none of {free}"
    looked = f"{seen} without the model's constraints" + ("" if explanation.exhaustive else ", which are not all")
    if explanation.execution is None:
        return f"forbidden by {name}: {explanation.question} (no candidate among {looked})"
    broken = sum(not f.holds and not f.constraint.flag for f in explanation.findings)
    of = "the candidate below" if explanation.exhaustive else f"the best candidate among {looked},"
    return f"forbidden by {name}: {explanation.question}; {of} breaks {plural(broken, 'constraint')}"


def finding_lines(execution: Execution, explanation: Explanation, finding: Finding, paint: Paint) -> list[str]:
    """What a constraint says about the execution."""
    constraint = finding.constraint
    words = ("not raised", "raised") if constraint.flag else ("holds", "is violated")
    head = f"{'flag' if constraint.flag else 'constraint'} `{constraint.name}` {words[not finding.holds]}"
    lines = [paint(head, "title" if finding.holds else "bad")]
    if constraint.sentence:
        lines += wrapped(f'  "{constraint.sentence}"', "   ")
    condition = condition_text(explanation.model, constraint)
    if finding.holds:
        return [*lines, *wrapped(f"  {condition}{_because(execution, finding)}", "    ")]
    missing = "which this execution does not have" if finding.negated else "but there is"
    lines += wrapped(f"  {condition}, {missing}", "    ")
    return lines + _steps(execution, finding.steps)


def _because(execution: Execution, finding: Finding) -> str:
    if not finding.order:
        return ""
    return f", its events in an order that fits: {', '.join(called(execution, n) for n in finding.order)}"


def _steps(execution: Execution, steps: tuple[Step, ...]) -> list[str]:
    """The steps one below the other, each with the event that it leads to; before each cycle, its first event."""
    lines: list[str] = []
    at = None
    for step in steps:
        if step.source != at:
            lines.append(f"    {called(execution, step.source)}")
        lines += _step(execution, step, 6)
        at = step.target
    return lines


def _step(execution: Execution, step: Step, indent: int) -> Iterator[str]:
    """A step, and below it those that it is made of. Names that stand for one and the same step share its line."""
    names, notes = [step.relation], [*step.notes]
    while len(step.parts) == 1 and (step.parts[0].source, step.parts[0].target) == (step.source, step.target):
        step = step.parts[0]
        names += [step.relation] if step.relation != names[-1] else []  # a model may call its relation as the base one
        notes += step.notes
    about = ", ".join(filter(None, [PHRASES.get(names[-1], ""), *dict.fromkeys(notes)]))
    text = f"{' > '.join(names)} -> {called(execution, step.target)}" + (f": {about}" if about else "")
    yield from wrapped(" " * indent + text, " " * (indent + 4))
    for part in step.parts:
        yield from _step(execution, part, indent + 4)


def called(execution: Execution, number: int) -> str:
    """An event with its place: `W x = 1 (p0, line 4)`."""
    event = execution.events[number]
    if event.thread == INITIAL:
        return f"{event.label} (initial)"
    line = f", {execution.at(event.position)}" if event.position else ""
    return f"{event.label} ({execution.threads[event.thread]}{line})"


def story(execution: Execution, edges: Sequence[tuple[str, int, int]]) -> Iterator[str]:
    """A sentence for each edge of a cycle."""
    for number, (relation, a, b) in enumerate(edges):
        one, two = execution.events[a], execution.events[b]
        first, second = (_doer(execution, event) for event in (one, two))
        if relation == "rf":
            wrote = "has at first" if one.thread == INITIAL else f"gets from {first}'s write"
            sentence = f"{second} reads the {two.variable} = {show_value(two.value)} that it {wrote}"
        elif relation == "fr":
            sentence = f"{first} sees {one.variable} = {show_value(one.value)}: it read before {second}'s write"
        elif relation == "mo":
            sentence = f"{second}'s {two.label} comes after {first}'s {one.label}"
        elif relation == "po":
            sentence = f"{second} goes on in its program: {two.label}"
        else:
            about = PHRASES.get(relation, f"`{relation}`")
            sentence = f"{second}'s {two.label} after {first}'s {one.label}: {about}"
        closes = len(edges) > 1 and number == len(edges) - 1 and b == edges[0][1]
        yield sentence + (", which is where the circle began." if closes else ".")


def _doer(execution: Execution, event: Event) -> str:
    return "the start" if event.thread == INITIAL else execution.threads[event.thread]


def to_svg(
    explanation: Explanation, show: Collection[str] | None = None, relations: Mapping[str, Pairs] | None = None
) -> str:
    """The execution with the cycles highlighted; there has to be one. `show`, `relations`: as `execution_to_svg`."""
    assert explanation.execution is not None
    drawn = _shown(explanation, show)
    return execution_to_svg(explanation.execution, show=drawn, highlight=explanation.highlight, relations=relations)


def to_tikz(
    explanation: Explanation, show: Collection[str] | None = None, relations: Mapping[str, Pairs] | None = None
) -> str:
    """The same for TeX."""
    assert explanation.execution is not None
    drawn = _shown(explanation, show)
    return execution_to_tikz(explanation.execution, show=drawn, highlight=explanation.highlight, relations=relations)


def _shown(explanation: Explanation, show: Collection[str] | None) -> Collection[str]:
    """The relations that are drawn: those that are asked for, else dependencies as well if a cycle has one."""
    has_one = any(relation in DEPENDENCIES for relation, _, _ in explanation.highlight)
    return show if show is not None else (*SHOWN, *DEPENDENCIES) if has_one else SHOWN


def to_html(explanation: Explanation) -> str:
    """A page with the execution, the cycles highlighted, and the explanation in words beside it."""
    shown, outcomes = [], []
    execution = explanation.execution
    if execution:
        text = [finding_lines(execution, explanation, f, plain) for f in explanation.findings if not f.holds]
        said = "\n\n".join("\n".join(lines) for lines in text)
        shown = [Shown(execution, explanation.highlight, said, tuple(story(execution, explanation.highlight)))]
        outcomes = [Outcome(execution.state, 1, int(bool(execution.violations)))] if execution.complete else []
        heading = PurePath(execution.source.name).name
    else:
        heading = explanation.question
    return Page(shown, explanation.model, outcomes, heading, verdict_line(explanation)).text()


def render_json(explanation: Explanation, program: str, seconds: float) -> str:
    """The explanation as one JSON document, of a program in a file of this name; steps have the ids of events."""
    execution = explanation.execution
    facts = {
        "xgen": __version__,
        "program": program,
        "model": explanation.model.name,
        "map": explanation.map,
        "question": explanation.question,
        "verdict": explanation.answer,
        "answer": explanation.answer,
        "vacuous": explanation.vacuous,
        "candidates": explanation.candidates,
        "exhaustive": explanation.exhaustive,
        "warnings": list(explanation.warnings),
        "execution": execution_to_dict(execution) if execution else None,
        "constraints": [
            {
                "name": finding.constraint.name,
                "sentence": finding.constraint.sentence,
                "condition": condition_text(explanation.model, finding.constraint),
                "flag": finding.constraint.flag,
                "holds": finding.holds,
                "steps": [_step_to_dict(execution, step) for step in finding.steps] if execution else [],
                "order": [execution.events[n].id for n in finding.order] if execution else [],
            }
            for finding in explanation.findings
        ],
        "seconds": round(seconds, 6),
    }
    return document(facts)


def _step_to_dict(execution: Execution, step: Step) -> dict[str, Any]:
    return {
        "relation": step.relation,
        "from": execution.events[step.source].id,
        "to": execution.events[step.target].id,
        "notes": list(step.notes),
        "parts": [_step_to_dict(execution, part) for part in step.parts],
    }
