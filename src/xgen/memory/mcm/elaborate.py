"""From the syntax tree of an .mcm text to a memory model: names, kinds and the hoisting of for_each loops.

A `for_each` loop is a universal quantifier over the whole constraint that uses it: it becomes a binder, which its
definition records, and its body becomes part of the definition's term, with BOUND, THREAD or VARIABLE where the text
has a tag in brackets. A constraint is checked for every value of the binders of all definitions that it uses, each
once: two uses of one definition speak of the same value.

A function is its text: an application is the value of its body with the values of the arguments.

Expressions may be nested tens of thousands of levels deep, so that nothing here recurses into them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, cast

from lark import Token

from xgen.errors import ModelError, Source, UnsupportedError, nearest, quoted
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
from xgen.memory.base_relations import NAMED
from xgen.memory.mcm.operators import (
    EMPTY,
    OF_ONE_KIND,
    Node,
    Operands,
    Operators,
    Value,
    node_of,
    nodes_of,
    position_in,
    postorder,
    token_of,
    unquoted,
)
from xgen.memory.statics.polarity import falling

MAX_LOOPS = 16
"""The most for_each loops that one constraint may be under; each multiplies the work of checking it."""
MAX_NESTING = 50
"""The most applications of functions inside of each other's bodies."""
MAX_APPLICATIONS = 20_000
"""The most applications, with those in the bodies of functions; functions of functions can be short and mean much."""

