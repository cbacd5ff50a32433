"""From the syntax tree of an .mcm text to a memory model: names, kinds and the hoisting of for_each loops.

A `for_each` loop is a universal quantifier over the whole constraint that uses it: it becomes a binder, which its
definition records, and its body becomes part of the definition's term, with BOUND, THREAD or VARIABLE where the text
has a tag in brackets. A constraint is checked for every value of the binders of all definitions that it uses, each
once: two uses of one definition speak of the same value.

Expressions may be nested tens of thousands of levels deep, so nothing here is recursive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, cast

from lark import Token, Tree

from xgen.errors import ModelError, Position, Source, UnsupportedError, nearest
from xgen.memory.algebra import (
    Binder,
    Check,
    Condition,
    Constraint,
    Definition,
    Junction,
    Kind,
    Model,
    Op,
    Term,
)

Node = Tree[Token]
Value = Term | None
"""A term, or None for `{}`, which is a set or a relation as its place demands."""

Operands = Sequence[tuple[Value, Node]]
"""The values of a node's operands, each with its place in the text."""

MAX_LOOPS = 16
"""The most for_each loops that one constraint may be under; each multiplies the work of checking it."""

BASE: dict[str, Term] = {
    "po": Term(Op.PO), "rf": Term(Op.RF), "mo": Term(Op.MO), "co": Term(Op.MO), "fr": Term(Op.FR),
    "loc": Term(Op.LOC), "int": Term(Op.INT), "ext": Term(Op.EXT), "id": Term(Op.ID),
    "rmw": Term(Op.RMW), "addr": Term(Op.ADDR), "data": Term(Op.DATA), "ctrl": Term(Op.CTRL),
    "RMW": Term(Op.TAGGED, name="rmw"),
    "A": Term(Op.EVENTS), "R": Term(Op.READS), "W": Term(Op.WRITES), "F": Term(Op.FENCES), "I": Term(Op.INITS),
}  # fmt: skip
"""What a model can name without defining it."""

_ELSEWHERE = {
    "rfe": "write `rf & ext`", "rfi": "write `rf & int`", "fre": "write `fr & ext`", "fri": "write `fr & int`",
    "coe": "write `co & ext`", "coi": "write `co & int`", "po-loc": "write `po & loc`", "poloc": "write `po & loc`",
    "M": "the events but the fences are `R | W`", "_": "the set of all events is `A`", "IW": "initial writes are `I`",
}  # fmt: skip
"""Names that other languages and papers have, and what to write instead."""

