"""A memory model as text for people, and as JSON: what it defines and demands, and what that means for exploring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xgen.memory.algebra import Condition, Constraint, Definition, Junction, Model, Op, Term, checks_of
from xgen.memory.show import show
from xgen.memory.statics.base_order import load_buffering
from xgen.memory.statics.lint import Remark
from xgen.memory.statics.polarity import violations_permanent
from xgen.memory.statics.strategy import forbids_intervening
from xgen.memory.statics.vocabulary import mentioned_tags
from xgen.memory.terms import normalised
from xgen.resources import short
from xgen.version import __version__
from xgen.views.answers.json import document
from xgen.views.answers.text import Paint, plain
from xgen.views.words import one_line, plural, wrapped

MAX_TERM = 600
"""Characters of a definition that are shown."""
MAX_NESTING = 10
"""Levels of parentheses in a condition that are shown."""

Names = Mapping[Term, str]


def render(model: Model, paint: Paint = plain) -> str:
    """The whole description; ends without a newline."""
    names = _names(model)
    blocks = [[paint(f"{model.name}: {model.title}" if model.title else model.name, "title"), short(model.source.name)]]
    if model.definitions:
        blocks.append([paint("definitions", "title"), *_definitions(model)])
    if model.constraints:
        blocks.append([paint("constraints", "title"), *_constraints(model, names)])
    else:
        blocks.append(["no constraints: every execution is allowed"])
    blocks.append(_facts(model))
    return "\n\n".join("\n".join(block) for block in blocks)


def condition_text(model: Model, constraint: Constraint) -> str:
    """A constraint's condition in the notation of .mcm, with the names of the model's definitions."""
    return _condition(constraint.condition, _names(model))


def definition_texts(model: Model) -> list[tuple[str, str, str]]:
    """Of each definition its name, its kind, and its term in the notation of .mcm, cut where it is very long."""
    names = _names(model)
    return [(d.name, d.term.kind.value, one_line(_body(d, names), MAX_TERM)) for d in model.definitions]


def _names(model: Model) -> dict[Term, str]:
    return {definition.term: definition.name for definition in reversed(model.definitions)}


def _definitions(model: Model) -> list[str]:
    width = max(len(definition.name) for definition in model.definitions)
    kinds = max(len(definition.term.kind.value) for definition in model.definitions)
    lines = []
    for name, kind, body in definition_texts(model):
        head = f"  {name:<{width}}  {kind:<{kinds}}  "
        lines += wrapped(head + body, " " * len(head))
    return lines


def _body(definition: Definition, names: Names) -> str:
    other = names.get(definition.term)
    return _loops(definition, names) + (other if other and other != definition.name else show(definition.term, names))


def _loops(definition: Definition, names: Names) -> str:
    """The for_each loops in front of a definition's term, by the tags that stand for them in it."""
    text = ""
    for binder in definition.binders:
        tag = show(Term(Op.BOUND, (), binder.name))[2:-1]
        domain = f" of {names.get(binder.domain) or show(binder.domain, names)}" if binder.domain else ""
        text += f"for each {tag}{domain}: "
    return text


def _constraints(model: Model, names: Names) -> list[str]:
    lines = []
    for constraint, how in zip(model.constraints, _checked(model), strict=True):
        flag = "flag unless " if constraint.flag else ""
        lines += wrapped(f"  {constraint.name}: {flag}{_condition(constraint.condition, names)}", " " * 6)
        if constraint.sentence:
            lines += wrapped(f'    "{constraint.sentence}"', " " * 5)
        lines += wrapped(f"    checked {how}", " " * 6)
    return lines


def _checked(model: Model) -> list[str]:
    """For each constraint, when an exploration looks at it."""
    checked = []
    usual = normalised(model)
    usual_names = {definition.term: definition.name for definition in usual.definitions}
    for constraint, used in zip(model.constraints, usual.constraints, strict=True):
        permanent, reason = violations_permanent(used.condition, usual_names)
        how = "on every graph" if permanent else f"on whole executions only: {reason}"
        if constraint.flag:
            how = "on whole executions, which it reports and does not forbid"
        elif forbids_intervening(used.condition):
            how += (
                ", but only for pairs of exclusive accesses; other updates are atomic in all executions that are built"
            )
        checked.append(how)
    return checked


def _condition(condition: Condition, names: Names, depth: int = MAX_NESTING) -> str:
    """The condition in the notation of .mcm."""
    if not isinstance(condition, Junction):
        term = condition.term
        if condition.property == "empty" and term.op is Op.IDENTITY and term not in names:
            term = term.args[0]  # the emptiness of a set
        not_ = "not " if condition.negated else ""
        return f"{names.get(term) or show(term, names)} {not_}{condition.property}"
    if depth == 0:
        return "..."
    sign = " & " if condition.mode == "and" else " | "
    parts = [_condition(part, names, depth - 1) for part in condition.parts]
    return sign.join(
        f"({text})" if isinstance(part, Junction) else text for part, text in zip(condition.parts, parts, strict=True)
    )


def _plan_size(model: Model) -> int:
    """The number of different terms that the constraints are made of, before a program makes some of them empty."""
    checks = (check for constraint in model.constraints for check in checks_of(constraint.condition))
    return len({term for check in checks for term in check.term.subterms()})


def _facts(model: Model) -> list[str]:
    """The base order of the exploration, and what programs should know."""
    possible, reason = load_buffering(model)
    rows = [
        ("base order", f"{'dependencies' if possible else 'program order'}, because {reason}"),
        ("load buffering", "possible" if possible else "not possible"),
        ("tags", ", ".join(mentioned_tags(model)) or "none"),
        ("plan size", f"{plural(_plan_size(model), 'term')}, each computed once per graph"),
    ]
    return [line for name, text in rows for line in wrapped(f"{name:<14}  {text}", " " * 16)]


def render_json(model: Model) -> str:
    """The description as one JSON document; terms and conditions in the notation of .mcm."""
    names = _names(model)
    possible, reason = load_buffering(model)
    return document(
        {
            "xgen": __version__,
            "model": model.name,
            "title": model.title,
            "file": short(model.source.name),
            "definitions": [
                {"name": d.name, "kind": d.term.kind.value, "term": one_line(_body(d, names), MAX_TERM)}
                for d in model.definitions
            ],
            "constraints": [
                {
                    "name": constraint.name,
                    "sentence": constraint.sentence,
                    "condition": _condition(constraint.condition, names),
                    "flag": constraint.flag,
                    "checked": how,
                }
                for constraint, how in zip(model.constraints, _checked(model), strict=True)
            ],
            "base_order": "dependencies" if possible else "program order",
            "load_buffering": possible,
            "because": reason,
            "tags": mentioned_tags(model),
            "plan_size": _plan_size(model),
        }
    )


def list_json(models: Mapping[str, Model]) -> str:
    """Models by the names that `--mcm` takes, with their titles, as one JSON document."""
    listed = [{"name": name, "title": model.title} for name, model in models.items()]
    return document({"xgen": __version__, "models": listed})


def problems_json(model: Model, problems: Sequence[Remark]) -> str:
    """What is wrong with a model as one JSON document."""
    found: list[dict[str, Any]] = [
        {
            "kind": "note" if problem.note else "problem",
            "message": problem.message,
            "source": {"line": problem.position.line, "column": problem.position.column} if problem.position else None,
        }
        for problem in problems
    ]
    wrong = any(not problem.note for problem in problems)
    verdict = "problems" if wrong else "good"
    return document(
        {
            "xgen": __version__,
            "model": model.name,
            "file": short(model.source.name),
            "verdict": verdict,
            "problems": found,
        }
    )