BASE: dict[str, Term] = {
    **{name: term for name, (term, _) in NAMED.items()},
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

_LOOPS: dict[str, tuple[Literal["node", "thread", "variable"], str]] = {
    "for_each_node": ("node", "node"),
    "for_each_thread": ("thread", "thrd"),
    "for_each_thrd": ("thread", "thrd"),
    "for_each_var": ("variable", "var"),
}  # fmt: skip
_LOOP_TAG = re.compile(r"(node|thread|thrd|var)([0-9]*)")
_BOUND = {"node": Op.BOUND, "thread": Op.THREAD, "variable": Op.VARIABLE}
_VARIABLE_OF = {Kind.SET: Op.REC_SET, Kind.RELATION: Op.REC_RELATION}
_RESTRICTION = "the restriction of a relation is written `r(X -> Y)`, that of its closure `r(X --> Y)`"

Statements = Iterable[tuple[Source, Node]]
"""The statements of a text, includes replaced by what they include, each with the text that it is in."""


def elaborate(statements: Statements, source: Source) -> Model:
    """The model that statements of mcm.lark stand for; the text to be read is `source`.

    Raises ModelError and UnsupportedError.
    """
    return _Elaborator(statements, source).model()


class _Loop(NamedTuple):
    """A for_each loop around the expression at hand."""

    word: str  # the tag that refers to it: node, thrd or var
    binder: Binder


class _Function(NamedTuple):
    """A definition with parameters."""

    parameters: tuple[str, ...]
    body: Node
    source: Source
    token: Token


class _Elaborator(Operators):
    """One run over one text; statement by statement, in their order."""

    def __init__(self, statements: Statements, source: Source) -> None:
        super().__init__(source)
        self.main = source
        self.statements = list(statements)
        self.values: dict[str, Value] = dict(BASE)
        self.definitions: dict[str, Definition] = {}
        self.functions: dict[str, _Function] = {}
        self.binders: dict[str, tuple[Binder, ...]] = {}  # of a definition and of all that it uses
        self.constraints: dict[str, Constraint] = {}
        self.lines: dict[str, str] = {}  # where each name is defined
        self.current: tuple[str, ...] = ()  # the names defined at hand, with their loops
        self.used: dict[Binder, None] = {}
        self.own: list[Binder] = []
        self.loops: list[_Loop] = []
        self.parameters: Mapping[str, Value] = {}  # of the function whose body is at hand
        self.applied: dict[tuple[str, tuple[Value, ...]], tuple[Value, tuple[Binder, ...]]] = {}
        self.nesting = 0
        self.recursive = False  # the definition at hand

    def model(self) -> Model:
        """The whole model."""
        name, title, tags = Path(self.source.name).stem, "", None
        for text, statement in self.statements:
            for token in _defined(statement):
                place = f"on line {token.line}" if text is self.main else f"in {text.name}"
                self.lines.setdefault(token, place)
        for text, statement in self.statements:
            self.source = text
            kind = statement.data
            if kind == "header":
                if text is self.main:
                    name, title, tags = self.header(statement)
            elif kind == "definition":
                self.define(statement)
            elif kind == "recursion":
                self.define_recursively(statement)
            elif kind == "function":
                self.define_function(statement)
            else:
                self.constrain(statement)
        constraints, definitions = tuple(self.constraints.values()), tuple(self.definitions.values())
        applied = {function for function, _ in self.applied}
        unapplied = tuple(
            (function, position_in(self.main, f.token))
            for function, f in self.functions.items()
            if f.source is self.main and function not in applied
        )
        return Model(name, self.main, constraints, definitions, title, tags, unapplied)

    def header(self, statement: Node) -> tuple[str, str, tuple[str, ...] | None]:
        """The name, the one-line description, and the tags that are expected of programs."""
        texts = [unquoted(token).strip() for token in statement.children if isinstance(token, Token)]
        if not texts[0]:
            raise self.error("the model's name is empty", token_of(statement, 0))
        expects = nodes_of(statement)
        tags = tuple(str(token) for token in expects[0].children) if expects else None
        return texts[0], texts[1] if len(texts) > 1 else "", tags

    # --- definitions

    def check_new(self, token: Token) -> str:
        """The name that is defined at a token, which has to be a new one."""
        name = str(token)
        if name in BASE:
            raise self.error(f"{quoted(name)} is built in and cannot be defined", token)
        if name in self.definitions or name in self.functions or name in self.current:
            hint = f"it is first defined {self.lines[name]}"
            raise self.error(f"{quoted(name)} is defined twice", token, hint)
        return name

    def define(self, statement: Node) -> None:
        """A definition: its term, the binders of its own loops, and those of all that it uses."""
        token = token_of(statement, 0)
        self.current, self.used, self.own, self.loops = (), {}, [], []
        name = self.check_new(token)
        self.current = (name,)
        value = self.evaluate(node_of(statement, 1))
        self.record(token, value)

    def record(self, token: Token, value: Value) -> None:
        """What a name stands for from here on."""
        name = str(token)
        self.values[name] = value
        self.binders[name] = tuple(self.used)
        term = EMPTY[Kind.RELATION] if value is None else value
        self.definitions[name] = Definition(name, term, self.position(token), tuple(self.own))

    def define_recursively(self, statement: Node) -> None:
        """Definitions that use each other: `rec a = e and b = f`, the least fixed point."""
        tokens = [token for token in statement.children if isinstance(token, Token)]
        bodies = nodes_of(statement)
        self.current, self.used, self.own, self.loops = (), {}, [], []
        for token in tokens:
            self.current += (self.check_new(token),)
        group = ",".join(self.current[:10])
        kinds = self.kinds_of_recursion(dict(zip(self.current, bodies, strict=True)))
        for i, name in enumerate(self.current):
            self.values[name] = Term(_VARIABLE_OF[kinds[name]], (), f"{group}:{i}")
        terms = []
        self.recursive = True
        for name, body in zip(self.current, bodies, strict=True):
            value = self.evaluate(body)
            terms.append(EMPTY[kinds[name]] if value is None else value)
            fault = falling(terms[-1], group)
            if fault is not None:
                source, place = self.differences[fault]
                text = quoted(source.text[place.meta.start_pos : place.meta.end_pos])
                message = f"the recursion is not monotone: {text} grows with it and is taken away here"
                hint = "what is being defined cannot be used on the right side of a difference"
                raise ModelError(message, source, position_in(source, place), hint)
        self.recursive = False
        for i, token in enumerate(tokens):
            self.record(token, Term(Op.FIX, tuple(terms), f"{group}:{i}"))

    def kinds_of_recursion(self, bodies: Mapping[str, Node]) -> dict[str, Kind]:
        """Whether the names of a recursion are sets or relations, found from what is known of their bodies."""
        users: dict[str, list[str]] = {name: [] for name in bodies}
        for name, body in bodies.items():
            for node in postorder(body):
                if node.data == "name" and token_of(node, 0) in bodies:
                    users[token_of(node, 0)].append(name)
        known: dict[str, Kind | None] = dict.fromkeys(bodies)
        work = list(bodies)
        while work:
            name = work.pop()
            if known[name] is None:
                known[name] = self.kind_of(bodies[name], known)
                work += users[name] if known[name] else []
        return {name: kind or Kind.RELATION for name, kind in known.items()}

    def kind_of(self, expression: Node, known: Mapping[str, Kind | None], nesting: int = 0) -> Kind | None:
        """The kind of an expression as far as its form shows it, given those of some names."""
        kinds: dict[int, Kind | None] = {}
        for node in postorder(expression):
            inner = [kinds[id(child)] for child in nodes_of(node)]
            if node.data == "name":
                name = str(token_of(node, 0))
                value = self.values.get(name)
                kinds[id(node)] = known.get(name, value.kind if value else None)
            elif node.data == "applied":
                head = node_of(node, 0)
                function = self.functions.get(str(token_of(head, 0))) if head.data == "name" else None
                kinds[id(node)] = None
                if function and nesting < MAX_NESTING:
                    arguments = dict(zip(function.parameters, inner[1:], strict=False))
                    kinds[id(node)] = self.kind_of(function.body, arguments, nesting + 1)
            elif node.data in OF_ONE_KIND or node.data in ("parentheses", "for_each"):
                last = inner[-1:] if node.data == "for_each" else inner
                kinds[id(node)] = next((kind for kind in last if kind), None)
            elif node.data != "empty_term":
                kinds[id(node)] = Kind.SET if node.data in ("tagged", "domain", "range") else Kind.RELATION
            else:
                kinds[id(node)] = None
        return kinds[id(expression)]

    # --- functions

    def define_function(self, statement: Node) -> None:
        """A definition with parameters: its text is looked at for unknown names, and kept."""
        token, *parameters = (child for child in statement.children if isinstance(child, Token))
        self.current = ()
        name = self.check_new(token)
        for i, parameter in enumerate(parameters):
            if parameter in BASE:
                raise self.error(f"{quoted(parameter)} is built in and cannot be a parameter", parameter)
            if parameter in parameters[:i]:
                raise self.error(f"there are two parameters {quoted(parameter)}", parameter)
        body = node_of(statement, -1)
        self.current = (name,)
        self.parameters = dict.fromkeys(map(str, parameters))
        functions = {id(node.children[0]) for node in postorder(body) if node.data == "applied"}
        for node in postorder(body):
            if node.data == "name" and id(node) not in functions:
                self.lookup(token_of(node, 0))
            elif node.data == "applied":
                self.function_of(node)
        self.parameters = {}
        self.functions[name] = _Function(tuple(map(str, parameters)), body, self.source, token)

    def function_of(self, node: Node) -> _Function:
        """The function that is applied at a node, to the right number of arguments."""
        head, arguments = node_of(node, 0), nodes_of(node)[1:]
        name = str(token_of(head, 0)) if head.data == "name" else ""
        function = self.functions.get(name)
        if function is None:
            if not name or name in self.values or name in self.parameters:
                raise self.error(f"{quoted(self.text(head))} is not a function", head, _RESTRICTION)
            if name in self.current:
                raise self.error(f"the function {quoted(name)} uses itself", head, "only `rec` definitions can")
            if name in self.lines:
                hint = f"it is defined {self.lines[name]}; a definition can use only those before it"
                raise self.error(f"{quoted(name)} is used before it is defined", head, hint)
            raise self.error(f"there is no function {quoted(name)}", head, nearest(name, self.functions))
        if len(arguments) != len(function.parameters):
            wanted = f"{len(function.parameters)} argument{'s' if len(function.parameters) > 1 else ''}"
            raise self.error(f"{quoted(name)} needs {wanted}, not {len(arguments)}", node)
        return function

    def apply_function(self, node: Node, arguments: Sequence[Value]) -> Value:
        """The value of a function's body; for the same arguments it is found once."""
        function = self.function_of(node)
        key = str(function.token), tuple(arguments)
        if key not in self.applied:
            if self.nesting == MAX_NESTING or len(self.applied) >= MAX_APPLICATIONS:
                limit = f"{MAX_NESTING} levels deep" if self.nesting == MAX_NESTING else f"{MAX_APPLICATIONS:,} times"
                raise self.error(f"functions are applied more than {limit}", node, error=UnsupportedError)
            outer = self.source, self.parameters, self.loops, self.used
            self.source, self.loops, self.used = function.source, [], {}
            self.parameters = dict(zip(function.parameters, arguments, strict=True))
            self.nesting += 1
            try:
                value = self.evaluate(function.body)
            except (ModelError, UnsupportedError) as error:
                line = position_in(outer[0], node).line
                error.hint = error.hint or f"in the application of {quoted(function.token)} on line {line}"
                raise
            self.nesting -= 1
            self.applied[key] = value, tuple(self.used)
            self.source, self.parameters, self.loops, self.used = outer
        value, binders = self.applied[key]
        self.quantify(binders, token_of(node_of(node, 0), 0))
        return value

    # --- expressions

    def evaluate(self, expression: Node) -> Value:
        """The term of an expression: arguments first, with a stack of what is left to do."""
        values: list[Value] = []
        work: list[tuple[Literal["enter", "apply", "bind", "leave"], Node]] = [("enter", expression)]
        while work:
            step, node = work.pop()
            if step == "enter" and node.data == "for_each":
                work += [("leave", node), ("enter", node_of(node, -1)), ("bind", node)]
                if len(node.children) == 3:
                    work.append(("enter", node_of(node, 1)))
            elif step == "enter":
                work.append(("apply", node))
                work += [("enter", child) for child in reversed(_operands(node))]
            elif step == "bind":
                self.bind(node, values)
            elif step == "leave":
                self.loops.pop()
            else:
                operands = _operands(node)
                arguments = values[len(values) - len(operands) :]
                del values[len(values) - len(operands) :]
                values.append(self.apply(node, list(zip(arguments, operands, strict=True))))
        return values.pop()

    def apply(self, node: Node, operands: Operands) -> Value:
        """The value of a node that is not a loop, from those of its operands."""
        if node.data == "name":
            return self.use(token_of(node, 0))
        if node.data == "tagged":
            return self.tagged(token_of(node, 1), *operands[0])
        if node.data == "applied":
            return self.apply_function(node, [value for value, _ in operands])
        return self.operate(node, operands)

    def bind(self, node: Node, values: list[Value]) -> None:
        """Enter a for_each loop; the set that a for_each_node ranges over is the last of `values`."""
        over, word = _LOOPS[token_of(node, 0)]
        domain = None
        if over == "node":
            domain = self.need(Kind.SET, values.pop(), node_of(node, 1), "for_each_node")
        if self.recursive:
            message = "a loop cannot stand in a recursion"
            raise self.error(message, token_of(node, 0), error=UnsupportedError)
        depth = sum(loop.word == word for loop in self.loops)
        name = f"{self.current[0]}.{word}{depth}"
        again = sum(binder.name.split("#")[0] == name for binder in self.own)
        suffix = f"#{again + 1}" if again else ""  # loops side by side have the same depth
        binder = Binder(f"{name}{suffix}", over, domain)
        self.own.append(binder)
        self.quantify([binder], token_of(node, 0))
        self.loops.append(_Loop(word, binder))

    # --- constraints

    def constrain(self, statement: Node) -> None:
        """A constraint or a flag, named by its `as` or else by what it is about."""
        flag = statement.data == "flag"
        undefined = flag and token_of(statement, 0).type == "UNDEFINED_UNLESS"
        constraint = node_of(statement, 1) if flag else statement
        condition = self.condition(node_of(constraint, 0))
        name = sentence = ""
        place: Token | Node = statement
        for token in constraint.children[1:]:
            if cast(Token, token).type == "NAME":
                name, place = str(token), cast(Token, token)
            else:
                sentence = unquoted(str(token))
        given = bool(name)
        short, long = _default_names(node_of(constraint, 0))
        if not given:
            name = long if short in self.constraints else short
        if name in self.constraints:
            line = self.constraints[name].position.line
            hint = "" if given else "; a name is given by `... as NAME`"
            raise self.error(f"there are two constraints {quoted(name)}", place, f"the first is on line {line}{hint}")
        self.constraints[name] = Constraint(name, condition, self.position(statement), sentence, flag, undefined)

    def condition(self, tree: Node) -> Condition:
        """The condition of a constraint, innermost parts first."""
        done: dict[int, Condition] = {}
        for node in postorder(tree):
            if node.data == "check":
                done[id(node)] = self.check(node)
            else:
                mode: Literal["and", "or"] = "and" if node.data == "all_of" else "or"
                done[id(node)] = Junction(mode, tuple(done[id(child)] for child in nodes_of(node)))
        return done[id(tree)]

    def check(self, node: Node) -> Check:
        """A name and its property; emptiness of a set becomes that of the identity on it."""
        token = token_of(node, 0)
        property_ = cast(Literal["acyclic", "irreflexive", "empty"], str(token_of(node, -1)))
        self.current = ()
        term = self.lookup(token)
        if term is None:
            term = EMPTY[Kind.RELATION]
        elif term.kind is Kind.SET and property_ == "empty":
            term = Term(Op.IDENTITY, (term,))
        elif term.kind is Kind.SET:
            raise self.error(f"{quoted(token)} is a set, but `{property_}` needs a relation", token)
        return Check(property_, term, self.binders.get(token, ()), negated=len(node.children) == 3)

    # --- names

    def lookup(self, token: Token) -> Value:
        """What a name stands for."""
        name = str(token)
        if name in self.parameters:
            return self.parameters[name]
        if name in self.values:
            return self.values[name]
        if name in self.functions:
            count = len(self.functions[name].parameters)
            hint = f"it is applied as `{name}({', '.join(['...'] * count)})`"
            raise self.error(f"{quoted(name)} is a function, not a set or a relation", token, hint)
        if name in self.current:
            hint = f"write `rec {name} = ...`; the transitive closure is `r^+`"
            raise self.error(f"the definition of {quoted(name)} uses itself", token, hint)
        if name in self.lines:
            hint = f"it is defined {self.lines[name]}; a definition can use only those before it"
            raise self.error(f"{quoted(name)} is used before it is defined", token, hint)
        suggestion = _ELSEWHERE.get(name) or nearest(name, [*self.values, *self.parameters])
        raise self.error(f"there is no set or relation {quoted(name)}", token, suggestion)

    def use(self, token: Token) -> Value:
        """The value of a name in an expression, with the binders that come with it."""
        value = self.lookup(token)
        if token not in self.parameters:
            self.quantify(self.binders.get(token, ()), token)
        return value

    def quantify(self, binders: Iterable[Binder], token: Token) -> None:
        """Let the definition at hand depend on binders: of its own loop at `token`, or of what it uses there."""
        self.used.update(dict.fromkeys(binders))
        if len(self.used) > MAX_LOOPS:
            message = f"{quoted(self.current[0])} is under more than {MAX_LOOPS} for_each loops"
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


def _operands(node: Node) -> list[Node]:
    """The parts of a node that have values: of an application, the arguments."""
    return nodes_of(node)[1:] if node.data == "applied" else nodes_of(node)


def _defined(statement: Node) -> list[Token]:
    """The names that a statement defines."""
    if statement.data in ("definition", "function"):
        return [token_of(statement, 0)]
    if statement.data == "recursion":
        return [token for token in statement.children if isinstance(token, Token)]
    return []


def _default_names(tree: Node) -> tuple[str, str]:
    """What a constraint without a name is called: short, and long where the short name is taken."""
    checks = [node for node in postorder(tree) if node.data == "check"]
    checks.sort(key=lambda node: node.meta.start_pos)
    sign = " & " if tree.data == "all_of" else " | "
    short = sign.join(str(token_of(node, 0)) for node in checks)
    return short, sign.join(" ".join(str(token) for token in node.children) for node in checks)
