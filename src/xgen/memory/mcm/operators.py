"""The operators of .mcm: from a node of the syntax tree and the values of its operands to the value of the whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import cast

from lark import Token, Tree

from xgen.errors import ModelError, Position, Source, UnsupportedError, quoted
from xgen.grammars import position_of
from xgen.memory.algebra import Kind, Op, Term
from xgen.memory.terms import same

Node = Tree[Token]
Value = Term | None
"""A term, or None for `{}`, which is a set or a relation as its place demands."""

Operands = Sequence[tuple[Value, Node]]
"""The values of a node's operands, each with its place in the text."""

EMPTY = {Kind.SET: Term(Op.EMPTY_SET), Kind.RELATION: Term(Op.EMPTY_RELATION)}
OF_ONE_KIND = {
    "union": (Op.UNION, "`|`"),
    "intersection": (Op.INTERSECT, "`&`"),
    "difference": (Op.DIFFERENCE, "`\\`"),
}
_OPERATORS = {
    "sequence": (Op.SEQUENCE, Kind.RELATION, "`;`"),
    "inverse": (Op.INVERSE, Kind.RELATION, "`^-1`"),
    "plus": (Op.PLUS, Kind.RELATION, "`^+`"),
    "star": (Op.STAR, Kind.RELATION, "`^*`"),
    "optional": (Op.OPTIONAL, Kind.RELATION, "`?`"),
    "domain": (Op.DOMAIN, Kind.RELATION, "`domain`"),
    "range": (Op.RANGE, Kind.RELATION, "`range`"),
    "product": (Op.CROSS, Kind.SET, "`*`"),
    "identity": (Op.IDENTITY, Kind.SET, "`[ ]`"),
}


def unquoted(text: str) -> str:
    """What stands between quotes, with `\\"` for a quote and `\\\\` for a backslash."""
    return re.sub(r'\\(["\\])', r"\1", text[1:-1])


class Operators:
    """Applies operators in a text; `differences` says where the text has the right side of each difference."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.differences: dict[Term, tuple[Source, Node]] = {}

    def operate(self, node: Node, operands: Operands) -> Value:
        """The value of a node that is an operator, from those of its operands."""
        data = node.data
        if data == "empty_term":
            return None
        if data == "parentheses":
            return operands[0][0]
        if data in OF_ONE_KIND:
            return self.join(*OF_ONE_KIND[data], operands)
        if data == "product" and len(operands) > 2:
            hint = "`*` is the product of two sets, which is a relation"
            raise self.error("this is a product of more than two sets", operands[2][1], hint)
        if data in _OPERATORS:
            op, kind, sign = _OPERATORS[data]
            terms = [self.need(kind, *operand, sign) for operand in operands]
            return self.fold(op, terms, operands) if op is Op.SEQUENCE else Term(op, tuple(terms))
        if data == "same_tag":
            return same(*(str(child) for child in node.children if isinstance(child, Token)))
        if data == "immediate":
            relation = self.need(Kind.RELATION, *operands[0], "`immediate`")
            both = [relation, Term(Op.SEQUENCE, (relation, relation))]
            return self.fold(Op.DIFFERENCE, both, [operands[0]] * 2)
        arrow = next(child for child in node.children if isinstance(child, Token))
        return self.restricted(arrow, operands)

    def join(self, op: Op, sign: str, operands: Operands) -> Value:
        """An operator on two sets or on two relations, from left to right."""
        known = next(((value, where) for value, where in operands if value is not None), None)
        if known is None:
            return None
        kind = known[0].kind
        terms = []
        for value, where in operands:
            if value is not None and value.kind is not kind:
                first, second = quoted(self.text(known[1])), quoted(self.text(where))
                message = f"{first} is a {kind.value} and {second} is a {value.kind.value}"
                raise self.error(f"{message}, but {sign} needs two of one kind", where)
            terms.append(EMPTY[kind] if value is None else value)
        return self.fold(op, terms, operands)

    def restricted(self, arrow: Token, operands: Operands) -> Value:
        """`r(X -> Y)`, `r(X --> Y)`, and `(r, s)(X -> Y)`, which is about the union."""
        sign = f"`{arrow}`"
        relations = [self.need(Kind.RELATION, *operand, sign) for operand in operands[:-2]]
        ends = tuple(self.need(Kind.SET, *operand, sign) for operand in operands[-2:])
        relation = self.fold(Op.UNION, relations, operands)
        if arrow.type == "PATH":
            relation = Term(Op.PLUS, (relation,))
        return Term(Op.INTERSECT, (relation, Term(Op.CROSS, ends)))

    def fold(self, op: Op, terms: Sequence[Term], operands: Operands) -> Term:
        """Terms joined by an operator of two, from left to right."""
        result = terms[0]
        for term, (_, where) in zip(terms[1:], operands[1:], strict=False):
            result = Term(op, (result, term))
            if op is Op.DIFFERENCE:
                self.differences[result] = self.source, where
        return result

    def need(self, kind: Kind, value: Value, node: Node, what: str) -> Term:
        """The value, if it is of the kind that `what` needs; an error at `node` otherwise."""
        if value is None:
            return EMPTY[kind]
        if value.kind is kind:
            return value
        hint = "the identity on a set S is `[S]`, all its pairs are `S * S`"
        if kind is Kind.SET:
            hint = "the ends of a relation r are the sets `domain(r)` and `range(r)`"
        found = quoted(self.text(node))
        raise self.error(f"{found} is a {value.kind.value}, but {what} needs a {kind.value}", node, hint)

    def text(self, node: Node) -> str:
        """The source text of an expression."""
        return self.source.text[node.meta.start_pos : node.meta.end_pos]

    def error(
        self,
        message: str,
        place: Token | Node,
        hint: str | None = None,
        error: type[ModelError] | type[UnsupportedError] = ModelError,
    ) -> ModelError | UnsupportedError:
        """The error to raise for a place in the text."""
        return error(message, self.source, self.position(place), hint)

    def position(self, place: Token | Node) -> Position:
        """Where a token or an expression is; one of several lines is underlined to the end of its first."""
        return position_in(self.source, place)


def position_in(source: Source, place: Token | Node) -> Position:
    """Where a token or an expression is in a text; one of several lines is underlined to the end of its first."""
    if isinstance(place, Token):
        return position_of(place)
    meta = place.meta
    return Position(meta.line, meta.column, len(source.text[meta.start_pos : meta.end_pos].split("\n", 1)[0]))


# --- Trees ---------------------------------------------------------------------------------------------------------


def token_of(node: Node, index: int) -> Token:
    """A child that is a token."""
    return cast(Token, node.children[index])


def node_of(node: Node, index: int) -> Node:
    """A child that is a node."""
    return cast(Node, node.children[index])


def nodes_of(node: Node) -> list[Node]:
    """All children that are nodes."""
    return [child for child in node.children if isinstance(child, Tree)]


def postorder(tree: Node) -> Iterable[Node]:
    """The nodes of a tree, children before their parent."""
    order, work = [], [tree]
    while work:
        node = work.pop()
        order.append(node)
        work += nodes_of(node)
    return reversed(order)
