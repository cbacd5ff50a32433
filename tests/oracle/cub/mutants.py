"""Systems that differ from given ones in one place: a condition less or turned, a write less or of another value, a
fence more or less, a cell that is weak no more, another first value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xgen.systems.parameterised import (
    Access,
    Case,
    Literal,
    Number,
    Process,
    Rule,
    System,
    Transition,
    Value,
    accesses,
)


def mutants(system: System) -> Iterator[tuple[str, System]]:
    """All of them, each with what was done."""
    for number, array in enumerate(system.arrays):
        if array.weak:
            arrays = (*system.arrays[:number], replace(array, weak=False), *system.arrays[number + 1 :])
            plain = replace(system, arrays=arrays)
            flagged = tuple(_flagged(plain, transition) for transition in plain.transitions)
            yield f"{array.name} not weak", replace(plain, transitions=flagged)
    variables, condition = system.init
    for c, conjunction in enumerate(condition):
        for n, literal in enumerate(conjunction):
            for what, changed in (("without", ()), ("another", _another(system, literal))):
                if what == "without" or changed:
                    literals = (*conjunction[:n], *changed, *conjunction[n + 1 :])
                    init = (*condition[:c], literals, *condition[c + 1 :])
                    yield f"init: {what} value {n}", replace(system, init=(variables, init))
    for number, transition in enumerate(system.transitions):
        for what, changed in _changed(system, transition):
            transitions = (*system.transitions[:number], _flagged(system, changed), *system.transitions[number + 1 :])
            yield f"{transition.name}: {what}", replace(system, transitions=transitions)


def _another(system: System, literal: Literal) -> tuple[Literal, ...]:
    """The literal with the next constructor, or the number that is one more."""
    left, right = literal.left, literal.right
    if isinstance(left, Access) and isinstance(right, Value):
        values = len(system.arrays[left.array].type.values)
        return (replace(literal, right=Value((right.value + 1) % values)),) if values > 1 else ()
    return (replace(literal, right=Number(right.value + 1)),) if isinstance(right, Number) else ()


def _changed(system: System, transition: Transition) -> Iterator[tuple[str, Transition]]:
    if transition.actor is not None:
        yield "fence", replace(transition, fence=not transition.fence)
    for number, rule in enumerate(transition.rules):
        for what, changed in _changed_rule(rule):
            rules = (*transition.rules[:number], changed, *transition.rules[number + 1 :])
            yield what, replace(transition, rules=rules)
    for n, update in enumerate(transition.updates):
        rest = (*transition.updates[:n], *transition.updates[n + 1 :])
        yield f"without update {n}", replace(transition, updates=rest)
        values = len(system.arrays[update.array].type.values)
        for c, case in enumerate(update.cases):
            if isinstance(case.value, Value) and values > 1:
                other = Case(case.condition, Value((case.value.value + 1) % values))
                cases = (*update.cases[:c], other, *update.cases[c + 1 :])
                changed = replace(update, cases=cases)
                updates = (*transition.updates[:n], changed, *transition.updates[n + 1 :])
                yield f"another value in update {n}", replace(transition, updates=updates)


def _changed_rule(rule: Rule) -> Iterator[tuple[str, Rule]]:
    for n, literal in enumerate(rule.literals):
        before, after = rule.literals[:n], rule.literals[n + 1 :]
        yield f"without literal {n}", replace(rule, literals=before + after)
        if literal.relation in ("=", "<>"):
            turned = replace(literal, relation="<>" if literal.relation == "=" else "=")
            yield f"literal {n} turned", replace(rule, literals=(*before, turned, *after))
        elif not isinstance(literal.left, Process):
            near = replace(literal, relation="<" if literal.relation == "<=" else "<=")
            yield f"literal {n} near", replace(rule, literals=(*before, near, *after))
    for n in range(len(rule.universals)):
        yield f"without universal {n}", replace(rule, universals=rule.universals[:n] + rule.universals[n + 1 :])


def _flagged(system: System, transition: Transition) -> Transition:
    """The transition with what it reads and writes found anew."""
    conditions = [rule.literals for rule in transition.rules]
    read = list(accesses(tuple(conditions)))
    for rule in transition.rules:
        for universal in rule.universals:
            read += accesses(universal.condition)
    for update in transition.updates:
        for case in update.cases:
            read += accesses(case.condition)
            read += [case.value] if isinstance(case.value, Access) else []
    reads = any(system.arrays[access.array].weak for access in read)
    writes = any(system.arrays[update.array].weak for update in transition.updates)
    return replace(transition, reads=reads, writes=writes)