_EMPTY = {Kind.SET: Term(Op.EMPTY_SET), Kind.RELATION: Term(Op.EMPTY_RELATION)}
_LOOPS: dict[str, tuple[Literal["node", "thread", "variable"], str]] = {
    "for_each_node": ("node", "node"),
    "for_each_thread": ("thread", "thrd"),
    "for_each_thrd": ("thread", "thrd"),
    "for_each_var": ("variable", "var"),
}  # fmt: skip
_LOOP_TAG = re.compile(r"(node|thread|thrd|var)([0-9]*)")
_OF_ONE_KIND = {
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
_BOUND = {"node": Op.BOUND, "thread": Op.THREAD, "variable": Op.VARIABLE}


def elaborate(tree: Node, source: Source) -> Model:
    """The model that a syntax tree of mcm.lark stands for. Raises ModelError and UnsupportedError."""
    return _Elaborator(tree, source).model()


def quoted(name: str) -> str:
    """A piece of the text for a message: on one line, in backquotes, shortened where it is long."""
    shown = " ".join(name[:200].split())
    return f"`{shown[:57]}...`" if len(shown) > 60 else f"`{shown}`"


class _Loop(NamedTuple):
    """A for_each loop around the expression at hand."""

    word: str  # the tag that refers to it: node, thrd or var
    binder: Binder


class _Elaborator:
    """One run over one text; statement by statement, in their order."""

    def __init__(self, tree: Node, source: Source) -> None:
        self.source = source
        self.statements = [cast(Node, child) for child in tree.children]
        self.values: dict[str, Value] = dict(BASE)
        self.definitions: dict[str, Definition] = {}
        self.binders: dict[str, tuple[Binder, ...]] = {}  # of a definition and of all that it uses
        self.constraints: dict[str, Constraint] = {}
        self.lines: dict[str, int] = {}  # the line of each definition
        self.current = ""  # the definition at hand, with its loops
        self.used: dict[Binder, None] = {}
        self.own: list[Binder] = []
        self.loops: list[_Loop] = []

    def model(self) -> Model:
        """The whole model."""
        name, title = Path(self.source.name).stem, ""
        for statement in self.statements:
            if statement.data == "definition":
                token = _token(statement, 0)
                self.lines.setdefault(token, token.line or 0)
        for statement in self.statements:
            kind = statement.data
            if kind == "header":
                name, title = self.header(statement)
            elif kind == "definition":
                self.define(statement)
            elif kind == "constraint":
                self.constrain(statement)
            else:
                self.refuse(statement)
        constraints, definitions = tuple(self.constraints.values()), tuple(self.definitions.values())
        return Model(name, self.source, constraints, definitions, title)

    def header(self, statement: Node) -> tuple[str, str]:
        """The name and the one-line description."""
        texts = [str(token)[1:-1].strip() for token in statement.children]
        if not texts[0]:
            raise self.error("the model's name is empty", _token(statement, 0))
        return texts[0], texts[1] if len(texts) > 1 else ""

    def refuse(self, statement: Node) -> None:
        """Statements that the grammar knows and that cannot be run yet."""
        what = {
            "function": "definitions with parameters are",
            "include": "`include` is",
            "flag": "`flag` is",
        }[statement.data]
        place = _token(statement, 0) if statement.data == "function" else statement
        raise self.error(f"{what} not supported yet", place, error=UnsupportedError)

    # --- definitions

    def define(self, statement: Node) -> None:
        """A definition: its term, the binders of its own loops, and those of all that it uses."""
        token, body = _token(statement, 0), _node(statement, 1)
        name = str(token)
        if name in BASE:
            raise self.error(f"{quoted(name)} is built in and cannot be defined", token)
        if name in self.definitions:
            line = self.definitions[name].position.line
            raise self.error(f"{quoted(name)} is defined twice", token, f"it is first defined on line {line}")
        self.current, self.used, self.own, self.loops = name, {}, [], []
        value = self.evaluate(body)
        self.values[name] = value
        self.binders[name] = tuple(self.used)
        term = _EMPTY[Kind.RELATION] if value is None else value
        self.definitions[name] = Definition(name, term, self.position(token), tuple(self.own))

    def evaluate(self, expression: Node) -> Value:
        """The term of an expression: arguments first, with a stack of what is left to do."""
        values: list[Value] = []
        work: list[tuple[Literal["enter", "apply", "bind", "leave"], Node]] = [("enter", expression)]
        while work:
            step, node = work.pop()
            if step == "enter" and node.data == "for_each":
                work += [("leave", node), ("enter", _node(node, -1)), ("bind", node)]
                if len(node.children) == 3:
                    work.append(("enter", _node(node, 1)))
            elif step == "enter":
                work.append(("apply", node))
                work += [("enter", child) for child in reversed(_nodes(node))]
            elif step == "bind":
                self.bind(node, values)
            elif step == "leave":
                self.loops.pop()
            else:
                operands = _nodes(node)
                arguments = values[len(values) - len(operands) :]
                del values[len(values) - len(operands) :]
                values.append(self.apply(node, list(zip(arguments, operands, strict=True))))
        return values.pop()

    def bind(self, node: Node, values: list[Value]) -> None:
        """Enter a for_each loop; the set that a for_each_node ranges over is the last of `values`."""
        over, word = _LOOPS[_token(node, 0)]
        domain = None
        if over == "node":
            domain = self.need(Kind.SET, values.pop(), _node(node, 1), "for_each_node")
        depth = sum(loop.word == word for loop in self.loops)
        again = sum(binder.name.split("#")[0] == f"{self.current}.{word}{depth}" for binder in self.own)
        suffix = f"#{again + 1}" if again else ""  # loops side by side have the same depth
        binder = Binder(f"{self.current}.{word}{depth}{suffix}", over, domain)
        self.own.append(binder)
        self.quantify([binder], _token(node, 0))
        self.loops.append(_Loop(word, binder))

    # --- constraints

    def constrain(self, statement: Node) -> None:
        """A constraint, named by its `as` or else by what it is about."""
        condition = self.condition(_node(statement, 0))
        name = sentence = ""
        place: Token | Node = statement
        for token in statement.children[1:]:
            if cast(Token, token).type == "NAME":
                name, place = str(token), cast(Token, token)
            else:
                sentence = str(token)[1:-1]
        given = bool(name)
        short, long = _default_names(_node(statement, 0))
        if not given:
            name = long if short in self.constraints else short
        if name in self.constraints:
            line = self.constraints[name].position.line
            hint = "" if given else "; a name is given by `... as NAME`"
            raise self.error(f"there are two constraints {quoted(name)}", place, f"the first is on line {line}{hint}")
        self.constraints[name] = Constraint(name, condition, self.position(statement), sentence)

    def condition(self, tree: Node) -> Condition:
        """The condition of a constraint, innermost parts first."""
        done: dict[int, Condition] = {}
        for node in _postorder(tree):
            if node.data == "check":
                done[id(node)] = self.check(node)
            else:
                mode: Literal["and", "or"] = "and" if node.data == "all_of" else "or"
                done[id(node)] = Junction(mode, tuple(done[id(child)] for child in _nodes(node)))
        return done[id(tree)]

    def check(self, node: Node) -> Check:
        """A name and its property; emptiness of a set becomes that of the identity on it."""
        token = _token(node, 0)
        property_ = cast(Literal["acyclic", "irreflexive", "empty"], str(_token(node, 1)))
        term = self.lookup(token)
        if term is None:
            term = _EMPTY[Kind.RELATION]
        elif term.kind is Kind.SET and property_ == "empty":
            term = Term(Op.IDENTITY, (term,))
        elif term.kind is Kind.SET:
            raise self.error(f"{quoted(token)} is a set, but `{property_}` needs a relation", token)
        return Check(property_, term, self.binders.get(token, ()))

    # --- names

    def lookup(self, token: Token) -> Value:
        """What a name stands for."""
        name = str(token)
        if name in self.values:
            return self.values[name]
        if name == self.current and name not in self.definitions:
            message = f"the definition of {quoted(name)} uses itself: recursion is not supported yet"
            raise self.error(message, token, "the transitive closure is written `r^+`", UnsupportedError)
        if name in self.lines:
            hint = f"it is defined on line {self.lines[name]}; a definition can use only those before it"
            raise self.error(f"{quoted(name)} is used before it is defined", token, hint)
        suggestion = _ELSEWHERE.get(name) or nearest(name, self.values)
        raise self.error(f"there is no set or relation {quoted(name)}", token, suggestion)

    # --- operators

    def apply(self, node: Node, operands: Operands) -> Value:
        """The value of a node that is not a loop, from those of its operands."""
        data = node.data
        if data == "name":
            return self.use(_token(node, 0))
        if data == "empty_term":
            return None
        if data == "parentheses":
            return operands[0][0]
        if data == "tagged":
            return self.tagged(_token(node, 1), *operands[0])
        if data in _OF_ONE_KIND:
            return self.join(*_OF_ONE_KIND[data], operands)
        if data == "product" and len(operands) > 2:
            hint = "`*` is the product of two sets, which is a relation"
            raise self.error("this is a product of more than two sets", operands[2][1], hint)
        if data in _OPERATORS:
            op, kind, sign = _OPERATORS[data]
            terms = [self.need(kind, *operand, sign) for operand in operands]
            return _fold(op, terms) if op is Op.SEQUENCE else Term(op, tuple(terms))
        if data == "immediate":
            relation = self.need(Kind.RELATION, *operands[0], "`immediate`")
            return Term(Op.DIFFERENCE, (relation, Term(Op.SEQUENCE, (relation, relation))))
        arrow = next(child for child in node.children if isinstance(child, Token))
        return self.restricted(arrow, operands)

    def use(self, token: Token) -> Value:
        """The value of a name in an expression, with the binders that come with it."""
        value = self.lookup(token)
        self.quantify(self.binders.get(token, ()), token)
        return value

    def quantify(self, binders: Iterable[Binder], token: Token) -> None:
        """Let the definition at hand depend on binders: of its own loop at `token`, or of what it uses there."""
        self.used.update(dict.fromkeys(binders))
        if len(self.used) > MAX_LOOPS:
            message = f"{quoted(self.current)} is under more than {MAX_LOOPS} for_each loops"
            hint = "the loops of the definitions that it uses count as well"
            raise self.error(message, token, hint, UnsupportedError)

    def tagged(self, token: Token, value: Value, node: Node) -> Value:
        """`S[tag]`: the events of S that the loop of that name is at, or that bear the tag."""
        events = self.need(Kind.SET, value, node, "a tag in brackets")
        loop = _LOOP_TAG.fullmatch(token)
        if loop:
            binder = self.loop_of(token, loop)
            return Term(Op.INTERSECT, (events, Term(_BOUND[binder.over], (), binder.name)))
        if token in BASE:
            both = f"the events that are in both sets are `{self.text(node)} & {token}`"
            hint = both if BASE[token].kind is Kind.SET else None
            raise self.error(f"{quoted(token)} is a {BASE[token].kind.value}, not a tag", token, hint)
        return Term(Op.INTERSECT, (events, Term(Op.TAGGED, (), str(token))))

    def loop_of(self, token: Token, match: re.Match[str]) -> Binder:
        """The binder that a tag such as `node` or `node1` refers to."""
        word = "thrd" if match[1] == "thread" else match[1]
        loops = [loop.binder for loop in self.loops if loop.word == word]
        if not loops:
            raise self.error(f"{quoted(token)} is used outside of a `for_each_{match[1]}` loop", token)
        if not match[2]:
            return loops[-1]
        if len(match[2]) > 3 or int(match[2]) >= len(loops):
            here = f"loops here are `{match[1]}0` to `{match[1]}{len(loops) - 1}`"
            if len(loops) == 1:
                here = f"only loop here is `{match[1]}0`"
            raise self.error(f"there is no loop {quoted(token)} around this", token, f"the {here}")
        return loops[int(match[2])]

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
            terms.append(_EMPTY[kind] if value is None else value)
        return _fold(op, terms)

    def restricted(self, arrow: Token, operands: Operands) -> Value:
        """`r(X -> Y)`, `r(X --> Y)`, and `(r, s)(X -> Y)`, which is about the union."""
        sign = f"`{arrow}`"
        relations = [self.need(Kind.RELATION, *operand, sign) for operand in operands[:-2]]
        ends = tuple(self.need(Kind.SET, *operand, sign) for operand in operands[-2:])
        relation = _fold(Op.UNION, relations)
        if arrow.type == "PATH":
            relation = Term(Op.PLUS, (relation,))
        return Term(Op.INTERSECT, (relation, Term(Op.CROSS, ends)))

    def need(self, kind: Kind, value: Value, node: Node, what: str) -> Term:
        """The value, if it is of the kind that `what` needs; an error at `node` otherwise."""
        if value is None:
            return _EMPTY[kind]
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
        if isinstance(place, Token):
            return Position(place.line or 1, place.column or 1, len(place))
        meta = place.meta
        return Position(meta.line, meta.column, len(self.text(place).split("\n", 1)[0]))


# --- Trees ---------------------------------------------------------------------------------------------------------


def _fold(op: Op, terms: Sequence[Term]) -> Term:
    """Terms joined by an operator of two, from left to right."""
    result = terms[0]
    for term in terms[1:]:
        result = Term(op, (result, term))
    return result


def _token(node: Node, index: int) -> Token:
    return cast(Token, node.children[index])


def _node(node: Node, index: int) -> Node:
    return cast(Node, node.children[index])


def _nodes(node: Node) -> list[Node]:
    return [child for child in node.children if isinstance(child, Tree)]


def _postorder(tree: Node) -> Iterable[Node]:
    """The nodes of a tree, children before their parent."""
    order, work = [], [tree]
    while work:
        node = work.pop()
        order.append(node)
        work += _nodes(node)
    return reversed(order)


def _default_names(tree: Node) -> tuple[str, str]:
    """What a constraint without a name is called: short, and long where the short name is taken."""
    checks = [node for node in _postorder(tree) if node.data == "check"]
    checks.sort(key=lambda node: node.meta.start_pos)
    sign = " & " if tree.data == "all_of" else " | "
    short = sign.join(str(_token(node, 0)) for node in checks)
    return short, sign.join(f"{_token(node, 0)} {_token(node, 1)}" for node in checks)
