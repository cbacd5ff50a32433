"""A memory model as text for people: what it defines and demands, and what that means for an exploration."""

from __future__ import annotations

from collections.abc import Mapping

from xgen.memory.algebra import Condition, Constraint, Definition, Junction, Model, Op, Term, checks_of
from xgen.memory.show import show
from xgen.memory.statics.base_order import load_buffering
from xgen.memory.statics.polarity import violations_permanent
from xgen.memory.statics.strategy import forbids_intervening
from xgen.memory.statics.vocabulary import mentioned_tags
from xgen.memory.terms import normalised
from xgen.views.text import Paint, plain
from xgen.views.words import one_line, plural, wrapped

MAX_TERM = 600
"""Characters of a definition that are shown."""
MAX_NESTING = 10
"""Levels of parentheses in a condition that are shown."""

Names = Mapping[Term, str]


def render(model: Model, paint: Paint = plain) -> str:
    """The whole description; ends without a newline."""
    names = {definition.term: definition.name for definition in reversed(model.definitions)}
    blocks = [[paint(f"{model.name}: {model.title}" if model.title else model.name, "title"), model.source.name]]
    if model.definitions:
        blocks.append([paint("definitions", "title"), *_definitions(model, names)])
    if model.constraints:
        blocks.append([paint("constraints", "title"), *_constraints(model, names)])
    else:
        blocks.append(["no constraints: every execution is allowed"])
    blocks.append(_facts(model))
    return "\n\n".join("\n".join(block) for block in blocks)


def condition_text(model: Model, constraint: Constraint) -> str:
    """A constraint's condition in the notation of .mcm, with the names of the model's definitions."""
    return _condition(
        constraint.condition, {definition.term: definition.name for definition in reversed(model.definitions)}
    )


def _definitions(model: Model, names: Names) -> list[str]:
    width = max(len(definition.name) for definition in model.definitions)
    kinds = max(len(definition.term.kind.value) for definition in model.definitions)
    lines = []
    for definition in model.definitions:
        head = f"  {definition.name:<{width}}  {definition.term.kind.value:<{kinds}}  "
        body = one_line(_loops(definition, names) + _term(definition, names), MAX_TERM)
        lines += wrapped(head + body, " " * len(head))
    return lines


def _term(definition: Definition, names: Names) -> str:
    other = names.get(definition.term)
    return other if other and other != definition.name else show(definition.term, names)


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
    usual = normalised(model)
    usual_names = {definition.term: definition.name for definition in usual.definitions}
    for constraint, used in zip(model.constraints, usual.constraints, strict=True):
        permanent, reason = violations_permanent(used.condition, usual_names)
        flag = "flag unless " if constraint.flag else ""
        lines += wrapped(f"  {constraint.name}: {flag}{_condition(constraint.condition, names)}", " " * 6)
        if constraint.sentence:
            lines += wrapped(f'    "{constraint.sentence}"', " " * 5)
        how = "on every graph" if permanent else f"on whole executions only: {reason}"
        if constraint.flag:
            how = "on whole executions, which it reports and does not forbid"
        elif forbids_intervening(used.condition):
            how += (
                ", but only for pairs of exclusive accesses; other updates are atomic in all executions that are built"
            )
        lines += wrapped(f"    checked {how}", " " * 6)
    return lines


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
