"""Writing terms in the notation of .mcm, for messages and explanations."""

from __future__ import annotations

from collections.abc import Mapping

from xgen.memory.algebra import Op, Term
from xgen.memory.base_relations import BASE_RELATIONS

_NAMES = {
    Op.EVENTS: "A", Op.READS: "R", Op.WRITES: "W", Op.FENCES: "F", Op.INITS: "I", Op.EMPTY_SET: "{}",
    Op.EMPTY_RELATION: "{}", **{relation.op: relation.name for relation in BASE_RELATIONS}, Op.SI: "(si \\ id)",
}  # fmt: skip
_LEVELS = {Op.UNION: 0, Op.SEQUENCE: 1, Op.DIFFERENCE: 2, Op.INTERSECT: 3, Op.CROSS: 4}
_SIGNS = {Op.UNION: "|", Op.SEQUENCE: ";", Op.DIFFERENCE: "\\", Op.INTERSECT: "&", Op.CROSS: "*"}
_POSTFIX = {Op.INVERSE: "^-1", Op.PLUS: "^+", Op.STAR: "^*", Op.OPTIONAL: "?"}
_POSTFIX_LEVEL = 5
_FUNCTIONS = {Op.DOMAIN: "domain", Op.RANGE: "range"}
_LOOP_TAGS = (Op.BOUND, Op.THREAD, Op.VARIABLE)
_TAGS = (Op.TAGGED, *_LOOP_TAGS)


def show(term: Term, names: Mapping[Term, str] | None = None, depth: int = 10) -> str:
    """A term in the notation of .mcm, with `...` for what is more than `depth` levels down.

    `names` gives terms that are to be shown by their names, such as a model's definitions; the term itself is not.
    """
    return _write(term, names or {}, depth)[0]


def _write(term: Term, names: Mapping[Term, str], depth: int) -> tuple[str, int]:
    """The text of a term, and how tightly its outermost operator binds."""

    def inner(argument: Term, level: int) -> str:
        if argument in names and argument.args:
            return names[argument]
        text, own = _write(argument, names, depth - 1)
        return text if own >= level else f"({text})"

    tight = _POSTFIX_LEVEL + 1
    if term.op in _NAMES:
        return _NAMES[term.op], tight
    if term.op in (Op.REC_SET, Op.REC_RELATION):
        return _variable(term.group, term.variable), tight
    if term.op in _TAGS:
        return f"A[{_tag(term)}]", _POSTFIX_LEVEL
    if term.op is Op.SAME:
        return f"same_tag[{term.name}]", tight
    if depth <= 0:
        return "...", tight
    if term.op is Op.FIX:
        bodies = [f"{_variable(term.group, i)} = {inner(body, 0)}" for i, body in enumerate(term.args[:depth])]
        bodies += ["..."] if len(term.args) > depth else []
        return f"(rec {' and '.join(bodies)} in {_variable(term.group, term.variable)})", tight
    if term.op is Op.IDENTITY:
        return f"[{inner(term.args[0], 0)}]", tight
    if term.op in _FUNCTIONS:
        return f"{_FUNCTIONS[term.op]}({inner(term.args[0], 0)})", tight
    if term.op is Op.OPTIONAL and term.args[0].op is Op.SI:
        return "si", tight  # as models have it
    if term.op in _POSTFIX:
        return f"{inner(term.args[0], _POSTFIX_LEVEL)}{_POSTFIX[term.op]}", _POSTFIX_LEVEL
    left, right = term.args
    if term.op is Op.DIFFERENCE and right == Term(Op.SEQUENCE, (left, left)):
        return f"immediate({inner(left, 0)})", tight
    if term.op is Op.INTERSECT and right.op is Op.CROSS and right not in names:
        relation, arrow = (left.args[0], "-->") if left.op is Op.PLUS and left not in names else (left, "->")
        ends = (inner(end, 0) for end in right.args)
        return f"{inner(relation, _POSTFIX_LEVEL)}({f' {arrow} '.join(ends)})", _POSTFIX_LEVEL
    if term.op is Op.INTERSECT and right.op in _TAGS:
        return f"{inner(left, _POSTFIX_LEVEL)}[{_tag(right)}]", _POSTFIX_LEVEL
    level = _LEVELS[term.op]
    return f"{inner(left, level)} {_SIGNS[term.op]} {inner(right, level + 1)}", level


def _variable(group: str, number: int) -> str:
    """The name of a variable of a recursion, where the group is called after its variables: `a,b#2`."""
    names = group.partition("#")[0].split(",")
    return names[number] if number < len(names) else f"{names[0]}:{number}"


def _tag(term: Term) -> str:
    """The tag that a term stands for in brackets; of a binder `fence.node0` this is `node0`."""
    return term.name.rpartition(".")[2].partition("#")[0] if term.op in _LOOP_TAGS else term.name
